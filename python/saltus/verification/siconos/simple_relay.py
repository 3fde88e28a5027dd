"""x' = 2 lambda, lambda in -Sgn(x), in two dimensions: zero at 0.5 s, then exactly zero."""

import numpy as np

from saltus.verification.case import at
from saltus.verification.models import options_of, with_step
from saltus.verification.siconos._systems import linear


def verify(case):
    keywords = with_step("moreau_jean", 1e-3)
    case.how = options_of(keywords)
    result = linear([1, -1], C=[[1, 0], [0, 1]], B=[[2, 0], [0, 2]], law="relay").simulate(1.0, **keywords)
    x = np.asarray(result["x.state"])
    yield case.check("x_at_0p25", at(result, "x.state", 0.25))
    yield case.check("reach_time", result.time[int(np.argmax(np.abs(x).max(axis=1) < 1e-12))])
    yield case.check("x_T", x[-1])
