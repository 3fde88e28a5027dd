"""Shapes on bodies and on the ground (`m.shape`), and scenes made of them."""

import math

import numpy as np
import pytest

import saltus as sl

G = 9.81


def test_a_ball_slides_down_a_wall_that_stands_still():
    slope = 0.2
    m = sl.Model()
    ramp = m.shape("box", m.ground, size=(4, 1, 0.1), rotation=(0, slope, 0), name="ramp")
    up = np.array((math.sin(slope), 0, math.cos(slope)))
    ball = m.sphere(radius=0.1, mass=1, at=0.15 * up, name="ball")
    m.contact(ramp, ball)
    r = m.simulate(0.5, step=1e-3)
    down = np.array((math.cos(slope), 0, -math.sin(slope)))
    np.testing.assert_allclose(r["ball.velocity"].last, 0.5 * G * math.sin(slope) * down, atol=1e-9)
    assert np.abs(np.asarray(r["ball.position"]) @ up - 0.15).max() < 1e-9


def test_a_dumbbell_lies_on_both_of_its_balls():
    # Two balls of 0.1 and 0.2 m, 1 m apart, on one body: it lies at the slope of their tangent.
    m = sl.Model()
    body = m.body(mass=2, inertia=(0.02, 0.5, 0.5), at=(0, 0, 0.5), name="bar")
    balls = [m.shape("sphere", body, radius=0.1, at=(-0.5, 0, 0.5)), m.shape("sphere", body, radius=0.2, at=(0.5, 0, 0.5))]
    m.contact(m.plane(), balls, friction=0.4)
    r = m.simulate(3.0, step=1e-3)
    R = np.asarray(r["bar.rotation_matrix"].last).reshape(3, 3)
    assert R[2, 0] == pytest.approx(0.1, abs=1e-6)  # rises by 0.1 in 1 m
    assert r["bar.position.z"].last == pytest.approx(0.15, abs=1e-6)


def test_a_shape_is_read_from_a_file_as_it_was_made(tmp_path):
    m = sl.Model()
    body = m.body(mass=2, inertia=(1, 1, 1), at=(0, 0, 1), rotation=(0, 0, 0.5), name="b")
    m.shape("box", body, size=(1, 2, 3), at=(1, 0, 1), rotation=(0.1, 0, 0), name="side")
    m.shape("sphere", m.ground, radius=0.3, at=(5, 0, 0), name="stone")
    m.save(tmp_path / "m.json")
    again = sl.Model.load(tmp_path / "m.json")
    for name in ("side", "stone"):
        assert again[name].shape == m[name].shape
        for one, other in zip(again[name].reference, m[name].reference):
            np.testing.assert_allclose(one, other, atol=1e-15)
    again.contact(again["stone"], again["side"])  # it is a shape still
    np.testing.assert_allclose(again.simulate(0.1)["b.position"].last, m.simulate(0.1)["b.position"].last)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (dict(kind="bx", size=(1, 1, 1)), "'bx', which is no shape.*box"),
        (dict(kind="box"), "size: is missing; a box has size"),
        (dict(kind="box", size=(1, 1, 1), radius=2), "radius: is 2, which a box does not have"),
        (dict(kind="box", size=(1, -1, 1)), "size.*above 0"),
        (dict(kind="plane"), "'plane', which is no shape"),
        (dict(kind="sphere", radius=1, on="floor"), "floor, a shape itself"),
        (dict(kind="sphere", radius=float("nan")), "nan"),
    ],
)
def test_a_wrong_shape_is_refused(call, words):
    with pytest.raises(sl.ModelError, match=words):
        m = sl.Model()
        m.plane(name="floor")
        m.shape(**{"on": m.ground, **call})
        m.simulate(0.1)
