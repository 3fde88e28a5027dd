"""The same scene in other worlds: shifted, turned, in other units, renamed and reordered, with bodies split in two.

A scene is a function of a `World` that fills a model; the world maps points, directions and numbers, and maps back what is read. So one
scene serves every property: what physics says of it must not depend on where it stands, how it is measured and what it is called.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from scipy.spatial.transform import Rotation

import saltus as sl

GRAVITY = (0.0, 0.0, -9.81)


@dataclass(frozen=True)
class World:
    """turn: rotation vector [rad]; shift (3) [m], before units; length, mass, time: how many new units make an old one."""

    turn: tuple[float, float, float] = (0.0, 0.0, 0.0)
    shift: tuple[float, float, float] = (0.0, 0.0, 0.0)
    length: float = 1.0
    mass: float = 1.0
    time: float = 1.0
    reversed: bool = False  # items are added in the opposite order
    prefix: str = ""
    split: bool = False  # boxes are two halves on a fixed joint
    items: list[Callable] = field(default_factory=list, compare=False)

    @property
    def rotation(self) -> Rotation:
        return Rotation.from_rotvec(self.turn)

    def point(self, x):
        return tuple((self.rotation.apply(x) + self.shift) * self.length)

    def vector(self, x, unit: float = 1.0):
        return tuple(self.rotation.apply(x) * unit)

    def turned(self, rotation=(0.0, 0.0, 0.0)):
        """Rotation vector of a body's axes."""
        return tuple((self.rotation * Rotation.from_rotvec(rotation)).as_rotvec())

    @property
    def speed(self) -> float:
        return self.length / self.time

    @property
    def force(self) -> float:
        return self.mass * self.length / self.time**2

    @property
    def torque(self) -> float:
        return self.force * self.length

    @property
    def stiffness(self) -> float:
        return self.force / self.length

    @property
    def damping(self) -> float:
        return self.force / self.speed

    def model(self, gravity=GRAVITY) -> sl.Model:
        return sl.Model(gravity=self.vector(gravity, self.length / self.time**2))

    def name(self, name: str) -> str:
        return self.prefix + name

    def later(self, make: Callable) -> Callable:
        """Connections and loads, added by `finish` in the world's order."""
        self.items.append(make)
        return make

    def finish(self) -> None:
        for make in reversed(self.items) if self.reversed else self.items:
            make()
        self.items.clear()

    def in_order(self, makers: list[Callable]) -> list:
        """What the makers make, in their order, made in the world's order."""
        made = [(i, make()) for i, make in (reversed(list(enumerate(makers))) if self.reversed else enumerate(makers))]
        return [body for _, body in sorted(made, key=lambda pair: pair[0])]

    def box(self, m, name, size, mass, at, rotation=(0.0, 0.0, 0.0), velocity=(0.0, 0.0, 0.0), spin=(0.0, 0.0, 0.0)):
        """A box; split: its half at +x, to which its other half is fixed. `at`: centre; velocity of the centre, world axes."""
        turn = Rotation.from_rotvec(rotation)
        parts = [(name, np.zeros(3), size, mass)]
        if self.split:
            half = (size[0] / 2, size[1], size[2])
            parts = [(name, np.array([size[0] / 4, 0, 0]), half, mass / 2), (name + "_half", np.array([-size[0] / 4, 0, 0]), half, mass / 2)]
        made = []
        for part, offset, edges, share in parts:
            arm = turn.apply(offset)
            made.append(
                m.box(
                    size=tuple(self.length * e for e in edges),
                    mass=self.mass * share,
                    at=self.point(np.asarray(at) + arm),
                    rotation=self.turned(rotation),
                    velocity=self.vector(np.asarray(velocity) + np.cross(spin, arm), self.speed),
                    angular_velocity=self.vector(spin, 1 / self.time),
                    name=self.name(part),
                )
            )
        if self.split:
            m.fixed(made[0], made[1], at=self.point(at), name=self.name(name + "_weld"))
        return made[0]

    def sphere(self, m, name, radius, mass, at, velocity=(0.0, 0.0, 0.0), spin=(0.0, 0.0, 0.0)):
        return m.sphere(
            radius=self.length * radius,
            mass=self.mass * mass,
            at=self.point(at),
            rotation=self.turned(),
            velocity=self.vector(velocity, self.speed),
            angular_velocity=self.vector(spin, 1 / self.time),
            name=self.name(name),
        )

    def frame(self, body, at):
        """A frame at a point, with the scene's axes on the ground and the body's own on a body."""
        return body.frame(at=self.point(at), rotation=self.turn if body.name == "ground" else (0.0, 0.0, 0.0))

    # What is read, back in the units and axes of the scene.
    def old_point(self, x):
        return self.rotation.inv().apply(np.asarray(x) / self.length - self.shift)

    def old_vector(self, x, unit: float):
        return self.rotation.inv().apply(np.asarray(x) / unit)


