"""Velocities that agree with the joints to rounding are taken as they are, whatever turns beside them."""

import warnings

import numpy as np
import pytest

import saltus as sl


def spinning(trial: int) -> sl.Model:
    """A disk that spins about a pivot with two balls joined to it, all velocities those of one rigid body."""
    rng = np.random.default_rng(trial)
    spin = 10 ** rng.uniform(-1, 3)
    axis = np.eye(3)[rng.integers(3)] if trial % 3 else rng.normal(size=3)
    axis = axis / np.linalg.norm(axis)
    w, centre = spin * axis, np.round(rng.normal(size=3), 2)
    m = sl.Model(gravity=(0, 0, 0))
    disk = m.cylinder(radius=0.5, length=0.1, mass=2, at=tuple(centre), axis=tuple(axis), angular_velocity=tuple(w))
    if trial % 2:
        m.spherical(m.ground, disk, at=tuple(centre))
    else:
        m.revolute(m.ground, disk, at=tuple(centre), axis=tuple(axis))
    across = np.cross(axis, (0.3, 0.5, 0.9))
    across /= np.linalg.norm(across)
    for side in (1, -1):
        p = side * 0.4 * across
        ball = m.sphere(radius=0.05, mass=0.2, at=tuple(centre + p), velocity=tuple(np.cross(w, p)), angular_velocity=tuple(w))
        kind = ("fixed", "spherical", "revolute", "universal", "distance")[trial % 5]
        if kind == "fixed":
            m.fixed(disk, ball)
        elif kind == "spherical":
            m.spherical(disk, ball, at=tuple(centre + p))
        elif kind == "revolute":
            m.revolute(disk, ball, at=tuple(centre + p), axis=tuple(axis))
        elif kind == "universal":
            m.universal(disk, ball, at=tuple(centre + p), axes=(tuple(across), tuple(np.cross(axis, across))))
        else:
            m.distance(disk, ball)
    return m


@pytest.mark.parametrize("scheme", ["moreau_jean", "generalized_alpha", "dormand_prince"])
def test_consistent_velocities_start_without_a_word(scheme):
    for trial in range(40):
        m = spinning(trial)
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            m.simulate(1e-5, scheme=scheme, consistent=trial % 4 != 0)
        assert not [w for w in said if "velocities" in str(w.message)], trial


@pytest.mark.parametrize("scheme", ["moreau_jean", "generalized_alpha", "dormand_prince"])
def test_velocities_of_a_micromachine_are_judged_by_what_cancels(scheme):
    """A rod of a micrometre at 1 km/s: the ends' speeds cancel to 1e-13 m/s, which is more than 1e-10 of its size."""
    m = sl.Model(gravity=(0, 0, 0))
    u = np.array((3.0, 4.0, 12.0)) / 13.0 * 1e3
    a = m.sphere(radius=1e-7, mass=1e-15, at=(0, 0, 0), velocity=tuple(u))
    b = m.sphere(radius=1e-7, mass=3e-15, at=(1e-6, 0, 0), velocity=tuple(u * (1.0 + 3e-16)))
    m.fixed(a, b)
    m.simulate(1e-9, scheme=scheme, consistent=False)


@pytest.mark.parametrize("scheme", ["moreau_jean", "generalized_alpha", "dormand_prince"])
def test_velocities_that_disagree_are_still_refused(scheme):
    m = sl.Model(gravity=(0, 0, 0))
    disk = m.cylinder(radius=0.5, length=0.1, mass=2, angular_velocity=(0, 0, 10.0))
    m.revolute(m.ground, disk, at=(0, 0, 0), axis="z")
    ball = m.sphere(radius=0.05, mass=0.2, at=(0.4, 0, 0), velocity=(0, 4.0 + 1e-6, 0), angular_velocity=(0, 0, 10.0))
    m.fixed(disk, ball)
    with pytest.raises(sl.RunError, match="velocities"):
        m.simulate(1e-5, scheme=scheme, consistent=False)
