"""A forced damped oscillator; stiff first-order decay with rates up to 1e6."""

import numpy as np

import saltus as sl
from saltus.items import CoordinateLoad, CoordinateSpringDamper, FirstOrderSystem, Mass1d, Node1d
from saltus.verification.models import controlled, states, options_of, with_step


def model():
    m = sl.Model(gravity=(0, 0, 0))
    n = m.add(Node1d(name="n", displacement=0.2))
    m.add(Mass1d(name="mass", node=n, mass=2))
    m.add(CoordinateSpringDamper(name="spring", A="ground", B=n, stiffness=50, damping=0.6))
    m.add(CoordinateLoad(name="force", on=n, force="3*cos(4*t)"))
    return m


def decay():
    m = states((1, 0, 0))
    m.add(
        FirstOrderSystem(name="decay", node="x", matrix=[[-1, 0, 0], [0, -1e3, 0], [0, 0, -1e6]], vector=[0, 1e3, 1e6])
    )
    return m


def state(keywords):
    result = model().simulate(5.0, **keywords)
    return np.array([result["n.coordinate"].last, result["n.rate"].last])


def verify(case):
    keywords = controlled("dormand_prince", 1e-11)
    case.how = options_of(keywords)
    yield case.check("state_5", state(keywords), 1e-8 * 0.59)
    for scheme, expected, steps in (
        ("runge_kutta_4", 4, (0.02, 0.01, 0.005)),
        ("generalized_alpha", 2, (0.02, 0.01, 0.005)),
        ("moreau_jean", 2, (0.02, 0.01, 0.005)),
    ):
        case.how = scheme
        yield case.order(
            f"the state, {scheme}", lambda h, s=scheme: state(with_step(s, h)), steps, case.truth("state_5"), expected
        )
    keywords = controlled("generalized_alpha", 1e-8)
    case.how = options_of(keywords)
    yield case.check("ode1_exact_t1", np.array(decay().simulate(1.0, **keywords)["x.state"].last), 1e-6)
    keywords = with_step("moreau_jean", 1e-3, theta=1.0)
    case.how = options_of(keywords)
    yield case.check(
        "ode1_exact_t1",
        np.array(decay().simulate(1.0, **keywords)["x.state"].last),
        1e-3,
        note="implicit Euler: first order, stiff parts settled",
    )
    yield case.compare(
        "settled parts, implicit Euler", np.array(decay().simulate(1.0, **keywords)["x.state"].last)[1:], [1, 1], 1e-12
    )
