"""CPU time of each translation unit of the build in this tree, without the compiler cache: `python tools/build_time.py [--tests] [--only TEXT]`.

Prints the slowest, the sum, and which files take more than 20 s. The tree must have been configured (sh run.sh does)."""

from __future__ import annotations

import argparse
import json
import resource
import shlex
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LONGEST = 20.0  # s of CPU that one file may take


def cpu_of(entry: dict) -> float:
    words = shlex.split(entry["command"])
    if "ccache" in Path(words[0]).name:
        words = words[1:]
    words[words.index("-o") + 1] = "/dev/null"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(words, cwd=entry["directory"], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--tests", action="store_true", help="tests and benches, too")
    options.add_argument("--only", default="", help="files whose path contains this")
    asked = options.parse_args()
    trees = sorted(ROOT.glob("build/cp3*/compile_commands.json"))
    if not trees:
        raise SystemExit("no configured build: run `sh run.sh` first")
    times = {}
    for entry in json.loads(trees[-1].read_text()):
        path = entry["file"]
        test = path.endswith("_test.cpp") or "/bench/" in path or "googletest" in path
        if asked.only in path and (asked.tests or not test):
            times[path] = cpu_of(entry)
    for path, seconds in sorted(times.items(), key=lambda item: -item[1])[:25]:
        print(f"{seconds:7.1f} s  {Path(path).relative_to(ROOT) if path.startswith(str(ROOT)) else path}")
    print(f"{sum(times.values()):7.1f} s  in {len(times)} files")
    long = [path for path, seconds in times.items() if seconds > LONGEST]
    if long:
        print(f"{len(long)} files take more than {LONGEST:g} s")
    return 1 if long else 0


if __name__ == "__main__":
    raise SystemExit(main())
