"""Energy of smooth conservative systems over 10,000 steps: Runge-Kutta and the midpoint rule keep 1e-6 of it.

Generalized-alpha with a spectral radius below 1 dissipates by design; the case states its loss, which falls with the third power of
the step (second order per unit of time, Arnold & Bruls 2007), which is checked.
"""

import numpy as np

from saltus.verification.invariants._long import chain, energy_drift, molecule
from saltus.verification.models import generic, heavy_top, options_of, pendulum, with_step


def oscillator():
    return generic((1, 0), (0, 1), [[1, 0.2], [0.2, 2]], stiffness_matrix=[[50, -10], [-10, 30]])


def verify(case):
    steps = 2_000 if case.quick else 10_000
    models = {
        "two coupled oscillators": (oscillator, 2e-3, 1e-2), "pendulum": (lambda: pendulum(1.0, 1.0), 1e-3, 3e-4),
        "chain in space": (chain, 2e-4, 2e-5), "four points with springs": (molecule, 1e-3, 3e-4), "heavy top": (heavy_top, 1e-4, 1e-4),
    }  # fmt: skip
    note = "nonlinear systems: theta = 1/2 has no drift, its energy swings by O(h^2): the step is chosen for 1e-6"
    for name, (make, *chosen) in models.items():
        for scheme, step in zip(("runge_kutta_4", "moreau_jean"), chosen, strict=True):
            keywords = with_step(scheme, step)
            case.how = options_of(keywords)
            result = make().simulate(steps * step, record=steps * step / 100, **keywords)
            tolerance = 1e-6 if scheme == "runge_kutta_4" or name != "two coupled oscillators" else 1e-11
            yield case.compare(f"energy drift, {name}, {steps} steps, {scheme}", energy_drift(result), 0.0, tolerance,
                               source="conservation", note=note if scheme == "moreau_jean" else "")  # fmt: skip
    case.how = "moreau_jean"
    yield case.order(
        "energy drift, pendulum, moreau_jean",
        lambda h: energy_drift(pendulum(1.0, 1.0).simulate(2.0, **with_step("moreau_jean", h))),
        (4e-3, 2e-3, 1e-3),
        0.0,
        2,
    )
    for radius in (0.5, 0.9):
        case.how = f"generalized_alpha, spectral radius {radius}"
        yield case.order(
            f"energy loss, oscillators, spectral radius {radius}",
            lambda h, r=radius: loss(h, r),
            (1.6e-2, 8e-3, 4e-3),
            0.0,
            3,
        )


def loss(step: float, radius: float) -> float:
    """Relative energy lost in 10 s, from the averages over the first and the last second."""
    result = oscillator().simulate(10.0, **with_step("generalized_alpha", step, spectral_radius=radius))
    energy = np.asarray(result["energy.total"])
    n = round(1.0 / step)
    return abs(float(energy[-n:].mean() / energy[:n].mean()) - 1.0)
