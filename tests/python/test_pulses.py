"""Formulas of time that jump: no step leaps over a pulse, however narrow and late it is."""

import numpy as np
import pytest

import saltus as sl
from saltus import _core

SCHEMES = ["auto", "moreau_jean", "generalized_alpha", "dormand_prince"]


def last(result, quantity):
    return np.asarray(result[quantity])[-1]


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", [1e-1, 1e-3, 1e-5])
def test_a_force_for_a_moment_gives_its_momentum(scheme, width):
    """At rest until 7.3 s: no error tells of what comes."""
    mass, impulse, at = 2.0, 0.4, 7.3
    m = sl.Model(gravity=(0, 0, 0))
    b = m.sphere(radius=0.1, mass=mass)
    m.force(b, force=(f"{impulse / width} * (step(t - {at}) - step(t - {at} - {width}))", 0, 0))
    r = m.simulate(10.0, scheme=scheme)
    assert last(r, b.velocity)[0] == pytest.approx(impulse / mass, rel=1e-4)
    assert last(r, b.position)[0] == pytest.approx(impulse / mass * (10.0 - at - 0.5 * width), rel=1e-4)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("shape", ["sign(sin(2 * pi * {f} * t))", "if(mod(t * {f}, 1) < 0.5, 1, -1)", "1 - 2 * mod(floor(2 * {f} * t), 2)"])
def test_square_waves_move_a_mass_as_their_integral(scheme, shape):
    """Force 1, -1, 1, ...: in each period the speed rises and falls again, the way grows by (T / 2)^2 / mass."""
    f, mass, periods = 7.0, 0.5, 12
    m = sl.Model(gravity=(0, 0, 0))
    b = m.sphere(radius=0.1, mass=mass)
    m.force(b, force=(shape.format(f=f), 0, 0))
    r = m.simulate(periods / f, scheme=scheme)
    assert last(r, b.position)[0] == pytest.approx(periods * (0.5 / f) ** 2 / mass, rel=1e-4)
    assert last(r, b.velocity)[0] == pytest.approx(0.0, abs=1e-4 * 0.5 / f / mass)


@pytest.mark.parametrize("scheme", ["moreau_jean", "generalized_alpha"])
def test_a_chopped_source_charges_a_capacitor_by_its_duty(scheme):
    V, R, C, T, duty, periods = 10.0, 1e3, 1e-6, 1e-4, 0.01, 300.3
    m = sl.Model()
    a, b = m.terminal(), m.terminal()
    m.voltage_source(a, m.ground, voltage=f"{V} * step({duty} - mod(t, {T}) / {T})")
    m.resistor(a, b, R=R)
    m.capacitor(b, m.ground, C=C)
    r = m.simulate(periods * T, scheme=scheme)
    decay, on = np.exp(-T / (R * C)), np.exp(-duty * T / (R * C))
    v = 0.0
    for _ in range(int(periods) + 1):  # the last pulse has passed too
        peak = V + (v - V) * on
        v = peak * decay / on
    v = peak * np.exp(-(periods - int(periods) - duty) * T / (R * C))
    assert last(r, b.voltage) == pytest.approx(v, rel=1e-3)


def test_a_pulse_lets_a_block_slip():
    """Dry friction holds the block at rest but for 10 ms."""
    mass, friction, g, force, width = 1.0, 0.5, 10.0, 25.0, 0.01
    m = sl.Model(gravity=(0, 0, -g))
    b = m.box(size=(0.2, 0.2, 0.1), mass=mass, at=(0, 0, 0.05))
    m.contact(m.plane(), b, friction=friction)
    m.force(b, force=(f"if(t >= 4.5 and t < {4.5 + width}, {force}, 0)", 0, 0))
    r = m.simulate(6.0)
    a, brake = force / mass - friction * g, friction * g
    v = a * width
    assert last(r, b.position)[0] == pytest.approx(0.5 * a * width**2 + 0.5 * v**2 / brake, rel=1e-2)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_step_ends_where_a_force_jumps(scheme):
    """At the start too, where sign(sin(9 t)) is 0 for an instant."""
    m = sl.Model(gravity=(0, 0, 0))
    b = m.sphere(radius=0.1, mass=1.0, velocity=(0, 1, 0))
    m.force(b, force=("sign(sin(9 * t))", "cos(t)", 0))
    times = np.asarray(m.simulate(2.0, scheme=scheme).time)
    for k in range(1, 6):
        assert min(abs(times - k * np.pi / 9)) < 1e-9


