"""Mechanisms: closed kinematics of cranks, four bars and Cardan shafts, trammels, gears, ropes; rolling without slip."""

import math

import numpy as np

import saltus as sl
from saltus.items import (
    CoordinateLoad,
    GenericSystem,
    LinearRelation,
    Mass1d,
    Node1d,
    NodeOde2,
    RotationalMass,
    UserRateRelation,
)
from saltus.verification.independent._truth import both
from saltus.verification.models import coordinates

G = 9.81


def weightless():
    return sl.Model(gravity=(0, 0, 0))


def slider_crank(case):
    r, length, w, t = 0.1, 0.25, 30.0, 1.03

    def make():
        m = weightless()
        crank = m.rod((0, 0, 0), (r, 0, 0), mass=0.3, name="crank")
        rod = m.rod((r, 0, 0), (r + length, 0, 0), mass=0.4, name="rod")
        slider = m.box(size=(0.05, 0.05, 0.05), mass=1, at=(r + length, 0, 0), name="slider")
        m.revolute(m.ground, crank, at=(0, 0, 0), axis="z", speed=w, name="shaft")
        m.revolute(crank, rod, at=(r, 0, 0), axis="z")
        m.revolute(rod, slider, at=(r + length, 0, 0), axis="z")
        m.prismatic(m.ground, slider, axis="x")
        return m

    q = w * t
    root = math.sqrt(length**2 - (r * math.sin(q)) ** 2)
    truth = [r * math.cos(q) + root, -r * w * math.sin(q) - r * r * w * math.sin(q) * math.cos(q) / root, q]
    yield from both(
        case, "slider-crank, five turns: slider, its speed, angle of the shaft", make, t,
        ["slider.position.x", "slider.velocity.x", "shaft.angle"], truth, 3.0, source="r cos q + sqrt(l^2 - r^2 sin^2 q)", scheme="dormand_prince",
    )  # fmt: skip


def four_bar(case):
    a, b, c, d, w = 0.1, 0.35, 0.3, 0.4, 5.0

    def rocker(q):
        """Angle of the rocker by Freudenstein's equation."""
        k1, k2, k3 = d / a, d / c, (a * a - b * b + c * c + d * d) / (2 * a * c)
        A = math.cos(q) - k1 - k2 * math.cos(q) + k3
        B, C = -2 * math.sin(q), k1 - (k2 + 1) * math.cos(q) + k3
        return 2 * math.atan2(-B - math.sqrt(B * B - 4 * A * C), 2 * A)

    def make():
        m = weightless()
        p = rocker(0.0)
        B, C, D = (a, 0, 0), (d + c * math.cos(p), c * math.sin(p), 0), (d, 0, 0)
        crank, coupler, rock = m.rod((0, 0, 0), B, mass=0.1), m.rod(B, C, mass=0.2), m.rod(D, C, mass=0.2)
        m.revolute(m.ground, crank, at=(0, 0, 0), axis="z", speed=w)
        m.revolute(crank, coupler, at=B, axis="z")
        m.revolute(coupler, rock, at=C, axis="z")
        m.revolute(m.ground, rock, at=D, axis="z", name="pin")
        return m

    t = 3.0
    h = 1e-5
    truth = [
        (rocker(w * t) - rocker(0) + math.pi) % (2 * math.pi) - math.pi,
        w * (rocker(w * t + h) - rocker(w * t - h)) / (2 * h),
    ]
    yield from both(
        case, "four-bar: angle and rate of the rocker", make, t, ["pin.angle", "pin.angular_rate"], truth,
        source="Freudenstein's equation", scheme="dormand_prince",
    )  # fmt: skip


def cardan(case):
    bend, w, t = math.radians(35), 10.0, 1.1
    out = (math.cos(bend), math.sin(bend), 0)

    def make():
        m = weightless()
        a = m.cylinder(radius=0.05, length=0.4, mass=1, at=(-0.2, 0, 0), axis="x", name="a")
        b = m.cylinder(radius=0.05, length=0.4, mass=1, at=tuple(0.2 * np.array(out)), axis=out, name="b")
        m.revolute(m.ground, a, at=(-0.2, 0, 0), axis="x", speed=w, name="in")
        m.universal(a, b, at=(0, 0, 0), axes=("z", (-math.sin(bend), math.cos(bend), 0)))
        m.revolute(m.ground, b, at=tuple(0.2 * np.array(out)), axis=out, name="out")
        return m

    # The cross' first axis starts normal to the plane of the shafts.
    q = w * t
    other = math.atan2(math.sin(q) * math.cos(bend), math.cos(q))
    other += 2 * math.pi * round((q - other) / (2 * math.pi))
    ratio = math.cos(bend) / (1 - math.sin(bend) ** 2 * math.sin(q) ** 2)
    yield from both(
        case, "Cardan joint: angle and rate of the driven shaft", make, t, ["out.angle", "out.angular_rate"],
        [other, w * ratio], w, source="tan q2 = cos b tan q1", scheme="dormand_prince",
    )  # fmt: skip


