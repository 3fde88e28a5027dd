"""`simulate(start=...)`: a run goes on from where another one stood, bit for bit where nothing is changed."""

import math
from pathlib import Path

import numpy as np
import pytest

import saltus as sl
from saltus import _core
from saltus.items import ElastoplasticSpring, Mass1d, Node1d

ROOT = Path(__file__).resolve().parent.parent.parent
STEP = 2.0**-8


def pendulum():
    m = sl.Model()
    rod = m.rod(start=(0, 0, 0), end=(1, 0, 0), mass=1, name="rod")
    m.revolute(m.ground, rod, at=(0, 0, 0), axis="y", name="hinge", stiffness=2.0, damping=0.1)
    return m


def pile():
    m = sl.Model()
    floor = m.plane(name="floor")
    balls = [m.sphere(radius=0.1, mass=1, at=(0.01 * i, 0, 0.15 + 0.22 * i), velocity=(0.3, 0, 0), name=f"ball{i}") for i in range(3)]
    m.contact(floor, balls, friction=0.3, restitution=0.2)
    m.contact(balls, friction=0.3)
    return m


def plastic():
    m = sl.Model(gravity=(0, 0, 0))
    m.add(Node1d(velocity=4), name="x")
    m.add(Mass1d(node="x", mass=1), name="mass")
    m.add(ElastoplasticSpring(A="ground", B="x", stiffness=900, yield_force=30, hardening=0.1), name="spring")
    return m


SMOOTH = [name for name in _core.schemes() if name not in ("static", "exact_modal", "zero_order_hold")]  # the last two are for linear systems
def chain():
    return sl.Model.load(ROOT / "python/saltus/gallery/shared_node_chain.json")


CASES = [(chain, "dormand_prince"), (chain, "runge_kutta_4")]
CASES += [(make, scheme) for make in (pendulum, plastic) for scheme in SMOOTH] + [(pile, "moreau_jean")]


@pytest.mark.parametrize("make, scheme", CASES)
def test_two_halves_are_the_whole_bit_for_bit(make, scheme):
    whole = make().simulate(1.0, step=STEP, scheme=scheme)
    m = make()
    first = m.simulate(0.5, step=STEP, scheme=scheme)
    second = m.simulate(1.0, step=STEP, scheme=scheme, start=first)
    assert second.time[0] == 0.5 and second.time[-1] == 1.0
    half = int(np.flatnonzero(whole.time == 0.5)[0])
    for name in ("t", "y", "a", "lam", "data"):
        a, b = whole._recorded.arrays[name], second._recorded.arrays[name]
        assert np.array_equal(a[half:], b), name
        assert np.array_equal(a[: half + 1], first._recorded.arrays[name]), name
    assert whole._recorded.state == second._recorded.state


@pytest.mark.parametrize("end", [0.5, 0.9, 1.0, 1.1, 1.5])
def test_a_chain_of_coordinates_goes_on_from_anywhere(end):
    whole = chain().simulate(2.0, step=0.01, scheme="dormand_prince")
    m = chain()
    assert m.simulate(2.0, step=0.01, scheme="dormand_prince", start=m.simulate(end, step=0.01, scheme="dormand_prince"))._recorded.state == whole._recorded.state


def test_a_result_of_a_file_is_gone_on_with(tmp_path):
    whole = pile().simulate(1.0, step=STEP, scheme="moreau_jean")
    pile().simulate(0.5, step=STEP, scheme="moreau_jean", record=tmp_path / "half.saltus")
    first = sl.load_result(tmp_path / "half.saltus")
    second = first.model.simulate(1.0, step=STEP, scheme="moreau_jean", start=first)
    assert whole._recorded.state == second._recorded.state
    again = pile().simulate(1.0, step=STEP, scheme="moreau_jean", start=first)  # the program's model, which is the same
    assert whole._recorded.state == again._recorded.state


def test_reading_a_new_frame_in_between_changes_nothing():
    whole = pendulum().simulate(1.0, step=STEP, scheme="generalized_alpha")
    m = pendulum()
    first = m.simulate(0.5, step=STEP, scheme="generalized_alpha")
    first[m["rod"].frame((0.3, 0, 0)).position]
    second = m.simulate(1.0, step=STEP, scheme="generalized_alpha", start=first)
    assert np.array_equal(whole._recorded.arrays["y"][-1], second._recorded.arrays["y"][-1])


def test_with_error_control_it_goes_on_to_the_tolerance():
    whole = pendulum().simulate(2.0, tolerance=1e-9)
    m = pendulum()
    for scheme in ("dormand_prince", "generalized_alpha", "moreau_jean"):
        first = m.simulate(1.0, tolerance=1e-9)
        second = m.simulate(2.0, tolerance=1e-6, scheme=scheme, start=first)
        assert abs(second[m["hinge"].angle].last - whole["hinge.angle"].last) < 2e-5, scheme
        middle = m.simulate(2.0, tolerance=1e-9, start=(first, 0.37))
        assert middle.time[0] == 0.37
        assert abs(middle[m["hinge"].angle].last - whole["hinge.angle"].last) < 1e-6


