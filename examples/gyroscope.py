"""A fast top on a pivot goes round instead of falling."""

import numpy as np

import saltus as sl

SPIN, MASS, ARM = 300.0, 1.0, 0.2
m = sl.Model()
wheel = m.cylinder(radius=0.15, length=0.03, mass=MASS, at=(ARM, 0, 0), axis="x", angular_velocity=(SPIN, 0, 0), name="wheel")
m.spherical(m.ground, wheel, at=(0, 0, 0), name="pivot")

result = m.simulate(until=4.0)
inertia = 0.5 * MASS * 0.15**2
slow = MASS * 9.81 * ARM / (inertia * SPIN)  # precession of a fast top, torque over spin momentum
place = result[wheel.position]
turned = np.unwrap(np.arctan2(place[:, 1], place[:, 0]))[-1]
print(f"goes round at {turned / 4:.4f} rad/s, a fast top at {slow:.4f} rad/s; sinks by {-1e3 * place[:, 2].min():.2f} mm")
assert abs(turned / 4 / slow - 1) < 0.01
result.to_png("gyroscope.png", time=1.2)
