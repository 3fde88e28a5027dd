"""Contacts whose direction turns, and slip that does, are followed to second order at the default settings."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import saltus as sl

G = 9.81


def turntable(tolerance=1e-6):
    """A ball that rolls on a turntable goes round in a circle at 2/7 of its rate (Earnshaw 1844): distance from there, speed over the first."""
    m, rate, radius, start, speed = sl.Model(), 2.0, 0.1, 0.5, (0.3, 0.1)
    table = m.cylinder(radius=3, length=0.1, mass=10, at=(0, 0, -0.05))
    m.revolute(m.ground, table, axis="z", at=(0, 0, 0), speed=rate)
    spin = ((rate * start - speed[1]) / radius, speed[0] / radius, 0)
    ball = m.sphere(radius=radius, mass=1, at=(start, 0, radius), velocity=(*speed, 0), angular_velocity=spin)
    m.contact([table], [ball], friction=5.0)
    r = m.simulate(10, tolerance=tolerance)
    w = 2 / 7 * rate
    there = start + complex(*speed) * (np.exp(10j * w) - 1) / (1j * w)
    x, y, _ = r[ball.position][-1]
    return abs(complex(x, y) - there), np.linalg.norm(r[ball.velocity][-1]) / math.hypot(*speed)


def test_a_ball_that_rolls_on_a_turntable_goes_in_a_circle():
    off, speed = turntable()
    assert off < 1e-5 and speed == pytest.approx(1, abs=1e-6)


def test_its_error_falls_with_the_tolerance():
    assert turntable(1e-6)[0] < 0.03 * turntable(1e-4)[0]


@pytest.mark.parametrize("friction", [0.0, 0.8])
@pytest.mark.parametrize("pair", [False, True])
def test_a_ball_in_a_bowl_is_a_pendulum(friction, pair):
    """Of the length of its centre's way; one that rolls turns 2/5 of its mass besides."""
    m, angle, arm = sl.Model(), 0.5, 0.9
    bowl = m.shape("hollow_sphere", m.ground, radius=1.0, at=(0, 0, 1))
    ball = m.sphere(radius=0.1, mass=1, at=(arm * math.sin(angle), 0, 1 - arm * math.cos(angle)))
    m.contact(bowl if pair else [bowl], ball if pair else [ball], **({"friction": friction} if friction else {}))
    r = m.simulate(20)
    inertia = 1.4 if friction else 1.0
    true = solve_ivp(lambda t, y: [y[1], -G / (inertia * arm) * math.sin(y[0])], (0, 20), [angle, 0], rtol=1e-11, atol=1e-13).y[0, -1]
    x, _, z = r[ball.position][-1]
    energy = r["energy.total"]
    assert math.atan2(x, 1 - z) == pytest.approx(true, abs=2e-5)
    assert energy.last == pytest.approx(energy[0], abs=2e-5 * (energy[0] - 0.1 * G))


def test_the_force_of_what_slides_off_a_ball_and_where_it_leaves():
    m, arm = sl.Model(), 1.1
    hill = m.shape("sphere", m.ground, radius=1.0, at=(0, 0, 0))
    ball = m.sphere(radius=0.1, mass=1, at=(arm * math.sin(0.1), 0, arm * math.cos(0.1)))
    touch = m.contact([hill], [ball])
    r = m.simulate(2.0)

    def leaves(t, y):
        return G * math.cos(y[0]) - arm * y[1] ** 2

    leaves.terminal = True
    s = solve_ivp(lambda t, y: [y[1], G / arm * math.sin(y[0])], (0, 5), [0.1, 0], events=leaves, rtol=1e-11, atol=1e-13, dense_output=True)
    at_end, (angle, rate) = s.t[-1], s.y[:, -1]
    x = arm * math.sin(angle) + arm * rate * math.cos(angle) * (2.0 - at_end)
    assert r[ball.position.x].last == pytest.approx(x, abs=2e-5)
    on = (r.time > 0.0) & (r.time < 0.99 * at_end)
    force = np.linalg.norm(np.array(r[touch.force])[on], axis=1)
    true = [leaves(t, s.sol(t)) for t in r.time[on]]
    assert force == pytest.approx(true, abs=0.1)
    assert not r.warnings


def test_a_ladder_stands_on_the_floor_while_it_slides():
    """Without friction it keeps its energy; its foot carries 8 to 3 N all the time."""
    m, length, thick, angle = sl.Model(), 1.0, 0.01, math.radians(60)
    ladder = m.body(mass=1, inertia=(0.001, 1 / 12, 1 / 12), at=(length / 2 * math.cos(angle) + thick, 0, length / 2 * math.sin(angle) + thick), rotation=(0, angle, 0))
    foot = m.shape("sphere", ladder, radius=thick, at=(length * math.cos(angle) + thick, 0, thick))
    head = m.shape("sphere", ladder, radius=thick, at=(thick, 0, length * math.sin(angle) + thick))
    floor = m.contact([m.plane()], [foot])
    m.contact([m.plane(normal="x")], [head])
    r = m.simulate(0.3)
    force, energy = np.array(r[floor.force.z])[1:], r["energy.total"]
    assert 3 < force.min() and force.max() < 10
    assert energy.max() - energy.min() < 1e-5
    assert not r.warnings


