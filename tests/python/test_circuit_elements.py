"""Elements of circuits against closed forms, independent integration, and bad values."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import saltus as sl


def last(result, quantity):
    """Its last value; by its text, so that the model may be one that was saved and loaded."""
    return float(np.asarray(result[text(quantity)])[-1])


def text(quantity):
    return ".".join(filter(None, (*quantity.paths, quantity.component)))


def rest(m, *quantities):
    """Values of a circuit without states, a moment after the start."""
    r = m.simulate(1e-3)
    return [last(r, q) for q in quantities]


def saved(m, tmp_path):
    m.save(tmp_path / "m.json")
    return sl.Model.load(tmp_path / "m.json")


# --- linear elements --------------------------------------------------------------------------------------------------


def test_an_ideal_transformer_shows_its_load_by_the_square_of_the_ratio():
    m = sl.Model()
    a, c = m.terminal(), m.terminal()
    m.voltage_source(a, m.ground, voltage=12.0)
    t = m.transformer(a, m.ground, c, m.ground, ratio=-3.0)
    load = m.resistor(c, m.ground, R=2.0)
    v, i, j = rest(m, c.voltage, t.current, load.current)
    assert (v, i, j) == pytest.approx((-4.0, 12 / 18, -2.0), rel=1e-12)
    assert 12 * i == pytest.approx(v * j, rel=1e-12)  # power in is power out


def test_a_transformer_side_without_ground_is_named():
    m = sl.Model()
    a, c, d = m.terminal(name="a"), m.terminal(name="c"), m.terminal(name="d")
    m.voltage_source(a, m.ground, voltage=12.0)
    m.transformer(a, m.ground, c, d, ratio=2.0)
    m.resistor(c, d, R=2.0)
    with pytest.raises(sl.ModelError, match="(?s)terminals c, d floats.*ground"):
        m.simulate(0.1)


@pytest.mark.parametrize("options", [{}, {"step": 2e-6}])
def test_a_gyrator_makes_an_inductor_of_a_capacitor(options):
    G, C, R, V = 0.02, 1e-6, 50.0, 5.0  # L = C / G^2
    m = sl.Model()
    s, a, c = m.terminal(), m.terminal(), m.terminal()
    m.voltage_source(s, m.ground, voltage=V)
    m.resistor(s, a, R=R)
    gyrator = m.gyrator(a, m.ground, c, m.ground, G=G)
    m.capacitor(c, m.ground, C=C)
    t = 5e-5
    expected = V / R * (1 - np.exp(-t * R * G**2 / C))
    assert last(m.simulate(t, **options), gyrator.current) == pytest.approx(expected, rel=1e-3 if options else 1e-4)


def test_controlled_sources_follow_their_control():
    m = sl.Model()
    a, b, out, low, x, y = (m.terminal() for _ in range(6))
    source = m.voltage_source(a, m.ground, voltage=3.0)
    m.resistor(a, m.ground, R=1.5)  # source.current = -2
    m.vcvs(b, m.ground, a, m.ground, gain=-4.0)
    m.resistor(b, m.ground, R=10.0)
    g = m.vccs(m.ground, out, a, b, G=0.1)
    m.resistor(out, m.ground, R=2.0)
    h = m.ccvs(x, m.ground, source, R=5.0)
    m.resistor(x, m.ground, R=4.0)
    f = m.cccs(y, m.ground, source, gain=3.0)
    m.resistor(y, low, R=1.0)
    m.resistor(low, m.ground, R=1.0)
    values = rest(m, b.voltage, out.voltage, g.current, x.voltage, h.current, f.current, y.voltage)
    assert values == pytest.approx([-12.0, 3.0, 1.5, -10.0, 2.5, -6.0, 12.0], rel=1e-12)


def test_a_control_without_an_unknown_of_its_own_is_refused():
    m = sl.Model()
    a, b = m.terminal(), m.terminal()
    r = m.resistor(a, m.ground, R=1.0, name="shunt")
    with pytest.raises(sl.ModelError, match="(?s)shunt.*voltage_source of 0 V in series"):
        m.cccs(b, m.ground, r, gain=2.0)


def test_a_coil_at_a_square_wave_takes_a_few_steps_an_edge():
    V, R, L, T, periods = 12.0, 1.0, 1e-3, 1e-3, 40
    m = sl.Model()
    a, b = m.terminal(), m.terminal()
    m.pwm_source(a, m.ground, low=0, high=V, period=T, duty=0.5)
    m.resistor(a, b, R=R)
    coil = m.inductor(b, m.ground, L=L)
    r = m.simulate(periods * T)
    i, decay = 0.0, math.exp(-R * T / 2 / L)
    for _ in range(periods):
        i = (V / R + (i - V / R) * decay) * decay
    assert last(r, coil.current) == pytest.approx(i, rel=1e-5)
    assert r.report["steps"] < 40 * periods  # an edge begins anew; at second order, the scheme of stiff circuits, it took 2000 a period


@pytest.mark.parametrize("options", [{}, {"tolerance": 1e-7}])
def test_coupled_inductors_beat_at_the_frequencies_of_their_modes(options):
    L, C, k, V = 1e-3, 1e-6, 0.3, 10.0
    m = sl.Model()
    a, b = m.terminal(), m.terminal()
    m.capacitor(a, m.ground, C=C, voltage=V)
    m.capacitor(b, m.ground, C=C)
    coils = m.coupled_inductors([(a, m.ground), (b, m.ground)], L=[L, L], k=k)
    t = 4.2e-4
    modes = [V * np.cos(t / np.sqrt(L * C * (1 + s * k))) for s in (1, -1)]
    r = m.simulate(t, **options)
    tolerance = 5e-5 if options else 2e-3
    assert last(r, a.voltage) == pytest.approx(0.5 * sum(modes), abs=V * tolerance)
    assert last(r, b.voltage) == pytest.approx(0.5 * (modes[0] - modes[1]), abs=V * tolerance)
    currents = [-V * C * np.sin(t / np.sqrt(L * C * (1 + s * k))) / np.sqrt(L * C * (1 + s * k)) for s in (1, -1)]
    assert last(r, coils.windings[0].current) == pytest.approx(-0.5 * sum(currents), abs=0.5 * tolerance)


def test_coupled_inductors_take_a_matrix_and_refuse_what_stores_no_energy(tmp_path):
    def make(**given):
        m = sl.Model()
        a, b = m.terminal(), m.terminal()
        m.voltage_source(a, m.ground, voltage=1.0)
        m.resistor(b, m.ground, R=1.0)
        return m, m.coupled_inductors([(a, m.ground), (b, m.ground)], name="core", **given)

    m, core = make(L=[[2.0, 0.5], [0.5, 1.0]], R=[0.1, 0.2], current=[1.0, -1.0])
    A, R = np.array([[2.0, 0.5], [0.5, 1.0]]), np.diag([0.1, 1.2])
    s = solve_ivp(lambda t, i: np.linalg.solve(A, np.array([1.0, 0.0]) - R @ i), (0, 1), [1.0, -1.0], rtol=1e-11, atol=1e-13)
    for model in (m, saved(m, tmp_path)):
        r = model.simulate(1.0, tolerance=1e-8)
        assert [last(r, w.current) for w in core.windings] == pytest.approx(s.y[:, -1], abs=1e-6)
    for given, message in (
        (dict(L=[[1.0, 2.0], [2.0, 1.0]]), "not positive definite"),
        (dict(L=[[1.0, 0.5], [0.4, 1.0]]), "not symmetric"),
        (dict(L=[1.0, 1.0], k=1.0), "below 1"),
        (dict(L=[1.0, 1.0]), "and k"),
    ):
        with pytest.raises(sl.ModelError, match=f"(?s)core.*{message}"):
            make(**given)[0].simulate(0.1)


# --- operational amplifiers -------------------------------------------------------------------------------------------


def amplifier(voltage, **given):
    m = sl.Model()
    s, minus, out = m.terminal(), m.terminal(), m.terminal(name="out")
    m.voltage_source(s, m.ground, voltage=voltage)
    m.resistor(s, minus, R=1e3)
    m.resistor(minus, out, R=1e4)
    m.op_amp(m.ground, minus, out, **given)
    return m, minus, out


def test_an_inverting_amplifier():
    m, minus, out = amplifier(0.2)
    assert rest(m, out.voltage, minus.voltage) == pytest.approx([-2.0, 0.0], abs=1e-12)
    m, minus, out = amplifier(0.2, gain=1e3)
    assert rest(m, out.voltage)[0] == pytest.approx(-0.2 * 10 / (1 + 11 / 1e3), rel=1e-12)


@pytest.mark.parametrize("v", [-3.0, -0.2, 0.7, 2.5])
def test_a_bounded_amplifier_stays_at_its_bounds_and_its_inputs_come_apart(v, tmp_path):
    m, minus, out = amplifier(v, low=-5.0, high=8.0)
    expected = np.clip(-10 * v, -5, 8)
    for model in (m, saved(m, tmp_path)):
        assert rest(model, out.voltage)[0] == pytest.approx(expected, abs=1e-9)
    assert rest(m, minus.voltage)[0] == pytest.approx((10 * v + expected) / 11, abs=1e-9)


def test_a_bounded_amplifier_clips_a_sine():
    m, _, out = amplifier("sin(2 * pi * 50 * t)", low=-5.0, high=8.0)
    r = m.simulate(0.02, step=1e-4)
    t = np.asarray(r.time)[1:]
    assert np.asarray(r[out.voltage])[1:] == pytest.approx(np.clip(-10 * np.sin(2 * np.pi * 50 * t), -5, 8), abs=1e-8)


def test_an_integrator_runs_into_its_bound_and_comes_back():
    m = sl.Model()
    s, minus, out = m.terminal(), m.terminal(), m.terminal()
    m.pulse_source(s, m.ground, low=1.0, high=-1.0, period=2.0, width=1.0)
    m.resistor(s, minus, R=1e4)
    m.capacitor(minus, out, C=1e-5)
    m.op_amp(m.ground, minus, out, low=-6.0, high=6.0)
    r = m.simulate(1.3)
    # Up by 10 V/s to 6 V; there minus goes to the source with R C = 0.1 s; then down again once minus is at 0.
    w = -1 + np.exp(-0.4 / 0.1)  # minus at t = 1
    zero = 0.1 * np.log((1 - w) / 1)
    assert last(r, out.voltage) == pytest.approx(6.0 - 10 * (0.3 - zero), rel=1e-4)


# --- diodes -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("v", [-20.0, -3.0, 0.5, 2.0])
def test_diodes_with_threshold_and_resistance(v, tmp_path):
    m = sl.Model()
    s, a, z = m.terminal(), m.terminal(), m.terminal()
    m.voltage_source(s, m.ground, voltage=v)
    m.resistor(s, a, R=100.0)
    d = m.diode(a, m.ground, threshold=0.7, R=10.0)
    m.resistor(s, z, R=100.0)
    e = m.zener_diode(z, m.ground, breakdown=5.1, threshold=0.6, R=20.0)
    i = max(0.0, (v - 0.7) / 110)
    j = max(0.0, (v - 0.6) / 120) - max(0.0, (-v - 5.1) / 120)
    for model in (m, saved(m, tmp_path)):
        assert rest(model, d.current, e.current, a.voltage, z.voltage) == pytest.approx([i, j, v - 100 * i, v - 100 * j], abs=1e-10)


def test_a_source_beyond_two_thresholds_without_resistance_is_named():
    m = sl.Model()
    a, b = m.terminal(name="a"), m.terminal(name="b")
    m.voltage_source(a, m.ground, voltage=1.5, name="V")
    m.diode(a, b, threshold=0.7, name="D1"), m.diode(b, m.ground, threshold=0.7, name="D2")
    m.resistor(b, m.ground, R=1.0)
    with pytest.raises(sl.RunError, match="(?s)'V'.*'D1'.*resistor|'D1'.*'V'.*resistor"):
        m.simulate(0.1)
    m["V"].voltage = 1.3
    assert m.simulate(0.1).report["status"] == "done"


@pytest.mark.parametrize("V, R", [(0.4, 1e3), (5.0, 1e3), (-30.0, 10.0), (400.0, 0.1), (5.0, 1e7)])
def test_a_shockley_diode_sits_on_its_characteristic(V, R):
    m = sl.Model()
    s, a = m.terminal(), m.terminal()
    m.voltage_source(s, m.ground, voltage=V)
    m.resistor(s, a, R=R)
    d = m.shockley_diode(a, m.ground, saturation_current=1e-12, emission=1.5)
    n = 1.5 * 0.02585
    v = brentq(lambda x: 1e-12 * np.expm1(x / n) - (V - x) / R, min(V, -1.0), 2.0, xtol=1e-15, rtol=1e-14)
    assert rest(m, a.voltage, d.current) == pytest.approx([v, 1e-12 * np.expm1(v / n)], rel=1e-7, abs=1e-12)


@pytest.mark.parametrize("options", [{}, {"scheme": "dormand_prince"}, {"scheme": "generalized_alpha"}], ids=str)
def test_a_rectifier_of_a_shockley_diode_follows_independent_integration(options):
    V, w, R, C, Is, n = 5.0, 2 * np.pi * 50, 1e3, 1e-5, 1e-12, 0.02585
    m = sl.Model()
    s, k = m.terminal(), m.terminal()
    m.voltage_source(s, m.ground, voltage=f"{V} * sin({w} * t)")
    m.shockley_diode(s, k, saturation_current=Is)
    m.capacitor(k, m.ground, C=C)
    m.resistor(k, m.ground, R=R)

    def bent(v):  # the same curve beyond what floats hold
        return Is * np.expm1(min(v / n, 200.0))

    y = solve_ivp(lambda t, y: [(bent(V * np.sin(w * t) - y[0]) - y[0] / R) / C], (0, 0.027), [0.0], method="Radau", rtol=1e-9, atol=1e-11, max_step=1e-4).y
    assert last(m.simulate(0.027, tolerance=1e-6, **options), k.voltage) == pytest.approx(y[0, -1], rel=1e-4)


# --- switches ---------------------------------------------------------------------------------------------------------


def test_a_switch_charges_and_lets_discharge(tmp_path):
    V, R, C = 10.0, 1e3, 1e-6
    m = sl.Model()
    s, a = m.terminal(), m.terminal()
    m.voltage_source(s, m.ground, voltage=V)
    m.switch(s, a, closed="sin(2 * pi * 250 * t)", R=R)
    m.capacitor(a, m.ground, C=C)
    m.resistor(a, m.ground, R=2 * R)
    v, decay = V * 2 / 3 * (1 - np.exp(-3.0)), np.exp(-0.5)
    for model in (m, saved(m, tmp_path)):
        assert last(model.simulate(3e-3), a.voltage) == pytest.approx(v * decay, rel=2e-4)
        assert last(model.simulate(3e-3, step=1e-6), a.voltage) == pytest.approx(v * decay, rel=2e-3)


def buck(m, duty, *, Vin=24.0, L=1e-3, C=2e-5, R=10.0, T=1e-4):
    s, x, o = m.terminal(), m.terminal(), m.terminal()
    m.voltage_source(s, m.ground, voltage=Vin)
    m.pwm_switch(s, x, period=T, duty=duty, name="switch")
    m.diode(m.ground, x)
    coil = m.inductor(x, o, L=L)
    m.capacitor(o, m.ground, C=C)
    m.resistor(o, m.ground, R=R)
    return coil, o


@pytest.mark.parametrize("duty, R", [(0.25, 10.0), (0.6, 400.0)], ids=["continuous", "with gaps"])
def test_a_buck_converter_settles_at_its_mean(duty, R):
    Vin, L, T = 24.0, 1e-3, 1e-4
    m = sl.Model()
    coil, o = buck(m, duty, Vin=Vin, L=L, R=R, T=T)
    K = 2 * L / (R * T)
    ratio = duty if 1 - duty <= K else 2 / (1 + np.sqrt(1 + 4 * K / duty**2))  # Erickson, Maksimovic 2001, 5.2
    r = m.simulate(60e-3 if R > 100 else 6e-3)
    v, t = np.asarray(r[o.voltage]), np.asarray(r.time)
    end = t > t[-1] - T * 1.0000001
    mean = np.trapezoid(v[end], t[end]) / (t[end][-1] - t[end][0])
    assert mean == pytest.approx(Vin * ratio, rel=2e-3)


def test_the_duty_may_be_a_parameter_that_the_run_changes():
    m = sl.Model()
    m.parameter("duty", 0.25, schedule=[(4e-3, 0.5)])
    _, o = buck(m, "duty")
    r = m.simulate(9e-3)
    v, t = np.asarray(r[o.voltage]), np.asarray(r.time)
    assert np.interp(3.9e-3, t, v) == pytest.approx(6.0, rel=0.02)
    assert v[-1] == pytest.approx(12.0, rel=0.02)


def test_opening_a_coil_without_another_way_ends_its_current_at_once():
    m = sl.Model()
    s, a = m.terminal(), m.terminal()
    m.voltage_source(s, m.ground, voltage=10.0)
    m.switch(s, a, closed="1e-3 - t")
    coil = m.inductor(a, m.ground, L=1e-3, current=1.0)
    assert last(m.simulate(0.9e-3), coil.current) == pytest.approx(10.0, rel=1e-9)
    assert last(m.simulate(2e-3), coil.current) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("options", [{}, {"step": 1e-5}])
def test_a_thyristor_conducts_from_its_gate_to_the_end_of_its_current(options, tmp_path):
    V, f, R, angle = 10.0, 50.0, 5.0, 0.25  # fired a quarter into the half wave by a short pulse
    m = sl.Model()
    s, k = m.terminal(), m.terminal()
    m.voltage_source(s, m.ground, voltage=f"{V} * sin(2 * pi * {f} * t)")
    T = m.thyristor(s, k, fired=f"2e-4 - mod(t - {0.5 * angle / f}, {1 / f})")
    m.resistor(k, m.ground, R=R)
    for model in (m, saved(m, tmp_path)):
        r = model.simulate(0.04, **options)
        t, i = np.asarray(r.time), np.asarray(r[text(T.current)])
        phase = np.mod(t * f, 1.0)
        on = (phase > 0.5 * angle + 1e-3) & (phase < 0.5 - 1e-3)
        off = (phase < 0.5 * angle - 1e-3) | (phase > 0.5 + 1e-3)
        assert on.sum() > 3 and off.sum() > 3
        assert i[on] == pytest.approx(V / R * np.sin(2 * np.pi * phase[on]), abs=1e-6)
        assert np.abs(i[off]).max() < 1e-9


def test_a_thyristor_latches_a_coil_beyond_the_zero_of_the_voltage():
    V, w, R, L, a = 10.0, 2 * np.pi * 50, 2.0, 10e-3, 3e-3
    m = sl.Model()
    s, k, x = m.terminal(), m.terminal(), m.terminal()
    m.voltage_source(s, m.ground, voltage=f"{V} * sin({w} * t)")
    m.thyristor(s, k, fired=f"({a} - t) * (t - {a} - 1e-4) * (-1)*(-1)", name="T")
    coil = m.inductor(k, x, L=L, R=R)
    m.resistor(x, m.ground, R=1e-3)
    Z, phi, tau = np.hypot(R + 1e-3, w * L), np.arctan2(w * L, R + 1e-3), L / (R + 1e-3)
    i = lambda t: V / Z * (np.sin(w * t - phi) - np.sin(w * a - phi) * np.exp(-(t - a) / tau))  # noqa: E731
    end = brentq(i, 0.011, 0.0185)
    for t in (0.008, 0.012):
        assert last(m.simulate(t), coil.current) == pytest.approx(i(t), rel=1e-3)
    assert abs(last(m.simulate(end + 1e-4), coil.current)) < 1e-6


# --- transistors ------------------------------------------------------------------------------------------------------


def blinker(C=None):
    """Two transistors, the collector of each beside the base of the other by 1 uF, with C from base to ground; the terminals: two collectors, two bases."""
    m = sl.Model()
    supply, *nodes = (m.terminal() for _ in range(5))
    m.voltage_source(supply, m.ground, voltage=5.0)
    for k in range(2):
        m.resistor(supply, nodes[k], R=1e3), m.resistor(supply, nodes[2 + k], R=47e3)
        m.capacitor(nodes[k], nodes[3 - k], C=1e-6, voltage=(0.1, -0.3)[k])
        if C:
            m.capacitor(nodes[2 + k], m.ground, C=C, voltage=0.3)
        m.bjt(nodes[k], nodes[2 + k], m.ground)
    return m, nodes


@pytest.mark.parametrize("C, until", [(1e-9, 0.16), (1e-10, 0.16), (1e-10, 0.02)])
def test_two_transistors_that_switch_each_other_off_blink(C, until):
    """Each is off until its base, at v - 5 V after the fall of the other's collector, comes back to v = 0.6 V through 47 kOhm and 1 uF: 5 V over 9.4 - v, about R C ln 2."""
    m, nodes = blinker(C)
    r = m.simulate(until)
    t = np.linspace(1e-4, until, 40001)
    v = np.asarray(r.at(t)[nodes[0].voltage])
    rises = t[1:][(v[:-1] < 2.5) & (v[1:] >= 2.5)]
    if until > 0.1:
        assert np.diff(rises) == pytest.approx(2 * math.log(2) * 47e3 * 1e-6, rel=0.05)


