"""A small WebSocket client, and one that breaks the rules on purpose."""

from __future__ import annotations

import base64
import os
import socket
import struct
from urllib.parse import urlsplit


def request(address: str, path: str | None = None, **headers: str) -> tuple[int, dict[str, str], bytes]:
    """(status, headers, body) of a GET; a header that is None is left out."""
    with connected(address) as s:
        send_head(s, address, path, **headers)
        return answer(s)


def connected(address: str) -> socket.socket:
    url = urlsplit(address)
    return socket.create_connection((url.hostname, url.port), timeout=10)


def send_head(s: socket.socket, address: str, path: str | None, **headers: str | None) -> None:
    url = urlsplit(address)
    lines = {"Host": url.netloc, **{k.replace("_", "-"): v for k, v in headers.items()}}
    head = "".join(f"{k}: {v}\r\n" for k, v in lines.items() if v is not None)
    s.sendall(f"GET {path or url.path + '?' + url.query} HTTP/1.1\r\n{head}\r\n".encode())


def answer(s: socket.socket) -> tuple[int, dict[str, str], bytes]:
    data = b""
    while b"\r\n\r\n" not in data and (part := s.recv(65536)):
        data += part
    head, _, body = data.partition(b"\r\n\r\n")
    first, *rest = head.decode().split("\r\n")
    fields = dict(line.split(": ", 1) for line in rest)
    while len(body) < int(fields.get("Content-Length", 0)) and (part := s.recv(65536)):
        body += part
    return int(first.split()[1]), fields, body


class Page:
    """What a page does: opens the socket with its origin, sends and receives binary messages."""

    def __init__(self, address: str, origin: str | None = "own", **headers: str):
        url = urlsplit(address)
        self._socket = connected(address)
        self._left = b""
        own = f"http://{url.netloc}"
        send_head(self._socket, address, f"/live?{url.query}", Upgrade="websocket", Connection="Upgrade", Sec_WebSocket_Version="13",
                  Sec_WebSocket_Key=base64.b64encode(os.urandom(16)).decode(), Origin=own if origin == "own" else origin, **headers)
        data = b""
        while b"\r\n\r\n" not in data and (part := self._socket.recv(1)):
            data += part
        self.status = int(data.split()[1])

    def send(self, data: bytes, *, first: int = 0x82, masked: bool = True, length: int | None = None) -> None:
        n = len(data) if length is None else length
        size = bytes((n,)) if n < 126 else struct.pack(">BH", 126, n) if n < 65536 else struct.pack(">BQ", 127, n)
        size = bytes((size[0] | (0x80 if masked else 0),)) + size[1:]
        self._socket.sendall(bytes((first,)) + size + (b"\0\0\0\0" if masked else b"") + data)

    def receive(self) -> tuple[int, bytes]:
        """(opcode, payload) of the next frame; (0, b"") where the connection ended."""
        head = self._read(2)
        if not head:
            return 0, b""
        n = head[1]
        n = struct.unpack(">H", self._read(2))[0] if n == 126 else struct.unpack(">Q", self._read(8))[0] if n == 127 else n
        return head[0] & 15, self._read(n)

    def until(self, kind: int) -> bytes:
        """The next message of a type; b"" where the connection ended before."""
        while True:
            opcode, data = self.receive()
            if opcode in (0, 8):
                return b""
            if opcode == 2 and data and data[0] == kind:
                return data

    def closed_with(self) -> int:
        """Code with which the server ended the connection; 0 where it just went."""
        while True:
            opcode, data = self.receive()
            if opcode == 8:
                return struct.unpack(">H", data[:2])[0]
            if opcode == 0:
                return 0

    def _read(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            try:
                part = self._socket.recv(count - len(data))
            except (ConnectionResetError, TimeoutError):
                part = b""
            if not part:
                return b""
            data += part
        return data

    def close(self) -> None:
        self._socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
