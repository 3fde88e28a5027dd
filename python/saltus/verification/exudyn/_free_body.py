"""A body free of torques, spun close to its middle axis: what the three cases of the peer's rotation parameters share.

The case's moments of inertia, 0.5, 1 and 1.6 kg m^2, are no body's: 1.6 > 0.5 + 1, the mass would have to be negative
somewhere. Saltus refuses them, which is checked; the motion is compared for 1.4 in the place of 1.6, with an own truth.
"""

from functools import lru_cache

import numpy as np

from saltus.errors import ModelError
from saltus.verification.models import free_body, options_of, with_step

INERTIA, START = np.array([0.5, 1.0, 1.4]), (0.05, 4.0, 0.02)


def model(inertia=INERTIA):
    return free_body(inertia, START, mass=3)


@lru_cache(maxsize=1)
def proof() -> dict[str, float]:
    """Euler's equations and R' = R [w] by scipy, DOP853 at 1e-13."""
    from scipy.integrate import solve_ivp

    def f(t, y):
        w, R = y[:3], y[3:].reshape(3, 3)
        return [*(np.cross(INERTIA * w, w) / INERTIA), *np.cross(R, w).ravel()]

    y = solve_ivp(f, (0, 4), [*START, *np.eye(3).ravel()], method="DOP853", rtol=1e-13, atol=1e-14).y[:, -1]
    return {"wx": y[0], "wy": y[1], "wz": y[2], "A12": y[4], "A33": y[11], "energy_drift_rel": 0.0}


def refused() -> bool:
    try:
        model((0.5, 1.0, 1.6)).simulate(0.1)
    except ModelError as error:
        return "no body has one larger than the sum of the others" in str(error)
    return False


def values(result):
    w, R = np.array(result["body.angular_velocity_body"].last), np.array(result["body.rotation_matrix"].last)
    energy = np.asarray(result["energy.kinetic"])
    return {
        "wx": w[0], "wy": w[1], "wz": w[2], "A12": R[1], "A33": R[8], "energy_drift_rel": energy[-1] / energy[0] - 1,
    }  # fmt: skip


def rows(case, keywords, expected, steps, tolerance=None):
    case.how = options_of(keywords)
    found = values(model().simulate(4.0, **keywords))
    source = "Euler's equations, scipy DOP853 at 1e-13, inertia 0.5, 1, 1.4"
    for key, value in found.items():
        bound = case.tolerance(key) if tolerance is None else tolerance
        yield case.compare(key, value, proof()[key], bound, source=source)
    yield case.compare("the case's inertia is refused", float(refused()), 1.0, 0.0, source="1.6 > 0.5 + 1")
    scheme = keywords["scheme"]
    case.how = options_of({"scheme": scheme, "step": steps[-1]})
    names = ("wx", "wy", "wz", "A12", "A33")

    def run(h):
        found = values(model().simulate(4.0, **with_step(scheme.name, h, **scheme.options)))
        return [found[name] for name in names]

    yield case.order("rates and rotation", run, steps, [proof()[name] for name in names], expected)
