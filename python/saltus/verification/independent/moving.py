"""Motion in turning and jointed frames: tubes, arms, double Cardan shafts, straight lines by links, stops after turns, orbits."""

import math

import numpy as np

import saltus as sl
from saltus.items import UserSpring
from saltus.verification.independent._truth import both, integrate
from saltus.verification.independent.impacts import runs

G = 9.81


def tube(speed=None, start=0.5, spin=2.0):
    m = sl.Model(gravity=(0, 0, 0))
    pipe = m.body(mass=1, inertia=(1, 1, 0.8), angular_velocity=(0, 0, spin), name="pipe")
    m.revolute(m.ground, pipe, axis="z", name="shaft", **({} if speed is None else {"speed": speed}))
    bead = m.body(
        mass=0.5,
        inertia=(1e-3,) * 3,
        at=(start, 0, 0),
        velocity=(0, spin * start, 0),
        angular_velocity=(0, 0, spin),
        name="bead",
    )
    m.prismatic(pipe, bead, at=(start, 0, 0), axis="x", name="slide")
    return m


def tubes(case):
    t, w = 2.0, 2.0
    r = 0.5 * math.cosh(w * t)
    yield from both(
        case, "bead thrown out of a driven tube: distance", lambda: tube(speed=w), t,
        lambda q: [math.hypot(*np.ravel(q["bead.position"].last)[:2])], [r], r, source="r = r0 cosh w t",
    )  # fmt: skip

    def f(t, y):
        r, v, _ = y
        w = L / (J + 0.5 * r * r)
        return [v, r * w * w, w]

    J = 0.8 + 1e-3
    L = (J + 0.5 * 0.25) * 6.0
    r, v, q = integrate(f, [0.5, 0, 0], 1.5)
    yield from both(
        case, "bead in a free tube: place", lambda: tube(spin=6.0), 1.5, ["bead.position.x", "bead.position.y", "shaft.angle"],
        [r * math.cos(q), r * math.sin(q), q], 5.0, source="scipy, momentum stays",
    )  # fmt: skip


def straight(case):
    """Peaucellier's linkage: seven links, one point goes along a straight line."""
    a, b, c = 0.5, 0.2, 0.25  # long links, rhombus, crank and its base
    w, t = 0.6, 0.5

    def make():
        m = sl.Model(gravity=(0, 0, 0))
        P = (2 * c, 0, 0)
        crank = m.rod((c, 0, 0), P, mass=0.1, name="crank")
        m.revolute(m.ground, crank, at=(c, 0, 0), axis="z", speed=w)
        d = (a * a - b * b) / (2 * c)  # OQ at the start
        mid = 0.5 * (2 * c + d)
        h = math.sqrt(a * a - mid * mid)
        pen = m.point_mass(mass=0.1, at=(d, 0, 0), name="pen")
        base = m.body(mass=0.1, inertia=(1e-3,) * 3, name="base")
        m.fixed(m.ground, base)
        inner = m.point_mass(mass=0.1, at=P, name="inner")
        m.spherical(crank, inner, at=P)
        for i, s in enumerate((h, -h)):
            corner = m.point_mass(mass=0.1, at=(mid, s, 0), name=f"corner{i}")
            m.generic(m.ground, corner, locked="z", name=f"flat{i}")
            m.distance(base, corner, length=a)
            m.distance(inner, corner, length=b)
            m.distance(pen, corner, length=b)
        m.generic(m.ground, pen, locked="z", name="flat")
        return m

    q = w * t
    x = (a * a - b * b) / (2 * c)
    yield from both(
        case, "Peaucellier's straight line: x, y", make, t, ["pen.position.x", "pen.position.y"], [x, x * math.tan(0.5 * q)],
        source="inversion of a circle through the centre", scheme="dormand_prince",
    )  # fmt: skip


def gyro(case):
    """A spun disk in a frame that a hinge across carries: J q'' with the gyroscopic pair, linear in the rates."""

    def make():
        m = sl.Model(gravity=(0, 0, 0))
        disk = m.body(mass=1, inertia=(0.1, 0.1, 0.18), angular_velocity=(0.4, 0, 50), name="disk")
        m.spherical(m.ground, disk, at=(0, 0, 0))
        m.torque(disk, (0, "0.5*cos(3*t)", 0))
        return m

    I = np.array([0.1, 0.1, 0.18])  # noqa: E741

    def f(t, y):
        w, R = y[:3], y[3:].reshape(3, 3)
        M = R.T @ np.array([0, 0.5 * math.cos(3 * t), 0])
        return [*((M + np.cross(I * w, w)) / I), *np.cross(R, w).ravel()]

    y = integrate(f, [0.4, 0, 50, *np.eye(3).ravel()], 2.0)
    yield from both(
        case, "gyro under a swaying torque: w in the body, axis", make, 2.0,
        lambda r: [*r["disk.angular_velocity_body"].last, *np.reshape(r["disk.rotation_matrix"].last, (3, 3))[:, 2]],
        [*y[:3], y[5], y[8], y[11]], 1.0, source="scipy, Euler's equations with torque", loose=2e-3, tight=2e-6,
    )  # fmt: skip


