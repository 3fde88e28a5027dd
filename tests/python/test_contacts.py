"""Contact of shapes and of groups: closed forms."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

import saltus as sl


def test_a_capsule_lies_on_a_plane_and_a_cylinder_stands_on_it():
    m = sl.Model()
    floor = m.plane()
    capsule = m.capsule(radius=0.1, length=0.5, mass=1, axis="x", at=(0, 0, 0.1))
    cylinder = m.cylinder(radius=0.1, length=0.5, mass=2, at=(1, 0, 0.25))
    lies, stands = m.contact(floor, capsule, friction=0.5), m.contact(floor, cylinder, friction=0.5)
    result = m.simulate(0.3, step=1e-3)
    assert result[lies.points].last == 2 and result[stands.points].last == 8
    assert result[lies.force].last == pytest.approx([0, 0, 9.81], abs=1e-5)
    assert result[stands.force].last == pytest.approx([0, 0, 2 * 9.81], abs=1e-5)
    assert result[cylinder.displacement.norm].max() < 1e-6


@pytest.mark.parametrize("angle", [20, 30])
def test_a_rolling_cylinder_has_two_thirds_of_the_acceleration_of_a_sliding_one(angle):
    # rolls without slip where tan(angle) < 3 mu: a = 2/3 g sin(angle)
    m = sl.Model()
    ramp = m.plane(rotation=sl.degrees(y=angle))
    down = np.array([math.cos(math.radians(angle)), 0, -math.sin(math.radians(angle))])
    normal = np.array([math.sin(math.radians(angle)), 0, math.cos(math.radians(angle))])
    cylinder = m.cylinder(radius=0.1, length=0.5, mass=1, axis="y", at=tuple(0.1 * normal))
    m.contact(ramp, cylinder, friction=0.5)
    result = m.simulate(0.5, step=1e-3)
    a = 2 / 3 * 9.81 * math.sin(math.radians(angle))
    assert result[cylinder.displacement].last @ down == pytest.approx(0.5 * a * 0.25, rel=5e-3)


def test_spheres_collide_with_capsules_boxes_and_cylinders_keeping_momentum():
    for other in (
        lambda m: m.capsule(radius=0.1, length=0.5, mass=2, at=(0.5, 0, 0)),
        lambda m: m.box(size=(0.2, 0.2, 0.2), mass=2, at=(0.5, 0, 0)),
        lambda m: m.cylinder(radius=0.1, length=0.5, mass=2, at=(0.5, 0, 0)),
    ):
        m = sl.Model(gravity=(0, 0, 0))
        ball = m.sphere(radius=0.1, mass=1, velocity=(1, 0, 0))
        body = other(m)
        m.contact([ball], [body], restitution=0.5)
        result = m.simulate(1.0, step=1e-3)
        # v1' = (m1 - e m2) / (m1 + m2), v2' = (1 + e) m1 / (m1 + m2)
        assert result[ball.velocity].last == pytest.approx([0, 0, 0], abs=1e-9)
        assert result[body.velocity].last == pytest.approx([0.5, 0, 0], abs=1e-9)


def test_a_pile_of_spheres_settles_in_its_box_without_gaining_energy():
    m = sl.Model()
    sides = (((-0.3, 0, 0), "x"), ((0.3, 0, 0), "-x"), ((0, -0.3, 0), "y"), ((0, 0.3, 0), "-y"))
    walls = [m.plane(), *(m.plane(at=p, normal=n) for p, n in sides)]
    rng = np.random.default_rng(1)
    balls = [
        m.sphere(
            radius=0.1,
            density=1000,
            at=(0.21 * i - 0.2, 0.21 * j - 0.2, 0.15 + 0.25 * k),
            velocity=tuple(0.2 * rng.normal(size=3)),
        )
        for i in range(2)
        for j in range(2)
        for k in range(5)
    ]
    held = m.contact(walls, balls, friction=0.4)
    m.contact(balls, friction=0.4)
    result = m.simulate(2.0, step=2e-3)
    total, kinetic = result["energy.total"], result["energy.kinetic"]
    lost = total[0] - total.last
    assert lost > 100
    # of what is lost in all: parting overlaps lifts a little
    assert np.diff(total).max() < 1e-3 * lost and kinetic.last < 1e-2 * lost
    # on average the floor carries the weight
    weight = 20 * 1000 * 4 / 3 * math.pi * 1e-3 * 9.81
    assert np.mean(np.asarray(result[held.force])[-100:, 2]) == pytest.approx(weight, rel=5e-2)
    # no ball is inside another or the floor
    p = np.array([result[ball.position].last for ball in balls])
    distance = np.linalg.norm(p[:, None] - p[None], axis=2) + np.eye(20)
    assert distance.min() > 0.2 - 2e-3 and p[:, 2].min() > 0.1 - 2e-3


def test_fast_spheres_do_not_pass_through_each_other_without_a_step():
    # Off the line of centres by 0.6 of the sum of the radii: velocities are exchanged along the normal at the first touch.
    m = sl.Model(gravity=(0, 0, 0))
    a = m.sphere(radius=0.01, mass=1, at=(-1, 0, 0), velocity=(10, 0, 0))
    b = m.sphere(radius=0.01, mass=1, at=(1, 0.012, 0), velocity=(-10, 0, 0))
    m.contact([a], [b], restitution=1)
    result = m.simulate(0.5)
    normal = np.array([0.8, 0.6, 0])
    exact = np.array([10, 0, 0]) - normal * (normal @ [20, 0, 0])
    # the touch is found to tolerance times the model's size of 2 m; over the radii of 0.01 m that is the normal's error
    assert result[a.velocity].last == pytest.approx(exact, abs=10 * 20 * 1e-6 * 2 / 0.02)
    assert result.report["steps"] < 100


def test_a_ball_of_a_group_bounces_by_error_control_alone():
    m = sl.Model()
    ball = m.sphere(radius=0.1, mass=1, at=(0, 0, 1.1))
    m.contact([m.plane()], [ball], restitution=0.8)
    result = m.simulate(2.0)
    t, v = math.sqrt(2 / 9.81), math.sqrt(2 * 9.81)
    left, v = 2.0 - t, 0.8 * v
    while left > 2 * v / 9.81:
        left, v = left - 2 * v / 9.81, 0.8 * v
    assert result[ball.position.z].last == pytest.approx(0.1 + v * left - 9.81 / 2 * left**2, abs=2e-5)
    assert not result.report["warnings"]


def test_capsule_density_gives_the_mass_and_the_inertia_of_its_parts():
    m = sl.Model()
    r, h, rho = 0.2, 0.7, 3.0
    fields = m.capsule(radius=r, length=h, density=rho).fields
    # by numerical integration over slices: discs of radius s(z)
    z = np.linspace(-h / 2 - r, h / 2 + r, 200001)
    s2 = np.where(np.abs(z) < h / 2, r * r, r * r - np.clip(np.abs(z) - h / 2, 0, None) ** 2)
    dm = rho * math.pi * s2
    assert fields["mass"] == pytest.approx(np.trapezoid(dm, z) if hasattr(np, "trapezoid") else np.trapz(dm, z), rel=1e-8)
    integrate = np.trapezoid if hasattr(np, "trapezoid") else np.trapz
    assert fields["inertia"] == pytest.approx(
        [integrate(dm * (s2 / 4 + z * z), z)] * 2 + [integrate(dm * s2 / 2, z)], rel=1e-8
    )


def test_a_rod_touches_as_the_cylinder_that_it_is_drawn_as():
    def falls(as_rod: bool):
        m = sl.Model()
        floor, ball = m.plane(), m.sphere(radius=0.1, mass=0.5, at=(0.4, 0, 1.1))
        if as_rod:
            body = touching = m.rod((-0.5, 0, 0.5), (0.5, 0, 0.7), mass=1, radius=0.03)
        else:
            L2 = 1.04
            across, along = L2 / 12, 0.03**2 / 2
            axis = np.array([1, 0, 0.2]) / np.sqrt(L2)
            inertia = across * np.eye(3) + (along - across) * np.outer(axis, axis)
            body = m.body(mass=1, inertia=inertia, at=(0, 0, 0.6))
            touching = m.shape("cylinder", body, radius=0.03, length=np.sqrt(L2), rotation=(0, np.pi / 2 - np.arctan(0.2), 0))
        m.contact(floor, touching, friction=0.3)
        m.contact(touching, ball, friction=0.3)
        result = m.simulate(until=0.6, step=1e-3)
        return result[body.position].last, result[ball.position].last

    for one, other in zip(falls(True), falls(False), strict=True):
        assert one == pytest.approx(other, abs=1e-9)
    m = sl.Model()
    m.contact(m.plane(), rod := m.rod((0, 0, 0.5), (1, 0, 0.8), mass=1, radius=0.02))
    assert m.simulate(until=3)[rod.position.z].last == pytest.approx(0.02, abs=1e-7)


def test_what_cannot_touch_is_refused():
    m = sl.Model()
    a, b = (m.box(size=(1, 1, 1), mass=1, at=(0, 0, 2 * i)) for i in range(2))
    bare = m.body(mass=1, inertia=(1, 1, 1))
    with pytest.raises(sl.ModelError, match='for which there is no contact; .* or give it a shape: m.shape\\("box", body_1'):
        m.contact(m.plane(), [bare])
    with pytest.raises(sl.ModelError, match="is an empty group"):
        m.contact(m.plane(), [])
    m.contact([a], [a])
    with pytest.raises(sl.ModelError, match="has 'box_1', a box, alone: nothing is there that it could touch"):
        m.simulate(0.1)


KINDS = {
    "plane": lambda m, name: m.plane(name=name),
    "sphere": lambda m, name: m.sphere(radius=0.1, mass=1, at=(0, 0, 5), name=name),
    "capsule": lambda m, name: m.capsule(radius=0.1, length=0.3, mass=1, at=(1, 0, 5), name=name),
    "cylinder": lambda m, name: m.cylinder(radius=0.1, length=0.3, mass=1, at=(2, 0, 5), name=name),
    "box": lambda m, name: m.box(size=(0.1, 0.1, 0.1), mass=1, at=(3, 0, 5), name=name),
    "cone": lambda m, name: m.cone(radius=0.1, height=0.2, mass=1, at=(5, 0, 5), name=name),
    "ellipsoid": lambda m, name: m.ellipsoid(size=(0.1, 0.2, 0.3), mass=1, at=(6, 0, 5), name=name),
    "hull": lambda m, name: m.hull([(0, 0, 0), (0.1, 0, 0), (0, 0.1, 0), (0, 0, 0.1)], mass=1, at=(7, 0, 5), name=name),
}


@pytest.mark.parametrize("first", KINDS)
@pytest.mark.parametrize("second", KINDS)
def test_no_pair_that_cannot_touch_goes_without_a_word(first, second):
    """In a contact with a partner that both can touch, a pair without a contact is reported; without one its bodies are refused."""
    for helper in (False, True):
        m = sl.Model()
        a, b = KINDS[first](m, "one"), KINDS[second](m, "two")
        other = m.sphere(radius=0.1, mass=1, at=(4, 0, 5), name="other")
        m.contact([a, *([other] if helper else [])], [b])
        faults = m.check()
        if (first, second) != ("plane", "plane"):
            assert [fault for fault in faults if "overlap at the start" not in fault.message] == []
        else:
            (fault,) = faults
            assert "cannot touch" in fault.message and fault.line
            named = "one" if helper or first != "plane" else "one_shape"
            assert helper or named in fault.message or "the shape of 'one'" in fault.message


def test_other_schemes_do_not_find_contacts_of_groups():
    m = sl.Model()
    m.contact(m.plane(), [m.sphere(radius=0.1, mass=1, at=(0, 0, 1))])
    with pytest.raises(sl.ModelError, match="does not find contacts between groups.*use moreau_jean"):
        m.simulate(0.1, scheme="runge_kutta_4")


def test_several_boxes_stand_on_one_floor_without_names():
    m = sl.Model()
    floor = m.plane()
    feet = [m.contact(floor, m.box(size=(0.1, 0.1, 0.1), mass=mass, at=(mass, 0, 0.05)), friction=0.5) for mass in (1, 2, 3)]
    result = m.simulate(0.1)
    assert [foot.name for foot in feet] == ["contact_1", "contact_2", "contact_3"]
    assert [result[foot.force.z].last for foot in feet] == pytest.approx([9.81, 19.62, 29.43], rel=1e-9)


@pytest.mark.parametrize("number", [2, 4])
def test_a_tower_that_leans_falls_under_error_control(number):
    # Contacts of groups that close softly give an impulse at the start of a step: no release that a shorter step would find.
    m = sl.Model()
    balls = [m.sphere(radius=0.1, mass=1, at=(0.01 * i, 0, 0.1 + 0.21 * i)) for i in range(number)]
    m.contact(m.plane(), balls, friction=0.3)
    m.contact(balls, friction=0.3)
    result = m.simulate(1)
    energy = result["energy.total"]
    assert result[balls[-1].position.z].last < 0.21 * number - 0.3
    assert np.all(np.diff(energy) < 1e-4 * abs(energy[0])) and energy.last < energy[0]


@pytest.mark.parametrize("step", [1e-3, 4e-3])
@pytest.mark.parametrize("far", [0.0, 1e3])
@pytest.mark.parametrize("held", ["lock", "speed", "two hinges"])
def test_the_parting_of_overlaps_moves_neither_locks_nor_driven_joints(held, far, step):
    """What parts bodies is the smallest displacement, and what a hinge is locked or driven by has no place: the hinge gave way, by 4 mrad at a millisecond."""
    m = sl.Model()
    plank = m.box(size=(1.0, 0.2, 0.02), mass=0.5, at=(far, 0, 0.5))
    hinge = m.revolute(m.ground, plank, at=(far, 0, 0.5), axis="y", speed=2.0 if held == "speed" else None)
    if held != "speed":
        m.lock(hinge.angle)
    if held == "two hinges":  # rows that depend on each other
        m.revolute(m.ground, plank, at=(far, 0.1, 0.5), axis="y")
    balls = [m.sphere(radius=0.05, mass=2.0, at=(far + 0.3, 0.02 * k, 0.62 + 0.3 * k)) for k in range(3)]
    m.contact(plank, balls, friction=0.3)
    m.contact(balls, friction=0.3)
    r = m.simulate(0.4, scheme="moreau_jean", step=step, record=0.1)
    assert np.asarray(r[hinge.angle])[-1] == pytest.approx(0.8 if held == "speed" else 0.0, abs=1e-9)


@pytest.mark.parametrize("kind", ("mesh", "sphere", "box", "hull"))
def test_a_body_that_begins_inside_a_solid_of_triangles_is_told_and_pushed_out(kind):
    def cube(side):
        points = [(0.5 * side * x, 0.5 * side * y, 0.5 * side * z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
        return points, [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)]

    m = sl.Model(gravity=(0, 0, 0))
    outer = m.mesh(cube(1.0), mass=1000.0, name="outer")
    at = (0.1, 0.05, 0.2)
    inner = {
        "mesh": lambda: m.mesh(cube(0.2), mass=1.0, at=at, name="inner"),
        "sphere": lambda: m.sphere(radius=0.1, mass=1.0, at=at, name="inner"),
        "box": lambda: m.box(size=(0.2, 0.2, 0.2), mass=1.0, at=at, name="inner"),
        "hull": lambda: m.hull(points=cube(0.2)[0], mass=1.0, at=at, name="inner"),
    }[kind]()
    m.contact([outer], [inner])
    with pytest.warns(sl.ModelWarning, match="'outer' and 'inner' overlap at the start by 0.4 m"):
        r = m.simulate(0.1)
    assert float(r[inner.position.z].last) > 0.59


@pytest.mark.parametrize("scheme", ["moreau_jean", "event_driven", "nonsmooth_generalized_alpha", "d1_minus"])
def test_no_impact_gives_more_energy_than_it_could_take(scheme):
    """Two rods that hang on each other strike rough ground (Kane, Levinson 1985): with all of Newton's restitution the impact would give a hundred times what there was."""

    def run(**law):
        m = sl.Model(gravity=(0, 0, 0))
        knee = np.array([np.sin(0.6), 0, -np.cos(0.6)])
        foot = knee + (np.sin(0.5), 0, -np.cos(0.5))
        thigh = m.rod((0, 0, 0), tuple(knee), mass=1, radius=0.02, velocity=tuple(np.cross((0, 3, 0), 0.5 * knee)), angular_velocity=(0, 3, 0))
        shank = m.rod(tuple(knee), tuple(foot), mass=1, radius=0.02, velocity=tuple(np.cross((0, 3, 0), knee)))
        m.revolute(m.ground, thigh, at=(0, 0, 0), axis="y")
        m.revolute(thigh, shank, at=tuple(knee), axis="y")
        m.contact(m.plane(at=(0, 0, foot[2] - 0.06)), shank, **law)
        r = m.simulate(0.1, scheme=scheme, step=1e-4 if scheme == "d1_minus" else None)
        energy = np.asarray(r["energy.total"])
        return energy.max() / energy[0], [w.message for w in r.report["warnings"] if "energy" in w.message]

    growth, said = run(friction=1, restitution=0.8)
    assert growth < 1 + 1e-5 and len(said) == 1 and "less restitution" in said[0]
    for law in ({"friction": 0.3, "restitution": 0.8}, {"friction": 1}, {"law": {"type": "poisson_coulomb_impact", "friction": 1.0, "restitution": 0.8}}):
        growth, said = run(**law)
        assert growth < 1 + 1e-5 and not said


