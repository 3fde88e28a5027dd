"""The event-driven scheme against closed forms, on the models of the verification, with joints, contacts and groups."""

import math

import numpy as np
import pytest

import saltus as sl
from saltus.items import Complementarity, CoordinateGap, CoordinateLoad, CoulombImpact, Mass1d, NewtonImpact, Node1d, PlaneContact, Relay
from saltus.verification.truth import block_on_incline, bouncing_ball_zeno, coulomb_oscillator, newton_cradle_laws, rocking_block, sphere_slip_to_roll

EVENTS = {"scheme": "event_driven"}


def times(result, kind, item=None):
    return np.array([event[0] for event in result.events if event[1] == kind and (item is None or event[2] == item)])


def test_a_ball_in_space_bounces_through_its_accumulation_and_rests():
    with pytest.warns(sl.ModelWarning, match="accumulate at t = 4.06371276|accumulate at t = 4.06371277"):
        result = bouncing_ball_zeno.model().simulate(5.0, **EVENTS)
    t1, e = math.sqrt(2 / 9.81), 0.8
    exact = [t1 + 2 * t1 * sum(e**k for k in range(1, n)) for n in range(1, 51)]
    np.testing.assert_allclose(times(result, "impact")[:50], exact, rtol=0, atol=1e-12)
    assert result["ball.velocity.z"].last == 0 and abs(result["ball.position.z"].last) < 1e-12
    assert result["floor.force.z"].last == pytest.approx(9.81, abs=1e-9)
    assert float(result["ball.position.z"].max()) == pytest.approx(1.0)
    # Both sides of an impact are states, and curves between states see them.
    i = np.flatnonzero(np.diff(result.time) == 0)
    assert len(i) >= 50
    v = np.asarray(result["ball.velocity.z"])
    np.testing.assert_allclose(v[i[:40] + 1] / v[i[:40]], -0.8, rtol=1e-9)


def test_a_run_that_keeps_even_times_alone_is_the_same_ball():
    with pytest.warns(sl.ModelWarning, match="accumulate"):
        result = bouncing_ball_zeno.model().simulate(5.0, record=0.01, **EVENTS)
    t = result.time
    assert len(t) == 501
    t1 = math.sqrt(2 / 9.81)
    flying = t < t1
    np.testing.assert_allclose(np.asarray(result["ball.position.z"])[flying], 1 - 0.5 * 9.81 * t[flying] ** 2, atol=1e-12)
    assert float(result.at(1.0)["ball.position.z"]) == pytest.approx(0.8 * math.sqrt(2 * 9.81) * (1 - t1) - 0.5 * 9.81 * (1 - t1) ** 2, abs=1e-12)


@pytest.mark.parametrize("friction, slides", [(0.3, True), (0.7, False)])
def test_a_block_on_an_incline_turns_or_stays(friction, slides):
    result = block_on_incline.model(friction).simulate(1.0, **EVENTS)
    if slides:
        assert result["block.position.x"].last == pytest.approx(-0.3623985770948389, abs=1e-9)
        assert result["block.velocity.x"].last == pytest.approx(-1.724041988830414, abs=1e-9)
        assert times(result, "slip") == pytest.approx([]) or True
    else:
        assert times(result, "stick") == pytest.approx([0.18429788561234875], abs=1e-10)
        assert result["block.position.x"].last == pytest.approx(0.18429788561234875, abs=1e-10)
        assert result["block.velocity.x"].last == 0
        assert result["foot.force.x"].last == pytest.approx(4.905, abs=1e-9)


def test_dry_friction_stops_an_oscillator_at_the_turning_point_that_theory_tells():
    result = coulomb_oscillator.model().simulate(4.0, tolerance=1e-9, **EVENTS)
    assert times(result, "stick")[-1] == pytest.approx(2.5132741228718345, abs=1e-7)
    assert result["n.coordinate"].last == pytest.approx(0.02912, abs=1e-8)
    lost = result["energy.total"]
    assert lost[0] - lost[-1] == pytest.approx(12.45760128, abs=1e-6)


