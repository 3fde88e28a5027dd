"""Dry friction takes the same from each swing, and then holds."""

import saltus as sl

m = sl.Model(gravity=(0, 0, 0))
cart = m.box(size=(0.2, 0.15, 0.1), mass=1, displacement=(0.105, 0, 0), name="cart")
slide = m.prismatic(m.ground, cart, axis="x", friction=1.0, name="slide")
m.spring(m.ground.frame(at=(-1, 0, 0)), cart, stiffness=100, rest_length=1, name="coil")

result = m.simulate(until=4.0, scheme="event_driven")
x = result[cart.displacement.x]
print(f"stops at {1e3 * x.last:.3f} mm, holds against {100 * abs(x.last):.2f} N")
# Each half swing loses 2 F/k = 20 mm: 105, -85, 65, -45, 25, -5 mm, where 0.5 N is less than friction.
assert abs(x.last + 0.005) < 1e-6 and x.values[-1] == x.values[-2]
result.to_png("dry_oscillator.png", time=0.1)
