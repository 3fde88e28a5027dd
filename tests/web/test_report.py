"""Reports, stills, plots and the gallery's pages say what the result says."""

import re

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.testing.compare import calculate_rms
from typer.testing import CliRunner

import saltus as sl
from saltus.cli import application
from saltus.plotting import spectrum
from saltus.view.report import report_html
from saltus.view.still import solids, write_picture


def cell(text, name):
    """The cell after the one that is called `name`."""
    return re.search(rf"<td>{re.escape(name)}</td><td[^>]*>([^<]*)</td>", text).group(1)


def test_a_report_holds_certificate_model_units_plots_timing_and_versions(pendulum):
    text = report_html(pendulum, title="a <b> & c", model_file="x.json")
    assert "<h1>a &lt;b&gt; &amp; c</h1>" in text and "<script" not in text
    worst = pendulum.report["residual"]["constraints"]
    assert cell(text, "residual of constraints") == f"{worst:.2e}"
    assert cell(text, "constraint drift") == f"{pendulum._recorded.arrays['residuals'][-1, 1]:.2e}"
    change = pendulum.report["energy_end"] - pendulum.report["energy_start"]
    assert cell(text, "change of energy") == f"{change:+.3g} J"
    assert "mass 1 kg" in text and "inertia" in text and "kg m^2" in text and "shoulder" in text
    assert text.count('src="data:image/png;base64,') == 3
    assert "wall time" in text and "Python 3" in text and "Saltus 0" in text
    assert f"{np.asarray(pendulum['lower_end.position.z']).min():.7g}" in text


def test_warnings_and_events_are_in_the_report(ball):
    text = report_html(ball, title="ball")
    assert "<h2>Events</h2>" in text and cell(text, "impact") == "touch"
    m = sl.Model(gravity=(0, 0, -9.81))
    rod = m.rod((0, 0, 0), (1, 0, 0), mass=1)
    m.revolute(m.ground, rod, at=rod.start, axis="z")
    with pytest.warns(sl.ModelWarning, match="gravity"):
        result = m.simulate(until=0.1)
    assert 'class="warn"' in report_html(result, title="w")


def test_the_command_writes_a_report_and_a_page(pendulum, tmp_path):
    pendulum._model.save(tmp_path / "p.json")
    ran = CliRunner().invoke(application(), ["run", str(tmp_path / "p.json"), "--until", "0.2", "--report", str(tmp_path / "r.html")])
    assert ran.exit_code == 0, ran.output
    assert "Certificate" in (tmp_path / "r.html").read_text()
    ran = CliRunner().invoke(application(), ["view", "p.saltus", "--html", "p.html"])
    assert ran.exit_code == 0 and (tmp_path / "p.html").stat().st_size > 500_000
    ran = CliRunner().invoke(application(), ["run", str(tmp_path / "p.json"), "--until", "0.2", "--report", str(tmp_path / "no" / "r.html")])
    assert isinstance(ran.exception, sl.ModelError) and "no is not there; make it first" in str(ran.exception)


@pytest.mark.parametrize("arguments, said", [
    (["nothing.saltus"], "cannot be opened"),
    (["p.saltus", "--png", "x.jpg"], "a picture is a PNG"),
    (["p.saltus", "--png", "x.png", "--size", "9x"], "expected WIDTHxHEIGHT"),
    (["p.saltus", "--html", "no/x.html"], "the folder no is not there; make it first"),
    (["p.json", "--png", "x.png"], "run it first"),
    (["p.saltus", "--host", "0.0.0.0"], "give a password"),
])
def test_mistakes_of_view_name_the_remedy(pendulum, arguments, said):
    pendulum.save("p.saltus")
    pendulum._model.save("p.json")
    ran = CliRunner().invoke(application(), ["view", *arguments])
    assert isinstance(ran.exception, sl.ModelError) and said in str(ran.exception)


def test_a_picture_without_a_browser_shows_the_bodies_where_they_are(ball, monkeypatch, tmp_path):
    monkeypatch.setenv("SALTUS_BROWSER", "")
    one, other = tmp_path / "one.png", tmp_path / "other.png"
    write_picture(ball, one, time=0.0, size=(480, 360))
    write_picture(ball, other, time=0.28, size=(480, 360))
    image = plt.imread(one)
    assert image.shape[:2] == (360, 480) and (image[..., 2] > image[..., 0] + 0.3).sum() > 500  # a blue ball
    assert calculate_rms(plt.imread(one)[..., :3], plt.imread(other)[..., :3]) > 0.02  # which moved


