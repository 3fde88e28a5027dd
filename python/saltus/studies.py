"""One function over a grid of parameters, in worker processes that start fresh: no guard in the script, no fork."""

from __future__ import annotations

import inspect
import itertools
import os
import threading
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from saltus.errors import Fault, ModelError
from saltus.geometry import refuse
from saltus.study_file import StudyFile
from saltus.study_workers import run_points

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray


class Study:
    """Points of a study in the order of its grid: the last parameter varies fastest."""

    def __init__(self, grid: dict[str, list[Any]], rows: list[dict[str, Any]]):
        self.grid, self._rows = grid, rows

    @property
    def table(self) -> list[dict[str, Any]]:
        """One row a point: its parameters, `value`, and `error` (text; None where the point succeeded)."""
        return self._rows

    @property
    def failures(self) -> list[dict[str, Any]]:
        """The rows that failed."""
        return [row for row in self._rows if row["error"] is not None]

    @property
    def values(self) -> NDArray[Any]:
        """Values on the grid: the length of each parameter, then the shape of a value; ModelError if a point failed."""
        if self.failures:
            row = self.failures[0]
            point = ", ".join(f"{name} = {row[name]}" for name in self.grid)
            raise ModelError(
                Fault(
                    "study",
                    f"{len(self.failures)} of {len(self._rows)} points failed; {point}: {row['error']}",
                    "see `failures`, or read `table`",
                )
            )
        return np.array([row["value"] for row in self._rows]).reshape(
            *(len(v) for v in self.grid.values()), *np.shape(self._rows[0]["value"])
        )

    def plot(self, *, file: str | os.PathLike[str] | None = None) -> Axes:
        """Draws numbers over one parameter (lines) or two (colours); failed points are left out. Returns the axes."""
        from saltus.display import pyplot
        from saltus.plotting import _finish

        plt = pyplot()
        shape = [len(values) for values in self.grid.values()]
        if len(shape) > 2 or any(np.ndim(row["value"]) for row in self._rows if row["error"] is None):
            refuse("study/plot", "draws one number over one or two parameters", "draw from `values` or `table`")
        numbers = np.ma.masked_all(len(self._rows))
        for i, row in enumerate(self._rows):
            if row["error"] is None:
                numbers[i] = row["value"]
        figure, axis = plt.subplots(figsize=(6, 4.5))
        names, axes = list(self.grid), list(self.grid.values())
        if len(shape) == 1:
            axis.plot(axes[0], numbers, "o-", linewidth=1)
            axis.set_ylabel("value")
        else:
            mesh = axis.pcolormesh(axes[1], axes[0], numbers.reshape(shape), shading="nearest")
            figure.colorbar(mesh, label="value")
            axis.set_ylabel(names[0])
        axis.set_xlabel(names[-1])
        figure.tight_layout()
        _finish(plt, figure, file, "study")
        return axis

    def __repr__(self) -> str:
        return f"<study of {len(self._rows)} points over {', '.join(self.grid)}, {len(self.failures)} failed>"


def _check_call(function, axes: dict[str, list[Any]]) -> None:
    if not callable(function):
        refuse("study", f"is of {function!r}, expected a function of {', '.join(axes)}")
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # of a builtin
        return
    try:
        signature.bind(**dict.fromkeys(axes))
    except TypeError as error:
        refuse("study", f"calls {getattr(function, '__name__', 'the function')}({', '.join(f'{name}=' for name in axes)}): {error}", "name its parameters as the function does")


def study(
    function: Callable[..., Any],
    /,
    *,
    workers: int = 1,
    path: str | os.PathLike[str] | None = None,
    progress: Callable[[int, int], None] | None = None,
    **grid: Iterable[Any],
) -> Study:
    """Calls `function(**point)` for each point of the grid and returns the values in the grid's order.

    grid: parameter = values. workers: processes; results do not depend on their number. path: file that keeps each
    value as it comes, so that a second call goes on where the first ended. A point that raises becomes a row with its
    error. The function returns a number, an array, or a dict or list of them.
    """
    axes = {
        name: list(values)
        if isinstance(values, Iterable) and not isinstance(values, str)
        else refuse(f"study/{name}", f"is {values!r}, expected a list of values")
        for name, values in grid.items()
    }
    if not axes:
        refuse("study", "has no parameter", "give one as name=values")
    _check_call(function, axes)
    if not isinstance(workers, int) or isinstance(workers, bool) or workers < 1:
        refuse("study/workers", f"is {workers!r}, must be a whole number of at least 1")
    points = [dict(zip(axes, values, strict=True)) for values in itertools.product(*axes.values())]
    kept = StudyFile(path, function, axes) if path is not None else None
    done: dict[int, tuple[Any, str | None]] = dict(kept.rows) if kept else {}
    lock = threading.Lock()

    def finished(number: int, value: Any, error: str | None) -> None:
        with lock:
            done[number] = (value, error)
            if kept:
                kept.write(number, value, error)
            if progress:
                progress(len(done), len(points))

    todo = [i for i in range(len(points)) if i not in done]
    try:
        run_points(function, points, todo, min(workers, len(todo)), finished)
    finally:
        if kept:
            kept.close()
    rows = [{**point, "value": done[i][0], "error": done[i][1]} for i, point in enumerate(points)]
    return Study(axes, rows)
