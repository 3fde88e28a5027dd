"""What `m.include(...)` returns: the items of a model inside another, by their own names."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from saltus import geometry as g
from saltus import reading
from saltus.rotations import turn_vector
from saltus.submodels import SECTIONS, placed

if TYPE_CHECKING:
    from saltus.model import Model


class Included:
    """Items of a model that was included: `arm["rod"]`, `arm.rod` is the item `left_rod` of the model; `list(arm)` has their names."""

    def __init__(self, model: Model, name: str, items: tuple[str, ...]):
        self._model, self._name, self._items = model, name, items

    def __getitem__(self, name: str) -> Any:
        """The handle of an item by the name that it has in its own model."""
        full = f"{self._name}_{name}"
        if full in self._model or self._model._points_of(full) or reading.elements_of(self._model, full):
            return self._model[full]
        return g.refuse(f"{self._name}/{name}", "is not an item of the model that was included", g.near(name, self._items) or f"it has {', '.join(self._items[:8])}")

    if not TYPE_CHECKING:

        def __getattr__(self, name: str):
            if name.startswith("_"):
                raise AttributeError(name)
            return self[name]

    else:

        def __getattr__(self, name: str) -> Any: ...

    def _of(self, model: Model, role: str) -> None:
        if self._model is not model:
            g.refuse(role, f"is given {self._name}, which was included in another model", "take what this model includes")

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __repr__(self) -> str:
        return f"<{self._name}: {len(self)} items that were included>"


def include(model: Model, given: Any, name: str, position: Any, rotation: Any, parameters: Mapping[str, Any] | None) -> Included:
    """See Model.include."""
    from saltus.model_files import placement, tree_of

    path = f"include/{name}"
    if isinstance(given, type(model)):
        tree = json.loads(given._text())
        planar = given.planar
    elif isinstance(given, (str, os.PathLike)):
        tree = tree_of(Path(given).resolve(), (), f"{path}/file")
        planar = None
    else:
        g.refuse(path, f"is {g.short(given)}, expected a model or a model file", 'write m.include("arm.json", name="left")')
    if planar is not None and planar != model.planar and len(given):
        g.refuse(path, "is planar, and this model is not" if planar else "is not planar, and this model is", "make both with the same `planar`")
    turn = None if rotation is None else turn_vector(rotation, f"{path}/rotation").tolist()
    where = placement(name, None if position is None else model._point(position, f"{path}/position").tolist(), turn, dict(parameters) if parameters is not None else None, path)
    part = placed(tree, where)
    for section in (*SECTIONS, "controllers"):
        for item in part.get(section, {}):
            if model._taken(item):
                g.refuse(f"{section}/{item}", "is there already", "include the model under another name")
    engine = model._engine
    for entries in ("parameters", "tables", "outputs"):
        if entries in part:
            setattr(engine, entries, {**getattr(engine, entries), **part[entries]})
    for section in SECTIONS:
        for item, fields in part.get(section, {}).items():
            fields = dict(fields)
            model._add(section, fields.pop("type"), item, fields)
    place = g.caller()
    if "controllers" in part:
        engine.controllers = {**engine.controllers, **part["controllers"]}
        model._names.update(dict.fromkeys(part["controllers"], ("controllers", place)))
    model._part_of.update({item: owner for item, owner in reading.parts(model).items() if item.startswith(where.prefix)})
    names = tuple(item.removeprefix(where.prefix) for section in (*SECTIONS, "controllers") for item in part.get(section, {}))
    return Included(model, name, names)
