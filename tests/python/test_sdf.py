"""Models in SDFormat: poses relative to frames, joints, limits, models inside models; the same motion as of a twin in URDF; what is refused."""

import warnings

import numpy as np
import pytest
from commands import saltus

import saltus as sl

INERTIAL = "<inertial><pose>{1}</pose><mass>{0}</mass><inertia><ixx>0.1</ixx><iyy>0.2</iyy><izz>0.25</izz></inertia></inertial>"
LINK = '<link name="{0}"><pose{3}>{4}</pose>' + INERTIAL.format("{1}", "{2}") + "{5}</link>"


def link(name, mass=1, center="0 0 0 0 0 0", pose="", relative="", more=""):
    return LINK.format(name, mass, center, f' relative_to="{relative}"' if relative else "", pose, more)


def joint(name, kind, parent, child, more="", axis="0 1 0", pose=""):
    return f'<joint name="{name}" type="{kind}"><parent>{parent}</parent><child>{child}</child>{pose}<axis><xyz>{axis}</xyz>{more}</axis></joint>'


def model(tmp_path, *parts, name="robot.sdf"):
    file = tmp_path / name
    file.write_text("\n".join(['<sdf version="1.9"><model name="r">', *parts, "</model></sdf>"]))
    return file


def quiet(file, **keywords):
    with warnings.catch_warnings():
        warnings.simplefilter("error", sl.ModelWarning)
        return sl.read_sdf(file, **keywords)


def test_a_hinge_swings_as_the_closed_form_says(tmp_path):
    m = quiet(model(tmp_path, link("bar", 2, "0.5 0 0 0 0 0"), joint("hinge", "revolute", "world", "bar")))
    assert m.state()["hinge.coordinate_acceleration"] == pytest.approx(9.81 / 0.7, rel=1e-12)


def test_poses_are_relative_to_what_they_name(tmp_path):
    a, turn = np.array((0.1, -0.2, 0.3)), (0.3, -0.5, 1.1)
    R = sl.Rotation.of_angles("xyz", turn).matrix
    text = "0.1 -0.2 0.3 0.3 -0.5 1.1"
    m = quiet(model(tmp_path, link("two", pose="0 0.5 0 0 0 0", relative="one"), link("one", pose=text), '<frame name="tip" attached_to="one"><pose>1 0 0 0 0 0</pose></frame>', link("three", pose="0 0 1 0 0 0", relative="tip"),
                    '<link name="four"><pose degrees="true">0 0 0 0 0 90</pose></link>'))  # fmt: skip
    assert np.allclose(m["one"].reference[0], a, atol=1e-15) and np.allclose(m["one"].reference[1], R, atol=1e-15)
    assert np.allclose(m["two"].reference[0], a + R @ (0, 0.5, 0), atol=1e-15) and np.allclose(m["three"].reference[0], a + R @ (1, 0, 1), atol=1e-15)
    assert np.allclose(m["four"].reference[1][:, 0], (0, 1, 0), atol=1e-15)


def test_the_same_robot_in_urdf_moves_the_same(tmp_path):
    """Links at poses of the model, joints in the middle of links, axes of the model: a chain of three, against URDF whose links stand on their joints."""
    sdf = model(tmp_path, link("one", 1.5, "0.2 0 0 0.1 0 0", pose="0 0 1 0 0 0"), link("two", 0.7, "0.1 0 0.1 0 0 0", pose="0.5 0.1 1 0.2 0 0"), joint("a", "revolute", "world", "one", "<dynamics><damping>0.3</damping></dynamics>"),
                joint("b", "prismatic", "one", "two", axis='0 0.6 0.8').replace("<xyz>", '<xyz expressed_in="__model__">'))  # fmt: skip
    c, s = np.cos(0.2), np.sin(0.2)
    inertial = '<inertial><origin xyz="{1}" rpy="{2}"/><mass value="{0}"/><inertia ixx="0.1" iyy="0.2" izz="0.25" ixy="0" ixz="0" iyz="0"/></inertial>'
    urdf = tmp_path / "robot.urdf"
    urdf.write_text(f"""<robot name="r"><link name="base"/><link name="one">{inertial.format(1.5, "0.2 0 0", "0.1 0 0")}</link><link name="two">{inertial.format(0.7, "0.1 0 0.1", "0 0 0")}</link>
      <joint name="a" type="continuous"><parent link="base"/><child link="one"/><origin xyz="0 0 1"/><axis xyz="0 1 0"/><dynamics damping="0.3"/></joint>
      <joint name="b" type="prismatic"><parent link="one"/><child link="two"/><origin xyz="0.5 0.1 0" rpy="0.2 0 0"/><axis xyz="0 {0.6 * c + 0.8 * s} {0.8 * c - 0.6 * s}"/><limit lower="-9" upper="9"/></joint></robot>""")
    first, second = (m.simulate(until=0.3, tolerance=1e-10) for m in (quiet(sdf), sl.read_urdf(urdf)))
    for quantity in ("a.coordinate", "b.coordinate"):
        assert abs(first[quantity].last) > 0.01 and first[quantity].last == pytest.approx(second[quantity].last, rel=1e-7)


