"""The scene says what the engine says: poses, shapes, series; and the page is one file that needs nothing else."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

import saltus as sl
import saltus.gallery as gallery
from saltus import _core, running
from saltus.view.container import Arrays, unpacked
from saltus.view.page import page
from saltus.view.pictures import __file__ as pictures_file
from saltus.view.scene import Limits, Scene, scene_of
from saltus.view.shows import scene
from saltus.view.tracks import chosen_frames

PLACED = ("andrews_squeezer", "bouncing_ball", "bricard", "car_axis", "heavy_top", "rocking_block", "slider_crank_3d", "spring_truss")


def test_fields_hold_0_for_what_is_rounding_beside_the_largest_entry():
    m = sl.Model(gravity=(0, 0, 0))
    m.body(mass=1, inertia=[[2e-3, 1.4e-19, 0], [1.4e-19, 2e-3, 0], [0, 0, 1e-3]], name="plate")
    head, _ = unpacked(scene(m.simulate(0.1)))
    (fields,) = (item["f"] for item in head["items"] if item["n"] == "plate")
    assert fields["inertia"] == [[2e-3, 0, 0], [0, 2e-3, 0], [0, 0, 1e-3]]


@pytest.mark.parametrize("name", PLACED)
def test_poses_are_those_of_the_engine_within_the_step_of_16_bits(name):
    model = gallery.load(name)
    recorded = running.run(model, running.Options(until=0.02 if name != "spring_truss" else None))
    built = Scene(model, recorded.system)
    p, q = built.poses(recorded.arrays["y"])
    for i, node in enumerate(built.places.nodes):
        assert np.allclose(recorded.evaluate(f"{node}.position")[0], p[:, i], atol=1e-12)
        exact = recorded.evaluate(f"{node}.quaternion")[0]
        assert np.allclose(np.abs(np.sum(exact * q[:, i], axis=1)), 1.0, atol=1e-12)
    head, arrays = unpacked(scene_of(recorded, model))
    n = len(arrays["t"])
    if n == len(p):
        back = arrays["p.low"][..., None] + arrays["p.step"][..., None] * arrays["p"]
        assert np.all(np.abs(back.transpose(2, 0, 1) - p) <= 0.501 * arrays["p.step"] + 1e-15)
        turn = (arrays["q"] / 32767.0).transpose(2, 0, 1)
        assert np.allclose(np.abs(np.sum(turn * q[:, built.poses.turning], axis=-1)), 1.0, atol=2e-4)
    assert head["frames"] == built.places.nodes


def test_joints_stand_where_both_bodies_are(pendulum):
    head, arrays = unpacked(scene(pendulum))
    elbow = next(j for j in head["joints"] if head["items"][j["i"]]["n"] == "elbow")
    ends = {}
    for side in "ab":
        frame, *local = elbow[side][:4]
        node = head["frames"][frame]
        R = pendulum[f"{node}.rotation_matrix"].reshape(-1, 3, 3)
        ends[side] = pendulum[f"{node}.position"] + R @ np.array(local)
    assert np.allclose(ends["a"], ends["b"], atol=1e-8)


def test_a_prismatic_joint_is_drawn_along_its_whole_way():
    """A mass on a spring, in a guide turned by 90 degrees and fixed to a body that turns: the way is that of the joint's quantity."""
    m = sl.Model(gravity=(0, 0, 0))
    arm = m.box(size=(1, 0.1, 0.1), mass=1, name="arm")
    m.revolute(m.ground, arm, at=(0, 0, 0), axis="z", speed=2.0)
    mass = m.box(size=(0.1, 0.1, 0.1), mass=1, at=(0.3, 0, 0), name="mass")
    guide = m.prismatic(arm, mass, axis="x", stiffness=50.0, name="guide")
    result = m.simulate(1.0)
    head, _ = unpacked(scene(result))
    (joint,) = (j for j in head["joints"] if j["t"] == "prismatic")
    way = result[guide.position]
    assert way.max() - way.min() > 0.01
    assert joint["s"] == pytest.approx([way.min(), way.max()], abs=1e-3 * np.ptp(way))


