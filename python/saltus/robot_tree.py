"""Robots of any format as model files: links on the joints of kinematic trees, bodies where nothing or a ball joint holds them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from saltus import geometry as g
from saltus.xml_places import Element, Reading

ROUNDED, ROUNDED_LENGTH = 1e-2, 3e-3  # negative moments that are mistakes of rounding: share of the largest, or mass times a length [m] squared
WORLD = "ground"
Pose = tuple[np.ndarray, np.ndarray]
NOWHERE: Pose = (np.zeros(3), np.eye(3))


def moved(a: Pose, b: Pose) -> Pose:
    """The place b in a."""
    return (a[0] + a[1] @ b[0], a[1] @ b[1]) if a is not NOWHERE else b


@dataclass
class Inertial:
    """Mass [kg], centre of mass (3) [m] and inertia (3, 3) [kg m^2] about it, in the axes of the link."""

    mass: float = 0.0
    center: np.ndarray = field(default_factory=lambda: np.zeros(3))
    inertia: np.ndarray = field(default_factory=lambda: np.zeros((3, 3)))


def together(parts: Iterable[tuple[Inertial, Pose]]) -> Inertial:
    """Bodies held together at their places."""
    placed = [(part, p + R @ part.center, R) for part, (p, R) in parts]
    mass = sum(part.mass for part, _, _ in placed)
    if not mass > 0.0:
        return Inertial()
    center = sum((part.mass * c for part, c, _ in placed), np.zeros(3)) / mass
    inertia = np.zeros((3, 3))
    for part, c, R in placed:
        d = c - center
        inertia += R @ part.inertia @ R.T + part.mass * (d @ d * np.eye(3) - np.outer(d, d))
    return Inertial(mass, center, inertia)


@dataclass
class Link:
    """A link as the file has it."""

    name: str
    at: Element
    path: str
    inertial: Inertial = field(default_factory=Inertial)


@dataclass
class Mimic:
    """q = ratio q_other + offset, by the name of the other joint."""

    at: Element
    other: str
    ratio: float
    offset: float


@dataclass
class Joint:
    """What carries a link. `place`: in the parent, with the axes of the child; `anchor`: the joint in the child's frame [m]."""

    name: str  # "": it moves nothing
    kind: str  # revolute, prismatic, fixed, ball, floating
    parent: str
    child: str
    at: Element
    path: str
    place: Pose = NOWHERE
    anchor: np.ndarray = field(default_factory=lambda: np.zeros(3))
    axis: np.ndarray = field(default_factory=lambda: np.array([0.0, 0.0, 1.0]))
    limits: tuple[float, float] | None = None
    limits_at: tuple[Element, str] | None = None
    unlimited: str = ""  # why a joint that may have stops has none
    damping: float = 0.0
    friction: float = 0.0
    stiffness: float = 0.0
    rest: float = 0.0  # coordinate without force of the stiffness
    armature: float = 0.0
    mimic: Mimic | None = None
    origin: float = 0.0  # coordinate at which the child stands at `place`
    stands: float = 0.0  # in the reference position
    rate: float = 0.0
    turn: Pose = NOWHERE  # of a ball or floating joint in the reference position: by it the child stands away from `place`
    spin: tuple[np.ndarray, np.ndarray] | None = None  # its velocity and angular velocity, axes of `place` and of the child
    coordinate: str = ""  # name of its node


def ordered(reading: Reading, links: dict[str, Link], joints: list[Joint]) -> list[str]:
    """Links that joints carry, each after its parent; mistakes where they are no tree. The first is carried by none."""
    above: dict[str, Joint] = {}
    by_parent: dict[str, list[Joint]] = {}
    for joint in joints:
        by_parent.setdefault(joint.parent, []).append(joint)
        if joint.child in above:
            reading.fault(joint.at, f"{joint.path}/child", f"is {joint.child!r}, which {above[joint.child].name!r} carries already", "a link stands on one joint; close loops by joints of Saltus")
        above.setdefault(joint.child, joint)
    roots = [name for name in links if name not in above]
    out = list(roots) if WORLD in by_parent else roots[:1]
    if len(roots) > len(out) and not reading.faults:  # a joint with a mistake carries nothing
        reading.fault(links[roots[1]].at, "links", f"has {len(roots)} first links, {', '.join(roots[:4])}: no joint carries them", "join them; a robot has one")
    out += [joint.child for joint in by_parent.get(WORLD, ()) if above[joint.child] is joint]
    for name in out:  # grows while it is walked
        out += [joint.child for joint in by_parent.get(name, ()) if above[joint.child] is joint]
    if not reading.faults and len(out) < len(links):
        first = next(name for name in links if name not in set(out))
        reading.fault(links[first].at, links[first].path, "stands on itself: its joints lead round in a circle")
    return out


