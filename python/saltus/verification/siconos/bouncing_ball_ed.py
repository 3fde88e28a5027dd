"""The same ball by event detection at the peer; Saltus has time stepping only: first order, so coarser tolerances."""

import numpy as np

from saltus.verification.models import told, with_step
from saltus.verification.siconos.bouncing_ball_ts import model


def verify(case):
    step = 1e-4 if case.quick else 1e-5
    keywords = with_step("moreau_jean", step)
    case.how = told(keywords)
    result = model().simulate(5.0, **keywords)
    impacts = [e[0] for e in result.events if e[1] == "impact"]
    note = "Saltus has no event-driven scheme yet: 1e-7 and 1e-6 wait for it"
    yield case.check("impacts", len(impacts))
    yield case.check("first_impacts", impacts[:4], 10 * step, note=note)
    yield case.check("q_T", result["ball.position.z"].last, 100 * step, note=note)
    yield case.check("v_T", result["ball.velocity.z"].last, 100 * step, note=note)
    yield case.compare(
        "impact times against the speeds", np.diff(impacts)[1] / np.diff(impacts)[0], 0.9, 10 * step, source="e"
    )
