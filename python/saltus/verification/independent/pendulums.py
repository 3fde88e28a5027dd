"""Pendulums: over the top and many turns, on a moving support, elastic, triple, Kapitza's, swinging Atwood."""

import math

import numpy as np

import saltus as sl
from saltus.items import GenericSystem, NodeOde2, UserRelation
from saltus.verification.independent._truth import both, integrate
from saltus.verification.models import coordinates

G = 9.81


def bob(length=1.0, angle=0.0, velocity=(0, 0, 0)):
    """A point mass on a massless rod from the origin, in the plane y up, `angle` [rad] from hanging."""
    m = sl.Model(gravity=(0, -G, 0))
    mass = m.point_mass(
        mass=1, at=(length * math.sin(angle), -length * math.cos(angle), 0), velocity=velocity, name="bob"
    )
    m.distance(m.ground, mass, length=length, name="rod")
    return m


def simple(case):
    from scipy.special import ellipj, ellipk

    start, t = 3.0, 5.0
    k = math.sin(start / 2)
    sn, cn, dn, _ = ellipj(ellipk(k * k) - math.sqrt(G) * t, k * k)
    angle = 2 * math.asin(k * sn)
    yield from both(
        case, "pendulum from 3 rad: position", lambda: bob(1.0, start), t, ["bob.position"],
        [math.sin(angle), -math.cos(angle), 0], source="Jacobi's elliptic functions (Whittaker, 44)",
    )  # fmt: skip


def hinged(inertia=1.0, speed=0.0, **joint):
    m = sl.Model(gravity=(0, 0, 0))
    body = m.body(mass=1, inertia=(inertia,) * 3, angular_velocity=(0, 0, speed), name="body")
    m.revolute(m.ground, body, axis="z", name="hinge", **joint)
    return m


def torsion(case):
    t, w = 9.0, 0.7
    truth = [20 / w * math.sin(w * t), 20 * math.cos(w * t)]
    yield from both(
        case, "torsion pendulum through 4 turns to each side: angle, speed",
        lambda: hinged(speed=20, stiffness=w * w), t, ["hinge.angle", "body.angular_velocity.z"], truth, 20 / w,
        source="harmonic motion",
    )  # fmt: skip
    t, c, k = 6.0, 0.3, 0.5
    d = math.sqrt(k - 0.25 * c * c)
    rest = 30.0
    decay = math.exp(-0.5 * c * t)
    truth = rest - rest * decay * (math.cos(d * t) + 0.5 * c / d * math.sin(d * t))
    yield from both(
        case, "damped torsion spring with its rest five turns away: angle",
        lambda: hinged(stiffness=k, damping=c, rest_angle=rest), t, ["hinge.angle"], [truth], rest,
        source="damped harmonic motion",
    )  # fmt: skip
    truth = integrate(lambda t, y: [y[1], -0.5 * y[0] - math.sin(y[0]) - 0.01 * y[0] ** 3], [0, 15.0], 5.0)
    yield from both(
        case, "torque of angle by a function over turns: angle, speed",
        lambda: hinged(speed=15, torque=lambda t, q, v: -0.5 * q - math.sin(q) - 0.01 * q**3), 5.0,
        ["hinge.angle", "body.angular_velocity.z"], truth, 15, source="scipy, q'' = -q/2 - sin q - q^3/100",
    )  # fmt: skip


def whirled(case):
    """Rotations of a pendulum that goes over the top at every turn."""
    from scipy.special import ellipj

    speed, t = 8.0, 6.0
    k = 2 * math.sqrt(G) / speed
    sn, cn, *_ = ellipj(0.5 * speed * t, k * k)
    yield from both(
        case, "pendulum over the top: position", lambda: bob(velocity=(speed, 0, 0)), t, ["bob.position"],
        [2 * sn * cn, -(1 - 2 * sn * sn), 0], source="Jacobi's elliptic functions (Whittaker, 44)", loose=1e-3, tight=1e-6,
    )  # fmt: skip


def support(case):
    def make():
        m = sl.Model(gravity=(0, 0, -G))
        cart = m.box(size=(0.1, 0.1, 0.1), mass=1, at=(0, 0, 0), name="cart")
        m.prismatic(m.ground, cart, axis="x", position="0.3*sin(4*t)", name="rail")
        ball = m.point_mass(mass=0.7, at=(0, 0, -0.5), velocity=(1.2, 0, 0), name="ball")
        m.distance(cart, ball, name="rod")
        return m

    def f(t, y):
        a = -0.3 * 16 * math.sin(4 * t)
        return [y[1], -(G * math.sin(y[0]) + a * math.cos(y[0])) / 0.5]

    q = integrate(f, [0, 0], 4.0)[0]
    truth = [0.3 * math.sin(16) + 0.5 * math.sin(q), 0, -0.5 * math.cos(q)]
    yield from both(
        case, "pendulum on a shaken cart: position", make, 4.0, ["ball.position"], truth, 0.5,
        source="scipy, L q'' = -g sin q - x'' cos q",
    )  # fmt: skip


