"""Inductors whose current leads through diodes and transistors alone, at default settings: what blocks it leaves no potential to a current that is given."""

import math

import numpy as np
import pytest

import saltus as sl


def test_a_junction_ends_the_current_of_an_inductor():
    """L i' = -V - v(i), v(i) = n V_T ln(1 + i / I_S): the current ends after the integral of L / (V + v), then the whole voltage is at the diode."""
    L, V, Is, nVT, i0 = 1e-3, 1.0, 1e-12, 1.5 * 0.02585, 0.1
    m = sl.Model()
    a, b = m.terminal(name="a"), m.terminal(name="b")
    m.voltage_source(a, m.ground, voltage=-V)
    coil = m.inductor(a, b, L=L, current=i0)
    m.shockley_diode(b, m.ground, saturation_current=Is, emission=1.5)
    x = np.linspace(0, i0, 200001)
    y = 1 / (V + nVT * np.log1p(x / Is))
    ends = L * np.sum((y[1:] + y[:-1]) / 2) * x[1]
    r = m.simulate(1.5 * ends)
    assert r.scheme == "moreau_jean" and coil.name in str(r.report)
    t, i = np.asarray(r.time), np.asarray(r[coil.current])
    assert np.interp(0.01 * i0, i[::-1], t[::-1]) == pytest.approx(ends - L * 0.01 * i0 / (V + nVT * math.log(0.005 * i0 / Is)), rel=1e-4)
    assert i.min() > -1e-6 * i0 and abs(i[-1]) < 1e-6 * i0 and float(r[b.voltage].last) == pytest.approx(-V, rel=0.03)
    between = np.asarray(r.at(np.linspace(0, t[-1], 2001))[coil.current])
    assert between.min() > -1e-6 * i0 and between.max() < 1.0001 * i0


def test_a_transistor_switches_a_relay():
    """R, L behind a supply V, the transistor's resistance 1 / (K (v_GS - v_T)) while it is on; then the current dies away through the diode beside the coil."""
    V, R, L, K = 12.0, 100.0, 0.1, 1.0
    m = sl.Model()
    supply, inner, c, g = (m.terminal(name=n) for n in ("supply", "inner", "c", "g"))
    m.voltage_source(supply, m.ground, voltage=V)
    m.pulse_source(g, m.ground, low=0, high=10, delay=1e-3, rise=1e-6, fall=1e-6, width=5e-3, period=20e-3)
    coil = m.inductor(supply, inner, L=L)
    m.resistor(inner, c, R=R)
    m.mosfet(c, g, m.ground, K=K, threshold=1)
    m.shockley_diode(c, supply, saturation_current=1e-12)
    r = m.simulate(0.02)
    on = 1 / (K * 9.0)
    begun = 0.9e-6 + 0.5e-6  # on in the mean of its edge
    for t in (2e-3, 4e-3, 6e-3):
        assert float(r.at(t)[coil.current]) == pytest.approx(V / (R + on) * (1 - math.exp(-(t - 1e-3 - begun) * (R + on) / L)), rel=5e-3)
    assert float(np.max(r[c.voltage])) < V + 0.8 and abs(float(r[coil.current].last)) < 1e-9
