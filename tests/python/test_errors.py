"""Mistakes travel from the engine to Python with every part of their text."""

import os
import pickle
import subprocess
import sys

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
    told = subprocess.run([sys.executable, script], capture_output=True, text=True).stderr
    frames = [line for line in told.splitlines() if line.startswith("  File")]
    assert "line 3" in frames[0] and len(frames) <= 2 and "radius" in told.splitlines()[-1]
    told = subprocess.run([sys.executable, script], capture_output=True, text=True, env={**os.environ, "SALTUS_FULL_TRACEBACKS": "1"}).stderr
    assert len([line for line in told.splitlines() if line.startswith("  File")]) > 2


def test_a_model_says_what_it_holds():
    m = saltus.Model()
    assert repr(m) == "<model of 0 items>"
    ball = m.sphere(radius=0.1, mass=1)
    m.contact(m.plane(), ball)
    assert repr(m) == "<model of 3 items: 1 body, 1 marker, 1 relation>"
