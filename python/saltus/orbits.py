"""Periodic orbits by shooting, their Floquet multipliers, also through impacts, and branches of them over a parameter."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from saltus import _core, running
from saltus import geometry as g
from saltus.continuation import Curve, LostError, Point, follow, kernel
from saltus.errors import Fault, ModelError, ModelWarning
from saltus.mechanism import Mechanism
from saltus.quantity import Quantity
from saltus.result import Result, RunError, evaluate, state_of
from saltus.starts import Start

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from saltus.model import Model

    Array = NDArray[np.float64]

APART = 1e-4  # of a differenced move, in lengths of the model, radians, or sizes of the orbit
ACCURATE = 1e-10  # tolerance of the runs, where none is given
ITERATIONS = 20
FIXED = ("moreau_jean",)  # of steps that are all alike, so that runs can be differenced
STEPS = 1000  # of a run by one of them, where none is given
MARGIN = 1e-4  # a multiplier this close to the unit circle is on it


class OrbitError(ModelError):
    """No periodic orbit was found; `residual` is what the best motion misses after its period."""

    def __init__(self, message: str, remedy: str, residual: float):
        super().__init__(Fault("periodic_orbit", message, remedy))
        self.residual = residual


@dataclass(frozen=True)
class Orbit:
    """A motion that repeats itself.

    period [s]. multipliers (n): eigenvalues of the monodromy, the largest first: a small deviation is multiplied by them each period, impacts included;
    the orbit is stable where all are inside the unit circle, but for one 1 of an orbit whose phase is free. What sampled controllers keep (outputs, memory, samples that wait) are
    states too, just after the sample at time 0; what each sample sets anew has the multiplier 0. residual: what is missing after a period,
    in lengths of the model. result: one period as a run. parameter: the value on a branch.
    """

    period: float
    multipliers: NDArray[np.complex128]
    monodromy: Array = field(repr=False)
    residual: float
    result: Result = field(repr=False)
    free: bool = False
    parameter: float | None = None

    @property
    def stable(self) -> bool:
        """Whether small deviations die out."""
        sizes = np.abs(self.multipliers)
        if self.free:
            sizes = np.delete(sizes, int(np.argmin(np.abs(self.multipliers - 1.0))))
        return bool((sizes < 1.0).all())

    def __getitem__(self, quantity: Quantity | str) -> Any:
        """A quantity over one period."""
        return self.result[quantity]


@dataclass(frozen=True)
class Branch:
    """Orbits over a parameter, in the order of the curve; `bifurcations` are (kind, value of the parameter) between them.

    kind: "fold" (a multiplier passes 1, where the branch turns), "branching" (it passes 1 and the branch goes on), "period doubling" (it passes -1), "torus" (a pair leaves the unit circle).
    complete: whether the end was reached.
    """

    parameter: str
    orbits: list[Orbit] = field(repr=False)
    bifurcations: list[tuple[str, float]]
    complete: bool

    @property
    def values(self) -> Array:
        """Of the parameter (n)."""
        return np.array([orbit.parameter for orbit in self.orbits])

    @property
    def stable(self) -> NDArray[np.bool_]:
        """(n)"""
        return np.array([orbit.stable for orbit in self.orbits])

    def largest(self, quantity: Quantity | str) -> Array:
        """Largest size of a number over each orbit (n)."""
        return np.array([np.abs(np.asarray(orbit[quantity])).max() for orbit in self.orbits])

    def __len__(self) -> int:
        return len(self.orbits)


class Controls:
    """What sampled controllers keep from one sample to the next, as states of an orbit: numbers of the data, each with its size."""

    def __init__(self, model: Model, system: Any, path: str):
        engine = {name: float(fields["period"]) for name, fields in model._engine.controllers.items()}
        self.periods = {**engine, **{c.name: float(c.period) for c in model._controllers}}
        self.path = path
        set_by = {output for c in model._engine.controllers.values() for output in c["outputs"]} | {output for c in model._controllers for output in c.outputs}
        kept: list[int] = []
        for item, part, array, begin, names, _ in system.layout():
            if part != "data" or array != "data":
                continue
            kept += [begin + k for k, name in enumerate(names) if item in self.periods or (not item and name in set_by)]
        self.kept = np.array(kept, dtype=np.intp)
        self.size = np.ones(len(kept))

    def check(self, period: float, free: bool) -> None:
        """ModelError where a period has no whole number of samples."""
        for name, sampling in self.periods.items():
            if free:
                g.refuse(f"{self.path}/free", f"is asked of a model with the sampled controller {name!r}: its clock sets the phase", "give the period, a multiple of the sampling period")
            count = period / sampling
            if round(count) < 1 or abs(count - round(count)) > 1e-9 * max(1.0, count):
                near = max(1, round(count)) * sampling
                g.refuse(f"{self.path}/period", f"is {period:g} s, no multiple of {sampling:g} s, at which {name!r} samples: the motion does not repeat itself", f"such as {near:.12g} s")


class Flow:
    """The model from one time to another, and small moves that its joints allow.

    A state is y, and behind it what sampled controllers keep (`controls`), just after the sample at the beginning.
    """

    def __init__(self, model: Model, options: dict[str, Any], path: str, near: tuple[Array, Array] | None = None, sampled: bool = False):
        self.model, self.path, self.near = model, path, near  # near: moves at a place of the curve, whose directions are taken on
        self.mechanism = Mechanism(model, {}, 0.0, path)
        self.system = self.mechanism.base
        sizes = self.system.sizes()
        self.nq, self.nv, self.nx, self.ny = sizes["nq"], sizes["nv"], sizes["nx"], sizes["ny"]
        self.controls = Controls(model, self.system, path)
        if self.controls.periods and not sampled:
            g.refuse(path, "is asked of a model with sampled controllers, whose memory is no part of the motion", "write the control as forces: user_force, torque=")
        if not self.nv + self.nx:
            g.refuse(path, "is asked of a model without motion")
        self.options = running.Options(**{"scheme": self._scheme(options), **options})
        if self.options.step is None and self.options.tolerance is None:
            if self.options.scheme in FIXED:
                self.options.step = None  # of the run
            else:
                self.options.tolerance = ACCURATE
        self.runs = 0

    def _scheme(self, options: dict[str, Any]) -> str:
        """What follows the motion best: dormand_prince, where there are one-sided laws event_driven, and moreau_jean where that refuses one of them."""
        if "scheme" in options:
            return str(options["scheme"])
        jumps = any(level != "value" and not held or not held for _, _, _, level, held, _ in _core.row_entries(self.system)) or bool(self.system.contact_names()[2])
        if not jumps:
            return "dormand_prince"
        try:
            _core.Run(self.system, scheme="event_driven")
        except ModelError:
            return FIXED[0]
        return "event_driven"

    @property
    def clocked(self) -> bool:
        """Whether controllers sample."""
        return len(self.controls.kept) > 0

    def split(self, y: Array) -> tuple[Array, Array]:
        """(y of the engine, what controllers keep)."""
        return y[: self.ny], y[self.ny :]

    def joined(self, y: Array, data: Array) -> Array:
        return np.concatenate([y[: self.ny], data[self.controls.kept]])

    def run(self, y: Array, t: float, until: float, sampled: bool = True) -> running.Recorded:
        """One run; RunError where it fails. sampled: the controllers have sampled at t."""
        options = running.Options(**{**self.options.__dict__, "until": until})
        if options.scheme in FIXED and options.step is None and options.tolerance is None:
            options.step = (until - t) / STEPS
        y, kept = self.split(y)
        data = np.array(self.mechanism.data)
        data[self.controls.kept] = kept
        start = Start(t, np.append(y[: self.nq + self.nv + self.nx], np.zeros(len(y) - self.nq - self.nv - self.nx)), data, self.system, "", {}, sampled=sampled and self.clocked)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ModelWarning)
            recorded = running.run(self.model._engine, options, start=start)
        self.runs += 1
        if recorded.report.get("status") == "failed":
            raise RunError(Result(recorded, self.model))
        return recorded

    def after(self, y: Array, t: float, until: float) -> Array:
        arrays = self.run(y, t, until).arrays
        return self.joined(np.array(arrays["y"][-1]), np.array(arrays["data"][-1]))

    def sampled(self, y: Array, until: float) -> Array:
        """y at time 0 with what the controllers keep after their first sample; their sizes are those of the run to `until`."""
        if not self.clocked:
            return y
        data = np.array(self.run(np.append(y, self.mechanism.data[self.controls.kept]), 0.0, until, sampled=False).arrays["data"])
        largest = np.abs(data[:, self.controls.kept]).max(axis=0)
        self.controls.size = np.where(largest > 0.0, largest, 1.0)
        return np.append(y, data[0][self.controls.kept])

    # Moves: of positions that the joints leave, of velocities that they leave, of first-order states, of what controllers keep.

    def bases(self, y: Array) -> tuple[Array, Array]:
        """Orthonormal scaled moves of positions and of velocities, columns."""
        m = self.mechanism
        m.y, m.data[self.controls.kept] = self.split(y)
        J = m.at(m.y)["jacobian"] * m.scale
        P, V = self.near or (None, None)
        return kernel(J[m.positions], self.nv, P), kernel(J[m.all], self.nv, V)

    def count(self, bases: tuple[Array, Array]) -> int:
        """Of moves."""
        return bases[0].shape[1] + bases[1].shape[1] + self.nx + len(self.controls.kept)

    def moved(self, y: Array, move: Array, bases: tuple[Array, Array]) -> Array:
        m, (P, V) = self.mechanism, bases
        y, kept = self.split(y)
        kept = kept + self.controls.size * move[len(move) - len(kept) :]
        m.data[self.controls.kept] = kept
        f = P.shape[1]
        m.y = m.moved(y, P @ move[:f]) if f else y.copy()
        if len(m.positions):
            m._least_squares()
        m.y = np.array(m.y)
        m.y[self.nq : self.nq + self.nv] = y[self.nq : self.nq + self.nv] + m.scale * (V @ move[f : f + V.shape[1]])
        if len(m.all):
            m.velocities()
        m.y[self.nq + self.nv : self.nq + self.nv + self.nx] += move[f + V.shape[1] : f + V.shape[1] + self.nx]
        return np.append(m.y, kept)

    def apart(self, a: Array, b: Array, bases: tuple[Array, Array]) -> Array:
        """The move from a to b."""
        P, V = bases
        scale = self.mechanism.scale
        (a, kept_a), (b, kept_b) = self.split(a), self.split(b)
        u = np.zeros(self.nv)
        for _ in range(8):
            here = self.mechanism.moved(a, u)[: self.nq]
            left = b[: self.nq] - here
            if np.abs(left).max(initial=0.0) < 1e-14 * (1 + np.abs(here).max(initial=0.0)):
                break
            d = 1e-6 * self.mechanism.length
            J = np.column_stack([(self.mechanism.moved(a, u + d * e)[: self.nq] - self.mechanism.moved(a, u - d * e)[: self.nq]) / (2 * d) for e in np.eye(self.nv)])
            u = u + np.linalg.lstsq(J, left, rcond=1e-10)[0]
        v = (b - a)[self.nq : self.nq + self.nv] / scale
        return np.concatenate([P.T @ u, V.T @ v, (b - a)[self.nq + self.nv : self.nq + self.nv + self.nx], (kept_b - kept_a) / self.controls.size])


class _Shooting:
    """What a state misses after a period, and how that changes with the state."""

    def __init__(self, flow: Flow, free: bool, fixed: Sequence[Any]):
        self.flow, self.free, self.fixed = flow, free, list(fixed)

    def numbers(self, y: Array) -> Array:
        """The fixed quantities at a state."""
        m = self.flow.mechanism
        y, m.data[self.flow.controls.kept] = self.flow.split(y)
        row = lambda x, n: np.zeros((1, n)) if x is None else np.reshape(x, (1, -1))  # noqa: E731
        sizes = self.flow.system.sizes()
        arrays = {"t": np.zeros(1), "y": row(y, 0), "a": row(None, self.flow.nv), "lam": row(None, sizes["rows"]), "data": row(m.data, 0)}
        return np.array([float(np.ravel(evaluate(self.flow.system, q, arrays)[0])[0]) for q in self.fixed])

    def missing(self, y: Array, T: float, bases: tuple[Array, Array]) -> Array:
        return self.flow.apart(y, self.flow.after(y, 0.0, T), bases)

    def monodromy(self, y: Array, T: float, bases: tuple[Array, Array], reach: float) -> Array:
        """d(end)/d(start) by central differences of the flow: impacts and their saltations are part of it."""
        n = self.flow.count(bases)
        ends = []
        for e in np.eye(n):
            a, b = (self.flow.after(self.flow.moved(y, s * reach * e, bases), 0.0, T) for s in (1.0, -1.0))
            ends.append((self.flow.apart(y, a, bases) - self.flow.apart(y, b, bases)) / (2 * reach))
        return np.column_stack(ends)

    def direction(self, y: Array, T: float, bases: tuple[Array, Array]) -> Array:
        """Where a state goes, of length 1: along it nothing is looked for where the phase is free."""
        rate = self.flow.apart(y, self.flow.after(y, 0.0, 1e-4 * T), bases)
        return rate / (float(np.linalg.norm(rate)) or 1.0)

    def solve(self, y: Array, T: float, tolerance: float) -> tuple[Array, float, Array, float]:
        """(state, period, monodromy, what is missing) by Newton's method, with steps halved where they make it worse."""
        wanted = self.numbers(y)
        bases = self.flow.bases(y)
        r = self.missing(y, T, bases)
        reach = APART * self.reach(y)
        along, gone = self.direction(y, T, bases) if self.free else r, 0.0
        for _ in range(ITERATIONS):
            Phi = self.monodromy(y, T, bases, reach)
            if np.abs(r).max() <= tolerance * self.reach(y) and np.abs(self.numbers(y) - wanted).max(initial=0.0) <= tolerance * (1 + np.abs(wanted).max(initial=0.0)):
                return y, T, Phi, float(np.abs(r).max())
            J, rest = Phi - np.eye(len(r)), -r
            if self.free:
                dT = 1e-4 * T
                rate = (self.missing(y, T + dT, bases) - self.missing(y, T - dT, bases)) / (2 * dT)
                J = np.block([[J, rate[:, None]], [along[None, :], np.zeros((1, 1))]])
                rest = np.append(rest, -gone)
            if self.fixed:
                slope = np.array([(self.numbers(self.flow.moved(y, reach * e, bases)) - self.numbers(self.flow.moved(y, -reach * e, bases))) / (2 * reach) for e in np.eye(len(r))]).T
                J = np.vstack([J, np.column_stack([slope, np.zeros(len(slope))]) if self.free else slope])
                rest = np.append(rest, wanted - self.numbers(y))
            step = np.linalg.lstsq(J, rest, rcond=1e-9)[0]
            share = min(1.0, 0.5 * self.reach(y) * 4 / max(np.abs(step[: len(r)]).max(), 1e-300), *((0.2 * T / abs(step[-1]),) if self.free and step[-1] else ()))
            better, new, to = False, y, T
            for _ in range(8):
                new, to = self.flow.moved(y, share * step[: len(r)], bases), T + (share * float(step[-1]) if self.free else 0.0)
                try:
                    left = self.missing(new, to, bases)
                except RunError:
                    left = np.full(len(r), np.inf)
                if np.abs(left).max() < np.abs(r).max() or np.abs(left).max() <= tolerance * self.reach(y):
                    better = True
                    break
                share *= 0.5
            if not better:
                break
            y, T, bases, gone = new, to, self.flow.bases(new), gone + share * float(along @ step[: len(r)])
            r = self.missing(y, T, bases)
        raise OrbitError(
            f"found no orbit: the motion that comes nearest misses {np.abs(r).max():.3g} of a length after {T:g} s",
            "start nearer to one, such as start=m.simulate(...) run until it has settled, or give another period",
            float(np.abs(r).max()),
        )

    def reach(self, y: Array) -> float:
        return reach_of(self.flow, y)


