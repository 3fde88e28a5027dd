"""Reads a result back from its file."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np

from saltus import _core
from saltus.errors import Fault, ModelError, at_its_line
from saltus.model import Model
from saltus.result import Result
from saltus.running import COLUMNS, Options, Recorded, report_of_file, run, warnings_of_file
from saltus.store import ResultReader


def _with_history(data: np.ndarray, sizes: dict[str, int]) -> np.ndarray:
    """The data of a file, where it was written before items counted turns with nothing that they remember."""
    missing = sizes["nd"] - data.shape[1]
    if missing == 0 or missing != sizes["history"]:
        return data
    return np.hstack([data, np.full((len(data), missing), np.nan)])


WIDTHS = {"y": "ny", "a": "nv", "lam": "rows", "data": "nd"}  # columns whose rows are as long as the model says


def _check_layout(recorded: Recorded, program: str, file: str) -> None:
    """A file of another version whose items had other states than those of today is refused, not misread."""
    sizes = recorded.system.sizes()
    for name, size in WIDTHS.items():
        width = recorded.arrays[name].shape[1]
        if width != sizes[size]:
            whose = f"Saltus {program}" if program else "the Saltus that wrote it"
            raise ModelError(
                Fault(name, f"has {width} numbers a state, and the model's items have {sizes[size]} in this version, {_core.version}", f"read the file with {whose}, or its arrays with ResultReader", file)
            )


@at_its_line
def load_result(path: str | os.PathLike[str]) -> Result:
    """Reads a result file, also one whose run was killed; its model is `result.model` if the file holds it."""
    with ResultReader(path) as reader:
        if not reader.series["main"] and not reader.finished:
            raise ModelError(
                Fault(
                    "",
                    "holds no state: its run was stopped before the first commit, or has just begun",
                    "wait for a run that goes on, else run the model again",
                    os.fspath(path),
                )
            )
        if not reader.model:
            raise ModelError(
                Fault(
                    "model",
                    "is not in this file: it had Python functions",
                    "read the arrays with ResultReader",
                    os.fspath(path),
                )
            )
        model = Model.parse(reader.model)
        report = next((entry.data for entry in reader.reports("run")), None) or {
            "status": "interrupted",
            "t": reader.end_time,
            "steps": reader.series["main"],
            "cause": "",
            **next((entry.data for entry in reader.reports("options")), {}),
        }
        recorded = Recorded(
            model._engine.compile(), reader.model, report.get("scheme", ""), report.get("is_static", False), report.pop("options", {})
        )
        recorded.report = {**report_of_file(report), "warnings": warnings_of_file(reader)}
        recorded.arrays = {"t": reader.time(), **{name: reader[name] for name in COLUMNS[1:] if name in reader.channels}}
        if "contacts/contact" in reader.channels:  # of a run that was killed perhaps of a state that was not written
            rows = reader["contacts/contact"]
            recorded.contacts = rows[rows[:, 0] < len(recorded.arrays["t"])]
        recorded.arrays["data"] = _with_history(recorded.arrays["data"], recorded.system.sizes())
        _check_layout(recorded, reader.program, os.fspath(path))
        recorded.program = reader.program
        recorded.events = [(e.time, e.kind, e.path, e.data["value"]) for e in reader.events()]
        checkpoint = reader.checkpoint()
        recorded.state = checkpoint[1] if checkpoint else b""
        shapes = {entry.path: entry.data for entry in reader.reports("shape")}
    recorded.shapes = shapes
    result = Result(recorded, model)
    result._shapes, result._read_back = shapes, True
    return result


@at_its_line
def resume(path: str | os.PathLike[str], *, until: float | None = None, output: str | os.PathLike[str] | None = None, progress: Callable[[float, float], None] | None = None) -> Result:
    """Goes on with the run of a result file from its last checkpoint, as if it had not been stopped; the file then holds the whole.

    until: another end [s]. output: the file that is written, else the one that is read, which stays as it is until the run has ended.
    Conditions that a program gave as `stop=` are not in the file: such a run goes on to its end.
    """
    result = load_result(path)
    before, file = result._recorded, os.fspath(path)
    if not before.state or not before.options:
        raise ModelError(Fault("", "has no checkpoint: the run was stopped in its first seconds", "run the model again", file))
    if before.scheme == "static":
        raise ModelError(Fault("", "is a static run, which is not gone on with", "run the model again", file))
    options = before.options
    if before.program not in ("", _core.version):
        raise ModelError(Fault("checkpoint", f"is of Saltus {before.program}, and this is {_core.version}", f"go on with Saltus {before.program}, or run the model again", file))
    end, reached = float(options["until"] if until is None else until), float(np.frombuffer(before.state, count=1)[0])
    if not reached < end * (1.0 - 1e-12):
        raise ModelError(Fault("simulation/until", f"is {end:g} s, and the run has come to {reached:g} s", "give a later end: until= in a program, --until of `saltus run --resume`", file))
    _cut(before)
    chosen = Options(
        until=end, step=options["step"], scheme=options["scheme"], scheme_options=options["options"], tolerance=None if options["step"] else options["tolerance"],
        threads=options["threads"], consistent=options["consistent"], interval=options.get("interval"), contacts=options.get("contacts"),
    )  # fmt: skip
    target = Path(path if output is None else output)
    part = target.with_name(target.name + ".part")
    recorded = run(result.model._engine, chosen, output=part, progress=progress, before=before)
    os.replace(part, target)
    whole = Result(recorded, result.model)
    whole._shapes, whole._read_back = result._shapes, True
    return whole


def _cut(recorded: Recorded) -> None:
    """Leaves out the states and events behind the checkpoint, which come again."""
    state = np.frombuffer(recorded.state)
    t, y = state[0], state[8 : 8 + recorded.arrays["y"].shape[1]]
    rows = int(np.searchsorted(recorded.arrays["t"], t, side="right"))
    first = int(np.searchsorted(recorded.arrays["t"], t, side="left"))
    same = [i for i in range(first, rows) if np.array_equal(recorded.arrays["y"][i], y)]
    rows = same[-1] + 1 if same else first  # of two states at a jump perhaps the first
    recorded.arrays = {name: values[:rows] for name, values in recorded.arrays.items()}
    if recorded.contacts is not None:
        recorded.contacts = recorded.contacts[recorded.contacts[:, 0] < rows]
    recorded.events = [event for event in recorded.events if event[0] <= t]
