"""Parts of the cases of beams: a cantilever, and values extrapolated to elements of length zero."""

import saltus as sl

STIFF = 1e7  # against stretch and shear: they change places by 1e-7 of the length


def cantilever(elements):
    """Clamped at the origin, along x, of unit bending stiffness and length."""
    m = sl.Model(gravity=(0, 0, 0))
    section = sl.Section((STIFF, STIFF, STIFF, 1.0, 1.0, 1.0))
    beam = m.beam((0, 0, 0), (1, 0, 0), section=section, elements=elements, name="beam")
    m.fixed(m.ground, beam.start)
    return m, beam


def extrapolated(run, elements):
    """run(n) of n and of twice as many elements, taken to infinitely many with order 2."""
    coarse, fine = run(elements), run(2 * elements)
    return fine + (fine - coarse) / 3.0
