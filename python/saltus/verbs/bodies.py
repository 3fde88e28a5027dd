"""Bodies: shapes with mass, each one record with its node written in place."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from saltus import geometry as g
from saltus import planar as flat
from saltus._core import hull_faces
from saltus.closed_meshes import closed, warn_of_crossings
from saltus.handles import Body, Coordinates, Frame, Node, Plane, Rod, Shape
from saltus.inertia import Inertia, hull_integrals, inertia_of, volume_of
from saltus.mesh_files import triangles_of
from saltus.rotations import turn_vector
from saltus.verbs._verb import given, verb

if TYPE_CHECKING:
    from collections.abc import Sequence

    from saltus.arguments import Direction, Function, FunctionMatrix, Matrix, Number, Numbers, Point, Real, Surface, Turn, Vector

SLIM = 50.0  # length over radius of a rod without `radius=`
LARGE = 20.0  # m: a longer body that a file without units describes is one in mm

Kind = TypeVar("Kind", bound=Body)
ALONG_X = (0.0, 0.5 * math.pi, 0.0)  # turns z to x: the cylinder of a rod


# Shapes that contacts take, with the fields of their sizes.
SIZES = {"plane": (), "sphere": ("radius",), "capsule": ("radius", "length"), "cylinder": ("radius", "length"), "box": ("size",),
         "cone": ("radius", "height"), "ellipsoid": ("size",), "hull": ("points",), "mesh": ("points", "triangles"), "height_field": ("heights", "size"),
         "hollow_sphere": ("radius",), "hollow_cylinder": ("radius",), "implicit_surface": ("distance", "size")}


def shape_name(name: str) -> str:
    """Name of the marker that holds the shape of a body or plane."""
    return f"{name}_shape"


class BodyVerbs:
    """Verbs that make bodies. All lengths in m, masses in kg, world axes, reference position.

    Shapes take a mass [kg] or a density [kg/m^3], above 0, and initial values: displacement (3) [m] from the reference
    position, velocity (3) [m/s] of the reference point, angular_velocity (3) [rad/s], all in world axes. A number that is not
    finite, not positive where it has to be, or a vector of wrong length raises ModelError, at the latest with the run.
    """

    @verb("bodies")
    def rod(
        self,
        start: Point,
        end: Point,
        *,
        mass: Real | None = None,
        density: Real | None = None,
        radius: Real | None = None,
        displacement: Numbers | None = None,
        velocity: Numbers | None = None,
        angular_velocity: Numbers | None = None,
        name: str = "",
    ) -> Rod:
        """A slim rod from `start` to `end` (3) [m]; frames `rod.start`, `rod.end`; x axis along the rod.

        mass [kg] or density [kg/m^3]. Transverse inertia m L^2/12; axial m r^2/2 with r = L/50 unless `radius` [m] is
        given. In contacts in space it is a cylinder of this radius. velocity (3) [m/s] of the centre and angular_velocity (3) [rad/s] are
        initial values, world axes.
        """
        name = self._free_name("rod", name)
        path = f"bodies/{name}"
        a, b = self._point(start, f"{path}/start"), self._point(end, f"{path}/end")
        length = float(np.linalg.norm(b - a))
        if not length > 0.0:
            g.refuse(path, f"has length zero: start and end are the same point, {g.short(a)}", "give two points")
        r = length / SLIM if radius is None else g.number(radius, f"{path}/radius", "m", above=0.0)
        m = _mass(path, mass, density, math.pi * r * r * length)
        along = (b - a) / length
        place = 0.5 * (a + b), g.rotation_matrix(math.atan2(along[1], along[0]) * flat.NORMAL) if self.planar else g.basis_with_x(along)
        shape = {"type": "rod", "length": length, "radius": r}
        return self._rigid(Rod, name, place, m, None, shape, displacement, velocity, angular_velocity)

    @verb("bodies")
    def box(
        self,
        *,
        size: Vector,
        mass: Real | None = None,
        density: Real | None = None,
        at: Point | None = None,
        on: Body | None = None,
        rotation: Turn | None = None,
        displacement: Numbers | None = None,
        velocity: Numbers | None = None,
        angular_velocity: Numbers | None = None,
        name: str = "",
    ) -> Body:
        """A box with edges `size` (3) [m] along its axes, its centre `at` a point (3) [m], or `on` a plane or box.

        `on` centres it there, axes aligned, touching. rotation: rotation vector (3) [rad] of its axes. mass [kg] or density
        [kg/m^3]. displacement, velocity, angular_velocity: initial values (3), world axes.
        """
        name = self._free_name("box", name)
        path = f"bodies/{name}"
        edges = g.edges(size, f"{path}/size")
        place = self._placed(path, at, on, rotation, 0.5 * edges[1 if self.planar else 2])
        m = _mass(path, mass, density, float(np.prod(edges)))
        shape = {"type": "box", "size": edges.tolist()}
        return self._rigid(Body, name, place, m, None, shape, displacement, velocity, angular_velocity)

    @verb("bodies")
    def sphere(
        self,
        *,
        radius: Real,
        mass: Real | None = None,
        density: Real | None = None,
        at: Point | None = None,
        on: Body | None = None,
        rotation: Turn | None = None,
        displacement: Numbers | None = None,
        velocity: Numbers | None = None,
        angular_velocity: Numbers | None = None,
        name: str = "",
    ) -> Body:
        """A solid sphere of `radius` [m], its centre `at` a point (3) [m] or `on` a plane or box. Inertia 2/5 m r^2.

        rotation: rotation vector (3) [rad] of its axes. mass [kg] or density [kg/m^3]. displacement, velocity,
        angular_velocity: initial values (3), world axes.
        """
        name = self._free_name("sphere", name)
        path = f"bodies/{name}"
        r = g.number(radius, f"{path}/radius", "m", above=0.0)
        place = self._placed(path, at, on, rotation, r)
        shape = {"type": "sphere", "radius": r}
        m = _mass(path, mass, density, volume_of(shape))
        return self._rigid(Body, name, place, m, None, shape, displacement, velocity, angular_velocity)

    @verb("bodies")
    def cylinder(
        self,
        *,
        radius: Real,
        length: Real,
        mass: Real | None = None,
        density: Real | None = None,
        at: Point | None = None,
        axis: Direction = "z",
        displacement: Numbers | None = None,
        velocity: Numbers | None = None,
        angular_velocity: Numbers | None = None,
        name: str = "",
    ) -> Body:
        """A solid cylinder of `radius` and `length` [m], its centre `at` a point (3) [m], its axis along `axis`.

        Its own z axis is its axis. mass [kg] or density [kg/m^3]. displacement, velocity, angular_velocity: initial values
        (3), world axes.
        """
        name, path, r, h, place = self._round("cylinder", name, radius, length, at, axis)
        shape = {"type": "cylinder", "radius": r, "length": h}
        m = _mass(path, mass, density, volume_of(shape))
        return self._rigid(Body, name, place, m, None, shape, displacement, velocity, angular_velocity)

    @verb("bodies")
    def capsule(
        self,
        *,
        radius: Real,
        length: Real,
        mass: Real | None = None,
        density: Real | None = None,
        at: Point | None = None,
        axis: Direction = "z",
        displacement: Numbers | None = None,
        velocity: Numbers | None = None,
        angular_velocity: Numbers | None = None,
        name: str = "",
    ) -> Body:
        """A solid capsule: a cylinder of `length` [m] along `axis` with half balls of `radius` [m] at its ends.

        Its centre `at` a point (3) [m]; its own z axis is its axis. mass [kg] or density [kg/m^3]. displacement, velocity,
        angular_velocity: initial values (3), world axes.
        """
        name, path, r, h, place = self._round("capsule", name, radius, length, at, axis)
        shape = {"type": "capsule", "radius": r, "length": h}
        m = _mass(path, mass, density, volume_of(shape))
        return self._rigid(Body, name, place, m, None, shape, displacement, velocity, angular_velocity)

    @verb("bodies")
    def cone(
        self,
        *,
        radius: Real,
        height: Real,
        mass: Real | None = None,
        density: Real | None = None,
        at: Point | None = None,
        axis: Direction = "z",
        displacement: Numbers | None = None,
        velocity: Numbers | None = None,
        angular_velocity: Numbers | None = None,
        name: str = "",
    ) -> Body:
        """A solid cone: base of `radius`, tip `height` above it along `axis` [m]; `at` (3) [m] is its centre of mass, a quarter of the height above the base.

        Its own z axis points to the tip. mass [kg] or density [kg/m^3]. displacement, velocity, angular_velocity: initial values (3), world axes.
        """
        name = self._free_name("cone", name)
        path = f"bodies/{name}"
        r, h = (g.number(x, f"{path}/{w}", "m", above=0.0) for x, w in ((radius, "radius"), (height, "height")))
        shape = {"type": "cone", "radius": r, "height": h}
        m = _mass(path, mass, density, volume_of(shape))
        place = np.zeros(3) if at is None else self._point(at, f"{path}/at"), _axis_z(axis, f"{path}/axis")
        return self._rigid(Body, name, place, m, None, shape, displacement, velocity, angular_velocity)

    @verb("bodies")
    def ellipsoid(
        self,
        *,
        size: Vector,
        mass: Real | None = None,
        density: Real | None = None,
        at: Point | None = None,
        on: Body | None = None,
        rotation: Turn | None = None,
        displacement: Numbers | None = None,
        velocity: Numbers | None = None,
        angular_velocity: Numbers | None = None,
        name: str = "",
    ) -> Body:
        """A solid ellipsoid with diameters `size` (3) [m] along its axes, its centre `at` a point (3) [m], or `on` a plane or box.

        rotation: rotation vector (3) [rad] of its axes. mass [kg] or density [kg/m^3]. displacement, velocity, angular_velocity: initial values
        (3), world axes.
        """
        name = self._free_name("ellipsoid", name)
        path = f"bodies/{name}"
        edges = g.edges(size, f"{path}/size")
        place = self._placed(path, at, on, rotation, 0.5 * edges[1 if self.planar else 2])
        shape = {"type": "ellipsoid", "size": edges.tolist()}
        m = _mass(path, mass, density, volume_of(shape))
        return self._rigid(Body, name, place, m, None, shape, displacement, velocity, angular_velocity)

    @verb("bodies")
    def hull(
        self,
        points: Sequence[Sequence[Real]],
        *,
        mass: Real | None = None,
        density: Real | None = None,
        at: Point | None = None,
        rotation: Turn | None = None,
        displacement: Numbers | None = None,
        velocity: Numbers | None = None,
        angular_velocity: Numbers | None = None,
        name: str = "",
    ) -> Body:
        """A solid convex polyhedron: the hull of `points` (n, 3) [m] about `at` (3) [m], in its own axes.

        Its reference point is its centre of mass; points inside the hull do not matter. In a planar model points (n, 2) are a convex polygon, 1 m deep. rotation: rotation vector (3) [rad] of its axes. mass [kg]
        or density [kg/m^3]. displacement, velocity, angular_velocity: initial values (3), world axes.
        """
        name = self._free_name("hull", name)
        path = f"bodies/{name}"
        corners = flat.prism(points, f"{path}/points") if self.planar else g.points(points, f"{path}/points")
        made = hull_faces([tuple(p) for p in corners.tolist()])
        if made is None:
            g.refuse(f"{path}/points", "lie in a plane", "a solid needs four points that do not")
        corners = np.array(made[0])
        volume, center, _ = hull_integrals(corners)
        p, R = self._placed(path, at, None, rotation, 0.0)
        shape = {"type": "hull", "points": (corners - center).tolist()}
        m = _mass(path, mass, density, volume)
        return self._rigid(Body, name, (p + R @ center, R), m, None, shape, displacement, velocity, angular_velocity)

    @verb("bodies")
    def body(
        self,
        *,
        mass: Number | None = None,
        inertia: Matrix | Inertia | Number,
        at: Point = (0.0, 0.0, 0.0),
        center_of_mass: Numbers | None = None,
        rotation: Turn = (0.0, 0.0, 0.0),
        displacement: Numbers | None = None,
        velocity: Numbers | None = None,
        angular_velocity: Numbers | None = None,
        name: str = "",
    ) -> Body:
        """A rigid body of any mass [kg] and inertia about any reference point `at` (3) [m]; it has no shape for contacts.

        inertia: (3) or (3, 3) [kg m^2] about the centre of mass in body axes, or a `sl.Inertia`, which holds mass and centre
        of mass. center_of_mass (3) [m] from the reference point, body axes. rotation: rotation vector (3) [rad] of the body's
        axes, or a `sl.Rotation`. displacement, velocity, angular_velocity: initial values (3), world axes.
        """
        name = self._free_name("body", name)
        path = f"bodies/{name}"
        place = self._placed(path, at, None, rotation, 0.0)
        if mass is None and not isinstance(inertia, Inertia):
            g.refuse(f"{path}/mass", "is missing", "give mass= [kg], or inertia= as a sl.Inertia, which holds it")
        if self.planar and isinstance(inertia, (int, float, np.number)):
            inertia = (0.5 * inertia, 0.5 * inertia, inertia)
        mass, matrix, center_of_mass = masses_of(path, mass, inertia, center_of_mass)
        if self.planar:
            center_of_mass = flat.vector(center_of_mass, f"{path}/center_of_mass")
        body = self._rigid(Body, name, place, mass, matrix, {}, displacement, velocity, angular_velocity, center_of_mass)
        return body

    @verb("markers")
    def plane(
        self,
        *,
        at: Point = (0.0, 0.0, 0.0),
        normal: Direction | None = None,
        rotation: Turn | None = None,
        name: str = "",
    ) -> Plane:
        """A plane fixed to the ground through `at` (3) [m]; its normal, z of its frame, points to the free side.

        normal: "z" (default) or a vector; or rotation: rotation vector (3) [rad] that turns the horizontal plane.
        """
        name = self._free_name("plane", name)
        path = f"markers/{name}"
        if normal is not None and rotation is not None:
            g.refuse(path, "has both `normal` and `rotation`", "give one of them")
        if self.planar:
            if rotation is not None:
                g.refuse(f"{path}/rotation", f"is {g.short(rotation)}", "give the normal of the line on which bodies lie, in x and y")
            n = g.direction("y" if normal is None else flat.vector(normal, f"{path}/normal", ""), f"{path}/normal")
            flat.along(n, f"{path}/normal")
            turn = g.rotation_vector(flat.plane_frame(n))
        elif normal is not None:
            n = g.direction(normal, f"{path}/normal")
            axis, sine = np.cross([0.0, 0.0, 1.0], n), float(np.hypot(n[0], n[1]))
            turn = (
                axis / sine * math.atan2(sine, n[2])
                if sine > 1e-12
                else np.array([0.0 if n[2] > 0 else math.pi, 0.0, 0.0])
            )
        else:
            turn = np.zeros(3) if rotation is None else turn_vector(rotation, f"{path}/rotation")
        p = self._point(at, f"{path}/at")
        self._add("markers", "frame", name, {"body": "ground", "position": p.tolist(), "rotation": turn.tolist()})
        made = Plane(self, name, p, g.rotation_matrix(turn), {"type": "plane"})
        self._add_shape(made)
        return made

    @verb("markers")
    def shape(
        self,
        kind: str,
        on: Body | Frame | Node,
        *,
        size: Vector | None = None,
        radius: Real | None = None,
        length: Real | None = None,
        height: Real | None = None,
        points: Sequence[Sequence[Real]] | None = None,
        distance: str | None = None,
        at: Point | None = None,
        rotation: Turn = (0.0, 0.0, 0.0),
        name: str = "",
    ) -> Shape:
        """A shape for contact on a body or `m.ground`, beside its own: one of several on a body, a wall that stands still, or at a frame of what bends: `beam.at(0.3)`, `beam.end`.

        kind: box, sphere, ... with the sizes that its verb takes, as `m.shape("box", m.ground, size=(1, 1, 0.1))`; "implicit_surface" is solid where `distance`, a
        formula of x, y, z in its axes [m], is negative in a box with edges `size`. All shapes touch each other, but planes, hollow shapes and implicit surfaces none of these. at: its centre, a world point (3) [m] in
        the reference position, or a frame; default: the origin of `on`. rotation: rotation vector (3) [rad], or `sl.Rotation`, from the axes of `on` to
        the shape's. It has no mass: its mass is that of the body, see `sl.Inertia`.
        """
        name = self._free_name("shape", name)
        path = f"markers/{name}"
        known = {word: fields for word, fields in SIZES.items() if word not in ("plane", "mesh", "height_field")}
        if kind not in known:
            g.refuse(f"{path}/kind", f"is {kind!r}, which is no shape", g.near(str(kind), known) or f"use {', '.join(known)}")
        sizes = given(size=size, radius=radius, length=length, height=height, points=points, distance=distance)
        for word in (*(w for w in sizes if w not in known[kind]), *(w for w in known[kind] if w not in sizes)):
            fault = f"is {g.short(sizes[word])}, which a {kind} does not have" if word in sizes else "is missing"
            g.refuse(f"{path}/{word}", fault, f"a {kind} has {', '.join(known[kind]) or 'no sizes'}")
        on = self._handle(on)
        if not isinstance(on, (Body, Frame)) and not (isinstance(on, Node) and on._R is not None):
            g.refuse(f"{path}/on", f"is {on!r}, expected a body, a frame or m.ground")
        self._own(on, f"{path}/on")
        body, turn = on.reference, turn_vector(rotation, f"{path}/rotation")
        p = body[0] if at is None else self._point(at, f"{path}/at")
        if isinstance(on, (Plane, Shape)):
            g.refuse(f"{path}/on", f"is {on.name}, a shape itself", "give the body that carries it, or m.ground")
        place: dict[str, Any] = {"body": {"body": on.name, "at": p.tolist(), "rotation": turn.tolist()}}
        if not isinstance(on, Body):
            place = {"body": self._frame(on, f"{path}/on"), "position": (body[1].T @ (p - body[0])).tolist(), "rotation": turn.tolist()}
        self._add("markers", "frame", name, place)
        made = Shape(self, name, p, body[1] @ g.rotation_matrix(turn), {"type": kind, **{word: self._plain(value) for word, value in sizes.items()}})
        self._add_shape(made)
        return made

    @verb("bodies")
    def mesh(
        self,
        surface: Surface,
        *,
        mass: Real | None = None,
        density: Real | None = None,
        at: Point | None = None,
        rotation: Turn | None = None,
        scale: Real | None = None,
        displacement: Numbers | None = None,
        velocity: Numbers | None = None,
        angular_velocity: Numbers | None = None,
        name: str = "",
    ) -> Body:
        """A solid inside a closed surface of triangles, about `at` (3) [m]: an STL or OBJ file, or (points (n, 3) [m], triangles (m, 3)), counter-clockwise from outside.

        A trimesh.Trimesh is taken, too, and files that trimesh reads (glTF, PLY, ...), where it is installed. A surface that is inside out is turned, with a warning.
        It touches all shapes, other meshes too, and need not be convex. Its reference point is its centre of mass. scale: [m] per unit of the file; default 1, or what the file says. rotation:
        rotation vector (3) [rad] of its axes. mass [kg] or density [kg/m^3]. displacement, velocity, angular_velocity: initial values (3), world axes.
        """
        name = self._free_name("mesh", name)
        path = f"bodies/{name}"
        triangles = closed(triangles_of(surface, scale, f"{path}/surface"), f"{path}/surface")
        warn_of_crossings(triangles, f"{path}/surface")
        solid = Inertia._inside(triangles, mass, density)
        size = float(np.ptp(triangles.points, axis=0).max())
        if triangles.unitless and scale is None and size > LARGE:
            g.warn(f"{path}/scale", f"is not given, and the solid of {Path(triangles.file).name} is {size:.3g} m long, {solid.mass:.3g} kg", "if the file is in mm write scale=1e-3; if it is in metres, scale=1")
        p, R = self._placed(path, at, None, rotation, 0.0)
        shape = {"type": "mesh", "points": (triangles.points - solid.center).tolist(), "triangles": triangles.faces.tolist()}
        place = (p + R @ solid.center, R)
        return self._rigid(Body, name, place, solid.mass, solid.matrix.tolist(), shape, displacement, velocity, angular_velocity)

    @verb("markers")
    def surface(self, surface: Surface, *, at: Point = (0.0, 0.0, 0.0), rotation: Turn | None = None, scale: Real | None = None, name: str = "") -> Plane:
        """A surface of triangles fixed to the ground, open or closed: an STL or OBJ file, or (points (n, 3) [m], triangles (m, 3)) about `at` (3) [m], or what else `m.mesh` takes.

        In a planar model points (n, 2) are a chain of segments, free on the left of the way through them. Bodies touch the side from which the corners of a triangle run counter-clockwise, and slide over edges between triangles of one plane without a jolt. scale: [m]
        per unit of the file; default 1, or what the file says. rotation: rotation vector (3) [rad].
        """
        name = self._free_name("surface", name)
        path = f"markers/{name}/surface"
        if self.planar:
            points, triangles = flat.strip(surface, path)
        else:
            read = triangles_of(surface, scale, path)
            points, triangles = read.points, read.faces
        return self._fixed(name, at, rotation, {"type": "mesh", "points": points.tolist(), "triangles": triangles.tolist()})

    @verb("markers")
    def height_field(self, heights: Matrix, *, size: Sequence[Real], at: Point = (0.0, 0.0, 0.0), rotation: Turn | None = None, name: str = "") -> Plane:
        """A surface fixed to the ground: heights (n, m) [m] over a grid of `size` (2) [m] along x and y with `at` (3) [m] in its middle, free above.

        rotation: rotation vector (3) [rad].
        """
        name = self._free_name("height_field", name)
        return self._fixed(name, at, rotation, {"type": "height_field", "heights": np.asarray(heights).tolist(), "size": np.asarray(size).tolist()})

    def _fixed(self, name: str, at, rotation, shape: dict[str, Any]) -> Plane:
        """A shape on the ground."""
        path = f"markers/{name}"
        turn = np.zeros(3) if rotation is None else turn_vector(rotation, f"{path}/rotation")
        p = self._point(at, f"{path}/at")
        self._add("markers", "frame", name, {"body": "ground", "position": p.tolist(), "rotation": turn.tolist()})
        made = Plane(self, name, p, g.rotation_matrix(turn), shape)
        self._add_shape(made)
        return made

    def _placed(self, path: str, at, on, rotation, height: float) -> tuple[np.ndarray, np.ndarray]:
        """Place of a shape that is `height` above what it stands on."""
        if self.planar:
            rotation = None if rotation is None else flat.about_normal(rotation, f"{path}/rotation", "rad") * flat.NORMAL
        if on is None:
            turn = np.zeros(3) if rotation is None else turn_vector(rotation, f"{path}/rotation")
            return (np.zeros(3) if at is None else self._point(at, f"{path}/at")), g.rotation_matrix(turn)
        if at is not None or rotation is not None:
            g.refuse(f"{path}/on", "says where it is, and so does `at` or `rotation`", "give one of them")
        on = self._handle(on)
        kind = on._shape.get("type") if isinstance(on, Body) else None
        if kind not in ("plane", "box"):
            g.refuse(f"{path}/on", f"is {on!r}, expected a plane or a box", "make one with m.plane() or m.box(...), or give at=; m.shape(kind, on=body) gives a body one more shape")
        self._own(on, f"{path}/on")
        p, R = on.reference
        if self.planar:  # above is along the normal of a plane, along y of a box
            n = R[:, 2] if kind == "plane" else R[:, 1]
            return p + (height + (0.5 * on._shape["size"][1] if kind == "box" else 0.0)) * n, np.column_stack([np.cross(n, flat.NORMAL), n, flat.NORMAL])
        top = 0.5 * on._shape["size"][2] if kind == "box" else 0.0
        return p + (top + height) * R[:, 2], R

    def _round(self, word: str, name: str, radius, length, at, axis):
        """(name, path, radius, length, place) of a shape that is round about its own z axis."""
        name = self._free_name(word, name)
        path = f"bodies/{name}"
        r, h = (g.number(x, f"{path}/{w}", "m", above=0.0) for x, w in ((radius, "radius"), (length, "length")))
        p = np.zeros(3) if at is None else self._point(at, f"{path}/at")
        return name, path, r, h, (p, _axis_z(axis, f"{path}/axis"))

    def _rigid(
        self, kind: type[Kind], name: str, place, mass, inertia, shape: dict[str, Any],
        displacement, velocity, angular_velocity, center_of_mass=None,
    ) -> Kind:  # fmt: skip
        """Adds a rigid body with its node written in place, and its shape; returns its handle. inertia None: that of the shape."""
        p, R = place
        path = f"bodies/{name}"
        if self.planar:
            moves = {word: flat.vector(value, f"{path}/{word}", unit) for word, value, unit in (("displacement", displacement, "m"), ("velocity", velocity, "m/s"))}
            initial = given(**moves, angular_velocity=flat.about_normal(angular_velocity, f"{path}/angular_velocity", "rad/s"))
            node = {"type": "node_rigid_2d", "position": p.tolist(), "angle": flat.angle(R, path), **self._plain(initial)}
        else:
            initial = given(displacement=displacement, velocity=velocity, angular_velocity=angular_velocity)
            node = {"type": "node_rigid", "position": p.tolist(), **self._plain(initial)}
            turn = g.rotation_vector(R)
            if np.any(turn):
                node["rotation"] = turn.tolist()
        inertia = inertia_of(shape, mass) if inertia is None else inertia
        fields = {"node": node, "mass": mass, "inertia": inertia, **given(center_of_mass=self._plain(center_of_mass))}
        self._add("bodies", "rigid_body", name, fields)
        made = kind(self, name, p, R, shape)
        made._weight = (mass, fields.get("center_of_mass"))
        if shape:
            self._add_shape(made)
        return made

    def _add_shape(self, body: Body) -> None:
        """Adds the marker of a shape: contacts name it, pictures and model files have it."""
        name = shape_name(body.name)
        if self._taken(name):
            return
        kind, sizes = body._shape["type"], {key: value for key, value in body._shape.items() if key != "type"}
        turn = {"rotation": list(ALONG_X)} if kind == "rod" else {}
        place = body._reference() if isinstance(body, Plane) else body.name
        self._add("markers", "cylinder" if kind == "rod" else kind, name, {"body": place, **turn, **sizes})
        self._part_of[name] = (body.name, "shape")


class CoordinateVerbs:
    """Verb that makes systems in coordinates of the user's choice."""

    @verb("bodies")
    def coordinates(
        self,
        mass_matrix: FunctionMatrix,
        *,
        potential: Function | None = None,
        force: Function | Sequence[Number] | None = None,
        stiffness_matrix: Matrix | None = None,
        damping_matrix: Matrix | None = None,
        start: Numbers | None = None,
        velocity: Numbers | None = None,
        name: str = "",
    ) -> Coordinates:
        """n coordinates with kinetic energy 1/2 v^T M(q) v: M a + (dM/dq . v) v - 1/2 d(v^T M v)/dq + dV/dq + D v + K q = f, Lagrange's equations.

        mass_matrix: M (n, n), of numbers or expressions of q0, q1, ..., or a function M(q0, q1, ...) -> (n, n); symmetric and positive
        definite wherever the system goes, else the run ends and says where. potential: V(q0, q1, ...) [J]. force: f(t, q0, ..., v0, ...),
        n results. stiffness_matrix K, damping_matrix D (n, n). start, velocity: initial q and v (n), default 0. Gyroscopic forces follow from M by exact derivatives
        of expressions, by differences (1e-10) of functions; so does -dV/dq. Gravity acts through the potential alone.
        """
        name = self._free_name("coordinates", name)
        path = f"bodies/{name}"
        given_numbers = [self._plain(numbers) for numbers in (mass_matrix, start, velocity)]
        counts = [len(numbers) for numbers in given_numbers if isinstance(numbers, list)]
        if not counts:
            g.refuse(f"{path}/start", "is missing, and a function does not tell how many coordinates there are", "give `start`, one number each")
        node = {"type": "node_ode2", "count": counts[0], **given(displacements=given_numbers[1], velocities=given_numbers[2])}
        fields = given(potential=potential, stiffness_matrix=stiffness_matrix, damping_matrix=damping_matrix, force=force)
        self._add("bodies", "generic_system", name, {"node": node, "mass_matrix": given_numbers[0], **{key: self._plain(value) for key, value in fields.items()}})
        return Coordinates(self, name)


