"""A pendulum on a block that slides with friction on a floor between stops. Two point masses and a rod instead of a q-dependent mass."""

import math

import numpy as np

import saltus as sl
from saltus.items import CoulombImpact2d, Distance, LinearRelation, NewtonImpact, NodePoint2d, PointMass
from saltus.verification.case import at
from saltus.verification.models import options_of, with_step


def model():
    """Velocities are those of q' = (2, 0, 0): the pendulum moves with the block."""
    m = sl.Model(gravity=(0, -9.81, 0))
    for name, x, y in (("block", 0.1, 0.0), ("bob", 0.1 + math.sin(0.1), -math.cos(0.1))):
        m.add(NodePoint2d(name=f"n_{name}", position=[x, y, 0], velocity=[2, 0, 0]))
        m.add(PointMass(name=name, node=f"n_{name}", mass=1))
    m.add(Distance(name="rod", A="block", B="bob", length=1))
    x, y = ({"node": "n_block", "coordinate": i} for i in (0, 1))
    m.add(
        LinearRelation(
            name="floor", on=[x, y], matrix=[[0, 1], [1, 0]], law=CoulombImpact2d(friction=0.8, restitution=0.5)
        )
    )
    m.add(LinearRelation(name="left", on=[x], matrix=[[1]], offset=0.2375, law=NewtonImpact(restitution=0.5)))
    m.add(LinearRelation(name="right", on=[x], matrix=[[-1]], offset=0.2375, law=NewtonImpact(restitution=0.5)))
    return m


def proof(until: float) -> tuple[float, float]:
    """(x, phi) of the sliding block by scipy, minimal coordinates, constant contact; phi' = 0 at the start."""
    from scipy.integrate import solve_ivp

    g, mu = 9.81, 0.8

    def f(t, y):
        x, phi, v, w = y
        s, c = math.sin(phi), math.cos(phi)

        def normal(a, alpha):  # of the floor: weight of both and the bob's vertical acceleration
            return 2 * g + alpha * s + w * w * c

        # block and bob along x: 2 a + alpha c - w^2 s = -mu N sign(v); bob about the block: alpha + a c + g s = 0
        sign = math.copysign(1.0, v) if sticks[0] is False else 0.0
        A = np.array([[2.0, c + mu * sign * s], [c, 1.0]])
        b = np.array([w * w * s - mu * sign * (2 * g + w * w * c), -g * s])
        a, alpha = np.linalg.solve(A, b) if not sticks[0] else (0.0, -g * s)
        return [v, w, a, alpha]

    sticks = [False]
    stop = lambda t, y: y[2]  # noqa: E731
    stop.terminal, stop.direction = True, -1
    first = solve_ivp(f, (0, until), [0.1, 0.1, 2.0, 0.0], events=stop, rtol=1e-11, atol=1e-12, method="DOP853")
    if first.status != 1:
        return first.y[0, -1], first.y[1, -1]
    # The friction of a resting block must be within the cone for the rest of the run: checked at the extremes.
    sticks[0] = True
    y = first.y[:, -1].copy()
    y[2] = 0.0
    rest = solve_ivp(f, (first.t[-1], until), y, rtol=1e-11, atol=1e-12, method="DOP853", max_step=1e-2)
    phi, w = rest.y[1], rest.y[3]
    alpha = -g * np.sin(phi)
    force = alpha * np.cos(phi) - w**2 * np.sin(phi)
    normal = 2 * g + alpha * np.sin(phi) + w**2 * np.cos(phi)
    if np.any(np.abs(force) > mu * normal):
        raise ValueError("the block would slip again: the proof does not hold")
    return rest.y[0, -1], rest.y[1, -1]


def verify(case):
    keywords = with_step("moreau_jean", 2e-4)
    case.how = options_of(keywords)
    result = model().simulate(3.0, **keywords)
    source = "scipy DOP853 in minimal coordinates, slide then stick, cone checked"
    for key, time in (("q_0p5", 0.5), ("q_1", 1.0), ("q_T", 3.0)):
        x, phi = proof(time)
        p, b = at(result, "block.position", time), at(result, "bob.position", time)
        angle = math.atan2(b[0] - p[0], -(b[1] - p[1]))
        peer = case.peer_value(key)
        yield case.compare(f"x at {time:g} s", p[0], x, 1e-3, peer=peer[0], source=source)
        yield case.compare(f"angle at {time:g} s", angle, phi, 5e-3, peer=peer[2], source=source)
