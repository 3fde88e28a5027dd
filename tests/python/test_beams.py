"""Beams of large motion: closed forms, order in the elements, and what stands on a point of them."""

import math

import numpy as np
import pytest

import saltus as sl

SECTION = sl.Section((2e5, 4e4, 5e4, 80.0, 60.0, 150.0))
SLIM = sl.Section((1e6, 1e6, 1e6, 1.0, 1.0, 1.0))  # EI = 1, nearly without stretch and shear


def slope(sizes, errors):
    return float(np.polyfit(np.log(sizes), np.log(errors), 1)[0])


def cantilever(elements, section=SLIM, length=1.0, **keywords):
    m = sl.Model(gravity=(0, 0, 0))
    beam = m.beam((0, 0, 0), (length, 0, 0), section=section, elements=elements, name="beam", **keywords)
    m.fixed(m.ground, beam.start)
    return m, beam


@pytest.mark.parametrize("elements", [3, 8])
@pytest.mark.parametrize("turns", [0.25, 1.0])
def test_an_end_moment_rolls_a_cantilever_up_to_its_circle_with_any_number_of_elements(elements, turns):
    m, beam = cantilever(elements)
    m.torque(beam.end, (0, 0, 2 * math.pi * turns))
    tip = m.static()[beam.end.position].last
    radius = 1 / (2 * math.pi * turns)
    expected = (radius * math.sin(2 * math.pi * turns), radius * (1 - math.cos(2 * math.pi * turns)), 0)
    assert tip == pytest.approx(expected, abs=1e-8)


def test_the_error_falls_with_the_square_of_the_number_of_elements():
    """Tip force of the peer's case: planar boundary value problem, solved to 1e-11."""
    counts = (4, 8, 16, 32)
    errors = []
    for n in counts:
        m, beam = cantilever(n, SECTION, 1.5)
        m.force(beam.end, (0, 150, 0))
        tip = m.static()[beam.end.position].last
        errors.append(np.abs(tip - (1.2199938631240863, 0.7934790664914687, 0)).max())
    assert slope(counts, errors) == pytest.approx(-2, abs=0.1)


def arc(elements, section, radius=100.0, angle=math.pi / 4):
    m = sl.Model(gravity=(0, 0, 0))
    turns = np.linspace(0, angle, elements + 1)
    line = [(radius * math.sin(t), radius * (1 - math.cos(t)), 0) for t in turns]
    beam = m.beam_along(line, section=section, up="z", name="beam")
    m.fixed(m.ground, beam.start)
    return m, beam


def test_the_bend_of_45_degrees_comes_to_the_published_place():
    """Bathe, Bolourchi 1979: 47.2, 15.9, 53.4 with eight straight elements; Simo, Vu-Quoc 1986: 47.23, 15.79, 53.37."""
    section = sl.Section((1e7, 5e6, 5e6, 1e7 / 12, 1e7 / 12, 1e7 / 12))
    tips = []
    for n in (8, 16, 32):
        m, beam = arc(n, section)
        assert beam.length == pytest.approx(25 * math.pi, rel=1e-12)
        m.force(beam.end, (0, 0, 600))
        tips.append(m.static()[beam.end.position].last)
    assert tips[0] == pytest.approx((47.2, 15.8, 53.4), abs=0.3)
    first, second = (np.abs(a - b).max() for a, b in zip(tips, tips[1:], strict=False))
    assert math.log2(first / second) == pytest.approx(2, abs=0.2)


def test_a_load_at_a_point_does_the_work_of_its_place():
    """A force at a share of 0.37: the tip's deflection comes to the closed form F a^2 (3 L - a) / (6 EI), small F, in second order."""
    section = sl.Section((1e8, 1e8, 1e8, 1.0, 1.0, 1.0))
    force, a = 1e-5, 0.37
    errors = []
    counts = (5, 10, 20)
    for n in counts:
        m, beam = cantilever(n, section)
        m.force(beam.at(a), (0, force, 0))
        result = m.static()
        errors.append(abs(result[beam.end.position.y].last / (force * a**2 * (3 - a) / 6) - 1))
    assert slope(counts, errors) == pytest.approx(-2, abs=0.1)


def pinned_at(frame_of, elements):
    """A cantilever held at a share of 0.37 of its length by a ball joint, a spring from there to the ground, and a tip force."""
    m, beam = cantilever(elements, SECTION, 1.5)
    frame = frame_of(beam)
    m.spring(m.ground.frame((0.555, 0.4, 0.3)), frame, stiffness=2000.0, rest_length=0.1)
    m.force(beam.end, (0, 60, 40))
    return m, beam, frame