def test_transistors_that_have_to_jump_are_told_of_a_capacitor():
    m, _ = blinker()
    with pytest.raises(sl.RunError, match="potentials may have to jump: a capacitor of 1 nF"):
        m.simulate(0.03)


@pytest.mark.parametrize("polarity", ["npn", "pnp"])
@pytest.mark.parametrize("v_base, v_collector", [(1.0, 10.0), (5.0, 10.0), (0.2, 5.0), (3.0, -4.0)], ids=["active", "saturated", "off", "reverse"])
def test_a_transistor_satisfies_ebers_and_moll(polarity, v_base, v_collector):
    sign = 1 if polarity == "npn" else -1
    Is, bf, br, VT, Rb, Rc = 1e-14, 80.0, 2.0, 0.02585, 1e4, 1e3
    m = sl.Model()
    vb, vc, b, c = (m.terminal() for _ in range(4))
    m.voltage_source(vb, m.ground, voltage=sign * v_base), m.voltage_source(vc, m.ground, voltage=sign * v_collector)
    m.resistor(vb, b, R=Rb), m.resistor(vc, c, R=Rc)
    q = m.bjt(c, b, m.ground, polarity=polarity, saturation_current=Is, forward_gain=bf, reverse_gain=br)
    ib, ic, ub, uc = rest(m, q.quantity("base_current"), q.current, b.voltage, c.voltage)
    F, R = Is * np.expm1(sign * ub / VT), Is * np.expm1(sign * (ub - uc) / VT)
    assert sign * ic == pytest.approx(F - R * (1 + 1 / br), rel=1e-6, abs=1e-12)
    assert sign * ib == pytest.approx(F / bf + R / br, rel=1e-6, abs=1e-12)
    assert (ib, ic) == pytest.approx(((sign * v_base - ub) / Rb, (sign * v_collector - uc) / Rc), rel=1e-6, abs=1e-12)


