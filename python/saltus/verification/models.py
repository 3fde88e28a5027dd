"""Models and parts of models that several cases share."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import saltus as sl
from saltus import gallery
from saltus.items import GenericSystem, NodeOde1, NodeOde2

if TYPE_CHECKING:
    from collections.abc import Callable

    from saltus.handles import Body
    from saltus.items import Item


def of_gallery(name: str) -> sl.Model:
    """A model of the gallery, without its own scheme, step and end: a case chooses them."""
    engine = gallery.load(name)
    engine.simulation = {}
    return sl.Model._of(engine)


def generic(coordinates, velocities, mass_matrix, **terms) -> sl.Model:
    """M a + D v + K q = f on one node `q`, without gravity."""
    m = sl.Model(gravity=(0, 0, 0))
    node = m.add(NodeOde2(name="q", count=len(coordinates), coordinates=list(coordinates), velocities=list(velocities)))
    m.add(GenericSystem(name="system", node=node, mass_matrix=mass_matrix, **terms))
    return m


def states(values) -> sl.Model:
    """First-order states on a node `x`, without gravity; the equations are to be added."""
    m = sl.Model(gravity=(0, 0, 0))
    m.add(NodeOde1(name="x", count=len(values), initial_values=list(values)))
    return m


def coordinates(node: str, count: int) -> list[dict]:
    """The first `count` coordinates of a node, as relations take them."""
    return [{"node": node, "coordinate": i} for i in range(count)]


def heavy_top() -> sl.Model:
    """Heavy top of Bruls, Cardona, Arnold (2012), held by a spherical joint at the origin."""
    return of_gallery("heavy_top")


def pendulum(length: float, mass: float, start=(1.0, 0.0)) -> sl.Model:
    """Point mass on a massless rod in the plane y up, at rest at `start` (2), a unit vector."""
    m = sl.Model(gravity=(0, -9.81, 0))
    bob = m.point_mass(mass=mass, at=(length * start[0], length * start[1], 0), name="bob")
    m.distance(m.ground, bob, length=length, name="rod")
    return m


def free_body(inertia, angular_velocity, mass: float = 1.0) -> sl.Model:
    """A body free of forces; the angular velocity [rad/s] is in its axes, which are those of the world at the start."""
    m = sl.Model(gravity=(0, 0, 0))
    m.body(mass=mass, inertia=list(inertia), angular_velocity=list(angular_velocity), name="body")
    return m


def two_body(between: Callable[[Body, Body], Item], masses, x, v, plane_velocity=None) -> sl.Model:
    """Two points in the x-y plane with a force element `between` them."""
    m = sl.Model(gravity=(0, 0, 0))
    speeds = plane_velocity or [(value, 0.0, 0.0) for value in v]
    a, b = (
        m.point_mass(mass=mass, at=(place, 0, 0), velocity=speed, name=f"p{i}")
        for i, (mass, place, speed) in enumerate(zip(masses, x, speeds, strict=True), start=1)
    )
    m.add(between(a, b), name="pair")
    return m


def with_step(scheme: str, step: float, **options) -> dict:
    """Keywords of `simulate` for a fixed step of a scheme."""
    return {"scheme": sl.Scheme(scheme, **options), "step": step}


def controlled(scheme: str, tolerance: float, **options) -> dict:
    """Keywords of `simulate` for error control."""
    return {"scheme": sl.Scheme(scheme, **options), "tolerance": tolerance}


def options_of(keywords: dict) -> str:
    """Scheme and step of a run, as rows print it."""
    scheme = keywords["scheme"]
    options = "".join(f", {name.replace('_', ' ')} {value}" for name, value in scheme.options.items())
    end = f", step {keywords['step']:g} s" if "step" in keywords else f", tolerance {keywords['tolerance']:g}"
    return scheme.name + options + end


def quaternion_sign(values, truth) -> float:
    """+1 or -1: which of the two quaternions of a rotation is meant."""
    return math.copysign(1.0, sum(a * b for a, b in zip(values, truth, strict=True)))
