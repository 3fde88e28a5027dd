"""All solvers on one problem, and performance profiles."""

import json

import numpy as np
import pytest
from commands import saltus as run

from saltus import ModelError
from saltus.numerics import Lcp, compare, generate, profile, solvers, write_problem
from saltus.numerics.compare import PORTFOLIO, TAUS, compare_table


def test_every_solver_has_its_line_and_only_solved_ones_are_within_the_tolerance():
    problem = generate("wall", 20, 1)
    runs = compare(problem, 1e-8, flop_budget=200_000_000)
    assert [r.solver for r in runs] == [PORTFOLIO, *solvers()]
    for r in runs:
        assert (r.status == "solved") == (max(r.residual, r.scaled_residual) <= 1e-8), r
        assert r.status == "solved" or r.cause
        assert (r.status == "unsupported") == (not r.trace)
    assert {r.solver for r in runs if r.status == "unsupported"} >= {"newton_min", "projected_gradient", "conjugate_projected_gradient"}
    table = compare_table(runs)
    assert all(name in table for name in solvers()) and "takes" in table


def test_more_budget_is_not_worse():
    for r in compare(generate("packing", 60, 1), 1e-10, ["nsgs", "admm"], flop_budget=300_000_000):
        errors = [e for _, e in r.trace]
        assert len(errors) >= 2 and errors[-1] <= errors[0]


def test_an_unknown_solver_is_refused():
    with pytest.raises(ModelError, match="'magic' is not there"):
        compare(Lcp([[1.0]], [-1.0]), solver_names=["magic"])


@pytest.fixture
def folder(tmp_path):
    for k, (kind, size) in enumerate((("wall", 12), ("fathi", 10), ("unsolvable", 5), ("qp", 8))):
        write_problem(tmp_path / f"{k}_{kind}.h5", generate(kind, size, k))
    (tmp_path / "broken.h5").write_bytes(b"no file")
    return tmp_path


def test_a_profile_is_what_dolan_and_more_define(folder):
    found = profile(folder, 1e-8, [PORTFOLIO, "pivoting", "race"], flop_budget=200_000_000)
    assert found.problems == ["0_wall", "1_fathi", "2_unsolvable", "3_qp"] and list(found.skipped) == ["broken.h5"]
    times = np.array(found.times)
    assert np.all(np.isinf(times[2]))  # nobody solves what has no solution
    assert np.isinf(times[0, 1]) and np.isinf(times[3, 2])  # pivoting takes no cones, the friction solvers no box
    for k, name in enumerate(found.solvers):
        for tau, share in zip(TAUS, found.fractions[name]):
            within = [t[k] <= tau * t.min() for t in times if np.isfinite(t.min())]
            assert share == pytest.approx(sum(within) / 4)
        assert found.solved[name] == np.isfinite(times[:, k]).mean()
    fastest = sum(found.fractions[name][0] for name in found.solvers)
    assert fastest >= 0.75  # each problem that anybody solves has a fastest
    json.dumps(found.as_json(), allow_nan=False)


def test_an_empty_folder_is_refused(tmp_path):
    with pytest.raises(ModelError, match="holds no problem file"):
        profile(tmp_path)


def test_the_commands_print_tables_json_and_pictures(folder, tmp_path):
    plot = tmp_path / "compare.png"
    out = run("solve", folder / "0_wall.h5", "--compare", "--budget", "0.1", "--plot", plot)
    assert out.code == 0 and "portfolio" in out.out and plot.stat().st_size > 5000
    out = run("solve", folder / "0_wall.h5", "--compare", "--budget", "0.1", "--json", "--solver", "nsgs")
    assert json.loads(out.out)["solvers"][0]["solver"] == "nsgs"
    out = run("solve", folder / "2_unsolvable.h5", "--compare", "--budget", "0.1")
    assert out.code == 3 and "infeasible" in out.out
    out = run("profile", folder, "--solver", "portfolio", "--solver", "pivoting", "--budget", "0.1", "--plot", tmp_path / "p.svg", "--json")
    assert out.code == 0 and set(json.loads(out.out)["solved"]) == {"portfolio", "pivoting"}
    assert "<svg" in (tmp_path / "p.svg").read_text()
    out = run("profile", tmp_path / "nothing")
    assert out.code == 2 and "is no folder; saltus generate" in out.err + out.out
    out = run("generate", "vault", tmp_path / "vault.hdf5", "--size", "40", "--fclib")
    assert out.code == 0
    assert run("solve", tmp_path / "vault.hdf5").code == 0
    assert run("generate", "cathedral", tmp_path / "x.h5").code == 2
    assert "unsolvable" in run("generate", "list").out
