"""Curves of solutions over a parameter: pseudo-arclength predictor and corrector (Keller 1977), for orbits and for equilibria."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

WORSE = 0.5  # of the step after a corrector that fails
BETTER = 1.5  # after one that needs few iterations
FEW, MOST = 4, 10  # iterations of a corrector
BENT = 0.9  # cosine of the angle between two tangents from which a step is too long


class LostError(Exception):
    """The corrector finds no solution with the smallest step."""


@dataclass
class Point:
    """One solution: what the caller's state is, the parameter, and the tangent (move of the state, of the parameter), of length 1."""

    state: Any
    value: float
    tangent: Array
    jacobian: Array  # (equations, unknowns + 1), the last column by the parameter
    length: float = 0.0  # along the curve


@dataclass
class Curve:
    """What is followed.

    residual(state, value) is 0 on it, jacobian(state, value) has a column for each move and one for the parameter, in units in which a move of 1 is large; moved(state, move) goes to another state.
    """

    residual: Callable[[Any, float], Array]
    jacobian: Callable[[Any, float], Array]
    moved: Callable[[Any, Array], Any]
    scale: float  # of the parameter: what is large
    tolerance: float


def kernel(J: Array, n: int, like: Array | None = None) -> Array:
    """Orthonormal moves (n, moves) that rows allow, turned so that they are as near as can be to those of a place nearby."""
    if not len(J):
        return np.eye(n)
    norm = np.linalg.norm(J, axis=1)
    _, sigma, W = np.linalg.svd(J / np.where(norm > 0, norm, 1.0)[:, None])
    P = W[int(np.sum(sigma > 1e-9 * sigma.max(initial=0.0))) :].T
    if like is None or like.shape != P.shape:
        return P
    U, _, V = np.linalg.svd(P.T @ like)
    return P @ (U @ V)


def tangent(jacobian: Array, before: Array | None, towards: float) -> Array:
    """The direction that the equations leave, in the sense of the one before, or of a parameter that grows (towards > 0) or falls."""
    direction: Array = np.asarray(np.linalg.svd(jacobian)[2][-1], dtype=np.float64)
    sense = direction @ before if before is not None else direction[-1] * towards
    return direction if sense >= 0 else -direction


def corrected(curve: Curve, state: Any, value: float, row: Array, aim: float = 0.0) -> tuple[Any, float, Array, int] | None:
    """Newton's method on the equations and row . move = aim; (state, value, jacobian, iterations), or None."""
    gone = 0.0
    for k in range(MOST):
        r = curve.residual(state, value)
        J = curve.jacobian(state, value)
        size = float(np.abs(r).max(initial=0.0))
        if not np.isfinite(size) or not np.isfinite(J).all():
            return None
        if size <= curve.tolerance and k > 0:
            return state, value, J, k
        move = np.linalg.lstsq(np.vstack([J, row]), np.append(-r, aim - gone), rcond=None)[0]
        if np.abs(move).max() > 2.0:
            return None
        gone += float(row @ move)
        state, value = curve.moved(state, move[:-1]), value + curve.scale * float(move[-1])
    return None


def follow(
    curve: Curve, state: Any, value: float, end: float, step: float, smallest: float, points: int, keep: Callable[[Point], bool], first: Array | None = None
) -> list[Point]:
    """Points from a solution near (state, value) until the parameter passes `end`, `keep` says no, or there are as many as asked for.
    first: the move that the first point's correction leaves out and along which the curve goes; else the first point stands at its value and the parameter goes to `end`.

    step: first and longest, smallest: the shortest step along the curve. Raises LostError with what was found as its argument.
    """
    row = np.eye(curve.jacobian(state, value).shape[1])[-1] if first is None else first
    found = corrected(curve, state, value, row)
    if found is None:
        raise LostError([])
    state, value, J, _ = found
    towards = float(np.sign(end - value)) or 1.0
    out = [Point(state, value, tangent(J, first, towards), J)]
    if not keep(out[0]):
        return out
    ds = step
    while len(out) < points:
        last = out[-1]
        ahead = curve.moved(last.state, ds * last.tangent[:-1])
        found = corrected(curve, ahead, last.value + curve.scale * ds * float(last.tangent[-1]), last.tangent)
        direction = None if found is None else tangent(found[2], last.tangent, 1.0)
        if found is None or direction is None or direction @ last.tangent < BENT:
            ds *= WORSE
            if ds < smallest:
                raise LostError(out)
            continue
        state, value, J, count = found
        past = (end - value) * towards < 0
        if past:  # the last point stands at the end
            share = (end - last.value) / (value - last.value)
            at_end = corrected(curve, curve.moved(last.state, share * ds * last.tangent[:-1]), end, np.eye(J.shape[1])[-1])
            if at_end is not None:
                state, value, J = at_end[0], end, at_end[2]
                direction = tangent(J, last.tangent, 1.0)
        out.append(Point(state, value, direction, J, last.length + ds))
        if not keep(out[-1]) or past:
            return out
        ds = min(step, ds * BETTER) if count <= FEW else ds
    return out
