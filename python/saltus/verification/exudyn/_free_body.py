"""A body free of torques, spun close to its middle axis: what the three cases of the peer's rotation parameters share."""

import numpy as np

from saltus.verification.models import free_body, told, with_step


def model():
    return free_body((0.5, 1.0, 1.6), (0.05, 4.0, 0.02), mass=3)


def values(result):
    w, R = np.array(result["body.angular_velocity_body"].last), np.array(result["body.rotation_matrix"].last)
    energy = np.asarray(result["energy.kinetic"])
    return {
        "wx": w[0], "wy": w[1], "wz": w[2], "A12": R[1], "A33": R[8], "energy_drift_rel": energy[-1] / energy[0] - 1,
    }  # fmt: skip


def rows(case, keywords, expected, steps, tolerance=None):
    case.how = told(keywords)
    found = values(model().simulate(4.0, **keywords))
    for key, value in found.items():
        yield case.check(key, value, tolerance)
    scheme = keywords["scheme"]
    case.how = told({"scheme": scheme, "step": steps[-1]})
    names = ("wx", "wy", "wz", "A12", "A33")

    def run(h):
        found = values(model().simulate(4.0, **with_step(scheme.name, h, **scheme.options)))
        return [found[name] for name in names]

    yield case.order("rates and rotation", run, steps, [case.truth(name) for name in names], expected)
