"""Bodies that a joint holds where a contact of groups lets them touch."""

from __future__ import annotations

import warnings

import pytest

import saltus as sl


def warned(m: sl.Model) -> list[str]:
    return [fault.text for fault in m.check() if "touch, and" in fault.message]


def two_rods(m: sl.Model):
    a = m.rod((0, 0, 1), (1, 0, 1), mass=1, name="a")
    b = m.rod((1, 0, 1), (2, 0, 1), mass=1, name="b")
    m.revolute(m.ground, a, at=a.start, axis="y")
    m.revolute(a, b, at=b.start, axis="y", name="elbow")
    return a, b


def test_hinged_rods_of_one_group_are_named_with_what_leaves_them_out():
    m = sl.Model()
    a, b = two_rods(m)
    m.contact([m.plane(), a, b], friction=0.3, name="all")
    (text,) = warned(m)
    assert "relations/all: lets 'a' and 'b' touch, and 'elbow' joins them" in text and 'm.no_contact(m["a"], m["b"])' in text
    with pytest.warns(sl.model.ModelWarning, match="lets 'a' and 'b' touch"), pytest.raises(sl.RunError):
        m.simulate(until=0.5)
    m.no_contact(a, b)
    assert not warned(m)
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message=".*touch, and.*")
        m.simulate(until=0.1)


def test_legs_fixed_under_a_plate_are_named_and_two_sides_count_as_a_group():
    m = sl.Model()
    top, leg = m.box(size=(1, 1, 0.1), mass=1, at=(0, 0, 1.05), name="top"), m.box(size=(0.1, 0.1, 1), mass=1, at=(0.3, 0, 0.5), name="leg")
    m.fixed(top, leg, name="glue")
    m.contact([top], [leg, m.box(size=(0.1, 0.1, 0.1), mass=1, at=(0, 0, 3))], name="sides")
    assert len(warned(m)) == 1
    assert len(warned(sl.Model.parse(m._engine.text()))) == 1          # as a file holds it


@pytest.mark.parametrize("kind", ["a lid on its hinge", "a slide on its rail", "a plane", "no touch"])
def test_contacts_that_are_meant_are_not(kind):
    m = sl.Model()
    low, high = m.box(size=(1, 1, 0.5), mass=1, at=(0, 0, 0.25), name="low"), m.box(size=(1, 1, 0.1), mass=1, at=(0, 0, 0.55), name="high")
    group = [low, high]
    if kind == "a lid on its hinge":
        m.revolute(low, high, at=(-0.5, 0, 0.5), axis="y")
    elif kind == "a slide on its rail":
        m.prismatic(low, high, axis="z")
    elif kind == "a plane":
        m.spherical(m.ground, low, at=(0, 0, 0))
        group = [m.plane(), low]
    else:
        far = m.box(size=(0.1, 0.1, 0.1), mass=1, at=(3, 0, 2))
        m.fixed(low, far)
        group = [low, far]
    m.contact(group)
    assert not warned(m)
