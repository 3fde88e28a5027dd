"""What a verb was given is kept with what it made, so that an assignment to a handle makes its item anew, in its place.

`ball.mass = 2` calls the verb of the ball again with the other mass: all that follows from it (inertia, the box's corners in its
contacts, a joint at its end) follows again, and the model is the one that the program would have built with that value.
"""

from __future__ import annotations

import heapq
import inspect
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from saltus import geometry as g
from saltus.errors import Fault, ModelError

if TYPE_CHECKING:
    from saltus.model import Model

Record = tuple[str, str, str, dict[str, Any]]  # section, type, name, fields

FIXED = {"name": "names stay as they are", "A": "what an item joins stays", "B": "what an item joins stays",
         "shaft": "what an item joins stays", "parent": "what a link stands on stays", "base": "what a tree stands on stays",
         **dict.fromkeys(("A2", "B2", "U", "V", "W", "control", "windings", "plus", "minus", "out", "ground", "collector", "emitter", "drain", "gate", "source"), "what an element joins stays"),
         **dict.fromkeys(("pinion", "slide", "case", "left", "right", "sun", "carrier", "ring", "drum"), "what a gear joins stays")}  # fmt: skip
EITHER = ({"mass", "density"}, {"gain", "poles"})  # of these keywords the one that is assigned replaces the other


@dataclass
class Draft:
    """What a verb makes before the model takes it over: all of it or, where something is refused, nothing."""

    records: list[Record] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    own: frozenset[str] = frozenset()  # names of the items that are made anew
    part_of: dict[str, tuple[str, str]] = field(default_factory=dict)
    controllers: dict[str, dict[str, Any]] = field(default_factory=dict)  # written ones
    warnings: list[Fault] = field(default_factory=list)  # of the verb


@dataclass(eq=False, slots=True)
class Statement:
    """One call of a verb."""

    number: int
    verb: Callable[..., Any]
    given: dict[str, Any]
    section: str
    names: tuple[str, ...] = ()  # of its records
    made: Any = None  # its handle
    warnings: tuple[Fault, ...] = ()  # of the call

    @property
    def keywords(self) -> dict[str, Any]:
        """All keywords with the values that hold."""
        return {key: self.given.get(key, default) for key, default in defaults(self.verb).items()}


@cache
def defaults(verb: Callable[..., Any]) -> dict[str, Any]:
    """Keywords of a verb with their defaults."""
    parameters = list(inspect.signature(verb).parameters.values())[1:]
    return {p.name: None if p.default is p.empty else p.default for p in parameters}


class Unchanging(dict):
    """A dict of a model that is shown and not taken back: a change of it would be lost, and is refused."""

    def _refuse(self, *_: Any, **__: Any):
        g.refuse("fields", "are a copy: a change of them would not reach the model", "assign to the item, as in spring.stiffness = 100, or use .set(stiffness=100)")

    __setitem__ = __delitem__ = __ior__ = update = pop = popitem = clear = setdefault = _refuse  # type: ignore[assignment]

    def __reduce__(self):
        return (dict, (dict(self),))


class Row(list):
    """A list that is shown and not taken back."""

    def _refuse(self, *_: Any, **__: Any):
        Unchanging._refuse(self)  # type: ignore[arg-type]

    __setitem__ = __delitem__ = __iadd__ = __imul__ = append = extend = insert = pop = remove = clear = sort = reverse = _refuse  # type: ignore[assignment]

    def __reduce__(self):
        return (list, (list(self),))


def shown(value: Any) -> Any:
    """A value of the model as its reader gets it: what is changed there and would be lost is refused."""
    if isinstance(value, dict):
        return Unchanging({key: shown(entry) for key, entry in value.items()})
    if isinstance(value, list):
        return Row(shown(entry) for entry in value)
    return value


