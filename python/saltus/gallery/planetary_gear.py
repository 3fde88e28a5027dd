"""A planetary gear with its ring held: the sun is driven, the carrier drives a shaft whose axis is skew to its own."""

import math

import saltus as sl


def model() -> sl.Model:
    m = sl.Model(gravity=(0, 0, 0))

    def wheel(name, radius, at, mass, axis="z", on=m.ground, **keywords):
        body = m.cylinder(radius=radius, length=0.04, mass=mass, at=at, axis=axis, name=name)
        return body, m.revolute(on, body, at=at, axis=axis, name=f"{name}_hinge", **keywords)

    _, sun = wheel("sun", 0.1, (0, 0, 0), 1.0, torque=0.2)
    arm, carrier = wheel("carrier", 0.15, (0, 0, -0.06), 2.0)
    for k in range(3):
        at = (0.15 * math.cos(2 * math.pi * k / 3), 0.15 * math.sin(2 * math.pi * k / 3), 0)
        _, planet = wheel(f"planet{k}", 0.05, at, 0.5, on=arm)
        # Teeth: sun 30, planets 15, ring 60. Motions against the carrier; the ring stands still.
        m.coupling([carrier.angle, planet.angle], (-60, -15), name=f"ring_mesh{k}")
        if k == 0:
            m.coupling([sun.angle, carrier.angle, planet.angle], (30, -30, 15), name="sun_mesh")
    _, shaft = wheel("shaft", 0.08, (0.1, 0.1, -0.25), 1.5, axis=(1, 0.5, 0.3))
    m.coupling([carrier.angle, shaft.angle], (1, -0.5), name="bevel")
    m.outputs = {"sun": sun.angle, "carrier": carrier.angle, "shaft": shaft.angle, "rate": carrier.angular_rate, "mesh": "sun_mesh.multiplier"}
    m.simulation = {"until": 6.0}
    return m
