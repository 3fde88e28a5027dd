"""How well one block of a solution fulfils its law, in the terms of the law."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from saltus.numerics.problems import Problem, Solution

_ARMS = {"coulomb_2d": (1,), "coulomb_3d": (2,), "rolling_2d": (1, 1), "rolling_3d": (2, 2), "rolling_spinning_3d": (2, 2, 1)}


@dataclass(frozen=True)
class BlockFit:
    """`outside`: how far r is from its set; `against`: how far w (with the shift mu |w_T| n of friction) is from what the set's dual
    allows; `product`: r times w, zero where exactly one of them acts. In the problem's units."""

    block: int
    set: str
    rows: tuple[int, int]  # first and last
    outside: float
    against: float
    product: float

    def __str__(self) -> str:
        return (f"{self.block}: {self.set}, rows {self.rows[0]} to {self.rows[1]}, r outside its set by {self.outside:.1e}, "
                f"w by {self.against:.1e}, r.w = {self.product:.1e}")  # fmt: skip


def block_fit(problem: Problem, solution: Solution, block: int) -> BlockFit | None:
    """Of an equality, half-lines, a box, or a Coulomb or rolling contact; None for other sets."""
    begin = sum(b.rows for b in problem.blocks[:block])
    kind, dim, p = problem.blocks[block].set, problem.blocks[block].rows, problem.blocks[block].parameters
    r, w = solution.r[begin : begin + dim], solution.w[begin : begin + dim]
    if kind in _ARMS:
        edges = np.cumsum((1, *_ARMS[kind]))
        lengths = [(mu, np.linalg.norm(r[a:b]), np.linalg.norm(w[a:b])) for mu, a, b in zip(p, edges, edges[1:])]
        outside = max(max(0.0, -r[0]), *(max(0.0, arm - mu * r[0]) / np.hypot(1.0, mu) for mu, arm, _ in lengths))
        against, product = max(0.0, -w[0]), float(r @ w + r[0] * sum(mu * slip for mu, _, slip in lengths))
    elif kind in ("equality", "half_line", "box"):
        low = {"equality": np.full(dim, -np.inf), "half_line": np.zeros(dim)}.get(kind, np.array(p[:dim]))
        high = np.array(p[dim:]) if kind == "box" else np.full(dim, np.inf)
        outside = float(np.max(np.maximum(np.maximum(low - r, r - high), 0.0)))
        # w >= 0 asks for r at its lower bound, w <= 0 for the upper one: what is left over where there is none.
        against = float(np.max(np.where(np.isinf(low), np.maximum(w, 0.0), 0.0) + np.where(np.isinf(high), np.maximum(-w, 0.0), 0.0)))
        room = np.where(w > 0.0, r - low, r - high)
        product = float(np.where(np.isfinite(room), room, 0.0) @ w)
    else:
        return None
    return BlockFit(block, kind, (begin, begin + dim - 1), float(outside), float(against), product)
