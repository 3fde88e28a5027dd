"""Scenes: what is built from them stands, slides, flows and falls as it should."""

import math

import numpy as np
import pytest

import saltus as sl

G = 9.81


def standing(bodies, m, friction=0.6, **simulate):
    m.contact(m.plane(), bodies, friction=friction)
    m.contact(bodies, friction=friction)
    r = m.simulate(**{"until": 2.0, "step": 5e-3, "record": 0.5, **simulate})
    return max(float(np.linalg.norm(np.asarray(r[b.displacement]), axis=1).max()) for b in bodies)


@pytest.mark.parametrize(
    ("scene", "count"),
    [(lambda m: sl.scenes.wall(m, columns=3, rows=4), 14), (lambda m: sl.scenes.tower(m, levels=6), 12), (lambda m: sl.scenes.card_house(m, storeys=2), 7)],
    ids=("wall", "tower", "card_house"),
)
def test_it_stands(scene, count):
    m = sl.Model()
    bodies = scene(m)
    assert len(bodies) == count
    assert standing(bodies, m) < 1e-7


@pytest.mark.parametrize(("share", "stands"), [(0.125, True), (0.095, False)])
def test_an_arch_stands_from_the_thickness_on_that_milankovitch_found(share, stands):
    m = sl.Model()
    stones = sl.scenes.arch(m, voussoirs=16, thickness=share, radius=1.0)
    moved = standing(stones, m, friction=0.9, until=1.5)
    assert moved < 1e-5 if stands else moved > 0.02


def test_a_vault_is_made_of_rings_whose_joints_alternate():
    m = sl.Model()
    stones = sl.scenes.vault(m, voussoirs=7, rings=2, thickness=0.25)
    assert len(stones) == 7 + 8
    assert standing(stones, m, friction=0.9, until=0.5) < 1e-5


@pytest.mark.parametrize(("opening", "out"), [(0.5, 20), (0.08, 0)])
def test_a_hopper_lets_balls_through_an_opening_that_is_wide_enough(opening, out):
    m = sl.Model()
    walls = sl.scenes.hopper(m, opening=opening, width=0.9, height=0.6, at=(0, 0, 0.5))
    balls = sl.scenes.pile(m, 20, size=0.1, spread=0.0, width=0.45, at=(0, 0, 0.95))
    m.contact(walls, balls, friction=0.2)
    m.contact(balls, friction=0.2)
    m.contact(m.plane(), balls, friction=0.2)
    r = m.simulate(2.0, step=4e-3, record=2.0)
    assert sum(r[b.position].last[2] < 0.45 for b in balls) == out


def test_a_drum_carries_its_balls_round():
    m = sl.Model()
    drum, shapes = sl.scenes.drum(m, radius=0.3, length=0.4, speed=1.5, staves=16)
    balls = sl.scenes.pile(m, 12, size=0.06, width=0.25, at=(0, 0, -0.2))
    m.contact(shapes, balls, friction=0.5)
    m.contact(balls, friction=0.5)
    r = m.simulate(2.0, step=4e-3, record=0.5)
    p = np.array([np.asarray(r[b.position]) for b in balls])
    assert np.hypot(p[..., 0], p[..., 2]).max() < 0.3 / math.cos(math.pi / 16)
    assert np.abs(p[..., 1]).max() < 0.2
    assert p[:, -1, 0].mean() < -0.03  # about y the floor of the drum moves along -x, and takes them up


@pytest.mark.parametrize(("step", "unit"), [(2e-3, 1.0), (5e-3, 1.0), (2e-3, 1e3)], ids=("short", "long", "millimetres"))
def test_a_pile_between_walls_comes_to_rest(step, unit):
    """Points that the parting of overlaps opened by micrometres fell for a step, met again, and opened others: for ever, at the speed of a step's fall."""
    m = sl.Model(gravity=(0, 0, -G * unit))
    balls = sl.scenes.pile(m, 40, size=0.05 * unit, spread=0.2, width=0.21 * unit)
    walls = [m.plane()] + [m.plane(at=(-0.105 * unit * x, -0.105 * unit * y, 0), normal=(x, y, 0)) for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1))]
    m.contact(walls, balls, friction=0.4)
    m.contact(balls, friction=0.4)
    r = m.simulate(5.0, step=step, record=0.1)
    p = np.array([np.asarray(r[b.position]) for b in balls]) / unit
    # A few roll or spin on the others: nothing resists that, which ones rounding decides, and one that gets somewhere may set off others for a moment.
    moved = [np.linalg.norm(p[:, k] - p[:, k - 2], axis=1) for k in (30, 40, 50)]
    assert np.median([(m > 1e-6).sum() for m in moved]) <= 8
    assert np.median([np.median(m) for m in moved]) < 1e-8
    energy = np.asarray(r["energy.total"])
    assert (np.diff(energy) <= 1e-4 * np.ptp(energy)).all()
    left = r.report["residual"]["laws"]  # impacts of all balls at once are solved to a thousandth, and the run says so
    assert left <= 1e-3 and (left > 1e-8) == any("packing" in w.message for w in r.report["warnings"])


