"""Models for tools/sanitize.sh: the gallery, jointed bodies in contact groups, starts that are nearly consistent, two threads, mutated
model files. Each runs in a process of its own, so that one which a sanitizer ends hides no other. Exit status 1 if one died."""

from __future__ import annotations

import os
import signal
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

import saltus as sl
from saltus import gallery, running

STEPS = 300  # of each model of the gallery: some run for minutes where every access is checked


def gallery_model(name: str) -> None:
    engine = gallery.load(name)
    recorded, run = running.prepare(engine, running.Options())
    left = STEPS

    def take(t, y, a, lam, data, *_):
        nonlocal left
        left -= max(len(t), 1)
        for path in engine.outputs.values():
            recorded.system.evaluate(path, t, y, a, lam, data)
        return left > 0

    run.advance(take, progress_interval=0.0, progress_steps=20)


def chain(links: int, height: float, threads: int) -> None:
    """Capsules on ball joints above a plane that they may touch, and reach where they hang low."""
    m = sl.Model()
    bodies, before = [], m.ground
    for i in range(links):
        body = m.capsule(radius=0.02, length=0.15, mass=0.1, at=(0.2 * i + 0.1, 0, height), axis="x")
        m.spherical(before, body, at=(0.2 * i, 0, height))
        bodies.append(body)
        before = body
    m.contact(m.plane(), bodies, friction=0.3)
    m.contact(bodies[::2], bodies[1::2], friction=0.2)
    m.simulate(until=0.1, step=1e-3, threads=threads)


GAP = """{"saltus": 1, "nodes": {"n": {"type": "node_1d", "displacement": -1e-6}},
  "bodies": {"m": {"type": "mass_1d", "node": "n", "mass": 1}},
  "loads": {"push": {"type": "coordinate_load", "on": "n", "force": -1}},
  "relations": {"gap": {"type": "coordinate_gap", "on": "n", "law": {"type": "newton_impact", "restitution": 0.5}}}}"""


def gap_open_the_wrong_way() -> None:
    """A mass under a load whose coordinate begins at -1e-6 on a gap that it must not pass."""
    sl.Model.parse(GAP).simulate(until=0.1, scheme="moreau_jean")


def heap(threads: int) -> None:
    m = sl.Model()
    floor = m.plane()
    balls = [m.sphere(radius=0.1, mass=1, at=(0.15 * (i % 3), 0.15 * (i // 3 % 3), 0.1 + 0.19 * (i // 9))) for i in range(27)]
    m.contact(floor, balls, friction=0.5)
    m.contact(balls, balls, friction=0.2, restitution=0.3)
    m.simulate(until=0.05, threads=threads)


def mutated_files(count: int) -> None:
    import fuzz_models

    findings = list(fuzz_models.campaign(seed=13, numbers=range(count)))
    for finding in findings:
        print(f"mutated file {finding.number} of seed 13: {finding.what}", flush=True)
    assert not findings


def died(name: str, work: Callable[[], None]) -> bool:
    """Runs it in a child of this process; whether that died, or raised what is no mistake of the model."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        code = 0
        try:
            warnings.simplefilter("ignore")
            work()
        except (sl.ModelError, sl.RunError) as error:
            print(f"{name}: {error}", flush=True)  # allowed: it says so
        except BaseException as error:
            print(f"{name}: {type(error).__name__}: {error}", flush=True)
            code = 1
        sys.stdout.flush()
        os._exit(code)
    _, status = os.waitpid(child, 0)
    if status:
        how = f"died by {signal.Signals(os.WTERMSIG(status)).name}" if os.WIFSIGNALED(status) else f"left with {os.waitstatus_to_exitcode(status)}"
        print(f"{name}: {how}", flush=True)
    return bool(status)


def main() -> int:
    sanitizer, count = sys.argv[1], int(sys.argv[2])
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "python"))
    two = 2
    models: dict[str, Callable[[], None]] = {
        "a chain on two threads": lambda: chain(8, 0.05, two),
        "a heap on two threads": lambda: heap(two),
    }
    if sanitizer == "address":
        models |= {f"gallery/{name}": lambda name=name: gallery_model(name) for name in gallery.names()}
        models |= {f"{links} capsules {height:g} m above the plane": lambda links=links, height=height: chain(links, height, 1)
                   for links in (4, 8, 12, 20) for height in (0.021, 0.3, 3.0)}
        models |= {"a gap open the wrong way": gap_open_the_wrong_way, "a heap": lambda: heap(1), "mutated files": lambda: mutated_files(count)}
    bad = [name for name, work in models.items() if died(name, work)]
    print(f"{len(models)} models, {len(bad)} bad: {', '.join(bad) or 'none'}")
    return int(bool(bad))


if __name__ == "__main__":
    sys.exit(main())
