"""Every item of the engine as a typed class, made from its own table: `saltus.items.SpringDamper(stiffness=100)`.

Classes come to be when they are first used; `saltus/items.pyi` holds their signatures for editors and type checkers
(`python -m saltus.items_stub` writes it).
"""

from __future__ import annotations

import inspect
from functools import lru_cache
from typing import Any

from saltus.errors import methods_at_their_lines

__all__ = ["Item", "names"]


class Item:
    """An item that is not yet in a model: `m.add(item)` puts it there. `fields` holds what was given."""

    section = ""
    type = ""
    _known: tuple[str, ...] = ()
    _required: tuple[str, ...] = ()

    def __init__(self, *, name: str = "", **fields: Any):
        from saltus.geometry import near, refuse

        path = f"{self.section}/{name or self.type}"
        for key in fields:
            if key not in self._known:
                refuse(
                    f"{path}/{key}",
                    f"is {fields[key]!r}, and not a field of {type(self).__name__}",
                    near(key, self._known) or f"it has {', '.join(self._known)}",
                )
        missing = [key for key in self._required if fields.get(key) is None]
        if missing:
            refuse(f"{path}/{missing[0]}", "is missing", f"{type(self).__name__} needs {', '.join(self._required)}")
        self.name = name
        self._in = ""  # name of the item that a model made of it
        self.fields = {key: value for key, value in fields.items() if value is not None}

    def __getattr__(self, key: str) -> Any:
        if key in self._known:
            return self.fields.get(key)
        from saltus.geometry import near, or_else

        raise AttributeError(f"{type(self).__name__} has no {key!r}" + or_else("" if key.startswith("_") else near(key, self._known)))

    def __setattr__(self, key: str, value: Any) -> None:
        if key.startswith("_") or (key in ("name", "fields") and key not in self.__dict__):
            object.__setattr__(self, key, value)
            return
        from saltus.statements import refuse_keyword

        path = f"{self.section}/{self.name or self.type}"
        if self._in:
            refuse_keyword(path, key, value, [], f"is in a model: a change of it would not reach its item; write m[{self._in!r}].{key} = {value!r}")
        if key not in self._known and key != "name":
            refuse_keyword(path, key, value, [*self._known])
        if key == "name":
            object.__setattr__(self, key, value)
        elif value is None:
            self.fields.pop(key, None)
        else:
            self.fields[key] = value

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{key}={value!r}' for key, value in self.fields.items())})"


@lru_cache(maxsize=1)
def table() -> dict[str, dict[str, Any]]:
    """The engine's table of items by class name."""
    from saltus import _core

    out: dict[str, dict[str, Any]] = {}
    for entry in _core.items():
        name = "".join(word.capitalize() for word in entry["name"].split("_"))
        if name in out:
            name += entry["family"].removesuffix("s").capitalize()
        out[name] = entry
    return out


def names() -> list[str]:
    """Names of all classes."""
    return sorted(table())


def field_text(field: dict[str, Any]) -> str:
    """`stiffness [N/m]: k, axial stiffness; at least 0; default 0`."""
    unit = f" [{field['unit']}]" if field.get("unit") else ""
    words = [field["doc"]] if field.get("doc") else []
    if field.get("range"):
        words.append(str(field["range"]))
    if field.get("required"):
        words.append("required")
    elif field.get("default") is not None:
        words.append(f"default {_default(field['default'])}")
    return f"{field['name']}{unit}: {'; '.join(words)}"


def _default(value: Any) -> str:
    """A default as text; `0, 6 x 6` of a matrix of zeros."""
    rows = value if isinstance(value, list) else []
    if rows and all(isinstance(row, list) and not any(row) for row in rows):
        return f"0, {len(rows)} x {len(rows[0])}"
    return f"{value:g}" if isinstance(value, float) else str(value)


def docstring(name: str, entry: dict[str, Any]) -> str:
    """What it is, what it joins, its fields, and where it is written."""
    lines = [entry["doc"], ""]
    lines += [field_text(port) + JOINED.get(port["kind"], "") for port in entry["ports"]]
    lines += [field_text(field) for field in entry["fields"]]
    given = [key for key, _, required in parameters(entry) if required]
    program = f"m.add(sl.items.{name}({', '.join(f'{key}=...' for key in given)}))"
    file = ", ".join([f'"type": "{entry["name"]}"', *(f'"{key}": ...' for key in given)])
    lines += [
        "",
        f"In a program: `{program}`, which returns its handle.",
        f'In a model file: {{"{entry["family"]}": {{"NAME": {{{file}}}}}}}.',
        "A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.",
    ]
    return "\n".join(lines).rstrip()


JOINED = {
    "frame": " (a body, a frame, or the name of one)",
    "coordinate": " (a node, or {node, coordinate})",
    "law": " (a law of saltus.items, or its name)",
    "node": " (a node of saltus.items, or its name)",
}
KINDS = {
    "number": "Number",
    "integer": "int | str",
    "boolean": "bool",
    "text": "str",
    "vector3": "Vector",
    "matrix3": "Matrix",
    "numbers": "Vector",
    "matrix": "Matrix",
    "function": "Function",
    "function_matrix": "FunctionMatrix",
}
PORTS = {
    "point": "Vector | Handle",
    "direction": "str | Vector",
    "rotation": "Vector",
    "law": "str | Item | Handle",
    "node": "str | Item | Handle",
}


def parameters(entry: dict[str, Any]) -> list[tuple[str, str, bool]]:
    """(name, annotation, required) of each keyword: what it joins first, then its fields."""
    out = [(port["name"], PORTS.get(port["kind"], "Reference"), bool(port["required"])) for port in entry["ports"]]
    return out + [
        (field["name"], KINDS.get(field["kind"], "Any"), bool(field["required"])) for field in entry["fields"]
    ]


def __getattr__(name: str) -> type[Item]:
    entry = table().get(name) if not name.startswith("_") else None
    if entry is None:
        from saltus.geometry import near, or_else

        raise AttributeError(f"module 'saltus.items' has no item {name!r}" + or_else("" if name.startswith("_") else near(name, names())))  # each import asks for __path__
    keywords = parameters(entry)
    signature = inspect.Signature(
        [
            inspect.Parameter(
                key,
                inspect.Parameter.KEYWORD_ONLY,
                annotation=annotation,
                default=inspect.Parameter.empty if required else None,
            )
            for key, annotation, required in keywords
        ]
        + [inspect.Parameter("name", inspect.Parameter.KEYWORD_ONLY, annotation="str", default="")]
    )
    made = type(
        name,
        (Item,),
        {
            "__doc__": docstring(name, entry),
            "__module__": __name__,
            "__signature__": signature,
            "section": entry["family"],
            "type": entry["name"],
            "_known": tuple(key for key, _, _ in keywords),
            "_required": tuple(key for key, _, required in keywords if required),
        },
    )
    globals()[name] = made
    return made


def __dir__() -> list[str]:
    return sorted([*__all__, *table()])


methods_at_their_lines(Item)
