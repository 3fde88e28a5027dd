"""Generated problems: equal bits from equal seeds, about the size that was asked for, and physics that can be checked."""

import numpy as np
import pytest

from saltus import ModelError
from saltus.numerics import generate, read_problem, write_problem
from saltus.numerics.generate import KINDS, STEP

SCENES = ("wall", "vault", "packing", "chute", "mass_ratio", "grid")


def bits(problem):
    parts = [np.asarray(problem.b), np.asarray(problem.p0)]
    parts += [np.asarray(A.todense()) for A in (problem.D, problem.M, problem.H) if A is not None]
    return b"".join(p.tobytes() for p in parts) + repr([(k.set, k.rows, [float(x) for x in k.parameters]) for k in problem.blocks]).encode()


@pytest.mark.parametrize("kind", KINDS)
def test_a_seed_gives_equal_bits_and_survives_its_file(kind, tmp_path):
    problem = generate(kind, 12, 5)
    assert bits(problem) == bits(generate(kind, 12, 5))
    if kind not in ("murty", "fathi"):  # the textbook's matrices have no seed
        assert bits(problem) != bits(generate(kind, 12, 6))
    write_problem(tmp_path / "p.h5", problem, origin="a test")
    assert bits(read_problem(tmp_path / "p.h5").problem) == bits(problem)


@pytest.mark.parametrize("kind", SCENES)
@pytest.mark.parametrize("size", [60, 300])
def test_a_scene_has_about_the_contacts_asked_for(kind, size):
    assert 0.5 * size <= len(generate(kind, size, 1).blocks) <= 2.0 * size


@pytest.mark.parametrize("kind", SCENES)
def test_a_scene_is_mechanics(kind):
    problem = generate(kind, 60, 2)
    M, H = np.asarray(problem.M.todense()), np.asarray(problem.H.todense())
    assert np.array_equal(M, M.T) and np.linalg.eigvalsh(M).min() > 0
    frames = H.reshape(-1, 3, H.shape[1])
    for frame in frames:  # of each body: directions n, t1, t2 of length 1 at right angles, arms p x d
        for body in range(H.shape[1] // 6):
            R, arm = frame[:, 6 * body : 6 * body + 3], frame[:, 6 * body + 3 : 6 * body + 6]
            if R.any():
                assert R @ R.T == pytest.approx(np.eye(3), abs=1e-12)
                assert np.einsum("ij,ij->i", arm, R) == pytest.approx(0, abs=1e-12)
    # Moving and turning the world as a whole moves no contact between two bodies.
    between = [k for k, frame in enumerate(frames) if np.count_nonzero(np.abs(frame).reshape(3, -1, 6).sum(axis=(0, 2)) > 0) == 2]
    shift = np.tile(np.r_[1.0, 2.0, 3.0, 0, 0, 0], H.shape[1] // 6)
    assert all(frames[k] @ shift == pytest.approx(0, abs=1e-12) for k in between)


def test_what_holds_a_wall_up_is_its_weight():
    problem = generate("wall", 40, 1)
    solution = problem.solve(1e-10)
    masses = problem.M.diagonal()[2::6]
    ground = [k for k in range(len(problem.blocks)) if np.count_nonzero(problem.H[[3 * k]].toarray()[0, 0::6] ** 2 + problem.H[[3 * k]].toarray()[0, 2::6] ** 2) == 1]
    lifted = sum(solution.r[3 * k] for k in ground)
    momentum = masses @ solution.v[2::6] - masses @ (problem.p0[2::6] / masses + 9.81 * STEP)
    assert lifted == pytest.approx(9.81 * STEP * masses.sum() + momentum, rel=1e-8)


@pytest.mark.parametrize("kind", [k for k in KINDS if k not in ("unsolvable", "press")])
def test_small_ones_are_solved(kind):
    for seed in range(3):
        assert generate(kind, 8, seed).solve(1e-8).solved


@pytest.mark.parametrize("size", [1, 3, 10, 30, 60, 100])
def test_problems_without_a_solution_are_said_to_have_none(size):
    for seed in range(4):
        solution = generate("unsolvable", size, seed).solve(1e-8, flop_budget=5_000_000_000)
        assert solution.status == "infeasible", (size, seed, solution.status, solution.cause)


@pytest.mark.parametrize("n", [2, 5, 12])
def test_murty_and_fathi_are_the_textbook(n):
    U = np.eye(n) + 2 * np.triu(np.ones((n, n)), 1)
    assert np.array_equal(generate("murty", n).D.toarray(), U)
    assert np.array_equal(generate("fathi", n).D.toarray(), U.T @ U)


def test_mass_ratios_reach_a_million():
    masses = generate("mass_ratio", 12, 0).M.diagonal()[0::6]
    assert masses.max() / masses.min() == pytest.approx(1e6, rel=1e-12)


def test_an_unknown_kind_and_size_are_refused_together():
    with pytest.raises(ModelError) as caught:
        generate("cathedral", 0, -1)
    assert len(caught.value.faults) == 3 and "wall, vault" in str(caught.value)
