"""First-order states between the states of a run where sources jump: the curve stays between them."""

import math

import numpy as np
import pytest

import saltus as sl


@pytest.mark.parametrize("volts", (5.0, 5e-3))
@pytest.mark.parametrize("options", ({}, {"tolerance": 1e-4}, {"tolerance": 1e-8}), ids=str)
def test_a_low_pass_at_a_square_wave_stays_between_its_two_voltages(volts, options):
    # It went from -1.4 to 3.1 times the voltage, before each edge.
    m = sl.Model()
    a, b = m.terminal(), m.terminal()
    m.pwm_source(a, m.ground, high=volts, period=1e-3, duty=0.5)
    m.resistor(a, b, R=1e3), m.capacitor(b, m.ground, C=1e-8)
    r = m.simulate(3.7e-3, **options)
    close = max(1e-5, 10 * options.get("tolerance", 0)) * volts
    t = np.linspace(0, 3.7e-3, 5001)
    since = t % 5e-4
    truth = np.where(t % 1e-3 < 5e-4, 1 - np.exp(-since / 1e-5), np.where(t > 5e-4, np.exp(-since / 1e-5), 0)) * volts
    got, off_edges = np.asarray(r.at(t)[b.voltage]), np.minimum(since, 5e-4 - since) > 1e-8
    assert got.min() > -close and got.max() < volts + close
    assert np.abs(got - truth)[off_edges].max() < 100 * close
    assert r[b.voltage].max() < volts + close and r[b.voltage].min() > -close


def test_the_peak_of_a_pulse_is_where_it_ends():
    m = sl.Model()
    a, b = m.terminal(), m.terminal()
    m.pulse_source(a, m.ground, high=5, period=1.0, width=1e-3, delay=0.5)
    m.resistor(a, b, R=1e3), m.capacitor(b, m.ground, C=1e-6)
    assert m.simulate(0.6)[b.voltage].max() == pytest.approx(5 * (1 - math.exp(-1)), rel=3e-5)


def test_a_speed_that_follows_a_triangle_has_no_bulge_at_its_corners():
    m = sl.Model()
    a, b = m.terminal(), m.terminal()
    m.voltage_source(a, m.ground, voltage="abs(mod(t, 2) - 1)")
    r1 = m.resistor(a, b, R=1.0)
    c = m.capacitor(b, m.ground, C=1e-3)
    r = m.simulate(4.0)
    t = np.linspace(0.1, 4, 4001)
    ramp = np.abs(t % 2 - 1)
    assert np.abs(np.asarray(r.at(t)[c.voltage]) - ramp).max() < 1.1e-3  # it lags by its time constant
    assert np.abs(np.asarray(r.at(t)[r1.current])).max() < 1.1e-3
