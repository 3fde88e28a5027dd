"""Tennis racket: a body that spins about its middle axis flips again and again."""

import numpy as np

from saltus.verification.models import controlled, free_body, quaternion_sign, options_of


def verify(case):
    keywords = controlled("dormand_prince", 1e-12)
    case.how = options_of(keywords)
    period = case.truth("polhode_period")
    result = free_body((3, 2, 1), (0.001, 5, 0.001)).simulate(period, **keywords)
    w = np.asarray(result["body.angular_velocity_body"])
    yield case.check("return", w[-1], 1e-5, note="the motion is unstable: errors grow by e^(lambda T) on the way")
    q, truth = np.array(result["body.quaternion"].last), case.truth("quaternion_after_one_period")
    yield case.check("quaternion_after_one_period", q * quaternion_sign(q, truth), 1e-5)
    half = free_body((3, 2, 1), (0.001, 5, 0.001)).simulate(period / 2, **keywords)
    yield case.compare("middle rate after half a period", half["body.angular_velocity_body.y"].last, -5.0, 1e-4)
    energy = np.asarray(result["energy.total"])
    yield case.compare("relative drift of the energy", np.ptp(energy) / energy[0], 0.0, 1e-9, source="conservation")
    i = np.flatnonzero(w[:-1, 1] * w[1:, 1] < 0)
    zeros = [_zero(result.time[k : k + 2], w[k : k + 2, 1], _slope(w[k : k + 2])) for k in i]
    yield case.check("flip_interval", zeros[1] - zeros[0], 1e-4 * case.truth("flip_interval"))


def _slope(w):
    """Rate of the middle component, J2 w2' = (J3 - J1) w3 w1."""
    return (1.0 - 3.0) / 2.0 * w[:, 2] * w[:, 0]


def _zero(t, w, slope):
    """Zero of the cubic through two values and slopes."""
    h = t[1] - t[0]
    cubic = np.array(
        [
            2 * w[0] - 2 * w[1] + h * (slope[0] + slope[1]),
            -3 * w[0] + 3 * w[1] - h * (2 * slope[0] + slope[1]),
            h * slope[0],
            w[0],
        ]
    )
    roots = np.roots(cubic)
    root = roots[(np.abs(roots.imag) < 1e-9) & (roots.real >= 0) & (roots.real <= 1)].real[0]
    return t[0] + h * root
