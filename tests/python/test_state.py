"""A state in the hand of a program: what it reads, sets and steps is what a run gives."""

import copy
import math
import pickle

import numpy as np
import pytest

import saltus as sl
from saltus.items import CoordinateLoad, CoordinateSpringDamper, Mass1d, Node1d


def pendulum():
    m = sl.Model()
    rod = m.rod(start=(0, 0, 0), end=(1, 0, 0), mass=1, name="rod")
    m.revolute(m.ground, rod, at=(0, 0, 0), axis="y", name="hinge")
    return m


def oscillator():
    m = sl.Model(gravity=(0, 0, 0))
    m.add(Node1d(coordinate=1.0), name="x")
    m.add(Mass1d(node="x", mass=2.0), name="mass")
    m.add(CoordinateSpringDamper(A="ground", B="x", stiffness=8.0), name="spring")
    m.add(CoordinateLoad(on="x", force="3*t"), name="push")
    return m


def test_at_the_start_it_reads_what_newton_says():
    s = pendulum().state()
    assert s.time == 0.0
    assert s["rod.acceleration.z"] == pytest.approx(-1.5 * 9.81 * 0.5, rel=1e-12)  # of the middle of a rod that begins to fall
    M, H, f, a = s.mass_matrix, s.jacobian, s.forces, s.accelerations
    assert np.allclose(M @ a, f + H.T @ s.multipliers, rtol=0, atol=1e-12)
    assert np.allclose(H @ a, 0.0, rtol=0, atol=1e-12) and np.allclose(s.row_values, 0.0, rtol=0, atol=1e-15)
    assert H.shape == (5, 6) and np.allclose(M, M.T)
    assert s.kinetic_energy == 0.0


@pytest.mark.parametrize("scheme", ["dormand_prince", "generalized_alpha", "moreau_jean", "runge_kutta_4", "event_driven", "nonsmooth_generalized_alpha"])
def test_a_loop_of_steps_is_the_run(scheme):
    run = pendulum().simulate(1.0, step=2.0**-7, scheme=scheme)
    s = pendulum().state(step=2.0**-7, scheme=scheme)
    for _ in range(128):
        s.step()
    assert s.time == 1.0
    assert np.allclose(s["rod.position"], run["rod.position"].values[-1], rtol=0, atol=1e-13)
    assert np.allclose(s.multipliers, run._recorded.arrays["lam"][-1], rtol=0, atol=1e-8)
    assert s.report["steps"] == 128


def test_with_a_tolerance_it_goes_where_the_run_goes():
    run = pendulum().simulate(1.0, tolerance=1e-9)
    s = pendulum().state(tolerance=1e-9)
    s.step(0.25), s.advance(0.7), s.advance(1.0)
    assert np.allclose(s["rod.position"], run["rod.position"].values[-1], rtol=0, atol=1e-7)


def test_what_is_set_holds_and_the_rest_follows():
    s = oscillator().state(step=1e-3, scheme="runge_kutta_4")
    s.q, s.v, s.time = [0.5], [2.0], 4.0
    assert s.accelerations[0] == pytest.approx((3 * 4.0 - 8 * 0.5) / 2, rel=1e-14)
    assert s.kinetic_energy == 4.0 and s.potential_energy == pytest.approx(1.0)
    s.step(0.1)
    w, t0, t = 2.0, 4.0, 4.1  # x = p(t) + A cos + B sin, p = 3 t / 8
    A, B = 0.5 - 1.5, (2.0 - 0.375) / w
    assert s.q[0] == pytest.approx(3 * t / 8 + A * math.cos(w * (t - t0)) + B * math.sin(w * (t - t0)), abs=1e-4)


def test_joints_are_closed_where_a_velocity_breaks_them():
    s = pendulum().state()
    s.v = [0.0, 0.0, 1.0, 0.0, 0.0, 0.0]  # the middle moves, the rod does not turn
    assert np.allclose(s.jacobian @ s.v, 0.0, rtol=0, atol=1e-12)
    assert s.v[4] != 0.0


