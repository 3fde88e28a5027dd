"""A model inside another: its items under a prefix, its places moved and turned. Works on the tree of a model file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from saltus.geometry import refuse, rotation_matrix, rotation_vector, short

SECTIONS = ("nodes", "bodies", "markers", "connectors", "joints", "relations", "laws", "loads", "sensors")
REFERENCES = ("body", "node", "joint", "marker", "item")
FORMULAS = ("number", "numbers", "vector3", "matrix", "matrix3", "function", "function_matrix", "integer")
WORD = re.compile(r"(?<![\w.])[^\W\d]\w*")
BRACES = re.compile(r"\{([^{}.]+)(?=[.}])")
# Fields in world axes: points move and turn, vectors turn, rotations are turned.
POINTS = {**dict.fromkeys(("node_point", "node_point_2d", "node_rigid", "node_rigid_2d"), ("position",))}
VECTORS = {"node_point": ("displacement", "velocity"), "node_point_2d": ("displacement", "velocity"), "node_rigid": ("displacement", "velocity", "angular_velocity"),
           "node_rigid_2d": ("displacement", "velocity")}  # fmt: skip
ROTATIONS = {"node_rigid": ("rotation",)}
LOADS = {"force": "force", "torque": "torque"}
WORLD_AXES = {"cartesian_spring_damper": "its stiffness is along the axes of the world; use a bushing"}
WORLD_PLACE = {name: "its functions are of places in the world" for name in ("user_force", "user_relation", "user_rate_relation")}
FLAT = ("node_point_2d", "node_rigid_2d")


@cache
def _types() -> dict[tuple[str, str], dict[str, Any]]:
    from saltus import _core

    return {(entry["family"], entry["name"]): {"ports": {p["name"]: p["kind"] for p in entry.get("ports") or ()}, "fields": {f["name"]: f["kind"] for f in entry["fields"]}}
            for entry in _core.items()}  # fmt: skip


def port_kinds(section: str, kind: str) -> dict[str, str]:
    """What the ports of an item name: {"A": "frame", ...}."""
    return _types().get((section, kind), {"ports": {}})["ports"]


@dataclass
class Placement:
    """prefix: of all names, with its `_`. p (3) [m], R (3, 3): where the origin and the axes of the sub-model stand. parameters: values instead of its own."""

    prefix: str
    p: np.ndarray = field(default_factory=lambda: np.zeros(3))
    R: np.ndarray = field(default_factory=lambda: np.eye(3))
    parameters: dict[str, Any] = field(default_factory=dict)

    @property
    def turned(self) -> bool:
        return bool(np.any(self.R != np.eye(3)))

    @property
    def moved(self) -> bool:
        return self.turned or bool(np.any(self.p))


def placed(tree: dict[str, Any], where: Placement) -> dict[str, Any]:
    """The tree under its prefix, moved and turned; gravity and settings of runs are those of the model that includes it."""
    return _Placer(tree, where).tree()


class _Placer:
    def __init__(self, tree: dict[str, Any], where: Placement):
        self.source, self.where = tree, where
        self.items = {name for section in (*SECTIONS, "controllers") for name in tree.get(section, {})}
        self.symbols = {name for section in ("parameters", "tables") for name in tree.get(section, {})}
        unknown = [name for name in where.parameters if name not in tree.get("parameters", {})]
        if unknown:
            known = list(tree.get("parameters", {}))
            refuse(f"include/{where.prefix.rstrip('_')}/parameters/{unknown[0]}", "is not a parameter of the model that is included", f"it has {', '.join(known) or 'none'}")

    def tree(self) -> dict[str, Any]:
        out: dict[str, Any] = {}
        own = {name: self.formula(value) for name, value in self.source.get("parameters", {}).items()}
        given = {name: ({**own[name], "value": value} if isinstance(own[name], dict) else value) for name, value in self.where.parameters.items()}
        out["parameters"] = self.renamed({**own, **given})
        out["tables"] = self.renamed(self.source.get("tables", {}))
        for section in SECTIONS:
            out[section] = {self.where.prefix + name: self.record(section, name, fields) for name, fields in self.source.get(section, {}).items()}
        out["controllers"] = {self.where.prefix + name: self.controller(fields) for name, fields in self.source.get("controllers", {}).items()}
        out["outputs"] = {self.where.prefix + name: self.path(path) for name, path in self.source.get("outputs", {}).items()}
        return {key: value for key, value in out.items() if value}

    def renamed(self, entries: dict[str, Any]) -> dict[str, Any]:
        return {self.where.prefix + name: value for name, value in entries.items()}

    # Names.

    def name(self, text: str) -> str:
        """A name of an item; "rod.node" is the node inside a body."""
        first, dot, rest = text.partition(".")
        return f"{self.where.prefix}{first}{dot}{rest}" if first in self.items else text

    def formula(self, value: Any) -> Any:
        """An expression with its parameters and tables renamed; lists and dicts entry by entry."""
        return _texts(value, lambda text: WORD.sub(lambda m: self.where.prefix + m[0] if m[0] in self.symbols else m[0], text))

    def path(self, value: Any) -> Any:
        """A quantity `rod.position.x`, or a formula of quantities."""

        def renamed(text: str) -> str:
            text = BRACES.sub(lambda m: "{" + self.name(m[1]), text)
            return WORD.sub(lambda m: self.where.prefix + m[0] if m[0] in self.items or m[0] in self.symbols else m[0], text)

        return _texts(value, renamed)

    def controller(self, fields: dict[str, Any]) -> dict[str, Any]:
        out = dict(fields)
        for key, value in fields.items():
            if key == "inputs":
                out[key] = {name: self.path(path) for name, path in value.items()} if isinstance(value, dict) else self.path(value)
            elif key == "outputs":
                out[key] = self.path(value)
            elif key not in ("period", "initial"):
                inputs = fields.get("inputs", {})
                hidden = self.symbols & set(inputs if isinstance(inputs, dict) else ())
                self.symbols -= hidden
                out[key] = self.formula(value)
                self.symbols |= hidden
        return out

    # Records.

    def record(self, section: str, name: str, fields: dict[str, Any]) -> dict[str, Any]:
        if not isinstance(fields, dict):
            return fields
        kind = fields.get("type", "")
        known = _types().get((section, kind), {"ports": {}, "fields": {}})
        self.refuse_world(section, name, kind, fields)
        out: dict[str, Any] = {}
        if kind == "kinematic_tree" and self.where.moved:
            fields = {"base": "ground", **fields}
        for key, value in fields.items():
            port = known["ports"].get(key)
            if key == "node" and isinstance(value, dict) and "type" in value:
                out[key] = self.record("nodes", f"{name}.node", value)
            elif port is not None:
                out[key] = self.port(port, value, known["ports"], f"{section}/{name}/{key}")
            elif known["fields"].get(key) in FORMULAS:
                out[key] = self.formula(value)
            else:
                out[key] = value
        self.place(section, name, kind, out)
        return out

    def refuse_world(self, section: str, name: str, kind: str, fields: dict[str, Any]) -> None:
        path = f"include/{self.where.prefix.rstrip('_')}/{section}/{name}"
        if self.where.turned and kind in WORLD_AXES:
            refuse(path, f"is a {kind}, which cannot be turned: {WORLD_AXES[kind]}")
        if self.where.moved and kind in WORLD_PLACE and fields.get("frames"):
            refuse(path, f"is a {kind}, which cannot be moved: {WORLD_PLACE[kind]}", "include it at the origin, or write the item in the model itself")
        if kind in FLAT and np.any(self.where.R[2] != (0.0, 0.0, 1.0)):
            refuse(f"include/{self.where.prefix.rstrip('_')}/rotation", "turns a planar model out of its plane", "turn it about z")

    def port(self, kind: str, value: Any, ports: dict[str, str], path: str) -> Any:
        if kind == "point":
            return self.point(value, path) if isinstance(value, list) else self.reference(value, path)
        if kind == "direction":
            return self.vector([float(c == value) for c in "xyz"] if value in ("x", "y", "z") else self.formula(value), path) if self.where.turned else self.formula(value)
        if kind == "rotation":
            return self.rotation(value, path)
        if kind == "law":
            return self.record("laws", path, value) if isinstance(value, dict) else self.name(value) if isinstance(value, str) else value
        if isinstance(value, list):
            return [self.port(kind, entry, ports, path) for entry in value]
        if kind == "frame" and value == "ground":
            return value if "point" in ports.values() or not self.where.moved else self.ground()
        return self.reference(value, path, frame=kind in ("frame", "marker"))

    def ground(self) -> dict[str, Any]:
        """The frame of the sub-model's origin."""
        turn = {"rotation": rotation_vector(self.where.R).tolist()} if self.where.turned else {}
        return {"body": "ground", "at": self.where.p.tolist(), **turn}

    def reference(self, value: Any, path: str, frame: bool = True) -> Any:
        """What a record names: a name, or {"body": ..., "at": ..., "rotation": ...}."""
        if isinstance(value, str):
            return self.name(value)
        if not isinstance(value, dict):
            return value
        if self.where.moved and "coordinate" in value and self.node_type(value) in POINTS:
            refuse(f"include/{path}", "names a coordinate of a node in space, which is along an axis of the world", "include the model at the origin, or use a joint or a spring between frames")
        out = {key: self.reference(entry, path, frame) if key in REFERENCES else self.formula(entry) for key, entry in value.items()}
        on_ground = frame and value.get("body") == "ground"
        if "at" in out and isinstance(out["at"], list):
            out["at"] = self.point(value["at"], f"{path}/at")
        elif on_ground and self.where.moved:
            out["at"] = self.point(out.pop("local", [0.0, 0.0, 0.0]), f"{path}/local", known=True)
        if on_ground and self.where.turned:
            out["rotation"] = self.rotation(value.get("rotation", [0.0, 0.0, 0.0]), f"{path}/rotation")
        return out

    def node_type(self, reference: dict[str, Any]) -> str:
        """Type of the node whose coordinate is named."""
        name = next((reference[key] for key in REFERENCES if isinstance(reference.get(key), str)), "")
        first, _, rest = name.partition(".")
        nodes, bodies = self.source.get("nodes", {}), self.source.get("bodies", {})
        node = nodes.get(name) or bodies.get(first, {}).get("node", {})
        node = nodes.get(node, {}) if isinstance(node, str) else node
        return str(node.get("type", "")) if isinstance(node, dict) else ""

    def place(self, section: str, name: str, kind: str, out: dict[str, Any]) -> None:
        """Moves and turns the fields in world axes."""
        path = f"{section}/{name}"
        for key in POINTS.get(kind, ()) if section == "nodes" else ():
            if key in out or self.where.moved:
                out[key] = self.point(out.get(key, [0.0, 0.0, 0.0]), f"{path}/{key}", known=True)
        if not self.where.moved:
            return
        for key in (*(VECTORS.get(kind, ()) if section == "nodes" else ()), *((LOADS[kind],) if section == "loads" and kind in LOADS and out.get("axes", "world") == "world" else ())):
            if key in out:
                out[key] = self.vector(out[key], f"{path}/{key}")
        for key in ROTATIONS.get(kind, ()) if section == "nodes" else ():
            if key in out or self.where.turned:
                out[key] = self.rotation(out.get(key, [0.0, 0.0, 0.0]), f"{path}/{key}")
        if kind == "node_rigid_2d" and self.where.turned:
            angle, about = out.get("angle", 0.0), float(np.arctan2(self.where.R[1, 0], self.where.R[0, 0]))
            out["angle"] = angle + about if isinstance(angle, (int, float)) else f"({angle}) + {about!r}"
        if section == "markers" and out.get("body") == self.ground() and ("position" in out or "rotation" in out or kind == "frame"):
            # A marker on the ground keeps its fields, in world axes: readers take its place from them.
            out["body"] = "ground"
            out["position"] = self.point(out.get("position", [0.0, 0.0, 0.0]), f"{path}/position", known=True)
            if self.where.turned or "rotation" in out:
                out["rotation"] = self.rotation(out.get("rotation", [0.0, 0.0, 0.0]), f"{path}/rotation")

    def point(self, value: Any, path: str, known: bool = False) -> Any:
        """R x + p; known: its names are those of the model that includes it already."""
        value = value if known else self.formula(value)
        return self._linear(value, self.where.p, path) if self.where.moved else value

    def vector(self, value: Any, path: str) -> Any:
        return self._linear(value, np.zeros(3), path) if self.where.turned else value

    def _linear(self, value: Any, offset: np.ndarray, path: str) -> Any:
        if not isinstance(value, list) or len(value) != 3 or not all(isinstance(x, (int, float, str)) for x in value):
            refuse(f"include/{path}", f"is {short(value)}, expected 3 numbers or expressions", "write them out, so that they can be turned")
        if all(isinstance(x, (int, float)) for x in value):
            return (self.where.R @ np.array(value, dtype=float) + offset).tolist()
        return [_sum(row, value, c) for row, c in zip(self.where.R.tolist(), offset.tolist(), strict=True)]

    def rotation(self, value: Any, path: str) -> Any:
        value = self.formula(value)
        if not self.where.turned:
            return value
        if not isinstance(value, list) or not all(isinstance(x, (int, float)) for x in value):
            refuse(f"include/{path}", f"is {short(value)}, which cannot be turned: expected 3 numbers", "write the rotation vector as numbers, or include the model unturned")
        return rotation_vector(self.where.R @ rotation_matrix(np.array(value, dtype=float))).tolist()


