"""Hanging chains of 2, 5 and 10 point masses, and 20 masses between 21 springs: small vibrations.

Without `modes()` the frequencies are measured: released in the shape of a mode, the chain passes zero after a quarter of
the period; the shapes come from the matrices of the linear chain. With `modes()` they are compared directly as well.
"""

import math

import numpy as np

import saltus as sl
from saltus.items import CoordinateSpringDamper, Mass1d, Node1d
from saltus.verification.models import controlled, options_of

G, LENGTH, AMPLITUDE = 9.81, 0.1, 1e-6


def pendulum(n, x=None):
    """Point masses on massless links, x to the side (n) [m]; each hangs under the one before at the length of its link."""
    m = sl.Model(gravity=(0, 0, -G))
    x = np.zeros(n) if x is None else x
    last, depth, before = m.ground, 0.0, 0.0
    for i in range(n):
        depth -= math.sqrt(LENGTH**2 - (x[i] - before) ** 2)
        bob = m.point_mass(mass=1, at=(x[i], 0, depth), name=f"m{i}")
        m.distance(last, bob, length=LENGTH, name=f"link{i}")
        last, before = bob, x[i]
    return m


def springs(x=None):
    m = sl.Model(gravity=(0, 0, 0))
    x = np.zeros(20) if x is None else x
    for i in range(20):
        m.add(Node1d(name=f"n{i}", displacement=float(x[i])))
        m.add(Mass1d(name=f"m{i}", node=f"n{i}", mass=1))
        m.add(CoordinateSpringDamper(name=f"s{i}", A=f"n{i - 1}" if i else "ground", B=f"n{i}", stiffness=1000))
    m.add(CoordinateSpringDamper(name="s20", A="n19", B="ground", stiffness=1000))
    return m


def pendulum_matrix(n):
    """K of x'' = -K x: the tension of link i carries the n - i masses below it."""
    K = np.zeros((n, n))
    for i in range(n):
        k = G * (n - i) / LENGTH
        K[i, i] += k
        if i:
            K[i - 1, i - 1] += k
            K[i, i - 1] -= k
            K[i - 1, i] -= k
    return K


def measured(make, K, quantity, keywords, which):
    """Frequencies [rad/s] of the modes `which`: phase of the first coordinate after a quarter of the period."""
    square, shapes = np.linalg.eigh(K)
    out = []
    for k in which:
        omega, shape = math.sqrt(square[k]), shapes[:, k] / np.abs(shapes[:, k]).max() * AMPLITUDE
        result = make(shape).simulate(0.5 * math.pi / omega, **keywords)
        x, v = (
            float(shape @ np.array([result[quantity(i, word)].last for i in range(len(shape))])) for word in ("x", "v")
        )
        out.append(omega * (1 + math.atan2(x, -v / omega) * 2 / math.pi))
    return out


def verify(case):
    keywords = controlled("dormand_prince", 1e-12)
    case.how = options_of(keywords) + ", release in the mode's shape"
    note = "limit of the measurement: amplitude 1e-6 m, tolerances of the integration"
    for n in (2, 5, 10):
        words = {"x": "position.x", "v": "velocity.x"}
        which = range(n) if n < 10 else (0, 4, 9)
        found = measured(
            lambda x, n=n: pendulum(n, x), pendulum_matrix(n), lambda i, w: f"m{i}.{words[w]}", keywords, which
        )
        truth = [case.truth(f"omega_rad_s_N{n}")[k] for k in which]
        yield case.compare(f"frequencies of {n} hanging masses", found, truth, 1e-4, note=note)
    K = 1000 * (2 * np.eye(20) - np.eye(20, k=1) - np.eye(20, k=-1))
    words = {"x": "coordinate", "v": "rate"}
    which = (0, 9, 19)
    found = measured(springs, K, lambda i, w: f"n{i}.{words[w]}", keywords, which)
    yield case.compare(
        "frequencies of the spring chain", found, [case.truth("spring_chain_omega")[k] for k in which], 1e-5, note=note
    )
    if hasattr(sl.Model, "modes"):
        case.how = "modes()"
        for n in (2, 5, 10):
            found = 2 * math.pi * np.sort(np.asarray(pendulum(n).modes().frequencies))
            truth = np.sort(np.repeat(case.truth(f"omega_rad_s_N{n}"), 2))  # both planes
            yield case.compare(f"frequencies of {n} hanging masses", found[-2 * n :], truth, 1e-8 * truth[-1])
        found = 2 * math.pi * np.sort(np.asarray(springs().modes().frequencies))
        yield case.compare("frequencies of the spring chain", found, case.truth("spring_chain_omega"), 1e-8 * found[-1])
