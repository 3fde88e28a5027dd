"""`saltus items [NAME]`."""

from __future__ import annotations

from typing import Annotated, Optional

import typer

from saltus.commands._common import print_json

ORDER = 50


def items(
    name: Annotated[Optional[str], typer.Argument(help="an item type such as revolute, a section such as joints, a part of a name, or words of its description")] = None,
    json: Annotated[bool, typer.Option("--json", help="print a list of objects")] = False,
) -> None:
    """All item types with their fields, units, defaults and ranges; of one NAME those that it fits."""
    from saltus import _core

    entries = _chosen(_core.items(), name)
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


def _chosen(entries: list[dict], name: Optional[str]) -> list[dict]:
    """Those of the name: exactly, else of the section, else all that have it as a part."""
    from saltus.errors import Fault, ModelError
    from saltus.geometry import near

    if name is None:
        return entries
    word = name.rpartition("/")[2]
    words = word.lower().replace("_", " ").split()
    for fits in (lambda e: e["name"] == word, lambda e: e["family"] == word, lambda e: word in e["name"], lambda e: len(words) > 1 and all(w in f"{e['name']} {e['doc']}".lower() for w in words), lambda e: len(words) > 1 and any(len(w) > 3 and w in e["name"] for w in words)):
        if found := [entry for entry in entries if fits(entry)]:
            return found
    known = [entry["name"] for entry in entries] + sorted({entry["family"] for entry in entries})
    raise ModelError(Fault(name, "is neither an item type nor a section", near(word, known) or "`saltus items` prints all"))
