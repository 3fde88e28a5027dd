"""Writes a result while the run goes on; a kill at any moment leaves a file that opens."""

from __future__ import annotations

import json
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from saltus import _core
from saltus.errors import Fault, ModelError
from saltus.store.format import COUNTED, DTYPES, FORMAT, LARGEST_CHUNK, SCHEMA, TIME, VERSION, Channel, ResultFileError, checksum

PROMISE = 1.0  # s: what is older is on the disk
COMMIT_INTERVAL = 0.4  # s that rows wait at most for a commit
DELIVERY = 0.2  # s of the promise for what comes before the rows arrive here
COMMIT_BYTES = 64 << 20  # what is waiting at most


class CommitSchedule:
    """When a commit begins, so that each row is on the disk `PROMISE` after it was computed: by the age of the oldest row that waits,
    sooner by what commits took lately. Times are of the clock that the caller reads.
    """

    def __init__(self, interval: float = COMMIT_INTERVAL):
        self.interval = interval
        self.oldest = np.inf  # when the first of what waits arrived
        self._took = 0.0  # by the slowest commit lately

    def arrived(self, now: float) -> None:
        self.oldest = min(self.oldest, now)

    def due(self) -> float:
        """When the next commit is to begin; infinite where nothing waits."""
        return self.oldest + min(self.interval, max(0.0, PROMISE - DELIVERY - 2.0 * self._took))

    def late(self, now: float) -> bool:
        """Whether the thread that commits was held up: who adds rows must commit, or the promise is broken."""
        return now > self.oldest + max(self.interval, PROMISE - DELIVERY - self._took)

    def began(self) -> None:
        self.oldest = np.inf

    def ended(self, seconds: float) -> None:
        self._took = max(seconds, 0.5 * self._took)


class _Series:
    """What waits for the next commit of one time axis."""

    def __init__(self, number: int, channels: list[tuple[int, Channel]]):
        self.number = number
        self.channels = channels  # the time axis first
        self.blocks: list[list[np.ndarray]] = [[] for _ in channels]
        self.rows = 0  # appended
        self.committed = 0
        self.chunks = 0
        self.last_time = -np.inf


