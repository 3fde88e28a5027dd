"""Reactions of joints that hold what others hold already: the same in every scheme, whatever the run's length; unique ones unaffected."""

import numpy as np
import pytest

import saltus as sl
from saltus import running
from saltus.model_files import load_engine
from saltus.row_names import ROWS

pytestmark = pytest.mark.filterwarnings("ignore::saltus.ModelWarning")

SCHEMES = {
    "dormand_prince": ("dormand_prince", {"tolerance": 1e-9}),
    "runge_kutta_4": ("runge_kutta_4", {"step": 1e-3}),
    "index 3": (sl.GeneralizedAlpha(), {"step": 1e-3}),
    "index 2": (sl.GeneralizedAlpha(index=2), {"step": 1e-3}),
    "kept factor": (sl.GeneralizedAlpha(newton="modified"), {"step": 1e-3}),
    "controlled": (sl.GeneralizedAlpha(), {"tolerance": 1e-6}),
    "moreau_jean": ("moreau_jean", {"step": 1e-3}),
}


def door(hinges=2, origin=(0.0, 0.0, 0.0), mass=20.0, circuit=False):
    """A door of 1 m x 2 m at rest on hinges one above the other."""
    o = np.array(origin)
    m = sl.Model()
    box = m.box(size=(1, 0.05, 2), mass=mass, at=tuple(o + [0.5, 0, 1]))
    joints = [m.revolute(m.ground, box, at=tuple(o + [0, 0, z]), axis="z") for z in np.linspace(0.2, 1.8, hinges)]
    if circuit:  # algebraic unknowns: the matrices are not symmetric
        wire = m.terminal(voltage=1.0)
        m.resistor(wire, m.ground, R=10.0)
        m.current_source(m.ground, wire, current=0.1)
    return m, joints


def four_bar():
    """A planar loop of four hinges: three of its rows are redundant, and change with the configuration."""
    P = [(0, 0, 0), (0, 0, 1), (2, 0, 1.5), (2.2, 0, 0)]
    m = sl.Model()
    bars = [m.rod(P[i], P[i + 1], mass=1 + i, radius=0.02) for i in range(3)]
    pairs = [(m.ground, bars[0]), (bars[0], bars[1]), (bars[1], bars[2]), (m.ground, bars[2])]
    return m, [m.revolute(a, b, at=p, axis="y") for (a, b), p in zip(pairs, P, strict=True)]


def table():
    m = sl.Model()
    top = m.box(size=(1, 2, 0.1), mass=3, at=(0.1, 0.2, 0))
    return m, [m.spherical(m.ground, top, at=(x, y, 0)) for x in (-0.5, 0.5) for y in (-1, 1)]


def slide():
    m = sl.Model()
    box = m.box(size=(1, 1, 1), mass=3)
    m.force(box, (5, 1, 2))
    return m, [m.prismatic(m.ground, box, at=(x, 0.3 * x, 0), axis="x") for x in (-0.5, 0.5)]


def carried(result, joints):
    """Forces and torques of all joints, by instant."""
    return np.hstack([np.asarray(result[q]) for j in joints for q in (j.force, j.torque)])


@pytest.mark.parametrize("name", SCHEMES)
@pytest.mark.parametrize("make", [door, table, slide])
def test_all_schemes_carry_the_same_at_rest_and_at_the_start(make, name):
    m, joints = make()
    exact = carried(m.simulate(1e-3, scheme="dormand_prince", step=1e-3), joints)[0]
    scheme, options = SCHEMES[name]
    m, joints = make()
    found = carried(m.simulate(0.1, scheme=scheme, **options), joints)
    if make is slide:  # moves: its reactions depend on where it is
        found = found[:1]
    assert np.abs(found - exact).max() < 1e-6 * np.abs(exact).max()


@pytest.mark.parametrize("make", [door, table])
def test_statics_carries_the_same_as_the_motion(make):
    m, joints = make()
    moving = carried(m.simulate(1e-3, scheme="dormand_prince", step=1e-3), joints)[0]
    m, joints = make()
    result = m.static()
    still = np.hstack([np.ravel(np.asarray(result[q])) for j in joints for q in (j.force, j.torque)])
    assert still == pytest.approx(moving, abs=1e-6 * np.abs(moving).max())


