"""Surfaces of triangles as they come: STL (binary and text) and OBJ files, what else trimesh reads, its objects, arrays. Mistakes are named with the triangle and its line."""

from __future__ import annotations

import os
import struct
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from saltus import geometry as g
from saltus.errors import Fault, ModelError

LARGEST = 200_000  # triangles: more slows every picture and every step
FLAT = 1e-12  # of the square of the longest edge: twice the area below which a triangle has none
NAMED = 5  # triangles that a message names
_FACET = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("more", "<u2")])


@dataclass(frozen=True, eq=False)
class Triangles:
    """Points (n, 3) [m] and faces (m, 3); of a file with the line of each, and the numbers that faces had before others were left out."""

    points: NDArray[np.float64]
    faces: NDArray[np.int64]
    file: str = ""
    lines: NDArray[np.int64] | None = None
    numbers: NDArray[np.int64] | None = None
    unitless: bool = False  # of a file that does not say its unit of length

    def some(self, kept: NDArray[Any]) -> Triangles:
        """Of the faces those that are kept."""
        numbers = np.arange(len(self.faces)) if self.numbers is None else self.numbers
        return replace(self, faces=self.faces[kept], lines=None if self.lines is None else self.lines[kept], numbers=numbers[kept])

    def named(self, faces: Sequence[int] | NDArray[Any]) -> str:
        """`triangle 3`, or `triangles 3, 7, 9`."""
        numbers = [str(int(t) if self.numbers is None else int(self.numbers[t])) for t in faces]
        more = f" and {len(numbers) - NAMED} more" if len(numbers) > NAMED else ""
        return f"triangle{'s' * (len(numbers) > 1)} {', '.join(numbers[:NAMED])}{more}"

    def place(self, face: int) -> tuple[str, int]:
        """File and line of a face; of arrays the line of the program."""
        return (self.file, 0 if self.lines is None else int(self.lines[face])) if self.file else g.caller()

    def refuse(self, path: str, face: int, message: str, remedy: str = "") -> NoReturn:
        """Raises a mistake at the place of a face."""
        raise ModelError(Fault(path, message, remedy, *self.place(face)))

    def warn(self, path: str, face: int, message: str, remedy: str = "") -> None:
        """Warns at the place of a face."""
        g.warn(path, message, remedy, self.place(face))


def triangles_of(surface: Any, scale: Any, path: str) -> Triangles:
    """Triangles of a file, of trimesh's object or of a pair of arrays; points at one place are one, what has no area is left out with a warning.

    scale: [m] per unit, None where none was given: then as the file or the object says, else 1."""
    factor = None if scale is None else g.number(scale, path.rpartition("/")[0] + "/scale", "", above=0.0)
    if isinstance(surface, (str, os.PathLike)):
        read = read_triangles(surface, factor)
        points, index = np.unique(read.points, axis=0, return_inverse=True)
        read = replace(read, points=points, faces=index.reshape(-1)[read.faces])
    elif hasattr(surface, "to_mesh") or hasattr(surface, "faces"):
        read = _checked(_of_trimesh(surface, factor))
        points, index = np.unique(read.points, axis=0, return_inverse=True)
        read = replace(read, points=points, faces=index.reshape(-1)[read.faces])
    else:
        read = _of_arrays(surface, 1.0 if factor is None else factor, path)
    return _with_area(read, path)


def read_mesh(surface: Any, scale: float | None = None) -> dict[str, Any]:
    """{"type": "mesh", "points" (n, 3) [m], "faces" (m, 3)} of a file or of trimesh's object, for pictures."""
    read = read_triangles(surface, scale) if isinstance(surface, (str, os.PathLike)) else triangles_of(surface, scale, "mesh")
    return {"type": "mesh", "points": read.points.tolist(), "faces": read.faces.tolist()}


def read_triangles(path: str | os.PathLike, scale: float | None = None) -> Triangles:
    """The triangles of a file as it has them."""
    file = Path(path)
    try:
        data = file.read_bytes()
    except OSError as error:
        raise _fault(file, f"cannot be opened: {error.strerror}") from None
    reader = {".stl": _stl, ".obj": _obj}.get(file.suffix.lower())
    if reader is None:
        return _checked(replace(_of_trimesh(_by_trimesh(file), scale), file=str(file)))
    points, faces, lines = reader(data, file)
    return _checked(Triangles((1.0 if scale is None else scale) * points, faces, str(file), lines, unitless=True))