@pytest.mark.parametrize("scheme", ["moreau_jean", "event_driven", "nonsmooth_generalized_alpha", "d1_minus"])
def test_energy_that_the_impact_of_a_relation_gives_is_said_exactly(scheme):
    """Two unit masses, u_N = x', u_T = 0.9 x' + 0.4 y', friction 1: from v = (-1, 0) the contact sticks at u_N = e, so v = (e, -9/4 e)."""

    def run(type, e):
        r = sl.Model.parse(json.dumps({
            "saltus": 1, "gravity": [0, 0, 0],
            "nodes": {"q": {"type": "node_ode2", "count": 2, "coordinates": [0.01, 0], "velocities": [-1, 0]}},
            "bodies": {"masses": {"type": "generic_system", "node": "q", "mass_matrix": [[1, 0], [0, 1]], "stiffness_matrix": [[0, 0], [0, 0]], "force": ["0", "0"]}},
            "relations": {"stop": {"type": "linear_relation", "on": [{"node": "q", "coordinate": 0}, {"node": "q", "coordinate": 1}], "matrix": [[1, 0], [0.9, 0.4]],
                                   "offset": [0, 0], "law": {"type": type, "friction": 1.0, "restitution": e}}},
        })).simulate(0.05, scheme=scheme, step=1e-4 if scheme == "d1_minus" else None)  # fmt: skip
        return float(r["energy.total"].last), [w.message for w in r.report["warnings"] if "impacts gave" in w.message]

    energy, said = run("coulomb_impact_2d", 0.5)  # gives less than the 0.5 J that it would take without restitution
    assert energy == pytest.approx(97 / 128, rel=1e-9) and "energy: 0.258 J" in said[0]
    energy, said = run("coulomb_impact_2d", 0.8)  # would give 1.44 J; with half its restitution it takes
    assert energy == pytest.approx(0.485, rel=1e-9) and not said
    assert not run("coulomb_impact_2d", 0.0)[1] and not run("poisson_coulomb_impact_2d", 0.8)[1]


