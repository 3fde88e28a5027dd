"""Given poses, rails, bonds and locks, against closed forms and balances."""

import warnings

import numpy as np
import pytest

import saltus as sl

G = 9.81
SCHEMES = {
    "dormand_prince": dict(tolerance=1e-9),
    "runge_kutta_4": dict(step=1e-3),
    "generalized_alpha": dict(step=1e-3),
    "moreau_jean": dict(step=1e-3),
    "event_driven": dict(tolerance=1e-9),
    "nonsmooth_generalized_alpha": dict(step=1e-3),
}
FORCE_WITHIN = {"generalized_alpha": 1e-4, "moreau_jean": 5e-3, "nonsmooth_generalized_alpha": 1e-4}


def circle(count=48, radius=1.0):
    return [(radius * np.cos(a), radius * np.sin(a), 0.0) for a in np.linspace(0, 2 * np.pi, count, endpoint=False)]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_reaction_of_a_driven_body_is_newton_and_euler(scheme):
    """A body whose centre of mass is off its frame turns at w = 2 about z: m a and the moment of momentum by hand."""
    mass, c, w = 2.0, np.array([0.1, -0.05, 0.2]), 2.0
    J = np.array([[0.1, 0.01, 0.02], [0.01, 0.2, -0.03], [0.02, -0.03, 0.25]])
    m = sl.Model()
    body = m.body(mass=mass, inertia=J, center_of_mass=c, velocity=(0.3, 0, 0), angular_velocity=(0, 0, w))
    drive = m.driven(body, position=("0.3*t + 0.1*t^2", "0.2*t^3", "0.4*t^2"), rotation=(0, 0, f"{w}*t"))
    T = 4.0
    result = m.simulate(T, scheme=scheme, **SCHEMES[scheme])
    R = sl.Rotation.about("z", w * T).matrix
    force = mass * (np.array([0.2, 1.2 * T, 0.8 + G]) - w * w * np.array([*(R @ c)[:2], 0]))
    momentum = R @ J @ np.array([0, 0, w])
    torque = np.cross([0, 0, w], momentum) + np.cross(R @ c, force)
    within = FORCE_WITHIN.get(scheme, 1e-9)
    assert result[drive.force].last == pytest.approx(force, abs=within * 10)
    assert result[drive.torque].last == pytest.approx(torque, abs=within * 10)
    assert result[body.position].last == pytest.approx([0.3 * T + 0.1 * T * T, 0.2 * T**3, 0.4 * T * T], abs=1e-10)


def test_a_driven_frame_follows_a_table_and_takes_a_jump_of_its_speed():
    """A recorded path by a spline; and a corner of the path, at which the speed jumps: every scheme goes on behind it."""
    t = np.linspace(0.0, 2.0, 41)
    m = sl.Model(gravity=(0, 0, 0))
    body = m.box(size=(1, 1, 1), mass=2, velocity=(1, 0, 0))
    m.table("path", t, np.sin(t), kind="spline")
    drive = m.driven(body, position=("path(t)", 0, 0))
    result = m.simulate(1.5, tolerance=1e-8)
    assert result[body.position.x].last == pytest.approx(np.sin(1.5), abs=1e-5)
    assert result[drive.force].last[0] == pytest.approx(-2 * np.sin(1.5), abs=1e-2)
    for scheme, keywords in SCHEMES.items():
        m = sl.Model(gravity=(0, 0, 0))
        body = m.box(size=(1, 1, 1), mass=1, velocity=(0, 0, -1))
        m.driven(body, position=(0, 0, "abs(t - 0.5) - 0.5"), name="corner")
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            result = m.simulate(1.0, scheme=scheme, **keywords)
        if "tolerance" in keywords:  # fixed steps do not look for corners
            assert ["corner: the speed that it prescribes jumps from -1 to 1 at t = 0.5 s" in str(w.message) for w in warned] == [True]
        assert result[body.position].last == pytest.approx([0, 0, 0], abs=1e-9) and result[body.velocity].last == pytest.approx([0, 0, 1], abs=1e-9)


