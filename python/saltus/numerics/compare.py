"""All solvers on one problem, and performance profiles over many."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from saltus.errors import Fault, ModelError, unwritten
from saltus.numerics.files import PROBLEMS, read_problem
from saltus.numerics.problems import Problem, solvers

PORTFOLIO = "portfolio"


@dataclass
class Run:
    """How one solver did: the run with the whole budget, or the first budget that solved. `trace` holds CPU seconds and the
    larger residual at rising budgets."""

    solver: str
    status: str
    residual: float
    scaled_residual: float
    iterations: int
    time_s: float
    cause: str
    trace: list[tuple[float, float]] = field(default_factory=list)


def _named(names: Sequence[str] | None) -> list[str]:
    known = [PORTFOLIO, *solvers()]
    for name in names or ():
        if name not in known:
            raise ModelError(Fault("solver", f"{name!r} is not there", f"take one of {', '.join(known)}"))
    return list(names) if names else known


def _run(problem: Problem, solver: str, tolerance: float, flop_budget: int) -> Any:
    return problem.solve(tolerance=tolerance, solver=None if solver == PORTFOLIO else solver, flop_budget=flop_budget)


def compare(
    problem: Problem,
    tolerance: float = 1e-8,
    solver_names: Sequence[str] | None = None,
    flop_budget: int = 4_000_000_000,
    budgets: int = 8,
) -> list[Run]:
    """Each solver (all, the portfolio first) at `budgets` budgets that rise by 4 to `flop_budget`, until it solves.

    A solver that cannot take the problem has status unsupported, and `cause` says what it takes."""
    out = []
    for name in _named(solver_names):
        trace: list[tuple[float, float]] = []
        for k in reversed(range(budgets)):
            budget = max(flop_budget // 4**k, 1)
            found = _run(problem, name, tolerance, budget)
            error = max(found.residual, found.scaled_residual)
            trace.append((found.time_s, error))
            if found.status in ("solved", "unsupported", "infeasible"):
                break
            if name != PORTFOLIO and found.flops < budget:
                break  # it stopped by itself: more budget is not used
        known = found.status != "unsupported"
        out.append(Run(name, found.status, found.residual, found.scaled_residual, found.iterations, found.time_s,
                       found.cause if not found.solved else "", trace if known else []))  # fmt: skip
    return out


def compare_table(runs: Sequence[Run]) -> str:
    """The runs as text: those that solved by time, then the others by residual."""
    ranked = sorted((r for r in runs if r.status != "unsupported"),
                    key=lambda r: (r.status != "solved", r.time_s if r.status == "solved" else r.residual))  # fmt: skip
    lines = [f"{'solver':<30}{'status':<12}{'natural':>10}{'scaled':>10}{'iterations':>12}{'CPU ms':>10}"]
    for r in ranked:
        lines.append(f"{r.solver:<30}{r.status:<12}{r.residual:>10.1e}{r.scaled_residual:>10.1e}{r.iterations:>12}{1e3 * r.time_s:>10.2f}")
        if r.cause:
            lines.append(f"    {r.cause}")
    lines += [f"{r.solver:<30}not for this problem: {r.cause}" for r in runs if r.status == "unsupported"]
    return "\n".join(lines)


def _axes() -> tuple[Any, Any]:
    try:
        import matplotlib
    except ImportError:
        from saltus.errors import missing_extra

        raise missing_extra("plots", "plot") from None
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    return plt.subplots(figsize=(8.5, 4.5), constrained_layout=True)


def _styles(names: Sequence[str]) -> dict[str, dict[str, Any]]:
    """A line for each solver that no other one has; the portfolio in black. The same for the same list of names."""
    others = [name for name in names if name != PORTFOLIO]
    styles = {name: {"color": f"C{k % 10}", "linestyle": ("-", "--", ":")[k // 10 % 3]} for k, name in enumerate(others)}
    return styles | {PORTFOLIO: {"color": "black", "linewidth": 2.0}}


def _legend(axes: Any) -> None:
    axes.legend(fontsize=7, loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0.0)


def _saved(figure: Any, path: str | os.PathLike) -> None:
    import matplotlib.pyplot as plt

    try:
        figure.savefig(path)
    except (OSError, ValueError) as error:
        raise ModelError(unwritten(path, error, "plot")) from None
    finally:
        plt.close(figure)


def compare_plot(runs: Sequence[Run], path: str | os.PathLike, title: str = "", tolerance: float = 1e-8) -> None:
    """Residual against CPU time, one line a solver; the file's ending gives the format."""
    figure, axes = _axes()
    styles = _styles([r.solver for r in runs])
    for r in runs:
        points = [(max(t, 1e-7), max(e, 1e-17)) for t, e in r.trace if math.isfinite(e)]
        if points:
            axes.loglog(*zip(*sorted(points)), marker="o", markersize=3, label=r.solver, **styles[r.solver])
    axes.axhline(tolerance, color="gray", linewidth=0.8, linestyle="--")
    axes.set(xlabel="CPU time [s]", ylabel="larger of natural and scaled residual", title=title)
    _legend(axes)
    _saved(figure, path)


