"""Writes `items.pyi` and `schemes.pyi`, the typed signatures of `saltus.items` and `saltus.schemes`: `python -m saltus.items_stub [FOLDER]`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

HEAD = '''"""Written by `python -m saltus.items_stub` from the engine's table of items: do not edit."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from saltus.compiled import Compiled
from saltus.handles import Handle

Number = float | str | np.floating[Any] | np.integer[Any]
Vector = Sequence[Number] | NDArray[Any]
Matrix = Sequence[Sequence[Number]] | Sequence[Number] | NDArray[Any]
Function = Number | Vector | Callable[..., Any] | Compiled
FunctionMatrix = Sequence[Sequence[Number]] | NDArray[Any] | Callable[..., Any] | Compiled
Reference = Handle | str | dict[str, Any]

class Item:
    section: str
    type: str
    name: str
    fields: dict[str, Any]
    def __init__(self, *, name: str = ..., **fields: Any) -> None: ...

def names() -> list[str]: ...
def table() -> dict[str, dict[str, Any]]: ...
'''


def text() -> str:
    """The stub of all items of this engine."""
    from saltus import items

    parts = [HEAD]
    for name, entry in sorted(items.table().items()):
        doc = items.docstring(name, entry).replace("\\", "\\\\").splitlines()
        keywords = [
            f"{key}: {kind}" if required else f"{key}: {kind} | None = ..."
            for key, kind, required in items.parameters(entry)
        ]
        lines = [
            f"class {name}(Item):",
            f'    """{doc[0]}',
            *(f"    {line}".rstrip() for line in doc[1:]),
            '    """',
            *(f"    {key}: {kind if required else f'{kind} | None'}" for key, kind, required in items.parameters(entry)),
            "    def __init__(",
            "        self,",
            "        *,",
            *(f"        {keyword}," for keyword in [*keywords, "name: str = ..."]),
            "    ) -> None: ...",
        ]
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


SCHEMES_HEAD = '''"""Written by `python -m saltus.items_stub` from the engine's table of schemes: do not edit."""

from typing import Any, Literal, TypeAlias

SchemeName: TypeAlias = Literal[{names}]

class Scheme:
    name: str
    options: dict[str, Any]
    def __init__(self, name: str, **options: Any) -> None: ...

def table() -> dict[str, dict[str, Any]]: ...
def docstring(entry: dict[str, Any]) -> str: ...
'''


def _option_type(field: dict[str, Any]) -> str:
    if field.get("choices"):
        return f"Literal[{', '.join(map(_quoted, field['choices']))}]"
    return {"number": "float", "integer": "int", "boolean": "bool"}.get(field["kind"], "str")


def _quoted(word: str) -> str:
    return f'"{word}"'


def schemes_text() -> str:
    """The stub of all schemes of this engine."""
    from saltus import schemes

    table = schemes.table()
    parts = [SCHEMES_HEAD.replace("{names}", ", ".join(map(_quoted, ["auto", *(entry["name"] for entry in table.values())])))]
    for name, entry in table.items():
        options = [(field["name"], _option_type(field)) for field in entry["fields"]]
        first, *rest = schemes.docstring(entry).splitlines()
        keywords = ", ".join(["self", *(["*"] if options else []), *(f"{key}: {kind} = ..." for key, kind in options)])
        lines = [
            f"class {name}(Scheme):",
            f'    """{first}',
            *(f"    {line}".rstrip() for line in rest),
            '    """',
            *(f"    {key}: {kind}" for key, kind in options),
            f"    def __init__({keywords}) -> None: ...",
        ]
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    (folder / "items.pyi").write_text(text())
    (folder / "schemes.pyi").write_text(schemes_text())
