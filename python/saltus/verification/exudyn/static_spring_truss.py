"""A point held by three springs under a large force: static equilibrium."""

from saltus.verification.models import of_gallery


def verify(case):
    case.how = "static, Newton"
    result = of_gallery("spring_truss").static()
    for axis in "xyz":
        yield case.check(axis, result[f"knot.position.{axis}"].last, 1e-10)
