"""Reads a result back from its file."""

from __future__ import annotations

import os

import numpy as np

from saltus.errors import Fault, ModelError
from saltus.model import Model
from saltus.result import Result
from saltus.running import COLUMNS, Recorded, report_of_file, warnings_of_file
from saltus.store import ResultReader


def _with_history(data: np.ndarray, sizes: dict[str, int]) -> np.ndarray:
    """The data of a file, where it was written before items counted turns with nothing that they remember."""
    missing = sizes["nd"] - data.shape[1]
    if missing == 0 or missing != sizes["history"]:
        return data
    return np.hstack([data, np.full((len(data), missing), np.nan)])


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
        }
        recorded = Recorded(
            model._engine.compile(), reader.model, report.get("scheme", ""), report.get("is_static", False), report.pop("options", {})
        )
        recorded.report = {**report_of_file(report), "warnings": warnings_of_file(reader)}
        recorded.arrays = {"t": reader.time(), **{name: reader[name] for name in COLUMNS[1:] if name in reader.channels}}
        recorded.arrays["data"] = _with_history(recorded.arrays["data"], recorded.system.sizes())
        recorded.events = [(e.time, e.kind, e.path, e.data["value"]) for e in reader.events()]
        checkpoint = reader.checkpoint()
        recorded.state = checkpoint[1] if checkpoint else b""
        shapes = {entry.path: entry.data for entry in reader.reports("shape")}
    result = Result(recorded, model)
    result._shapes = shapes
    return result
