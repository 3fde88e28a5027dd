"""Mutated model files: whatever stands in a file, the package reads it, or says in a ModelError or a failed run what is wrong with it.

Never a crash, a run without end, or an exception of another kind. `python tests/python/fuzz_models.py --count 20000 --seed 1` tries
that many files and prints those that break the rule; `--only NUMBER` tries one of them in this process, `--write` prints its text.
A file is made from its number and the seed alone. Linux and macOS: workers are forked.
"""

from __future__ import annotations

import argparse
import copy
import faulthandler
import json
import os
import random
import resource
import signal
import struct
import sys
import tempfile
import traceback
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
CPU_SECONDS = 6.0  # that a file may take; a step of these models takes milliseconds
MEMORY = 4 << 30  # bytes of address space beside what the process has
STEPS = 3  # that each model may run, and a start

NUMBERS = (0, -1, 1, 2, 0.5, -0.0, 1e300, -1e300, 1e-300, 5e-324, 1e308, 1e16, 1e9, -1e9, 1e-9, 2**31 - 1, 2**31, 2**63 - 1, 2**63, -(2**63), 2**64, 10**30)
# Texts stand for themselves in the file, so that what JSON does not know can be written, too.
TOKENS = ("NaN", "Infinity", "-Infinity", "1e999", "-1e999", "1e-999", "0x10", "01", "1.", ".5", "+1", "--1", "1e", "null", "true", "[]", "{}", '""', '"\\u0000"',
          '"\\ud800"', '"\\u00e9\\u20ac\\ud83d\\ude00"', "9" * 400, '"' + "é" * 300 + '"', '"1/0"', '"t"', '"sin(t"', '"ground"', '"1e308*10"', "[[[[[[[[1]]]]]]]]")
WORDS = ("", "ground", "t", "x", "1", "nan", "inf", "sin(t)", "1/0", "é", "😀" * 30, "a" * 5000, "a/b", "a.b", "position", "\x7f", "auto", "static", "dormand_prince54",
         "moreau_jean", "generalized_alpha", "-1e300*t", "exp(1000*t)", "log(t)", "sqrt(-1)", "t^t^t", "(((((", "if(t,1,2)", "__class__")


def base_texts() -> dict[str, str]:
    """The model files from which all others are made, by name: the gallery, the cases of bad input, models that use what those leave out."""
    texts = {path.stem: path.read_text() for path in sorted((ROOT / "python" / "saltus" / "gallery").glob("*.json")) if not path.name.endswith(".truth.json")}
    texts["bad_inputs"] = json.loads((ROOT / "tests" / "bad_inputs" / "cases.json").read_text())["base"]
    texts.update(own_texts())
    return texts


