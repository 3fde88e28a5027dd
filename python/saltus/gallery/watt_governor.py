"""Watt's governor: flyballs lift a sleeve that closes the throttle of an engine; half way the load of the engine grows."""

import math

import saltus as sl

ARM, REST = 0.25, math.radians(20.0)  # length of arms and links [m], their angle with the sleeve on its rest
BALL, SLEEVE, FLYWHEEL = 1.5, 2.0, 5.0  # [kg], [kg], [kg m^2]
THROTTLE, CLOSED = 100.0, 0.15  # torque a height [N m/m], height at which no steam comes [m]
LOADS, CHANGE = (5.0, 9.0), 20.0  # [N m], [s]


def model() -> sl.Model:
    m = sl.Model()
    top, drop = 1.0, 2 * ARM * math.cos(REST)
    spindle = m.cylinder(radius=0.02, length=0.9, mass=2.0, at=(0, 0, 0.6), name="spindle")
    wheel = m.cylinder(radius=0.35, length=0.05, mass=FLYWHEEL / (0.5 * 0.35**2), at=(0, 0, 0.12), name="flywheel")
    m.fixed(spindle, wheel, name="key")
    axle = m.revolute(m.ground, spindle, at=(0, 0, 0), axis="z", torque=f"-({LOADS[0]} + {LOADS[1] - LOADS[0]}*step(t - {CHANGE}))", name="engine")
    sleeve = m.cylinder(radius=0.05, length=0.08, mass=SLEEVE, at=(0, 0, top - drop), name="sleeve")
    slide = m.prismatic(spindle, sleeve, axis="z", damping=60.0, limits=(0.0, 0.2), name="slide")
    for side, name in ((1, "left"), (-1, "right")):
        ball = m.sphere(radius=0.055, mass=BALL, at=(side * ARM * math.sin(REST), 0, top - 0.5 * drop), name=f"{name}_ball")
        m.revolute(spindle, ball, at=(0, 0, top), axis="y", name=f"{name}_arm")
        m.distance(ball, sleeve, name=f"{name}_link")
    m.user_force([axle.angle, slide.translation.z], function=[f"{THROTTLE}*max(0, {CLOSED} - q1)", "0"], name="throttle")
    m.outputs = {"speed": spindle.angular_velocity.z, "height": slide.translation.z}
    m.simulation = {"until": 40.0, "scheme": "moreau_jean", "step": 5e-3}
    return m
