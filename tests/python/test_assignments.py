"""What is assigned reaches the model, with the same bits as a model built with it, or raises with a near name."""

import inspect
import math

import numpy as np
import pytest

import saltus as sl

DENSE = dict(mass=None, density=700.0)
START = {"displacement": (0.1, 0, 0.2), "velocity": (1, 0, 2), "angular_velocity": (0, 3, 0)}
PLACED = {"at": (0.3, 0.1, 2.0), "rotation": (0, 0.3, 0), **START}
ROUND = {"radius": 0.3, "length": 0.7, "mass": 3.0, "density": 700.0, "at": (0.3, 0.1, 2.0), "axis": (1, 0, 1), **START}

CORNERS = ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))
FACES = ((0, 2, 1), (0, 3, 2), (0, 1, 3), (1, 2, 3))


def world(m):
    """What the verbs need: bodies, a plane, a hinge, terminals."""
    a = m.rod((0, 0, 1), (1, 0, 1), mass=1, name="a")
    b = m.sphere(radius=0.2, mass=1, at=(1, 0, 1), name="b")
    m.plane(name="floor")
    m.tree(name="arm").revolute(mass=1.0, inertia=(1, 1, 1), name="upper")
    m.revolute(m.ground, a, at=(0, 0, 1), axis="y", name="hinge")
    p, q = m.terminal(name="p"), m.terminal(name="q")
    m.resistor(p, m.ground, R=1.0), m.resistor(q, m.ground, R=2.0)
    m.inductor(p, q, L=1.0, name="coil")
    return a, b, p, q


JACK = dict(on=("a", "b"), piston_area=1e-3, rod_area=1e-3, piston_volume=1e-3, rod_volume=1e-3)
BAR = sl.Section((1, 1, 1, 1, 1, 1), 1.0, (1, 1, 1))

