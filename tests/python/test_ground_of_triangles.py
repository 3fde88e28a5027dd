"""What falls on surfaces of triangles and height fields is stopped there, whatever the scheme, and at a kink it goes on as the closed form says."""

import math

import numpy as np
import pytest

import saltus as sl

pytestmark = pytest.mark.filterwarnings("ignore::saltus.ModelWarning")

G = 9.81
NAMES = ("default", "event_driven", "nonsmooth_generalized_alpha")
SCHEMES = ({}, {"scheme": NAMES[1]}, {"scheme": NAMES[2]})
XS = np.linspace(-2, 2, 21)
HILLS = 0.1 * np.sin(3 * XS)[:, None] * np.cos(2 * XS)[None, :]


def sheet(height):
    """Triangles over the squares of a grid."""
    n = len(XS)
    points = [(x, y, height[i, j]) for i, x in enumerate(XS) for j, y in enumerate(XS)]
    faces = []
    for i in range(n - 1):
        for j in range(n - 1):
            a, b = i * n + j, (i + 1) * n + j
            faces += [(a, b, b + 1), (a, b + 1, a + 1)]
    return points, faces


GROUNDS = {
    "flat field": lambda m: m.height_field(np.zeros((21, 21)), size=(4, 4)),
    "hilly field": lambda m: m.height_field(HILLS, size=(4, 4)),
    "two triangles": lambda m: m.surface(([(-2, -2, 0), (2, -2, 0), (2, 2, 0), (-2, 2, 0)], [(0, 1, 2), (0, 2, 3)])),
    "hilly surface": lambda m: m.surface(sheet(HILLS)),
}
SHAPES = ("sphere", "capsule", "box", "hull")


def body(m, kind, seed):
    rng = np.random.default_rng(seed)
    start = dict(mass=1, at=(rng.uniform(-0.3, 0.3), rng.uniform(-0.3, 0.3), rng.uniform(0.4, 1.0)), velocity=tuple(0.5 * rng.normal(size=3)))
    turned, axis = sl.Rotation.of_vector(rng.normal(size=3)), tuple(rng.normal(size=3))
    if kind == "sphere":
        return m.sphere(radius=0.1, **start)
    if kind == "capsule":
        return m.capsule(radius=0.06, length=0.15, axis=axis, **start)
    if kind == "box":
        return m.box(size=(0.2, 0.25, 0.3), rotation=turned, **start)
    corners = [(x, y, z) for x in (-0.1, 0.1) for y in (-0.12, 0.12) for z in (-0.08, 0.08)]
    return m.hull(corners, rotation=turned, **start)


def lowest(m, ground, b, end, **run):
    m.contact([GROUNDS[ground](m)], [b], friction=0.3, restitution=0.3)
    x, y, z = np.asarray(m.simulate(end, **run)[b.position]).T
    return z[(np.abs(x) < 1.9) & (np.abs(y) < 1.9)].min()


FLAT = (6, 1.0, 0.055)  # the thinnest body has its middle 0.06 m over what it lies on
HILLY = (3, 0.55, -0.1)  # as deep as the valleys are


@pytest.mark.parametrize("kind", SHAPES)
@pytest.mark.parametrize("run", SCHEMES, ids=NAMES)
@pytest.mark.parametrize("ground, case", [("flat field", FLAT), ("two triangles", FLAT), ("hilly field", HILLY), ("hilly surface", HILLY)], ids=str)
def test_no_body_falls_through_triangles(ground, case, run, kind):
    seeds, end, least = case
    for seed in range(seeds):
        m = sl.Model()
        assert lowest(m, ground, body(m, kind, seed), end, **run) > least, seed


@pytest.mark.parametrize("ground", ("hilly field", "hilly surface"))
def test_a_long_flight_ends_at_a_hill(ground):  # the first step took the ball through the surface, over whose corners nothing was near
    for x in np.linspace(-1, 1, 21):
        m = sl.Model()
        assert lowest(m, ground, m.sphere(radius=0.1, mass=1, at=(x, 0.03, 1.4)), 0.7) > -0.05, x


def test_no_box_falls_through_a_field_beside_a_beam():
    for seed in range(4):
        m = sl.Model()
        beam = m.beam((0, 3, 1), (1, 3, 1), EI=100.0, EA=1e5, mass_per_length=1.0, elements=3, damping=0.01)
        m.fixed(m.ground, beam.start)
        assert lowest(m, "flat field", body(m, "box", seed), 0.8) > 0.09, seed


@pytest.mark.parametrize("degrees", (5, 10, 45))
@pytest.mark.parametrize("run", SCHEMES, ids=NAMES)
@pytest.mark.parametrize("ground", ("surface", "field", "chain"))
def test_a_ball_that_meets_a_ramp_goes_up_it_as_the_closed_form_says(ground, run, degrees):
    """Without friction or restitution the ball leaves the kink with the part of its velocity along the ramp."""
    q, radius, speed, end = math.radians(degrees), 0.1, 2.0, 0.7
    X, Z = 1 + math.cos(q), math.sin(q)
    m = sl.Model(planar=ground == "chain")
    if ground == "chain":
        f = m.surface([(-1, 0), (1, 0), (X, Z)])
        b = m.sphere(radius=radius, mass=1, at=(0, radius), velocity=(speed, 0))
    else:
        if ground == "surface":
            f = m.surface(([(-1, -1, 0), (-1, 1, 0), (1, -1, 0), (1, 1, 0), (X, -1, Z), (X, 1, Z)], [(0, 2, 3), (0, 3, 1), (2, 4, 5), (2, 5, 3)]))
        else:
            f = m.height_field(np.repeat(np.maximum(0, (np.linspace(-1, 3, 81) - 1) * math.tan(q))[:, None], 5, axis=1), size=(4, 2), at=(1, 0, 0))
        b = m.sphere(radius=radius, mass=1, at=(0, 0, radius), velocity=(speed, 0, 0))
    m.contact([f], [b])
    r = m.simulate(end, **run)
    met = (1 - radius * math.tan(0.5 * q)) / speed
    along = speed * math.cos(q) * (end - met) - 0.5 * G * math.sin(q) * (end - met) ** 2
    x, energy = np.asarray(r[b.position]).T[0], np.asarray(r["energy.total"])
    impacts = [event[0] for event in r.events if event[1] == "impact"]
    assert len(impacts) == 1 and impacts[0] == pytest.approx(met, abs=3e-5)
    assert x[-1] == pytest.approx(speed * met + along * math.cos(q), abs=3e-6)
    assert energy[-1] == pytest.approx(energy[0] - 0.5 * (speed * math.sin(q)) ** 2, abs=3e-5)
    assert (energy - np.minimum.accumulate(energy)).max() < 3e-5
