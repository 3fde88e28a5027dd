"""A beam spun up by its hub to 6 rad/s in 15 s: it stretches as the closed form says, and swings about its straight line by little."""

import math

import numpy as np

import saltus as sl
from saltus.verification.models import with_step

LENGTH, EA, EI, GA, RHO_A, RHO_I = 10.0, 2.8e7, 1.4e4, 1e7, 1.2, 6e-4
ANGLE = "0.4*(min(t, 15)^2/2 + (15/(2*pi))^2*(cos(2*pi*min(t, 15)/15) - 1)) + 6*max(t - 15, 0)"


def verify(case):
    m = sl.Model(gravity=(0, 0, 0))
    section = sl.Section((EA, GA, GA, EI, EI, EI), RHO_A, (2 * RHO_I, RHO_I, RHO_I))
    beam = m.beam((0, 0, 0), (LENGTH, 0, 0), section=section, elements=10, name="beam")
    hub = m.revolute(m.ground, beam.start, axis="z", angle=ANGLE.replace("pi", repr(math.pi)))
    keywords = with_step("generalized_alpha", 5e-3, spectral_radius=0.6)
    case.how = "generalized_alpha, step 5e-3 s, 10 elements"
    result = m.simulate(25.0, **keywords)
    t = result.time
    tip = result[beam.end.position]
    late = t > 20.0
    reach = np.linalg.norm(tip, axis=1)
    truth = case.truth("steady_tip_extension")
    yield case.compare("tip extension", float(np.mean(reach[late]) - LENGTH), truth, 1e-2 * truth)
    root = np.linalg.norm(result[hub.force], axis=1)
    yield case.compare("root force", float(np.mean(root[late])), case.truth("root_force"), 1e-2 * case.truth("root_force"))
    turn = 6.0 * t - 45.0
    aside = tip[:, 1] * np.cos(turn) - tip[:, 0] * np.sin(turn)
    yield case.compare("sideways motion after the spin-up", float(np.abs(aside[late]).max()), 0.0, 1e-2, note="bounded by stiffening: 1 mm of 10 m")
