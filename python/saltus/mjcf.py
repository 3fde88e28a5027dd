"""Models in MJCF, the format of MuJoCo: bodies on the joints of kinematic trees, geoms as shapes for contact, tendons, actuators, equalities."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from saltus import _core
from saltus import geometry as g
from saltus.mjcf_contacts import contacts
from saltus.mjcf_forces import Forces
from saltus.mjcf_shapes import Geom, Shapes
from saltus.mjcf_source import MjcfSource
from saltus.mjcf_words import check_words
from saltus.robot_shapes import look_of
from saltus.robot_tree import NOWHERE, WORLD, Inertial, Joint, Link, Pose, Tree, check_inertias, moved, together
from saltus.xml_places import Element

KINDS = {"hinge": "revolute", "slide": "prismatic", "ball": "ball", "free": "floating"}
DRAWN = 2  # groups of geoms up to this one are seen


class MjcfReader(MjcfSource):
    """One file. Mistakes and what is left out are collected with their lines."""

    def __init__(self, file: Path, keyframe: str | int | None = None, contacts: bool = True):
        super().__init__(file)
        self.with_contacts = contacts
        check_words(self)
        self.shapes = Shapes(self)
        self.links: dict[str, Link] = {}
        self.joints: list[Joint] = []  # one for each link
        self.slots: list[Joint] = []  # in the order of qpos
        self.geoms: list[Geom] = []
        self.sites: dict[str, tuple[str, Pose, Element]] = {}
        self.parents: dict[str, str] = {WORLD: ""}
        self.held: dict[str, str] = {WORLD: WORLD}  # body -> the first of those that are fixed to each other
        self.lifted: dict[str, float] = {}  # share of their weight that bodies do not feel
        for world in self.root.all("worldbody"):
            self._body(world, WORLD, NOWHERE, world.attributes.get("childclass", "main"), "")
        self._bounds()
        check_inertias(self, self.links.values())
        self.controls: dict[str, float] = {}
        self.activations: list[float] | None = None  # of a keyframe, in the order of the actuators that have one
        self.zero: dict[str, Pose] = {WORLD: NOWHERE}  # where links stand as the file has them, which a keyframe leaves
        for joint in self.joints:
            self.zero[joint.child] = moved(self.zero[joint.parent], joint.place)
        self._keyframe(keyframe)
        for name in self.shapes.assets["mesh"].keys() - {geom.asset for geom in self.geoms}:
            self.note(self.shapes.assets["mesh"][name], f"asset/mesh/{name}", "is used by no geom, and not read", kind="unused mesh")

    # Bodies.

    def _body(self, element: Element, name: str, place: Pose, childclass: str, suffix: str) -> None:
        """Reads what stands on a body, then its children."""
        joints: list[tuple[Element, Pose, str]] = []
        inertial: tuple[Element, Pose] | None = None
        geoms: list[Geom] = []
        children = []
        for child, where, inner, end in self.content(element, childclass, suffix=suffix):
            if child.tag == "body":
                children.append((child, where, inner, end))
            elif child.tag in ("joint", "freejoint"):
                joints.append((self.whole(child, inner) if child.tag == "joint" else child, where, self.name(child, "joints", end, f"{name}_joint")))
            elif child.tag == "geom":
                geom = self.shapes.geom(self.whole(child, inner), where, name, self.name(child, "geoms", end, f"{name}_geom"))
                geoms += [geom] if geom else []
            elif child.tag == "site":
                site, called = self.whole(child, inner), self.name(child, "sites", end, f"{name}_site")
                self.sites[called] = name, moved(where, self.site_place(site, f"sites/{called}")), site
            elif child.tag == "inertial":
                inertial = child, where
        if name != WORLD:
            self._link(element, name, place, joints)
            self.links[name].inertial = self._inertial(name, inertial, geoms)
        self.geoms += geoms
        for child, where, inner, end in children:
            inner = child.attributes.get("childclass", inner)
            called = self.name(child, "bodies", end, "body")
            self.parents[called] = name
            self._body(child, called, moved(where, self.pose(child, f"bodies/{called}")), inner, end)

    def site_place(self, site: Element, path: str) -> Pose:
        """Where a site is, by its pose or its two ends."""
        if "fromto" not in site.attributes:
            return self.pose(site, path)
        return self.shapes.line(site, path)[0]

    def _link(self, element: Element, name: str, place: Pose, joints: list[tuple[Element, Pose, str]]) -> None:
        """A body on its joints; of several the first ones carry links without mass."""
        words, path, parent = element.attributes, f"bodies/{name}", self.parents[name]
        if words.get("mocap") == "true":
            self.note(element, path, "is moved from outside, and stands still here", "prescribe its motion by m.driven")
        if (gravcomp := self.number(element, "gravcomp", path, 0.0)) != 0.0:
            self.lifted[name] = gravcomp
        read = [joint for each in joints if (joint := self._joint(*each, name)) is not None]
        self.held[name] = name if joints else self.held[parent]
        for joint in read:
            if joint.kind in ("ball", "floating") and len(read) > 1:
                self.fault(joint.at, joint.path, f"is a {joint.at.attributes.get('type', 'free')} joint beside others on one body, which is not read", "give them bodies of their own, or write hinges")
        if any(joint.kind == "floating" for joint in read) and parent != WORLD:
            self.fault(read[0].at, read[0].path, "is free below another body", "free bodies stand in the world")
        for joint in read[:-1]:
            between = f"{joint.name}_link"
            while between in self.links or between in self.parents:
                between += "_link"
            self.links[between] = Link(between, element, path)
            joint.parent, joint.place, joint.child = parent, place, between
            self.joints.append(joint)
            parent, place = between, NOWHERE
        last = read[-1] if read else Joint("", "fixed", parent, name, element, path)
        last.parent, last.place, last.child = parent, place, name
        self.joints.append(last)
        self.links[name] = Link(name, element, path)

    def _joint(self, element: Element, where: Pose, name: str, body: str) -> Joint | None:
        path, kind = f"joints/{name}", element.attributes.get("type", "free" if element.tag == "freejoint" else "hinge")
        if kind not in KINDS:
            self.fault(element, f"{path}/type", f"is {g.short(kind)}", g.near(kind, list(KINDS)) or f"it is one of {', '.join(KINDS)}")
            return None
        joint = Joint(name, KINDS[kind], "", body, element, path)
        joint.damping, joint.friction, joint.stiffness, joint.armature = (self.at_least_0(element, word, path) for word in ("damping", "frictionloss", "stiffness", "armature"))
        if "springdamper" in element.attributes and np.any(self.numbers(element, "springdamper", path, (0, 0)) > 0.0):
            self.fault(element, f"{path}/springdamper", "is a spring by its time and damping ratio, which is not read", "write stiffness and damping")
        if np.any(self.numbers(element, "springyield", path, (0, 0, 0), 1)):
            self.fault(element, f"{path}/springyield", "is not read", "leave it out for a spring that does not yield")
        if kind in ("free", "ball"):
            for word in ("armature", "frictionloss", "damping", "stiffness"):
                if self.at_least_0(element, word, path) > 0.0:
                    self.note(element, f"{path}/{word}", f"is not taken of a {kind} joint", kind=f"{word} of a {kind}")
            joint.armature = joint.friction = joint.damping = joint.stiffness = 0.0
            if kind == "ball" and self.limited(element, path):
                self.note(element, f"{path}/range", "limits a ball joint, and is not taken", kind="range of a ball")
            joint.anchor = where[0] + where[1] @ self.numbers(element, "pos", path, (0, 0, 0)) if kind == "ball" else np.zeros(3)
        else:
            unit = self.unit if kind == "hinge" else 1.0
            joint.anchor = where[0] + where[1] @ self.numbers(element, "pos", path, (0, 0, 0))
            joint.axis = where[1] @ self.unit_vector(element, self.numbers(element, "axis", path, (0, 0, 1)), f"{path}/axis")
            joint.origin = joint.stands = self.number(element, "ref", path, 0.0) * unit
            joint.rest = self.number(element, "springref", path, 0.0) * unit
            joint.limits_at = element, f"{path}/range"
            if self.limited(element, path):
                low, high = (self.numbers(element, "range", path, (0, 0)) * unit).tolist()
                if not low < high:
                    self.fault(element, f"{path}/range", f"is {element.attributes.get('range', 'missing')}: the lower one must be below the upper one")
                elif not self.off("limit"):
                    joint.limits = low, high
        if self.off("spring"):
            joint.stiffness = 0.0
        if self.off("damper"):
            joint.damping = 0.0
        if self.off("frictionloss"):
            joint.friction = 0.0
        self.slots.append(joint)
        return joint

    def at_least_0(self, element: Element, word: str, path: str) -> float:
        """A number; of the three of a polynomial the first, the others must be 0."""
        values = self.numbers(element, word, path, (0.0, 0.0, 0.0), 1)
        if np.any(values[1:]):
            self.fault(element, f"{path}/{word}", f"is {element.attributes[word]}, a polynomial, which is not read", "give one number")
        if values[0] < 0.0:
            self.fault(element, f"{path}/{word}", f"is {values[0]:g}, must be at least 0")
        return float(values[0])

    def limited(self, element: Element, path: str, word: str = "range", flag: str = "limited") -> bool:
        """Whether a range holds: as its flag says, else where it is given."""
        said = element.attributes.get(flag, "auto")
        if said not in ("true", "false", "auto"):
            self.fault(element, f"{path}/{flag}", f"is {g.short(said)}", "write true, false or auto")
        if said == "auto" and word in element.attributes and not self.says(self.compiler, "autolimits", "compiler", True):
            self.fault(element, f"{path}/{word}", f"is given without {flag}, and the compiler's autolimits is false", f'write {flag}="true" or "false"')
        return said == "true" or said == "auto" and word in element.attributes

    def off(self, flag: str) -> bool:
        """Whether <option><flag .../> disables a part of the motion."""
        return any(element.attributes.get(flag) == "disable" or element.attributes.get("constraint") == "disable" and flag in ("limit", "contact", "frictionloss", "equality")
                   for element in self.option.children if element.tag == "flag")  # fmt: skip

    # Masses.

    def _inertial(self, name: str, given: tuple[Element, Pose] | None, geoms: list[Geom]) -> Inertial:
        rule = self.compiler.attributes.get("inertiafromgeom", "auto")
        if given is not None and rule != "true":
            return self._given(f"bodies/{name}/inertial", *given)
        if rule == "false":
            return Inertial()
        low, high = self.numbers(self.compiler, "inertiagrouprange", "compiler", (0, 5))
        return together((geom.inertial, geom.place) for geom in geoms if low <= geom.group <= high)

    def _given(self, path: str, element: Element, where: Pose) -> Inertial:
        mass = self.number(element, "mass", path, 0.0)
        if mass < 0.0 or "mass" not in element.attributes:
            self.fault(element, f"{path}/mass", f"is {element.attributes.get('mass', 'missing')}, must be at least 0 kg")
        p, R = moved(where, self.pose(element, path))
        if "fullinertia" in element.attributes:
            xx, yy, zz, xy, xz, yz = self.numbers(element, "fullinertia", path, (0, 0, 0, 0, 0, 0))
            about = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        else:
            about = np.diag(self.numbers(element, "diaginertia", path, (0, 0, 0)))
        return Inertial(mass, p, R @ about @ R.T)

    def _bounds(self) -> None:
        """The compiler's boundmass, boundinertia, balanceinertia and settotalmass."""
        least, bound, total = (self.number(self.compiler, word, "compiler", 0.0) for word in ("boundmass", "boundinertia", "settotalmass"))
        balance = self.says(self.compiler, "balanceinertia", "compiler", False)
        own = [self.links[name].inertial for name in self.parents if name != WORLD]
        for inertial in own:
            inertial.mass = max(inertial.mass, least)
            if bound > 0.0 or balance:
                I, R = np.linalg.eigh(inertial.inertia)
                I = np.maximum(I, bound)
                I = np.full(3, I.mean()) if balance and I[0] + I[1] < I[2] else I
                inertial.inertia = (R * I) @ R.T
        mass = sum(inertial.mass for inertial in own)
        if total > 0.0 and mass > 0.0:
            for inertial in own:
                inertial.mass *= total / mass
                inertial.inertia = inertial.inertia * (total / mass)

    # The start.

    def _keyframe(self, wanted: str | int | None) -> None:
        keys = [key for part in self.root.all("keyframe") for key in part.all("key")]
        names = [key.attributes.get("name", str(i)) for i, key in enumerate(keys)]
        if wanted is None:
            if keys:
                self.note(keys[0], "keyframe", f"is not taken: {', '.join(names[:6])}", f'write sl.read_mjcf(..., keyframe="{names[0]}") to begin there')
            return
        if str(wanted) not in names and not (isinstance(wanted, int) and 0 <= wanted < len(keys)):
            g.refuse("read_mjcf/keyframe", f"is {wanted!r}, which the file has not", g.near(str(wanted), names) or (f"it has {', '.join(names)}" if names else "it has none"))
        key = keys[names.index(str(wanted)) if str(wanted) in names else int(wanted)]
        path = f"keyframe/{wanted}"
        sizes = {"floating": (7, 6), "ball": (4, 3)}
        counts = [sum(sizes.get(joint.kind, (1, 1))[i] for joint in self.slots) for i in (0, 1)]
        self.start(key, path, self.numbers(key, "qpos", path, [0.0] * counts[0]) if "qpos" in key.attributes else None, self.numbers(key, "qvel", path, [0.0] * counts[1]))
        actuators = [actuator for part in self.root.all("actuator") for actuator in part.children]
        for actuator, value in zip(actuators, self.numbers(key, "ctrl", path, [0.0] * len(actuators)), strict=True):
            self.controls[str(id(actuator))] = float(value)
        if "act" in key.attributes:
            self.activations = self.numbers(key, "act", path, [0.0] * len(key.attributes["act"].split())).tolist()
        mocap = [joint for joint in self.joints if joint.kind == "fixed" and self.links[joint.child].at.attributes.get("mocap") == "true"]
        at = self.numbers(key, "mpos", path, [x for joint in mocap for x in joint.place[0].tolist()]).reshape(-1, 3)
        turns = self.numbers(key, "mquat", path, [0.0] * 4 * len(mocap)).reshape(-1, 4) if "mquat" in key.attributes else None
        for i, joint in enumerate(mocap):
            joint.place = at[i], joint.place[1] if turns is None else self.quaternion(key, turns[i], f"{path}/mquat")

    def start(self, key: Element, path: str, q: np.ndarray | None, v: np.ndarray) -> None:
        """Sets the start in MuJoCo's coordinates, in the order of its joints."""
        i = j = 0
        for joint in self.slots:
            if joint.kind == "floating":
                if q is not None:
                    joint.place = q[i : i + 3], self.quaternion(key, q[i + 3 : i + 7], f"{path}/qpos")
                joint.spin = joint.place[1].T @ v[j : j + 3], v[j + 3 : j + 6]
                i, j = i + 7, j + 6
            elif joint.kind == "ball":
                if q is not None:
                    joint.turn = np.zeros(3), self.quaternion(key, q[i : i + 4], f"{path}/qpos")
                joint.spin = np.zeros(3), v[j : j + 3]
                i, j = i + 4, j + 3
            else:
                joint.stands = joint.stands if q is None else float(q[i])
                joint.rate = float(v[j])
                i, j = i + 1, j + 1

    # What the model gets.

    def engine(self) -> _core.Model:
        """The model; ModelError with all mistakes of the file."""
        self.check()
        tree = Tree(self, self.links, self.joints, "world_tree")
        for name, share in self.lifted.items():
            tree.lift(name, share, self.gravity)
        parameters: dict[str, Any] = {}
        outputs: dict[str, str] = {}
        self.check()
        for geom in self.geoms:
            if any(geom.masks) and (made := self.shapes.marker(geom)) is not None:
                fixed = self.held[geom.body] == WORLD
                place = moved(tree.places[geom.body], geom.place) if fixed else geom.place
                geom.marker = tree.shape(geom.name, WORLD if fixed else geom.body, place, *made)
        forces = Forces(self, tree, parameters, outputs)
        forces.all()
        if self.with_contacts and not self.off("contact"):
            contacts(self, tree)
        self.check()
        head = {"saltus": 1, "title": self.root.attributes.get("model", ""), "gravity": self.gravity.tolist()}
        return _core.Model.parse(json.dumps({**head, **({"parameters": parameters} if parameters else {}), **tree.records(), **({"outputs": outputs} if outputs else {})}), "")

    @property
    def gravity(self) -> np.ndarray:
        """The acceleration of gravity (3) [m/s^2]."""
        return np.zeros(3) if self.off("gravity") else self.numbers(self.option, "gravity", "option", (0, 0, -9.81))

    def looks(self) -> dict[str, dict[str, Any]]:
        """What bodies look like beside their shapes for contact: their other geoms, of the first groups."""
        out = {}
        by_body: dict[str, list[Geom]] = {}
        for geom in self.geoms:
            if not geom.marker and geom.group <= DRAWN and geom.body != WORLD:
                by_body.setdefault(geom.body, []).append(geom)
        for name, geoms in by_body.items():
            if look := look_of([(self.shapes.look(geom), geom.place) for geom in geoms]):
                out[name] = look
        return out

    def unseen(self) -> None:
        """Notes what only sl.read_mjcf draws."""
        visual = next((geom for geom in self.geoms if not any(geom.masks) and geom.body != WORLD), None)
        if visual is not None:
            self.note(visual.at, f"geoms/{visual.name}", "is not drawn here: shapes for contact are", "sl.read_mjcf takes what bodies look like")