def test_a_spring_at_a_point_is_as_one_at_a_node():
    """0.37 of the length is no node of 8, 16 or 32 elements, and one of 100."""
    exact_model, beam, _ = pinned_at(lambda beam: beam.at(0.37), 300)
    exact = exact_model.static()[beam.end.position].last
    counts, errors = (8, 16, 32), []
    for n in counts:
        m, beam, _ = pinned_at(lambda beam: beam.at(0.37), n)
        errors.append(np.abs(m.static()[beam.end.position].last - exact).max())
    assert slope(counts, errors) < -1.5


def test_a_joint_at_a_point_holds_it():
    m, beam = cantilever(4, SECTION, 1.5)
    point = beam.at(0.37)
    joint = m.spherical(m.ground, point)
    m.force(beam.end, (0, 60, 40))
    result = m.static()
    assert result[point.position].last == pytest.approx((0.555, 0, 0), abs=1e-10)
    assert result[point.displacement].last == pytest.approx((0, 0, 0), abs=1e-10)
    assert np.linalg.norm(result[joint.force].last) > 60


def clamped_with_ball():
    """A beam clamped at both ends, and a ball 1 mm above a point between its nodes."""
    m = sl.Model()
    section = sl.Section.rectangle(width=0.05, height=0.01, E=2e9, nu=0.3, density=1000)
    beam = m.beam((0, 0, 0), (1, 0, 0), section=section, elements=6, damping=0.02, name="beam")
    m.fixed(m.ground, beam.start), m.fixed(m.ground, beam.end)
    point = beam.at(0.37)
    m.add(sl.items.Sphere(body=point, radius=0.02, name="head"))
    ball = m.sphere(radius=0.05, mass=0.3, at=(0.37, 0, 0.071))
    touch = m.add(sl.items.Contact(A=["head"], B=["sphere_1_shape"], law={"type": "newton_impact"}), name="touch")
    m.prismatic(m.ground, ball, axis="z")
    return m, point, ball, touch


def test_a_ball_falls_onto_a_beam_between_its_nodes():
    """At rest the contact carries the weight."""
    m, point, ball, _ = clamped_with_ball()
    result = m.simulate(0.6, step=1e-3, scheme="moreau_jean")
    assert result["touch.force"][-100:, 2] == pytest.approx(np.full(100, 0.3 * 9.81), rel=2e-3)
    assert result[point.position.z].last == pytest.approx(result[ball.position.z].last - 0.07, abs=1e-7)
    assert result[point.position.z].last == pytest.approx(-2.385201e-3, rel=1e-5)  # of statics


def swinging(scheme, **keywords):
    """A soft beam on a ball joint between two nodes, from rest under its weight."""
    m = sl.Model()
    section = sl.Section((2e3, 1e3, 1e3, 5.0, 5.0, 5.0), 1.0, (0.02, 0.01, 0.01))
    beam = m.beam((0, 0, 0), (1, 0, 0), section=section, elements=4, name="beam")
    point = beam.at(0.37)
    m.spherical(m.ground, point)
    return m.simulate(0.5, scheme=scheme, **keywords), beam, point


def test_a_beam_swings_about_a_joint_at_a_point_alike_in_all_schemes():
    """Accelerations need the point's own at vdot = 0, Newton's method the geometric term: energy, place and path tell."""
    exact, beam, point = swinging("dormand_prince", tolerance=1e-9)
    energy = exact["energy.kinetic"] + exact["energy.potential"]
    assert np.abs(energy - energy[0]).max() < 1e-8
    assert np.abs(exact[point.position] - (0.37, 0, 0)).max() < 1e-12 and np.abs(exact[point.acceleration]).max() < 1e-10
    end = exact[beam.end.position].last
    for scheme in ("generalized_alpha", "moreau_jean"):
        errors = []
        for step in (2e-3, 1e-3):
            result, beam, point = swinging(scheme, step=step)
            assert np.abs(result[point.position] - (0.37, 0, 0)).max() < 1e-8
            errors.append(np.abs(result[beam.end.position].last - end).max())
        assert math.log2(errors[0] / errors[1]) > 1.6 and errors[1] < 1e-4


def slim(elements=10):
    """A slim beam on a hinge that falls from where it is straight: its sections shear at 3e4 Hz, it swings at 1 Hz."""
    m = sl.Model()
    beam = m.beam((0, 0, 1), (1, 0, 1), EI=0.01, EA=1e4, mass_per_length=0.1, elements=elements)
    m.revolute(m.ground, beam.start, at=(0, 0, 1), axis="y")
    return m, beam


def test_a_slim_beam_swings_at_default_settings_in_few_steps_and_right():
    m, beam = slim()
    result = m.simulate(0.5)
    assert result.scheme == "generalized_alpha" and "stiff" in result.report["chosen"]
    assert result.report["steps"] < 6000  # it was 90,000
    times = np.linspace(0.0, 0.5, 26)
    m, same = slim()
    exact = m.simulate(0.5, scheme="generalized_alpha", step=1e-4)  # 4e-7 of dormand_prince with error control
    error = max(np.abs(result.at(t)[beam.end.position] - exact.at(t)[same.end.position]).max() for t in times)
    assert error < 5e-5
    assert np.ptp(result["energy.total"]) < 2e-4 * 0.49  # of its weight times its half length


