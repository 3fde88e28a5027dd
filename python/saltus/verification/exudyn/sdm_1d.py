"""One mass, spring, damper and a constant force."""

import saltus as sl
from saltus.items import CoordinateLoad, CoordinateSpringDamper, Mass1d, Node1d
from saltus.verification.models import controlled, options_of, with_step


def model():
    m = sl.Model(gravity=(0, 0, 0))
    n = m.add(Node1d(name="n", displacement=0.08, velocity=0.3))
    m.add(Mass1d(name="mass", node=n, mass=1.6))
    m.add(CoordinateSpringDamper(name="spring", A="ground", B=n, stiffness=4000, damping=8))
    m.add(CoordinateLoad(name="force", on=n, force=80))
    return m


def values(keywords):
    result = model().simulate(1.0, **keywords)
    return [result["n.coordinate"].last, result["n.rate"].last, result["n.coordinate_acceleration"].last]


def verify(case):
    keys = ("x_end", "v_end", "a_end")
    keywords = controlled("dormand_prince", 1e-9)
    case.how = options_of(keywords)
    for key, value in zip(keys, values(keywords)):
        yield case.check(key, value)
    keywords = with_step("generalized_alpha", 1e-3, spectral_radius=1.0)
    case.how = options_of(keywords)
    found = values(keywords)
    yield case.check("x_end", found[0], 2e-5)
    truth = [case.truth(key) for key in keys]
    for scheme, options, expected in (
        ("generalized_alpha", {"spectral_radius": 1.0}, 2),
        ("moreau_jean", {}, 2),
        ("runge_kutta_4", {}, 4),
    ):
        case.how = scheme
        yield case.order(
            f"x, x', {scheme}",
            lambda h, s=scheme, o=options: values(with_step(s, h, **o))[:2],
            (2e-3, 1e-3, 5e-4),
            truth[:2],
            expected,
        )
    case.how = "generalized_alpha, spectral radius 0.8"
    yield case.order(
        "x'', generalized_alpha",
        lambda h: values(with_step("generalized_alpha", h, spectral_radius=0.8))[2],
        (2e-3, 1e-3, 5e-4),
        truth[2],
        2,
    )
