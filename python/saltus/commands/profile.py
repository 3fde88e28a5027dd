"""`saltus profile FOLDER`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, List, Optional

import typer

from saltus.commands._common import print_json

ORDER = 81


def profile(
    folder: Annotated[Path, typer.Argument(help="folder of problems (HDF5, also FCLIB)")],
    tolerance: Annotated[float, typer.Option(help="on the natural map and on the scaled residual")] = 1e-8,
    solver: Annotated[Optional[List[str]], typer.Option(help="a solver, or `portfolio`; again for more; without it all")] = None,
    budget: Annotated[float, typer.Option(help="Gflop a solve")] = 4.0,
    plot: Annotated[Optional[Path], typer.Option(help="picture of the profile (png, svg, pdf)")] = None,
    json: Annotated[bool, typer.Option("--json", help="print times and profile as one JSON object")] = False,
) -> None:
    """Performance profile (Dolan, More 2002) of the solvers over a folder of problems. Exit 0, 2 bad folder."""
    from saltus.numerics import profile as profile_of

    found = profile_of(folder, tolerance, solver or None, int(1e9 * budget))
    if plot is not None:
        found.plot(plot)
    if json:
        print_json(found.as_json())
    else:
        typer.echo(found.table())
