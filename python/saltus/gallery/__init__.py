"""The gallery: models with known answers. Each is NAME.json (a model file) or NAME.py (a function `model()` that returns a `saltus.Model`), with
NAME.truth.json: {"about": ..., "checks": [{"quantity", "time", "truth", "tolerance", "relative", "source"}]}.

A check takes the value of a quantity at a time (the recorded instant nearest to it), or over the run where it says
"reduce": "max", "min" or "span". `tolerance` is absolute unless "relative" is true.
"""

from __future__ import annotations

import importlib.util
import json
import time as clock
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from saltus import _core, running

FOLDER = Path(__file__).parent


@dataclass
class Row:
    """One line of the table."""

    model: str
    quantity: str
    computed: float
    truth: float
    error: float
    tolerance: float
    ok: bool
    wall_s: float
    message: str = ""

    def json(self) -> dict:
        row = asdict(self)
        del row["message"]
        return row


def names() -> list[str]:
    return sorted(path.name.removesuffix(".truth.json") for path in FOLDER.glob("*.truth.json"))


def load(name: str) -> _core.Model:
    file = FOLDER / f"{name}.json"
    if file.exists():
        return _core.Model.load(str(file))
    spec = importlib.util.spec_from_file_location(f"saltus.gallery.{name}", FOLDER / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.model()._engine


def shapes(name: str) -> dict:
    """What bodies of a model file look like, by name: NAME.shapes.json, where there is one."""
    file = FOLDER / f"{name}.shapes.json"
    return json.loads(file.read_text()) if file.exists() else {}


def value_of(recorded: running.Recorded, check: dict) -> float:
    """The number that a check is about."""
    values, _, _ = recorded.evaluate(check["quantity"])
    if values.shape[1] != 1:
        raise ValueError(f"{check['quantity']} has {values.shape[1]} components: a check takes one")
    series = values[:, 0]
    reduce = check.get("reduce", "at")
    if recorded.is_static or (reduce == "at" and "time" not in check):
        return float(series[-1])
    curve = recorded.curve(check["quantity"])
    if reduce == "at":
        return float(curve.of(np.array([float(check["time"])]), None)[0, 0])
    least, largest = (float(curve.extremes(sign)[0][0]) for sign in (-1.0, 1.0))
    return {"max": largest, "min": least, "span": largest - least}[reduce]


def run_one(name: str, folder: Path, entries: list | None = None) -> Iterator[Row]:
    """Runs a model and yields one row a check; result and plot go to the folder, and page and report where `entries`
    collects what the page of all shows."""
    from saltus.errors import ModelError
    from saltus.plotting_files import plot_outputs

    truth = json.loads((FOLDER / f"{name}.truth.json").read_text())
    start = clock.perf_counter()
    recorded = None
    try:
        model = load(name)
        recorded = running.run(model, output=folder / f"{name}.saltus", tell=lambda run: run.shapes.update(shapes(name)))
        problem = "" if recorded.status == "done" else recorded.report["cause"]
    except ModelError as error:
        problem = str(error)
    wall = clock.perf_counter() - start
    rows: list[Row] = []
    for check in truth["checks"]:
        computed, message = float("nan"), problem
        if recorded is not None and not problem:
            try:
                computed = value_of(recorded, check)
            except (ModelError, ValueError) as error:
                message = str(error)
        error = abs(computed - check["truth"])
        bound = check["tolerance"] * (abs(check["truth"]) if check.get("relative") else 1.0)
        label = check.get("label", check["quantity"] + (f" at {check['time']:g} s" if "time" in check else ""))
        rows.append(Row(name, label, computed, check["truth"], error, bound, bool(error <= bound), wall, message))
        yield rows[-1]
    if recorded is not None and not problem and importlib.util.find_spec("matplotlib"):
        plot_outputs(recorded, model.outputs, folder / f"{name}.png")
    if entries is not None:
        from saltus.gallery.pages import Entry, write_pages

        shown = recorded is not None and not problem
        entry = write_pages(name, truth.get("about", ""), recorded, model, folder) if shown else Entry(name, problem)
        entry.rows = rows
        entries.append(entry)
