"""A strip that is glued to a plate is peeled off by its end: the glue lets go piece by piece, and the pull falls as the free end grows longer."""

import math

import saltus as sl
from saltus.items import CohesiveImpact

PIECES, PIECE, WIDTH, MASS = 40, 0.01, 0.12, 1e-3
BENDING, TOUGHNESS, OPENING = 0.02, 0.2, 0.001  # [N m^2], [J/m] of the glue, opening at which it has let go [m]
STRENGTH = 2 * TOUGHNESS * PIECE / OPENING
DAMPING = 2e-2  # [N m s] of the bending of a piece: what lets go comes to rest
LIFT, TIME = 0.06, 2.0


def free_length(lift: float) -> float:
    """Of a slender strip: the energy that a longer free end gives back is what the glue takes, F^2 a^2 / (2 E I) = G, with the lift F a^3 / (3 E I)."""
    return math.sqrt(3 * BENDING * lift / math.sqrt(2 * TOUGHNESS * BENDING))


def height(x: float, lift: float) -> float:
    """Of the strip at x: a cantilever of that length."""
    a = free_length(lift)
    s = x - (PIECES * PIECE - a)
    return lift * s * s * (3 * a - s) / (2 * a**3) if s > 0.0 else 0.0


def model() -> sl.Model:
    m = sl.Model(planar=True, gravity=(0, 0))
    m.plane(name="plate")
    pieces = [m.box(size=(PIECE, 0.003, WIDTH), mass=MASS, at=((i + 0.5) * PIECE, 0), name=f"piece_{i}") for i in range(PIECES)]
    m.fixed(m.ground, pieces[0])
    for i in range(1, PIECES):
        m.revolute(pieces[i - 1], pieces[i], at=(i * PIECE, 0), stiffness=BENDING / PIECE, damping=DAMPING, name=f"bend_{i}")
        m.user_relation([pieces[i].frame(at=((i + 0.5) * PIECE, 0))], ["A_y"], law=CohesiveImpact(strength=STRENGTH, opening=OPENING), name=f"glue_{i}")
    m.user_relation([pieces[-1].frame(at=(PIECES * PIECE, 0))], [f"A_y - {LIFT / TIME}*t"], law="equality", name="lift")
    m.outputs = {"pull": "lift.multiplier", "height": f"piece_{PIECES - 6}.position.y", "inner": f"piece_{PIECES - 11}.position.y"}
    m.simulation = {"until": TIME, "step": 1e-3, "record": {"every": 0.02}, "scheme": "moreau_jean"}
    return m