# --- performance profiles (Dolan, More 2002) -----------------------------------------------------------------------------

TAUS = (1.0, 1.5, 2.0, 3.0, 5.0, 10.0, 30.0, 100.0)


@dataclass
class Profile:
    """Times [s] a problem (row) and solver (column), infinite where not solved; `fractions[solver][k]` is the share of all
    problems that the solver solves within TAUS[k] times the fastest, `solved[solver]` at any time."""

    tolerance: float
    problems: list[str]
    solvers: list[str]
    times: list[list[float]]
    fractions: dict[str, list[float]]
    solved: dict[str, float]
    skipped: dict[str, str]

    def as_json(self) -> dict[str, Any]:
        out = asdict(self)
        out["times"] = [[t if math.isfinite(t) else None for t in row] for row in self.times]
        out["taus"] = list(TAUS)
        return out

    def ratios(self, solver: str) -> np.ndarray:
        times = np.array(self.times)
        best = times.min(axis=1, initial=math.inf)
        with np.errstate(invalid="ignore"):
            ratio = times[:, self.solvers.index(solver)] / best
        return np.where(np.isfinite(times[:, self.solvers.index(solver)]), ratio, math.inf)

    def table(self) -> str:
        lines = [f"{len(self.problems)} problems to {self.tolerance:g}: share solved within t times the fastest",
                 f"{'solver':<30}" + "".join(f"{'t = ' + format(t, 'g'):>9}" for t in TAUS) + f"{'solved':>9}"]  # fmt: skip
        for name in sorted(self.solvers, key=lambda s: -self.solved[s]):
            lines.append(f"{name:<30}" + "".join(f"{x:>9.2f}" for x in self.fractions[name]) + f"{self.solved[name]:>9.2f}")
        lines += [f"skipped {name}: {why}" for name, why in self.skipped.items()]
        return "\n".join(lines)

    def plot(self, path: str | os.PathLike) -> None:
        figure, axes = _axes()
        styles = _styles(self.solvers)
        for name in sorted(self.solvers, key=lambda s: -self.solved[s]):
            ratios = np.sort(self.ratios(name))
            ratios = ratios[np.isfinite(ratios)]
            if not ratios.size:
                continue
            share = np.arange(1, ratios.size + 1) / len(self.problems)
            axes.step(np.append(ratios, 1e3), np.append(share, share[-1]), where="post", label=name, **styles[name])
        axes.set_xscale("log")
        axes.set(xlim=(1, 1e3), ylim=(0, 1.02), xlabel="CPU time / that of the fastest", ylabel="share of problems solved",
                 title=f"{len(self.problems)} problems to {self.tolerance:g}")  # fmt: skip
        _legend(axes)
        _saved(figure, path)


def _time(problem: Problem, solver: str, tolerance: float, flop_budget: int) -> float:
    """Least CPU time of up to 5 runs (more for the short ones, which the clock's noise would rule); infinite if not solved."""
    best, spent = math.inf, 0.0
    for _ in range(5):
        found = _run(problem, solver, tolerance, flop_budget)
        if not found.solved:
            return math.inf
        best, spent = min(best, found.time_s), spent + found.time_s
        if spent > 0.05:
            break
    return max(best, 1e-7)


def profile(
    folder: str | os.PathLike,
    tolerance: float = 1e-8,
    solver_names: Sequence[str] | None = None,
    flop_budget: int = 4_000_000_000,
) -> Profile:
    """Performance profile over all problem files (*.h5, *.hdf5) of a folder. A file that cannot be read is skipped and
    named; what a solver cannot take counts as not solved."""
    files = sorted(p for p in Path(folder).glob("*") if p.suffix in (".h5", ".hdf5"))
    if not files:
        raise ModelError(Fault("", "holds no problem file (*.h5, *.hdf5)" if Path(folder).is_dir() else "is no folder", PROBLEMS, str(folder)))
    names = _named(solver_names)
    problems, times, skipped = [], [], {}
    for path in files:
        try:
            problem = read_problem(path).problem
            times.append([_time(problem, name, tolerance, flop_budget) for name in names])
            problems.append(path.stem)
        except ModelError as error:
            skipped[path.name] = error.faults[0].text
    matrix = np.array(times).reshape(len(problems), len(names))
    out = Profile(tolerance, problems, names, matrix.tolist(), {}, {}, skipped)
    for k, name in enumerate(names):
        ratios = out.ratios(name) if problems else np.zeros(0)
        out.fractions[name] = [float(np.mean(ratios <= tau)) if problems else 0.0 for tau in TAUS]
        out.solved[name] = float(np.mean(np.isfinite(matrix[:, k]))) if problems else 0.0
    return out
