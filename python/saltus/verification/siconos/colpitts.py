"""Colpitts oscillator, its transistor as two diodes: a linear complementarity system."""

import numpy as np

from saltus.verification.case import at
from saltus.verification.models import options_of, with_step
from saltus.verification.siconos._systems import linear


def model():
    L, C1, C2, Rc, Re, aF, aR, VCC, VEE = 0.1, 2, 0.8, 10, 20, 0.99, 0.015, 10, 20
    A = [
        [-1 / (Rc * C1), -1 / (Rc * C1), 1 / C1],
        [-1 / (Rc * C2), -(1 / Rc + 1 / Re) / C2, 1 / C2],
        [-1 / L, -1 / L, 0],
    ]
    b = [VCC / (Rc * C1), (VCC / Rc - VEE / Re) / C2, VCC / L]
    B = [[1 / C1, -aF / C1], [(1 - aR) / C2, (1 - aF) / C2], [0, 0]]
    return linear([0, 0, 0], A, b, C=[[1, 1, 0], [0, 1, 0]], B=B)


def verify(case):
    keywords = with_step("moreau_jean", 1e-3)
    case.how = options_of(keywords)
    result = model().simulate(20.0, **keywords)
    for key, time in (("x_1s", 1.0), ("x_5s", 5.0), ("x_20s", 20.0)):
        yield case.check(key, at(result, "x.state", time))
    y = np.asarray(result["x.state"]) @ np.array([[1, 0], [1, 1], [0, 0]], dtype=float)
    yield case.compare("smallest y", min(y[1:].min(), 0.0), 0.0, 1e-10, source="complementarity")
