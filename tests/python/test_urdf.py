"""Robots in URDF: masses, places, limits, damping, friction, mimicked joints, shapes and meshes; what is refused, and what is noted."""

import warnings

import numpy as np
import pytest
from commands import saltus

import saltus as sl

LINK = '<link name="{0}"><inertial><origin xyz="{2}"/><mass value="{1}"/><inertia ixx="0.1" iyy="0.2" izz="0.25" ixy="0" ixz="0" iyz="0"/></inertial></link>'
JOINT = '<joint name="{0}" type="{1}"><parent link="{2}"/><child link="{3}"/>{4}</joint>'


def robot(tmp_path, *parts, name="robot.urdf"):
    file = tmp_path / name
    file.write_text("\n".join(['<robot name="r">', *parts, "</robot>"]))
    return file


def hinged(tmp_path, more="", kind="continuous", axis="0 1 0"):
    """A bar of 2 kg whose centre is 0.5 m from its hinge on the base, along x."""
    return robot(tmp_path, '<link name="base"/>', LINK.format("bar", 2, "0.5 0 0"), JOINT.format("hinge", kind, "base", "bar", f'<axis xyz="{axis}"/>{more}'))


def quiet(file, **keywords):
    with warnings.catch_warnings():
        warnings.simplefilter("error", sl.ModelWarning)
        return sl.read_urdf(file, **keywords)


def test_links_stand_where_the_origins_say_and_have_their_masses(tmp_path):
    a, b, turn = (0.1, -0.2, 0.3), (0.0, 0.5, -0.1), (0.3, -0.5, 1.1)
    text = f'<origin xyz="{a[0]} {a[1]} {a[2]}" rpy="{turn[0]} {turn[1]} {turn[2]}"/>'
    inertial = f'<link name="two"><inertial><origin xyz="0.1 0 0" rpy="{turn[0]} {turn[1]} {turn[2]}"/><mass value="3"/><inertia ixx="0.2" ixy="0.01" ixz="0" iyy="0.3" iyz="0" izz="0.4"/></inertial></link>'
    m = quiet(robot(tmp_path, '<link name="base"/>', LINK.format("one", 1, "0 0 0"), inertial, JOINT.format("j1", "continuous", "base", "one", text), JOINT.format("j2", "continuous", "one", "two", f'<origin xyz="{b[0]} {b[1]} {b[2]}"/>')))
    R = sl.Rotation.of_angles("xyz", turn).matrix
    assert np.allclose(m["one"].reference[0], a, atol=1e-15) and np.allclose(m["one"].reference[1], R, atol=1e-15)
    assert np.allclose(m["two"].reference[0], a + R @ b, atol=1e-15)
    fields = m["two"].fields
    assert fields["mass"] == 3.0 and list(fields["center_of_mass"]) == [0.1, 0, 0] and list(fields["axis"]) == [1.0, 0.0, 0.0]
    assert np.allclose(np.array([list(row) for row in fields["inertia"]]), R @ [[0.2, 0.01, 0], [0.01, 0.3, 0], [0, 0, 0.4]] @ R.T, atol=1e-15)


def test_damping_slows_a_joint_as_the_closed_form_says(tmp_path):
    m = quiet(hinged(tmp_path, '<dynamics damping="0.35"/>', axis="0 0 1"))
    m["hinge"].velocity = 2.0
    result = m.simulate(until=1.0, tolerance=1e-9)
    assert result[m["hinge"].rate].last == pytest.approx(2.0 * np.exp(-0.35 / (0.25 + 2 * 0.25)), rel=1e-6)  # inertia about the hinge


@pytest.mark.parametrize(("friction", "moves"), [(9.9, False), (9.7, True)])  # the weight's moment is 2 * 9.81 * 0.5 = 9.81 N m
def test_dry_friction_holds_up_to_its_bound(tmp_path, friction, moves):
    m = quiet(hinged(tmp_path, f'<dynamics friction="{friction}"/>'))
    angle = m.simulate(until=0.2, step=1e-3)[m["hinge"].coordinate].last
    assert (angle > 1e-4) if moves else abs(angle) < 1e-12


