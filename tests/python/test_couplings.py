"""Motions of joints as scalar coordinates: gears, racks, screws, differentials, springs, loads, stops on them, against closed forms."""

import math

import numpy as np
import pytest

import saltus as sl

SCHEMES = [
    (dict(scheme="dormand_prince", tolerance=1e-9), 1e-7),
    (dict(scheme="generalized_alpha", step=1e-3), 1e-5),
    (dict(scheme="moreau_jean", step=1e-3), 1e-5),
    (dict(), 1e-3),
]


def wheel(m, inertia, axis="z", at=(0, 0, 0), on=None, name="", **keywords):
    """A body on a hinge; its inertia about each axis is the same."""
    body = m.body(mass=1, inertia=(inertia, inertia, inertia), at=at, name=name)
    return body, m.revolute(on or m.ground, body, at=at, axis=axis, **keywords)


@pytest.mark.parametrize("options, error", SCHEMES, ids=str)
def test_two_gears_on_skew_axes_share_a_torque(options, error):
    m = sl.Model(gravity=(0, 0, 0))
    _, one = wheel(m, 0.4, axis="z", torque=2.0)
    _, two = wheel(m, 0.3, axis=(1, 2, -0.5), at=(0.3, 0.2, 0.1))
    gear = m.coupling([one.angle, two.angle], (1, 2.5))
    result = m.simulate(3.0, **options)
    acceleration = 2.0 / (0.4 + 0.3 / 2.5**2)
    t = result.time
    assert result[one.angle] == pytest.approx(0.5 * acceleration * t**2, abs=error * 20)  # three turns
    assert result[two.angle] == pytest.approx(-0.5 * acceleration / 2.5 * t**2, abs=error * 20)
    assert result[gear.multiplier].last == pytest.approx(0.4 * acceleration - 2.0, rel=10 * error)


def test_two_gears_on_a_turning_frame_keep_energy_and_momentum():
    """All spin freely in space: the coupling does no work, momentum about the origin stays."""
    m = sl.Model(gravity=(0, 0, 0))
    frame = m.body(mass=3, inertia=(0.5, 0.7, 0.6), angular_velocity=(0.4, 0.3, 0.8), name="frame")
    spins = []
    for k, axis in enumerate(((0, 0, 1), (0, 1, 0.3))):
        at = (0.5 * k, 0.2, 0.1)
        n = np.array(axis) / np.linalg.norm(axis)
        w = np.array((0.4, 0.3, 0.8)) + (3.0, -2.0)[k] * n
        gear = m.body(mass=1, inertia=(0.1, 0.2, 0.3), at=at, velocity=np.cross((0.4, 0.3, 0.8), at), angular_velocity=w)
        spins.append(m.revolute(frame, gear, at=at, axis=axis))
    m.coupling([spins[0].angle, spins[1].angle], (2, 3))
    result = m.simulate(5.0, scheme="dormand_prince", tolerance=1e-10)
    assert np.ptp(result["energy.total"]) < 1e-8 * result["energy.total"][0]
    assert np.max(np.abs(2 * result[spins[0].angle] + 3 * result[spins[1].angle])) < 1e-8
    alpha = m.simulate(5.0, scheme="generalized_alpha", step=1e-3)
    assert alpha[spins[0].angle].last == pytest.approx(result[spins[0].angle].last, abs=2e-4)


def planetary(drive):
    """Sun and carrier on the ground, ring too, three planets on the carrier; teeth 30, 15, 60."""
    m = sl.Model(gravity=(0, 0, 0))
    _, sun = wheel(m, 0.1, name="sun", speed=drive)
    carrier_body, carrier = wheel(m, 0.5, name="carrier")
    _, ring = wheel(m, 0.8, name="ring", torque="0.3*sin(t)")
    for k in range(3):
        at = (0.45 * math.cos(2.1 * k), 0.45 * math.sin(2.1 * k), 0)
        _, planet = wheel(m, 0.02, at=at, on=carrier_body, name=f"planet{k}")
        m.coupling([sun.angle, carrier.angle, planet.angle], (30, -30, 15))
        m.coupling([ring.angle, carrier.angle, planet.angle], (60, -60, -15))
    return m, sun, carrier, ring


