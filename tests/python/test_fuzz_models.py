"""Mutated model files: `fuzz_models.py` beside this tries as many as one likes, here are a few hundred and those that once broke the rule."""

import sys

import fuzz_models
import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="workers are forked")


def test_no_mutated_file_crashes_hangs_or_raises_anything_but_a_model_error():
    assert list(fuzz_models.campaign(seed=2026, numbers=range(300))) == []


def test_a_file_is_made_from_its_number_and_the_seed_alone():
    texts = fuzz_models.base_texts()
    assert [fuzz_models.mutated(texts, 5, n) for n in range(40)] == [fuzz_models.mutated(texts, 5, n) for n in range(40)]
    assert len({fuzz_models.mutated(texts, 5, n) for n in range(40)}) > 35


@pytest.mark.parametrize("what, number", [("segfault", -1), ("hang", -2), ("raise", -3)])
def test_a_file_that_breaks_the_rule_is_found_and_the_next_ones_are_tried(monkeypatch, what, number):
    import os
    import signal

    def examine(data, file):
        if data != b"bad":
            return ""
        if what == "segfault":
            os.kill(os.getpid(), signal.SIGSEGV)
        while what == "hang":
            pass
        return "raised"

    monkeypatch.setattr(fuzz_models, "CPU_SECONDS", 0.2)
    monkeypatch.setattr(fuzz_models, "mutated", lambda texts, seed, n: b"bad" if n in (3, 7) else b"good")
    monkeypatch.setattr(fuzz_models, "examine", examine)
    found = list(fuzz_models.campaign(0, range(10)))
    assert [finding.number for finding in found] == [3, 7]
    assert {"segfault": "SIGSEGV", "hang": "did not come back", "raise": "raised"}[what] in found[0].what


# Text replaced in a base file: what was found by many thousand files, and is in no small sample.
BROKE = {
    "gravity beyond the range of velocities": ("incline_slip", '"gravity": [\n    -4.904999999999999,\n    0,', '"gravity": [\n    -4.904999999999999,\n    1e308,'),
    "a mass beyond the range of its momentum": ("rocking_block", '"mass": 1.0', '"mass": 1e16'),
    "a character of several bytes in a formula": ("machine", "-2*x", "-2*é"),
    "a list as option of a scheme": ("bouncing_ball", '"scheme": "moreau_jean"', '"scheme": {"name": "moreau_jean", "theta": [1]}'),
    "nothing as option of a scheme": ("bouncing_ball", '"scheme": "moreau_jean"', '"scheme": {"name": "moreau_jean", "theta": null}'),
}


@pytest.mark.parametrize("broke", BROKE)
def test_what_once_broke_the_rule_keeps_it(broke, monkeypatch):
    base, old, new = BROKE[broke]
    text = fuzz_models.base_texts()[base]
    assert old in text, text[:2000]
    monkeypatch.setattr(fuzz_models, "mutated", lambda *_: text.replace(old, new, 1).encode())
    assert list(fuzz_models.campaign(0, range(1))) == []