@pytest.mark.parametrize("type", ["n", "p"])
@pytest.mark.parametrize("gate", [0.5, 2.0, 4.5])
def test_field_effect_transistors_follow_the_square_law(type, gate):
    sign = 1 if type == "n" else -1
    K, VT, V, R = 2e-3, 1.0, 5.0, 2e3
    square = lambda u: 0.5 * K * max(u, 0.0) ** 2  # noqa: E731
    law = lambda d: square(gate - VT) - square(gate - d - VT)  # noqa: E731
    d = brentq(lambda d: law(d) - (V - d) / R, -1e-9, V + 1e-9)
    results = {}
    for make in ("mosfet", "mosfet_piecewise"):
        m = sl.Model()
        s, a, x = m.terminal(), m.terminal(), m.terminal()
        m.voltage_source(s, m.ground, voltage=sign * V), m.voltage_source(a, m.ground, voltage=sign * gate)
        m.resistor(s, x, R=R)
        more = {} if make == "mosfet" else {"range": 4.0, "pieces": 6}
        q = getattr(m, make)(x, a, m.ground, K=K, threshold=VT, polarity=type, **more)
        results[make] = rest(m, x.voltage, q.current)
    assert results["mosfet"] == pytest.approx([sign * d, sign * law(d)], rel=1e-7, abs=1e-9)
    bound = K * 4.0**2 / (8 * 6**2)
    assert abs(results["mosfet_piecewise"][1] - sign * law(d)) <= bound * (1 + 1e-9)
    assert results["mosfet_piecewise"][1] == pytest.approx((sign * V - results["mosfet_piecewise"][0]) / R, abs=1e-12)