def test_a_ball_falls_on_the_tip_of_a_steel_beam_at_default_settings():
    """The impact makes all sections shear at once, up to 1.6e5 Hz: the default follows what moves by a thousandth of the motion, and slow vibrations by a millionth."""
    m = sl.Model()
    beam = m.beam((0, 0, 1), (1, 0, 1), EI=170, EA=2e7, mass_per_length=0.78, elements=8)
    m.fixed(m.ground, beam.start)
    tip, ball = m.sphere(radius=0.02, mass=0.01, at=(1, 0, 1)), m.sphere(radius=0.02, mass=0.2, at=(1, 0, 1.2))
    m.fixed(beam.end, tip)
    m.contact(tip, ball, restitution=0.3)
    result = m.simulate(2.0)
    assert result.scheme == "nonsmooth_generalized_alpha" and "bodies bend" in result.report["chosen"]
    assert result.report["steps"] < 35_000
    energy = result["energy.total"]
    assert (energy[1:] - np.minimum.accumulate(energy)[:-1]).max() < 1e-3  # of 0.2 J that the ball brings: impacts and numerical damping lose, nothing gains
    distance = np.linalg.norm(result[ball.position] - result[tip.position], axis=1)
    assert 0.04 - 1e-5 < distance.min() < 0.04 + 1e-5


@pytest.mark.parametrize("keywords", [{"step": 4e-3}, {"step": 1e-4}, {}], ids=["4e-3", "1e-4", "default"])
def test_a_ball_comes_to_rest_on_a_beam_where_the_static_solution_has_it(keywords):
    """The light, stiff elements beside the contact pass on its whole force, however long the step is beside their vibrations (up to 1e5 Hz)."""
    m, point, ball, touch = clamped_with_ball()
    at_rest = m.static()
    result = m.simulate(1.0, scheme="nonsmooth_generalized_alpha", **keywords)
    assert result[point.position.z].last == pytest.approx(at_rest[point.position.z].last, abs=1e-7)
    assert result[touch.force][-1][2] == pytest.approx(0.3 * 9.81, rel=1e-4)
    assert result["energy.total"].last == pytest.approx(at_rest["energy.total"].last, abs=1e-7)
    assert result.report["steps"] < 800 or keywords


@pytest.mark.parametrize("at", [0.37, "end"])
def test_a_shape_stands_at_a_point_or_an_end_of_a_beam(at):
    """It is where its offset says, and carries what rests on it."""
    m = sl.Model()
    beam = m.beam((0, 0, 0), (1, 0, 0), EI=100.0, EA=1e5, mass_per_length=0.3, elements=6, damping=0.02, name="beam")
    m.fixed(m.ground, beam.start)
    on = beam.end if at == "end" else beam.at(at)
    x = 1.0 if at == "end" else at
    head = m.shape("sphere", on, radius=0.02, at=(x, 0, 0.03))
    ball = m.sphere(radius=0.05, mass=0.3, at=(x, 0, 0.1))
    m.prismatic(m.ground, ball, axis="z")
    touch = m.contact([head], [ball], restitution=0.0)
    result = m.simulate(4.0)
    assert result[head.position][0] == pytest.approx((x, 0, 0.03), abs=1e-12)
    assert np.linalg.norm(result[ball.position][-1] - result[head.position][-1]) == pytest.approx(0.07, abs=1e-6)
    assert result[touch.force][-1][2] == pytest.approx(0.3 * 9.81, rel=1e-2)
    with pytest.raises(sl.ModelError, match="expected a body, a frame or m.ground"):
        m.shape("sphere", 3.0, radius=0.1)


@pytest.mark.parametrize("grouped", [False, True], ids=["pairs", "group"])
@pytest.mark.parametrize("keywords, rise", [({"scheme": "moreau_jean", "step": 2e-4}, 5e-3), ({"scheme": "moreau_jean", "step": 1e-3}, 5e-3), ({"scheme": "nonsmooth_generalized_alpha", "step": 1e-3}, 1e-9)])
def test_a_beam_that_falls_flat_on_a_floor_gains_no_energy_as_its_overlap_is_parted(keywords, rise, grouped):
    """Parted alone, the sections at the shapes would strain the beam: by 17 J in pairs at 1e-3 s, where it brings 1.4 J. Lifted as a whole it gains its weight times the overlap."""
    m = sl.Model()
    beam = m.beam((0, 0, 0.3), (1, 0, 0.3), EI=5.0, EA=1e5, mass_per_length=0.5, elements=5, damping=0.005)
    feet = [m.shape("sphere", beam.at(x), radius=0.02) for x in (0.05, 0.35, 0.65, 0.95)]
    if grouped:
        m.contact([m.plane()], feet, friction=0.3)
    else:
        floor = m.plane()
        for foot in feet:
            m.contact(floor, foot, friction=0.3)
    result = m.simulate(0.5, **keywords)
    energy = np.asarray(result["energy.total"])
    assert np.max(energy[1:] - np.minimum.accumulate(energy)[:-1]) < rise
    assert [result[foot.position.z].last for foot in feet] == pytest.approx([0.02] * 4, abs=1e-4)


