"""Eigenfrequencies of beams: of four supports by their wave numbers, and of a steel cantilever in Hz with shear and rotary inertia.

Half of an element's mass is at each of its nodes, so that frequencies err by the square of an element's length: the values of two lengths are
extrapolated to zero with that order, which the order of the first one confirms.
"""

import math
from dataclasses import replace

import numpy as np

import saltus as sl
from saltus.verification.truth._cantilever import extrapolated

SLIM = (1e8, 1e8, 1e8, 1e4, 1.0, 1e4)  # bends in the plane x-z alone; stretch and shear 1e8 times as stiff
LOCKED = {"clamped": ("x", "y", "z", "rx", "ry", "rz"), "pinned": ("x", "y", "z", "rx", "rz"), "guided": ("y", "z", "rx", "rz"), "free": ()}


def frequencies(section, length, elements, supports, count):
    """The lowest [Hz], of motions in the plane x-z: others are stiffer."""
    m = sl.Model(gravity=(0, 0, 0))
    beam = m.beam((0, 0, 0), (length, 0, 0), section=section, elements=elements, name="beam")
    for node, support in zip((beam.start, beam.end), supports, strict=True):
        if LOCKED[support]:
            m.generic(m.ground, node, at=node.reference[0], locked=LOCKED[support])
    rigid = 6 * (supports == ("free", "free"))
    return np.sort(np.asarray(m.modes(count=count + rigid).frequencies))[rigid : rigid + count]


def timoshenko(near, length, EI, shear, mass, inertia):
    """Frequency [Hz] of a cantilever by Timoshenko's equations near one: w' = psi + Q / kGA, psi' = M / EI, M' = -Q - rho I omega^2 psi,
    Q' = -rho A omega^2 w; M and Q vanish at the free end."""

    def closed(hertz):
        square = (2 * math.pi * hertz) ** 2
        A = np.array([[0, 1, 0, 1 / shear], [0, 0, 1 / EI, 0], [0, -inertia * square, 0, -1], [-mass * square, 0, 0, 0]], dtype=float)
        values, vectors = np.linalg.eig(A)
        through = (vectors * np.exp(values * length)) @ np.linalg.inv(vectors)
        return float(np.linalg.det(through[2:, 2:]).real)

    low, high = 0.99 * near, 1.01 * near
    sign = math.copysign(1.0, closed(low))
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if closed(middle) * sign > 0 else (low, middle)
    return 0.5 * (low + high)


def verify(case):
    elements = 40
    case.how = f"modes(), {elements} and {2 * elements} elements, extrapolated"
    section = sl.Section(SLIM, 1.0, (1e-9, 1e-9, 1e-9))
    for word, supports in (
        ("cantilever", ("clamped", "free")), ("free_free", ("free", "free")), ("clamped_pinned", ("clamped", "guided")), ("pinned_pinned", ("pinned", "guided")),
    ):  # fmt: skip
        found = extrapolated(lambda n, supports=supports: frequencies(section, 1.0, n, supports, 3), elements)
        truth = np.array(case.truth(word)[:3])
        yield case.compare(f"wave numbers, {word}", np.sqrt(2 * math.pi * found) / truth, np.ones(3), 1e-4)
    solid = sl.Section.rectangle(width=0.02, height=0.01, E=2.1e11, nu=0.3, density=7850.0)
    steel = replace(solid, stiffness=(*solid.stiffness[:5], 1e4 * solid.stiffness[5]))  # the other plane
    found = extrapolated(lambda n: frequencies(steel, 1.0, n, ("clamped", "free"), 4), elements)
    near = np.array(case.truth("cantilever_steel_Hz")[:4])
    exact = np.array([timoshenko(f, 1.0, solid.stiffness[4], solid.stiffness[2], solid.mass_per_length, solid.inertia_per_length[1]) for f in near])
    yield case.compare("steel cantilever with shear, ratio of Hz", found / exact, np.ones(4), 1e-4, source="Timoshenko's equations, solved here",
                       note="the case's own four numbers are those without shear times 0.9995, in all modes alike: shear lowers the first by 8e-5, the fourth by 2.4e-3")  # fmt: skip
    case.how = "modes()"
    yield case.order("the third frequency", lambda h: frequencies(steel, 1.0, round(1 / h), ("clamped", "free"), 3)[2], (1 / 10, 1 / 20, 1 / 40), exact[2], 2)
