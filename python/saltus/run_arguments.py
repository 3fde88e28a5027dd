"""What `record=` and `stop=` of a run say."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from saltus import _core
from saltus import geometry as g
from saltus.quantity import Condition

if TYPE_CHECKING:
    from saltus.model import Model


def record_of(record: Any) -> tuple[float | None, str | None, bool | None]:
    """(interval [s], file, whether contacts are kept) of `record=`."""
    contacts = None
    if record is None:
        return None, None, None
    if isinstance(record, dict):
        for key in record:
            if key not in ("interval", "file", "contacts"):
                g.refuse(f"simulation/record/{key}", "is not known", g.near(key, ("interval", "file", "contacts")) or "it takes interval, file, contacts")
        interval, file, contacts = record.get("interval"), record.get("file"), record.get("contacts")
        if contacts not in (None, True, False):
            g.refuse("simulation/record/contacts", f"is {contacts!r}, expected True or False", "leave it out: then they are kept while they take little")
    elif isinstance(record, (str, os.PathLike)):
        interval, file = None, record
    else:
        interval, file = record, None
    if interval is not None:
        g.number(interval, "simulation/record", "s", above=0.0)
    return interval, file, contacts


def conditions_of(model: Model, given: Any) -> Callable[[_core.System], list[_core.Stop]]:
    """Conditions of `stop=` for a compiled model: a condition, an expression, or several."""
    several = list(given) if isinstance(given, (list, tuple)) else [given]
    for condition in several:
        if not isinstance(condition, (Condition, str)):
            g.refuse("simulation/stop", f"is {condition!r}, expected a condition", "write stop=ball.position.z < 0.1")
        if isinstance(condition, Condition):
            condition.quantity.paths  # noqa: B018  # a frame becomes an item when it is read: before the model is compiled

    def conditions(system: _core.System) -> list[_core.Stop]:
        return [
            model._engine.stop_where(system, c)
            if isinstance(c, str)
            else _core.stop_at(system, list(c.quantity.paths), c.quantity.component, c.sign, c.bound)
            for c in several
        ]

    return conditions
