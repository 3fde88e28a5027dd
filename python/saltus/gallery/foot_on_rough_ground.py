"""A foot with its leg steps down on rough ground, finds three points to stand on, and stands."""

import numpy as np

import saltus as sl


def model() -> sl.Model:
    m = sl.Model()
    rng = np.random.default_rng(4)
    ground = m.height_field(0.008 * rng.random((15, 11)), size=(0.56, 0.4), name="soil")
    foot = m.box(size=(0.26, 0.16, 0.03), mass=1.5, at=(0, 0, 0.05), name="foot")
    shin = m.capsule(radius=0.035, length=0.2, mass=4.0, at=(-0.03, 0, 0.2), name="shin")
    m.fixed(foot, shin, at=(-0.03, 0, 0.065), name="ankle")
    stance = m.contact([ground], [foot], friction=0.8, name="stance")
    m.outputs = {"force": stance.force, "points": stance.points}
    m.simulation = {"until": 2.0, "step": 2e-3}
    return m
