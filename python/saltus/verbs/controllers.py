"""Sampled controllers: read quantities at fixed times, set loads and drives until the next."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from saltus import geometry as g
from saltus.errors import Fault, ModelError
from saltus.handles import Handle, Joint, _named
from saltus.handles.joints import motions_left
from saltus.quantity import Quantity
from saltus.statements import Draft, LeadsToItems, Statement, assign, refuse_keyword
from saltus.verbs._verb import verb

if TYPE_CHECKING:
    from saltus.model import Model


class Controller(LeadsToItems):
    """A sampled controller of a model; `name` is its own. What its verb was given can be read and assigned, as `c.period = 0.01`."""

    name: str
    period: float
    function: Callable | str | Sequence[str]
    inputs: tuple[tuple[str, str], ...]  # name in an expression, quantity
    outputs: tuple[str, ...]
    initial: tuple[float, ...]
    memory: tuple[float, ...]
    delay: float
    shown: int
    _statement: Statement | None = None

    def __init__(self, model: Any, name: str, period: float, function: Any, inputs: tuple[tuple[str, str], ...] = (),
                 outputs: tuple[str, ...] = (), initial: tuple[float, ...] = (), memory: tuple[float, ...] = (), delay: float = 0.0, shown: int = 0):  # fmt: skip
        function = tuple(function) if isinstance(function, list) else function
        self.__dict__.update(_model=model, name=name, period=period, function=function, inputs=inputs, outputs=outputs, initial=initial, memory=memory, delay=delay, shown=shown)

    def _names(self) -> Iterator[str]:
        yield self.name
        for _, path in vars(self)["inputs"]:
            yield path.partition(".")[0]

    def _item_name(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[Any, ...]:
        return (_named, (self._model, self.name))

    @property
    def value(self) -> Quantity:
        """What its outputs hold; of one without outputs what it shows. A quantity of results and of other controllers."""
        return Quantity(((self, "value"),))  # type: ignore[arg-type]

    def _written(self) -> dict[str, Any]:
        """As a model file holds it, for formulas."""
        own = vars(self)
        function = own["function"] if isinstance(own["function"], str) else list(own["function"])
        fields = {"period": own["period"], "function": function, "inputs": dict(own["inputs"]), "outputs": list(own["outputs"])}
        rows = {key: list(own[key]) for key in ("initial", "memory") if own[key]}
        return {**fields, **rows, **{key: own[key] for key in ("delay", "shown") if own[key]}}

    @classmethod
    def _read(cls, model: Any, name: str, fields: dict[str, Any]) -> Controller:
        """Of a model file."""
        inputs = tuple(fields.get("inputs", {}).items())
        several = (tuple(fields.get(key, ())) for key in ("outputs", "initial", "memory"))
        return cls(model, name, fields["period"], fields["function"], inputs, *several, fields.get("delay", 0.0), int(fields.get("shown", 0)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Controller) and self.name == other.name and all(vars(self)[word] == vars(other)[word] for word in SETTABLE)

    __hash__ = object.__hash__

    def _place_changed(self, other: Controller) -> bool:
        return False

    def _become(self, other: Controller) -> None:
        """Takes over what the controller, made anew, is."""
        self.__dict__.update({key: value for key, value in other.__dict__.items() if key != "_statement"})

    def __repr__(self) -> str:
        return f"<controller {self.name} every {self.period:g} s>"

    if not TYPE_CHECKING:

        def __setattr__(self, name: str, value: Any) -> None:
            if name.startswith("_"):
                object.__setattr__(self, name, value)
                return
            known = [word for word in SETTABLE]
            if name not in known:
                refuse_keyword(f"controllers/{self.name}", name, value, known, "names stay as they are" if name == "name" else "")
            if self._statement is not None:
                return assign(self._statement, self._model, name, value)
            fields = dict(zip(("period", *known[1:]), (getattr(self, word) for word in known), strict=True))
            given = {**fields, "inputs": dict(self.inputs), name: value}
            ready = Draft(own=frozenset({self.name}))
            before, self._model._draft = self._model._draft, ready
            try:
                made = type(self._model).controller(self._model, given.pop("function"), **given, name=self.name)
            finally:
                self._model._draft = before
            self._become(made)
            self._model._enter_controller(self, ready.controllers.get(self.name))


SETTABLE = ("period", "function", "inputs", "outputs", "initial", "memory", "delay", "shown")


class Block(Controller):
    """A controller that stands in the model file as formulas; what its verb was given can be read and assigned while the program holds it."""

    @property
    def settings(self) -> dict[str, Any]:
        """What can be assigned, with the values that hold."""
        return {word: self._statement.keywords[word] for word in self._settable()} if self._statement is not None else {}

    def _settable(self) -> list[str]:
        return [word for word in self._statement.keywords if word != "name"] if self._statement is not None else []

    def __repr__(self) -> str:
        return f"<{self._kind()} {self.name} every {self.period:g} s>"

    def _kind(self) -> str:
        return self._statement.verb.__name__.replace("_", " ") if self._statement is not None else "block"

    if not TYPE_CHECKING:

        def __setattr__(self, name: str, value: Any) -> None:
            if name.startswith("_"):
                object.__setattr__(self, name, value)
            elif self._statement is None or name not in self._settable():
                reason = "" if self._statement is not None else f"a {self._kind()} of a file stands there as formulas: make it anew with its verb"
                refuse_keyword(f"controllers/{self.name}", name, value, self._settable(), reason)
            else:
                assign(self._statement, self._model, name, value)

        def __getattribute__(self, name: str):
            own = object.__getattribute__(self, "__dict__")
            statement = own.get("_statement")
            if statement is not None and name != "name" and not name.startswith("_") and name in statement.keywords:
                return statement.keywords[name]
            return object.__getattribute__(self, name)

        def __getattr__(self, name: str):
            raise AttributeError(f"{self._kind()} {self.__dict__.get('name', '')} has no {name!r}" + g.or_else(g.near(name, [*self._settable(), "value"])))


class ControllerVerbs:
    """The verb that makes controllers."""

    @verb("controllers")
    def controller(
        self,
        function: Callable | str | Sequence[str],
        *,
        period: float,
        inputs: Sequence[Quantity | str] | dict[str, Quantity | str] = (),
        outputs: Sequence[Any] = (),
        initial: Sequence[float] = (),
        memory: Sequence[float] = (),
        delay: float = 0.0,
        shown: int = 0,
        name: str = "",
    ) -> Controller:
        """At t = 0, period, 2 period, ... [s] `function` sets the outputs, which hold their values until the next sample.

        function: `f(t, *inputs)` -> the outputs' numbers; an input is a number, or an array if its quantity is a vector. With
        `memory` (initial values of what it keeps, such as an integral) `f(t, *inputs, memory)` -> (outputs, memory): what a
        controller keeps elsewhere is lost when a run goes on from a checkpoint. Or a `sl.Compiled` of (t, inputs, memory) ->
        (outputs, memory), all numbers in one row. Or expressions, one a number, of t and the
        names of the inputs, which are then a dict of numbers, and of m0, m1, ... in `memory`; new values of the memory come
        after the outputs. outputs: loads, joints driven by speed=, torque= or force=, "item.field", "item.field.x"; what
        they were given is replaced. initial: values before the first sample and in `static`, else 0. delay: time [s] from a sample until its
        outputs act; any, also no multiple of the period. `controller.value` is what the outputs hold; with `shown` the first numbers of the memory, as many as it says, and
        then there need be no outputs: other controllers read it.

        A controller of expressions stands in the model file, one of a function cannot be saved. Steps end exactly at the samples, where accelerations start anew; a speed that jumps acts like an impact of the drive.
        """
        name = self._free_name("controller", name)
        path = f"controllers/{name}"
        g.number(period, f"{path}/period", "s", above=0.0)
        written = isinstance(function, (str, list, tuple))
        if not written and not callable(function) and not _compiled(function):
            g.refuse(path, f"has the function {function!r}", "give a function f(t, *inputs), a sl.Compiled or an expression")
        if not written and not _compiled(function):
            _check_arguments(function, inputs, bool(len(memory)), path)
        if written and not isinstance(inputs, dict) and len(inputs):
            g.refuse(f"{path}/inputs", "are not named", 'write inputs={"x": cart.position.x} for an expression')
        named = inputs.items() if isinstance(inputs, dict) else ((f"u{i}", quantity) for i, quantity in enumerate(inputs))
        named = tuple(named)
        for key, _ in named:
            if written and (key == "t" or key in {f"m{i}" for i in range(len(memory))}):
                g.refuse(f"{path}/inputs", f"has the name {key!r}, which is the {'time' if key == 't' else 'memory'} in an expression", "choose another name")
        delay = g.number(delay, f"{path}/delay", "s")
        if delay < 0.0:
            g.refuse(f"{path}/delay", f"is {delay:g} s, must be at least 0")
        if isinstance(shown, bool) or not isinstance(shown, (int, np.integer)) or not 0 <= shown <= len(memory):
            g.refuse(f"{path}/shown", f"is {shown!r}, expected a whole number up to the {len(memory)} numbers of the memory")
        if (not outputs and not shown) or isinstance(outputs, (str, Handle)):
            g.refuse(f"{path}/outputs", f"is {outputs!r}", "give a list of loads or drives")
        made = Controller(
            self,
            name,
            float(period),
            function,
            tuple((key, self._output_path(quantity)) for key, quantity in named),
            tuple(self._output_name(output, path) for output in outputs),
            tuple(float(x) for x in initial),
            tuple(float(x) for x in memory),
            delay,
            int(shown),
        )
        if written:
            self._draft.controllers[name] = made._written()
        return made

    def _enter_controller(self, made: Controller, written: dict[str, Any] | None) -> None:
        """Takes a controller over, written or of a function, in the place of the one that had its name."""
        held = {name: fields for name, fields in self._engine.controllers.items() if name != made.name or written is not None}
        self._engine.controllers = held if written is None else {**held, made.name: written}
        places = [i for i, c in enumerate(self._controllers) if c.name == made.name]
        if places:
            self._controllers[places[0] : places[0] + 1] = [] if written is not None else [made]
        elif written is None:
            self._controllers.append(made)

    def _output_name(self, output, path: str) -> str:
        if isinstance(output, str):
            return output
        if not isinstance(output, Handle):
            g.refuse(f"{path}/outputs", f"has {output!r}", 'name loads, drives or "item.field"')
        self._own(output, path)
        driven = [part.name for part in getattr(output, "_parts", ()) if part.name.endswith("_drive")]
        if isinstance(output, Joint) and not driven:
            word = "force" if "position" in motions_left(self._engine.record(output.name)["type"]) else "torque"
            g.refuse(f"{path}/outputs", f"has {output.name!r}, a joint without a drive", f"give the joint what the controller sets: {word}=0.0, or speed=0.0")
        return (driven or [output.name])[0]

    def _bind_controllers(self) -> None:
        """Hands the controllers to the engine, which needs the widths of their inputs and outputs."""
        if not self._controllers:
            return
        self._engine.set_controllers([])
        system = self._engine.compile()
        none = (np.zeros(0), *(np.zeros((0, 1)),) * 4)
        given = []
        for c in self._controllers:
            widths = [system.evaluate(quantity, *none)[0].shape[1] for _, quantity in c.inputs]
            results = sum(self._engine.width_of(output) for output in c.outputs) + len(c.memory)
            arguments = 1 + sum(widths) + len(c.memory)
            function = c.function if _compiled(c.function) else _flat(c.function, widths, len(c.memory))
            paths = [quantity for _, quantity in c.inputs]
            given.append((c.name, c.period, function, arguments, results, paths, list(c.outputs), list(c.initial), list(c.memory), c.delay, c.shown))
        self._engine.set_controllers(given)


def _check_arguments(function: Callable, inputs: Any, keeps: bool, path: str) -> None:
    """Refuses a function that does not take the time, the inputs and the memory, one argument each."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # of a builtin
        return
    given = inputs.items() if isinstance(inputs, dict) else ((f"u{i}", quantity) for i, quantity in enumerate(inputs))
    words, said = ["t"], ["t"]
    for key, quantity in given:
        words.append(key)
        said.append(quantity if isinstance(quantity, str) else getattr(quantity, "label", key))
    if keeps:
        words.append("memory"), said.append("memory")
    try:
        signature.bind(*words)
    except TypeError:
        name = getattr(function, "__name__", "<lambda>")
        wanted = f"lambda {', '.join(words)}: ..." if name == "<lambda>" else f"def {name}({', '.join(words)})"
        g.refuse(path, f"has a function of {signature}, and is called with {len(words)} argument{'' if len(words) == 1 else 's'}: {', '.join(said)}", f"write {wanted}")


