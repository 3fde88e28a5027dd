"""A coin that is sent rolling on a table: it goes round, whirls down on its rim, and comes to rest flat."""

import math

import saltus as sl

RADIUS, THICKNESS, MASS = 0.0375, 0.002, 0.25
TILT = math.radians(70)


def model() -> sl.Model:
    m = sl.Model()
    table = m.plane(name="table")
    axis = (0.0, -math.sin(TILT), math.cos(TILT))
    height = RADIUS * math.sin(TILT) + THICKNESS / 2 * math.cos(TILT)
    roll = 10.0
    coin = m.cylinder(
        radius=RADIUS, length=THICKNESS, mass=MASS, at=(0, 0, height), axis=axis, velocity=(roll * RADIUS, 0, 0),
        angular_velocity=(0, roll * math.sin(TILT), -roll * math.cos(TILT) + 1.0), name="coin",
    )  # fmt: skip
    touch = m.contact([table], [coin], friction=0.4, rolling=2e-4, spinning=2e-4, name="rim")
    m.outputs = {"place": coin.position, "energy": "energy.total", "force": touch.force}
    m.simulation = {"until": 4.0, "scheme": "moreau_jean", "step": 5e-4}
    return m
