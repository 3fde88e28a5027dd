"""YAML, models inside models, the usual form of files, and the commands for them."""

import json
import math
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from commands import PENDULUM, saltus, written

import saltus as sl

pytest.importorskip("ruamel.yaml")

ARM = """\
# An arm on a hinge.
saltus: 1
parameters:
  L: 1.0      # m
  m0: 2.0
gravity: [0, 0, -9.81]
bodies:
  rod:
    type: rigid_body
    mass: m0
    inertia: [1.0e-3, m0*L^2/12, m0*L^2/12]
    node: {type: node_rigid, position: [L/2, 0, 0]}
joints:
  pin: {type: revolute, A: ground, B: rod, at: [0, 0, 0], axis: y}
connectors:
  coil:
    type: spring_damper
    A: ground
    B: {body: rod, at: [L, 0, 0]}
    stiffness: 20*L
    rest_length: 0.5
loads:
  push: {type: force, on: rod, force: [0, 0, 3*L]}
outputs:
  height: rod.position.z
  twice: = 2 * rod.position.z
simulation: {until: 0.5, tolerance: 1.0e-9}
"""


@pytest.fixture
def arm(tmp_path):
    path = tmp_path / "arm.yaml"
    path.write_text(ARM)
    return path


def test_a_yaml_model_is_the_json_model(arm, tmp_path):
    m = sl.Model.load(arm)
    m.save(tmp_path / "arm.json")
    again = sl.Model.load(tmp_path / "arm.json")
    m.save(tmp_path / "copy.yaml")
    third = sl.Model.load(tmp_path / "copy.yaml")
    a, b, c = (x.simulate(0.5)["height"] for x in (m, again, third))
    assert np.array_equal(a, b) and np.array_equal(a, c)
    done = saltus("run", arm, "--json", "--set", "L=0.5")
    assert done.code == 0 and done.json["status"] == "done"


def test_mistakes_in_yaml_are_reported_at_their_lines(arm):
    arm.write_text(ARM.replace("mass: m0", "mas: m0").replace("axis: y", "axes: y"))
    done = saltus("check", arm)
    assert done.code == 2 and re.search(r"arm.yaml:10:5 bodies/rod/mas", done.err) and re.search(r"arm.yaml:14:\d+ joints/pin/axes", done.err)
    found = saltus("check", arm, "--json").json
    assert not found["ok"] and {fault["line"] for fault in found["faults"]} >= {10, 14}
    arm.write_text("saltus: 1\nbodies: [\n")
    done = saltus("check", arm)
    assert done.code == 2 and "is no YAML" in done.err and "arm.yaml:3" in done.err
    arm.write_text("- 1\n")
    assert "expected a model" in saltus("check", arm).err


def test_check_prints_one_object_for_editors(tmp_path):
    path = written(tmp_path, PENDULUM)
    assert saltus("check", path, "--json").json == {"file": str(path), "ok": True, "faults": []}
    path.write_text(path.read_text().replace('"mass"', '"mas"'))
    done = saltus("check", path, "--json")
    assert done.code == 2 and done.json["faults"][0]["line"] > 0 and "did you mean" in json.dumps(done.json)


# Models inside models.


TURN = (0.3, -0.7, 1.1)


def twin(arm, position, rotation):
    m = sl.Model(gravity=sl.Rotation.of_vector(rotation).matrix @ (0, 0, -9.81))
    part = m.include(arm, name="left", position=position, rotation=rotation)
    return m, part


@pytest.mark.parametrize("position, rotation", [((0, 0, 0), (0, 0, 0)), ((3, -2, 5), (0, 0, 0)), ((3, -2, 5), TURN), ((1e4, 0, 0), TURN)])
def test_a_model_inside_another_moves_as_it_does_alone(arm, position, rotation):
    """Under gravity that is turned with it, the motion is turned and shifted; numbers such as spring and hinge forces in own axes are the same."""
    alone = sl.Model.load(arm).simulate(0.5, tolerance=1e-10)
    m, part = twin(arm, position, rotation)
    inside = m.simulate(0.5, tolerance=1e-10)
    R = sl.Rotation.of_vector(rotation).matrix
    t = np.linspace(0, 0.5, 20)
    places = alone.at(t)["rod.position"] @ R.T + position
    size = 1e-7 + 1e-12 * np.linalg.norm(position)
    assert inside.at(t)["left_rod.position"] == pytest.approx(np.asarray(places), abs=size)
    assert inside.at(t)["left_pin.angle"] == pytest.approx(np.asarray(alone.at(t)["pin.angle"]), abs=1e-7)
    assert inside.at(t)["left_coil.tension"] == pytest.approx(np.asarray(alone.at(t)["coil.tension"]), abs=1e-5)
    assert inside.at(t)["left_push.force"] == pytest.approx(np.tile(R @ (0, 0, 3.0), (20, 1)), abs=1e-12)
    assert sorted(part) == ["coil", "pin", "push", "rod"] and part["rod"].name == part.rod.name == "left_rod"
    if not np.any(rotation):
        assert inside["left_twice"].last == pytest.approx(alone["twice"].last + 2 * position[2], abs=1e-6)


