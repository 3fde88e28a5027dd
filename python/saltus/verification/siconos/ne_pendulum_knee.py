"""A rod on a spherical joint."""

from saltus.verification.siconos._rod import rows


def verify(case):
    yield from rows(case, "spherical", 0.01)
