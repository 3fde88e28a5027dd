"""Pictures of results with matplotlib, with and without a display."""

from __future__ import annotations

import io
import os
import sys
import textwrap
from pathlib import Path

import numpy as np

from saltus.display import headless, notebook, pyplot
from saltus.errors import Fault, ModelError, unwritten
from saltus.geometry import refuse
from saltus.quantity import Line

WIDE = 30  # characters beside an axis
LINES = 6  # moments of a run that are drawn of a line in space
SPECTRUM_POINTS = 4096  # at least: the motion at even times, however few states it has
_shared: dict[tuple, tuple] = {}  # (quantities) -> (axes, file) of the picture that calls with a label share


def _draws_only(plt) -> bool:
    """Whether pictures of this backend are seen only as files (notebooks show theirs)."""
    return plt.get_backend().lower() in ("agg", "pdf", "svg", "ps", "cairo", "template")


def plot(result, quantities, label: str, ax, file):
    """See Result.plot."""
    plt = pyplot()
    quantities = (
        quantities or tuple(result._named_outputs().values()) or ("energy.total",)
    )
    if any(isinstance(quantity, Line) for quantity in quantities):
        if not all(isinstance(quantity, Line) for quantity in quantities):
            refuse("plot", "is given lines and quantities over time", "draw them in pictures of their own")
        return _lines(plt, [result[quantity] for quantity in quantities], label, ax, file)
    series = [result[quantity] for quantity in quantities]
    key = tuple(values.label for values in series)
    axes = None if ax is None else np.atleast_1d(ax)
    if axes is None and label and key in _shared and plt.fignum_exists(_shared[key][0][0].figure.number):
        axes, file = _shared[key][0], file or _shared[key][1]
    axes = panels(plt, result, quantities, label, axes)
    written = _finish(plt, axes[0].figure, file, "plot") if ax is None or file else None
    if label and ax is None:
        _shared[key] = (axes, written)
    return axes[0] if len(axes) == 1 else axes


def _lines(plt, lines, label: str, ax, file):
    """Draws lines in the plane in which they are largest: an equilibrium, or LINES moments of a run, the last of them thick."""
    axis = ax if ax is not None else plt.subplots(figsize=(6.0, 4.2))[1]
    points = np.concatenate([np.asarray(line).reshape(-1, 3) for line in lines])
    across, up = sorted(np.argsort(np.ptp(points, axis=0), kind="stable")[1:])
    for line in lines:
        moments = np.asarray(line)[None] if line.time is None else np.asarray(line)[np.linspace(0, len(line) - 1, LINES).astype(int)]
        drawn = [axis.plot(shape[:, across], shape[:, up], linewidth=0.8, alpha=0.6)[0] for shape in moments[:-1]]
        axis.plot(moments[-1][:, across], moments[-1][:, up], marker="o", markersize=3, label=label or line.label)
        for curve in drawn:
            curve.set_color(axis.lines[-1].get_color())
    axis.set_xlabel(f"{'xyz'[across]} [{lines[0].unit}]"), axis.set_ylabel(f"{'xyz'[up]} [{lines[0].unit}]")
    axis.set_aspect("equal", adjustable="datalim")
    axis.legend(fontsize=8)
    return _placed(plt, axis, ax, file, "line")


def panels(plt, result, quantities, label: str = "", axes=None, size: tuple[float, float] = (7.0, 2.4)):
    """Draws quantities over time, one panel a unit, into `axes` or a new figure; the axes (n) as an array."""
    groups: dict[str, list] = {}
    for values in (result[quantity] for quantity in quantities):
        groups.setdefault(values.unit, []).append(values)
    if axes is None:
        _, grid = plt.subplots(len(groups), 1, sharex=True, figsize=(size[0], 1.4 + size[1] * len(groups)), squeeze=False)
        axes = grid[:, 0]
    for axis, (unit, group) in zip(axes, groups.items(), strict=False):
        for values in group:
            _draw(axis, values, label)
        names = ", ".join(dict.fromkeys(values.label for values in group))
        named = axis.get_legend_handles_labels()[1] and (label or len(group) > 1 or group[0].ndim > 1)
        text = f"{names} [{unit}]" if unit else names
        if len(text) > WIDE:  # longer than its axis: names that the legend has are left to it
            text = f"[{unit}]" if unit and named and not label and len(group) > 1 else textwrap.fill(text.replace(f"[{unit}]", f"[{unit}]".replace(" ", "\N{NO-BREAK SPACE}")), WIDE, break_long_words=False)
        axis.set_ylabel(text)
        axis.grid(alpha=0.3)
        if named:
            axis.legend(fontsize=8)
    axes[-1].set_xlabel("component" if result.is_static else "t [s]")
    axes[0].figure.tight_layout()
    return axes


