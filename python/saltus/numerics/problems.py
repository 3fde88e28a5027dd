"""The one problem type and its named constructors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from saltus.errors import Fault, ModelError, missing_extra

Array = NDArray[np.float64]
_EMPTY = np.zeros(0)


def _flat(blocks: Sequence[Block]) -> dict[str, Any]:
    """Blocks as the engine takes them: a set, a number of rows and a number of parameters each, parameters one after the other."""
    return {
        "sets": [block.set for block in blocks],
        "rows": [int(block.rows) for block in blocks],
        "counts": [len(block.parameters) for block in blocks],
        "parameters": np.array([p for block in blocks for p in block.parameters], dtype=np.float64),
    }


def _engine() -> Any:
    from saltus import _numerics

    return _numerics


def _vector(x: ArrayLike, name: str) -> Array:
    try:
        out = np.ascontiguousarray(x, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ModelError(Fault(name, f"is no vector of numbers ({error})")) from None
    if out.ndim != 1:
        raise ModelError(Fault(name, f"has shape {out.shape}, must be one-dimensional"))
    return out


def _matrix(A: Any, name: str) -> Any:
    """scipy CSR array with 64-bit indices from anything that scipy or numpy takes."""
    try:
        import scipy.sparse as sparse
    except ImportError:
        raise missing_extra("saltus.numerics", "numerics") from None
    try:
        out = sparse.csr_array(A, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ModelError(Fault(name, f"is no matrix of numbers ({error})")) from None
    if out.ndim != 2:
        raise ModelError(Fault(name, f"has {out.ndim} dimensions, must have 2"))
    return out


def _csr(A: Any) -> tuple | None:
    if A is None:
        return None
    return (
        int(A.shape[0]),
        int(A.shape[1]),
        np.ascontiguousarray(A.indptr, dtype=np.int64),
        np.ascontiguousarray(A.indices, dtype=np.int64),
        np.ascontiguousarray(A.data, dtype=np.float64),
    )


@dataclass(frozen=True)
class Block:
    """`rows` rows that obey one set: equality, half_line, box (low of all rows, then high), coulomb_2d, coulomb_3d
    (friction), rolling_2d, rolling_3d (friction, rolling friction), rolling_spinning_3d (friction, rolling, spinning friction),
    orthotropic (friction 1, friction 2), contensou (friction, spinning friction), stribeck_2d, stribeck_3d (friction at rest, sliding, speed,
    exponent, growth), ball (radius), graph (number of corners, w and r of each), polyhedron A r <= a (number of facets, A row by row, a)."""

    set: str
    rows: int
    parameters: tuple[float, ...] = ()


@dataclass(frozen=True)
class Solution:
    """What a solve found. `status` is solved, budget, ray, infeasible or unsupported; only `solved` means that
    `residual` and `scaled_residual` are within the tolerance. `velocity_residual` is the same error against the size of the
    velocities alone: where |r| is much larger than |w|, `residual` says little about w. `siconos_error` is what Siconos 4.4 would
    call the error of the point. `time_s` is CPU time, `flops`
    the budget spent, `islands` the number of parts that were solved apart. `proof`: of an infeasible problem with contacts the
    multipliers y of its rows (y >= 0 on normals and half-lines, zero on tangents; y.H = 0 and y.D = 0, y.b < 0), else empty."""

    status: str
    residual: float
    scaled_residual: float
    velocity_residual: float
    siconos_error: float
    r: Array
    w: Array
    v: Array
    iterations: int
    time_s: float
    solver: str
    not_unique: bool
    rank_deficient: bool
    worst_block: int
    cause: str
    flops: int
    islands: int
    proof: Array

    @property
    def z(self) -> Array:
        """The unknown of a complementarity problem; the same as `r`."""
        return self.r

    @property
    def u(self) -> Array:
        """The local velocities of a friction problem; the same as `w`."""
        return self.w

    @property
    def solved(self) -> bool:
        return self.status == "solved"


@dataclass
class Problem:
    """M v = p0 + G r, w = H v + D r + b, each block of (r, w) in its set; G is H transposed unless given. Without M the
    problem is w = D r + b."""

    b: Array
    blocks: Sequence[Block]
    D: Any = None
    M: Any = None
    H: Any = None
    G: Any = None
    p0: Array = field(default_factory=lambda: _EMPTY)

    def solve(
        self,
        tolerance: float = 1e-8,
        solver: str | None = None,
        warm: ArrayLike | None = None,
        flop_budget: int = 0,
        threads: int = 1,
    ) -> Solution:
        """Solves by the portfolio, or by one named solver (see `solvers()`). `warm` is an earlier r. Large friction problems
        share their work among `threads`; any number gives the same bits.

        Raises ModelError with all faults of the problem."""
        report = _engine().solve(
            D=_csr(self.D),
            M=_csr(self.M),
            H=_csr(self.H),
            G=_csr(self.G),
            p0=np.ascontiguousarray(self.p0),
            b=np.ascontiguousarray(self.b),
            **_flat(self.blocks),
            tolerance=float(tolerance),
            solver=solver or "",
            flop_budget=int(flop_budget),
            warm_r=_EMPTY if warm is None else _vector(warm, "warm"),
            threads=int(threads),
        )
        return Solution(**report)

    def all_solutions(self) -> tuple[list[Array], bool]:
        """All vertices of the solution set of a small problem in W form with bounds or planar friction, and whether the
        set reaches to infinity. Raises ModelError where there are too many bases to be sure."""
        if self.M is not None:
            raise ModelError(Fault("M", "is given", "all solutions are listed for problems in W form"))
        found = _engine().all_solutions(
            D=_csr(self.D),
            b=np.ascontiguousarray(self.b),
            **_flat(self.blocks),
        )
        if not found["complete"]:
            raise ModelError(Fault("", "has too many or nearly singular bases to list all solutions"))
        return found["solutions"], found["unbounded"]


def Lcp(M: Any, q: ArrayLike) -> Problem:
    """0 <= z, w = M z + q >= 0, z.w = 0."""
    q = _vector(q, "q")
    return Problem(D=_matrix(M, "M"), b=q, blocks=[Block("half_line", q.size)] if q.size else [])


def Mlcp(M: Any, q: ArrayLike, complementary: ArrayLike) -> Problem:
    """w = M z + q; rows with `complementary` true as in an LCP, the others w = 0 with z free."""
    q = _vector(q, "q")
    flags = np.asarray(complementary, dtype=bool)
    if flags.shape != q.shape:
        raise ModelError(Fault("complementary", f"has shape {flags.shape}, q has {q.shape}"))
    blocks: list[Block] = []
    for start, stop in _runs(flags):
        blocks.append(Block("half_line" if flags[start] else "equality", stop - start))
    return Problem(D=_matrix(M, "M"), b=q, blocks=blocks)


def _runs(flags: NDArray[np.bool_]) -> list[tuple[int, int]]:
    edges = [0, *(np.flatnonzero(np.diff(flags)) + 1).tolist(), flags.size]
    return [(a, b) for a, b in zip(edges, edges[1:]) if b > a]


def Relay(M: Any, q: ArrayLike, low: ArrayLike, high: ArrayLike) -> Problem:
    """-(M z + q) in the normal cone of [low, high] at z; infinite bounds allowed."""
    q, low, high = _vector(q, "q"), _vector(low, "low"), _vector(high, "high")
    if low.shape != q.shape or high.shape != q.shape:
        raise ModelError(Fault("low", f"low and high have {low.size} and {high.size} entries, q has {q.size}"))
    return Problem(D=_matrix(M, "M"), b=q, blocks=[Block("box", q.size, (*low, *high))] if q.size else [])


def AffineInequality(M: Any, q: ArrayLike, A: ArrayLike, a: ArrayLike) -> Problem:
    """-(M z + q) in the normal cone of {A z <= a} at z. Raises ModelError (in `solve`) where no z fulfils A z <= a."""
    q, a = _vector(q, "q"), _vector(a, "a")
    A = np.asarray(A, dtype=np.float64)
    if A.shape != (a.size, q.size):
        raise ModelError(Fault("A", f"is {' x '.join(map(str, A.shape))}, must be {a.size} x {q.size}"))
    return Problem(D=_matrix(M, "M"), b=q, blocks=[Block("polyhedron", q.size, (a.size, *A.ravel().tolist(), *a.tolist()))] if q.size else [])


def QuadraticProgram(
    Q: Any,
    c: ArrayLike,
    low: ArrayLike | None = None,
    high: ArrayLike | None = None,
    A: Any = None,
    a: ArrayLike = (),
    B: Any = None,
    b: ArrayLike = (),
) -> Problem:
    """Minimum of x.Q x / 2 + c.x with low <= x <= high, A x = a, B x >= b: its first-order conditions.
    The solution's `r` holds x, then the multipliers of A, then of B."""
    import scipy.sparse as sparse

    c, a, b = _vector(c, "c"), _vector(a, "a"), _vector(b, "b")
    n = c.size
    low = np.full(n, -np.inf) if low is None else _vector(low, "low")
    high = np.full(n, np.inf) if high is None else _vector(high, "high")
    Q = _matrix(Q, "Q")
    A = sparse.csr_array((a.size, n)) if A is None else _matrix(A, "A")
    B = sparse.csr_array((b.size, n)) if B is None else _matrix(B, "B")
    for name, given, shape in (("Q", Q, (n, n)), ("A", A, (a.size, n)), ("B", B, (b.size, n))):
        if given.shape != shape:
            raise ModelError(Fault(name, f"is {given.shape[0]} x {given.shape[1]}, must be {shape[0]} x {shape[1]}"))
    if low.size != n or high.size != n:
        raise ModelError(Fault("low", f"low and high have {low.size} and {high.size} entries, c has {n}"))
    rows = sparse.vstack([A, B])
    W = sparse.block_array([[Q, -rows.T], [rows, None]]) if rows.shape[0] else Q
    blocks = [Block("box", n, (*low, *high))]
    blocks += [Block("equality", a.size)] if a.size else []
    blocks += [Block("half_line", b.size)] if b.size else []
    return Problem(D=sparse.csr_array(W), b=np.concatenate([c, -a, -b]), blocks=blocks)