def check_inertias(reading: Reading, links: Iterable[Link]) -> None:
    """Raises moments that no body has to those next to them, and refuses those that are clearly negative."""
    known = list(links)
    if not known:
        return
    moments, axes = np.linalg.eigh([link.inertial.inertia for link in known])
    for link, I, R in zip(known, moments, axes, strict=True):
        inertial, lacking = link.inertial, I[2] - np.maximum(I[0], 0.0) - np.maximum(I[1], 0.0)  # no body has a moment above the sum of the others
        if I[0] >= 0.0 and lacking <= 1e-12 * I[2]:
            continue
        at, path = link.at.first("inertial") or link.at, f"{link.path}/inertial/inertia"
        message = f"has the principal moments {I[0]:.3g}, {I[1]:.3g}, {I[2]:.3g} kg m^2, which no body has"
        if -I[0] > max(ROUNDED * I[2], ROUNDED_LENGTH**2 * inertial.mass):
            reading.fault(at, path, f"{message}: none may be negative")
            continue
        raised = np.maximum(I, 0.0) + 0.5 * max(lacking, 0.0) * np.array([1.0, 1.0, 0.0])
        inertial.inertia = (R * raised) @ R.T
        if np.max(np.abs(raised - I)) > 1e-9 * max(I[2], ROUNDED_LENGTH**2 * inertial.mass):
            reading.note(at, path, f"{message}, and is taken with {raised[0]:.3g}, {raised[1]:.3g}, {raised[2]:.3g}")


