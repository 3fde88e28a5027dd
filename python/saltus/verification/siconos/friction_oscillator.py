"""A mass on a spring with dry friction: it sticks for ever after 22.42 s."""

import numpy as np

import saltus as sl
from saltus.items import CoordinateGap, CoordinateSpringDamper, Mass1d, Node1d, Relay
from saltus.verification.models import options_of, with_step


def model():
    m = sl.Model(gravity=(0, 0, 0))
    n = m.add(Node1d(name="n", displacement=12, velocity=6))
    m.add(Mass1d(name="mass", node=n, mass=1))
    m.add(CoordinateSpringDamper(name="spring", A="ground", B=n, stiffness=1))
    m.add(CoordinateGap(name="friction", on=n, law=Relay(low=-1, high=1, on="rate")))
    return m


def verify(case):
    for step in (0.01, 1e-3):
        keywords = with_step("moreau_jean", step)
        case.how = options_of(keywords)
        result = model().simulate(100.0, **keywords)
        v = np.abs(np.asarray(result["n.rate"]))
        stuck = int(np.flatnonzero(v > 1e-9)[-1]) + 1
        yield case.check("stick_time", result.time[stuck], 0.02 if step == 0.01 else 0.002)
        yield case.check("x_T", result["n.coordinate"].last, 0.005 if step == 0.01 else 5e-4)
    yield case.compare(
        "friction when stuck", result["friction.multiplier"].last, result["n.coordinate"].last, 1e-9, source="balance"
    )
