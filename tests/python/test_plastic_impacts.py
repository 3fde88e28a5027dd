"""What does not bounce ends at one place whenever in a step it struck: the time of the impact is found all the same, at default settings."""

import math

import numpy as np
import pytest

import saltus as sl

G = 9.81


def ball_above_a_plane(friction=0.0):
    m = sl.Model()
    ball = m.sphere(radius=0.1, mass=1, at=(0, 0, 1.1))
    m.contact(m.plane(), ball, friction=friction)
    return m, ball


def slide_above_its_stop():
    m = sl.Model()
    ball = m.sphere(radius=0.1, mass=1, at=(0, 0, 1.1))
    m.prismatic(m.ground, ball, axis="z", limits=(-1.0, None))
    return m, ball


@pytest.mark.parametrize("build", [ball_above_a_plane, lambda: ball_above_a_plane(0.5), slide_above_its_stop])
@pytest.mark.parametrize("until", [0.8, 1.0, 3.0])
def test_a_body_that_falls_and_stays_is_on_its_way_until_it_strikes(build, until):
    m, ball = build()
    r = m.simulate(until)
    hit = math.sqrt(2 / G)
    (impact,) = [e for e in r.events if e[1] == "impact"]
    assert impact[0] == pytest.approx(hit, abs=2e-6)
    assert impact[3] == pytest.approx(math.sqrt(2 * G), rel=1e-5)
    t = np.linspace(0, hit - 1e-5, 50)
    assert np.abs(np.array(r.at(t)[ball.position.z]) - (1.1 - G / 2 * t**2)).max() < 1e-5
    assert r[ball.velocity.norm].max() == pytest.approx(math.sqrt(2 * G), rel=1e-5)


def test_without_gravity_a_body_is_stopped_where_the_wall_is():
    m = sl.Model(gravity=(0, 0, 0))
    ball = m.sphere(radius=0.1, mass=1, at=(0, 0, 0), velocity=(1, 0, 0))
    m.contact(m.plane(at=(0.53, 0, 0), normal="-x"), ball)
    r = m.simulate(2.0)
    (impact,) = [e for e in r.events if e[1] == "impact"]
    assert impact[0] == pytest.approx(0.43, abs=2e-6)


@pytest.mark.parametrize("speed", [5.0, 7.0])
def test_what_is_thrown_against_a_ceiling_falls_from_the_time_at_which_it_struck(speed):
    m = sl.Model()
    ball = m.sphere(radius=0.1, mass=1, at=(0, 0, 0), velocity=(0, 0, speed))
    m.contact(m.plane(at=(0, 0, 1.1), normal="-z"), ball)
    r = m.simulate(1.2)
    hit = (speed - math.sqrt(speed**2 - 2 * G)) / G
    assert r[ball.position.z][-1] == pytest.approx(1.0 - G / 2 * (1.2 - hit) ** 2, abs=2e-4)
    assert sum(e[3] for e in r.events if e[1] == "impact") == pytest.approx(math.sqrt(speed**2 - 2 * G), rel=1e-4)


def test_a_stop_condition_on_the_way_of_a_plastic_fall_holds_when_it_says():
    m, ball = ball_above_a_plane()
    assert m.simulate(1.0, stop=ball.position.z < 0.2).time[-1] == pytest.approx(math.sqrt(1.8 / G), abs=1e-6)


@pytest.mark.parametrize("short", [0.5, 0.1, 0.05, 0.02, 0.01])
@pytest.mark.parametrize("restitution", [0.0, 0.5])
def test_a_stop_is_not_passed_by_what_would_turn_back_within_the_step(short, restitution):
    top = 49 / 2 / G
    m = sl.Model()
    body = m.box(size=(0.1, 0.1, 0.1), mass=1, velocity=(0, 0, 7))
    m.prismatic(m.ground, body, axis="z", limits=(None, top - short), restitution=restitution)
    r = m.simulate(1.0)
    speed = math.sqrt(2 * G * short)
    since = 1.0 - (7 - speed) / G
    assert r[body.position.z].max() <= top - short + 1e-5
    assert r[body.position.z][-1] == pytest.approx(top - short - restitution * speed * since - G / 2 * since**2, abs=2e-4)
