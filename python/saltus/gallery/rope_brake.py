"""A rope brake: a flywheel runs down under a rope that a weight pulls and a spring balance holds; then it stands, and the rope sticks."""

import math

import saltus as sl

RADIUS, FRICTION, WEIGHT = 0.3, 0.3, 5.0  # [m], mu, [kg]
INERTIA, SPEED = 1.2, 60.0  # [kg m^2], [rad/s]


def model() -> sl.Model:
    m = sl.Model()
    wheel = m.cylinder(radius=RADIUS, length=0.1, mass=INERTIA / (0.5 * RADIUS**2), at=(0, 0, 1.0), axis="y", angular_velocity=(0, SPEED, 0), name="wheel")
    m.revolute(m.ground, wheel, axis="y", name="axle")
    weight = m.box(size=(0.2, 0.12, 0.12), mass=WEIGHT, at=(-RADIUS, 0, 0.3), name="weight")
    m.prismatic(m.ground, weight, axis="z", name="guide")
    hook = m.box(size=(0.05, 0.05, 0.08), mass=0.2, at=(RADIUS, 0, 0.5), name="hook")
    m.prismatic(m.ground, hook, axis="z", name="hook_guide")
    m.spring(m.ground.frame(at=(RADIUS, 0, 0.1)), hook, stiffness=2000.0, damping=60.0, rest_length=0.4, name="balance")
    rim = m.sheave(wheel, radius=RADIUS, axis="y", at=(0, 0, 1.0), friction=FRICTION)
    rope = m.rope([weight, rim, hook], name="rope")
    m.outputs = {"speed": wheel.angular_velocity.y, "weight_side": rope.first_tension, "balance_side": rope.tension, "slip": rope.slip}
    m.simulation = {"until": 10.0, "scheme": "moreau_jean", "step": 1e-3}
    return m


def drop() -> float:
    """Torque on the wheel while the rope slips [N m]: (W - S) r, S = W e^(-mu pi)."""
    return WEIGHT * 9.81 * (1.0 - math.exp(-FRICTION * math.pi)) * RADIUS
