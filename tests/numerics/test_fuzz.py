"""Generated problems: never `solved` above the tolerance, and those that must have a solution are solved."""

import fuzz
import numpy as np
import pytest

from saltus.numerics import Block, MixedProblem


@pytest.mark.parametrize("hundred", range(5))
def test_generated_problems(hundred):
    for seed in range(100 * hundred, 100 * hundred + 100):
        fuzz.run(seed)


@pytest.mark.parametrize("seed", [1713, 6123])
def test_contacts_beside_a_relay_whose_sweeps_circle(seed):
    assert fuzz.run(seed) == "solved"


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
    problem = MixedProblem(blocks, W=M, q=q)
    solution = problem.solve(fuzz.TOLERANCE)
    assert solution.status == "solved", solution
    fuzz.judged(problem, solution)
