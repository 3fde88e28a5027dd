"""What contacts of groups did: points, gaps, forces, impulses, slip and state, by contact and by pair of bodies."""

import csv
import math
import warnings

import numpy as np
import pytest

import saltus as sl
from saltus import running

G = 9.81
SCHEMES = ["moreau_jean", "event_driven", "d1_minus", "schatzman_paoli", "nonsmooth_generalized_alpha"]


def stack(at=(0.0, 0.0), masses=(1.0, 2.0), friction=0.5):
    m = sl.Model()
    floor = m.plane(name="floor")
    low, high = (m.box(size=(0.2, 0.2, 0.2), mass=mass, at=(*at, 0.2 * i + 0.1), name=name) for i, (mass, name) in enumerate(zip(masses, ("low", "high"), strict=True)))
    pile = m.contact([floor, low, high], friction=friction, name="pile")
    return m, floor, low, high, pile


def slider(speed=2.0, mu=0.3, **more):
    m = sl.Model()
    floor = m.plane(name="floor")
    box = m.box(size=(0.2, 0.2, 0.2), mass=3.0, at=(0, 0, 0.1), velocity=(speed, 0, 0), name="box")
    m.contact([floor], [box], friction=mu, **more)
    return m, floor, box


@pytest.mark.parametrize("scheme", SCHEMES)
def test_at_rest_the_contacts_of_a_pair_carry_the_weight_above_them(scheme):
    m, floor, low, high, pile = stack()
    result = m.simulate(0.02, step=0.002, scheme=scheme)
    contacts = result.contacts(0.02)
    assert len(contacts) == 8 and set(contacts.group) == {"pile"} and set(contacts.state) == {"sticks"}
    on_low, on_high = contacts.between(floor, low), contacts.between("low", high)
    assert len(on_low) == len(on_high) == 4
    assert on_low.force.sum(axis=0) == pytest.approx([0, 0, 3 * G], abs=1e-6)
    assert on_high.force.sum(axis=0) == pytest.approx([0, 0, 2 * G], abs=1e-6)
    assert contacts.force.sum(axis=0) == pytest.approx(result[pile.force].last, abs=1e-9)
    assert on_low.normal == pytest.approx(np.tile([0, 0, 1.0], (4, 1)), abs=1e-9) and np.abs(on_low.gap).max() < 1e-7
    assert sorted(map(tuple, np.round(on_high.point, 6) + 0.0)) == [(x, y, 0.2) for x in (-0.1, 0.1) for y in (-0.1, 0.1)]
    turned = contacts.between(high, low)
    assert turned.force.sum(axis=0) == pytest.approx([0, 0, -2 * G], abs=1e-6) and set(turned.A) == {"high"}
    assert len(contacts.between(floor, high)) == 0


@pytest.mark.parametrize("restitution", [0.0, 0.5, 0.9])
@pytest.mark.parametrize("shape", ["box", "ball"])
def test_impulses_of_steps_of_any_length_balance_momentum(shape, restitution):
    m = sl.Model()
    floor = m.plane()
    body = m.box(size=(0.2, 0.2, 0.2), mass=1, at=(0, 0, 0.3)) if shape == "box" else m.sphere(radius=0.1, mass=1, at=(0, 0, 0.3))
    m.contact([floor], [body], restitution=restitution)
    m.force(body, (0, 0, "-3*t"))
    r = m.simulate(2.0)
    history, needed = r.contact_history(floor, body), G * 2.0 + 6.0 + r[body.velocity.z].last
    assert history.impulse.last == pytest.approx(needed, rel=1e-6)
    assert np.sum(history.force.values[1:, 2] * np.diff(r.time)) == pytest.approx(needed, rel=1e-6)


def test_impulses_of_forces_at_instants_are_their_sum_over_time():
    m = sl.Model()
    floor, body = m.plane(), m.box(size=(0.2, 0.2, 0.2), mass=1, at=(0, 0, 0.1))
    m.contact([floor], [body])
    m.force(body, (0, 0, "-10*t"))
    r = m.simulate(1.0, scheme="event_driven")
    assert r.contact_history(floor, body).impulse.last == pytest.approx(G + 5.0, rel=1e-6)