def test_two_copies_with_parameters_of_their_own_and_of_the_model(arm, tmp_path):
    m = sl.Model()
    m.parameters = {"scale": 0.5}
    left = m.include(arm, name="left", position=(0, 1, 0))
    right = m.include(arm, name="right", position=(0, -1, 0), parameters={"L": "2*scale*0.75", "m0": 4})
    m.spring(left.rod, right.rod, stiffness=5, rest_length=2)
    result = m.simulate(0.3)
    assert result["left_rod.position.x"][0] == 0.5 and result["right_rod.position.x"][0] == pytest.approx(0.375)
    assert m.parameters["right_L"] == "2*scale*0.75" and m.parameters["left_L"] == 1.0
    m.save(tmp_path / "both.json")
    assert np.array_equal(sl.Model.load(tmp_path / "both.json").simulate(0.3)["right_rod.position"], result["right_rod.position"])


def test_a_model_that_a_program_made_is_included_with_contacts_controllers_tables_and_frames():
    sub = sl.Model()
    sub.parameters = {"k": 3.0}
    rod = sub.rod((0, 0, 0), (1, 0, 0), mass=1, name="rod")
    hinge = sub.revolute(sub.ground, rod, at=(0, 0, 0), axis="y", torque=0.0, name="hinge")
    sub.controller("-k*x", period=0.01, inputs={"x": hinge.angle}, outputs=[hinge], name="pd")
    sub.table("f", [0, 1], [0, 2])
    sub.force(rod.end, ("f(t)", 0, 0), name="push")
    ball = sub.sphere(radius=0.1, mass=1, at=(2, 0, 0.1), name="ball", velocity=(1, 0, 0))
    sub.contact(sub.plane(name="floor"), ball, friction=0.2, name="touch")
    box = sub.box(size=(0.2, 0.2, 0.2), mass=1, at=(4, 0, 0.1), name="crate")
    sub.contact(sub["floor"], box, friction=0.2, name="lies")
    sub.outputs = {"tip": rod.end.position}
    turn = (0.0, 0.0, 0.5)
    m = sl.Model()
    part = m.include(sub, name="one", position=(5, 0, 2), rotation=turn)
    alone, inside = sub.simulate(0.3, step=1e-3), m.simulate(0.3, step=1e-3)
    R = sl.Rotation.of_vector(turn).matrix
    for name in ("ball.position", "crate.position", "rod.position", "tip"):
        assert inside[f"one_{name}"][-1] == pytest.approx(R @ alone[name][-1] + (5, 0, 2), abs=1e-9)
    assert inside["one_touch.force"][-1] == pytest.approx(R @ alone["touch.force"][-1], abs=1e-9)
    assert part["lies"].points[0].name == "one_lies_1" and part.floor.reference[0] == pytest.approx((5, 0, 2))
    assert part["pd"].name == "one_pd" and set(m.tables) == {"one_f"}


def test_a_file_includes_files_and_these_others(arm, tmp_path):
    (tmp_path / "pair.json").write_text(json.dumps({"saltus": 1, "include": {"a": "arm.yaml", "b": {"file": "arm.yaml", "position": [0, 1, 0]}}}))
    top = {"saltus": 1, "parameters": {"s": 0.5}, "include": {"p": {"file": "pair.json", "position": [0, 0, 2], "parameters": {"a_L": "s"}}},
           "outputs": {"z": "p_a_rod.position.z"}, "simulation": {"until": 0.1}}  # fmt: skip
    (tmp_path / "top.json").write_text(json.dumps(top))
    done = saltus("run", tmp_path / "top.json", "--json")
    assert done.code == 0 and set(done.json["outputs"]) >= {"z", "p_a_height", "p_b_height"}
    m = sl.Model.load(tmp_path / "top.json")
    result = m.simulate(0.1)
    assert result["p_b_rod.position"][0] == pytest.approx((0.5, 1, 2)) and result["p_a_rod.position"][0] == pytest.approx((0.25, 0, 2)) and m.parameters["p_a_L"] == "s"


