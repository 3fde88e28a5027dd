"""A ball that bounces infinitely often in a finite time, and then lies still."""

import math

import saltus as sl

m = sl.Model()
ball = m.sphere(radius=0.1, mass=1, at=(0, 0, 1.1), name="ball")
floor = m.contact(m.plane(), ball, restitution=0.8, name="floor")

result = m.simulate(until=5)
(point,) = result.contact(floor)
print(f"at rest after {result.rest_time(ball):.4f} s, {len(point.impulses)} impacts, {point.impulse:.2f} N s in all")
# Falls from 1 m: sqrt(2/g) (1 + 2 e + 2 e^2 + ...) = 9 sqrt(2/g).
assert abs(point.impulses[-1][0] - 9 * math.sqrt(2 / 9.81)) < 0.05
result.to_png("bouncing_ball.png", time=2.6)