# verb: (keywords of the first call, by name of what they join in strings; other values of each keyword)
TABLE = {
    "rod": (dict(start=(0, 0, 0), end=(1, 0, 0), mass=1.0), {"start": (0, 0, 0.5), "end": (2, 0, 0.1), "mass": 2.0, "density": 700.0, "radius": 0.1, **START}),
    "box": (dict(size=(1, 2, 3), mass=1.0), {"size": (2, 2, 1), "mass": 2.0, "density": 700.0, "on": "floor", **PLACED}),
    "sphere": (dict(radius=0.5, mass=1.0), {"radius": 0.7, "mass": 2.0, "density": 700.0, "on": "floor", **PLACED}),
    "cylinder": (dict(radius=0.5, length=1.0, mass=1.0), ROUND),
    "capsule": (dict(radius=0.5, length=1.0, mass=1.0), ROUND),
    "cone": (dict(radius=0.5, height=1.0, mass=1.0), {**{key: value for key, value in ROUND.items() if key != "length"}, "height": 0.7}),
    "ellipsoid": (dict(size=(1, 2, 3), mass=1.0), {"size": (2, 2, 1), "mass": 2.0, "density": 700.0, **PLACED}),
    "hull": (dict(points=CORNERS, mass=1.0), {"points": (*CORNERS, (1, 1, 1)), "mass": 2.0, "density": 700.0, **PLACED}),
    "mesh": (dict(surface=(CORNERS, FACES), mass=1.0), {"surface": ((*CORNERS[:3], (0, 0, 2)), FACES), "scale": 0.5, "mass": 2.0, "density": 700.0, **PLACED}),
    "surface": (dict(surface=(CORNERS, FACES)), {"surface": ((*CORNERS[:3], (0, 0, 2)), FACES), "scale": 0.5, "at": (0, 0, -4), "rotation": (0, 0.3, 0)}),
    "height_field": (dict(heights=((0, 0, 0), (0, 0.1, 0)), size=(1, 2)), {"heights": ((0, 0), (0, 0.2)), "size": (2, 2), "at": (0, 0, -4), "rotation": (0, 0.3, 0)}),
    "body": (dict(mass=1.0, inertia=(1, 1, 1)), {"mass": 2.0, "inertia": (1, 2, 2.5), "center_of_mass": (0.1, 0, 0), **PLACED}),
    "beam": (
        dict(start=(0, 0, 0), end=(1, 0, 0), EI=1.0, EA=1e4, mass_per_length=1.0, elements=2),
        {"start": (0, 0, 0.5), "end": (2, 0, 0.1), "EI": 2.0, "EA": 2e4, "mass_per_length": 3.0, "elements": 3, "up": "y", "damping": 0.1, "velocity": (1, 0, 0),
         "angular_velocity": (0, 0, 1)},
    ),
    "beam_along": (
        dict(line=((0, 0, 0), (1, 0, 0), (1.8, 0.5, 0)), section=BAR),
        {"line": ((0, 0, 0), (1, 0, 0)), "section": sl.Section((1, 1, 1, 1, 1, 2)), "up": "y", "damping": 0.1, "velocity": (1, 0, 0), "angular_velocity": (0, 0, 1)},
    ),
    "tree": (dict(), {}),
    "link": (
        dict(parent="arm", mass=1.0, inertia=(1, 1, 1), at=(0, 0, 2), axis="y", armature=0.1),
        {"at": (0.5, 0, 1), "axis": (1, 0, 1), "joint": "prismatic", "mass": 2.0, "inertia": (1, 2, 2.5), "center_of_mass": (0.1, 0, 0), "rotation": (0, 0.3, 0),
         "coordinate": 0.1, "rate": 0.3, "armature": 0.2, "ratio": 3.0},
    ),
    "point_mass": (dict(mass=1.0), {"mass": 2.0, "at": (0, 0, 3), "displacement": (0.1, 0, 0), "velocity": (1, 0, 2)}),
    "coordinates": (
        dict(mass_matrix=((2, 0), (0, "q0^2")), start=(1, 0)),
        {"mass_matrix": ((3, 0), (0, "1 + q1^2")), "potential": "q0^2", "force": (1, "sin(t)"), "stiffness_matrix": ((1, 0), (0, 1)), "damping_matrix": ((1, 0), (0, 1)),
         "start": (2, 0.5), "velocity": (0, 1)},
    ),
    "plane": (dict(at=(0, 0, -3)), {"at": (0, 0, -4), "normal": (1, 0, 1), "rotation": (0, 0.3, 0)}),
    "spring": (dict(A="a", B="b"), {"stiffness": 20.0, "damping": 3.0, "rest_length": 0.3, "preload": 2.0, "only": "tension", "force": "3*L + dL"}),
    "bushing": (
        dict(A="a", B="b"),
        {"stiffness": (1, 2, 3, 4, 5, 6), "damping": (1, 0, 0, 0, 0, 2), "offset": (0.1, 0, 0, 0, 0, 0.2), "preload": (0, 0, 1, 0, 0, 0), "force": ("3*x", "vy", 0, 0, "b", "t"),
         "at": (0.5, 0, 1), "axis": "x"},
    ),
    "attraction": (dict(A="a", B="b"), {"constant": 3.0, "softening": 0.1}),
    "penalty": (
        dict(A="floor", B="b", stiffness=1e4),
        {"stiffness": 2e4, "exponent": 1.0, "damping": 3.0, "rest_speed": 0.1, "friction": 0.3, "slip_speed": 0.01, "pulls": True,
         "model": "flores", "unloading": 0.0, "cohesion": 0.0, "adhesion": 0.0},
    ),
    "tyre": (
        dict(A="floor", B="b", radius=0.3, stiffness=1e5, longitudinal="3*slip*load", lateral="2*slip*load"),
        {"radius": 0.4, "stiffness": 2e5, "longitudinal": "4*slip*load", "lateral": "slip", "relaxation": (0.2, 0.3), "damping": 10.0, "friction": 0.8},
    ),
    "mass_load": (dict(on="b", acceleration=(0, 0, 1)), {"acceleration": ("sin(t)", 0, "x - vy"), "axes": "a"}),
    "force": (dict(on="b", force=(0, 0, 1)), {"force": (0, "sin(t)", 2), "axes": "body"}),
    "torque": (dict(on="b", torque=(0, 0, 1)), {"torque": (0, "sin(t)", 2), "axes": "body"}),
    "revolute": (
        dict(A="a", B="b", at=(1, 0, 1), axis="y", armature=0.1),
        {"at": (0.5, 0, 1), "axis": (0, 1, 1), "armature": 0.2, "ratio": 3.0, "speed": 3.0, "angle": "sin(t)", "torque": "2*t", "stiffness": 4.0, "damping": 0.5, "rest_angle": 0.1,
         "limits": (-0.5, 0.5), "friction": 0.3},
    ),
    "prismatic": (
        dict(A="a", B="b", at=(1, 0, 1), axis="x", armature=0.1),
        {"at": (0.5, 0, 1), "axis": (1, 0, 1), "armature": 0.2, "ratio": 3.0, "speed": 3.0, "position": "sin(t)", "force": "2*t", "stiffness": 4.0, "damping": 0.5, "rest_position": 0.1,
         "limits": (-0.5, 0.5), "friction": 0.3},
    ),
    "generic": (
        dict(A="a", B="b", locked=("x", "y", "rz"), at=(1, 0, 1)),
        {"locked": ("x", "rz"), "at": (0.5, 0, 1), "rotation": (0, 0.2, 0), "offset": ("0.1*t", 0, 0), "turn": (0, 0, "0.2*t")},
    ),
    "rolling": (dict(A="floor", B="b", edge=1.0), {"radius": 0.5, "edge": 0.5, "axis": "x", "at": (1, 0, 1)}),
    "wheel": (
        dict(A="floor", B="b", edge=0.9),
        {"radius": 0.5, "edge": 0.4, "axis": "x", "at": (1, 0, 1), "restitution": 0.3, "friction": 0.4, "rolling": 0.01, "spinning": 0.002,
         "law": {"type": "poisson_impact", "restitution": 0.5}, "outline": ((1, 0), (1, 0.1), (2, 0.1))},
    ),
    "elastic_wheel": (
        dict(A="floor", B="b", edge=0.9, stiffness=100.0),
        {"stiffness": 200.0, "damping": 3.0, "friction": 0.4, "radius": 0.5, "edge": 0.4, "axis": "x", "at": (1, 0, 1), "outline": ((1, 0), (1, 0.1), (2, 0.1))},
    ),
    "driven": (dict(B="b", position=(1, 0, "1 + t")), {"position": (1, "0.2*t", 1), "rotation": (0, 0, "0.3*t")}),
    "rail": (
        dict(A="a", B="b", curve=("0.5*cos(s)", "0.5*sin(s)", "0"), start=0.0, end=2 * math.pi),
        {"curve": ("0.5*cos(s)", "0.5*sin(s)", "0.1*sin(s)"), "closed": True, "start": -2 * math.pi, "end": 4 * math.pi, "holds": "point", "up": "y", "travel": 0.0, "rate": 0.5,
         "at": (1, 0, 1), "speed": 3.0, "position": "sin(t)", "force": "2*t", "stiffness": 4.0, "damping": 0.5, "rest_position": 0.1, "limits": (-0.5, 0.5), "friction": 0.3},
    ),
    "bond": (dict(A="a", B="b"), {"locked": "t > 0.1", "force_limit": 20.0, "moment_limit": 5.0, "free": ("rz",), "at": (0.5, 0, 1), "axis": "y"}),
    "lock": (dict(on="angle"), {"locked": "0.3 - t", "limit": 4.0}),
    "spherical": (dict(A="a", B="b", at=(1, 0, 1)), {"at": (0.5, 0, 1)}),
    "cylindrical": (dict(A="a", B="b", at=(1, 0, 1), axis="x"), {"at": (0.5, 0, 1), "axis": "z"}),
    "fixed": (dict(A="a", B="b"), {"at": (0.5, 0, 1)}),
    "universal": (dict(A="a", B="b", axes=("x", "y"), at=(1, 0, 1)), {"axes": ("y", "z"), "at": (0.5, 0, 1)}),
    "distance": (dict(A="a", B="b"), {"length": 0.4}),
    "coupling": (dict(on=("angle", "angle"), factors=(1, -2)), {"factors": (1, -3), "offset": "sin(t)"}),
    "equation": (dict(on=("angle", "angle"), function="q0 - 2*q1"), {"function": "q0 - 3*q1 + 0.1*sin(t)"}),
    "gear": (dict(A="angle", B="angle_2", ratio=2.0, stiffness=50.0), {"ratio": -3.0, "stiffness": 70.0, "damping": 1.0, "backlash": 0.1}),
    "rack": (dict(pinion="angle", slide="position", radius=0.1), {"radius": 0.2}),
    "screw": (dict(on="nut", lead=0.1), {"lead": -0.2}),
    "differential": (dict(case="angle", left="angle_2", right="angle_3"), {}),
    "planetary": (dict(sun="angle", carrier="angle_2", ring="angle_3", teeth=(30, 60)), {"teeth": (20, 60)}),
    "cam": (dict(A="angle", B="position", profile="0.1*sin(q0)"), {"profile": "0.2*cos(q0)"}),
    "armature": (dict(on="angle", inertia=0.1), {"inertia": 0.2, "ratio": 3.0}),
    "shape": (dict(kind="box", on="a", size=(1, 1, 0.1)), {"size": (2, 1, 0.1), "at": (0, 0, 3), "rotation": (0, 0.3, 0)}),
    "sheave": (dict(on="a", radius=0.1), {"radius": 0.2, "axis": (1, 0, 1), "at": (0, 0, 3), "turns": 1, "friction": 0.2}),
    "wrap": (dict(on="a", radius=0.1, axis="y"), {"radius": 0.2, "axis": (1, 0, 1), "at": (0, 0, 3)}),
    "rope": (
        dict(through=("a", "b"), stiffness=50.0, drum="angle", radius=0.1),
        {"through": ("b", "a"), "length": 0.4, "stiffness": 70.0, "damping": 1.0, "tension": "5*t", "radius": 0.2},
    ),
    "hydraulic_cylinder": (
        JACK,
        {"piston_area": 2e-3, "rod_area": 2e-3, "piston_volume": 2e-3, "rod_volume": 3e-3, "bulk_modulus": 1e9, "spool": "0.1*sin(t)", "conductance": 1e-8, "supply": 1e6, "tank": 1e4,
         "laminar": 1e3, "vapour_pressure": -9e4, "piston_flow": "1e-12*p2", "rod_flow": "-1e-12*p2", "pressures": (1e5, 2e5)},
    ),
    "pneumatic_cylinder": (
        JACK,
        {"piston_area": 2e-3, "rod_area": 2e-3, "piston_volume": 2e-3, "rod_volume": 3e-3, "exponent": 1.4, "temperature": 300.0, "spool": "0.1*sin(t)", "conductance": 1e-9, "supply": 6e5,
         "tank": 1.1e5, "laminar": 500.0, "piston_flow": "1e-12*p2", "rod_flow": "-1e-12*p2", "pressures": (1e5, 2e5)},
    ),
    "user_force": (
        dict(potential="0.5*(A_z - 1)^2"),
        {"function": ("-A_vx", 0, "q0*A_R02", "-v0"), "potential": "A_z^2 + q0^2", "length": "sqrt(1 + A_x^2 + q0^2)", "tension": "2*(L - 1) + dL", "memory": (0.5,), "update": "0.5*m0 + q0"},
    ),
    "user_relation": (
        dict(function="A_x - 1"),
        {"function": ("A_x - 1 + 0*q0", "A_y"), "rows": 2, "written": "rate", "law": {"type": "relay", "low": -1.0, "high": 1.0, "on": "rate"}},
    ),
    "contact": (
        dict(A="floor", B="b"),
        {"restitution": 0.3, "friction": 0.4, "rolling": 0.01, "spinning": 0.002, "law": {"type": "poisson_impact", "restitution": 0.5}},
    ),
    "no_contact": (dict(A="floor", B="b"), {}),
    "contact_force": (dict(A="floor", B="b"), {}),
    "contact_layer": (dict(bodies="b"), {"bodies": "floor", "meets": "roads"}),
    "material": (dict(bodies="b"), {"bodies": "floor"}),
    "material_pair": (
        dict(A="stone", B="steel"),
        {"restitution": 0.3, "friction": 0.4, "rolling": 0.01, "spinning": 0.002, "law": {"type": "poisson_impact", "restitution": 0.5}},
    ),
    "presence": (dict(bodies="b"), {"bodies": "a", "begin": 0.1, "end": 2.0, "interval": 0.1, "present": "1 - t", "inside": "z + 5", "together": True}),
    "sleep": (dict(bodies="b"), {"bodies": "b", "speed": 0.01, "after": 0.3}),
    "terminal": (dict(), {"voltage": 3.0}),
    "resistor": (dict(A="p", B="q", R=1.0), {"R": 2.0}),
    "capacitor": (dict(A="p", B="q", C=1.0), {"C": 2.0, "voltage": 0.5}),
    "inductor": (dict(A="p", B="q", L=1.0), {"L": 2.0, "R": 0.5, "current": 0.7}),
    "voltage_source": (dict(A="p", B="q", voltage=1.0), {"voltage": "sin(t)"}),
    "current_source": (dict(A="p", B="q", current=1.0), {"current": "sin(t)"}),
    "dc_motor": (dict(A="p", B="q", shaft="hinge", L=1.0, k=0.1), {"L": 2.0, "k": 0.2, "R": 0.5, "current": 0.7}),
    "diode": (dict(A="p", B="q"), {"threshold": 0.7, "R": 0.1}),
    "zener_diode": (dict(A="p", B="q", breakdown=5.0), {"breakdown": 6.0, "threshold": 0.7, "R": 0.1}),
    "shockley_diode": (dict(A="p", B="q"), {"saturation_current": 1e-12, "emission": 1.5, "thermal_voltage": 0.026, "R": 0.1}),
    "switch": (dict(A="p", B="q", closed=1), {"closed": "1 - t", "R": 0.1}),
    "pwm_switch": (dict(A="p", B="q", period=1.0, duty=0.3), {"period": 2.0, "duty": "0.3 + t", "delay": 0.1, "R": 0.1}),
    "thyristor": (dict(A="p", B="q", fired=1), {"fired": "1 - t", "threshold": 0.7, "R": 0.1}),
    "pulse_source": (
        dict(A="p", B="q", high=1.0, period=1.0, width=0.3),
        {"low": -1.0, "high": 2.0, "period": 2.0, "width": 0.4, "delay": 0.1, "rise": 0.1, "fall": 0.2},
    ),
    "pwm_source": (dict(A="p", B="q", high=1.0, period=1.0, duty=0.3), {"low": -1.0, "high": 2.0, "period": 2.0, "duty": "0.3 + t", "delay": 0.1}),
    "coupled_inductors": (
        dict(windings=(("p", "q"), ("q", "ground")), L=(1.0, 2.0), k=0.5),
        {"L": (2.0, 2.0), "k": 0.6, "R": (0.1, 0.2), "current": (1.0, 0.5)},
    ),
    "transformer": (dict(A="p", B="q", A2="q", B2="p", ratio=2.0), {"ratio": 3.0}),
    "gyrator": (dict(A="p", B="q", A2="q", B2="p", G=2.0), {"G": 3.0}),
    "vcvs": (dict(A="p", B="q", plus="q", minus="p", gain=2.0), {"gain": 3.0}),
    "vccs": (dict(A="p", B="q", plus="q", minus="p", G=2.0), {"G": 3.0}),
    "ccvs": (dict(A="p", B="q", control="coil", R=2.0), {"R": 3.0}),
    "cccs": (dict(A="p", B="q", control="coil", gain=2.0), {"gain": 3.0}),
    "op_amp": (dict(plus="p", minus="q", out="p", low=-1.0, high=1.0), {"gain": 10.0, "low": -2.0, "high": 3.0}),
    "bjt": (
        dict(collector="p", base="q", emitter="q"),
        {"polarity": "pnp", "saturation_current": 1e-12, "forward_gain": 50.0, "reverse_gain": 2.0, "thermal_voltage": 0.026},
    ),
    "mosfet": (dict(drain="p", gate="q", source="q", K=1.0, threshold=1.0), {"K": 2.0, "threshold": 1.5, "polarity": "p", "modulation": 0.1}),
    "mosfet_piecewise": (
        dict(drain="p", gate="q", source="q", K=1.0, threshold=1.0, range=3.0),
        {"K": 2.0, "threshold": 1.5, "polarity": "p", "range": 4.0, "pieces": 3},
    ),
    "synchronous_motor": (
        dict(U="p", V="q", W="q", shaft="hinge", flux=0.1, L=1.0),
        {"flux": 0.2, "L": (1.0, 2.0), "R": 0.1, "pole_pairs": 2, "current": (1.0, 0.5)},
    ),
    "bldc_motor": (dict(U="p", V="q", W="q", shaft="hinge", L=1.0, k=0.1), {"L": 2.0, "k": 0.2, "R": 0.1, "pole_pairs": 2, "current": (1.0, 0.5)}),
    "controller": (
        dict(function="-2*x", period=0.1, inputs={"x": "b.position.z"}, outputs=["push.force.z"]),
        {"function": "-3*x", "period": 0.2, "inputs": {"x": "b.velocity.z"}, "outputs": ["push.force.x"], "initial": (0.5,), "memory": (), "delay": 0.03, "shown": 0},
    ),
    "pid": (
        dict(measured="b.position.z", period=0.1, kp=2.0, limits=(-1, 1), outputs=("push.force.z",)),
        {"measured": "b.velocity.z", "period": 0.2, "kp": 3.0, "ki": 0.5, "kd": 0.1, "target": "sin(t)", "filter": 0.02, "anti_windup": "tracking", "tracking": 0.3, "limits": (-2, 3),
         "quantization": 0.01, "delay": 0.03, "outputs": ("push.force.x",)},
    ),
    "state_feedback": (
        dict(states=("b.position.z", "b.velocity.z"), gain=(2.0, 1.0), period=0.1, outputs=("push.force.z",)),
        {"states": ("b.position.x", "b.velocity.x"), "gain": (3.0, 1.0), "period": 0.2, "target": (1.0, "t"), "feedforward": (9.81,), "limits": (-2, 3), "quantization": 0.01, "delay": 0.03,
         "outputs": ("push.force.x",)},
    ),
    "observer": (
        dict(plant=(((0, 1), (0, 0)), ((0,), (1,)), ((1, 0),)), measured=("b.position.z",), inputs=("push.force.z",), period=0.1, gain=((2,), (1,))),
        {"plant": (((0, 1), (-1, 0)), ((0,), (1,)), ((1, 0),)), "measured": ("b.position.x",), "inputs": ("push.force.x",), "period": 0.2, "gain": ((3,), (1,)), "poles": (-1, -2), "switching": (1, 0),
         "start": (1.0, 0.0)},
    ),
    "sliding_mode": (
        dict(sigma="b.velocity.z", gain=2.0, period=0.1, outputs=("push.force.z",)),
        {"sigma": "b.velocity.x", "gain": 3.0, "period": 0.2, "method": "explicit", "input_gain": 2.0, "drift": "sin(t)", "corrected": True, "limits": (-2, 3), "quantization": 0.01, "delay": 0.03,
         "outputs": ("push.force.x",)},
    ),
    "twisting": (
        dict(sigma="b.position.z", rate="b.velocity.z", gains=(2.0, 1.0), period=0.1, outputs=("push.force.z",)),
        {"sigma": "b.position.x", "rate": "b.velocity.x", "gains": (3.0, 1.0), "period": 0.2, "method": "explicit", "input_gain": 2.0, "drift": "sin(t)", "limits": (-2, 3), "quantization": 0.01,
         "delay": 0.03, "outputs": ("push.force.x",)},
    ),
    "super_twisting": (
        dict(sigma="b.velocity.z", gains=(2.0, 1.0), period=0.1, outputs=("push.force.z",)),
        {"sigma": "b.velocity.x", "gains": (3.0, 1.0), "period": 0.2, "method": "explicit", "input_gain": 2.0, "drift": "sin(t)", "limits": (-2, 3), "quantization": 0.01, "delay": 0.03,
         "outputs": ("push.force.x",)},
    ),
    "sensor": (
        dict(quantity="b.position.z", period=0.1),
        {"quantity": "b.velocity.z", "period": 0.2, "noise": 0.3, "delay": 0.2, "quantization": 0.01, "offset": 0.5, "seed": 4},
    ),
}
PINS = ("plus", "minus", "out", "collector", "base", "emitter", "drain", "gate", "source")
REFUSED = {"A2", "B2", "U", "V", "W", "control", "windings", "plus", "minus", "out", "ground", "collector", "base", "emitter", "drain", "gate", "source", "name", "A", "B", "shaft", "parent", "base", "pinion", "slide", "case", "left", "right", "sun", "carrier", "ring", "drum"}
BLOCKS = ("controller", "pid", "state_feedback", "observer", "sliding_mode", "twisting", "super_twisting")