def test_steps_without_contacts_are_not_counted_among_those_that_took_what_is_acceptable():
    kinds = []
    for until in (0.7, 0.9):
        m = sl.Model()
        balls = sl.scenes.pile(m, 40, size=0.05, spread=0.2, width=0.21)
        walls = [m.plane()] + [m.plane(at=(-0.105 * x, -0.105 * y, 0), normal=(x, y, 0)) for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1))]
        m.contact(walls, balls, friction=0.4)
        m.contact(balls, friction=0.4)
        m.presence(balls, end=0.6, together=True)
        r = m.simulate(until, step=2e-3, record=0.1, scheme=sl.MoreauJean(solver_tolerance=1e-14))  # which no solver comes to soon
        kinds.append([w.message.partition(": in ")[2].partition(" of ")[0] for w in r.report["warnings"] if "packing" in w.message])
    assert kinds[0] and kinds[0] == kinds[1]


def test_a_box_goes_down_a_chute_by_its_slope():
    slope = math.radians(25)
    for friction, a in ((0.2, G * (math.sin(slope) - 0.2 * math.cos(slope))), (0.6, 0.0)):
        m = sl.Model()
        parts = sl.scenes.chute(m, length=4.0, width=0.5, slope=slope)
        turn = sl.Rotation.of_vector((0, slope, 0))
        box = m.box(size=(0.1, 0.1, 0.1), mass=1, at=turn @ np.array([-1.5, 0, 0.05]), rotation=turn)
        m.contact(parts, [box], friction=friction)
        r = m.simulate(0.5, step=1e-3)
        assert np.linalg.norm(r[box.displacement].last) == pytest.approx(0.5 * a * 0.25, abs=2e-3 if a else 1e-9)


def test_a_pile_is_the_same_for_a_seed_and_free_of_contacts_at_the_start():
    places = []
    for seed in (3, 3, 4):
        m = sl.Model()
        bodies = sl.scenes.pile(m, 40, shape="mixed", seed=seed, at=(0, 0, 0.1))
        places.append(np.array([b.reference[0] for b in bodies]))
    assert np.array_equal(places[0], places[1]) and not np.array_equal(places[0], places[2])
    m.contact(bodies, friction=0.5)
    assert np.abs(np.asarray(m.simulate(0.01, step=1e-3)["energy.total"]) / m.simulate(1e-3, step=1e-3)["energy.total"][0] - 1).max() < 1e-3


@pytest.mark.parametrize("friction", [0.0, 0.5])
def test_the_floor_and_the_walls_of_a_box_carry_the_weight_of_its_grains(friction):
    m = sl.Model()
    walls, grains = sl.scenes.granular_box(m, 40, width=0.21, size=0.05, at=(1, 2, 3))
    m.contact(walls, grains, friction=friction)
    m.contact(grains, friction=0.4)
    floor, sides = m.contact_force(walls[:1], grains), m.contact_force(walls[1:], grains)
    r = m.simulate(2.0, step=4e-3, record=0.02)
    weight = G * r[m.group(*grains).mass].last
    below, beside = (np.asarray(r[part.force])[-20:].mean(axis=0) for part in (floor, sides))
    assert below[2] + beside[2] == pytest.approx(weight, rel=5e-3)
    assert np.abs((below + beside)[:2]).max() < 5e-3 * weight
    if not friction:
        assert abs(beside[2]) < 1e-12 and np.abs(below[:2]).max() < 1e-12
    for b in grains:
        p, radius = r[b.position].last - (1, 2, 3), b.settings["radius"]
        assert p[2] > 0.99 * radius and np.abs(p[:2]).max() < 0.105 - 0.99 * radius


