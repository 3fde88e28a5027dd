"""A clamped beam with shear under a dead force at its tip, in each of its two planes: order 2 in the length of an element."""

import saltus as sl

LENGTH, STIFFNESS = 1.5, (2e5, 4e4, 5e4, 80.0, 60.0, 150.0)


def tip(elements, force):
    m = sl.Model(gravity=(0, 0, 0))
    beam = m.beam((0, 0, 0), (LENGTH, 0, 0), section=sl.Section(STIFFNESS), elements=elements, name="beam")
    m.fixed(m.ground, beam.start)
    m.force(beam.end, force)
    return m.static()[beam.end.position].last


def verify(case):
    case.how = "static, 64 elements"
    for plane, force, axis in (("a", (0, 150, 0), "y"), ("b", (0, 0, 60), "z")):
        place = tip(64, force)
        yield case.check(f"x{plane}", place[0])
        yield case.check(f"{axis}{plane}", place["xyz".index(axis)])
    case.how = "static"
    truth = [case.truth("xa"), case.truth("ya"), 0.0]
    yield case.order("the tip", lambda h: tip(round(LENGTH / h), (0, 150, 0)), (0.1875, 0.09375, 0.046875), truth, 2)
