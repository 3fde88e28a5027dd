import saltus as sl

m = sl.Model(gravity=(0, -9.81, 0))
rod1, rod2 = m.rod((0, 0, 0), (1, 0, 0), mass=1), m.rod((1, 0, 0), (2, 0, 0), mass=1)
base = m.revolute(m.ground, rod1, at=rod1.start, axis="z")
m.revolute(rod1, rod2, at=rod2.start, axis="z")
m.simulate(until=1).plot(base.force)
