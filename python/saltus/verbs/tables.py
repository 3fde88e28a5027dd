"""Tables: functions that formulas call by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from saltus import geometry as g
from saltus.tables import Table, VectorTable
from saltus.verbs._verb import given, verb

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    Kind = Literal["linear", "spline", "natural_spline", "monotone", "step"]
    Outside = Literal["hold", "linear", "periodic", "refuse"]


class TableVerbs:
    """Functions given by rows."""

    @overload
    def table(self, name: str, input: Sequence[float] | NDArray[Any], output: Sequence[float], *, kind: Kind = ..., outside: Outside = ..., slopes: Sequence[float] | None = ...) -> Table: ...
    @overload
    def table(self, name: str, input: Sequence[float] | NDArray[Any], output: NDArray[Any] | Mapping[str, Any] | Sequence[Sequence[float]], *, kind: Kind = ..., outside: Outside = ..., slopes: Sequence[float] | None = ...) -> Any: ...

    @verb("", "table", "tables")
    def table(
        self,
        name: str,
        input: Any,
        output: Any,
        *,
        kind: Kind = "linear",
        outside: Outside = "hold",
        slopes: Sequence[float] | None = None,
    ) -> Any:
        """A function that all formulas of the model call as `name(...)`; returns its formula of t, `name(t)`.

        input (n): ascending. output (n), or (n, k) for the k columns name_x, name_y, name_z (name_0, name_1, ... of more than three), or
        a dict of columns by name. kind: "linear", "spline" (two continuous derivatives, ends not a knot), "natural_spline", "monotone" (no
        overshoot, for characteristics) or "step". outside of the rows: "hold" the ends, go on "linear", "periodic", or "refuse". slopes (2):
        of a spline at its ends. Steps under error control end where a table of t jumps or has a kink. A table of the same name is replaced.
        """
        if not isinstance(name, str):
            g.refuse("table/name", f"is {name!r}, expected text", "give a name that formulas can call")
        columns = {f"{name}_{word}": values for word, values in output.items()} if isinstance(output, dict) else None
        if columns is None:
            values = _array(output, f"tables/{name}/output")
            if values.ndim == 2:
                words = ("x", "y", "z") if values.shape[1] <= 3 else [str(i) for i in range(values.shape[1])]
                columns = {f"{name}_{word}": values[:, i] for i, word in zip(range(values.shape[1]), words)}
        added = {}
        for key, values in ({name: output} if columns is None else columns).items():
            rows = {"input": _array(input, f"tables/{key}/input", 1).tolist(), "output": _array(values, f"tables/{key}/output", 1).tolist()}
            added[key] = {**rows, "kind": kind, "outside": outside, **given(slopes=None if slopes is None else list(slopes))}
        self._engine.tables = {**self._engine.tables, **added}
        return Table(name) if columns is None else VectorTable(list(columns))


def _array(values: Any, path: str, dimensions: int = 0) -> NDArray[np.float64]:
    try:
        out = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        g.refuse(path, f"is {g.short(values)}, expected numbers", "give a list or an array")
    if out.ndim not in ((dimensions,) if dimensions else (1, 2)):
        g.refuse(path, f"has the shape {out.shape}, expected " + ("(n)" if dimensions else "(n) or (n, k)"), "give one output for each input")
    return out