def _fault(file: Path, message: str, remedy: str = "", line: int = 0) -> ModelError:
    return ModelError(Fault("mesh", message, remedy, str(file), line))


def _checked(read: Triangles) -> Triangles:
    """The triangles, if there are some, with points that are there and finite."""
    file = Path(read.file)
    if not len(read.faces):
        raise _fault(file, "holds no triangles")
    missing = np.flatnonzero(((read.faces < 0) | (read.faces >= len(read.points))).any(axis=1))
    if len(missing):
        read.refuse("mesh", missing[0], f"{read.named(missing[:1])} names a point that is not there: there are {len(read.points)}")
    wrong = np.argwhere(~np.isfinite(read.points[read.faces]).all(axis=2))
    if len(wrong):
        t, corner = wrong[0]
        read.refuse("mesh", t, f"{read.named([t])} has vertex {corner}, {g.short(read.points[read.faces[t, corner]])}, which is not finite")
    if len(read.faces) > LARGEST:
        raise _fault(file, f"has {len(read.faces)} triangles, at most {LARGEST} are taken", "simplify it first")
    return read


def _with_area(read: Triangles, path: str) -> Triangles:
    a, b, c = np.moveaxis(read.points[read.faces], 1, 0)
    longest = np.maximum.reduce([np.einsum("ij,ij->i", x, x) for x in (b - a, c - b, a - c)])
    full = np.linalg.norm(np.cross(b - a, c - a), axis=1) > FLAT * longest
    flat = np.flatnonzero(~full)
    if not len(flat):
        return read
    has = "has" if len(flat) == 1 else "have"
    if not full.any():
        read.refuse(path, flat[0], f"{read.named(flat)} {has} no area, and there are no others")
    read.warn(path, flat[0], f"{read.named(flat)} {has} no area: left out")
    return read.some(full)


def _of_arrays(surface: Any, factor: float, path: str) -> Triangles:
    if not isinstance(surface, (list, tuple)) or len(surface) != 2:
        g.refuse(path, f"is {g.short(surface)}, expected a file, (points, triangles), or a mesh of trimesh", "give a file such as part.stl, or points (n, 3) [m] and triangles (m, 3)")
    points, triangles = factor * g.points(surface[0], path), np.asarray(surface[1])
    if triangles.ndim != 2 or triangles.shape[1] != 3 or not len(triangles) or not np.all(triangles == np.round(triangles)):
        g.refuse(path, f"has triangles of the shape {triangles.shape}, expected (m, 3) whole numbers", "each names three points, from 0")
    faces = triangles.astype(int)
    wrong = np.argwhere((faces < 0) | (faces >= len(points)))
    if len(wrong):
        g.refuse(path, f"triangle {wrong[0][0]} names point {faces[tuple(wrong[0])]} of {len(points)}", "points are counted from 0")
    return Triangles(points, faces)


# trimesh: glTF, PLY, OFF, 3MF, ...


def _by_trimesh(file: Path) -> Any:
    try:
        import trimesh
    except ImportError:
        raise _fault(file, f"is a {file.suffix} file, for which trimesh is needed", "pip install trimesh, or give a .stl or .obj file") from None
    try:
        return trimesh.load(file, force="mesh")
    except Exception as error:  # of the packages that trimesh takes for a format, which may lack
        raise _fault(file, f"cannot be read by trimesh: {error}", "give a .stl or .obj file") from None


def _of_trimesh(mesh: Any, scale: float | None) -> Triangles:
    """A trimesh.Trimesh, or a scene of several; its own unit counts where no scale is given."""
    mesh = mesh.to_mesh() if hasattr(mesh, "to_mesh") else mesh
    units = getattr(mesh, "units", None)
    if scale is None and units:
        from trimesh.units import unit_conversion

        scale = unit_conversion(units, "meters")
    points, faces = np.array(mesh.vertices, dtype=float).reshape(-1, 3), np.array(mesh.faces, dtype=int).reshape(-1, 3)
    return Triangles((1.0 if scale is None else scale) * points, faces)


