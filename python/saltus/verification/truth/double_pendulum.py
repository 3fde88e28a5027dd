"""Two unit point masses on two massless unit rods, released with both rods horizontal: chaotic after 10 s."""

import numpy as np

import saltus as sl
from saltus.verification.models import controlled, options_of, with_step


def model():
    m = sl.Model(gravity=(0, -9.81, 0))
    a, b = m.point_mass(mass=1, at=(1, 0, 0), name="a"), m.point_mass(mass=1, at=(2, 0, 0), name="b")
    m.distance(m.ground, a, length=1, name="r1")
    m.distance(a, b, length=1, name="r2")
    return m


def verify(case):
    keywords = controlled("dormand_prince", 1e-10)
    case.how = options_of(keywords)
    for until, tolerance in ((1.0, 1e-6), (3.0, 1e-4), (5.0, 1e-3), (10.0, 1e-3)):
        result = model().simulate(until, **keywords)
        yield case.check(f"tip_t{until:g}", np.array(result["b.position"].last)[:2], tolerance)
    energy = np.asarray(result["energy.total"])
    yield case.compare(
        "energy drift in 10 s", np.ptp(energy), 0.0, 1e-5, source="conservation; E = 0, the scale is 10 J"
    )
    case.how = "runge_kutta_4"
    yield case.order(
        "tip at 1 s", lambda h: np.array(model().simulate(1.0, **with_step("runge_kutta_4", h))["b.position"].last)[:2],
        (1e-2, 5e-3, 2.5e-3), case.truth("tip_t1"), 4,
    )  # fmt: skip
    case.how = "generalized_alpha, spectral radius 0.8"
    yield case.order(
        "tip at 1 s, generalized-alpha",
        lambda h: np.array(model().simulate(1.0, **with_step("generalized_alpha", h, spectral_radius=0.8))["b.position"].last)[:2],
        (4e-3, 2e-3, 1e-3), case.truth("tip_t1"), 2,
    )  # fmt: skip
