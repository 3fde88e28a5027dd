"""Discs, boxes, convex polygons and chains of segments in a planar model: their points are found in each step, two a pair at most."""

import math

import numpy as np
import pytest

import saltus as sl

G = 9.81
HEXAGON = [(0.1 * math.cos(a), 0.1 * math.sin(a)) for a in np.arange(6) * math.pi / 3]


def ramp(angle):
    return np.array((math.cos(angle), -math.sin(angle))), np.array((math.sin(angle), math.cos(angle)))


@pytest.mark.parametrize("angle, mu", [(20, 0.5), (30, 0.3)])
@pytest.mark.parametrize("at", [(0.0, 0.0), (500.0, -300.0)])
def test_a_box_on_an_incline_sticks_or_slides(angle, mu, at):
    a = math.radians(angle)
    down, up = ramp(a)
    m = sl.Model(planar=True)
    board = m.box(size=(4, 0.2, 0.5), mass=1.0, at=at, rotation=-a, name="board")
    m.fixed(m.ground, board)
    box = m.box(size=(0.2, 0.2, 0.3), mass=1.0, at=tuple(np.array(at) + 0.2 * up), rotation=-a, name="box")
    m.contact(board, box, friction=mu)
    result = m.simulate(0.5, step=0.002)
    slides = max(0.5 * G * (math.sin(a) - mu * math.cos(a)) * 0.25, 0.0)
    assert result[box.displacement].last[:2] == pytest.approx(slides * down, abs=1e-9 if slides == 0 else 3e-3 * slides)
    contacts = result.contacts(0.5)
    assert len(contacts) == 2 and set(contacts.state) == {"slides" if slides else "sticks"}
    assert contacts.force.sum(axis=0)[:2] @ up == pytest.approx(G * math.cos(a), rel=1e-6)


@pytest.mark.parametrize("scheme", ["moreau_jean", "event_driven", "d1_minus", "schatzman_paoli", "nonsmooth_generalized_alpha"])
def test_a_stack_of_polygons_rests(scheme):
    m = sl.Model(planar=True)
    floor = m.plane(name="floor")
    high = 0.1 * math.sqrt(3)
    pile = [m.hull(HEXAGON, mass=1.0 + i, at=(0, (i + 0.5) * high), name=f"p{i}") for i in range(3)]
    m.contact([floor, *pile], friction=0.5)
    result = m.simulate(0.1, step=0.002, scheme=scheme)
    for i, body in enumerate(pile):
        assert np.abs(result[body.displacement].last).max() < 1e-8
        below = result.contacts(0.1).between(pile[i - 1] if i else floor, body)
        assert len(below) == 2 and below.force.sum(axis=0) == pytest.approx([0, sum(j + 1.0 for j in range(i, 3)) * G, 0], abs=1e-5)


def test_a_polygon_has_the_mass_and_inertia_of_its_area():
    m = sl.Model(planar=True)
    body = m.hull([(0, 0), (1, 0), (1, 1), (0, 1)], density=3.0, at=(2, 0), name="p")
    assert m.simulate(0.001)[body.position].values[0] == pytest.approx([2.5, 0.5, 0])
    fields = m._engine.record("p")["fields"]
    assert fields["mass"] == pytest.approx(3.0) and np.ravel(fields["inertia"])[-1] == pytest.approx(3.0 / 6.0)


def test_a_disc_slides_over_the_corners_of_a_chain_in_one_line_as_over_one_segment():
    def way(points):
        m = sl.Model(planar=True)
        chain = m.surface(points, name="chain")
        disc = m.sphere(radius=0.1, mass=1.0, at=(0.0, 0.1), velocity=(1.0, 0), name="disc")
        m.contact([chain], [disc], friction=0.3)
        return m.simulate(0.8, step=0.002)[disc.position].values

    one, many = way([(-1, 0), (2, 0)]), way([(x, 0) for x in np.linspace(-1, 2, 31)])
    assert np.abs(one - many).max() < 1e-9
    assert np.abs(many[:, 1] - 0.1).max() < 1e-9


def test_a_disc_rolls_down_a_chain_with_two_thirds_of_the_acceleration():
    a = math.radians(15)
    down, up = ramp(a)
    m = sl.Model(planar=True)
    chain = m.surface([tuple(-0.2 * down), tuple(0.5 * down), tuple(3 * down)], name="chain")
    disc = m.cylinder(radius=0.1, length=0.2, mass=1.0, at=tuple(0.1 * up), axis="z", name="disc")
    m.contact([chain], [disc], friction=0.5)
    result = m.simulate(0.8, step=0.002)
    assert result[disc.displacement].last[:2] == pytest.approx(0.5 * 2 / 3 * G * math.sin(a) * 0.64 * down, rel=2e-3)


