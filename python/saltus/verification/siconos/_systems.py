"""First-order systems with a law: x' = A x + b + B lambda, y = C x + D lambda, and their step of the peer."""

from saltus.items import Complementarity, FirstOrderLinearRelation, FirstOrderSystem, Relay
from saltus.verification.models import coordinates, states


def linear(x0, A=None, b=None, *, C, B, D=None, law="complementarity"):
    """law: "complementarity", or the relay lambda in -Sgn(y)."""
    m = states(x0)
    fields = {name: value for name, value in (("matrix", A), ("vector", b)) if value is not None}
    if fields:
        m.add(FirstOrderSystem(name="system", node="x", **fields))
    chosen = Complementarity() if law == "complementarity" else Relay(low=-1, high=1, on="value")
    more = {} if D is None else {"D": D}
    m.add(FirstOrderLinearRelation(name="relation", on=coordinates("x", len(x0)), C=C, B=B, law=chosen, **more))
    return m