def test_a_joint_beside_the_origin_of_its_link_turns_about_itself(tmp_path):
    m = quiet(model(tmp_path, link("bar", 2, pose="0.5 0 0 0 0 0"), joint("hinge", "revolute", "world", "bar", pose="<pose>-0.5 0 0 0 0 0</pose>")))
    assert m.state()["hinge.coordinate_acceleration"] == pytest.approx(9.81 / 0.7, rel=1e-12)
    result = m.simulate(until=0.2, tolerance=1e-9)
    q = result["hinge.coordinate"].last
    assert result["bar.position"].last == pytest.approx([0.5 * np.cos(q), 0, -0.5 * np.sin(q)], abs=1e-9)


def test_limits_stop_springs_pull_and_friction_holds(tmp_path):
    more = "<limit><lower>-0.2</lower><upper>0.3</upper></limit>"
    m = quiet(model(tmp_path, link("bar", 2, "0.5 0 0 0 0 0"), joint("hinge", "revolute", "world", "bar", more)))
    assert m.simulate(until=1.0, step=1e-3)["hinge.coordinate"].last == pytest.approx(0.3, abs=1e-6)
    m = quiet(model(tmp_path, link("bar", 2, "0.5 0 0 0 0 0"), joint("hinge", "revolute", "world", "bar", "<dynamics><spring_stiffness>50</spring_stiffness><spring_reference>0.1</spring_reference></dynamics>")))
    assert m.state()["hinge.coordinate_acceleration"] == pytest.approx((9.81 + 5) / 0.7, rel=1e-12)
    m = quiet(model(tmp_path, link("bar", 2, "0.5 0 0 0 0 0"), joint("hinge", "revolute", "world", "bar", "<dynamics><friction>9.9</friction></dynamics>")))
    assert abs(m.simulate(until=0.1, step=1e-3)["hinge.coordinate"].last) < 1e-12


def test_a_screw_climbs_by_its_thread(tmp_path):
    """1 m per turn: (m r^2 + J) alpha = m g r, r = 1/(2 pi) m."""
    nut = joint("s", "screw", "world", "nut", axis="0 0 1").replace("</joint>", "<screw_thread_pitch>1.0</screw_thread_pitch></joint>")
    m = quiet(model(tmp_path, link("nut", 2), nut))
    r = 0.5 / np.pi
    result = m.simulate(until=0.2, tolerance=1e-9)
    assert result["nut.position.z"].last == pytest.approx(r * result["s.coordinate"].last, abs=1e-9)
    assert result["s.coordinate"].last == pytest.approx(-0.5 * 2 * 9.81 * r / (2 * r * r + 0.25) * 0.04, rel=1e-6)


def test_universal_ball_and_free_links_move_in_their_directions(tmp_path):
    cross = joint("u", "universal", "world", "a", axis="1 0 0").replace("</joint>", "<axis2><xyz>0 1 0</xyz></axis2></joint>")
    m = quiet(model(tmp_path, link("a", 1, "0 0 -0.5 0 0 0"), link("b", 1, "0.5 0 0 0 0 0", pose="0 3 0 0 0 0"), link("c", pose="0 6 0 0 0 0"), cross, '<joint name="socket" type="ball"><parent>world</parent><child>b</child></joint>'))
    m["u"].velocity, m["u_2"].velocity = 1.0, 2.0
    result = m.simulate(until=0.2, tolerance=1e-8)
    assert result["u.coordinate"].last > 0.1 and result["u_2.coordinate"].last > 0.2
    assert result["b.position"].last == pytest.approx([0, 3, 0], abs=1e-7) and result["b.angular_velocity"].last[1] > 0.5
    assert result["c.position"].last == pytest.approx([0, 6, -0.5 * 9.81 * 0.04], abs=1e-6)


