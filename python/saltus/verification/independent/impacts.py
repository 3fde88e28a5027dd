"""Impacts and dry friction: bounces, spin, slip that turns to rolling, stops, stick, ladder and relays."""

import math

import numpy as np

import saltus as sl
from saltus.items import (
    CoordinateGap,
    CoordinateLoad,
    CoordinatePairGap,
    CoordinateSpringDamper,
    Mass1d,
    NewtonImpact,
    Node1d,
    Relay,
)
from saltus.verification.independent._truth import last

G = 9.81


def runs(case, label, make, until, read, truth, *, loose, tight, source, step=1e-4):
    """Rows with all settings left alone, and at a fine fixed step of Moreau's scheme."""
    for keywords, bound in (({}, loose), ({"scheme": "moreau_jean", "step": step}, tight)):
        result = make().simulate(until, **keywords)
        case.how = f"{result.scheme}, " + (f"step {step:g} s" if keywords else "as simulate() chooses")
        values = read(result) if callable(read) else last(result, read)
        yield case.compare(label, values, truth, bound, source=source)


def bounces(case):
    def make():
        m = sl.Model()
        ball = m.point_mass(mass=1, at=(0, 0, 1), velocity=(0.7, 0, 0), name="ball")
        m.contact(m.plane(), ball, restitution=0.7, name="floor")
        return m

    v, t = math.sqrt(2 * G), math.sqrt(2 / G)
    for _ in range(3):
        v *= 0.7
        t += 2 * v / G
    end = t + 0.7 * v / G  # at the top of the flight after the fourth impact
    v *= 0.7
    yield from runs(
        case, "bouncing ball at its fifth top: x, z", make, end, ["ball.position.x", "ball.position.z"],
        [0.7 * end, v * v / (2 * G)], loose=1e-3, tight=2e-4, source="v' = e v",
    )  # fmt: skip
    whole = math.sqrt(2 / G) * (1 + 2 * 0.7 / 0.3)
    yield from runs(
        case, "end of the bounces: z, v", make, whole + 0.2, ["ball.position.z", "ball.velocity.z"],
        [0, 0], loose=1e-6, tight=1e-6,
        source="all bounces end at sqrt(2 h / g) (1 + e) / (1 - e)",
    )  # fmt: skip


def ball(radius=0.1, mass=1.0, at=None, velocity=(0, 0, 0), spin=(0, 0, 0), friction=0.3, restitution=0.0):
    m = sl.Model()
    s = m.sphere(
        radius=radius, mass=mass, at=at or (0, 0, radius), velocity=velocity, angular_velocity=spin, name="ball"
    )
    m.contact(m.plane(), s, friction=friction, restitution=restitution, name="floor")
    return m


def spinning(case):
    """Impact with friction: slip through the impact, or rolling after it (Garwin 1969 with Newton's law)."""
    R, e, mu = 0.1, 0.6, 0.25
    h = 0.5
    fall = math.sqrt(2 * h / G)
    vn = G * fall
    for label, vx, wy in (("slips on", 4.0, 0.0), ("grips", 0.6, 0.0), ("backspin turns it round", 1.0, -60.0)):
        slip = vx - R * wy
        limit = mu * (1 + e) * vn
        need = 2 / 7 * abs(slip)  # impulse that ends the slip, per mass
        p = -math.copysign(min(limit, need), slip)
        end = fall + 0.2
        truth = [vx + p, wy - p / (0.4 * R), vx * fall + (vx + p) * 0.2]

        def make(vx=vx, wy=wy):
            return ball(R, at=(0, 0, R + h), velocity=(vx, 0, 0), spin=(0, wy, 0), friction=mu, restitution=e)

        yield from runs(
            case, f"ball with spin, {label}: v, w, x", make, end, ["ball.velocity.x", "ball.angular_velocity.y", "ball.position.x"],
            truth, loose=2e-3, tight=1e-2, source="impulse min(mu (1 + e) m v, 2 m u / 7)",
        )  # fmt: skip


def rolling(case):
    """A ball with oblique spin: the slip keeps its direction, the path is a parabola until it rolls."""
    R, mu = 0.1, 0.2
    v, w = np.array([2.0, 0.5]), np.array([10.0, -15.0, 3.0])
    u = np.array([v[0] - R * w[1], v[1] + R * w[0]])
    t = 2 / 7 * np.linalg.norm(u) / (mu * G)
    end = t + 0.5
    after = v - 2 / 7 * u
    x = v * t - 0.5 * mu * G * t * t * u / np.linalg.norm(u) + after * 0.5
    truth = [*after, -after[1] / R, after[0] / R, *x]

    def read(r):
        return last(r, [f"ball.{q}" for q in ("velocity.x", "velocity.y", "angular_velocity.x", "angular_velocity.y",
                                             "position.x", "position.y")])  # fmt: skip

    yield from runs(
        case, "oblique slip to rolling: v, w, place", lambda: ball(R, velocity=(*v, 0), spin=tuple(w), friction=mu), end, read,
        truth, loose=2e-3, tight=1e-3, source="slip keeps its direction; v = v0 - 2 u / 7 (Coriolis)",
    )  # fmt: skip


