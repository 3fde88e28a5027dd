"""A beam under a heavy load at its tip: large deflection, against the elastica."""

import saltus as sl

m = sl.Model(gravity=(0, 0, 0))
beam = m.beam((0, 0, 0), (1, 0, 0), section=sl.Section((1e7, 1e7, 1e7, 1e3, 1e3, 1e3)), elements=32, name="beam")
m.fixed(m.ground, beam.start, name="clamp")
m.force(beam.end, (0, 0, -5000.0), name="load")  # P L^2 / EI = 5

result = m.static(load_steps=10)
x, _, z = result[beam.end.position]
print(f"tip at {x:.4f} m, {z:.4f} m")
# Bisshopp and Drucker 1945: for P L^2 / EI = 5 the tip sinks 0.714 L and draws in 0.388 L.
assert abs(-z - 0.714) < 3e-3 and abs(1 - x - 0.388) < 3e-3
result.to_png("cantilever.png")
