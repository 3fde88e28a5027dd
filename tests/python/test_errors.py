"""Mistakes travel from the engine to Python with every part of their text."""

import os
import pickle
import subprocess
import sys
import traceback

import pytest

import saltus
from saltus import _core
from saltus.errors import Fault, ModelError

NEGATIVE = Fault("connectors/strut/stiffness", "is -40 N/m, must be at least 0", "use `preload`", "rig.json", 14, 31)
REDUNDANT = Fault("joints/pin", "is redundant about z", severity="warning")


def test_the_engine_raises_all_faults_with_their_places():
    with pytest.raises(saltus.ModelError) as caught:
        _core.raise_faults([NEGATIVE, REDUNDANT])
    assert caught.value.faults == [NEGATIVE, REDUNDANT]
    assert str(caught.value).splitlines()[1].startswith("warning: joints/pin")


def test_warnings_alone_raise_nothing():
    _core.raise_faults([REDUNDANT])


@pytest.mark.parametrize("fault", [NEGATIVE, REDUNDANT, Fault("", "broken", file="a.json"), Fault("a/b", "m", "r")])
def test_a_fault_reads_the_same_from_python_and_from_the_engine(fault):
    assert fault.text == _core.fault_text(fault)


def test_a_model_error_crosses_to_another_process():
    assert pickle.loads(pickle.dumps(ModelError([NEGATIVE]))).faults == [NEGATIVE]


def test_importing_the_package_loads_neither_numpy_nor_the_engine():
    program = "import saltus, sys; print([m for m in ('numpy', 'saltus._core', 'sqlite3') if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_a_traceback_of_a_mistake_shows_the_line_of_the_program_and_hardly_the_package(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("import saltus as sl\nm = sl.Model()\nball = m.sphere(radius=-1, mass=1)\n")
    printed = subprocess.run([sys.executable, script], capture_output=True, text=True).stderr
    frames = [line for line in printed.splitlines() if line.startswith("  File")]
    assert "line 3" in frames[0] and len(frames) <= 2 and "radius" in printed.splitlines()[-1]
    printed = subprocess.run([sys.executable, script], capture_output=True, text=True, env={**os.environ, "SALTUS_FULL_TRACEBACKS": "1"}).stderr
    assert len([line for line in printed.splitlines() if line.startswith("  File")]) > 2


BALL = "import saltus as sl\nm = sl.Model()\nball = m.sphere(radius=0.1, mass=1, name='ball')\n"
MISTAKES = {
    "ball.mass = -1": "mass",
    "m.gravty = 1": "gravity",
    "m['bal']": "ball",
    "m.simulate(0.1)['bal.position']": "ball",
    "m.simulate(0.1).at(7)": "7 s",
    "m.simulate(0.1).plot('bal.position')": "ball",
    "m.simulate(0.1).compare(3)": "is 3, expected a result",
    "m.simulate(0.1).export('x.nothing')": "format",
    "m.linearize(at='nowhere')": "nowhere",
    "m.static()": "static",
    "sl.Model.load('nothing.json')": "nothing.json",
    "sl.load_result('nothing.saltus')": "nothing.saltus",
    "sl.items.SpringDamper(A='ground')": "B",
    "sl.MoreauJean(thta=1)": "theta",
    "sl.Section.circle(radius=-1, E=1)": "radius",
    "sl.Rotation.of_vector((1, 2))": "vector",
    "m.include('nothing.json', name='a')": "nothing.json",
}


@pytest.mark.parametrize("line", MISTAKES)
def test_any_mistake_comes_up_at_the_line_of_the_program(line, tmp_path, monkeypatch):
    monkeypatch.delenv("SALTUS_FULL_TRACEBACKS", raising=False)
    with pytest.raises((ModelError, saltus.RunError)) as caught:
        exec(compile(BALL + line, "program.py", "exec"), {})
    steps = traceback.extract_tb(caught.value.__traceback__)
    ours = [step for step in steps if "/saltus/" in step.filename]
    assert [step.lineno for step in steps if step.filename == "program.py"] == [4] and len(ours) == 1
    assert MISTAKES[line] in str(caught.value) and caught.value.__suppress_context__


def test_an_error_of_the_program_s_own_function_names_its_line():
    program = BALL + "def wind(t):\n    k = 0\n    return (0, 0, 1 / k)\nm.force(ball, wind)\nm.simulate(0.1)\n"
    with pytest.raises(ModelError, match=r"the function raised ZeroDivisionError: division by zero in wind \(program.py:6\); call it yourself"):
        exec(compile(program, "program.py", "exec"), {})
    far = BALL + "import numpy as np\nm.force(ball, lambda t: np.linalg.inv(np.zeros((2, 2))))\nm.simulate(0.1)\n"
    with pytest.raises(ModelError, match=r"LinAlgError.* in <lambda> \(program.py:5\)"):
        exec(compile(far, "program.py", "exec"), {})


def test_a_warning_of_a_run_is_at_the_line_of_the_program(tmp_path):
    (tmp_path / "program.py").write_text(BALL + "ball.name\nm.contact(m.plane(), ball)\nm.point_mass(mass=1)\nm.simulate(0.2, step=0.1)\n")
    printed = subprocess.run([sys.executable, "-W", "always", "program.py"], cwd=tmp_path, capture_output=True, text=True).stderr
    assert all(line.startswith(("program.py:7:", "  ")) or "/program.py:7:" in line for line in printed.splitlines()), printed


def test_handles_and_results_say_what_they_hold():
    m = saltus.Model()
    m.parameters = {"k": 3.0}
    ball = m.sphere(radius=0.1, mass=1, at=(0, 0, 1), name="ball")
    spring = m.spring(m.ground, ball, stiffness="k", name="coil")
    m.outputs = {"height": ball.position.z, "x": ball.position.x}
    assert repr(ball) == "<body ball: sphere(radius=0.1, mass=1, at=(0, 0, 1))>"
    assert repr(spring) == "<connector coil: spring(A=ground, B=ball, stiffness='k')>"
    assert repr(m) == "<model of 2 items: 1 body, 1 connector; 1 parameter, 2 outputs>"
    pushed = m.force(ball, lambda t: (0, 0, t), name="push")
    assert repr(pushed) == "<load push: force(on=ball, force=<lambda>)>"
    ball.mass = 2
    assert "mass=2" in repr(ball)
    result = m.simulate(0.1)
    assert repr(result).startswith(f"<result of {result.scheme}: {len(result)} states to t = 0.1 s, done; model of 3 items")
    rod = saltus.Model.parse('{"saltus": 1, "bodies": {"p": {"type": "point_mass", "mass": 2, "node": {"type": "node_point"}}}}')["p"]
    assert "point_mass(mass=2" in repr(rod)
    many = m.hull([[float(i), i**2, i**3] for i in range(9)], mass=1, name="hull")
    assert len(repr(many)) < 160


def test_a_model_says_what_it_holds():
    m = saltus.Model()
    assert repr(m) == "<model of 0 items>"
    ball = m.sphere(radius=0.1, mass=1)
    m.contact(m.plane(), ball)
    assert repr(m) == "<model of 3 items: 1 body, 1 marker, 1 relation>"
