"""Sixty balls in a turning drum: they are carried up one side and roll down the slope."""

import math

import numpy as np

import saltus as sl


def model() -> sl.Model:
    m = sl.Model()
    radius, length, cell = 0.25, 0.14, 0.046
    drum = m.cylinder(radius=0.015, length=length, mass=20.0, axis="y", angular_velocity=(0, 2.0, 0), name="drum")
    motor = m.revolute(m.ground, drum, at=(0, 0, 0), axis="y", angle="2*t", name="motor")
    inside = m.shape("hollow_cylinder", drum, radius=radius, name="inside")
    lids = [m.plane(at=(0, side * 0.5 * length, 0), normal=(0, -side, 0), name=name) for side, name in ((-1, "front"), (1, "back"))]
    random, places = np.random.default_rng(5), [(cell * i, cell * k) for k in range(-5, 1) for i in range(-5, 6)]
    places = [p for p in places if math.hypot(*p) < radius - 0.5 * cell][:20]
    balls = [m.sphere(radius=float(random.uniform(0.016, 0.022)), density=2500.0, at=(x, y, z)) for x, z in places for y in (-cell, 0.0, cell)]
    carried = m.contact([inside], balls, friction=0.5, name="carried")
    m.contact(balls, friction=0.3, name="among")
    m.contact(lids, balls, name="glass")
    m.outputs = {"torque": motor.drive, "force": carried.force}
    m.simulation = {"until": 1.0, "step": 2e-3}
    return m