class ResultWriter:
    """Result file under construction. Use it with `with`; `close` is what marks the file as finished.

    Commits run in a thread of their own, 0.4 s after the first row that waits, sooner on a slow disk or from 64 MB on, whether
    `append` is called or not: so a step that takes long loses nothing. Where that thread comes too late, `append` commits itself.
    An error of the disk is raised by the next call. Blocks are copied. clock: what time is read from.
    """

    def __init__(self, path: str | os.PathLike, channels: list[Channel], *, model: str = "",
                 commit_interval: float = COMMIT_INTERVAL, clock: Callable[[], float] = time.monotonic):
        self.path = Path(path)
        self._clock = clock
        self._schedule = CommitSchedule(commit_interval)
        self._lock = threading.Lock()  # what waits
        self._disk = threading.Lock()  # the connection
        self._wake = threading.Condition(self._lock)
        self._waiting_bytes = 0
        self._rows: list[tuple[str, tuple]] = []  # of events, reports, checkpoints
        self._counts = dict.fromkeys(COUNTED, 0)
        self._error: ResultFileError | None = None
        self._closing = self._closed = False
        _check(channels)
        self._connection = self._create()
        self._series = self._write_head(channels, model)
        self._thread = threading.Thread(target=self._commit_until_closed, name="saltus-result", daemon=True)
        self._thread.start()

    def append(self, time, blocks: Mapping[str, Any], series: str = "main") -> None:
        """Adds rows to a series. `time` (n) [s], not decreasing; `blocks`: each channel of the series, (n, *shape)."""
        self._raise_if_broken()
        if series not in self._series:
            raise self._fault(series, "is no series of this result", f"the series are {', '.join(self._series)}")
        target = self._series[series]
        time = np.array(time, dtype="<f8", ndmin=1)
        rows = self._checked(target, time, blocks)
        with self._lock:
            for waiting, block in zip(target.blocks, [time, *rows]):
                waiting.append(block)
                self._waiting_bytes += block.nbytes
            target.rows += len(time)
            if len(time):
                target.last_time = float(time[-1])
            now = self._arrived()
            held_up = self._waiting_bytes >= 2 * COMMIT_BYTES or self._schedule.late(now)
        if held_up:  # the disk is slower than the run, or the machine loaded: wait for it
            self.flush()

    def event(self, time: float, kind: str, path: str = "", **data: Any) -> None:
        """Records a moment: an impact, a switch, a warning. `data` must be JSON."""
        self._record("events", time, kind, path, data)

    def report(self, time: float, kind: str, path: str = "", **data: Any) -> None:
        """Records one row of a report (`kind` "step", "energy", ...) with its numbers."""
        self._record("reports", time, kind, path, data)

    def checkpoint(self, time: float, state: bytes) -> None:
        """Records a State from which the run can go on, bit for bit."""
        self._raise_if_broken()
        with self._lock:
            self._rows.append(("checkpoints", (float(time), bytes(state))))
            self._waiting_bytes += len(state)
            self._arrived()

    def flush(self) -> None:
        """Commits what waits, now."""
        self._commit()
        self._raise_if_broken()

    def close(self, status: str = "done") -> None:
        """Commits the rest and marks the file finished. `status`: done, failed or interrupted."""
        if self._closed:
            return
        self._closed = True
        with self._lock:
            self._closing = True
            self._wake.notify()
        self._thread.join()
        try:
            if self._error is None:
                self._commit(final=status)
        finally:
            self._connection.close()
        if self._error:
            raise self._error

    def __enter__(self) -> ResultWriter:
        return self

    def __exit__(self, kind, error, trace) -> None:
        if kind is None:
            self.close()
            return
        try:  # the error of the run counts, not what the disk says after it
            self.close("interrupted" if issubclass(kind, KeyboardInterrupt) else "failed")
        except ResultFileError:
            pass

    def _fault(self, data_set: str, message: str, remedy: str = "") -> ResultFileError:
        return ResultFileError(str(self.path), data_set, message, remedy)

    def _raise_if_broken(self) -> None:
        if self._error:
            raise self._error
        if self._closed:
            raise self._fault("", "the result is closed")

    def _create(self) -> sqlite3.Connection:
        if self.path.is_dir():
            raise self._fault("", "is a folder", "name a file")
        if not self.path.parent.is_dir():
            raise self._fault("", f"the folder {self.path.parent} is not there", "make it first")
        if self.path.exists() and not self.path.is_file():
            raise self._fault("", "is a device or the like, not a file; it is not replaced", "name a file")
        if self.path.exists() and self.path.stat().st_size > 0:
            with open(self.path, "rb") as file:
                if file.read(16) != b"SQLite format 3\0":
                    raise self._fault("", "is there and is no result file; it is not overwritten", "choose another name")
        try:
            for ending in ("", "-journal", "-wal", "-shm"):
                Path(f"{self.path}{ending}").unlink(missing_ok=True)
            connection = sqlite3.connect(self.path, timeout=60, isolation_level=None, check_same_thread=False)
            connection.execute("PRAGMA page_size = 16384")
            # A rollback journal, not WAL: between two commits the one file holds everything.
            connection.execute("PRAGMA journal_mode = DELETE")
            connection.execute("PRAGMA synchronous = NORMAL")
        except (OSError, sqlite3.Error) as error:
            raise self._fault("", f"cannot be written: {error}") from error
        return connection

    def _write_head(self, channels: list[Channel], model: str) -> dict[str, _Series]:
        out: dict[str, _Series] = {}
        by_series: dict[str, list[Channel]] = {"main": []}
        for channel in channels:
            by_series.setdefault(channel.series, []).append(channel)
        try:
            self._connection.execute("BEGIN IMMEDIATE")  # tables and head together: a file has all of it or nothing
            for statement in SCHEMA.split(";\n"):
                self._connection.execute(statement)
            number = 0
            self._insert("model", (model,))
            for name, members in by_series.items():
                rows = []
                for channel in [Channel(TIME, "s", doc="time of each row", series=name), *members]:
                    number += 1
                    rows.append((number, channel))
                    self._insert("channels", (len(out) + 1, channel.name, channel.unit, channel.frame,
                                              json.dumps(channel.shape), channel.dtype, int(channel.missing), channel.doc))
                out[name] = _Series(len(out) + 1, rows)
                self._insert("series", (name, 0))
            self._write_state("running", 0)
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise self._fault("", f"cannot be written: {error}") from error
        return out

    def _insert(self, table: str, values: tuple) -> None:
        self._counts[table] += 1
        row = (self._counts[table], *values)
        marks = ", ".join("?" * (len(row) + 1))
        self._connection.execute(f"INSERT INTO {table} VALUES ({marks})", (*row, checksum(table, row)))

    def _write_state(self, status: str, finished: int) -> None:
        state = {"format": FORMAT, "version": VERSION, "program": _core.version, "status": status, "finished": finished}
        state.update({f"{table}.count": count for table, count in self._counts.items()})
        for row in state.items():
            self._connection.execute("INSERT OR REPLACE INTO state VALUES (?, ?, ?)", (*row, checksum("state", row)))

    def _checked(self, series: _Series, time: np.ndarray, blocks: Mapping[str, Any]) -> list[np.ndarray]:
        if time.ndim != 1 or not np.all(np.isfinite(time)):
            raise self._fault(TIME, "must be a list of finite numbers")
        if len(time) and (time[0] < series.last_time or np.any(np.diff(time) < 0)):
            raise self._fault(TIME, f"goes back: {time[0]:g} s after {series.last_time:g} s")
        known = {channel.name for _, channel in series.channels[1:]}
        if known != blocks.keys():
            wrong = ", ".join(sorted(known ^ blocks.keys()))
            raise self._fault(wrong, "each append brings every channel of the series, and no other")
        out = []
        for _, channel in series.channels[1:]:
            block = np.array(blocks[channel.name], dtype=channel.dtype, order="C")
            if block.shape != (len(time), *channel.shape):
                raise self._fault(channel.name, f"has shape {block.shape}, must be {(len(time), *channel.shape)}")
            if block.dtype.kind == "f" and not channel.missing and not np.all(np.isfinite(block)):
                raise self._fault(channel.name, "is not finite; no such number becomes a result",
                                  "declare the channel with missing=True where NaN means no value")
            out.append(block)
        return out

    def _record(self, table: str, time: float, kind: str, path: str, data: dict) -> None:
        self._raise_if_broken()
        try:
            text = json.dumps(data, allow_nan=False)
        except (TypeError, ValueError) as error:
            raise self._fault(f"{table}/{kind}", f"is not JSON: {error}") from error
        with self._lock:
            self._rows.append((table, (float(time), kind, path, text)))
            self._waiting_bytes += len(text) + 64
            self._arrived()

    def _arrived(self) -> float:
        """Something waits, under the lock: tells the thread that commits. The time."""
        now = self._clock()
        first = self._schedule.oldest == np.inf
        self._schedule.arrived(now)
        if first or self._waiting_bytes >= COMMIT_BYTES:
            self._wake.notify()
        return now

    def _commit_until_closed(self) -> None:
        while True:
            with self._lock:
                while not self._closing and self._waiting_bytes < COMMIT_BYTES:
                    left = self._schedule.due() - self._clock()
                    if left <= 0:
                        break
                    self._wake.wait(None if left == np.inf else left)
                if self._closing or self._error:
                    return
            self._commit()

    def _take(self) -> tuple[list[tuple[_Series, int, list[list[np.ndarray]]]], list[tuple[str, tuple]]]:
        with self._lock:
            parts = [(s, s.rows, s.blocks) for s in self._series.values() if s.blocks[0]]
            for series, _, _ in parts:
                series.blocks = [[] for _ in series.channels]
            rows, self._rows = self._rows, []
            self._waiting_bytes = 0
            self._schedule.began()
        return parts, rows

    def _commit(self, final: str | None = None) -> None:
        with self._disk:
            if self._error:
                return
            parts, rows = self._take()
            if not parts and not rows and final is None:
                return
            began = self._clock()
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                for series, count, blocks in parts:
                    self._write_chunks(series, count, blocks)
                for table, values in rows:
                    self._insert(table, values)
                self._write_state(final or "running", int(final is not None))
                self._connection.execute("COMMIT")
            except sqlite3.Error as error:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                self._error = self._fault("", f"cannot be written: {error}; it holds what was committed before",
                                          "make room on the disk, or write the result elsewhere")
            with self._lock:
                self._schedule.ended(self._clock() - began)

    def _write_chunks(self, series: _Series, count: int, blocks: list[list[np.ndarray]]) -> None:
        total = count - series.committed
        widest = max(channel.row_bytes() for _, channel in series.channels)
        step = max(1, LARGEST_CHUNK // max(widest, 1))
        whole = [np.concatenate(waiting) if len(waiting) > 1 else waiting[0] for waiting in blocks]
        for begin in range(0, total, step):
            rows = min(step, total - begin)
            for (number, _), block in zip(series.channels, whole):
                data = block[begin:begin + rows].tobytes()
                self._insert("chunks", (number, series.chunks, series.committed + begin, rows, data))
            series.chunks += 1
        series.committed = count
        name = series.channels[0][1].series
        row = (series.number, name, count)
        self._connection.execute("UPDATE series SET rows = ?, crc = ? WHERE id = ?",
                                 (count, checksum("series", row), series.number))


def _check(channels: list[Channel]) -> None:
    faults, seen = [], set()
    for channel in channels:
        if not channel.name or channel.name == TIME:
            faults.append(Fault(channel.name, "is no name for a channel", "time is recorded by itself"))
        if (channel.series, channel.name) in seen:
            faults.append(Fault(channel.name, "is recorded twice", "give each channel its own name"))
        if channel.dtype not in DTYPES:
            faults.append(Fault(channel.name, f"has type {channel.dtype!r}", f"take one of {', '.join(DTYPES)}"))
        elif any(n < 0 for n in channel.shape) or channel.row_bytes() > 512 << 20:
            faults.append(Fault(channel.name, f"has shape {channel.shape}: a row holds at most 512 MB"))
        seen.add((channel.series, channel.name))
    if faults:
        raise ModelError(faults)
