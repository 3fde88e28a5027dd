"""Angles count turns: springs, bushings, torques, drives, stops and `joint.angle`, with every scheme."""

import math

import numpy as np
import pytest

import saltus as sl

TURN = 2 * math.pi
INERTIA = 0.7
SMOOTH = [
    (dict(scheme="dormand_prince", tolerance=1e-9), 1e-7),
    (dict(scheme="runge_kutta_4", step=2e-3), 1e-6),
    (dict(scheme="generalized_alpha", tolerance=1e-8), 1e-3),
    (dict(scheme="generalized_alpha", step=1e-3), 1e-3),
    (dict(scheme="moreau_jean", step=1e-3), 1e-3),
    (dict(scheme="moreau_jean", tolerance=1e-7), 1e-3),
]


def wheel(speed=0.0, at=(0, 0, 0), **keywords):
    """A wheel on a hinge about z; its spring and drive as given."""
    m = sl.Model(gravity=(0, 0, 0))
    body = m.body(mass=2, inertia=(0.5, 0.5, INERTIA), at=at, angular_velocity=(0, 0, speed), name="wheel")
    return m, m.revolute(m.ground, body, at=at, axis="z", name="hinge", **keywords)


@pytest.mark.parametrize("options, error", SMOOTH, ids=str)
def test_a_hinge_with_a_spring_swings_over_many_turns_as_the_closed_form(options, error):
    m, hinge = wheel(speed=20.0, stiffness=0.4)
    omega = math.sqrt(0.4 / INERTIA)  # amplitude 26 rad, four turns to each side
    result = m.simulate(10.0, **options)
    truth, rate = 20 / omega * np.sin(omega * result.time), 20 * np.cos(omega * result.time)
    assert np.max(np.abs(result[hinge.angle] - truth)) < error * 20 / omega
    assert np.max(np.abs(result[hinge.angular_rate] - rate)) < 10 * error * 20
    energy = result["energy.total"]
    assert np.ptp(energy) < 20 * error * energy[0]


def test_at_tight_tolerance_the_swing_over_turns_is_right_to_1e_8():
    m, hinge = wheel(speed=20.0, stiffness=0.4)
    result = m.simulate(10.0, scheme="dormand_prince", tolerance=1e-12)
    omega = math.sqrt(0.4 / INERTIA)
    assert result[hinge.angle].last == pytest.approx(20 / omega * math.sin(10 * omega), abs=1e-8)


@pytest.mark.parametrize("scheme", ["dormand_prince", "generalized_alpha", "moreau_jean", "auto"])
def test_ten_thousand_turns_are_counted_with_default_settings(scheme):
    m, hinge = wheel(speed=400.0)
    result = m.simulate(10_000 * TURN / 400.0, scheme=scheme)
    assert result[hinge.angle].last / TURN == pytest.approx(10_000, abs=1e-3)
    assert result[hinge.angle] == pytest.approx(400 * np.array(result.time), rel=1e-6, abs=1e-6)


def test_a_spin_of_several_turns_a_step_keeps_its_count_with_a_fixed_step():
    m, hinge = wheel(speed=90.0, damping=0.07)  # 9 rad/s lost a second for each 90: more than a turn a step of 0.1 s
    result = m.simulate(3.0, scheme="generalized_alpha", step=0.1)
    assert result[hinge.angle].last == pytest.approx(90 / 0.1 * (1 - math.exp(-0.3)), rel=1e-3)


def test_a_step_that_could_lose_a_turn_is_made_shorter_or_refused_by_name():
    m, hinge = wheel(torque="2000*(t > 0.5)")  # 2857 rad/s^2: 14 rad in a step of 0.1 s
    result = m.simulate(1.0, scheme="moreau_jean", step=0.1)
    expected = 0.5 * 2000 / INERTIA * 0.25
    assert result[hinge.angle].last == pytest.approx(expected, rel=0.2)
    assert result[hinge.angle].last % TURN == pytest.approx(twist(result), abs=1e-9)
    assert result.report["rejected"] > 0


def twist(result):
    """Angle about z of the wheel from its rotation matrix alone, in [0, 2 pi)."""
    R = result["wheel.rotation_matrix"].last
    return math.atan2(R[3], R[0]) % TURN


@pytest.mark.parametrize("rest", [0.0, 3.2 * TURN, -5.4 * TURN])
@pytest.mark.parametrize("scheme", ["dormand_prince", "generalized_alpha", "moreau_jean"])
def test_a_rest_angle_of_several_turns_means_what_it_says(scheme, rest):
    m, hinge = wheel(stiffness=3.0, damping=4.0, rest_angle=rest)
    result = m.simulate(12.0, scheme=scheme)
    assert result[hinge.angle].last == pytest.approx(rest, abs=1e-3)
    assert result["energy.potential"][0] == pytest.approx(0.5 * 3 * rest**2, rel=1e-9)


