"""One function, or one model, at many points, in processes of this machine or of a cluster: no guard in the script, no fork."""

from __future__ import annotations

import inspect
import math
import os
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from saltus.errors import Fault, ModelError, at_its_line, methods_at_their_lines, missing_extra
from saltus.geometry import near, refuse, short, warn
from saltus.study_file import StudyFile
from saltus.study_trajectories import Trajectories
from saltus.study_workers import run_points

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray


class Grid(Sequence[dict[str, Any]]):
    """All combinations of the values of each parameter, the last fastest; made when they are asked for."""

    def __init__(self, axes: dict[str, list[Any]]):
        self.axes, self.shape = axes, tuple(len(values) for values in axes.values())

    def __len__(self) -> int:
        return math.prod(self.shape)

    def __getitem__(self, i: Any) -> Any:
        if not 0 <= i < len(self):
            raise IndexError(i)
        return {name: values[k] for (name, values), k in zip(self.axes.items(), np.unravel_index(i, self.shape), strict=True)}


class Study:
    """Points of a study in their order: `values`, `table`, `to_dataframe()`, `export("study.parquet")`; of a grid the last parameter varies fastest."""

    def __init__(self, grid: dict[str, list[Any]], points: Sequence[dict[str, Any]], values: list[Any], errors: dict[int, str], trajectories: Trajectories | None = None):
        self.grid, self.points, self._values, self._errors, self._trajectories = grid, points, values, errors, trajectories

    def __len__(self) -> int:
        return len(self.points)

    def _row(self, i: int) -> dict[str, Any]:
        return {**self.points[i], "value": self._values[i], "error": self._errors.get(i)}

    @property
    def table(self) -> list[dict[str, Any]]:
        """One row a point: its parameters, `value`, and `error` (text; None where the point succeeded)."""
        return [self._row(i) for i in range(len(self))]

    @property
    def failures(self) -> list[dict[str, Any]]:
        """The rows that failed."""
        return [self._row(i) for i in sorted(self._errors)]

    @property
    def values(self) -> NDArray[Any]:
        """Values on the grid: the length of each parameter, then the shape of a value; of samples (n) of them. ModelError if a point failed."""
        if self._errors:
            row = self.failures[0]
            point = ", ".join(f"{name} = {row[name]}" for name in self.points[0])
            raise ModelError(Fault("study", f"{len(self._errors)} of {len(self)} points failed; {point}: {row['error']}", "see `failures`, or read `table`"))
        shape = tuple(len(values) for values in self.grid.values()) or (len(self),)
        return np.array(self._values).reshape(*shape, *np.shape(self._values[0]))

    def columns(self) -> dict[str, list[Any]]:
        """The table by columns: parameters, outputs (`value`, or the names of a dict; components of arrays as name.0, name.1), `error`."""
        out: dict[str, list[Any]] = {name: [point[name] for point in self.points] for name in (self.points[0] if len(self) else ())}
        flat = [_flat(value) if i not in self._errors else {} for i, value in enumerate(self._values)]
        names = dict.fromkeys(name for row in flat for name in row)
        out.update({name if name not in out else f"{name}.output": [row.get(name, math.nan) for row in flat] for name in names})
        return {**out, "error": [self._errors.get(i) for i in range(len(self))]}

    def to_dataframe(self) -> Any:
        """The table for pandas, one row a point."""
        try:
            import pandas
        except ImportError:
            raise missing_extra("a data frame", "tables") from None
        return pandas.DataFrame(self.columns())

    def export(self, path: str | os.PathLike[str]) -> str:
        """Writes the table as .csv or .parquet; returns the file's name."""
        from saltus.exports.studies import write_study

        return write_study(self.columns(), path)

    @property
    def trajectories(self) -> Any:
        """pyarrow's data set of the trajectories, a column `run` first: read what is asked for, larger than memory."""
        return self._kept().dataset()

    def trajectory(self, run: int) -> dict[str, NDArray[Any]]:
        """The trajectory of the point with this number: {"time [s]": (n), "ball.position.z [m]": (n), ...}."""
        if not 0 <= run < len(self):
            refuse("study/trajectory", f"is asked for of run {run}, there are {len(self)} from 0")
        return self._kept().of(run)

    def _kept(self) -> Trajectories:
        if self._trajectories is None:
            raise ModelError(Fault("study/trajectories", "were not kept", "write study(model, trajectories=[ball.position.z], path=...)"))
        return self._trajectories

    def plot(self, *, file: str | os.PathLike[str] | None = None) -> Axes:
        """Draws numbers over one parameter (lines) or two (colours); failed points are left out. Returns the axes."""
        from saltus.display import pyplot
        from saltus.plotting import _finish

        plt = pyplot()
        names = list(self.points[0]) if len(self) else []
        plain = [self._plotted(value) for value in self._values]
        if not 1 <= len(names) <= 2 or any(np.ndim(value) for i, value in enumerate(plain) if i not in self._errors):
            refuse("study/plot", "draws one number over one or two parameters", "draw from `values` or `table`")
        numbers = np.ma.masked_all(len(self))
        for i, value in enumerate(plain):
            if i not in self._errors:
                numbers[i] = value
        figure, axis = plt.subplots(figsize=(6, 4.5))
        over = [[point[name] for point in self.points] for name in names]
        if len(names) == 1:
            axis.plot(over[0], numbers, "o-" if self.grid else "o", linewidth=1)
            axis.set_ylabel("value")
        else:
            shape = [len(values) for values in self.grid.values()]
            axes = list(self.grid.values())
            mesh = axis.pcolormesh(axes[1], axes[0], numbers.reshape(shape), shading="nearest") if self.grid else axis.scatter(over[1], over[0], c=numbers)
            figure.colorbar(mesh, label="value")
            axis.set_ylabel(names[0])
        axis.set_xlabel(names[-1])
        figure.tight_layout()
        _finish(plt, figure, file, "study")
        return axis

    @staticmethod
    def _plotted(value: Any) -> Any:
        return next(iter(value.values())) if isinstance(value, dict) and len(value) == 1 else value if not isinstance(value, dict) else [0]

    def __repr__(self) -> str:
        names = self.grid or (self.points[0] if len(self) else ())
        return f"<study of {len(self)} points over {', '.join(names)}, {len(self._errors)} failed>"


