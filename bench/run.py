"""All benchmarks with one command: `python bench/run.py [--quick] [--only NAME] [--repeat N] [--json FILE] [--plot FILE]`.

Builds the drivers into build/bench, runs saltus, the own kernels (bench/limit) and the peers in turn, `--repeat` times over, and
takes the least CPU time of each. Programs of one workload must agree on its probes to its tolerance, or the row says that they do
not. A peer that is not there is named, not guessed. exudyn is installed from PyPI into build/peers.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "bench"
PEERS = ROOT / "build" / "peers"
EXUDYN = "exudyn==1.13.6"


@dataclass(frozen=True)
class Workload:
    """What is measured: `unknowns` a body, `steps` by size, `agree`: relative to the largest probe."""

    name: str
    unit: str
    unknowns: int
    sizes: tuple[int, ...]
    work: int  # bodies times steps of one run
    programs: tuple[str, ...]
    agree: float = 1e-9
    most_steps: int = 4000  # a long run of a chain tells roundings, not programs, apart
    peers_to: int = 100_000  # bodies; building the model of a peer takes minutes beyond


WORKLOADS = (
    Workload("spring_chain", "dof and step", 3, (100, 1000, 10_000, 100_000, 333_333), 4_000_000, ("limit", "exudyn"), 1e-9),
    Workload("coordinate_chain", "dof and step", 1, (100, 1000, 10_000, 100_000), 8_000_000, (), 1e-9),
    Workload("rigid_chain", "dof and step", 6, (100, 1000, 10_000), 500_000, (), 1e-9),
    Workload("spring_chain_implicit", "dof and step", 3, (100, 1000, 10_000, 100_000), 300_000, ("exudyn",), 1e-6),
    Workload("pendulum_chain", "body and step", 1, (10, 100, 1000), 20_000, ("exudyn",), 1e-5),
    Workload("oscillator", "step", 1, (1,), 400_000, ("limit", "exudyn"), 1e-9, 400_000),
)


def build() -> None:
    """Configure and build saltus_bench and the own kernels."""
    configure = ["cmake", "-S", ROOT, "-B", BUILD, "-G", "Ninja", "-DSALTUS_BENCH=ON", "-DSALTUS_TESTS=OFF", f"-DPython_EXECUTABLE={sys.executable}"]
    subprocess.run(configure, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", BUILD], check=True, stdout=subprocess.DEVNULL)


def peers() -> dict[str, list[str]]:
    """Commands of the peers that can run here, by name."""
    found = {}
    python = PEERS / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", PEERS], check=True)
    if subprocess.run([python, "-c", "import exudyn"], capture_output=True).returncode != 0:
        subprocess.run([python, "-m", "pip", "install", "-q", EXUDYN, "numpy"])
    if subprocess.run([python, "-c", "import exudyn"], capture_output=True).returncode == 0:
        found["exudyn"] = [str(python), str(ROOT / "bench" / "peers" / "exudyn_bench.py")]
    return found


def run(command: list[str]) -> dict | str:
    """The JSON line that a program prints, or why there is none."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=900)
    except subprocess.TimeoutExpired:
        return "longer than 900 s"
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode != 0 or not lines:
        return (done.stderr.strip().splitlines() or ["no output"])[-1][:200]
    return json.loads(lines[-1])


def difference(a: list[float], b: list[float]) -> float:
    """Largest difference of the probes, relative to the largest of them."""
    return max(abs(x - y) for x, y in zip(a, b, strict=True)) / max(max(map(abs, a)), 1e-300)


