"""Small vibrations: chains, rotors, absorbers, tops and pendulums linearized; transfer functions."""

import math

import numpy as np

import saltus as sl
from saltus.items import CoordinateLoad, CoordinateSpringDamper, Mass1d, Node1d
from saltus.verification.models import generic

G = 9.81


def chain(masses, springs, dampers=None, load=False):
    m = sl.Model(gravity=(0, 0, 0))
    for i, mass in enumerate(masses):
        m.add(Node1d(name=f"n{i}"))
        m.add(Mass1d(name=f"m{i}", node=f"n{i}", mass=mass))
    for i, k in enumerate(springs):
        m.add(
            CoordinateSpringDamper(
                name=f"s{i}",
                A=f"n{i - 1}" if i else "ground",
                B=f"n{i}" if i < len(masses) else "ground",
                stiffness=k,
                damping=dampers[i] if dampers else 0.0,
            )  # fmt: skip
        )
    if load:
        m.add(CoordinateLoad(name="load", on="n0", force="0"))
    return m


def rates(m, **options):
    return 2 * math.pi * np.sort(np.asarray(m.modes(**options).frequencies))


def chains(case):
    case.how = "modes()"
    n = 12
    truth = 2 * np.sin((np.arange(n) + 1) * math.pi / (2 * (n + 1)))
    yield case.compare(
        "Rayleigh's chain of 12 masses: rates", rates(chain([1] * n, [1] * (n + 1))), truth, 1e-10,
        source="2 sin(i pi / (2 n + 2)) (Rayleigh, 120)",
    )  # fmt: skip
    free = 2 * np.sin(np.arange(6) * math.pi / 12)
    yield case.compare(
        "free chain of six masses: rates, the first zero", rates(chain([1] * 6, [0, 1, 1, 1, 1, 1])), free, 1e-6,
        source="2 sin(i pi / 2 n)",
    )  # fmt: skip
    wide = rates(chain([1, 1, 1], [1.0, 1e4, 1e8]))
    A = np.array([[1.0 + 1e4, -1e4, 0], [-1e4, 1e4 + 1e8, -1e8], [0, -1e8, 1e8]])
    # Products of the characteristic equation in whole numbers: the smallest root by Newton's method with 50 digits.
    from decimal import Decimal, getcontext

    getcontext().prec = 50
    a, b, c = Decimal(1), Decimal(10**4), Decimal(10**8)
    c2 = a + b + b + c + c
    c1 = (a + b) * (b + c) - b * b + (a + b) * c + (b + c) * c - c * c
    c0 = a * b * c
    roots = []
    for guess in np.linalg.eigvalsh(A):
        x = Decimal(float(guess))
        for _ in range(60):
            x -= (x**3 - c2 * x**2 + c1 * x - c0) / (3 * x**2 - 2 * c2 * x + c1)
        roots.append(float(x.sqrt()))
    yield case.compare(
        "springs of 1, 1e4 and 1e8 N/m: rates over their truth",
        wide / np.sort(roots),
        [1, 1, 1],
        1e-7,
        source="cubic, 50 digits",
    )


def absorber(case):
    """Den Hartog's tuned mass damper: response of the main mass."""
    M, K, mass, k, c = 1.0, 100.0, 0.05, 4.5, 0.12
    lin = chain([M, mass], [K, k], [0.0, c], load=True).linearize(
        at="reference", inputs=["load.force"], outputs=["n0.coordinate"]
    )
    case.how = "linearize()"
    w = np.array([0.0, 5.0, 9.5, 10.0, 10.5, 30.0])
    found = lin.transfer(1j * w)[:, 0, 0]
    s = 1j * w
    truth = (mass * s**2 + c * s + k) / ((M * s**2 + c * s + K + k) * (mass * s**2 + c * s + k) - (c * s + k) ** 2)
    yield case.compare(
        "tuned mass damper: transfer function", [*found.real, *found.imag], [*truth.real, *truth.imag], 1e-9,
        source="Den Hartog, Mechanical Vibrations, 3.3",
    )  # fmt: skip


