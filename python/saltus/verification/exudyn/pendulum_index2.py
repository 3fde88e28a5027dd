"""The same pendulum with the constraint at the level of velocities and projection: Moreau-Jean, first order in the force."""

from saltus.verification.exudyn._pendulum import orders, rows
from saltus.verification.models import with_step


def verify(case):
    yield from rows(case, with_step("runge_kutta_4", 1e-3))
    yield from orders(case, "runge_kutta_4", 4, (2e-2, 1e-2, 5e-3))
    yield from orders(case, "moreau_jean", 1, (4e-3, 2e-3, 1e-3))
