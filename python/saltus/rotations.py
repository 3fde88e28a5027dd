"""Rotations and rigid motions: from and to vectors, matrices, quaternions and angles of a sequence, one or many at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from saltus import geometry as g
from saltus.errors import methods_at_their_lines

_AXES = "xyz"
_SINGULAR = 1e-7  # from the singular angle: there the first and the third angle are not told apart


@dataclass(frozen=True, eq=False)
class Rotation:
    """A rotation, or an array of them: what turns the axes of a body to where they stand in the world, R_WB.

    `matrix` (..., 3, 3). Verbs take one wherever they take a rotation vector. `Q @ R` turns by R first, `R @ points` turns points (..., 3).
    """

    matrix: NDArray[Any]

    @classmethod
    def of_vector(cls, vector: Any) -> Rotation:
        """exp of rotation vectors (..., 3) [rad]: the axis times the angle."""
        v = _array(vector, "rotation/vector", (3,))
        angle = np.linalg.norm(v, axis=-1)[..., None]
        half = 0.5 * angle
        share = np.where(angle > 0.0, np.sin(half) / np.where(angle > 0.0, angle, 1.0), 0.5)
        return cls.of_quaternion(np.concatenate([np.cos(half), share * v], axis=-1))

    @classmethod
    def about(cls, axis: Any, angle: Any) -> Rotation:
        """By angles (...) [rad] about an axis: "x", "-z", or a vector (3) of any length."""
        return cls.of_vector(np.asarray(angle, dtype=float)[..., None] * g.direction(axis, "rotation/axis"))

    @classmethod
    def of_matrix(cls, matrix: Any) -> Rotation:
        """From matrices (..., 3, 3), or (..., 9) row by row, that are orthogonal to 1e-6 and no mirror images."""
        R = np.array(matrix, dtype=float)
        R = R.reshape(*R.shape[:-1], 3, 3) if R.shape[-1:] == (9,) else R
        R = _array(R, "rotation/matrix", (3, 3))
        worst = np.max(np.abs(np.swapaxes(R, -1, -2) @ R - np.eye(3)), initial=0.0)
        if worst > 1e-6:
            g.refuse("rotation/matrix", f"is not orthogonal: R^T R differs from 1 by {worst:.2g}", "its columns are the unit vectors of the turned axes")
        if np.any(np.linalg.det(R) < 0.0):
            g.refuse("rotation/matrix", "is a mirror image: its determinant is -1", "change the sign of one column: x, y and z are right-handed")
        return cls.of_quaternion(quaternion_of(R))

    @classmethod
    def of_quaternion(cls, quaternion: Any) -> Rotation:
        """From quaternions (..., 4), the scalar part first (w, x, y, z), of any length but zero."""
        q = _array(quaternion, "rotation/quaternion", (4,))
        length = np.linalg.norm(q, axis=-1, keepdims=True)
        if not np.all(length > 0.0):
            g.refuse("rotation/quaternion", "has length zero", "no rotation is (1, 0, 0, 0)")
        w, x, y, z = np.moveaxis(q / length, -1, 0)
        rows = [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
            [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
            [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
        ]
        return cls(np.stack([np.stack(row, axis=-1) for row in rows], axis=-2))

    @classmethod
    def of_angles(cls, sequence: str, angles: Any) -> Rotation:
        """From angles (..., 1 to 3) [rad] about the axes of a sequence, one after the other.

        Small letters: axes of the world, `"xyz"` turns about x, then y, then z. Capitals: axes that turn along, `"ZYX"` is yaw, pitch, roll,
        `"ZXZ"` are Euler's angles.
        """
        axes, moving = _sequence(sequence)
        a = _array(angles, "rotation/angles", (len(axes),))
        out = cls(np.broadcast_to(np.eye(3), (*a.shape[:-1], 3, 3)))
        for i, axis in enumerate(axes):
            turn = cls.about(_AXES[axis], a[..., i])
            out = out @ turn if moving else turn @ out
        return out

    @property
    def vector(self) -> NDArray[Any]:
        """Rotation vectors (..., 3) [rad], their angle at most pi."""
        q = self.quaternion
        sine = np.linalg.norm(q[..., 1:], axis=-1, keepdims=True)
        angle = 2.0 * np.arctan2(sine, q[..., :1])
        return np.where(sine > 1e-12, angle / np.where(sine > 1e-12, sine, 1.0), 2.0) * q[..., 1:]

    @property
    def quaternion(self) -> NDArray[Any]:
        """Unit quaternions (..., 4), w, x, y, z with w at least 0."""
        return quaternion_of(self.matrix)

    def angles(self, sequence: str, *, continued: bool = False) -> NDArray[Any]:
        """Angles (..., 3) [rad] of a sequence of three axes, written as in `of_angles`.

        The middle angle is within +-pi/2, or 0 to pi where the first and the last axis are the same; the others within +-pi. At its ends
        (gimbal lock) only the sum or the difference of the other two is known: the third is 0 then, and a warning tells it. continued:
        along the first dimension angles go on beyond half a turn, as they do in a motion whose states are less than half a turn apart
        (`record=` gives even times). Bernardes, Viollet 2022.
        """
        axes, moving = _sequence(sequence, 3)
        i, j, k = axes[::-1] if moving else axes
        proper = i == k
        k = 3 - i - j if proper else k
        sign = (i - j) * (j - k) * (k - i) // 2
        q = np.moveaxis(self.quaternion, -1, 0)
        a, b, c, d = q[0], q[1 + i], q[1 + j], sign * q[1 + k]
        if not proper:
            a, b, c, d = a - c, b + d, c + a, d - b
        middle = 2.0 * np.arctan2(np.hypot(c, d), np.hypot(a, b))
        total, difference = np.arctan2(b, a), np.arctan2(d, c)
        first, third = total - difference, total + difference
        low, high = middle < _SINGULAR, middle > np.pi - _SINGULAR
        lone = np.where(low, 2.0 * total, (2.0 if moving else -2.0) * difference)  # of the axis that is named first
        first = np.where(low | high, 0.0 if moving else lone, first)
        third = np.where(low | high, lone if moving else 0.0, third)
        if not proper:
            third, middle = sign * third, middle - 0.5 * np.pi
        if np.any(low | high):
            g.warn("rotation/angles", f"of {int(np.sum(low | high))} rotations stand at the singular angle of {sequence!r}", "read another sequence, or the rotation vector")
        out = np.stack([third, middle, first] if moving else [first, middle, third], axis=-1)
        out = (out + np.pi) % (2.0 * np.pi) - np.pi
        out[..., 1] = middle
        return np.unwrap(out, axis=0) if continued and out.ndim > 1 else out

    @property
    def inverse(self) -> Rotation:
        """What turns back."""
        return Rotation(np.swapaxes(self.matrix, -1, -2))

    def as_rotvec(self) -> NDArray[Any]:
        """`vector`, by the name that scipy's Rotation has for it."""
        return self.vector

    @overload
    def __matmul__(self, other: Rotation) -> Rotation: ...
    @overload
    def __matmul__(self, other: Any) -> NDArray[Any]: ...
    def __matmul__(self, other):
        if isinstance(other, Rotation):
            return Rotation(self.matrix @ other.matrix)
        return (self.matrix @ _array(other, "rotation/points", (3,))[..., None])[..., 0]

    def __len__(self) -> int:
        if self.matrix.ndim == 2:
            raise TypeError("a single rotation has no length")
        return len(self.matrix)

    def __getitem__(self, index: Any) -> Rotation:
        if self.matrix.ndim == 2:
            raise TypeError("a single rotation is no array of them")
        return Rotation(self.matrix[index])

    def __repr__(self) -> str:
        return f"<{len(self.matrix)} rotations>" if self.matrix.ndim > 2 else f"<rotation {np.array2string(self.vector, precision=6)} rad>"


