"""Where the records of a model say that things are: references such as {"body": "rod", "at": [1, 0, 0]} as frames."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from saltus import _core
from saltus.geometry import along_screw, basis_with_x, rotation_matrix, screw
from saltus.rotations import Rotation, quaternion_of
from saltus.view.pictures import picture, picture_of

GROUND = -1


@dataclass
class Place:
    """A frame fixed to the moving frame `frame` (GROUND: to the world): p (3) [m] and R (3, 3) from there."""

    frame: int
    p: np.ndarray
    R: np.ndarray

    def json(self) -> list[Any]:
        return [self.frame, *(round(float(x), 9) for x in self.p), *(round(float(x), 9) for x in quaternion_of(self.R))]


class Places:
    """The moving frames of a model, in the order of its nodes, and what its records refer to."""

    def __init__(self, model: _core.Model, system: _core.System):
        self._model = model
        self.records: dict[str, dict[str, Any]] = {name: dict(model.record(name)) for _, _, name in model.records()}
        self.nodes: list[str] = []
        self.plane: list[bool] = []  # whether a frame stays in a plane parallel to x-y
        self.reference: list[tuple[np.ndarray, np.ndarray]] = []  # (p, R) of each frame in the reference position
        self._of: dict[str, int] = {}
        nodes = {name: kind for section, kind, name in system.items() if section == "nodes"}
        links = {name for section, kind, name in system.items() if section == "bodies" and picture(section, kind).shape == "link"}
        for (name, plane), pose in zip(system.frame_names(), system.reference_frames()):
            if name in nodes or name in links:
                self._add(name, plane, pose[:3], Rotation.of_quaternion(pose[3:]).matrix)
        line = [name for name, kind in nodes.items() if picture("nodes", kind).shape == "line"]
        self.on_line = not self.nodes and len(line) <= 200
        for name in line if self.on_line else ():
            self._add(name, False, np.array([self.number(self.node_fields(name).get("coordinate", 0.0)), 0.0, 0.0]), np.eye(3))
        for name, record in self.records.items():
            node = record["fields"].get("node")
            if record["section"] != "bodies" or node is None or picture_of(record).shape == "link":
                continue
            key = node if isinstance(node, str) else f"{name}.node" if "type" in node else node.get("node", "")
            if key in self._of:
                self._of[name] = self._of[key]

    def _add(self, name: str, plane: bool, p: np.ndarray, R: np.ndarray) -> None:
        self._of[name] = len(self.nodes)
        self.nodes.append(name)
        self.plane.append(plane)
        self.reference.append((p, R))

    def node_fields(self, name: str) -> dict[str, Any]:
        """Fields of a node by its name; a node written inside its body is `body.node`."""
        if name in self.records:
            return self.records[name]["fields"]
        node = self.records.get(name.rpartition(".")[0], {"fields": {}})["fields"].get("node", {})
        return node if isinstance(node, dict) else {}

    def number(self, value: Any) -> float:
        """A number, or the value of an expression of the model's parameters."""
        if isinstance(value, str):
            return float(self._model.expression(value, [], np.zeros((1, 0)))[0])
        return float(value)

    def along(self, value: Any, words: list[str], at: np.ndarray) -> np.ndarray:
        """A number, or an expression of inputs by their names, at values of them (n, inputs)."""
        if isinstance(value, str):
            return np.asarray(self._model.expression(value, words, np.ascontiguousarray(at)))
        return np.full(len(at), float(value))

    def vector(self, value: Any, default=(0.0, 0.0, 0.0)) -> np.ndarray:
        """(3) of a list of numbers or expressions."""
        if value is None or isinstance(value, str):
            return np.array(default, dtype=float)
        return np.array([self.number(entry) for entry in value], dtype=float)

    def frame_of(self, name: str) -> int | None:
        """Number of the frame of a node or body; GROUND for the ground, None where it has no place."""
        return GROUND if name == "ground" else self._of.get(name)

    def place(self, reference: Any) -> Place | None:
        """The frame that a reference names; None where it names a coordinate."""
        if not isinstance(reference, (str, dict)):
            return None
        inside = reference if isinstance(reference, dict) else {}
        if "joint" in inside:  # its motion is a coordinate
            return None
        name = next((inside[key] for key in ("body", "node", "marker", "item") if key in inside), "ground") if inside else reference
        if isinstance(name, dict):
            base = self.place(name)
        elif name in self.records and self.records[name]["section"] == "markers":
            fields = self.records[name]["fields"]
            base = self.place(fields["body"]) if "body" in fields else self._on_beam(fields) if "beam" in fields else None
            base = base and self._moved(base, self.vector(fields.get("position")), self.vector(fields.get("rotation")))
        else:
            frame = self.frame_of(name) if isinstance(name, str) else None
            base = None if frame is None else Place(frame, np.zeros(3), np.eye(3))
        if base is None or not inside or "coordinate" in inside:
            return base if "coordinate" not in inside else None
        base = self._moved(base, self.vector(inside.get("local")), self.vector(inside.get("rotation")))
        if "at" in inside:
            return self.at_world(base, self.vector(inside["at"]), self.world(base)[1])
        return base

    def _on_beam(self, fields: dict[str, Any]) -> Place | None:
        """A point of a beam, drawn as if it were fixed to the nearer end of its element."""
        ends = self.pair(self.records[fields["beam"]]["fields"])
        if ends is None:
            return None
        xi = self.number(fields["xi"])
        (p, R), (q, S) = (self.world(end) for end in ends)
        x, turn = along_screw(*screw(R.T @ (q - p), R.T @ S), xi)
        return self.at_world(ends[round(xi)], p + R @ x, R @ turn)

    def pair(self, fields: dict[str, Any]) -> tuple[Place, Place] | None:
        """Both frames of a joint, moved to where `at`, `axis` or `rotation` say in the reference position."""
        A, B = self.place(fields.get("A")), self.place(fields.get("B"))
        if A is None or B is None:
            return None
        at = fields.get("at") if np.ndim(fields.get("at")) or isinstance(fields.get("at"), (str, dict)) else None
        if at is None and not any(key in fields for key in ("axis", "rotation")):
            return A, B
        p, R = self.world(B)
        if at is not None:
            given = self.place(at)
            p = self.world(given)[0] if given else self.vector(at)
        if "axis" in fields:
            R = basis_with_x(self.direction(fields["axis"]))[:, [1, 2, 0]]
        if "rotation" in fields:
            R = rotation_matrix(self.vector(fields["rotation"]))
        return self.at_world(A, p, R), self.at_world(B, p, R)

    def direction(self, axis: Any) -> np.ndarray:
        """Unit vector (3) of "x", "-z" or three numbers."""
        if isinstance(axis, str):
            unit = np.eye(3)["xyz".index(axis[-1])]
            return -unit if axis.startswith("-") else unit
        vector = self.vector(axis)
        return vector / np.linalg.norm(vector)

    def world(self, place: Place) -> tuple[np.ndarray, np.ndarray]:
        """(p, R) in the world, in the reference position."""
        if place.frame == GROUND:
            return place.p, place.R
        p, R = self.reference[place.frame]
        return p + R @ place.p, R @ place.R

    def at_world(self, place: Place, p: np.ndarray, R: np.ndarray) -> Place:
        """The frame on the same node whose place in the world, in the reference position, is (p, R)."""
        if place.frame == GROUND:
            return Place(GROUND, p, R)
        p0, R0 = self.reference[place.frame]
        return Place(place.frame, R0.T @ (p - p0), R0.T @ R)

    @staticmethod
    def _moved(base: Place, p: np.ndarray, turn: np.ndarray) -> Place:
        return Place(base.frame, base.p + base.R @ p, base.R @ rotation_matrix(turn))


def turned(q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Vectors v (..., 3) turned by unit quaternions q (..., 4)."""
    w, u = q[..., :1], q[..., 1:]
    t = 2.0 * np.cross(u, v)
    return v + w * t + np.cross(u, t)
