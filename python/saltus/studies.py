"""One function over a grid of parameters, in worker processes that start fresh: no guard in the script, no fork."""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import pickle
import struct
import subprocess
import sys
import threading
import time as clock
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

from saltus.errors import Fault, ModelError, missing_extra
from saltus.geometry import refuse

BATCH_SECONDS = 0.1  # points are handed out in batches that take about this long


class Study:
    """Points of a study in the order of its grid: the last parameter varies fastest."""

    def __init__(self, grid: dict[str, list], rows: list[dict[str, Any]]):
        self.grid, self._rows = grid, rows

    @property
    def table(self) -> list[dict[str, Any]]:
        """One row a point: its parameters, `value`, and `error` (text; None where the point succeeded)."""
        return self._rows

    @property
    def failures(self) -> list[dict[str, Any]]:
        """The rows that failed."""
        return [row for row in self._rows if row["error"] is not None]

    @property
    def values(self) -> np.ndarray:
        """Values on the grid, (len of each parameter..., *shape of a value); ModelError if a point failed."""
        if self.failures:
            row = self.failures[0]
            point = ", ".join(f"{name} = {row[name]}" for name in self.grid)
            raise ModelError(Fault("study", f"{len(self.failures)} of {len(self._rows)} points failed; {point}: {row['error']}",
                                   "see `failures`, or read `table`"))
        return np.array([row["value"] for row in self._rows]).reshape(*(len(v) for v in self.grid.values()),
                                                                     *np.shape(self._rows[0]["value"]))

    def plot(self, *, file: str | os.PathLike | None = None):
        """Draws numbers over one parameter (lines) or two (colours); failed points are left out. Returns the axes."""
        from saltus.plotting import _finish, _pyplot

        plt = _pyplot()
        shape = [len(values) for values in self.grid.values()]
        if len(shape) > 2 or any(np.ndim(row["value"]) for row in self._rows if row["error"] is None):
            refuse("study/plot", "draws one number over one or two parameters", "draw from `values` or `table`")
        numbers = np.ma.masked_all(len(self._rows))
        for i, row in enumerate(self._rows):
            if row["error"] is None:
                numbers[i] = row["value"]
        figure, axis = plt.subplots(figsize=(6, 4.5))
        names, axes = list(self.grid), list(self.grid.values())
        if len(shape) == 1:
            axis.plot(axes[0], numbers, "o-", linewidth=1)
            axis.set_ylabel("value")
        else:
            mesh = axis.pcolormesh(axes[1], axes[0], numbers.reshape(shape), shading="nearest")
            figure.colorbar(mesh, label="value")
            axis.set_ylabel(names[0])
        axis.set_xlabel(names[-1])
        figure.tight_layout()
        _finish(plt, figure, file, "study")
        return axis

    def __repr__(self) -> str:
        return f"<study of {len(self._rows)} points over {', '.join(self.grid)}, {len(self.failures)} failed>"


def study(function: Callable[..., Any], /, *, workers: int = 1, path: str | os.PathLike | None = None,
          progress: Callable[[int, int], None] | None = None, **grid: Iterable) -> Study:
    """Calls `function(**point)` for each point of the grid and returns the values in the grid's order.

    grid: parameter = values. workers: processes; results do not depend on their number. path: file that keeps each
    value as it comes, so that a second call goes on where the first ended. A point that raises becomes a row with its
    error. The function returns a number, an array, or a dict or list of them.
    """
    axes = {name: list(values) if isinstance(values, Iterable) and not isinstance(values, str) else refuse(
        f"study/{name}", f"is {values!r}, expected a list of values") for name, values in grid.items()}
    if not axes:
        refuse("study", "has no parameter", "give one as name=values")
    if not isinstance(workers, int) or isinstance(workers, bool) or workers < 1:
        refuse("study/workers", f"is {workers!r}, must be a whole number of at least 1")
    points = [dict(zip(axes, values)) for values in itertools.product(*axes.values())]
    kept = _Kept(path, function, axes) if path is not None else None
    done: dict[int, tuple[Any, str | None]] = dict(kept.rows) if kept else {}
    lock = threading.Lock()

    def finished(number: int, value: Any, error: str | None) -> None:
        with lock:
            done[number] = (value, error)
            if kept:
                kept.write(number, value, error)
            if progress:
                progress(len(done), len(points))

    todo = [i for i in range(len(points)) if i not in done]
    try:
        _run(function, points, todo, min(workers, len(todo)), finished)
    finally:
        if kept:
            kept.close()
    rows = [{**point, "value": done[i][0], "error": done[i][1]} for i, point in enumerate(points)]
    return Study(axes, rows)


