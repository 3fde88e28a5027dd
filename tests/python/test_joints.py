"""Joints with their keywords: motion, forces and power of the drive."""

import math

import numpy as np
import pytest

import saltus as sl

FIXED = dict(step=1e-3, scheme="generalized_alpha")


def pendulum(**keywords):
    m = sl.Model(gravity=(0, 0, 0))
    w = 2.0 if "speed" in keywords else 0.0  # the start is consistent with a motor at 2 rad/s
    rod = m.rod((0, 0, 0), (1, 0, 0), mass=3, velocity=(0, 0.5 * w, 0), angular_velocity=(0, 0, w))
    return m, rod, m.revolute(m.ground, rod, at=rod.start, axis="z", **keywords)


@pytest.mark.parametrize("speed", [2.0, "2", lambda t: 2.0])
def test_a_motor_at_constant_speed_holds_the_rod_on_its_circle(speed):
    m, rod, pin = pendulum(speed=speed)
    result = m.simulate(0.5, **FIXED)
    assert result[pin.angle].last == pytest.approx(1.0, abs=1e-6)
    assert result[rod.end.position].last == pytest.approx([math.cos(1), math.sin(1), 0], abs=1e-6)
    # centripetal force m w^2 L/2 on B, towards the pin
    assert result[pin.force].last == pytest.approx([-6 * math.cos(1), -6 * math.sin(1), 0], abs=1e-4)
    assert result[pin.drive].last == pytest.approx(0, abs=1e-4)


def test_a_drive_of_angle_does_the_work_that_the_energy_gains():
    m, rod, pin = pendulum(angle="t^2")
    result = m.simulate(1.0, **FIXED)
    assert result[pin.angle].last == pytest.approx(1.0, abs=1e-6)
    assert result[pin.drive].last == pytest.approx(3 / 3 * 2, abs=1e-4)  # I = m L^2/3 about the pin
    assert result[pin.torque].last == pytest.approx([0, 0, 2.0], abs=1e-3)


def test_a_torque_and_a_torsional_spring_balance():
    m, rod, pin = pendulum(torque=0.5, stiffness=2.0, damping=20.0)
    result = m.simulate(60.0, scheme="generalized_alpha", tolerance=1e-5)
    assert result[pin.angle].last == pytest.approx(0.25, abs=1e-3)


def test_a_prismatic_drive_lifts_with_the_weight():
    m = sl.Model()
    box = m.box(size=(1, 1, 1), mass=2)
    lift = m.prismatic(m.ground, box, axis="z", position="0.5*t^2")
    result = m.simulate(1.0, **FIXED)
    assert result[box.position.z].last == pytest.approx(0.5, abs=1e-6)
    assert result[lift.drive].last == pytest.approx(2 * (9.81 + 1), abs=1e-3)


def test_a_fixed_joint_carries_the_weight_and_a_force_adds_to_it():
    m = sl.Model()
    box = m.box(size=(1, 1, 1), mass=2)
    joint = m.fixed(m.ground, box, at=(0, 0, 0))
    m.force(box, (5, 0, "3*t"))
    result = m.simulate(1.0, **FIXED)
    assert result[joint.force].last == pytest.approx([-5, 0, 2 * 9.81 - 3], abs=1e-6)


def test_a_distance_keeps_the_one_of_the_reference_position():
    m = sl.Model(gravity=(0, -9.81, 0))
    ball = m.point_mass(mass=1, at=(3, 4, 0))
    m.distance(m.ground, ball)
    result = m.simulate(1.0, **FIXED)
    assert np.abs(result[ball.position.norm] - 5).max() < 1e-8


def test_two_drives_are_refused():
    with pytest.raises(sl.ModelError, match="joints/revolute_1: is driven by speed and torque; give one of them"):
        pendulum(speed=1, torque=1)


def test_axes_of_a_universal_joint_must_be_normal():
    m = sl.Model()
    rod = m.rod((0, 0, 0), (1, 0, 0), mass=1)
    with pytest.raises(sl.ModelError, match="not normal to each other"):
        m.universal(m.ground, rod, axes=("x", (1, 1, 0)))


def test_a_joint_without_drive_says_how_to_get_one():
    with pytest.raises(AttributeError, match="give it speed="):
        _ = pendulum()[2].drive
