"""Where a run begins: at the initial values of the model, or where an earlier run stood."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np

from saltus import _core
from saltus.errors import Fault, ModelError

BESIDE = ("markers", "loads", "laws", "outputs")  # sections whose items have neither unknowns nor rows
SETTINGS = ("scheme", "options", "step", "tolerance", "drift")  # what a run has in common with one that it goes on with


@dataclass(frozen=True)
class Start:
    """A state of an earlier run: its time [s], what its unknowns and history variables are, and where it stood in the record.

    state: all that its scheme keeps; empty where the state is not the last one. Then, and where the model, the scheme or the step is
    another one, accelerations and multipliers are found anew.
    """

    t: float
    y: np.ndarray
    data: np.ndarray
    system: _core.System
    model_text: str
    options: dict[str, Any]
    state: bytes = b""
    sampled: bool = False  # controllers that are due at t have sampled

    def put(self, engine: _core.Run, system: _core.System, text: str, options: dict[str, Any]) -> None:
        """Lets the engine begin there; ModelError where the model is another one."""
        if (found := _difference(self.system, system)) is not None:
            raise ModelError(Fault("simulation/start", f"is a run of another model: {found}", "start from a run of this model; loads, markers and values of fields may differ"))
        if self.state and _same(self.model_text, text) and all(self.options.get(key) == options.get(key) for key in SETTINGS):
            engine.load_state(self.state, again=True)
        else:
            engine.start_from(self.t, np.ascontiguousarray(self.y, dtype=float), np.ascontiguousarray(self.data, dtype=float), self.sampled)


def _difference(before: _core.System, now: _core.System) -> str | None:
    """The first item that one model has and the other has not, in words."""
    old, new = ([(section, kind, name) for section, kind, name in system.items() if section not in BESIDE] for system in (before, now))
    if old == new and before.sizes() == now.sizes():
        return None
    for item in [*new, *old]:
        if (item in old) != (item in new):
            section, kind, name = item
            return f"{section}/{name} ({kind}) " + ("was not in it" if item in new else "is no longer there")
    return "its items stand in another order" if old != new else "an item has another number of unknowns"


def _same(before: str, now: str) -> bool:
    """Whether two models are one, but for markers that only one of them has, outputs and settings of runs."""
    if not before or not now:  # with functions of the program, which cannot be compared
        return False
    if before == now:
        return True
    one, two = (json.loads(text) for text in (before, now))
    for model in (one, two):
        for section in ("outputs", "simulation"):
            model.pop(section, None)
    markers = [model.pop("markers", {}) for model in (one, two)]
    return one == two and all(markers[0][name] == markers[1][name] for name in markers[0].keys() & markers[1].keys())
