"""Nonlinear complementarity and variational inequalities: -F(z) in the normal cone of K at z, for boxes, second-order cones, polyhedra, sets by formulas or by a projection, and products of them.

Newton's method of Josephy (1979) linearizes F and solves the linear inequality over the same set where the solvers of `saltus.numerics` can (boxes, polyhedra); else semismooth Newton on the natural map
z - P_K(z - F(z)) (Qi, Sun 1993). Both are damped by its norm; where no step helps, the hyperplane method of Solodov and Svaiter (1999) goes on, which needs no derivative and converges where F is monotone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from saltus.errors import Fault, ModelError
from saltus.numerics.problems import AffineInequality, Relay, _engine

Array = NDArray[np.float64]
Map = Callable[[Array], Any]

DIFFERENCE = np.finfo(float).eps ** (1 / 3)
SLOW = 200  # steps of the hyperplane method between two tries of Newton's


@dataclass(frozen=True)
class NonlinearSolution:
    """What a solve found. status: "solved" only where `residual`, |z - P_K(z - F(z))| over 1 + min(|z|, |F|), is within the tolerance; else "budget" with the best point, or "undefined" where F gives no finite number.

    z (n), w = F(z) (n). iterations: linear problems that were solved; evaluations: of F.
    """

    status: str
    z: Array
    w: Array
    residual: float
    iterations: int
    evaluations: int

    @property
    def solved(self) -> bool:
        return self.status == "solved"


class Box:
    """low <= z <= high, row by row; infinite bounds allowed."""

    def __init__(self, low: ArrayLike, high: ArrayLike):
        self.low, self.high = (np.atleast_1d(np.asarray(x, dtype=float)) for x in (low, high))
        if self.low.shape != self.high.shape or self.low.ndim != 1:
            raise ModelError(Fault("low", f"and high have {self.low.size} and {self.high.size} entries", "give one of each a row"))
        if np.isnan(self.low).any() or np.isnan(self.high).any() or (self.low > self.high).any():
            k = int(np.argmax(~(self.low <= self.high)))
            raise ModelError(Fault("low", f"is {self.low[k]:g} in row {k}, above high = {self.high[k]:g}", "low must not be above high"))
        self.rows = self.low.size

    def project(self, x: Array) -> Array:
        return np.clip(x, self.low, self.high)

    def derivative(self, x: Array) -> Array:
        return np.diag(((x > self.low) & (x < self.high)).astype(float))


class Cone:
    """|z_1, ..., z_n-1| <= mu z_0: the second-order cone of n rows; mu = 1 is the Lorentz cone."""

    def __init__(self, rows: int, mu: float = 1.0):
        if not isinstance(rows, (int, np.integer)) or rows < 1:
            raise ModelError(Fault("rows", f"is {rows!r}, must be a whole number from 1"))
        if not np.isfinite(mu) or mu <= 0.0:
            raise ModelError(Fault("mu", f"is {mu!r}, must be above 0"))
        self.rows, self.mu = int(rows), float(mu)

    def project(self, x: Array) -> Array:
        return self._parts(x)[0]

    def derivative(self, x: Array) -> Array:
        return self._parts(x)[1]

    def _parts(self, x: Array) -> tuple[Array, Array]:
        n, mu = self.rows, self.mu
        size = float(np.linalg.norm(x[1:]))
        if size <= mu * x[0]:
            return x.copy(), np.eye(n)
        if mu * size <= -x[0]:
            return np.zeros(n), np.zeros((n, n))
        s = x[1:] / size  # outside of both: onto the ray (1, mu s)
        along = np.concatenate([[1.0], mu * s]) / np.sqrt(1 + mu * mu)
        length = float(along @ x)
        D = np.outer(along, along)
        D[1:, 1:] += length * mu / (np.sqrt(1 + mu * mu) * size) * (np.eye(n - 1) - np.outer(s, s))
        return length * along, D


class Polyhedron:
    """A z <= a."""

    def __init__(self, A: ArrayLike, a: ArrayLike):
        self.A, self.a = np.atleast_2d(np.asarray(A, dtype=float)), np.atleast_1d(np.asarray(a, dtype=float))
        if self.A.shape[0] != self.a.size or not np.isfinite(self.A).all() or not np.isfinite(self.a).all():
            raise ModelError(Fault("A", f"is {self.A.shape[0]} x {self.A.shape[1]} beside {self.a.size} bounds", "give a finite row of A for each bound"))
        self.rows = self.A.shape[1]

    def project(self, x: Array) -> Array:
        return AffineInequality(np.eye(self.rows), -x, self.A, self.a).solve(1e-12).r

    def derivative(self, x: Array) -> Array:
        z = self.project(x)
        active = self.A[self.A @ z >= self.a - 1e-9 * (1 + np.abs(self.a))]
        if not len(active):
            return np.eye(self.rows)
        _, sigma, V = np.linalg.svd(active)
        V = V[: int(np.sum(sigma > 1e-10 * sigma.max(initial=0.0)))]
        return np.eye(self.rows) - V.T @ V


class ConvexSet:
    """Where no constraint is above 0: `ConvexSet(["z0^2 + 4*z1^2 - 1"], interior=[0, 0])`, up to six rows.

    constraints: formulas of z0, z1, ..., smooth near their zeros and with convex level sets; interior: a point where all are below 0. The set is bounded. Its projection
    fulfils the conditions of the nearest point to rounding: Newton's method, else Kelley's planes (1960).
    """

    def __init__(self, constraints: str | Sequence[str], interior: ArrayLike):
        self.constraints = [constraints] if isinstance(constraints, str) else list(constraints)
        self.interior = np.atleast_1d(np.asarray(interior, dtype=float))
        self.rows = self.interior.size
        self._projection = _engine().projection(self.constraints, self.interior.tolist())

    def project(self, x: Array) -> Array:
        return np.array(self._projection(x.tolist())[0])

    def derivative(self, x: Array) -> Array:
        return np.array(self._projection(x.tolist())[1]).reshape(self.rows, self.rows)


class Projection:
    """A convex set given by its projection: project(x) -> the nearest point (rows) of the set. derivative(x): (rows, rows), else central differences.

    A projection leaves its own values where they are and brings no two points further apart: what does not is refused where it is seen.
    """

    def __init__(self, rows: int, project: Callable[[Array], Any], derivative: Callable[[Array], Any] | None = None):
        if not callable(project):
            raise ModelError(Fault("project", f"is {project!r}, which is no function", "give project(x) -> nearest point"))
        self.rows, self._project, self._derivative = int(rows), project, derivative
        points = np.random.default_rng(0).normal(size=(8, self.rows)) * np.logspace(-2, 2, 8)[:, None]
        values = [self.project(x) for x in points]
        for x, y in zip(points, values, strict=True):
            moved = float(np.linalg.norm(self.project(y) - y))
            if not moved <= 1e-6 * (1 + np.linalg.norm(x)):
                raise ModelError(Fault("project", f"moves the point {y.tolist()} that it gave by {moved:g}", "a point of the set is its own nearest one"))
        for k, x in enumerate(points):
            for i in range(k):
                if np.linalg.norm(values[k] - values[i]) > (1 + 1e-6) * np.linalg.norm(x - points[i]):
                    raise ModelError(Fault("project", f"brings the points {x.tolist()} and {points[i].tolist()} further apart", "the set must be convex"))

    def project(self, x: Array) -> Array:
        out = np.asarray(self._project(x.copy()), dtype=float)
        if out.shape != (self.rows,):
            raise ModelError(Fault("project", f"gives the shape {out.shape}, expected ({self.rows},)"))
        return out

    def derivative(self, x: Array) -> Array:
        if self._derivative is not None:
            return np.asarray(self._derivative(x.copy()), dtype=float)
        steps = DIFFERENCE * np.maximum(1.0, np.abs(x))
        return np.column_stack([(self.project(x + h * e) - self.project(x - h * e)) / (2 * h) for h, e in zip(steps, np.eye(self.rows), strict=True)])


Set = Box | Cone | Polyhedron | ConvexSet | Projection


class VariationalInequality:
    """-F(z) in the normal cone of K at z. K: a set or a list of them, one after the other in the rows; jacobian: dF/dz (n, n), else central differences."""

    def __init__(self, F: Map, K: Set | Sequence[Set], jacobian: Map | None = None):
        if not callable(F):
            raise ModelError(Fault("F", f"is {F!r}, which is no function", "give f(z) -> (n)"))
        self.sets = [K] if isinstance(K, Set) else list(K)
        for k, part in enumerate(self.sets):
            if not isinstance(part, Set):
                raise ModelError(Fault(f"K/{k}", f"is {part!r}, which is no set", "give Box, Cone, Polyhedron, ConvexSet or Projection"))
        ends = np.cumsum([0, *(part.rows for part in self.sets)])
        self.parts = [slice(int(a), int(b)) for a, b in zip(ends[:-1], ends[1:], strict=True)]
        self.rows = int(ends[-1])
        self._F, self._J, self.evaluations = F, jacobian, 0

    def value(self, z: Array) -> Array:
        self.evaluations += 1
        with np.errstate(all="ignore"):
            w = np.asarray(self._F(z.copy()), dtype=float)
        if w.shape != (self.rows,):
            raise ModelError(Fault("F", f"gives the shape {w.shape}, K has {self.rows} rows"))
        return w

    def jacobian(self, z: Array) -> Array:
        if self._J is not None:
            with np.errstate(all="ignore"):
                J = np.asarray(self._J(z.copy()), dtype=float)
            if J.shape != (self.rows, self.rows):
                raise ModelError(Fault("jacobian", f"gives the shape {J.shape}, expected ({self.rows}, {self.rows})"))
            return J
        steps = DIFFERENCE * np.maximum(1.0, np.abs(z))
        return np.column_stack([(self.value(z + h * e) - self.value(z - h * e)) / (2 * h) for h, e in zip(steps, np.eye(self.rows), strict=True)])

    def project(self, x: Array) -> Array:
        return np.concatenate([part.project(x[rows]) for part, rows in zip(self.sets, self.parts, strict=True)] or [np.zeros(0)])

    def natural(self, z: Array, w: Array) -> Array:
        return z - self.project(z - w)

    def solve(self, start: ArrayLike | None = None, *, tolerance: float = 1e-10, iterations: int = 200) -> NonlinearSolution:
        """A solution from `start` (default: the point of K nearest to 0)."""
        if not np.isfinite(tolerance) or tolerance <= 0:
            raise ModelError(Fault("tolerance", f"is {tolerance!r}, must be above 0"))
        z = self.project(np.zeros(self.rows) if start is None else _finite(start, self.rows, "start"))
        self.evaluations = 0
        best: tuple[float, Array, Array] | None = None
        done, stuck = 0, 0
        while done < iterations:
            w = self.value(z)
            if not np.isfinite(w).all():
                break
            phi = self.natural(z, w)
            size = float(np.linalg.norm(phi))
            left = size / (1 + min(float(np.linalg.norm(z)), float(np.linalg.norm(w))))  # z alone would let one that runs away pass
            if best is None or left < best[0]:
                best = left, z, w
            if left <= tolerance:
                return NonlinearSolution("solved", z, w, left, done, self.evaluations)
            done += 1
            new = self._newton(z, w, phi, size)
            if new is None:
                stuck += 1
                new = self._slow(z, min(SLOW * stuck, 5000))
                if new is None:
                    break
            z = new
        if best is None:
            return NonlinearSolution("undefined", z, self.value(z), np.inf, done, self.evaluations)
        return NonlinearSolution("solved" if best[0] <= tolerance else "budget", best[1], best[2], best[0], done, self.evaluations)

    def _newton(self, z: Array, w: Array, phi: Array, size: float) -> Array | None:
        """The point of a damped Newton step with a smaller natural map."""
        J = self.jacobian(z)
        if not np.isfinite(J).all():
            return None
        for direction in (self._josephy(z, w, J), self._semismooth(z, w, J, phi)):
            if direction is None:
                continue
            t = 1.0
            while t > 1e-4:
                new = self.project(z + t * direction)
                value = self.value(new)
                if np.isfinite(value).all() and np.linalg.norm(self.natural(new, value)) <= (1 - 1e-4 * t) * size:
                    return new
                t *= 0.5
        return None

    def _josephy(self, z: Array, w: Array, J: Array) -> Array | None:
        """To the solution of the linearized inequality over the same set."""
        q = w - J @ z
        if all(isinstance(part, Box) for part in self.sets):
            linear = Relay(J, q, np.concatenate([part.low for part in self.sets]), np.concatenate([part.high for part in self.sets]))  # type: ignore[union-attr]
        elif len(self.sets) == 1 and isinstance(self.sets[0], Polyhedron):
            linear = AffineInequality(J, q, self.sets[0].A, self.sets[0].a)
        else:
            return None
        found = linear.solve(1e-11, flop_budget=200_000_000)
        return found.r - z if found.solved else None

    def _semismooth(self, z: Array, w: Array, J: Array, phi: Array) -> Array:
        """By a derivative of the natural map, damped where it is singular."""
        D = np.zeros((self.rows, self.rows))
        for part, rows in zip(self.sets, self.parts, strict=True):
            D[rows, rows] = part.derivative((z - w)[rows])
        V = np.eye(self.rows) - D @ (np.eye(self.rows) - J)
        damping = 1e-12 * max(1.0, float(np.sum(V * V)))
        return -np.linalg.solve(V.T @ V + damping * np.eye(self.rows), V.T @ phi) if np.linalg.cond(V) > 1e8 else -np.linalg.solve(V, phi)

    def _slow(self, z: Array, steps: int) -> Array | None:
        """Steps of the hyperplane method; None where it goes nowhere."""
        begin, t = z, 1.0
        for _ in range(steps):
            w = self.value(z)
            phi = self.natural(z, w)
            size = float(phi @ phi)
            if not np.isfinite(size) or size == 0.0:
                return z if size == 0.0 else None
            t = min(1.0, 2 * t)
            while t > 1e-12:
                y = z - t * phi
                wy = self.value(y)
                if np.isfinite(wy).all() and wy @ phi >= 0.3 * size:
                    break
                t *= 0.5
            else:
                return None
            z = self.project(z - float(wy @ (z - y)) / float(wy @ wy) * wy)
        return z if np.linalg.norm(z - begin) > 1e-14 * (1 + np.linalg.norm(z)) else None


def _finite(x: ArrayLike, n: int, name: str) -> Array:
    out = np.atleast_1d(np.asarray(x, dtype=float))
    if out.shape != (n,) or not np.isfinite(out).all():
        raise ModelError(Fault(name, f"has the shape {out.shape} or numbers that are not finite, expected {n} numbers"))
    return out


def Ncp(F: Map, n: int, jacobian: Map | None = None) -> VariationalInequality:
    """0 <= z, F(z) >= 0, z.F(z) = 0, of n rows."""
    return VariationalInequality(F, Box(np.zeros(n), np.full(n, np.inf)), jacobian)


def Mcp(F: Map, low: ArrayLike, high: ArrayLike, jacobian: Map | None = None) -> VariationalInequality:
    """F_i = 0 inside low_i < z_i < high_i, F_i >= 0 at low_i, F_i <= 0 at high_i."""
    return VariationalInequality(F, Box(low, high), jacobian)


def Soclcp(M: Any, q: ArrayLike, cones: Sequence[Cone]) -> VariationalInequality:
    """z in K, M z + q in the dual of K, z.(M z + q) = 0: K is the product of second-order cones."""
    M, q = _square(M, q, "M")
    problem = VariationalInequality(lambda z: M @ z + q, list(cones), lambda z: M)
    if problem.rows != q.size:
        raise ModelError(Fault("cones", f"have {problem.rows} rows, q has {q.size}"))
    return problem


def ConvexQp(Q: Any, c: ArrayLike, K: Set | Sequence[Set]) -> VariationalInequality:
    """Minimum of z.Q z / 2 + c.z over a convex set; Q symmetric positive semidefinite."""
    Q, c = _square(Q, c, "Q")
    if np.abs(Q - Q.T).max(initial=0.0) > 1e-12 * np.abs(Q).max(initial=0.0):
        raise ModelError(Fault("Q", "is not symmetric", "give (Q + Q.T) / 2"))
    least = float(np.linalg.eigvalsh(Q)[0]) if len(Q) else 0.0
    if least < -1e-10 * max(1.0, float(np.abs(Q).max(initial=0.0))):
        raise ModelError(Fault("Q", f"has the eigenvalue {least:g}: the program is not convex", "look at the signs of Q"))
    problem = VariationalInequality(lambda z: Q @ z + c, K, lambda z: Q)
    if problem.rows != c.size:
        raise ModelError(Fault("K", f"has {problem.rows} rows, c has {c.size}"))
    return problem


def _square(A: Any, b: ArrayLike, name: str) -> tuple[Array, Array]:
    A = np.asarray(A.toarray() if hasattr(A, "toarray") else A, dtype=float)
    b = np.atleast_1d(np.asarray(b, dtype=float))
    if A.shape != (b.size, b.size):
        raise ModelError(Fault(name, f"has the shape {A.shape}, expected ({b.size}, {b.size})"))
    if not np.isfinite(A).all() or not np.isfinite(b).all():
        raise ModelError(Fault(name, "has numbers that are not finite"))
    return A, b


