"""A block on planes of 20 and 30 degrees, friction 0.4: constant decelerations, closed form to rounding."""

import math

import saltus as sl
from saltus.verification.models import options_of, with_step


def model(degrees):
    """x down the slope, as the case counts it."""
    a = math.radians(degrees)
    m = sl.Model(gravity=(9.81 * math.sin(a), 0, -9.81 * math.cos(a)))
    block = m.point_mass(mass=1, velocity=(1, 0, 0), name="block")
    m.contact(m.plane(), block, friction=0.4)
    return m


def verify(case):
    keywords = with_step("moreau_jean", 1e-3)
    case.how = options_of(keywords)
    for degrees in (20, 30):
        result = model(degrees).simulate(2.0, **keywords)
        yield case.check(f"v_T_{degrees}deg", result["block.velocity.x"].last)
        yield case.check(f"x_T_{degrees}deg", result["block.position.x"].last)
