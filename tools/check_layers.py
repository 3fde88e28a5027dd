"""Fails where a layer includes one that stands below it, or a file includes a header that is not there.

The order is the one of cmake/SaltusTargets.cmake, so that it is written once. Run it from anywhere.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r'^\s*#\s*include\s*"saltus/(([a-z_]+)/[^"]+)"', re.MULTILINE)


def layer_order(root: Path) -> list[str]:
    """Names of the layers, the uppermost (which includes nothing) first."""
    text = (root / "cmake" / "SaltusTargets.cmake").read_text()
    found = re.search(r"set\(SALTUS_LAYERS ([a-z_ \n]+)\)", text)
    if not found:
        raise SystemExit("cmake/SaltusTargets.cmake: no set(SALTUS_LAYERS ...)")
    return found.group(1).split()


def violations(root: Path) -> list[str]:
    """One line for each include that breaks the order."""
    order = layer_order(root)
    source = root / "src" / "saltus"
    out = []
    for folder in sorted(p for p in source.iterdir() if p.is_dir()):
        if folder.name not in order:
            out.append(f"src/saltus/{folder.name}: no layer of cmake/SaltusTargets.cmake; add it there")
    for path in sorted([*source.rglob("*.hpp"), *source.rglob("*.cpp")]):
        if path.stem.endswith(("_test", "_testing")):  # a test may look at its layer from below
            continue
        layer = path.relative_to(source).parts[0]
        text = path.read_text()
        for match in INCLUDE.finditer(text):
            place = f"{path.relative_to(root)}:{text.count(chr(10), 0, match.start(1)) + 1}"
            header, other = match.group(1), match.group(2)
            if not (source / header).exists():
                out.append(f"{place}: saltus/{header} is not there")
            elif layer in order and other in order and order.index(other) > order.index(layer):
                out.append(f"{place}: {layer} may not include {other}, which stands below it")
    return out


def main() -> int:
    found = violations(Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT)
    for line in found:
        print(line)
    print(f"layers: {len(found)} violations" if found else "layers: every include goes upward")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
