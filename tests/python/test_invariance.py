"""A model that is shifted, turned, written in other units or in another order moves alike: error control knows none of these.

What may differ is rounding: a place at a distance of X is known to eps X, and near that the steps may differ too."""

import functools
import math

import numpy as np
import pytest

import saltus as sl

EPS = np.finfo(float).eps
TOLERANCE = 1e-6


def turned(vector):
    angle = np.linalg.norm(vector)
    x, y, z = np.array(vector) / angle
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + math.sin(angle) * K + (1 - math.cos(angle)) * K @ K


class World:
    """Where a model stands and in which units it is written: length and time are the new numbers of 1 m and 1 s."""

    def __init__(self, shift=(0, 0, 0), turn=None, length=1.0, time=1.0, reversed=False):
        self.shift, self.R = np.array(shift, float), np.eye(3) if turn is None else turned(turn)
        self.length, self.time, self.reversed = length, time, reversed

    def at(self, *x):
        return tuple(self.length * (self.R @ np.array(x, float) + self.shift))

    def along(self, *x):
        return tuple(self.R @ np.array(x, float))

    def speed(self, *x):
        return tuple(self.length / self.time * (self.R @ np.array(x, float)))

    def rate(self, *x):
        return tuple((self.R @ np.array(x, float)) / self.time)

    def model(self, gravity=9.81):
        return sl.Model(gravity=tuple(self.length / self.time**2 * (self.R @ np.array([0, 0, -gravity]))))

    def name(self, name):
        return f"z_{name[::-1]}" if self.reversed else name

    def in_order(self, *makers):
        for make in reversed(makers) if self.reversed else makers:
            make()

    def back(self, x):
        return self.R.T @ (np.asarray(x, float) / self.length - self.shift)


def double_pendulum(w):
    """Two rods from rest, in space."""
    m = w.model()
    O, A, B = (0, 0, 0), (1, 0, 0), (1.6, 0, 0.3)
    a = m.rod(w.at(*O), w.at(*A), mass=1.0, radius=0.02 * w.length, name=w.name("a"))
    b = m.rod(w.at(*A), w.at(*B), mass=0.7, radius=0.02 * w.length, angular_velocity=w.rate(0, 0, 0.5), name=w.name("b"))
    w.in_order(lambda: m.revolute(m.ground, a, at=w.at(*O), axis=w.along(0, 1, 0)), lambda: m.spherical(a, b, at=w.at(*A)))
    return m, b.end.position, 1.0


def slider(w):
    """A rod that turns pushes a block along a guide, on a spring."""
    m = w.model()
    A, B, C = (0, 0.1, 0.12), (0, 0.18, 0.12), (0.2078461, 0, 0)
    crank = m.rod(w.at(*A), w.at(*B), mass=0.1, radius=0.01 * w.length, name=w.name("crank"))
    rod = m.rod(w.at(*B), w.at(*C), mass=0.2, radius=0.01 * w.length, name=w.name("rod"))
    block = m.body(mass=1.0, inertia=(4e-4 * w.length**2,) * 3, at=w.at(*C), name=w.name("block"))
    w.in_order(
        lambda: m.revolute(m.ground, crank, at=w.at(*A), axis=w.along(1, 0, 0)),
        lambda: m.spherical(crank, rod, at=w.at(*B)),
        lambda: m.universal(rod, block, at=w.at(*C), axes=(w.along(0, 1, 0), w.along(0, 0, 1))),
        lambda: m.prismatic(m.ground, block, at=w.at(*C), axis=w.along(1, 0, 0)),
    )
    return m, block.position, 0.4


def small_swing(w):
    """A point held by three springs in a model of metres swings by a few 1e-6 m."""
    m = w.model(gravity=0.0)
    p = m.point_mass(mass=1.0, at=w.at(3, 0, 0), velocity=w.speed(1e-5, -2e-5, 3e-5), name=w.name("p"))
    anchors = [np.array((3, 0, 0)) + 2 * np.array(d) for d in ((1, 0, 0), (0, 1, 0), (0, 0, 1))]
    w.in_order(*(
        functools.partial(lambda i, a: m.spring(m.ground.frame(w.at(*a)), p, stiffness=200 * (1 + 0.3 * i) / w.time**2, rest_length=2 * w.length), i, a)
        for i, a in enumerate(anchors)
    ))
    return m, p.position, 2.0


