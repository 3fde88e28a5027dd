"""Handles of items that no verb of this program made: those of a model file, or added as items."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from saltus import geometry as g
from saltus.handles import (
    Beam,
    BeamElement,
    Body,
    Connector,
    Contact,
    Coordinates,
    Cylinder,
    Element,
    GroupContact,
    Handle,
    Item,
    Joint,
    Link,
    Load,
    Motor,
    Node,
    PenaltyContact,
    Plane,
    Presence,
    Rail,
    Rod,
    Rope,
    Shape,
    Sheave,
    Sleep,
    Terminal,
    ThreePhaseMotor,
    Tree,
    Wheel,
    Windings,
)
from saltus.verbs.bodies import ALONG_X, SIZES, shape_name
from saltus.verbs.controllers import Block, Controller
from saltus.verbs.sensors import Sensor

if TYPE_CHECKING:
    from saltus.model import Model

SECTIONS: dict[str, type[Handle]] = {"bodies": Body, "connectors": Connector, "joints": Joint, "loads": Load}
JOINT_PARTS = ("drive", "spring", "lower_stop", "upper_stop", "friction", "armature", "gap")
WHEELS = ("disc_gap", "disc_contact", "disc_rolling_contact", "disc_penalty_contact", "disc_outline_gap", "disc_outline_contact", "disc_outline_rolling_contact", "penalty_disc_outline")
PARTS_OF = ("joints", "loads", "connectors", "relations", "bodies")  # sections of the parts of joints
ROPE_PARTS = ("spring", "stop", "capstan", "tension")
POINTS = {f"{kind}_{law}": rows for kind in ("plane", "sphere") for law, rows in (("gap", 1), ("contact", 3), ("rolling_contact", 6), ("contact_2d", 2), ("rolling_contact_2d", 3))}
ELEMENTS = {  # type -> (field that names the node with its current, quantity of it, word)
    "resistor": ("", "force", ""),
    "current_source": ("", "force", ""),
    "diode": ("", "multiplier", ""),
    "capacitor": ("voltage_of", "value", "charge"),
    "inductor": ("current_of", "state", "current"),
    "voltage_source": ("current_of", "value", "current"),
    "dc_motor": ("current_of", "state", "current"),
    **{kind: ("current_of", "value", "current") for kind in ("ideal_transformer", "vcvs", "ccvs", "op_amp")},
    **{kind: ("", "current", "") for kind in ("gyrator", "vccs", "cccs", "mosfet", "shockley_diode", "bjt")},
    **{kind: ("", "force", "") for kind in ("zener_diode", "mosfet_piecewise")},
    **{kind: ("", "multiplier", "") for kind in ("electric_switch", "thyristor")},
}
HELPERS = {  # type -> fields that name further nodes of its own
    "shockley_diode": ("junction",),
    "bjt": ("forward", "reverse"),
    "synchronous_motor": ("current_d", "current_q"),
    "bldc_motor": ("current_A", "current_B"),
}
FIXED = ("plane", "mesh", "height_field")  # shapes that may stand on the ground alone


def handle(model: Model, name: str) -> Handle:
    """The handle of an item by its record."""
    engine = model._engine
    if name in engine.controllers:
        kind = Controller if engine.controllers[name]["outputs"] else Block if engine.controllers[name].get("shown") else Sensor
        return kind._read(model, name, engine.controllers[name])  # type: ignore[return-value]
    record = engine.record(name)
    kind, fields = record["type"], record["fields"]
    if kind in ("armature", "elastic_gear"):
        return Item(model, name)
    if record["section"] == "bodies" and kind in ("kinematic_tree", "tree_link"):
        return _tree(model, name, fields) if kind == "kinematic_tree" else _link(model, name, fields)
    if record["section"] == "bodies":
        if kind == "generic_system":
            return Coordinates(model, name)
        return BeamElement(model, name) if kind == "beam" else _body(model, name, fields)
    if kind in ELEMENTS:
        holder, word, _ = ELEMENTS[kind]
        node = _node(fields.get(holder)) if holder else name
        if kind == "dc_motor":
            return Motor(model, name, node, word)
        limits = (f"{name}_limits",) if kind == "op_amp" and f"{name}_limits" in model._names else ()
        return Element(model, name, node, word, parts=(*_helpers(kind, fields), *limits))
    if kind == "coupled_inductors":
        return Windings(model, name, tuple(_windings(fields)))
    if kind in HELPERS:
        return ThreePhaseMotor(model, name, _helpers(kind, fields))
    if kind == "terminal":
        return Terminal(model, name)
    if record["section"] == "relations" and kind in ("contact", "contact_force"):
        return GroupContact(model, name)
    if kind in ("presence", "sleep"):
        return (Presence if kind == "presence" else Sleep)(model, name)
    if kind == "penalty_contact":
        return PenaltyContact(model, name)
    if kind in POINTS:
        return Contact(model, name, (name,), POINTS[kind])
    if kind in WHEELS:
        return Wheel(model, name)
    if record["section"] == "joints":
        parts = tuple(part for word in JOINT_PARTS if (part := f"{name}_{word}") in model._names and model._names[part][0] in PARTS_OF)
        return Rail(model, name, _node(fields.get("position")), parts) if kind == "rail" else Joint(model, name, parts)
    if record["section"] == "markers" and (held := shape(model, name)).get("type") in FIXED:
        place = _numbers(fields.get("position")), _numbers(fields.get("rotation"))
        if None not in place:
            return Plane(model, name, np.array(place[0]), g.rotation_matrix(np.array(place[1])), held)
    if record["section"] == "markers" and kind == "frame" and (looks := shape(model, name)) and (place := _place(model, fields.get("body"))):
        return Shape(model, name, *place, looks)
    if record["section"] == "markers" and kind in ("sheave", "wrap"):
        return _sheave(model, name, kind, fields)
    if record["section"] == "markers" and kind == "rope":
        rope = Rope(model, name)
        rope._parts = tuple(Handle(model, part) for word in ROPE_PARTS if (part := f"{name}_{word}") in model._names)
        return rope
    if kind in ("hydraulic_cylinder", "pneumatic_cylinder"):
        cylinder = Cylinder(model, name)
        cylinder._parts = tuple(Handle(model, fields[word]) for word in ("piston_pressure", "rod_pressure") if isinstance(fields.get(word), str))
        return cylinder
    if record["section"] == "nodes":
        return _node_handle(model, name)
    return SECTIONS.get(record["section"], Item)(model, name)


def contact(model: Model, name: str, points: tuple[str, ...]) -> Contact:
    """A contact of several points."""
    return Contact(model, name, points, POINTS[model._engine.record(points[0])["type"]])


def elements_of(model: Model, name: str) -> tuple[str, ...]:
    """Elements of a beam, `name_1`, `name_2`, ..., each from the node where the last one ends."""
    out: list[str] = []
    before = None
    while (element := f"{name}_{len(out) + 1}") in model._names:
        record = model._engine.record(element)
        A, B = record["fields"].get("A"), record["fields"].get("B")
        if record["type"] != "beam" or not isinstance(A, str) or (before is not None and A != before):
            break
        out.append(element)
        before = B
    return tuple(out)


def beam(model: Model, name: str, elements: tuple[str, ...]) -> Beam:
    """A beam of several elements."""
    fields = [model._engine.record(element)["fields"] for element in elements]
    names = [*(each["A"] for each in fields), fields[-1]["B"]]
    return Beam(model, name, {node: _node_handle(model, node).reference for node in names}, tuple(BeamElement(model, element) for element in elements))


def _sheave(model: Model, name: str, kind: str, fields: dict[str, Any]) -> Handle:
    """What a rope runs over, where its place is known: on a body, by numbers."""
    p, turn, radius = _numbers(fields.get("position")), _numbers(fields.get("rotation")), fields.get("radius")
    body = fields.get("body")
    if p is None or turn is None or not isinstance(radius, float) or not isinstance(body, str):
        return Item(model, name)
    p0, R0 = model._handle(body).reference
    shape = fields.get("shape", "sphere") if kind == "wrap" else kind
    return Sheave(model, name, p0 + R0 @ np.array(p), R0 @ g.rotation_matrix(np.array(turn)), shape, radius, int(fields.get("turns", 0)))


def _node_handle(model: Model, name: str) -> Node:
    fields = model._engine.record(name)["fields"]
    p, turn = _numbers(fields.get("position")), _turn(fields)
    return Node(model, name) if p is None or turn is None else Node(model, name, np.array(p), g.rotation_matrix(np.array(turn)))


def is_point(model: Model, name: str) -> bool:
    """Whether a relation is one of several points of a contact: a corner of a box."""
    return _corner_of(model._engine.record(name)) is not None


def _corner_of(record: dict[str, Any]) -> str | None:
    """The body on which a relation between shapes holds a point by its local place."""
    end = record["fields"].get("B")
    if record["section"] != "relations" or record["type"] not in POINTS or not isinstance(end, dict) or "local" not in end:
        return None
    return end.get("body")


def _tree(model: Model, name: str, fields: dict[str, Any]) -> Tree:
    base = fields.get("base", "ground")
    inside = base if isinstance(base, dict) else {"body": base}
    turn = _numbers(inside.get("rotation"))
    if inside.get("body") not in (*model._names, "ground") or "local" in inside or turn is None:
        return Tree(model, name)
    p, R = model[inside["body"]].reference if inside["body"] != "ground" else (np.zeros(3), np.eye(3))
    at = _numbers(inside["at"]) if "at" in inside else p
    return Tree(model, name, None if at is None else (np.array(at), R @ g.rotation_matrix(np.array(turn))))


def _below(model: Model, name: Any) -> list[str]:
    """Links that have no handle yet, from one down to the base of its tree."""
    out: list[str] = []
    while isinstance(name, str) and name in model._names and name not in model._handles and name not in out[-1:]:
        record = model._engine.record(name)
        if record["type"] != "tree_link" or len(out) > len(model._names):
            break
        out.append(name)
        name = record["fields"].get("parent")
    return out


def _link(model: Model, name: str, fields: dict[str, Any]) -> Link:
    """In the reference position the joints stand at the reference values of their nodes."""
    parent = fields.get("parent")
    node, axis = fields.get("node"), fields.get("axis", "z")
    if isinstance(node, str) and node in model._names:
        node = model._engine.record(node)["fields"]
    q = node.get("coordinate", 0.0) if isinstance(node, dict) else None if isinstance(node, str) else 0.0
    p, turn = _numbers(fields.get("position")), _numbers(fields.get("rotation"))
    for each in reversed(_below(model, parent)):  # from the base on: a chain may be longer than calls may nest
        model[each]
    carrier = model[parent] if isinstance(parent, str) and parent in model._names else None
    if not isinstance(carrier, (Tree, Link)) or p is None or turn is None or not isinstance(q, (int, float)):
        return Link(model, name)
    if (carrier._place if isinstance(carrier, Tree) else carrier._p) is None:
        return Link(model, name)
    p0, R0 = carrier.reference
    R = R0 @ g.rotation_matrix(np.array(turn))
    at = p0 + R0 @ np.array(p)
    if q != 0.0:
        along = q * g.direction(axis, f"bodies/{name}/axis")
        at, R = (at + R @ along, R) if fields.get("joint") == "prismatic" else (at, R @ g.rotation_matrix(along))
    return Link(model, name, at, R)


def _body(model: Model, name: str, fields: dict[str, Any]) -> Body:
    node = fields.get("node")
    place = node if isinstance(node, dict) else model._engine.record(node)["fields"] if isinstance(node, str) and node in model._names else {}
    looks = shape(model, name)
    if not looks and model._engine.record(name)["type"] == "point_mass":
        looks = {"type": "point"}
    p, turn = _numbers(place.get("position")), _turn(place)
    kind = Rod if looks.get("type") == "rod" else Body
    if p is None or turn is None:  # expressions: known only to the engine
        return kind(model, name, shape=looks)
    return kind(model, name, np.array(p), g.rotation_matrix(np.array(turn)), looks)


def _place(model: Model, at: Any) -> tuple[np.ndarray, np.ndarray] | None:
    """(p, R) in the world, in the reference position, of a frame on a body: a world point as a verb writes it, or a point in the axes of the body."""
    if not isinstance(at, dict) or not isinstance(at.get("body"), str):
        return None
    p, turn, body = _numbers(at.get("at", at.get("local", (0.0, 0.0, 0.0)))), _numbers(at.get("rotation")), model[at["body"]]
    if p is None or turn is None or not isinstance(body, Body) or body._p is None:
        return None
    return np.array(p) if "at" in at else body._p + body._R @ np.array(p), body._R @ g.rotation_matrix(np.array(turn))


def _turn(node: dict[str, Any]) -> list[float] | None:
    """Rotation vector of a node in the reference position."""
    if node.get("type") == "node_rigid_2d":
        return _numbers((0.0, 0.0, node.get("angle", 0.0)))
    return _numbers(node.get("rotation"))


def is_planar(model: Model) -> bool:
    """Whether all frames of bodies move in the x-y plane."""
    kinds = set()
    for section, kind, name in model._engine.records():
        if section == "nodes":
            kinds.add(kind)
        elif section == "bodies" and isinstance(node := model._engine.record(name)["fields"].get("node"), dict):
            kinds.add(node.get("type"))
    return bool(kinds & {"node_rigid_2d", "node_point_2d"}) and not kinds & {"node_rigid", "node_point"}


def _numbers(value: Any) -> list[float] | None:
    """Three numbers; None where they are expressions."""
    value = [0.0, 0.0, 0.0] if value is None else value
    try:
        return [float(x) for x in value]
    except (TypeError, ValueError):
        return None


def _node(reference: Any) -> str:
    return str(reference.get("node")) if isinstance(reference, dict) else str(reference)


def current_path(name: str, record: dict[str, Any]) -> str:
    """The path of the current of an element of a circuit; "" of what is none."""
    if record["type"] not in ELEMENTS:
        return ""
    field, word, _ = ELEMENTS[record["type"]]
    return f"{_node(record['fields'].get(field)) if field else name}.{word}"


def shape(model: Model, name: str) -> dict[str, Any]:
    """The shape of a body as its marker holds it; empty if it has none at its own origin."""
    held = shape_name(name)
    if model._names.get(held, ("",))[0] != "markers":
        return {}
    record = model._engine.record(held)
    kind, fields = record["type"], record["fields"]
    if kind not in SIZES or (kind not in FIXED and fields.get("body") != name) or any(fields.get("position", ())):
        return {}
    turn = tuple(fields.get("rotation", ()))
    if kind == "cylinder" and turn == ALONG_X:
        kind = "rod"
    elif any(turn) and kind not in FIXED:
        return {}
    sizes = SIZES.get(kind, ("length", "radius"))
    if any(key not in fields for key in sizes):
        return {}  # a mistake of the file, which the engine names
    return {"type": kind, **{key: fields[key] for key in sizes}}


def _helpers(kind: str, fields: dict[str, Any]) -> tuple[str, ...]:
    return tuple(_node(fields[field]) for field in HELPERS.get(kind, ()) if field in fields)


def _windings(fields: dict[str, Any]) -> list[str]:
    """Nodes with the currents of coupled inductors."""
    on = fields.get("on")
    return [_node(end) for end in on[2::3]] if isinstance(on, list) else []


def parts(model: Model) -> dict[str, tuple[str, str]]:
    """Helper items and what they are of the item that a program knows, as verbs keep it."""
    out: dict[str, tuple[str, str]] = {}
    points: dict[str, list[str]] = {}
    for section, kind, name in model._engine.records():
        if kind == "terminal":
            out[name] = (name, "potential")
        elif section == "markers" and kind in SIZES and name.endswith("_shape") and (owner := name.removesuffix("_shape")) in model._names and shape(model, owner):
            out[name] = (owner, "shape")
        elif kind in ELEMENTS and ELEMENTS[kind][0]:
            field, _, word = ELEMENTS[kind]
            out[_node(model._engine.record(name)["fields"].get(field))] = (name, word)
        elif kind in HELPERS:
            out.update({node: (name, word) for node, word in zip(_helpers(kind, model._engine.record(name)["fields"]), HELPERS[kind], strict=False)})
        elif kind == "coupled_inductors":
            out.update({node: (f"{name}_{i}", "current") for i, node in enumerate(_windings(model._engine.record(name)["fields"]))})
        elif kind in POINTS and is_point(model, name) and (found := re.fullmatch(r"(.+)_\d+", name)):
            points.setdefault(found[1], []).append(name)
    for name, several in points.items():
        if name not in model._names and several == [f"{name}_{i}" for i in range(1, len(several) + 1)] and len(several) > 1:
            out.update(dict.fromkeys(several, (name, "")))
    return out
