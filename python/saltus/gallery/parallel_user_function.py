"""60 equal oscillators, half of their springs given by Python functions, assembled by two threads."""

import saltus as sl


def force(t: float, u: float, v: float) -> float:
    return 100.0 * u


def model() -> sl.Model:
    m = sl.Model(gravity=(0, 0, 0))
    for i in range(60):
        x = m.add(sl.items.Node1d(displacement=0.1), name=f"x{i}")
        m.add(sl.items.Mass1d(node=x, mass=1.0))
        if i < 30:
            m.add(sl.items.CoordinateUserSpring(A=m.ground, B=x, force=force))
        else:
            m.add(sl.items.CoordinateSpringDamper(A=m.ground, B=x, stiffness=100))
    m.outputs = {"first": "x0.coordinate", "last": "x59.coordinate"}
    m.simulation = {"until": 0.3, "step": 1e-3, "scheme": "runge_kutta_4", "threads": 2}
    return m