def _flat(value: Any, name: str = "value") -> dict[str, Any]:
    """Numbers of a value by name."""
    if isinstance(value, dict):
        return {k: v for key, entry in value.items() for k, v in _flat(entry, str(key) if name == "value" else f"{name}.{key}").items()}
    if np.ndim(value):
        return {k: v for i, entry in enumerate(value) for k, v in _flat(entry, f"{name}.{i}").items()}
    return {name: value.item() if isinstance(value, np.generic) else value}


def _check_call(function: Any, names: Sequence[str]) -> None:
    if not callable(function):
        refuse("study", f"is of {function!r}, expected a model, or a function of {', '.join(names)}")
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # of a builtin
        return
    try:
        signature.bind(**dict.fromkeys(names))
    except TypeError as error:
        refuse("study", f"calls {getattr(function, '__name__', 'the function')}({', '.join(f'{name}=' for name in names)}): {error}", "name its parameters as the function does")


def _listed(name: str, values: Any) -> list[Any]:
    if not isinstance(values, Iterable) or isinstance(values, str):
        meant = near(name, [word for word, known in inspect.signature(study).parameters.items() if known.kind is known.KEYWORD_ONLY])
        refuse(f"study/{name}", f"is {short(values)}, expected a list of values", meant or (f"write {name}=[{short(values)}]" if np.isscalar(values) else "write [1.0, 2.0], or np.linspace(1, 2, 5)"))
    listed = list(values)
    return listed if listed else refuse(f"study/{name}", "has no value", "give at least one")


def _points(samples: Any, grid: dict[str, Any]) -> tuple[dict[str, list[Any]], Sequence[dict[str, Any]]]:
    """(grid, points): of values for each parameter, of samples, of a table by rows or by columns."""
    if samples is None:
        axes = {name: _listed(name, values) for name, values in grid.items()}
        return (axes, Grid(axes)) if axes else refuse("study", "has no parameter", "give one as name=values, or samples")
    if grid:
        refuse("study", f"has samples and a grid of {', '.join(grid)}", "give one of them")
    if hasattr(samples, "to_dict") and hasattr(samples, "columns"):  # a data frame
        samples = samples.to_dict("records")
    if isinstance(samples, Mapping):
        columns = {name: _listed(name, values) for name, values in samples.items()}
        if len({len(values) for values in columns.values()}) != 1:
            refuse("study/samples", f"has columns of {', '.join(f'{len(v)} ({k})' for k, v in columns.items())} values", "give each parameter as many; a grid is name=values")
        samples = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    if not isinstance(samples, Sequence) or isinstance(samples, str) or not len(samples) or not isinstance(samples[0], Mapping):
        refuse("study/samples", f"is {short(samples)}, expected points", 'write sl.sampling.sobol(256, k=(50, 150)), or [{"k": 50}, {"k": 100}]')
    for i, point in enumerate(samples if isinstance(samples, list) else ()):
        if point.keys() != samples[0].keys():
            refuse("study/samples", f"has point {i} with {', '.join(point)}, and the first with {', '.join(samples[0])}", "name the same parameters in each")
    return {}, samples


