"""Statics with contact and friction: thresholds at which things begin to move, forces of piles, loops of sliders, and what has no equilibrium."""

import math

import numpy as np
import pytest

import saltus as sl
from saltus.geometry import rotation_vector
from saltus.items import CoulombImpact2d, NewtonImpact, NodeRigid2d, OrthotropicImpact, PlaneContact2d, PlaneGap, RigidBody
from saltus.verification.truth import masonry_arch_thickness

G = 9.81
STARTS = "no static equilibrium found: nothing balances the loads, the motion that begins: "


def face(normal):
    """Rotation of a planar face: z along its normal, x along it."""
    z = np.array([*normal, 0.0]) / np.hypot(*normal)
    x = np.array([z[1], -z[0], 0.0])
    return rotation_vector(np.column_stack([x, np.cross(z, x), z])).tolist()


def incline(angle, mu, gap=0.0, by_relation=False, far=(0.0, 0.0, 0.0), unit=1.0):
    """A box on a rough plane; gravity leans instead of the plane."""
    m = sl.Model(gravity=(-G * unit * math.sin(angle), 0, -G * unit * math.cos(angle)))
    place = np.array(far) * unit
    floor = m.plane(at=place)
    block = m.box(size=np.array([0.4, 0.3, 0.2]) * unit, mass=2.0, at=place + np.array([0, 0, 0.1 + gap]) * unit, name="block")
    return m, block, m.contact([floor], [block], friction=mu)


@pytest.mark.parametrize("mu", [0.1, 0.5, 1.2])
@pytest.mark.parametrize(("far", "unit"), [((0, 0, 0), 1.0), ((300.0, -700.0, 0), 1.0), ((0, 0, 0), 1000.0)])
def test_a_block_begins_to_slide_at_the_angle_of_friction(mu, far, unit):
    angle = math.atan(mu)
    m, block, contact = incline(angle - 1e-6, mu, far=far, unit=unit)
    rest = m.static()
    assert np.abs(rest[block.displacement].last).max() < 1e-10 * unit
    np.testing.assert_allclose(rest[contact.force].last, [2 * G * unit * math.sin(angle - 1e-6), 0, 2 * G * unit * math.cos(angle - 1e-6)], atol=2e-9 * unit)
    with pytest.raises(sl.RunError, match=STARTS + r"'block' moves along \(-1, 0, 0\)$"):
        incline(angle + 1e-6, mu, far=far, unit=unit)[0].static()


@pytest.mark.filterwarnings("ignore:.*violated at the start")
@pytest.mark.parametrize("gap", [-1e-3, 2e-3])
def test_bodies_come_to_the_contact_from_inside_and_from_above(gap):
    m, block, contact = incline(0.2, 0.5, gap)
    rest = m.static()
    assert rest[block.position.z].last == pytest.approx(0.1, abs=1e-12)
    np.testing.assert_allclose(rest[contact.force].last, [2 * G * math.sin(0.2), 0, 2 * G * math.cos(0.2)], atol=1e-7)


def test_what_falls_farther_than_its_reach_is_said():
    m, block, _ = incline(0.0, 0.5, 0.3)
    with pytest.raises(sl.RunError, match=STARTS + r"'block' moves along \(0, 0, -1\)"):
        m.static()
    assert m.static(reach=2.0)[block.position.z].last == pytest.approx(0.1, abs=1e-12)
    with pytest.raises(sl.ModelError, match="reach.*above 0"):
        m.static(reach=0.0)


def ladder(angle, floor, wall, turn=0.0):
    """2 m long, foot on a rough floor, top at a rough wall; `turn`: the whole world about z."""
    c, s = math.cos(turn), math.sin(turn)
    R = np.array([[c, -s], [s, c]])
    m = sl.Model(gravity=(*(R @ [0, -G]), 0))
    m.add(NodeRigid2d(name="ladder", position=[*(R @ [-math.cos(angle), math.sin(angle)]), 0], angle=angle + turn))
    m.add(RigidBody(name="rungs", node="ladder", mass=10.0, inertia=[3.3, 3.3, 3.3]))
    m.add(PlaneContact2d(name="foot", A={"body": "ground", "at": [0, 0, 0], "rotation": face(R @ [0, 1])}, B={"body": "rungs", "at": [*(R @ [-2 * math.cos(angle), 0]), 0]}, law=CoulombImpact2d(friction=floor)))
    m.add(PlaneContact2d(name="top", A={"body": "ground", "at": [0, 0, 0], "rotation": face(R @ [-1, 0])}, B={"body": "rungs", "at": [*(R @ [0, 2 * math.sin(angle)]), 0]}, law=CoulombImpact2d(friction=wall)))
    return m


