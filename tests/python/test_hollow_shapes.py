"""The inside of cylinders and spheres, and many groups: against closed forms."""

import math

import numpy as np
import pytest

import saltus as sl

g = 9.81


@pytest.mark.parametrize("kind", ["hollow_sphere", "hollow_cylinder"])
@pytest.mark.parametrize("planar", [False, True])
def test_a_ball_slides_in_a_bowl_as_a_pendulum(kind, planar):
    if planar and kind == "hollow_sphere":
        pytest.skip("the inside of a circle is that of a cylinder")
    R, r, tilt = 1.0, 0.1, 0.3
    m = sl.Model(planar=planar, gravity=(0, -g, 0) if planar else (0, 0, -g))
    swing = R - r
    at = (swing * math.sin(tilt), -swing * math.cos(tilt)) if planar else (swing * math.sin(tilt), 0, -swing * math.cos(tilt))
    bowl = m.shape(kind, m.ground, radius=R, name="bowl", **({} if planar else {"rotation": (0.5 * math.pi, 0, 0)}))
    ball = m.sphere(radius=r, mass=1.0, at=at, name="ball")
    m.contact([bowl], [ball], name="slide")
    pendulum = sl.Model()
    bob = pendulum.point_mass(mass=1.0, at=(swing * math.sin(tilt), 0, -swing * math.cos(tilt)), name="bob")
    pendulum.distance(pendulum.ground, bob)
    r1, r2 = m.simulate(2.0, step=5e-4), pendulum.simulate(2.0, tolerance=1e-10)
    height = "y" if planar else "z"
    assert r1["ball.position.x"].last == pytest.approx(r2["bob.position.x"].last, abs=2e-4)
    assert r1[f"ball.position.{height}"].last == pytest.approx(r2["bob.position.z"].last, abs=1e-4)


def test_a_box_slides_in_a_drum_where_the_slope_is_the_coefficient_of_friction():
    mu, R, edge = 0.4, 0.5, 0.1
    m = sl.Model()
    drum = m.body(mass=10.0, inertia=(1, 1, 1), angular_velocity=(0, 0.5, 0), name="drum")
    m.revolute(m.ground, drum, at=(0, 0, 0), axis="y", speed=0.5)
    inside = m.shape("hollow_cylinder", drum, radius=R, rotation=(0.5 * math.pi, 0, 0), name="inside")
    box = m.box(size=(edge, edge, edge), mass=1.0, at=(0, 0, -math.sqrt(R**2 - 0.25 * edge**2) + 0.5 * edge), name="box")
    m.contact([inside], [box], friction=mu)
    result = m.simulate(6.0, step=1e-3)
    t, x, z = (np.asarray(series) for series in (result.time, result["box.position.x"], result["box.position.z"]))
    slope = np.abs(np.arctan2(np.abs(x), -z))[t > 3.0]
    # Two rows of corners at angles beta beside it slide: forces along and across, and their moment about the axis. It swings about that place, for friction does not damp.
    c = 0.5 * edge
    share = (math.sqrt(R**2 - c**2) - c) * math.cos(math.asin(c / R)) / R
    assert slope.mean() == pytest.approx(math.atan2(1.0, share / mu + mu * (share - 1.0)), abs=0.01)


def test_corners_and_ends_stay_inside_a_sphere():
    m = sl.Model()
    bowl = m.shape("hollow_sphere", m.ground, radius=1.0, at=(3, 2, 1), name="bowl")
    box = m.box(size=(0.3, 0.4, 0.5), mass=1.0, at=(3.2, 2, 1), rotation=(0.4, 0.2, 0.1), velocity=(1, 2, 0), name="box")
    rod = m.capsule(radius=0.1, length=0.4, mass=1.0, at=(2.6, 2, 1), velocity=(0, -1, 1), name="rod")
    m.contact([bowl], [box, rod], friction=0.2, restitution=0.5)
    m.contact([box], [rod], friction=0.2)
    r = m.simulate(1.5, step=1e-3)
    for name, ends, radius in (("box", [(sx * 0.15, sy * 0.2, sz * 0.25) for sx in (-1, 1) for sy in (-1, 1) for sz in (-1, 1)], 0.0), ("rod", [(0, 0, -0.2), (0, 0, 0.2)], 0.1)):
        p, R = np.asarray(r[f"{name}.position"].values), np.asarray(r[f"{name}.rotation"].values)
        turns = [sl.Rotation.of_vector(v) for v in R]
        for end in ends:
            out = np.array([np.linalg.norm(x + np.asarray(T @ np.array(end)) - (3, 2, 1)) for x, T in zip(p, turns)]) + radius - 1.0
            assert out.max() < 2e-3 and out[-1] < 1e-6  # an impact is found at the middle of its step, at 3 m/s


def test_a_hundred_groups_and_a_hundred_exclusions():
    m = sl.Model()
    floor = m.plane(name="floor")
    balls = [m.sphere(radius=0.1, mass=1.0, at=(0.5 * i, 0, 0.1), velocity=(1.0, 0, 0), name=f"b{i}") for i in range(100)]
    for i, ball in enumerate(balls):
        m.contact([floor], [ball, balls[i - 1]] if i else [ball], friction=0.005 * i, name=f"c{i}")
    lost = m.sphere(radius=0.1, mass=1.0, at=(0, 5, 0.1), name="lost")
    m.contact([floor], [lost], name="vain")
    for i in range(80):
        m.no_contact(*(([floor], [lost]) if i == 79 else ([balls[i]], [balls[i + 1]])), name=f"n{i}")
    forces = [m.contact_force(floor, ball, name=f"f{i}") for i, ball in enumerate(balls)]
    r = m.simulate(0.1, step=1e-3)
    for i in (0, 30, 63, 64, 65, 80, 98):  # the first group that names a pair has it: that of its own number
        assert r[f"b{i}.velocity.x"].last == pytest.approx(max(0.0, 1.0 - 0.005 * i * g * 0.1), abs=2e-3) if i < 40 else True
        assert r[forces[i].force.z].last == pytest.approx(g, rel=1e-6)
    assert r["lost.position.z"].last == pytest.approx(0.1 - 0.5 * g * 0.01, abs=1e-6)


def test_what_does_not_fit_inside_is_refused_by_name():
    m = sl.Model()
    bowl = m.shape("hollow_sphere", m.ground, radius=1.0, name="bowl")
    other = m.shape("hollow_sphere", m.body(mass=1.0, inertia=(1, 1, 1)), radius=0.5, name="other")
    m.contact([bowl], [other])
    with pytest.raises(sl.ModelError, match="hollow"):
        m.simulate(0.1, step=1e-2)
    with pytest.raises(sl.ModelError, match="radius"):
        m2 = sl.Model()
        m2.contact([m2.shape("hollow_cylinder", m2.ground, radius=-1.0)], [m2.sphere(radius=0.1, mass=1.0)])
        m2.simulate(0.1, step=1e-2)
