"""Verbs write the records that the same items give, and handles stand where they were put."""

import copy
import math
import pickle

import numpy as np
import pytest

import saltus as sl
from saltus import geometry, items
from saltus.describe import without_rounding


@pytest.fixture
def m():
    return sl.Model()


def test_a_rod_has_the_inertia_of_a_slim_rod_and_frames_at_its_ends(m):
    rod = m.rod((0, 0, 1), (0, 3, 1), mass=6)
    assert rod.fields["inertia"] == pytest.approx([0.5 * 6 * (3 / 50) ** 2, 4.5, 4.5])  # m r^2/2, m L^2/12
    assert rod.start.reference[0] == pytest.approx([0, 0, 1])
    assert rod.end.reference[0] == pytest.approx([0, 3, 1])
    assert rod.reference[1] @ [1, 0, 0] == pytest.approx([0, 1, 0])


@pytest.mark.parametrize(
    "shape, volume",
    [
        (lambda m: m.box(size=(1, 2, 3), density=2), 6.0),
        (lambda m: m.sphere(radius=2, density=2), 4 / 3 * math.pi * 8),
        (lambda m: m.cylinder(radius=2, length=3, density=2), 12 * math.pi),
        (lambda m: m.rod((0, 0, 0), (5, 0, 0), radius=0.1, density=2), 0.05 * math.pi),
    ],
)
def test_density_gives_the_mass_of_the_volume(m, shape, volume):
    assert shape(m).fields["mass"] == pytest.approx(2 * volume)


def test_a_box_stands_on_a_tilted_plane_with_aligned_axes(m):
    ramp = m.plane(rotation=sl.degrees(y=30), at=(1, 2, 3))
    box = m.box(size=(0.2, 0.4, 0.6), mass=1, on=ramp)
    upper = m.box(size=(0.1, 0.1, 0.2), mass=1, on=box)
    normal = np.array([math.sin(math.pi / 6), 0, math.cos(math.pi / 6)])
    assert box.reference[0] == pytest.approx(np.array([1, 2, 3]) + 0.3 * normal)
    assert upper.reference[0] == pytest.approx(np.array([1, 2, 3]) + 0.7 * normal)
    assert upper.reference[1] == pytest.approx(ramp.reference[1])


@pytest.mark.parametrize("normal", ["z", "-z", "x", (1, 2, -3), (0, 1e-14, 1)])
def test_z_of_a_plane_is_its_normal(m, normal):
    R = m.plane(normal=normal).reference[1]
    assert R[:, 2] == pytest.approx(geometry.direction(normal, ""), abs=1e-12)
    assert R.T @ R == pytest.approx(np.eye(3), abs=1e-12)


def test_the_axis_of_a_cylinder_is_its_z(m):
    for axis in ("x", "y", "z", (1, 1, 1)):
        R = m.cylinder(radius=1, length=1, mass=1, axis=axis).reference[1]
        assert R[:, 2] == pytest.approx(geometry.direction(axis, ""), abs=1e-12)
        assert np.linalg.det(R) == pytest.approx(1)


@pytest.mark.parametrize("seed", range(20))
def test_rotation_vector_is_the_inverse_of_rotation_matrix(seed):
    turn = np.random.default_rng(seed).normal(size=3)
    turn *= (math.pi, 3.1, 1e-8, 1e-4, 1.0)[seed % 5] / np.linalg.norm(turn)
    back = geometry.rotation_vector(geometry.rotation_matrix(turn))
    assert geometry.rotation_matrix(back) == pytest.approx(geometry.rotation_matrix(turn), abs=1e-9)


def test_names_count_up_and_stay_unique(m):
    names = [m.rod((0, 0, 0), (1, 0, 0), mass=1).name for _ in range(2)]
    assert names == ["rod_1", "rod_2"]
    named = m.rod((0, 0, 0), (1, 0, 0), mass=1, name="rod_3")
    assert m.rod((0, 0, 0), (1, 0, 0), mass=1).name == "rod_4"
    assert m["rod_3"] is named
    with pytest.raises(sl.ModelError, match="rod_3: is the name of another item"):
        m.rod((0, 0, 0), (1, 0, 0), mass=1, name="rod_3")


