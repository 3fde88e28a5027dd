"""FCLIB files: what is written is read again with equal bits, in the conventions of the collection."""

import h5py
import numpy as np
import pytest
import scipy.sparse as sparse

from saltus import ModelError
from saltus.numerics import (
    Block,
    FrictionProblem,
    Lcp,
    MixedProblem,
    RollingFrictionProblem,
    cli_solve,
    generate,
    read_problem,
    write_fclib,
)


def dense(A):
    return None if A is None else np.asarray(A.todense())


def same(a, b):
    assert [(x.set, x.rows, tuple(x.parameters)) for x in a.blocks] == [(x.set, x.rows, tuple(x.parameters)) for x in b.blocks]
    for name in ("D", "M", "H"):
        assert np.array_equal(dense(getattr(a, name)), dense(getattr(b, name))), name
    assert np.array_equal(a.b, b.b) and np.array_equal(a.p0, b.p0)


def with_equalities(is_global):
    """Two contacts and a joint of two rows."""
    rng = np.random.default_rng(3)
    blocks = [Block("coulomb_3d", 3, (0.3,)), Block("coulomb_3d", 3, (0.7,)), Block("equality", 2)]
    B = rng.normal(size=(10, 8))
    if not is_global:
        return MixedProblem(blocks, W=B.T @ B, q=rng.normal(size=8))
    C = rng.normal(size=(12, 9))
    return MixedProblem(blocks, M=C.T @ C, H=rng.normal(size=(8, 9)), p0=rng.normal(size=9), b=rng.normal(size=8))


def rolling():
    rng = np.random.default_rng(4)
    C = rng.normal(size=(14, 12))
    return RollingFrictionProblem([0.3, 0.5], [0.1, 0.2], M=C.T @ C, H=rng.normal(size=(10, 12)), p0=rng.normal(size=12), b=np.zeros(10))


@pytest.mark.parametrize("layout", ["csr", "csc", "triplet"])
@pytest.mark.parametrize("kind", ["local", "global", "rolling", "local with multipliers", "global with multipliers"])
def test_round_trip_keeps_every_bit(kind, layout, tmp_path):
    problem = {
        "local": lambda: generate("cones", 5, 1),
        "global": lambda: generate("wall", 30, 1),
        "rolling": rolling,
        "local with multipliers": lambda: with_equalities(False),
        "global with multipliers": lambda: with_equalities(True),
    }[kind]()
    solution = problem.solve(1e-10)
    assert solution.solved
    write_fclib(tmp_path / "p.hdf5", problem, solution=solution, title="a title", layout=layout)
    found = read_problem(tmp_path / "p.hdf5")
    same(problem, found.problem)
    contacts = sum(block.rows for block in problem.blocks if block.set != "equality")
    assert np.array_equal(found.stored["r"], solution.r[:contacts]) and np.array_equal(found.stored["u"], solution.w[:contacts])
    again = found.problem.solve(1e-10)
    assert np.array_equal(again.r, solution.r) and np.array_equal(again.v, solution.v)
    assert cli_solve(tmp_path / "p.hdf5")[1] == 0


def stored(group, name, A, layout):
    """One matrix as fclib.h writes it: sizes and indices as 32-bit arrays."""
    target = group.create_group(name)
    p, i, x, nz = layout(sparse.csc_array(A))
    for part, value in (("nzmax", x.size), ("m", A.shape[0]), ("n", A.shape[1]), ("nz", nz)):
        target.create_dataset(part, data=np.array([value], dtype="i4"))
    target["p"], target["i"], target["x"] = np.asarray(p, "i4"), np.asarray(i, "i4"), x


def columns(A):
    return A.indptr, A.indices, A.data, -1


def test_a_global_file_means_what_its_page_says(tmp_path):
    """M v = H r + G l + f, G^T v + b = 0, u = H^T v + w: one mass on the ground, carried along y by a rail."""
    with h5py.File(tmp_path / "p.hdf5", "w") as file:
        group = file.create_group("fclib_global")
        group["spacedim"] = np.array([3], dtype="i4")
        H = np.zeros((3, 3))
        H[2, 0] = H[0, 1] = H[1, 2] = 1.0  # columns n, t1, t2 in the motions x, y, z
        stored(group, "M", 2.0 * np.eye(3), columns)
        stored(group, "H", H, columns)
        stored(group, "G", np.array([[0.0], [1.0], [0.0]]), columns)
        vectors = group.create_group("vectors")
        vectors["f"], vectors["w"], vectors["mu"], vectors["b"] = [6.0, 5.0, -2.0], [0.1, 0.0, 0.0], [0.5], [-0.25]
    solution = read_problem(tmp_path / "p.hdf5").problem.solve(1e-12)
    # v_z + 0.1 = 0: r_n = 2 (-0.1) + 2 = 1.8; v_y = 0.25, so l = 0.5 - 5 - r_t2; v_x > 0 slides: |r_T| = 0.9 against (v_x, v_y).
    v, r = solution.v, solution.r
    assert v[2] == pytest.approx(-0.1, abs=1e-12) and r[0] == pytest.approx(1.8, abs=1e-11)
    assert v[1] == pytest.approx(0.25, abs=1e-12)
    assert np.hypot(r[1], r[2]) == pytest.approx(0.9, abs=1e-10)
    assert r[1] / r[2] == pytest.approx(v[0] / v[1], rel=1e-9) and r[1] < 0
    assert r[3] == pytest.approx(2 * 0.25 - 5 - r[2], abs=1e-10)


