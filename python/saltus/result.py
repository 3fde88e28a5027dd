"""What a run leaves: states over time, of which any quantity is evaluated afterwards."""

from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING, Any

import numpy as np

from saltus.errors import Fault, ModelError
from saltus.handles import Handle, Moving
from saltus.quantity import Quantity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from saltus.model import Model
    from saltus.running import Recorded


class Series(np.ndarray[Any, np.dtype[np.float64]]):
    """Values of a quantity, time first: (n) of a number, (n, components) of a vector; of a static result without time.

    `unit` is its unit, `time` (n) [s] its times (None in a static result or in a part of a series), `label` its name.
    """

    unit: str
    time: NDArray[np.float64]
    label: str
    components: list[str]

    def __new__(cls, values, unit: str = "", time=None, label: str = "", components=()):
        out = np.asarray(values, dtype=float).view(cls)
        out.unit, out.time, out.label, out.components = unit, time, label, list(components)
        return out

    def __array_finalize__(self, source) -> None:
        self.unit, self.label = getattr(source, "unit", ""), getattr(source, "label", "")
        same = source is not None and self.shape == getattr(source, "shape", None)
        self.time = getattr(source, "time", None) if same else None
        self.components = getattr(source, "components", []) if same else []

    def __reduce__(self):
        return (Series, (np.asarray(self), self.unit, self.time, self.label, self.components))

    @property
    def last(self) -> Any:
        """The value at the end: a number, or (components)."""
        value = np.asarray(self) if self.time is None else np.asarray(self)[-1]
        return float(value) if value.ndim == 0 else value


class RunError(RuntimeError):
    """A run that could not go on. `result` holds everything up to there."""

    def __init__(self, result: Result):
        self.result = result
        cause = result.report["cause"]
        super().__init__(f"the run failed{' ' if cause.startswith('at t') else ': '}{cause}")


