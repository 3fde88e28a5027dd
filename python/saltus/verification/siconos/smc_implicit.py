"""Sliding mode with an implicit controller, as a relay on the sliding variable; the sampled form waits for a sampled controller."""

import numpy as np

from saltus.items import FirstOrderLinearRelation, FirstOrderSystem, Relay
from saltus.verification.models import coordinates, states, told, with_step


def model():
    m = states((1, -1))
    m.add(FirstOrderSystem(name="plant", node="x", matrix=[[0, 1], [0, 0]]))
    m.add(
        FirstOrderLinearRelation(
            name="u", on=coordinates("x", 2), C=[[0, 1]], B=[[0], [2]], law=Relay(low=-1, high=1, on="value")
        )
    )
    return m


def verify(case):
    keywords = with_step("moreau_jean", 1e-4)
    case.how = told(keywords)
    result = model().simulate(1.0, **keywords)
    x = np.asarray(result["x.state"])
    yield case.check("x_T", x[-1])
    yield case.check("sigma_max_after_0p6", np.abs(x[result.time > 0.6, 1]).max())
