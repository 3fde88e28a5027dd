"""Holds the promise that an item is one header, one line in items/CMakeLists.txt, and its test.

Checks that every registered item has its header, and that no item's type
is named outside its own header, the line and tests: whoever adds an item touches nothing else.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ITEMS = ROOT / "src/saltus/items"
LINE = re.compile(r"^saltus_item\((\w+) (\w+) (\w+)\)", re.MULTILINE)


def main() -> int:
    faults = []
    registered = LINE.findall((ITEMS / "CMakeLists.txt").read_text())
    for folder, file, kind in registered:
        header = ITEMS / folder / f"{file}.hpp"
        if not header.is_file():
            faults.append(f"items/CMakeLists.txt registers {folder}/{file}, {header.relative_to(ROOT)} is not there")
    sources = [p for p in (ROOT / "src").rglob("*.[ch]pp") if not p.name.endswith("_test.cpp") and "_testing" not in p.name and p.name != "test_items.hpp"]
    texts = {p: p.read_text() for p in sources}
    for folder, file, kind in registered:
        own = {ITEMS / folder / f"{file}.hpp", ITEMS / folder / f"{file}.cpp"}
        word = re.compile(rf"\b(?:struct {kind}\b|using {kind} =)")
        homes = [p for p, text in texts.items() if word.search(text)]
        if [p for p in homes if p not in own]:
            faults.append(f"{kind} is declared outside {folder}/{file}.hpp: {', '.join(str(p.relative_to(ROOT)) for p in homes)}")
        included = re.compile(rf'#include "saltus/items/{folder}/{file}\.hpp"')
        users = [p for p, text in texts.items() if included.search(text) and p not in own and ITEMS not in p.parents
                 and folder not in ("markers",)]
        for user in users:
            faults.append(f"{user.relative_to(ROOT)} includes the item {folder}/{file}: layers below the catalogue must not name items")
    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"{len(registered)} items, each one header and one line" if not faults else f"{len(faults)} faults in the items")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
