"""Bodies: shapes with mass, each one record with its node written in place."""

from __future__ import annotations

import math

import numpy as np

from saltus import geometry as g
from saltus.handles import Body, Plane, Rod
from saltus.verbs._verb import given, verb

SLIM = 50.0  # length over radius of a rod without `radius=`


class BodyVerbs:
    """Verbs that make bodies. All lengths in m, masses in kg, world axes, reference position."""

    @verb("bodies")
    def rod(
        self,
        start,
        end,
        *,
        mass=None,
        density=None,
        radius=None,
        displacement=None,
        velocity=None,
        angular_velocity=None,
        name: str = "",
    ) -> Rod:
        """A slim rod from `start` to `end` (3) [m]; frames `rod.start`, `rod.end`; x axis along the rod.

        mass [kg] or density [kg/m^3]. Transverse inertia m L^2/12; axial m r^2/2 with r = L/50 unless `radius` [m] is
        given. velocity (3) [m/s] of the centre and angular_velocity (3) [rad/s] are initial values, world axes.
        """
        name = self._free_name("rod", name)
        path = f"bodies/{name}"
        a, b = self._point(start, f"{path}/start"), self._point(end, f"{path}/end")
        length = float(np.linalg.norm(b - a))
        if not length > 0.0:
            g.refuse(path, "has length zero: start and end are the same point")
        r = length / SLIM if radius is None else g.number(radius, f"{path}/radius", "m", above=0.0)
        m = _mass(path, mass, density, math.pi * r * r * length)
        transverse = m * length**2 / 12.0
        self._rigid(
            name,
            0.5 * (a + b),
            g.basis_with_x((b - a) / length),
            m,
            [0.5 * m * r * r, transverse, transverse],
            displacement,
            velocity,
            angular_velocity,
        )
        body = Rod(
            self, name, 0.5 * (a + b), g.basis_with_x((b - a) / length), {"type": "rod", "length": length, "radius": r}
        )
        return self._known_body(body)

    @verb("bodies")
    def box(
        self,
        *,
        size,
        mass=None,
        density=None,
        at=None,
        on=None,
        rotation=None,
        displacement=None,
        velocity=None,
        angular_velocity=None,
        name: str = "",
    ) -> Body:
        """A box with edges `size` (3) [m] along its axes, its centre `at` a point (3) [m], or `on` a plane or box.

        `on` centres it there, axes aligned, touching. rotation: vector (3) [rad]. mass [kg] or density [kg/m^3].
        """
        name = self._free_name("box", name)
        path = f"bodies/{name}"
        edges = g.vector(size, f"{path}/size")
        for edge in edges:
            g.number(edge, f"{path}/size", "m", above=0.0)
        p, R = self._placed(path, at, on, rotation, 0.5 * edges[2])
        m = _mass(path, mass, density, float(np.prod(edges)))
        square = edges**2
        inertia = [m / 12.0 * (square.sum() - square[i]) for i in range(3)]
        self._rigid(name, p, R, m, inertia, displacement, velocity, angular_velocity)
        return self._known_body(Body(self, name, p, R, {"type": "box", "size": edges.tolist()}))

    @verb("bodies")
    def sphere(
        self,
        *,
        radius,
        mass=None,
        density=None,
        at=None,
        on=None,
        rotation=None,
        displacement=None,
        velocity=None,
        angular_velocity=None,
        name: str = "",
    ) -> Body:
        """A solid sphere, its centre `at` a point (3) [m] or `on` a plane or box. Inertia 2/5 m r^2."""
        name = self._free_name("sphere", name)
        path = f"bodies/{name}"
        r = g.number(radius, f"{path}/radius", "m", above=0.0)
        p, R = self._placed(path, at, on, rotation, r)
        m = _mass(path, mass, density, 4.0 / 3.0 * math.pi * r**3)
        self._rigid(name, p, R, m, [0.4 * m * r * r] * 3, displacement, velocity, angular_velocity)
        return self._known_body(Body(self, name, p, R, {"type": "sphere", "radius": r}))

    @verb("bodies")
    def cylinder(
        self,
        *,
        radius,
        length,
        mass=None,
        density=None,
        at=None,
        axis="z",
        displacement=None,
        velocity=None,
        angular_velocity=None,
        name: str = "",
    ) -> Body:
        """A solid cylinder, its centre `at` a point (3) [m]; its own z axis is its axis of symmetry, along `axis`."""
        name = self._free_name("cylinder", name)
        path = f"bodies/{name}"
        r = g.number(radius, f"{path}/radius", "m", above=0.0)
        h = g.number(length, f"{path}/length", "m", above=0.0)
        m = _mass(path, mass, density, math.pi * r * r * h)
        R = _axis_z(axis, f"{path}/axis")
        p = np.zeros(3) if at is None else self._point(at, f"{path}/at")
        transverse = m * (3.0 * r * r + h * h) / 12.0
        self._rigid(name, p, R, m, [transverse, transverse, 0.5 * m * r * r], displacement, velocity, angular_velocity)
        return self._known_body(Body(self, name, p, R, {"type": "cylinder", "radius": r, "length": h}))

    @verb("bodies")
    def capsule(
        self,
        *,
        radius,
        length,
        mass=None,
        density=None,
        at=None,
        axis="z",
        displacement=None,
        velocity=None,
        angular_velocity=None,
        name: str = "",
    ) -> Body:
        """A solid capsule: a cylinder of `length` [m] along `axis` with half balls of `radius` [m] at its ends.

        Its centre `at` a point (3) [m]; its own z axis is its axis. mass [kg] or density [kg/m^3].
        """
        name = self._free_name("capsule", name)
        path = f"bodies/{name}"
        r = g.number(radius, f"{path}/radius", "m", above=0.0)
        h = g.number(length, f"{path}/length", "m", above=0.0)
        tube, balls = math.pi * r * r * h, 4.0 / 3.0 * math.pi * r**3
        m = _mass(path, mass, density, tube + balls)
        tube, balls = m * tube / (tube + balls), m * balls / (tube + balls)
        # Two half balls: 2/5 m r^2 about the centre of the ball, their centres of mass 3/8 r further out.
        transverse = tube * (3.0 * r * r + h * h) / 12.0 + balls * (0.4 * r * r + 0.25 * h * h + 0.375 * h * r)
        axial = 0.5 * tube * r * r + 0.4 * balls * r * r
        R = _axis_z(axis, f"{path}/axis")
        p = np.zeros(3) if at is None else self._point(at, f"{path}/at")
        self._rigid(name, p, R, m, [transverse, transverse, axial], displacement, velocity, angular_velocity)
        return self._known_body(Body(self, name, p, R, {"type": "capsule", "radius": r, "length": h}))

    @verb("bodies")
    def body(
        self,
        *,
        mass,
        inertia,
        at=(0.0, 0.0, 0.0),
        center_of_mass=None,
        rotation=(0.0, 0.0, 0.0),
        displacement=None,
        velocity=None,
        angular_velocity=None,
        name: str = "",
    ) -> Body:
        """A rigid body about any reference point `at` (3) [m].

        inertia: (3) or (3, 3) [kg m^2] about the centre of mass in body axes. center_of_mass (3) [m] from the reference
        point, body axes. rotation: rotation vector (3) [rad] of the body's axes.
        """
        name = self._free_name("body", name)
        path = f"bodies/{name}"
        p, R = self._placed(path, at, None, rotation, 0.0)
        self._rigid(
            name, p, R, mass, np.asarray(inertia).tolist(), displacement, velocity, angular_velocity, center_of_mass
        )
        return self._known_body(Body(self, name, p, R))

    @verb("markers")
    def plane(self, *, at=(0.0, 0.0, 0.0), normal=None, rotation=None, name: str = "") -> Plane:
        """A plane fixed to the ground through `at` (3) [m]; its normal, z of its frame, points to the free side.

        normal: "z" (default) or a vector; or rotation: rotation vector (3) [rad] that turns the horizontal plane.
        """
        name = self._free_name("plane", name)
        path = f"markers/{name}"
        if normal is not None and rotation is not None:
            g.refuse(path, "has both `normal` and `rotation`", "give one of them")
        if normal is not None:
            n = g.direction(normal, f"{path}/normal")
            axis, sine = np.cross([0.0, 0.0, 1.0], n), float(np.hypot(n[0], n[1]))
            turn = (
                axis / sine * math.atan2(sine, n[2])
                if sine > 1e-12
                else np.array([0.0 if n[2] > 0 else math.pi, 0.0, 0.0])
            )
        else:
            turn = np.zeros(3) if rotation is None else g.vector(rotation, f"{path}/rotation", "rad")
        p = self._point(at, f"{path}/at")
        self._add("markers", "frame", name, {"body": "ground", "position": p.tolist(), "rotation": turn.tolist()})
        return self._known_body(Plane(self, name, p, g.rotation_matrix(turn), {"type": "plane"}))

    def _placed(self, path: str, at, on, rotation, height: float) -> tuple[np.ndarray, np.ndarray]:
        """Place of a shape that is `height` above what it stands on."""
        if on is None:
            turn = np.zeros(3) if rotation is None else g.vector(rotation, f"{path}/rotation", "rad")
            return (np.zeros(3) if at is None else self._point(at, f"{path}/at")), g.rotation_matrix(turn)
        if at is not None or rotation is not None:
            g.refuse(f"{path}/on", "says where it is, and so does `at` or `rotation`", "give one of them")
        kind = on.shape.get("type") if isinstance(on, Body) else None
        if kind not in ("plane", "box"):
            g.refuse(f"{path}/on", f"is {on!r}, expected a plane or a box")
        p, R = on.reference
        top = 0.5 * on.shape["size"][2] if kind == "box" else 0.0
        return p + (top + height) * R[:, 2], R

    def _rigid(self, name, p, R, mass, inertia, displacement, velocity, angular_velocity, center_of_mass=None) -> None:
        node = {
            "type": "node_rigid",
            "position": p.tolist(),
            **self._initial(displacement=displacement, velocity=velocity, angular_velocity=angular_velocity),
        }
        turn = g.rotation_vector(R)
        if np.any(turn):
            node["rotation"] = turn.tolist()
        fields = {"node": node, "mass": mass, "inertia": inertia, **given(center_of_mass=self._plain(center_of_mass))}
        self._add("bodies", "rigid_body", name, fields)

    def _initial(self, **values):
        return {key: self._plain(value) for key, value in values.items() if value is not None}


