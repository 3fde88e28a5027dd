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


def test_a_stop_returns_e_times_the_speed_and_keeps_the_joint_within_its_limits():
    m = sl.Model(gravity=(0, 0, 0))
    rod = m.rod((0, 0, 0), (1, 0, 0), mass=3, velocity=(0, 0.5, 0), angular_velocity=(0, 0, 1.0))
    pin = m.revolute(m.ground, rod, at=(0, 0, 0), axis="z", limits=(-0.2, 0.3), restitution=0.5)
    result = m.simulate(2.5, step=1e-3)
    rate, angle = result[pin.angular_rate], result[pin.angle]
    # 0.3 rad at 1 rad/s, then 0.5 rad at 0.5 rad/s, then at 0.25 rad/s
    assert rate.last == pytest.approx(0.25, abs=1e-9)
    assert angle.last == pytest.approx(-0.2 + 0.25 * (2.5 - 0.3 - 1.0), abs=2e-3)
    assert np.max(angle) < 0.3 + 1e-3 and np.min(angle) > -0.2 - 1e-3
    kinetic = 0.5 * 3 / 3 * np.array([1.0, 0.25, 0.0625])
    assert {round(float(e), 6) for e in result["energy.kinetic"]} == {round(float(e), 6) for e in kinetic}


def test_limits_may_lie_beyond_half_a_turn():
    m = sl.Model(gravity=(0, 0, 0))
    rod = m.rod((0, 0, 0), (1, 0, 0), mass=3, velocity=(0, 1, 0), angular_velocity=(0, 0, 2.0))
    m.revolute(m.ground, rod, at=(0, 0, 0), axis="z", limits=(0.0, 4.0))
    result = m.simulate(3.0, step=1e-3)
    end = result[rod.end.position].last
    assert end == pytest.approx([math.cos(4), math.sin(4), 0], abs=2e-3)


def slider(**keywords):
    m = sl.Model(gravity=(0, 0, 0))
    box = m.box(size=(1, 1, 1), mass=2, velocity=(3 if "friction" in keywords else 0, 0, 0))
    return m, box, m.prismatic(m.ground, box, at=(0, 0, 0), axis="x", **keywords)


def test_dry_friction_stops_a_slider_after_m_v2_over_2_f_and_then_holds_it():
    m, box, guide = slider(friction=4.0)
    m.force(box, ("3*(t > 2)", 0, 0))
    result = m.simulate(3.0, step=1e-3)
    assert result[box.position.x].last == pytest.approx(2 * 9 / (2 * 4), abs=2e-3)
    assert result[box.velocity.x].last == pytest.approx(0, abs=1e-9)
    assert result[guide.friction].last == pytest.approx(-3, abs=1e-6)  # holds the load of 3 N, below its level


def test_a_spring_on_a_prismatic_joint_gives_the_closed_frequency():
    m, box, guide = slider(stiffness=50.0, rest_position=0.1)
    result = m.simulate(1.0, step=1e-3, scheme="generalized_alpha")
    assert result[box.position.x].last == pytest.approx(0.1 * (1 - math.cos(5.0)), abs=1e-5)


def test_a_slider_falls_onto_its_stop_and_rests_there():
    m = sl.Model()
    box = m.box(size=(1, 1, 1), mass=2, at=(0, 0, 1))
    guide = m.prismatic(m.ground, box, at=(0, 0, 1), axis="z", limits=(-0.5, 0.5), restitution=0.3)
    result = m.simulate(1.5, step=1e-3)
    assert result[box.position.z].last == pytest.approx(0.5, abs=1e-6)
    low, high = guide.stops
    assert result[low].last == pytest.approx(2 * 9.81, rel=1e-6)
    assert result[high].last == 0.0


@pytest.mark.parametrize(
    "keywords, message",
    [
        (dict(limits=(1.0, -1.0)), "the lowest must be below the highest"),
        (dict(limits=3.0), "expected \\(lowest, highest\\)"),
        (dict(restitution=0.5), "is of a stop, and the joint has none"),
        (dict(friction=-1.0), "must be at least 0"),
    ],
)
def test_wrong_stops_and_frictions_are_refused(keywords, message):
    with pytest.raises(sl.ModelError, match=message):
        pendulum(**keywords)


