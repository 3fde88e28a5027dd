"""How states of a run come to Python: in whole blocks, none lost, none twice."""

import os
import stat

import numpy as np
import pytest

import saltus as sl
from saltus import _core
from saltus.running import Options
from saltus.step_check import coarse_step

BALL = """{"saltus": 1, "nodes": {"n": {"type": "node_1d", "coordinate": 1}}, "bodies": {"m": {"type": "mass_1d", "node": "n", "mass": 1}},
  "loads": {"g": {"type": "coordinate_load", "on": "n", "force": -9.81}},
  "relations": {"floor": {"type": "coordinate_gap", "on": "n", "law": {"type": "newton_impact", "restitution": 0.9}}}}"""


def blocks(run, **options):
    """All blocks that a run hands over, by column, and their number."""
    taken = []
    report = run.advance(lambda *block: taken.append(block[:8]), **options)
    assert report["status"] == "done"
    return [np.concatenate([block[k] for block in taken]) for k in range(8)], len(taken)


def new_run(step, until, scheme="moreau_jean"):
    system = _core.Model.parse(BALL).compile()
    return _core.Run(system, scheme=scheme, until=until, step=step, error_control=step is None)


def test_blocks_of_a_few_steps_hold_what_one_block_holds():
    whole, one = blocks(new_run(1e-3, 5.0), progress_interval=100.0)
    parts, many = blocks(new_run(1e-3, 5.0), progress_interval=0.0, progress_steps=7)
    assert one == 1 and many > 700
    assert len(whole[0]) == 5001
    for a, b in zip(whole, parts, strict=True):
        np.testing.assert_array_equal(a, b)
    np.testing.assert_allclose(whole[0], 1e-3 * np.arange(5001), rtol=1e-15, atol=1e-15)  # on the grid, without a drift of the sum


def test_a_run_of_unknown_length_grows_its_block():
    (t, y, a, lam, data, h, iterations, residuals), number = blocks(new_run(None, 6.0), progress_interval=100.0)
    assert number == 1 and len(t) > 64  # more than the first block has room for
    assert np.all(np.diff(t) > 0) and t[-1] == 6.0
    assert y.shape == (len(t), 3) and a.shape == lam.shape == (len(t), 1) and data.shape == (len(t), 0) and residuals.shape == (len(t), 3)
    assert np.isfinite(y).all() and h.shape == iterations.shape == t.shape


def test_a_run_that_nobody_listens_to_ends():
    run = new_run(1e-4, 10.0)
    assert run.advance(None, progress_interval=0.0, progress_steps=1)["steps"] == 100_000


def test_recorded_arrays_are_whole_and_writable():
    result = sl.Model.parse(BALL).simulate(2.0, step=1e-3)
    y = result._recorded.arrays["y"]
    assert y.flags.c_contiguous and y.flags.writeable
    height = result["n.coordinate"]
    assert height.shape == (2001,) and float(height.min()) >= -1e-2


def test_the_check_of_the_step_leaves_the_result_alone(recwarn):
    model = sl.Model.parse(BALL)
    result = model.simulate(0.3, step=1e-3)
    before = {name: array.copy() for name, array in result._recorded.arrays.items()}
    assert coarse_step(model._engine, Options(until=0.3, step=1e-3, scheme="moreau_jean"), result._recorded) is None
    for name, array in result._recorded.arrays.items():
        np.testing.assert_array_equal(array, before[name])
    assert not recwarn.list


def test_a_coarse_step_is_reported():
    oscillator = """{"saltus": 1, "nodes": {"n": {"type": "node_1d", "displacement": 1}}, "bodies": {"m": {"type": "mass_1d", "node": "n", "mass": 1}},
      "connectors": {"k": {"type": "coordinate_spring_damper", "A": "ground", "B": "n", "stiffness": 1e4}}}"""
    with pytest.warns(sl.ModelWarning, match="is coarse: the error within"):
        sl.Model.parse(oscillator).simulate(1.0, step=1e-2, scheme="moreau_jean")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no full device here")
def test_a_full_disk_is_reported_and_devices_and_links_stay_what_they_are(tmp_path):
    m = sl.Model()
    ball = m.sphere(radius=0.1, mass=1)
    result = m.simulate(0.01)
    link = tmp_path / "model.json"
    link.symlink_to("/dev/full")
    for write in (
        lambda: m.save(link),
        lambda: result.save("/dev/full"),
        lambda: m.simulate(0.01, record="/dev/full"),
        lambda: result.to_html("/dev/full"),
        lambda: result.plot(ball.position, file="/dev/full"),
    ):
        with pytest.raises(sl.ModelError, match="cannot be written|is not replaced"):
            write()
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode) and link.is_symlink()
    with pytest.raises(sl.ModelError, match="ending .qqq"):
        result.plot(ball.position, file=tmp_path / "x.qqq")


def test_a_model_saved_through_a_link_goes_to_its_target(tmp_path):
    m = sl.Model()
    m.sphere(radius=0.1, mass=1)
    (tmp_path / "link.json").symlink_to(tmp_path / "model.json")
    (tmp_path / "model.json").write_text("old")
    m.save(tmp_path / "link.json")
    assert (tmp_path / "link.json").is_symlink()
    assert len(sl.Model.load(tmp_path / "model.json")) == 1
