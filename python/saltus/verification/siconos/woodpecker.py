"""Woodpecker toy: impacts and friction of a sleeve on a pole; a stepper of the case gives the digits."""

import numpy as np

from saltus.verification.case import at
from saltus.verification.models import of_gallery, options_of, with_step


def verify(case):
    keywords = with_step("moreau_jean", 2e-5, drift="none")
    case.how = options_of(keywords)
    result = of_gallery("woodpecker").simulate(0.29998, **keywords)
    yield case.check("q_T", np.array(result["q.coordinate"].last))
    yield case.check("y_at_0p1", at(result, "q.coordinate", 0.1)[0])