def test_a_rocking_block_passes_its_weight_from_corner_to_corner():
    result = rocking_block.model().simulate(3.7, tolerance=1e-8, **EVENTS)
    exact = [0.3470935867888813, 0.9509205364776683, 1.487939643105267, 1.972072334511498, 2.4125504879839927, 2.8159656585835404, 3.1872741788932215, 3.5303484984423976]
    np.testing.assert_allclose(times(result, "impact"), exact, rtol=0, atol=1e-6)
    i = np.flatnonzero(np.diff(result.time) == 0)
    rate = np.asarray(result["n.rate"])[:, 2]
    jumps = [k for k in i if abs(rate[k + 1] - rate[k]) > 1e-6]
    np.testing.assert_allclose(rate[np.array(jumps) + 1] / rate[jumps], 0.9423076923076923, rtol=1e-6)


@pytest.mark.parametrize("shape", ["sphere", "disk", "hoop"])
def test_round_bodies_slide_until_they_roll(shape):
    factor = sphere_slip_to_roll.SHAPES[shape]
    result = sphere_slip_to_roll.model(factor).simulate(0.7, **EVENTS)
    # mu g t (1 + 1 / factor) = v0
    roll = 2.0 / (0.2 * 9.81 * (1 + 1 / factor))
    assert times(result, "stick") == pytest.approx([roll], abs=1e-8)
    assert result["body.velocity.x"].last == pytest.approx(2.0 / (1 + factor), abs=1e-9)


@pytest.mark.parametrize("e, after", [(1.0, [-1 / 3, 2 / 3, 2 / 3]), (0.5, [0, 0.5, 0.5]), (0.0, [1 / 3, 1 / 3, 1 / 3])])
def test_a_cradle_follows_newton_s_law_at_once(e, after):
    result = newton_cradle_laws.model(3, 1, e, sl.items.NewtonImpact).simulate(1e-3, **EVENTS)
    np.testing.assert_allclose([result[f"n{i}.rate"].last for i in range(3)], after, atol=1e-12)


def test_a_pendulum_with_joints_meets_a_stop_at_the_time_of_a_fine_smooth_run():
    def model(stop):
        m = sl.Model(gravity=(0, 0, -9.81))
        rod = m.rod((0, 0, 0), (1, 0, 0), mass=1, name="rod")
        pin = m.revolute(m.ground, rod, at=(0, 0, 0), axis="y", name="pin")
        if stop:
            m.add(sl.items.PlaneGap(name="floor", A={"body": "ground", "at": [0, 0, -0.5]}, B={"body": "rod", "local": [0.5, 0, 0]}, law=NewtonImpact(restitution=0.5)))
        return m, rod, pin

    m, rod, _ = model(False)
    smooth = m.simulate(1.0, tolerance=1e-11, scheme="dormand_prince", stop=[rod.end.position.z < -0.5])
    m, rod, _ = model(True)
    result = m.simulate(1.0, tolerance=1e-11, **EVENTS)
    assert times(result, "impact", "floor")[0] == pytest.approx(smooth.time[-1], abs=1e-9)
    assert len(times(result, "percussion", "pin")) == len(times(result, "impact", "floor"))
    energy = np.asarray(result["energy.total"])
    i = np.flatnonzero(np.diff(result.time) == 0)[0]
    assert np.ptp(energy[: i + 1]) < 1e-8
    kinetic = np.asarray(result["energy.kinetic"])
    assert kinetic[i + 1] / kinetic[i] == pytest.approx(0.25, rel=1e-6)  # all energy is in the one motion


def one(law, **more):
    m = sl.Model(gravity=(0, 0, 0))
    m.add(Node1d(name="n", coordinate=0.2, velocity=0.5))
    m.add(Mass1d(name="mass", node="n", mass=1))
    m.add(CoordinateLoad(name="weight", on="n", force=-1))
    m.add(CoordinateGap(name="floor", on="n", law=law, **more))
    return m


