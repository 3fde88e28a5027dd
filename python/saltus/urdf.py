"""Robots in URDF, the Unified Robot Description Format of ROS: links stand on the joints of a kinematic tree, joints are the nodes with its coordinates."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from saltus import _core
from saltus import geometry as g
from saltus.errors import Fault, ModelError
from saltus.robot_shapes import Meshes, hull_of, look_of, surface
from saltus.robot_tree import NOWHERE, WORLD, Inertial, Joint, Link, Mimic, Pose, Tree, check_inertias, clean, ordered
from saltus.xml_places import Element, Reading, root_of, turned

JOINTS = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")
READ = {"robot": ("link", "joint", "material"), "link": ("inertial", "visual", "collision"), "joint": ("origin", "parent", "child", "axis", "limit", "dynamics", "mimic")}
SIZES = {"box": ("size",), "sphere": ("radius",), "cylinder": ("radius", "length"), "capsule": ("radius", "length")}


class UrdfReader(Reading):
    """One file. Mistakes and what is left out are collected with their lines."""

    def __init__(self, file: Path, base: str, packages: Mapping[str, str | os.PathLike[str]] | None):
        super().__init__()
        if base not in ("fixed", "free"):
            g.refuse("read_urdf/base", f"is {base!r}", 'write base="fixed" or base="free"')
        self.file, self.free = file, base == "free"
        self.meshes = Meshes(file, folders(packages, "read_urdf"))
        self.robot = self._root()
        self.elements = self._named("link")
        self.links = {name: Link(name, element, f"links/{name}", self._inertial(name, element)) for name, element in self.elements.items()}
        self.joints = [joint for name, element in self._named("joint").items() if (joint := self._joint(name, element)) is not None]
        check_inertias(self, self.links.values())
        order = ordered(self, self.links, self.joints)
        self._left_out()
        self.first = order[0] if order else ""
        above = {joint.child: joint for joint in reversed(self.joints)}
        self.carried = [above[name] if name in above else self._base(name) for name in order]

    # What the file says.

    def _root(self) -> Element:
        root = root_of(self.file, "robot")
        if any(name.startswith("xmlns:xacro") for name in root.attributes) and any(child.tag.startswith("xacro:") for child in root.children):
            raise ModelError(Fault("", "is a template in xacro, of which URDF is made", "xacro robot.urdf.xacro > robot.urdf", str(self.file), root.line))
        return root

    def _named(self, tag: str) -> dict[str, Element]:
        out: dict[str, Element] = {}
        for element in self.robot.all(tag):
            name = self._name(element)
            if name in out:
                self.fault(element, f"{tag}s/{name}", f"is there already, at line {out[name].line}", "give it another name")
            out.setdefault(name, element)
        if not out and tag == "link":
            self.fault(self.robot, "links", "has none", "a robot has at least one <link>")
        return out

    def _name(self, element: Element) -> str:
        name = element.attributes.get("name", "").strip()
        if not name:
            self.fault(element, f"{element.tag}s", "has no name", 'write name="..."')
        return clean(name)

    def origin(self, element: Element, path: str) -> Pose:
        """Place by <origin xyz rpy>: roll, pitch, yaw about the axes of the parent."""
        at = element.first("origin")
        if at is None:
            return NOWHERE
        return self.numbers(at, "xyz", f"{path}/origin", (0, 0, 0)), turned(self.numbers(at, "rpy", f"{path}/origin", (0, 0, 0)).tolist(), "XYZ")

    def _inertial(self, name: str, link: Element) -> Inertial:
        element, path = link.first("inertial"), f"links/{name}/inertial"
        if element is None:
            return Inertial()
        weight = element.first("mass")
        mass = self.number(weight, "value", f"{path}/mass", 0.0)
        if mass < 0.0:
            self.fault(weight or element, f"{path}/mass", f"is {mass:g} kg, must be at least 0")
        p, R = self.origin(element, path)
        about = element.first("inertia")
        xx, yy, zz, xy, xz, yz = (self.number(about, f"i{word}", f"{path}/inertia", 0.0) for word in ("xx", "yy", "zz", "xy", "xz", "yz"))
        inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        return Inertial(mass, p, inertia if R is NOWHERE[1] else R @ inertia @ R.T)

    def _joint(self, name: str, element: Element) -> Joint | None:
        kind = element.attributes.get("type", "")
        path = f"joints/{name}"
        if kind not in JOINTS:
            self.fault(element, f"{path}/type", f"is {g.short(kind)}", g.near(kind, JOINTS) or f"it is one of {', '.join(JOINTS)}")
            return None
        ends = []
        for word in ("parent", "child"):
            end = element.first(word)
            link = clean(end.attributes.get("link", "")) if end is not None else ""
            if link not in self.links:
                self.fault(end or element, f"{path}/{word}", f"names the link {g.short(link)}, which is not there" if link else "is missing", g.near(link, list(self.links)))
                return None
            ends.append(link)
        if ends[0] == ends[1]:
            self.fault(element, path, f"joins {ends[0]!r} to itself")
            return None
        axis = self.numbers(element.first("axis"), "xyz", f"{path}/axis", (1, 0, 0))
        length = float(np.linalg.norm(axis))
        if kind in ("revolute", "continuous", "prismatic", "planar") and not length > 0.0:
            self.fault(element.first("axis") or element, f"{path}/axis", "has length zero")
            axis, length = np.array([1.0, 0.0, 0.0]), 1.0
        moves = {"continuous": "revolute", "planar": "revolute"}.get(kind, kind)
        joint = Joint(name, moves, ends[0], ends[1], element, path, self.origin(element, path), axis=axis / (length or 1.0))
        self._resistance(joint, kind)
        return joint

    def _resistance(self, joint: Joint, kind: str) -> None:
        """Limits, damping, friction and the coupling of a joint."""
        element, path = joint.at, joint.path
        limit, dynamics, mimic = (element.first(word) for word in ("limit", "dynamics", "mimic"))
        for part in (limit, dynamics, mimic):
            if part is not None and (kind == "floating" or kind == "planar" and part is limit and {"lower", "upper"} & part.attributes.keys()):
                self.note(part, f"{path}/{part.tag}", f"is not taken: the joint is {kind}")
        if kind in ("floating", "fixed"):
            return
        if kind in ("revolute", "prismatic"):
            joint.limits_at = (limit or element, f"{path}/limit")
            joint.limits = self._limits(joint, limit)
            joint.unlimited = "is missing, and the joint has no stops" if limit is None else "leaves no range, and the joint has no stops"
        joint.damping, joint.friction = (self.number(dynamics, word, f"{path}/dynamics", 0.0) for word in ("damping", "friction"))
        for word, value in (("damping", joint.damping), ("friction", joint.friction)):
            if value < 0.0:
                self.fault(dynamics or element, f"{path}/dynamics/{word}", f"is {value:g}, must be at least 0")
        if mimic is not None:
            ratio, offset = self.number(mimic, "multiplier", f"{path}/mimic", 1.0), self.number(mimic, "offset", f"{path}/mimic", 0.0)
            joint.mimic = Mimic(mimic, clean(mimic.attributes.get("joint", "")), ratio, offset)

    def _limits(self, joint: Joint, limit: Element | None) -> tuple[float, float] | None:
        path = f"{joint.path}/limit"
        if limit is None:
            return None
        low, high = (self.number(limit, word, path, 0.0) for word in ("lower", "upper"))
        if low > high:
            self.fault(limit, path, f"is {low:g} to {high:g}: the lower one must be below the upper one")
        elif joint.kind == "revolute" and any(15.0 <= abs(x) <= 360.0 and x % 5.0 == 0.0 for x in (low, high)):
            self.note(limit, path, f"is {low:g} to {high:g} rad, {(high - low) / (2.0 * math.pi):.1f} turns", f'if degrees are meant, write lower="{math.radians(low):.6g}" upper="{math.radians(high):.6g}"', kind="degrees")
        return (low, high) if low < high else None

    def _base(self, name: str) -> Joint:
        return Joint("", "floating" if self.free else "fixed", WORLD, name, self.elements[name], f"links/{name}")

    def _left_out(self) -> None:
        """A note for each kind of element that nothing reads."""
        for parent in (self.robot, *self.elements.values(), *(joint.at for joint in self.joints)):
            for child in parent.children:
                if child.tag not in READ[parent.tag]:
                    self.note(child, f"<{child.tag}>", "is not taken", kind=f"{parent.tag}/{child.tag}")

    def _planar(self) -> tuple[dict[str, Link], list[Joint]]:
        """Links and joints, with two slides below the hinge of a planar joint."""
        links, joints = dict(self.links), []
        for joint in self.carried:
            if joint.at.attributes.get("type") == "planar" and joint.name:
                axes, parent, place = g.basis_with_z(joint.axis), joint.parent, joint.place
                for word, along in (("x", axes[:, 0]), ("y", axes[:, 1])):
                    between = f"{joint.name}_{word}"
                    while between in links:
                        between += "_link"
                    links[between] = Link(between, joint.at, joint.path)
                    joints.append(Joint(f"{joint.name}_{word}_coordinate", "prismatic", parent, between, joint.at, joint.path, place, axis=along))
                    parent, place = between, NOWHERE
                joint.parent, joint.place = parent, place
            joints.append(joint)
        return links, joints

    # What the model gets.

    def engine(self) -> _core.Model:
        """The model; ModelError with all mistakes of the file."""
        self.check()
        tree = Tree(self, *self._planar(), f"{self.first}_tree")
        for name, element in self.elements.items():
            for collision in element.all("collision"):
                self._collision(tree, name, collision)
        self.check()
        return _core.Model.parse(json.dumps({"saltus": 1, "title": self.robot.attributes.get("name", ""), **tree.records()}), "")

    def _collision(self, tree: Tree, name: str, element: Element) -> None:
        path = f"links/{name}/collision"
        shape = self._geometry(element, path)
        if shape is None:
            return self.fault(element, path, "has no <geometry>")
        if shape.tag not in SIZES and shape.tag != "mesh":
            return self.note(shape, path, f"is a {shape.tag}, and not taken")
        if shape.tag == "mesh":
            mesh = self._mesh(path, shape)
            corners = None if mesh is None else hull_of(self, path, shape, shape.attributes.get("filename", ""), np.array(mesh["points"]))
            kind, sizes = "hull", None if corners is None else {"points": corners.tolist()}
        else:
            kind, sizes = shape.tag, self._sizes(f"{path}/{shape.tag}", shape)
        if sizes is not None:
            tree.shape(f"{name}_collision", name, self.origin(element, path), kind, sizes)

    def _geometry(self, element: Element, path: str) -> Element | None:
        geometry = element.first("geometry")
        return geometry.children[0] if geometry is not None and geometry.children else None

    def _mesh(self, path: str, shape: Element) -> dict[str, Any] | None:
        return self.meshes.mesh(self, path, shape, shape.attributes.get("filename", ""), self.numbers(shape, "scale", f"{path}/mesh", (1.0, 1.0, 1.0)))

    def _sizes(self, path: str, shape: Element) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for word in SIZES[shape.tag]:
            values = self.numbers(shape, word, path, (0.0, 0.0, 0.0) if word == "size" else (0.0,))
            if not np.all(values > 0.0):
                self.fault(shape, f"{path}/{word}", f"is {shape.attributes.get(word, 'missing')}, must be above 0 m")
            out[word] = values.tolist() if word == "size" else float(values[0])
        return out

    def looks(self) -> dict[str, dict[str, Any]]:
        """What links with visuals look like, in their axes."""
        found = {name: look for name, element in self.elements.items() if (look := self._look(name, element))}
        self.check()
        return found

    def _look(self, name: str, link: Element) -> dict[str, Any] | None:
        path, parts = f"links/{name}/visual", []
        for element in link.all("visual"):
            shape = self._geometry(element, path)
            if shape is not None and shape.tag not in SIZES and shape.tag != "mesh":
                self.note(shape, path, f"is a {shape.tag}, and not drawn")
            elif shape is not None:
                made = self._mesh(path, shape) if shape.tag == "mesh" else surface(shape.tag, self._sizes(f"{path}/{shape.tag}", shape))
                parts.append((made, self.origin(element, path)))
        return look_of(parts)

    def unseen(self) -> None:
        """Notes what only sl.read_urdf draws."""
        for name, element in self.elements.items():
            if (visual := element.first("visual")) is not None:
                self.note(visual, f"links/{name}/visual", "is not drawn here: shapes for contact are", "sl.read_urdf takes what links look like", kind="visual")


def folders(packages: Mapping[str, str | os.PathLike[str]] | None, verb: str) -> dict[str, Path]:
    """Folders by the names of packages."""
    if packages is not None and not isinstance(packages, Mapping):
        g.refuse(f"{verb}/packages", f"is {g.short(packages)}, expected folders by names", 'write packages={"my_robot": "folder"}')
    return {name: Path(folder) for name, folder in (packages or {}).items()}
