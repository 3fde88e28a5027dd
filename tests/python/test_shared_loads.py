"""Contacts that carry one body more than three times: their loads are shared as by equal springs, at the default settings, so that what is symmetric stays so."""

import math

import numpy as np
import pytest

import saltus as sl

G = 9.81


def car(speed, ground):
    """A body on four wheels, on the crest of a hill of 20 m radius."""
    m, hill, R, radius, ahead = sl.Model(), None, 20.0, 0.2, 0.4
    if ground:
        hill = m.shape("cylinder", m.ground, radius=R, length=10, rotation=(math.pi / 2, 0, 0), at=(0, 0, -R))
    else:
        hill = m.cylinder(radius=R, length=10, axis="y", mass=1, at=(0, 0, -R))
        m.fixed(m.ground, hill)
    body = m.box(size=(1, 0.6, 0.2), mass=50, at=(0, 0, 0.4), velocity=(speed, 0, 0))
    height = -R + math.sqrt((R + radius) ** 2 - ahead**2)
    wheels = []
    for x in (-ahead, ahead):
        for y in (-0.35, 0.35):
            wheel = m.sphere(radius=radius, mass=3, at=(x, y, height), velocity=(speed, 0, 0), angular_velocity=(0, speed / radius, 0))
            m.revolute(body, wheel, at=(x, y, height), axis="y")
            wheels.append(wheel)
    m.contact([hill], wheels, friction=0.8)
    return m, wheels, radius


@pytest.mark.parametrize(("speed", "ground", "tolerance"), [(8.0, False, 1e-6), (8.0, False, 1e-7), (4.0, False, 1e-6), (8.0, True, 1e-6)])
def test_four_wheels_of_a_car_all_roll_over_a_hill(speed, ground, tolerance):
    m, wheels, radius = car(speed, ground)
    r = m.simulate(1.2, tolerance=tolerance)
    assert not r.warnings
    times = np.linspace(0.1, 1.2, 12)
    for wheel in wheels:
        rolls = np.linalg.norm(r.at(times)[wheel.velocity], axis=1) / radius
        assert r.at(times)[wheel.angular_velocity.y] == pytest.approx(rolls, rel=1e-5)
    energy = r.at(times)["energy.total"]
    assert np.ptp(energy) < 3e-6 * 0.5 * 62 * speed**2


@pytest.mark.parametrize("friction", [0.0, 0.02, 0.7])
def test_four_driven_legs_let_a_trunk_rise_and_fall(friction):
    """Legs in diagonal pairs swing against each other: no push along x is left, and the height is that of the hinges above the feet."""
    m, arm = sl.Model(), 0.28
    trunk, feet = m.box(size=(0.6, 0.3, 0.1), mass=5, at=(0, 0, 0.35)), []
    for x in (-0.25, 0.25):
        for y in (-0.15, 0.15):
            leg = m.capsule(radius=0.02, length=0.26, axis="z", mass=0.3, at=(x, y, 0.15))
            m.revolute(trunk, leg, at=(x, y, 0.3), axis="y", angle=f"{0.25 if x * y > 0 else -0.25}*sin(6*t)")
            feet.append(leg)
    m.contact([m.plane()], feet, friction=friction)
    r = m.simulate(0.7)
    assert not r.warnings
    t = np.linspace(0, 0.7, 50)
    assert r.at(t)[trunk.position.z] == pytest.approx(0.35 - arm * (1 - np.cos(0.25 * np.sin(6 * t))), abs=2e-6)
    assert np.abs(r.at(t)[trunk.position.x]).max() < 5e-5


def test_a_plank_on_two_blocks_of_which_one_lifts_it():
    """The block slides along the plank that it lifts; as by steps of 0.1 ms."""
    ends = []
    for settings in ({}, {"tolerance": 1e-8}, {"step": 1e-4}):
        m = sl.Model()
        low, high = (m.box(size=(0.1, 0.4, 0.1), mass=1, at=(x, 0, -0.05)) for x in (-0.5, 0.5))
        m.fixed(m.ground, low)
        m.prismatic(m.ground, high, axis="z", force="if(t<0.5,40,-60)")
        plank = m.box(size=(1.2, 0.3, 0.04), mass=2, at=(0, 0, 0.02))
        m.contact([low, high], [plank], friction=0.4)
        r = m.simulate(0.45, **settings)
        assert settings or not r.warnings
        ends.append([*r[plank.position].last, *r[plank.angular_velocity].last])
    assert ends[0] == pytest.approx(ends[1], abs=5e-5)
    assert ends[0] == pytest.approx(ends[2], abs=2e-3)


