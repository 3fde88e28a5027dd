"""Gears, racks, screws, differentials, planetary gears, cams and armatures by their verbs, against closed forms and explicit bodies."""

import math

import numpy as np
import pytest

import saltus as sl

EXACT = dict(scheme="dormand_prince", tolerance=1e-11)


def wheel(m, inertia, axis="z", at=(0, 0, 0), on=None, name="", mass=1.0, **keywords):
    body = m.body(mass=mass, inertia=(inertia, inertia, inertia), at=at, name=name)
    return body, m.revolute(on or m.ground, body, at=at, axis=axis, **keywords)


@pytest.mark.parametrize("ratio", [2.5, -3.0, "2*k"])
def test_a_gear_reflects_an_inertia(ratio):
    m = sl.Model(gravity=(0, 0, 0))
    m.parameters["k"] = 1.5
    _, one = wheel(m, 0.4, torque=2.0)
    _, two = wheel(m, 0.3, axis=(1, 2, -0.5), at=(0.3, 0.2, 0.1))
    m.gear(one.angle, two.angle, ratio=ratio)
    result = m.simulate(3.0, **EXACT)
    n = 3.0 if isinstance(ratio, str) else ratio
    assert result[one.angle] == pytest.approx(0.5 * 2.0 / (0.4 + 0.3 / n**2) * result.time**2, abs=1e-8)
    assert np.max(np.abs(result[one.angle] - n * result[two.angle])) < 1e-9


def test_an_elastic_gear_swings_as_two_wheels_on_a_shaft():
    """Frequency sqrt(k (1 / J_B + 1 / (n^2 J_A))) of the twist A / n - B."""
    m = sl.Model(gravity=(0, 0, 0))
    n, k, a, b = 4.0, 50.0, 0.01, 0.3
    _, one = wheel(m, a)
    _, two = wheel(m, b, axis="x", at=(1, 0, 0))
    gear = m.gear(one.angle, two.angle, ratio=n, stiffness=k)
    m["body_2"].angular_velocity = (1.0, 0, 0)
    result = m.simulate(2.0, **EXACT)
    w = math.sqrt(k * (1 / b + 1 / (n**2 * a)))
    assert result[one.angle] / n - result[two.angle] == pytest.approx(-np.sin(w * result.time) / w, abs=1e-8)
    assert np.ptp(result["energy.total"]) < 1e-8 and gear.stiffness == k


@pytest.mark.parametrize("stiffness", [None, 2000.0])
def test_play_is_crossed_before_the_other_wheel_moves(stiffness):
    """A drives at 1 rad/s: B waits for half the play at B, n b / 2 of A; then both move together, but for what the teeth give."""
    m = sl.Model(gravity=(0, 0, 0))
    _, one = wheel(m, 0.1, speed=1.0)
    _, two = wheel(m, 0.2, friction=1.0)  # which keeps it on its flank
    m.gear(one.angle, two.angle, ratio=2.0, backlash=0.1, stiffness=stiffness, damping=None if stiffness is None else 20.0)
    result = m.simulate(1.0, scheme="moreau_jean", step=1e-4)
    at = result.at(np.array([0.05, 0.0999, 0.5, 1.0]))[two.angle]
    assert at[:2] == pytest.approx(0.0, abs=1e-6)
    twist = 0.0 if stiffness is None else 1.0 / stiffness
    assert at[2:] == pytest.approx([0.2 - twist, 0.45 - twist], abs=1e-5)


def test_a_rack_a_screw_and_a_left_hand_thread():
    m = sl.Model(gravity=(0, 0, -9.81))
    bar = m.body(mass=2, inertia=(1, 1, 1), name="bar")
    slide = m.prismatic(m.ground, bar, axis="x", force=3.0)
    _, pinion = wheel(m, 0.04, axis="y", at=(0, 0, 0.1))
    m.rack(pinion.angle, slide.translation.z, radius=0.1)
    nut = m.body(mass=0.5, inertia=(1e-3, 1e-3, 2e-3), at=(3, 0, 0), name="nut")
    joint = m.cylindrical(m.ground, nut, axis="z")
    m.screw(joint, lead=-0.05)
    result = m.simulate(1.0, **EXACT)
    assert result[bar.position.x].last == pytest.approx(0.5 * 3.0 / (2 + 0.04 / 0.1**2), rel=1e-9)
    pitch = 0.05 / (2 * math.pi)
    fall = -9.81 / (1 + 2e-3 / (0.5 * pitch**2))
    assert result[nut.position.z].last == pytest.approx(0.5 * fall, rel=1e-9)
    assert result[joint.angle].last == pytest.approx(-0.5 * fall / pitch, rel=1e-9)


