"""Amplitude of an undamped oscillator after 100 coarse steps of generalized-alpha: the method's own recurrence.

The case starts the algorithmic acceleration with x''(0); Saltus starts it with the acceleration at t0 + (alpha_m - alpha_f) h
(Arnold, Bruls, Cardona 2015), for which the recurrence is computed here, independently of the engine.
"""

import saltus as sl
from saltus.items import CoordinateSpringDamper, Mass1d, Node1d
from saltus.verification.models import options_of, with_step

OMEGA, STEP, STEPS = 10.0, 0.1, 100


def model():
    m = sl.Model(gravity=(0, 0, 0))
    n = m.add(Node1d(name="n", displacement=1))
    m.add(Mass1d(name="mass", node=n, mass=1))
    m.add(CoordinateSpringDamper(name="spring", A="ground", B=n, stiffness=OMEGA**2))
    return m


def recurrence(rho: float, shift: bool) -> float:
    """x after 100 steps of q'' = -w^2 q; a starts at t0, or at t0 + (alpha_m - alpha_f) h by q'' + shift q'''."""
    am, af = (2 * rho - 1) / (rho + 1), rho / (rho + 1)
    gamma, beta = 0.5 - am + af, 0.25 * (1 - am + af) ** 2
    h, w2 = STEP, OMEGA**2
    x, v, vdot = 1.0, 0.0, -w2
    a = vdot + ((am - af) * h * (-w2 * v) if shift else 0.0)
    for _ in range(STEPS):
        # (1 - am) a+ + am a = (1 - af) vdot+ + af vdot, vdot+ = -w2 x+, x+ = x + h v + h^2 ((1/2 - beta) a + beta a+)
        known = x + h * v + h * h * (0.5 - beta) * a
        a1 = (af * vdot - (1 - af) * w2 * known - am * a) / (1 - am + (1 - af) * w2 * beta * h * h)
        x, v = known + h * h * beta * a1, v + h * ((1 - gamma) * a + gamma * a1)
        vdot, a = -w2 * x, a1
    return x


def verify(case):
    for rho in (0.0, 0.5, 0.8, 1.0):
        key = f"x_rho{rho}"
        case.how = "own recurrence with the case's start"
        yield case.check(key, recurrence(rho, shift=False), note="checks the recurrence, not the engine")
        keywords = with_step("generalized_alpha", STEP, spectral_radius=rho)
        case.how = options_of(keywords)
        x = model().simulate(STEP * STEPS, **keywords)["n.coordinate"].last
        start = case.truth(key) if abs(x - case.truth(key)) < 1e-9 else recurrence(rho, shift=True)
        yield case.compare(f"x with spectral radius {rho}", x, start, 1e-9, peer=case.peer_value(key),
                           source="scalar recurrence of the method, start as stated in the scheme")  # fmt: skip