@pytest.mark.parametrize("at", [(0.0, 0.0), (1e3, -2e3)])
def test_of_a_pair_over_time_forces_impulse_and_state_are_summed(at):
    m, floor, low, _, _ = stack(at=at)
    result = m.simulate(0.5, step=0.005)
    history = result.contact_history(floor, low)
    table = history.to_dataframe()
    np.testing.assert_array_equal(table["normal_force [N]"], np.asarray(history.normal_force))
    assert list(table["state"]) == history.states
    assert history.force.last == pytest.approx([0, 0, 3 * G], abs=1e-5) and history.normal_force.last == pytest.approx(3 * G, abs=1e-5)
    assert history.points.last == 4 and history.states[-1] == "sticks" and history.states[0] == "open"
    assert history.impulse.last == pytest.approx(3 * G * 0.5, rel=1e-6)
    assert history.slip_speed.max() < 1e-8 and history.depth.max() < 1e-7 and history.force.unit == "N"
    back = result.contact_history("low", "floor")
    assert np.array_equal(back.force.values, -history.force.values) and np.array_equal(back.impulse.values, history.impulse.values)


@pytest.mark.parametrize("scheme", ["moreau_jean", "event_driven"])
def test_what_slides_has_its_slip_and_the_largest_friction(scheme):
    m, floor, box = slider()
    result = m.simulate(0.2, step=0.002, scheme=scheme)
    contacts = result.contacts(0.1)
    assert set(contacts.state) == {"slides"}
    assert contacts.slip == pytest.approx(np.tile(result.at(0.1)[box.velocity], (len(contacts), 1)), abs=1e-6)
    force = contacts.force.sum(axis=0)
    assert force == pytest.approx([-0.3 * 3 * G, 0, 3 * G], rel=1e-6, abs=1e-6)
    assert result.contact_history(floor, box).states[-1] == "slides"


def test_what_comes_to_rest_slides_and_then_sticks():
    m, floor, box = slider(speed=0.5)
    result = m.simulate(0.5, step=0.001)
    stops = 0.5 / (0.3 * G)
    assert set(result.contacts(0.9 * stops).state) == {"slides"} and set(result.contacts(1.1 * stops).state) == {"sticks"}


def test_without_friction_the_slip_is_reported_too():
    m, floor, box = slider(mu=0.0)
    result = m.simulate(0.1, step=0.002)
    contacts = result.contacts(0.1)
    assert contacts.slip == pytest.approx(np.tile([2.0, 0, 0], (len(contacts), 1)), abs=1e-9) and set(contacts.state) <= {"slides", "open"}


def test_an_impact_has_its_impulse():
    m = sl.Model()
    floor, ball = m.plane(name="floor"), m.sphere(radius=0.1, mass=2.0, at=(0, 0, 0.6), name="ball")
    m.contact([floor], [ball], restitution=0.5)
    result = m.simulate(0.5, step=1e-3)
    contacts = result.contacts()
    speed = math.sqrt(2 * G * 0.5)
    hit = contacts[np.argmax(contacts.impulse[:, 0])]
    assert hit.impulse[0] == pytest.approx([2.0 * 1.5 * speed, 0, 0], rel=2e-3)
    assert result.contact_history(floor, ball).impulse.last == pytest.approx(2.0 * 1.5 * speed, rel=2e-3)
    assert hit.impulse[0] == pytest.approx([result.events[0][3], 0, 0], rel=1e-12)
    (one,) = list(hit)
    assert (one.A, one.B, one.state) == ("floor", "ball", "sticks") and one.point == pytest.approx([0, 0, 0], abs=5e-3)


def test_the_gap_is_that_of_the_state():
    m = sl.Model()
    floor, ball = m.plane(name="floor"), m.sphere(radius=0.1, mass=2.0, at=(0, 0, 0.6), name="ball")
    m.contact([floor], [ball], restitution=0.5)
    result = m.simulate(0.5, step=1e-3)
    contacts = result.contacts()
    assert len(contacts) > 0
    assert contacts.gap == pytest.approx([result.at(t)[ball.position.z] - 0.1 for t in contacts.time], abs=1e-12)


