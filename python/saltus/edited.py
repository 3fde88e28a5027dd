"""A model without some of its items. Works on the tree of a model file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from saltus import geometry as g
from saltus import reading
from saltus.handles import Body, Handle
from saltus.submodels import BRACES, REFERENCES, SECTIONS, WORD, port_kinds

if TYPE_CHECKING:
    from saltus.model import Model

GROUPS = ("contact", "contact_force", "penalty_contact", "no_contact", "sleep", "presence")  # go on with fewer members


class _Cut:
    """The items that go: those that are named, their parts, and what cannot be without them."""

    def __init__(self, model: Model, tree: dict[str, Any]):
        self.model, self.tree = model, tree
        self.gone: set[str] = set()
        self.records = {name: (section, fields) for section in SECTIONS for name, fields in tree.get(section, {}).items()}

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
                if self.falls(section, fields) or (section == "nodes" and users.get(name) and users[name] <= self.gone):
                    self.take(name)

    def users(self) -> dict[str, set[str]]:
        out: dict[str, set[str]] = {}
        for name, (section, fields) in self.records.items():
            for port in port_kinds(section, str(fields.get("type"))):
                for named in _names(fields.get(port)):
                    out.setdefault(named, set()).add(name)
        return out

    def falls(self, section: str, fields: dict[str, Any]) -> bool:
        """Whether an item names one that goes. A group goes on with its other members."""
        kind = str(fields.get("type"))
        for port in port_kinds(section, kind):
            value = fields.get(port)
            if not any(name in self.gone for name in _names(value)):
                continue
            if kind not in GROUPS or not isinstance(value, list) or not self.kept(value):
                return True
        return False

    def kept(self, members: list[Any]) -> list[Any]:
        return [member for member in members if not any(name in self.gone for name in _names(member))]

    def path(self, value: Any) -> bool:
        """Whether the path or formula of a quantity names an item that goes."""
        if isinstance(value, dict):
            return any(map(self.path, value.values()))
        if isinstance(value, (list, tuple)):
            return any(map(self.path, value))
        return isinstance(value, str) and any(word in self.gone for word in (*BRACES.findall(value), *WORD.findall(value)))

    def rest(self) -> dict[str, Any]:
        out = dict(self.tree)
        for section in SECTIONS:
            if section not in out:
                continue
            out[section] = {name: self.record(section, fields) for name, fields in out[section].items() if name not in self.gone}
        controllers = self.tree.get("controllers", {})
        while fall := {name for name, c in controllers.items() if name not in self.gone and self.path([c.get("inputs"), c.get("outputs")])}:
            self.gone |= fall  # who reads them goes, too
        out["controllers"] = {name: c for name, c in controllers.items() if name not in self.gone}
        out["outputs"] = {name: path for name, path in self.tree.get("outputs", {}).items() if not self.path(path)}
        return {key: value for key, value in out.items() if value not in ({}, None)}

    def record(self, section: str, fields: dict[str, Any]) -> dict[str, Any]:
        if fields.get("type") not in GROUPS:
            return fields
        ports = port_kinds(section, str(fields["type"]))
        return {key: self.kept(value) if key in ports and isinstance(value, list) else value for key, value in fields.items()}


def _names(value: Any) -> list[str]:
    """Items that a port names: "rod", "rod.node", {"body": "rod", ...}, or a list of such."""
    if isinstance(value, str):
        return [value, value.partition(".")[0]]
    if isinstance(value, dict):
        return [name for key in REFERENCES if key in value for name in _names(value[key])]
    if isinstance(value, (list, tuple)):
        return [name for entry in value for name in _names(entry)]
    return []


def without(model: Model, items: tuple[Any, ...]) -> Model:
    """See Model.without."""
    tree = json.loads(model._text())
    cut = _Cut(model, tree)
    for item in items:
        if not isinstance(item, (str, Handle)):
            g.refuse("without", f"is given {g.short(item)}, expected items", 'write m.without("rod", motor)')
        handle = model[item] if isinstance(item, str) else item
        model._own(handle, "without")
        if handle is model.ground:
            g.refuse("without", "is given the ground, without which no model is", "name bodies, joints, forces")
        cut.take(handle.name)
    cut.spread()
    made = type(model).parse(json.dumps(cut.rest()))
    for name, body in model._handles.items():
        if isinstance(body, Body) and body._look and name in made:
            made[name]._look = body._look
    return made
