"""Two spheres hit each other frontally (penalty), without tension: f = max(k delta + d delta', 0) while delta > 0."""

from saltus.verification.models import controlled, told, two_body

FORCE = "if(L < 0.2, -max(1e5*(0.2 - L) - 20*dL, 0), 0)"


def verify(case):
    keywords = controlled("dormand_prince", 1e-10)
    case.how = told(keywords)
    result = two_body(FORCE, (1, 2), (0, 0.25), (2, 0)).simulate(0.06, **keywords)
    v1, v2 = result["p1.velocity.x"].last, result["p2.velocity.x"].last
    yield case.check("v1", v1, 1e-6)
    yield case.check("v2", v2, 1e-6)
    yield case.check("momentum", v1 + 2 * v2, 1e-12)
