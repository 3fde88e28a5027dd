"""Rotations, poses: against scipy, against each other, and wherever a verb takes a turn."""

import itertools
import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation as Scipy

import saltus as sl

RNG = np.random.default_rng(7)
VECTORS = np.concatenate([RNG.normal(size=(200, 3)) * 2.0, 1e-9 * RNG.normal(size=(5, 3)), math.pi * np.eye(3), np.zeros((1, 3))])
SEQUENCES = ["".join(axes) for axes in itertools.product("xyz", repeat=3) if axes[0] != axes[1] != axes[2]]
SEQUENCES += [sequence.upper() for sequence in SEQUENCES]


def test_vectors_matrices_and_quaternions_lead_to_each_other():
    R = sl.Rotation.of_vector(VECTORS)
    oracle = Scipy.from_rotvec(VECTORS)
    assert np.allclose(R.matrix, oracle.as_matrix(), rtol=0, atol=1e-15)
    for back in (sl.Rotation.of_quaternion(R.quaternion), sl.Rotation.of_matrix(R.matrix), sl.Rotation.of_matrix(R.matrix.reshape(-1, 9)),
                 sl.Rotation.of_vector(R.vector)):  # fmt: skip
        assert np.allclose(back.matrix, R.matrix, rtol=0, atol=2e-15)
    assert np.allclose(R[200:205].vector, VECTORS[200:205], rtol=1e-7, atol=0)  # small ones keep their digits
    assert np.allclose((R @ R.inverse).matrix, np.eye(3), rtol=0, atol=3e-15)


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_angles_of_every_sequence_are_those_of_scipy(sequence):
    R = sl.Rotation.of_vector(VECTORS[:200])
    angles = R.angles(sequence)
    assert np.allclose(np.exp(1j * angles), np.exp(1j * Scipy.from_rotvec(VECTORS[:200]).as_euler(sequence)), rtol=0, atol=1e-12)
    assert np.allclose(sl.Rotation.of_angles(sequence, angles).matrix, R.matrix, rtol=0, atol=1e-12)


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_at_the_singular_angle_the_rotation_is_right_and_a_warning_tells_it(sequence):
    for middle in (0.0, math.pi) if sequence[0] == sequence[2] else (0.5 * math.pi, -0.5 * math.pi):
        R = sl.Rotation.of_angles(sequence, (0.4, middle, -1.7))
        with pytest.warns(sl.ModelWarning, match="singular angle"):
            angles = R.angles(sequence)
        assert angles[2] == 0.0
        assert np.allclose(sl.Rotation.of_angles(sequence, angles).matrix, R.matrix, rtol=0, atol=1e-7)


def test_angles_go_on_beyond_half_a_turn():
    turns = np.linspace(0.0, 9.0 * math.pi, 200)
    yaw = sl.Rotation.about("z", turns).angles("ZYX", continued=True)[:, 0]
    assert np.allclose(yaw, turns, rtol=0, atol=1e-12)


def test_small_letters_are_axes_of_the_world_and_capitals_turn_along():
    a, b, c = 0.3, -0.8, 1.9
    X, Y, Z = sl.Rotation.about("x", a), sl.Rotation.about("y", b), sl.Rotation.about("z", c)
    assert np.allclose(sl.Rotation.of_angles("xyz", (a, b, c)).matrix, (Z @ Y @ X).matrix)
    assert np.allclose(sl.Rotation.of_angles("XYZ", (a, b, c)).matrix, (X @ Y @ Z).matrix)


@pytest.mark.parametrize(
    "wrong, message",
    [
        (lambda: sl.Rotation.of_matrix(np.diag([1.0, 1.0, 1.1])), "not orthogonal"),
        (lambda: sl.Rotation.of_matrix(np.diag([1.0, 1.0, -1.0])), "mirror image"),
        (lambda: sl.Rotation.of_quaternion((0.0, 0.0, 0.0, 0.0)), "length zero"),
        (lambda: sl.Rotation.of_vector((1.0, 2.0)), r"has the shape \(2,\)"),
        (lambda: sl.Rotation.of_vector((math.nan, 0.0, 0.0)), "not finite"),
        (lambda: sl.Rotation.of_angles("xYz", (1.0, 2.0, 3.0)), "no sequence of axes"),
        (lambda: sl.Rotation.of_angles("zz", (1.0, 2.0)), "twice in a row"),
        (lambda: sl.Rotation.about("z", 1.0).angles("xy"), "expected 3"),
        (lambda: sl.Pose.of_matrix(np.ones((4, 4))), "last row"),
    ],
)
def test_what_is_no_rotation_is_refused(wrong, message):
    with pytest.raises(sl.ModelError, match=message):
        wrong()


def test_poses_follow_each_other_as_their_matrices_do():
    P, Q = sl.Pose((1.0, 2.0, 3.0), (0.3, -0.2, 0.9)), sl.Pose((-0.4, 0.1, 2.0), sl.degrees(z=70))
    assert np.allclose((P @ Q).matrix, P.matrix @ Q.matrix, rtol=0, atol=1e-15)
    assert np.allclose((P @ P.inverse).matrix, np.eye(4), rtol=0, atol=1e-15)
    points = RNG.normal(size=(5, 3))
    assert np.allclose(P @ points, (P.matrix @ np.column_stack([points, np.ones(5)]).T).T[:, :3], rtol=0, atol=1e-15)
    assert np.allclose(sl.Pose.of_matrix(P.matrix).matrix, P.matrix, rtol=0, atol=1e-15)


def test_verbs_take_a_rotation_in_any_form():
    vector = (0.3, -0.7, 1.1)
    forms = [vector, sl.Rotation.of_vector(vector), Scipy.from_rotvec(vector), Scipy.from_rotvec(vector).as_matrix()]
    files = []
    for turn in forms:
        m = sl.Model()
        box = m.box(size=(1, 2, 3), mass=1, at=(0, 0, 5), rotation=turn, name="box")
        m.plane(rotation=turn, name="ramp")
        m.generic(box.frame((0, 0, 4), rotation=turn), m.ground, at=(0, 0, 4), locked=("x", "y"), rotation=turn, name="joint")
        m.add(sl.items.NodeRigid(rotation=turn if turn is not forms[3] else vector), name="node")
        files.append(m)
    first = files[0]
    for other in files[1:]:
        for name in ("box", "ramp", "node"):
            a, b = (x._engine.record(name)["fields"] for x in (first, other))
            a, b = (x["node"] if name == "box" else x for x in (a, b))
            assert np.allclose(a["rotation"], b["rotation"], rtol=0, atol=1e-15)


def test_many_rotations_are_not_one():
    with pytest.raises(sl.ModelError, match="holds 2 rotations"):
        sl.Model().box(size=(1, 1, 1), mass=1, rotation=sl.Rotation.about("z", [0.1, 0.2]))


def test_a_result_is_read_in_angles_of_a_sequence():
    m = sl.Model(gravity=(0, 0, 0))
    top = m.body(mass=1, inertia=(1, 1, 1), angular_velocity=(0, 0, 2.0))
    result = m.simulate(10.0, record=0.1)
    yaw = sl.Rotation.of_quaternion(result[top.quaternion]).angles("ZYX", continued=True)[:, 0]
    assert np.allclose(yaw, 2.0 * result.time, rtol=0, atol=1e-6)