def test_shapes_come_from_verbs_and_stay_in_the_file(ball, tmp_path):
    ball.save(tmp_path / "ball.saltus")
    for result in (ball, sl.load_result(tmp_path / "ball.saltus")):
        head, arrays = unpacked(scene(result))
        assert head["bodies"][0]["kind"] == "sphere" and head["bodies"][0]["radius"] == 0.1
        assert len(head["planes"]) == 1 and head["contacts"][0]["r"] == [0.1] and head["events"] == ["impact"]
        assert arrays["event.t"][0] == pytest.approx(np.sqrt(2 * 0.4 / 9.81), abs=2e-3)


@pytest.mark.parametrize("make, kind, sizes", [
    (lambda m: m.box(size=(0.1, 0.2, 0.4), mass=3), "box", {"size": [0.1, 0.2, 0.4]}),
    (lambda m: m.sphere(radius=0.3, mass=2), "sphere", {"radius": 0.3}),
    (lambda m: m.cylinder(radius=0.2, length=0.3, mass=5), "cylinder", {"radius": 0.2, "length": 0.3, "axis": "z"}),
])
def test_a_body_without_shape_is_the_solid_of_its_inertia(make, kind, sizes):
    shaped, m = sl.Model(), sl.Model(gravity=(0, 0, 0))
    body = make(shaped)
    m.body(mass=body.mass, inertia=body.fields["inertia"], name=body.name)  # mass and inertia are known, not the shape
    m.point_mass(mass=1, at=(1, 0, 0))
    head, _ = unpacked(scene(m.simulate(until=0.1)))
    drawn = next(b for b in head["bodies"] if head["items"][b["i"]]["n"] == body.name)
    assert drawn["kind"] == kind
    for key, value in sizes.items():
        assert drawn[key] == (pytest.approx(value) if key != "axis" else value)


def test_a_link_reaches_from_joint_to_joint():
    head, _ = unpacked(scene_of(running.run(model := gallery.load("bricard"), running.Options(until=0.01)), model))
    link = head["bodies"][0]
    assert link["kind"] == "link" and np.allclose(link["points"], [[-0.5, 0, 0], [0.5, 0, 0]])


def test_items_have_fields_with_units_and_the_report(pendulum):
    head, arrays = unpacked(scene(pendulum))
    upper = next(item for item in head["items"] if item["n"] == "upper")
    assert head["types"][f"{upper['s']}/{upper['t']}"]["fields"]["mass"][0] == "kg" and upper["f"]["mass"] == 1.0
    assert head["report"]["status"] == "done" and head["outputs"] == {"tip": "lower_end.position.z"}
    paths = {s["path"]: s for s in head["series"]}
    assert paths["elbow.force"]["unit"] == "N"
    assert np.allclose(arrays[paths["elbow.force"]["array"]], pendulum.at(arrays["t"])["elbow.force"], rtol=1e-5, atol=1e-5)
    assert np.isin(pendulum.time, arrays["t"]).all()


def test_chosen_states_hold_both_ends_and_those_next_to_events():
    t = np.linspace(0, 10, 100_001)
    chosen = chosen_frames(t, 500, np.array([3.14159]))
    assert len(chosen) <= 500 and chosen[0] == 0 and chosen[-1] == len(t) - 1
    assert np.abs(t[chosen] - 3.14159).min() < 1.1e-4 and np.diff(t[chosen]).max() < 0.03


def test_arrays_come_back_as_they_were(tmp_path):
    random = np.random.default_rng(2)
    arrays = Arrays()
    given = {"a": ("f8", random.normal(size=(3, 5))), "b": ("u2", random.integers(0, 65536, (4, 7))), "c": ("i2", random.integers(-32768, 32768, (2, 9)))}
    for name, (kind, values) in given.items():
        arrays.put(name, values, kind, delta=kind != "f8")
    head, back = unpacked(arrays.packed({"x": "é"}))
    assert head == {"x": "é"} and all(np.array_equal(back[name], values) for name, (_, values) in given.items())
    with pytest.raises(ValueError, match="no container"):
        unpacked(b"PK\3\4" + bytes(20))


