"""Judges solutions of problem files from the definitions alone: shares no code with the solvers or the package.

`residual(path, solution)` is the natural map of the problem's page, |x - P(x - y)| / max(|q|, |x|, |y|): x the unknown
(z, r), y its dual (w, u + mu |u_T| n), P the projection on the product of the laws' sets. With dynamics, |b| takes the
place of |q| and the dynamics row counts as well."""

from __future__ import annotations

import sys

import h5py
import numpy as np


def dense(group) -> np.ndarray:
    rows, cols = group.attrs["shape"]
    out = np.zeros((rows, cols))
    indptr, indices, data = group["indptr"][...], group["indices"][...], group["data"][...]
    for i in range(rows):
        for k in range(indptr[i], indptr[i + 1]):
            out[i, indices[k]] += data[k]
    return out


def times(group, x: np.ndarray) -> np.ndarray:
    """Product of a stored compressed matrix without making it dense."""
    indptr, indices, data = group["indptr"][...], group["indices"][...], group["data"][...]
    out = np.zeros(group.attrs["shape"][0])
    np.add.at(out, np.repeat(np.arange(out.size), np.diff(indptr)), data * x[indices])
    return out


def times_transposed(group, x: np.ndarray) -> np.ndarray:
    indptr, indices, data = group["indptr"][...], group["indices"][...], group["data"][...]
    out = np.zeros(group.attrs["shape"][1])
    np.add.at(out, indices, data * np.repeat(x, np.diff(indptr)))
    return out


def project_cone(x: np.ndarray, arms: list[tuple[float, slice]]) -> np.ndarray:
    """Nearest point of {|x_arm| <= mu x_0 for each arm}, by bisection on x_0: independent of closed forms."""
    lengths = [np.linalg.norm(x[part]) for _, part in arms]

    def slope(n: float) -> float:  # derivative of half the squared distance, rising in n
        return n - x[0] - sum(mu * max(length - mu * n, 0.0) for (mu, _), length in zip(arms, lengths))

    if slope(0.0) >= 0.0:
        n = 0.0
    else:
        low, high = 0.0, max(x[0], 0.0) + sum(mu * length for (mu, _), length in zip(arms, lengths))
        for _ in range(200):
            n = 0.5 * (low + high)
            low, high = (n, high) if slope(n) < 0.0 else (low, n)
        n = 0.5 * (low + high)
    out = x.copy()
    out[0] = n
    for (mu, part), length in zip(arms, lengths):
        if length > mu * n:
            out[part] *= mu * n / length
    return out


def cone_map(r: np.ndarray, u: np.ndarray, size: int, frictions: list[list[float]]) -> np.ndarray:
    """x - P(x - u_hat), contact after contact; `frictions` holds mu, or mu and mu_r, of each."""
    out = np.empty_like(r)
    for k, coefficients in enumerate(frictions):
        block = slice(k * size, (k + 1) * size)
        width = (size - 1) // len(coefficients)
        arms = [(mu, slice(1 + a * width, 1 + (a + 1) * width)) for a, mu in enumerate(coefficients)]
        hat = u[block].copy()
        hat[0] += sum(mu * np.linalg.norm(u[block][part]) for mu, part in arms)
        out[block] = r[block] - project_cone(r[block] - hat, arms)
    return out


def ratio(error: np.ndarray, *scales: np.ndarray) -> float:
    scale = max(float(np.linalg.norm(s)) for s in scales)
    norm = float(np.linalg.norm(error))
    return norm if scale == 0.0 else norm / scale


def residual(path, solution) -> float:
    with h5py.File(path, "r") as file:
        return _residual(file, {name: np.asarray(solution[name]) for name in solution})


def _residual(file, solution) -> float:
    kind = file.attrs["type"]
    q = file["q"][...]
    if kind in ("LCP", "MLCP", "RELAY"):
        z = solution["z"]
        w = times(file["M"], z) + q
        if kind == "RELAY":
            low, high = file["lb"][...], file["ub"][...]
            return ratio(z - np.clip(z - w, low, high), q, z, w)
        if kind == "LCP":
            return ratio(np.minimum(z, w), q, z, w)
        flags = np.repeat(file["is_complementarity"][...] != 0, np.diff(file["blocks"][...]))
        pair_z = z[flags] if flags.size == z.size else z[z.size - flags.sum() :]
        error = w.copy()
        error[flags] = np.minimum(pair_z, w[flags])
        return ratio(error, q, z, w)
    r = solution["r"]
    if kind.startswith("G") and kind != "GMP":
        v, b = solution["v"], file["b"][...]
        inertia, load = times(file["M"], v), times(file["H"], r)
        dynamics = ratio(inertia - q - load, inertia, q, load)
        u, scale = times_transposed(file["H"], v) + b, b
    else:
        dynamics, u, scale = 0.0, times(file["M"], r) + q, q
    if kind == "GMP":
        error = u.copy()
        edges, types, mu = file["rows"][...], file["block_type"][...], file["mu"][...]
        for k, block_type in enumerate(types):
            part = slice(edges[k], edges[k + 1])
            if block_type == 0:
                error[part] = np.minimum(r[part], u[part])
            elif block_type in (3, 4):
                error[part] = cone_map(r[part], u[part], block_type - 1, [[mu[k]]])
    else:
        mu = file["mu"][...]
        rolling = "RFC" in kind
        size = {(False, True): 2, (False, False): 3, (True, True): 3, (True, False): 5}[rolling, kind.endswith("2D")]
        frictions = [[m, s] for m, s in zip(mu, file["mu_r"][...])] if rolling else [[m] for m in mu]
        error = cone_map(r, u, size, frictions)
    return max(ratio(error, scale, r, u), dynamics)


def contradicts(problem, y: np.ndarray) -> bool:
    """Whether multipliers y of the rows of a problem with contacts prove that it has no solution: y.w = y.b < 0 for all motions
    and impulses, with y >= 0 on normals and half-lines, anything on equalities, zero on all other rows."""
    row, positive, free = 0, [], []
    for block in problem.blocks:
        rows = range(row, row + block.rows)
        if block.set == "equality":
            free += rows
        elif block.set == "half_line":
            positive += rows
        elif block.set.startswith("coulomb"):
            positive.append(row)
        row += block.rows
    others = np.setdiff1d(np.arange(row), positive + free)
    if y.shape != (row,) or not np.any(y) or np.any(y[others]) or np.any(y[positive] < 0):
        return False
    for A in (problem.H, problem.D):
        if A is not None and np.any(np.abs(A.T @ y) > 1e-10 * (abs(A).T @ np.abs(y)).max()):
            return False
    return float(problem.b @ y) < 0.0


if __name__ == "__main__":
    with h5py.File(sys.argv[2], "r") as found:
        print(residual(sys.argv[1], {name: found[name][...] for name in found}))
