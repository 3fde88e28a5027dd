"""Bodies of all shapes on each other: at rest, on slopes, rolling over meshes; their masses; what is left out by name."""

import math
import warnings

import numpy as np
import pytest

import saltus as sl

RUNS = [{"step": 0.005}, {}]
CUBE = [(x, y, z) for x in (-0.1, 0.1) for y in (-0.1, 0.1) for z in (-0.1, 0.1)]


def rest(m, bodies, until, **run):
    """Largest displacement and velocity at the end."""
    result = m.simulate(until, **run)
    return tuple(max(float(np.abs(result[getattr(b, word)].last).max()) for b in bodies) for word in ("displacement", "velocity"))


def stack(number, masses=None, turn=0.0, at=(0.0, 0.0), make=None):
    m = sl.Model()
    floor = m.plane()
    make = make or (lambda m, **place: m.box(size=(0.2, 0.2, 0.2), **place))
    boxes = [make(m, mass=masses[i] if masses else 1.0, at=(*at, 0.2 * i + 0.1), rotation=(0, 0, turn * i)) for i in range(number)]
    m.contact([floor], [boxes[0]], friction=0.5)
    m.contact(boxes, friction=0.5)
    return m, boxes


@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("build", [dict(number=10), dict(number=3, masses=[1, 1000, 1]), dict(number=4, turn=0.3), dict(number=3, at=(1e3, -2e3))])
def test_a_stack_of_boxes_stays_where_it_is(build, run):
    creep, speed = rest(*stack(**build), 20.0, **run)
    assert creep < 1e-9 and speed < 1e-9


def test_hulls_of_eight_points_stand_on_each_other_as_boxes_do():
    creep, speed = rest(*stack(4, make=lambda m, **place: m.hull(CUBE, **place)), 10.0, step=0.005)
    assert creep < 1e-9 and speed < 1e-9


@pytest.mark.parametrize("run", RUNS)
def test_a_box_on_a_slope_of_another_stays_below_the_angle_of_friction_and_slides_above(run):
    for angle, mu in ((20, 0.5), (30, 0.3)):
        m = sl.Model()
        q = math.radians(angle)
        ramp = m.box(size=(4, 2, 0.2), mass=100, rotation=(0, q, 0))
        m.fixed(m.ground, ramp)
        n, down = np.array([math.sin(q), 0, math.cos(q)]), np.array([math.cos(q), 0, -math.sin(q)])
        box = m.box(size=(0.2, 0.3, 0.2), mass=1, at=tuple(0.2 * n), rotation=(0, q, 0))
        m.contact([ramp], [box], friction=mu)
        until = 100.0 if math.tan(q) < mu else 0.5
        way = m.simulate(until, **run)[box.displacement].last
        slides = 0.5 * 9.81 * (math.sin(q) - mu * math.cos(q)) * until**2
        assert way == pytest.approx(max(slides, 0.0) * down, abs=1e-9 if slides < 0 else 5e-3 * slides)


def cards(friction, sides, overlap=0.0):
    """Cards that lean on each other at their upper edges, and the friction that they need: what holds each upright there is level, tan(q) / 2 - t / (2 h) of its weight."""
    m = sl.Model()
    floor = m.plane()
    q, (t, w, h) = math.radians(20), (0.002, 0.06, 0.1)
    cards = []
    for side in sides:
        R = sl.Rotation.of_vector((0, side * q, 0)).matrix
        corners = np.array([R @ (x * t / 2, 0, z * h / 2) for x in (-1, 1) for z in (-1, 1)])
        reach = corners[:, 0].max() if side > 0 else corners[:, 0].min()
        cards.append(m.box(size=(t, w, h), mass=0.002, at=(side * overlap / 2 - reach, 0, -corners[:, 2].min()), rotation=(0, side * q, 0)))
    m.contact([floor], cards, friction=friction)
    m.contact(cards, friction=friction)
    return m, cards, math.tan(q) / 2 - t / (2 * h)


def test_two_cards_lean_on_each_other():
    m, boards, _ = cards(0.6, (1, -1))
    creep, speed = rest(m, boards, 20.0, step=0.005)
    assert creep < 1e-9 and speed < 1e-9


@pytest.mark.parametrize("sides", [(1, -1), (-1, 1)])
def test_the_force_between_cards_is_level_whichever_is_first(sides):
    for more in (0.97, 1.03):
        m, boards, _ = cards(more * cards(0.0, sides)[2], sides)
        result = m.simulate(0.5)
        ways = np.array([side * result[card.displacement].last for side, card in zip(sides, boards, strict=True)])
        assert np.abs(ways).max() < 1e-9 if more > 1 else np.abs(ways).max() > 1e-2
        if more > 1:
            (normal,) = {tuple(np.round(n, 9) + 0.0) for n in result.contacts(0.5).between(*boards).normal}
            assert normal == (sides[0], 0, 0)