@pytest.mark.parametrize("floor", ["plane", "cylinder"])
def test_friction_against_a_slip_that_turns(floor):
    """A ball with side spin slides along a parabola until it rolls, on whatever floor."""
    m, mu, v, w, radius, end = sl.Model(), 0.3, np.array([2.0, 0, 0]), np.array([30.0, 0, 0]), 0.1, 0.5
    ground = m.plane() if floor == "plane" else m.shape("cylinder", m.ground, radius=30, length=0.2, at=(0, 0, -0.1))
    ball = m.sphere(radius=radius, mass=1, at=(0, 0, radius), velocity=v, angular_velocity=w)
    m.contact(ground, ball, friction=mu)
    r = m.simulate(end)
    slip = v + np.cross(w, (0, 0, -radius))
    along, rolls = slip / np.linalg.norm(slip), np.linalg.norm(slip) / (3.5 * mu * G)
    x = v * rolls - 0.5 * mu * G * rolls**2 * along + (v - mu * G * rolls * along) * (end - rolls)
    assert r[ball.position][-1][:2] == pytest.approx(x[:2], abs=3e-6)


def test_an_ellipsoid_that_rocks_keeps_what_its_first_touch_leaves():
    """The same as by event_driven, which follows contacts by their accelerations."""
    ends = []
    for scheme in ("moreau_jean", "event_driven"):
        m = sl.Model()
        egg = m.ellipsoid(size=(0.6, 0.4, 0.2), mass=1, at=(0, 0, 0.1), angular_velocity=(0.5, 3, 0.2))
        m.contact(m.plane(), egg, friction=0.9)
        ends.append(m.simulate(3, scheme=scheme)[egg.position][-1])
    assert ends[0] == pytest.approx(ends[1], abs=5e-6)


def test_the_slip_of_what_has_no_friction_is_its_speed():
    m, arm = sl.Model(), 0.9
    bowl = m.shape("hollow_sphere", m.ground, radius=1.0, at=(0, 0, 1))
    balls = [m.sphere(radius=0.1, mass=1, at=(arm * math.sin(a), 0, 1 - arm * math.cos(a))) for a in (0.5, 0.2, -0.2)]
    m.contact([bowl], balls)
    r = m.simulate(0.15, tolerance=1e-2)
    ends = r.contacts(0.15)
    assert sorted(np.linalg.norm(ends.slip, axis=1)) == pytest.approx(sorted(np.linalg.norm(r[b.velocity][-1]) for b in balls), rel=1e-3)


def test_the_steps_of_what_slides_in_a_bowl_stay_as_long():
    """A ball without friction does not turn, but by what rounding adds up: no motion whose pace counts."""
    m, angle, arm = sl.Model(), 0.5, 0.9
    bowl = m.shape("hollow_sphere", m.ground, radius=1.0, at=(0, 0, 1))
    ball = m.sphere(radius=0.1, mass=1, at=(arm * math.sin(angle), 0, 1 - arm * math.cos(angle)))
    m.contact([bowl], [ball])
    times = np.asarray(m.simulate(20, tolerance=1e-6).time)
    first, last = np.sum(times <= 5), np.sum(times > 15)
    assert last < 1.3 * first  # 3 times as many before


def bearing(gravity, until=0.2):
    """Eight balls without play between a ring that turns and one that stands, and the angle by which they have come round."""
    m, inner, r, rate = sl.Model(gravity=(0, 0, -gravity)), 0.2, 0.03, 5.0
    ring = m.cylinder(radius=inner, length=0.2, mass=2, axis="y", angular_velocity=(0, rate, 0))
    m.revolute(m.ground, ring, axis="y")
    outer = m.shape("hollow_cylinder", m.ground, radius=inner + 2 * r, rotation=(math.pi / 2, 0, 0))
    orbit, balls = rate * inner / (2 * (inner + r)), []
    for a in np.arange(8) * math.pi / 4:
        at = (inner + r) * np.array((math.sin(a), 0, math.cos(a)))
        balls.append(m.sphere(radius=r, mass=0.1, at=tuple(at), velocity=tuple(np.cross((0, orbit, 0), at)), angular_velocity=(0, -rate * inner / (2 * r), 0)))
    m.contact([ring, outer], balls, friction=0.3)
    return m.simulate(until), ring, balls, inner + r, orbit * until


def test_a_ball_bearing_without_play_rolls():
    """Each ball rolls on both rings: they come round at the speed of their middle between the two."""
    r, ring, balls, radius, angle = bearing(0.0)
    for k, ball in enumerate(balls):
        a = angle + k * math.pi / 4
        assert r[ball.position].last == pytest.approx((radius * math.sin(a), 0, radius * math.cos(a)), abs=1e-6)
    assert r[ring.angular_velocity.y].last == pytest.approx(5, abs=1e-6)


@pytest.mark.filterwarnings("ignore::saltus.model.ModelWarning")
def test_under_its_weight_its_balls_stay_between_the_rings():
    """How far it is strained is not told by the rings: the loads, and with them friction, are not unique."""
    r, _, balls, radius, _ = bearing(G)
    energy = np.asarray(r["energy.total"])
    for ball in balls:
        assert np.linalg.norm(r[ball.position], axis=1) == pytest.approx(radius, abs=1e-6)
    assert energy.max() < energy[0] + 1e-5 and energy[-1] > 0.8 * energy[0]
