"""Layers of contacts: which shapes stand in them, and which of them may touch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from saltus.handles import Body, Handle
    from saltus.model import Model


@dataclass(frozen=True)
class Layer:
    """Names of the shapes in it, and of the layers that it meets."""

    shapes: frozenset[str]
    meets: frozenset[str]


def layers_of(model: Model) -> dict[str, Layer]:
    """The layers of a model, by name."""
    engine = model._engine
    records = {name: engine.record(name)["fields"] for _, kind, name in engine.records() if kind == "contact_layer"}
    return {name: Layer(_names(fields.get("shapes")), _names(fields.get("meets"))) for name, fields in records.items()}


def layers_meet(layers: dict[str, Layer], a: str, b: str) -> bool:
    """Whether two shapes may touch by their layers; those in none touch all."""
    of_a, of_b = ({name for name, layer in layers.items() if shape in layer.shapes} for shape in (a, b))
    if not of_a or not of_b:
        return True
    return any(y in layers[x].meets or x in layers[y].meets for x in of_a for y in of_b)


def bodies_in(layer: Handle) -> list[Body]:
    """The bodies in a layer that a verb or a model gave."""
    model = layer._model
    shapes = sorted(layers_of(model)[layer.name].shapes)
    names = [name for shape in shapes for name in (shape.removesuffix("_shape"), shape) if name in model]
    return [body for name in dict.fromkeys(names) if getattr(body := model[name], "_shape", None)]


def body_of(model: Model, end: Any) -> str:
    """The body that carries a frame or shape of a record, or ""."""
    while isinstance(end, dict) or (isinstance(end, str) and model._names.get(end, ("",))[0] == "markers"):
        end = end.get("body") if isinstance(end, dict) else model._engine.record(end)["fields"].get("body")
    return end if isinstance(end, str) else ""


def _names(value: Any) -> frozenset[str]:
    return frozenset([value] if isinstance(value, str) else value or ())


__all__ = ["Layer", "bodies_in", "body_of", "layers_meet", "layers_of"]
