"""Models in the x-y plane: bodies with three unknowns, joints and contacts with the rows that the plane has. What points out of it is refused."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from saltus import geometry as g

NORMAL = np.array((0.0, 0.0, 1.0))
JOINTS = {"revolute": "planar_revolute", "prismatic": "planar_prismatic", "fixed": "planar_fixed"}
LAWS = {"coulomb_impact": "coulomb_impact_2d", "rolling_impact": "rolling_impact_2d", "poisson_coulomb_impact": "poisson_coulomb_impact_2d", "adhesive_coulomb_impact": "adhesive_coulomb_impact_2d", "cohesive_coulomb_impact": "cohesive_coulomb_impact_2d", "mohr_coulomb": "mohr_coulomb_2d", "fremond_impact": "fremond_impact_2d"}
FLAT = 1e-12  # of the length: lies in the plane


def vector(value: Any, path: str, unit: str = "m") -> Any:
    """Two numbers, or three with z = 0, as three; anything that is not known yet as it is."""
    if value is None or callable(value) or isinstance(value, str) or hasattr(value, "_saltus_compiled"):
        return value
    try:
        parts = list(value)
    except TypeError:
        g.refuse(path, f"is {g.short(value)}, expected 2 numbers [{unit}]", "write (x, y)")
    if len(parts) == 2:
        return [*parts, 0.0]
    if len(parts) == 3 and isinstance(parts[2], (int, float, np.number)) and abs(float(parts[2])) > FLAT * (1.0 + max((abs(float(x)) for x in parts[:2] if isinstance(x, (int, float, np.number))), default=0.0)):
        g.refuse(path, f"has z = {float(parts[2]):g} {unit}, out of the plane", "a planar model moves in x and y: give z = 0, or two numbers")
    return parts


def about_normal(value: Any, path: str, unit: str) -> Any:
    """A number, or three of which only that about z is not 0, as a number."""
    if value is None or isinstance(value, (int, float, np.number, str)) or callable(value) or hasattr(value, "_saltus_compiled"):
        return value
    parts = list(value.as_rotvec()) if hasattr(value, "as_rotvec") else list(value)
    if len(parts) == 3 and all(isinstance(x, (int, float, np.number)) for x in parts[:2]):
        if any(abs(float(x)) > FLAT for x in parts[:2]):
            g.refuse(path, f"is ({', '.join(f'{float(x):g}' for x in parts)}) {unit}, about an axis in the plane", "a planar model turns about z alone: give one number")
        return parts[2]
    g.refuse(path, f"is {g.short(value)}, expected one number [{unit}]", "give what is about z")


def angle(R: np.ndarray, path: str) -> float:
    """Of a rotation about z."""
    if abs(R[2, 2] - 1.0) > 1e-9:
        turn = g.rotation_vector(R)
        g.refuse(path, f"turns the body by ({', '.join(f'{x:g}' for x in turn)}) rad, out of the plane", "a planar model turns about z alone")
    return math.atan2(R[1, 0], R[0, 0])


def along(direction: np.ndarray, path: str) -> None:
    """Refuses a direction out of the plane."""
    if abs(direction[2]) > 1e-9:
        g.refuse(path, f"is ({', '.join(f'{x:g}' for x in direction)}), out of the plane", "give a direction in x and y")


def slide_frame(direction: np.ndarray) -> np.ndarray:
    """Axes of a slide: z along it, x the normal of the plane."""
    return np.column_stack([NORMAL, np.cross(direction, NORMAL), direction])


def plane_frame(normal: np.ndarray) -> np.ndarray:
    """Axes of a line on which bodies lie: z its normal, x along it, y against the normal of the plane."""
    return np.column_stack([np.cross(-NORMAL, normal), -NORMAL, normal])


def _line(value: Any, least: int, path: str) -> np.ndarray:
    """Points (n, 2), or (n, 3) with z = 0, as (n, 2)."""
    rows = [vector(row, f"{path}/{i}") for i, row in enumerate(value)] if isinstance(value, (list, tuple, np.ndarray)) else None
    if rows is None or len(rows) < least or not all(isinstance(row, list) and len(row) in (2, 3) and np.isscalar(row[0]) and np.isscalar(row[1]) for row in rows):
        g.refuse(path, f"is {g.short(value)}, expected at least {least} points (x, y) [m]", "write ((x, y), ...)")
    out = np.array(rows, dtype=float)[:, :2]
    wrong = np.flatnonzero(~np.all(np.isfinite(out), axis=1))
    if len(wrong):
        g.refuse(path, f"has point {wrong[0]}, {g.short(out[wrong[0]])}, which is not finite", "look where it comes from: 0/0, or a value that was never set")
    return out


def prism(points: Any, path: str) -> np.ndarray:
    """Corners (2 n, 3) of a polygon 1 m deep."""
    corners = _line(points, 3, path)
    if np.linalg.matrix_rank(corners - corners[0], tol=1e-9 * np.abs(corners - corners[0]).max(initial=0.0)) < 2:
        g.refuse(path, "lie on a line", "a polygon needs three points that do not")
    return np.vstack([np.column_stack([corners, np.full(len(corners), z)]) for z in (-0.5, 0.5)])


def strip(points: Any, path: str) -> tuple[np.ndarray, np.ndarray]:
    """Points and triangles of a chain of segments, free on its left: wider than what stands on it."""
    line = _line(points, 2, path)
    same = np.flatnonzero(np.all(np.diff(line, axis=0) == 0.0, axis=1))
    if len(same):
        g.refuse(path, f"has point {same[0] + 1} twice", "leave it out")
    n, wide = len(line), 10.0
    i = np.arange(n - 1)
    corners = np.vstack([np.column_stack([line, np.full(n, z)]) for z in (-wide, wide)])
    return corners, np.vstack([np.column_stack([i, n + i, n + i + 1]), np.column_stack([i, n + i + 1, i + 1])])


def law(given: dict[str, Any], path: str, known: dict[str, Any]) -> dict[str, Any]:
    """The law with the rows of the plane."""
    kind = LAWS.get(given["type"], given["type"])
    fields = {key: value for key, value in given.items() if key != "type"}
    if kind == "rolling_impact_2d" and fields.pop("spinning", 0.0):
        g.refuse(f"{path}/spinning", f"is {given['spinning']}, about an axis in the plane", "leave it out: discs roll and do not spin about the normal of a contact")
    if known[kind]["rows"] > (3 if kind == "rolling_impact_2d" else 2):
        g.refuse(f"{path}/law", f"is {given['type']}, of {known[kind]['rows']} rows", f"a planar contact takes {', '.join(sorted(set(LAWS.values())))}, newton_impact, poisson_impact")
    return {"type": kind, **fields}
