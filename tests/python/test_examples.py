"""Every example runs as it is shown, its assert holds, it has at most 40 lines, a title, a picture of its name and a place on the page."""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
PAGE = ROOT / "docs" / "examples.md"


def test_there_are_twenty_examples_and_each_stands_on_the_page_with_its_picture():
    page = PAGE.read_text()
    assert len(EXAMPLES) >= 20
    for example in EXAMPLES:
        assert f"../examples/{example.name}" in page and f"examples/{example.stem}.png" in page, example.name
        assert (ROOT / "docs" / "examples" / f"{example.stem}.png").stat().st_size > 2000


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs(example, tmp_path):
    text = example.read_text()
    assert text.startswith('"""') and len(text.splitlines()) <= 40 and "\nassert " in re.sub(r"\n +assert ", "\nassert ", text)
    for package in re.findall(r"^(?:from|import) (\w+)", text, re.MULTILINE):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"{package} is not installed")
    environment = {**os.environ, "SALTUS_BROWSER": "", "MPLBACKEND": "Agg"}  # pictures without a browser: quick
    done = subprocess.run([sys.executable, example], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.strip() and (tmp_path / f"{example.stem}.png").stat().st_size > 2000
