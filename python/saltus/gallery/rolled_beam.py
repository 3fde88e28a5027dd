"""A cantilever rolled up to a full circle by a moment at its end, with a point on it read between two nodes."""

import math

import saltus as sl


def model() -> sl.Model:
    m = sl.Model(gravity=(0, 0, 0))
    section = sl.Section((1e6, 1e6, 1e6, 1.0, 1.0, 1.0))  # bending stiffness 1 N m^2
    beam = m.beam((0, 0, 0), (1, 0, 0), section=section, elements=20, name="beam")
    m.fixed(m.ground, beam.start, name="clamp")
    m.torque(beam.end, (0, 0, 2 * math.pi), name="moment")
    point = beam.at(0.35, name="point")
    m.outputs = {"tip": beam.end.position.x, "half": beam.at(0.5).position.y, "point": point.position.x}
    m.simulation = {"until": 1.0, "scheme": "static"}
    return m
