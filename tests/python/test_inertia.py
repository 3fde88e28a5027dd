"""Inertia of solids, hollow bodies and meshes; moved, turned, added: closed forms and each other."""

import math

import numpy as np
import pytest

import saltus as sl

CUBE = np.array([[x, y, z] for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)])
SQUARES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
FACES = np.array([face for a, b, c, d in SQUARES for face in ((a, b, c), (a, c, d))])


def same(a, b, tolerance=1e-13):
    assert math.isclose(a.mass, b.mass, rel_tol=tolerance)
    size = np.abs(b.about()).max()
    assert np.allclose(a.center, b.center, rtol=0, atol=tolerance * max(1.0, np.abs(b.center).max()))
    assert np.allclose(a.matrix, b.matrix, rtol=0, atol=tolerance * size)


def test_solids_have_the_moments_of_textbooks():
    assert np.allclose(np.diag(sl.Inertia.box(size=(1, 2, 3), mass=12).matrix), (13, 10, 5))
    assert np.allclose(np.diag(sl.Inertia.sphere(radius=2, mass=5).matrix), 8)
    assert np.allclose(np.diag(sl.Inertia.sphere(radius=2, inner=1, mass=5).matrix), 0.4 * 5 * (32 - 1) / (8 - 1))
    tube = sl.Inertia.cylinder(radius=0.5, inner=0.4, length=3, density=7800)
    m = 7800 * math.pi * (0.25 - 0.16) * 3
    assert math.isclose(tube.mass, m, rel_tol=1e-14)
    assert np.allclose(np.diag(tube.matrix), (m * (3 * 0.41 + 9) / 12, m * (3 * 0.41 + 9) / 12, 0.5 * m * 0.41), rtol=1e-13)
    capsule = sl.Inertia.capsule(radius=0.2, length=1, density=1000)
    parts = sl.Inertia.cylinder(radius=0.2, length=1, density=1000)
    assert math.isclose(capsule.mass, parts.mass + 1000 * 4 / 3 * math.pi * 0.2**3, rel_tol=1e-14)


def test_a_mesh_of_a_box_is_the_box_wherever_it_is_and_from_either_side():
    edges, R, far = np.array([0.5, 2.0, 1.5]), sl.Rotation.of_vector((0.3, -0.7, 1.1)), np.array([100.0, -50.0, 3.0])
    box = sl.Inertia.box(size=edges, density=700).turned(R).moved(far)
    points = (R @ ((CUBE - 0.5) * edges)) + far
    same(sl.Inertia.mesh((points, FACES), density=700), box, 1e-11)
    same(sl.Inertia.mesh((points, FACES[:, ::-1]), mass=box.mass), box, 1e-11)


def test_a_mesh_is_read_from_a_file_in_its_unit(tmp_path):
    file = tmp_path / "cube.obj"
    file.write_text("".join(f"v {x} {y} {z}\n" for x, y, z in 1000 * CUBE) + "".join(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in FACES))
    same(sl.Inertia.mesh(file, density=2, scale=1e-3), sl.Inertia.box(size=(1, 1, 1), mass=2).moved((0.5, 0.5, 0.5)))


def test_parts_add_up_and_holes_are_taken_away():
    half = sl.Inertia.box(size=(1, 1, 1), mass=3)
    same(half.moved((-0.5, 0, 0)) + half.moved((0.5, 0, 0)), sl.Inertia.box(size=(2, 1, 1), mass=6))
    same(sum([half.moved((x, 0, 0)) for x in (-1, 0, 1)]), sl.Inertia.box(size=(3, 1, 1), mass=9))
    hole = sl.Inertia.cylinder(radius=0.3, length=1, density=5).moved((0.2, 0.1, 0))
    same((sl.Inertia.box(size=(1, 1, 1), density=5) - hole) + hole, sl.Inertia.box(size=(1, 1, 1), density=5), 1e-12)


def test_the_theorem_of_parallel_axes_and_principal_axes():
    I = sl.Inertia.box(size=(1, 2, 3), mass=12).turned((0.4, 0.1, -0.8)).moved((1, 2, 3))
    r = np.array([1.0, 2.0, 3.0])
    assert np.allclose(I.about(), I.matrix + 12 * (r @ r * np.eye(3) - np.outer(r, r)))
    moments, axes = I.principal
    assert np.allclose(moments, (5, 10, 13))
    assert np.allclose(axes.matrix @ np.diag(moments) @ axes.matrix.T, I.matrix)


