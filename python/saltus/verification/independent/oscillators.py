"""Oscillators and systems of equations: resonance, beats, user functions, stiff ones, wide spectra, far, small and long."""

import math

import numpy as np

import saltus as sl
from saltus.items import (
    CoordinateLoad,
    CoordinateSpringDamper,
    CoordinateUserSpring,
    FirstOrderSystem,
    Mass1d,
    Node1d,
    UserSpring,
)
from saltus.verification.independent._truth import both, integrate
from saltus.verification.models import generic, states


def one(mass=1.0, x=0.0, v=0.0, k=0.0, c=0.0, load=None, spring=None):
    m = sl.Model(gravity=(0, 0, 0))
    m.add(Node1d(name="n", displacement=x, velocity=v))
    m.add(Mass1d(name="mass", node="n", mass=mass))
    if k or c:
        m.add(CoordinateSpringDamper(name="spring", A="ground", B="n", stiffness=k, damping=c))
    if load is not None:
        m.add(CoordinateLoad(name="load", on="n", force=load))
    if spring is not None:
        m.add(CoordinateUserSpring(name="law", A="ground", B="n", force=spring))
    return m


READ = ["n.coordinate", "n.rate"]


def forced(case):
    w, t = 3.0, 40.0
    truth = [t / (2 * w) * math.sin(w * t), math.sin(w * t) / (2 * w) + 0.5 * t * math.cos(w * t)]
    yield from both(
        case, "at resonance without damping: x, v", lambda: one(k=w * w, load=f"cos({w}*t)"), t, READ, truth, 20.0,
        source="x = t sin(w t) / 2w",
    )  # fmt: skip
    w, p, t = 10.0, 10.5, 30.0
    a = 1 / (w * w - p * p)
    truth = [a * (math.cos(p * t) - math.cos(w * t)), a * (-p * math.sin(p * t) + w * math.sin(w * t))]
    yield from both(
        case, "beats: x, v", lambda: one(k=w * w, load=f"cos({p}*t)"), t, READ, truth, 2 * abs(a) * w,
        source="x = (cos p t - cos w t) / (w^2 - p^2)", loose=5e-4, tight=5e-7,
    )  # fmt: skip
    truth = integrate(lambda t, y: [y[1], math.cos(2.9 * t) - 9 * y[0] - 0.3 * y[1]], [0, 0], 25.0)
    yield from both(
        case, "damped and forced near resonance: x, v", lambda: one(k=9, c=0.3, load="cos(2.9*t)"), 25.0, READ, truth, 3.0,
        source="scipy, x'' + 0.3 x' + 9 x = cos 2.9 t",
    )  # fmt: skip


def nonlinear(case):
    truth = integrate(lambda t, y: [y[1], 0.3 * math.cos(1.2 * t) + y[0] - y[0] ** 3 - 0.2 * y[1]], [1, 0], 20.0)
    yield from both(
        case, "Duffing with two wells: x, v", lambda: one(x=1, load="0.3*cos(1.2*t)", spring="-u + u^3 + 0.2*v"), 20.0, READ,
        truth, source="scipy, Duffing's equation",
    )  # fmt: skip
    truth = integrate(lambda t, y: [y[1], 5 * (1 - y[0] ** 2) * y[1] - y[0]], [2, 0], 20.0)
    yield from both(
        case, "van der Pol, mu 5: x, v", lambda: one(x=2, spring="u - 5*(1 - u^2)*v"), 20.0, READ, truth, 7.5,
        source="scipy, van der Pol's equation", loose=5e-4, tight=5e-7,
    )  # fmt: skip
    truth = integrate(lambda t, y: [y[1], -(1 + 0.4 * math.cos(2 * t)) * y[0]], [0.1, 0], 20.0)
    yield from both(
        case, "Mathieu, parametric growth: x, v", lambda: one(x=0.1, spring="(1 + 0.4*cos(2*t))*u"), 20.0, READ, truth,
        max(abs(truth)), source="scipy, x'' + (1 + 0.4 cos 2 t) x = 0",
    )  # fmt: skip
    # Stiffness 1 on one side and 9 on the other: half periods pi and pi / 3.
    t = 7 * (math.pi + math.pi / 3) + 1.0
    yield from both(
        case, "bilinear spring: x, v", lambda: one(v=1, spring="u*(5 - 4*sign(u))"), t, READ, [math.sin(1), math.cos(1)],
        source="half periods pi and pi/3", loose=5e-3, tight=1e-4,
    )  # fmt: skip
    truth = integrate(lambda t, y: [y[1], -math.exp(y[0]) + 1], [3, 0], 15.0)
    yield from both(
        case, "Toda's spring: x, v", lambda: one(x=3, spring="exp(u) - 1"), 15.0, READ, truth, 6.0,
        source="scipy, x'' = 1 - exp x", loose=5e-4, tight=5e-7,
    )  # fmt: skip