def test_static_turns_a_hinge_to_its_rest_angle_or_to_its_drive_over_several_turns():
    m, hinge = wheel(stiffness=3.0, rest_angle=3.2 * TURN)
    assert m.static()[hinge.angle].last == pytest.approx(3.2 * TURN, abs=1e-8)
    m, hinge = wheel(stiffness=3.0)
    m.torque(m["wheel"], (0, 0, 100.0))
    assert m.static()[hinge.angle].last == pytest.approx(100 / 3, abs=1e-8)
    m, hinge = wheel(angle=-2.3 * TURN, stiffness=3.0)
    assert m.static()[hinge.angle].last == pytest.approx(-2.3 * TURN, abs=1e-8)


@pytest.mark.parametrize("options, error", SMOOTH, ids=str)
def test_a_drive_by_angle_is_followed_through_many_turns(options, error):
    m, hinge = wheel(angle="15*(1 - cos(2*t))", stiffness=0.2, rest_angle=1.0)
    result = m.simulate(4.0, **options)
    assert result[hinge.angle] == pytest.approx(15 * (1 - np.cos(2 * result.time)), abs=1e-3)
    torque = INERTIA * 60 * math.cos(8.0) + 0.2 * (15 * (1 - math.cos(8.0)) - 1)
    if "moreau" not in options["scheme"]:
        assert result[hinge.drive].last == pytest.approx(torque, abs=0.1)


def test_a_stop_at_five_pi_stops_there():
    m, hinge = wheel(speed=7.0, limits=(-1.0, 5 * math.pi), restitution=0.5)
    result = m.simulate(5 * math.pi / 7 + 2.0, step=1e-3)
    angle = result[hinge.angle]
    assert np.max(angle) == pytest.approx(5 * math.pi, abs=7e-3)
    assert angle.last == pytest.approx(5 * math.pi - 3.5 * 2.0, abs=2e-2)
    assert result[hinge.angular_rate].last == pytest.approx(-3.5, abs=1e-9)


@pytest.mark.parametrize("scheme", ["dormand_prince", "generalized_alpha", "moreau_jean"])
def test_a_torque_of_the_angle_sees_turns(scheme):
    """J angle'' = -c (angle - 3.2 turns) - d speed: the spring of 3.2 turns as a torque of the user."""
    m, hinge = wheel(torque=f"-3*(angle - {3.2 * TURN}) - 4*speed")
    result = m.simulate(12.0, scheme=scheme)
    assert result[hinge.angle].last == pytest.approx(3.2 * TURN, abs=1e-3)
    m, hinge = wheel(torque=lambda t, angle, speed: -3 * (angle - 3.2 * TURN) - 4 * speed)
    assert m.simulate(12.0, scheme=scheme)[hinge.angle].last == pytest.approx(3.2 * TURN, abs=1e-3)


@pytest.mark.parametrize("options, error", SMOOTH, ids=str)
def test_a_bushing_goes_on_beyond_half_a_turn(options, error):
    """About its axis a bushing is a torsion spring."""
    m, hinge = wheel(speed=20.0)
    K = np.diag([0, 0, 0, 0.9, 0.9, 0.4])
    m.add(sl.items.Bushing(name="rubber", A="ground", B="wheel", stiffness=K.tolist()))
    result = m.simulate(10.0, **options)
    omega = math.sqrt(0.4 / INERTIA)
    truth = 20 / omega * np.sin(omega * result.time)
    assert np.max(np.abs(result[hinge.angle] - truth)) < 2 * error * 20 / omega
    assert result["rubber.torque.z"] == pytest.approx(-0.4 * np.array(result[hinge.angle]), abs=1e-6)
    assert result["rubber.angle"] == pytest.approx(np.array(result[hinge.angle]), abs=1e-9)


def planar(turns, rest, limits=(-50.0, 50.0), drive=False):
    """A planar wheel that starts `turns` whole turns from 0.3 rad, with everything that reads its angle."""
    m = sl.Model(gravity=(0, 0, 0))
    m.add(sl.items.NodeRigid2d(name="n", position=(0, 0, 0), rotation=0.3 + TURN * turns))
    m.add(sl.items.RigidBody(name="wheel", node="n", mass=2, inertia=(0.5, 0.5, INERTIA)))
    joint = dict(A="ground", B="wheel", at=(0, 0, 0), axis="z")
    m.add(sl.items.PlanarRevolute(name="pin", **joint))
    shift = TURN * turns
    m.add(sl.items.TorsionalSpringDamper(name="spring", stiffness=2.0, damping=0.1, rest_angle=rest + shift, **joint))
    m.add(sl.items.JointTorque(name="torque", torque=f"4*sin(3*t) - 0.5*(angle - {shift})", **joint))
    return m


