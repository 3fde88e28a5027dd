"""Fixed steps in which bodies would fly through each other: they meet where they meet, whatever the step."""

import warnings

import numpy as np
import pytest

import saltus as sl


def last(result, quantity):
    return np.asarray(result[quantity])[-1]


def shot(plate, *, speed=100.0, radius=0.004, restitution=0.0, at=(0.0, 0.0, 0.0), turn=(0.0, 0.0, 0.0), step=1e-3, until=0.02, scheme="moreau_jean"):
    """A bullet against a plate that is fixed to the ground: (bullet's height over the plate's middle, speed) at the end, the result."""
    m = sl.Model(gravity=(0, 0, 0))
    where = np.array(at, dtype=float)
    R = sl.Rotation.of_vector(turn).matrix
    target = m.shape("box", m.ground, size=(1.0, 1.0, plate), at=where, rotation=turn)
    bullet = m.sphere(radius=radius, mass=0.01, at=where + R @ (0, 0, 0.5371), velocity=tuple(R @ (0, 0, -speed)))
    m.contact([target], [bullet], restitution=restitution)
    result = m.simulate(until, step=step, scheme=scheme)
    n = R[:, 2]
    return float((last(result, bullet.position) - where) @ n), float(last(result, bullet.velocity) @ n), result


