"""A semicircular arch of blocks without tension and without sliding: it stands a little above the critical thickness, and falls below."""

import math

import numpy as np

import saltus as sl
from saltus.items import CoulombImpact2d, NodeRigid2d, PlaneContact2d, RigidBody
from saltus.verification.models import options_of, with_step

LONG = True
HALF = 10  # blocks per half


def model(thickness):
    """Blocks between radial joints; the corners of each joint's upper block touch the face of the block below it.

    Centroids and masses are those of the sectors (unit density, unit depth), inertia of a rectangle: it does not matter at rest.
    """
    m = sl.Model(gravity=(0, -9.81, 0))
    inner, outer, n = 1 - 0.5 * thickness, 1 + 0.5 * thickness, 2 * HALF
    angle = math.pi / n
    area = 0.5 * angle * (outer**2 - inner**2)
    centroid = 2 / 3 * (outer**3 - inner**3) / (outer**2 - inner**2) * math.sin(0.5 * angle) / (0.5 * angle)
    J = area * (thickness**2 + angle**2) / 12
    law = CoulombImpact2d(friction=10.0)
    for i in range(n):
        middle = (i + 0.5) * angle
        m.add(NodeRigid2d(name=f"n{i}", position=[centroid * math.cos(middle), centroid * math.sin(middle), 0]))
        m.add(RigidBody(name=f"block{i}", node=f"n{i}", mass=area, inertia=[J, J, J]))
    for i in range(n + 1):  # joint i at the angle i * angle: the block after it rests on the one before it
        at = i * angle
        direction = np.array([math.cos(at), math.sin(at), 0])
        below, above = ("ground" if i == 0 else f"block{i - 1}"), ("ground" if i == n else f"block{i}")
        first, second, turn = (below, above, at) if i < n else (above, below, at + math.pi)
        # z of the plane's frame points along the arch, x along the radius: z = (-sin, cos), x = (cos, sin)
        rotation = _rotation([math.cos(turn), math.sin(turn), 0], [-math.sin(turn), math.cos(turn), 0])
        for k, radius in enumerate((inner, outer)):
            place = (radius * direction).tolist()
            face, corner = {"body": first, "at": place, "rotation": rotation}, {"body": second, "at": place}
            m.add(PlaneContact2d(name=f"joint{i}_{k}", A=face, B=corner, law=law))
    return m


def _rotation(x, z):
    from saltus.geometry import rotation_vector

    return rotation_vector(np.column_stack([x, np.cross(z, x), z])).tolist()


def falls(thickness, keywords):
    result = model(thickness).simulate(1.0, record=0.05, **keywords)
    places = np.array([np.asarray(result[f"n{i}.coordinate"]) for i in range(2 * HALF)])
    return np.abs(places[:, -1] - places[:, 0]).max()


def verify(case):
    keywords = with_step("moreau_jean", 2e-3)
    case.how = options_of(keywords)
    critical = case.truth("discrete_N_half_10")
    yield case.compare("largest motion of an arch 1.01 times as thick", falls(1.01 * critical, keywords), 0.0, 1e-6)
    moved = falls(0.99 * critical, keywords)
    yield case.compare(
        "an arch 0.99 times as thick falls", float(moved > 1e-3), 1.0, 0.0, note=f"moved by {moved:.1e} m"
    )
