"""Series after filters: on even times, which are taken from the motion itself where the series knows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from saltus import geometry as g
from saltus.errors import Fault, ModelError
from saltus.unit_algebra import read, times, written

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from saltus.curve import Curve
    from saltus.result import Series

PER_CYCLE = 20  # samples in a cycle of the highest corner
MOST = 2_000_000  # samples


def filtered(series: Series, lowpass: float | None, highpass: float | None, order: int, rate: float | None) -> Series:
    """What `Series.filter` gives."""
    corners = [g.number(x, f"filter/{word}", "Hz", above=0.0) for word, x in (("highpass", highpass), ("lowpass", lowpass)) if x is not None]
    if not corners:
        g.refuse("filter", "has neither lowpass= nor highpass=", "give a corner frequency [Hz]")
    if len(corners) == 2 and not corners[0] < corners[1]:
        g.refuse("filter/highpass", f"is {corners[0]:g} Hz, not below lowpass = {corners[1]:g} Hz", "between them is what passes")
    if not isinstance(order, (int, np.integer)) or not 1 <= order <= 12:
        g.refuse("filter/order", f"is {order!r}, expected a whole number from 1 to 12")
    t, values, rate = even(series, max(PER_CYCLE * max(corners), _own_rate(series)) if rate is None else g.number(rate, "filter/rate", "Hz", above=2.0 * max(corners)))
    try:
        from scipy.signal import butter, sosfiltfilt
    except ImportError:
        raise ModelError(Fault("filter", "needs scipy", 'install it: pip install "saltus[numerics]"')) from None
    kind = "bandpass" if len(corners) == 2 else "lowpass" if highpass is None else "highpass"
    sections = butter(order, corners if len(corners) == 2 else corners[0], kind, fs=rate, output="sos")
    if len(t) <= 6 * len(sections) + 3:
        g.refuse("filter", f"has {len(t)} samples of {t[-1] - t[0]:g} s, too few for a corner at {min(corners):g} Hz", "filter a longer run, or give a higher rate=")
    return _like(series, sosfiltfilt(sections, values, axis=0), t)


def mean_over(series: Series, window: float) -> Series:
    """What `Series.moving_mean` gives: the mean over window/2 to each side, at the ends over what is there, of the motion as drawn."""
    half = 0.5 * g.number(window, "moving_mean/window", "s", above=0.0)
    t, values = _timed(series)
    fine, of = series.curve()
    widths = np.diff(fine)
    columns = of.reshape(len(fine), -1)
    integral = np.vstack([np.zeros(columns.shape[1]), np.cumsum(0.5 * widths[:, None] * (columns[1:] + columns[:-1]), axis=0)])
    low, high = np.maximum(t - half, t[0]), np.minimum(t + half, t[-1])

    def at(x: NDArray[np.float64], column: int) -> NDArray[np.float64]:
        """Integral up to x: of the straight lines between the points."""
        i = np.clip(np.searchsorted(fine, x, side="right") - 1, 0, len(fine) - 2)
        h = x - fine[i]
        slope = (columns[i + 1, column] - columns[i, column]) / np.where(widths[i] > 0, widths[i], 1.0)
        return integral[i, column] + h * (columns[i, column] + 0.5 * h * slope)

    means = np.stack([(at(high, c) - at(low, c)) / np.where(high > low, high - low, 1.0) for c in range(columns.shape[1])], axis=-1)
    return _like(series, means.reshape(values.shape), t)


def derivative(series: Series) -> Series:
    """What `Series.derivative` gives: the slope of its curve behind each time, before the last; without a curve by differences of second order."""
    t, values = _timed(series)
    moves = np.concatenate([np.diff(t) > 0.0, [True]])  # of two states at a jump the one behind it
    kept = t[moves]
    if series._curve is not None:
        rates = _slopes(series._curve, kept)
    else:
        rates = np.gradient(values[moves], kept, axis=0, edge_order=2 if len(kept) > 2 else 1)
    if len(kept) < len(t):
        rates = rates[np.clip(np.searchsorted(kept, t), 0, len(kept) - 1)]
    return _like(series, rates, t, written(times(read(series.unit), read("s"), -1)))


def _slopes(curve: Curve, t: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of four points in the first part of each step, which is a cubic; at the last time in the last part of the step before it."""
    part = 1.0 / 64.0
    steps = np.diff(t) * part
    ahead = np.append(steps, -steps[-1])
    at = [t + k * ahead for k in range(4)]
    before = np.zeros(len(t), np.uint8)
    before[-1] = 1
    points = [curve.chunks(times, before if k == 0 else None) for k, times in enumerate(at)]
    width = (6.0 * ahead).reshape(-1, *[1] * (points[0].ndim - 1))
    return (-11.0 * points[0] + 18.0 * points[1] - 9.0 * points[2] + 2.0 * points[3]) / width


def even(series: Series, rate: float) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """(times, values, rate) at about `rate` [Hz], ends included."""
    t, values = _timed(series)
    span = float(t[-1] - t[0])
    count = int(np.ceil(span * rate)) + 1
    if count > MOST:
        g.refuse("filter/rate", f"of {rate:g} Hz makes {count} samples of {span:g} s", f"give rate= below {MOST / span:g}")
    grid = np.linspace(t[0], t[-1], max(count, 2))
    if series._curve is not None:
        return grid, series._curve.chunks(grid), (len(grid) - 1) / span
    columns = [np.interp(grid, t, column) for column in values.reshape(len(t), -1).T]
    return grid, np.stack(columns, axis=-1).reshape(len(grid), *values.shape[1:]), (len(grid) - 1) / span


def _own_rate(series: Series) -> float:
    """Points a second [Hz] with which its curve is drawn."""
    times, _ = _timed(series)
    return len(series.curve()[0]) / float(times[-1] - times[0])


def _timed(series: Series) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    if series.time is None or len(series) < 3:
        raise ModelError(Fault(series.label or "series", "has no times, or fewer than three", "take the quantity as result[quantity] gives it"))
    return np.asarray(series.time), series.values


def _like(series: Series, values: Any, t: NDArray[np.float64], unit: str | None = None) -> Series:
    return type(series)(values, series.unit if unit is None else unit, t, series.label, series.components)
