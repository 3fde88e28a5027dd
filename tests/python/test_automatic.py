"""scheme="auto": what it takes, why, and where it changes over."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import saltus as sl
from saltus.items import CoordinateLoad, CoordinateSpringDamper, Mass1d, Node1d


def pendulum():
    m = sl.Model(gravity=(0, -9.81, 0))
    rod = m.rod((0, 0, 0), (1, 0, 0), mass=1)
    m.revolute(m.ground, rod, at=rod.start, axis="z")
    return m, rod


def bent(stiffness):
    m = sl.Model(gravity=(0, 0, 0))
    n = m.add(Node1d(name="n"))
    m.add(Mass1d(name="mass", node=n, mass=1))
    m.add(CoordinateSpringDamper(name="spring", A="ground", B=n, stiffness=stiffness, damping=0.2 * math.sqrt(stiffness)))
    m.add(CoordinateLoad(name="force", on=n, force=f"{stiffness!r}*(1 - cos(2*t))"))
    return m


def test_smooth_motion_with_joints_runs_with_dormand_prince_and_keeps_the_joints_closed():
    m, rod = pendulum()
    result = m.simulate(20.0)
    assert result.scheme == "dormand_prince"
    assert "no stiffness" in result.report["chosen"]
    assert result.report["residual"]["constraints"] < 1e-12
    assert np.ptp(result["energy.total"]) < 1e-5 * 4.905


def test_what_turns_stiff_changes_over_and_says_so():
    result = bent(1e8).simulate(1.0, tolerance=1e-4)
    assert result.scheme == "generalized_alpha"
    (when, _, item, step), = [e for e in result.events if e[1] == "scheme"]
    assert item == "generalized_alpha" and 0 < when < 0.2 and step < 1e-3
    assert "stiff from t" in result.report["chosen"]
    assert result["n.coordinate"].last == pytest.approx(1 - math.cos(2), abs=1e-3)


def test_the_result_file_knows_scheme_and_reason(tmp_path):
    m, _ = pendulum()
    m.simulate(0.5, record=tmp_path / "p.saltus")
    loaded = sl.load_result(tmp_path / "p.saltus")
    assert loaded.scheme == "dormand_prince" and "no stiffness" in loaded.report["chosen"]


@pytest.mark.filterwarnings("ignore::saltus.ModelWarning")
@pytest.mark.parametrize("hinges", [(0.0,), (-0.7, 0.7), (-0.7, 0.0, 0.7)])
def test_redundant_hinges_of_a_door_cost_no_steps(hinges):
    m = sl.Model()
    door = m.box(size=(1, 0.05, 2), mass=20, at=(0.5, 0, 0), velocity=(0, 0.5, 0), angular_velocity=(0, 0, 1))
    for z in hinges:
        m.revolute(m.ground, door, at=(0, 0, z), axis="z")
    result = m.simulate(10.0)
    assert result.scheme == "dormand_prince" and result.report["steps"] < 150
    assert result[door.position].last == pytest.approx((0.5 * math.cos(10), 0.5 * math.sin(10), 0), abs=1e-8)


@pytest.mark.filterwarnings("ignore::saltus.ModelWarning")
@pytest.mark.parametrize("links", [(0, 2), (0, 1, 2)])
@pytest.mark.parametrize("speed", [9.0, 8.2, 20.0])
def test_a_parallelogram_turns_over_through_its_flat_positions(links, speed):
    """There its rows lose rank: generalized-alpha takes over for a few steps. It moves as a pendulum, whose integral is the truth."""
    link, bar, length, g = 1.0, 3.0, 1.0, 9.81
    m = sl.Model(gravity=(0, 0, -g))
    beam = m.box(size=(2, 0.1, 0.1), mass=bar, at=(1, 0, -length), velocity=(-speed * length, 0, 0))
    for x in links:
        side = m.body(mass=link, inertia=(link / 12, link / 12, link / 12), at=(x, 0, -0.5 * length), velocity=(-0.5 * speed * length, 0, 0), angular_velocity=(0, speed, 0))
        m.revolute(m.ground, side, at=(x, 0, 0), axis="y")
        m.revolute(side, beam, at=(x, 0, -length), axis="y")
    result = m.simulate(10.0)
    inertia, moment = len(links) * link * length**2 / 3 + bar * length**2, (0.5 * len(links) * link + bar) * g * length
    truth = solve_ivp(lambda _, y: (y[1], -moment / inertia * math.sin(y[0])), (0, 10.0), (0.0, speed), method="DOP853", rtol=1e-11, atol=1e-11).y[0, -1]
    assert abs(truth) > 4 * math.pi
    assert result.report["steps"] < 3000
    assert result[beam.position].last == pytest.approx((1 - length * math.sin(truth), 0, -length * math.cos(truth)), abs=1e-3)


def test_a_scheme_that_was_asked_for_gives_no_reason():
    m, _ = pendulum()
    assert "chosen" not in m.simulate(0.1, scheme="dormand_prince").report


def parallelogram():
    """Two cranks and a coupler that turn through the position in which all bars lie on a line."""
    m = sl.Model(gravity=(0, 0, 0))
    A, B, C, D, w = (0, 0, 0), (0, 0, 1), (2, 0, 1), (2, 0, 0), 3.0
    a = m.rod(A, B, mass=1.0, angular_velocity=(0, w, 0), velocity=(w / 2, 0, 0))
    c = m.rod(B, C, mass=1.0, velocity=(w, 0, 0))
    d = m.rod(D, C, mass=1.0, angular_velocity=(0, w, 0), velocity=(w / 2, 0, 0))
    for A_, B_, at in ((m.ground, a, A), (a, c, B), (c, d, C), (m.ground, d, D)):
        m.revolute(A_, B_, at=at, axis="y")
    return m, c


@pytest.mark.filterwarnings("ignore::saltus.ModelWarning")
@pytest.mark.parametrize("tolerance", [1e-4, 1e-6, 1e-8, 1e-10])
def test_dormand_prince_is_right_behind_a_singular_position_or_names_the_joints_in_front_of_it(tolerance):
    m, coupler = parallelogram()
    try:
        result = m.simulate(4.0, scheme="dormand_prince", tolerance=tolerance)
    except sl.RunError as error:
        assert "singular position" in str(error) and "revolute" in str(error)
        return
    place = (1 + math.sin(12.0), 0, math.cos(12.0))
    assert math.dist(result[coupler.position].last, place) < 1e3 * tolerance
    assert result.report["residual"]["equations"] < 1e-5


@pytest.mark.filterwarnings("ignore::saltus.ModelWarning")
def test_an_overconstrained_loop_has_no_residual_of_one():
    from saltus.verification.truth import bricard_a04

    result = bricard_a04.model(box=True).simulate(2.0, scheme="dormand_prince")
    assert result.report["residual"]["equations"] < 1e-9
    assert np.ptp(result["energy.total"]) < 1e-3
