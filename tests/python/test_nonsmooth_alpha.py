"""Nonsmooth generalized-alpha on the models of the verification, with joints, contacts and groups."""

import math

import numpy as np
import pytest

import saltus as sl
from saltus.items import CoordinateGap, CoordinateLoad, FirstOrderLinearRelation, FirstOrderSystem, Mass1d, NewtonImpact, Node1d
from saltus.verification.models import coordinates, states
from saltus.verification.truth import block_on_incline, newton_cradle_laws, rocking_block, sphere_slip_to_roll

ALPHA = {"scheme": "nonsmooth_generalized_alpha"}


def stopped_pendulum(joint_stop=True):
    """A rod on a pin that swings against a plane."""
    m = sl.Model(gravity=(0, 0, -9.81))
    rod = m.rod((0, 0, 0), (1, 0, 0), mass=1, name="rod")
    pin = m.revolute(m.ground, rod, at=(0, 0, 0), axis="y", name="pin")
    if joint_stop:
        m.add(sl.items.PlaneGap(name="floor", A={"body": "ground", "at": [0, 0, -0.5]}, B={"body": "rod", "local": [0.5, 0, 0]}, law=NewtonImpact(restitution=0.5)))
    return m, rod, pin


def test_it_is_of_second_order_before_a_stop_and_of_first_through_it():
    m, rod, _ = stopped_pendulum()
    exact = m.simulate(0.6, tolerance=1e-11, scheme="event_driven", record=0.01)
    reference = np.asarray(exact[rod.end.position])
    i, j = 25, 60  # before the impact at 0.268 s, and after it
    errors = []
    steps = [0.6 / n for n in (240, 480, 960, 1920)]
    for step in steps:
        m, rod, _ = stopped_pendulum()
        result = m.simulate(0.6, step=step, record=0.01, **ALPHA)
        place = np.asarray(result[rod.end.position])
        errors.append([np.abs(place[k] - reference[k]).max() for k in (i, j)])
    before, after = np.array(errors).T
    assert np.log2(before[:-1] / before[1:]) == pytest.approx([2, 2, 2], abs=0.2)
    assert after[-1] < 4 * steps[-1]


def test_joints_and_stop_hold_at_position_and_velocity():
    m, rod, pin = stopped_pendulum()
    result = m.simulate(3.0, step=1e-3, **ALPHA)
    assert np.abs(np.asarray(result[rod.start.position])).max() < 1e-10
    assert np.asarray(result[rod.end.position.z]).min() > -0.5 - 1e-9
    assert result[rod.end.position.z].last == pytest.approx(-0.5, abs=1e-9)
    assert result["floor.force.z"].last == pytest.approx(0.5 * 9.81, rel=2e-5)  # half of its weight; forces are those g h^2 below
    assert result[rod.angular_velocity.y].last == pytest.approx(0, abs=1e-10)
    energy = np.asarray(result["energy.total"])
    assert energy[-1] < energy[0]


def test_friction_turns_or_holds_a_block():
    result = block_on_incline.model(0.3).simulate(1.0, step=1e-4, **ALPHA)
    assert result["block.velocity.x"].last == pytest.approx(-1.724041988830414, abs=5e-4)
    result = block_on_incline.model(0.7).simulate(1.0, step=1e-4, **ALPHA)
    assert result["block.position.x"].last == pytest.approx(0.18429788561234875, abs=5e-4)
    assert abs(result["block.velocity.x"].last) < 1e-12
    assert result["foot.force.x"].last == pytest.approx(4.905, abs=1e-8)


def test_a_ball_slides_until_it_rolls():
    result = sphere_slip_to_roll.model(0.4).simulate(0.7, step=1e-4, **ALPHA)
    assert result["body.velocity.x"].last == pytest.approx(2 / 1.4, abs=1e-3)


@pytest.mark.parametrize("e, after", [(1.0, [-1 / 3, 2 / 3, 2 / 3]), (0.5, [0, 0.5, 0.5])])
def test_a_cradle_follows_newton_s_law_at_once(e, after):
    result = newton_cradle_laws.model(3, 1, e, sl.items.NewtonImpact).simulate(1e-3, step=1e-3, **ALPHA)
    np.testing.assert_allclose([result[f"n{i}.rate"].last for i in range(3)], after, atol=1e-12)


