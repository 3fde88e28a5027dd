"""A coin rolls on its rim in a circle and whirls down."""

import math

import saltus as sl

RADIUS, TILT, ROLL = 0.0375, math.radians(70), 10.0
m = sl.Model()
coin = m.cylinder(
    radius=RADIUS, length=0.002, mass=0.25, at=(0, 0, RADIUS * math.sin(TILT) + 0.001 * math.cos(TILT)), axis=(0, -math.sin(TILT), math.cos(TILT)),
    velocity=(ROLL * RADIUS, 0, 0), angular_velocity=(0, ROLL * math.sin(TILT), -ROLL * math.cos(TILT) + 1.0), name="coin",
)
m.contact([m.plane(name="table")], [coin], friction=0.4, rolling=2e-4, spinning=2e-4, name="rim")

result = m.simulate(until=1.0, scheme="moreau_jean", step=1e-3)
energy = result["energy.total"]
print(f"energy {1e3 * energy[0]:.2f} mJ -> {1e3 * energy.last:.2f} mJ")
assert energy.last < energy[0] and result[coin.position.z].min() > 0
result.to_png("rolling_coin.png", time=0.8)