def test_the_reaction_is_the_one_of_least_norm_and_loads_the_body_as_gravity_does():
    m, joints = door()
    now = carried(m.simulate(1e-3, scheme="dormand_prince", step=1e-3), joints)[0].reshape(2, 2, 3)
    force, torque = now[:, 0], now[:, 1]
    assert force.sum(axis=0) == pytest.approx([0, 0, 20 * 9.81], abs=1e-9)
    arms = np.array([[0, 0, 0.2], [0, 0, 1.8]]) - [0.5, 0, 1]
    assert (np.cross(arms, force) + torque).sum(axis=0) == pytest.approx([0, 0, 0], abs=1e-9)
    assert force[0, 2] == pytest.approx(force[1, 2])  # alike hinges share
    assert torque[0] == pytest.approx(torque[1])


@pytest.mark.parametrize(("index", "until"), [(3, 100.0), (2, 20.0)])
def test_a_door_at_rest_carries_after_1e5_steps_what_it_carries_at_the_start(index, until):
    m, joints = door()
    now = carried(m.simulate(until, scheme=sl.GeneralizedAlpha(index=index), step=1e-3, record=10.0), joints)
    assert np.abs(now - now[0]).max() < 1e-6 * np.abs(now[0]).max()


def test_reactions_do_not_depend_on_the_place_of_the_origin():
    near, far = door(4), door(4, origin=(1e3, 200.0, -50.0))
    first, other = (carried(m.simulate(0.05, scheme="generalized_alpha", step=1e-5), joints) for m, joints in (near, far))
    assert np.abs(first - first[0]).max() < 1e-7 * np.abs(first[0]).max()
    assert np.abs(other - first[0]).max() < 1e-6 * np.abs(first[0]).max()


@pytest.mark.parametrize("mass", [20e-6, 20e9])
def test_reactions_scale_with_the_unit_of_mass(mass):
    m, joints = door()
    kilograms = carried(m.simulate(0.05, scheme="generalized_alpha", step=1e-3), joints)[-1]
    m, joints = door(mass=mass)
    other = carried(m.simulate(0.05, scheme="generalized_alpha", step=1e-3), joints)[-1]
    assert other * (20 / mass) == pytest.approx(kilograms, abs=1e-6 * np.abs(kilograms).max())


@pytest.mark.parametrize("name", ["dormand_prince", "index 3", "index 2", "kept factor", "moreau_jean"])
def test_a_circuit_beside_the_door_changes_nothing(name):
    scheme, options = SCHEMES[name]
    m, joints = door()
    alone = carried(m.simulate(1e-3, scheme="dormand_prince", step=1e-3), joints)[0]
    m, joints = door(circuit=True)
    found = carried(m.simulate(0.5, scheme=scheme, **options), joints)
    assert np.abs(found - alone).max() < 1e-6 * np.abs(alone).max()


@pytest.mark.parametrize("name", ["runge_kutta_4", "index 3", "index 2", "kept factor"])
def test_a_loop_of_hinges_in_motion_carries_the_same_in_every_scheme(name):
    scheme, options = SCHEMES[name]
    m, joints = four_bar()
    exact = carried(m.simulate(0.3, scheme="dormand_prince", tolerance=1e-10, record=0.01), joints)
    m, joints = four_bar()
    found = carried(m.simulate(0.3, scheme=scheme, record=0.01, **options), joints)
    assert np.abs(found[0] - exact[0]).max() < 1e-9
    assert np.abs(found - exact).max() < 1e-5 * np.abs(exact).max()


def test_two_threads_give_the_same_bits():
    m, joints = four_bar()
    whole = m.simulate(0.05, scheme=sl.GeneralizedAlpha(newton="modified"), step=1e-3)
    m2, joints2 = four_bar()
    short = m2.simulate(0.05, scheme=sl.GeneralizedAlpha(newton="modified"), step=1e-3, threads=2)
    assert (carried(whole, joints) == carried(short, joints2)).all()