def test_a_box_without_friction_slides_over_an_edge_in_few_steps():
    """What the contacts hold is found anew in each step, and its error does not add up."""
    ends, steps = [], []
    for scheme in ("moreau_jean", "event_driven"):
        m = sl.Model()
        table = m.shape("box", m.ground, size=(2, 1, 1), at=(-1, 0, -0.5))
        box = m.box(size=(0.4, 0.3, 0.2), mass=1, at=(-1, 0, 0.1), velocity=(2, 0, 0))
        m.contact([table], [box])
        r = m.simulate(0.8, scheme=scheme)
        ends.append(r[box.position].last)
        steps.append(len(r))
    assert ends[0] == pytest.approx(ends[1], abs=3e-6)
    assert steps[0] < 8000


def test_a_wheel_of_spokes_stands_on_two_feet_without_steps_that_shorten():
    """Feet of 1 mm at the ends of spokes of 1 m: a gap that errors of the steps open is closed in positions. Between impacts the wheel is a pendulum about its feet."""
    m, n, slope = sl.Model(gravity=(G * math.sin(0.1), 0, -G * math.cos(0.1))), 6, 0.1
    half = math.pi / n
    wheel = m.body(mass=1, inertia=(0.1, 0.1, 0.1), at=(0, 0, math.cos(half)), velocity=(1.5 * math.cos(half), 0, 0), angular_velocity=(0, 1.5, 0))
    angles = [half + 2 * math.pi * k / n for k in range(n)]
    feet = [m.shape("sphere", wheel, radius=1e-3, at=(math.sin(a), y, math.cos(half) - math.cos(a) + 1e-3)) for a in angles for y in (-0.2, 0.2)]
    m.contact([m.plane()], feet, friction=0.9)
    r = m.simulate(1.0)
    assert not r.warnings
    moves = np.asarray(r.time) > 0
    rate, x, z = (np.asarray(r[q])[moves] for q in (wheel.angular_velocity.y, wheel.position.x, wheel.position.z))
    energy = 0.5 * rate**2 * (0.1 + 1.0) + G * math.cos(slope) * z - G * math.sin(slope) * x  # it rolls on its feet, too: 1e-3 of the arm
    assert np.ptp(energy) < 5e-3
    assert np.ptp(np.asarray(r["energy.total"])[moves]) < 1e-5
    assert len(r) < 600


def test_gaps_of_what_rolls_stay_closed():
    """A ball that rolls in a bowl for long: 0.1 um of its size of 1 m, in steps of which each opens it a little."""
    m = sl.Model()
    bowl = m.shape("hollow_sphere", m.ground, radius=1.0, at=(0, 0, 1))
    ball = m.sphere(radius=0.1, mass=1, at=(0.9 * math.sin(0.5), 0, 1 - 0.9 * math.cos(0.5)))
    m.contact([bowl], [ball], friction=0.8)
    r = m.simulate(20, tolerance=1e-4)
    gaps = 0.9 - np.linalg.norm(np.asarray(r[ball.position]) - np.array([0, 0, 1.0]), axis=1)
    assert np.abs(gaps).max() < 3e-7


def test_two_dominoes_are_followed_to_second_order():
    ends = []
    for tolerance in (1e-6, 1e-7):
        m = sl.Model()
        first, second = (m.box(size=(0.02, 0.1, 0.2), mass=0.1, at=(x, 0, 0.1)) for x in (0, 0.1))
        first.angular_velocity, first.velocity = (0, 1.5, 0), (0.15, 0, 0)
        m.contact([m.plane(), first, second], friction=0.4)
        r = m.simulate(1.5, tolerance=tolerance)
        assert not r.warnings
        ends.append([*r[first.position].last, *r[second.position].last])
    assert ends[0] == pytest.approx(ends[1], abs=1e-5)