def test_a_generic_joint_follows_its_offsets():
    """Translation and turn of what is locked, what is free stays free; more than a turn."""
    m = sl.Model(gravity=(0, 0, -G))
    body = m.box(size=(1, 1, 1), mass=1, velocity=(1, 0.5, 0), angular_velocity=(0, 0, 3))
    m.generic(m.ground, body, locked=("x", "y", "rx", "ry", "rz"), offset=("t", "0.5*sin(t)", 0), turn=(0, 0, "3*t"))
    result = m.simulate(4.0, tolerance=1e-9)
    assert result[body.position].last == pytest.approx([4, 0.5 * np.sin(4), -G * 8], abs=1e-7)
    assert result[body.rotation_matrix].last == pytest.approx(sl.Rotation.about("z", 12.0).matrix.ravel(), abs=1e-9)
    with pytest.raises(sl.ModelError, match=r"ry \('t'\).*not locked"):
        m.generic(m.ground, body, locked="x", turn=(0, "t", 0))
        m.simulate(0.1)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_bead_on_a_cycloid_is_down_at_the_same_time_from_everywhere(scheme):
    """Huygens: pi sqrt(R/g), here R = 1."""
    for start in (0.3, 1.5, 2.8):
        m = sl.Model()
        bead = m.point_mass(mass=1, at=(start - np.sin(start), 0, np.cos(start) - 1))
        m.rail(m.ground, bead, curve=("s - sin(s)", "0", "cos(s) - 1"), start=0.1, end=6.0, travel=start)
        result = m.simulate(np.pi / np.sqrt(G), scheme=scheme, **SCHEMES[scheme])
        assert result[bead.position].last == pytest.approx([np.pi, 0, -2], abs=1e-4 if "alpha" in scheme else 1e-5)


def test_a_bead_on_a_turning_hoop_leaves_the_bottom_above_the_critical_speed():
    """It rests at cos(angle) = g / (w^2 r) above w^2 = g / r, at the bottom below."""
    for w, height in ((2.0, -1.0), (5.0, -G / 25)):
        m = sl.Model()
        hoop = m.body(mass=1, inertia=(1, 1, 1), angular_velocity=(0, 0, w))
        m.revolute(m.ground, hoop, at=(0, 0, 0), axis="z", speed=w)
        bead = m.point_mass(mass=0.1, at=(np.sin(0.3), 0, -np.cos(0.3)), velocity=(0, w * np.sin(0.3), 0))
        m.rail(hoop, bead, curve=("sin(s)", "0", "-cos(s)"), start=-3, end=3, travel=0.3, damping=0.3)
        result = m.simulate(40.0, tolerance=1e-8)
        assert result[bead.position].last[2] == pytest.approx(height, abs=1e-4)


def test_a_steady_turn_with_a_ripple_of_rounding_does_not_stop_error_control():
    """The hoop's speed is constant but for what its motor leaves: no motion whose time of change is to be waited for."""
    m = sl.Model()
    hoop = m.body(mass=1, inertia=(1, 1, 1), angular_velocity=(0, 0, 2.0))
    m.revolute(m.ground, hoop, at=(0, 0, 0), axis="z", speed=2.0)
    bead = m.point_mass(mass=0.1, at=(np.sin(0.3), 0, -np.cos(0.3)), velocity=(0, 2.0 * np.sin(0.3), 0))
    m.rail(hoop, bead, curve=("sin(s)", "0", "-cos(s)"), start=-3, end=3, travel=0.3, damping=0.3)
    result = m.simulate(20.0, tolerance=1e-6, scheme="generalized_alpha")
    assert len(result.time) < 6000
    assert result[bead.position].last == pytest.approx([0, 0, -1], abs=1e-5)


