"""One contact with a coupled W: open, stick and slip by their closed forms, to 1e-12.

Slip in the plane, direction s = +-1: r_t = -s mu r_n, r_n = -q_n/(a - s mu c), u_t = q_t + (c - s mu d) r_n of sign s.
Slip in space along e = (cos, sin): r = r_n (1, -mu e), r_n = -q_n/(W_nn - mu W_nT e), and u_T = q_T + (W_Tn - mu W_TT e) r_n
parallel to e. Times the denominator, e^ . u_T = 0 (e^ = (-sin, cos)) is a trigonometric polynomial of degree 2, with
z = exp(i angle) a quartic: its roots on the unit circle are all candidates. Where |W_nT| mu < W_nn and W is positive definite
exactly one state holds."""

import numpy as np
import pytest

from saltus.numerics import FrictionProblem

TOLERANCE = 1e-12


def planar(W, q, mu):
    if q[0] >= 0:
        return np.zeros(2), "open"
    r = -np.linalg.solve(W, q)
    if abs(r[1]) <= mu * r[0]:
        return r, "stick"
    found = []
    for s in (1.0, -1.0):
        rn = -q[0] / (W[0, 0] - s * mu * W[0, 1])
        if rn > 0 and s * (q[1] + (W[1, 0] - s * mu * W[1, 1]) * rn) > 0:
            found.append(np.array([rn, -s * mu * rn]))
    assert len(found) == 1
    return found[0], "slip"


def spatial(W, q, mu):
    if q[0] >= 0:
        return np.zeros(3), "open"
    r = -np.linalg.solve(W, q)
    if np.hypot(*r[1:]) <= mu * r[0]:
        return r, "stick"

    def across(angle):  # e^ . u_T times the denominator
        e, normal = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
        return normal @ (q[1:] * (W[0, 0] - mu * W[0, 1:] @ e) - q[0] * (W[1:, 0] - mu * W[1:, 1:] @ e))

    # Five samples fix a trigonometric polynomial of degree 2; z^2 times it is the quartic.
    angles = 2 * np.pi * np.arange(5) / 5
    c = np.fft.fft([across(a) for a in angles]) / 5  # c_0, c_1, c_2, c_-2, c_-1
    roots = np.roots([c[2], c[1], c[0], c[4], c[3]])
    found = []
    for angle in np.angle(roots[np.abs(np.abs(roots) - 1) < 1e-6]):
        for _ in range(4):  # polish: the derivative by the complex step would need analytic code, a secant does
            slope = (across(angle + 1e-6) - across(angle - 1e-6)) / 2e-6
            angle -= across(angle) / slope
        e = np.array([np.cos(angle), np.sin(angle)])
        rn = -q[0] / (W[0, 0] - mu * W[0, 1:] @ e)
        if rn > 0 and e @ (q[1:] + (W[1:, 0] - mu * W[1:, 1:] @ e) * rn) > 0:
            found.append(rn * np.array([1.0, *(-mu * e)]))
    assert len(found) == 1
    return found[0], "slip"


def cases(size, count):
    rng = np.random.default_rng(size)
    while count:
        B = rng.normal(size=(size + 2, size))
        W = B.T @ B
        mu = 10.0 ** rng.uniform(-3, 1.5)
        if mu * np.linalg.norm(W[0, 1:]) >= 0.7 * W[0, 0]:  # more than one state may hold
            mu = 0.6 * W[0, 0] / np.linalg.norm(W[0, 1:]) * rng.random()
        q = rng.normal(size=size) - np.eye(size)[0] * rng.integers(0, 3)
        yield W, q, mu
        count -= 1


@pytest.mark.parametrize("size, closed_form", [(2, planar), (3, spatial)])
def test_one_contact_is_exact(size, closed_form):
    states = {"open": 0, "stick": 0, "slip": 0}
    for W, q, mu in cases(size, 400):
        expected, state = closed_form(W, q, mu)
        states[state] += 1
        solution = FrictionProblem([mu], W=W, q=q, dimension=size).solve(TOLERANCE)
        assert solution.solved, (state, mu, solution)
        assert np.abs(solution.r - expected).max() <= 1e-12 * max(1.0, np.abs(expected).max()), (state, mu)
    assert min(states.values()) > 20, states


@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize("mu", [0.0, 1e-9, 0.3, 1.0, 1e3, 1e6])
def test_one_contact_without_coupling_at_any_friction(size, mu):
    """W = diag: r_n = -q_n/W_n; stick with r_T = -q_T/W_T up to mu r_n, else mu r_n against q_T."""
    for pull in (0.0, 0.1, 3.0, 1e4):
        q = np.array([-1.0, pull] if size == 2 else [-1.0, 0.6 * pull, -0.8 * pull])
        solution = FrictionProblem([mu], W=np.diag([2.0, 0.5, 0.5][:size]), q=q, dimension=size).solve(TOLERANCE)
        assert solution.solved, solution
        tangential = min(2.0 * pull, mu * 0.5)
        expected = np.concatenate([[0.5], -q[1:] / pull * tangential if pull else 0 * q[1:]])
        # In units of the impulse that would end the slip: q is of that size, its rounding cannot be undone.
        assert np.abs(solution.r - expected).max() <= 1e-12 * max(1.0, 2.0 * pull)


def test_the_same_contact_in_motions():
    """M = diag(m), H: the contact of a sliding mass, by dynamics."""
    for push, mu in ((0.1, 0.5), (2.0, 0.5), (2.0, 0.0)):
        M, H = np.diag([3.0, 3.0, 3.0]), np.eye(3)
        solution = FrictionProblem([mu], M=M, H=H, p0=[-6.0, 3 * push, 0.0], b=np.zeros(3)).solve(TOLERANCE)
        rt = min(3 * push, mu * 6.0)
        assert solution.r == pytest.approx([6.0, -rt, 0.0], abs=1e-11)
        assert solution.v == pytest.approx([0.0, push - rt / 3, 0.0], abs=1e-12)
