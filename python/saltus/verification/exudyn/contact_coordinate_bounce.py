"""A mass on a unilateral spring and damper (penalty); the force is kept while the gap is negative, even in tension."""

import saltus as sl
from saltus.items import CoordinateLoad, CoordinateUserSpring, Mass1d, Node1d
from saltus.verification.models import controlled, options_of


def model():
    m = sl.Model(gravity=(0, 0, 0))
    n = m.add(Node1d(name="n", coordinate=0.05))
    m.add(Mass1d(name="mass", node=n, mass=0.25))
    m.add(CoordinateLoad(name="weight", on=n, force=-0.25 * 9.81))
    m.add(CoordinateUserSpring(name="floor", A="ground", B=n, force="if(u < 0, 2e4*u + 5*v, 0)"))
    return m


def verify(case):
    keywords = controlled("dormand_prince", 1e-10)
    case.how = options_of(keywords)
    result = model().simulate(0.35, **keywords)
    yield case.check("y", result["n.coordinate"].last)
    yield case.check("v", result["n.rate"].last)
