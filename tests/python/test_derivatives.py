"""Derivatives of a motion by its start and by parameters, against closed forms; through an impact, too."""

import math
import re

import numpy as np
import pytest

import saltus as sl

K, MASS, AWAY = 40.0, 2.0, 0.1


def oscillator():
    m = sl.Model(gravity=(0, 0, 0))
    m.parameters = {"k": K}
    cart = m.sphere(radius=0.1, mass=MASS, at=(1, 0, 0), displacement=(AWAY, 0, 0), name="cart")
    m.prismatic(m.ground, cart, axis="x")
    m.spring(m.ground, cart, stiffness="k", rest_length=1)
    m.outputs["x"] = cart.displacement.x
    return m


def ball(e=0.7, h=1.0, at=(0.0, 0.0)):
    m = sl.Model()
    m.parameters = {"rebound": e, "u": 0.0}
    b = m.sphere(radius=0.1, mass=2.0, at=(*at, h + 0.1), name="ball")
    m.contact(m.plane(), b, restitution="rebound")
    m.force(b, ("u", 0, 0))
    m.outputs = {"height": b.position.z, "place": b.position}
    return m


def test_an_oscillator_has_the_derivatives_of_its_closed_form():
    w, t = math.sqrt(K / MASS), 0.8
    d = oscillator().derivatives(t, outputs=["x"], parameters=["k"])
    assert d.sizes == (1, 1, 0) and d.values == pytest.approx([AWAY * math.cos(w * t)], rel=1e-8)
    assert d["x", "k"] == pytest.approx(-AWAY * t * math.sin(w * t) / (2 * math.sqrt(K * MASS)), rel=1e-6)
    exact = np.array([[math.cos(w * t), math.sin(w * t) / w], [-w * math.sin(w * t), math.cos(w * t)]])
    assert np.abs(np.abs(d.transition) - np.abs(exact)).max() < 1e-5  # a move may point either way
    assert np.linalg.det(d.transition) == pytest.approx(1.0, abs=1e-5)  # of phase space
    assert np.abs(d.by_start) == pytest.approx(np.abs(exact[:1]), abs=1e-5)


@pytest.mark.parametrize("at", [(0.0, 0.0), (300.0, -200.0)])
def test_the_derivative_goes_through_an_impact(at):
    e, h, g, t = 0.7, 1.0, 9.81, 0.7
    hit = math.sqrt(2 * h / g)
    d = ball(e, h, at).derivatives(t, outputs=["height", "place"], parameters=["rebound", "u"])
    assert d.values[0] == pytest.approx(0.1 + e * g * hit * (t - hit) - 0.5 * g * (t - hit) ** 2, abs=1e-8)
    assert d["height", "rebound"] == pytest.approx(g * hit * (t - hit), rel=1e-5)
    assert d["place", "u"] == pytest.approx((t**2 / (2 * 2.0), 0, 0), abs=1e-6)
    fall = (e * (t - hit) - e * hit + (t - hit)) / hit  # by the height from which it falls
    assert np.abs(d.by_start[0]).max() >= abs(fall) - 1e-4
    assert d.by_start.shape == (4, 12) and d.runs == 1 + 2 * 12 + 2 * 2


def test_a_part_of_a_motion_begins_where_a_result_is():
    m = oscillator()
    w, begins, ends = math.sqrt(K / MASS), 0.3, 0.5
    d = m.derivatives(ends, outputs=["x"], parameters=["k"], start=(m.simulate(until=1.0), begins))
    x0, v0, t = AWAY * math.cos(w * begins), -AWAY * w * math.sin(w * begins), ends - begins
    by_w = -x0 * t * math.sin(w * t) + v0 * (t * math.cos(w * t) / w - math.sin(w * t) / w**2)
    assert d["x", "k"] == pytest.approx(by_w * 0.5 / math.sqrt(K * MASS), rel=1e-4)
    assert m.parameters == {"k": K}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda m: m.derivatives(1, outputs=["x"], parameters=["kk"]), "derivatives/parameters: has 'kk', which the model has not; did you mean \"k\"?"),
        (lambda m: m.derivatives(1, outputs="x"), "derivatives/outputs: is 'x', expected a list"),
        (lambda m: m.derivatives(-1, outputs=["x"]), "derivatives/until: is -1 s, must be above 0"),
        (lambda m: m.derivatives(0.1, outputs=["x"], start=m.simulate(until=0.2)), "derivatives/until: is 0.1 s, and the motion begins at 0.2 s"),
        (lambda m: m.derivatives(0.1, outputs=["x"], parameters=["k"])["x", "c"], "derivatives/c: is not a parameter of them; they have k"),
    ],
)
def test_mistakes_are_named(call, message):
    with pytest.raises(sl.ModelError, match=re.escape(message)):
        call(oscillator())


def test_a_motion_from_within_a_run_goes_on_with_what_the_run_remembers():
    m = sl.Model()
    m.parameters = {"b": 1.0}
    rod = m.rod((0, 0, 0), (1, 0, 0), mass=1.0, name="rod")
    hinge = m.revolute(m.ground, rod, at=(0, 0, 0), axis="y", torque="b*8*sin(3*t)", friction=sl.Plastic(2.0, kinematic=0.5, isotropic=0.5), name="hinge")
    m.outputs["angle"] = hinge.angle
    options = {"scheme": "moreau_jean", "step": 1e-3}
    whole = m.simulate(1.0, **options)
    d = m.derivatives(1.0, outputs=["angle"], parameters=["b"], start=m.simulate(0.45, **options), **options)
    assert d.values == pytest.approx([whole["hinge.angle"].last], abs=1e-9)


def plastic(load="a*sin(3*t)"):
    m = sl.Model(gravity=(0, 0, 0))
    m.parameters = {"a": 3.0}
    rod = m.rod((0, 0, 0), (1, 0, 0), mass=1.0, name="rod")
    m.revolute(m.ground, rod, at=(0, 0, 0), axis="y", torque=load, friction=sl.Plastic(2.0, kinematic=0.5, isotropic=0.5), name="hinge")
    m.outputs["angle"] = m["hinge"].angle
    return m


def test_a_plastic_hinge_has_derivatives_without_a_word_of_the_scheme():
    m = plastic()
    d = m.derivatives(0.6, outputs=["angle"], parameters=["a"])
    ends = []
    for a in (2.97, 3.03):
        m.parameters["a"] = a
        ends.append(m.simulate(0.6, scheme="moreau_jean", step=1e-3)["hinge.angle"].last)
    assert d["angle", "a"] == pytest.approx((ends[1] - ends[0]) / 0.06, rel=1e-2) and d["angle", "a"] > 0.01


def test_at_the_edge_of_its_range_a_parameter_has_one_sided_derivatives():
    h, g, t = 1.0, 9.81, 0.7
    hit = math.sqrt(2 * h / g)
    d = ball(1.0, h).derivatives(t, outputs=["height"], parameters=["rebound"])
    assert d.one_sided == ("rebound",)
    assert d["height", "rebound"] == pytest.approx(g * hit * (t - hit), rel=1e-4)
    assert ball(0.5, h).derivatives(t, outputs=["height"], parameters=["rebound"]).one_sided == ()