@pytest.mark.parametrize("options", [{}, {"scheme": "generalized_alpha"}, {"scheme": "generalized_alpha", "tolerance": 1e-7}], ids=str)
def test_an_inverter_that_switches_far_faster_than_its_gate_is_followed(options):
    """Its output has a time constant of 10 us, and of 0.5 us while the transistor conducts; the gate takes 3 ms."""

    def current(gate, v):
        over = max(0.0, gate - 1.0)
        return 2e-3 * (over * v - v * v / 2) if v < over else 1e-3 * over**2

    m = sl.Model()
    supply, gate, drain = m.terminal(), m.terminal(), m.terminal()
    m.voltage_source(supply, m.ground, voltage=5.0)
    m.voltage_source(gate, m.ground, voltage="2.5 + 2.5 * sin(2000 * t)")
    m.resistor(supply, drain, R=10e3), m.capacitor(drain, m.ground, C=1e-9, voltage=5.0), m.mosfet(drain, gate, m.ground, K=2e-3, threshold=1.0)
    r = m.simulate(4e-3, **options)
    t = np.linspace(1e-5, 4e-3, 8001)
    y = solve_ivp(lambda t, y: [((5 - y[0]) / 10e3 - current(2.5 + 2.5 * np.sin(2000 * t), y[0])) / 1e-9], (0, 4e-3), [5.0], method="Radau", rtol=1e-9, atol=1e-10, max_step=1e-5, t_eval=t).y[0]
    assert np.abs(np.asarray(r.at(t)[drain.voltage]) - y).max() < 5e-3  # the root of the tolerance, of 5 V


