"""Results as tables and files: names, units, every digit, what contacts did; the same from a file; mistakes reported."""

import csv
import json
import math
import struct
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from commands import saltus

import saltus as sl

G = 9.81


def thrown(**options):
    """A ball that slides, hits and rolls, a driven hinge, an output and parameters."""
    m = sl.Model()
    ball = m.sphere(radius=0.1, mass=1, at=(0, 0, 1.1), velocity=(1, 0, 0), name="ball")
    touch = m.contact(m.plane(), ball, restitution=0.8, friction=0.3, name="touch")
    crate = m.box(size=(0.2, 0.2, 0.2), mass=1, at=(3, 0, 1), name="crate")
    m.revolute(m.ground, crate, at=(2, 0, 1), axis="y", speed=1.0, name="hinge")
    m.parameters = {"L": 2.0, "double": "2*L"}
    m.outputs = {"height": ball.position.z}
    return m, ball, touch, m.simulate(1.0, **{"scheme": "moreau_jean", "step": 1e-3, **options})


@pytest.fixture(scope="module")
def run():
    return thrown()


NAMES = ["height [m]", "ball.position.x [m]", "ball.quaternion.w", "ball.angular_velocity.y [rad/s]", "hinge.angle [rad]", "hinge.drive [N m]", "hinge.force.z [N]", "touch.gap [m]",
         "touch.normal_force [N]", "touch.slip.x [m/s]", "touch.state", "touch.impulse [N s]", "energy.total [J]", "parameters.L", "parameters.double"]  # fmt: skip


def test_a_data_frame_has_names_units_and_the_numbers_of_the_result(run):
    pytest.importorskip("pandas")
    m, ball, _, result = run
    frame = result.to_dataframe()
    assert set(NAMES) <= set(frame.columns) and frame.index.name == "time [s]"
    assert np.array_equal(frame["ball.position.x [m]"], result[ball.position.x]) and np.array_equal(frame.index, result.time)
    assert frame["parameters.double"].iloc[0] == 4.0 and frame.attrs["parameters"] == {"L": 2.0, "double": 4.0}
    assert frame.attrs["units"]["hinge.drive [N m]"] == "N m" and not frame.isna().any().any()
    few = result.to_dataframe(ball.velocity, "height")
    assert list(few.columns) == ["ball.velocity.x [m/s]", "ball.velocity.y [m/s]", "ball.velocity.z [m/s]", "height [m]"]


def test_what_a_contact_did_is_in_the_table(run):
    """Falls from 1 m: impact at sqrt(2 / g) with g t (1 + e) m; friction then is either mu times it or what stops the slip of a ball, 2/7 of the speed."""
    _, _, touch, result = run
    (point,) = result.contact(touch)
    speed = math.sqrt(2 * G)
    assert point.impulse == pytest.approx(1.8 * speed, rel=5e-3) and len(point.impulses) == 1
    when = point.impulses[0][0]
    table = result.resample(0.01)
    assert table[touch.points[0].gap][0] == pytest.approx(1.0) and set(point.states) <= {"open", "sticks", "slides"}
    assert point.slip_speed[0] == pytest.approx(1.0) and abs(point.slip_speed[-1]) < 1e-12  # 0.3 * 1.8 g t is more than 2/7 of 1 m/s
    frame = result.to_dataframe()
    impulse = frame["touch.impulse [N s]"].to_numpy()
    assert np.array_equal(impulse > 0, result.time >= when) and impulse[-1] == point.impulse


def test_a_sliding_and_a_sticking_contact_tell_their_states():
    for friction, expected in ((0.2, "slides"), (0.7, "sticks")):
        m = sl.Model()
        ramp = m.plane(rotation=sl.degrees(y=20))
        box = m.box(size=(0.2, 0.2, 0.1), mass=2, on=ramp)
        contact = m.contact(ramp, box, friction=friction)
        result = m.simulate(0.2, step=1e-3)
        points = [p for p in result.contact(contact) if p.normal_force[-1] > 0]
        assert points and {p.states[-1] for p in points} == {expected}
        assert sum(p.normal_force[-1] for p in points) == pytest.approx(2 * G * math.cos(math.radians(20)), rel=1e-9)
        rate = G * (math.sin(math.radians(20)) - 0.2 * math.cos(math.radians(20))) * 0.2 if expected == "slides" else 0.0
        assert points[0].slip_speed[-1] == pytest.approx(rate, rel=1e-6, abs=1e-9)