def test_energy_only_falls_where_a_ball_strikes_the_tip_of_a_damped_beam_at_default_settings():
    """Energies at 0.15, 0.225 and 0.3 s from steps of 2e-5 s of moreau_jean, 3 numbers good to 1e-4 J."""
    m = sl.Model()
    beam = m.beam((0, 0, 0), (1, 0, 0), EI=20.0, EA=1e5, mass_per_length=0.4, elements=6, damping=0.01, name="beam")
    m.fixed(m.ground, beam.start)
    ball = m.sphere(radius=0.05, mass=0.2, at=(1, 0, 0.1), name="ball")
    m.prismatic(m.ground, ball, axis="z")
    m.add(sl.items.Sphere(body=beam.end, radius=0.02), name="head")
    m.add(sl.items.Contact(A=["head"], B=["ball_shape"], law={"type": "newton_impact"}), name="touch")
    result = m.simulate(0.3)
    assert result.scheme == "nonsmooth_generalized_alpha"
    energy = result["energy.total"]
    assert (energy[1:] - np.minimum.accumulate(energy)[:-1]).max() < 1e-4
    assert [result.at(t)["energy.total"] for t in (0.15, 0.225, 0.3)] == pytest.approx([0.1340, 0.1188, 0.1157], abs=2e-4)
    assert result.report["steps"] < 1200


def test_laws_that_the_scheme_for_beams_does_not_take_are_left_to_moreau_jean():
    """A rectifier beside a beam has algebraic unknowns, its potentials."""
    m, _ = slim(elements=2)
    a, b = m.terminal(), m.terminal()
    m.voltage_source(a, m.ground, voltage="sin(6*t)"), m.diode(a, b), m.resistor(b, m.ground, R=10.0), m.capacitor(b, m.ground, C=0.01)
    result = m.simulate(1e-4, step=1e-5)
    assert result.scheme == "moreau_jean" and "bend" not in result.report["chosen"]


@pytest.mark.parametrize("shares", [(0.3, 0.4), (0.2, 0.4), (0.1, 0.9)])
@pytest.mark.parametrize("scheme, keywords", [("dormand_prince", {"tolerance": 1e-7}), ("generalized_alpha", {"step": 2e-3}), ("moreau_jean", {"step": 2e-3})])
def test_a_wire_between_two_points_of_a_beam_keeps_its_length(shares, scheme, keywords):
    """Of one element, of two that share a node, of two apart: unknowns come twice in the wire's row."""
    m = sl.Model()
    beam = m.beam((0, 0, 0), (1, 0, 0), section=sl.Section((2e3, 1e3, 1e3, 5.0, 5.0, 5.0), 1.0, (0.02, 0.01, 0.01)), elements=4, name="beam")
    m.fixed(m.ground, beam.start)
    a, b = (beam.at(s) for s in shares)
    m.distance(a, b, name="wire")
    result = m.simulate(0.2, scheme=scheme, **keywords)
    length = np.linalg.norm(result[a.position] - result[b.position], axis=1)
    assert np.abs(length - length[0]).max() < 1e-8
    assert np.abs(result["wire.force"]).max() > 0.1


def test_two_points_of_a_beam_touch_each_other():
    """A bar pressed until balls on two of its elements meet. Strains e, f of these elements and the force r between the balls are the least of
    EA/2 l (e^2 + f^2) + F l (e + f) with 0.2 e + 0.05 f = -gap, l = 0.25."""
    EA, F, gap = 100.0, 50.0, 0.03
    m = sl.Model(gravity=(0, 0, 0))
    beam = m.beam((0, 0, 0), (1, 0, 0), section=sl.Section((EA, 1e3, 1e3, 1e3, 1e3, 1e3), 1.0, (0.1, 0.1, 0.1)), elements=4, damping=0.05, name="beam")
    m.fixed(m.ground, beam.start)
    for name, share in (("one", 0.3), ("two", 0.55)):
        m.add(sl.items.Sphere(body=beam.at(share), radius=0.5 * (0.25 - gap)), name=name)
    m.add(sl.items.Contact(A=["one", "two"], law={"type": "newton_impact"}), name="touch")
    m.force(beam.end, (-F, 0, 0))
    result = m.simulate(2.0, step=2e-3, scheme="moreau_jean")
    r = np.linalg.solve([[0.25 * EA, 0, -0.2], [0, 0.25 * EA, -0.05], [0.2, 0.05, 0]], [-0.25 * F, -0.25 * F, -gap])[2]
    assert np.mean(result["touch.force"][-100:, 0]) == pytest.approx(r, rel=1e-4)


