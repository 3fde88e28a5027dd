"""A picture by a browser is one of the page with its first frame, or there is none, and the command says so."""

import json
import os
import struct
import subprocess
import sys
import zlib

import numpy as np
import pytest

import saltus as sl
from saltus.view import chromium, film, still


def png(path, pixels):
    """Writes rows of grey values (h, w) as a PNG."""
    h, w = pixels.shape
    raw = b"".join(b"\0" + row.astype(np.uint8).tobytes() for row in pixels)

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", w, h, 8, 0, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b""))


FAKE = """
import base64, json, os, pathlib, sys
shots = json.loads(pathlib.Path(sys.argv[0] + ".json").read_text())
pictures = iter(shots["pictures"])
rest = b""
while True:
    while b"\\0" not in rest:
        part = os.read(3, 65536)
        if not part:
            sys.exit()
        rest += part
    text, _, rest = rest.partition(b"\\0")
    asked = json.loads(text)
    kind, code = asked["method"], asked["params"].get("expression", "")
    if kind == "Page.navigate" and shots["ends"]:
        sys.exit("no display")
    if kind == "Page.captureScreenshot":
        shot = next(pictures, shots["pictures"][-1])
        pathlib.Path(sys.argv[0] + ".count").open("a").write("1")
        result = {"data": base64.b64encode(pathlib.Path(shot).read_bytes()).decode()}
    elif kind == "Runtime.evaluate":
        result = {"result": {"value": shots["ready"] if "dataset.ready" in code else shots["says"] if "toast" in code else [0.0, 1.0, 1.0] if "bare" in code else True}}
    else:
        result = {"targetId": "1", "sessionId": "2"}
    os.write(4, json.dumps({"id": asked["id"], "result": result}).encode() + b"\\0")
"""


@pytest.fixture
def browser(tmp_path, monkeypatch):
    """A program that speaks as a browser does. pictures: those it takes, one by one; the last one for good."""
    png(tmp_path / "blank.png", np.full((300, 400), 255.0))
    png(tmp_path / "drawn.png", np.random.default_rng(1).integers(0, 255, (300, 400)))

    def made(*pictures, ready=True, ends=False, says=""):
        program = tmp_path / "browser"
        program.write_text(f"#!{sys.executable}\n{FAKE}")
        program.chmod(0o755)
        (tmp_path / "browser.json").write_text(json.dumps({"pictures": [str(tmp_path / f"{name}.png") for name in pictures], "ready": ready, "ends": ends, "says": says}))
        monkeypatch.setenv("SALTUS_BROWSER", str(program))
        monkeypatch.setattr(chromium.Page.__init__, "__kwdefaults__", {"patience": 3.0})
        return lambda: len((tmp_path / "browser.count").read_text())

    return made


@pytest.fixture(scope="module")
def result():
    m = sl.Model()
    m.sphere(radius=0.1, mass=1, at=(0, 0, 1))
    return m.simulate(0.1)


def test_an_empty_picture_differs_from_a_drawn_one(tmp_path):
    bars = np.full((300, 400), 255.0)
    png(tmp_path / "white.png", bars)
    bars[:3] = 10.0  # a frame of the browser's own
    png(tmp_path / "bar.png", bars)
    png(tmp_path / "drawn.png", np.add.outer(np.arange(300) % 200, np.arange(400) % 50))
    (tmp_path / "cut.png").write_bytes((tmp_path / "drawn.png").read_bytes()[:200])
    assert [still.is_empty((tmp_path / f"{name}.png").read_bytes()) for name in ("white", "bar", "cut", "drawn")] == [True, True, True, False]


def test_the_picture_is_that_of_the_first_frame(browser, result, tmp_path):
    taken = browser("blank", "blank", "drawn")
    still.write_picture(result, tmp_path / "p.png")
    assert taken() == 3 and not still.is_empty((tmp_path / "p.png").read_bytes())


