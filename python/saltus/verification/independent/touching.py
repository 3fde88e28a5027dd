"""Bodies that touch: grooves, tipping, ladders, a ball that leaves a ball, billiards, blocks that drag each other."""

import math

import numpy as np

import saltus as sl
from saltus.items import CoordinatePairGap, CoulombImpact, PlaneContact, Relay
from saltus.verification.independent.impacts import line, runs

G = 9.81


def groove(case):
    half = math.radians(35)

    def make():
        m = sl.Model()
        walls = [
            m.plane(normal=(s * math.cos(half), 0, math.sin(half)), name=f"wall{i}") for i, s in enumerate((1, -1))
        ]
        ball = m.sphere(radius=0.1, mass=2, at=(0, 0, 0.1 / math.sin(half)), name="ball")
        for i, wall in enumerate(walls):
            m.contact(wall, ball, name=f"c{i}")
        return m

    force = 2 * G / (2 * math.sin(half))
    yield from runs(
        case, "ball in a groove: the two forces", make, 0.5,
        lambda r: [float(np.linalg.norm(np.ravel(r[f"c{i}.force"].last)[:3])) for i in (0, 1)], [force, force], loose=1e-6,
        tight=1e-6, source="m g / (2 sin a)", step=1e-3,
    )  # fmt: skip


def tipping(case):
    """A box of 0.2 by 0.2 by 0.4 m on a slope: slides below tan a = b / h, else tips."""
    for label, slope, mu, slid, tipped in (
        ("stays", 0.4, 0.6, 0.0, 0.0), ("slides", 0.4, 0.3, 1.0, 0.0), ("tips", 0.5, 0.9, None, 1.0)
    ):  # fmt: skip

        def make(slope=slope, mu=mu):
            m = sl.Model(gravity=(G * math.sin(slope), 0, -G * math.cos(slope)))
            box = m.box(size=(0.2, 0.2, 0.4), mass=1, at=(0, 0, 0.2), name="box")
            m.contact(m.plane(), box, friction=mu, name="foot")
            return m

        def read(r, slid=slid):
            leans = float(np.reshape(r["box.rotation_matrix"].last, (3, 3))[2, 2] < 0.99)
            return [leans] if slid is None else [float(r["box.position.x"].last > 1e-3), leans]

        yield from runs(
            case, f"box on a slope {label}: whether it slid, tipped", make, 1.0, read, [tipped] if slid is None else [slid, tipped],
            loose=0.0, tight=0.0, source="slides above tan a = mu, tips above tan a = b / h", step=1e-3,
        )  # fmt: skip


def ladder(case):
    """On a rough floor and a smooth wall: it stays above mu = 1 / (2 tan a)."""
    length, a = 4.0, math.radians(60)
    limit = 1 / (2 * math.tan(a))
    for share, slid in ((1.02, 0.0), (0.98, 1.0)):

        def make(share=share):
            m = sl.Model()
            J = 12 * length**2 / 12
            foot = np.array([length * math.cos(a), 0, 0])
            top = np.array([0, 0, length * math.sin(a)])
            rod = m.body(mass=12, inertia=(J, J, 1e-2), at=tuple(0.5 * (foot + top)), name="ladder")
            floor, wall = m.plane(name="floor"), m.plane(normal="x", name="wall")
            ends = [rod.frame(at=tuple(p), name=n) for p, n in ((foot, "foot"), (top, "top"))]
            m.add(PlaneContact(name="stand", A=floor, B=ends[0], law=CoulombImpact(friction=share * limit)))
            m.add(PlaneContact(name="lean", A=wall, B=ends[1], law=CoulombImpact(friction=0.0)))
            return m

        yield from runs(
            case, f"ladder at {share:g} of the critical friction: whether it slid", make, 1.0,
            lambda r: [float(r["ladder.position.z"].last < 0.5 * length * math.sin(a) - 1e-3)], [slid], loose=0.0, tight=0.0,
            source="mu = 1 / (2 tan a)", step=1e-3,
        )  # fmt: skip


def off_a_ball(case):
    """A ball slides down a fixed ball without friction and leaves it at cos q = 2/3 (and a little, for its push)."""
    R, q0 = 1.2, 0.1

    def make():
        m = sl.Model()
        big = m.sphere(radius=1.0, mass=1, name="big")
        m.fixed(m.ground, big)
        ball = m.sphere(radius=0.2, mass=1, at=(R * math.sin(q0), 0, R * math.cos(q0)), name="ball")
        m.contact(big, ball, name="touch")
        return m

    from scipy.integrate import solve_ivp

    def leaves(t, y):
        return G * math.cos(y[0]) - R * y[1] ** 2

    leaves.terminal = True
    s = solve_ivp(lambda t, y: [y[1], G * math.sin(y[0]) / R], (0, 5), [q0, 0], events=leaves, rtol=1e-12, atol=1e-13,
                  method="DOP853")  # fmt: skip
    t, (q, w) = s.t[-1], s.y[:, -1]
    end = t + 0.1
    v = R * w * np.array([math.cos(q), -math.sin(q)])
    truth = [R * math.sin(q) + 0.1 * v[0], R * math.cos(q) + 0.1 * v[1] - 0.5 * G * 0.01]
    yield from runs(
        case, "ball leaves a ball: place 0.1 s later", make, end, ["ball.position.x", "ball.position.z"], truth, loose=2e-3,
        tight=1e-3, source="scipy; leaves where R w^2 = g cos q",
    )  # fmt: skip


def dragging(case):
    """A plate slides under a block; dry friction F between them until both have the common speed."""
    F = 3.0

    def make():
        m = line(0.0, 0.0, mass=(2.0, 1.0), speeds=[3.0, 0.0])
        m.add(CoordinatePairGap(name="f", A="n0", B="n1", law=Relay(low=-F, high=F, on="rate")))
        return m

    v, t = 2.0, 2.0 / 3.0
    yield from runs(
        case, "block dragged by a plate: places, speeds", make, 1.0, ["n0.coordinate", "n1.coordinate", "n0.rate", "n1.rate"],
        [2.5 * t + v * (1 - t), 1.0 * t + v * (1 - t), v, v], loose=1e-3, tight=1e-3, source="momentum; F t = m v",
    )  # fmt: skip


def verify(case):
    for part in (groove, tipping, ladder, off_a_ball, dragging):
        yield from part(case)
