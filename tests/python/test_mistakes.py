"""The table (input, message): what a user writes by mistake, and what is reported, with item, value and remedy, at the line of it.

The first eight kinds are those of the comparison with other engines; messages stand here as they are printed.
"""

import math
import re
import warnings

import numpy as np
import pytest

import saltus as sl
from saltus import running

BEFORE = """
m = sl.Model()
box = m.box(size=(0.1, 0.1, 0.1), mass=1, at=(0, 0, 1), name="box")
floor = m.plane(name="floor")
moon = sl.Model().sphere(radius=1, mass=1, name="moon")
"""
OSCILLATOR = """n = sl.Model(gravity=(0, 0, 0)); p = n.point_mass(mass=1, at=(1, 0, 0), displacement=(0.1, 0, 0))
n.spring(n.ground, p, stiffness=1e{0}, rest_length=1); """

# input, message. "warning: " before those that let the run go on, "failed: " before those of a run that began.
TABLE = [
    # Eight kinds.
    ("m.rod((0, 0, 0), (1, 0, 0), masss=1)", 'bodies/rod_1: unknown keyword "masss" = 1; did you mean "mass"?'),
    ("m.simulate(until=1, stpe=1e-3)", 'simulation: unknown keyword "stpe" = 0.001; did you mean "step"?'),
    ("sl.items.SpringDamper(A='box', B='ground', stiffnes=1)", 'connectors/spring_damper/stiffnes: is 1, and not a field of SpringDamper; did you mean "stiffness"?'),
    ("m.rod((0, 0), (1, 0, 0), mass=1)", "bodies/rod_1/start: has 2 numbers, (0, 0); expected 3 [m]; write (x, y, z)"),
    ("m.box(size=(1, 1, 1), mass=1, velocity=(1, 0)); m.simulate(1)", "bodies/box_1/node/velocity: expected 3 numbers, got 2; write [x, y, z]"),
    ("m.sphere(radius=1, mass=-1)", "bodies/sphere_1/mass: is -1 kg, must be above 0; give a mass above 0"),
    ("m.revolute(m.ground, 'bxo', axis='z'); m.simulate(1)", 'joints/revolute_1/B: frame "bxo" is not there; did you mean "box"?'),
    (
        "m.revolute(m.ground, box, at=(0, 0, 0), axis='x', name='p'); m.revolute(m.ground, box, at=(1, 0, 0), axis='x', name='q'); m.simulate(0.01)",
        "warning: joints/q: rows x, y, z, ry, rx (in its axes, z along it) are redundant with 'p' (rank deficiency 5), reaction not unique: the one of least norm is taken; remove a joint or choose one with fewer rows if its reaction matters",
    ),
    ("sl.Model(gravity=9.81)", "gravity: is 9.81, a number; expected 3 [m/s^2]; write (0, 0, -9.81)"),
    ("sl.Model((0, 0, -9.81))", "Model: too many positional arguments, given (0, 0, -9.81); Model needs no argument; by keyword gravity=, planar="),
    (
        "m.prismatic(m.ground, box, axis='x'); m.simulate(0.01)",
        "warning: gravity: is (0, 0, -9.81) m/s^2 and does no work on any coordinate that can move; turn gravity into the plane of motion, or set it to [0, 0, 0]",
    ),
    ("m.body(mass=1, inertia=(1, 1, 1), velocity=(0, math.nan, 0)); m.simulate(1)", "bodies/body_1/node/velocity/1: is nan, which is not finite; look where it comes from: 0/0, or a value that was never set"),
    ("m.sphere(radius=math.nan, mass=1)", "bodies/sphere_1/radius: is nan m, which is not finite; look where it comes from: 0/0, or a value that was never set"),
    (
        OSCILLATOR.format(2) + "n.simulate(2, step=0.1, scheme='moreau_jean')",
        "warning: simulation/step: of 0.1 s is coarse: the error within 20 steps is about 33 % of the motion; take a smaller step, or leave it out: then the error is controlled",
    ),
    (
        OSCILLATOR.format(8) + "n.simulate(1, step=0.01, scheme='runge_kutta_4')",
        "failed: at t = NUMBER s: the step fell to NUMBER s: a force is not a finite number; the fixed step of 0.01 s is too large, unless a function gives no number: take a smaller step, or leave it out",
    ),
    # Bodies.
    ("m.sphere(radius='10 mm', mass=1)", "bodies/sphere_1/radius: is '10 mm', expected a number [m]; write 10, in SI units without a unit"),
    ("m.box(size=(1, 1, 1))", "bodies/box_1: needs a mass; give mass= [kg] or density= [kg/m^3]"),
    ("m.box(size=(1, 1, 1), mass=1, density=1000)", "bodies/box_1: has both a mass, 1 kg, and a density, 1000 kg/m^3; give mass= [kg] or density= [kg/m^3]"),
    ("m.box(size=(1, 1, 1), mass=1, name='box')", "box: is the name of another item; names are unique over the model"),
    ("m.rod((1, 0, 0), (1, 0, 0), mass=1)", "bodies/rod_1: has length zero: start and end are the same point, [1.0, 0.0, 0.0]; give two points"),
    ("m.body(mass=1, inertia=1)", "bodies/body_1/inertia: is 1, a number; expected 3, or 3 by 3 [kg m^2]; write (Ixx, Iyy, Izz)"),
    (
        "m.body(mass=1, inertia=(1, 1, 5)); m.simulate(1)",
        "bodies/body_1: principal moments of inertia 1, 1, 5 kg m^2: no body has one larger than the sum of the others; give them about the centre of mass, in body axes",
    ),
    ("m.box(size=(1, 1, 1), mass=1, on=box.frame())", "bodies/box_1/on: is <frame of box>, expected a plane or a box; make one with m.plane() or m.box(...), or give at=; m.shape(kind, on=body) gives a body one more shape"),
    # Joints.
    ("m.revolute(m.ground, box, axis=(0, 0, 0))", 'joints/revolute_1/axis: is (0, 0, 0), which has length zero; give a direction such as "z"'),
    ("m.revolute(m.ground, box, axis='X')", 'joints/revolute_1/axis: is \'X\', expected "x", "y", "z", "-x", "-y" or "-z"; did you mean "x"?'),
    ("m.revolute(m.ground, box, at='box', axis='x')", "joints/revolute_1/at: is 'box', expected 3 numbers [m] or a frame; write m[\"box\"]"),
    ("m.revolute(box, box, axis='z'); m.simulate(1)", 'joints/revolute_1/B: joins "box" to itself; name two different ends; "ground" is the fixed one'),
    ("m.revolute(m.ground, box, axis='z', speed=1, angle=2)", "joints/revolute_1: is driven by speed and angle; give one of them"),
    (
        "m.revolute(m.ground, box, at=(0, 0, 0), axis='x', limits=(0.5, 1)); m.simulate(0.01)",
        "warning: relations/revolute_1_lower_stop: is violated at the start: its gap is -0.5 (m, or rad of a stop); place the bodies apart, or the stops around the first position; the first steps push them out",
    ),
    (
        "m.distance(m.ground, box, length=1.1); m.simulate(1)",
        "failed: the initial positions violate the constraints by more than 1e-06 m (rad for rotations): row 0 of 'distance_1': -0.0955; place the parts so that the joints close, and let what is driven begin where its joint stands",
    ),
    # Forces and functions.
    ("m.spring(m.ground, moon, stiffness=100)", "B: is <body moon> of another model; take one of this model, or build both parts in one"),
    ("m.spring(m.ground, box, stiffness=-40); m.simulate(1)", "connectors/spring_1/stiffness: is -40 N/m, must be at least 0; use `preload` for an initial force"),
    ("m.force((0, 0, -1), box)", "on: is (0, 0, -1), expected a body or a frame; use a handle such as m.ground, a rod, rod.end"),
    ("m.force(box, lambda t: None); m.simulate(1)", "loads/force_1/force: the function returned None, expected 3 numbers; return 3 numbers"),
    ("m.force(box, lambda t: (0, 0, 1j)); m.simulate(1)", "loads/force_1/force: the function returned 1j, expected 3 numbers; return 3 numbers"),
    ("m.force(box, lambda t: (0, 1 / 0, 0)); m.simulate(1)", "loads/force_1/force: the function raised ZeroDivisionError: division by zero in <lambda> (mistake.py:1); call it yourself with the same numbers: (0)"),
    (
        "m.force(box, lambda: (0, 0, 0)); m.simulate(1)",
        "loads/force_1/force: the function raised TypeError: <lambda>() takes 0 positional arguments but 1 was given; it is called with 1 number",
    ),
    (
        "m.revolute(m.ground, box, axis='z', speed='t > 1 ? 1 : 0'); m.simulate(2)",
        "joints/revolute_1_drive/speed: `t > 1 ? 1 : 0` has `?` where an operator is expected (character 7); write `if(a, b, c)` for `a ? b : c`",
    ),
    (
        "m.parameters = {'omega': 1}; m.revolute(m.ground, box, axis='z', speed='2*omgea'); m.simulate(2)",
        'joints/revolute_1_drive/speed: uses "omgea", which is not there; did you mean "omega"?',
    ),
    ("m.revolute(m.ground, box, axis='z', speed='np.sin(t)'); m.simulate(2)", 'joints/revolute_1_drive/speed: "np.sin(t)": has `.` where an operator is expected; write names alone: `sin(t)`'),
    (
        "m.force(box, lambda t: (0, 0, 0), name='f'); m.save('model.json')",
        'loads/f/force: is a function of the program that made the model, which a model file cannot hold; write it as an expression, such as "sin(2*t)"',
    ),
    (
        "f = m.force(box, (0, 0, 0)); m.controller(lambda t, z: (0, 0), period=0.1, inputs=[box.position.z], outputs=[f], name='c'); m.simulate(0.1)",
        "failed: controllers/c: the function returned 2 numbers, expected 3 numbers; return 3 numbers",
    ),
    # Stops on one side, inputs of controllers, what does nothing.
    ("m.revolute(m.ground, box, axis='x', limits=(0, 0))", "joints/revolute_1/limits: is (0, 0), one place: the lowest must be below the highest; lock the motion by m.fixed instead; for a stop on one side write (None, 1) or (-1, None)"),
    ("m.revolute(m.ground, box, axis='x', limits=(None, math.inf))", "joints/revolute_1/limits: is (None, inf), without a stop; leave it out; for a stop on one side write (None, 1) or (-1, None)"),
    (
        "j = m.prismatic(m.ground, box, axis='x', force=0.0, name='j'); m.pid(box.position, period=0.01, kp=1, outputs=[j], name='p'); m.simulate(0.1)",
        "controllers/p: reads box.position, which has 3 numbers, where it takes one; write box.position.x",
    ),
    (
        "j = m.prismatic(m.ground, box, axis='x', name='j'); m.pid(box.position.x, period=0.01, kp=1, outputs=[j], name='p')",
        "controllers/p/outputs: has 'j', a joint without a drive; give the joint what the controller sets: force=0.0, or speed=0.0",
    ),
    (
        "j = m.revolute(m.ground, box, axis='x', name='j'); m.controller(lambda t: 1, period=0.01, outputs=[j], name='c')",
        "controllers/c/outputs: has 'j', a joint without a drive; give the joint what the controller sets: torque=0.0, or speed=0.0",
    ),
    (
        "m.controller(lambda t: 1, period=0.01, inputs=[box.position.x], outputs=[m.force(box, (0, 0, 0))], name='c')",
        "controllers/c: has a function of (t), and is called with 2 arguments: t, box.position.x; write lambda t, u0: ...",
    ),
    (
        "f = lambda t, x, v, w: 1\nf.__name__ = 'law'\nm.controller(f, period=0.01, inputs={'x': box.position.x, 'v': box.velocity.x}, outputs=[m.force(box, (0, 0, 0))], name='c')",
        "controllers/c: has a function of (t, x, v, w), and is called with 3 arguments: t, box.position.x, box.velocity.x; write def law(t, x, v)",
    ),
    (
        "m.torque(m.point_mass(mass=1, name='p'), (0, 0, 1))",
        "warning: loads/torque_1/on: is <body p>, a point, which does not turn: the torque does nothing; give a body with inertia, such as m.sphere or m.box, or a force",
    ),
    (
        "w = m.cylinder(radius=0.3, length=0.1, mass=10, at=(0, 0, 1), axis='y', name='w'); m.tyre(m.ground, w, radius=0.3, stiffness=2e5, longitudinal='8e4*slip', lateral='8e4*slip')",
        "warning: connectors/tyre_1/B: is <body w>, whose y axis, (0, 0, 1), about which the wheel turns, lies along the normal of the plane, (0, 0, 1): the wheel lies flat; "
        "give the frame of it that has y along the axis of the cylinder: .frame(rotation=sl.degrees(x=90))",
    ),
    (
        "m.rope([m.ground, m.point_mass(mass=1, name='p')], length=1, stiffness=100)",
        "markers/rope_1/through: has <ground ground> and <body p> in one place, where the rope between them has no direction; place them a little apart, such as 1 mm; length= is that of the rope",
    ),
    ("m.beam((0, 0, 0), (1, 0, 0), EI=1, EA=1, mass_per_length=1, elements=0)", "bodies/beam_1/elements: is 0, must be above 0; give elements above 0"),
    # Contacts.
    ("m.contact(box, floor)", "relations/contact_1: joins box and the plane floor; write the plane first: m.contact(floor, box)"),
    (
        "m.contact(floor, m.body(mass=1, inertia=(1, 1, 1)))",
        "relations/contact_1/B: is body_1, a body without shape, for which there is no contact; use a plane, sphere, capsule, cylinder, box, cone, ellipsoid, hull, mesh, height_field, "
        'hollow_sphere, hollow_cylinder, implicit_surface, or give it a shape: m.shape("box", body_1, size=...), and name that here',
    ),
    ("m.contact(floor, box, restitution=2); m.simulate(1)", "relations/contact_1/law/restitution: is 2, must be between 0 and 1; 0 is without rebound, 1 without loss"),
    (
        "m.contact(floor, m.sphere(radius=0.1, mass=1)); m.simulate(0.01)",
        "warning: relations/contact_1: is violated at the start: its gap is -0.1 (m, or rad of a stop); place the bodies apart, or the stops around the first position; the first steps push them out",
    ),
    (
        "m.contact(floor, box); m.simulate(1, scheme='runge_kutta_4', step=1e-3)",
        "relations/contact_1: has the law 'newton_impact', which runge_kutta_4 cannot follow: it advances smooth motion only; use the scheme moreau_jean",
    ),
    (
        "m.contact([floor], [m.sphere(radius=0.01, mass=1, at=(1, 1, 1), velocity=(0, 0, -9))]); m.simulate(1, step=1e-3, scheme='schatzman_paoli')",
        "warning: simulation/step: of 0.001 s is coarse for contact: sphere_1 moves at 10 m/s, 100 % of its radius or half edge in a step; give step=0.0001 or less, or take the scheme moreau_jean",
    ),
    # Circuits.
    ("m.resistor(box, m.ground, R=1)", "A: is <body box>, expected a terminal or m.ground; make one with m.terminal()"),
    (
        "a, b = m.terminal(), m.terminal(); m.resistor(a, b, R=1); m.simulate(1)",
        "nodes/terminal_1: the part of terminals terminal_1, terminal_2 floats: nothing leads from it to the ground, its potentials are not determined; join one terminal of it to the ground, directly or by a resistor",
    ),
    (
        "a = m.terminal(); m.voltage_source(a, m.ground, voltage=1); m.voltage_source(a, m.ground, voltage=2); m.simulate(1)",
        "connectors/voltage_source_2: closes a loop of voltage sources alone with 'voltage_source_1': their currents are not determined, and do not exist where the voltages differ; put a resistor into the loop, or take this source out",
    ),
    # Runs.
    ("m.simulate(until=-1)", "simulation/until: is -1 s, must be above 0; give an until above 0"),
    ("m.simulate(until=1, step=0)", "simulation/step: is 0 s, must be above 0; give a step above 0"),
    ("m.simulate(until=1, scheme='moreu_jean')", "simulation/scheme: 'moreu_jean' is not a scheme; did you mean \"moreau_jean\"?"),
    ("m.simulate(until=1, scheme='magic')", "simulation/scheme: 'magic' is not a scheme; use auto, generalized_alpha, explicit_euler, explicit_midpoint, heun, runge_kutta_3, runge_kutta_4, runge_kutta_6, bogacki_shampine, dormand_prince, symplectic_euler, velocity_verlet, half_explicit, newmark, trapezoidal, moreau_jean, event_driven, nonsmooth_generalized_alpha, d1_minus, schatzman_paoli, exact_modal, zero_order_hold, static"),
    ("m.simulate(until=1, scheme=sl.MoreauJean)", "simulation/scheme: is the class MoreauJean; write sl.MoreauJean()"),
    ("m.simulate(until=1, scheme=sl.MoreauJean(theta=2))", "simulation/scheme/theta: is 2, must be between 0.5 and 1; leave it out for 0.5"),
    ("m.simulate(until=1, threads='2')", "simulation/threads: is '2', must be between 1 and 1024"),
    ("m.simulate(until=1, consistent='no')", "simulation/consistent: is 'no', expected True or False; leave it out for True"),
    ("box.masss = 2", "bodies/box: has no 'masss' to set (= 2); did you mean \"mass\"? It takes size, mass, density, at, on, rotation, displacement, velocity, angular_velocity"),
    ("box.position = (0, 0, 2)", "bodies/box: 'position' is read, not assigned; it takes size, mass, density, at, on, rotation, displacement, velocity, angular_velocity"),
    ("m.gravty = (0, 0, 0)", "Model: has no 'gravty' to set (= (0, 0, 0)); did you mean \"gravity\"? It takes gravity, outputs, parameters, simulation, tables"),
    ("s = sl.MoreauJean(); s.thta = 1", "simulation/scheme: has no 'thta' to set (= 1); did you mean \"theta\"? It takes theta, gamma, drift, newton_tolerance, solver_tolerance, acceptable_residual"),
    ("m.simulate(until=1, tolerance='1e-6')", "simulation/tolerance: is '1e-6', expected a number; write 1e-6"),
    ("m.simulate(until=1, record=-0.1)", "simulation/record: is -0.1 s, must be above 0; give a record above 0"),
    ("m.simulate(until=1, record={'intervall': 1})", 'simulation/record/intervall: is not known; did you mean "interval"?'),
    ("m.simulate(until=1, stop='soon')", 'simulation/stop: uses "soon", which is not there; known names: t'),
    ("m.simulate(until=1, stop=box.position < 1)", "simulation/stop: box.position has 3 components, a condition needs one; it has x, y, z, norm"),
    ("sl.Model().simulate(1)", "model: is empty: nothing can move; add bodies, nodes or circuits with its verbs, such as m.point_mass(mass=1)"),
    ("m.static()", "failed: at t = 0 s: no static equilibrium found: the stiffness is singular, velocity along x of 'box' is free to move: hold it by a spring or a joint"),
    ("m.simulate(1, step=1e-320)", "simulation/step: is 9.99989e-321 s, which time does not feel beside 1 s: the run would not end; leave it out, or take a larger one"),
    (
        "m.simulate(1, step=2)",
        "warning: simulation/step: of 2 s is longer than the run, 1 s, which is taken in one step; take a smaller step, or leave it out: then the error is controlled",
    ),
    ("m.simulate(1, tolerance=1e-30)", "simulation/tolerance: is 1e-30, a relative error; must be between 1e-14 and 1; leave it out for 1e-6"),
    ("m.simulate(1, tolerance=10)", "simulation/tolerance: is 10, a relative error; must be between 1e-14 and 1; leave it out for 1e-6"),
    ("m.parameters = 5", 'parameters: is 5, expected a dict of names and values; write {"name": value}'),
    ("m.outputs = {'z': box}", "outputs/box: is an item, not a quantity; write box.position.x or the like"),
    (
        "m.plane(rotation=(0, 30, 0))",
        "warning: markers/plane_1/rotation: is (0, 30, 0) rad, more than a turn; if degrees are meant, write sl.degrees(y=30)",
    ),
    ("m.contact(floor, box); m.contact(floor, box)", "relations/contact_2: joins floor and box, as 'contact_1' does: both would carry; leave one of them out"),
    (
        "f = m.force(box, (0, 0, 0), name='f'); m.controller('t', period=0.1, inputs={'t': box.position.z}, outputs=['f.force.z'])",
        "controllers/controller_1/inputs: has the name 't', which is the time in an expression; choose another name",
    ),
    ("sl.study(5, k=[1])", "study: is of 5, expected a model, or a function of k"),
    ("sl.study(lambda k: k, j=[1])", "study: calls <lambda>(j=): missing a required argument: 'k'; name its parameters as the function does"),
    ("m.simulate(0.01, record='/dev/null')", "/dev/null is a device or the like, not a file; it is not replaced; name a file"),
    # Words of other programs, and what is asked of the wrong thing.
    ("m.simulate(until=1, dt=1e-3)", 'simulation: unknown keyword "dt" = 0.001; did you mean "step"?'),
    ("m.simulate(duration=1)", 'simulation: unknown keyword "duration" = 1; did you mean "until"?'),
    ("m.contact(floor, box, mu=0.5)", 'relations/contact_1: unknown keyword "mu" = 0.5; did you mean "friction"?'),
    ("m.sphere(radius=1, mass=1, position=(0, 0, 1))", 'bodies/sphere_1: unknown keyword "position" = (0, 0, 1); did you mean "at"?'),
    ("sl.Modle()", "saltus has no 'Modle'; did you mean \"Model\"?"),
    ("sl.simulate(1)", "saltus has no 'simulate'; it is a verb of a model: m = sl.Model(), m.simulate(...)"),
    ("sl.Section.circle(0.01)", "section: too many positional arguments, given 0.01; sl.Section.circle needs radius=, E=; by keyword inner=, G=, nu=, density=, shear="),
    ("sl.Inertia.sphere(r=1, mass=1)", 'inertia: unknown keyword "r" = 1; did you mean "radius"?'),
    ("sl.degrees('90')", "degrees: is '90', expected a number [deg]; write 90"),
    ("del m['box']", 'box: is not deleted: items of a model stay; m.without("box") is a model without it'),
    ("m.remove(box)", "a model has no 'remove'; did you mean \"without\"?"),
    ("m['box'] = 3", 'box: is assigned 3; items are made by verbs such as m.rod(...); change one by its handle, as in m["rod"].mass = 2'),
    ("m.simulate(0.01).position", "a result has no 'position'; a quantity is read as result[body.position]"),
    ("m.simulate(0.01).to_csv('x.csv')", "a result has no 'to_csv'; did you mean \"export\"?"),
    ("m.contact(box, friction=0.5)", "warning: relations/contact_1: is of box alone, which touches nothing; name what it touches, as in m.contact(m.plane(), box)"),
    (
        "m.revolute(m.ground, box, axis='x', at=(0, 0, 1), limits=(-90, 90))",
        "warning: joints/revolute_1/limits: is (-90, 90) rad, 28.6 turns; if degrees are meant, write (sl.degrees(-90), sl.degrees(90))",
    ),
    (
        "a = m.rod((0, 0, 0), (1, 0, 0), mass=1); b = m.rod((1, 0, 0), (3, 0, 0), mass=1); m.revolute(a.end, b, axis='y')",
        "warning: joints/revolute_1/at: is not given: the joint stands at B, <rod rod_2>, 1 m from A, <frame rod_1_end>; give at=, or place the parts so that both frames meet",
    ),
    (
        "b = m.beam((0, 0, 0), (1, 0, 0), EI=1, EA=1, mass_per_length=1, elements=2); p = m.point_mass(mass=1, at=(0.5, 0, 1)); m.spherical(b.at(0.25), p)",
        "warning: joints/spherical_1/at: is not given: the joint stands at B, <body point_mass_1>, 1.03 m from A, <point of beam_1 at 0.25>; give at=, or place the parts so that both frames meet",
    ),
    (
        "m.revolute(m.ground, box, axis='x', at=(0, 0, 1), stiffness=1, rest_angle=45)",
        "warning: joints/revolute_1/rest_angle: is 45 rad, 7.2 turns; if degrees are meant, write sl.degrees(45)",
    ),
    (
        "m.revolute(m.ground, box, axis='x', at=(0, 0, 1), angle=-90)",
        "warning: joints/revolute_1/angle: is -90 rad, 14.3 turns; if degrees are meant, write sl.degrees(-90)",
    ),
    ("m.point_mass(mass=1 + 2j)", "bodies/point_mass_1/mass: is (1+2j), a complex number; give a real one"),
    ("m.sphere(radius=np.complex128(2), mass=1)", "bodies/sphere_1/radius: is np.complex128(2+0j), expected a number [m]; write a number"),
    ("m.point_mass(mass={1})", "bodies/point_mass_1/mass: cannot hold a set"),
    ("m.box(size=(1, 1, 1), mass=1, rotation=sl.degrees(90))", "bodies/box_1/rotation: is 1.5707963267948966, a number; expected 3 [rad]; write sl.degrees(z=...), or a rotation vector (x, y, z)"),
    ("m.box(size=(1, 1, 1), mass=1, rotation=(1, 0, 0, 0))", "bodies/box_1/rotation: has 4 numbers, (1, 0, 0, 0); expected 3 [rad]; write sl.Rotation.of_quaternion(...)"),
    ("h = m.revolute(m.ground, box, axis='z'); m.gear(h, h)", "relations/gear_1: missing a required argument: 'ratio', given <joint revolute_1>, <joint revolute_1>; m.gear needs A, B, ratio=; by keyword stiffness=, damping=, backlash=, restitution=, name="),
    ("h = m.revolute(m.ground, box, axis='z'); m.gear(h, h, teeth=(20, 40))", 'relations/gear_1: unknown keyword "teeth" = (20, 40); did you mean "ratio"?'),
    # Reading.
    ("m.revolute(m.ground, box, axis='z', name='h').friction", "h has no friction; give it friction="),
    ("m.revolute(m.ground, box, axis='z', name='h').stops", "h has no lower stop; give it limits="),
    ("box.positon", 'body box has no \'positon\'; did you mean "position"?'),
    ("m.hinge(m.ground, box)", "a model has no 'hinge'; write m.revolute"),
    ("m.weld(m.ground, box)", "a model has no 'weld'; write m.fixed"),
    ("m.motor(box)", "a model has no 'motor'; give a joint its drive, m.revolute(..., speed=...), angle= or torque=; m.prismatic takes speed=, position= or force="),
    ("m.point_mass(mass=1, name='ball'); m.ball", "a model has no 'ball'; write m[\"ball\"]"),
    ("r = m.simulate(0.01); r.contact_history(floor, box)", "contact_history: is asked for 'floor', and there is no contact of groups without stiffness in the model; read result.contact(c) of a contact of two bodies, result[c.force] of one with stiffness"),
    ("m.body(mass=1, inertia=(1, 1))", "bodies/body_1/inertia: is (1, 1); expected 3 numbers, or 3 by 3 [kg m^2]; write (Ixx, Iyy, Izz)"),
    ("m.body(mass=1, inertia=((1, 0), (0, 1), (0, 0)))", "bodies/body_1/inertia: is ((1, 0), (0, 1), (0, 0)); expected 3 numbers, or 3 by 3 [kg m^2]; write (Ixx, Iyy, Izz)"),
    ("m.plot()", "a model has no 'plot'; a result has it: result = m.simulate(until=...)"),
    ("m.xyzzy", "a model has no 'xyzzy'; dir(m) lists what it has"),
    ("m.shpere(radius=1, mass=1)", 'a model has no \'shpere\'; did you mean "sphere"?'),
    ("m['bxo']", 'bxo: is not an item of the model; did you mean "box"?'),
    ("m.simulate(0.01)[box]", "box: is an item, not a quantity; write box.position or the like"),
    (
        "m.simulate(0.01)['box.positon']",
        "outputs/box.positon: 'box' has no quantity 'positon'; did you mean \"position\"? It has position, displacement, velocity, acceleration, rotation, quaternion, rotation_matrix, transformation, axis_x, axis_y, axis_z, angular_velocity, angular_acceleration, displacement_body, velocity_body, acceleration_body, angular_velocity_body, angular_acceleration_body, kinetic_energy, potential_energy, mass, center_of_mass, center_velocity, momentum, angular_momentum, coordinate, rate, coordinate_acceleration",
    ),
    ("m.simulate(0.01)[moon.position]", "moon: is an item of another model than the result's; read the result of the run of its model"),
    ("r = m.simulate(0.01); r[m.sphere(radius=1, mass=1).position]", "sphere_1: came to the model after this run; run it again"),
    (
        "m.outputs = {'z': 'box.postion.z'}; m.simulate(0.01)",
        "outputs/z: 'box' has no quantity 'postion'; did you mean \"position\"? It has position, displacement, velocity, acceleration, rotation, quaternion, rotation_matrix, transformation, axis_x, axis_y, axis_z, angular_velocity, angular_acceleration, displacement_body, velocity_body, acceleration_body, angular_velocity_body, angular_acceleration_body, kinetic_energy, potential_energy, mass, center_of_mass, center_velocity, momentum, angular_momentum, coordinate, rate, coordinate_acceleration",
    ),
]  # fmt: skip