class PointMassVerbs:
    """Verb that makes point masses."""

    @verb("bodies")
    def point_mass(
        self,
        *,
        mass: Number,
        at: Point = (0.0, 0.0, 0.0),
        displacement: Numbers | None = None,
        velocity: Numbers | None = None,
        name: str = "",
    ) -> Body:
        """A point of mass [kg] `at` (3) [m]; displacement (3) [m] and velocity (3) [m/s] are initial values."""
        name = self._free_name("point_mass", name)
        p = self._point(at, f"bodies/{name}/at")
        if self.planar:
            displacement, velocity = flat.vector(displacement, f"bodies/{name}/displacement"), flat.vector(velocity, f"bodies/{name}/velocity", "m/s")
        initial = given(displacement=displacement, velocity=velocity)
        node = {"type": "node_point_2d" if self.planar else "node_point", "position": p.tolist(), **self._plain(initial)}
        self._add("bodies", "point_mass", name, {"node": node, "mass": mass})
        made = Body(self, name, p, shape={"type": "point"})
        made._weight = (mass, None)
        return made


def _axis_z(axis, path: str) -> np.ndarray:
    """The shortest turn of x to the axis, after a cyclic change of axes that makes z the axis."""
    if isinstance(axis, str) and axis == "z":
        return np.eye(3)
    return g.basis_with_x(g.direction(axis, path))[:, [1, 2, 0]]