def reach_of(flow: Flow, y: Array) -> float:
    """The size of moves: the model's length, of one without frames that of its coordinates."""
    m = flow.mechanism
    if m.length != 1.0:
        return m.length
    return max(1e-3, min(1.0, float(np.abs(y[: flow.nq + flow.nv]).max(initial=0.0)) or 1.0))


def begin(model: Model, flow: Flow, start: Any, path: str) -> Array:
    """The state from which an orbit is looked for."""
    m = flow.mechanism
    if isinstance(start, str) and start == "start":
        if not m.close():
            g.refuse(f"{path}/start", "has joints that cannot be closed", "look at m.assemble()")
        m.velocities()
        return np.array(m.y)
    if isinstance(start, Orbit):
        start = (start.result, float(start.result.time[0]))
    if not isinstance(start[0] if isinstance(start, tuple) and start else start, Result):
        g.refuse(f"{path}/start", f"is {g.short(start)}", 'write start="start", a result, (result, time) or an orbit')
    recorded, arrays = state_of(start, f"{path}/start")
    if recorded.system.sizes() != flow.system.sizes():
        g.refuse(f"{path}/start", "is a result of another model", "take one of this model")
    return np.array(arrays["y"])


def _finished(model: Model, shooting: _Shooting, y: Array, T: float, Phi: Array, missing: float, value: float | None) -> Orbit:
    multipliers = np.linalg.eigvals(Phi)
    multipliers = multipliers[np.lexsort((-multipliers.imag, -np.abs(multipliers)))]
    result = Result(shooting.flow.run(y, 0.0, T), model)
    return Orbit(T, multipliers.astype(complex), Phi, missing, result, shooting.free, value)


