"""Whether a fixed step is too coarse: its first steps against steps of twice the length."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

STEPS = 40  # compared at most: the cost of the check
ORDER = 2  # of the schemes with a fixed step; a higher order makes the estimate pessimistic
COARSE = 0.05  # of the motion's range
ROUNDING = 1e-9  # motion below this part of the coordinates is none


def coarse_step(engine, options, recorded) -> str:
    """A message with the estimated error if it is above 5 % of the motion in the first steps, else empty.

    The estimate is Richardson's: |y(2h) - y(h)| / (2^p - 1), p = 2, against the largest change of any coordinate.
    """
    from saltus import running
    from saltus.errors import ModelError

    h, t, y = options.step, recorded.arrays["t"], recorded.arrays["y"]
    steps = min(STEPS, int(options.until / h + 1e-9) // 2 * 2, recorded.report["steps"] // 2 * 2)
    end = steps * h
    if steps < 2 or options.interval is not None:
        return ""
    at = int(np.argmin(np.abs(t - end)))
    if abs(t[at] - end) > 1e-9 * max(1.0, end):
        return ""
    nq = recorded.system.sizes()["nq"] or y.shape[1]
    try:
        double = running.run(engine, replace(options, until=end, step=2.0 * h))
    except ModelError:
        return ""
    if double.report["status"] != "done" or not len(double.arrays["y"]):
        return f"of {h:g} s is too large: with {2 * h:g} s the run fails"
    change = np.abs(double.arrays["y"][-1, :nq] - y[at, :nq]).max(initial=0.0)
    motion = np.abs(y[: at + 1, :nq] - y[0, :nq]).max(initial=0.0)
    error = change / (2**ORDER - 1)
    size = np.abs(y[: at + 1, :nq]).max(initial=0.0)
    if motion <= ROUNDING * size or error <= COARSE * motion:
        return ""
    return f"of {h:g} s is coarse: the error after {steps} steps is about {100 * error / motion:.0f} % of the motion"