def message_of(code):
    """(message of what the code does, whether it names its line)."""
    names = {"sl": sl, "np": np, "math": math}
    exec(compile(BEFORE, "before.py", "exec"), names)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            exec(compile(code, "mistake.py", "exec"), names)
        except sl.ModelError as error:
            (fault,) = error.faults
            return str(error)
        except sl.RunError as error:
            assert error.result.report["status"] == "failed"
            return "failed: " + re.sub(r"^the run failed:? ", "", str(error))
        except AttributeError as error:
            return str(error)
    return "\n".join(f"warning: {w.message}" for w in caught)


@pytest.mark.parametrize("code, message", TABLE, ids=range(len(TABLE)))
def test_a_mistake_is_reported_with_item_value_and_remedy(code, message):
    text = re.sub(r"mistake.py:\d+ ", "", message_of(code))
    if "NUMBER" in message:
        text = re.sub(r"\d[\d.]*e-\d+|\d+\.\d+(?= s)", "NUMBER", text, count=2)
    assert text == message


def line_of(fault):
    """The source line that the fault names."""
    return open(fault.file).read().splitlines()[fault.line - 1]


def refused(action):
    with pytest.raises(sl.ModelError) as caught:
        action()
    return caught.value.faults


def test_words_of_other_programs_lead_to_verbs_that_are_there():
    from saltus.geometry import OTHER_VERBS

    for word, text in OTHER_VERBS.items():
        assert not hasattr(sl.Model, word), word
        named = re.findall(r"m\.(\w+)", text)
        assert named and all(hasattr(sl.Model, verb) for verb in named), text


