"""A body on a slide at 35 degrees: uniformly accelerated, exact for theta = 1/2."""

import math

import saltus as sl
from saltus.verification.models import options_of, with_step


def model():
    m = sl.Model()
    a = math.radians(35)
    body = m.box(size=(1, 1, 1), mass=2, name="body")
    m.prismatic(m.ground, body, axis=(math.cos(a), 0, math.sin(a)))
    return m


def verify(case):
    keywords = with_step("moreau_jean", 1e-3)
    case.how = options_of(keywords)
    result = model().simulate(1.0, **keywords)
    yield case.check("x_T", result["body.position.x"].last)
    yield case.check("z_T", result["body.position.z"].last)
    yield case.check("vx_T", result["body.velocity.x"].last)
