"""Functions given by rows: what formulas of a model call by name, and rows from a text file."""

from __future__ import annotations

import csv
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from saltus import geometry as g

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


class Table(str):
    """The formula `name(t)` of a table, to be given wherever an expression of t is, alone or within another: `f"2*{signal}"`."""

    name: str

    def __new__(cls, name: str, input: str = "t") -> Table:
        out = super().__new__(cls, f"{name}({input})")
        out.name = name
        return out

    def of(self, input: str) -> str:
        """The formula for another input: `signal.of("t - 2")`, or of a characteristic `spring.of("L - 0.1")`."""
        return f"{self.name}({input})"


class VectorTable(tuple):
    """The formulas of the columns of a table, each a `Table`."""

    def __new__(cls, names: Sequence[str]) -> VectorTable:
        return super().__new__(cls, [Table(name) for name in names])

    def of(self, input: str) -> tuple[str, ...]:
        """The formulas for another input than t."""
        return tuple(column.of(input) for column in self)


def read_table(
    file: str | os.PathLike[str],
    *,
    input: str | int = 0,
    output: str | int | Sequence[str | int] | None = None,
    delimiter: str | None = None,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Rows of a text file as (inputs (n), outputs (n) or (n, k)), to be given to `m.table`.

    input, output: columns by number (from 0) or by their name in the first line; default: the first, and all others. delimiter: default
    the one of the first line among comma, semicolon, tab and space. Empty lines and lines that begin with # are passed over.
    """
    path = os.fspath(file)
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        g.refuse(path, f"cannot be read: {error}", "give a text file with numbers in columns")
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1) if line.strip() and not line.lstrip().startswith("#")]
    if not lines:
        g.refuse(path, "has no rows", "give a text file with numbers in columns")
    mark = delimiter or next((d for d in (";", "\t", ",") if d in lines[0][1]), " ")
    rows = [(number, _cells(line, mark)) for number, line in lines]
    names: list[str] = []
    if not all(_is_number(cell) for cell in rows[0][1]):
        names = rows.pop(0)[1]
    if not rows:
        g.refuse(path, "has no rows", "the first line is taken as the names of columns")
    width = len(rows[0][1])
    values = np.empty((len(rows), width))
    for i, (number, cells) in enumerate(rows):
        if len(cells) != width:
            g.refuse(f"{path}:{number}", f"has {len(cells)} columns, the first row {width}", "give each row all columns")
        for j, cell in enumerate(cells):
            if not _is_number(cell):
                g.refuse(f"{path}:{number}", f"has {cell!r} in column {j}, which is no number", "write numbers with a point, or give delimiter=")
            values[i, j] = float(cell)
    first = _column(input, names, width, path)
    if output is None:
        others = [j for j in range(width) if j != first]
    else:
        others = [_column(one, names, width, path) for one in ([output] if isinstance(output, (str, int)) else output)]
    if not others:
        g.refuse(path, "has one column, a table needs two", "give delimiter= if its columns are parted by another character")
    single = len(others) == 1 and (output is None or isinstance(output, (str, int)))
    return values[:, first], values[:, others[0]] if single else values[:, others]


def _cells(line: str, mark: str) -> list[str]:
    if mark == " ":
        return line.split()
    return [cell.strip() for cell in next(csv.reader([line], delimiter=mark))]


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _column(which: Any, names: list[str], width: int, path: str) -> int:
    if isinstance(which, str):
        if which not in names:
            g.refuse(path, f"has no column {which!r}", g.near(which, names) or (f"it has {', '.join(names)}" if names else "its first line has no names; give a number"))
        return names.index(which)
    if not 0 <= which < width:
        g.refuse(path, f"has no column {which}", f"its columns are 0 to {width - 1}")
    return which
