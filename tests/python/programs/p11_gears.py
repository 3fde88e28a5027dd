"""A planetary gear on hinges that turn over many turns: a coupling of angles for each mesh."""

import saltus as sl

m = sl.Model(gravity=(0, 0, 0))
sun = m.cylinder(radius=0.1, length=0.04, mass=1.0, at=(0, 0, 0), axis="z")
arm = m.cylinder(radius=0.15, length=0.02, mass=2.0, at=(0, 0, -0.06), axis="z")
planet = m.cylinder(radius=0.05, length=0.04, mass=0.5, at=(0.15, 0, 0), axis="z")
drive = m.revolute(m.ground, sun, axis="z", torque=0.2)
carrier = m.revolute(m.ground, arm, axis="z")
spin = m.revolute(arm, planet, axis="z")
m.coupling([drive.angle, carrier.angle, spin.angle], (30, -30, 15))  # teeth of sun and planet
ring = m.coupling([carrier.angle, spin.angle], (-60, -15))  # the ring stands still
result = m.simulate(until=6)
print(result[drive.angle].last / result[carrier.angle].last)  # 3 = 1 + 60/30 (Willis)
