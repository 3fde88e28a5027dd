"""A mass on a spring with Coulomb friction: it stops for ever, away from zero, when a turning point is in the dead zone."""

import numpy as np

import saltus as sl
from saltus.items import CoordinateGap, CoordinateSpringDamper, Mass1d, Node1d, Relay
from saltus.verification.models import options_of, with_step

FORCE = 0.3 * 9.81


def model(x=0.5):
    m = sl.Model(gravity=(0, 0, 0))
    n = m.add(Node1d(name="n", displacement=x))
    m.add(Mass1d(name="mass", node=n, mass=1))
    m.add(CoordinateSpringDamper(name="spring", A="ground", B=n, stiffness=100))
    m.add(CoordinateGap(name="friction", on=n, law=Relay(low=-FORCE, high=FORCE, on="rate")))
    return m


def verify(case):
    keywords = with_step("moreau_jean", 1e-4)
    case.how = options_of(keywords)
    result = model().simulate(4.0, **keywords)
    x, v = np.asarray(result["n.coordinate"]), np.asarray(result["n.rate"])
    stop = int(np.flatnonzero(np.abs(v) > 1e-12)[-1]) + 1
    moving = np.flatnonzero(np.abs(v) > 1e-12)  # at a turn the mass may stand for one step
    points = [x[0], *x[moving[:-1][v[moving[:-1]] * v[moving[1:]] < 0]], x[stop]]
    yield case.check("turning_points", points, 1e-4)
    yield case.check("stop_time", result.time[stop], 2e-4)
    yield case.check("final_position", x[-1], 1e-4)
    yield case.compare("largest |v| after the stop", np.abs(v[stop:]).max(), 0.0, 1e-12, source="stick")
    lost = result["energy.total"]
    yield case.check("energy_dissipated", lost[0] - lost[-1], 2e-3)
    yield case.compare(
        "force of friction when stuck", result["friction.multiplier"].last, 100 * x[-1], 1e-9, source="balance"
    )

    def run(h):
        return model().simulate(3.0, **with_step("moreau_jean", h))["n.coordinate"].last

    yield case.order(
        "the final position", run, [3.0 / n for n in (700, 1500, 3100, 6300, 12700)], case.truth("final_position"), 1
    )