def incline(case):
    slope = math.radians(25)
    g = (G * math.sin(slope), 0, -G * math.cos(slope))
    for label, mu in (("rolls", 0.2), ("slips", 0.1)):
        a = (
            G * math.sin(slope) * 5 / 7
            if mu > 2 / 7 * math.tan(slope)
            else G * (math.sin(slope) - mu * math.cos(slope))
        )
        alpha = a / 0.1 if mu > 2 / 7 * math.tan(slope) else mu * G * math.cos(slope) / (0.4 * 0.1)

        def make(mu=mu):
            m = sl.Model(gravity=g)
            s = m.sphere(radius=0.1, mass=2, at=(0, 0, 0.1), name="ball")
            m.contact(m.plane(), s, friction=mu, name="floor")
            return m

        yield from runs(
            case, f"ball on an incline {label}: v, w, x", make, 1.0,
            ["ball.velocity.x", "ball.angular_velocity.y", "ball.position.x"], [a, alpha, 0.5 * a], loose=5e-3, tight=1e-3,
            source="rolls above mu = 2/7 tan(slope)",
        )  # fmt: skip
    # Two directions at once: pushed across while it slides down, the block's friction opposes the velocity.
    from saltus.verification.independent._truth import integrate

    mu, down, normal = 0.4, G * math.sin(slope), G * math.cos(slope)

    def f(t, y):
        return [*y[2:], *(np.array([down, 0]) - mu * normal * y[2:] / np.hypot(*y[2:]))]

    def make():
        m = sl.Model(gravity=g)
        p = m.point_mass(mass=3, velocity=(0, 2, 0), name="block")
        m.contact(m.plane(), p, friction=mu, name="floor")
        return m

    yield from runs(
        case, "block thrown across an incline: place, velocity", make, 1.0,
        ["block.position.x", "block.position.y", "block.velocity.x", "block.velocity.y"], integrate(f, [0, 0, 0, 2], 1.0),
        loose=5e-3, tight=1e-3, source="scipy, friction against the velocity",
    )  # fmt: skip


def line(*places, mass=1.0, speeds=None):
    m = sl.Model(gravity=(0, 0, 0))
    for i, x in enumerate(places):
        m.add(Node1d(name=f"n{i}", displacement=x, velocity=0.0 if speeds is None else speeds[i]))
        m.add(Mass1d(name=f"m{i}", node=f"n{i}", mass=mass if np.isscalar(mass) else mass[i]))
    return m


def stops(case):
    def spring():
        m = line(-0.5)
        m.add(CoordinateSpringDamper(name="s", A="ground", B="n0", stiffness=25.0))
        m.add(CoordinateGap(name="stop", on="n0", law=NewtonImpact(restitution=0.8), at=0.0, sign=-1))
        return m

    # Held at x < 0 at the middle: each impact after half a period takes 0.8 of the speed.
    t = math.pi / 5 * 3.0
    truth = [-0.5 * 0.8**3 * math.cos(0.0) * 0 - 0.5 * 0.8**3 * math.sin(5 * (t - math.pi / 10 - 2 * math.pi / 5))]
    yield from runs(
        case, "oscillator on a stop, after three impacts: x", spring, t, ["n0.coordinate"], truth, loose=2e-3, tight=1e-3,
        source="half periods, v' = e v",
    )  # fmt: skip

    def box():
        m = line(0.3, speeds=[2.0])
        for name, at, sign in (("low", 0.0, 1), ("high", 1.0, -1)):
            m.add(CoordinateGap(name=name, on="n0", law=NewtonImpact(restitution=1.0), at=at, sign=sign))
        return m

    yield from runs(
        case, "mass between two walls, ten impacts: x, v", box, 5.0, ["n0.coordinate", "n0.rate"], [0.3, 2.0],
        loose=5e-3, tight=5e-3, source="mirror images",
    )  # fmt: skip

    def cradle():
        m = line(0.0, 1.0, mass=(2.0, 1.0), speeds=[1.0, -0.5])
        m.add(CoordinatePairGap(name="gap", A="n0", B="n1", law=NewtonImpact(restitution=0.5)))
        return m

    t = 1 / 1.5
    v = [1.0 - 1.5 * 1.5 / 3, -0.5 + 1.5 * 2 * 1.5 / 3]
    yield from runs(
        case, "two unlike masses meet: x, v", cradle, t + 1, ["n0.coordinate", "n1.coordinate", "n0.rate", "n1.rate"],
        [t + v[0], t + v[1], *v], loose=2e-3, tight=1e-3, source="momentum and restitution",
    )  # fmt: skip


def dry(case):
    """Energy lost a cycle, 4 mu m g A: amplitudes fall by 2 F / k every half period."""
    F, k = 1.0, 100.0

    def make():
        m = line(0.5)
        m.add(CoordinateSpringDamper(name="s", A="ground", B="n0", stiffness=k))
        m.add(CoordinateGap(name="f", on="n0", law=Relay(low=-F, high=F, on="rate")))
        return m

    t = 10 * math.pi / 10
    yield from runs(
        case, "dry friction: amplitude after five cycles", make, t, ["n0.coordinate"], [0.5 - 20 * F / k], loose=2e-3, tight=1e-3,
        source="2 F / k less every half period",
    )  # fmt: skip

    def stick():
        m = line(0.0)
        m.add(CoordinateLoad(name="pull", on="n0", force="t"))
        m.add(CoordinateGap(name="f", on="n0", law=Relay(low=-F, high=F, on="rate")))
        return m

    yield from runs(
        case, "growing pull against dry friction: x, v", stick, 3.0, ["n0.coordinate", "n0.rate"], [8 / 6, 2.0], loose=2e-3,
        tight=1e-3, source="v = (t - F)^2 / 2 from t = F on",
    )  # fmt: skip


def verify(case):
    for part in (bounces, spinning, rolling, incline, stops, dry):
        yield from part(case)
