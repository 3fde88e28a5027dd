"""Results: quantities with unit and time, files that hold them, stops, failures that keep what was reached."""

import json
import math
import pickle
from pathlib import Path

import numpy as np
import pytest

import saltus as sl
from saltus import running

FIXED = dict(step=1e-3, scheme="moreau_jean")


@pytest.fixture
def falling():
    m = sl.Model()
    body = m.box(size=(1, 1, 1), mass=2, at=(0, 0, 5), velocity=(1, 0, 0))
    return m, body


def test_a_quantity_has_unit_time_and_the_values_of_free_fall(falling):
    m, body = falling
    result = m.simulate(1.0, **FIXED)
    z = result[body.position.z]
    assert z.unit == "m" and z.shape == z.time.shape == result.time.shape
    assert np.asarray(z) == pytest.approx(5 - 0.5 * 9.81 * z.time**2, abs=1e-9)
    assert result[body.position].shape == (len(result), 3)
    assert result[body.position.norm].last == pytest.approx(math.hypot(1.0, 5 - 0.5 * 9.81), abs=1e-9)
    assert np.array_equal(result["box_1.position.z"], z)
    assert z.max() == 5.0 and (2 * z).unit == "m" and z[3:].time is None


def test_a_frame_asked_for_after_the_run_moves_with_its_body(falling):
    m, body = falling
    result = m.simulate(0.1, **FIXED)
    corner = body.frame(at=(0.5, 0.5, 5.5))
    assert result[corner.displacement] == pytest.approx(result[body.displacement], abs=1e-12)
    assert result[corner.position][0] == pytest.approx([0.5, 0.5, 5.5])


def test_a_stop_ends_the_result_with_the_first_state_at_which_it_holds(falling):
    m, body = falling
    result = m.simulate(2.0, stop=body.position.z < 4.0, **FIXED)
    z = result[body.position.z]
    assert z[-1] < 4.0 <= z[-2]
    assert result.report["status"] == "stopped" and result.report["t"] == result.time[-1]
    assert result.time[-1] == pytest.approx(math.sqrt(2 / 9.81), abs=1e-3)


def test_a_saved_result_gives_the_same_bits(falling, tmp_path):
    m, body = falling
    m.outputs = {"height": body.position.z}
    result = m.simulate(0.5, **FIXED)
    result.save(tmp_path / "fall.saltus")
    again = sl.load_result(tmp_path / "fall.saltus")
    assert again["box_1.position"].tobytes() == result[body.position].tobytes()
    assert again.report["steps"] == result.report["steps"] and again.scheme == result.scheme
    assert again.table["height"] == (result[body.position.z].last, "m")


def test_the_file_of_a_run_is_the_saved_result(falling, tmp_path):
    m, body = falling
    result = m.simulate(0.5, record={"file": tmp_path / "run.saltus", "interval": 0.1}, **FIXED)
    assert result.time == pytest.approx(np.arange(6) * 0.1)
    assert sl.load_result(tmp_path / "run.saltus")["box_1.position"].tobytes() == result[body.position].tobytes()


def test_the_report_tells_residuals_and_energy(falling):
    m, _ = falling
    report = m.simulate(0.5, **FIXED).report
    assert report["energy_start"] == pytest.approx(2 * (0.5 + 9.81 * 5))
    assert report["energy_end"] == pytest.approx(report["energy_start"], rel=1e-12)
    assert max(report["residual"].values()) < 1e-8


def test_a_body_that_moves_to_the_end_has_no_rest_time(falling):
    m, body = falling
    assert m.simulate(0.5, **FIXED).rest_time(body) == math.inf


def test_a_quantity_that_is_not_there_is_named(falling):
    m, body = falling
    result = m.simulate(0.1, **FIXED)
    with pytest.raises(sl.ModelError, match="'box_1' has no quantity 'speed'; it has position"):
        _ = result["box_1.speed"]
    with pytest.raises(AttributeError, match="is a number"):
        _ = body.position.x.y
    with pytest.raises(sl.ModelError, match="another model"):
        result[sl.Model().sphere(radius=1, mass=1).position]