def FrictionProblem(
    mu: ArrayLike,
    *,
    W: Any = None,
    q: ArrayLike | None = None,
    M: Any = None,
    H: Any = None,
    p0: ArrayLike | None = None,
    b: ArrayLike | None = None,
    dimension: int = 3,
) -> Problem:
    """Coulomb friction, `dimension` rows (normal, tangents) a contact: u = W r + q, or M v = p0 + H^T r, u = H v + b
    (H has a row for each row of r). `mu`: one coefficient a contact."""
    mu = _vector(mu, "mu")
    if dimension not in (2, 3):
        raise ModelError(Fault("dimension", f"is {dimension}, must be 2 or 3"))
    blocks = [Block(f"coulomb_{dimension}d", dimension, (m,)) for m in mu]
    return _contact_problem(blocks, W, q, M, H, p0, b)


def RollingFrictionProblem(
    mu: ArrayLike,
    mu_r: ArrayLike,
    *,
    W: Any = None,
    q: ArrayLike | None = None,
    M: Any = None,
    H: Any = None,
    p0: ArrayLike | None = None,
    b: ArrayLike | None = None,
    dimension: int = 5,
) -> Problem:
    """As FrictionProblem, with rows (normal, tangents, rolling): 5 a contact in space, 3 in the plane."""
    mu, mu_r = _vector(mu, "mu"), _vector(mu_r, "mu_r")
    if mu.shape != mu_r.shape:
        raise ModelError(Fault("mu_r", f"has {mu_r.size} entries, mu has {mu.size}"))
    if dimension not in (3, 5):
        raise ModelError(Fault("dimension", f"is {dimension}, must be 3 or 5"))
    name = "rolling_2d" if dimension == 3 else "rolling_3d"
    blocks = [Block(name, dimension, pair) for pair in zip(mu, mu_r)]
    return _contact_problem(blocks, W, q, M, H, p0, b)


