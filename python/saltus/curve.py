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
MANY = 1_000_000  # numbers in all states of a run, from which on one point is tried in each piece first, not three
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

    def chunks(self, times: NDArray[np.float64], before: NDArray[np.uint8] | None = None) -> NDArray[np.float64]:
        """As `of`, in pieces that fit into memory."""
        many = min(CHUNK, max(64, CHUNK_NUMBERS // self.recorded.arrays["y"].shape[1]))
        if len(times) <= many:
            return self.of(times, before)
        sides = np.zeros(len(times), np.uint8) if before is None else before
        return np.concatenate([self.of(times[i : i + many], sides[i : i + many]) for i in range(0, len(times), many)])

    def map(self, function: Callable[[NDArray[np.float64]], NDArray[np.float64]]) -> Curve:
        """The curve of a function of the values, which keeps times apart."""
        return Curve(self.recorded, lambda times, before: function(self.of(times, before)))

    def drawn(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """(times, values) to draw with straight lines; both sides of a jump."""
        times, before = self.recorded.track().grid(PLOT_POINTS, per_turn=PER_TURN, most=MOST_POINTS)
        return times, self.chunks(times, before)

    def extremes(self, sign: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """(values, times) of the largest (sign 1) or least (-1) value of each component, () or (components)."""
        track = self.recorded.track()
        times, before = track.grid(0, per_piece=4 if self.recorded.arrays["y"].size < MANY else 2, per_turn=PER_TURN, most=1_000_000)
        values = self.chunks(times, before)
        columns = [self._extreme(sign, times, before, sign * column, None if values.ndim == 1 else i) for i, column in enumerate(values.reshape(len(times), -1).T)]
        best = np.array(columns).reshape(*values.shape[1:], 2)
        return sign * best[..., 0], best[..., 1]

    def _extreme(self, sign: float, times, before, values, column: int | None) -> tuple[float, float]:
        """(value, time) of the largest of a component, from its values on a grid: brackets are narrowed by nine points each."""
        top = int(np.argmax(values))
        if not np.isfinite(values).all() or len(values) < 2:
            return float(values[top]), float(times[top])
        apart = np.diff(times) == 0.0  # the two sides of a jump
        left = np.where(np.concatenate([[True], apart]), np.arange(len(times)), np.arange(len(times)) - 1)
        right = np.where(np.concatenate([apart, [True]]), np.arange(len(times)), np.arange(len(times)) + 1)
        peaks = np.flatnonzero((values >= values[left]) & (values >= values[right]))
        # A parabola passes its largest value by at most an eighth of the spread; three times that is allowed for.
        reach = values[peaks] + 0.375 * np.maximum(values[peaks] - values[left[peaks]], values[peaks] - values[right[peaks]])
        chosen = peaks[reach >= values[top]]
        chosen = chosen[np.argsort(-reach[reach >= values[top]], kind="stable")[:CANDIDATES]]
        a, b, side = times[left[chosen]], times[right[chosen]], before[chosen]
        best, when = float(values[top]), float(times[top])
        for _ in range(30):
            at = a[:, None] + (b - a)[:, None] * np.linspace(0.0, 1.0, 9)
            found = self.chunks(at.ravel(), np.repeat(side, 9))
            found = sign * (found if column is None else found[:, column]).reshape(at.shape)
            k = np.argmax(found, axis=1)
            rows = np.arange(len(a))
            top = int(np.argmax(found[rows, k]))
            gain = found[top, k[top]] - best
            if gain > 0:
                best, when = float(found[top, k[top]]), float(at[top, k[top]])
            a, b = at[rows, np.maximum(k - 1, 0)], at[rows, np.minimum(k + 1, 8)]
            if np.ptp(found, axis=1).max() <= 1e-15 * abs(best) or not np.any(b - a > 4e-16 * np.abs(b)):
                break
        return best, when


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
