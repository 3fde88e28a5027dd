"""Circuits of sources, R, L, C and ideal diodes: closed forms, event-driven piecewise integration by scipy, and topologies that have no solution."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import saltus as sl


def last(result, quantity):
    return float(np.asarray(result[quantity])[-1])


def segments(times, modes, y0, mode):
    """Integrates y' = modes[mode][0](t, y) with events; modes[mode][1]: pairs (event function, next mode). At each of `times` the mode is
    asked again: modes[mode][2](t, y)."""
    y, t = np.array(y0, float), times[0]
    for end in times[1:]:
        mode = modes[mode][2](t + 1e-12 * (end - t), y)
        while t < end:
            right, events = modes[mode][:2]
            watch = []
            for event, _ in events:
                watched = lambda s, x, event=event: event(s, x)  # noqa: E731
                watched.terminal, watched.direction = True, -1
                watch.append(watched)
            s = solve_ivp(right, (t, end), y, rtol=1e-11, atol=1e-13, events=watch, method="DOP853")
            t, y = s.t[-1], s.y[:, -1]
            if s.status == 1:
                mode = next(events[i][1] for i, hits in enumerate(s.t_events) if len(hits))
    return y


def square(high, low, period, duty=0.5):
    """An expression of t: `high` for `duty` of each period, then `low`."""
    return f"{low} + ({high} - ({low})) * step({duty} - mod(t, {period}) / {period})"


# --- rectifiers -------------------------------------------------------------------------------------------------------


def bridge(m, a, p, n):
    for A, B in ((a, p), (m.ground, p), (n, a), (n, m.ground)):
        m.diode(A, B)


def test_a_peak_detector_holds_the_peak():
    for C, f in ((1e-6, 50.0), (1e-3, 50.0), (1e-9, 2e4)):
        m = sl.Model()
        a, k = m.terminal(), m.terminal()
        m.voltage_source(a, m.ground, voltage=f"6 * sin(2 * pi * {f} * t)")
        m.diode(a, k)
        m.capacitor(k, m.ground, C=C)
        assert last(m.simulate(1.7 / f), k.voltage) == pytest.approx(6.0, abs=6e-5)


def test_a_bridge_with_capacitor_and_resistor_conducts_and_discharges():
    V, w, R, C = 10.0, 2 * np.pi * 50, 200.0, 1e-4
    m = sl.Model()
    a, p, n = m.terminal(), m.terminal(), m.terminal()
    m.voltage_source(a, m.ground, voltage=f"{V} * sin({w} * t)")
    bridge(m, a, p, n)
    m.resistor(p, n, R=R)
    m.capacitor(p, n, C=C)
    r = m.simulate(0.033)
    # It conducts until C dv/dt + v / R = 0, then discharges until |source| meets it again.
    opens = (np.pi - np.arctan(w * R * C)) / w
    held = lambda t, t0: V * np.sin(w * opens) * np.exp(-(t - t0) / (R * C))  # noqa: E731
    closes = brentq(lambda t: held(t, opens) + V * np.sin(w * t), np.pi / w, 1.5 * np.pi / w)
    opens_again = opens + 3 * np.pi / w
    assert closes < 1.5 * np.pi / w and opens_again < 0.04
    t = 0.033
    expected = held(t, opens + 2 * np.pi / w) if t < closes + 2 * np.pi / w else abs(V * np.sin(w * t))
    assert last(r, p.voltage) - last(r, n.voltage) == pytest.approx(expected, rel=1e-5)


def test_a_bridge_feeds_an_inductor():
    V, w, R, L = 24.0, 2 * np.pi * 50, 10.0, 0.01
    m = sl.Model()
    a, p, n, k = (m.terminal() for _ in range(4))
    m.voltage_source(a, m.ground, voltage=f"{V} * sin({w} * t)")
    bridge(m, a, p, n)
    coil = m.inductor(p, k, L=L)
    m.resistor(k, n, R=R)
    r = m.simulate(0.047)
    s = solve_ivp(lambda t, i: (abs(V * np.sin(w * t)) - R * i) / L, (0, 0.047), [0.0], rtol=1e-11, atol=1e-13, max_step=1e-4)
    assert last(r, coil.current) == pytest.approx(s.y[0, -1], rel=1e-5)


def test_a_half_wave_rectifier_with_a_freewheeling_diode_follows_the_closed_form():
    V, R, L, T = 12.0, 2.0, 4e-3, 4e-3
    m = sl.Model()
    s, k, x = m.terminal(), m.terminal(), m.terminal()
    m.voltage_source(s, m.ground, voltage=square(V, -V, T))
    m.diode(s, k)
    m.diode(m.ground, k)
    coil = m.inductor(k, x, L=L)
    m.resistor(x, m.ground, R=R)
    r = m.simulate(2.75 * T)
    i, decay = 0.0, np.exp(-0.5 * T * R / L)
    for _ in range(2):
        i = (V / R + (i - V / R) * decay) * decay
    i = (V / R + (i - V / R) * decay) * np.exp(-0.25 * T * R / L)
    assert last(r, coil.current) == pytest.approx(i, rel=1e-3)


def test_a_voltage_doubler_approaches_twice_the_peak_by_halves():
    V, f = 10.0, 50.0
    m = sl.Model()
    s, a, b = m.terminal(), m.terminal(), m.terminal()
    m.voltage_source(s, m.ground, voltage=f"-{V} * cos(2 * pi * {f} * t)")
    m.capacitor(s, a, C=1e-5, voltage=-V)
    m.diode(m.ground, a)
    m.diode(a, b)
    m.capacitor(b, m.ground, C=1e-5)
    r = m.simulate(3.75 / f)  # four peaks, and the charge between equal capacitors is shared in each
    v = 0.0
    for _ in range(4):
        v += 0.5 * (2 * V - v)
    assert last(r, b.voltage) == pytest.approx(v, rel=2e-5)


@pytest.mark.parametrize("tolerance", [1e-4, 1e-5, 1e-6])
def test_a_cockcroft_walton_ladder_reaches_twice_the_peak_a_stage(tolerance):
    """The diodes conduct for moments near the peaks, which samples at the ends of a step miss."""
    V, f = 10.0, 50.0
    m = sl.Model()
    s = m.terminal()
    m.voltage_source(s, m.ground, voltage=f"{V} * sin(2 * pi * {f} * t)")
    top, bottom = s, m.ground
    for _ in range(2):
        a, b = m.terminal(), m.terminal()
        m.capacitor(top, a, C=1e-5)
        m.capacitor(bottom, b, C=1e-5)
        m.diode(bottom, a)
        m.diode(a, b)
        top, bottom = a, b
    assert last(m.simulate(60 / f, tolerance=tolerance), bottom.voltage) == pytest.approx(4 * V, rel=2e-3)


# --- converters: a switch is a diode in series with a source that lets it conduct or holds it blocked -----------------

OFF = 1000.0


def converter(kind, Vin, L, C, R, T, periods):
    m = sl.Model()
    s, x, o = m.terminal(), m.terminal(), m.terminal()
    if kind == "buck":
        m.voltage_source(s, m.ground, voltage=square(Vin, -OFF, T))
        m.diode(s, x)
        m.diode(m.ground, x)
        coil = m.inductor(x, o, L=L)
    elif kind == "boost":
        source = m.terminal()
        m.voltage_source(source, m.ground, voltage=Vin)
        coil = m.inductor(source, x, L=L)
        m.voltage_source(s, m.ground, voltage=square(0.0, OFF, T))
        m.diode(x, s)
        m.diode(x, o)
    else:
        m.voltage_source(s, m.ground, voltage=square(Vin, -OFF, T))
        m.diode(s, x)
        coil = m.inductor(x, m.ground, L=L)
        m.diode(o, x)
    m.capacitor(o, m.ground, C=C)
    m.resistor(o, m.ground, R=R)
    r = m.simulate(periods * T)
    return last(r, coil.current), last(r, o.voltage)


def reference(kind, Vin, L, C, R, T, periods):
    """States i, v of the coil and the capacitor."""
    load = lambda v: v / R  # noqa: E731
    on, off, idle = {
        "buck": (lambda t, y: [(Vin - y[1]) / L, (y[0] - load(y[1])) / C], lambda t, y: [-y[1] / L, (y[0] - load(y[1])) / C], None),
        "boost": (lambda t, y: [Vin / L, -load(y[1]) / C], lambda t, y: [(Vin - y[1]) / L, (y[0] - load(y[1])) / C], None),
        "buck-boost": (lambda t, y: [Vin / L, -load(y[1]) / C], lambda t, y: [y[1] / L, (-y[0] - load(y[1])) / C], None),
    }[kind]
    idle = lambda t, y: [0.0, -load(y[1]) / C]  # noqa: E731
    ask = lambda t, y: "on" if (t % T) < 0.5 * T else "off"  # noqa: E731
    # From an empty capacitor a boost converter conducts into it beside the switch: both have 0 V until the switch blocks.
    modes = {"on": (on, [], ask), "off": (off, [(lambda t, y: y[0], "idle")], ask), "idle": (idle, [], ask)}
    times = np.arange(int(2 * periods) + 1) * 0.5 * T
    if times[-1] < periods * T:
        times = np.append(times, periods * T)
    return segments(times, modes, [0.0, 0.0], "on")


@pytest.mark.parametrize("kind", ["buck", "boost", "buck-boost"])
@pytest.mark.parametrize("R", [10.0, 400.0], ids=["continuous", "with gaps"])
def test_converters_follow_event_driven_integration(kind, R):
    data = (kind, 24.0, 1e-3, 2e-5, R, 1e-4, 6.7)
    i, v = converter(*data)
    i_expected, v_expected = reference(*data)
    # Thirteen switchings, each located to the tolerance times the largest current or voltage.
    assert v == pytest.approx(v_expected, rel=1e-3)
    assert i == pytest.approx(i_expected, rel=1e-3, abs=1e-3)


def test_a_resonant_converter_with_a_bridge_sees_the_load_as_a_resistor():
    V, R, L, C, f = 24.0, 10.0, 1e-4, 1e-7, 5e4
    m = sl.Model()
    s, a, x, p, n = (m.terminal() for _ in range(5))
    m.voltage_source(s, m.ground, voltage=f"{V} * cos(2 * pi * {f} * t)")
    m.capacitor(s, a, C=C)
    coil = m.inductor(a, x, L=L)
    bridge(m, x, p, n)
    m.resistor(p, n, R=R)
    r = m.simulate(2e-4)
    y = solve_ivp(lambda t, y: [(V * np.cos(2 * np.pi * f * t) - y[1] - R * y[0]) / L, y[0] / C], (0, 2e-4), [0.0, 0.0], rtol=1e-11, atol=1e-13, max_step=1e-7).y[:, -1]
    assert last(r, coil.current) == pytest.approx(y[0], abs=1e-3)


# --- states that jump, derivatives of sources -------------------------------------------------------------------------


def test_capacitors_side_by_side_share_their_charge():
    m = sl.Model()
    a = m.terminal()
    m.capacitor(a, m.ground, C=1e-6, voltage=1, name="C1")
    m.capacitor(a, m.ground, C=2e-6, voltage=4, name="C2")
    with pytest.warns(sl.ModelWarning, match="(?s)loop of 'C1', 'C2'|loop of 'C2', 'C1'"):
        r = m.simulate(1e-3)
    assert last(r, a.voltage) == pytest.approx(3.0, rel=1e-9)


def test_inductors_in_series_share_their_flux():
    m = sl.Model()
    a, b = m.terminal(), m.terminal()
    m.voltage_source(a, m.ground, voltage="sin(1000 * t)")
    coil = m.inductor(a, b, L=1e-3, current=1, name="L1")
    m.inductor(b, m.ground, L=2e-3, current=4, name="L2")
    with pytest.warns(sl.ModelWarning, match="cut of 'L1', 'L2'"):
        r = m.simulate(1e-3)
    assert last(r, coil.current) == pytest.approx(3 + (1 - np.cos(1)) / 3, rel=1e-5)


def test_a_capacitor_beside_a_source_takes_the_derivative_of_its_voltage(recwarn):
    m = sl.Model()
    a = m.terminal()
    m.voltage_source(a, m.ground, voltage="sin(1000 * t)")
    c = m.capacitor(a, m.ground, C=1e-6)
    r = m.simulate(1e-3, step=1e-5)
    assert not [w for w in recwarn if "unknown" in str(w.message) or "loop" in str(w.message)]
    assert last(r, c.current) == pytest.approx(1e-3 * np.cos(1), rel=1e-3)
    assert float(np.asarray(r[c.current])[0]) == pytest.approx(1e-3, rel=1e-3)


# --- no solution ------------------------------------------------------------------------------------------------------


def loops_and_cuts():
    def shorted(m, a, b):
        m.voltage_source(a, m.ground, voltage=5, name="V")
        m.diode(a, m.ground, name="D")

    def shorted_later(m, a, b):
        m.voltage_source(a, m.ground, voltage="-5 * cos(2 * pi * 50 * t)", name="V")
        m.diode(a, b, name="D1")
        m.diode(b, m.ground, name="D2")

    def blocked(m, a, b):
        m.current_source(m.ground, a, current=1, name="I")
        m.diode(m.ground, a, name="D")

    def blocked_between(m, a, b):
        m.current_source(a, b, current="0.1 * sin(6283 * t)", name="I")
        m.resistor(a, m.ground, R=10, name="R")
        m.diode(m.ground, b, name="D1")
        m.diode(a, b, name="D2")

    def parallel(m, a, b):
        m.voltage_source(a, m.ground, voltage=5, name="V")
        m.voltage_source(a, b, voltage=1, name="V2")
        m.voltage_source(b, m.ground, voltage=4, name="V3")

    def series(m, a, b):
        m.current_source(m.ground, a, current=1, name="I")
        m.resistor(a, b, R=1)
        m.current_source(b, m.ground, current=1, name="I2")

    def floating(m, a, b):
        m.voltage_source(a, b, voltage=5, name="V")
        m.diode(a, b, name="D")

    def hung_on_diodes(m, a, b):
        m.voltage_source(a, b, voltage=5, name="V")
        m.diode(a, m.ground, name="D1")
        m.diode(b, m.ground, name="D2")

    return {
        "source shorted by a diode": (shorted, sl.RunError, "loop of 'V', 'D'|loop of 'D', 'V'", "resistor"),
        "source shorted in the next half wave": (shorted_later, sl.RunError, "loop of .*'V'.*'D1'|loop of .*'D1'.*'V'", "resistor"),
        "current source blocked by a diode": (blocked, sl.RunError, "cut of 'I', 'D'", "another way"),
        "current source blocked in one direction": (blocked_between, sl.RunError, "cut of 'I', 'D1', 'D2'", "another way"),
        "loop of voltage sources": (parallel, sl.ModelError, "loop of voltage sources alone with 'V2', 'V'|with 'V', 'V2'", "resistor"),
        "cut of current sources": (series, sl.ModelError, "cut off by current sources alone, 'I', 'I2'", "resistor"),
        "part without ground": (floating, sl.ModelError, "terminals a, b floats", "ground"),
        "part on diodes alone": (hung_on_diodes, sl.ModelError, "terminals a, b floats: 'D1', 'D2' alone", "way back"),
    }


@pytest.mark.parametrize("name", loops_and_cuts())
def test_what_has_no_solution_is_named(name):
    build, error, names, remedy = loops_and_cuts()[name]
    m = sl.Model()
    a, b = m.terminal(name="a"), m.terminal(name="b")
    build(m, a, b)
    if name not in ("source shorted in the next half wave", "current source blocked in one direction", "loop of voltage sources", "cut of current sources", "part without ground", "part on diodes alone"):
        m.resistor(b, m.ground, R=1)
    with pytest.raises(error, match=f"(?s)({names}).*{remedy}"):
        m.simulate(0.02)


def test_a_pendulum_starts_beside_a_terminal_that_only_diodes_tie():
    m = sl.Model()
    rod = m.rod((0, 0, 0), (1, 0, 0), mass=1)
    joint = m.revolute(m.ground, rod, at=rod.start, axis="y")
    b, c, d = (m.terminal(name=n) for n in "bcd")
    m.voltage_source(b, m.ground, voltage=5.0)
    m.diode(b, c), m.diode(m.ground, c)
    m.inductor(c, d, L=1e-2)
    m.resistor(d, m.ground, R=10)
    result = m.simulate(0.05)
    assert result["d.value"].last == pytest.approx(5 * (1 - np.exp(-0.05 * 10 / 1e-2)), rel=1e-5)
    assert result.report["status"] == "done" and abs(result[joint.angle].last) > 1e-3


@pytest.mark.parametrize("seed", range(24))
def test_random_circuits_run_or_are_refused_by_name(seed):
    r = np.random.default_rng(seed)
    m = sl.Model()
    count = int(r.integers(2, 6))
    terminals = [m.ground] + [m.terminal(name=f"t{i}") for i in range(count)]
    for k in range(int(r.integers(count + 1, count + 6))):
        i, j = (int(x) for x in r.choice(count + 1, 2, replace=False))
        kind = r.choice(list("RRCCLLDDDVI"))
        if k < count:
            i, j = k + 1, int(r.integers(0, k + 1))
        A, B = (terminals[i], terminals[j]) if r.random() < 0.5 else (terminals[j], terminals[i])
        if kind == "R":
            m.resistor(A, B, R=10 ** r.uniform(0, 4))
        elif kind == "C":
            m.capacitor(A, B, C=10 ** r.uniform(-7, -5), voltage=float(r.choice([0, 0, 3.0])))
        elif kind == "L":
            m.inductor(A, B, L=10 ** r.uniform(-4, -2), current=float(r.choice([0, 0, 0.1])))
        elif kind == "D":
            m.diode(A, B)
        elif kind == "V":
            m.voltage_source(A, B, voltage=str(r.choice(["10*sin(6283*t)", "5", "5*sign(sin(6283*t))"])))
        else:
            m.current_source(A, B, current=str(r.choice(["0.1*sin(6283*t)", "0.05"])))
    try:
        with np.errstate(all="ignore"):
            m.simulate(2e-4)
    except sl.ModelError as error:
        assert "loop of" in str(error) or "cut off" in str(error) or "floats" in str(error)
    except sl.RunError as error:
        assert "loop of" in str(error) or "cut of" in str(error)


@pytest.mark.parametrize("options", [{"step": 1e-5}, {"step": 3.7e-6}, {}])
def test_a_switch_that_cuts_an_inductor_leaves_no_ringing(options):
    m = sl.Model()
    a, b = m.terminal(), m.terminal()
    m.voltage_source(a, m.ground, voltage=10.0)
    m.switch(a, b, closed="5e-4-t")
    coil = m.inductor(b, m.ground, L=1e-3)
    r = m.simulate(1e-3, **options)
    after = r.time > 5e-4 + 2.1 * options.get("step", 1e-4)
    assert np.abs(np.asarray(r[b.voltage])[after]).max() < 1e-9
    assert np.abs(np.asarray(r[coil.current])[after]).max() < 1e-12
    before = r.time < 5e-4 * (1 - 1e-9)
    assert np.asarray(r[coil.current])[before] == pytest.approx(1e4 * r.time[before], abs=1e-9)