@pytest.mark.parametrize("turns", [1, -3])
@pytest.mark.parametrize("options, error", SMOOTH, ids=str)
def test_whole_turns_added_to_the_initial_and_the_rest_angle_change_nothing(options, error, turns):
    base, moved = (planar(n, 12.0).simulate(3.0, **options) for n in (0, turns))
    for quantity in ("pin.angle", "spring.angle"):
        assert base[quantity][0] == pytest.approx(0.3, abs=1e-12)
        assert moved[quantity].last - TURN * turns == pytest.approx(base[quantity].last, abs=20 * error)
    assert moved["spring.torque.z"].last == pytest.approx(base["spring.torque.z"].last, abs=20 * error)


@pytest.mark.parametrize("scheme", ["dormand_prince", "generalized_alpha", "moreau_jean"])
def test_the_count_is_the_same_far_from_the_origin(scheme):
    ends = []
    for at in ((0, 0, 0), (1e4, -3e4, 2e4)):
        m, hinge = wheel(speed=20.0, at=at, stiffness=0.4)
        ends.append(m.simulate(3.0, scheme=scheme)[hinge.angle].last)
    assert ends[1] == pytest.approx(ends[0], abs=2e-2)


def test_a_file_keeps_the_count_and_one_without_it_still_loads(tmp_path):
    m, hinge = wheel(speed=20.0, stiffness=0.4)
    result = m.simulate(2.0)
    result.save(tmp_path / "count.saltus")
    loaded = sl.load_result(tmp_path / "count.saltus")
    assert np.array_equal(np.array(loaded["hinge.angle"]), np.array(result[hinge.angle]))
    # As files of before items counted turns: nothing is remembered, and angles are within half a turn of what is near.
    loaded._recorded.arrays["data"] = loaded._recorded.arrays["data"][:, :0]
    from saltus.result_file import _with_history

    loaded._recorded.arrays["data"] = _with_history(loaded._recorded.arrays["data"], loaded._recorded.system.sizes())
    angle = np.array(loaded["hinge.angle"])
    assert np.max(np.abs(angle)) <= math.pi + 1e-12
    assert np.allclose(np.remainder(angle - np.array(result[hinge.angle]) + 1, TURN), 1)


@pytest.mark.parametrize("scheme", ["dormand_prince", "generalized_alpha", "moreau_jean"])
def test_modes_and_linearization_about_a_turned_state_know_its_turns(scheme):
    """The stiffness of a torque c sin(angle / 4) about 3 turns is that of its own slope, not of the principal angle's."""
    m, hinge = wheel(torque="-3*sin(angle/4) - 2*speed", stiffness=0.5, rest_angle=3 * TURN)
    result = m.simulate(40.0, scheme=scheme)
    angle = result[hinge.angle].last
    assert 0.5 * (angle - 3 * TURN) + 3 * math.sin(angle / 4) == pytest.approx(0.0, abs=1e-4)
    slope = 0.5 + 0.75 * math.cos(angle / 4)
    linear = m.linearize(at=result)
    poles = np.linalg.eigvals(linear.A)
    assert np.prod(poles).real == pytest.approx(slope / INERTIA, rel=1e-4)


@pytest.mark.parametrize("scheme", ["dormand_prince", "generalized_alpha", "moreau_jean"])
def test_between_the_states_of_steps_of_several_turns_the_count_is_right_too(scheme):
    m, hinge = wheel(speed=90.0, damping=0.07)  # 37 turns, with dormand_prince in 9 states
    result = m.simulate(3.0, scheme=scheme)
    times = np.linspace(0.01, 2.99, 60)
    found = [float(np.ravel(result.at(float(t))[hinge.angle])[0]) for t in times]
    assert found == pytest.approx(900 * (1 - np.exp(-times / 10)), abs=1e-3)


def test_a_body_comes_to_rest_on_a_stop_beyond_half_a_turn():
    m, hinge = wheel(speed=9.0, limits=(-1.0, 3 * TURN), torque=2.0)
    result = m.simulate(4.0, step=1e-3)
    assert result[hinge.angle].last == pytest.approx(3 * TURN, abs=1e-8)
    assert result[hinge.angular_rate].last == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("scheme", ["auto", "generalized_alpha"])
@pytest.mark.parametrize("speed, driven", [(5.0, False), (50.0, False), (50.0, True)])
def test_a_steady_spin_about_an_axis_that_is_no_principal_one_goes_on(scheme, speed, driven):
    """The hinge bears w x J w, which turns with the body; nothing else changes."""
    axis = np.array((1.0, 2.0, 3.0)) / math.sqrt(14)
    m = sl.Model(gravity=(0, 0, 0))
    body = m.body(mass=1, inertia=(0.011, 0.008, 0.004), angular_velocity=speed * axis)
    hinge = m.revolute(m.ground, body, axis=axis, **(dict(speed=speed) if driven else {}))
    result = m.simulate(100.0, scheme=scheme)
    truth = speed * np.array(result.time)
    assert result[hinge.angle] == pytest.approx(truth, rel=1e-8, abs=1e-8)
    borne = np.linalg.norm(np.cross(speed * axis, np.array((0.011, 0.008, 0.004)) * speed * axis))
    assert np.linalg.norm(result[hinge.torque], axis=1) == pytest.approx(borne, rel=1e-6)
