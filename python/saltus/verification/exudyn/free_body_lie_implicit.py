"""A free asymmetric body near its middle axis by generalized-alpha on the group."""

from saltus.verification.exudyn._free_body import rows
from saltus.verification.models import with_step


def verify(case):
    yield from rows(case, with_step("generalized_alpha", 1e-3, spectral_radius=0.9), 2, (8e-3, 4e-3, 2e-3), 5e-6)