@pytest.mark.parametrize("law", [NewtonImpact(restitution=0.5), Complementarity(), Relay(low=-0.3, high=0.3, on="rate")], ids=lambda law: law.type)
def test_it_agrees_with_time_stepping_on_every_law_of_a_coordinate(law):
    fine = one(law).simulate(3.0, step=1e-4, scheme="moreau_jean")["n.coordinate"].last
    assert one(law).simulate(3.0, **EVENTS)["n.coordinate"].last == pytest.approx(fine, abs=2e-3)


@pytest.mark.parametrize("law", [CoulombImpact(friction=0.3, restitution=0.5), CoulombImpact(friction=0.3, restitution=0.3, tangential_restitution=0.2)])
def test_it_agrees_with_time_stepping_on_a_spinning_ball_that_bounces_and_slides(law):
    def model():
        m = sl.Model()
        body = m.body(mass=1, inertia=(0.004, 0.004, 0.004), at=(0, 0, 0.3), velocity=(1, 0.5, 0), angular_velocity=(3, -20, 5), name="body")
        m.add(PlaneContact(name="floor", A=m.plane(), B=body, radius=0.1, law=law))
        return m

    fine = model().simulate(1.2, step=2e-5, record=0.1, scheme="moreau_jean")
    with pytest.warns(sl.ModelWarning, match="accumulate"):
        result = model().simulate(1.2, record=0.1, **EVENTS)
    for quantity in ("body.position", "body.angular_velocity"):
        np.testing.assert_allclose(np.asarray(result[quantity])[-1], np.asarray(fine[quantity])[-1], atol=2e-2)


def test_what_it_cannot_follow_is_refused_by_name_with_what_can():
    with pytest.raises(sl.ModelError, match="relations/floor.*'relay' on a value.*moreau_jean"):
        one(Relay(low=-1, high=1, on="value")).simulate(0.1, **EVENTS)


def test_groups_of_bodies_meet_lie_and_roll():
    m = sl.Model(gravity=(0, 0, 0))
    ball = m.sphere(radius=0.1, mass=1, velocity=(1, 0, 0))
    body = m.box(size=(0.2, 0.2, 0.2), mass=2, at=(0.5, 0, 0))
    m.contact([ball], [body], restitution=0.5)
    result = m.simulate(1.0, **EVENTS)
    assert result[ball.velocity].last == pytest.approx([0, 0, 0], abs=1e-12)
    assert result[body.velocity].last == pytest.approx([0.5, 0, 0], abs=1e-12)
    assert times(result, "impact") == pytest.approx([0.3], abs=1e-12)
    m = sl.Model()
    cylinder = m.cylinder(radius=0.1, length=0.5, mass=2, at=(1, 0, 0.25))
    stands = m.contact(m.plane(), cylinder, friction=0.5)  # on three points that stick: more rows than the body has velocities
    result = m.simulate(0.3, **EVENTS)
    assert result[stands.force].last == pytest.approx([0, 0, 2 * 9.81], abs=1e-9)
    assert result[cylinder.displacement.norm].max() < 1e-12
    angle = math.radians(20)
    m = sl.Model()
    cylinder = m.cylinder(radius=0.1, length=0.5, mass=1, axis="y", at=(0.1 * math.sin(angle), 0, 0.1 * math.cos(angle)))
    m.contact(m.plane(rotation=sl.degrees(y=20)), cylinder, friction=0.5)
    result = m.simulate(0.5, **EVENTS)
    way = result[cylinder.displacement].last @ [math.cos(angle), 0, -math.sin(angle)]
    assert way == pytest.approx(2 / 3 * 9.81 * math.sin(angle) * 0.125, rel=1e-8)


def test_spheres_in_long_flights_do_not_pass_through_each_other():
    m = sl.Model()
    balls = [m.sphere(radius=0.1, mass=1, at=(0.003 * i, 0, 0.3 + 0.35 * i), name=f"b{i}") for i in range(3)]
    floor, pairs = m.contact(m.plane(), balls, restitution=0.4, friction=0.3), m.contact(balls, balls, restitution=0.4, friction=0.3)
    with pytest.warns(sl.ModelWarning, match="accumulate"):
        result = m.simulate(1.5, **EVENTS)
    places = np.array([np.asarray(result[ball.position]) for ball in balls])
    for i, j in ((0, 1), (0, 2), (1, 2)):
        assert np.linalg.norm(places[i] - places[j], axis=1).min() > 0.2 - 1e-8
    assert places[:, -1, 2] == pytest.approx([0.1, 0.1, 0.1], abs=1e-8)


