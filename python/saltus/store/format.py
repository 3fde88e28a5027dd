"""The result file: an SQLite database in which every row carries its own checksum.

Tables (all numbers little-endian, times in s):

    state        key, value            format, version, program, finished, status, and the number of rows of each other table
    model        text                  the model that was run, as it was read
    series       id, name, rows        a time axis; `rows` counts its complete rows
    channels     id, series, name, unit, frame, shape, dtype, missing, doc      the first of each series is its `time`
    chunks       channel, number, first_row, rows, data                         consecutive rows of one channel
    events, reports                    id, time, kind, path, data               data is JSON
    checkpoints  id, time, data        the bytes of a State

A checksum is the CRC-32 of the table's name and all other columns, so that a flipped bit anywhere is an error of the
reader and never a wrong number. Commits are the only moments of change: a killed writer leaves its last commit.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from math import prod
from typing import Any

from saltus.errors import Fault, ModelError

FORMAT, VERSION = "saltus-result", 1
DTYPES = ("<f8", "<f4", "<i8", "<i4", "|u1")
LARGEST_CHUNK = 16 << 20  # bytes; a reader holds one chunk at a time
TIME = "time"

TABLES = {
    "state": "key TEXT PRIMARY KEY, value",
    "model": "id INTEGER PRIMARY KEY, text TEXT",
    "series": "id INTEGER PRIMARY KEY, name TEXT, rows INTEGER",
    "channels": "id INTEGER PRIMARY KEY, series INTEGER, name TEXT, unit TEXT, frame TEXT, shape TEXT, dtype TEXT, "
    "missing INTEGER, doc TEXT",
    "chunks": "id INTEGER PRIMARY KEY, channel INTEGER, number INTEGER, first_row INTEGER, rows INTEGER, data BLOB",
    "events": "id INTEGER PRIMARY KEY, time REAL, kind TEXT, path TEXT, data TEXT",
    "reports": "id INTEGER PRIMARY KEY, time REAL, kind TEXT, path TEXT, data TEXT",
    "checkpoints": "id INTEGER PRIMARY KEY, time REAL, data BLOB",
}
SCHEMA = "".join(f"CREATE TABLE {name} ({columns}, crc INTEGER);\n" for name, columns in TABLES.items())
SCHEMA += "CREATE UNIQUE INDEX chunk_order ON chunks (channel, number);\n"
COUNTED = ("model", "series", "channels", "chunks", "events", "reports", "checkpoints")


class ResultFileError(ModelError):
    """A result file that cannot be read or written: damaged, of another format, or the disk is full."""

    def __init__(self, file: str, data_set: str, message: str, remedy: str = ""):
        super().__init__(Fault(data_set, message, remedy, str(file)))

    def __reduce__(self):
        fault = self.faults[0]
        return (type(self), (fault.file, fault.path, fault.message, fault.remedy))


@dataclass(frozen=True)
class Channel:
    """One recorded quantity: rows of `shape`, one row a time of its series.

    `missing` allows NaN as "no value here"; any other channel refuses what is not finite.
    """

    name: str
    unit: str = ""
    frame: str = ""
    shape: tuple[int, ...] = ()
    dtype: str = "<f8"
    missing: bool = False
    doc: str = ""
    series: str = "main"

    def row_bytes(self) -> int:
        return prod(self.shape) * int(self.dtype[-1])


def checksum(table: str, values: tuple[Any, ...]) -> int:
    """CRC-32 over the table's name and the row's values with their types and lengths."""
    crc = zlib.crc32(table.encode())
    for value in values:
        if isinstance(value, (bytes, bytearray, memoryview)):
            kind, raw = b"b", value
        elif isinstance(value, str):
            kind, raw = b"s", value.encode()
        elif isinstance(value, float):
            kind, raw = b"f", struct.pack("<d", value)
        elif value is None:
            kind, raw = b"n", b""
        else:
            kind, raw = b"i", str(int(value)).encode()
        crc = zlib.crc32(kind + struct.pack("<Q", memoryview(raw).nbytes), crc)
        crc = zlib.crc32(raw, crc)
    return crc
