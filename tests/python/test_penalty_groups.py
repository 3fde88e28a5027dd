"""Groups of bodies that may enter each other: the same scene with a stiffness in place of a law, under every scheme."""

import math

import numpy as np
import pytest

import saltus as sl

G = 9.81
SCHEMES = ["generalized_alpha", "newmark", "runge_kutta_4", "dormand_prince", "explicit_midpoint", "moreau_jean"]


def drop(height=0.2, radius=0.1, mass=1.0, at=(0.0, 0.0), **contact):
    m = sl.Model()
    floor = m.plane(name="floor")
    ball = m.sphere(radius=radius, mass=mass, at=(*at, radius + height), name="ball")
    touch = m.contact([floor], [ball], name="touch", **contact)
    return m, ball, touch


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("at", [(0.0, 0.0), (100.0, -50.0)])
def test_a_ball_without_damping_comes_back_to_its_height(scheme, at):
    m, ball, touch = drop(at=at, model="hertz", stiffness=1e6, damping=0.0, friction=0.1)
    step = {} if scheme in ("dormand_prince", "moreau_jean") else {"step": 2e-5}
    result = m.simulate(0.35, scheme=scheme, **step)
    z, energy = result[ball.position.z], result["energy.total"]
    assert result[ball.velocity.z].values[-1] > 0.0 and energy.last - energy[0] == pytest.approx(0.0, abs=0.01 * G * 0.2)
    assert z.min() == pytest.approx(0.1 - (5 * 0.5 * 2 * G * 0.2 / (2 * 1e6)) ** 0.4, rel=2e-2)  # m v^2 / 2 = 2/5 K d^(5/2)


def test_slow_impacts_have_the_restitution_of_hunt_and_crossley():
    for v, a in ((0.1, 0.3), (0.2, 0.3), (0.1, 0.6)):
        m = sl.Model(gravity=(0, 0, 0))
        floor, ball = m.plane(name="floor"), m.sphere(radius=0.1, mass=1.0, at=(0, 0, 0.101), velocity=(0, 0, -v))
        m.contact([floor], [ball], stiffness=1e6, damping=a)
        result = m.simulate(0.1, scheme="runge_kutta_4", step=1e-5)
        assert result[ball.velocity.z].last / v == pytest.approx(1 - a * v, abs=1.5 * (a * v) ** 2)


@pytest.mark.parametrize("scheme", ["generalized_alpha", "dormand_prince", "moreau_jean"])
def test_a_pile_rests_at_the_depth_that_carries_it(scheme):
    m = sl.Model()
    floor = m.plane(name="floor")
    balls = [m.sphere(radius=0.1, mass=1.0 + i, at=(0, 0, 0.1 + 0.2 * i)) for i in range(2)]
    touch = m.contact([floor, *balls], stiffness=1e5, damping=2.0, friction=0.3)
    step = {"step": 1e-3} if scheme == "generalized_alpha" else {}
    result = m.simulate(3.0, scheme=scheme, **step)
    low, high = ((weight * G / 1e5) ** (2 / 3) for weight in (3.0, 2.0))
    assert 0.1 - result[balls[0].position.z].last == pytest.approx(low, rel=1e-3)
    assert result[balls[0].position.z].last + 0.2 - result[balls[1].position.z].last == pytest.approx(high, rel=1e-3)
    assert result[touch.points].last == 2 and result[touch.depth].last == pytest.approx(low, rel=1e-3)


def test_the_limit_of_a_stiff_contact_is_the_law():
    def way(**contact):
        m, ball, _ = drop(**contact)
        scheme = {} if "stiffness" not in contact else {"scheme": "dormand_prince", "tolerance": 1e-9}
        return m.simulate(0.35, step=1e-4 if not scheme else None, **scheme)[ball.position.z].last

    exact = way(restitution=1.0)
    errors = [abs(way(model="hertz", stiffness=k, damping=0.0, friction=0.2) - exact) for k in (1e5, 1e7, 1e9)]
    assert errors[1] < 0.3 * errors[0] and errors[2] < 0.3 * errors[1]  # the time of contact goes with K^(-2/5)


