"""Tops: free and heavy, steady and nutating, asleep above the critical spin; Euler's equations in Jacobi's functions."""

import math

import numpy as np

import saltus as sl
from saltus.verification.independent._truth import both, integrate
from saltus.verification.models import free_body

G = 9.81


def asymmetrical(case):
    """Landau and Lifshitz, Mechanics, section 37, with M^2 > 2 E I2."""
    from scipy.special import ellipj, ellipk

    I = np.array([1.0, 2.0, 2.5])  # noqa: E741
    w = np.array([0.4, 0.0, 3.0])
    E2, M2 = I @ w**2, (I**2) @ w**2
    k2 = (I[1] - I[0]) * (E2 * I[2] - M2) / ((I[2] - I[1]) * (M2 - E2 * I[0]))
    rate = math.sqrt((I[2] - I[1]) * (M2 - E2 * I[0]) / I.prod())
    turns = 6
    t = turns * 4 * ellipk(k2) / rate + 1.3
    sn, cn, dn, _ = ellipj(rate * 1.3, k2)
    truth = [
        w[0] * cn, math.sqrt((E2 * I[2] - M2) / (I[1] * (I[2] - I[1]))) * sn, w[2] * dn
    ]  # fmt: skip
    yield from both(
        case, "asymmetrical free top, six periods: w in the body", lambda: free_body(I, w), t, ["body.angular_velocity_body"],
        truth, 3.0, source="Landau, Lifshitz, section 37",
    )  # fmt: skip


def flips(case):
    I = np.array([1.0, 1.5, 2.0])  # noqa: E741
    w = [1e-3, 5.0, 1e-3]

    def f(t, y):
        R = y[3:].reshape(3, 3)
        return [*(np.cross(I * y[:3], y[:3]) / I), *np.cross(R, y[:3]).ravel()]

    y = integrate(f, [*w, *np.eye(3).ravel()], 12.0)
    yield from both(
        case, "spin about the middle axis, several flips: w in the body, axis", lambda: free_body(I, w), 12.0,
        lambda r: [*r["body.angular_velocity_body"].last, *np.ravel(r["body.rotation_matrix"].last)], y, 5.0,
        source="scipy, Euler's equations and R' = R [w]",
    )  # fmt: skip


def symmetrical(case):
    a, c, t = 1.0, 1.8, 7.0
    w = np.array([0.5, 0.0, 20.0])
    s = (c - a) / a * w[2]
    body = [0.5 * math.cos(s * t), 0.5 * math.sin(s * t), 20.0]
    # In the world: the axis turns about the momentum with the rate L / a.
    L = np.array([a * 0.5, 0, c * 20.0])
    size = np.linalg.norm(L)
    n, z = L / size, np.array([0, 0, 1.0])
    q = size / a * t
    axis = z * math.cos(q) + np.cross(n, z) * math.sin(q) + n * (n @ z) * (1 - math.cos(q))
    yield from both(
        case, "free symmetrical top of 20 rad/s: w in the body, axis in the world", lambda: free_body((a, a, c), w), t,
        lambda r: [*r["body.angular_velocity_body"].last, *np.reshape(r["body.rotation_matrix"].last, (3, 3))[:, 2]],
        [*body, *axis], source="rates (C - A) w3 / A and L / A",
    )  # fmt: skip


A0, C0, ARM, MASS = 0.05, 0.02, 0.3, 1.0  # inertia about the centre of mass, across and along; arm, mass


def top(tilt, spin, precession):
    """A top on the tip at the origin; `spin` and `precession` [rad/s] of Euler's angles psi and phi, at rest in tilt."""
    m = sl.Model(gravity=(0, 0, -G))
    e = np.array([math.sin(tilt), 0, math.cos(tilt)])
    w = precession * np.array([0, 0, 1]) + spin * e
    body = m.body(
        mass=MASS, inertia=(A0, A0, C0), at=tuple(ARM * e), rotation=(0, tilt, 0), angular_velocity=tuple(w),
        velocity=tuple(np.cross(w, ARM * e)), name="top",
    )  # fmt: skip
    m.spherical(m.ground, body, at=(0, 0, 0), name="tip")
    return m


def euler(tilt, spin, precession, t):
    """Heavy top by Lagrange: q'' from the conserved momenta; (q, phi) at t. Goldstein, 5-7."""
    A = A0 + MASS * ARM**2
    w3 = spin + precession * math.cos(tilt)
    pz = A * precession * math.sin(tilt) ** 2 + C0 * w3 * math.cos(tilt)

    def f(t, y):
        q, v, _ = y
        s, c = math.sin(q), math.cos(q)
        p = (pz - C0 * w3 * c) / (A * s * s)
        return [v, p * p * s * c - C0 * w3 * p * s / A + MASS * G * ARM * s / A, p]

    return integrate(f, [tilt, 0, 0], t)


def heavy(case):
    def axis(q, phi):
        return [ARM * math.sin(q) * math.cos(phi), ARM * math.sin(q) * math.sin(phi), ARM * math.cos(q)]

    for label, tilt, spin, precession, t in (
        ("let go: cusps", 0.6, 80.0, 0.0, 2.0),
        ("with loops", 0.6, 80.0, -3.0, 2.0),
        ("slow, through a deep nutation", 1.0, 40.0, 0.5, 2.0),
        ("barely turning, almost a pendulum", 2.5, 2.0, 1.0, 3.0),
    ):
        q, _, phi = euler(tilt, spin, precession, t)
        yield from both(
            case, f"heavy top, {label}: position", lambda a=(tilt, spin, precession): top(*a), t, ["top.position"],
            axis(q, phi), ARM, source="scipy, Lagrange's top (Goldstein, 5-7)",
        )  # fmt: skip
    # Steady precession: A p^2 cos q - C w3 p + m g l = 0.
    A, tilt, p = A0 + MASS * ARM**2, 0.8, 2.0
    w3 = (A * p * p * math.cos(tilt) + MASS * G * ARM) / (C0 * p)
    yield from both(
        case, "heavy top, steady precession: position", lambda: top(tilt, w3 - p * math.cos(tilt), p), 3.0, ["top.position"],
        axis(tilt, p * 3.0), ARM, source="A p^2 cos q - C w3 p + m g l = 0",
    )  # fmt: skip


def asleep(case):
    critical = 2 * math.sqrt(MASS * G * ARM * (A0 + MASS * ARM**2)) / C0
    for share, t in ((1.05, 3.0), (0.95, 3.0)):
        q, _, phi = euler(0.01, share * critical, 0.0, t)
        size = ARM * 0.01 if share > 1 else ARM
        yield from both(
            case, f"sleeping top at {share:g} of its critical spin: position across",
            lambda s=share: top(0.01, s * critical, 0.0), t, ["top.position.x", "top.position.y"],
            [ARM * math.sin(q) * math.cos(phi), ARM * math.sin(q) * math.sin(phi)], size,
            source="scipy, Lagrange's top; critical spin 2 sqrt(m g l A) / C", loose=1e-2, tight=1e-4,
        )  # fmt: skip


def verify(case):
    for part in (asymmetrical, flips, symmetrical, heavy, asleep):
        yield from part(case)
