"""CPU time of each translation unit of the build in this tree, without the compiler cache: `python tools/build_time.py [--tests] [--only TEXT]`.

Prints the slowest, the sum, and which files take more than 20 s. The tree must have been built (sh run.sh does): its precompiled headers are
read, and are files of their own here. `--copies N` compiles
instead copies of N items, taken evenly from all, as so many new items would be, and prints what one of them costs."""

from __future__ import annotations

import argparse
import json
import re
import resource
import shlex
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ITEMS = ROOT / "src/saltus/items"
LONGEST = 20.0  # s of CPU that one file may take
BATCH = 12  # entries of items in one file, as in items/items.cmake


def cpu_of(entry: dict) -> float:
    words = shlex.split(entry["command"])
    if any("ccache" in Path(word).name for word in words[:6]):
        words = words[1 + next(i for i, word in enumerate(words) if Path(word).name.startswith("ccache")) :]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory() as folder:  # a precompiled header is mapped memory: /dev/null does not take it
        words[words.index("-o") + 1] = f"{folder}/object"
        subprocess.run(words, cwd=entry["directory"], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def copies(count: int, entries: list[dict]) -> None:
    """Compiles `count` items under other names, in files of their own, and prints the CPU time of one."""
    lines = re.findall(r"^saltus_item\((\w+) (\w+) (\w+)\)", (ITEMS / "CMakeLists.txt").read_text(), re.MULTILINE)
    own = [(folder, file, kind) for folder, file, kind in lines if re.search(rf"struct {kind}\b", (ITEMS / folder / f"{file}.hpp").read_text())]
    chosen = [own[i * len(own) // count % len(own)] for i in range(count)]
    like = next(entry for entry in entries if "items/generated/" in entry["file"])
    spent = 0.0
    with tempfile.TemporaryDirectory() as folder_of_copies:
        place = Path(folder_of_copies)
        for first in range(0, count, BATCH):
            text, calls = "", ""
            for k, (folder, file, kind) in enumerate(chosen[first : first + BATCH], first):
                header = re.sub(rf"\b{kind}\b", f"{kind}Copy{k}", (ITEMS / folder / f"{file}.hpp").read_text())
                (place / f"copy_{k}.hpp").write_text(header)
                text += f'#include "saltus/items/make_entry.hpp"\n#include "copy_{k}.hpp"\n'
                calls += f"const ItemEntry& copy_{k}() {{ static const ItemEntry entry = make_entry<{kind}Copy{k}>(); return entry; }}\n"
            (source := place / f"copies_{first}.cpp").write_text(f"{text}namespace saltus {{\n{calls}}}\n")
            spent += cpu_of({**like, "command": like["command"].replace(like["file"], str(source)).replace(" -c ", f" -I{place} -c ")})
            print(f"{spent:7.1f} s  for {min(first + BATCH, count)} copies", flush=True)
    print(f"{spent / count:7.2f} s  an item, {len(lines)} items are there")


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--tests", action="store_true", help="tests and benches, too")
    options.add_argument("--only", default="", help="files whose path contains this")
    options.add_argument("--copies", type=int, default=0, help="so many items more, at most as many as there are")
    asked = options.parse_args()
    trees = sorted(ROOT.glob("build/cp3*/compile_commands.json"))
    if not trees:
        raise SystemExit("no configured build: run `sh run.sh` first")
    entries = json.loads(trees[-1].read_text())
    if asked.copies:
        copies(asked.copies, entries)
        return 0
    times = {}
    for entry in entries:
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
