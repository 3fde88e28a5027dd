"""Parameters of a model from measured data: least squares over its simulations."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from saltus import geometry as g
from saltus.calls import checked
from saltus.errors import Fault, ModelError, ModelWarning, missing_extra
from saltus.quantity import Quantity
from saltus.result import Result, RunError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from saltus.model import Model

    Array = NDArray[np.float64]

APART = 1e-4  # of the differenced derivatives, in ranges of the parameters
ACCURATE = 1e-9  # tolerance of the runs, where none is given


@dataclass(frozen=True)
class Identified:
    """What fits: `fit["k"]` is a parameter, `fit.deviation["k"]` its standard deviation, by the noise that was given or, without one, by the residual. `print(fit)` shows them.

    values, deviation: by parameter. covariance (n, n), in the order of `values`. left: root mean square of the residual of the best run, by quantity, in its
    unit. result: that run. runs: how many it took.
    """

    values: dict[str, float]
    deviation: dict[str, float]
    covariance: Array = field(repr=False)
    left: dict[str, float]
    result: Result = field(repr=False)
    runs: int

    def __str__(self) -> str:
        lines = [f"{name} = {value:.9g} +- {self.deviation[name]:.2g}" for name, value in self.values.items()]
        lines += [f"residual of {name}: {rms:.3g} {self.result[name].unit} (root mean square)" for name, rms in self.left.items()]
        return "\n".join([*lines, f"{self.runs} runs"])

    def __getitem__(self, parameter: str) -> float:
        if parameter not in self.values:
            g.refuse(f"identify/{parameter}", "is not a parameter that was looked for", g.near(str(parameter), self.values) or f"they are {', '.join(self.values)}")
        return self.values[parameter]


class _Fit:
    def __init__(self, model: Model, times: Any, measured: Mapping[Any, Any], parameters: Mapping[str, Any], noise: Any, simulate: Mapping[str, Any]):
        self.model = model
        self.times = self.numbers(times, "identify/times")
        if self.times.ndim != 1 or not self.times.size or not np.isfinite(self.times).all() or np.any(np.diff(self.times) <= 0):
            g.refuse("identify/times", f"is {g.short(times)}, expected finite times that grow", "sort the samples by time")
        if not isinstance(measured, Mapping) or not measured:
            g.refuse("identify/measured", f"is {g.short(measured)}, expected quantities with their samples", "write measured={cart.position.x: samples}")
        for entry in measured:
            if not isinstance(entry, (str, Quantity)):
                g.refuse("identify/measured", f"has {g.short(entry)}, expected quantities or names of outputs", "write measured={cart.position.x: samples}")
        known = model.outputs
        self.labels = [entry if isinstance(entry, str) else entry.label for entry in measured]
        self.paths = [entry if isinstance(entry, Quantity) else known.get(entry, entry) for entry in measured]
        self.samples = [self.of_times(values, label) for values, label in zip(measured.values(), self.labels, strict=True)]
        self.noise = self.noises(noise, measured)
        self.names = tuple(parameters)
        if not self.names:
            g.refuse("identify/parameters", "names none", 'write parameters={"k": (50, 150)}')
        self.low, self.high, self.begin = (np.array(x) for x in zip(*(self.range(name, parameters[name]) for name in self.names), strict=True))
        self.simulate = {"until": float(self.times[-1]), **simulate}
        if "step" not in self.simulate and "tolerance" not in self.simulate:
            self.simulate["tolerance"] = ACCURATE
        self.runs = 0

    @staticmethod
    def numbers(values: Any, path: str) -> Array:
        try:
            return np.array(values, dtype=float)
        except (TypeError, ValueError):
            g.refuse(path, f"is {g.short(values)}, expected numbers")

    def of_times(self, values: Any, label: str) -> Array:
        out = self.numbers(values, f"identify/measured/{label}")
        if out.shape[:1] != self.times.shape:
            g.refuse(f"identify/measured/{label}", f"has {len(out) if out.ndim else 1} samples, and there are {self.times.size} times", "give one sample a time; nan where there is none")
        if not np.isfinite(out).any():
            g.refuse(f"identify/measured/{label}", "has no finite sample", "leave the quantity out")
        return out

    def noises(self, noise: Any, measured: Mapping[Any, Any]) -> list[float] | None:
        if noise is None:
            return None
        given = [noise[key] for key in measured] if isinstance(noise, Mapping) and noise.keys() >= measured.keys() else [noise] * len(measured)
        return [g.number(value, f"identify/noise/{label}", above=0.0) for value, label in zip(given, self.labels, strict=True)]

    def range(self, name: str, given: Any) -> tuple[float, float, float]:
        path = f"identify/parameters/{name}"
        entry = self.model.parameters.get(name)
        if entry is None:
            g.refuse(path, "is not a parameter of the model", g.near(name, list(self.model.parameters)) or f'write m.parameters["{name}"] = 1, and "{name}" where it acts')
        try:
            low, high = (g.number(x, path) for x in given)
        except (TypeError, ValueError):
            g.refuse(path, f"is {g.short(given)}, expected the range (low, high) in which it is looked for", f'write {{"{name}": (50, 150)}}')
        if not low < high:
            g.refuse(path, f"is ({low:g}, {high:g}): its low end is not below its high end", f"write ({high:g}, {low:g})" if high < low else "give a range")
        now = entry["value"] if isinstance(entry, Mapping) else entry
        inside = isinstance(now, (int, float)) and low < now < high
        return low, high, float(now) if inside else 0.5 * (low + high)

    def run(self, share: Array) -> Result:
        """With parameters at shares of their ranges."""
        before = dict(self.model.parameters)
        values = dict(zip(self.names, self.low + share * (self.high - self.low), strict=True))
        entries = {name: {**before[name], "value": float(x)} if isinstance(before[name], Mapping) else float(x) for name, x in values.items()}
        try:
            self.model.parameters = {**before, **entries}
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ModelWarning)
                result = self.model.simulate(**self.simulate)
        except RunError as error:
            point = ", ".join(f"{name} = {x:g}" for name, x in values.items())
            raise ModelError(Fault("identify", f"a run with {point} stopped early: {error}", "narrow the ranges of the parameters")) from None
        finally:
            self.model.parameters = before
        self.runs += 1
        return result

    def misses(self, result: Result) -> list[Array]:
        at = result.at(self.times)
        out = []
        for path, label, samples in zip(self.paths, self.labels, self.samples, strict=True):
            values = np.asarray(at[path])
            if values.shape != samples.shape:
                g.refuse(f"identify/measured/{label}", f"has samples of shape {samples.shape[1:]}, the quantity of {values.shape[1:]}", "take a component, such as position.x")
            miss = values - samples
            out.append(miss[np.isfinite(samples)])
        return out


@checked("identify", "sl.identify", bound=False)
def identify(
    model: Model,
    *,
    times: ArrayLike,
    measured: Mapping[Quantity | str, ArrayLike],
    parameters: Mapping[str, Sequence[float]],
    noise: float | Mapping[Quantity | str, float] | None = None,
    simulate: Mapping[str, Any] | None = None,
) -> Identified:
    """The parameters with which a model moves as was measured: `fit = sl.identify(m, times=t, measured={cart.position.x: x}, parameters={"k": (50, 150)})`.

    times (n) [s] that grow; measured: quantities or named outputs, with n samples, nan where one is missing. parameters: ranges in which they are looked
    for, from where the model has them, or from the middle. noise: standard deviation of the samples, one or by quantity; without it each quantity weighs by
    its spread. simulate: arguments of `m.simulate`. Runs must be smooth in the parameters: with impacts take simulate={"scheme": "event_driven"}.
    """
    try:
        from scipy.optimize import least_squares
    except ImportError:
        raise missing_extra("sl.identify", "numerics") from None
    if not isinstance(parameters, Mapping):
        g.refuse("identify/parameters", f"is {g.short(parameters)}, expected names with ranges", 'write parameters={"k": (50, 150)}')
    if simulate is not None and not isinstance(simulate, Mapping):
        g.refuse("identify/simulate", f"is {g.short(simulate)}, expected arguments of m.simulate", 'write simulate={"scheme": "event_driven"}')
    fit = _Fit(model, times, measured, parameters, noise, simulate or {})
    fit.misses(fit.run((fit.begin - fit.low) / (fit.high - fit.low)))  # mistakes are said at the caller's line
    weights = fit.noise or [float(np.std(samples[np.isfinite(samples)])) or 1.0 for samples in fit.samples]

    def residual(share: Array) -> Array:
        return np.concatenate([miss.ravel() / weight for miss, weight in zip(fit.misses(fit.run(share)), weights, strict=True)])

    width = fit.high - fit.low
    found = least_squares(residual, (fit.begin - fit.low) / width, bounds=(0.0, 1.0), jac="3-point", diff_step=APART, xtol=1e-12, ftol=1e-12, gtol=1e-12)
    best = fit.run(found.x)
    misses = fit.misses(best)
    count = sum(miss.size for miss in misses)
    normal = found.jac.T @ found.jac
    covariance = np.full(normal.shape, np.inf)
    sizes = np.sqrt(np.diag(normal))
    if (fit.noise or count > len(fit.names)) and np.all(sizes > 0.0) and np.linalg.cond(scaled := normal / np.outer(sizes, sizes)) < 1e12:
        unit = 1.0 if fit.noise else 2 * found.cost / max(count - len(fit.names), 1)
        covariance = unit * np.linalg.inv(scaled) / np.outer(sizes, sizes) * np.outer(width, width)
    else:
        g.warn_at_caller("identify: the samples do not tell the parameters apart: deviations are infinite; measure more, or look for fewer parameters")
    values = dict(zip(fit.names, (fit.low + found.x * width).tolist(), strict=True))
    edge = [name for name, x in zip(fit.names, found.x, strict=True) if x < 1e-6 or x > 1 - 1e-6]
    if edge:
        g.warn_at_caller(f"identify: {', '.join(edge)} ended at the edge of the range; give a wider one")
    left = {label: float(np.sqrt(np.mean(miss**2))) if miss.size else 0.0 for label, miss in zip(fit.labels, misses, strict=True)}
    return Identified(values, dict(zip(fit.names, np.sqrt(np.diag(covariance)).tolist(), strict=True)), covariance, left, best, fit.runs)