def test_a_joint_stops_at_its_limits(tmp_path):
    m = quiet(hinged(tmp_path, '<limit lower="-0.2" upper="0.3" effort="1" velocity="1"/>', kind="revolute"))
    angle = m.simulate(until=2.0, step=1e-3)[m["hinge"].coordinate]
    assert angle.last == pytest.approx(0.3, abs=1e-6) and angle.max() < 0.3 + 5e-3


def test_a_mimicked_joint_follows(tmp_path):
    m = quiet(robot(tmp_path, '<link name="base"/>', LINK.format("left", 1, "0.5 0 0"), LINK.format("right", 1, "0.2 0 0"), JOINT.format("a", "continuous", "base", "left", '<axis xyz="0 1 0"/>'),
                    JOINT.format("b", "continuous", "base", "right", '<axis xyz="0 1 0"/><mimic joint="a" multiplier="-2" offset="0.1"/>')))  # fmt: skip
    result = m.simulate(until=0.5, step=1e-3)
    assert abs(result[m["a"].coordinate].last) > 0.05
    assert np.allclose(result[m["b"].coordinate], -2.0 * result[m["a"].coordinate] + 0.1, atol=1e-9)


def test_a_free_base_and_a_floating_joint_fall(tmp_path):
    floating = JOINT.format("loose", "floating", "body", "stone", '<origin xyz="1 0 0"/>')
    m = quiet(robot(tmp_path, LINK.format("body", 2, "0 0 0"), LINK.format("arm", 1, "0.3 0 0"), LINK.format("stone", 1, "0 0 0"), JOINT.format("hinge", "continuous", "body", "arm", ""), floating), base="free")
    result = m.simulate(until=0.5, tolerance=1e-8)
    for name, x in (("body", 0), ("stone", 1)):
        assert result[m[name].position].last == pytest.approx([x, 0, -0.5 * 9.81 * 0.25], abs=1e-6)


def test_a_planar_joint_leaves_two_ways_and_a_turn(tmp_path):
    m = quiet(robot(tmp_path, '<link name="base"/>', LINK.format("puck", 2, "0 0 0"), JOINT.format("slide", "planar", "base", "puck", '<axis xyz="0 1 0"/>')))
    m["slide"].velocity = 3.0
    result = m.simulate(until=0.5, tolerance=1e-8)
    assert result[m["puck"].position].last == pytest.approx([0, 0, -0.5 * 9.81 * 0.25], abs=1e-6)  # in the plane normal to y
    assert result[m["puck"].angular_velocity].last == pytest.approx([0, 3, 0], abs=1e-8)


def test_collision_shapes_touch(tmp_path):
    box = '<link name="crate"><inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial><collision><origin xyz="0 0 -0.1"/><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link>'
    m = quiet(robot(tmp_path, box), base="free")
    m.contact(m.plane(at=(0, 0, -0.25)), m["crate_collision"], friction=0.5)
    result = m.simulate(until=1.0, step=1e-3)
    assert result[m["crate"].position.z].last == pytest.approx(-0.05, abs=1e-6)  # its shape reaches 0.2 m below its origin


def test_what_moves_no_mass_is_fixed_and_a_start_outside_the_limits_is_moved(tmp_path):
    far = '<axis xyz="0 0 1"/><limit lower="0.2" upper="1" effort="1" velocity="1"/>'
    file = robot(tmp_path, '<link name="base"/>', LINK.format("arm", 1, "0 0 0"), '<link name="tool"/>', JOINT.format("j", "revolute", "base", "arm", far), JOINT.format("pan", "continuous", "arm", "tool", ""), "<transmission/>", "<transmission/>")
    with pytest.warns(sl.ModelWarning) as warned:
        m = sl.read_urdf(file)
    text = "\n".join(str(each.message) for each in warned)
    assert "robot.urdf:5 joints/j: has limits that leave out 0, and begins at 0.2" in text
    assert "robot.urdf:6 joints/pan: moves nothing that has mass or inertia, and is fixed" in text
    assert "robot.urdf:7 <transmission>: is not taken, and so 1 more" in text
    assert m.simulate(until=0.01, step=1e-3)["j.coordinate"][0] == pytest.approx(0.2)


