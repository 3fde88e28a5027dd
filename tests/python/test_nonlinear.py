"""Nonlinear complementarity and variational inequalities: problems of the literature with known solutions, random ones with a made solution."""

import numpy as np
import pytest
from saltus.errors import ModelError
from saltus.numerics import Box, Cone, ConvexQp, ConvexSet, Lcp, Mcp, Ncp, Polyhedron, Projection, Soclcp, VariationalInequality


def kojima_shindo(x):
    a, b, c, d = x
    return [3 * a * a + 2 * a * b + 2 * b * b + c + 3 * d - 6, 2 * a * a + a + b * b + 10 * c + 2 * d - 2,
            3 * a * a + a * b + 2 * b * b + 2 * c + 9 * d - 9, a * a + 3 * b * b + 2 * c + 3 * d - 3]  # fmt: skip


def josephy(x):
    a, b, c, d = x
    return [3 * a * a + 2 * a * b + 2 * b * b + c + 3 * d - 6, 2 * a * a + a + b * b + 3 * c + 2 * d - 2,
            3 * a * a + a * b + 2 * b * b + 2 * c + 3 * d - 1, a * a + 3 * b * b + 2 * c + 3 * d - 3]  # fmt: skip


def mathiesen(x):
    a, b, c, d = x
    return [-b + c + d, a - (4.5 * c + 2.7 * d) / (b + 1), 5 - a - (0.5 * c + 0.3 * d) / (c + 1), 3 - a]


def nash(q):
    """Oligopoly of five firms (Murphy, Sherali, Soyster 1982)."""
    c, beta, gamma = np.array([10.0, 8, 6, 4, 2]), np.array([1.2, 1.1, 1.0, 0.9, 0.8]), 1.1
    Q = q.sum()
    price = (5000 / Q) ** (1 / gamma)
    return c + (q / 5) ** (1 / beta) - price * (1 - q / (gamma * Q))


@pytest.mark.parametrize("start", [(0, 0, 0, 0), (1, 1, 1, 1), (1.25, 0, 0, 0.5), (1, 0, 1, 0), (10, 10, 10, 10)])
def test_kojima_shindo_has_one_of_its_two_solutions(start):
    found = Ncp(kojima_shindo, 4).solve(start)
    truths = ([np.sqrt(6) / 2, 0, 0, 0.5], [1, 0, 3, 0])
    assert found.solved and min(np.abs(found.z - truth).max() for truth in truths) < 1e-7


@pytest.mark.parametrize("start", [(0, 0, 0, 0), (1, 1, 1, 1), (100, 100, 100, 100), (1, 0, 1, 0), (1.25, 0, 0, 0.5)])
def test_josephy_has_its_solution(start):
    found = Ncp(josephy, 4).solve(start)
    assert found.solved and found.z == pytest.approx([np.sqrt(6) / 2, 0, 0, 0.5], abs=1e-8)


def test_mathiesen_has_a_ray_of_solutions():
    found = Ncp(mathiesen, 4).solve((1, 1, 1, 1))
    assert found.solved and np.abs(found.z[1:]).max() < 1e-7 and -1e-9 <= found.z[0] <= 3 + 1e-9


def test_an_oligopoly_comes_to_its_equilibrium():
    found = Mcp(nash, np.full(5, 1e-3), np.full(5, np.inf)).solve(np.full(5, 10.0))
    assert found.solved and found.z == pytest.approx([36.9325, 41.8181, 43.7066, 42.6592, 39.1790], abs=1e-3)


def test_bounds_on_both_sides_hold():
    found = Mcp(lambda z: [z[0] ** 3 - 8, np.exp(z[1]) + 5, z[2] - 1], [-10, -1, -10], [1.5, 4, 10]).solve()
    assert found.solved and found.z == pytest.approx([1.5, -1.0, 1.0], abs=1e-9) and found.w[0] < 0 < found.w[1]


