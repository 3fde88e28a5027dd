"""Models in MJCF: places, masses, joints, geoms, classes, frames, tendons, actuators, equalities, contacts; what is refused, and what is noted."""

import warnings

import numpy as np
import pytest
from commands import saltus

import saltus as sl

BALL = '<geom size="0.1" mass="2"/>'


def model(tmp_path, text, name="robot.xml", head=""):
    file = tmp_path / name
    file.write_text(f'<mujoco model="r"><compiler angle="radian"/>{head}\n{text}\n</mujoco>')
    return file


def world(tmp_path, text, more="", head=""):
    return model(tmp_path, f"<worldbody>\n{text}\n</worldbody>\n{more}", head=head)


def quiet(file, **keywords):
    with warnings.catch_warnings():
        warnings.simplefilter("error", sl.ModelWarning)
        return sl.read_mjcf(file, **keywords)


# A bar of 2 kg whose centre is 0.5 m from its hinge about y, along x.
BAR = '<body name="bar"><joint name="hinge" axis="0 1 0" {0}/><inertial pos="0.5 0 0" mass="2" diaginertia="0.1 0.2 0.25"/>{1}</body>'


def bar(tmp_path, joint="", more="", after="", head=""):
    return world(tmp_path, BAR.format(joint, more), after, head)


def test_a_hinge_swings_as_the_closed_form_says(tmp_path):
    m = quiet(bar(tmp_path))
    assert m.state()["hinge.coordinate_acceleration"] == pytest.approx(2 * 9.81 * 0.5 / (0.2 + 2 * 0.25), rel=1e-12)


def test_damping_slows_and_a_spring_holds_as_closed_forms_say(tmp_path):
    m = quiet(bar(tmp_path, 'damping="0.35"', head='<option gravity="0 0 0"/>'))
    m["hinge"].velocity = 2.0
    assert m.simulate(until=1.0, tolerance=1e-9)[m["hinge"].rate].last == pytest.approx(2.0 * np.exp(-0.35 / 0.7), rel=1e-6)
    m = quiet(bar(tmp_path, 'stiffness="70" springref="0.4"', head='<option gravity="0 0 0"/>'))
    result = m.simulate(until=0.3, tolerance=1e-9)
    assert result[m["hinge"].coordinate].last == pytest.approx(0.4 * (1 - np.cos(10 * 0.3)), abs=1e-7)


@pytest.mark.parametrize(("friction", "moves"), [(9.9, False), (9.7, True)])  # the weight's moment is 9.81 N m
def test_dry_friction_holds_up_to_its_bound(tmp_path, friction, moves):
    m = quiet(bar(tmp_path, f'frictionloss="{friction}"'))
    angle = m.simulate(until=0.2, step=1e-3)[m["hinge"].coordinate].last
    assert (angle > 1e-4) if moves else abs(angle) < 1e-12


def test_a_joint_stops_at_its_range_in_degrees_too(tmp_path):
    for head, top in (("", "0.3"), ('<compiler angle="degree"/>', str(np.degrees(0.3)))):
        m = quiet(bar(tmp_path, f'range="-0.2 {top}"', head=head))
        angle = m.simulate(until=1.0, step=1e-3)[m["hinge"].coordinate]
        assert angle.last == pytest.approx(0.3, abs=1e-6) and angle.max() < 0.3 + 6e-3


def test_an_armature_adds_to_what_the_joint_moves(tmp_path):
    m = quiet(bar(tmp_path, 'armature="0.3"'))
    assert m.state()["hinge.coordinate_acceleration"] == pytest.approx(9.81 / (0.7 + 0.3), rel=1e-12)


@pytest.mark.parametrize(("text", "R"), [
    ('euler="0.3 -0.5 1.1"', sl.Rotation.of_angles("XYZ", (0.3, -0.5, 1.1)).matrix),  # about axes that go along
    ('axisangle="0 0 2 0.5"', sl.Rotation.of_angles("z", (0.5,)).matrix),
    ('xyaxes="0 2 0 -1 5 0"', [[0, -1, 0], [1, 0, 0], [0, 0, 1]]),
    ('zaxis="3 0 0"', [[0, 0, 1], [0, 1, 0], [-1, 0, 0]]),
    ('quat="0.6 0.8 0 0"', [[1, 0, 0], [0, -0.28, -0.96], [0, 0.96, -0.28]]),
])  # fmt: skip
def test_places_follow_pos_and_any_way_to_turn(tmp_path, text, R):
    p, made = quiet(world(tmp_path, f'<body name="a" pos="1 2 3" {text}><joint/>{BALL}</body>'))["a"].reference
    assert np.allclose(p, (1, 2, 3), atol=1e-15) and np.allclose(made, R, atol=1e-14)


def test_classes_nest_and_reach_what_stands_below(tmp_path):
    head = """<default><joint damping="1"/><default class="arm"><joint damping="2" armature="0.1"/><default class="soft"><joint stiffness="3"/></default></default></default>"""
    arms = f"""<body name="a"><joint name="one"/>{BALL}</body>
      <body name="b" childclass="arm"><joint name="two"/>{BALL}<body name="c"><joint name="three" class="soft" damping="5"/>{BALL}</body></body>"""
    m = quiet(world(tmp_path, arms, head=head))
    assert [m[f"{name}_damping"].fields["damping"] for name in ("one", "two", "three")] == [1, 2, 5]
    assert m["three_spring"].fields["stiffness"] == 3 and m["c"].fields["armature"] == 0.1 and not m["a"].fields.get("armature")


