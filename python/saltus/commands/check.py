"""`saltus check MODEL`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from saltus.commands._common import DONE, MODEL_ERROR, print_json, report_faults

ORDER = 30


def check(
    model: Annotated[Path, typer.Argument(help="model file (JSON, YAML, URDF, MJCF or SDF)")],
    json: Annotated[bool, typer.Option("--json", help="print one JSON object, for editors")] = False,
) -> None:
    """Report all mistakes of a model file. Exit 0 if it can be run, 2 if not."""
    from saltus.errors import ModelError
    from saltus.model_files import load_engine

    try:
        faults = load_engine(model).check()
    except ModelError as error:
        if not json:
            raise
        faults = error.faults
    wrong = any(fault.severity == "error" for fault in faults)
    if json:
        print_json({"file": str(model), "ok": not wrong, "faults": [fault.as_dict() for fault in faults]})
    else:
        report_faults(faults)
        if not wrong:
            typer.echo(f"{model}: can be run")
    raise typer.Exit(MODEL_ERROR if wrong else DONE)