@dataclass(frozen=True, eq=False)
class Pose:
    """A rigid motion, or an array of them: the place of a frame in another one. `position` (..., 3) [m], then `rotation`.

    `P @ Q` is the pose of Q's frame where Q is given in the frame P, `P @ points` leads points (..., 3) [m] out of the frame.
    """

    position: NDArray[Any]
    rotation: Rotation

    def __init__(self, position: Any = (0.0, 0.0, 0.0), rotation: Any = (0.0, 0.0, 0.0)):
        object.__setattr__(self, "position", _array(position, "pose/position", (3,)))
        object.__setattr__(self, "rotation", rotation_of(rotation))

    @classmethod
    def of_matrix(cls, matrix: Any) -> Pose:
        """From homogeneous matrices (..., 4, 4)."""
        T = _array(matrix, "pose/matrix", (4, 4))
        if np.any(np.abs(T[..., 3, :] - (0.0, 0.0, 0.0, 1.0)) > 1e-9):
            g.refuse("pose/matrix", "has a last row that is not (0, 0, 0, 1)", "write [[R, p], [0, 0, 0, 1]]")
        return cls(T[..., :3, 3], Rotation.of_matrix(T[..., :3, :3]))

    @property
    def matrix(self) -> NDArray[Any]:
        """Homogeneous matrices (..., 4, 4): [[R, p], [0, 1]]."""
        R = self.rotation.matrix
        T = np.zeros((*np.broadcast_shapes(R.shape[:-2], self.position.shape[:-1]), 4, 4))
        T[..., :3, :3], T[..., :3, 3], T[..., 3, 3] = R, self.position, 1.0
        return T

    @property
    def inverse(self) -> Pose:
        """What leads back."""
        back = self.rotation.inverse
        return Pose(-(back @ self.position), back)

    @overload
    def __matmul__(self, other: Pose) -> Pose: ...
    @overload
    def __matmul__(self, other: Any) -> NDArray[Any]: ...
    def __matmul__(self, other):
        if isinstance(other, Pose):
            return Pose(self.position + (self.rotation @ other.position), self.rotation @ other.rotation)
        return self.position + (self.rotation @ other)

    def __repr__(self) -> str:
        if self.position.ndim > 1:
            return f"<{len(self.position)} poses>"
        return f"<pose {np.array2string(self.position, precision=6)} m, {np.array2string(self.rotation.vector, precision=6)} rad>"


