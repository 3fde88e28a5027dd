"""Frequency response and Campbell diagram: what a model answers to a vibration, and its modes over a parameter such as a speed."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from saltus import geometry as g
from saltus.linearization import Linearization
from saltus.modes import Modes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from saltus.arguments import Direction
    from saltus.model import Model

    Array = NDArray[np.float64]

POINTS = 400  # frequencies where none are given
WHIRLS = 0.05  # of what the largest circle would sweep: a mode that does not circle


@dataclass(frozen=True)
class FrequencyResponse:
    """Answers of outputs to inputs at frequencies: `values` (n, outputs, inputs), complex, in the unit of the output by that of the input.

    frequencies (n) [Hz]. An input cos(2 pi f t) gives the output gain cos(2 pi f t + phase) once the transient has decayed. `linearization`: what it was computed from.
    """

    frequencies: Array
    values: NDArray[np.complex128] = field(repr=False)
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    linearization: Linearization = field(repr=False)

    @property
    def gain(self) -> Array:
        """Amplitudes (n, outputs, inputs)."""
        return np.abs(self.values)

    @property
    def phase(self) -> Array:
        """Phases (n, outputs, inputs) [rad], without jumps; below 0 where the output comes later."""
        return np.unwrap(np.angle(self.values), axis=0)

    def plot(self, *, file: str | os.PathLike[str] | None = None) -> Any:
        """Gains in decibel and phases over frequency (Bode), a line for each pair."""
        from saltus.plotting import plot_response

        return plot_response(self, file)


def frequency_response(model: Model, frequencies: Any, at: Any, inputs: Sequence[Any], outputs: Sequence[Any]) -> FrequencyResponse:
    """See Model.frequency_response."""
    path = "frequency_response"
    for word, given in (("inputs", inputs), ("outputs", outputs)):
        if isinstance(given, str) or not len(given):
            g.refuse(f"{path}/{word}", f"is {given!r}, expected a list", "write inputs=[push], outputs=[cart.position.x]")
    linear = model.linearize(at=at, inputs=inputs, outputs=outputs)
    if not len(linear.A):
        g.refuse(path, "is asked of a model that cannot move", "free a joint, or take other inputs and outputs")
    f = _frequencies(linear) if frequencies is None else _rising(frequencies, f"{path}/frequencies")
    poles: Any = linear.eigenvalues
    s = 2j * np.pi * f
    near = np.abs(s[:, None] - poles[None, :]).min(axis=1)
    if (near <= 1e-12 * np.maximum(np.abs(s), 1e-300)).any():
        k = int(np.argmin(near))
        g.refuse(f"{path}/frequencies", f"has {f[k]:g} Hz, where an undamped mode answers without bound", "leave it out, or add damping")
    if poles.real.max() > 1e-9 * np.abs(poles).max():
        g.warn(path, f"is that of an unstable state (a motion grows as exp({poles.real.max():.3g} t)): no run settles to it", "look at m.modes(at=...)")
    return FrequencyResponse(f, linear.transfer(s), tuple(linear.inputs), tuple(linear.outputs), linear)


def _rising(values: Any, path: str, unit: str = "Hz") -> Array:
    try:
        x = np.array(values, dtype=float).reshape(-1)
    except (TypeError, ValueError):
        g.refuse(path, f"is {g.short(values)}, expected numbers [{unit}]")
    if not len(x) or not np.isfinite(x).all() or (np.diff(x) <= 0).any():
        g.refuse(path, f"is {g.short(values)}, expected rising numbers [{unit}]", "write numpy.linspace(...) or numpy.geomspace(...)")
    return x


def _frequencies(linear: Linearization) -> Array:
    """From a tenth of the lowest mode to ten times the highest, evenly on a logarithmic scale and close to resonances."""
    sizes = np.abs(linear.eigenvalues) / (2 * np.pi)
    sizes = sizes[sizes > 1e-9 * max(sizes.max(initial=0.0), 1e-300)]
    low, high = (0.1 * sizes.min(), 10 * sizes.max()) if len(sizes) else (0.01, 100.0)
    f = [np.geomspace(low, high, POINTS)]
    poles: Any = linear.eigenvalues
    for value in poles[poles.imag > 0]:
        damped = abs(value.real) > 1e-4 * abs(value)
        width = (abs(value.real) if damped else 1e-4 * abs(value)) / (2 * np.pi)
        f.append(value.imag / (2 * np.pi) + width * np.linspace(-5, 5, 41 if damped else 42))  # an undamped pole is none of them
    f = np.unique(np.concatenate(f))
    return f[(f >= low) & (f <= high)]


@dataclass(frozen=True)
class Campbell:
    """Modes over a parameter: `frequencies` (values, modes) [Hz] of oscillations, each column one mode followed over the values.

    values: of the parameter. damping_ratios and eigenvalues as `Modes` has them. whirl (values, modes): 1 of a mode that circles about the axis in the sense of a positive speed (forward, where
    the rotor turns so), -1 against it (backward), 0 where it goes to and fro. `critical()` are the speeds at which a mode meets a multiple of the speed.
    """

    parameter: str
    values: Array
    eigenvalues: NDArray[np.complex128] = field(repr=False)
    whirl: Array = field(repr=False)

    @property
    def frequencies(self) -> Array:
        """(values, modes) [Hz], nan where a mode is not there."""
        return np.abs(self.eigenvalues) / (2 * np.pi)

    @property
    def damping_ratios(self) -> Array:
        """Of each value and mode, below 0 where the motion grows."""
        return -self.eigenvalues.real / np.abs(self.eigenvalues)

    def critical(self, order: float = 1.0, *, backward: bool = False) -> list[float]:
        """Speeds [rad/s] at which a mode's circular frequency is `order` times the speed, interpolated between the values; the parameter must be that speed.

        An unbalance drives forward modes: those that circle backward are left out unless `backward` is given.
        """
        out = []
        for k in range(self.eigenvalues.shape[1]):
            apart = np.abs(self.eigenvalues[:, k]) - order * np.abs(self.values)
            for i in np.flatnonzero(np.diff(np.sign(apart)) != 0):
                if np.isfinite(apart[i : i + 2]).all() and (backward or (self.whirl[i : i + 2, k] * np.sign(self.values[i : i + 2].sum()) > -0.5).any()):
                    out.append(_crossing(self.values, apart, int(i)))
        return sorted(out)

    def plot(self, *, orders: Sequence[float] = (1.0,), file: str | os.PathLike[str] | None = None) -> Any:
        """Frequencies over the parameter, forward and backward in colours, with lines of multiples of the speed."""
        from saltus.plotting import plot_campbell

        return plot_campbell(self, orders, file)


def _crossing(x: Array, y: Array, i: int) -> float:
    """Where y changes its sign between i and i + 1: the parabola or cubic through its neighbours."""
    low, high = max(0, i - 1), min(len(x), i + 3)
    keep = [k for k in range(low, high) if np.isfinite(y[k])]
    linear = x[i] - y[i] * (x[i + 1] - x[i]) / (y[i + 1] - y[i])
    if len(keep) < 3:
        return float(linear)
    roots = np.roots(np.polyfit(x[keep] - x[i], y[keep], len(keep) - 1))
    inside = [float(r.real) + x[i] for r in roots if abs(r.imag) < 1e-9 * max(1.0, abs(r)) and x[i] <= r.real + x[i] <= x[i + 1]]
    return float(min(inside, key=lambda r: abs(r - linear))) if inside else float(linear)


def campbell(model: Model, parameter: str, values: Any, at: Any, axis: Direction, count: int | None) -> Campbell:
    """See Model.campbell."""
    path = "campbell"
    if parameter not in model.parameters:
        g.refuse(f"{path}/parameter", f"is {parameter!r}, which the model has not", g.near(str(parameter), list(model.parameters)) or 'write m.parameters["speed"] = 0, and "speed" where it turns')
    given = _rising(values, f"{path}/values", "of the parameter")
    n = g.direction(axis, f"{path}/axis")
    before = dict(model.parameters)
    found: list[tuple[np.ndarray, np.ndarray]] = []
    tracks: list[list[tuple[int, int]]] = []
    try:
        for value in given:
            entry = before[parameter]
            model.parameters = {**before, parameter: {**entry, "value": float(value)} if isinstance(entry, dict) else float(value)}
            modes = model.modes(at=at(float(value)) if callable(at) else at, count=count)
            found.append(_oscillations(modes, n))
            _follow(tracks, found, len(found) - 1)
    finally:
        model.parameters = before
    out = np.full((len(given), len(tracks)), np.nan + 0j)
    whirl = np.full(out.shape, np.nan)
    for k, track in enumerate(tracks):
        for i, j in track:
            out[i, k], whirl[i, k] = found[i][0][j], found[i][1][j]
    order = np.argsort([np.nanmin(np.abs(out[:, k])) for k in range(len(tracks))], kind="stable")
    return Campbell(parameter, given, out[:, order], whirl[:, order])


def _oscillations(modes: Modes, axis: Array) -> tuple[np.ndarray, np.ndarray]:
    """(eigenvalues, whirl) of the modes that swing."""
    swing = [k for k, value in enumerate(modes.eigenvalues) if value.imag > 1e-9 * max(abs(value), 1e-300)]
    return modes.eigenvalues[swing], np.array([_whirl(modes, k, axis) for k in swing])


def _whirl(modes: Modes, mode: int, axis: Array) -> float:
    """Twice the area that the bodies sweep about the axis over that of circles: 1 forward, -1 backward."""
    swept = possible = 0.0
    for moved, turned in modes.displacements(mode).values():
        for d, size in ((moved, 1.0), (turned, modes._equations.length)):
            d = size * np.asarray(d, dtype=complex)
            d = d - axis * (axis @ d)
            swept -= float(np.imag(axis @ np.cross(np.conj(d), d)))  # d = (1, -i): x = cos, y = sin
            possible += float(np.vdot(d, d).real)
    share = swept / possible if possible > 0.0 else 0.0
    return float(np.sign(share)) if abs(share) > 1 - WHIRLS else 0.0 if abs(share) < WHIRLS else share


def _follow(tracks: list[list[tuple[int, int]]], found: list[tuple[np.ndarray, np.ndarray]], i: int) -> None:
    """Gives each new mode to the track that leads there: nearest to where it goes on straight, and circling alike."""
    values, whirl = found[i]
    left = set(range(len(values)))
    pairs = []
    for k, track in enumerate(tracks):
        if track[-1][0] != i - 1:
            continue
        last = found[i - 1][0][track[-1][1]]
        ahead = 2 * last - found[i - 2][0][track[-2][1]] if len(track) > 1 and track[-2][0] == i - 2 else last
        turning = found[i - 1][1][track[-1][1]]
        size = max(np.abs(values).max(initial=0.0), 1e-300)
        pairs += [(abs(values[j] - ahead) / size + 0.1 * abs(whirl[j] - turning) * (i > 1), k, j) for j in left]
    used: set[int] = set()
    for _, k, j in sorted(pairs):
        if k not in used and j in left:
            tracks[k].append((i, j))
            used.add(k)
            left.remove(j)
    tracks += [[(i, j)] for j in sorted(left)]