@pytest.mark.parametrize("scheme", [s for s in SCHEMES if s != "auto"])
def test_a_run_that_was_saved_goes_on_behind_jumps_bit_for_bit(scheme, tmp_path):
    m = sl.Model(gravity=(0, 0, 0))
    b = m.sphere(radius=0.1, mass=1.0, velocity=(0, 1, 0))
    m.force(b, force=("sign(sin(9 * t))", "cos(t)", 0))
    m.save(tmp_path / "m.json")
    system = _core.Model.parse((tmp_path / "m.json").read_text()).compile()

    def advance(state, stop):
        run = _core.Run(system, scheme=scheme, until=2.0, step=None, tolerance=1e-6, error_control=True)
        if state is not None:
            run.load_state(state)
        times, states = [], []

        def keep(t, y, *rest):
            times.extend(np.atleast_1d(t).tolist())
            states.extend(np.array(y, copy=True).reshape(-1, y.shape[-1]).tolist())
            return len(times) < stop

        run.advance(keep, progress_interval=0.0, progress_steps=1)
        return times, states, run.state()

    times, states, _ = advance(None, 10**9)
    part, _, saved = advance(None, 8)
    rest_times, rest_states, _ = advance(saved, 10**9)
    assert len(part) < len(times)
    assert rest_times[-1] == times[-1]
    assert rest_states[-1] == states[-1]


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", [1e-1, 1e-2, 1e-5])
@pytest.mark.parametrize("shape", ["exp(-((t - {at}) / {w})^2) / sqrt(pi)", "0.5 * (1 - tanh((t - {at}) / {w})^2)"])
def test_a_smooth_force_for_a_moment_gives_its_momentum(scheme, width, shape):
    mass, impulse, at = 2.0, 0.4, 5.0
    m = sl.Model(gravity=(0, 0, 0))
    b = m.sphere(radius=0.1, mass=mass)
    m.force(b, force=(f"{impulse / width} * " + shape.format(at=at, w=width), 0, 0))
    r = m.simulate(10.0, scheme=scheme)
    assert last(r, b.velocity)[0] == pytest.approx(impulse / mass, rel=1e-4)
    assert last(r, b.position)[0] == pytest.approx(impulse / mass * (10.0 - at), rel=1e-4)
    assert r.report["steps"] < 20_000


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_smooth_pulse_beside_a_slow_force_and_in_a_spring_is_not_leapt_over(scheme):
    """1 N and a pulse of 0.02 N s; the pulse stands in a formula with other inputs too."""
    from saltus.items import CoordinateLoad, CoordinateUserSpring, Mass1d, Node1d

    pulse = "2 * exp(-((t - 5) / 0.01)^2)"
    for beside in (True, False):
        m = sl.Model(gravity=(0, 0, 0))
        m.add(Node1d(name="n"))
        m.add(Mass1d(name="mass", node="n", mass=1))
        if beside:
            m.add(CoordinateLoad(name="load", on="n", force=f"1 + {pulse}"))
        else:
            m.add(CoordinateUserSpring(name="spring", A="ground", B="n", force=f"-1 - 0 * u - {pulse}"))
        r = m.simulate(10.0, scheme=scheme)
        assert last(r, "n.rate") == pytest.approx(10 + 0.02 * np.sqrt(np.pi), rel=1e-5)


@pytest.mark.parametrize("frequency", [0.2, 50.0, 1000.0])
def test_a_rectifier_without_states_follows_its_source(frequency):
    """Nothing moves: the source alone tells how long a step may be, also where its period fits the first ones."""
    m = sl.Model()
    a, k = m.terminal(), m.terminal(name="k")
    m.voltage_source(a, m.ground, voltage=f"10 * sin(2 * pi * {frequency} * t)")
    m.diode(a, k)
    m.resistor(k, m.ground, R=10)
    until = 10.0 if frequency < 1000 else 1.0
    r = m.simulate(until)
    mean = np.trapezoid(np.ravel(r[k.voltage]), np.asarray(r.time)) / until
    assert mean == pytest.approx(10 / np.pi, rel=1e-2)
    assert r.report["steps"] < 150 * until * frequency + 200
