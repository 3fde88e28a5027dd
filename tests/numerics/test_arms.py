"""Arms that run by name, polyhedra and islands, against enumeration and against each other."""

import numpy as np
import pytest

from saltus.numerics import AffineInequality, Block, FrictionProblem, Lcp, MixedProblem, Mlcp, QuadraticProgram, Relay

BOUNDED = ("newton_min", "projected_gradient", "conjugate_projected_gradient", "extragradient")


def definite(rng, n):
    B = rng.normal(size=(n + 2, n))
    return B.T @ B


@pytest.mark.parametrize("solver", BOUNDED)
def test_an_arm_finds_what_enumeration_finds(solver):
    rng = np.random.default_rng(11)
    circles = 0
    for trial in range(45):
        n = 1 + trial % 9
        M, q = definite(rng, n), rng.normal(size=n) - 0.5
        problem = (
            Lcp(M, q),
            Relay(M, q, np.where(rng.random(n) < 0.3, -np.inf, -0.1), np.full(n, 0.2)),
            Mlcp(M, q, np.arange(n) >= n // 3),
        )[trial % 3]
        expected, _ = problem.all_solutions()
        assert len(expected) == 1
        solution = problem.solve(1e-11, solver=solver)
        if solver == "newton_min" and not solution.solved:
            assert "circle" in solution.cause
            circles += 1
            continue
        assert solution.solved, (trial, solution)
        assert solution.r == pytest.approx(expected[0], abs=1e-8 * (1 + np.abs(expected[0]).max()))
    assert circles <= 5


def test_newton_min_is_finite_on_m_matrices():
    for n in (10, 100, 400):  # the obstacle problem of a string
        T = 2 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)
        q = -np.sin(np.linspace(0, 9, n)) / n
        solution = Lcp(T, q).solve(1e-12, solver="newton_min")
        assert solution.solved and solution.iterations <= n
        assert solution.z == pytest.approx(Lcp(T, q).solve(1e-12).z, abs=1e-9)


def test_newton_min_in_a_circle_says_so():
    """P-matrix of Ben Gharbia and Gilbert 2012; the portfolio solves it."""
    M = [[1, 0, 1.5], [1.5, 1, 0], [0, 1.5, 1]]
    solution = Lcp(M, [-1, -1, -1]).solve(1e-10, solver="newton_min", warm=[1, 0, 0])
    assert solution.status == "budget" and "circle" in solution.cause
    assert Lcp(M, [-1, -1, -1]).solve(1e-10).z == pytest.approx([0.4] * 3, abs=1e-12)


@pytest.mark.parametrize("solver", ["projected_gradient", "conjugate_projected_gradient"])
def test_gradients_solve_large_programs_with_bounds(solver):
    n = 1000
    Q = 2 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1) + 1e-3 * np.eye(n)
    problem = QuadraticProgram(Q, np.sin(np.linspace(0, 30, n)), np.full(n, -1.0), np.full(n, 2.0))
    solution = problem.solve(1e-9, solver=solver)
    assert solution.solved, solution
    assert solution.r == pytest.approx(problem.solve(1e-10).r, abs=1e-4)


@pytest.mark.parametrize("solver", ["projected_gradient", "conjugate_projected_gradient"])
def test_gradients_refuse_what_is_no_quadratic_program(solver):
    solution = Lcp([[1, 1], [-1, 1]], [-1, -1]).solve(solver=solver)
    assert solution.status == "unsupported" and "W symmetric" in solution.cause
    with_rows = QuadraticProgram(np.eye(2), [0, 0], A=[[1, 1]], a=[1]).solve(solver=solver)
    assert with_rows.status == "unsupported"
    falling = Lcp([[1, -1], [-1, 1]], [-1, -1]).solve(solver=solver, flop_budget=10**8)
    assert not falling.solved and falling.cause


def test_extragradient_takes_friction_and_rolling():
    rng = np.random.default_rng(12)
    for trial in range(10):
        problem = FrictionProblem(0.6 * rng.random(4), W=definite(rng, 12), q=rng.normal(size=12) - 0.5)
        solution = problem.solve(1e-9, solver="extragradient")
        assert solution.solved, (trial, solution)
        assert solution.r == pytest.approx(problem.solve(1e-11).r, abs=1e-6)