@pytest.mark.parametrize("restitution", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("step", [1e-4, 1e-3, 1e-2])
def test_a_bullet_does_not_pass_a_plate_of_a_millimetre(restitution, step):
    height, speed, result = shot(1e-3, restitution=restitution, step=step)
    surface, met = 0.5e-3 + 0.004, (0.5371 - 0.5e-3 - 0.004) / 100.0
    assert speed == pytest.approx(100.0 * restitution, abs=1e-9)
    assert height == pytest.approx(surface + 100.0 * restitution * (0.02 - met), abs=2e-3)  # a tenth of what the shapes hold, and how fast it leaves
    assert result.report["rejected"] == 0
    assert not result.warnings  # nothing is wrong with it


@pytest.mark.parametrize("at", [(0, 0, 0), (1e3, -2e3, 5e2)])
@pytest.mark.parametrize("turn", [(0, 0, 0), (0.3, -0.7, 0.2)])
def test_far_from_the_origin_and_turned(at, turn):
    height, speed, _ = shot(1e-3, at=at, turn=turn, restitution=0.5)
    assert speed == pytest.approx(50.0, abs=1e-6) and height > 4.4e-3


def test_what_does_not_meet_costs_no_step():
    m = sl.Model(gravity=(0, 0, 0))
    target = m.shape("box", m.ground, size=(1.0, 1.0, 1e-3))
    beside = m.sphere(radius=0.004, mass=0.01, at=(2.0, 0, 0.5), velocity=(0, 0, -100.0))
    along = m.sphere(radius=0.004, mass=0.01, at=(-0.4, 0, 0.0045), velocity=(30.0, 0, 0))  # slides on the plate
    m.contact([target], [beside, along])
    result = m.simulate(0.02, step=1e-3, scheme="moreau_jean")
    assert result.report["steps"] == 20
    assert last(result, along.position) == pytest.approx([0.2, 0, 0.0045], abs=1e-12)


def test_a_rod_that_spins_strikes_a_thin_post():
    m = sl.Model(gravity=(0, 0, 0))
    rod = m.capsule(radius=0.005, length=1.0, mass=1.0, axis="x", angular_velocity=(0, 0, 100.0))
    post = m.shape("cylinder", m.ground, radius=0.005, length=0.4, at=(0, 0.4, 0))
    m.contact([post], [rod], restitution=1.0)
    result = m.simulate(0.03, step=5e-3, scheme="moreau_jean")  # the tip moves by half its length in a step
    energy = np.asarray(result[rod.kinetic_energy])
    assert float(last(result, rod.velocity)[0]) != 0.0  # it was struck
    assert energy[-1] == pytest.approx(energy[0], rel=1e-9)


def test_two_bullets_meet_in_the_air_and_keep_momentum():
    m = sl.Model(gravity=(0, 0, 0))
    a = m.sphere(radius=0.004, mass=0.01, at=(-1.003, 0, 0), velocity=(200.0, 0, 0))
    b = m.sphere(radius=0.004, mass=0.03, at=(1.0, 0.001, 0), velocity=(-150.0, 0, 0))
    m.contact([a, b], restitution=0.8)
    result = m.simulate(0.02, step=2e-3, scheme="moreau_jean")
    va, vb = last(result, a.velocity), last(result, b.velocity)
    assert va[0] < 0 < vb[0] - va[0]
    assert 0.01 * va + 0.03 * vb == pytest.approx([2.0 - 4.5, 0, 0], abs=1e-12)


def test_a_plate_falls_past_nothing_in_a_moving_frame():
    """All move together: nothing is fast."""
    m = sl.Model(gravity=(0, 0, 0))
    balls = [m.sphere(radius=0.02, mass=1.0, at=(0.05 * i, 0, 0), velocity=(500.0, 0, 0)) for i in range(10)]
    m.contact(balls)
    assert m.simulate(0.1, step=1e-2, scheme="moreau_jean").report["steps"] == 10


def test_a_run_goes_on_bit_for_bit_between_the_parts_of_a_step():
    m = sl.Model(gravity=(0, 0, -9.81))
    wall = m.shape("box", m.ground, size=(1.0, 1.0, 1e-3))
    balls = [m.sphere(radius=0.004, mass=0.01, at=(0.03 * i, 0, 0.3 + 0.11 * i), velocity=(0, 0, -80.0 - 7 * i)) for i in range(4)]
    m.contact([wall], balls, restitution=0.7), m.contact(balls)
    whole = m.simulate(0.02, step=1e-3, scheme="moreau_jean")
    first = m.simulate(0.006, step=1e-3, scheme="moreau_jean")
    rest = m.simulate(0.02, step=1e-3, scheme="moreau_jean", start=first)
    for ball in balls:
        assert np.array_equal(last(whole, ball.position), last(rest, ball.position))
        assert last(whole, ball.position)[2] > 0.004


@pytest.mark.parametrize("scheme", ["nonsmooth_generalized_alpha", "d1_minus"])
def test_schemes_that_cut_a_step_only_where_bodies_would_pass_warn_of_late_impacts(scheme):
    with pytest.warns(sl.ModelWarning, match="coarse for contact.*or take the scheme moreau_jean"):
        height, _, _ = shot(1e-3, scheme=scheme)
    assert height > 0.0


def test_a_scheme_of_equal_steps_ends_before_bodies_pass():
    with pytest.raises(sl.RunError, match=r"bodies would pass through each other within a step, which schatzman_paoli does not shorten: take step=\S+ or less, or the scheme moreau_jean"):
        shot(1e-3, scheme="schatzman_paoli")


@pytest.mark.parametrize("scheme", ["schatzman_paoli", "d1_minus"])
def test_what_parts_is_not_stopped(scheme):
    m = sl.Model(gravity=(0, 0, 0))
    balls = [m.sphere(radius=0.1, mass=1.0, at=(0.25 * i, 0, 0), velocity=(15.0 * (2 * i - 1), 0, 0), name=f"ball_{i}") for i in range(2)]
    m.contact([balls[0]], [balls[1]], restitution=1.0)
    result = m.simulate(0.05, step=1e-2, scheme=scheme)
    assert last(result, balls[1].velocity)[0] == 15.0 and result.report["steps"] == 5


def test_what_flies_past_each_other_costs_no_step_and_what_meets_does():
    for beside, meets in ((0.25, False), (0.05, True)):
        m = sl.Model(gravity=(0, 0, 0))
        balls = [m.sphere(radius=0.1, mass=1.0, at=(-side, 0.5 * (1 - side) * beside, 0), velocity=(20.0 * side, 0, 0), name=f"ball_{side + 1}") for side in (1, -1)]
        m.contact([balls[0]], [balls[1]], restitution=0.5)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # steps coarse for contact
            result = m.simulate(0.2, step=1e-2, scheme="nonsmooth_generalized_alpha")
        assert (result.report["steps"] > 20) == meets and (last(result, balls[0].velocity)[1] != 0.0) == meets


FINDS_FAST_BODIES = ["moreau_jean", "d1_minus", "nonsmooth_generalized_alpha"]


@pytest.fixture
def coarse():
    """Steps that are coarse for contact, which some schemes say."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.mark.usefixtures("coarse")
@pytest.mark.parametrize("scheme", FINDS_FAST_BODIES)
@pytest.mark.parametrize("speed", [0.2, 0.6, 1.0, 1.4, 2.0])
def test_a_ball_that_turns_round_within_the_step_does_not_pass_a_plate(scheme, speed):
    m = sl.Model()
    plate = m.shape("box", m.ground, size=(1.0, 1.0, 0.02))
    ball = m.sphere(radius=0.01, mass=0.01, at=(0, 0, 0.05), velocity=(0, 0, speed))
    m.contact([plate], [ball])
    overlap = 0.1 * 0.02  # of the balls that both hold: in it a contact is found
    assert last(m.simulate(2.0, step=0.1, scheme=scheme), ball.position)[2] >= 0.02 - overlap


@pytest.mark.usefixtures("coarse")
@pytest.mark.parametrize("scheme", FINDS_FAST_BODIES)
@pytest.mark.parametrize("thick", [0.2, 0.002])
def test_a_ball_that_starts_from_rest_within_the_step_does_not_pass_a_wall(scheme, thick):
    m = sl.Model(gravity=(30.0, 0, 0))
    wall = m.shape("box", m.ground, size=(thick, 1.0, 1.0))
    ball = m.sphere(radius=0.1, mass=1.0, at=(-0.3, 0, 0))
    m.contact([wall], [ball])
    assert last(m.simulate(0.6, step=0.2, scheme=scheme), ball.position)[0] <= -0.1 - 0.5 * thick + 0.1 * (0.1 + 0.5 * thick)


@pytest.mark.usefixtures("coarse")
@pytest.mark.parametrize("scheme", FINDS_FAST_BODIES)
@pytest.mark.parametrize("side", [1, -1])
def test_a_thin_plate_that_is_pushed_takes_a_ball_along(scheme, side):
    m = sl.Model(gravity=(0, 0, 0))
    ball = m.sphere(radius=0.01, mass=0.01, at=(0, 0, 0))
    plate = m.box(size=(1.0, 1.0, 0.002), mass=100.0, at=(0, 0, -0.3 * side))
    m.force(plate, (0, 0, side * 3e4))
    m.contact([plate], [ball])
    r = m.simulate(0.2, step=0.05, scheme=scheme)
    assert side * (last(r, ball.position)[2] - last(r, plate.position)[2]) > 0.0


@pytest.mark.usefixtures("coarse")
@pytest.mark.parametrize("scheme", FINDS_FAST_BODIES)
@pytest.mark.parametrize("side", [1, -1])
def test_a_long_rod_that_is_spun_up_strikes_a_thin_plate(scheme, side):
    m = sl.Model(gravity=(0, 0, 0))
    rod = m.capsule(radius=0.005, length=1.0, mass=1.0, axis="x", name="rod")
    hinge = m.revolute(m.ground, rod, at=(0, 0, 0), axis="z")
    plate = m.shape("box", m.ground, size=(0.002, 0.2, 0.2), at=(0, 0.35 * side, 0))
    m.torque(rod, (0, 0, 5.0 * side))
    m.contact([plate], [rod])
    r = m.simulate(0.3, step=0.1, scheme=scheme)
    assert side * last(r, hinge.angle) < 0.5 * np.pi


def test_a_fast_ball_does_not_pass_a_hull_whose_frame_is_outside_of_it():
    m = sl.Model(gravity=(0, 0, 0))
    corners = [(x, y, z) for x in (2.0, 2.002) for y in (-1, 1) for z in (-1, 1)]
    wall = m.shape("hull", m.ground, points=corners)
    ball = m.sphere(radius=0.01, mass=0.01, at=(1.5, 0, 0), velocity=(100.0, 0, 0))
    m.contact([wall], [ball])
    assert last(m.simulate(0.02, step=1e-2, scheme="moreau_jean"), ball.position)[0] < 2.0