def test_a_planetary_gear_and_a_differential():
    m = sl.Model(gravity=(0, 0, 0))
    _, sun = wheel(m, 0.1, speed="2 + sin(3*t)")
    _, carrier = wheel(m, 0.5)
    _, ring = wheel(m, 0.8, torque="0.3*sin(t)")
    m.planetary(sun.angle, carrier.angle, ring.angle, teeth=(30, 60))
    _, left = wheel(m, 0.1, axis="x")
    _, right = wheel(m, 0.2, axis="x", torque=0.1)
    m.differential(carrier.angle, left.angle, right.angle)
    result = m.simulate(4.0)
    s, c, r = (result[j.angle] for j in (sun, carrier, ring))
    assert np.max(np.abs((s - c) + 2 * (r - c))) < 1e-12 * np.max(np.abs(s))
    assert np.max(np.abs(2 * c - result[left.angle] - result[right.angle])) < 1e-11


@pytest.mark.parametrize("how", ["formula", "function", "table"])
def test_a_cam_moves_its_follower(how):
    m = sl.Model(gravity=(0, 0, 0))
    _, shaft = wheel(m, 0.1, speed=3.0)
    follower = m.body(mass=0.2, inertia=(1, 1, 1), name="follower")
    slide = m.prismatic(m.ground, follower, axis="x")
    angles = np.linspace(0, 2 * math.pi, 41)
    lift = 0.02 * (1 - np.cos(angles))
    lift[-1] = lift[0]
    profiles = {"formula": "0.02*(1 - cos(q0))", "function": lambda a: 0.02 * (1 - math.cos(a)), "table": list(zip(angles, lift, strict=True))}
    push = m.cam(shaft.angle, slide.translation.z, profile=profiles[how])
    result = m.simulate(5.0, scheme="generalized_alpha", step=1e-3)  # more than two turns
    t = result.time
    assert result[follower.position.x] == pytest.approx(0.02 * (1 - np.cos(3 * t)), abs=1e-9 if how != "table" else 2e-7)
    assert result[push.multiplier][100:] == pytest.approx(0.2 * 0.02 * 9 * np.cos(3 * t)[100:], abs=1e-5 if how != "table" else 3e-4)


def motor_and_rotor(explicit, n=7.0, J=0.003):
    """An arm on a body that turns and slides; its motor's rotor as an armature, or as a body on the same axis with a gear."""
    m = sl.Model(gravity=(0, 0, -9.81))
    cart = m.body(mass=2, inertia=(0.3, 0.4, 0.5), name="cart")
    m.prismatic(m.ground, cart, axis="x")
    arm = m.body(mass=1.5, inertia=(0.1, 0.2, 0.15), at=(0, 0, 0), center_of_mass=(0.4, 0.1, 0), name="arm")
    hinge = m.revolute(cart, arm, at=(0, 0, 0), axis="y", torque="0.3*sin(2*t)", **({} if explicit else dict(armature=J, ratio=n)))
    if explicit:
        rotor = m.body(mass=1e-9, inertia=(J, J, J), at=(0, 0, 0), name="rotor")
        spin = m.revolute(cart, rotor, at=(0, 0, 0), axis="y")
        m.gear(spin.angle, hinge.angle, ratio=n)
    return m, hinge


def test_an_armature_is_the_rotor_that_it_stands_for():
    runs = []
    for explicit in (True, False):
        m, hinge = motor_and_rotor(explicit)
        if explicit:
            m["cart"].mass = 2 - 1e-9
        runs.append(m.simulate(2.0, scheme="dormand_prince", tolerance=1e-12)[hinge.angle].last)
    assert runs[0] == pytest.approx(runs[1], rel=1e-10)


@pytest.mark.parametrize("options, error", [(dict(), 1e-3), (dict(scheme="generalized_alpha", step=1e-3), 1e-5), (dict(scheme="moreau_jean", step=2e-4), 2e-3), (dict(scheme="runge_kutta_4", step=1e-3), 1e-8)], ids=str)
def test_every_scheme_takes_armatures(options, error):
    m, hinge = motor_and_rotor(False)
    truth = m.simulate(2.0, scheme="dormand_prince", tolerance=1e-12)[hinge.angle].last
    assert motor_and_rotor(False)[0].simulate(2.0, **options)[hinge.angle.paths[0]].last == pytest.approx(truth, rel=error)


