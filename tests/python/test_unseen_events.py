"""Events that a step could pass unseen: slip that turns round, two impacts in one step, forces of a period that the step is a multiple of."""

from __future__ import annotations

import math

import numpy as np
import pytest

import saltus as sl

SCHEMES = ["moreau_jean", "event_driven", "nonsmooth_generalized_alpha"]


def rubbed(force, limit, until, table=lambda t: 0.0, steps=400_000):
    """Way of a unit mass that dry friction of `limit` [N] holds on a table of given speed, by small steps that end in rest where they would pass it."""
    h, v, x = until / steps, 0.0, 0.0
    for k in range(steps):
        t = (k + 0.5) * h
        free, there = v + h * force(t), table(t)
        new = there if abs(free - there) <= h * limit else free - h * limit * math.copysign(1.0, free - there)
        x, v = x + 0.5 * h * (v + new), new
    return x


@pytest.mark.parametrize("tolerance", [None, 1e-8])
@pytest.mark.parametrize("scheme", ["auto", "event_driven"])
def test_a_block_on_a_shaken_table_turns_its_slip_round(scheme, tolerance):
    """The slip changes its direction within steps that friction, constant as it is, lets grow: 9 cm beside the way, at any tolerance."""
    m = sl.Model()
    table = m.box(size=(2, 2, 0.1), mass=1, at=(0, 0, -0.05))
    m.prismatic(m.ground, table, axis="x", position="0.1*sin(10*t)")
    block = m.box(size=(0.2, 0.2, 0.2), mass=1, at=(0, 0, 0.1))
    m.contact([table], [block], friction=0.3)
    x = float(m.simulate(1.0, scheme=scheme, tolerance=tolerance)[block.position.x].last)
    assert x == pytest.approx(rubbed(lambda t: 0.0, 0.3 * 9.81, 1.0, lambda t: math.cos(10 * t)), abs=2e-5)


@pytest.mark.parametrize("force", ["3*t", "3+3*sin(20*t)", "6*sin(10*t)"])
@pytest.mark.parametrize("scheme", ["moreau_jean", "event_driven"])
def test_a_push_that_passes_friction_in_part_of_its_period_moves_a_cube(scheme, force):
    m = sl.Model()
    cube = m.box(size=(0.2, 0.2, 0.2), mass=1, at=(0, 0, 0.1))
    m.contact([m.plane()], [cube], friction=0.5)
    m.force(cube, (force, 0, 0))
    x = float(m.simulate(2.0, scheme=scheme)[cube.position.x].last)
    assert x == pytest.approx(rubbed(lambda t: eval(force, {"t": t, "sin": math.sin}), 0.5 * 9.81, 2.0), abs=2e-5)


@pytest.mark.parametrize("until", [9.7, 10.0])
@pytest.mark.parametrize("by", ["walls", "limits"])
@pytest.mark.parametrize("scheme", ["auto", *SCHEMES])
def test_what_flies_between_two_walls_goes_on_for_ever(scheme, by, until):
    """With restitution 1 and no forces a step of two impacts came back to where it began, and so on to the end."""
    m = sl.Model(gravity=(0, 0, 0))
    if by == "walls":
        body = m.sphere(radius=0.1, mass=1, velocity=(1, 0, 0))
        m.contact([m.plane(at=(0.2, 0, 0), normal="-x"), m.plane(at=(-0.2, 0, 0), normal="x")], [body], restitution=1)
    else:
        body = m.box(size=(0.1, 0.1, 0.1), mass=1, velocity=(1, 0, 0))
        m.prismatic(m.ground, body, axis="x", limits=(-0.1, 0.1), restitution=1)
    r = m.simulate(until, scheme=scheme)
    way = (until + 0.1) % 0.4
    truth = way - 0.1 if way < 0.2 else 0.3 - way
    assert float(r[body.position.x].last) == pytest.approx(truth, abs=2e-4)
    assert abs(float(r[body.velocity.x].last)) == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("tolerance", [1e-6, 1e-8])
