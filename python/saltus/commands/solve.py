"""`saltus solve PROBLEM.h5`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Optional

import typer

from saltus.commands._common import print_json

ORDER = 80


def solve(
    problem: Annotated[Path, typer.Argument(help="complementarity or friction problem (HDF5)")],
    tolerance: Annotated[float, typer.Option(help="on the natural map and on the scaled residual")] = 1e-8,
    solver: Annotated[Optional[str], typer.Option(help="name of a solver; without it the portfolio")] = None,
    output: Annotated[Optional[Path], typer.Option(help="HDF5 file for r (and v, u) or z, w")] = None,
    json: Annotated[bool, typer.Option("--json", help="print the report as one JSON object")] = False,
    compare: Annotated[bool, typer.Option("--compare", help="run all solvers and print a table")] = False,
    plot: Annotated[Optional[Path], typer.Option(help="with --compare: picture of residual against time (png, svg, pdf)")] = None,
    threads: Annotated[int, typer.Option(help="share large friction problems; the same bits for any number")] = 1,
    budget: Annotated[float, typer.Option(help="with --compare: Gflop a solver")] = 4.0,
) -> None:
    """Solve one problem without mechanics. Exit 0 solved, 2 bad file, 3 not solved."""
    from saltus.numerics import cli_solve

    if compare:
        raise typer.Exit(_compare(problem, tolerance, solver, plot, budget, json))
    report, exit_code = cli_solve(problem, tolerance, solver, output, threads)
    if json:
        print_json(report)
    elif report["status"] == "model_error":
        for message in report["messages"]:
            typer.echo(message, err=True)
    else:
        for name, value in report.items():
            if name == "worst_block":
                value = report["worst_block_fit"] or value
            if name != "worst_block_fit" and value not in ("", None):
                typer.echo(f"{name:>18}  {f'{value:.3g}' if isinstance(value, float) else value}")
    raise typer.Exit(exit_code)


def _compare(path: Path, tolerance: float, solver: str | None, plot: Path | None, budget: float, as_json: bool) -> int:
    from dataclasses import asdict

    from saltus.errors import ModelError
    from saltus.numerics import compare as all_solvers
    from saltus.numerics import read_problem
    from saltus.numerics.compare import compare_plot, compare_table

    try:
        runs = all_solvers(read_problem(path).problem, tolerance, [solver] if solver else None, int(1e9 * budget))
        if plot is not None:
            compare_plot(runs, plot, path.stem, tolerance)
    except ModelError as error:
        if not as_json:
            raise
        print_json({"status": "model_error", "messages": [fault.text for fault in error.faults]})
        return 2
    report: dict[str, Any] = {"tolerance": tolerance, "solvers": [asdict(run) for run in runs]}
    if as_json:
        print_json(report)
    else:
        typer.echo(compare_table(runs))
    return 0 if any(run.status == "solved" for run in runs) else 3