def test_copies_go_their_own_way_and_pickles_too():
    s = pendulum().state(step=0.01, scheme="moreau_jean")
    s.step()
    others = [s.copy(), copy.deepcopy(s), pickle.loads(pickle.dumps(s))]
    for _ in range(10):
        s.step()
    for other in others:
        assert other.time == 0.01
        for _ in range(10):
            other.step()
        assert np.array_equal(other.q, s.q) and np.array_equal(other.multipliers, s.multipliers)


def test_a_controller_of_the_program_holds_a_cart():
    m = sl.Model(gravity=(0, 0, 0))
    cart = m.box(size=(0.1, 0.1, 0.1), mass=2, at=(0, 0, 0), name="cart")
    m.prismatic(m.ground, cart, at=(0, 0, 0), axis="x", name="slide")
    s = m.state(step=0.01, scheme="moreau_jean")
    for _ in range(1000):  # a bang-bang push on the velocity
        v = s.v
        v[0] += 0.01 * (-4.0 * (s["cart.position.x"] - 1.0) - 3.0 * v[0])
        s.v = v
        s.step()
    assert s["cart.position.x"] == pytest.approx(1.0, abs=1e-3)


def test_it_starts_from_a_result_and_reads_frames_that_came_later():
    m = pendulum()
    result = m.simulate(0.5, tolerance=1e-9)
    s = m.state(start=result, tolerance=1e-9)
    assert s.time == 0.5
    tip = m["rod"].frame((1, 0, 0))
    assert np.allclose(s[tip.position], 2 * s["rod.position"], rtol=0, atol=1e-9)
    assert s[m["rod"].position.norm] == pytest.approx(0.5, abs=1e-9)


def test_contacts_are_those_of_the_scheme():
    m = sl.Model()
    ball = m.sphere(radius=0.1, mass=1, at=(0, 0, 0.1), name="ball")
    m.contact(m.plane(), ball, friction=0.3)
    s = m.state(step=1e-3)
    for _ in range(100):
        s.step()
    assert s["ball.position.z"] == pytest.approx(0.1, abs=1e-6)


def test_a_step_that_fails_leaves_the_state_and_says_why():
    m = sl.Model(gravity=(0, 0, 0))
    m.add(Node1d(coordinate=1.0), name="x")
    m.add(Mass1d(node="x", mass=2.0), name="mass")
    m.add(CoordinateLoad(on="x", force="if(t > 0.0505, 1/0, 1)"), name="push")
    s = m.state(step=1e-2, scheme="runge_kutta_4")
    with pytest.raises(sl.RunError, match="loads/push"):
        for _ in range(10):
            s.step()
    assert 0.04 < s.time < 0.06 and np.all(np.isfinite(s.q))
    s.time = 0.0  # it can be set back, and go on
    s.step()
    assert s.time == 0.01


@pytest.mark.parametrize(
    "wrong, message",
    [
        (lambda: oscillator().state().step(), "needs a length"),
        (lambda: oscillator().state().step(-1.0), "must be above 0"),
        (lambda: oscillator().state().advance(0.0), "time goes on"),
        (lambda: setattr(oscillator().state(), "q", [1.0, 2.0]), "takes 1 numbers, not 2"),
        (lambda: setattr(oscillator().state(), "v", [math.nan]), "not finite"),
        (lambda: oscillator().state()["y.coordinate"], "y"),
        (lambda: oscillator().state(scheme="static"), "makes no steps"),
        (lambda: oscillator().state(step=-1.0), "above 0"),
        (lambda: oscillator().state(start=pendulum().simulate(0.1)), "another model"),
    ],
)
def test_mistakes_are_reported(wrong, message):
    with pytest.raises(sl.ModelError, match=message):
        wrong()