@pytest.mark.parametrize("turn", [0.0, 0.7])
@pytest.mark.parametrize(("floor", "wall"), [(0.5, 0.0), (0.3, 0.0), (0.5, 0.4)])
def test_a_ladder_stands_above_its_angle_and_slides_below(floor, wall, turn):
    critical = math.atan((1 - floor * wall) / (2 * floor))
    rest = ladder(critical + 1e-6, floor, wall, turn).static()
    assert np.abs(rest["ladder.displacement"].last).max() < 1e-12
    if wall == 0.0:
        assert rest["foot.force.norm"].last == pytest.approx(10 * G * math.hypot(1, floor), rel=1e-5)
    with pytest.raises(sl.RunError, match=STARTS + "'ladder' moves along .* and turns about"):
        ladder(critical - 1e-6, floor, wall, turn).static()


def wedge(push, angle=0.2, mu=0.15, load=100.0):
    """A wedge without weight under a guided load: pushed in to the left, it lifts."""
    m = sl.Model(gravity=(0, 0, 0), planar=True)
    wedge, block = m.body(mass=1, inertia=1, at=(0, 0), name="wedge"), m.body(mass=1, inertia=1, at=(0, 1), name="load")
    m.prismatic(m.ground, block, axis=(0, 1))
    law = CoulombImpact2d(friction=mu)
    for i, x in enumerate((-0.5, 0.5)):
        m.add(PlaneContact2d(name=f"floor{i}", A={"body": "ground", "at": [0, 0, 0], "rotation": face((0, 1))}, B={"body": "wedge", "at": [x, 0, 0]}, law=law))
    slope = (math.sin(angle) * -1, math.cos(angle))  # rises to the right: pushed to the left it lifts
    m.add(PlaneContact2d(name="slope", A={"body": "wedge", "at": [0, 0.1, 0], "rotation": face(slope)}, B={"body": "load", "at": [0, 0.1, 0]}, law=law))
    m.force(block, (0, -load))
    m.force(wedge, (-push, 0))
    return m


def test_a_wedge_holds_between_the_push_that_lifts_and_the_pull_that_lowers():
    angle, phi = 0.2, math.atan(0.15)
    lifts, lowers = 100 * (math.tan(angle + phi) + math.tan(phi)), 100 * (math.tan(angle - phi) - math.tan(phi))
    assert lowers < 0  # it locks itself
    for push in (lifts - 1e-4, 0.0, lowers + 1e-4):
        assert np.abs(wedge(push).static()["wedge.displacement"].last).max() < 1e-10
    for push, along in ((lifts + 1e-4, "-1"), (lowers - 1e-4, "1")):
        with pytest.raises(sl.RunError, match=STARTS + rf"'wedge' moves along \({along}, 0, 0\); 'load' moves along \(0, -?1, 0\)"):
            wedge(push).static()


@pytest.mark.parametrize("turns", [0, 1])
def test_a_rope_on_a_rough_sheave_holds_up_to_eulers_ratio(turns):
    mu = 0.25
    ratio = math.exp(mu * (math.pi + 2 * math.pi * turns))

    def model(heavy):
        m = sl.Model(gravity=(0, 0, -G))
        sheave = m.sheave(m.ground, radius=0.1, axis="y", at=(0, 0, 0), friction=mu, turns=turns)
        ends = [m.body(mass=mass, inertia=(1, 1, 1), at=(x, 0, -1), name=name) for mass, x, name in ((1.0, -0.1, "light"), (heavy, 0.1, "heavy"))]
        for end in ends:
            m.prismatic(m.ground, end, axis="z")
        m.rope([ends[0], sheave, ends[1]])
        return m

    assert abs(model(ratio * (1 - 1e-6)).static()["heavy.displacement.z"].last) < 1e-10
    with pytest.raises(sl.RunError, match=STARTS + r"'(heavy|light)' moves along"):
        model(ratio * (1 + 1e-6)).static()


@pytest.mark.parametrize(("thickness", "stands"), [(0.1085, True), (0.10753, True), (0.10742, False), (0.1065, False)])
def test_the_round_arch_of_stones_has_its_limit(thickness, stands):
    m = masonry_arch_thickness.model(thickness)
    if stands:
        rest = m.static()
        assert max(np.abs(rest[f"n{i}.displacement"].last).max() for i in range(20)) < 1e-10
        assert rest.report["residual"]["laws"] < 1e-9
    else:
        with pytest.raises(sl.RunError, match=STARTS + r".*turns about \(0, 0, -?1\).* more$"):
            m.static()