def test_the_rail_of_a_loop_pulls_only_below_the_speed_of_the_threshold():
    """Loop of radius 1 from a height of 2.5: no force at the top. The reaction says where a car would fall."""
    for height, pulls in ((2.6, False), (2.4, True)):
        m = sl.Model()
        speed = np.sqrt(2 * G * height)
        bead = m.point_mass(mass=1, at=(0, 0, 0), velocity=(speed, 0, 0))
        rail = m.rail(m.ground, bead, curve=[(np.sin(a), 0, 1 - np.cos(a)) for a in np.linspace(0, 2 * np.pi, 64, endpoint=False)], closed=True)
        result = m.simulate(1.0, tolerance=1e-9)
        top = np.argmax(np.asarray(result[bead.position])[:, 2])
        assert (np.asarray(result[rail.force])[top, 2] > 0) == pulls
        energy = np.asarray(result["energy.total"])
        assert np.ptp(energy) < 1e-6 * energy[0]


def test_a_closed_rail_counts_its_laps_far_from_the_origin():
    shift = np.array([3e4, -2e4, 50.0])
    for scheme, within in (("dormand_prince", 1e-5), ("moreau_jean", 1e-2)):
        m = sl.Model(gravity=(0, 0, 0))
        bead = m.sphere(radius=0.05, mass=1, at=shift + (1, 0, 0), velocity=(0, 2, 0))
        rail = m.rail(m.ground, bead, curve=[shift + p for p in circle()], closed=True)
        result = m.simulate(50.0, scheme=scheme, **(dict(tolerance=1e-8) if scheme == "dormand_prince" else dict(step=5e-3)))
        assert result[rail.travel].last == pytest.approx(100.0, abs=within)
        assert np.linalg.norm(result[bead.velocity].last) == pytest.approx(2.0, abs=1e-4)


@pytest.mark.parametrize("scheme", ["moreau_jean", "event_driven", "nonsmooth_generalized_alpha"])
def test_friction_on_a_rail_brakes_a_carriage_along_its_way(scheme):
    """v^2 / (2 F) (m + J): 2 kg that also turns at v / r."""
    m = sl.Model(gravity=(0, 0, 0))
    car = m.body(mass=2, inertia=(0.2, 0.2, 0.3), at=(1, 0, 0), rotation=(0, 0, np.pi / 2), velocity=(0, 2, 0), angular_velocity=(0, 0, 2))
    rail = m.rail(m.ground, car, curve=circle(), closed=True, holds="upright", friction=1.0)
    result = m.simulate(6.0, scheme=scheme, **SCHEMES[scheme])
    assert result[rail.travel].last == pytest.approx(0.5 * 2.3 * 4 / 1.0, abs=5e-3)
    assert np.abs(result[car.velocity].last).max() < 1e-8


def test_drives_stops_and_springs_stand_on_the_travel():
    m = sl.Model(gravity=(0, 0, 0))
    car = m.sphere(radius=0.1, mass=1, at=(1, 0, 0), velocity=(0, 1.5, 0))
    rail = m.rail(m.ground, car, curve=circle(), closed=True, speed=1.5)
    result = m.simulate(5.0)
    assert result[rail.travel].last == pytest.approx(7.5, abs=1e-8)
    rail.speed = None
    rail.limits = (-1.0, 2.0)
    rail.restitution = 1.0
    result = m.simulate(4.0, scheme="event_driven", tolerance=1e-8)
    assert np.asarray(result[rail.travel]).max() == pytest.approx(2.0, abs=1e-6) and result[rail.travel].last == pytest.approx(0.0, abs=1e-4)
    slide = m.prismatic(m.ground, m.box(size=(1, 1, 1), mass=1, at=(5, 0, 0)), axis="z")
    rail.restitution = rail.limits = None
    m.coupling([rail.travel, slide.translation.z], (1, -2))
    result = m.simulate(1.0)
    assert result[rail.travel].last == pytest.approx(2 * result[slide.translation.z].last, abs=1e-9)


