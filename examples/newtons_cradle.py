"""Newton's cradle: one ball comes in, one goes out."""

import saltus as sl

m = sl.Model()
balls, R = [], 0.1
for i in range(5):
    x = i * (2 * R + 1e-6)
    ball = m.sphere(radius=R, mass=1, at=(x, 0, -1), name=f"ball_{i}", velocity=(1, 0, 0) if i == 0 else None,
                    angular_velocity=(0, -1, 0) if i == 0 else None)
    m.revolute(m.ground, ball, at=(x, 0, 0), axis="y", name=f"string_{i}")
    balls.append(ball)
for left, right in zip(balls, balls[1:]):
    m.contact(left, right, restitution=1.0)

result = m.simulate(until=0.05, scheme="event_driven")
speeds = [result[ball.velocity.norm].last for ball in balls]
print("speeds [m/s]:", *(f"{abs(v):.3f}" for v in speeds))
assert speeds[-1] > 0.98 and max(speeds[:-1]) < 0.05
result.to_png("newtons_cradle.png", time=0.05)
