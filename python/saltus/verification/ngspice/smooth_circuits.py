"""Smooth circuits: filters, a rectifier, transistors, coupled coils, pulses, against ngspice."""

import numpy as np

import saltus as sl

VT = 1.38064852e-23 * 300.15 / 1.6021766208e-19  # of ngspice at 27 degrees


def series_rlc():
    m = sl.Model()
    a, b, c = (m.terminal(name=n) for n in "abc")
    m.voltage_source(a, m.ground, voltage=5)
    m.resistor(a, b, R=10)
    m.inductor(b, c, L=1e-2)
    m.capacitor(c, m.ground, C=1e-5)
    return m, "c"


def rectifier():
    m = sl.Model()
    s, k = m.terminal(name="s"), m.terminal(name="k")
    m.voltage_source(s, m.ground, voltage="5 * sin(2 * pi * 50 * t)")
    m.shockley_diode(s, k, saturation_current=1e-12, emission=1.5, thermal_voltage=VT)
    m.capacitor(k, m.ground, C=1e-5)
    m.resistor(k, m.ground, R=1e3)
    return m, "k"


def emitter_amplifier():
    m = sl.Model()
    supply, s, b, c, e = (m.terminal(name=n) for n in ("supply", "s", "b", "c", "e"))
    m.voltage_source(supply, m.ground, voltage=12)
    m.voltage_source(s, m.ground, voltage="0.01 * sin(2 * pi * 1000 * t)")
    m.capacitor(s, b, C=1e-6, voltage=-1.5)
    m.resistor(supply, b, R=47e3), m.resistor(b, m.ground, R=10e3)
    m.resistor(supply, c, R=4.7e3), m.resistor(e, m.ground, R=1e3)
    m.capacitor(e, m.ground, C=1e-5, voltage=0.9)
    m.bjt(c, b, e, saturation_current=1e-14, forward_gain=80, reverse_gain=2, thermal_voltage=VT)
    return m, "c"


def mos_inverter():
    m = sl.Model()
    supply, g, o = m.terminal(name="supply"), m.terminal(name="g"), m.terminal(name="o")
    m.voltage_source(supply, m.ground, voltage=5)
    m.voltage_source(g, m.ground, voltage="2.5 + 2.5 * sin(2 * pi * 1e6 * t)")
    m.mosfet(o, g, m.ground, K=2e-3, threshold=1)
    m.mosfet(o, g, supply, K=1e-3, threshold=1, polarity="p")
    m.capacitor(o, m.ground, C=1e-10, voltage=5)
    return m, "o"


def coupled_inductors():
    m = sl.Model()
    a, b, c = (m.terminal(name=n) for n in "abc")
    m.voltage_source(a, m.ground, voltage="10 * sin(2 * pi * 1000 * t)")
    m.resistor(a, b, R=5)
    m.coupled_inductors([(b, m.ground), (c, m.ground)], L=[1e-3, 4e-3], k=0.6)
    m.resistor(c, m.ground, R=50)
    m.capacitor(c, m.ground, C=1e-6)
    return m, "c"


def sallen_key():
    m = sl.Model()
    a, b, p, o = (m.terminal(name=n) for n in "abpo")
    m.voltage_source(a, m.ground, voltage="sin(2 * pi * 2000 * t)")
    m.resistor(a, b, R=1e4), m.resistor(b, p, R=1e4)
    m.capacitor(b, o, C=1e-8), m.capacitor(p, m.ground, C=1e-8)
    m.vcvs(o, m.ground, p, m.ground, gain=1.5)
    m.resistor(o, m.ground, R=1e3)
    return m, "o"


def pulses():
    m = sl.Model()
    a, b = m.terminal(name="a"), m.terminal(name="b")
    m.pulse_source(a, m.ground, low=-1, high=4, delay=0.2e-3, rise=0.1e-3, fall=0.3e-3, width=0.5e-3, period=2e-3)
    m.resistor(a, b, R=1e3)
    m.capacitor(b, m.ground, C=2e-7, voltage=-1)
    return m, "b"


def verify(case):
    for make in (series_rlc, rectifier, emitter_amplifier, mos_inverter, coupled_inductors, sallen_key, pulses):
        name = make.__name__
        for keywords in ({"tolerance": 1e-9}, {"scheme": "moreau_jean", "tolerance": 1e-8}):
            m, node = make()
            times = case.truth(f"{name}_time")
            result = m.simulate(times, **keywords)
            case.how = f"{result.scheme}, tolerance {keywords['tolerance']:g}"
            value = float(np.asarray(result[f"{node}.value"])[-1])
            yield case.compare(f"{name}: voltage at {node}, t = {times:g} s", value, case.truth(name), 1e-6 * case.truth(f"{name}_scale"), source="ngspice 39.3")
