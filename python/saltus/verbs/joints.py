"""Joints of two bodies: forces and motion are those of B, the second. A drive or spring is an item of its own."""

from __future__ import annotations

import numpy as np

from saltus import geometry as g
from saltus.handles import Handle, Joint
from saltus.verbs._verb import given, verb


class JointVerbs:
    """Verbs that make joints. `at`: world point (3) [m] in the reference position, or a frame; default: frame of B."""

    @verb("joints")
    def revolute(
        self,
        A,
        B,
        *,
        at=None,
        axis=None,
        speed=None,
        angle=None,
        torque=None,
        stiffness=None,
        damping=None,
        rest_angle=None,
        name: str = "",
    ) -> Joint:
        """Rotation about `axis` ("x", a vector; default: z of B's frame) is free, or driven exactly.

        speed [rad/s], angle [rad] or torque [N m] on B: a number, an expression of t, a function f(t); a torque may
        also depend on angle and speed: f(t, angle, speed). stiffness [N m/rad], damping [N m s/rad], rest_angle [rad]:
        a torsional spring.
        """
        place, joint = self._joint("revolute", A, B, at, axis, name)
        self._drive(
            joint,
            place,
            given(speed=speed, angle=angle, torque=torque),
            {"speed": "revolute_speed_drive", "angle": "revolute_drive", "torque": "joint_torque"},
        )
        spring = given(stiffness=stiffness, damping=damping, rest_angle=rest_angle)
        if spring:
            self._part(joint, "connectors", "torsional_spring_damper", "spring", {**place, **spring})
        return joint

    @verb("joints")
    def prismatic(self, A, B, *, at=None, axis=None, speed=None, position=None, force=None, name: str = "") -> Joint:
        """Translation along `axis` is free, or driven exactly: speed [m/s], position [m] or force [N] on B.

        Each is a number, an expression of t, or a function f(t); a force may be f(t, position, speed).
        """
        place, joint = self._joint("prismatic", A, B, at, axis, name)
        self._drive(
            joint,
            place,
            given(speed=speed, position=position, force=force),
            {"speed": "prismatic_speed_drive", "position": "prismatic_drive", "force": "joint_force"},
        )
        return joint

    @verb("joints")
    def spherical(self, A, B, *, at=None, name: str = "") -> Joint:
        """The bodies share the point `at`; all rotation is free."""
        return self._joint("spherical", A, B, at, None, name)[1]

    @verb("joints")
    def cylindrical(self, A, B, *, at=None, axis=None, name: str = "") -> Joint:
        """Rotation about and translation along `axis` are free."""
        return self._joint("cylindrical", A, B, at, axis, name)[1]

    @verb("joints")
    def fixed(self, A, B, *, at=None, name: str = "") -> Joint:
        """B keeps its place on A."""
        return self._joint("fixed", A, B, at, None, name)[1]

    @verb("joints")
    def universal(self, A, B, *, axes, at=None, name: str = "") -> Joint:
        """Cardan joint: the cross turns about axes[0], fixed in A, and about axes[1], fixed in B, normal to it."""
        name = self._free_name("universal", name)
        path = f"joints/{name}/axes"
        if isinstance(axes, str) or len(axes) != 2:
            g.refuse(path, f"is {axes!r}, expected two directions", 'write ("y", "z")')
        x, y = (g.direction(axis, path) for axis in axes)
        if abs(float(x @ y)) > 1e-9:
            g.refuse(path, f"are {axes!r}, which are not normal to each other")
        turn = g.rotation_vector(np.column_stack([x, y, np.cross(x, y)]))
        fields = {**self._pair(A, B), **self._at(at, name), "rotation": turn.tolist()}
        return Joint(self, self._add("joints", "universal", name, fields))

    @verb("joints")
    def distance(self, A, B, *, length=None, name: str = "") -> Joint:
        """The origins of two frames keep their distance, `length` [m]; default: the one of the reference position."""
        name = self._free_name("distance", name)
        fields = self._pair(A, B)
        if length is None:
            p, q = (self._handle(end).reference[0] for end in (A, B))
            length = float(np.linalg.norm(q - p))
        return Joint(self, self._add("joints", "distance", name, {**fields, "length": length}))

    def _pair(self, A, B):
        return {"A": self._frame(A, "A"), "B": self._frame(B, "B")}

    def _at(self, at, name: str):
        return {} if at is None else {"at": self._point(at, f"joints/{name}/at").tolist()}

    def _joint(self, kind: str, A, B, at, axis, name: str):
        """Record of a joint; also its pair and place, which drives and springs of the joint share."""
        name = self._free_name(kind, name)
        place = {**self._pair(A, B), **self._at(at, name)}
        if axis is not None:
            place["axis"] = axis if isinstance(axis, str) else g.direction(axis, f"joints/{name}/axis").tolist()
        return place, Joint(self, self._add("joints", kind, name, place))

    def _drive(self, joint: Joint, place, drives, types) -> None:
        if len(drives) > 1:
            g.refuse(f"joints/{joint.name}", f"is driven by {' and '.join(drives)}", "give one of them")
        for word, value in drives.items():
            section = "loads" if word in ("torque", "force") else "joints"
            drive = self._part(joint, section, types[word], "drive", {**place, word: value})
            joint._drive = drive if section == "joints" else None

    def _part(self, joint: Joint, section: str, kind: str, word: str, fields) -> Handle:
        part = Handle(self, self._add(section, kind, self._free_name("", f"{joint.name}_{word}"), fields))
        joint._parts += (part,)
        return part
