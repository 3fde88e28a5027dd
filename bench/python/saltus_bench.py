"""saltus from Python: `saltus_bench.py WORKLOAD SIZE STEPS`, one line of JSON as the driver in C++ prints.

Times the whole of the first `Model.simulate` of a process: checks, compilation, steps, the record of each step and its result. `loop` is
what its steps alone take: the least of later runs less the least of runs of two steps, which do all the rest."""

import json
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import saltus as sl
from saltus import gallery


def column(size, spacing, law):
    """Coordinates above each other under gravity, the first above the floor."""
    gaps = {
        f"gap{i}": {"at": spacing, "law": law}
        | ({"type": "coordinate_pair_gap", "A": f"n{i - 1}", "B": f"n{i}"} if i else {"type": "coordinate_gap", "on": "n0"})
        for i in range(size)
    }
    return {
        "nodes": {f"n{i}": {"type": "node_1d", "coordinate": 0.101 * (i + 1)} for i in range(size)},
        "bodies": {f"m{i}": {"type": "mass_1d", "node": f"n{i}", "mass": 1} for i in range(size)},
        "loads": {f"g{i}": {"type": "coordinate_load", "on": f"n{i}", "force": -9.81} for i in range(size)},
        "relations": gaps,
    }


def ball(size):
    """A ball on the floor, restitution 0.9."""
    model = column(1, 0, {"type": "newton_impact", "restitution": 0.9})
    model["nodes"]["n0"]["coordinate"] = 1
    return model, 1e-3, ("n0.coordinate", "n0.rate")


def beads(size):
    """Beads above each other on a wire, restitution 0.5."""
    law = {"type": "newton_impact", "restitution": 0.5}
    return column(size, 0.1, law), 1e-3, tuple(f"n{i}.coordinate" for i in (0, size // 2, size - 1))


def of_gallery(name):
    """A model of the gallery without its own run."""
    model = json.loads((Path(gallery.__file__).parent / f"{name}.json").read_text())
    model.pop("simulation", None)
    return model


def woodpecker(size):
    """Glocker's woodpecker toy."""
    return of_gallery("woodpecker"), 2e-5, ("q.coordinate",)


def diode_bridge(size):
    """A tank on a bridge of diodes, of elements."""
    diodes = (("a", "p"), ("ground", "p"), ("n", "a"), ("n", "ground"))
    model = {
        "nodes": {"a": {"type": "terminal", "voltage": 10}, "p": {"type": "terminal"}, "n": {"type": "terminal"},
                  "q": {"type": "charge_state", "voltage": 10}, "i": {"type": "current_state"}},
        "connectors": {"C": {"type": "capacitor", "A": "a", "B": "ground", "capacitance": 1e-6, "voltage_of": {"node": "q", "coordinate": 0},
                             "current_of": {"node": "q", "coordinate": 1}},
                       "L": {"type": "inductor", "A": "a", "B": "ground", "current_of": "i", "inductance": 1e-2},
                       "R": {"type": "resistor", "A": "p", "B": "n", "resistance": 1e3}},
        "relations": {f"D{k}": {"type": "diode", "A": A, "B": B} for k, (A, B) in enumerate(diodes)},
    }  # fmt: skip
    return model, 1e-6, ("a.value", "i.state")


WORKLOADS = {"ball": ball, "beads": beads, "woodpecker": woodpecker, "diode_bridge": diode_bridge}


def main():
    """Build, run, print."""
    name, size, steps = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    document, step, outputs = WORKLOADS[name](size)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.json"
        path.write_text(json.dumps({"saltus": 1} | document))
        model = sl.Model.load(path)

    def simulate(count):
        start = time.process_time()
        result = model.simulate(count * step, step=step, scheme=sl.Scheme("moreau_jean", drift="none"))
        return time.process_time() - start, result

    seconds, result = simulate(steps)
    loop = min(simulate(steps)[0] for _ in range(5)) - min(simulate(2)[0] for _ in range(5))
    probes = [float(x) for output in outputs for x in np.atleast_1d(result[output].last)]
    print(json.dumps({"program": "saltus_python", "workload": name, "size": size, "steps": steps, "cpu": seconds, "loop": loop, "probes": probes}))


main()
