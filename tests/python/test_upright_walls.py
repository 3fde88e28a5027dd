"""What rests by friction stays. On an upright wall the normal of a contact has no part along z but rounding, of either sign: friction must not tell."""

import numpy as np
import pytest

import saltus as sl

PRESS, WEIGHT = 25.0, 9.81  # mu N = 12.5 N holds the weight


def box_pressed_on_a_wall_that_is_a_body():
    m = sl.Model()
    wall = m.box(size=(0.02, 0.3, 0.3), mass=1)
    m.fixed(m.ground, wall)
    box = m.box(size=(0.1, 0.1, 0.1), mass=1, at=(0.06, 0, 0))
    m.force(box, (-PRESS, 0, 0))
    return m, box, m.contact(wall, box, friction=0.5)


@pytest.mark.parametrize(
    "options",
    [{}, {"step": 1e-3}, {"scheme": "nonsmooth_generalized_alpha", "step": 1e-3}, {"scheme": "nonsmooth_generalized_alpha"}],
)
def test_friction_holds_a_box_on_an_upright_wall_with_its_weight(options):
    m, box, contact = box_pressed_on_a_wall_that_is_a_body()
    result = m.simulate(0.3, **options)
    assert result[box.position.z].last == pytest.approx(0, abs=1e-9)
    forces = np.asarray(result[contact.force])[1:]
    assert forces == pytest.approx(np.tile((PRESS, 0, WEIGHT), (len(forces), 1)), abs=1e-6)


@pytest.mark.parametrize("options", [{"step": 1e-3}, {"tolerance": 1e-4}])
def test_a_gripper_lifts_a_box_between_two_fingers(options):
    m = sl.Model()
    floor = m.plane()
    box = m.box(size=(0.1, 0.1, 0.1), mass=1, at=(0, 0, 0.05))
    carriage = m.box(size=(0.05, 0.05, 0.05), mass=1, at=(0, 0, 1))
    m.prismatic(m.ground, carriage, axis="z", position="0.05*(1-cos(pi*t))")
    fingers = []
    for side in (-1, 1):
        finger = m.box(size=(0.02, 0.1, 0.1), mass=0.2, at=(side * 0.061, 0, 0.06))
        m.prismatic(carriage, finger, axis="x", force=-side * 15.0)
        fingers.append(finger)
    m.contact(fingers, box, friction=0.5)
    m.contact(floor, box, friction=0.3)
    result = m.simulate(0.3, scheme="nonsmooth_generalized_alpha", **options)
    closing = 0.05 * np.pi**2 / 2 * (2 * 0.001 * 0.2 / 15)  # what the carriage rises until the fingers have closed
    assert result[box.position.z].last == pytest.approx(0.05 + 0.05 * (1 - np.cos(0.3 * np.pi)), abs=2 * closing)


def pushed_on_the_floor():
    m = sl.Model()
    box = m.box(size=(0.1, 0.1, 0.1), mass=1, at=(0, 0, 0.05))
    m.force(box, (-4.5, 0, 0))
    m.contact(m.plane(), box, friction=0.5)
    return m, box


@pytest.mark.parametrize("build", [lambda: box_pressed_on_a_wall_that_is_a_body()[:2], pushed_on_the_floor])
def test_event_driven_rests_where_some_of_four_corners_are_at_their_limit_of_friction(build):
    m, box = build()
    result = m.simulate(0.05, scheme="event_driven")
    assert result.report["steps"] < 50 and not result.warnings
    assert not [event for event in result.events if event[1] in ("impact", "percussion", "detach")]
    assert result[box.position].values[-1] == pytest.approx(result[box.position].values[0], abs=1e-12)