def turns(case):
    """A flywheel that a stop throws back after three turns."""
    angle, speed, e = 20.0, 15.0, 0.5

    def make():
        m = sl.Model(gravity=(0, 0, 0))
        wheel = m.body(mass=1, inertia=(1, 1, 1), angular_velocity=(0, 0, speed), name="wheel")
        m.revolute(m.ground, wheel, axis="z", limits=(-1.0, angle), restitution=e, name="pin")
        return m

    back = angle / speed + (angle + 1) / (e * speed)
    t = back + 2.0
    yield from runs(
        case, "stops three turns apart: angle, rate", make, t, ["pin.angle", "wheel.angular_velocity.z"],
        [-1 + e * e * speed * 2.0, e * e * speed], loose=1e-2, tight=1e-2, source="v' = -e v",
    )  # fmt: skip
    F = 0.5

    def drag():
        m = sl.Model(gravity=(0, 0, 0))
        wheel = m.body(mass=1, inertia=(1, 1, 1), angular_velocity=(0, 0, 8), name="wheel")
        m.revolute(m.ground, wheel, axis="z", friction=F, name="pin")
        return m

    yield from runs(
        case, "flywheel braked by dry friction through ten turns: angle, rate", drag, 20.0, ["pin.angle", "wheel.angular_velocity.z"],
        [64 / (2 * F), 0], loose=1e-3, tight=1e-3, step=1e-3, source="w^2 J / 2 M",
    )  # fmt: skip


def orbits(case):
    places = np.array([[0.97000436, -0.24308753], [-0.97000436, 0.24308753], [0, 0]])
    last = np.array([-0.93240737, -0.86473146])
    speeds = np.array([-last / 2, -last / 2, last])

    def make():
        m = sl.Model(gravity=(0, 0, 0))
        for i in range(3):
            m.point_mass(mass=1, at=(*places[i], 0), velocity=(*speeds[i], 0), name=f"p{i}")
        for i, j in ((0, 1), (0, 2), (1, 2)):
            m.add(UserSpring(name=f"g{i}{j}", A=f"p{i}", B=f"p{j}", tension="1/L^2"))
        return m

    def f(t, y):
        p = y[:6].reshape(3, 2)
        a = np.zeros((3, 2))
        for i in range(3):
            for j in range(3):
                if i != j:
                    d = p[j] - p[i]
                    a[i] += d / np.hypot(*d) ** 3
        return [*y[6:], *a.ravel()]

    y = integrate(f, [*places.ravel(), *speeds.ravel()], 10.0)
    yield from both(
        case, "three bodies on the figure of eight: places", make, 10.0, [f"p{i}.position.{a}" for i in range(3) for a in "xy"],
        y[:6], source="scipy; Chenciner, Montgomery (2000)", loose=5e-3, tight=5e-6,
    )  # fmt: skip


def rods(case):
    """Two rods on pins, released far from equilibrium, by Lagrange's equations."""
    length, mass = 0.8, 1.5
    J = mass * length**2 / 12

    def make():
        m = sl.Model(gravity=(0, -G, 0))
        before, place = m.ground, np.zeros(3)
        for i, q in enumerate((2.0, 1.2)):
            along = np.array([math.sin(q), -math.cos(q), 0])
            rod = m.body(
                mass=mass,
                inertia=(1e-3, J, J),
                at=tuple(place + 0.5 * length * along),
                rotation=(0, 0, q),
                name=f"rod{i}",
            )
            m.revolute(before, rod, at=tuple(place), axis="z", name=f"pin{i}")
            before, place = rod, place + length * along
        return m

    def f(t, y):
        q, p, v, w = y
        a, b, c = J + 1.25 * mass * length**2, J + 0.25 * mass * length**2, 0.5 * mass * length**2
        A = [[a, c * math.cos(q - p)], [c * math.cos(q - p), b]]
        k = c * math.sin(q - p)
        return [
            v, w,
            *np.linalg.solve(A, [-k * w * w - 1.5 * mass * G * length * math.sin(q), k * v * v - 0.5 * mass * G * length * math.sin(p)]),
        ]  # fmt: skip

    q, p, v, w = integrate(f, [2.0, 1.2, 0, 0], 2.5)
    yield from both(
        case, "two pinned rods: angles, rates", make, 2.5,
        ["pin0.angle", "pin1.angle", "rod0.angular_velocity.z", "rod1.angular_velocity.z"], [q - 2.0, p - q + 0.8, v, w], 10.0,
        source="scipy, Lagrange's equations",
    )  # fmt: skip


def verify(case):
    for part in (tubes, straight, gyro, turns, orbits, rods):
        yield from part(case)