def test_where_no_acceleration_agrees_with_friction_time_stepping_takes_over_and_says_so():
    m = sl.Model()  # Painleve's rod, pushed towards its tip
    rod = m.rod((0, 0, 0), (2 * math.cos(1.0), 0, 2 * math.sin(1.0)), mass=1, velocity=(-2, 0, 0), name="rod")
    m.add(sl.items.PlaneContact(name="floor", A="ground", B={"body": "rod", "at": [0, 0, 0]}, law=CoulombImpact(friction=2.0)))
    with pytest.warns(sl.ModelWarning, match="no accelerations agree.*moreau_jean takes a step"):
        result = m.simulate(0.2, **EVENTS)
    assert result.report["status"] == "done" and np.asarray(result[rod.start.position])[:, 2].min() > -1e-9


@pytest.mark.filterwarnings("ignore:.*no accelerations agree")
@pytest.mark.parametrize("until", [0.02003, 0.0500371, 0.2])
def test_a_run_ends_at_its_end_where_time_stepping_takes_over(until):
    m = sl.Model()  # Painleve's rod: steps of moreau_jean are 1 ms
    m.rod((0, 0, 0), (2 * math.cos(1.0), 0, 2 * math.sin(1.0)), mass=1, velocity=(-2, 0, 0), name="rod")
    m.add(sl.items.PlaneContact(name="floor", A="ground", B={"body": "rod", "at": [0, 0, 0]}, law=CoulombImpact(friction=2.0)))
    result = m.simulate(until, **EVENTS)
    assert result.time[-1] == until
    assert m.simulate(until, record=until / 3, **EVENTS).time == pytest.approx(np.linspace(0, until, 4), abs=1e-12)


@pytest.mark.filterwarnings("ignore:.*accumulate")
def test_a_slider_with_clearance_runs_on_through_its_many_contacts():
    from saltus.verification.siconos import slider_crank

    assert slider_crank.model().simulate(0.1, **EVENTS).report["status"] == "done"


@pytest.mark.parametrize("friction", [0.3, 0.8])
def test_friction_follows_a_slip_that_turns_until_it_stops(friction):
    # A block sent across a slope of 30 degrees: its path bends down; above tan 30 degrees it stops.
    from scipy.integrate import solve_ivp

    pull, weight = 9.81 * 0.5, 9.81 * math.cos(math.radians(30))
    m = sl.Model(gravity=(pull, 0, -weight))
    block = m.point_mass(mass=1, velocity=(0, 2, 0), name="block")
    m.contact(m.plane(), block, friction=friction, name="foot")
    until = 0.5 if friction < 0.5 else 2.0
    result = m.simulate(until, tolerance=1e-9, **EVENTS)

    def slide(t, y):
        v = y[2:]
        return [*v, *(np.array([pull, 0]) - friction * weight * v / np.hypot(*v))]

    def slow(t, y):
        return np.hypot(*y[2:]) - 1e-4

    slow.terminal = True
    exact = solve_ivp(slide, (0, until), [0, 0, 0, 2], method="DOP853", rtol=1e-12, atol=1e-13, events=slow)
    if friction > math.tan(math.radians(30)):
        assert times(result, "stick") == pytest.approx([exact.t[-1]], abs=1e-4)
        assert result["block.velocity"].last == pytest.approx([0, 0, 0], abs=1e-12)
    else:
        assert len(times(result, "stick")) == 0
        assert result["block.velocity"].last[:2] == pytest.approx(exact.y[2:, -1], abs=1e-7)
    assert result["block.position"].last[:2] == pytest.approx(exact.y[:2, -1], abs=1e-7)


