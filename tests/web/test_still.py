"""A picture by a browser is one of the page with its first frame, or there is none, and the command says so."""

import os
import struct
import subprocess
import sys
import zlib

import numpy as np
import pytest

import saltus as sl
from saltus.view import still

READY, BARE = "<html data-ready='true'>".replace("'", '"'), "<html>"


def png(path, pixels):
    """Writes rows of grey values (h, w) as a PNG."""
    h, w = pixels.shape
    raw = b"".join(b"\0" + row.astype(np.uint8).tobytes() for row in pixels)

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", w, h, 8, 0, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b""))


@pytest.fixture
def browser(tmp_path, monkeypatch):
    """A program that answers as a browser does: a list of (page, picture) attempt by attempt; the last one for good."""
    blank, drawn = tmp_path / "blank.png", tmp_path / "drawn.png"
    png(blank, np.full((300, 400), 255.0))
    png(drawn, np.random.default_rng(1).integers(0, 255, (300, 400)))

    def made(*attempts):
        program = tmp_path / "browser"
        lines = [f"({page!r}, {str({'blank': blank, 'drawn': drawn}.get(picture, ''))!r})" for page, picture in attempts]
        program.write_text(
            f"#!{sys.executable}\nimport pathlib, shutil, sys\ncount = pathlib.Path({str(tmp_path / 'count')!r})\n"
            f"n = int(count.read_text()) if count.exists() else 0\ncount.write_text(str(n + 1))\n"
            f"page, picture = [{', '.join(lines)}][min(n, {len(attempts) - 1})]\nprint(page)\n"
            "shot = next(a.split('=', 1)[1] for a in sys.argv if a.startswith('--screenshot='))\n"
            "if picture: shutil.copyfile(picture, shot)\n"
        )
        program.chmod(0o755)
        monkeypatch.setenv("SALTUS_BROWSER", str(program))
        return lambda: int((tmp_path / "count").read_text())

    return made


@pytest.fixture(scope="module")
def result():
    m = sl.Model()
    m.sphere(radius=0.1, mass=1, at=(0, 0, 1))
    return m.simulate(0.1)


def test_an_empty_picture_is_told_from_a_drawn_one(tmp_path):
    bars = np.full((300, 400), 255.0)
    png(tmp_path / "white.png", bars)
    bars[:3] = 10.0  # a frame of the browser's own
    png(tmp_path / "bar.png", bars)
    png(tmp_path / "drawn.png", np.add.outer(np.arange(300) % 200, np.arange(400) % 50))
    (tmp_path / "cut.png").write_bytes((tmp_path / "drawn.png").read_bytes()[:200])
    assert [still.is_empty(tmp_path / f"{name}.png") for name in ("white", "bar", "cut", "drawn")] == [True, True, True, False]


def test_the_picture_is_that_of_the_first_frame(browser, result, tmp_path):
    attempts = browser((BARE, "drawn"), (READY, "blank"), (READY, "drawn"))
    still.write_picture(result, tmp_path / "p.png")
    assert attempts() == 3 and not still.is_empty(tmp_path / "p.png")


@pytest.mark.parametrize("answer, said", [((BARE, "blank"), "drew no frame"), ((READY, "blank"), "is empty"), ((BARE, ""), "no picture")])
def test_without_a_frame_there_is_no_picture(browser, result, tmp_path, answer, said):
    browser(answer)
    with pytest.raises(sl.ModelError, match=said) as caught:
        still.write_picture(result, tmp_path / "p.png")
    assert caught.value.exit_code == 3 and not (tmp_path / "p.png").exists()


def test_the_command_ends_with_3_and_a_line_where_no_frame_came(browser, result, tmp_path):
    browser((BARE, "blank"))
    result.save(tmp_path / "r.saltus")
    done = subprocess.run([sys.executable, "-m", "saltus", "view", "r.saltus", "--png", "p.png"], cwd=tmp_path, capture_output=True, text=True, env=dict(os.environ, PYTHONPATH=os.pathsep.join(filter(None, sys.path))))
    assert done.returncode == 3 and done.stderr.count("\n") == 1 and "wrote no picture" in done.stderr and not (tmp_path / "p.png").exists()