def rotor(case):
    """A disk on a spring of tilt, spun: forward and backward whirl J s^2 + i C w s + k = 0."""
    A, C, k = 0.5, 0.9, 200.0
    W = 60.0
    m = generic(
        [0, 0], [0, 0], [[A, 0], [0, A]], stiffness_matrix=[[k, 0], [0, k]], damping_matrix=[[0, C * W], [-C * W, 0]]
    )
    case.how = "linearize()"
    found = np.sort(np.abs(m.linearize(at="reference").eigenvalues.imag))[::2]
    d = C * W / A
    truth = [0.5 * (-d + math.sqrt(d * d + 4 * k / A)), 0.5 * (d + math.sqrt(d * d + 4 * k / A))]
    yield case.compare(
        "gyroscopic pair: whirl, backward and forward", found, truth, 1e-8, source="A s^2 - i C w s + k = 0"
    )


def pendulums(case):
    case.how = "modes()"
    m = sl.Model(gravity=(0, 0, -G))
    rod = m.body(mass=2, inertia=(0.3, 0.3, 0.3), at=(0, 0, -0.6), name="rod")
    m.revolute(m.ground, rod, at=(0, 0, 0), axis="y", stiffness=5)
    truth = math.sqrt((2 * G * 0.6 + 5) / (0.3 + 2 * 0.36))
    yield case.compare(
        "compound pendulum on a spring: rate", rates(m), [truth], 1e-9, source="(m g l + k) / (J + m l^2)"
    )
    m = sl.Model(gravity=(0, 0, -G))
    cart = m.box(size=(0.1, 0.1, 0.1), mass=3, name="cart")
    m.prismatic(m.ground, cart, axis="x")
    rod = m.body(mass=1, inertia=(1e-2, 1e-2, 1e-2), at=(0, 0, -0.5), name="rod")
    m.revolute(cart, rod, at=(0, 0, 0), axis="y")
    M, J = 3 + 1, 1e-2 + 0.25
    truth = math.sqrt(0.5 * G / (J - 0.25 / M))
    yield case.compare(
        "pendulum on a free cart: rates", rates(m), [0, truth], 1e-6, source="m g l / (J - (m l)^2 / (M + m))"
    )
    m = sl.Model(gravity=(0, 0, -G))
    rod = m.body(mass=1, inertia=(0.1, 0.1, 0.1), at=(0, 0, 0.5), name="rod")
    m.revolute(m.ground, rod, at=(0, 0, 0), axis="y", name="pin")
    case.how = "linearize()"
    lin = m.linearize(at="reference")
    s = math.sqrt(0.5 * G / 0.35)
    yield case.compare(
        "rod that stands on its head: eigenvalues", np.sort(lin.eigenvalues.real), [-s, s], 1e-8, source="m g l / J"
    )


def bedded(case):
    """A block on four vertical and four lateral springs: bounce and rocking coupled with sway."""
    from saltus.items import Bushing

    mass, Jy, h, kx, kz, a = 100.0, 8.0, 0.3, 2e4, 5e4, 0.4
    m = sl.Model(gravity=(0, 0, 0))
    block = m.body(mass=mass, inertia=(8.0, Jy, 9.0), name="block")
    for i, (x, y) in enumerate(((a, a), (a, -a), (-a, a), (-a, -a))):
        K = np.diag([kx, kx, kz, 0, 0, 0]).tolist()
        m.add(Bushing(name=f"foot{i}", A=m.ground, B=block, at=[x, y, -h], rotation=[0, 0, 0], stiffness=K))
    M = np.diag([mass, mass, mass, 8.0, Jy, 9.0])
    K = np.zeros((6, 6))
    for x, y in ((a, a), (a, -a), (-a, a), (-a, -a)):
        r = np.array([x, y, -h])
        S = np.array([[0, -r[2], r[1]], [r[2], 0, -r[0]], [-r[1], r[0], 0]])
        B = np.hstack([np.eye(3), -S])
        K += B.T @ np.diag([kx, kx, kz]) @ B
    truth = np.sqrt(np.sort(np.linalg.eigvals(np.linalg.solve(M, K)).real))
    case.how = "modes()"
    yield case.compare("block on four feet: six rates", rates(m), truth, 1e-9, source="K = sum of B^T k B")


def verify(case):
    for part in (chains, absorber, rotor, pendulums, bedded):
        yield from part(case)
