"""The same ball by event detection, at the peer and here."""

import numpy as np

from saltus.verification.siconos.bouncing_ball_ts import model


def verify(case):
    case.how = "event_driven"
    result = model().simulate(5.0, scheme="event_driven")
    impacts = [e[0] for e in result.events if e[1] == "impact"]
    yield case.check("impacts", len(impacts))
    yield case.check("first_impacts", impacts[:4], 1e-12)
    yield case.check("q_T", result["ball.position.z"].last, 1e-11)
    yield case.check("v_T", result["ball.velocity.z"].last, 1e-11)
    yield case.compare("impact times against the speeds", np.diff(impacts)[1] / np.diff(impacts)[0], 0.9, 1e-11, source="e")