@pytest.mark.parametrize("solver", ["", "pivoting", "sweeps_few", "sweeps", "extragradient"])
def test_polyhedra_against_enumeration(solver):
    rng = np.random.default_rng(13)
    for trial in range(25):
        n = int(rng.integers(1, 4))
        A = np.vstack([rng.normal(size=(2, n)), np.eye(n), -np.eye(n)])
        a = rng.random(2 * n + 2) + 0.1
        problem = AffineInequality(definite(rng, n), 4 * rng.normal(size=n), A, a)
        expected, _ = problem.all_solutions()
        assert len(expected) == 1
        solution = problem.solve(1e-11, solver=solver or None)
        assert solution.solved, (trial, solution)
        assert solution.r == pytest.approx(expected[0], abs=1e-8)
        assert np.all(A @ solution.r <= a + 1e-9)


def test_a_polyhedron_that_is_a_box_is_the_relay():
    rng = np.random.default_rng(14)
    for _ in range(20):
        M, q = definite(rng, 3), 3 * rng.normal(size=3)
        by_facets = AffineInequality(M, q, np.vstack([np.eye(3), -np.eye(3)]), [1, 1, 1, 0.5, 0.5, 0.5]).solve(1e-12)
        assert by_facets.r == pytest.approx(Relay(M, q, [-0.5] * 3, [1] * 3).solve(1e-12).r, abs=1e-10)


@pytest.mark.parametrize("solver", ["", "nsgs", "admm", "sweeps"])
def test_an_island_gives_equal_bits_whatever_stands_beside_it(solver):
    rng = np.random.default_rng(15)
    for trial in range(6):
        parts = [(definite(rng, 3 * k), rng.normal(size=3 * k) - 0.5, 0.8 * rng.random(k)) for k in rng.integers(1, 14, size=4)]
        turns = rng.permutation([k for k, part in enumerate(parts) for _ in part[2]])
        rows = [np.add.outer(3 * np.flatnonzero(turns == k), np.arange(3)).ravel() for k in range(4)]
        W, q, mu = np.zeros((3 * turns.size,) * 2), np.zeros(3 * turns.size), np.zeros(turns.size)
        for (P, p, m), where in zip(parts, rows):
            W[np.ix_(where, where)], q[where], mu[where[::3] // 3] = P, p, m
        whole = FrictionProblem(mu, W=W, q=q)
        found = whole.solve(1e-9, solver=solver or None)
        assert found.solved and found.islands == 4
        warm = whole.solve(1e-9, solver=solver or None, warm=found.r)
        for (P, p, m), where in zip(parts, rows):
            own = FrictionProblem(m, W=P, q=p)
            alone = own.solve(1e-9, solver=solver or None)
            assert np.array_equal(alone.r, found.r[where]) and np.array_equal(alone.w, found.w[where])
            assert np.array_equal(own.solve(1e-9, solver=solver or None, warm=alone.r).r, warm.r[where])


def test_an_island_without_solution_is_named_and_the_others_are_solved():
    solution = MixedProblem([Block("half_line", 1)] * 3, W=np.diag([2.0, -1.0, 4.0]), q=[-4, -1, -4]).solve()
    assert solution.status == "infeasible" and solution.cause.startswith("island 1 (row 1")
    assert solution.r[[0, 2]] == pytest.approx([2, 1], abs=1e-14)


def test_bodies_without_contact_move_freely_in_every_solver():
    from saltus.numerics import solvers

    for name in ("", *solvers()):
        problem = FrictionProblem([0.5, 0.5], M=np.eye(9), H=np.eye(6, 9), p0=[-1, 0.1, 0, -2, 3, 0, 7, 8, 9], b=np.zeros(6))
        solution = problem.solve(1e-10, solver=name or None)
        if solution.status != "unsupported":
            assert solution.islands == 3 and (solution.solved or name), (name, solution)
            assert solution.v[6:] == pytest.approx([7, 8, 9], abs=1e-14)