def test_a_rocking_block_changes_its_corner():
    result = rocking_block.model().simulate(1.7, step=1e-4, **ALPHA)
    angle = np.asarray(result["n.coordinate"])[:, 2]
    crossed = result.time[np.flatnonzero(angle[1:] * angle[:-1] < 0)]
    np.testing.assert_allclose(crossed, [0.3470935867888813, 0.9509205364776683, 1.487939643105267], atol=5e-3)


def test_groups_of_bodies_meet():
    m = sl.Model(gravity=(0, 0, 0))
    ball = m.sphere(radius=0.1, mass=1, velocity=(1, 0, 0))
    body = m.box(size=(0.2, 0.2, 0.2), mass=2, at=(0.5, 0, 0))
    m.contact([ball], [body], restitution=0.5)
    result = m.simulate(1.0, step=1e-3, **ALPHA)
    assert result[ball.velocity].last == pytest.approx([0, 0, 0], abs=1e-9)
    assert result[body.velocity].last == pytest.approx([0.5, 0, 0], abs=1e-9)
    m = sl.Model()
    cylinder = m.cylinder(radius=0.1, length=0.5, mass=2, at=(1, 0, 0.25))
    stands = m.contact(m.plane(), cylinder, friction=0.5)
    result = m.simulate(0.3, step=1e-3, **ALPHA)
    assert result[stands.force].last == pytest.approx([0, 0, 2 * 9.81], abs=1e-5)
    assert result[cylinder.displacement.norm].max() < 1e-9


def test_it_wants_some_damping():
    m = sl.Model(gravity=(0, 0, 0))
    m.add(Node1d(name="n", coordinate=1.0))
    m.add(Mass1d(name="mass", node="n", mass=1))
    m.add(CoordinateLoad(name="weight", on="n", force=-9.81))
    m.add(CoordinateGap(name="floor", on="n", law=NewtonImpact(restitution=0.9)))
    with pytest.raises(sl.ModelError, match="simulation/scheme/spectral_radius: is 1"):
        m.simulate(1.0, step=1e-3, scheme=sl.NonsmoothGeneralizedAlpha(spectral_radius=1.0))
    assert math.isclose(float(m.simulate(0.4, step=1e-3, **ALPHA)["n.coordinate"].last), 1 - 0.5 * 9.81 * 0.16, rel_tol=1e-9)


def test_circuits_beside_contacts_are_refused_with_what_can():
    m = sl.Model(gravity=(0, 0, 0))
    rod = m.rod((0, 0, 0), (1, 0, 0), mass=1, name="rod")
    shaft = m.revolute(m.ground, rod, at=(0, 0, 0), axis="y", name="shaft")
    a = m.terminal()
    m.voltage_source(a, m.ground, voltage=6)
    m.dc_motor(a, m.ground, shaft, L=1e-2, R=2, k=0.5)
    assert m.simulate(0.1, step=1e-3, **ALPHA).report["status"] == "done"
    m.add(sl.items.PlaneGap(name="floor", A={"body": "ground", "at": [0, 0, -0.2]}, B={"body": "rod", "local": [0.5, 0, 0]}, law=NewtonImpact()))
    with pytest.raises(sl.ModelError, match="algebraic unknowns.*moreau_jean"):
        m.simulate(0.1, step=1e-3, **ALPHA)


@pytest.mark.parametrize("tolerance", [1e-4, 1e-6])
def test_under_error_control_the_error_follows_the_tolerance_at_any_place_and_in_any_unit(tolerance):
    def thrown(off=0.0, size=1.0):
        m = sl.Model(gravity=(0, 0, -9.81 * size))
        plane = m.plane(at=(0, 0, off))
        ball = m.sphere(radius=0.1 * size, mass=1, at=(0, 0, 1.1 * size + off), velocity=(0.5 * size, 0, 0), name="ball")
        m.contact(plane, ball, law={"type": "coulomb_impact", "friction": 0.1, "restitution": 0.8})
        return m

    def ends(off=0.0, size=1.0, **how):
        result = thrown(off, size).simulate(2.0, **how)
        return (np.asarray(result["ball.position"])[-1] - (0, 0, off)) / size

    exact = ends(scheme="event_driven", tolerance=1e-10)
    here = ends(**ALPHA, tolerance=tolerance)
    np.testing.assert_allclose(here, exact, atol=tolerance)
    np.testing.assert_allclose(ends(off=1000.0, **ALPHA, tolerance=tolerance), here, atol=1e-3 * tolerance + 1e-10)
    np.testing.assert_allclose(ends(size=1000.0, **ALPHA, tolerance=tolerance), here, atol=1e-11)