def measure(workload: Workload, sizes: tuple[int, ...], available: dict[str, list[str]], repeat: int) -> list[dict]:
    """One row a size: nanoseconds a unit by program, ratios, agreement."""
    commands = {"saltus": [str(BUILD / "bench" / "saltus_bench"), workload.name]}
    if "limit" in workload.programs:
        commands["limit"] = [str(BUILD / "bench" / f"limit_{workload.name}")]
    for peer in workload.programs:
        if peer in available:
            commands[peer] = [*available[peer], workload.name]
    rows = []
    for size in sizes:
        steps = min(workload.most_steps, max(10, workload.work // size))
        row = {"workload": workload.name, "unit": workload.unit, "size": size, "steps": steps, "ns": {}, "difference": {}, "missing": {}}
        probes = {}
        for _ in range(repeat):
            for program, command in commands.items():
                if program in row["missing"] or (program in available and size > workload.peers_to):
                    continue
                count = steps if program in ("saltus", "limit") else max(10, steps // 10)  # peers: fewer steps, their own check
                out = run([*command, str(size), str(count)])
                if isinstance(out, str):
                    row["missing"][program] = out
                    continue
                ns = 1e9 * out["cpu"] / (count * size * workload.unknowns)
                row["ns"][program] = min(ns, row["ns"].get(program, math.inf))
                probes[program] = (count, out["probes"])
        for program in workload.programs:
            if program != "limit" and program not in available:
                row["missing"][program] = "not installed"
        for program, (count, values) in probes.items():
            if program == "saltus" or "saltus" not in probes:
                continue
            ours = probes["saltus"][1] if count == steps else run([*commands["saltus"], str(size), str(count)])["probes"]
            row["difference"][program] = difference(ours, values)
        row["agrees"] = all(d <= workload.agree for d in row["difference"].values())
        rows.append(row)
        print(line(row), flush=True)
    return rows


def line(row: dict) -> str:
    """A row of the table."""
    ns, text = row["ns"], f"{row['workload']:22} {row['size']:>7}"
    text += f" {ns.get('saltus', math.nan):10.1f}"
    for program in ("limit", "exudyn"):
        text += f" {ns[program]:10.1f} {ns['saltus'] / ns[program] if program == 'limit' else ns[program] / ns['saltus']:7.2f}x" if program in ns and "saltus" in ns else f" {'-':>10} {'-':>8}"
    if not row["agrees"]:
        text += "  DISAGREES " + ", ".join(f"{p} {d:.1e}" for p, d in row["difference"].items())
    if row["missing"]:
        text += "  missing: " + ", ".join(f"{p} ({why})" for p, why in row["missing"].items())
    return text


def growth(rows: list[dict], program: str) -> list[float]:
    """Exponents of the whole time between neighbouring sizes: 1 is linear."""
    points = [(r["size"], r["ns"][program]) for r in rows if program in r["ns"]]
    return [1.0 + math.log(b / a) / math.log(m / n) for (n, a), (m, b) in zip(points, points[1:], strict=False)]


def plot(results: list[dict], path: Path) -> None:
    """One panel a workload with more than one size."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    names = [n for n in dict.fromkeys(r["workload"] for r in results) if sum(r["workload"] == n for r in results) > 1]
    figure, axes = plt.subplots(1, len(names), figsize=(4 * len(names), 3.5), squeeze=False)
    for axis, name in zip(axes[0], names, strict=True):
        rows = [r for r in results if r["workload"] == name]
        for program in ("saltus", "limit", "exudyn"):
            points = [(r["size"], r["ns"][program]) for r in rows if program in r["ns"]]
            if points:
                axis.loglog(*zip(*points, strict=True), "o-", label=program)
        axis.set(title=name, xlabel="bodies", ylabel=f"ns a {rows[0]['unit']}")
        axis.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=120)


def main() -> None:
    """Build, measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="the first three sizes, a tenth of the steps")
    parser.add_argument("--only", action="append", help="a workload; again for more")
    parser.add_argument("--repeat", type=int, default=5, help="runs of each program; the fastest counts")
    parser.add_argument("--json", type=Path, default=BUILD / "results.json")
    parser.add_argument("--plot", type=Path)
    parser.add_argument("--no-build", action="store_true", help="the drivers are there")
    arguments = parser.parse_args()
    if not arguments.no_build:
        build()
    available = peers()
    print(f"{'workload':22} {'bodies':>7} {'saltus ns':>10} {'limit ns':>10} {'of it':>8} {'exudyn ns':>10} {'faster':>8}")
    results = []
    for w in WORKLOADS:
        if arguments.only and w.name not in arguments.only:
            continue
        if arguments.quick:
            w = Workload(**{**w.__dict__, "work": w.work // 10, "sizes": w.sizes[:3]})
        rows = measure(w, w.sizes, available, arguments.repeat)
        results += rows
        for program in ("saltus", "limit", "exudyn"):
            if exponents := growth(rows, program):
                print(f"{'':22} growth of {program}: " + ", ".join(f"{g:.2f}" for g in exponents))
    arguments.json.parent.mkdir(parents=True, exist_ok=True)
    arguments.json.write_text(json.dumps({"when": time.strftime("%Y-%m-%d"), "results": results}, indent=1))
    if arguments.plot:
        plot(results, arguments.plot)
    if not all(r["agrees"] for r in results):
        sys.exit("programs of a workload do not agree")


if __name__ == "__main__":
    main()
