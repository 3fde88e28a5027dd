import saltus as sl

m = sl.Model(); A, B, C = (0, 0.1, 0.12), (0, 0.18, 0.12), (0.2078461, 0, 0)
crank, rod = m.rod(A, B, mass=0.1), m.rod(B, C, mass=0.2)
slider = m.box(size=(0.05, 0.05, 0.05), mass=1, at=C)
motor = m.revolute(m.ground, crank, at=A, axis="x", speed=6.2832)
m.spherical(crank, rod, at=B)
m.universal(rod, slider, at=C, axes=("y", "z"))
m.prismatic(m.ground, slider, at=C, axis="x")
result = m.simulate(until=0.3)
result.plot(slider.position.x, motor.drive); result.show()
