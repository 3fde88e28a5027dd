"""The same thin beam in space, bent in its other plane."""

from saltus.verification.exudyn import ancf_cable2d_elastica


def verify(case):
    yield from ancf_cable2d_elastica.verify(case, "z")
