"""Trammel of Archimedes, driven: two slides across each other, redundant joints, no freedom left."""

import math

import saltus as sl
from saltus.verification.independent._truth import both


def verify(case):
    def make():
        m = sl.Model(gravity=(0, 0, 0))
        bar = m.body(mass=1, inertia=(0.1, 0.1, 0.1), at=(0.5, 0, 0), name="bar")
        a = m.box(size=(0.1, 0.1, 0.1), mass=0.5, at=(1, 0, 0), name="a")
        b = m.box(size=(0.1, 0.1, 0.1), mass=0.5, at=(0, 0, 0), name="b")
        m.prismatic(m.ground, a, axis="x")
        m.prismatic(m.ground, b, axis="y")
        m.revolute(a, bar, at=(1, 0, 0), axis="z", speed=-3, name="pin")
        m.revolute(b, bar, at=(0, 0, 0), axis="z")
        return m

    q = 3 * 2.5
    yield from both(
        case, "trammel: middle of the bar, slides", make, 2.5, ["bar.position", "a.position.x", "b.position.y"],
        [0.5 * math.cos(q), 0.5 * math.sin(q), 0, math.cos(q), math.sin(q)], source="slides cos q and sin q",
        scheme="dormand_prince",
    )  # fmt: skip
