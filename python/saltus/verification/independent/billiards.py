"""A ball meets a ball at rest, half to the side: without friction they part at a right angle."""

import math

import numpy as np

import saltus as sl
from saltus.verification.independent.impacts import runs


def verify(case):
    def make():
        m = sl.Model(gravity=(0, 0, 0))
        a = m.sphere(radius=0.1, mass=1, at=(-1, 0.1, 0), velocity=(2, 0, 0), name="a")
        b = m.sphere(radius=0.1, mass=1, at=(0, 0, 0), name="b")
        m.contact(a, b, restitution=1.0, name="touch")
        return m

    n = np.array([math.sqrt(0.03), -0.1]) / 0.2  # from a to b at the impact
    vb = 2 * n[0] * n
    va = np.array([2, 0]) - vb
    yield from runs(
        case, "billiards without friction, half-ball: velocities", make, 1.0,
        ["a.velocity.x", "a.velocity.y", "b.velocity.x", "b.velocity.y"], [*va, *vb], loose=5e-3, tight=1e-2,
        source="equal masses part at a right angle",
    )  # fmt: skip
