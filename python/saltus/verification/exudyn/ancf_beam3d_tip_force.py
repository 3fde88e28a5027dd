"""A clamped beam with shear under a dead force at its tip: order 2 in the length of an element."""

import saltus as sl

LENGTH, STIFFNESS = 1.5, (2e6, 4e5, 5e5, 80.0, 60.0, 150.0)


def tip(elements):
    m = sl.Model(gravity=(0, 0, 0))
    beam = m.beam((0, 0, 0), (LENGTH, 0, 0), section=sl.Section(STIFFNESS), elements=elements, name="beam")
    m.fixed(m.ground, beam.start)
    m.force(beam.end, (0, 150, 0))
    return m.static()[beam.end.position].last


def verify(case):
    case.how = "static, 64 elements"
    place = tip(64)
    yield case.check("x_tip", place[0])
    yield case.check("y_tip", place[1])
    case.how = "static"
    yield case.order("the tip", lambda h: tip(round(LENGTH / h))[:2], (0.1875, 0.09375, 0.046875), [case.truth("x_tip"), case.truth("y_tip")], 2)
