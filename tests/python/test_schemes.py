"""Schemes with typed options are those of the engine, option by option."""

import math

import pytest

import saltus as sl


def pendulum():
    m = sl.Model(gravity=(0, -9.81, 0))
    rod = m.rod((0, 0, 0), (1, 0, 0), mass=1)
    m.revolute(m.ground, rod, at=rod.start, axis="z")
    return m, rod


@pytest.mark.parametrize(
    "scheme",
    [
        sl.GeneralizedAlpha(spectral_radius=0.9),
        sl.GeneralizedAlpha(index=2, newton="modified"),
        sl.RungeKutta4(),
        sl.DormandPrince(drift="none"),
        sl.MoreauJean(theta=0.5, drift="ggl"),
    ],
    ids=repr,
)
def test_every_scheme_swings_the_pendulum_alike(scheme):
    m, rod = pendulum()
    tip = m.simulate(until=0.5, step=1e-3, scheme=scheme)[rod.end.position].last
    m, rod = pendulum()
    fine = m.simulate(until=0.5, tolerance=1e-10, scheme=sl.DormandPrince())[rod.end.position].last
    assert math.dist(tip, fine) < 2e-5


def test_an_option_that_a_scheme_lacks_is_refused_by_name():
    m, _ = pendulum()
    with pytest.raises(sl.ModelError, match="gamma"):
        m.simulate(until=0.1, step=1e-3, scheme=sl.Scheme("generalized_alpha", gamma=0.5))


@pytest.mark.parametrize("scheme", ["moreau_jean", "generalized_alpha", "dormand_prince"])
def test_every_scheme_tells_what_it_made_of_the_start_and_refuses_it_where_that_is_asked(scheme):
    m = sl.Model(gravity=(0, 0, 0))
    rod = m.rod((0, 0, 0), (1, 0, 0), mass=3, angular_velocity=(0, 0, 2))  # its centre would have to move at 1 m/s
    m.revolute(m.ground, rod, at=(0, 0, 0), axis="z", name="pin")
    with pytest.warns(sl.ModelWarning, match="relations/pin: initial velocities were changed by"):
        result = m.simulate(0.01, scheme=scheme)
    # Least impulse: the moment of momentum about the pin stays, I w = m L^2/12 2.
    assert result[rod.angular_velocity.z].last == pytest.approx(2 * (1 / 12) / (1 / 3), abs=1e-6)
    with pytest.raises(sl.RunError, match="initial velocities violate the constraints .* row 1 of 'pin': -?1"):
        m.simulate(0.01, scheme=scheme, consistent=False)
