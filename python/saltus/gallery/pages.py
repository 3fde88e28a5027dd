"""The gallery as a folder to look at: for each model its still, its interactive page and its report, and one page of all."""

from __future__ import annotations

import base64
import html
import io
from dataclasses import dataclass, field
from pathlib import Path

from saltus.running import Recorded
from saltus.view.chromium import Page, browser

SHOWN = 0.35  # part of a run after which its still is taken

_STYLE = """
:root{color-scheme:light dark;--text:#17212b;--soft:#4c5966;--line:#d3dbe3;--back:#eef2f6;--card:#fff;--accent:#0b66b8;--good:#0b7a4b;--bad:#b3261e}
@media(prefers-color-scheme:dark){:root{--text:#e8eef4;--soft:#a5b4c2;--line:#2c3947;--back:#0f151b;--card:#151d26;--accent:#58b6ff;--good:#4ad991;--bad:#ff8a80}}
*{box-sizing:border-box}body{margin:0;background:var(--back);color:var(--text);font:15px/1.5 system-ui,"Segoe UI","DejaVu Sans",sans-serif}
main{max-width:1280px;margin:0 auto;padding:30px 22px 60px}h1{margin:0;font-size:28px}header p{color:var(--soft);margin:4px 0 22px;max-width:70ch}
.all{display:grid;grid-template-columns:repeat(auto-fill,minmax(320px,1fr));gap:18px}
article{background:var(--card);border:1px solid var(--line);border-radius:14px;overflow:hidden;display:flex;flex-direction:column}
article img{width:100%;aspect-ratio:4/3;object-fit:contain;background:#fff;display:block}article div{padding:12px 16px 14px;display:flex;flex-direction:column;gap:6px;flex:1}
h2{font-size:17px;margin:0}p{margin:0}.soft{color:var(--soft);font-size:14px}ul{margin:0;padding-left:18px;font-size:13.5px}.good{color:var(--good)}.bad{color:var(--bad);font-weight:650}
nav{margin-top:auto;display:flex;gap:14px;padding-top:6px}a{color:var(--accent);font-weight:600}
"""


@dataclass
class Entry:
    """One model on the page."""

    name: str
    about: str
    rows: list = field(default_factory=list)
    still: str = ""  # data address
    time: float = 0.0  # of the still [s]
    shown: bool = False


def write_pages(name: str, about: str, recorded: Recorded, engine, folder: Path) -> Entry:
    """Writes NAME.html and NAME.report.html; the entry of the page of all."""
    from saltus.display import pyplot
    from saltus.model import Model
    from saltus.result import Result
    from saltus.view.report import report_html
    from saltus.view.shows import write_page, write_text
    from saltus.view.still import draw

    result = Result(recorded, Model._of(engine))
    result._shapes = recorded.shapes
    title = name.replace("_", " ")
    write_page(result, folder / f"{name}.html", title=title)
    write_text(folder / f"{name}.report.html", report_html(result, title=title, model_file=f"{name}.json"))
    at = float(recorded.arrays["t"][0] + SHOWN * (recorded.arrays["t"][-1] - recorded.arrays["t"][0]))
    entry = Entry(name, about, time=at, shown=True)
    if browser() is None:
        plt = pyplot()
        figure = draw(result, time=at, size=(4.8, 3.6))
        out = io.BytesIO()
        figure.savefig(out, dpi=130, format="png")
        plt.close(figure)
        entry.still = data_address(out.getvalue())
    return entry


def data_address(picture: bytes) -> str:
    return "data:image/png;base64," + base64.b64encode(picture).decode()


def photograph(entries: list[Entry], folder: Path) -> None:
    """Stills of the written pages by a browser, where there is one; NoPicture where it draws none."""
    program = browser()
    shown = [entry for entry in entries if entry.shown]
    if program is None or not shown:
        return
    with Page(program, (720, 540)) as page:
        for entry in shown:
            page.open((folder / f"{entry.name}.html").resolve().as_uri() + f"?fine&theme=light&t={entry.time!r}")
            page.value("saltus.bare()")
            page.value(f"saltus.frame({entry.time!r})")
            entry.still = data_address(page.picture())


def write_index(entries: list[Entry], folder: Path) -> Path:
    """The page of all entries, index.html."""
    photograph(entries, folder)
    wrong = sum(not row.ok for entry in entries for row in entry.rows)
    total = sum(len(entry.rows) for entry in entries)
    cards = "".join(_card(entry) for entry in entries)
    text = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Saltus: gallery</title>'
        f"<style>{_STYLE}</style></head><body><main><header><h1>Gallery</h1><p>{len(entries)} model{'s' * (len(entries) != 1)} whose answer is known. {total} quantities are compared with their truth, "
        f'{"all within tolerance" if not wrong else f"{wrong} out of tolerance"}. Each has a page to play with, which works offline, and a report.</p></header>'
        f'<div class="all">{cards}</div></main></body></html>\n'
    )
    target = folder / "index.html"
    target.write_text(text, encoding="utf-8")
    return target


def _card(entry: Entry) -> str:
    e = html.escape
    title = e(entry.name.replace("_", " ").capitalize())
    rows = "".join(
        f'<li><span class="{"good" if row.ok else "bad"}">{"✓" if row.ok else "out of tolerance:"}</span> {e(row.quantity)} = {row.computed:.7g}'
        f' <span class="soft">error {row.error:.1e}, allowed {row.tolerance:.1e}</span></li>'
        for row in entry.rows[:4]
    )
    more = f'<p class="soft">and {len(entry.rows) - 4} more</p>' if len(entry.rows) > 4 else ""
    links = f'<nav><a href="{e(entry.name)}.html">Open<span hidden> {title}</span></a><a href="{e(entry.name)}.report.html">Report</a></nav>' if entry.shown else ""
    picture = f'<a href="{e(entry.name)}.html"><img alt="{title}" src="{entry.still}"></a>' if entry.still else ""
    return f'<article>{picture}<div><h2>{title}</h2><p class="soft">{e(entry.about)}</p><ul>{rows}</ul>{more}{links}</div></article>'
