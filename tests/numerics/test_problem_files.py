"""Each problem file is solved to 1e-8, judged by a checker that shares no code with the solvers."""

import time
from pathlib import Path

import check
import h5py
import numpy as np
import pytest

from saltus.numerics import cli_solve, read_problem, solve_file

FILES = sorted((Path(__file__).parent.parent / "data" / "numerics").glob("*.h5"))


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_file_is_solved_by_the_checker(path, tmp_path):
    report = solve_file(path, 1e-8, None, tmp_path / "out.h5")
    assert set(report) == {
        "status", "cause", "not_unique", "rank_deficient", "residual", "scaled_residual", "velocity_residual", "siconos_error",
        "worst_block", "worst_block_fit", "islands", "iterations", "flops", "time_s", "solver",
    }  # fmt: skip
    assert report["status"] == "solved", report
    assert report["residual"] <= 1e-8 and report["scaled_residual"] <= 1e-8
    with h5py.File(tmp_path / "out.h5") as found:
        solution = {name: found[name][...] for name in found}
    residual = check.residual(path, solution)
    assert residual <= 1.01e-8
    # The two measures are one formula; round-off apart they agree.
    assert residual == pytest.approx(report["residual"], rel=1e-3, abs=1e-12)


LARGE = ("deltasigma", "diodeBridge40")  # 221 and 61 unknowns; the limit is for less than 40


@pytest.mark.parametrize(
    "path", [p for p in FILES if p.stem.startswith("MLCP") and not any(n in p.stem for n in LARGE)], ids=lambda p: p.stem
)
def test_small_mlcp_takes_less_than_a_millisecond(path):
    problem = read_problem(path).problem
    assert problem.b.size < 40
    repeat = 100
    start = time.process_time()
    for _ in range(repeat):
        assert problem.solve().solved
    assert (time.process_time() - start) / repeat < 1e-3  # with Python's part


def rectangular(path, M, q, blocks, flags):
    with h5py.File(path, "w") as file:
        file.attrs["type"] = "MLCP"
        group = file.create_group("M")
        M = np.asarray(M, dtype=float)
        group.attrs["shape"] = M.shape
        group["indptr"] = np.arange(M.shape[0] + 1) * M.shape[1]
        group["indices"] = np.tile(np.arange(M.shape[1]), M.shape[0])
        group["data"] = M.ravel()
        file["q"], file["blocks"], file["is_complementarity"] = q, blocks, flags


def test_rectangular_mlcp_with_more_equations_than_free_unknowns(tmp_path):
    # x + 2 z = 3 and 2 x + 4 z = 6 (twice the first), w = x - z - 0 >= 0 complementary to z: z = x = 1, or z = 0, x = 3.
    rectangular(tmp_path / "p.h5", [[1, 2], [2, 4], [1, -1]], [-3.0, -6.0, 0.0], [0, 2, 3], [0, 1])
    report = solve_file(tmp_path / "p.h5", 1e-10, None, tmp_path / "out.h5")
    assert report["status"] == "solved"
    with h5py.File(tmp_path / "out.h5") as found:
        assert found["z"].shape == (2,) and found["w"].shape == (3,)
        assert check.residual(tmp_path / "p.h5", {"z": found["z"][...]}) < 1e-12


def test_rectangular_mlcp_with_contradicting_equations_is_infeasible(tmp_path):
    rectangular(tmp_path / "p.h5", [[1, 2], [1, 2], [1, -1]], [-3.0, -4.0, 0.0], [0, 2, 3], [0, 1])
    report, code = cli_solve(tmp_path / "p.h5")
    assert report["status"] == "infeasible" and code == 3


def test_rectangular_mlcp_with_free_unknowns_to_spare(tmp_path):
    rectangular(tmp_path / "p.h5", [[1, 1, 2], [1, 0, -1]], [-3.0, 0.5], [0, 1, 2], [0, 1])
    report = solve_file(tmp_path / "p.h5", 1e-10, None, tmp_path / "out.h5")
    assert report["status"] == "solved"
    with h5py.File(tmp_path / "out.h5") as found:
        assert check.residual(tmp_path / "p.h5", {"z": found["z"][...]}) < 1e-12


# --- bad files -------------------------------------------------------------------------------------------------------


def refused(path, *words):
    report, code = cli_solve(path)
    assert code == 2 and report["status"] == "model_error", report
    text = "\n".join(report["messages"])
    for word in words:
        assert word in text, text


@pytest.fixture
def lcp(tmp_path):
    path = tmp_path / "lcp.h5"
    with h5py.File(path, "w") as file:
        file.attrs["type"] = "LCP"
        group = file.create_group("M")
        group.attrs["shape"] = (2, 2)
        group["indptr"], group["indices"], group["data"] = [0, 2, 4], [0, 1, 0, 1], [2.0, 1.0, 1.0, 2.0]
        file["q"] = [-5.0, -6.0]
    assert cli_solve(path)[1] == 0
    return path


def test_truncated_file_is_refused(lcp):
    lcp.write_bytes(lcp.read_bytes()[: lcp.stat().st_size // 2])
    refused(lcp, "lcp.h5", "no readable HDF5")


def test_missing_file_is_refused(tmp_path):
    refused(tmp_path / "none.h5", "is not there")


def test_nan_in_matrix_and_vector_are_refused(lcp):
    with h5py.File(lcp, "a") as file:
        file["M/data"][1] = np.nan
    refused(lcp, "M/data", "not finite")
    with h5py.File(lcp, "a") as file:
        file["M/data"][1] = 1.0
        file["q"][0] = np.inf
    refused(lcp, "b: entry 0")


def test_wrong_sizes_are_refused_with_both(lcp):
    with h5py.File(lcp, "a") as file:
        del file["q"]
        file["q"] = [1.0, 2.0, 3.0]
    refused(lcp, "2 x 2", "3 x 3")


def test_indices_outside_are_refused(lcp):
    with h5py.File(lcp, "a") as file:
        file["M/indices"][0] = 7
    refused(lcp, "M/indices")


def test_several_faults_are_named_at_once(lcp):
    with h5py.File(lcp, "a") as file:
        del file["q"], file["M/indices"]
    refused(lcp, "q: is missing", "M/indices: is missing")


def test_a_claim_of_8_terabytes_is_refused_without_allocation(lcp):
    with h5py.File(lcp, "a") as file:
        del file["q"]
        file.create_dataset("q", shape=(10**12,), dtype="f8", chunks=(1024,))
    refused(lcp, "q: claims 1000000000000 entries")


def test_unknown_type_and_negative_friction_are_refused(lcp, data, tmp_path):
    with h5py.File(lcp, "a") as file:
        file.attrs["type"] = "FC4D"
    refused(lcp, "FC4D", "must be one of")
    copy = tmp_path / "fc.h5"
    copy.write_bytes((data / "FC3D_Example1_SBM.h5").read_bytes())
    with h5py.File(copy, "a") as file:
        file["mu"][1] = -0.1
    refused(copy, "blocks/1", "friction is -0.1")


def test_unknown_solver_is_refused(lcp):
    report, code = cli_solve(lcp, solver="magic")
    assert code == 2 and "pivoting" in report["messages"][0]
