"""Relays: reached in finite time, then exact sliding with the equivalent control; Filippov's spiral."""

import math

import numpy as np

from saltus.items import FirstOrderSystem
from saltus.verification.case import at
from saltus.verification.models import options_of, with_step
from saltus.verification.siconos._systems import linear


def verify(case):
    step = 1e-3
    keywords = with_step("moreau_jean", step)
    case.how = options_of(keywords)
    result = linear([1], C=[[1]], B=[[1]], law="relay").simulate(2.0, **keywords)
    x = np.asarray(result["x.state"]).ravel()
    yield case.check("simple_reach_time_x0_1", result.time[int(np.argmax(np.abs(x) < 1e-12))], 2 * step)
    yield case.compare("|x| after", np.abs(x[result.time > 1.01]).max(), 0.0, 1e-12, source="sliding")

    m = linear([3], C=[[1]], B=[[2]], law="relay")
    m.add(FirstOrderSystem(name="disturbance", node="x", function="sin(10*t)"))
    result = m.simulate(5.0, **keywords)
    x, s = np.asarray(result["x.state"]).ravel(), np.asarray(result["relation.multiplier"]).ravel()
    yield case.check("disturbed_reach_time", result.time[int(np.argmax(np.abs(x) < 1e-12))], 2 * step)
    late = result.time > 1.61
    yield case.compare("|x| while it slides", np.abs(x[late]).max(), 0.0, 1e-12, source="sliding")
    yield case.compare("equivalent control at 5 s", s[-1], -math.sin(50) / 2, 10 * step, source="s = -d sin(w t) / a")
    jumps = np.abs(np.diff(s[late])).max()
    yield case.compare(
        "no chatter: largest jump of s", jumps, 0.0, 10 * step, source="slope of the disturbance times the step"
    )

    for start, key in (((1, 1), "spiral_reach_time_from_1_1"), ((2, -1), "spiral_reach_time_from_2_m1")):
        result = linear(start, C=[[1, 0], [0, 1]], B=[[1, -2], [2, 1]], law="relay").simulate(3.0, **keywords)
        size = np.abs(np.asarray(result["x.state"])).sum(axis=1)
        yield case.check(
            key, result.time[int(np.argmax(size < 1e-12))], 5 * step, note="infinitely many switches before"
        )
        yield case.compare(f"rest from {start}", at(result, "x.state", 3.0), [0, 0], 1e-12, source="closed form")
