"""Runs every example and writes the picture of each, small, to docs/examples: `python tools/example_pictures.py [NAME...]`. Needs a browser."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SIZE = (720, 450)


def draw(example: Path) -> None:
    """The example, with a `to_png` that knows where and how large."""
    from saltus.result import Result
    from saltus.view.still import write_picture

    def small(self, path, *, time=None, size=None, title=""):
        return write_picture(self, ROOT / "docs" / "examples" / Path(path).name, time=time, size=SIZE, title=title)

    Result.to_png = small
    os.chdir(tempfile.mkdtemp(prefix="saltus-"))
    runpy.run_path(str(example))


if __name__ == "__main__":
    if os.environ.get("SALTUS_EXAMPLE"):
        draw(Path(os.environ["SALTUS_EXAMPLE"]))
        sys.exit()
    for example in sorted((ROOT / "examples").glob("*.py")):
        if not sys.argv[1:] or example.stem in sys.argv[1:]:
            done = subprocess.run([sys.executable, __file__], env={**os.environ, "SALTUS_EXAMPLE": str(example)}, capture_output=True, text=True)
            print(example.stem, "done" if done.returncode == 0 else done.stderr.strip().splitlines()[-1], flush=True)
