"""Ball and free joints within kinematic trees: against bodies, closed forms and invariants."""

import math

import numpy as np
import pytest

import saltus as sl
from saltus.geometry import rotation_matrix

MOMENTS = (0.02, 0.03, 0.025)
HULL = {"mass": 2.0, "inertia": (0.3, 0.5, 0.4), "center_of_mass": (0.1, -0.05, 0.02)}
SMOOTH = {"dormand_prince": None, "runge_kutta_4": 1e-3, "runge_kutta_6": 1e-3, "bogacki_shampine": None, "runge_kutta_3": 1e-3, "heun": 1e-3, "explicit_midpoint": 1e-3, "explicit_euler": 1e-3,
          "generalized_alpha": 1e-3, "newmark": 1e-3, "trapezoidal": 1e-3, "half_explicit": 1e-3, "moreau_jean": 1e-3, "event_driven": 1e-3, "nonsmooth_generalized_alpha": 1e-3,
          "d1_minus": 1e-3, "schatzman_paoli": 1e-3}  # fmt: skip


def arm(carrier):
    """A ball, a hinge and a slide behind each other."""
    upper = carrier.ball(at=(0.5, 0, 0), mass=0.7, inertia=MOMENTS, center_of_mass=(0.1, 0, 0.1), coordinate=(0.3, -0.2, 0.4), rate=(1.0, 2.0, -1.0), name="upper")
    lower = upper.revolute(at=(0.8, 0, 0.1), axis="y", mass=0.4, inertia=MOMENTS, center_of_mass=(0.1, 0, 0), rate=3.0, name="lower")
    return lower.prismatic(at=(1, 0, 0.1), axis="x", mass=0.2, inertia=MOMENTS, rate=0.1, name="tip")


def floating(root_is_free, at=(0.2, 0.1, 0.5)):
    m, v, w = sl.Model(), (0.3, -0.1, 2.0), (0.8, -1.5, 2.5)
    if root_is_free:
        arm(m.tree(name="robot").free(at=at, rate=(*v, *w), name="hull", **HULL))
    else:
        arm(m.tree(base=m.body(at=at, velocity=v, angular_velocity=w, name="hull", **HULL), name="robot"))
    return m


@pytest.mark.parametrize("scheme, step", SMOOTH.items())
def test_a_tree_whose_root_is_free_is_the_tree_on_a_body(scheme, step):
    here, there = (floating(free).simulate(0.1, scheme=scheme, step=step) for free in (True, False))
    for name in ("hull", "upper", "tip"):
        for word in ("position", "velocity", "quaternion"):
            a, b = here[f"{name}.{word}"].last, there[f"{name}.{word}"].last
            assert np.allclose(a, b if np.dot(a, b) > 0 or word != "quaternion" else -b, atol=1e-9), (scheme, name, word, a, b)


@pytest.mark.parametrize("scheme, step, apart", [("dormand_prince", None, 1e-8), ("runge_kutta_6", 1e-3, 1e-9), ("generalized_alpha", 2e-4, 2e-5), ("moreau_jean", 2e-4, 1e-4)])
def test_a_ball_moves_as_a_spherical_joint_between_bodies(scheme, step, apart):
    def build(tree):
        m, rate = sl.Model(), np.array((1.0, -2.0, 4.0))
        parts = {"mass": 1.5, "inertia": (0.1, 0.2, 0.25), "center_of_mass": (0.2, 0.1, -0.3)}
        if tree:
            first = m.tree().ball(at=(0, 0, 1), rate=rate, name="first", **parts)
            first.ball(at=(0.5, 0, 0.7), rate=(0.5, 3.0, 1.0), name="second", **parts)
            return m
        first = m.body(at=(0, 0, 1), angular_velocity=rate, name="first", **parts)
        arm = np.array((0.5, 0, -0.3))
        second = m.body(at=(0.5, 0, 0.7), velocity=np.cross(rate, arm), angular_velocity=rate + (0.5, 3.0, 1.0), name="second", **parts)
        m.spherical(m.ground, first, at=(0, 0, 1))
        m.spherical(first, second, at=(0.5, 0, 0.7))
        return m

    settings = {"tolerance": 1e-11} if step is None else {"step": step}
    here, there = (build(tree).simulate(0.5, scheme=scheme, **settings) for tree in (True, False))
    for name in ("first", "second"):
        for word in ("position", "velocity", "angular_velocity"):
            assert here[f"{name}.{word}"].last == pytest.approx(there[f"{name}.{word}"].last, abs=apart * (1 if word == "position" else 30))