def built(verb, given):
    m = sl.Model()
    _, b, _, _ = world(m)
    if verb in BLOCKS:
        m.force(b, (0, 0, 0), name="push")
    if verb in ("rack", "screw", "cam"):
        m.prismatic(m.ground, m.body(mass=1, inertia=(1, 1, 1), at=(0, 3, 0), name="carriage"), axis="x", name="bed")
        m.cylindrical(m.ground, m.body(mass=1, inertia=(1, 1, 1), at=(0, 6, 0), name="rider"), axis="x", name="nut")
    if verb in ("gear", "differential", "planetary"):
        for i in (2, 3):
            m.revolute(m.ground, m.body(mass=1, inertia=(1, 1, 1), at=(0, 3 * i, 0), name=f"wheel_{i}"), axis="y", name=f"hinge_{i}")
    if verb == "contact_layer":
        m.contact_layer("floor", name="roads")
    if verb == "material_pair":
        m.material("floor", name="stone"), m.material("b", name="steel")
    motions = {"angle": m["hinge"].angle, **{f"angle_{i}": m[f"hinge_{i}"].angle for i in (2, 3) if f"hinge_{i}" in m}, **({"position": m["bed"].translation.z} if "bed" in m else {})}
    given = {key: motions.get(value, value) if isinstance(value, str) else value for key, value in given.items()} if verb not in ("coupling", "equation") else given
    given = {**given, "on": [m["hinge"].angle, m["hinge"].angle]} if verb in ("coupling", "equation") else given
    given = {**given, "on": m["hinge"].angle} if verb == "lock" else given
    given = {**given, "on": [m["b"], m["hinge"].angle]} if verb in ("user_force", "user_relation") else given
    keywords = {key: m[value] if key in ("A", "B", "A2", "B2", "U", "V", "W", "on", "shaft", "parent", "control", *PINS) and isinstance(value, str) and value in m else value for key, value in given.items()}
    made = getattr(m, verb)(**keywords)
    if verb == "tree":
        made.revolute(mass=1.0, inertia=(1, 1, 1))  # alone it is nothing
    if verb == "terminal":
        m.resistor(made, m.ground, R=1.0)  # alone it floats
    return m, made


