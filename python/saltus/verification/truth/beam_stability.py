"""Buckling of columns and of a strip, flutter of Beck's column, and the shape of a column beyond buckling.

A critical load is where the square of a frequency vanishes: below it falls nearly in a line, which is followed to its zero. Flutter begins where two
frequencies meet: the square of the difference of their squares falls in a line. Critical loads of two lengths of the elements are extrapolated to zero.
"""

import math

import numpy as np

import saltus as sl
from saltus.items import RevoluteDrive
from saltus.verification.truth._cantilever import extrapolated

STIFF = 1e8


LOCKED = {
    "clamped": ("x", "y", "z", "rx", "ry", "rz"), "pinned": ("x", "y", "z", "rx", "rz"), "slides": ("y", "z", "rx", "rz"),
    "slides clamped": ("y", "z", "rx", "ry", "rz"), "free": (),
}  # fmt: skip


def column(elements, supports, force, stiffness, axes="world"):
    """A beam from 0 to 1 along x under a force at its end."""
    m = sl.Model(gravity=(0, 0, 0))
    beam = m.beam((0, 0, 0), (1, 0, 0), section=sl.Section(stiffness, 1.0, (1e-6, 1e-6, 1e-6)), elements=elements, name="beam")
    for node, support in zip((beam.start, beam.end), supports, strict=True):
        if LOCKED[support]:
            m.generic(m.ground, node, at=node.reference[0], locked=LOCKED[support])
    m.force(beam.end, force, axes=axes)
    return m, beam


def squares(m, count=2):
    """The lowest squares of circular frequencies; negative ones grow."""
    return np.sort((-(np.asarray(m.modes(count=2 * count).eigenvalues) ** 2)).real)[:count]


def zero(function, a, b):
    """Where a line through two values vanishes."""
    fa, fb = function(a), function(b)
    return a - fa * (b - a) / (fb - fa)


def verify(case):
    elements = 20
    case.how = f"static and modes(), {elements} and {2 * elements} elements, extrapolated"
    plane = (STIFF, STIFF, STIFF, 1e4, 1.0, 1e4)  # bends in the plane x-z alone
    for word, supports in (
        ("euler_pinned", ("pinned", "slides")), ("euler_cantilever", ("clamped", "free")), ("euler_clamped", ("clamped", "slides clamped")),
        ("euler_clamped_pinned", ("clamped", "slides")),
    ):  # fmt: skip
        truth = case.truth(word)

        def critical(n, supports=supports, near=truth):
            return zero(lambda load: squares(column(n, supports, (-load, 0, 0), plane)[0], 1)[0], 0.97 * near, 0.99 * near)

        found = extrapolated(critical, elements)
        yield case.compare(f"{word}, over the truth", found / truth, 1.0, 1e-3)
    truth = case.truth("prandtl_lateral_cantilever_end_load")
    strip = (STIFF, STIFF, STIFF, 1.0, 1.0, 1e5)  # about z a thousand times as stiff as about y


    def lateral(n, near=truth):
        square = zero(lambda square: squares(column(n, ("clamped", "free"), (0, -math.sqrt(square), 0), strip)[0], 1)[0], (0.97 * near) ** 2, (0.99 * near) ** 2)
        return math.sqrt(square)

    yield case.compare("prandtl_lateral_cantilever_end_load", extrapolated(lateral, elements) / truth, 1.0, 1e-3)
    truth = case.truth("beck_flutter_load_P_L2_over_EI")

    def flutter(n, near=truth):
        def apart(load):
            first, second = squares(column(n, ("clamped", "free"), (-load, 0, 0), plane, axes="body")[0], 2)
            return (second - first) ** 2

        return zero(apart, 0.98 * near, 0.99 * near)

    yield case.compare("beck_flutter_load_P_L2_over_EI", extrapolated(flutter, elements) / truth, 1.0, 1e-3)
    elements = 40
    case.how = f"static, {elements} elements, the angle of the tip given"
    for angle, known in case.truth("postbuckling_cantilever_by_tip_angle_deg").items():
        load = known["P_over_Pcr"] * case.truth("euler_cantilever")
        m, beam = column(elements, ("clamped", "free"), (-load, 0, 0), plane)
        m.add(RevoluteDrive(A="ground", B=beam.end, axis="-y", angle=math.radians(float(angle)), name="tip"))
        result = m.static()
        x, _, z = result[beam.end.position].last
        yield case.compare(f"tip beyond buckling, {angle} degrees", [x, z], [known["x_tip_over_L"], known["y_tip_over_L"]], 1e-3)
        moment = float(result["tip.multiplier"].last)
        yield case.compare(f"moment on the tip at {angle} degrees, L / EI", moment, 0.0, 5e-3, note="no hand is needed to hold the angle under this load")
