"""The same body; the peer takes Euler parameters with a constraint, Saltus has one kind of rotation, without singularity."""

from saltus.verification.exudyn._free_body import rows
from saltus.verification.models import with_step


def verify(case):
    yield from rows(case, with_step("moreau_jean", 1e-3), 2, (8e-3, 4e-3, 2e-3), 5e-6)