@pytest.mark.parametrize("scheme", ["moreau_jean", "event_driven", "nonsmooth_generalized_alpha", "d1_minus"])
@pytest.mark.parametrize("friction, out_of_line, aside", [(0.0, 0.0, 0.3), (0.0, 0.0, -0.3), (0.0, 1e-6, 0.3), (0.3, 0.0, -0.3), (0.3, 1e-6, 0.3), (0.3, 1e-3, 0.3), (0.3, 1e-3, -0.3)])
def test_balls_that_jam_between_walls_leave_no_faster_than_they_came(scheme, friction, out_of_line, aside):
    """Three balls in a row of the width between two walls, the one in the middle a little out of line: with restitution it would have to leave at any speed, or could not."""
    m = sl.Model(gravity=(0, 0, 0))
    walls = [m.plane(at=(-0.3, 0, 0), normal="x"), m.plane(at=(0.3, 0, 0), normal="-x")]
    balls = [m.sphere(radius=0.1, mass=1, at=(0.2 * i, 0, out_of_line * (i == 0)), velocity=(aside * (i == 1), 0, -1.0 * (i == 0))) for i in (-1, 0, 1)]
    m.contact(walls, balls, restitution=0.5, friction=friction)
    m.contact(balls, restitution=0.2, friction=friction)
    energy = np.asarray(m.simulate(0.01, scheme=scheme, step=1e-4 if scheme == "d1_minus" else None)["energy.kinetic"])
    assert np.isfinite(energy).all() and energy.max() < energy[0] * (1 + 1e-5)


