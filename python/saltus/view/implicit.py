"""Surfaces given by a formula, as triangles: one vertex in each cell of a grid that the surface crosses (Gibson 1998, surface nets)."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

CELLS = 28  # along the longest edge


def faces_of(distance: Callable[[np.ndarray], np.ndarray], size: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Points (n, 3) and triangles (m, 3), counter-clockwise from outside, where distance((k, 3)) (k) is 0 in a box with edges `size` (3) about the origin."""
    size = np.asarray(size, dtype=float)
    counts = np.maximum(4, np.ceil(CELLS * size / size.max())).astype(int) + 1
    axes = [np.linspace(-0.5 * s, 0.5 * s, n) for s, n in zip(size, counts, strict=True)]
    places = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
    values = np.asarray(distance(places.reshape(-1, 3))).reshape(places.shape[:3])
    inside = values < 0.0
    total, crossings = np.zeros((*(np.array(values.shape) - 1), 3)), np.zeros(np.array(values.shape) - 1)

    def corner(array: np.ndarray, offset: tuple[int, ...]) -> np.ndarray:
        return array[tuple(slice(o, n - 1 + o) for o, n in zip(offset, values.shape, strict=True))]

    for start in itertools.product((0, 1), repeat=3):
        for axis in (a for a in range(3) if start[a] == 0):
            end = tuple(int(i == axis) or s for i, s in enumerate(start))
            a, b = corner(values, start), corner(values, end)
            crossed = corner(inside, start) != corner(inside, end)
            share = np.where(crossed, a / np.where(crossed, a - b, 1.0), 0.0)[..., None]
            total += np.where(crossed[..., None], corner(places, start) + share * (corner(places, end) - corner(places, start)), 0.0)
            crossings += crossed
    number = np.where(crossings > 0, np.cumsum(crossings.ravel() > 0).reshape(crossings.shape) - 1, -1)
    points = (total / np.maximum(crossings, 1)[..., None])[crossings > 0]
    faces = []
    for axis in range(3):  # four cells around each crossed edge of the grid
        u, v = (axis + 1) % 3, (axis + 2) % 3
        low, high = np.take(inside, range(values.shape[axis] - 1), axis), np.take(inside, range(1, values.shape[axis]), axis)
        edges = np.argwhere(low != high)
        edges = edges[(edges[:, u] > 0) & (edges[:, v] > 0) & (edges[:, u] < values.shape[u] - 1) & (edges[:, v] < values.shape[v] - 1)]
        square = []
        for du, dv in ((-1, -1), (0, -1), (0, 0), (-1, 0)):
            cell = edges.copy()
            cell[:, u] += du
            cell[:, v] += dv
            square.append(number[tuple(cell.T)])
        square = np.stack(square, axis=1)
        outward = low[tuple(edges.T)]  # solid below: the outside is along the axis
        square[~outward] = square[~outward][:, ::-1]
        faces += [square[:, [0, 1, 2]], square[:, [0, 2, 3]]]
    return points, np.concatenate(faces)