def test_mistakes_of_rails_name_the_place():
    m = sl.Model()
    bead = m.point_mass(mass=1)
    for curve, rest, match in (
        (("s", "0", "abs(s - 1)"), dict(start=0, end=3), r"kink at s = 1, \(1, 0,"),
        (("s", "0", "0"), dict(), "start"),
        (("s", "0", "0"), dict(start=0, end=1, closed=True), "another place"),
        (("s", "0", "0"), dict(start=0, end=1, holds="along"), "points"),
        ([(0, 0, 0), (1, 0, 0), (1, 0, 0)], dict(), "point 1 and the one after it"),
        ([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 0, 0)], dict(closed=True), "leave the last one out"),
        ([(0, 0, 0)], dict(), "at least 2"),
    ):
        model = sl.Model()
        with pytest.raises(sl.ModelError, match=match):
            model.rail(model.ground, model.point_mass(mass=1), curve=curve, **rest)
            model.simulate(0.1)
    with pytest.raises(sl.ModelError, match="points.*leave it out"):
        m.rail(m.ground, bead, curve=[(0, 0, 0), (1, 0, 0)], start=0)
    with pytest.raises(sl.ModelError, match="neither a position nor a rotation"):
        m.driven(bead)


SWITCH = {name: dict(scheme=name, step=1e-3) for name in ("moreau_jean", "generalized_alpha", "nonsmooth_generalized_alpha", "runge_kutta_4", "dormand_prince", "event_driven")}


@pytest.mark.parametrize("scheme", [*SWITCH.values(), dict(scheme="dormand_prince"), dict(scheme="event_driven")], ids=str)
def test_bodies_are_attached_in_a_run_with_their_momentum(scheme):
    m = sl.Model(gravity=(0, 0, 0))
    a = m.sphere(radius=0.1, mass=1, velocity=(1, 0.5, 0))
    b = m.sphere(radius=0.1, mass=3, at=(1.3, 0.2, 0), angular_velocity=(0, 0, 1))
    m.bond(a, b, locked="t > 0.5")
    result = m.simulate(2.0, **scheme)
    p = np.asarray(result[a.velocity]) + 3 * np.asarray(result[b.velocity])
    spin = sum(mass * (np.cross(result[x.position], result[x.velocity]) + 0.004 * np.asarray(result[x.angular_velocity])) for x, mass in ((a, 1), (b, 3)))
    assert np.ptp(p, axis=0).max() < 1e-12
    assert np.ptp(spin, axis=0).max() < 1e-3
    apart = np.linalg.norm(np.asarray(result[a.position]) - np.asarray(result[b.position]), axis=1)
    assert np.ptp(apart[result.time > 0.502]) < 1e-5  # the jump takes generalized-alpha some steps
    assert result[a.angular_velocity].last == pytest.approx(result[b.angular_velocity].last, abs=1e-9)


def test_a_bond_breaks_above_its_force_and_stays_broken():
    for scheme in SWITCH.values():
        m = sl.Model()
        body = m.sphere(radius=0.1, mass=1)
        m.force(body, (0, 0, "-10*t"))
        bond = m.bond(m.ground, body, force_limit=15.0)
        result = m.simulate(1.0, **scheme)
        z, t = np.asarray(result[body.position])[:, 2], result.time
        assert t[np.argmax(z < -1e-7)] == pytest.approx((15 - G) / 10, abs=5e-3)
        fall = 1.0 - (15 - G) / 10
        assert z[-1] == pytest.approx(-(15 * fall**2 / 2 + 10 * fall**3 / 6), abs=0.02)
        assert np.abs(np.asarray(result[bond.force])[-1]).max() == 0.0


IMPACT = [{"step": 1e-3}, {"scheme": "event_driven"}, {"scheme": "nonsmooth_generalized_alpha", "step": 1e-3}, {}]


@pytest.mark.parametrize("given", IMPACT, ids=str)
def test_an_impulse_breaks_a_bond_as_a_force_over_its_step(given):
    """A ball of 10 N s against a body that a bond holds: 10 kN over a step of 1 ms. What is let go then moves by its own force. An instant has no length: any limit."""
    for limit, holds in ((50.0, False), (1e12, given.get("scheme") != "event_driven")):
        m = sl.Model(gravity=(0, 0, 0))
        held = m.sphere(radius=0.1, mass=1, name="held")
        ball = m.sphere(radius=0.1, mass=1, at=(0, 0.5, 0), velocity=(0, -10, 0), name="ball")
        m.force(held, (1, 0, 0))
        m.bond(m.ground, held, force_limit=limit)
        m.contact(held, ball)
        result = m.simulate(0.2, **given)
        assert result["held.position.x"].last == pytest.approx(0.0 if holds else 0.5 * 0.17**2, abs=1e-9 if holds else 5e-4)
        assert any(event[1] == "break" for event in result.events) != holds


