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
