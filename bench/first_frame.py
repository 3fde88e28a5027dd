"""Time to the first frame of a page of the viewer: `python bench/first_frame.py [--repeat N]`.

Each page is opened in a headless Chromium without a graphics card: in a browser that has just been started, then again in
the same one. Printed: least and median time [s] from the address to the frame that is drawn, and to the one on the screen,
and processor time of all processes of the browser.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
import warnings
from pathlib import Path

import psutil

from saltus.view.chromium import Page, browser
from saltus.view.shows import to_html

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "web"))
import scenes

SIZE = (1280, 800)


def processor(pid: int) -> float:
    """Time [s] of the browser and all its processes so far."""
    family = psutil.Process(pid)
    return sum(sum(p.cpu_times()[:2]) for p in [family, *family.children(recursive=True)])


def opened(page: Page, address: str) -> tuple[float, float, float]:
    """s to the drawn frame, to the one on the screen, of the processor."""
    spent, began = processor(page._process.pid), time.perf_counter()
    page.open(address)
    shown = time.perf_counter() - began
    return page.value("saltus.drawn / 1000"), shown, processor(page._process.pid) - spent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=5)
    repeat = parser.parse_args().repeat
    warnings.simplefilter("ignore")
    program = browser()
    if program is None:
        raise SystemExit("there is no Chromium")
    for name, result in (("slider crank", scenes.crank(6.2832)), ("100 bodies", scenes.crowd(100))):
        times: dict[str, list[tuple[float, float, float]]] = {"new browser": [], "again": []}
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "page.html")
            file.write_text(to_html(result, title=name), encoding="utf-8")
            for _ in range(repeat):
                with Page(program, SIZE) as page:
                    times["new browser"].append(opened(page, file.as_uri()))
                    times["again"].append(opened(page, file.as_uri() + "?2"))
        for how, rows in times.items():
            drawn, shown, spent = zip(*rows, strict=True)
            parts = (("drawn", drawn), ("on the screen", shown), ("processor", spent))
            print(f"{name}, {how}:", ", ".join(f"{what} {min(x):.2f} ({statistics.median(x):.2f})" for what, x in parts))


if __name__ == "__main__":
    main()