def test_of_an_impulse_beside_the_centre_force_and_moment_count_by_themselves():
    """10 N s at 0.4 m: 10 kN and 4 kN m over a step of 1 ms."""
    for limits, holds in (({"force_limit": 11e3}, True), ({"force_limit": 9e3}, False), ({"moment_limit": 4.4e3}, True), ({"moment_limit": 3.6e3}, False)):
        m = sl.Model(gravity=(0, 0, 0))
        held = m.box(size=(1, 0.2, 0.2), mass=1, name="held")
        ball = m.sphere(radius=0.1, mass=1, at=(0.4, 0, 0.5), velocity=(0, 0, -10), name="ball")
        m.bond(m.ground, held, **limits)
        m.contact([held], [ball])
        result = m.simulate(0.1, step=1e-3, scheme="moreau_jean")
        assert any(event[1] == "break" for event in result.events) != holds, limits


def test_an_impulse_breaks_the_lock_of_a_hinge():
    for limit, holds in ((50.0, False), (1e9, True)):
        m = sl.Model(gravity=(0, 0, 0))
        rod = m.box(size=(1, 0.2, 0.2), mass=1, at=(0.5, 0, 0), name="rod")
        hinge = m.revolute(m.ground, rod, at=(0, 0, 0), axis="y", name="hinge")
        m.lock(hinge.angle, limit=limit)
        ball = m.sphere(radius=0.1, mass=1, at=(0.9, 0, 0.5), velocity=(0, 0, -10), name="ball")
        m.contact([rod], [ball])
        m.torque(rod, (0, 1, 0))
        result = m.simulate(0.2, step=1e-3, scheme="moreau_jean")
        assert (abs(result["hinge.angle"].last) < 0.01) == holds  # a lock is written for the rates: what parts ball and rod moves it by their overlap


@pytest.mark.parametrize("given", [{}, {"scheme": "dormand_prince"}, {"scheme": "generalized_alpha"}, {"scheme": "event_driven"}], ids=str)
def test_a_function_of_the_program_that_holds_for_a_moment_is_not_leapt_over(given):
    """It falls for a second, is held for a twentieth of one, and falls on from rest."""
    m = sl.Model()
    body = m.sphere(radius=0.1, mass=1, name="body")
    m.bond(m.ground, body, locked=lambda t: 1.0 if 1.0 < t < 1.05 else -1.0)
    result = m.simulate(2.0, **given)
    assert result["body.position.z"].last == pytest.approx(-G / 2 * (1 + 0.95**2), rel=1e-5)


@pytest.mark.parametrize("given", [{}, {"step": 1e-3}])
def test_what_is_switched_runs_at_default_settings(given):
    m = sl.Model()
    body = m.sphere(radius=0.1, mass=1)
    m.bond(m.ground, body, locked="0.5 - t")
    result = m.simulate(1.0, **given)
    assert np.asarray(result[body.position])[-1, 2] == pytest.approx(-G / 8, rel=5e-3)


@pytest.mark.parametrize("given", [{}, {"scheme": "moreau_jean", "tolerance": 1e-8}, {"scheme": "generalized_alpha"}, {"scheme": "dormand_prince"}, {"scheme": "event_driven"}])
def test_a_break_is_found_within_a_step(given):
    m = sl.Model()
    body = m.sphere(radius=0.1, mass=1)
    m.force(body, (0, 0, "-10*t"))
    m.bond(m.ground, body, force_limit=15.0)
    result = m.simulate(1.0, **given)
    fall = 1.0 - (15 - G) / 10
    assert np.asarray(result[body.position])[-1, 2] == pytest.approx(-(15 * fall**2 / 2 + 10 * fall**3 / 6), rel=1e-4)