@pytest.mark.parametrize("answer, said", [({"ready": False}, "drew no frame"), ({"ready": False, "says": "needs WebGL"}, "says: needs WebGL"), ({}, "is empty"), ({"ends": True}, "it ended: no display")])
def test_without_a_frame_there_is_no_picture(browser, result, tmp_path, answer, said):
    browser("blank", **answer)
    with pytest.raises(sl.ModelError, match=said) as caught:
        still.write_picture(result, tmp_path / "p.png")
    assert caught.value.exit_code == 3 and not (tmp_path / "p.png").exists()


def test_the_command_ends_with_3_and_a_line_where_no_frame_came(browser, result, tmp_path):
    browser("blank")
    result.save(tmp_path / "r.saltus")
    done = subprocess.run([sys.executable, "-m", "saltus", "view", "r.saltus", "--png", "p.png"], cwd=tmp_path, capture_output=True, text=True, env=dict(os.environ, PYTHONPATH=os.pathsep.join(filter(None, sys.path))))
    assert done.returncode == 3 and done.stderr.count("\n") == 1 and "drew no picture" in done.stderr and not (tmp_path / "p.png").exists()


def gif_facts(path):
    image = pytest.importorskip("PIL.Image").open(path)
    times = []
    for i in range(image.n_frames):
        image.seek(i)
        times.append(image.info["duration"])
    return image.size, times


def test_a_gif_has_the_rate_and_the_length_that_were_asked(browser, result, tmp_path):
    browser("drawn", "blank")
    film.write_video(result, tmp_path / "v.gif", speed=0.5, rate=20)
    size, times = gif_facts(tmp_path / "v.gif")
    assert size == (400, 300) and sum(times) == pytest.approx(2050)  # the page says that its run takes 1 s; equal pictures are one


def test_without_a_browser_a_gif_is_drawn_and_a_webm_is_refused(result, tmp_path, monkeypatch):
    monkeypatch.setenv("SALTUS_BROWSER", "")
    film.write_video(result, tmp_path / "v.gif", speed=0.1, rate=3, size=(240, 180))
    size, times = gif_facts(tmp_path / "v.gif")
    assert size == (240, 180) and len(times) == 4
    with pytest.raises(sl.ModelError, match="encoded by a browser"):
        film.write_video(result, tmp_path / "v.webm")


@pytest.mark.parametrize("name, given, said", [("v.mp4", {}, "WebM or a GIF"), ("none/v.gif", {}, "make it first"), ("v.gif", {"speed": 0.0}, "must be above 0"), ("v.gif", {"speed": float("nan")}, "must be above 0"),
                                               ("v.gif", {"rate": 0}, "from 1 to 60"), ("v.gif", {"speed": 1e-6}, "at most 3000 are written")])  # fmt: skip
def test_a_video_that_cannot_be_is_refused(browser, result, tmp_path, name, given, said):
    browser("drawn")
    with pytest.raises(sl.ModelError, match=said):
        film.write_video(result, tmp_path / name, **given)
    assert not (tmp_path / name).exists()


def test_one_state_is_no_video(tmp_path):
    m = sl.Model()
    m.spring(m.ground, m.point_mass(mass=1, at=(0, 0, 1), name="p"), stiffness=100)
    with pytest.raises(sl.ModelError, match="is one state"):
        film.write_video(m.static(), tmp_path / "v.gif")


@pytest.mark.skipif(chromium.browser() is None, reason="no browser is found")
def test_a_browser_writes_a_webm_of_the_run(result, tmp_path):
    film.write_video(result, tmp_path / "v.webm", speed=0.1, rate=5, size=(161, 120))
    data = (tmp_path / "v.webm").read_bytes()
    blocks = data.count(b"\xa3\x01\x00\x00\x00")  # simple blocks, of seven bytes of length
    (duration,) = struct.unpack(">d", data.split(b"\x44\x89\x01" + bytes(6) + b"\x08")[1][:8])
    assert data[:4] == b"\x1a\x45\xdf\xa3" and b"V_VP8" in data and blocks >= 6 and duration == 1200.0  # from 0 to 1 s, 5 pictures a second
    assert b"\xb0\x01" + bytes(6) + b"\x08" + (160).to_bytes(8, "big") in data
