"""What contacts between groups did: by contact and state, and by pair of bodies over time."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from saltus.contact_record import column, names, slow_of, states
from saltus.errors import Fault, ModelError
from saltus.exports.contacts import STATES, State
from saltus.geometry import near, refuse

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from saltus.exports.columns import Columns
    from saltus.handles import Handle
    from saltus.result import Result, Series

UNITS = {"gap": "m", "point": "m", "force": "N", "torque": "N m", "impulse": "N s", "slip": "m/s"}


@dataclass(frozen=True)
class OneContact:
    """One contact in one recorded state; see `Contacts`."""

    time: float
    A: str
    B: str
    group: str
    gap: float
    point: NDArray[np.float64]
    normal: NDArray[np.float64]
    force: NDArray[np.float64]
    torque: NDArray[np.float64]
    impulse: NDArray[np.float64]
    slip: NDArray[np.float64]
    state: State


@dataclass(frozen=True)
class Contacts:
    """Contacts between groups in recorded states, one entry each: `for c in result.contacts(0.1): print(c.A, c.B, c.force)`.

    time [s]. A, B: names of the bodies, or shapes without one. group: name of the contact of groups. gap [m], negative where they overlap. point (n, 3) [m] between the surfaces, normal (n, 3)
    from A to B, force (n, 3) [N] and torque (n, 3) [N m] (of laws of rolling) on B, slip (n, 3) [m/s]: velocity of B against A along the surface; world axes. impulse (n, 3) [N s]: along the normal
    and two tangents, of the step that ends at the state, with impacts; schemes with exact events have forces of the instant and no
    impulse, and impacts as events. state: "open" (touches without force), "sticks" or "slides".
    """

    time: NDArray[np.float64]
    A: NDArray[Any]
    B: NDArray[Any]
    group: NDArray[Any]
    gap: NDArray[np.float64]
    point: NDArray[np.float64]
    normal: NDArray[np.float64]
    force: NDArray[np.float64]
    torque: NDArray[np.float64]
    impulse: NDArray[np.float64]
    slip: NDArray[np.float64]
    state: NDArray[Any]

    def __len__(self) -> int:
        return len(self.time)

    def __iter__(self) -> Iterator[OneContact]:
        return (OneContact(*(getattr(self, name)[i] for name in COLUMNS)) for i in range(len(self)))

    def __getitem__(self, which: Any) -> Contacts:
        """Some of them: `contacts[contacts.state == "slides"]`."""
        which = [which] if isinstance(which, (int, np.integer)) else which
        return Contacts(*(getattr(self, name)[which] for name in COLUMNS))

    def between(self, a: Handle | str, b: Handle | str) -> Contacts:
        """Those of two bodies, with a as A: forces act on b."""
        first, second = (str(getattr(body, "name", body)) for body in (a, b))
        same, turned = (self.A == first) & (self.B == second), (self.A == second) & (self.B == first)
        if first == second:
            turned = turned & False
        sign = np.where(turned, -1.0, 1.0)[:, None]
        values = {name: getattr(self, name) for name in COLUMNS}
        values |= {"A": np.where(turned, self.B, self.A), "B": np.where(turned, self.A, self.B)}
        values |= {name: values[name] * sign for name in ("normal", "force", "torque", "slip")}
        values["impulse"] = self.impulse * np.where(turned[:, None], (1.0, -1.0, -1.0), 1.0)
        return Contacts(**values)[same | turned]

    def to_dataframe(self, library: Literal["pandas", "polars"] = "pandas") -> Any:
        """A data frame, one row a contact and state."""
        from saltus.exports.tables import data_frame

        return data_frame(self._columns(), library)

    def export(self, path: str | os.PathLike[str]) -> str:
        """Writes them as a table, .csv or .parquet, one row a contact and state, or as points over time for ParaView, .vtkhdf; returns the file's name."""
        from saltus.exports.tables import write_table
        from saltus.exports.vtkhdf import write_contacts
        from saltus.store.replacing import replacing

        ending = Path(path).suffix.lower()
        if ending == ".vtkhdf":
            if not len(self):
                raise ModelError(Fault("export", "has no contact to draw", "write a .csv, or ask for a time at which bodies touch", os.fspath(path)))
            with replacing(Path(path)) as draft:
                write_contacts(self, draft)
            return os.fspath(path)
        if ending not in (".csv", ".parquet"):
            raise ModelError(Fault("export", f"the format follows from the name: {ending or 'no ending'!r} is none of contacts", "end it with .csv, .parquet or .vtkhdf", os.fspath(path)))
        return write_table(self._columns(), path)

    def _columns(self) -> Columns:
        """One column a number or name."""
        from saltus.exports.columns import Column, Columns

        columns = []
        for name in COLUMNS[1:]:
            values, unit = getattr(self, name), UNITS.get(name, "")
            if values.ndim == 1:
                columns.append(Column(name, unit, values.astype(str) if values.dtype == object else values))
                continue
            parts = ("n", "t1", "t2") if name == "impulse" else ("x", "y", "z")
            columns += [Column(f"{name}.{part}", unit, values[:, i]) for i, part in enumerate(parts)]
        return Columns(self.time, columns)

    def __repr__(self) -> str:
        states = len(np.unique(self.time))
        return f"<{len(self)} contact{'s' * (len(self) != 1)} in {states} state{'s' * (states != 1)}>"


