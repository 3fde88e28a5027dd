"""Worker processes of a study: fresh interpreters that serve batches of points over their pipes."""

from __future__ import annotations

import itertools
import os
import pickle
import struct
import subprocess
import sys
import threading
import time as clock
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from saltus.errors import Fault, ModelError, missing_extra

BATCH_SECONDS = 0.5  # points are handed out in batches that take about this long
MOST_POINTS = 1024  # in a batch
CROWD = 8.0  # tasks for each core at most: where a machine has that much to do, the clock says little of a batch's work
PLAIN = (bool, int, float, str, np.generic, np.ndarray, type(None))
MOST_LOSSES = 2  # of a point alone with its process


Batch = list[tuple[int, Any, str | None]]  # number of the point, value, error


def packed(function: Any) -> bytes:
    """The function as workers take it."""
    try:
        import cloudpickle
    except ImportError:
        raise missing_extra("study", "study") from None
    return cloudpickle.dumps(function)


def batch_size(seconds_each: float, left: int, workers: int, seconds: float = BATCH_SECONDS) -> int:
    """How many points to hand out at once: about `seconds` of the processor, fewer where the workers would end apart."""
    return max(1, min(MOST_POINTS, int(seconds / max(seconds_each, 1e-6)), left // (4 * workers)))


def run_points(function: Any, points: Sequence[dict[str, Any]], todo: Sequence[int], workers: int, finished: Callable[[Batch], None]) -> None:
    """Calls finished([(number, value, error), ...]) for all points of `todo`, from the threads that serve the workers."""
    if not todo:
        return
    code = packed(function)
    tasks = Tasks(todo)
    failures: list[BaseException] = []
    processes: list[_Worker] = []

    def feed(k: int) -> None:
        size = 1
        try:
            while not failures and (batch := tasks.take(size)):
                began = clock.monotonic()
                try:
                    values, worked = processes[k].call([points[i] for i in batch])
                except _Lost as lost:
                    if lost.at_start:
                        raise ModelError(Fault("study", f"a worker process ended with status {lost.status} before its first point", "see what it printed; does `import saltus` work there?")) from None
                    processes[k].end()
                    processes[k] = _Worker(code)
                    finished(tasks.lost(batch, f"the process ended with status {lost.status}, twice: the function crashed its interpreter, or memory ran out"))
                    size = 1
                    continue
                finished([(number, value, error) for number, (value, error) in zip(batch, values, strict=True)])
                tasks.done(len(batch))
                worked = max(worked, (clock.monotonic() - began) / CROWD)
                size = batch_size(worked / len(batch), tasks.left, workers)
        except BaseException as error:
            failures.append(error)

    try:
        for _ in range(workers):
            processes.append(_Worker(code))
        threads = [threading.Thread(target=feed, args=(k,), daemon=True) for k in range(workers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            while thread.is_alive():  # a join without limit would not see Ctrl-C
                thread.join(0.2)
    finally:
        for worker in processes:
            worker.end()
    if failures:
        raise failures[0]


class Tasks:
    """Points to do. Those that were lost with a process are done again, one by one; one that is lost alone twice has failed."""

    def __init__(self, todo: Sequence[int], most_losses: int = MOST_LOSSES):
        self._most = most_losses
        self._lock, self._fresh, self._again = threading.Lock(), iter(todo), deque[int]()
        self._losses: dict[int, int] = {}
        self._out, self.left = 0, len(todo)
        self._changed = threading.Condition(self._lock)

    def take(self, size: int) -> list[int]:
        """Numbers of at most `size` points; waits for points that may be lost elsewhere; none: all are done."""
        with self._changed:
            while True:
                batch = [self._again.popleft()] if self._again else list(itertools.islice(self._fresh, size))
                if batch or self._out == 0:
                    self._out += len(batch)
                    return batch
                self._changed.wait(0.5)

    def take_now(self, size: int) -> list[int]:
        """The same without waiting."""
        with self._lock:
            batch = [self._again.popleft()] if self._again else list(itertools.islice(self._fresh, size))
            self._out += len(batch)
            return batch

    def done(self, count: int) -> None:
        with self._changed:
            self._out -= count
            self.left -= count
            self._changed.notify_all()

    def lost(self, batch: list[int], reason: str) -> Batch:
        """Takes points back; the rows of those that have failed."""
        failed: Batch = []
        with self._changed:
            for number in batch:
                losses = self._losses.get(number, 0) + (len(batch) == 1)
                self._losses[number] = losses
                if losses >= self._most:
                    failed.append((number, None, reason))
                else:
                    self._again.append(number)
            self._out -= len(batch)
            self.left -= len(failed)
            self._changed.notify_all()
        return failed


class _Lost(Exception):
    """A worker process that ended."""

    def __init__(self, status: int, at_start: bool):
        self.status, self.at_start = status, at_start


class _Worker:
    """A fresh interpreter that serves batches of points over its pipes."""

    def __init__(self, code: bytes):
        # The parent's search path, so that functions of modules are found; __main__ travels by value.
        start = f"import sys; sys.path[:] = {sys.path!r}; from saltus.study_workers import serve; serve()"
        self._process = subprocess.Popen([sys.executable, "-c", start], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._code: bytes | None = code

    def call(self, batch: list[dict[str, Any]]) -> tuple[list[tuple[Any, str | None]], float]:
        """(value, error) of each point, and the processor time [s] of the worker."""
        at_start = self._code is not None
        try:
            if self._code is not None:
                _send(self._process.stdin, self._code)
                self._code = None
                _receive(self._process.stdout)  # it has begun
                at_start = False
            _send(self._process.stdin, _pickled(batch))
            return pickle.loads(_receive(self._process.stdout))
        except (BrokenPipeError, EOFError):
            raise _Lost(self._process.wait(), at_start) from None

    def end(self) -> None:
        for pipe in (self._process.stdin, self._process.stdout):
            try:
                pipe.close()
            except OSError:
                pass
        try:
            self._process.wait(1.0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def _pickled(batch: list[dict[str, Any]]) -> bytes:
    """Numbers and texts by pickle, which is quicker, values of classes of the program by cloudpickle."""
    if all(isinstance(value, PLAIN) for point in batch for value in point.values()):
        return pickle.dumps(batch)
    import cloudpickle

    return cloudpickle.dumps(batch)


def _send(pipe, data: bytes) -> None:
    pipe.write(struct.pack("<Q", len(data)) + data)
    pipe.flush()


def _receive(pipe) -> bytes:
    head = pipe.read(8)
    if len(head) < 8:
        raise EOFError
    (size,) = struct.unpack("<Q", head)
    data = pipe.read(size)
    if len(data) < size:
        raise EOFError
    return data


def serve() -> None:
    """The worker's loop. What the function prints goes to standard error: standard output is the pipe."""
    source, target = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    try:
        function = loaded(_receive(source))
        _send(target, b"")
        while True:
            batch = pickle.loads(_receive(source))
            began = clock.process_time()
            values = [_call(function, point) for point in batch]
            _send(target, pickle.dumps((values, clock.process_time() - began)))
    except (EOFError, BrokenPipeError, KeyboardInterrupt):
        pass


def loaded(code: bytes) -> Any:
    """The function of `packed`; where it cannot be read, one that says so at each point, as the caller's mistake."""
    try:
        return pickle.loads(code)
    except Exception as problem:
        text = f"the function cannot be loaded by a worker: {type(problem).__name__}: {problem}"

        def function(**_point):
            raise RuntimeError(text)

        return function


def _call(function, point) -> tuple[Any, str | None]:
    try:
        value = _plain(function(**point))
        return (value, None) if value is not None else (None, "the function returned None")
    except Exception as error:
        return None, f"{type(error).__name__}: {error}"


def _plain(value: Any) -> Any:
    """Numbers, arrays and their dicts and lists without classes of their own; refuses what is not finite."""
    if isinstance(value, dict):
        return {key: _plain(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(entry) for entry in value]
    if isinstance(value, (str, bool, int)) or value is None:
        return value
    array = np.asarray(value)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"a study cannot hold a {type(value).__name__}")
    if not np.all(np.isfinite(array)):
        raise ValueError("the value is not finite")
    return array.item() if array.ndim == 0 else np.array(array)
