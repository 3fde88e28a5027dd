"""Cylinders, cones, ellipsoids and meshes in hollow shapes and on formulas: against closed forms and energy."""

import math

import numpy as np
import pytest

import saltus as sl

g = 9.81
CUBE = np.array([(x, y, z) for x in (-0.1, 0.1) for y in (-0.1, 0.1) for z in (-0.1, 0.1)])
SIDES = [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)]


def formula_of_a_plane(m, tilt):
    return m.shape("implicit_surface", m.ground, distance="z", size=(8, 4, 4), rotation=(0.0, tilt, 0.0), name="floor")


@pytest.mark.parametrize("given", ["hollow", "planar", "formula"])
def test_a_cylinder_rolls_inside_a_cylinder_as_a_pendulum_of_two_thirds_of_its_weight(given):
    R, r, tilt = 1.0, 0.2, 0.4
    planar = given == "planar"
    m = sl.Model(planar=planar)
    side, down = (R - r) * math.sin(tilt), -(R - r) * math.cos(tilt)
    if planar:
        ring = m.shape("hollow_cylinder", m.ground, radius=R)
        disc = m.cylinder(radius=r, length=0.3, mass=2.0, at=(side, down), name="disc")
    else:
        turn = {"rotation": (0.5 * math.pi, 0, 0)}
        ring = m.shape("hollow_cylinder", m.ground, radius=R, **turn) if given == "hollow" else m.shape("implicit_surface", m.ground, distance="1 - sqrt(x^2 + y^2 + 1e-12)", size=(3, 3, 3), **turn)
        disc = m.cylinder(radius=r, length=0.3, mass=2.0, at=(side, 0, down), axis="y", name="disc")
    m.contact([ring], [disc], friction=0.9)
    pendulum = sl.Model(gravity=(0, 0, -2 / 3 * g))
    bob = pendulum.point_mass(mass=1.0, at=(side, 0, down), name="bob")
    pendulum.distance(pendulum.ground, bob)
    r1, r2 = m.simulate(2.0, step=5e-4), pendulum.simulate(2.0, tolerance=1e-10)
    assert r1["disc.position.x"].last == pytest.approx(r2["bob.position.x"].last, abs=3e-4)
    assert r1[f"disc.position.{'y' if planar else 'z'}"].last == pytest.approx(r2["bob.position.z"].last, abs=3e-4)
    energy = np.asarray(r1["energy.total"])
    assert np.abs(energy - energy[0]).max() < 2e-3 * 2.0 * g * (R - r) * (1 - math.cos(tilt))


@pytest.mark.parametrize("given", ["hollow", "formula"])
def test_an_ellipsoid_rocks_in_a_bowl_and_rests_at_its_bottom(given):
    # It turns about the place of contact: a way k of this a radian, of its radius of curvature and that of the bowl.
    R, (a, b, c), spin = 1.0, (0.3, 0.25, 0.2), 0.05
    k = 1.0 / (c / a**2 - 1.0 / R)
    rate = math.sqrt(g * (k - c) / ((a**2 + c**2) / 5 + c**2))

    def run(spin):
        m = sl.Model()
        bowl = m.shape("hollow_sphere", m.ground, radius=R) if given == "hollow" else m.shape("implicit_surface", m.ground, distance="1 - sqrt(x^2 + y^2 + z^2 + 1e-12)", size=(3, 3, 3))
        stone = m.ellipsoid(size=(2 * a, 2 * b, 2 * c), mass=1.5, at=(0, 0, c - R), velocity=(spin * c, 0, 0), angular_velocity=(0, spin, 0), name="stone")
        m.contact([bowl], [stone], friction=0.9, name="touch")
        return m.simulate(1.0, step=5e-4)

    moved, still = run(spin), run(0.0)
    angle = np.asarray(moved["stone.rotation.y"])
    assert np.abs(angle - spin / rate * np.sin(rate * np.asarray(moved.time))).max() < 5e-3 * spin / rate
    assert np.abs(np.asarray(still["stone.position"]) - (0, 0, c - R)).max() < 1e-9
    assert still["touch.force.z"].last == pytest.approx(1.5 * g, rel=1e-6)


