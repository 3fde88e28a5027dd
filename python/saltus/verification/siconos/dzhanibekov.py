"""Free rotation near the middle axis by time stepping, 20 s."""

import numpy as np

from saltus.verification.case import at
from saltus.verification.models import free_body, options_of, with_step


def verify(case):
    for scheme in ("moreau_jean", "runge_kutta_4"):
        keywords = with_step(scheme, 1e-3)
        case.how = options_of(keywords)
        result = free_body((1, 2, 3), (0.001, 5, 0.001)).simulate(20.0, **keywords)
        w = np.asarray(result["body.angular_velocity_body"])
        i = np.flatnonzero(w[:-1, 1] * w[1:, 1] < 0)
        flips = result.time[i] + 1e-3 * w[i, 1] / (w[i, 1] - w[i + 1, 1])
        tolerance = 0.005 if scheme == "moreau_jean" else 1e-6
        yield case.check("first_flip", flips[0], tolerance)
        yield case.check("period", flips[1] - flips[0], tolerance)
        yield case.check("omega_5s", at(result, "body.angular_velocity_body", 5.0), 4 * tolerance)
        energy = np.asarray(result["energy.total"])
        yield case.compare("relative drift of the energy", np.ptp(energy) / energy[0], 0.0, 1e-5 if tolerance > 1e-4 else 1e-10,
                           peer=case.peer_value("energy_rel_drift"), source="conservation")  # fmt: skip
