"""A thin disc rolls without slip on a plane."""

import numpy as np

import saltus as sl
from saltus.verification.models import controlled, options_of, with_step

R, CENTRE = 0.3, (0.044831439742079766, 0.0, 0.29663132338081266)
SPIN = (7.011060425036455, 0.0, -0.45280428055356925)


def model():
    m = sl.Model()
    disc = m.body(mass=2, inertia=(0.09, 0.045, 0.045), at=CENTRE, rotation=(0, 0.15, 0), velocity=np.cross(SPIN, CENTRE), angular_velocity=SPIN, name="disc")
    m.rolling(m.plane(), disc, radius=R, axis=(np.cos(0.15), 0, -np.sin(0.15)), name="rim")
    return m


def rows(case, result):
    x, y, z = result["disc.position"].last
    for key, ours in (("x", x), ("y", y), ("z", z), ("wx", result["disc.angular_velocity.x"].last)):
        yield case.check(key, ours)


def verify(case):
    for keywords in (controlled("dormand_prince", 1e-11), with_step("moreau_jean", 5e-4)):
        case.how = options_of(keywords)
        yield from rows(case, model().simulate(1.0, **keywords))