def planar(case):
    B, E, t = 2.0, 0.5, 12.0

    def charge():
        return generic([0, 0], [1, 0], [[1, 0], [0, 1]], force=[f"{B}*v1", f"{E} - {B}*v0"])

    u = 1 - E / B
    truth = [u * math.sin(B * t) / B + E / B * t, u * (math.cos(B * t) - 1) / B]
    yield from both(
        case, "charge in crossed fields: drift and gyration", charge, t, lambda r: np.ravel(r["q.coordinate"].last), truth, 3.0,
        source="drift E/B, rate q B/m",
    )  # fmt: skip

    def henon(t, y):
        return [y[2], y[3], -y[0] - 2 * y[0] * y[1], -y[1] - y[0] ** 2 + y[1] ** 2]

    start = [0.1, -0.2, 0.3, 0.2]
    yield from both(
        case, "Henon and Heiles: x, y",
        lambda: generic(start[:2], start[2:], [[1, 0], [0, 1]], force=["-q0 - 2*q0*q1", "-q1 - q0^2 + q1^2"]), 40.0,
        lambda r: np.ravel(r["q.coordinate"].last), integrate(henon, start, 40.0)[:2], 0.5, source="scipy",
    )  # fmt: skip

    def orbit():
        m = sl.Model(gravity=(0, 0, 0))
        m.point_mass(mass=1, at=(0.1, 0, 0), velocity=(0, math.sqrt(19.0), 0), name="planet")
        m.add(UserSpring(name="pull", A=m.ground, B="planet", tension="1/L^2"))
        return m

    # Eccentricity 0.9, semi-major axis 1: half a turn after three.
    yield from both(
        case, "Kepler, eccentricity 0.9, at the apocentre of the fourth turn", orbit, 7 * math.pi,
        ["planet.position.x", "planet.position.y", "planet.velocity.y"], [-1.9, 0, -math.sqrt(1 / 19)], 1.9,
        source="Kepler", loose=2e-3, tight=2e-6,
    )  # fmt: skip

    def precessing():
        m = sl.Model(gravity=(0, 0, 0))
        m.point_mass(mass=1, at=(1, 0, 0), velocity=(0.3, 1.1, 0), name="planet")
        m.add(UserSpring(name="pull", A=m.ground, B="planet", tension="1/L^2 + 0.1/L^3"))
        return m

    def f(t, y):
        p, r = y[:2], np.hypot(*y[:2])
        return [*y[2:], *(-(1 / r**2 + 0.1 / r**3) * p / r)]

    truth = integrate(f, [1, 0, 0.3, 1.1], 30.0)[:2]
    yield from both(
        case, "Newton's revolving orbit: x, y", precessing, 30.0, ["planet.position.x", "planet.position.y"], truth, 2.0,
        source="scipy", loose=5e-4,
    )  # fmt: skip


def first(x0, *functions):
    m = states(x0)
    m.add(FirstOrderSystem(name="system", node="x", function=list(functions)))
    return m


def first_order(case):
    def vector(result):
        return np.ravel(result["x.state"].last)

    def lorenz(t, y):
        return [10 * (y[1] - y[0]), y[0] * (28 - y[2]) - y[1], y[0] * y[1] - 8 / 3 * y[2]]

    yield from both(
        case, "Lorenz for 4 s", lambda: first([1, 1, 1], "10*(q1 - q0)", "q0*(28 - q2) - q1", "q0*q1 - 8/3*q2"), 4.0, vector,
        integrate(lorenz, [1, 1, 1], 4.0), 20.0, source="scipy", loose=5e-3, tight=5e-6,
    )  # fmt: skip
    yield from both(
        case, "Lotka and Volterra", lambda: first([2, 1], "q0*(1 - q1)", "q1*(q0 - 1)"), 30.0, vector,
        integrate(lambda t, y: [y[0] * (1 - y[1]), y[1] * (y[0] - 1)], [2, 1], 30.0), 2.0, source="scipy",
    )  # fmt: skip
    yield from both(
        case, "Brusselator", lambda: first([1.5, 3], "1 + q0^2*q1 - 4*q0", "3*q0 - q0^2*q1"), 20.0, vector,
        integrate(lambda t, y: [1 + y[0] ** 2 * y[1] - 4 * y[0], 3 * y[0] - y[0] ** 2 * y[1]], [1.5, 3], 20.0), 4.0,
        source="scipy; Hairer, Norsett, Wanner I.16",
    )  # fmt: skip

    def robertson(t, y):
        a, b, c = 0.04 * y[0], 1e4 * y[1] * y[2], 3e7 * y[1] ** 2
        return [b - a, a - b - c, c]

    yield from both(
        case, "Robertson's stiff reaction, 40 s",
        lambda: first([1, 0, 0], "-0.04*q0 + 1e4*q1*q2", "0.04*q0 - 1e4*q1*q2 - 3e7*q1^2", "3e7*q1^2"), 40.0, vector,
        integrate(robertson, [1, 0, 0], 40.0, "Radau"), 1.0, source="scipy, Radau; Hairer, Wanner II.1", tolerance=1e-7,
        tight=1e-5,
    )  # fmt: skip
    yield from both(
        case, "van der Pol, mu 1000, half a slow branch", lambda: first([2, 0], "q1", "1000*(1 - q0^2)*q1 - q0"), 500.0, vector,
        integrate(lambda t, y: [y[1], 1000 * (1 - y[0] ** 2) * y[1] - y[0]], [2, 0], 500.0, "Radau"), 2.0,
        source="scipy, Radau; Hairer, Wanner IV.8", tolerance=1e-7, tight=1e-5,
    )  # fmt: skip
    t = 1.0
    yield from both(
        case, "stiff follower of a slow signal", lambda: first([0], "-1e6*(q0 - sin(t))"), t, vector,
        [math.sin(t) - 1e-6 * math.cos(t)], source="x = sin t - cos t / k, to 1/k^2", tolerance=1e-7, tight=1e-5,
    )  # fmt: skip


