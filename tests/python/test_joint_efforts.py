"""What friction and drives of joints do can be read, of whatever kind they are."""

import math

import pytest

import saltus as sl

G = 9.81
SLIDES = {
    "number": (5.0, 5.0),
    "coulomb": (sl.Coulomb(0.2, slip_speed=1e-4), 0.2 * 3 * G * math.sqrt(0.5)),
    "stribeck": (sl.Stribeck(coulomb=1.0), 1.0),
    "dahl": (sl.Dahl(coulomb=1.0, stiffness=1e4), 1.0),
    "lugre": (sl.LuGre(stiffness=1e4, coulomb=1.0, breakaway=1.0, stribeck_speed=0.1, damping=0.0), 1.0),
    "plastic": (sl.Plastic(bound=1.0), 1.0),
}


@pytest.mark.parametrize("kind", SLIDES)
def test_friction_of_a_slide_is_its_bound_once_it_slides(kind):
    friction, bound = SLIDES[kind]
    m = sl.Model()
    box = m.box(size=(0.1, 0.1, 0.1), mass=3)
    slide = m.prismatic(m.ground, box, axis=(1, 0, -1), friction=friction)
    r = m.simulate(0.3)
    assert r[slide.friction].last == pytest.approx(-bound, rel=1e-3)
    speed = (G * math.sqrt(0.5) - bound / 3) * 0.3
    assert r[slide.position_rate].last == pytest.approx(speed, rel=1e-2)


def test_friction_of_a_hinge_under_its_own_reaction():
    m = sl.Model()
    rotor = m.cylinder(radius=0.1, length=0.1, mass=2, axis="y", angular_velocity=(0, 50, 0))
    hinge = m.revolute(m.ground, rotor, axis="y", friction=sl.Coulomb(0.1, radius=0.01))
    r = m.simulate(1.0)
    assert r[hinge.friction].last == pytest.approx(-0.1 * 0.01 * 2 * G, rel=1e-6)
    assert not r.warnings  # gravity loads the bearing: it is not idle


def test_gravity_across_a_motion_without_such_friction_is_told():
    m = sl.Model()
    rotor = m.cylinder(radius=0.1, length=0.1, mass=2, axis="y", angular_velocity=(0, 50, 0))
    m.revolute(m.ground, rotor, axis="y", friction=0.1)
    assert any("does no work" in str(w) for w in m.simulate(0.1).warnings)


@pytest.mark.parametrize("integral", [None, 0.5])
def test_a_drive_with_a_gain_gives_what_the_rotor_gains(integral):
    m = sl.Model(gravity=(0, 0, 0))
    rotor = m.cylinder(radius=0.1, length=0.1, mass=2)
    hinge = m.revolute(m.ground, rotor, axis="z", speed=5, gain=0.1, **({} if integral is None else {"integral": integral}))
    r = m.simulate(0.1, tolerance=1e-9)
    assert r[hinge.drive].last == pytest.approx(0.01 * r[rotor.angular_acceleration.z].last, rel=1e-3)
    if integral is None:
        assert r[hinge.drive].last == pytest.approx(0.5 * math.exp(-0.1 / 0.01 * 0.1), rel=1e-5)


def test_a_load_on_a_joint_is_its_drive_in_space_and_in_the_plane():
    m = sl.Model(gravity=(0, 0, 0))
    slide = m.prismatic(m.ground, m.box(size=(0.1, 0.1, 0.1), mass=1), axis=(1, 2, 2), force="3*t")
    assert m.simulate(1.0)[slide.drive].last == pytest.approx(3.0, rel=1e-9)
    m = sl.Model(gravity=(0, 0, 0))
    rail = m.rail(m.ground, m.point_mass(mass=1), curve=[(0, 0, 0), (1, 0, 0), (3, 0, 0)], force="3*t")
    assert m.simulate(1.0)[rail.drive].last == pytest.approx(3.0, rel=1e-9)
    m = sl.Model(planar=True, gravity=(0, 0))
    slide = m.prismatic(m.ground, m.sphere(radius=0.1, mass=1), axis=(3, 4), force="3*t")
    assert m.simulate(1.0)[slide.drive].last == pytest.approx(3.0, rel=1e-9)
    m = sl.Model(planar=True, gravity=(0, 0))
    slide = m.prismatic(m.ground, m.sphere(radius=0.1, mass=1, velocity=(3, 4)), axis=(3, 4), friction=sl.Stribeck(coulomb=1.0))
    assert m.simulate(0.1)[slide.friction].last == pytest.approx(-1.0, rel=1e-3)