def test_an_armature_on_a_turning_body_keeps_energy():
    m = sl.Model(gravity=(0, 0, 0))
    base = m.body(mass=3, inertia=(0.5, 0.7, 0.6), angular_velocity=(0.4, 0.3, 0.8))
    arm = m.body(mass=1, inertia=(0.1, 0.2, 0.3), velocity=(0, 0, 0), angular_velocity=(0.4, 0.3, 2.8), name="arm")
    hinge = m.revolute(base, arm, at=(0, 0, 0), axis="z", stiffness=2.0)
    m.armature(hinge.angle, inertia=0.01, ratio=5)
    result = m.simulate(5.0, scheme="dormand_prince", tolerance=1e-10)
    assert np.ptp(result["energy.total"]) < 1e-7 * result["energy.total"][0]
    assert np.max(np.abs(result[hinge.angle])) > 0.2


def test_an_armature_on_a_link_and_on_a_slide():
    m = sl.Model(gravity=(0, 0, 0))
    link = m.tree().revolute(mass=1.0, inertia=(0.1, 0.1, 0.1), axis="z", armature=0.02, ratio=10, rate=1.0)
    m.torque(link, (0, 0, 1.0))
    body = m.body(mass=2, inertia=(1, 1, 1), at=(0, 3, 0), name="slider")
    m.prismatic(m.ground, body, axis="x", force=4.0, armature=0.5, ratio=2)
    result = m.simulate(1.0, **EXACT)
    assert result[link.coordinate].last == pytest.approx(1.0 + 0.5 / (0.1 + 2.0), rel=1e-9)
    assert result[body.position.x].last == pytest.approx(0.5 * 4.0 / (2 + 0.5 * 4), rel=1e-9)


def test_armatures_of_links_are_those_on_their_coordinates():
    """The tree solves with them itself; beside a tree they are an object of their own."""

    def arm(of_link, free):
        m = sl.Model()
        base = m.body(mass=5, inertia=(1, 1, 1), angular_velocity=(0.1, 0.2, 0.3)) if free else None
        carrier = m.tree(base=base, name="tree")
        links = []
        for k, axis in enumerate(("z", "y", (1, 0, 1))):
            rotor = dict(armature=0.01 * (k + 1), ratio=5.0 - 3 * k) if of_link else {}
            carrier = carrier.revolute(at=(0.4 * k, 0, 0), axis=axis, mass=1.0, inertia=(0.02, 0.03, 0.02), center_of_mass=(0.2, 0, 0.05), rate=0.5, **rotor)
            links.append(carrier)
            if not of_link:
                m.armature(carrier.coordinate, inertia=0.01 * (k + 1), ratio=5.0 - 3 * k)
        return m, links

    for free in (False, True):
        runs = []
        for of_link in (True, False):
            m, links = arm(of_link, free)
            result = m.simulate(2.0, **EXACT)
            assert np.ptp(result["energy.total"]) < 1e-8
            runs.append([result[link.coordinate].last for link in links])
        assert runs[0] == pytest.approx(runs[1], rel=1e-9)
    m, _ = arm(True, False)
    q, zero = [0.3, 0.2, 0.1], [0.0] * 3
    rest = m["tree"].inverse_dynamics(q, zero, zero)
    plain = arm(False, False)[0]["tree"]
    for k, reflected in enumerate((0.01 * 25, 0.02 * 4, 0.03 * 1)):
        unit = [1.0 if i == k else 0.0 for i in range(3)]
        more = (m["tree"].inverse_dynamics(q, zero, unit) - rest) - (plain.inverse_dynamics(q, zero, unit) - plain.inverse_dynamics(q, zero, zero))
        assert more == pytest.approx(reflected * np.array(unit), abs=1e-12)


def test_saved_and_loaded_they_move_alike(tmp_path):
    m, hinge = motor_and_rotor(False)
    _, one = wheel(m, 0.4, torque=2.0, at=(5, 0, 0))
    _, two = wheel(m, 0.3, at=(6, 0, 0))
    m.gear(one.angle, two.angle, ratio=-2, stiffness=100, backlash=0.02)
    m.save(tmp_path / "gears.json")
    again = sl.Model.load(tmp_path / "gears.json")
    a, b = m.simulate(0.5), again.simulate(0.5)
    for joint in (hinge, one, two):
        assert np.array_equal(a[joint.angle], b[f"{joint.name}.angle"])


