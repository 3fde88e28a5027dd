"""Contacts with and without friction, joints, brakes and stops in one problem: closed forms."""

import math

import numpy as np
import pytest

import saltus as sl

G = 9.81


def leaning(angle, friction, groups, wall_friction=0.0):
    """A ladder (capsule) of 2 m and 10 kg that leans at `angle` from a wall."""
    m = sl.Model()
    floor, wall = m.plane(), m.plane(normal="x")
    s, c, radius = math.sin(angle), math.cos(angle), 0.02
    ladder = m.capsule(radius=radius, length=2.0, mass=10, axis=(-s, 0, c), at=(radius + s, 0, radius + c))
    on = (lambda x: [x]) if groups else (lambda x: x)
    foot = m.contact(on(floor), on(ladder), friction=friction)
    head = m.contact(on(wall), on(ladder), friction=wall_friction)
    return m, ladder, foot, head


@pytest.mark.parametrize("groups", [False, True])
@pytest.mark.parametrize("step", [1e-3, None])
@pytest.mark.parametrize("friction", [0.2, 0.5, 0.9])
def test_a_ladder_on_a_rough_floor_and_a_smooth_wall_stands_up_to_tan_of_its_angle_of_twice_the_friction(friction, step, groups):
    # Moments about the foot: N_wall (L cos(a) + R) = m g L/2 sin(a); N_wall = friction force <= mu m g.
    threshold = math.atan(2 * friction) + math.asin(friction * 0.02 / math.hypot(1, 2 * friction))
    for share in (0.5, 0.999, 1.01):
        m, ladder, foot, head = leaning(share * threshold, friction, groups)
        result = m.simulate(0.1, step=step)
        moved = result[ladder.displacement.norm].max()
        if share > 1:
            assert moved > 1e-5
            continue
        assert moved < 1e-9
        push = 10 * G * math.sin(share * threshold) / (2 * math.cos(share * threshold) + 0.02)
        assert result[head.force].last == pytest.approx([push, 0, 0], abs=1e-6)
        assert result[foot.force].last == pytest.approx([-push, 0, 10 * G], abs=1e-6)


def test_a_box_pushed_against_a_smooth_wall_on_a_rough_floor_loads_the_wall_with_what_friction_leaves():
    for push in (10.0, 60.0):
        m = sl.Model()
        floor, wall = m.plane(), m.plane(normal="x")
        box = m.box(size=(0.4, 0.4, 0.4), mass=10, at=(0.2, 0, 0.2))
        under, beside = m.contact(floor, box, friction=0.3), m.contact(wall, box)
        m.force(box, (-push, 0, 0))
        result = m.simulate(0.1, step=1e-3)
        assert result[box.displacement.norm].max() < 1e-9
        # How much the wall takes and how much friction does is not unique: their sum, and what friction can, are.
        wall_force, floor_force = result[beside.force].last, result[under.force].last
        assert wall_force[0] + floor_force[0] == pytest.approx(push, abs=1e-6)
        assert wall_force[0] >= push - 0.3 * 10 * G - 1e-6 and floor_force[2] == pytest.approx(10 * G, abs=1e-6)


@pytest.mark.parametrize("friction", [0.0, 0.3])
def test_a_wedge_is_held_by_friction_below_the_half_angle_and_squeezed_out_above(friction):
    # A ball of weight m g in a V of two planes at `half` from the vertical: each normal force is m g / (2 sin(half)).
    half = math.radians(30)
    m = sl.Model()
    n = np.array([math.cos(half), 0, math.sin(half)])
    left, right = m.plane(normal=tuple(n)), m.plane(normal=(-n[0], 0, n[2]))
    ball = m.sphere(radius=0.1, mass=2, at=(0, 0, 0.1 / math.sin(half)))
    smooth, rough = m.contact(left, ball), m.contact(right, ball, friction=friction)
    result = m.simulate(0.1, step=1e-3)
    # The smooth side leaves no moment about the ball's centre, so the rough one carries no friction either.
    force = 2 * G / (2 * math.sin(half))
    assert result[ball.displacement.norm].max() < 1e-9
    assert result[smooth.force].last == pytest.approx(force * n, abs=1e-6)
    assert result[rough.force].last == pytest.approx(force * np.array([-n[0], 0, n[2]]), abs=1e-6)


def test_a_ladder_hinged_to_a_braked_cart_beside_a_smooth_wall_carries_joint_brake_and_contacts_at_once():
    # The cart's brake (60 N) takes N_wall = m g tan(a) / 2 up to its bound.
    for angle, stands in ((45, True), (60, False)):
        m = sl.Model()
        wall = m.plane(normal="x")
        s, c = math.sin(math.radians(angle)), math.cos(math.radians(angle))
        cart = m.box(size=(0.2, 0.2, 0.1), mass=1, at=(0.02 + 2 * s, 0, 0))
        ladder = m.capsule(radius=0.02, length=2.0, mass=10, axis=(-s, 0, c), at=(0.02 + s, 0, c))
        m.prismatic(m.ground, cart, at=(0.02 + 2 * s, 0, 0), axis="x", friction=60.0)
        m.revolute(cart, ladder, at=(0.02 + 2 * s, 0, 0), axis="y")
        head = m.contact([wall], [ladder])
        result = m.simulate(0.05, step=1e-3)
        assert (result[ladder.displacement.norm].max() < 1e-8) == stands
        if stands:
            assert result[head.force].last[0] == pytest.approx(10 * G * s / c / 2, abs=1e-5)


@pytest.mark.parametrize("gravity", [(0, 0, -9.81), (3.0, 4.0, -8.0)])
@pytest.mark.parametrize("links", [8, 12, 30])
def test_a_chain_of_capsules_that_hangs_at_rest_above_a_plane_stays_and_its_joints_carry_what_is_below(links, gravity):
    m = sl.Model(gravity=gravity)
    floor = m.plane(at=(0, 0, -20))
    down = np.array(gravity) / np.linalg.norm(gravity)
    place, last, bodies, joints = np.array([0.3, 0.1, 0.0]), m.ground, [], []
    for _ in range(links):
        end = place + 0.2 * down
        bodies.append(m.capsule(radius=0.03, length=0.2, mass=0.1, axis=tuple(down), at=tuple(0.5 * (place + end))))
        joints.append(m.spherical(last, bodies[-1], at=tuple(place)))
        last, place = bodies[-1], end
    m.contact(floor, bodies, friction=0.3)
    result = m.simulate(0.05, step=1e-3)
    assert max(result[b.displacement.norm].max() for b in bodies) < 1e-10
    for i, joint in enumerate(joints):
        assert result[joint.force].last == pytest.approx(-(links - i) * 0.1 * np.array(gravity), abs=1e-6 * links)