@pytest.mark.parametrize("verb, words", [("revolute", {"axis": "y"}), ("spherical", {}), ("universal", {"axes": ("y", "z")})])
def test_a_joint_between_frames_that_meet_is_not_warned_of(verb, words):
    def joint(place, **at):
        m = sl.Model()
        a, b = m.rod((0, 0, 0), (1, 0, 0), mass=1), m.rod(place, (3, 0, 0), mass=1)
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            getattr(m, verb)(a.end, b.start, **words, **at)
        return [str(w.message) for w in found]

    assert joint((1, 0, 0)) == [] and joint((1.5, 0, 0), at=(1, 0, 0)) == []
    assert len(joint((1.5, 0, 0))) == 1 and "0.5 m from A" in joint((1.5, 0, 0))[0]


@pytest.mark.parametrize("mass", [{1}, object(), b"1", 1j])
def test_a_value_that_no_model_holds_is_refused_at_its_line(mass):
    m = sl.Model()
    ball = m.point_mass(mass=1)
    for ask in (lambda: m.point_mass(mass=mass), lambda: setattr(ball, "mass", mass)):
        with pytest.raises(sl.ModelError) as raised:
            ask()
        assert raised.value.faults[0].file == __file__ and raised.value.faults[0].line > 0
    assert len(m) == 1 and ball.mass == 1


