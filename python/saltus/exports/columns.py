"""Which quantities a table of a result holds, and their values: outputs, bodies, joints, forces, contacts, circuits, energy, parameters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from saltus.errors import Fault, ModelError
from saltus.exports.contacts import contact_history, impulses_of
from saltus.handles import Contact, Coordinates, Cylinder, Element, GroupContact, Handle, Joint, Massive, Moving, Plane, Rail, Rope, Terminal, Tree
from saltus.handles.joints import motions_left
from saltus.quantity import Quantity
from saltus.quantity_names import OF_POINTS, split, words_of_contact

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from saltus.model import Model
    from saltus.result import Moment, Result

POSE = ("position", "quaternion", "velocity", "angular_velocity")
ENERGY = ("kinetic", "potential", "total")


@dataclass
class Column:
    """A number over time."""

    name: str
    unit: str
    values: NDArray[Any]

    @property
    def title(self) -> str:
        """`crank.position.x [m]`."""
        return f"{self.name} [{self.unit}]" if self.unit else self.name


@dataclass
class Columns:
    """A table: times (n) [s] (None of an equilibrium, which has one row), columns (n), and numbers that hold for the whole run."""

    time: NDArray[np.float64] | None
    columns: list[Column]
    parameters: dict[str, float] = field(default_factory=dict)
    run: dict[str, Any] = field(default_factory=dict)
    groups: dict[str, list[str]] = field(default_factory=dict)  # quantity -> its columns, one a component

    @property
    def rows(self) -> int:
        return 1 if self.time is None else len(self.time)

    def all(self) -> list[Column]:
        """Time first, then the columns, then the parameters, which repeat their value in each row."""
        first = [] if self.time is None else [Column("time", "s", self.time)]
        return [*first, *self.columns, *(Column(f"parameters.{name}", "", np.full(self.rows, value)) for name, value in self.parameters.items())]


def table_of(source: Result | Moment, quantities: Sequence[Quantity | str] = ()) -> Columns:
    """The table of a result at its states, or at other times; without quantities those that an engineer asks for."""
    result: Result = getattr(source, "_result", source)
    if source is not result and np.ndim(source.time) == 0:
        source = result.at(np.array([source.time]), before=bool(source._before.all()))
    if result.is_static and source is not result:
        raise ModelError(Fault("time", "is not there: the result is an equilibrium", "read the result itself"))
    time = None if result.is_static else np.atleast_1d(np.asarray(source.time, dtype=float))
    rows = 1 if time is None else len(time)
    table = Columns(time, [], {} if quantities else parameters_of(result), run_of(result))
    for name, quantity, unit in [(q if isinstance(q, str) else q.label, q, "") for q in quantities] if quantities else standard(result):
        series = source[quantity]
        _put(table, name, unit or series.unit, np.asarray(series), series.components, rows)
    if not quantities:
        _put_contacts(table, result, source, rows)
    seen: dict[str, Column] = {}
    for column in table.columns:
        seen.setdefault(column.name, column)
    table.columns = list(seen.values())
    return table


def _put(table: Columns, name: str, unit: str, values: NDArray[Any], components: Sequence[str], rows: int) -> None:
    values = np.reshape(values, (rows, -1))
    names = [f"{name}.{part}" for part in components] if components else [name] if values.shape[1] == 1 else [f"{name}.{i}" for i in range(values.shape[1])]
    table.columns += [Column(word, unit, values[:, i]) for i, word in enumerate(names)]
    table.groups[name] = names


def parameters_of(result: Result) -> dict[str, float]:
    """Numbers of the parameters of the run, those that follow from others too; parameters that a run may change are quantities instead."""
    engine = result._ran()
    out: dict[str, float] = {}
    for name, value in (engine.parameters if engine is not None else {}).items():
        try:
            out[name] = float(engine.expression(value, [], np.zeros((1, 0)))[0]) if isinstance(value, str) else float(value)
        except (ModelError, TypeError, ValueError):
            continue
    return out


def run_of(result: Result) -> dict[str, Any]:
    """What a file says of the run."""
    from saltus import _core

    return {"program": f"saltus {_core.version}", "scheme": result.scheme, "status": str(result.report.get("status", ""))}


def standard(result: Result) -> Iterator[tuple[str, Quantity | str, str]]:
    """(name, quantity, unit where the quantity has none) of the outputs, then of all items: poses and velocities, motions and forces of joints, forces, circuits, energy."""
    model = result.model
    if model is None:
        return
    yield from ((name, path, "") for name, path in result._named_outputs().items())
    for name, value in model.parameters.items():
        if isinstance(value, dict):
            yield f"parameters.{name}", f"parameters.{name}", ""
    for item in items_of(model):
        yield from _of_item(result, item)
    if result.system._core.sizes()["nq"]:
        yield from ((f"energy.{word}", f"energy.{word}", "") for word in ENERGY)


def items_of(model: Model | None) -> list[Handle]:
    """The items that a program knows: parts of others are read by their owners."""
    if model is None:
        return []
    whole = [model[name] for name in model if model._part_of.get(name, ("", ""))[0] in ("", name)]
    parts = {part.name for item in whole if isinstance(item, (Joint, Rope, Element, Cylinder)) for part in item._parts}
    return [item for item in whole if item.name not in parts]


def _of_item(result: Result, item: Handle) -> Iterator[tuple[str, Quantity | str, str]]:
    """The quantities of one item that a table holds."""
    known = result._system.quantities(item._item_name())
    words: Sequence[str] = ()
    if isinstance(item, (Contact, Plane, Tree)):
        return
    if isinstance(item, Terminal):
        words = ("voltage",)
    elif isinstance(item, Element):
        words = ("current",)
    elif isinstance(item, Joint):
        yield from _of_joint(item, known)
        return
    elif isinstance(item, GroupContact):
        words = ("force", "points")
    elif isinstance(item, Rope):
        words = ("length", "rate", *(("tension",) if item._parts else ()))
    elif isinstance(item, Coordinates):
        words = ("coordinate", "rate")
    elif isinstance(item, (Moving, Massive)) and "position" in known:
        points = ("point_mass", "node_point", "node_point_2d")
        words = POSE[::2] if result.model._engine.record(item._item_name())["type"] in points else [word for word in POSE if word in known]  # type: ignore[union-attr]
    else:
        words = [word for word in ("value", "state", "coordinate", "rate", "length", "tension", "angle", "force", "torque", "output") if word in known]
        for word in words:
            yield f"{item.name}.{word}", item.quantity(word) if isinstance(item, Handle) else f"{item.name}.{word}", ""
        return
    for word in words:
        yield f"{item.name}.{word}", getattr(item, word), ""


def _of_joint(joint: Joint, known: Sequence[str]) -> Iterator[tuple[str, Quantity, str]]:
    left = motions_left(joint._model._engine.record(joint.name)["type"])
    if isinstance(joint, Rail):
        yield f"{joint.name}.travel", joint.travel, ""
        yield f"{joint.name}.travel_rate", joint.travel_rate, ""
    elif "angle" in left and "angle" in known:
        yield f"{joint.name}.angle", joint.angle, ""
        yield f"{joint.name}.angular_rate", joint.angular_rate, ""
    if "position" in left and "translation" in known:
        yield f"{joint.name}.translation.z", joint.translation.z, ""
    if joint._drive is not None:
        yield f"{joint.name}.drive", joint.drive, ""
    for part in joint._parts:
        for word in ("lower_stop", "upper_stop", "friction"):
            if part.name.endswith(f"_{word}"):
                yield f"{joint.name}.{word}", getattr(joint, word), "N m" if "angle" in left else "N"
    for word in ("force", "torque"):
        if word in known:
            yield f"{joint.name}.{word}", getattr(joint, word), ""


def _put_contacts(table: Columns, result: Result, source: Any, rows: int) -> None:
    """Gap, forces, slip, state and impulses of each contact."""
    groups = [item for item in items_of(result.model) if isinstance(item, GroupContact)]
    for contact in (*groups, *contacts_of(result.model)):
        for name, unit, values, parts in _of_contact(result, contact, source, table.time, rows):
            _put(table, name, unit, values, parts, rows)


def _of_contact(result: Result, contact: Contact | GroupContact, source: Any, time: NDArray[np.float64] | None, rows: int) -> Iterator[tuple[str, str, NDArray[Any], Sequence[str]]]:
    """(name, unit, values, names of components) of what tables show of a contact."""
    if isinstance(contact, GroupContact):
        yield f"{contact.name}.impulse", "N s", summed(impulses_of(result, contact), time, rows), ()
        return
    for point in contact_history(result, contact, source):
        kept = (
            ("m", point.gap, ()), ("N", point.force, ("x", "y", "z")), ("N", point.normal_force, ()), ("m/s", point.slip, ("x", "y", "z")),
            ("", point.state, ()), ("N s", summed(point.impulses, time, rows), ()),
        )  # fmt: skip
        for word, (unit, values, parts) in zip(OF_POINTS, kept, strict=True):
            yield f"{point.name}.{word}", unit, np.asarray(values), parts


def column_named(source: Result | Moment, text: str) -> tuple[NDArray[np.float64], str, list[str]] | None:
    """(values (n) or (n, components), unit, names of components) of what tables alone show under a name: slips, states and impulses of contacts, parameters of the run."""
    result: Result = getattr(source, "_result", source)
    time = None if result.is_static else np.atleast_1d(np.asarray(source.time, dtype=float))
    rows = 1 if time is None else len(time)
    if text.startswith("parameters."):
        value = parameters_of(result).get(text.removeprefix("parameters."))
        return None if value is None else (np.full(rows, value), "", [])
    found = split(result.model, text) if result.model is not None else None
    if found is None or not found[1] or found[1][0] not in words_of_contact(found[0]):
        return None
    if source is not result and np.ndim(source.time) == 0:
        source = result.at(time, before=bool(source._before.all()))
    (item, (word, *component)) = found
    for name, unit, values, parts in _of_contact(result, item, source, time, rows):  # type: ignore[arg-type]
        values = np.reshape(values, (rows, -1)).astype(float)
        if name == f"{item.name}.{word}" and not component:
            return (values if parts else values[:, 0]), unit, list(parts)
        if name == f"{item.name}.{word}" and len(component) == 1 and component[0] in (*parts, "norm"):
            return np.linalg.norm(values, axis=1) if component == ["norm"] else values[:, parts.index(component[0])], unit, []
    return None


def contacts_of(model: Model | None) -> list[Contact]:
    """The contacts of two shapes, of one point or of several."""
    if model is None:
        return []
    relations = [name for name in model if model._names[name][0] == "relations"]
    owners = dict.fromkeys(model._part_of.get(name, ("", ""))[0] or name for name in relations)
    return [item for item in (model[name] for name in owners) if isinstance(item, Contact)]


def summed(impulses: list[tuple[float, float]], time: NDArray[np.float64] | None, rows: int) -> NDArray[np.float64]:
    """The sum of the impulses up to each time: it jumps at an impact."""
    if time is None or not impulses:
        return np.zeros(rows)
    when, values = np.array(impulses).T
    order = np.argsort(when, kind="stable")
    total = np.concatenate([[0.0], np.cumsum(values[order])])
    return total[np.searchsorted(when[order], time, side="right")]


__all__ = ["Column", "Columns", "column_named", "contacts_of", "items_of", "parameters_of", "run_of", "standard", "table_of"]