def single_inputs(model: Model, faults: Sequence[Fault]) -> list[Fault]:
    """Faults of written controllers, of which each input is one number, by the inputs that are several."""
    if not any("the time, its inputs, what it keeps" in fault.message for fault in faults):
        return list(faults)
    written = model._engine.controllers
    model._engine.controllers = {}
    try:
        system = model._engine.compile()
    except ModelError:
        return list(faults)
    finally:
        model._engine.controllers = written
    return [_single(system, written, fault) for fault in faults]


def _single(system: Any, written: dict[str, Any], fault: Fault) -> Fault:
    none = (np.zeros(0), *(np.zeros((0, 1)),) * 4)
    fields = written.get(fault.path.partition("/")[2], {})
    for quantity in fields.get("inputs", {}).values():
        values, _, components = system.evaluate(quantity, *none)
        if values.shape[1] > 1:
            part = "a component of each vector, such as .x" if quantity.startswith("=") else f"{quantity}.{components[0]}"
            return replace(fault, message=f"reads {quantity}, which has {values.shape[1]} numbers, where it takes one", remedy=f"write {part}")
    return fault


def _compiled(function) -> bool:
    return hasattr(function, "_saltus_compiled")


def _flat(function: Callable, widths: list[int], kept: int) -> Callable:
    """The function on numbers in one row, as the engine calls it."""
    ends = np.cumsum([1, *widths])

    def call(*numbers):
        row = np.array(numbers)
        inputs = [
            float(row[a]) if b - a == 1 else row[a:b] for a, b in zip(ends[:-1], ends[1:], strict=True)
        ]
        if not kept:
            return np.atleast_1d(np.asarray(function(numbers[0], *inputs), dtype=float)).ravel().tolist()
        outputs, memory = function(numbers[0], *inputs, row[ends[-1] :])
        return np.concatenate([np.ravel(np.asarray(part, dtype=float)) for part in (outputs, memory)]).tolist()

    return call
