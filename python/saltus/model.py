"""The model as a program writes it: verbs create items, handles name them, four questions are asked of it."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from saltus import _core, reading, running
from saltus import geometry as g, planar as flat
from saltus.around import Around
from saltus.calls import checked
from saltus.closed_meshes import untold
from saltus.errors import Fault, ModelError, ModelWarning, grouped, methods_at_their_lines
from saltus.exports.units import UnitExport
from saltus.handles import Beam, BeamElement, Body, Frame, Ground, Group, Handle, Node, Relative, Tree
from saltus.items import Item as ItemRecord
from saltus.joined_contacts import joined_contacts
from saltus.quantity import Condition, Quantity
from saltus.quantity_names import path_text
from saltus.result import UNGIVEN, Result, RunError, start_at
from saltus.row_names import by_name
from saltus.run_arguments import conditions_of, record_of
from saltus.running import Options
from saltus.schemes import Scheme
from saltus.state import State
from saltus.statements import Draft, Entries, Statement, refuse_keyword, state
from saltus.step_check import broken_step, coarse_step, fast_contacts, growing_step
from saltus.verbs._verb import verb
from saltus.verbs.beams import BeamVerbs
from saltus.verbs.blocks import BlockVerbs
from saltus.verbs.bodies import BodyVerbs, CoordinateVerbs, PointMassVerbs
from saltus.verbs.circuits import CircuitVerbs
from saltus.verbs.connectors import LoadVerbs, SpringVerbs
from saltus.verbs.contacts import ContactVerbs
from saltus.verbs.controllers import ControllerVerbs, single_inputs
from saltus.verbs.forces import ForceVerbs
from saltus.verbs.joints import JointVerbs
from saltus.verbs.kernels import KernelVerbs
from saltus.verbs.presence import PresenceVerbs
from saltus.verbs.rails import RailVerbs
from saltus.verbs.rolling import RollingVerbs
from saltus.verbs.ropes import RopeVerbs
from saltus.verbs.sensors import SensorVerbs
from saltus.verbs.tables import TableVerbs
from saltus.verbs.transmissions import TransmissionVerbs
from saltus.verbs.trees import TreeVerbs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from saltus.analyses import Assembled, Freedoms, InverseDynamics
    from saltus.arguments import Direction, Numbers, OfTime, Turn
    from saltus.derivatives import Derivatives
    from saltus.doctor import Examination
    from saltus.equilibria import Buckling, EquilibriumPath
    from saltus.included import Included
    from saltus.linearization import Linearization
    from saltus.modes import Modes
    from saltus.orbits import Branch, Orbit
    from saltus.responses import Campbell, FrequencyResponse
    from saltus.schemes import SchemeName
    from saltus.starts import Start
    from saltus.system import System

RELATIVE = re.compile(r"relative\((\w+), *(\w+)\)")
SMALLEST = 1e-14  # of a step, as a share of the run, and of a tolerance: rounding


class Model(BodyVerbs, PointMassVerbs, CoordinateVerbs, BeamVerbs, TreeVerbs, SpringVerbs, ForceVerbs, JointVerbs, LoadVerbs, ContactVerbs, CircuitVerbs, ControllerVerbs, BlockVerbs, KernelVerbs, TableVerbs, SensorVerbs, TransmissionVerbs, RopeVerbs, RollingVerbs, RailVerbs, PresenceVerbs, UnitExport):
    """A model: verbs add items to it and return handles; `simulate`, `static`, `modes`, `linearize`, `check` ask it.

    gravity: acceleration of free fall (3) [m/s^2] in world axes; default (0, 0, -9.81), of a planar model (0, -9.81, 0).
    planar: bodies move in the x-y plane and have three unknowns each, joints and contacts the rows of the plane; places may be given by two numbers.
    """

    ground: Ground
    """The fixed frame; in a circuit 0 V."""

    @verb("", "Model")
    def __init__(self, *, gravity: Numbers | None = None, planar: bool = False):
        if not isinstance(planar, (bool, np.bool_)):
            g.refuse("Model/planar", f"is {planar!r}, expected True or False")
        self._engine = _core.Model()
        self._start()
        self._planar = bool(planar)
        self.gravity = ((0.0, -9.81, 0.0) if planar else (0.0, 0.0, -9.81)) if gravity is None else gravity

    def _start(self) -> None:
        self.__dict__["ground"] = Ground(self, "ground", np.zeros(3))
        self._names: dict[str, tuple[str, tuple[str, int]]] = {}  # name -> section, place of its statement
        self._handles: dict[str, Handle] = {}
        self._numbers: dict[str, int] = {}
        self._statements: list[Statement] = []  # verbs that were called, in order
        self._users: dict[str, list[Statement]] = {}  # item -> statements that were given it
        self._set: dict[str, dict[str, Any]] = {}  # record -> fields changed by Handle.set
        self._draft: Draft | None = None  # what the verb that runs has made
        self._part_of: dict[str, tuple[str, str]] = {}  # part -> item of which it is, and what of it ("": one of equal parts)
        self._controllers: list[Any] = []
        self._planar = False
        self._touching: dict[frozenset[str], str] = {}  # pairs of bodies -> contact

    @property
    def planar(self) -> bool:
        """Whether the model is one in the x-y plane; of a model that was read, whether all its bodies are."""
        return self._planar

    @property
    def gravity(self) -> NDArray[np.float64]:
        """Acceleration of free fall (3) [m/s^2], world axes. Set it as a whole."""
        given = self._engine.gravity
        values = np.array((0.0, 0.0, -9.81) if given is None else given)
        values.setflags(write=False)  # a change of the copy would be lost
        return values

    @gravity.setter
    def gravity(self, value: Numbers) -> None:
        if np.ndim(value) == 0 and not isinstance(value, str):
            meant = f"{-abs(value) if value else 0}" if isinstance(value, (int, float)) else "-9.81"
            g.refuse("gravity", f"is {value!r}, a number; expected 3 [m/s^2]", f"write (0, 0, {meant})")
        value = flat.vector(value, "gravity", "m/s^2") if self._planar else value
        self._engine.gravity = g.vector(value, "gravity", "m/s^2").tolist()

    @property
    def parameters(self) -> dict[str, Any]:
        """Parameters by name, numbers or expressions of others, for expressions in fields; `m.parameter` makes those that a run may change."""
        return Entries(self._engine.parameters, lambda values: setattr(self, "parameters", values))

    @parameters.setter
    def parameters(self, values: dict[str, Any]) -> None:
        self._engine.parameters = _entries(values, "parameters")

    @property
    def tables(self) -> dict[str, Any]:
        """Tables by name as a model file holds them, {"input": ..., "output": ..., "kind": ..., "outside": ...}; `table` adds one."""
        return Entries(self._engine.tables, lambda values: setattr(self, "tables", values))

    @tables.setter
    def tables(self, values: dict[str, Any]) -> None:
        self._engine.tables = {name: self._plain(value) for name, value in _entries(values, "tables").items()}

    @property
    def outputs(self) -> dict[str, Any]:
        """Named outputs, `name -> cart.position.x` or a formula, `= motor.drive * motor.angular_rate`: what `saltus run` prints and plots."""
        return Entries(self._engine.outputs, lambda values: setattr(self, "outputs", values))

    @outputs.setter
    def outputs(self, values: dict[str, Any]) -> None:
        self._engine.outputs = {name: self._output_path(value) for name, value in _entries(values, "outputs").items()}

    @property
    def simulation(self) -> dict[str, Any]:
        """Options that the model file keeps for `saltus run`, such as until, step, scheme."""
        return Entries(self._engine.simulation, lambda values: setattr(self, "simulation", values))

    @simulation.setter
    def simulation(self, values: dict[str, Any]) -> None:
        self._engine.simulation = _entries(values, "simulation")

    # Items.

    def add(self, item: ItemRecord, *, name: str = "") -> Any:
        """Adds an item of `saltus.items` and returns its handle: a Body, Node, Joint, ..., or an Item with any quantity.

        name: unique over the model; default: its type and a number. Fields are checked with the model.
        """
        if isinstance(item, type) and issubclass(item, ItemRecord):
            g.refuse("add", f"takes an item, got the class {item.__name__}", f"write m.add(sl.items.{item.__name__}(...))")
        if not isinstance(item, ItemRecord):
            g.refuse("add", f"takes an item of saltus.items, got {item!r}", "write m.add(sl.items.SpringDamper(...)) or the like")
        fields = {key: self._plain(value) for key, value in item.fields.items()}
        added = self._add(item.section, item.type, self._free_name(item.type, name or item.name), fields)
        item._in = added
        return self[added]

    def __getitem__(self, name: str) -> Any:
        """The handle of an item by its name."""
        if name == "ground":
            return self.ground
        if isinstance(name, str) and (ends := RELATIVE.fullmatch(name)):  # as outputs of a model file write it
            return self.relative(self[ends[1]], self[ends[2]])
        if name not in self._handles:
            points = self._points_of(name) if name not in self._names else ()
            elements = reading.elements_of(self, name) if not points and name not in self._names else ()
            if not points and not elements and name not in self._names:
                words = self._known()
                known = ", ".join(words[:8]) + (", ..." if len(words) > 8 else "")
                g.refuse(str(name), "is not an item of the model", g.near(str(name), words) or f"it has {known or 'none'}")
            self._handles[name] = reading.contact(self, name, points) if points else reading.beam(self, name, elements) if elements else reading.handle(self, name)
        return self._handles[name]

    def _points_of(self, name: str) -> tuple[str, ...]:
        """Relations of a contact of several points, `name_1`, `name_2`, ..."""
        points = []
        while f"{name}_{len(points) + 1}" in self._names and reading.is_point(self, f"{name}_{len(points) + 1}"):
            points.append(f"{name}_{len(points) + 1}")
        return tuple(points)

    def _known(self) -> list[str]:
        """Names of the items; shapes go with their bodies."""
        return [name for name in self._names if self._part_of.get(name, ("", ""))[1] != "shape"]

    def __setitem__(self, name: str, value: Any) -> None:
        g.refuse(str(name), f"is assigned {g.short(value)}", "items are made by verbs such as m.rod(...); change one by its handle, as in m[\"rod\"].mass = 2")

    def __delitem__(self, name: str) -> None:
        g.refuse(str(name), "is not deleted: items of a model stay", f'm.without("{name}") is a model without it')

    def __iter__(self) -> Iterator[str]:
        return iter(self._known())

    def __len__(self) -> int:
        return len(self._known())

    def __contains__(self, name: str) -> bool:
        return name in self._names or name in self._handles

    def _add(self, section: str, kind: str, name: str, fields: dict[str, Any]) -> str:
        """Adds an item, or puts it into the draft of the verb that runs."""
        if self._draft is not None:
            self._draft.records.append((section, kind, name, fields))
            self._draft.names.add(name)
            return name
        place = g.caller()
        added = self._engine.add(section, kind, name, fields, *place)
        self._names[added] = (section, place)
        return added

    def _enter_frame(self, frame: Frame) -> None:
        """Makes a frame an item, which is made anew when its body is."""

        def enter_frame(model: Model, frame: Frame) -> Frame:
            kind, fields = frame._record()
            model._add("markers", kind, frame.name, fields)
            return frame

        before, self._draft = self._draft, None
        try:
            state(self, enter_frame, "markers", {"frame": frame})
        finally:
            self._draft = before

    def _taken(self, name: str) -> bool:
        """Whether another item has the name."""
        draft = self._draft
        if draft is not None and (name in draft.names or name in draft.own):
            return name in draft.names
        return name in self._names or name in self._handles

    def _free_name(self, word: str, name: str = "") -> str:
        """`name`, or the first free `word_1`, `word_2`, ..."""
        if name or not word:
            if not isinstance(name, str):
                g.refuse(f"{word}/name", f"is {name!r}, expected text", f'write name="{name}"')
            if self._taken(name):
                g.refuse(name, "is the name of another item", "names are unique over the model")
            return name
        number = self._numbers.get(word, 0) + 1
        while self._taken(f"{word}_{number}") or self._taken(f"{word}_{number}_1"):  # the second: a contact of several points
            number += 1
        self._numbers[word] = number - 1
        return f"{word}_{number}"

    # References and values.

    def _handle(self, end) -> Any:
        return self[end] if isinstance(end, str) else end

    def _frame(self, end, role: str):
        """How a record names a body or frame."""
        if isinstance(end, str):  # checked with the model, which knows what is near
            return end
        if not isinstance(end, (Body, Frame, Node)):
            g.refuse(role, f"is {g.short(end)}, expected a body or a frame", getattr(end, "_no_end", "use a handle such as m.ground, a rod, rod.end"))
        self._own(end, role)
        return end._reference()

    def _own(self, handle: Handle, role: str) -> None:
        if handle._model is not self:
            g.refuse(role, f"is {g.short(handle)} of another model", "take one of this model, or build both parts in one")

    def _point(self, at, path: str) -> np.ndarray:
        """World point (3) [m] in the reference position, of three numbers or a frame."""
        if isinstance(at, (Body, Frame, Node)):
            self._own(at, path)
            return at.reference[0]
        if isinstance(at, str):
            g.refuse(path, f"is {at!r}, expected 3 numbers [m] or a frame", f'write m["{at}"]' if at in self._names else "write (x, y, z)")
        return g.vector(flat.vector(at, path) if self._planar else at, path)

    def _plain(self, value):
        """A value as a record holds it: handles by name, arrays as lists."""
        if isinstance(value, Handle):
            self._own(value, value.name)
            return value._reference()
        if isinstance(value, Quantity):
            self._own(value.terms[0][0], value.label)
            return value._reference()
        if isinstance(value, ItemRecord):
            return {"type": value.type, **{key: self._plain(field) for key, field in value.fields.items()}}
        if hasattr(value, "as_rotvec"):  # a rotation
            return value.as_rotvec().tolist()
        if isinstance(value, (np.ndarray, np.generic)):
            return value.tolist()
        if isinstance(value, (list, tuple)):
            return [self._plain(entry) for entry in value]
        if isinstance(value, dict):
            return {key: self._plain(entry) for key, entry in value.items()}
        return value

    def include(
        self,
        model: Model | str | os.PathLike[str],
        *,
        name: str,
        position: Numbers | None = None,
        rotation: Turn | None = None,
        parameters: Mapping[str, Any] | None = None,
    ) -> Included:
        """Adds the items of another model, or of a model file, as `name_item`; `arm = m.include("arm.json", name="left"); arm["rod"]` is m["left_rod"].

        position (3) [m], rotation: where its origin and axes stand. parameters: values instead of its own, expressions of this model's parameters too;
        they become `name_parameter`. Its gravity and settings of runs do not hold here. What is changed in the other model later does not come along.
        """
        from saltus.included import include

        return include(self, model, name, position, rotation, parameters)

    def without(self, *items: Handle | Included | str | Sequence[Handle | Included | str]) -> Model:
        """Another model, without these items, or all that `include` made, and without what cannot be without them: joints, forces, outputs of a body that goes.

        Groups of contacts go on with their other members. `set(m) - set(m.without("rod"))` names all that goes. Handles of the new one: `new["name"]`.
        """
        from saltus.edited import without

        return without(self, items)

    # What is read of several items.

    def relative(self, A: Body | Frame | Node, B: Body | Frame | Node) -> Relative:
        """B as an observer on A sees it, in the axes of A: `m.relative(car, wheel).velocity.x`. Bodies, frames, nodes, the ground."""
        for end in (A, B):
            self._frame(end, "relative")
        return Relative(self, self._handle(A), self._handle(B))

    def group(self, *bodies: Body | Tree | Sequence[Body | Tree]) -> Group:
        """Bodies together: mass, centre of mass, momentum, energies. Without one all bodies of the model."""
        named = [body for part in bodies for body in (part if isinstance(part, (list, tuple)) else (part,))]
        for body in named:
            if not isinstance(body, (Body, Tree, Beam, BeamElement)) or isinstance(body, Ground):
                g.refuse("group", f"has {g.short(body)}, expected bodies", "write m.group(rod, wheel)")
            self._own(body, "group")
        return Group(self, [element for body in named for element in (body.elements if isinstance(body, Beam) else (body,))])

    # Questions.

    def compile(self) -> System:
        """The model as the engine sees it: `layout()` says which entries of a state are whose, `frames(states)` where its frames are."""
        from saltus.system import System

        self._bind_controllers()
        return System(self._engine.compile())

    def check(self) -> list[Fault]:
        """All mistakes and warnings of the model; raises nothing."""
        try:
            self._bind_controllers()
        except ModelError as error:
            return self._reported(error.faults)
        return self._reported([*untold(self._engine.check(), built := self._built_with()), *joined_contacts(self), *built])

    def _built_with(self) -> list[Fault]:
        """The warnings of the verbs that built it."""
        return [fault for statement in self._statements for fault in statement.warnings]

    @verb("", "simulate", "simulation")
    def simulate(
        self,
        until: float,
        *,
        step: float | None = None,
        scheme: SchemeName | Scheme = "auto",
        tolerance: float | None = None,
        threads: int | None = None,
        record: float | str | os.PathLike[str] | dict[str, Any] | None = None,
        stop: Condition | str | Sequence[Condition | str] | None = None,
        consistent: bool = True,
        start: Result | tuple[Result, float] | None = None,
        before_step: Callable[[State], Any] | None = None,
        after_step: Callable[[State], Any] | None = None,
        realtime: float | None = None,
        dump: str | os.PathLike[str] | None = None,
    ) -> Result:
        """Runs from time 0, or from `start`, to `until` [s] and returns the result.

        step: length of all steps [s]; without it the step length follows `tolerance` (relative error, 1e-6 by default).
        scheme: a name, or a `Scheme` with options. threads: how many compute.
        record: interval [s] between recorded states (default: every step), or a file that is written during the run, or
        {"interval": ..., "file": ..., "contacts": ...}. contacts: whether each state has the contacts of groups; by default up to 256 MB of them.
        stop: ends the run when a condition holds, or the first of several: `quantity < number`, `>`, `quantity.crosses(number)`, or an
        expression of t and named outputs. The time is found within the step.
        consistent: whether the initial velocities are projected onto the constraints.
        start: a result of this model, to continue from its last state, or (result, time [s]). With the same model, scheme and step the run continues
        with the same bits. Fields, loads and scheme may differ; then accelerations and multipliers are computed anew.
        before_step, after_step: functions that are called with the state around each accepted step. The first may set parameters
        (`m.parameter`) by `state[p] = value`. An exception in them ends the run.
        realtime: at most so many seconds of the run in a second of the clock; `result.report["realtime"]` says how far it fell behind.
        dump: folder for contact problems, as files: those that no solver solved, and the 20 that took most work; `result.report["dumped"]` names them.
        Raises ModelError for mistakes, and RunError when the run cannot go on; its `.result` has the motion up to there.
        """
        interval, file, contacts = record_of(record)
        until = g.number(until, "simulation/until", "s", above=0.0)
        if step is not None:
            step = g.number(step, "simulation/step", "s", above=0.0)
            if step < SMALLEST * until:
                g.refuse("simulation/step", f"is {step:g} s, which time does not feel beside {until:g} s: the run would not end", "leave it out, or take a larger one")
        if tolerance is not None:
            tolerance = g.number(tolerance, "simulation/tolerance", above=0.0)
            if not SMALLEST < tolerance < 1.0:
                g.refuse("simulation/tolerance", f"is {tolerance:g}, a relative error; must be between {SMALLEST:g} and 1", "leave it out for 1e-6")
        if isinstance(scheme, type):
            g.refuse("simulation/scheme", f"is the class {scheme.__name__}", f"write sl.{scheme.__name__}()")
        if not isinstance(scheme, (str, Scheme)):
            g.refuse("simulation/scheme", f"is {scheme!r}, expected a name or a sl.Scheme", 'write scheme="moreau_jean" or sl.MoreauJean()')
        if not isinstance(consistent, (bool, np.bool_)):
            g.refuse("simulation/consistent", f"is {consistent!r}, expected True or False", "leave it out for True")
        name, options = (scheme.name, scheme.options) if isinstance(scheme, Scheme) else (scheme, {})
        chosen = Options(
            until=until,
            step=step,
            scheme=name,
            scheme_options=options or None,
            tolerance=tolerance,
            threads=threads,
            consistent=consistent,
            interval=interval,
            contacts=contacts,
        )
        if not self._names:
            g.refuse("model", "is empty: nothing can move", "add bodies, nodes or circuits with its verbs, such as m.point_mass(mass=1)")
        around = Around(before_step, after_step, None if realtime is None else g.number(realtime, "simulation/realtime", above=0.0))
        return self._run(chosen, file, stop, None if start is None else start_at(start, "simulation/start"), around, dump)

    def state(
        self,
        *,
        scheme: SchemeName | Scheme = "auto",
        step: float | None = None,
        tolerance: float | None = None,
        threads: int | None = None,
        consistent: bool = True,
        start: Result | tuple[Result, float] | None = None,
    ) -> State:
        """The state at the start, for a loop of the program: `state.step(0.01)`, `state[ball.position]`, `state.v = ...`.

        step [s]: of a scheme with fixed steps; else steps follow the tolerance. Other arguments are those of `simulate`.
        """
        name, options = (scheme.name, scheme.options) if isinstance(scheme, Scheme) else (scheme, None)
        self._bind_controllers()
        try:
            chosen = running.resolved(self._engine, Options(step=step, scheme=name, scheme_options=options, tolerance=tolerance, threads=threads, consistent=consistent))
            kinds = {"scheme": chosen["scheme"], "options": running.scheme_options(chosen), "tolerance": float(chosen["tolerance"]), "threads": chosen["threads"]}
            settings = {**kinds, "step": None if chosen["step"] is None else float(chosen["step"]), "consistent": chosen["consistent"]}
            return State(self, settings, None if start is None else start_at(start, "state/start"))
        except ModelError as error:
            raise ModelError(self._reported(error.faults)) from None

    def _step_warnings(self, chosen: Options, recorded: running.Recorded, steered: bool) -> list[Fault]:
        """What is said of a fixed step that is too coarse."""
        step, until = chosen.step, chosen.until
        if step is None or until is None or recorded.scheme == "static" or recorded.status != "done":
            return []
        unsafe = [] if self._controllers or steered else [growing_step(self, chosen, recorded) or coarse_step(self._engine, chosen, recorded) or broken_step(step, recorded)]  # functions of the program, which a second run must not call
        if step > until * (1 + 1e-9):
            unsafe.append((f"of {step:g} s is longer than the run, {until:g} s, which is taken in one step", "take a smaller step, or leave it out: then the error is controlled"))
        unsafe.append(fast_contacts(self._engine, chosen, recorded))
        return [Fault("simulation/step", *entry, *g.caller(), severity="warning") for entry in unsafe if entry]

    def static(self, *, tolerance: float | None = None, **options: Any) -> Result:
        """The equilibrium: a result without time axis. Options are those of the scheme `static`, such as load_steps."""
        chosen = Options(until=1.0, scheme="static", scheme_options=options or None, tolerance=tolerance)
        return self._run(chosen, None, None)

    def linearize(self, *, at: Any = "static", inputs: Sequence[Any] = (), outputs: Sequence[Any] = ()) -> Linearization:
        """wdot = A w + B u, y = C w + D u about a state, in the motions that the joints allow.

        at: "static" (the equilibrium), "reference" (the reference position, at rest), "start" (the initial values), a result
        (its last state) or (result, time [s]). inputs: loads, drives by speed, "item.field",
        "item.field.x", or parameters of the model. outputs: quantities. A contact with a positive force, a conducting diode,
        a relay inside its bounds are held like joints, others left out: `closed` and `open` name them. Raises ModelError where a
        contact slides, an algebraic unknown is not determined, or an input prescribes a position.
        """
        from saltus.linearization import linearize

        return linearize(self, at, inputs, outputs)

    def modes(self, *, at: Any = "static", count: int | None = None) -> Modes:
        """Natural frequencies, damping ratios and mode shapes about a state, lowest first; at: as `linearize` takes it.

        count: how many; default all, or the lowest 20 of models with more than 600 unknowns, which are solved by sparse
        factors.
        """
        from saltus.modes import modes

        return modes(self, at, count)

    def frequency_response(self, frequencies: Any = None, *, inputs: Sequence[Any], outputs: Sequence[Any], at: Any = "static") -> FrequencyResponse:
        """Amplitudes and phases of outputs for vibrating inputs, by linearization about a state: `response.gain`, `.phase`, `.plot()`.

        frequencies: rising [Hz]; default: about the modes. inputs, outputs, at: as `linearize` takes them. Raises ModelError at the frequency of an undamped mode; warns where the state is unstable.
        """
        from saltus.responses import frequency_response

        return frequency_response(self, frequencies, at, inputs, outputs)

    def campbell(self, parameter: str, values: Any, *, at: Any = "start", axis: Direction = "z", count: int | None = None) -> Campbell:
        """Frequencies, damping and sense of whirl over the values of a parameter, such as the speed of a rotor [rad/s].

        parameter: a name of `m.parameters` that stands in fields, such as a body's angular velocity or a drive's speed. at: a state as `modes` takes it, or a function of the
        value that gives one; it must be steady: an equilibrium, or a rotation about an axis of symmetry. axis: about which modes circle. count: as `modes`.
        """
        from saltus.responses import campbell

        return campbell(self, parameter, values, at, axis, count)

    def derivatives(self, until: float, *, outputs: Sequence[Quantity | str] = (), parameters: Sequence[str] = (), start: Any = "start", scheme: SchemeName | None = None, step: float | None = None, tolerance: float | None = None) -> Derivatives:
        """How the motion until a time [s] changes with its start and with parameters: `d["height", "k"]`, `d.transition`; through impacts, too.

        outputs: quantities or named outputs at the end. start: "start", a result (its end) or (result, time). A step of control is `until` of one step, its input a parameter. By central differences of runs, two for each direction of the start and each parameter.
        """
        from saltus.derivatives import derivatives

        return derivatives(self, until, outputs, parameters, start, {"scheme": scheme, "step": step, "tolerance": tolerance})

    def periodic_orbit(self, period: float, *, start: Any = "start", free: bool = False, fixed: Sequence[Quantity | str] = (), accuracy: float = 1e-8, scheme: SchemeName | None = None, step: float | None = None, tolerance: float | None = None) -> Orbit:
        """A motion that repeats itself after `period` [s], by shooting, with its Floquet multipliers: `orbit.multipliers`, `.stable`, `.result`.

        It begins at time 0. start: near which state, "start" (the initial values), a result (its end), (result, time) or an orbit. With sampled controllers the period is a multiple of each sampling period. free: the period is a first guess (nothing depends on time); fixed: quantities that keep their
        initial values, such as the amplitude of a motion without damping. accuracy: what may be missing after a period, in lengths of the model. Multipliers are differences of whole runs by
        `scheme` (event_driven where there are one-sided laws, moreau_jean in 1,000 steps where that refuses one, else dormand_prince) and so contain the saltations at impacts (Leine, Nijmeijer 2004); an orbit that grazes has none. Raises OrbitError where none is found.
        """
        from saltus.orbits import periodic_orbit

        return periodic_orbit(self, period, start, free, fixed, accuracy, {"scheme": scheme, "step": step, "tolerance": tolerance})

    def follow_orbits(self, parameter: str, values: tuple[float, float], period: float | Callable[[float], float], *, start: Any = "start", free: bool = False, length: float = 0.1, points: int = 200, accuracy: float = 1e-7, scheme: SchemeName | None = None, step: float | None = None, tolerance: float | None = None) -> Branch:
        """Periodic orbits over a parameter of the model from values[0] to values[1], around folds, with where they lose stability: `branch.bifurcations`.

        period: a number [s] or a function of the parameter, such as lambda w: 2 * pi / w; a first guess where it is `free`. length: the longest step along the curve, where 1 is the range of the parameter or a length of the
        model; points: at most. start, accuracy, scheme, step, tolerance: as `periodic_orbit` has them.
        """
        from saltus.orbits import orbits_over

        return orbits_over(self, parameter, values, period, start, free, length, points, accuracy, {"scheme": scheme, "step": step, "tolerance": tolerance})

    def follow_equilibria(self, parameter: str, values: tuple[float, float], *, control: Quantity | str | None = None, until: Condition | None = None, start: Any = "static", switch: float = 0.02, length: float = 0.05, points: int = 400) -> EquilibriumPath:
        """Equilibria over a parameter of the model from values[0] to values[1], around limit points, with their stability: `path.critical`, `path[quantity]`.

        By arc length (Riks 1979, Crisfield 1981): the parameter may turn back, so `until` may end the path by a condition instead. control: a displacement that is prescribed step by step instead. start: "static", or one of `path.critical` of an earlier
        path, from which `switch` leads aside along its mode (in lengths of the model; negative: to the other side). length: the longest step, where 1 is the range of the parameter or a length of the model. Joints, springs, beams, loads, gaps without friction, where a path turns.
        """
        from saltus.equilibria import follow_equilibria

        return follow_equilibria(self, parameter, values, control, until, start, switch, length, points)

    def buckling(self, parameter: str, *, at: float = 0.0, step: float | None = None, count: int = 5) -> Buckling:
        """Values of the parameter above `at` at which the equilibrium loses its stiffness, if the stiffness changes with the parameter at the rate that it has there: linear buckling, under whatever preload the model has.

        step: change of the parameter by which the rate of the stiffness is found; default a thousandth of `at`, or 0.001. The lowest `count`.
        """
        from saltus.equilibria import buckling

        return buckling(self, parameter, at, step, count)

    def doctor(self) -> Examination:
        """What is probably wrong with the model, which scheme fits it and why, stable steps, redundant joints, the cost of a run: `print(m.doctor())`.

        It looks for units (millimetres, degrees, per cent), what is never read, bodies that nothing holds, steps and samples that are too long, runs for at most a second.
        """
        from saltus.doctor import examine

        return examine(self)

    def freedoms(self, *, at: Result | tuple[Result, float] | None = None) -> Freedoms:
        """How many independent motions the joints leave, which, and which rows of joints hold nothing that others do not: `print(m.freedoms())`.

        at: a result (its last state) or (result, time [s]); default: the initial position, closed. Drives that prescribe a motion count as joints; contacts,
        stops and friction hold nothing here.
        """
        from saltus.analyses import freedoms

        return freedoms(self, at)

    def assemble(self, held: Mapping[Quantity | str, OfTime] | None = None, *, time: float = 0.0) -> Assembled:
        """Closes the joints, from however far off, and finds velocities and accelerations: a position to read and to start from.

        held: motions of joints and coordinates of nodes, each with its value, an expression of t or a function f(t), of which the rates
        follow: `m.assemble({crank.angle: "1.2 + 5*t"})`. From a closed position they are followed along the motion, so the closure stays on its branch and
        angles count turns. Velocities are those nearest to the initial ones. Raises `AssemblyError` where none is found, with the residual by joint and the `best` position.
        """
        from saltus.analyses import assemble

        return assemble(self, held or {}, time)

    def inverse_dynamics(self, motion: Mapping[Quantity | str, OfTime] | Result, times: Sequence[float] | NDArray[np.float64] = (0.0,)) -> InverseDynamics:
        """Forces that drive a given motion.

        motion: coordinates (motions of joints, coordinates of nodes) with expressions of t or functions f(t), at rising `times` [s]: `found[hinge.angle]` (n) drive
        them, with all loads, springs and drives of the model at work. Or a result: `residual` (n, nv) is then the force that its accelerations need beyond the model's own forces and reactions.
        """
        from saltus.analyses import inverse_dynamics

        return inverse_dynamics(self, motion, times)

    def _output_path(self, output) -> str:
        if isinstance(output, Handle):
            g.refuse(f"outputs/{output.name}", "is an item, not a quantity", f"write {output.name}.position.x or the like")
        if not isinstance(output, (str, Quantity)):
            g.refuse("outputs", f"has {output!r}, expected a quantity", UNGIVEN if output is None else 'write body.position.x, or "body.position.x"')
        text = path_text(self, output)
        if not isinstance(output, str):
            for handle, _ in output.terms:
                self._own(handle, "outputs")
        return text

    def _quiet_static(self) -> Result:
        """The equilibrium; its warnings in the result alone."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ModelWarning)
            return self.static()

    def _run(self, options, file, stop, start: Start | None = None, around: Around | None = None, dump: str | os.PathLike[str] | None = None) -> Result:
        def tell(recorded: running.Recorded) -> None:
            if around is not None:
                around.report(recorded)
            report = recorded.report
            report["warnings"] = self._reported([*untold(report["warnings"], built := self._built_with()), *joined_contacts(self), *built]) + self._step_warnings(options, recorded, around is not None and around.steers)
            report["cause"] = self._words(report["cause"])
            recorded.shapes = {name: body._look for name, body in self._handles.items() if isinstance(body, Body) and body._look}

        try:
            self._bind_controllers()
            recorded = running.run(self._engine, options, output=file, slow=None if around is not None and around.waits else g.warn_at_caller, stop=None if stop is None else conditions_of(self, stop), tell=tell, start=start, hooks=None if around is None else around.of(self), dump=None if dump is None else Path(dump))
        except ModelError as error:
            raise ModelError(self._reported(error.faults)) from None
        result = Result(recorded, self)
        told = self._reported(self._built_with())  # when it was built
        for fault in grouped(fault for fault in result.warnings if fault not in told):
            g.warn_at_caller(fault.text)
        if result.report["status"] == "failed":
            raise RunError(result)
        if result.report["status"] == "interrupted":
            interrupt = KeyboardInterrupt()
            interrupt.result = result  # type: ignore[attr-defined]
            raise interrupt
        return result

    def _located(self, fault: Fault) -> Fault:
        """The fault with the line of the statement that made the item, where the engine knows the file alone."""
        if fault.line:
            return fault
        words = fault.path.split("/")
        known = self._names.get(words[1]) if len(words) > 1 else None
        if not known:
            return replace(fault, file=g.caller()[0], line=g.caller()[1]) if words[0] == "simulation" else fault
        return Fault(fault.path, fault.message, fault.remedy, known[1][0], known[1][1], 0, fault.severity)

    def _reported(self, faults: Sequence[Fault]) -> list[Fault]:
        """Faults at the lines of the program, by the names that the program knows; of equal parts of one item only the first."""
        kept: dict[Fault, None] = {}
        for fault in map(self._located, single_inputs(self, faults)):
            section, *rest = fault.path.split("/")
            if rest and self._part_of.get(rest[0], ("", ""))[1] == "":
                rest[0] = self._part_of.get(rest[0], (rest[0], ""))[0]
            kept[replace(fault, path="/".join([section, *rest]), message=self._words(fault.message))] = None
        return list(kept)

    def _words(self, text: str) -> str:
        """The text with helper items by what the program knows: 'source_1_current' is the current of 'source_1'."""

        def known(match: re.Match[str]) -> str:
            owner, word = self._part_of.get(match[2], ("", ""))
            return f"the {word} of '{owner}'" if word else match[0]

        return re.sub(r"(?:algebraic unknown 0 of |state 0 of )?(?:(node|relation) )?'([^']+)'", known, by_name(self._engine, text))

    # Text and file.

    def describe(self) -> str:
        """The items that the verbs made, as text."""
        from saltus.describe import description

        return description(self._engine)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model file, JSON or YAML by its ending; other endings are refused. Refuses a model with Python functions, naming the field or controller."""
        from saltus.model_files import ROBOTS, YAML, save_yaml

        self._text()
        ending = Path(path).suffix.lower()
        if ending not in (".json", *YAML):
            known = f"robots are not written in {ROBOTS[ending]}" if ending in ROBOTS else "m.export(...) writes a unit" if ending == ".fmu" else "a model file is JSON or YAML"
            g.refuse("save/path", f"is {Path(path).name!r}, and {known}", "end it with .yaml or .json")
        if not Path(path).parent.is_dir():
            g.refuse("save/path", f"is {g.short(os.fspath(path))}, and the folder {Path(path).parent} is not there", "make it first")
        if ending in YAML:
            save_yaml(self._engine, Path(path))
        else:
            self._engine.save(os.fspath(path))
        for body in self._handles.values():
            if isinstance(body, Body) and body._look:
                g.warn(f"bodies/{body.name}", "is drawn as a mesh, which a model file does not hold", f'after loading write m["{body.name}"].looks_like(...); a result file keeps it')

    def _text(self) -> str:
        """The text of the model file; ModelError where functions of the program are in the model."""
        for controller in self._controllers:
            g.refuse(
                f"controllers/{controller.name}",
                "has a function of the program that made the model, which a model file cannot hold",
                'write it as expressions of t and named inputs, such as m.controller("-2*x", inputs={"x": ...}, ...)',
            )
        return self._engine.text()

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Model:
        """Reads a model file, JSON or YAML, with the models that it includes; ModelError where it cannot be read. Mistakes of its items: `check()`, and before a run."""
        from saltus.model_files import load_engine

        return cls._of(load_engine(path))

    @classmethod
    def parse(cls, text: str, file: str = "") -> Model:
        """Reads the text of a model file."""
        return cls._of(_core.Model.parse(text, file))

    @classmethod
    def _of(cls, engine) -> Model:
        model = cls.__new__(cls)
        model._engine = engine
        model._start()
        for section, _, name in engine.records():
            model._names[name] = (section, (engine.file, 0))
        for name in engine.controllers:
            model._names[name] = ("controllers", (engine.file, 0))
        model._part_of.update(reading.parts(model))
        model._planar = reading.is_planar(model)
        return model

    def __deepcopy__(self, memo: dict[int, Any]) -> Model:
        """A model of its own with the same items; ModelError where functions of the program are in it. Its handles: `copy["name"]`."""
        return self.parse(self._text())

    def __copy__(self) -> Model:
        return self.__deepcopy__({})  # items are not shared: a change of one would be a change of both

    def __reduce__(self):
        return (Model.parse, (self._text(),))

    def __repr__(self) -> str:
        counts: dict[str, int] = {}
        for name in self._known():
            section = self._names[name][0]
            counts[section] = counts.get(section, 0) + 1
        counted = ", ".join(f"{count} {section[:-3] + 'y' if count == 1 and section.endswith('ies') else section.rstrip('s') if count == 1 else section}" for section, count in counts.items())
        more = [f"{len(values)} {word if len(values) == 1 else word + 's'}" for word, values in (("parameter", self.parameters), ("output", self.outputs)) if values]
        held = "; ".join(text for text in (counted, ", ".join(more)) if text)
        return f"<model of {len(self)} item{'' if len(self) == 1 else 's'}{': ' if held else ''}{held}>"

    if not TYPE_CHECKING:

        def __setattr__(self, name: str, value: Any) -> None:
            known = getattr(type(self), name, None)
            if name.startswith("_") or (isinstance(known, property) and known.fset) or not (type(self) is Model or name in self.__dict__ or known):
                object.__setattr__(self, name, value)
                return
            settable = [word for word in dir(type(self)) if isinstance(entry := getattr(type(self), word), property) and entry.fset]
            refuse_keyword("Model", name, value, settable, f"{name!r} is not assigned" if known is not None or name in self.__dict__ else "")

        def __getattr__(self, name: str):
            raise AttributeError(f"a model has no {name!r}" + g.or_else((f'write m["{name}"]' if name in self else "") or g.OTHER_VERBS.get(name) or g.near(name, [known for known in dir(type(self)) if not known.startswith("_")]) or "dir(m) lists what it has"))


def _entries(values, path: str) -> dict[str, Any]:
    """A copy of a dict with names as keys."""
    if not isinstance(values, dict) or not all(isinstance(key, str) for key in values):
        g.refuse(path, f"is {values!r}, expected a dict of names and values", 'write {"name": value}')
    return dict(values)


for _word in ("linearize", "modes", "frequency_response", "campbell", "derivatives", "periodic_orbit", "follow_orbits", "follow_equilibria", "buckling"):
    setattr(Model, _word, checked(_word, f"m.{_word}")(getattr(Model, _word)))
methods_at_their_lines(Model)
