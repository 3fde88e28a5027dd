"""The server answers this machine's own page and nobody else; what is malformed ends a connection, never the run."""

import base64
import os
import socket
import struct
from urllib.parse import urlsplit

import numpy as np
import pytest
from clients import Page, request
from hypothesis import given
from hypothesis import strategies as st

import saltus as sl
from saltus import running
from saltus.view.container import unpacked
from saltus.view.live import LiveRun
from saltus.view.protocol import LONGEST, MalformedMessage, parsed
from saltus.view.server import ViewServer, refusal
from saltus.view.source import ResultSource


@pytest.fixture(scope="module")
def server(pendulum):
    with ViewServer(ResultSource([pendulum], ["pendulum"]), port=None) as server:
        yield server


def test_the_page_comes_with_its_token_and_a_policy_that_loads_nothing_else(server):
    status, headers, body = request(server.address)
    assert status == 200 and b"<title>Saltus" in body
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "script-src 'sha256-" in policy and "unsafe-eval" not in policy
    assert b"http://" not in body.replace(b"http://www.w3.org", b"").split(b"<script")[0]


@pytest.mark.parametrize("query", ["", "?token=", "?token=wrong", "?token={t}x", "?token={t}&token={t}"])
def test_a_missing_or_wrong_token_is_refused(server, query):
    path = "/" + query.format(t=server.token)
    assert request(server.address, path)[0] == 403
    url = urlsplit(server.address)
    page = Page(f"http://{url.netloc}/{query.format(t=server.token)}")
    assert page.status == 403


@pytest.mark.parametrize("origin", ["http://evil.example", "https://127.0.0.1:{port}", "http://127.0.0.1:1", "http://127.0.0.1.evil.example:{port}", "null"])
def test_a_foreign_origin_is_refused_even_with_the_token(server, origin):
    origin = origin.format(port=server.port)
    assert request(server.address, Origin=origin)[0] == 403
    assert Page(server.address, origin=origin).status == 403


def test_a_socket_without_origin_is_refused(server):
    assert Page(server.address, origin=None).status == 403


def test_another_host_name_is_refused_so_that_no_name_can_be_bound_to_this_machine(server):
    assert request(server.address, Host=f"evil.example:{server.port}")[0] == 421
    assert request(server.address, Host=None)[0] in (400, 421)


def test_it_listens_on_this_machine_alone(server):
    assert server._listener.server_address[0] == "127.0.0.1"
    other = next((a[4][0] for a in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET) if not a[4][0].startswith("127.")), None)
    if other:
        with pytest.raises(OSError):
            socket.create_connection((other, server.port), timeout=2)


def test_a_remote_address_is_refused_where_no_password_is_set():
    def why(address, password=None, **headers):
        return refusal(address, {"Host": "h", **headers}, "/?token=t", token="t", hosts=set(), password=password)

    assert why("192.0.2.7") == 403 and why("2001:db8::1") == 403 and why("127.0.0.1") is None and why("::1") is None
    assert why("192.0.2.7", "long enough") == 401
    knows = base64.b64encode(b"anyone:long enough").decode()
    assert why("192.0.2.7", "long enough", Authorization=f"Basic {knows}") is None
    assert why("192.0.2.7", "long enough", Authorization="Basic " + base64.b64encode(b"a:long").decode()) == 401
    assert why("192.0.2.7", "long enough", Authorization="Basic ###") == 401


def test_another_host_needs_a_password(pendulum):
    source = ResultSource([pendulum], [""])
    with pytest.raises(sl.ModelError, match="give a password"):
        ViewServer(source, host="0.0.0.0", port=None)
    with pytest.raises(sl.ModelError, match="at least 8"):
        ViewServer(source, host="0.0.0.0", port=None, password="short")


@pytest.mark.parametrize("path", ["/../../etc/passwd", "/..%2f..%2fetc/passwd", "/page.html", "//etc/passwd", "/live/../page.html", "/%00", "/assets/../../pyproject.toml"])
def test_no_other_file_is_served(server, path):
    status, _, body = request(server.address, f"{path}?token={server.token}")
    assert status == 404 and len(body) < 64


def test_a_taken_port_gives_the_next_one(pendulum):
    source = ResultSource([pendulum], [""])
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with ViewServer(source, port=port) as server:
            assert server.port > port and server.moved_from == port


def test_a_result_is_sent_and_any_quantity_on_request(server, pendulum):
    with Page(server.address) as page:
        scene = page.until(1)
        import zlib

        head, arrays = unpacked(zlib.decompress(scene[8:]))
        assert [item["n"] for item in head["items"]][:2] and np.isin(pendulum.time, arrays["t"]).all()
        page.send(struct.pack("<BIB", 9, 77, 0) + b"elbow.force")
        reply = page.until(4)
        assert struct.unpack_from("<I", reply, 4) == (77,)
        _, series = unpacked(reply[8:])
        assert np.isin(pendulum.time, series["t"]).all()
        assert np.allclose(series["s0"], pendulum.at(series["t"])["elbow.force"], rtol=1e-6, atol=1e-6)
        page.send(struct.pack("<BIB", 9, 78, 0) + b"nobody.force")
        assert len(page.until(4)) == 8


@pytest.mark.parametrize("breach, code", [
    ({"data": b"\1" * (LONGEST + 1)}, 1009),
    ({"data": b"", "length": 1 << 62}, 1009),
    ({"data": b"", "length": 60000}, 1009),
    ({"data": b"\xff"}, 1002),
    ({"data": b""}, 1002),
    ({"data": b"\6" + b"\0" * 3}, 1002),
    ({"data": struct.pack("<Bf", 5, float("nan"))}, 1002),
    ({"data": struct.pack("<BHd", 8, 0, float("inf"))}, 1002),
    ({"data": struct.pack("<BIB", 9, 1, 0) + b"\xff\xfe"}, 1002),
    ({"data": b"\1", "first": 0x81}, 1003),
    ({"data": b"\1", "first": 0x02}, 1002),
    ({"data": b"\1", "first": 0xC2}, 1002),
    ({"data": b"\1", "masked": False}, 1002),
    ({"data": b"x" * 126, "first": 0x89}, 1009),
])
def test_a_malformed_or_huge_message_ends_the_connection_and_the_server_goes_on(server, breach, code):
    with Page(server.address) as page:
        assert page.status == 101
        page.send(**breach)
        assert page.closed_with() in (code, 0)
    with Page(server.address) as page:
        assert page.until(1)


@given(st.binary(max_size=LONGEST + 8))
def test_any_bytes_are_a_message_or_refused(data):
    try:
        message = parsed(data)
    except MalformedMessage:
        return
    assert message.kind and all(np.isfinite(message.numbers)) and len(message.path) <= 200


def test_noise_and_foreigners_leave_a_live_run_unharmed(pendulum):
    model = pendulum._model._engine
    calm = running.run(model, running.Options(until=0.4, step=1e-3))
    run = LiveRun(model, running.Options(until=0.4, step=1e-3), paced=False, waits=True).start()
    with ViewServer(run, port=None) as server:
        random = np.random.default_rng(5)
        for _ in range(20):
            with Page(server.address, origin="http://evil.example") as page:
                assert page.status == 403
            with Page(server.address) as page:
                page.send(random.bytes(int(random.integers(0, 300))), first=int(random.integers(0, 256)))
        with Page(server.address) as page:
            page.until(3)
            assert run.wait(60)
        os.urandom(1)
    run.close()
    assert run.error is None and run.status == "done"
    assert all(np.array_equal(calm.arrays[name], run.arrays[name]) for name in calm.arrays)
