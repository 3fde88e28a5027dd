"""Scenes that people try first, at default settings: attempts, processor time, largest rise of the energy.

python bench/first_scenes.py [--scheme NAME] [--until 2] [--limit 25] [SCENE...]; SCENE: names, all by default. A run that takes more than --limit
seconds is ended. What should cost little and does not is found here before a user finds it.
"""

from __future__ import annotations

import argparse
import math
import time
import warnings

import numpy as np

import saltus as sl

SCENES = {}


def scene(build):
    SCENES[build.__name__] = build
    return build


def floor_and_box(m, size=(0.2, 0.2, 0.2), mass=2.0, friction=0.3, **more):
    floor, box = m.plane(), m.box(size=size, mass=mass, at=(0, 0, size[2] / 2), **more)
    m.contact(floor, box, friction=friction)
    return floor, box


@scene
def box_slides(m):
    floor_and_box(m, velocity=(1.3, 0.7, 0))


@scene
def box_slides_and_spins(m):
    floor_and_box(m, velocity=(1, 0.5, 0), angular_velocity=(0, 0, 5))


@scene
def plank_slides_and_spins(m):
    floor_and_box(m, size=(1, 0.2, 0.05), velocity=(1, 0.5, 0), angular_velocity=(0, 0, 2))


@scene
def crate_on_a_ramp(m):
    ramp = m.plane(rotation=sl.degrees(y=20))
    m.contact(ramp, m.box(size=(0.3, 0.25, 0.2), mass=5, on=ramp), friction=0.1)


@scene
def box_is_tipped(m):
    _, box = floor_and_box(m, size=(0.1, 0.2, 0.5), friction=0.8)
    m.force(box.frame(at=(0, 0, 0.45)), (8, 0, 0))


@scene
def box_on_a_belt(m):
    box, belt = m.box(size=(0.3, 0.2, 0.2), mass=2, at=(0, 0, 0.1), velocity=(1, 0, 0)), m.box(size=(4, 1, 0.1), mass=10, at=(0, 0, -0.05))
    m.prismatic(m.ground, belt, at=(0, 0, 0), axis=(1, 0, 0), speed=1.5)
    m.contact(belt, box, friction=0.4)


@scene
def stick_slip(m):
    box, plate = m.box(size=(0.2, 0.2, 0.2), mass=1, at=(0, 0, 0.1)), m.box(size=(10, 1, 0.1), mass=10, at=(0, 0, -0.05))
    m.prismatic(m.ground, plate, at=(0, 0, 0), axis=(1, 0, 0), speed=0.1)
    m.spring(m.ground.frame(at=(-1, 0, 0.1)), box, stiffness=30)
    m.contact(plate, box, friction=0.5)


@scene
def box_on_a_spring(m):
    _, box = floor_and_box(m)
    m.spring(m.ground.frame(at=(0, 0, 1.2)), box, stiffness=50, damping=0.5)


@scene
def seesaw(m):
    plank = m.box(size=(2, 0.3, 0.05), mass=5, at=(0, 0, 0.5))
    m.revolute(m.ground, plank, at=(0, 0, 0.5), axis=(0, 1, 0))
    for x, mass in ((0.8, 2.0), (-0.8, 2.5)):
        m.contact(plank, m.box(size=(0.2, 0.2, 0.2), mass=mass, at=(x, 0, 0.625)), friction=0.5)


@scene
def bridge(m):
    piers = [m.box(size=(0.2, 0.2, 0.2), mass=2, at=(x, 0, 0.1)) for x in (-0.4, 0.4)]
    plank, ball = m.box(size=(1.1, 0.2, 0.05), mass=3, at=(0, 0, 0.225)), m.sphere(radius=0.08, mass=1, at=(-0.3, 0, 0.34), velocity=(0.5, 0, 0))
    m.contact([m.plane(), *piers, plank, ball], friction=0.5)


@scene
def cards(m):
    leaning = [m.box(size=(0.01, 0.1, 0.2), mass=0.1, at=(-s * 0.05, 0, 0.1), rotation=(0, s * 0.3, 0)) for s in (1, -1)]
    m.contact([m.plane(), *leaning], friction=0.5)


@scene
def dominoes(m):
    pieces = [m.box(size=(0.02, 0.05, 0.1), mass=0.1, at=(0.05 * i, 0, 0.05)) for i in range(6)]
    m.contact([m.plane(), *pieces], friction=0.4)
    m.force(pieces[0].frame(at=(0, 0, 0.09)), ("2*(t < 0.1)", 0, 0))