def test_frames_move_what_stands_in_them_and_replicas_turn_on(tmp_path):
    inside = f'<body name="a" pos="1 0 0"><joint name="j" axis="1 0 0"/>{BALL}</body>'
    m = quiet(world(tmp_path, f'<frame pos="0 0 1" euler="0 0 1.5707963267948966">{inside}</frame>'))
    assert np.allclose(m["a"].reference[0], (0, 1, 1), atol=1e-15) and np.allclose(m["a"].reference[1][:, 0], (0, 1, 0), atol=1e-15)
    spoke = f'<body name="spoke" pos="1 0 0"><joint/>{BALL}</body>'
    m = quiet(world(tmp_path, f'<replicate count="4" euler="0 0 1.5707963267948966" sep="_">{spoke}</replicate>'))
    assert np.allclose([m[f"spoke_{i}"].reference[0] for i in range(4)], [(1, 0, 0), (0, 1, 0), (-1, 0, 0), (0, -1, 0)], atol=1e-15)


def test_several_joints_on_a_body_act_in_turn_about_their_anchors(tmp_path):
    """A slide along x, then a hinge about z 1 m beside the body's origin: at 90 degrees the origin is where the formula says."""
    m = quiet(world(tmp_path, f'<body name="a"><joint name="s" type="slide" axis="1 0 0"/><joint name="h" axis="0 0 1" pos="1 0 0"/>{BALL}</body>',
                    '<keyframe><key name="k" qpos="0.5 1.5707963267948966"/></keyframe>'), keyframe="k")  # fmt: skip
    assert np.allclose(m["a"].reference[0], (1.5, -1, 0), atol=1e-14)
    assert m.state()["a.position"] == pytest.approx([1.5, -1, 0], abs=1e-14)


@pytest.mark.parametrize(("geom", "mass", "inertia"), [
    ('type="sphere" size="0.1" density="500"', 500 * 4 / 3 * np.pi * 1e-3, None),
    ('type="box" size="0.1 0.2 0.3" mass="6"', 6, [6 / 3 * (0.04 + 0.09), 6 / 3 * (0.01 + 0.09), 6 / 3 * (0.01 + 0.04)]),
    ('type="cylinder" size="0.1 0.3" mass="6"', 6, [6 * (3 * 0.01 + 0.36) / 12] * 2 + [6 * 0.005]),
    ('type="capsule" fromto="0 0 -0.3 0 0 0.3" size="0.1"', 1000 * (np.pi * 0.01 * 0.6 + 4 / 3 * np.pi * 1e-3), None),
    ('type="ellipsoid" size="0.1 0.2 0.3" mass="5"', 5, [0.04 + 0.09, 0.01 + 0.09, 0.01 + 0.04]),
])  # fmt: skip
def test_bodies_have_the_masses_of_their_geoms(tmp_path, geom, mass, inertia):
    fields = quiet(world(tmp_path, f'<body name="a"><joint/><geom {geom}/></body>'))["a"].fields
    assert fields["mass"] == pytest.approx(mass, rel=1e-14)
    if inertia is not None:
        assert np.allclose(np.array([list(row) for row in fields["inertia"]]), np.diag(inertia), atol=1e-15)


def test_the_mass_of_a_mesh_is_that_of_its_solid(tmp_path):
    tetrahedron = '<mesh name="t" inertia="{}" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 2 1 0 1 3 0 3 2 1 2 3"/>'
    for kind in ("exact", "convex", "legacy"):
        fields = quiet(world(tmp_path, '<body name="a"><joint/><geom type="mesh" mesh="t" density="6"/></body>', head=f"<asset>{tetrahedron.format(kind)}</asset>"))["a"].fields
        assert fields["mass"] == pytest.approx(1, rel=1e-14) and np.allclose(fields["center_of_mass"], 0.25, atol=1e-15)
        assert fields["inertia"][0][0] == pytest.approx(3 / 40, rel=1e-13)  # of a corner tetrahedron about its centre


def test_a_free_body_falls_and_a_ball_joint_swings_in_all_directions(tmp_path):
    stone = f'<body name="stone" pos="1 0 0"><freejoint/>{BALL}</body>'
    bob = '<body name="bob" pos="0 0 2"><joint name="socket" type="ball"/><geom size="0.1" pos="0.6 0 0" mass="1"/></body>'
    m = quiet(world(tmp_path, stone + bob), contacts=False)
    result = m.simulate(until=0.3, tolerance=1e-8)
    assert result[m["stone"].position].last == pytest.approx([1, 0, -0.5 * 9.81 * 0.09], abs=1e-6)
    assert np.allclose(result[m["bob"].position], (0, 0, 2), atol=1e-7)
    assert result[m["bob"].angular_velocity].last[1] > 1.0


def test_springs_and_dampers_of_balls_are_a_warning(tmp_path):
    file = world(tmp_path, f'<body name="bob"><joint name="socket" type="ball" damping="0.1" stiffness="2"/>{BALL}</body>')
    with pytest.warns(sl.ModelWarning) as warnings:
        sl.read_mjcf(file)
    assert {str(w.message).split("joints/")[1] for w in warnings} == {f"socket/{word}: is not taken of a ball joint" for word in ("damping", "stiffness")}


