"""A thin clamped beam under a dead force at its tip, by beam elements whose shear is stiff: 300 N over a stiffness of 2e8 N."""

import saltus as sl

LENGTH, EA, EI, SHEAR, FORCE = 2.0, 2e5, 200.0, 2e8, (-60.0, -300.0)


def tip(elements, up="y"):
    """(along x, along `up`, slope) of the tip."""
    m = sl.Model(gravity=(0, 0, 0))
    beam = m.beam((0, 0, 0), (LENGTH, 0, 0), section=sl.Section((EA, SHEAR, SHEAR, 150.0, EI, EI)), elements=elements, name="beam")
    m.fixed(m.ground, beam.start)
    m.force(beam.end, (FORCE[0], FORCE[1], 0) if up == "y" else (FORCE[0], 0, FORCE[1]))
    result = m.static()
    place, turn = result[beam.end.position].last, result[beam.end.rotation].last
    k = "xyz".index(up)
    return place[0], place[k], turn[2] if up == "y" else -turn[1]


def verify(case, up="y"):
    case.how = "static, 160 elements"
    x, y, slope = tip(160, up)
    yield case.check("x_tip", x)
    yield case.check("y_tip", y)
    yield case.check("theta_tip", slope)
    case.how = "static"
    yield case.order("the tip", lambda h: tip(round(LENGTH / h), up)[:2], (0.1, 0.05, 0.025), [case.truth("x_tip"), case.truth("y_tip")], 2)
