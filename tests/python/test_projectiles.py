"""What is thrown at a target hits it, however shallow the hit and however long the steps of its flight."""

import numpy as np
import pytest

import saltus as sl

GRAVITY = np.array((0, 0, -9.81))
SCHEMES = ["nonsmooth_generalized_alpha", "event_driven"]


def thrown_at(target, when, depth, rise):
    """A ball that would overlap a target of radius 0.2 by `depth` at a time, on one side of its path."""
    m = sl.Model()
    velocity = np.array((2.0, rise, 2.5))
    ball = m.sphere(radius=0.1, mass=1, velocity=velocity)
    there, then = velocity * when + GRAVITY * when**2 / 2, velocity + GRAVITY * when
    aside = np.cross(then, (0, 1, 0))
    centre = there + aside / np.linalg.norm(aside) * (0.3 - depth)
    back = np.array((when, 0, 0))  # of what comes to meet it at 1 m/s
    if target == "fixed":
        other = m.shape("sphere", m.ground, radius=0.2, at=centre)
    elif target == "flying":
        other = m.sphere(radius=0.2, mass=3, at=centre + back, velocity=-back / when - GRAVITY * when / 2)
    else:
        other = m.sphere(radius=0.2, mass=3, at=centre + back)
        m.prismatic(m.ground, other, axis="x", speed=-1.0)
    m.contact([other], [ball], restitution=0.5)
    return m


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("target", ["fixed", "flying", "driven"])
def test_a_ball_does_not_fly_through_what_it_hits(target, scheme):
    rng = np.random.default_rng(11)
    for _ in range(25):
        m = thrown_at(target, rng.uniform(0.15, 0.45), rng.uniform(0.002, 0.05), rng.uniform(-0.1, 0.1))
        assert any(event[1] == "impact" for event in m.simulate(0.8, scheme=scheme).events)


@pytest.mark.parametrize("options", [{"scheme": scheme} for scheme in SCHEMES] + [{"scheme": SCHEMES[0], "tolerance": 1e-8}])
def test_a_ball_that_bounces_down_stairs_does_not_pass_through_an_edge(options):
    m = sl.Model(planar=True)
    ball = m.sphere(radius=0.1, mass=1, at=(0.1, 1.3, 0), velocity=(0.8, 0, 0))
    stairs = [m.shape("box", m.ground, size=(0.5, 1 - 0.2 * k, 1), at=(0.25 + 0.5 * k, 0.5 * (1 - 0.2 * k), 0)) for k in range(5)]
    m.contact(stairs, [ball], restitution=0.6, friction=0.3)
    result = m.simulate(1.0, **options)
    at = result.at(np.linspace(0.6, 0.86, 500))
    x, y = np.asarray(at[ball.position.x]), np.asarray(at[ball.position.y])
    beside = np.hypot(np.maximum(x - 0.5, 0), np.maximum(y - 1, 0))  # of the first step, whose edge is at (0.5, 1)
    assert np.min(beside) > 0.1 - 1e-4
