"""Serves one page and its messages on this machine only: a random token in the address, checks of Host and Origin.

Other machines need `host` and a password (HTTP Basic, over whatever tunnel the user trusts). The page is the only asset.
"""

from __future__ import annotations

import base64
import binascii
import hmac
import http
import ipaddress
import secrets
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Protocol
from urllib.parse import parse_qs, urlsplit

from saltus.errors import Fault, ModelError
from saltus.view.page import content_policy, page
from saltus.view.protocol import MalformedMessage, Message, parsed
from saltus.view.websocket import PROTOCOL_ERROR, Closed, WebSocket, accept_key

LOCAL = "127.0.0.1"
PORT, PORTS = 8421, 64
PAGES = 16  # connections at the same time


class Source(Protocol):
    """What is shown: greets a page and answers its messages. Called from a thread of each page."""

    def greet(self, page: WebSocket) -> None: ...
    def take(self, page: WebSocket, message: Message) -> None: ...
    def left(self, page: WebSocket) -> None: ...


def refusal(address: str, headers, path: str, *, token: str, hosts: set[str], password: str | None) -> http.HTTPStatus | None:
    """Why a request is refused; None: it is welcome.

    hosts: values of `Host` that the server answers to; empty: any (then a password is needed). address: of the peer.
    """
    status = http.HTTPStatus
    if password is None and not ipaddress.ip_address(address.partition("%")[0]).is_loopback:
        return status.FORBIDDEN
    host = headers.get("Host", "")
    if hosts and host not in hosts:
        return status.MISDIRECTED_REQUEST
    origin = headers.get("Origin")
    if origin is not None and origin != f"http://{host}":
        return status.FORBIDDEN
    given = parse_qs(urlsplit(path).query).get("token", [""])
    if len(given) != 1 or not hmac.compare_digest(given[0].encode(), token.encode()):
        return status.FORBIDDEN
    if password is not None and not _knows(headers.get("Authorization", ""), password):
        return status.UNAUTHORIZED
    return None


def _knows(header: str, password: str) -> bool:
    kind, _, coded = header.partition(" ")
    try:
        given = base64.b64decode(coded, validate=True).partition(b":")[2]
    except (binascii.Error, ValueError):
        return False
    return kind.lower() == "basic" and hmac.compare_digest(given, password.encode())


class _Handler(BaseHTTPRequestHandler):
    server: _Listener
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "saltus", ""
    timeout = 20  # s for the head of a request

    def do_GET(self) -> None:
        view = self.server.view
        if view.closed:  # a connection that was kept from before the end
            self._answer(http.HTTPStatus.SERVICE_UNAVAILABLE)
            return
        refused = refusal(self.client_address[0], self.headers, self.path, token=view.token, hosts=view.hosts, password=view.password)
        name = urlsplit(self.path).path
        if refused:
            self._answer(refused)
        elif name == "/":
            self._answer(http.HTTPStatus.OK, page().encode(), "text/html; charset=utf-8")
        elif name == "/live":
            self._socket()
        else:
            self._answer(http.HTTPStatus.NOT_FOUND)

    def _answer(self, status: http.HTTPStatus, body: bytes = b"", kind: str = "text/plain; charset=utf-8") -> None:
        body = body or f"{status.value} {status.phrase}\n".encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", content_policy())
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")
        self.send_header("Cache-Control", "no-store")
        if status == http.HTTPStatus.UNAUTHORIZED:
            self.send_header("WWW-Authenticate", 'Basic realm="saltus"')
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)
        self.close_connection = True

    def _socket(self) -> None:
        headers, view = self.headers, self.server.view
        upgrade = "websocket" in headers.get("Upgrade", "").lower() and headers.get("Sec-WebSocket-Version") == "13"
        if not upgrade or not headers.get("Sec-WebSocket-Key") or headers.get("Origin") is None:  # a page always names its origin
            self._answer(http.HTTPStatus.BAD_REQUEST if headers.get("Origin") else http.HTTPStatus.FORBIDDEN)
            return
        self.send_response(http.HTTPStatus.SWITCHING_PROTOCOLS)
        for name, value in (("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Accept", accept_key(headers["Sec-WebSocket-Key"]))):
            self.send_header(name, value)
        self.end_headers()
        self.close_connection = True
        self.connection.settimeout(None)
        view.serve(self.connection)

    def log_message(self, format: str, *args) -> None:
        """Nothing: the address holds the token."""


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = False  # a port that another program holds is taken
    view: ViewServer

    def handle_error(self, request, client_address) -> None:
        """A connection that breaks is the page's affair."""


class ViewServer:
    """The server of one source; `address` is what the browser opens.

    port: first port that is tried; None: any free one. password: needed for a host that is not this machine.
    """

    def __init__(self, source: Source, *, host: str = LOCAL, port: int | None = PORT, password: str | None = None):
        local = host in ("localhost", "::1") or (host.startswith("127.") and host.count(".") == 3)
        if not local and not password:
            raise ModelError(Fault("host", f"is {host}: other machines could open the page", "give a password"))
        if password is not None and len(password) < 8:
            raise ModelError(Fault("password", f"has {len(password)} characters", "take at least 8"))
        self.source, self.token, self.password = source, secrets.token_urlsafe(24), password
        self.closed = False
        self._pages: list[WebSocket] = []
        self._lock = threading.Lock()
        self._listener, self.moved_from = self._bound(LOCAL if host == "localhost" else host, port)
        self.port = self._listener.server_address[1]
        shown = f"[{host}]" if ":" in host else host
        self.hosts = {f"{name}:{self.port}" for name in (shown, LOCAL, "localhost")} if local else set()
        self.address = f"http://{shown if local else socket.gethostname()}:{self.port}/?token={self.token}"
        self._thread = threading.Thread(target=self._listener.serve_forever, kwargs={"poll_interval": 0.2}, name="saltus-view", daemon=True)
        self._thread.start()

    def _bound(self, host: str, port: int | None) -> tuple[_Listener, int | None]:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        kind = type("Listener", (_Listener,), {"address_family": family})
        tried = [0] if port is None else range(port, min(port + PORTS, 65536))
        for number in tried:
            try:
                listener = kind((host, number), _Handler)
            except OSError as error:
                last = error
                continue
            listener.view = self
            return listener, port if port and number != port else None
        raise ModelError(Fault("port", f"{port} and the next {PORTS} cannot be used: {last.strerror or last}", "choose another with --port"))

    def serve(self, connection: socket.socket) -> None:
        """Talks to one page until it goes."""
        page = WebSocket(connection)
        with self._lock:
            full = len(self._pages) >= PAGES
            if not full:
                self._pages.append(page)
        if full:
            page.close(1013)
            return
        code = 1000
        try:
            self.source.greet(page)
            while True:
                self.source.take(page, parsed(page.receive()))
        except Closed as end:
            code = end.code
        except MalformedMessage:
            code = PROTOCOL_ERROR
        finally:
            with self._lock:
                self._pages.remove(page)
            self.source.left(page)
            page.close(code)

    @property
    def pages(self) -> int:
        """Number of pages that are connected."""
        with self._lock:
            return len(self._pages)

    def close(self) -> None:
        """Ends all connections and frees the port."""
        self.closed = True
        self._listener.shutdown()
        self._listener.server_close()
        with self._lock:
            pages = list(self._pages)
        for page in pages:
            page.close(1001)

    def __enter__(self) -> ViewServer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