def test_numbers_of_numpy_are_numbers_whatever_their_dimension():
    m = sl.Model()
    m.sphere(radius=np.array(0.5), mass=np.float32(2), at=np.array([0, 0, 1]))
    assert m.simulate(until=np.array(0.1), step=np.float32(0.01), tolerance=None).time[-1] == pytest.approx(0.1)


def test_a_mistake_is_reported_at_the_line_of_the_program():
    m = sl.Model()
    m.rod((0, 0, 0), (1, 0, 0), mass=1, name="crank")
    m.revolute(m.ground, "crnak", axis="z")  # unknown
    (fault,) = refused(lambda: m.simulate(1.0))
    assert "# unknown" in line_of(fault)
    (fault,) = refused(lambda: m.rod((0, 0, 0), (1, 0, 0), masss=1))  # typo
    assert "# typo" in line_of(fault)
    m = sl.Model()
    m.force(m.box(size=(1, 1, 1), mass=1), lambda t: None)  # function
    (fault,) = refused(lambda: m.simulate(1.0))
    assert "# function" in line_of(fault)


def test_all_mistakes_of_a_model_come_at_once():
    m = sl.Model()
    m.body(mass=-1, inertia=(1, 1, 1))
    m.revolute(m.ground, "nothing", axis="z")
    m.body(mass=1, inertia=(1, 1, 1), velocity=(0, math.inf, 0))
    faults = refused(lambda: m.simulate(1.0))
    assert {f.path.split("/")[1] for f in faults} == {"body_1", "revolute_1", "body_2"}
    assert [f.text for f in faults] == [f.text for f in m.check()]


