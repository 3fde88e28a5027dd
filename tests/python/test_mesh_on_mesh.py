"""Bodies with surfaces of triangles on each other: at rest, hanging, rolling in mesh, in motion; their energy, files and threads."""

import math

import numpy as np
import pytest

import saltus as sl
from saltus import _core
from saltus.result_file import load_result

G = 9.81


def box(x, y, z):
    points = [(0.5 * x * i, 0.5 * y * j, 0.5 * z * k) for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)]
    return points, [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)]


def torus(radius, tube, around, across):
    points = []
    for i in range(around):
        for j in range(across):
            s, t = 2 * math.pi * i / around, 2 * math.pi * j / across
            r = radius + tube * math.cos(t)
            points.append((r * math.cos(s), r * math.sin(s), tube * math.sin(t)))
    at = lambda i, j: i % around * across + j % across  # noqa: E731
    squares = [(at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)) for i in range(around) for j in range(across)]
    return points, [t for a, b, c, d in squares for t in ((a, b, c), (a, c, d))]


def gear(teeth, module, width, phase=0.0, play=0.0, points=8):
    """Involute teeth, 20 degrees, thinner by `play` on the pitch circle."""
    slope, pitch = math.radians(20), 0.5 * module * teeth
    base, root, tip = pitch * math.cos(slope), pitch - 1.25 * module, pitch + module
    involute = lambda angle: math.tan(angle) - angle  # noqa: E731
    half = 0.5 * math.pi / teeth - 0.5 * play / pitch + involute(slope)
    outline = []
    for k in range(teeth):
        flank = []
        for i in range(points):
            r = base + (tip - base) * i / (points - 1)
            flank.append((r, half - involute(math.acos(min(1.0, base / r)))))
        foot = (root, 1.05 * flank[0][1])
        side = [foot, *flank]
        middle = 2 * math.pi * k / teeth + phase
        for r, turn in [*((r, -t) for r, t in side), *reversed(side)]:
            outline.append((r * math.cos(middle + turn), r * math.sin(middle + turn)))
    n = len(outline)
    corners = [(x, y, z) for z in (-0.5 * width, 0.5 * width) for x, y in outline] + [(0, 0, -0.5 * width), (0, 0, 0.5 * width)]
    triangles = []
    for i in range(n):
        j = (i + 1) % n
        triangles += [(i, j, n + j), (i, n + j, n + i), (2 * n, j, i), (2 * n + 1, n + i, n + j)]
    return corners, triangles


def largest(result, bodies, word):
    return max(float(np.abs(result[getattr(b, word)].last).max()) for b in bodies)


@pytest.mark.parametrize("run", [{"step": 0.005}, {}])
@pytest.mark.parametrize("turn, at", [(0.0, (0, 0)), (0.3, (0, 0)), (math.pi / 4, (1e3, -2e3))])
def test_a_stack_of_meshes_stays_where_it_is(run, turn, at):
    m = sl.Model()
    floor = m.plane()
    boxes = [m.mesh(box(0.2, 0.2, 0.2), mass=1.0 + 9 * (i == 3), at=(*at, 0.2 * i + 0.1), rotation=(0, 0, turn * i)) for i in range(4)]
    m.contact([floor], [boxes[0]], friction=0.5)
    m.contact(boxes, friction=0.5)
    result = m.simulate(20.0, **run)
    assert largest(result, boxes, "displacement") < 1e-9 and largest(result, boxes, "velocity") < 1e-9


@pytest.mark.parametrize("angle, mu", [(20, 0.5), (30, 0.3)])
@pytest.mark.parametrize("kind", ["solid", "open"])
def test_a_box_on_a_slope_stays_below_the_angle_of_friction_and_slides_above(angle, mu, kind):
    m = sl.Model()
    q = math.radians(angle)
    n, down = np.array([math.sin(q), 0, math.cos(q)]), np.array([math.cos(q), 0, -math.sin(q)])
    if kind == "solid":
        ramp = m.mesh(box(4, 2, 0.2), mass=100, rotation=(0, q, 0))
        m.fixed(m.ground, ramp)
    else:
        corners = [tuple(0.1 * n + 0.3 * i * down + (0, 0.25 * j, 0)) for i in range(-6, 7) for j in range(-4, 5)]
        squares = [(9 * i + j, 9 * i + j + 9, 9 * i + j + 10, 9 * i + j + 1) for i in range(12) for j in range(8)]
        ramp = m.surface((corners, [t for a, b, c, d in squares for t in ((a, b, c), (a, c, d))]))
    body = m.mesh(box(0.2, 0.3, 0.2), mass=1, at=tuple(0.2 * n), rotation=(0, q, 0))
    m.contact([ramp], [body], friction=mu)
    until = 100.0 if math.tan(q) < mu else 0.5
    way = m.simulate(until, step=0.005)[body.displacement].last
    slides = 0.5 * G * (math.sin(q) - mu * math.cos(q)) * until**2
    assert way == pytest.approx(max(slides, 0.0) * down, abs=1e-9 if slides < 0 else 5e-3 * slides)


