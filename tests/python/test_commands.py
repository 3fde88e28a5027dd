"""What the commands print and return: `saltus run`, check, info, items, schema, export, gallery."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from commands import PENDULUM, saltus, written

from saltus import _core, gallery, running
from saltus.store import ResultReader

KEYS = {"status", "time", "steps", "rejected", "wall_s", "scheme", "residual", "energy", "outputs", "messages"}
SLOW = {"until": 1e4, "step": 0.001, "record": {"interval": 1.0}}  # minutes of work, little to keep


@pytest.fixture
def pendulum(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return written(tmp_path, PENDULUM)


def test_a_run_reports_what_it_did_and_writes_its_result(pendulum):
    done = saltus("run", pendulum, "--json")
    report = done.json
    assert done.code == 0, done.err
    assert report.keys() == KEYS and report["residual"].keys() == {"equations", "constraints", "laws"}
    assert report["status"] == "done" and report["time"] == pytest.approx(0.2, abs=1e-12) and report["steps"] == 200
    assert abs(report["energy"]["change"]) < 1e-4 * 3 * 9.81 * 0.5
    assert 0 <= report["residual"]["equations"] < 1e-6 and 0 < report["residual"]["constraints"] < 1e-6
    # It falls from the horizontal: angle alpha t^2 / 2, alpha = m g l / (J + m l^2), l = L / 2; the rest is below 1 %.
    assert report["outputs"]["height"] == pytest.approx(-0.5 * (0.5 * 3 * 9.81 * 0.5 / 1.75 * 0.2**2), rel=1e-2)
    assert len(report["outputs"]["speed"]) == 3
    with ResultReader("model.saltus") as result:
        assert result.finished and result.status == "done" and len(result.time()) == 201
        assert json.loads(result.model)["bodies"]["rod"]["mass"] == 3


def test_options_of_the_command_stand_above_those_of_the_file(pendulum, tmp_path):
    done = saltus("run", pendulum, "--set", "L=2", "--until", "0.1", "--step", "0.01", "--scheme", "moreau_jean", "--threads", "2",
                  "--tolerance", "1e-5", "--output", tmp_path / "deep.saltus", "--plot", "--json")
    assert done.code == 0, done.err
    assert done.json["steps"] == 10 and done.json["scheme"] == "moreau_jean"
    assert (tmp_path / "deep.png").stat().st_size > 1000
    with ResultReader(tmp_path / "deep.saltus") as result:
        assert result["y"][0, 0] == 1.0  # L / 2


def test_the_summary_for_people_names_everything(pendulum):
    done = saltus("run", pendulum)
    assert done.code == 0
    for word in ("status    done", "200 (0 rejected)", "equations", "constraints", "laws", "energy", "height", "result    model.saltus"):
        assert word in done.out


@pytest.mark.parametrize("arguments, words", [
    (["--set", "K=2"], "K"),
    (["--set", "L"], "L"),
    (["--until", "-1"], "simulation/until: is -1"),
    (["--until", "nan"], "simulation/until: is nan"),
    (["--step", "0"], "simulation/step: is 0"),
    (["--tolerance", "inf"], "simulation/tolerance"),
    (["--threads", "0"], "simulation/threads: is 0"),
    (["--scheme", "magic"], "'magic' is not a scheme; use auto, "),
    (["--output", "no/such/folder/x.saltus"], "no/such/folder"),
])
def test_a_wrong_option_is_a_model_error_that_says_what_it_must_be(pendulum, arguments, words):
    plain = saltus("run", pendulum, *arguments)
    assert plain.code == 2 and words in plain.err, plain
    refused = saltus("run", pendulum, *arguments, "--json")
    assert refused.code == 2 and refused.json["status"] == "model_error" and refused.json.keys() >= KEYS - {"scheme"}
    assert any(words in message for message in refused.json["messages"])


@pytest.mark.parametrize("scheme", _core.schemes())
@pytest.mark.parametrize("value", [1, "x"])
def test_an_unknown_option_of_a_scheme_is_refused_with_what_there_is(pendulum, tmp_path, scheme, value):
    path = written(tmp_path, PENDULUM, scheme={"name": scheme, "no_such_option": value})
    done = saltus("run", path)
    assert done.code == 2 and "no_such_option" in done.err, done


def test_all_mistakes_come_at_once_with_their_places(tmp_path):
    text = json.dumps(PENDULUM, indent=1).replace('"mass": 3', '"mas": 3').replace('"B": "rod"', '"B": "rodd"').replace('"until"', '"untill"')
    path = tmp_path / "rig.json"
    path.write_text(text)
    line = 1 + text[: text.index('"mas"')].count("\n")
    for command in ("check", "run"):
        done = saltus(command, path)
        assert done.code == 2
        lines = done.err.splitlines()
        assert any(entry.startswith(f"{path}:{line}:") and 'bodies/rod/mas: unknown key "mas"; did you mean "mass"?' in entry for entry in lines)
        assert any('unknown key "untill"' in entry for entry in lines)
        assert any("joints/pin/B" in entry and 'did you mean "rod"?' in entry for entry in lines)


def test_a_file_that_is_not_there_is_a_model_error(tmp_path):
    for command in ("run", "check", "info"):
        done = saltus(command, tmp_path / "none.json")
        assert done.code == 2 and "none.json" in done.err


def test_a_force_that_is_not_finite_stops_the_run_and_is_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    model = {**PENDULUM, "loads": {"push": {"type": "force", "on": "rod", "force": ["1/(t-0.1)", 0, 0]}}}
    done = saltus("run", written(tmp_path, model), "--json")
    assert done.code == 3 and done.json["status"] == "failed"
    assert done.json["time"] <= 0.1 and "loads/push is not finite" in done.json["messages"][0]
    with ResultReader("model.saltus") as result:
        assert result.status == "failed" and 90 < len(result.time()) and result.end_time <= 0.1
        assert np.isfinite(result["y"]).all()
    assert saltus("export", "model.saltus", "model.csv").code == 0


def python_force(function):
    """The pendulum with a load from a function of Python."""
    model = _core.Model.parse(json.dumps(PENDULUM))
    model.add("loads", "force", "push", {"on": "rod", "force": function})
    return model


def test_a_python_function_that_raises_ends_the_run_with_its_message(tmp_path):
    def force(*inputs):
        if inputs[0] > 0.1:
            raise ValueError("the table ends at 0.1 s")
        return (0.0, 0.0, 0.0)

    recorded = running.run(python_force(force), output=tmp_path / "r.saltus")
    assert recorded.status == "failed" and "ValueError: the table ends at 0.1 s" in recorded.report["cause"]
    assert 0.09 < recorded.report["t"] <= 0.1 and len(recorded.arrays["t"]) == recorded.report["steps"] + 1
    with ResultReader(tmp_path / "r.saltus") as result:
        assert result.finished and result.status == "failed" and len(result.time()) == len(recorded.arrays["t"])
    summary = running.summary(recorded, {})
    assert summary["status"] == "failed" and summary["steps"] == recorded.report["steps"]


def test_ctrl_c_within_a_python_function_interrupts_and_keeps_the_results(tmp_path):
    def force(*inputs):
        if inputs[0] > 0.1:
            os.kill(os.getpid(), signal.SIGINT)
        return (0.0, 0.0, 0.0)

    recorded = running.run(python_force(force), running.Options(until=1e3), output=tmp_path / "r.saltus")
    assert recorded.status == "interrupted" and recorded.report["t"] >= 0.1
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    with ResultReader(tmp_path / "r.saltus") as result:
        assert result.status == "interrupted" and result.end_time >= 0.09


def started(path, *arguments):
    """`saltus run` in a process of its own, when its result has its first states."""
    process = subprocess.Popen([sys.executable, "-m", "saltus", "run", str(path), *arguments], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, cwd=path.parent,
                               env={**os.environ, "PYTHONPATH": str(Path(running.__file__).resolve().parent.parent)})
    end = time.monotonic() + 120
    while time.monotonic() < end:
        assert process.poll() is None, process.communicate()
        try:
            with ResultReader(path.with_suffix(".saltus")) as result:
                if result.series["main"] > 1:
                    return process
        except Exception:
            pass
        time.sleep(0.05)
    process.kill()
    raise AssertionError("the run wrote nothing")


def test_ctrl_c_ends_a_run_with_130_and_a_readable_result(tmp_path):
    process = started(written(tmp_path, PENDULUM, **SLOW), "--json")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    report = json.loads(out)
    assert process.returncode == 130 and report["status"] == "interrupted" and report.keys() == KEYS, err
    with ResultReader(tmp_path / "model.saltus") as result:
        result.verify()
        assert result.finished and result.status == "interrupted" and 0 < result.end_time <= report["time"]
        assert result.checkpoint() is not None


def test_a_killed_run_leaves_all_but_its_last_second(tmp_path):
    """The thread of the writer commits while the engine runs: its age says what a kill can lose."""
    path = written(tmp_path, PENDULUM, **{**SLOW, "record": {"interval": 0.01}})
    for kill in range(5):
        process = started(path)
        time.sleep(0.3 * kill)
        process.kill()
        process.wait()
        with ResultReader(tmp_path / "model.saltus") as result:
            result.verify()
            assert not result.finished and result.status == "running"
            assert result.end_time == result.time()[-1] and np.isfinite(result["y"]).all()
        assert saltus("export", tmp_path / "model.saltus", tmp_path / "cut.h5").code == 0
        for file in tmp_path.glob("model.saltus*"):
            file.unlink()


def test_a_run_commits_while_it_runs(tmp_path):
    process = started(written(tmp_path, PENDULUM, **{**SLOW, "record": {"interval": 0.01}}))
    try:
        ends = []
        for _ in range(12):
            with ResultReader(tmp_path / "model.saltus") as result:
                ends.append(result.end_time)
            time.sleep(0.25)
        assert len(set(ends)) > 3, ends
    finally:
        process.kill()
        process.wait()


def test_recording_at_an_interval_keeps_its_multiples_and_the_end(pendulum, tmp_path):
    saltus("run", written(tmp_path, PENDULUM, record={"interval": 0.03}))
    with ResultReader("model.saltus") as result:
        np.testing.assert_allclose(result.time(), [0, 0.03, 0.06, 0.09, 0.12, 0.15, 0.18, 0.2], atol=1e-12)


def test_a_stop_condition_ends_the_run_where_it_first_holds(pendulum, tmp_path):
    done = saltus("run", written(tmp_path, PENDULUM, stop="height < -0.05*L and t > 0.01"), "--json")
    assert done.code == 0 and done.json["status"] == "done" and 0.1 < done.json["time"] < 0.2
    with ResultReader("model.saltus") as result:
        height = result["y"][:, 2]
        assert height[-1] < -0.05 <= height[-2] and result.end_time == done.json["time"]


@pytest.mark.parametrize("condition, words", [("heigt < 0", "heigt"), ("height <", "simulation/stop"), ("speed > 1", "3 components")])
def test_a_wrong_stop_condition_is_a_model_error(pendulum, tmp_path, condition, words):
    done = saltus("run", written(tmp_path, PENDULUM, stop=condition))
    assert done.code == 2 and words in done.err


def test_check_says_that_a_good_model_can_be_run(pendulum):
    done = saltus("check", pendulum)
    assert done.code == 0 and "can be run" in done.out and done.err == ""


def test_info_counts_coordinates_rows_and_entries(pendulum):
    done = saltus("info", pendulum, "--json")
    sizes = done.json["sizes"]
    assert (sizes["nq"], sizes["nv"], sizes["nx"], sizes["nz"], sizes["rows"]) == (7, 6, 0, 0, 5)
    assert 0 < done.json["filled"] <= 1
    plain = saltus("info", pendulum).out
    assert "nq 7  nv 6  nx 0  nz 0  rows 5" in plain and "% filled" in plain


def test_info_of_a_result_says_what_it_holds_and_a_result_is_no_model(pendulum, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    saltus("run", pendulum, "--until", "0.1", "--output", "run.saltus")
    done = saltus("info", "run.saltus")
    assert done.code == 0 and "<result of" in done.out and "nq 7" in done.out
    run = saltus("info", "run.saltus", "--json").json["run"]
    assert run["t"] == pytest.approx(0.1) and run["status"] == "done" and run["states"] > 1
    for command in ("check", "run"):
        refused = saltus(command, "run.saltus")
        assert refused.code == 2 and "run.saltus is a result, not a model; saltus info run.saltus says what it holds" in refused.err
    assert saltus("run", "-h").code == 0


def test_info_lists_the_items_of_every_model_of_the_gallery():
    for name in gallery.names():
        if (file := gallery.FOLDER / f"{name}.json").exists():
            done = saltus("info", file, "--json")
            assert done.code == 0 and {item["section"] for item in done.json["items"]} >= {"nodes", "bodies"} - ({"bodies"} if "diode" in name else set())


def test_items_are_listed_with_all_that_is_said_of_their_fields():
    listed = saltus("items", "--json").json
    assert {"rigid_body", "revolute", "spring_damper"} <= {entry["name"] for entry in listed}
    for entry in listed:
        assert {"name", "family", "doc", "fields"} <= entry.keys() and entry["doc"]
        for field in entry["fields"]:
            assert {"name", "unit", "doc", "default", "range"} <= field.keys() and field["doc"], (entry["name"], field)
    assert "rigid_body" in saltus("items").out


def test_the_schema_is_one_and_takes_the_gallery():
    import jsonschema
    schema = saltus("schema").json
    assert schema["$schema"].startswith("https://json-schema.org/draft/2020-12")
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    from saltus import gallery

    for file in gallery.FOLDER.glob("*.json"):
        if not file.name.endswith((".truth.json", ".shapes.json")):
            assert [e.message for e in validator.iter_errors(json.loads(file.read_text()))] == [], file.name
    wrong = json.loads(json.dumps(PENDULUM))
    wrong["bodies"]["rod"]["mas"] = 1
    assert list(validator.iter_errors(wrong))


@pytest.mark.parametrize("ending", ["h5", "csv"])
def test_a_result_is_exported(pendulum, tmp_path, ending):
    saltus("run", pendulum)
    done = saltus("export", "model.saltus", tmp_path / f"out.{ending}")
    assert done.code == 0 and (tmp_path / f"out.{ending}").stat().st_size > 1000
    if ending == "h5":
        h5py = pytest.importorskip("h5py")
        with h5py.File(tmp_path / "out.h5") as file, ResultReader("model.saltus") as result:
            found = []
            file.visititems(lambda name, node: found.append(node[()]) if name.endswith("y") and hasattr(node, "shape") else None)
            assert any(np.array_equal(values, result["y"]) for values in found)


def test_an_export_to_an_unknown_format_or_from_no_result_is_refused(pendulum, tmp_path):
    saltus("run", pendulum)
    done = saltus("export", "model.saltus", "out.xlsx")
    assert done.code == 2 and "end it with .csv, .json, .parquet" in done.err
    done = saltus("export", pendulum, "out.csv")
    assert done.code == 2 and "model.json" in done.err


def test_the_gallery_reports_a_list_and_fails_where_a_number_is_out(tmp_path, monkeypatch):
    from saltus import gallery

    done = saltus("gallery", "shared_node_chain", "--folder", tmp_path / "g", "--json")
    rows = done.json
    assert done.code == 0 and rows
    assert all(row.keys() == {"model", "quantity", "computed", "truth", "error", "tolerance", "ok", "wall_s"} for row in rows)
    assert (tmp_path / "g/shared_node_chain.saltus").exists() and (tmp_path / "g/shared_node_chain.png").exists()
    monkeypatch.setattr(gallery, "value_of", lambda recorded, check: check["truth"] + 2 * check["tolerance"] * max(1, abs(check["truth"])) + 1)
    done = saltus("gallery", "shared_node_chain", "--folder", tmp_path / "g")
    assert done.code == 1 and "OUT" in done.out
    assert saltus("gallery", "no_such_model").code == 2


def test_a_failed_run_tells_the_masses_and_the_step_as_the_program_does(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    spring = {"saltus": 1, "nodes": {"n": {"type": "node_1d", "coordinate": 0.1}}, "bodies": {"m": {"type": "mass_1d", "node": "n", "mass": 1e-9},
              "n2": {"type": "mass_1d", "node": {"type": "node_1d"}, "mass": 1e6}},
              "connectors": {"s": {"type": "coordinate_spring_damper", "A": "ground", "B": "n", "stiffness": 1e9}}, "simulation": {"until": 1}}
    done = saltus("run", written(tmp_path, spring), "--step", "0.01", "--scheme", "runge_kutta_4", "--until", "1")
    assert done.code == 3
    assert "the masses differ by 1e+15, from 1e-09 kg (m) to 1e+06 kg (n2)" in done.out and "the fixed step of 0.01 s is too large" in done.out


def test_the_command_says_what_it_lacks(tmp_path):
    """Installed without its dependencies: one line that names them and how to get them."""
    code = "import sys; sys.modules['typer'] = None; from saltus.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert "needs typer" in done.stderr and "-m pip install typer" in done.stderr and done.stdout == ""


def test_the_package_names_what_its_command_needs():
    from importlib.metadata import requires

    needed = [line for line in requires("saltus") or [] if "extra" not in line]
    assert {re.match(r"[\w-]+", line)[0] for line in needed} >= {"numpy", "typer", "rich"}


@pytest.mark.parametrize(("text", "message"), [("", "is empty, and no result"), ("hello", "is no result of Saltus")])
def test_a_damaged_result_is_not_taken_for_a_model(tmp_path, text, message):
    (tmp_path / "run.saltus").write_text(text)
    for command in (("info",), ("view", "--png", tmp_path / "a.png"), ("diff", tmp_path / "run.saltus")):
        arguments = (command[0], tmp_path / "run.saltus", *command[1:])
        done = saltus(*arguments)
        assert done.code == 2 and f"run.saltus {message}; run the model again" in done.err, (command, done.err)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["check", "own.py"], 'own.py is a program, not a model file; run it with Python; m.save("own.yaml")'),
        (["fmt", "own.py"], "is a program"),
        (["run", "notes.txt"], "notes.txt is no model file; a model file is JSON or YAML"),
        (["fmt", "r.saltus"], "r.saltus is a result, not a model; saltus info"),
        (["export", "r.saltus", "a.fmu"], "is a result, and a unit of a co-simulation is made of a model; write saltus export MODEL a.fmu"),
        (["export", "r.saltus", "a.csv", "--every", "0"], "--every: is 0 s, must be above 0; leave it out"),
        (["export", "model.json", "a.fmu", "--input", "x"], "export/inputs/x: is not there"),
        (["export", "r.saltus", "a.png"], "'.png' is none; write saltus view r.saltus --png a.png"),
        (["export", "r.saltus", "nowhere/a.csv"], "nowhere is not there; make it first"),
        (["run", "model.json", "--report", "r.pdf"], "a report is HTML; end its name with .html"),
        (["view", "r.saltus", "--html", "r.png"], "a page is HTML; end its name with .html"),
        (["new", "model", "nowhere/a"], "the folder nowhere is not there; make it first"),
        (["gallery", "bouncing_bal"], 'did you mean "bouncing_ball"?'),
        (["solve", "model.json"], "is no readable HDF5 file"),
        (["solve", "nothing.h5"], "nothing.h5 is not there; saltus generate KIND FILE.h5 writes a problem"),
        (["profile", "."], "holds no problem file (*.h5, *.hdf5); saltus generate"),
        (["new"], "model|program"),
    ],
)
def test_a_mistake_is_answered_with_what_to_do(pendulum, tmp_path, arguments, words):
    (tmp_path / "own.py").write_text('"""A program."""\nimport saltus\n')
    (tmp_path / "notes.txt").write_text("hello\n")
    if "r.saltus" in arguments:
        assert saltus("run", pendulum, "--output", "r.saltus").code == 0
    done = saltus(*arguments)
    assert done.code == 2 and words in " ".join(done.err.split()) and "syntax error" not in done.err and "site-packages" not in done.err


def test_items_are_found_by_words_of_their_description():
    def named(words):
        return [line.partition(":")[0] for line in saltus("items", words).out.splitlines() if not line.startswith(" ")]

    assert named("drum rope") == ["markers/sheave", "connectors/rope_spring"]
    found = named("linear spring")  # none has both
    assert {"connectors/spring_damper", "relations/linear_relation"} <= set(found) and all("spring" in name or "linear" in name for name in found)


def test_the_help_shows_whole_sentences():
    commands = saltus("--help").out.partition("Commands:")[2]
    assert "saltus" not in commands and "..." not in commands and "to change into your own" in " ".join(commands.split())