def own_texts() -> dict[str, str]:
    """Models of the package's verbs."""
    import saltus as sl

    chain = sl.Model()
    floor = chain.plane(name="floor")
    links, before = [], chain.ground
    for i in range(5):
        link = chain.capsule(radius=0.02, length=0.15, mass=0.1, at=(0.2 * i + 0.1, 0, 1.5), axis="x", name=f"link{i}")
        chain.spherical(before, link, at=(0.2 * i, 0, 1.5))
        links.append(link)
        before = link
    chain.contact(floor, links, friction=0.3, restitution=0.2)
    chain.simulation = {"until": 0.1, "step": 1e-3}

    heap = sl.Model()
    ground = heap.plane(name="floor")
    balls = [heap.sphere(radius=0.1, mass=1, at=(0.15 * i, 0, 0.1 + 0.19 * i)) for i in range(4)]
    block = heap.box(size=(0.2, 0.2, 0.2), mass=2, at=(0, 0.5, 0.1))
    heap.contact(ground, [*balls, block], friction=0.5)
    heap.contact(balls, balls, friction=0.2, restitution=0.5)
    heap.spring(balls[0], block, stiffness=100, damping=1)
    heap.force(block, force=("10*sin(t)", 0, 0))
    heap.simulation = {"until": 0.1}

    machine = sl.Model()
    rotor = machine.box(size=(0.2, 0.1, 0.1), mass=1, at=(0, 0, 0))
    arm = machine.rod((0.1, 0, 0), (0.5, 0, 0), mass=0.2)
    machine.revolute(machine.ground, rotor, at=(0, 0, 0), axis="z", torque="-k2*angle - 0.1*speed", limits=(-1, 1), restitution=0.5, name="shaft")
    machine.spherical(rotor, arm, at=(0.1, 0, 0))
    machine.distance(machine.ground, arm, length=0.9)
    slider = machine.point_mass(mass=0.3, at=(0, 1, 0), name="slider")
    machine.torque(rotor, torque=(0, 0, 1))
    machine.controller("-2*x", period=0.01, inputs={"x": slider.position.x}, outputs=[machine.force(slider, force=(1, 0, 0), name="push")])
    machine.parameters = {"k": 2.0, "k2": "k*3"}
    machine.outputs = {"where": "slider.position", "energy": "energy.total"}
    machine.simulation = {"until": 0.1, "tolerance": 1e-5}

    circuit = sl.Model()
    a, b, c = (circuit.terminal() for _ in range(3))
    circuit.voltage_source(a, circuit.ground, voltage="sin(300*t)")
    circuit.inductor(a, b, L=1e-2, current=0.1)
    circuit.diode(b, c)
    circuit.capacitor(c, circuit.ground, C=1e-6, voltage=10)
    circuit.resistor(c, circuit.ground, R=1000)
    circuit.current_source(c, circuit.ground, current="0.001*t")
    circuit.simulation = {"until": 1e-3, "step": 1e-6}

    drive = sl.Model()
    crank, rod = drive.rod((0, 0.1, 0.12), (0, 0.18, 0.12), mass=0.1), drive.rod((0, 0.18, 0.12), (0.2, 0, 0), mass=0.2)
    slide = drive.box(size=(0.05, 0.05, 0.05), mass=1, at=(0.2, 0, 0))
    drive.revolute(drive.ground, crank, at=(0, 0.1, 0.12), axis="x", speed="6*t")
    drive.spherical(crank, rod, at=(0, 0.18, 0.12))
    drive.universal(rod, slide, at=(0.2, 0, 0), axes=("y", "z"))
    drive.prismatic(drive.ground, slide, at=(0.2, 0, 0), axis="x", stiffness=100, damping=1)
    drive.simulation = {"until": 0.1, "scheme": "generalized_alpha"}
    bent = sl.Model()
    section = sl.Section.circle(radius=0.01, E=2e9, nu=0.3, density=1000)
    beam = bent.beam((0, 0, 1), (1, 0, 1), section=section, elements=2, damping=0.01, name="beam")
    bent.fixed(bent.ground, beam.start)
    bent.spring(bent.ground, beam.at(0.3), stiffness=100)
    bent.force(beam.at(0.7, name="point"), force=(0, 0, "sin(t)"))
    bent.outputs = {"where": "point.position"}
    bent.simulation = {"until": 0.05, "scheme": "generalized_alpha", "step": 1e-3}
    made = {"bent": bent, "chain": chain, "heap": heap, "machine": machine, "circuit": circuit, "drive": drive}
    return {name: model._engine.text() for name, model in made.items()}


# What is done to a file.


def _containers(value: Any, path: tuple = ()) -> Iterator[tuple[tuple, Any]]:
    """Every list and object of a tree with its path."""
    if isinstance(value, (dict, list)):
        yield path, value
        for key, entry in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _containers(entry, (*path, key))


class _Raw(str):
    """Text that stands in the file as it is."""


def _written(value: Any) -> str:
    """JSON, with the texts of `_Raw` as they are."""
    if isinstance(value, _Raw):
        return str(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key, ensure_ascii=False)}: {_written(entry)}" for key, entry in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_written, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def _somewhere(rng: random.Random, tree: dict, wanted=lambda value: True) -> tuple[Any, Any] | None:
    """A container of the tree and the key of one of its entries that is wanted."""
    places = [(c, key) for _, c in _containers(tree) for key, entry in (c.items() if isinstance(c, dict) else enumerate(c)) if wanted(entry)]
    return rng.choice(places) if places else None


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _change_number(rng: random.Random, tree: dict) -> None:
    if place := _somewhere(rng, tree, _is_number):
        container, key = place
        kind = rng.random()
        if kind < 0.5:
            container[key] = rng.choice(NUMBERS)
        elif kind < 0.7:
            container[key] = -container[key]
        elif kind < 0.9:
            container[key] = container[key] * 10.0 ** rng.choice((-15, -9, -6, -3, -1, 1, 3, 6, 9, 15))
        else:
            container[key] = _Raw(rng.choice(TOKENS))


