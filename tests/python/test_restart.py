"""A checkpoint goes on bit for bit: 100 steps are 50 steps, a saved state, and 50 more, with every scheme."""

import json
from pathlib import Path

import numpy as np
import pytest
from commands import PENDULUM

import saltus as sl
from saltus import _core

ROOT = Path(__file__).resolve().parent.parent.parent
BALL = json.loads((ROOT / "python/saltus/gallery/bouncing_ball.json").read_text())
PLASTIC = {  # yields within the first half
    "saltus": 1,
    "nodes": {"x": {"type": "node_1d", "velocity": 4}},
    "bodies": {"mass": {"type": "mass_1d", "node": "x", "mass": 1}},
    "connectors": {"spring": {"type": "elastoplastic_spring", "A": "ground", "B": "x", "stiffness": 900, "yield_force": 30, "hardening": 0.1}},
}


def model_of(kind: str) -> _core.Model:
    if kind == "plastic":
        return _core.Model.parse(json.dumps(PLASTIC))
    if kind == "impact":  # hits the floor within the first half and the second
        ball = json.loads(json.dumps(BALL))
        ball["nodes"]["n"]["position"] = [0, 0, 0.01]
        return _core.Model.parse(json.dumps(ball))
    return _core.Model.parse(json.dumps(PENDULUM))


def run_of(system, scheme, until, step):
    tolerance = {"moreau_jean": 1e-3, "dormand_prince": 1e-10}.get(scheme, 1e-7)  # more than the 16 steps of a chunk
    return _core.Run(system, scheme=scheme, until=until, step=step, tolerance=tolerance, error_control=step is None)


CASES = [(scheme, kind) for scheme in _core.schemes() if scheme not in ("exact_modal", "zero_order_hold") for kind in ("smooth", "plastic")]
CASES += [(scheme, "impact") for scheme in ("moreau_jean", "euler_moreau") if scheme in _core.schemes()]


@pytest.mark.parametrize("scheme, kind", CASES)
def test_a_run_that_was_saved_and_loaded_goes_on_bit_for_bit(scheme, kind):
    system = model_of(kind).compile()
    step = 2.0**-9  # exact sums of steps: both runs end at the same time
    whole = run_of(system, scheme, 100 * step, step)
    states = []

    def keep(t, y, *rest):
        states.extend(y.copy())
        return True

    assert whole.advance(keep)["status"] == "done"
    if whole.is_static:
        pytest.skip("a static scheme has load steps only")
    assert len(states) == 101
    first = run_of(system, scheme, 50 * step, step)
    first.advance(None)
    saved = first.state()
    second = run_of(system, scheme, 100 * step, step)  # new workspace, nothing but the bytes
    second.load_state(saved)
    rest = []

    def keep_rest(t, y, *others):
        rest.extend(y.copy())
        return True

    report = second.advance(keep_rest)
    assert report["status"] == "done" and report["steps"] == 50
    assert np.array_equal(np.array(rest), np.array(states[51:]))
    assert second.state() == whole.state()
    assert max(np.ptp(np.array(states), axis=0)[:3]) > 1e-4  # it moved


CONTROLLED = [(scheme, "smooth") for scheme in _core.schemes() if scheme not in ("exact_modal", "schatzman_paoli", "zero_order_hold")]
CONTROLLED += [(scheme, "impact") for scheme in ("moreau_jean", "d1_minus", "event_driven", "nonsmooth_generalized_alpha")]


@pytest.mark.parametrize("scheme, kind", CONTROLLED)
def test_a_controlled_step_goes_on_bit_for_bit(scheme, kind):
    system = model_of(kind).compile()
    run = run_of(system, scheme, 0.5, None)
    if run.is_static:
        pytest.skip("a static scheme has load steps only")
    run.advance(lambda *block: False, progress_interval=0.0, progress_steps=2)  # stops after its first chunk
    saved = run.state()
    run.advance(None)
    other = run_of(system, scheme, 0.5, None)
    other.load_state(saved)
    other.advance(None)
    assert other.state() == run.state() and saved != run.state()


def test_a_state_of_another_model_is_refused():
    run = run_of(model_of("smooth").compile(), "generalized_alpha", 1.0, 0.01)
    with pytest.raises(Exception, match="checkpoint: holds 8 bytes"):
        run.load_state(b"12345678")


def test_a_damaged_state_is_refused_and_the_run_keeps_its_own():
    run = run_of(model_of("smooth").compile(), "runge_kutta_4", 0.1, 0.01)
    before = run.state()
    with pytest.raises(sl.ModelError, match="not finite"):
        run.load_state(b"\xff" * len(before))
    assert run.state() == before
