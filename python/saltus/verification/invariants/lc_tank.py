"""A lossless circuit of a capacitor and an inductor, an algebraic potential between them, over eight periods."""

import numpy as np

import saltus as sl
from saltus.verification.models import options_of, with_step

C, L, V, UNTIL = 1e-6, 1e-2, 10.0, 5e-3
TOLERANCES = (1e-5, 1e-6, 1e-7)


def error(**keywords):
    """Largest error of the voltage over the run, part of its amplitude; V cos(t / sqrt(L C)) is exact."""
    m = sl.Model()
    a = m.terminal()
    m.capacitor(a, m.ground, C=C, voltage=V)
    m.inductor(a, m.ground, L=L)
    result = m.simulate(UNTIL, **keywords)
    t, v = result.time[1:], np.asarray(result[a.voltage])[1:]  # at the start the potential is a guess
    return np.abs(v / V - np.cos(t / np.sqrt(L * C))).max()


def verify(case):
    source = "closed form"
    for name in ("generalized_alpha", "moreau_jean"):
        keywords = with_step(name, 1e-6)
        case.how = options_of(keywords)
        yield case.compare(f"voltage, {name}", error(**keywords), 0.0, 2e-3, source=source)
        case.how = name
        yield case.order(f"the voltage, {name}", lambda h, name=name: error(**with_step(name, h)), (4e-6, 2e-6, 1e-6), 0.0, 2)
        case.how = f"{name}, tolerance {TOLERANCES[0]:g} to {TOLERANCES[-1]:g}"
        shares = name == "moreau_jean"  # a step may make its share of the tolerance over the time in which the states run through their ranges
        note = "" if shares else "steps follow the cube root of the tolerance, errors of second order its power 2/3: a global error of 1e-5 takes 1e-8"
        yield case.order(
            f"the voltage in the tolerance, {name}", lambda tol, name=name: error(scheme=name, tolerance=tol), TOLERANCES, 0.0, 1 if shares else 2 / 3, note=note
        )