@pytest.mark.parametrize("scheme", [SWITCH["moreau_jean"], SWITCH["generalized_alpha"], SWITCH["runge_kutta_4"], dict(scheme="dormand_prince"), dict(scheme="event_driven")], ids=str)
def test_a_lock_holds_a_hinge_while_it_is_on(scheme):
    m = sl.Model()
    rod = m.rod((0, 0, 0), (1, 0, 0), mass=1)
    hinge = m.revolute(m.ground, rod, at=(0, 0, 0), axis="y")
    lock = m.lock(hinge.angle, locked="(t > 0.2)*(t < 0.7)")
    result = m.simulate(1.0, record=1e-3, **scheme)
    t, angle = result.time, np.asarray(result[hinge.angle])
    held = (t > 0.205) & (t < 0.695)
    assert np.ptp(angle[held]) < 1e-5 and angle[held][0] == pytest.approx(1.5 * G * 0.02, abs=5e-3)
    assert np.asarray(result[lock.multiplier])[held][-1] == pytest.approx(-0.5 * G * np.cos(angle[held][0]), rel=1e-3)
    assert angle[-1] > 0.8


@pytest.mark.parametrize("scheme", [dict(scheme="dormand_prince", tolerance=1e-10), dict(scheme="event_driven", tolerance=1e-10)], ids=str)
def test_a_switching_is_met_exactly_where_the_error_is_controlled(scheme):
    """A fall that stops for a second, and goes on from rest: 2 g t^2 / 2 with t = 0.5 s."""
    m = sl.Model()
    body = m.point_mass(mass=1)
    m.lock(m.prismatic(m.ground, m.sphere(radius=0.1, mass=1, name="sphere"), axis="z").translation.z, locked="(t > 0.5)*(t < 1.5)")
    result = m.simulate(2.0, **scheme)
    assert result["sphere.position.z"].last == pytest.approx(-G * 0.25, rel=1e-9)
    assert result[body.position.z].last == pytest.approx(-2 * G, rel=1e-9)


@pytest.mark.parametrize("scheme", ["moreau_jean", "dormand_prince"])
def test_a_controller_switches_a_lock_by_the_state(scheme):
    """A parameter that a controller sets: a body that falls is held when it has fallen by a metre, at the next sample."""
    m = sl.Model()
    grip = m.parameter("grip", 0.0)
    body = m.sphere(radius=0.1, mass=1, name="body")
    slide = m.prismatic(m.ground, body, axis="z")
    m.lock(slide.translation.z, locked="grip")
    m.controller(["if(z < -1, 1, m0)", "if(z < -1, 1, m0)"], period=0.01, inputs={"z": body.position.z}, outputs=[grip], memory=[0.0])
    result = m.simulate(1.0, scheme=scheme, **({"step": 1e-3} if scheme == "moreau_jean" else {}))
    assert result[body.position.z].last == pytest.approx(-G * 0.46**2 / 2, abs=2e-2)
    assert abs(result[body.velocity.z].last) < 1e-9


def test_a_ball_that_is_caught_in_its_jumps_rests_and_falls_again():
    """event_driven: impacts beside a lock. It is let go at rest at its height, and bounces on with half its speed each time."""
    m = sl.Model()
    ball = m.sphere(radius=0.1, mass=1, at=(0, 0, 1.1), name="ball")
    slide = m.prismatic(m.ground, ball, axis="z")
    m.contact(m.plane(name="floor"), ball, restitution=0.5)
    first = (2 / G) ** 0.5
    m.lock(slide.translation.z, locked=f"(t > {first + 0.1})*(t < {first + 0.6})")
    result = m.simulate(first + 0.6, scheme="event_driven", tolerance=1e-10)
    up = 0.5 * G * first * 0.1 - 0.5 * G * 0.01
    assert result[ball.position.z].last == pytest.approx(0.1 + up, abs=1e-8)
    assert result[ball.velocity.z].last == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("motor", ["limit", "gain"])