@dataclass
class Reading:
    """quantity of a result; kind: point, velocity, force, torque (vectors), length, angle, tension (numbers)."""

    quantity: object
    kind: str

    def of(self, result, world: World) -> np.ndarray:
        last = np.asarray(result[self.quantity].last)
        unit = {"velocity": world.speed, "force": world.force, "torque": world.torque, "length": world.length, "tension": world.force, "angle": 1.0, "spin": 1 / world.time}
        if self.kind == "point":
            return world.old_point(last)
        return world.old_vector(last, unit[self.kind]) if last.shape == (3,) else last / unit[self.kind]


# The scenes: each fills a model and returns (model, readings by name, end of the run [s]).


def door(w: World):
    """A box on a hinge with a spring, swinging."""
    m = w.model()
    leaf = w.box(m, "leaf", (1.0, 0.05, 0.4), 3.0, (0.5, 0, 0), velocity=(0, 1.0, 0), spin=(0, 0, 2.0))
    hinge = m.revolute(
        m.ground, leaf, at=w.point((0, 0, 0)), axis=w.vector((0, 0, 1)), stiffness=w.torque * 8, damping=w.torque * w.time * 0.1, name=w.name("hinge")
    )
    return m, {"place": Reading(leaf.frame(at=w.point((1, 0, 0))).position, "point"), "angle": Reading(hinge.angle, "angle")}, 1.2


def double_pendulum(w: World):
    """Two boxes on a ball joint and a skew hinge."""
    m = w.model()
    one, two = w.in_order(
        [
            lambda: w.box(m, "one", (0.1, 0.2, 0.8), 2.0, (0, 0, -0.4), velocity=(0.4, 0.12, 0.0), spin=(0.3, -1.0, 0.5)),
            lambda: w.box(m, "two", (0.1, 0.1, 0.6), 1.0, (0, 0, -1.1), velocity=(1.1, 0.33, 0.0), spin=(0.3, -1.0, 0.5)),
        ]
    )
    w.later(lambda: m.spherical(m.ground, one, at=w.point((0, 0, 0)), name=w.name("top")))
    w.later(lambda: m.revolute(one, two, at=w.point((0, 0, -0.8)), axis=w.vector((0.6, 0.8, 0.1)), name=w.name("middle")))
    w.finish()
    return m, {"tip": Reading(two.frame(at=w.point((0, 0, -1.4))).position, "point"), "v": Reading(two.frame(at=w.point((0, 0, -1.1))).velocity, "velocity"), "R": Reading(m[w.name("top")].force, "force")}, 1.0


def springs(w: World):
    """Three spheres in a net of springs, one of them pulled."""
    m = w.model()
    places = [(0, 0, 0), (1, 0.2, 0), (0.4, 1, -0.3)]
    balls = w.in_order([lambda i=i, at=at: w.sphere(m, f"ball{i}", 0.1, 1.0 + i, at, spin=(1, 2 * i, 0)) for i, at in enumerate(places)])
    tie = dict(damping=w.damping * 1.5, rest_length=w.length * 0.9)
    for i, ball in enumerate(balls):
        w.later(lambda i=i, ball=ball: m.spring(w.frame(m.ground, (0, 0, 2)), ball, stiffness=w.stiffness * (60 + 10 * i), name=w.name(f"hang{i}"), **tie))
        w.later(lambda i=i, ball=ball: m.spring(ball, balls[(i + 1) % 3], stiffness=w.stiffness * 40, name=w.name(f"tie{i}"), **tie))
    w.later(lambda: m.force(balls[0].frame(at=w.point((0, 0.1, 0))), w.vector((3, 0, 1), w.force), name=w.name("pull")))
    w.finish()
    return m, {f"p{i}": Reading(ball.position, "point") for i, ball in enumerate(balls)}, 1.0


def tumbling(w: World):
    """A free box that turns about its middle axis."""
    m = w.model()
    body = w.box(m, "body", (0.5, 0.3, 0.1), 2.0, (0, 0, 0), velocity=(1, 0, 4), spin=(0.01, 9.0, 0.02))
    return m, {"corner": Reading(body.frame(at=w.point((0.25, 0.15, 0.05))).position, "point"), "w": Reading(body.angular_velocity, "spin")}, 1.5