@pytest.mark.parametrize("body, volume", [
    ({"kind": "box", "size": [1.0, 2.0, 3.0]}, 6.0),
    ({"kind": "sphere", "radius": 1.0}, 4 / 3 * np.pi),
    ({"kind": "cylinder", "radius": 1.0, "length": 2.0, "axis": "x"}, 2 * np.pi),
])
def test_solids_are_closed_and_hold_their_volume(body, volume):
    quads = np.concatenate(solids(body))
    # Divergence theorem over triangles, each turned outward from the middle of these convex solids.
    triangles = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
    found = np.abs(np.einsum("ij,ij->i", triangles[:, 0], np.cross(triangles[:, 1], triangles[:, 2]))).sum() / 6.0
    assert found == pytest.approx(volume, rel=0.06 if body["kind"] != "box" else 1e-12)


def test_the_spectrum_of_a_sine_has_its_amplitude_and_frequency():
    t = np.linspace(0, 2, 2001)
    f, a = spectrum(t, 3.0 + 0.7 * np.sin(2 * np.pi * 25 * t))
    assert f[np.argmax(a)] == pytest.approx(25, abs=0.3) and a.max() == pytest.approx(0.7, rel=2e-3) and a[0] < 1e-3


def test_phase_spectrum_and_energy_return_axes_with_units(pendulum, tmp_path):
    phase = pendulum.plot_phase("upper.position.x", "upper.velocity.x", file=tmp_path / "phase.png")
    assert phase.get_xlabel() == "upper.position.x [m]" and phase.get_ylabel() == "upper.velocity.x [m/s]"
    assert (tmp_path / "phase.png").stat().st_size > 1000
    tones = pendulum.plot_spectrum("upper.position.x", file=tmp_path / "s.png")
    assert tones.get_xlabel() == "frequency [Hz]" and tones.get_ylabel() == "amplitude [m]"
    energy = pendulum.plot_energy(file=tmp_path / "e.png")
    lines = {line.get_label(): line.get_ydata() for line in energy.lines}
    assert np.allclose(lines["kinetic"] + lines["potential"], lines["total"]) and energy.get_ylabel() == "energy [J]"
    both = pendulum.plot("lower.position.x", "elbow.force", file=tmp_path / "both.png")
    assert [axis.get_ylabel() for axis in both] == ["lower.position.x [m]", "elbow.force [N]"]
    with pytest.raises(sl.ModelError, match="3 components"):
        pendulum.plot_phase("upper.position", "upper.velocity.x")


def test_show_writes_picture_and_page_without_a_display(pendulum, tmp_path, monkeypatch, capsys):
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    written = pendulum.show()
    assert (tmp_path / written).stat().st_size > 1000 and (tmp_path / written).with_suffix(".html").stat().st_size > 500_000
    assert "residual" in capsys.readouterr().out
    assert pendulum.show("own.html") == "own.html" and (tmp_path / "own.html").exists()


def test_show_opens_the_page_where_there_is_a_display(pendulum, monkeypatch):
    opened = []
    monkeypatch.setenv("DISPLAY", ":7")
    monkeypatch.setattr("webbrowser.open", opened.append)
    page = pendulum.show()
    assert opened and opened[0].startswith("file://") and page.endswith(".html")


def test_the_gallery_is_one_folder_to_look_at(tmp_path):
    ran = CliRunner().invoke(application(), ["gallery", "newton_cradle", "spring_truss", "--pages", "--folder", str(tmp_path / "g")])
    assert ran.exit_code == 0, ran.output
    index = (tmp_path / "g" / "index.html").read_text()
    for name in ("newton_cradle", "spring_truss"):
        assert f'href="{name}.html"' in index and (tmp_path / "g" / f"{name}.html").exists() and (tmp_path / "g" / f"{name}.report.html").exists()
    assert index.count('src="data:image/png') == 2 and "✓" in index


def test_the_report_of_an_equilibrium_has_values_and_no_times():
    m = sl.Model()
    rod = m.rod((0, 0, 0), (0, 0, -1), mass=2)
    hinge = m.revolute(m.ground, rod, at=(0, 0, 0), axis="y")
    m.outputs = {"pull": hinge.force.z}
    text = report_html(m.static(), title="at rest")
    assert "an equilibrium." in text and "steps (" not in text and "least" not in text and "over the run" not in text
    assert re.search(r"<td>pull</td>.*?<td[^>]*>19\.62</td><td[^>]*>N</td>", text)
    assert cell(text, "potential energy") == f"{-2 * 9.81 * 0.5:.8g} J"
