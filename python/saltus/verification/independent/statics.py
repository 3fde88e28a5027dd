"""Equilibria: hanging chains, trusses through large displacements, beams of bushings, redundant supports, buckling."""

import math

import numpy as np

import saltus as sl
from saltus.items import Bushing
from saltus.verification.independent._truth import last

G = 9.81


def still(case, label, make, read, truth, tolerance, source):
    case.how = "static()"
    result = make().static()
    values = read(result) if callable(read) else last(result, read)
    yield case.compare(label, values, truth, tolerance, source=source)


def catenary(case):
    """Ten masses on eleven springs between two points; equilibrium of each mass by scipy."""
    from scipy.optimize import fsolve

    n, k, rest, mass, span = 10, 500.0, 0.1, 0.2, 1.0
    x0 = np.linspace(0, span, n + 2)

    def make():
        m = sl.Model(gravity=(0, 0, -G))
        ends = [m.body(mass=1, inertia=(1, 1, 1), at=(x, 0, 0), name=f"end{i}") for i, x in enumerate((0.0, span))]
        for i, e in enumerate(ends):
            m.fixed(m.ground, e, name=f"wall{i}")
        before = ends[0]
        for i in range(1, n + 1):
            p = m.point_mass(mass=mass, at=(x0[i], 0, -0.3 * math.sin(math.pi * x0[i])), name=f"p{i}")
            m.spring(before, p, stiffness=k, rest_length=rest)
            before = p
        m.spring(before, ends[1], stiffness=k, rest_length=rest)
        return m

    def residual(y):
        p = np.vstack([[0, 0], y.reshape(n, 2), [span, 0]])
        d = np.diff(p, axis=0)
        size = np.linalg.norm(d, axis=1)
        T = (k * (size - rest) / size)[:, None] * d
        return (T[1:] - T[:-1] - np.array([0, mass * G])).ravel()

    start = np.column_stack([x0[1:-1], -0.3 * np.sin(np.pi * x0[1:-1])])
    y = fsolve(residual, start.ravel(), xtol=1e-13).reshape(n, 2)
    yield from still(
        case, "masses on springs hang: places", make,
        [f"p{i}.position.{a}" for i in range(1, n + 1) for a in "xz"], y.ravel(), 1e-9, "scipy, sum of the forces on each mass",
    )  # fmt: skip


def truss(case):
    from scipy.optimize import brentq

    a, h, k, P = 1.0, 0.3, 1e4, 30.0
    length = math.hypot(a, h)

    def force(w):
        s = math.hypot(a, h - w)
        return 2 * k * (length - s) * (h - w) / s - P

    w = brentq(force, 0, 0.12, xtol=1e-14)

    def make():
        m = sl.Model(gravity=(0, 0, 0))
        top = m.point_mass(mass=1, at=(0, 0, h), name="top")
        for i, x in enumerate((-a, a)):
            base = m.body(mass=1, inertia=(1, 1, 1), at=(x, 0, 0), name=f"base{i}")
            m.fixed(m.ground, base)
            m.spring(base, top, stiffness=k, rest_length=length)
        m.force(top, (0, 0, -P))
        return m

    yield from still(
        case, "von Mises' truss before it snaps: height", make, ["top.position.z"], [h - w], 1e-9, "scipy, brentq"
    )  # fmt: skip

    def bars():
        m = sl.Model(gravity=(0, 0, 0))
        node = m.point_mass(mass=1, at=(0, 0, -1), name="node")
        for i, x in enumerate((-1.0, 0.0, 1.5)):
            base = m.body(mass=1, inertia=(1, 1, 1), at=(x, 0, 0), name=f"base{i}")
            m.fixed(m.ground, base)
            m.spring(base, node, stiffness=1e3, rest_length=math.hypot(x, 1))
        m.force(node, (300, 0, -900))
        return m

    from scipy.optimize import fsolve

    def residual(p):
        f = np.array([300.0, -900.0])
        for x in (-1.0, 0.0, 1.5):
            d = p - np.array([x, 0])
            s = np.hypot(*d)
            f = f - 1e3 * (s - math.hypot(x, 1)) * d / s
        return f

    p = fsolve(residual, [0.1, -1.4], xtol=1e-13)
    yield from still(
        case, "three bars, displacement as large as the truss: place", bars, ["node.position.x", "node.position.z"], p, 1e-9,
        "scipy, sum of the forces",
    )  # fmt: skip


