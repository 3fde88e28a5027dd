"""Solids given by a formula: against planes, pendulums and energy."""

import math

import numpy as np
import pytest

import saltus as sl
from saltus.view.container import unpacked
from saltus.view.shows import scene

g = 9.81


def test_a_ball_rolls_on_the_formula_of_a_plane_as_on_a_plane():
    def run(formula):
        m = sl.Model()
        turn = (0.0, 0.3, 0.0)
        floor = m.shape("implicit_surface", m.ground, distance="z", size=(8, 4, 4), rotation=turn, at=(0, 0, 0)) if formula else m.plane(rotation=turn)
        ball = m.sphere(radius=0.1, mass=1.0, at=(0.1 * math.sin(0.3), 0, 0.1 * math.cos(0.3)), name="ball", velocity=(0, 0.2, 0))
        m.contact([floor], [ball], friction=0.6)
        r = m.simulate(0.8, step=1e-3)
        return np.asarray(r["ball.position"]), np.asarray(r["ball.angular_velocity"])

    for a, b in zip(run(True), run(False), strict=True):
        assert a == pytest.approx(b, abs=1e-9)
    assert run(True)[0][-1, 0] == pytest.approx(0.1 * math.sin(0.3) + 0.5 * 5 / 7 * g * math.sin(0.3) * math.cos(0.3) * 0.8**2, rel=1e-3)


@pytest.mark.parametrize("scheme", ["moreau_jean", "nonsmooth_generalized_alpha"])
def test_a_ball_slides_in_a_bowl_of_a_formula_as_a_pendulum(scheme):
    swing, r, tilt = 0.9, 0.1, 0.3
    m = sl.Model()
    bowl = m.shape("implicit_surface", m.ground, distance="1 - sqrt(x^2 + y^2 + z^2 + 1e-12)", size=(3, 3, 3), at=(5, -2, 1))
    ball = m.sphere(radius=r, mass=1.0, at=(5 + swing * math.sin(tilt), -2, 1 - swing * math.cos(tilt)))
    m.contact([bowl], [ball])
    pendulum = sl.Model()
    bob = pendulum.point_mass(mass=1.0, at=(swing * math.sin(tilt), 0, -swing * math.cos(tilt)))
    pendulum.distance(pendulum.ground, bob)
    r1, r2 = m.simulate(2.0, step=5e-4, scheme=scheme), pendulum.simulate(2.0, tolerance=1e-10)
    assert r1[ball.position.x].last - 5 == pytest.approx(r2[bob.position.x].last, abs=2e-4)
    assert r1[ball.position.z].last - 1 == pytest.approx(r2[bob.position.z].last, abs=1e-4)


def test_a_box_on_waves_rocks_loses_energy_and_stays_above():
    m = sl.Model()
    ground = m.shape("implicit_surface", m.ground, distance="z - 0.05*sin(6*x)*cos(5*y)", size=(4, 4, 1))
    box = m.box(size=(0.5, 0.4, 0.3), mass=2.0, at=(0.2, 0.1, 0.3), rotation=(0.1, 0.2, 0.3))
    m.contact([ground], [box], friction=0.9)
    r = m.simulate(3.0, step=2e-3)
    energy = np.asarray(r["energy.total"])
    assert np.diff(energy).max() < 1e-2 and energy[-1] < 0.75 * energy[0]
    corners = np.array([(x, y, z) for x in (-0.25, 0.25) for y in (-0.2, 0.2) for z in (-0.15, 0.15)])
    places = np.asarray(r[box.position])[:, None] + np.einsum("tij,kj->tki", np.asarray(r[box.rotation_matrix]).reshape(-1, 3, 3), corners)
    height = places[..., 2] - 0.05 * np.sin(6 * places[..., 0]) * np.cos(5 * places[..., 1])
    assert height.min() > -5e-3 and height[-500:].min() > -1e-4
    assert all(c.normal[2] > 0.9 for c in r.contacts(3.0))


def test_it_moves_with_its_body_and_is_drawn_and_stored(tmp_path):
    m = sl.Model(gravity=(0, 0, 0))
    ring = m.body(mass=1.0, inertia=(1, 1, 1), velocity=(1, 0, 0), name="ring")
    torus = m.shape("implicit_surface", ring, distance="sqrt((sqrt(x^2 + y^2) - 1)^2 + z^2) - 0.2", size=(3, 3, 1))
    ball = m.sphere(radius=0.2, mass=1.0, at=(2.0, 0, 0), name="ball")
    m.contact([torus], [ball], restitution=1.0)
    r = m.simulate(1.5, step=1e-3)
    assert r["ring.velocity.x"].last == pytest.approx(0, abs=1e-9) and r["ball.velocity.x"].last == pytest.approx(1, abs=1e-9)
    m.save(tmp_path / "ring.yaml")
    again = sl.Model.load(tmp_path / "ring.yaml").simulate(1.5, step=1e-3)
    assert np.array_equal(np.asarray(again["ball.position"]), np.asarray(r["ball.position"]))
    drawn = next(s for s in unpacked(scene(r))[0]["bodies"] if s["kind"] == "mesh")
    x, y, z = np.array(drawn["points"]).T
    assert len(x) > 200 and np.abs((np.hypot(x, y) - 1) ** 2 + z**2 - 0.04).max() < 0.01


def test_the_inside_of_a_cylinder_is_asked_as_what_it_is():
    m = sl.Model()
    pipe = m.shape("hollow_cylinder", m.ground, radius=1.0)
    ball = m.sphere(radius=0.2, mass=1.0, at=(0.3, 0.4, 7.0))
    assert sl.queries.distance(pipe, ball).gap == pytest.approx(0.3, abs=1e-14)


def test_mistakes_are_named():
    m = sl.Model()
    ball = m.sphere(radius=0.2, mass=1.0, at=(0, 0, 1))
    with pytest.raises(sl.ModelError, match=r"markers/shape_1/distance: is missing"):
        m.shape("implicit_surface", m.ground, size=(1, 1, 1))
    above = m.shape("implicit_surface", m.ground, distance="z^2 + 1", size=(1, 1, 1), name="above")
    m.contact([above], [ball], name="touch")
    with pytest.raises(sl.ModelError, match=r"markers/above.*nowhere negative"):
        m.simulate(0.1)
    m = sl.Model()
    pipe = m.shape("hollow_cylinder", m.body(mass=1.0, inertia=(1, 1, 1)), radius=1.0, name="pipe")
    ball = m.sphere(radius=0.2, mass=1.0, at=(0, 0, 1))
    floor = m.shape("implicit_surface", m.ground, distance="z", size=(1, 1, 1), name="floor")
    m.contact([floor], [pipe], name="touch")
    with pytest.raises(sl.ModelError, match="a hollow cylinder, which cannot touch"):
        m.simulate(0.1)
    with pytest.raises(sl.ModelError, match="floor, the solid of a formula"):
        sl.queries.distance(floor, ball)
