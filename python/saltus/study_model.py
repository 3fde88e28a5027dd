"""A model as a function of its parameters: what `study(model, ...)` sends to the workers."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from saltus.geometry import near, refuse, short
from saltus.quantity import Quantity

if TYPE_CHECKING:
    from saltus.model import Model
    from saltus.result import Result, Series


def _mean(series: Series) -> Any:
    """Mean over time, by the trapezoids of the drawn curve."""
    times, values = series.curve()
    return np.trapezoid(values, times, axis=0) / (times[-1] - times[0]) if hasattr(np, "trapezoid") else np.trapz(values, times, axis=0) / (times[-1] - times[0])  # type: ignore[attr-defined]


REDUCTIONS: dict[str, Callable[[Any], Any]] = {
    "last": lambda s: s.last, "max": lambda s: s.max(axis=0), "min": lambda s: s.min(axis=0), "mean": _mean, "rms": lambda s: np.sqrt(_mean(s * s)),
    "time_of_max": lambda s: s.time_of_max(), "time_of_min": lambda s: s.time_of_min(),
}  # fmt: skip


class ModelRun:
    """`run(k=100)`: the model with these parameters, simulated, its outputs as numbers. Travels as text."""

    def __init__(self, model: Model, outputs: Any, simulate: Mapping[str, Any] | None, trajectories: Sequence[Any], every: float | None):
        self.text = model._text()
        self.outputs = _outputs(model, outputs)
        self.trajectories = [_path(model, quantity, "study/trajectories") for quantity in trajectories]
        self.every = every
        self.options = dict(simulate or {})
        if "until" not in self.options and "until" not in model.simulation:
            refuse("study/simulate", "has no end of the run", 'write simulate={"until": 2.0}, or m.simulation = {"until": 2.0}')
        self._model: Model | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_model": None}

    @property
    def identity(self) -> str:
        """What distinguishes studies of other models or outputs."""
        return repr((self.text, self.outputs, self.trajectories, self.every, sorted((key, repr(value)) for key, value in self.options.items())))

    def check(self, names: Sequence[str]) -> None:
        """ModelError where a parameter is not one of the model."""
        known = self._loaded().parameters
        for name in names:
            if name not in known:
                refuse(f"study/{name}", "is not a parameter of the model", near(name, list(known)) or (f"it has {', '.join(known)}" if known else 'make one: m.parameters = {"k": 100}, and use "k" in fields'))

    def _loaded(self) -> Model:
        from saltus.model import Model

        if self._model is None:
            self._model = Model.parse(self.text)
            self._given = dict(self._model.parameters)
        return self._model

    def __call__(self, **point: Any) -> dict[str, Any]:
        from saltus.errors import ModelWarning

        model = self._loaded()
        entries = {name: ({**self._given[name], "value": value} if isinstance(self._given.get(name), dict) else value) for name, value in point.items()}
        model.parameters = {**self._given, **{name: _number(value) for name, value in entries.items()}}
        options = {"until": model.simulation.get("until"), **self.options}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ModelWarning)
            result = model.simulate(**options)
        value = {name: REDUCTIONS[how](result[path]) for name, (path, how) in self.outputs.items()}
        return {**value, "_trajectory": self._trajectory(result)} if self.trajectories else value

    def _trajectory(self, result: Result) -> dict[str, Any]:
        from saltus.exports.columns import table_of

        table = table_of(result if self.every is None else result.resample(self.every), self.trajectories)
        return {column.title: np.ascontiguousarray(column.values) for column in table.all()}


def _number(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _path(model: Model, quantity: Any, path: str) -> str:
    text = model._output_path(model.outputs.get(quantity, quantity) if isinstance(quantity, str) else quantity)
    if isinstance(quantity, (str, Quantity)):
        return text
    refuse(path, f"has {short(quantity)}, expected a quantity", 'write body.position.x, or "body.position.x"')


def _outputs(model: Model, given: Any) -> dict[str, tuple[str, str]]:
    """name -> (path of a quantity, how it becomes a number)."""
    if given is None:
        if not model.outputs:
            refuse("study/outputs", "are not given, and the model has none", 'write outputs=[body.position.x], or outputs={"height": (ball.position.z, "max")}')
        given = list(model.outputs)
    if isinstance(given, (str, Quantity)):
        given = [given]
    pairs = given.items() if isinstance(given, Mapping) else [(q if isinstance(q, str) else getattr(q, "label", repr(q)), q) for q in given]
    out: dict[str, tuple[str, str]] = {}
    for name, value in pairs:
        quantity, how = value if isinstance(value, tuple) and len(value) == 2 and isinstance(value[1], str) else (value, "last")
        if how not in REDUCTIONS:
            refuse(f"study/outputs/{name}", f"is asked for its {how!r}", near(how, list(REDUCTIONS)) or f"one of {', '.join(REDUCTIONS)}")
        out[str(name)] = (_path(model, quantity, f"study/outputs/{name}"), how)
    return out


__all__ = ["REDUCTIONS", "ModelRun"]
