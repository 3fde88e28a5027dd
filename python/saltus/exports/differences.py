"""Two results beside each other: the largest difference of each quantity, and when; two models: the fields that differ."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from saltus.errors import Fault, ModelError
from saltus.exports.columns import Columns, table_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from saltus.model import Model
    from saltus.quantity import Quantity
    from saltus.result import Result

MOST = 200_000  # times at which two results are compared
SAME_JUMP, BESIDE = 1e-6, 1e-9  # of the run: jumps that are the same one in both, and how far beside it is looked


@dataclass(frozen=True)
class Difference:
    """quantity, unit; largest |A - B| (of a vector its norm, of a quaternion the angle [rad]) and its time [s] (NaN of an equilibrium); over the largest |A|, |B|."""

    quantity: str
    unit: str
    largest: float
    time: float
    relative: float


@dataclass
class Differences:
    """`for row in differences`, largest relative difference first; `only_first`, `only_second`: quantities that one result has alone; `model`: fields that differ."""

    rows: list[Difference]
    only_first: list[str] = field(default_factory=list)
    only_second: list[str] = field(default_factory=list)
    model: list[str] = field(default_factory=list)
    until: float = math.nan  # the end of what both have [s]
    ends: tuple[float, float] = (math.nan, math.nan)  # of the two runs [s]

    @property
    def worst(self) -> float:
        """The largest relative difference; infinite where one result has numbers that the other has not."""
        return max((row.relative for row in self.rows), default=0.0)

    @property
    def equal(self) -> bool:
        """Whether no number differs, both have the same quantities and both end at the same time."""
        return self.within(0.0)

    def within(self, tolerance: float) -> bool:
        """Whether no quantity differs by more, relatively, both results have the same quantities, and their ends are no farther apart than this share of the longer run."""
        apart = 0.0 if math.isnan(self.until) else abs(self.ends[1] - self.ends[0]) / (max(map(abs, self.ends)) or 1.0)
        return not self.only_first and not self.only_second and self.worst <= tolerance and apart <= tolerance

    def __iter__(self) -> Iterator[Difference]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, quantity: str) -> Difference:
        for row in self.rows:
            if row.quantity == quantity:
                return row
        raise ModelError(Fault(quantity, "is in none of the two results, or in one alone", f"they share {', '.join(row.quantity for row in self.rows[:8])}"))

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {**asdict(self), "worst": self.worst, "equal": self.equal}

    def __str__(self) -> str:
        lines = [f"{'quantity':32} {'largest':>12} {'unit':8} {'relative':>9} {'at t [s]':>12}"]
        lines += [f"{r.quantity:32} {r.largest:12.5g} {r.unit:8} {r.relative:9.2e} {r.time:12.6g}" for r in self.rows if r.largest != 0.0]
        equal = sum(r.largest == 0.0 for r in self.rows)
        lines = lines if len(lines) > 1 else []
        lines += [f"{equal} quantities are equal in every bit"] if equal else []
        if self.ends[0] < self.ends[1] or self.ends[1] < self.ends[0]:
            lines += [f"compared to t = {self.until:.9g} s: the first ends at {self.ends[0]:.9g} s, the second at {self.ends[1]:.9g} s"]
        lines += [f"only in the {word}: {', '.join(names)}" for word, names in (("first", self.only_first), ("second", self.only_second)) if names]
        return "\n".join([*lines, *(f"model: {text}" for text in self.model)])


def differences(first: Result, second: Result, quantities: Sequence[Quantity | str] = ()) -> Differences:
    """Compares two results by the names of their items, at the recorded times of both up to the earlier end."""
    if first.is_static != second.is_static:
        raise ModelError(Fault("compare", "is of a run and of an equilibrium", "compare two runs, or two equilibria; result.at(t) reads a run at one time"))
    names = tuple(q if isinstance(q, str) else _name(q) for q in quantities)
    if first.is_static:
        a, b, until, ends = table_of(first, names), table_of(second, names), math.nan, (math.nan, math.nan)
    else:
        times, until = _times(first, second)
        ends = float(first.time[-1]), float(second.time[-1])
        same = np.array_equal(first.time, second.time)
        a, b = (table_of(result if same else result.at(times), names) for result in (first, second))
    units = {c.name: c.unit for c in a.columns}
    rows = [_difference(name, units[a.groups[name][0]], a, b) for name in a.groups if a.groups[name] == b.groups.get(name)]
    rows.sort(key=lambda row: -row.relative)
    own = lambda table, other: [name for name in table.groups if name not in other.groups or table.groups[name] != other.groups[name]]  # noqa: E731
    return Differences(rows, own(a, b), own(b, a), _of_texts(first._recorded.model_text, second._recorded.model_text), until, ends)


def _name(quantity: Quantity) -> str:
    """By which both results read it: of a sum or a formula that under which it is shown."""
    return quantity.paths[0] + (f".{quantity.component}" if quantity.component else "") if len(quantity.paths) == 1 and not quantity.shown else quantity.label


def _times(first: Result, second: Result) -> tuple[NDArray[np.float64], float]:
    t, s = first.time, second.time
    begin, end = max(t[0], s[0]), min(t[-1], s[-1])
    if not begin <= end:
        raise ModelError(Fault("compare", f"is of a run from {t[0]:g} s to {t[-1]:g} s and one from {s[0]:g} s to {s[-1]:g} s, which share no time", "compare runs over the same time"))
    times = np.union1d(t, s)
    times = times[(times >= begin) & (times <= end)]
    times = _around_jumps(times, first._jumps(), second._jumps(), float(end - begin))
    if len(times) > MOST:
        times = times[np.linspace(0, len(times) - 1, MOST).astype(int)]
    return times, float(end)


def _around_jumps(times: NDArray[np.float64], first: NDArray[np.float64], second: NDArray[np.float64], span: float) -> NDArray[np.float64]:
    """The times without those at jumps of both that stand a little apart: between them one result has jumped and the other has not. Their sides come instead."""
    if not len(first) or not len(second):
        return times
    nearest = second[np.clip(np.searchsorted(0.5 * (second[1:] + second[:-1]), first), 0, len(second) - 1)]
    pairs = np.abs(nearest - first) <= SAME_JUMP * span
    low, high = np.minimum(first, nearest)[pairs] - BESIDE * span, np.maximum(first, nearest)[pairs] + BESIDE * span
    inside = np.zeros(len(times), dtype=bool)
    for a, b in zip(np.searchsorted(times, low, side="right"), np.searchsorted(times, high, side="left"), strict=True):
        inside[a:b] = True
    sides = np.concatenate([low, high])
    return np.union1d(times[~inside], sides[(sides >= times[0]) & (sides <= times[-1])])


def _difference(name: str, unit: str, a: Columns, b: Columns) -> Difference:
    first, second = (np.stack([np.asarray(c.values, dtype=float) for c in _columns(table, name)], axis=-1) for table in (a, b))
    if name.endswith("quaternion"):
        apart = 2.0 * np.arcsin(np.clip(0.5 * np.minimum(np.linalg.norm(first - second, axis=1), np.linalg.norm(first + second, axis=1)), 0.0, 1.0))
        unit, size = "rad", math.pi
        apart = 2.0 * apart  # |p - q| = 2 sin(angle / 4)
    else:
        apart = np.linalg.norm(first - second, axis=1)
        norms = np.linalg.norm(np.concatenate([first, second]), axis=1)
        size = float(norms[np.isfinite(norms)].max(initial=0.0))
    same = np.all((first == second) | np.isnan(first) & np.isnan(second), axis=1)
    apart = np.where(same, 0.0, np.where(np.isnan(apart), np.inf, apart))  # no number in one alone
    worst = int(np.argmax(apart))
    largest = float(apart[worst])
    relative = math.inf if math.isinf(largest) else largest / size if size > 0 else 0.0
    return Difference(name, unit, largest, math.nan if a.time is None else float(a.time[worst]), relative)


def _columns(table: Columns, name: str) -> list[Any]:
    by_name = {column.name: column for column in table.columns}
    return [by_name[part] for part in table.groups[name]]


def model_differences(first: Model | None, second: Model | None) -> list[str]:
    """Fields that two models have with other values, `connectors/coil/stiffness: 10 -> 20`."""
    try:
        one, two = (json.loads(model._engine.text()) if model is not None else {} for model in (first, second))
    except ModelError:  # functions of the program
        return []
    return list(_walk("", one, two))


def _of_texts(first: str, second: str) -> list[str]:
    """The same of the models as they ran; a program may have changed its own since. Nothing of those with functions, which have no text."""
    return list(_walk("", json.loads(first), json.loads(second))) if first and second else []


def _walk(path: str, a: Any, b: Any) -> Iterator[str]:
    if isinstance(a, dict) and isinstance(b, dict):
        for key in [*a, *(key for key in b if key not in a)]:
            inner = f"{path}/{key}" if path else str(key)
            if key not in b:
                yield f"{inner}: only in the first"
            elif key not in a:
                yield f"{inner}: only in the second"
            else:
                yield from _walk(inner, a[key], b[key])
    elif a != b:
        yield f"{path}: {_short(a)} -> {_short(b)}"


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."


__all__ = ["Difference", "Differences", "differences", "model_differences"]
