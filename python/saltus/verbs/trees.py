"""Kinematic trees: links on joints, in the coordinates of the joints alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from saltus import geometry as g
from saltus.handles import Link, Tree
from saltus.rotations import turn_vector
from saltus.verbs._verb import given, verb
from saltus.verbs.bodies import masses_of

if TYPE_CHECKING:
    from saltus.arguments import Direction, End, Matrix, Number, Numbers, Point, Turn
    from saltus.inertia import Inertia

JOINTS = ("revolute", "prismatic", "fixed", "ball", "free")
STARTS = {"ball": ("rotation",), "free": ("displacement", "rotation")}  # fields of the node, three numbers of `coordinate` each
RATES = {"displacement": "velocity", "rotation": "angular_velocity"}


class TreeVerbs:
    """Verbs that make kinematic trees: robots, chains, anything whose bodies hang on each other. Joints cost no constraints; loops are closed by joints."""

    @verb("bodies")
    def tree(self, *, base: End | None = None, name: str = "") -> Tree:
        """A kinematic tree on a body or frame, default the ground; `tree.revolute(...)`, `.prismatic(...)`, `.ball(...)`, `.free(...)`, `.fixed(...)` give it links, and so do links.

        What floats stands on a body, `m.tree(base=m.box(...))`, or begins with a link on a free joint.
        """
        name = self._free_name("tree", name)
        fields = {} if base is None or base is self.ground else {"base": self._frame(base, f"bodies/{name}/base")}
        place = (np.zeros(3), np.eye(3)) if base is None else self._handle(base).reference
        return Tree(self, self._add("bodies", "kinematic_tree", name, fields), place)

    @verb("bodies")
    def link(
        self,
        parent: Tree | Link,
        *,
        joint: Literal["revolute", "prismatic", "fixed", "ball", "free"] = "revolute",
        at: Point | None = None,
        axis: Direction = "z",
        mass: Number | None = None,
        inertia: Matrix | Inertia = (0.0, 0.0, 0.0),
        center_of_mass: Numbers | None = None,
        rotation: Turn = (0.0, 0.0, 0.0),
        coordinate: Number | Numbers = 0.0,
        rate: Number | Numbers = 0.0,
        armature: Number | None = None,
        ratio: Number | None = None,
        name: str = "",
    ) -> Link:
        """A link of a tree on the joint that carries it; its frame is that of the joint. Joints, springs, loads and contacts take it as they take a body.

        parent: the link that carries it, or the tree. at: where the joint is, a world point (3) [m] in the reference position, default: at the origin of the
        parent. axis: of a revolute or prismatic joint, world direction. mass [kg], default 0; inertia: (3) or (3, 3) [kg m^2] about the centre of mass, or a `sl.Inertia`, which
        holds all three; center_of_mass (3) [m] from the joint; both in the axes of the link, which `rotation`, a rotation vector (3) [rad] from the world's
        axes or a `sl.Rotation`, turns. coordinate [rad or m] and rate are initial values; in the reference position the coordinate is 0. Of a ball they are a
        rotation vector (3) [rad] and the angular velocity (3) [rad/s] against the parent; of a free joint (6) behind a displacement [m] and its rate [m/s]; in
        the axes that the link has in the reference position. What else a joint leaves is made of links without mass: a universal joint of two hinges.
        armature [kg m^2]: inertia of a rotor that turns `ratio` times as fast as the joint (see `m.armature`).
        """
        name = self._free_name("link", name)
        path = f"bodies/{name}"
        if not isinstance(parent, (Tree, Link)):
            g.refuse(f"{path}/parent", f"is {g.short(parent)}, expected a tree or a link", "a tree on a body is m.tree(base=body)")
        if joint not in JOINTS:
            g.refuse(f"{path}/joint", f"is {joint!r}", f"use one of {', '.join(JOINTS)}")
        self._own(parent, f"{path}/parent")
        p0, R0 = parent.reference
        p = p0 if at is None else self._point(at, f"{path}/at")
        R = g.rotation_matrix(turn_vector(rotation, f"{path}/rotation"))
        along = axis if isinstance(axis, str) and not np.any(R - np.eye(3)) else (R.T @ g.direction(axis, f"{path}/axis")).tolist()
        place = {"position": (R0.T @ (p - p0)).tolist(), "rotation": g.rotation_vector(R0.T @ R).tolist()}
        fields = {"parent": parent.name, "joint": joint, **({} if joint == "fixed" else {"axis": along}), **{key: x for key, x in place.items() if np.any(x)}}
        if joint == "fixed" and (coordinate != 0.0 or rate != 0.0):
            g.refuse(path, "is fixed: it has neither coordinate nor rate", "leave them out, or write joint=\"revolute\"")
        if joint != "fixed":
            fields["node"] = self._node_of(path, joint, coordinate, rate)
        mass, matrix, center_of_mass = masses_of(path, mass, inertia, center_of_mass)
        fields |= {"inertia": matrix, **given(mass=mass, center_of_mass=self._plain(center_of_mass))}
        if joint not in ("revolute", "prismatic") and armature is not None:
            g.refuse(f"{path}/armature", f"is of a joint with one coordinate, and this one is {joint}", "leave it out, or write joint=\"revolute\"")
        if ratio is not None and armature is None:
            g.refuse(f"{path}/ratio", "is of a rotor, and there is none", "give armature=, its moment of inertia")
        fields |= given(armature=armature, ratio=ratio)
        link = Link(self, self._add("bodies", "tree_link", name, fields), p, R)
        link._weight = (fields.get("mass", 0.0), fields.get("center_of_mass"))
        return link

    def _node_of(self, path: str, joint: str, coordinate: Number | Numbers, rate: Number | Numbers) -> dict[str, Any]:
        """The node under a joint that moves, with its initial values."""
        if joint not in STARTS:
            start = {"displacement": coordinate, "velocity": rate}
            for word, x in zip(("coordinate", "rate"), start.values(), strict=True):
                if not isinstance(x, (int, float, str)) and np.ndim(x) > 0:  # type: ignore[arg-type]
                    g.refuse(f"{path}/{word}", f"is {g.short(x)}, and a {joint} joint has one coordinate", "give one number")
            return {"type": "node_1d", **{key: x for key, x in start.items() if not (isinstance(x, (int, float)) and x == 0.0)}}
        fields = STARTS[joint]
        node: dict[str, Any] = {"type": "node_rotation" if joint == "ball" else "node_pose"}
        for word, x in (("coordinate", coordinate), ("rate", rate)):
            if isinstance(x, (int, float)) and x == 0.0:
                continue
            if np.shape(x) != (3 * len(fields),):  # type: ignore[arg-type]
                g.refuse(f"{path}/{word}", f"is {g.short(x)}, expected {3 * len(fields)} numbers of a {joint} joint", f"give {' and '.join(fields)}, three each")
            values = self._plain(x)
            for i, name in enumerate(fields):
                if any(not isinstance(v, (int, float)) or v != 0.0 for v in values[3 * i : 3 * i + 3]):
                    node[name if word == "coordinate" else RATES[name]] = values[3 * i : 3 * i + 3]
        return node