def crank(w: World):
    """A slider-crank in space, driven."""
    m = w.model()
    A, B, C = (0, 0.1, 0.12), (0, 0.18, 0.12), (0.2078461, 0, 0)

    def rod(name, start, end, mass):
        return m.rod(w.point(start), w.point(end), mass=w.mass * mass, name=w.name(name))

    arm, link, slider = w.in_order([lambda: rod("arm", A, B, 0.1), lambda: rod("link", B, C, 0.2), lambda: w.box(m, "slider", (0.05, 0.05, 0.05), 1.0, C)])
    w.later(lambda: m.revolute(m.ground, arm, at=w.point(A), axis=w.vector((1, 0, 0)), speed=2 * np.pi / w.time, name=w.name("motor")))
    w.later(lambda: m.spherical(arm, link, at=w.point(B), name=w.name("pin")))
    w.later(lambda: m.universal(link, slider, at=w.point(C), axes=(w.vector((0, 1, 0)), w.vector((0, 0, 1))), name=w.name("cross")))
    w.later(lambda: m.prismatic(m.ground, slider, at=w.point(C), axis=w.vector((1, 0, 0)), name=w.name("slide")))
    w.finish()
    return m, {"slider": Reading(slider.position, "point"), "v": Reading(slider.velocity, "velocity"), "drive": Reading(m[w.name("motor")].force, "force")}, 0.35


def small_motion(w: World):
    """A mass on a bushing and one on a long pendulum, moving by a millionth of a metre beside one that moves by a metre."""
    m = w.model()
    small = w.box(m, "small", (0.2, 0.2, 0.2), 1.0, (0, 0, 0), velocity=(2e-6, 0, 0))
    large = w.box(m, "large", (0.2, 0.2, 0.2), 1.0, (3, 0, 0), velocity=(1, 0.5, 0))
    for name, body, at in (("a", small, (0, 0, 0)), ("b", large, (3, 0, 0))):
        K = np.diag([w.stiffness * 90.0] * 3 + [w.torque * 5.0] * 3)
        m.add(sl.items.Bushing(A=w.frame(m.ground, at), B=w.frame(body, at), stiffness=K.tolist()), name=w.name(name))
    return m, {"small": Reading(small.velocity, "velocity"), "large": Reading(large.velocity, "velocity")}, 2.0


def bouncing(w: World):
    """A spinning ball that bounces off a rough floor, seen by a relation."""
    m = w.model()
    floor = m.plane(at=w.point((0, 0, 0)), rotation=w.turned(), name=w.name("floor"))
    ball = w.sphere(m, "ball", 0.1, 0.5, (0, 0, 0.6), velocity=(1.0, 0.3, 0), spin=(0, 20, 5))
    m.contact(floor, ball, restitution=0.6, friction=0.3, name=w.name("hit"))
    return m, {"ball": Reading(ball.position, "point"), "v": Reading(ball.velocity, "velocity"), "w": Reading(ball.angular_velocity, "spin")}, 0.8


def sliding(w: World):
    """A box pushed over a rough floor until it rests."""
    m = w.model()
    floor = m.plane(at=w.point((0, 0, 0)), rotation=w.turned(), name=w.name("floor"))
    box = w.box(m, "box", (0.4, 0.3, 0.1), 2.0, (0, 0, 0.05), velocity=(1.5, 0.2, 0))
    m.contact(floor, box, friction=0.4, name=w.name("rub"))
    return m, {"box": Reading(box.position, "point")}, 0.6


def stops(w: World):
    """A pendulum between stops with dry friction in its hinge."""
    m = w.model()
    bob = w.box(m, "bob", (0.1, 0.1, 0.6), 1.0, (0, 0, -0.3), velocity=(-0.9, 0, 0), spin=(0, 3.0, 0))
    hinge = m.revolute(m.ground, bob, at=w.point((0, 0, 0)), axis=w.vector((0, 1, 0)), limits=(-0.3, 0.5), restitution=0.5, friction=w.torque * 0.1, name=w.name("hinge"))
    return m, {"tip": Reading(bob.frame(at=w.point((0, 0, -0.6))).position, "point"), "angle": Reading(hinge.angle, "angle")}, 0.7


SMOOTH = [door, double_pendulum, springs, tumbling, crank, small_motion]
NONSMOOTH = [bouncing, sliding, stops]