def verbs():
    return [word for word in dir(sl.Model) if getattr(getattr(sl.Model, word), "is_verb", False)]


def test_every_verb_is_in_the_table_with_every_keyword():
    assert set(TABLE) == set(verbs())
    for verb, (_, others) in TABLE.items():
        keywords = set(inspect.signature(getattr(sl.Model, verb)).parameters) - {"self"} - REFUSED
        if verb not in ("box", "sphere"):
            keywords.discard("on")
        alone = {"restitution", "limit", "gain", "integral", "rounding"} if verb != "lock" else set()  # of stops and of a speed that must be there
        alone |= {"section"} if verb == "beam" else set()  # or EI and EA; that of beam_along is assigned
        alone |= {"kind", "radius", "length", "height", "points", "distance"} if verb == "shape" else set()  # each kind has its own
        alone |= {"stiffness", "model", "exponent", "damping", "slip_speed"} if verb == "contact" else set()  # of bodies that may enter each other
        assert keywords - alone == set(others) - alone, verb


@pytest.mark.parametrize("verb, keyword", [(verb, keyword) for verb, (_, others) in TABLE.items() for keyword in others])
def test_an_assigned_keyword_gives_the_model_built_with_it(verb, keyword):
    first, others = TABLE[verb]
    changes = {keyword: others[keyword]}
    either = {"density": "mass", "poles": "gain"}
    if keyword in either:
        changes[either[keyword]] = None
    fresh, _ = built(verb, {**first, **changes})
    m, handle = built(verb, first)
    value = m[others[keyword]] if keyword == "on" else others[keyword]
    setattr(handle, keyword, value)
    assert m._engine.text() == fresh._engine.text()
    held = handle.settings[keyword] if verb != "controller" else getattr(handle, keyword)
    assert held == value or verb == "controller"
    again = first.get(keyword)
    if keyword not in either:  # and back
        setattr(handle, keyword, inspect.signature(getattr(sl.Model, verb)).parameters[keyword].default if again is None else again)
        assert m._engine.text() == built(verb, first)[0]._engine.text()


