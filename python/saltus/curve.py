"""Quantities of a run as curves over time, by the interpolant of its scheme, and where they are largest."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from saltus import _core
from saltus.errors import Fault, ModelError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from saltus.running import Recorded

CHUNK = 20_000  # states evaluated at once, of a large model fewer:
CHUNK_NUMBERS = 2_000_000  # in them
FEW = 1000  # times of a run up to which an extreme is looked for in all intervals at once
MOST_TIMES = 1e7  # of an export at even times
CANDIDATES = 64  # intervals in which an extreme is looked for to the last digit
PER_TURN = 32  # points in a turn of the body that turns fastest
PLOT_POINTS, MOST_POINTS = 1500, 60_000  # of a plot: even ones, and those that turns and steps may add
# What q, v and x alone decide: no equation is solved for these.
KINEMATIC = {
    "position", "displacement", "velocity", "rotation", "quaternion", "rotation_matrix", "angular_velocity", "angular_velocity_body", "coordinate",
    "rate", "state", "length", "angle", "translation", "angular_rate", "kinetic", "potential", "total", "section_force", "section_moment", "strain", "curvature",
    "transformation", "axis_x", "axis_y", "axis_z", "displacement_body", "velocity_body", "kinetic_energy", "potential_energy", "momentum", "angular_momentum", "center_of_mass",
    "center_velocity", "mass", "distance", "distance_rate",
}

Values = Callable[["NDArray[np.float64]", "NDArray[np.uint8] | None"], "NDArray[np.float64]"]
Samples = tuple["NDArray[np.float64]", "NDArray[np.uint8]", "NDArray[np.float64]"]


def kinematic(path: str) -> bool:
    """Whether a quantity needs neither accelerations nor multipliers nor algebraic unknowns."""
    if path.lstrip().startswith("="):
        return all(kinematic(inner) for _, _, inner, _ in _core.operands_of(path))
    words = [word.removeprefix("relative_") for word in path.split(".")]
    return any(word in KINEMATIC or "angles_" in word for word in words[1:][-2:])


def states_at(track, times: NDArray[np.float64], before: NDArray[np.uint8] | None = None, rates: bool = True) -> dict[str, NDArray[np.float64]]:
    """The states at times, as the arrays of a record."""
    times = np.ascontiguousarray(times, dtype=float)
    y, a, lam, data, xdot = track.states(times, None if before is None else np.ascontiguousarray(before, dtype=np.uint8), rates)
    return {"t": times, "y": y, "a": a, "lam": lam, "data": data, "xdot": xdot}


def pieces_of(t: NDArray[np.float64], events: list[tuple[float, str, str, float]], steps: int) -> NDArray[np.float64]:
    """What lies before each state of a file that does not tell: see `_core.Track`."""
    pieces = np.full(len(t), 1.0 if steps <= len(t) - 1 else 0.0)
    jumps = np.array([when for when, kind, *_ in events if kind in ("impact", "percussion")])
    if len(t) > 1 and len(jumps) and pieces[0]:
        ends = np.searchsorted(t, jumps - 1e-9 * np.diff(t).min())
        pieces[ends[ends < len(t)]] = 2.0
    return pieces


@dataclass
class Curve:
    """Values over time: `of(times, before)` is (n) or (n, components); before: by time 1 for what is before a jump there."""

    recorded: Recorded
    of: Values
    source: tuple[Curve, Callable[[NDArray[np.float64]], NDArray[np.float64]]] | None = None  # of a function of another curve's values
    _sampled: Samples | None = None

    def chunks(self, times: NDArray[np.float64], before: NDArray[np.uint8] | None = None) -> NDArray[np.float64]:
        """As `of`, in pieces that fit into memory."""
        many = min(CHUNK, max(64, CHUNK_NUMBERS // self.recorded.arrays["y"].shape[1]))
        if len(times) <= many:
            return self.of(times, before)
        sides = np.zeros(len(times), np.uint8) if before is None else before
        return np.concatenate([self.of(times[i : i + many], sides[i : i + many]) for i in range(0, len(times), many)])

    def map(self, function: Callable[[NDArray[np.float64]], NDArray[np.float64]]) -> Curve:
        """The curve of a function of the values, which keeps times apart."""
        return Curve(self.recorded, lambda times, before: function(self.of(times, before)), (self, function))

    def drawn(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """(times, values) to draw with straight lines; both sides of a jump."""
        times, before = self.recorded.track().grid(PLOT_POINTS, per_turn=PER_TURN, most=MOST_POINTS)
        return times, self.chunks(times, before)

    def extremes(self, sign: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """(values, times) of the largest (sign 1) or least (-1) value of each component, () or (components)."""
        best, when, shape = self._largest(sign, each=True)
        return sign * best.reshape(shape), when.reshape(shape)

    def extreme(self, sign: float) -> float:
        """The largest (sign 1) or least (-1) value of all components."""
        best, _, _ = self._largest(sign, each=False)
        return float(sign * best.max())

    def _samples(self) -> Samples:
        """(times, before, values) at the states, between them and on both sides of jumps: kept, so that largest and least share them."""
        if self._sampled is None:
            if self.source is not None:
                times, before, values = self.source[0]._samples()
                self._sampled = times, before, self.source[1](values)
            else:
                times, before = self.recorded.track().grid(0, per_piece=3, per_turn=PER_TURN, most=1_000_000)  # at halves rates of a step may cross what they leave between
                self._sampled = times, before, self.chunks(times, before)
        return self._sampled

    def _finer(self, sign: float) -> Samples:
        """The samples, and one more in each interval in which the curve may pass the largest of them: by as much as it changes nearby."""
        times, before, values = self._samples()
        columns, apart = sign * values.reshape(len(times), -1), np.diff(times)
        with np.errstate(invalid="ignore"):
            change = np.where(apart[:, None] > 0, np.abs(np.diff(columns, axis=0)), 0.0)
            change[1:], change[:-1] = np.maximum(change[1:], change[:-1]), np.maximum(change[:-1], change[1:])
            reach = np.maximum(columns[1:], columns[:-1]) + change
        chosen = np.flatnonzero((apart > 0) & ((reach > columns.max(axis=0)).any(axis=1) | (len(times) < FEW)))
        more = times[chosen] + 0.5 * apart[chosen]
        return np.insert(times, chosen + 1, more), np.insert(before, chosen + 1, 0), np.insert(values, chosen + 1, self.chunks(more), axis=0)

    def _largest(self, sign: float, each: bool) -> tuple[NDArray[np.float64], NDArray[np.float64], tuple[int, ...]]:
        """(values, times) of the largest of each component of sign * curve, and their shape; not each: of those that may be the largest of all."""
        times, before, values = self._finer(sign)
        columns = sign * values.reshape(len(times), -1)
        top = np.argmax(columns, axis=0)
        best, when = columns[top, np.arange(columns.shape[1])], times[top]
        jump = np.diff(times) == 0.0
        left = np.where(np.concatenate([[True], jump]), np.arange(len(times)), np.arange(len(times)) - 1)
        right = np.where(np.concatenate([jump, [True]]), np.arange(len(times)), np.arange(len(times)) + 1)
        found = []
        for i, column in enumerate(columns.T):
            if not np.isfinite(column).all() or len(times) < 2:
                continue
            peaks = np.flatnonzero((column >= column[left]) & (column >= column[right]))
            # A parabola passes its largest value by at most an eighth of the spread; three times that is allowed for.
            reach = column[peaks] + 0.375 * np.maximum(column[peaks] - column[left[peaks]], column[peaks] - column[right[peaks]])
            likely = reach >= (best[i] if each else best.max())
            chosen = peaks[likely][np.argsort(-reach[likely], kind="stable")[:CANDIDATES]]
            found += [(left[p], right[p], p, i) for p in chosen]
        if found:
            a, b, side, which = np.array(found).T
            self._narrow(sign, times[a], times[b], before[side], which, best, when)
        return best, when, values.shape[1:]

    def _narrow(self, sign: float, a, b, side, which, best, when) -> None:
        """Looks for larger values of component `which` between a and b, brackets that are narrowed by nine points each."""
        for _ in range(30):
            at = a[:, None] + (b - a)[:, None] * np.linspace(0.0, 1.0, 9)
            found, rows = self.chunks(at.ravel(), np.repeat(side, 9)).reshape(at.size, -1), np.arange(len(a))
            found = sign * found[np.arange(at.size), np.repeat(which, 9)].reshape(at.shape)
            k = np.argmax(found, axis=1)
            high = found[rows, k]
            for row in np.argsort(-high, kind="stable"):
                if high[row] > best[which[row]]:
                    best[which[row]], when[which[row]] = high[row], at[row, k[row]]
            low, up = np.maximum(k - 1, 0), np.minimum(k + 1, 8)
            a, b, size = at[rows, low], at[rows, up], np.abs(best[which])
            # A curve with a corner between its points passes them by at most what they differ.
            open_ = (2 * high - np.minimum(found[rows, low], found[rows, up]) >= best[which]) & (np.ptp(found, axis=1) > 1e-15 * size) & (b - a > 4e-16 * np.abs(b))
            if not open_.any():
                return
            a, b, side, which = a[open_], b[open_], side[open_], which[open_]


def composed(ufunc: np.ufunc, inputs: tuple[Any, ...], curves: list[Curve | None], size: int) -> Curve | None:
    """The curve of a function of values of one run and of constants; None where one is neither."""
    own = [curve for curve in curves if curve is not None]
    constant = all(curve is not None or np.ndim(value) < max(1, size) for value, curve in zip(inputs, curves, strict=True))
    if not own or not constant or any(curve.recorded is not own[0].recorded for curve in own):
        return None
    return Curve(own[0].recorded, lambda times, before: ufunc(*(value if curve is None else curve.of(times, before) for value, curve in zip(inputs, curves, strict=True))))


def even_times(t: np.ndarray, every: float, path: str, file: str = "") -> np.ndarray:
    """Times `every` [s] apart from the first of t to the last, which is there, too."""
    count = (t[-1] - t[0]) / every if every > 0 and math.isfinite(every) else math.inf
    if not count < MOST_TIMES:
        raise ModelError(Fault(path, f"is {every:g} s: must be above 0 and give fewer than {MOST_TIMES:g} times", "take a longer one", file))
    whole = t[0] + every * np.arange(int(count * (1 + 1e-12)) + 1)
    return np.append(whole, t[-1]) if t[-1] - whole[-1] > 1e-9 * every else np.append(whole[:-1], t[-1])
