"""Error control by one step beside two of half its length: errors follow the tolerance, wherever the origin is and whatever the units are, and impacts end no step."""

import math

import numpy as np
import pytest

import saltus as sl
from saltus.items import CoordinateGap, CoordinateLoad, CoordinateSpringDamper, Mass1d, NewtonImpact, Node1d

ORDERS = {
    "explicit_euler": 1,
    "symplectic_euler": 1,
    "explicit_midpoint": 2,
    "heun": 2,
    "velocity_verlet": 2,
    "runge_kutta_3": 3,
    "runge_kutta_4": 4,
    "half_explicit": 4,
    "runge_kutta_6": 6,
}
SMOOTH = [*ORDERS, "newmark"]
IMPACTS = ("d1_minus",)


def scheme_of(name):
    return sl.Newmark(gamma=0.6) if name == "newmark" else name


def pendulum(turn=0.0, off=0.0, size=1.0):
    """A rod about a hinge, released level; the plane turned about gravity, away from the origin, in another unit of length."""
    m = sl.Model(gravity=(0, 0, -9.81 * size))
    along = np.array([math.cos(turn), math.sin(turn), 0.0])
    rod = m.rod(off * np.ones(3), off * np.ones(3) + size * along, mass=1, name="rod")
    m.revolute(m.ground, rod, at=rod.start, axis=(-math.sin(turn), math.cos(turn), 0.0))
    return m


def two_rods():
    m = sl.Model(gravity=(0, 0, -9.81))
    a = m.rod((0, 0, 0), (1, 0, 0), mass=1, name="a")
    b = m.rod((1, 0, 0), (2, 0, 0), mass=1, name="rod")
    m.revolute(m.ground, a, at=a.start, axis="y")
    m.revolute(a, b, at=b.start, axis="y")
    return m


def tip(m, until=1.0, **how):
    result = m.simulate(until, **how)
    return np.asarray(result[m["rod"].end.position])[-1], result.report


def impacts(result):
    return sum(event[1] == "impact" for event in result.events)


@pytest.mark.parametrize("name", SMOOTH)
def test_the_error_follows_the_tolerance(name):
    """As the tolerance itself; of order 1, whose steps would go with it, as its root. Joints stay closed."""
    exact, _ = tip(two_rods(), scheme="dormand_prince", tolerance=1e-13)
    tolerances = (1e-3, 1e-5) if ORDERS.get(name, 1) < 3 else (1e-5, 1e-8)
    runs = [tip(two_rods(), scheme=scheme_of(name), tolerance=tol) for tol in tolerances]
    errors = [math.dist(end, exact) for end, _ in runs]
    assert max(report["residual"]["constraints"] for _, report in runs) < 1e-9
    power = math.log(errors[0] / errors[1]) / math.log(tolerances[0] / tolerances[1])
    if ORDERS.get(name, 1) == 1:
        assert 0.4 < power < 0.65 and errors[1] < 2 * math.sqrt(tolerances[1])
    else:
        assert power > 0.8 and errors[1] < 2 * tolerances[1]


@pytest.mark.parametrize("name", SMOOTH)
def test_steps_are_the_same_in_a_turned_frame_far_away_and_in_another_unit(name):
    where, here = tip(pendulum(), scheme=scheme_of(name), tolerance=1e-4)
    for change in ({"turn": 0.7}, {"off": 100.0}, {"size": 1000.0}):
        there, report = tip(pendulum(**change), scheme=scheme_of(name), tolerance=1e-4)
        # Far away the rounding of places is 1e-14 of 100 m, that of the first steps, of 1e-9 m, more than their error.
        assert abs(report["steps"] - here["steps"]) <= (2 if "off" in change else 0) and report["rejected"] == here["rejected"]
        c, s = math.cos(change.get("turn", 0.0)), math.sin(change.get("turn", 0.0))
        turned = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ where
        np.testing.assert_allclose((there - change.get("off", 0.0)) / change.get("size", 1.0), turned, atol=1e-4 if "off" in change else 1e-8)


@pytest.mark.parametrize("name", ("explicit_euler", "heun", "runge_kutta_4", "half_explicit", "newmark"))
def test_a_stiff_relaxation_is_followed(name):
    """x' = -k (x - cos t): x = (k^2 cos t + k sin t) / (1 + k^2) + c exp(-k t)."""
    k, t = 1000.0, 1.0
    m = sl.Model()
    a, b = m.terminal(), m.terminal(name="b")
    m.voltage_source(a, m.ground, voltage="cos(t)")
    m.resistor(a, b, R=1e3)
    m.capacitor(b, m.ground, C=1e-6)
    result = m.simulate(t, scheme=scheme_of(name), tolerance=1e-5)
    assert abs(float(result["b.value"].last) - (k * k * math.cos(t) + k * math.sin(t)) / (1 + k * k)) < (5e-3 if ORDERS.get(name, 1) == 1 else 1e-4)
    assert result.report["steps"] < 10_000


