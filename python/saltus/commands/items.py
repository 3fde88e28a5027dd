"""`saltus items`."""

from __future__ import annotations

from typing import Annotated

import typer

from saltus.commands._common import print_json

ORDER = 50


def items(json: Annotated[bool, typer.Option("--json", help="print a list of objects")] = False) -> None:
    """All item types with their fields, units, defaults and ranges."""
    from saltus import _core

    entries = _core.items()
    if json:
        print_json(entries)
        return
    for entry in entries:
        typer.echo(f"{entry['family']}/{entry['name']}: {entry['doc']}")
        for port in entry.get("ports", []):
            typer.echo(f"    {port['name']:20} {port['kind']}: {port.get('doc', '')}")
        for f in entry["fields"]:
            unit = f" [{f['unit']}]" if f.get("unit") else ""
            default = " (required)" if f.get("required") else f" = {f.get('default')}"
            typer.echo(f"    {f['name']:20} {f['doc']}{unit}{default}{', ' + f['range'] if f.get('range') else ''}")
