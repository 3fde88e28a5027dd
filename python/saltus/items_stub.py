"""Writes `items.pyi`, the typed signatures of `saltus.items`: `python -m saltus.items_stub [FILE]`."""

from __future__ import annotations

import sys
from pathlib import Path

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


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("items.pyi")
    target.write_text(text())
