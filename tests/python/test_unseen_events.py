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
