"""Stiff parts that move slowly: generalized-alpha's steps under error control follow the motion, whatever the stiffness, and its error the tolerance."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import saltus as sl

pytestmark = pytest.mark.filterwarnings("ignore::saltus.ModelWarning")
STIFFNESS = [1e6, 1e8, 1e10, 1e12]


def follower(k, damping_ratio, speed=0.1):
    """x'' + c (x' - u') + k (x - u) = 0 with u = 0.1 sin t: x = u + u / k for large k."""
    c = float(2 * damping_ratio * np.sqrt(k))
    m = sl.Model(gravity=(0, 0, 0))
    m.add(sl.items.NodeOde2(count=1, coordinates=[0.0], velocities=[speed]), name="n")
    m.add(
        sl.items.GenericSystem(
            node="n", mass_matrix=[[1.0]], stiffness_matrix=[[k]], damping_matrix=[[c]], force=[f"{0.1 * k!r}*sin(t) + {0.1 * c!r}*cos(t)"]
        )
    )
    return m


def motion(m, tolerance):
    """Steps of 3 s, times, and the errors of coordinate and velocity."""
    result = m.simulate(3.0, scheme="generalized_alpha", tolerance=tolerance)
    t = np.asarray(result.time)
    x, v = (np.ravel(result[q]) for q in (m["n"].coordinate, m["n"].rate))
    return result.report["steps"], t, np.abs(x - 0.1 * np.sin(t)), np.abs(v - 0.1 * np.cos(t))


@pytest.mark.parametrize("damping_ratio", [1.0, 0.01])
@pytest.mark.parametrize("k", STIFFNESS)
def test_a_mass_on_a_stiff_spring_takes_steps_of_its_slow_motion(k, damping_ratio):
    """At most four times those of k = 100. What is left of x by the inertia of the mass is 0.1 / k."""
    for tolerance in (1e-4, 1e-6):
        soft = motion(follower(100.0, damping_ratio), tolerance)[0]
        steps, _, x, v = motion(follower(k, damping_ratio), tolerance)
        assert steps < 4 * soft
        assert x.max() < 10 * tolerance + 1 / k
        assert v.max() < 10 * tolerance + 1 / k


@pytest.mark.parametrize("k", STIFFNESS)
def test_a_start_off_the_slow_motion_is_followed_until_it_is_damped(k):
    """The start at rest leaves a vibration of amplitude 0.1 / sqrt(k) and speed 0.1."""
    steps, t, x, v = motion(follower(k, 1.0, speed=0.0), 1e-6)
    assert steps < 8000
    assert x.max() < 0.1 / np.sqrt(k)
    assert v.max() < 0.11
    assert v[t > 0.5].max() < 2e-5


@pytest.mark.parametrize("k", STIFFNESS[1:])
def test_a_vibration_that_hardly_damps_is_left_behind_once_it_is_below_the_tolerance(k):
    """1 % of damping: some thousand vibrations a second and more, of which the steps damp those they do not follow. No speed overshoots."""
    steps, t, x, v = motion(follower(k, 0.01, speed=0.0), 1e-6)
    assert steps < 80_000  # whatever the stiffness
    assert v.max() < 0.11
    assert v[t > 0.5].max() < 2e-5


SWING = solve_ivp(lambda t, y: [y[1], -9.81 * np.sin(y[0])], (0, 2), [0.5, 0], rtol=1e-12, atol=1e-12, dense_output=True).sol


def elastic_pendulum(k, stretch, tolerance, damping=0.0):
    """Steps and largest error in x of a point on a rod of stiffness k, against the rigid one."""
    m = sl.Model()
    length = 1.0 + stretch
    point = m.point_mass(mass=1.0, at=(length * np.sin(0.5), 0, -length * np.cos(0.5)))
    m.spring(m.ground, point, stiffness=k, damping=damping, rest_length=1.0)
    result = m.simulate(2.0, scheme="generalized_alpha", tolerance=tolerance)
    return result.report["steps"], np.abs(np.asarray(result[point.position])[:, 0] - np.sin(SWING(np.asarray(result.time))[0])).max()


@pytest.mark.parametrize("k", [1e8, 1e10])
def test_a_stiff_rod_swings_in_the_steps_of_a_softer_one_and_its_error_follows_the_tolerance(k):
    """From its equilibrium of stretch: the radial motion is slow, though k turns with the rod."""
    errors = {}
    for tolerance in (1e-4, 1e-6, 1e-7):
        soft, _ = elastic_pendulum(1e6, 9.81 * np.cos(0.5) / 1e6, tolerance)
        steps, errors[tolerance] = elastic_pendulum(k, 9.81 * np.cos(0.5) / k, tolerance)
        assert steps < 2 * soft
        assert errors[tolerance] < 10 * tolerance + 10 / k
    assert errors[1e-7] < 0.3 * errors[1e-6] < 0.03 * errors[1e-4]


@pytest.mark.parametrize("k", [1e8, 1e10])
def test_a_vibration_of_a_stiff_rod_is_damped_to_the_tolerance(k):
    """1e-5 m off, followed until damping has taken it. Were each of its 3e3 (3e4) vibrations followed in 20 steps, there would be 6e4 (6e5)."""
    steps, error = elastic_pendulum(k, 1e-5, 1e-6, damping=0.02 * np.sqrt(k))
    assert steps < 80_000
    assert error < 5e-4


def stiff_chain(k, n=10):
    """Points in a row, hung at one end, on springs with damping: its lowest motion is slow for the turning of the whole."""
    m = sl.Model()
    weights = [m.point_mass(mass=0.1, at=(0.1 * (i + 1) * np.sin(0.5), 0, -0.1 * (i + 1) * np.cos(0.5))) for i in range(n)]
    for i, weight in enumerate(weights):
        m.spring(weights[i - 1] if i else m.ground, weight, stiffness=k, damping=1e-3 * k**0.5, rest_length=0.1)
    return m


def test_a_chain_of_stiff_springs_takes_the_steps_of_its_swing():
    steps = [stiff_chain(k).simulate(0.5, scheme="generalized_alpha", tolerance=1e-5).report["steps"] for k in (1e6, 1e8, 1e10)]
    assert max(steps) < 4 * min(steps), steps


@pytest.mark.parametrize("k", STIFFNESS[:3])
@pytest.mark.parametrize("start", [0.0, 0.3])
def test_a_stiff_first_order_state_takes_steps_of_what_it_follows(k, start):
    """x' = -k (x - sin t) + cos t: from another start it falls to sin t within some 1 / k."""
    m = sl.Model()
    m.add(sl.items.NodeOde1(count=1, initial_values=[start]), name="n")
    m.add(sl.items.FirstOrderSystem(node="n", matrix=[[-k]], function=[f"{k!r}*sin(t) + cos(t)"]))
    result = m.simulate(3.0, scheme="generalized_alpha", tolerance=1e-6)
    assert result.report["steps"] < (40 if start == 0.0 else 1000)
    t = np.asarray(result.time)
    assert np.abs(np.ravel(result[m["n"].state]) - np.sin(t))[t > 30 / k].max() < 1e-5
