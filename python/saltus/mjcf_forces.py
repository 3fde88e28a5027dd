"""Tendons, actuators, equalities and sensors of an MJCF file."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from saltus import geometry as g
from saltus.mjcf_actuators import Actuator, actuator_of
from saltus.robot_masses import mass_matrix
from saltus.robot_tree import NOWHERE, WORLD, Joint, Pose, Tree, clean, moved
from saltus.xml_places import Element

if TYPE_CHECKING:
    from saltus.mjcf import MjcfReader

SENSORS = {"jointpos": "coordinate", "jointvel": "rate", "framepos": "position", "framelinvel": "velocity", "frameangvel": "angular_velocity"}


@dataclass
class Tendon:
    """A length of coordinates: `on` them, as a formula of q0, q1, ..."""

    name: str
    at: Element
    on: list[str]
    length: str
    weights: list[float]  # of the coordinates
    rest: float | None  # its length where the file has the joints; None where surfaces are on its way


class Forces:
    """What acts between bodies."""

    def __init__(self, reader: MjcfReader, tree: Tree, parameters: dict[str, Any], outputs: dict[str, str]):
        self.reader, self.tree, self.parameters, self.outputs = reader, tree, parameters, outputs
        self.joints = {joint.name: joint for joint in reader.slots}
        self.zero = reader.zero
        self.masses: tuple[np.ndarray, dict[str, int]] | None = None  # the mass matrix, once it is asked for
        self.activations = 0  # how many there are
        self.disabled = self._disabled()  # groups of actuators
        self.frames = {name: tree.frame(name, body, place, "site") for name, (body, place, _) in reader.sites.items()}
        self.tendons: dict[str, Tendon] = {}

    def all(self) -> None:
        """Adds everything to the tree; mistakes are collected by the reader."""
        for part in self.reader.root.children:
            for element in part.children if part.tag == "tendon" else ():
                self.tendon(self.reader.whole(element))
        if not self.reader.off("actuation"):
            self._actuators()
        for part in self.reader.root.children:
            for element in part.children if part.tag == "equality" and not self.reader.off("equality") else ():
                self.equality(element)
        for part in self.reader.root.all("sensor"):
            for element in part.children:
                self.sensor(element)

    def coordinate(self, at: Element, path: str, name: str) -> Joint | None:
        """The joint of a name that is a scalar coordinate; None, with a mistake or a note, where there is none."""
        joint = self.joints.get(clean(name))
        if joint is None or joint.kind in ("ball", "floating"):
            self.reader.fault(at, path, f"names the joint {g.short(name)}, which is {'not there' if joint is None else 'no hinge or slide'}", g.near(name, list(self.joints)))
        elif joint.coordinate not in self.tree.sections["nodes"]:
            self.reader.note(at, path, f"names the joint {name}, which moves nothing, and is not taken")
        else:
            return joint
        return None

    # Tendons.

    def tendon(self, element: Element) -> None:
        """A tendon with its spring, damper, limits and friction."""
        name = self.reader.name(element, "tendons", "", "tendon")
        path = f"tendons/{name}"
        made = self._fixed(element, name, path) if element.tag == "fixed" else self._spatial(element, name, path) if element.tag == "spatial" else None
        if made is None:
            return
        self.tendons[name] = made
        read = self.reader
        stiffness, damping, friction = (read.at_least_0(element, word, path) for word in ("stiffness", "damping", "frictionloss"))
        for word in ("armature", "springyield"):
            if np.any(read.numbers(element, word, path, (0, 0, 0), 1)):
                read.fault(element, f"{path}/{word}", "is not read of a tendon", "leave it out for the motion without it")
        low, high = read.numbers(element, "springlength", path, (-1.0, math.nan), 1)
        high = low if math.isnan(high) else high
        if stiffness > 0.0 and low == -1.0:
            if made.rest is None:
                return read.fault(element, f"{path}/springlength", "is missing, and surfaces are on its way", "write the length at which it has no force")
            low = high = made.rest
        pull = [f"{stiffness!r}*(max(L - {float(high)!r}, 0) + min(L - {float(low)!r}, 0))" if low != high else f"{stiffness!r}*(L - {float(low)!r})"] if stiffness > 0.0 and not read.off("spring") else []
        pull += [f"{damping!r}*dL"] if damping > 0.0 and not read.off("damper") else []
        if pull:
            self.tree.add("connectors", f"{name}_spring", type="user_force", on=made.on, length=made.length, tension=" + ".join(pull))
        if friction > 0.0 and not read.off("frictionloss"):
            law = {"type": "relay", "low": -friction, "high": friction, "on": "rate"}
            self.tree.add("relations", f"{name}_friction", type="linear_relation", on=made.on, matrix=[made.weights], law=law)
        if read.limited(element, path) and not read.off("limit"):
            ends = read.numbers(element, "range", path, (0, 0)).tolist()
            for word, end, sign in (("lower_stop", ends[0], 1.0), ("upper_stop", ends[1], -1.0)):
                law = {"type": "newton_impact", "restitution": 0.0}
                self.tree.add("relations", f"{name}_{word}", type="linear_relation", on=made.on, matrix=[[sign * w for w in made.weights]], offset=-sign * end, law=law)

    def _fixed(self, element: Element, name: str, path: str) -> Tendon | None:
        on, weights, rest = [], [], 0.0
        for part in element.all("joint"):
            joint = self.coordinate(part, path, part.attributes.get("joint", ""))
            weight = self.reader.number(part, "coef", path, 1.0)
            if joint is not None:
                on.append(joint.coordinate)
                weights.append(weight)
                rest += weight * joint.origin
        if not on:
            return None
        return Tendon(name, element, on, " + ".join(f"{w!r}*q{i}" for i, w in enumerate(weights)), weights, rest)

    def _spatial(self, element: Element, name: str, path: str) -> Tendon | None:
        branches: list[tuple[float, list[Element]]] = [(1.0, [])]
        for part in element.children:
            if part.tag == "pulley":
                branches.append((self.reader.number(part, "divisor", path, 1.0), []))
            else:
                branches[-1][1].append(part)
        on, weights, rest = [], [], 0.0
        for divisor, way in branches:
            if not way:
                continue
            if not divisor > 0.0:
                return self.reader.fault(element, f"{path}/pulley", f"has the divisor {divisor:g}, must be above 0")
            made = self._way(element, f"{path}", name, way)
            if made is None:
                return None
            on.append(made[0])
            weights.append(1.0 / divisor)
            rest = rest + made[1] / divisor
        return Tendon(name, element, on, " + ".join(f"{w!r}*q{i}" for i, w in enumerate(weights)), weights, None if math.isnan(rest) else rest)

    def _way(self, element: Element, path: str, name: str, way: list[Element]) -> tuple[str, float] | None:
        """(marker, length where the file has the joints) of a way through sites and around geoms."""
        read, through, points = self.reader, [], []
        length = 0.0
        for i, part in enumerate(way):
            called = clean(part.attributes.get(part.tag, ""))
            if part.tag == "site":
                if called not in self.frames:
                    return read.fault(part, f"{path}/site", f"names the site {g.short(called)}, which is not there", g.near(called, list(self.frames)))
                through.append(self.frames[called])
                points.append(self._point(called))
                length += float(np.linalg.norm(points[-1] - points[-2])) if len(points) > 1 else 0.0
                continue
            ends = [clean(other.attributes.get("site", "")) for other in (way[i - 1 : i] + way[i + 1 : i + 2]) if other.tag == "site"]
            geom = next((geom for geom in read.geoms if geom.name == called), None)
            if geom is None or geom.kind not in ("sphere", "cylinder"):
                return read.fault(part, f"{path}/geom", f"names the geom {g.short(called)}, which is {'not there' if geom is None else 'no sphere or cylinder'}", g.near(called, [geom.name for geom in read.geoms]))
            if len(ends) < 2 or any(end not in self.frames for end in ends):
                return read.fault(part, f"{path}/geom", "stands between no two sites")
            side = part.attributes.get("sidesite")
            if side is not None and clean(side) not in self.frames:
                return read.fault(part, f"{path}/sidesite", f"names the site {g.short(side)}, which is not there", g.near(side, list(self.frames)))
            p, R = moved(self.zero[geom.body], geom.place)
            a, b = ((self._point(end) - p) @ R for end in ends)
            s = None if side is None else (self._point(clean(side)) - p) @ R
            flat = slice(0, 2 if geom.kind == "cylinder" else 3)
            if s is not None and float(np.linalg.norm(s[flat])) < geom.sizes["radius"]:
                return read.fault(part, f"{path}/sidesite", "lies inside the surface: a tendon that stays inside is not read")
            place = geom.place
            to = b if s is None else s
            if geom.kind == "cylinder" and a[0] * to[1] < a[1] * to[0]:  # the rope goes round z by the right hand
                place = place[0], place[1] @ np.diag([1.0, -1.0, -1.0])
            frame = self.tree.frame(f"{name}_wrap", geom.body, place)
            through.append(self.tree.add("markers", f"{name}_surface", type="wrap", body=frame, radius=geom.sizes["radius"], **({"shape": "cylinder"} if geom.kind == "cylinder" else {})))
            length = math.nan
        return self.tree.add("markers", name, "tendon", type="rope", through=through), length

    def _point(self, site: str) -> np.ndarray:
        body, place, _ = self.reader.sites[site]
        return moved(self.zero[body], place)[0]

    # Actuators.

    def _disabled(self) -> set[int]:
        read, word = self.reader, "actuatorgroupdisable"
        groups = read.numbers(read.option, word, "option", [-1.0] * 31, 0)
        if wrong := [x for x in groups if x != -1.0 and x not in range(31)]:
            read.fault(read.option, f"option/{word}", f"is {read.option.attributes[word]}: {wrong[0]:g} is no group", "write whole numbers from 0 to 30")
        return {int(x) for x in groups}

    def _actuators(self) -> None:
        read = self.reader
        elements = [element for part in read.root.all("actuator") for element in part.children]
        targets = [element.attributes.get("joint") for element in elements]
        for element in elements:
            name = read.name(element, "actuators", "", "actuator")
            whole = read.whole(element)
            made = actuator_of(read, whole, name)
            if made is not None and int(read.number(whole, "group", f"actuators/{name}", 0)) in self.disabled:
                read.note(element, f"actuators/{name}", "is of a group that option/actuatorgroupdisable names, and not taken", kind="disabled actuator")
                self.activations += made.filtered is not None
            elif made is not None:
                self._act(made, whole, name, targets.count(element.attributes.get("joint")) > 1)
                self.parameters[made.control] = {"value": read.controls.get(str(id(element)), 0.0)}
        if read.activations is not None and len(read.activations) != self.activations:
            read.fault(elements[0] if elements else read.root, "keyframe/act", f"has {len(read.activations)} numbers, expected {self.activations}, one for each actuator that filters its control")

    def _act(self, made: Actuator, element: Element, name: str, shared: bool) -> None:
        """The force of an actuator on its joint, tendon or site."""
        read, path, words = self.reader, f"actuators/{name}", element.attributes
        gears = read.numbers(element, "gear", path, (1, 0, 0, 0, 0, 0), 1)
        gear = float(gears[0])
        if "joint" in words or "jointinparent" in words:
            joint = self.coordinate(element, f"{path}/joint", words.get("joint", words.get("jointinparent", "")))
            if joint is None:
                return
            made.settle(read, element, path, joint.limits, lambda: self.inertia({joint.coordinate: gear}))
            if made.filtered is not None:
                return self._follow(made, name, [joint.coordinate], [1.0], gear)
            force = f"{gear!r}*({made.force(f'{gear!r}*q', f'{gear!r}*v')})"
            if read.limited(joint.at, joint.path, "actuatorfrcrange", "actuatorfrclimited"):
                low, high = read.numbers(joint.at, "actuatorfrcrange", joint.path, (0, 0)).tolist()
                force = f"min(max({force}, {low!r}), {high!r})"
                if shared:
                    read.note(joint.at, f"{joint.path}/actuatorfrcrange", "bounds each of its actuators, not their sum", kind="actuatorfrcrange")
            self.tree.add("loads", name, "actuator", type="coordinate_load", on=joint.coordinate, force=force)
        elif "tendon" in words:
            tendon = self.tendons.get(clean(words["tendon"]))
            if tendon is None:
                return None if read.faults else read.fault(element, f"{path}/tendon", f"names the tendon {g.short(words['tendon'])}, which is not there", g.near(words["tendon"], list(self.tendons)))
            by_weight = dict(zip(tendon.on, (gear * w for w in tendon.weights), strict=True))
            made.settle(read, element, path, None, (lambda: self.inertia(by_weight)) if tendon.at.tag == "fixed" else None)
            if made.filtered is not None:
                return self._follow(made, name, tendon.on, tendon.weights, gear)
            tension = f"-{gear!r}*({made.force(f'{gear!r}*L', f'{gear!r}*dL')})"
            self.tree.add("connectors", name, "actuator", type="user_force", on=tendon.on, length=tendon.length, tension=tension)
        elif "site" in words and "refsite" not in words:
            site = clean(words["site"])
            if site not in self.frames:
                return read.fault(element, f"{path}/site", f"names the site {g.short(words['site'])}, which is not there", g.near(site, list(self.frames)))
            made.settle(read, element, path, None, None)
            if made.filtered is not None:
                return read.fault(element, path, "filters its control at a site, which is not read", "leave the filter out")
            force = made.force("0", "0")
            for kind, part in (("force", gears[:3]), ("torque", gears[3:])):
                if np.any(part):
                    self.tree.add("loads", f"{name}_{kind}" if kind == "torque" else name, "actuator", type=kind, on=self.frames[site], axes="body", **{kind: [f"{float(x)!r}*({force})" for x in part]})
        else:
            read.fault(element, path, "acts on no joint, tendon or single site, which is not read", "write joint, tendon or site")

    def _follow(self, made: Actuator, name: str, on: list[str], weights: list[float], gear: float) -> None:
        """An actuator whose control goes after what is given: a first-order state beside the coordinates that it acts on."""
        given = self.reader.activations or []
        begins = given[self.activations] if self.activations < len(given) else 0.0
        self.activations += 1
        if made.bounds:
            begins = min(max(begins, made.bounds[0]), made.bounds[1])
        state = self.tree.add("nodes", f"{name}_activation", "state", type="node_ode1", count=1, **({"initial_values": [begins]} if begins else {}))
        for word, end, sign in (("lower_bound", made.bounds[0], 1.0), ("upper_bound", made.bounds[1], -1.0)) if made.bounds else ():
            self.tree.add("relations", f"{name}_{word}", type="linear_relation", on=[state], matrix=[[sign]], offset=-sign * end, law={"type": "complementarity"})
        length, speed = ("(" + " + ".join(f"{gear * w!r}*{word}{i}" for i, w in enumerate(weights)) + ")" for word in "qv")
        force, own = made.force(length, speed, f"q{len(on)}"), made.rate(f"q{len(on)}")
        self.tree.add("connectors", name, "actuator", type="user_force", on=[*on, state], function=[*(f"{gear * w!r}*({force})" for w in weights), own])

    def inertia(self, weights: dict[str, float]) -> float:
        """What a weighted sum of coordinates moves where the file has the joints, all joints free: 1 / (J M^-1 J^T)."""
        if self.masses is None:
            self.masses = mass_matrix(self.reader.joints, self.reader.links, self.zero, self.tree.sections["nodes"])
        M, at = self.masses
        J = np.zeros(len(M))
        for coordinate, weight in weights.items():
            J[at[coordinate]] += weight
        return 1.0 / float(J @ np.linalg.solve(M, J))

    # Equalities.

    def equality(self, element: Element) -> None:
        """What holds two bodies, joints or tendons together."""
        read, tag = self.reader, element.tag
        whole = read.whole(element, tag="equality")
        path = f"equality/{element.attributes.get('name', tag)}"
        if not read.says(whole, "active", path, True):
            return read.note(element, path, "is not active, and not taken", kind="inactive equality")
        if tag in ("connect", "weld"):
            self._hold(whole, path, tag)
        elif tag == "joint":
            self._couple(whole, path)
        elif tag == "tendon":
            self._couple_tendons(whole, path)
        else:
            read.fault(element, path, f"holds by <{tag}>, which is not read")

    def _hold(self, element: Element, path: str, tag: str) -> None:
        read, words = self.reader, element.attributes
        name = clean(words.get("name", tag))
        if "site1" in words:
            ends = [clean(words.get(word, "")) for word in ("site1", "site2")]
            if wrong := next((end for end in ends if end not in self.frames), None):
                return read.fault(element, path, f"names the site {g.short(wrong)}, which is not there", g.near(wrong, list(self.frames)))
            frames = [self.frames[end] for end in ends]
        else:
            bodies = [clean(words.get(word, "world")) for word in ("body1", "body2")]
            bodies = [WORLD if body == "world" else body for body in bodies]
            if wrong := next((body for body in bodies if body not in read.parents), None):
                return read.fault(element, path, f"names the body {g.short(wrong)}, which is not there", g.near(wrong, list(read.parents)))
            (p, R), (q, S) = (self.zero[body] for body in bodies)
            there: Pose = R.T @ (q - p), R.T @ S  # body2 in body1
            point = read.numbers(element, "anchor", path, (0, 0, 0))
            if tag == "weld" and "relpose" in words and np.any((given := read.numbers(element, "relpose", path, (0, 1, 0, 0, 0, 0, 0)))[3:]):
                there = given[:3], read.quaternion(element, given[3:], f"{path}/relpose")
            first: Pose = there if tag == "weld" else (point, np.eye(3))
            second: Pose = NOWHERE if tag == "weld" else (there[1].T @ (point - there[0]), np.eye(3))
            frames = [self.tree.frame(f"{name}_{body}", body, place) for body, place in zip(bodies, (first, second), strict=True)]
        self.tree.add("joints", name, tag, type="driven_frame", A=frames[0], B=frames[1], **({} if tag == "weld" else {"of": "position"}))

    def _polynomial(self, element: Element, path: str) -> list[float]:
        return self.reader.numbers(element, "polycoef", path, (0, 1, 0, 0, 0), 1).tolist()

    def _couple(self, element: Element, path: str) -> None:
        one = self.coordinate(element, f"{path}/joint1", element.attributes.get("joint1", ""))
        if one is None:
            return
        c = self._polynomial(element, path)
        name = clean(element.attributes.get("name", f"{one.name}_equality"))
        if "joint2" not in element.attributes:
            self.tree.add("relations", name, "equality", type="linear_relation", on=[one.coordinate], matrix=[[1.0]], offset=-(one.origin + c[0]))
            return
        other = self.coordinate(element, f"{path}/joint2", element.attributes["joint2"])
        if other is not None:
            self._relation(name, [one.coordinate], "q0", [1.0], one.origin, [other.coordinate], "q0", [1.0], other.origin, c)

    def _couple_tendons(self, element: Element, path: str) -> None:
        found = []
        for word in ("tendon1", "tendon2"):
            if word in element.attributes:
                tendon = self.tendons.get(clean(element.attributes[word]))
                if tendon is None or tendon.rest is None:
                    wrong = "not there" if tendon is None else "led around surfaces, which is not read here"
                    return self.reader.fault(element, f"{path}/{word}", f"names the tendon {g.short(element.attributes[word])}, which is {wrong}", g.near(element.attributes[word], list(self.tendons)))
                found.append(tendon)
        c = self._polynomial(element, path)
        one, name = found[0], clean(element.attributes.get("name", f"{found[0].name}_equality"))
        if len(found) == 1:
            self.tree.add("relations", name, "equality", type="linear_relation", on=one.on, matrix=[one.weights], offset=-((one.rest or 0.0) + c[0]))
        else:
            other = found[1]
            self._relation(name, one.on, one.length, one.weights, one.rest or 0.0, other.on, other.length, other.weights, other.rest or 0.0, c)

    def _relation(self, name: str, on: list[str], length: str, weights: list[float], zero: float, others: list[str], other_length: str, other_weights: list[float], other_zero: float, c: list[float]) -> None:
        """y1 - y1_0 = c0 + c1 x + ... + c4 x^4, x = y2 - y2_0, of weighted sums of coordinates."""
        if not any(c[2:]):
            self.tree.add("relations", name, "equality", type="linear_relation", on=[*on, *others], matrix=[[*weights, *(-c[1] * w for w in other_weights)]], offset=-(zero + c[0] - c[1] * other_zero))
            return
        shift = len(on)
        x = "(" + " + ".join(f"{w!r}*q{i + shift}" for i, w in enumerate(other_weights)) + f" - {other_zero!r})"
        terms = " + ".join(f"{k!r}*{x}^{i}" for i, k in enumerate(c) if i and k)
        self.tree.add("relations", name, "equality", type="user_relation", on=[*on, *others], function=f"({length}) - {zero!r} - ({c[0]!r} + {terms})")

    # Sensors.

    def sensor(self, element: Element) -> None:
        """An output for a sensor that is a quantity here."""
        read, words = self.reader, element.attributes
        name = clean(words.get("name", ""))
        quantity, item = SENSORS.get(element.tag), ""
        if element.tag in ("jointpos", "jointvel"):
            joint = self.joints.get(clean(words.get("joint", "")))
            item = joint.coordinate if joint is not None and joint.coordinate in self.tree.sections["nodes"] else ""
        elif quantity is not None and "refname" not in words:
            kind, called = words.get("objtype", ""), clean(words.get("objname", ""))
            item = {"site": self.frames.get(called, ""), "xbody": called if called in read.parents else ""}.get(kind, "")
        if quantity is None or not item or not name.isidentifier():
            return read.note(element, f"sensor/{name or element.tag}", f"is a {element.tag}, and not taken", "quantities of items are in the result", kind="sensor")
        self.outputs[name] = f"{item}.{quantity}"
