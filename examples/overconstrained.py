"""A four-bar loop in space with four hinges: three rows too many, named, and it runs as it is."""

import saltus as sl

m = sl.Model()
points = [(0, 0, 0), (0, 0, 0.3), (0.6, 0, 0.5), (0.7, 0, 0)]
bars = [m.rod(a, b, mass=1, name=name) for a, b, name in zip(points, points[1:], ("crank", "coupler", "rocker"))]
m.revolute(m.ground, bars[0], at=points[0], axis="y", speed=5.0, name="motor")
m.revolute(bars[0], bars[1], at=points[1], axis="y", name="pin_1")
m.revolute(bars[1], bars[2], at=points[2], axis="y", name="pin_2")
m.revolute(bars[2], m.ground, at=points[3], axis="y", name="pivot")

print(m.freedoms())
result = m.simulate(until=2.0)
print(f"motor: {result['motor.angle'].last:.6f} rad after 2 s at 5 rad/s")
assert abs(result["motor.angle"].last - 10.0) < 1e-6
result.to_png("overconstrained.png", time=0.25)