def test_cards_that_overlap_part_alike():
    for sides in ((1, -1), (-1, 1)):
        m, boards, _ = cards(0.25, sides, overlap=1e-6)
        result = m.simulate(0.5)
        right, left = (result[card.displacement].last * (side, 1, 1) for side, card in zip(sides, boards, strict=True))
        assert right == pytest.approx(left, abs=1e-9) and np.abs(right).max() < 2e-6


def test_a_tile_slides_on_to_the_one_beside_that_on_which_it_lies():
    m = sl.Model()
    floor = m.plane()
    lower = [m.box(size=(1, 1, 0.2), mass=1e3, at=(x, 0, 0.1)) for x in (0, 1)]
    tile = m.box(size=(1, 1, 0.2), mass=1, at=(0, 0, 0.3))
    m.force(tile, force=(2, 0, 0))
    m.contact([floor, *lower, tile], friction=0)
    assert m.simulate(0.5)[tile.displacement].last == pytest.approx([0.25, 0, 0], abs=1e-6)


ON_A_BOX = {
    "sphere": (lambda m: m.sphere(radius=0.1, mass=1, at=(0, 0, 0.2)), 1),
    "capsule": (lambda m: m.capsule(radius=0.1, length=0.2, mass=1, axis="x", at=(0, 0, 0.2)), 2),
    "cylinder": (lambda m: m.cylinder(radius=0.1, length=0.2, mass=1, at=(0, 0, 0.2)), 8),
    "roll": (lambda m: m.cylinder(radius=0.1, length=0.2, mass=1, axis="x", at=(0, 0, 0.2)), 2),
    "cone": (lambda m: m.cone(radius=0.1, height=0.2, mass=1, at=(0, 0, 0.15)), 8),
    "ellipsoid": (lambda m: m.ellipsoid(size=(0.3, 0.3, 0.2), mass=1, at=(0, 0, 0.2)), 1),
    "hull": (lambda m: m.hull([(-0.1, -0.1, 0), (0.1, -0.1, 0), (0, 0.1, 0), (0, 0, 0.2)], mass=1, at=(0, 0, 0.1)), 3),
}


@pytest.mark.parametrize("ground", ["box", "surface", "height_field"])
@pytest.mark.parametrize("kind", ON_A_BOX)
def test_each_shape_rests_on_a_box_and_on_meshes_and_is_carried(kind, ground):
    m = sl.Model()
    make, points = ON_A_BOX[kind]
    body = make(m)
    if ground == "box":
        table = m.box(size=(1, 1, 0.2), mass=10)
        m.fixed(m.ground, table)
    elif ground == "surface":
        table = m.surface(([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0), (0.03, 0.02, 0)], [(0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4)]), at=(0, 0, 0.1))
    else:
        table = m.height_field(np.full((8, 6), 0.1), size=(2, 2))
    contact = m.contact([table], [body], friction=0.5)
    result = m.simulate(1.0, step=0.002)
    assert np.abs(result[body.displacement].last).max() < 1e-9
    assert result[contact.force].last == pytest.approx([0, 0, 9.81], abs=1e-6)
    assert result[contact.points].last == points


def test_a_ball_rolls_over_the_triangles_of_a_plane_as_over_the_plane():
    def path(ground):
        m = sl.Model(gravity=(0.7, 0.3, -9.81))
        ball = m.sphere(radius=0.1, mass=1, at=(-0.9, -0.35, 0.1), velocity=(0.5, 0.2, 0), angular_velocity=(0, 2, 0))
        m.contact([ground(m)], [ball], friction=0.3, restitution=0.4)
        return m.simulate(1.0, step=0.001)[ball.position].values

    rng = np.random.default_rng(3)
    n = 9
    x, y = np.meshgrid(np.linspace(-2, 2, n), np.linspace(-2, 2, n), indexing="ij")
    x[1:-1, 1:-1] += rng.uniform(-0.1, 0.1, (n - 2, n - 2))
    y[1:-1, 1:-1] += rng.uniform(-0.1, 0.1, (n - 2, n - 2))
    at = lambda i, j: n * i + j  # noqa: E731
    triangles = [t for i in range(n - 1) for j in range(n - 1) for t in ((at(i, j), at(i + 1, j), at(i + 1, j + 1)), (at(i, j), at(i + 1, j + 1), at(i, j + 1)))]
    mesh = (np.stack([x.ravel(), y.ravel(), 0 * x.ravel()], axis=1), triangles)
    plane = path(lambda m: m.plane())
    assert np.abs(path(lambda m: m.surface(mesh)) - plane).max() < 1e-9
    assert np.abs(path(lambda m: m.height_field(np.zeros((7, 5)), size=(4, 4))) - plane).max() < 1e-9