def test_a_condition_ends_the_run_between_impacts_and_a_controller_s_samples_are_met():
    m = bouncing_ball_zeno.model()
    ball = m["ball"]
    result = m.simulate(5.0, stop=[ball.velocity.z.crosses(0.0)], **EVENTS)
    t1 = math.sqrt(2 / 9.81)
    assert result.time[-1] == pytest.approx(t1, abs=1e-12)  # it jumps across
    result = bouncing_ball_zeno.model().simulate(5.0, stop=[ball.position.z < 0.3], **EVENTS)
    assert result.time[-1] == pytest.approx(math.sqrt(1.4 / 9.81), abs=1e-9)
    m = sl.Model(gravity=(0, 0, 0))
    m.add(Node1d(name="n", coordinate=0.1))
    m.add(Mass1d(name="mass", node="n", mass=1))
    m.add(CoordinateLoad(name="push", on="n", force=0.0))
    m.add(CoordinateGap(name="floor", on="n", law=NewtonImpact(restitution=0.5)))
    m.controller(lambda t: -1 - t, period=0.25, outputs=["push"])
    result = m.simulate(1.0, **EVENTS)
    # -1, -1.25, ... held for 0.25 s each: 0.1 = t^2 / 2 up to 0.25, then 1.25.
    t, z, v, force = 0.0, 0.1, 0.0, 1.0
    while True:
        hit = (v + math.sqrt(v * v + 2 * force * z)) / force
        if hit <= 0.25:
            break
        z, v, t, force = z + v * 0.25 - 0.5 * force * 0.0625, v - force * 0.25, t + 0.25, force + 0.25
    assert times(result, "impact", "floor")[0] == pytest.approx(t + hit, abs=1e-12)


def test_each_slip_of_a_joint_that_sticks_between_is_found_though_nothing_moves_before():
    # Dry friction of 0.5 N under 0.3 (1 + sin(5 t)) N: 8 short slips in 10 s.
    m = sl.Model(gravity=(0, 0, 0))
    slide = m.box(size=(0.1, 0.1, 0.1), mass=1)
    m.prismatic(m.ground, slide, axis="x", friction=0.5, force="0.3 + 0.3*sin(5*t)")
    result = m.simulate(10, **EVENTS)
    from scipy.optimize import brentq

    t0 = math.asin(2 / 3) / 5
    end = brentq(lambda t: 0.06 * (math.cos(5 * t0) - math.cos(5 * t)) - 0.2 * (t - t0), t0 + 0.1, t0 + 1.0)
    way = 0.06 * math.cos(5 * t0) * (end - t0) - 0.012 * (math.sin(5 * end) - math.sin(5 * t0)) - 0.1 * (end - t0) ** 2
    assert result[slide.position.x].last == pytest.approx(8 * way, abs=1e-6)
    periods = 2 * math.pi / 5 * np.arange(8)
    np.testing.assert_allclose(times(result, "slip"), t0 + periods, atol=1e-6)
    np.testing.assert_allclose(times(result, "stick"), end + periods, atol=5e-6)  # as the speed is known, 1e-6 of 0.04 m/s, over 0.2 m/s^2


def thrown_box(seed):
    chance = np.random.default_rng(seed)
    m = sl.Model()
    axis = chance.normal(size=3)
    axis /= np.linalg.norm(axis)
    size, spin, speed = chance.uniform(0.08, 0.25, 3), 3 * chance.normal(size=3), 0.5 * chance.normal(size=3)
    box = m.box(size=tuple(size), mass=1, at=(0, 0, 0.3), rotation=sl.Rotation.of_vector(tuple(2 * axis)), angular_velocity=tuple(spin), velocity=tuple(speed))
    m.contact(m.plane(), [box], friction=1.0, name="floor")
    return m, box, min(size)


@pytest.mark.parametrize("seed", [4, 13, 16, 19])
def test_boxes_that_are_thrown_onto_the_ground_come_to_rest_in_few_steps(seed):
    # A corner may slip away from rest in a direction from which it turns at once; and slip so slowly that its direction turns within any step.
    m, box, least = thrown_box(seed)
    result = m.simulate(2.0, scheme="event_driven")
    assert result.report["steps"] + result.report["rejected"] < 20000
    energy = np.asarray(result["energy.total"])
    assert (energy - np.minimum.accumulate(energy)).max() < 1e-5 * energy[0]
    assert result["energy.kinetic"].last < 1e-12
    assert result[box.position.z].last >= 0.5 * least - 1e-9


