"""How an item is drawn: what its entry in the engine's table says under `picture`, else the word of this table.

coil: a spring between A and B; piston: a cylinder in the direction of a coordinate; beam: a line between A and B; point: a small ball; link: a
body of a tree; line: a coordinate along x; rail: a curve; rope, wrap, sheave; plane, sphere: shapes that A of a contact has; beside: balls on a line that touch;
group: contact of shapes; motion: the coordinate of a joint; plane, solid: a marker that is one, or whose shape is its type; net: a terminal of a
circuit; resistor, capacitor, inductor, diode, zener, thyristor, switch, transistor, amplifier, transformer, gyrator, voltage_source,
current_source, motor: symbols of a schematic; any other element is a box.
"""

from __future__ import annotations

import functools

from saltus import _core

PICTURES = {
    "joints": {"rail": "rail"},
    "nodes": {"node_1d": "line", "terminal": "net"},
    "bodies": {"beam": "beam", "tree_link": "link", "point_mass": "point", "mass_1d": "point"},
    "connectors": {
        **dict.fromkeys(("spring_damper", "user_spring", "cartesian_spring_damper", "bushing", "sliding_spring_damper", "coordinate_spring_damper", "coordinate_user_spring"), "coil"),
        **dict.fromkeys(("hydraulic_cylinder", "pneumatic_cylinder"), "piston"),
        **{word: word for word in ("resistor", "capacitor", "inductor", "voltage_source", "current_source", "gyrator")}, "dc_motor": "motor",
        "vcvs": "voltage_source", "ccvs": "voltage_source", "vccs": "current_source", "cccs": "current_source", "ideal_transformer": "transformer", "op_amp": "amplifier",
        "shockley_diode": "diode", **dict.fromkeys(("bjt", "mosfet"), "transistor"), **dict.fromkeys(("bldc_motor", "synchronous_motor"), "motor"),
    },
    "relations": {
        "diode": "diode", "electric_switch": "switch", "thyristor": "thyristor", "zener_diode": "zener", "mosfet_piecewise": "transistor",
        "contact": "group", "coordinate_pair_gap": "beside",
        **{f"plane_{rows}": "plane" for rows in ("gap", "contact", "contact_2d", "rolling_contact", "rolling_contact_2d")},
        **{f"sphere_{rows}": "sphere" for rows in ("gap", "contact", "rolling_contact")},
    },
    "markers": {"rope": "rope", "plane": "plane", "wrap": "wrap", "sheave": "sheave", "joint_coordinate": "motion", **dict.fromkeys(("sphere", "capsule", "cylinder", "box", "cone", "ellipsoid", "hull", "mesh", "height_field"), "solid")},
}  # fmt: skip


@functools.cache
def _told() -> dict[tuple[str, str], str]:
    return {(entry["family"], entry["name"]): entry["picture"]["shape"] for entry in _core.items() if entry["picture"]}


def picture(family: str, kind: str) -> str:
    """The word of an item type; empty where it has none."""
    return _told().get((family, kind)) or PICTURES.get(family, {}).get(kind, "")
