"""What a body looks like: its own shape, what its contacts say of it, or the shape of its inertia."""

from __future__ import annotations

from typing import Any

import numpy as np

from saltus._core import hull_faces
from saltus.rotations import quaternion_of
from saltus.view.implicit import faces_of
from saltus.view.pictures import picture_of
from saltus.view.places import Places

CORNERS = 8
SURFACES = ("cone", "ellipsoid", "hull", "mesh", "height_field", "hollow_sphere", "hollow_cylinder", "implicit_surface")  # drawn as triangles
SOLIDS = ("sphere", "capsule", "cylinder", "box", *SURFACES)  # of markers


def shape_of(name: str, record: dict[str, Any], places: Places, given: dict[str, Any], by_contacts: dict[str, Any], joined: list[np.ndarray],
             size: float) -> dict[str, Any]:
    """{"kind", sizes in m, "p" (3) and "q" (4) where it is not at the body's origin, "arms": points it reaches to}.

    given: shapes of handles or of a result file, by body. by_contacts: what contacts say (`contact_shapes`). joined: points of the
    body (3) where joints and springs hold it; a body without a shape is drawn as the link of two or more of them. size:
    length of the model [m], of which a point is drawn as a small part.
    """
    shape = given.get(name) or record["fields"].get("shape")
    if isinstance(shape, dict) and (drawn := _given(shape)):
        return _reaching(drawn, np.array(joined).reshape(-1, 3), size)
    if name in by_contacts:
        return {**by_contacts[name], "radius": 0.012 * size} if by_contacts[name].get("point") else by_contacts[name]
    if picture_of(record).shape == "point":
        return {"kind": "sphere", "radius": 0.012 * size, "point": True}
    points = np.unique(np.round(np.array(joined).reshape(-1, 3), 9), axis=0)
    if len(points) >= 2 and np.linalg.norm(np.ptp(points, axis=0)) > 0.02 * size:
        return {"kind": "link", "points": points[_round(points)].tolist(), "radius": 0.012 * size}
    try:
        shape = _of_inertia(record["fields"], places, size)
    except (TypeError, ValueError, KeyError, np.linalg.LinAlgError):
        shape = {"kind": "sphere", "radius": 0.02 * size, "point": True}
    return _reaching(shape, points, size)


def _reaching(shape: dict[str, Any], points: np.ndarray, size: float) -> dict[str, Any]:
    """A shape with rods to the points (n, 3) of its body that lie outside it, such as the hinge of a pendulum."""
    if shape["kind"] == "mesh":
        return shape
    half = np.array(shape.get("size", (0.0, 0.0, 0.0))) / 2.0
    reach = max(shape.get("radius", 0.0) + (shape.get("length", 0.0) / 2.0), float(np.linalg.norm(half)))
    arms = np.unique(np.round([p for p in points if np.linalg.norm(p - shape.get("p", 0.0)) > 1.05 * reach], 9), axis=0)
    return {**shape, "arms": arms.tolist(), "arm": 0.006 * size} if len(arms) else shape


def _round(points: np.ndarray) -> np.ndarray:
    """Order of points that leads round them: by angle in the plane in which they spread most."""
    middle = points - points.mean(axis=0)
    axes = np.linalg.svd(middle, full_matrices=False)[2]
    return np.argsort(np.arctan2(middle @ axes[1], middle @ axes[0])) if len(points) > 2 else np.arange(len(points))


def _given(shape: dict[str, Any]) -> dict[str, Any] | None:
    kind = shape.get("type")
    if kind == "rod":  # slim: drawn a little stronger than it is, ends round
        return {"kind": "capsule", "axis": "x", "radius": max(shape["radius"], shape["length"] / 50.0), "length": shape["length"]}
    if kind == "box":
        return {"kind": "box", "size": [float(x) for x in shape["size"]]}
    if kind in ("sphere", "cylinder", "capsule"):
        return {"kind": kind, **{key: float(shape[key]) for key in ("radius", "length") if key in shape}}
    if kind in SURFACES and "faces" not in shape:
        return surface_of(shape)
    if kind == "mesh":
        return {"kind": "mesh", "points": [list(map(float, p)) for p in shape["points"]], "faces": [list(map(int, f)) for f in shape["faces"]]}
    return None