def test_the_slip_of_a_rolling_ball_is_that_of_its_lowest_point_in_other_axes_too():
    """A ball that rolls on a plane turned and far away slides nowhere, though its centre moves."""
    turn = sl.degrees(x=90)
    m = sl.Model(gravity=(0, 9.81, 0))
    plane = m.plane(at=(1e3, 2e3, 0), rotation=turn)
    ball = m.sphere(radius=0.1, mass=1, at=(1e3, 2e3 - 0.1, 0), velocity=(1, 0, 0), angular_velocity=(0, 0, 10))
    rolls = m.contact(plane, ball, friction=0.5)
    result = m.simulate(0.2, step=1e-3)
    (point,) = result.contact(rolls)
    assert abs(point.slip_speed).max() < 1e-9 and point.states[-1] == "sticks" and point.normal_force[-1] == pytest.approx(G)


def test_impulses_of_groups_are_counted_and_their_points_refused(run):
    m = sl.Model()
    floor, balls = m.plane(), [m.sphere(radius=0.1, mass=1, at=(0.5 * i, 0, 0.5)) for i in range(2)]
    group = m.contact([floor], balls, restitution=0.5)
    result = m.simulate(0.4, step=1e-3)
    pytest.importorskip("pandas")
    assert result.to_dataframe()[f"{group.name}.impulse [N s]"].iloc[-1] == pytest.approx(2 * 1.5 * math.sqrt(2 * G * 0.4), rel=1e-2)
    with pytest.raises(sl.ModelError, match=r"contact of groups.*result\.contacts\(\)"):
        result.contact(group)
    with pytest.raises(sl.ModelError, match="is no contact of two shapes; give what m.contact"):
        result.contact(balls[0])  # type: ignore[arg-type]


def test_resampled_states_are_the_scheme_s_own_curve():
    """A parabola and a turn at constant rate, read far from the recorded states."""
    m = sl.Model()
    top = m.box(size=(0.3, 0.2, 0.1), mass=1, velocity=(1, 0, 5), angular_velocity=(0, 0, 3.0), name="top")
    result = m.simulate(2.0, scheme="dormand_prince")
    even = result.resample(0.1)
    t = even.time
    assert len(even) == 21 and len(result) < 21 and even[top.position.z] == pytest.approx(5 * t - G / 2 * t**2, abs=1e-9)
    assert np.linalg.norm(even[top.quaternion], axis=1) == pytest.approx(np.ones(21), abs=1e-12)
    assert even[top.rotation_matrix][:, 0] == pytest.approx(np.cos(3.0 * t), abs=1e-9)
    assert result.resample(0.3).time == pytest.approx([*(0.3 * np.arange(7)), 2.0])
    with pytest.raises(sl.ModelError, match="resample.*must be above 0"):
        result.resample(0.0)
    with pytest.raises(sl.ModelError, match="resample.*fewer than"):
        result.resample(1e-9)


def test_a_time_at_a_jump_says_on_which_side_it_is():
    m = sl.Model()
    ball = m.point_mass(mass=1, at=(0, 0, 1))
    m.contact(m.plane(), ball, restitution=0.5)
    result = m.simulate(0.6, scheme="event_driven")
    when = math.sqrt(2 / G)
    hit = result.events[0][0]
    before, after = result.at(hit, before=True), result.at(hit)
    assert (before.side, after.side, result.at(0.2).side) == ("left", "right", "")
    assert before[ball.velocity.z] == pytest.approx(-G * when) and after[ball.velocity.z] == pytest.approx(0.5 * G * when)
    assert "left of a jump" in repr(before) and "right of a jump" in repr(after) and result.at([0.1, hit]).side == ["", "right"]


def test_an_xarray_data_set_has_axes_and_units(run):
    pytest.importorskip("xarray")
    _, ball, _, result = run
    data = result.to_xarray()
    assert data["ball.position"].dims == ("time", "axis") and data["ball.position"].attrs["units"] == "m"
    assert np.array_equal(data["ball.position"].sel(axis="z"), result[ball.position.z])
    assert float(data["parameters.double"]) == 4.0 and data.attrs["scheme"] == "moreau_jean"
    assert list(data["ball.quaternion"].coords["quaternion_axis"].values) == ["w", "x", "y", "z"]


