"""Contacts of the less common sets against their laws in physical terms."""

import numpy as np
import pytest

from saltus.numerics import Block, FrictionProblem, MixedProblem, RollingFrictionProblem


def regular(rng, n):
    A = rng.normal(size=(n, n + 2))
    return A @ A.T / n + 0.2 * np.eye(n)


@pytest.mark.parametrize("seed", range(12))
def test_orthotropic_friction_takes_the_most_power_of_its_ellipse(seed):
    """|(r_1/mu_1, r_2/mu_2)| <= r_n, and sliding, no other force in it takes more power: r_T = -r_n (mu_1^2 w_1, mu_2^2 w_2)/|(mu_1 w_1, mu_2 w_2)|."""
    rng = np.random.default_rng(seed)
    mu = np.array([0.2, 0.7])
    problem = MixedProblem([Block("orthotropic", 3, tuple(mu))] * 2, W=regular(rng, 6), q=rng.normal(size=6) - np.tile([2.0, 0, 0], 2))
    solution = problem.solve(1e-12)
    assert solution.solved
    for r, w in zip(solution.r.reshape(2, 3), solution.w.reshape(2, 3)):
        assert r[0] >= 0 and w[0] >= -1e-11 and r[0] * w[0] == pytest.approx(0.0, abs=1e-10)
        reach = np.linalg.norm(r[1:] / mu)
        assert reach <= r[0] + 1e-10
        if np.linalg.norm(w[1:]) > 1e-8:
            expected = -r[0] * mu**2 * w[1:] / np.linalg.norm(mu * w[1:])
            assert r[1:] == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("seed", range(6))
def test_equal_axes_are_coulombs_cone(seed):
    rng = np.random.default_rng(seed)
    W, q = regular(rng, 9), rng.normal(size=9) - np.tile([1.0, 0, 0], 3)
    cone = FrictionProblem([0.3] * 3, W=W, q=q).solve(1e-11)
    ellipse = MixedProblem([Block("orthotropic", 3, (0.3, 0.3))] * 3, W=W, q=q).solve(1e-11)
    assert cone.solved and ellipse.solved and cone.r == pytest.approx(ellipse.r, abs=1e-8)


@pytest.mark.parametrize("dimension, arms", [(3, 1), (5, 2)])
@pytest.mark.parametrize("seed", range(8))
def test_rolling_contacts_resist_slip_and_roll_apart(seed, dimension, arms):
    """Each part by its own bound: at rest, or at the bound against its motion."""
    rng = np.random.default_rng(seed)
    contacts, mu, mu_r = 2, 0.4, 0.05
    n = dimension * contacts
    q = rng.normal(size=n) - np.tile(np.eye(dimension)[0] * 2.0, contacts)
    solution = RollingFrictionProblem([mu] * contacts, [mu_r] * contacts, W=regular(rng, n), q=q, dimension=dimension).solve(1e-12)
    assert solution.solved
    for r, w in zip(solution.r.reshape(contacts, -1), solution.w.reshape(contacts, -1)):
        assert r[0] >= 0 and w[0] >= -1e-11 and r[0] * w[0] == pytest.approx(0.0, abs=1e-10)
        for bound, part in ((mu, slice(1, 1 + arms)), (mu_r, slice(1 + arms, 1 + 2 * arms))):
            size, speed = np.linalg.norm(r[part]), np.linalg.norm(w[part])
            assert size <= bound * r[0] + 1e-10
            if speed > 1e-8:
                assert r[part] == pytest.approx(-bound * r[0] * w[part] / speed, abs=1e-8)
