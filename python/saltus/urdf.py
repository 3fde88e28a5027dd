"""Robots in URDF, the Unified Robot Description Format of ROS: links stand on the joints of a kinematic tree, joints are the nodes with its coordinates."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from saltus import _core
from saltus import geometry as g
from saltus.errors import Fault, ModelError
from saltus.urdf_shapes import Meshes
from saltus.xml_places import Element, read_xml

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
ROUNDED, ROUNDED_LENGTH = 1e-2, 3e-3  # negative moments that are mistakes of rounding: share of the largest, or mass times a length [m] squared
JOINTS = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")
READ = {"robot": ("link", "joint", "material"), "link": ("inertial", "visual", "collision"), "joint": ("origin", "parent", "child", "axis", "limit", "dynamics", "mimic")}
Pose = tuple[np.ndarray, np.ndarray]
NOWHERE: Pose = (np.zeros(3), np.eye(3))


@dataclass
class Inertial:
    """Mass [kg], centre of mass (3) [m] and inertia (3, 3) [kg m^2] about it, in the axes of the link."""

    mass: float = 0.0
    center: np.ndarray = field(default_factory=lambda: np.zeros(3))
    inertia: np.ndarray = field(default_factory=lambda: np.zeros((3, 3)))


@dataclass
class Joint:
    """A joint as the file has it; `place` is that of the child in the parent."""

    name: str
    kind: str
    parent: str
    child: str
    place: Pose
    axis: np.ndarray
    element: Element
    coordinate: str = ""  # name of its node


def load_urdf(file: Path) -> _core.Model:
    """The model of a file with its base fixed, for the commands."""
    reader = Reader(file, "fixed", None)
    engine = reader.engine()
    for name, link in reader.links.items():
        if (visual := link.first("visual")) is not None:
            reader.note(visual, f"links/{name}/visual", "is not drawn here: shapes for contact are", "sl.read_urdf takes what links look like", kind="visual")
    reader.tell()
    return engine


class Reader:
    """One file. Mistakes and what is left out are collected with their lines."""

    def __init__(self, file: Path, base: str, packages: Mapping[str, str | os.PathLike[str]] | None):
        if base not in ("fixed", "free"):
            g.refuse("read_urdf/base", f"is {base!r}", 'write base="fixed" or base="free"')
        if packages is not None and not isinstance(packages, Mapping):
            g.refuse("read_urdf/packages", f"is {g.short(packages)}, expected folders by names", 'write packages={"my_robot": "folder"}')
        self.file, self.free = file, base == "free"
        self.faults: list[Fault] = []
        self.notes: list[Fault] = []
        self.kinds: dict[str, list[int]] = {}  # kind -> number of its first note, once for each
        self.meshes = Meshes(file, {name: Path(folder) for name, folder in (packages or {}).items()})
        self.robot = self._root()
        self.links = self._named("link")
        self.joints = [joint for name, element in self._named("joint").items() if (joint := self._joint(name, element)) is not None]
        self.inertials = {name: self._inertial(name, element) for name, element in self.links.items()}
        self._check_inertias()
        self.by_parent: dict[str, list[Joint]] = {}
        for joint in self.joints:
            self.by_parent.setdefault(joint.parent, []).append(joint)
        self.order = self._order()
        self._left_out()

    # What the file says.

    def fault(self, at: Element, path: str, message: str, remedy: str = "") -> None:
        """A mistake at the line of an element."""
        self.faults.append(Fault(path, message, remedy, str(self.file), at.line))

    def note(self, at: Element, path: str, message: str, remedy: str = "", kind: str = "") -> None:
        """What is left out or changed, at the line of an element; of notes of one kind the first is told, with the number of the others."""
        same = self.kinds.setdefault(kind, []) if kind else []
        if not same:
            self.notes.append(Fault(path, message, remedy, str(self.file), at.line, severity="warning"))
        same.append(len(self.notes) - 1)

    def tell(self) -> None:
        """Tells what was left out."""
        more = {places[0]: len(places) - 1 for places in self.kinds.values()}
        for k, note in enumerate(self.notes):
            count = more.get(k, 0)
            told = f"{note.message}, and so {count} more" if count else note.message
            g.warn_at_caller(replace(note, message=told).text)

    def _root(self) -> Element:
        root = read_xml(self.file)
        if root.tag != "robot":
            other = {"mujoco": "is a model in MJCF", "sdf": "is a model in SDF"}.get(root.tag, f"begins with <{root.tag}>")
            raise ModelError(Fault("", f"{other}, not a robot in URDF", "URDF begins with <robot>", str(self.file), root.line))
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
        return _clean(name)

    def numbers(self, element: Element | None, word: str, path: str, default: Sequence[float]) -> np.ndarray:
        """Numbers of an attribute, as many as the default has."""
        text = None if element is None else element.attributes.get(word)
        if element is None or text is None:
            return np.array(default, dtype=float)
        words = text.split()
        wrong = next((x for x in words if not NUMBER.fullmatch(x) or not math.isfinite(float(x))), None)
        if wrong is not None:
            self.fault(element, f"{path}/{word}", f"has {g.short(wrong)}, which is no finite number")
        elif len(words) != len(default):
            self.fault(element, f"{path}/{word}", f"has {len(words)} numbers, expected {len(default)}")
        else:
            return np.array([float(x) for x in words])
        return np.array(default, dtype=float)

    def number(self, element: Element | None, word: str, path: str, default: float) -> float:
        """The number of an attribute."""
        return float(self.numbers(element, word, path, (default,))[0])

    def origin(self, element: Element, path: str) -> Pose:
        """Place by <origin xyz rpy>: roll, pitch, yaw about the axes of the parent."""
        at = element.first("origin")
        if at is None:
            return NOWHERE
        p, (roll, pitch, yaw) = self.numbers(at, "xyz", f"{path}/origin", (0, 0, 0)), self.numbers(at, "rpy", f"{path}/origin", (0, 0, 0))
        (ca, sa), (cb, sb), (cc, sc) = ((math.cos(x), math.sin(x)) for x in (roll, pitch, yaw))
        R = np.array([[cc * cb, cc * sb * sa - sc * ca, cc * sb * ca + sc * sa], [sc * cb, sc * sb * sa + cc * ca, sc * sb * ca - cc * sa], [-sb, cb * sa, cb * ca]])
        return p, R

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

    def _check_inertias(self) -> None:
        if not self.inertials:
            return
        moments, axes = np.linalg.eigh([inertial.inertia for inertial in self.inertials.values()])
        for (name, inertial), I, R in zip(self.inertials.items(), moments, axes, strict=True):
            lacking = I[2] - np.maximum(I[0], 0.0) - np.maximum(I[1], 0.0)  # no body has a moment above the sum of the others
            if I[0] >= 0.0 and lacking <= 1e-12 * I[2]:
                continue
            at, path = self.links[name].first("inertial") or self.links[name], f"links/{name}/inertial/inertia"
            told = f"has the principal moments {I[0]:.3g}, {I[1]:.3g}, {I[2]:.3g} kg m^2, which no body has"
            if -I[0] > max(ROUNDED * I[2], ROUNDED_LENGTH**2 * inertial.mass):
                self.fault(at, path, f"{told}: none may be negative")
                continue
            raised = np.maximum(I, 0.0) + 0.5 * max(lacking, 0.0) * np.array([1.0, 1.0, 0.0])
            inertial.inertia = (R * raised) @ R.T
            if np.max(np.abs(raised - I)) > 1e-9 * max(I[2], ROUNDED_LENGTH**2 * inertial.mass):
                self.note(at, path, f"{told}, and is taken with {raised[0]:.3g}, {raised[1]:.3g}, {raised[2]:.3g}")

    def _joint(self, name: str, element: Element) -> Joint | None:
        kind = element.attributes.get("type", "")
        path = f"joints/{name}"
        if kind not in JOINTS:
            self.fault(element, f"{path}/type", f"is {g.short(kind)}", g.near(kind, JOINTS) or f"it is one of {', '.join(JOINTS)}")
            return None
        ends = []
        for word in ("parent", "child"):
            end = element.first(word)
            link = _clean(end.attributes.get("link", "")) if end is not None else ""
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
        return Joint(name, kind, ends[0], ends[1], self.origin(element, path), axis / (length or 1.0), element)

    def _order(self) -> list[tuple[str, Joint | None]]:
        """Links with the joints that carry them, each after its parent; the mistakes where they are no tree."""
        above: dict[str, Joint] = {}
        for joint in self.joints:
            if joint.child in above:
                self.fault(joint.element, f"joints/{joint.name}/child", f"is {joint.child!r}, which {above[joint.child].name!r} carries already", "a link stands on one joint; close loops by joints of Saltus")
            above.setdefault(joint.child, joint)
        roots = [name for name in self.links if name not in above]
        if len(roots) > 1 and not self.faults:  # a joint with a mistake carries nothing
            self.fault(self.links[roots[1]], "links", f"has {len(roots)} first links, {', '.join(roots[:4])}: no joint carries them", "join them; a robot has one")
        out: list[tuple[str, Joint | None]] = [(root, None) for root in roots[:1]]
        for name, _ in out:  # grows while it is walked
            out += [(joint.child, joint) for joint in self.by_parent.get(name, ()) if above[joint.child] is joint]
        if not self.faults and len(out) < len(self.links):
            first = next(name for name in self.links if name not in {link for link, _ in out})
            self.fault(self.links[first], f"links/{first}", "stands on itself: its joints lead round in a circle")
        return out

    def _left_out(self) -> None:
        """A note for each kind of element that nothing reads."""
        for parent in (self.robot, *self.links.values(), *(joint.element for joint in self.joints)):
            for child in parent.children:
                if child.tag not in READ[parent.tag]:
                    self.note(child, f"<{child.tag}>", "is not taken", kind=f"{parent.tag}/{child.tag}")

    # What the model gets.

    def engine(self) -> _core.Model:
        """The model; ModelError with all mistakes of the file."""
        tree = {} if self.faults else Tree(self).model()
        if self.faults:
            raise ModelError(self.faults)
        return _core.Model.parse(json.dumps(tree), "")

    def looks(self) -> dict[str, dict[str, Any]]:
        """What the links that have meshes among their visuals look like."""
        found = {name: look for name, element in self.links.items() if (look := self.meshes.look(self, name, element))}
        if self.faults:
            raise ModelError(self.faults)
        return found


class Tree:
    """The sections of a model file that a robot becomes."""

    def __init__(self, reader: Reader):
        self.reader = reader
        self.taken: set[str] = set(reader.links)
        self.sections: dict[str, dict[str, Any]] = {word: {} for word in ("nodes", "bodies", "markers", "connectors", "relations")}
        self.carrier: dict[str, str] = {}  # of what stands on a link: the link, or the tree on a body
        self.places: dict[str, Pose] = {}  # in the world, all coordinates 0
        self.limited: dict[str, tuple[float, float] | None] = {}  # by the names of joints
        self.ranges: dict[str, tuple[float, float]] = {}  # what stops and couplings leave, by the names of joints
        for joint in reader.joints:
            joint.coordinate = self.free_name(joint.name, "joint")
        self.moved = self._sums({name: inertial.mass for name, inertial in reader.inertials.items()})
        self.turned = self._sums({name: float(np.trace(inertial.inertia)) for name, inertial in reader.inertials.items()})

    def free_name(self, name: str, word: str) -> str:
        """The name, with the word behind it where another item has it."""
        while name in self.taken:
            name = f"{name}_{word}"
        self.taken.add(name)
        return name

    def _sums(self, total: dict[str, float]) -> dict[str, float]:
        """Mass, or moments of inertia, that the joint of a link moves."""
        for name, joint in reversed(self.reader.order):
            if joint is not None and joint.kind != "floating":
                total[joint.parent] += total[name]
        return total

    def model(self) -> dict[str, Any]:
        """The tree of the model file."""
        for name, joint in self.reader.order:
            self.root(name) if joint is None else self.link(name, joint)
            for element in self.reader.links[name].all("collision"):
                self.collision(name, element)
        moving = {joint.name: joint for _, joint in self.reader.order if joint is not None and joint.coordinate in self.sections["nodes"]}
        for joint in self._leaders_first(moving):
            self.resist(joint)
        return {"saltus": 1, "title": self.reader.robot.attributes.get("name", ""), **{word: records for word, records in self.sections.items() if records}}

    def _leaders_first(self, moving: dict[str, Joint]) -> list[Joint]:
        """Joints that move, each after the one that it mimics: its start follows from that one's."""
        out: dict[str, Joint] = {}
        for first in moving.values():
            chain: dict[str, Joint] = {}
            joint: Joint | None = first
            while joint is not None and joint.name not in out and joint.name not in chain:
                chain[joint.name] = joint
                mimic = joint.element.first("mimic")
                joint = None if mimic is None else moving.get(_clean(mimic.attributes.get("joint", "")))
            if joint is not None and joint.name in chain and len(chain) > 1:
                self.reader.fault(joint.element, f"joints/{joint.name}/mimic", f"leads round in a circle of {', '.join(list(chain)[list(chain).index(joint.name):][:4])}", "one of them has to move freely")
            out.update((each.name, each) for each in reversed(chain.values()))
        return list(out.values())

    def root(self, name: str) -> None:
        self.places[name] = NOWHERE
        if self.reader.free:
            return self.body(name, self.reader.links[name])
        self.carrier[name] = name
        tree = self.free_name(f"{name}_tree", "base")
        self.sections["bodies"][tree] = {"type": "kinematic_tree"}
        self.record(name, tree, NOWHERE, None, "")

    def link(self, name: str, joint: Joint) -> None:
        p, R = self.places[joint.parent]
        self.places[name] = (p, R) if joint.place is NOWHERE else (p + R @ joint.place[0], R @ joint.place[1])
        for element in joint.element.children:
            if joint.kind == "floating" and element.tag in ("limit", "dynamics", "mimic") or joint.kind == "planar" and element.tag == "limit" and {"lower", "upper"} & element.attributes.keys():
                self.reader.note(element, f"joints/{joint.name}/{element.tag}", f"is not taken: the joint is {joint.kind}")
        if joint.kind == "floating":
            return self.body(name, joint.element)
        self.carrier[name] = name
        moves, path = joint.kind != "fixed", f"joints/{joint.name}"
        turns = joint.kind in ("revolute", "continuous")
        if moves and not (self.moved[name] > 0.0 or turns and self.turned[name] > 0.0):
            self.reader.note(joint.element, path, f"moves nothing that has mass{' or inertia' if turns else ''}, and is fixed", "give its links an <inertial>")
            moves = False
        if joint.kind == "planar" and moves:
            axes = g.basis_with_z(joint.axis)
            carrier = self.carrier[joint.parent]
            for word, along in (("x", axes[:, 0]), ("y", axes[:, 1])):
                between = self.free_name(f"{joint.name}_{word}", "link")
                self.record(between, carrier, joint.place if word == "x" else NOWHERE, along, self.node(self.free_name(f"{joint.coordinate}_{word}_coordinate", "joint"), None), "prismatic")
                carrier = between
            return self.record(name, carrier, NOWHERE, joint.axis, self.node(joint.coordinate, None), "revolute", self.reader.inertials[name])
        kind = "fixed" if not moves else "prismatic" if joint.kind == "prismatic" else "revolute"
        node = self.node(joint.coordinate, joint) if moves else ""
        self.record(name, self.carrier[joint.parent], joint.place, joint.axis if moves else None, node, kind, self.reader.inertials[name])

    def node(self, name: str, joint: Joint | None) -> str:
        """A node for a coordinate that is 0 in the reference position; the initial value lies within the limits."""
        start = 0.0
        if joint is not None and (limits := self.limits(joint)) is not None:
            start = min(max(0.0, limits[0]), limits[1])
            if start != 0.0 and joint.element.first("mimic") is None:
                self.reader.note(joint.element, f"joints/{joint.name}", f"has limits that leave out 0, and begins at {start:g}")
        self.sections["nodes"][name] = {"type": "node_1d", **({"displacement": start} if start else {})}
        return name

    def record(self, name: str, parent: str, place: Pose, axis: np.ndarray | None, node: str, kind: str = "fixed", inertial: Inertial | None = None) -> None:
        """A link of the tree."""
        inertial = inertial or self.reader.inertials.get(name, Inertial())
        fields: dict[str, Any] = {"type": "tree_link", "joint": kind, "parent": parent, **({"node": node} if node else {})}
        turn = None if place is NOWHERE else g.rotation_vector(place[1])
        vectors = {"axis": axis, "position": place[0], "rotation": turn, "center_of_mass": inertial.center}
        fields |= {word: value.tolist() for word, value in vectors.items() if value is not None and np.any(value)}
        self.sections["bodies"][name] = {**fields, "mass": inertial.mass, "inertia": inertial.inertia.tolist()}

    def body(self, name: str, at: Element) -> None:
        """A link that nothing holds: a body, and a tree for what stands on it."""
        if not self.reader.inertials[name].mass > 0.0:
            self.gather(name)
        inertial, (p, R) = self.reader.inertials[name], self.places[name]
        if not inertial.mass > 0.0:
            self.reader.fault(at, f"links/{name}", "is free, and neither it nor what is fixed to it has mass", "give it an <inertial>")
        node = {"type": "node_rigid", "position": p.tolist(), "rotation": g.rotation_vector(R).tolist()}
        self.sections["bodies"][name] = {"type": "rigid_body", "node": node, "mass": inertial.mass, "inertia": inertial.inertia.tolist(), "center_of_mass": inertial.center.tolist()}
        if self.reader.by_parent.get(name) and any(joint.kind != "floating" for joint in self.reader.by_parent[name]):
            tree = self.free_name(f"{name}_tree", "base")
            self.sections["bodies"][tree] = {"type": "kinematic_tree", "base": name}
            self.carrier[name] = tree

    def gather(self, name: str) -> None:
        """Gives a link without mass the masses of what is fixed to it."""
        fixed = [(name, NOWHERE)]
        for carrier, (p, R) in fixed:  # grows while it is walked
            fixed += [(joint.child, (p + R @ joint.place[0], R @ joint.place[1])) for joint in self.reader.by_parent.get(carrier, ()) if joint.kind == "fixed"]
        parts = [(self.reader.inertials[link], p, R) for link, (p, R) in fixed]
        mass = sum(part.mass for part, _, _ in parts)
        if not mass > 0.0:
            return
        centers = [p + R @ part.center for part, p, R in parts]
        center = sum((part.mass * c for (part, _, _), c in zip(parts, centers, strict=True)), np.zeros(3)) / mass
        inertia = np.zeros((3, 3))
        for (part, _, R), c in zip(parts, centers, strict=True):
            d = c - center
            inertia += R @ part.inertia @ R.T + part.mass * (d @ d * np.eye(3) - np.outer(d, d))
        self.reader.inertials.update({link: Inertial() for link, _ in fixed})
        self.reader.inertials[name] = Inertial(mass, center, inertia)

    def limits(self, joint: Joint) -> tuple[float, float] | None:
        """Lowest and highest coordinate of a joint; None: it has none."""
        if joint.name not in self.limited:
            self.limited[joint.name] = self._limits(joint)
        return self.limited[joint.name]

    def _limits(self, joint: Joint) -> tuple[float, float] | None:
        limit, path = joint.element.first("limit"), f"joints/{joint.name}/limit"
        if joint.kind not in ("revolute", "prismatic") or limit is None:
            return None
        low, high = (self.reader.number(limit, word, path, 0.0) for word in ("lower", "upper"))
        if low > high:
            self.reader.fault(limit, path, f"is {low:g} to {high:g}: the lower one must be below the upper one")
        elif joint.kind == "revolute" and any(15.0 <= abs(x) <= 360.0 and x % 5.0 == 0.0 for x in (low, high)):
            self.reader.note(limit, path, f"is {low:g} to {high:g} rad, {(high - low) / (2.0 * math.pi):.1f} turns", f'if degrees are meant, write lower="{math.radians(low):.6g}" upper="{math.radians(high):.6g}"', kind="degrees")
        return (low, high) if low < high else None

    def resist(self, joint: Joint) -> None:
        """Stops, damping, dry friction and the coupling of a joint that mimics another."""
        name, element, path = joint.coordinate, joint.element, f"joints/{joint.name}"
        mimic = element.first("mimic")
        if mimic is not None:
            self.mimic(joint, mimic)
        if (limits := self.limits(joint)) is not None:
            self.stops(joint, limits)
        elif mimic is None and joint.kind in ("revolute", "prismatic"):
            self.reader.note(element.first("limit") or element, f"{path}/limit", "leaves no range, and the joint has no stops" if element.first("limit") else "is missing, and the joint has no stops")
        dynamics = element.first("dynamics")
        damping, friction = (self.reader.number(dynamics, word, f"{path}/dynamics", 0.0) for word in ("damping", "friction"))
        for word, value in (("damping", damping), ("friction", friction)):
            if value < 0.0:
                self.reader.fault(dynamics or element, f"{path}/dynamics/{word}", f"is {value:g}, must be at least 0")
        if damping > 0.0:
            self.sections["connectors"][self.free_name(f"{name}_damping", "joint")] = {"type": "coordinate_spring_damper", "A": "ground", "B": name, "damping": damping}
        if friction > 0.0:
            law = {"type": "relay", "low": -friction, "high": friction, "on": "rate"}
            self.sections["relations"][self.free_name(f"{name}_friction", "joint")] = {"type": "coordinate_gap", "on": name, "law": law}

    def stops(self, joint: Joint, limits: tuple[float, float]) -> None:
        """Stops without rebound; not where the joint that it mimics stops it before."""
        name, (low, high) = joint.coordinate, self.ranges.get(joint.name, (-math.inf, math.inf))
        start = self.sections["nodes"][name].get("displacement", 0.0)
        small = 1e-9 * (1.0 + max(map(abs, limits)))
        if not limits[0] - small <= start <= limits[1] + small:
            return self.reader.note(joint.element, f"joints/{joint.name}/limit", f"is {limits[0]:g} to {limits[1]:g}, and the joint that it mimics puts it at {start:g}: it has no stops")
        for word, at, sign, needed in (("lower_stop", limits[0], 1.0, low < limits[0] - small), ("upper_stop", limits[1], -1.0, high > limits[1] + small)):
            if needed:
                law = {"type": "newton_impact", "restitution": 0.0}
                self.sections["relations"][self.free_name(f"{name}_{word}", "joint")] = {"type": "coordinate_gap", "on": name, "at": at, "sign": sign, "law": law}
        self.ranges[joint.name] = max(low, limits[0]), min(high, limits[1])

    def mimic(self, joint: Joint, mimic: Element) -> None:
        """q = multiplier q_other + offset."""
        path = f"joints/{joint.name}/mimic"
        known = {other.name: other.coordinate for other in self.reader.joints if other.coordinate in self.sections["nodes"]}
        other = _clean(mimic.attributes.get("joint", ""))
        if other not in known:
            return self.reader.fault(mimic, path, f"names the joint {g.short(other)}, which is none that moves", g.near(other, list(known)))
        if other == joint.name:
            return self.reader.fault(mimic, path, "names its own joint")
        ratio, offset = self.reader.number(mimic, "multiplier", path, 1.0), self.reader.number(mimic, "offset", path, 0.0)
        start = ratio * self.sections["nodes"][known[other]].get("displacement", 0.0) + offset
        ends = [ratio * x + offset if ratio else offset for x in self.ranges.get(other, (-math.inf, math.inf))]
        self.ranges[joint.name] = min(ends), max(ends)
        self.sections["nodes"][joint.coordinate] = {"type": "node_1d", **({"displacement": start} if start else {})}
        fields = {"type": "linear_relation", "on": [joint.coordinate, known[other]], "matrix": [[1.0, -ratio]], **({"offset": -offset} if offset else {})}
        self.sections["relations"][self.free_name(f"{joint.coordinate}_mimic", "joint")] = fields

    def collision(self, name: str, element: Element) -> None:
        """A shape for contact, on a frame of the link."""
        path = f"links/{name}/collision"
        shape = self.reader.meshes.shape(self.reader, path, element)
        if shape is None:
            return
        kind, sizes = shape
        marker = self.free_name(f"{name}_collision", "more")
        p, R = self.reader.origin(element, path)
        self.sections["markers"][marker] = {"type": "frame", "body": {"body": name, "local": p.tolist(), "rotation": g.rotation_vector(R).tolist()}}
        self.sections["markers"][self.free_name(f"{marker}_shape", "more")] = {"type": kind, "body": marker, **sizes}


def _clean(name: str) -> str:
    """A name as items have it: `.` and `/` part the words of a path, and `ground` is the fixed frame."""
    name = name.strip().replace("/", "_").replace(".", "_")
    return "ground_link" if name == "ground" else name
