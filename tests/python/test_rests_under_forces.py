"""What rests under a force that varies stays where it is; the force of its contact follows, in steps that it asks for and no smaller ones."""

import numpy as np
import pytest

import saltus as sl

G, UNTIL = 9.81, 4.0


@pytest.mark.parametrize("scheme", ["nonsmooth_generalized_alpha", "moreau_jean", "event_driven"])
@pytest.mark.parametrize("shape", ["sphere", "box"])
def test_a_body_pressed_by_a_force_that_varies_rests_in_few_steps(shape, scheme):
    """10 + 5 sin 5t down, and on the box 2 sin 5t across, which friction holds. The first scheme took 25,000 steps."""
    m, across = sl.Model(), 2.0 if shape == "box" else 0.0
    body = m.sphere(radius=0.1, mass=1.0, at=(0, 0, 0.1)) if shape == "sphere" else m.box(size=(0.2, 0.2, 0.2), mass=1.0, at=(0, 0, 0.1))
    m.contact([m.plane()], [body], friction=0.8, name="on")
    m.force(body, (f"{across}*sin(5*t)", 0, "-(10+5*sin(5*t))"))
    result = m.simulate(UNTIL, scheme=scheme)
    assert np.abs(np.asarray(result[body.position]) - (0, 0, 0.1)).max() < 1e-9
    t, force = np.asarray(result.time), np.asarray(result["on.force"])
    assert force[2:, 2] == pytest.approx(G + 10 + 5 * np.sin(5 * t[2:]), rel=3e-3)
    assert force[2:, 0] == pytest.approx(-across * np.sin(5 * t[2:]), abs=5e-2)
    assert result.report["steps"] < 3000


@pytest.mark.parametrize("scheme", ["nonsmooth_generalized_alpha", "moreau_jean", "event_driven"])
def test_what_a_force_lifts_parts_where_it_exceeds_the_weight(scheme):
    """A sin wt over m g from t0 on: z = -g s^2 / 2 + A ((sin wt0 - sin wt) / w^2 + s cos(wt0) / w), s = t - t0."""
    A, w, until = 15.0, 5.0, 0.45
    m = sl.Model()
    ball = m.sphere(radius=0.1, mass=1.0, at=(0, 0, 0.1))
    m.contact([m.plane()], [ball])
    m.force(ball, (0, 0, f"{A}*sin({w}*t)"))
    result = m.simulate(until, scheme=scheme)
    start = np.arcsin(G / A) / w
    s = until - start
    z = -G * s**2 / 2 + A * ((np.sin(w * start) - np.sin(w * until)) / w**2 + s * np.cos(w * start) / w)
    assert result[ball.position].last[2] - 0.1 == pytest.approx(z, rel=3e-4)
