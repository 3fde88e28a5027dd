"""`saltus gallery`."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Annotated, List, Optional

import typer

from saltus.commands._common import print_json

ORDER = 10


def gallery(
    models: Annotated[Optional[List[str]], typer.Argument(help="names of models; none: all")] = None,
    folder: Annotated[Path, typer.Option(help="where results and plots go")] = Path("gallery-results"),
    pages: Annotated[bool, typer.Option("--pages", help="also write a page and a report of each model, and index.html")] = False,
    json: Annotated[bool, typer.Option("--json", help="print a list of rows")] = False,
) -> None:
    """Run the gallery's models and compare them with their truths. Exit 1 if one is out of tolerance."""
    from saltus import gallery as shown
    from saltus.errors import Fault, ModelError
    from saltus.geometry import near

    known = shown.names()
    for name in models or []:
        if name not in known:
            raise ModelError(Fault(name, "is not in the gallery", near(name, known) or "it has " + ", ".join(known)))
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    entries: Optional[list] = [] if pages else None
    for name in models or known:
        for row in shown.run_one(name, folder, entries):
            rows.append(row)
            if not json:
                _print(row, first=len(rows) == 1)
    if entries is not None:
        from saltus.gallery.pages import write_index

        index = write_index(entries, folder)
    if json:
        print_json([row.json() for row in rows])
    else:
        wrong, drawn = sum(not row.ok for row in rows), importlib.util.find_spec("matplotlib") is not None
        typer.echo(f"{len(rows)} quantities of {len({row.model for row in rows})} models, {wrong} out of tolerance; "
                   f"results{' and plots' if drawn else ''} in {folder}{'' if drawn else '; plots need the extra `plot`'}" + (f", to look at: {index}" if pages else ""))
    raise typer.Exit(0 if rows and all(row.ok for row in rows) else 1)


def _print(row, first: bool) -> None:
    if first:
        typer.echo(f"{'model':24} {'quantity':36} {'computed':>16} {'truth':>16} {'error':>9} {'tolerance':>9} {'':>4} {'wall s':>7}")
    typer.echo(f"{row.model:24} {row.quantity:36} {row.computed:16.9g} {row.truth:16.9g} {row.error:9.1e} "
               f"{row.tolerance:9.1e} {'ok' if row.ok else 'OUT':>4} {row.wall_s:7.2f}")
    if row.message:
        typer.echo(f"    {row.message}")
