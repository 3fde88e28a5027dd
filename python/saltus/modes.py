"""Small vibrations about a state: frequencies, damping ratios, mode shapes as displacements of the bodies."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as np

from saltus import _core
from saltus import geometry as g
from saltus.errors import Fault, ModelError, missing_extra
from saltus.linearization import equations_of
from saltus.quantity import Quantity
from saltus.result import Series, evaluate

if TYPE_CHECKING:
    from saltus.model import Model

DENSE = 600  # unknowns up to which all modes are computed by dense algebra
LOWEST = 20  # modes of larger models where `count` is not given
EPS = np.finfo(float).eps
WIDE = 1e-4  # of the largest squared frequency (damped: of the largest eigenvalue): lower ones are computed by the inverse
ZERO = 1e-5  # of the shift of that inverse: below it an eigenvalue of a singular matrix is zero
TURN = 0.3  # rad, or of the model's length, by which a state that moves goes on to see whether it is steady
STEP = 1e-3  # of differences along a mode, whose largest displacement is 1


class Modes:
    """Modes in the order of their frequencies; a mode is a pair of complex eigenvalues, or one real one.

    eigenvalues (n) [1/s]: exp(eigenvalue t), imaginary part >= 0. frequencies (n) [Hz]: size of the eigenvalue / 2 pi; 0 of a motion
    that nothing holds (rigid body). damping_ratios (n): -Re / size, 1 of a motion that creeps back, below 0 where the
    state is unstable; 0 of rigid motions. `modes[quantity]` is its change along each mode (n) or (n, components), where the
    largest displacement of a node (its rotation times the model's length counts too) is 1.
    """

    def __init__(self, model: Model, system, equations, eigenvalues: np.ndarray, shapes: np.ndarray, warnings: list[Fault]):
        self._model, self._system, self._equations = model, system, equations
        self.eigenvalues, self.warnings = eigenvalues, warnings
        size = np.abs(eigenvalues)
        self.frequencies = size / (2 * np.pi)
        self.damping_ratios = np.where(size > 0, -eigenvalues.real / np.where(size > 0, size, 1.0), 0.0) + 0.0  # no -0
        self._shapes = np.stack([self._scaled(shape) for shape in shapes]) if len(shapes) else shapes

    def _scaled(self, shape: np.ndarray) -> np.ndarray:
        """(theta | v | x | z) with the largest displacement 1, real and positive there."""
        scales = self._equations.scales
        nv, n = len(self._equations.a), len(scales)
        sizes = np.concatenate([np.abs(shape[:nv]) / scales[:nv], np.abs(shape[2 * nv : nv + n]) if nv == 0 else []])
        if not len(sizes) or not sizes.max():
            return shape
        k = int(np.flatnonzero(sizes > sizes.max() * (1 - 1e-6))[0])  # the first of equals, whatever rounding says
        return shape / sizes.max() * np.exp(-1j * np.angle(shape[k])) if np.iscomplexobj(shape) else shape / (sizes.max() * np.sign(shape[k]))

    def _moving(self) -> list[str]:
        bodies = [name for section, _, name in self._system.items() if section == "bodies"]
        return [name for name in bodies if "position" in self._system.quantities(name)]

    def _states(self, shape: np.ndarray, places) -> dict[str, np.ndarray]:
        """States moved along a real shape (nv + unknowns), as a run records them."""
        e = self._equations
        nv, n = len(e.a), len(places)
        theta, rest = np.ascontiguousarray(shape[:nv]), np.ascontiguousarray(shape[nv:])
        y = [e.moved(theta, rest, place) for place in places]
        repeat = lambda row: np.tile(row, (n, 1))  # noqa: E731
        return {"t": np.full(n, e.t), "y": np.array(y), "a": repeat(e.a), "lam": repeat(e.lam), "data": repeat(e.data)}

    def _change(self, quantity: Quantity | str, shape: np.ndarray) -> tuple[np.ndarray, str, list[str]]:
        """Derivative of a quantity along one shape, real or complex: central differences of fourth order."""
        total, unit, names = 0.0, "", []
        for part, factor in ((shape.real, 1.0), (shape.imag, 1.0j)):
            size = np.abs(part).max(initial=0.0)
            if size == 0.0:
                continue
            values, unit, names = evaluate(self._system, quantity, self._states(part / size, STEP * np.array([2, 1, -1, -2])))
            total = total + factor * size / STEP * np.tensordot([-1 / 12, 8 / 12, -8 / 12, 1 / 12], values, 1)
        return np.asarray(total), unit, names

    def __getitem__(self, quantity: Quantity | str) -> Series:
        """Change of a position, rotation, velocity or other quantity of the motion along each mode.

        Real where all modes are; multipliers and accelerations are not part of a shape.
        """
        parts = [self._change(quantity, shape) for shape in self._shapes]
        values = np.array([part[0] for part in parts])
        if np.iscomplexobj(values):
            if np.abs(values.imag).max(initial=0.0) > 1e-9 * np.abs(values).max(initial=1e-300):
                return values  # type: ignore[return-value]  # phases: a plain complex array
            values = values.real
        label = quantity if isinstance(quantity, str) else quantity.label
        return Series(values, parts[0][1] if parts else "", None, label, parts[0][2] if parts else [])

    def displacements(self, mode: int = 0) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """(displacement (3) [m], rotation (3) [rad], world axes) of each body in a mode; the largest displacement is 1."""
        shape = self._shapes[self._number(mode)]
        out = {}
        for name in self._moving():
            moved = self._change(f"{name}.position", shape)[0]
            turned = self._change(f"{name}.rotation_matrix", shape)[0].reshape(3, 3)
            R = evaluate(self._system, f"{name}.rotation_matrix", self._states(np.zeros(len(shape)), [0.0]))[0][0].reshape(3, 3)
            W = turned @ R.T  # dR R^T = [rotation]x
            rotation = np.array([W[2, 1] - W[1, 2], W[0, 2] - W[2, 0], W[1, 0] - W[0, 1]]) / 2
            out[name] = tuple(x.real if np.abs(np.imag(x)).max() < 1e-12 else x for x in (moved, rotation))
        return out

    def position(self, body: str) -> np.ndarray:
        """Position (3) [m] of a body at the state."""
        return evaluate(self._system, f"{body}.position", self._states(np.zeros(self._shapes.shape[1]), [0.0]))[0][0]

    def _number(self, mode: int) -> int:
        if not isinstance(mode, (int, np.integer)) or not -len(self) <= mode < len(self):
            raise ModelError(Fault("modes", f"has {len(self)} modes, there is none with the number {mode!r}", "the first is 0"))
        return int(mode)

    def show(self, mode: int = 0, file: str | os.PathLike[str] | None = None) -> str:
        """Draws the bodies at the state and displaced along a mode, prints the mode; returns the file's name."""
        from saltus.plotting import show_mode

        return show_mode(self, self._number(mode), file)

    def __len__(self) -> int:
        return len(self.eigenvalues)

    def __repr__(self) -> str:
        if not len(self):
            return "<no modes: nothing can move>"
        return f"<{len(self)} modes, {self.frequencies[0]:.6g} to {self.frequencies[-1]:.6g} Hz>"


def modes(model: Model, at, count: int | None) -> Modes:
    """See Model.modes."""
    if count is not None and (isinstance(count, bool) or not isinstance(count, (int, np.integer)) or count < 1):
        g.refuse("modes/count", f"is {count!r}, must be a whole number from 1")
    system, equations, warnings = equations_of(model, at)
    if not equations.rests and not _steady(system, equations):
        message = "is a motion whose linear equations change with time: these eigenvalues are those of the moment and say nothing of its stability"
        remedy = "take an equilibrium or a steady rotation about an axis of symmetry, or compare runs that start a little apart"
        g.warn("modes/at", message, remedy)
        warnings = [*warnings, Fault("modes/at", message, remedy, severity="warning")]
    if system.sizes()["unknowns"] + equations.rows > DENSE and (count or LOWEST) < system.sizes()["nv"] // 4:
        values, shapes = sparse_modes(system, equations, count or LOWEST)
    else:
        values, shapes = dense_modes(equations)
    if count is not None:
        values, shapes = values[:count], shapes[:count]
    return Modes(model, system, equations, values, shapes, warnings)


def _steady(system, equations) -> bool:
    """Whether the linear equations stay as they are while the state moves on: a steady rotation about an axis of symmetry."""
    sizes = system.sizes()
    if not sizes["nv"]:
        return True
    y, a, nv = equations.y, equations.a, sizes["nv"]
    v = np.ascontiguousarray(y[sizes["nq"] : sizes["nq"] + nv])
    if not v.any():
        return True  # at rest: what accelerates it is in `Linearization.rest`
    speed = np.abs(v / equations.scales[:nv]).max() / equations.length
    rest = np.concatenate([a, np.zeros(sizes["unknowns"] - nv)])
    ahead = equations.moved(v, rest, TURN / speed)
    later = _core.linear_equations(system, equations.t + TURN / speed, ahead, None, None, equations.data)
    now, then = (np.linalg.eigvals(e.state_space([], [])["A"]) for e in (equations, later))
    if len(now) != len(then):
        return False
    # Each eigenvalue has one near it; double ones move by the root of what the matrix changes.
    return all(np.abs(then - value).min() < 1e-4 * np.abs(now).max() for value in now)


def _ordered(values: np.ndarray, shapes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    order = np.lexsort((values.real, np.abs(values)))
    return values[order], shapes[order]


def _undamped(M: np.ndarray, K: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """omega^2 (n) and vectors (n, n, a column each) of K eta = omega^2 M eta, symmetric; 0 where K eta is rounding.

    The high ones by M^-1 K, to rounding of the highest; in a wide spectrum the low ones by K^-1 M, to rounding of K's own entries.
    """
    factor = np.linalg.cholesky(M)
    half = np.linalg.inv(factor)  # M = L L': the symmetric matrix of L' eta
    squares, vectors = np.linalg.eigh(half @ K @ half.T)
    vectors = half.T @ vectors
    largest = np.abs(squares).max()
    low, shift = np.abs(squares) < WIDE * largest, 0.0
    if low.any():
        for shift in (0.0, 1e-9 * largest):  # the second where K alone is singular
            shifted = K + shift * M
            scale = 1 / np.sqrt(np.maximum(np.abs(np.diag(shifted)), 1e-300))
            inverse = _inverse(scale[:, None] * shifted * scale)
            if inverse is not None:
                break
        if inverse is not None:
            compliance = factor.T @ (scale[:, None] * inverse * scale) @ factor
            reciprocals, inner = np.linalg.eigh((compliance + compliance.T) / 2)
            longest = np.argsort(-np.abs(reciprocals))[: np.count_nonzero(low)]
            squares = np.concatenate([1 / reciprocals[longest] - shift, squares[~low]])
            vectors = np.concatenate([half.T @ inner[:, longest], vectors[:, ~low]], axis=1)
    terms = np.einsum("in,ij,jn->n", np.abs(vectors), np.abs(K), np.abs(vectors))  # what cancels in a rigid motion; v' M v = 1
    rounding = 4 * EPS * len(K) ** 0.5 * (terms + shift)
    return np.where(np.abs(squares) <= rounding, 0.0, squares), vectors


def dense_modes(equations) -> tuple[np.ndarray, np.ndarray]:
    """(eigenvalues (n), shapes (n, nv + unknowns)): symmetric where damping is absent and stiffness symmetric, else of A."""
    space = equations.state_space([], [])
    A, M, K, D = space["A"], space["mass"], space["stiffness"], space["damping"]
    if not len(A):
        return np.zeros(0, complex), np.zeros((0, len(space["shapes"])))
    if len(M) and not D.any() and np.abs(K - K.T).max() <= 1e-9 * np.abs(K).max(initial=1e-300):
        squares, vectors = _undamped((M + M.T) / 2, (K + K.T) / 2)
        return _ordered(np.sqrt(-squares + 0j), vectors.T @ space["shapes"][:, : len(K)].T)
    values, vectors = _of_matrix(A)
    keep = values.imag >= 0
    values, shapes = values[keep], vectors.T[keep] @ space["shapes"].T
    rigid = np.flatnonzero(values == 0)
    if len(rigid) and len(K):  # their eigenvectors come in pairs that are nearly parallel: take the kernel of K
        kernel = _kernel(K)
        values = np.concatenate([np.delete(values, rigid), np.zeros(kernel.shape[1])])
        shapes = np.concatenate([np.delete(shapes, rigid, axis=0), kernel.T @ space["shapes"][:, : len(K)].T])
    return _ordered(values, shapes)


def _of_matrix(A: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Eigenvalues (n) and vectors (n, n, a column each) of A; in a wide spectrum the low ones by an inverse, exact zeros as 0."""
    values, vectors = np.linalg.eig(A)
    largest = np.abs(values).max()
    low = np.abs(values) < WIDE * largest
    if not low.any():
        return values, vectors
    for shift in (0.0, 0.1 * WIDE * largest):  # the second where A is singular
        shifted = A - shift * np.eye(len(A))
        scale = np.maximum(np.abs(shifted).max(axis=1, keepdims=True), 1e-300)
        inverse = _inverse(shifted / scale)
        if inverse is not None:
            break
    else:
        return np.where(low, 0.0, values), vectors
    inverted, inner = np.linalg.eig(inverse / scale.T)
    longest = np.argsort(-np.abs(inverted))[: np.count_nonzero(low)]
    lowest = shift + 1 / inverted[longest]
    lowest = np.where(np.abs(lowest) < ZERO * shift, 0.0, lowest)  # double zeros split by the root of rounding
    return np.concatenate([lowest, values[~low]]), np.concatenate([inner[:, longest], vectors[:, ~low]], axis=1)


def _inverse(A: np.ndarray) -> np.ndarray | None:
    """A^-1, rows or both sides of A scaled to size 1; None where A is singular to rounding."""
    try:
        inverse = np.linalg.inv(A)
    except np.linalg.LinAlgError:
        return None
    return inverse if np.linalg.norm(inverse, 1) < 0.01 / EPS else None


def _kernel(K: np.ndarray) -> np.ndarray:
    """Orthonormal columns that K maps to rounding."""
    _, sizes, rows = np.linalg.svd(K)
    return rows[sizes <= 4 * EPS * len(K) * sizes.max(initial=0.0)].T


def sparse_modes(system, equations, count: int) -> tuple[np.ndarray, np.ndarray]:
    """The lowest `count` modes by shift and invert of the whole equations, multipliers included."""
    try:
        import scipy.sparse as sp
        import scipy.sparse.linalg as sla
    except ImportError:
        raise missing_extra("a part of the modes of a large model", "numerics") from None

    parts = equations.sparse()
    sizes = system.sizes()
    nv = sizes["nv"]
    if sizes["nx"] or sizes["nz"] or any(form != "second" for form in parts["forms"]) or not equations.rests:
        g.refuse("modes/count", "asks for a part of the modes of a model with more than mechanical unknowns", "leave it out")

    def matrix(name):
        data, indices, indptr, shape = parts[name]
        return sp.csr_matrix((data, indices, indptr), shape=shape)

    M, K, D = (matrix(name) for name in ("mass", "stiffness", "damping"))
    rows = np.setdiff1d(np.arange(len(parts["forms"])), parts["dependent"])
    H = matrix("value")[rows]
    if abs(D).max() > 0:
        values, vectors = _sparse_damped(sp, sla, M, D, K, H, count)
    else:
        K = (K + K.T) / 2  # alike on the motions that the rows allow
        null = sp.csr_matrix((len(rows), len(rows)))
        left, right = sp.bmat([[K, H.T], [H, null]], "csc"), sp.block_diag([M, null], "csc")
        reference = abs(K).max() / abs(M).max()

        def solve(shift, k):
            inverse = sla.splu((left - shift * right).tocsc())
            operator = sla.LinearOperator(left.shape, inverse.solve)
            start = inverse.solve(right @ np.sin(1 + 1.7 * np.arange(left.shape[0])))
            return sla.eigsh(left, k, right, sigma=shift, OPinv=operator, v0=start, tol=1e-13)

        k = min(count, nv - len(rows) - 1)
        squares, _ = solve(-1e-6 * reference, min(k, 6))
        found = np.sort(np.abs(squares[np.abs(squares) > 1e-9 * reference]))
        squares, vectors = solve(-0.3 * found[0] if len(found) else -1e-6 * reference, k)
        rigid = np.abs(squares) < 1e-9 * max(np.abs(squares).max(), 1e-12 * reference)
        squares = np.where(rigid, 0.0, squares)
        values, vectors = np.sqrt(-squares + 0j), vectors[:nv].T
    shapes = np.zeros((len(values), 2 * nv), dtype=vectors.dtype)
    shapes[:, :nv] = vectors
    return _ordered(values, shapes)


def _sparse_damped(sp, sla, M, D, K, H, count: int):
    """Of M eta'' + D eta' + K eta + H^T mu = 0, H eta = 0, by the pencil in (eta, eta', mu)."""
    n, m = M.shape[0], H.shape[0]
    eye, null = sp.identity(n), sp.csr_matrix((m, m))
    left = sp.bmat([[None, eye, None], [-K, -D, -H.T], [H, None, null]], "csc")
    right = sp.block_diag([eye, M, null], "csc")
    shift = 1e-4 * np.sqrt(abs(K).max() / abs(M).max())
    inverse = sla.splu((left - shift * right).tocsc())
    k = min(2 * count + 2, 2 * (n - m) - 2)
    start = inverse.solve(right @ np.sin(1 + 1.7 * np.arange(left.shape[0])))
    operator = sla.LinearOperator(left.shape, lambda x: inverse.solve(right @ x))
    inverted, vectors = sla.eigs(operator, k, v0=start, tol=1e-13)
    values = shift + 1 / inverted
    keep = values.imag > -1e-12 * np.abs(values)
    return values[keep], vectors[:n, keep].T
