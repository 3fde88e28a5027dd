"""The report of a run as one HTML file: what an engineer attaches to a decision. Printable, without scripts."""

from __future__ import annotations

import base64
import html
import io
import platform
import time as clock
from typing import TYPE_CHECKING, Any

import numpy as np

from saltus.errors import grouped
from saltus.view.container import unpacked
from saltus.view.shows import scene
from saltus.view.still import draw

if TYPE_CHECKING:
    from saltus.result import Result

_STYLE = """
:root{color-scheme:light dark;--text:#17212b;--soft:#4c5966;--line:#d3dbe3;--back:#fff;--bar:#f1f4f8;--good:#0b7a4b;--bad:#b3261e;--warn:#9a5b00}
@media(prefers-color-scheme:dark){:root{--text:#e8eef4;--soft:#a5b4c2;--line:#2c3947;--back:#12181f;--bar:#1d2834;--good:#4ad991;--bad:#ff8a80;--warn:#ffc35c}img{filter:invert(.92) hue-rotate(180deg)}}
*{box-sizing:border-box}body{margin:0 auto;max-width:1020px;padding:28px 22px 60px;background:var(--back);color:var(--text);font:15px/1.55 system-ui,"Segoe UI","DejaVu Sans",sans-serif}
h1{font-size:26px;margin:0 0 2px}h2{font-size:18px;margin:34px 0 8px;border-bottom:1px solid var(--line);padding-bottom:4px}h3{font-size:15px;margin:18px 0 4px}
p{margin:6px 0}.soft{color:var(--soft)}.good{color:var(--good);font-weight:650}.bad{color:var(--bad);font-weight:650}.warn{border-left:3px solid var(--warn);padding-left:10px}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums;font-size:14px}th,td{padding:4px 10px 4px 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}thead th{background:var(--bar);padding-left:6px}td.n,th.n{text-align:right;white-space:nowrap}td:first-child{padding-left:6px}
.scroll{overflow-x:auto}img{max-width:100%;height:auto;display:block;margin:6px 0}.two{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:22px}@media(max-width:760px){.two{grid-template-columns:minmax(0,1fr)}}
@media print{body{padding:0;max-width:none;font-size:11pt}h2{break-after:avoid}tr,img{break-inside:avoid}}
"""