def ball(restitution, place=1.0, speed=0.0, sign=1.0):
    m = sl.Model(gravity=(0, 0, 0))
    node = m.add(Node1d(displacement=place, velocity=speed), name="x")
    m.add(Mass1d(node=node, mass=1.0), name="m")
    m.add(CoordinateLoad(on=node, force=-9.81), name="weight")
    m.add(CoordinateGap(on=node, sign=sign, law=NewtonImpact(restitution=restitution)), name="stop")
    return m


def flight(restitution, t, height=1.0, g=9.81):
    """Height of a ball at t, and how many impacts it has had."""
    fall = math.sqrt(2 * height / g)
    if t < fall:
        return height - 0.5 * g * t * t, 0
    begin, speed, count = fall, restitution * g * fall, 1
    while speed > 1e-12 and t - begin > 2 * speed / g:
        begin += 2 * speed / g
        speed *= restitution
        count += 1
    return max(0.0, speed * (t - begin) - 0.5 * g * (t - begin) ** 2), count


@pytest.mark.parametrize("name", IMPACTS)
@pytest.mark.parametrize("restitution", (0.8, 1.0))
def test_a_ball_bounces_as_often_and_as_high_as_it_does(name, restitution):
    exact, count = flight(restitution, 3.0)
    for tolerance in (1e-4, 1e-6):
        result = ball(restitution).simulate(3.0, scheme=name, tolerance=tolerance)
        assert abs(float(result["x.coordinate"].last) - exact) < 30 * tolerance
        assert impacts(result) == count


@pytest.mark.parametrize("name", IMPACTS)
def test_impacts_that_accumulate_end_at_rest(name):
    """All bounces of e = 1/2 are over after 3 times the fall, 1.35 s; their steps do not fall to nothing."""
    result = ball(0.5).simulate(3.0, scheme=name, tolerance=1e-6)
    assert abs(float(result["x.coordinate"].last)) < 1e-6 and abs(float(result["x.rate"].last)) < 1e-4
    assert result.report["steps"] < 3000


@pytest.mark.parametrize("name", IMPACTS)
def test_a_flight_under_a_ceiling_hits_it(name):
    """Both ends of a long step are below the ceiling, and the path is a parabola that a step follows exactly."""
    speed = 4.6
    result = ball(1.0, place=-1.0, speed=speed, sign=-1.0).simulate(1.0, scheme=name, tolerance=1e-6)
    up = (speed - math.sqrt(speed**2 - 2 * 9.81)) / 9.81
    left, back = 1.0 - up, speed - 9.81 * up
    assert abs(float(result["x.coordinate"].last) + back * left + 0.5 * 9.81 * left**2) < 1e-4
    assert impacts(result) == 1


def test_a_vibration_against_a_stop_is_exact_between_the_impacts():
    """x'' = -x from -1 at rest, a stop at 0, e = 1: |sin| of the time, by quarters of the period; no step leaps over a swing."""
    m = sl.Model(gravity=(0, 0, 0))
    node = m.add(Node1d(displacement=1.0), name="x")
    m.add(Mass1d(node=node, mass=1.0), name="m")
    m.add(CoordinateSpringDamper(A="ground", B=node, stiffness=1.0), name="spring")
    m.add(CoordinateGap(on=node, law=NewtonImpact(restitution=1.0)), name="stop")
    for name in ("exact_modal", "zero_order_hold"):
        result = m.simulate(20.0, scheme=name, tolerance=1e-6)
        assert impacts(result) == 6, name  # at pi/2 and each pi on
        assert abs(float(result["x.coordinate"].last) - abs(math.cos(20.0))) < 1e-4, name
        middle = np.linspace(0.0, 20.0, 501)
        assert np.abs(np.asarray(result.at(middle)["x.coordinate"]) - np.abs(np.cos(middle))).max() < 1e-4, name


@pytest.mark.parametrize("name", IMPACTS)
def test_a_ball_that_bounces_goes_on_from_a_saved_state_with_the_same_bits(name):
    first = ball(0.7).simulate(0.7, scheme=name, tolerance=1e-5)
    again = ball(0.7).simulate(2.0, scheme=name, tolerance=1e-5, start=first)
    other = ball(0.7).simulate(2.0, scheme=name, tolerance=1e-5, start=first)
    assert np.array_equal(again._recorded.arrays["y"], other._recorded.arrays["y"])
    whole = ball(0.7).simulate(2.0, scheme=name, tolerance=1e-5)
    assert abs(float(again["x.coordinate"].last) - float(whole["x.coordinate"].last)) < 1e-3


@pytest.mark.parametrize("name", [*SMOOTH, *IMPACTS])
def test_a_mechanism_that_is_driven_all_through_is_read_between_its_states(name):
    """A step and its halves agree, however long they are; places between states are those of the angle sin 6t."""
    m = sl.Model()
    rod = m.rod((0, 0, 0), (1, 0, 0), mass=1)
    m.revolute(m.ground, rod, at=rod.start, axis="y", angle="sin(6 * t)")
    r = m.simulate(2.0, scheme=scheme_of(name), tolerance=1e-5)
    t = np.linspace(0, 2, 301)
    angle = np.sin(6 * t)
    np.testing.assert_allclose(np.asarray(r.at(t)[rod.end.position])[:, [0, 2]], np.stack([np.cos(angle), -np.sin(angle)], 1), atol=3e-4)
