"""`saltus solve PROBLEM.h5`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Optional

import typer

from saltus.commands._common import print_json

ORDER = 80


def solve(
    problem: Annotated[Path, typer.Argument(help="complementarity or friction problem (HDF5)")],
    tolerance: Annotated[float, typer.Option(help="on the natural map and on the scaled residual")] = 1e-8,
    solver: Annotated[Optional[str], typer.Option(help="name of a solver; without it the portfolio")] = None,
    output: Annotated[Optional[Path], typer.Option(help="HDF5 file for r (and v, u) or z, w")] = None,
    json: Annotated[bool, typer.Option("--json", help="print the report as one JSON object")] = False,
) -> None:
    """Solve one problem without mechanics. Exit 0 solved, 2 bad file, 3 not solved."""
    from saltus.numerics import cli_solve

    report, exit_code = cli_solve(problem, tolerance, solver, output)
    if json:
        print_json(report)
    else:
        for name, value in report.items():
            typer.echo(f"{name:>16}  {value}")
    raise typer.Exit(exit_code)