def cart(case):
    M, mass, length = 2.0, 1.0, 0.8

    def make():
        m = sl.Model(gravity=(0, 0, -G))
        c = m.box(size=(0.1, 0.1, 0.1), mass=M, name="cart")
        m.prismatic(m.ground, c, axis="x", name="rail")
        b = m.point_mass(mass=mass, at=(length, 0, 0), name="ball")
        m.distance(c, b, name="rod")
        return m

    def f(t, y):
        x, q, v, w = y
        A = np.array([[M + mass, mass * length * math.cos(q)], [mass * length * math.cos(q), mass * length**2]])
        return [v, w, *np.linalg.solve(A, [mass * length * w * w * math.sin(q), -mass * G * length * math.sin(q)])]

    y = integrate(f, [0, math.pi / 2, 0, 0], 3.0)
    yield from both(
        case, "pendulum on a free cart: cart, ball", make, 3.0, ["cart.position.x", "ball.position.z", "cart.velocity.x"],
        [y[0], -length * math.cos(y[1]), y[2]], 2.0, source="scipy, Lagrange's equations",
    )  # fmt: skip


def kapitza(case):
    a, w, length = 0.02, 300.0, 0.2

    def make():
        m = sl.Model(gravity=(0, 0, -G))
        base = m.box(size=(0.02, 0.02, 0.02), mass=1, name="base")
        m.prismatic(m.ground, base, axis="z", position=f"{a}*sin({w}*t)", name="rail")
        s = (length * math.sin(0.2), 0, length * math.cos(0.2))
        ball = m.point_mass(mass=0.1, at=s, velocity=(0, 0, a * w), name="ball")
        m.distance(base, ball, name="rod")
        return m

    y = integrate(lambda t, y: [y[1], (G - a * w * w * math.sin(w * t)) * math.sin(y[0]) / length], [0.2, 0], 1.0)
    truth = [length * math.sin(y[0]), length * math.cos(y[0]) + a * math.sin(w)]
    yield from both(
        case, "Kapitza's pendulum stands upright: position", make, 1.0, ["ball.position.x", "ball.position.z"], truth,
        length, source="scipy, L q'' = (g + z'') sin q", loose=1e-3, tight=1e-6,
    )  # fmt: skip


def spherical(case):
    def f(t, y):
        p, v = y[:3], y[3:]
        return [*v, *(np.array([0, -G, 0]) - (v @ v - G * p[1]) * p)]

    start = math.pi / 3
    p0, v0 = [math.sin(start), -math.cos(start), 0], (0, 0, 1.5)
    y = integrate(f, [*p0, *v0], 8.0)
    yield from both(
        case, "spherical pendulum: position, velocity", lambda: bob(1.0, start, v0), 8.0, ["bob.position", "bob.velocity"], y,
        2.0, source="scipy, p'' = g - (v^2 + g p) p",
    )  # fmt: skip
    w = math.sqrt(G / math.cos(start))
    v = w * math.sin(start)
    truth = [math.sin(start) * math.cos(w * 10), -math.cos(start), math.sin(start) * math.sin(w * 10)]
    yield from both(
        case, "conical pendulum: position", lambda: bob(1.0, start, (0, 0, v)), 10.0, ["bob.position"], truth,
        source="w^2 = g / (L cos q)",
    )  # fmt: skip


def elastic(case):
    def make():
        m = sl.Model(gravity=(0, 0, -G))
        ball = m.point_mass(mass=1, at=(1.2, 0, -0.3), name="ball")
        m.spring(m.ground, ball, stiffness=40, rest_length=1, name="spring")
        return m

    def f(t, y):
        p, v = y[:2], y[2:]
        r = np.hypot(*p)
        return [*v, *(-40 * (r - 1) * p / r + np.array([0, -G]))]

    y = integrate(f, [1.2, -0.3, 0, 0], 6.0)
    yield from both(
        case, "elastic pendulum: position, velocity", make, 6.0,
        ["ball.position.x", "ball.position.z", "ball.velocity.x", "ball.velocity.z"], y, 3.0, source="scipy, Newton's equations",

    )  # fmt: skip


