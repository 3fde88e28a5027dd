"""What the rows of a joint hold and what the velocities of a node are, by name. Rows: displacements x, y, z and rotations rx, ry, rz in the joint's axes, as `m.generic` has them; z is its axis."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from saltus.errors import Fault, ModelError

_MOVES, _TURNS = ("x", "y", "z"), ("rx", "ry", "rz")
ROWS = {  # by type, in the order of the rows in src/saltus/items/joints
    "fixed": _MOVES + _TURNS,
    "revolute": (*_MOVES, "ry", "rx"),
    "rough_revolute": (*_MOVES, "ry", "rx"),
    "prismatic": ("x", "y", *_TURNS),
    "rough_prismatic": ("x", "y", *_TURNS),
    "cylindrical": ("x", "y", "ry", "rx"),
    "spherical": _MOVES,
    "planar_revolute": ("x", "y"),
}


def row_name(record: dict[str, Any], number: int) -> str:
    """The name of a row of an item, or its number."""
    names = ROWS.get(record["type"], ())
    return names[number] if number < len(names) else str(number)


_ALONG, _ABOUT = tuple(f"velocity along {x}" for x in _MOVES), tuple(f"angular velocity about its {x}" for x in _MOVES)
VELOCITIES = {"node_point": _ALONG, "node_rigid": _ALONG + _ABOUT, "node_rotation": _ABOUT, "node_pose": _ALONG + _ABOUT, "node_point_2d": _ALONG[:2], "node_rigid_2d": (*_ALONG[:2], "angular velocity")}  # by type of node


def by_name(engine: Any, text: str) -> str:
    """A message of the engine with velocities of nodes and rows of joints by name in place of their numbers."""

    def record(name: str) -> dict[str, Any]:
        try:
            return engine.record(name)
        except ModelError:
            return {"type": "", "fields": {}}

    def velocity(match: re.Match[str]) -> str:
        owner = match[2].removesuffix(".node")
        node = record(owner)["fields"].get("node") if owner != match[2] else record(owner)
        names = VELOCITIES.get(node["type"], ()) if isinstance(node, dict) else ()
        return f"{names[int(match[1])]} of '{owner}'" if int(match[1]) < len(names) else match[0]

    text = re.sub(r"velocity (\d+) of node '([^']+)'", velocity, text)
    return re.sub(r"row (\d+) of '([^']+)'", lambda match: f"row {row_name(record(match[2]), int(match[1]))} of '{match[2]}'", text)


def of_joints(engine: Any, faults: Sequence[Fault]) -> list[Fault]:
    """Faults of relations that are joints at their place in the model, rows by name."""
    sections = {name: section for section, _, name in engine.records()} if faults else {}
    faults = [_of_joint(engine, fault) if _owner(fault, sections) else fault for fault in faults]
    return [replace(fault, message=by_name(engine, fault.message)) for fault in faults]


def _owner(fault: Fault, sections: dict[str, str]) -> bool:
    section, _, rest = fault.path.partition("/")
    return section == "relations" and sections.get(rest.split("/")[0]) == "joints"


def _of_joint(engine: Any, fault: Fault) -> Fault:
    path = fault.path.replace("relations/", "joints/", 1)
    record = engine.record(path.split("/")[1])

    def named(match: re.Match[str]) -> str:
        words = [row_name(record, int(number)) for number in match[2].split(", ")]
        axes = " (in its axes, z along it)" if record["type"] in ROWS else ""
        return f"{match[1]} {', '.join(words)}{axes} {match[3]} redundant"

    return replace(fault, path=path, message=re.sub(r"^(rows?) ([\d, ]+) (is|are) redundant", named, fault.message))
