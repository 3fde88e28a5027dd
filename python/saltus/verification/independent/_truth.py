"""Truth beside Saltus, and the two runs of each case: one with all settings left alone, one with a tight tolerance."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

LOOSE, TIGHT = 1e-4, 1e-7  # of the motion: a hundred times the tolerances asked, 1e-6 (default) and 1e-9


def integrate(f: Callable, start: Sequence[float], until: float, method: str = "DOP853") -> np.ndarray:
    """The last state of y' = f(t, y) by scipy, relative tolerance 1e-12."""
    from scipy.integrate import solve_ivp

    return solve_ivp(f, (0, until), start, method=method, rtol=1e-12, atol=1e-13).y[:, -1]


def last(result, quantities) -> list[float]:
    """Last values of quantities, in one list."""
    return [float(x) for q in quantities for x in np.ravel(result[q].last)]


def both(
    case, label: str, make: Callable, until: float, read, truth, scale: float = 1.0, *,
    source: str, loose: float = LOOSE, tight: float = TIGHT, tolerance: float = 1e-9,
    scheme: str = "auto",
) -> Iterator:  # fmt: skip
    """Rows of a model at `until` [s]: with default settings and with a tight tolerance.

    read: quantities whose last values are compared, or a function of the result. scale: size of the motion, in the units
    of `truth`; the tolerances of the rows are `loose` and `tight` times it. scheme: of the tight run.
    """
    for asked, bound in ((None, loose), (tolerance, tight)):
        result = make().simulate(until, **({} if asked is None else {"tolerance": asked, "scheme": scheme}))
        case.how = f"{result.scheme}, " + ("as simulate() chooses" if asked is None else f"tolerance {asked:g}")
        values = read(result) if callable(read) else last(result, read)
        yield case.compare(label, values, truth, bound * scale, source=source)
