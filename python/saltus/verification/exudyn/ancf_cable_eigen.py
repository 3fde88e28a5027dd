"""Bending frequencies of a clamped thin beam, by beam elements with stiff shear and next to no rotary inertia."""

import saltus as sl

LENGTH, EI, EA, MASS = 2.0, 200.0, 2e7, 3.0


def frequencies(elements):
    """The first four of bending in one plane [Hz]; those in the other are 100 times as high."""
    m = sl.Model(gravity=(0, 0, 0))
    section = sl.Section((EA, 2e8, 2e8, 1e5, 1e4 * EI, EI), MASS, (1e-7, 1e-7, 1e-7))
    beam = m.beam((0, 0, 0), (LENGTH, 0, 0), section=section, elements=elements, name="beam")
    m.fixed(m.ground, beam.start)
    return m.modes(count=4).frequencies


def verify(case):
    case.how = "modes, 240 elements"
    for k, found in enumerate(frequencies(240)):
        yield case.check(f"f{k + 1}", found)
