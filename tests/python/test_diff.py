"""Two results by one call: what differs most, and when; two models: their fields."""

import json
import math

import numpy as np
import pytest
from commands import PENDULUM, saltus, written

import saltus as sl

G = 9.81


def thrown(speed=5.0, until=0.4, turn=0.0, **options):
    m = sl.Model()
    m.box(size=(0.3, 0.2, 0.1), mass=1, velocity=(speed, 0, 2), rotation=(0, 0, turn), name="ball")
    return m.simulate(until, **options)


def test_the_same_run_differs_in_no_bit():
    found = thrown().compare(thrown())
    assert found.equal and found.worst == 0.0 and "equal in every bit" in str(found) and not found.model


def test_the_largest_difference_stands_first_with_its_time():
    """x = v t: 5 and 5.5 m/s are 0.2 m apart at 0.4 s, and 10 % of the speed."""
    found = thrown(5.0).compare(thrown(5.5))
    position, speed = found["ball.position"], found["ball.velocity"]
    assert position.largest == pytest.approx(0.2) and position.time == pytest.approx(0.4) and position.unit == "m"
    assert speed.largest == pytest.approx(0.5) and speed.relative == pytest.approx(0.5 / math.hypot(5.5, 2.0), rel=1e-6)
    assert found.rows[0].relative == found.worst and found.model == ["bodies/ball/node/velocity: [5.0, 0, 2] -> [5.5, 0, 2]"]


def test_rotations_are_compared_by_their_angle_whatever_the_sign_of_the_quaternion():
    assert thrown(turn=0.1).compare(thrown(turn=0.3))["ball.quaternion"].largest == pytest.approx(0.2, rel=1e-9)
    assert thrown(turn=3.1).compare(thrown(turn=-3.1))["ball.quaternion"].largest == pytest.approx(2 * (math.pi - 3.1), rel=1e-9)


def test_runs_of_other_steps_are_compared_on_their_curves_to_the_earlier_end():
    coarse, fine = thrown(scheme="runge_kutta_4", step=0.1), thrown(until=0.37, scheme="runge_kutta_4", step=0.0013)
    found = coarse.compare(fine, "ball.position")
    assert len(found) == 1 and found.worst < 1e-12 and found.until == 0.37


def bounced(**options):
    m = sl.Model()
    ball = m.sphere(radius=0.1, mass=1, at=(0, 0, 1.1), name="ball")
    m.contact(m.plane(), ball, restitution=0.8, name="floor")
    return m.simulate(1.2, **options)


def test_a_jump_that_two_runs_find_a_rounding_apart_is_no_difference():
    """Two tolerances, the same two impacts: speeds of opposite sign between them are not compared."""
    first, second = bounced(scheme="event_driven"), bounced(scheme="event_driven", tolerance=1e-11)
    found = first.compare(second)
    assert found.worst < 1e-7 and found["ball.velocity"].largest < 1e-6
    assert bounced(scheme="event_driven").compare(bounced(scheme="moreau_jean", step=1e-3))["ball.velocity"].largest > 1.0  # a millisecond apart is one


def test_what_one_result_has_alone_is_named():
    m = sl.Model()
    m.box(size=(0.3, 0.2, 0.1), mass=1, velocity=(5, 0, 2), name="ball")
    m.point_mass(mass=1, name="dot")
    found = thrown().compare(m.simulate(0.4))
    assert found.only_second == ["dot.position", "dot.velocity"] and not found.only_first and not found.equal
    with pytest.raises(sl.ModelError, match="they share"):
        found["dot.position"]


def test_mistakes_are_reported():
    m = sl.Model()
    m.fixed(m.ground, m.box(size=(1, 1, 1), mass=1, name="ball"))
    with pytest.raises(sl.ModelError, match="a run and of an equilibrium"):
        thrown().compare(m.static())
    assert m.static().compare(m.static()).equal
    begun = sl.Model()
    begun.point_mass(mass=1, name="ball")
    first = begun.simulate(0.1)
    with pytest.raises(sl.ModelError, match="share no time"):
        first.compare(begun.simulate(0.3, start=begun.simulate(0.2)))


