"""Writes a page for each item from the engine's table: what it is, equation, sketch, example, what it connects, fields, quantities."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

from item_formulas import EQUATIONS, sketch_of

FAMILIES = {
    "nodes": "Coordinates of the system.",
    "bodies": "Objects with mass, and generic systems of equations.",
    "markers": "Frames and coordinates to which connectors, joints, loads and contacts are attached, and shapes for contact.",
    "connectors": "Force elements between two places, two coordinates or two terminals.",
    "joints": "Relations with the law *equality*, and drives.",
    "loads": "Forces and torques.",
    "relations": "Contacts, gaps, switches, and relations of your own.",
    "laws": "Laws of relations: equality, contact, friction, impact, switches.",
}
EXAMPLES = Path(__file__).with_name("item_examples.json")


def _cell(text: object) -> str:
    return str(text).replace("|", "\\|").replace("\n", " ")


def _class(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))


def _item(entry: dict, example: dict | None) -> str:
    family, name = entry["family"], entry["name"]
    lines = [f"# {name}", "", f"`sl.items.{_class(name)}`, in the section `{family}` of a model file.", "", entry["doc"], ""]
    if sketch := sketch_of(family, name):
        lines += ["```{raw} html", sketch, "```", ""]
    if equation := EQUATIONS.get(f"{family}/{name}"):
        formula, letters = equation
        lines += ["## Equation", "", f"$${formula}$$", "", f"{letters[:1].upper()}{letters[1:]}." if letters and not letters.startswith("$") else f"{letters}." if letters else "", ""]
    lines += ["## Example", "", *_example(entry, example)]
    if entry["ports"]:
        lines += ["## What it connects", "", "| port | kind | what |", "|---|---|---|"]
        for port in entry["ports"]:
            kind = _cell(port["kind"]) + ("" if port.get("required", True) else ", optional")
            lines.append(f"| `{port['name']}` | {kind} | {_cell(port.get('doc', ''))} |")
        lines.append("")
    if entry["fields"]:
        lines += ["## Fields", "", "| field | unit | default | range | what |", "|---|---|---|---|---|"]
        for field in entry["fields"]:
            default = "required" if field.get("required") else f"`{_cell(field['default'])}`"
            lines.append(f"| `{field['name']}` | {_cell(field['unit'] or '-')} | {default} | {_cell(field['range'] or '')} | {_cell(field['doc'])} |")
        lines.append("")
    if entry["quantities"]:
        lines += ["## Quantities of its own", "", "| quantity | unit | components | what |", "|---|---|---|---|"]
        for quantity in entry["quantities"]:
            lines.append(f"| `{quantity['name']}` | {_cell(quantity['unit'] or '-')} | {', '.join(quantity['components'])} | {_cell(quantity['doc'])} |")
        lines.append("")
    return "\n".join(lines) + "\n"


def _example(entry: dict, example: dict | None) -> list[str]:
    family, name = entry["family"], entry["name"]
    ports = [port["name"] for port in entry["ports"] if port.get("required", True)]
    needed = [*ports, *(field["name"] for field in entry["fields"] if field.get("required"))]
    if example is None or "record" not in example:
        given = ", ".join(f"{word}=..." for word in needed)
        lines = [f"In a program `m.add(sl.items.{_class(name)}({given}))`, which returns its handle.", ""]
    else:
        record = "{" + ",".join(f'\n  "{key}": {json.dumps(value)}' for key, value in {"type": name, **example["record"]}.items()) + "\n}"
        inside = family == "laws" or (family == "nodes" and not example["name"])
        key = "" if inside else f'"{example["name"]}": '
        lines = ["Its record in a model file" + (", inside that of its relation" if family == "laws" else "") + ":", "", "```json", f"{key}{record}" if inside else "{" + f'"{family}": {{{key}{record}}}' + "}", "```", ""]
    if example and "verb" in example:
        lines += [f"From the model that the tests build with the verb `m.{example['verb']}`; {{doc}}`/python` lists the verbs and their arguments.", ""]
    if example and "gallery" in example:
        lines += [f"In the {{doc}}`/gallery`: {example['gallery'].replace('_', ' ')}.", ""]
    return lines


def write(folder: Path) -> None:
    """Writes FOLDER/FAMILY/NAME.md, FOLDER/FAMILY.md and FOLDER/index.md; files that would not change are left alone."""
    from saltus import _core

    examples = json.loads(EXAMPLES.read_text())
    families: dict[str, list[dict]] = defaultdict(list)
    for entry in _core.items():
        families[entry["family"]].append(entry)
    pages = {}
    for family, entries in families.items():
        entries.sort(key=lambda e: e["name"])
        text = [f"# {family.capitalize()}", "", FAMILIES.get(family, ""), "", "| item | what it is |", "|---|---|"]
        text += [f"| {{doc}}`{e['name']} <{family}/{e['name']}>` | {_cell(e['doc'])} |" for e in entries]
        text += ["", "```{toctree}", ":hidden:", "", *(f"{family}/{e['name']}" for e in entries), "```", ""]
        pages[f"{family}.md"] = "\n".join(text)
        for entry in entries:
            pages[f"{family}/{entry['name']}.md"] = _item(entry, examples.get(f"{family}/{entry['name']}"))
    order = [f for f in FAMILIES if f in families] + sorted(set(families) - set(FAMILIES))
    pages["index.md"] = "\n".join(
        [
            "# Items",
            "",
            f"All {sum(map(len, families.values()))} items, each with its fields and an example, the usual ones with equation and sketch. In a model file the same",
            "names stand in the section named here; in Python `sl.items.SpringDamper` is `spring_damper`. Most are made by a verb of `sl.Model`, which is shorter:",
            "`m.describe()` shows the items of a model.",
            "",
            "| section | what | items |",
            "|---|---|---|",
            *(f"| {{doc}}`{family} <{family}>` | {FAMILIES.get(family, '')} | {len(families[family])} |" for family in order),
            "",
            "```{toctree}",
            ":hidden:",
            "",
            *order,
            "```",
            "",
        ]
    )
    for path in folder.rglob("*.md"):
        if str(path.relative_to(folder)) not in pages:
            path.unlink()
    for name, text in pages.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text() != text:
            path.write_text(text)


def write_gallery(folder: Path) -> None:
    """Writes FOLDER/gallery.md: a picture and what it shows of each model, from its file of truths; pictures stand in FOLDER/pictures."""
    from saltus import gallery

    cards = []
    for name in gallery.names():
        about = json.loads((gallery.FOLDER / f"{name}.truth.json").read_text())
        title = name.replace("_", " ").capitalize()
        source = "json" if (gallery.FOLDER / f"{name}.json").exists() else "py"
        picture = f'<img src="_static/{name}.png" alt="{title}" loading="lazy">' if (folder / "pictures" / f"{name}.png").exists() else ""
        count = len(about["checks"])
        cards.append(f"<article>{picture}<h3>{title}</h3><p>{about['about']}</p><p class=\"soft\"><code>saltus gallery {name}</code> · "
                     f"{count} value{'s' * (count > 1)} compared with a truth · {name}.{source}</p></article>")  # fmt: skip
    text = (
        "# Gallery\n\nEvery model has an answer that is known: a closed form, or the result of another program that the file names. `saltus gallery` runs them all and compares;\n"
        "`saltus gallery woodpecker` runs one and keeps its result, `saltus view gallery-results/woodpecker.saltus` shows it. The models are in `python/saltus/gallery`.\n\n"
        '```{raw} html\n<div class="gallery">\n' + "\n".join(cards) + "\n</div>\n```\n"
    )
    target = folder / "gallery.md"
    if not target.exists() or target.read_text() != text:
        target.write_text(text)

