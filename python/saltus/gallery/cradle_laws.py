"""Cradles of five balls, hit alike: Newton's and Poisson's law take the impact as one and throw the first ball back, LZB's lets a shock run through, gaps hand it on."""

import saltus as sl
from saltus.handles import Body

RADIUS, GAP, SPEED, BALLS = 0.05, 1e-6, 1.0, 5


def model() -> sl.Model:
    m = sl.Model(gravity=(0, 0, 0))
    laws = {"newton": {"type": "newton_impact", "restitution": 1.0}, "poisson": {"type": "poisson_impact", "restitution": 1.0}, "lzb": {"type": "lzb_impact", "restitution": 1.0},
            "gaps": {"type": "newton_impact", "restitution": 1.0}}
    for row, (name, law) in enumerate(laws.items()):
        gap = GAP if name == "gaps" else 0.0
        before: Body | None = None
        for i in range(BALLS):
            x = i * (2 * RADIUS + gap) - (0.05 if i == 0 else 0.0)
            ball = m.sphere(radius=RADIUS, mass=1.0, at=(x, 0.3 * row, 0), velocity=(SPEED if i == 0 else 0.0, 0, 0), name=f"{name}_{i}")
            m.prismatic(m.ground, ball, axis="x", name=f"{name}_rail_{i}")
            if before is not None:
                m.contact(before, ball, law=law, name=f"{name}_touch_{i}")
            before = ball
    m.outputs = {name: f"{name}_0.velocity.x" for name in laws}
    m.simulation = {"until": 0.3, "step": 1e-4, "scheme": "moreau_jean"}
    return m
