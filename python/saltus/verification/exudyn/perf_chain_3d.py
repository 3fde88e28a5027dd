"""A chain of 100 cuboid links hinged about y, released horizontally."""

import saltus as sl
from saltus.verification.models import options_of, with_step

LONG = True


def model(links=100):
    m = sl.Model()
    last = m.ground
    for i in range(links):
        link = m.box(size=(0.2, 0.02, 0.02), density=1000, at=(0.2 * i + 0.1, 0, 0), name=f"link{i}")
        m.revolute(last, link, at=(0.2 * i, 0, 0), axis="y")
        last = link
    last.frame(at=(0.2 * links, 0, 0), name="tip")
    return m


def verify(case):
    keywords = with_step("generalized_alpha", 2.5e-4, spectral_radius=0.7)
    case.how = options_of(keywords)
    result = model().simulate(0.1, **keywords)
    yield case.check("z_tip", result["tip.position.z"].last)
    yield case.check("x_tip", result["tip.position.x"].last)
    yield case.check("w_first", result["link0.angular_velocity.y"].last)
    yield case.compare("largest violation", result.report["residual"]["constraints"], 0.0, 1e-8, source="certificate")
