"""Simple scenes that can be built anywhere: in any place and direction, in any units of length and mass, in either order.

A scene is a function of a `Builder`; it says where things are in metres, kilograms and seconds with z up, and the builder maps that into
its world (worlds.py). Bodies come before what connects them, each in the world's order. `SCENES` holds them by name.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from worlds import World

COS45 = math.sqrt(0.5)


@dataclass
class Part:
    """A body that is made when the scene is complete."""

    verb: str
    make: Callable
    body: object = None


class Builder:
    """Collects the parts and connections of a scene and makes them in a world. Sizes in m, kg, s; spin: angular velocity [rad/s]."""

    def __init__(self, world: World, gravity: float = 9.81):
        self.world, self.model = world, world.model((0.0, 0.0, -gravity))
        self.parts: list[Part] = []
        self.connections: list[Callable] = []
        self.in_contact, self.mass = False, 0.0  # mass: of all bodies [kg]

    def finish(self) -> None:
        """Makes the bodies, then what connects them."""
        for part in self.in_order(self.parts):
            part.body = part.make()
        for connect in self.in_order(self.connections):
            connect()

    def in_order(self, items):
        return list(reversed(items)) if self.world.reversed else list(items)

    @property
    def bodies(self) -> list:
        """Those that can move, in the order of the scene."""
        return [part.body for part in self.parts if part.verb not in ("plane", "sheave")]

    # Bodies and planes.

    def part(self, verb: str, velocity=None, spin=None, **fields) -> Part:
        w, number = self.world, len(self.parts)
        if velocity is not None:
            fields["velocity"] = w.vector(velocity, w.speed)
        if spin is not None:
            fields["angular_velocity"] = w.vector(spin, 1 / w.time)
        if "mass" in fields:
            self.mass += fields["mass"]
            fields["mass"] = w.mass * fields["mass"]
        fields["name"] = w.name(f"part_{99 - number if w.reversed else number + 10}")  # sorted by name, the order is that of the scene, too
        self.parts.append(Part(verb, lambda: getattr(self.model, verb)(*fields.pop("ends", ()), **fields)))
        return self.parts[-1]

    def plane(self, at=(0, 0, 0), normal=(0, 0, 1)) -> Part:
        return self.part("plane", at=self.world.point(at), normal=self.world.vector(normal))

    def sphere(self, at=(0, 0, 0.1), radius=0.1, mass=1.0, velocity=(0, 0, 0), spin=(0, 0, 0)) -> Part:
        w = self.world
        return self.part("sphere", radius=w.length * radius, mass=mass, at=w.point(at), rotation=w.turned(), velocity=velocity, spin=spin)

    def box(self, size, at, rotation=(0, 0, 0), mass=1.0, velocity=(0, 0, 0), spin=(0, 0, 0), displacement=(0, 0, 0)) -> Part:
        w = self.world
        return self.part(
            "box", size=tuple(w.length * np.array(size)), mass=mass, at=w.point(at), rotation=w.turned(rotation),
            displacement=w.vector(displacement, w.length), velocity=velocity, spin=spin,
        )  # fmt: skip

    def ellipsoid(self, size, at, spin=(0, 0, 0)) -> Part:
        w = self.world
        return self.part("ellipsoid", size=tuple(w.length * np.array(size)), mass=1.0, at=w.point(at), rotation=w.turned(), spin=spin)

    def round(self, verb, radius, length, at, axis=(0, 0, 1), mass=1.0, velocity=(0, 0, 0), spin=(0, 0, 0)) -> Part:
        """A cylinder, capsule or cone."""
        w = self.world
        size = {"height" if verb == "cone" else "length": w.length * length}
        return self.part(verb, radius=w.length * radius, **size, mass=mass, at=w.point(at), axis=w.vector(axis), velocity=velocity, spin=spin)

    def rod(self, start, end, velocity=(0, 0, 0), spin=(0, 0, 0)) -> Part:
        """1 kg; the velocity is that of its centre."""
        return self.part("rod", ends=(self.world.point(start), self.world.point(end)), mass=1.0, velocity=velocity, spin=spin)

    def point_mass(self, at, mass=1.0, velocity=(0, 0, 0)) -> Part:
        return self.part("point_mass", mass=mass, at=self.world.point(at), velocity=velocity)

    def sheave(self, at, axis, radius) -> Part:
        w = self.world
        return self.part("sheave", ends=(self.model.ground,), at=w.point(at), radius=w.length * radius, axis=w.vector(axis))

    # What connects them; None stands for the ground.

    def end(self, part: Part | None):
        return self.model.ground if part is None else part.body

    def contact(self, some, others=None, restitution=0.0, friction=0.0) -> None:
        """Each of some with each of others, or all with all."""
        self.in_contact, sides = True, [some] if others is None else [some, others]

        def connect():
            groups = [[part.body for part in self.in_order(side)] for side in self.in_order(sides)]
            self.model.contact(*groups, restitution=restitution, friction=friction)

        self.connections.append(connect)

    def no_contact(self, a: Part, b: Part) -> None:
        self.connections.append(lambda: self.model.no_contact(a.body, b.body))

    def revolute(self, a, b, at=None, axis=(0, 1, 0), friction=None, **fields) -> dict:
        """Limits [rad], friction [N m]; the joint stands in what is returned once it is made."""
        w, made = self.world, {}
        if friction is not None:
            fields["friction"] = w.torque * friction
        if at is not None:
            fields["at"] = w.point(at)
        self.connections.append(lambda: made.update(joint=self.model.revolute(self.end(a), self.end(b), axis=w.vector(axis), **fields)))
        return made

    def prismatic(self, b, axis, limits=None, friction=None, stiffness=None, **fields) -> None:
        """A guide on the ground. Limits [m], friction [N]."""
        w = self.world
        if limits is not None:
            fields["limits"] = tuple(w.length * x for x in limits)
        if friction is not None:
            fields["friction"] = w.force * friction
        if stiffness is not None:
            fields["stiffness"] = w.stiffness * stiffness
        self.connections.append(lambda: self.model.prismatic(self.model.ground, b.body, axis=w.vector(axis), **fields))

    def spherical(self, a, b, at) -> None:
        self.connections.append(lambda: self.model.spherical(a.body, b.body, at=self.world.point(at)))

    def spring(self, at, b, stiffness, rest_length) -> None:
        """From a point of the ground."""
        w = self.world
        fields = dict(stiffness=w.stiffness * stiffness, rest_length=w.length * rest_length)
        self.connections.append(lambda: self.model.spring(self.model.ground.frame(at=w.point(at)), b.body, **fields))

    def tether(self, at, b, length, restitution) -> None:
        """A rope from a point of the ground."""
        w = self.world
        self.connections.append(lambda: self.model.rope([self.model.ground.frame(at=w.point(at)), b.body], length=w.length * length, restitution=restitution))

    def rope(self, *parts) -> None:
        """Taut at the start."""
        self.connections.append(lambda: self.model.rope([part.body for part in parts]))


@dataclass(frozen=True)
class Scene:
    """gravity [m/s^2], until [s]. driven: a motor or a table that is moved does work. determined: whether its laws allow one motion only.
    shorter: factor of the steps where they are given."""

    build: Callable[[Builder], None]
    until: float = 0.4
    gravity: float = 9.81
    driven: bool = False
    determined: bool = True
    shorter: float = 1.0

    def built(self, world: World) -> Builder:
        builder = Builder(replace(world, items=[]), self.gravity)
        self.build(builder)
        builder.finish()
        return builder


SCENES: dict[str, Scene] = {}


def add(name: str, build: Callable[[Builder], None], **options) -> None:
    assert name not in SCENES, name
    SCENES[name] = Scene(build, **options)


def scene(**options):
    def added(build):
        add(build.__name__, build, **options)
        return build

    return added


# One ball, on planes that it touches at the start.

FLOOR = [((0, 0, 0), (0, 0, 1))]
CORNER = [((0, 0, 0), (0, 0, 1)), ((0, 0, 0), (1, 0, 0)), ((0, 0, 0), (0, 1, 0))]
GROOVE = [((0, 0, 0), (COS45, 0, COS45)), ((0, 0, 0), (-COS45, 0, COS45))]
SLOT = [((0, 0, 0), (0, 0, 1)), ((0, 0, 0.2), (0, 0, -1))]  # without play
IN_CORNER, IN_GROOVE = (0.1, 0.1, 0.1), (0, 0, 0.1 / COS45)


def ball(name, planes=FLOOR, at=(0, 0, 0.1), velocity=(0, 0, 0), spin=(0, 0, 0), restitution=0.5, friction=0.3, **options):
    def build(b):
        sides = [b.plane(*plane) for plane in planes]
        b.contact(sides, [b.sphere(at, velocity=velocity, spin=spin)], restitution, friction)

    add(f"ball_{name}", build, **{"until": 0.5, **options})


for _restitution, _friction in ((0, 0), (0, 0.3), (0.5, 0), (0.5, 5), (1, 0), (1, 0.3)):
    ball(f"lands_restitution_{_restitution}_friction_{_friction}", velocity=(1, 0, -1), restitution=_restitution, friction=_friction)
ball("rests")
ball("slides", velocity=(1, 0, 0))
ball("rolls", velocity=(1, 0, 0), spin=(0, 10, 0))
ball("spins_on_the_spot", spin=(0, 0, 10))
ball("has_backspin", velocity=(1, 0, 0), spin=(0, -20, 0), friction=5)
ball("leaves", velocity=(0, 0, 1))
ball("rests_without_gravity", gravity=0)
ball("slides_without_gravity", velocity=(1, 0, 0), gravity=0)
ball("lands_without_gravity", velocity=(1, 0, -1), restitution=1, gravity=0)
ball("meets_a_corner", CORNER, IN_CORNER, (-1, -1, -1))
ball("meets_a_corner_elastically", CORNER, IN_CORNER, (-1, -1.2, -0.7), restitution=1, friction=0)
ball("rests_in_a_corner", CORNER, IN_CORNER)
ball("spins_in_a_corner", CORNER, IN_CORNER, spin=(5, 7, 9))
ball("rests_in_a_groove", GROOVE, IN_GROOVE)
ball("slides_along_a_groove", GROOVE, IN_GROOVE, (0, 1, 0))
ball("lands_in_a_groove", GROOVE, IN_GROOVE, (0, 0, -1))
ball("spins_in_a_groove", GROOVE, IN_GROOVE, spin=(0, 10, 0))
ball("spins_in_a_rough_groove", GROOVE, IN_GROOVE, spin=(0, 10, 0), restitution=0, friction=1)
ball("spins_askew_in_a_very_rough_groove", GROOVE, IN_GROOVE, spin=(0, 10, 3), restitution=0, friction=5)
ball("slides_in_a_slot", SLOT, velocity=(1, 0, 0), determined=False)  # how hard the plates without play press it is rounding, and so is its friction
ball("bounces_in_a_slot_without_play", SLOT, velocity=(1, 0, 1), gravity=0, until=0.1, determined=False)  # it may take any number of impacts


# One box on a floor.


def box(name, size=(0.2, 0.15, 0.1), at=(0, 0, 0.05), rotation=(0, 0, 0), velocity=(0, 0, 0), spin=(0, 0, 0), restitution=0.0, friction=0.3, **options):
    def build(b):
        b.contact([b.plane()], [b.box(size, at, rotation, velocity=velocity, spin=spin)], restitution, friction)

    add(f"box_{name}", build, **options)


CUBE = (0.1, 0.1, 0.1)
ON_EDGE = dict(size=CUBE, at=(0, 0, 0.1 * COS45), rotation=(math.pi / 4, 0, 0))
ON_CORNER = dict(size=CUBE, at=(0, 0, 0.05 * math.sqrt(3)), rotation=tuple(math.atan(math.sqrt(2)) * np.array((COS45, -COS45, 0))))

box("rests")
box("slides", velocity=(1, 0, 0))
box("slides_without_gravity", velocity=(1, 0, 0), gravity=0)
box("spins", spin=(0, 0, 10))
box("slides_and_spins", velocity=(1, 0, 0), spin=(0, 0, 10))
box("lands", velocity=(0, 0, -1))
box("lands_moving", velocity=(0.3, 0, -1), restitution=0.5)
box("bounces", velocity=(0, 0, -1), restitution=1, friction=0)
box("bounces_on_a_rough_floor", velocity=(1, 0, -1), restitution=1)
box("slides_on_a_very_rough_floor", velocity=(1, 0, 0), friction=5)
box("tumbles_on_a_rough_floor", velocity=(3, 0, 0), friction=1)
box("is_turned_up", spin=(3, 0, 0), restitution=0.2)
box("of_equal_edges_slides", size=CUBE, velocity=(1, 0, 0), friction=1)
box("balances_on_an_edge", friction=0.5, determined=False, **ON_EDGE)
box("lands_on_an_edge", friction=0.5, restitution=0.3, velocity=(0, 0, -1), determined=False, **ON_EDGE)
box("rolls_off_an_edge", friction=0.5, spin=(0.5, 0, 0), **ON_EDGE)
box("balances_on_a_corner", friction=0.5, determined=False, **ON_CORNER)
box("lands_on_a_corner", friction=0.5, restitution=0.3, velocity=(0.2, 0.1, -1), **ON_CORNER)
box("spins_on_a_corner", friction=0.5, spin=(0, 0, 20), determined=False, **ON_CORNER)
box("of_large_height_slides_and_tips", size=(0.1, 0.1, 0.4), at=(0, 0, 0.2), velocity=(2, 0, 0), friction=0.5, until=0.3)
box("lands_fast_and_askew", size=CUBE, at=(0, 0, 1), velocity=(100, 0, -100), spin=(100, 30, 20), restitution=0.5, until=0.05, shorter=0.1)


# Two boxes, one on the other.


def stack(name, offset=0.0, restitution=0.0, friction=0.5, velocity=(0, 0, 0), spin=(0, 0, 0), **options):
    def build(b):
        lower, upper = b.box((0.2, 0.2, 0.1), (0, 0, 0.05)), b.box((0.2, 0.2, 0.1), (offset, 0, 0.15), velocity=velocity, spin=spin)
        b.contact([b.plane(), lower, upper], restitution=restitution, friction=friction)

    add(f"stack_{name}", build, **options)


stack("rests")
stack("with_an_overhang_rests", 0.05)
stack("just_below_its_largest_overhang", 0.0999)
stack("just_above_its_largest_overhang", 0.1001)
stack("at_its_largest_overhang", 0.1, determined=False)
stack("tips", 0.15)
stack("slides", velocity=(1, 0, 0))
stack("spins", spin=(0, 0, 10))
stack("is_hit", restitution=0.5, velocity=(0, 0, -1))
stack("with_an_overhang_is_hit", 0.05, restitution=0.5, velocity=(0, 0, -1))
stack("without_friction", 0.03, friction=0.0)


# One round body on a floor.


def round_body(name, verb, at, axis=(0, 0, 1), velocity=(0, 0, 0), spin=(0, 0, 0), restitution=0.3, friction=0.4, radius=0.05, length=0.2, **options):
    def build(b):
        b.contact([b.plane()], [b.round(verb, radius, length, at, axis, velocity=velocity, spin=spin)], restitution, friction)

    add(f"{verb}_{name}", build, **options)


UPRIGHT, ON_ITS_END, LYING = dict(at=(0, 0, 0.1)), dict(at=(0, 0, 0.15)), dict(at=(0, 0, 0.05), axis=(1, 0, 0))

round_body("stands", "cylinder", **UPRIGHT)
round_body("spins_upright", "cylinder", spin=(0, 0, 20), **UPRIGHT)
round_body("slides_upright", "cylinder", velocity=(1, 0, 0), **UPRIGHT)
round_body("lands_upright", "cylinder", velocity=(0, 0, -1), **UPRIGHT)
round_body("lies", "cylinder", **LYING)
round_body("rolls", "cylinder", velocity=(0, -1, 0), spin=(20, 0, 0), **LYING)
round_body("slides_lying", "cylinder", velocity=(0, 1, 0), **LYING)
round_body("lands_lying", "cylinder", velocity=(0.3, 1, -1), **LYING)
round_body("spins_lying", "cylinder", spin=(0, 0, 10), **LYING)
round_body("on_its_edge_spins", "cylinder", at=(0, 0, 0.15 * COS45), axis=(1, 0, 1), spin=(0, 0, 10))
round_body("balances_on_its_end", "capsule", **ON_ITS_END, determined=False)
round_body("spins_on_its_end", "capsule", spin=(0, 0, 10), **ON_ITS_END, determined=False)
round_body("tips_over", "capsule", spin=(0.5, 0, 0), **ON_ITS_END)
round_body("lands_on_its_end", "capsule", velocity=(0, 0, -1), **ON_ITS_END, determined=False)
round_body("lies", "capsule", **LYING)
round_body("lands_lying", "capsule", velocity=(0, 0, -1), **LYING)
round_body("rolls", "capsule", velocity=(0, -1, 0), spin=(20, 0, 0), **LYING)
round_body("spins_on_its_base", "cone", at=(0, 0, 0.05), spin=(0, 0, 5))
round_body("spins_on_its_tip", "cone", at=(0, 0, 0.15), axis=(0, 0, -1), spin=(0.1, 0, 100))


@scene()
def ellipsoid_spins(b):
    b.contact([b.plane()], [b.ellipsoid((0.2, 0.1, 0.1), (0, 0, 0.05), spin=(0.1, 3, 20))], 0.3, 0.4)


@scene()
def ladder_slips(b):
    slope = math.radians(60)
    rod = b.round("capsule", 0.02, 1.0, (0.5 * math.cos(slope) + 0.02, 0, 0.5 * math.sin(slope) + 0.02), (-math.cos(slope), 0, math.sin(slope)))
    b.contact([b.plane(), b.plane(normal=(1, 0, 0))], [rod], friction=0.1)


# On an inclined plane, below, at and above the angle of friction.


def incline(kind, degrees, friction, **options):
    slope = math.radians(degrees)
    normal = np.array((-math.sin(slope), 0, math.cos(slope)))

    def build(b):
        at = tuple(0.05 * normal)
        body = {
            "box": lambda: b.box((0.2, 0.1, 0.1), at, rotation=(0, -slope, 0)),
            "ball": lambda: b.sphere(at, radius=0.05),
            "cylinder": lambda: b.round("cylinder", 0.05, 0.2, at, axis=(0, 1, 0)),
        }[kind]()
        b.contact([b.plane(normal=tuple(normal))], [body], friction=friction)

    add(f"{kind}_on_a_slope_of_{degrees:.0f}_degrees_friction_{friction}", build, **options)


for _kind in ("box", "ball", "cylinder"):
    incline(_kind, 20, 0.5)
    incline(_kind, 30, 0.5)
    incline(_kind, 80, 1.0)
incline("box", math.degrees(math.atan(0.5)), 0.5, determined=False)  # friction and weight are equal


# Rods on hinges with stops and friction.


def swing(spin, length=1.0):
    """Velocity of the centre of a rod that hangs from the origin."""
    return tuple(np.cross((0, spin, 0), (0, 0, -0.5 * length)))


def pendulum(name, spin=0.0, limits=None, restitution=0.5, friction=None, **options):
    stops = {} if limits is None else dict(limits=limits, restitution=restitution)

    def build(b):
        b.revolute(None, b.rod((0, 0, 0), (0, 0, -1), swing(spin), (0, spin, 0)), at=(0, 0, 0), friction=friction, **stops)

    add(f"pendulum_{name}", build, **{"until": 1.0, **options})


for _restitution in (0, 0.5, 1):
    pendulum(f"at_a_stop_moves_into_it_restitution_{_restitution}", -2, (0, 3), _restitution)
    pendulum(f"at_a_stop_moves_away_restitution_{_restitution}", 2, (0, 3), _restitution)
    pendulum(f"between_stops_restitution_{_restitution}", 2, (-0.2, 0.2), _restitution)
pendulum("rests_at_a_stop", 0, (0, 3))
pendulum("with_friction", 2, friction=0.5)
pendulum("with_friction_rests", 0, friction=0.5)
pendulum("with_friction_between_stops", 2, (-0.1, 0.1), friction=0.5)
pendulum("without_gravity_meets_a_stop", 2, (0, 1), gravity=0)
pendulum("without_gravity_between_elastic_stops", 2, (0, 0.103), 1, gravity=0)


def double_pendulum(name, spins=(0, 0), hip=None, knee=None, restitution=0.5, friction=None, **options):
    def build(b):
        upper = b.rod((0, 0, 0), (0, 0, -1), swing(spins[0]), (0, spins[0], 0))
        lower = b.rod((0, 0, -1), (0, 0, -2), tuple(np.add(swing(spins[0], 2.0), swing(spins[1]))), (0, spins[1], 0))
        for a, c, height, limits in ((None, upper, 0, hip), (upper, lower, -1, knee)):
            stops = {} if limits is None else dict(limits=limits, restitution=restitution)
            b.revolute(a, c, at=(0, 0, height), friction=friction, **stops)

    add(f"double_pendulum_{name}", build, **{"until": 0.6, **options})


double_pendulum("moves_into_its_knee", (0, -2), knee=(0, 2))
double_pendulum("moves_into_its_elastic_knee", (1, -2), knee=(0, 2), restitution=1)
double_pendulum("moves_into_both_stops", (-1, -2), (0, 2), (0, 2))
double_pendulum("moves_into_both_stops_and_stays", (-1, -2), (0, 2), (0, 2), restitution=0)
double_pendulum("rests_at_its_knee", knee=(0, 2))
double_pendulum("with_friction", (2, -2), friction=0.3)
double_pendulum("with_friction_rests", friction=0.3)
double_pendulum("with_friction_and_stops", (2, -2), (-0.3, 0.3), (0, 1), restitution=0.2, friction=0.3)


# A block on a guide with stops, friction, a spring.


def block(name, speed=0.0, limits=None, restitution=0.5, axis=(1, 0, 0), start=0.0, friction=None, stiffness=None, **options):
    stops = {} if limits is None else dict(limits=limits, restitution=restitution)

    def build(b):
        body = b.box(CUBE, (0, 0, 0), velocity=tuple(speed * np.array(axis)), displacement=tuple(start * np.array(axis)))
        b.prismatic(body, axis, friction=friction, stiffness=stiffness, **stops)

    add(f"block_{name}", build, **{"until": 0.5, **options})


UP = (0, 0, 1)
for _restitution in (0, 0.5, 1):
    block(f"at_a_stop_moves_into_it_restitution_{_restitution}", -1, (0, 1), _restitution)
    block(f"falls_on_its_stop_restitution_{_restitution}", -1, (0, 1), _restitution, UP)
    block(f"fast_between_stops_restitution_{_restitution}", 10, (-0.01, 0.01), _restitution, until=0.1, shorter=0.1)
block("rests_on_its_stop", 0, (0, 1), axis=UP)
block("held_by_friction_at_its_stop", 0, (0, 1), axis=UP, friction=20)
block("slips_down", 0, (-1, 1), axis=UP, friction=5)
block("held_by_friction_of_its_weight", 0, (-1, 1), axis=UP, friction=9.81, determined=False)  # friction and weight are equal
ON_SPRING = dict(friction=10, stiffness=100, until=1.0)  # friction holds the spring at 0.1 m
block("on_a_spring_at_the_limit_of_friction", start=0.1, **ON_SPRING, determined=False)
block("on_a_spring_just_above_the_limit_of_friction", start=0.1000001, **ON_SPRING)
block("on_a_spring_just_below_the_limit_of_friction", start=0.0999999, **ON_SPRING)
block("with_friction_on_a_spring_swings", start=0.105, friction=1, stiffness=100, until=3.0)
block("with_friction_on_a_spring_starts_with_a_speed", 1, friction=1, stiffness=100, until=3.0)
block("with_friction_on_a_spring_starts_at_a_stop", 0, (-0.1, 0.1), start=0.1, friction=1, stiffness=100, until=2.0)
block("with_friction_comes_to_rest", 1, friction=1, until=2.0)


# Ropes, sheaves, gears.


def on_a_rope(name, at, velocity=(0, 0, 0), restitution=0.5, **options):
    add(f"rope_{name}", lambda b: b.tether((0, 0, 0), b.point_mass(at, velocity=velocity), 1.0, restitution), **{"until": 1.0, **options})


on_a_rope("hangs", (0, 0, -1))
on_a_rope("swings", (0, 0, -1), (1, 0, 0), 0)
on_a_rope("is_jerked", (0, 0, -1), (0, 0, -1))
on_a_rope("is_jerked_elastically", (0, 0, -1), (0, 0, -1), 1)
on_a_rope("catches_a_fall", (0.2, 0, 0), restitution=0)
on_a_rope("catches_a_fall_and_rebounds", (0.2, 0, 0))
on_a_rope("is_jerked_without_gravity", (0, 0, -1), (1, 0, -1), gravity=0)
on_a_rope("starts_level", (1, 0, 0), restitution=0)
on_a_rope("is_thrown_up", (0, 0, 1), (0, 0, 3))
on_a_rope("is_passed_by_its_fixed_end", (0, 0, -0.5), (0, 0, 3), determined=False)  # through the point where the rope has no direction


def atwood(name, left, right, speed=0.0):
    def build(b):
        one, other = b.point_mass((-0.1, 0, -1), left, (0, 0, speed)), b.point_mass((0.1, 0, -1), right, (0, 0, -speed))
        b.rope(one, b.sheave((0, 0, 0), (0, 1, 0), 0.1), other)

    add(f"atwood_{name}", build, until=0.5)


atwood("of_equal_masses", 1, 1)
atwood("of_equal_masses_moves", 1, 1, 1.0)
atwood("of_1_and_2", 1, 2)
atwood("of_1_and_a_million", 1, 1e6)


def gear_pair(name, stiffness=None, until=0.5, shorter=1.0, **fields):
    def build(b):
        joints = []
        for radius, x, spin in ((0.1, 0.0, 10.0), (0.05, 0.15, 0.0 if fields else -20.0)):
            wheel = b.round("cylinder", radius, 0.02, (x, 0, 0), spin=(0, 0, spin))
            joints.append(b.revolute(None, wheel, axis=(0, 0, 1)))
        given = fields if stiffness is None else dict(fields, stiffness=b.world.torque * stiffness)
        if b.world.reversed:  # a gear is written on joints: these come first in any order
            b.connections.insert(0, lambda: b.model.gear(joints[1]["joint"], joints[0]["joint"], ratio=-2, **given))
        else:
            b.connections.append(lambda: b.model.gear(joints[1]["joint"], joints[0]["joint"], ratio=-2, **given))

    add(f"gear_{name}", build, until=until, shorter=shorter)


gear_pair("turns")
for _restitution in (0.0, 0.5, 1.0):
    gear_pair(f"with_backlash_restitution_{_restitution}", backlash=0.01, restitution=_restitution)
gear_pair("of_springs_with_backlash", until=0.05, shorter=0.1, backlash=0.01, stiffness=1e3)


# Tables that move.


def table(name, amplitude, frequency, axis=UP, kind="ball", restitution=0.0, friction=0.3, **options):
    """A ball or a cube on a table that goes as amplitude sin(frequency t)."""

    def build(b):
        w = b.world
        top = b.box((2, 2, 0.1), (0, 0, -0.05))
        b.prismatic(top, axis, position=f"{amplitude * w.length}*sin({frequency / w.time}*t)")
        body = b.sphere() if kind == "ball" else b.box((0.2, 0.2, 0.2), (0, 0, 0.1))
        b.contact([top], [body], restitution, friction)

    add(f"table_{name}", build, **{"until": 1.0, "driven": True, **options})


table("carries_a_ball_up_and_down", 0.05, 10)
table("carries_a_cube_up_and_down", 0.05, 10, kind="cube")
table("throws_a_ball", 0.2, 10)
table("throws_a_ball_that_bounces", 0.2, 10, restitution=0.5)
table("throws_a_cube", 0.2, 10, kind="cube")
table("throws_a_cube_that_bounces", 0.2, 10, kind="cube", restitution=0.3, until=0.6)
table("carries_a_cube_sideways", 0.01, 10, (1, 0, 0), "cube", friction=0.5)
table("slips_under_a_cube", 0.1, 10, (1, 0, 0), "cube")
table("slips_under_a_cube_without_friction", 0.1, 10, (1, 0, 0), "cube", friction=0)
table("rolls_a_ball", 0.1, 10, (1, 0, 0))


@scene(until=2.0, driven=True)
def belt_and_spring(b):
    belt, load = b.box((10, 1, 0.1), (0, 0, -0.05)), b.box((0.2, 0.2, 0.1), (0, 0, 0.05))
    b.prismatic(belt, (1, 0, 0), speed=0.5 * b.world.speed)
    b.contact([belt], [load], friction=0.5)
    b.spring((-1, 0, 0.05), load, stiffness=50, rest_length=1)


def turntable(b, body, speed):
    disk = b.round("cylinder", 1.0, 0.1, (0, 0, -0.05))
    b.revolute(None, disk, axis=(0, 0, 1), speed=speed)
    b.contact([disk], [body], friction=0.3)


@scene(until=0.8, driven=True)
def turntable_with_a_cube_is_started(b):
    turntable(b, b.box(CUBE, (0.3, 0, 0.05)), f"{5 / b.world.time**2}*t")


@scene(until=0.8, driven=True)
def turntable_with_a_ball(b):
    turntable(b, b.sphere((0.3, 0, 0.1)), 5 / b.world.time)


# Chains and mechanisms with contact.


def chain(name, links, height, restitution=0.0, friction=0.3, slope=0.0):
    """Capsules on ball joints, in a line."""
    along = np.array((math.cos(slope), 0, math.sin(slope)))

    def build(b):
        made = [b.round("capsule", 0.05, 0.2, tuple((0, 0, height) + 0.3 * (i + 0.5) * along), tuple(along)) for i in range(links)]
        for i in range(1, links):
            b.spherical(made[i - 1], made[i], tuple((0, 0, height) + 0.3 * i * along))
            b.no_contact(made[i - 1], made[i])
        b.contact([b.plane()], made, restitution, friction)

    add(f"chain_{name}", build, until=0.5)


chain("of_2_rests", 2, 0.05)
chain("of_2_falls_flat", 2, 0.1, 0.5)
chain("of_2_leans", 2, 0.05, slope=0.5)
chain("of_2_leans_on_a_rough_floor", 2, 0.05, friction=1.0, slope=1.2)
chain("of_3_falls_askew", 3, 0.1, 0.5, slope=0.3)
chain("of_4_falls_flat", 4, 0.1)


@scene()
def cart_rolls(b):
    body = b.box((0.4, 0.2, 0.05), (0, 0, 0.075), velocity=(1, 0, 0))
    wheels = [b.round("cylinder", 0.05, 0.02, (x, y, 0.05), (0, 1, 0), 0.1, (1, 0, 0), (0, 20, 0)) for x in (-0.15, 0.15) for y in (-0.1, 0.1)]
    for wheel in wheels:
        b.revolute(body, wheel)
    b.contact([b.plane()], wheels, friction=0.5)


@scene()
def seesaw_with_two_balls(b):
    board = b.box((1, 0.2, 0.05), (0, 0, 0), mass=2)
    b.revolute(None, board)
    b.contact([board], [b.sphere((x, 0, 0.125)) for x in (0.4, -0.4)], friction=0.4)


@scene(until=0.5)
def seesaw_throws_a_ball(b):
    board = b.box((1, 0.2, 0.05), (0, 0, 0), mass=2)
    b.revolute(None, board)
    b.contact([board], [b.sphere((0.45, 0, 0.075), 0.05, 0.1), b.sphere((-0.4, 0, 0.5), 0.1, 5.0)], 0.1, 0.4)


@scene(until=0.5)
def flap_with_a_ball(b):
    flap = b.rod((0, 0, 0), (1, 0, 0))
    b.revolute(None, flap, at=(0, 0, 0), limits=(-1, 0.5), restitution=0.4)
    b.contact([flap], [b.sphere((0.9, 0, 0.07), 0.05)], friction=0.5)


# Balls among themselves.


def two_balls(name, velocities, masses=(1, 1), offset=0.0, restitution=0.5, friction=0.3, **options):
    """In touch, the second at `offset` above the first's axis; without gravity."""

    def build(b):
        places = (0, 0, 0), (math.sqrt(0.04 - offset**2), 0, offset)
        b.contact([b.sphere(at, 0.1, mass, velocity) for at, mass, velocity in zip(places, masses, velocities)], restitution=restitution, friction=friction)

    add(f"two_balls_{name}", build, **{"until": 0.3, "gravity": 0, **options})