def triple(case):
    start = [1.5, 1.0, 0.5]

    def make():
        m = sl.Model(gravity=(0, -G, 0))
        before, place = m.ground, np.zeros(3)
        for i, q in enumerate(start):
            place = place + 0.4 * np.array([math.sin(q), -math.cos(q), 0])
            ball = m.point_mass(mass=1.0 + i, at=tuple(place), name=f"b{i}")
            m.distance(before, ball, length=0.4, name=f"rod{i}")
            before = ball
        return m

    below = np.array([[6.0 - (max(i, j) and (1 if max(i, j) == 1 else 3)) for j in range(3)] for i in range(3)])

    def f(t, y):
        q, w = y[:3], y[3:]
        D = q[:, None] - q[None, :]
        A = below * 0.4 * np.cos(D)
        b = -below * 0.4 * np.sin(D) @ w**2 - G * np.diag(below) * np.sin(q)
        return [*w, *np.linalg.solve(A, b)]

    q = integrate(f, [*start, 0, 0, 0], 1.5)[:3]
    truth = [0.4 * np.sin(q).sum(), -0.4 * np.cos(q).sum()]
    yield from both(
        case, "triple pendulum of unlike masses: its end", make, 1.5, ["b2.position.x", "b2.position.y"], truth, 1.0,
        source="scipy, Lagrange's equations",
    )  # fmt: skip


def atwood(case):
    M, mass = 3.0, 1.0
    start = (1.0, 1.2)  # length and angle of the bob, both at rest

    def make():
        m = sl.Model(gravity=(0, 0, 0))
        x, y = start[0] * math.sin(start[1]), -start[0] * math.cos(start[1])
        node = m.add(NodeOde2(name="q", count=3, coordinates=[x, y, -1.0], velocities=[0, 0, 0]))
        m.add(
            GenericSystem(
                name="masses",
                node=node,
                mass_matrix=np.diag([mass, mass, M]).tolist(),
                force=["0", f"{-mass * G}", f"{-M * G}"],
            )  # fmt: skip
        )
        m.add(UserRelation(name="rope", on=coordinates("q", 3), function="sqrt(q0^2 + q1^2) - q2 - 2"))
        return m

    def f(t, y):
        r, q, v, w = y
        return [
            v, w, (mass * r * w * w - M * G + mass * G * math.cos(q)) / (M + mass), (-G * math.sin(q) - 2 * v * w) / r
        ]  # fmt: skip

    r, q, *_ = integrate(f, [*start, 0, 0], 2.0)
    yield from both(
        case, "swinging Atwood machine: bob, counterweight", make, 2.0, lambda result: np.ravel(result["q.coordinate"].last),
        [r * math.sin(q), -r * math.cos(q), r - 2], 1.0, source="scipy, Tufillaro's equations (1984)",
    )  # fmt: skip


def hoop(case):
    radius, W = 0.5, 7.0

    def make():
        m = sl.Model(gravity=(0, 0, -G))
        ring = m.body(mass=1, inertia=(1, 1, 1), angular_velocity=(0, 0, W), name="ring")
        m.revolute(m.ground, ring, axis="z", speed=W, name="shaft")
        q = 0.1
        at = (radius * math.sin(q), 0, -radius * math.cos(q))
        bead = m.body(
            mass=0.2, inertia=(1e-9,) * 3, at=at, velocity=(0, W * at[0], 0), angular_velocity=(0, 0, W), name="bead"
        )
        m.revolute(ring, bead, at=(0, 0, 0), axis="y", name="arm")
        return m

    y = integrate(lambda t, y: [y[1], (W * W * math.cos(y[0]) - G / radius) * math.sin(y[0])], [0.1, 0], 3.0)
    truth = [-radius * math.cos(y[0]), radius * y[1] * math.sin(y[0])]
    yield from both(
        case, "bead on a turning hoop: height, its rate", make, 3.0, ["bead.position.z", "bead.velocity.z"], truth, radius * W,
        source="scipy, q'' = (W^2 cos q - g/R) sin q",
    )  # fmt: skip


def parabola(case):
    def make():
        m = sl.Model(gravity=(0, 0, 0))
        node = m.add(NodeOde2(name="q", count=2, coordinates=[1.5, 1.125], velocities=[0, 0]))
        m.add(GenericSystem(name="bead", node=node, mass_matrix=[[1, 0], [0, 1]], force=["0", f"{-G}"]))
        m.add(UserRelation(name="wire", on=coordinates("q", 2), function="q1 - 0.5*q0^2"))
        return m

    x, _ = integrate(lambda t, y: [y[1], -(y[0] * y[1] ** 2 + G * y[0]) / (1 + y[0] ** 2)], [1.5, 0], 5.0)
    yield from both(
        case, "bead on a parabola: position", make, 5.0, lambda r: np.ravel(r["q.coordinate"].last), [x, 0.5 * x * x], 1.5,
        source="scipy, (1 + x^2) x'' + x x'^2 + g x = 0",
    )  # fmt: skip


def verify(case):
    for part in (
        simple, whirled, torsion, support, cart, kapitza, spherical, elastic, triple, atwood, hoop, parabola
    ):  # fmt: skip
        yield from part(case)
