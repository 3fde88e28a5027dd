"""The bridge with a filter capacitor over the load: no closed form; the peer's run at the same step, and piecewise integration."""

import numpy as np

from saltus.verification.case import at
from saltus.verification.models import options_of, with_step
from saltus.verification.siconos._systems import linear

L, C, R, CF = 1e-2, 1e-6, 1e3, 3e-7


def model():
    D = [[0, -1, 0, 0], [1, 0, 1, -1], [0, -1, 0, 0], [0, 1, 0, 0]]
    return linear([10, 0, 0], [[0, -1 / C, 0], [1 / L, 0, 0], [0, 0, -1 / (R * CF)]],
                  C=[[0, 0, 1], [0, 0, 0], [-1, 0, 1], [1, 0, 0]], D=D,
                  B=[[0, 0, -1 / C, 1 / C], [0, 0, 0, 0], [1 / CF, 0, 1 / CF, 0]])  # fmt: skip


def proof(end: float) -> np.ndarray:
    """(v, i, vC) at `end` by scipy: the bridge conducts while |v| = vC and its current is not negative, else it blocks.

    At the start the charge is shared at once, as the law asks: C v + CF vC is kept and v = vC.
    """
    from scipy.integrate import solve_ivp

    def conducting(t, y, s):  # v = s vC, both capacitors in parallel
        v, i = y[0], y[1]
        dv = (-i - v / R) / (C + CF)
        return [dv, v / L, s * dv]

    def blocking(t, y, s):
        return [-y[1] / C, y[0] / L, -y[2] / (R * CF)]

    def current(t, y, s):  # through the bridge, positive while it conducts
        dv = (-y[1] - y[0] / R) / (C + CF)
        return s * (-y[1] - C * dv)

    def gap(t, y, s):
        return abs(y[0]) - y[2]

    current.terminal, current.direction = True, -1
    gap.terminal, gap.direction = True, 1
    shared = C * 10 / (C + CF)
    t, y, s, on = 0.0, np.array([shared, 0.0, shared]), 1.0, True
    while t < end:
        f, event = (conducting, current) if on else (blocking, gap)
        out = solve_ivp(f, (t, end), y, args=(s,), events=event, rtol=1e-11, atol=1e-12, method="DOP853")
        t, y = out.t[-1], out.y[:, -1]
        if out.status == 1:
            on = not on
            s = np.sign(y[0]) if on else s
    return y


def verify(case):
    note = "implicit Euler at 1 us damps by exp(-w^2 h t / 2), 18 % in 4 ms: the peer's numbers are those of its step"
    for theta, step in ((1.0, 1e-6), (0.5, 2e-7)):
        keywords = with_step("moreau_jean", step, theta=theta)
        case.how = options_of(keywords)
        result = model().simulate(4e-3, **keywords)
        for ms in (1, 4):
            truth, x = proof(ms * 1e-3), at(result, "x.state", ms * 1e-3)
            for k, name in enumerate(("v", "i", "vC")):
                key = f"{name}_{ms}ms"
                peer = case.peer_value(key) if case.has(key) else None
                if theta == 0.5:
                    yield case.compare(key, x[k], truth[k], 0.02 if name != "i" else 2e-4, peer=peer, note=note,
                                       source="piecewise integration, scipy DOP853 with events, 1e-11")  # fmt: skip
                elif peer is not None:
                    yield case.compare(
                        f"{key} against the peer", x[k], peer, 1e-8, source="Siconos 4.4.0, same scheme and step"
                    )
