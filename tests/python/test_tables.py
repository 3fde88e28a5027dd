"""Functions given by rows: recorded signals, profiles of drives, characteristics."""

import copy

import numpy as np
import pytest

import saltus as sl


def mass(**keywords):
    m = sl.Model(gravity=(0, 0, 0))
    return m, m.box(size=(1, 1, 1), mass=2.0, name="b", **keywords)


@pytest.mark.parametrize("scheme", ["auto", "dormand_prince", "generalized_alpha", "moreau_jean"])
def test_a_force_of_lines_gives_the_impulse_of_its_area(scheme):
    m, b = mass()
    t, f = [0.1, 0.3, 0.31, 0.7], [0.0, 4.0, -1.0, 0.0]  # ends held: none before and behind
    signal = m.table("signal", t, f)
    m.force(b, (f"2*{signal}", 0, 0))
    r = m.simulate(until=1.0, scheme=scheme, tolerance=1e-8)
    area = 2.0 * np.sum(0.5 * np.diff(t) * (np.array(f)[1:] + np.array(f)[:-1]))
    assert r[b.velocity.x][-1] == pytest.approx(area / 2.0, rel=1e-6)


def test_a_pulse_of_a_step_table_is_not_leapt_over():
    m, b = mass()
    m.force(b, (m.table("kick", [0.0, 7.0, 7.001, 9.0], [0.0, 500.0, 0.0, 0.0], kind="step"), 0, 0))
    r = m.simulate(until=10.0)
    assert r[b.velocity.x][-1] == pytest.approx(0.25, rel=1e-8)  # its edges are found to 1e-13 of the time
    assert len(r.time) < 100


def test_a_long_recorded_signal_is_followed():
    t = np.arange(0.0, 10.0005, 0.001)
    m, b = mass()
    push = m.table("push", t, np.sin(3.0 * t) + 0.2 * np.sin(40.0 * t), kind="spline")
    m.force(b, (push, 0, 0))
    r = m.simulate(until=10.0, tolerance=1e-8)
    v = (1.0 - np.cos(30.0)) / 3.0 + 0.2 * (1.0 - np.cos(400.0)) / 40.0
    assert r[b.velocity.x][-1] == pytest.approx(v / 2.0, abs=1e-7)


def test_a_drive_by_a_spline_takes_its_second_derivative():
    m = sl.Model(gravity=(0, 0, 0))
    b = m.box(size=(1, 1, 1), mass=2.0)
    t = np.linspace(0.0, 2.0, 201)
    hinge = m.revolute(m.ground, b, axis="z", angle=m.table("turn", t, 0.3 * np.sin(2.0 * t) - 0.6 * t, kind="spline"))
    r = m.simulate(until=1.9, scheme="generalized_alpha", tolerance=1e-7)
    inertia = 2.0 / 6.0
    assert r[hinge.drive] == pytest.approx(-inertia * 1.2 * np.sin(2.0 * r.time), abs=2e-4)
    assert r[hinge.angle] == pytest.approx(0.3 * np.sin(2.0 * r.time) - 0.6 * r.time, abs=1e-7)


def test_a_characteristic_keeps_the_energy():
    """A spring of a monotone table: kinetic energy and the area under the table, from a start at rest, over many swings."""
    m = sl.Model(gravity=(0, 0, 0))
    b = m.box(size=(1, 1, 1), mass=2.0, at=(1, 0, 0))
    spring = m.table("spring", [-1.0, -0.5, 0.0, 0.5, 1.0], [-30.0, -5.0, 0.0, 5.0, 30.0], kind="monotone", outside="linear")
    m.prismatic(m.ground, b, axis="x", force=f"-{spring.of('position + 1')}")
    r = m.simulate(until=30.0, tolerance=1e-9)
    q = np.linspace(0.0, 1.0, 20001)
    f = m._engine.expression("spring(x)", ["x"], q[:, None])
    area = np.concatenate([[0.0], np.cumsum(0.5 * np.diff(q) * (f[1:] + f[:-1]))])
    energy = r[b.velocity.x] ** 2 + np.interp(np.abs(r[b.position.x]), q, area)
    assert np.min(r[b.position.x]) == pytest.approx(-1.0, abs=1e-5)
    assert energy == pytest.approx(np.full_like(energy, area[-1]), rel=1e-5)


def test_columns_are_the_components_of_a_force():
    m, b = mass()
    t = np.linspace(0.0, 1.0, 21)
    wind = m.table("wind", t, np.stack([t, 2.0 * t, t**2], axis=1), kind="spline")
    assert isinstance(wind, sl.VectorTable) and wind == ("wind_x(t)", "wind_y(t)", "wind_z(t)")
    m.force(b, wind)
    r = m.simulate(until=1.0, tolerance=1e-9)
    assert r[b.velocity][-1] == pytest.approx([0.25, 0.5, 1.0 / 6.0], rel=1e-7)
    m.table("named", t, {"up": t, "down": -t})
    assert {"named_up", "named_down"} <= set(m.tables)