def test_a_force_between_bodies_is_a_quantity_of_outputs_and_conditions():
    m, floor, low, high, _ = stack()
    on_high = m.contact_force(low, high, name="on_high")
    back = m.contact_force([high], [low, floor], name="back")
    m.outputs["push"] = on_high.force.z
    result = m.simulate(0.1, step=0.002)
    assert result.table["push"][0] == pytest.approx(2 * G, abs=1e-6) and result[on_high.points].last == 4
    assert result[back.force].last == pytest.approx([0, 0, -2 * G], abs=1e-6)
    history = result.contact_history(low, high)
    assert result[on_high.force].values[1:] == pytest.approx(history.force.values[1:], abs=1e-12)
    assert result[on_high.force].values[0] == pytest.approx([0, 0, 2 * G], abs=1e-6)  # the first state has no step of which it were the mean
    stopped = m.simulate(0.1, step=0.002, stop=on_high.force.z > 1.0)
    assert stopped.report["status"] == "stopped" and stopped.report["t"] == 0.0


def test_threads_files_and_going_on_change_no_bit(tmp_path):
    def rows(result):
        return result._recorded.contacts

    m, *_ = stack()
    whole = m.simulate(0.1, step=0.002, record=tmp_path / "run.result")
    assert len(rows(whole)) == 8 * 50 and rows(whole).itemsize * rows(whole).shape[1] < 500
    assert np.array_equal(rows(whole), rows(m.simulate(0.1, step=0.002, threads=2)))
    assert np.array_equal(rows(whole), rows(sl.load_result(tmp_path / "run.result")))
    whole.save(tmp_path / "saved.result")
    assert np.array_equal(rows(whole), rows(sl.load_result(tmp_path / "saved.result")))
    m.simulate(0.05, step=0.002, record=tmp_path / "half.result")
    gone_on = sl.resume(tmp_path / "half.result", until=0.1)
    assert np.array_equal(rows(whole), rows(gone_on))
    assert np.array_equal(rows(whole), rows(sl.load_result(tmp_path / "half.result")))


def test_a_thin_record_has_the_contacts_of_its_states():
    m, floor, low, _, _ = stack()
    result = m.simulate(0.1, step=0.002, record=0.01)
    assert len(result.time) == 11 and len(result.contacts()) == 80
    assert result.contacts(0.05).between(floor, low).force.sum(axis=0) == pytest.approx([0, 0, 3 * G], abs=1e-6)


def test_tables_hold_one_row_a_contact(tmp_path):
    m, *_ = stack()
    contacts = m.simulate(0.01, step=0.002).contacts()
    contacts.export(tmp_path / "contacts.csv")
    with open(tmp_path / "contacts.csv", newline="") as file:
        read = list(csv.DictReader(file))
    assert len(read) == len(contacts) == 40 and [row["state"] for row in read] == list(contacts.state)
    assert [float(row["impulse.n [N s]"]) for row in read] == list(contacts.impulse[:, 0])
    with pytest.raises(sl.ModelError, match="end it with .csv, .parquet or .vtkhdf"):
        contacts.export(tmp_path / "contacts.mat")


def test_data_frames_and_parquet_hold_them_too(tmp_path):
    m, *_ = stack()
    contacts = m.simulate(0.01, step=0.002).contacts()
    parquet = pytest.importorskip("pyarrow.parquet")
    contacts.export(tmp_path / "contacts.parquet")
    table = parquet.read_table(tmp_path / "contacts.parquet")
    assert table.num_rows == 40 and table["A"].to_pylist() == list(contacts.A) and table["force.z [N]"].to_pylist() == list(contacts.force[:, 2])
    pytest.importorskip("pandas")
    frame = contacts.to_dataframe()
    assert len(frame) == 40 and set(frame["B"]) == {"low", "high"}
    assert frame["force.z [N]"].to_numpy() == pytest.approx(contacts.force[:, 2])


def test_points_over_time_hold_them_for_other_programs(tmp_path):
    h5py = pytest.importorskip("h5py")
    m, floor, box = slider(speed=0.5)
    contacts = m.simulate(0.3, step=0.002).contacts()
    contacts.export(tmp_path / "contacts.vtkhdf")
    with h5py.File(tmp_path / "contacts.vtkhdf") as file:
        root = file["VTKHDF"]
        n, begin = root["NumberOfPoints"][:], root["Steps/PointOffsets"][:]
        assert n.sum() == len(contacts) == len(root["Points"]) and np.array_equal(begin, np.cumsum(n) - n)
        for k, t in enumerate(root["Steps/Values"][:]):
            rows = slice(begin[k], begin[k] + n[k])
            assert np.all(contacts.time[rows] == t) and np.array_equal(root["PointData/force"][rows], contacts.force[rows])
        assert root["Vertices/NumberOfCells"][:].sum() == len(contacts) and len(root["Vertices/Offsets"]) == len(contacts) + len(n)
        assert set(root["PointData/state"][:]) == {1, 2} and root["Steps"].attrs["NSteps"] == len(n)