def tumbling(w):
    """A free body that turns about its middle axis, nearly, and flies."""
    m = w.model()
    body = m.box(size=(0.3 * w.length, 0.2 * w.length, 0.1 * w.length), mass=2.0, at=w.at(0, 0, 0), name=w.name("body"), velocity=w.speed(1, 0, 2),
                 angular_velocity=w.rate(0.1, 5, 0.1), rotation=rotation_of(w))
    other = m.point_mass(mass=1.0, at=w.at(0, 1, 0), name=w.name("other"))
    m.spring(body, other, stiffness=30 / w.time**2, rest_length=0.8 * w.length)
    return m, other.position, 2.0


def rotation_of(w):
    angle = math.acos(max(-1.0, min(1.0, (np.trace(w.R) - 1) / 2)))
    axis = np.array([w.R[2, 1] - w.R[1, 2], w.R[0, 2] - w.R[2, 0], w.R[1, 0] - w.R[0, 1]])
    return tuple(axis / (2 * math.sin(angle)) * angle) if angle > 1e-9 else (0.0, 0.0, 0.0)


MODELS = {f.__name__: f for f in (double_pendulum, slider, small_swing, tumbling)}
CHANGES = {
    "shift_1e3": World(shift=(1e3, -2e3, 5e2)),
    "shift_1e6": World(shift=(1e6, -1e6, 5e5)),
    "turn": World(turn=(0.3, -1.1, 0.7)),
    "millimetres": World(length=1e3),
    "milliseconds": World(time=1e3),
    "order": World(reversed=True),
}
SCHEMES = ["auto", "dormand_prince", "moreau_jean"]


def motion(model, scheme, world):
    """(end, how far it came, steps)."""
    m, place, until = MODELS[model](world)
    result = m.simulate(until * world.time, scheme=scheme, tolerance=TOLERANCE)
    path = np.array([world.back(x) for x in np.asarray(result[place])])
    return path[-1], np.linalg.norm(path - path[0], axis=1).max(), result.report["steps"]


@functools.cache
def unchanged(model, scheme):
    return motion(model, scheme, World())


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.filterwarnings("ignore::saltus.ModelWarning")
def test_a_model_moves_alike_wherever_it_stands_however_it_is_written(model, scheme, change):
    world = CHANGES[change]
    end, size, steps = unchanged(model, scheme)
    changed, _, changed_steps = motion(model, scheme, world)
    known = 100 * EPS * np.linalg.norm(world.shift)  # rounding of the place, over the run
    # Rounding of places allows longer steps, of second order with moreau_jean: its own error then, that of some ten periods.
    of_steps = 200 if scheme == "moreau_jean" and world.shift.any() else 10
    assert np.linalg.norm(changed - end) < of_steps * TOLERANCE * size + known
    if not world.shift.any():
        assert abs(changed_steps - steps) <= 3 + 0.1 * steps  # the same steps, but for those at the edge of a rejection


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_small_swing_in_a_large_model_keeps_its_phase(scheme):
    """1e-6 m beside a pendulum of metres: a point on a spring, 8 periods, against the closed form."""
    m = sl.Model(gravity=(0, 0, 0))
    big = m.point_mass(mass=1.0, at=(5, 0, 0), velocity=(0, 3, 0))
    m.spring(m.ground, big, stiffness=40.0, rest_length=4.0)
    small = m.point_mass(mass=1.0, at=(0, 0, 2), velocity=(0, 0, 1e-5))
    for z in (1.0, 3.0):
        m.spring(m.ground.frame((0, 0, z)), small, stiffness=50.0, rest_length=1.0)
    until = 16 * math.pi / 10 + 0.1
    found = m.simulate(until, scheme=scheme)[small.position.z].last - 2
    assert found == pytest.approx(1e-6 * math.sin(10 * until), abs=1e-6 * 1e-3)
