"""Two spheres hit each other frontally (penalty): f = k delta + d delta' while delta > 0."""

from saltus.items import PenaltySpheres
from saltus.verification.models import controlled, options_of, two_body


def verify(case):
    keywords = controlled("dormand_prince", 1e-10)
    case.how = options_of(keywords)
    spheres = lambda a, b: PenaltySpheres(A=a, B=b, radius_A=0.1, radius_B=0.1, stiffness=1e5, exponent=1, damping=20, pulls=True)  # noqa: E731
    result = two_body(spheres, (1, 2), (0, 0.25), (2, 0)).simulate(0.06, **keywords)
    yield case.check("v1", result["p1.velocity.x"].last)
    yield case.check("v2", result["p2.velocity.x"].last)
    yield case.check("x1", result["p1.position.x"].last)
