"""Andrews' squeezer: seven planar bodies, six loops, a motor; angles of the test set from those of the bodies."""

import numpy as np

from saltus.verification.models import controlled, of_gallery, options_of, with_step

ANGLES = {  # angles of the test set from those of the seven bodies
    "beta": (1, 0), "Theta": (2, 1), "gamma": (3, 0), "Phi": (4, 5), "delta": (5, 0), "Omega": (6, 7), "epsilon": (7, 0),
}  # fmt: skip


def angles(keywords) -> dict[str, float]:
    result = of_gallery("andrews_squeezer").simulate(0.03, **keywords)
    out = {}
    for name, (plus, minus) in ANGLES.items():
        for end, quantity in (("", "coordinate"), ("_rate", "rate")):
            out[name + end] = result[f"n{plus}.{quantity}.2"].last
            out[name + end] -= result[f"n{minus}.{quantity}.2"].last if minus else 0.0
    return out


def verify(case):
    keywords = controlled("dormand_prince", 1e-11)
    case.how = options_of(keywords)
    found = angles(keywords)
    for name in ANGLES:
        yield case.check(
            name, found[name], 1e-8, note="tolerance: the goal of the case; the published digits end there"
        )
    for name in ANGLES:
        yield case.check(name + "_rate", found[name + "_rate"], 1e-7 * max(1.0, abs(case.truth(name + "_rate"))))
    if case.quick:
        return
    case.how = "generalized_alpha, spectral radius 0.8"
    truth = np.array([case.truth(name) for name in ANGLES])

    def run(step):
        found = angles(with_step("generalized_alpha", step, spectral_radius=0.8))
        return [found[name] for name in ANGLES]

    yield case.order("the angles", run, (1e-5, 5e-6, 2.5e-6), truth, 2)
