"""What the rows of a joint hold, by name: displacements x, y, z and rotations rx, ry, rz in the joint's axes, as `m.generic` has them; z is its axis."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from saltus.errors import Fault

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


def of_joints(engine: Any, faults: Sequence[Fault]) -> list[Fault]:
    """Faults of relations that are joints at their place in the model, rows by name."""
    sections = {name: section for section, _, name in engine.records()} if faults else {}
    return [_of_joint(engine, fault) if _owner(fault, sections) else fault for fault in faults]


def _owner(fault: Fault, sections: dict[str, str]) -> bool:
    section, _, rest = fault.path.partition("/")
    return section == "relations" and sections.get(rest.split("/")[0]) == "joints"


def _of_joint(engine: Any, fault: Fault) -> Fault:
    path = fault.path.replace("relations/", "joints/", 1)
    record = engine.record(path.split("/")[1])

    def named(match: re.Match[str]) -> str:
        words = [row_name(record, int(number)) for number in match[2].split(", ")]
        told = " (in its axes, z along it)" if record["type"] in ROWS else ""
        return f"{match[1]} {', '.join(words)}{told} {match[3]} redundant"

    return replace(fault, path=path, message=re.sub(r"^(rows?) ([\d, ]+) (is|are) redundant", named, fault.message))