def chosen_options(options: dict[str, Any], path: str) -> dict[str, Any]:
    known = ("scheme", "step", "tolerance")
    for word in options:
        if word not in known:
            g.refuse(f"{path}/{word}", "is not known", g.near(word, known) or f"it takes {', '.join(known)}")
    return {word: value for word, value in options.items() if value is not None}


def periodic_orbit(model: Model, period: float, start: Any, free: bool, fixed: Sequence[Any], accuracy: float, options: dict[str, Any]) -> Orbit:
    """See Model.periodic_orbit."""
    path = "periodic_orbit"
    T = g.number(period, f"{path}/period", "s", above=0.0)
    g.number(accuracy, f"{path}/accuracy", above=0.0)
    fixed = [model._output_path(quantity) for quantity in fixed]
    flow = Flow(model, chosen_options(options, path), path, sampled=True)
    flow.controls.check(T, free)
    shooting = _Shooting(flow, free, fixed)
    return _finished(model, shooting, *shooting.solve(flow.sampled(begin(model, flow, start, path), T), T, accuracy), None)


def _range_of(model: Model, parameter: str, values: tuple[float, float], path: str) -> tuple[float, float]:
    """First and last value of a parameter that is there; ModelError else."""
    if parameter not in model.parameters:
        g.refuse(f"{path}/parameter", f"is {parameter!r}, which the model has not", g.near(str(parameter), list(model.parameters)) or 'write m.parameters["w"] = 1, and "w" where it acts')
    try:
        first, end = (g.number(x, f"{path}/values") for x in values)
    except (TypeError, ValueError):
        g.refuse(f"{path}/values", f"is {g.short(values)}, expected (first, last)", "write (0.5, 1.5)")
    if first == end:
        g.refuse(f"{path}/values", "begins where it ends", "give two different values")
    return first, end


