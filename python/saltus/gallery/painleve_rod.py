"""Painleve's rod: a rod that slides on its lower end. Where friction is above 4/3 there are angles at which no contact force, or two of them, fit the motion.

`region(mu)` are these angles; `python -m saltus.gallery.painleve_rod` prints them. The model begins within them: there is no contact force, the end of the rod stops at once by an
impact without a collision (Genot, Brogliato 1999), which a time stepping scheme solves as one problem, and the rod goes over."""

import math

import saltus as sl
from saltus.items import CoulombImpact2d, PlaneContact2d

HALF, FRICTION, ANGLE = 0.5, 2.0, math.radians(60)


def acceleration(angle: float, friction: float) -> float:
    """y'' of the sliding end by a unit of contact force, of a rod of 1 kg: below 0 the force pulls the end into the floor."""
    return 1.0 + 3.0 * math.cos(angle) * (math.cos(angle) - friction * math.sin(angle))


def region(friction: float) -> tuple[float, float] | None:
    """The angles between which `acceleration` is below 0, [rad]; None up to 4/3."""
    # 1 + 3 cos (cos - mu sin) = (5 + 3 cos 2a - 3 mu sin 2a) / 2 = 0
    size, phase = 3.0 * math.hypot(1.0, friction), math.atan(friction)
    if size <= 5.0:
        return None
    beyond = math.acos(-5.0 / size)
    return 0.5 * (beyond - phase), 0.5 * (2.0 * math.pi - beyond - phase)


def model() -> sl.Model:
    m = sl.Model(planar=True)
    c, s = math.cos(ANGLE), math.sin(ANGLE)
    # The lower end goes ahead of the centre, to the right, and pushes into the floor.
    rod = m.box(size=(2 * HALF, 0.02, 0.02), mass=1.0, at=(-HALF * c, HALF * s), rotation=(0, 0, -ANGLE), velocity=(1.0, 0.0), name="rod")
    m.add(PlaneContact2d(name="floor", A={"body": "ground", "rotation": [-math.pi / 2, 0, 0]}, B={"body": rod.name, "at": [0, 0, 0]}, law=CoulombImpact2d(friction=FRICTION)))
    m.plane(name="ground_shown")
    end = rod.frame(at=(0, 0), name="end")
    m.outputs = {"end": end.velocity, "force": "floor.force"}
    m.simulation = {"until": 0.2, "step": 1e-4, "scheme": "moreau_jean"}
    return m


if __name__ == "__main__":
    for mu in (1.0, 4.0 / 3.0, 1.4, 2.0):
        found = region(mu)
        between = f"{math.degrees(found[0]):.2f} to {math.degrees(found[1]):.2f} degrees" if found else "no angle"
        print(f"friction {mu:.3f}: contact forces that do not exist or are not unique at {between}")