def test_a_motor_pushes_as_far_as_its_ranges_let_it(tmp_path):
    motor = '<actuator><motor name="push" joint="hinge" gear="5" ctrlrange="-1 1" forcerange="-0.8 0.8"/></actuator>'
    m = quiet(bar(tmp_path, after=motor, head='<option gravity="0 0 0"/>'))
    state = m.state(step=1e-3)
    for control, force in ((0.5, 2.5), (3.0, 4.0), (-9.0, -4.0)):
        state["push_ctrl"] = control
        assert state["hinge.coordinate_acceleration"] == pytest.approx(force / 0.7, rel=1e-12)


@pytest.mark.parametrize(("actuator", "force"), [  # at the control 1, the coordinate 0.4 and the rate 0.3
    ('<position joint="hinge" kp="10" kv="2"/>', 10 * (1 - 0.4) - 2 * 0.3),
    ('<velocity joint="hinge" kv="4"/>', 4 * (1 - 0.3)),
    ('<position joint="hinge" kp="10" gear="2"/>', 2 * 10 * (1 - 2 * 0.4)),
    ('<position joint="hinge" kp="10" dampratio="1"/>', 10 * 0.6 - 2 * np.sqrt(10 * 0.7) * 0.3),
    ('<general joint="hinge" gainprm="3" biastype="affine" biasprm="0.5 -2 -1"/>', 3 + 0.5 - 2 * 0.4 - 0.3),
    ('<damper joint="hinge" kv="4" ctrlrange="0 2"/>', -4 * 0.3),
    ('<position joint="hinge" kp="10" inheritrange="1"/>', 10 * (0.9 - 0.4)),
])  # fmt: skip
def test_actuators_have_the_forces_of_their_laws(tmp_path, actuator, force):
    more = f'<actuator>{actuator}</actuator><keyframe><key name="k" qpos="0.4" qvel="0.3" ctrl="1"/></keyframe>'
    m = quiet(bar(tmp_path, 'range="-0.9 0.9"', after=more, head='<option gravity="0 0 0"/>'), keyframe="k")
    assert m.state()["hinge.coordinate_acceleration"] * 0.7 == pytest.approx(force, rel=1e-12)


def test_a_filtered_control_follows_with_its_time_constant(tmp_path):
    motor = '<actuator><general name="slow" joint="hinge" dyntype="filter" dynprm="0.1" gainprm="7"/></actuator>'
    m = quiet(bar(tmp_path, after=motor, head='<option gravity="0 0 0"/>'))
    m.parameters["slow_ctrl"] = 1.0
    rate = m.simulate(until=0.3, tolerance=1e-9)[m["hinge"].rate].last
    assert rate == pytest.approx(10 * (0.3 - 0.1 * (1 - np.exp(-3))), rel=1e-6)


def test_a_thrust_at_a_site_goes_with_its_body(tmp_path):
    drone = f'<body name="a"><freejoint/>{BALL}<site name="rotor" euler="0 1.5707963267948966 0"/></body>'
    m = quiet(world(tmp_path, drone, '<actuator><motor name="thrust" site="rotor" gear="0 0 1 0 0 0.5"/></actuator>', '<option gravity="0 0 0"/>'))
    state = m.state(step=1e-3)
    state["thrust_ctrl"] = 4.0
    assert np.allclose(state["a.acceleration"], (2, 0, 0), atol=1e-14) and np.allclose(state["a.angular_acceleration"], (2 / 0.008, 0, 0), atol=1e-11)


def test_a_fixed_tendon_couples_joints_by_its_spring(tmp_path):
    two = BAR.format("", "") + f'<body name="b"><joint name="other" axis="0 1 0"/>{BALL}</body>'
    tendon = '<tendon><fixed stiffness="10" springlength="0.1"><joint joint="hinge" coef="2"/><joint joint="other" coef="-1"/></fixed></tendon>'
    state = quiet(world(tmp_path, two, tendon, '<option gravity="0 0 0"/>'), contacts=False).state()
    assert state["hinge.coordinate_acceleration"] * 0.7 == pytest.approx(10 * 0.1 * 2, rel=1e-12)
    assert state["other.coordinate_acceleration"] * 0.008 == pytest.approx(-10 * 0.1, rel=1e-12)


def test_a_tendon_round_a_cylinder_is_as_long_as_the_way_round_it(tmp_path):
    """From (-1, 0) to (1, 0) over a cylinder of 0.5 m about the origin: two tangents of sqrt(1 - 0.25) and a third of a turn; the site at the side says which way."""
    for side in (1, -1):
        body = f'<geom name="drum" type="cylinder" size="0.5 0.2" contype="0" conaffinity="0"/><site name="a" pos="-1 0 0"/><site name="side" pos="0 {side} 0"/><body name="b"><joint name="j" type="slide" axis="0 1 0"/>{BALL}<site name="b" pos="1 0 0"/></body>'
        tendon = '<tendon><spatial name="rope" stiffness="10" springlength="1"><site site="a"/><geom geom="drum" sidesite="side"/><site site="b"/></spatial></tendon>'
        m = quiet(world(tmp_path, body, tendon, '<option gravity="0 0 0"/>'), contacts=False)
        length = 2 * np.sqrt(0.75) + 0.5 * np.pi / 3
        pull = -10 * (length - 1) * 0.5 * -side  # along the last tangent, which falls by 30 degrees
        assert m.state()["j.coordinate_acceleration"] * 2 == pytest.approx(pull, rel=1e-9)