@pytest.mark.parametrize("verb", TABLE)
def test_a_wrong_name_raises_with_what_can_be_set(verb):
    m, handle = built(verb, TABLE[verb][0])
    text = m._engine.text()
    for name in [*TABLE[verb][1], "name"]:
        with pytest.raises(sl.ModelError) as caught:
            setattr(handle, name + "s_", 1.0)
        (fault,) = caught.value.faults
        assert handle.name in fault.path and fault.line and ("it takes" in fault.remedy.lower() or "nothing to set" in fault.remedy)
    for name in ("name", "A"):
        with pytest.raises(sl.ModelError):
            setattr(handle, name, "other")
    assert m._engine.text() == text
    with pytest.raises(AttributeError):
        handle.no_such_thing  # noqa: B018


def test_what_follows_from_a_body_follows_its_new_place_and_size():
    def model(radius, edge, length):
        m = sl.Model()
        floor = m.plane()
        table = m.box(size=(1, 1, edge), mass=5, on=floor, name="table")
        ball = m.sphere(radius=radius, mass=1, on=table, name="ball")
        arm = m.rod((2, 0, 1), (2 + length, 0, 1), mass=1, name="arm")
        m.fixed(arm, m.box(size=(0.1, 0.1, 0.1), mass=0.1, at=arm.end), at=arm.end)
        m.revolute(m.ground, arm, at=arm.start, axis="y", speed=1)
        m.contact(floor, table, friction=0.3), m.contact(floor, ball)
        m.distance(arm, ball, name="wire")
        arm.frame(arm.end, name="mark")
        return m

    m = model(0.1, 0.5, 1.0)
    m["ball"].radius, m["table"].size, m["arm"].end = 0.2, (1, 1, 0.8), (3.5, 0, 1)
    fresh = model(0.2, 0.8, 1.5)
    assert m._engine.text() == fresh._engine.text()
    a, b = (x.simulate(0.2) for x in (m, fresh))
    assert np.array_equal(a["ball.position"], b["ball.position"]) and len(a) == len(b)


