"""What a run costs does not depend on the axes of the world: scenes that people try first, at default settings, as they are and turned."""

import math

import numpy as np
import pytest

import saltus as sl


def turn(vector):
    """Rotation matrix of a rotation vector."""
    angle = np.linalg.norm(vector)
    if angle == 0.0:
        return np.eye(3)
    x, y, z = np.asarray(vector) / angle
    cross = np.array(((0, -z, y), (z, 0, -x), (-y, x, 0)))
    return np.eye(3) + math.sin(angle) * cross + (1 - math.cos(angle)) * cross @ cross


class World:
    """A model whose z axis, against gravity, is the third column of R."""

    def __init__(self, R):
        self.R, self.m = R, sl.Model(gravity=tuple(R @ (0, 0, -9.81)))

    def at(self, *x):
        return tuple(self.R @ x)

    def floor(self):
        return self.m.plane(rotation=self.R)

    def box(self, size, at, mass=1.0, velocity=(0, 0, 0), spin=0.0):
        return self.m.box(size=size, mass=mass, at=self.at(*at), rotation=self.R, velocity=self.at(*velocity), angular_velocity=self.at(0, 0, spin))


def one_slides(w):
    w.m.contact(w.floor(), w.box((0.3, 0.25, 0.2), (0, 0, 0.1), velocity=(1.3, 0.7, 0)), friction=0.3)


def one_slides_and_spins(w):
    w.m.contact(w.floor(), w.box((0.3, 0.2, 0.2), (0, 0, 0.1), velocity=(1, 0.5, 0), spin=5), friction=0.3)


def three_slide_in_a_group(w):
    w.m.contact([w.floor()], [w.box((0.3, 0.25, 0.2), (0, 0.4 * i, 0.1), velocity=(2, 0, 0)) for i in range(3)], friction=0.3)


def one_slides_on_another(w):
    lower, upper = w.box((0.4, 0.2, 0.1), (0, 0, 0.05)), w.box((0.1, 0.1, 0.1), (0, 0, 0.15), velocity=(1, 0, 0))
    w.m.contact(w.floor(), lower, friction=0.1), w.m.contact(lower, upper, friction=0.3)


def two_on_a_spring(w):
    floor, a, b = w.floor(), w.box((0.2, 0.2, 0.1), (0, 0, 0.05)), w.box((0.2, 0.2, 0.1), (0.5, 0, 0.05), velocity=(2, 0, 0))
    w.m.spring(a, b, stiffness=200)
    w.m.contact(floor, a, friction=0.3), w.m.contact(floor, b, friction=0.3)


def a_pushed_stack(w):
    boxes = [w.box((0.2, 0.2, 0.2), (0, 0, 0.1 + 0.2 * i)) for i in range(3)]
    w.m.contact([w.floor(), *boxes], friction=0.5)
    w.m.force(boxes[0], w.at(25, 0, 0))


def one_falls_flat(w):
    w.m.contact(w.floor(), w.box((0.3, 0.25, 0.2), (0, 0, 0.5)), friction=0.5, restitution=0.3)


def a_ladder(w):
    rod = w.m.rod(w.at(0, 0, 0), w.at(1, 0, 1.5), mass=5, radius=0.02)
    w.m.contact(w.floor(), rod, friction=0.2), w.m.contact(w.m.plane(at=w.at(1, 0, 0), rotation=w.R @ turn((0, -math.pi / 2, 0))), rod, friction=0.1)


def a_ball_rolls(w):
    w.m.contact(w.floor(), w.m.sphere(radius=0.1, mass=1, at=w.at(0, 0, 0.1), velocity=w.at(1, 0, 0)), friction=0.3)


@pytest.mark.parametrize("scene", [one_slides, one_slides_and_spins, three_slide_in_a_group, one_slides_on_another, two_on_a_spring, a_pushed_stack, one_falls_flat, a_ladder, a_ball_rolls])
@pytest.mark.filterwarnings("ignore::saltus.ModelWarning")
def test_a_turned_world_costs_the_same(scene):
    def attempts(vector):
        w = World(turn(vector))
        scene(w)
        report = w.m.simulate(1.0).report
        return report["steps"] + report["rejected"]

    upright = attempts((0, 0, 0))
    for vector in ((0, math.radians(20), 0), (0.4, -1.1, 0.7), (2.0, 0.3, -0.9)):
        assert attempts(vector) <= 1.5 * upright + 60


@pytest.mark.filterwarnings("ignore::saltus.ModelWarning")
def test_corners_that_slide_in_different_directions_share_the_load_alike():
    """How four corners share the load acts on the motion here and is not unique: all schemes share it as equal springs under the corners do, step by step."""
    ends = {}
    for scheme in ("auto", "event_driven", "nonsmooth_generalized_alpha"):
        w = World(np.eye(3))
        one_slides_and_spins(w)
        result = w.m.simulate(1.0, scheme=scheme)
        assert result.report["steps"] + result.report["rejected"] < 2500
        ends[scheme] = result["box_1.position"][-1]
    for end in ends.values():
        assert end == pytest.approx(ends["event_driven"], abs=1e-5)
