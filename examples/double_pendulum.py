"""A double pendulum: chaotic, and its energy stays."""

import saltus as sl

m = sl.Model()
rod1, rod2 = m.rod((0, 0, 0), (1, 0, 0), mass=1, name="upper"), m.rod((1, 0, 0), (2, 0, 0), mass=1, name="lower")
base = m.revolute(m.ground, rod1, at=rod1.start, axis="y", name="base")
m.revolute(rod1, rod2, at=rod2.start, axis="y", name="elbow")

result = m.simulate(until=10, tolerance=1e-9)
energy = result["energy.total"]
print(f"largest force of the base {result[base.force.norm].max():.1f} N, energy drifts by {abs(energy - energy[0]).max():.1e} J")
assert abs(energy - energy[0]).max() < 1e-5
result.to_png("double_pendulum.png", time=2.9)