def _change_structure(rng: random.Random, tree: dict, other: dict) -> None:
    place = _somewhere(rng, tree)
    if place is None:
        return
    container, key = place
    kind = rng.randrange(9)
    if kind == 0:
        del container[key]
    elif kind == 1:  # once more, under another name
        twin = copy.deepcopy(container[key])
        if isinstance(container, list):
            container.insert(rng.randrange(len(container) + 1), twin)
        else:
            container[f"{key}{rng.randrange(3)}"] = twin
    elif kind == 2:  # two entries of the same list or object changed about
        keys = list(container) if isinstance(container, dict) else list(range(len(container)))
        swapped = rng.choice(keys)
        container[key], container[swapped] = container[swapped], container[key]
    elif kind == 3:  # of another kind
        container[key] = rng.choice((None, True, [], {}, "", 0, 1.5, [1, 2, 3], [[1, 0], [0, 1]], {"type": "sphere"}, [container[key]], [container[key]] * 30))
    elif kind == 4 and isinstance(container, dict):  # another name
        names = [k for _, c in _containers(tree) if isinstance(c, dict) for k in c]
        container[rng.choice((*WORDS, *names))] = container.pop(key)
    elif kind == 5:  # another entry of this tree or of another one
        taken = _somewhere(rng, rng.choice((tree, other)))
        if taken:
            container[key] = copy.deepcopy(taken[0][taken[1]])
    elif kind == 6:  # a text
        texts = [entry for _, c in _containers(tree) for entry in (c.values() if isinstance(c, dict) else c) if isinstance(entry, str)]
        container[key] = rng.choice((*WORDS, *texts))
    elif kind == 7:
        container[key] = _Raw(rng.choice(TOKENS))
    else:  # a section of another file
        section = rng.choice(list(other))
        if isinstance(other[section], dict) and isinstance(tree.get(section), dict):
            tree[section].update(copy.deepcopy(other[section]))
        else:
            tree[section] = copy.deepcopy(other[section])


def _change_bytes(rng: random.Random, data: bytearray) -> None:
    at = rng.randrange(len(data) + 1)
    kind = rng.randrange(6)
    if kind == 0:
        data[at:at + 1] = bytes([rng.randrange(256)])
    elif kind == 1:
        del data[at:at + rng.choice((1, 2, 5, 50))]
    elif kind == 2:
        data[at:at] = bytes(rng.randrange(256) for _ in range(rng.choice((1, 2, 4))))
    elif kind == 3:
        data[at:at] = rng.choice(TOKENS).encode()
    elif kind == 4:
        end = min(len(data), at + rng.choice((1, 8, 40, 200)))
        data[at:at] = data[at:end]
    elif data:
        at = min(at, len(data) - 1)
        data[at] ^= 1 << rng.randrange(8)


def mutated(texts: dict[str, str], seed: int, number: int) -> bytes:
    """The file of this number."""
    rng = random.Random(f"{seed}/{number}")
    name, second = rng.choice(sorted(texts)), rng.choice(sorted(texts))
    kind = rng.random()
    if kind < 0.25:
        data = bytearray(texts[name].encode())
        for _ in range(rng.choice((1, 1, 2, 5))):
            _change_bytes(rng, data)
        return bytes(data)
    tree, other = json.loads(texts[name]), json.loads(texts[second])
    for _ in range(rng.choice((1, 1, 2, 3))):
        if kind < 0.6:
            _change_structure(rng, tree, other)
        else:
            _change_number(rng, tree)
    return _written(tree).encode("utf-8", "surrogatepass")


# What is asked of it.


