"""The mistakes that users make are told with the item, the value and the remedy, at the line of the program."""

import math
import warnings

import pytest

import saltus as sl


def line_of(fault):
    """The source line that the fault names."""
    return open(fault.file).read().splitlines()[fault.line - 1]


def refused(action):
    with pytest.raises(sl.ModelError) as caught:
        action()
    return caught.value.faults


def test_a_typo_in_a_keyword():
    m = sl.Model()
    (fault,) = refused(lambda: m.rod((0, 0, 0), (1, 0, 0), masss=1))  # typo
    assert fault.text.endswith('bodies/rod_1: unknown keyword "masss" = 1; did you mean "mass"?')
    assert "# typo" in line_of(fault)


def test_a_typo_in_a_field_of_an_item():
    m = sl.Model()
    (fault,) = refused(lambda: sl.items.SpringDamper(A=m.ground, B="a", stiffnes=1))
    assert "stiffnes: is not a field of SpringDamper" in fault.text and fault.remedy == 'did you mean "stiffness"?'


@pytest.mark.parametrize(
    "make, path",
    [
        (lambda m: m.rod((0, 0), (1, 0, 0), mass=1), "bodies/rod_1/start"),
        (lambda m: m.box(size=(1, 1), mass=1), "bodies/box_1/size"),
        (lambda m: m.sphere(radius=1, mass=1, at=(1, 2, 3, 4)), "bodies/sphere_1/at"),
    ],
)
def test_a_vector_of_wrong_length(make, path):
    (fault,) = refused(lambda: make(sl.Model()))
    assert fault.path == path and "expected 3 [m]" in fault.message and fault.remedy == "write (x, y, z)"


def test_a_velocity_of_wrong_length_is_found_with_the_model():
    m = sl.Model()
    m.box(size=(1, 1, 1), mass=1, velocity=(1, 2))  # short
    (fault,) = refused(lambda: m.simulate(1.0))
    assert (
        fault.path.startswith("bodies/box_1/node/velocity")
        and "3 numbers" in fault.message
        and "# short" in line_of(fault)
    )


@pytest.mark.parametrize(
    "make",
    [
        lambda m: m.rod((0, 0, 0), (1, 0, 0), mass=-1),
        lambda m: m.sphere(radius=1, mass=-1),
        lambda m: (m.body(mass=-1, inertia=(1, 1, 1)), m.simulate(1.0)),
    ],
)
def test_a_negative_mass(make):
    (fault,) = refused(lambda: make(sl.Model()))
    assert fault.path.endswith("/mass") and fault.message == "is -1 kg, must be above 0" and fault.line > 0


def test_an_unknown_body():
    m = sl.Model()
    m.rod((0, 0, 0), (1, 0, 0), mass=1, name="crank")
    m.revolute(m.ground, "crnak", axis="z")  # unknown
    (fault,) = refused(lambda: m.simulate(1.0))
    assert fault.path == "joints/revolute_1/B" and '"crnak" is not there' in fault.message
    assert fault.remedy == 'did you mean "crank"?' and "# unknown" in line_of(fault)


def test_all_mistakes_of_a_model_come_at_once():
    m = sl.Model()
    m.body(mass=-1, inertia=(1, 1, 1))
    m.revolute(m.ground, "nothing", axis="q")
    m.body(mass=1, inertia=(1, 1, 1), velocity=(0, math.inf, 0))
    faults = refused(lambda: m.simulate(1.0))
    assert {f.path.split("/")[1] for f in faults} == {"body_1", "revolute_1", "body_2"}
    assert [f.text for f in faults] == [f.text for f in m.check()]


@pytest.mark.parametrize("gravity", [9.81, -9.81, 0])
def test_gravity_as_a_scalar(gravity):
    (fault,) = refused(lambda: sl.Model(gravity=gravity))
    assert (
        fault.path == "gravity" and "a number; expected 3" in fault.message and fault.remedy.startswith("write (0, 0, ")
    )


def test_nan_as_an_initial_value():
    m = sl.Model()
    m.box(size=(1, 1, 1), mass=1, velocity=(0, math.nan, 0))  # nan
    (fault,) = refused(lambda: m.simulate(1.0))
    assert fault.path == "bodies/box_1/node/velocity/1" and "not finite" in fault.message and "# nan" in line_of(fault)


def test_a_fixed_step_that_is_too_coarse_warns_with_an_estimate():
    m = sl.Model(gravity=(0, 0, 0))
    body = m.box(size=(1, 1, 1), mass=1, at=(1.1, 0, 0))
    m.spring(m.ground, body, stiffness=100, rest_length=1)  # period 0.63 s
    with pytest.warns(
        sl.ModelWarning, match="of 0.1 s is coarse: the error after .* steps is about .* % of the motion"
    ):
        m.simulate(2.0, step=0.1, scheme="moreau_jean")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        m.simulate(2.0, step=0.005, scheme="moreau_jean")


@pytest.mark.parametrize(
    "arguments, path",
    [
        (dict(until=-1), "simulation/until"),
        (dict(until=math.nan), "simulation/until"),
        (dict(until=1, step=0), "simulation/step"),
        (dict(until=1, record={"intervall": 1}), "simulation/record/intervall"),
        (dict(until=1, tolerance=-1), "simulation/tolerance"),
        (dict(until=1, scheme="moreu_jean"), "simulation/scheme"),
        (dict(until=1, stop="soon"), "simulation/stop"),
    ],
)
def test_wrong_options_of_a_run(arguments, path):
    m = sl.Model()
    m.sphere(radius=1, mass=1)
    (fault,) = refused(lambda: m.simulate(**arguments))
    assert fault.path == path
