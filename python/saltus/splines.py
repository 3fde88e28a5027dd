"""The spline of a rail, as the engine makes it: where a point is nearest to it, and points to draw it by."""

from __future__ import annotations

import numpy as np

GAUSS = np.polynomial.legendre.leggauss(10)
SAMPLES = 64  # of a piece, among which the nearest point is looked for


class Spline:
    """Cubic spline through points (n, 3), natural at its ends or closed; nodes at chord lengths."""

    def __init__(self, points: np.ndarray, closed: bool):
        nodes = np.vstack([points, points[:1]]) if closed else points
        self.width = np.linalg.norm(np.diff(nodes, axis=0), axis=1)
        slope = np.diff(nodes, axis=0) / self.width[:, None]
        n = len(nodes)
        matrix, right = np.eye(n), np.zeros((n, 3))
        for k in range(1, n - 1):
            matrix[k, k - 1 : k + 2] = self.width[k - 1], 2 * (self.width[k - 1] + self.width[k]), self.width[k]
            right[k] = 6 * (slope[k] - slope[k - 1])
        if closed:
            matrix[0, :] = 0
            matrix[0, [0, 1, n - 2]] = 2 * (self.width[-1] + self.width[0]), self.width[0], self.width[-1]
            right[0] = 6 * (slope[0] - slope[-1])
            matrix[n - 1, [0, n - 1]] = -1, 1
        m = np.linalg.solve(matrix, right)
        h = self.width[:, None]
        self.a, self.b, self.c, self.d = nodes[:-1], slope - h * (2 * m[:-1] + m[1:]) / 6, m[:-1] / 2, np.diff(m, axis=0) / (6 * h)
        self.arc = np.concatenate([[0.0], np.cumsum([self._length(k, w) for k, w in enumerate(self.width)])])

    def _slope(self, k: int, u):
        u = np.asarray(u)[..., None]
        return self.b[k] + u * (2 * self.c[k] + u * 3 * self.d[k])

    def _place(self, k: int, u):
        u = np.asarray(u)[..., None]
        return self.a[k] + u * (self.b[k] + u * (self.c[k] + u * self.d[k]))

    def _length(self, k: int, u: float) -> float:
        nodes, weights = GAUSS
        quarter = u / 4
        return sum(quarter / 2 * float(weights @ np.linalg.norm(self._slope(k, quarter * (part + 0.5 + nodes / 2)), axis=1)) for part in range(4))

    def nearest(self, p: np.ndarray) -> float:
        """Length along the curve to its point that is nearest to p (3)."""
        tried = [(float(np.sum((self._place(k, u) - p) ** 2)), k, u) for k, w in enumerate(self.width) for u in np.linspace(0, w, SAMPLES)]
        _, k, u = min(tried, key=lambda one: one[0])
        for _ in range(50):  # Newton's method on the angle between the tangent and the way to p
            away, slope = self._place(k, u) - p, self._slope(k, u)
            bend = 2 * self.c[k] + 6 * u * self.d[k]
            second = float(slope @ slope + away @ bend)
            step = float(away @ slope) / (second if second > 0 else float(slope @ slope))
            u = min(max(u - step, 0.0), float(self.width[k]))
            if abs(step) <= 1e-15 * self.width[k]:
                break
        return float(self.arc[k]) + self._length(k, u)
