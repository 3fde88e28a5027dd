"""Linear complementarity problems with known solution sets."""

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from saltus import ModelError
from saltus.numerics import Block, FrictionProblem, Lcp, MixedProblem, QuadraticProgram, Relay

DATA = Path(__file__).parent.parent / "data" / "numerics"
SMALL = json.loads((DATA / "lcp_small.json").read_text())["truth"]
HARD = json.loads((DATA / "lcp_hard_pivoting.json").read_text())["truth"]


def numbers(rows):
    return np.array([[float(Fraction(x)) for x in row] for row in rows])


@pytest.mark.parametrize("name", SMALL)
def test_all_solutions_of_small_problems(name):
    case = SMALL[name]
    M, q = numbers(case["M"]), numbers([case["q"]])[0]
    problem = Lcp(M, q)
    solution = problem.solve(1e-12)
    if case["count"] == 0:
        assert solution.status == "infeasible"
    else:
        assert solution.status == "solved"
        w = M @ solution.z + q
        assert np.linalg.norm(np.minimum(solution.z, w)) <= 1e-12 * max(1.0, np.linalg.norm(solution.z))
    found, unbounded = problem.all_solutions()
    expected = numbers(case["solutions"]) if case["solutions"] else np.zeros((0, q.size))
    assert len(found) == len(expected)
    for z in expected:
        assert min(np.linalg.norm(z - f) / max(1.0, np.linalg.norm(z)) for f in found) < 1e-12
    assert unbounded == (case["widest_range_of_a_component"] == "unbounded")


@pytest.mark.parametrize("n", [5, 10, 20, 50])
def test_exponential_problems_of_murty_and_fathi(n):
    U = np.eye(n) + 2 * np.triu(np.ones((n, n)), 1)
    murty, fathi = Lcp(U, -np.ones(n)).solve(), Lcp(U.T @ U, -np.ones(n)).solve()
    assert murty.solved and fathi.solved
    assert np.abs(murty.z - np.eye(n)[-1]).max() < 1e-8
    assert np.abs(fathi.z - np.eye(n)[0]).max() < 1e-8
    assert murty.w == pytest.approx(HARD[f"n{n}"]["murty_w"], abs=1e-8)
    T = 4 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)
    band = Lcp(T, -np.ones(n)).solve()
    assert band.z[0] == pytest.approx(HARD[f"n{n}"]["tridiagonal_z_first"], abs=1e-12)
    assert band.z[n // 2] == pytest.approx(HARD[f"n{n}"]["tridiagonal_z_middle"], abs=1e-12)


def test_redundant_contacts_are_flagged_as_not_unique():
    assert Lcp(np.ones((3, 3)), [-2, -2, -2]).solve().not_unique
    assert not Lcp([[2, 1], [1, 2]], [-5, -6]).solve().not_unique


def test_zero_problem_is_solved_by_zero():
    solution = FrictionProblem([0.5], W=np.eye(3), q=np.zeros(3)).solve()
    assert solution.solved and solution.residual == 0.0 and not solution.r.any()


def test_quadratic_program_at_a_corner():
    solution = QuadraticProgram(2 * np.eye(2), [-6, -4], high=[2, np.inf], A=[[1, 1]], a=[4], B=[[0, 1]], b=[1]).solve()
    assert solution.r[:2] == pytest.approx([2, 2], abs=1e-12)


def test_relay_of_a_sliding_mode():
    solution = Relay([[0.002]], [-0.0008], [-1], [1]).solve()
    assert solution.z == pytest.approx([0.4], abs=1e-12)


def test_wrong_shapes_are_model_errors():
    with pytest.raises(ModelError, match="3 x 3, must be 2 x 2"):
        Lcp(np.eye(3), [1, 2]).solve()
    with pytest.raises(ModelError, match="friction is -1"):
        FrictionProblem([-1.0], W=np.eye(3), q=[0, 0, 0]).solve()
    with pytest.raises(ModelError, match="there is no set"):
        MixedProblem([Block("cube", 1)], W=[[1]], q=[1]).solve()
    with pytest.raises(ModelError, match="warm_r: has 2 entries"):
        Lcp(np.eye(3), [1, 2, 3]).solve(warm=[1, 2])
