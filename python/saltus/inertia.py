"""Mass, centre of mass and inertia of bodies: of solids, hollow ones and closed meshes; moved, turned, added, taken away."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from saltus import geometry as g
from saltus._core import hull_faces
from saltus.calls import checked
from saltus.closed_meshes import closed, warn_of_crossings
from saltus.errors import methods_at_their_lines
from saltus.mesh_files import Triangles, triangles_of
from saltus.rotations import Rotation, rotation_of

if TYPE_CHECKING:
    from saltus.arguments import Surface


def inertia_of(shape: dict[str, Any], m: float) -> list[Any] | None:
    """Principal moments (3), of a hull the matrix (3, 3) [kg m^2], of a solid of even density about its centre, in its axes; None for other shapes."""
    kind, r, h = shape.get("type"), shape.get("radius", 0.0), shape.get("length", 0.0)
    if kind == "rod":  # slim: transverse moments without the radius
        return [0.5 * m * r * r, m * h**2 / 12.0, m * h**2 / 12.0]
    if kind == "box":
        square = np.array(shape["size"]) ** 2
        return [float(m / 12.0 * (square.sum() - square[i])) for i in range(3)]
    if kind == "sphere":
        return [0.4 * m * r * r] * 3
    if kind == "cylinder":
        transverse = m * (3.0 * r * r + h * h) / 12.0
        return [transverse, transverse, 0.5 * m * r * r]
    if kind == "capsule":
        tube, balls = math.pi * r * r * h, 4.0 / 3.0 * math.pi * r**3
        tube, balls = m * tube / (tube + balls), m * balls / (tube + balls)
        # Two half balls: 2/5 m r^2 about the centre of the ball, their centres of mass 3/8 r further out.
        transverse = tube * (3.0 * r * r + h * h) / 12.0 + balls * (0.4 * r * r + 0.25 * h * h + 0.375 * h * r)
        return [transverse, transverse, 0.5 * tube * r * r + 0.4 * balls * r * r]
    if kind == "cone":
        r, h = shape["radius"], shape["height"]
        transverse = m * (12.0 * r * r + 3.0 * h * h) / 80.0
        return [transverse, transverse, 0.3 * m * r * r]
    if kind == "ellipsoid":
        square = (0.5 * np.array(shape["size"])) ** 2
        return [float(m / 5.0 * (square.sum() - square[i])) for i in range(3)]
    if kind == "hull":
        volume, _, J = hull_integrals(shape["points"])
        return (m / volume * J).tolist()
    return None


def hull_integrals(points: Any) -> tuple[float, NDArray[Any], NDArray[Any]]:
    """Volume, centre of mass and inertia about it, at density 1, of the convex hull of points (n, 3)."""
    made = hull_faces([tuple(map(float, p)) for p in points])
    if made is None:
        g.refuse("points", "lie in a plane", "a solid needs four points that do not")
    corners, faces = made
    return _integrals(np.array(corners), np.array([(f[0], f[i], f[i + 1]) for f in faces for i in range(1, len(f) - 1)]))


def volume_of(shape: dict[str, Any]) -> float:
    """Volume [m^3] of a shape."""
    kind, r, h = shape["type"], shape.get("radius", 0.0), shape.get("length", 0.0)
    if kind == "box":
        return float(np.prod(shape["size"]))
    if kind == "ellipsoid":
        return float(math.pi / 6.0 * np.prod(shape["size"]))
    if kind == "cone":
        return math.pi / 3.0 * r * r * shape["height"]
    if kind == "hull":
        return hull_integrals(shape["points"])[0]
    if kind == "mesh":
        return _integrals(np.array(shape["points"]), np.array(shape["triangles"]))[0]
    ball = 4.0 / 3.0 * math.pi * r**3
    return {"sphere": ball, "capsule": ball + math.pi * r * r * h}.get(kind, math.pi * r * r * h)


@dataclass(frozen=True, eq=False)
class Inertia:
    """Mass [kg], centre of mass (3) [m] and inertia (3, 3) [kg m^2] about it, in the axes of a body.

    `m.body(inertia=...)` takes one. Sums are bodies held together, differences are holes: `plate - hole.moved((0.1, 0, 0))`.
    """

    mass: float
    center: NDArray[Any]
    matrix: NDArray[Any]

    def __init__(self, mass: Any, matrix: Any, center: Any = (0.0, 0.0, 0.0)):
        m = g.number(mass, "inertia/mass", "kg", above=0.0)
        J = _matrix(matrix)
        object.__setattr__(self, "mass", m)
        object.__setattr__(self, "center", g.vector(center, "inertia/center"))
        object.__setattr__(self, "matrix", J)

    @classmethod
    @checked("inertia", "sl.Inertia.box")
    def box(cls, *, size: Any, mass: Any = None, density: Any = None) -> Inertia:
        """Edges `size` (3) [m] along its axes. mass [kg] or density [kg/m^3]."""
        edges = g.edges(size, "inertia/size").tolist()
        return cls._of({"type": "box", "size": edges}, None, mass, density)

    @classmethod
    @checked("inertia", "sl.Inertia.sphere")
    def sphere(cls, *, radius: Any, inner: Any = 0.0, mass: Any = None, density: Any = None) -> Inertia:
        """Solid, or a hollow one with the `inner` radius [m]."""
        return cls._round("sphere", {}, radius, inner, mass, density)

    @classmethod
    @checked("inertia", "sl.Inertia.cylinder")
    def cylinder(cls, *, radius: Any, length: Any, inner: Any = 0.0, mass: Any = None, density: Any = None) -> Inertia:
        """About its own axis z; solid, or a tube with the `inner` radius [m]."""
        return cls._round("cylinder", {"length": g.number(length, "inertia/length", "m", above=0.0)}, radius, inner, mass, density)

    @classmethod
    @checked("inertia", "sl.Inertia.capsule")
    def capsule(cls, *, radius: Any, length: Any, mass: Any = None, density: Any = None) -> Inertia:
        """A cylinder along z, `length` [m] between the centres of the half balls at its ends."""
        return cls._round("capsule", {"length": g.number(length, "inertia/length", "m", above=0.0)}, radius, 0.0, mass, density)

    @classmethod
    @checked("inertia", "sl.Inertia.mesh")
    def mesh(cls, surface: Surface, *, mass: Any = None, density: Any = None, scale: float | None = None) -> Inertia:
        """The inside of a closed surface of triangles: a file, (points (n, 3) [m], faces (m, 3)), or a mesh of trimesh, as `m.mesh` takes it; even density.

        scale: [m] per unit of the file; default 1, or what the file says. Integrals over tetrahedra from the middle of the points (Tonon 2004).
        """
        solid = closed(triangles_of(surface, scale, "inertia/mesh"), "inertia/mesh", tell=False)
        warn_of_crossings(solid, "inertia/mesh")
        return cls._inside(solid, mass, density)

    @classmethod
    def _inside(cls, surface: Triangles, mass: Any, density: Any) -> Inertia:
        """Of a closed surface."""
        return cls._scaled(_integrals(surface.points, surface.faces), mass, density)

    @classmethod
    def _round(cls, kind: str, more: dict[str, float], radius: Any, inner: Any, mass: Any, density: Any) -> Inertia:
        r, hole = g.number(radius, "inertia/radius", "m", above=0.0), g.number(inner, "inertia/inner", "m")
        if not 0.0 <= hole < r:
            g.refuse("inertia/inner", f"is {hole:g} m, must be between 0 and the radius, {r:g} m", "a thin wall has nearly the same radii")
        return cls._of({"type": kind, "radius": r, **more}, {"type": kind, "radius": hole, **more} if hole else None, mass, density)

    @classmethod
    def _of(cls, shape: dict[str, Any], hole: dict[str, Any] | None, mass: Any, density: Any) -> Inertia:
        volume, J = volume_of(shape), np.array(inertia_of(shape, volume_of(shape)))
        if hole:
            gone = volume_of(hole)
            volume, J = volume - gone, J - np.array(inertia_of(hole, gone))
        return cls._scaled((volume, np.zeros(3), np.diag(J)), mass, density)

    @classmethod
    def _scaled(cls, of_volume: tuple[float, NDArray[Any], NDArray[Any]], mass: Any, density: Any) -> Inertia:
        volume, center, J = of_volume
        if (mass is None) == (density is None):
            g.refuse("inertia", "needs a mass or a density" if mass is None else "has both a mass and a density", "give mass= [kg] or density= [kg/m^3]")
        rho = g.number(density, "inertia/density", "kg/m^3", above=0.0) if mass is None else g.number(mass, "inertia/mass", "kg", above=0.0) / volume
        return cls(rho * volume, rho * J, center)

    def moved(self, by: Any) -> Inertia:
        """The body moved by (3) [m]; its inertia stays that about its own centre."""
        return Inertia(self.mass, self.matrix, self.center + g.vector(by, "inertia/by"))

    def turned(self, rotation: Any) -> Inertia:
        """The body turned about the origin: by a Rotation, a rotation vector (3) [rad], a matrix (3, 3) or scipy's Rotation."""
        R = rotation_of(rotation)
        return Inertia(self.mass, R.matrix @ self.matrix @ R.matrix.T, R @ self.center)

    def about(self, point: Any = (0.0, 0.0, 0.0)) -> NDArray[Any]:
        """(3, 3) [kg m^2] about a point (3) [m], by default the origin."""
        return self.matrix + self.mass * _parallel(self.center - g.vector(point, "inertia/point"))

    @property
    def principal(self) -> tuple[NDArray[Any], Rotation]:
        """Moments (3) [kg m^2], rising, and the rotation of their axes."""
        moments, axes = np.linalg.eigh(self.matrix)
        axes[:, 2] *= math.copysign(1.0, np.linalg.det(axes))
        return moments, Rotation.of_matrix(axes)

    def __add__(self, other: Inertia) -> Inertia:
        return self._joined(other, 1.0)

    def __radd__(self, other: int) -> Inertia:
        return self if other == 0 else NotImplemented  # sum() begins with 0

    def __sub__(self, other: Inertia) -> Inertia:
        return self._joined(other, -1.0)

    def _joined(self, other: Inertia, sign: float) -> Inertia:
        if not isinstance(other, Inertia):
            return NotImplemented
        m = self.mass + sign * other.mass
        if not m > 0.0:
            g.refuse("inertia/mass", f"is {m:g} kg: more is taken away than there is", "the hole must lie in the body, of the same density")
        center = (self.mass * self.center + sign * other.mass * other.center) / m
        return Inertia(m, self.about(center) + sign * other.about(center), center)

    def __repr__(self) -> str:
        return f"<inertia {self.mass:g} kg, centre {np.array2string(self.center, precision=6)} m, {g.short(self.matrix.round(12))} kg m^2>"


