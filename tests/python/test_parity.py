"""docs/parity.md: each name on the right is one that the package has, and how many classes of the peers have one."""

import inspect
import re
from pathlib import Path

import pytest

import saltus as sl
from saltus import _core, handles

PAGE = Path(__file__).resolve().parents[2] / "docs" / "parity.md"


def rows():
    title = ""
    for line in PAGE.read_text().splitlines():
        if line.startswith("## "):
            title = line[3:]
        elif line.startswith("| ") and not line.startswith(("| Exudyn |", "| Siconos |", "| sought |")):
            theirs, ours = (cell.strip() for cell in line.strip("|").split("|"))
            yield title, theirs, ours


def known():
    names = {entry["name"] for entry in _core.items()} | set(_core.schemes())
    names |= {q if isinstance(q, str) else q["name"] for entry in _core.items() for q in entry["quantities"]}
    for _, kind in inspect.getmembers(handles, inspect.isclass):
        names |= {name for name in dir(kind) if name[0] != "_"}
    return names


@pytest.mark.parametrize(("title", "theirs", "ours"), list(rows()))
def test_what_stands_for_a_class_is_there(title, theirs, ours):
    names = re.findall(r"`([^`]+)`", ours)
    assert ours == "-" or names or ours.startswith("quantities"), theirs
    for name in names:
        if name.startswith("m."):
            assert hasattr(sl.Model(), name[2:]), (theirs, name)
        elif name.startswith("sl."):
            assert hasattr(sl, name[3:]), (theirs, name)
        else:
            assert name in known(), (theirs, name)


def test_most_of_the_items_of_exudyn_have_one():
    items = [ours for title, _, ours in rows() if title.startswith("Exudyn") and not title.endswith("output variables")]
    outputs = [ours for title, _, ours in rows() if title.endswith("output variables")]
    assert (len(items), len(outputs)) == (97, 34)
    assert sum(ours != "-" and not ours.startswith("partly") for ours in items) >= 69
    assert sum(ours != "-" and not ours.startswith("partly") for ours in outputs) >= 30


def test_most_of_what_users_of_other_engines_look_for_is_there():
    sought = [ours for title, _, ours in rows() if title.startswith("What users of")]
    there = sum(ours != "-" and not ours.startswith("partly") for ours in sought)
    assert there >= 27 and len(sought) >= 36, (there, len(sought))