def test_an_inverter_of_two_piecewise_transistors_switches(tmp_path):
    """Acary, Bonnefon, Brogliato 2011, 1.2: complementary transistors that load a capacitor."""
    m = sl.Model()
    supply, gate, out = m.terminal(), m.terminal(), m.terminal()
    m.voltage_source(supply, m.ground, voltage=5.0)
    m.pulse_source(gate, m.ground, high=5.0, period=4e-6, width=2e-6)
    m.mosfet_piecewise(out, gate, m.ground, K=2e-3, threshold=1.0, range=4.0)
    m.mosfet_piecewise(out, gate, supply, K=2e-3, threshold=1.0, range=4.0, polarity="p")
    m.capacitor(out, m.ground, C=1e-10)
    for model in (m, saved(m, tmp_path)):
        r = model.simulate(3.9e-6, step=1e-8)
        assert r.report["rejected"] == 0
        assert last(model.simulate(1.9e-6, step=1e-8), out.voltage) == pytest.approx(0.0, abs=1e-9)
        assert last(r, out.voltage) == pytest.approx(5.0, abs=1e-6)


# --- sources ----------------------------------------------------------------------------------------------------------


def test_pulses_rise_and_fall(tmp_path):
    m = sl.Model()
    a = m.terminal()
    m.pulse_source(a, m.ground, low=-1.0, high=4.0, delay=2e-3, rise=1e-3, width=2e-3, fall=3e-3, period=10e-3)
    m.resistor(a, m.ground, R=1.0)
    knots = np.array([0, 2, 3, 5, 8, 12, 13, 15, 18, 22]) * 1e-3
    values = [-1, -1, 4, 4, -1, -1, 4, 4, -1, -1]
    for model in (m, saved(m, tmp_path)):
        r = model.simulate(0.021, step=0.25e-3)
        assert np.asarray(r[text(a.voltage)]) == pytest.approx(np.interp(r.time, knots, values), abs=1e-9)
    table = sl.Model()
    b = table.terminal()
    table.voltage_source(b, table.ground, voltage=table.table("u", knots, values))
    table.resistor(b, table.ground, R=1.0)
    r = table.simulate(0.021, step=0.25e-3)
    assert np.asarray(r[b.voltage]) == pytest.approx(np.interp(r.time, knots, values), abs=1e-9)


@pytest.mark.parametrize(
    "verb, given, message",
    [
        ("pulse_source", dict(high=1.0, period=1.0, width=0.8, rise=0.3), "rise \\+ width \\+ fall"),
        ("pulse_source", dict(high=1.0, period=0.0, width=0.8), "period"),
        ("pulse_source", dict(high=1.0, period=1.0, width=-0.8), "width"),
        ("pwm_source", dict(high=1.0, period=1.0, duty=1.2), "duty.*0 to 1"),
        ("pwm_switch", dict(period=1.0, duty=-0.1), "duty.*0 to 1"),
        ("diode", dict(threshold=-0.7), "threshold"),
        ("diode", dict(R=-1.0), "resistance"),
        ("zener_diode", dict(breakdown=0.0), "breakdown"),
        ("shockley_diode", dict(saturation_current=0.0), "saturation_current"),
        ("switch", dict(closed="tt"), "closed"),
        ("thyristor", dict(fired="tt"), "gate"),
    ],
)
def test_bad_values_are_named(verb, given, message):
    m = sl.Model()
    a = m.terminal()
    with pytest.raises(sl.ModelError, match=f"(?s)bad.*{message}"):
        getattr(m, verb)(a, m.ground, name="bad", **given)
        m.resistor(a, m.ground, R=1.0)
        m.simulate(0.1)


