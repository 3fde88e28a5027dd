"""Balls that just touch, the first one moves: Hertz or linear contact, forces only in compression."""

import numpy as np

import saltus as sl
from saltus.items import CoordinateUserSpring, Mass1d, Node1d
from saltus.verification.models import controlled, options_of

# User springs pull B towards A with a positive force: in compression u = q_B - q_A < 0 and the force is negative.
LAWS = {"hertz": "-max(-u, 0)^1.5", "linear": "-max(-u, 0)"}


def model(n, law):
    m = sl.Model(gravity=(0, 0, 0))
    for i in range(n):
        m.add(Node1d(name=f"n{i}", velocity=1.0 if i == 0 else 0.0))
        m.add(Mass1d(name=f"m{i}", node=f"n{i}", mass=1))
        if i:
            m.add(CoordinateUserSpring(name=f"c{i}", A=f"n{i - 1}", B=f"n{i}", force=LAWS[law]))
    return m


def verify(case):
    keywords = controlled("dormand_prince", 1e-10)
    case.how = options_of(keywords)
    for n in (3, 5, 10):
        for law in LAWS:
            result = model(n, law).simulate(60.0, **keywords)
            v = np.array([result[f"n{i}.rate"].last for i in range(n)])
            yield case.check(f"n{n}_{law}", v, 1e-6)
    yield case.compare("momentum", v.sum(), 1.0, 1e-12, source="conservation")
