"""A car on four discs that may slip and lift off, sprung, drives from the flat up a ramp with a motor of limited torque."""

import math

import saltus as sl
from saltus.handles import Joint

SLOPE = math.atan(0.15)
RADIUS, SPEED, TORQUE = 0.2, 2.0, 16.0
CHASSIS, HUB, WHEEL = 20.0, 0.5, 1.5


def model() -> sl.Model:
    m = sl.Model()
    road = m.plane(name="road")
    ramp = m.plane(at=(2.0, 0, 0), normal=(-math.sin(SLOPE), 0, math.cos(SLOPE)), name="ramp")
    chassis = m.box(size=(1.2, 0.5, 0.2), mass=CHASSIS, at=(0, 0, 0.4), name="chassis")
    rear: list[Joint] = []
    for x, end in ((-0.45, "rear"), (0.45, "front")):
        for y, side in ((-0.3, "right"), (0.3, "left")):
            hub = m.box(size=(0.1, 0.05, 0.1), mass=HUB, at=(x, y, RADIUS), name=f"{end}_{side}_hub")
            preload = CHASSIS * 9.81 / 4 / 3000.0  # the springs carry the chassis where it starts
            m.prismatic(chassis, hub, axis="z", stiffness=3000.0, damping=250.0, rest_position=-preload, name=f"{end}_{side}_spring")
            wheel = m.cylinder(radius=RADIUS, length=0.08, mass=WHEEL, at=(x, y, RADIUS), axis="y", name=f"{end}_{side}")
            driven = (end, side) == ("rear", "left")
            axle = m.revolute(hub, wheel, axis="y", speed=SPEED / RADIUS if driven else None, limit=TORQUE if driven else None, name=f"{end}_{side}_axle")
            if end == "rear":
                rear.append(axle)
            for ground in (road, ramp):
                m.wheel(ground, wheel, friction=0.9, name=f"{end}_{side}_on_{ground.name}")
    m.coupling([axle.angle for axle in rear], (1, -1), name="rear_axle")
    m.outputs = {"place": chassis.position, "speed": chassis.velocity, "motor": "rear_left_axle_drive.multiplier"}
    m.simulation = {"until": 5.0, "scheme": "moreau_jean", "step": 2e-3}
    return m
