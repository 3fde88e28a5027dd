"""The motion near a state: A, B, C, D of chosen inputs and outputs, eigenvalues, modes."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from saltus import _core
from saltus import geometry as g
from saltus import running
from saltus.contact_record import column
from saltus.errors import Fault, ModelError
from saltus.handles import Handle
from saltus.result import Result, RunError, state_of
from saltus.starts import Start

if TYPE_CHECKING:
    from saltus.model import Model
    from saltus.running import Recorded

MOMENT = 1e-9  # s, or of the time: a step that tells which contacts carry


class Linearization:
    """wdot = rest + A w + B u, y = C w + D u: deviations from a state, in minimal coordinates w.

    A (n, n), B (n, inputs), C (outputs, n), D (outputs, inputs) in SI units; a vector output has a row a component.
    `inputs`, `outputs` name columns of B and rows of C. w holds positions, velocities and first-order states (`sizes`):
    lengths along orthonormal motions that the joints allow. `closed`, `open`: relations with a one-sided law that were held
    like joints, or left out. `rest` is wdot at the state, zero at an equilibrium. `exact`: no derivative of the equations was
    taken by differences.
    """

    def __init__(self, equations, space: dict[str, Any], inputs: list[str], outputs: list[str]):
        self._equations, self._space = equations, space
        self.A, self.B, self.C, self.D = (space[name] for name in "ABCD")
        self.inputs, self.outputs = inputs, outputs
        self.sizes = tuple(space[name] for name in ("positions", "velocities", "first_order"))
        self.rest = space["rest"]
        self.closed, self.open = list(equations.closed), list(equations.open)
        self.exact, self.residual, self.time = equations.exact, equations.residual, equations.t

    @property
    def eigenvalues(self) -> np.ndarray:
        """Eigenvalues of A (n) [1/s], by imaginary and real part."""
        values = np.linalg.eigvals(self.A) if self.A.size else np.zeros(0)
        return values[np.lexsort((values.real, np.abs(values.imag)))]

    def transfer(self, s) -> np.ndarray:
        """C (s - A)^-1 B + D at a complex s [1/s]; (outputs, inputs), for an array of s (n, outputs, inputs)."""
        s = np.asarray(s, dtype=complex)
        left = s[..., None, None] * np.eye(len(self.A)) - self.A
        return self.C @ np.linalg.solve(left, np.broadcast_to(self.B, (*s.shape, *self.B.shape))) + self.D

    def __repr__(self) -> str:
        n = len(self.A)
        return f"<linearization at t = {self.time:g} s: {n} states, {len(self.inputs)} inputs, {len(self.outputs)} outputs>"


def equations_of(model: Model, at) -> tuple[Any, Any, list[Fault]]:
    """(system, linear equations, warnings) at "static", "reference", "start", a result (its end) or (result, time)."""
    model._bind_controllers()
    if isinstance(at, str) and at == "static":
        try:
            result = model._quiet_static()
        except ModelError as error:
            raise ModelError(_of_motion(fault) for fault in error.faults) from None
        system = model._engine.compile()
        a = {name: values[-1] for name, values in result._recorded.arrays.items()}
        return system, _core.linear_equations(system, a["t"], a["y"], a["a"], a["lam"], a["data"], _wrenches(result._recorded, None)), result.warnings
    system = model._engine.compile()
    if isinstance(at, str) and at in ("reference", "start"):
        y, data = _core.reference_state(system, at == "reference")
        if at == "start" and _core.row_entries(system):
            y = _started(model, y)
        equations = _core.linear_equations(system, 0.0, y, None, None, data)
        return system, equations, _taken_as_open(model, system, equations)
    if not isinstance(at[0] if isinstance(at, tuple) and at else at, Result):
        g.refuse("linearize/at", f"is {at!r}", 'write at="static", "reference", "start", a result, or (result, time)')
    recorded, a = state_of(at, "linearize/at")
    known = _wrenches(recorded, float(a["t"]))
    equations = _core.linear_equations(system, a["t"], a["y"], a["a"], a["lam"], a["data"], known)
    return system, equations, _taken_as_open(model, system, equations) if known is None or not len(known) else []


def _of_motion(fault: Fault) -> Fault:
    """A fault of the equilibrium with what to do where the motion is what counts."""
    moves = "is written at rate" in fault.message
    return replace(fault, remedy=f'{fault.remedy}; or look at the motion: at="start", or a result with its time') if moves else fault


def _started(model: Model, y: np.ndarray) -> np.ndarray:
    """Initial values as a run begins with them: joints closed, velocities as drives and joints ask; as they are written where joints cannot be closed."""
    from saltus.mechanism import Mechanism

    mechanism = Mechanism(model, {}, 0.0, "linearize")
    if not mechanism.close():
        return y
    mechanism.velocities()
    return np.array(mechanism.y)


def _taken_as_open(model: Model, system: _core.System, equations: Any) -> list[Fault]:
    """What a state without recorded forces of contacts says of those that carry: a step of a moment from it finds them."""
    groups = system.contact_names()[2]
    if not set(groups) & set(equations.open):
        return []
    t = float(equations.t)
    h = MOMENT * max(1.0, abs(t))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            start = Start(t, equations.y, equations.data, system, "", {})
            recorded = running.run(model._engine, running.Options(until=t + h, step=h, contacts=True), start=start, stop=lambda _: [])
        except (ModelError, RunError):
            return []
    rows = recorded.contacts if recorded.contacts is not None else np.zeros((0, 0))
    carry = rows[(column(rows, "force") != 0.0).any(axis=1)] if len(rows) else rows
    names = [groups[int(i)] for i in np.unique(column(carry, "group"))] if len(carry) else []
    carrying = [name for name in names if name in equations.open]
    if not carrying:
        return []
    message = f"is a state without forces of contacts, at which {', '.join(carrying)} would carry: taken as open"
    g.warn("linearize/at", message, remedy := 'use at="static" or a later time')
    return [Fault("linearize/at", message, remedy, severity="warning")]


def _wrenches(recorded: Recorded, time: float | None) -> np.ndarray | None:
    """Identity, force and torque of the contacts between groups (7 n) at the recorded state nearest to a time, default the last."""
    rows = recorded.contacts
    if rows is None or not len(rows):
        return None
    t = recorded.arrays["t"]
    at = len(t) - 1 if time is None or recorded.is_static else int(np.argmin(np.abs(t - time)))
    rows = rows[column(rows, "row") == at]
    return np.ascontiguousarray(np.column_stack([column(rows, "identity"), column(rows, "force"), column(rows, "torque")]).ravel())


def linearize(model: Model, at, inputs, outputs) -> Linearization:
    """See Model.linearize."""
    paths = [model._output_path(output) for output in outputs]  # first: a frame becomes an item when it is read
    model._bind_controllers()
    given = [_input(model, entry) for entry in inputs]
    system, equations, _ = equations_of(model, at)
    space = equations.state_space(given, paths)
    rows = []
    for path in paths:
        _, _, components = system.evaluate(path, np.zeros(0), np.zeros((0, 1)), np.zeros((0, 1)), np.zeros((0, 1)), np.zeros((0, 1)))
        rows += [f"{path}.{component}" for component in components] or [path]
    return Linearization(equations, space, [name for name, *_ in given], rows)


def _input(model: Model, entry) -> tuple[str, Any, Any, float]:
    """(name, system with the number lower, with it higher, difference) of a load, drive, "item.field.x" or parameter."""
    if isinstance(entry, Handle):
        entry = getattr(entry, "_drive", None) or entry
        entry = model._output_name(entry, "linearize/inputs")
    if not isinstance(entry, str):
        g.refuse("linearize/inputs", f"has {entry!r}", 'name a load, a drive, "item.field.x" or a parameter')
    return model._engine.varied(entry)
