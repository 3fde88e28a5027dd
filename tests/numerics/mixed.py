"""Random mixed problems: bodies with joints (also redundant ones), contacts with and without friction, stops, brakes and relays
in one problem. A motion that fulfils all rows strictly inside is known, so each problem has a solution (Klarbring, Pang 1998;
Cadoux 2009)."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sparse

from saltus.numerics import Block, MixedProblem

KINDS = ("half_line", "coulomb_2d", "coulomb_3d", "sliding", "box", "relay")


def skew(x):
    return np.array([[0.0, -x[2], x[1]], [x[2], 0.0, -x[0]], [-x[1], x[0], 0.0]])


def at_point(arm):
    """Velocity of a point of a rigid body by its (v, w)."""
    return np.hstack([np.eye(3), -skew(arm)])


def problem_of(seed: int, bodies: int | None = None, kinds: tuple[str, ...] = KINDS):
    rng = np.random.default_rng(seed)
    n = bodies or int(rng.integers(1, 16))
    kinds = tuple(rng.choice(kinds, size=int(rng.integers(1, len(kinds) + 1)), replace=False))
    spread = float(rng.choice([0.0, 2.0]))  # decades of mass
    M, H, blocks = np.zeros((6 * n, 6 * n)), [], []
    for i in range(n):
        mass = 10.0 ** rng.uniform(-spread, spread)
        A = rng.normal(size=(3, 3))
        M[6 * i : 6 * i + 3, 6 * i : 6 * i + 3] = mass * np.eye(3)
        M[6 * i + 3 : 6 * i + 6, 6 * i + 3 : 6 * i + 6] = mass * (A @ A.T + 0.1 * np.eye(3))

    def row(i, J, j=None, K=None):
        out = np.zeros((len(J), 6 * n))
        out[:, 6 * i : 6 * i + 6] = J
        if j is not None:
            out[:, 6 * j : 6 * j + 6] = -K
        return out

    def joint(i, j):
        directions = np.vstack([at_point(rng.normal(size=3)), np.hstack([np.zeros((3, 3)), np.eye(3)])])
        others = np.vstack([at_point(rng.normal(size=3)), np.hstack([np.zeros((3, 3)), np.eye(3)])])
        rows = {"spherical": [0, 1, 2], "fixed": range(6), "revolute": range(5), "distance": [0], "slider": [0, 1, 3, 4, 5]}
        take = list(rows[str(rng.choice(list(rows)))])
        return row(i, directions[take], j, others[take] if j is not None else None)

    ground = rng.random() < 0.5
    for i in range(n):
        if i == 0 and not ground:
            continue
        if rng.random() < 0.8:
            J = joint(i, i - 1 if i else None)
            copies = 2 if rng.random() < 0.15 else 1  # redundant
            for _ in range(copies):
                H.append(J)
                blocks.append(Block("equality", len(J)))
    v0 = rng.normal(size=6 * n)
    b = [-J @ v0 for J in H]
    for _ in range(int(rng.integers(1, 2 * n + 2))):
        kind = str(rng.choice(kinds))
        i = int(rng.integers(n))
        j = int(rng.integers(n)) if rng.random() < 0.3 and n > 1 else None
        if j == i:
            j = None
        frame = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        J = frame @ at_point(rng.normal(size=3))
        K = frame @ at_point(rng.normal(size=3)) if j is not None else None
        size = {"coulomb_3d": 3, "sliding": 3, "coulomb_2d": 2}.get(kind, 1)
        J = row(i, J[:size], j, None if K is None else K[:size])
        inside = np.zeros(size)
        if kind in ("half_line", "coulomb_2d", "coulomb_3d", "sliding"):
            inside[0] = rng.random() + 0.01
        if kind in ("coulomb_2d", "coulomb_3d"):
            block = Block(kind, size, (float(rng.choice([0.1, 0.5, 1.0])),))
        elif kind == "sliding":
            block = Block("coulomb_3d", 3, (0.0,))
        elif kind == "box":
            block = Block("box", 1, (-float(rng.random()), float(rng.random())))
        elif kind == "relay":
            block = Block("box", 1, (-1.0, 1.0))
        else:
            block = Block("half_line", 1)
        H.append(J)
        b.append(inside - J @ v0)
        blocks.append(block)
    H = np.vstack(H)
    # Zeros between bodies are stored, as where springs or turning joints could join them.
    pattern = sparse.csr_array(M)
    stored = sparse.coo_array(M)
    extra = [(6 * i + k, 6 * (i - 1) + k) for i in range(1, n) for k in range(6)]
    rows = np.concatenate([stored.row, [r for r, _ in extra], [c for _, c in extra]]).astype(int)
    columns = np.concatenate([stored.col, [c for _, c in extra], [r for r, _ in extra]]).astype(int)
    values = np.concatenate([stored.data, np.zeros(2 * len(extra))])
    order = np.lexsort((columns, rows))
    pattern = sparse.csr_array((values[order], columns[order], np.searchsorted(rows[order], np.arange(6 * n + 1))), shape=M.shape)
    return MixedProblem(blocks, M=pattern, H=H, b=np.concatenate(b), p0=M @ rng.normal(size=6 * n))
