"""Pairs of shapes in coal (PyPI: coal) and Saltus: gap, normal, time, same bits twice.

    coal_pairs.py [--poses 2000] [--tolerance 1e-6]

Needs both in one environment. Saltus' gap is the truth: a search over all directions finds none farther apart (collision/convex_test.cpp). Times are CPU ns a call from
Python for coal (ComputeDistance, made once a pair of shapes; its wrapper takes a part), the engine's own for Saltus are those of bench/contact.cpp."""

from __future__ import annotations

import argparse
import itertools
import time
from typing import Any

import coal
import numpy as np
import saltus._core as core


def shapes() -> dict[str, tuple[Any, tuple[Any, ...]]]:
    """Name: shape of coal, (kind, radius, halves, points) of Saltus."""
    return {
        "sphere": (coal.Sphere(0.3), ("sphere", 0.3, (0.0, 0.0, 0.0), [])),
        "capsule": (coal.Capsule(0.15, 0.8), ("capsule", 0.15, (0.0, 0.0, 0.4), [])),
        "cylinder": (coal.Cylinder(0.3, 0.7), ("cylinder", 0.3, (0.0, 0.0, 0.35), [])),
        "box": (coal.Box(0.5, 0.8, 0.6), ("box", 0.0, (0.25, 0.4, 0.3), [])),
        "cone": (coal.Cone(0.4, 0.8), ("cone", 0.4, (0.4, 0.0, 0.4), [])),
        "ellipsoid": (coal.Ellipsoid(0.2, 0.45, 0.3), ("ellipsoid", 0.0, (0.2, 0.45, 0.3), [])),
    }


def turned(rng: np.random.Generator) -> np.ndarray:
    q = rng.normal(size=4)
    w, x, y, z = q / np.linalg.norm(q)
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--poses", type=int, default=2000)
    parser.add_argument("--tolerance", type=float, default=1e-6, help="of coal's searches")
    arguments = parser.parse_args()
    poses = arguments.poses
    rng = np.random.default_rng(3)
    print(f"coal {coal.__version__}, {poses} poses a pair")
    print(f"{'pair':24s} {'gap off: apart':>16s} {'overlapping':>12s} {'normal':>9s} {'ns':>7s} same bits")
    for (a, (ca, sa)), (b, (cb, sb)) in itertools.combinations_with_replacement(shapes().items(), 2):
        compute, request, result = coal.ComputeDistance(ca, cb), coal.DistanceRequest(), coal.DistanceResult()
        request.gjk_tolerance = request.epa_tolerance = arguments.tolerance
        off, deep, turn, spent, same = 0.0, 0.0, 0.0, 0.0, True
        for _ in range(poses):
            p, q, P, Q = rng.uniform(-0.6, 0.6, 3), rng.uniform(-0.6, 0.6, 3), turned(rng), turned(rng)
            A, B = coal.Transform3s(P, p), coal.Transform3s(Q, q)
            start = time.process_time_ns()
            result.clear()
            gap = compute(A, B, request, result)
            spent += time.process_time_ns() - start
            normal = np.array(result.normal)
            again = coal.DistanceResult()
            same &= gap == coal.ComputeDistance(ca, cb)(A, B, request, again) and bool((np.array(again.normal) == normal).all())
            true, n, *_ = core.shape_distance((*sa, [], tuple(p), tuple(P.ravel())), (*sb, [], tuple(q), tuple(Q.ravel())))
            off, deep = (max(off, abs(gap - true)), deep) if true > 0.0 else (off, max(deep, abs(gap - true)))
            if abs(true) > 1e-3:
                turn = max(turn, float(np.linalg.norm(normal - n)))
        print(f"{a + ' ' + b:24s} {off:16.1e} {deep:12.1e} {turn:9.1e} {spent / poses:7.0f} {same}")


if __name__ == "__main__":
    main()
