"""Two point masses that attract each other, in the plane."""

import numpy as np

from saltus.items import MutualGravity
from saltus.verification.models import controlled, options_of, two_body


def verify(case):
    keywords = controlled("dormand_prince", 1e-11)
    case.how = options_of(keywords)
    pull = lambda a, b: MutualGravity(A=a, B=b, mass_A=10, mass_B=0.5, constant=1)  # noqa: E731
    result = two_body(pull, (10, 0.5), (0, 1), None, [(0, 0, 0), (0, 3.7, 0)]).simulate(2.0, **keywords)
    d = np.array(result["p2.position"].last) - np.array(result["p1.position"].last)
    yield case.check("dx", d[0])
    yield case.check("dy", d[1])
    p = 10 * np.asarray(result["p1.velocity"]) + 0.5 * np.asarray(result["p2.velocity"])
    yield case.compare("momentum", np.abs(p - p[0]).max(), 0.0, 1e-12, source="conservation")
