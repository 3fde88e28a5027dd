"""Files of a version, which later versions must go on reading: `python tests/python/stored_files.py` writes those of this one.

They stand in tests/data/files/VERSION: models (JSON, YAML), results (packed), numbers of both, and catalogue.json: items with
fields, units and values that hold where a file gives none; names of the package and of the arguments of the model's verbs.
Written once, at the release of a version; afterwards the folder is never touched. test_upgrade.py reads all folders.
"""

from __future__ import annotations

import csv
import gzip
import inspect
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from commands import saltus

import saltus as sl
from saltus import _core

FOLDER = Path(__file__).resolve().parents[1] / "data" / "files"
POINTS = 5  # times of a result whose numbers are kept


def mechanism() -> tuple[sl.Model, dict[str, Any]]:
    m = sl.Model()
    m.parameters = {"k": 40.0}
    m.table("push", [0, 0.1, 0.4], [0, 2, 1])
    crank = m.rod((0, 0, 0), (0, 0, 0.1), mass=0.1, name="crank")
    rod = m.rod(crank.end, (0.4, 0, 0), mass=0.2, name="rod")
    slider = m.box(size=(0.05, 0.05, 0.05), mass=1, at=(0.4, 0, 0), name="slider")
    m.revolute(m.ground, crank, at=(0, 0, 0), axis="y", speed=6.0, name="motor")
    m.spherical(crank, rod, at=crank.end, name="pin")
    m.universal(rod, slider, at=rod.end, axes=("y", "z"), name="cross")
    m.prismatic(m.ground, slider, at=(0.4, 0, 0), axis="x", name="guide")
    m.spring(m.ground, slider, stiffness="k", damping=0.5, name="coil")
    m.force(slider, ("push(t)", 0, 0), name="push_force")
    m.outputs = {"stroke": slider.position.x, "pull": "= -10*slider.position.x"}
    return m, {"until": 0.4}


def box_on_plane() -> tuple[sl.Model, dict[str, Any]]:
    m = sl.Model()
    floor = m.plane(name="floor")
    ball = m.sphere(radius=0.1, mass=1, at=(0, 0, 0.3), velocity=(1, 0, 0), name="ball")
    crate = m.box(size=(0.2, 0.2, 0.2), mass=2, at=(0.6, 0, 0.1), name="crate")
    m.contact(floor, ball, restitution=0.6, friction=0.3, name="bounce")
    m.contact(floor, crate, friction=0.4, name="stand")
    m.contact(ball, crate, restitution=0.5, friction=0.1, name="hit")
    return m, {"until": 0.4, "step": 4e-3}


def drop() -> tuple[sl.Model, dict[str, Any]]:
    m = sl.Model()
    ball = m.sphere(radius=0.1, mass=1, at=(0, 0, 1.1), name="ball")
    m.contact(m.plane(name="floor"), ball, restitution=0.8, name="floor_contact")
    return m, {"until": 1.5, "scheme": "event_driven"}


def bridge() -> tuple[sl.Model, dict[str, Any]]:
    m = sl.Model()
    a, b, plus = m.terminal(name="a"), m.terminal(name="b"), m.terminal(name="plus")
    m.voltage_source(a, b, voltage="10*sin(314.159*t)", name="mains")
    m.diode(a, plus, name="d1"), m.diode(b, plus, name="d2"), m.diode(m.ground, a, name="d3"), m.diode(m.ground, b, name="d4")
    m.capacitor(plus, m.ground, C=1e-3, name="C")
    m.resistor(plus, m.ground, R=50.0, name="R")
    return m, {"until": 0.03, "step": 1e-4}


def tree() -> tuple[sl.Model, dict[str, Any]]:
    m = sl.Model()
    base = m.tree(name="base")
    upper = m.link(base, axis="y", mass=2, inertia=(0.1, 0.1, 0.01), center_of_mass=(0.3, 0, 0), name="upper")
    m.link(upper, at=(0.6, 0, 0), axis="y", mass=1, inertia=(0.05, 0.05, 0.01), center_of_mass=(0.2, 0, 0), rate=1.0, name="lower")
    return m, {"until": 0.5, "tolerance": 1e-8}


