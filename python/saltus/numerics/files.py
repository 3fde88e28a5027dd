"""Problem files: HDF5 with attributes `type`, `n`, ... and matrices as compressed rows (groups with attribute `shape`)."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from saltus.errors import Fault, ModelError, missing_extra, unwritten
from saltus.numerics import fclib
from saltus.numerics.blocks import block_fit
from saltus.numerics.problems import (
    Block,
    FrictionProblem,
    Lcp,
    MixedProblem,
    Mlcp,
    Problem,
    Relay,
    RollingFrictionProblem,
    Solution,
)

PROBLEMS = "saltus generate KIND FILE.h5 writes a problem, saltus run MODEL --dump FOLDER those of a run"
_MOST_BYTES = 16 * 2**30
_GMP_BLOCKS = {0: "half_line", 2: "equality", 3: "coulomb_2d", 4: "coulomb_3d"}


@dataclass
class ProblemFile:
    """A problem and how its file calls the unknowns; `unknowns` and `rows` cut what squaring a rectangular MLCP added."""

    problem: Problem
    type: str
    complementarity: bool
    unknowns: np.ndarray | None = None
    rows: np.ndarray | None = None
    stored: dict[str, np.ndarray] | None = None  # of FCLIB: v, u, r, l of the file's own solution


class _Reader:
    """Reads what it is asked for and collects faults; nothing larger than the file can hold is allocated."""

    def __init__(self, file: Any, path: Path):
        self.file, self.path, self.faults = file, str(path), []
        self.most = min(_MOST_BYTES, 100 * os.path.getsize(path) + 2**20)

    def fault(self, path: str, message: str, remedy: str = "") -> None:
        self.faults.append(Fault(path, message, remedy, file=self.path))

    def stop(self) -> None:
        if self.faults:
            raise ModelError(self.faults)

    def vector(self, name: str, dtype: type = np.float64, optional: bool = False) -> np.ndarray:
        import h5py

        node = self.file.get(name)
        if not isinstance(node, h5py.Dataset):
            if not optional:
                self.fault(name, "is missing" if node is None else "must be a data set")
            return np.zeros(0, dtype)
        if node.ndim != 1:
            self.fault(name, f"has shape {node.shape}, must be one-dimensional")
        elif node.dtype.kind not in "iuf" or (dtype is np.int64 and node.dtype.kind == "f"):
            self.fault(name, f"holds {node.dtype}, must hold {'integers' if dtype is np.int64 else 'numbers'}")
        elif node.size * max(node.dtype.itemsize, 8) > self.most:
            self.fault(name, f"claims {node.size} entries, more than the file can hold")
        else:
            try:
                return np.ascontiguousarray(node[...], dtype=dtype)
            except OSError as error:
                self.fault(name, f"cannot be read ({error})")
        return np.zeros(0, dtype)

    def matrix(self, name: str) -> Any:
        import h5py
        import scipy.sparse as sparse

        group = self.file.get(name)
        if not isinstance(group, h5py.Group):
            self.fault(name, "is missing" if group is None else "must be a group of indptr, indices and data")
            return None
        try:
            rows, cols = (int(x) for x in group.attrs["shape"])
        except (KeyError, TypeError, ValueError):
            self.fault(name, "has no attribute `shape` of two integers")
            return None
        before = len(self.faults)
        indptr, indices = self.vector(f"{name}/indptr", np.int64), self.vector(f"{name}/indices", np.int64)
        data = self.vector(f"{name}/data")
        if len(self.faults) > before:
            return None
        if rows < 0 or cols < 0 or max(rows, cols) > 100_000_000 or indptr.size != rows + 1:
            self.fault(name, f"has shape {rows} x {cols} and {indptr.size} row pointers", "indptr has rows + 1 entries")
        elif indices.size != data.size:
            self.fault(name, f"has {indices.size} indices and {data.size} data")
        elif indptr[0] != 0 or indptr[-1] != data.size or np.any(np.diff(indptr) < 0):
            self.fault(f"{name}/indptr", "must rise from 0 to the number of entries")
        elif data.size and (indices.min() < 0 or indices.max() >= cols):
            self.fault(f"{name}/indices", f"must stay within 0 and {cols - 1}")
        elif not np.all(np.isfinite(data)):
            self.fault(f"{name}/data", f"entry {int(np.argmin(np.isfinite(data)))} is not finite")
        else:
            return sparse.csr_array((data, indices, indptr), shape=(rows, cols))
        return None


def read_problem(path: str | os.PathLike) -> ProblemFile:
    """Reads LCP, MLCP (also rectangular), RELAY, GMP, FC2D, FC3D, GFC2D, GFC3D, RFC2D, RFC3D, GRFC2D, GRFC3D, MIXED (what
    `write_problem` writes) and files of FCLIB (see `saltus.numerics.fclib`).

    Raises ModelError with all faults: not HDF5, truncated, sizes that do not fit, NaN, data sets larger than the file."""
    try:
        import h5py
        import scipy.sparse  # noqa: F401
    except ImportError:
        raise missing_extra("reading problem files", "numerics") from None
    path = Path(path)
    if not path.is_file():
        raise ModelError(Fault("", "is not there", PROBLEMS, str(path)))
    try:
        with h5py.File(path, "r") as file:
            reader = _Reader(file, path)
            if any(group in file for group in fclib.GROUPS):
                problem, kind, stored = fclib.problem_in(reader)
                return ProblemFile(problem, kind, False, stored=stored or None)
            kind = file.attrs.get("type")
            kind = kind.decode(errors="replace") if isinstance(kind, bytes) else kind
            if not isinstance(kind, str):
                reader.fault("type", "is missing", "the file needs a text attribute `type` (LCP, FC3D, ...)")
                reader.stop()
            return _problem_of(reader, kind)
    except (OSError, RuntimeError, KeyError, ValueError) as error:
        raise ModelError(Fault("", f"is no readable HDF5 file ({error})", PROBLEMS, str(path))) from None


def _problem_of(reader: _Reader, kind: str) -> ProblemFile:
    known = ("LCP", "MLCP", "RELAY", "GMP", "MIXED")
    contacts = [f"{g}{f}{d}D" for g in ("", "G") for f in ("FC", "RFC") for d in (2, 3)]
    if kind not in (*known, *contacts):
        reader.fault("type", f"is {kind!r}", f"must be one of {', '.join((*known, *contacts))}")
        reader.stop()
    if kind == "MIXED":
        return _mixed(reader)
    M, q = reader.matrix("M"), reader.vector("q")
    try:
        if kind == "LCP":
            reader.stop()
            return ProblemFile(Lcp(M, q), kind, True)
        if kind == "MLCP":
            return _mlcp(reader, M, q)
        if kind == "RELAY":
            low, high = reader.vector("lb"), reader.vector("ub")
            reader.stop()
            return ProblemFile(Relay(M, q, low, high), kind, True)
        if kind == "GMP":
            return _generic(reader, M, q)
        return _contacts(reader, kind, M, q)
    except ModelError as error:
        raise ModelError([_placed(f, reader.path) for f in error.faults]) from None


def _placed(fault: Fault, file: str) -> Fault:
    return fault if fault.file else Fault(fault.path, fault.message, fault.remedy, file, severity=fault.severity)


def _mlcp(reader: _Reader, M: Any, q: np.ndarray) -> ProblemFile:
    """Rows and columns outside of the complementary ones need not be as many: a column of zeros is a free unknown without
    influence, a row of zeros an equation that always holds."""
    import scipy.sparse as sparse

    edges, flags = reader.vector("blocks", np.int64), reader.vector("is_complementarity", np.int64)
    reader.stop()
    rows, cols = M.shape
    if q.size != rows:
        reader.fault("q", f"has {q.size} entries, M has {rows} rows")
    if edges.size != flags.size + 1 or edges[:1].tolist() != [0] or edges[-1:].tolist() != [rows] or np.any(np.diff(edges) < 0):
        reader.fault("blocks", f"is {edges.tolist()[:8]}, must rise from 0 to {rows} with one edge more than is_complementarity")
    reader.stop()
    complementary = np.repeat(flags != 0, np.diff(edges))
    pairs = int(complementary.sum())
    if rows == cols:
        return ProblemFile(Mlcp(M, q, complementary), "MLCP", True)
    if pairs > cols:
        reader.fault("M", f"has {pairs} complementary rows and only {cols} columns")
        reader.stop()
    # The last columns are the complementary ones: equations first, pairs last, zeros between.
    free, equations = cols - pairs, rows - pairs
    size = max(free, equations)
    row_place = np.empty(rows, dtype=np.int64)
    row_place[~complementary] = np.arange(equations)
    row_place[complementary] = size + np.arange(pairs)
    column_place = np.concatenate([np.arange(free), size + np.arange(pairs)])
    entries = M.tocoo()
    squared = sparse.csr_array(
        (entries.data, (row_place[entries.coords[0]], column_place[entries.coords[1]])), shape=(size + pairs, size + pairs)
    )
    full_q = np.zeros(size + pairs)
    full_q[row_place] = q
    problem = Mlcp(squared, full_q, np.arange(size + pairs) >= size)
    return ProblemFile(problem, "MLCP", True, unknowns=column_place, rows=row_place)


def _mixed(reader: _Reader) -> ProblemFile:
    sets = str(reader.file.attrs.get("sets", "")).split(",")
    kinds, rows = reader.vector("block_set", np.int64), reader.vector("block_rows", np.int64)
    counts, parameters = reader.vector("block_parameters", np.int64), reader.vector("parameters")
    b, p0 = reader.vector("b"), reader.vector("p0")
    matrices = {name: reader.matrix(name) for name in ("D", "M", "H", "G") if name in reader.file}
    if not kinds.size == rows.size == counts.size:
        reader.fault("block_rows", f"has {rows.size} entries, block_set {kinds.size} and block_parameters {counts.size}")
    elif counts.size and (counts.min() < 0 or counts.sum() != parameters.size):
        reader.fault("parameters", f"has {parameters.size} entries, the blocks have {counts.sum()}")
    elif kinds.size and (kinds.min() < 0 or kinds.max() >= len(sets)):
        reader.fault("block_set", f"must stay within 0 and {len(sets) - 1}")
    elif rows.size and rows.sum() != b.size:
        reader.fault("b", f"has {b.size} entries, the blocks have {rows.sum()} rows")
    reader.stop()
    edges = np.concatenate([[0], np.cumsum(counts)])
    blocks = [Block(sets[k], int(size), tuple(parameters[a:z].tolist())) for k, size, a, z in zip(kinds, rows, edges, edges[1:])]
    return ProblemFile(Problem(b=b, blocks=blocks, p0=p0, **matrices), "MIXED", False)


def _generic(reader: _Reader, M: Any, q: np.ndarray) -> ProblemFile:
    edges, types = reader.vector("rows", np.int64), reader.vector("block_type", np.int64)
    mu = reader.vector("mu")
    reader.stop()
    if edges.size != types.size + 1 or mu.size != types.size or edges[:1].tolist() != [0] or edges[-1:].tolist() != [q.size]:
        reader.fault("rows", f"has {edges.size} edges, block_type {types.size} and mu {mu.size} entries for {q.size} rows")
        reader.stop()
    blocks: list[Block] = []
    for k, (kind, size, friction) in enumerate(zip(types.tolist(), np.diff(edges).tolist(), mu.tolist())):
        if kind not in _GMP_BLOCKS:
            reader.fault(f"block_type/{k}", f"is {kind}", "known: 0 LCP, 2 equality, 3 FC2D, 4 FC3D")
        else:
            blocks.append(Block(_GMP_BLOCKS[kind], size, (friction,) if kind in (3, 4) else ()))
    reader.stop()
    return ProblemFile(MixedProblem(blocks, W=M, q=q), "GMP", False)


def _contacts(reader: _Reader, kind: str, M: Any, q: np.ndarray) -> ProblemFile:
    rolling, planar, is_global = "RFC" in kind, kind.endswith("2D"), kind.startswith("G")
    mu = reader.vector("mu")
    mu_r = reader.vector("mu_r") if rolling else None
    H = reader.matrix("H") if is_global else None
    b = reader.vector("b") if is_global else None
    reader.stop()
    data = {"M": M, "H": H.T.tocsr(), "p0": q, "b": b} if is_global else {"W": M, "q": q}
    dimension = (3 if planar else 5) if rolling else (2 if planar else 3)
    size = (b if is_global else q).size
    if mu.size * dimension != size:
        reader.fault("mu", f"has {mu.size} entries, {size} rows are {size / dimension:g} contacts of {dimension}")
        reader.stop()
    if rolling:
        return ProblemFile(RollingFrictionProblem(mu, mu_r, dimension=dimension, **data), kind, False)
    return ProblemFile(FrictionProblem(mu, dimension=dimension, **data), kind, False)


def write_solution(path: str | os.PathLike, problem: ProblemFile, solution: Solution) -> None:
    """Writes `z`, `w` (complementarity) or `r`, `u`, and `v` where there are dynamics; the report as attributes."""
    import h5py

    unknowns = slice(None) if problem.unknowns is None else problem.unknowns
    rows = slice(None) if problem.rows is None else problem.rows
    try:
        with h5py.File(path, "w") as file:
            file["z" if problem.complementarity else "r"] = solution.r[unknowns]
            file["w" if problem.complementarity else "u"] = solution.w[rows]
            if solution.v.size:
                file["v"] = solution.v
            for name in ("status", "residual", "scaled_residual", "iterations", "solver", "not_unique", "rank_deficient"):
                file.attrs[name] = getattr(solution, name)
    except OSError as error:
        raise ModelError(unwritten(path, error, "output")) from None


def solve_file(
    path: str | os.PathLike,
    tolerance: float = 1e-8,
    solver: str | None = None,
    output: str | os.PathLike | None = None,
    threads: int = 1,
) -> dict[str, Any]:
    """Solves a problem file and returns status, cause, not_unique, rank_deficient, residual, scaled_residual, velocity_residual,
    siconos_error, worst_block, islands, iterations, flops, time_s (CPU), solver, and how the worst block fits its law in words. With `output` the solution is written there. Raises ModelError for a bad file."""
    problem = read_problem(path)
    try:
        solution = problem.problem.solve(tolerance=tolerance, solver=solver, threads=threads)
    except ModelError as error:
        raise ModelError([_placed(f, str(path)) for f in error.faults]) from None
    if output is not None:
        write_solution(output, problem, solution)
    names = (
        "status", "cause", "not_unique", "rank_deficient", "residual", "scaled_residual", "velocity_residual", "siconos_error",
        "worst_block", "islands", "iterations", "flops", "time_s", "solver",
    )  # fmt: skip
    report = {name: getattr(solution, name) for name in names}
    worst = block_fit(problem.problem, solution, solution.worst_block) if solution.worst_block >= 0 else None
    return report | {"worst_block_fit": None if worst is None else str(worst)}


def cli_solve(
    path: str | os.PathLike,
    tolerance: float = 1e-8,
    solver: str | None = None,
    output: str | os.PathLike | None = None,
    threads: int = 1,
) -> tuple[dict[str, Any], int]:
    """What `saltus solve` prints and its exit code: 0 solved, 2 bad file (all faults in `messages`), 3 else."""
    try:
        report = solve_file(path, tolerance, solver, output, threads)
    except ModelError as error:
        return {"status": "model_error", "messages": [fault.text for fault in error.faults]}, 2
    return report, 0 if report["status"] == "solved" else 3
