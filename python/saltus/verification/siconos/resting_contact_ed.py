"""A mass falls and stays: impact time, contact force, by event detection at the peer and here."""

import saltus as sl
from saltus.items import CoordinateGap, CoordinateLoad, Mass1d, NewtonImpact, Node1d


def model():
    m = sl.Model(gravity=(0, 0, 0))
    n = m.add(Node1d(name="n", coordinate=0.5))
    m.add(Mass1d(name="mass", node=n, mass=2))
    m.add(CoordinateLoad(name="weight", on=n, force=-2 * 9.81))
    m.add(CoordinateGap(name="floor", on=n, law=NewtonImpact(restitution=0.0)))
    return m


def verify(case):
    case.how = "event_driven"
    result = model().simulate(2.0, scheme="event_driven")
    impact = next(e[0] for e in result.events if e[1] == "impact")
    yield case.check("impact_time", impact, 1e-12)
    yield case.check("contact_force_T", result["floor.multiplier"].last)
    yield case.check("q_T", result["n.coordinate"].last)