def test_an_arch_of_stones_in_space_stands_and_falls():
    def model(thickness):
        m = sl.Model()
        floor = m.plane()
        stones = sl.scenes.arch(m, voussoirs=16, radius=1.0, thickness=thickness, depth=0.3, density=2000.0)
        feet = m.contact([floor], [stones[0], stones[-1]], friction=1.0)
        m.contact(stones, friction=1.0)
        return m, stones, feet

    m, stones, feet = model(0.1085)
    rest = m.static()
    assert rest[feet.force.z].last == pytest.approx(1993.451639032, rel=1e-9)
    assert np.abs(rest[stones[8].displacement].last).max() < 1e-10
    with pytest.raises(sl.RunError, match="the motion that begins"):
        model(0.1065)[0].static()


def test_a_pile_of_three_discs_presses_as_it_must():
    """Two below, one above: each lower disc carries half of it, N = W / (2 cos 30) without friction; held by walls of tan 30 W / 2."""
    m = sl.Model(gravity=(0, -G), planar=True)
    r = 0.1
    discs = [m.sphere(radius=r, mass=1.0, at=at, name=name) for at, name in (((-r, r), "left"), ((r, r), "right"), ((0, r * (1 + math.sqrt(3))), "top"))]
    floor, low, high = m.plane(normal=(0, 1)), m.plane(at=(-2 * r, 0), normal=(1, 0)), m.plane(at=(2 * r, 0), normal=(-1, 0))
    ground, left, right = m.contact([floor], discs), m.contact([low], discs), m.contact([high], discs)
    pair = m.contact(discs[:1], discs[2:])
    m.contact(discs[1:2], discs[2:])
    rest = m.static()
    W = G
    assert rest[ground.force.y].last == pytest.approx(3 * W, rel=1e-10)
    assert rest[left.force.x].last == pytest.approx(0.5 * W * math.tan(math.pi / 6), rel=1e-9)
    assert rest[right.force.x].last == pytest.approx(-0.5 * W * math.tan(math.pi / 6), rel=1e-9)
    assert np.linalg.norm(rest[pair.force].last) == pytest.approx(0.5 * W / math.cos(math.pi / 6), rel=1e-9)


def test_an_elastic_slider_runs_round_its_loop():
    """Jenkin's element, a spring beside a slider that grips at 2 N: x follows the load less 2 N, stays at each reversal until it is 2 N below."""
    m = sl.Model(gravity=(0, 0, 0))
    body = m.body(mass=1.0, inertia=(1, 1, 1), name="b")
    joint = m.prismatic(m.ground, body, axis="x", friction=2.0)
    m.spring(m.ground.frame(at=(-1, 0, 0)), body, stiffness=100.0, rest_length=1.0)
    m.force(body, ("5*sin(t)", 0, 0))
    result = m.simulate(4 * math.pi, step=math.pi / 100, scheme="static")
    t, x = np.asarray(result.time), np.asarray(result[body.position.x])
    expected, last = [], 0.0
    for time in t:
        load = 5 * math.sin(time)
        last = min(max(last, (load - 2) / 100), (load + 2) / 100)
        expected.append(last)
    np.testing.assert_allclose(x, expected, atol=1e-12)
    assert len(t) == 401
    between = result.at(0.5 * (t[:-1] + t[1:]))  # a line, at rest
    np.testing.assert_allclose(between[body.position.x], 0.5 * (x[:-1] + x[1:]), atol=1e-13)
    assert np.abs(np.asarray(between[body.velocity])).max() == 0.0
    area = np.trapezoid(5 * np.sin(t[200:]), x[200:])
    assert area == pytest.approx(4 * 2.0 * 0.03, rel=1e-2)  # 4 F_slip x_most
    assert np.abs(np.asarray(result[joint.friction])).max() <= 2 + 1e-12


def test_a_stop_takes_what_a_soft_spring_leaves():
    """A weight on a spring above a floor without friction: k = 100, stretched by the gap 0.05, the floor carries the rest; a lighter one hangs free."""
    for mass, force in ((1.0, G - 5.0), (0.4, 0.0)):
        m = sl.Model(gravity=(0, 0, -G))
        load = m.body(mass=mass, inertia=(1, 1, 1), at=(0, 0, 0), name="load")
        m.prismatic(m.ground, load, axis="z")
        m.spring(m.ground.frame(at=(0, 0, 1)), load, stiffness=100.0, rest_length=1.0)
        m.add(PlaneGap(name="floor", A={"body": "ground", "at": [0, 0, -0.05]}, B="load", law=NewtonImpact()))
        rest = m.static(reach=10.0)
        assert rest[load.position.z].last == pytest.approx(-min(0.05, mass * G / 100), abs=1e-11)
        assert rest["floor.force.norm"].last == pytest.approx(force, abs=1e-8)