STILL, RIGHT, LEFT = (0, 0, 0), (1, 0, 0), (-1, 0, 0)
two_balls("rest", (STILL, STILL))
two_balls("collide", (RIGHT, STILL))
two_balls("collide_off_centre", (RIGHT, STILL), offset=0.1)
two_balls("graze", ((0, 0, 1), STILL))
two_balls("light_on_heavy", (RIGHT, STILL), (1, 1e6))
two_balls("heavy_on_light", (STILL, LEFT), (1, 1e6))
two_balls("heavy_on_light_elastically", (STILL, LEFT), (1, 1e6), restitution=1, friction=0)
two_balls("come_fast", ((500, 0, 0), (-500, 0, 0)), offset=0.1, restitution=0.9, friction=0.2, until=0.01, shorter=0.1)


def tower(name, masses, restitution=0.0, friction=0.3, speed=0.0, **options):
    """Balls one on the other, all with the same speed down."""

    def build(b):
        balls = [b.sphere((0, 0, 0.1 + 0.2 * i), mass=mass, velocity=(0, 0, -speed)) for i, mass in enumerate(masses)]
        b.contact([b.plane(), *balls], restitution=restitution, friction=friction)

    add(f"tower_{name}", build, **{"until": 0.3, **options})


tower("of_3_rests", (1, 1, 1))
tower("of_1_and_a_million_rests", (1, 1e6))
tower("of_a_million_and_1_rests", (1e6, 1))
tower("of_2_lands", (1, 1), 0.5, speed=1)
tower("of_heavy_and_light_lands_elastically", (1, 0.1), 1, 0, speed=1)
tower("of_a_millionth_and_1_lands", (1e-6, 1), 0.5, speed=1)


