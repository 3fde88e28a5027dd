"""Sampled controllers and stop conditions: truths, samples hit exactly, restarts bit for bit."""

import math

import numpy as np
import pytest

import saltus as sl
from saltus import _core

SMOOTH = ("runge_kutta_4", "dormand_prince", "generalized_alpha")
SCHEMES = (*SMOOTH, "moreau_jean")


def mass(position, speed):
    m = sl.Model(gravity=(0, 0, 0))
    node = m.add(sl.items.Node1d(displacement=position, velocity=speed), name="x")
    m.add(sl.items.Mass1d(node=node, mass=1.0))
    m.add(sl.items.CoordinateLoad(on=node, force=0.0), name="u")
    return m, m["x"]


def pid(t, x, kept, K=(0.25, 0.125, 2.0), h=0.05):
    """Incremental form: u += K1 (e0 - e1) + K2 h e0 + K3 (e0 - 2 e1 + e2) / h; keeps u, e1, e2."""
    u, e1, e2 = kept
    e = -x
    u += K[0] * (e - e1) + K[1] * h * e + K[2] / h * (e - 2 * e1 + e2)
    return u, (u, e, e1)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_pid_with_sample_and_hold_gives_the_numbers_of_siconos(scheme):
    m, x = mass(10, 10)
    m.controller(pid, period=0.05, inputs=[x.coordinate], outputs=["u"], memory=(0, 0, 0))
    result = m.simulate(until=10, step=0.05, scheme=scheme)  # constant between samples: one step is exact
    final = [result[x.coordinate].last, result[x.rate].last]
    assert final == pytest.approx([-3.0975252766056416, -0.0804402376347004], abs=1e-9)  # case pid, Siconos 4.4.0


def test_an_implicit_sliding_mode_controller_does_not_chatter():
    """x1' = x2, x2' = 2 u, u in -Sgn(x2 at the next sample): u = -clip(x2 / (2 h), -1, 1). Case smc_implicit, closed form."""
    h = 0.01
    m, x = mass(1, -1)
    m.controller(f"-2*min(1, max(-1, s/(2*{h})))", period=h, inputs={"s": x.rate}, outputs=["u"])
    result = m.simulate(until=1, scheme="dormand_prince")
    assert result[x.coordinate].last == pytest.approx(0.75, abs=1e-9)
    assert np.abs(result[x.rate][result.time > 0.6]).max() < 1e-12


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("step", [None, 0.03])
def test_steps_end_exactly_at_the_samples(scheme, step):
    seen = []
    m, x = mass(1, 0)
    m.controller(lambda t, q, v: seen.append((t, q)) or -2 * q - 3 * v, period=0.1, inputs=[x.coordinate, x.rate], outputs=["u"])
    result = m.simulate(until=1, step=step, scheme=scheme)
    assert [t for t, _ in seen] == [k * 0.1 for k in range(11)]
    q, v = 1.0, 0.0
    for _, at in seen:
        assert at == pytest.approx(q, abs=1e-7 if step is None else 1e-9)
        u = -2 * q - 3 * v
        q, v = q + 0.1 * v + 0.005 * u, v + 0.1 * u
    assert set(k * 0.1 for k in range(11)) <= set(result.time)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("half", [0.5, 0.55])
def test_a_controlled_run_goes_on_bit_for_bit(scheme, half):
    def run(until, state=None):
        m, x = mass(10, 10)
        m.controller(pid, period=0.1, inputs=[x.coordinate], outputs=["u"], memory=(0, 0, 0))
        m._bind_controllers()
        engine = _core.Run(m._engine.compile(), scheme=scheme, until=until, step=0.05, error_control=False)
        if state is not None:
            engine.load_state(state)
        assert engine.advance(None)["status"] == "done"
        return engine.state()

    assert run(1.0, run(half)) == run(1.0)


def test_a_driven_joint_takes_its_speed_from_a_controller():
    m = sl.Model(gravity=(0, 0, 0))
    rod = m.rod((0, 0, 0), (1, 0, 0), mass=1)
    motor = m.revolute(m.ground, rod, at=rod.start, axis="z", speed=0.0)
    m.controller(lambda t, angle: 2 * (1 - angle), period=0.1, inputs=[motor.angle], outputs=[motor])
    result = m.simulate(until=1)
    # angle(k + 1) = angle + 0.1 * 2 (1 - angle)
    assert result[motor.angle].last == pytest.approx(1 - 0.8**10, abs=1e-6)
    assert result[motor.angular_rate].last == pytest.approx(2 * 0.8**10, abs=1e-6)  # the value sampled at the end