def test_a_free_flying_tree_keeps_momentum_energy_and_orthogonality_over_many_turns_far_from_the_origin():
    m = sl.Model(gravity=(0, 0, 0))
    far = np.array((4e5, -3e5, 2e5))
    hull = m.tree(name="robot").free(at=far, rate=(0, 0, 0, 30.0, 1.0, -40.0), name="hull", **HULL)
    hull.ball(at=far + (0.5, 0, 0), mass=0.7, inertia=MOMENTS, center_of_mass=(0.1, 0, 0.1), rate=(5, 3, -9), name="arm")
    result = m.simulate(10.0, tolerance=1e-9)
    whole, at = m.group(), result.at
    for word, size in (("momentum", 30.0), ("angular_momentum", 30.0)):
        path = np.asarray(result[getattr(whole, word)])
        assert np.abs(path - path[0]).max() < 1e-5 * size, word
    energy = np.asarray(result["energy.total"])
    assert np.ptp(energy) < 1e-6 * energy[0]
    q = np.asarray(result[hull.quaternion])
    assert np.abs(np.linalg.norm(q, axis=1) - 1).max() < 1e-12
    assert np.linalg.norm(at(5.0)[hull.angular_velocity]) * 5 > 20 * 2 * math.pi


def test_a_symmetric_top_on_a_ball_precesses_as_the_closed_form_says():
    m = sl.Model(gravity=(0, 0, 0))
    spin, nod = 50.0, 3.0  # about its axis z, and about x
    top = m.tree().ball(mass=1.0, inertia=(0.2, 0.2, 0.1), rate=(nod, 0, spin), name="top")
    result = m.simulate(10.0, tolerance=1e-10)
    L = np.array((0.2 * nod, 0, 0.1 * spin))
    t = result.time[-1]
    turned = rotation_matrix(L / 0.2 * t) @ rotation_matrix(np.array((0, 0, (spin - L[2] / 0.2) * t)))
    assert np.asarray(result[top.rotation_matrix].last).reshape(3, 3) == pytest.approx(turned, abs=1e-6)


def test_inverse_dynamics_of_a_ball_and_a_free_joint_drives_them():
    m = sl.Model()
    root = m.tree(name="robot").free(name="hull", at=(0, 0, 1), coordinate=(0.1, 0.2, 0.3, 0.4, -0.2, 0.1), rate=(1, 2, 3, 0.3, 0.2, -0.5), **HULL)
    arm(root)
    start = m.simulate(1e-6)
    names = ("hull", "upper", "lower", "tip")
    q, v, a = (np.concatenate([np.atleast_1d(np.asarray(start[f"{n}.{word}"])[0]) for n in names]) for word in ("coordinate", "rate", "coordinate_acceleration"))
    assert len(q) == 13 and len(v) == len(a) == 11
    assert m["robot"].inverse_dynamics(q, v, a) == pytest.approx(np.zeros(11), abs=1e-10)  # what moves by itself takes no force
    more = np.zeros(11)
    more[4] = 1.0  # about the hull's own y
    force = m["robot"].inverse_dynamics(q, v, a + more)
    assert np.linalg.norm(force[:3]) > 0.1 and force[4] > 0.5
    with pytest.raises(sl.ModelError, match="q has 11 numbers, the tree has 13 coordinates"):
        m["robot"].inverse_dynamics(v, v, a)
    with pytest.raises(sl.ModelError, match="q has a quaternion of length 2 from number 7 on"):
        m["robot"].inverse_dynamics([*q[:7], 2, 0, 0, 0, *q[11:]], v, a)