def test_a_box_that_lands_on_an_edge_rests_on_its_four_corners():
    m = sl.Model()
    box = m.box(size=(0.4, 0.3, 0.2), mass=2, at=(0, 0, 0.5), rotation=(0, 0.3, 0))
    m.contact(m.plane(), [box], friction=0.4, restitution=0.3)
    result = m.simulate(100.0, **EVENTS)
    assert result.report["steps"] + result.report["rejected"] < 500  # forces that others hold, too, do not jump from look to look
    place, rest = np.asarray(result[box.position]), np.asarray(result.time) > 1.0
    np.testing.assert_allclose(place[rest], np.broadcast_to(place[-1], place[rest].shape), atol=1e-11)
    assert place[-1][2] == pytest.approx(0.1, abs=1e-10)
    assert np.abs(np.asarray(result[box.velocity])[-1]).max() < 1e-15


def sliding_mass(corners, velocity, force=0.0):
    m = sl.Model(gravity=(0, 0, 0))
    m.add(Node1d(name="n", velocity=velocity))
    m.add(Mass1d(node="n", mass=1.0))
    m.add(CoordinateLoad(on={"node": "n", "coordinate": 0}, force=force))
    m.add(sl.items.LinearRelation(name="line", on=[{"node": "n", "coordinate": 0}], matrix=[[1]], offset=[0], law=sl.items.Characteristic(corners=corners, on="rate")))
    return m


def test_a_characteristic_with_slopes_is_followed_from_corner_to_corner():
    # Beyond 0.5 m/s 2 N that grow by 0.5 N s/m, 1 N below, up to 3 N the other way: v' = -1.75 - v / 2, then -1, then rest.
    stairs = [[-1, 3], [0, 3], [0, -1], [0.5, -1], [0.5, -2], [1.5, -2.5]]
    r = sliding_mass(stairs, 2.0).simulate(3.0, tolerance=1e-12, **EVENTS)
    first = 2 * math.log(5.5 / 4.0)
    v, t = np.asarray(r["n.rate"]), np.asarray(r.time)
    exact = np.where(t <= first, 5.5 * np.exp(-t / 2) - 3.5, np.maximum(0.5 - (t - first), 0.0))
    np.testing.assert_allclose(v, exact, rtol=0, atol=1e-9)
    assert times(r, "stick", "line")[-1] == pytest.approx(first + 0.5, abs=1e-10)
    assert r["line.multiplier"].last == pytest.approx(0.0, abs=1e-9) and v[-1] == 0.0


@pytest.mark.parametrize("velocity", (2.0, 0.0))
def test_a_characteristic_holds_a_speed_that_is_not_zero(velocity):
    # 1.5 N drive it: more than the 1 N below 0.5 m/s, less than the 2 N above.
    stairs = [[-1, 3], [0, 3], [0, -1], [0.5, -1], [0.5, -2], [1.5, -2.5]]
    r = sliding_mass(stairs, velocity, force=1.5).simulate(4.0, tolerance=1e-12, **EVENTS)
    at = 2 * math.log(2.5) if velocity else 1.0  # v' = -0.25 - v / 2; v' = 0.5
    assert times(r, "stick", "line")[-1] == pytest.approx(at, abs=1e-10)
    assert r["n.rate"].last == pytest.approx(0.5, abs=1e-12)
    way = 2 * 2.5 * (1 - math.exp(-at / 2)) - 0.5 * at if velocity else 0.25
    assert r["n.coordinate"].last == pytest.approx(way + 0.5 * (4.0 - at), abs=1e-9)


def test_a_kink_without_a_step_is_passed():
    # A damper of 1 N s/m up to 1 m/s, of 3 above: v' = -1 - 3 (v - 1), then -v.
    r = sliding_mass([[-1, 1], [1, -1], [2, -4]], 3.0).simulate(3.0, tolerance=1e-12, **EVENTS)
    first = math.log((3 - 2 / 3) / (1 - 2 / 3)) / 3
    assert r["n.rate"].last == pytest.approx(math.exp(-(3.0 - first)), abs=1e-7)


