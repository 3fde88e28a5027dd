"""The part of WebSocket (RFC 6455) that the viewer needs: one binary message a frame from the page, frames to it."""

from __future__ import annotations

import base64
import hashlib
import queue
import socket
import struct
import threading

from saltus.view.protocol import LONGEST

BINARY, CLOSE, PING, PONG = 2, 8, 9, 10
PROTOCOL_ERROR, NOT_BINARY, TOO_BIG = 1002, 1003, 1009
_WAITING = 128 << 20  # bytes that may wait for a slow page before it is let go


def accept_key(key: str) -> str:
    """Answer to Sec-WebSocket-Key (RFC 6455, 4.2.2)."""
    return base64.b64encode(hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()).decode()


class Closed(Exception):
    """The other side went, or broke the rules: `code` is what is sent to it."""

    def __init__(self, code: int = 1000):
        super().__init__(code)
        self.code = code


class WebSocket:
    """One page. `send` never waits: what a slow page does not take in time ends its connection, never the run."""

    def __init__(self, connection: socket.socket):
        self._socket = connection
        self._queue: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._waiting = 0
        self._lock = threading.Lock()
        self.open = True
        self._writer = threading.Thread(target=self._write, name="saltus-view-writer", daemon=True)
        self._writer.start()

    def send(self, data: bytes, kind: int = BINARY) -> None:
        """Queues one message."""
        with self._lock:
            if not self.open:
                return
            if self._waiting + len(data) > _WAITING:
                self.open = False
            self._waiting += len(data)
        if not self.open:
            self.close()
            return
        n = len(data)
        head = bytes((0x80 | kind,)) + (bytes((n,)) if n < 126 else struct.pack(">BH", 126, n) if n < 65536 else struct.pack(">BQ", 127, n))
        self._queue.put(head + data)

    def _write(self) -> None:
        while (data := self._queue.get()) is not None:
            try:
                self._socket.sendall(data)
            except OSError:
                break
            with self._lock:
                self._waiting -= len(data)
        self.open = False

    def receive(self) -> bytes:
        """The next binary message; raises Closed. Pings are answered here."""
        while True:
            first, second = self._read(2)
            kind, length = first & 15, second & 127
            if first & 0x70 or not first & 0x80 or not second & 0x80:  # extensions, pieces, no mask
                raise Closed(PROTOCOL_ERROR)
            if length == 126:
                (length,) = struct.unpack(">H", self._read(2))
            elif length == 127:
                (length,) = struct.unpack(">Q", self._read(8))
            if length > (125 if kind >= 8 else LONGEST):
                raise Closed(TOO_BIG)
            mask = self._read(4)
            data = bytes(x ^ mask[i & 3] for i, x in enumerate(self._read(length)))
            if kind == BINARY:
                return data
            if kind == CLOSE:
                raise Closed
            if kind == PING:
                self.send(data, PONG)
            elif kind != PONG:
                raise Closed(NOT_BINARY)

    def _read(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            try:
                part = self._socket.recv(count - len(data))
            except OSError:
                part = b""
            if not part:
                raise Closed
            data += part
        return data

    def close(self, code: int = 1000) -> None:
        """Says goodbye where that is possible, and ends the connection."""
        if self.open:
            self.send(struct.pack(">H", code), CLOSE)
        self.open = False
        self._queue.put(None)
        if threading.current_thread() is not self._writer:
            self._writer.join(1.0)
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
