"""The elements of an MJCF file: files that it includes, classes of defaults, frames and replicas written out, places and names."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from saltus import geometry as g
from saltus.errors import Fault, ModelError, includes_itself
from saltus.robot_shapes import Meshes
from saltus.robot_tree import NOWHERE, Pose, clean, moved
from saltus.xml_places import Element, Reading, read_xml, root_of, turned

LARGEST = 100_000  # elements that replicas may become
ACTUATORS = ("general", "motor", "position", "velocity", "intvelocity", "damper", "cylinder", "muscle", "adhesion", "plugin", "dcmotor")
DEFAULTS = {"fixed": "tendon", "spatial": "tendon", **dict.fromkeys(("connect", "weld", "tendon_equality", "joint_equality", "flex"), "equality")}
GAINS = {"position": ("kp",), "intvelocity": ("kp",), "velocity": ("kv",)}
OWN = ("class", "name", "childclass")


class MjcfSource(Reading):
    """What is common to all elements. Mistakes and what is left out are collected with their lines."""

    def __init__(self, file: Path):
        super().__init__()
        self.file = file
        self.meshes = Meshes(file, schemes=())
        self.root = root_of(file, "mujoco")
        self.files: dict[Path, Element] = {file.resolve(): self.root}
        self._include(self.root, (file.resolve(),))
        self.compiler = self._settings("compiler")
        self.option = self._settings("option")
        self.degrees = self.compiler.attributes.get("angle", "degree") != "radian"
        self.order = self.compiler.attributes.get("eulerseq", "xyz")
        if sorted(self.order.lower()) != sorted(set(self.order.lower())) or not set(self.order.lower()) <= set("xyz") or len(self.order) != 3:
            self.fault(self.compiler, "compiler/eulerseq", f"is {g.short(self.order)}", 'write three of x, y, z, X, Y, Z, as in "xyz"')
            self.order = "xyz"
        if self.compiler.attributes.get("coordinate", "local") != "local":
            self.fault(self.compiler, "compiler/coordinate", f"is {g.short(self.compiler.attributes['coordinate'])}", "places in world axes are of old files; MuJoCo 2.2 writes them as local ones")
        self.classes: dict[str, dict[str, dict[str, str]]] = {"main": {}}
        for element in self.root.all("default"):
            self._class(element, None)
        self.names: dict[tuple[str, str], Element] = {}
        self.numbers_of: dict[tuple[str, str], int] = {}  # of names that were made
        for world in self.root.all("worldbody"):
            self._size(world)

    # The file.

    def _include(self, element: Element, chain: tuple[Path, ...]) -> None:
        """Writes the files out that are included below an element; each may be there once, as in MuJoCo."""
        if not any(child.tag == "include" or child.children for child in element.children):
            return
        out: list[Element] = []
        for child in element.children:
            if child.tag != "include":
                self._include(child, chain)
                out.append(child)
                continue
            name = child.attributes.get("file", "")
            target = self.meshes.place(self, "include", child, name)
            if target is None:
                raise ModelError(self.faults)
            if target in chain:
                raise includes_itself("include", chain, target, child.file, child.line)
            if target in self.files:
                raise ModelError(Fault("include", f"names {name}, which is included already", "a file is included once", child.file, child.line))
            if not target.is_file():
                raise ModelError(Fault("include", f"names {g.short(name)}, which is not there", "a file is looked for from the folder of the first file", child.file, child.line))
            root = read_xml(target)
            if root.tag not in ("mujoco", "mujocoinclude"):
                raise ModelError(Fault("", f"begins with <{root.tag}>, and is included by MJCF", "write <mujocoinclude>", str(target), root.line))
            self.files[target] = child
            self._include(root, (*chain, target))
            out += root.children
        element.children = out

    def _settings(self, tag: str) -> Element:
        """All elements of a tag as one: later ones win."""
        found = list(self.root.all(tag))
        last = found[-1] if found else self.root
        values: dict[str, str] = {}
        for element in found:
            values.update(element.attributes)
        return Element(tag, values, last.line, [child for element in found for child in element.children], last.file)

    def says(self, element: Element, word: str, path: str, default: bool) -> bool:
        """true or false."""
        text = element.attributes.get(word)
        if text is not None and text not in ("true", "false"):
            self.fault(element, f"{path}/{word}", f"is {g.short(text)}", "write true or false")
        return default if text is None else text == "true"

    # Classes.

    def _class(self, element: Element, above: str | None) -> None:
        name = element.attributes.get("class", "main" if above is None else "")
        if not name:
            self.fault(element, "default", "has no class", 'write class="..."')
        if above is None and name != "main":
            self.fault(element, f"default/{name}", "is the class of all, which is called main", 'leave class="..." out, or write it of a <default> inside')
            name = "main"
        if name in self.classes and above is not None:
            self.fault(element, f"default/{name}", "is there already", "give it another name")
        values = {tag: dict(words) for tag, words in self.classes["main" if above is None else above].items()}
        for child in element.children:
            if child.tag != "default":
                values.setdefault(child.tag, {}).update(child.attributes)
        self.classes[name] = values
        for child in element.all("default"):
            self._class(child, name)

    def whole(self, element: Element, childclass: str = "main", tag: str = "") -> Element:
        """An element with the attributes of its class."""
        name = element.attributes.get("class", childclass)
        if name not in self.classes:
            self.fault(element, f"<{element.tag}>", f"is of the class {g.short(name)}, which is not there", g.near(name, list(self.classes)))
            return element
        tag = tag or DEFAULTS.get(element.tag, element.tag)
        known = self.classes[name]
        values = dict(known.get(tag, {}))
        if tag in ACTUATORS:
            shared = {word: value for kind in ACTUATORS for word, value in known.get(kind, {}).items() if word in ("ctrlrange", "ctrllimited", "forcerange", "forcelimited", "gear")}
            gain = known.get("general", {}).get("gainprm", "").split()[:1]  # MuJoCo keeps one gain for all kinds
            shared |= dict.fromkeys(GAINS.get(tag, ()), gain[0]) if gain else {}
            values = {**shared, **values}
        if not values:
            return element
        if any(word in element.attributes for word in ("euler", "axisangle", "xyaxes", "zaxis", "quat", "fromto")):
            values = {word: value for word, value in values.items() if word not in ("euler", "axisangle", "xyaxes", "zaxis", "quat")}
        return Element(element.tag, {**values, **element.attributes}, element.line, element.children, element.file)

    # Bodies.

    def _size(self, element: Element) -> int:
        """How many elements replicas make of an element, known before any is made."""
        inside = 1 + sum(self._size(child) for child in element.children)
        if element.tag != "replicate":
            return inside
        text = element.attributes.get("count", "")
        if not text.isdecimal() or not 1 <= int(text) <= LARGEST:
            raise ModelError([*self.faults, Fault("replicate/count", f"is {g.short(text)}, must be from 1 to {LARGEST}", "give a smaller one" if text.isdecimal() else "", element.file, element.line)])
        if int(text) * inside > LARGEST:
            raise ModelError([*self.faults, Fault("replicate", f"makes more than {LARGEST} elements", "give smaller counts", element.file, element.line)])
        return int(text) * inside

    def content(self, element: Element, childclass: str, place: Pose = NOWHERE, suffix: str = "") -> Iterator[tuple[Element, Pose, str, str]]:
        """Children of a body with the place, the class and the end of the names that frames and replicas give them."""
        for child in element.children:
            inner = child.attributes.get("childclass", childclass)
            if child.tag == "frame":
                yield from self.content(child, inner, moved(place, self.pose(child, "frame")), suffix)
            elif child.tag == "replicate":
                yield from self._replicas(child, inner, place, suffix)
            else:
                yield child, place, childclass, suffix

    def _replicas(self, element: Element, childclass: str, place: Pose, suffix: str) -> Iterator[tuple[Element, Pose, str, str]]:
        count = int(element.attributes["count"])
        offset, angles = self.numbers(element, "offset", "replicate", (0, 0, 0)), self.numbers(element, "euler", "replicate", (0, 0, 0)) * self.unit
        start = element.attributes.get("sep", "")
        at = np.zeros(3)
        for i in range(count):
            R = turned((i * angles).tolist(), self.order)
            yield from self.content(element, childclass, moved(place, (at, R)), f"{suffix}{start}{i:0{len(str(count - 1))}}")
            at = at + R @ offset

    @property
    def unit(self) -> float:
        """Radians of an angle in the file."""
        return math.pi / 180.0 if self.degrees else 1.0

    def pose(self, element: Element, path: str) -> Pose:
        """Place by pos and one of quat, euler, axisangle, xyaxes, zaxis."""
        words = element.attributes
        p = self.numbers(element, "pos", path, (0, 0, 0)) if "pos" in words else None
        R = None
        if "euler" in words:
            R = turned((self.numbers(element, "euler", path, (0, 0, 0)) * self.unit).tolist(), self.order)
        elif "axisangle" in words:
            x, y, z, angle = self.numbers(element, "axisangle", path, (0, 0, 1, 0))
            R = g.rotation_matrix(angle * self.unit * self.unit_vector(element, np.array([x, y, z]), f"{path}/axisangle"))
        elif "xyaxes" in words:
            both = self.numbers(element, "xyaxes", path, (1, 0, 0, 0, 1, 0))
            x = self.unit_vector(element, both[:3], f"{path}/xyaxes")
            y = self.unit_vector(element, both[3:] - (x @ both[3:]) * x, f"{path}/xyaxes")
            R = np.column_stack([x, y, np.cross(x, y)])
        elif "zaxis" in words:
            R = upright(self.unit_vector(element, self.numbers(element, "zaxis", path, (0, 0, 1)), f"{path}/zaxis"))
        elif "quat" in words:
            R = self.quaternion(element, self.numbers(element, "quat", path, (1, 0, 0, 0)), f"{path}/quat")
        if p is None and R is None:
            return NOWHERE
        return NOWHERE[0] if p is None else p, NOWHERE[1] if R is None else R

    def unit_vector(self, at: Element, vector: np.ndarray, path: str) -> np.ndarray:
        """The direction of a vector."""
        length = float(np.linalg.norm(vector))
        if not length > 1e-14:
            self.fault(at, path, "has length zero, or no two directions")
            return np.array([0.0, 0.0, 1.0])
        return vector / length

    def quaternion(self, at: Element, q: np.ndarray, path: str) -> np.ndarray:
        """R (3, 3) of a quaternion, the scalar first."""
        length = float(np.linalg.norm(q))
        if not length > 1e-14:
            self.fault(at, path, "has length zero")
            return np.eye(3)
        w, x, y, z = q / length
        return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)], [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])

    def name(self, element: Element, kind: str, suffix: str, default: str) -> str:
        """The name of an element, or `default`, `default_2`, ...; names of a kind are theirs alone."""
        given = clean(element.attributes.get("name", ""))
        name = given + suffix if given else default
        if given and (kind, name) in self.names:
            self.fault(element, f"{kind}/{name}", f"is there already, at line {self.names[kind, name].line}", "give it another name")
        first, count = name, self.numbers_of.get((kind, name), 1)
        while (kind, name) in self.names:
            count += 1
            name = f"{first}_{count}"
        self.numbers_of[kind, first] = count
        self.names[kind, name] = element
        return name


def upright(z: np.ndarray) -> np.ndarray:
    """R (3, 3) of the smallest turn that brings the z axis onto a unit vector."""
    v, c = np.cross((0.0, 0.0, 1.0), z), float(z[2])
    s = float(np.linalg.norm(v))
    if s < 1e-10:
        return np.eye(3) if c > 0.0 else np.diag([1.0, -1.0, -1.0])
    return g.rotation_matrix(math.atan2(s, c) * v / s)
