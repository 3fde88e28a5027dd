"""A free asymmetric body near its middle axis by Runge-Kutta 4 on the group."""

from saltus.verification.exudyn._free_body import rows
from saltus.verification.models import with_step


def verify(case):
    yield from rows(case, with_step("runge_kutta_4", 0.005), 4, (0.04, 0.02, 0.01))
