"""Circuits: filters, ideal diodes that rectify, hold a peak, stop a ring, free-wheel; a motor that spins up."""

import math

import numpy as np

import saltus as sl
from saltus.verification.independent._truth import both
from saltus.verification.independent.impacts import runs


def filters(case):
    def rc():
        m = sl.Model()
        a, b = m.terminal(name="a"), m.terminal(name="b")
        m.voltage_source(a, m.ground, voltage=10)
        m.resistor(a, b, R=1e3)
        m.capacitor(b, m.ground, C=1e-6, name="C")
        return m

    yield from both(
        case, "capacitor charged through a resistor: voltage", rc, 2e-3, ["b.value"], [10 * (1 - math.exp(-2))], 10,
        source="10 (1 - exp(-t / RC))", loose=1e-3, tight=1e-6,
    )  # fmt: skip

    def series():
        m = sl.Model()
        a, b, c = (m.terminal(name=n) for n in "abc")
        m.voltage_source(a, m.ground, voltage=5)
        m.resistor(a, b, R=10)
        m.inductor(b, c, L=1e-2, name="L")
        m.capacitor(c, m.ground, C=1e-5, name="C")
        return m

    d = 10 / 2e-2
    w, t = math.sqrt(1e7 - d * d), 4e-3
    truth = 5 - 5 * math.exp(-d * t) * (math.cos(w * t) + d / w * math.sin(w * t))
    yield from both(
        case, "step of a series RLC circuit: voltage", series, t, ["c.value"], [truth], 5, source="damped harmonic motion",
        loose=1e-3, tight=1e-6,
    )  # fmt: skip


def diodes(case):
    def rectifier():
        m = sl.Model()
        a, b = m.terminal(name="a"), m.terminal(name="b")
        m.voltage_source(a, m.ground, voltage="10*sin(314.159265358979312*t)")
        m.diode(a, b, name="D")
        m.resistor(b, m.ground, R=100, name="R")
        return m

    for ms, truth in ((25.0, 10.0), (35.0, 0.0)):
        yield from runs(
            case, f"half-wave rectifier at {ms:g} ms: voltage", rectifier, ms * 1e-3, ["b.value"], [truth], loose=1e-2,
            tight=1e-3, step=1e-5, source="max(v, 0)",
        )  # fmt: skip

    def peak():
        m = sl.Model()
        a, b = m.terminal(name="a"), m.terminal(name="b")
        m.voltage_source(a, m.ground, voltage="10*sin(314.159265358979312*t)")
        m.diode(a, b, name="D")
        m.capacitor(b, m.ground, C=1e-5, name="C")
        return m

    yield from runs(
        case, "peak detector after two cycles: voltage", peak, 0.042, ["b.value"], [10.0], loose=1e-2, tight=1e-3, step=1e-5,
        source="the peak stays",
    )  # fmt: skip

    def ring():
        m = sl.Model()
        a, b = m.terminal(name="a"), m.terminal(name="b")
        m.capacitor(a, m.ground, C=1e-6, voltage=10, name="C")
        m.diode(a, b, name="D")
        m.inductor(b, m.ground, L=1e-2, name="L")
        return m

    yield from runs(
        case, "LC with a diode after its half ring: voltage, current", ring, 1e-3, ["a.value", "L_current.state"], [-10.0, 0.0],
        loose=2e-2, tight=1e-2, step=1e-7, source="half a period, then blocked",
    )  # fmt: skip

    def wheel():
        m = sl.Model()
        a, b = m.terminal(name="a"), m.terminal(name="b")
        m.diode(m.ground, a, name="D")
        m.resistor(a, b, R=10, name="R")
        m.inductor(b, m.ground, L=0.1, current=2.0, name="L")
        return m

    yield from runs(
        case, "free-wheeling coil: current", wheel, 0.02, ["L_current.state"], [2 * math.exp(-2)], loose=2e-3, tight=1e-4,
        step=1e-5, source="2 exp(-R t / L)",
    )  # fmt: skip


def motor(case):
    R, L, k, J, V = 1.0, 0.01, 0.5, 0.02, 12.0

    def make():
        m = sl.Model(gravity=(0, 0, 0))
        rotor = m.body(mass=1, inertia=(J, J, J), name="rotor")
        shaft = m.revolute(m.ground, rotor, axis="z", name="shaft")
        a = m.terminal(name="a")
        m.voltage_source(a, m.ground, voltage=V)
        m.dc_motor(a, m.ground, shaft, L=L, R=R, k=k, name="motor")
        return m

    A = np.array([[-R / L, -k / L], [k / J, 0]])
    t, rest = 1.0, np.array([0, V / k])
    values, vectors = np.linalg.eig(A)
    y = (vectors @ (np.exp(values * t) * np.linalg.solve(vectors, -rest)) + rest).real
    # Angle: the integral of A^-1 y' about the rest.
    turned = rest * t + np.linalg.solve(A, (y - rest) + rest)
    yield from both(
        case, "direct-current motor spins up: speed, angle", make, t, ["rotor.angular_velocity.z", "shaft.angle"],
        [y[1], turned[1]], 24, source="exponential of the matrix",
    )  # fmt: skip


def verify(case):
    for part in (filters, diodes, motor):
        yield from part(case)
