"""`saltus verify`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from saltus.commands._common import print_json

ORDER = 12


def verify(
    case: Annotated[list[str] | None, typer.Option(help="a case, or truth, independent, exudyn, siconos, invariants")] = None,
    json: Annotated[
        bool, typer.Option("--json", help="print one object with the rows and the cases that wait")
    ] = False,
    quick: Annotated[bool, typer.Option("--quick", help="without the long cases and refinements")] = False,
    heavy: Annotated[bool, typer.Option("--heavy", help="invariants over a million steps")] = False,
    write: Annotated[Path | None, typer.Option(help="write the rows as a page, docs/verification.md")] = None,
) -> None:
    """Run the cases with known answers and compare with truth and peers. Exit 1 if one is out of tolerance."""
    from saltus.errors import Fault, MissingExtra, ModelError
    from saltus.verification import registry
    from saltus.verification.page import page

    waiting = registry.waiting()
    chosen = registry.names(quick)
    if case:
        chosen = []
        for name in case:
            found = registry.find(name)
            if not found:
                raise ModelError(Fault(name, "is not a case", "it has " + ", ".join([*registry.names(), *waiting])))
            chosen += [known for known in found if known not in chosen]
    rows, cpu, lacking = [], {}, {}
    for name in chosen:
        if name in waiting:
            continue
        try:
            for row, seconds in registry.run(name, quick, heavy):
                rows.append(row)
                cpu[name] = cpu.get(name, 0.0) + seconds
                if not json:
                    _print(row, first=len(rows) == 1)
        except (ModuleNotFoundError, MissingExtra) as error:  # a package that this installation has not
            lacking[name] = f"{error}; pip install 'saltus[numerics]'" if isinstance(error, ModuleNotFoundError) else str(error)
    wait = {name: lack for name, lack in waiting.items() if not case or name in chosen} | lacking
    if json:
        print_json({"rows": [row.json() for row in rows], "waiting": wait, "cpu_s": cpu})
    else:
        wrong = [row for row in rows if not row.ok]
        typer.echo(
            f"{len(rows)} quantities of {len(cpu)} cases, {len(wrong)} out of tolerance, {len(wait)} cases wait; "
            f"{sum(cpu.values()):.0f} s CPU"
        )
        if lacking:
            typer.echo(f"{len(lacking)} of those that wait lack a package: pip install 'saltus[numerics]'")
    if write:
        write.write_text(page(rows, wait))
    raise typer.Exit(0 if all(row.ok for row in rows) and (rows or wait) else 1)


def _print(row, first: bool) -> None:
    if first:
        typer.echo(f"{'case':34} {'quantity':44} {'error':>9} {'tolerance':>9} {'peer':>9} {'order':>6}")
    peer = "" if row.peer_error is None else f"{row.peer_error:9.1e}"
    order = "" if row.order is None else f"{row.order:6.2f}"
    typer.echo(
        f"{row.case:34} {row.quantity:44} {row.error:9.1e} {row.tolerance:9.1e} {peer:>9} {order:>6} "
        f"{'ok' if row.ok else 'OUT'}"
    )
    if row.note and not row.ok:
        typer.echo(f"    {row.note}")
