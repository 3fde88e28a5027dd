"""x' = cos t + 2 s, s in -Sgn x: after the start x stays zero and s follows -cos t / 2, the equivalent control."""

import math

import numpy as np

from saltus.items import FirstOrderSystem
from saltus.verification.independent.impacts import runs
from saltus.verification.siconos._systems import linear


def verify(case):
    def make():
        m = linear([3], C=[[1]], B=[[2]], law="relay")
        m.add(FirstOrderSystem(name="signal", node="x", function=["cos(t)"]))
        return m

    yield from runs(
        case, "equivalent control at 10 s", make, 10.0, lambda r: [float(np.ravel(r["relation.multiplier"])[-1])],
        [-0.5 * math.cos(10)], loose=1e-3, tight=1e-3, source="s = -cos t / 2 (Filippov)", step=1e-3,
    )  # fmt: skip