def examine(data: bytes, file: Path, steps: int = STEPS) -> str:
    """Reads, checks, starts and runs a few steps. "" where the answer is a model that runs, a ModelError or a failed run; else what is wrong."""
    from saltus import Model, ModelError, running

    file.write_bytes(data)
    left = steps + 1
    try:
        warnings.simplefilter("ignore")
        try:
            model = Model.load(file)
            model.check()
            recorded, engine = running.prepare(model._engine, running.Options())
        except ModelError as error:
            return _sound(str(error))
        parts: list[tuple] = []

        def take(t, y, a, lam, data, *rest):
            nonlocal left
            left -= max(len(t), 1)
            parts.append((t, y, a, lam, data))
            return left > 0

        # Each step is looked at, so that no run is longer than what is asked for.
        report = engine.advance(take, progress_interval=0.0, progress_steps=1)
        if report["status"] == "failed" and not report["cause"]:
            return "a run that failed without a cause"
        if recorded.system.sizes()["ny"] and parts:
            for path in list(model.outputs.values())[:3]:
                for t, y, a, lam, held in parts[:1]:
                    recorded.system.evaluate(path, t, y, a, lam, held)
        return _sound(report["cause"])
    except ModelError as error:
        return _sound(str(error))
    except Exception:
        return traceback.format_exc(limit=-3).strip()


def _sound(message: str) -> str:
    """"" where a message says something; else what is wrong with it."""
    message.encode()  # UnicodeEncodeError where it has halves of characters
    for word in ("bad_alloc", "std::", "Assertion", "vector::"):
        if word in message:
            return f"a message that says {word!r}: {message[:300]}"
    return ""


@dataclass
class Finding:
    """A file that breaks the rule."""

    number: int
    what: str


def _work(texts, seed: int, numbers: list[int], channel: int) -> None:
    """Tries the files one by one, in a process of its own; says each before it begins and what came of it."""
    faulthandler.disable()  # a file that kills the process is a finding, not a fault of the tests
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    sanitized = "libasan" in os.environ.get("LD_PRELOAD", "") or "libtsan" in os.environ.get("LD_PRELOAD", "")
    if not sanitized:  # those map terabytes
        resource.setrlimit(resource.RLIMIT_AS, (_mapped() + MEMORY, hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with tempfile.TemporaryDirectory() as folder:
        for number in numbers:
            os.write(channel, struct.pack("<qi", number, -1))
            signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS * (10 if sanitized else 1))  # ends the process
            what = examine(mutated(texts, seed, number), Path(folder) / "model.json").encode()[:4000]
            signal.setitimer(signal.ITIMER_PROF, 0)
            os.write(channel, struct.pack("<qi", number, len(what)) + what)


def _mapped() -> int:
    try:
        return int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 8 << 30


def campaign(seed: int, numbers: range) -> Iterator[Finding]:
    """Tries the files; a process that dies is named with its file, and the next one goes on behind it."""
    texts = base_texts()
    left = list(numbers)
    while left:
        read, write = os.pipe()
        sys.stdout.flush(), sys.stderr.flush()
        child = os.fork()
        if child == 0:
            code = 1
            try:
                os.close(read)
                _work(texts, seed, left, write)
                code = 0
            finally:
                os._exit(code)
        os.close(write)
        begun = -1
        with os.fdopen(read, "rb") as stream:
            while head := stream.read(12):
                number, length = struct.unpack("<qi", head)
                if length < 0:
                    begun = number
                    continue
                what = stream.read(length).decode(errors="replace")
                begun = -1
                left = left[left.index(number) + 1:] if left[0] != number else left[1:]
                if what:
                    yield Finding(number, what)
        _, status = os.waitpid(child, 0)
        if begun >= 0:
            how = f"died by {signal.Signals(os.WTERMSIG(status)).name}" if os.WIFSIGNALED(status) else f"left with status {os.waitstatus_to_exitcode(status)}"
            if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGPROF:
                how = f"did not come back in {CPU_SECONDS:g} s"
            yield Finding(begun, how)
            left = left[left.index(begun) + 1:]
        elif status != 0:
            raise RuntimeError(f"a worker ended with status {status} between two files")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--only", type=int)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    if arguments.only is not None:
        data = mutated(base_texts(), arguments.seed, arguments.only)
        if arguments.write:
            sys.stdout.buffer.write(data + b"\n")
            return 0
        with tempfile.TemporaryDirectory() as folder:
            what = examine(data, Path(folder) / "model.json")
        print(what or "sound")
        return int(bool(what))
    found = 0
    for finding in campaign(arguments.seed, range(arguments.first, arguments.first + arguments.count)):
        found += 1
        print(f"{finding.number}: {finding.what}", flush=True)
    print(f"{arguments.count} files, {found} findings")
    return int(found > 0)


if __name__ == "__main__":
    sys.exit(main())