def rotation_of(value: Any) -> Rotation:
    """A Rotation from one, from scipy's, from rotation vectors (..., 3) or matrices (..., 3, 3)."""
    if isinstance(value, Rotation):
        return value
    if hasattr(value, "as_rotvec"):
        return Rotation.of_vector(value.as_rotvec())
    return Rotation.of_matrix(value) if np.shape(value)[-2:] == (3, 3) else Rotation.of_vector(value)


def turn_vector(value: Any, path: str) -> NDArray[Any]:
    """A rotation vector (3) [rad] from what verbs take as a rotation."""
    if isinstance(value, Rotation) or hasattr(value, "as_rotvec") or np.shape(value) == (3, 3):
        vector = rotation_of(value).vector
        if vector.ndim > 1:
            g.refuse(path, f"holds {len(vector)} rotations, expected one", "take one of them: rotation[i]")
        return vector
    return g.vector(value, path, "rad")


def quaternion_of(R: NDArray[Any]) -> NDArray[Any]:
    """Unit quaternions (..., 4), w at least 0, of rotation matrices (..., 3, 3): the column of the largest square, which loses no digits (Shepperd 1978)."""
    d = np.diagonal(R, axis1=-2, axis2=-1)
    trace = d.sum(axis=-1)
    K = np.empty((*R.shape[:-2], 4, 4))  # 4 q q^T
    K[..., 0, 0] = 1.0 + trace
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        K[..., 1 + i, 1 + i] = 1.0 + 2.0 * d[..., i] - trace
        K[..., 0, 1 + i] = K[..., 1 + i, 0] = R[..., k, j] - R[..., j, k]
        K[..., 1 + i, 1 + j] = K[..., 1 + j, 1 + i] = R[..., i, j] + R[..., j, i]
    largest = np.argmax(np.diagonal(K, axis1=-2, axis2=-1), axis=-1)
    q = np.take_along_axis(K, largest[..., None, None], axis=-1)[..., 0]
    q = q / np.linalg.norm(q, axis=-1, keepdims=True)
    return np.where(q[..., :1] < 0.0, -q, q)


def _array(value: Any, path: str, shape: tuple[int, ...]) -> NDArray[Any]:
    """Finite numbers whose last dimensions are `shape`."""
    said = ", ".join(map(str, ("...", *shape)))
    try:
        x = np.array(value, dtype=float)
    except (TypeError, ValueError):
        g.refuse(path, f"is {g.short(value)}, expected numbers ({said})")
    if x.shape[-len(shape) :] != shape:
        g.refuse(path, f"has the shape {x.shape}, expected ({said})")
    if not np.all(np.isfinite(x)):
        g.refuse(path, "holds a number that is not finite", "look where it comes from: 0/0, or a value that was never set")
    return x


def _sequence(text: str, length: int | None = None) -> tuple[list[int], bool]:
    """(axes, whether they turn along) of "xyz", "ZYX", ..."""
    how = 'write up to three of "xyz" (axes of the world) or of "XYZ" (axes that turn along), such as "ZYX" for yaw, pitch, roll'
    if not isinstance(text, str) or not 1 <= len(text) <= 3 or not (set(text) <= set("xyz") or set(text) <= set("XYZ")):
        g.refuse("rotation/sequence", f"is {text!r}, no sequence of axes", how)
    if any(a == b for a, b in zip(text, text[1:], strict=False)):
        g.refuse("rotation/sequence", f"{text!r} turns about {text[1]} twice in a row", "neighbouring axes differ")
    if length is not None and len(text) != length:
        g.refuse("rotation/sequence", f"{text!r} has {len(text)} axes, expected {length}", how)
    return [_AXES.index(letter) for letter in text.lower()], text.isupper()


methods_at_their_lines(Rotation, Pose)
