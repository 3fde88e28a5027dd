"""Every law of a rough contact under nonsmooth generalized-alpha, against schemes that are made otherwise: a sphere that slides, spins and rolls at once."""

import numpy as np
import pytest

import saltus as sl
from saltus.items import AdhesiveCoulombImpact, CohesiveCoulombImpact, ContensouImpact, CoulombImpact, FremondImpact, MohrCoulomb, OrthotropicImpact, PoissonCoulombImpact, RollingImpact, StribeckImpact

LAWS = {
    "coulomb": CoulombImpact(friction=0.3),
    "contensou": ContensouImpact(friction=0.3, spinning=0.02),
    "contensou that bounces": ContensouImpact(friction=0.2, spinning=0.002, restitution=0.5),
    "rolling": RollingImpact(friction=0.3, rolling=0.01),
    "rolling and spinning": RollingImpact(friction=0.3, rolling=0.01, spinning=0.02),
    "spinning": RollingImpact(friction=0.3, spinning=0.02),
    "orthotropic": OrthotropicImpact(friction_1=0.1, friction_2=0.4),
    "of the speed": StribeckImpact(friction_at_rest=0.5, friction_sliding=0.2, speed=0.3, growth=0.05),
    "mohr_coulomb": MohrCoulomb(cohesion=1, tension=0.5, angle=0.3),
    "adhesive": AdhesiveCoulombImpact(adhesion=3, friction=0.3),
    "cohesive": CohesiveCoulombImpact(strength=5, opening=0.01, friction=0.3),
    "poisson": PoissonCoulombImpact(friction=0.3, restitution=0.5),
    "fremond": FremondImpact(friction=0.3, restitution=0.5),
}
ELSEWHERE = {"cohesive"}  # event_driven does not take it


def motion(law, height, unit=1.0, until=0.2, **how):
    """Place, velocity and speeds of the rim in the end; height: of the fall, and a velocity down where it falls."""
    m = sl.Model(gravity=(0, 0, -9.81 * unit))
    b = m.sphere(radius=0.1 * unit, mass=1, at=(0, 0, (0.1 + height) * unit), velocity=(unit, 0.4 * unit, -0.5 * unit if height else 0), angular_velocity=(4, -6, 12))
    m.contact(m.plane(), b, law=law)
    r = m.simulate(until, **how)
    return np.concatenate([r[b.position].last / unit, r[b.velocity].last / unit, 0.1 * np.asarray(r[b.angular_velocity].last)])


@pytest.mark.parametrize("height", (0.0, 0.02), ids=("slides", "lands"))
@pytest.mark.parametrize("name", LAWS)
def test_the_motion_is_that_of_other_schemes_at_default_settings_and_with_a_step(name, height):
    truth = motion(LAWS[name], height, scheme="moreau_jean", tolerance=1e-9) if name in ELSEWHERE else motion(LAWS[name], height, scheme="event_driven", tolerance=1e-10)
    alpha = dict(scheme="nonsmooth_generalized_alpha")
    assert np.abs(motion(LAWS[name], height, **alpha) - truth).max() < 6e-5
    assert np.abs(motion(LAWS[name], height, step=2e-4, **alpha) - truth).max() < 2e-4


@pytest.mark.parametrize("how", ({}, {"tolerance": 1e-8}, {"step": 1e-4}))
@pytest.mark.parametrize("unit", (1.0, 1000.0))
def test_sliding_and_spin_that_share_one_bound_follow_the_equations(how, unit):
    m = sl.Model(gravity=(0, 0, -9.81 * unit))
    b = m.sphere(radius=0.1 * unit, mass=1, at=(0, 0, 0.1 * unit), velocity=(unit, 0, 0), angular_velocity=(0, 0, 10))
    m.contact(m.plane(), b, law=ContensouImpact(friction=0.3, spinning=0.02 * unit))
    r = m.simulate(0.2, scheme="nonsmooth_generalized_alpha", **how)
    # maximal dissipation, by scipy's solve_ivp
    assert r[b.angular_velocity.z].last == pytest.approx(1.91375, abs=2e-5) and r[b.position.x].last / unit == pytest.approx(0.162948, abs=2e-6)


@pytest.mark.parametrize("tolerance", (1e-5, 1e-7))
def test_a_sphere_that_lands_slides_as_right_as_its_tolerance(tolerance):
    # One long step after the landing turned the rows by a quarter of a radian: velocities were 1e-3 beside, at any tolerance.
    truth = motion(LAWS["orthotropic"], 0.02, until=0.1, scheme="event_driven", tolerance=1e-11)
    assert np.abs(motion(LAWS["orthotropic"], 0.02, until=0.1, scheme="nonsmooth_generalized_alpha", tolerance=tolerance) - truth).max() < 10 * tolerance
