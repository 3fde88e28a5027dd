"""A point mass on a massless rod: what the cases of index 2 and 3 share."""

import numpy as np

from saltus.verification.models import options_of, pendulum, with_step


def values(keywords):
    result = pendulum(0.75, 2.0).simulate(1.5, **keywords)
    p, v = np.array(result["bob.position"].last), np.array(result["bob.velocity"].last)
    force = np.array(result["rod.force"].last)
    return {
        "x_end": p[0], "y_end": p[1], "vx_end": v[0], "rod_force_end": float(-force @ p / np.linalg.norm(p)),
        "drift_end": np.linalg.norm(p) - 0.75,
    }  # fmt: skip


def rows(case, keywords, factor=1.0):
    """Rows of a run; factor: on the case's tolerances, which are for converged values."""
    case.how = options_of(keywords)
    for key, value in values(keywords).items():
        yield case.check(key, value, case.tolerance(key) * (factor if key != "drift_end" else 1.0))


def orders(case, scheme, expected, steps, **options):
    case.how = scheme
    for names in (("x_end", "y_end"), ("vx_end",), ("rod_force_end",)):
        yield case.order(
            ", ".join(names) + f", {scheme}",
            lambda h, names=names: [values(with_step(scheme, h, **options))[name] for name in names],
            steps, [case.truth(name) for name in names], expected,
        )  # fmt: skip
