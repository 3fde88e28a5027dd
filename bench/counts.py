"""Instructions a step of a few workloads, counted by callgrind: `python bench/counts.py [--driver PATH] [--update]`.

A clock on a shared machine hides a loss of 10 %; a count does not. Two runs of different length are subtracted, so that building
and starting the model does not count. Fails where a count leaves 3 % of bench/counts.json; skips, with a message, where valgrind
is missing or another compiler built the driver than the counts were taken with. `--update` writes the counts anew.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / "bench" / "counts.json"
TOLERANCE = 0.03
# workload -> bodies, steps of the shorter run
WORKLOADS = {"spring_chain": (300, 10), "coordinate_chain": (1000, 10), "rigid_chain": (100, 10), "spring_chain_implicit": (100, 10), "pendulum_chain": (30, 10),
             "ball": (1, 2000), "beads": (100, 100), "woodpecker": (1, 2000), "diode_bridge": (1, 1000), "sphere_stack": (10, 50)}


# Long copies and fills are one instruction that repeats, which callgrind counts once a byte: from which length on, glibc asks the machine.
WHOLE = {"GLIBC_TUNABLES": "glibc.cpu.x86_rep_movsb_threshold=1000000000:glibc.cpu.x86_rep_stosb_threshold=1000000000"}


def instructions(driver: Path, workload: str, size: int, steps: int) -> int:
    """All instructions of one run."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", driver, workload, str(size), str(steps), "1", "once"]
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ | WHOLE)
    return int(re.search(r"Collected : (\d+)", done.stderr).group(1))


def counted(driver: Path, workload: str) -> float:
    """Instructions a body and step."""
    size, steps = WORKLOADS[workload]
    return (instructions(driver, workload, size, 3 * steps) - instructions(driver, workload, size, steps)) / (2 * steps * size)


def compiler(driver: Path) -> str:
    """What the driver was compiled with, as the object file says."""
    out = subprocess.run(["strings", "-n", "8", driver], capture_output=True, text=True).stdout
    found = re.search(r"GCC: \([^)]*\) (\d+)\.|clang version (\d+)", out)
    return "unknown" if not found else f"gcc {found.group(1)}" if found.group(1) else f"clang {found.group(2)}"


def main() -> int:
    """Count, compare, report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--driver", type=Path, default=ROOT / "build" / "bench" / "bench" / "saltus_bench")
    parser.add_argument("--update", action="store_true")
    arguments = parser.parse_args()
    if not shutil.which("valgrind"):
        print("skipped: valgrind is not installed")
        return 0
    if not arguments.driver.exists():
        print(f"{arguments.driver} is not built: run bench/run.py, or give --driver")
        return 1
    built_with = compiler(arguments.driver)
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {"compiler": built_with, "instructions": {}}
    if not arguments.update and kept["compiler"] != built_with:
        print(f"skipped: the counts were taken with {kept['compiler']}, the driver is built with {built_with}")
        return 0
    now, failed = {}, []
    for workload in WORKLOADS:
        now[workload] = round(counted(arguments.driver, workload), 1)
        before = kept["instructions"].get(workload)
        change = now[workload] / before - 1.0 if before else 0.0
        print(f"{workload:24} {now[workload]:10.1f} a body and step{f', {100 * change:+.1f} %' if before else ''}")
        if before is None or abs(change) > TOLERANCE:
            failed.append(workload)
    if arguments.update:
        KEPT.write_text(json.dumps({"compiler": built_with, "instructions": now}, indent=2) + "\n")
        return 0
    if failed:
        print(f"more than {100 * TOLERANCE:.0f} % off: {', '.join(failed)}. Where it is meant: `python bench/counts.py --update`")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