def test_meshes_are_found_in_their_package_and_drawn(tmp_path):
    folder = tmp_path / "my_robot"
    (folder / "urdf").mkdir(parents=True), (folder / "meshes").mkdir()
    (folder / "meshes" / "tip.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    visual = '<visual><origin xyz="0 0 1"/><geometry><mesh filename="package://my_robot/meshes/tip.obj" scale="2 2 2"/></geometry></visual><collision><geometry><mesh filename="../meshes/tip.obj"/></geometry></collision>'
    m = quiet(robot(folder / "urdf", f'<link name="tip">{visual}</link>'))
    assert np.max(m["tip"]._look["points"], axis=0).tolist() == [2.0, 2.0, 3.0]
    assert len(m["tip_collision"].points) == 4


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        (['<link name="a"/>', '<link name="a"/>'], "robot.urdf:3 links/a: is there already, at line 2"),
        (['<link name="a"><inertial><mass value="nan"/></inertial></link>'], "robot.urdf:2 links/a/inertial/mass/value: has 'nan', which is no finite number"),
        (['<link name="a"><inertial><mass value="0x10"/></inertial></link>'], "has '0x10', which is no finite number"),
        (['<link name="a"><inertial><mass value="-1"/></inertial></link>'], "links/a/inertial/mass: is -1 kg, must be at least 0"),
        (['<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="-1" izz="1"/></inertial></link>'], "none may be negative"),
        (['<link name="a"><inertial><origin xyz="1 2"/></inertial></link>'], "links/a/inertial/origin/xyz: has 2 numbers, expected 3"),
        (['<link name="a"/>', '<link name="b"/>'], "has 2 first links, a, b"),
        (['<link name="a"/>', JOINT.format("j", "fixed", "a", "a", "")], "robot.urdf:3 joints/j: joins 'a' to itself"),
        (['<link name="a"/>', '<link name="hand"/>', JOINT.format("j", "fixed", "a", "hnad", "")], "joints/j/child: names the link 'hnad', which is not there; did you mean \"hand\"?"),
        (['<link name="a"/>', '<link name="b"/>', JOINT.format("j", "revolut", "a", "b", "")], "joints/j/type: is 'revolut'; did you mean \"revolute\"?"),
        (['<link name="a"/>', '<link name="b"/>', JOINT.format("j", "fixed", "a", "b", ""), JOINT.format("k", "fixed", "a", "b", "")], "joints/k/child: is 'b', which 'j' carries already"),
        (['<link name="a"/>', '<link name="b"/>', '<link name="c"/>', JOINT.format("j", "fixed", "b", "c", ""), JOINT.format("k", "fixed", "c", "b", "")], "its joints lead round in a circle"),
        (['<link name="a"/>', LINK.format("b", 1, "0 0 0"), JOINT.format("j", "revolute", "a", "b", '<axis xyz="0 0 0"/>')], "joints/j/axis: has length zero"),
        (['<link name="a"/>', LINK.format("b", 1, "0 0 0"), JOINT.format("j", "revolute", "a", "b", '<limit lower="1" upper="0"/>')], "joints/j/limit: is 1 to 0: the lower one must be below the upper one"),
        (['<link name="a"><visual><geometry><mesh filename="package://../../etc/passwd"/></geometry></visual></link>'], "which leaves its package"),
        (['<link name="a"><visual><geometry><mesh filename="../../../x.stl"/></geometry></visual></link>'], "which leaves the folder of the robot"),
        (['<link name="a"><visual><geometry><mesh filename="http://x/y.stl"/></geometry></visual></link>'], "only files of this machine are read"),
        (['<link name="a">'], "is no XML: mismatched tag"),
        (['<link name="a"/>', LINK.format("b", 1, "0 0 0"), LINK.format("c", 1, "0 0 0"), JOINT.format("j", "fixed", "a", "b", ""), JOINT.format("j", "fixed", "a", "c", "")], "robot.urdf:6 joints/j: is there already, at line 5"),
        (['<link name="a"/>', LINK.format("b", 1, "0 0 0"), LINK.format("c", 1, "0 0 0"), JOINT.format("j", "continuous", "a", "b", '<mimic joint="k"/>'), JOINT.format("k", "continuous", "a", "c", '<mimic joint="j"/>')],
         "robot.urdf:5 joints/j/mimic: leads round in a circle of j, k"),
    ],
)
def test_mistakes_are_reported_with_their_line(tmp_path, parts, message):
    with pytest.raises(sl.ModelError) as error:
        sl.read_urdf(robot(tmp_path, *parts))
    assert message in str(error.value)


