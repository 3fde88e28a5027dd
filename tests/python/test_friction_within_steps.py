"""Friction that turns, or whose coefficient changes, within the steps of moreau_jean, the default of models with contacts."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import saltus as sl
from saltus.items import ContensouImpact, CoulombImpact, OrthotropicImpact, RollingImpact, StribeckImpact

G, SLOPE = 9.81, 1.5


def plate(law, velocity, group, slope=0.0):
    """A plate on four corners, pushed along x by its weight on a slope."""
    m = sl.Model(gravity=(slope, 0, -G))
    b = m.box(size=(0.2, 0.2, 0.01), mass=1, at=(0, 0, 0.005), velocity=velocity)
    m.contact([m.plane()] if group else m.plane(), [b] if group else b, law=law)
    return m, b


def place(friction, velocity, until, slope=0.0):
    """Of a point under friction (two numbers of the velocity), by an independent integration."""
    return solve_ivp(lambda t, y: [y[2], y[3], slope - G * friction(y[2:])[0], -G * friction(y[2:])[1]], (0, until), [0, 0, *velocity], method="Radau", rtol=1e-10, atol=1e-13).y[:2, -1]


@pytest.mark.parametrize("group", (False, True), ids=("pair", "group"))
@pytest.mark.parametrize("tolerance", (1e-5, 1e-6))
def test_friction_of_two_coefficients_follows_the_slip_as_it_turns(tolerance, group):
    truth = place(lambda u: np.array([0.01, 0.16]) * u / math.hypot(0.1 * u[0], 0.4 * u[1]), (1, 1), 0.9)
    m, b = plate(OrthotropicImpact(friction_1=0.1, friction_2=0.4), (1, 1, 0), group)
    assert np.abs(m.simulate(0.9, tolerance=tolerance)[b.position].last[:2] - truth).max() < tolerance


@pytest.mark.parametrize("group", (False, True), ids=("pair", "group"))
@pytest.mark.parametrize("tolerance", (1e-5, 1e-6))
def test_a_plate_on_four_corners_slides_in_a_curve_across_a_slope(tolerance, group):
    truth = place(lambda u: 0.3 * u / math.hypot(*u), (0, 2), 0.6, SLOPE)
    m, b = plate(CoulombImpact(friction=0.3), (0, 2, 0), group, SLOPE)
    assert np.abs(m.simulate(0.6, tolerance=tolerance)[b.position].last[:2] - truth).max() < tolerance


@pytest.mark.parametrize("group", (False, True), ids=("pair", "group"))
@pytest.mark.parametrize("tolerance", (1e-5, 1e-6))
def test_friction_that_depends_on_the_speed_stops_a_plate_where_its_energy_ends(tolerance, group):
    mu = lambda v: 0.3 + 0.3 * math.exp(-v / 0.2) + 0.1 * v  # noqa: E731
    speeds = np.linspace(0, 1, 20001)
    truth = np.trapezoid([v / (G * mu(v)) for v in speeds], speeds) if hasattr(np, "trapezoid") else np.trapz([v / (G * mu(v)) for v in speeds], speeds)  # v dv = -mu g dx
    m, b = plate(StribeckImpact(friction_at_rest=0.6, friction_sliding=0.3, speed=0.2, growth=0.1), (1, 0, 0), group)
    assert m.simulate(1.0, tolerance=tolerance)[b.position.x].last == pytest.approx(truth, rel=4 * tolerance)


@pytest.mark.parametrize("group", (False, True), ids=("pair", "group"))
@pytest.mark.parametrize("law", (ContensouImpact(friction=0.3, spinning=0.02), RollingImpact(friction=0.3, rolling=0.01)), ids=("spin", "rolling"))
def test_a_ball_that_slides_spins_and_rolls_is_that_of_event_driven(law, group):
    def motion(group, **how):
        m = sl.Model(gravity=(SLOPE, 0, -G))
        b = m.sphere(radius=0.1, mass=1, at=(0, 0, 0.1), velocity=(0, 2, 0), angular_velocity=(0, 0, 50))
        m.contact([m.plane()] if group else m.plane(), [b] if group else b, law=law)
        return m.simulate(0.3, **how)[b.position].last

    truth = motion(False, scheme="event_driven", tolerance=1e-10)
    assert np.abs(motion(group, tolerance=1e-5) - truth).max() < 1e-5


@pytest.mark.parametrize("grouped", [False, True], ids=["pair", "group"])
def test_a_spin_that_turns_round_while_the_ball_slides_turns_its_resistance_there(grouped):
    """Backspin: sliding friction turns the spin round against a small resistance to rolling, then the ball rolls."""
    ends = []
    for scheme in ({}, {"scheme": "event_driven", "tolerance": 1e-9}):
        m = sl.Model(gravity=(0.8, 0, -9.81))
        ball = m.sphere(radius=0.1, mass=2, at=(0, 0, 0.1), velocity=(1, 0, 0), angular_velocity=(0, -30, 5))
        m.contact(m.plane(), [ball] if grouped else ball, friction=0.3, rolling=0.01, spinning=0.002)
        result = m.simulate(0.6, **scheme)
        ends.append([result[ball.velocity.x].last, 0.1 * result[ball.angular_velocity.y].last, result[ball.position.x].last])
    assert ends[0] == pytest.approx(ends[1], abs=1e-5)
