"""Nonsmooth generalized-alpha at default settings: closed forms of bodies that slide, rest and tip, near the origin, far from it and in turned axes."""

import math

import numpy as np
import pytest
from worlds import World

import saltus as sl

ALPHA = {"scheme": "nonsmooth_generalized_alpha"}
WORLDS = {"as_written": World(), "far": World(shift=(100.0, -50.0, 30.0)), "turned": World(turn=(0.3, 0.7, -1.1))}
G = 9.81


def place(world, result, body, k=-1):
    return world.old_point(np.asarray(result[body.position])[k])


@pytest.mark.parametrize("degrees", [20, 30])
@pytest.mark.parametrize("where", WORLDS)
def test_a_box_on_a_slope_rests_below_the_angle_of_friction_and_slides_above_it(where, degrees):
    """By g (sin - mu cos) t^2 / 2; far from the origin it slid as without friction, 17 and 70 mm farther."""
    w, slope, until = WORLDS[where], math.radians(degrees), 0.4
    m, normal = w.model(), np.array((-math.sin(slope), 0, math.cos(slope)))
    box = w.box(m, "box", (0.2, 0.1, 0.1), 1.0, 0.05 * normal, rotation=(0, -slope, 0))
    m.contact([m.plane(at=w.point((0, 0, 0)), normal=w.vector(normal))], [box], friction=0.5)
    result = m.simulate(until, **ALPHA)
    slides = max(0.0, G * (math.sin(slope) - 0.5 * math.cos(slope))) * until**2 / 2
    moved = place(w, result, box) - place(w, result, box, 0)
    assert moved == pytest.approx(-slides * np.array((math.cos(slope), 0, math.sin(slope))), abs=1e-9)


@pytest.mark.parametrize("where", WORLDS)
def test_a_ball_in_a_slot_without_play_slides_until_it_rolls(where):
    """From v by mu g to 5/7 v. Far from the origin rounding leaves no place between the two planes: that took 100,000 steps."""
    w, speed, friction, until = WORLDS[where], 1.0, 0.3, 0.3
    m = w.model()
    ball = w.sphere(m, "ball", 0.1, 1.0, (0, 0, 0.1), velocity=(speed, 0, 0))
    planes = [m.plane(at=w.point((0, 0, z)), normal=w.vector((0, 0, up))) for z, up in ((0.0, 1.0), (0.2, -1.0))]
    m.contact(planes, [ball], friction=friction)
    result = m.simulate(until, **ALPHA)
    slides = 2 / 7 * speed / (friction * G)
    way = speed * slides - friction * G * slides**2 / 2 + 5 / 7 * speed * (until - slides)
    assert place(w, result, ball)[0] == pytest.approx(way, abs=1e-6)
    assert result.report["steps"] < 300


@pytest.mark.parametrize("where", WORLDS)
def test_a_block_that_slides_over_an_edge_tips_when_its_weight_and_friction_meet_the_edge(where):
    """Where its centre comes to a - mu h from the edge, a half of the lower block, h its own height over it. A step went over that: it tipped 14 ms late."""
    w, speed, friction, half, height = WORLDS[where], 1.0, 0.5, 0.1, 0.05
    m = w.model()
    size = (2 * half, 2 * half, 2 * height)
    lower = w.box(m, "lower", size, 1.0, (0, 0, height))
    upper = w.box(m, "upper", size, 1.0, (0, 0, 3 * height), velocity=(speed, 0, 0))
    m.contact([m.plane(at=w.point((0, 0, 0)), normal=w.vector((0, 0, 1))), lower, upper], friction=friction)
    result = m.simulate(0.4, **ALPHA)
    tips = (speed - math.sqrt(speed**2 - 2 * friction * G * (half - friction * height))) / (friction * G)
    turns = np.linalg.norm(np.asarray(result[upper.angular_velocity]), axis=-1)
    assert np.asarray(result.time)[np.argmax(turns > 1e-3)] == pytest.approx(tips, abs=3e-3)  # 1e-3 rad/s after 2 ms
    assert turns[np.asarray(result.time) < tips].max() < 1e-6
