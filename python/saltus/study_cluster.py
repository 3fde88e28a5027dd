"""A study on a cluster: batches of points as tasks of dask.distributed, which reaches Slurm, PBS, Kubernetes and others by its own packages."""

from __future__ import annotations

import hashlib
import math
import time as clock
from collections.abc import Callable, Sequence
from typing import Any

from saltus.errors import Fault, ModelError, missing_extra
from saltus.geometry import short
from saltus.study_workers import Batch, Tasks, _call, batch_size, loaded, packed

CONNECT = 10.0  # s to wait for a scheduler
TASK_SECONDS = 0.5  # of work in a task, which costs the scheduler some ms
AHEAD = 2  # batches in the queue of each thread of a worker
_functions: dict[str, Any] = {}  # of this process, by their hash


def run_batch(code: bytes, name: str, points: list[dict[str, Any]]) -> tuple[list[tuple[Any, str | None]], float]:
    """On a worker: values of points and the time [s] that they took. A function is read once."""
    if name not in _functions:
        _functions.clear()
        _functions[name] = loaded(code)
    began = clock.perf_counter()
    values = [_call(_functions[name], point) for point in points]
    return values, clock.perf_counter() - began


def _given(code: bytes) -> bytes:
    return code


def run_on_cluster(cluster: Any, function: Any, points: Sequence[dict[str, Any]], todo: Sequence[int], finished: Callable[[Batch], None]) -> None:
    """As `run_points`; cluster: address of a scheduler, or a client, which stays open."""
    try:
        from distributed import Client
    except ImportError:
        raise missing_extra("a study on a cluster", "cluster") from None
    if isinstance(cluster, Client):
        _Run(cluster, function, points, todo, finished).all()
        return
    if hasattr(cluster, "scheduler_address"):  # dask's own cluster objects
        cluster = cluster.scheduler_address
    if not isinstance(cluster, str):
        raise ModelError(Fault("study/cluster", f"is {short(cluster)}, expected an address or a client", 'write cluster="tcp://head:8786", or cluster=distributed.Client(...)'))
    try:
        client = Client(cluster, timeout=CONNECT, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise ModelError(Fault("study/cluster", f"at {cluster} no scheduler answers: {error}", "start one: `dask scheduler`, and workers: `dask worker ADDRESS`")) from None
    try:
        _Run(client, function, points, todo, finished).all()
    finally:
        client.close()


class _Run:
    """One study on a client: keeps the workers busy, takes lost batches back."""

    def __init__(self, client: Any, function: Any, points: Sequence[dict[str, Any]], todo: Sequence[int], finished: Callable[[Batch], None]):
        self.client, self.points, self.finished, self.tasks = client, points, finished, Tasks(todo, most_losses=1)  # dask itself runs what was lost on some other workers first
        code = packed(function)
        self.name = hashlib.sha256(code).hexdigest()
        # A task, not scattered data: these would be gone with the worker that has them.
        self.code = client.submit(_given, code, key=f"saltus-study-{self.name}")
        self.each = math.inf  # s a point
        self.batches: dict[Any, list[int]] = {}

    def all(self) -> None:
        from distributed import as_completed

        running = as_completed(loop=self.client.loop)
        try:
            self._fill(running)
            for future in running:
                batch = self.batches.pop(future)
                self._take(future, batch)
                future.release()
                self._fill(running)
        finally:
            self.client.cancel(list(self.batches))

    def _fill(self, running: Any) -> None:
        """Hands out batches until each thread has some ahead."""
        threads = max(1, sum(self.client.nthreads().values()))
        while len(self.batches) < AHEAD * threads:
            batch = self.tasks.take_now(batch_size(self.each, self.tasks.left, threads, TASK_SECONDS))
            if not batch:
                return
            future = self.client.submit(run_batch, self.code, self.name, [self.points[i] for i in batch], pure=False)
            self.batches[future] = batch
            running.add(future)

    def _take(self, future: Any, batch: list[int]) -> None:
        if future.status == "finished":
            values, seconds = future.result()
            each = seconds / len(batch)
            self.each = each if math.isinf(self.each) else 0.5 * (self.each + each)
            self.finished([(number, value, error) for number, (value, error) in zip(batch, values, strict=True)])
            self.tasks.done(len(batch))
            return
        error = future.exception() if future.status == "error" else None
        if isinstance(error, ModuleNotFoundError) and error.name in ("saltus", "cloudpickle"):
            raise ModelError(Fault("study/cluster", f"has a worker without the package {error.name}", "install the same packages on all machines of the cluster"))
        if error is not None and type(error).__name__ not in ("KilledWorker", "CancelledError", "FutureCancelledError", "CommClosedError"):
            raise ModelError(Fault("study/cluster", f"a task failed: {type(error).__name__}: {error}", "see the logs of its worker"))
        self.finished(self.tasks.lost(batch, "its worker was lost, and others with it: the function crashed its interpreter, or memory ran out"))


__all__ = ["run_on_cluster"]