@pytest.mark.parametrize("scheme", ["moreau_jean", "event_driven", "nonsmooth_generalized_alpha"])
def test_what_moves_into_a_wall_that_it_touches_bounces_at_once(scheme):
    m = sl.Model(gravity=(0, 0, 0))
    ball, behind = m.sphere(radius=0.1, mass=1, at=(0.2, 0, 0), velocity=(0.3, 0, 0)), m.sphere(radius=0.1, mass=1, at=(0, 0, 0))
    m.contact(m.plane(at=(0.3, 0, 0), normal="-x"), [ball, behind], restitution=0.5)
    m.contact([ball, behind], restitution=0.2)
    r = m.simulate(0.01, scheme=scheme)
    speeds = sorted([float(r[ball.velocity.x].last), float(r[behind.velocity.x].last)])
    # All at once: ball leaves the wall at 0.15 m/s and takes the other along; one after the other: 0.15 m/s shared by an impact with restitution 0.2.
    assert speeds == pytest.approx([-0.15, -0.15], abs=1e-6) or speeds == pytest.approx([-0.09, -0.06], abs=1e-6)


def test_impacts_that_take_energy_are_no_cause_for_a_warning():
    woodpecker = sl.Model.load(Path(sl.__file__).parent / "gallery" / "woodpecker.json")
    assert not woodpecker.simulate(0.3, scheme="moreau_jean", step=2e-5).report["warnings"]