# --- motors -----------------------------------------------------------------------------------------------------------


def rotor(m, J=1e-3):
    body = m.body(mass=1.0, inertia=(J, J, J))
    return body, m.revolute(m.ground, body, axis="z")


def phases(m, voltages):
    pins = [m.terminal() for _ in range(3)]
    for pin, voltage in zip(pins, voltages, strict=True):
        m.voltage_source(pin, m.ground, voltage=voltage)
    return pins


def test_a_synchronous_motor_follows_its_equations_beyond_turns():
    p, psi, Ld, Lq, R, J, V, w = 2, 0.05, 1e-3, 1.5e-3, 0.4, 1e-3, 12.0, 60.0
    m = sl.Model(gravity=(0, 0, 0))
    body, hinge = rotor(m, J)
    pins = phases(m, [f"{V} * cos({w} * t - {2 * np.pi / 3 * k} + 1.6)" for k in range(3)])
    motor = m.synchronous_motor(*pins, hinge, flux=psi, L=(Ld, Lq), R=R, pole_pairs=p)

    def right(t, y):
        i_d, i_q, x, speed = y
        delta = w * t + 1.6 - p * x
        v_d, v_q = V * np.cos(delta), V * np.sin(delta)
        e = p * speed
        return [(v_d - R * i_d + e * Lq * i_q) / Ld, (v_q - R * i_q - e * (Ld * i_d + psi)) / Lq, speed, 1.5 * p * (psi + (Ld - Lq) * i_d) * i_q / J]

    until = 0.5
    y = solve_ivp(right, (0, until), [0.0] * 4, rtol=1e-10, atol=1e-12, method="DOP853").y[:, -1]
    r = m.simulate(until, tolerance=1e-7)
    assert abs(y[2]) > 2 * np.pi
    assert last(r, hinge.angle) == pytest.approx(y[2], rel=1e-4)
    assert last(r, hinge.angular_rate) == pytest.approx(y[3], rel=1e-4, abs=1e-3)
    assert np.asarray(r[motor.currents])[-1].sum() == pytest.approx(0.0, abs=1e-9)
    assert r[motor.torque].last[2] == pytest.approx(1.5 * p * (psi + (Ld - Lq) * y[0]) * y[1], rel=1e-3, abs=1e-4)


@pytest.mark.parametrize("speed, L", [(20.0, (2e-3, 2e-3)), (5.0, (2e-3, 3e-3)), (100.0, (2e-3, 3e-3))])
def test_a_synchronous_machine_feeds_three_resistors_at_a_constant_speed(speed, L):
    """Its currents in d, q come to rest: their rates are then what rounding leaves of terms that cancel."""
    p, psi, R, load = 3, 0.1, 0.5, 5.0
    m = sl.Model(gravity=(0, 0, 0))
    rotor = m.cylinder(radius=0.1, length=0.1, mass=2)
    hinge = m.revolute(m.ground, rotor, axis="z", speed=speed)
    pins = [m.terminal() for _ in range(3)]
    for pin in pins:
        m.resistor(pin, m.ground, R=load)
    motor = m.synchronous_motor(*pins, hinge, flux=psi, L=L, R=R, pole_pairs=p)
    result = m.simulate(2.0)
    d, q = np.linalg.solve([[R + load, -p * speed * L[1]], [p * speed * L[0], R + load]], [0, -p * speed * psi])
    assert np.asarray(result[motor.torque])[-1][2] == pytest.approx(1.5 * p * (psi + (L[0] - L[1]) * d) * q, rel=1e-6)


@pytest.mark.parametrize("L", [(2e-3, 2e-3), (2e-3, 3e-3)])
def test_a_synchronous_machine_that_coasts_on_three_resistors_takes_the_steps_of_its_motion(L):
    """Its currents follow its speed within 0.4 ms, and it runs down in some 0.4 s. Steps had a share of the tolerance by the range of its small changes of speed, 48,942 of them, and half as many rejected."""
    p, psi, R, J, speed = 3, 0.1, 5.5, 0.01, 20.0
    m = sl.Model(gravity=(0, 0, 0))
    rotor = m.cylinder(radius=0.1, length=0.1, mass=2, angular_velocity=(0, 0, speed))
    hinge = m.revolute(m.ground, rotor, axis="z")
    pins = [m.terminal() for _ in range(3)]
    for pin in pins:
        m.resistor(pin, m.ground, R=5.0)
    m.synchronous_motor(*pins, hinge, flux=psi, L=L, R=0.5, pole_pairs=p)
    result = m.simulate(0.2)

    def rates(t, y):  # Park's equations, with the resistors in the phases
        d, q, w = y
        return [(-R * d + p * w * L[1] * q) / L[0], (-R * q - p * w * (L[0] * d + psi)) / L[1], 1.5 * p * (psi + (L[0] - L[1]) * d) * q / J]

    truth = solve_ivp(rates, (0, 0.2), [0, 0, speed], method="Radau", rtol=1e-10, atol=1e-12).y[2, -1]
    assert result[rotor.angular_velocity].last[2] == pytest.approx(truth, rel=1e-6)
    assert result.report["steps"] < 4000 and result.report["rejected"] < 0.05 * result.report["steps"]


