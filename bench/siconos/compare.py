"""Friction problems of a folder: `saltus.numerics` against the best of NSGS, NSN_AC and ADMM of Siconos, in turns in one job.

    compare.py FOLDER --siconos-python /usr/bin/python3 [--limit 3] [--repeat 3] [--json OUT.json] [--contacts 20]

Both start from matrices in memory; the set-up of the problem counts on both sides. Times are CPU seconds of one process, the
least of `--repeat` rounds; a run of less than 20 ms is done five times in its round, for what was run before it has emptied the caches. A run of Siconos that passes `--limit` CPU seconds is ended. A point counts as a solution where
the natural map of the problem (Euclidean norms, residual / max(|q|, |r|, |u|)) is at most 3 times the tolerance, judged
here for both by one function that belongs to neither; Siconos is asked for its own error at the tolerance, then a tenth
and a hundredth of it where that is not enough. Debian: python3-siconos and python3-scipy (the former linked with sequential MUMPS, without FCLIB)."""
from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from saltus.numerics import read_problem

SOLVERS = ("NSGS", "NSN_AC", "ADMM")


def arrays(problem, folder: Path) -> Path:
    """The problem in Siconos' names (M, q; or M, H, q, b) as .npz."""
    import scipy.sparse as sparse

    out = {"mu": np.array([block.parameters[0] for block in problem.blocks])}
    if problem.M is None:
        matrices, out["q"] = {"M": problem.D}, problem.b
    else:
        matrices = {"M": problem.M, "H": problem.H.T}
        out["q"], out["b"] = problem.p0, problem.b
    for name, A in matrices.items():
        A = sparse.csr_array(A)
        out |= {f"{name}_data": A.data, f"{name}_indices": A.indices, f"{name}_indptr": A.indptr, f"{name}_shape": A.shape}
    np.savez(folder / "problem.npz", **out)
    return folder / "problem.npz"


class Worker:
    """Siconos in a process of its own, ended and started anew where a run takes too long."""

    def __init__(self, python: str):
        self.python, self.process = python, None
        self.folder = Path(tempfile.mkdtemp())

    def start(self) -> None:
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        self.process = subprocess.Popen([self.python, str(Path(__file__).parent / "worker.py")], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment)  # fmt: skip
        os.set_blocking(self.process.stdout.fileno(), False)
        if self.read("ready", 60.0) is None:
            raise SystemExit(f"{self.python} does not import siconos.numerics and scipy.sparse")

    def forget(self) -> None:
        """The next request is about another problem."""
        if self.process is not None:
            self.process.stdin.write("{}\n")

    def cpu(self) -> float:
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def read(self, word: str, limit: float) -> str | None:
        start, text = self.cpu(), ""
        while True:
            try:
                text += os.read(self.process.stdout.fileno(), 1 << 16).decode(errors="replace")
            except BlockingIOError:
                pass
            for line in text.splitlines(keepends=True):
                if line.startswith(word) and line.endswith("\n"):
                    return line[len(word) :]
            if self.process.poll() is not None or self.cpu() - start > limit:
                self.process.kill()
                self.process.wait()
                self.process = None
                return None
            time.sleep(0.002)

    def solve(self, path: Path, solver: str, tolerance: float, limit: float) -> tuple[float, np.ndarray | None]:
        if self.process is None:
            self.start()
        self.process.stdin.write(json.dumps({"path": str(path), "solver": solver, "tolerance": tolerance}) + "\n")
        self.process.stdin.flush()
        reply = self.read("RESULT ", limit)
        if reply is None or "error" in (found := json.loads(reply)):
            return math.inf, None
        return found["time_s"], np.load(found["file"])


def natural_map(problem, r: np.ndarray) -> float:
    """|r - P(r - u - mu |u_T| n)| / max(|q|, |r|, |u|) over the cones; with M, q = H M^-1 p0 + b."""
    from scipy.sparse.linalg import splu

    mu = np.array([block.parameters[0] for block in problem.blocks])
    if problem.M is None:
        q, u = problem.b, problem.D @ r + problem.b
    else:
        factor = splu(problem.M.tocsc())
        q = problem.H @ factor.solve(problem.p0) + problem.b
        u = problem.H @ factor.solve(problem.p0 + problem.H.T @ r) + problem.b
    R, U = r.reshape(-1, 3), u.reshape(-1, 3)
    n = R[:, 0] - U[:, 0] - mu * np.linalg.norm(U[:, 1:], axis=1)
    t = R[:, 1:] - U[:, 1:]
    length = np.linalg.norm(t, axis=1)
    edge = np.maximum(0.0, (n + mu * length) / (1 + mu**2))
    inside = length <= mu * n
    normal = np.where(inside, n, edge)
    factor_t = np.where(inside, 1.0, mu * edge / np.maximum(length, 1e-300))
    error = np.hypot(np.linalg.norm(R[:, 0] - normal), np.linalg.norm(R[:, 1:] - factor_t[:, None] * t))
    return error / max(np.linalg.norm(q), np.linalg.norm(r), np.linalg.norm(u), 1e-300)


