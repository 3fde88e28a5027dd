"""Model files with faults, through `saltus check` and `saltus run`: none crashes, hangs or is taken in silence."""

import json
import time
from pathlib import Path

import numpy as np
import pytest
from commands import PENDULUM, saltus, written

from saltus.store import ResultReader

TABLE = json.loads((Path(__file__).resolve().parent.parent / "bad_inputs/cases.json").read_text())
SECONDS = 5.0  # of this process' time, a case; the file cases hold up to ten million values
# Cases that the table's comments leave to what exists: the words of this build.
WORDS = {
    "051_zero_mass_free": ["bodies/b1/mass: is 0 kg, must be above 0"],
    "052_non_psd_inertia": ["principal moments of inertia -0.39999", "none may be negative"],
    "055_triangle_rotated": ["principal moments of inertia -0.63", "none may be negative"],
    "064_redundant_constraints": ["rank deficiency 5", "redundant", "not unique"],
    "066_inconsistent_initial_velocity": ["initial velocities violate the constraints", "'j1': 1"],
    "078_force_not_finite": ["loads/push is not finite"],
}
# The table's words in this catalogue: a body stands on a node, which has the velocity; columns before stay.
CATALOGUE = [
    ('"velocity": [1, 0, 0], "inertia"', '"node": {"type": "node_rigid", "velocity": [1, 0, 0]}, "inertia"'),
    ('1.0, "inertia"', '1.0, "node": {"type": "node_rigid"}, "inertia"'),
    ('0.0, "inertia"', '0.0, "node": {"type": "node_rigid"}, "inertia"'),
    ('"type": "contact"', '"type": "plane_gap"'),
]


def text_of(case: dict) -> bytes:
    out = bytes.fromhex(case.get("hex_prefix", ""))
    if "text" in case:
        return out + case["text"].encode()
    if "hex" in case:
        return out + bytes.fromhex(case["hex"])
    if "parts" in case:
        for piece, count in case["parts"]:
            before, hash, after = piece.partition("#")
            out += "".join(f"{before}{i}{after}" for i in range(count)).encode() if hash else piece.encode() * count
        return out
    text = TABLE["base"]
    for old, new in case.get("replace", []):
        assert old in text, old
        text = text.replace(old, new)
    for old, new in CATALOGUE:
        text = text.replace(old, new)
    return out + text.encode("utf-8", "surrogatepass")


@pytest.mark.parametrize("case", TABLE["cases"], ids=lambda case: case["name"])
def test_a_case_of_the_table_gets_its_verdict(case, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "model.json"
    path.write_bytes(text_of(case))
    before = time.process_time()
    checked = saltus("check", path)
    run = saltus("run", path, "--json")
    assert time.process_time() - before < 2 * SECONDS
    report = run.json
    said = "\n".join([checked.err, *report["messages"]])
    assert "Traceback" not in said
    assert checked.code in (0, 2) and run.code in (0, 2, 3)
    assert report["status"] == {0: "done", 2: "model_error", 3: "failed"}[run.code]
    verdict, stage = case["verdict"], case["stage"]
    if verdict == "refuse":
        assert run.code in ((2, 3) if stage == "engine" else (2,)), said
        assert stage == "engine" or checked.code == 2
    elif verdict == "warn":
        assert checked.code == 0 and run.code == 0 and said.strip(), said
    elif verdict == "accept" and case["name"] != "069_restitution_two":
        assert checked.code == 0 and run.code == 0, said
    for words in WORDS.get(case["name"], case["expect"] if stage != "engine" else []):
        assert words in said, said
    written_now = {entry.name for entry in tmp_path.iterdir()}
    assert written_now <= {"model.json", "model.saltus"}, "a model file wrote elsewhere"
    if case["name"] == "078_force_not_finite":
        assert run.code == 3 and 0.49 < report["time"] <= 0.5
        with ResultReader("model.saltus") as result:
            assert len(result.time()) > 490 and np.isfinite(result["y"]).all()


def test_a_point_without_mass_is_refused_before_the_run_with_its_coordinates(tmp_path):
    model = {"saltus": 1, "nodes": {"tip": {"type": "node_point", "position": [1, 0, 0]}}, "simulation": {"until": 1.0}}
    path = tmp_path / "model.json"
    path.write_text(json.dumps(model))
    for command in ("check", "run"):
        done = saltus(command, path)
        assert done.code == 2 and "nodes/tip: can move but has no mass: velocities 0, 1, 2" in done.err, done


@pytest.mark.parametrize("gravity, idle", [([0, -9.81, 0], True), ([0, 0, -9.81], False), ([0, 0, 0], False)])
def test_gravity_that_does_no_work_is_reported(tmp_path, gravity, idle):
    done = saltus("check", written(tmp_path, {**PENDULUM, "gravity": gravity}))  # turns about y
    assert done.code == 0 and ("does no work" in done.err) == idle, done.err


def test_gravity_on_a_pendulum_that_hangs_at_rest_is_not_reported(tmp_path):
    hanging = json.loads(json.dumps(PENDULUM))
    hanging["bodies"]["rod"]["node"]["position"] = [0, 0, "-L/2"]
    done = saltus("check", written(tmp_path, hanging))
    assert done.code == 0 and done.err == ""


def test_a_velocity_that_a_joint_forbids_is_projected_and_reported(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    moving = json.loads(json.dumps(PENDULUM))
    moving["bodies"]["rod"]["node"]["velocity"] = [1, 0, 0]  # along the rod: away from the pin
    done = saltus("run", written(tmp_path, moving), "--json")
    assert done.code == 0 and any("initial velocities were changed" in message for message in done.json["messages"])
    with ResultReader("model.saltus") as result:
        assert np.abs(result["y"][0, 7:13]).max() < 1e-12


def test_the_same_joint_twice_runs_like_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    twice = {**PENDULUM, "joints": {**PENDULUM["joints"], "spare": PENDULUM["joints"]["pin"]}}
    one, two = saltus("run", written(tmp_path, PENDULUM), "--json").json, saltus("run", written(tmp_path, twice), "--json").json
    assert any("spare" in message and "rank deficiency 5" in message for message in two["messages"])
    assert two["outputs"]["height"] == pytest.approx(one["outputs"]["height"], abs=1e-9)