def test_an_item_and_its_verb_make_the_same_record(m):
    a, b = (m.rod((0, 0, i), (1, 0, i), mass=1) for i in range(2))
    verb = m.spring(a, b.end, stiffness=3, damping=1)
    item = m.add(items.SpringDamper(A=a, B=b.end, stiffness=3, damping=1, rest_length=0.0))
    assert verb.fields == item.fields


def test_a_saved_model_reads_back_the_same(m, tmp_path):
    rod = m.rod((0, 0, 0), (1, 0, 0), mass=1, velocity=(0, 1, 0))
    m.revolute(m.ground, rod, at=rod.start, axis="z")
    m.gravity = (0, -9.81, 0)
    m.save(tmp_path / "model.json")
    again = sl.Model.load(tmp_path / "model.json")
    assert again._engine.text() == m._engine.text()
    assert again["rod_1"].reference[0] == pytest.approx(rod.reference[0])
    assert list(again) == list(m)


def test_handles_of_another_model_are_refused(m):
    other = sl.Model().rod((0, 0, 0), (1, 0, 0), mass=1)
    with pytest.raises(sl.ModelError, match="another model"):
        m.spring(m.ground, other)


def test_describe_names_each_item_with_what_was_left_open(m):
    m.rod((0, 0, 0), (1, 0, 0), mass=1)
    text = m.describe()
    assert "rod_1: rigid_body" in text and "0.0002" in text  # m r^2/2 with r = L/50


def test_what_is_rounding_beside_the_largest_entry_is_shown_as_0():
    tilted = [[2e-3, 1.4e-19, 0.0], [1.4e-19, 2e-3, -3e-20], [0.0, -3e-20, 1e-7]]
    assert without_rounding({"inertia": tilted, "mass": 1e-19}) == {"inertia": [[2e-3, 0, 0], [0, 2e-3, 0], [0, 0, 1e-7]], "mass": 1e-19}
    assert without_rounding([1.0, -1e-17, 3e-13]) == [1.0, 0.0, 3e-13]
    table = [[0.0, 0.0], [1e-12, 1e6], [2e-12, 3e6]]  # columns with units of their own
    assert without_rounding(table) == table and without_rounding([1, "2 * a", 1e-30]) == [1, "2 * a", 1e-30]
    m = sl.Model()
    m.body(mass=1, inertia=tilted, at=(1e-18, 0, 2), name="plate")
    assert "e-19" not in m.describe() and "e-20" not in m.describe() and "1e-18" not in m.describe()
    assert m._engine.record("plate")["fields"]["inertia"][0][1] == 1.4e-19  # what is computed with


def test_every_verb_has_a_docstring_and_names_its_item(m):
    import inspect

    verbs = [f for _, f in inspect.getmembers(sl.Model, inspect.isfunction) if getattr(f, "is_verb", False)]
    assert len(verbs) >= 7
    for verb in verbs:
        assert verb.__doc__ and "name" in inspect.signature(verb).parameters


def test_a_copied_or_pickled_model_is_one_of_its_own():
    m = sl.Model()
    ball = m.sphere(radius=0.1, mass=1, at=(0, 0, 1), name="ball")
    m.contact(m.plane(), ball, restitution=0.5)
    end = m.simulate(1)[ball.position.z].last
    for again in (copy.copy(m), copy.deepcopy(m), pickle.loads(pickle.dumps(m))):
        again.sphere(radius=1, mass=1, name="other")
        assert "other" not in m
        assert again["ball"].quantity("position").paths == ("ball.position",)
        assert pickle.loads(pickle.dumps(m)).simulate(1)["ball.position.z"].last == end
    m.force(ball, lambda t: (0, 0, 0), name="push")
    with pytest.raises(sl.ModelError, match="loads/push/force: is a function of the program"):
        copy.deepcopy(m)