def test_an_equality_closes_a_loop(tmp_path):
    """Two pendulums of 1 m, 1 m apart, and a bar of 1 m between their ends: they swing as one."""
    arm = '<body name="{0}" pos="{1} 0 0"><joint name="j{0}" axis="0 1 0"/><inertial pos="0 0 -0.5" mass="1" diaginertia="0.1 0.1 0.1"/>{2}</body>'
    text = arm.format("a", 0, '<body name="bar" pos="0 0 -1"><joint name="k" axis="0 1 0"/><inertial pos="0.5 0 0" mass="1" diaginertia="0.01 0.1 0.1"/></body>') + arm.format("b", 1, "")
    m = quiet(world(tmp_path, text, '<equality><connect body1="bar" body2="b" anchor="1 0 0"/></equality>'))
    m["ja"].velocity, m["jb"].velocity, m["k"].velocity = 1.0, 1.0, -1.0
    result = m.simulate(until=0.3, tolerance=1e-8)
    a, b = (result[m[name].coordinate] for name in ("ja", "jb"))
    assert a.last > 0.1 and np.allclose(a, b, atol=1e-7)


def test_welded_bodies_move_as_one(tmp_path):
    """A bar on a hinge with a free ball welded to its end swings as with the ball's inertia added; given a place in the bar the ball must stand there."""
    ball = '<body name="ball" pos="1 0 0"><freejoint/><geom size="0.1" mass="2" pos="0.1 0 0"/></body>'
    m = quiet(world(tmp_path, BAR.format("", "") + ball, '<equality><weld body1="bar" body2="ball"/></equality>'), contacts=False)
    assert m.state()["hinge.coordinate_acceleration"] == pytest.approx(9.81 * (2 * 0.5 + 2 * 1.1) / (0.7 + 2 * 1.21 + 0.4 * 2 * 0.01), rel=1e-9)


def test_an_equality_of_joints_couples_them_by_its_polynomial(tmp_path):
    two = BAR.format("", "") + f'<body name="b"><joint name="other" axis="0 1 0"/>{BALL}</body>'
    for coefficients, ratio in (("0 0.5", lambda x: 0.5 * x), ("0 0.5 0.3", lambda x: 0.5 * x + 0.3 * x**2)):
        m = quiet(world(tmp_path, two, f'<equality><joint joint1="other" joint2="hinge" polycoef="{coefficients}"/></equality>'), contacts=False)
        result = m.simulate(until=0.3, tolerance=1e-8)
        x = np.asarray(result[m["hinge"].coordinate])
        assert x[-1] > 0.3 and np.allclose(result[m["other"].coordinate], ratio(x), atol=1e-7)


def test_geoms_rest_on_the_floor_and_what_the_masks_part_falls_through(tmp_path):
    text = """<geom type="plane" size="1 1 1"/><body name="a" pos="0 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
      <body name="b" pos="1 0 0.1"><freejoint/><geom size="0.1" contype="2" conaffinity="2"/></body>"""
    result = quiet(world(tmp_path, text)).simulate(until=0.2, step=1e-3)
    assert result["a.position.z"].last == pytest.approx(0.1, abs=1e-6)
    assert result["b.position.z"].last == pytest.approx(0.1 - 0.5 * 9.81 * 0.04, abs=2e-3)


@pytest.mark.parametrize(("friction", "slides"), [(0.55, True), (0.60, False)])  # tan 30 degrees is 0.577
def test_a_pair_has_the_larger_friction_of_its_two_geoms(tmp_path, friction, slides):
    text = f"""<geom type="plane" size="1 1 1" friction="{friction}" euler="0 0.5235987755982988 0"/>
      <body name="a" pos="0.05 0 0.08660254037844387" euler="0 0.5235987755982988 0"><freejoint/><geom type="box" size="0.1 0.1 0.1" friction="0.1"/></body>"""
    way = quiet(world(tmp_path, text)).simulate(until=0.2, step=1e-3)["a.displacement"].last
    assert (np.linalg.norm(way) > 2e-3) == slides


def test_carriers_do_not_touch_what_they_carry_and_pairs_of_their_own_do(tmp_path):
    text = f"""<body name="a" pos="0 0 1"><joint name="ja"/>{BALL}<body name="b" pos="0.05 0 0"><joint name="jb"/>{BALL}<body name="c"><joint name="jc"/><geom name="tip" size="0.1" mass="1"/></body></body></body>"""
    m = quiet(world(tmp_path, text, '<contact><exclude body1="a" body2="c"/></contact>'))
    m.simulate(until=0.01, step=1e-3)
    assert {name for name in m if "apart" in name} == {"b_apart", "c_apart", "a_c_apart"}


def test_bodies_without_weight_float(tmp_path):
    text = f'<body name="a" gravcomp="1"><freejoint/>{BALL}</body>' + BAR.replace('name="bar"', 'name="bar" gravcomp="0.5"').format("", "")
    state = quiet(world(tmp_path, text), contacts=False).state()
    assert np.allclose(state["a.acceleration"], 0, atol=1e-14)
    assert state["hinge.coordinate_acceleration"] == pytest.approx(0.5 * 9.81 / 0.7, rel=1e-12)