@pytest.mark.parametrize("scheme", ["moreau_jean", "event_driven"])
def test_impacts_one_after_the_other_keep_the_energy_however_near_they_are(scheme, tolerance):
    """Ball b reaches ball a just before or after a reaches the wall. What bounced was closed for the next impact: the energy went to 0.5 or 1.8 of what it was."""
    for off in (0.0, 1e-9, -1e-9, 1e-7, -1e-7, 1e-5, -1e-5, 1e-3):
        m = sl.Model(gravity=(0, 0, 0))
        a = m.sphere(radius=0.1, mass=1, at=(-0.3, 0, 0), velocity=(-1 / 3, 0, 0))
        b = m.sphere(radius=0.1, mass=2, at=(off, 0, 0), velocity=(-2 / 3, 0, 0))
        m.contact([m.plane(at=(-0.5, 0, 0), normal="x")], [a, b], restitution=1)
        m.contact([a, b], restitution=1)
        energy = np.asarray(m.simulate(0.5, scheme=scheme, tolerance=tolerance)["energy.kinetic"])
        assert energy == pytest.approx(energy[0], rel=1e-9)


@pytest.mark.parametrize("turn", [(0, 0, 0), (0.3, 0.7, -1.1), (1.0, 0, 0)])
def test_what_hangs_at_rest_at_a_stop_takes_few_steps_in_any_direction(turn):
    """The force of the stop is zero, and turned in space rounding: steps followed it, 26,000 in 0.3 s."""
    R = np.eye(3) if not any(turn) else rodrigues(np.array(turn, float))
    m = sl.Model(gravity=tuple(R @ (0, 0, -9.81)))
    thigh = m.rod((0, 0, 0), tuple(R @ (0, 0, -1)), mass=1)
    shank = m.rod(tuple(R @ (0, 0, -1)), tuple(R @ (0, 0, -2)), mass=1)
    m.revolute(m.ground, thigh, at=(0, 0, 0), axis=tuple(R @ (0, 1, 0)))
    m.revolute(thigh, shank, at=tuple(R @ (0, 0, -1)), axis=tuple(R @ (0, 1, 0)), limits=(0, 2), restitution=0.5)
    r = m.simulate(0.3)
    assert len(r.time) < 50 and float(r["energy.kinetic"].max()) < 1e-20


@pytest.mark.parametrize("speed, friction", [((1, 0, 0), (0.4, 0.2)), ((0, 1, 0), (0.2, 0.4)), ((0, 1, 0), (0.4, 0.4)), ((-1, 0, 0), (0.4, 0.3))])
def test_what_solvers_leave_is_no_motion_that_the_next_step_must_follow(speed, friction):
    """Elliptic friction is solved to 1e-9 in some directions: the turning that was left at the end of a step stood against the next one, 4,397 steps."""
    m = sl.Model()
    b = m.box(size=(0.2, 0.2, 0.2), mass=1, at=(0, 0, 0.1), velocity=speed)
    m.contact(m.plane(), b, law=sl.items.OrthotropicImpact(friction_1=friction[0], friction_2=friction[1]))
    r = m.simulate(0.2)
    assert float(r[b.displacement.norm].last) == pytest.approx(0.2 - 0.5 * 0.4 * 9.81 * 0.2**2, rel=1e-6) and len(r) < 50


def hold(m, b, kind, friction, R):
    """A unit mass that dry friction of 10 `friction` [N] holds along x, turned by R: of a joint, of a contact, or of a contact between groups."""
    along, up = tuple(R @ (1, 0, 0)), tuple(R @ (0, 0, 1))
    if kind == "joint":
        m.prismatic(m.ground, b, axis=along, friction=10 * friction)
    else:
        p = m.plane(normal=up)
        m.contact(*(([p], [b]) if kind == "group" else (p, b)), friction=friction)


def turned_box(R, gravity, speed=0.0):
    m = sl.Model(gravity=tuple(R @ gravity))
    return m, m.box(size=(0.1, 0.1, 0.1), mass=1, at=tuple(R @ (0, 0, 0.05)), velocity=tuple(R @ (speed, 0, 0)), rotation=sl.Rotation.of_matrix(R))


HELD_BY = ["joint", "relation", "group"]
TURNS = [(0, 0, 0), (0.3, 0.7, -1.1)]