def test_materials_have_laws_of_the_plane(tmp_path):
    m = sl.Model(planar=True)
    floor = m.plane(name="floor")
    boxes = [m.box(size=(0.2, 0.2, 0.2), mass=1.0, at=(i, 0.1), velocity=(1, 0), name=f"b{i}") for i in range(2)]
    stone = m.material(floor, name="stone")
    for box, mu in zip(boxes, (0.2, 0.4), strict=True):
        m.material_pair(stone, m.material(box), friction=mu)
    m.no_contact(boxes)
    m.contact([floor, *boxes], law="materials")
    result = m.simulate(0.1, step=1e-3)
    for box, mu in zip(boxes, (0.2, 0.4), strict=True):
        assert result[box.velocity.x].last == pytest.approx(1 - mu * G * 0.1, abs=1e-6)
    m.save(tmp_path / "m.json")
    assert np.array_equal(sl.Model.load(tmp_path / "m.json").simulate(0.1, step=1e-3)["b0.position"].values, result["b0.position"].values)


@pytest.mark.parametrize(
    "wrong, message",
    [
        (lambda m: m.hull([(0, 0), (1, 0), (2, 0)], mass=1.0), "lie on a line; a polygon needs three points"),
        (lambda m: m.hull([(0, 0), (1, math.nan), (2, 0)], mass=1.0), "has point 1, .*not finite"),
        (lambda m: m.surface([(0, 0)]), "expected at least 2 points"),
        (lambda m: m.surface([(0, 0), (0, 0), (1, 0)]), "has point 1 twice"),
        (lambda m: m.surface([(0, 0, 1), (1, 0, 0)]), "has z = 1 m, out of the plane"),
    ],
)
def test_mistakes_are_named(wrong, message):
    with pytest.raises(sl.ModelError, match=message):
        wrong(sl.Model(planar=True))


@pytest.mark.parametrize("scheme", ["moreau_jean", "event_driven", "d1_minus", "nonsmooth_generalized_alpha"])
def test_rolling_resistance_slows_a_disc_on_a_box_and_stops_it(scheme):
    radius, rolling, speed = 0.1, 0.004, 0.5
    m = sl.Model(planar=True)
    board = m.box(size=(4, 0.2, 0.5), mass=1.0, at=(0, -0.1), name="board")
    m.fixed(m.ground, board)
    disc = m.cylinder(radius=radius, length=0.02, mass=2.0, at=(0, radius), velocity=(speed, 0), angular_velocity=-speed / radius, name="disc")
    m.contact([board], [disc], friction=0.5, rolling=rolling)
    result = m.simulate(2.5, step=1e-3, scheme=scheme)
    slower = rolling * G / (1.5 * radius)  # rolling moment rho m g on 3/2 m R^2
    t, v = np.asarray(result.time), np.asarray(result[disc.velocity.x].values)
    assert np.interp(1.0, t, v) == pytest.approx(speed - slower, abs=2e-4)
    assert np.interp(1.0, t, np.asarray(result[disc.position.x].values)) == pytest.approx(speed - 0.5 * slower, abs=1e-3)
    assert v[-1] == pytest.approx(0.0, abs=1e-9)


def test_rolling_resistance_slows_a_disc_that_spins_on_another():
    radius, rolling, spin = 0.1, 0.003, 5.0
    m = sl.Model(planar=True)
    lower = m.cylinder(radius=radius, length=0.02, mass=1.0, at=(0, 0), name="lower")
    m.fixed(m.ground, lower)
    upper = m.cylinder(radius=radius, length=0.02, mass=1.0, at=(0, 2 * radius), angular_velocity=spin, name="upper")
    m.contact(lower, upper, rolling=rolling, name="touch")
    result = m.simulate(0.1, step=1e-3)
    assert np.asarray(result[upper.angular_velocity].values)[-1][2] == pytest.approx(spin - 0.1 * rolling * G / (0.5 * radius**2), abs=1e-6)
    assert result.contacts(0.05).torque[0] == pytest.approx((0, 0, -rolling * G), abs=1e-9)


def test_a_law_of_the_plane_is_refused_for_a_body_in_space():
    m = sl.Model()
    floor, ball = m.plane(name="floor"), m.sphere(radius=0.1, mass=1.0, at=(0, 0, 0.1), name="ball")
    m.contact([floor], [ball], law=sl.items.CoulombImpact2d(friction=0.3))
    with pytest.raises(sl.ModelError, match="has a law of bodies that stay in a plane, and 'ball', a sphere, which moves in space"):
        m.simulate(0.01)
