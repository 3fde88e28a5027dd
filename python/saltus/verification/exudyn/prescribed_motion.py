"""A mass with prescribed motion pulls a second one by a spring: the drive force is right from the first step."""

import numpy as np

from saltus.verification.models import of_gallery, options_of, with_step


def values(keywords, until=0.77):
    result = of_gallery("prescribed_motion").simulate(until, **keywords)
    force = np.asarray(result["drive.multiplier"])
    return {"q0": result["n0.coordinate"].last, "q1": result["n1.coordinate"].last, "drive_force": force.ravel()[-1]}


def verify(case):
    for keywords, loose in (
        (with_step("runge_kutta_4", 1e-3), None),
        (with_step("generalized_alpha", 1e-3, spectral_radius=0.8), 5e-6),
    ):
        case.how = options_of(keywords)
        found = values(keywords)
        yield case.check("q0", found["q0"])
        yield case.check("q1", found["q1"], loose)
        yield case.check("drive_force", found["drive_force"])
    result = of_gallery("prescribed_motion").simulate(0.01, **keywords)
    first = np.asarray(result["drive.multiplier"]).ravel()[0]
    yield case.compare(
        "drive force at the start", first, 2 * 0.1 * 12**2, 1e-9, source="m A w^2; the peer ignores d2c/dt2"
    )
    case.how = "generalized_alpha, spectral radius 0.8"

    def run(h):
        found = values(with_step("generalized_alpha", h, spectral_radius=0.8))
        return [found["q1"], found["drive_force"]]

    yield case.order(
        "q1 and the drive force", run, (2e-3, 1e-3, 5e-4), [case.truth("q1"), case.truth("drive_force")], 2
    )
