"""A sprung car on four discs that may slip and lift off drives over two kerbs, the second one aslant."""

import math

import numpy as np

import saltus as sl

RADIUS, SPEED, TORQUE = 0.2, 1.0, 40.0
CHASSIS, HUB, WHEEL = 20.0, 0.5, 1.5
KERB, ROUND = 0.06, 0.01  # height, radius of its corners [m]


def model() -> sl.Model:
    m = sl.Model()
    road = m.plane(name="road")
    first, aslant = m.ground.frame(at=(1.2, 0, 0)), m.ground.frame(at=(3.2, 0, KERB), rotation=(0, 0, math.radians(15)))
    for name, x, z, turn in (("first", 1.2, 0.0, 0.0), ("aslant", 3.2, KERB, math.radians(15))):
        along = np.array([math.cos(turn), math.sin(turn), 0])
        size, up = 4.0 if name == "aslant" else 5.2, 0.5 * KERB
        stone = m.box(size=(size, 3.0, KERB), mass=100.0, at=tuple(np.array([x, 0, z + up]) + 0.5 * size * along), rotation=(0, 0, turn), name=f"{name}_kerb")
        m.fixed(m.ground, stone, name=f"{name}_mortar")
    chassis = m.box(size=(1.2, 0.5, 0.2), mass=CHASSIS, at=(0, 0, 0.4), name="chassis")
    for x, end in ((-0.45, "rear"), (0.45, "front")):
        for y, side in ((-0.3, "right"), (0.3, "left")):
            hub = m.box(size=(0.1, 0.05, 0.1), mass=HUB, at=(x, y, RADIUS), name=f"{end}_{side}_hub")
            m.prismatic(chassis, hub, axis="z", stiffness=3000.0, damping=250.0, rest_position=-CHASSIS * 9.81 / 4 / 3000.0, name=f"{end}_{side}_spring")
            wheel = m.cylinder(radius=RADIUS, length=0.08, mass=WHEEL, at=(x, y, RADIUS), axis="y", name=f"{end}_{side}")
            m.revolute(hub, wheel, axis="y", speed=SPEED / RADIUS, limit=0.25 * TORQUE, name=f"{end}_{side}_axle")
            m.wheel(road, wheel, friction=0.9, name=f"{end}_{side}_on_road")
            for frame, ground in ((first, "first"), (aslant, "aslant")):
                m.wheel(frame, wheel, outline=[(0, -KERB), (0, KERB), (4, KERB)], rounding=ROUND, friction=0.9, name=f"{end}_{side}_on_{ground}")
    m.outputs = {"place": chassis.position, "speed": chassis.velocity}
    m.simulation = {"until": 5.0, "scheme": "moreau_jean", "step": 2e-3}
    return m
