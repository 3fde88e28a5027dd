"""What can be read and assigned of an item: the keywords of its verb, or the fields of its record where no verb made it."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from saltus import geometry as g
from saltus.inertia import inertia_of
from saltus.statements import FIXED, assign, refuse_keyword

if TYPE_CHECKING:
    from saltus.handles import Handle

QUANTITIES = frozenset(
    "position displacement velocity acceleration rotation quaternion rotation_matrix angular_velocity angular_velocity_body"
    " angular_acceleration coordinate rate state value coordinate_acceleration force torque length tension first_tension slip wrap angle translation"
    " angular_rate multiplier drive residual points section_force section_moment strain curvature"
    " transformation axis_x axis_y axis_z displacement_body velocity_body acceleration_body angular_acceleration_body"
    " kinetic_energy potential_energy momentum angular_momentum center_velocity power dissipation force_body torque_body"
    " relative_distance relative_distance_rate relative_position relative_velocity relative_acceleration relative_rotation relative_quaternion"
    " relative_rotation_matrix relative_transformation relative_angular_velocity relative_angular_acceleration output memory".split()
)  # what the engine offers of items: src/saltus/study/quantity.cpp
IN_PLACE = {"node": "nodes", "law": "laws"}  # items that a record may hold in place, and their sections


@cache
def known_fields(section: str, kind: str) -> dict[str, Any]:
    """Fields of a type of item with their defaults; what it joins is none of them."""
    from saltus import _core

    for entry in _core.items():
        if (entry["family"], entry["name"]) == (section, kind):
            joins = {port["name"]: None for port in entry["ports"] if port["kind"] in ("point", "direction", "rotation")}
            return {**joins, **{field["name"]: field.get("default") for field in entry["fields"]}}
    return {}


def settings_of(handle: Handle) -> dict[str, Any]:
    """Names that can be assigned, with the values that hold."""
    if handle._follows:
        return {}
    if handle._statement is not None:
        return {key: value for key, value in handle._statement.keywords.items() if key not in FIXED}
    out: dict[str, Any] = {}
    for record in _records(handle):
        for _, fields, known in _levels(record):
            for key, default in known.items():
                out.setdefault(key, fields.get(key, default))
    return out


def _records(handle: Handle) -> list[dict[str, Any]]:
    """The record of an item and those of its parts."""
    model = handle._model
    names = [handle.name, *(part.name for part in handle._parts)]
    return [model._engine.record(name) for name in dict.fromkeys(names) if name in model._names]


def _levels(record: dict[str, Any]) -> list[tuple[str, dict[str, Any], dict[str, Any]]]:
    """(key of what is held in place or "", fields, known fields) of a record and of the node or law that it holds."""
    out = [("", record["fields"], known_fields(record["section"], record["type"]))]
    for key, section in IN_PLACE.items():
        held = record["fields"].get(key)
        if isinstance(held, dict) and "type" in held:
            out.append((key, held, known_fields(section, held["type"])))
    return out


def assign_to(handle: Handle, name: str, value: Any) -> None:
    """What `handle.name = value` does: sets it in the model, or raises with a near name and what can be set."""
    model = handle._model
    section = model._names.get(handle.name, ("",))[0]
    what = f"{section}/{handle.name}" if section else handle.name
    settings = settings_of(handle)
    if name in FIXED and name not in settings:
        refuse_keyword(what, name, value, list(settings), f"{name} is not assigned: {FIXED[name]}")
    if name not in settings:
        if name in getattr(handle, "_shape", {}):
            refuse_keyword(what, name, value, list(settings), f"{name} is not assigned to a body of a file: its inertia and contacts stand there as numbers")
        if name in QUANTITIES or name in ("stops", "shape", "reference", "fields", "settings", "start", "end"):
            refuse_keyword(what, name, value, list(settings), f"{name!r} is read, not assigned")
        refuse_keyword(what, name, value, list(settings))
    if handle._statement is not None:
        assign(handle._statement, model, name, value)
        return
    of_record = False
    for record in _records(handle):
        for key, fields, known in _levels(record):
            if name not in known:
                continue
            if name == "mass" and not key:
                _scale_inertia(handle, record, value)
            new = model._plain(value)
            _put(handle, record["name"], key or name, {**fields, name: new} if key else new)
            of_record = of_record or record["name"] == handle.name
        if of_record:
            return


def _scale_inertia(handle: Handle, record: dict[str, Any], mass: Any) -> None:
    """The inertia of a body with a shape follows its mass, as it does where the verb made it."""
    shape, fields = getattr(handle, "_shape", {}), record["fields"]
    if isinstance(fields.get("mass"), float) and fields.get("inertia") is not None and inertia_of(shape, fields["mass"]) == fields["inertia"]:
        mass = g.number(mass, f"bodies/{handle.name}/mass", "kg", above=0.0)
        _put(handle, handle.name, "inertia", inertia_of(shape, mass))


def _put(handle: Handle, record: str, field: str, value: Any) -> None:
    handle._model._engine.set(record, field, value)
    handle._model._set.setdefault(record, {})[field] = value  # stays when the item is made anew


def set_fields(handle: Handle, fields: dict[str, Any]) -> None:
    """What `handle.set(...)` does."""
    model = handle._model
    record = model._engine.record(handle._item_name())
    known = [*known_fields(record["section"], record["type"]), *record["fields"], *_ports(record["section"], record["type"])]
    for field, value in fields.items():
        if field not in known:
            refuse_keyword(f"{record['section']}/{record['name']}", field, value, list(dict.fromkeys(known)))
        value = model._plain(value)
        _put(handle, record["name"], field, value)


@cache
def _ports(section: str, kind: str) -> tuple[str, ...]:
    from saltus import _core

    return tuple(port["name"] for entry in _core.items() if (entry["family"], entry["name"]) == (section, kind) for port in entry["ports"])
