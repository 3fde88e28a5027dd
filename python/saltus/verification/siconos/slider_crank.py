"""Slider-crank with clearance (Flores, Leine, Glocker): crank, rod and a slider with play between two guides."""

import math

import numpy as np

import saltus as sl
from saltus.items import CoulombImpact2d, NodeRigid2d, PlanarRevolute, PlaneContact2d, RigidBody
from saltus.verification.case import at
from saltus.verification.models import options_of, with_step

L1, L2, A, B, D = 0.153, 0.306, 0.05, 0.025, 0.052


def model():
    m = sl.Model(gravity=(0, -9.81, 0))
    # Absolute angles of the case: th1' = 150, th2' = -75, th3' = -0.01; the pins give the velocities of the centres.
    v1, v2 = 150 * L1, 150 * L1 - 75 * L2
    for name, x, mass, J, v, w in (
        ("crank", 0.5 * L1, 0.038, 7.4e-5, 0.5 * v1, 150.0),
        ("rod", L1 + 0.5 * L2, 0.038, 5.9e-4, 0.5 * (v1 + v2), -75.0),
        ("slider", L1 + L2, 0.076, 2.7e-6, v2, -0.01),
    ):
        m.add(NodeRigid2d(name=f"n_{name}", position=[x, 0, 0], velocity=[0, v, 0], angular_velocity=w))
        m.add(RigidBody(name=name, node=f"n_{name}", mass=mass, inertia=[J, J, J]))
    m.add(PlanarRevolute(name="bearing", A="ground", B="crank", at=[0, 0, 0]))
    m.add(PlanarRevolute(name="pin", A="crank", B="rod", at=[L1, 0, 0]))
    m.add(PlanarRevolute(name="wrist", A="rod", B="slider", at=[L1 + L2, 0, 0]))
    law = CoulombImpact2d(friction=0.01, restitution=0.4)
    for side, turn in ((-1, -math.pi / 2), (1, math.pi / 2)):  # z of the guides' frames points inwards
        guide = {"body": "ground", "at": [0, side * D / 2, 0], "rotation": [turn, 0, 0]}
        for u in (-A, A):
            corner = {"body": "slider", "local": [u, side * B, 0]}
            m.add(PlaneContact2d(name=f"corner_{'low' if side < 0 else 'high'}_{'back' if u < 0 else 'front'}",
                                 A=guide, B=corner, law=law))  # fmt: skip
    return m


def verify(case):
    keywords = with_step("moreau_jean", 1e-5)
    case.how = options_of(keywords)
    result = model().simulate(0.04, **keywords)
    impact = next(e[0] for e in result.events if e[1] == "impact")
    yield case.compare(
        "first impact against the peer", impact, case.peer_value("first_impact"), 2e-5, source="Siconos 4.4.0"
    )
    note = "impacts with play are sensitive: minimal coordinates at the peer, constraints here, both first order"
    for key, time, tolerance in (("q_0p01", 0.01, 5e-3), ("q_0p04", 0.04, 3e-2)):
        q = np.array([at(result, f"n_{name}.coordinate", time)[2] for name in ("crank", "rod", "slider")])
        yield case.compare(f"angles at {time:g} s against the peer", q, case.peer_value(key), tolerance,
                           source="Siconos 4.4.0, same step", note=note)  # fmt: skip
    gap = min(np.asarray(result[f"{name}.residual"])[:, 0].min() for name in
              ("corner_low_back", "corner_low_front", "corner_high_back", "corner_high_front"))  # fmt: skip
    yield case.compare("deepest penetration", max(-gap, 0.0), 0.0, 2e-4, source="h v of an impact")
    energy = np.asarray(result["energy.total"])
    yield case.compare(
        "energy rises by no more than",
        max(np.diff(energy).max(), 0.0),
        0.0,
        1e-3 * energy[0],
        source="dissipation, O(h) a step",
    )
