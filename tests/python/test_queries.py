"""Distances, touching points, overlaps and rays against closed forms."""

import math

import numpy as np
import pytest

import saltus as sl

q = sl.queries


def test_distances_are_those_of_closed_forms():
    m = sl.Model()
    floor = m.plane()
    ball = m.sphere(radius=0.2, mass=1, at=(0, 0, 1))
    box = m.box(size=(1, 1, 1), mass=1, at=(2, 0, 1), rotation=(0, 0, math.pi / 4))
    cone = m.cone(radius=0.5, height=1, mass=1, at=(0, 3, 0.25))
    assert q.distance(floor, ball).gap == pytest.approx(0.8, abs=1e-15)
    near = q.distance(ball, box)
    assert near.gap == pytest.approx(2 - math.sqrt(0.5) - 0.2, abs=1e-13)
    assert near.normal == pytest.approx([1, 0, 0], abs=1e-9) and near.on_B == pytest.approx([2 - math.sqrt(0.5), 0, 1], abs=1e-9)
    # the rim of the base is nearest: 2.5 m out, 1 m down
    assert q.distance(cone, ball).gap == pytest.approx(math.hypot(2.5, 1) - 0.2, abs=1e-12)
    with pytest.raises(sl.ModelError, match="two planes"):
        q.distance(floor, m.plane(at=(0, 0, -1)))
    with pytest.raises(sl.ModelError, match="has no shape"):
        q.distance(floor, m.body(mass=1, inertia=(1, 1, 1)))


def test_a_run_tells_where_its_bodies_touch_and_how_they_slip():
    m = sl.Model()
    floor = m.plane()
    low = m.box(size=(1, 1, 0.2), mass=1, at=(0, 0, 0.1), velocity=(1, 0, 0))
    top = m.box(size=(0.2, 0.2, 0.2), mass=1, at=(0, 0, 0.3))
    m.contact([floor], [low], friction=0.1), m.contact([low], [top], friction=0.1)
    result = m.simulate(0.1, step=1e-3)
    found = q.touches(low, top, result, within=1e-6)
    assert len(found) == 4 and all(t.normal == pytest.approx([0, 0, 1]) and abs(t.gap) < 1e-9 for t in found)
    assert found[0].slip == pytest.approx(np.asarray(result[top.velocity].last - result[low.velocity].last), abs=1e-9)
    assert q.touches(low, top, result, time=0.05, within=1e-6)[0].slip[0] < found[0].slip[0] < 0
    assert q.overlaps([floor, low, top], result, deeper=1e-6) == []
    assert q.overlaps([low, m.box(size=(0.2, 0.2, 0.2), mass=1, at=(0, 0, 0.25))])[0][2] == pytest.approx(0.05)


def test_rays_meet_the_first_body():
    m = sl.Model()
    floor = m.plane()
    ball = m.sphere(radius=0.5, mass=1, at=(0, 0, 2))
    egg = m.ellipsoid(size=(1, 2, 3), mass=1, at=(5, 0, 3))
    hill = m.height_field([[0, 0, 0], [0, 1, 0], [0, 0, 0]], size=(2, 2), at=(-5, 0, 0))
    bodies = [floor, ball, egg, hill]
    hit = q.ray(bodies, (0.3, 0, 9), "-z")
    assert hit.body is ball and hit.distance == pytest.approx(7 - 0.4, abs=1e-13) and hit.normal == pytest.approx([0.6, 0, 0.8], abs=1e-9)
    assert q.ray(bodies, (0, 2, 9), "-z").body is floor
    assert q.ray(bodies, (5.25, 0, 9), "-z").distance == pytest.approx(6 - 1.5 * math.sqrt(0.75), abs=1e-12)
    assert q.ray(bodies, (-5, 0, 9), "-z").distance == pytest.approx(8, abs=1e-14)
    assert q.ray([ball, egg], (0, 3, 9), "-z") is None
    rng = np.random.default_rng(1)
    for _ in range(200):  # against the quadratic equation
        o, d = rng.normal(size=3) * 3, rng.normal(size=3)
        d /= np.linalg.norm(d)
        c = o - (0, 0, 2)
        root = (c @ d) ** 2 - c @ c + 0.25
        first = -(c @ d) - math.sqrt(root) if root > 0 else None
        hit = q.ray([ball], o, d)
        if c @ c > 0.25:
            assert (hit is None) == (first is None or first < 0)
            assert hit is None or hit.distance == pytest.approx(first, abs=1e-9)
