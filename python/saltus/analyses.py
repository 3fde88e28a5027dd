"""Analyses of mechanisms without steps in time: freedoms by name, assembly from far off, forces of a given motion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from saltus import _core
from saltus import geometry as g
from saltus.errors import Fault, ModelError
from saltus.handles import Joint
from saltus.handles.joints import motions_left
from saltus.mechanism import CLOSED, RANK, Mechanism, quantity_of
from saltus.result import Result, Series
from saltus.row_names import row_name
from saltus.running import COLUMNS, Recorded

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from saltus.model import Model

    Array = NDArray[np.float64]

MOVES = 1e-6  # of the fastest: does not move
MOTIONS = {"angle": ("angle", "angular_rate"), "position": ("translation.z", "relative_velocity.z")}  # of a joint: what reads it, and its rate


@dataclass(frozen=True)
class Freedom:
    """One independent motion: the coordinate that has unit rate in it, where the other freedoms' have none; bodies that move; `velocity` (nv) of all."""

    name: str
    bodies: tuple[str, ...]
    velocity: Array = field(repr=False, compare=False)

    def __str__(self) -> str:
        return f"{self.name} moves {', '.join(self.bodies)}"


@dataclass(frozen=True)
class Freedoms:
    """Freedoms of a model in a position: `count`, `motions` by name, and the rows of joints that hold nothing more, `redundant`.

    unknowns: velocities of the model; rows: of joints and drives; passing: freedoms that only this position has, of first order.
    """

    count: int
    motions: tuple[Freedom, ...]
    redundant: tuple[str, ...]
    unknowns: int
    rows: int
    passing: int = 0

    def __int__(self) -> int:
        return self.count

    def __str__(self) -> str:
        lines = [f"{self.count} freedom{'' if self.count == 1 else 's'}: {self.unknowns} velocities, {self.rows} rows, {len(self.redundant)} of them redundant"]
        lines += [f"  {i + 1}: {motion}" for i, motion in enumerate(self.motions)]
        lines += [f"  {self.passing} of them in this position alone"] if self.passing else []
        lines += [f"  redundant: {text}" for text in self.redundant]
        return "\n".join(lines)


def freedoms(model: Model, at: Any) -> Freedoms:
    """What `Model.freedoms` gives."""
    mechanism = Mechanism(model, {}, 0.0, "freedoms")
    if at is not None:
        from saltus.result import state_of

        recorded, arrays = state_of(at, "freedoms/at")
        if recorded.system.sizes()["nq"] != mechanism.nq:
            g.refuse("freedoms/at", "is a result of another model", "take one of this model")
        mechanism.y = np.array(arrays["y"])
        mechanism.time = 0.0 if recorded.is_static else float(arrays["t"])
        mechanism.data = mechanism.base_data = np.array(arrays["data"])
    elif not mechanism.close():
        raise _not_closed(mechanism, None)
    basis = _free(mechanism)
    passing = _passing(mechanism, basis)
    return Freedoms(basis.shape[1], _named(model, mechanism, basis), _redundant(model, mechanism), mechanism.nv, len(mechanism.all), passing)


def _free(mechanism: Mechanism) -> Array:
    """Orthonormal scaled velocities that the rows allow."""
    J = mechanism.scaled()
    if not len(J):
        return np.eye(mechanism.nv)
    _, sigma, V = np.linalg.svd(J)
    rank = int(np.sum(sigma > RANK * sigma.max(initial=0.0)))
    return V[rank:].T


def _passing(mechanism: Mechanism, basis: Array) -> int:
    """How many of the freedoms a small motion along them loses."""
    if not basis.shape[1]:
        return 0
    y, memory = mechanism.y, (mechanism.data, mechanism.base_data)
    chance = np.random.default_rng(0)
    least = basis.shape[1]
    for _ in range(2):
        along = basis @ chance.normal(size=basis.shape[1])
        mechanism.y = mechanism.moved(y, along * (1e-3 * mechanism.length / np.abs(along).max()))
        if not len(mechanism.positions) or mechanism._least_squares():
            least = min(least, _free(mechanism).shape[1])
        mechanism.y, (mechanism.data, mechanism.base_data) = y, memory
    return basis.shape[1] - least


def _redundant(model: Model, mechanism: Mechanism) -> tuple[str, ...]:
    J = np.ascontiguousarray(mechanism.scaled())
    owner = [next((e.name, int(row) - e.rows.start) for e in mechanism.entries if e.rows.start <= row < e.rows.stop) for row in mechanism.all]
    out = []
    for row, others in _core.dependent_rows(J) if len(J) else ():
        name, number = owner[row]
        names = list(dict.fromkeys(owner[other][0] for other in others))
        out.append(f"row {row_name(model._engine.record(name), number)} of '{name}'" + (f" with {', '.join(repr(other) for other in names)}" if names else ", which nothing moves"))
    return tuple(out)


