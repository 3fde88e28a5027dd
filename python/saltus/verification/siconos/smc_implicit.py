"""Sliding mode with a sampled controller, implicit and explicit, as blocks; and the implicit one as a relay on the sliding variable."""

import numpy as np

import saltus as sl
from saltus.items import FirstOrderLinearRelation, FirstOrderSystem, Relay
from saltus.verification.models import coordinates, states, options_of, with_step

PERIOD = 0.01


def sampled(method):
    """x1' = x2, x2' = 2 u: a mass of 1/2."""
    m = sl.Model(gravity=(0, 0, 0))
    x = m.add(sl.items.Node1d(displacement=1, velocity=-1), name="x")
    m.add(sl.items.Mass1d(node=x, mass=0.5))
    m.add(sl.items.CoordinateLoad(on=x, force=0.0), name="u")
    m.sliding_mode(x.rate, gain=2.0, input_gain=2.0, period=PERIOD, method=method, outputs=["u"])
    return m


def relay():
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
    case.how = options_of(keywords)
    result = sampled("implicit").simulate(1.0, **keywords)
    x, v = np.asarray(result["x.coordinate"]), np.asarray(result["x.rate"])
    yield case.check("x_T", [x[-1], v[-1]])
    yield case.check("sigma_max_after_0p6", np.abs(v[result.time > 0.6]).max())
    result = sampled("explicit").simulate(1.0, **keywords)
    worst = np.abs(np.asarray(result["x.rate"])[result.time > 0.6]).max()
    yield case.compare("sigma_max_explicit", worst, 2.0 * PERIOD, 1e-9, peer=case.peer_value("sigma_max_explicit"), source="closed form: period times rate")
    result = relay().simulate(1.0, **keywords)
    yield case.check("sigma_max_after_0p6", np.abs(np.asarray(result["x.state"])[result.time > 0.6, 1]).max(), note="as a relay")
    keywords = with_step("zero_order_hold", PERIOD)
    case.how = options_of(keywords)
    result = relay().simulate(1.0, **keywords)
    x = np.asarray(result["x.state"])
    yield case.check("x_T", x[-1], 1e-12, note="as a relay")
    yield case.check("sigma_max_after_0p6", np.abs(x[result.time > 0.6, 1]).max(), note="as a relay")
