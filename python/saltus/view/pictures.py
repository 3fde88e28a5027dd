"""How an item is drawn: what its entry in the engine's table says under `picture`, else the word of this table.

coil: a spring between A and B; piston: a cylinder in the direction of a coordinate; beam: a line between A and B; link: a body of a
tree; line: a coordinate along x; rope; plane, sphere: shapes that A of a contact has; solid: a marker whose shape is its type;
net: a terminal of a circuit; resistor, capacitor, inductor, diode, voltage_source, current_source, motor, switch: symbols of a schematic.
"""

from __future__ import annotations

import functools

from saltus import _core

PICTURES = {
    "nodes": {"node_1d": "line", "terminal": "net"},
    "bodies": {"beam": "beam", "tree_link": "link"},
    "connectors": {
        **dict.fromkeys(("spring_damper", "user_spring", "cartesian_spring_damper", "bushing", "sliding_spring_damper", "coordinate_spring_damper", "coordinate_user_spring"), "coil"),
        **dict.fromkeys(("hydraulic_cylinder", "pneumatic_cylinder"), "piston"),
        **{word: word for word in ("resistor", "capacitor", "inductor", "voltage_source", "current_source")}, "dc_motor": "motor",
    },
    "relations": {
        "diode": "diode",
        **{f"plane_{rows}": "plane" for rows in ("gap", "contact", "contact_2d", "rolling_contact", "rolling_contact_2d")},
        **{f"sphere_{rows}": "sphere" for rows in ("gap", "contact", "rolling_contact")},
    },
    "markers": {"rope": "rope", **dict.fromkeys(("sphere", "capsule", "cylinder", "box"), "solid")},
}  # fmt: skip


@functools.cache
def _told() -> dict[tuple[str, str], str]:
    return {(entry["family"], entry["name"]): entry["picture"] for entry in _core.items() if entry.get("picture")}


def picture(family: str, kind: str) -> str:
    """The word of an item type; empty where it has none."""
    return _told().get((family, kind)) or PICTURES.get(family, {}).get(kind, "")
