"""Two spheres hit each other frontally (penalty), without tension: f = max(k delta + d delta', 0) while delta > 0."""

from saltus.items import PenaltySpheres
from saltus.verification.models import controlled, options_of, two_body


def verify(case):
    keywords = controlled("dormand_prince", 1e-10)
    case.how = options_of(keywords)
    spheres = lambda a, b: PenaltySpheres(A=a, B=b, radius_A=0.1, radius_B=0.1, stiffness=1e5, exponent=1, damping=20)  # noqa: E731
    result = two_body(spheres, (1, 2), (0, 0.25), (2, 0)).simulate(0.06, **keywords)
    v1, v2 = result["p1.velocity.x"].last, result["p2.velocity.x"].last
    yield case.check("v1", v1, 1e-6)
    yield case.check("v2", v2, 1e-6)
    yield case.check("momentum", v1 + 2 * v2, 1e-12)
