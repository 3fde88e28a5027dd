"""A frame is pushed to and fro by ever larger forces: its four plastic hinges yield, and earlier on the way back; in the end it leans for good."""

import math

import saltus as sl

HEIGHT, WIDTH, COLUMN, ROOF = 3.0, 5.0, 200.0, 2000.0
YIELD, KINEMATIC, ISOTROPIC = 20e3, 80e3, 10e3
FIRST, MORE = 30e3, 5e3  # of the force: amplitude of the first half cycle, what each has more
HALVES = 5


def force(half: int) -> float:
    """Its largest in a half cycle, with its sign."""
    return (1.0 if half % 2 == 0 else -1.0) * (FIRST + MORE * half)


def leans() -> list[float]:
    """Angle of the columns at the end of each half cycle, where nothing pushes any more; exact: four hinges turn alike, and bear force and weight at every angle."""

    def moment(angle: float, push: float) -> float:
        weight = 9.81 * (ROOF + COLUMN) * HEIGHT * math.sin(angle)
        return (push * HEIGHT * math.cos(angle) + weight) / 4.0

    angle, turned = 0.0, 0.0
    out: list[float] = []
    for half in range(HALVES):
        sign = math.copysign(1.0, force(half))
        low, high = 0.0, 1.0
        for _ in range(200):
            way = 0.5 * (low + high)
            to = angle + sign * way
            yields = sign * (moment(to, force(half)) - KINEMATIC * to) > YIELD + ISOTROPIC * (turned + way)
            low, high = (way, high) if yields else (low, way)
        angle, turned = angle + sign * low, turned + low
        out.append(angle)
    return out


def model() -> sl.Model:
    m = sl.Model(planar=True)
    corners = [(0.0, 0.0), (0.0, HEIGHT), (WIDTH, HEIGHT), (WIDTH, 0.0)]
    left = m.rod(corners[0], corners[1], mass=COLUMN, name="left")
    roof = m.rod(corners[1], corners[2], mass=ROOF, name="roof")
    right = m.rod(corners[3], corners[2], mass=COLUMN, name="right")
    for number, (A, B, at) in enumerate(((m.ground, left, corners[0]), (roof, left, corners[1]), (roof, right, corners[2]), (m.ground, right, corners[3]))):
        m.revolute(A, B, at=at, friction=sl.Plastic(YIELD, isotropic=ISOTROPIC, kinematic=KINEMATIC), name=f"hinge_{number}")
    m.force(roof, (f"({FIRST} + {MORE}*floor(t))*sin(pi*t)", 0), name="push")
    m.outputs = {"lean": "hinge_0.angle", "roof": roof.position, "moment": "hinge_0_friction.multiplier"}
    m.simulation = {"until": float(HALVES), "step": 0.01, "scheme": "static"}
    return m