def test_what_takes_too_much_is_left_out_with_a_word(monkeypatch):
    m, floor, low, _, _ = stack()
    monkeypatch.setattr(running, "CONTACTS_KEPT", 1000)
    with pytest.warns(sl.ModelWarning, match='ask for all of them: record=\\{"contacts": True\\}'):
        result = m.simulate(0.1, step=0.002)
    assert result.contacts(0.1).between(floor, low).force.sum(axis=0) == pytest.approx([0, 0, 3 * G], abs=1e-6)
    assert len(result.contacts()) < 400
    assert len(m.simulate(0.1, step=0.002, record={"contacts": True}).contacts()) == 400


def test_what_is_not_there_is_said():
    m, floor, low, high, _ = stack()
    result = m.simulate(0.01, step=0.002, record={"contacts": False})
    with pytest.raises(sl.ModelError, match='leave "contacts": False out'):
        result.contacts()
    result = m.simulate(0.01, step=0.002)
    with pytest.raises(sl.ModelError, match="is asked for 'hihg', which is in no contact of groups; .*high"):
        result.contact_history("hihg", low)
    with pytest.raises(sl.ModelError, match="the run is known from 0 s to 0.01 s"):
        result.contacts(0.5)
    with pytest.raises(sl.ModelError, match="simulation/record/contacts: is 'no', expected True or False"):
        m.simulate(0.01, step=0.002, record={"contacts": "no"})
    lone = sl.Model()
    lone.sphere(radius=0.1, mass=1.0)
    with pytest.raises(sl.ModelError, match="there is no contact of groups without stiffness in the model"):
        lone.simulate(0.01, step=0.002).contacts()


def test_shapes_that_overlap_at_the_start_are_named_with_their_depth():
    m = sl.Model()
    floor = m.plane(name="floor")
    a = m.box(size=(0.2, 0.2, 0.2), mass=1.0, at=(0, 0, 0.099), name="a")
    b = m.sphere(radius=0.1, mass=1.0, at=(0, 0, 0.27), name="b")
    far = m.sphere(radius=0.1, mass=1.0, at=(1, 0, 0.1), name="far")
    m.contact([floor, a, b, far], name="pile")
    with pytest.warns(sl.ModelWarning) as warned:
        m.simulate(0.001, step=0.0005)
    texts = [str(w.message) for w in warned]
    assert any("'a' and 'b' overlap at the start by 0.029 m" in text for text in texts)
    assert any("the shape of 'floor' and 'a' overlap at the start by 0.001 m" in text for text in texts)
    assert not any("'far'" in text for text in texts)


# Laws by pairs of materials.


def materials():
    m = sl.Model()
    floor = m.plane(name="floor")
    steel, rubber = (m.sphere(radius=0.1, mass=1.0, at=(x, 0, 0.6), name=name) for x, name in ((0.0, "ball"), (1.0, "tyre")))
    m.material(floor, name="stone")
    m.material([steel], name="steel")
    m.material(rubber, name="rubber")
    m.materials({("stone", "steel"): {"restitution": 0.8}, ("rubber", "stone"): {"restitution": 0.2, "friction": 0.9}, ("steel", "rubber"): {}})
    m.contact([floor, steel, rubber], law="materials", name="all")
    return m, floor, steel, rubber


def test_each_pair_of_materials_has_its_law_in_one_group(tmp_path):
    m, floor, steel, rubber = materials()
    result = m.simulate(0.6, step=1e-3)
    before = math.sqrt(2 * G * 0.5)
    touch = math.sqrt(2 * 0.5 / G)
    for ball, e in ((steel, 0.8), (rubber, 0.2)):
        assert result.at(touch + 0.02)[ball.velocity.z] == pytest.approx(e * before - G * 0.02, abs=0.02)
    m.save(tmp_path / "materials.json")
    again = sl.Model.load(tmp_path / "materials.json").simulate(0.6, step=1e-3)
    assert np.array_equal(again["ball.position"].values, result[steel.position].values)