def _guarded(action: Callable[[tuple[Array, float], float], Array], shape: tuple[int, ...]) -> Callable[[tuple[Array, float], float], Array]:
    """The action, or where a run fails no numbers."""

    def call(state: tuple[Array, float], value: float) -> Array:
        try:
            return action(state, value)
        except RunError:
            return np.full(shape, np.nan)

    return call


def orbits_over(model: Model, parameter: str, values: tuple[float, float], period: float | Callable[[float], float], start: Any, free: bool, step: float, points: int, accuracy: float, options: dict[str, Any]) -> Branch:
    """See Model.follow_orbits."""
    path = "follow_orbits"
    first, end = _range_of(model, parameter, values, path)
    g.number(step, f"{path}/step", above=0.0)
    given = chosen_options(options, path)
    before = dict(model.parameters)

    near: list[tuple[Array, Array] | None] = [None]

    def at(value: float) -> tuple[Flow, _Shooting]:
        entry = before[parameter]
        model.parameters = {**before, parameter: {**entry, "value": float(value)} if isinstance(entry, dict) else float(value)}
        flow = Flow(model, given, path, near[0], sampled=True)
        flow.controls.size = size[0] if len(size) else flow.controls.size
        flow.controls.check(float(of(value)), free)
        return flow, _Shooting(flow, free, ())

    size: list[Array] = []  # of what controllers keep
    of = period if callable(period) else lambda value: float(period)
    scale = abs(end - first)
    orbits: list[Orbit] = []
    try:
        flow, shooting = at(first)
        T = g.number(of(first), f"{path}/period", "s", above=0.0)
        y = flow.sampled(begin(model, flow, start, path), T)
        size.append(flow.controls.size)
        y, T, Phi, missing = shooting.solve(y, T, accuracy)
        orbits.append(_finished(model, shooting, y, T, Phi, missing, first))
        reach = shooting.reach(y)
        n = len(Phi)
        near[0] = flow.bases(y)

        def residual(state: tuple[Array, float], value: float) -> Array:
            flow, shooting = at(value)
            return shooting.missing(state[0], state[1] if free else of(value), flow.bases(state[0])) / reach

        def jacobian(state: tuple[Array, float], value: float) -> Array:
            flow, shooting = at(value)
            y, T = state[0], state[1] if free else of(value)
            bases = flow.bases(y)
            J = shooting.monodromy(y, T, bases, APART * reach) - np.eye(n)
            if free:
                dT = 1e-4 * T
                rate = (shooting.missing(y, T + dT, bases) - shooting.missing(y, T - dT, bases)) / (2 * dT) * T / reach
                J = np.column_stack([J, rate])
            d = 1e-4 * scale
            by = (residual(state, value + d) - residual(state, value - d)) / (2e-4)
            J = np.column_stack([J, by])
            return np.vstack([J, np.concatenate([shooting.direction(y, T, bases), [0.0, 0.0]])]) if free else J

        def whole(state: tuple[Array, float], value: float) -> Array:
            r = residual(state, value)
            return np.append(r, 0.0) if free else r

        def moved(state: tuple[Array, float], move: Array) -> tuple[Array, float]:
            y, T = state
            flow.near = near[0]
            return flow.moved(y, reach * move[:n], flow.bases(y)), T * (1 + float(move[n])) if free else T

        def keep(point: Point) -> bool:
            if len(orbits) == 1 and point.length == 0.0:
                return True
            flow, shooting = at(point.value)
            near[0] = flow.bases(point.state[0])
            y, T = point.state[0], point.state[1] if free else of(point.value)
            Phi = point.jacobian[:n, :n] + np.eye(n)
            orbits.append(_finished(model, shooting, y, T, Phi, float(np.abs(residual(point.state, point.value)).max()) * reach, point.value))
            return True

        curve = Curve(_guarded(whole, (n + free,)), _guarded(jacobian, (n + free, n + free + 1)), moved, scale, accuracy)
        try:
            found = follow(curve, (y, T), first, end, step, 1e-4 * step, points, keep)
            complete = len(found) > 1 and found[-1].value == end
        except LostError as lost:
            found, complete = lost.args[0], False
    finally:
        model.parameters = before
    return Branch(parameter, orbits, _bifurcations(orbits, [float(p.tangent[-1]) for p in found]), complete)


