"""A planetary gear with its ring held: the sun is driven, the carrier drives a shaft whose axis is skew to its own."""

import math

import saltus as sl
from saltus.handles import Body, Joint

Point = tuple[float, float, float]
UP: Point = (0.0, 0.0, 1.0)


def wheel(m: sl.Model, name: str, radius: float, mass: float, at: Point, axis: Point = UP, on: Body | None = None, torque: float | None = None) -> tuple[Body, Joint]:
    """A disk on a hinge."""
    body = m.cylinder(radius=radius, length=0.04, mass=mass, at=at, axis=axis, name=name)
    return body, m.revolute(on or m.ground, body, at=at, axis=axis, torque=torque, name=f"{name}_hinge")


def model() -> sl.Model:
    m = sl.Model(gravity=(0, 0, 0))
    _, sun = wheel(m, "sun", 0.1, 1.0, (0, 0, 0), torque=0.2)
    arm, carrier = wheel(m, "carrier", 0.15, 2.0, (0, 0, -0.06))
    for k in range(3):
        at = (0.15 * math.cos(2 * math.pi * k / 3), 0.15 * math.sin(2 * math.pi * k / 3), 0.0)
        _, planet = wheel(m, f"planet{k}", 0.05, 0.5, at, on=arm)
        # Teeth: sun 30, planets 15, ring 60. Motions against the carrier; the ring stands still.
        m.coupling([carrier.angle, planet.angle], (-60, -15), name=f"ring_mesh{k}")
        if k == 0:
            m.coupling([sun.angle, carrier.angle, planet.angle], (30, -30, 15), name="sun_mesh")
    _, shaft = wheel(m, "shaft", 0.08, 1.5, (0.1, 0.1, -0.25), axis=(1, 0.5, 0.3))
    m.coupling([carrier.angle, shaft.angle], (1, -0.5), name="bevel")
    m.outputs = {"sun": sun.angle, "carrier": carrier.angle, "shaft": shaft.angle, "rate": carrier.angular_rate, "mesh": "sun_mesh.multiplier"}
    m.simulation = {"until": 6.0}
    return m
