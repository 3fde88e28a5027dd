"""Static equilibria of slender structures: rods on bushings against the elastica, at default settings."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_bvp

import saltus as sl

E, WIDTH, LENGTH = 2.1e11, 0.02, 0.5


def strip(n, thickness, scale=1.0):
    """(model, frame at the tip, E I): n boxes on bushings along x, clamped to the ground; `scale`: unit of length in metres."""
    area, inertia = WIDTH * thickness, WIDTH * thickness**3 / 12
    step, m = LENGTH / n, sl.Model(gravity=(0, 0, 0))
    last, L = m.ground, 1 / scale
    for i in range(n):
        piece = m.box(size=(step * L, WIDTH * L, thickness * L), mass=0.1 / n, at=((i + 0.5) * step * L, 0, 0))
        part = step / 2 if i == 0 else step
        stretch = [E * area / part, E * area / part / 2.6, E * area / part / 2.6]
        turn = [E * WIDTH * thickness**3 / 7.8 / part, E * inertia / part, E * thickness * WIDTH**3 / 12 / part]
        K = np.diag([k / L for k in stretch] + [k * L for k in turn])  # newton stays newton
        at = (i * step * L, 0, 0)
        m.add(sl.items.Bushing(A=last.frame(at=at), B=piece.frame(at=at), stiffness=K.tolist()))
        last = piece
    return m, last.frame(at=(LENGTH * L, 0, 0)), E * inertia


def elastica(load, stiffness):
    """Tip (x, z) of a clamped inextensible beam under a dead load at its end, across it: E I theta'' = -F cos(theta)."""
    s = np.linspace(0, LENGTH, 400)
    right = lambda _, y: [y[1], -load / stiffness * np.cos(y[0])]  # noqa: E731
    guess = np.array([1.2 * s / LENGTH, np.full_like(s, 1.2 / LENGTH)])
    theta = solve_bvp(right, lambda a, b: [a[0], b[1]], s, guess, tol=1e-8, max_nodes=100000).sol(s)[0]
    return np.trapezoid(np.cos(theta), s), np.trapezoid(np.sin(theta), s)


@pytest.mark.parametrize("n, thickness, load", [(16, 0.005, 300.0), (16, 5e-4, 0.05), (40, 5e-4, 2.0), (40, 1e-4, 0.05), (16, 5e-4, 20.0)])
def test_a_strip_bends_as_the_elastica(n, thickness, load):
    m, tip, stiffness = strip(n, thickness)
    m.force(tip, (0, 0, load))
    x, _, z = m.static()[tip.position].last
    assert [x, z] == pytest.approx(elastica(load, stiffness), abs=(0.01 if n == 40 else 0.03) * LENGTH)


def test_a_strip_of_millimetres_bends_as_one_of_metres():
    tips = []
    for scale in (1.0, 1e-3):
        m, tip, _ = strip(16, 5e-4, scale)
        m.force(tip, (0, 0, 0.4))
        tips.append(np.asarray(m.static()[tip.position].last) * scale)
    assert tips[1] == pytest.approx(tips[0], abs=1e-7 * LENGTH)


def test_the_iterations_of_a_slender_strip_are_few():
    """16 bushings under a tip load took 2,018 iterations; Newton's in 20 equal load steps takes 90."""
    m, tip, _ = strip(16, 0.01)
    m.force(tip, (0, 0, 1000.0))
    assert m.static().report["iterations"] <= 150


@pytest.mark.parametrize("turns", [0.5, 1.0])
def test_an_end_moment_rolls_a_strip_up(turns):
    """kappa = M / E I: the tip of a whole turn is back at the root."""
    m, tip, stiffness = strip(40, 5e-4)
    m.torque(tip, (0, -turns * 2 * math.pi * stiffness / LENGTH, 0))
    x, _, z = m.static()[tip.position].last
    radius = LENGTH / (2 * math.pi * turns)
    truth = [radius * math.sin(2 * math.pi * turns), radius * (1 - math.cos(2 * math.pi * turns))]
    assert [x, z] == pytest.approx(truth, abs=0.02 * LENGTH)


def test_a_load_without_equilibrium_says_how_far_it_came():
    """A mass on a short rod that a force pushes on without end: a slider without a spring."""
    m = sl.Model(gravity=(0, 0, 0))
    box = m.box(size=(0.1, 0.1, 0.1), mass=1, at=(0, 0, 0))
    m.prismatic(m.ground, box, axis="x")
    m.force(box, (1, 0, 0))
    with pytest.raises(sl.RunError) as error:
        m.static()
    assert "0.000000" not in str(error.value) and "free to move" in str(error.value)