@pytest.mark.parametrize("friction", (0.0, 0.3))
def test_it_is_of_second_order_where_rows_turn_while_they_rub(friction):
    """A point in a ring: v = v0 / (1 + mu v0 t / R). Forces of a step act along the mean of their directions."""

    def errors(step):
        m = sl.Model(gravity=(0, 0, 0))
        a = m.point_mass(mass=1, at=(1, 0, 0), velocity=(0, 2, 0), name="a")
        m.user_relation([m.ground, a], ["1 - sqrt(B_x^2 + B_y^2)", "atan2(B_y, B_x)"], law={"type": "coulomb_impact_2d", "friction": friction})
        m.user_relation([m.ground, a], ["B_z"], law={"type": "equality"})
        r = m.simulate(0.5, step=step, **ALPHA)
        speed, place = np.linalg.norm(np.asarray(r["a.velocity"])[-1]), np.asarray(r["a.position"])[-1]
        angle = math.log(1 + friction) / friction if friction else 1.0
        return abs(speed - 2 / (1 + friction)), abs(math.atan2(place[1], place[0]) - angle)

    coarse, fine = errors(2e-3), errors(1e-3)
    assert fine[0] < 1e-6 and fine[1] < 1e-6
    assert all(math.log2(a / b) > 1.8 for a, b in zip(coarse, fine, strict=True))


@pytest.mark.parametrize("restitution", (0.0, 0.8))
def test_a_contact_that_turns_is_no_impact(restitution):
    """Sliding round a smooth ring keeps its speed and stays on it, whatever the restitution."""
    m = sl.Model(gravity=(0, 0, 0))
    a = m.point_mass(mass=1, at=(1, 0, 0), velocity=(0, 2, 0), name="a")
    m.user_relation([m.ground, a], ["1 - sqrt(B_x^2 + B_y^2)"], law={"type": "newton_impact", "restitution": restitution}, name="ring")
    r = m.simulate(2.0, step=2e-3, **ALPHA)
    assert not [e for e in r.events if e.kind == "impact"]
    assert np.abs(np.linalg.norm(np.asarray(r["a.velocity"]), axis=1) - 2).max() < 1e-6
    assert np.abs(np.linalg.norm(np.asarray(r["a.position"]), axis=1) - 1).max() < 1e-9


@pytest.mark.parametrize("gap", (0.1, 0.3))
def test_long_steps_fly_through_no_ball(gap):
    """Steps double on the way: the ball had its centre beyond the other's at the end of one, where both part."""
    m = sl.Model(gravity=(0, 0, 0))
    first = m.sphere(radius=0.1, mass=1, velocity=(1, 0, 0))
    second = m.sphere(radius=0.1, mass=1, at=(0.2 + gap, 0, 0))
    floor = m.plane(at=(0, 0, -0.1))
    m.contact(floor, first), m.contact(floor, second)
    m.contact(first, second, restitution=1.0)
    m.force(first, ("1e-9*sin(t)", 0, 0))
    result = m.simulate(1.0, scheme="nonsmooth_generalized_alpha")
    assert float(result[first.velocity.x].last) == pytest.approx(0.0, abs=1e-6)
    assert float(result[second.velocity.x].last) == pytest.approx(1.0, abs=1e-6)


def test_a_rod_that_long_steps_bury_is_not_lifted_without_an_impact():
    """It falls on its ends and bounces; moved out of the ground it touched nothing any more. Where it ends is what steps that end at impacts find."""
    m = sl.Model()
    floor = m.plane()
    rod = m.rod((0, 0, 0.02), (0.5, 0, 0.7), mass=1, radius=0.02, velocity=(-2, 0, -1))
    m.contact(floor, rod, friction=0.8, restitution=1.0)
    found, exact = (m.simulate(1.0, scheme=scheme) for scheme in ("nonsmooth_generalized_alpha", "event_driven"))
    assert float(found["energy.total"].last) == pytest.approx(float(exact["energy.total"].last), rel=1e-4)
    np.testing.assert_allclose(np.asarray(found[rod.position])[-1], np.asarray(exact[rod.position])[-1], atol=1e-4)