def test_a_beam_is_drawn_with_its_points(tmp_path):
    m, beam = cantilever(3)
    m.force(beam.at(0.4), (0, 1, 0))
    page = tmp_path / "beam.html"
    m.static().to_html(page)
    assert page.stat().st_size > 1000


def test_energy_stays_over_a_long_free_run():
    """A free slender beam thrown with a spin, its end with a blow: without damping energy swings within the step's error and does not drift."""
    m = sl.Model(gravity=(0, 0, 0))
    section = sl.Section((1e4, 5e3, 5e3, 2.0, 2.0, 2.0), 1.0, (0.02, 0.01, 0.01))
    beam = m.beam((0, 0, 0), (2, 0, 0), section=section, elements=6, velocity=(0.1, 0, 0.3), angular_velocity=(0.5, 2.0, 3.0), name="beam")
    beam.end.set(velocity=(0.5, 2.0, -4.0))
    result = m.simulate(10.0, step=2e-3, scheme=sl.GeneralizedAlpha(spectral_radius=1.0))
    assert result["energy.potential"].max() > 0.5
    energy = (result["energy.kinetic"] + result["energy.potential"]) / (result["energy.kinetic"][0] + result["energy.potential"][0])
    assert np.abs(energy - 1).max() < 1e-2
    assert abs(energy[-1000:].mean() - energy[:1000].mean()) < 1e-3
    momentum = sum((1 if 0 < i < 6 else 0.5) * result[node.velocity] for i, node in enumerate(beam.nodes))
    assert np.abs(momentum - momentum[0]).max() < 1e-9


def test_a_beam_comes_back_from_a_file(tmp_path):
    m, beam, point = pinned_at(lambda beam: beam.at(0.37), 5)
    tip = m.static()[beam.end.position].last
    m.outputs = {"point": point.position.x}
    m.save(tmp_path / "beam.json")
    again = sl.Model.load(tmp_path / "beam.json")
    assert again["beam"].length == pytest.approx(1.5) and len(again["beam"].elements) == 5
    result = again.static()
    assert result[again["beam"].end.position].last == pytest.approx(tip, abs=1e-12)
    assert again["beam"].at(0.5).reference[0] == pytest.approx((0.75, 0, 0))


def test_what_stands_on_a_beam_follows_its_new_place():
    def model(end, elements):
        m = sl.Model(gravity=(0, 0, 0))
        beam = m.beam((0, 0, 0), end, section=SLIM, elements=elements, name="beam")
        m.fixed(m.ground, beam.start)
        m.spherical(m.ground, beam.end, at=beam.end)
        m.force(beam.at(0.3), (0, 1, 0), name="push")
        return m

    m = model((1, 0, 0), 4)
    m["beam"].end = (2, 0, 0)
    m["beam"].elements = 7
    assert m._engine.text() == model((2, 0, 0), 7)._engine.text()


def test_a_point_beyond_the_beam_is_refused():
    _, beam = cantilever(4)
    with pytest.raises(sl.ModelError, match="is 1.2, a share of the length; must be between 0 and 1"):
        beam.at(1.2)
    m = sl.Model()
    m.beam((0, 0, 0), (1, 0, 0), section=SLIM, elements=1, name="beam")
    m.add(sl.items.BeamPoint(beam="beam_1", xi=1.3), name="point")
    faults = m.check()
    assert any("markers/point/xi" in f.path and "is 1.3, must be between 0 and 1" in f.message and f.remedy for f in faults)


def test_sections_carry_the_load():
    """The force is the load's in the axes of the section, the moment that of its arm to the middle of the element."""
    m, beam = cantilever(4, sl.Section((1e6, 1e6, 1e6, 1e4, 1e4, 1e4)))
    m.force(beam.end, (3, 0.1, 0.2))
    result = m.static()
    for i, element in enumerate(beam.elements):
        arm = 1 - (i + 0.5) / 4
        assert result[element.section_force].last == pytest.approx((3, 0.1, 0.2), abs=2e-4)
        assert result[element.section_moment].last == pytest.approx((0, -0.2 * arm, 0.1 * arm), abs=2e-4)
    assert result[beam.elements[0].strain.x].last == pytest.approx(3e-6, rel=1e-4)
    assert result[beam.elements[0].curvature.z].last == pytest.approx(0.1 * 0.875 / 1e4, rel=1e-2)
    with pytest.raises(sl.ModelError, match="'beam_1' has no quantity 'position'; it has section_force, section_moment, strain, curvature"):
        result["beam_1.position"]


