"""Schemes with typed options are those of the engine, option by option."""

import inspect
import json
import math

import numpy as np
import pytest

import saltus as sl
from saltus import _core, running


def schema():
    return json.loads(_core.schema())


def pendulum():
    m = sl.Model(gravity=(0, -9.81, 0))
    rod = m.rod((0, 0, 0), (1, 0, 0), mass=1)
    m.revolute(m.ground, rod, at=rod.start, axis="z")
    return m, rod


@pytest.mark.parametrize(
    "scheme",
    [
        sl.GeneralizedAlpha(spectral_radius=0.9),
        sl.GeneralizedAlpha(index=2, newton="modified"),
        sl.RungeKutta3(),
        sl.RungeKutta4(),
        sl.RungeKutta6(),
        sl.BogackiShampine(),
        sl.DormandPrince(drift="none"),
        sl.HalfExplicit(),
        sl.VelocityVerlet(),
        sl.Newmark(),
        sl.Trapezoidal(),
        sl.MoreauJean(theta=0.5, drift="ggl"),
    ],
    ids=repr,
)
def test_every_scheme_swings_the_pendulum_alike(scheme):
    m, rod = pendulum()
    tip = m.simulate(until=0.5, step=1e-3, scheme=scheme)[rod.end.position].last
    m, rod = pendulum()
    fine = m.simulate(until=0.5, tolerance=1e-10, scheme=sl.DormandPrince())[rod.end.position].last
    assert math.dist(tip, fine) < 2e-5


def test_an_option_that_a_scheme_lacks_is_refused_by_name():
    m, _ = pendulum()
    with pytest.raises(sl.ModelError, match="gamma"):
        m.simulate(until=0.1, step=1e-3, scheme=sl.Scheme("generalized_alpha", gamma=0.5))


@pytest.mark.parametrize("scheme", ["moreau_jean", "generalized_alpha", "dormand_prince"])
def test_every_scheme_tells_what_it_made_of_the_start_and_refuses_it_where_that_is_asked(scheme):
    m = sl.Model(gravity=(0, 0, 0))
    rod = m.rod((0, 0, 0), (1, 0, 0), mass=3, angular_velocity=(0, 0, 2))  # its centre would have to move at 1 m/s
    m.revolute(m.ground, rod, at=(0, 0, 0), axis="z", name="pin")
    with pytest.warns(sl.ModelWarning, match="joints/pin: initial velocities were changed by"):
        result = m.simulate(0.01, scheme=scheme)
    # Least impulse: the moment of momentum about the pin stays, I w = m L^2/12 2.
    assert result[rod.angular_velocity.z].last == pytest.approx(2 * (1 / 12) / (1 / 3), abs=1e-6)
    with pytest.raises(sl.RunError, match="initial velocities violate the constraints .* row y of 'pin': -?1"):
        m.simulate(0.01, scheme=scheme, consistent=False)


def parallelogram(redundant):
    """A parallelogram of two cranks and a coupler, driven by a motor in a circuit; its last joint whole, or with the two rows it needs."""
    m = sl.Model()
    cranks = [m.rod((x, 0, 0), (x, 0, -0.3), mass=1) for x in (0, 1)]
    coupler = m.rod((0, 0, -0.3), (1, 0, -0.3), mass=3)
    shaft = m.revolute(m.ground, cranks[0], at=(0, 0, 0), axis="y")
    m.revolute(cranks[0], coupler, at=(0, 0, -0.3), axis="y")
    m.revolute(m.ground, cranks[1], at=(1, 0, 0), axis="y")
    if redundant:
        m.revolute(cranks[1], coupler, at=(1, 0, -0.3), axis="y")
    else:
        m.generic(cranks[1], coupler, at=(1, 0, -0.3), locked=("x", "z"), rotation=(0, 0, 0))
    a, b = m.terminal(), m.terminal()
    m.voltage_source(a, m.ground, voltage="12*sin(3*t)")
    m.resistor(a, b, R=0.5)
    motor = m.dc_motor(b, m.ground, shaft, L=1e-2, R=0.5, k=0.5)
    return m, shaft, motor


@pytest.mark.filterwarnings("ignore:.*redundant")
@pytest.mark.parametrize("scheme", ["generalized_alpha", "dormand_prince", "moreau_jean"])
def test_redundant_joints_beside_a_circuit_move_as_their_independent_rows_do(scheme):
    ends = []
    for redundant in (False, True):
        m, shaft, motor = parallelogram(redundant)
        result = m.simulate(0.3, scheme=scheme)
        ends.append([result[shaft.angle].last, result[motor.current].last, *result[shaft.force].last])
    np.testing.assert_allclose(ends[1][:2], ends[0][:2], rtol=1e-5)
    # Of moreau_jean means over the last step, which the end of the run cuts.
    np.testing.assert_allclose(ends[1][2:], ends[0][2:], rtol=1e-3 if scheme == "moreau_jean" else 1e-5, atol=1e-6)


