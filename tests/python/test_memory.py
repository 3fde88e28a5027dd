"""What does not fit in memory is refused before it is taken, or ends the run with what was kept; never a bare allocation error."""

import subprocess
import sys

import numpy as np
import pytest

import saltus as sl
from saltus import _core, running
from saltus.result import RunError
from saltus.result_file import load_result


def swing():
    m = sl.Model()
    mass = m.point_mass(mass=1, at=(1, 0, 0), name="mass")
    m.spring(m.ground, mass, stiffness=10)
    return m


@pytest.mark.parametrize("options", [
    {"until": 1.0, "record": 1e-12},
    {"until": 1e300, "record": 1e-3},
    {"until": 1e300, "step": 1e287, "record": 1e-12},  # states follow the longer of both: 1e13 of them
    {"until": 1e13, "step": 1.0},
])
def test_a_record_that_cannot_fit_is_refused_by_count_before_the_start(options):
    with pytest.raises(sl.ModelError) as error:
        swing().simulate(**options)
    fault = error.value.faults[0]
    assert fault.path in ("simulation/record/interval", "simulation/step")
    assert "states of" in fault.message and "may be taken of the memory that is free" in fault.message
    assert "record less often" in fault.remedy


def test_the_count_is_that_of_the_states_which_a_run_records(monkeypatch):
    m = swing()
    result = m.simulate(1.0, step=0.01)
    sizes = m._engine.compile().sizes()
    taken = sum(values.nbytes for values in result._recorded.arrays.values())
    assert len(result.time) * running.row_bytes(sizes) == taken
    # So refused from one state above what is free on.
    running.check_record(sizes, 1.0, 0.01, None, 100 * running.row_bytes(sizes) / running.RECORD_SHARE * (1 + 1e-9))
    with pytest.raises(sl.ModelError, match="100 states"):
        running.check_record(sizes, 1.0, 0.01, None, 99 * running.row_bytes(sizes) / running.RECORD_SHARE)
    with pytest.raises(sl.ModelError, match="50 states"):
        running.check_record(sizes, 1.0, 0.01, 0.02, 0.0)


def test_a_run_whose_record_grows_beyond_the_memory_ends_with_what_was_kept(monkeypatch, tmp_path):
    sizes = swing()._engine.compile().sizes()
    room = 3000 * running.row_bytes(sizes)
    monkeypatch.setattr(_core, "available_memory", lambda: room / running.RECORD_SHARE)
    m = swing()
    with pytest.raises(RunError) as error:
        m.simulate(1e6, record=tmp_path / "run.saltus")  # no fixed step: the states are not known before
    result = error.value.result
    assert "the record holds" in str(error.value) and "record less often" in str(error.value)
    assert len(result.time) >= 3000 and result.time[-1] < 1e6
    assert np.all(np.isfinite(result[m["mass"].position.x])) and result.report["status"] == "failed"
    np.testing.assert_array_equal(load_result(tmp_path / "run.saltus").time, result.time)


def test_memory_that_runs_out_while_states_are_taken_ends_the_run_with_those_before(monkeypatch):
    class Full(list):
        def append(self, values):
            if len(self) == 3:
                raise MemoryError
            super().append(values)

    monkeypatch.setattr(running, "_parts", lambda: {name: Full() if name == "lam" else [] for name in running.COLUMNS})
    monkeypatch.setattr(running, "PROGRESS", 0.0)  # every step is handed over
    with pytest.raises(RunError) as error:
        swing().simulate(1.0, step=0.01)
    result = error.value.result
    assert "the memory ran out" in str(error.value) and "bad_alloc" not in str(error.value)
    arrays = result._recorded.arrays
    assert len(result.time) > 0 and len({len(values) for values in arrays.values()}) == 1


LIMITED = """
import json, resource, sys, pathlib
import saltus as sl
from saltus.result import RunError
from saltus.result_file import load_result
side, scheme, free = int(sys.argv[1]), sys.argv[2], float(sys.argv[3])
points = {(i, j, k): f"p{i}_{j}_{k}" for i in range(side) for j in range(side) for k in range(side)}
model = {"saltus": 1, "nodes": {}, "bodies": {}, "connectors": {}}
for (i, j, k), name in points.items():
    model["nodes"]["n" + name] = {"type": "node_point", "position": [i, j, k]}
    model["bodies"][name] = {"type": "point_mass", "node": "n" + name, "mass": 1.0}
    for near in ((i + 1, j, k), (i, j + 1, k), (i, j, k + 1)):
        if near in points:
            model["connectors"][name + points[near]] = {"type": "spring_damper", "A": name, "B": points[near], "stiffness": 100, "rest_length": 1}
m = sl.Model.parse(json.dumps(model))
m.check()
size = int(pathlib.Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (size + int(free), -1))
try:
    m.simulate(0.01, step=1e-3, scheme=scheme)
    print("done")
except RunError as error:
    print("RunError", len(error.result.time), error)
except sl.ModelError as error:
    print("ModelError", error)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits of the address space are Linux'")
def test_a_factor_that_does_not_fit_is_named_with_its_size_before_it_is_taken():
    done = subprocess.run([sys.executable, "-c", LIMITED, "22", "generalized_alpha", "150e6"], capture_output=True, text=True)
    assert done.stdout.startswith("RunError"), done.stdout + done.stderr
    assert "31944 unknowns" in done.stdout and "entries and needs" in done.stdout and "are free" in done.stdout
    assert "bad_alloc" not in done.stdout + done.stderr
