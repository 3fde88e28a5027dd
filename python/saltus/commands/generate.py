"""`saltus generate KIND OUT.h5`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

ORDER = 82


def generate(
    kind: Annotated[str, typer.Argument(help="kind of problem; `list` names all")],
    output: Annotated[Path, typer.Argument(help="HDF5 file to write")] = Path("problem.h5"),
    size: Annotated[int, typer.Option(help="about so many contacts, or unknowns")] = 100,
    seed: Annotated[int, typer.Option(help="same seed, same problem")] = 0,
    fclib: Annotated[bool, typer.Option("--fclib", help="write in the format of FCLIB")] = False,
) -> None:
    """Generate a test problem: walls, vaults, sphere packings, chutes, Murty, Fathi, programs, problems without a solution."""
    from saltus.numerics import generate as generated
    from saltus.numerics import write_fclib, write_problem
    from saltus.numerics.generate import KINDS

    if kind == "list":
        for name, maker in KINDS.items():
            typer.echo(f"{name:>14}  {(maker.__doc__ or '').strip().splitlines()[0]}")
        return
    problem = generated(kind, size, seed)
    origin = f"saltus generate {kind} --size {size} --seed {seed}"
    if fclib:
        write_fclib(output, problem, title=origin)
    else:
        write_problem(output, problem, origin=origin)
    typer.echo(f"{output}: {len(problem.blocks)} blocks, {len(problem.b)} rows, {len(problem.p0)} velocities")
