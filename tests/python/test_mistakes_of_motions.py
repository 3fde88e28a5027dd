"""Messages about mistakes with motions, names of the package and results."""

import re
import warnings

import pytest

import saltus as sl


def two_hinges():
    m = sl.Model()
    for name, height in (("a", 0), ("b", 1)):
        rod = m.rod((0, 0, height), (1, 0, height), mass=1, name=name)
        m.revolute(m.ground, rod, at=(0, 0, height), axis="y", name=f"hinge_{name}")
    return m


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda m: m.gear(m["hinge_a"], m["hinge_a"], ratio=2), "B: is the same motion as A: it could not move at all"),
        (lambda m: m.gear(m["a"], m["hinge_b"], ratio=2), "A: is <rod a>, which moves in six ways, expected one motion; give a joint that holds it, such as hinge_a"),
        (lambda m: m.gear(m["hinge_a"].angle, m["b"], ratio=2), "such as hinge_b"),
    ],
)
def test_a_gear_takes_two_different_motions(call, message):
    with pytest.raises(sl.ModelError, match=re.escape(message)):
        call(two_hinges())


def test_the_joint_that_is_named_holds_the_body_and_is_not_given_already():
    m = sl.Model()
    for i, (joint, rod) in enumerate((("elbow", "forearm"), ("shoulder", "arm"), ("hinge", "third"))):
        m.revolute(m.ground, m.rod((0, 0, i), (1, 0, i), mass=1, name=rod), at=(0, 0, i), axis="y", name=joint)
    with pytest.raises(sl.ModelError, match="such as shoulder"):  # not elbow, for the letters of its rod
        m.gear(m["hinge"], m["arm"], ratio=2)
    with pytest.raises(sl.ModelError) as error:
        m.gear(m["shoulder"], m["arm"], ratio=2)
    assert "such as" not in str(error.value)


def test_the_refusal_of_a_torque_on_a_coordinate_names_what_takes_it():
    m = sl.Model()
    m.add(sl.items.Node1d(), name="elbow")
    with pytest.raises(sl.ModelError, match=re.escape('m.add(sl.items.CoordinateLoad(on=m["elbow"], force=2.0))')):
        m.torque(m["elbow"], 2.0)


def test_names_that_belong_to_a_model_are_explained():
    for name, program in (("parameters", "m = sl.Model(), m.parameters"), ("load", "m = sl.Model.load(...)"), ("spring", "m.spring(...)")):
        with pytest.raises(AttributeError) as caught:
            getattr(sl, name)
        assert program in str(caught.value) and (name != "parameters" or not str(caught.value).endswith("(...)"))


def test_a_result_tells_no_names_of_its_own_machinery():
    result = two_hinges().simulate(0.01)
    for name in ("init", "repr", "getitem"):
        with pytest.raises(AttributeError) as caught:
            getattr(result, name)
        assert "__" not in str(caught.value)


def test_limits_of_a_turn_and_a_half_are_sound():
    m = sl.Model()
    rod = m.rod((0, 0, 0), (1, 0, 0), mass=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        m.revolute(m.ground, rod, at=(0, 0, 0), axis="y", limits=(0, 10))
    with pytest.warns(sl.ModelWarning, match="if degrees are meant"):
        m.revolute(m.ground, m.rod((0, 0, 1), (1, 0, 1), mass=1), at=(0, 0, 1), axis="y", limits=(0, 90))


def test_a_relative_motion_is_found_by_the_name_that_outputs_have():
    m = two_hinges()
    m.outputs["apart"] = m.relative(m["a"], m["b"]).distance
    again = sl.Model.parse(m._text())
    result = again.simulate(0.02)
    assert result[again["relative(a, b)"].distance].last == result["apart"].last
