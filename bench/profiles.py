"""Performance profiles of docs/solvers.md: generates the problems, runs the solvers, writes two pictures and the tables.

    python bench/profiles.py [--out docs] [--sizes 20 60 200] [--seeds 2] [--budget 0.3]"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import numpy as np

from saltus.numerics import Lcp, Mlcp, QuadraticProgram, generate, profile, write_problem

FRICTION = ("wall", "vault", "packing", "chute", "mass_ratio", "grid", "cones")
FRICTION_SOLVERS = ("portfolio", "race", "nsgs", "nsgs_accelerated", "admm", "admm_anderson", "interior_point", "sweep_newton", "proximal", "sweeps", "extragradient")
BOUND_SOLVERS = ("portfolio", "pivoting", "sweeps", "newton", "newton_min", "projected_gradient", "conjugate_projected_gradient",
                 "extragradient")  # fmt: skip


def bounded(size: int, seed: int):
    """Complementarity problems and programs with bounds alone: easy and hard for pivoting, symmetric and not."""
    rng = np.random.default_rng([seed, size])
    n = size
    B, S = rng.normal(size=(n, n)), rng.normal(size=(n, n))
    string = 2 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)
    yield "lcp_monotone", Lcp(B.T @ B / n + 0.3 * (S - S.T), rng.normal(size=n))
    yield "lcp_obstacle", Lcp(string, -np.sin(np.linspace(0, 9, n)) / n)
    yield "qp_bounds", QuadraticProgram(B.T @ B / n + 1e-3 * np.eye(n), rng.normal(size=n), -rng.random(n), rng.random(n))
    yield "mlcp", Mlcp(B.T @ B / n + np.eye(n) / n, rng.normal(size=n), np.arange(n) >= n // 3)
    yield "murty", generate("murty", min(n, 40))
    yield "fathi", generate("fathi", min(n, 20))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("docs"))
    parser.add_argument("--sizes", type=int, nargs="+", default=[20, 60, 200])
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--budget", type=float, default=0.3, help="Gflop a solve")
    given = parser.parse_args()
    for name, solvers in (("friction", FRICTION_SOLVERS), ("bounds", BOUND_SOLVERS)):
        with tempfile.TemporaryDirectory() as folder:
            for size in given.sizes:
                for seed in range(given.seeds):
                    pairs = [(k, generate(k, size, seed)) for k in FRICTION] if name == "friction" else bounded(size, seed)
                    for kind, problem in pairs:
                        write_problem(Path(folder) / f"{kind}_{size}_{seed}.h5", problem)
            found = profile(folder, 1e-8, solvers, int(1e9 * given.budget))
        found.plot(given.out / f"profile_{name}.svg")
        print(f"{name}\n{found.table()}\n", flush=True)
        never = [p for p, row in zip(found.problems, found.times) if not np.isfinite(row).any()]
        print(f"solved by none: {', '.join(never) or '-'}\n", flush=True)


if __name__ == "__main__":
    main()
