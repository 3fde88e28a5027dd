"""A row of equal balls that touch under Newton's and Poisson's laws with simultaneous impacts; the sequential law is not there."""

from fractions import Fraction

import numpy as np

import saltus as sl
from saltus.items import CoordinatePairGap, Mass1d, NewtonImpact, Node1d, PoissonImpact
from saltus.verification.models import options_of, with_step

LAWS = {"newton_moreau": NewtonImpact, "poisson": PoissonImpact}


def model(count, moving, e, law):
    m = sl.Model(gravity=(0, 0, 0))
    for i in range(count):
        m.add(Node1d(name=f"n{i}", coordinate=float(i), velocity=1.0 if i < moving else 0.0))
        m.add(Mass1d(name=f"m{i}", node=f"n{i}", mass=1))
        if i:
            m.add(CoordinatePairGap(name=f"g{i}", A=f"n{i - 1}", B=f"n{i}", at=1.0, law=law(restitution=e)))
    return m


def verify(case):
    keywords = with_step("moreau_jean", 1e-3)
    case.how = options_of(keywords)
    for key in case._truth:
        n, hit, e, law = key.split("_", 3)
        if law not in LAWS:
            continue
        n, hit, e = (float(part.lstrip("nhite")) for part in (n, hit, e))
        result = model(int(n), int(hit), e, LAWS[law]).simulate(1e-3, **keywords)
        v = np.array([result[f"n{i}.rate"].last for i in range(int(n))])
        yield case.compare(key, v, [float(Fraction(x)) for x in case.truth(key)], 1e-12)