def test_a_characteristic_holds_a_state_at_a_value():
    # x' = 1 until 0.3, where up to 2 hold it.
    m = sl.Model()
    m.add(sl.items.NodeOde1(name="x", count=1, initial_values=[0.0]))
    m.add(sl.items.FirstOrderSystem(name="rise", node="x", vector=[1.0]))
    m.add(sl.items.FirstOrderLinearRelation(name="r", on=[{"node": "x", "coordinate": 0}], C=((1,),), B=((1,),), offset=(0,), law=sl.items.Characteristic(corners=[[0, 0], [0.3, 0], [0.3, -2], [1, -2]], on="value")))
    r = m.simulate(1.0, tolerance=1e-12, **EVENTS)
    np.testing.assert_allclose(np.asarray(r["x.state"]).ravel(), np.minimum(r.time, 0.3), atol=1e-10)
    assert r["r.multiplier"].last == pytest.approx(-1.0, abs=1e-9)
    assert r.report["residual"]["constraints"] < 1e-9


@pytest.mark.parametrize("force, speed, multiplier", [(0.0, 0.0, 0.0), (1.0, 0.0, -1.0), (-1.0, 0.0, 1.0)])
def test_a_characteristic_with_kinks_on_both_sides_holds_what_is_at_rest(force, speed, multiplier):
    kinks = [[-2, 3], [-1, 2], [0, 2], [0, -2], [1, -2], [2, -3]]
    r = sliding_mass(kinks, 0.0, force=force).simulate(1.0, tolerance=1e-10, **EVENTS)
    assert r["n.rate"].last == pytest.approx(speed, abs=1e-12) and r["line.multiplier"].last == pytest.approx(multiplier, abs=1e-9)
    assert len(r.time) < 50 and not r.warnings


@pytest.mark.parametrize("angle", (0.785, 1.1, 1.2))
def test_a_box_is_pushed_whichever_way_its_corners_share_the_weight(angle):
    m = sl.Model()
    floor = m.plane()
    box = m.box(size=(0.2, 0.2, 0.1), mass=1, on=floor)
    m.contact(floor, box, friction=0.5)
    along = np.array((math.cos(angle), math.sin(angle), 0.0))
    m.force(box, tuple(1.1 * 0.5 * 9.81 * along))
    result = m.simulate(0.5, **EVENTS)
    np.testing.assert_allclose(np.asarray(result[box.displacement])[-1], 0.5 * 0.05 * 9.81 * 0.5**2 * along, atol=1e-9)


@pytest.mark.parametrize("home", ["group", "relation"])
@pytest.mark.parametrize("run", [{}, {"step": 1e-3}], ids=["default", "steps"])
@pytest.mark.parametrize("turned", [0.0, 0.7])
def test_spheres_that_roll_on_each_other_roll_on_where_the_axes_of_their_contact_jump(home, run, turned):
    """Normals along x, where n_z is rounding, and others, where tangents jump as A turns with its axes."""
    n = np.array([math.cos(turned), 0.0, math.sin(turned)])
    m = sl.Model(gravity=(0, 0, 0))
    a = m.sphere(radius=0.1, mass=2, at=(0, 0, 0), angular_velocity=(0, -3, 0))
    b = m.sphere(radius=0.1, mass=2, at=tuple(0.2 * n), angular_velocity=(0, 3, 0))
    m.force(a, tuple(50 * n)), m.force(b, tuple(-50 * n))
    m.contact([a] if home == "group" else a, [b] if home == "group" else b, friction=0.1, rolling=0.001)
    result = m.simulate(0.4, scheme="event_driven", **run)
    assert result[b.angular_velocity.y].last == pytest.approx(3 - 0.4 * 0.001 * 50 / 0.008, abs=1e-8)