@pytest.mark.parametrize("height", [0.05, 0.2])
def test_a_standing_cylinder_slides_in_few_steps(height):
    """It lies on points that it keeps: not on a triangle that turns round with every tilt and over whose sides it tips."""
    m = sl.Model()
    m.contact([m.plane()], [b := m.cylinder(radius=0.05, length=height, mass=1, at=(0, 0, height / 2), velocity=(1, 0, 0))], friction=0.4)
    r = m.simulate(0.3)
    assert float(r[b.position.x].last) == pytest.approx(0.5 / 0.4 / 9.81, rel=1e-4) and len(r) < 100


@pytest.mark.parametrize("turn", [(0.3, 0.7, -1.1), (1.0, 0.0, 0.0)])
def test_events_of_a_box_that_slides_and_spins_do_not_know_the_axes_of_the_world(turn):
    """Four corners on a plane are one row too many, however the box lies in the world; friction of all of them takes part in the end."""

    def way(turn):
        R = sl.Rotation.of_vector(turn).matrix
        m = sl.Model(gravity=tuple(-9.81 * R[:, 2]))
        box = m.box(size=(0.2, 0.15, 0.1), mass=1, at=tuple(0.05 * R[:, 2]), velocity=tuple(R[:, 0]), angular_velocity=tuple(10 * R[:, 2]), rotation=sl.Rotation.of_matrix(R))
        m.contact([m.plane(normal=tuple(R[:, 2]))], [box], friction=0.3)
        return np.asarray(m.simulate(0.5, scheme="event_driven")[box.position])[-1] @ R

    assert way(turn) == pytest.approx(way((0, 0, 0)), abs=2e-5)