class Tree:
    """The sections of a model file that a robot becomes. `joints`: one for each link, each after that of its parent; the parent of the first ones is the ground."""

    def __init__(self, reading: Reading, links: dict[str, Link], joints: list[Joint], tree: str):
        self.reading, self.links, self.joints = reading, links, joints
        self.taken: set[str] = {WORLD, *links}
        self.sections: dict[str, dict[str, Any]] = {word: {} for word in ("nodes", "bodies", "markers", "connectors", "joints", "relations", "loads")}
        self.carrier: dict[str, str] = {}  # of what stands on a link: the link, or the tree on a body
        self.places: dict[str, Pose] = {WORLD: NOWHERE}  # in the world, in the reference position
        self.speeds: dict[str, tuple[np.ndarray, np.ndarray]] = {}  # of those that do not stand still
        self.ranges: dict[str, tuple[float, float]] = {}  # what stops and couplings leave, by the names of joints
        self.by_parent: dict[str, list[Joint]] = {}
        for joint in joints:
            self.by_parent.setdefault(joint.parent, []).append(joint)
            if joint.name:
                joint.coordinate = self.free_name(joint.name, "joint")
        self.tree = tree
        self.moved = self._sums({name: link.inertial.mass for name, link in links.items()})
        self.turned = self._sums({name: float(np.trace(link.inertial.inertia)) for name, link in links.items()})
        for joint in joints:
            self.link(joint)
        moving = {joint.name: joint for joint in joints if joint.coordinate in self.sections["nodes"]}
        for joint in self._leaders_first(moving):
            self.resist(joint)

    def free_name(self, name: str, word: str) -> str:
        """The name, with the word behind it where another item has it."""
        while name in self.taken:
            name = f"{name}_{word}"
        self.taken.add(name)
        return name

    def add(self, section: str, name: str, word: str = "more", **fields: Any) -> str:
        """An item under a free name."""
        name = self.free_name(name, word)
        self.sections[section][name] = fields
        return name

    def records(self) -> dict[str, dict[str, Any]]:
        """The sections that have items."""
        return {word: records for word, records in self.sections.items() if records}

    def _sums(self, total: dict[str, float]) -> dict[str, float]:
        """Mass, or moments of inertia, that the joint of a link moves."""
        for joint in reversed(self.joints):
            if joint.kind not in ("floating", "ball") and joint.parent in total:
                total[joint.parent] += total[joint.child]
        return total

    def _leaders_first(self, moving: dict[str, Joint]) -> list[Joint]:
        """Joints that move, each after the one that it mimics: its start follows from that one's."""
        out: dict[str, Joint] = {}
        for first in moving.values():
            chain: dict[str, Joint] = {}
            joint: Joint | None = first
            while joint is not None and joint.name not in out and joint.name not in chain:
                chain[joint.name] = joint
                joint = None if joint.mimic is None else moving.get(joint.mimic.other)
            if joint is not None and joint.name in chain and len(chain) > 1:
                self.reading.fault(joint.at, f"{joint.path}/mimic", f"leads round in a circle of {', '.join(list(chain)[list(chain).index(joint.name):][:4])}", "one of them has to move freely")
            out.update((each.name, each) for each in reversed(chain.values()))
        return list(out.values())

    # Links.

    def on(self, name: str) -> str:
        """What a link of a tree on another stands on: that link, or a tree on the ground or on a body."""
        if name not in self.carrier:
            fields = {} if name == WORLD else {"base": name}
            tree = self.free_name(self.tree if name == WORLD else f"{name}_tree", "base")
            self.sections["bodies"][tree] = {"type": "kinematic_tree", **fields}
            self.carrier[name] = tree
        return self.carrier[name]

    def link(self, joint: Joint) -> None:
        """A link on its joint."""
        name = joint.child
        self._stand(joint)
        if joint.kind in ("floating", "ball"):
            return self.body(name, joint)
        turns, moves = joint.kind == "revolute", joint.kind != "fixed"
        if moves and not (self.moved[name] > 0.0 or joint.armature > 0.0 or turns and self.turned[name] > 0.0):
            self.reading.note(joint.at, joint.path, f"moves nothing that has mass{' or inertia' if turns else ''}, and is fixed", "give its links an <inertial>")
            moves = False
        p, R = joint.place
        if moves and joint.origin:
            p, R = (p, R @ g.rotation_matrix(-joint.origin * joint.axis)) if turns else (p - joint.origin * R @ joint.axis, R)
        carrier = self.on(joint.parent)
        if moves and turns and np.any(joint.anchor):
            between = self.free_name(f"{name}_{joint.name}", "link")
            self.record(between, carrier, (p + joint.place[1] @ joint.anchor, R), joint, Inertial())
            self.record(name, between, (-joint.anchor, np.eye(3)), None, self.links[name].inertial)
        else:
            self.record(name, carrier, (p, R), joint if moves else None, self.links[name].inertial)
        self.carrier[name] = name

    def _stand(self, joint: Joint) -> None:
        """Where the link stands in the reference position, and how fast."""
        p, R = place = moved(self.places[joint.parent], joint.place)
        along = joint.stands - joint.origin
        if joint.kind == "revolute" and along:
            turn = g.rotation_matrix(along * joint.axis)
            place = p + R @ (joint.anchor - turn @ joint.anchor), R @ turn
        elif joint.kind == "prismatic" and along:
            place = p + along * R @ joint.axis, R
        elif joint.kind in ("ball", "floating") and joint.turn is not NOWHERE:
            turn = joint.turn[1]
            place = p + R @ (joint.turn[0] + joint.anchor - turn @ joint.anchor), R @ turn
        self.places[joint.child] = place
        below = self.speeds.get(joint.parent)
        if below is None and not joint.rate and joint.spin is None:
            return
        v, w = below or (np.zeros(3), np.zeros(3))
        v = v + np.cross(w, place[0] - self.places[joint.parent][0])
        axis, own, arm = place[1] @ joint.axis, np.zeros(3), np.zeros(3)
        if joint.kind == "revolute":
            own = joint.rate * axis
        elif joint.kind == "prismatic":
            v = v + joint.rate * axis
        if joint.spin is not None:
            v, own = v + R @ joint.spin[0], place[1] @ joint.spin[1]
        arm = -place[1] @ joint.anchor
        self.speeds[joint.child] = v + np.cross(own, arm), w + own

    def node(self, joint: Joint) -> str:
        """A node for a coordinate; the initial value lies within the limits."""
        start = joint.stands
        if joint.limits is not None:
            start = min(max(start, joint.limits[0]), joint.limits[1])
            if start != joint.stands and joint.mimic is None:
                self.reading.note(joint.at, joint.path, f"has limits that leave out {joint.stands:g}, and begins at {start:g}")
        values = {"coordinate": joint.stands, "displacement": start - joint.stands, "velocity": joint.rate}
        self.sections["nodes"][joint.coordinate] = {"type": "node_1d", **{word: value for word, value in values.items() if value}}
        return joint.coordinate

    def start(self, joint: Joint) -> float:
        """Where a coordinate begins."""
        node = self.sections["nodes"][joint.coordinate]
        return node.get("coordinate", 0.0) + node.get("displacement", 0.0)

    def record(self, name: str, parent: str, place: Pose, joint: Joint | None, inertial: Inertial) -> None:
        """A link of a tree."""
        fields: dict[str, Any] = {"type": "tree_link", "joint": joint.kind if joint else "fixed", "parent": parent, **({"node": self.node(joint)} if joint else {})}
        turn = None if place[1] is NOWHERE[1] else g.rotation_vector(place[1])
        vectors = {"axis": joint.axis if joint else None, "position": place[0], "rotation": turn, "center_of_mass": inertial.center}
        fields |= {word: value.tolist() for word, value in vectors.items() if value is not None and np.any(value)}
        if joint and joint.armature:
            fields["armature"] = joint.armature
        self.sections["bodies"][name] = {**fields, "mass": inertial.mass, "inertia": inertial.inertia.tolist()}

    def body(self, name: str, joint: Joint) -> None:
        """A link that nothing, or only a ball joint, holds: a body, and a tree for what stands on it."""
        link = self.links[name]
        if not link.inertial.mass > 0.0:
            self.gather(name)
        inertial, (p, R) = link.inertial, self.places[name]
        if not inertial.mass > 0.0:
            self.reading.fault(joint.at, link.path, "is free, and neither it nor what is fixed to it has mass", "give it an <inertial>")
        node = {"type": "node_rigid", "position": p.tolist(), "rotation": g.rotation_vector(R).tolist()}
        node |= {word: value.tolist() for word, value in zip(("velocity", "angular_velocity"), self.speeds.get(name, ()), strict=False)}
        self.sections["bodies"][name] = {"type": "rigid_body", "node": node, "mass": inertial.mass, "inertia": inertial.inertia.tolist(), "center_of_mass": inertial.center.tolist()}
        if joint.kind == "ball":
            self.add("joints", joint.coordinate or f"{name}_ball", "joint", type="spherical", A=joint.parent, B=name, at=(p + R @ joint.anchor).tolist())

    def gather(self, name: str) -> None:
        """Gives a link without mass the masses of what is fixed to it."""
        fixed = [(name, NOWHERE)]
        for carrier, place in fixed:  # grows while it is walked
            fixed += [(joint.child, moved(place, joint.place)) for joint in self.by_parent.get(carrier, ()) if joint.kind == "fixed"]
        sum_of_all = together((self.links[link].inertial, place) for link, place in fixed)
        if sum_of_all.mass > 0.0:
            for link, _ in fixed:
                self.links[link].inertial = Inertial()
            self.links[name].inertial = sum_of_all

    def lift(self, name: str, share: float, gravity: np.ndarray) -> None:
        """Takes a share of its weight from a link."""
        fields = self.sections["bodies"][name]
        if fields["type"] == "rigid_body":
            fields["gravity_share"] = 1.0 - share
        elif fields["mass"] > 0.0 and np.any(gravity):
            self.add("loads", f"{name}_gravcomp", type="mass_load", on=name, axes=WORLD, mass=fields["mass"], center_of_mass=fields.get("center_of_mass", [0.0, 0.0, 0.0]), acceleration=(-share * gravity).tolist())

    # Coordinates.

    def resist(self, joint: Joint) -> None:
        """Stops, springs, damping, dry friction and the coupling of a joint that mimics another."""
        name = joint.coordinate
        if joint.mimic is not None:
            self.mimic(joint, joint.mimic)
        if joint.limits is not None:
            self.stops(joint, joint.limits)
        elif joint.mimic is None and joint.unlimited:
            self.reading.note(*self._limits_at(joint), joint.unlimited)
        spring = {"type": "coordinate_spring_damper", "A": WORLD, "B": name}
        if joint.stiffness > 0.0:
            self.add("connectors", f"{name}_spring", "joint", **spring, stiffness=joint.stiffness, **({"offset": joint.rest} if joint.rest else {}))
        if joint.damping > 0.0:
            self.add("connectors", f"{name}_damping", "joint", **spring, damping=joint.damping)
        if joint.friction > 0.0:
            self.rub(name, joint.friction)

    def rub(self, name: str, friction: float) -> None:
        """Dry friction on a coordinate."""
        self.add("relations", f"{name}_friction", "joint", type="coordinate_gap", on=name, law={"type": "relay", "low": -friction, "high": friction, "on": "rate"})

    def stop(self, name: str, word: str, at: float, sign: float) -> None:
        """A stop without rebound on a coordinate."""
        self.add("relations", f"{name}_{word}", "joint", type="coordinate_gap", on=name, at=at, sign=sign, law={"type": "newton_impact", "restitution": 0.0})

    def stops(self, joint: Joint, limits: tuple[float, float]) -> None:
        """Stops; not where the joint that it mimics stops it before."""
        low, high = self.ranges.get(joint.name, (-math.inf, math.inf))
        start = self.start(joint)
        small = 1e-9 * (1.0 + max(map(abs, limits)))
        if not limits[0] - small <= start <= limits[1] + small:
            return self.reading.note(joint.at, self._limits_at(joint)[1], f"is {limits[0]:g} to {limits[1]:g}, and the joint that it mimics puts it at {start:g}: it has no stops")
        for word, at, sign, needed in (("lower_stop", limits[0], 1.0, low < limits[0] - small), ("upper_stop", limits[1], -1.0, high > limits[1] + small)):
            if needed:
                self.stop(joint.coordinate, word, at, sign)
        self.ranges[joint.name] = max(low, limits[0]), min(high, limits[1])

    def _limits_at(self, joint: Joint) -> tuple[Element, str]:
        return joint.limits_at or (joint.at, f"{joint.path}/limit")

    def mimic(self, joint: Joint, mimic: Mimic) -> None:
        """Couples a joint with another."""
        path = f"{joint.path}/mimic"
        known = {other.name: other for other in self.joints if other.coordinate in self.sections["nodes"]}
        if mimic.other not in known:
            return self.reading.fault(mimic.at, path, f"names the joint {g.short(mimic.other)}, which is none that moves", g.near(mimic.other, list(known)))
        if mimic.other == joint.name:
            return self.reading.fault(mimic.at, path, "names its own joint")
        other, ratio, offset = known[mimic.other], mimic.ratio, mimic.offset
        ends = [ratio * x + offset if ratio else offset for x in self.ranges.get(mimic.other, (-math.inf, math.inf))]
        self.ranges[joint.name] = min(ends), max(ends)
        away = ratio * self.start(other) + offset - joint.stands
        self.sections["nodes"][joint.coordinate] = {"type": "node_1d", **({"coordinate": joint.stands} if joint.stands else {}), **({"displacement": away} if away else {})}
        fields = {"type": "linear_relation", "on": [joint.coordinate, other.coordinate], "matrix": [[1.0, -ratio]], **({"offset": -offset} if offset else {})}
        self.add("relations", f"{joint.coordinate}_mimic", "joint", **fields)

    # What stands on links.

    def frame(self, name: str, body: str, place: Pose, word: str = "more") -> str:
        """A frame on a link, or on the ground."""
        p, R = place
        ground = {"position": p.tolist(), "rotation": g.rotation_vector(R).tolist()}
        here = {"body": body, **ground} if body == WORLD else {"body": {"body": body, "local": p.tolist(), "rotation": ground["rotation"]}}
        return self.add("markers", name, word, type="frame", **here)

    def shape(self, name: str, body: str, place: Pose, kind: str, sizes: dict[str, Any]) -> str:
        """A shape for contact on a frame of a link; its own name is returned, programs take that of the frame."""
        marker = self.frame(name, body, place)
        return self.add("markers", f"{marker}_shape", type=kind, body=marker, **sizes)


def clean(name: str) -> str:
    """A name as items have it: `.` and `/` part the words of a path, and `ground` is the fixed frame."""
    name = name.strip().replace("/", "_").replace(".", "_")
    return "ground_link" if name == WORLD else name
