"""A slewing crane hoists a load with a rope of two parts: a geared winch over many turns, a rope over sheaves, a load that sways."""

import saltus as sl

DRUM, SHEAVE = 0.25, 0.2  # radii [m]
SHARE = "(min(t, 12)/12 - sin(pi*min(t, 12)/6) / (2*pi))"  # of the way at t: 12 s from rest to rest
TURN = f"pi/2 * {SHARE}"  # of the crane
HOIST = f"-30 * {SHARE}"  # of the drum [rad]: nearly five turns


def model() -> sl.Model:
    m = sl.Model()
    m.plane(name="yard")
    mast = m.box(size=(0.7, 0.7, 7.5), mass=4000, at=(0, 0, 3.75), name="mast")
    m.fixed(m.ground, mast, at=(0, 0, 0), name="foot")
    jib = m.box(size=(8.6, 0.5, 0.4), mass=1500, at=(2.7, 0, 7.9), name="jib")
    m.revolute(mast, jib, at=(0, 0, 7.7), axis="z", angle=TURN, name="slewing")
    m.fixed(jib, m.box(size=(1.0, 1.2, 1.1), mass=3000, at=(-1.3, 0, 7.4), name="counterweight"), name="weight_bolts")
    m.fixed(jib, m.box(size=(0.9, 0.7, 0.9), mass=200, at=(0.7, -0.65, 7.4), name="cab"), name="cab_bolts")
    m.fixed(jib, m.cylinder(radius=SHEAVE, length=0.1, mass=20, at=(6.4, 0, 8.5), axis="y", name="wheel"), name="wheel_axle")
    drum = m.cylinder(radius=DRUM, length=0.7, mass=150, at=(0.2, 0, 8.45), axis="y", name="drum")
    winch = m.revolute(jib, drum, at=(0.2, 0, 8.45), axis="y", angle=HOIST, armature=0.05, ratio=30, name="winch")
    load = m.box(size=(1.2, 1.2, 0.9), mass=1200, at=(6.8, 0, 1.0), name="load")
    block = m.cylinder(radius=SHEAVE, length=0.1, mass=30, at=(6.8, 0, 2.2), axis="y", name="block")
    m.fixed(load, block, name="hook")
    over = m.sheave(jib, radius=SHEAVE, axis="y", at=(6.4, 0, 8.5))
    under = m.sheave(block, radius=SHEAVE, axis="-y", at=(6.8, 0, 2.2))
    rope = m.rope([jib.frame((0.2, 0, 8.7)), over, under, jib.frame((7.0, 0, 8.1))], stiffness=2e6, damping=2e4, drum=winch.angle, radius=DRUM, name="cable")
    m.outputs = {"drum": winch.angle, "length": rope.length, "tension": rope.tension, "motor": winch.drive, "x": load.position.x, "y": load.position.y, "z": load.position.z}
    m.simulation = {"until": 16.0, "tolerance": 1e-4}
    return m