def thrown(kind, seed, friction, restitution):
    """One body that falls on a plane, turned and turning by chance."""
    rng = np.random.default_rng(seed)
    u = rng.normal(size=3)
    u /= np.linalg.norm(u)
    at, turning = np.array([0.0, 0.0, 0.6]), tuple(3.0 * rng.normal(size=3))
    m = sl.Model()
    plane = m.plane()
    if kind == "rod":
        body = m.rod(tuple(at - 0.2 * u), tuple(at + 0.2 * u), mass=1.0, radius=0.05)
    elif kind == "box":
        body = m.box(size=(0.3, 0.2, 0.1), mass=1.0, at=tuple(at), rotation=sl.Rotation.of_vector(tuple(2.0 * u)), angular_velocity=turning)
    else:
        body = m.cylinder(radius=0.08, length=0.2, mass=1.0, at=tuple(at), axis=tuple(u), angular_velocity=turning)
    m.contact([plane], [body], friction=friction, restitution=restitution)
    return m, body


@pytest.mark.parametrize("kind, seed", [*(("rod", k) for k in (0, 24, 48, 72, 96)), ("cylinder", 3), ("cylinder", 27), ("box", 1), ("box", 25)])
def test_bodies_thrown_by_chance_bounce_without_loss_at_default_settings(kind, seed):
    m, body = thrown(kind, seed, 0.0, 1.0)
    r = m.simulate(3.0, scheme="nonsmooth_generalized_alpha")
    energy = np.asarray(r["energy.total"])
    assert np.ptp(energy) < 1e-5 * energy[0]
    assert sum(event[1] == "impact" for event in r.events) >= 4


@pytest.mark.parametrize("kind, seed, restitution", [("rod", 20, 0.0), ("rod", 32, 0.0), ("rod", 116, 0.0), ("box", 113, 0.5), ("cylinder", 19, 0.5)])
def test_bodies_thrown_by_chance_come_down_and_lose_energy_only(kind, seed, restitution):
    m, body = thrown(kind, seed, 0.3, restitution)
    r = m.simulate(3.0, scheme="nonsmooth_generalized_alpha")
    energy = np.asarray(r["energy.total"])
    assert np.diff(energy).max() < 1e-5 * energy[0] and energy[-1] < 0.9 * energy[0]
    assert np.asarray(r[body.position])[:, 2].min() > 0.05 - 1e-9


def test_bodies_that_rest_do_not_hinder_the_impact_of_another():
    """The ball meets a box that the ground carries: in the smooth step both fall, and only the force of the ground tells them apart."""
    m = sl.Model()
    plane = m.plane()
    boxes = [m.box(size=(0.2, 0.2, 0.2), mass=1.0, at=(0.4 * k, 0.0, 0.1), name=f"box_{k}") for k in range(3)]
    ball = m.sphere(radius=0.1, mass=1.0, at=(0.43, 0.02, 0.8))
    m.contact([plane], boxes, friction=0.3)
    m.contact([*boxes, plane], [ball], friction=0.3, restitution=0.5)
    r = m.simulate(1.0, scheme="nonsmooth_generalized_alpha")
    first = next(event for event in r.events if event[1] == "impact")
    assert first[0] == pytest.approx(math.sqrt(2.0 * 0.5 / 9.81), rel=1e-6)
    speed = np.asarray(r[ball.velocity.z])
    bounce = np.argmax(np.diff(speed))
    assert speed[bounce + 1] == pytest.approx(0.5 * math.sqrt(9.81), rel=2e-6)
    assert len(r.time) < 1000


@pytest.mark.parametrize("tolerance", (1e-6, 1e-8))
@pytest.mark.parametrize(("unit", "shift"), ((1.0, (0, 0, 0)), (1.0, (100, -50, 30)), (1.0, (1e4, 0, 0)), (1e-2, (0, 0, 0)), (1e-2, (1, 2, 3)), (1e-3, (0, 0, 0)), (1e3, (0, 0, 0))))
def test_a_box_that_begins_to_turn_on_its_edge_does_so_anywhere_and_in_any_unit(unit, shift, tolerance):
    # Two corners come down at the first instant. Steps fell to 1e-12 s far from the origin or with small boxes: there their approach counted as rounding of places, with a quaternion as a length of 1 m.
    m = sl.Model(gravity=(0, 0, -9.81 * unit))
    at = np.array((0, 0, 0.05)) * unit + shift
    box = m.box(size=(0.2 * unit, 0.15 * unit, 0.1 * unit), mass=1, at=tuple(at), angular_velocity=(3, 0, 0))
    m.contact([m.plane(at=shift)], [box], friction=0.3, restitution=0.2)
    r = m.simulate(0.3, tolerance=tolerance, **ALPHA)
    assert len(r) < 100
    end = (np.asarray(r[box.position].last) - shift) / unit
    assert end == pytest.approx([0, -3.43e-4, 0.05], abs=1e-4)  # event_driven
    v = np.asarray(r.at(0.008)[box.velocity]) / unit  # in its flight after the first impact
    assert v == pytest.approx([0, -0.0219230769, -5.9538e-4], abs=1e-5)