def test_loads_springs_and_contacts_take_links_on_any_joint():
    m = sl.Model()
    ball = m.tree().free(at=(0, 0, 1.1), mass=1.0, inertia=(0.004, 0.004, 0.004), rate=(0, 0, 0, 0, 0, 0), name="ball")
    m.contact(m.plane(), m.shape("sphere", ball, radius=0.1), restitution=0.5)
    result = m.simulate(0.8, scheme="moreau_jean", step=1e-4)
    fall = math.sqrt(2 / 9.81)
    after = 0.5 * 9.81 * fall
    assert result[ball.position.z].last == pytest.approx(0.1 + after * (0.8 - fall) - 0.5 * 9.81 * (0.8 - fall) ** 2, abs=2e-3)


def test_a_pendulum_on_a_ball_linearizes_and_rests_as_the_closed_form_says():
    m = sl.Model()
    m.tree().ball(mass=2.0, inertia=(0.1, 0.2, 0.15), center_of_mass=(0, 0, -0.7), name="bob")
    modes = m.modes()
    expected = sorted(math.sqrt(2 * 9.81 * 0.7 / (J + 2 * 0.49)) / (2 * math.pi) for J in (0.1, 0.2))
    assert sorted(modes.frequencies)[-2:] == pytest.approx(expected, rel=1e-7)
    n = sl.Model()
    bob = n.tree().ball(mass=2.0, inertia=(0.1, 0.2, 0.15), center_of_mass=(0, 0, -0.7), coordinate=(0.2, -0.1, 0), name="bob")
    n.force(bob.frame((0, 0, -0.7)), (3.0, 0, 0))
    rest = n.static()
    tip = np.asarray(rest["bob.center_of_mass"].last)
    assert tip[:2] == pytest.approx(0.7 * np.array((3.0, 0.0)) / math.hypot(3.0, 2 * 9.81), abs=1e-7)


def test_comes_back_from_a_file_and_goes_on(tmp_path):
    m = floating(True)
    m.save(tmp_path / "robot.json")
    again = sl.Model.load(tmp_path / "robot.json")
    assert again._engine.text() == m._engine.text()
    for name in ("hull", "upper", "tip"):
        for a, b in zip(again[name].reference, m[name].reference, strict=True):
            assert np.allclose(a, b, atol=1e-14)
    whole = m.simulate(0.2, scheme="runge_kutta_4", step=1e-3)
    half = again.simulate(0.1, scheme="runge_kutta_4", step=1e-3, record=tmp_path / "half.saltus")
    on = sl.resume(tmp_path / "half.saltus", until=0.2)
    assert np.array_equal(whole["tip.position"].last, on["tip.position"].last)
    assert half["hull.coordinate"].last.shape == (7,)


def test_links_are_drawn_and_exported_where_they_are(tmp_path):
    from saltus.view.scene import Scene

    m = floating(True)
    result = m.simulate(0.1)
    scene = Scene(m._engine, m._engine.compile())
    p, q = scene.poses(np.asarray(result._recorded.arrays["y"]))
    for name in ("hull", "upper", "tip"):
        frame = scene.places.frame_of(name)
        assert np.allclose(p[:, frame], result[f"{name}.position"], atol=1e-12)
        assert np.allclose(np.abs(np.sum(q[:, frame] * result[f"{name}.quaternion"], axis=1)), 1.0)
    result.export(tmp_path / "motion.csv", m["hull"].position, m["upper"].rotation)
    assert len((tmp_path / "motion.csv").read_text().splitlines()) == len(result.time) + 1