def test_quaternions_of_all_bodies_share_one_dimension_of_a_data_set():
    pytest.importorskip("xarray")
    m = sl.Model()
    for i in range(3):
        m.sphere(radius=0.1, mass=1, at=(i, 0, 0))
    data = m.simulate(until=0.1).to_xarray()
    assert set(data.sizes) == {"time", "axis", "quaternion_axis"}


def test_a_static_result_is_one_row():
    pytest.importorskip("pandas")
    m = sl.Model()
    box = m.box(size=(1, 1, 1), mass=2)
    m.fixed(m.ground, box, name="wall")
    frame = m.static().to_dataframe()
    assert len(frame) == 1 and frame["wall.force.z [N]"].iloc[0] == pytest.approx(2 * G)
    with pytest.raises(sl.ModelError, match="resample"):
        m.static().resample(0.1)


def test_csv_parquet_and_mat_hold_the_same_numbers_with_names_and_units(run, tmp_path):
    pandas, parquet, scipy_io = pytest.importorskip("pandas"), pytest.importorskip("pyarrow.parquet"), pytest.importorskip("scipy.io")
    *_, result = run
    frame = result.to_dataframe()
    for ending in ("csv", "parquet", "mat"):
        result.export(tmp_path / f"out.{ending}")
    rows = list(csv.reader((tmp_path / "out.csv").open()))
    assert rows[0] == ["time [s]", *frame.columns] and np.array_equal(np.array(rows[1:], dtype=float)[:, 1:], frame.to_numpy())
    table = parquet.read_table(tmp_path / "out.parquet")
    assert table.schema.field("hinge.drive [N m]").metadata == {b"unit": b"N m"} and json.loads(table.schema.metadata[b"parameters"])["L"] == 2.0
    assert pandas.read_parquet(tmp_path / "out.parquet").set_index("time [s]").equals(frame)
    mat = scipy_io.loadmat(tmp_path / "out.mat", simplify_cells=True)
    assert mat["names"]["ball_position"] == "ball.position" and mat["units"]["hinge_drive"] == "N m" and mat["parameters"]["double"] == 4.0
    assert np.array_equal(mat["ball_position"], frame[[f"ball.position.{c} [m]" for c in "xyz"]]) and mat["run"]["scheme"] == "moreau_jean"


def test_polars_takes_the_same_columns(run):
    polars = pytest.importorskip("polars")
    *_, result = run
    frame = result.to_dataframe(library="polars")
    assert isinstance(frame, polars.DataFrame) and frame.columns[0] == "time [s]" and frame.height == len(result)


def test_a_result_from_its_file_gives_the_same_table(run, tmp_path):
    pytest.importorskip("pandas")
    *_, result = run
    result.save(tmp_path / "run.saltus")
    kept, made = sl.load_result(tmp_path / "run.saltus").to_dataframe(), result.to_dataframe()
    assert list(kept.columns) == list(made.columns)
    np.testing.assert_allclose(kept.to_numpy(), made.to_numpy(), rtol=1e-12, atol=1e-12)  # sums of forces in the order of the file


def test_names_for_matlab_are_its_own_and_unlike_each_other():
    from saltus.exports.tables import mat_name

    assert mat_name("crank.position", set()) == "crank_position" and mat_name("1st.force", set()) == "x1st_force"
    assert mat_name("Stößel.x", set()) == "St__el_x" and mat_name("a.b", {"a_b"}) == "a_b_2" and len(mat_name("n" * 90, {"n" * 63})) == 63


def test_parameters_that_a_run_changes_are_columns_over_time():
    pytest.importorskip("pandas")
    m = sl.Model(gravity=(0, 0, 0))
    k = m.parameter("k", 90.0, schedule=[(0.5, 160.0)])
    cart = m.point_mass(mass=1, at=(1, 0, 0))
    m.force(cart, (k, 0, 0))
    values = m.simulate(1.0, step=0.1).to_dataframe()["parameters.k"]
    assert values.iloc[0] == 90.0 and values.iloc[-1] == 160.0