@at_its_line
def study(
    function: Any,
    samples: Any = None,
    /,
    *,
    outputs: Any = None,
    simulate: Mapping[str, Any] | None = None,
    trajectories: Sequence[Any] = (),
    every: float | None = None,
    workers: int = 1,
    cluster: Any = None,
    path: str | os.PathLike[str] | None = None,
    progress: Callable[[int, int], None] | None = None,
    **grid: Iterable[Any],
) -> Study:
    """Runs a function, or a model, at each point, and returns the values in their order.

    function: called as `function(**point)`, returns a number, an array, or a dict or list of them; or a model, whose parameters the points set.
    grid: parameter = values, all combinations; or samples: of `sl.sampling`, a list of dicts, a table by columns, a data frame.
    Of a model: outputs: quantities or named outputs, or {name: (quantity, "max")} with last, max, min, mean, rms, time_of_max, time_of_min (default: the last value of each
    named output); simulate: arguments of `m.simulate` such as {"until": 2.0, "tolerance": 1e-8}; trajectories: quantities kept over time as Parquet
    files beside `path`, `every` [s] apart or at all recorded states.
    workers: processes of this machine. cluster: instead of them the address of a dask scheduler, or a `distributed.Client`. Values have the same bits
    for any number of workers, here or there. A point that raises becomes a row with its error, and so does one that ends its process twice; points that were
    lost with another's process are run again. path: file that keeps each value as it comes, so that a second call goes on where the first ended.
    """
    from saltus.model import Model

    axes, points = _points(samples, dict(grid))
    names = list(points[0])
    if isinstance(function, Model):
        from saltus.study_model import ModelRun

        if trajectories and path is None:
            refuse("study/trajectories", "are kept beside `path`, which is not given", 'write path="study.jsonl"')
        function = ModelRun(function, outputs, simulate, trajectories, every)
        function.check(names)
    else:
        given = [word for word, value in (("outputs", outputs), ("simulate", simulate), ("trajectories", trajectories), ("every", every)) if value not in (None, ())]
        if given:
            refuse(f"study/{given[0]}", "is of a study of a model, and this one is of a function", "return what you want from the function, or give the model")
        _check_call(function, names)
    if not isinstance(workers, int) or isinstance(workers, bool) or workers < 1:
        refuse("study/workers", f"is {workers!r}, must be a whole number of at least 1")
    kept = StudyFile(path, function, axes or points) if path is not None else None
    tracks = Trajectories(path) if path is not None and trajectories else None
    values: list[Any] = [None] * len(points)
    errors: dict[int, str] = {}
    done = bytearray(len(points))
    for i, (value, _) in (kept.rows if kept else {}).items():
        values[i], done[i] = value, 1
    lock = threading.Lock()
    count = sum(done)

    def finished(batch: list[tuple[int, Any, str | None]]) -> None:
        nonlocal count
        with lock:
            for number, value, error in batch:
                if tracks is not None and error is None:
                    tracks.add(number, value.pop("_trajectory"))
                values[number] = value
                if error is not None:
                    errors[number] = error
            count += len(batch)
            if kept and tracks is None:
                kept.write(batch)
            elif kept and tracks is not None:  # a row counts when its trajectory is in a file
                tracks.wait(batch, kept.write)
            if progress:
                progress(count, len(points))

    todo = [i for i in range(len(points)) if not done[i]]
    try:
        if cluster is None:
            run_points(function, points, todo, min(workers, len(todo)), finished)
        elif todo:
            from saltus.study_cluster import run_on_cluster

            run_on_cluster(cluster, function, points, todo, finished)
    finally:
        if tracks is not None and kept:
            tracks.close(kept.write)
        if kept:
            kept.close()
    if len(points) == len(errors):
        warn("study", f"failed at all {len(points)} points, the first with {errors[0]}", "see `failures`")
    return Study(axes, points, values, errors, tracks)


methods_at_their_lines(Study)