def _named(model: Model, mechanism: Mechanism, basis: Array) -> tuple[Freedom, ...]:
    """A basis of the freedoms in which each has one coordinate of its own: motions of joints where these tell them, else of bodies."""
    count = basis.shape[1]
    if not count:
        return ()
    names, rates = _coordinates(model, mechanism, basis)
    size = np.abs(rates).max(axis=1, initial=0.0)
    left, chosen = rates.copy(), []
    for _ in range(count):
        length = np.linalg.norm(left, axis=1)
        best = int(np.argmax(length * names.weight))
        if length[best] <= 1e-9 * size.max(initial=1.0):
            break
        chosen.append(best)
        along = left[best] / length[best]
        left = left - np.outer(left @ along, along)
    velocities = mechanism.scale[:, None] * basis @ np.linalg.inv(rates[chosen]) if len(chosen) == count else mechanism.scale[:, None] * basis
    labels = [names.labels[i] for i in chosen] + ["a motion"] * (count - len(chosen))
    parts = [(item, part) for item, kind, array, begin, words, _ in mechanism.base.layout() if kind == "v" for part in [slice(begin - mechanism.nq, begin - mechanism.nq + len(words))]]
    out = []
    for label, v in zip(labels, velocities.T, strict=True):
        speed = np.abs(v / mechanism.scale)
        moving = [item for item, part in parts if speed[part].max(initial=0.0) > MOVES * speed.max()]
        bodies = [owner for item in moving for owner in [_owner(model, item)]]
        out.append(Freedom(label, tuple(dict.fromkeys(bodies)), v))
    return tuple(out)


def _owner(model: Model, node: str) -> str:
    """The body of a node that stands in its record."""
    name = node.removesuffix(".node")
    return name if name in model._names else node


@dataclass
class _Names:
    labels: list[str]
    weight: Array


def _coordinates(model: Model, mechanism: Mechanism, basis: Array) -> tuple[_Names, Array]:
    """Names of coordinates and their rates in each direction of the basis."""
    states = []
    for column in basis.T:
        mechanism.set_velocities(mechanism.scale * column)
        states.append(mechanism.y)
    mechanism.set_velocities(np.zeros(mechanism.nv))
    states.append(mechanism.y)  # what drives do without them
    y, n = np.array(states), len(states)
    system = mechanism.base
    sizes = system.sizes()
    arrays = (np.full(n, mechanism.time), y, np.zeros((n, sizes["nv"])), np.zeros((n, sizes["rows"])), np.tile(mechanism.base_data, (n, 1)))
    labels: list[str] = []
    rows: list[Array] = []
    for section, kind, name in system.items():
        if section != "joints" or not (left := motions_left(kind)) or not isinstance(handle := model[name], Joint):
            continue
        for word, rate in map(MOTIONS.__getitem__, left):
            column = system.evaluate(f"{name}.{rate}", *arrays)[0][:, 0]
            labels.append(f"{handle.name}.{word}")
            rows.append((column[:-1] - column[-1]) * (mechanism.length if word == "angle" else 1.0))
    joints = len(rows)
    for item, kind, _, begin, words, _ in system.layout():
        if kind == "v":
            for i, word in enumerate(words):
                labels.append(f"{_owner(model, item)}.{word if not word.isdigit() else f'rate[{word}]'}")
                rows.append(basis[begin - mechanism.nq + i])
    weight = np.where(np.arange(len(rows)) < joints, 1.0, 1e-3)
    return _Names(labels, weight), np.array(rows)


# Assembly.


class AssemblyError(ModelError):
    """A closure that was not found. `best` is the position that is nearest to one; `residuals` tells by joint how far [m] it is apart."""

    def __init__(self, faults: Fault | list[Fault], best: Assembled | None = None):
        super().__init__(faults)
        self.best = best

    def __reduce__(self):
        return (AssemblyError, (self.faults, self.best))


class Assembled(Result):
    """A position in which all joints hold, with rates and accelerations: `assembled[quantity]` reads it, `simulate(start=assembled)` goes on from it.

    residuals: by joint what is left, in metres that would close it. v, a: velocities and accelerations (nv).
    """

    residuals: dict[str, float]

    @property
    def q(self) -> Array:
        """Positions (nq)."""
        return self._recorded.arrays["y"][0][: self._system.sizes()["nq"]].copy()

    @property
    def v(self) -> Array:
        """Velocities (nv)."""
        sizes = self._system.sizes()
        return self._recorded.arrays["y"][0][sizes["nq"] : sizes["nq"] + sizes["nv"]].copy()

    @property
    def a(self) -> Array:
        """Accelerations (nv)."""
        return self._recorded.arrays["a"][0].copy()

    def __reduce__(self):
        return (_assembled, (self._recorded, self._model, self.residuals))

    def __repr__(self) -> str:
        return f"<assembled position of {self._model!r}, closed to {max(self.residuals.values(), default=0.0):.1g} m>"


