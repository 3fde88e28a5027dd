"""The force of a contact of groups is that of the state, from the first state on, as that of a contact of two bodies."""

import numpy as np
import pytest

import saltus as sl

G = 9.81
TIMES = np.linspace(0.0, 1.0, 11)
STEPS = {"moreau_jean": {}, "event_driven": {}, "nonsmooth_generalized_alpha": {}, "d1_minus": {"step": 1e-3}, "schatzman_paoli": {"step": 1e-3}}


def ball_at_rest(group, load):
    m = sl.Model()
    floor, ball = m.plane(), m.sphere(radius=0.1, mass=1, at=(0, 0, 0.1))
    contact = m.contact([floor], [ball]) if group else m.contact(floor, ball)
    m.force(ball, (0, 0, load))
    return m, contact


@pytest.mark.parametrize("group", [False, True])
def test_a_force_that_grows_is_known_between_the_states(group):
    m, contact = ball_at_rest(group, "-10*t")
    r = m.simulate(1.0)
    assert np.array(r.at(TIMES)[contact.force.z]) == pytest.approx(G + 10 * TIMES, abs=1e-4)


@pytest.mark.parametrize("group", [False, True])
def test_a_condition_on_a_force_ends_the_run_where_it_is_met(group):
    m, contact = ball_at_rest(group, "-10*t")
    assert m.simulate(1.0, stop=contact.force.z > 12).time[-1] == pytest.approx((12 - G) / 10, abs=1e-6)
    m, contact = ball_at_rest(group, "20*t")
    r = m.simulate(1.0, stop=contact.force.z < 1e-6)
    assert r.time[-1] == pytest.approx(G / 20, abs=1e-6)
    assert np.array(r[contact.force.z]).min() >= 0.0


@pytest.mark.parametrize("scheme", STEPS)
@pytest.mark.parametrize("group", [False, True])
def test_the_first_state_has_the_force_that_holds_there(scheme, group):
    m, contact = ball_at_rest(group, "-10*t")
    r = m.simulate(0.1, scheme=scheme, **STEPS[scheme])
    assert r[contact.force.z][0] == pytest.approx(G, rel=1e-3)


@pytest.mark.parametrize("options", [{}, {"step": 1e-3}, {"step": 1e-3, "scheme": "schatzman_paoli"}])
def test_the_first_force_is_none_in_flight_and_no_impulse_at_an_impact(options):
    for velocity, height in ((0.0, 0.2), (-1.0, 0.1)):
        m = sl.Model()
        floor, ball = m.plane(), m.sphere(radius=0.1, mass=1, at=(0, 0, height), velocity=(0, 0, velocity))
        contact = m.contact([floor], [ball])
        assert m.simulate(0.05, **options)[contact.force.z][0] == 0.0


@pytest.mark.parametrize("group", [False, True])
def test_what_rests_from_the_start_has_no_impact(group):
    m, _ = ball_at_rest(group, 0)
    assert not [e for e in m.simulate(0.05, step=1e-3, scheme="schatzman_paoli").events if e.kind == "impact"]


def test_friction_that_sticks_is_the_load_between_the_states():
    m = sl.Model()
    floor, box = m.plane(), m.box(size=(0.2, 0.2, 0.1), mass=2, at=(0, 0, 0.05))
    contact = m.contact([floor], [box], friction=0.5)
    m.force(box.frame(at=(0, 0, 0)), ("3*t", 0, 0))
    r = m.simulate(1.0)
    force = np.array(r.at(TIMES)[contact.force])
    assert force[:, 0] == pytest.approx(-3 * TIMES, abs=1e-3)
    assert force[:, 2] == pytest.approx(np.full(11, 2 * G), abs=1e-3)
