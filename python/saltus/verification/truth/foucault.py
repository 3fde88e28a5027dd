"""Foucault's pendulum, linear, in the rotating frame: the Coriolis term is a skew damping matrix."""

import math

import numpy as np

from saltus.verification.models import controlled, generic, options_of, with_step

SPIN = 7.2921159e-5 * math.sin(math.radians(48.8462))


def model():
    k = 9.81 / 67
    return generic(
        (0.03, 0),
        (0, 0),
        [[1, 0], [0, 1]],
        stiffness_matrix=[[k, 0], [0, k]],
        damping_matrix=[[0, -2 * SPIN], [2 * SPIN, 0]],
    )


def verify(case):
    keywords = controlled("dormand_prince", 1e-9)
    case.how = options_of(keywords)
    result = model().simulate(3600.0, **keywords)
    yield case.check("xy_3600", np.array(result["q.coordinate"].last), 1e-6)
    keywords = with_step("moreau_jean", 0.01)
    case.how = options_of(keywords)
    result = model().simulate(3600.0, record=3600.0, **keywords)
    yield case.check(
        "xy_3600",
        np.array(result["q.coordinate"].last),
        6e-5,
        note="the trapezoidal rule loses w^3 h^2 T / 12 of the phase: 5e-5 m",
    )
