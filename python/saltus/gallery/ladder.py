"""A man climbs a ladder that leans at a smooth wall, from one equilibrium to the next: the foot needs ever more of its friction, and at 2.89 m all of it."""

import math

import numpy as np

import saltus as sl
from saltus.geometry import rotation_vector
from saltus.items import CoulombImpact2d, PlaneContact2d

LENGTH, ANGLE, FRICTION = 4.0, math.radians(60), 0.4
LADDER, MAN = 12.0, 80.0
# From the moments about the foot: the wall's force is all of its friction.
HIGHEST = (FRICTION * (LADDER + MAN) * math.tan(ANGLE) - LADDER / 2) * LENGTH / MAN


def facing_left() -> list[float]:
    """Of a face whose normal, z of its frame, is -x."""
    return rotation_vector(np.array([[0.0, 0.0, -1.0], [1.0, 0.0, 0.0], [0.0, -1.0, 0.0]])).tolist()


def model(climbs: float = 0.999 * HIGHEST) -> sl.Model:
    """`climbs`: how far the man comes [m]. Farther than HIGHEST the run ends, with the motion of the ladder that begins."""
    m = sl.Model(planar=True)
    c, s = math.cos(ANGLE), math.sin(ANGLE)
    ladder = m.box(size=(LENGTH, 0.05, 0.4), mass=LADDER, at=(-0.5 * LENGTH * c, 0.5 * LENGTH * s), rotation=(0, 0, ANGLE), name="ladder")
    m.plane(name="floor")
    m.plane(at=(0, 0), normal=(-1, 0), name="wall")
    law = CoulombImpact2d(friction=FRICTION)
    m.add(PlaneContact2d(name="foot", A={"body": "ground", "rotation": [-math.pi / 2, 0, 0]}, B={"body": "ladder", "at": [-LENGTH * c, 0, 0]}, law=law))
    m.add(PlaneContact2d(name="top", A={"body": "ground", "rotation": facing_left()}, B={"body": "ladder", "at": [0, LENGTH * s, 0]}, law=CoulombImpact2d(friction=0.0)))
    man = m.sphere(radius=0.2, mass=MAN, at=(-LENGTH * c, 0), name="man")
    m.prismatic(ladder, man, at=(-LENGTH * c, 0), axis=(c, s), position=f"{climbs}*t", name="climb")
    m.outputs = {"man": man.position, "foot": "foot.force", "wall": "top.force"}
    m.simulation = {"until": 1.0, "step": 0.02, "scheme": "static"}
    return m