def test_the_command_prints_the_table_and_returns_one_beyond_the_tolerance(tmp_path):
    for name, speed in (("a", 5.0), ("b", 5.5)):
        thrown(speed).save(tmp_path / f"{name}.saltus")
    a, b = tmp_path / "a.saltus", tmp_path / "b.saltus"
    done = saltus("diff", a, b)
    assert done.code == 0 and "ball.velocity" in done.out and "bodies/ball/node/velocity" in done.out
    assert saltus("diff", a, b, "--tolerance", "0.2").code == 0 and saltus("diff", a, b, "--tolerance", "1e-3").code == 1
    rows_of_one = saltus("diff", a, b, "--json", "--quantity", "ball.position").json
    assert [row["quantity"] for row in rows_of_one["rows"]] == ["ball.position"] and rows_of_one["rows"][0]["largest"] == pytest.approx(0.2)
    assert saltus("diff", a, a, "--tolerance", "0").code == 0


def test_two_model_files_are_compared_field_by_field(tmp_path):
    first = written(tmp_path, PENDULUM, "first.json")
    other = json.loads(json.dumps(PENDULUM))
    other["bodies"]["rod"]["mass"] = 4
    second = written(tmp_path, other, "second.json")
    done = saltus("diff", first, second)
    assert done.code == 1 and done.out.strip() == "bodies/rod/mass: 3 -> 4"
    assert saltus("diff", first, first).out.strip() == "the models are equal"
    thrown().save(tmp_path / "a.saltus")
    done = saltus("diff", first, tmp_path / "a.saltus")
    assert done.code == 2 and "compare two results, or two models" in done.err
    assert np.isfinite(saltus("diff", first, second, "--json").json["equal"])


def test_a_shorter_run_is_not_equal_and_the_table_says_where_both_end(tmp_path):
    whole, part = thrown(step=0.01, scheme="runge_kutta_4"), thrown(until=0.2, step=0.01, scheme="runge_kutta_4")
    found = whole.compare(part)
    assert found.worst < 1e-12 and not found.equal and not found.within(0.4) and found.within(0.5)
    assert "compared to t = 0.2 s: the first ends at 0.4 s, the second at 0.2 s" in str(found)
    assert "compared to" not in str(whole.compare(whole))
    whole.save(tmp_path / "a.saltus")
    part.save(tmp_path / "b.saltus")
    assert saltus("diff", tmp_path / "a.saltus", tmp_path / "b.saltus", "--tolerance", "1e-3").code == 1


@pytest.mark.parametrize("tolerance", ["nan", "-1", "inf"])
def test_a_tolerance_that_nothing_or_everything_meets_is_refused(tmp_path, tolerance):
    thrown().save(tmp_path / "a.saltus")
    done = saltus("diff", tmp_path / "a.saltus", tmp_path / "a.saltus", "--tolerance", tolerance)
    assert done.code == 2 and f"--tolerance: is {float(tolerance):g}, must be at least 0 and finite" in done.err


@pytest.mark.parametrize(("first", "second", "relative"), [
    ([1.0, math.nan], [1.0, math.nan], 0.0),  # none in both
    ([1.0, math.nan], [1.0, 2.0], math.inf),
    ([1.0, 2.0], [1.0, math.nan], math.inf),
    ([1.0, math.inf], [1.0, math.inf], 0.0),
    ([1.0, 4.0], [1.0, 2.0], 0.5),
])  # fmt: skip
def test_no_number_is_equal_to_none_alone(first, second, relative):
    from saltus.exports.columns import Column, Columns
    from saltus.exports.differences import _difference

    a, b = (Columns(np.array([0.0, 1.0]), [Column("x", "m", np.array(values))], groups={"x": ["x"]}) for values in (first, second))
    row = _difference("x", "m", a, b)
    assert row.relative == relative and (not relative or row.time == 1.0)
