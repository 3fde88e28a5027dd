"""Three crates on a ramp of 20 degrees: two slide, one stays."""

import math

import saltus as sl

m = sl.Model()
ramp = m.plane(rotation=sl.degrees(y=20), name="ramp")
crates = []
for i, friction in enumerate((0.1, 0.3, 0.5)):
    y = 0.4 * (i - 1)
    crate = m.box(size=(0.3, 0.25, 0.2), mass=5, on=ramp, name=f"crate_{i}")
    crate.displacement = (0, y, 0)
    m.contact(ramp, crate, friction=friction, name=f"touch_{i}")
    crates.append((crate, friction))

result = m.simulate(until=1.0)
for crate, friction in crates:
    way = result[crate.displacement][-1] - result[crate.displacement][0]
    rate = max(0.0, math.sin(math.radians(20)) - friction * math.cos(math.radians(20)))
    print(f"friction {friction}: {math.hypot(*way):.4f} m")
    assert abs(math.hypot(*way) - 0.5 * 9.81 * rate) < 2e-3
result.to_png("stick_and_slip.png", time=0.7)