def test_mistakes_are_refused_with_a_remedy():
    m = sl.Model()
    _, hinge = wheel(m, 0.1, name="a")
    block = m.body(mass=1, inertia=(1, 1, 1), name="b")
    slide = m.prismatic(m.ground, block, axis="x")
    (_, second), (_, third) = (wheel(m, 0.1, name=name) for name in ("second", "third"))
    cases = [
        (lambda: m.gear(hinge.angle, hinge.angle, ratio=0), "ratio", "is 0"),
        (lambda: m.gear(m.cylindrical(m.ground, m.body(mass=1, inertia=(1, 1, 1)), axis="x", name="tube"), hinge.angle, ratio=1), "A", "name one: tube.angle or tube.translation.z"),
        (lambda: m.gear(hinge.angle, 3, ratio=1), "B", "motion of a joint"),
        (lambda: m.gear(hinge.angle, hinge.angle, ratio=2, damping=1), "damping", "stiffness="),
        (lambda: m.gear(hinge.angle, second.angle, ratio=2, backlash=-1), "backlash", "above 0"),
        (lambda: m.gear(hinge.angle, hinge.angle, ratio=2, restitution=0.5), "restitution", "backlash="),
        (lambda: m.rack(slide.translation.z, hinge.angle, radius=1), "pinion", "give joint.angle"),
        (lambda: m.rack(hinge.angle, slide.translation.z, radius=0), "radius", "is 0"),
        (lambda: m.screw(hinge, lead=0.1), "on", "a revolute, expected a cylindrical"),
        (lambda: m.planetary(hinge.angle, second.angle, third.angle, teeth=(60, 30)), "teeth", r"write \(30, 60\)"),
        (lambda: m.cam(hinge.angle, slide.translation.z, profile=[(0, 0), (1, 1), (0.5, 2), (6, 0)]), "profile", "increase"),
        (lambda: m.cam(hinge.angle, slide.translation.z, profile=[(0, 0), (1, 1), (2, 2), (6, 0)]), "profile", "2 pi later"),
        (lambda: m.armature(hinge.angle, inertia=1, ratio=0), "ratio", "is 0"),
        (lambda: m.revolute(m.ground, block, ratio=3), "ratio", "give armature="),
    ]
    for action, where, says in cases:
        with pytest.raises(sl.ModelError, match=says) as caught:
            action()
        assert caught.value.faults[0].path.endswith(where)
    with pytest.raises(sl.ModelError, match="revolute_1.*does not leave the motion 'position'"):
        m.gear(hinge.translation.z, hinge.angle, ratio=1)
        m.simulate(0.1)


def test_bad_numbers_of_files_are_refused():
    m = sl.Model()
    _, hinge = wheel(m, 0.1)
    m.add(sl.items.Armature(on=hinge.angle, inertia=1.0, ratio=0.0, name="rotor"))
    with pytest.raises(sl.ModelError, match="rotor.*`ratio` is 0"):
        m.simulate(0.1)


def test_a_joint_that_leaves_one_motion_stands_for_it():
    def travel(by_joint):
        m = sl.Model(gravity=(0, 0, 0))
        _, one = wheel(m, 0.4, torque=2.0)
        _, two = wheel(m, 0.3, at=(1, 0, 0))
        slide = m.prismatic(m.ground, m.box(size=(0.1, 0.1, 0.1), mass=1, at=(2, 0, 0), name="bar"), axis="x")
        first, second, third = (one, two, slide) if by_joint else (one.angle, two.angle, slide.translation.z)
        m.gear(first, second, ratio=-2.0)
        m.rack(second, third, radius=0.1)
        m.armature(first, inertia=0.02)
        return m.simulate(1.0)["bar.displacement.x"].last

    assert travel(True) == travel(False) != 0.0


def test_a_joint_that_leaves_neither_angle_nor_travel_is_refused():
    m = sl.Model()
    _, hinge = wheel(m, 0.4)
    ball = m.spherical(m.ground, m.body(mass=1, inertia=(1, 1, 1), at=(2, 0, 0)), at=(2, 0, 0), name="ball")
    with pytest.raises(sl.ModelError, match="is the joint 'ball', which leaves no motion that is an angle or a travel; give the motion of a hinge or a slide"):
        m.gear(hinge, ball, ratio=2)