def test_mass_and_inertia_follow_from_the_density():
    m = sl.Model()
    cone = m.cone(radius=0.3, height=0.5, density=700).fields
    assert cone["mass"] == pytest.approx(700 * math.pi * 0.09 * 0.5 / 3)
    # the same as a hull of many points of its rim
    turn = 2 * np.pi * np.arange(32) / 32
    wide = 0.3 / math.sqrt(np.sin(2 * np.pi / 32) * 32 / (2 * np.pi))  # as large a base
    rim = [(wide * math.cos(a), wide * math.sin(a), 0) for a in turn]
    hull = m.hull([*rim, (0, 0, 0.5)], density=700, at=(0, 0, 1))
    assert hull.fields["mass"] == pytest.approx(cone["mass"], rel=1e-12)
    assert np.diag(hull.fields["inertia"]) == pytest.approx(cone["inertia"], rel=5e-3)
    assert hull.fields["node"]["position"] == pytest.approx([0, 0, 1.125], abs=1e-12)
    egg = m.ellipsoid(size=(0.2, 0.4, 0.6), density=500).fields
    assert egg["mass"] == pytest.approx(500 * 4 / 3 * math.pi * 0.1 * 0.2 * 0.3)
    assert egg["inertia"] == pytest.approx([egg["mass"] / 5 * s for s in (0.04 + 0.09, 0.01 + 0.09, 0.01 + 0.04)])
    faces = [(0, 2, 1), (0, 3, 2), (0, 1, 3), (1, 2, 3)]
    points = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    assert m.mesh((points, faces), density=600).fields["mass"] == pytest.approx(100)


def test_pairs_are_left_out_by_name():
    m = sl.Model()
    floor = m.plane()
    low, high = (m.box(size=(0.2, 0.2, 0.2), mass=1, at=(0, 0, z)) for z in (0.1, 0.5))
    m.contact([floor, low, high])
    m.no_contact(low, high, name="ghosts")
    result = m.simulate(1.0, step=1e-3)
    assert result[high.position.z].last == pytest.approx(0.1, abs=1e-6)


TETRAHEDRON = ([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])


def test_meshes_that_no_contact_names_fall_through_each_other_onto_the_plane():
    m = sl.Model()
    low, high = (m.mesh(TETRAHEDRON, mass=1, at=(0, 0, z)) for z in (0.001, 0.5))
    m.contact([m.plane(), low, high], friction=0.5)
    m.no_contact(low, high)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = m.simulate(0.5, step=2e-3)
    assert result[high.position.z].last == pytest.approx(result[low.position.z].last, abs=1e-3)


@pytest.mark.parametrize(
    "wrong, message",
    [
        (lambda m: m.hull([(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)], mass=1), "lie in a plane; a solid needs four"),
        (lambda m: m.hull([(0, 0, 0), (1, 0, math.nan), (0, 1, 0), (1, 1, 0)], mass=1), "has point 1, .*not finite"),
        (lambda m: m.cone(radius=0, height=1, mass=1), "must be above 0"),
        (lambda m: m.ellipsoid(size=(1, 2), mass=1), "has 2 numbers"),
        (lambda m: m.surface(([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1)])), "expected \\(m, 3\\) whole numbers"),
        (lambda m: m.contact([m.surface(([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 3)]))], [m.sphere(radius=1, mass=1)]), "triangle 0 names point 3 of 3"),
        (lambda m: m.contact([m.surface(([(0, 0, 0), (1, 0, 0), (2, 0, 0)], [(0, 1, 2)]))], [m.sphere(radius=1, mass=1)]), "triangle 0 has no area"),
        (lambda m: m.contact([m.height_field([[0, 0]], size=(1, 1))], [m.sphere(radius=1, mass=1)]), "has 1 x 2 heights"),
        (lambda m: m.mesh(([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], [(0, 2, 1)]), mass=1), "is open"),
    ],
)
def test_mistakes_are_named(wrong, message):
    m = sl.Model()
    with pytest.raises(sl.ModelError, match=message):
        wrong(m)
        m.simulate(0.01)