def test_models_stand_inside_models_from_files_too(tmp_path):
    (tmp_path / "finger").mkdir()
    (tmp_path / "finger" / "model.sdf").write_text(f'<sdf version="1.9"><model name="finger">{link("tip", pose="0 0 0.1 0 0 0")}</model></sdf>')
    nested = f'<model name="hand"><pose>0 0 1 0 0 0</pose>{link("palm")}</model>'
    include = "<include><uri>model://finger</uri><name>left</name><pose>1 0 0 0 0 0</pose></include>"
    m = quiet(model(tmp_path, link("base"), nested, include, joint("wrist", "fixed", "base", "hand::palm"), joint("knuckle", "revolute", "base", "left::tip")))
    assert m["hand_palm"].reference[0].tolist() == [0, 0, 1] and m["left_tip"].reference[0].tolist() == [1, 0, 0.1]
    (tmp_path / "finger" / "model.sdf").write_text('<sdf version="1.9"><model name="finger"><include><uri>model://finger</uri></include></model></sdf>')
    with pytest.raises(sl.ModelError, match="includes itself: robot.sdf -> model.sdf -> model.sdf"):
        sl.read_sdf(tmp_path / "robot.sdf")


def test_shapes_touch_and_static_models_stand(tmp_path):
    box = "<collision name='c'><pose>0 0 -0.1 0 0 0</pose><geometry><box><size>0.2 0.2 0.2</size></box></geometry></collision>"
    m = quiet(model(tmp_path, link("crate", more=box, pose="0 0 0.5 0 0 0")))
    m.contact(m.plane(at=(0, 0, 0.29)), m["crate_collision"], friction=0.5)
    assert m.simulate(until=0.5, step=1e-3)["crate.position.z"].last == pytest.approx(0.49, abs=1e-6)
    m = quiet(model(tmp_path, "<static>true</static>", link("wall")))
    assert m["wall"].reference[0].tolist() == [0, 0, 0]


def test_a_link_of_a_tree_without_gravity_does_not_fall(tmp_path):
    m = quiet(model(tmp_path, link("bar", 2, "0.5 0 0 0 0 0", more="<gravity>false</gravity>"), joint("hinge", "revolute", "world", "bar")))
    assert m.state()["hinge.coordinate_acceleration"] == pytest.approx(0, abs=1e-13)


def test_a_joint_without_range_is_fixed(tmp_path):
    limit = "<limit><lower>{0}</lower><upper>{0}</upper></limit>"
    m = quiet(model(tmp_path, link("bar", 2, "0.5 0 0 0 0 0"), joint("hinge", "revolute", "world", "bar", limit.format(0))))
    assert "hinge" not in m and m["bar"].fields["joint"] == "fixed"
    with pytest.raises(sl.ModelError, match="axis/limit: is 0.2 to 0.2: it leaves no range"):
        sl.read_sdf(model(tmp_path, link("bar"), joint("hinge", "revolute", "world", "bar", limit.format(0.2))))


def test_what_is_inside_a_static_model_stands_too(tmp_path):
    m = quiet(model(tmp_path, "<static>true</static>", link("wall"), link("door"), joint("hinge", "revolute", "wall", "door"), f'<model name="shelf">{link("board")}</model>'))
    assert all(m[name].fields["joint"] == "fixed" for name in ("wall", "door", "shelf_board"))
    model(tmp_path, link("post"), name="post.sdf")
    m = quiet(model(tmp_path, link("base"), "<include><uri>post.sdf</uri><name>p</name><static>true</static></include>"))
    assert m["p_post"].fields["joint"] == "fixed"


