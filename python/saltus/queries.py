"""Questions about shapes: how far two bodies are apart, where they touch, what a ray meets.

    sl.queries.distance(a, b)                        # in the reference position
    sl.queries.distance(a, b, result, time=0.5)      # in a run
    sl.queries.ray([a, b], (0, 0, 5), "-z", result)  # at its end
    sl.queries.ray(walls, (0, 0, 5), "-z")           # walls = m.contact_layer([a, b]): its bodies
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from saltus import _core
from saltus import geometry as g
from saltus.contact_layers import bodies_in, layers_meet, layers_of
from saltus.handles import Body, Item
from saltus.rotations import turn_vector
from saltus.verbs.bodies import shape_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from saltus.arguments import Direction, Real, Vector
    from saltus.result import Result

__all__ = ["Distance", "Hit", "Touch", "distance", "overlaps", "ray", "touches"]


@dataclass(frozen=True)
class Distance:
    """gap [m]: shortest distance, or less the depth where they overlap. normal (3) from A to B; on_A, on_B (3) [m]: the nearest points."""

    gap: float
    normal: NDArray[np.float64]
    on_A: NDArray[np.float64]
    on_B: NDArray[np.float64]


@dataclass(frozen=True)
class Touch:
    """A point at which A and B touch: on_A, on_B (3) [m], normal (3) from A to B, gap [m]. slip (3) [m/s]: velocity of B's material point against
    A's, without its part along the normal; zero in the reference position."""

    A: Body
    B: Body
    on_A: NDArray[np.float64]
    on_B: NDArray[np.float64]
    normal: NDArray[np.float64]
    gap: float
    slip: NDArray[np.float64]


@dataclass(frozen=True)
class Hit:
    """What a ray meets first: body, distance [m] along the ray, point (3) [m], outward normal (3)."""

    body: Body
    distance: float
    point: NDArray[np.float64]
    normal: NDArray[np.float64]


def distance(A: Body, B: Body, result: Result | None = None, *, time: Real | None = None) -> Distance:
    """Shortest distance of two bodies with shapes; result: in a run at `time` [s], default its end; without: in the reference position."""
    for body in (A, B):
        if _kind(body) in ("mesh", "height_field"):
            g.refuse("queries/distance", f"is asked of {body.name}, a surface of triangles", "ask `touches` for its points, or distances to a hull of its points")
    gap, normal, on_A, on_B = _core.shape_distance(_placed(A, result, time), _placed(B, result, time))
    if not np.isfinite(gap):
        g.refuse("queries/distance", f"is asked of {A.name} and {B.name}, two planes or hollow shapes", "these have a distance to bodies")
    return Distance(gap, *(np.array(x) for x in (normal, on_A, on_B)))


def touches(A: Body, B: Body, result: Result | None = None, *, time: Real | None = None, within: Real = 0.0) -> list[Touch]:
    """The points at which two bodies touch, or come as near as `within` [m], as a contact between groups finds them."""
    found = _core.shape_contacts(_placed(A, result, time), _placed(B, result, time), float(within))
    out = []
    for _, on_A, on_B, normal, gap in found:
        p, q, n = (np.array(x) for x in (on_A, on_B, normal))
        slip = _velocity(B, q, result, time) - _velocity(A, p, result, time)
        out.append(Touch(A, B, p, q, n, gap, slip - (slip @ n) * n))
    return out


def overlaps(bodies: Sequence[Body] | Item, result: Result | None = None, *, time: Real | None = None, deeper: Real = 0.0, by_layers: bool = False) -> list[tuple[Body, Body, float]]:
    """Pairs of bodies, or of those in a contact layer, that overlap by more than `deeper` [m], with the depth. by_layers: without pairs that layers let pass through each other."""
    bodies = _asked(bodies)
    placed = [_placed(body, result, time) for body in bodies]
    layers = layers_of(bodies[0]._model) if by_layers and bodies else {}
    out = []
    for i, A in enumerate(bodies):
        for j in range(i + 1, len(bodies)):
            if not layers_meet(layers, shape_name(A.name), shape_name(bodies[j].name)):
                continue
            points = _core.shape_contacts(placed[i], placed[j], -float(deeper))
            if points and (depth := -min(point[4] for point in points)) > deeper:
                out.append((A, bodies[j], depth))
    return out


def ray(bodies: Sequence[Body] | Body | Item, start: Vector, along: Direction, result: Result | None = None, *, time: Real | None = None) -> Hit | None:
    """The first of the bodies, or of those in a contact layer, that a ray from `start` (3) [m] along a direction meets; None where it meets none of them."""
    origin, way = g.vector(start, "queries/ray/start"), g.direction(along, "queries/ray/along")
    best: Hit | None = None
    for body in _asked(bodies):
        placed = _placed(body, result, time)
        found = _ray_on_triangles(placed, origin, way) if placed[0] == "mesh" else _core.shape_ray(placed, tuple(origin), tuple(way))
        if found is not None and (best is None or found[0] < best.distance):
            best = Hit(body, found[0], origin + found[0] * way, np.array(found[1]))
    return best


