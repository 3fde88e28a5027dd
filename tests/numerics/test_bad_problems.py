"""Bad input: a clear error, or the right answer; never a crash, never a NaN, never `solved` without a solution."""

import numpy as np
import pytest
import scipy.sparse as sparse

from saltus import ModelError
from saltus.numerics import AffineInequality, Block, FrictionProblem, Lcp, MixedProblem, QuadraticProgram, Relay, generate, solvers

EYE = np.eye(3)


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda: FrictionProblem([0.5], W=np.full((3, 3), np.nan), q=[0, 0, 0]), "D: entry 0 is -?nan"),
        (lambda: FrictionProblem([0.5], W=EYE, q=[0, np.nan, 0]), "b: entry 1 is -?nan"),
        (lambda: FrictionProblem([np.nan], W=EYE, q=[0, 0, 0]), "friction is -?nan"),
        (lambda: FrictionProblem([np.inf], W=EYE, q=[0, 0, 0]), "friction is inf"),
        (lambda: FrictionProblem([0.5], M=EYE, H=EYE, p0=[0, np.inf, 0], b=[0, 0, 0]), "p0: entry 1 is inf"),
        (lambda: FrictionProblem([0.5], M=EYE, H=np.diag([1, np.nan, 1]), p0=[0, 0, 0], b=[0, 0, 0]), "H: entry"),
        (lambda: FrictionProblem([0.5], W=np.eye(4), q=[0, 0, 0]), "D: is 4 x 4, must be 3 x 3"),
        (lambda: FrictionProblem([0.5, 0.5], W=EYE, q=[0, 0, 0]), "rows 3 to 5 are outside"),
        (lambda: FrictionProblem([0.5], W=np.eye(6), q=np.zeros(6)), "row 3 has no law"),
        (lambda: FrictionProblem([0.5], M=EYE, H=np.ones((3, 2)), p0=[0, 0, 0], b=[0, 0, 0]), "H: is 3 x 2, must be 3 x 3"),
        (lambda: FrictionProblem([0.5], M=EYE, H=EYE, p0=[0, 0], b=[0, 0, 0]), "M: is 3 x 3, must be 2 x 2"),
        (lambda: FrictionProblem([-0.5], W=EYE, q=[0, 0, 0]), "friction is -0.5"),
        (lambda: FrictionProblem([0.5], W=EYE, q=[0, 0, 0], dimension=4), "dimension: is 4"),
        (lambda: FrictionProblem([0.5], W=EYE), "needs q"),
        (lambda: FrictionProblem([0.5], M=EYE, H=EYE), "p0, b neither"),
        (lambda: FrictionProblem([0.5], W="wood", q=[0, 0, 0]), "no matrix of numbers"),
        (lambda: FrictionProblem([[0.5]], W=EYE, q=[0, 0, 0]), "must be one-dimensional"),
        (lambda: Relay([[1]], [0], [1], [-1]), "must not exceed"),
        (lambda: Relay([[1]], [0], [np.nan], [1]), "bounds"),
        (lambda: AffineInequality([[1.0]], [0.0], [[1.0], [-1.0]], [-1.0, -1.0]), "no point lies within all facets"),
        (lambda: AffineInequality([[1.0]], [0.0], [[1.0, 2.0]], [1.0]), "is 1 x 2, must be 1 x 1"),
        (lambda: QuadraticProgram(EYE, [0, 0, 0], A=[[1, 2]], a=[1]), "A: is 1 x 2"),
    ],
)
def test_a_mistake_is_named(make, words):
    with pytest.raises(ModelError, match=words):
        make().solve()


@pytest.mark.parametrize("solver", ["", *solvers()])
def test_every_solver_refuses_nan_and_survives_odd_problems(solver):
    with pytest.raises(ModelError):
        FrictionProblem([0.5], W=np.full((3, 3), np.nan), q=[0, 0, 0]).solve(solver=solver or None)
    odd = [
        FrictionProblem([], W=np.zeros((0, 0)), q=[]),
        FrictionProblem([0.5], W=np.zeros((3, 3)), q=[-1.0, 0.2, 0.0]),  # nothing can move it apart
        FrictionProblem([0.5], M=np.diag([1.0, 1.0, 0.0]), H=EYE, p0=[1, 1, 1], b=[0, 0, 0]),
        Lcp(np.zeros((2, 2)), [-1.0, 1.0]),
        Lcp(np.diag([1e-300, 1e300]), [-1.0, -1.0]),
    ]
    for problem in odd:
        solution = problem.solve(solver=solver or None, flop_budget=20_000_000)
        assert np.all(np.isfinite(solution.r)) and np.all(np.isfinite(solution.v))
        assert solution.solved or solution.cause
        if solution.solved:
            assert solution.residual <= 1e-8 and solution.scaled_residual <= 1e-8