def test_a_step_that_is_fine_enough_is_not_warned_of():
    m = sl.Model(gravity=(0, 0, 0))
    body = m.box(size=(1, 1, 1), mass=1, at=(1.1, 0, 0))
    m.spring(m.ground, body, stiffness=100, rest_length=1)  # period 0.63 s
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        m.simulate(2.0, step=0.005, scheme="moreau_jean")


@pytest.mark.parametrize(("step", "factor"), [(1e-3, 12.0), (1e-4, 1.28)])
def test_a_step_with_which_euler_makes_a_vibration_grow_is_told_with_the_factor(step, factor):
    """On x'' = -w^2 x each step multiplies amplitudes by sqrt(1 + (h w)^2)."""
    m = sl.Model(gravity=(0, 0, 0))
    mass = m.point_mass(mass=1, at=(1 + 1e-3, 0, 0))
    m.spring(m.ground, mass, stiffness=1e4, rest_length=1)
    with pytest.warns(sl.ModelWarning, match=rf"simulation/step: of {step:g} s is unstable for explicit_euler: .* of 15.92 Hz {factor:g} times as large"):
        result = m.simulate(0.5, scheme="explicit_euler", step=step)
    grown = (1 + (100 * step) ** 2) ** (0.25 / step)
    assert grown == pytest.approx(factor, rel=5e-3)
    assert result["energy.total"].last / result["energy.total"][0] == pytest.approx(grown**2, rel=1e-3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        m.simulate(0.5, scheme="runge_kutta_4", step=1e-3)


@pytest.mark.parametrize("place", [(0, 0, -1), (1, 0, 0), (0.6, 0, 0.8)])
def test_gravity_is_not_called_idle_where_it_moves_something(place):
    m = sl.Model()
    rod = m.rod((0, 0, 0), place, mass=1)
    m.spherical(m.ground, rod, at=rod.start)
    assert m.check() == []


def test_gravity_is_not_called_idle_where_nothing_is_free():
    m = sl.Model()
    rod = m.rod((0, 0, 0), (1, 0, 0), mass=1)
    m.revolute(m.ground, rod, at=rod.start, axis="y", speed=1)
    assert m.check() == []


def test_a_torque_may_be_a_function_of_time_alone():
    m = sl.Model(gravity=(0, 0, 0))
    rod = m.rod((0, 0, 0), (1, 0, 0), mass=3)
    pins = [m.revolute(m.ground, rod, at=(0, 0, 0), axis="z", torque=lambda t: 2 * math.cos(t))]
    assert m.simulate(1)[pins[0].angle].last == pytest.approx(2 * (1 - math.cos(1)), rel=1e-4)  # inertia 1


def test_an_argument_that_was_not_given_is_no_quantity_and_the_message_names_the_motion():
    m = sl.Model()
    slide = m.prismatic(m.ground, m.box(size=(1, 1, 1), mass=1), axis="x")
    result = m.simulate(until=0.1)
    for ask in (lambda: result[slide.limits], lambda: m.state()[slide.limits]):
        with pytest.raises(sl.ModelError, match=r"slide\.position"):
            ask()
    assert result[slide.position].last == 0.0


def test_analyses_tell_what_they_take():
    m = sl.Model()
    with pytest.raises(sl.ModelError, match=r"given 3; m.modes needs no argument; by keyword at=, count="):
        m.modes(3)
    with pytest.raises(sl.ModelError, match="m.buckling needs parameter"):
        m.buckling()


def test_a_spring_on_a_joint_is_refused_as_a_field_of_the_joint():
    m = sl.Model(gravity=(0, 0, 0))
    body = m.body(mass=1.0, inertia=(1, 1, 1))
    hinge = m.revolute(m.ground, body, axis="z", name="hinge")
    for ends in ((hinge,), (hinge, body)):
        with pytest.raises(sl.ModelError, match=r"bodies or frames; a spring about or along the axis of a joint belongs to the joint: hinge.stiffness = \.\.\."):
            m.spring(*ends, stiffness=3.0)
    hinge.stiffness = 4.0
    assert m.modes().frequencies[0] == pytest.approx(2.0 / (2 * np.pi))


def test_the_speed_of_a_joint_without_a_drive_says_where_its_rate_is():
    m = sl.Model(gravity=(0, 0, 0))
    hinge = m.revolute(m.ground, m.body(mass=1.0, inertia=(1, 1, 1)), axis="z", name="hinge")
    with pytest.raises(AttributeError, match="hinge has no drive.*angular_rate"):
        _ = hinge.speed
    hinge.speed = 3.0
    assert hinge.speed == 3.0 and float(m.simulate(0.1)[hinge.angular_rate][-1]) == pytest.approx(3.0)


@pytest.mark.parametrize("call", [lambda: sl.Model.rod((0, 0, 0), (1, 0, 0), mass=1), lambda: sl.Model.simulate(until=1), lambda: sl.Model.point_mass()])
def test_a_model_without_parentheses_is_answered(call):
    with pytest.raises(sl.ModelError, match=r"Model: is the class, and \w+ is of a model; write m = sl.Model\(\), with parentheses"):
        call()


def test_schemes_of_other_programs_lead_to_those_here(tmp_path):
    from saltus.geometry import OTHER_SCHEMES

    m = sl.Model()
    m.point_mass(mass=1)
    for word, name in {**OTHER_SCHEMES, "RK4": "runge_kutta_4", "Crank-Nicolson": "trapezoidal"}.items():
        with pytest.raises(sl.ModelError, match=f"simulation/scheme: '{word}' is not a scheme; did you mean \"{name}\"?"):
            m.simulate(until=0.1, step=0.01, scheme=word)
        assert m.simulate(until=0.1, step=0.01, scheme=name).report["status"] == "done"
        m.simulation = {"until": 0.1, "scheme": word}
    m.save(tmp_path / "m.json")
    with pytest.raises(sl.ModelError, match="did you mean"):
        running.run(sl.Model.load(tmp_path / "m.json")._engine)


def test_a_run_stops_where_one_quantity_passes_another():
    """z1 = 1 - g t^2 / 2 and z2 = 4 t - g t^2 / 2 meet at t = 1/4."""
    m = sl.Model()
    low, high = m.point_mass(mass=1, velocity=(0, 0, 4), name="low"), m.point_mass(mass=1, at=(1, 0, 1), name="high")
    for stop in (high.position.z < low.position.z, low.position.z > high.position.z, low.position.z.crosses(high.position.z)):
        assert m.simulate(until=1, stop=stop).time[-1] == pytest.approx(0.25, abs=1e-9)


def test_what_is_read_before_a_run_or_without_a_quantity_is_answered():
    m = sl.Model()
    ball = m.point_mass(mass=1, name="ball")
    with pytest.raises(TypeError, match=r"ball.position.z has no value before a run: read result"):
        float(ball.position.z)
    result = m.simulate(until=1)
    for word, remedy in (("ball", "ball.position"), ("energy", "energy.total"), ("height", "height.position")):
        with pytest.raises(sl.ModelError, match=f"{word}: is neither a named output nor a quantity of an item; write result\\[\"{remedy}\"\\]"):
            result[word]
    with pytest.raises(AttributeError, match="result.plot_energy"):
        result.energy
    with pytest.raises(AttributeError, match='did you mean "show"'):
        result.animate()
    with pytest.raises(sl.ModelError, match=r"is the state of a result at 0.5 s; write start=\(result, 0.5\)"):
        m.simulate(until=2, start=result.at(0.5))


def test_a_spring_without_length_and_direction_is_warned_of_and_one_that_starts_apart_is_not():
    def warned(**start):
        m = sl.Model()
        ball = m.point_mass(mass=1, **start)
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            m.spring(m.ground, ball, stiffness=5, rest_length=1, name="s")
            m.spring(m.ground, ball, stiffness=5)
        return [str(w.message) for w in found]

    (text,) = warned()
    assert "connectors/s: has length zero at the start and a rest length of 1 m" in text
    assert warned(at=(1, 0, 0)) == [] and warned(displacement=(0.1, 0, 0)) == []


def test_files_are_not_written_under_the_endings_of_other_programs(tmp_path):
    m = sl.Model()
    m.point_mass(mass=1)
    for name, why in (("m.xlsx", "a model file is JSON or YAML; end it with .yaml or .json"), ("m.xml", "robots are not written in MJCF"), ("m", "a model file is")):
        with pytest.raises(sl.ModelError, match=rf"test_mistakes.py:\d+ save/path: is '{name}', and {why}"):
            m.save(tmp_path / name)
    result = m.simulate(until=1)
    for name, instead in (("r.csv", r"write result.export\(...\) for .csv"), ("r.nc", "write it by result.to_xarray"), ("r.mp4", "save the result and write `saltus view RESULT --video")):
        with pytest.raises(sl.ModelError, match=rf"save/path: is '{name}', and save writes the result file of this program; end it with .saltus; {instead}"):
            result.save(tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_not_there_and_an_end_that_is_reached_are_reported(tmp_path):
    m = sl.Model()
    m.point_mass(mass=1)
    for name in ("m.json", "m.yaml"):
        with pytest.raises(sl.ModelError, match=r"save/path: .*, and the folder .*none is not there; make it first"):
            m.save(tmp_path / "none" / name)
    m.simulate(until=1).save(tmp_path / "r.saltus")
    with pytest.raises(sl.ModelError, match="the run has come to 1 s; give a later end: until= in a program"):
        sl.resume(tmp_path / "r.saltus")
    assert sl.resume(tmp_path / "r.saltus", until=2).time[-1] == 2.0


@pytest.mark.parametrize(("limits", "side"), [((None, 0.3), "upper"), ((-math.inf, 0.3), "upper"), ((-0.3, None), "lower"), ((-0.3, math.inf), "lower")])
def test_a_joint_has_a_stop_on_one_side(limits, side):
    m = sl.Model(gravity=(0, 0, 0))
    rod = m.rod((0, 0, 0), (1, 0, 0), mass=1)
    hinge = m.revolute(m.ground, rod, at=(0, 0, 0), axis="z", limits=limits, torque=1.0 if side == "upper" else -1.0)
    result = m.simulate(3.0)
    assert abs(result[hinge.angle].last) == pytest.approx(0.3, abs=1e-4)
    assert result[getattr(hinge, f"{side}_stop")].last > 0.5
    with pytest.raises(AttributeError, match=f"no {'lower' if side == 'upper' else 'upper'} stop; give it limits="):
        getattr(hinge, f"{'lower' if side == 'upper' else 'upper'}_stop")


@pytest.mark.parametrize(("word", "said"), [("mass", "a mass"), ("radius", "a radius"), ("stiffness", "a stiffness"), ("elements", "elements"), ("edge", "an edge"), ("until", "an until"), ("unit", "a unit"), ("EI", "an EI"), ("R", "an R"), ("C", "a C"), ("0", "a number")])
def test_a_word_of_a_message_has_its_article(word, said):
    from saltus.geometry import with_article

    assert with_article(word) == said


def test_the_frame_that_the_warning_of_a_lying_tyre_names_carries_the_wheel():
    m = sl.Model()
    wheel = m.cylinder(radius=0.3, length=0.1, mass=10, at=(0, 0, 0.31), axis="y")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        m.tyre(m.ground, wheel.frame(rotation=sl.degrees(x=90)), radius=0.3, stiffness=2e5, damping=1e3, longitudinal="8e4*slip", lateral="8e4*slip")
    assert m.simulate(1.0)[wheel.position.z].last == pytest.approx(0.3 - 98.1 / 2e5, abs=1e-5)


def test_a_warning_of_building_is_of_the_model_and_of_its_runs_until_it_is_mended():
    m = sl.Model()
    wheel = m.cylinder(radius=0.3, length=0.1, mass=10, at=(0, 0, 0.31), axis="y")
    with pytest.warns(sl.ModelWarning, match="the wheel lies flat"):
        m.tyre(m.ground, wheel, radius=0.3, stiffness=2e5, damping=1e3, longitudinal="8e4*slip", lateral="8e4*slip")
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # what was said is not said again
        found = [m.check(), m.simulate(0.01).warnings]
    rod = m.rod((0, 0, 2), (1, 0, 2), mass=1)
    with pytest.warns(sl.ModelWarning, match="degrees"):
        hinge = m.revolute(m.ground, rod, at=(0, 0, 2), axis="y", limits=(-90, 90))
    assert len(m.check()) == 2
    hinge.limits = (-1.5, 1.5)
    found.append(m.check())
    for faults in found:
        (fault,) = faults
        assert (fault.path, fault.severity, fault.file) == ("connectors/tyre_1/B", "warning", __file__) and "the wheel lies flat" in fault.message


def test_a_stop_on_one_side_in_degrees_is_told_without_infinities():
    m = sl.Model()
    rod = m.rod((0, 0, 0), (1, 0, 0), mass=1)
    with pytest.warns(sl.ModelWarning, match=r"is \(None, 50\) rad, 8.0 turns; if degrees are meant, write \(None, sl.degrees\(50\)\)"):
        m.revolute(m.ground, rod, at=(0, 0, 0), axis="y", limits=(None, 50))


def test_a_run_that_is_gone_on_with_is_read_by_the_handles_of_the_program(tmp_path):
    m = sl.Model()
    ball = m.sphere(radius=0.1, mass=1, at=(0, 0, 10))
    m.simulate(0.5, record=str(tmp_path / "r.saltus"))
    again = sl.resume(tmp_path / "r.saltus", until=1.0)
    assert again[ball.position.z].last == pytest.approx(10 - 9.81 / 2, abs=1e-9)


@pytest.mark.parametrize("limits", [{}, {"low": -10, "high": 10}])
def test_a_run_that_ideal_op_amps_end_names_the_limits_that_let_it_go_on(limits):
    differentiator, rectifier = sl.Model(), sl.Model()
    a, b, c = (differentiator.terminal(name=name) for name in "abc")
    differentiator.voltage_source(a, differentiator.ground, voltage="sin(100*t)")
    differentiator.capacitor(a, b, C=1e-6), differentiator.resistor(b, c, R=1e4), differentiator.op_amp(differentiator.ground, b, c, **limits)
    i, x, o = (rectifier.terminal(name=name) for name in "ixo")
    rectifier.voltage_source(i, rectifier.ground, voltage="sin(100*t)")
    rectifier.op_amp(i, o, x, **limits), rectifier.diode(x, o), rectifier.resistor(o, rectifier.ground, R=1e3)
    for m, last, expected in ((differentiator, c, -math.cos(5.0)), (rectifier, o, 0.0)):
        if limits or m is differentiator:
            assert m.simulate(0.05)[last.voltage].last == pytest.approx(expected, abs=1e-2)
        else:
            with pytest.raises(sl.RunError, match="the op-amp op_amp_1 is ideal: without feedback its output is not determined.*give it the limits of its output, low= and high="):
                m.simulate(0.05)
