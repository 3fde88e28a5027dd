"""A mass falls and stays: impact time, contact force. The peer detects the event; Saltus is late by a step at most."""

import saltus as sl
from saltus.items import CoordinateGap, CoordinateLoad, Mass1d, NewtonImpact, Node1d
from saltus.verification.models import told, with_step


def model():
    m = sl.Model(gravity=(0, 0, 0))
    n = m.add(Node1d(name="n", coordinate=0.5))
    m.add(Mass1d(name="mass", node=n, mass=2))
    m.add(CoordinateLoad(name="weight", on=n, force=-2 * 9.81))
    m.add(CoordinateGap(name="floor", on=n, law=NewtonImpact(restitution=0.0)))
    return m


def verify(case):
    step = 1e-4 if case.quick else 1e-5
    keywords = with_step("moreau_jean", step)
    case.how = told(keywords)
    result = model().simulate(2.0, **keywords)
    impact = next(e[0] for e in result.events if e[1] == "impact")
    yield case.check("impact_time", impact, 2 * step, note="two steps: Saltus has no event-driven scheme yet")
    yield case.check("contact_force_T", result["floor.multiplier"].last)
    yield case.check("q_T", result["n.coordinate"].last)
