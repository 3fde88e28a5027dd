"""`saltus matrix`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from saltus.commands._common import print_json

ORDER = 13


def matrix(
    scheme: Annotated[list[str] | None, typer.Option(help="only this scheme")] = None,
    law: Annotated[list[str] | None, typer.Option(help="only this law")] = None,
    system: Annotated[list[str] | None, typer.Option(help="only this kind of system")] = None,
    json: Annotated[bool, typer.Option("--json", help="print a list with one object a cell")] = False,
    quick: Annotated[bool, typer.Option("--quick", help="one step a cell, without its order")] = False,
    write: Annotated[Path | None, typer.Option(help="write the table as a page, docs/matrix.md")] = None,
) -> None:
    """Try every scheme with every law on each kind of system: right, out or refused. Exit 1 if one is out."""
    from saltus.errors import Fault, ModelError
    from saltus.verification import matrix as library

    known = {"scheme": library.schemes(), "law": [entry["name"] for entry in library.laws()], "system": list(library.SYSTEMS)}
    for word, chosen in (("scheme", scheme), ("law", law), ("system", system)):
        for name in chosen or ():
            if name not in known[word]:
                raise ModelError(Fault(name, f"is no {word} of the table", "it has " + ", ".join(known[word])))
    cells = []
    for cell in library.table(scheme, law, system, quick):
        cells.append(cell)
        if not json:
            error = "" if cell.error is None else f"{cell.error:.1e}"
            order = "" if cell.order is None else f"{cell.order:.2f}"
            default = "" if cell.default_error is None else f"{cell.default_error:.1e}"
            typer.echo(f"{cell.system:14} {cell.law:26} {cell.scheme:28} {cell.verdict:8} {error:>8} {default:>8} {order:>5} {cell.reason}")
    if json:
        print_json([cell.json() for cell in cells])
    else:
        meant = library.meant(cells)
        right = sum(cell.verdict == "right" for cell in meant)
        typer.echo(f"{len(cells)} cells; {right} of {len(meant)} that have a meaning are right")
    if write:
        write.write_text(library.page(cells))
    raise typer.Exit(1 if any(cell.verdict == "out" for cell in cells) else 0)
