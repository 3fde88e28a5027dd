"""A video of a result: the page alone, picture by picture, as WebM or as GIF."""

from __future__ import annotations

import base64
import io
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from saltus.errors import Fault, ModelError, missing_extra
from saltus.view.chromium import browser
from saltus.view.shows import to_html
from saltus.view.still import draw, opened

if TYPE_CHECKING:
    from saltus.result import Result

MOST = 3000  # pictures
COLORS = 255  # of a GIF


def write_video(result: Result, path: str | os.PathLike, *, speed: float | None = None, rate: int = 25, size: tuple[int, int] = (960, 600),
                title: str = "", compare: Result | None = None) -> str:
    """Writes a WebM or GIF, by the name's end, and returns its name. speed: seconds of the run in a second (default: as the page plays it);
    rate: pictures a second; size: [px], made even. A WebM needs a browser; a GIF is drawn without one where there is none."""
    target = Path(path)
    kind = target.suffix.lower()
    if kind not in (".webm", ".gif"):
        raise ModelError(Fault("", "a video is a WebM or a GIF", "end its name with .webm or .gif", os.fspath(path)))
    if not target.parent.is_dir():
        raise ModelError(Fault("", f"the folder {target.parent} is not there", "make it first", os.fspath(path)))
    if speed is not None and not (speed > 0.0 and np.isfinite(speed)):
        raise ModelError(Fault("speed", f"is {speed:g}, must be above 0", "give seconds of the run in a second of the video"))
    if not 1 <= rate <= 60:
        raise ModelError(Fault("rate", f"is {rate}, must be from 1 to 60", "give pictures a second, for example 25"))
    if result.is_static or len(result.time) < 2:
        raise ModelError(Fault("", "has no motion: it is one state", "write a picture: --png", os.fspath(path)))
    size = (size[0] // 2 * 2, size[1] // 2 * 2)
    program = browser()
    if program:
        data = _by_browser(program, to_html(result, title=title, compare=compare), kind, speed, rate, size)
    elif kind == ".gif":
        data = _gif(_drawn(result, speed, rate, size), rate)
    else:
        raise ModelError(Fault("", "a WebM is encoded by a browser, and none is found", "install Chromium, set SALTUS_BROWSER, or write a GIF", os.fspath(path)))
    target.write_bytes(data)
    return os.fspath(path)


def _by_browser(program: str, html: str, kind: str, speed: float | None, rate: int, size: tuple[int, int]) -> bytes:
    with opened(program, html, size, "fine&t=0") as page:
        begin, end, own = page.value("saltus.bare()")
        times = _times(begin, end, speed or own, rate)

        def pictures() -> Iterator[bytes]:
            for t in times:
                page.value(f"saltus.frame({t!r})")
                yield page.picture()

        if kind == ".gif":
            return _gif(pictures(), rate)
        page.value(f"saltus.film({size[0]}, {size[1]}, {rate})")
        for picture in pictures():
            page.value(f"saltus.filmed('{base64.b64encode(picture).decode()}')")
        return base64.b64decode(page.value("saltus.filmEnd()"))


def _times(begin: float, end: float, speed: float, rate: int) -> list[float]:
    """Times of the pictures [s of the run]."""
    count = (end - begin) / speed * rate
    if count > MOST:
        raise ModelError(Fault("speed", f"is {speed:g}: the video would have {count:.0f} pictures, at most {MOST} are written",
                               f"give --speed {(end - begin) * rate / MOST * 1.05:.3g} or more, or fewer pictures a second"))  # fmt: skip
    return [min(end, begin + i * speed / rate) for i in range(max(2, int(np.ceil(count)) + 1))]


def _drawn(result: Result, speed: float | None, rate: int, size: tuple[int, int]) -> Iterator[bytes]:
    """Drawings of the scene where no browser is: in ten seconds, or at the speed."""
    from saltus.display import pyplot

    plt = pyplot()
    begin, end = float(result.time[0]), float(result.time[-1])
    for t in _times(begin, end, speed or (end - begin) / 10.0, rate):
        figure = draw(result, time=t, size=(size[0] / 120.0, size[1] / 120.0))
        out = io.BytesIO()
        figure.savefig(out, dpi=120, format="png")
        plt.close(figure)
        yield out.getvalue()


def _gif(pictures: Iterator[bytes], rate: int) -> bytes:
    """A GIF that repeats, with one palette: that of its first, middle and last picture."""
    try:
        from PIL import Image
    except ImportError:
        raise missing_extra("a GIF", "plot") from None
    files = list(pictures)

    def opened_at(i: int) -> Image.Image:
        return Image.open(io.BytesIO(files[i])).convert("RGB")

    some = [opened_at(i) for i in (0, len(files) // 2, -1)]
    together = Image.new("RGB", (some[0].width, 3 * some[0].height))
    for i, frame in enumerate(some):
        together.paste(frame, (0, i * frame.height))
    palette = together.quantize(COLORS, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)  # rare colours are kept too
    flat = (opened_at(i).quantize(palette=palette, dither=Image.Dither.NONE) for i in range(len(files)))
    out = io.BytesIO()
    at = [round(100.0 * i / rate) * 10 for i in range(len(files) + 1)]  # a GIF counts hundredths of a second
    next(flat).save(out, "GIF", save_all=True, append_images=flat, duration=[b - a for a, b in zip(at, at[1:], strict=False)], loop=0, optimize=False)
    return out.getvalue()
