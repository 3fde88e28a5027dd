"""What happens between the two ends of a step: at default settings free motion makes steps long, and nothing of it may be stepped over."""

from __future__ import annotations

import math

import numpy as np
import pytest

import saltus as sl

DEFAULT = [{}, {"scheme": "bogacki_shampine"}, {"scheme": "generalized_alpha"}]


def on_rail(**mass):
    m = sl.Model(gravity=(0, 0, 0))
    body = m.point_mass(mass=1, **mass)
    m.generic(m.ground, body, locked=("y", "z"))
    return m, body


@pytest.mark.parametrize("settings", DEFAULT)
@pytest.mark.parametrize("stiffness", [4e3, 1e6])
@pytest.mark.parametrize("length, start", [(1.0, 0.6), (1e-3, 0.6e-3)])
def test_a_bumper_throws_back_what_meets_it(settings, stiffness, length, start):
    m, body = on_rail(at=(start, 0, 0), velocity=(-length, 0, 0))
    m.spring(m.ground, body, stiffness=stiffness, rest_length=0.1 * length, only="compression")
    r = m.simulate(1.0, **settings)
    contact = math.pi / math.sqrt(stiffness)
    tolerance = 1e-4 if settings.get("scheme") != "generalized_alpha" else 1e-2
    assert float(r[body.velocity.x].last) == pytest.approx(length, rel=tolerance)
    assert float(r[body.position.x].last) == pytest.approx(length * (0.1 + 0.5 - contact), rel=tolerance)


def test_a_rope_catches_what_falls():
    m = sl.Model()
    body = m.point_mass(mass=1, at=(0, 0, -0.1))
    m.spring(m.ground, body, stiffness=1e5, rest_length=1, only="tension")
    r = m.simulate(2.0)
    stretch = (9.81 + math.sqrt(9.81**2 + 2 * 1e5 * 9.81 * 0.9)) / 1e5
    assert float(r[body.position.z].min()) == pytest.approx(-1 - stretch, rel=1e-4)
    assert float(r["energy.total"].last) == pytest.approx(float(r["energy.total"][0]), rel=2e-3)


@pytest.mark.parametrize("apart", [1.0, 3.0, 5.0, 20.0])
@pytest.mark.parametrize("stiffness", [1e5, 1e7])
def test_a_ball_gives_its_speed_to_another_through_a_stiff_contact(apart, stiffness):
    m = sl.Model(gravity=(0, 0, 0))
    a, b = m.sphere(radius=0.1, mass=1, velocity=(1, 0, 0)), m.sphere(radius=0.1, mass=1, at=(apart, 0, 0))
    m.contact(a, b, stiffness=stiffness)
    r = m.simulate(2 * apart)
    assert [float(r[body.velocity.x].last) for body in (a, b)] == pytest.approx([0, 1], abs=1e-4)


@pytest.mark.parametrize("stiffness", [1e6, 1e7, 1e9])
def test_a_ball_on_a_stiff_floor_bounces_to_where_it_fell_from(stiffness):
    m = sl.Model()
    ball = m.sphere(radius=0.1, mass=1, at=(0, 0, 2.1))
    m.contact(m.plane(), ball, stiffness=stiffness, exponent=1.5)
    energy = m.simulate(2.0)["energy.total"]
    assert float(energy.last) == pytest.approx(float(energy[0]), rel=1e-3)


def test_a_formula_with_branches_acts_between_the_times_at_which_a_scheme_asks():
    m, body = on_rail(at=(1, 0, 0), velocity=(-1, 0, 0))
    other = m.point_mass(mass=1e9)
    m.spring(other, body, force="if(L < 0.01, -1e5*(0.01 - L), 0)")
    assert float(m.simulate(2.0)[body.velocity.x].last) == pytest.approx(1.0, rel=1e-4)


@pytest.mark.parametrize("scheme", ["auto", "event_driven"])
@pytest.mark.parametrize("frequency, until", [(3, 1.2), (3, 2.0), (1, 3.0)])
def test_a_bond_breaks_at_its_force_while_nothing_moves(scheme, frequency, until):
    m = sl.Model()
    body = m.box(size=(0.1, 0.1, 0.1), mass=1)
    m.bond(m.ground, body, force_limit=20.0)
    m.force(body, (0, 0, f"-15*sin({frequency}*t)"))
    start, w = math.asin((20 - 9.81) / 15) / frequency, frequency
    t = until - start
    fall = 0.5 * 9.81 * t**2 + 15 / w * (t * math.cos(w * start) - (math.sin(w * until) - math.sin(w * start)) / w)
    assert float(m.simulate(until, scheme=scheme)[body.position.z].last) == pytest.approx(-fall, rel=1e-4)


