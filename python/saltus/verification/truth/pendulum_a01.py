"""A point mass on a massless rod, Cartesian coordinates with a constraint: four periods from the horizontal."""

import numpy as np

from saltus.verification.models import controlled, options_of, pendulum, with_step


def model():
    return pendulum(1.0, 1.0, (-1.0, 0.0))


def verify(case):
    keywords = controlled("dormand_prince", 1e-10)
    case.how = options_of(keywords)
    result = model().simulate(10.0, **keywords)
    yield case.check("x_10", result["bob.position.x"].last, 1e-6)
    yield case.check("y_10", result["bob.position.y"].last, 1e-6)
    p, energy = np.asarray(result["bob.position"]), np.asarray(result["energy.total"])
    yield case.compare("largest energy drift [J]", np.ptp(energy), 0.0, 1e-5, source="conservation")
    yield case.compare(
        "largest violation [m]", np.abs(np.linalg.norm(p, axis=1) - 1).max(), 0.0, 1e-9, source="constraint"
    )
    keywords = with_step("runge_kutta_4", 1e-3)
    case.how = options_of(keywords)
    result = model().simulate(2.5, **keywords)
    tension = np.linalg.norm(np.asarray(result["rod.force"]), axis=1)
    yield case.check("rope_force_max", tension.max(), 1e-3)
    truth = [case.truth("x_10"), case.truth("y_10")]
    for scheme, expected, steps in (
        ("runge_kutta_4", 4, (2.5e-3, 1.25e-3, 6.25e-4)),
        ("generalized_alpha", 2, (2e-3, 1e-3, 5e-4)),
        ("moreau_jean", 1, (4e-3, 2e-3, 1e-3)),
    ):
        case.how = scheme
        yield case.order(
            f"the position at 10 s, {scheme}",
            lambda h, s=scheme: np.array(model().simulate(10.0, record=10.0, **with_step(s, h))["bob.position"].last)[
                :2
            ],
            steps,
            truth,
            expected,
        )