def test_plot_and_show_write_pictures_with_units(falling, tmp_path, capsys):
    m, body = falling
    result = m.simulate(0.1, **FIXED)
    axes = result.plot(body.position, body.velocity.z, file=tmp_path / "fall.png")
    assert [a.get_ylabel() for a in axes] == ["box_1.position [m]", "box_1.velocity.z [m/s]"]
    assert axes[-1].get_xlabel() == "t [s]" and (tmp_path / "fall.png").stat().st_size > 1000
    assert result.show(tmp_path / "paths.png") and (tmp_path / "paths.png").stat().st_size > 1000
    first = result.plot(body.position.x, label="one")
    assert result.plot(body.position.x, label="two") is first and len(first.lines) == 2
    assert "picture in" in capsys.readouterr().out
    assert list(tmp_path.glob("*_plot_*.png"))


def test_a_run_that_cannot_go_on_raises_with_what_it_reached():
    m = sl.Model(gravity=(0, 0, 0))
    body = m.box(size=(1, 1, 1), mass=1, at=(2, 0, 0), velocity=(1, 0, 0))
    m.spring(m.ground, body, stiffness="1 / 0")
    with pytest.raises((sl.RunError, sl.ModelError)):
        m.simulate(1.0, **FIXED)


def test_a_tolerance_given_to_a_run_replaces_the_fixed_step_of_the_file():
    from saltus import gallery

    engine = gallery.load("car_axis")
    assert engine.run_options()["step"] == 0.0005
    model = sl.Model._of(engine)
    steps = [model.simulate(0.1, scheme="dormand_prince", **asked).report["steps"] for asked in ({}, {"tolerance": 1e-3}, {"tolerance": 1e-9})]
    assert steps[0] == 200
    assert steps[1] < steps[2] != 200
    assert model.simulate(0.1, scheme="dormand_prince", tolerance=1e-9, step=1e-3).report["steps"] == 100


def test_a_file_written_as_the_run_went_on_keeps_the_name_of_the_scheme(tmp_path):
    m = sl.Model(gravity=(0, 0, 0))
    m.point_mass(mass=1, at=(0, 0, 0), velocity=(1, 0, 0))
    path = tmp_path / "run.saltus"
    ran = m.simulate(until=0.1, step=0.05, scheme=sl.RungeKutta4(), record=path)
    assert sl.load_result(path).scheme == ran.scheme == "runge_kutta_4"


@pytest.mark.parametrize("scheme", ["dormand_prince", "generalized_alpha", "moreau_jean"])
def test_recorded_states_stand_at_the_multiples_of_the_interval(scheme):
    m = sl.Model(gravity=(0, 0, 0))
    mass = m.point_mass(mass=1, at=(1, 0, 0), displacement=(0.1, 0, 0))
    m.spring(m.ground, mass, stiffness=100, rest_length=1)
    result = m.simulate(1, scheme=scheme, record=0.1)
    assert result.time.tolist() == pytest.approx([0.1 * k for k in range(11)], rel=1e-15, abs=0)
    free = m.simulate(1, scheme=scheme)
    assert free.report["steps"] <= result.report["steps"] <= free.report["steps"] + 3 * 10  # a cut step is no smaller next one
    assert result[mass.displacement.x].last == pytest.approx(0.1 * np.cos(10), abs=1e-4)


@pytest.mark.parametrize("contact_first", [True, False])
def test_forces_read_from_a_file_are_those_of_the_run_in_whatever_order_its_items_were_made(contact_first, tmp_path):
    """A file keeps items section by section: rows of a contact that a program states before a joint stand where the file has them."""
    m = sl.Model()
    ball = m.sphere(radius=0.1, mass=1, at=(0, 0, 0.1), name="ball")
    if contact_first:
        m.contact(m.plane(), ball, friction=0.3, name="floor")
    crate = m.box(size=(0.2, 0.2, 0.2), mass=1, at=(3, 0, 1), name="crate")
    m.revolute(m.ground, crate, at=(2, 0, 1), axis="y", speed=1.0, name="hinge")
    node = m.add(sl.items.NodeOde1(count=1, initial_values=[2.0]), name="late")
    m.contact(m.plane(at=(0, 0, 0)), ball, name="floor") if not contact_first else None
    assert [part.item for part in m.compile().layout()] == [part.item for part in sl.Model.parse(m._engine.text()).compile().layout()]
    result = m.simulate(0.1, step=1e-3, record=tmp_path / "run.saltus", scheme="moreau_jean")
    for kept in (sl.load_result(tmp_path / "run.saltus"), pickle.loads(pickle.dumps(result))):
        for quantity in ("hinge.force", "hinge_drive.drive", "floor.force", "crate.position", "late.state"):
            np.testing.assert_array_equal(kept[quantity], result[quantity])
    assert node.name == "late" and abs(result["floor.force"][-1, 2] - 9.81) < 1e-9
    again = m.simulate(0.2, step=1e-3, scheme="moreau_jean", start=sl.load_result(tmp_path / "run.saltus"))
    assert np.array_equal(again["hinge.force"][-1], m.simulate(0.2, step=1e-3, scheme="moreau_jean")["hinge.force"][-1])