@pytest.mark.parametrize(
    "include, message",
    [
        ({"a": "top.json"}, r"include/a: includes itself: top.json -> top.json; leave one"),
        ({"a": "nothing.json"}, "names nothing.json, which is not there; a file is looked for from the folder"),
        ({"a": {"file": "arm.yaml", "positon": [0, 0, 0]}}, "include/a/positon: is not known; did you mean"),
        ({"a": {"file": "arm.yaml", "position": [0, 0]}}, r"include/a/position: is \[0, 0\], expected 3 numbers \[m\]"),
        ({"a": {"file": "arm.yaml", "parameters": {"l": 1}}}, "include/a/parameters/l: is not a parameter of the model that is included; it has L, m0"),
        ({"a-b": "arm.yaml"}, "which becomes part of names in formulas"),
        (["arm.yaml"], "expected names with files"),
        ({"a": 3}, "expected a file with its place"),
    ],
)
def test_mistakes_in_includes_are_reported(arm, tmp_path, include, message):
    (tmp_path / "top.json").write_text(json.dumps({"saltus": 1, "include": include}))
    with pytest.raises(sl.ModelError, match=message):
        sl.Model.load(tmp_path / "top.json")


def test_what_cannot_be_placed_is_refused(arm):
    m = sl.Model()
    m.point_mass(mass=1, name="a_rod")
    with pytest.raises(sl.ModelError, match="bodies/a_rod: is there already"):
        m.include(arm, name="a")
    with pytest.raises(sl.ModelError, match="expected a model or a model file"):
        m.include(7, name="a")  # type: ignore[arg-type]
    sub = sl.Model()
    body = sub.point_mass(mass=1, name="dot")
    sub.add(sl.items.CartesianSpringDamper(A="ground", B=body, stiffness=[1, 2, 3]), name="three")
    assert len(m.include(sub, name="fine", position=(1, 0, 0))) >= 2
    with pytest.raises(sl.ModelError, match="three: is a cartesian_spring_damper, which cannot be turned.*bushing"):
        m.include(sub, name="bad", rotation=(0, 0, 1))
    flat = sl.Model(planar=True)
    flat.box(size=(1, 1, 1), mass=1)
    with pytest.raises(sl.ModelError, match="is planar, and this model is not"):
        m.include(flat, name="flat")
    other = sl.Model(planar=True)
    part = other.include(flat, name="flat", position=(1, 2), rotation=(0, 0, 0.5))
    assert part["box_1"].reference[0] == pytest.approx((1, 2, 0))
    with pytest.raises(sl.ModelError, match="out of its plane; turn it about z"):
        other.include(flat, name="up", rotation=(0.5, 0, 0))
    with pytest.raises(sl.ModelError, match="box_7.*is not an item of the model that was included; did you mean"):
        part["box_7"]


# The usual form.


def test_fmt_writes_the_usual_form_and_keeps_comments(arm, tmp_path):
    path = tmp_path / "model.json"
    path.write_text(json.dumps(PENDULUM))
    assert saltus("fmt", path, "--check").code == 1
    assert saltus("fmt", path).code == 0 and saltus("fmt", path, "--check").code == 0
    first = path.read_text()
    assert first == sl.Model.load(path)._engine.text()
    arm.write_text(ARM.replace("  rod:\n    type", "  rod:\n        type").replace("    mass: m0", "        mass: m0").replace("    inertia", "        inertia").replace("    node", "        node"))
    assert saltus("fmt", arm).code == 0 and saltus("fmt", arm, "--check").code == 0
    assert "# An arm on a hinge." in arm.read_text() and "# m\n" in arm.read_text()
    assert np.array_equal(sl.Model.load(arm).simulate(0.2)["height"], sl.Model.parse(_json(ARM)).simulate(0.2)["height"])
    top = tmp_path / "top.json"
    top.write_text(json.dumps({"include": {"a": "arm.yaml"}, "saltus": 1, "outputs": {"z": "a_rod.position.z"}}))
    assert saltus("fmt", top).code == 0 and list(json.loads(top.read_text()))[0] == "saltus"
    assert saltus("fmt", top, "--check").code == 0 and json.loads(top.read_text())["include"] == {"a": "arm.yaml"}
    path.write_text(path.read_text()[:-5])
    before = path.read_text()
    assert saltus("fmt", path).code == 2 and path.read_text() == before


def _json(text):
    from saltus.model_files import plain_yaml

    return plain_yaml(text)


# Commands.


@pytest.mark.parametrize("name", ["first.yaml", "first.json", "first"])
def test_a_new_model_runs(tmp_path, name):
    done = saltus("new", "model", tmp_path / name)
    path = tmp_path / (name if "." in name else f"{name}.yaml")
    assert done.code == 0 and saltus("check", path).code == 0 and saltus("fmt", path, "--check").code == 0
    ran = saltus("run", path, "--json")
    assert ran.code == 0 and ran.json["status"] == "done" and abs(ran.json["outputs"]["angle"]) <= math.pi
    assert saltus("new", "model", path).code == 2 and "is not replaced" in saltus("new", "model", path).err


