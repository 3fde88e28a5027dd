"""A sphere falls on a plane, with and without projection: the largest penetration. The peer has no exact value."""

import saltus as sl
from saltus.verification.models import options_of, with_step


def model():
    m = sl.Model()
    ball = m.sphere(radius=0.5, mass=1, at=(0, 0, 2), name="ball")
    m.contact(m.plane(), ball, restitution=0.5, friction=0.3)
    return m


def verify(case):
    note = "truth: the ball never goes below its radius; both schemes sink by less than h v of the impact, 0.027 m"
    for drift, key in (("none", "zmin"), ("projection", "zmin_proj")):
        keywords = with_step("moreau_jean", 0.005, drift=drift)
        case.how = options_of(keywords)
        result = model().simulate(2.0, **keywords)
        z = result["ball.position.z"]
        yield case.compare(f"lowest centre, drift {drift}", z.min(), 0.5, 0.027, peer=case.peer_value(key), source=note)
    yield case.compare("rest", z.last, 0.5, 1e-9, peer=case.peer_value("z_T_proj"), source="at rest on the plane")