def test_a_file_is_included_once_and_sensors_are_outputs(tmp_path):
    (tmp_path / "arm.xml").write_text(f"<mujocoinclude>{BAR.format('', '<site name=' + chr(34) + 'tip' + chr(34) + ' pos=' + chr(34) + '1 0 0' + chr(34) + '/>')}</mujocoinclude>")
    m = quiet(world(tmp_path, '<include file="arm.xml"/>', '<sensor><jointpos name="angle" joint="hinge"/><framepos name="tip_at" objtype="site" objname="tip"/></sensor>'))
    result = m.simulate(until=0.1, tolerance=1e-8)
    assert result["tip_at"].last == pytest.approx([np.cos(result["angle"].last), 0, -np.sin(result["angle"].last)], abs=1e-9)


def test_what_is_left_out_is_reported_with_its_line(tmp_path):
    text = f'<light pos="0 0 1"/>\n<light pos="0 0 2"/>\n<body name="a"><joint range="-1 1" solreflimit="0.01 1"/>{BALL}</body>'
    with pytest.warns(sl.ModelWarning) as warned:
        sl.read_mjcf(world(tmp_path, text, '<keyframe><key name="home" qpos="0.1"/></keyframe>', '<option timestep="0.004"/>'))
    text = "\n".join(str(each.message) for each in warned)
    assert "robot.xml:3 <light>: is not taken, and so 1 more" in text and "<joint>/solreflimit: is of MuJoCo's soft constraints" in text
    assert 'keyframe: is not taken: home; write sl.read_mjcf(..., keyframe="home") to begin there' in text and "option/timestep: is 0.004 s, and not taken" in text


ORPHAN = '<asset><mesh name="orphan" inertia="convex" vertex="0 0 1 1 0 0 0 1 0 -1 0 0 0 -1 0" face="0 1 2 0 2 3 0 3 4 0 4 1 1 4 3 1 3 2"/></asset><worldbody/>'


@pytest.mark.parametrize(("text", "message"), [
    ('<include file="robot.xml"/>', "include: includes itself: robot.xml -> robot.xml"),
    ('<worldbody><replicate count="2000000000" offset="1 0 0"><body><geom size="1"/></body></replicate></worldbody>', "replicate/count: is '2000000000', must be from 1 to 100000"),
    ("<worldbody>" + '<replicate count="1000">' * 3 + "<site/>" + "</replicate>" * 3 + "</worldbody>", "replicate: makes more than 100000 elements"),
    ('<worldbody><body/></worldbody><extension><plugin plugin="evil.so"/></extension>', "extension/plugin: names 'evil.so': it is not found, for plugins are not loaded"),
    ('<worldbody><body><geom size="nan"/></body></worldbody>', "robot.xml:2 geoms/body_geom/size: has 'nan', which is no finite number"),
    ('<worldbody><body name="a"><joint dampng="1"/></body></worldbody>', '<joint>/dampng: is not known; did you mean "damping"?'),
    ('<worldbody><body name="a"/><body name="a"/></worldbody>', "bodies/a: is there already, at line 2"),
    ('<worldbody><body><joint type="hing"/></body></worldbody>', "joints/body_joint/type: is 'hing'; did you mean \"hinge\"?"),
    ('<worldbody><body><joint axis="0 0 0"/></body></worldbody>', "joints/body_joint/axis: has length zero"),
    ('<worldbody><body><joint range="1 -1"/></body></worldbody>', "joints/body_joint/range: is 1 -1: the lower one must be below the upper one"),
    ('<worldbody><body><geom class="sott" size="1"/></body></worldbody>', "<geom>: is of the class 'sott', which is not there"),
    ('<worldbody><body><geom type="box" size="1 1"/></body></worldbody>', "geoms/body_geom/size: has 2 numbers, expected 3"),
    ('<worldbody><body><geom type="sphere" size="-1"/></body></worldbody>', "geoms/body_geom/size: is -1, must be above 0 m"),
    ('<worldbody><body><geom type="mesh" mesh="m"/></body></worldbody>', "geoms/body_geom/mesh: names the mesh 'm', which is not there"),
    ('<asset><mesh name="m" file="../../../etc/x.stl"/></asset><worldbody><body><geom type="mesh" mesh="m"/></body></worldbody>', "which leaves the folder of the robot"),
    ('<worldbody><body><inertial mass="-1" pos="0 0 0"/></body></worldbody>', "bodies/body/inertial/mass: is -1, must be at least 0 kg"),
    ('<worldbody/><actuator><motor joint="knee"/></actuator>', "actuators/actuator/joint: names the joint 'knee', which is not there"),
    ('<worldbody/><actuator><muscle joint="knee"/></actuator>', "actuators/actuator: is a <muscle>, which is not read"),
    ('<option density="1000"/><worldbody/>', "option/density: is 1000: bodies would swim in a fluid"),
    ("<worldbody><composite/></worldbody>", "<composite>: is made by MuJoCo, which is not read"),
    ('<worldbody/><contact><exclude body1="a" body2="b"/></contact>', "contact/exclude: names the body 'a', which is not there"),
    ('<default class="robot"/><worldbody/>', "default/robot: is the class of all, which is called main"),
    ('<option gravty="0 0 -1"/><worldbody/>', '<option>/gravty: is not known; did you mean "gravity"?'),
    ('<option><flag gravty="disable"/></option><worldbody/>', '<flag>/gravty: is not known; did you mean "gravity"?'),
    ('<option><flag gravity="off"/></option><worldbody/>', "<flag>/gravity: is 'off'; write enable or disable"),
    ('<worldbody/><equality><joint joint1="a" polycoeff="1"/></equality>', '<joint>/polycoeff: is not known; did you mean "polycoef"?'),
    ('<default><tendon dampng="1"/></default><worldbody/>', '<tendon>/dampng: is not known; did you mean "damping"?'),
    ('<default><equality solreff="1"/></default><worldbody/>', '<equality>/solreff: is not known; did you mean "solref"?'),
    ('<default><jiont damping="1"/></default><worldbody/>', 'default/<jiont>: is not known; did you mean "joint"?'),
    ('<worldbody/><tendon><fxed/></tendon>', 'tendon/<fxed>: is not known; did you mean "fixed"?'),
    ('<worldbody/><tendon><fixed><joint joint="a" coeff="2"/></fixed></tendon>', '<joint>/coeff: is not known; did you mean "coef"?'),
    ('<worldbody/><tendon><spatial><stie site="a"/></spatial></tendon>', 'spatial/<stie>: is not known; did you mean "site"?'),
    ('<worldbody/><contact><exlude body1="a"/></contact>', 'contact/<exlude>: is not known; did you mean "exclude"?'),
    ('<option actuatorgroupdisable="1 99"/><worldbody/>', "option/actuatorgroupdisable: is 1 99: 99 is no group"),
    ("<worldbdy/>", '<worldbdy>: is not known; did you mean "worldbody"?'),
])  # fmt: skip
def test_mistakes_are_reported_with_their_line(tmp_path, text, message):
    with pytest.raises(sl.ModelError) as error:
        sl.read_mjcf(model(tmp_path, text))
    assert message in str(error.value)


