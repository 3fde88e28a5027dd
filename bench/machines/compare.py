"""Machines of practice beside exudyn in one job: CPU time at equal error.

    python bench/machines/compare.py [--only NAME ...] [--exudyn-python PATH]

The truth is Saltus' run of dormand_prince at a tolerance of 1e-11, given with its distance to a run at 1e-9; exudyn's own runs are extrapolated to show that both solve
the same equations. The error is the largest of the probes over its own change in the run. exudyn: generalized alpha with modified Newton, dense
solver, spectral radius 0.9, the step halved from run to run. Saltus: the default scheme at tolerances from 1e-3 on."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import saltus_machines

HERE = Path(__file__).parent
MACHINES = ("gear_train", "excavator", "crane", "car")


def probes(result, quantities) -> np.ndarray:
    return np.concatenate([np.ravel(result[q].values[-1]) for q in quantities]).astype(float)


def saltus(name: str, **options):
    model, quantities, end = getattr(saltus_machines, name)()
    began = time.process_time()
    result = model.simulate(end, **options)
    spent = time.process_time() - began
    first = np.concatenate([np.ravel(result[q].values[0]) for q in quantities]).astype(float)
    return spent, probes(result, quantities), first


def exudyn(python: str, name: str, steps: int):
    out = subprocess.run([python, "-W", "ignore", str(HERE / "exudyn_machines.py"), name, str(steps)], capture_output=True, text=True)
    if out.returncode != 0:
        raise SystemExit(out.stderr)
    run = json.loads(out.stdout.splitlines()[-1])
    return run["cpu"], np.array(run["probes"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", default=MACHINES)
    parser.add_argument("--exudyn-python", default=sys.executable)
    parser.add_argument("--repeat", type=int, default=3)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    for name in given.only:
        _, truth, first = saltus(name, scheme="dormand_prince", tolerance=1e-11)
        _, again, _ = saltus(name, scheme="dormand_prince", tolerance=1e-9)
        moved = np.maximum(np.abs(truth - first), 1e-3 * np.abs(truth).max())
        scale = np.where(np.abs(truth) > 1e4, 1e-6, 1.0)  # pressures are given in MPa there

        def error(x):
            return float(np.max(np.abs(x - truth) / moved))

        print(f"{name}: truth to {error(again):.0e}")
        steps = [250 * 2**k for k in range(9)]
        theirs, ends = [], []
        for n in steps:
            runs = [exudyn(given.exudyn_python, name, n) for _ in range(given.repeat)]
            ends.append(runs[0][1])
            theirs.append((min(r[0] for r in runs), error(runs[0][1] / scale)))
            print(f"  exudyn {n:6d} steps  {theirs[-1][0] * 1e3:9.2f} ms  error {theirs[-1][1]:.1e}")
            if theirs[-1][0] > 3.0:
                break
        order = 1 if theirs[-1][1] > 0.35 * theirs[-2][1] else 2
        limit = ends[-1] + (ends[-1] - ends[-2]) / (2**order - 1)
        print(f"  exudyn extrapolated (order {order}): {error(limit / scale):.1e} from the truth")
        for tolerance in (1e-3, 1e-4, 1e-5, 1e-6, 1e-7):
            runs = [saltus(name, tolerance=tolerance) for _ in range(given.repeat)]
            spent, miss = min(r[0] for r in runs), error(runs[0][1])
            # exudyn's time at this error, on the line through its two finest runs
            (c0, e0), (c1, e1) = theirs[-2:]
            reached = [c for c, e in theirs if e <= miss]
            needed = reached[0] if reached else c1 * (e1 / miss) ** (np.log(c1 / c0) / np.log(e0 / e1)) if miss > 0 else np.inf
            print(f"  saltus tolerance {tolerance:.0e}  {spent * 1e3:9.2f} ms  error {miss:.1e}   exudyn {'' if reached else 'would need '}{needed * 1e3:.0f} ms: {needed / spent:.1f} x")


if __name__ == "__main__":
    main()
