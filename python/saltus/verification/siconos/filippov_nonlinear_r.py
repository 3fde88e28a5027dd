"""Filippov's spiral as a general nonlinear relation y = h(x), r = g(lambda), and as a linear one: the same steps."""

import numpy as np

from saltus.items import FirstOrderRelation, Relay
from saltus.verification.case import at
from saltus.verification.models import coordinates, states, options_of, with_step

ALPHA = 0.01


def model():
    m = states((3, 3))
    m.add(FirstOrderRelation(
        name="relay", on=coordinates("x", 2), rows=2, output=["q0", "q1"],
        input=["lambda0 - 2*lambda1", "2*lambda0 + lambda1"], law=Relay(low=-1, high=1, on="value"),
    ))  # fmt: skip
    return m


def verify(case):
    keywords = with_step("moreau_jean", 1e-3)
    case.how = options_of(keywords)
    result = model().simulate(0.1, **keywords)
    x = np.asarray(result["x.state"])
    yield case.compare(
        "sum |x| falls at rate 2 at first", np.abs(x[10]).sum(), 6 - 2 * 0.01, 1e-9, source="closed form"
    )
    result = model().simulate(4.0, **keywords)
    yield case.check("x_T", at(result, "x.state", 4.0), 1e-9, note="reached at (|x1| + |x2|) / 2 = 3 s")