def test_a_body_takes_one_and_moves_as_with_its_numbers():
    frame = sl.Inertia.box(size=(0.4, 0.2, 0.1), density=2700) - sl.Inertia.cylinder(radius=0.05, length=0.1, density=2700).moved((0.1, 0, 0))
    ends = []
    for given in ({"inertia": frame}, {"mass": frame.mass, "center_of_mass": frame.center, "inertia": frame.matrix}):
        m = sl.Model()
        body = m.body(**given, at=(0, 0, 1), angular_velocity=(1, 2, 3))
        m.spherical(body, m.ground, at=(0, 0, 1))
        ends.append(m.simulate(1.0)[body.rotation][-1])
    assert np.array_equal(*ends)


@pytest.mark.parametrize(
    "wrong, message",
    [
        (lambda: sl.Inertia.mesh((CUBE, FACES[1:]), density=1), "is open: 3 edges"),
        (lambda: sl.Inertia.mesh((CUBE, np.vstack([FACES[:1, ::-1], FACES[1:]])), density=1), "triangle 0 of 12 is inverted"),
        (lambda: sl.Inertia.box(size=(1, 1, 1)), "needs a mass or a density"),
        (lambda: sl.Inertia.box(size=(1, 1, 1), mass=1, density=1), "both a mass and a density"),
        (lambda: sl.Inertia.sphere(radius=1, inner=2, mass=1), "between 0 and the radius"),
        (lambda: sl.Inertia(1, (1, 1, 3)), "above the sum"),
        (lambda: sl.Inertia(1, ((1, 2, 0), (2, 1, 0), (0, 0, 1))), "below 0"),
        (lambda: sl.Inertia(-1, (1, 1, 1)), "must be above 0"),
        (lambda: sl.Inertia.box(size=(1, 1, 1), mass=1) - sl.Inertia.box(size=(1, 1, 1), mass=2), "more is taken away"),
        (lambda: sl.Model().body(mass=1, inertia=sl.Inertia.box(size=(1, 1, 1), mass=1)), "stands in the inertia, too"),
        (lambda: sl.Model().body(inertia=(1, 1, 1)), "is missing"),
    ],
)
def test_what_no_body_has_is_refused(wrong, message):
    with pytest.raises(sl.ModelError, match=message):
        wrong()


@pytest.mark.parametrize("kind", ["hinge", "slide"])
@pytest.mark.parametrize("away", [(0, 0, 0.2), (0.3, -0.1, 0.2)])
def test_a_rotor_between_two_bodies_keeps_the_momentum_of_both(kind, away):
    m = sl.Model(gravity=(0, 0, 0))
    a, b = m.body(mass=2, inertia=(0.1, 0.2, 0.3)), m.cylinder(radius=0.1, length=0.1, mass=2, at=(0, 0, 0.2))
    if kind == "hinge":
        m.revolute(a, b, at=away, axis="z", torque=0.5, armature=0.02, ratio=5)
    else:
        m.prismatic(a, b, at=away, axis=(1, 0, 2), force=0.5, armature=0.02, ratio=5)
    r, whole = m.simulate(1.0), m.group()
    assert np.abs(r[b.velocity].last).max() + np.abs(r[b.angular_velocity].last).max() > 0.05
    assert r[whole.momentum].last == pytest.approx([0, 0, 0], abs=1e-6)
    assert r[whole.angular_momentum].last == pytest.approx([0, 0, 0], abs=1e-6)


def test_a_rotor_on_the_ground_has_its_momentum():
    """J + J_rotor n^2 under a torque from outside."""
    m = sl.Model(gravity=(0, 0, 0))
    disc = m.body(mass=2, inertia=(0.1, 0.2, 0.3))
    m.revolute(m.ground, disc, axis="z", torque=0.5, armature=0.02, ratio=5)
    r = m.simulate(1.0)
    assert r[m.group().angular_momentum].last == pytest.approx([0, 0, 0.5], rel=1e-6)