def test_what_a_world_has_beside_models_is_reported(tmp_path):
    file = tmp_path / "robot.sdf"
    text = f'<sdf version="{{1}}"><world name="w"><model name="r">{link("a")}</model>{{0}}</world>{{2}}</sdf>'
    for more, version, message in (("<joint name='j' type='fixed'/>", "1.9", "world/joint: stands in the world"), ("<frame name='f'/>", "1.9", "world/frame: stands in the world"), ("", "1.4", "sdf/version: is 1.4")):
        file.write_text(text.format(more, version, ""))
        with pytest.raises(sl.ModelError, match=message):
            sl.read_sdf(file)
    file.write_text(text.format("<wind/>", "1.11", "<world name='v'/>"))
    with pytest.warns(sl.ModelWarning) as warned:
        sl.read_sdf(file)
    assert all(any(words in str(each.message) for each in warned) for words in ("<wind>: is not taken", "<world>: is not taken: the first world is"))


@pytest.mark.parametrize(("parts", "message"), [
    ([link("a"), link("a")], "robot.sdf:3 links/a: is there already, at line 2"),
    ([link("a", mass="nan")], "links/a/inertial/mass: has 'nan', which is no finite number"),
    ([link("a", mass="-1")], "links/a/inertial/mass: is -1 kg, must be above 0"),
    ([link("a"), joint("j", "hinge", "world", "a")], "robot.sdf:3 joints/j/type: is 'hinge'"),
    ([link("hand"), joint("j", "fixed", "world", "hnad")], "joints/j/child: names the link 'hnad', which is not there; did you mean \"hand\"?"),
    ([link("a"), joint("j", "fixed", "a", "a")], "joints/j: joins 'a' to itself"),
    ([link("a"), joint("j", "revolute", "world", "a", axis="0 0 0")], "joints/j/axis/xyz: has length zero"),
    ([link("a", pose="0 0 0 0 0 0", relative="b"), link("b", pose="0 0 0 0 0 0", relative="a")], "leads round in a circle"),
    ([link("a", pose="1 2 3")], "links/a/pose: has 3 numbers, expected 6"),
    ([link("a"), link("b"), joint("j", "fixed", "a", "b"), joint("k", "fixed", "b", "a")], "its joints lead round in a circle"),
    ([link("a", more="<collision><geometry><sphere><radius>-1</radius></sphere></geometry></collision>")], "links/a/collision/sphere/radius: is -1, must be above 0 m"),
    ([link("a", more="<collision><geometry><mesh><uri>http://x/y.stl</uri></mesh></geometry></collision>")], "only files of this machine are read"),
])  # fmt: skip
def test_mistakes_are_reported_with_their_line(tmp_path, parts, message):
    with pytest.raises(sl.ModelError) as error:
        sl.read_sdf(model(tmp_path, *parts))
    assert message in str(error.value)


def test_commands_take_a_model_in_sdf_and_tell_what_is_left_out(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    model(tmp_path, link("bar", more="<sensor name='s'/>"), joint("hinge", "revolute", "world", "bar"), "<plugin name='p'/>")
    done = saltus("check", "robot.sdf")
    assert done.code == 0 and "<sensor>: is not taken" in done.err + done.out and "<plugin>: is not taken" in done.err + done.out


@pytest.mark.parametrize(("text", "message", "remedy"), [
    ("<robot/>", "is a robot in URDF, not a model in SDF", "sl.read_urdf reads it"),
    ("<mujoco/>", "is a model in MJCF, not a model in SDF", "sl.read_mjcf reads it"),
    ("<html/>", "begins with <html>, not a model in SDF", "SDF begins with <sdf>"),
])  # fmt: skip
def test_a_file_in_another_format_is_refused_with_its_reader(tmp_path, text, message, remedy):
    (tmp_path / "robot.xml").write_text(text)
    with pytest.raises(sl.ModelError) as error:
        sl.read_sdf(tmp_path / "robot.xml")
    assert message in str(error.value) and remedy in str(error.value)


def test_more_files_inside_each_other_than_allowed_are_no_circle(tmp_path):
    for i in range(23):
        model(tmp_path, link("a") if i == 22 else f"<include><uri>part_{i + 1}.sdf</uri><name>n{i}</name></include>", name=f"part_{i}.sdf")
    with pytest.raises(sl.ModelError, match=r"part_20.sdf:2 include: is one of more than 20 files that include each other") as error:
        sl.read_sdf(tmp_path / "part_0.sdf")
    assert "itself" not in str(error.value)