COLUMNS = tuple(field.name for field in fields(Contacts))


@dataclass(frozen=True)
class PairHistory:
    """The contacts of two bodies over time, summed: `result.contact_history(floor, box).force`.

    force (n, 3) [N] on B, world axes; normal_force (n) [N]: sum along the normals; points (n): how many touch; depth (n) [m]: deepest overlap, 0 where there is none; slip_speed (n)
    [m/s]: the largest; impulse (n) [N s]: along the normals, summed from the start, of schemes that locate impacts (event_driven) without theirs, which are in `result.events`; state (n): 0 open, 1 sticks, 2 slides, as the point that slides fastest.
    """

    A: str
    B: str
    time: NDArray[np.float64]
    force: Series
    normal_force: Series
    points: Series
    depth: Series
    slip_speed: Series
    impulse: Series
    state: NDArray[np.int_]

    @property
    def states(self) -> list[State]:
        """The state in words."""
        return [STATES[i] for i in self.state]

    def to_dataframe(self, library: Literal["pandas", "polars"] = "pandas") -> Any:
        """A data frame, one row a recorded state."""
        from saltus.exports.columns import Column, Columns
        from saltus.exports.tables import data_frame

        columns = [Column(f"force.{axis}", "N", np.asarray(self.force)[:, i]) for i, axis in enumerate("xyz")]
        for name, unit in (("normal_force", "N"), ("points", ""), ("depth", "m"), ("slip_speed", "m/s"), ("impulse", "N s")):
            columns.append(Column(name, unit, np.asarray(getattr(self, name))))
        return data_frame(Columns(self.time, [*columns, Column("state", "", np.array(self.states))]), library)


def contacts_of(result: Result, time: float | None) -> Contacts:
    """Contacts of the recorded state that ends the step with the time; None: of all states."""
    rows = _rows(result)
    times = result._recorded.arrays["t"]
    if time is not None:
        result.at(time)  # refuses a time outside of the run
        slack = 1e-12 * max(abs(times[0]), abs(times[-1]))
        at = times[np.clip(np.searchsorted(times, time - slack), 0, len(times) - 1)]
        rows = rows[times[rows[:, 0].astype(int)] == at]
        rows = rows[rows[:, 0] == rows[:, 0].max(initial=0.0)]  # behind a jump
    owners, groups = (np.array(given, dtype=object) for given in names(result._system))
    number = lambda name: column(rows, name).astype(int)  # noqa: E731
    force, normal, tangent = (column(rows, name) for name in ("force", "normal", "tangent"))
    frame = np.stack([normal, tangent, np.cross(normal, tangent)], axis=1)
    return Contacts(
        times[number("row")], owners[number("A")], owners[number("B")], groups[number("group")], column(rows, "gap"), column(rows, "point"), normal, force,
        column(rows, "torque"), np.einsum("nij,nj->ni", frame, force) * column(rows, "step")[:, None], column(rows, "slip"),
        np.array(STATES, dtype=object)[states(rows, slow_of(result._recorded))],
    )  # fmt: skip


