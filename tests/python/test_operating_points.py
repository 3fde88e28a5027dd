"""Circuits and first-order states at rest, by hand."""

import math

import pytest

import saltus as sl


def rectifier(voltage, load=100.0, series=10.0):
    m = sl.Model(gravity=(0, 0, 0))
    a, b, c = (m.terminal(name=name) for name in "abc")
    m.voltage_source(a, m.ground, voltage=voltage, name="source")
    m.resistor(a, b, R=series, name="series")
    m.diode(b, c, name="diode")
    m.resistor(c, m.ground, R=load, name="load")
    m.capacitor(c, m.ground, C=1e-3, voltage=3.0, name="store")
    return m


@pytest.mark.parametrize("voltage", [12.0, -12.0, 1e-3, 4e5])
def test_a_rectifier_rests_on_its_divider_or_empty(voltage):
    m = rectifier(voltage)
    result = m.static()
    current = max(voltage, 0.0) / 110.0
    assert float(result[m["load"].current]) == pytest.approx(current, rel=1e-9, abs=1e-12)
    assert float(result["store_charge.state"]) == pytest.approx(100.0 * current, rel=1e-9, abs=1e-12)


def test_a_bridge_has_the_same_sense_for_both_signs():
    for voltage in (9.0, -9.0):
        m = sl.Model(gravity=(0, 0, 0))
        a, p, n = (m.terminal(name=name) for name in "apn")
        m.voltage_source(a, m.ground, voltage=voltage, name="source")
        for A, B in ((a, p), (m.ground, p), (n, a), (n, m.ground)):
            m.diode(A, B)
        m.resistor(p, n, R=3.0, name="load")
        assert float(m.static()[m["load"].current]) == pytest.approx(3.0, rel=1e-9)


def test_an_ideal_diode_beside_an_exponential_one():
    """10 V over 1 kOhm, both diodes in series: the drop is that of Shockley's formula alone."""
    m = sl.Model(gravity=(0, 0, 0))
    a, b, c = (m.terminal(name=name) for name in "abc")
    m.voltage_source(a, m.ground, voltage=10.0, name="source")
    m.resistor(a, b, R=1000.0, name="R")
    m.diode(b, c)
    m.shockley_diode(c, m.ground, saturation_current=1e-12, emission=1.0, thermal_voltage=0.025, name="D")
    current = float(m.static()[m["R"].current])
    assert 10.0 - 1000.0 * current == pytest.approx(0.025 * math.log(current / 1e-12 + 1.0), rel=1e-8)


def test_a_state_rests_on_its_relay():
    """x' = -0.5 x + 3 - lambda, lambda in 2 Sgn(x - 1): slides at 1 with 2.5 > 2, so it rests at 2 (3 - 2) = 2."""
    m = sl.Model(gravity=(0, 0, 0))
    for push, rest in ((3.0, 2.0), (2.0, 1.0), (-3.0, -2.0)):
        m = sl.Model(gravity=(0, 0, 0))
        x = m.add(sl.items.NodeOde1(count=1, initial_values=[0.0]), name="x")
        m.add(sl.items.FirstOrderSystem(node=x, matrix=[[-0.5]], vector=[push]))
        m.add(sl.items.FirstOrderLinearRelation(on=[{"node": "x", "coordinate": 0}], C=[[1.0]], B=[[1.0]], offset="-1", law=sl.items.Relay(low=-2.0, high=2.0, on="value")), name="row")
        assert float(m.static()["x.state"]) == pytest.approx(rest, abs=1e-9)


def test_a_capacitor_that_nothing_discharges_is_charged_to_the_peak():
    m = sl.Model(gravity=(0, 0, 0))
    a, b = (m.terminal(name=name) for name in "ab")
    m.voltage_source(a, m.ground, voltage=5.0, name="source")
    m.diode(a, b)
    m.capacitor(b, m.ground, C=1e-6, voltage=1.0, name="store")
    assert float(m.static()["store_charge.state"]) == pytest.approx(5.0, rel=1e-6)


