"""Gears as they come from CAD: two surfaces of triangles turn each other through their flanks."""

import saltus as sl

m = sl.Model(gravity=(0, 0, 0))
pinion, wheel = sl.scenes.gear_pair(m, teeth=(18, 27), module=0.01, width=0.02, backlash=2e-4)
drive = m.revolute(m.ground, pinion, axis="z", at=pinion.reference[0], speed=2.0, name="drive")
driven = m.revolute(m.ground, wheel, axis="z", at=wheel.reference[0], damping=0.5, name="driven")
flanks = m.contact(pinion, wheel, friction=0.05, name="flanks")
result = m.simulate(until=0.5, step=5e-4)
speed = result[wheel.angular_velocity.z][200:].mean()
print(f"the wheel turns at {speed:.4f} rad/s, by the teeth {-2 * 18 / 27:.4f}")
assert abs(speed + 4 / 3) < 5e-3
result.to_png("gears_of_triangles.png", time=0.5)
