"""Zhuravlev and Ivanov's change of variables: |s| is a ball with restitution 1/3; input and state multiply two relays.

Compared up to 1.86 s, before the impacts accumulate at 1.8715 s; run on to 2.2 s, at rest. There the states fall to 1e-38, W has a
column of zeros beside entries of 1e-3 where the second multiplier multiplies nothing, and the one solution of a step's linear problem is
found among the nine combinations of its two boxes (`all_modes`), judged row by row.
"""

import numpy as np

from saltus.items import FirstOrderRelation, FirstOrderSystem, Relay
from saltus.verification.models import coordinates, states, options_of, with_step

KAPPA, G = 0.5, 9.81


def model():
    m = states((1, 10))
    m.add(FirstOrderSystem(name="free", node="x", matrix=[[0, 1], [0, 0]]))
    m.add(FirstOrderRelation(
        name="signs", on=coordinates("x", 2), rows=2, output=["q0", "q1"],
        input=[f"-{KAPPA}*lambda0*lambda1*q1", f"{G}*lambda0/(1 - {KAPPA}*lambda0*lambda1)"],
        law=Relay(low=-1, high=1, on="value"),
    ))  # fmt: skip
    return m


def verify(case):
    keywords = with_step("moreau_jean", 1e-3, theta=1.0)
    case.how = options_of(keywords)
    result = model().simulate(2.2, **keywords)
    s = np.asarray(result["x.state"])[result.time <= 1.86, 0]
    away = np.flatnonzero(s)  # at a crossing s may be zero for a step
    crossings = result.time[away[1:]][s[away[1:]] * s[away[:-1]] < 0]
    yield case.check("impact_times", crossings[:4])
    yield case.check("max_s", s.max())
