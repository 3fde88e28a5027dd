"""What a case compares: its numbers, and the rows that its module yields."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

ORDER_SLACK = 0.25  # an order measured on a few steps may fall short of the scheme's by this much


@dataclass
class Row:
    """One comparison. `truth` and `ours` are a number or a list; errors are the largest of the components."""

    case: str
    quantity: str
    truth: float | list[float]
    ours: float | list[float]
    error: float
    tolerance: float
    ok: bool
    peer_error: float | None = None
    order: float | None = None  # measured, in the step
    how: str = ""  # scheme and step of ours
    source: str = ""
    note: str = ""

    def json(self) -> dict[str, Any]:
        return asdict(self)


class Case:
    """The numbers of one case, and where its rows are made.

    quick: whether a short check is asked for, with fewer refinements; heavy: whether the longest runs are asked for.
    `how`: scheme and step that the next rows tell.
    """

    def __init__(self, name: str, record: dict[str, Any], quick: bool = False, heavy: bool = False):
        self.name, self.quick, self.heavy, self.how = name, quick, heavy, ""
        self.title, self.peer = record["title"], record.get("peer", "")
        self._source = record.get("source", "")
        self._truth = record.get("truth", {})
        self._quantities = record.get("quantities", {})

    def truth(self, key: str) -> Any:
        """The truth of a quantity: a number, list or dict as the numbers' file has it."""
        return self._quantities[key]["truth"] if self._quantities else self._truth[key]

    def tolerance(self, key: str) -> float:
        """The case's own tolerance of a quantity."""
        return self._quantities[key]["tolerance"]

    def has(self, key: str) -> bool:
        """Whether the peer's numbers have a quantity."""
        return key in self._quantities

    def peer_value(self, key: str) -> Any:
        """The peer's number of a quantity."""
        return self._quantities[key]["peer"]

    def check(self, key: str, ours, tolerance: float | None = None, *, part: int | None = None, note: str = "") -> Row:
        """Compares with the truth of a quantity, `part` of it if it is a list; tolerance: absolute, else the file's."""
        entry = self._quantities.get(key, {})
        truth, peer = self.truth(key), entry.get("peer")
        if part is not None:
            truth, peer = truth[part], None if peer is None else peer[part]
        label = key if part is None else f"{key}[{part}]"
        return self.compare(
            label,
            ours,
            truth,
            entry["tolerance"] if tolerance is None else tolerance,
            peer=peer,
            source=entry.get("source", ""),
            note=note,
        )

    def compare(
        self, quantity: str, ours, truth, tolerance: float, *, peer=None, source: str = "", note: str = ""
    ) -> Row:
        """Compares a number or a vector with a truth that the module itself knows (a law, a balance, an own proof)."""
        value, exact = np.asarray(ours, dtype=float), np.asarray(truth, dtype=float)
        if value.shape != exact.shape:
            raise ValueError(f"{self.name}: {quantity} has shape {value.shape}, its truth {exact.shape}")
        error = _distance(value, exact)
        return Row(
            self.name,
            quantity,
            exact.tolist(),
            value.tolist(),
            error,
            tolerance,
            bool(error <= tolerance),
            None if peer is None else _distance(np.asarray(peer, dtype=float), exact),
            None,
            self.how,
            source or self._source,
            note,
        )

    def order(
        self,
        quantity: str,
        run: Callable[[float], Any],
        steps: Sequence[float],
        truth,
        expected: float,
        *,
        note: str = "",
    ) -> Row:
        """Order of convergence in the step: slope of log error over log step by least squares.

        run(h): the value with step h [s]. The row fails below `expected` - 0.25; more than the order is no fault.
        """
        exact = np.asarray(truth, dtype=float)
        errors = [_distance(np.asarray(run(h), dtype=float), exact) for h in steps]
        usable = all(math.isfinite(e) and e > 0 for e in errors)
        slope = float(np.polyfit(np.log(steps), np.log(errors), 1)[0]) if usable else math.nan
        errors_by_step = "errors " + ", ".join(f"{e:.1e}" for e in errors) + " at steps " + ", ".join(f"{h:g}" for h in steps)
        return Row(
            self.name,
            f"order of {quantity}",
            expected,
            slope,
            max(0.0, expected - slope) if usable else math.nan,
            ORDER_SLACK,
            bool(slope >= expected - ORDER_SLACK),
            None,
            slope,
            self.how,
            "theory of the scheme",
            "; ".join(filter(None, (note, errors_by_step))),
        )


def _distance(value: np.ndarray, exact: np.ndarray) -> float:
    """Largest difference of the components; NaN if one is NaN."""
    return float(np.max(np.abs(value - exact), initial=0.0))


def at(result, quantity, time: float) -> np.ndarray:
    """A quantity at a time [s], at the instant recorded there; ValueError if there is none."""
    t = result.time
    i = int(np.argmin(np.abs(t - time)))
    if abs(t[i] - time) > 1e-9 * max(1.0, abs(time)):
        raise ValueError(f"no step ends at t = {time} s; the nearest ends at {t[i]}")
    return np.asarray(result[quantity])[i]