def test_the_report_is_printed_as_text_and_read_as_a_dict(tmp_path):
    m = sl.Model()
    ball = m.sphere(radius=0.1, mass=2, at=(0, 0, 1), name="ball")
    m.prismatic(m.ground, ball, axis="z", name="guide")
    m.fixed(ball, m.point_mass(mass=1, at=(0, 0, 1)), name="glue")      # a point does not turn: redundant rows
    with pytest.warns(sl.model.ModelWarning):
        result = m.simulate(until=0.5)
    text = str(result.report)
    start, end = result.report["energy_start"], result.report["energy_end"]
    assert start == pytest.approx(3 * 9.81) and f"energy    {start:.9g} J -> {end:.9g} J" in text
    assert text.startswith("status    done at t = 0.5 s") and "warning   " in text and result.warnings[0].text in text and "rows" in text
    assert json.loads(json.dumps({key: value for key, value in result.report.items() if key != "warnings"}))["steps"] == result.report["steps"]
    result.save(tmp_path / "a.saltus")
    assert str(sl.load_result(tmp_path / "a.saltus").report).splitlines()[:4] == text.splitlines()[:4]
    m.spring(m.ground, ball, stiffness=1e3, rest_length=1)
    assert str(m.static().report).startswith("status    done, an equilibrium\nresidual ")


def test_outputs_and_items_that_come_after_a_run_leave_its_page_and_tables_whole(tmp_path):
    m = sl.Model()
    arm = m.rod((0, 0, 0), (1, 0, 0), mass=1, name="arm")
    hinge = m.revolute(m.ground, arm, at=arm.start, axis="y", name="hinge")
    result = m.simulate(until=0.5)
    m.outputs = {"tip": arm.end.position.z, "turn": hinge.angle}          # of a frame that was no item yet
    assert result["tip"].last == pytest.approx(-np.sin(result[hinge.angle].last), abs=1e-12)
    assert set(result.table) == {"tip", "turn"}
    result.to_html(tmp_path / "a.html")
    late = m.sphere(radius=0.1, mass=1, at=(3, 0, 0), name="late")
    m.spring(arm, late, stiffness=1)
    m.outputs = {"turn": hinge.angle, "late": late.position.z}
    assert set(result.table) == {"turn"}
    result.to_html(tmp_path / "b.html")
    head = (tmp_path / "b.html").read_text()
    assert Path(result.export(tmp_path / "b.csv")).read_text().startswith("time [s],turn [rad],arm.position.x [m]")
    assert "late" not in Path(tmp_path / "b.csv").read_text() and head
    with pytest.raises(sl.ModelError, match="late"):
        result["late"]
    assert set(m.simulate(until=0.1).table) == {"turn", "late"}


def test_the_relative_change_of_energy_does_not_depend_on_where_the_potential_is_zero():
    """A pendulum that starts at the height where the potential is zero has no energy at all, of which a rounding error would be 100 %."""
    changes = []
    for height in (0.0, 5.0):
        m = sl.Model()
        rod = m.rod((0, 0, height), (1, 0, height), mass=1)
        m.revolute(m.ground, rod, at=rod.start, axis="y")
        changes.append(running.summary(m.simulate(until=2.0)._recorded, {})["energy"]["relative_change"])
    assert max(map(abs, changes)) < 1e-5
