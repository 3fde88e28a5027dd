"""A pendulum by generalized-alpha at index 3: order 2 in position, velocity and the rod's force."""

from saltus.verification.exudyn._pendulum import orders, rows
from saltus.verification.models import controlled, with_step


def verify(case):
    yield from rows(case, controlled("dormand_prince", 1e-10))
    yield from rows(case, with_step("generalized_alpha", 1e-3, spectral_radius=0.8), 1000)
    yield from orders(case, "generalized_alpha", 2, (4e-3, 2e-3, 1e-3), spectral_radius=0.8)
