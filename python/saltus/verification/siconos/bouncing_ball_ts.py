"""A bouncing ball, restitution 0.9, by time stepping at 5 ms: a stepper of the case gives every digit."""

import numpy as np

import saltus as sl
from saltus.verification.case import at
from saltus.verification.models import options_of, with_step


def model():
    m = sl.Model()
    ball = m.point_mass(mass=1, at=(0, 0, 1), name="ball")
    m.contact(m.plane(), ball, restitution=0.9, name="floor")
    return m


def verify(case):
    keywords = with_step("moreau_jean", 0.005, drift="none")
    case.how = options_of(keywords)
    result = model().simulate(10.0, **keywords)
    note = "Saltus lays the ball to rest once its speed is below what the weight takes in a step; the pure scheme goes on to hop"
    yield case.check("q_T", result["ball.position.z"].last, 1e-6, note=note)
    yield case.check("q_at_1s", at(result, "ball.position.z", 1.0))
    yield case.check("first_impact_impulse", next(e[3] for e in result.events if e[1] == "impact"))
    v = np.asarray(result["ball.velocity.z"])
    yield case.check("sum_impulse", v[-1] - v[0] + 9.81 * 10, note="momentum balance: change plus weight")
    keywords = with_step("moreau_jean", 0.005)
    case.how = options_of(keywords) + ", drift projection"
    z = np.asarray(model().simulate(10.0, **keywords)["ball.position.z"])
    yield case.compare(
        "height at rest", z[-1], 0.0, 1e-9, peer=case.peer_value("q_T"), source="projection of the drift"
    )
