"""Forces and relations of the user on frames, motions of joints and coordinates; parameters that a run may change."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from saltus import geometry as g
from saltus.handles import Body, Connector, Frame, Handle, Item, Node
from saltus.quantity import Quantity
from saltus.verbs._verb import given, verb

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from saltus.arguments import End, Number
    from saltus.compiled import Compiled

    Kernel = str | float | Sequence[str | float] | Callable[..., Any] | Compiled


class Motion(NamedTuple):
    """A frame, as a function of the user sees it, in world axes."""

    p: NDArray[np.float64]
    """Place of the origin (3) [m]."""
    R: NDArray[np.float64]
    """Rotation matrix (3, 3): its columns are the axes of the frame."""
    v: NDArray[np.float64]
    """Velocity of the origin (3) [m/s]; zeros where a function knows places alone."""
    w: NDArray[np.float64]
    """Angular velocity (3) [rad/s]; zeros where a function knows places alone."""


class Parameter(str):
    """The name of a parameter that a run may change: in formulas, as an output of a controller, `state[p] = 2`, `result[p]`."""

    __slots__ = ()


class KernelVerbs:
    """Verbs that take any function."""

    @verb("connectors")
    def user_force(
        self,
        on: Sequence[End | Quantity],
        *,
        function: Kernel | None = None,
        potential: Kernel | None = None,
        length: Kernel | None = None,
        tension: Kernel | None = None,
        memory: Sequence[float] = (),
        update: Kernel | None = None,
        name: str = "",
    ) -> Connector:
        """A force element of the user on frames, which are A, B, ... in formulas, and on coordinates q0, q1, ... with rates v0, v1, ...

        In formulas A_x, A_y, A_z are the place of A, A_R00, ..., A_R22 its rotation matrix, A_vx, ..., A_wx, ... its velocities, all in world
        axes; m0, m1, ... what is remembered. A function of the program is f(t, A, B, ..., q, v, m) with `A.p`, `A.R`, `A.v`, `A.w` as arrays, and without
        q and v where `on` has no coordinates, without m where there is no memory. A `sl.Compiled` takes
        the numbers of the formulas in a row, and gives torques too.

        function: forces (3) [N] on each frame in world axes, then one effort a coordinate (of a first-order state its rate); or a force and a
        torque (3) [N m] on each frame, then the efforts. potential: V of the places, f(A, B, ..., q, m) [J]: the force is -dV along all that
        moves, and V counts as energy. tension: f(t, L, dL), which makes a scalar `length`, a function as `potential` is, smaller. They add up.
        memory: initial values of what it remembers, and `update`, their new values after each accepted step, a function as `function` is.
        """
        name = self._free_name("user_force", name)
        path = f"connectors/{name}"
        ends, frames, n = self._ends(on, path)
        kept = len(memory)
        fields = {"function": function, "potential": potential, "length": length, "update": update}
        sizes = {"function": 6 * frames + n, "potential": 1, "length": 1, "update": kept}
        for word, results in sizes.items():
            if fields[word] is not None:
                inputs = Inputs(frames, n, kept, timed=results != 1 or word == "update", moving=word in ("function", "update"))
                fields[word] = _kernel(fields[word], f"{path}/{word}", inputs, results, 3 * frames + n if word == "function" else 0)
        remembered = [g.number(x, f"{path}/memory") for x in memory] or None
        return Connector(self, self._add("connectors", "user_force", name, {**ends, **given(**fields, tension=tension, memory=remembered)}))

    @verb("relations")
    def user_relation(
        self,
        on: Sequence[End | Quantity],
        function: Kernel,
        *,
        law: Any = None,
        rows: int | None = None,
        written: Literal["value", "rate"] = "value",
        name: str = "",
    ) -> Item:
        """Rows y = h of the user on frames and coordinates with a law, by default y = 0: a joint, a cam, a linkage, a gap.

        function: h(t, A, B, ..., q) of places, or, `written` "rate", h(t, A, B, ..., q, v) of velocities, which is the rate of y (nonholonomic); in the
        forms and with the names of `user_force`. rows: how many; of formulas as many as there are. How the multipliers push follows from h.
        """
        name = self._free_name("user_relation", name)
        path = f"relations/{name}"
        ends, frames, n = self._ends(on, path)
        if written not in ("value", "rate"):
            g.refuse(f"{path}/written", f"is {written!r}, expected \"value\" or \"rate\"")
        count = rows if rows is not None else len(function) if isinstance(function, (list, tuple)) else 1
        kernel = _kernel(function, f"{path}/function", Inputs(frames, n, 0, timed=True, moving=written == "rate"), count)
        kind = "user_relation" if written == "value" else "user_rate_relation"
        return Item(self, self._add("relations", kind, name, {**ends, "rows": count, "function": kernel, **given(law=self._plain(law))}))

    @verb("", "parameter", "parameters")
    def parameter(self, name: str, value: Number, *, schedule: Sequence[tuple[float, float]] | str | None = None, period: float | None = None) -> Parameter:
        """A parameter that a run may change, for formulas in fields that take functions.

        It begins with `value`. schedule: (time [s], value) one after the other, from each time on; or an expression of t, which is sampled every
        `period` [s]. Controllers set it by name (`outputs=[p]`), a loop by `state[p] = value`, `simulate` in `before_step`. What it was is `result[p]`.
        """
        path = f"parameters/{name}"
        if isinstance(schedule, str) != (period is not None):
            g.refuse(f"{path}/schedule", "and period do not go together", 'write schedule="100 + 5*t", period=0.01, or schedule=[(0.5, 120)]')
        entry: dict[str, Any] = {"value": value}
        if schedule is not None and not isinstance(schedule, str):
            if not all(isinstance(pair, (list, tuple)) and len(pair) == 2 for pair in schedule):
                g.refuse(f"{path}/schedule", f"is {schedule!r}, expected times and values", "write [(0.5, 120), (1, 80)]")
            entry["schedule"] = [[g.number(x, f"{path}/schedule") for x in pair] for pair in schedule]
        if not isinstance(name, str) or not name.isidentifier():
            g.refuse(path, f"is named {name!r}, which formulas cannot hold", "choose letters, digits and _")
        self._engine.parameters = {**self._engine.parameters, name: entry}
        made = Parameter(name)
        if isinstance(schedule, str):
            self.controller(schedule, period=period, outputs=[made], initial=[value])
        return made

    def _ends(self, on: Any, path: str) -> tuple[dict[str, Any], int, int]:
        """(fields of the record, frames, coordinates)."""
        if not isinstance(on, (list, tuple)) or not on:
            g.refuse(f"{path}/on", f"is {on!r}, expected a list of frames and coordinates", "write on=[crank, rod.end, joint.angle]")
        for end in on:
            if not isinstance(end, (Body, Frame, Node, Quantity)):
                what = "an item without a frame" if isinstance(end, Handle) else "no frame and no coordinate"
                g.refuse(f"{path}/on", f"has {g.short(end)}, {what}", "name bodies, frames, motions of joints, coordinates of nodes")
        frames = [self._frame(end, f"{path}/on") for end in on if not isinstance(end, Quantity)]
        coordinates = [self._plain(end) for end in on if isinstance(end, Quantity)]
        return given(frames=frames or None, on=coordinates or None), len(frames), len(coordinates)


class Inputs(NamedTuple):
    """What a function is of."""

    frames: int
    coordinates: int
    memory: int
    timed: bool  # of the time
    moving: bool  # of velocities


def _kernel(function: Any, path: str, inputs: Inputs, results: int, forces: int = 0) -> Any:
    """A formula, or its list, as it is; a function of the program, or compiled, with the number of its results. forces: results without torques."""
    if hasattr(function, "_saltus_compiled"):
        function = copy(function)
        function._saltus_results = results
        return function
    if not callable(function):
        if not isinstance(function, (str, int, float, list, tuple, np.ndarray)):
            g.refuse(path, f"is {g.short(function)}, which is no function", "give an expression, several, a function or a sl.Compiled")
        return function
    _refuse_other_arguments(function, path, inputs)

    def flat(*numbers: float) -> Any:
        given = _row(function(*_arguments(numbers, inputs)))
        if len(given) == forces != results:  # zeros for the torques
            parts = given[: 3 * inputs.frames].reshape(-1, 3)
            given = np.concatenate([np.column_stack([parts, np.zeros_like(parts)]).ravel(), given[3 * inputs.frames :]])
        elif forces and len(given) != results:
            expected = f"{forces}: 3 forces a frame and an effort a coordinate, or {results} with 3 torques behind each force"
            raise ValueError(f"it returned {len(given)} numbers, expected {expected}")
        return float(given[0]) if len(given) == 1 else given.tolist()

    flat._saltus_results = results  # type: ignore[attr-defined]
    return flat


def _refuse_other_arguments(function: Callable[..., Any], path: str, inputs: Inputs) -> None:
    words = ["t"] * inputs.timed + [chr(ord("A") + i) for i in range(inputs.frames)] + ["q", "v"][: (1 + inputs.moving) * (inputs.coordinates > 0)] + ["m"] * (inputs.memory > 0)
    try:
        inspect.signature(function).bind(*words)
    except ValueError:  # of a builtin
        return
    except TypeError as error:
        g.refuse(path, f"cannot be called as f({', '.join(words)}): {error}", "give a function of these")


def _arguments(numbers: tuple[float, ...], inputs: Inputs) -> list[Any]:
    """The arguments of a function of the program, from the numbers of formulas."""
    row, at, still = np.array(numbers), int(inputs.timed), np.zeros(3)
    arguments: list[Any] = list(numbers[:at])
    for _ in range(inputs.frames):
        p, R, at = row[at : at + 3], row[at + 3 : at + 12].reshape(3, 3), at + 12
        v, w = (row[at : at + 3], row[at + 3 : at + 6]) if inputs.moving else (still, still)
        arguments.append(Motion(p, R, v, w))
        at += 6 * inputs.moving
    for _ in range((1 + inputs.moving) * (inputs.coordinates > 0)):
        arguments.append(row[at : at + inputs.coordinates])
        at += inputs.coordinates
    return [*arguments, row[at:]] if inputs.memory else arguments


def _row(result: Any) -> NDArray[np.float64]:
    """What a function gave, in one row."""
    if isinstance(result, (list, tuple)):
        return np.concatenate([np.ravel(np.asarray(part, dtype=float)) for part in result])
    return np.ravel(np.asarray(result, dtype=float))