def test_what_a_program_changes_after_the_run_is_not_in_its_tables():
    pytest.importorskip("pandas")
    m = sl.Model()
    m.parameters = {"mu": 0.3}
    ball = m.sphere(radius=0.1, mass=1, at=(0, 0, 0.1), velocity=(1, 0, 0), name="ball")
    touch = m.contact(m.plane(), ball, friction="mu", name="touch")
    result = m.simulate(0.05, step=1e-3)
    before = result.to_dataframe()
    m.parameters["mu"] = 0.9
    ball.radius = 0.3
    assert result.to_dataframe().equals(before) and before["parameters.mu"].iloc[0] == 0.3
    assert result.contact(touch)[0].slip_speed[-1] == pytest.approx(1 - 0.3 * G * 0.05 * 3.5, abs=1e-6)  # v - r w of a ball that slides


def test_mistakes_are_reported_with_what_to_do(run, tmp_path):
    *_, result = run
    with pytest.raises(sl.ModelError, match="has no format for '.xlsx'; write it by result.to_dataframe"):
        result.export(tmp_path / "out.xlsx")
    with pytest.raises(sl.ModelError, match="nothing.position"):
        result.to_dataframe("nothing.position")
    with pytest.raises(sl.ModelError, match='write "pandas" or "polars"'):
        result.to_dataframe(library="excel")  # type: ignore[arg-type]
    with pytest.raises(sl.ModelError, match="is a folder"):
        (tmp_path / "folder.csv").mkdir()
        result.export(tmp_path / "folder.csv")


def test_a_missing_package_is_named_with_its_extra():
    program = "import sys; sys.modules['pandas'] = None\nimport saltus as sl\nm = sl.Model(); m.point_mass(mass=1)\ntry: m.simulate(0.1).to_dataframe()\nexcept sl.ModelError as e: print(e)"
    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert "pip install 'saltus[tables]'" in printed


def test_importing_saltus_loads_none_of_the_large_packages():
    program = "import sys, saltus as sl; sl.Model().point_mass(mass=1); print([m for m in ('pandas', 'xarray', 'pyarrow', 'dask', 'distributed', 'matplotlib', 'scipy', 'h5py', 'ruamel') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.strip() == "[]"


def test_pages_show_torque_drive_and_angle_of_joints_of_equilibria_too(run):
    from saltus.view.container import unpacked
    from saltus.view.shows import scene

    *_, result = run
    assert {"hinge.torque", "hinge_drive.drive", "hinge.angle", "hinge.force"} <= {series["path"] for series in unpacked(scene(result))[0]["series"]}
    m = sl.Model()
    m.revolute(m.ground, m.rod((0, 0, 0), (1, 0, 0), mass=1), at=(0, 0, 0), axis="y", angle=0.2, name="hinge")
    assert {"hinge.torque", "hinge_drive.drive", "hinge.angle"} <= {series["path"] for series in unpacked(scene(m.static()))[0]["series"]}


# Bodies as they move.


def crank(far=0.0):
    m = sl.Model()
    A, B, C = (far, 0.1, 0.12), (far, 0.18, 0.12), (far + 0.2078461, 0, 0)
    crank, rod = m.rod(A, B, mass=0.1, name="crank"), m.rod(B, C, mass=0.2, name="rod")
    slider = m.box(size=(0.05, 0.05, 0.05), mass=1, at=C, name="slider")
    m.revolute(m.ground, crank, at=A, axis="x", speed=6.2832)
    m.spherical(crank, rod, at=B)
    m.universal(rod, slider, at=C, axes=("y", "z"))
    m.prismatic(m.ground, slider, at=C, axis="x")
    m.spring(m.ground.frame(at=(far + 0.5, 0, 0)), slider, stiffness=10, name="coil")
    return m, slider, m.simulate(1.0)


def of_glb(path):
    """The JSON and the arrays by accessor of a binary glTF, by its specification."""
    raw = path.read_bytes()
    magic, version, total, length, kind = struct.unpack("<4sIII4s", raw[:20])
    assert (magic, version, total, kind) == (b"glTF", 2, len(raw), b"JSON")
    head = json.loads(raw[20 : 20 + length])
    data = raw[28 + length :]
    assert raw[24 + length : 28 + length] == b"BIN\0" and head["buffers"][0]["byteLength"] == len(data) and length % 4 == 0
    arrays = []
    for a in head["accessors"]:
        view = head["bufferViews"][a["bufferView"]]
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[a["type"]]
        values = np.frombuffer(data, {5126: "<f4", 5125: "<u4"}[a["componentType"]], a["count"] * width, view["byteOffset"]).reshape(-1, width)
        assert view["byteOffset"] % 4 == 0 and view["byteLength"] == values.nbytes
        assert "min" not in a or np.allclose(a["min"], values.min(axis=0)) and np.allclose(a["max"], values.max(axis=0))
        arrays.append(values)
    return head, arrays