class Entries(dict):
    """A dict of the model; what is changed in it is changed in the model."""

    def __init__(self, values: dict[str, Any], put: Callable[[dict[str, Any]], None]):
        super().__init__({key: shown(value) for key, value in values.items()})
        self._put = put

    def _changed(self, change: Callable[[dict[str, Any]], Any]) -> Any:
        values = dict(self)
        out = change(values)
        self._put(values)
        super().clear()
        super().update(values)
        return out

    def __setitem__(self, key, value):
        self._changed(lambda values: values.__setitem__(key, value))

    def __delitem__(self, key):
        self._changed(lambda values: values.__delitem__(key))

    def __ior__(self, other):  # type: ignore[override]
        self.update(other)
        return self

    def update(self, *others, **entries):
        self._changed(lambda values: values.update(*others, **entries))

    def pop(self, *arguments):
        return self._changed(lambda values: values.pop(*arguments))

    def popitem(self):
        return self._changed(lambda values: values.popitem())

    def clear(self):
        self._changed(lambda values: values.clear())

    def setdefault(self, key, default=None):
        return self._changed(lambda values: values.setdefault(key, default))

    def __reduce__(self):
        return (dict, (dict(self),))


class LeadsToItems:
    """What a verb may be given for items: handles and quantities."""

    def _names(self) -> Iterator[str]:
        """Names of the items."""
        raise NotImplementedError


def kept(value: Any) -> Any:
    """What was given, as it was then: arrays and lists of the program may change later."""
    if isinstance(value, np.ndarray):
        copy = value.copy()
        copy.setflags(write=False)
        return copy
    if isinstance(value, (list, tuple)) and type(value) in (list, tuple):
        return tuple(kept(entry) for entry in value)
    if type(value) is dict:
        return Unchanging({key: kept(entry) for key, entry in value.items()})
    if hasattr(value, "vertices") and hasattr(value, "faces"):  # a mesh of trimesh
        return deepcopy(value)
    return value


def named(value: Any) -> Iterator[str]:
    """Names of the items that an argument of a verb leads to."""
    if isinstance(value, LeadsToItems):
        yield from value._names()
    elif isinstance(value, str):
        yield value
    elif isinstance(value, (list, tuple)) and not all(isinstance(entry, (int, float)) for entry in value):
        for entry in value:
            yield from named(entry)


def state(model: Model, verb: Callable[..., Any], section: str, given: dict[str, Any]) -> Any:
    """Calls a verb and takes over what it made."""
    given = {key: kept(value) for key, value in given.items()}
    statement = Statement(len(model._statements), verb, given, section)
    draft = Draft()
    statement.made = _called(model, statement, given, draft)
    enter(model, statement, draft)
    if "name" in defaults(verb):
        given["name"] = statement.made.name
    return statement.made


def enter(model: Model, statement: Statement, draft: Draft) -> None:
    """Takes over what a new statement made."""
    _replace(model, [([], _placed(draft))])
    statement.names = tuple(name for _, _, name, _ in draft.records)
    _register(model, statement, draft)
    model._statements.append(statement)
    for value in statement.given.values():
        for name in named(value):
            if name in model._names or name in model._handles:
                model._users.setdefault(name, []).append(statement)
    made = statement.made
    made._statement = statement
    model._handles[made.name] = made


def _replace(model: Model, records: list[Any]) -> None:
    """Puts records into the model; what it cannot hold is refused at the caller's line."""
    for _, made in records:
        for section, _, name, fields, *_ in made:
            for key, value in fields.items():
                if isinstance(value, complex):
                    g.refuse(f"{section}/{name}/{key}", f"is {value!r}, a complex number", "give a real one")
    try:
        model._engine.replace(records)
    except ModelError as error:
        file, line = g.caller()
        raise ModelError([fault if fault.line else replace(fault, file=file, line=line) for fault in error.faults]) from None


def _called(model: Model, statement: Statement, given: dict[str, Any], draft: Draft) -> Any:
    before, model._draft = model._draft, draft
    try:
        with g.hearing() as draft.warnings:
            return statement.verb(model, **given)
    finally:
        model._draft = before


