"""The table scheme x law x system: quick form, its promises, its command."""

import json
import re

import pytest

import saltus as sl
from saltus import _core
from saltus.verification import matrix

NONSMOOTH = ("moreau_jean", "event_driven", "nonsmooth_generalized_alpha")


@pytest.fixture(scope="module")
def cells():
    """One step a cell, of the systems that are quick."""
    return list(matrix.table(systems=["particles", "linear", "first order", "circuit"], quick=True))


def test_every_scheme_and_every_law_has_a_verdict(cells):
    assert {c.scheme for c in cells} == set(matrix.schemes())
    assert {c.law for c in cells} == {entry["name"] for entry in _core.items() if entry["family"] == "laws"}
    assert {c.verdict for c in cells} <= {"right", "out", "refused"}
    assert {(c.scheme, c.law, c.system) for c in cells if c.verdict == "out"} == set()


def test_more_than_nine_tenths_of_the_cells_with_a_meaning_are_right(cells):
    counted = matrix.meant(cells)
    assert sum(c.verdict == "right" for c in counted) >= 0.9 * len(counted)
    meant = [c for c in counted if c.system == "particles"]
    on_bodies = {(c.scheme, c.law) for c in meant if c.verdict == "right" and c.system == "particles"}
    every = {(s, entry["name"]) for s in ("moreau_jean", "nonsmooth_generalized_alpha", "d1_minus", "schatzman_paoli") for entry in matrix.laws() if entry["name"] != "hysteresis"}  # of a body that is the value of its row, which moreau_jean takes alone
    assert every - on_bodies == set()


def test_cells_without_a_meaning_are_refused_and_say_why(cells):
    why = matrix.without_meaning(cells)
    counted = {(c.scheme, c.law, c.system) for c in matrix.meant(cells)}
    for c in cells:
        key = (c.scheme, c.law, c.system)
        assert (key in why) != (key in counted)
        assert key not in why or (c.verdict == "refused" and re.fullmatch(r"\S.{20,}", why[key])), c
    assert "linear systems with constant coefficients" in why["zero_order_hold", "relay", "particles"]
    assert "smooth motion" in why["heun", "relay", "particles"]
    assert "acts on a rate" in why["moreau_jean", "newton_impact", "first order"]


def test_the_error_of_a_reference_by_steps_is_measured_by_twice_the_step(monkeypatch):
    monkeypatch.setattr(matrix, "FINE", 1e-3)
    matrix._reference_but.cache_clear()
    _, how, own = matrix._reference("particles", "newton_impact", 0.3, "event_driven")
    matrix._reference_but.cache_clear()
    assert "moreau_jean" in how and 1e-6 < own < 1e-2


def test_refusals_say_why_and_what_works(cells):
    names = "|".join((*_core.schemes(), *(c.law for c in cells), "law of [1-9] rows", "use index 2"))
    for c in cells:
        assert c.verdict != "refused" or re.search(names, c.reason.replace(c.scheme, "")), c


def test_the_schemes_have_their_order_before_the_first_event():
    orders = {scheme: matrix.cell(scheme, "coulomb_impact", "particles").order for scheme in NONSMOOTH}
    assert orders["moreau_jean"] == pytest.approx(2, abs=0.2)
    assert orders["nonsmooth_generalized_alpha"] == pytest.approx(2, abs=0.2)
    assert orders["event_driven"] is None or orders["event_driven"] > 3.5


def test_all_schemes_run_at_default_settings_and_so_does_no_scheme(cells):
    by = {(c.scheme, c.law, c.system): c for c in cells}
    for scheme in ("moreau_jean", "event_driven", "nonsmooth_generalized_alpha", "d1_minus", "automatic"):
        c = by[scheme, "coulomb_impact", "particles"]
        assert c.default_error is not None and c.default_error <= c.default_tolerance <= 2e-3
    assert by["automatic", "coulomb_impact", "particles"].error is None
    assert "automatic" in matrix.page(cells) and re.search(r"\| \de-\d\d / \de-\d\d \|", matrix.page(cells))


def test_contacts_of_trees_whose_masses_vary_are_of_second_order():
    """Forces of contacts over a step act by the mean of the mass matrix, and what turns with the joints follows them."""
    c = matrix.cell("nonsmooth_generalized_alpha", "complementarity", "tree", quick=True)
    assert c.verdict == "right" and c.default_error < 2e-5


def test_what_the_error_control_does_not_see_is_out(monkeypatch):
    entry = matrix._entry("coulomb_impact")
    run = matrix._at_default("automatic", entry, "particles")
    run.states = run.states + 2e-3 * run.extent
    monkeypatch.setattr(matrix, "_at_default", lambda *_: run)
    c = matrix.cell("automatic", "coulomb_impact", "particles", quick=True)
    assert c.verdict == "out" and c.reason.startswith("at default settings: error")


def test_a_wrong_state_is_out(monkeypatch):
    monkeypatch.setattr(matrix, "_reference", lambda *_: ((1.0,) * 6, "wrong", 0.0))
    assert matrix.cell("moreau_jean", "newton_impact", "particles", quick=True).verdict == "out"


def test_the_command_prints_a_list_of_cells_and_refuses_unknown_names(tmp_path):
    import subprocess
    import sys

    def run(*arguments):
        return subprocess.run([sys.executable, "-m", "saltus", "matrix", *arguments], capture_output=True, text=True, timeout=300)

    page = tmp_path / "matrix.md"
    done = run("--quick", "--json", "--system", "particles", "--law", "newton_impact", "--write", str(page))
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert len(found) == len(matrix.schemes()) and {"scheme", "law", "system", "verdict", "error", "tolerance", "order", "reason"} <= set(found[0])
    assert "## particles" in page.read_text() and "| newton_impact |" in page.read_text()
    wrong = run("--law", "newton")
    assert wrong.returncode == 2 and "newton: is no law of the table; it has" in wrong.stderr and "newton_impact" in wrong.stderr


def test_laws_of_impacts_have_no_meaning_on_first_order_states_in_any_scheme():
    m, _ = matrix.SYSTEMS["first order"](next(entry for entry in matrix.laws() if entry["name"] == "newton_impact"))
    for scheme in _core.schemes():
        with pytest.raises(sl.ModelError, match="`newton_impact` acts on a rate; this relation has none; use `complementarity` or `relay`"):
            m.simulate(0.1, step=1e-3, scheme=scheme)
