"""Zhuravlev and Ivanov's change of variables: |s| is a ball with restitution 1/3; input and state multiply two relays."""

import numpy as np

from saltus.items import FirstOrderRelation, FirstOrderSystem, Relay
from saltus.verification.models import coordinates, states, told, with_step

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
    case.how = told(keywords)
    result = model().simulate(3.0, **keywords)
    s = np.asarray(result["x.state"])[:, 0]
    crossings = result.time[1:][s[1:] * s[:-1] < 0][:4]
    yield case.check("impact_times", crossings)
    yield case.check("max_s", s.max())
    yield case.compare("at rest at the end", np.abs(np.asarray(result["x.state"])[-1]).max(), 0.0, 1e-9, source="accumulation at 1.87 s")