@scene(until=0.6, gravity=0)
def three_balls_collide_at_once(b):
    b.contact([b.sphere((x, 0, 0), velocity=(-2 * x, 0, 0)) for x in (-0.5, 0.5, 0)], restitution=0.8, friction=0.2)


@scene(until=0.6, gravity=0)
def four_balls_collide_at_once(b):
    places = (-0.5, 0), (0.5, 0), (0, 0.5), (0, -0.5)
    b.contact([b.sphere((x, y, 0), velocity=(-2 * x, -2 * y, 0)) for x, y in places], restitution=0.8, friction=0.2)


# Fast balls.


@scene(until=0.05, shorter=0.02)
def fast_ball_bounces(b):
    b.contact([b.plane()], [b.sphere((0, 0, 1), velocity=(1e3, 0, -1e3))], 0.5, 0.3)


@scene(until=0.05, shorter=0.02)
def fast_ball_stays_down(b):
    b.contact([b.plane()], [b.sphere((0, 0, 1), velocity=(1e3, 0, -1e3))])


@scene(until=0.05, shorter=0.02)
def fast_ball_meets_a_wall(b):
    b.contact([b.plane(), b.plane((5, 0, 0), (-1, 0, 0))], [b.sphere(velocity=(1e3, 0, 0))], 0.8, 0.3)


@scene(until=0.01, gravity=0, shorter=0.1)
def fast_ball_meets_a_thin_plate(b):
    b.contact([b.box((1, 1, 0.001), (0, 0, 0), mass=1e6)], [b.sphere((0, 0, 0.1), 0.01, velocity=(0, 0, -100))], 0.5)


@scene(until=0.01, gravity=0, shorter=0.01)
def fast_balls_meet(b):
    b.contact([b.sphere((-1, 0, 0), 0.01, velocity=(500, 0, 0)), b.sphere((1, 0, 0.005), 0.01, velocity=(-500, 0, 0))], restitution=0.9, friction=0.2)
