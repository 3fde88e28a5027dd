"""A mass on a spring with friction regularised below a speed; then with Coulomb's law itself."""

import saltus as sl
from saltus.items import CoordinateGap, CoordinateLoad, CoordinateSpringDamper, Mass1d, Node1d, Relay
from saltus.verification.models import controlled, options_of, with_step


def model(regularised=True):
    m = sl.Model(gravity=(0, 0, 0))
    n = m.add(Node1d(name="n", velocity=2))
    m.add(Mass1d(name="mass", node=n, mass=1.5))
    m.add(CoordinateSpringDamper(name="spring", A="ground", B=n, stiffness=60))
    if regularised:
        m.add(CoordinateLoad(name="friction", on=n, force="-4*max(-1, min(1, v/0.001))"))
    else:
        m.add(CoordinateGap(name="friction", on=n, law=Relay(low=-4, high=4, on="rate")))
    return m


def verify(case):
    keywords = controlled("dormand_prince", 1e-9)
    case.how = options_of(keywords)
    result = model().simulate(1.2, **keywords)
    yield case.check("x", result["n.coordinate"].last)
    yield case.check("v", result["n.rate"].last)
    keywords = with_step("moreau_jean", 2e-5)
    case.how = options_of(keywords) + ", Coulomb's law itself"
    result = model(regularised=False).simulate(1.2, **keywords)
    yield case.check("x", result["n.coordinate"].last, 2e-4, note="the regularisation itself changes x by this order")
