"""Whether a fixed step is too coarse: its first steps against steps of twice the length, and what the scheme makes of small motions over the run."""

from __future__ import annotations

import math
import warnings
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from saltus import running
from saltus.errors import ModelError

if TYPE_CHECKING:
    from saltus.model import Model

STEPS = 40  # compared at most: the cost of the check
ORDER = 2  # of the schemes with a fixed step; a higher order makes the estimate pessimistic
DEGREE = {"explicit_euler": 1, "explicit_midpoint": 2, "heun": 2, "runge_kutta_3": 3, "runge_kutta_4": 4}  # of the terms of exp(z) by which a step multiplies a motion
GROWN = 1.1  # factor over the run from which a scheme makes a motion too large
MODES = 100  # velocities up to which motions are looked at
COARSE = 0.05  # of the motion's range
FAR = 0.2  # of a body's radius or half edge, moved in a step
MEETS_WITHIN = ("moreau_jean", "event_driven", "static")  # schemes that find where bodies meet within a step, however fast they are
FAST_STATES, FAST_BODIES = 64, 100  # looked at: states in which a velocity is largest, the smallest bodies
ROUNDING = 1e-9  # motion below this part of the coordinates is none


def coarse_step(engine, options, recorded) -> tuple[str, str] | None:
    """(estimated error, remedy) if it is above 5 % of the motion in the first steps, else None.

    The estimate is Richardson's: |y(2h) - y(h)| / (2^p - 1), p = 2, of Euler's scheme 1, the largest at any common time, against the largest change of any
    coordinate.
    """
    h, t, y = options.step, recorded.arrays["t"], recorded.arrays["y"]
    steps = min(STEPS, int(options.until / h + 1e-9) // 2 * 2, recorded.report["steps"] // 2 * 2)
    end = steps * h
    if steps < 2 or options.interval is not None:
        return None
    grid = np.searchsorted(t, 2.0 * h * np.arange(1, steps // 2 + 1) - 0.5 * h)  # where the steps of twice the length end
    if len(t) <= grid[-1] or np.abs(t[grid] - 2.0 * h * np.arange(1, steps // 2 + 1)).max() > 1e-9 * max(1.0, end):
        return None
    nq = recorded.system.sizes()["nq"] or y.shape[1]
    try:
        _, run = running.prepare(engine, replace(options, until=end, step=2.0 * h), like=recorded)
    except ModelError:
        return None
    reached = []
    report = run.advance(lambda t, y, *rest: reached.append((t, y)))
    if report["status"] == "interrupted":
        raise KeyboardInterrupt
    remedy = "take a smaller step, or leave it out: then the error is controlled"
    if report["status"] != "done" or not reached:
        return f"of {h:g} s is too large: with {2 * h:g} s the run fails", remedy
    coarse_t, coarse = (np.concatenate(column)[-len(grid) :] for column in zip(*reached, strict=True))
    if len(coarse) < len(grid) or np.abs(coarse_t - t[grid]).max() > 1e-9 * max(1.0, end):
        return None
    change = np.abs(coarse[:, :nq] - y[grid, :nq]).max(initial=0.0)
    motion = np.abs(y[: grid[-1] + 1, :nq] - y[0, :nq]).max(initial=0.0)
    error = change / (2 ** min(ORDER, DEGREE.get(recorded.scheme, ORDER)) - 1)
    size = np.abs(y[: grid[-1] + 1, :nq]).max(initial=0.0)
    if motion <= ROUNDING * size or error <= COARSE * motion:
        return None
    return f"of {h:g} s is coarse: the error within {steps} steps is about {100 * error / motion:.0f} % of the motion", remedy


def growing_step(model: Model, options, recorded) -> tuple[str, str] | None:
    """(what, remedy) if n steps make a small motion exp(lambda t) about the start grow by |R(h lambda)|^n though it should not (Hairer, Wanner 1996, IV.2)."""
    h, degree, report = options.step, DEGREE.get(recorded.scheme), recorded.report
    if degree is None or recorded.system.sizes()["nv"] > MODES or any("is too long for" in fault.message for fault in report["warnings"]):
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            values = np.asarray(model.modes(at="start").eigenvalues)
        except ModelError:
            return None
    z = h * values[np.isfinite(values)]
    with np.errstate(divide="ignore"):
        grown = report["steps"] * (np.log(np.abs(sum(z**k / math.factorial(k) for k in range(degree + 1)))) - np.maximum(0.0, z.real))
    if not grown.max(initial=0.0) > math.log(GROWN):
        return None
    worst = int(np.argmax(grown))
    factor = f"{math.exp(grown[worst]):.3g}" if grown[worst] < 100.0 else f"1e{grown[worst] / math.log(10.0):.0f}"
    message = f"of {h:g} s is unstable for {recorded.scheme}: the run makes small motions of {abs(z[worst]) / h / (2 * math.pi):.4g} Hz {factor} times as large as they are"
    return message, "take a scheme of higher order, such as runge_kutta_4, or a far smaller step, or leave it out: then the error is controlled"


def broken_step(step: float, recorded) -> tuple[str, str] | None:
    """(what, remedy) if the fixed step could not be kept, so that coarse_step had nothing to compare."""
    report = recorded.report
    if not report["rejected"]:
        return None
    smallest = np.diff(recorded.arrays["t"]).min(initial=step)
    return f"of {step:g} s could not be kept: {report['rejected']} attempts failed, steps went down to {smallest:.1g} s", "take a smaller step, or leave it out: then the error is controlled"


def fast_contacts(engine, options, recorded) -> tuple[str, str] | None:
    """(estimate, remedy) if a body of a group contact moves far for its size in a step: impacts come late or are missed.

    With a fixed step the depth of an impact is up to speed times step, but in schemes that end a step where bodies meet.
    """
    t, y, sizes = recorded.arrays["t"], recorded.arrays["y"], recorded.system.sizes()
    bodies = _touching(engine)
    if not bodies or len(t) < 3 or recorded.scheme in MEETS_WITHIN:
        return None
    h = float(np.median(recorded.arrays["h"]))
    v = np.abs(y[:, sizes["nq"] : sizes["nq"] + sizes["nv"]])
    fastest = np.unique(v.argmax(axis=0))[:FAST_STATES]
    states = [recorded.arrays[name][fastest] for name in ("t", "y", "a", "lam", "data")]
    worst, found = FAR, None
    for body in sorted(bodies, key=lambda name: bodies[name])[:FAST_BODIES]:
        speed = float(recorded.system.evaluate(f"{body}.velocity.norm", *states)[0].max())
        if speed * h / bodies[body] > worst:
            worst, found = speed * h / bodies[body], (body, speed, FAR * bodies[body] / speed)
    if found is None:
        return None
    body, speed, enough = found
    message = f"of {h:g} s is coarse for contact: {body} moves at {speed:.3g} m/s, {100 * worst:.0f} % of its radius or half edge in a step"
    return message, f"give step={_rounded(enough)} or less, or take the scheme moreau_jean"


def _touching(engine) -> dict[str, float]:
    """Bodies in contacts between groups, with their smallest radius or half edge [m]."""
    sizes: dict[str, float] = {}
    known = {name for section, _, name in engine.records() if section == "markers"}
    for section, kind, name in engine.records():
        if (section, kind) != ("relations", "contact"):
            continue
        fields = engine.record(name)["fields"]
        for marker in _markers(fields):
            shape = engine.record(marker)["fields"] if marker in known else {}
            body = shape.get("body")
            body = body.get("body") if isinstance(body, dict) else body
            given = [shape[key] for key in ("radius", "size") if key in shape]
            size = min([0.5 * x for x in given[0]] if given and isinstance(given[0], list) else given, default=0)
            if isinstance(body, str) and body != "ground" and isinstance(size, (int, float)) and size > 0:
                sizes[body] = min(size, sizes.get(body, size))
    return sizes


def _markers(fields) -> list[str]:
    """Names of the shapes of a contact: of each side a list, or one alone."""
    sides = [entry for side in ("A", "B") if side in fields for entry in (fields[side] if isinstance(fields[side], list) else [fields[side]])]
    return [str(entry.get("marker", entry.get("item", "")) if isinstance(entry, dict) else entry) for entry in sides]


def _rounded(x: float) -> str:
    """Down to one digit."""
    digits = 10.0 ** np.floor(np.log10(x))
    return f"{np.floor(x / digits * (1 + 1e-9)) * digits:g}"