def test_a_refused_assignment_changes_nothing():
    m = sl.Model()
    a = m.sphere(radius=0.1, mass=1)
    b = m.box(size=(1, 1, 1), mass=1, on=m.plane())
    m.contact(m["plane_1"], a)
    text, settings = m._engine.text(), a.settings
    for action in (lambda: setattr(a, "radius", -1.0), lambda: setattr(b, "on", a), lambda: setattr(a, "mass", "5 kg"), lambda: setattr(a, "density", math.nan)):
        with pytest.raises(sl.ModelError) as caught:
            action()
        assert open(caught.value.faults[0].file).read().splitlines()[caught.value.faults[0].line - 1].strip().startswith("for action")
    assert m._engine.text() == text and a.settings == settings
    a.radius = 0.3
    assert m["contact_1"].fields["radius"] == 0.3


def test_a_failed_verb_leaves_nothing_behind():
    m = sl.Model()
    box = m.box(size=(1, 1, 1), mass=1)
    text = m._engine.text()
    for action in (
        lambda: m.revolute(m.ground, box, axis="z", limits=(2, 1), name="pin"),
        lambda: m.contact(m["box_1"], box, friction=object()),
        lambda: m.capacitor(m.ground, 5, C=1, name="c"),
        lambda: m.box(size=(1, 1, 1), mass=1, name="a.b"),
    ):
        with pytest.raises(sl.ModelError):
            action()
    assert m._engine.text() == text
    m.revolute(m.ground, box, axis="z", limits=(1, 2), name="pin")


