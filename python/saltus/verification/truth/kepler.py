"""Kepler's orbit of eccentricity 0.6 about a fixed centre, eight turns."""

import numpy as np

import saltus as sl
from saltus.items import UserSpring
from saltus.verification.models import controlled, options_of, with_step


def model():
    m = sl.Model(gravity=(0, 0, 0))
    planet = m.point_mass(mass=1, at=(0.4, 0, 0), velocity=(0, 2, 0), name="planet")
    m.add(UserSpring(name="attraction", A=m.ground, B=planet, tension="1/L^2"))
    return m


def state(result):
    return np.array([*np.array(result["planet.position"].last)[:2], *np.array(result["planet.velocity"].last)[:2]])


def verify(case):
    keywords = controlled("dormand_prince", 1e-11)
    case.how = options_of(keywords)
    result = model().simulate(50.0, **keywords)
    yield case.check("state_50", state(result), 1e-6)
    p, v = np.asarray(result["planet.position"]), np.asarray(result["planet.velocity"])
    energy = 0.5 * (v**2).sum(axis=1) - 1 / np.linalg.norm(p, axis=1)
    yield case.compare("relative drift of the energy", np.ptp(energy) / 0.5, 0.0, 1e-8, source="conservation")
    momentum = np.cross(p, v)[:, 2]
    yield case.compare("angular momentum", [momentum.min(), momentum.max()], [0.8, 0.8], 1e-8, source="conservation")
    case.how = "runge_kutta_4"
    yield case.order(
        "the state after one turn",
        lambda h: state(model().simulate(2 * np.pi, **with_step("runge_kutta_4", h))),
        [2 * np.pi / n for n in (1000, 2000, 4000)],
        [0.4, 0, 0, 2],
        4,
    )
