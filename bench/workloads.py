"""What `bench/run.py` measures: one `Workload` a row of the table, with the truth that its programs are checked against."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Workload:
    """programs: who runs it beside saltus. truth(size, time) -> the probes; without it the programs are compared with `limit`, or, where
    there is none, with saltus. finer: the reference is `limit` with that part of the step. tolerance: of an error, relative to the largest
    probe or `moves`; a program above it is not compared."""

    name: str
    unit: str  # of a time: what the time of a run is divided by, beside its steps
    goal: str
    unknowns: int  # a unit of size
    sizes: tuple[int, ...]
    work: int  # size times steps of one run
    programs: tuple[str, ...]
    tolerance: float
    step: float = 1e-3
    most_steps: int = 4000
    fewest_steps: int = 10
    peers_to: int = 100_000  # size; building the model of a peer takes minutes beyond
    peer_part: float = 0.1  # of the steps: a peer is slow
    truth: Callable[[int, float], list[float]] | None = None
    finer: int = 1
    moves: float | None = None  # what errors are relative to, where the probes hardly move in so few steps
    sensitive: bool = False  # small differences grow: within the tolerance all are as right

    def steps(self, size: int) -> int:
        """Of the programs that are not peers."""
        return min(self.most_steps, max(self.fewest_steps, self.work // size))

    def quick(self) -> Workload:
        """The first three sizes, a tenth of the work."""
        return replace(self, work=self.work // 10, sizes=self.sizes[:3])


def decay(size: int, t: float) -> list[float]:
    """u'' + 2 u' + 100 u = 0 from 0.1 at rest."""
    w = math.sqrt(99.0)
    return [0.1 * math.exp(-t) * (math.cos(w * t) + math.sin(w * t) / w)]


def bridge(size: int, t: float) -> list[float]:
    """A bridge of ideal diodes with a resistor is that resistor: v'' + v'/(R C) + v/(L C) = 0 from 10 V, no current in the coil."""
    R, C, L = 1e3, 1e-6, 1e-2
    d = 1 / (2 * R * C)
    w = math.sqrt(1 / (L * C) - d * d)
    c, s, e = math.cos(w * t), math.sin(w * t), math.exp(-d * t)
    v = 10 * e * (c - d / w * s)
    return [v, 10 * e * s / (w * L)]


def four_bars(size: int, t: float) -> list[float]:
    """The swing of all rods by one angle f, by RK4 at 0.1 ms: the centre of the last rod.

    size couplers on size + 1 upright rods of length and mass 1: inertia (size + 1) / 3 + size, weight (size + 1) / 2 + size."""
    k = 9.81 * ((size + 1) / 2 + size) / ((size + 1) / 3 + size)
    n = round(t / 1e-4)
    f, w, h = 0.5, 0.0, t / n
    for _ in range(n):
        a1 = -k * math.sin(f)
        w2, a2 = w + h / 2 * a1, -k * math.sin(f + h / 2 * w)
        w3, a3 = w + h / 2 * a2, -k * math.sin(f + h / 2 * w2)
        w4, a4 = w + h * a3, -k * math.sin(f + h * w3)
        f, w = f + h / 6 * (w + 2 * w2 + 2 * w3 + w4), w + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
    return [size + math.sin(f) / 2, -math.cos(f) / 2]


def stack(size: int, t: float) -> list[float]:
    """Spheres of radius 0.1 at rest on each other: heights of the lowest and the highest."""
    return [0.1, 0.1 + 0.2 * (size - 1)]


WORKLOADS = (
    Workload("spring_chain", "dof", "4 x kernel, 10 x exudyn", 3, (100, 1000, 10_000, 100_000, 333_334), 4_000_000, ("limit", "exudyn"), 1e-8, moves=0.01),
    Workload("spring_chain_implicit", "dof", "4 x kernel, 10 x exudyn", 3, (100, 1000, 10_000, 100_000, 333_334), 300_000, ("limit", "exudyn"), 1e-5, moves=0.01, peers_to=10_000),
    Workload("spring_chain_modified", "dof", "10 x exudyn", 3, (100, 1000, 10_000, 100_000), 300_000, ("exudyn",), 1e-5, moves=0.01, peers_to=10_000),
    Workload("linear_chain_once", "dof", "4 x kernel, 10 x exudyn", 1, (300, 3000, 30_000, 300_000, 1_000_000), 1_000_000, ("limit", "exudyn"), 1e-4, peers_to=30_000),
    Workload("pendulum_chain", "body", "4 us, 10 x exudyn", 1, (10, 100, 1000, 10_000, 100_000), 40_000, ("limit", "exudyn", "mujoco", "pin"), 1e-2, moves=0.01, most_steps=400, fewest_steps=40, peers_to=1000, peer_part=1, finer=4),
    Workload("pendulum_chain_modified", "body", "2 us, 10 x exudyn", 1, (10, 100, 1000, 10_000), 40_000, ("exudyn",), 1e-2, moves=0.01, most_steps=400, fewest_steps=40, peers_to=1000, peer_part=1),
    Workload("hinge_chain", "body", "4 us, 10 x exudyn", 1, (10, 100, 1000, 10_000), 40_000, ("exudyn",), 1e-2, moves=0.01, most_steps=400, fewest_steps=40, peers_to=1000, peer_part=1),
    Workload("hinge_chain_modified", "body", "2 us, 10 x exudyn", 1, (10, 100, 1000, 10_000), 40_000, ("exudyn",), 1e-2, moves=0.01, most_steps=400, fewest_steps=40, peers_to=1000, peer_part=1),
    Workload("four_bar_2d", "loop", "4 us, 10 x exudyn", 1, (1, 10, 100, 500), 20_000, ("exudyn", "mujoco"), 1e-4, most_steps=400, fewest_steps=40, peers_to=1000, peer_part=1, truth=four_bars),
    Workload("four_bar_3d", "loop", "4 us, 10 x exudyn", 1, (1, 10, 100, 500), 20_000, ("exudyn", "mujoco"), 1e-4, most_steps=400, fewest_steps=40, peers_to=1000, peer_part=1, truth=four_bars),
    Workload("oscillator", "step", "4 x exudyn", 1, (1,), 4000, ("limit", "exudyn"), 1e-7, peer_part=1, truth=decay),
    Workload("ball", "step", "100 ns, 20 x Siconos", 1, (1,), 4000, ("limit", "python", "siconos"), 1e-9, peer_part=1),
    Workload("beads", "bead", "100 ns, 20 x Siconos", 1, (10, 100, 1000), 0, ("limit", "python", "siconos"), 1e-2, fewest_steps=400, peers_to=1000, peer_part=1, finer=16, sensitive=True),
    Workload("woodpecker", "step", "20 x Siconos", 1, (1,), 14_999, ("limit", "python", "siconos"), 1e-6, step=2e-5, most_steps=14_999, peer_part=1),
    Workload("diode_bridge", "step", "0.4 us, 20 x Siconos", 1, (1,), 4000, ("limit", "python", "siconos"), 2e-2, step=1e-6, peer_part=1, truth=bridge),
    Workload("sphere_stack", "sphere", "10 x Siconos", 1, (10, 30, 100), 0, ("siconos", "mujoco"), 1e-3, fewest_steps=400, peers_to=100, peer_part=1, truth=stack),
)
