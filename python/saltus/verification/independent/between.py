"""What is read between the steps: extremes, their times and values at a time, of every scheme."""

import math

import numpy as np

import saltus as sl
from saltus.verification.independent.oscillators import one

G = 9.81


def verify(case):
    def thrown():
        m = sl.Model()
        m.point_mass(mass=1, at=(0, 0, 1), velocity=(2, 0, 5), name="ball")
        return m

    top, when = 1 + 25 / (2 * G), 5 / G
    for keywords, bound in (
        ({}, 1e-9), ({"scheme": "dormand_prince", "step": 0.2}, 1e-9), ({"scheme": "runge_kutta_4", "step": 0.2}, 1e-9),
        ({"scheme": "generalized_alpha", "step": 0.02}, 1e-4), ({"scheme": "moreau_jean", "step": 0.02}, 1e-3),
    ):  # fmt: skip
        result = thrown().simulate(1.2, **keywords)
        case.how = f"{result.scheme}, " + (f"step {keywords['step']:g} s" if keywords else "as simulate() chooses")
        height = result["ball.position.z"]
        yield case.compare("thrown ball: greatest height, its time", [height.max(), height.time_of_max()], [top, when],
                           max(bound, 1e-6), source="v^2 / 2 g")  # fmt: skip
        t = 0.7234
        yield case.compare("thrown ball: place between the steps", np.asarray(result.at(t)["ball.position"]),
                           [2 * t, 0, 1 + 5 * t - 0.5 * G * t * t], bound, source="parabola")  # fmt: skip
    for keywords, bound in (
        ({}, 1e-4), ({"tolerance": 1e-9}, 1e-6), ({"scheme": "runge_kutta_4", "step": 0.01}, 1e-4),
        ({"scheme": "generalized_alpha", "step": 0.002}, 1e-3), ({"scheme": "moreau_jean", "step": 0.002}, 1e-3),
    ):  # fmt: skip
        result = one(k=25, x=0.1, v=0.3).simulate(4.0, **keywords)
        case.how = f"{result.scheme}, {keywords or 'as simulate() chooses'}"
        x = result["n.coordinate"]
        size = math.hypot(0.1, 0.06)
        yield case.compare(
            "oscillator: largest and smallest x", [x.max(), x.min()], [size, -size], bound * size, source="amplitude"
        )
    m = sl.Model()
    ball = m.point_mass(mass=1, at=(0, 0, 1), name="ball")
    m.contact(m.plane(), ball, restitution=0.8, name="floor")
    result = m.simulate(1.5)
    case.how = f"{result.scheme}, as simulate() chooses"
    yield case.compare("bouncing ball: lowest height and greatest speed up",
                       [result["ball.position.z"].min(), result["ball.velocity.z"].max()], [0, 0.8 * math.sqrt(2 * G)], 1e-3,
                       source="v' = e v")  # fmt: skip