# Readers of bytes: points (n, 3), faces (m, 3), and the lines of the faces or None.

Read = tuple[NDArray[np.float64], NDArray[np.int64], "NDArray[np.int64] | None"]


def _stl(data: bytes, file: Path) -> Read:
    count = struct.unpack_from("<I", data, 80)[0] if len(data) >= 84 else -1
    lines = None
    if len(data) == 84 + 50 * count:
        corners = np.frombuffer(data, _FACET, count, 84)["corners"].reshape(-1, 3).astype(float)
    elif data.lstrip()[:5].lower() == b"solid" and b"facet" in data.lower() or data.lstrip()[:5].lower() == b"facet":
        corners, lines = _stl_text(data.decode("latin-1"), file)
    elif count < 0:
        raise _fault(file, f"has {len(data)} bytes, and no text with facets: it is no STL file")
    else:
        raise _fault(file, f"its head tells of {count} triangles, expected {84 + 50 * count} bytes, got {len(data)}", "write it again: it is cut off, or no STL file")
    points, numbers = np.unique(corners, axis=0, return_inverse=True)
    return points, numbers.reshape(-1, 3), lines


def _stl_text(text: str, file: Path) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    corners: list[list[float]] = []
    lines: list[int] = []
    for line, words in enumerate(map(str.split, text.splitlines()), 1):
        word = words[0].lower() if words else ""
        if word == "vertex":
            corners.append(_three(words, file, line))
        elif word == "facet":
            lines.append(line)
        elif word == "endfacet" and len(corners) != 3 * len(lines):
            raise _fault(file, f"the triangle that ends here has {len(corners) - 3 * (len(lines) - 1)} corners, expected 3", line=line)
    if len(corners) != 3 * len(lines):
        raise _fault(file, f"ends within a triangle: {len(corners)} corners of {len(lines)} triangles", "write it again: it is cut off", line)
    return np.array(corners).reshape(-1, 3), np.array(lines, dtype=int)


def _three(words: list[str], file: Path, line: int) -> list[float]:
    """The three numbers of a point."""
    try:
        x, y, z = map(float, words[1:4])
    except ValueError:
        raise _fault(file, f"has {' '.join(words)!r}, expected three numbers", line=line) from None
    return [x, y, z]


def _obj(data: bytes, file: Path) -> Read:
    points: list[list[float]] = []
    faces: list[list[int]] = []
    lines: list[int] = []
    for line, words in enumerate(map(str.split, data.decode("utf-8", "replace").splitlines()), 1):
        if words[:1] == ["v"]:
            points.append(_three(words, file, line))
        elif words[:1] == ["f"]:
            corner = _corners(words, len(points), file, line)
            faces += [[corner[0], corner[k], corner[k + 1]] for k in range(1, len(corner) - 1)]
            lines += [line] * (len(corner) - 2)
        elif words[:1] == ["mtllib"] and _leaves(where := " ".join(words[1:])):
            g.warn("mesh", f"names materials in {where}, which leaves the folder of the file: not read", place=(str(file), line))
    return np.array(points, dtype=float).reshape(-1, 3), np.array(faces, dtype=int).reshape(-1, 3), np.array(lines, dtype=int)


def _corners(words: list[str], count: int, file: Path, line: int) -> list[int]:
    """Points of a face, from 0; in the file from 1, negative ones back from the last of `count`."""
    try:
        given = [int(word.split("/")[0]) for word in words[1:]]
    except ValueError:
        raise _fault(file, f"has the face {' '.join(words)!r}, expected numbers of points", line=line) from None
    if len(given) < 3:
        raise _fault(file, f"has a face of {len(given)} points, expected three or more", line=line)
    wrong = [i for i in given if i == 0 or i < -count]
    if wrong:
        raise _fault(file, f"names point {wrong[0]} of {count}", "points are counted from 1, or back from the last, which is -1", line)
    return [i - 1 if i > 0 else count + i for i in given]


def _leaves(path: str) -> bool:
    where = PurePosixPath(path.replace("\\", "/"))
    return where.is_absolute() or ".." in where.parts or ":" in path