@scene
def stack_is_hit(m):
    boxes = [m.box(size=(0.2, 0.2, 0.2), mass=1, at=(0, 0, 0.1 + 0.2 * i)) for i in range(5)]
    m.contact([m.plane(), m.sphere(radius=0.1, mass=3, at=(-1, 0, 0.6), velocity=(6, 0, 1.5)), *boxes], friction=0.4)


@scene
def brick_wall_is_hit(m):
    bricks = [m.box(size=(0.2, 0.1, 0.1), mass=1, at=(0.2 * c + 0.1 * (r % 2), 0, 0.05 + 0.1 * r)) for r in range(5) for c in range(4)]
    m.contact([m.plane(), *bricks], friction=0.5)
    m.contact(m.sphere(radius=0.1, mass=3, at=(0.4, -1, 0.35), velocity=(0, 4, 0.5)), bricks, friction=0.5)


@scene
def boxes_fall(m):
    chance = np.random.default_rng(0)
    boxes = [m.box(size=(0.1, 0.12, 0.08), mass=1, at=(*chance.uniform(-0.05, 0.05, 2), 0.1 + 0.15 * i), rotation=tuple(chance.normal(size=3))) for i in range(12)]
    m.contact([m.plane(), *boxes], friction=0.5)


@scene
def balls_are_poured(m):
    chance, turn = np.random.default_rng(1), math.pi / 2
    balls = [m.sphere(radius=0.03, mass=0.1, at=(*chance.uniform(-0.1, 0.1, 2), 0.1 + 0.07 * i)) for i in range(60)]
    walls = [m.plane(at=(-0.15, 0, 0), rotation=(0, turn, 0)), m.plane(at=(0.15, 0, 0), rotation=(0, -turn, 0)),
             m.plane(at=(0, -0.15, 0), rotation=(-turn, 0, 0)), m.plane(at=(0, 0.15, 0), rotation=(turn, 0, 0))]
    m.contact([m.plane(), *walls, *balls], friction=0.4)


@scene
def billiard(m):
    r, floor = 0.028, m.plane()
    rack = [m.sphere(radius=r, mass=0.17, at=(0.0561 * i * 0.8661, (j - i / 2) * 0.0561, r)) for i in range(5) for j in range(i + 1)]
    balls = [m.sphere(radius=r, mass=0.17, at=(-0.5, 0.002, r), velocity=(4, 0, 0)), *rack]
    m.contact(floor, balls, friction=0.2)
    m.contact(balls, restitution=0.95, friction=0.05)


@scene
def coin(m):
    m.contact(m.plane(), m.cylinder(radius=0.1, length=0.01, mass=0.1, at=(0, 0, 0.1), axis=(0, 1, 0.1), velocity=(1, 0, 0), angular_velocity=(0, 10, 0)), friction=0.5)


@scene
def spinning_top(m):
    m.contact(m.plane(), m.cone(radius=0.1, height=0.2, mass=0.5, at=(0, 0, 0.2), axis=(0, 0.1, -1), angular_velocity=(0, 0, 60)), friction=0.3)


@scene
def rattleback(m):
    m.contact(m.plane(), m.ellipsoid(size=(0.2, 0.06, 0.04), mass=0.2, at=(0, 0, 0.02), angular_velocity=(0.1, 0.1, -5)), friction=0.8)


@scene
def table_slides(m):
    floor, top = m.plane(), m.box(size=(1, 0.6, 0.05), mass=10, at=(0, 0, 0.5), velocity=(0.5, 0.2, 0))
    for x in (-0.45, 0.45):
        for y in (-0.25, 0.25):
            leg = m.capsule(radius=0.03, length=0.38, mass=0.5, at=(x, y, 0.22), velocity=(0.5, 0.2, 0))
            m.fixed(top, leg)
            m.contact(floor, leg, friction=0.3)


@scene
def car(m):
    floor, body = m.plane(), m.box(size=(1, 0.5, 0.2), mass=20, at=(0, 0, 0.35))
    for x in (-0.35, 0.35):
        for y in (-0.3, 0.3):
            wheel = m.cylinder(radius=0.2, length=0.08, mass=1, at=(x, y, 0.2), axis=(0, 1, 0))
            m.revolute(body, wheel, at=(x, y, 0.2), axis=(0, 1, 0), torque=1.0 if x < 0 else 0.0)
            m.contact(floor, wheel, friction=0.8)