def report_html(result: Result, *, title: str, model_file: str = "") -> str:
    """The report as text.

    Holds the run's status and options, the certificate (worst residuals of equations, constraints and laws, drift of the
    constraints, balance of energy), a picture, plots of the named outputs and of the energy, every item with its fields and
    units, parameters, events, warnings, timing and versions.
    """
    head, arrays = unpacked(scene(result, title=title, forces=False))
    r = result._recorded
    status = str(r.report.get("status", ""))
    good = status in ("done", "stopped")
    parts = [
        f"<h1>{_e(title)}</h1>",
        f'<p class="soft">{_e(model_file)} · {_e(r.scheme.replace("_", " "))} · written {clock.strftime("%Y-%m-%d %H:%M UTC", clock.gmtime())}</p>',
        f'<p>Run: <span class="{"good" if good else "bad"}">{_e(status)}</span>'
        + (", an equilibrium." if r.is_static else f" at t = {r.report['t']:.6g} s after {r.report['steps']} steps ({r.report.get('rejected', 0)} rejected).")
        + (f" {_e(r.report['cause'])}" if r.report.get("cause") else "") + "</p>",
        *[f'<p class="warn">{_e(w.text)}</p>' for w in grouped(r.report.get("warnings", ()))],
        '<div class="two"><div>', _picture(result), "</div><div><h3>Certificate</h3>", _certificate(result), "</div></div>",
        "<h2>Outputs</h2>", _outputs(result), _plots(result),
        "<h2>Model</h2>", _parameters(result, head), _items(head),
        _events(result, head), "<h2>Run</h2>", _run(result, head),
    ]
    return (f'<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<title>{_e(title)}</title><style>{_STYLE}</style></head><body>{''.join(parts)}</body></html>\n")


def _e(text: Any) -> str:
    return html.escape(str(text))


def _table(rows: list[list[str]], header: list[str] | None = None, numbers: tuple[int, ...] = ()) -> str:
    """Cells are HTML; `numbers`: columns of numbers."""
    def cells(row, tag):
        return "".join(f"<{tag}{' class=n' if i in numbers else ''}>{cell}</{tag}>" for i, cell in enumerate(row))

    top = f"<thead><tr>{cells(header, 'th')}</tr></thead>" if header else ""
    body = "".join(f"<tr>{cells(row, 'td')}</tr>" for row in rows)
    return f'<div class="scroll" tabindex="0" role="region" aria-label="Table"><table>{top}<tbody>{body}</tbody></table></div>'


def _image(figure, alt: str, dpi: int = 110) -> str:
    import matplotlib.pyplot as plt

    out = io.BytesIO()
    figure.savefig(out, dpi=dpi, format="png")
    plt.close(figure)
    return f'<img alt="{_e(alt)}" src="data:image/png;base64,{base64.b64encode(out.getvalue()).decode()}">'


def _picture(result: Result) -> str:
    return _image(draw(result, size=(5.6, 4.4)), "The model at the end of the run")


def _certificate(result: Result) -> str:
    r = result._recorded
    rows = [[f"residual of {_e(name)}", f"{value:.2e}", "scaled" if r.is_static else "worst over the run, scaled"] for name, value in r.report.get("residual", {}).items()]
    residuals = r.arrays.get("residuals")
    if residuals is not None and len(residuals) and not r.is_static:
        rows.append(["constraint drift", f"{float(residuals[-1, 1]):.2e}", "constraints at the end, scaled"])
    e0, e1 = r.report.get("energy_start"), r.report.get("energy_end")
    if e1 is not None and r.is_static and r.system.sizes()["nq"]:
        rows.append(["potential energy", f"{e1:.8g} J", ""])
    elif e0 is not None and r.system.sizes()["nq"]:
        scale = max(abs(e0), abs(e1))
        rows += [["energy at the start", f"{e0:.8g} J", "kinetic and potential"], ["energy at the end", f"{e1:.8g} J", ""],
                 ["change of energy", f"{e1 - e0:+.3g} J", f"{(e1 - e0) / scale:+.2e} of the larger" if scale > 0 else ""]]
    return _table(rows, ["", "value", ""], (1,))


def _outputs(result: Result) -> str:
    rows = []
    names = result._named_outputs()
    for name, path in names.items():
        series = result[path]
        values = np.atleast_2d(np.asarray(series).reshape(1 if result.is_static else len(result), -1))
        least, largest = ((), ()) if result.is_static else (np.atleast_1d(extreme(axis=0)) for extreme in (series.min, series.max))
        for c, column in enumerate(values.T):
            part = f".{series.components[c]}" if series.components and values.shape[1] > 1 else ""
            rows.append([_e(name + part), f"<code>{_e(path)}</code>", *(f"{x:.7g}" for x in (column[-1], *least[c : c + 1], *largest[c : c + 1])), _e(series.unit)])
    head = ["value"] if result.is_static else ["at the end", "least", "largest"]
    return _table(rows, ["output", "quantity", *head, "unit"], tuple(range(2, 2 + len(head)))) if rows else "<p>The model names no outputs.</p>"


def _plots(result: Result) -> str:
    if result.is_static:
        return ""
    from saltus.display import pyplot
    from saltus.plotting import panels, plot_energy

    plt = pyplot()
    pictures = []
    outputs = list(result._named_outputs().values())
    if outputs:
        pictures.append(_image(panels(plt, result, outputs, size=(8.6, 2.1))[0].figure, "Outputs over time"))
    if result._system.sizes()["nq"]:
        pictures.append(_image(plot_energy(result, file=False).figure, "Energy over time"))
    return "".join(pictures)


def _parameters(result: Result, head: dict[str, Any]) -> str:
    given = result._model.parameters if result._model is not None else {}
    rows = [[_e(name), f"<code>{_e(value)}</code>", f"{head['parameters'][name]:.7g}" if name in head["parameters"] else ""] for name, value in given.items()]
    gravity = ", ".join(f"{g:g}" for g in head["gravity"])
    return f"<p>Gravity ({gravity}) m/s². Lengths in m, masses in kg, times in s.</p>" + (
        "<h3>Parameters</h3>" + _table(rows, ["name", "as written", "value"], (2,)) if rows else "")


def _items(head: dict[str, Any]) -> str:
    """Every item with its fields and units, by section; long sections are cut, which is said."""
    out = []
    sections: dict[str, list[dict[str, Any]]] = {}
    for item in head["items"]:
        if item["f"]:
            sections.setdefault(item["s"], []).append(item)
    for section, items in sections.items():
        rows = []
        for item in items[:200]:
            info = head["types"].get(f"{section}/{item['t']}", {"fields": {}})["fields"]
            fields = "; ".join(f"{_e(key.replace('_', ' '))} {_e(_short(value))} {_e(info.get(key, ['', ''])[0])}".strip() for key, value in item["f"].items())
            rows.append([_e(item["n"]), _e(item["t"].replace("_", " ")), fields])
        out.append(f"<h3>{_e(section.capitalize())} ({len(items)})</h3>" + _table(rows, ["name", "type", "fields"]))
        if len(items) > 200:
            out.append(f'<p class="soft">and {len(items) - 200} more</p>')
    return "".join(out)


def _short(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.7g}"
    if isinstance(value, dict):
        return "(" + ", ".join(f"{key} {_short(entry)}" for key, entry in value.items()) + ")"
    if isinstance(value, list):
        return "[" + ", ".join(_short(entry) for entry in value) + "]" if len(value) <= 12 else f"[{len(value)} values]"
    return str(value)


def _events(result: Result, head: dict[str, Any]) -> str:
    events = result.events
    if not events:
        return ""
    kinds: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for when, kind, item, value in events:
        kinds.setdefault((kind, item), []).append((when, value))
    rows = [[_e(kind), _e(item), str(len(list_)), f"{list_[0][0]:.6g}", f"{list_[-1][0]:.6g}", f"{max(abs(v) for _, v in list_):.4g}"] for (kind, item), list_ in list(kinds.items())[:100]]
    return f"<h2>Events</h2><p>{len(events)} in all; the value of an impact is its impulse in N s.</p>" + _table(rows, ["kind", "item", "number", "first [s]", "last [s]", "largest value"], (2, 3, 4, 5))


def _run(result: Result, head: dict[str, Any]) -> str:
    from saltus import _core

    r = result._recorded
    rows = [[_e(name.replace("_", " ")), f"<code>{_e(value)}</code>"] for name, value in r.options.items() if value not in (None, {}, "")]
    rows += [["recorded states", str(len(result))], ["iterations", str(r.report.get("iterations", ""))]]
    if r.wall_s:
        rows += [["wall time", f"{r.wall_s:.3g} s"], ["per step", f"{r.wall_s / max(1, r.report['steps']) * 1e6:.3g} µs"]]
    sizes = r.system.sizes()
    rows += [["unknowns", f"{sizes['unknowns']} ({sizes['nq']} coordinates, {sizes['nv']} velocities, {sizes['nx']} first-order states, {sizes['nz']} algebraic, {sizes['rows']} rows of relations)"],
             ["versions", f"Saltus {_core.version}, Python {platform.python_version()}, numpy {np.__version__}"], ["machine", _e(f"{platform.system()} {platform.machine()}")]]
    return _table(rows)
