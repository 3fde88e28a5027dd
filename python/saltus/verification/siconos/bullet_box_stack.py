"""Five unit cubes, alternately shifted by 0.02 m, at rest: each stands with its corners on the top plane of the one below."""

import itertools

import numpy as np

import saltus as sl
from saltus.items import CoulombImpact, PlaneContact
from saltus.verification.models import options_of, with_step


def stack(count, mass, friction, shift=0.0):
    """`count` cubes of 1 m; the plane of a top is unbounded, which is exact while nothing moves over an edge."""
    m = sl.Model()
    below, height = m.ground, 0.0
    for i in range(count):
        box = m.box(size=(1, 1, 1), mass=mass[i], at=(shift * (i % 2), 0, i + 0.5), name=f"box{i}")
        top = below.frame(at=(0, 0, height), name=f"top{i}")
        for k, (x, y) in enumerate(itertools.product((-0.5, 0.5), repeat=2)):
            corner = {"body": box.name, "local": [x, y, -0.5]}
            m.add(PlaneContact(name=f"foot{i}_{k}", A=top, B=corner, law=CoulombImpact(friction=friction)))
        below, height = box, height + 1.0
    return m


def verify(case):
    keywords = with_step("moreau_jean", 0.005)
    case.how = options_of(keywords)
    result = stack(5, [1.0] * 5, 0.3, shift=0.02).simulate(1.0, **keywords)
    z = [result[f"box{i}.position.z"].last for i in range(5)]
    yield case.check("z_T", z, 1e-8)
    speeds = [
        np.abs(np.asarray(result[f"box{i}.{q}"])).max() for i in range(5) for q in ("velocity", "angular_velocity")
    ]
    yield case.check("speed_max", max(speeds), 1e-8)
