"""Linear first-order system: the peer starts with a zero rate and is of first order."""

import numpy as np

from saltus.verification.models import controlled, of_gallery, options_of, with_step


def end(keywords):
    return np.array(of_gallery("ode1_lti").simulate(1.5, **keywords)["x.state"].last)


def verify(case):
    keywords = controlled("dormand_prince", 1e-9)
    case.how = options_of(keywords)
    for i, value in enumerate(end(keywords)):
        yield case.check(f"y{i}", value)
    keywords = with_step("generalized_alpha", 0.01)
    case.how = options_of(keywords)
    for i, value in enumerate(end(keywords)):
        yield case.check(f"y{i}", value, 1e-3)
    truth = [case.truth(f"y{i}") for i in range(3)]
    for scheme, expected in (("generalized_alpha", 2), ("moreau_jean", 2), ("runge_kutta_4", 4)):
        case.how = scheme
        yield case.order(
            f"the states, {scheme}", lambda h, s=scheme: end(with_step(s, h)), (0.02, 0.01, 0.005), truth, expected
        )