@pytest.mark.parametrize("far", [0.0, 1e5])
def test_an_animation_moves_the_bodies_as_the_run_does(far, tmp_path):
    """y is up; half a micrometre on a slider of 5 cm, 100 km from the origin too."""
    _, slider, result = crank(far)
    head, arrays = of_glb(Path(result.resample(0.02).export(tmp_path / "crank.glb")))
    world, nodes = head["nodes"][0], {node["name"]: i for i, node in enumerate(head["nodes"])}
    assert {"crank", "rod", "slider", "coil"} <= nodes.keys() and world["rotation"] == pytest.approx([-math.sqrt(0.5), 0, 0, math.sqrt(0.5)])
    (animation,) = head["animations"]
    tracks = {(c["target"]["node"], c["target"]["path"]): animation["samplers"][c["sampler"]] for c in animation["channels"]}
    places = tracks[nodes["slider"], "translation"]
    t, x = arrays[places["input"]][:, 0], arrays[places["output"]][:, 0].astype(float) + world["translation"][0]
    assert (np.diff(t) > 0).all() and x == pytest.approx(result.resample(0.02)[slider.position.x], abs=5e-7)
    assert (nodes["slider"], "rotation") not in tracks  # it does not turn
    turns = arrays[tracks[nodes["rod"], "rotation"]["output"]]
    assert np.linalg.norm(turns, axis=1) == pytest.approx(1.0, abs=1e-6) and (np.einsum("ij,ij->i", turns[1:], turns[:-1]) > 0).all()
    stretch = arrays[tracks[nodes["coil"], "scale"]["output"]][:, 2]
    assert stretch == pytest.approx(far + 0.5 - x, abs=1e-6)
    assert all(arrays[m["primitives"][0]["indices"]].max() < len(arrays[m["primitives"][0]["attributes"]["POSITION"]]) for m in head["meshes"])


def test_a_gltf_file_holds_the_same_as_the_binary_one(tmp_path):
    *_, result = crank()
    result.export(tmp_path / "crank.gltf"), result.export(tmp_path / "crank.glb")
    text, (binary, _) = json.loads((tmp_path / "crank.gltf").read_text()), of_glb(tmp_path / "crank.glb")
    assert text["nodes"] == binary["nodes"] and text["accessors"] == binary["accessors"] and text["buffers"][0]["uri"].startswith("data:")


def test_a_vtkhdf_file_has_points_velocities_and_steps(tmp_path):
    h5py = pytest.importorskip("h5py")
    _, slider, result = crank(100.0)
    even = result.resample(0.05)
    even.export(tmp_path / "crank.vtkhdf")
    with h5py.File(tmp_path / "crank.vtkhdf") as file:
        root = file["VTKHDF"]
        assert root.attrs["Type"] == b"PolyData" and list(root.attrs["Version"]) == [2, 0] and root["Steps"].attrs["NSteps"] == 21
        n = int(root["NumberOfPoints"][0])
        assert root["Points"].shape == root["PointData/velocity"].shape == (21 * n, 3) and np.array_equal(root["Steps/Values"], even.time)
        names = [name.decode() for name in file["parts"]]
        cells = root["Polygons/Connectivity"][:].reshape(-1, 3)
        own = np.unique(cells[root["CellData/part"][:] == names.index("slider")])
        for i in (0, 7, 20):
            begin = int(root["Steps/PointOffsets"][i])
            assert root["Points"][begin : begin + n][own].mean(axis=0) == pytest.approx(even[slider.position][i], abs=1e-9)
            assert root["PointData/velocity"][begin : begin + n][own].mean(axis=0) == pytest.approx(even[slider.velocity][i], abs=1e-6)


