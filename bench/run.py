"""All benchmarks with one command: `python bench/run.py [--quick] [--only NAME] [--repeat N] [--json FILE] [--plot FILE] [--table FILE]`.

Builds the drivers into build/bench, runs saltus (C++ and Python), the own kernels (bench/limit) and the peers in turn, `--repeat` times
over, and takes the least CPU time of each. Each program is checked, by the truth or by the others: no ratio where one misses. A peer that
is not there is named, not guessed. exudyn, mujoco and pin are installed from PyPI into build/peers (or taken from --peers-python); Siconos is
that of --siconos-python.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import subprocess
import sys
import time
from pathlib import Path

from report import OURS, growth, line, named, plot, table
from workloads import WORKLOADS, Workload

ROOT = Path(__file__).resolve().parent.parent
BENCH = ROOT / "bench"
BUILD = ROOT / "build" / "bench"
PEERS = ROOT / "build" / "peers"
FROM_PYPI = {"exudyn": "exudyn==1.13.6", "mujoco": "mujoco==4.0.0", "pin": "pin==4.1.0"}
IMPORTED = {"pin": "pinocchio"}
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(ROOT / "python")}


def build() -> None:
    """Configure and build saltus_bench, the own kernels and the Python modules."""
    configure = ["cmake", "-S", ROOT, "-B", BUILD, "-G", "Ninja", "-DSALTUS_BENCH=ON", "-DSALTUS_TESTS=OFF", f"-DPython_EXECUTABLE={sys.executable}"]
    subprocess.run(configure, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", BUILD], check=True, stdout=subprocess.DEVNULL)


def has(python: str, module: str) -> bool:
    """Whether an interpreter can import a module."""
    try:
        return subprocess.run([python, "-c", f"import {module}"], capture_output=True).returncode == 0
    except OSError:
        return False


def commands(peers_python: str | None, siconos_python: str) -> dict[str, list[str]]:
    """What runs each program, by name; those that cannot run here are left out."""
    python = peers_python or str(PEERS / "bin" / "python")
    if not peers_python:
        if not Path(python).exists():
            subprocess.run([sys.executable, "-m", "venv", PEERS], check=True)
        for name, package in FROM_PYPI.items():
            if not has(python, IMPORTED.get(name, name)):
                subprocess.run([python, "-m", "pip", "install", "-q", package, "numpy"])
    found = {"saltus": [str(BUILD / "bench" / "saltus_bench")], "limit": [str(BUILD / "bench" / "limit_")]}
    if has_saltus():
        found["python"] = [sys.executable, str(BENCH / "python" / "saltus_bench.py")]
    found |= {name: [python, str(BENCH / "peers" / f"{name}_bench.py")] for name in FROM_PYPI if has(python, IMPORTED.get(name, name))}
    if has(siconos_python, "siconos.kernel"):
        found["siconos"] = [siconos_python, str(BENCH / "peers" / "siconos_bench.py")]
    return found


def has_saltus() -> bool:
    """Whether the package finds its compiled core."""
    return subprocess.run([sys.executable, "-c", "import saltus._core"], capture_output=True, env=os.environ | ONE_THREAD).returncode == 0


def run(command: list[str], limit: float = 300.0) -> dict | str:
    """The JSON line that a program prints, or why there is none."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit, env=os.environ | ONE_THREAD)
    except subprocess.TimeoutExpired:
        return f"longer than {limit:g} s"
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode != 0 or not lines:
        return (done.stderr.strip().splitlines() or [f"ended with {done.returncode}"])[-1][:200]
    try:
        return json.loads(lines[-1])
    except json.JSONDecodeError:
        return "its answer is not finite"


def difference(reference: list[float], b: list[float], moves: float | None) -> float:
    """Largest difference of the probes, relative to `moves`, else to the largest of the reference."""
    if not all(map(math.isfinite, b)):
        return math.inf
    return max(abs(x - y) for x, y in zip(reference, b, strict=True)) / (moves or max(max(map(abs, reference)), 1e-300))


def argv(workload: Workload, program: str, available: dict[str, list[str]], size: int, steps: int) -> list[str]:
    """The command of one run."""
    if program == "limit":
        return [available["limit"][0] + workload.name, str(size), str(steps)]
    return [*available[program], workload.name, str(size), str(steps)]


