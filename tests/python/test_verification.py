"""The whole of `saltus verify` but for its heaviest runs: every case with its orders and invariants."""

import json

import pytest
from saltus.verification import Case, names, registry, run, waiting
from saltus.verification.page import page

WAITING = waiting()


@pytest.mark.parametrize("name", [name for name in names() if name not in WAITING])
def test_a_case_is_within_its_tolerances(name):
    rows = [row for row, _ in run(name)]
    assert rows
    wrong = [
        f"{row.quantity}: error {row.error:.2e} above {row.tolerance:.2e}; {row.note}" for row in rows if not row.ok
    ]
    assert not wrong


def test_every_case_runs_or_says_what_it_lacks():
    known = {f"{group}/{name}" for group in ("truth", "exudyn", "siconos") for name in registry._numbers(group)}
    assert known == {name for name in {*names(), *WAITING} if not name.startswith(("invariants/", "independent/", "ngspice/"))}
    assert all(WAITING.values())


def test_a_wrong_number_is_reported_and_not_ok():
    case = Case("truth/x", {"title": "x", "truth": {"a": 1.0, "v": [1.0, 2.0]}})
    assert case.check("a", 1.0 + 1e-9, 1e-8).ok
    assert not case.check("a", 1.0 + 1e-7, 1e-8).ok
    assert not case.check("a", float("nan"), 1e-8).ok
    assert not case.check("v", [1.0, float("nan")], 1.0).ok
    with pytest.raises(ValueError, match="shape"):
        case.check("v", [1.0], 1.0)


def test_an_order_too_low_is_not_ok():
    case = Case("truth/x", {"title": "x"})
    first, second = (case.order("x", lambda h, p=p: h**p, (0.1, 0.05, 0.025), 0.0, 2) for p in (1, 2))
    assert not first.ok and first.order == pytest.approx(1)
    assert second.ok and second.order == pytest.approx(2)
    assert not case.order("x", lambda h: float("nan"), (0.1, 0.05), 0.0, 2).ok


def test_the_page_names_what_is_out_of_tolerance_and_what_waits():
    rows = [row for row, _ in run("exudyn/sdm_1d", quick=True)]
    rows[0].ok = False
    text = page(rows, {"exudyn/thin_plate_eigen": "plates"})
    assert "## Out of tolerance" in text and "**OUT**" in text
    assert "| exudyn/thin_plate_eigen | Square Kirchhoff plate, all edge nodes hinged in position | plates |" in text


def test_the_command_prints_json_and_its_exit_code_tells(monkeypatch, capsys, tmp_path):
    from saltus.cli import application
    from typer.testing import CliRunner

    page_file = tmp_path / "verification.md"
    done = CliRunner().invoke(
        application(),
        ["verify", "--case", "sdm_1d", "--case", "thin_plate_eigen", "--quick", "--json", "--write", str(page_file)],
    )
    assert done.exit_code == 0, done.output
    table = json.loads(done.output)
    assert {row["case"] for row in table["rows"]} == {"exudyn/sdm_1d"} and all(row["ok"] for row in table["rows"])
    assert list(table["waiting"]) == ["exudyn/thin_plate_eigen"]
    assert "# Verification" in page_file.read_text()
