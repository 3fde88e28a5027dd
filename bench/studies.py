"""What a study costs beside its runs: overhead at runs of 10 ms, and 1e5 runs of a small model with their time and memory.

python bench/studies.py [--runs 100000] [--workers 2] [--cluster]
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from pathlib import Path

import numpy as np

import saltus as sl


def busy(k: float) -> float:
    """10 ms of processor time."""
    until = time.thread_time() + 0.01
    while time.thread_time() < until:
        pass
    return k / 3


def swing() -> sl.Model:
    m = sl.Model(gravity=(0, 0, 0))
    m.parameters = {"k": 100.0, "c": 1.0}
    cart = m.point_mass(mass=1, at=(1, 0, 0), displacement=(0.1, 0, 0), name="cart")
    m.spring(m.ground, cart, stiffness="k", damping="c", rest_length=1)
    m.outputs = {"place": cart.displacement.x}
    return m


def peak() -> float:
    """Largest memory of this process [MB]."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def cpu() -> float:
    """Processor time [s] of this process and of those that it has waited for: what others do on the machine does not count."""
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def serial(runs: int) -> float:
    """Processor time [s] of the runs in a loop."""
    began = cpu()
    for k in range(runs):
        busy(float(k))
    return cpu() - began


def overhead(runs: int, workers: int) -> tuple[float, float]:
    """(processor time beside the runs as a share of them, processor time [s] of the workers' start)."""
    used = []
    for points in (workers, runs):
        began = cpu()
        sl.study(busy, k=np.arange(float(points)), workers=workers)
        used.append(cpu() - began)
    return (used[1] - used[0]) / serial(runs - workers) - 1.0, used[0]


def on_cluster(runs: int, workers: int) -> float:
    """The same of a cluster of this machine: all of its processes less what they take when they run nothing."""
    from distributed import Client, LocalCluster

    used = []
    for points in (workers, runs):
        began = cpu()
        with LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as local, Client(local) as client:
            sl.study(busy, k=np.arange(float(points)), cluster=client)
        used.append(cpu() - began)
    return (used[1] - used[0]) / serial(runs - workers) - 1.0


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=100_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--cluster", action="store_true")
    given = parser.parse_args()
    sl.study(busy, k=[0.0])  # what is imported once
    for workers in sorted({1, given.workers}):
        share, start = overhead(1000 * workers, workers)
        print(f"{workers} workers: {100 * share:.2f} % over runs of 10 ms, {start:.2f} s to begin")
    if given.cluster:
        print(f"cluster of {given.workers}: {100 * on_cluster(1000 * given.workers, given.workers):.2f} % over runs of 10 ms")
    for runs in (given.runs // 10, given.runs):
        with tempfile.TemporaryDirectory() as folder:
            began, used = time.perf_counter(), cpu()
            path = Path(folder, "study.jsonl")
            study = sl.study(swing(), k=np.linspace(50, 150, runs // 100), c=np.linspace(0.5, 5, 100), simulate={"until": 2.0}, workers=given.workers, path=path)
            took, used = time.perf_counter() - began, cpu() - used
            print(f"{len(study)} runs: {took:.1f} s, {used:.1f} s of the processor, {1e3 * used / len(study):.3f} ms each, at most {peak():.0f} MB, file {path.stat().st_size / 1e6:.1f} MB, {len(study.failures)} failed")
