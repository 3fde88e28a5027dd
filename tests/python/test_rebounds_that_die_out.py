"""Rebounds become faster than any step: behind the last one that counts a body rests, whatever presses it on and whatever its contact pulls by."""

import numpy as np
import pytest

import saltus as sl


def impact_oscillator(restitution, frequency, wall):
    m = sl.Model(gravity=(0, 0, 0))
    mass = m.point_mass(mass=1.0, displacement=(0.3, 0, 0))
    m.spring(m.ground.frame(at=(-5, 0, 0)), mass, stiffness=1.0, damping=0.1, rest_length=5.0)
    m.force(mass, (f"cos({frequency}*t)", 0, 0))
    m.contact(m.plane(at=(wall, 0, 0), normal=(1, 0, 0)), mass, restitution=restitution)
    return m, mass


@pytest.mark.parametrize("restitution, frequency, wall", [(0.8, 2.6, -0.1), (0.5, 2.6, -0.1), (0.8, 1.3, -0.1)])
def test_a_mass_that_a_spring_and_a_force_press_on_a_wall_moves_as_between_located_impacts(restitution, frequency, wall):
    places = []
    for scheme in ({}, {"scheme": "event_driven"}):
        m, mass = impact_oscillator(restitution, frequency, wall)
        result = m.simulate(20.0, **scheme)
        places.append([result.at(t)[mass.position.x] for t in (5.0, 10.0, 15.0)])
    assert places[0] == pytest.approx(places[1], abs=1e-4)


def test_a_mass_on_a_spring_comes_to_rest_on_a_wall():
    m = sl.Model(gravity=(0, 0, 0))
    mass = m.point_mass(mass=1, at=(1, 0, 0))
    m.spring(m.ground.frame(at=(-2, 0, 0)), mass, stiffness=50.0, damping=1.0, rest_length=1.5)
    touch = m.contact(m.plane(normal=(1, 0, 0)), mass, restitution=0.7)
    result = m.simulate(10.0)
    assert result[mass.position.x].last == pytest.approx(0.0, abs=2e-6)
    assert result[touch.force][-1][0] == pytest.approx(25.0, rel=1e-5)  # the spring is 0.5 m too long
    assert result.report["steps"] < 5_000


@pytest.mark.parametrize("law", [sl.items.AdhesiveImpact(adhesion=3.0, restitution=0.4), sl.items.CohesiveImpact(strength=30.0, opening=0.02, restitution=0.4),
                                 sl.items.MohrCoulomb(cohesion=3.0, angle=0.3, tension=1.0, restitution=0.4)], ids=["adhesive", "cohesive", "mohr_coulomb"])
@pytest.mark.parametrize("grouped", [False, True], ids=["pair", "group"])
def test_a_ball_that_bounces_on_what_pulls_comes_to_rest(law, grouped):
    m = sl.Model()
    ball = m.sphere(radius=0.1, mass=2, at=(0, 0, 0.3))
    m.contact(m.plane(), [ball] if grouped else ball, law=law)
    result = m.simulate(0.9)
    assert result[ball.position.z].last == pytest.approx(0.1, abs=1e-6)
    assert np.abs(np.asarray(result[ball.velocity.z])[np.asarray(result.time) > 0.6]).max() < 1e-4
    assert result.report["steps"] < 1_000
