"""The Python code of every page of the documentation runs, page by page, and its asserts hold."""

import json
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
PAGES = sorted(path.name for path in DOCS.glob("*.md") if BLOCK.search(path.read_text()))


def test_pages_with_code_are_found():
    assert {"start.md", "coming_from.md"} <= set(PAGES)


@pytest.mark.parametrize("page", PAGES)
def test_code_of_a_page_runs(page, monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("MPLBACKEND", "Agg")
    monkeypatch.chdir(tmp_path)
    text = (DOCS / page).read_text()
    names = {"__name__": "page"}
    for match in BLOCK.finditer(text):
        line = text[: match.start()].count("\n") + 1
        exec(compile("\n" * line + match.group(1), str(DOCS / page), "exec"), names)


def test_examples_and_formulas_are_of_items_that_exist(monkeypatch):
    monkeypatch.syspath_prepend(str(DOCS))
    from item_formulas import EQUATIONS, sketch_of

    from saltus import _core

    entries = {f"{entry['family']}/{entry['name']}": entry for entry in _core.items()}
    examples = json.loads((DOCS / "item_examples.json").read_text())
    assert set(EQUATIONS) <= set(entries) and set(examples) <= set(entries)
    assert len(EQUATIONS) >= 0.85 * len(entries), "write the equation of a new item in docs/item_formulas.py"
    assert len(examples) >= 0.7 * len(entries), "run python docs/item_examples.py"
    for key, example in examples.items():
        known = {field["name"] for field in entries[key]["fields"]} | {port["name"] for port in entries[key]["ports"]} | {"at", "axis", "rotation", "law", "node", "on"}
        assert set(example.get("record", {})) <= known, f"{key}: run python docs/item_examples.py"
    assert sum(bool(sketch_of(*key.split("/"))) for key in entries) >= 70


def test_who_is_named_in_the_theory_is_in_the_references():
    references = (DOCS / "references.md").read_text()
    dois = re.findall(r"^- (.*?)\. .*?\[doi:(10\.\S+)\]\(https://doi.org/(10\.\S+)\)$", references, re.MULTILINE)
    assert len(dois) == references.count("\n- ") >= 35
    assert all(shown == linked for _, shown, linked in dois)
    for who in ("Arnold, Bruls 2007", "Jean 1999", "Moreau 1988", "Munthe-Kaas 1998", "Dormand, Prince 1980", "Sonneville, Cardona, Bruls 2014"):
        assert f"- {who}. " in references


def test_pictures_that_pages_name_are_there():
    for path in DOCS.glob("*.md"):
        for name in re.findall(r"!\[[^\]]+\]\(([^)]+)\)", path.read_text()):
            assert (DOCS / name).is_file(), f"{path.name}: {name}"


def test_each_model_of_the_gallery_has_a_picture():
    from saltus import gallery

    missing = [name for name in gallery.names() if not (DOCS / "pictures" / f"{name}.png").is_file()]
    assert missing == [], f"python docs/pictures.py {' '.join(missing)}, and look at them"