def surface_of(shape: dict[str, Any], around: int = 32) -> dict[str, Any]:
    """A shape as a surface of triangles."""
    if shape["type"] == "hull":
        corners, loops = hull_faces([tuple(map(float, p)) for p in shape["points"]]) or ([], [])
        return {"kind": "mesh", "points": [list(p) for p in corners], "faces": [[f[0], f[i], f[i + 1]] for f in loops for i in range(1, len(f) - 1)]}
    if shape["type"] == "mesh":
        return {"kind": "mesh", "points": [list(map(float, p)) for p in shape["points"]], "faces": [list(map(int, f)) for f in shape["triangles"]]}
    if shape["type"] == "height_field":
        z = np.array(shape["heights"], dtype=float)
        n, m = z.shape
        x, y = np.meshgrid(*(float(s) * np.linspace(-0.5, 0.5, k) for s, k in zip(shape["size"], (n, m), strict=True)), indexing="ij")
        squares = [(a, a + m, a + m + 1, a + 1) for i in range(n - 1) for a in range(i * m, i * m + m - 1)]
        return {"kind": "mesh", "points": np.stack([x, y, z], axis=-1).reshape(-1, 3).tolist(), "faces": [[a, b, c] for a, b, c, _ in squares] + [[a, c, d] for a, _, c, d in squares]}
    turn = 2.0 * np.pi * np.arange(around) / around
    if shape["type"] in ("hollow_sphere", "hollow_cylinder"):  # a piece of it, seen from within: a ring, the lower half of a bowl
        r, last = float(shape["radius"]), 1 if shape["type"] == "hollow_cylinder" else around // 4
        edges = [(r, (k - 0.5) * 0.6 * r) for k in (0, 1)] if last == 1 else [(r * np.cos(s), -r * np.sin(s)) for s in np.linspace(0.0, 0.5 * np.pi - 0.05, last + 1)]
        points = [[float(a * np.cos(angle)), float(a * np.sin(angle)), float(z)] for a, z in edges for angle in turn]
        squares = [(k * around + i, k * around + (i + 1) % around, (k + 1) * around + (i + 1) % around, (k + 1) * around + i) for k in range(last) for i in range(around)]
        inwards = [(a, d, c, b) for a, b, c, d in squares] if last == 1 else squares
        return {"kind": "mesh", "points": points, "faces": [list(f) for a, b, c, d in inwards for f in ((a, b, c), (a, c, d))]}
    if shape["type"] == "cone":  # the origin is its centre of mass
        r, h = float(shape["radius"]), float(shape["height"])
        rings, ends = [(r, -0.25 * h)], (-0.25 * h, 0.75 * h)
        scale = np.ones(3)
    else:
        heights = np.linspace(-0.5 * np.pi, 0.5 * np.pi, around // 2 + 1)[1:-1]
        rings, ends = [(np.cos(s), np.sin(s)) for s in heights], (-1.0, 1.0)
        scale = 0.5 * np.array(shape["size"], dtype=float)
    points = [np.array([r * np.cos(a), r * np.sin(a), z]) for r, z in rings for a in turn] + [np.array([0.0, 0.0, z]) for z in ends]
    low, high, last = len(points) - 2, len(points) - 1, (len(rings) - 1) * around
    faces = []
    for i in range(around):
        j = (i + 1) % around
        faces += [[low, j, i], [high, last + i, last + j]]
        for k in range(0, last, around):
            faces += [[k + i, k + j, k + around + j], [k + i, k + around + j, k + around + i]]
    return {"kind": "mesh", "points": [(scale * p).tolist() for p in points], "faces": faces}


def _of_inertia(fields: dict[str, Any], places: Places, size: float) -> dict[str, Any]:
    """The solid of even density with the same mass and principal inertias: a ball where they are equal, a cylinder where
    two are (I = m r^2 / 2 about its axis, m (3 r^2 + h^2) / 12 across), else a box of edges a^2 = 6 (I_y + I_z - I_x) / m.
    """
    mass = places.number(fields["mass"])
    inertia = fields.get("inertia")
    if np.ndim(inertia) == 1:
        I = np.diag(places.vector(inertia))
    else:
        I = np.array([[places.number(entry) for entry in row] for row in inertia])
    if not mass > 0 or not np.trace(I) > 0:
        raise ValueError("no inertia")
    moments, axes = np.linalg.eigh(0.5 * (I + I.T))
    if np.allclose(I, np.diag(np.diag(I)), rtol=0.0, atol=1e-12 * np.abs(I).max()):
        moments, axes = np.diag(I).copy(), np.eye(3)
    if np.linalg.det(axes) < 0:
        axes = axes * [1, 1, -1]
    center = places.vector(fields.get("center_of_mass"))
    place: dict[str, Any] = {"p": [float(x) for x in center]} if np.any(center) else {}
    if np.ptp(moments) < 1e-6 * moments.max():
        return {"kind": "sphere", "radius": float(np.sqrt(2.5 * moments.mean() / mass)), **place}
    if not np.allclose(axes, np.eye(3)):
        place["q"] = [round(float(x), 9) for x in quaternion_of(axes)]
    least = 0.01 * size
    for axis in range(3):
        across = np.delete(moments, axis)
        if np.ptp(across) < 1e-6 * moments.max():
            radius = float(np.sqrt(2.0 * max(moments[axis], 0.0) / mass))
            length = float(np.sqrt(max(12.0 * across.mean() / mass - 3.0 * radius**2, 0.0)))
            slim = length > 6.0 * radius
            return {"kind": "capsule" if slim else "cylinder", "axis": "xyz"[axis], "radius": max(radius, length / 60.0 if slim else least),
                    "length": max(length, least), **place}
    edges = np.sqrt(np.maximum(6.0 / mass * (moments.sum() - 2.0 * moments), least**2))
    return {"kind": "box", "size": [float(x) for x in edges], **place}


def _sizes(places: Places, value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_sizes(places, row) for row in value] if value and isinstance(value[0], (list, tuple)) else places.vector(value).tolist()
    return places.number(value)


def solid(places: Places, record: dict[str, Any]) -> dict[str, Any]:
    """How the shape of a marker is drawn, in its moving frame."""
    place, look = places.place(record["name"]), picture_of(record)
    assert place is not None
    if look.shape == "implicit_surface":
        points, faces = faces_of(lambda x: places.along(record["fields"]["distance"], ["x", "y", "z"], x), np.array(_sizes(places, record["fields"]["size"])))
        return {"kind": "mesh", "points": points.tolist(), "faces": faces.tolist(), "p": place.p.tolist(), "q": quaternion_of(place.R).tolist()}
    sizes = {key: _sizes(places, record["fields"][key]) for key in look.sizes}
    drawn = surface_of({"type": look.shape, **sizes}) if look.shape in SURFACES else {"kind": look.shape, **sizes}
    return {**drawn, "p": place.p.tolist(), "q": quaternion_of(place.R).tolist()}


def contact_shapes(places: Places) -> dict[str, dict[str, Any]]:
    """Shapes that the contacts imply: the ball of a radius, the box of eight corners."""
    bodies = {name for name, record in places.records.items() if record["section"] == "bodies"}
    shapes: dict[str, dict[str, Any]] = {}
    for record in places.records.values():  # shapes that the model file names for its contacts between groups
        body = record["fields"].get("body")
        body = body.get("body", "") if isinstance(body, dict) else body
        if record["section"] == "markers" and picture_of(record).shape in SOLIDS and body in bodies:
            if places.place(record["name"]) is not None:
                shape = solid(places, record)
                shapes.setdefault(body, shape if shape.get("radius") != 0.0 else {"kind": "sphere", "radius": 0.0, "point": True})
    of_frame = {places.frame_of(name): name for name in bodies if places.frame_of(name) is not None}
    for record in places.records.values():  # shapes on frames of a body are drawn on their own: of the body no more than its origin
        if record["section"] == "markers" and picture_of(record).shape in SOLIDS and (place := places.place(record["name"])) is not None and place.frame in of_frame:
            shapes.setdefault(of_frame[place.frame], {"kind": "sphere", "radius": 0.0, "point": True})
    corners: dict[str, list[np.ndarray]] = {}
    on_line = {r["fields"]["node"]: name for name, r in places.records.items() if r["section"] == "bodies" and isinstance(r["fields"].get("node"), str)}
    for record in places.records.values():
        fields, look = record["fields"], picture_of(record)
        if record["section"] != "relations":
            continue
        radii = [fields.get(key, 0.0) for key in look.sizes]
        if look.shape == "plane":
            ends = [(fields.get("B"), radii[0])]
        elif look.shape == "sphere":
            ends = list(zip((fields.get("A"), fields.get("B")), radii, strict=True))
        elif look.shape == "beside":  # balls on a line touch at their distance
            ends = [(on_line.get(fields.get(end)), 0.5 * places.number(radii[0])) for end in ("A", "B")]
        else:
            continue
        for end, radius in ends:
            radius = places.number(radius)
            body = end if isinstance(end, str) else (end or {}).get("body", "")
            if body not in bodies:
                continue
            place = places.place(end)
            if radius > 0:
                ball = {"kind": "sphere", "radius": radius}
                shapes[body] = ball if place is None or not np.any(place.p) else {**ball, "p": [float(x) for x in place.p]}
            elif place is not None:
                corners.setdefault(body, []).append(place.p)
    for body, points in corners.items():
        unique = np.unique(np.round(np.array(points), 12), axis=0)
        half = np.abs(unique).max(axis=0)
        if not np.allclose(np.abs(unique), half) or len(unique) < 2:
            continue
        frame = places.frame_of(body)
        if len(unique) == CORNERS and np.all(half > 0):
            shapes.setdefault(body, {"kind": "box", "size": [float(2 * x) for x in half]})
        elif frame is not None and places.plane[frame] and np.all(half[:2] > 0):  # a plate in its plane
            shapes.setdefault(body, {"kind": "box", "size": [float(2 * half[0]), float(2 * half[1]), float(half[:2].min())]})
    return shapes
