"""Mistakes travel from the engine to Python with every part of their text."""

import os
import pickle
import subprocess
import sys
import traceback

import pytest
from commands import saltus as command

import saltus
from saltus import _core
from saltus.errors import Fault, ModelError, Warnings, grouped
from saltus.view.container import unpacked
from saltus.view.report import report_html
from saltus.view.shows import scene

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


def at(path, time, message="its impacts accumulate at t = {} s: from there on it is closed"):
    return Fault(path, message.format(time), "none is needed", severity="warning")


def test_warnings_alike_of_one_item_are_one_line_with_their_number_and_times():
    faults = [at("relations/floor", "0.75"), REDUNDANT, at("relations/floor", "0.5"), at("relations/floor", "1.25e2")]
    first, other = grouped(faults)
    assert first.text == "relations/floor: its impacts accumulate at t = 0.75 s: from there on it is closed; none is needed; 3 warnings alike, from t = 0.5 s to t = 1.25e2 s"
    assert other is REDUNDANT
    kept = Warnings(faults)
    assert len(kept) == 4 and len(str(kept).splitlines()) == 2 and str(Warnings()) == "no warnings"


def test_warnings_alike_of_few_items_are_shown_each_and_of_many_as_one():
    few = [at(f"relations/{name}", time) for name in "abc" for time in ("1", "2")]
    assert [(fault.path, fault.text.rpartition("; ")[2]) for fault in grouped(few)] == [(f"relations/{name}", "2 warnings alike, from t = 1 s to t = 2 s") for name in "abc"]
    (one,) = grouped([*few, at("relations/d", "3"), at("relations/e", "4")])
    assert one.path == "relations/a" and one.text.endswith("8 warnings alike of a, b, c and 2 more, from t = 1 s to t = 4 s")
    assert grouped([Fault(f"bodies/b{i}", "is heavy") for i in range(4)])[0].text == "bodies/b0: is heavy; 4 warnings alike of b0, b1, b2 and 1 more"


def test_what_differs_in_more_than_numbers_is_not_put_together():
    faults = [Fault("bodies/a", "is redundant about z"), Fault("bodies/a", "is redundant about x"), Fault("bodies/a", "is redundant about z", "drop 'a'"), Fault("joints/a", "is redundant about z"),
              Fault("bodies/a", "is redundant about z", severity="warning"), Fault("bodies/c", "meets 'b1'"), Fault("bodies/c", "meets 'b2'")]  # fmt: skip
    assert grouped(faults) == faults


def test_a_run_shows_its_warnings_alike_once(tmp_path):
    m = saltus.Model()
    balls = [m.sphere(radius=0.1, mass=1, at=(0.3 * i, 0, 0.2 + 0.1 * i)) for i in range(3)]
    m.contact(m.plane(), balls, restitution=0.4, name="floor")
    with pytest.warns(saltus.ModelWarning, match="accumulate") as told:
        result = m.simulate(2.0, scheme="event_driven")
    alike = [fault for fault in result.warnings if "accumulate" in fault.message]
    assert len(alike) == 3 and sum("accumulate" in str(one.message) for one in told) == 1
    result.save(tmp_path / "balls.saltus")
    again = saltus.load_result(tmp_path / "balls.saltus")
    assert list(again.warnings) == list(result.warnings)
    for text in (str(result.report), str(again.warnings), command("info", tmp_path / "balls.saltus").out, report_html(result, title="balls")):
        assert text.count("accumulate at") == 1 and "3 warnings alike, from t = " in text
    head, _ = unpacked(scene(result))
    assert sum("accumulate" in text for text in head["report"]["warnings"]) == 1
