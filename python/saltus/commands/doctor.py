"""`saltus doctor MODEL`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from saltus.commands._common import DONE, MODEL_ERROR, print_json

ORDER = 31


def doctor(
    model: Annotated[Path, typer.Argument(help="model file (JSON, YAML, URDF, MJCF or SDF)")],
    json: Annotated[bool, typer.Option("--json", help="print the findings as one JSON object")] = False,
) -> None:
    """Say which scheme fits a model and why, what a run costs, and what is probably wrong. Exit 0 if it can be run, 2 if not."""
    from dataclasses import asdict

    from saltus.doctor import examine
    from saltus.model import Model

    found = examine(Model.load(model))
    if json:
        print_json({"facts": found.facts, "findings": [asdict(fault) for fault in found.findings]})
    else:
        typer.echo(str(found))
    raise typer.Exit(MODEL_ERROR if any(fault.severity == "error" for fault in found.findings) else DONE)
