"""The binary container of a scene: one JSON head and named arrays, the same in a page, a file and a message.

    bytes 0-3    "SLTV"
    4-7          version (u32, little-endian as everything here)
    8-11         length of the JSON in bytes (u32)
    12-          the JSON (UTF-8); its entry "arrays" is {name: {type, shape, at, coding}}
    then         zeros up to a multiple of 8, and the arrays; `at` counts from their start

Types are f8, f4, i4, u2, i2, u1. Coding "delta" (u2, i2) holds differences along the last axis, modulo 65536, so that
smooth motion compresses well.
"""

from __future__ import annotations

import json
import struct
from typing import Any

import numpy as np

MAGIC, VERSION = b"SLTV", 1
TYPES = {"f8": "<f8", "f4": "<f4", "i4": "<i4", "u2": "<u2", "i2": "<i2", "u1": "|u1"}


class Arrays:
    """Named arrays on their way into a container."""

    def __init__(self) -> None:
        self.table: dict[str, dict[str, Any]] = {}
        self._parts: list[bytes] = []
        self._size = 0

    def put(self, name: str, values: Any, kind: str, *, delta: bool = False) -> str:
        """Keeps an array under a name, which it returns. Integers wrap only where `delta` undoes it."""
        data = np.ascontiguousarray(values, dtype=TYPES[kind])
        if delta:
            data = np.diff(data.view("<u2"), axis=-1, prepend=np.zeros_like(data[..., :1]).view("<u2"))
        raw = data.tobytes()
        pad = -len(raw) % 8
        self.table[name] = {"type": kind, "shape": list(data.shape), "at": self._size, **({"coding": "delta"} if delta else {})}
        self._parts.append(raw + b"\0" * pad)
        self._size += len(raw) + pad
        return name

    def packed(self, head: dict[str, Any]) -> bytes:
        """The container's bytes."""
        text = json.dumps({**head, "arrays": self.table}, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
        pad = -(12 + len(text)) % 8
        return b"".join([MAGIC, struct.pack("<II", VERSION, len(text)), text, b"\0" * pad, *self._parts])


def unpacked(data: bytes) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """(head, arrays) of a container; ValueError where it is none."""
    if len(data) < 12 or data[:4] != MAGIC:
        raise ValueError("is no container of a scene")
    version, length = struct.unpack("<II", data[4:12])
    if version != VERSION or 12 + length > len(data):
        raise ValueError(f"has version {version} and {length} bytes of head, this reads version {VERSION}")
    head = json.loads(data[12 : 12 + length])
    start = 12 + length + (-(12 + length) % 8)
    arrays = {}
    for name, entry in head.pop("arrays").items():
        kind, shape = np.dtype(TYPES[entry["type"]]), entry["shape"]
        count = int(np.prod(shape, dtype=np.int64))
        values = np.frombuffer(data, kind, count, start + entry["at"]).reshape(shape)
        if entry.get("coding") == "delta":
            values = np.cumsum(values.view("<u2"), axis=-1, dtype="<u2").view(kind)
        arrays[name] = values
    return head, arrays