def test_a_new_program_runs(tmp_path):
    assert saltus("new", "program", tmp_path / "swing").code == 0
    done = subprocess.run([sys.executable, tmp_path / "swing.py"], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=True)
    assert "done" in done.stdout and (tmp_path / "swing.csv").exists() and (tmp_path / "swing.json").exists()
    assert "did you mean" in saltus("new", "programm", tmp_path / "x").err and "end it with .py" in saltus("new", "program", tmp_path / "x.json").err


def test_one_item_is_shown_by_its_name_a_section_or_a_part():
    done = saltus("items", "revolute")
    assert done.out.startswith("joints/revolute:") and done.out.count("joints/") == 1
    assert saltus("items", "loads").out.count("loads/") == len([e for e in saltus("items", "--json").json if e["family"] == "loads"])
    assert "joints/revolute_drive" in saltus("items", "revolute_").out
    done = saltus("items", "revolut3")
    assert done.code == 2 and 'did you mean "revolute"' in done.err


def test_the_version_is_printed_and_shells_complete():
    assert saltus("--version").out == f"saltus {sl.__version__}\n"
    assert "--show-completion" in saltus("--help").out


def test_the_schema_knows_includes(arm, tmp_path):
    jsonschema = pytest.importorskip("jsonschema")
    checker = jsonschema.Draft202012Validator(json.loads(saltus("schema").out))
    assert not list(checker.iter_errors({"saltus": 1, "include": {"a": "arm.yaml", "b": {"file": "arm.yaml", "position": [0, 1, 0]}}}))
    assert list(checker.iter_errors({"saltus": 1, "include": {"a": {"position": [0, 1, 0]}}}))


# Every model of the gallery inside another.

GALLERY = sorted(path for path in (Path(sl.__file__).parent / "gallery").glob("*.json") if path.name.count(".") == 1)
TURNED = 0.05  # s of the run that is compared


@pytest.mark.parametrize("file", GALLERY, ids=lambda path: path.stem)
def test_a_model_of_the_gallery_has_the_same_energy_shifted_and_turned(file):
    """Kinetic energy knows neither place nor axes; the gravity of the outer model is turned with the model that it includes."""
    alone = sl.Model.load(file)
    rotation, position = ((0, 0, 0.7), (3, -2, 0)) if alone.planar else ((0.3, -0.7, 1.1), (3, -2, 5))
    m = sl.Model(gravity=sl.Rotation.of_vector(rotation).matrix @ alone.gravity, planar=alone.planar)
    try:
        m.include(file, name="part", position=position, rotation=rotation)
    except sl.ModelError as error:
        assert re.search("cannot be (turned|moved)|out of its plane|planar|along an axis of the world", str(error)), error
        return
    assert [f.text for f in m.check() if f.severity == "error"] == []
    options = {key: value for key, value in alone.simulation.items() if key in ("step", "tolerance") or key == "scheme" and isinstance(value, str)}
    if options.get("scheme") == "static" or alone.compile()._core.sizes()["nv"] == 0:
        return
    until = min(TURNED, float(alone.simulation.get("until", TURNED)))
    options["step"] = min(options["step"], until) if "step" in options else None
    one, two = (model.simulate(until, **options) for model in (alone, m))
    scale = max(one["energy.kinetic"].values.max(), abs(np.ptp(one["energy.total"].values)), 1e-12)
    assert two["energy.kinetic"].last == pytest.approx(one["energy.kinetic"].last, abs=2e-5 * scale)


@pytest.mark.parametrize("ending", ["yaml", "json"])
def test_a_mistake_in_an_output_has_its_line(tmp_path, ending):
    model = sl.Model.parse("{\"saltus\": 1, \"bodies\": {\"b\": {\"type\": \"point_mass\", \"mass\": 1, \"node\": {\"type\": \"node_point\"}}},\n \"outputs\": {\n  \"z\": \"b.position.z\"}}")
    file = tmp_path / f"model.{ending}"
    model.save(file)
    file.write_text(file.read_text().replace("position.z", "positon.z"))
    (fault,) = sl.Model.load(file).check()
    line = file.read_text().splitlines()[fault.line - 1]
    assert "positon.z" in line and fault.file == str(file) and fault.path == "outputs/z"


def test_a_file_that_is_not_there_is_answered_with_the_nearest(tmp_path):
    (tmp_path / "pendulum.yaml").write_text(ARM)
    for name, remedy in (("pendulum.json", 'did you mean "pendulum.yaml"?'), ("x.json", "give a model file")):
        with pytest.raises(sl.ModelError) as caught:
            sl.Model.load(tmp_path / name)
        assert caught.value.faults[0].remedy == remedy