def test_a_motor_speeds_up_with_its_largest_torque_and_then_holds_the_speed(motor):
    m = sl.Model(gravity=(0, 0, 0))
    disk = m.cylinder(radius=0.2, length=0.1, mass=5)
    hinge = m.revolute(m.ground, disk, at=(0, 0, 0), axis="z", speed=10.0, limit=0.5, gain=None if motor == "limit" else 500.0)
    result = m.simulate(4.0, scheme="moreau_jean", step=1e-3)
    t, w = result.time, np.asarray(result[hinge.angular_rate])
    J = 0.5 * 5 * 0.04
    assert np.abs(w - np.minimum(0.5 / J * t, 10.0)).max() < 0.02
    assert w[-1] == pytest.approx(10.0, abs=1e-6)


def test_mistakes_of_motors():
    m = sl.Model()
    body = m.sphere(radius=0.1, mass=1)
    with pytest.raises(sl.ModelError, match="limit.*speed="):
        m.revolute(m.ground, body, axis="z", limit=3.0)
    with pytest.raises(sl.ModelError, match="limit.*above 0"):
        m.revolute(m.ground, body, axis="z", speed=1.0, limit=-3.0)
    with pytest.raises(sl.ModelError, match="gain.*expression"):
        m.revolute(m.ground, body, axis="z", speed=lambda t: 1.0, gain=3.0)


@pytest.mark.parametrize("curve", [dict(curve=[(1, 0, 0), (0, 1, 0), (-1, 0, 0), (0, -1, 0)], closed=True), dict(curve=("cos(s)", "sin(s)", "0.2*s"), start=0.0, end=2.0)], ids=["spline", "formula"])
def test_the_picture_of_a_rail_is_its_curve(curve):
    from saltus.view.scene import Scene

    m = sl.Model()
    bead = m.point_mass(mass=1, at=(1, 0, 0), name="bead")
    m.rail(m.ground, bead, name="hoop", **curve)
    result = m.simulate(0.01)
    head = Scene(m._engine, result._recorded.system).head()
    pieces = [s for s in head["springs"] if s["t"] == "rail"]
    assert len(pieces) > 20
    points = np.array([s["a"][1:4] for s in pieces])
    assert points[0] == pytest.approx([1, 0, 0], abs=1e-9)
    assert np.hypot(points[:, 0], points[:, 1]) == pytest.approx(1.0, abs=0.1 if "closed" in curve else 1e-9)
    assert all(a["b"] == b["a"] for a, b in zip(pieces, pieces[1:], strict=False))


@pytest.mark.parametrize(
    "curve, ends, place, travel",
    [
        (("s", "0", "0"), (0, 3), (1, 0, 0), 1.0),
        (("r*cos(s)", "0", "r*sin(s)"), (0, 6), (2 * np.cos(2), 0, 2 * np.sin(2)), 2.0),
        (lambda s: (s, s * s, 0.0), (-1, 2), (0.7, 0.49, 0), 0.7),
        (("s", "0", 0), (1, 3), (1, 0, 0), 1.0),
    ],
)
def test_a_body_on_a_curve_by_functions_begins_at_its_nearest_place(curve, ends, place, travel):
    m = sl.Model()
    m.parameters = {"r": 2.0}
    base = m.body(mass=1, inertia=(1, 1, 1), at=(1, -2, 0.5), rotation=(0, 0, 0.4))
    m.fixed(m.ground, base)
    p, R = base.reference
    rail = m.rail(base, m.point_mass(mass=1, at=p + R @ np.array(place)), curve=curve, start=ends[0], end=ends[1])
    assert m.simulate(0.01)[rail.travel][0] == pytest.approx(travel, abs=1e-9)


def test_a_bead_begins_on_a_straight_rail_by_formulas_with_a_speed_along_it():
    m = sl.Model(gravity=(0, 0, 0))
    bead = m.point_mass(mass=1, velocity=(1, 0, 0))
    rail = m.rail(m.ground, bead, curve=("s", "0", "0"), travel=0, start=-5, end=50)
    assert m.simulate(1.0)[rail.travel].last == pytest.approx(1.0, abs=1e-12)