def test_a_foot_strikes_while_another_one_slides():
    """Friction of an impact acts against the slip behind it, of the foot that slid before, too: the same as by events and by fixed steps."""
    ends = []
    for settings in ({}, {"tolerance": 1e-8}, {"scheme": "event_driven"}, {"scheme": "moreau_jean", "step": 2e-5}):
        m = sl.Model()
        rod = m.body(mass=2, inertia=(0.02, 0.1, 0.1), at=(0, 0, 0.1), rotation=(0, 0.02, 0), velocity=(1, 0, 0), angular_velocity=(0, 0, 3))
        feet = [m.shape("sphere", rod, radius=0.02, at=(x, 0, 0.05)) for x in (-0.3, 0.3)]
        m.contact([m.plane()], feet, friction=0.5)
        r = m.simulate(0.3, **settings)
        ends.append([*r[rod.position].last, *r[rod.velocity].last])
    assert ends[0] == pytest.approx(ends[2], abs=3e-6)
    assert ends[1] == pytest.approx(ends[2], abs=1e-6)
    assert ends[3] == pytest.approx(ends[2], abs=1e-4)


@pytest.mark.parametrize("size", [(0.3, 0.2, 0.1), (1.0, 0.1, 0.05)])
def test_what_is_oblong_slides_and_spins_in_few_steps(size):
    """Its loads are shared by springs that do not depend on the step: gyroscopic terms of the step's matrix made its motion one of first order, in tens of thousands of steps."""
    ends, steps = [], []
    for home in ("group", "pair"):
        m = sl.Model()
        box = m.box(size=size, mass=2, at=(0, 0, size[2] / 2), velocity=(1, 0, 0), angular_velocity=(0, 0, 8))
        plane = m.plane()
        m.contact([plane], [box], friction=0.2) if home == "group" else m.contact(plane, box, friction=0.2)
        r = m.simulate(1.0)
        ends.append(r[box.position].last)
        steps.append(len(r))
    assert ends[0] == pytest.approx(ends[1], abs=1e-4)
    assert steps[0] < 4000


def test_a_robot_on_four_springy_legs_glides():
    """Slips of its feet end and turn from attempt to attempt until steps are rounding: they are taken without control for a while, with a warning, and the run goes on."""
    ends = []
    for settings in ({}, {"step": 1e-4}):
        m, feet = sl.Model(), []
        trunk = m.body(at=(0, 0, 0.5), mass=8, inertia=(0.1, 0.2, 0.3), velocity=(0.5, 0.2, 0), angular_velocity=(0, 0, 0.5))
        for x in (-0.25, 0.25):
            for y in (-0.15, 0.15):
                leg = m.body(at=(x, y, 0.5), mass=0.5, inertia=(0.01, 0.01, 0.001), center_of_mass=(0, 0, -0.2), velocity=(0.5 - 0.5 * y, 0.2 + 0.5 * x, 0), angular_velocity=(0, 0, 0.5))
                m.revolute(trunk, leg, at=(x, y, 0.5), axis="y", stiffness=60, damping=1)
                feet.append(m.shape("sphere", leg, radius=0.03, at=(x, y, 0.03)))
        m.contact([m.plane()], feet, friction=0.7)
        r = m.simulate(0.1, **settings)
        ends.append(r[trunk.position].last)
    assert ends[0] == pytest.approx(ends[1], abs=2e-4)


@pytest.mark.parametrize("wheels", [4, 6])
def test_by_events_a_car_that_meets_a_bump_head_on_goes_on_straight(wheels):
    """Model and start are symmetric about the plane y = 0: so is what follows, though the loads of its wheels are not unique."""
    m, v, R = sl.Model(), 3.0, 0.2
    bump = m.cylinder(radius=0.05, length=4, mass=1, axis="y", at=(1.5, 0, 0))
    m.fixed(m.ground, bump)
    chassis, all_wheels = m.box(size=(1, 0.6, 0.2), mass=50, at=(0, 0, 2 * R), velocity=(v, 0, 0)), []
    for x in np.linspace(-0.4, 0.4, wheels // 2):
        for y in (-0.35, 0.35):
            all_wheels.append(m.sphere(radius=R, mass=3, at=(x, y, R), velocity=(v, 0, 0), angular_velocity=(0, v / R, 0)))
            m.revolute(chassis, all_wheels[-1], at=(x, y, R), axis="y")
    m.contact([m.plane(), bump], all_wheels, friction=0.8)
    r = m.simulate(0.6, scheme="event_driven")
    assert np.abs(np.asarray(r[chassis.position])[:, 1]).max() < 1e-9  # 1.5 mm before, and growing
    assert np.abs(np.asarray(r[chassis.angular_velocity])[:, ::2]).max() < 1e-9
