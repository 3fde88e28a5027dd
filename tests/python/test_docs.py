"""The Python code of every page of the documentation runs, page by page, and its asserts hold."""

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
