"""Three wheels that are turned to and fro by one recorded angle: bristles, hysteresis, and a bearing whose friction is that of its load."""

import math

import saltus as sl
from saltus.friction import Friction
from saltus.handles import Joint

FRICTIONS: dict[str, Friction] = {
    "bristles": sl.LuGre(stiffness=400.0, damping=2.0, viscosity=0.1, coulomb=1.0, breakaway=1.5, stribeck_speed=0.2),
    "hysteresis": sl.Dahl(stiffness=40.0, coulomb=2.0),
    "bearing": sl.Coulomb(0.1, radius=0.04, slip_speed=1e-3),
}


def model() -> sl.Model:
    m = sl.Model()
    times = [0.02 * i for i in range(-5, 321)]
    turn = m.table("turn", times, [0.1 * math.sin(0.5 * math.pi * t) for t in times], kind="spline")
    hinges: dict[str, Joint] = {}
    for i, (name, friction) in enumerate(FRICTIONS.items()):
        at = (0.5 * i, 0.0, 0.3)
        wheel = m.cylinder(radius=0.2, length=0.08, mass=20.0, at=at, axis="y", name=f"{name}_wheel")
        hinges[name] = m.revolute(m.ground, wheel, at=at, axis="y", angle=turn, friction=friction, name=name)
    m.outputs = {"angle": hinges["bristles"].angle, **{name: hinge.drive for name, hinge in hinges.items()}}
    m.simulation = {"until": 6.0}
    return m
