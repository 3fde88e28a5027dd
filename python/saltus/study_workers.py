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
from typing import Any

import numpy as np

from saltus.errors import Fault, ModelError, missing_extra

BATCH_SECONDS = 0.1  # points are handed out in batches that take about this long


def run_points(function, points, todo, workers: int, finished) -> None:
    """Calls finished(number, value, error) for each point of `todo`, from the threads that serve the workers."""
    if not todo:
        return
    try:
        import cloudpickle
    except ImportError:
        raise missing_extra("study", "study") from None
    code = cloudpickle.dumps(function)
    tasks = iter(todo)
    lock, failures = threading.Lock(), []
    processes = [_Worker(code) for _ in range(workers)]

    def feed(worker: _Worker) -> None:
        size = 1
        try:
            while not failures:
                with lock:
                    batch = list(itertools.islice(tasks, size))
                if not batch:
                    return
                began = clock.monotonic()
                for number, (value, error) in zip(batch, worker.call([points[i] for i in batch]), strict=True):
                    finished(number, value, error)
                each = (clock.monotonic() - began) / len(batch)
                size = max(1, min(64, int(BATCH_SECONDS / max(each, 1e-4)), len(todo) // (4 * workers)))
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=feed, args=(worker,), daemon=True) for worker in processes]
    try:
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


class _Worker:
    """A fresh interpreter that serves batches of points over its pipes."""

    def __init__(self, code: bytes):
        # The parent's search path, so that functions of modules are found; __main__ travels by value.
        start = f"import sys; sys.path[:] = {sys.path!r}; from saltus.study_workers import serve; serve()"
        self._process = subprocess.Popen([sys.executable, "-c", start], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._code: bytes | None = code

    def call(self, batch: list[dict[str, Any]]) -> list[tuple[Any, str | None]]:
        try:
            if self._code is not None:
                _send(self._process.stdin, self._code)
                self._code = None
            import cloudpickle

            _send(self._process.stdin, cloudpickle.dumps(batch))
            return pickle.loads(_receive(self._process.stdout))
        except (BrokenPipeError, EOFError):
            status = self._process.wait()
            raise ModelError(
                Fault(
                    "study",
                    f"a worker process ended with status {status}",
                    "the function crashed its interpreter, or memory ran out; path= keeps points done",
                )
            ) from None

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
        code = _receive(source)
        try:
            function = pickle.loads(code)
        except Exception as problem:  # told with the points, as the caller's mistake
            text = f"the function cannot be loaded by a worker: {type(problem).__name__}: {problem}"

            def function(**_point):
                raise RuntimeError(text)

        while True:
            batch = pickle.loads(_receive(source))
            _send(target, pickle.dumps([_call(function, point) for point in batch]))
    except (EOFError, BrokenPipeError, KeyboardInterrupt):
        pass


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