def test_fields_changed_by_hand_stay_until_their_keyword_changes():
    m = sl.Model()
    spring = m.spring(m.ground, m.point_mass(mass=1, at=(1, 0, 0)), stiffness=1.0)
    spring.set(preload=3.0, stiffness=5.0)
    spring.damping = 2.0
    assert (spring.fields["preload"], spring.fields["stiffness"], spring.fields["damping"]) == (3.0, 5.0, 2.0)
    spring.stiffness = 7.0
    assert spring.fields["stiffness"] == 7.0
    with pytest.raises(sl.ModelError, match='did you mean "stiffness"'):
        spring.set(stifness=1.0)


def test_items_of_a_file_or_added_as_items_take_their_fields():
    m = sl.Model()
    ball = m.sphere(radius=0.1, mass=1, at=(0, 0, 1), velocity=(1, 0, 0), name="ball")
    m.contact(m.plane(name="floor"), ball, restitution=0.5, friction=0.2, name="touch")
    m.revolute(m.ground, m.rod((0, 0, 2), (1, 0, 2), mass=1, name="arm"), at=(0, 0, 2), axis="y", speed=2.0, name="pin")
    again = sl.Model.parse(m._engine.text())
    again["ball"].mass, again["ball"].velocity = 3.0, (2, 0, 0)
    again["touch"].restitution, again["pin"].speed, again["touch"].friction = 0.1, 5.0, 0.7
    ball.mass, ball.velocity, m["touch"].restitution, m["pin"].speed, m["touch"].friction = 3.0, (2, 0, 0), 0.1, 5.0, 0.7
    assert again["touch"].restitution == 0.1 and again["ball"].mass == 3.0
    assert again._engine.text() == m._engine.text()
    added = m.add(sl.items.SpringDamper(A=m.ground, B=ball, stiffness=5.0))
    added.stiffness = 6.0
    assert added.stiffness == 6.0 and m._engine.record(added.name)["fields"]["stiffness"] == 6.0
    with pytest.raises(sl.ModelError, match='did you mean "stiffness"'):
        added.stifness = 3.0
    with pytest.raises(sl.ModelError, match='did you mean "restitution"'):
        again["touch"].restituton = 0.1


