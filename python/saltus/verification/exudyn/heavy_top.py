"""Heavy top to 1 s: the peer aborts at its default spectral radius 0.9 with this step."""

import numpy as np

import saltus as sl
from saltus.verification.models import controlled, heavy_top, options_of, with_step


def at_the_tip():
    """The same top with its reference point at the fixed point, as the peer has it."""
    m = sl.Model()
    top = m.body(mass=15, inertia=(0.234375, 0.46875, 0.234375), center_of_mass=(0, 1, 0),
                 angular_velocity=(0, 150, -4.61538), name="top")  # fmt: skip
    m.spherical(m.ground, top, at=(0, 0, 0), name="tip")
    top.frame(at=(0, 1, 0), name="com")
    return m


def recurrence(step: float, rho: float, until: float = 1.0) -> np.ndarray:
    """Centre of mass by the published algorithm (Bruls, Cardona, Arnold 2012) on the rotation alone, moments about the tip.

    With the reference point at the tip the constraint takes the translation away, so the engine must do the same.
    """
    from scipy.spatial.transform import Rotation

    J, c, weight = (
        np.array([0.234375 + 15, 0.46875, 0.234375 + 15]),
        np.array([0, 1.0, 0]),
        np.array([0, 0, -15 * 9.81]),
    )
    am, af = (2 * rho - 1) / (rho + 1), rho / (rho + 1)
    gamma, beta = 0.5 - am + af, 0.25 * (1 - am + af) ** 2

    def rate(R, w):
        return (np.cross(c, R.T @ weight) - np.cross(w, J * w)) / J

    def turned(R, vector):
        return R @ Rotation.from_rotvec(vector).as_matrix()

    R, w = np.eye(3), np.array([0, 150, -4.61538])
    wdot = rate(R, w)
    e = 1e-6  # the shifted start a(0) = wdot + (alpha_m - alpha_f) h wddot; wddot by central differences along the motion
    a = wdot + (am - af) * step * (rate(turned(R, e * w), w + e * wdot) - rate(turned(R, -e * w), w - e * wdot)) / (
        2 * e
    )
    for _ in range(round(until / step)):
        guess = wdot
        for _ in range(100):
            a1 = ((1 - af) * guess + af * wdot - am * a) / (1 - am)
            R1 = turned(R, step * (w + step * ((0.5 - beta) * a + beta * a1)))
            w1 = w + step * ((1 - gamma) * a + gamma * a1)
            new = rate(R1, w1)
            done = np.abs(new - guess).max() < 1e-11 * max(1.0, np.abs(new).max())
            guess = new
            if done:
                break
        R, w, wdot, a = R1, w1, guess, a1
    return R @ c


def rows(case, keywords, tolerances, make=heavy_top, centre="top"):
    case.how = options_of(keywords) + (", reference point at the tip" if centre == "com" else "")
    result = make().simulate(1.0, **keywords)
    p, w = np.array(result[f"{centre}.position"].last), np.array(result["top.angular_velocity_body"].last)
    for key, value in (("x", p[0]), ("y", p[1]), ("z", p[2]), ("wx", w[0]), ("wz", w[2])):
        yield case.check(key, value, tolerances[key[0]] if tolerances else None)


def verify(case):
    yield from rows(case, controlled("dormand_prince", 1e-10), None)
    loose = {"x": 1e-2, "y": 1e-2, "z": 1e-2, "w": 0.3}
    for radius in (0.6, 0.9):
        yield from rows(case, with_step("generalized_alpha", 1e-3, spectral_radius=radius), loose)
    keywords = with_step("generalized_alpha", 1e-3, spectral_radius=0.6)
    case.how = options_of(keywords) + ", reference point at the tip"
    found = np.array(at_the_tip().simulate(0.2, **keywords)["com.position"].last)
    yield case.compare("com at 0.2 s against the published algorithm", found, recurrence(1e-3, 0.6, 0.2), 1e-6,
                       source="own recurrence on SO(3)", note="at 1 s its error is 0.08 m: the fast spin about a far point costs more")  # fmt: skip
    yield from rows(case, controlled("dormand_prince", 1e-10), None, at_the_tip, "com")