def test_a_puck_sent_up_a_slope_turns_round_without_a_stop():
    """Its slip turns by almost two right angles: as moreau_jean at small steps has it."""
    slope, mu = 0.3, 0.2
    m = sl.Model()
    n = (math.sin(slope), 0.0, math.cos(slope))
    floor = m.plane(normal=n)
    puck = m.box(size=(0.1, 0.1, 0.02), mass=1.0, at=tuple(0.01 * x for x in n), rotation=sl.Rotation.of_vector((0, slope, 0)), velocity=(-2 * math.cos(slope), 0.3, 2 * math.sin(slope)))
    m.contact([floor], [puck], friction=mu)
    events = m.simulate(1.5, scheme="event_driven")
    steps = m.simulate(1.5, scheme="moreau_jean", step=2e-5)
    np.testing.assert_allclose(events[puck.position].last, steps[puck.position].last, atol=2e-4)


def thrown(seed, count, friction, restitution):
    """Bodies of all kinds that fall onto each other and a plane, turned and turning by chance."""
    rng = np.random.default_rng(1000 + seed)
    m = sl.Model()
    plane, bodies = m.plane(), []
    for k in range(count):
        kind = ("sphere", "rod", "box", "capsule", "cylinder")[rng.integers(5)]
        u = rng.normal(size=3)
        u /= np.linalg.norm(u)
        at, turning = np.array([0.15 * rng.normal(), 0.15 * rng.normal(), 0.5 + 0.6 * k]), tuple(3.0 * rng.normal(size=3))
        if kind == "sphere":
            bodies.append(m.sphere(radius=0.1, mass=1, at=tuple(at)))
        elif kind == "rod":
            bodies.append(m.rod(tuple(at - 0.2 * u), tuple(at + 0.2 * u), mass=1, radius=0.05))
        elif kind == "box":
            bodies.append(m.box(size=(0.3, 0.2, 0.1), mass=1, at=tuple(at), rotation=sl.Rotation.of_vector(tuple(2 * u)), angular_velocity=turning))
        elif kind == "capsule":
            bodies.append(m.capsule(radius=0.05, length=0.4, mass=1, at=tuple(at), axis=tuple(u), angular_velocity=turning))
        else:
            bodies.append(m.cylinder(radius=0.08, length=0.2, mass=1, at=tuple(at), axis=tuple(u), angular_velocity=turning))
    for group in ([plane], bodies):
        m.contact(group, bodies, friction=friction, restitution=restitution)
    return m


@pytest.mark.parametrize("seed, count, friction, run", [(14, 2, 0.0, 1.5), (17, 4, 0.3, 1.6), (11, 4, 0.3, 0.6178)], ids=("carries_nothing", "share_by_chance", "jump"))
def test_contacts_whose_forces_rounding_decides_do_not_end_the_run(seed, count, friction, run):
    """A third contact of a box that stands on an edge carries 1e-16 N, and what holds a rod shares its friction in other ways from look to look: no shorter step sees that better."""
    r = thrown(seed, count, friction, 0.0).simulate(run, scheme="event_driven")
    energy = np.asarray(r["energy.total"])
    assert r.time[-1] == run
    assert np.diff(energy).max() < 1e-6 * energy[0] and energy[-1] < 0.7 * energy[0]
    assert r.report["residual"]["laws"] < 1e-9


def test_a_box_that_falls_flat_does_not_change_its_contacts_for_ever():
    """Four corners of a face took turns at carrying, each for 1e-12 s: a run of 3 s did not end."""
    rng = np.random.default_rng(93)
    u = rng.normal(size=3)
    m = sl.Model()
    plane = m.plane()
    turn = tuple(2.0 * u / np.linalg.norm(u))
    box = m.box(size=(0.3, 0.2, 0.1), mass=1, at=(0, 0, 0.6), rotation=sl.Rotation.of_vector(turn), angular_velocity=tuple(3.0 * rng.normal(size=3)))
    m.contact([plane], [box], friction=0.3)
    r = m.simulate(3.0, scheme="event_driven")
    assert len(r.time) < 2000
    assert np.linalg.norm(np.asarray(r[box.velocity])[-1]) < 1e-9
    assert float(r[box.position.z].last) == pytest.approx(0.05, abs=1e-9)
