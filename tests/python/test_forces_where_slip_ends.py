"""What is shown where a slip ends: friction behind it is that of what rests or rolls, not a mean over its end."""

import numpy as np
import pytest

import saltus as sl

G = 9.81
homes = pytest.mark.parametrize("home", ["pair", "group"])


def on_a_plane(home, body, friction, m):
    return m.contact([m.plane()], [body], friction=friction) if home == "group" else m.contact(m.plane(), body, friction=friction)


@homes
@pytest.mark.parametrize("speed, friction", [(0.5, 0.1), (1.0, 0.1), (5.0, 0.9), (20.0, 0.3)])
def test_a_box_that_stops_is_pushed_forward_by_nothing(home, speed, friction):
    m = sl.Model()
    box = m.box(size=(0.2, 0.2, 0.1), mass=2, at=(0, 0, 0.05), velocity=(speed, 0, 0))
    contact = on_a_plane(home, box, friction, m)
    stops = speed / friction / G
    r = m.simulate(1.5 * stops)
    limit = friction * 2 * G
    force, acceleration = np.asarray(r[contact.force.x]), np.asarray(r[box.acceleration.x])
    assert -limit * (1 + 1e-9) < force.min() and force.max() < 1e-9 * limit
    assert acceleration.max() < 1e-9 * friction * G
    assert np.abs(force[r.time > stops]).max() < 1e-9 * limit
    assert r[contact.force.x].max() < 1e-9 * limit and r[box.acceleration.x].max() < 1e-9 * friction * G


@homes
def test_a_ball_that_rolls_has_no_friction_between_states_either(home):
    """It slides until 2/7 v / (mu g) and rolls on at 5/7 v."""
    m = sl.Model()
    ball = m.sphere(radius=0.1, mass=1, at=(0, 0, 0.1), velocity=(0.5, 0, 0))
    contact = on_a_plane(home, ball, 0.2, m)
    rolls = 0.5 * 2 / 7 / 0.2 / G
    r = m.simulate(2 * rolls)
    for share in (1.02, 1.1, 1.5, 1.9):
        at = r.at(share * rolls)
        assert abs(at[contact.force][0]) < 1e-6 * 0.2 * G and abs(at[ball.acceleration.x]) < 1e-6 * 0.2 * G
        assert at[ball.velocity.x] == pytest.approx(0.5 * 5 / 7, abs=1e-6)


@pytest.mark.parametrize("pair", [True, False])
def test_the_acceleration_of_what_is_pulled_harder_and_harder(pair):
    """Behind the state in which it breaks away each acceleration is that of its time: one that lags must not make the next one lag."""
    m, mass, friction = sl.Model(), 2.0, 0.3
    box, plane = m.box(size=(0.2, 0.2, 0.1), mass=mass, at=(0, 0, 0.05)), m.plane()
    m.contact(plane, box, friction=friction) if pair else m.contact([plane], [box], friction=friction)
    m.force(box, ("4*t", 0, 0))
    r = m.simulate(3.0)
    t, a = np.asarray(r.time), np.asarray(r[box.acceleration.x])
    late = t > friction * mass * 9.81 / 4 + 0.05
    assert a[late] == pytest.approx((4 * t[late] - friction * mass * 9.81) / mass, abs=1e-9)
