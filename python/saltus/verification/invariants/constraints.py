"""Joints stay closed over long runs: 1e-9 after 20,000 steps, a million with --heavy, by every scheme."""

from saltus.verification.invariants._long import chain, energy_drift, violation
from saltus.verification.models import options_of, pendulum, with_step


def verify(case):
    steps = 1_000_000 if case.heavy else 2_000 if case.quick else 20_000
    for scheme, options in (
        ("runge_kutta_4", {}), ("dormand_prince", {}), ("generalized_alpha", {"spectral_radius": 0.9}), ("moreau_jean", {}),
    ):  # fmt: skip
        keywords = with_step(scheme, 1e-3, **options)
        case.how = options_of(keywords)
        for name, make in (("pendulum", lambda: pendulum(1.0, 1.0)), ("chain in space", chain)):
            if case.heavy and name != "pendulum" and scheme != "generalized_alpha":
                continue
            result = make().simulate(steps * 1e-3, record=max(0.1, steps * 1e-6), **keywords)
            yield case.compare(f"largest violation, {name}, {steps} steps, {scheme}", violation(result), 0.0, 1e-9,
                               source="the constraint", note=f"energy drift {energy_drift(result):.1e} of the kinetic energy")  # fmt: skip