def reference(workload: Workload, available: dict[str, list[str]], size: int, steps: int, measured: dict) -> list[float] | None:
    """What the probes should be after so many steps."""
    if workload.truth:
        return workload.truth(size, steps * workload.step)
    program = "limit" if "limit" in workload.programs else "saltus"
    if workload.finer == 1 and measured.get(program, (0,))[0] == steps:
        return measured[program][1]
    extra = [str(workload.finer)] if workload.finer > 1 else []
    out = run([*argv(workload, program, available, size, steps * workload.finer), *extra])
    return None if isinstance(out, str) else out["probes"]


def measure(workload: Workload, size: int, available: dict[str, list[str]], repeat: int) -> dict:
    """One row: least nanoseconds a unit by program, errors, what is missing."""
    steps = workload.steps(size)
    peer_steps = max(min(steps, workload.fewest_steps), round(steps * workload.peer_part))
    row = {"workload": workload.name, "unit": workload.unit, "goal": workload.goal, "size": size, "steps": steps, "peer_steps": peer_steps, "tolerance": workload.tolerance,
           "truth": (workload.truth is not None or workload.finer > 1) and not workload.sensitive, "programs": workload.programs, "ns": {}, "loop": {}, "error": {}, "setup": {}, "missing": {}}  # fmt: skip
    row["missing"] = {p: "not installed" for p in workload.programs if p not in available}
    measured = {}
    for _ in range(repeat):
        for program in ("saltus", *workload.programs):
            if program in row["missing"]:
                continue
            ours = program in (*OURS, "limit")
            if not ours and size > workload.peers_to:
                continue
            count = steps if ours else peer_steps
            out = run(argv(workload, program, available, size, count))
            if isinstance(out, str):
                row["missing"][program] = out
                continue
            ns = 1e9 * out["cpu"] / (count * size * workload.unknowns)
            row["ns"][program] = min(ns, row["ns"].get(program, math.inf))
            if "loop" in out:
                row["loop"][program] = min(1e9 * out["loop"] / (count * size * workload.unknowns), row["loop"].get(program, math.inf))
            if "setup" in out:
                row["setup"][program] = out["setup"]
            measured[program] = (count, out["probes"])
    references = {count: reference(workload, available, size, count, measured) for count in {c for c, _ in measured.values()}}
    for program, (count, probes) in measured.items():
        if references[count] is not None:
            row["error"][program] = difference(references[count], probes, workload.moves)
    return row


def write(path: Path, results: dict[str, list[dict]], kept: list[dict]) -> None:
    """What is measured so far, and of the other workloads what was there before."""
    flat = [row for rows in results.values() for row in rows] + [row for row in kept if row["workload"] not in results]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"when": time.strftime("%Y-%m-%d"), "machine": platform.machine(), "results": flat}, indent=1))


def main() -> None:
    """Build, measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="the first three sizes, a tenth of the steps")
    parser.add_argument("--only", action="append", help="a workload; again for more")
    parser.add_argument("--repeat", type=int, default=5, help="runs of each program; the fastest counts")
    parser.add_argument("--json", type=Path, default=BUILD / "results.json", help="results; those of other workloads in it are kept")
    parser.add_argument("--plot", type=Path)
    parser.add_argument("--table", type=Path, help="markdown")
    parser.add_argument("--no-build", action="store_true", help="the drivers are there")
    parser.add_argument("--peers-python", help="an interpreter that has exudyn, mujoco, pin; otherwise they are installed")
    parser.add_argument("--siconos-python", default="/usr/bin/python3")
    arguments = parser.parse_args()
    if not arguments.no_build:
        build()
    available = commands(arguments.peers_python, arguments.siconos_python)
    kept = json.loads(arguments.json.read_text())["results"] if arguments.json.exists() else []
    results = {}
    for w in WORKLOADS:
        if arguments.only and w.name not in arguments.only:
            results[w.name] = [r for r in kept if r["workload"] == w.name]
            continue
        w = w.quick() if arguments.quick else w
        rows = results[w.name] = []
        for size in w.sizes:
            rows.append(measure(w, size, available, arguments.repeat))
            print(line(rows[-1]), flush=True)
        for program in ("saltus", *w.programs):
            if exponents := growth(rows, program):
                print(f"{'':22} growth of {named(program)}: " + ", ".join(f"{g:.2f}" for g in exponents))
        write(arguments.json, results, kept)
    flat = [row for rows in results.values() for row in rows]
    if arguments.table:
        arguments.table.write_text(table(flat) + "\n")
    if arguments.plot:
        plot(flat, arguments.plot)
    wrong = [f"{r['workload']} {r['size']}" for r in flat if r["error"].get("saltus", math.inf) > r["tolerance"]]
    if wrong:
        sys.exit(f"saltus misses the truth: {', '.join(wrong)}")


if __name__ == "__main__":
    main()
