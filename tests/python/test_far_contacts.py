"""Contacts far from the origin, and on planes whose point is far away: what rests does not sink by the size of the coordinates."""

import numpy as np
import pytest

import saltus as sl

FAR = 1e6
SHAPES = {
    "sphere": (lambda m, at: m.sphere(radius=0.2, mass=1.0, at=at), 0.2),
    "capsule": (lambda m, at: m.capsule(radius=0.1, length=0.6, mass=1.0, axis="x", at=at), 0.1),
    "cylinder": (lambda m, at: m.cylinder(radius=0.2, length=0.4, mass=1.0, axis="z", at=at), 0.2),
    "rod": (lambda m, at: m.cylinder(radius=0.05, length=1.0, mass=1.0, axis="x", at=at), 0.05),
    "box": (lambda m, at: m.box(size=(0.4, 0.4, 0.4), mass=1.0, at=at), 0.2),
}


def grounds(m, kind):
    if kind == "plane":
        return m.plane()
    if kind == "mesh":
        return m.surface(([(FAR + x, y, 0.0) for x, y in ((-2, -2), (2, -2), (2, 2), (-2, 2))], [(0, 1, 2), (0, 2, 3)]))
    return m.height_field(np.zeros((5, 5)), size=(4.0, 4.0), at=(FAR, 0, 0))


@pytest.mark.parametrize("scheme", ["moreau_jean", "nonsmooth_generalized_alpha", "d1_minus"])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("ground", ["plane", "mesh", "height_field"])
def test_what_rests_a_thousand_kilometres_from_the_origin_does_not_sink(ground, shape, scheme):
    make, height = SHAPES[shape]
    m = sl.Model()
    body = make(m, (FAR, 0, height + 1e-3))
    m.contact([grounds(m, ground)], [body], friction=0.3, name="on")
    r = m.simulate(0.2, step=1e-3, scheme=scheme)
    allowed = 2e-4 if scheme == "d1_minus" else 2e-6  # an impact at the end of its step leaves what it fell into; it parts nothing
    assert abs(r[body.position].last[2] - height) < allowed
    assert r["on.force"].last[2] == pytest.approx(9.81, rel=1e-3)