@pytest.mark.parametrize("C", [10.0**-k for k in range(0, 13, 2)])
@pytest.mark.parametrize("R", [1e-2, 10.0, 1e6])
def test_two_capacitors_share_their_charge_through_a_diode(C, R):
    """C at 4 V over R and a diode onto 2 C at 1 V: both end at (4 + 2) / 3 = 2 V; the other way round nothing flows."""
    for first, second, rest in ((4.0, 1.0, (2.0, 2.0)), (1.0, 4.0, (1.0, 4.0))):
        m = sl.Model(gravity=(0, 0, 0))
        a, b, c = (m.terminal(name=name) for name in "abc")
        m.capacitor(a, m.ground, C=C, voltage=first, name="one")
        m.resistor(a, b, R=R)
        m.diode(b, c)
        m.capacitor(c, m.ground, C=2 * C, voltage=second, name="two")
        result = m.static()
        assert [float(result[f"{name}_charge.state"]) for name in ("one", "two")] == pytest.approx(rest, rel=1e-8)


def test_a_small_capacitor_between_large_ones_keeps_their_charge():
    """1 F at 4 V, 1 nF at 0 V, 2 F at 1 V, in a row: (4 + 2) / (3 + 1e-9)."""
    m = sl.Model(gravity=(0, 0, 0))
    a, b, c, d = (m.terminal(name=name) for name in "abcd")
    m.capacitor(a, m.ground, C=1.0, voltage=4.0, name="one")
    m.resistor(a, b, R=10.0)
    m.capacitor(b, m.ground, C=1e-9, name="small")
    m.diode(b, c)
    m.resistor(c, d, R=10.0)
    m.capacitor(d, m.ground, C=2.0, voltage=1.0, name="two")
    result = m.static()
    for name in ("one", "small", "two"):
        assert float(result[f"{name}_charge.state"]) == pytest.approx(6.0 / (3.0 + 1e-9), rel=1e-8)


@pytest.mark.parametrize("L", [1e-6, 1e-3, 1.0, 10.0])
@pytest.mark.parametrize("voltage", [5.0, -5.0])
def test_a_coil_in_series_with_a_diode_carries_what_the_resistor_lets_through(voltage, L):
    m = sl.Model(gravity=(0, 0, 0))
    a, b, c = (m.terminal(name=name) for name in "abc")
    m.voltage_source(a, m.ground, voltage=voltage)
    m.resistor(a, b, R=1.0, name="R")
    m.inductor(b, c, L=L)
    m.diode(c, m.ground)
    assert float(m.static()[m["R"].current]) == pytest.approx(max(voltage, 0.0), rel=1e-9, abs=1e-12)


def test_a_capacitor_that_a_source_of_current_charges_does_not_come_to_rest():
    m = sl.Model(gravity=(0, 0, 0))
    a, b = (m.terminal(name=name) for name in "ab")
    m.current_source(m.ground, a, current=1.0)
    m.diode(a, b)
    m.capacitor(b, m.ground, C=1e-3, name="store")
    with pytest.raises(sl.RunError, match="the charge of 'store' does not come to rest"):
        m.static()


@pytest.mark.parametrize("R", [1.0, 1e9, 1e14])
def test_a_slow_charge_is_no_rest(R):
    """5 V over R and a diode onto a capacitor at 1 V: it ends at 5 V however long that takes."""
    m = sl.Model(gravity=(0, 0, 0))
    a, b, c = (m.terminal(name=name) for name in "abc")
    m.voltage_source(a, m.ground, voltage=5.0)
    m.resistor(a, b, R=R)
    m.diode(b, c)
    m.capacitor(c, m.ground, C=1e-6, voltage=1.0, name="store")
    assert float(m.static()["store_charge.state"]) == pytest.approx(5.0, rel=1e-9)


@pytest.mark.parametrize("C", [1e-12, 1e-6, 1.0])
@pytest.mark.parametrize("leak", [1e3, 1e6, 1e9])
def test_capacitors_that_share_their_charge_and_leak_end_empty(leak, C):
    m = sl.Model(gravity=(0, 0, 0))
    a, b, c = (m.terminal(name=name) for name in "abc")
    m.capacitor(a, m.ground, C=C, voltage=4.0, name="one")
    m.resistor(a, b, R=10.0)
    m.diode(b, c)
    m.capacitor(c, m.ground, C=2 * C, voltage=1.0, name="two")
    m.resistor(c, m.ground, R=leak)
    result = m.static()
    assert [float(result[f"{name}_charge.state"]) for name in ("one", "two")] == pytest.approx([0.0, 0.0], abs=1e-8)