def _asked(bodies: Sequence[Body] | Body | Item) -> list[Body]:
    """Bodies, or those in a layer."""
    if isinstance(bodies, Item) and bodies._model._engine.record(bodies.name)["type"] == "contact_layer":
        return bodies_in(bodies)
    return [bodies] if isinstance(bodies, (Body, Item)) else list(bodies)


def _kind(body: Body) -> str:
    if not isinstance(body, Body) or not body._shape:
        if isinstance(body, str):
            g.refuse("queries", f"is asked of {body!r}, a name", f'give the body: m["{body}"]')
        g.refuse("queries", f"is asked of {getattr(body, 'name', body)!r}, which has no shape", "give what m.sphere, m.box, m.plane, ... returned")
    if body._shape["type"] == "implicit_surface":
        g.refuse("queries", f"is asked of {body.name}, the solid of a formula", "ask for its contacts in a run, result.contacts(t), or give a mesh of it")
    return body._shape["type"]


def _place(body: Body, result: Result | None, time: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    from saltus.handles import Plane

    if result is None or isinstance(body, Plane):
        p, R = body.reference
        return np.array(p), np.array(R)
    source = result if time is None else result.at(time)
    p, R = (np.asarray(source[quantity]) for quantity in (body.position, body.rotation_matrix))
    return p.reshape(-1, 3)[-1], R.reshape(-1, 9)[-1].reshape(3, 3)


def _velocity(body: Body, x: NDArray[np.float64], result: Result | None, time: Any) -> NDArray[np.float64]:
    from saltus.handles import Plane

    if result is None or isinstance(body, Plane):
        return np.zeros(3)
    source = result if time is None else result.at(time)
    v, w, p = (np.asarray(source[quantity]).reshape(-1, 3)[-1] for quantity in (body.velocity, body.angular_velocity, body.position))
    return v + np.cross(w, x - p)


def _placed(body: Body, result: Result | None, time: Any) -> tuple[Any, ...]:
    """A shape as the engine's geometry takes it."""
    kind, shape = _kind(body), body._shape
    p, R = _place(body, result, time)
    radius, half, points, triangles = float(shape.get("radius", 0.0)), (0.0, 0.0, 0.0), [], []
    if kind == "rod":
        kind, half, R = "cylinder", (0.0, 0.0, 0.5 * shape["length"]), R @ g.rotation_matrix(turn_vector((0.0, 0.5 * np.pi, 0.0), "queries"))
    elif kind == "point":
        kind = "sphere"
    elif kind in ("capsule", "cylinder"):
        half = (0.0, 0.0, 0.5 * shape["length"])
    elif kind in ("box", "ellipsoid"):
        half = tuple(0.5 * float(x) for x in shape["size"])
    elif kind == "cone":
        half = (0.25 * shape["height"], 0.0, 0.75 * shape["height"])
    elif kind in ("hull", "mesh", "height_field"):
        from saltus.view.shapes import surface_of

        drawn = shape if kind == "hull" else surface_of(shape)
        points = [tuple(map(float, x)) for x in drawn["points"]]
        triangles = [int(v) for face in drawn.get("faces", ()) for v in face]
        kind = "hull" if kind == "hull" else "mesh"
    return (kind, radius, half, points, triangles, tuple(p.tolist()), tuple(R.ravel().tolist()))


def _ray_on_triangles(placed: tuple[Any, ...], start: NDArray[np.float64], along: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]] | None:
    """The first triangle, from either side (Moeller, Trumbore 1997)."""
    R = np.array(placed[6]).reshape(3, 3)
    x = np.array(placed[3])[np.array(placed[4]).reshape(-1, 3)]
    o, d = R.T @ (start - np.array(placed[5])), R.T @ along
    a, e, f = x[:, 0], x[:, 1] - x[:, 0], x[:, 2] - x[:, 0]
    across = np.cross(d, f)
    det = np.einsum("ij,ij->i", e, across)
    with np.errstate(divide="ignore", invalid="ignore"):
        s = o - a
        u = np.einsum("ij,ij->i", s, across) / det
        q = np.cross(s, e)
        v, t = q @ d / det, np.einsum("ij,ij->i", f, q) / det
    hit = (np.abs(det) > 0.0) & (u >= 0.0) & (v >= 0.0) & (u + v <= 1.0) & (t >= 0.0)
    if not np.any(hit):
        return None
    first = int(np.flatnonzero(hit)[np.argmin(t[hit])])
    n = np.cross(e[first], f[first])
    return float(t[first]), R @ (n / np.linalg.norm(n))
