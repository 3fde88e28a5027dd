"""Angles in degrees, the one unit that is not SI."""

from __future__ import annotations

import math
from typing import overload


@overload
def degrees(angle: float, /) -> float: ...
@overload
def degrees(*, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> tuple[float, float, float]: ...
def degrees(angle=None, /, *, x=0.0, y=0.0, z=0.0):
    """An angle given in degrees [rad], or a rotation vector (3) [rad] from its components in degrees.

    `sl.degrees(30)` is 0.5236; `sl.degrees(y=30)` turns by 30 degrees about y, as `rotation=` takes it.
    """
    if angle is not None:
        return _radians(angle, "degrees")
    return (_radians(x, "degrees/x"), _radians(y, "degrees/y"), _radians(z, "degrees/z"))


def _radians(angle: float, path: str) -> float:
    try:
        return math.radians(angle)
    except TypeError:
        from saltus.geometry import number

        return math.radians(number(angle, path, "deg"))
