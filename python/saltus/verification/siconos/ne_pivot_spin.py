"""A rod on a revolute joint."""

from saltus.verification.siconos._rod import rows


def verify(case):
    yield from rows(case, "revolute", 0.02)
