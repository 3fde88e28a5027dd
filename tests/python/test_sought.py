"""What users of MuJoCo, Drake, Chrono and Pinocchio look for (docs/parity.md): a short program for each row that says that it is there."""

import math

import numpy as np
import pytest
from test_parity import rows

import saltus as sl

NAMES = {"sl": sl, "np": np, "math": math, "approx": pytest.approx}
PROGRAMS = {
    "forward and inverse dynamics of trees in linear time": """
arm = m.tree(name="arm"); link = arm.revolute(axis="y", mass=2, inertia=(0.1, 0.1, 0.1), center_of_mass=(0.5, 0, 0))
torque = arm.inverse_dynamics([0.0], [0.0], [3.0])[0]
assert torque == approx(3 * (0.1 + 2 * 0.25) - 2 * 9.81 * 0.5)
assert m.state().accelerations[0] == approx(2 * 9.81 * 0.5 / 0.6)""",
    "loops, joint limits, joint friction and frictional contact in one solver": """
a, b, c = m.rod((0, 0, 0), (0, 0, 1), mass=1), m.rod((0, 0, 1), (1, 0, 1), mass=1), m.rod((1, 0, 0), (1, 0, 1), mass=1)
first = m.revolute(m.ground, a, at=a.start, axis="y", limits=(-0.5, 0.5), friction=0.01); m.revolute(a, b, at=a.end, axis="y"); m.revolute(b, c, at=c.end, axis="y"); m.revolute(m.ground, c, at=c.start, axis="y")
box = m.box(size=(0.1, 0.1, 0.1), mass=0.1, on=(floor := m.plane(at=(3, 0, 0)))); m.contact(floor, box, friction=0.4)
a.angular_velocity = (0, 1, 0)
r = m.simulate(until=1, step=1e-3, scheme="moreau_jean")
assert r[first.angle].max() < 0.51 and r[first.residual].values.max() < 1e-6 and r[box.displacement.norm].max() < 1e-9""",
    "mass matrix and Jacobians as arrays at any state": """
rod = m.rod((0, 0, 0), (1, 0, 0), mass=3); m.revolute(m.ground, rod, at=rod.start, axis="y")
M = np.asarray(m.state().mass_matrix)
assert M.shape == (6, 6) and M[0, 0] == approx(3)""",
    "inverse dynamics and inverse kinematics as calls": """
rod = m.rod((0, 0, 0), (1, 0, 0), mass=3); hinge = m.revolute(m.ground, rod, at=rod.start, axis="y")
assert m.inverse_dynamics({hinge.angle: "0"})[hinge.angle][0] == approx(-3 * 9.81 * 0.5)
assert m.assemble({hinge.angle: "0.3"})[rod.end.position] == approx([math.cos(0.3), 0, -math.sin(0.3)])""",
    "a state to set, ask and step": """
ball = m.point_mass(mass=1); state = m.state(step=0.01, scheme="runge_kutta_4")
state.v = [1.0, 0.0, 0.0]; state.step()
assert state.time == approx(0.01) and state[ball.position].tolist() == approx([0.01, 0, -0.5 * 9.81 * 1e-4]) and state.accelerations[2] == approx(-9.81)""",
    "a control loop in the program, step by step": """
push = m.parameter("push", 0.0); ball = m.point_mass(mass=1, at=(0, 0, 1)); m.force(ball, (0, 0, "push"))
state = m.state(step=0.01)
for _ in range(300):
    state[push] = 9.81 - 40 * (state[ball.position.z] - 1.5) - 10 * state[ball.velocity.z]; state.step()
assert state[ball.position.z] == approx(1.5, abs=1e-3)""",
    "rollouts: a copy of a state stepped ahead under given controls": """
push = m.parameter("push", 0.0); ball = m.point_mass(mass=1); m.force(ball, ("push", 0, 0))
state = m.state(step=0.01, scheme="runge_kutta_4"); ends = []
for trial in ([1.0] * 10, [-1.0] * 10):
    ahead = state.copy()
    for u in trial: ahead[push] = u; ahead.step()
    ends.append(ahead[ball.position.x])
assert ends == approx([0.005, -0.005]) and state.time == 0.0""",
    "an environment of Gymnasium": """
push = m.parameter("push", 0.0); ball = m.point_mass(mass=1); m.force(ball, ("push", 0, 0))
def reset(): return m.state(step=0.1)
def step(state, action): state[push] = action; state.step(); return state[ball.position.x], -state[ball.position.x] ** 2
state = reset(); seen, reward = step(state, 2.0)
assert seen == approx(0.01) and reward == approx(-1e-4) and reset().time == 0.0""",
    "robots in URDF, MJCF, SDF files": """
from pathlib import Path
Path("r.urdf").write_text('<robot name="r"><link name="a"/></robot>')
Path("r.xml").write_text('<mujoco><worldbody><body name="a"><joint name="j" axis="0 1 0"/><inertial pos="1 0 0" mass="2" diaginertia="0.1 0.2 0.2"/></body></worldbody></mujoco>')
Path("r.sdf").write_text('<sdf version="1.9"><model name="r"><link name="a"><pose>0 0 1 0 0 0</pose></link></model></sdf>')
assert "a" in sl.read_urdf("r.urdf") and sl.read_sdf("r.sdf")["a"].reference[0][2] == 1
assert sl.read_mjcf("r.xml").state()["j.coordinate_acceleration"] == approx(9.81 * 2 / 2.2)""",
    "edit and merge models that were read": """
part = sl.Model(); part.rod((0, 0, 0), (1, 0, 0), mass=1, name="rod"); part.save("part.json")
both = sl.Model.load("part.json"); both.include("part.json", name="other", position=(0, 1, 0)); both["rod"].mass = 2.0
assert set(both.without("other_rod")) >= {"rod"} and both["other_rod"].reference[0][1] == 1.0""",
    "tendons over points, cylinders, spheres": """
a, b = (m.point_mass(mass=1, at=(x, 0, -1)) for x in (-0.1, 0.1))
wheel = m.sheave(m.ground, radius=0.1, axis="y"); rope = m.rope([a, wheel, b])
r = m.simulate(until=0.1)
assert r[rope.length].last == approx(r[rope.length][0]) and r[a.position.z].last == approx(-1, abs=1e-6)""",
    "actuators: position, speed, PID, DC motor, cylinder, limits": """
m = sl.Model(gravity=(0, 0, 0)); rod = m.rod((0, 0, 0), (1, 0, 0), mass=3); hinge = m.revolute(m.ground, rod, at=rod.start, axis="y", speed=1.0, limit=0.5)
r = m.simulate(until=0.5, step=1e-3)
assert r[hinge.angular_rate].last == approx(0.5 * 0.5 / 1.0, rel=1e-2)  # its torque is at the limit""",
    "reflected inertia, rotor, gear ratio of a joint": """
m = sl.Model(gravity=(0, 0, 0)); disc = m.body(mass=1, inertia=(1, 2, 1)); hinge = m.revolute(m.ground, disc, axis="y", torque=6.0, armature=0.1, ratio=10)
assert m.simulate(until=1.0)[hinge.angular_rate].last == approx(6.0 / (2 + 0.1 * 100))""",
    "drive trains: shafts, gears, clutches, brakes": """
m = sl.Model(gravity=(0, 0, 0)); a, b = m.body(mass=1, inertia=(1, 1, 1)), m.body(mass=1, inertia=(3, 3, 4), at=(1, 0, 0))
pinion, wheel = m.revolute(m.ground, a, axis="z", torque=2.0), m.revolute(m.ground, b, axis="z"); m.gear(pinion, wheel, ratio=2)
assert abs(m.simulate(until=1.0)[wheel.angular_rate].last) == approx(2.0 / (1 + 4 / 4) / 2, rel=1e-6)""",
    "sensors with noise, delay, sampling": """
ball = m.point_mass(mass=1); seen = m.sensor(ball.position.z, period=0.05, noise=0.01, delay=0.05, seed=3)
r = m.simulate(until=0.5, step=1e-3)
off = np.asarray(r[seen.value]).ravel() - np.asarray(r[ball.position.z])
assert 0 < np.abs(off[200:]).max() < 0.6""",
    "rays, shortest distances, overlaps": """
a, b = m.sphere(radius=0.5, mass=1), m.box(size=(1, 1, 1), mass=1, at=(3, 0, 0))
assert sl.queries.distance(a, b).gap == approx(2.0) and not sl.queries.overlaps([a, b])
assert sl.queries.ray([a, b], (-5, 0, 0), (1, 0, 0)).distance == approx(4.5)""",
    "friction against spin and rolling at contacts": """
ball = m.sphere(radius=0.1, mass=1, at=(0, 0, 0.1), velocity=(1, 0, 0), angular_velocity=(0, 10, 0)); m.contact(m.plane(), ball, friction=0.5, rolling=0.005)
v = m.simulate(until=1.0, step=1e-3)[ball.velocity.x].last
assert v == approx(1 - 9.81 * 0.05 / 1.4, rel=1e-2)  # rolling resistance: v' = - g (mu_r / r) / (1 + 2/5)""",
    "ellipsoids, meshes, height fields in contact": """
ground = m.height_field(np.zeros((5, 5)), size=(4, 4)); egg = m.ellipsoid(size=(0.4, 0.3, 0.2), mass=1, at=(0.1, 0.2, 0.1)); m.contact(ground, egg, friction=0.5)
assert m.simulate(until=0.2, step=1e-3)[egg.position.z].last == approx(0.1, abs=1e-4)""",
    "contact of fast bodies at fixed steps": """
ball = m.sphere(radius=0.01, mass=1, at=(0, 0, 1), velocity=(0, 0, -100)); m.contact(m.box(size=(1, 1, 0.001), mass=1e3, at=(0, 0, 0)), ball)
assert m.simulate(until=0.05, step=5e-3, scheme="moreau_jean")[ball.position.z].last > -0.01 - 0.5 * 9.81 * 0.05**2""",
    "pairs that do not touch, collision masks, materials of pairs": """
floor, a, b = m.plane(name="floor"), m.box(size=(0.1, 0.1, 0.1), mass=1, at=(0, 0, 0.05), velocity=(1, 0, 0), name="a"), m.box(size=(0.1, 0.1, 0.1), mass=1, at=(0, 1, 0.05), velocity=(1, 0, 0), name="b")
ice, rubber, ground = m.material(a), m.material(b), m.material(floor); m.material_pair(ice, ground); m.material_pair(rubber, ground, friction=0.5); m.contact([floor], [a, b], law="materials"); m.no_contact(a, b)
c = m.sphere(radius=0.1, mass=1, at=(2, 0, 0.1)); m.contact_layer(floor, name="road"); m.contact_layer(c, meets="air", name="air"); m.contact([floor], [c])
r = m.simulate(until=0.5, step=1e-3)
assert r[c.position.z].last < -1 and r[a.velocity.x].last == approx(1.0) and abs(r[b.velocity.x].last) < 1e-9""",
    "joints that lock, join and break in a run": """
ball = m.sphere(radius=0.1, mass=1); m.bond(m.ground, ball, locked="0.3 - t")
z = m.simulate(until=0.5, step=1e-3)[ball.position.z]
assert z.last == approx(-0.5 * 9.81 * 0.04, rel=2e-2)""",
    "the pose of a body from data": """
t = np.linspace(0, 1, 51); m.table("z", t, np.sin(t), kind="spline"); box = m.box(size=(1, 1, 1), mass=2); m.driven(box, position=(0, 0, "z(t)"))
assert m.simulate(until=0.5, step=1e-3, scheme="generalized_alpha")[box.position.z].last == approx(math.sin(0.5), abs=1e-5)""",
    "tables, splines, recorded signals as functions of time": """
from pathlib import Path
Path("f.csv").write_text("t,F\\n0,0\\n1,2\\n"); m = sl.Model(gravity=(0, 0, 0)); m.table("F", *sl.read_table("f.csv")); ball = m.point_mass(mass=1); m.force(ball, ("F(t)", 0, 0))
assert m.simulate(until=1.0)[ball.velocity.x].last == approx(1.0)""",
    "block diagrams": """
push = m.parameter("push", 0.0); ball = m.point_mass(mass=1); m.force(ball, (0, 0, "push")); seen = m.sensor(ball.position.z, period=0.01)
m.pid(seen.value, period=0.01, kp=50.0, kd=10.0, ki=40.0, target=0.5, outputs=[push])
assert m.simulate(until=5.0)[ball.position.z].last == approx(0.5, abs=1e-2)""",
    "error control through contact": """
ball = m.sphere(radius=0.1, mass=1, at=(0, 0, 1.1)); m.contact(m.plane(), ball, restitution=0.8); r = m.simulate(until=2.0)
impact = math.sqrt(2 / 9.81); third = impact * (1 + 2 * (0.8 + 0.64)); dt, v = 2.0 - third, 0.8**3 * 9.81 * impact
assert r[ball.position.z].last == approx(0.1 + v * dt - 0.5 * 9.81 * dt**2, abs=1e-3)""",
    "derivatives of a step by state, input, parameter": """
m = sl.Model(gravity=(0, 0, 0)); m.parameters = {"k": 100.0}; ball = m.point_mass(mass=1, displacement=(0.1, 0, 0)); m.spring(m.ground.frame((-1, 0, 0)), ball, stiffness="k", rest_length=1)
d = m.derivatives(0.2, outputs=[ball.displacement.x], parameters=["k"])
assert d[ball.displacement.x, "k"] == approx(-0.1 * math.sin(2.0) * 0.2 / 20, rel=1e-4)  # of 0.1 cos(sqrt(k) t)""",
    "identification of parameters": """
m = sl.Model(gravity=(0, 0, 0)); m.parameters = {"k": 80.0}; ball = m.point_mass(mass=1, displacement=(0.1, 0, 0)); m.spring(m.ground.frame((-1, 0, 0)), ball, stiffness="k", rest_length=1)
t = np.linspace(0, 1, 40); found = sl.identify(m, times=t, measured={ball.displacement.x: 0.1 * np.cos(10 * t)}, parameters={"k": (50.0, 150.0)})
assert found["k"] == approx(100.0, rel=1e-4)""",
    "FMI": """
import fmpy
push = m.parameter("push", 3.0); ball = m.point_mass(mass=2); m.force(ball, ("push", 0, 0)); m.export("ball.fmu", inputs=[push], outputs=[ball.position.x])
assert fmpy.simulate_fmu("ball.fmu", stop_time=2.0)[f"{ball.name}.position.x"][-1] == approx(3.0, rel=1e-9)""",
    "the same bits with any number of threads": """
balls = [m.sphere(radius=0.1, mass=1, at=(0.21 * i, 0, 0.11)) for i in range(20)]; m.contact(m.plane(), balls, friction=0.3)
one, two = (m.simulate(until=0.1, step=1e-3, threads=n)["energy.total"] for n in (1, 2))
assert np.array_equal(one, two)""",
}


@pytest.mark.parametrize("sought", list(PROGRAMS))
def test_what_is_sought_is_there(sought, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(PROGRAMS[sought], {**NAMES, "m": sl.Model()})


def test_each_row_that_is_there_has_its_program():
    there = {theirs for title, theirs, ours in rows() if title.startswith("What users of") and ours != "-"}
    partly = {theirs for title, theirs, ours in rows() if title.startswith("What users of") and ours.startswith("partly")}
    assert set(PROGRAMS) <= there and there - partly <= set(PROGRAMS)