class PointMassVerbs:
    """Verb that makes point masses."""

    @verb("bodies")
    def point_mass(self, *, mass, at=(0.0, 0.0, 0.0), displacement=None, velocity=None, name: str = "") -> Body:
        """A point of mass [kg] `at` (3) [m]; displacement (3) [m] and velocity (3) [m/s] are initial values."""
        name = self._free_name("point_mass", name)
        p = self._point(at, f"bodies/{name}/at")
        node = {
            "type": "node_point",
            "position": p.tolist(),
            **self._initial(displacement=displacement, velocity=velocity),
        }
        self._add("bodies", "point_mass", name, {"node": node, "mass": mass})
        return self._known_body(Body(self, name, p, shape={"type": "point"}))


def _axis_z(axis, path: str) -> np.ndarray:
    """The shortest turn of x to the axis, after a cyclic change of axes that makes z the axis."""
    if isinstance(axis, str) and axis == "z":
        return np.eye(3)
    return g.basis_with_x(g.direction(axis, path))[:, [1, 2, 0]]


def _mass(path: str, mass, density, volume: float) -> float:
    if (mass is None) == (density is None):
        g.refuse(
            path,
            "needs a mass" if mass is None else "has both `mass` and `density`",
            "give mass= [kg] or density= [kg/m^3]",
        )
    if mass is not None:
        return g.number(mass, f"{path}/mass", "kg", above=0.0)
    return g.number(density, f"{path}/density", "kg/m^3", above=0.0) * volume
