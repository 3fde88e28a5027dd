"""How an item is drawn: the picture that its type declares, a shape and the fields that hold its sizes. No item is known by its name here.

Bodies: body (its own shape, or that of its contacts or inertia), point (a small ball), beam (a line between A and B), link (of a tree).
Joints: joint (a ball), revolute, cylindrical, prismatic, universal, distance, fixed, rail (a curve).
Connectors: coil (a spring between A and B), strut (a ring at B), piston (a cylinder in the direction of a coordinate). Loads: arrow.
Contacts: plane, sphere (what A has, and the radii), beside (balls on a line that touch), group (contact of shapes).
Markers: frame, motion (the coordinate of a joint), plane, the solids of `shapes.py`, rope, wrap, sheave. Nodes: line (a coordinate along x), net (a terminal).
Elements of a circuit: the symbols of `circuits.py`, or element (a box), as which any other item is drawn there. none: nothing of its own is drawn.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

from saltus import _core


@dataclass(frozen=True)
class Picture:
    """shape: a word of this page. sizes: names of the fields that hold its sizes."""

    shape: str = "none"
    sizes: tuple[str, ...] = ()


NONE = Picture()


@functools.cache
def _declared() -> dict[tuple[str, str], Picture]:
    return {(entry["family"], entry["name"]): Picture(entry["picture"]["shape"], tuple(entry["picture"]["sizes"])) for entry in _core.items() if entry["picture"]}


def picture(family: str, kind: str) -> Picture:
    """What the type of an item declares; `NONE` where it declares none."""
    return _declared().get((family, kind), NONE)


def picture_of(record: dict[str, Any]) -> Picture:
    """That of the type of a record."""
    return picture(record["section"], record["type"])