def test_the_built_page_is_small_and_needs_nothing_else():
    text = page()
    assert len(text.encode()) < 750_000  # three.js is 500 kB of it; 35 kB draw circuits and sketches and write films
    assert not re.search(r"""(?:src|href)=["'](?:https?:)?//""", text) and "import(" not in text.split("<script")[0]


def test_ten_seconds_of_a_hundred_bodies_are_less_than_5_megabytes(tmp_path):
    m = sl.Model(gravity=(0, 0, 0))
    for i in range(100):
        m.box(size=(0.1, 0.1, 0.1), mass=1, at=(i % 10, i // 10, 0), velocity=(np.sin(i), np.cos(i), 0.1), angular_velocity=(0, 3 + i % 7, 1))
    result = m.simulate(until=10, step=0.01, scheme="runge_kutta_4")
    assert len(result) == 1001
    size = len(open(result.to_html(tmp_path / "hundred.html"), "rb").read())
    assert size < 5_000_000


def test_a_page_holds_one_result_or_two(pendulum, ball, tmp_path):
    one, two = tmp_path / "one.html", tmp_path / "two.html"
    pendulum.to_html(one)
    pendulum.to_html(two, compare=ball, title="a </script> & b")
    assert one.read_text().count('type="application/x-saltus"') == 1 + page().count('type="application/x-saltus"')
    assert two.read_text().count('type="application/x-saltus"') == 2 + page().count('type="application/x-saltus"')
    assert "<title>a &lt;/script&gt; &amp; b</title>" in two.read_text()
    assert "<iframe" in pendulum._repr_html_() and "sandbox=" in pendulum._repr_html_()


def test_many_bodies_stay_within_the_limits():
    m = sl.Model(gravity=(0, 0, 0))
    for i in range(1000):
        m.point_mass(mass=1, at=(i % 10, i // 10 % 10, i // 100), velocity=(1, 0, 0))
    result = m.simulate(until=1, step=0.01, scheme="runge_kutta_4")
    data = scene_of(result._recorded, m._engine, limits=Limits(bytes=700_000, frames=4000, work=1e4))
    head, arrays = unpacked(data)
    assert arrays["p"].nbytes <= 700_000 and len(head["bodies"]) == 1000 and len(arrays["t"]) == 50


def test_a_system_without_geometry_has_its_outputs():
    model = gallery.load("diode_bridge")
    head, arrays = unpacked(scene_of(running.run(model, running.Options(until=1e-4)), model))
    assert head["frames"] == [] and {s["path"] for s in head["series"]} >= {"a.value", "L_state.state"}
    json.dumps(head)


def test_a_body_is_drawn_as_its_mesh_and_weighs_what_it_weighed(tmp_path):
    corners = np.array([[0, 0, 0], [1000, 0, 0], [0, 1000, 0], [0, 0, 1000]])
    faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]
    facet = np.zeros(4, dtype=[("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("more", "<u2")])
    facet["corners"] = corners[np.array(faces)]
    (tmp_path / "a.stl").write_bytes(bytes(80) + np.uint32(4).tobytes() + facet.tobytes())
    text = "".join("facet normal 0 0 0\nouter loop\n" + "".join(f"vertex {x} {y} {z}\n" for x, y, z in corners[f]) + "endloop\nendfacet\n" for f in np.array(faces))
    (tmp_path / "b.stl").write_text(f"solid x\n{text}endsolid x\n")
    (tmp_path / "c.obj").write_text("".join(f"v {x} {y} {z}\n" for x, y, z in corners) + "".join(f"f {a + 1}/1 {b + 1} {c - 4}\n" for a, b, c in faces))
    for name in ("a.stl", "b.stl", "c.obj"):
        m = sl.Model(gravity=(0, 0, 0))
        box = m.box(size=(1, 1, 1), mass=2).looks_like(tmp_path / name, scale=1e-3)
        m.contact(m.plane(at=(0, 0, -1)), box)  # with the corners of the box, as before
        result = m.simulate(until=0.01, step=1e-3)
        head, _ = unpacked(scene(result))
        drawn = head["bodies"][0]
        points = np.array(drawn["points"])
        assert drawn["kind"] == "mesh" and len(points) == 4 and len(drawn["faces"]) == 4
        volume = sum(np.dot(points[a], np.cross(points[b], points[c])) for a, b, c in drawn["faces"]) / 6.0
        assert volume == pytest.approx(1.0 / 6.0) and box.fields["mass"] == 2


@pytest.mark.parametrize("name, data, said", [
    ("x.step", b"", "give a .stl or .obj"),
    ("x.stl", b"solid\nvertex 1 2\nendsolid", "no STL file"),
    ("x.stl", bytes(80) + b"\xff\xff\xff\xff", "cut off"),
    ("x.obj", b"v 0 0 0\nf 1 2 3\n", "not there"),
    ("x.obj", b"v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "not finite"),
])
def test_a_mesh_that_cannot_be_drawn_is_refused_with_a_reason(tmp_path, name, data, said):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(sl.ModelError, match=said):
        sl.Model().sphere(radius=1, mass=1).looks_like(tmp_path / name)


def test_shapes_and_groups_of_contacts_come_from_the_model_file():
    m = sl.Model()
    floor = m.plane(name="floor", at=(0, 0, -0.5))
    balls = [m.sphere(radius=0.1 + 0.01 * i, mass=1, at=(i, 0, 0), name=f"ball{i}") for i in range(3)]
    can = m.cylinder(radius=0.2, length=0.7, mass=1, at=(0, 2, 0), axis="x", name="can")
    m.contact([floor], [*balls, can])
    m.contact(balls)
    file = sl.Model.parse(m._engine.text())
    head, _ = unpacked(scene(file.simulate(until=0.01, step=1e-3)))
    shapes = {head["items"][b["i"]]["n"]: b for b in head["bodies"]}
    assert [shapes[f"ball{i}"]["radius"] for i in range(3)] == pytest.approx([0.1, 0.11, 0.12])
    assert shapes["can"]["kind"] == "cylinder" and (shapes["can"]["radius"], shapes["can"]["length"]) == (0.2, 0.7)
    assert len(head["planes"]) == 1 and head["planes"][0]["on"][3] == -0.5
    first, second = head["groups"]
    assert [c[0] for c in first["a"]] == ["plane"] and [c[1] for c in first["b"]] == pytest.approx([0.1, 0.11, 0.12])
    assert len(second["a"]) == 3 and "b" not in second


def test_displacements_that_begin_at_one_place_are_drawn_side_by_side():
    model = gallery.load("shared_node_chain")
    head, arrays = unpacked(scene_of(running.run(model, running.Options(until=0.5)), model))
    x = arrays["p.low"][:, 0, None] + arrays["p.step"][:, 0, None] * arrays["p"][:, 0]
    travel = np.ptp(x, axis=1).max()
    assert head["frames"] == ["n0", "n1"] and np.all(x[1] - x[0] > 0.3 * travel)


def test_a_pendulum_s_ball_reaches_to_its_hinge():
    m = sl.Model()
    ball = m.sphere(radius=0.1, mass=1, at=(0, 0, -1), name="ball")
    m.revolute(m.ground, ball, at=(0, 0, 0), axis="y")
    head, _ = unpacked(scene(m.simulate(0.1)))
    assert head["bodies"][0]["kind"] == "sphere" and np.allclose(head["bodies"][0]["arms"], [[0, 0, 1]])


def test_shapes_for_contact_are_drawn_where_nothing_else_says_what_a_body_looks_like(tmp_path):
    """As both, one through the other, they flicker in the picture."""
    inertial = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    touches = '<collision><origin xyz="0 0 0.5"/><geometry><cylinder radius="0.1" length="1"/></geometry></collision>'
    drawn = {}
    for visual in ("", touches.replace("collision", "visual")):
        path = tmp_path / "robot.urdf"
        path.write_text(f'<robot name="r"><link name="base"/><link name="arm">{inertial}{visual}{touches}</link><joint name="j" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/></joint></robot>')
        m = sl.read_urdf(path)
        head, _ = unpacked(scene(m.simulate(0.01)))
        drawn[bool(visual)] = [head["items"][body["i"]]["n"] for body in head["bodies"]]
    assert "arm_collision" in drawn[False] and "arm_collision" not in drawn[True] and "arm" in drawn[True]


def test_a_circuit_is_nets_and_elements():
    model = gallery.load("diode_bridge")
    head, _ = unpacked(scene_of(running.run(model, running.Options(until=1e-5)), model))
    circuit = head["circuit"]
    names = [net["n"] for net in circuit["nets"]]
    ends = {head["items"][part["i"]]["n"]: (part["ways"][0][0], [names[net] for net in part["ways"][0][1:]]) for part in circuit["parts"]}
    assert sorted(names) == ["a", "ground", "n", "p"] and [net["ground"] for net in circuit["nets"]].count(True) == 1
    assert ends["C"] == ("capacitor", ["a", "ground"]) and ends["R"] == ("resistor", ["p", "n"]) and ends["D1"] == ("diode", ["a", "p"]) and len(ends) == 7
    assert "circuit" not in unpacked(scene_of(running.run(gallery.load("heavy_top"), running.Options(until=1e-3)), gallery.load("heavy_top")))[0]


def test_a_circuit_without_outputs_plots_voltages_and_currents():
    m = sl.Model()
    a, b = m.terminal(name="a"), m.terminal(name="b")
    m.voltage_source(a, m.ground, voltage=12, name="battery"), m.inductor(a, b, L=1e-4, name="L"), m.capacitor(b, m.ground, C=1e-4, name="C"), m.resistor(b, m.ground, R=5, name="R")
    head, _ = unpacked(scene(m.simulate(1e-3)))
    units = {series["path"]: series["unit"] for series in head["series"]}
    assert list(head["outputs"]) == ["a.voltage", "b.voltage", "battery.current", "L.current", "C.current", "R.current"]
    assert [units[path] for path in head["outputs"].values()] == ["V", "V", "A", "A", "A", "A"]
    m.outputs = {"drop": "= a.value - b.value"}
    assert list(unpacked(scene(m.simulate(1e-3)))[0]["outputs"]) == ["drop"]


def test_a_motor_of_a_circuit_and_a_shaft_is_an_element():
    model = gallery.load("motor_relay")
    head, _ = unpacked(scene_of(running.run(model, running.Options(until=1e-3)), model))
    assert {part["ways"][0][0] for part in head["circuit"]["parts"]} >= {"motor", "voltage_source"}


def test_a_sketch_goes_along_in_the_result_file(tmp_path):
    from saltus.result_file import load_result

    list(gallery.run_one("woodpecker", tmp_path))
    head, arrays = unpacked(scene(load_result(tmp_path / "woodpecker.saltus")))
    assert head["items"][head["sketch"]["i"]]["n"] == "toy" and len(head["sketch"]["parts"]) > 10
    assert {"q.coordinate.0", "q.coordinate.1", "q.coordinate.2"} <= {series["path"] for series in head["series"]}


def test_every_item_but_laws_declares_a_picture_of_a_known_shape_whose_sizes_are_fields_of_its_own():
    from saltus.view import circuits, pictures, shapes

    words = set(re.findall(r"\w+", pictures.__doc__)) | set(circuits.SYMBOLS) | set(shapes.SOLIDS)
    for entry in _core.items():
        if entry["family"] != "laws":
            assert entry["picture"] and entry["picture"]["shape"] in words, entry["name"]
            assert set(entry["picture"]["sizes"]) <= {field["name"] for field in entry["fields"]}, entry["name"]
    assert pictures.picture("markers", "capsule") == pictures.Picture("capsule", ("radius", "length"))
    assert pictures.picture("connectors", "of_another_program") is pictures.NONE


def test_the_viewer_knows_no_item_by_its_name():
    """Texts in view/ that are names of items are shapes or fields, too; nothing there asks a record for its type but `picture_of`."""
    names = {entry["name"] for entry in _core.items()} - {entry["picture"]["shape"] for entry in _core.items() if entry["picture"]}
    names -= {part["name"] for entry in _core.items() for part in (*entry["fields"], *entry["ports"])}
    names -= {"coordinate", "contact", "contact_force", "torque"}  # of a reference, of the scene, a quantity
    for file in sorted(Path(pictures_file).parent.glob("*.py")):
        text = file.read_text()
        assert not names & set(re.findall(r"""["'](\w+)["']""", text)), file.name
        asked = re.findall(r"""(?:record|r)\["type"\] *(?:==|!=|in)|kind\.(?:ends|starts)with""", text)
        assert not asked, (file.name, asked)


def test_rejected_steps_are_events_whose_number_is_the_report_s():
    m = sl.Model()
    rod = m.rod((0, 0, 0), (1, 0, 0), mass=1)
    m.revolute(m.ground, rod, at=rod.start, axis="y")
    result = m.simulate(until=2.0, tolerance=1e-4)
    rejected = [value for _, kind, _, value in result.events if kind == "step_rejected"]
    assert result.report["rejected"] > 0 and sum(rejected) == result.report["rejected"]
    head, arrays = unpacked(scene(result))
    assert head["events"] == ["step_rejected"] and len(arrays["event.t"]) == len(rejected)


def test_shapes_beside_those_of_bodies_are_drawn_where_they_stand():
    m = sl.Model()
    m.shape("box", m.ground, size=(1, 2, 0.1), at=(0, 0, -0.2), rotation=(0, 0.3, 0), name="wall")
    bar = m.body(mass=1, inertia=(1, 1, 1), at=(0, 0, 1), name="bar")
    m.shape("sphere", bar, radius=0.2, at=(0.5, 0, 1), name="end")
    head, _ = unpacked(scene(m.simulate(until=0.1)))
    drawn = {head["items"][b["i"]]["n"]: b for b in head["bodies"]}
    assert set(drawn) == {"wall", "bar", "end"}
    assert drawn["wall"]["f"] == -1 and drawn["wall"]["size"] == [1, 2, 0.1] and drawn["wall"]["p"] == pytest.approx([0, 0, -0.2])
    assert drawn["end"]["f"] == drawn["bar"]["f"] and drawn["end"]["p"] == pytest.approx([0.5, 0, 0])


def test_a_body_whose_shapes_all_stand_on_frames_is_not_drawn_by_its_inertia():
    m = sl.Model()
    cart = m.body(mass=1, inertia=(5, 5, 9), name="cart")
    m.shape("box", cart, size=(0.3, 0.1, 0.1), at=(0, 0, 0.2), name="deck")
    drawn = unpacked(scene(m.simulate(0.01)))[0]["bodies"]
    assert sorted(body["kind"] for body in drawn) == ["box", "sphere"]
    assert next(body for body in drawn if body["kind"] == "sphere")["point"]


def test_one_hard_impact_does_not_make_the_other_arrows_of_contacts_vanish():
    from saltus.view.scene import _longest_arrow

    resting = np.full(1000, 2.0)
    assert _longest_arrow(np.append(resting, 500.0)) < 3.0
    assert _longest_arrow(resting) == 2.0 and _longest_arrow(np.zeros(3)) == 0.0


def test_points_of_contacts_between_groups_know_their_contact():
    m = sl.Model()
    floor, a, b = m.plane(), m.box(size=(1, 1, 1), mass=2, at=(0, 0, 0.5)), m.box(size=(1, 1, 1), mass=1, at=(3, 0, 0.5))
    m.contact([floor], [a], friction=0.5, name="left")
    m.contact([floor], [b], friction=0.5, name="right")
    head, arrays = unpacked(scene(m.static()))
    item, force = arrays["contact_points.item"], arrays["contact_points.force"]
    for name, weight in (("left", 2 * 9.81), ("right", 9.81)):
        own = item == next(i for i, entry in enumerate(head["items"]) if entry["n"] == name)
        assert own.sum() == 4 and force[own, 2].sum() == pytest.approx(weight, rel=1e-6)
    assert head["run"]["static"]