def test_a_mesh_that_nothing_uses_is_reported(tmp_path):
    with pytest.warns(sl.ModelWarning, match="asset/mesh/orphan: is used by no geom, and not read"):
        assert not len(sl.read_mjcf(model(tmp_path, ORPHAN)))


def test_commands_and_includes_take_a_model_in_mjcf(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    bar(tmp_path)
    (tmp_path / "twin.mjcf").write_text((tmp_path / "robot.xml").read_text())
    for name in ("robot.xml", "twin.mjcf"):
        assert saltus("check", name).code == 0
        assert sl.Model.load(name)["bar"].reference[0].tolist() == [0, 0, 0]
    m = sl.Model()
    assert m.include("robot.xml", name="left", position=(0, 1, 0))["hinge"].name == "left_hinge"
    assert m["left_bar"].reference[0].tolist() == [0, 1, 0]
    (tmp_path / "other.xml").write_text("<html/>")
    refused = saltus("check", "other.xml")
    assert refused.code == 2 and "other.xml:1 begins with <html>" in refused.err
    with pytest.raises(sl.ModelError, match="robots are not written in MJCF"):
        m.save("robot.xml")


def test_pairs_touch_though_one_carries_the_other_or_their_bodies_are_excluded(tmp_path):
    text = f"""<geom name="a/floor" type="plane" size="1 1 1"/><body name="x/c" pos="0 0 0.12"><freejoint/><geom name="a/ball" size="0.1" mass="1"/></body>
      <body name="p" pos="3 0 1"><joint name="held" type="slide" axis="0 0 1" range="0 0.001"/><geom name="plate" type="box" size="0.5 0.5 0.1" mass="1"/>
      <body name="q" pos="0 0 0.22"><joint name="fall" type="slide" axis="0 0 1"/><geom name="stone" size="0.1" mass="1"/></body></body>"""
    more = '<contact><pair geom1="a/floor" geom2="a/ball"/><pair geom1="plate" geom2="stone"/><exclude body1="world" body2="x/c"/></contact>'
    result = quiet(world(tmp_path, text, more)).simulate(until=0.2, step=1e-3)
    assert result["x_c.position.z"].last == pytest.approx(0.1, abs=1e-6)
    assert result["fall.coordinate"].last == pytest.approx(-0.02, abs=1e-6)


def test_a_keyframe_leaves_the_lengths_of_the_file_and_begins_activations(tmp_path):
    text = f'<site name="s"/><body name="a" pos="0 0 1"><freejoint/><geom size="0.1" mass="1"/><site name="t"/></body><body name="hand" pos="5 0 0" mocap="true"/>{BAR.format("", "")}'
    more = """<tendon><spatial stiffness="10"><site site="s"/><site site="t"/></spatial></tendon><actuator><general joint="hinge" dyntype="integrator" gainprm="3"/></actuator>
      <keyframe><key name="k" qpos="0 0 1.5 1 0 0 0 0" act="{0}" mpos="6 0 1"/></keyframe>"""
    head = '<option gravity="0 0 0"/>'
    with pytest.warns(sl.ModelWarning, match="is moved from outside"):
        m = sl.read_mjcf(world(tmp_path, text, more.format(2), head), keyframe="k")
    state = m.state()
    assert np.allclose(state["a.acceleration"], (0, 0, -5)) and state["hinge.coordinate_acceleration"] == pytest.approx(6 / 0.7, rel=1e-12)
    assert m["hand"].reference[0].tolist() == [6, 0, 1]
    with pytest.raises(sl.ModelError, match="keyframe/act: has 2 numbers, expected 1"):
        sl.read_mjcf(world(tmp_path, text, more.format("2 1"), head), keyframe="k")


@pytest.mark.parametrize("keywords", [{"step": 1e-3}, {"tolerance": 1e-7}])
def test_a_filtered_control_stays_in_its_range(tmp_path, keywords):
    """It goes to 0.5 as 1 - exp(-t / T), stands there, and leaves it at once when its control is turned round."""
    motor = '<actuator><general name="slow" joint="hinge" dyntype="filter" dynprm="0.1" gainprm="7" actrange="-1 0.5"/></actuator>'
    m = quiet(bar(tmp_path, after=motor, head='<option gravity="0 0 0"/>'))
    m.parameters["slow_ctrl"] = 1.0
    first = m.simulate(until=0.3, **keywords)
    activation, rate = m["slow_activation"].state, m["hinge"].rate
    assert first[activation].max() <= 0.5 + 1e-12 and first[activation].last == pytest.approx(0.5, abs=1e-12)
    assert first[rate].last == pytest.approx(10 * (0.1 * np.log(2) - 0.05 + 0.5 * (0.3 - 0.1 * np.log(2))), rel=2e-3)
    m.parameters["slow_ctrl"] = -1.0
    second = m.simulate(until=0.32, start=first, **keywords)
    assert second[activation].last == pytest.approx(1.5 * np.exp(-0.2) - 1.0, rel=2e-2)


def test_an_integrated_control_begins_inside_its_range(tmp_path):
    motor = '<actuator><intvelocity name="servo" joint="hinge" kp="7" actrange="-1 0.5"/></actuator><keyframe><key name="k" act="2"/></keyframe>'
    m = quiet(bar(tmp_path, after=motor, head='<option gravity="0 0 0"/>'), keyframe="k")
    assert m.state()["hinge.coordinate_acceleration"] == pytest.approx(7 * 0.5 / 0.7, rel=1e-12)


SLIDE = '<joint name="{0}" type="slide" axis="1 0 0"/><inertial pos="0 0 0" mass="{1}" diaginertia="1 1 1"/>'


@pytest.mark.parametrize(("servo", "mass"), [  # what moves along where all joints are free
    ('joint="a"', 2.0),  # not 2 + 3: the second one stays behind
    ('joint="b"', 1 / (1 / 2 + 1 / 3)),  # two masses that are pushed apart
    ('joint="a" gear="4"', 2 / 4**2),
    ('tendon="t"', 1 / ((0.5 - 1) ** 2 / 2 + 1**2 / 3)),
])  # fmt: skip
def test_a_damping_ratio_is_of_what_the_actuator_moves(tmp_path, servo, mass):
    """kv = 2 ratio sqrt(kp m) with m = 1 / (J M^-1 J^T), as MuJoCo 4 has it."""
    text = f'<body>{SLIDE.format("a", 2)}<body>{SLIDE.format("b", 3)}</body></body>'
    tendon = '<tendon><fixed name="t"><joint joint="a" coef="0.5"/><joint joint="b" coef="1"/></fixed></tendon>'
    made = []
    for damping in ('dampratio="0.7"', f'kv="{float(2 * 0.7 * np.sqrt(10 * mass))!r}"'):
        more = f'{tendon}<actuator><position {servo} kp="10" {damping}/></actuator><keyframe><key name="k" qvel="0.3 -0.2"/></keyframe>'
        state = quiet(world(tmp_path, text, more), keyframe="k").state()
        made.append([state["a.coordinate_acceleration"], state["b.coordinate_acceleration"]])
    assert made[0] == pytest.approx(made[1], rel=1e-12)


def test_the_flag_clampctrl_leaves_controls_as_they_are(tmp_path):
    motor = '<actuator><motor name="push" joint="hinge" ctrlrange="-1 1"/></actuator>'
    for flag, force in (("enable", 1.0), ("disable", 5.0)):
        m = quiet(bar(tmp_path, after=motor, head=f'<option gravity="0 0 0"><flag clampctrl="{flag}"/></option>'))
        m.parameters["push_ctrl"] = 5.0
        assert m.state()["hinge.coordinate_acceleration"] == pytest.approx(force / 0.7, rel=1e-12)


def test_actuators_of_a_disabled_group_do_nothing_and_are_noted(tmp_path):
    motors = '<actuator><general joint="hinge" group="2" dyntype="integrator"/><general joint="hinge" dyntype="integrator" gainprm="3"/></actuator><keyframe><key name="k" act="7 1"/></keyframe>'
    with pytest.warns(sl.ModelWarning, match="actuators/actuator: is of a group that option/actuatorgroupdisable names, and not taken"):
        m = sl.read_mjcf(bar(tmp_path, after=motors, head='<option gravity="0 0 0" actuatorgroupdisable="2 5"/>'), keyframe="k")
    assert m.state()["hinge.coordinate_acceleration"] == pytest.approx(3 / 0.7, rel=1e-12)


def test_a_gain_by_default_is_that_of_servos_too(tmp_path):
    more = '<actuator><position joint="hinge"/></actuator><keyframe><key name="k" qpos="0.4" ctrl="1"/></keyframe>'
    m = quiet(bar(tmp_path, after=more, head='<option gravity="0 0 0"/><default><general gainprm="5"/></default>'), keyframe="k")
    assert m.state()["hinge.coordinate_acceleration"] == pytest.approx(5 * 0.6 / 0.7, rel=1e-12)


def test_without_gravity_nothing_is_lifted(tmp_path):
    text = BAR.replace('name="bar"', 'name="bar" gravcomp="1"').format("", "")
    assert quiet(world(tmp_path, text, head='<option><flag gravity="disable"/></option>')).state()["hinge.coordinate_acceleration"] == 0


# MuJoCo itself, where it is installed.

OWN = {
    "anchors": '<body pos="0.1 0 1"><joint type="slide" axis="1 0 1"/><joint axis="0 1 0.2" pos="0.1 0.2 0.3" ref="0.3"/><joint axis="1 0 0" pos="-0.1 0 0.1" stiffness="3" springref="0.2"/><geom type="box" size="0.1 0.2 0.3" pos="0.1 0 0" euler="0.3 0.2 0.1"/>'
    '<body pos="0 0.3 0.1" euler="0.2 0.4 -0.3"><joint axis="0 0 1" pos="0 -0.1 0" damping="0.4" armature="0.2"/><geom type="capsule" fromto="0 0 0 0.3 0.1 0.2" size="0.05"/></body></body>',
    "free": '<body pos="0.1 0 1" euler="0.3 0 0.2"><freejoint/><geom type="ellipsoid" size="0.1 0.2 0.3" pos="0.1 0 0"/><body pos="0 0.3 0.1"><joint axis="0 0 1" pos="0 -0.1 0"/><geom type="cylinder" size="0.1 0.2"/><geom type="sphere" size="0.1" pos="0 0.3 0"/></body></body>',
    "tendons": '<site name="a" pos="0 0 2"/><body><joint name="j" axis="0 1 0"/><geom type="box" size="0.5 0.1 0.1" pos="0.5 0 0"/><site name="b" pos="0.7 0 0.1"/><body pos="1 0 0"><joint name="k" axis="0 1 0"/><geom size="0.1" pos="0.3 0 0"/><site name="c" pos="0.3 0 0"/></body></body>',
    "replicas": '<replicate count="5" offset="0.1 0 0.2" euler="0.1 0.2 0.3"><body name="b" pos="1 0 0"><joint axis="0 1 0"/><geom size="0.1" pos="0.1 0 0"/></body></replicate>',
}
MORE = {
    "tendons": '<tendon><spatial stiffness="20" damping="0.5"><site site="a"/><site site="b"/><pulley divisor="2"/><site site="a"/><site site="c"/></spatial><fixed name="t" stiffness="3" springlength="-0.1 0.2"><joint joint="j" coef="0.5"/><joint joint="k" coef="2"/></fixed></tendon>'
    '<actuator><position tendon="t" kp="4" kv="0.3" gear="2"/><motor joint="k" gear="3"/></actuator>'
}


@pytest.mark.parametrize("name", OWN)
def test_accelerations_masses_and_places_are_those_of_mujoco(tmp_path, name):
    mujoco = pytest.importorskip("mujoco")
    from saltus.mjcf import MjcfReader

    file = world(tmp_path, OWN[name], MORE.get(name, ""), head='<option><flag contact="disable"/></option>')
    theirs = mujoco.MjModel.from_xml_path(str(file))
    data, rng = mujoco.MjData(theirs), np.random.default_rng(7)
    mujoco.mj_integratePos(theirs, data.qpos, rng.standard_normal(theirs.nv), 0.3)
    data.qvel[:], data.ctrl[:] = rng.standard_normal(theirs.nv), rng.standard_normal(theirs.nu)
    mujoco.mj_forward(theirs, data)
    words = {"qpos": data.qpos, "qvel": data.qvel, "ctrl": data.ctrl}
    key = " ".join(f'{word}="{" ".join(repr(float(x)) for x in values)}"' for word, values in words.items() if len(values))
    file.write_text(file.read_text().replace("</mujoco>", f'<keyframe><key name="k" {key}/></keyframe></mujoco>'))
    m = sl.read_mjcf(file, keyframe="k")
    reader = MjcfReader(file, "k")
    state = m.state()
    for i, body in enumerate(list(reader.parents)[1:], 1):
        assert state[f"{body}.position"] == pytest.approx(data.xpos[i], abs=1e-9)
        assert m[body].fields["mass"] == pytest.approx(theirs.body_mass[i], rel=1e-9)
    mine = []
    for joint in reader.slots:
        if joint.kind == "floating":
            body = theirs.body(1).id
            mine += [*state[f"{joint.child}.acceleration"], *(data.xmat[body].reshape(3, 3).T @ state[f"{joint.child}.angular_acceleration"])]
        else:
            mine.append(state[f"{joint.name}.coordinate_acceleration"])
    assert mine == pytest.approx(data.qacc, rel=1e-9, abs=1e-9 * np.max(np.abs(data.qacc)))
