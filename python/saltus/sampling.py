"""Points of a study: grids, Latin hypercubes, Sobol sequences, random ones. `sl.study(run, sl.sampling.sobol(256, k=(50, 150)))`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from saltus.errors import missing_extra
from saltus.geometry import refuse, short

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Samples(Sequence[dict[str, Any]]):
    """Points one after the other: `samples[3]` is {"k": 71.5, "c": 2.0}; `values` (n, parameters), `names`."""

    def __init__(self, names: Sequence[str], values: NDArray[np.float64]):
        self.names, self.values = tuple(names), values

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, i: Any) -> Any:
        if isinstance(i, slice):
            return Samples(self.names, self.values[i])
        return dict(zip(self.names, self.values[i].tolist(), strict=True))

    def __repr__(self) -> str:
        return f"<{len(self)} samples of {', '.join(self.names)}>"


def grid(**values: Iterable[float]) -> Samples:
    """All combinations of numbers; the last parameter varies fastest."""
    axes = {name: np.asarray(list(given), dtype=float) for name, given in values.items()}
    if not axes or any(axis.size == 0 for axis in axes.values()):
        refuse("sampling/grid", "has no parameter, or one without a value", "give numbers, as k=[50, 100]")
    return Samples(list(axes), np.stack([mesh.ravel() for mesh in np.meshgrid(*axes.values(), indexing="ij")], axis=1))


def latin_hypercube(count: int, /, *, seed: int = 0, **ranges: Any) -> Samples:
    """`count` points, one in each of as many equal parts of each parameter's range (McKay, Beckman, Conover 1979).

    ranges: (low, high), evenly, or a distribution of scipy.stats such as `norm(100, 5)`, `loguniform(1, 10)`.
    """
    return _spread("latin_hypercube", count, ranges, lambda qmc, d: _engine(qmc.LatinHypercube, d, seed).random(count))


def sobol(count: int, /, *, seed: int = 0, **ranges: Any) -> Samples:
    """`count` points of a scrambled Sobol sequence (Owen 1998); best a power of 2, else a warning tells it. ranges: as of `latin_hypercube`."""
    return _spread("sobol", count, ranges, lambda qmc, d: _engine(qmc.Sobol, d, seed).random(count))


def monte_carlo(count: int, /, *, seed: int = 0, **ranges: Any) -> Samples:
    """`count` independent random points. ranges: as of `latin_hypercube`."""
    return _spread("monte_carlo", count, ranges, lambda _, d: np.random.default_rng(seed).random((count, d)))


def _engine(kind: Any, d: int, seed: int) -> Any:
    try:
        return kind(d, rng=np.random.default_rng(seed))
    except TypeError:  # scipy before 1.15
        return kind(d, seed=np.random.default_rng(seed))


def _spread(word: str, count: int, ranges: Mapping[str, Any], points: Any) -> Samples:
    """Points of the unit cube, each parameter by the inverse of its distribution."""
    if isinstance(count, bool) or not isinstance(count, (int, np.integer)) or count < 1:
        refuse(f"sampling/{word}", f"is asked for {count!r} points, must be a whole number of at least 1")
    if not ranges:
        refuse(f"sampling/{word}", "has no parameter", "give ranges, as k=(50, 150)")
    inverses = [_inverse(f"sampling/{word}/{name}", given) for name, given in ranges.items()]
    try:
        from scipy.stats import qmc
    except ImportError:
        if word != "monte_carlo":
            raise missing_extra(f"sampling.{word}", "numerics") from None
        qmc = None
    unit = points(qmc, len(ranges))
    return Samples(list(ranges), np.stack([inverse(unit[:, i]) for i, inverse in enumerate(inverses)], axis=1))


def _inverse(path: str, given: Any) -> Any:
    if hasattr(given, "ppf"):
        return given.ppf
    try:
        low, high = (float(x) for x in given)
    except (TypeError, ValueError):
        refuse(path, f"is {short(given)}, expected (low, high) or a distribution", "write k=(50, 150), or scipy.stats.norm(100, 5)")
    if not (np.isfinite(low) and np.isfinite(high) and low < high):
        refuse(path, f"is from {low:g} to {high:g}; low must be below high, both finite")
    return lambda u: low + (high - low) * u


__all__ = ["Samples", "grid", "latin_hypercube", "monte_carlo", "sobol"]