@pytest.mark.parametrize("kind", ["synchronous", "bldc"])
def test_what_a_three_phase_motor_takes_goes_into_heat_and_motion(kind):
    """Energy from the sources = heat in the windings + energy of their fields + of the rotor."""
    m = sl.Model(gravity=(0, 0, 0))
    body, hinge = rotor(m, 1e-5)
    V, w = 12.0, 80.0
    pins = phases(m, [f"{V} * cos({w} * t - {2 * np.pi / 3 * k})" for k in range(3)])
    if kind == "bldc":
        motor = m.bldc_motor(*pins, hinge, L=1e-3, R=0.5, k=0.05, pole_pairs=2)
    else:
        motor = m.synchronous_motor(*pins, hinge, flux=0.05, L=1e-3, R=0.5, pole_pairs=2)
    r = m.simulate(0.05, step=2e-6)
    t, i = np.asarray(r.time), np.asarray(r[motor.currents])
    v = np.stack([V * np.cos(w * t - 2 * np.pi / 3 * k) for k in range(3)], axis=1)
    trapezoid = lambda y: np.trapezoid(y, t)  # noqa: E731
    taken, heat = trapezoid((v * i).sum(axis=1)), trapezoid(0.5 * (i**2).sum(axis=1))
    field, motion = 0.5 * 1e-3 * (i[-1] ** 2).sum(), last(r, body.kinetic_energy)
    assert motion > 3e-4 * taken
    assert taken == pytest.approx(heat + field + motion, rel=1e-6)


def test_a_bldc_motor_at_constant_speed_induces_trapezoids():
    m = sl.Model(gravity=(0, 0, 0))
    body = m.body(mass=1.0, inertia=(1, 1, 1))
    hinge = m.revolute(m.ground, body, axis="z", speed=10.0)
    pins = [m.terminal() for _ in range(3)]
    for pin in pins:
        m.resistor(pin, m.ground, R=1e4)  # idle
    m.bldc_motor(*pins, hinge, L=1e-3, k=0.2, pole_pairs=3)
    r = m.simulate(0.5, step=1e-4)
    t = np.asarray(r.time)[200:]
    shape = lambda a: np.clip(6 / np.pi * np.arcsin(np.sin(a)), -1, 1)  # noqa: E731
    e = [2.0 * shape(30.0 * t - 2 * np.pi / 3 * k) for k in range(3)]
    got = np.asarray(r[pins[0].voltage - pins[1].voltage])[200:]
    # Voltages of an idle motor are the induced ones without their mean.
    assert got == pytest.approx(e[0] - e[1], abs=0.02)


def test_a_motor_takes_a_joint():
    m = sl.Model()
    a = m.terminal()
    with pytest.raises(sl.ModelError, match="(?s)shaft.*joint"):
        m.bldc_motor(a, a, a, 3.0, L=1.0, k=1.0)


# --- subcircuits ------------------------------------------------------------------------------------------------------


def test_a_circuit_may_be_included_twice(tmp_path):
    part = sl.Model()
    a, b = part.terminal(name="in"), part.terminal(name="out")
    part.resistor(a, b, R=1e3, name="R"), part.capacitor(b, part.ground, C=1e-6, name="C")
    stage = sl.Model()
    i, minus, o = stage.terminal(name="in"), stage.terminal(name="minus"), stage.terminal(name="out")
    stage.op_amp(i, minus, o, low=-9.0, high=9.0, name="amplifier")
    stage.resistor(minus, stage.ground, R=1e3), stage.resistor(o, minus, R=1e3)
    m = sl.Model()
    s = m.terminal(name="s")
    m.voltage_source(s, m.ground, voltage=1.0)
    first, buffer, second = (m.include(x, name=n) for x, n in ((part, "first"), (stage, "buffer"), (part, "second")))
    for A, B in ((s, first["in"]), (first["out"], buffer["in"]), (buffer["out"], second["in"])):
        m.switch(A, B, closed=1)
    y = solve_ivp(lambda t, y: [(1 - y[0]) / 1e-3, (2 * y[0] - y[1]) / 1e-3], (0, 2e-3), [0.0, 0.0], rtol=1e-10, atol=1e-12).y[:, -1]
    for model in (m, saved(m, tmp_path)):
        r = model.simulate(2e-3)
        assert (last(r, first["out"].voltage), last(r, second["out"].voltage)) == pytest.approx(y, rel=1e-4)


def test_a_controller_sets_the_duty():
    m = sl.Model()
    m.parameter("duty", 0.2)
    _, o = buck(m, "duty")
    m.controller(["0.02 * (12 - v) + m0", "m0 + 1e-3 * (12 - v)"], period=1e-4, inputs={"v": o.voltage}, outputs=["duty"], memory=[0.2], initial=[0.2])
    r = m.simulate(50e-3)
    t, v = np.asarray(r.time), np.asarray(r[o.voltage])
    end = t > 49e-3
    assert np.trapezoid(v[end], t[end]) / np.ptp(t[end]) == pytest.approx(12.0, abs=0.05)


def test_a_switch_stands_beside_a_body():
    m = sl.Model()
    ball = m.sphere(radius=0.1, mass=1.0, at=(0, 0, 0.1), velocity=(1, 0, 0))
    m.contact(m.plane(), ball, friction=0.5)
    _, o = buck(m, 0.5)
    r = m.simulate(5e-3)
    assert last(r, o.voltage) == pytest.approx(12.0, rel=0.02)
    assert last(r, ball.velocity.x) == pytest.approx(1 - 0.5 * 9.81 * 5e-3, rel=1e-6)


def drive_in_space(turn):
    """The converter, motor and wheel of the gallery in space, about an axle that is turned about the vertical."""
    from saltus.gallery import buck_motor as g

    m = sl.Model(gravity=(0, -9.81, 0))
    supply, switched, output = m.terminal(name="supply"), m.terminal(name="switched"), m.terminal(name="output")
    m.voltage_source(supply, m.ground, voltage=g.SUPPLY)
    m.pwm_switch(supply, switched, period=g.PERIOD, duty=g.DUTY)
    m.diode(m.ground, switched)
    m.inductor(switched, output, L=g.COIL)
    m.capacitor(output, m.ground, C=g.CAPACITOR)
    cart = m.box(size=(g.LENGTH, g.HEIGHT, 0.1), mass=g.CART, at=(0, g.RADIUS, 0), rotation=(0, turn, 0), name="cart")
    wheel = m.sphere(radius=g.RADIUS, mass=g.WHEEL, at=(0, g.RADIUS, 0), name="wheel")
    axle = m.revolute(cart, wheel, at=(0, g.RADIUS, 0), axis=(math.sin(turn), 0, math.cos(turn)))
    m.contact(m.plane(normal=(0, 1, 0)), wheel, friction=g.FRICTION)
    m.dc_motor(output, m.ground, axle, L=g.INDUCTANCE, R=g.RESISTANCE, k=g.CONSTANT)
    return m