def test_a_local_file_means_what_its_page_says(tmp_path):
    """V^T r + R l + s = 0, u = W r + V l + q."""
    with h5py.File(tmp_path / "p.hdf5", "w") as file:
        group = file.create_group("fclib_local")
        group["spacedim"] = np.array([2], dtype="i4")
        stored(group, "W", np.array([[2.0, 0.3], [0.3, 1.0]]), columns)
        stored(group, "V", np.array([[0.5], [0.2]]), columns)
        stored(group, "R", np.array([[-4.0]]), columns)
        vectors = group.create_group("vectors")
        vectors["q"], vectors["mu"], vectors["s"] = [-1.0, 0.05], [0.4], [0.3]
    found = read_problem(tmp_path / "p.hdf5")
    assert found.type == "FC2D"
    solution = found.problem.solve(1e-12)
    r, multiplier = solution.r[:2], solution.r[2]
    assert solution.solved and r[0] > 0
    assert np.array([0.5, 0.2]) @ r - 4 * multiplier + 0.3 == pytest.approx(0, abs=1e-12)
    assert np.array([[2, 0.3], [0.3, 1]]) @ r + np.array([0.5, 0.2]) * multiplier + [-1, 0.05] == pytest.approx(solution.w[:2], abs=1e-12)


@pytest.fixture
def file(tmp_path):
    write_fclib(tmp_path / "p.hdf5", generate("wall", 8, 1))
    return tmp_path / "p.hdf5"


@pytest.mark.parametrize(
    "spoil, words",
    [
        (lambda f: f.__delitem__("fclib_global/H"), "fclib_global/H: is missing"),
        (lambda f: f["fclib_global/spacedim"].__setitem__(0, 7), "spacedim: is 7, must be 2 or 3"),
        (lambda f: f["fclib_global/H/i"].__setitem__(0, 10**6), "fclib_global/H/i: must stay within"),
        (lambda f: f["fclib_global/H/p"].__setitem__(1, -3), "fclib_global/H/p"),
        (lambda f: f["fclib_global/M/x"].__setitem__(0, np.nan), "fclib_global/M/x: entry 0 is not finite"),
        (lambda f: f["fclib_global/M/nz"].__setitem__(0, -7), "nz = -7"),
        (lambda f: f.__delitem__("fclib_global/vectors/mu"), "vectors/mu: is missing"),
        (lambda f: f["fclib_global/vectors/mu"].__setitem__(0, -0.5), "friction is -0.5"),
    ],
)
def test_a_broken_file_is_refused_by_name(file, spoil, words):
    with h5py.File(file, "a") as opened:
        spoil(opened)
    report, code = cli_solve(file)
    assert code == 2 and words in "\n".join(report["messages"]), report


def test_what_the_format_has_no_place_for_is_refused(tmp_path):
    with pytest.raises(ModelError, match="half_line"):
        write_fclib(tmp_path / "p.hdf5", Lcp([[1.0]], [1.0]))
    with pytest.raises(ModelError, match="rolling friction has no group"):
        write_fclib(tmp_path / "p.hdf5", RollingFrictionProblem([0.1], [0.1], W=np.eye(5), q=np.zeros(5)))
    blocks = [Block("coulomb_2d", 2, (0.3,)), Block("equality", 1)]
    with pytest.raises(ModelError, match="FCLIB stores V alone"):
        write_fclib(tmp_path / "p.hdf5", MixedProblem(blocks, W=[[1, 0, 1], [0, 1, 0], [2, 0, 1]], q=[0, 0, 0]))
    with pytest.raises(ModelError, match="must be one of csr"):
        write_fclib(tmp_path / "p.hdf5", FrictionProblem([0.1], W=np.eye(3), q=np.zeros(3)), layout="coo")
    assert not (tmp_path / "p.hdf5").exists()
