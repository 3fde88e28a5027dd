"""A moment at its end rolls a beam up: half a circle."""

import math

import saltus as sl

m = sl.Model(gravity=(0, 0, 0))
beam = m.beam((0, 0, 0), (1, 0, 0), section=sl.Section((1e6, 1e6, 1e6, 1.0, 1.0, 1.0)), elements=20, name="beam")
m.fixed(m.ground, beam.start, name="clamp")
m.torque(beam.end, (0, 0, math.pi), name="moment")  # 2 pi E I / L closes the circle

result = m.static(load_steps=8)
x, y, _ = result[beam.end.position]
radius = 1 / (math.pi)
print(f"tip at {x:.5f} m, {y:.5f} m")
assert abs(x - radius * math.sin(math.pi)) < 1e-6 and abs(y - radius * (1 - math.cos(math.pi))) < 1e-6
result.to_png("rolled_beam.png")