def MixedProblem(
    blocks: Sequence[Block],
    *,
    W: Any = None,
    q: ArrayLike | None = None,
    M: Any = None,
    H: Any = None,
    p0: ArrayLike | None = None,
    b: ArrayLike | None = None,
    G: Any = None,
) -> Problem:
    """Any sets, in the order of the rows: w = W r + q, or M v = p0 + G r, w = H v + b."""
    problem = _contact_problem(list(blocks), W, q, M, H, p0, b)
    problem.G = None if G is None else _matrix(G, "G")
    return problem


def _contact_problem(blocks: list[Block], W: Any, q: Any, M: Any, H: Any, p0: Any, b: Any) -> Problem:
    if W is not None:
        if q is None or any(x is not None for x in (M, H, p0, b)):
            raise ModelError(Fault("W", "needs q and nothing of M, H, p0, b", "give (W, q) or (M, H, p0, b)"))
        return Problem(D=_matrix(W, "W"), b=_vector(q, "q"), blocks=blocks)
    missing = [name for name, x in (("M", M), ("H", H), ("p0", p0), ("b", b)) if x is None]
    if missing:
        raise ModelError(Fault("W", f"is not given, and {', '.join(missing)} neither", "give (W, q) or (M, H, p0, b)"))
    return Problem(M=_matrix(M, "M"), H=_matrix(H, "H"), p0=_vector(p0, "p0"), b=_vector(b, "b"), blocks=blocks)


def solvers() -> dict[str, str]:
    """Names of the solvers and what they do, in the order of the portfolio."""
    return dict(_engine().solvers())
