"""Conditions that hold within one long step alone end a run all the same."""

import math

import pytest

import saltus as sl

G = 9.81
TOP = 49 / 2 / G


@pytest.mark.parametrize("below", [0.5, 0.1, 0.01, 1e-4])
@pytest.mark.parametrize("what", ["above", "crosses"])
@pytest.mark.parametrize("scheme", [None, "moreau_jean", "event_driven", "nonsmooth_generalized_alpha"])
def test_a_height_that_is_passed_for_a_moment_is_where_the_run_stops(below, what, scheme):
    m = sl.Model()
    ball = m.sphere(radius=0.1, mass=1, velocity=(0, 0, 7))
    if scheme:
        m.contact(m.plane(at=(0, 0, -10)), ball)
    z = ball.position.z
    stop = {"above": z > TOP - below, "crosses": z.crosses(TOP - below)}[what]
    r = m.simulate(3.0, stop=stop, **({"scheme": scheme} if scheme else {}))
    assert r.report["status"] == "stopped"
    assert r.time[-1] == pytest.approx((7 - math.sqrt(2 * G * below)) / G, abs=2e-6 / math.sqrt(2 * G * below))


def test_a_condition_that_never_holds_changes_nothing():
    m = sl.Model()
    ball = m.point_mass(mass=1, velocity=(0, 0, 7))
    free, watched = m.simulate(3.0), m.simulate(3.0, stop=ball.position.z > TOP + 1e-6)
    assert watched.report["status"] == "done" and list(watched.time) == list(free.time)


@pytest.mark.parametrize("tolerance", [1e-6, 1e-8])
@pytest.mark.parametrize("kind", ["bond", "lock"])
def test_what_bears_a_force_breaks_where_it_is_beyond_its_limit_for_a_moment(kind, tolerance):
    m = sl.Model(gravity=(0, 0, 0))
    body = m.point_mass(mass=1)
    if kind == "bond":
        m.bond(m.ground, body, force_limit=10)
    else:
        m.lock(m.prismatic(m.ground, body, axis="x").translation.z, limit=10)
    m.force(body, ("10.0101*sin(pi*t/2)^8", 0, 0))  # above the limit for 20 ms
    r = m.simulate(1.5, tolerance=tolerance)
    broken = [e[0] for e in r.events if e[1] == "break"]
    assert broken == pytest.approx([2 / math.pi * math.asin((10 / 10.0101) ** 0.125)], abs=2e-6)


def beside(m, what):
    """Something that lies still, or slides, elsewhere."""
    if what == "far":  # contacts between groups, of which none is near
        m.contact([m.plane(at=(0, 0, -100), normal=(0, 0, 1))], [m.sphere(radius=0.1, mass=1, at=(5, 0, 0))])
    elif what == "group":
        ball = m.sphere(radius=0.1, mass=1, at=(5, 0, 0.1))
        m.contact([m.plane()], [ball])
        m.force(ball, (0, 0, -9.81))
    else:
        m.prismatic(m.ground, m.point_mass(mass=1, at=(5, 0, 0), velocity=(9, 0, 0)), axis="x", friction=1.0)


@pytest.mark.parametrize("what", ["far", "group", "friction"])
@pytest.mark.parametrize("kind", ["bond", "lock"])
def test_it_breaks_there_while_contacts_and_friction_act_elsewhere(kind, what):
    m = sl.Model(gravity=(0, 0, 0))
    beside(m, what)
    body = m.point_mass(mass=1)
    if kind == "bond":
        m.bond(m.ground, body, force_limit=10)
    else:
        m.lock(m.prismatic(m.ground, body, axis="x").translation.z, limit=10)
    m.force(body, ("10.0101*sin(pi*t/2)^8", 0, 0))
    broken = [e[0] for e in m.simulate(1.5).events if e[1] == "break"]
    assert broken == pytest.approx([2 / math.pi * math.asin((10 / 10.0101) ** 0.125)], abs=2e-6)


@pytest.mark.parametrize("below", [0.5, 0.1, 0.01, 1e-4])
def test_a_body_that_is_out_of_its_region_for_a_moment_goes_there(below):
    m = sl.Model()
    body = m.point_mass(mass=1, velocity=(0, 0, 7))
    m.presence(body, inside=f"{TOP - below}-z")
    r = m.simulate(5.0)
    removed = [e[0] for e in r.events if e[1] == "removed"]
    assert removed == pytest.approx([(7 - math.sqrt(2 * G * below)) / G], abs=2e-8 / math.sqrt(below))