@pytest.mark.parametrize("kind", ["cylinder", "cone", "mesh"])
def test_what_stands_on_the_formula_of_an_incline_slides_down_at_the_rate_of_its_friction(kind):
    tilt, mu = 0.4, 0.2
    up, turn = np.array((math.sin(tilt), 0, math.cos(tilt))), (0.0, tilt, 0.0)
    m = sl.Model()
    floor = formula_of_a_plane(m, tilt)
    if kind == "mesh":
        body = m.mesh((CUBE, SIDES), mass=1.0, at=0.1 * up, rotation=turn, name="body")
    elif kind == "cone":
        body = m.cone(radius=0.2, height=0.2, mass=1.0, at=0.05 * up, axis=up, name="body")
    else:
        body = m.cylinder(radius=0.2, length=0.2, mass=1.0, at=0.1 * up, axis=up, name="body")
    m.contact([floor], [body], friction=mu)
    r = m.simulate(0.6, step=1e-3)
    way = (np.asarray(r["body.position"])[-1] - np.asarray(r["body.position"])[0]) @ np.array((math.cos(tilt), 0, -math.sin(tilt)))
    assert way == pytest.approx(0.5 * g * (math.sin(tilt) - mu * math.cos(tilt)) * 0.6**2, rel=3e-3)
    assert np.abs(np.asarray(r["body.angular_velocity"])).max() < 1e-6


def test_a_cylinder_rolls_down_the_formula_of_an_incline():
    tilt = 0.3
    m = sl.Model()
    floor = formula_of_a_plane(m, tilt)
    wheel = m.cylinder(radius=0.2, length=0.3, mass=1.0, at=(0.2 * math.sin(tilt), 0, 0.2 * math.cos(tilt)), axis="y", name="wheel")
    m.contact([floor], [wheel], friction=0.8)
    r = m.simulate(0.8, step=1e-3)
    assert r["wheel.position.x"].last - 0.2 * math.sin(tilt) == pytest.approx(g / 3 * math.sin(tilt) * math.cos(tilt) * 0.8**2, rel=3e-3)


def test_a_cube_of_triangles_falls_in_a_bowl_as_a_box():
    def run(triangles):
        m = sl.Model()
        bowl = m.shape("hollow_sphere", m.ground, radius=0.5)
        start = {"mass": 1.0, "at": (0.1, 0.05, 0), "rotation": (0.3, 0.2, 0.1), "name": "body"}
        body = m.mesh((CUBE, SIDES), **start) if triangles else m.box(size=(0.2, 0.2, 0.2), **start)
        m.contact([bowl], [body], friction=0.3)
        return m.simulate(0.5, step=1e-3)

    r1, r2 = run(True), run(False)
    assert np.asarray(r1["body.position"]) == pytest.approx(np.asarray(r2["body.position"]), abs=1e-7)


def test_all_of_them_stay_above_waves_and_lose_energy():
    m = sl.Model()
    ground = m.shape("implicit_surface", m.ground, distance="z - 0.05*sin(6*x)*cos(5*y)", size=(6, 6, 1))
    bodies = [
        m.cylinder(radius=0.15, length=0.3, mass=1.0, at=(-1, 0.1, 0.4), axis=(1, 0.3, 0.5)),
        m.cone(radius=0.2, height=0.3, mass=1.0, at=(0, 0.1, 0.4), axis=(0.2, 0.3, 1)),
        m.ellipsoid(size=(0.5, 0.3, 0.2), mass=1.0, at=(1, 0.1, 0.4), rotation=(0.3, 0.5, 0)),
        m.mesh((CUBE, SIDES), mass=1.0, at=(0, 1, 0.4), rotation=(0.3, 0.5, 0)),
    ]
    m.contact([ground], bodies, friction=0.6)
    r = m.simulate(1.5, step=2e-3)
    energy = np.asarray(r["energy.total"])
    assert np.diff(energy).max() < 1e-2 and energy[-1] < energy[0]
    for body in bodies:
        gaps = [c.gap for t in np.linspace(0.0, 1.5, 31) for c in r.contacts(t) if body.name in (c.A, c.B)]
        assert min(gaps, default=0.0) > -0.02
        p = np.asarray(r[body.position])[-1]
        assert p[2] > 0.05 * math.sin(6 * p[0]) * math.cos(5 * p[1])


def test_what_cannot_touch_is_named():
    m = sl.Model()
    bowl = m.shape("hollow_sphere", m.body(mass=1.0, inertia=(1, 1, 1)), radius=1.0, name="bowl")
    m.contact([m.plane(name="floor")], [bowl], name="touch")
    with pytest.raises(sl.ModelError, match="hollow shapes and implicit surfaces none of these"):
        m.simulate(0.1, step=1e-2)