def _parallel(r: NDArray[Any]) -> NDArray[Any]:
    """Of a unit mass at r about the origin."""
    return float(r @ r) * np.eye(3) - np.outer(r, r)


def _matrix(value: Any) -> NDArray[Any]:
    try:
        J = np.array(value, dtype=float)
    except (TypeError, ValueError):
        g.refuse("inertia/matrix", f"is {g.short(value)}, expected 3 numbers, or 3 by 3 [kg m^2]")
    J = np.diag(J) if J.shape == (3,) else J
    if J.shape != (3, 3) or not np.all(np.isfinite(J)):
        g.refuse("inertia/matrix", f"is {g.short(value)}, expected 3 numbers, or 3 by 3 [kg m^2]")
    size = float(np.max(np.abs(J)))
    if np.max(np.abs(J - J.T)) > 1e-9 * size:
        g.refuse("inertia/matrix", f"is not symmetric: {g.short(J)}")
    J = 0.5 * (J + J.T)
    moments = np.linalg.eigvalsh(J)
    if moments[0] < -1e-12 * size:
        g.refuse("inertia/matrix", f"has a principal moment of {moments[0]:g} kg m^2, below 0", "no body has it; products of inertia may have the wrong sign")
    if moments[2] > (moments[0] + moments[1]) * (1.0 + 1e-9):
        g.refuse("inertia/matrix", f"has principal moments {', '.join(f'{x:g}' for x in moments)} kg m^2, the largest above the sum of the others",
                 "no body has them; is it given about another point than the centre of mass?")  # fmt: skip
    return J


def _integrals(points: NDArray[Any], faces: NDArray[Any]) -> tuple[float, NDArray[Any], NDArray[Any]]:
    """Volume, its centre, and the inertia about it at density 1."""
    origin = points.mean(axis=0)
    a, b, c = np.moveaxis((points - origin)[faces], 1, 0)
    six = np.einsum("ij,ij->i", a, np.cross(b, c))  # of the tetrahedra with the origin
    volume = six.sum() / 6.0
    if not volume > 0.0:
        g.refuse("inertia/mesh", "encloses no volume")
    total = a + b + c
    center = np.einsum("i,ij->j", six, total) / (24.0 * volume)
    second = (np.einsum("i,ij,ik->jk", six, total, total) + sum(np.einsum("i,ij,ik->jk", six, x, x) for x in (a, b, c))) / 120.0
    second -= volume * np.outer(center, center)
    return volume, origin + center, np.trace(second) * np.eye(3) - second


methods_at_their_lines(Inertia)
