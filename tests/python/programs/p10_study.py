import numpy as np
import saltus as sl


def run(k, c):
    m = sl.Model(gravity=(0, 0, 0))
    cart = m.point_mass(mass=1, at=(1, 0, 0), displacement=(0.1, 0, 0))
    m.spring(m.ground, cart, stiffness=k, damping=c, rest_length=1)
    return m.simulate(until=2)[cart.displacement.x].last


sl.study(run, k=np.linspace(50, 150, 10), c=np.linspace(0.5, 5, 10), workers=2).plot()