def test_error_control_sees_each_slip_of_a_joint_that_sticks_between():
    # Dry friction of 0.5 N under 0.3 (1 + sin(5 t)) N: 8 short slips in 10 s. Steps grew across the periods while nothing moved.
    m = sl.Model(gravity=(0, 0, 0))
    slide = m.box(size=(0.1, 0.1, 0.1), mass=1)
    m.prismatic(m.ground, slide, axis="x", friction=0.5, force="0.3 + 0.3*sin(5*t)")
    result = m.simulate(10)
    # One slip from t0 on, sin(5 t0) = 2/3, v' = 0.3 sin(5 t) - 0.2 until v is zero again.
    t0 = math.asin(2 / 3) / 5
    t = np.linspace(t0, t0 + 0.8, 200001)
    v = 0.06 * (math.cos(5 * t0) - np.cos(5 * t)) - 0.2 * (t - t0)
    end = 1000 + int(np.argmax(v[1000:] <= 0))
    way = float(np.sum(0.5 * (v[1:end] + v[: end - 1]) * np.diff(t[:end])))
    assert result[slide.position.x].last == pytest.approx(8 * way, rel=2e-3)


def test_error_control_sees_each_pulse_through_a_diode_that_blocks_between():
    m = sl.Model()
    s, a, b = m.terminal(), m.terminal(), m.terminal()
    m.voltage_source(s, m.ground, voltage="6*sin(7*t)")
    m.diode(s, a)
    coil = m.inductor(a, b, L=0.5)
    m.voltage_source(b, m.ground, voltage=5)
    result = m.simulate(9)  # ten periods of 2 pi / 7
    i, t = np.asarray(result[coil.current]), result.time
    pulses = np.flatnonzero((i[1:] > 1e-3) & (i[:-1] <= 1e-3))
    assert len(pulses) == 10
    charge = float(np.sum(0.5 * (i[1:] + i[:-1]) * np.diff(t)))
    t0 = math.asin(5 / 6) / 7
    u = np.linspace(t0, t0 + 0.4, 200001)
    pulse = (6 / 7 * (math.cos(7 * t0) - np.cos(7 * u)) - 5 * (u - t0)) / 0.5
    pulse = pulse[: 1000 + int(np.argmax(pulse[1000:] <= 0))]
    assert charge == pytest.approx(10 * float(np.sum(pulse)) * (u[1] - u[0]), rel=2e-3)


@pytest.mark.parametrize("name, entry", sl.schemes.table().items())
def test_a_scheme_s_class_stub_and_schema_are_of_the_engine_s_table(name, entry):
    made = getattr(sl.schemes, name)
    options = {field["name"]: field["default"] for field in entry["fields"]}
    assert made().name == entry["name"] and made().options == options
    assert list(inspect.signature(made).parameters) == list(options)
    form = next(form for form in schema()["properties"]["simulation"]["properties"]["scheme"]["anyOf"] if form.get("properties", {}).get("name", {}).get("const") == entry["name"])
    assert set(form["properties"]) == {"name", *options} and form["additionalProperties"] is False
    for field in entry["fields"]:
        assert field["name"] in made.__doc__


def test_options_in_a_file_may_be_expressions_and_mistakes_in_them_have_their_places(tmp_path):
    m, _ = pendulum()
    m.parameters["S"] = 0.4
    m.simulation = {"until": 0.01, "step": 1e-3, "scheme": {"name": "generalized_alpha", "spectral_radius": "2*S"}}
    assert running.resolved(m._engine, running.Options())["options"] == {"spectral_radius": 0.8}
    assert running.run(m._engine).status == "done"
    wrong = '{"name": "moreau_jean",\n "theta": 3, "drft": "none"}'
    text = m.text() if hasattr(m, "text") else m._engine.text()
    path = tmp_path / "rig.json"
    head, tail = text.split('"scheme"')
    path.write_text(head + '"scheme": ' + wrong + tail[tail.index("}") + 1 :])
    faults = [str(fault) for fault in sl.Model.load(path).check()]
    assert any("rig.json" in t and "simulation/scheme/theta" in t and "between 0.5 and 1" in t for t in faults), faults
    assert any("drft" in t and 'did you mean "drift"' in t for t in faults), faults