@pytest.mark.parametrize("seed", range(5))
def test_a_linear_problem_is_that_of_the_linear_solvers(seed):
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(12, 12))
    M, q = A @ A.T + 0.1 * np.eye(12), rng.normal(size=12)
    found = Ncp(lambda z: M @ z + q, 12, lambda z: M).solve()
    assert found.solved and found.z == pytest.approx(Lcp(M, q).solve().z, abs=1e-8) and found.iterations <= 2


@pytest.mark.parametrize("seed", range(5))
def test_a_monotone_inequality_over_a_polyhedron_is_solved(seed):
    """F = grad of a convex function plus a skew part: one solution, judged by its own conditions."""
    rng = np.random.default_rng(seed)
    S = rng.normal(size=(4, 4))
    c = 3 * rng.normal(size=4)
    F = lambda z: np.sinh(z) + (S - S.T) @ z + c  # noqa: E731
    A, a = np.vstack([rng.normal(size=(6, 4)), np.eye(4), -np.eye(4)]), np.concatenate([rng.uniform(0.2, 1, 6), np.full(8, 2.0)])
    found = VariationalInequality(F, Polyhedron(A, a)).solve()
    assert found.solved and (A @ found.z <= a + 1e-8).all()
    for _ in range(50):  # F(z).(y - z) >= 0 for all y of the set
        y = Polyhedron(A, a).project(rng.normal(size=4))
        assert found.w @ (y - found.z) >= -1e-7


@pytest.mark.parametrize("mu", [1.0, 0.3])
@pytest.mark.parametrize("seed", range(4))
def test_second_order_cones_meet_their_duals(seed, mu):
    rng = np.random.default_rng(seed)
    cones = [Cone(3, mu), Cone(1), Cone(5, mu), Cone(2, mu)]
    n = sum(cone.rows for cone in cones)
    A = rng.normal(size=(n, n))
    found = Soclcp(A @ A.T / n + 0.05 * np.eye(n) + 0.3 * (A - A.T), rng.normal(size=n), cones).solve()
    assert found.solved and abs(found.z @ found.w) < 1e-8
    at = 0
    for cone in cones:
        z, w = found.z[at : at + cone.rows], found.w[at : at + cone.rows]
        at += cone.rows
        assert np.linalg.norm(z[1:]) <= cone.mu * z[0] + 1e-8 and cone.mu * np.linalg.norm(w[1:]) <= w[0] + 1e-8


def test_the_projection_on_a_cone_is_the_nearest_point_and_has_its_derivative():
    rng = np.random.default_rng(1)
    cone = Cone(4, 0.7)
    for _ in range(40):
        x = rng.normal(size=4)
        z = cone.project(x)
        assert z == pytest.approx(cone.project(z), abs=1e-14) and abs(z @ (x - z)) < 1e-12
        differences = np.column_stack([(cone.project(x + 1e-6 * e) - cone.project(x - 1e-6 * e)) / 2e-6 for e in np.eye(4)])
        assert cone.derivative(x) == pytest.approx(differences, abs=1e-7)


def test_a_convex_program_over_a_box_a_cone_and_a_polyhedron_has_its_least_value():
    rng = np.random.default_rng(2)
    A = rng.normal(size=(8, 8))
    Q, c = A @ A.T, rng.normal(size=8)
    sets = [Box([-1, 0], [1, np.inf]), Cone(3), Polyhedron([[1, 1, 1], [-1, 0, 0]], [1, 0])]
    found = ConvexQp(Q, c, sets).solve()
    assert found.solved
    value = lambda z: z @ Q @ z / 2 + c @ z  # noqa: E731
    for _ in range(200):
        y = np.concatenate([part.project(found.z[rows] + rng.normal(size=part.rows)) for part, rows in zip(sets, (slice(0, 2), slice(2, 5), slice(5, 8)), strict=True)])
        assert value(y) >= value(found.z) - 1e-9


