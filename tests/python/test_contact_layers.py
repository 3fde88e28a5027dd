"""Layers of contacts: which bodies touch, under every scheme, in queries, files and imports from MJCF."""

import itertools
import random
import warnings

import pytest
from test_mjcf import quiet, world

import saltus as sl

g = 9.81
ends = pytest.mark.parametrize("given", [{"step": 1e-3, "scheme": "moreau_jean"}, {"step": 1e-3, "scheme": "schatzman_paoli"}, {"step": 1e-3, "scheme": "nonsmooth_generalized_alpha"}, {"scheme": "event_driven"}, {}])


def two_on_a_floor(**contact):
    """Both at rest on the plane; that of the layer `ghosts` falls through it."""
    m = sl.Model()
    floor = m.plane(name="floor")
    held, lost = (m.sphere(radius=0.1, mass=1.0, at=(x, 0, 0.1), name=name) for x, name in ((0, "held"), (1, "lost")))
    m.contact_layer(floor, name="road")
    m.contact_layer(held, meets="road", name="wheels")
    m.contact_layer(lost, meets="ghosts", name="ghosts")
    m.contact([floor], [held, lost], name="all", **contact)
    return m


def touching(m):
    """Pairs of bodies that a step finds."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # they overlap
        return {frozenset((c.A, c.B)) for c in m.simulate(1e-6, step=1e-6, scheme="moreau_jean").contacts()}


@ends
def test_what_the_layers_part_falls_through_under_each_scheme(given):
    r = two_on_a_floor(friction=0.3).simulate(0.2, **given)
    assert r["held.position.z"].last == pytest.approx(0.1, abs=1e-6)
    assert r["lost.position.z"].last == pytest.approx(0.1 - 0.5 * g * 0.04, abs=1e-3)
    assert set(r.contacts().B) == {"held"}


def test_contacts_with_a_stiffness_hold_to_layers():
    r = two_on_a_floor(stiffness=1e6, damping=1.0).simulate(0.1)
    assert r["held.position.z"].last == pytest.approx(0.1, abs=1e-3)
    assert r["lost.position.z"].last == pytest.approx(0.1 - 0.5 * g * 0.01, abs=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_pairs_that_overlap_are_those_of_the_definition(seed):
    """A layer of one meets a layer of the other, or one is in none: of all pairs of spheres at one place."""
    rand = random.Random(seed)
    m = sl.Model(gravity=(0, 0, 0))
    balls = [m.sphere(radius=0.5 + 0.01 * i, mass=1.0, at=(0.001 * i, 0, 0), name=f"b{i}") for i in range(9)]
    layers = [f"l{i}" for i in range(70)]  # more than a word of bits
    inside = {name: rand.sample(range(1, 9), rand.randint(1, 3)) for name in layers[:3] + layers[-2:]}
    meets = {name: [other for other in inside if rand.random() < 0.3] for name in inside}
    for name in layers:
        bodies = [balls[i] for i in inside[name]] if name in inside else m.sphere(radius=0.1, mass=1.0, at=(10 + layers.index(name), 0, 0))
        m.contact_layer(bodies, meets=meets.get(name, name), name=name)
    m.contact(balls, name="all")
    of = {i: {name for name in inside if i in inside[name]} for i in range(9)}
    expected = {frozenset((f"b{i}", f"b{j}")) for i, j in itertools.combinations(range(9), 2) if not of[i] or not of[j] or any(y in meets[x] or x in meets[y] for x in of[i] for y in of[j])}
    assert {frozenset((a.name, b.name)) for a, b, _ in sl.queries.overlaps(balls, by_layers=True)} == expected
    assert len(sl.queries.overlaps(balls)) == 36
    assert touching(m) == expected


def test_planar_models_hold_to_layers_and_files_keep_them(tmp_path):
    m = sl.Model(planar=True, gravity=(0, -g, 0))
    floor = m.plane(normal="y", name="floor")
    a, b = (m.sphere(radius=0.1, mass=1.0, at=(x, 0.1), name=name) for x, name in ((0, "a"), (1, "b")))
    road = m.contact_layer(floor, name="road")
    m.contact_layer([a], meets=road, name="wheels")
    m.contact_layer([b], meets=["ghosts"], name="ghosts")
    m.contact([floor], [a, b])
    m.save(tmp_path / "layers.json")
    for model in (m, sl.Model.load(tmp_path / "layers.json")):
        r = model.simulate(0.1, step=1e-3)
        assert r["a.position.y"].last == pytest.approx(0.1, abs=1e-9)
        assert r["b.position.y"].last == pytest.approx(0.1 - 0.5 * g * 0.01, abs=1e-3)


def test_a_layer_stays_where_what_it_meets_goes():
    m = two_on_a_floor().without("held")
    assert "road" in m and "wheels" not in m
    m = two_on_a_floor()
    m.contact_layer(m.sphere(radius=0.1, mass=1.0, at=(2, 0, 0.1), name="other"), meets=["wheels"], name="others")
    assert m.without("held")._engine.record("others")["fields"]["meets"] == []


def test_a_layer_stands_for_its_bodies_in_queries():
    m = sl.Model()
    near, far = (m.box(size=(1, 1, 1), mass=1.0, at=(x, 0, 0), name=name) for x, name in ((2, "near"), (5, "far")))
    walls = m.contact_layer(far, name="walls")
    hit = sl.queries.ray(walls, (0, 0, 0), "x")
    assert hit.body is far and hit.distance == pytest.approx(4.5, abs=1e-12)
    assert sl.queries.ray([near, far], (0, 0, 0), "x").body is near


def test_bodies_of_a_joint_that_layers_part_are_not_named_as_touching():
    m = sl.Model()
    a, b = (m.box(size=(1, 0.1, 0.1), mass=1.0, at=(x, 0, 0), name=name) for x, name in ((0, "a"), (1, "b")))
    m.fixed(a, b, at=(0.5, 0, 0))
    m.contact([a, b], name="all")
    assert any("relations/all" in str(f) for f in m.check())
    m.contact_layer([a, b], meets="road", name="arm")
    m.contact_layer(m.plane(at=(0, 0, -1)), name="road")
    assert not any("relations/all" in str(f) for f in m.check())


@pytest.mark.parametrize(("wrong", "message"), [
    (lambda m, floor, ball: [m.contact_layer(ball, meets="raod"), m.contact([floor], [ball], friction=0.1), m.simulate(0.1)], 'did you mean "road"?'),
    (lambda m, floor, ball: [m.contact_layer(ball, meets="ball"), m.contact([floor], [ball]), m.simulate(0.1)], "names 'ball', which is no contact_layer; the layers are road, contact_layer_1"),
    (lambda m, floor, ball: m.contact_layer(ball, meets=ball), "is 'ball', expected a layer"),
    (lambda m, floor, ball: [m.contact(m.plane(), ball, name="first"), m.contact_layer(ball)], "has 'ball', which touches another by 'first', a contact of these two; write the layer before the contact"),
    (lambda m, floor, ball: m.contact_layer([]), "is an empty group"),
])  # fmt: skip
def test_mistakes_with_layers_are_named(wrong, message):
    m = sl.Model()
    floor, ball = m.plane(name="floor"), m.sphere(radius=0.1, mass=1.0, at=(0, 0, 0.1), name="ball")
    m.contact_layer(floor, name="road")
    with pytest.raises(sl.ModelError) as error:
        wrong(m, floor, ball)
    assert message in str(error.value)


def test_a_layer_that_meets_none_is_reported():
    m = sl.Model()
    floor, ball = m.plane(name="floor"), m.sphere(radius=0.1, mass=1.0, at=(0, 0, 0.1), name="ball")
    m.contact_layer(ball, name="ghosts")
    m.contact([floor], [ball])
    assert any("relations/ghosts" in str(f) and "meets no layer, and none meets it" in str(f) for f in m.check())


@pytest.mark.parametrize("seed", range(6))
def test_masks_of_mjcf_let_meet_what_they_let_meet_in_mujoco(tmp_path, seed):
    """(a.contype & b.conaffinity) || (b.contype & a.conaffinity), of all pairs of overlapping geoms; a <pair> whatever its masks are."""
    rand = random.Random(seed)
    masks = [(rand.choice((0, 1, 2, 5, -1)), rand.choice((0, 1, 2, 4))) for _ in range(8)]
    text = "".join(f'<body name="b{i}" pos="{0.001 * i} 0 0"><freejoint/><geom name="g{i}" size="{0.5 + 0.01 * i}" contype="{a}" conaffinity="{b}" friction="{0.1 * (i % 3)}"/></body>' for i, (a, b) in enumerate(masks))
    paired = {frozenset(("b0", "b1")), frozenset(("b2", "b5"))}
    m = quiet(world(tmp_path, text, '<contact><pair geom1="g0" geom2="g1"/><pair geom1="g2" geom2="g5"/></contact>', '<option gravity="0 0 0"/>'))
    expected = paired | {frozenset((f"b{i}", f"b{j}")) for i, j in itertools.combinations(range(8), 2) if masks[i][0] & masks[j][1] or masks[j][0] & masks[i][1]}
    assert {frozenset(name.replace("g", "b") for name in pair) for pair in touching(m)} == expected
