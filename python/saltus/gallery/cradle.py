"""Newton's cradle as one knows it: balls that hang side by side with a small gap, so that the impacts come one after the other."""

import math

import saltus as sl
from saltus.handles import Body

RADIUS, LENGTH, GAP, ANGLE = 0.05, 0.5, 2e-4, math.radians(30)
BALLS = 5


def model() -> sl.Model:
    m = sl.Model()
    step = 2 * RADIUS + GAP
    balls: list[Body] = []
    for i in range(BALLS):
        top = (i * step, 0, LENGTH)
        angle = ANGLE if i == 0 else 0.0
        at = (i * step - LENGTH * math.sin(angle), 0, LENGTH - LENGTH * math.cos(angle))
        ball = m.sphere(radius=RADIUS, mass=0.5, at=at, rotation=(0, angle, 0), name=f"ball{i}")
        m.revolute(m.ground, ball, at=top, axis="y", name=f"hinge{i}")
        if balls:
            m.contact(balls[-1], ball, restitution=1.0, name=f"touch{i}")
        balls.append(ball)
    m.outputs = {"first": "hinge0.angle", "last": f"hinge{BALLS - 1}.angle"}
    m.simulation = {"until": 1.4, "scheme": "event_driven"}
    return m
