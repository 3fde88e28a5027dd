"""`saltus check MODEL`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from saltus.commands._common import DONE, MODEL_ERROR, report_faults

ORDER = 30


def check(model: Annotated[Path, typer.Argument(help="model file (JSON)")]) -> None:
    """Report all mistakes of a model file. Exit 0 if it can be run, 2 if not."""
    from saltus import _core

    faults = _core.Model.load(str(model)).check()
    report_faults(faults)
    wrong = any(fault.severity == "error" for fault in faults)
    if not wrong:
        typer.echo(f"{model}: can be run")
    raise typer.Exit(MODEL_ERROR if wrong else DONE)