@pytest.mark.parametrize(("teeth", "points", "chords"), [((18, 27), 8, 8e-5), ((20, 18), 16, 2e-5)])
def test_a_pair_of_gears_turns_by_its_teeth_and_hands_on_the_power(teeth, points, chords):
    """chords [m]: how far those of involutes lie within them, l^2 / (8 rho), on both gears."""
    m = sl.Model(gravity=(0, 0, 0))
    a, b = sl.scenes.gear_pair(m, teeth=teeth, backlash=2e-4, points=points)
    assert m.check() == []  # closed, and nowhere through itself
    far = b.reference[0] - a.reference[0]
    assert np.allclose(far, (0.005 * sum(teeth), 0, 0), atol=1e-9)
    drive = m.revolute(m.ground, a, at=a.reference[0], axis="z", speed=2.0)
    driven = m.revolute(m.ground, b, at=b.reference[0], axis="z", damping=0.5)
    m.contact(a, b, friction=0.0)
    r = m.simulate(0.25, step=5e-4)
    ratio = teeth[0] / teeth[1]
    late = r.time > 0.1
    behind = (r[driven.angle] + ratio * r[drive.angle])[late]
    radius = 0.005 * teeth[1]
    assert np.abs(behind - 1e-4 / radius).max() < chords / radius  # half the backlash
    assert -r[b.angular_velocity.z][late].mean() == pytest.approx(2.0 * ratio, rel=5e-3)
    assert r[drive.drive][late].mean() * 2.0 == pytest.approx(0.5 * (2.0 * ratio) ** 2, rel=0.03)


def test_a_gear_has_the_thickness_and_the_mass_of_its_involutes():
    m = sl.Model()
    a, _ = sl.scenes.gear_pair(m, teeth=(44, 44), width=0.02, backlash=0.0, points=20, density=1000)
    pitch, alpha, n = 0.22, math.radians(20), 44
    base, root, tip = pitch * math.cos(alpha), 0.2075, 0.23
    involute = lambda r: math.tan(math.acos(base / r)) - math.acos(base / r)  # noqa: E731
    half = lambda r: 0.5 * math.pi / n + involute(pitch) - involute(r)  # noqa: E731
    assert root > base
    radii = np.linspace(root, tip, 20001)
    teeth = np.trapezoid([2 * n * half(r) * r for r in radii], radii)  # area of sectors between root and tip
    gap, chord = 2 * math.pi / n - 2 * half(root), 2 * half(tip)
    area = n * half(root) * root**2 + 0.5 * n * root**2 * math.sin(gap) + teeth - n * 0.5 * tip**2 * (chord - math.sin(chord))
    r = m.simulate(1e-3, step=1e-3)
    assert r[m.group(a).mass].last / (1000 * 0.02) == pytest.approx(area - math.pi * (0.5 * root) ** 2, rel=2e-4)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda m: sl.scenes.gear_pair(m, teeth=18), "expected two numbers"),
        (lambda m: sl.scenes.gear_pair(m, teeth=(8, 40)), "tips of 40 teeth reach below the involute of 8, and jam"),
        (lambda m: sl.scenes.gear_pair(m, slope=20), "give radians"),
        (lambda m: sl.scenes.gear_pair(m, backlash=0.05), "leaves teeth"),
        (lambda m: sl.scenes.granular_box(m, 9, width=0.05, size=0.05), "is 0.05 m, and a grain and its play take 0.066 m"),
        (lambda m: sl.scenes.wall(m, columns=0), "columns.*at least 1"),
        (lambda m: sl.scenes.arch(m, thickness=3.0), "stones meet"),
        (lambda m: sl.scenes.arch(m, embrace=4.0), "more than the half circle"),
        (lambda m: sl.scenes.hopper(m, opening=2, width=1, height=1), "width above the opening"),
        (lambda m: sl.scenes.pile(m, 3, shape="cube"), "sphere, box or mixed"),
        (lambda m: sl.scenes.pile(m, 3, spread=1.0), "spread"),
        (lambda m: sl.scenes.card_house(m, lean=2.0), "a card that lies"),
    ],
)
def test_what_makes_no_scene_is_refused(call, words):
    with pytest.raises(sl.ModelError, match=words):
        call(sl.Model())


def test_boxes_that_tumble_onto_each_other_run_by_default():
    """Faces that meet nearly flat and hardly slide: more contacts than motions, on which Newton's method and sweeps stop."""
    chance = np.random.default_rng(0)
    m = sl.Model()
    boxes = [
        m.box(size=(0.1, 0.1, 0.1), mass=1, at=(*0.02 * chance.normal(size=2), 0.1 + 0.2 * i), rotation=sl.Rotation.of_vector(chance.normal(size=3)))
        for i in range(5)
    ]
    m.contact([m.plane()], boxes, friction=0.5)
    m.contact(boxes, friction=0.5)
    r = m.simulate(0.35)
    energy = np.asarray(r["energy.total"])
    assert (np.diff(energy) <= 3e-4 * np.ptp(energy)).all()  # steps without impacts of up to 1 ms, without error control
    assert r.report["residual"]["laws"] <= 1e-6