def _rows(result: Result) -> NDArray[np.float64]:
    rows = result._recorded.contacts
    if rows is not None:
        return rows
    none = not names(result._system)[1]
    what = "there is no contact of groups without stiffness in the model" if none else "the run was asked not to record them, or is of an earlier version"
    raise ModelError(Fault("contacts", f"are not in this result: {what}", "read result.contact(c) of a contact of two bodies, result[c.force] of one with stiffness" if none else 'leave "contacts": False out of record='))


def _between(forces: NDArray[np.float64], time: NDArray[np.float64]) -> NDArray[np.float64]:
    """Impulses since the state before, of forces that are those of an instant."""
    return np.concatenate([[0.0], 0.5 * (forces[1:] + forces[:-1]) * np.diff(time)])


def pair_history(result: Result, a: Handle | str, b: Handle | str) -> PairHistory:
    """The contacts of two bodies, summed at each recorded state."""
    known = names(result._system)[0]
    asked = [str(getattr(body, "name", body)) for body in (a, b)]
    for name in asked:
        if not known:
            refuse("contact_history", f"is asked for {name!r}, and there is no contact of groups without stiffness in the model", "read result.contact(c) of a contact of two bodies, result[c.force] of one with stiffness")
        if name not in known:
            refuse("contact_history", f"is asked for {name!r}, which is in no contact of groups", near(name, known) or f"bodies with contacts are {', '.join(dict.fromkeys(known))}")
    rows, time = _rows(result), result._recorded.arrays["t"]
    numbers = {name: {i for i, owner in enumerate(known) if owner == name} for name in asked}
    A, B = column(rows, "A").astype(int), column(rows, "B").astype(int)
    first, second = (np.isin(A, list(numbers[name])) for name in asked), (np.isin(B, list(numbers[name])) for name in asked)
    (A_is_a, A_is_b), (B_is_a, B_is_b) = first, second
    kept = (A_is_a & B_is_b) | (A_is_b & B_is_a)
    rows, sign = rows[kept], np.where((A_is_a & B_is_b)[kept], 1.0, -1.0)
    at, n = column(rows, "row").astype(int), len(time)
    force, normal = column(rows, "force") * sign[:, None], column(rows, "normal") * sign[:, None]
    along = np.einsum("ij,ij->i", force, normal)
    speed, step = np.linalg.norm(column(rows, "slip"), axis=1), column(rows, "step")

    def over(values: NDArray[np.float64], largest: bool = False) -> NDArray[np.float64]:
        out = np.zeros((n, *values.shape[1:]))
        (np.maximum if largest else np.add).at(out, at, values)
        return out

    def series(values: NDArray[np.float64], unit: str, word: str, parts: tuple[str, ...] = ()) -> Series:
        return result._series(values, unit, time, f"{asked[0]} on {asked[1]}.{word}", parts)

    state = over(states(rows, slow_of(result._recorded)).astype(float), largest=True).astype(int)
    return PairHistory(
        asked[0], asked[1], time, series(over(force), "N", "force", ("x", "y", "z")), series(over(along), "N", "normal_force"), series(over(np.ones(len(at))), "", "points"),
        series(over(np.maximum(-column(rows, "gap"), 0.0), largest=True), "m", "depth"), series(over(speed, largest=True), "m/s", "slip_speed"),
        series(np.cumsum(over(along * step) + _between(over(along * (step == 0.0)), time)), "N s", "impulse"), state,
    )  # fmt: skip


__all__ = ["Contacts", "OneContact", "PairHistory", "contacts_of", "pair_history"]