@pytest.mark.parametrize("scheme", ["auto", "event_driven"])
def test_a_stop_condition_on_a_force_is_met_while_nothing_moves(scheme):
    m = sl.Model()
    body = m.box(size=(0.1, 0.1, 0.1), mass=1)
    joint = m.fixed(m.ground, body)
    m.force(body, (0, 0, "-15*sin(3*t)"))
    r = m.simulate(2.0, stop=joint.force.norm > 20.0, scheme=scheme)
    assert r.time[-1] == pytest.approx(math.asin((20 - 9.81) / 15) / 3, abs=1e-9)


@pytest.mark.parametrize("scheme", ["auto", "event_driven"])
@pytest.mark.parametrize("until", [0.5, 2.0, 10.0])
def test_a_body_goes_where_it_leaves_its_region(scheme, until):
    m = sl.Model()
    ball = m.sphere(radius=0.1, mass=1)
    m.sphere(radius=0.1, mass=1, at=(1, 0, 0))
    m.presence(ball, inside="z + 1")
    r = m.simulate(until, scheme=scheme)
    removed = [event[0] for event in r.events if event[1] == "removed"]
    assert removed == [pytest.approx(math.sqrt(2 / 9.81), abs=1e-7)] and float(r[ball.position.z].last) == pytest.approx(-1, abs=1e-6)


def test_a_body_that_crosses_what_is_no_part_of_its_region_goes_there():
    m = sl.Model(gravity=(0, 0, 0))
    ball = m.sphere(radius=0.1, mass=1, velocity=(1, 0, 0))
    m.sphere(radius=0.1, mass=1, at=(0, 1, 0))
    m.presence(ball, inside="abs(x - 2) - 0.2")
    r = m.simulate(4.0)
    assert float(r[ball.position.x].last) == pytest.approx(1.8, abs=1e-6)


@pytest.mark.parametrize("scheme", ["auto", "event_driven", "nonsmooth_generalized_alpha"])
@pytest.mark.parametrize("turn", [(0, 0, 0), (0.1, 0, 0), (0.3, 0.7, -1.1)])
def test_a_spinning_cube_that_lands_fast_hits_the_floor_with_each_of_its_corners(scheme, turn):
    R = sl.Rotation.of_vector(turn).matrix
    m = sl.Model(gravity=tuple(R @ (0, 0, -9.81)))
    cube = m.box(size=(0.1, 0.1, 0.1), mass=1, at=tuple(R @ (0, 0, 1)), rotation=turn, velocity=tuple(R @ (100, 0, -100)), angular_velocity=tuple(R @ (100, 30, 20)))
    m.contact([m.plane(normal=tuple(R @ (0, 0, 1)))], [cube], restitution=0.5, friction=0.3)
    r = m.simulate(0.05, scheme=scheme)
    assert R.T @ np.asarray(r[cube.position])[-1] == pytest.approx([3.712, -0.5822, 0.7], abs=2e-3)  # event_driven at 1e-10


@pytest.mark.parametrize("mass", [1e-3, 1e-6, 1e-9])
def test_the_contacts_of_light_bodies_are_solved(mass, tmp_path):
    """Impulses of milligrams are small beside velocities in SI units: solvers went on below rounding, at a hundred times the cost."""
    m = sl.Model()
    box = m.box(size=(0.1, 0.1, 0.1), mass=mass, at=(0, 0, 0.1 * math.sqrt(0.5)), rotation=(math.pi / 4, 0, 0), angular_velocity=(0.5, 0, 0))
    m.contact([m.plane()], [box], friction=0.5)
    m.simulate(0.05, dump=tmp_path)
    assert not list(tmp_path.glob("unsolved*"))


@pytest.mark.parametrize("frequency", [1e5, 1e6, 1e8])
def test_a_circuit_is_the_same_at_any_frequency(frequency):
    m = sl.Model()
    a, b, c = m.terminal(), m.terminal(), m.terminal()
    m.voltage_source(a, m.ground, voltage=f"10*sin(2*pi*{frequency}*t)")
    m.diode(a, b)
    coil = m.inductor(b, c, L=5 / frequency)
    m.resistor(c, m.ground, R=10)
    assert float(m.simulate(0.6 / frequency)[coil.current].last) == pytest.approx(0.26680, rel=1e-4)
