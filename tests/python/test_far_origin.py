"""Contacts far from the origin: what counts as closed is measured by the model, not by where it stands."""

import numpy as np
import pytest

import saltus as sl


def bounce(shift, grouped):
    """A sphere that falls on a plane, bounces and slides; its end relative to `shift`."""
    m = sl.Model(gravity=(1.0, 0.0, -9.0))
    at = lambda *p: tuple(np.add(p, shift))  # noqa: E731
    floor = m.plane(at=at(0.0, 0.0, 0.0))
    b = m.sphere(radius=0.1, mass=2.0, at=at(0.0, 0.0, 0.15), velocity=(1.0, -0.4, 0.0), angular_velocity=(3.0, -8.0, 5.0))
    m.contact(floor, [b] if grouped else b, friction=0.2, restitution=0.4)
    return np.asarray(m.simulate(0.6, step=1e-3)[b.position])[-1] - shift


@pytest.mark.parametrize("grouped", [False, True])
def test_bounces_and_slip_are_the_same_far_from_the_origin(grouped):
    shift = np.array((3e4, -2e4, 1e4))
    # Positions are rounded to 4e-12 m there, gaps and slip by that.
    assert bounce(shift, grouped) == pytest.approx(bounce(np.zeros(3), grouped), abs=1e-7)
