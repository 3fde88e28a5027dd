"""Random models from a seed: chains and clusters of bodies with joints of all kinds, spheres, boxes and capsules on planes, springs,
drives, limits, friction, circuits with diodes and motors. `python tests/python/random_models.py 0 200` runs many and tells of each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import saltus as sl


@dataclass
class Scene:
    model: sl.Model
    kept: bool  # nothing feeds energy in
    bodies: list  # (body, lowest point above the plane as a function of height and direction of its own z axis)
    parts: list[str]  # what is in it


def _unit(rng) -> np.ndarray:
    d = rng.normal(size=3)
    return d / np.linalg.norm(d)


def _joint(m, rng, a, b, at, driven) -> str:
    kind = str(rng.choice(["spherical", "revolute", "prismatic", "cylindrical", "universal", "fixed", "distance"], p=[0.22, 0.28, 0.1, 0.1, 0.1, 0.1, 0.1]))
    at, axis = tuple(at), tuple(_unit(rng))
    if kind == "revolute":
        extra = {}
        choice = rng.integers(6)
        if choice == 1:
            extra = {"stiffness": 10.0 ** rng.uniform(-1, 2), "damping": 10.0 ** rng.uniform(-3, 0)}
        elif choice == 2:
            extra = {"limits": (-float(rng.uniform(0.1, 1)), float(rng.uniform(0.1, 1))), "restitution": float(rng.choice([0.0, 0.5]))}
        elif choice == 3:
            extra = {"friction": 10.0 ** rng.uniform(-3, 0)}
        elif choice == 4 and driven:
            extra = {"speed": float(rng.uniform(-5, 5))}
        elif choice == 5 and driven:
            extra = {"torque": float(rng.uniform(-0.5, 0.5))}
        m.revolute(a, b, at=at, axis=axis, **extra)
        return kind + "".join("+" + x for x in extra)
    if kind == "prismatic":
        extra = {}
        choice = rng.integers(4)
        if choice == 1:
            extra = {"stiffness": 10.0 ** rng.uniform(1, 4), "damping": 10.0 ** rng.uniform(-1, 1)}
        elif choice == 2:
            extra = {"limits": (-float(rng.uniform(0.05, 0.3)), float(rng.uniform(0.05, 0.3)))}
        elif choice == 3:
            extra = {"friction": 10.0 ** rng.uniform(-1, 1)}
        m.prismatic(a, b, at=at, axis=axis, **extra)
        return kind + "".join("+" + x for x in extra)
    if kind == "cylindrical":
        m.cylindrical(a, b, at=at, axis=axis)
    elif kind == "universal":
        other = np.cross(axis, _unit(rng))
        m.universal(a, b, at=at, axes=(axis, tuple(other / np.linalg.norm(other))))
    elif kind == "fixed":
        m.fixed(a, b, at=at)
    elif kind == "distance":
        m.distance(a, b)
    else:
        m.spherical(a, b, at=at)
    return kind


def _circuit(m, rng) -> str:
    """A rectifier with a load, or a chopper: each source has its own resistance, each coil a way for its current."""
    volts = float(rng.uniform(1, 20))
    mains = f"{volts} * sin({float(rng.uniform(20, 400))} * t)"
    a, b = m.terminal(), m.terminal()
    m.voltage_source(a, m.ground, voltage=mains if rng.random() < 0.7 else volts)
    m.resistor(a, b, R=10.0 ** rng.uniform(-1, 2))
    if rng.random() < 0.5:
        c = m.terminal()
        m.diode(b, c)
        m.capacitor(c, m.ground, C=10.0 ** rng.uniform(-6, -3))
        m.resistor(c, m.ground, R=10.0 ** rng.uniform(1, 4))
        return "rectifier"
    c, d = m.terminal(), m.terminal()
    m.diode(b, c), m.diode(m.ground, c)
    m.inductor(c, d, L=10.0 ** rng.uniform(-4, -1))
    m.resistor(d, m.ground, R=10.0 ** rng.uniform(0, 2))
    return "freewheel"


def random_model(seed: int) -> Scene:
    rng = np.random.default_rng([17, seed])
    m = sl.Model()
    floor = m.plane()
    parts: list[str] = []
    driven = rng.random() < 0.4
    bodies, everything = [], []

    def add(p, size):
        kind = str(rng.choice(["sphere", "capsule", "box"]))
        mass = 10.0 ** rng.uniform(-1, 1)
        moving = {"velocity": tuple(rng.normal(size=3))} if rng.random() < 0.3 else {}
        if kind == "sphere":
            body, reach = m.sphere(radius=size, mass=mass, at=tuple(p), **moving), (lambda z, s=size: s)
        elif kind == "capsule":
            body = m.capsule(radius=0.5 * size, length=size, mass=mass, axis="z", at=tuple(p), **moving)
            reach = lambda z, s=size: 0.5 * s + 0.5 * s * abs(z[2, 2])  # noqa: E731
        else:
            body = m.box(size=(size, 1.4 * size, 0.7 * size), mass=mass, at=tuple(p), **moving)
            reach = lambda z, s=size: 0.5 * s * (abs(z[2, 0]) + 1.4 * abs(z[2, 1]) + 0.7 * abs(z[2, 2]))  # noqa: E731
        everything.append(kind)
        bodies.append((body, reach))
        return body, kind

    # A tree of jointed bodies, from the ground or free.
    chain, links = int(rng.integers(0, 7)), []
    place = np.array([0.0, 0.0, float(rng.uniform(0.5, 2.0))])
    last, grounded = m.ground, rng.random() < 0.7
    for i in range(chain):
        d = _unit(rng) * np.array([1.0, 1.0, 0.3])
        d /= np.linalg.norm(d)
        nxt = place + 0.3 * d
        link, kind = add(nxt, 0.1)
        if i or grounded:
            parts.append(_joint(m, rng, last, link, place + 0.1 * d, driven))
        if rng.random() < 0.2:
            m.spring(m.ground, link, stiffness=10.0 ** rng.uniform(0, 4), damping=10.0 ** rng.uniform(-1, 1), rest_length=float(rng.uniform(0, 1)))
            parts.append("spring")
        if rng.random() < 0.1 and driven:
            m.force(link, (0.0, 0.0, float(rng.uniform(-20, 20))))
            parts.append("force")
        links.append((link, kind))
        last, place = link, nxt
    # Loose bodies over the floor, side by side.
    loose = [add((2.0 + 0.5 * (i % 3), 0.5 * (i // 3), float(rng.uniform(0.16, 0.6))), float(rng.uniform(0.05, 0.15))) for i in range(int(rng.integers(0, 7)))]
    mu, e = float(rng.choice([0.0, 0.1, 0.5, 1.0])), float(rng.choice([0.0, 0.3, 0.8]))
    touching = [b for b, _ in links + loose]
    if touching:
        if rng.random() < 0.7:
            m.contact([floor], touching, friction=mu, restitution=e)
            parts.append(f"group mu={mu} e={e}")
        else:
            for b in touching:
                m.contact(floor, b, friction=mu, restitution=e)
            parts.append(f"contacts mu={mu} e={e}")
    balls = [b for b, kind in loose if kind in ("sphere", "capsule")]
    if len(balls) > 1 and rng.random() < 0.7:
        m.contact(balls, friction=mu)
        parts.append("balls")
    if rng.random() < 0.3 or not touching:
        parts.append(_circuit(m, rng))
        driven = True
    return Scene(m, not driven, bodies, [*everything, *parts])


def rotations(quaternion: np.ndarray) -> np.ndarray:
    w, x, y, z = np.asarray(quaternion).T
    return np.stack([np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], -1),
                     np.stack([2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)], -1),
                     np.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], -1)], -2)  # fmt: skip


if __name__ == "__main__":
    import sys
    import time

    for seed in range(int(sys.argv[1]), int(sys.argv[2])):
        scene = random_model(seed)
        start = time.process_time()
        try:
            result = scene.model.simulate(0.5)
            report = result.report
            print(seed, report["status"], report["steps"], report["rejected"], report["iterations"], f"{time.process_time() - start:.2f} s", flush=True)
        except sl.RunError as error:
            print(seed, f"{time.process_time() - start:.2f} s", error, scene.parts, flush=True)