def test_a_gap_without_a_law_of_impact_is_located_where_the_error_is_controlled():
    m = sl.Model(gravity=(0, 0, 0))
    m.add(sl.items.NodeOde2(name="n", count=1, coordinates=[0.1], velocities=[-0.2]))
    m.add(sl.items.GenericSystem(name="body", node="n", mass_matrix=[[1.0]], force=[-12.0]))
    m.add(sl.items.LinearRelation(name="row", on=[{"node": "n", "coordinate": 0}], matrix=[[1.0]], offset=[0.0], law={"type": "complementarity"}))
    result = m.simulate(0.6, scheme="nonsmooth_generalized_alpha")
    assert abs(result["n.coordinate"].last) < 1e-9 and result["row.multiplier"].last == pytest.approx(12.0, rel=1e-6)
    percussion = [e for e in result.events if e[1] == "percussion"]
    assert percussion[0][0] == pytest.approx((-0.2 + math.sqrt(0.04 + 2.4)) / 12, abs=1e-5) and percussion[0][3] == pytest.approx(math.sqrt(0.04 + 2.4), rel=1e-4)


def damped_slide(**how):
    """Error of the speed of a block that slides with friction and a damper, v' = -mu g - c v."""
    friction, damping, speed, until = 0.1, 2.0, 2.0, 0.5
    m = sl.Model(gravity=(0, 0, -10))
    block = m.point_mass(mass=1, at=(0, 0, 0), velocity=(speed, 0, 0), name="block")
    m.user_relation([block], ["A_z", "A_x", "A_y"], law={"type": "coulomb_impact", "friction": friction})
    m.spring(m.ground.frame(at=(-5, 0, 0)), block, stiffness=0, damping=damping, rest_length=0.0)
    result = m.simulate(until, scheme="nonsmooth_generalized_alpha", record=until, **how)
    rest = 10 * friction / damping
    return abs(result[block.velocity].last[0] - (speed + rest) * np.exp(-damping * until) + rest)


def held_state(**how):
    """Error of x1' = 1 - 2 x0 - x1 beside x0' = -1 >= its stop at 0, from 0.2 and 0.5."""
    m = states((0.2, 0.5))
    m.add(FirstOrderSystem(name="system", node="x", matrix=[[0.0, 0.0], [-2.0, -1.0]], vector=[-1.0, 1.0]))
    m.add(FirstOrderLinearRelation(name="stop", on=coordinates("x", 2), C=[[1.0, 0.0]], B=[[1.0], [0.0]], law={"type": "complementarity"}))
    result = m.simulate(0.6, scheme="nonsmooth_generalized_alpha", record=0.6, **how)
    at_stop = -1 + 1.9 * np.exp(-0.2)
    return abs(np.asarray(result["x.state"])[-1, 1] - 1 - (at_stop - 1) * np.exp(-0.4))


@pytest.mark.parametrize("error", [damped_slide, held_state])
def test_forces_follow_what_contacts_change_of_velocities_and_states(error):
    """A damper on a body that friction brakes, a state beside one that a law holds: of second order, and by the tolerance."""
    coarse, fine = error(step=1e-2), error(step=2.5e-3)
    assert coarse < 1e-4 and fine < coarse / 10
    assert error() < 5e-5


def test_a_damper_passes_friction_on_to_what_does_not_slide():
    """Two masses and the damper between them: what one has of friction reaches the other."""
    friction, damping, until = 0.1, 2.0, 0.5

    m = sl.Model(gravity=(0, 0, -10))
    block = m.point_mass(mass=1, at=(0, 0, 0), velocity=(3, 0, 0), name="block")
    m.user_relation([block], ["A_z", "A_x", "A_y"], law={"type": "coulomb_impact", "friction": friction})
    other = m.point_mass(mass=1, at=(5, 0, 0), velocity=(3, 0, 0), name="other")
    m.user_relation([other], ["A_z"], law={"type": "equality"})
    m.spring(block, other, stiffness=0, damping=damping, rest_length=0.0)
    result = m.simulate(until, scheme="nonsmooth_generalized_alpha", record=until, step=1e-2)
    apart = friction * 10 / (2 * damping) * (1 - np.exp(-2 * damping * until))  # speed between them
    assert result[other.velocity].last[0] == pytest.approx(3 - 0.5 * friction * 10 * until + 0.5 * apart, abs=1e-5)