def masses_of(path: str, mass, inertia, center_of_mass) -> tuple[Any, list, Any]:
    """Mass, inertia and centre of mass as given, or as an Inertia holds them."""
    if isinstance(inertia, Inertia):
        for word, value in (("mass", mass), ("center_of_mass", center_of_mass)):
            if value is not None:
                g.refuse(f"{path}/{word}", "stands in the inertia, too", f"leave {word} out, or give inertia= as numbers")
        mass, center_of_mass, inertia = inertia.mass, inertia.center if np.any(inertia.center) else None, inertia.matrix
    matrix = g.numbers(inertia, f"{path}/inertia", "kg m^2", "3 numbers, or 3 by 3")
    if not isinstance(matrix, list):
        g.refuse(f"{path}/inertia", f"is {matrix!r}, a number; expected 3, or 3 by 3 [kg m^2]", "write (Ixx, Iyy, Izz)")
    if len(matrix) != 3 or any(isinstance(row, list) and len(row) != 3 for row in matrix):
        g.refuse(f"{path}/inertia", f"is {g.short(inertia)}; expected 3 numbers, or 3 by 3 [kg m^2]", "write (Ixx, Iyy, Izz)")
    return mass, matrix, center_of_mass


def _mass(path: str, mass, density, volume: float) -> float:
    if (mass is None) == (density is None):
        g.refuse(
            path,
            "needs a mass" if mass is None else f"has both a mass, {mass!r} kg, and a density, {density!r} kg/m^3",
            "give mass= [kg] or density= [kg/m^3]",
        )
    if mass is not None:
        return g.number(mass, f"{path}/mass", "kg", above=0.0)
    return g.number(density, f"{path}/density", "kg/m^3", above=0.0) * volume
