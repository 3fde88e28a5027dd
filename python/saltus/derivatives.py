"""How a motion changes with its start and with parameters: derivatives of a flow, impacts included."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from saltus import geometry as g
from saltus.errors import ModelError
from saltus.orbits import APART, Flow, begin, chosen_options, reach_of
from saltus.quantity import Quantity
from saltus.result import RunError, state_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from saltus.model import Model
    from saltus.running import Recorded

    Array = NDArray[np.float64]


@dataclass(frozen=True)
class Derivatives:
    """Derivatives of what is at the end of a motion by its start and by parameters: `d["height", "k"]` is a number, or (components).

    values: the outputs at the end, a vector with a row a component. by_parameters (rows, parameters), by_start (rows, n). transition (n, n): the small
    move of the end by that of the start; transition_by_parameters (n, parameters). A move has `sizes`: positions, velocities, first-order states, lengths
    along orthonormal motions that the joints allow, turns times the length of the model. Angles in rad, all else in SI units.
    one_sided: parameters at the edge of their range, beyond which a field refuses them; their differences are within it, of second order too.
    """

    outputs: tuple[str, ...]
    parameters: tuple[str, ...]
    values: Array = field(repr=False)
    by_parameters: Array = field(repr=False)
    by_start: Array = field(repr=False)
    transition: Array = field(repr=False)
    transition_by_parameters: Array = field(repr=False)
    sizes: tuple[int, int, int]
    runs: int
    one_sided: tuple[str, ...] = ()
    _rows: tuple[slice, ...] = field(repr=False, default=())

    def __getitem__(self, pair: tuple[Quantity | str, str]) -> Any:
        if not isinstance(pair, tuple) or len(pair) != 2:
            g.refuse("derivatives", f"is asked for {g.short(pair)}", 'write d["height", "k"]: an output and a parameter')
        output, parameter = (str(part) if isinstance(part, str) else _label(part) for part in pair)
        for word, names, what in ((output, self.outputs, "output"), (parameter, self.parameters, "parameter")):
            if word not in names:
                g.refuse(f"derivatives/{word}", f"is not an {what} of them" if what == "output" else f"is not a {what} of them", g.near(word, names) or f"they have {', '.join(names) or 'none'}")
        rows = self.by_parameters[self._rows[self.outputs.index(output)], self.parameters.index(parameter)]
        return float(rows[0]) if len(rows) == 1 else rows.copy()


def _label(part: Any) -> str:
    return part.label if isinstance(part, Quantity) else str(part)


class _Ends:
    """Motions of one model to one time, from starts and with parameters that differ a little."""

    def __init__(self, model: Model, start: Any, until: float, options: dict[str, Any], paths: Sequence[str]):
        self.model, self.start, self.until, self.options, self.paths = model, start, until, options, list(paths)
        self.flow = Flow(model, options, "derivatives")
        self.fresh = np.array(self.flow.mechanism.data)  # as it is before a run
        self.y = begin(model, self.flow, start, "derivatives")
        self.t = 0.0
        if not isinstance(start, str):
            arrays = state_of(start, "derivatives/start")[1]
            self.t, self.flow.mechanism.data = float(arrays["t"]), np.array(arrays["data"])
        self.flow.mechanism.time = self.t
        if not until > self.t:
            g.refuse("derivatives/until", f"is {until:g} s, and the motion begins at {self.t:g} s", "time goes on")
        self.bases = self.flow.bases(self.y)
        self.reach = APART * reach_of(self.flow, self.y)
        self.n = self.bases[0].shape[1] + self.bases[1].shape[1] + self.flow.nx

    def outputs(self, recorded: Recorded) -> list[Array]:
        return [np.atleast_1d(np.array(recorded.evaluate(path)[0][-1], dtype=float)) for path in self.paths]

    def from_start(self, move: Array) -> tuple[Array, Array]:
        """(outputs, state) at the end."""
        recorded = self.flow.run(self.flow.moved(self.y, move, self.bases), self.t, self.until)
        return np.concatenate([*self.outputs(recorded), np.zeros(0)]), np.array(recorded.arrays["y"][-1])

    @contextmanager
    def parameter(self, name: str, value: float) -> Iterator[None]:
        before = dict(self.model.parameters)
        entry = before[name]
        self.model.parameters = {**before, name: {**entry, "value": value} if isinstance(entry, dict) else value}
        try:
            yield
        finally:
            self.model.parameters = before

    def with_parameter(self, name: str, value: float) -> tuple[Array, Array]:
        with self.parameter(name, value):
            flow = Flow(self.model, self.options, "derivatives")
            if isinstance(self.start, str):
                y = begin(self.model, flow, self.start, "derivatives")
            else:  # what the run remembers, but for what the parameter itself is there
                y, flow.mechanism.data = self.y, self.flow.mechanism.data + (flow.mechanism.data - self.fresh)
            recorded = flow.run(y, self.t, self.until)
            return np.concatenate([*self.outputs(recorded), np.zeros(0)]), np.array(recorded.arrays["y"][-1])


    def by_parameter(self, name: str, value: float, here: tuple[Array, Array], apart: Callable[[Array], Array]) -> tuple[Array, Array, bool]:
        """Derivatives of the outputs and of the move of the end, here at `value`, and whether only one side of it is allowed. apart(y): the move to y."""
        d = APART * (abs(value) or 1.0)
        ends: dict[float, tuple[Array, Array]] = {}
        refusal: ModelError | None = None
        for side in (1.0, -1.0):
            try:
                ends[side] = self.with_parameter(name, value + side * d)
            except RunError:
                raise
            except ModelError as error:
                refusal = refusal or error
        if not ends and refusal is not None:
            raise refusal
        if len(ends) == 2:
            (high, end_high), (low, end_low) = ends[1.0], ends[-1.0]
            return (high - low) / (2 * d), (apart(end_high) - apart(end_low)) / (2 * d), False
        ((side, (near, end_near)),) = ends.items()
        far, end_far = self.with_parameter(name, value + 2 * side * d)
        return side * (4 * near - far - 3 * here[0]) / (2 * d), side * (4 * apart(end_near) - apart(end_far)) / (2 * d), True


def _value(model: Model, name: Any) -> float:
    entry = model.parameters.get(name) if isinstance(name, str) else None
    value = entry["value"] if isinstance(entry, Mapping) else entry
    if entry is None:
        g.refuse("derivatives/parameters", f"has {g.short(name)}, which the model has not", g.near(str(name), list(model.parameters)) or 'write m.parameters["k"] = 1, and "k" where it acts')
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        g.refuse(f"derivatives/parameters/{name}", f"is {g.short(value)}, no number of its own", "name the parameters of its expression")
    return float(value)


def derivatives(model: Model, until: float, outputs: Sequence[Any], parameters: Sequence[str], start: Any, options: dict[str, Any]) -> Derivatives:
    """See Model.derivatives."""
    if isinstance(outputs, (str, Quantity)) or isinstance(parameters, str):
        word = "parameters" if isinstance(parameters, str) else "outputs"
        g.refuse(f"derivatives/{word}", f"is {g.short(outputs if word == 'outputs' else parameters)}, expected a list", f"write {word}=[...]")
    values = [_value(model, name) for name in parameters]
    names = tuple(map(str, parameters))
    named = [entry if isinstance(entry, str) else _label(entry) for entry in outputs]
    known = model.outputs
    paths = [known[entry] if isinstance(entry, str) and entry in known else model._output_path(entry) for entry in outputs]
    ends = _Ends(model, start, g.number(until, "derivatives/until", "s", above=0.0), chosen_options(options, "derivatives"), paths)
    recorded = ends.flow.run(ends.y, ends.t, ends.until)
    parts = ends.outputs(recorded)
    bounds = np.cumsum([0, *(len(part) for part in parts)])
    rows = tuple(slice(int(a), int(b)) for a, b in zip(bounds[:-1], bounds[1:], strict=True))
    end = np.array(recorded.arrays["y"][-1])
    end_bases = ends.flow.bases(end)

    def slope(high: tuple[Array, Array], low: tuple[Array, Array], width: float) -> tuple[Array, Array]:
        return (high[0] - low[0]) / width, (ends.flow.apart(end, high[1], end_bases) - ends.flow.apart(end, low[1], end_bases)) / width

    count, n = int(bounds[-1]), ends.n
    by_start, transition = np.zeros((count, n)), np.zeros((len(end_bases[0].T) + len(end_bases[1].T) + ends.flow.nx, n))
    for i, e in enumerate(np.eye(n)):
        by_start[:, i], transition[:, i] = slope(ends.from_start(ends.reach * e), ends.from_start(-ends.reach * e), 2 * ends.reach)
    by_parameters, moves = np.zeros((count, len(names))), np.zeros((len(transition), len(names)))
    one_sided = []
    for i, (name, value) in enumerate(zip(names, values, strict=True)):
        by_parameters[:, i], moves[:, i], edge = ends.by_parameter(name, value, (np.concatenate([*parts, np.zeros(0)]), end), lambda y: ends.flow.apart(end, y, end_bases))
        one_sided += [name] if edge else []
    sizes = (ends.bases[0].shape[1], ends.bases[1].shape[1], ends.flow.nx)
    return Derivatives(tuple(named), names, np.concatenate([*parts, np.zeros(0)]), by_parameters, by_start, transition, moves, sizes, 1 + 2 * n + 2 * len(names), tuple(one_sided), rows)