def test_a_point_that_stands_on_itself_is_refused():
    m = sl.Model()
    m.add(sl.items.NodeRigid(), name="a"), m.add(sl.items.NodeRigid(position=(1, 0, 0)), name="b")
    m.add(sl.items.Beam(A="point", B="b", stiffness=(1, 1, 1, 1, 1, 1)), name="beam")
    m.add(sl.items.BeamPoint(beam="beam", xi=0.5), name="point")
    assert [(f.path, f.message) for f in m.check()] == [("markers/point", "stands on itself")]


def test_a_point_of_another_body_is_refused():
    m = sl.Model()
    m.sphere(radius=0.1, mass=1, name="ball")
    m.add(sl.items.BeamPoint(beam="ball", xi=0.5), name="point")
    assert any(f.path == "markers/point/beam" and "'ball' is a rigid_body, expected a beam" in f.message for f in m.check())


def test_a_beam_stands_on_bodies_and_on_a_point_of_another():
    """An end turned against its body and beside its centre: at rest nothing is strained; a push at the cross beam's end bends both."""
    m = sl.Model(gravity=(0, 0, 0))
    hub = m.box(size=(0.2, 0.2, 0.2), mass=1)
    m.fixed(m.ground, hub)
    stiff = (1e5, 1e5, 1e5, 10.0, 10.0, 10.0)
    m.add(sl.items.NodeRigid(position=(0, 1.1, 0), rotation=(0, 0, math.pi / 2)), name="tip")
    m.add(sl.items.Beam(A={"body": hub.name, "at": [0, 0.1, 0], "rotation": [0, 0, math.pi / 2]}, B="tip", stiffness=stiff), name="arm")
    m.add(sl.items.BeamPoint(beam="arm", xi=0.5), name="middle")
    m.add(sl.items.NodeRigid(position=(1, 0.6, 0)), name="end")
    m.add(sl.items.Beam(A={"marker": "middle", "rotation": [0, 0, -math.pi / 2]}, B="end", stiffness=stiff), name="cross")
    assert np.abs(m.static()["end.displacement"].last).max() < 1e-12
    m.force("end", (0, 0, 0.1))
    result = m.static()
    # One element each, of constant strain: F / (4 EI) of the cross beam, M / (4 GJ) of the half of the arm that twists, F / (64 EI) where it bends.
    assert result["end.displacement.z"].last == pytest.approx(0.1 / 10 * (1 / 4 + 1 / 4 + 1 / 64), rel=1e-3)


def test_a_beam_across_its_axes_is_refused():
    m = sl.Model()
    m.add(sl.items.NodeRigid(), name="a"), m.add(sl.items.NodeRigid(position=(0, 1, 0)), name="b")
    m.add(sl.items.Beam(A="a", B="b", stiffness=(1, 1, 1, 1, 1, 1)), name="beam")
    assert [f.path for f in m.check()] == ["bodies/beam"]
    with pytest.raises(sl.ModelError, match="the x axes of its ends do not lie along it"):
        m.static()


def test_a_beam_by_EI_and_EA_has_the_stiffness_of_a_round_section():
    E = 3e4
    round_one = sl.Section.circle(radius=1.0, E=E / math.pi, nu=0.3)
    slim = sl.Section.slim(EI=E / 4, EA=E, mass_per_length=0.5)
    assert slim.stiffness == pytest.approx(round_one.stiffness)
    solid = sl.Section.circle(radius=1.0, E=E / math.pi, nu=0.3, density=0.5 / math.pi)
    assert slim.inertia_per_length == pytest.approx(solid.inertia_per_length)


def test_a_section_by_halves_is_refused():
    m = sl.Model()
    for given in ({"EI": 1.0}, {"EA": 1.0}, {"section": SLIM, "EI": 1.0}, {"section": SLIM, "mass_per_length": 1.0}):
        with pytest.raises(sl.ModelError, match="section by halves.*both EI= and EA="):
            m.beam((0, 0, 0), (1, 0, 0), **given)
    for given in ({"EI": -1.0, "EA": 1.0}, {"EI": 1.0, "EA": math.nan}, {"EI": 1.0, "EA": 1.0, "mass_per_length": -1.0}):
        with pytest.raises(sl.ModelError, match="section/"):
            m.beam((0, 0, 0), (1, 0, 0), **given)


def test_the_centre_line_of_a_run_is_kept_over_time_and_drawn(tmp_path):
    m = sl.Model(gravity=(0, 0, 0))
    beam = m.beam((0, 0, 0), (1, 0, 0), EI=1, EA=1e4, mass_per_length=1, elements=4)
    m.fixed(m.ground, beam.start)
    m.force(beam.end, (0, 1e-3, 0))
    result = m.simulate(until=0.01, step=1e-3, scheme="generalized_alpha")
    line = result[beam.centerline]
    assert line.shape == (len(result.time), 5, 3) and line.unit == "m"
    assert np.array_equal(line[:, -1], result[beam.end.position])
    result.plot(beam.centerline, file=tmp_path / "line.png")
    assert (tmp_path / "line.png").stat().st_size > 1000
    with pytest.raises(sl.ModelError, match="lines and quantities over time"):
        result.plot(beam.centerline, beam.end.position)