@pytest.mark.parametrize("scheme", ["dormand_prince", "generalized_alpha"])
def test_a_planetary_gear_follows_willis(scheme):
    """Willis (1841): (sun - carrier) / (ring - carrier) = -60 / 30, whatever drives it."""
    m, sun, carrier, ring = planetary("2 + sin(3*t)")
    result = m.simulate(4.0, scheme=scheme, step=1e-3) if scheme == "generalized_alpha" else m.simulate(4.0, scheme=scheme)
    s, c, r = (result[joint.angle] for joint in (sun, carrier, ring))
    assert np.max(np.abs((s - c) + 2 * (r - c))) < 1e-12 * np.max(np.abs(s))
    ds, dc, dr = (result[joint.angular_rate] for joint in (sun, carrier, ring))
    assert np.max(np.abs((ds - dc) + 2 * (dr - dc))) < 3e-11 * np.max(np.abs(ds))
    assert np.max(np.abs(s)) > 2 * math.pi  # more than a turn


@pytest.mark.parametrize("options, error", SCHEMES, ids=str)
def test_a_nut_on_a_screw_falls_as_the_lead_says(options, error):
    m = sl.Model(gravity=(0, 0, -9.81))
    nut = m.body(mass=0.5, inertia=(1e-3, 1e-3, 2e-3), name="nut")
    screw = m.cylindrical(m.ground, nut, axis="z")
    pitch = 0.05 / (2 * math.pi)  # lead of 5 cm a turn
    m.coupling([screw.translation.z, screw.angle], (1, -pitch))
    result = m.simulate(1.0, **options)
    fall = -9.81 / (1 + 2e-3 / (0.5 * pitch**2))
    assert result[nut.position.z] == pytest.approx(0.5 * fall * result.time**2, abs=error * 0.1)
    assert result[screw.angle].last == pytest.approx(0.5 * fall / pitch, rel=2 * error)


def test_a_rack_and_its_pinion():
    m = sl.Model(gravity=(0, 0, 0))
    rack = m.body(mass=2, inertia=(1, 1, 1), name="rack")
    slide = m.prismatic(m.ground, rack, axis="x", force=3.0)
    _, pinion = wheel(m, 0.04, axis="y", at=(0, 0, 0.1))
    m.coupling([slide.translation.z, pinion.angle], (1, -0.1))
    result = m.simulate(2.0)
    assert result[rack.position.x].last == pytest.approx(0.5 * 3.0 / (2 + 0.04 / 0.1**2) * 4.0, rel=1e-3)


def test_a_differential_shares_its_torque():
    """Half shafts with the case: 2 case = left + right; equal torques on both, whatever their speeds."""
    m = sl.Model(gravity=(0, 0, 0))
    _, case = wheel(m, 0.2, torque=1.0)
    _, left = wheel(m, 0.1)
    _, right = wheel(m, 0.1, torque="-0.1*speed")
    gear = m.coupling([case.angle, left.angle, right.angle], (2, -1, -1))
    result = m.simulate(3.0, scheme="dormand_prince", tolerance=1e-9)
    assert np.max(np.abs(2 * result[case.angle] - result[left.angle] - result[right.angle])) < 1e-10
    acceleration = np.gradient(result[left.angular_rate], result.time)[1:-1]
    assert result[gear.multiplier][1:-1] == pytest.approx(-0.1 * acceleration, abs=5e-3)


def test_a_cam_is_a_function_of_two_motions():
    m = sl.Model(gravity=(0, 0, 0))
    _, cam = wheel(m, 0.1, speed=3.0)
    follower = m.body(mass=0.2, inertia=(1, 1, 1), name="follower")
    slide = m.prismatic(m.ground, follower, axis="x")
    push = m.equation([cam.angle, slide.translation.z], "q1 - 0.02*(1 - cos(q0))")
    result = m.simulate(5.0, scheme="generalized_alpha", step=1e-3)
    t = result.time
    assert result[follower.position.x] == pytest.approx(0.02 * (1 - np.cos(3 * t)), abs=1e-9)
    assert result[push.multiplier][100:] == pytest.approx(0.2 * 0.02 * 9 * np.cos(3 * t)[100:], abs=1e-5)


def test_a_spring_between_two_hinges_twists_over_many_turns():
    m = sl.Model(gravity=(0, 0, 0))
    _, one = wheel(m, 0.4, axis="z", name="one")
    _, two = wheel(m, 0.4, axis="x", at=(1, 0, 0), name="two")
    m.add(sl.items.CoordinateSpringDamper(A=one.angle, B=two.angle, stiffness=0.8, offset=20.0))
    result = m.simulate(4.0, scheme="dormand_prince", tolerance=1e-10)
    half = 10.0 * (1 - np.cos(math.sqrt(2 * 0.8 / 0.4) * result.time))
    assert result[two.angle] == pytest.approx(half, abs=1e-7)
    assert result[one.angle] == pytest.approx(-half, abs=1e-7)