def _run(function, points, todo, workers: int, finished) -> None:
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

    def serve(worker: _Worker) -> None:
        size = 1
        try:
            while not failures:
                with lock:
                    batch = list(itertools.islice(tasks, size))
                if not batch:
                    return
                began = clock.monotonic()
                for number, (value, error) in zip(batch, worker.call([points[i] for i in batch])):
                    finished(number, value, error)
                each = (clock.monotonic() - began) / len(batch)
                size = max(1, min(64, int(BATCH_SECONDS / max(each, 1e-4)), len(todo) // (4 * workers)))
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=serve, args=(worker,), daemon=True) for worker in processes]
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
        start = f"import sys; sys.path[:] = {sys.path!r}; from saltus.studies import _serve; _serve()"
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
            raise ModelError(Fault("study", f"a worker process ended with status {status}",
                                   "the function crashed its interpreter, or memory ran out; path= keeps points done")) from None

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


def _serve() -> None:
    """The worker's loop. What the function prints goes to standard error: standard output is the pipe."""
    source, target = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    try:
        function = pickle.loads(_receive(source))
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


class _Kept:
    """Rows of a study as lines of JSON; numbers read back with the same bits. A line that was cut is done again."""

    def __init__(self, path: str | os.PathLike, function: Callable, axes: dict[str, list]):
        self.path = Path(path)
        code = getattr(function, "__code__", None)
        told = repr((getattr(function, "__qualname__", repr(function)), code.co_code.hex() if code else "",
                     [repr(c) for c in code.co_consts if not hasattr(c, "co_code")] if code else "",
                     [(name, [_key(v) for v in values]) for name, values in axes.items()]))
        self.head = {"saltus-study": 1, "of": hashlib.sha256(told.encode()).hexdigest(), "parameters": list(axes)}
        self.rows: dict[int, tuple[Any, str | None]] = {}
        text = self.path.read_text() if self.path.exists() else ""
        lines = [line for line in text.splitlines(keepends=True) if line.endswith("\n")]
        if lines:
            try:
                if json.loads(lines[0]) != self.head:
                    refuse("study/path", f"{self.path} holds another study", "give another file or remove this one")
                for line in lines[1:]:
                    number, value, error = json.loads(line)
                    if error is None:  # failures are tried again
                        self.rows[number] = (_decoded(value), None)
            except (ValueError, TypeError) as error:
                refuse("study/path", f"{self.path} cannot be read: {error}", "remove it")
        self._file = open(self.path, "w" if not lines else "r+")
        if lines:
            self._file.truncate(len("".join(lines).encode()))
            self._file.seek(0, os.SEEK_END)
        else:
            self._file.write(json.dumps(self.head) + "\n")

    def write(self, number: int, value: Any, error: str | None) -> None:
        self._file.write(json.dumps([number, _encoded(value), error]) + "\n")
        self._file.flush()

    def close(self) -> None:
        self._file.close()


def _key(value: Any) -> str:
    return repr(value.item() if isinstance(value, np.generic) else value.tolist() if isinstance(value, np.ndarray) else value)


def _encoded(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return {"array": value.tolist(), "dtype": value.dtype.str}
    if isinstance(value, dict):
        return {"dict": [[key, _encoded(entry)] for key, entry in value.items()]}
    return [_encoded(entry) for entry in value] if isinstance(value, list) else value


def _decoded(value: Any) -> Any:
    if isinstance(value, list):
        return [_decoded(entry) for entry in value]
    if isinstance(value, dict):
        return np.array(value["array"], value["dtype"]) if "array" in value else {k: _decoded(v) for k, v in value["dict"]}
    return value