def test_a_projection_is_a_convex_program():
    x = np.array([0.2, -3.0, 1.0])
    assert ConvexQp(np.eye(3), -x, Cone(3)).solve().z == pytest.approx(Cone(3).project(x), abs=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_a_set_of_the_user_gives_the_solution_of_the_set_that_it_equals(seed):
    """A box by formulas and by its projection; F is monotone and not symmetric."""
    rng = np.random.default_rng(seed)
    S, c = rng.normal(size=(3, 3)), 3 * rng.normal(size=3)
    F = lambda z: np.sinh(z) + (S - S.T) @ z + c  # noqa: E731
    low, high = -rng.uniform(0.2, 1, 3), rng.uniform(0.2, 1, 3)
    formulas = [f"z{i} - {h!r}" for i, h in enumerate(high.tolist())] + [f"{h!r} - z{i}" for i, h in enumerate(low.tolist())]
    truth = VariationalInequality(F, Box(low, high)).solve(tolerance=1e-12)
    for K in (ConvexSet(formulas, [0, 0, 0]), Projection(3, lambda x: np.clip(x, low, high))):
        found = VariationalInequality(F, K).solve(tolerance=1e-12)
        assert truth.solved and found.solved and found.z == pytest.approx(truth.z, abs=1e-10)


def test_a_convex_program_over_an_ellipsoid_has_its_closed_form():
    """min c.z over sum (z_i / a_i)^2 <= 1: z = -a^2 c / |a c|."""
    a, c = np.array([1.0, 2.0, 0.5]), np.array([1.0, -1.0, 3.0])
    found = ConvexQp(np.zeros((3, 3)), c, ConvexSet("z0^2 + z1^2/4 + 4*z2^2 - 1", [0, 0, 0])).solve()
    assert found.solved and found.z == pytest.approx(-(a**2) * c / np.linalg.norm(a * c), abs=1e-9)


def test_the_projection_on_a_set_by_formulas_has_its_derivative():
    rng = np.random.default_rng(1)
    K = ConvexSet(["exp(z0) + exp(-z0) + z1^4 - 4", "z0 + z1 - 1"], [0, 0])
    for _ in range(40):
        x = 3 * rng.normal(size=2)
        differences = np.column_stack([(K.project(x + 1e-6 * e) - K.project(x - 1e-6 * e)) / 2e-6 for e in np.eye(2)])
        assert K.derivative(x) == pytest.approx(differences, abs=1e-6)


def test_what_has_no_solution_is_not_called_solved():
    found = Ncp(lambda z: -1 - 0 * z, 2).solve(iterations=6)
    assert found.status == "budget" and found.residual > 1e-3
    assert Ncp(lambda z: np.log(-1 - z), 2).solve().status == "undefined"


def test_mistakes_are_named():
    for make, words in (
        (lambda: Ncp(3, 2), "no function"),
        (lambda: Mcp(np.sin, [1], [0]), "above high"),
        (lambda: Ncp(lambda z: z[:1], 2).solve(), "gives the shape"),
        (lambda: Ncp(np.sin, 2, lambda z: np.eye(3)).solve([1.0, 1.0]), "expected \\(2, 2\\)"),
        (lambda: Cone(0), "from 1"),
        (lambda: Cone(3, -1.0), "above 0"),
        (lambda: Soclcp(np.eye(3), [1, 1, 1], [Cone(2)]), "have 2 rows"),
        (lambda: ConvexQp([[1, 2], [0, 1]], [0, 0], Cone(2)), "not symmetric"),
        (lambda: ConvexQp([[-1]], [0], Cone(1)), "not convex"),
        (lambda: VariationalInequality(np.sin, [3]), "no set"),
        (lambda: Polyhedron([[1, 2]], [1, 2]), "beside 2 bounds"),
        (lambda: Ncp(np.sin, 2).solve([np.nan, 0]), "not finite"),
        (lambda: ConvexSet("z0^2 - z1", [0, 1]), "has no end from \\(0, 1\\) along"),
        (lambda: ConvexSet("z0^2 + y - 1", [0, 0]), "constraints.*'y'"),
        (lambda: ConvexSet("z0^2 + z1^2 - 1", [2, 0]), "is 3 at the point \\(2, 0\\) of `interior`, must be below 0 there"),
        (lambda: Projection(2, lambda x: 0.5 * x), "that it gave by"),
        (lambda: Projection(2, lambda x: np.sign(x)), "further apart"),
    ):
        with pytest.raises(ModelError, match=words):
            make()