@scene
def walking_wheel(m):
    ramp, hub = m.plane(rotation=(0, 0.1, 0)), m.sphere(radius=0.05, mass=3, at=(0, 0, 0.5), velocity=(0.6, 0, 0), angular_velocity=(0, 1.2, 0))
    for k in range(8):
        turn = 2 * math.pi * k / 8
        for y in (-0.15, 0.15):
            foot = m.sphere(radius=0.02, mass=0.05, at=(0.48 * math.sin(turn), y, 0.5 - 0.48 * math.cos(turn)), velocity=(0.6, 0, 0))
            m.fixed(hub, foot)
            m.contact(ramp, foot, friction=0.8)


@scene
def trebuchet(m):
    arm = m.rod((-0.5, 0, 1), (1.5, 0, 1), mass=10, radius=0.05)
    m.revolute(m.ground, arm, at=(0, 0, 1), axis=(0, 1, 0))
    weight, stone = m.box(size=(0.3, 0.3, 0.3), mass=200, at=(-0.5, 0, 0.7)), m.sphere(radius=0.05, mass=2, at=(0.5, 0, 0.05))
    m.revolute(arm, weight, at=(-0.5, 0, 1), axis=(0, 1, 0))
    m.distance(arm.frame(at=(1.5, 0, 1)), stone)
    m.contact(m.plane(), stone, friction=0.2)


@scene
def chain_falls(m):
    links = [m.capsule(radius=0.02, length=0.1, mass=0.1, at=(0.14 * i, 0, 0.3 + 0.05 * i), axis=(1, 0, 0)) for i in range(5)]
    for i, (a, b) in enumerate(zip(links, links[1:])):
        m.spherical(a, b, at=(0.14 * (i + 1) - 0.07, 0, 0.3 + 0.05 * (i + 1) - 0.025))
    m.contact([m.plane()], links, friction=0.4)


@scene
def net_of_springs(m):
    knots = {(i, j): m.sphere(radius=0.02, mass=0.01, at=(0.1 * i - 0.2, 0.1 * j - 0.2, 0.45)) for i in range(5) for j in range(5)}
    for (i, j), knot in knots.items():
        for other in ((i + 1, j), (i, j + 1)):
            if other in knots:
                m.spring(knot, knots[other], stiffness=50, damping=0.05, rest_length=0.1)
    ball = m.sphere(radius=0.2, mass=1, at=(0, 0, 0.2))
    m.fixed(m.ground, ball)
    m.contact(ball, list(knots.values()), friction=0.3)


@scene
def beam_swings(m):
    beam = m.beam((0, 0, 1), (1, 0, 1), EI=0.01, EA=1e4, mass_per_length=0.1, elements=10)
    m.revolute(m.ground, beam.start, at=(0, 0, 1), axis=(0, 1, 0))


@scene
def ball_on_a_beam(m):
    beam = m.beam((0, 0, 1), (1, 0, 1), EI=170, EA=2e7, mass_per_length=0.78, elements=8)
    m.fixed(m.ground, beam.start)
    tip = m.sphere(radius=0.02, mass=0.01, at=(1, 0, 1))
    m.fixed(beam.end, tip)
    m.contact(tip, m.sphere(radius=0.02, mass=0.2, at=(1, 0, 1.2)), restitution=0.3)


def run(name: str, scheme: str, until: float, limit: float) -> str:
    m = sl.Model()
    SCENES[name](m)
    began, last = time.process_time(), 0.0

    def look(state):
        nonlocal last
        last = state.time
        if time.process_time() - began > limit:
            raise TimeoutError

    try:
        result = m.simulate(until, scheme=scheme, after_step=look)
    except sl.RunError as error:
        return f"{'':9}{'':9}not through: t = {last:.3g} s after {time.process_time() - began:.0f} s" if "TimeoutError" in str(error) else str(error).splitlines()[0]
    energy = np.asarray(result["energy.total"])
    return f"{result.report['steps'] + result.report['rejected']:9}{time.process_time() - began:9.2f}{(energy - np.minimum.accumulate(energy)).max():12.1e}"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("scenes", nargs="*", metavar="SCENE", help="names; none: all")
    arguments.add_argument("--scheme", default="auto")
    arguments.add_argument("--until", type=float, default=2.0, help="[s]")
    arguments.add_argument("--limit", type=float, default=25.0, help="processor time of a run [s]")
    given = arguments.parse_args()
    warnings.simplefilter("ignore", sl.ModelWarning)
    print(f"{'scene':24}{'attempts':>9}{'CPU s':>9}{'rise, J':>12}")
    for name in given.scenes or SCENES:
        print(f"{name:24}{run(name, given.scheme, given.until, given.limit)}", flush=True)


if __name__ == "__main__":
    main()