def beam(n, moment=0.0, load=0.0, bend=1.0, length=1.0):
    """n segments on n bushings stiff in all but one rotation, clamped at the origin, along x; rotation about y."""
    m = sl.Model(gravity=(0, 0, 0))
    d = length / n
    before = m.ground
    for i in range(n):
        s = m.body(mass=0.1, inertia=(1e-3,) * 3, at=((i + 0.5) * d, 0, 0), name=f"s{i}")
        k = np.diag([1e7, 1e7, 1e7, 1e5, bend * n, 1e5])
        m.add(Bushing(name=f"b{i}", A=before, B=s, at=[i * d, 0, 0], rotation=[0, 0, 0], stiffness=k.tolist()))
        before = s
    if moment:
        m.torque(before, (0, moment, 0))
    if load:
        m.force(before, (0, 0, -load))
    return m


def beams(case):
    n, M = 12, 2.0
    turns = (np.arange(n) + 1) * M / (1.0 * n)
    x, z = np.sum(np.cos(turns[:-1])) / n + 0.5 * np.cos(turns[-1]) / n, -np.sum(np.sin(turns[:-1])) / n
    z -= 0.5 * np.sin(turns[-1]) / n
    yield from still(
        case, "beam bent to a third of a circle by a moment: last segment", lambda: beam(n, moment=M),
        [f"s{n - 1}.position.x", f"s{n - 1}.position.z"], [x, z], 1e-9, "each hinge turns by M / k",
    )  # fmt: skip
    P, n = 1.5, 8
    from scipy.optimize import fsolve

    def residual(q):
        """Moments about each hinge: k (q_i - q_(i-1)) = P times the arm along x to the load at the last segment's middle."""
        arms = np.cos(q) / n
        arms[-1] *= 0.5
        lever = np.cumsum(arms[::-1])[::-1]
        return n * np.diff(np.concatenate([[0], q])) - P * lever

    q = fsolve(residual, np.full(n, 0.3), xtol=1e-13)
    w = np.full(n, 1.0 / n)
    w[-1] *= 0.5
    yield from still(
        case, "elastica of eight links under a dead load: last segment", lambda: beam(n, load=P),
        [f"s{n - 1}.position.x", f"s{n - 1}.position.z"], [np.sum(w * np.cos(q)), -np.sum(w * np.sin(q)) - n * P / 1e7], 1e-9,
        "scipy, moments about each hinge; the bushings give way by P / k",
    )  # fmt: skip


def door(case):
    """On two hinges: the sums of the reactions are unique; each runs for ten seconds without change."""

    def make():
        m = sl.Model(gravity=(0, 0, -G))
        d = m.box(size=(0.9, 0.04, 2.0), mass=20, at=(0.45, 0, 1.0), name="door")
        for i, z in enumerate((0.3, 1.7)):
            m.revolute(m.ground, d, at=(0, 0, z), axis="z", name=f"hinge{i}")
        return m

    def sums(r):
        f = [np.ravel(r[f"hinge{i}.force"].last)[:3] for i in (0, 1)]
        t = [np.ravel(r[f"hinge{i}.torque"].last)[:3] for i in (0, 1)]
        moment = sum(t) + np.cross([0, 0, 0.3], f[0]) + np.cross([0, 0, 1.7], f[1])
        return [*(f[0] + f[1]), *moment]

    # The weight at (0.45, 0, 1): the hinges' force m g upward, their moment about the origin against it.
    truth = [0, 0, 20 * G, 0, -0.45 * 20 * G, 0]
    yield from still(case, "door on two hinges: sum of forces and moments", make, sums, truth, 1e-8, "balance")
    result = make().simulate(10.0)
    case.how = f"{result.scheme}, as simulate() chooses"
    yield case.compare(
        "door at rest for ten seconds: sum of forces and moments", sums(result), truth, 1e-6, source="balance"
    )
    largest = float(np.abs(np.asarray(result["hinge0.force"])).max())
    yield case.compare(
        "largest force of a hinge below the weight", float(largest < 20 * G), 1.0, 0.0, source="least norm"
    )


def tumbler(case):
    """A rod upright on a torsion spring: stable above k = m g l, else it leans."""
    from scipy.optimize import brentq

    def make(k):
        m = sl.Model(gravity=(0, 0, -G))
        rod = m.body(mass=1, inertia=(0.1, 0.1, 0.1), at=(0, 0, 0.5), name="rod")
        m.revolute(m.ground, rod, at=(0, 0, 0), axis="y", stiffness=k, rest_angle=0.05, name="pin")
        return m

    for k in (8.0, 6.0):
        q = brentq(lambda q, k=k: k * (q - 0.05) - G * 0.5 * math.sin(q), 0.01, 2.0, xtol=1e-14)
        yield from still(
            case, f"leaning rod on a spring of {k:g} N m/rad: angle", lambda k=k: make(k), ["pin.angle"], [q], 1e-9,
            "scipy, k (q - q0) = m g l sin q",
        )  # fmt: skip


def verify(case):
    for part in (catenary, truss, beams, door, tumbler):
        yield from part(case)