def _placed(draft: Draft) -> list[tuple[Any, ...]]:
    place = g.caller()
    return [(*record, *place) for record in draft.records]


@lru_cache(maxsize=1024)
def _registered(section: str, place: tuple[str, int]) -> tuple[str, tuple[str, int]]:
    """One pair for all items of a section that a line makes."""
    return section, place


def _register(model: Model, statement: Statement, draft: Draft) -> None:
    place = g.caller()
    for section, _, name, _ in draft.records:
        model._names[name] = _registered(section, place)
    if statement.section == "controllers":
        model._names[statement.made.name] = ("controllers", place)
        model._enter_controller(statement.made, draft.controllers.get(statement.made.name))
    model._part_of.update(draft.part_of)
    statement.warnings = tuple(draft.warnings)


def assign(statement: Statement, model: Model, keyword: str, value: Any) -> None:
    """Gives a statement another value of a keyword and makes its item, and all that follow from it, anew; all or nothing."""
    changed = {**statement.given, keyword: kept(value)}
    for either in EITHER:
        if keyword in either and value is not None:
            changed.update(dict.fromkeys((either - {keyword}) & statement.given.keys()))
    undo: list[tuple[Any, dict[str, Any]]] = []
    done: list[tuple[Statement, dict[str, Any], Draft]] = []
    waiting, seen = [(statement.number, changed)], {statement.number}
    try:
        while waiting:
            number, given = heapq.heappop(waiting)
            one = model._statements[number]
            draft = Draft(own=frozenset({*one.names, one.made.name}))
            was = _kept_by_hand(model, one)
            made = _called(model, one, given, draft)
            _by_hand(model, draft, was)
            moved = one.made._place_changed(made)
            undo.append((one.made, dict(one.made.__dict__)))
            one.made._become(made)
            done.append((one, given, draft))
            for user in [user for name in {one.made.name, *one.names} for user in model._users.get(name, ())] if moved else ():
                if user.number not in seen:
                    seen.add(user.number)
                    heapq.heappush(waiting, (user.number, user.given))
        _replace(model, [(list(one.names), _placed(draft)) for one, _, draft in done])
    except BaseException:
        for made, before in undo:
            made.__dict__.clear()
            made.__dict__.update(before)
        raise
    for one, given, draft in done:
        one.given = given
        for name in one.names:
            if name not in draft.names:
                model._names.pop(name, None)
        one.names = tuple(name for _, _, name, _ in draft.records)
        _register(model, one, draft)


def _kept_by_hand(model: Model, statement: Statement) -> dict[str, dict[str, Any]]:
    """What the statement wrote into the fields that were changed by `set`, by record."""
    if not any(name in model._set for name in statement.names):
        return {}
    draft = Draft(own=frozenset({*statement.names, statement.made.name}))
    _called(model, statement, statement.given, draft)
    return {name: fields for _, _, name, fields in draft.records if name in model._set}


def _by_hand(model: Model, draft: Draft, was: dict[str, dict[str, Any]]) -> None:
    """Fields changed by `set` stay changed, but where the new value of a keyword is another one for them."""
    for _, _, name, fields in draft.records:
        for key, value in model._set.get(name, {}).items() if name in was else ():
            if _same(fields.get(key), was[name].get(key)):
                fields[key] = value


def _same(a: Any, b: Any) -> bool:
    try:
        return bool(a is b or a == b)
    except ValueError:  # arrays
        return False


def refuse_keyword(what: str, keyword: str, value: Any, known: list[str], reason: str = "") -> None:
    """Raises what an assignment to a name does that cannot be set."""
    can = f"it takes {', '.join(known)}" if known else "" if reason else "it has nothing to set"
    near = "" if reason else g.near(keyword, known)
    raise_at = reason or f"has no {keyword!r} to set (= {g.short(value)})"
    g.refuse(what, raise_at, f"{near} {can[0].upper()}{can[1:]}" if near else can)


__all__ = ["Draft", "Entries", "ModelError", "Statement", "Unchanging", "assign", "enter", "shown", "state"]