@pytest.mark.parametrize("fine", [16, 32])
@pytest.mark.parametrize("restitution", [0.0, 0.5])
def test_a_ring_hangs_in_a_ring(fine, restitution):
    m = sl.Model()
    ring = torus(0.1, 0.02, 2 * fine, fine)
    upper = m.mesh(ring, mass=1, rotation=(math.pi / 2, 0, 0))
    m.fixed(m.ground, upper)
    lower = m.mesh(ring, mass=1, at=(0.003, 0.002, -0.15), rotation=(0, math.pi / 2, 0))
    m.contact([upper], [lower], friction=0.2, restitution=restitution)
    result = m.simulate(3.0, step=1e-3)
    facets = 0.1 * (math.pi / (2 * fine)) ** 2 + 0.02 * (math.pi / fine) ** 2
    assert result[lower.position].last[2] == pytest.approx(-0.16, abs=facets)
    assert largest(result, [lower], "velocity") < 0.05
    assert result.report["energy_end"] < result.report["energy_start"]


@pytest.mark.parametrize("widths", [(0.02, 0.02), (0.02, 0.03)])
def test_gears_turn_by_their_numbers_of_teeth(widths):
    m = sl.Model(gravity=(0, 0, 0))
    play = 1e-4
    pinion = m.mesh(gear(20, 0.01, widths[0], play=play), mass=1, name="pinion")
    wheel = m.mesh(gear(30, 0.01, widths[1], math.pi / 30, play=play), mass=2, at=(0.25, 0, 0), name="wheel")
    m.revolute(m.ground, pinion, at=(0, 0, 0), axis="z", speed=5.0)
    hinge = m.revolute(m.ground, wheel, at=(0.25, 0, 0), axis="z", damping=0.5)
    m.contact([pinion], [wheel], friction=0.0)
    result = m.simulate(0.5, step=5e-4)
    # The flanks that drive have parted by the play of both; chords of involutes are nearer to their base by some micrometres.
    behind = result[hinge.angle] + result.time * 5.0 * 20 / 30
    assert np.abs(behind[200:] - play / 0.15).max() < 3e-4
    assert np.abs(result[wheel.angular_velocity][200:, 2] + 10 / 3).mean() < 0.05


def scene(restitution=0.0, friction=0.4, **contact):
    m = sl.Model()
    floor = m.plane()
    random = np.random.default_rng(1)
    rings = [m.mesh(torus(0.1, 0.03, 16, 8), mass=1, at=(0.03 * i, 0.01 * i, 0.15 + 0.2 * i), rotation=tuple(random.normal(size=3)), name=f"ring_{i}") for i in range(3)]
    law = contact or dict(restitution=restitution, friction=friction)
    m.contact([floor], rings, **law)
    m.contact(rings, **law)
    return m, rings


@pytest.mark.parametrize("restitution", [0.0, 0.5, 1.0])
def test_rings_that_fall_on_each_other_gain_no_energy(restitution):
    m, _ = scene(restitution)
    result = m.simulate(1.0, step=1e-3)
    assert result.report["energy_end"] <= result.report["energy_start"] * (1 + 1e-9)
    if restitution == 0:
        assert result.report["energy_end"] < 0.6 * result.report["energy_start"]


def test_rings_fall_the_same_on_one_two_and_seven_threads():
    m, rings = scene()
    last = [np.concatenate([m.simulate(0.6, step=1e-3, threads=n)[b.position].last for b in rings]) for n in (1, 2, 7)]
    assert np.array_equal(last[0], last[1]) and np.array_equal(last[0], last[2])


def test_a_scene_of_meshes_goes_on_from_its_file(tmp_path):
    m, rings = scene()
    whole = m.simulate(0.8, step=1e-3)[rings[2].position].last
    first = m.simulate(0.4, step=1e-3)
    first.save(tmp_path / "first.saltus")
    stored = load_result(tmp_path / "first.saltus")
    m.save(tmp_path / "rings.json")
    again = sl.Model.load(tmp_path / "rings.json")
    on = again.simulate(0.8, step=1e-3, start=stored)
    assert on[again["ring_2"].position].last == pytest.approx(whole, abs=1e-9)


def test_springs_in_place_of_a_law_hold_meshes_under_a_smooth_scheme():
    m = sl.Model()
    floor = m.mesh(box(2, 2, 0.2), mass=1, at=(0, 0, -0.1))
    m.fixed(m.ground, floor)
    body = m.mesh(box(0.2, 0.2, 0.2), mass=2.0, at=(0, 0, 0.1))
    m.contact([floor], [body], stiffness=1e6, damping=1e3, friction=0.3, exponent=1.0)
    last = m.simulate(1.0)[body.position].last
    assert last[2] - 0.1 == pytest.approx(-2.0 * G / 4e6, rel=1e-3)


def test_distances_of_meshes_are_those_of_their_boxes():
    def placed(at):
        points, triangles = box(0.2, 0.2, 0.2)
        return ("mesh", 0.0, (0, 0, 0), points, [i for t in triangles for i in t], at, (1, 0, 0, 0, 1, 0, 0, 0, 1))

    for at, gap in (((0.5, 0, 0), 0.3), ((0.5, 0.6, 0), 0.5), ((0.5, 0.6, 1.4), 1.3)):
        assert _core.shape_distance(placed((0, 0, 0)), placed(at))[0] == pytest.approx(gap, abs=1e-13)


def test_a_fast_mesh_does_not_pass_a_thin_one():
    m = sl.Model(gravity=(0, 0, 0))
    wall = m.mesh(box(0.02, 1, 1), mass=1)
    m.fixed(m.ground, wall)
    body = m.mesh(box(0.05, 0.05, 0.05), mass=1, at=(-1, 0.013, 0.021), velocity=(80, 0, 0))
    m.contact([wall], [body], restitution=0.0)
    assert m.simulate(0.05, step=2e-3)[body.position].last[0] < -0.034
