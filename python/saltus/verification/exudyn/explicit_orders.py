"""Duffing's oscillator by each explicit method of the peer's; Verlet's is of second order here with damping, too."""

import saltus as sl
from saltus.items import CoordinateSpringDamper, CoordinateUserSpring, Mass1d, Node1d
from saltus.verification.models import controlled, options_of, with_step


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
    case.how = options_of(keywords)
    yield case.check("x_exact", end(keywords))
    for scheme, step, bound, theirs in (
        ("explicit_euler", 2e-4, 1e-2, "err_ExplicitEuler"),
        ("explicit_midpoint", 2e-3, 1e-4, "err_ExplicitMidpoint"),
        ("runge_kutta_3", 2e-3, 1e-5, "err_RK33"),
        ("runge_kutta_4", 4e-3, 1e-7, "err_RK44"),
        ("runge_kutta_6", 1e-2, 1e-7, "err_RK67"),
        ("velocity_verlet", 1e-3, 1e-4, "err_VelocityVerlet"),
    ):
        keywords = with_step(scheme, step)
        case.how = options_of(keywords)
        yield case.compare(f"x with the peer's step, {scheme}", end(keywords), exact, bound, peer=exact + case.peer_value(theirs))
    for scheme, theirs in (("dormand_prince", "err_DOPRI5"), ("bogacki_shampine", "err_ODE23")):
        keywords = controlled(scheme, 1e-8)
        case.how = options_of(keywords)
        yield case.compare(f"x with error control, {scheme}", end(keywords), exact, 1e-7, peer=exact + case.peer_value(theirs))
    for scheme, expected, steps in (
        ("explicit_euler", 1, (2e-4, 1e-4, 5e-5)),
        ("symplectic_euler", 1, (4e-4, 2e-4, 1e-4)),
        ("explicit_midpoint", 2, (4e-3, 2e-3, 1e-3)),
        ("heun", 2, (4e-3, 2e-3, 1e-3)),
        ("velocity_verlet", 2, (4e-3, 2e-3, 1e-3)),
        ("trapezoidal", 2, (4e-3, 2e-3, 1e-3)),
        ("runge_kutta_3", 3, (4e-3, 2e-3, 1e-3)),
        ("bogacki_shampine", 3, (4e-3, 2e-3, 1e-3)),
        ("runge_kutta_4", 4, (8e-3, 4e-3, 2e-3)),
        ("half_explicit", 4, (8e-3, 4e-3, 2e-3)),
        ("dormand_prince", 5, (0.02, 0.01, 0.005)),
        ("runge_kutta_6", 6, (0.02, 0.01, 0.005)),
    ):
        case.how = scheme
        yield case.order(f"x, {scheme}", lambda h, s=scheme: end(with_step(s, h)), steps, exact, expected)
