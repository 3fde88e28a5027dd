"""Calls the command line in this process, as `saltus ARGS` would."""

from __future__ import annotations

import contextlib
import io
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

PENDULUM = {
    "saltus": 1,
    "gravity": [0, 0, -9.81],
    "parameters": {"L": 1.0},
    "bodies": {"rod": {"type": "rigid_body", "mass": 3, "inertia": [0.1, 1.0, 1.0],
                       "node": {"type": "node_rigid", "position": ["L/2", 0, 0]}}},
    "joints": {"pin": {"type": "revolute", "A": "ground", "B": "rod", "at": [0, 0, 0], "axis": "y"}},
    "outputs": {"height": "rod.position.z", "speed": "rod.velocity"},
    "simulation": {"until": 0.2, "step": 0.001, "scheme": "generalized_alpha"},
}


@dataclass
class Outcome:
    code: int
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out)


def saltus(*args) -> Outcome:
    from saltus import cli

    out, err = io.StringIO(), io.StringIO()
    code = 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), mock.patch.object(sys, "argv", ["saltus", *map(str, args)]):
        try:
            cli.main()
        except SystemExit as exit:
            code = exit.code if isinstance(exit.code, int) else int(exit.code is not None)
    return Outcome(code, out.getvalue(), err.getvalue())


def written(folder: Path, model: dict, name: str = "model.json", **simulation) -> Path:
    """The model's file, with entries of `simulation` replaced."""
    path = folder / name
    path.write_text(json.dumps({**model, "simulation": {**model["simulation"], **simulation}}, indent=1))
    return path
