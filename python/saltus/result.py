"""What a run leaves: states over time, of which any quantity is evaluated afterwards."""

from __future__ import annotations

import math
import os
import re
from typing import TYPE_CHECKING, Any

import numpy as np

from saltus import unit_algebra
from saltus.errors import Fault, ModelError, Warnings, methods_at_their_lines
from saltus.exports.tabular import Tabular
from saltus.geometry import near, number, refuse, short, warn
from saltus.handles import Handle, Moving
from saltus.quantity import Line, Quantity
from saltus.quantity_names import formula_named, names, quantity_named, refusal
from saltus.settings import QUANTITIES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from saltus.contacts import Contacts, PairHistory
    from saltus.curve import Curve
    from saltus.exports.contacts import ContactHistory
    from saltus.exports.differences import Differences
    from saltus.handles import Contact
    from saltus.model import Model
    from saltus.running import Recorded
    from saltus.starts import Start
    from saltus.system import System


class Series(np.ndarray[Any, np.dtype[np.float64]]):
    """Values of a quantity at the recorded states, time first: (n) of a number, (n, components) of a vector; of a static result
    without time.

    `max()`, `min()` and `ptp()` are those of the motion, between the recorded states too (but for residuals of joints, which the
    scheme leaves at its states); so are those of functions of the
    values such as `abs(x)`, `2 * x - y`, and of one component, `x[:, 2]`. `values` is the plain array, whose `values.max()`
    is the largest recorded number. `unit` is its unit, `time` (n) [s] its times (None in a static result or in a part of a
    series), `label` its name.
    """

    unit: str
    time: NDArray[np.float64]
    label: str
    components: list[str]
    _curve: Curve | None

    def __new__(cls, values, unit: str = "", time=None, label: str = "", components=(), curve: Curve | None = None):
        out = np.asarray(values, dtype=float).view(cls)
        out.unit, out.time, out.label, out.components, out._curve = unit, time, label, list(components), curve
        return out

    def __array_finalize__(self, source) -> None:
        self.unit, self.label, self._curve = getattr(source, "unit", ""), getattr(source, "label", ""), None
        same = source is not None and self.shape == getattr(source, "shape", None)
        self.time = getattr(source, "time", None) if same else None
        self.components = getattr(source, "components", []) if same else []

    def __getitem__(self, key: Any) -> Any:
        part = super().__getitem__(key)
        if isinstance(part, Series) and isinstance(key, tuple) and key and isinstance(key[0], slice) and key[0] == slice(None):
            part.time = self.time  # a component, at all times
            if self.ndim == 2 and len(key) == 2 and isinstance(key[1], (int, np.integer)):
                part._curve = self._curve and self._curve.map(lambda values: values[:, key[1]])
        return part

    def __setitem__(self, key: Any, value: Any) -> None:
        self._curve = None
        super().__setitem__(key, value)

    def __array_ufunc__(self, function: Any, method: Any, *inputs: Any, out: Any = None, **keywords: Any) -> Any:
        unit = unit_algebra.of_ufunc(function.__name__, method, inputs, Series)
        plain = tuple(map(_plain, inputs))
        if out is not None:
            keywords["out"] = tuple(_plain(x) for x in out)
        value = getattr(function, method)(*plain, **keywords)
        for x in out or ():
            if isinstance(x, Series):
                x._curve = None
        if out is not None and method == "__call__":
            for x in out:
                if isinstance(x, Series):
                    x.unit = unit or ""
            return out[0] if len(out) == 1 else out
        made = self._like(value, unit, inputs)
        if not isinstance(made, Series):
            return made
        if method == "__call__" and function.nout == 1 and not keywords and any(getattr(x, "shape", None) == made.shape for x in inputs if isinstance(x, Series)):
            from saltus.curve import composed

            made._curve = composed(function, plain, [getattr(x, "_curve", None) for x in inputs], made.ndim)
        elif method == "reduce" and self.ndim == 2 and keywords.get("axis") in (1, -1) and not keywords.get("keepdims") and out is None:
            made._of_rows(self, lambda values: function.reduce(values, axis=1))
        return made

    def _of_rows(self, source: Series, function: Any) -> Series:
        """Says that it is a function of the components of a series, at each time by itself."""
        self.label, self.time = source.label, source.time
        self._curve = source._curve and source._curve.map(function)
        return self

    def __array_function__(self, function: Any, types: Any, arguments: Any, keywords: Any) -> Any:
        first = arguments[0] if arguments else None
        if isinstance(first, Series) and function in _OF_MOTION:
            return getattr(first, _OF_MOTION[function])(*arguments[1:], **keywords)
        unit = unit_algebra.of_function(function.__name__, arguments, keywords, Series)
        value = function(*map(_plain, arguments), **{key: _plain(x) for key, x in keywords.items()})
        made = self._like(value, unit, arguments)
        if function is np.linalg.norm and isinstance(first, Series) and isinstance(made, Series) and first.ndim == 2 and not arguments[1:] and keywords in ({"axis": 1}, {"axis": -1}):
            made._of_rows(first, lambda values: np.linalg.norm(values, axis=1))
        return made

    def _like(self, value: Any, unit: str | None, inputs: Any) -> Any:
        """The value as a series with its unit; None: it is no quantity. Its time is that of the series from which it comes."""
        if isinstance(value, (tuple, list)):
            return type(value)(self._like(x, unit, inputs) for x in value)
        if unit is None or not isinstance(value, np.ndarray) or value.ndim == 0:
            return value
        like = next((x for x in inputs if isinstance(x, Series) and x.time is not None and value.shape[:1] == x.shape[:1]), None)
        parts = like.components if like is not None and value.shape == like.shape else ()
        return Series(value, unit, None if like is None else like.time, self.label, parts)

    def __reduce__(self):
        return (Series, (np.asarray(self), self.unit, self.time, self.label, self.components))

    @property
    def values(self) -> NDArray[np.float64]:
        """The recorded numbers as a plain array."""
        return self.view(np.ndarray)

    @property
    def last(self) -> Any:
        """The value at the end: a number, or (components)."""
        if self.time is not None and len(self) == 0:
            raise ModelError(Fault(self.label, "has no value: the run stopped before its first state"))
        value = np.asarray(self) if self.time is None else np.asarray(self)[-1]
        return float(value) if value.ndim == 0 else value

    def max(self, axis: Any = None, out: Any = None, **options: Any) -> Any:  # type: ignore[override]
        """The largest value of the motion; axis=0: of each component. Other arguments: numpy's, of the recorded states."""
        return self._of_motion(1.0, axis) if self._continuous(axis, out, options) else self.values.max(axis=axis, out=out, **options)

    def min(self, axis: Any = None, out: Any = None, **options: Any) -> Any:  # type: ignore[override]
        """The least value of the motion; axis=0: of each component. Other arguments: numpy's, of the recorded states."""
        return self._of_motion(-1.0, axis) if self._continuous(axis, out, options) else self.values.min(axis=axis, out=out, **options)

    def ptp(self, axis: Any = None, out: Any = None, **options: Any) -> Any:  # type: ignore[override]
        """`max` less `min`."""
        if self._continuous(axis, out, options):
            return self._of_motion(1.0, axis) - self._of_motion(-1.0, axis)
        return np.ptp(self.values, axis=axis, out=out, **options)

    def time_of_max(self) -> Any:
        """Time [s] of the largest value; (components) of a vector."""
        return self._time_of(1.0)

    def time_of_min(self) -> Any:
        """Time [s] of the least value; (components) of a vector."""
        return self._time_of(-1.0)

    def curve(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """(times, values) to draw with straight lines: recorded states, points between them, both sides of each jump."""
        if self._curve is None:
            return np.asarray(self.time), self.values
        return self._curve.drawn()

    def filter(self, *, lowpass: float | None = None, highpass: float | None = None, order: int = 4, rate: float | None = None) -> Series:
        """The series behind a Butterworth filter without delay (forward and backward, Gustafsson 1996), at even times.

        lowpass, highpass: corners [Hz] where half the amplitude passes (the filter acts twice); both: what lies between passes. rate [Hz]: of the even times, which are taken from the motion itself; default 20 a
        cycle of the higher corner, and no fewer than plots draw. Needs scipy.
        """
        from saltus.filters import filtered

        return filtered(self, lowpass, highpass, order, rate)

    def moving_mean(self, window: float) -> Series:
        """The mean over `window` [s] around each time, at the ends over what is there."""
        from saltus.filters import mean_over

        return mean_over(self, window)

    def derivative(self) -> Series:
        """The rate of change at the times of the series: of the motion between the states, at a jump behind it; where that is not known by differences of second order."""
        from saltus.filters import derivative

        return derivative(self)

    def _continuous(self, axis: Any, out: Any, options: Any) -> bool:
        return self._curve is not None and out is None and not options and axis in (None, 0) and len(self) > 0

    def _of_motion(self, sign: float, axis: Any) -> Any:
        if axis is None:
            return np.float64(self._curve.extreme(sign))
        values = self._curve.extremes(sign)[0]
        return values if values.ndim else np.float64(values)

    def _time_of(self, sign: float) -> Any:
        if self._curve is None:
            if self.time is None:
                raise ModelError(Fault(self.label or "series", "has no times", "take the quantity as result[quantity] gives it"))
            where = np.argmax(sign * self.values, axis=0)
            return np.asarray(self.time)[where]
        times = self._curve.extremes(sign)[1]
        return times if times.ndim else float(times)


_OF_MOTION = {np.max: "max", np.min: "min", np.ptp: "ptp"}


class Moment(Tabular):
    """The states of a run at given times: `moment[quantity]` is a number or (components), of an array of times a series."""

    def __init__(self, result: Result, time: Any, before: bool):
        recorded = result._recorded
        t = recorded.arrays["t"]
        if result.is_static or not len(t):
            raise ModelError(Fault("time", "is not there: the result is an equilibrium", "read result[quantity]"))
        times = np.asarray(time, dtype=float)
        slack = 1e-9 * max(abs(t[0]), abs(t[-1]))  # what sums and products of times are off
        outside = ~((times >= t[0] - slack) & (times <= t[-1] + slack))
        if outside.any():
            wrong = np.atleast_1d(times)[np.atleast_1d(outside)][0]
            digits = next((n for n in (6, 9, 12) if f"{wrong:.{n}g}" not in (f"{t[0]:.{n}g}", f"{t[-1]:.{n}g}")), 17)
            raise ModelError(Fault("time", f"is {wrong:.{digits}g} s, the run is known from {t[0]:.{digits}g} s to {t[-1]:.{digits}g} s", "ask for a time of the run, or run it longer"))
        self.time: Any = float(times) if times.ndim == 0 else times
        self._result, self._times = result, np.clip(times, t[0], t[-1])
        if before:
            self._times = result._at_jumps(self._times)
        self._before = np.full(times.size, 1 if before else 0, np.uint8)

    def __getitem__(self, quantity: Quantity | str) -> Any:
        found = self._result._output(quantity)
        try:
            curve, unit, components = self._result._curve_of(found)
            values = curve.chunks(self._times.ravel(), self._before)
        except ModelError as error:
            values, unit, components = self._result._column(found, self, error)
        label = quantity if isinstance(quantity, str) else quantity.label
        if self._times.ndim == 0:
            return float(values[0]) if values.ndim == 1 else values[0]
        return Series(values.reshape(*self._times.shape, *values.shape[1:]), unit, self.time, label, components)

    def _ipython_key_completions_(self) -> list[str]:
        return self._result._ipython_key_completions_()

    @property
    def side(self) -> Any:
        """"left" or "right" of a jump of velocities at this time, "" where there is none; a list of an array of times."""
        jumps = np.isin(self._times.ravel(), self._result._jumps())
        words = [("left" if before else "right") if jump else "" for jump, before in zip(jumps, self._before, strict=True)]
        return words[0] if self._times.ndim == 0 else words

    def __len__(self) -> int:
        return int(self._times.size)

    def __repr__(self) -> str:
        if self._times.ndim:
            return f"<{self._result!r} at {len(self)} times from {self._times.min():g} s to {self._times.max():g} s>" if len(self) else f"<{self._result!r} at no time>"
        side = self.side
        return f"<{self._result!r} at {self.time} s{f', {side} of a jump' if side else ''}>"


def _plain(value):
    """A series as the array that it is, also inside lists."""
    if isinstance(value, Series):
        return value.view(np.ndarray)
    return type(value)(_plain(x) for x in value) if type(value) in (list, tuple) else value


class RunError(RuntimeError):
    """A run that could not go on. `result` holds everything up to there; None where a state was stepped."""

    at_its_line = True

    def __init__(self, result: Result | None, cause: str = ""):
        self.result = result
        cause = result.report["cause"] if result is not None else cause
        super().__init__(f"the run failed{' ' if cause.startswith('at t') else ': '}{cause}")
        self._cause = cause

    def __reduce__(self):
        return (RunError, (self.result, self._cause))


class Result(Tabular):
    """States of a run. `result[quantity]` evaluates `rod.position.x`, or "name.quantity.component"."""

    _series = Series

    def __init__(self, recorded: Recorded, model: Model | None = None):
        self._recorded, self._model = recorded, model
        self._system = recorded.system
        self._shapes: dict[str, Any] = {}  # by body, as a file kept them
        self._last_curve: tuple[Any, tuple[Curve, str, list[str]]] | None = None
        self._read_back = False  # from a file or a pickle: its model is not the program's, whose handles name the same items
        self.warnings = Warnings(recorded.report.get("warnings", ()))

    def __reduce__(self):
        return (_unpickled, (self._recorded, self._model, self._shapes, self.warnings))

    # What the run says of itself.

    @property
    def system(self) -> System:
        """The compiled model that ran: whose the entries of its states are, where its frames were."""
        from saltus.system import System

        return System(self._system)

    @property
    def is_static(self) -> bool:
        """Whether it is one equilibrium, without time axis. The scheme `static` with a step has one: an equilibrium at each of its ends."""
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
        """status, t, steps, rejected, iterations, residual, energy_start, energy_end, chosen, cause, warnings; `print(result.report)` shows them as text."""
        from saltus.running import Report

        if not isinstance(self._recorded.report, Report):
            self._recorded.report = report = Report(self._recorded.report)
            report.is_static = self.is_static
        return self._recorded.report

    @property
    def events(self) -> list[tuple[float, str, str, float]]:
        """Impacts, switches, rejected steps and the like in order, each as (time [s], kind, item, value); of a rejected step the value is the number of attempts."""
        return self._recorded.events

    @property
    def model(self) -> Model | None:
        """The model that was run: that of the program, or the one in the file."""
        return self._model

    if not TYPE_CHECKING:

        def __getattr__(self, name: str):
            if name.startswith("_"):
                raise AttributeError(name)
            here = 'write result["energy.total"], or result.plot_energy()' if name == "energy" else "" if name in QUANTITIES else near(name, [word for word in dir(type(self)) if not word.startswith("_")])
            raise AttributeError(f"a result has no {name!r}; {here or f'a quantity is read as result[body.{name}]'}")

    # Quantities.

    def __getitem__(self, quantity: Quantity | Line | str) -> Series:
        """A quantity, or a named output, over time, with unit: numpy array, time first; without time axis in a static result."""
        asked, quantity = quantity, self._output(quantity)
        if isinstance(quantity, Line):
            values = [self[place] for place in quantity.places]
            return Series(np.stack(values, axis=-2), values[0].unit, values[0].time, quantity.label, values[0].components)
        curve = None
        try:
            values, unit, components = evaluate(self._holding(quantity), quantity, self._recorded.arrays)
            curve = None if self.is_static or self._of_states(quantity) else self._curve_of(quantity)[0]
        except ModelError as error:
            values, unit, components = self._column(quantity, self, error)
        label = asked if isinstance(asked, str) else getattr(asked, "label", "")
        if self.is_static:
            return Series(values[-1], unit, None, label, components)
        return Series(values, unit, self.time, label, components, curve)

    def at(self, time: Any, *, before: bool = False) -> Moment:
        """The state at a time [s], or at an array of times: `result.at(0.7)[ball.position]`.

        Between the recorded states it is on the scheme's own curve of the step. Where velocities jump it is what follows the
        jump, with `before` what precedes it, at the time of an impact among the events, too. Raises ModelError outside of the run.
        """
        return Moment(self, time, before)

    def resample(self, dt: float) -> Moment:
        """The states `dt` [s] apart from the first, and the last: `result.resample(0.01)[ball.position]`, `.to_dataframe()`, `.export("ball.csv")`.

        By the scheme's own curve, as `at`: rotations stay rotations, and a time at a jump has what follows it.
        """
        from saltus.curve import even_times

        if self.is_static or not len(self.time):
            raise ModelError(Fault("resample", "needs a result over time: this one is an equilibrium", "read result[quantity]"))
        return self.at(even_times(self.time, number(dt, "resample", "s", above=0.0), "resample"))

    def contact(self, contact: Contact | str) -> list[ContactHistory]:
        """What a contact of two shapes did, point by point: gap, normal force, slip, state, impulses."""
        from saltus.exports.contacts import contact_history

        return contact_history(self, contact)

    def contacts(self, time: float | None = None) -> Contacts:
        """The contacts between groups in the state that ends the step with the time [s], or in all states: bodies, point, normal, gap, force, impulse, slip, state.

        `.between(a, b)` are those of two bodies; `.to_dataframe()`, `.export("contacts.parquet")`.
        """
        from saltus.contacts import contacts_of

        return contacts_of(self, time)

    def contact_history(self, a: Handle | str, b: Handle | str) -> PairHistory:
        """The contacts of two bodies over time, summed: force on b, number of points, slip, state, impulse."""
        from saltus.contacts import pair_history

        return pair_history(self, a, b)

    def compare(self, other: Result, *quantities: Quantity | str) -> Differences:
        """The largest difference of each quantity to another result, with its time: `print(a.compare(b))`, `a.compare(b)["ball.position"].largest`.

        Items are found by their names, and read at the recorded times of both, up to the earlier end. Without quantities those of `to_dataframe`.
        """
        from saltus.exports.differences import differences

        if not isinstance(other, Result):
            raise ModelError(Fault("compare", f"is {short(other)}, expected a result", "give what m.simulate or sl.load_result returned"))
        return differences(self, other, quantities)

    def _ran(self) -> Any:
        """The model as it ran, whatever the program has changed since; of one with functions the model of the program."""
        if self._recorded.model_text:
            from saltus import _core

            return _core.Model.parse(self._recorded.model_text, "")
        return self._model._engine if self._model is not None else None

    def _jumps(self) -> NDArray[np.float64]:
        """Times at which velocities jump."""
        times, before = self._recorded.track().grid(0)
        return times[before > 0]

    def _at_jumps(self, times: NDArray[np.float64]) -> NDArray[np.float64]:
        """Times of impacts among the events moved to where the curve of their step jumps: the scheme knows the step, not the time within it."""
        hits = np.unique([when for when, kind, *_ in self.events if kind in ("impact", "percussion")])
        if not len(hits):
            return times
        t, jumps, moved = self._recorded.arrays["t"], self._jumps(), np.array(times)
        near = np.clip(np.searchsorted(hits, times), 1, max(len(hits) - 1, 1)) - 1
        slack = 1e-12 * max(abs(t[0]), abs(t[-1]))
        for at in np.ndindex(moved.shape):
            time = times[at]
            if np.abs(hits[near[at] : near[at] + 2] - time).min() > slack:
                continue
            end = min(np.searchsorted(t, time - slack), len(t) - 1)  # of its step
            within = jumps[(jumps > t[max(end - 1, 0)]) & (jumps <= t[end])]
            if len(within):
                moved[at] = within[0]
        return moved

    def _of_states(self, quantity: Quantity | str) -> bool:
        """Whether it is what the scheme left at its states, and nothing that moves: residuals, but for the gaps of contacts."""
        paths = [quantity] if isinstance(quantity, str) else quantity.paths
        names = {path.rpartition(".residual")[0] for path in paths if ".residual" in path}
        if not names:
            return False
        kinds = {name: kind for _, kind, name in self._system.items() if name in names}
        return not any("gap" in kind or "contact" in kind for kind in kinds.values())

    def _curve_of(self, quantity: Quantity | str) -> tuple[Curve, str, list[str]]:
        """The quantity as a curve over time, with unit and names of components; the last one is kept, whose extremes share their samples."""
        from saltus.curve import Curve, kinematic, states_at

        system, recorded = self._holding(quantity), self._recorded
        asked = (system, quantity if isinstance(quantity, str) else (quantity.paths, quantity.component))
        if self._last_curve is not None and self._last_curve[0] == asked:
            return self._last_curve[1]
        track = recorded.track(system)
        rates = not all(kinematic(path) for path in ([quantity] if isinstance(quantity, str) else quantity.paths))
        last = {name: recorded.arrays[name][-1:] for name in ("t", "y", "a", "lam", "data")}
        _, unit, components = evaluate(system, quantity, last)
        curve = Curve(recorded, lambda times, before: evaluate(system, quantity, states_at(track, times, before, rates))[0])
        self._last_curve = asked, (curve, unit, components)
        return curve, unit, components

    def _output(self, quantity: Any) -> Any:
        """The quantity of a name: a named output of the model, what a handle reads, a formula, or a path of the engine."""
        if not isinstance(quantity, str) or self._model is None:
            return quantity
        known = self._model.outputs
        return known[quantity] if quantity in known else quantity_named(self._model, quantity) or formula_named(self._model, quantity)

    def _column(self, quantity: Any, source: Result | Moment, error: ModelError) -> tuple[NDArray[np.float64], str, list[str]]:
        """What tables alone show under a name that the engine refused."""
        from saltus.exports.columns import column_named

        if not isinstance(quantity, str):
            raise error
        found = column_named(source, quantity)
        if found is None:
            raise refusal(self, quantity, error) from None
        return found

    def _named_outputs(self) -> dict[str, str]:
        """The named outputs of the model as it is now that the run can tell: not those of items that came to the model after it."""
        out = {}
        first = {name: values[:1] for name, values in self._recorded.arrays.items() if name in ("t", "y", "a", "lam", "data")}
        for name, path in (self._model.outputs if self._model is not None else {}).items():
            try:
                evaluate(self._holding(path), path, first)
            except ModelError:
                continue
            out[name] = path
        return out

    def _holding(self, quantity: Quantity | str):
        """The system; again compiled if a frame was asked for after the run. Frames add no unknowns."""
        if self._model is None or not isinstance(quantity, (str, Quantity)):
            return self._system
        if isinstance(quantity, str):
            if any(word in self._model and not self._system.quantities(word) for word in re.findall(r"[^\W\d]\w*", quantity)):
                again = self._model._engine.compile()
                self._system = again if again.sizes() == self._system.sizes() else self._system
            return self._system
        names = {handle._item_name() for handle, _ in quantity.terms}
        for handle, _ in quantity.terms:
            if handle._model is not self._model and not (self._read_back and _record(handle, handle._model) == _record(handle, self._model) != []):
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

    def plot(self, *quantities: Quantity | Line | str, label: str = "", ax: Axes | Sequence[Axes] | None = None, file: str | os.PathLike[str] | None = None) -> Any:
        """Draws quantities over time, one panel a unit; the named outputs if none is given. A line, such as `beam.centerline`, is drawn in space.

        label: name in the legend; calls with a label for the same quantities share their picture. file: where to write
        it. Without a display and without `file` it writes a PNG and says where; a notebook shows it below the cell. Returns matplotlib's axes, an array of
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

        The page stands alone in one file. Without a display it writes a picture and the page, and says where; a notebook on a
        server shows the page below the cell. file: where
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

    def to_png(self, path: str | os.PathLike[str], *, time: float | None = None, size: tuple[int, int] = (1280, 800), title: str = "") -> str:
        """Writes a picture of the run at a time [s] (default: the end), as its page shows it; without a browser a plainer drawing. Returns the file's name."""
        from saltus.view.still import write_picture

        return write_picture(self, path, time=time, size=size, title=title)

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
        series = {name: self[path] for name, path in self._named_outputs().items()}
        return {name: (values.last, values.unit) for name, values in series.items()}

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the result file, which holds the model: `sl.load_result(path)` reads it. Tables and files of other programs: `export`."""
        from saltus.exports.tabular import refuse_other_formats
        from saltus.running import COLUMNS, channels_of, write_reports
        from saltus.store import ResultWriter
        from saltus.view.shows import shapes_of

        refuse_other_formats(path)
        r = self._recorded
        r.shapes, r.report["warnings"] = shapes_of(self), self.warnings
        writer = ResultWriter(path, channels_of(r.system.sizes(), r.contacts is not None), model=r.model_text)
        with writer:
            writer.append(r.arrays["t"], {name: r.column(name) for name in COLUMNS[1:]})
            if r.contacts is not None:
                writer.append(r.arrays["t"][r.contacts[:, 0].astype(int)], {"contact": r.contacts}, series="contacts")
            for when, kind, item, value in r.events:
                writer.event(when, kind, item, value=value)
            writer.checkpoint(r.report["t"], r.state)
            write_reports(writer, r)
            writer.close(r.status)

    def __len__(self) -> int:
        return len(self.time)

    def _ipython_key_completions_(self) -> list[str]:
        """What a notebook offers behind `result["`."""
        return list(dict.fromkeys(names(self)))

    def __repr__(self) -> str:
        what = "" if self._model is None else f"; {repr(self._model)[1:-1]}"
        events = f", {len(self.events)} event{'' if len(self.events) == 1 else 's'}" if self.events else ""
        states = f"{len(self)} state{'' if len(self) == 1 else 's'}"
        return f"<result of {self.scheme}: {states} to t = {self.report['t']:g} s{events}, {self.report['status']}{what}>"


UNGIVEN = "None is an argument that a verb was not given, such as limits= of a joint; the motion of a hinge is hinge.angle, of a slide slide.position"


def evaluate(system, quantity: Quantity | str, arrays: dict[str, np.ndarray]) -> tuple[np.ndarray, str, list[str]]:
    """(values (n) or (n, components), unit, names of components) of a quantity for recorded states."""
    states = tuple(arrays[name] for name in ("t", "y", "a", "lam", "data"))
    if isinstance(quantity, str):
        try:
            values, unit, names = system.evaluate(quantity, *states)
        except ModelError:
            if not quantity.isidentifier():
                raise
            what = "energy.total" if quantity == "energy" else f"{quantity}.position"
            raise ModelError(Fault(quantity, "is neither a named output nor a quantity of an item", f'write result["{what}"] or the like')) from None
        if quantity.lstrip().startswith("="):
            from saltus.formula_units import formula_unit

            none = {name: part[:0] for name, part in arrays.items()}
            unit = formula_unit(quantity, lambda path: evaluate(system, path, none)[1], Series)
        elif "angles_" in quantity:
            _tell_singular(quantity, values if names else None)
        return (values if names else values[:, 0]), unit, names
    if isinstance(quantity, Handle):
        raise ModelError(
            Fault(quantity.name, "is an item, not a quantity", f"write {quantity.name}.position or the like")
        )
    if not isinstance(quantity, Quantity):
        raise ModelError(Fault("result", f"is asked for {quantity!r}", UNGIVEN if quantity is None else 'write result[body.position.x], or result["body.position.x"]'))
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


def _unpickled(recorded: Recorded, model: Model | None, shapes: dict[str, Any], warnings: list[Fault]) -> Result:
    result = Result(recorded, model)
    result._shapes, result.warnings, result._read_back = shapes, Warnings(warnings), True
    return result


def _record(handle: Handle, model: Model) -> list[Any]:
    """Section, type, name and fields of the item of this name in the model."""
    name = handle._item_name()
    if name == "ground":
        return [name]
    return [(*record, model._engine.record(name)) for record in model._engine.records() if record[2] == name]


def _tell_singular(path: str, values: np.ndarray | None) -> None:
    """Warns where angles of a sequence stand at its singular angle."""
    sequence = path.rpartition("angles_")[2][:3].lower()
    if values is None or values.ndim != 2:
        return
    middle = values[:, 1]
    apart = np.minimum(np.abs(middle), np.abs(np.pi - middle)) if sequence[0] == sequence[2] else 0.5 * np.pi - np.abs(middle)
    if count := int(np.sum(apart < 1e-7)):
        warn(path, f"stands at the singular angle of its sequence in {count} of {len(values)} states: there the third angle is 0", "read another sequence, or the rotation vector")


def state_of(at: Any, path: str) -> tuple[Recorded, dict[str, Any]]:
    """(run, its arrays at one time) of a result, at its end, or of (result, time [s])."""
    from saltus.curve import states_at

    result, time = at if isinstance(at, tuple) and len(at) == 2 else (at, None)
    if isinstance(result, Moment) and np.ndim(result.time) == 0:
        refuse(path, f"is the state of a result at {float(result.time):g} s", f"write start=(result, {float(result.time):g})")
    if not isinstance(result, Result):
        refuse(path, f"is {short(at)}, expected a result, or (result, time)", "write start=result, of a run of this model")
    times, recorded = result.time, result._recorded
    if len(recorded.arrays["t"]) == 0:
        refuse(path, "is a result without a state", "its run stopped before the first one")
    if time is None or recorded.is_static:
        return recorded, {name: values[-1] for name, values in recorded.arrays.items()}
    wanted, slack = number(time, path, "s"), 1e-9 * (times[-1] - times[0])
    if not times[0] - slack <= wanted <= times[-1] + slack:
        refuse(path, f"is at {wanted:g} s, outside of the run from {times[0]:g} s to {times[-1]:g} s", "give a time of the run")
    return recorded, {name: values[0] for name, values in states_at(recorded.track(), np.clip([wanted], times[0], times[-1])).items()}


def start_at(at: Any, path: str) -> Start:
    """Where a run begins that goes on from a result, or from (result, time [s])."""
    from saltus.starts import Start

    recorded, a = state_of(at, path)
    t = 0.0 if recorded.is_static else float(a["t"])
    state = b"" if isinstance(at, tuple) or recorded.scheme == "static" else recorded.state
    return Start(t, a["y"], a["data"], recorded.system, recorded.model_text, recorded.options, state)


methods_at_their_lines(Moment, Result)
