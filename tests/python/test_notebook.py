"""What a notebook on a server shows of a result: pictures and pages stand below the cell."""

import base64
import os
import re
import struct
import subprocess
import sys

import pytest

MODEL = "import saltus as sl; m = sl.Model(); b = m.point_mass(mass=1, at=(0, 0, 1), name='b'); r = m.simulate(0.1)"


def outputs(cells):
    """Data by type of each output of the cells, run in a kernel without a display."""
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in cells])
    client = nbclient.NotebookClient(book, timeout=120, kernel_name="python3")
    client.execute()
    return [[output.get("data", {}) for output in cell["outputs"]] for cell in book["cells"]]


@pytest.fixture(autouse=True)
def server(monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "MPLBACKEND"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))


@pytest.mark.parametrize("backend", ["", "import matplotlib; matplotlib.use('Agg')"])
def test_a_plot_stands_below_its_cell(backend):
    shown = outputs([f"{backend}\n{MODEL}", "axes = r.plot(b.position.z)", "axes = r.plot_energy()", "r.show()"])
    for cell in shown[1:3]:
        pictures = [base64.b64decode(data["image/png"]) for data in cell if "image/png" in data]
        assert len(pictures) == 1 and min(struct.unpack(">II", pictures[0][16:24])) > 100
    assert any("iframe" in data.get("text/html", "") for data in shown[3])
    assert not [name for name in os.listdir() if name.endswith(".png")]


def test_a_mistake_in_a_cell_shows_the_cell_and_not_the_package():
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    cells = [MODEL, "x = 1\nr['c.position']", "def wind(t):\n    return 1 / 0\nm.force(b, wind)\nm.simulate(0.1)", "m", "b"]
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in cells])
    nbclient.NotebookClient(book, timeout=120, kernel_name="python3", allow_errors=True).execute()
    plain = [re.sub(r"\x1b\[[\d;]*m", "", "\n".join(out["traceback"])) for cell in book["cells"] for out in cell["outputs"] if out["output_type"] == "error"]
    assert len(plain) == 2 and "----> 2 r['c.position']" in plain[0] and "did you mean" in plain[0] and "ZeroDivisionError: division by zero in wind" in plain[1]
    assert all(text.count("\nFile ") == text.count("/saltus/errors.py:") == 1 for text in plain), plain
    shown = [cell["outputs"][0]["data"]["text/plain"] for cell in book["cells"][3:]]
    assert shown[0].startswith("<model of 2 items") and shown[1] == "<body b: point_mass(mass=1, at=(0, 0, 1))>"


def test_a_plot_outside_a_notebook_is_written(tmp_path):
    done = subprocess.run([sys.executable, "-c", f"{MODEL}; r.plot(b.position.z)"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "picture in saltus_plot_1.png" in done.stdout and (tmp_path / "saltus_plot_1.png").stat().st_size > 1000


def test_a_picture_under_a_drawing_backend_is_displayed(monkeypatch):
    """The same without a kernel: what the display function of a notebook is given."""
    ipython = pytest.importorskip("IPython.display")
    import saltus as sl
    from saltus import plotting

    given = []
    monkeypatch.setattr(plotting, "notebook", lambda: given.append)
    m = sl.Model()
    ball = m.point_mass(mass=1, name="b")
    result = m.simulate(0.1)
    result.plot(ball.position.z)
    result.show()
    picture, page = given
    assert isinstance(picture, ipython.Image) and picture.data.startswith(b"\x89PNG") and "iframe" in page.data
    result.plot(ball.position.z, file="x.png")
    assert len(given) == 2 and os.path.exists("x.png")
