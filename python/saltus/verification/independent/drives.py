"""Ropes, tendons, geared rotors, cylinders of oil and gas, against equations of motion by hand."""

import math

import saltus as sl
from saltus.verification.independent._truth import both, integrate

G = 9.81


def verify(case):
    yield from both(case, "Atwood's machine with an elastic rope: heights", atwood, 0.8, ["heavy.displacement.z", "light.displacement.z"], atwood_truth(0.8), source="closed form: stretch as an oscillator of the reduced mass")
    yield from both(case, "pendulum on a rope that unrolls from a sheave: place", unrolling, 4.0, ["load.position.x", "load.position.z"], unrolling_truth(4.0), 1.5, source="Lagrange: l phi'' + r phi'^2 + g sin phi = 0, l = l0 + r phi")
    yield from both(case, "pendulum with a geared rotor: angle", rotor, 5.0, ["swing.angle"], [rotor_truth(5.0)], source="equation of motion: (J + n^2 J_r) phi'' = -m g l sin phi")
    yield from both(case, "winch: a motor's torque hoists over a drum: angle, tension", winch, 2.0, ["drum_hinge.angle", "cable_spring.tension"], winch_truth(2.0), 200.0, source="closed form: two inertias on a spring")
    yield from both(case, "mass between locked chambers of oil (Merritt 1967): place", oil, 0.1, ["mass.displacement.x"], [oil_truth(0.1)], 2e-4, source="equations of both chambers by hand")
    yield from both(case, "mass on an adiabatic gas spring: place", gas, 0.5, ["mass.displacement.x"], [gas_truth(0.5)], 0.05, source="p V^n constant in both chambers")


def weight(m, mass, at, name):
    return m.body(mass=mass, inertia=(0.1, 0.1, 0.1), at=at, name=name)


def atwood():
    m = sl.Model(gravity=(0, 0, -G))
    heavy, light = weight(m, 3, (-0.2, 0, -1), "heavy"), weight(m, 2, (0.2, 0, -1), "light")
    m.rope([heavy, m.sheave(m.ground, radius=0.2, axis="y"), light], stiffness=500.0)
    return m


def atwood_truth(t):
    reduced = 6 / 5
    rope = 2 * reduced * G / 500 * (1 - math.cos(math.sqrt(500 / reduced) * t))  # stretch: sum of both ways down
    down = 0.5 * G * t * t
    # (heavy - light) falls freely in the sum: 3 x1 + 2 x2 has no force but weight and twice the pull; by the pull of the rope on each.
    w = math.sqrt(500 / reduced)
    pulled = 2 * reduced * G * (t * t / 2 - (1 - math.cos(w * t)) / w**2)  # twice integrated tension
    assert abs((2 * down - pulled / 3 - pulled / 2) - rope) < 1e-9
    return [-(down - pulled / 3), -(down - pulled / 2)]


def unrolling():
    m = sl.Model(gravity=(0, 0, -G))
    load = m.point_mass(mass=2.0, at=(0.3, 0, -1.5), velocity=(1.2, 0, 0), name="load")
    m.rope([m.ground.frame(at=(-2, 0, 0.3)), m.sheave(m.ground, radius=0.3, axis="y"), load], name="rope")
    return m


def unrolling_truth(t):
    r, l0 = 0.3, 1.5
    phi, _ = integrate(lambda _, y: [y[1], (-G * math.sin(y[0]) - r * y[1] ** 2) / (l0 + r * y[0])], [0.0, 1.2 / l0], t)
    free = l0 + r * phi
    return [r * math.cos(phi) + free * math.sin(phi), r * math.sin(phi) - free * math.cos(phi)]


def rotor():
    m = sl.Model(gravity=(0, 0, -G))
    bob = m.body(mass=2, inertia=(0.1, 0.1, 0.1), center_of_mass=(0.4, 0, 0), name="bob")
    m.revolute(m.ground, bob, axis="y", armature=0.002, ratio=12, name="swing")
    return m


def rotor_truth(t):
    inertia = 0.1 + 2 * 0.4**2 + 0.002 * 144
    return integrate(lambda _, y: [y[1], 2 * G * 0.4 * math.cos(y[0]) / inertia], [0.0, 0.0], t)[0]


def winch():
    m = sl.Model(gravity=(0, 0, -G))
    drum = m.body(mass=5, inertia=(0.1, 0.1, 0.1), at=(0, 0, 10), name="drum")
    hinge = m.revolute(m.ground, drum, axis="y", torque=-30, armature=0.001, ratio=20, name="drum_hinge")
    load = weight(m, 20, (0.1, 0, -5), "load")
    m.prismatic(m.ground, load, axis="z")
    m.rope([m.ground.frame(at=(0.1, 0, 10)), load], stiffness=1e4, drum=hinge.angle, radius=0.1, name="cable")
    return m


def winch_truth(t):
    inertia = 0.1 + 0.001 * 400

    def slope(_, y):  # angle, its rate, fall of the load, its rate
        tension = max(0.0, 1e4 * (y[2] - 0.1 * y[0]))
        return [y[1], (0.1 * tension - 30) / inertia, y[3], G - tension / 20]

    y = integrate(slope, [0.0] * 4, t)
    return [y[0], 1e4 * (y[2] - 0.1 * y[0])]


def piston(make):
    m = sl.Model(gravity=(0, 0, 0))
    body = m.body(mass=make["mass"], inertia=(9, 9, 9), velocity=(make["speed"], 0, 0), name="mass")
    return m, m.prismatic(m.ground, body, axis="x")


def oil():
    m, slide = piston({"mass": 500, "speed": 0.02})
    m.hydraulic_cylinder(slide.translation.z, piston_area=2e-3, rod_area=1.5e-3, piston_volume=5e-4, rod_volume=4e-4, bulk_modulus=1.4e9, pressures=(3e6, 4e6))
    return m


def oil_truth(t):
    b = 1.4e9

    def slope(_, y):
        p1, p2 = 3e6 - b * math.log((5e-4 + 2e-3 * y[0]) / 5e-4), 4e6 - b * math.log((4e-4 - 1.5e-3 * y[0]) / 4e-4)
        return [y[1], (2e-3 * p1 - 1.5e-3 * p2) / 500]

    return integrate(slope, [0.0, 0.02], t)[0]


def gas():
    m, slide = piston({"mass": 20, "speed": 1.0})
    m.pneumatic_cylinder(slide.translation.z, piston_area=2e-3, rod_area=1.5e-3, piston_volume=5e-4, rod_volume=4e-4, exponent=1.4, pressures=(6e5, 7e5))
    return m


def gas_truth(t):
    def slope(_, y):
        p1, p2 = 6e5 * (5e-4 / (5e-4 + 2e-3 * y[0])) ** 1.4, 7e5 * (4e-4 / (4e-4 - 1.5e-3 * y[0])) ** 1.4
        return [y[1], (2e-3 * (p1 - 101325) - 1.5e-3 * (p2 - 101325)) / 20]

    return integrate(slope, [0.0, 1.0], t)[0]
