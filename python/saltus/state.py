"""A state that a program reads, sets and steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from saltus import _core
from saltus import geometry as g
from saltus.errors import Fault, ModelError
from saltus.quantity import Quantity
from saltus.quantity_names import quantity_named
from saltus.result import RunError, evaluate

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from saltus.model import Model
    from saltus.starts import Start


class State:
    """A state of a model at a time: what a loop of the program reads, sets and steps. `m.state()` makes one.

    `q`, `v`, `x`, `z` are the unknowns in the layout of the model: positions (rotations as quaternions, scalar first), velocities (angular
    ones in body axes), first-order states, algebraic unknowns. They and `time` [s] may be assigned: joints are closed, accelerations and
    multipliers found anew when they are needed next. `state[quantity]` reads any quantity now, `state[parameter] = value` sets what `m.parameter` made. Changes of the model that follow are not seen.
    """

    def __init__(self, model: Model, settings: dict[str, Any], start: Start | None = None, system: _core.System | None = None):
        self._model, self._settings = model, settings
        self._system = system or model._engine.compile()
        self._engine = _core.SteppedState(self._system, **settings)
        self._wider: _core.System | None = None  # the same with markers that came later
        self._later: set[str] = set()
        if start is not None:
            start.put(self._engine, self._system, "", {})

    @property
    def time(self) -> float:
        """Now [s]."""
        return self._engine.time

    @time.setter
    def time(self, t: float) -> None:
        self._engine.time = g.number(t, "state/time", "s")

    @property
    def q(self) -> NDArray[np.float64]:
        """Positions (nq), a copy."""
        return self._ready().q

    @q.setter
    def q(self, values: Any) -> None:
        self._engine.q = self._numbers(values, "q")

    @property
    def v(self) -> NDArray[np.float64]:
        """Velocities (nv), a copy."""
        return self._ready().v

    @v.setter
    def v(self, values: Any) -> None:
        self._engine.v = self._numbers(values, "v")

    @property
    def x(self) -> NDArray[np.float64]:
        """First-order states (nx), a copy."""
        return self._ready().x

    @x.setter
    def x(self, values: Any) -> None:
        self._engine.x = self._numbers(values, "x")

    @property
    def z(self) -> NDArray[np.float64]:
        """Algebraic unknowns (nz), a copy."""
        return self._ready().z

    @z.setter
    def z(self, values: Any) -> None:
        self._engine.z = self._numbers(values, "z")

    @property
    def accelerations(self) -> NDArray[np.float64]:
        """Rates of v (nv), with joints and contacts as the scheme has them."""
        return self._ready().a

    @property
    def multipliers(self) -> NDArray[np.float64]:
        """Forces of the rows of joints, relations and drives (rows)."""
        return self._ready().multipliers

    @property
    def forces(self) -> NDArray[np.float64]:
        """f (nv) of M vdot = f + H^T multipliers: applied forces, and those of inertia at vdot = 0."""
        return self._ready().forces

    @property
    def mass_matrix(self) -> NDArray[np.float64]:
        """M (nv, nv)."""
        return self._ready().mass

    @property
    def jacobian(self) -> NDArray[np.float64]:
        """H (rows, nv): the rates of the rows by v."""
        return self._ready().jacobian

    @property
    def row_values(self) -> NDArray[np.float64]:
        """Values of the rows (rows): 0 of a joint, the gap of a contact."""
        return self._ready().gaps

    @property
    def kinetic_energy(self) -> float:
        """[J]"""
        return self._ready().energies[0]

    @property
    def potential_energy(self) -> float:
        """Of gravity and springs [J]."""
        return self._ready().energies[1]

    @property
    def report(self) -> dict[str, Any]:
        """steps, rejected, iterations, the worst residual and the warnings since the state was made."""
        return self._engine.report

    @property
    def scheme(self) -> str:
        """Name of the scheme that steps it."""
        return self._engine.scheme

    def __getitem__(self, quantity: Quantity | str) -> Any:
        """A quantity now: a number, or (components)."""
        engine = self._ready()
        if isinstance(quantity, str) and isinstance(named := quantity_named(self._model, quantity), Quantity):
            quantity = named
        path = quantity if isinstance(quantity, str) else self._model._output_path(quantity)
        if isinstance(quantity, str) or len(quantity.terms) == 1 and path not in self._later:
            try:
                values = engine.evaluate(path)
                return float(values[0]) if len(values) == 1 else values
            except ModelError:
                if isinstance(quantity, str):
                    raise
                self._later.add(path)  # perhaps of a frame that the model has not had yet
                self._wider = self._model._engine.compile()
        a = [np.atleast_2d(part) for part in self._arrays()]
        values, _, _ = evaluate(self._wider or self._system, quantity, dict(zip(("t", "y", "a", "lam", "data"), (a[0][0], *a[1:]), strict=True)))
        return float(values[0]) if values.ndim == 1 else values[0]

    def __setitem__(self, parameter: str, value: float) -> None:
        """Sets a parameter that a run may change (`m.parameter`): accelerations and multipliers are found anew when they are needed next."""
        if not isinstance(parameter, str):
            g.refuse("state", f"sets {parameter!r}, which is no parameter", 'write state["stiffness"] = 120, or state[p] for p = m.parameter(...); positions are in q, velocities in v')
        self._engine.set_parameter(str(parameter).removeprefix("parameters."), g.number(value, f"parameters/{parameter}"))

    def step(self, h: float | None = None) -> float:
        """Goes on by h [s] and returns the time: by one step of the scheme where `m.state(step=...)` gave a length, which is the default
        of h, else by as many as the tolerance requires. Raises RunError where a step fails; the state is then the last accepted one."""
        fixed = self._settings["step"]
        if h is None and fixed is None:
            g.refuse("state/step", "needs a length: the state has no fixed step", "write state.step(0.01), or make it with m.state(step=0.01)")
        length = fixed if h is None else g.number(h, "state/step", "s", above=0.0)
        self._on(self._engine.step_end(length), length)
        return self._engine.time

    def advance(self, until: float) -> float:
        """Goes on to a time [s] and returns it, as `step` does."""
        until = g.number(until, "state/advance", "s")
        if not until > self.time:
            g.refuse("state/advance", f"is to {until:g} s, and the state is at {self.time:g} s", "time goes on")
        self._on(until, self._settings["step"])
        return self._engine.time

    def copy(self) -> State:
        """An independent copy: stepping one does not change the other."""
        other = State(self._model, self._settings)
        other._engine.load(self._ready().bytes())
        return other

    def __reduce__(self) -> Any:
        return _loaded, (self._model, self._settings, self._ready().bytes())

    def _on(self, until: float, step: float | None) -> None:
        if cause := self._engine.advance(until, step):
            raise RunError(None, self._model._words(cause))

    def _ready(self) -> _core.SteppedState:
        """With accelerations and multipliers of what was assigned."""
        if cause := self._engine.begin():
            raise RunError(None, self._model._words(cause))
        return self._engine

    def _arrays(self) -> tuple[Any, ...]:
        """t, y, a, multipliers, data as a record has them."""
        state, sizes = np.frombuffer(self._ready().bytes()), self._system.sizes()
        out, at = [state[:1]], 8
        for length in (sizes["ny"], sizes["nv"]):
            out.append(state[at : at + length])
            at += length
        at += sizes["nx"]
        for length in (sizes["rows"], sizes["nd"]):
            out.append(state[at : at + length])
            at += length
        return tuple(out)

    def _numbers(self, values: Any, name: str) -> NDArray[np.float64]:
        try:
            return np.ascontiguousarray(values, dtype=float).ravel()
        except (TypeError, ValueError):
            raise ModelError(Fault(f"state/{name}", f"is {g.short(values)}, expected numbers")) from None

    def __repr__(self) -> str:
        return f"<state of {self._model!r} at {self.time:g} s>"


class RunningState(State):
    """The state of a run that goes on, as `before_step` and `after_step` of `simulate` get it: it is read; before a step its parameters may be set."""

    _may_set = False

    def _look(self, state: bytes, may_set: bool) -> RunningState:
        self._engine.load(state)
        self._may_set = may_set
        return self

    def __setitem__(self, parameter: str, value: float) -> None:
        if not self._may_set:
            g.refuse(f"parameters/{parameter}", "is set after a step", "set it in before_step")
        super().__setitem__(parameter, value)

    def _owned(self, *_: Any) -> Any:
        g.refuse("simulation", "owns this state: its positions, velocities and steps are the run's", "set parameters in before_step, or write a loop of m.state()")

    time = property(State.time.fget, _owned)  # type: ignore[assignment]
    q = property(State.q.fget, _owned)  # type: ignore[assignment]
    v = property(State.v.fget, _owned)  # type: ignore[assignment]
    x = property(State.x.fget, _owned)  # type: ignore[assignment]
    z = property(State.z.fget, _owned)  # type: ignore[assignment]
    step = advance = _owned  # type: ignore[assignment]

    def copy(self) -> State:
        other = State(self._model, self._settings, system=self._system)
        other._engine.load(self._engine.bytes())
        return other


def _loaded(model: Model, settings: dict[str, Any], state: bytes) -> State:
    out = State(model, settings)
    out._engine.load(state)
    return out
