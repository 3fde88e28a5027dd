"""Equilibria over a parameter: arc length and displacement control, limit and branching points, stability, buckling loads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from saltus import _core
from saltus import geometry as g
from saltus.continuation import Curve, LostError, Point, corrected, follow, kernel, tangent
from saltus.mechanism import Mechanism
from saltus.quantity import Quantity
from saltus.result import Series, evaluate

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from saltus.model import Model

    Array = NDArray[np.float64]

ACCURATE = 1e-9  # of the forces that the parameter makes over its range: what is in balance
ROUNDING = 1e-13  # of the forces that a move of a length makes
NO_LOAD = 1e-12  # of the forces there are: a parameter that does nothing
TOUCHING = 1e-7  # of a length of the model: a gap that is closed
ROUNDS = 1e-9  # of a length of the model, and of its loads: an overlap or a pull that is none
SOUGHT = 60  # halvings that find a critical point


@dataclass(frozen=True)
class Critical:
    """A point of a path where its stability changes: kind "limit" (the parameter turns back) or "branching" (other equilibria cross); or "contact", where a gap closes or opens."""

    kind: str
    value: float
    y: Array = field(repr=False)
    data: Array = field(repr=False)
    mode: Array = field(repr=False)  # scaled tangent (nv) in which the stiffness is lost


@dataclass(frozen=True)
class EquilibriumPath:
    """Equilibria over a parameter, in the order of the curve.

    values (n) of the parameter, stable (n): whether every small motion is held, unstable (n): how many motions are not. critical: limit and branching points. complete: whether the end was reached.
    `path[quantity]` is a quantity along the path.
    """

    parameter: str
    values: Array
    unstable: NDArray[np.intp]
    critical: list[Critical]
    complete: bool
    _systems: Callable[[float], Any] = field(repr=False)
    _states: list[tuple[Array, Array, Array]] = field(repr=False)  # y, multipliers, data

    @property
    def stable(self) -> NDArray[np.bool_]:
        """(n)"""
        return self.unstable == 0

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, quantity: Quantity | str) -> Series:
        rows, unit, names = [], "", []
        for value, (y, lam, data) in zip(self.values, self._states, strict=True):
            system = self._systems(float(value))
            arrays = {"t": np.zeros(1), "y": y[None], "a": np.zeros((1, system.sizes()["nv"])), "lam": lam[None], "data": data[None]}
            found, unit, names = evaluate(system, quantity, arrays)
            rows.append(found[0])
        return Series(np.array(rows), unit, None, quantity if isinstance(quantity, str) else quantity.label, names)


class _Balance:
    """Forces and stiffness of a model at rest, in the moves that its joints leave."""

    def __init__(self, model: Model, parameter: str, path: str):
        if parameter not in model.parameters:
            g.refuse(f"{path}/parameter", f"is {parameter!r}, which the model has not", g.near(str(parameter), list(model.parameters)) or 'write m.parameters["P"] = 0, and "P" in a load')
        self.model, self.parameter, self.path = model, parameter, path
        self.before = dict(model.parameters)
        self.known: dict[float, Any] = {}
        self.mechanism = Mechanism(model, {}, 0.0, path)
        sizes = self.mechanism.base.sizes()
        self.nq, self.nv = sizes["nq"], sizes["nv"]
        if sizes["nx"] or sizes["nz"]:
            g.refuse(path, "is asked of a model with first-order or algebraic unknowns", "take mechanical items alone")
        entries = self.mechanism.entries
        loose = [e.name for e in entries if e.level != "value" or not (e.held or e.gap)] + list(self.mechanism.base.contact_names()[2])
        if loose:
            g.refuse(f"relations/{loose[0]}", "is no joint and no gap without friction: friction, contacts between groups and rows of rates have no path of equilibria", "leave it out, or hold it by a joint")
        self.joints = self.mechanism.positions
        self.gaps = np.array([e.rows.start for e in entries if e.gap], dtype=np.intp)
        self.closed = np.zeros(0, np.intp)  # gaps that press
        if not self.nv:
            g.refuse(path, "is asked of a model without motion")
        self.near: Array | None = None
        self.memory: Array | None = None
        self.reach = self.mechanism.length if self.mechanism.length != 1.0 else 1.0
        self.size = 1.0

    def system(self, value: float) -> Any:
        """The model at a value of the parameter."""
        if value not in self.known:
            entry = self.before[self.parameter]
            if len(self.known) > 40:
                self.known.clear()
            try:
                self.model.parameters = {**self.before, self.parameter: {**entry, "value": value} if isinstance(entry, dict) else value}
                self.model._bind_controllers()
                self.known[value] = self.model._engine.compile()
            finally:
                self.model.parameters = self.before
        return self.known[value]

    def at(self, value: float) -> Mechanism:
        m = self.mechanism
        m.system = m.base = self.system(value)
        m.data = m.base_data = self._data(value)
        return m

    def hold(self, closed: Any) -> None:
        """Takes these gaps as joints, the others as open."""
        self.closed = np.array(closed, dtype=np.intp)
        self.mechanism.positions = np.concatenate([self.joints, self.closed]).astype(np.intp)

    def opened(self, y: Array, value: float) -> Array:
        """Gaps [m]."""
        m = self.at(value)
        return np.asarray(m.weight[self.gaps] * m.at(y)["value"][self.gaps])

    def wrong(self, y: Array, value: float) -> tuple[float, int]:
        """(how much, which row): the gap that overlaps most though it does not press, or the one that presses that would have to pull most; in lengths and loads of the model, above 0 where one is."""
        if not len(self.gaps):
            return 0.0, -1
        pushes = self.multipliers(y, value)[self.gaps] / self.size
        wrong = np.where(np.isin(self.gaps, self.closed), -pushes, -self.opened(y, value) / self.reach)
        worst = int(np.argmax(wrong))
        return float(wrong[worst]), int(self.gaps[worst])

    def press(self, y: Array, value: float) -> None:
        """Holds the gaps that are closed and press."""
        self.hold(self.gaps[np.abs(self.opened(y, value)) <= TOUCHING * self.reach] if len(self.gaps) else [])
        while len(self.closed):
            pushes = self.multipliers(y, value)[self.closed]
            if pushes.min() >= 0.0:
                return
            self.hold(np.delete(self.closed, int(np.argmin(pushes))))

    def _data(self, value: float) -> Array:
        """The memory of the start with this value in it."""
        data = np.array(_core.reference_state(self.system(value), False)[1])
        first = sum(isinstance(entry, dict) for entry in self.before.values())  # parameters that a run may change
        if self.memory is not None:
            data[first:] = self.memory[first:]
        return data

    def start(self, value: float) -> Array:
        """The equilibrium at a value: the initial position, if that is one, else what `static` finds."""
        m = self.at(value)
        m.y = np.array(_core.reference_state(m.base, False)[0])
        m.y[self.nq :] = 0.0
        if m.close() and self.opened(m.y, value).min(initial=0.0) >= -TOUCHING * self.reach:
            y = np.array(m.y)
            self.press(y, value)
            P = self.moves(y, value)
            if np.abs(self.forces(y, value, P)).max(initial=0.0) <= ROUNDING * self.reach * np.abs(self.stiffness(y, value, P)).max(initial=0.0):
                return y
        entry = self.before[self.parameter]
        try:
            self.model.parameters = {**self.before, self.parameter: {**entry, "value": value} if isinstance(entry, dict) else value}
            result = self.model._quiet_static()
        finally:
            self.model.parameters = self.before
        self.memory = np.array(result._recorded.arrays["data"][-1])
        y = np.array(result._recorded.arrays["y"][-1])
        self.press(y, value)
        return y

    def moves(self, y: Array, value: float) -> Array:
        m = self.at(value)
        return kernel((m.at(y)["jacobian"] * m.scale)[m.positions], self.nv, self.near)

    def pushed(self, y: Array, value: float) -> Array:
        """Applied forces, scaled like the moves, and what prescribed positions miss."""
        m = self.at(value)
        return np.append(_core.equations_of_motion(m.base, 0.0, y, m.data)[1] * m.scale, m.residual(y) if len(m.positions) else [])

    def forces(self, y: Array, value: float, P: Array) -> Array:
        """In the moves."""
        m = self.at(value)
        F = self.pushed(y, value)[: self.nv]
        H = (m.at(y)["jacobian"] * m.scale)[m.positions]
        if len(H):
            F = F + H.T @ np.linalg.lstsq(H.T, -F, rcond=1e-12)[0]
        return P.T @ F

    def multipliers(self, y: Array, value: float) -> Array:
        m = self.at(value)
        F = self.pushed(y, value)[: self.nv]
        out = np.zeros(m.base.sizes()["rows"])
        H = (m.at(y)["jacobian"] * m.scale)[m.positions]
        if len(H):
            out[m.positions] = np.linalg.lstsq(H.T, -F, rcond=1e-12)[0]
        return out

    def stiffness(self, y: Array, value: float, P: Array) -> Array:
        """-d forces / d moves."""
        m = self.at(value)
        equations = _core.linear_equations(m.base, 0.0, np.append(y[: self.nq], np.zeros(len(y) - self.nq)), None, self.multipliers(y, value), m.data)
        data, columns, begins, (rows, _) = equations.sparse()["stiffness"]  # with what multipliers add
        K = np.zeros((rows, rows))
        K[np.repeat(np.arange(rows), np.diff(begins)), columns] = data
        SP = m.scale[:, None] * P
        return SP.T @ K[: self.nv, : self.nv] @ SP

    def moved(self, y: Array, move: Array, value: float) -> Array:
        """y moved in units of the reach."""
        P = self.moves(y, value)
        m = self.at(value)
        m.y = m.moved(y, self.reach * (P @ move))
        if len(m.positions):
            m._least_squares()
        return np.array(m.y)

    def curve(self, scale: float) -> Curve:
        now = [0.0]

        def residual(y: Array, value: float) -> Array:
            now[0] = value
            return self.forces(y, value, self.moves(y, value)) / self.size

        def jacobian(y: Array, value: float) -> Array:
            P = self.moves(y, value)
            d = 1e-4 * scale
            by = (self.forces(y, value + d, P) - self.forces(y, value - d, P)) / (2e-4 * self.size)
            return np.column_stack([-self.stiffness(y, value, P) * (self.reach / self.size), by])

        return Curve(residual, jacobian, lambda y, move: self.moved(y, move, now[0]), scale, ACCURATE)

    def negative(self, J: Array) -> tuple[int, float, Array]:
        """(how many motions are not held, the stiffness nearest to 0, its motion)."""
        K = -J[:, :-1]
        if not len(K):  # joints and gaps hold all
            return 0, np.inf, np.zeros(0)
        values, vectors = np.linalg.eigh((K + K.T) / 2)
        least = int(np.argmin(np.abs(values)))
        return int(np.sum(values < 0)), float(values[least]), vectors[:, least]


def follow_equilibria(
    model: Model, parameter: str, values: tuple[float, float], control: Any, until: Any, start: Any, switch: float, length: float, points: int
) -> EquilibriumPath:
    """See Model.follow_equilibria."""
    path = "follow_equilibria"
    try:
        first, end = (g.number(x, f"{path}/values") for x in values)
    except (TypeError, ValueError):
        g.refuse(f"{path}/values", f"is {g.short(values)}, expected (first, last)", "write (0, 100)")
    if first == end:
        g.refuse(f"{path}/values", "begins where it ends", "give two different values")
    g.number(length, f"{path}/length", above=0.0)
    balance = _Balance(model, parameter, path)
    scale = abs(end - first)
    stop = None if until is None else _condition(model, until, path)
    guide = None if control is None else model._output_path(control)
    if isinstance(start, Critical):
        value, y = start.value, start.y
        balance.memory = start.data
        balance.press(y, value)
    else:
        if not isinstance(start, str) or start != "static":
            g.refuse(f"{path}/start", f"is {g.short(start)}", 'write start="static", or one of path.critical')
        value, y = first, balance.start(first)
    P = balance.moves(y, value)
    balance.near = P
    d = 1e-3 * scale
    size = float(np.linalg.norm(balance.pushed(y, value + d) - balance.pushed(y, value - d))) / 2e-3  # also where joints carry it, as in a straight column
    present = float(np.abs(balance.stiffness(y, value, P)).max(initial=0.0)) * balance.reach
    if size <= NO_LOAD * max(present, 1e-300):
        g.refuse(f"{path}/parameter", f"is {parameter!r}, which moves nothing: no force depends on it at the start", "use it in a load or a prescribed position that the model can follow")
    balance.size = size
    curve = balance.curve(scale)
    kept: list[tuple[float, tuple[Array, Array, Array]]] = []
    row = None
    if isinstance(start, Critical):
        if not switch:
            g.refuse(f"{path}/switch", "is 0: the path would go on as it was", "give switch=0.02, or -0.02 for the other side")
        aside = P.T @ (start.mode)
        aside = aside / (float(np.linalg.norm(aside)) or 1.0) * np.sign(switch)
        row = np.append(aside, 0.0)
        y = balance.moved(y, abs(switch) * aside, value)
    unstable: list[int] = []

    def quantity(point_y: Array, value: float, what: str, component: str = "") -> float:
        system = balance.system(value)
        arrays = {"t": np.zeros(1), "y": point_y[None], "a": np.zeros((1, balance.nv)), "lam": balance.multipliers(point_y, value)[None], "data": balance._data(value)[None]}
        found = np.ravel(np.asarray(evaluate(system, what, arrays)[0]))
        if len(found) != 1:
            g.refuse(f"{path}/control", f"is {what}, {len(found)} numbers", "name one, such as body.position.z")
        return float(found[0])

    def keep(point: Point) -> bool:
        if balance.wrong(point.state, point.value)[0] > ROUNDS:
            return False
        balance.near = balance.moves(point.state, point.value)
        kept.append((point.value, (point.state, balance.multipliers(point.state, point.value), balance._data(point.value))))
        unstable.append(balance.negative(point.jacobian)[0])
        return stop is None or not stop(quantity(point.state, point.value, stop.path))

    if guide is not None and len(balance.gaps):
        g.refuse(f"{path}/control", "is asked of a model with gaps", "leave control out: arc length takes them")
    critical: list[Critical] = []
    while True:
        try:
            if guide is None:
                found = follow(curve, y, value, end, length, 1e-6 * length, points - len(kept), keep, row)
            else:
                found = _controlled(curve, balance, y, value, end, length, points, keep, lambda y, v: quantity(y, v, guide))
            complete = (found[-1].value == end or stop is not None) and len(kept) < points
        except LostError as lost:
            found, complete = lost.args[0], False
            if not found:
                g.refuse(path, f"finds no equilibrium at {parameter} = {value:g}", "begin where m.static() finds one")
        wrong = balance.wrong(found[-1].state, found[-1].value)[0] > ROUNDS
        critical += _critical(balance, curve, found[:-1] if wrong else found)
        if not wrong or len(found) < 2:
            break
        y, value, row = _turned(balance, curve, found[-2], found[-1])
        critical.append(Critical("contact", value, y, balance._data(value), np.zeros(balance.nv)))
    return EquilibriumPath(parameter, np.array([value for value, _ in kept]), np.array(unstable, dtype=np.intp), critical, complete, balance.system, [state for _, state in kept])


def _turned(balance: _Balance, curve: Curve, a: Point, b: Point) -> tuple[Array, float, Array]:
    """Where between two points a gap closes or opens, with that gap held or not from there on: (state, parameter, direction along the curve)."""
    balance.near = balance.moves(a.state, a.value)
    low, high = 0.0, b.length - a.length
    y, value, row = b.state, b.value, balance.wrong(b.state, b.value)[1]
    for _ in range(SOUGHT):
        ds = (low + high) / 2
        point = corrected(curve, curve.moved(a.state, ds * a.tangent[:-1]), a.value + curve.scale * ds * float(a.tangent[-1]), a.tangent)
        if point is None:
            break
        much, which = balance.wrong(point[0], point[1])
        if much > 0.0:
            high, y, value, row = ds, point[0], point[1], which
        else:
            low = ds
        if high - low < 1e-12 * (b.length - a.length):
            break
    closes = row not in balance.closed
    balance.hold(np.append(balance.closed, row) if closes else balance.closed[balance.closed != row])
    balance.near = None
    balance.near = balance.moves(y, value)
    y = balance.moved(y, np.zeros(balance.near.shape[1]), value)
    direction = tangent(curve.jacobian(y, value), None, 1.0)

    def measure(step: float) -> float:
        """The push of the gap that has closed, or its opening."""
        to, at = balance.moved(y, step * direction[:-1], value), value + step * curve.scale * float(direction[-1])
        return float(balance.multipliers(to, at)[row]) if closes else float(balance.opened(to, at)[list(balance.gaps).index(row)])

    return y, value, direction if measure(1e-4) >= measure(-1e-4) else -direction


class _Stop:
    def __init__(self, path: str, sign: str, bound: float):
        self.path, self.sign, self.bound = path, sign, bound
        self.side: float | None = None

    def __call__(self, x: float) -> bool:
        if self.sign == "<":
            return x < self.bound
        if self.sign == ">":
            return x > self.bound
        before, self.side = self.side, float(np.sign(x - self.bound))
        return before is not None and before * self.side <= 0


def _condition(model: Model, until: Any, path: str) -> _Stop:
    quantity = getattr(until, "quantity", None)
    if quantity is None:
        g.refuse(f"{path}/until", f"is {g.short(until)}, expected a condition", "write until=top.position.z < -0.5")
    return _Stop(model._output_path(quantity), until.sign, until.bound)


def _controlled(
    curve: Curve, balance: _Balance, y: Array, value: float, end: float, step: float, points: int, keep: Callable[[Point], bool], quantity: Callable[[Array, float], float]
) -> list[Point]:
    """Steps of a displacement that is prescribed; the parameter follows. The quantity moves the way in which the parameter first goes to its end."""

    def row(y: Array, value: float) -> Array:
        """How the quantity changes with the moves."""
        n = balance.moves(y, value).shape[1]
        d = 1e-5
        return np.append([(quantity(balance.moved(y, d * e, value), value) - quantity(balance.moved(y, -d * e, value), value)) / (2 * d) for e in np.eye(n)], 0.0)

    found = corrected(curve, y, value, np.eye(curve.jacobian(y, value).shape[1])[-1])
    if found is None:
        raise LostError([])
    y, value, J, _ = found
    towards = float(np.sign(end - value)) or 1.0
    out = [Point(y, value, tangent(J, None, towards), J)]
    if not keep(out[0]):
        return out
    r = row(y, value)
    sense = float(np.sign(r @ out[0].tangent))
    if sense == 0.0 or np.linalg.norm(r) < 1e-9:
        g.refuse("follow_equilibria/control", "does not move at the start", "name a displacement that the load changes")
    ds = step
    while len(out) < points:
        last = out[-1]
        r = row(last.state, last.value)
        size = float(np.linalg.norm(r))
        rate = float(r @ last.tangent)
        ahead = last.tangent * (sense * ds * size / rate) if abs(rate) > 1e-3 * size else last.tangent * ds
        ahead = ahead * min(1.0, 10 * ds / float(np.linalg.norm(ahead)))
        gone = float(r @ ahead)
        found = corrected(curve, curve.moved(last.state, ahead[:-1]), last.value + curve.scale * float(ahead[-1]), r / size, (sense * ds * size - gone) / size)
        if found is None:
            ds *= 0.5
            if ds < 1e-6 * step:
                raise LostError(out)
            continue
        y, value, J, count = found
        direction = tangent(J, None, 1.0)
        if sense * float(row(y, value) @ direction) < 0:
            direction = -direction
        out.append(Point(y, value, direction, J, last.length + ds))
        if not keep(out[-1]) or (end - value) * towards < 0:
            return out
        ds = min(step, 1.5 * ds) if count <= 4 else ds
    return out


def _critical(balance: _Balance, curve: Curve, found: Sequence[Point]) -> list[Critical]:
    """Limit and branching points between points of a path, by halving."""
    out = []
    for a, b in zip(found[:-1], found[1:], strict=True):
        turned = a.tangent[-1] * b.tangent[-1] < 0
        lost = balance.negative(a.jacobian)[0] != balance.negative(b.jacobian)[0]
        if not (turned or lost):
            continue
        few = balance.negative(a.jacobian)[0]
        measure = (lambda p: float(p.tangent[-1])) if turned else (lambda p, few=few: 1.0 if balance.negative(p.jacobian)[0] == few else -1.0)
        low, high, here = 0.0, b.length - a.length, a
        balance.near = balance.moves(a.state, a.value)
        sign = np.sign(measure(a))
        for _ in range(SOUGHT):
            ds = (low + high) / 2
            point = corrected(curve, curve.moved(a.state, ds * a.tangent[:-1]), a.value + curve.scale * ds * float(a.tangent[-1]), a.tangent)
            if point is None:
                break
            here = Point(point[0], point[1], tangent(point[2], a.tangent, 1.0), point[2])
            low, high = (ds, high) if np.sign(measure(here)) == sign else (low, ds)
            if high - low < 1e-9 * (b.length - a.length):
                break
        P = balance.moves(here.state, here.value)
        mode = P @ balance.negative(here.jacobian)[2]
        out.append(Critical("limit" if turned else "branching", here.value, here.state, balance._data(here.value), mode))
    return out


@dataclass(frozen=True)
class Buckling:
    """Values of the parameter at which the equilibrium, followed in a straight line, loses its stiffness: `values` (n), the nearest first; modes (n, nv) scaled tangents."""

    parameter: str
    values: Array
    modes: Array = field(repr=False)


def buckling(model: Model, parameter: str, at: float, step: float | None, count: int) -> Buckling:
    """See Model.buckling."""
    path = "buckling"
    value = g.number(at, f"{path}/at")
    balance = _Balance(model, parameter, path)
    change = g.number(step, f"{path}/step", above=0.0) if step is not None else 1e-3 * (abs(value) or 1.0)
    y0 = balance.start(value)
    pressing = set(balance.closed)
    P0 = balance.moves(y0, value)
    if not P0.shape[1]:
        g.refuse(path, "joints and gaps that press leave nothing to move", "take out one of them")
    K0 = balance.stiffness(y0, value, P0)
    balance.near = P0
    y1 = balance.start(value + change)
    if set(balance.closed) != pressing:
        g.refuse(f"{path}/at", f"is {value:g}, where a gap is about to press or to open: other gaps carry at {value + change:g}", "begin where gaps press or are open, by a preload or another `at`")
    K1 = balance.stiffness(y1, value + change, balance.moves(y1, value + change))
    K0, dK = (K0 + K0.T) / 2, ((K1 + K1.T) - (K0 + K0.T)) / (2 * change)
    least = float(np.linalg.eigvalsh(K0)[0])
    if least <= 0:
        g.refuse(f"{path}/at", f"is {value:g}, where the equilibrium is unstable already", "take less preload")
    L = np.linalg.cholesky(K0)
    inverse = np.linalg.inv(L)
    values, vectors = np.linalg.eigh(-inverse @ dK @ inverse.T)
    keep = [k for k in np.argsort(-values) if values[k] > 1e-9 * max(float(np.abs(values).max(initial=0.0)), 1e-300)][:count]
    if not keep or float(np.abs(dK).max(initial=0.0)) * max(1.0, abs(value)) <= NO_LOAD * float(np.abs(K0).max()):
        g.refuse(f"{path}/parameter", f"is {parameter!r}, which softens nothing when it grows", "give a load that presses, or the other sign")
    return Buckling(parameter, value + 1.0 / values[keep], np.array([P0 @ (inverse.T @ vectors[:, k]) for k in keep]))


