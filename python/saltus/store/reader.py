"""Reads a result file: what the last commit holds, checked row by row, one chunk in memory at a time."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np

from saltus.geometry import near
from saltus.store.format import COUNTED, DTYPES, FORMAT, TABLES, TIME, VERSION, Channel, ResultFileError, checksum


@dataclass(frozen=True)
class Entry:
    """An event, or one row of a report: time [s], kind, path of the item, numbers."""

    time: float
    kind: str
    path: str
    data: dict[str, Any]


class ResultReader:
    """A result file, open for reading; also while it is written, and after its writer was killed.

    Every number that comes out passed its checksum; damage raises `ResultFileError`, which names the data set.
    """

    def __init__(self, path: str | os.PathLike):
        self.path = Path(path)
        self._connection = self._open()
        try:
            with self._guard(""):
                self._read_head()
        except BaseException:
            self._connection.close()
            raise

    # What the file says of itself.
    finished: bool
    """True when the writer closed the file; False while it runs and after it was killed."""
    status: str
    """running, done, failed or interrupted."""
    model: str
    """Text of the model that was run."""
    program: str
    """Version of the Saltus that wrote the file; "" where the file does not say it."""
    channels: dict[str, Channel]
    """Recorded quantities by name; those of a series other than main as `series/name`."""
    series: dict[str, int]
    """Number of rows of each time axis."""

    @property
    def end_time(self) -> float:
        """Last recorded time of the main series [s]; NaN where nothing is recorded."""
        if not self.series["main"]:
            return float("nan")
        with self._guard(TIME):
            query = "SELECT number FROM chunks WHERE channel = ? AND first_row < ? ORDER BY number DESC LIMIT 1"
            number = self._connection.execute(query, (self._number[TIME], self.series["main"])).fetchone()
        first, block = self._chunk(TIME, number[0] if number else 0)
        if first + len(block) != self.series["main"]:
            raise self._fault(TIME, "the last chunk is missing: the file is damaged")
        return float(block[-1])

    def time(self, series: str = "main") -> np.ndarray:
        """Times of the rows of a series (n) [s]."""
        return self.read(TIME if series == "main" else f"{series}/{TIME}")

    def __getitem__(self, name: str) -> np.ndarray:
        return self.read(name)

    def read(self, name: str, *, memory: int = 4 << 30) -> np.ndarray:
        """All rows of a channel (n, *shape). Refuses to take more than `memory` bytes: use `blocks` then."""
        channel = self.channel(name)
        rows = self.series[channel.series]
        with self._guard(name):
            query = "SELECT sum(length(data)) FROM chunks WHERE channel = ? AND first_row < ?"
            stored = self._connection.execute(query, (self._number[name], rows)).fetchone()[0] or 0
        size = rows * channel.row_bytes()
        if stored != size:
            raise self._fault(name, f"holds {stored} bytes where {rows} rows of shape {channel.shape} take {size}")
        if size > memory:
            raise self._fault(name, f"takes {size} bytes, more than the {memory} allowed", "read it by `blocks`")
        out = np.empty((rows, *channel.shape), channel.dtype)
        begin = 0
        for block in self.blocks(name):
            out[begin:begin + len(block)] = block
            begin += len(block)
        return out

    def blocks(self, name: str) -> Iterator[np.ndarray]:
        """The rows of a channel in order, in blocks (k, *shape) of at most 16 MB or one row."""
        self.channel(name)
        return self._chunks(name)

    def events(self, kind: str | None = None) -> Iterator[Entry]:
        """Events in the order in which they were written; only those of `kind` if it is given."""
        return self._entries("events", kind)

    def reports(self, kind: str | None = None) -> Iterator[Entry]:
        """Rows of reports in order."""
        return self._entries("reports", kind)

    def checkpoint(self) -> tuple[float, bytes] | None:
        """Time [s] and bytes of the last State that was kept, None if there is none."""
        number = self._counts["checkpoints"]
        found = self._checked("checkpoints", "WHERE id = ?", (number,))
        if number and not found:
            raise self._fault("checkpoints", "the last one is missing: the file is damaged")
        return (found[0][1], bytes(found[0][2])) if found else None

    def verify(self) -> None:
        """Reads everything once, so that any damage shows. Raises ResultFileError."""
        for name in self._known:
            for _ in self._chunks(name):
                pass
        for table in ("events", "reports"):
            for _ in self._entries(table, None):
                pass
        for _ in self._rows_of("checkpoints"):
            pass

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> ResultReader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _fault(self, data_set: str, message: str, remedy: str = "") -> ResultFileError:
        return ResultFileError(str(self.path), data_set, message, remedy)

    @contextmanager
    def _guard(self, data_set: str):
        """Turns what SQLite says of a damaged file into an error that names file and data set."""
        try:
            yield
        except (sqlite3.Error, OverflowError, UnicodeDecodeError, ValueError, TypeError, MemoryError) as error:
            raise self._fault(data_set, f"cannot be read: {error}", "the file is damaged; run the model again") from error

    def _nothing_written(self) -> ResultFileError:
        return self._fault("", "is empty: the run that was to write it was stopped before it wrote anything", "run the model again")

    def _beside(self) -> str:
        """What to open instead."""
        files = sorted(path.name for path in self.path.parent.glob("*.saltus"))
        return near(self.path.name, files) or (f"in its folder are {', '.join(files[:5])}" if files else "a result is written by m.simulate(..., record=\"run.saltus\") or `saltus run`")

    def _open(self) -> sqlite3.Connection:
        try:
            with open(self.path, "rb") as file:
                head = file.read(16)
            self._size = self.path.stat().st_size
        except OSError as error:
            raise self._fault("", f"cannot be opened: {error.strerror}", self._beside()) from error
        if not head:
            raise self._nothing_written()
        if head != b"SQLite format 3\0":
            raise self._fault("", "is no result file", "give a file that `saltus run` wrote")
        # A killed writer may leave its journal, which only a connection that may write can roll back.
        for mode in ("rw", "ro"):
            try:
                connection = sqlite3.connect(f"file:{quote(str(self.path.absolute()))}?mode={mode}", uri=True, timeout=60,
                                             isolation_level=None)
                connection.execute("PRAGMA trusted_schema = OFF")
                connection.execute("PRAGMA query_only = ON")
                connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
                return connection
            except sqlite3.Error as error:
                problem = error
        remedy = "the file is damaged; run the model again"
        if Path(f"{self.path}-journal").exists():
            remedy = "its -journal must be rolled back: copy both to a folder that may be written"
        raise self._fault("", f"cannot be opened: {problem}", remedy)

    def _read_head(self) -> None:
        self._check_length()
        self._connection.execute("BEGIN")  # one commit's view, also while the writer goes on
        tables = {name for (name,) in self._connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if tables <= TABLES.keys() and ("state" not in tables or not self._connection.execute("SELECT count(*) FROM state").fetchone()[0]):
            raise self._nothing_written()
        state = {key: value for key, value in self._checked("state", columns="key, value")} if "state" in tables else {}
        if state.get("format") != FORMAT:
            raise self._fault("state", "is no result of Saltus", "give a file that `saltus run` wrote")
        if state.get("version") != VERSION:
            by = f", written by Saltus {state['program']}" if "program" in state else ""
            raise self._fault("state", f"has version {state.get('version')}{by}, this program reads {VERSION}", "read it with the Saltus that wrote it, or run the model again")
        self.program = str(state.get("program", ""))
        self._counts = {table: state[f"{table}.count"] for table in COUNTED if f"{table}.count" in state}
        if len(self._counts) < len(COUNTED) or not {"finished", "status"} <= state.keys():
            raise self._fault("state", "is not complete: the file is damaged")
        self.finished, self.status = bool(state["finished"]), str(state["status"])
        self.model = "".join(text for _, text in self._rows_of("model"))
        names = {number: (name, rows) for number, name, rows in self._rows_of("series")}
        self.series = {name: rows for name, rows in names.values()}
        self.channels, self._number, self._known = {}, {}, {}
        for number, series, name, unit, frame, shape, dtype, missing, doc in self._rows_of("channels"):
            if dtype not in DTYPES or series not in names:
                raise self._fault(name, f"has the type {dtype!r} and series {series}, which are not known")
            channel = Channel(name, unit, frame, tuple(int(n) for n in json.loads(shape)), dtype, bool(missing), doc,
                              names[series][0])
            key = name if channel.series == "main" else f"{channel.series}/{name}"
            if any(n < 0 for n in channel.shape) or names[series][1] * channel.row_bytes() > self._size:
                raise self._fault(key, f"claims {names[series][1]} rows of shape {channel.shape}, more than the file holds")
            self._number[key], self._known[key] = number, channel
            if name != TIME:
                self.channels[key] = channel
        self._connection.execute("COMMIT")

    def _check_length(self) -> None:
        """A file that was cut (a full disk, a broken copy) is shorter than its own header says."""
        pages = self._connection.execute("PRAGMA page_count").fetchone()[0]
        size = self._connection.execute("PRAGMA page_size").fetchone()[0]
        self._size = self.path.stat().st_size
        if self._size < pages * size:
            raise self._fault("", f"is cut: {self._size} of {pages * size} bytes are there", "copy it again")

    def channel(self, name: str) -> Channel:
        """Unit, frame, shape of a channel; `time` is one, too."""
        if name not in self._known:
            import difflib

            near = difflib.get_close_matches(name, self._known, 1)
            raise self._fault(name, "is not recorded in this result", f"did you mean {near[0]!r}?" if near else "")
        return self._known[name]

    def _checked(self, table: str, where: str = "", values: tuple = (), columns: str = "*") -> list[tuple]:
        """Rows of a table without their checksum, which has been compared. Never leaves a lock on the file behind."""
        columns = columns if columns == "*" else f"{columns}, crc"
        with self._guard(table):
            rows = self._connection.execute(f"SELECT {columns} FROM {table} {where}", values).fetchall()
        for row in rows:
            if checksum(table, row[:-1]) != row[-1]:
                raise self._fault(table, f"row {row[0]!r} fails its checksum: the file is damaged")
        return [row[:-1] for row in rows]

    def _rows_of(self, table: str) -> Iterator[tuple]:
        """The rows of a table in order, as many as there were when the file was opened; a gap is damage."""
        count, step = self._counts[table], 1 if table == "checkpoints" else 1000
        for begin in range(1, count + 1, step):
            end = min(begin + step, count + 1)
            rows = self._checked(table, "WHERE id >= ? AND id < ? ORDER BY id", (begin, end))
            if [row[0] for row in rows] != list(range(begin, end)):
                raise self._fault(table, f"holds {len(rows)} of the rows {begin} to {end - 1}: the file is damaged")
            yield from rows

    def _entries(self, table: str, kind: str | None) -> Iterator[Entry]:
        for _, time, found, path, data in self._rows_of(table):
            if kind is None or kind == found:
                yield Entry(time, found, path, json.loads(data))

    def _chunk(self, name: str, number: int) -> tuple[int, np.ndarray]:
        """First row and block of one chunk; each is fetched by itself, so that a reader never holds up a writer."""
        channel = self._known[name]
        try:
            found = self._checked("chunks", "WHERE channel = ? AND number = ?", (self._number[name], number))
        except ResultFileError as error:
            raise self._fault(name, f"chunk {number}: {error.faults[0].message}", error.faults[0].remedy) from error
        if not found:
            raise self._fault(name, f"chunk {number} is missing: the file is damaged")
        _, _, _, first, rows, data = found[0]
        if rows < 1 or len(data) != rows * channel.row_bytes():
            raise self._fault(name, f"chunk {number} holds {len(data)} bytes, not {rows} rows of shape {channel.shape}")
        return first, np.frombuffer(data, channel.dtype).reshape(rows, *channel.shape)

    def _chunks(self, name: str) -> Iterator[np.ndarray]:
        total, begin, number = self.series[self._known[name].series], 0, 0
        while begin < total:
            first, block = self._chunk(name, number)
            if first != begin or first + len(block) > total:
                raise self._fault(name, f"chunk {number} starts at row {first}, not {begin}: the file is damaged")
            yield block
            begin, number = begin + len(block), number + 1