def _bifurcations(orbits: list[Orbit], slopes: list[float]) -> list[tuple[str, float]]:
    """Where a multiplier passes the unit circle between two orbits, by the sign of det(Phi - 1), of det(Phi + 1), and by pairs."""
    out: list[tuple[str, float]] = []
    at = [float(orbit.parameter or 0.0) for orbit in orbits]
    for k, (a, b) in enumerate(zip(orbits[:-1], orbits[1:], strict=True)):
        value = lambda f, a=a, b=b, k=k: at[k] + (at[k + 1] - at[k]) * f(a) / (f(a) - f(b))  # noqa: E731
        doubling = lambda orbit: float(np.prod(orbit.multipliers + 1.0).real)  # noqa: E731
        if doubling(a) * doubling(b) < 0:
            out.append(("period doubling", float(value(doubling))))
        if k + 1 < len(slopes) and slopes[k] * slopes[k + 1] < 0:
            out.append(("fold", at[k] if abs(slopes[k]) < abs(slopes[k + 1]) else at[k + 1]))
        elif not a.free:
            unity = lambda orbit: float(np.prod(orbit.multipliers - 1.0).real)  # noqa: E731
            if unity(a) * unity(b) < 0:
                out.append(("branching", float(value(unity))))
        pairs = [max((abs(x) for x in orbit.multipliers if abs(x.imag) > MARGIN), default=0.0) - 1.0 for orbit in (a, b)]
        if pairs[0] * pairs[1] < 0 and min(pairs) > -0.5:
            out.append(("torus", float(at[k] + (at[k + 1] - at[k]) * pairs[0] / (pairs[0] - pairs[1]))))
    return out