def test_zero_contacts_move_freely():
    solution = FrictionProblem([], M=2 * EYE, H=np.zeros((0, 3)), p0=[2, 4, 6], b=[]).solve()
    assert solution.solved and solution.v == pytest.approx([1, 2, 3], abs=1e-15)
    assert FrictionProblem([], W=np.zeros((0, 0)), q=[]).solve().solved


def test_a_mass_of_zero_that_no_row_holds_is_no_solution():
    """0 v = 1 has none; held by the contact it has: r = -1 there."""
    free = FrictionProblem([0.5], M=np.diag([1.0, 1.0, 1.0, 0.0]), H=np.eye(3, 4), p0=[-1, 0, 0, 1], b=[0, 0, 0]).solve(flop_budget=10**9)
    assert not free.solved and free.cause
    held = MixedProblem([Block("half_line", 1)], M=[[0.0]], H=[[1.0]], p0=[-1.0], b=[0.0]).solve()
    assert held.solved and held.r == pytest.approx([1.0], abs=1e-12)


def test_empty_columns_of_H_move_freely():
    H = np.zeros((3, 6))
    H[:, [0, 2, 5]] = EYE
    solution = FrictionProblem([0.5], M=np.eye(6), H=H, p0=[-1, 7, 0, 8, 9, 0], b=[0, 0, 0]).solve(1e-12)
    assert solution.solved and solution.v == pytest.approx([0, 7, 0, 8, 9, 0], abs=1e-12)
    assert solution.r == pytest.approx([1, 0, 0], abs=1e-12)


def test_an_empty_row_of_H_is_judged_by_b():
    H = np.diag([0.0, 1.0, 1.0])
    apart = FrictionProblem([0.5], M=EYE, H=H, p0=[0, 0, 0], b=[0.1, 0, 0]).solve()
    assert apart.solved and not apart.r.any()
    into = FrictionProblem([0.5], M=EYE, H=H, p0=[0, 0, 0], b=[-0.1, 0, 0]).solve(flop_budget=10**9)
    assert not into.solved and into.cause


@pytest.mark.parametrize("copies", [2, 7])
def test_duplicated_contacts_share_what_one_carries(copies):
    rng = np.random.default_rng(1)
    B = rng.normal(size=(5, 3))
    W, q = B.T @ B + EYE, np.array([-1.0, 0.8, 0.2])
    one = FrictionProblem([0.4], W=W, q=q).solve(1e-11)
    many = FrictionProblem([0.4] * copies, W=np.kron(np.ones((copies, copies)), W), q=np.tile(q, copies)).solve(1e-11)
    assert many.solved
    assert many.r.reshape(copies, 3).sum(axis=0) == pytest.approx(one.r, abs=1e-9)
    assert many.u[:3] == pytest.approx(one.u, abs=1e-9)


def test_friction_zero_is_the_frictionless_problem():
    problem = generate("wall", 30, 1)
    rows = np.arange(0, problem.b.size, 3)
    without = FrictionProblem(np.zeros(rows.size), M=problem.M, H=problem.H, p0=problem.p0, b=problem.b).solve(1e-10)
    H = sparse.csr_array(problem.H)[rows]
    normal = MixedProblem([Block("half_line", 1)] * rows.size, M=problem.M, H=H,
                          p0=problem.p0, b=problem.b[rows]).solve(1e-10)  # fmt: skip
    assert without.solved and normal.solved
    assert not without.r.reshape(-1, 3)[:, 1:].any()
    assert without.v == pytest.approx(normal.v, abs=1e-7)


def test_friction_of_a_million_sticks():
    rng = np.random.default_rng(2)
    B = rng.normal(size=(12, 9))
    W, r0 = B.T @ B, np.tile([1.0, 0.3, -0.2], 3)
    solution = FrictionProblem([1e6] * 3, W=W, q=-W @ r0).solve(1e-10)
    assert solution.solved
    assert solution.r == pytest.approx(r0, abs=1e-7)


def test_one_island_of_a_hundred_thousand_contacts():
    problem = generate("grid", 100_000, 0)
    solution = problem.solve(1e-8)
    assert len(problem.blocks) > 99_000 and solution.islands == 1
    assert solution.solved or (solution.cause and np.isfinite(solution.residual))
    dynamics = problem.M @ solution.v - problem.p0 - problem.H.T @ solution.r
    assert np.linalg.norm(dynamics) <= 1e-8 * np.linalg.norm(problem.p0)


@pytest.mark.parametrize("solver", list(solvers()))
def test_a_refusal_says_what_is_taken(solver):
    """An orthotropic cone beside a relay: what a solver cannot take it names."""
    blocks = [Block("orthotropic", 3, (0.3, 0.5))] * 13 + [Block("box", 1, (-1.0, 1.0))]
    solution = MixedProblem(blocks, W=np.eye(40), q=-np.ones(40)).solve(solver=solver)
    assert solution.solved or (solution.status == "unsupported" and "takes" in solution.cause), solution
