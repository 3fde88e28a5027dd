"""Makes the pictures of the documentation anew, with a browser: `python docs/pictures.py [NAMES]`. They stand in docs/pictures and are looked at before they are committed.

One small picture of each model of the gallery, those of the pages start and index, and the video of the first page.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import tempfile
import warnings
from pathlib import Path

from PIL import Image

import saltus as sl
from saltus import gallery, running
from saltus.model import Model
from saltus.result import Result
from saltus.view.chromium import browser
from saltus.view.film import write_video
from saltus.view.shows import to_html
from saltus.view.still import opened

FOLDER = Path(__file__).parent / "pictures"
SIZE = (640, 400)
MOMENTS = {"buck_motor": 0.5, "bouncing_ball": 0.08, "rocking_block": 0.9, "woodpecker": 0.62, "car_ramp": 0.72, "newton_cradle": 0.05, "cradle": 0.93, "rolling_coin": 0.12, "excavator": 0.4, "hopper": 0.8, "drum": 0.9, "kapla_tower": 0.45, "peeled_strip": 1.0, "cradle_laws": 0.6}  # part of the run


def photograph(result: Result, name: str, part: float, size: tuple[int, int] = SIZE, bare: bool = True) -> None:
    """Writes NAME.png with at most 192 colours, so that a picture takes about 30 kB."""
    program = browser()
    if program is None:
        sys.exit("docs/pictures.py needs Chromium")
    t = float(result.time[0] + part * (result.time[-1] - result.time[0])) if not result.is_static else 0.0
    with opened(program, to_html(result, title=name), size, f"fine&theme=light&t={t!r}") as page:
        if bare:
            page.value("saltus.bare()")
        page.value(f"saltus.frame({t!r})")
        image = Image.open(io.BytesIO(page.picture())).convert("RGB")
    image.quantize(192, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(FOLDER / f"{name}.png", optimize=True)


def of_gallery(name: str) -> Result:
    model = gallery.load(name)
    result = Result(running.run(model), Model._of(model))
    result._shapes = gallery.shapes(name)
    return result


def block() -> Result:
    m = sl.Model()
    slope = m.plane(rotation=sl.degrees(y=30))
    m.contact(slope, m.box(size=(0.2, 0.2, 0.2), mass=8, on=slope), friction=0.5)
    return m.simulate(until=1)


def mosaic(*names: str) -> None:
    """Writes gallery.png of the README from pictures that are there."""
    w, h, edge = 420, 262, 4
    sheet = Image.new("RGB", (3 * w + 2 * edge, 2 * h + edge), "#ffffff")
    for i, name in enumerate(names):
        picture = Image.open(FOLDER / f"{name}.png").convert("RGB").resize((w, h), Image.Resampling.LANCZOS)
        sheet.paste(picture, (i % 3 * (w + edge), i // 3 * (h + edge)))
    sheet.save(FOLDER.parent / "gallery.png", optimize=True)


def main(names: list[str]) -> None:
    FOLDER.mkdir(exist_ok=True)
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for name in names or [*gallery.names(), "start_block", "start_page", "start_plot", "first", "mosaic"]:
            if name == "start_block":
                photograph(block(), name, 0.6)
            elif name == "start_page":
                photograph(of_gallery("slider_crank_3d"), name, 0.3, (1200, 720), bare=False)
            elif name == "start_plot":
                os.environ["MPLBACKEND"] = "Agg"
                result = block()
                result.plot("box_1.position.x", file=FOLDER / f"{name}.png")
            elif name == "mosaic":
                mosaic("woodpecker", "excavator", "cradle", "diode_bridge", "car_ramp", "stewart_platform")
            elif name == "first":
                write_video(of_gallery("car_ramp"), FOLDER / "first.webm", speed=1.0, rate=25, size=(720, 420))
                write_video(of_gallery("car_ramp"), FOLDER / "first.gif", speed=1.0, rate=8, size=(480, 280))
            else:
                photograph(of_gallery(name), name, MOMENTS.get(name, 0.4))
            print(name, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
