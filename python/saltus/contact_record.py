"""What contacts between groups did, as a run records them: rows of numbers, one a contact and recorded state."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from saltus.errors import Fault
from saltus.store.format import Channel

if TYPE_CHECKING:
    from saltus import _core
    from saltus.running import Recorded

# (name, width) of the columns, as the engine gives them.
COLUMNS = (
    ("row", 1), ("A", 1), ("B", 1), ("group", 1), ("identity", 1), ("gap", 1),
    ("point", 3), ("normal", 3), ("tangent", 3), ("force", 3), ("torque", 3), ("slip", 3), ("step", 1), ("share", 1),
)  # fmt: skip
WIDTH = sum(width for _, width in COLUMNS)
CHANNEL = Channel("contact", shape=(WIDTH,), series="contacts", doc=", ".join(name if width == 1 else f"{name} ({width})" for name, width in COLUMNS))


def column(rows: np.ndarray, name: str) -> np.ndarray:
    """(n) or (n, 3) of the rows."""
    first = 0
    for word, width in COLUMNS:
        if word == name:
            return rows[:, first] if width == 1 else rows[:, first : first + width]
        first += width
    raise KeyError(name)


OPEN, STICKS, SLIDES = range(3)
AT_REST = 1e-6  # of the largest speed in the run: slower it sticks
CREEP = 1e-9  # of the distance of contacts, within the run: slower it sticks, too, where nothing moves but by rounding
ROUNDING = 1e-14  # m/s
AT_LIMIT = 1.0 - 1e-6  # of the largest friction force, below which a contact sticks whatever rounding leaves of its slip


def states(rows: np.ndarray, slow: float) -> np.ndarray:
    """(n) OPEN, STICKS or SLIDES; slow: the largest slip [m/s] that is none."""
    slip, share = np.linalg.norm(column(rows, "slip"), axis=1), column(rows, "share")
    slides = (slip > slow) & ((share < 0.0) | (share >= AT_LIMIT))
    return np.where((column(rows, "force") != 0.0).any(axis=1), np.where(slides, SLIDES, STICKS), OPEN)


def slow_of(recorded: Recorded) -> float:
    """The largest slip [m/s] that is none in a run: beside its speeds, and beside the distances of its contacts within its time."""
    sizes, y, t, rows = recorded.system.sizes(), recorded.arrays["y"], recorded.arrays["t"], recorded.contacts
    if rows is None or not len(rows):
        return ROUNDING
    speed = max(float(np.abs(y[:, sizes["nq"] : sizes["nq"] + sizes["nv"]]).max(initial=0.0)), float(np.abs(column(rows, "slip")).max()))
    size = float(np.ptp(column(rows, "point"), axis=0).max())
    return max(AT_REST * speed, CREEP * size / max(t[-1] - t[0], np.finfo(float).tiny) if len(t) > 1 else 0.0, ROUNDING)


def names(system: _core.System) -> tuple[list[str], list[str]]:
    """Names of the bodies (planes) that have the shapes of contacts, and of the contacts of groups."""
    shapes, owners, groups = system.contact_names()
    return [owner.removesuffix("_shape") if owner == shape else owner for shape, owner in zip(shapes, owners, strict=True)], groups


class ContactRecord:
    """Rows on their way into a result. most: bytes; what is beyond is left out, but for the last state."""

    def __init__(self, most: float):
        self._most, self._held = most, 0
        self._blocks: list[np.ndarray] = [np.zeros((0, WIDTH))]
        self._last = np.zeros((0, WIDTH))
        self.left_out = 0  # recorded states without contacts
        self._since = 0  # the first of them

    def take(self, rows: np.ndarray, first: int, states: int) -> np.ndarray:
        """Rows of `states` recorded states, whose numbers begin at 0 here and at `first` in the record; those that are kept."""
        rows = rows.copy()
        rows[:, 0] += first
        if self._held + rows.nbytes > self._most or self.left_out:
            self._since = self._since if self.left_out else first
            self.left_out += states
            if states:
                self._last = rows[rows[:, 0] == first + states - 1]
            return rows[:0]
        self._held += rows.nbytes
        self._blocks.append(rows)
        return rows

    def end(self) -> np.ndarray:
        """Takes those of the last state, where earlier ones were left out."""
        self._blocks.append(self._last)
        return self._last

    def rows(self, states: int) -> np.ndarray:
        """All, of the first so many states."""
        rows = np.concatenate(self._blocks)
        return rows[rows[:, 0] < states]

    def warning(self, time: np.ndarray) -> Fault:
        return Fault(
            "simulation/record", f"keeps contacts up to t = {time[max(self._since - 1, 0)]:.6g} s, {self._held / 2**20:.0f} MB of them, and those of the last state",
            'record less often, or ask for all of them: record={"contacts": True}', severity="warning",
        )  # fmt: skip
