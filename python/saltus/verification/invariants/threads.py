"""One, two and seven threads give the same bits, with Python functions among the items too."""

import numpy as np

import saltus as sl
from saltus.items import CoordinateSpringDamper, CoordinateUserSpring, Force, Mass1d, Node1d
from saltus.verification.invariants._long import chain
from saltus.verification.models import options_of, with_step

COLUMNS = ("y", "a", "lam", "residuals")


def mixed(python: bool) -> sl.Model:
    """Bodies with joints, springs of Python and built-in ones, loads by functions and expressions."""
    m = chain(8)
    for i in range(8):
        m.add(Node1d(name=f"n{i}", displacement=0.1 + 0.01 * i))
        m.add(Mass1d(name=f"m{i}", node=f"n{i}", mass=1.0 + 0.1 * i))
        law = (lambda t, u, v: 80.0 * u + 0.3 * v + 5.0 * u**3) if python else "80*u + 0.3*v + 5*u^3"
        m.add(CoordinateUserSpring(name=f"u{i}", A=f"n{i - 1}" if i else "ground", B=f"n{i}", force=law))
        m.add(CoordinateSpringDamper(name=f"s{i}", A="ground", B=f"n{i}", stiffness=20.0 + i))
    pull = (lambda t: (0.1 * np.sin(5 * t), 0.0, 0.05)) if python else ["0.1*sin(5*t)", 0, 0.05]
    for i in range(0, 8, 3):
        m.add(Force(name=f"pull{i}", on=f"link{i}", force=pull))
    return m


def pile(python: bool) -> sl.Model:
    """Balls that fall on a plane and on each other, with friction."""
    m = sl.Model()
    floor = m.plane()
    last = None
    for i in range(6):
        ball = m.sphere(
            radius=0.1,
            mass=1.0,
            at=(0.02 * (i % 3), 0.01 * i, 0.12 + 0.21 * i),
            velocity=(0.1 * (-1) ** i, 0, -1),
            name=f"ball{i}",
        )
        m.contact(floor, ball, friction=0.4, restitution=0.3)
        if last is not None:
            m.contact(last, ball, friction=0.3)
        if python:
            m.add(Force(name=f"wind{i}", on=ball, force=lambda t: (0.1 * np.sin(9 * t), 0.0, 0.0)))
        last = ball
    return m


def verify(case):
    steps = 50 if case.quick else 400
    for name, make, schemes in (
        ("bodies and springs", mixed, ("runge_kutta_4", "generalized_alpha", "moreau_jean")), ("pile", pile, ("moreau_jean",)),
    ):  # fmt: skip
        for scheme in schemes:
            for python in (False, True):
                keywords = with_step(scheme, 1e-3)
                case.how = options_of(keywords) + (", Python functions" if python else "")
                runs = [make(python).simulate(steps * 1e-3, threads=threads, **keywords) for threads in (1, 2, 7)]
                equal = [
                    all(one._recorded.arrays[c].tobytes() == runs[0]._recorded.arrays[c].tobytes() for c in COLUMNS)
                    for one in runs
                ]
                kind = "Python functions" if python else "expressions"
                yield case.compare(
                    f"equal bits with 1, 2, 7 threads, {name}, {kind}, {scheme}",
                    equal,
                    [1, 1, 1],
                    0.0,
                    source="determinism",
                )
