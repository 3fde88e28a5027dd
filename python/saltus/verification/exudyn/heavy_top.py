"""Heavy top to 1 s: the peer aborts at its default spectral radius 0.9 with this step."""

import numpy as np

from saltus.verification.models import controlled, heavy_top, told, with_step


def rows(case, keywords, tolerances):
    case.how = told(keywords)
    result = heavy_top().simulate(1.0, **keywords)
    p, w = np.array(result["top.position"].last), np.array(result["top.angular_velocity_body"].last)
    for key, value in (("x", p[0]), ("y", p[1]), ("z", p[2]), ("wx", w[0]), ("wz", w[2])):
        yield case.check(key, value, tolerances[key[0]] if tolerances else None)


def verify(case):
    yield from rows(case, controlled("dormand_prince", 1e-10), None)
    loose = {"x": 1e-2, "y": 1e-2, "z": 1e-2, "w": 0.3}
    for radius in (0.6, 0.9):
        yield from rows(case, with_step("generalized_alpha", 1e-3, spectral_radius=radius), loose)
