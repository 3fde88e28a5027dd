"""Growth of friction solves with the number of contacts: `python bench/growth.py [--kind wall vault packing] [--sizes N ...]`.

Generates walls, vaults and sphere packings (saltus.numerics.generate), solves each to --tolerance in a process of its own and prints
CPU time (the solve alone, least of --repeat), memory beyond the problem itself (peak of the process over that before the solve)
and the exponents of the total time: between neighbours and over all sizes that were solved (least squares in logarithms).
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys

import numpy as np

LIMITS = {"wall": 1.2, "vault": 1.2, "packing": 1.6}

CHILD = """
import json, resource, sys
from saltus.numerics import generate
kind, size, tolerance, repeat, gigaflops, threads = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4]), float(sys.argv[5]), int(sys.argv[6])
problem = generate(kind, size, 0)
problem.solve(1.0, flop_budget=1)  # what reading the problem takes stands before the line
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
found = [problem.solve(tolerance, flop_budget=int(1e9 * gigaflops), threads=threads) for _ in range(repeat)]
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
s = found[0]
print(json.dumps(dict(contacts=len(problem.blocks), seconds=min(f.time_s for f in found), status=s.status, residual=s.residual,
                      scaled=s.scaled_residual, solver=s.solver, gigaflops=s.flops / 1e9, islands=s.islands,
                      bytes=1024 * (after - before))))
"""


def run(kind: str, size: int, arguments: argparse.Namespace) -> dict:
    """One problem in a process of its own."""
    repeat = arguments.repeat if size <= 10_000 else 1
    command = [sys.executable, "-c", CHILD, kind, size, arguments.tolerance, repeat, arguments.budget, arguments.threads]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        return {"status": (done.stderr.strip().splitlines() or ["no output"])[-1][:200]}
    return json.loads(done.stdout)


def main() -> int:
    """Measure, print, compare with the goals."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kind", nargs="+", default=list(LIMITS))
    parser.add_argument("--sizes", nargs="+", type=int, default=[300, 1000, 3000, 10_000, 30_000])
    parser.add_argument("--tolerance", type=float, default=1e-6)
    parser.add_argument("--budget", type=float, default=100.0, help="Gflop a solve")
    parser.add_argument("--repeat", type=int, default=3, help="solves of up to 10,000 contacts; the fastest counts")
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    for kind in arguments.kind:
        print(f"{kind:9} {'contacts':>8} {'CPU ms':>10} {'us each':>8} {'exponent':>8} {'kB each':>8} {'Gflop':>8} {'residual':>9} status", flush=True)
        points = []
        for size in arguments.sizes:
            row = run(kind, size, arguments)
            if "contacts" not in row:
                print(f"{'':9} {size:>8} {row['status']}", flush=True)
                continue
            n, seconds = row["contacts"], row["seconds"]
            exponent = f"{np.log(seconds / points[-1][1]) / np.log(n / points[-1][0]):8.2f}" if points else f"{'':8}"
            if row["status"] == "solved":
                points.append((n, seconds))
            print(
                f"{'':9} {n:>8} {1e3 * seconds:10.2f} {1e6 * seconds / n:8.2f} {exponent} {row['bytes'] / 1000 / n:8.2f} {row['gigaflops']:8.3f} "
                f"{max(row['residual'], row['scaled']):9.1e} {row['status']} ({row['solver']}, {row['islands']} islands)",
                flush=True,
            )
        if len(points) > 1:
            slope = np.polyfit(*np.log(np.array(points)).T, 1)[0]
            goal = f", goal {LIMITS[kind]}" if kind in LIMITS else ""
            print(f"{'':9} exponent over {points[0][0]} to {points[-1][0]} contacts: {slope:.2f}{goal}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