def scales(case):
    def spectrum():
        m = sl.Model(gravity=(0, 0, 0))
        for i, k in enumerate((1.0, 100.0, 1e4)):
            m.add(Node1d(name=f"n{i}", displacement=1.0))
            m.add(Mass1d(name=f"m{i}", node=f"n{i}", mass=1))
            m.add(CoordinateSpringDamper(name=f"s{i}", A="ground", B=f"n{i}", stiffness=k))
        return m

    t = 5.0
    yield from both(
        case, "wide spectrum, rates 1, 10, 100: x", spectrum, t, [f"n{i}.coordinate" for i in range(3)],
        [math.cos(math.sqrt(k) * t) for k in (1.0, 100.0, 1e4)], source="harmonic motion", loose=5e-3, tight=5e-6,
    )  # fmt: skip

    def pair(far, size, k=100.0, mass=1.0):
        m = sl.Model(gravity=(0, 0, 0))
        a = m.point_mass(mass=mass, at=(far, far, 0), velocity=(0, 0, 0), displacement=(-size, 0, 0), name="a")
        b = m.point_mass(mass=mass, at=(far + 1, far, 0), displacement=(size, 0, 0), name="b")
        m.spring(a, b, stiffness=k, rest_length=1, name="s")
        return m

    w, t = math.sqrt(200.0), 3.0
    truth = [0.2 * math.cos(w * t), 0.2 * w * -math.sin(w * t)]
    yield from both(
        case, "pair of masses 1e5 m from the origin: stretch, its rate", lambda: pair(1e5, 0.1), t,
        lambda r: [r["b.position.x"].last - r["a.position.x"].last - 1, r["b.velocity.x"].last - r["a.velocity.x"].last],
        truth, 0.2 * w, source="harmonic motion",
    )  # fmt: skip
    truth = [2e-6 * math.cos(w * t), 2e-6 * w * -math.sin(w * t)]
    yield from both(
        case, "pair of masses that swing by a micrometre: stretch, its rate", lambda: pair(0, 1e-6), t,
        lambda r: [r["b.position.x"].last - r["a.position.x"].last - 1, r["b.velocity.x"].last - r["a.velocity.x"].last],
        truth, 2e-6 * w, source="harmonic motion",
    )  # fmt: skip

    def drawing():
        """Tonnes and millimetres: newtons stay newtons."""
        m = sl.Model(gravity=(0, 0, -9810))
        ball = m.point_mass(mass=2e-3, at=(1000, 0, 0), name="ball")
        m.distance(m.ground, ball, name="rod")
        return m

    y = integrate(lambda t, y: [y[1], -9.81 * math.sin(y[0])], [math.pi / 2, 0], 3.0)
    yield from both(
        case, "pendulum in tonnes and millimetres: x, z [mm]", drawing, 3.0, ["ball.position.x", "ball.position.z"],
        [1000 * math.sin(y[0]), -1000 * math.cos(y[0])], 1000, source="scipy",
    )  # fmt: skip

    def tiny():
        m = sl.Model(gravity=(0, 0, -9.81))
        ball = m.point_mass(mass=1e-15, at=(1e-5, 0, 0), name="ball")
        m.distance(m.ground, ball, name="rod")
        return m

    s = math.sqrt(1e-5)
    yield from both(
        case, "pendulum of 10 micrometres: x, z", tiny, 3.0 * s, ["ball.position.x", "ball.position.z"],
        [1e-5 * math.sin(y[0]), -1e-5 * math.cos(y[0])], 1e-5, source="scipy",
    )  # fmt: skip


def long(case):
    """The error of the phase grows in proportion to the time."""
    t = 2 * math.pi * 1e4
    result = one(k=1, x=1).simulate(t, tolerance=1e-9, record=1000.0)
    case.how = f"{result.scheme}, tolerance 1e-09"
    x, v = result["n.coordinate"].last, result["n.rate"].last
    yield case.compare("phase after 1e4 periods [rad]", math.atan2(-v, x), 0.0, 1e-4, source="harmonic motion")
    yield case.compare("amplitude after 1e4 periods", math.hypot(x, v), 1.0, 1e-4, source="harmonic motion")


def verify(case):
    for part in (forced, nonlinear, planar, first_order, scales, long):
        yield from part(case)