def memory() -> tuple[sl.Model, dict[str, Any]]:
    spring = {"type": "elastoplastic_spring", "A": "ground", "B": "x", "stiffness": 900, "yield_force": 30, "hardening": 0.1}
    tree = {
        "saltus": 1,
        "nodes": {"x": {"type": "node_1d", "velocity": 4}},
        "bodies": {"mass": {"type": "mass_1d", "node": "x", "mass": 1}},
        "connectors": {"plastic": spring},
        "outputs": {"x": "x.coordinate", "force": "plastic.force"},
    }
    return sl.Model.parse(json.dumps(tree)), {"until": 0.5, "step": 1e-3, "scheme": "generalized_alpha"}


def beam() -> tuple[sl.Model, dict[str, Any]]:
    m = sl.Model()
    blade = m.beam((0, 0, 0), (1, 0, 0), elements=4, section=sl.Section.circle(radius=0.01, nu=0.3, E=2.1e11, density=7800), name="blade")
    m.fixed(m.ground, blade.start, name="root")
    m.force(blade.end, (0, 0, -20), name="load")
    return m, {"until": 0.02, "step": 1e-3}


CASES: dict[str, Callable[[], tuple[sl.Model, dict[str, Any]]]] = {f.__name__: f for f in (mechanism, box_on_plane, drop, bridge, tree, memory, beam)}


def ran(model: Path, file: Path) -> sl.Result:
    """The result of `saltus run MODEL --output FILE`."""
    done = saltus("run", model, "--output", file)
    if done.code:
        raise SystemExit(f"{model.name} did not run: {done.err}")
    return sl.load_result(file)


def numbers(result: sl.Result, folder: Path) -> dict[str, list[float | None]]:
    """Everything that a table of the result holds, at some times and at the end."""
    result.at(np.linspace(result.time[0], result.time[-1], POINTS)).export(folder / "numbers.csv")
    names, *rows = csv.reader((folder / "numbers.csv").open())
    (folder / "numbers.csv").unlink()
    return {name: [float(cell) if cell else None for cell in column] for name, column in zip(names, zip(*rows))}


def catalogue() -> dict[str, Any]:
    """Items with their fields, ports and quantities; names of the package and arguments of the verbs."""
    items = {}
    for entry in _core.items():
        items[f"{entry['family']}/{entry['name']}"] = {
            "fields": {f["name"]: {"unit": f["unit"], "kind": f["kind"], "required": f["required"], "default": f.get("default")} for f in entry["fields"]},
            "ports": [port["name"] for port in entry["ports"]],
            "quantities": [q if isinstance(q, str) else q["name"] for q in entry["quantities"]],
        }
    verbs = {}
    for kind in (sl.Model, sl.Result):
        for name, verb in inspect.getmembers(kind, inspect.isfunction):
            if name[0] != "_":
                verbs[f"{kind.__name__}.{name}"] = [p for p in inspect.signature(verb).parameters if p != "self"]
    return {"items": items, "verbs": verbs, "names": [name for name in dir(sl) if name[0] != "_"], "schemes": list(_core.schemes())}


def write(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, made in CASES.items():
        m, options = made()
        m.simulation = options
        model, file = folder / f"{name}.json", folder / "run.saltus"
        m.save(model)
        if made is drop:
            m.save(model.with_suffix(".yaml"))
        result = ran(model, file)
        (folder / f"{name}.saltus.gz").write_bytes(gzip.compress(file.read_bytes(), mtime=0))
        file.unlink()
        kept = {"numbers": numbers(result, folder), "events": result.events}
        (folder / f"{name}.numbers.json").write_text(json.dumps(kept, indent=1) + "\n")
    (folder / "catalogue.json").write_text(json.dumps(catalogue(), indent=None, separators=(",", ":"), sort_keys=True) + "\n")


if __name__ == "__main__":
    if sys.argv[1:]:
        raise SystemExit(__doc__)
    write(FOLDER / sl.__version__)
