"""The constraints of a model at any configuration: closed from far off, their freedoms, rates and accelerations. Analyses are built on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from saltus import _core
from saltus import geometry as g
from saltus.quantity import Quantity

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from saltus.model import Model

    Array = NDArray[np.float64]

CLOSED = 1e-11  # m times the model's length: rows that hold
RANK = 1e-9  # of the largest singular value: none
LONGEST = 0.25  # step along a motion, in radians or shares of the model's length
TRIES = 8  # other starts, where a closure from the given one is a dead end
STEPS = 100


@dataclass(frozen=True)
class Entry:
    """Rows of one joint or relation."""

    name: str
    rows: slice
    level: str
    held: bool
    gap: bool  # of bodies, without friction or adhesion


class Mechanism:
    """A compiled model with coordinates that follow a given motion, and y, data of one configuration of it.

    held: motions of joints and coordinates of nodes, each with a number, an expression of t or a function f(t).
    """

    def __init__(self, model: Model, held: Mapping[Any, Any], time: float, path: str):
        self.time = time
        model._bind_controllers()
        self.base: _core.System = model._engine.compile()
        self.names: dict[str, str] = {}  # of the rows of what is held -> label
        self.system = self._with_held(model, held, path) if held else self.base
        self.entries = [Entry(name, slice(first, first + rows), level, kept, gap) for name, first, rows, level, kept, gap in _core.row_entries(self.system)]
        self.y, self.data = _core.reference_state(self.system, False)
        self.base_data = _core.reference_state(self.base, False)[1]
        self.nq, self.nv = self.system.sizes()["nq"], self.system.sizes()["nv"]
        self.scale: Array = _core.column_scales(self.system, self.y)[: self.nv]  # 1, or 1 / length of what turns
        turning = self.scale[self.scale != 1.0]
        self.length = 1.0 / float(turning[0]) if turning.size else 1.0
        self.positions = self._rows(lambda e: e.held and e.level == "value")
        self.all = self._rows(lambda e: e.held)
        self.counts = self.system.sizes()["history"] > 0
        self.remember()
        self.weight = self._weights()

    def _with_held(self, model: Model, held: Mapping[Any, Any], path: str) -> _core.System:
        """The model with one row for each coordinate that is held; the model itself stays as it is."""
        records = []
        for quantity, value in held.items():
            of = quantity_of(model, quantity, path)
            model._own(of.terms[0][0], path)
            name = f"{path}_{len(records) + 1}"
            while name in model._names:
                name += "_"
            self.names[name] = of.label
            records.append(("relations", "linear_relation", name, {"on": [of._reference()], "matrix": [[1.0]], "offset": _negative(value, f"{path}/{of.label}")}, *g.caller()))
        try:
            model._engine.replace([([], records)])
            return model._engine.compile()
        finally:
            model._engine.replace([([name for name in self.names if any(name == known for _, _, known in model._engine.records())], [])])

    def _rows(self, wanted: Callable[[Entry], bool]) -> NDArray[np.intp]:
        return np.concatenate([np.arange(e.rows.start, e.rows.stop) for e in self.entries if wanted(e)] or [np.zeros(0, np.intp)]).astype(np.intp)

    def _weights(self) -> Array:
        """1 over what a metre of motion does to a row."""
        norm = np.linalg.norm(self.at(self.y)["jacobian"] * self.scale, axis=1)
        return 1.0 / np.where(norm > 1e-6 * max(1e-300, norm.max(initial=0.0)), norm, max(1e-300, norm.max(initial=0.0)) or 1.0)

    def at(self, y: Array) -> dict[str, Array]:
        """value, time_rate, curvature and jacobian of all rows."""
        return _core.rows_at(self.system, self.time, y, self.data)

    def remember(self) -> None:
        """Counts turns up to where y is."""
        self.data = _core.remembered(self.system, self.time, self.y, self.data)
        self.base_data = _core.remembered(self.base, self.time, self.y, self.base_data) if self.base is not self.system else self.data

    def residual(self, y: Array) -> Array:
        """Of the rows of positions, each in the metres that would close it."""
        return self.weight[self.positions] * self.at(y)["value"][self.positions]

    def moved(self, y: Array, u: Array) -> Array:
        """y moved by a tangent that is scaled like a length."""
        return _core.retracted(self.system, y, np.ascontiguousarray(u * self.scale))

    # Positions.

    def close(self) -> bool:
        """Moves y onto the constraints: along a homotopy from what is there where only what is held is apart, else by damped least squares, and from other starts."""
        if not len(self.positions):
            return True
        start, memory = self.y, (self.data, self.base_data)
        best, least = self.y, np.inf
        own = np.array([self._of_held(row) for row in self.positions])
        apart = np.abs(self.residual(self.y))
        ways: list[Callable[[], bool]] = [self._homotopy, self._least_squares]
        if apart[~own].max(initial=0.0) > 1e-6 * self.length:
            ways.reverse()
        chance = np.random.default_rng(1)
        for attempt in range(2 + TRIES):
            self.y, (self.data, self.base_data) = start, memory
            if attempt >= 2:
                self.y = self.moved(start, chance.normal(size=self.nv) * self.length * min(1.0, 0.1 * (attempt - 1)))
            if (ways[attempt] if attempt < 2 else self._least_squares)():
                return True
            if (size := float(np.linalg.norm(self.residual(self.y)))) < least:
                best, least = self.y, size
        self.y = best
        return False

    def _of_held(self, row: int) -> bool:
        return next(e.name in self.names for e in self.entries if e.rows.start <= row < e.rows.stop)

    def _least_squares(self, target: Array | None = None, steps: int = STEPS) -> bool:
        """Levenberg's and Marquardt's method for residual(y) = target; true where it is met."""
        goal = np.zeros(len(self.positions)) if target is None else target
        damping, done = 1e-4, CLOSED * self.length
        r = self.residual(self.y) - goal
        for _ in range(steps):
            if np.abs(r).max(initial=0.0) <= done:
                return True
            J = self.weight[self.positions, None] * self.at(self.y)["jacobian"][self.positions] * self.scale
            slope, square = J.T @ r, float(np.sum(J * J))
            if np.linalg.norm(slope) <= 1e-9 * np.sqrt(square) * np.linalg.norm(r):
                break  # no direction leads further
            A = J @ J.T  # as many rows as constraints: u = -J^T (J J^T + damping)^-1 r
            A[np.diag_indices(len(r))] += max(damping, 1e-14) * square
            u = -J.T @ np.linalg.solve(A, r)
            turned = np.abs(u).max(initial=0.0) / self.length
            u *= min(1.0, 4.0 * LONGEST / turned) if turned > 0 else 1.0
            y = self.moved(self.y, u)
            new = self.residual(y) - goal
            if np.linalg.norm(new) < np.linalg.norm(r) or np.abs(new).max(initial=0.0) <= done:
                self.y, r, damping = y, new, max(0.05 * damping, 1e-16)
                if self.counts:
                    self.remember()
            elif damping > 1e8 or np.abs(u).max(initial=0.0) <= 1e-15 * self.length:
                break
            else:
                damping *= 8.0
        return bool(np.abs(r).max(initial=0.0) <= done)

    def _homotopy(self) -> bool:
        """Follows residual(y) = (1 - s) residual(start) from s = 0 to 1."""
        first = self.residual(self.y)
        s, step = 0.0, 1.0
        for _ in range(STEPS):
            to = min(1.0, s + step)
            before, memory = self.y, (self.data, self.base_data)
            J = self.weight[self.positions, None] * self.at(self.y)["jacobian"][self.positions] * self.scale
            u = np.linalg.lstsq(J, (1.0 - to) * first - self.residual(self.y), rcond=RANK)[0]
            near = np.abs(u).max(initial=0.0) <= LONGEST * self.length
            if near:
                self.y = self.moved(self.y, u)
                if self._least_squares((1.0 - to) * first, 12):
                    s, step = to, min(1.0, 2.0 * step)
                    if s >= 1.0:
                        return True
                    continue
            self.y, (self.data, self.base_data) = before, memory
            step *= 0.5
            if step < 1e-6:
                break
        return False

    def residuals(self) -> dict[str, float]:
        """By joint or relation the norm of its rows, in metres that would close it, the worst first."""
        r = np.zeros(len(self.weight))
        r[self.positions] = self.residual(self.y)
        sizes = {self.names.get(e.name, e.name): float(np.linalg.norm(r[e.rows])) for e in self.entries if e.held and e.level == "value"}
        return dict(sorted(sizes.items(), key=lambda entry: -entry[1]))

    # Rates.

    def scaled(self) -> Array:
        """The Jacobian of all held rows by scaled velocities, rows of length 1."""
        J = self.at(self.y)["jacobian"][self.all] * self.scale
        norm = np.linalg.norm(J, axis=1)
        return J / np.where(norm > 0.0, norm, 1.0)[:, None]

    def set_velocities(self, v: Array) -> None:
        """v of y."""
        self.y = np.concatenate([self.y[: self.nq], v, self.y[self.nq + self.nv :]])

    @property
    def v(self) -> Array:
        """Velocities."""
        return self.y[self.nq : self.nq + self.nv]

    def velocities(self) -> float:
        """The velocities nearest to those that y has which the constraints allow; returns what is left of the rows' rates."""
        given = self.v.copy()
        self.set_velocities(np.zeros(self.nv))
        rows = self.at(self.y)
        rest = np.array(rows["time_rate"])
        for e in self.entries:
            if e.level == "rate":
                rest[e.rows] = rows["value"][e.rows]
        J, rest = rows["jacobian"][self.all], rest[self.all]
        u = np.linalg.lstsq(J * self.scale, -rest - J @ given, rcond=RANK)[0]
        v = given + self.scale * u
        self.set_velocities(v)
        return float(np.abs(self.weight[self.all] * (J @ v + rest)).max(initial=0.0))

    def accelerations(self, forces: Array | None = None) -> tuple[Array, Array]:
        """(a, multipliers by row): M a = F + H^T multipliers, H a + curvature = 0; where rows are redundant the least multipliers."""
        rows = self.at(self.y)
        M, F = _core.equations_of_motion(self.system, self.time, self.y, self.data)
        F = F if forces is None else forces
        H, curvature = rows["jacobian"][self.all] * self.scale, rows["curvature"][self.all]
        weight = self.weight[self.all]
        H, curvature = H * weight[:, None], curvature * weight
        mass = M * np.outer(self.scale, self.scale)
        size = float(np.abs(mass).max(initial=0.0)) or 1.0
        n, m = self.nv, len(self.all)
        K = np.block([[mass / size, H.T], [H, np.zeros((m, m))]])
        x = np.linalg.lstsq(K, np.concatenate([self.scale * F / size, -curvature]), rcond=1e-13)[0]
        multipliers = np.zeros(len(self.weight))
        multipliers[self.all] = -size * weight * x[n:]
        return self.scale * x[:n], multipliers

    def base_multipliers(self, multipliers: Array) -> Array:
        """Those of the rows that the model itself has, in its order."""
        mine = {e.name: multipliers[e.rows] for e in self.entries}
        out = np.zeros(self.base.sizes()["rows"])
        for name, first, rows, *_ in _core.row_entries(self.base):
            out[first : first + rows] = mine[name]
        return out


def quantity_of(model: Model, given: Any, path: str) -> Quantity:
    """A quantity, or one that a text names: `hinge.angle`, `slide.translation.z`."""
    if isinstance(given, Quantity):
        return given
    if not isinstance(given, str) or "." not in given:
        g.refuse(path, f"has {g.short(given)}, expected a motion of a joint or a coordinate", "write hinge.angle, slide.translation.z or node.coordinate[0]")
    name, _, rest = given.partition(".")
    word, _, component = rest.partition(".")
    return Quantity(((model[name], word),), component)


def _negative(value: Any, path: str) -> Any:
    """Minus a number, an expression or a function of time."""
    if isinstance(value, str):
        return f"-({value})"
    if callable(value):
        return lambda t: -value(t)
    return -g.number(value, path)
