"""While no contact acts, motion of a model with contacts is followed as without them."""

import math

import numpy as np
import pytest

import saltus as sl


def door(stop_at):
    m = sl.Model(gravity=(0, 0, 0))
    leaf = m.box(size=(0.8, 0.04, 2), mass=20, at=(0.4, 0, 1), angular_velocity=(0, 0, -2), velocity=(0, -0.8, 0))
    hinge = m.revolute(m.ground, leaf, at=(0, 0, 1), axis="z")
    m.contact([m.shape("box", m.ground, size=(0.05, 0.1, 2), at=(stop_at, -0.4, 1))], [leaf], restitution=0.1)
    return m.simulate(2.0), hinge


@pytest.mark.parametrize("stop_at", [1.6, 160.0])
def test_a_door_beside_a_box_that_it_never_touches_turns_evenly_in_few_steps(stop_at):
    result, hinge = door(stop_at)
    assert result[hinge.angle] == pytest.approx(-2 * np.array(result.time), abs=1e-6)
    assert result.report["steps"] < 200 and result.report["rejected"] < 50


def test_a_chain_far_above_a_floor_keeps_its_energy_in_few_steps():
    m = sl.Model()
    before, links = m.ground, []
    for i in range(8):
        link = m.capsule(radius=0.02, length=0.16, mass=0.1, at=(0.1 + 0.2 * i, 0, 1.5), axis="x")
        m.spherical(before, link, at=(0.2 * i, 0, 1.5))
        before = link
        links.append(link)
    m.contact([m.plane(at=(0, 0, -100))], links, friction=0.4)
    result = m.simulate(1.0)
    energy = result["energy.total"]
    assert np.ptp(energy) < 1e-5 * np.max(result["energy.kinetic"])
    assert result.report["steps"] < 2000


@pytest.mark.parametrize("grouped", [False, True])
def test_a_pendulum_strikes_the_floor_with_the_speed_of_its_fall(grouped):
    m = sl.Model()
    bob = m.sphere(radius=0.1, mass=2.0, at=(1, 0, 0))
    hinge = m.revolute(m.ground, bob, at=(0, 0, 0), axis="y")
    floor = m.plane(at=(0, 0, -0.8))
    m.contact([floor] if grouped else floor, [bob] if grouped else bob, restitution=0.5)
    result = m.simulate(0.8)
    inertia, depth = 2.0 * (1 + 0.4 * 0.01), 0.7
    speed = math.sqrt(2 * 2.0 * 9.81 * depth / inertia)  # m g depth = J w^2 / 2
    rates = np.abs(result[hinge.angular_rate])
    assert rates.max() == pytest.approx(speed, rel=1e-5)
    struck = next(e for e in result.events if e[1] == "impact")
    # J (w+ - w-) = r x: the floor's impulse r has the arm of the bob's place.
    arm = math.sqrt(1 - depth**2)
    assert struck[3] == pytest.approx(inertia * 1.5 * speed / arm, rel=1e-4)


def test_reactions_between_the_states_of_long_steps_are_those_of_the_motion():
    m = sl.Model()
    bob = m.sphere(radius=0.1, mass=2.0, at=(1, 0, 0))
    hinge = m.revolute(m.ground, bob, at=(0, 0, 0), axis="y")
    m.contact([m.plane(at=(0, 0, -50))], [bob])
    result = m.simulate(1.0)
    assert result.report["steps"] < 200
    for t in np.linspace(0.05, 0.95, 37):
        at = result.at(float(t))
        angle, rate = float(at[hinge.angle]), float(at[hinge.angular_rate])
        rate_of_rate = 2 * 9.81 * math.cos(angle) / (2 * (1 + 0.4 * 0.01))
        centre = np.array((math.cos(angle), 0, -math.sin(angle)))
        across = np.array((-math.sin(angle), 0, -math.cos(angle)))
        truth = 2 * (-rate**2 * centre + rate_of_rate * across + np.array((0, 0, 9.81)))
        assert np.ravel(at[hinge.force]) == pytest.approx(truth, abs=3e-3 * 60)
        assert rate**2 == pytest.approx(2 * 9.81 * math.sin(angle) / (1 + 0.4 * 0.01), rel=1e-3)


def small_ball_on_a_big_one(restitution):
    m = sl.Model()
    below, above = m.sphere(radius=0.1, mass=1, at=(0, 0, 0.6)), m.sphere(radius=0.05, mass=0.1, at=(0, 0, 0.9))
    m.contact(m.plane(), below, restitution=restitution)
    m.contact(below, above, restitution=restitution)
    return m, above, lambda r: r[above.position.z] - r[below.position.z] - 0.15


def ball_on_a_moving_table(restitution):
    m = sl.Model()
    table = m.box(size=(1, 1, 0.1), mass=1)
    m.prismatic(m.ground, table, axis="z", position="0.05*sin(6*t)")
    ball = m.sphere(radius=0.1, mass=1, at=(0, 0, 0.4))
    m.contact(table, ball, restitution=restitution)
    return m, ball, lambda r: r[ball.position.z] - r[table.position.z] - 0.15


@pytest.mark.parametrize("restitution", [0.3, 0.5, 0.7])
@pytest.mark.parametrize("scene", [small_ball_on_a_big_one, ball_on_a_moving_table])
def test_what_bounces_a_last_time_does_not_fly_through_what_it_lands_on_in_one_long_step(scene, restitution):
    m, ball, gap = scene(restitution)
    result = m.simulate(4.0)
    assert np.min(gap(result)) > -1e-4


@pytest.mark.parametrize("restitution", [0.3, 0.8])
def test_a_ball_that_bounces_in_a_box_that_a_drive_holds_stays_in_it(restitution):
    m = sl.Model()
    box = m.box(size=(0.01, 0.01, 0.01), mass=1, at=(0, 0, 2))
    m.prismatic(m.ground, box, axis="z", position="0")
    walls = [m.shape("box", box, size=size, at=at) for size, at in [((1, 1, 0.1), (0, 0, -0.05)), ((0.1, 1, 1), (0.55, 0, 0.5)), ((1, 0.1, 1), (0, -0.55, 0.5))]]
    ball = m.sphere(radius=0.08, mass=1, at=(-0.3, -0.3, 0.2), velocity=(0.3, 0, 0))
    m.contact(walls, [ball], restitution=restitution, friction=0.2)
    result = m.simulate(3.0)
    assert np.min(result[ball.position.z]) > 0.08 - 1e-5
