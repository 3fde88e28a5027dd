"""Heavy top on SO(3): fast spin, held by a spherical joint."""

import numpy as np

from saltus.verification.models import controlled, heavy_top, options_of, with_step


def verify(case):
    keywords = controlled("dormand_prince", 1e-10)
    case.how = options_of(keywords)
    for until in (0.1, 1.0, 2.0):
        result = heavy_top().simulate(until, **keywords)
        yield case.check(f"com_t{until:g}", np.array(result["top.position"].last), 1e-5)
        yield case.check(f"Omega_body_t{until:g}", np.array(result["top.angular_velocity_body"].last), 1e-4)
        R = np.array(result["top.rotation_matrix"].last).reshape(3, 3)
        yield case.check(f"R_t{until:g}", R, 1e-5)
    yield case.compare("orthogonality of R", R.T @ R, np.eye(3), 1e-12, source="SO(3)")
    energy = np.asarray(result["energy.total"])
    yield case.compare("relative drift of the energy", np.ptp(energy) / 5435.7, 0.0, 1e-6, source="conservation")
    scheme = {"spectral_radius": 0.9}
    case.how = "generalized_alpha, spectral radius 0.9"

    def run(h):
        return np.array(heavy_top().simulate(0.1, **with_step("generalized_alpha", h, **scheme))["top.position"].last)

    yield case.order("com at 0.1 s", run, (1e-3, 5e-4, 2.5e-4, 1.25e-4), case.truth("com_t0.1"), 2)
