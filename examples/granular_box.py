"""Grains in a tall box: its walls carry a part of their weight by friction, as in a silo."""

import saltus as sl

m = sl.Model()
walls, grains = sl.scenes.granular_box(m, 120, width=0.16, size=0.05, spread=0.2)
m.contact(walls, grains, friction=0.5)
m.contact(grains, friction=0.5)
floor, sides = m.contact_force(walls[:1], grains), m.contact_force(walls[1:], grains)

result = m.simulate(until=1.5, step=5e-3, record=0.05)
weight = 9.81 * result[m.group(*grains).mass].last
below, beside = (result[part.force.z][-6:].mean() for part in (floor, sides))
print(f"of {weight:.1f} N the floor carries {below / weight:.0%}, the walls {beside / weight:.0%}")
assert abs(below + beside - weight) < 0.02 * weight
result.to_png("granular_box.png")