def gears(case):
    def make():
        m = weightless()
        for i, J in enumerate((0.1, 0.9)):
            m.add(Node1d(name=f"n{i}"))
            m.add(RotationalMass(name=f"wheel{i}", node=f"n{i}", inertia=J))
        m.add(CoordinateLoad(name="motor", on="n0", force="2 + sin(t)"))
        m.add(
            LinearRelation(
                name="mesh", on=[{"node": "n0", "coordinate": 0}, {"node": "n1", "coordinate": 0}], matrix=[[1, 3]]
            )
        )
        return m

    J, t = 0.1 + 0.9 / 9, 9.0
    q = (t * t + t - math.sin(t)) / J
    yield from both(
        case, "pair of gears, many turns: angles", make, t, ["n0.coordinate", "n1.coordinate"], [q, -q / 3], q,
        source="reduced inertia",
    )  # fmt: skip

    def atwood():
        m = weightless()
        for i, (kind, size) in enumerate(((Mass1d, 3.0), (Mass1d, 2.0), (RotationalMass, 0.02))):
            m.add(Node1d(name=f"n{i}"))
            m.add(kind(name=f"m{i}", node=f"n{i}", **{"inertia" if kind is RotationalMass else "mass": size}))
        for i, mass in enumerate((3.0, 2.0)):
            m.add(CoordinateLoad(name=f"weight{i}", on=f"n{i}", force=f"{mass * G}"))
        on = [{"node": f"n{i}", "coordinate": 0} for i in range(3)]
        m.add(LinearRelation(name="rope", on=on, matrix=[[1, 0, -0.1], [0, 1, 0.1]]))
        return m

    a = G * (3 - 2) / (5 + 0.02 / 0.01)
    yield from both(
        case, "Atwood's machine with a heavy pulley: position, rope's two tensions", atwood, 2.0,
        lambda r: [r["n0.coordinate"].last, *np.abs(np.ravel(r["rope.multiplier"].last))],
        [2 * a, 3 * (G - a), 2 * (G + a)], 20.0, source="Newton's second law",
    )  # fmt: skip


def sleigh(case):
    """Chaplygin's sleigh with the centre of mass at the blade, on a slope: Neimark and Fufaev, a cycloid."""
    w, slope, t = 1.5, math.sin(0.4) * G, 7.0

    def make():
        m = weightless()
        node = m.add(NodeOde2(name="q", count=3, coordinates=[0, 0, 0], velocities=[0, 0, w]))
        M = np.diag([1, 1, 0.2]).tolist()
        m.add(GenericSystem(name="sleigh", node=node, mass_matrix=M, force=[f"{slope}", "0", "0"]))
        m.add(UserRateRelation(name="blade", on=coordinates("q", 3), function="-sin(q2)*v0 + cos(q2)*v1"))
        return m

    x = slope / (2 * w * w) * math.sin(w * t) ** 2
    y = slope / (2 * w * w) * (w * t - 0.5 * math.sin(2 * w * t))
    yield from both(
        case, "skate on a slope: x down, y across", make, t, lambda r: np.ravel(r["q.coordinate"].last), [x, y, w * t], 10.0,
        source="Neimark, Fufaev: a cycloid across the slope",
    )  # fmt: skip

    def offset():
        """Centre of mass ahead of the blade by a: it straightens out."""
        m = weightless()
        node = m.add(NodeOde2(name="q", count=3, coordinates=[0, 0, 0], velocities=[0, 0.3 * 2, 2]))
        m.add(GenericSystem(name="sleigh", node=node, mass_matrix=np.diag([1, 1, 0.2]).tolist()))
        m.add(UserRateRelation(name="blade", on=coordinates("q", 3), function="-sin(q2)*v0 + cos(q2)*v1 - 0.3*v2"))
        return m

    # u' = a w^2, (J + m a^2) w' = -m a w u: the energy u^2 + k w^2 stays, u = U tanh, w = W / cosh.
    a, k = 0.3, 0.2 + 0.09
    U = math.sqrt(k) * 2
    rate = a * U / k
    t = 4.0
    q = 2 / rate * 2 * math.atan(math.tanh(0.5 * rate * t))
    u, w = U * math.tanh(rate * t), 2 / math.cosh(rate * t)

    def read(r):
        angle, v = np.ravel(r["q.coordinate"].last)[2], np.ravel(r["q.rate"].last)
        return [angle, v[0] * math.cos(angle) + v[1] * math.sin(angle), v[2]]

    yield from both(
        case, "Chaplygin's sleigh: heading, speed, turning rate", offset, t, read, [q, u, w], 2.0,
        source="Chaplygin: u = U tanh, w = W / cosh",
    )  # fmt: skip


def turntable(case):
    """A ball rolls on a turntable: it circles with 2/7 of its rate."""
    W, R = 3.5, 0.1

    def make():
        m = weightless()
        v = (0.1, 0.0)
        wx, wy = (v[1] - W * 0.5) / -R, (v[0] + W * 0.0) / R
        node = m.add(NodeOde2(name="q", count=4, coordinates=[0.5, 0, 0, 0], velocities=[*v, wx, wy]))
        m.add(GenericSystem(name="ball", node=node, mass_matrix=np.diag([1, 1, 0.4 * R * R, 0.4 * R * R]).tolist()))
        m.add(
            UserRateRelation(
                name="roll", on=coordinates("q", 4), rows=2, function=[f"v0 - {R}*v3 + {W}*q1", f"v1 + {R}*v2 - {W}*q0"]
            )  # fmt: skip
        )
        return m

    w, t = 2 * W / 7, 11.0
    # r'' = w z x r': a circle.
    x = 0.5 + 0.1 / w * math.sin(w * t)
    y = 0.1 / w * (1 - math.cos(w * t))
    yield from both(
        case, "ball on a turntable: x, y", make, t, lambda r: np.ravel(r["q.coordinate"].last)[:2], [x, y], 0.5,
        source="circle of rate 2/7 of the table's (Routh)",
    )  # fmt: skip


def verify(case):
    for part in (slider_crank, four_bar, cardan, gears, sleigh, turntable):
        yield from part(case)
