"""Pictures of results with matplotlib, with and without a display."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np

from saltus.errors import missing_extra

_shared: dict[tuple, tuple] = {}  # (quantities) -> (axes, file) of the picture that calls with a label share


def _pyplot():
    try:
        import matplotlib
    except ImportError:
        raise missing_extra("plot", "plot") from None
    if _headless() and "matplotlib.pyplot" not in sys.modules:
        matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    return plt


def _headless() -> bool:
    return sys.platform.startswith("linux") and not os.environ.get("DISPLAY") and not os.environ.get("WAYLAND_DISPLAY")


def _draws_only(plt) -> bool:
    """Whether pictures of this backend are seen only as files (notebooks show theirs)."""
    return plt.get_backend().lower() in ("agg", "pdf", "svg", "ps", "cairo", "template")


def plot(result, quantities, label: str, ax, file):
    """See Result.plot."""
    plt = _pyplot()
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
    plt = _pyplot()
    figure = plt.figure(figsize=(6, 6))
    axis = figure.add_subplot(projection="3d")
    bodies = [name for section, _, name in result._system.items() if section == "bodies"]
    drawn = []
    for name in bodies:
        if "position" not in result._system.quantities(name):
            continue
        place = np.atleast_2d(result[f"{name}.position"])
        (line,) = axis.plot(*place.T, linewidth=1, label=name)
        axis.plot(*place[-1:].T, "o", color=line.get_color())
        drawn.append(place)
    if drawn:
        points = np.concatenate(drawn)
        middle, half = (points.min(0) + points.max(0)) / 2, max(np.ptp(points, axis=0).max() / 2, 1e-3)
        for i, word in enumerate("xyz"):
            getattr(axis, f"set_{word}lim")(middle[i] - half, middle[i] + half)
        axis.legend(fontsize=8)
    axis.set_xlabel("x [m]"), axis.set_ylabel("y [m]"), axis.set_zlabel("z [m]")
    report = result.report
    print(f"{result!r}: {report['steps']} steps, {report.get('rejected', 0)} rejected")
    for name, value in report.get("residual", {}).items():
        print(f"  residual of {name}: {value:.2e}")
    for name, (value, unit) in result.table.items():
        print(f"  {name} = {value} {unit}")
    return _finish(plt, figure, file, "show") or ""


def _finish(plt, figure, file, word: str) -> str | None:
    """Writes the picture where it is wanted or where nothing else could show it; else shows it."""
    if file is None and not _draws_only(plt):
        plt.show(block=False)
        return None
    if file is None:
        number = 1
        stem = Path(sys.argv[0]).stem if sys.argv and sys.argv[0] not in ("", "-c", "-") else "saltus"
        while (number, word) in _written:
            number += 1
        _written.add((number, word))
        file = f"{stem}_{word}_{number}.png"
        print(f"picture in {file}")
    figure.savefig(file, dpi=120)
    return os.fspath(file)


_written: set[tuple[int, str]] = set()
