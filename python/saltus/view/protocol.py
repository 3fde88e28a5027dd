"""Messages between page and server: binary, typed, of bounded length. All numbers little-endian; no pickle, no text to run.

From the page: one byte of type, then

    1 play   2 pause   3 step   4 reset   7 release      nothing
    5 speed            f4: seconds of the run in a second
    6 drag             u4 frame, f4 (3) grabbed point in the frame's axes [m], f4 (3) where it is pulled to [m], world
    8 parameter        u2 number, f8 value
    9 series           u4 number of the request, u1 result (0 or 1), UTF-8 path of a quantity (at most 200 bytes)

To the page: u1 type, u1 part, zeros up to 8 bytes or as said, then

    1 scene            part: which result; zlib of a container (view/container.py)
    2 states           u4 n at 4, u4 frames at 8; from 16 on f8 (n) times, f4 (n, frames, 7) poses, f4 (n) residuals, u1 (n, k) whether the frames in `live.away` of the head are away
    3 status           JSON
    4 series           u4 number of the request at 4; a container, or nothing where there is no such quantity
    5 error            text
    6 cleared          a live run begins again
    7 forces           u4 n at 4; f4 (n, 3): forces [N] now, in the order of `live.forces` of the head
"""

from __future__ import annotations

import json
import math
import struct
import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np

LONGEST = 256  # bytes of a message from the page
PATH = 200


class MalformedMessage(ValueError):
    """What a page sent is no message of this protocol."""


@dataclass(frozen=True)
class Message:
    """A message from the page: `kind` and what belongs to it."""

    kind: str
    numbers: tuple[float, ...] = ()
    number: int = 0
    which: int = 0
    path: str = ""


_WORDS = {1: "play", 2: "pause", 3: "step", 4: "reset", 7: "release"}


def parsed(data: bytes) -> Message:
    """The message in `data`; MalformedMessage where it is none."""
    if not 1 <= len(data) <= LONGEST:
        raise MalformedMessage(f"{len(data)} bytes")
    kind = data[0]
    try:
        if kind in _WORDS:
            _expect(data, 1)
            return Message(_WORDS[kind])
        if kind == 5:
            _expect(data, 5)
            return Message("speed", _finite(struct.unpack_from("<f", data, 1)))
        if kind == 6:
            _expect(data, 29)
            frame, *numbers = struct.unpack_from("<I6f", data, 1)
            return Message("drag", _finite(numbers), frame)
        if kind == 8:
            _expect(data, 11)
            number, value = struct.unpack_from("<Hd", data, 1)
            return Message("parameter", _finite((value,)), number)
        if kind == 9:
            if not 7 <= len(data) <= 6 + PATH:
                raise MalformedMessage("length of a path")
            number, which = struct.unpack_from("<IB", data, 1)
            return Message("series", (), number, which, data[6:].decode())
    except UnicodeDecodeError as error:
        raise MalformedMessage("path is not UTF-8") from error
    raise MalformedMessage(f"type {kind}")


def _expect(data: bytes, length: int) -> None:
    if len(data) != length:
        raise MalformedMessage(f"{len(data)} bytes, expected {length}")


def _finite(numbers) -> tuple[float, ...]:
    if not all(math.isfinite(x) for x in numbers):
        raise MalformedMessage("a number that is not finite")
    return tuple(numbers)


def scene_message(which: int, container: bytes) -> bytes:
    return bytes((1, which)) + b"\0" * 6 + zlib.compress(container, 1)


def states_message(t: np.ndarray, p: np.ndarray, q: np.ndarray, residual: np.ndarray, away: np.ndarray) -> bytes:
    """times (n), positions (n, frames, 3), quaternions (n, frames, 4), worst residuals (n), which bodies that come and go are away (n, k)."""
    poses = np.concatenate([p, q], axis=2).astype("<f4")
    head = struct.pack("<BxxxIIxxxx", 2, len(t), p.shape[1])
    return head + np.asarray(t, "<f8").tobytes() + poses.tobytes() + np.asarray(residual, "<f4").tobytes() + np.asarray(away, "u1").tobytes()


def status_message(status: dict[str, Any]) -> bytes:
    return b"\3" + b"\0" * 7 + json.dumps(status, allow_nan=False).encode()


def series_message(request: int, container: bytes) -> bytes:
    return struct.pack("<BxxxI", 4, request) + container


def error_message(text: str) -> bytes:
    return b"\5" + b"\0" * 7 + text.encode()


def forces_message(forces: np.ndarray) -> bytes:
    """forces (n, 3) [N]."""
    return struct.pack("<BxxxI", 7, len(forces)) + np.asarray(forces, "<f4").tobytes()


CLEARED = b"\6" + b"\0" * 7
