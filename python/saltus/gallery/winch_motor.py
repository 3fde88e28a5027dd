"""A geared motor hoists a cage in a headframe by a rope over a wheel, over many turns of the drum: the motor gives way as much as its load asks."""

import saltus as sl

DRUM, SHEAVE, CAGE = 0.15, 0.6, 200.0  # radii [m], mass [kg]
SPEED, GAIN, RATIO, ROTOR = 5.5, 600.0, 40.0, 2e-3  # of the drum [rad/s], torque a speed [N m s/rad], gear, rotor [kg m^2]
TOP, BACK = 15.0, -5.0  # of the wheel's axle, of the drum [m]


def model() -> sl.Model:
    m = sl.Model()
    m.plane(name="yard")
    for y in (-1.0, 1.0):
        side = "left" if y > 0 else "right"
        for x, name in ((0.0, "post"), (2.2, "front"), (BACK + 1.0, "strut")):
            leg = m.rod((x, y, 0), (0, 0.8 * y, TOP), mass=500.0, radius=0.12, name=f"{side}_{name}")
            m.fixed(m.ground, leg, name=f"{side}_{name}_foot")
    axle = m.rod((0, -0.8, TOP), (0, 0.8, TOP), mass=40.0, radius=0.1, name="axle")
    m.fixed(m.ground, axle, name="bearings")
    m.fixed(axle, m.cylinder(radius=SHEAVE - 0.02, length=0.16, mass=60.0, at=(0, 0, TOP), axis="y", name="wheel"), name="key")
    m.fixed(m.ground, m.box(size=(1.4, 0.9, 0.7), mass=400.0, at=(BACK - 0.2, -1.0, 0.35), name="motor"), name="bed")
    drum = m.cylinder(radius=DRUM, length=0.9, mass=30.0, at=(BACK, 0, 0.4), axis="y", name="drum")
    winch = m.revolute(m.ground, drum, axis="y", speed=f"-{SPEED}*min(1, t)", gain=GAIN, armature=ROTOR, ratio=RATIO, name="winch")
    wheel = m.sheave(axle, radius=SHEAVE, axis="y", at=(0, 0, TOP))
    cage = m.box(size=(0.9, 1.1, 1.8), mass=CAGE, at=(SHEAVE, 0, 1.0), name="cage")
    m.prismatic(m.ground, cage, axis="z", name="guide")
    rope = m.rope([m.ground.frame(at=(BACK, 0, 0.4 + DRUM)), wheel, cage.frame(at=(SHEAVE, 0, 1.9))], stiffness=4e5, damping=4e3, drum=winch.angle, radius=DRUM, name="rope")
    m.outputs = {"angle": winch.angle, "height": cage.displacement.z, "tension": rope.tension}
    m.simulation = {"until": 16.0}
    return m
