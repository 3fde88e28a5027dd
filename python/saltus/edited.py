"""A model without some of its items. Works on the records of the engine, so that functions of the program stay."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from saltus import geometry as g
from saltus import reading
from saltus.handles import Body, Handle
from saltus.included import Included
from saltus.submodels import BRACES, SECTIONS, WORD, names_in, port_kinds
from saltus.verbs.controllers import Controller

if TYPE_CHECKING:
    from saltus.model import Model

GROUPS = ("contact", "contact_force", "penalty_contact", "no_contact", "contact_layer", "sleep", "presence")  # go on with fewer members


class _Cut:
    """The items that go: those that are named, their parts, and what cannot be without them."""

    def __init__(self, model: Model, tree: dict[str, Any]):
        self.model, self.tree = model, tree
        self.gone: set[str] = set()
        self.records = {name: (section, fields) for section in SECTIONS for name, fields in tree[section].items()}

    def take(self, name: str) -> None:
        """An item with its parts: shape, drive, stops, elements, points."""
        waiting = [name]
        while waiting:
            name = waiting.pop()
            if name in self.gone:
                continue
            self.gone.add(name)
            waiting += [part for part, (owner, _) in self.model._part_of.items() if owner == name]
            waiting += [part.name for part in getattr(self.model[name], "_parts", ()) if isinstance(part, Handle)]
            waiting += [*self.model._points_of(name), *reading.elements_of(self.model, name)]

    def spread(self) -> None:
        """Until nothing is left that names what goes; nodes that nothing uses any more go, too."""
        users = self.users()
        count = -1
        while count != len(self.gone):
            count = len(self.gone)
            for name, (section, fields) in self.records.items():
                if name in self.gone:
                    continue
                if self.falls(section, fields) or (section == "nodes" and self.bare(users.get(name, set()))):
                    self.take(name)

    def bare(self, users: set[str]) -> bool:
        """Whether a node with these users has lost its bodies, or, where it has none, all that names it."""
        carried = {user for user in users if self.records[user][0] == "bodies"} or users
        return bool(carried) and carried <= self.gone

    def users(self) -> dict[str, set[str]]:
        out: dict[str, set[str]] = {}
        for name, (section, fields) in self.records.items():
            for port in port_kinds(section, str(fields.get("type"))):
                for named in names_in(fields.get(port)):
                    out.setdefault(named, set()).add(name)
        return out

    def falls(self, section: str, fields: dict[str, Any]) -> bool:
        """Whether an item names one that goes. A group goes on with its other members, a layer also where it meets none any more."""
        kind = str(fields.get("type"))
        for port in port_kinds(section, kind):
            value = fields.get(port)
            if not any(name in self.gone for name in names_in(value)):
                continue
            if kind not in GROUPS or not isinstance(value, list) or not (self.kept(value) or port == "meets"):
                return True
        return False

    def kept(self, members: list[Any]) -> list[Any]:
        return [member for member in members if not any(name in self.gone for name in names_in(member))]

    def path(self, value: Any) -> bool:
        """Whether the path or formula of a quantity names an item that goes."""
        if isinstance(value, dict):
            return any(map(self.path, value.values()))
        if isinstance(value, (list, tuple)):
            return any(map(self.path, value))
        return isinstance(value, str) and any(word in self.gone for word in (*BRACES.findall(value), *WORD.findall(value)))

    def controllers(self) -> dict[str, Any]:
        """Those that stay: who reads one that goes, goes too."""
        controllers = self.tree["controllers"]
        while fall := {name for name, c in controllers.items() if name not in self.gone and self.path([c.get("inputs"), c.get("outputs")])}:
            self.gone |= fall
        return {name: c for name, c in controllers.items() if name not in self.gone}

    def shrunk(self) -> Iterator[tuple[str, str, list[Any]]]:
        """(group, side, its members that stay) of groups that lose some."""
        for name, (section, fields) in self.records.items():
            if name in self.gone or fields.get("type") not in GROUPS:
                continue
            for port in port_kinds(section, str(fields["type"])):
                members = fields.get(port)
                if isinstance(members, list) and len(kept := self.kept(members)) < len(members):
                    yield name, port, kept


def _tree(model: Model) -> dict[str, Any]:
    """Records by section and name, as a model file has them; a function of the program is a word."""
    engine = model._engine
    tree: dict[str, Any] = {section: {} for section in SECTIONS}
    for section, kind, name in engine.records():
        tree[section][name] = {"type": kind, **engine.record(name)["fields"]}
    of_program = {c.name: {"inputs": [path for _, path in c.inputs], "outputs": list(c.outputs)} for c in model._controllers}
    return {**tree, "controllers": {**engine.controllers, **of_program}, "outputs": dict(engine.outputs)}


def without(model: Model, items: tuple[Any, ...]) -> Model:
    """See Model.without."""
    cut = _Cut(model, _tree(model))
    for item in (one for given in items for one in (given if isinstance(given, (list, tuple)) else (given,))):
        if not isinstance(item, (str, Handle, Included)):
            g.refuse("without", f"is given {g.short(item)}, expected items", 'write m.without("rod", motor)')
        if isinstance(item, Included):
            item._of(model, "without")
            for name in item:
                cut.take(f"{item._name}_{name}")
            continue
        handle = model[item] if isinstance(item, str) else item
        model._own(handle, "without")
        if handle is model.ground:
            g.refuse("without", "is given the ground, without which no model is", "name bodies, joints, forces")
        cut.take(handle.name)
    cut.spread()
    stay = cut.controllers()
    engine = model._engine.copy()
    for name, side, members in cut.shrunk():
        engine.set(name, side, members)
    if gone := [name for name in cut.records if name in cut.gone]:
        engine.replace([(gone, [])])
    engine.controllers = {name: fields for name, fields in engine.controllers.items() if name in stay}
    engine.outputs = {name: path for name, path in engine.outputs.items() if not cut.path(path)}
    made = type(model)._of(engine)
    made._planar = model._planar
    for c in model._controllers:
        if c.name in stay:
            made._controllers.append(Controller(made, c.name, c.period, c.function, c.inputs, c.outputs, c.initial, c.memory, c.delay, c.shown))
    made._names.update({name: place for name, place in model._names.items() if name in made._names or name in stay})
    for name, body in model._handles.items():
        if isinstance(body, Body) and body._look and name in made:
            made[name]._look = body._look
    return made