def test_items_that_are_not_in_a_model_take_their_fields_until_they_are():
    m = sl.Model()
    item = sl.items.SpringDamper(A=m.ground, B=m.point_mass(mass=1), stiffness=5.0)
    item.stiffness = 6.0
    with pytest.raises(sl.ModelError, match='did you mean "damping"'):
        item.dampng = 1.0
    assert m.add(item).fields["stiffness"] == 6.0
    with pytest.raises(sl.ModelError, match=r"m\['spring_damper_1'\].stiffness"):
        item.stiffness = 7.0


def test_a_point_of_a_contact_changed_by_hand_stays_changed():
    m = sl.Model()
    touch = m.contact(m.plane(), m.box(size=(1, 1, 1), mass=1, at=(0, 0, 1)), name="touch")
    touch.points[2].radius = 0.01
    touch.restitution = 0.5
    assert [p.radius for p in touch.points] == [0, 0, 0.01, 0, 0, 0, 0, 0]
    assert all(p.fields["law"]["restitution"] == 0.5 for p in touch.points)


def test_what_is_shown_of_a_model_is_not_changed_in_vain():
    m = sl.Model()
    box = m.box(size=(1, 1, 1), mass=1)
    text = m._engine.text()

    def changed(target, key):
        target[key] = 3

    for target, key in ((box.fields, "mass"), (box.fields["node"]["position"], 0), (box.shape, "size"), (box.shape["size"], 0), (box.settings, "mass"),
                        (box.size, 0), (box.reference[0], 0), (m.gravity, 2)):  # fmt: skip
        with pytest.raises((sl.ModelError, TypeError, ValueError)):
            changed(target, key)
    place = np.array([0.0, 0, 2])
    other = m.sphere(radius=1, mass=1, at=place)
    place[2] = 5.0
    other.mass = 2.0  # made anew where it was
    assert other.fields["node"]["position"] == [0, 0, 2] and "size" in dir(box)
    assert m._engine.text().startswith(text[: text.index('"rigid_body"')])
    with pytest.raises(sl.ModelError, match="radius is not assigned to a body of a file"):
        sl.Model.parse(m._engine.text())[other.name].radius = 3.0
    assert sl.Model.parse(m._engine.text())[other.name].radius == 1.0


def test_the_model_and_schemes_take_what_they_know():
    m = sl.Model()
    for name in ("gravty", "ground", "simulate", "step"):
        with pytest.raises(sl.ModelError):
            setattr(m, name, 1)
    m.parameters["k"] = 3.0
    m.parameters.update(c="2*k")
    m.outputs["z"] = "b.position.z"
    m.simulation["until"] = 2.0
    assert m.parameters == {"k": 3.0, "c": "2*k"} and m.outputs == {"z": "b.position.z"} and m.simulation == {"until": 2.0}
    del m.parameters["c"]
    assert m.parameters == {"k": 3.0}
    with pytest.raises(ValueError):
        m.gravity[2] = 0.0
    scheme = sl.MoreauJean()
    scheme.theta = 1.0
    assert scheme.theta == 1.0 and scheme.options["theta"] == 1.0
    with pytest.raises(sl.ModelError, match='did you mean "theta"'):
        scheme.thta = 1.0


def test_a_changed_number_is_that_of_the_run():
    m = sl.Model(gravity=(0, 0, 0))
    mass = m.point_mass(mass=1.0, at=(1, 0, 0), displacement=(0.1, 0, 0))
    spring = m.spring(m.ground, mass, stiffness=100.0, rest_length=1.0)
    for k, mu in ((100.0, 1.0), (400.0, 1.0), (400.0, 4.0)):
        spring.stiffness, mass.mass = k, mu
        assert float(m.simulate(0.1, tolerance=1e-9)[mass.displacement.x].last) == pytest.approx(0.1 * math.cos(math.sqrt(k / mu) * 0.1), abs=1e-6)
