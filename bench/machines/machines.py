"""Numbers of the machines that both engines build: SI units, gravity along -z, planes of motion x-z."""

import math

GRAVITY = 9.81

# Ten pairs of wheels: shaft i has the inertia GEAR_INERTIA[i] and turns RATIO times slower than the one before, the other way round.
SHAFTS, RATIO, TORQUE, WINDING, GEAR_LOSS = 11, 1.25, 5.0, 2.0, 0.1
GEAR_INERTIA = [0.01 + 0.002 * i for i in range(SHAFTS)]
GEAR_END = 5.0

# Excavator: name, length, mass, angle about y of the arm's parts; cylinders from a place on one to a place on the next, opening of their two valves.
ARM = [("boom", 4.0, 1000.0, -0.6), ("stick", 2.5, 500.0, 1.0), ("bucket", 1.0, 300.0, 1.6)]
CYLINDERS = [
    ("ground", (0.8, 0.0, -0.6), "boom", (-0.4, 0.0, -0.3), (0.4, -0.4)),
    ("boom", (-0.5, 0.0, 0.6), "stick", (-1.5, 0.0, 0.3), (-0.3, 0.3)),
    ("stick", (-0.6, 0.0, 0.5), "bucket", (-0.3, 0.0, 0.5), (0.2, -0.2)),
]
PISTON, ROD, VOLUME, SHORTEST, STROKE, BULK = 0.01, 0.006, 0.02, 0.5, 2.0, 1.6e9
SUPPLY, TANK, CONDUCTANCE, OIL_LOSS, PRESSURES = 2e7, 1e5, 2e-6, 2e4, (8e6, 6e6)
EXCAVATOR_END = 1.0


def arm_places():
    """Of each part of the arm: its centre and its hinge to the part before."""
    x, z, out = 0.0, 0.0, {}
    for name, length, _, turn in ARM:
        dx, dz = length * math.cos(turn), -length * math.sin(turn)
        out[name] = ((x + 0.5 * dx, 0.0, z + 0.5 * dz), (x, 0.0, z))
        x, z = x + dx, z + dz
    return out


# Crane: a trolley on a rail along x, a rope of four falls between it and a hook block with two sheaves.
TROLLEY, HOOK, HOOK_INERTIA, PUSH, TROLLEY_LOSS = 200.0, 500.0, (20.0, 25.0, 10.0), 300.0, 50.0
ROPE = [("trolley", (-0.5, 0, 0), 0.0, 0), ("hook", (-0.2, 0, 0.5), 0.1, -1), ("trolley", (-0.2, 0, 0), 0.1, 1), ("hook", (0.2, 0, 0.5), 0.1, -1), ("trolley", (0.1, 0, 0), 0.0, 0)]
HOOK_AT, EA, ROPE_LOSS, SLACK = (-0.2, 0.0, -5.5), 1e6, 1e4, 0.999  # length without tension: that of the way there times SLACK
CRANE_END = 4.0

# Car: a chassis, four carriers on springs along z, a wheel on each with some play along its axle; front wheels steered by a fixed angle.
CHASSIS, CARRIER, WHEEL, RADIUS = (1000.0, (200.0, 800.0, 900.0)), (10.0, (0.1, 0.1, 0.1)), (20.0, (0.5, 0.9, 0.5)), 0.3
WHEELS = [(1.3, 0.7, 0.08), (1.3, -0.7, 0.08), (-1.3, 0.7, 0.0), (-1.3, -0.7, 0.0)]  # x, y, steered by
STRUT, STRUT_LOSS, AXLE, AXLE_LOSS, DRIVE = 3e4, 3e3, 2e5, 4e3, 150.0  # N/m, N s/m, N/m, N s/m, N m on each rear wheel
CAR_END = 3.0