def test_the_vtkhdf_file_of_a_pendulum_is_small(tmp_path):
    """Ten seconds of one rod: 10 MB before points were compressed and the ends of a capsule were half spheres."""
    h5py = pytest.importorskip("h5py")
    m = sl.Model()
    rod = m.rod((0, 0, 0), (1, 0, 0), mass=1)
    m.revolute(m.ground, rod, at=rod.start, axis="y")
    result = m.simulate(10.0)
    result.export(tmp_path / "pendulum.vtkhdf")
    assert (tmp_path / "pendulum.vtkhdf").stat().st_size < 2.5e6
    with h5py.File(tmp_path / "pendulum.vtkhdf") as file:
        root = file["VTKHDF"]
        n, k = int(root["NumberOfPoints"][0]), 300
        middle = root["Points"][k * n : (k + 1) * n].mean(axis=0)
        exact = result.at(root["Steps/Values"][k])[rod.position]
    assert middle == pytest.approx(exact, abs=1e-8)


def test_vtk_reads_the_file(tmp_path):
    h5py, hdf = pytest.importorskip("h5py"), pytest.importorskip("vtkmodules.vtkIOHDF")
    from vtkmodules.util.numpy_support import vtk_to_numpy

    *_, result = crank()
    result.resample(0.05).export(tmp_path / "crank.vtkhdf")
    reader = hdf.vtkHDFReader()
    reader.SetFileName(str(tmp_path / "crank.vtkhdf"))
    reader.SetStep(3)
    reader.Update()
    points = vtk_to_numpy(reader.GetOutputDataObject(0).GetPoints().GetData())
    assert reader.GetNumberOfSteps() == 21 and len(points) > 400
    with h5py.File(tmp_path / "crank.vtkhdf") as file:
        assert np.array_equal(points, file["VTKHDF/Points"][3 * len(points) : 4 * len(points)])


def test_what_has_no_place_is_not_animated(tmp_path):
    m = sl.Model()
    a = m.terminal()
    m.capacitor(a, m.ground, C=1e-6, voltage=10)
    m.resistor(a, m.ground, R=1e3)
    with pytest.raises(sl.ModelError, match="no body with a place.*csv"):
        m.simulate(1e-3).export(tmp_path / "circuit.glb")
    *_, result = crank()
    with pytest.raises(sl.ModelError, match="quantities beside .glb"):
        result.export(tmp_path / "crank.glb", "slider.position")


def test_a_static_result_and_a_spinning_top_are_drawn_too(tmp_path):
    m = sl.Model()
    m.fixed(m.ground, m.box(size=(1, 1, 1), mass=2))
    head, _ = of_glb(Path(m.static().export(tmp_path / "wall.glb")))
    assert "animations" not in head and len(head["meshes"]) == 1
    m = sl.Model(gravity=(0, 0, 0))
    m.cylinder(radius=0.5, length=0.1, mass=1, axis="z", angular_velocity=(0, 0, 100.0), name="wheel")
    head, arrays = of_glb(Path(m.simulate(1.0).export(tmp_path / "wheel.glb")))
    (sampler,) = head["animations"][0]["samplers"]
    assert len(arrays[sampler["input"]]) >= 16 * 16  # 16 turns, no two states more than a small part of one apart


# The command.


def test_the_command_writes_every_format_by_names(run, tmp_path):
    pytest.importorskip("pandas")
    *_, result = run
    result.save(tmp_path / "run.saltus")
    for ending in ("csv", "parquet", "mat", "h5"):
        done = saltus("export", tmp_path / "run.saltus", tmp_path / f"out.{ending}")
        assert done.code == 0, done.err
    head = next(csv.reader((tmp_path / "out.csv").open()))
    assert {"time [s]", *NAMES} <= set(head)
    done = saltus("export", tmp_path / "run.saltus", tmp_path / "few.csv", "--every", "0.25", "--quantity", "ball.position.x", "--quantity", "height")
    assert done.code == 0 and next(csv.reader((tmp_path / "few.csv").open())) == ["time [s]", "ball.position.x [m]", "height [m]"]
    assert len((tmp_path / "few.csv").read_text().splitlines()) == 6
    done = saltus("export", tmp_path / "run.saltus", tmp_path / "raw.csv", "--states")
    assert done.code == 0 and "y[0]" in next(csv.reader((tmp_path / "raw.csv").open()))
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "out.h5") as file:
        assert file["quantities/hinge.drive"].attrs["unit"] == "N m" and file["parameters"].attrs["L"] == 2.0
        assert file["quantities/ball.position"].shape == (1001, 3) and list(file["quantities/ball.position"].attrs["components"]) == ["x", "y", "z"]