class Result:
    """States of a run. `result[quantity]` evaluates `rod.position.x`, or "name.quantity.component"."""

    def __init__(self, recorded: Recorded, model: Model | None = None):
        self._recorded, self._model = recorded, model
        self._system = recorded.system
        self._shapes: dict[str, Any] = {}  # by body, as a file kept them
        self.warnings: list[Fault] = list(recorded.report.get("warnings", ()))

    # What the run says of itself.

    @property
    def is_static(self) -> bool:
        """Whether it is an equilibrium, without time axis."""
        return self._recorded.is_static

    @property
    def time(self) -> NDArray[np.float64]:
        """Times of the recorded states (n) [s]."""
        return self._recorded.arrays["t"]

    @property
    def scheme(self) -> str:
        """Name of the scheme that ran."""
        return self._recorded.scheme

    @property
    def report(self) -> dict[str, Any]:
        """status, t, steps, rejected, iterations, residual, energy_start, energy_end."""
        return self._recorded.report

    @property
    def events(self) -> list[tuple[float, str, str, float]]:
        """(time [s], kind, item, value) of impacts, switches, rejected steps (value: attempts) and the like, in order."""
        return self._recorded.events

    # Quantities.

    def __getitem__(self, quantity: Quantity | str) -> Series:
        """A quantity over time, with unit: numpy array, time first; without time axis in a static result."""
        values, unit, components = evaluate(self._holding(quantity), quantity, self._recorded.arrays)
        label = quantity if isinstance(quantity, str) else quantity.label
        if self.is_static:
            return Series(values[-1], unit, None, label, components)
        return Series(values, unit, self.time, label, components)

    def _holding(self, quantity: Quantity | str):
        """The system; again compiled if a frame was asked for after the run. Frames add no unknowns."""
        if not isinstance(quantity, Quantity) or self._model is None:
            return self._system
        names = {handle._item_name() for handle, _ in quantity.terms}
        for handle, _ in quantity.terms:
            if handle._model is not self._model:
                raise ModelError(
                    Fault(handle.name, "is an item of another model than the result's", "read the result of the run of its model")
                )
        if not all(self._system.quantities(name) for name in names):
            again = self._model._engine.compile()
            if again.sizes() != self._system.sizes():
                raise ModelError(Fault(", ".join(sorted(names)), "came to the model after this run", "run it again"))
            self._system = again
        return self._system

    def rest_time(self, body: Handle, *, tolerance: float = 1e-6) -> float:
        """Time [s] after which the body stays where it ends, within `tolerance` (m, m/s, rad/s); inf if it never does.

        Taken at recorded states, so it is at most one step late.
        """
        if not isinstance(body, Moving):
            raise ModelError(Fault(getattr(body, "name", repr(body)), "has no place that could come to rest"))
        place, speed, spin = (np.asarray(self[q]) for q in (body.position, body.velocity, body.angular_velocity))
        size = np.maximum.reduce(
            [np.abs(place - place[-1]).max(axis=1), np.abs(speed).max(axis=1), np.abs(spin).max(axis=1)]
        )
        moving = np.flatnonzero(size > tolerance)
        first = moving[-1] + 1 if len(moving) else 0
        return float(self.time[first]) if first < len(size) - 1 else math.inf

    # Pictures and files.

    def plot(self, *quantities: Quantity | str, label: str = "", ax: Axes | Sequence[Axes] | None = None, file: str | os.PathLike[str] | None = None) -> Any:
        """Draws quantities over time, one panel a unit; the named outputs if none is given.

        label: name in the legend; calls with a label for the same quantities share their picture. file: where to write
        it. Without a display and without `file` it writes a PNG and says where. Returns matplotlib's axes, an array of
        them where there are several panels; ax: such axes to draw into.
        """
        from saltus.plotting import plot

        return plot(self, quantities, label, ax, file)

    def plot_phase(self, x: Quantity | str, y: Quantity | str, *, ax: Axes | None = None, file: str | os.PathLike[str] | None = None) -> Axes:
        """Draws one number against another, such as an angle and its rate. Returns matplotlib's axes; see `plot`."""
        from saltus.plotting import plot_phase

        return plot_phase(self, x, y, ax, file)

    def plot_spectrum(self, *quantities: Quantity | str, ax: Axes | None = None, file: str | os.PathLike[str] | None = None) -> Axes:
        """Draws amplitudes over frequency [Hz] of numbers over time (FFT, Hann window). Returns matplotlib's axes."""
        from saltus.plotting import plot_spectrum

        return plot_spectrum(self, quantities, ax, file)

    def plot_energy(self, *, ax: Axes | None = None, file: str | os.PathLike[str] | None = None) -> Axes:
        """Draws kinetic, potential and total energy [J] over time. Returns matplotlib's axes."""
        from saltus.plotting import plot_energy

        return plot_energy(self, ax, file)

    def show(self, file: str | os.PathLike[str] | None = None) -> str:
        """Opens the page of the run in the browser and prints a table; returns the file's name.

        The page stands alone in one file. Without a display it writes a picture and the page, and says where. file: where
        to write the page (.html) or the picture (.png), without opening it.
        """
        from saltus.plotting import show

        return show(self, file)

    def to_html(self, path: str | os.PathLike[str], *, title: str = "", compare: Result | None = None) -> str:
        """Writes one page that shows the run, needs nothing else and works offline; returns the file's name.

        Positions are kept in 16 bits of their range, at most 1500 states are drawn. compare: a second result, drawn as a
        ghost or beside the first.
        """
        from saltus.view.shows import write_page

        return write_page(self, path, title=title, compare=compare)

    def _repr_html_(self) -> str:
        """The page in a frame of its own, for notebooks."""
        import html

        from saltus.view.shows import to_html

        page = html.escape(to_html(self, title=self.scheme), quote=True)
        return (f'<iframe sandbox="allow-scripts allow-downloads" title="Saltus: {html.escape(repr(self), quote=True)}" srcdoc="{page}" '
                'style="width:100%;height:560px;border:1px solid #ccc;border-radius:8px"></iframe>')

    @property
    def table(self) -> dict[str, tuple[Any, str]]:
        """Last value and unit of each named output of the model."""
        outputs = self._model.outputs if self._model is not None else {}
        series = {name: self[path] for name, path in outputs.items()}
        return {name: (values.last, values.unit) for name, values in series.items()}

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the result file, which holds the model: `sl.load_result(path)` reads it."""
        from saltus.running import COLUMNS, channels_of, report_for_file
        from saltus.store import ResultWriter

        r = self._recorded
        writer = ResultWriter(path, channels_of(r.system.sizes()), model=r.model_text)
        with writer:
            writer.append(r.arrays["t"], {name: r.arrays[name] for name in COLUMNS[1:]})
            for when, kind, item, value in r.events:
                writer.event(when, kind, item, value=value)
            writer.checkpoint(r.report["t"], r.state)
            from saltus.view.shows import shapes_of

            for name, shape in shapes_of(self).items():
                writer.report(0.0, "shape", name, **shape)
            writer.report(r.report["t"], "run", "", **report_for_file(r.report), scheme=r.scheme, is_static=r.is_static)
            writer.close(r.status)

    def __len__(self) -> int:
        return len(self.time)

    def __repr__(self) -> str:
        return f"<result of {self.scheme}: {len(self)} states to t = {self.report['t']:g} s, {self.report['status']}>"


def evaluate(system, quantity: Quantity | str, arrays: dict[str, np.ndarray]) -> tuple[np.ndarray, str, list[str]]:
    """(values (n) or (n, components), unit, names of components) of a quantity for recorded states."""
    states = tuple(arrays[name] for name in ("t", "y", "a", "lam", "data"))
    if isinstance(quantity, str):
        values, unit, names = system.evaluate(quantity, *states)
        return (values if names else values[:, 0]), unit, names
    if isinstance(quantity, Handle):
        raise ModelError(
            Fault(quantity.name, "is an item, not a quantity", f"write {quantity.name}.position or the like")
        )
    if not isinstance(quantity, Quantity):
        raise ModelError(Fault("result", f"is asked for {quantity!r}", 'write result[body.position.x], or result["body.position.x"]'))
    if len(quantity.paths) == 1:
        path = quantity.paths[0] + (f".{quantity.component}" if quantity.component else "")
        return evaluate(system, path, arrays)
    parts = [system.evaluate(path, *states) for path in quantity.paths]
    values, (_, unit, names) = sum(part[0] for part in parts), parts[0]
    if not quantity.component:
        return (values if names else values[:, 0]), unit, names
    if quantity.component == "norm":
        return np.linalg.norm(values, axis=1), unit, []
    if quantity.component not in names:
        raise ModelError(
            Fault(quantity.label, f"has no component {quantity.component!r}", f"it has {', '.join(names)}")
        )
    return values[:, names.index(quantity.component)], unit, []


def load_result(path: str | os.PathLike[str]) -> Result:
    """Reads a result file, also one whose run was killed; its model is `result.model` if the file holds it."""
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from saltus.model import Model
    from saltus.running import COLUMNS, Recorded, report_of_file
    from saltus.store import ResultReader

    with ResultReader(path) as reader:
        if not reader.series["main"] and not reader.finished:
            raise ModelError(
                Fault(
                    "",
                    "holds no state: its run was stopped before the first commit, or has just begun",
                    "wait for a run that goes on, else run the model again",
                    os.fspath(path),
                )
            )
        if not reader.model:
            raise ModelError(
                Fault(
                    "model",
                    "is not in this file: it had Python functions",
                    "read the arrays with ResultReader",
                    os.fspath(path),
                )
            )
        model = Model.parse(reader.model)
        report = next((entry.data for entry in reader.reports("run")), None) or {
            "status": "interrupted",
            "t": reader.end_time,
            "steps": reader.series["main"],
            "cause": "",
        }
        recorded = Recorded(
            model._engine.compile(), reader.model, report.get("scheme", ""), report.get("is_static", False), {}
        )
        recorded.report = report_of_file(report)
        recorded.arrays = {"t": reader.time(), **{name: reader[name] for name in COLUMNS[1:]}}
        recorded.events = [(e.time, e.kind, e.path, e.data["value"]) for e in reader.events()]
        checkpoint = reader.checkpoint()
        recorded.state = checkpoint[1] if checkpoint else b""
        shapes = {entry.path: entry.data for entry in reader.reports("shape")}
    result = Result(recorded, model)
    result._shapes = shapes
    return result
