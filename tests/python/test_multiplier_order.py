"""Positions, velocities and reactions of generalized-alpha are of second order from the first step on, wherever a spinning body's reference point
lies; the truth is Dormand and Prince's scheme at 1e-12."""

import numpy as np
import pytest

import saltus as sl

pytestmark = pytest.mark.filterwarnings("ignore::saltus.ModelWarning")
END, INTERVAL = 0.04, 2e-3


def top(reference):
    """A heavy top about the origin, its centre of mass at 1 m."""
    m = sl.Model()
    w, p = np.array([3.0, 30.0, 1.0]), np.array(reference)
    body = m.body(
        mass=15.0,
        inertia=(0.234375, 0.46875, 0.234375),
        at=tuple(p),
        center_of_mass=tuple(np.array([0, 1, 0]) - p),
        velocity=tuple(np.cross(w, p)),
        angular_velocity=tuple(w),
    )
    return m, [body], [m.spherical(m.ground, body, at=(0, 0, 0))]


def double_pendulum():
    m = sl.Model()
    w1, w2 = np.array([4.0, 2, 3]), np.array([1.0, 7, -2])
    a = m.rod((0, 0, 0), (1, 0, 0), mass=1, radius=0.05, velocity=tuple(np.cross(w1, (0.5, 0, 0))), angular_velocity=tuple(w1))
    tip = np.cross(w1, (1, 0, 0)) + np.cross(w2, (0, 0.5, 0))
    b = m.rod((1, 0, 0), (1, 1, 0), mass=2, radius=0.05, velocity=tuple(tip), angular_velocity=tuple(w2))
    return m, [a, b], [m.spherical(m.ground, a, at=(0, 0, 0)), m.spherical(a, b, at=(1, 0, 0))]


def disc_on_arm():
    m = sl.Model()
    arm = m.rod((0, 0, 0), (0.5, 0, 0), mass=1, radius=0.02, velocity=(0, 0.75, 0), angular_velocity=(0, 0, 3))
    disc = m.body(
        mass=2, inertia=(0.04, 0.02, 0.02), at=(0.5, 0, 0), center_of_mass=(0, 0.01, 0), velocity=(0, 1.5, 0), angular_velocity=(40, 0, 3)
    )
    return m, [arm, disc], [m.spherical(m.ground, arm, at=(0, 0, 0)), m.revolute(arm, disc, at=(0.5, 0, 0), axis="x")]


def slider_crank():
    m = sl.Model()
    A, B, C = (0, 0.1, 0.12), (0, 0.18, 0.12), (0.2078461, 0, 0)
    crank, rod = m.rod(A, B, mass=0.1, radius=0.01), m.rod(B, C, mass=0.2, radius=0.01)
    slider = m.box(size=(0.05, 0.05, 0.05), mass=1, at=C)
    motor = m.revolute(m.ground, crank, at=A, axis="x", speed=6.2832)
    joints = [motor, m.spherical(crank, rod, at=B), m.universal(rod, slider, at=C, axes=("y", "z"))]
    m.prismatic(m.ground, slider, at=C, axis="x")
    return m, [rod, slider], joints


MODELS = {
    "top, pin": lambda: top((0.0, 0.0, 0.0)),
    "top, centre of mass": lambda: top((0.0, 1.0, 0.0)),
    "top, elsewhere": lambda: top((0.3, 0.5, -0.2)),
    "double pendulum": double_pendulum,
    "disc on an arm": disc_on_arm,
    "slider-crank": slider_crank,
}


def samples(name, count=None, **options):
    """Positions, velocities, reactions of all bodies and joints at the multiples of INTERVAL; steps taken."""
    m, bodies, joints = MODELS[name]()
    result = m.simulate(END, **options)
    time = np.asarray(result.time)
    at = [int(np.argmin(abs(time - t))) for t in np.arange(0.0, END + 1e-9, INTERVAL)]
    kinds = ([(b.position, b.rotation_matrix) for b in bodies], [(b.velocity, b.angular_velocity) for b in bodies], [(j.force, j.torque) for j in joints])
    return [np.hstack([np.asarray(result[q])[at].reshape(len(at), -1) for pair in kind for q in pair]) for kind in kinds], result.report["steps"]


@pytest.fixture(scope="module")
def truth():
    return {name: samples(name, scheme="dormand_prince", tolerance=1e-12, record=INTERVAL)[0] for name in MODELS}


def errors(found, exact):
    return [np.abs(f - e).max() for f, e in zip(found, exact, strict=True)]


@pytest.mark.parametrize("index", [3, 2])
@pytest.mark.parametrize("S", [0.0, 0.6, 0.8, 0.9])
@pytest.mark.parametrize("name", MODELS)
def test_all_are_of_second_order_from_the_first_step(truth, name, S, index):
    scheme = sl.GeneralizedAlpha(spectral_radius=S, index=index)
    coarse, fine = (errors(samples(name, scheme=scheme, step=h)[0], truth[name]) for h in (1e-3, 5e-4))
    for kind, a, b, exact in zip(("position", "velocity", "reaction"), coarse, fine, truth[name], strict=True):
        if b < 1e-10 * np.abs(exact).max():
            continue  # prescribed, and exact
        assert np.log2(a / b) > 1.75, (kind, a, b)


@pytest.mark.parametrize("S", [0.6, 0.9])
@pytest.mark.parametrize("name", ["top, centre of mass", "double pendulum", "disc on an arm"])
def test_reactions_stay_of_second_order_where_error_control_changes_the_step(truth, name, S):
    found = []
    for tolerance in (1e-3, 1e-5):  # below, rounding of positions over h^2 counts
        values, steps = samples(name, scheme=sl.GeneralizedAlpha(spectral_radius=S), tolerance=tolerance, record=INTERVAL)
        found.append((steps, errors(values, truth[name])[2]))
    (few, large), (many, small) = found
    assert many > 2 * few
    assert large / small > 0.25 * (many / few) ** 2, found