def _assembled(recorded: Recorded, model: Model | None, residuals: dict[str, float]) -> Assembled:
    out = Assembled(recorded, model)
    out.residuals = residuals
    return out


def assemble(model: Model, held: Mapping[Any, Any], time: float) -> Assembled:
    """What `Model.assemble` gives."""
    mechanism = Mechanism(model, held, g.number(time, "assemble/time", "s"), "assemble")
    if not mechanism.close():
        raise _not_closed(mechanism, model)
    left = mechanism.velocities()
    if left > 1e-7 * mechanism.length * max(1.0, float(np.abs(mechanism.v / mechanism.scale).max(initial=0.0)) / mechanism.length):
        raise ModelError(Fault("assemble/held", f"asks for rates that the joints do not allow: they are apart by {left:.3g} m/s", "let fewer coordinates follow a motion, or look for a singular position", *g.caller()))
    a, multipliers = mechanism.accelerations()
    return _assembled(_recorded(model, mechanism, [(mechanism.time, mechanism.y, a, mechanism.base_multipliers(multipliers), mechanism.base_data)], True), model, mechanism.residuals())


def _not_closed(mechanism: Mechanism, model: Model | None) -> ModelError:
    residuals = mechanism.residuals()
    worst = [f"'{name}' {size:.3g} m" for name, size in list(residuals.items())[:6] if size > CLOSED * mechanism.length]
    fault = Fault("assemble", f"no position was found in which the joints hold; in the nearest they are apart: {', '.join(worst)}", "change lengths or places, or hold other coordinates", *g.caller())
    if model is None:
        return AssemblyError(fault)
    zeros = np.zeros(mechanism.nv), np.zeros(mechanism.base.sizes()["rows"])
    return AssemblyError(fault, _assembled(_recorded(model, mechanism, [(mechanism.time, mechanism.y, *zeros, mechanism.base_data)], True), model, residuals))


def _recorded(model: Model, mechanism: Mechanism, states: list[tuple[float, Array, Array, Array, Array]], is_static: bool) -> Recorded:
    """The states as a run leaves them."""
    try:
        text = model._engine.text()
    except ModelError:  # functions of the program
        text = ""
    recorded = Recorded(mechanism.base, text, "assembly" if is_static else "inverse_dynamics", is_static, {})
    n, sizes = len(states), mechanism.base.sizes()
    columns = [np.array(column, dtype=float) for column in zip(*states, strict=True)]
    recorded.arrays = dict(zip(("t", "y", "a", "lam", "data"), columns, strict=True))
    more = {"h": np.zeros(n), "iterations": np.zeros(n), "residuals": np.zeros((n, 3)), "xdot": np.zeros((n, sizes["nx"])), "piece": np.ones(n)}
    recorded.arrays.update({name: more[name] for name in COLUMNS if name in more})
    recorded.report = {
        "status": "done", "t": float(columns[0][-1]), "steps": 0, "rejected": 0, "iterations": 0, "residual": {"equations": 0.0, "constraints": 0.0, "laws": 0.0}, "cause": "", "warnings": [],
        "energy_start": 0.0, "energy_end": 0.0,
    }  # fmt: skip
    return recorded


# Inverse dynamics.


@dataclass(frozen=True)
class InverseDynamics:
    """What a motion asks for.

    forces: by driven coordinate the force or torque (n) that drives it; residual (n, nv): what is left of M a - F - H^T multipliers and drives, by velocity, zero where the
    driven coordinates leave no freedom; `residual_of(body)` (n, ...) that of one body or node. result: the motion, with reactions.
    """

    forces: dict[str, Series]
    residual: Array
    result: Result
    _parts: dict[str, slice] = field(default_factory=dict, repr=False)

    def __getitem__(self, coordinate: Any) -> Series:
        label = coordinate if isinstance(coordinate, str) else coordinate.label
        if label not in self.forces:
            g.refuse(f"inverse_dynamics/{label}", "is no driven coordinate", f"it has {', '.join(self.forces) or 'none'}")
        return self.forces[label]

    def residual_of(self, item: Any) -> Array:
        """Forces along and about the velocities of one body or node (n, its nv)."""
        name = item if isinstance(item, str) else item.name
        for word in (name, f"{name}.node"):
            if word in self._parts:
                return self.residual[:, self._parts[word]]
        g.refuse(f"inverse_dynamics/{name}", "has no velocities of its own", f"they are of {', '.join(self._parts)}")