def test_a_scene_of_more_states_than_it_holds_warns_and_one_at_chosen_times_has_them_all(tmp_path):
    m = sl.Model(gravity=(0, 0, 0))
    m.box(size=(1, 1, 1), mass=1, angular_velocity=(0, 0, 5), name="box")
    result = m.simulate(2.0, step=1e-3)
    with pytest.warns(sl.ModelWarning, match=r"export: the file holds 1500 of 2001 states, .*result.resample\(0.001\).export"):
        result.export(tmp_path / "box.glb")
    with warnings.catch_warnings():
        warnings.simplefilter("error", sl.ModelWarning)
        head, _ = of_glb(Path(result.resample(0.001).export(tmp_path / "all.glb")))
        m.simulate(1.4, step=1e-3).export(tmp_path / "few.glb")
    assert head["accessors"][head["animations"][0]["samplers"][0]["input"]]["count"] == 2001


def test_json_holds_every_digit_with_units(run, tmp_path):
    _, ball, _, result = run
    held = json.loads(Path(result.export(tmp_path / "run.json")).read_text())
    columns = {column["name"]: column for column in held["columns"]}
    assert held["columns"][0]["name"] == "time" and held["parameters"] == {"L": 2.0, "double": 4.0} and held["run"]["scheme"] == "moreau_jean"
    assert {name.split(" [")[0] for name in NAMES if not name.startswith("parameters")} <= set(columns) and columns["hinge.drive"]["unit"] == "N m"
    assert np.array_equal(columns["ball.position.x"]["values"], result[ball.position.x]) and np.array_equal(columns["time"]["values"], result.time)
    few = json.loads(Path(result.at([0.1, 0.2]).export(tmp_path / "two.json", ball.position.x)).read_text())
    assert [(c["name"], len(c["values"])) for c in few["columns"]] == [("time", 2), ("ball.position.x", 2)]


@pytest.mark.parametrize("ending, hint", [(".vtk", "ParaView opens .vtkhdf"), (".xlsx", "to_dataframe"), (".png", "to_png"), (".html", "to_html"), (".h5", "saltus export"), (".xyz", ".csv, .json"), ("", "which has none")])
def test_an_ending_without_format_says_what_does_it(run, tmp_path, ending, hint):
    with pytest.raises(sl.ModelError, match=hint):
        run[3].export(tmp_path / f"run{ending}")


def with_controller(m, ball):
    m.controller("-x", period=0.01, inputs={"x": ball.position.x}, outputs=[f"{m.force(ball, (0, 0, 0)).name}.force.x"])


def with_sensor(m, ball):
    m.sensor(ball.position.x, period=0.01)


def with_observer(m, ball):
    m.observer(([[0, 1], [0, 0]], [[0], [1]], [[1, 0]]), measured=[ball.position.x], period=0.01, poles=[-5, -6], inputs=[ball.position.y])


def with_a_rotor(m, ball):
    m.revolute(m.ground, ball, axis="z", armature=0.1, ratio=3, limits=(-1, 1), friction=0.1, stiffness=1)


def with_a_rail(m, ball):
    m.rail(m.ground, ball, curve=[(0, 0, 1), (1, 0, 0.8), (2, 1, 0.5), (3, 1, 0.6)], limits=(-1, 1), friction=0.1, stiffness=1)


@pytest.mark.parametrize("part", [with_controller, with_sensor, with_observer, with_a_rotor, with_a_rail], ids=lambda f: f.__name__)
def test_a_table_of_all_holds_whatever_the_model_has(part, tmp_path):
    m = sl.Model()
    ball = m.sphere(radius=0.1, mass=1, at=(0, 0, 1))
    part(m, ball)
    result = m.simulate(0.1)
    result.export(tmp_path / "all.csv")
    frame = result.to_dataframe()
    assert result.compare(result).equal
    assert not frame.isna().any().any()


def test_the_force_of_a_rail_passes_on_its_friction():
    m = sl.Model(gravity=(0, 0, 0))
    ball = m.point_mass(mass=1, velocity=(1, 0, 0))
    rail = m.rail(m.ground, ball, curve=[(-5, 0, 0), (0, 0, 0), (5, 0, 0)], friction=0.1)
    force = m.simulate(1.0)[rail.force]
    assert np.allclose(force, (-0.1, 0, 0), rtol=0, atol=1e-9)