def test_turns_are_counted_on():
    m = sl.Model(gravity=(0, 0, 0))
    disc = m.cylinder(radius=0.1, length=0.02, mass=1, axis="z", angular_velocity=(0, 0, 20.0))
    hinge = m.revolute(m.ground, disc, at=(0, 0, 0), axis="z")
    first = m.simulate(1.0)
    for start in (first, (first, 0.8)):
        assert math.isclose(m.simulate(2.0, start=start)[hinge.angle].last, 40.0, rel_tol=1e-9)
    assert math.isclose(m.simulate(2.0, start=first, scheme="generalized_alpha")[hinge.angle].last, 40.0, rel_tol=1e-6)


def test_a_field_may_change_in_between():
    m = sl.Model(gravity=(0, 0, 0))
    m.add(Node1d(coordinate=1.0), name="x")
    m.add(Mass1d(node="x", mass=1), name="mass")
    spring = m.add(sl.items.CoordinateSpringDamper(A="ground", B="x", stiffness=4.0), name="spring")
    first = m.simulate(0.5 * math.pi / 2.0, tolerance=1e-10)  # a quarter of a period: at 0 with speed -2
    spring.stiffness = 16.0
    second = m.simulate(0.25 * math.pi + 0.125 * math.pi, tolerance=1e-10, start=first)
    assert abs(second["x.coordinate"].last + 0.5) < 1e-8  # the amplitude is speed over frequency


def test_a_static_result_is_a_start_at_rest_at_time_0():
    m = sl.Model(gravity=(0, 0, 0))
    m.add(Node1d(), name="x")
    m.add(Mass1d(node="x", mass=2), name="mass")
    m.add(sl.items.CoordinateSpringDamper(A="ground", B="x", stiffness=100.0), name="spring")
    m.add(sl.items.CoordinateLoad(on="x", force=50.0), name="pull")
    result = m.simulate(1.0, start=m.static())
    assert result.time[0] == 0.0
    assert np.allclose(result["x.coordinate"].values, 0.5, rtol=0, atol=1e-9)


def test_a_controller_goes_on_where_it_was():
    samples = []

    def pid(t, q, v, kept):
        samples.append(t)
        return -4 * q - 3 * v - kept[0], (kept[0] + 0.1 * q,)

    def model():
        m = sl.Model(gravity=(0, 0, 0))
        m.add(Node1d(coordinate=1.0), name="x")
        m.add(Mass1d(node="x", mass=1), name="mass")
        m.add(sl.items.CoordinateLoad(on="x", force=0.0), name="u")
        m.controller(pid, period=0.1, inputs=[m["x"].coordinate, m["x"].rate], outputs=["u"], memory=(0,))
        return m

    whole = model().simulate(2.0, step=0.01, scheme="generalized_alpha")
    m = model()
    first = m.simulate(0.55, step=0.01, scheme="generalized_alpha")
    samples.clear()
    second = m.simulate(2.0, step=0.01, scheme="generalized_alpha", start=first)
    assert np.allclose(samples, np.arange(6, 21) * 0.1)  # none at 0.55
    assert abs(second["x.coordinate"].last - whole["x.coordinate"].last) < 1e-6


def test_each_part_may_start_the_next():
    whole = pendulum().simulate(1.0, step=0.01, scheme="moreau_jean")
    m, result = pendulum(), None
    for end in (0.1, 0.2, 0.5, 1.0):
        result = m.simulate(end, step=0.01, scheme="moreau_jean", start=result)
    assert np.allclose(result._recorded.arrays["y"][-1], whole._recorded.arrays["y"][-1], rtol=0, atol=1e-12)
    fresh = m.simulate(0.333, step=0.01, scheme="moreau_jean")  # a short last step
    on = m.simulate(0.6, step=0.01, scheme="dormand_prince", start=fresh)  # whose grid begins at 0.333
    assert np.allclose(on.time, 0.333 + 0.01 * np.arange(len(on.time)), rtol=0, atol=1e-2) and on.time[-1] == 0.6


def wrong_model():
    m = pendulum()
    first = m.simulate(0.1)
    m.sphere(radius=0.1, mass=1, name="more")
    m.simulate(0.2, start=first)


