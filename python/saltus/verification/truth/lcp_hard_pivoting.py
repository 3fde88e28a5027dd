"""Murty's and Fathi's problems, exponential for simple pivoting, and a tridiagonal one."""

import numpy as np


def verify(case):
    from saltus.numerics import Lcp

    case.how = "numerics, no option"
    for n in (5, 10, 20, 50):
        U = np.eye(n) + 2 * np.triu(np.ones((n, n)), 1)
        for name, M, unit in (("Murty", U, n - 1), ("Fathi", U.T @ U, 0)):
            solution = Lcp(M, -np.ones(n)).solve()
            found = solution.z if solution.solved else np.full(n, np.nan)
            yield case.compare(f"{name}, n = {n}: z", np.abs(found - np.eye(n)[unit]).max(), 0.0, 1e-8)
        band = Lcp(4 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1), -np.ones(n)).solve()
        truth = case.truth(f"n{n}")
        yield case.compare(f"tridiagonal, n = {n}: z first, middle", [band.z[0], band.z[n // 2]],
                           [truth["tridiagonal_z_first"], truth["tridiagonal_z_middle"]], 1e-12)  # fmt: skip
