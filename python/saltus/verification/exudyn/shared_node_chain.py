"""Two masses on one coordinate add; a third on another, coupled by a spring."""

import math

import numpy as np

import saltus as sl
from saltus.verification.models import controlled, of_gallery, options_of, with_step


def end(keywords):
    result = of_gallery("shared_node_chain").simulate(2.0, **keywords)
    return [result["n0.coordinate"].last, result["n1.coordinate"].last]


def verify(case):
    keywords = controlled("dormand_prince", 1e-9)
    case.how = options_of(keywords)
    truth = [case.truth("q0_end"), case.truth("q1_end")]
    for key, value in zip(("q0_end", "q1_end"), end(keywords)):
        yield case.check(key, value)
    case.how = "generalized_alpha, spectral radius 1"
    yield case.order(
        "the displacements",
        lambda h: end(with_step("generalized_alpha", h, spectral_radius=1.0)),
        (4e-3, 2e-3, 1e-3),
        truth,
        2,
    )
    if hasattr(sl.Model, "modes"):
        case.how = "modes()"
        found = 2 * math.pi * np.sort(np.asarray(of_gallery("shared_node_chain").modes().frequencies))
        for i in (1, 2):
            yield case.check(f"omega{i}", found[i - 1], 1e-10 * case.truth(f"omega{i}"))