@pytest.mark.parametrize("turn", (0.0, math.pi / 40, 0.7))
def test_an_open_switch_a_motor_and_friction_in_space_stand_in_one_step(turn):
    """A diode that conducts to the ground leaves a potential of rounding alone: no solver may be measured by it."""
    from saltus.gallery import buck_motor as g

    flat = g.model().simulate(1e-3, step=2e-6)
    r = drive_in_space(turn).simulate(1e-3, step=2e-6)
    np.testing.assert_allclose(r["output.value"], flat["output.value"], rtol=1e-6, atol=1e-6)
    spin = np.asarray(r["wheel.angular_velocity"])
    np.testing.assert_allclose(spin @ [math.sin(turn), 0, math.cos(turn)], np.asarray(flat["wheel.angular_velocity.z"]), rtol=1e-6, atol=1e-6)
    assert np.abs(spin @ [math.cos(turn), 0, -math.sin(turn)]).max() < 1e-6


def test_coupled_inductors_store_half_the_square_of_their_currents():
    m = sl.Model()
    a, b = m.terminal(), m.terminal()
    m.voltage_source(a, m.ground, voltage=1.0)
    m.resistor(b, m.ground, R=1.0)
    m.coupled_inductors([(a, m.ground), (b, m.ground)], L=[[2.0, 0.5], [0.5, 1.0]], R=[0.1, 0.2], current=[1.0, -1.0])
    assert m.state().potential_energy == pytest.approx(0.5 * (2.0 - 2 * 0.5 + 1.0), rel=1e-12)


def test_a_capacitor_discharges_through_a_piecewise_transistor_to_its_last_digits():
    m = sl.Model()
    gate, drain = m.terminal(), m.terminal()
    m.voltage_source(gate, m.ground, voltage=5.0)
    m.capacitor(drain, m.ground, C=1e-6, voltage=5.0)
    m.mosfet_piecewise(drain, gate, m.ground, K=2e-3, threshold=1.0, range=4.0)
    m.outputs = {"voltage": drain.voltage}
    result = m.simulate(0.05, scheme="moreau_jean")  # some 400 time constants: its current is the rounding of multipliers at the end
    voltage = np.asarray(result["voltage"])
    assert abs(voltage[-1]) < 1e-8 * 5.0 and np.diff(voltage).max() < 1e-8 * 5.0
    assert result.report["steps"] < 400 and result.report["rejected"] < 100


@pytest.mark.parametrize("R", [0.5, 1.0])
def test_a_switch_by_a_function_of_the_program_closes_where_it_says(R):
    closes, C = 0.0123456, 1e-3
    m = sl.Model(gravity=(0, 0, 0))
    a, b, c = (m.terminal(name=name) for name in "abc")
    m.voltage_source(a, m.ground, voltage=1.0)
    m.switch(a, b, closed=lambda t: 1.0 if t > closes else -1.0, R=R)
    m.resistor(b, c, R=1.0)
    m.capacitor(c, m.ground, C=C, name="store")
    result = m.simulate(0.013, scheme="moreau_jean")
    assert float(result["store_charge.state"].last) == pytest.approx(1 - math.exp((closes - 0.013) / ((1 + R) * C)), abs=1e-5)


@pytest.mark.parametrize("period, steps, duty", [(1e-4, 50, 0.5), (1 / 3e3, 10, 0.3), (0.7e-3, 7, 3 / 7)])
def test_edges_on_the_grid_of_the_steps_give_equal_periods(period, steps, duty):
    """An edge and a step's end are equal but for rounding: each period is on for its duty, none for a step more."""
    m = sl.Model()
    a, b = m.terminal(), m.terminal()
    m.voltage_source(a, m.ground, voltage=5.0)
    m.pwm_switch(a, b, period=period, duty=duty)
    m.resistor(b, m.ground, R=10.0)
    periods = 2000
    r = m.simulate(periods * period, scheme="moreau_jean", step=period / steps)
    on = (np.asarray(r[b.voltage])[1:] > 2.5).reshape(periods, steps)
    assert (on == on[0]).all() and on[0].sum() == round(duty * steps)


def test_the_voltage_of_an_element_is_that_from_A_to_B():
    m = sl.Model()
    a, b = m.terminal(name="a"), m.terminal(name="b")
    source, ohms = m.voltage_source(a, m.ground, voltage=9.0, name="source"), m.resistor(a, b, R=2.0, name="ohms")
    store, back = m.capacitor(b, m.ground, C=1.0, voltage=3.0, name="store"), m.resistor(m.ground, b, R=4.0, name="back")
    r = m.simulate(until=1.5, tolerance=1e-10)
    v = 6.0 - 3.0 * np.exp(-0.75 * 1.5)      # of b: (9 - v) / 2 - v / 4 = C dv/dt
    values = [last(r, element.voltage) for element in (source, ohms, store, back)]
    assert values == pytest.approx([9.0, 9.0 - v, v, -v], rel=1e-6)
    assert r[ohms.voltage].unit == "V" and last(r, ohms.voltage) == pytest.approx(2.0 * last(r, ohms.current), rel=1e-9)
    assert store.settings["voltage"] == 3.0
    store.voltage = 5.0                       # assigned, it is the argument of the verb
    assert last(m.simulate(until=1e-9), store.voltage) == pytest.approx(5.0, rel=1e-6)
    again = sl.Model.parse(m._engine.text())["ohms"]
    assert again.voltage.paths == ohms.voltage.paths
    with pytest.raises(AttributeError, match="has no terminals"):
        m.coupled_inductors([(a, b), (b, m.ground)], L=[1e-3, 1e-3], k=0.5).windings[0].voltage