def test_tables_are_in_the_file_and_in_copies(tmp_path):
    m, b = mass()
    m.parameters = {"shift": 0.5}
    m.force(b, (m.table("signal", [0, 1, 2], [0, 3, 0], kind="spline", outside="periodic").of("t + shift"), 0, 0))
    m.save(tmp_path / "m.json")
    first = m.simulate(until=2.0)[b.velocity.x][-1]
    for other in (sl.Model.load(tmp_path / "m.json"), copy.deepcopy(m)):
        assert other.tables == m.tables
        assert other.simulate(until=2.0)[other["b"].velocity.x][-1] == first
        assert other._engine.text() == m._engine.text()


def test_a_table_may_be_changed_and_its_numbers_be_parameters():
    m, b = mass()
    m.parameters = {"high": 6.0}
    m.tables = {"signal": {"input": [0, 1], "output": ["high", "2*high"]}}
    m.force(b, ("signal(t)", 0, 0))
    assert m.simulate(until=1.0)[b.velocity.x][-1] == pytest.approx(4.5)
    m.table("signal", [0, 1], [1, 1])
    assert m.simulate(until=1.0)[b.velocity.x][-1] == pytest.approx(0.5)


@pytest.mark.parametrize(
    "table, words",
    [
        ({"input": [0, 2, 1], "output": [0, 0, 0]}, ("tables/signal/input/2", "is 1 after 2", "sort the rows")),
        ({"input": [0, float("nan")], "output": [0, 0]}, ("tables/signal/input/1", "nan", "not finite")),
        ({"input": [0, 1], "output": [0, 0, 1]}, ("tables/signal", "2 inputs and 3 outputs", "one output for each")),
        ({"input": [0], "output": [0]}, ("tables/signal", "1 row", "constant as a number")),
        ({"input": [0, 1], "output": [0, 1], "kind": "splin"}, ("tables/signal/kind", "splin", "spline")),
        ({"input": [0, 1], "output": [0, 1], "outside": "periodic", "kind": "spline"}, ("tables/signal/input/1", "must end with its first", "closes the period")),
        ({"input": [0, 1]}, ("tables/signal/output", "is missing")),
        ({"input": [0, 1], "output": [0, 1], "kind": "spline", "slopes": [1]}, ("tables/signal/slopes", "1 numbers", "two ends")),
        ({"input": [0, 1], "output": [0, 1], "rows": 3}, ("tables/signal/rows", "unknown key")),
    ],
)
def test_a_wrong_table_is_named_with_its_row(table, words):
    m, b = mass()
    m.tables = {"signal": table}
    faults = "\n".join(str(fault) for fault in m.check())
    assert all(word in faults for word in words), faults


def test_names_and_calls_are_checked():
    m, b = mass()
    m.tables = {"sin": {"input": [0, 1], "output": [0, 1]}}
    assert "is a function of formulas" in str(m.check()[0])
    m.tables = {"signal": {"input": [0, 1], "output": [0, 1]}}
    push = m.force(b, ("signl(t)", 0, 0))
    assert "did you mean 'signal'?" in str(m.check()[0])
    push.force = ("2*signal", 0, 0)
    assert 'uses the table "signal" as a number' in str(m.check()[0]) and "`signal(t)`" in str(m.check()[0])
    push.force = ("signal(t, 1)", 0, 0)
    assert "takes one" in str(m.check()[0])
    with pytest.raises(sl.ModelError, match="unknown keyword"):
        m.table("a", [0, 1], [0, 1], knd="spline")
    with pytest.raises(sl.ModelError, match="tables/a/output"):
        m.table("a", [0, 1], ["x", "y"])


def test_outside_of_a_table_that_refuses_the_run_ends_and_says_where():
    m, b = mass()
    m.force(b, (m.table("signal", [0, 1], [2, 2], outside="refuse"), 0, 0), name="push")
    assert m.simulate(until=1.0)[b.velocity.x][-1] == pytest.approx(1.0)
    with pytest.raises(sl.RunError, match="push.*not finite.*table 'signal' holds 0 to 1 and is asked at 1"):
        m.simulate(until=1.5)


def test_rows_are_read_from_text_files(tmp_path):
    file = tmp_path / "run.csv"
    file.write_text("# recorded\ntime,force,speed\n0,1,5\n0.5,2,6\n1,4,7\n")
    t, y = sl.read_table(file)
    assert t.tolist() == [0, 0.5, 1] and y.tolist() == [[1, 5], [2, 6], [4, 7]]
    assert sl.read_table(file, output="speed")[1].tolist() == [5, 6, 7]
    file.write_text("0 1\n1 2\n")
    assert sl.read_table(file)[1].tolist() == [1, 2]
    file.write_text("0;1\n1;x\n")
    with pytest.raises(sl.ModelError, match=r"run.csv:2.*'x' in column 1"):
        sl.read_table(file)
    with pytest.raises(sl.ModelError, match="has no column 'speed'"):
        sl.read_table(_written(tmp_path), output="speed")
    with pytest.raises(sl.ModelError, match="cannot be read"):
        sl.read_table(tmp_path / "none.csv")


def _written(folder):
    file = folder / "other.csv"
    file.write_text("time,force\n0,1\n")
    return file
