"""A geared motor hoists a load by a rope over a wheel, over many turns of the drum: the motor gives way as much as its load asks."""

import saltus as sl

DRUM, SHEAVE, LOAD = 0.15, 0.2, 200.0  # radii [m], mass [kg]
SPEED, GAIN, RATIO, ROTOR = 8.0, 600.0, 40.0, 2e-3  # of the drum [rad/s], torque a speed [N m s/rad], gear, rotor [kg m^2]


def model() -> sl.Model:
    m = sl.Model()
    m.plane(name="floor")
    drum = m.cylinder(radius=DRUM, length=0.5, mass=30.0, at=(-3, 0, 0.4), axis="y", name="drum")
    winch = m.revolute(m.ground, drum, axis="y", speed=f"-{SPEED}*min(1, t)", gain=GAIN, armature=ROTOR, ratio=RATIO, name="winch")
    tower = m.box(size=(0.25, 0.25, 20.0), at=(-0.4, 0, 10.0), mass=500.0, name="tower")
    m.fixed(m.ground, tower, name="foot")
    wheel = m.sheave(tower, radius=SHEAVE, axis="y", at=(0, 0, 20.0))
    load = m.box(size=(0.6, 0.6, 0.6), mass=LOAD, at=(SHEAVE, 0, 0.4), name="load")
    m.prismatic(m.ground, load, axis="z", name="guide")
    rope = m.rope([m.ground.frame(at=(-3, 0, 0.4 + DRUM)), wheel, load.frame(at=(SHEAVE, 0, 0.7))], stiffness=4e5, damping=4e3, drum=winch.angle, radius=DRUM, name="rope")
    m.outputs = {"angle": winch.angle, "height": load.displacement.z, "tension": rope.tension}
    m.simulation = {"until": 16.0}
    return m