def inverse_dynamics(model: Model, motion: Any, times: Any) -> InverseDynamics:
    """What `Model.inverse_dynamics` gives."""
    if isinstance(motion, Result):
        return _of_result(model, motion)
    if not isinstance(motion, Mapping) or not motion:
        g.refuse("inverse_dynamics/motion", f"is {g.short(motion)}, expected coordinates with their motions, or a result", "write {hinge.angle: 'sin(t)'}")
    t = np.atleast_1d(np.asarray(times, dtype=float))
    if t.ndim != 1 or not len(t) or np.any(np.diff(t) <= 0) or not np.isfinite(t).all():
        g.refuse("inverse_dynamics/times", f"is {g.short(times)}, expected rising times [s]", "write np.linspace(0, 1, 101)")
    mechanism = Mechanism(model, motion, float(t[0]), "inverse_dynamics")
    states, forces, residuals = [], [], []
    driven = [e for e in mechanism.entries if e.name in mechanism.names]
    for now in t:
        mechanism.time = float(now)
        if not mechanism.close():
            raise _not_closed(mechanism, model)
        mechanism.set_velocities(np.zeros(mechanism.nv))
        if (left := mechanism.velocities()) > 1e-6 * mechanism.length * (1.0 + float(np.abs(mechanism.v).max(initial=0.0))):
            raise ModelError(Fault("inverse_dynamics/motion", f"at t = {now:g} s asks for rates that the joints do not allow: they are apart by {left:.3g} m/s", "drive fewer coordinates, or look for a singular position", *g.caller()))
        a, multipliers = mechanism.accelerations()
        states.append((float(now), mechanism.y, a, mechanism.base_multipliers(multipliers), mechanism.base_data))
        forces.append([multipliers[e.rows][0] for e in driven])
        residuals.append(_left(mechanism, a, multipliers))
    result = Result(_recorded(model, mechanism, states, False), model)
    named = {}
    for i, e in enumerate(driven):
        label = mechanism.names[e.name]
        named[label] = Series(np.array(forces)[:, i], _force_unit(label), t, f"force of {label}")
    return InverseDynamics(named, np.array(residuals), result, _velocities(mechanism))


def _force_unit(label: str) -> str:
    return "N m" if label.endswith(".angle") else "N" if label.endswith("translation.z") else ""


def _velocities(mechanism: Mechanism) -> dict[str, slice]:
    return {item: slice(begin - mechanism.nq, begin - mechanism.nq + len(words)) for item, kind, _, begin, words, _ in mechanism.base.layout() if kind == "v"}


def _left(mechanism: Mechanism, a: Array, multipliers: Array) -> Array:
    M, F = _core.equations_of_motion(mechanism.system, mechanism.time, mechanism.y, mechanism.data)
    return M @ a - F - mechanism.at(mechanism.y)["jacobian"].T @ multipliers


def _of_result(model: Model, motion: Result) -> InverseDynamics:
    """Forces that the states of a result ask for beside the model's own, the joints doing what they can."""
    mechanism = Mechanism(model, {}, 0.0, "inverse_dynamics")
    arrays = motion._recorded.arrays
    if arrays["y"].shape[1] != len(mechanism.y):
        g.refuse("inverse_dynamics/motion", "is a result of another model", "take one whose bodies and joints are the same")
    residuals, states = [], []
    for i, now in enumerate(arrays["t"]):
        mechanism.time, mechanism.y = float(now), np.array(arrays["y"][i])
        if arrays["data"].shape[1] == len(mechanism.data):
            mechanism.data = mechanism.base_data = np.array(arrays["data"][i])
        a = np.array(arrays["a"][i])
        M, F = _core.equations_of_motion(mechanism.system, mechanism.time, mechanism.y, mechanism.data)
        H = mechanism.at(mechanism.y)["jacobian"][mechanism.all]
        asked = M @ a - F
        multipliers = np.zeros(len(mechanism.weight))
        if len(H):
            scaled = (H * mechanism.scale * mechanism.weight[mechanism.all, None]).T
            multipliers[mechanism.all] = mechanism.weight[mechanism.all] * np.linalg.lstsq(scaled, mechanism.scale * asked, rcond=RANK)[0]
        residuals.append(asked - H.T @ multipliers[mechanism.all])
        states.append((float(now), mechanism.y, a, mechanism.base_multipliers(multipliers), mechanism.base_data))
    return InverseDynamics({}, np.array(residuals), Result(_recorded(model, mechanism, states, False), model), _velocities(mechanism))


__all__: Sequence[str] = ("Assembled", "AssemblyError", "Freedom", "Freedoms", "InverseDynamics", "assemble", "freedoms", "inverse_dynamics", "quantity_of")