def test_a_generic_joint_moves_as_the_joint_that_it_stands_for():
    def end(make):
        m = sl.Model()
        rod = m.rod((0, 0, 0), (1, 0, 0), mass=1)
        last = m.rod((1, 0, 0), (1, 1, 0), mass=1)
        make(m, m.ground, rod, (0, 0, 0))
        m.revolute(rod, last, at=(1, 0, 0), axis=(1, 0, 0))
        return m.simulate(0.5, **FIXED)[last.end.position].last

    revolute = end(lambda m, a, b, at: m.revolute(a, b, at=at, axis="y"))
    generic = end(lambda m, a, b, at: m.generic(a, b, at=at, locked=("x", "y", "z", "rx", "rz")))
    assert generic == pytest.approx(revolute, abs=1e-9)
    spherical = end(lambda m, a, b, at: m.spherical(a, b, at=at))
    assert end(lambda m, a, b, at: m.generic(a, b, at=at, locked=("x", "y", "z"))) == pytest.approx(spherical, abs=1e-9)


def test_a_generic_joint_turns_its_free_axis_by_many_turns():
    m = sl.Model(gravity=(0, 0, 0))
    box = m.box(size=(1, 2, 3), mass=1, angular_velocity=(0, 0, 9.0))
    m.generic(m.ground, box, locked=("x", "y", "z", "rx", "ry"))
    result = m.simulate(3.0, **FIXED)
    assert result[box.angular_velocity].last == pytest.approx([0, 0, 9], abs=1e-9)


def test_what_a_generic_joint_locks_is_checked():
    m = sl.Model()
    box = m.box(size=(1, 1, 1), mass=1)
    for locked, message in (((), "locks nothing"), (("x", "xr"), "has 'xr'"), (("x", "x"), "more than once")):
        with pytest.raises(sl.ModelError, match=message):
            m.generic(m.ground, box, locked=locked)

@pytest.mark.parametrize("kind", ["fixed", "spherical", "revolute", "prismatic", "cylindrical"])
def test_without_a_place_a_joint_is_at_the_frame_of_its_second_body(kind):
    for end in (lambda rod: rod, lambda rod: rod.end):
        m = sl.Model(gravity=(0, 0, 0))
        rod = m.rod((1, 0, 0), (2, 0, 0), mass=1, name="rod")
        getattr(m, kind)(m.ground, end(rod), name="joint")
        result = m.simulate(0.01)
        assert np.abs(result["rod.displacement"]).max() < 1e-12
        assert np.abs(result["joint.residual"]).max() < 1e-12


@pytest.mark.parametrize("scheme", ["generalized_alpha", "dormand_prince", "moreau_jean"])
def test_a_gate_on_two_bars_swings_as_a_pendulum_though_four_rows_are_redundant(scheme):
    # The rod between the bars turns about its own axis at no force: rows whose terms are rounding of the others failed the run.
    m = sl.Model()
    bars = [m.rod((0, y, 0), (1, y, 0), mass=1) for y in (0, 2)]
    gate = m.rod((1, 0, 0), (1, 2, 0), mass=3)
    for bar, y in zip(bars, (0, 2), strict=True):
        m.revolute(m.ground, bar, at=(0, y, 0), axis="y")
        m.revolute(bar, gate, at=(1, y, 0), axis="y")
    with pytest.warns(sl.ModelWarning, match="redundant"):
        result = m.simulate(until=0.8, scheme=scheme)
    z, speed = result[gate.position.z], result[bars[0].angular_velocity.y]
    # Each bar m L^2 / 3 about its hinge, the gate as a point: I w^2 / 2 = (2 m / 2 + 3 m) g (-z).
    np.testing.assert_allclose(0.5 * (2 / 3 + 3) * speed**2, -4 * 9.81 * z, atol=5e-3)


