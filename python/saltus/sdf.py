"""Models in SDFormat, the format of Gazebo: links, joints and frames at poses relative to each other, models inside models."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from saltus import _core
from saltus import geometry as g
from saltus.errors import Fault, ModelError, includes_itself
from saltus.robot_shapes import Meshes, hull_of, look_of, surface
from saltus.robot_tree import (
    NOWHERE,
    WORLD,
    Inertial,
    Joint,
    Link,
    Mimic,
    Pose,
    Tree,
    check_inertias,
    clean,
    moved,
    ordered,
)
from saltus.xml_places import Element, Reading, read_xml, root_of, turned

SIZES = {"box": ("size",), "sphere": ("radius",), "cylinder": ("radius", "length"), "capsule": ("radius", "length"), "cone": ("radius", "length"), "ellipsoid": ("radii",), "plane": (), "mesh": ()}
KINDS = {"revolute": "revolute", "continuous": "revolute", "prismatic": "prismatic", "fixed": "fixed", "ball": "ball", "universal": "revolute", "revolute2": "revolute", "screw": "revolute"}
READ = {
    "model": ("link", "joint", "frame", "model", "include", "pose", "static", "self_collide", "allow_auto_disable", "enable_wind"),
    "link": ("pose", "inertial", "collision", "visual", "gravity", "kinematic", "self_collide", "must_be_base_link", "enable_wind"),
    "joint": ("pose", "parent", "child", "axis", "axis2", "screw_thread_pitch", "thread_pitch"),
}
DEEPEST = 20  # files inside each other


@dataclass
class Frame:
    """Something with a pose: where it is in what; `parent` of the root is nothing."""

    at: Element
    path: str
    parent: str
    own: Pose


@dataclass
class Part:
    """A model of the file and its names as others see them: those of a nested model with its name before them."""

    element: Element
    prefix: str
    folder: Path
    static: bool = False


class SdfReader(Reading):
    """One file. Mistakes and what is left out are collected with their lines."""

    def __init__(self, file: Path, packages: Mapping[str, Path] | None = None):
        super().__init__()
        self.file = file
        self.meshes = Meshes(file, dict(packages or {}), schemes=("model", "package"))
        self.frames: dict[str, Frame] = {}
        self.solved: dict[str, Pose] = {"": NOWHERE}
        self.elements: dict[str, Element] = {}
        self.links: dict[str, Link] = {}
        self.parts: list[Part] = []
        self.joints: list[Joint] = []
        self.folders: dict[str, Path] = {}  # of the files that links come from
        self.still: dict[str, bool] = {}
        root = root_of(file, "sdf")
        self._version(root)
        worlds = list(root.all("world"))
        top = worlds[0] if worlds else root
        self._beside(root, top)
        self.gravity = self.parsed(top, (top.first("gravity") or Element("", {}, 0, text="0 0 -9.8")).text or "0 0 -9.8", "world/gravity", (0, 0, -9.8)) if worlds else np.array([0.0, 0.0, -9.81])
        models = [child for child in top.children if child.tag in ("model", "include")]
        if not models:
            self.fault(root, "model", "is missing", "a file has at least one <model>")
        for element in models:
            self._model(element, "", "" if len(models) == 1 else None, file.resolve().parent, (file.resolve(),))
        for part in self.parts:
            for element in part.element.all("joint") if not part.static else ():  # what is static stands still with its joints
                self._joint(element, part)
        check_inertias(self, self.links.values())
        self._stand()

    # Models, links and frames.

    def _version(self, root: Element) -> None:
        """Versions before 1.6 say places and axes differently."""
        said = root.attributes.get("version", "")
        if not (numbers := re.fullmatch(r"\s*(\d+)\.(\d+)(\.\d+)?\s*", said)):
            return self.fault(root, "sdf/version", f"is {g.short(said)}" if said else "is missing", 'write version="1.9", or that of the file')
        if (version := (int(numbers[1]), int(numbers[2]))) < (1, 6):
            self.fault(root, "sdf/version", f"is {said}: places and axes follow other rules before 1.6", "gz sdf -p FILE writes it in a later one")
        elif version > (1, 11):
            self.note(root, "sdf/version", f"is {said}, and read as 1.11")

    def _beside(self, root: Element, top: Element) -> None:
        """What stands beside the models of a file and of its world."""
        for child in top.children:
            if top.tag == "world" and child.tag in ("joint", "frame"):
                self.fault(child, f"world/{child.tag}", "stands in the world, which is not read", "write it in a model")
            elif child.tag not in ("model", "include", "gravity"):
                self.note(child, f"<{child.tag}>", "is not taken", kind=f"world/{child.tag}")
        for child in root.children if top is not root else ():
            if child is not top:
                self.note(child, f"<{child.tag}>", "is not taken: the first world is", kind=f"sdf/{child.tag}")

    def _model(self, element: Element, prefix: str, name: str | None, folder: Path, chain: tuple[Path, ...], outer: str = "", static: bool = False) -> None:
        """A model: its own frame, then what it holds. name "": its links have no prefix. static: what holds it stands still."""
        pose_at = static_at = element
        if "placement_frame" in element.attributes or element.first("placement_frame") is not None or element.attributes.get("merge") in ("true", "1"):
            return self.fault(element, f"<{element.tag}>", "has a placement_frame, or is merged, which is not read", "place it by its own frame")
        if element.tag == "include":
            found = self._included(element, chain, folder)
            if found is None:
                return
            inner, folder, chain = found
            pose_at, static_at = (element if element.first(word) is not None else inner for word in ("pose", "static"))
            given = (element.first("name") or Element("", {}, 0)).text.strip()
            called, element = given or inner.attributes.get("name", ""), inner
        else:
            called = element.attributes.get("name", "")
        called = clean(called)
        if not called:
            self.fault(element, "models", "has no name", 'write name="..."')
        here = f"{prefix}{called}" if prefix or name is None else called
        inside = f"{here}_" if name is None else ""
        frame = f"{inside}__model__"
        self._frame(frame, pose_at, f"models/{here}", outer, prefix)
        static = static or (static_at.first("static") or Element("", {}, 0)).text.strip() in ("true", "1")
        part = Part(element, inside, folder, static)
        self.parts.append(part)
        for child in element.children:
            label = clean(child.attributes.get("name", ""))
            path = f"{child.tag}s/{inside}{label}"
            if child.tag == "link":
                self._link(child, f"{inside}{label}", part, frame, path)
            elif child.tag == "frame":
                at = clean(child.attributes.get("attached_to", "").replace("::", "_"))
                self._frame(f"{inside}{label}", child, path, f"{inside}{at}" if at else frame, inside)
            elif child.tag == "joint":
                above = (child.first("child") or Element("", {}, 0)).text.strip().replace("::", "_")
                self._frame(f"{inside}{label}", child, path, f"{inside}{clean(above)}", inside)
            elif child.tag in ("model", "include"):
                self._model(child, inside, None, folder, chain, frame, static)
            elif child.tag not in READ["model"]:
                self.note(child, f"<{child.tag}>", "is not taken", kind=f"model/{child.tag}")

    def _included(self, element: Element, chain: tuple[Path, ...], folder: Path) -> tuple[Element, Path, tuple[Path, ...]] | None:
        """The model of another file, the folder of a package or a file."""
        name = (element.first("uri") or Element("", {}, 0)).text.strip()
        target = self.meshes.place(self, "include/uri", element, name)
        if target is None:
            return None
        if target.is_dir():
            config = target / "model.config"
            listed = [sdf.text.strip() for sdf in read_xml(config).all("sdf")] if config.is_file() else ["model.sdf"]
            target = (target / listed[-1]).resolve() if listed else target
        if target in chain:
            raise includes_itself("include", chain, target, element.file, element.line)
        if len(chain) > DEEPEST:
            raise ModelError(Fault("include", f"is one of more than {DEEPEST} files that include each other", "write them into fewer files", element.file, element.line))
        if not target.is_file():
            return self.fault(element, "include/uri", f"names {g.short(name)}, which is not there", "a model lies beside the file, or in a folder of packages=")
        root = read_xml(target)
        self._version(root)
        model = root.first("model")
        if model is None:
            return self.fault(element, "include/uri", f"names {name}, which holds no <model>")
        return model, target.parent, (*chain, target)

    def _frame(self, name: str, element: Element, path: str, parent: str, inside: str) -> None:
        """Registers a pose; relative_to names any frame of the same model."""
        if name in self.frames:
            return self.fault(element, path, f"is there already, at line {self.frames[name].at.line}", "give it another name")
        pose = element.first("pose")
        said = "" if pose is None else pose.attributes.get("relative_to", pose.attributes.get("frame", ""))
        if said:
            parent = "" if said == "world" else f"{inside}{clean(said.replace('::', '_'))}"
        self.frames[name] = Frame(element, path, parent, self.pose(element, path))

    def pose(self, element: Element, path: str) -> Pose:
        """<pose>: x y z and roll pitch yaw about the axes of the parent, or a quaternion."""
        pose = element.first("pose")
        if pose is None or not pose.text.strip():
            return NOWHERE
        if pose.attributes.get("rotation_format") == "quat_xyzw":
            p = self.parsed(pose, pose.text, f"{path}/pose", (0, 0, 0, 0, 0, 0, 1))
            x, y, z, w = p[3:] / (float(np.linalg.norm(p[3:])) or 1.0)
            angle = 2.0 * math.atan2(math.sqrt(x * x + y * y + z * z), w)
            length = math.sqrt(x * x + y * y + z * z) or 1.0
            return p[:3], g.rotation_matrix(angle / length * np.array([x, y, z]))
        p = self.parsed(pose, pose.text, f"{path}/pose", (0, 0, 0, 0, 0, 0))
        unit = math.pi / 180.0 if pose.attributes.get("degrees") in ("true", "1") else 1.0
        return p[:3], turned((p[3:] * unit).tolist(), "XYZ")

    def at(self, name: str, chain: tuple[str, ...] = ()) -> Pose:
        """Where a frame is in the world, as the file has it."""
        if name not in self.solved:
            frame = self.frames[name]
            if name in chain or len(chain) > 150:
                self.fault(frame.at, f"{frame.path}/pose", f"leads round in a circle of {', '.join(chain[-4:])}", "one of them stands on its own")
                return NOWHERE
            if frame.parent not in self.frames and frame.parent != "":
                self.fault(frame.at, f"{frame.path}/pose", f"is relative to {g.short(frame.parent)}, which is not there", g.near(frame.parent, list(self.frames)))
                self.solved[name] = frame.own
            else:
                self.solved[name] = moved(self.at(frame.parent, (*chain, name)), frame.own)
        return self.solved[name]

    def _link(self, element: Element, name: str, part: Part, frame: str, path: str) -> None:
        if not element.attributes.get("name", "").strip():
            self.fault(element, "links", "has no name", 'write name="..."')
        self._frame(name, element, path, frame, part.prefix)
        self.elements[name], self.still[name], self.folders[name] = element, part.static, part.folder
        self.links[name] = Link(name, element, path, self._inertial(element, path))
        for child in element.children:
            if child.tag not in READ["link"]:
                self.note(child, f"<{child.tag}>", "is not taken", kind=f"link/{child.tag}")

    def _value(self, element: Element | None, tag: str, path: str, default: float) -> float:
        child = None if element is None else element.first(tag)
        return default if child is None else float(self.parsed(child, child.text.strip().replace("inf", "1e16") or str(default), f"{path}/{tag}", (default,))[0])

    def _inertial(self, link: Element, path: str) -> Inertial:
        element = link.first("inertial")
        if element is None:
            return Inertial(1.0, np.zeros(3), np.eye(3))  # what the format says
        if element.attributes.get("auto") == "true":
            self.fault(element, f"{path}/inertial", "is to follow from the shapes, which is not read", "write mass and inertia")
        mass = self._value(element, "mass", f"{path}/inertial", 1.0)
        if not mass > 0.0:
            self.fault(element, f"{path}/inertial/mass", f"is {mass:g} kg, must be above 0")
        p, R = self.pose(element, f"{path}/inertial")
        about = element.first("inertia")
        xx, yy, zz, xy, xz, yz = (self._value(about, f"i{word}", f"{path}/inertial/inertia", 1.0 if word[0] == word[1] else 0.0) for word in ("xx", "yy", "zz", "xy", "xz", "yz"))
        return Inertial(mass, p, R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T)

    # Joints.

    def _ends(self, element: Element, part: Part, path: str) -> list[str] | None:
        ends = []
        for word in ("parent", "child"):
            said = (element.first(word) or Element("", {}, 0)).text.strip()
            name = WORLD if said == "world" and word == "parent" else f"{part.prefix}{clean(said.replace('::', '_'))}"
            while name in self.frames and name not in self.links and not name.endswith("__model__"):  # a frame stands on a link
                name = self.frames[name].parent
            if name != WORLD and name not in self.links:
                return self.fault(element, f"{path}/{word}", f"names the link {g.short(said)}, which is not there" if said else "is missing", g.near(said, list(self.links)))
            ends.append(name)
        if ends[0] == ends[1]:
            return self.fault(element, path, f"joins {ends[0]!r} to itself")
        return ends

    def _joint(self, element: Element, part: Part) -> None:
        name = f"{part.prefix}{clean(element.attributes.get('name', ''))}"
        path, kind = f"joints/{name}", element.attributes.get("type", "")
        if kind == "gearbox":
            return self.note(element, path, "is a gearbox, and not taken", "couple its two joints by m.gear")
        if kind not in KINDS:
            return self.fault(element, f"{path}/type", f"is {g.short(kind)}", g.near(kind, list(KINDS)) or f"it is one of {', '.join(KINDS)}")
        ends = self._ends(element, part, path)
        if ends is None:
            return
        for child in element.children:
            if child.tag not in READ["joint"]:
                self.note(child, f"<{child.tag}>", "is not taken", kind=f"joint/{child.tag}")
        above, below, here = NOWHERE if ends[0] == WORLD else self.at(ends[0]), self.at(ends[1]), self.at(name)
        place: Pose = above[1].T @ (below[0] - above[0]), above[1].T @ below[1]
        anchor = below[1].T @ (here[0] - below[0])
        axes = [element.first("axis")] + ([element.first("axis2")] if kind in ("universal", "revolute2") else [])
        made = []
        for i, axis in enumerate(axes):
            joint = Joint(name if i == 0 else f"{name}_2", KINDS[kind], ends[0], ends[1], element, path, place, anchor)
            if kind not in ("fixed", "ball"):
                self._axis(joint, axis, part, name, below, f"{path}/{'axis' if i == 0 else 'axis2'}", kind)
            made.append(joint)
        if kind == "fixed":
            made[0].name = ""
        if len(made) == 2:
            made[0].child = between = f"{name}_cross"
            self.links[between] = Link(between, element, path)
            made[1].parent, made[1].place = between, NOWHERE
        if kind == "screw":
            pitch = element.first("screw_thread_pitch")
            lead = self._value(element, "screw_thread_pitch", path, 0.0) if pitch is not None else -2.0 * math.pi / (self._value(element, "thread_pitch", path, 0.0) or math.inf)
            slide = Joint(f"{name}_slide", "prismatic", ends[0], f"{name}_nut", element, path, place, axis=made[0].axis)
            self.links[slide.child] = Link(slide.child, element, path)
            made[0].parent, made[0].place = slide.child, NOWHERE
            slide.mimic = Mimic(element, made[0].name, lead / (2.0 * math.pi), 0.0)
            made.insert(0, slide)
        self.joints += made

    def _axis(self, joint: Joint, axis: Element | None, part: Part, name: str, below: Pose, path: str, kind: str) -> None:
        """Axis, limits, damping, friction, spring and coupling of a coordinate."""
        xyz = None if axis is None else axis.first("xyz")
        vector = np.array([0.0, 0.0, 1.0]) if xyz is None else self.parsed(xyz, xyz.text, f"{path}/xyz", (0, 0, 1))
        length = float(np.linalg.norm(vector))
        if not length > 0.0:
            self.fault(xyz or joint.at, f"{path}/xyz", "has length zero")
            vector, length = np.array([0.0, 0.0, 1.0]), 1.0
        said = "" if xyz is None else xyz.attributes.get("expressed_in", "")
        frame = name if not said else f"{part.prefix}{clean(said.replace('::', '_'))}"
        if said == "__model__" or axis is not None and (axis.first("use_parent_model_frame") or Element("", {}, 0)).text.strip() in ("true", "1"):
            frame = f"{part.prefix}__model__"
        if frame not in self.frames and said != "world":
            return self.fault(xyz or joint.at, f"{path}/xyz", f"is expressed in {g.short(said)}, which is not there", g.near(said, list(self.frames)))
        joint.axis = below[1].T @ ((np.eye(3) if said == "world" else self.at(frame)[1]) @ (vector / length))
        limit, dynamics, mimic = (None if axis is None else axis.first(word) for word in ("limit", "dynamics", "mimic"))
        if limit is not None and kind != "continuous":
            low, high = self._value(limit, "lower", f"{path}/limit", -1e16), self._value(limit, "upper", f"{path}/limit", 1e16)
            if low > high:
                self.fault(limit, f"{path}/limit", f"is {low:g} to {high:g}: the lower one must be below the upper one")
            elif low == high:
                if low or kind == "screw":
                    self.fault(limit, f"{path}/limit", f"is {low:g} to {high:g}: it leaves no range", "write a fixed joint")
                joint.name, joint.kind = "" if kind != "screw" else joint.name, "fixed"
            elif low > -1e15 and high < 1e15:
                joint.limits, joint.limits_at = (low, high), (limit, f"{path}/limit")
            elif low > -1e15 or high < 1e15:
                joint.limits, joint.limits_at = (max(low, -1e6), min(high, 1e6)), (limit, f"{path}/limit")
        words = {"damping": "damping", "friction": "friction", "spring_stiffness": "stiffness", "spring_reference": "rest"}
        for word, target in words.items():
            value = self._value(dynamics, word, f"{path}/dynamics", 0.0)
            if value < 0.0 and target != "rest":
                self.fault(dynamics or joint.at, f"{path}/dynamics/{word}", f"is {value:g}, must be at least 0")
            setattr(joint, target, value)
        if mimic is not None:
            ratio, offset, reference = (self._value(mimic, word, f"{path}/mimic", default) for word, default in (("multiplier", 1.0), ("offset", 0.0), ("reference", 0.0)))
            joint.mimic = Mimic(mimic, f"{part.prefix}{clean(mimic.attributes.get('joint', ''))}", ratio, offset - ratio * reference)

    def _stand(self) -> None:
        """Puts joints in the order of the tree; links of static models are fixed in the world, others that no joint carries are free."""
        if self.faults:
            self.carried: list[Joint] = []
            return
        held = {joint.child for joint in self.joints}
        for name in list(self.elements):
            if name not in held:
                joint = Joint("", "fixed" if self.still[name] else "floating", WORLD, name, self.elements[name], self.links[name].path, self.at(name))
                self.joints.append(joint)
        above = {joint.child: joint for joint in reversed(self.joints)}
        self.carried = [above[name] for name in ordered(self, self.links, self.joints) if name in above]

    # What the model gets.

    def engine(self) -> _core.Model:
        """The model; ModelError with all mistakes of the file."""
        self.check()
        tree = Tree(self, self.links, self.carried, "world_tree")
        for name, element in self.elements.items():
            if (element.first("gravity") or Element("", {}, 0)).text.strip() in ("false", "0"):
                tree.lift(name, 1.0, self.gravity)
            for collision in element.all("collision"):
                self._collision(tree, name, collision)
        self.check()
        return _core.Model.parse(json.dumps({"saltus": 1, "title": self.parts[0].element.attributes.get("name", ""), "gravity": self.gravity.tolist(), **tree.records()}), "")

    def _shape(self, element: Element, path: str) -> tuple[Element, str, dict[str, Any]] | None:
        """(element, type, sizes) of a geometry."""
        geometry = element.first("geometry")
        shape = geometry.children[0] if geometry is not None and geometry.children else None
        if shape is None or shape.tag == "empty":
            return None if shape is not None else self.fault(element, path, "has no <geometry>")
        if shape.tag not in SIZES:
            return self.note(shape, path, f"is a {shape.tag}, and not taken", kind=f"a {shape.tag}")
        sizes: dict[str, Any] = {}
        for word in SIZES[shape.tag]:
            child = shape.first(word)
            default = (1.0, 1.0, 1.0) if word in ("size", "radii") else (1.0,)
            values = np.array(default) if child is None else self.parsed(child, child.text, f"{path}/{shape.tag}/{word}", default)
            if not np.all(values > 0.0):
                self.fault(child or shape, f"{path}/{shape.tag}/{word}", f"is {'' if child is None else child.text.strip()}, must be above 0 m")
            if word == "radii":
                sizes["size"] = (2.0 * values).tolist()
            else:
                sizes[{"length": "height"}.get(word, word) if shape.tag == "cone" else word] = values.tolist() if word == "size" else float(values[0])
        return shape, shape.tag, sizes

    def _mesh(self, shape: Element, path: str, name: str) -> dict[str, Any] | None:
        uri, scale = shape.first("uri"), shape.first("scale")
        if uri is None:
            return self.fault(shape, f"{path}/mesh", "has no <uri>")
        factor = np.ones(3) if scale is None else self.parsed(scale, scale.text, f"{path}/mesh/scale", (1, 1, 1))
        self.meshes.file = self.folders[name] / self.file.name
        return self.meshes.mesh(self, path, shape, uri.text.strip(), factor)

    def _collision(self, tree: Tree, name: str, element: Element) -> None:
        path = f"links/{name}/collision"
        found = self._shape(element, path)
        if found is None:
            return
        shape, kind, sizes = found
        place = self.pose(element, path)
        if kind == "mesh":
            mesh = self._mesh(shape, path, name)
            corners = None if mesh is None else hull_of(self, path, shape, (shape.first("uri") or shape).text.strip(), np.array(mesh["points"]))
            if corners is None:
                return
            kind, sizes = "hull", {"points": corners.tolist()}
        elif kind == "cone":
            place = place[0] - place[1] @ (0.0, 0.0, 0.25 * sizes["height"]), place[1]  # theirs has its middle at half its height
        elif kind == "plane" and (normal := shape.first("normal")) is not None:
            n = self.parsed(normal, normal.text, f"{path}/plane/normal", (0, 0, 1))
            place = place[0], place[1] @ g.basis_with_z(n / (float(np.linalg.norm(n)) or 1.0))
        tree.shape(f"{name}_collision", name, place, kind, sizes)

    def looks(self) -> dict[str, dict[str, Any]]:
        """What links with visuals look like, in their axes."""
        out = {}
        for name, link in self.elements.items():
            parts = []
            for element in link.all("visual"):
                found = self._shape(element, f"links/{name}/visual")
                if found is not None and found[1] != "plane":
                    made = self._mesh(found[0], f"links/{name}/visual", name) if found[1] == "mesh" else surface(found[1], found[2])
                    place = self.pose(element, f"links/{name}/visual")
                    if found[1] == "cone":
                        place = place[0] - place[1] @ (0.0, 0.0, 0.25 * found[2]["height"]), place[1]
                    parts.append((made, place))
            if look := look_of(parts):
                out[name] = look
        self.check()
        return out

    def unseen(self) -> None:
        """Notes what only sl.read_sdf draws."""
        for name, element in self.elements.items():
            if (visual := element.first("visual")) is not None:
                self.note(visual, f"links/{name}/visual", "is not drawn here: shapes for contact are", "sl.read_sdf takes what links look like", kind="visual")