def plot_phase(result, x, y, ax=None, file=None):
    """See Result.plot_phase."""
    plt = pyplot()
    across, up = _number(result, x), _number(result, y)
    axis = ax if ax is not None else plt.subplots(figsize=(5.4, 4.6))[1]
    axis.plot(across.curve()[1], up.curve()[1], linewidth=1)
    axis.plot([across[0]], [up[0]], "o", markersize=4, label="start")
    axis.set_xlabel(_named(across)), axis.set_ylabel(_named(up))
    return _placed(plt, axis, ax, file, "phase")


def plot_spectrum(result, quantities, ax=None, file=None):
    """See Result.plot_spectrum."""
    plt = pyplot()
    axis = ax if ax is not None else plt.subplots(figsize=(7.0, 3.8))[1]
    series = [_number(result, quantity) for quantity in quantities]
    for quantity, values in zip(quantities, series):
        times = np.linspace(values.time[0], values.time[-1], max(len(values), SPECTRUM_POINTS))
        frequency, amplitude = spectrum(times, np.asarray(result.at(times)[quantity]))
        axis.semilogy(frequency[1:], np.maximum(amplitude[1:], 1e-300), linewidth=1, label=values.label)
    units = dict.fromkeys(values.unit for values in series)
    axis.set_xlabel("frequency [Hz]"), axis.set_ylabel(f"amplitude [{', '.join(units)}]")
    axis.legend(fontsize=8)
    return _placed(plt, axis, ax, file, "spectrum")