def test_a_sphere_on_a_floor_is_pushed_by_a_controller():
    m = sl.Model()
    ball = m.sphere(radius=0.1, mass=1, at=(0, 0, 0.1))
    m.contact(m.plane(), [ball], friction=0.5)
    m.force(ball, (0, 0, 0), name="push")
    m.controller("if(t < 0.45, 2, 0)", period=0.1, inputs={}, outputs=["push.force.x"])
    result = m.simulate(until=1)
    # It rolls: 7/5 m a = F, for the samples at 0 to 0.4 s.
    speed = 2 * 0.5 / 1.4
    assert result[ball.velocity].last[0] == pytest.approx(speed, rel=1e-5)
    assert result[ball.position].last[0] == pytest.approx(0.5 * speed * 0.5 + speed * 0.5, rel=1e-5)


def test_one_component_of_a_force_is_set_and_the_others_stay():
    m = sl.Model(gravity=(0, 0, 0))
    cart = m.point_mass(mass=1, at=(0, 0, 0))
    push = m.force(cart, (3, "2*t", 0))
    m.controller("5", period=0.5, outputs=["force_1.force.z"], inputs={})
    result = m.simulate(until=1)
    assert result[push.force][-1] == pytest.approx([3, 2, 5])
    assert result[cart.position].last == pytest.approx([1.5, 1 / 3, 2.5], abs=1e-6)


MISTAKES = [
    (dict(period=0), "period"),
    (dict(outputs=["v"]), "'v' is neither an item nor a parameter"),
    (dict(outputs=["x"]), "no function of time"),
    (dict(function=lambda t, x: (1, 2)), "controllers/brain: the function returned 2 numbers, expected a number"),
    (dict(function="2*y"), "y"),
    (dict(function=lambda t, x: math.nan), "gave nan at t = 0 s"),
    (dict(outputs=[]), "give a list"),
    (dict(initial=[1, 2]), "2 initial values"),
]


@pytest.mark.parametrize("change, words", MISTAKES, ids=[words for _, words in MISTAKES])
def test_mistakes_name_the_controller(change, words):
    m, x = mass(1, 0)
    good = dict(function=lambda t, x: -x, period=0.1, inputs={"x": x.coordinate}, outputs=["u"], name="brain")
    with pytest.raises((sl.ModelError, sl.RunError), match=words):
        m.controller(**{**good, **change})
        m.simulate(until=1, step=0.1)


def test_two_controllers_of_one_load_are_refused():
    m, x = mass(1, 0)
    for _ in range(2):
        m.controller("1", period=0.1, inputs={}, outputs=["u"])
    assert any("set already" in fault.message for fault in m.check())


# Stop conditions.


def oscillation():
    m, x = mass(1, 0)
    m.add(sl.items.CoordinateSpringDamper(A=m.ground, B=x, stiffness=4.0))
    return m, x


@pytest.mark.parametrize("scheme", SMOOTH)
@pytest.mark.parametrize("record", [None, 0.5])
def test_a_run_ends_where_a_quantity_passes_a_number(scheme, record):
    m, x = oscillation()
    result = m.simulate(until=5, step=0.01, scheme=scheme, stop=x.coordinate < 0.3, record=record)
    tolerance = 1e-9 if scheme != "generalized_alpha" else 1e-4
    assert result.report["status"] == "stopped" and result.time[-1] == pytest.approx(math.acos(0.3) / 2, abs=tolerance)
    assert 0.3 - 1e-10 < result[x.coordinate].last < 0.3
    assert result.events[-1][1] == "stop"


def test_a_crossing_in_either_direction_an_expression_and_several():
    m, x = oscillation()
    m.outputs = {"x": x.coordinate, "v": x.rate}
    ends = {
        "crosses": x.rate.crosses(0),
        "expression": "x < -0.5 and v < 0",
        "first": [x.coordinate < -2, "t > 0.7"],
    }
    truth = {"crosses": math.pi / 2, "expression": math.acos(-0.5) / 2, "first": 0.7}
    for name, stop in ends.items():
        result = m.simulate(until=5, tolerance=1e-10, scheme="dormand_prince", stop=stop)
        assert result.time[-1] == pytest.approx(truth[name], abs=1e-8), name


def test_what_holds_at_the_start_ends_the_run_there():
    m, x = oscillation()
    assert len(m.simulate(until=5, stop=x.coordinate > 0.5)) == 1