def test_a_thin_beam_of_many_elements_bends_as_the_elastica_though_newton_passes_states_near_singular():
    from saltus.verification.exudyn.ancf_cable2d_elastica import tip

    assert tip(400, "z") == pytest.approx((0.9315956484455208, -1.5828848531688, -1.447397115018456), abs=2e-5)  # scipy solve_bvp, 1e-11


def spinning_bar(plane, damping=1e-4):
    m = sl.Model(gravity=(0, 0, 0))
    section = sl.Section.rectangle(width=0.02, height=0.02, E=7e10, nu=0.3, density=2700)
    bar = m.beam((0, 0, 0), (1, 0, 0), section=section, elements=6, angular_velocity=(0, 0, 10), velocity=(0, -5, 0), damping=damping)
    if plane:
        m.contact(m.plane(at=(0, 0, -5)), m.shape("sphere", bar.end, radius=0.01))
    return m, bar


@pytest.mark.parametrize("settings", [{}, {"tolerance": 1e-8}], ids=["1e-6", "1e-8"])
def test_a_bar_spins_on_beside_a_plane_that_it_never_meets(settings):
    m, bar = spinning_bar(plane=True)
    result = m.simulate(2.0, **settings)
    energy = result["energy.total"]
    assert abs(energy.last - energy[0]) < 1e-5 * energy[0]
    assert np.allclose(result[bar.end.position].last, (0.5 + 0.5 * np.cos(20), 0.5 * np.sin(20), 0), rtol=0, atol=3e-4)  # a rigid one, but for its stretch


@pytest.mark.parametrize("damping, within", [(1e-2, 1e-3), (3e-2, 3e-3), (1e-1, 1e-3)])
def test_a_damped_bar_that_begins_to_spin_without_strain_spins_on_beside_a_plane(damping, within):
    """Dampers stretch until springs hold it, and steps change often: each that began by the forces of its state alone lost energy, 2 cm of the tip's place after 20 radians and more."""
    m = sl.Model(gravity=(0, 0, 0))
    bar = m.beam((-0.5, 0, 0), (0.5, 0, 0), EI=70e9 * 0.02**4 / 12, EA=70e9 * 4e-4, mass_per_length=1.08, elements=8, damping=damping, angular_velocity=(0, 0, 10))
    m.contact(m.plane(at=(0, 0, -5)), m.sphere(radius=0.1, mass=1, at=(5, 0, -4.9)))
    result = m.simulate(2.0)
    assert result.scheme == "nonsmooth_generalized_alpha"
    assert np.allclose(result[bar.end.position].last, (0.5 * np.cos(20), 10 + 0.5 * np.sin(20), 0), rtol=0, atol=within)  # its middle moves by 5 m/s
    energy = result["energy.total"]
    assert abs(energy.last - energy[0]) < 1e-3 * energy[0]


def test_a_beam_on_two_feet_is_pushed_in_steps_of_its_own_motion():
    """The feet stand: by what they move themselves, the slow motion took steps of 2e-5 s."""
    m = sl.Model()
    bar = m.beam((-0.5, 0, 0.02), (0.5, 0, 0.02), EI=70e9 * 0.02**4 / 12, EA=70e9 * 4e-4, mass_per_length=1.08, elements=8, damping=1e-2)
    feet = [m.sphere(radius=0.02, mass=0.01, at=(x, 0, 0.02)) for x in (-0.5, 0.5)]
    m.fixed(bar.start, feet[0])
    m.fixed(bar.end, feet[1])
    m.contact([m.plane()], feet, friction=0.3)
    m.force(bar.at(0.5), ("0", "0", "-200*(1-cos(3*t))"))
    result = m.simulate(0.5)
    assert result.report["steps"] < 6000
    sag = 200 * (1 - math.cos(1.5)) / (48 * 70e9 * 0.02**4 / 12) + 5 * 1.08 * 9.81 / (384 * 70e9 * 0.02**4 / 12)
    assert result[bar.at(0.5).position.z].last == pytest.approx(0.02 - sag, abs=0.15 * sag)  # dampers lag by 1e-2 s


def test_a_beam_pendulum_moves_as_without_the_wall_that_it_never_meets():
    tips = []
    for wall in (False, True):
        m = sl.Model()
        beam = m.beam((0, 0, 0), (1, 0, 0), EI=20, EA=1e5, mass_per_length=0.5, elements=6, damping=1e-3)
        m.revolute(m.ground, beam.start, axis="y")
        if wall:
            m.contact(m.plane(at=(-50, 0, 0), normal="x"), m.shape("sphere", beam.at(0.95), radius=0.03))
        tips.append(m.simulate(0.45)[beam.end.position].last)
    assert np.allclose(*tips, rtol=0, atol=2e-5)


