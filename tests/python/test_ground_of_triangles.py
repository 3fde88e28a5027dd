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


@pytest.mark.parametrize("ground", ("hilly field", "hilly surface"))
def test_a_long_flight_ends_at_a_hill(ground):  # the first step took the ball through the surface, over whose corners nothing was near
    for x in np.linspace(-1, 1, 21):
        m = sl.Model()
        assert lowest(m, ground, m.sphere(radius=0.1, mass=1, at=(x, 0.03, 1.4)), 0.7) > -0.05, x
