"""Inertia of bodies of even density."""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def inertia_of(shape: dict[str, Any], m: float) -> list[float] | None:
    """Principal moments (3) [kg m^2] of a solid of even density about its centre, in its axes; None for other shapes."""
    kind, r, h = shape.get("type"), shape.get("radius", 0.0), shape.get("length", 0.0)
    if kind == "rod":  # slim: transverse moments without the radius
        return [0.5 * m * r * r, m * h**2 / 12.0, m * h**2 / 12.0]
    if kind == "box":
        square = np.array(shape["size"]) ** 2
        return [float(m / 12.0 * (square.sum() - square[i])) for i in range(3)]
    if kind == "sphere":
        return [0.4 * m * r * r] * 3
    if kind == "cylinder":
        transverse = m * (3.0 * r * r + h * h) / 12.0
        return [transverse, transverse, 0.5 * m * r * r]
    if kind == "capsule":
        tube, balls = math.pi * r * r * h, 4.0 / 3.0 * math.pi * r**3
        tube, balls = m * tube / (tube + balls), m * balls / (tube + balls)
        # Two half balls: 2/5 m r^2 about the centre of the ball, their centres of mass 3/8 r further out.
        transverse = tube * (3.0 * r * r + h * h) / 12.0 + balls * (0.4 * r * r + 0.25 * h * h + 0.375 * h * r)
        return [transverse, transverse, 0.5 * tube * r * r + 0.4 * balls * r * r]
    return None