def spin_of(result, bar):
    """Angular momentum about the z axis through the origin, of masses at the nodes."""
    count = len(bar.nodes) - 1
    shares = [0.5 if i in (0, count) else 1.0 for i in range(count + 1)]
    return sum(share / count * np.cross(result[node.position], result[node.velocity])[:, 2] for share, node in zip(shares, bar.nodes, strict=True))


@pytest.mark.parametrize("damping, settings, within", [(1e-3, {}, 1e-4), (1e-2, {}, 3e-3), (1e-2, {"tolerance": 1e-8}, 1e-5)])
def test_a_bar_that_spins_on_after_an_impact_keeps_its_energy_and_its_spin(damping, settings, within):
    """A ball comes along the axis of the spin, strikes the middle, and flies back: the spin stays, and once the vibrations are damped the energy is that of a rigid bar."""
    m, bar = spinning_bar(plane=False, damping=damping)
    middle = m.shape("sphere", bar.at(0.5), radius=0.01)
    ball = m.sphere(radius=0.05, mass=0.1, at=(0.5, 0, 1), velocity=(0, 0, -10))
    m.contact(middle, ball, restitution=0.5)
    result = m.simulate(1.5, **settings)
    mass, spin = 2700 * 0.02**2, result["energy.total"][0] - 0.1 * 10**2 / 2
    left = result[ball.velocity.z].last
    rigid = spin + (0.1 * (left + 10)) ** 2 / (2 * mass) + 0.1 * left**2 / 2
    assert left > -9 and result["energy.total"].last == pytest.approx(rigid, rel=within)
    spins = spin_of(result, bar)
    assert np.abs(spins / spins[0] - 1).max() < max(1e-3, within)


def swing_of_a_bar(elements, thickness, until):
    """Height of the tip of a rigid square bar of 1 m on a hinge, masses and inertia of its sections at its nodes, that falls from where it lies; by 20,000 steps of Runge-Kutta of fourth order."""
    rate, h = 9.81 / 2 / (1 / 3 + 1 / (6 * elements**2) + thickness**2 / 12), until / 20_000
    y = np.zeros(2)
    slope = lambda y: np.array((y[1], rate * math.cos(y[0])))
    for _ in range(20_000):
        a = slope(y)
        b = slope(y + h / 2 * a)
        c = slope(y + h / 2 * b)
        y = y + h / 6 * (a + 2 * b + 2 * c + slope(y + h * c))
    return -math.sin(y[0])


@pytest.mark.parametrize("settings, within, energy", [({}, 3e-4, 3e-3), ({"tolerance": 1e-8}, 5e-5, 1e-3)], ids=["1e-6", "1e-8"])
@pytest.mark.parametrize("drop", [0.0, 0.05], ids=["rests", "drops"])
@pytest.mark.parametrize("damping", [1e-3, 1e-2])
def test_a_damped_bar_swings_on_as_a_pendulum_once_there_was_a_contact(damping, drop, settings, within, energy):
    """The bar is stiff: it loses nothing. A ball beside it rests on a plane from the start, or falls on it while the bar swings."""
    m = sl.Model()
    bar = m.beam((0, 0, 0), (1, 0, 0), EI=70e9 * 0.02**4 / 12, EA=70e9 * 4e-4, mass_per_length=1.08, elements=8, damping=damping)
    m.revolute(m.ground, bar.start, axis="y")
    m.contact(m.plane(at=(0, 0, -2)), m.sphere(radius=0.1, mass=1, at=(5, 0, -1.9 + drop)))
    result = m.simulate(1.0, **settings)
    assert result.scheme == "nonsmooth_generalized_alpha"
    assert result[bar.end.position.z].last == pytest.approx(swing_of_a_bar(8, 0.02, 1.0), abs=within)
    total = result["energy.total"]
    assert total.last - total[0] == pytest.approx(-9.81 * drop, abs=energy)  # the ball stays where it falls
    assert result.report["steps"] < 3000


def test_a_stiff_damped_pendulum_comes_to_rest_on_a_stop():
    """It failed at the second impact. A rigid one lies there at the height of the stop, with the energy of that place."""
    m = sl.Model()
    bar = m.beam((0, 0, 0), (1, 0, 0), EI=1000, EA=1e5, mass_per_length=0.5, elements=6, damping=1e-2)
    m.revolute(m.ground, bar.start, axis="y")
    m.contact(m.plane(at=(0, 0, -0.5)), m.shape("sphere", bar.end, radius=0.03), restitution=0.5)
    result = m.simulate(1.0)
    assert result[bar.end.position.z].last == pytest.approx(-0.47, abs=1e-6)
    assert result["energy.total"].last == pytest.approx(-0.5 * 9.81 * 0.47 / 2, abs=1e-3)
