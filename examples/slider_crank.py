"""A slider-crank in space, driven at constant speed: what the motor has to give."""

import saltus as sl

m = sl.Model()
A, B, C = (0, 0.1, 0.12), (0, 0.18, 0.12), (0.2078461, 0, 0)
crank, rod = m.rod(A, B, mass=0.1, name="crank"), m.rod(B, C, mass=0.2, name="rod")
slider = m.box(size=(0.05, 0.05, 0.05), mass=1, at=C, name="slider")
motor = m.revolute(m.ground, crank, at=A, axis="x", speed=6.2832, name="motor")
m.spherical(crank, rod, at=B)
m.universal(rod, slider, at=C, axes=("y", "z"))
m.prismatic(m.ground, slider, at=C, axis="x")

result = m.simulate(until=1.0)
print(f"motor: {result[motor.drive].min():.3f} to {result[motor.drive].max():.3f} N m")
# After one turn everything is where it was.
assert abs(result.at(6.283185307 / 6.2832)[slider.position.x] - C[0]) < 1e-5
result.to_png("slider_crank.png", time=0.2)
