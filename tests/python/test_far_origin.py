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


def sampled_pendulum(shift, tolerance):
    """Two rods with a damper that is sampled, so that generalized-alpha starts anew twenty times a second."""
    m = sl.Model()
    at = lambda x: (shift + x, 0.0, 0.0)  # noqa: E731
    a, b = m.rod(at(0), at(1), mass=1, name="a"), m.rod(at(1), at(2), mass=1, name="b")
    m.revolute(m.ground, a, at=at(0), axis="y")
    m.revolute(a, b, at=at(1), axis="y")
    damper = m.torque(b, (0, 0, 0), name="damper")
    m.controller(lambda t, w: (0.0, -0.1 * w, 0.0), period=0.05, inputs=[b.angular_velocity.y], outputs=[damper])
    return np.asarray(m.simulate(1.0, scheme="generalized_alpha", tolerance=tolerance)[b.position])[-1] - (shift, 0.0, 0.0)


def test_a_run_starts_anew_behind_a_sample_far_from_the_origin():
    """Joints close to the rounding of where they stand, 4e-12 m, and no better."""
    near = sampled_pendulum(0.0, 1e-6)
    for shift in (360.0, 2e4, -1e6):
        assert sampled_pendulum(shift, 1e-6) == pytest.approx(near, abs=1e-5)
    assert sampled_pendulum(2e4, 1e-8) == pytest.approx(near, abs=1e-5)
