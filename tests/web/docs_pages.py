"""Looks at the built documentation, the gallery's pages and a report in headless Chromium: axe-core, width on a phone, search from the disk.

`sh docs/build.sh; saltus gallery newton_cradle woodpecker --pages --folder FOLDER; python tests/web/docs_pages.py [FOLDER]`. SALTUS_SHOTS names a folder for pictures.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LOOKED_AT = ("index", "start", "gallery", "compatibility", "packages", "cpp", "items/index", "items/connectors", "items/connectors/spring_damper", "items/laws/coulomb_impact", "matrix", "parity", "theory", "references")


def main(arguments: list[str]) -> int:
    from saltus.view.chromium import browser

    docs = ROOT / "build" / "docs"
    pages = [docs / f"{name}.html" for name in LOOKED_AT] if docs.is_dir() else []
    for folder in arguments:
        pages += [page for page in sorted(Path(folder).resolve().glob("*.html")) if page.name == "index.html" or page.name.endswith(".report.html")]
    views = [(str(page), scheme, width) for page in pages for scheme, width in (("light", 1280), ("dark", 1280), ("light", 360))]
    settings = {"browser": browser(), "pages": views, "search": str(docs) if docs.is_dir() else "", "shots": os.environ.get("SALTUS_SHOTS", "")}
    return subprocess.run(["node", str(Path(__file__).with_name("docs.mjs")), json.dumps(settings)], check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
