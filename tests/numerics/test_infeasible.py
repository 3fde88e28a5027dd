"""Contacts without a solution: said with multipliers that a checker of its own accepts, and said of no problem that has one."""

import check
import numpy as np
import pytest

from saltus.numerics import Block, FrictionProblem, MixedProblem, generate


def local(problem):
    """The same contacts as W and q."""
    through = np.linalg.solve(problem.M.toarray(), np.column_stack([problem.H.T.toarray(), problem.p0]))
    W, q = problem.H @ through[:, :-1], problem.H @ through[:, -1] + problem.b
    return FrictionProblem([block.parameters[0] for block in problem.blocks], W=W, q=q)


def ball_between_plates(approach, mu=0.3):
    """A ball of mass 1 on the ground, plates left and right that take `approach` away from their gaps a second."""
    M = np.diag([1.0, 1, 1, 0.1, 0.1, 0.1])
    rows = []
    for normal, t1, t2 in (([0, 0, 1], [1, 0, 0], [0, 1, 0]), ([1, 0, 0], [0, 1, 0], [0, 0, 1]), ([-1, 0, 0], [0, 1, 0], [0, 0, -1])):
        arm = -0.1 * np.array(normal)
        rows += [np.concatenate([d, np.cross(arm, d)]) for d in (normal, t1, t2)]
    b = np.zeros(9)
    b[[3, 6]] = -approach
    return FrictionProblem([mu] * 3, M=M, H=np.array(rows), p0=[0.0, 0, -0.05, 0, 0, 0], b=b)


@pytest.mark.parametrize("form", [lambda problem: problem, local])
@pytest.mark.parametrize("approach", [1.0, 1e-3, 1e-6])
@pytest.mark.parametrize("mu", [0.0, 0.3, 5.0])
def test_a_squeezed_ball_has_no_motion(form, approach, mu):
    problem = form(ball_between_plates(approach, mu))
    solution = problem.solve()
    assert solution.status == "infeasible" and "multipliers" in solution.cause
    assert check.contradicts(problem, solution.proof)
    assert np.allclose(solution.proof[[3, 6]], 1.0)  # the plates against each other, the ground has no part in it
    assert solution.proof[0] == 0.0


@pytest.mark.parametrize("form", [lambda problem: problem, local])
@pytest.mark.parametrize("approach", [0.0, -1e-6, -1.0])
def test_plates_that_stand_or_part_are_no_contradiction(form, approach):
    solution = form(ball_between_plates(approach)).solve()
    assert solution.solved and solution.proof.size == 0


@pytest.mark.parametrize("size", [1, 8, 30, 100, 400])
@pytest.mark.parametrize("form", [lambda problem: problem, local])
def test_presses_are_said_to_have_no_solution(size, form):
    for seed in range(3):
        problem = form(generate("press", size, seed))
        solution = problem.solve(flop_budget=5_000_000_000)
        assert solution.status == "infeasible", (seed, solution.status, solution.residual)
        assert check.contradicts(problem, solution.proof)


def test_limits_and_joints_contradict_as_contacts_do():
    """A slider held at rest by a joint, and a limit that recedes past it, beside a ball that rests."""
    M, H = np.eye(4), np.zeros((5, 4))
    H[0, 0] = H[1, 0] = 1.0
    H[2:, 1:] = np.eye(3)
    blocks = [Block("equality", 1), Block("half_line", 1), Block("coulomb_3d", 3, (0.5,))]
    H[2, 0] = 1e-3  # one island
    problem = MixedProblem(blocks, M=M, H=H, p0=[0.0, -1, 0, 0], b=[0.0, -0.1, 0, 0, 0])
    solution = problem.solve()
    assert solution.status == "infeasible" and check.contradicts(problem, solution.proof)
    assert solution.proof[0] == pytest.approx(-1.0) and solution.proof[1] == pytest.approx(1.0)
    problem.b[1] = 0.1
    assert problem.solve().solved


def test_the_checker_takes_no_wrong_proof():
    problem = ball_between_plates(1e-3)
    y = np.zeros(9)
    y[[3, 6]] = 1.0
    assert check.contradicts(problem, y)
    for wrong in (-y, np.zeros(9), np.roll(y, 1), y + np.eye(9)[0], y + np.eye(9)[4]):
        assert not check.contradicts(problem, wrong)
    assert not check.contradicts(ball_between_plates(-1e-3), y)