def _sum(row: list[float], values: list[Any], offset: float) -> Any:
    """row . values + offset as a number or an expression."""
    constant = offset + sum(r * x for r, x in zip(row, values, strict=True) if isinstance(x, (int, float)))
    terms = [f"({x})" if r == 1.0 else f"{r!r}*({x})" for r, x in zip(row, values, strict=True) if isinstance(x, str) and r != 0.0]
    return constant if not terms else " + ".join([*terms, *([repr(constant)] if constant else [])])


def _texts(value: Any, change: Callable[[str], str]) -> Any:
    """A value with each of its texts changed; keys stay."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [_texts(entry, change) for entry in value]
    if isinstance(value, dict):
        return {key: _texts(entry, change) for key, entry in value.items()}
    return value


def merged(tree: dict[str, Any], parts: Iterator[dict[str, Any]]) -> dict[str, Any]:
    """The tree with the entries of placed sub-models behind its own; ModelError where a name is there twice."""
    out = {key: dict(value) if isinstance(value, dict) else value for key, value in tree.items() if key != "include"}
    taken = {name: section for section in SECTIONS for name in out.get(section, {})}
    for part in parts:
        for section, entries in part.items():
            held = out.setdefault(section, {})
            for name, value in entries.items():
                if name in held or (section in SECTIONS and name in taken):
                    refuse(f"{section}/{name}", "is there twice, once of a model that is included", "include it under another name")
                held[name] = value
                if section in SECTIONS:
                    taken[name] = section
    return out


def names_in(value: Any) -> list[str]:
    """Items that a port names: "rod", "rod.node", {"body": "rod", ...}, or a list of such."""
    if isinstance(value, str):
        return [value, value.partition(".")[0]]
    if isinstance(value, dict):
        return [name for key in REFERENCES if key in value for name in names_in(value[key])]
    if isinstance(value, (list, tuple)):
        return [name for entry in value for name in names_in(entry)]
    return []
