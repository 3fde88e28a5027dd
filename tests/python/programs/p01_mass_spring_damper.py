import saltus as sl

m = sl.Model(gravity=(0, 0, 0))
cart = m.point_mass(mass=1, at=(1, 0, 0), displacement=(0.1, 0, 0))
m.spring(m.ground, cart, stiffness=100, damping=2, rest_length=1)
m.simulate(until=2).plot(cart.displacement.x)
