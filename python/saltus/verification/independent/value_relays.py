"""A force that changes its sign with the side: x'' = -sgn x keeps its energy, each switch is passed with speed."""

import math

import saltus as sl
from saltus.items import CoordinateGap, Mass1d, Node1d, Relay
from saltus.verification.independent.impacts import runs


def verify(case):
    def make():
        m = sl.Model(gravity=(0, 0, 0))
        m.add(Node1d(name="n", displacement=1.0))
        m.add(Mass1d(name="mass", node="n", mass=1))
        m.add(CoordinateGap(name="force", on="n", law=Relay(low=-1, high=1, on="value")))
        return m

    s = 2 - math.sqrt(2)
    yield from runs(
        case, "bang-bang oscillator after its first switch: x, v", make, 2.0, ["n.coordinate", "n.rate"],
        [-math.sqrt(2) * s + 0.5 * s * s, -math.sqrt(2) + s], loose=1e-3, tight=1e-3, source="parabolas",
    )  # fmt: skip
    yield from runs(
        case, "bang-bang oscillator after five periods: x, v", make, 20 * math.sqrt(2), ["n.coordinate", "n.rate"], [1.0, 0.0],
        loose=1e-2, tight=2e-2, source="period 4 sqrt(2 x0)",
    )  # fmt: skip