def test_a_universal_joint_is_a_link_without_mass():
    m = sl.Model()
    cross = m.tree().revolute(axis="x", rate=1.5)
    cross.revolute(axis="y", mass=2.0, inertia=(0.1, 0.2, 0.15), center_of_mass=(0, 0, -0.7), rate=-2.0, name="bob")
    m2 = sl.Model()
    cross2 = m2.body(mass=1e-9, inertia=(1e-9, 1e-9, 1e-9), angular_velocity=(1.5, 0, 0))
    bob2 = m2.body(mass=2.0, inertia=(0.1, 0.2, 0.15), center_of_mass=(0, 0, -0.7), angular_velocity=(1.5, -2.0, 0), name="bob")
    m2.revolute(m2.ground, cross2, axis="x")
    m2.revolute(cross2, bob2, axis="y")
    here, there = m.simulate(0.5, tolerance=1e-10), m2.simulate(0.5, tolerance=1e-10)
    assert here["bob.center_of_mass"].last == pytest.approx(there["bob.center_of_mass"].last, abs=1e-7)


@pytest.mark.parametrize(
    "build, path, message, remedy",
    [
        (lambda m, t: t.ball(mass=1, inertia=MOMENTS, coordinate=0.3, name="a"), "bodies/a/coordinate", "is 0.3, expected 3 numbers of a ball joint", "give rotation"),
        (lambda m, t: t.free(mass=1, inertia=MOMENTS, rate=(1, 2, 3), name="a"), "bodies/a/rate", "expected 6 numbers of a free joint", "displacement and rotation, three each"),
        (lambda m, t: t.revolute(mass=1, inertia=MOMENTS, rate=(1, 2, 3), name="a"), "bodies/a/rate", "a revolute joint has one coordinate", "give one number"),
        (lambda m, t: t.ball(mass=1, inertia=MOMENTS, armature=0.1, name="a"), "bodies/a/armature", "is of a joint with one coordinate, and this one is ball", "leave it out"),
        (lambda m, t: m.coupling([t.free(mass=1, inertia=MOMENTS, name="a").coordinate, t.revolute(mass=1, inertia=MOMENTS).coordinate], (1, 2)), "coupling", "'a' stands on a free joint, which has no coordinate of its own", "name one of its displacements"),
        (lambda m, t: m.coupling([t.ball(mass=1, inertia=MOMENTS, name="a").coordinate, t.revolute(mass=1, inertia=MOMENTS).coordinate], (1, 2)), "coupling", "is a rotation in space: it has no coordinate", "use a joint or a torque on its frame"),
        (lambda m, t: t.ball(name="a"), "bodies/a/mass", "moves nothing that has mass", "give mass"),
    ],
)  # fmt: skip
def test_refuses_by_name_with_a_remedy(build, path, message, remedy):
    m = sl.Model()
    with pytest.raises(sl.ModelError) as error:
        build(m, m.tree(name="arm"))
        m.simulate(0.01)
    text = str(error.value)
    assert path in text and message in text and remedy in text, text


@pytest.mark.parametrize(
    "link, path, message, remedy",
    [
        ('"joint": "ball", "node": {"type": "node_1d"}', "bodies/a/node", "is no rotation, which a ball joint has", "node_rotation"),
        ('"joint": "free", "node": {"type": "node_rigid"}', "bodies/a/node", "is no displacement and rotation, which a free joint has", "node_pose"),
        ('"joint": "revolute", "node": {"type": "node_rotation"}', "bodies/a/node", "is no single mechanical coordinate", "node_1d"),
        ('"joint": "free"', "bodies/a/node", "is missing", "node_pose"),
        ('"joint": "ball", "node": {"type": "node_rotation"}, "armature": 1', "bodies/a", "is of a joint with one coordinate", "leave it out"),
    ],
)
def test_refuses_files_by_name_with_a_remedy(link, path, message, remedy):
    with pytest.raises(sl.ModelError) as error:
        sl.Model.parse(f'{{"saltus": 1, "bodies": {{"arm": {{"type": "kinematic_tree"}}, "a": {{"type": "tree_link", "parent": "arm", "mass": 1, "inertia": [1, 1, 1], {link}}}}}}}').simulate(0.01)
    text = str(error.value)
    assert path in text and message in text and remedy in text, text