@pytest.mark.parametrize(
    "wrong, message",
    [
        (wrong_model, r"another model: .*more.* was not in it"),
        (lambda: pile().simulate(1.0, start=pendulum().simulate(0.1)), "another model"),
        (lambda: pendulum().simulate(0.1, start=pendulum().simulate(0.2)), "the run starts at 0.2 s"),
        (lambda: pendulum().simulate(1.0, start=(pendulum().simulate(0.2), 0.5)), "outside of the run"),
        (lambda: pendulum().simulate(1.0, start="half.saltus"), "expected a result"),
        (lambda: pendulum().simulate(1.0, scheme="static", start=pendulum().simulate(0.2)), "no start of a static run"),
    ],
)
def test_a_start_that_cannot_be_is_refused(wrong, message):
    with pytest.raises(sl.ModelError, match=message):
        wrong()


def killed(m, file, at, **run):
    """The file of a run that was killed just after a time: what stands in it from the last checkpoint on is there, but no end."""
    from saltus import running

    m._bind_controllers()
    last = None

    options = running.Options(until=1.0, **run)
    recorded, engine = running.prepare(m._engine, options)
    groups, contact_record, rows = bool(recorded.system.contact_names()[2]), running.ContactRecord(math.inf), 0
    writer = sl.ResultWriter(file, running.channels_of(recorded.system.sizes(), groups), model=recorded.model_text)
    writer.report(0.0, "options", "", **running._kind_of(recorded))

    def keep(*record):
        nonlocal last, rows
        (t, *_), (events, now, *contacts) = record, record[len(running.COLUMNS) :]
        blocks = dict(zip(running.COLUMNS, record))
        for kept in contacts:
            kept = contact_record.take(kept, rows, len(t))
            writer.append(t[kept[:, 0].astype(int) - rows], {"contact": kept}, series="contacts")
        rows += len(t)
        if len(t):
            writer.append(t, {name: blocks[name] for name in running.COLUMNS[1:]})
        for when, kind, item, value in events:
            writer.event(when, kind, item, value=value)
        if last is None and now > 0.5 * at:
            last = now
            writer.checkpoint(now, engine.state())
        return now < at

    engine.advance(keep, progress_interval=0.0, record_interval=options.interval or 0.0, record_all=options.interval is None, progress_steps=1)
    writer.flush()
    writer._connection.close()  # as a kill does: no end is written
    assert last is not None


@pytest.mark.parametrize("make, run", [
    (pile, {"scheme": "moreau_jean", "step": STEP}), (pile, {"scheme": "moreau_jean"}), (pendulum, {"scheme": "dormand_prince"}), (pendulum, {"scheme": "auto", "tolerance": 1e-8}),
    (plastic, {"scheme": "generalized_alpha"}), (pile, {"scheme": "moreau_jean", "step": STEP, "interval": 0.125}), (pendulum, {"scheme": "event_driven"}),
    (pendulum, {"scheme": "nonsmooth_generalized_alpha", "step": STEP}),
])  # fmt: skip
def test_a_run_that_was_killed_is_resumed_as_if_it_had_not_been(make, run, tmp_path):
    from saltus import running

    m = make()
    whole = running.run(m._engine, running.Options(until=1.0, **run), output=tmp_path / "whole.saltus")
    killed(make(), tmp_path / "part.saltus", 0.6, **run)
    assert sl.load_result(tmp_path / "part.saltus").time[-1] < 1.0
    result = sl.resume(tmp_path / "part.saltus")
    assert not (tmp_path / "part.saltus.part").exists()
    for one in (result._recorded, sl.load_result(tmp_path / "part.saltus")._recorded):
        for name in ("t", "y", "a", "lam", "data", "h"):
            assert np.array_equal(one.arrays[name], whole.arrays[name], equal_nan=True), name
        assert one.contacts is whole.contacts is None or np.array_equal(one.contacts, whole.contacts)
        assert one.state == whole.state
        assert [e[:3] for e in one.events] == [e[:3] for e in whole.events]
        assert one.report["steps"] == whole.report["steps"] and one.report["rejected"] == whole.report["rejected"]
        assert one.report["energy_start"] == pytest.approx(whole.report["energy_start"], rel=1e-12, abs=1e-12)


def test_a_finished_run_is_resumed_to_a_later_end(tmp_path):
    file, longer = tmp_path / "half.saltus", tmp_path / "whole.saltus"
    pendulum().simulate(0.5, step=STEP, scheme="generalized_alpha", record=file)
    whole = pendulum().simulate(1.0, step=STEP, scheme="generalized_alpha")
    result = sl.resume(file, until=1.0, output=longer)
    assert np.array_equal(result.time, whole.time) and result._recorded.state == whole._recorded.state
    assert sl.load_result(file).time[-1] == 0.5 and sl.load_result(longer).time[-1] == 1.0
    with pytest.raises(sl.ModelError, match="has come to 0.5 s"):
        sl.resume(file)
