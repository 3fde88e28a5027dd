"""Makes the pictures of the documentation anew, with a browser: `python docs/pictures.py [NAMES]`. They stand in docs/pictures and docs/examples and are looked at before they are committed.

One small picture of each model of the gallery, those of the pages start and index, the video of the first page, and the picture that each program of examples/ writes (a name with .py).
"""

from __future__ import annotations

import contextlib
import io
import os
import runpy
import shutil
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
EXAMPLES = Path(__file__).parents[1] / "examples"
SIZE = (640, 400)
MOMENTS = {"buck_motor": 0.5, "bouncing_ball": 0.08, "rocking_block": 0.9, "woodpecker": 0.62, "car_ramp": 0.72, "newton_cradle": 0.05, "cradle": 0.93, "rolling_coin": 0.12, "excavator": 0.4, "hopper": 0.8, "drum": 0.9, "kapla_tower": 0.45, "peeled_strip": 1.0, "cradle_laws": 0.6}  # part of the run


def photograph(result: Result, name: str, part: float, size: tuple[int, int] = SIZE, bare: bool = True, folder: Path = FOLDER, title: str = "") -> None:
    """Writes NAME.png with at most 256 colours, so that a picture takes about 40 kB."""
    program = browser()
    if program is None:
        sys.exit("docs/pictures.py needs Chromium")
    t = float(result.time[0] + part * (result.time[-1] - result.time[0])) if not result.is_static else 0.0
    with opened(program, to_html(result, title=title or name), size, f"fine&theme=light&t={t!r}") as page:
        if bare:
            page.value("saltus.bare()")
        page.value(f"saltus.frame({t!r})")
        image = Image.open(io.BytesIO(page.picture())).convert("RGB")
    colours = image.quantize(256, method=Image.Quantize.MEDIANCUT, kmeans=4, dither=Image.Dither.NONE)  # without the means arrows take the colour of a body
    colours.save(folder / f"{name}.png", optimize=True)


def of_gallery(name: str) -> Result:
    model = gallery.load(name)
    result = Result(running.run(model), Model._of(model))
    result._shapes = gallery.shapes(name)
    return result


def example(script: Path) -> None:
    """Runs a program of examples/; what it draws goes into docs/examples, a motion without the panels of its page."""
    folder = FOLDER.parent / "examples"

    def drawn(result: Result, path: str, *, time: float | None = None) -> None:
        begin, end = result.time[0], result.time[-1]
        photograph(result, Path(path).stem, 1.0 if time is None else (time - begin) / (end - begin), (720, 450), folder=folder)

    Result.to_png = drawn
    os.environ["MPLBACKEND"] = "Agg"
    with contextlib.redirect_stdout(io.StringIO()):
        runpy.run_path(str(script), run_name="__main__")
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")  # or the next program draws into this one's figure
    if (plot := Path(f"{script.stem}.png")).exists():
        shutil.copy(plot, folder)


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
        for name in names or [*gallery.names(), "start_block", "start_page", "start_plot", "first", "mosaic", *(script.name for script in sorted(EXAMPLES.glob("*.py")))]:
            if name.endswith(".py"):
                example(EXAMPLES / name)
            elif name == "start_block":
                photograph(block(), name, 0.6)
            elif name == "start_page":
                photograph(of_gallery("slider_crank_3d"), name, 0.3, (1200, 720), bare=False, title="slider_crank_3d")
            elif name == "start_plot":
                os.environ["MPLBACKEND"] = "Agg"
                result = block()
                result.plot("box_1.position.x", file=FOLDER / f"{name}.png")
                sys.modules["matplotlib.pyplot"].close("all")
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
