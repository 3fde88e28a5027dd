"""Writes one page for each family of items from the engine's table: fields, units, ranges, what they connect, quantities."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

FAMILIES = {
    "nodes": "Coordinates of the system.",
    "bodies": "Objects with mass, and generic systems of equations.",
    "markers": "Places on nodes and bodies that connectors, joints, loads and contacts take.",
    "connectors": "Force elements between two places, two coordinates or two terminals.",
    "joints": "Relations with the law *equality*, and drives.",
    "loads": "Forces and torques.",
    "relations": "Contacts, gaps, switches, and relations of your own.",
    "laws": "What a relation obeys.",
}


def _cell(text: object) -> str:
    return str(text).replace("|", "\\|").replace("\n", " ")


def _item(entry: dict) -> list[str]:
    lines = [f"## {entry['name']}", "", entry["doc"], ""]
    if entry["ports"]:
        lines += ["| connects | kind | what |", "|---|---|---|"]
        for port in entry["ports"]:
            kind = _cell(port["kind"]) + ("" if port.get("required", True) else ", optional")
            lines.append(f"| `{port['name']}` | {kind} | {_cell(port.get('doc', ''))} |")
        lines.append("")
    if entry["fields"]:
        lines += ["| field | unit | default | range | what |", "|---|---|---|---|---|"]
        for field in entry["fields"]:
            default = "required" if field.get("required") else f"`{_cell(field['default'])}`"
            lines.append(
                f"| `{field['name']}` | {_cell(field['unit'] or '-')} | {default} "
                f"| {_cell(field['range'] or '')} | {_cell(field['doc'])} |"
            )
        lines.append("")
    if entry["quantities"]:
        lines += ["| quantity of its own | unit | components | what |", "|---|---|---|---|"]
        for quantity in entry["quantities"]:
            lines.append(f"| `{quantity['name']}` | {_cell(quantity['unit'] or '-')} | {', '.join(quantity['components'])} | {_cell(quantity['doc'])} |")
        lines.append("")
    return lines


def write(folder: Path) -> None:
    """Writes FOLDER/FAMILY.md and FOLDER/index.md; files that would not change are left alone."""
    from saltus import _core

    families: dict[str, list[dict]] = defaultdict(list)
    for entry in _core.items():
        families[entry["family"]].append(entry)
    folder.mkdir(exist_ok=True)
    pages = {}
    for family, entries in families.items():
        text = [f"# {family.capitalize()}", "", FAMILIES.get(family, ""), ""]
        for entry in sorted(entries, key=lambda e: e["name"]):
            text += _item(entry)
        pages[f"{family}.md"] = "\n".join(text) + "\n"
    order = [f for f in FAMILIES if f in families] + sorted(set(families) - set(FAMILIES))
    pages["index.md"] = "\n".join(
        [
            "# Items",
            "",
            "Every class of `saltus.items`, written from the descriptions in the engine. In a model file the same names stand",
            "in the section named here; in Python `sl.items.SpringDamper` is `spring_damper`. The verbs of `sl.Model` make",
            "these items: `m.describe()` shows which.",
            "",
            "```{toctree}",
            *order,
            "```",
            "",
        ]
    )
    for name, text in pages.items():
        path = folder / name
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