def test_friction_of_a_speed_is_that_of_rest():
    """A block on a slope: the friction of rest holds it, that of sliding would not."""
    for rest, holds in ((0.5, True), (0.35, False)):
        m = sl.Model(gravity=(G * math.sin(0.38), 0, -G * math.cos(0.38)))  # tan 0.4
        box = m.box(size=(0.4, 0.4, 0.1), mass=2, at=(0, 0, 0.05), name="box")
        m.contact([m.plane()], [box], law={"type": "stribeck_impact", "friction_sliding": 0.2, "friction_at_rest": rest, "speed": 0.1})
        if holds:
            assert abs(m.static()["box.position.x"].last) < 1e-9
        else:
            with pytest.raises(sl.RunError, match="the motion that begins: 'box' moves along"):
                m.static()


def test_orthotropic_friction_holds_by_its_coefficient_along_each_direction():
    for along, holds in (((1, 0), False), ((0, 1), True)):
        m = sl.Model(gravity=(0.3 * G * along[0], 0.3 * G * along[1], -G))
        box = m.box(size=(0.4, 0.4, 0.1), mass=2, at=(0, 0, 0.05), name="box")
        m.contact([m.plane()], [box], law=OrthotropicImpact(friction_1=0.2, friction_2=0.4))
        if holds:
            assert np.abs(m.static()["box.position"].last[:2]).max() < 1e-9
        else:
            with pytest.raises(sl.RunError, match="the motion that begins"):
                m.static()


def test_parts_of_a_load_lead_to_the_path_of_a_load_that_grows():
    """A weight laid on a sprung block that rubs: with parts it creeps up to where the load in time takes it, and one part is the deformation theory."""

    def sprung(force):
        m = sl.Model(gravity=(0, 0, -G))
        box = m.box(size=(0.4, 0.4, 0.1), mass=2, at=(0, 0, 0.05), name="box")
        m.contact([m.plane()], [box], friction=0.3)
        m.spring(m.ground.frame(at=(-1, 0, 0.05)), box, stiffness=200.0, rest_length=1.0)
        m.force(box, (force, 0, 0))
        return m

    exact = (20.0 - 0.3 * 2 * G) / 200.0
    assert sprung(20.0).static(load_steps=5)["box.position.x"].last == pytest.approx(exact, abs=1e-9)
    in_time = sprung("20*t").simulate(1.0, step=0.2, scheme="static")["box.position.x"].last
    assert sprung("20*t").static(load_steps=5)["box.position.x"].last == pytest.approx(in_time, abs=1e-9)


def test_a_static_pile_survives_saving(tmp_path):
    m, block, contact = incline(0.2, 0.5)
    rest = m.static()
    m.save(tmp_path / "m.json")
    again = sl.Model.load(tmp_path / "m.json").static()
    np.testing.assert_array_equal(rest[contact.force].last, again[f"{contact.name}.force"].last)


def test_a_ladder_does_not_slip_under_a_man_who_walks_on_it():
    """Whatever the number of load steps: what a drive moves must not push at what touches."""
    import importlib

    gallery = importlib.import_module("saltus.gallery.ladder")
    highest = 2.8869734859
    for step in (None, 0.5, 0.05):
        way = {} if step is None else {"step": step}
        for climbs in (0.5, 0.999 * highest):
            rest = gallery.model(climbs).simulate(1.0, scheme="static", **way)
            assert np.abs(rest["ladder.displacement"].last).max() < 1e-10
            assert rest["foot.force.x"].last == pytest.approx((6 * G + 20 * G * climbs) / math.sqrt(3), rel=1e-9)
    with pytest.raises(sl.RunError, match="at t = 0.9.*" + STARTS + ".*'ladder' moves along"):
        gallery.model(1.01 * highest).simulate(1.0, step=0.05, scheme="static")


def test_the_problems_of_an_arch_are_solved_far_from_their_budget(tmp_path):
    """Each takes about a fortieth: where it is all that there is, another compiler's rounding ends the run."""
    pytest.importorskip("h5py")
    from saltus.gallery import arch_at_rest
    from saltus.numerics.files import read_problem

    result = arch_at_rest.model().simulate(until=1.0, dump=tmp_path)
    assert len(result.report["dumped"]) >= 10
    for file in result.report["dumped"]:
        problem = read_problem(file).problem
        budget = 50_000_000 + 1_000_000 * len(problem.b)  # of RowProblem::solve
        solution = problem.solve(tolerance=1e-10, flop_budget=budget)
        assert solution.solved and solution.flops < budget / 8
