"""How the worst block fits its law, against what is known of the point."""

import numpy as np
import pytest

from saltus.numerics import Block, FrictionProblem, MixedProblem, Relay
from saltus.numerics.blocks import block_fit


def moved(problem, dr):
    """The solution with r changed, w and all else as found."""
    from dataclasses import replace

    solution = problem.solve()
    assert solution.solved
    return replace(solution, r=solution.r + np.asarray(dr))


def test_a_solution_fits_every_block():
    blocks = [Block("equality", 1), Block("half_line", 2), Block("box", 1, (-1.0, 1.0)), Block("coulomb_3d", 3, (0.3,)), Block("rolling_3d", 5, (0.3, 0.1))]
    rng = np.random.default_rng(2)
    A = rng.normal(size=(12, 14))
    problem = MixedProblem(blocks, W=A @ A.T, q=rng.normal(size=12))
    solution = problem.solve(1e-10)
    for k in range(len(blocks)):
        fit = block_fit(problem, solution, k)
        assert max(fit.outside, fit.against, abs(fit.product)) < 1e-8
    assert block_fit(problem, solution, 3).rows == (4, 6)


def test_what_is_wrong_is_reported_in_the_terms_of_the_law():
    contact = FrictionProblem([0.5], W=np.eye(3), q=[-1.0, 0.1, 0.0])  # sticks: r = (1, -0.1, 0)
    assert block_fit(contact, moved(contact, [0, -1.4, 0]), 0).outside == pytest.approx(1.0 / np.hypot(1, 0.5))
    slides = FrictionProblem([0.5], W=np.eye(3), q=[-1.0, 2.0, 0.0])  # r = (1, -0.5, 0), w = (0, 1.5, 0)
    assert block_fit(slides, moved(slides, [0, 0.5, 0]), 0).product == pytest.approx(0.75)  # no friction: the power that is missing
    relay = Relay([[1.0]], [-3.0], [-1.0], [1.0])  # r = 1, w = -2
    fit = block_fit(relay, moved(relay, [-0.5]), 0)
    assert fit.product == pytest.approx(1.0) and fit.outside == 0.0 and "box, rows 0 to 0" in str(fit)
