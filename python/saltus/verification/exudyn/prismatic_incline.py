"""A body guided along an inclined line with spring and damper along it."""

import math

import numpy as np

import saltus as sl
from saltus.verification.models import controlled, options_of, with_step

AXIS = np.array([math.cos(0.5), math.sin(0.5), 0])


def model():
    m = sl.Model(gravity=(0, -9.81, 0))
    body = m.box(size=(0.1, 0.1, 0.1), mass=3, at=AXIS, name="body")
    m.prismatic(m.ground, body, at=AXIS, axis=AXIS, name="guide")
    m.spring(m.ground, body, stiffness=200, damping=2, rest_length=1, name="spring")
    return m


def values(keywords):
    result = model().simulate(1.0, **keywords)
    normal = np.array([-AXIS[1], AXIS[0], 0])
    return {
        "s": np.array(result["body.position"].last) @ AXIS, "v": np.array(result["body.velocity"].last) @ AXIS,
        "normal_force": np.array(result["guide.force"].last) @ normal,
    }  # fmt: skip


def verify(case):
    keywords = controlled("dormand_prince", 1e-9)
    case.how = options_of(keywords)
    for key, value in values(keywords).items():
        yield case.check(key, value)
    case.how = "generalized_alpha, spectral radius 0.9"

    def run(h):
        found = values(with_step("generalized_alpha", h, spectral_radius=0.9))
        return [found["s"], found["v"]]

    yield case.order("distance and speed", run, (4e-3, 2e-3, 1e-3), [case.truth("s"), case.truth("v")], 2)
