"""Surfaces of triangles for pictures: STL (binary and text) and OBJ files. Masses and contacts do not see them."""

from __future__ import annotations

import os
import struct
from pathlib import Path
from typing import Any

import numpy as np

from saltus.errors import Fault, ModelError

LARGEST = 200_000  # triangles: more slows every picture
_FACET = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("more", "<u2")])


def read_mesh(path: str | os.PathLike, scale: float = 1.0) -> dict[str, Any]:
    """{"type": "mesh", "points" (n, 3) [m], "faces" (m, 3)} of a file; `scale` [m per unit of the file]."""
    file = Path(path)
    try:
        data = file.read_bytes()
    except OSError as error:
        raise _fault(file, f"cannot be opened: {error.strerror}") from None
    reader = {".stl": _stl, ".obj": _obj}.get(file.suffix.lower())
    if reader is None:
        raise _fault(file, f"has the ending {file.suffix!r}", "give a .stl or .obj file")
    try:
        points, faces = reader(data)
    except (ValueError, IndexError, struct.error) as error:
        raise _fault(file, f"cannot be read as {file.suffix[1:].upper()}: {error}") from None
    if not len(faces) or not np.all(np.isfinite(points)):
        raise _fault(file, "holds no triangles" if not len(faces) else "holds points that are not finite")
    if faces.min() < 0 or faces.max() >= len(points):
        raise _fault(file, "names points that are not there")
    if len(faces) > LARGEST:
        raise _fault(file, f"has {len(faces)} triangles, at most {LARGEST} are drawn", "simplify it first")
    return {"type": "mesh", "points": (points * scale).tolist(), "faces": faces.tolist()}


def _fault(file: Path, message: str, remedy: str = "") -> ModelError:
    return ModelError(Fault("mesh", message, remedy, str(file)))


def _stl(data: bytes) -> tuple[np.ndarray, np.ndarray]:
    count = struct.unpack_from("<I", data, 80)[0] if len(data) >= 84 else -1
    if len(data) == 84 + 50 * count:
        corners = np.frombuffer(data, _FACET, count, 84)["corners"].reshape(-1, 3).astype(float)
    else:
        words = [line.split() for line in data.decode("ascii").splitlines()]
        corners = np.array([[float(x) for x in w[1:4]] for w in words if w and w[0] == "vertex"]).reshape(-1, 3)
    if len(corners) % 3:
        raise ValueError(f"{len(corners)} corners are no whole triangles")
    points, numbers = np.unique(corners, axis=0, return_inverse=True)
    return points, numbers.reshape(-1, 3)


def _obj(data: bytes) -> tuple[np.ndarray, np.ndarray]:
    points: list[list[float]] = []
    faces: list[list[int]] = []
    for line in data.decode().splitlines():
        words = line.split()
        if words[:1] == ["v"]:
            points.append([float(x) for x in words[1:4]])
        elif words[:1] == ["f"]:
            corner = [int(word.split("/")[0]) for word in words[1:]]
            corner = [i - 1 if i > 0 else len(points) + i for i in corner]
            faces += [[corner[0], corner[k], corner[k + 1]] for k in range(1, len(corner) - 1)]
    return np.array(points, dtype=float).reshape(-1, 3), np.array(faces, dtype=int).reshape(-1, 3)