AT_ONCE, SHORT = 5, 0.02


def timed(problem, tolerance: float):
    start = time.process_time()
    solution = problem.solve(tolerance)
    return time.process_time() - start, solution


def least(run) -> tuple[float, np.ndarray | None]:
    """Seconds and solution of the quickest of AT_ONCE calls of `run`, or of one that is not short."""
    best, solution = run()
    for _ in range(AT_ONCE - 1):
        if solution is None or best > SHORT:
            break
        best = min(best, run()[0])
    return best, solution


def measured(path: Path, worker: Worker, tolerance: float, limit: float, repeat: int) -> dict:
    problem = read_problem(path).problem
    times: dict[str, float] = {name: math.inf for name in ("saltus", *SOLVERS)}
    asked = dict.fromkeys(SOLVERS, tolerance)
    alive = set(SOLVERS)
    worker.forget()
    data = arrays(problem, worker.folder)
    for turn in range(repeat):
        spent, solution = least(lambda: timed(problem, tolerance))
        if natural_map(problem, solution.r) <= 3 * tolerance:
            times["saltus"] = min(times["saltus"], spent)
        for name in sorted(alive):
            while name in alive:
                seconds, r = least(lambda: worker.solve(data, name, asked[name], limit))
                good = r is not None and np.all(np.isfinite(r)) and natural_map(problem, r) <= 3 * tolerance
                if good:
                    times[name] = min(times[name], seconds)
                    break
                asked[name] *= 0.1
                if r is None or asked[name] < 0.009 * tolerance:
                    alive.discard(name)
    best = min(SOLVERS, key=lambda name: times[name])
    return {"problem": path.stem, "contacts": len(problem.blocks), "solver": solution.solver, "both_measures": solution.solved, **times, "best": best,
            "ratio": times[best] / times["saltus"] if math.isfinite(times["saltus"]) else 0.0}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--siconos-python", default=sys.executable)
    parser.add_argument("--tolerance", type=float, default=1e-8)
    parser.add_argument("--limit", type=float, default=3.0)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--contacts", type=int, default=20)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    worker, rows = Worker(given.siconos_python), []
    print(f"{'problem':<40}{'contacts':>9}{'saltus ms':>11}" + "".join(f"{name + ' ms':>11}" for name in SOLVERS) + f"{'ratio':>8}")
    for path in sorted(given.folder.glob("*.h5")):
        import h5py

        with h5py.File(path) as file:
            if file.attrs.get("type") not in ("FC3D", "GFC3D") or file["mu"].size < given.contacts:
                continue
        row = measured(path, worker, given.tolerance, given.limit, given.repeat)
        rows.append(row)
        print(f"{row['problem']:<40}{row['contacts']:>9}" + "".join(f"{1e3 * row[n]:>11.2f}" for n in ("saltus", *SOLVERS))
              + f"{row['ratio']:>8.2f}", flush=True)  # fmt: skip
        if given.json:
            given.json.write_text(json.dumps(rows, default=lambda x: None, indent=1).replace("Infinity", "null"))
    both = [row["ratio"] for row in rows if 0 < row["ratio"] < math.inf]
    print(f"\n{len(rows)} problems to {given.tolerance:g}; solved by saltus {sum(math.isfinite(r['saltus']) for r in rows)} "
          f"(in the natural and the scaled measure {sum(r['both_measures'] for r in rows)}), by the best of Siconos (Debian build) {sum(math.isfinite(r[r['best']]) for r in rows)} within {given.limit:g} s")
    if both:
        print(f"Siconos (Debian build) / saltus over the {len(both)} that both solve: geometric mean "
              f"{math.exp(sum(map(math.log, both)) / len(both)):.1f}, worst {min(both):.2f}")  # fmt: skip


if __name__ == "__main__":
    main()