@pytest.mark.parametrize("scheme", [dict(), dict(scheme="generalized_alpha", step=1e-3), dict(scheme="dormand_prince", tolerance=1e-9)], ids=str)
def test_a_drive_with_an_integral_holds_its_speed_under_a_load(scheme):
    """J w' = K_p (w_0 - w) + K_i e - T, e' = w_0 - w: a step response of second order; at rest K_i e = T."""
    J, Kp, Ki, load, wanted = 0.5, 3.0, 8.0, 2.0, 5.0
    m = sl.Model(gravity=(0, 0, 0))
    rotor = m.body(mass=1, inertia=(J, J, J), name="rotor")
    hinge = m.revolute(m.ground, rotor, axis="z", speed=wanted, gain=Kp, integral=Ki, name="motor")
    m.torque(rotor, (0, 0, -load))
    result = m.simulate(4.0, **scheme)
    A, b = np.array([[-Kp / J, Ki / J], [-1.0, 0.0]]), np.array([(Kp * wanted - load) / J, wanted])
    rest = -np.linalg.solve(A, b)
    values, vectors = np.linalg.eig(A)
    exact = rest[:, None] + (vectors @ (np.exp(np.outer(values, result.time)) * np.linalg.solve(vectors, -rest + 0j)[:, None])).real
    assert result[rotor.angular_velocity.z] == pytest.approx(exact[0], abs=1e-3 * wanted)
    assert result["motor_integral.state"].last == pytest.approx(load / Ki, rel=1e-3)
    assert hinge.integral == Ki


def test_the_integral_of_a_drive_waits_while_its_limit_is_reached():
    """With 1 N m for 5 s the motor comes to its speed at t = J w / M; what it lacked meanwhile has not been added up: it does not overshoot."""
    m = sl.Model(gravity=(0, 0, 0))
    rotor = m.body(mass=1, inertia=(0.5,) * 3, name="rotor")
    m.revolute(m.ground, rotor, axis="z", speed=10.0, gain=3.0, integral=8.0, limit=1.0, name="motor")
    result = m.simulate(8.0)
    speed = np.asarray(result[rotor.angular_velocity.z])
    assert result.at(2.0)[rotor.angular_velocity.z] == pytest.approx(4.0, rel=1e-3)
    assert np.max(speed) < 10.0 + 0.1 and speed[-1] == pytest.approx(10.0, abs=1e-2)


def test_an_integral_is_of_a_drive_by_speed():
    m = sl.Model()
    with pytest.raises(sl.ModelError, match="revolute_1/integral.*drive by speed"):
        m.revolute(m.ground, m.body(mass=1, inertia=(1, 1, 1)), integral=3.0)
    with pytest.raises(sl.ModelError, match="integral.*expression of t"):
        m.revolute(m.ground, m.body(mass=1, inertia=(1, 1, 1)), integral=3.0, speed=lambda t: t)
    with pytest.raises(sl.ModelError, match="integral.*-1"):
        m.revolute(m.ground, m.body(mass=1, inertia=(1, 1, 1)), integral=-1.0, speed=1.0)


@pytest.mark.parametrize("planar", [False, True])
def test_the_position_of_a_slide_is_its_travel_whether_it_is_driven_or_not(planar):
    m = sl.Model(planar=planar, gravity=(0, -10, 0))
    free = m.prismatic(m.ground, m.box(size=(0.1, 0.1, 0.1), mass=1), axis=(0.6, -0.8, 0), name="free")
    led = m.prismatic(m.ground, m.box(size=(0.1, 0.1, 0.1), mass=1, at=(1, 0, 0)), axis="x", position="0.5*t^2", name="led")
    pin = m.revolute(m.ground, m.rod((2, 0, 0), (3, 0, 0), mass=1), at=(2, 0, 0), axis="z", name="pin")
    r = m.simulate(until=0.5)
    values = [r[q].last for q in (free.position, free.position_rate, led.position, led.position_rate)]
    assert values == pytest.approx([0.5 * 8 * 0.25, 8 * 0.5, 0.125, 0.5], rel=1e-6)      # g sin(slope) = 8
    assert led.settings["position"] == "0.5*t^2"
    led.position = "t"
    assert m.simulate(until=0.5)[led.position_rate].last == pytest.approx(1.0)
    for word in ("position", "position_rate"):
        with pytest.raises(AttributeError, match="leaves no travel along its axis; a hinge has angle"):
            getattr(pin, word)
    m.rack(pin.angle, free.position, radius=0.1)                                        # a coordinate like angle