def test_a_box_that_begins_on_an_edge_tilted_by_a_millionth_slides_on():
    """Its start asked how deep contacts are beside a motion that was not known yet."""
    m = sl.Model()
    box = m.box(size=(0.2, 0.2, 0.2), mass=1, at=(0, 0, 0.1), rotation=(0, 1e-6, 0), velocity=(18, -8, -2.3))
    m.contact([m.plane()], [box], restitution=0.5)
    end = m.simulate(until=0.05)[box.position].last
    assert np.allclose(end[:2], (0.9, -0.4), rtol=0, atol=1e-5) and end[2] > 0.1


@pytest.mark.parametrize("group", [False, True], ids=["pair", "group"])
def test_the_acceleration_of_a_ball_that_bounces_is_that_of_its_weight_at_all_times(group):
    m = sl.Model()
    ball = m.sphere(radius=0.1, mass=1, at=(0, 0, 1.1))
    plane = m.plane()
    m.contact(*(([plane], [ball]) if group else (plane, ball)), restitution=0.8)
    acceleration = m.simulate(1.0)[ball.acceleration.z]
    assert np.allclose(acceleration, -9.81, rtol=0, atol=1e-6)
    assert acceleration.max() == pytest.approx(-9.81, abs=1e-6) and acceleration.min() == pytest.approx(-9.81, abs=1e-6)


def test_accelerations_of_a_pendulum_with_dry_friction_are_of_second_order():
    length, friction = 1.0, 0.5
    m = sl.Model()
    rod = m.rod((0, 0, 0), (length, 0, 0), mass=1)
    hinge = m.revolute(m.ground, rod, at=(0, 0, 0), axis="y", friction=friction)
    result = m.simulate(0.4)
    exact = 3 * (9.81 * 0.5 * np.cos(result[hinge.angle]) - friction)
    assert np.abs(np.asarray(result[rod.angular_acceleration.y]) - exact).max() < 2e-4
