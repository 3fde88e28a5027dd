"""Generated problems: never `solved` above the tolerance, and those that must have a solution are solved."""

import check
import numpy as np
import pytest

from saltus.numerics import Block, Lcp, MixedProblem, Relay, RollingFrictionProblem

TOLERANCE = 1e-8


def natural_map(blocks, r, w):
    error, row = np.array(w), 0
    for block in blocks:
        part, p = slice(row, row + block.rows), block.parameters
        if block.set == "half_line":
            error[part] = np.minimum(r[part], w[part])
        elif block.set == "box":
            low, high = np.array(p[: block.rows]), np.array(p[block.rows :])
            error[part] = r[part] - np.clip(r[part] - w[part], low, high)
        elif block.set.startswith(("coulomb", "rolling")):
            error[part] = check.cone_map(r[part], w[part], block.rows, [list(p)])
        row += block.rows
    return error


def judged(blocks, W, q, solution):
    w = W @ solution.r + q
    residual = check.ratio(natural_map(blocks, solution.r, w), q, solution.r, w)
    if solution.status == "solved":
        assert residual <= 1.01 * TOLERANCE
    else:
        assert residual > 0.99 * TOLERANCE or solution.scaled_residual > TOLERANCE
    assert np.all(np.isfinite(solution.r))
    return residual


def monotone(rng, n, rank, skew=0.0):
    B = rng.normal(size=(rank, n))
    S = rng.normal(size=(n, n)) * skew
    return B.T @ B + S - S.T


@pytest.mark.parametrize("seed", range(200))
def test_generated_problem(seed):
    rng = np.random.default_rng(seed)
    kind = seed % 5
    n = int(rng.integers(1, 13))
    if kind == 0:  # feasible monotone LCP, often singular: always solvable (Cottle 1968)
        M = monotone(rng, n, int(rng.integers(1, n + 1)), 0.5 * (seed % 2))
        q = np.abs(rng.normal(size=n)) - M @ np.abs(rng.normal(size=n))
        blocks, problem = [Block("half_line", n)], Lcp(M, q)
        must = True
    elif kind == 1:  # any matrix: may have no solution, must not lie
        M, q = rng.normal(size=(n, n)), rng.normal(size=n)
        blocks, problem = [Block("half_line", n)], Lcp(M, q)
        must = False
    elif kind == 2:  # bounded boxes, any matrix: a solution exists (Brouwer)
        M, q = monotone(rng, n, n, 1.0), rng.normal(size=n) * 3
        low, high = -rng.random(n), rng.random(n)
        blocks, problem = [Block("box", n, (*low, *high))], Relay(M, q, low, high)
        must = True
    elif kind == 3:  # contacts on a regular W, with equality rows and boxes beside them
        contacts = int(rng.integers(1, 4))
        blocks = [Block("equality", 2), Block("box", 1, (-1.0, 1.0))]
        blocks += [Block("coulomb_3d" if seed % 2 else "coulomb_2d", 3 if seed % 2 else 2, (rng.random(),)) for _ in range(contacts)]
        size = sum(block.rows for block in blocks)
        M, q = monotone(rng, size, size + 2), rng.normal(size=size)
        problem, must = MixedProblem(blocks, W=M, q=q), True
    else:
        contacts = int(rng.integers(1, 3))
        mu, mu_r = rng.random(contacts), 0.2 * rng.random(contacts)
        blocks = [Block("rolling_3d", 5, (m, s)) for m, s in zip(mu, mu_r)]
        M, q = monotone(rng, 5 * contacts, 5 * contacts + 2), rng.normal(size=5 * contacts)
        problem, must = RollingFrictionProblem(mu, mu_r, W=M, q=q), True
    solution = problem.solve(TOLERANCE)
    judged(blocks, M, q, solution)
    if must:
        assert solution.status == "solved", (solution.status, solution.residual, solution.cause)
    if solution.status == "infeasible":
        found, _ = problem.all_solutions()
        assert not found


@pytest.mark.parametrize("seed", range(20))
def test_floating_circuits_of_diodes(seed):
    """Potentials of a net of diodes and resistors that touches ground through diodes alone: the conductance is singular."""
    rng = np.random.default_rng(1000 + seed)
    nodes, diodes = int(rng.integers(2, 6)), int(rng.integers(3, 9))
    G = np.zeros((nodes, nodes))
    for _ in range(nodes):
        a, b = rng.choice(nodes, 2, replace=False)
        g = 10.0 ** rng.uniform(-4, 0)
        G[a, a] += g
        G[b, b] += g
        G[a, b] -= g
        G[b, a] -= g
    B = np.zeros((nodes, diodes))  # column: +1 at the anode, -1 at the cathode, ground has no row
    for k in range(diodes):
        a, c = rng.choice(nodes + 1, 2, replace=False)
        if a < nodes:
            B[a, k] += 1
        if c < nodes:
            B[c, k] -= 1
    # Sources that some diode currents and potentials can balance, so that a solution exists (monotone, feasible).
    z, x = np.abs(rng.normal(size=diodes)), rng.normal(size=nodes)
    M = np.block([[G, B], [-B.T, np.zeros((diodes, diodes))]])
    y = np.abs(rng.normal(size=diodes))
    q = np.concatenate([-(G @ x + B @ z), y + B.T @ x])
    blocks = [Block("equality", nodes), Block("half_line", diodes)]
    solution = MixedProblem(blocks, W=M, q=q).solve(TOLERANCE)
    assert solution.status == "solved", solution
    judged(blocks, M, q, solution)
