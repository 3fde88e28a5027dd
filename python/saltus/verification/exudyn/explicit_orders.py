"""Duffing's oscillator by each explicit method: of the peer's, Saltus has Runge-Kutta 4 and Dormand-Prince 5(4)."""

import saltus as sl
from saltus.items import CoordinateSpringDamper, CoordinateUserSpring, Mass1d, Node1d
from saltus.verification.models import controlled, told, with_step


def model():
    m = sl.Model(gravity=(0, 0, 0))
    n = m.add(Node1d(name="n", displacement=0.5, velocity=1))
    m.add(Mass1d(name="mass", node=n, mass=1))
    m.add(CoordinateSpringDamper(name="linear", A="ground", B=n, stiffness=40, damping=0.4))
    m.add(CoordinateUserSpring(name="cubic", A="ground", B=n, force="300*u^3"))
    return m


def end(keywords):
    return model().simulate(1.0, **keywords)["n.coordinate"].last


def verify(case):
    exact = case.truth("x_exact")
    keywords = controlled("dormand_prince", 1e-12)
    case.how = told(keywords)
    yield case.check("x_exact", end(keywords))
    keywords = with_step("runge_kutta_4", 0.004)
    case.how = told(keywords)
    yield case.compare("x with the peer's step", end(keywords), exact, 1e-7, peer=exact + case.peer_value("err_RK44"))
    keywords = controlled("dormand_prince", 1e-8)
    case.how = told(keywords)
    yield case.compare("x with error control", end(keywords), exact, 1e-7, peer=exact + case.peer_value("err_DOPRI5"))
    for scheme, expected, steps in (
        ("runge_kutta_4", 4, (8e-3, 4e-3, 2e-3)),
        ("dormand_prince", 5, (0.02, 0.01, 0.005)),
    ):
        case.how = scheme
        yield case.order(f"x, {scheme}", lambda h, s=scheme: end(with_step(s, h)), steps, exact, expected)