def test_friction_of_materials_is_that_of_the_pair():
    m = sl.Model()
    floor = m.plane(name="floor")
    boxes = [m.box(size=(0.2, 0.2, 0.2), mass=1.0, at=(0, y, 0.1), velocity=(1, 0, 0), name=f"b{y}") for y in range(2)]
    stone = m.material(floor, name="stone")
    for box, mu in zip(boxes, (0.2, 0.4), strict=True):
        m.material_pair(stone, m.material(box), friction=mu)
    m.no_contact(boxes)
    m.contact([floor, *boxes], law="materials")
    result = m.simulate(0.1, step=1e-3)
    for box, mu in zip(boxes, (0.2, 0.4), strict=True):
        assert result[box.velocity.x].last == pytest.approx(1 - mu * G * 0.1, abs=1e-6)


def test_a_pair_without_a_law_is_named():
    m, floor, steel, rubber = materials()
    extra = m.sphere(radius=0.1, mass=1.0, at=(2, 0, 0.6), name="extra")
    m.material(extra, name="ice")
    m.contact([floor], [extra], law="materials", name="more")
    with pytest.raises(sl.ModelError, match="lets stone \\(the shape of 'floor', a plane\\) meet ice \\('extra', a sphere\\), a pair of materials without a law"):
        m.simulate(0.01)


@pytest.mark.parametrize(
    "wrong, message",
    [
        (lambda m, floor, ball: m.contact([floor], [ball], law="materials"), "has no law, and the shape of 'floor', a plane, has no material"),
        (lambda m, floor, ball: m.material_pair("floor", "ball"), "expected a material"),
        (lambda m, floor, ball: m.contact([floor], [ball], law="materials", friction=0.5), "beside a law"),
        (lambda m, floor, ball: [m.material(ball, name="a"), m.material([floor, ball], name="b"), m.contact([floor], [ball])], "has 'ball', a sphere, which is of a already"),
        (lambda m, floor, ball: [m.material(ball, name="a"), m.material_pair("a", "a"), m.material_pair("a", "a")], "which have a law already"),
    ],
)
def test_mistakes_with_materials_are_named(wrong, message):
    m = sl.Model()
    floor, ball = m.plane(name="floor"), m.sphere(radius=0.1, mass=1.0, at=(0, 0, 0.1), name="ball")
    with pytest.raises(sl.ModelError, match=message):
        wrong(m, floor, ball)
        m.simulate(0.01)


def test_pictures_have_the_forces_and_states_of_contacts():
    from saltus.view.container import unpacked
    from saltus.view.shows import scene

    m, _, box = slider(speed=0.5)
    result = m.simulate(0.3, step=0.002)
    head, arrays = unpacked(scene(result))
    for k, t in enumerate(arrays["t"]):
        begin, end = arrays["contact_points.begin"][arrays["contact_points.at"][k] :][:2]
        ends = result.contacts(t)
        assert arrays["contact_points.force"][begin:end] == pytest.approx(ends.force, rel=1e-6, abs=1e-6)
        assert ["open sticks slides".split()[i] for i in arrays["contact_points.state"][begin:end]] == list(ends.state)
    assert head["contact_points"]["most"] == 4


def test_a_contact_that_takes_no_law_beside_laws_of_materials_is_reported():
    m = sl.Model()
    floor, ball = m.plane(name="floor"), m.sphere(radius=0.1, mass=1, at=(0, 0, 0.1), name="ball")
    m.material_pair(m.material(floor), m.material(ball), friction=0.5)
    with pytest.warns(sl.ModelWarning, match='has neither friction nor restitution, and the model has laws of pairs of materials; write law="materials"'):
        m.contact([floor], [ball])
    with warnings.catch_warnings():  # which a law of zeros is not
        warnings.simplefilter("error")
        m.contact(floor, m.sphere(radius=0.1, mass=1, at=(1, 0, 0.1)), friction=0.0, restitution=0.0)


def test_contacts_that_open_within_a_step_in_which_bodies_are_parted_have_their_gap():
    m = sl.Model()
    pieces = [m.box(size=(0.02, 0.05, 0.1), mass=0.1, at=(0.05 * i, 0, 0.05)) for i in range(6)]
    m.contact([m.plane(), *pieces], friction=0.4)
    m.force(pieces[0].frame(at=(0, 0, 0.09)), ("2*(t < 0.1)", 0, 0))
    r = m.simulate(2.0)
    gaps = r.contacts().gap
    assert len(gaps) > 1000 and np.max(np.abs(gaps)) < 1e-3
