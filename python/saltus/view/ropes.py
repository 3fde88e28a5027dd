"""Ropes as they lie: places along each at every state, as frames of their own behind those of the model."""

from __future__ import annotations

from typing import Any

import numpy as np

from saltus import _core
from saltus.view.pictures import NONE, picture_of
from saltus.view.places import GROUND, Place, Places

ARC = 8  # straight pieces of what lies on a sheave or a body


class RopePoints:
    """A rope over what the list `through` names; None in `over` where an element has no place."""

    def __init__(self, places: Places, through: Any):
        self._over: list[tuple[str, float, int, Place]] = []
        for reference in through if isinstance(through, list) else [through]:
            place = places.place(reference)
            if place is None:
                self._over = []
                break
            record = places.records.get(reference) if isinstance(reference, str) else None
            look, fields = (picture_of(record), record["fields"]) if record else (NONE, {})
            kind = fields.get("shape", "sphere") if look.shape == "wrap" else "sheave" if look.shape == "sheave" else "point"
            radius = places.number(fields.get(look.sizes[0], 0.0)) if kind != "point" else 0.0
            self._over.append((kind, radius, int(fields.get("turns", 0)), place))
        self.count = sum(1 if kind == "point" else ARC + 1 for kind, *_ in self._over)

    def at(self, p: np.ndarray, R: np.ndarray) -> np.ndarray:
        """Places (n, count, 3) [m] where the frames of the model are at p (n, frames, 3), R (n, frames, 3, 3)."""
        out = np.zeros((len(p), self.count, 3))
        for i in range(len(p)):
            listed = []
            for kind, radius, turns, on in self._over:
                base, turn = (np.zeros(3), np.eye(3)) if on.frame == GROUND else (p[i, on.frame], R[i, on.frame])
                listed.append((kind, radius, turns, tuple((base + turn @ on.p).tolist()), tuple((turn @ on.R).ravel().tolist())))
            out[i] = self._points(listed)
        return out

    def _points(self, listed: list[Any]) -> np.ndarray:
        corners: list[list[tuple[float, ...]]] = [[] for _ in listed]
        for element, point in _core.rope_way(listed)[1]:
            corners[element].append(point)
        points: list[np.ndarray] = []
        for (kind, _, _, place, _), touched in zip(listed, corners, strict=True):
            n = 1 if kind == "point" else ARC + 1
            along = np.array(touched if touched else [points[-1][-1] if points else place])  # let go: it goes on from the last place
            at = np.linspace(0.0, len(along) - 1, n)
            points.append(np.stack([np.interp(at, np.arange(len(along)), along[:, k]) for k in range(3)], axis=1))
        return np.concatenate(points)


def matrices(q: np.ndarray) -> np.ndarray:
    """Rotation matrices (..., 3, 3) of unit quaternions (..., 4)."""
    w, x, y, z = np.moveaxis(q, -1, 0)
    rows = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)], [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))