@pytest.mark.parametrize("name", ["dormand_prince", "index 3", "index 2", "kept factor"])
@pytest.mark.parametrize("bearings", [1, 3])
def test_the_torque_that_drives_a_cardan_shaft_is_the_closed_form(name, bearings):
    """tan(out) = cos(beta) tan(in), the power of the drive is that of the output's inertia."""
    beta, W = 0.5, 10.0
    c, s = np.cos(beta), np.sin(beta)
    d = np.array([c, 0, s])
    m = sl.Model(gravity=(0, 0, 0))
    first = m.rod((-1, 0, 0), (0, 0, 0), mass=2, radius=0.05, angular_velocity=(W, 0, 0))
    second = m.rod((0, 0, 0), tuple(d), mass=3, radius=0.1, angular_velocity=tuple(c * W * d))
    drive = m.revolute(m.ground, first, at=(-1, 0, 0), axis="x", speed=W)
    m.universal(first, second, at=(0, 0, 0), axes=("y", (-s, 0, c)))
    bearing = [m.revolute(m.ground, second, at=tuple(d * x), axis=tuple(d)) for x in np.linspace(0.4, 1.0, bearings)]
    scheme, options = SCHEMES[name]
    result = m.simulate(5.0, scheme=scheme, **options)
    angle = W * np.asarray(result.time)
    below = np.cos(angle) ** 2 + c**2 * np.sin(angle) ** 2
    speed, acceleration = c * W / below, c * W**2 / below**2 * s**2 * np.sin(2 * angle)
    torque = 0.5 * 3 * 0.1**2 * speed * acceleration / W
    found = np.ravel(result[drive.drive])
    assert np.abs(found - torque).max() < 2e-4 * np.abs(torque).max()
    assert np.abs(carried(result, bearing)).max() < 1.0  # N, N m: the torque alone bends the shaft


def test_redundant_rows_are_named_by_what_they_hold_in_programs_and_files(tmp_path):
    """A point on a slide does not turn, so three rows hold nothing more."""
    m = sl.Model()
    m.prismatic(m.ground, m.point_mass(mass=1, at=(0, 0, 1)), axis=(1, 0, 1), name="guide")
    with pytest.warns(sl.model.ModelWarning, match=r"joints/guide: rows rx, ry, rz \(in its axes, z along it\) are redundant"):
        result = m.simulate(until=0.1)
    assert result.warnings[0].path == "joints/guide"
    assert m.freedoms().redundant == tuple(f"row {word} of 'guide', which nothing moves" for word in ("rx", "ry", "rz"))
    m.save(tmp_path / "guide.json")
    recorded = running.run(load_engine(tmp_path / "guide.json"), running.Options(until=0.1))
    assert recorded.report["warnings"][0].path == "joints/guide" and "rows rx, ry, rz" in recorded.report["warnings"][0].message


@pytest.mark.parametrize("kind", ["fixed", "revolute", "prismatic", "cylindrical", "spherical"])
@pytest.mark.parametrize("axis, name", list(enumerate(("x", "y", "z", "rx", "ry", "rz"))))
def test_a_load_along_or_about_an_axis_is_carried_by_the_row_of_its_name(kind, axis, name):
    m = sl.Model(gravity=(0, 0, 0))
    body = m.body(mass=1, inertia=(1, 1, 1))
    joint = getattr(m, kind)(m.ground, body, at=(0, 0, 0), **({"axis": "z"} if kind in ("revolute", "prismatic", "cylindrical") else {}))
    (m.force if axis < 3 else m.torque)(body, [float(axis % 3 == i) for i in range(3)])
    carried = np.flatnonzero(np.abs(m.simulate(until=1e-6)[joint.multiplier].values[0]) > 1e-9)
    assert [ROWS[kind][i] for i in carried] == ([name] if name in ROWS[kind] else [])


@pytest.mark.parametrize("axis, words", list(enumerate(("velocity along x", "velocity along y", "velocity along z", "angular velocity about its x", "angular velocity about its y", "angular velocity about its z"))))
def test_a_motion_that_nothing_holds_is_named(axis, words):
    """A body in equilibrium that one motion is left to: a joint in the axes of the world locks the other five."""
    m = sl.Model(gravity=(0, 0, 0))
    body = m.body(mass=1, inertia=(1, 1, 1), name="drum")
    m.generic(m.ground, body, locked=[word for i, word in enumerate(("x", "y", "z", "rx", "ry", "rz")) if i != axis])
    (fault,) = [fault for fault in m.static().warnings if "neutral" in fault.message]
    assert f"nothing holds {words} of 'drum' (" in fault.message
