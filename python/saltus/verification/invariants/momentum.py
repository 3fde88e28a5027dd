"""Momentum of free systems is kept to 1e-12 by every scheme, angular momentum as the scheme's order tells."""

import numpy as np

from saltus.verification.invariants._long import molecule, momentum
from saltus.verification.models import options_of, with_step


def verify(case):
    steps = 1_000 if case.quick else 10_000
    for scheme, options in (
        ("runge_kutta_4", {}),
        ("generalized_alpha", {"spectral_radius": 0.9}),
        ("moreau_jean", {}),
    ):
        keywords = with_step(scheme, 1e-3, **options)
        case.how = options_of(keywords)
        total = momentum(molecule().simulate(steps * 1e-3, record=steps * 1e-5, **keywords))
        drift = np.abs(total - total[0]).max(axis=0) / np.linalg.norm(total[0, :3])
        yield case.compare(
            f"momentum, {steps} steps, {scheme}", drift[:3].max(), 0.0, 1e-12, source="action = reaction"
        )
        yield case.compare(f"angular momentum, {steps} steps, {scheme}", drift[3:].max(), 0.0, 1e-9 if scheme == "runge_kutta_4" else 1e-2,
                           source="forces along the lines of the points", note="not an invariant of the scheme, bounded by its order")  # fmt: skip