@pytest.mark.parametrize(("text", "message"), [
    ('<!DOCTYPE r [<!ENTITY a "aaaa">]><robot name="&a;"/>', "has a document type"),
    ("<mujoco/>", "is a model in MJCF, not a robot in URDF"),
    ('<robot xmlns:xacro="x"><xacro:macro/></robot>', "is a template in xacro"),
    ("", "is no XML: no element found"),
])  # fmt: skip
def test_what_is_no_urdf_is_reported(tmp_path, text, message):
    file = tmp_path / "robot.urdf"
    file.write_text(text)
    with pytest.raises(sl.ModelError, match=message):
        sl.read_urdf(file)


def test_a_long_chain_is_read(tmp_path):
    parts = [LINK.format("l0", 1, "0 0 0")]
    for i in range(1, 1500):
        parts += [LINK.format(f"l{i}", 1, "0 0 0"), JOINT.format(f"j{i}", "continuous", f"l{i - 1}", f"l{i}", '<origin xyz="0 0 1"/>')]
    m = quiet(robot(tmp_path, *parts))
    assert m["l1499"].reference[0].tolist() == [0, 0, 1499]


def test_commands_take_a_robot(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    hinged(tmp_path)
    assert saltus("check", "robot.urdf").code == 0
    assert saltus("new", "model", "arm.yaml", "--from", "robot.urdf").code == 0
    assert sl.Model.load("arm.yaml")["bar"].reference[0].tolist() == [0, 0, 0]
    m = sl.Model()
    arm = m.include("robot.urdf", name="left", position=(0, 1, 0))
    assert m["left_bar"].reference[0].tolist() == [0, 1, 0] and arm["hinge"].name == "left_hinge"
    robot(tmp_path, '<link name="a"/>', '<link name="a"/>')
    refused = saltus("check", "robot.urdf")
    assert refused.code == 2 and "robot.urdf:3 links/a: is there already" in refused.err


def test_a_tree_that_is_included_stands_where_it_is_put(tmp_path):
    """Without a base of its own it stood at the origin, wherever its model was included."""
    part = sl.Model(gravity=(0, 0, -9.81))
    part.tree(name="arm").revolute(at=(0, 0, 1), axis="y", mass=1, inertia=(0.1, 0.1, 0.1), center_of_mass=(0.5, 0, 0), name="link")
    m = sl.Model()
    arm = m.include(part, name="a", position=(3, 0, 0), rotation=sl.degrees(z=90))
    assert np.allclose(arm["link"].reference[0], (3, 0, 1), atol=1e-15) and np.allclose(arm["link"].reference[1][:, 0], (0, 1, 0), atol=1e-15)
    assert m.simulate(until=1e-3)[arm["link"].position].last == pytest.approx([3, 0, 1], abs=1e-12)


def test_the_hull_of_a_fine_mesh_is_one_that_contacts_take(tmp_path):
    """A cylinder of 100 sides: its ends would be faces of 100 corners."""
    turn = np.linspace(0.0, 2.0 * np.pi, 100, endpoint=False)
    (tmp_path / "can.obj").write_text("".join(f"v {np.cos(a):.9f} {np.sin(a):.9f} {z}\n" for z in (0, 1) for a in turn) + "f 1 2 3\n")
    can = '<link name="can"><inertial><origin xyz="0 0 0.5"/><mass value="1"/><inertia ixx="0.5" iyy="0.5" izz="0.5"/></inertial><collision><geometry><mesh filename="can.obj"/></geometry></collision></link>'
    with pytest.warns(sl.ModelWarning, match="of which .* are taken as its convex hull"):
        m = sl.read_urdf(robot(tmp_path, can), base="free")
    m.contact(m.plane(), m["can_collision"], friction=0.5)
    result = m.simulate(until=0.1, step=1e-3)
    assert abs(result[m["can"].position.z].last) < 1e-6


ARM = '<link name="arm"><inertial><origin xyz="0.5 0 0"/><mass value="2"/><inertia ixx="0.1" iyy="0.1" izz="0.1"/></inertial><collision><origin xyz="1 0 0"/><geometry><sphere radius="0.1"/></geometry></collision></link>'


def test_shapes_go_with_their_link(tmp_path):
    """Written as world points they stayed behind when the reference position was changed; queries stood at the origin."""
    file = robot(tmp_path, '<link name="base"/>', ARM, JOINT.format("hinge", "continuous", "base", "arm", '<origin xyz="0 0 1"/><axis xyz="0 1 0"/>'))
    for q in (0.0, 0.5):
        m = quiet(file)
        m["hinge"].coordinate = q
        assert sl.queries.distance(m.plane(at=(0, 0, -3)), m["arm_collision"]).gap == pytest.approx(3.9 - np.sin(q), abs=1e-12)


def test_a_robot_is_not_overwritten(tmp_path):
    file = hinged(tmp_path)
    text, m = file.read_text(), quiet(file)
    with pytest.raises(sl.ModelError, match="robots are not written in URDF; end it with .yaml or .json"):
        m.save(file)
    assert file.read_text() == text


def test_the_coordinate_of_a_link_goes_with_its_stops_and_dampers(tmp_path):
    """It stayed with nothing that has mass, and the model could not be solved."""
    more = '<axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/><dynamics damping="0.1" friction="0.2"/>'
    m = quiet(robot(tmp_path, '<link name="base"/>', LINK.format("one", 1, "0.5 0 0"), LINK.format("two", 1, "0.5 0 0"), JOINT.format("a", "continuous", "base", "one", ""), JOINT.format("b", "revolute", "one", "two", more)))
    left = m.without("two")
    assert set(left) == {"a", "one", "base", "base_tree"}
    assert left.simulate(until=0.01, step=1e-3)


HINGED = [JOINT.format(name, "revolute", "base", link, '<axis xyz="0 0 1"/>{}') for name, link in (("a", "one"), ("b", "two"), ("c", "three"))]


def hand(tmp_path, *more):
    """Three bars on the base, each on a hinge with more in it."""
    return robot(tmp_path, '<link name="base"/>', *(LINK.format(name, 1, "0.5 0 0") for name in ("one", "two", "three")), *(text.format(own) for text, own in zip(HINGED, more, strict=True)))


def test_chains_of_mimics_begin_where_they_are_coupled_in_any_order(tmp_path):
    free = '<limit lower="0.2" upper="1"/>'
    with pytest.warns(sl.ModelWarning, match="joints/c: has limits that leave out 0"):
        m = sl.read_urdf(hand(tmp_path, '<mimic joint="b" multiplier="2" offset="0.1"/>', '<mimic joint="c" multiplier="-1"/>', free))
    result = m.simulate(until=0.01, step=1e-3)
    assert [result[m[name].coordinate][0] for name in "abc"] == pytest.approx([-0.3, -0.2, 0.2], abs=1e-12)


def test_a_mimicking_joint_stops_at_its_own_limits(tmp_path):
    """They were left out without a word; where the other joint stops it before, it has none."""
    wide = '<limit lower="-1" upper="1"/>'
    m = quiet(hand(tmp_path, wide, '<limit lower="-2" upper="0.5"/><mimic joint="a" multiplier="2"/>', wide + '<mimic joint="a" multiplier="-1"/>'))
    assert {name for name in m if "stop" in name} == {"a_lower_stop", "a_upper_stop", "b_upper_stop"}
    m["a"].velocity, m["b"].velocity, m["c"].velocity = 1.0, 2.0, -1.0
    result = m.simulate(until=1.0, step=1e-3)
    assert result[m["a"].coordinate].last == pytest.approx(0.25, abs=2e-3)


def test_mistakes_of_a_joint_are_reported_once(tmp_path):
    with pytest.raises(sl.ModelError) as error:
        sl.read_urdf(hand(tmp_path, '<limit lower="1" upper="0"/>', '<limit lower="-1" upper="1"/>', '<limit lower="-1" upper="1"/>'))
    assert len(error.value.faults) == 1
    with pytest.raises(sl.ModelError) as error:  # not that the link of a joint that cannot be read is a second base
        sl.read_urdf(robot(tmp_path, '<link name="a"/>', '<link name="b"/>', JOINT.format("j", "revolut", "a", "b", "")))
    assert len(error.value.faults) == 1


def test_limits_in_degrees_and_what_a_floating_joint_cannot_have_are_reported(tmp_path):
    with pytest.warns(sl.ModelWarning, match=r'is -90 to 90 rad, 28.6 turns; if degrees are meant, write lower="-1.5708" upper="1.5708"'):
        sl.read_urdf(hinged(tmp_path, '<limit lower="-90" upper="90"/>', kind="revolute"))
    with pytest.warns(sl.ModelWarning, match="joints/hinge/dynamics: is not taken: the joint is floating"):
        sl.read_urdf(hinged(tmp_path, '<dynamics damping="1"/>', kind="floating"))


def test_a_rotor_that_has_inertia_but_no_mass_turns(tmp_path):
    rotor = '<link name="rotor"><inertial><mass value="0"/><inertia ixx="0.1" iyy="0.1" izz="0.2"/></inertial></link>'
    m = quiet(robot(tmp_path, '<link name="base"/>', rotor, JOINT.format("j", "continuous", "base", "rotor", '<axis xyz="0 0 1"/>')))
    m.add(sl.items.CoordinateLoad(on=m["j"], force=0.4))
    assert m.simulate(until=1.0, tolerance=1e-9)[m["j"].rate].last == pytest.approx(2.0, rel=1e-6)


def test_a_free_base_without_mass_takes_that_of_what_is_fixed_to_it(tmp_path):
    """The usual base_footprint; it turns about the common centre as the chassis alone would."""
    wheel = JOINT.format("axle", "continuous", "chassis", "wheel", '<origin xyz="0 1 0"/><axis xyz="0 1 0"/>')
    parts = [LINK.format("chassis", 2, "0.1 0.2 0"), LINK.format("wheel", 1, "0 0 0"), wheel]
    foot = ['<link name="foot"/>', JOINT.format("up", "fixed", "foot", "chassis", '<origin xyz="0 0 0.5" rpy="0.3 0.2 0.1"/>')]
    place, alone = quiet(robot(tmp_path, *foot, *parts), base="free"), quiet(robot(tmp_path, *parts), base="free")
    spin = place["chassis"].reference[1] @ (0.3, -0.5, 2.0)
    place["foot"].angular_velocity, alone["chassis"].angular_velocity = spin, (0.3, -0.5, 2.0)
    for m in (place, alone):
        m.gravity = (0, 0, 0)
    ends = [m.simulate(until=0.5, tolerance=1e-10)["axle.rate"].last for m in (place, alone)]
    assert abs(ends[0]) > 1e-3 and ends[0] == pytest.approx(ends[1], rel=1e-6)
    with pytest.raises(sl.ModelError, match="links/a: is free, and neither it nor what is fixed to it has mass; give it an <inertial>"):
        sl.read_urdf(robot(tmp_path, '<link name="a"/>'), base="free")


def test_a_mirrored_mesh_has_its_outside_outside(tmp_path):
    (tmp_path / "tip.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    m = quiet(robot(tmp_path, '<link name="tip"><visual><geometry><mesh filename="tip.obj" scale="-1 2 3"/></geometry></visual></link>'))
    p = np.array(m["tip"]._look["points"])
    assert sum(np.dot(p[a], np.cross(p[b], p[c])) / 6 for a, b, c in m["tip"]._look["faces"]) == pytest.approx(1.0)


def test_an_unknown_encoding_and_packages_that_are_none_are_reported(tmp_path):
    file = tmp_path / "robot.urdf"
    file.write_bytes(b'<?xml version="1.0" encoding="no-such"?><robot name="r"/>')
    with pytest.raises(sl.ModelError, match="cannot be read: .*; save it as UTF-8"):
        sl.read_urdf(file)
    with pytest.raises(sl.ModelError, match="read_urdf/packages: is 'folder', expected folders by names"):
        sl.read_urdf(hinged(tmp_path), packages="folder")


def test_what_commands_do_not_draw_is_reported_once(tmp_path):
    look = '<visual><geometry><sphere radius="0.1"/></geometry></visual>'
    file = robot(tmp_path, f'<link name="a">{look}</link>', f'<link name="b">{look}</link>', JOINT.format("j", "fixed", "a", "b", ""))
    assert quiet(file)["a"]._look
    with pytest.warns(sl.ModelWarning) as warned:
        sl.Model.load(file)
    assert len(warned) == 1 and "links/a/visual: is not drawn here: shapes for contact are, and so 1 more; sl.read_urdf" in str(warned[0].message)
