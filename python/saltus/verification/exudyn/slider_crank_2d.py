"""Planar slider-crank with a constant torque on the crank."""

import numpy as np

import saltus as sl
from saltus.items import LinearRelation, NodePoint2d, NodeRigid2d, PlanarRevolute, PointMass, RigidBody, Torque
from saltus.verification.models import controlled, options_of, with_step


def model():
    m = sl.Model(gravity=(0, -9.81, 0))
    for name, x, mass, J in (("crank", 0.05, 0.8, 0.0006666666666666669), ("rod", 0.25, 0.5, 0.00375)):
        m.add(NodeRigid2d(name=f"n_{name}", position=[x, 0, 0]))
        m.add(RigidBody(name=name, node=f"n_{name}", mass=mass, inertia=[J, J, J]))
    m.add(NodePoint2d(name="n_slider", position=[0.4, 0, 0]))
    m.add(PointMass(name="slider", node="n_slider", mass=0.4))
    m.add(PlanarRevolute(name="bearing", A="ground", B="crank", at=[0, 0, 0]))
    m.add(PlanarRevolute(name="pin", A="crank", B="rod", at=[0.1, 0, 0]))
    m.add(PlanarRevolute(name="wrist", A="rod", B="slider", at=[0.4, 0, 0]))
    m.add(LinearRelation(name="guide", on=[{"node": "n_slider", "coordinate": 1}], matrix=[[1]]))
    m.add(Torque(name="motor", on="crank", torque=[0, 0, 0.6]))
    return m


def values(keywords):
    result = model().simulate(0.5, **keywords)
    return {
        "slider_x": result["slider.position.x"].last, "slider_v": result["slider.velocity.x"].last,
        "crank_angle": result["n_crank.coordinate.2"].last, "crank_rate": result["n_crank.rate.2"].last,
    }  # fmt: skip


def verify(case):
    keywords = controlled("dormand_prince", 1e-9)
    case.how = options_of(keywords)
    found = values(keywords)
    turns = round((found["crank_angle"] - case.truth("crank_angle")) / (2 * np.pi))
    found["crank_angle"] -= 2 * np.pi * turns
    for key, value in found.items():
        yield case.check(key, value)
    case.how = "generalized_alpha, spectral radius 0.8"
    keys = ("slider_x", "slider_v", "crank_rate")

    def run(h):
        found = values(with_step("generalized_alpha", h, spectral_radius=0.8))
        return [found[key] for key in keys]

    yield case.order("slider and crank", run, (1e-3, 5e-4, 2.5e-4), [case.truth(key) for key in keys], 2)
