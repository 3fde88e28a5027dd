"""Pictures of results with matplotlib, with and without a display."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np

from saltus.errors import missing_extra

_shared: dict[tuple, tuple] = {}  # (quantities) -> (axes, file) of the picture that calls with a label share


def pyplot():
    """matplotlib.pyplot, with a backend that needs no display where there is none."""
    try:
        import matplotlib
    except ImportError:
        raise missing_extra("plot", "plot") from None
    if headless() and "matplotlib.pyplot" not in sys.modules:
        matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    return plt


def headless() -> bool:
    """Whether there is no display to open windows on."""
    return sys.platform.startswith("linux") and not os.environ.get("DISPLAY") and not os.environ.get("WAYLAND_DISPLAY")


def _draws_only(plt) -> bool:
    """Whether pictures of this backend are seen only as files (notebooks show theirs)."""
    return plt.get_backend().lower() in ("agg", "pdf", "svg", "ps", "cairo", "template")


def plot(result, quantities, label: str, ax, file):
    """See Result.plot."""
    plt = pyplot()
    quantities = (
        quantities or tuple(result._model.outputs.values() if result._model is not None else ()) or ("energy.total",)
    )
    series = [result[quantity] for quantity in quantities]
    panels: dict[str, list] = {}
    for values in series:
        panels.setdefault(values.unit, []).append(values)
    key = tuple(values.label for values in series)
    if ax is not None:
        axes = np.atleast_1d(ax)
    elif label and key in _shared and plt.fignum_exists(_shared[key][0][0].figure.number):
        axes, file = _shared[key][0], file or _shared[key][1]
    else:
        _, grid = plt.subplots(len(panels), 1, sharex=True, figsize=(7, 1.4 + 2.4 * len(panels)), squeeze=False)
        axes = grid[:, 0]
    for axis, (unit, group) in zip(axes, panels.items(), strict=False):
        for values in group:
            _draw(axis, values, label)
        names = ", ".join(dict.fromkeys(values.label for values in group))
        axis.set_ylabel(f"{names} [{unit}]" if unit else names)
        axis.grid(alpha=0.3)
        if axis.get_legend_handles_labels()[1] and (label or len(group) > 1 or group[0].ndim > 1):
            axis.legend(fontsize=8)
    axes[-1].set_xlabel("component" if result.is_static else "t [s]")
    figure = axes[0].figure
    figure.tight_layout()
    written = _finish(plt, figure, file, "plot") if ax is None or file else None
    if label and ax is None:
        _shared[key] = (axes, written)
    return axes[0] if len(axes) == 1 else axes


def _draw(axis, values, label: str) -> None:
    data = np.asarray(values)
    if values.time is None:
        axis.plot(np.arange(data.size), data.ravel(), "o", label=label or values.label)
        return
    columns = data.reshape(len(values.time), -1)
    for i, column in enumerate(columns.T):
        part = values.components[i] if values.components and columns.shape[1] > 1 else ""
        axis.plot(values.time, column, linewidth=1, label=" ".join(filter(None, (label or values.label, part))))


def show(result, file) -> str:
    """See Result.show."""
    from saltus.view.shows import write_page

    report = result.report
    print(f"{result!r}: {report['steps']} steps, {report.get('rejected', 0)} rejected")
    for name, value in report.get("residual", {}).items():
        print(f"  residual of {name}: {value:.2e}")
    for name, (value, unit) in result.table.items():
        print(f"  {name} = {value} {unit}")
    if file is not None and Path(file).suffix.lower() in (".html", ".htm"):
        return write_page(result, file)
    if file is None and not headless():
        return _opened(result)
    from saltus.view.still import draw

    plt = pyplot()
    figure = draw(result)
    written = _finish(plt, figure, file, "show") or ""
    if file is None and written:
        page = write_page(result, Path(written).with_suffix(".html"))
        print(f"page in {page}")
    return written


def _opened(result) -> str:
    """Opens the page in the browser; it stands in a file, so that it outlives the program."""
    import tempfile
    import webbrowser

    from saltus.view.shows import write_page

    folder = Path(tempfile.mkdtemp(prefix="saltus-"))
    page = write_page(result, folder / f"{_script()}.html")
    print(f"page in {page}")
    webbrowser.open(Path(page).as_uri())
    return page


def _script() -> str:
    return Path(sys.argv[0]).stem if sys.argv and sys.argv[0] not in ("", "-c", "-") else "saltus"


def _finish(plt, figure, file, word: str) -> str | None:
    """Writes the picture where it is wanted or where nothing else could show it; else shows it."""
    if file is None and not _draws_only(plt):
        plt.show(block=False)
        return None
    if file is None:
        number = 1
        stem = _script()
        while (number, word) in _written:
            number += 1
        _written.add((number, word))
        file = f"{stem}_{word}_{number}.png"
        print(f"picture in {file}")
    figure.savefig(file, dpi=120)
    return os.fspath(file)


_written: set[tuple[int, str]] = set()