def test_items_on_coordinates_and_those_of_joints_are_the_same():
    """A torsion spring, a torque, a stop and friction by the items of joints, or of coordinates on the joint's angle."""

    def run(general):
        m = sl.Model()
        body, hinge = wheel(m, 0.3, axis="y", name="body")
        place = {"A": "ground", "B": body, "at": (0, 0, 0), "axis": "y"}
        relay, impact = sl.items.Relay(low=-0.1, high=0.1, on="rate"), sl.items.NewtonImpact(restitution=0.5)
        if general:
            m.add(sl.items.CoordinateSpringDamper(A=m.ground, B=hinge.angle, stiffness=2.0, damping=0.1, offset=0.7))
            m.add(sl.items.CoordinateLoad(on=hinge.angle, force="3*sin(t) - 0.1*q*v"))
            m.add(sl.items.CoordinateGap(on=hinge.angle, at=-0.2, law=impact))
            m.add(sl.items.CoordinateGap(on=hinge.angle, law=relay))
        else:
            m.add(sl.items.TorsionalSpringDamper(**place, stiffness=2.0, damping=0.1, rest_angle=0.7))
            m.add(sl.items.JointTorque(**place, torque="3*sin(t) - 0.1*angle*speed"))
            m.add(sl.items.JointAngle(**place, limit=-0.2, law=impact))
            m.add(sl.items.JointAngle(**place, law=relay))
        return m.simulate(6.0, scheme="moreau_jean", step=1e-3)[hinge.angle]

    assert np.array_equal(run(True), run(False))


def test_a_distance_carries_a_spring():
    """`distance` of two frames as a coordinate: the spring of two points."""

    def run(general):
        m = sl.Model()
        ball = m.sphere(mass=1, radius=0.1, at=(1, 0, 0), velocity=(0, 1, 0.4), name="ball")
        if general:
            m.add(sl.items.JointCoordinate(A="ground", B=ball, motion="distance", name="reach"))
            m.add(sl.items.CoordinateSpringDamper(A=m.ground, B="reach", stiffness=30, damping=0.2, offset=0.8))
        else:
            m.spring(m.ground, ball, stiffness=30, damping=0.2, rest_length=0.8)
        return m.simulate(2.0, scheme="dormand_prince", tolerance=1e-11)[ball.position].last

    assert run(True) == pytest.approx(run(False), abs=1e-8)


def test_a_geared_motor_at_rest_holds_its_load_in_statics():
    m = sl.Model()
    arm = m.body(mass=2, inertia=(0.1, 0.1, 0.1), at=(0, 0, 0), center_of_mass=(0.5, 0, 0), name="arm")
    elbow = m.revolute(m.ground, arm, at=(0, 0, 0), axis="y")
    _, shaft = wheel(m, 0.01, axis="z", at=(0, 1, 0), stiffness=0.5)
    m.coupling([shaft.angle, elbow.angle], (1, -20))
    rest = m.static()
    angle = rest[elbow.angle].last
    assert 20 * 0.5 * 20 * angle == pytest.approx(2 * 9.81 * 0.5 * math.cos(angle), rel=1e-8)


def test_a_saved_and_renamed_model_keeps_its_couplings(tmp_path):
    m, sun, carrier, ring = planetary(2.0)
    m.save(tmp_path / "gear.json")
    again = sl.Model.load(tmp_path / "gear.json")
    a, b = m.simulate(1.0), again.simulate(1.0)
    assert a[carrier.angle].last == b[f"{carrier.name}.angle"].last


def refused(build):
    m = sl.Model()
    with pytest.raises(sl.ModelError) as error:
        build(m)
        m.simulate(0.1)
    return str(error.value)


def test_a_motion_that_the_joint_does_not_leave_is_refused():
    def slides(m):
        body = m.body(mass=1, inertia=(1, 1, 1), name="a")
        hinge = m.revolute(m.ground, body, axis="z", name="hinge")
        m.coupling([hinge.translation.z, hinge.angle], (1, -1))

    message = refused(slides)
    assert "hinge" in message and "position" in message and '"motion": "angle"' in message

    def ball(m):
        body = m.body(mass=1, inertia=(1, 1, 1), name="a")
        joint = m.spherical(m.ground, body, name="socket")
        m.coupling([joint.angle, joint.angle], (1, -1))

    assert "socket" in refused(ball) and "leaves no motion" in refused(ball)


def test_what_is_no_coordinate_is_refused():
    def length(m):
        body = m.body(mass=1, inertia=(1, 1, 1), name="a")
        m.coupling([body.position.x, body.position.y], (1, -1))

    assert "no coordinate" in refused(length)

    def many(m):
        body = m.body(mass=1, inertia=(1, 1, 1), name="a")
        hinge = m.revolute(m.ground, body, axis="z", name="hinge")
        m.coupling([hinge.angle], (1, -1))

    assert "2 numbers for 1" in refused(many)
