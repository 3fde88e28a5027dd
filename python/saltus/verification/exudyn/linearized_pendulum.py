"""Two hanging rods on revolute joints: small oscillations; the stiffness comes from weight through reactions alone."""

import math

import numpy as np

import saltus as sl
from saltus.verification.models import controlled, options_of

AMPLITUDE = 1e-4


def model(angle1=0.0, angle2=0.0):
    """Rods hang from the origin; at the start they are turned by the two angles [rad] about z."""
    m = sl.Model(gravity=(0, -9.81, 0))
    place, last, at = np.zeros(3), m.ground, (0, 0, 0)
    for i, angle in ((1, angle1), (2, angle2)):
        along = np.array([math.sin(angle), -math.cos(angle), 0])
        rod = m.box(
            size=(0.7, 0.05, 0.05),
            density=2000,
            at=place + 0.35 * along,
            rotation=(0, 0, angle - math.pi / 2),
            name=f"rod{i}",
        )
        m.revolute(last, rod, at=at, axis="z", name=f"hinge{i}")
        place, last = place + 0.7 * along, rod
        at = tuple(place)
    return m


def shapes():
    """(frequencies [rad/s], amplitudes of the two angles) of the linear pair, from minimal coordinates."""
    L, J, g = 0.7, (0.7**2 + 0.05**2) / 12, 9.81
    M = np.array([[J + 1.25 * L * L, 0.5 * L * L], [0.5 * L * L, J + 0.25 * L * L]])
    K = np.diag([1.5 * L * g, 0.5 * L * g])
    square, vectors = (x.real for x in np.linalg.eig(np.linalg.solve(M, K)))
    i = np.argsort(square)
    return np.sqrt(square[i]), vectors[:, i]


def verify(case):
    omega, vectors = shapes()
    keywords = controlled("dormand_prince", 1e-11)
    case.how = options_of(keywords) + f", release in the mode's shape, {AMPLITUDE:g} rad"
    for i in (0, 1):
        shape = vectors[:, i] / np.abs(vectors[:, i]).max() * AMPLITUDE
        result = model(*shape).simulate(0.25 * 2 * math.pi / omega[i], **keywords)
        # After a quarter of the period the angle is zero: a shift of the phase shows as an angle against its rate.
        x, w = np.array(result["rod1.position"].last), result["rod1.angular_velocity.z"].last
        late = math.atan2(x[0], -x[1]) / w
        quarter = 0.25 * 2 * math.pi / omega[i] - late
        yield case.check(f"w{i + 1}", 0.5 * math.pi / quarter)
    if hasattr(sl.Model, "modes"):
        case.how = "modes()"
        found = 2 * math.pi * np.sort(np.asarray(model().modes().frequencies))[:2]
        yield case.check("w1", found[0], 1e-10 * case.truth("w1"))
        yield case.check("w2", found[1], 1e-10 * case.truth("w2"))
