"""What is round rolls and slides over the seams of surfaces: where it lies on one of them, the edge of the next one at the same height is no obstacle."""

import math

import numpy as np
import pytest

import saltus as sl

G, R, V = 9.81, 0.1, 5.0
SCHEMES = ({}, {"tolerance": 1e-8}, {"scheme": "event_driven"}, {"scheme": "nonsmooth_generalized_alpha", "tolerance": 1e-8})


def plates(slope, body=False):
    """A plate to x = 0, and one from there that rises by the angle; both of one body, or two bodies."""
    m, n, d = sl.Model(), (-math.sin(slope), math.cos(slope)), (math.cos(slope), math.sin(slope))
    at = (3 * d[0] - 0.1 * n[0], 0, 3 * d[1] - 0.1 * n[1])
    first = m.box(size=(3, 1, 0.2), mass=1, at=(-1.5, 0, -0.1))
    m.fixed(m.ground, first)
    if body:
        return m, [first, m.shape("box", first, size=(6, 1, 0.2), at=(at[0] + 1.5, at[1], at[2] + 0.1), rotation=(0, -slope, 0))]
    second = m.box(size=(6, 1, 0.2), mass=1, at=at, rotation=(0, -slope, 0))
    m.fixed(m.ground, second)
    return m, [first, second]


def rolls(m, ground, until, kind="sphere", friction=0.0, **how):
    shape = {"axis": "y", "length": 0.2} if kind != "sphere" else {}
    ball = getattr(m, kind)(radius=R, mass=1, at=(-1, 0, R), velocity=(V, 0, 0), angular_velocity=(0, V / R if friction else 0, 0), **shape)
    m.contact(ground, [ball], friction=friction)
    return ball, m.simulate(until, **how)


@pytest.mark.parametrize("body", (False, True), ids=("bodies", "body"))
@pytest.mark.parametrize("how, kind", [(how, kind) for how in SCHEMES[1:] for kind in ("sphere", "cylinder", "capsule")] + [({}, "sphere")])
def test_what_is_round_flies_on_level_from_a_crest(how, kind, body):
    ball, r = rolls(*plates(-math.radians(30), body), 0.78, kind, **how)
    after, early = r.at(0.75), 2e-6 if how.get("scheme") != "event_driven" else 3e-5  # it leaves by the edge of the second plate, whose gap is 4e-10 m there
    assert after[ball.velocity.z] == pytest.approx(-G * 0.55, abs=early)
    assert after[ball.position.z] == pytest.approx(R - G * 0.55**2 / 2, abs=early)
    assert after[ball.velocity.x] == pytest.approx(V, abs=1e-7)


@pytest.mark.parametrize("friction", (0.0, 0.5))
@pytest.mark.parametrize("kind", ("sphere", "cylinder", "capsule"))
@pytest.mark.parametrize("how", SCHEMES)
def test_a_flush_seam_of_two_plates_is_none(kind, how, friction):
    ball, r = rolls(*plates(0.0), 0.5, kind, friction, **how)
    assert all(impulse < 5e-5 for when, kind, _, impulse, *_ in r.events if kind == "impact" and when > 0)  # of 4.6e-4 N s before, where there was one
    assert np.abs(np.asarray(r[ball.velocity])[:, 2]).max() < (5e-5 if how.get("scheme") == "event_driven" else 1e-7)  # it may fall for microseconds from plate to plate
    assert r[ball.velocity.x].last == pytest.approx(V, abs=1e-9)


@pytest.mark.parametrize("how", SCHEMES)
def test_a_kink_upwards_takes_what_its_law_says(how):
    """An impact without restitution: the velocity across the slope is gone."""
    slope = math.radians(10)
    _, r = rolls(*plates(slope), 0.4, **how)
    energy = r["energy.total"]
    assert energy[0] - energy.last == pytest.approx(0.5 * (V * math.sin(slope)) ** 2, rel=1e-5)


@pytest.mark.parametrize("how", SCHEMES)
def test_an_edge_that_stands_out_is_struck(how):
    """By a tenth of a millimetre: the ball meets it along the line from there to its centre."""
    m, step = sl.Model(), 1e-4
    first, second = m.box(size=(3, 1, 0.2), mass=1, at=(-1.5, 0, -0.1)), m.box(size=(6, 1, 0.2), mass=1, at=(3, 0, step - 0.1))
    for plate in (first, second):
        m.fixed(m.ground, plate)
    _, r = rolls(m, [first, second], 0.21, **how)
    across = V * math.sqrt(2 * step / R - (step / R) ** 2)
    energy = r["energy.total"]
    assert energy[0] - energy.last == pytest.approx(0.5 * across**2, rel=1e-3 if how else 2e-2)
