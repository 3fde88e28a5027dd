"""Power of friction laws whose bound is not Coulomb's alone, on random problems: what they say of it."""

import numpy as np
import pytest

from scipy.sparse import csr_matrix

from saltus.numerics import Block, Problem


def definite(rng, n):
    B = rng.normal(size=(n + 2, n))
    return B.T @ B / n + 0.2 * np.eye(n)


def stribeck(slip, at_rest=0.6, sliding=0.4, speed=0.8, exponent=1.0, growth=0.1):
    return sliding + (at_rest - sliding) * np.exp(-((slip / speed) ** exponent)) + growth * slip


LAWS = {  # rows, parameters, power taken from r_n and w
    "contensou": (6, (0.5, 0.2), lambda n, w: n * np.hypot(0.5 * np.hypot(w[1], w[2]), 0.2 * w[5])),
    "stribeck_2d": (2, (0.6, 0.4, 0.8, 1.0, 0.1), lambda n, w: n * abs(w[1]) * stribeck(abs(w[1]))),
    "stribeck_3d": (3, (0.6, 0.4, 0.8, 1.0, 0.1), lambda n, w: n * np.hypot(w[1], w[2]) * stribeck(np.hypot(w[1], w[2]))),
    "ball": (3, (0.7,), lambda n, w: 0.7 * np.linalg.norm(w)),
}


@pytest.mark.parametrize("law", LAWS)
def test_a_law_takes_the_power_that_it_says(law):
    rng = np.random.default_rng(21)
    rows, parameters, power = LAWS[law]
    slides = 0
    for trial in range(1000):
        b = rng.normal(size=rows)
        if law != "ball":
            b[0] -= 1.0
        s = Problem(D=csr_matrix(definite(rng, rows)), b=b, blocks=[Block(law, rows, parameters)]).solve(1e-10)
        assert s.solved, (trial, s)
        taken = -s.r @ s.w
        assert taken == pytest.approx(power(s.r[0], s.w), abs=1e-7)
        assert taken >= -1e-8
        slides += taken > 1e-3
    assert slides > 300


def test_a_characteristic_is_met_on_its_line():
    rng = np.random.default_rng(22)
    corners = np.array([[-1, 2], [0, 2], [0, -1], [1, -1.5], [1, -4], [2, -4]])
    parts = set()
    for _ in range(1000):
        s = Problem(D=csr_matrix(definite(rng, 2)), b=4 * rng.normal(size=2), blocks=[Block("graph", 2, (6, *corners.ravel()))]).solve(1e-10)
        assert s.solved
        for r, w in zip(s.r, s.w):
            off = []
            for i, ((w0, r0), (w1, r1)) in enumerate(zip(corners, corners[1:])):
                along = ((w - w0) * (w1 - w0) + (r - r0) * (r1 - r0)) / ((w1 - w0) ** 2 + (r1 - r0) ** 2)
                along = np.clip(along, -np.inf if i == 0 else 0, np.inf if i == 4 else 1)
                off.append(np.hypot(w - w0 - along * (w1 - w0), r - r0 - along * (r1 - r0)))
            parts.add(int(np.argmin(off)))
            assert min(off) < 1e-8
    assert parts == {0, 1, 2, 3, 4}


def test_wrong_corners_are_named():
    with pytest.raises(Exception, match="multiplier rises from corner 0 to 1"):
        Problem(D=csr_matrix(np.eye(1)), b=np.zeros(1), blocks=[Block("graph", 1, (2, 0, 0, 1, 1))]).solve()