def spectrum(t: np.ndarray, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(frequencies [Hz], amplitudes) of x about its mean: a sine of amplitude A that fits the time has a peak of A.

    Hann window, scaled by its mean; steps that are not equal are interpolated linearly onto as many equal ones.
    """
    n = len(t)
    even = np.linspace(t[0], t[-1], n)
    x = np.interp(even, t, x)
    window = np.hanning(n + 1)[:-1]
    amplitude = np.abs(np.fft.rfft((x - x.mean()) * window)) / (window.sum() / 2.0)
    return np.fft.rfftfreq(n, (t[-1] - t[0]) / (n - 1)), amplitude


def plot_energy(result, ax=None, file=None):
    """See Result.plot_energy."""
    plt = pyplot()
    axis = ax if ax is not None else plt.subplots(figsize=(7.0, 3.6))[1]
    for word, width in (("kinetic", 1.0), ("potential", 1.0), ("total", 1.8)):
        axis.plot(*result[f"energy.{word}"].curve(), linewidth=width, label=word)
    total = np.asarray(result["energy.total"])
    axis.set_title(f"change of the total: {total[-1] - total[0]:+.3g} J", fontsize=9, loc="right")
    axis.set_xlabel("t [s]"), axis.set_ylabel("energy [J]")
    axis.legend(fontsize=8)
    return _placed(plt, axis, ax, file, "energy")


def _number(result, quantity):
    """A quantity that is a number over time."""
    values = result[quantity]
    if result.is_static or len(values) < 2:
        raise ModelError(Fault(values.label, "has no time to draw it over: the result is an equilibrium or one state"))
    if values.ndim != 1:
        raise ModelError(Fault(values.label, f"has {values.shape[1]} components", "name one, such as .x or .norm"))
    return values


def _named(values) -> str:
    return f"{values.label} [{values.unit}]" if values.unit else values.label


def _placed(plt, axis, ax, file, word: str):
    """Grid, room, and the file where one is due; `file` False: none."""
    axis.grid(alpha=0.3)
    axis.figure.tight_layout()
    if file is not False and (ax is None or file):
        _finish(plt, axis.figure, file, word)
    return axis


def _draw(axis, values, label: str) -> None:
    data = np.asarray(values)
    if values.time is None:
        axis.plot(np.arange(data.size), data.ravel(), "o", label=label or values.label)
        return
    times, data = values.curve()
    columns = data.reshape(len(times), -1)
    for i, column in enumerate(columns.T):
        part = values.components[i] if values.components and columns.shape[1] > 1 else ""
        axis.plot(times, column, linewidth=1, label=(" " if label else ".").join(filter(None, (label or values.label, part))))


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
    if file is None and headless() and (display := notebook()) is not None:
        from IPython.display import HTML

        display(HTML(result._repr_html_()))
        return ""
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


def show_mode(modes, mode: int, file) -> str:
    """See Modes.show."""
    plt = pyplot()
    moved = modes.displacements(mode)
    place = {name: modes.position(name) for name in moved}
    axis = plt.figure(figsize=(6, 6)).add_subplot(projection="3d")
    points = np.array(list(place.values())) if place else np.zeros((1, 3))
    half = max(np.ptp(points, axis=0).max() / 2, 0.1)
    largest = max((np.abs(d).max() for d, _ in moved.values()), default=0.0)
    aside = points + 0.4 * half / (largest or 1.0) * np.array([d.real for d, _ in moved.values()] or [[0, 0, 0]])
    axis.plot(*points.T, "o-", color="0.7", linewidth=1, label="at the state")
    axis.plot(*aside.T, "o-", linewidth=1, label=f"mode {mode}: {modes.frequencies[mode]:.4g} Hz")
    middle = points.mean(0)
    for i, word in enumerate("xyz"):
        getattr(axis, f"set_{word}lim")(middle[i] - 1.2 * half, middle[i] + 1.2 * half)
        getattr(axis, f"set_{word}label")(f"{word} [m]")
    axis.legend(fontsize=8)
    print(f"mode {mode}: {modes.frequencies[mode]:.9g} Hz, damping ratio {modes.damping_ratios[mode]:.4g}")
    for name, (displacement, rotation) in moved.items():
        print(f"  {name}: displacement {np.round(displacement, 6) + 0.0} m, rotation {np.round(rotation, 6) + 0.0} rad")
    return _finish(plt, axis.figure, file, "mode") or ""


def plot_response(response, file):
    """See FrequencyResponse.plot."""
    plt = pyplot()
    figure, axes = plt.subplots(2, 1, sharex=True, figsize=(7, 5))
    for o, output in enumerate(response.outputs):
        for i, given in enumerate(response.inputs):
            label = f"{output} / {given}"
            axes[0].semilogx(response.frequencies, 20 * np.log10(np.maximum(response.gain[:, o, i], 1e-300)), linewidth=1, label=label)
            axes[1].semilogx(response.frequencies, np.degrees(response.phase[:, o, i]), linewidth=1, label=label)
    axes[0].set_ylabel("gain [dB]"), axes[1].set_ylabel("phase [degrees]"), axes[1].set_xlabel("frequency [Hz]")
    axes[0].legend(fontsize=8)
    for axis in axes:
        axis.grid(alpha=0.3)
    return _finish(plt, figure, file, "response") or figure


def plot_campbell(campbell, orders, file):
    """See Campbell.plot."""
    plt = pyplot()
    figure, axis = plt.subplots(figsize=(7, 5))
    turning = np.sign(campbell.values)[:, None] * campbell.whirl
    for k in range(campbell.frequencies.shape[1]):
        f = campbell.frequencies[:, k]
        axis.plot(campbell.values, f, color="0.6", linewidth=1)
        for mask, colour in ((turning[:, k] > 0.5, "tab:red"), (turning[:, k] < -0.5, "tab:blue")):
            axis.plot(campbell.values, np.where(mask, f, np.nan), color=colour, linewidth=1.5)
    top = np.nanmax(campbell.frequencies) if campbell.frequencies.size else 1.0
    for order in orders:
        axis.plot(campbell.values, order * np.abs(campbell.values) / (2 * np.pi), "--", color="k", linewidth=0.8, label=f"{order:g} x speed")
    axis.plot([], [], color="tab:red", label="forward"), axis.plot([], [], color="tab:blue", label="backward")
    axis.set_ylim(0, 1.05 * top)
    axis.set_xlabel(campbell.parameter), axis.set_ylabel("frequency [Hz]")
    axis.legend(fontsize=8), axis.grid(alpha=0.3)
    return _finish(plt, figure, file, "campbell") or figure


def _finish(plt, figure, file, word: str) -> str | None:
    """Writes the picture where it is wanted or where nothing else could show it; else shows it."""
    if file is None and not _draws_only(plt):
        plt.show(block=False)
        return None
    if file is None and (display := notebook()) is not None:
        from IPython.display import Image

        picture = io.BytesIO()
        figure.savefig(picture, dpi=96, format="png")
        display(Image(picture.getvalue()))
        return None
    if file is None:
        number = 1
        stem = _script()
        while (number, word) in _written:
            number += 1
        _written.add((number, word))
        file = f"{stem}_{word}_{number}.png"
        print(f"picture in {file}")
    return save_picture(figure, file)


def save_picture(figure, file: str | os.PathLike[str]) -> str:
    """Writes a picture; returns the file's name. ModelError where the disk or the ending is not for it."""
    path = Path(file)
    known = figure.canvas.get_supported_filetypes()
    ending = path.suffix[1:].lower()
    if ending and ending not in known:
        refuse(os.fspath(file), f"has the ending .{ending}, which is no picture", f"choose one of .{', .'.join(sorted(known))}")
    picture = io.BytesIO()
    figure.savefig(picture, dpi=120, format=ending or None)
    try:
        path.write_bytes(picture.getvalue())
    except OSError as error:
        raise ModelError(unwritten(file, error)) from None
    return os.fspath(file)


_written: set[tuple[int, str]] = set()