def test_friction_slows_what_slides_and_holds_what_rests():
    m = sl.Model()
    floor = m.plane(name="floor")
    box = m.box(size=(0.2, 0.2, 0.2), mass=2.0, at=(0, 0, 0.1), velocity=(1, 0, 0))
    touch = m.contact([floor], [box], stiffness=1e6, exponent=1.0, damping=1.0, friction=0.4, slip_speed=1e-4)
    result = m.simulate(0.1, scheme="generalized_alpha", step=2e-4)
    assert result[box.velocity.x].last == pytest.approx(1 - 0.4 * G * 0.1, abs=5e-3)
    result = m.simulate(0.5, scheme="generalized_alpha", step=2e-4)
    assert abs(result[box.velocity.x].last) < 1e-3 and result[touch.force.z].last == pytest.approx(2 * G, rel=1e-2)


@pytest.mark.parametrize("run", [dict(scheme="dormand_prince"), dict(scheme="runge_kutta_4", step=1e-2), dict(scheme="generalized_alpha", step=1e-2)])
def test_a_bullet_does_not_pass_a_plate_unseen(run):
    m = sl.Model(gravity=(0, 0, 0))
    plate = m.box(size=(1, 1, 0.01), mass=1.0, at=(0, 0, 0), name="plate")
    m.fixed(m.ground, plate)
    ball = m.sphere(radius=0.01, mass=0.01, at=(0, 0, 0.5), velocity=(0, 0, -50), name="ball")
    m.contact([plate], [ball], stiffness=1e9, damping=0.001, friction=0.1)
    result = m.simulate(0.03, **run)
    assert result[ball.position.z].last > 0.0 and result[ball.velocity.z].last > 20.0


def test_it_stands_in_the_model_file(tmp_path):
    m, ball, _ = drop(stiffness=1e6, damping=0.2, friction=0.1)
    m.save(tmp_path / "m.json")
    a, b = (model.simulate(0.3, scheme="runge_kutta_4", step=1e-4) for model in (m, sl.Model.load(tmp_path / "m.json")))
    assert np.array_equal(a["ball.position"].values, b["ball.position"].values)


@pytest.mark.parametrize("keyword, value", [("stiffness", 2e5), ("model", "hertz"), ("exponent", 1.2), ("damping", 0.3), ("slip_speed", 1e-2), ("friction", 0.2)])
def test_an_assigned_keyword_gives_the_model_built_with_it(keyword, value):
    given = dict(stiffness=1e5, friction=0.1, damping=0.1)
    m, _, touch = drop(**given)
    setattr(touch, keyword, value)
    assert m._engine.text() == drop(**{**given, keyword: value})[0]._engine.text()


def test_without_damping_and_friction_it_is_said():
    with pytest.warns(sl.ModelWarning, match="has a stiffness, no damping and no friction: what bounces keeps its energy; give damping="):
        drop(stiffness=1e6)


@pytest.mark.parametrize(
    "contact, message",
    [
        (dict(model="hertz"), "connectors/touch/stiffness: is not given beside model"),
        (dict(stiffness=1e6, restitution=0.5), "connectors/touch/restitution: is 0.5 beside a stiffness"),
        (dict(stiffness=1e6, friction=0.1, law="newton_impact"), "a force and no law"),
        (dict(stiffness=-1.0, friction=0.1), "stiffness.*must be above 0"),
        (dict(stiffness=1e6, friction=0.1, exponent=0.5), "below 1 the force would begin with infinite stiffness"),
        (dict(stiffness=1e6, friction=0.1, model="hunt"), "model"),
    ],
)
def test_mistakes_are_named(contact, message):
    with pytest.raises(sl.ModelError, match=message):
        drop(**contact)[0].simulate(0.01)
