"""A mass under a sampled PID controller with zero-order hold, written as formulas with a memory."""

import numpy as np

import saltus as sl
from saltus.verification.case import at
from saltus.verification.models import options_of, with_step

K1, K2, K3, H = 0.25, 0.125, 2.0, 0.05


def model():
    m = sl.Model(gravity=(0, 0, 0))
    x = m.add(sl.items.Node1d(displacement=10, velocity=10), name="x")
    m.add(sl.items.Mass1d(node=x, mass=1.0))
    m.add(sl.items.CoordinateLoad(on=x, force=0.0), name="u")
    u = f"m0 + {K1}*(-x - m1) - {K2 * H}*x + {K3 / H}*(-x - 2*m1 + m2)"  # m: u, and the errors of the two samples before
    m.controller([u, u, "-x", "m1"], period=H, inputs={"x": x.coordinate}, outputs=["u"], memory=(0, 0, 0))
    return m


def recursion(until):
    """Position and speed at `until`: constant force between samples, the controller's own difference equation."""
    x, v, u, e1, e2 = 10.0, 10.0, 0.0, 0.0, 0.0
    for _ in range(round(until / H)):
        e = -x
        u += K1 * (e - e1) + K2 * H * e + K3 / H * (e - 2 * e1 + e2)
        e1, e2 = e, e1
        x, v = x + H * v + 0.5 * H * H * u, v + H * u
    return [x, v]


def verify(case):
    keywords = with_step("runge_kutta_4", H)
    case.how = options_of(keywords)
    result = model().simulate(100.0, **keywords)
    states = [[at(result, f"x.{word}", t) for word in ("coordinate", "rate")] for t in (10.0, 100.0)]
    for key, until, ours in zip(("x_10s", "x_T"), (10.0, 100.0), states, strict=True):
        yield case.compare(key, np.ravel(ours), recursion(until), 1e-9, peer=case.peer_value(key), source="difference equation of the sampled loop")