def turn_of(turn):
    return rodrigues(np.array(turn, float)) if any(turn) else np.eye(3)


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("kind", HELD_BY)
@pytest.mark.parametrize("until, part, sensor", [(30, 0.93, None), (30, 0.98, None), (1, 0.95, None), (30, 0.9514532, 0.15965989), (1, 0.75, 0.2)])
def test_a_force_that_passes_friction_at_the_end_of_a_step_moves_what_it_held(kind, until, part, sensor, turn):
    """In the last quarter of a step the means of the force over its halves are below friction still: of four corners some may have all of theirs."""
    R, a, s = turn_of(turn), 3 / (part * until), until - part * until
    m, b = turned_box(R, (0, 0, -10))
    hold(m, b, kind, 0.3, R)
    m.force(b, tuple(f"{float(x)!r}*t" for x in a * R[:, 0]))
    if sensor:
        m.sensor(b.position.x, period=sensor)
    r = m.simulate(until)
    assert np.linalg.norm(r[b.velocity].last) == pytest.approx(a * s**2 / 2, rel=1e-4)
    assert np.linalg.norm(r[b.displacement].last) == pytest.approx(a * s**3 / 6, rel=2e-4)


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("tolerance", [1e-3, None, 1e-8])
@pytest.mark.parametrize("kind", HELD_BY)
def test_friction_that_turns_round_soon_behind_a_sample_is_seen(kind, tolerance, turn):
    """What slid before a sample was forgotten, so that a turn in the first quarter of the step behind it was none: 15 mm beside the way."""
    R = turn_of(turn)
    for sensor in (0.04, 0.06, 0.019, 0.0499, 0.2499):
        m, b = turned_box(R, (-3, 0, -10), 1.0)
        hold(m, b, kind, 0.1, R)
        m.sensor(b.position.x, period=sensor)
        x = float(np.asarray(m.simulate(1.0, tolerance=tolerance)[b.displacement].last) @ R[:, 0])
        assert x == pytest.approx(1 / 8 - 0.75**2, abs=max(0.5 * (tolerance or 1e-6), 1e-7))


@pytest.mark.parametrize("tolerance", [None, 1e-8, 1e-10])
@pytest.mark.parametrize("group", [False, True])
@pytest.mark.parametrize("law", ["adhesive", "cohesive"])
def test_a_bond_lets_go_when_the_pull_is_as_large_as_it_can_bear(law, group, tolerance):
    """A pull of 20 t: the bond gave way at the end of a step, or not before its gap was a billionth of the model; one that breaks by damage 12 ms late, its force 0."""
    t0, until = (9.81 + 5) / 20, 1.0 if tolerance != 1e-10 else 0.76
    s = until - t0
    m = sl.Model()
    p, b = m.plane(), m.sphere(radius=0.1, mass=1, at=(0, 0, 0.1))
    m.force(b, (0, 0, "20*t"))
    bond = sl.items.AdhesiveImpact(adhesion=5.0) if law == "adhesive" else sl.items.CohesiveImpact(strength=5.0, opening=0.1)
    c = m.contact([p] if group else p, [b] if group else b, law=bond)
    r = m.simulate(until, tolerance=tolerance)
    # Open, the pull of damage is 5 (1 - z / 0.1): z'' = 50 z + 20 s.
    w = math.sqrt(50)
    z = 20 * s**3 / 6 + 5 * s * s / 2 if law == "adhesive" else 20 / w**2 * (math.sinh(w * s) / w - s)
    assert float(r[b.displacement.z].last) == pytest.approx(z, rel=1e-4 if tolerance is None else 2e-5)
    if law == "cohesive":
        gap, force = np.asarray(r[b.displacement.z]), np.asarray(r[c.force.z])
        assert force[gap > 1e-5] == pytest.approx(-5 * (1 - gap[gap > 1e-5] / 0.1), abs=6e-2)  # of groups the mean of a half step


def rodrigues(w):
    angle = np.linalg.norm(w)
    K = np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]]) / angle
    return np.eye(3) + math.sin(angle) * K + (1 - math.cos(angle)) * K @ K


def lowest_corner(result, body, edge):
    """Least height that a corner of a cube takes, at the recorded times [m]."""
    corners = 0.5 * edge * np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    w, x, y, z = np.asarray(result[body.quaternion]).T
    down = np.stack((2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)), axis=1)  # the third row of the rotation
    return float((np.asarray(result[body.position])[:, 2] + (down @ corners.T).min(axis=1)).min())


@pytest.mark.parametrize("scheme", ["auto", "event_driven", "nonsmooth_generalized_alpha"])
@pytest.mark.parametrize("spin", [1, 5, 100])
def test_a_corner_that_dips_into_the_floor_and_out_again_is_seen(scheme, spin):
    """A cube spins along a floor, its centre at 7 cm, its edges at 7.07 cm; free flight lets steps grow to turns and more."""
    m = sl.Model(gravity=(0, 0, 0))
    cube = m.box(size=(0.1, 0.1, 0.1), mass=1, at=(0, 0, 0.07), velocity=(1, 0, 0), angular_velocity=(0, spin, 0))
    m.contact([m.plane()], [cube], restitution=0.5, friction=0.3)
    result = m.simulate(1.0, scheme=scheme, record=0.01 / spin)
    assert lowest_corner(result, cube, 0.1) > -2e-5
