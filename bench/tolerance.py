"""Tolerance against error: each scheme and the default on cases with known answers; a picture and a table for docs/performance.md.

    python bench/tolerance.py [--only CASE ...] [--plot docs/tolerance.svg] [--json FILE] [--budget SECONDS]

The error is that of the end of the run, as a share of the case's own motion (the largest deviation from its start)."""

from __future__ import annotations

import argparse
import json
import math
import time
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable

import numpy as np

import saltus as sl
from saltus.items import CoordinateLoad, CoordinateSpringDamper, Mass1d, Node1d
from saltus.verification import truth as cases
from saltus.verification.models import free_body, heavy_top, of_gallery
from saltus.verification.truth import andrews_squeezer, car_axis, double_pendulum, kepler, linear_oscillator, slider_crank_3d

TRUTH = json.loads((Path(cases.__file__).parent.parent / "truth.json").read_text())
TOLERANCES = [10.0**-k for k in range(3, 10)]
SCHEMES = ("auto", "dormand_prince", "generalized_alpha", "moreau_jean")


def known(case: str, key: str) -> np.ndarray:
    return np.ravel(np.array(TRUTH[case]["truth"][key], dtype=float))


@dataclass
class Study:
    name: str
    model: Callable[[], sl.Model]
    until: float
    quantities: tuple[str, ...]  # of the result
    truth: Callable[[], np.ndarray]
    part: int | None = None  # how many of their numbers count


def spring(stiffness: float) -> sl.Model:
    """A mass on a stiff damped spring that a slow force bends: u follows F(t) / k, smooth."""
    m = sl.Model(gravity=(0, 0, 0))
    n = m.add(Node1d(name="n"))
    m.add(Mass1d(name="mass", node=n, mass=1))
    m.add(CoordinateSpringDamper(name="spring", A="ground", B=n, stiffness=stiffness, damping=0.2 * math.sqrt(stiffness)))
    m.add(CoordinateLoad(name="force", on=n, force=f"{stiffness!r}*(1 - cos(2*t))"))
    return m


def bent(stiffness: float, t: float) -> np.ndarray:
    """u'' + d u' + k u = k (1 - cos 2t): the answer in whose transient is below 1e-12 at t."""
    d = 0.2 * math.sqrt(stiffness)
    z = stiffness / (stiffness - 4 + 2j * d)
    return np.array([1 - (z * complex(math.cos(2 * t), math.sin(2 * t))).real])


STUDIES = [
    Study("oscillator", linear_oscillator.model, 5.0, ("n.coordinate",), lambda: known("linear_oscillator", "state_5")[:1]),
    Study("orbit", kepler.model, 2 * math.pi, ("planet.position",), lambda: np.array([0.4, 0, 0])),
    Study("free_body", lambda: free_body((3, 2, 1), (1, 0, 1.5)), 10.0, ("body.angular_velocity_body",), lambda: known("rigid_free_jacobi", "omega_body_10")),
    Study("double_pendulum", double_pendulum.model, 1.0, ("b.position",), lambda: known("double_pendulum", "tip_t1"), 2),
    Study("heavy_top", heavy_top, 0.1, ("top.position",), lambda: known("heavy_top", "com_t0.1")),
    Study("slider_crank", slider_crank_3d.model, 1.0, ("slider.position.x",), lambda: known("slider_crank_3d", "t1_slider_x")),
    Study("stiff_spring_1e6", lambda: spring(1e6), 3.0, ("n.coordinate",), lambda: bent(1e6, 3.0)),
    Study("stiff_spring_1e10", lambda: spring(1e10), 3.0, ("n.coordinate",), lambda: bent(1e10, 3.0)),
    Study("car_axis", lambda: of_gallery("car_axis"), 3.0, ("left.position.y", "right.position.y"), lambda: np.array([known("car_axis", k)[0] for k in ("yl", "yr")])),
    Study("squeezer", lambda: of_gallery("andrews_squeezer"), 0.03, ("n1.coordinate.2",), lambda: known("andrews_squeezer", "beta")),
]


def measured(study: Study, scheme: str, tolerance: float) -> dict[str, Any]:
    model = study.model()
    began = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = model.simulate(study.until, scheme=scheme, tolerance=tolerance)
    cpu = time.process_time() - began
    series = [np.asarray(result[q], dtype=float).reshape(len(result.time), -1) for q in study.quantities]
    values = np.hstack(series)[:, : study.part]
    motion = np.linalg.norm(values - values[0], axis=1).max()
    error = float(np.linalg.norm(values[-1] - study.truth()) / motion)
    return {"case": study.name, "scheme": scheme, "tolerance": tolerance, "error": error, "cpu": cpu, "steps": result.report["steps"],
            "ran": result.scheme, "status": result.report["status"]}