def test_a_condition_of_a_vector_is_refused():
    m = sl.Model()
    ball = m.point_mass(mass=1, at=(0, 0, 1))
    with pytest.raises(sl.ModelError, match="a condition needs one"):
        m.simulate(until=1, stop=ball.position < 0)


def test_a_voltage_source_and_a_compiled_function_are_controlled():
    """RC by a held voltage: v(k + 1) = u + (v - u) exp(-T / RC), u = 5 - v."""
    import ctypes

    @ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_double), ctypes.POINTER(ctypes.c_double))
    def law(given, out):
        out[0] = 5 - given[1]

    m = sl.Model()
    top, mid = m.terminal(), m.terminal()
    source = m.voltage_source(top, m.ground, voltage=0.0)
    m.resistor(top, mid, R=1e3)
    m.capacitor(mid, m.ground, C=1e-3)
    m.controller(sl.Compiled(law), period=0.2, inputs=[mid.voltage], outputs=[source])
    result = m.simulate(until=1, tolerance=1e-9, scheme="generalized_alpha")
    v = 0.0
    for _ in range(5):
        u = 5 - v
        v = u + (v - u) * math.exp(-0.2)
    assert result[mid.voltage].last == pytest.approx(v, abs=1e-6)


def test_a_controller_of_formulas_stands_in_the_model_file(tmp_path):
    """The incremental PID of the case pid, written as formulas with a memory, saved and loaded: the same numbers of Siconos."""
    m, x = mass(10, 10)
    m.parameters = {"K1": 0.25, "K2": 0.125, "K3": 2.0, "h": 0.05}
    u = "m0 + K1*(-x - m1) - K2*h*x + K3/h*(-x - 2*m1 + m2)"
    m.controller([u, u, "-x", "m1"], period=0.05, inputs={"x": x.coordinate}, outputs=["u"], memory=(0, 0, 0), name="pid")
    first = m.simulate(until=10, step=0.05, scheme="runge_kutta_4")
    m.save(tmp_path / "pid.json")
    again = sl.Model.load(tmp_path / "pid.json")
    assert again["pid"] == m["pid"] and "pid" in again.describe() and again.check() == []
    result = again.simulate(until=10, step=0.05, scheme="runge_kutta_4")
    assert result["x.coordinate"].tobytes() == first["x.coordinate"].tobytes()
    assert result["x.coordinate"].last == pytest.approx(-3.0975252766056416, abs=1e-9)
    again.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_text() == (tmp_path / "pid.json").read_text()


@pytest.mark.parametrize(
    "change, message",
    [
        (dict(period=0), "controllers/c: has the period 0 s, must be above 0"),
        (dict(perod=1), 'controllers/c/perod: unknown key "perod"; did you mean "period"?'),
        (dict(function="-2*y"), 'controllers/c/function: uses "y", which is not there; did you mean "t"?'),
        (dict(outputs=["w"]), "controllers/c/outputs: 'w' is neither an item nor a parameter of the model; did you mean \"x\"?"),
        (dict(function=["x", "x"]), "controllers/c: gives 2 numbers, expected 1 for its outputs"),
    ],
)
def test_a_mistake_in_a_written_controller_is_reported(change, message):
    m, _ = mass(1, 0)
    fields = dict(period=0.1, function="-2*x", inputs={"x": "x.coordinate"}, outputs=["u"])
    m._engine.controllers = {"c": {**fields, **change}}
    assert message in [fault.text.partition(".py:")[2].partition(" ")[2] or fault.text for fault in m.check()]


def test_a_controller_of_a_function_is_not_saved(tmp_path):
    m, x = mass(1, 0)
    m.controller(lambda t, q: -q, period=0.1, inputs=[x.coordinate], outputs=["u"], name="c")
    with pytest.raises(sl.ModelError, match="controllers/c: has a function .*; write it as expressions"):
        m.save(tmp_path / "c.json")


def test_an_expression_of_time_alone_needs_no_inputs():
    m = sl.Model(gravity=(0, 0, 0))
    cart = m.point_mass(mass=1)
    push = m.force(cart, (0, 0, 0))
    m.controller("t", period=0.1, outputs=[f"{push.name}.force.x"])
    # Held from sample to sample: the speed after 1 s is 0.1 (0 + 0.1 + ... + 0.9).
    assert m.simulate(1)[cart.velocity.x].last == pytest.approx(0.45, abs=1e-12)