def cost_at(rows: list[dict[str, Any]], error: float) -> float:
    """CPU time that reaches the error: between the tolerances by powers, beyond them infinite or the least."""
    reached = [row["cpu"] for row in rows if row["error"] <= error]
    return min(reached) if reached else math.inf


def table(rows: list[dict[str, Any]]) -> str:
    lines = ["| case | scheme | error / tolerance, least to most | steps at 1e-3, 1e-6, 1e-9 | CPU ms at 1e-6 |", "|---|---|---|---|---|"]
    for case in dict.fromkeys(row["case"] for row in rows):
        for scheme in SCHEMES:
            own = [row for row in rows if row["case"] == case and row["scheme"] == scheme]
            if not own:
                continue
            ratio = [row["error"] / row["tolerance"] for row in own]
            steps = {round(-math.log10(row["tolerance"])): str(row["steps"]) for row in own}
            middle = [f"{1e3 * row['cpu']:.3g}" for row in own if row["tolerance"] == TOLERANCES[3]]
            ran = f" ({own[-1]['ran']})" if scheme == "auto" else ""
            lines.append(f"| {case} | {scheme}{ran} | {min(ratio):.2g} to {max(ratio):.2g} | {', '.join(steps.get(k, '-') for k in (3, 6, 9))} | {(middle or ['-'])[0]} |")
    lines += ["", "| case | `auto` by default (1e-6): error / tolerance | its CPU time over the least that any scheme takes to the same error |", "|---|---|---|"]
    for case in dict.fromkeys(row["case"] for row in rows):
        for row in rows:
            if row["case"] == case and row["scheme"] == "auto" and row["tolerance"] == TOLERANCES[3]:
                least = min(cost_at([r for r in rows if r["case"] == case and r["scheme"] == s], max(row["error"], 1e-13)) for s in SCHEMES)
                lines.append(f"| {case} | {row['error'] / row['tolerance']:.2g} | {row['cpu'] / least:.2g} |")
    return "\n".join(lines)


def picture(rows: list[dict[str, Any]], path: Path) -> None:
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "saltus"
    import matplotlib.pyplot as plt

    names = list(dict.fromkeys(row["case"] for row in rows))
    columns = 4
    figure, axes = plt.subplots(-(-len(names) // columns), columns, figsize=(13, 3.0 * -(-len(names) // columns)), sharex=True, sharey=True, squeeze=False)
    for axis, name in zip(axes.flat, names):
        axis.fill_between(TOLERANCES, [0.1 * t for t in TOLERANCES], [10 * t for t in TOLERANCES], color="0.9")
        for scheme, mark in zip(SCHEMES, "ko- b^: rs- gd-".split()):
            own = [row for row in rows if row["case"] == name and row["scheme"] == scheme]
            axis.loglog([r["tolerance"] for r in own], [max(r["error"], 1e-14) for r in own], mark, label=scheme, markersize=4, linewidth=1, alpha=0.8)
        axis.set_title(name, fontsize=9)
        axis.invert_xaxis() if not axis.xaxis_inverted() else None
    for axis in axes[-1]:
        axis.set_xlabel("tolerance")
    for row in axes:
        row[0].set_ylabel("error / own motion")
    for axis in list(axes.flat)[len(names):]:
        axis.axis("off")
    axes.flat[0].legend(fontsize=7)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", default=None)
    parser.add_argument("--schemes", nargs="+", default=list(SCHEMES))
    parser.add_argument("--plot", type=Path, default=None)
    parser.add_argument("--json", type=Path, default=None)
    parser.add_argument("--budget", type=float, default=10.0, help="CPU seconds a run; a scheme's smaller tolerances are left out beyond it")
    given = parser.parse_args()
    rows: list[dict[str, Any]] = []
    for study in STUDIES:
        if given.only and study.name not in given.only:
            continue
        for scheme in given.schemes:
            for tolerance in TOLERANCES:
                try:
                    rows.append(measured(study, scheme, tolerance))
                except sl.RunError as error:
                    print(study.name, scheme, tolerance, error, flush=True)
                    continue
                print("{case:18} {scheme:18} {tolerance:.0e} error {error:.2e} steps {steps:7d} cpu {cpu:.3f} {ran}".format(**rows[-1]), flush=True)
                if rows[-1]["cpu"] > given.budget / 3:
                    break
    print(table(rows))
    if given.json:
        given.json.write_text(json.dumps(rows))
    if given.plot:
        picture(rows, given.plot)


if __name__ == "__main__":
    main()
