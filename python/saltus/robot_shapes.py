"""Shapes and meshes of robots: where their files lie, hulls for contact, surfaces for pictures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np

from saltus import _core
from saltus.errors import ModelError, message_of
from saltus.mesh_files import read_mesh
from saltus.robot_tree import Pose
from saltus.view.shapes import surface_of
from saltus.xml_places import Element, Reading

CORNERS = 256  # of the hull of a mesh at most
LARGEST_FACE = 32  # corners of a face of a hull at most, as contacts know them
SIDES = 24  # of round shapes in pictures


@dataclass
class Meshes:
    """Meshes of a robot by their files; each is read once."""

    file: Path
    packages: dict[str, Path] = field(default_factory=dict)
    schemes: tuple[str, ...] = ("package",)  # what begins the name of a mesh in a package
    known: dict[Path, dict[str, Any]] = field(default_factory=dict)

    def mesh(self, reading: Reading, path: str, at: Element, name: str, scale: np.ndarray) -> dict[str, Any] | None:
        """{"points", "faces"} of a mesh by its name; None, noted, where it cannot be read."""
        file = self.place(reading, path, at, name)
        if file is None:
            return None
        if file not in self.known:
            try:
                self.known[file] = read_mesh(file)
            except (ModelError, OSError, ValueError) as error:
                message = message_of(error)
                reading.note(at, path, f"has the mesh {name}, which {message}, and is not taken", kind=message.partition(":")[0])
                self.known[file] = {}
        return scaled(self.known[file], scale) if self.known[file] else None

    def place(self, reading: Reading, path: str, at: Element, name: str, inside: Path | None = None) -> Path | None:
        """Where a file lies; within its package, or beside the model and in the folders next to it."""
        scheme, found, rest = name.partition("://")
        here = self.file.resolve().parent
        packed = bool(found) and scheme in self.schemes
        if found and not packed and scheme != "file":
            reading.fault(at, f"{path}/mesh", f"is at {name}", "only files of this machine are read")
            return None
        if packed:
            package, _, rest = rest.partition("/")
            roots = [self.packages[package]] if package in self.packages else [above for above in here.parents if above.name == package] + [above / package for above in (here, *here.parents) if (above / package).is_dir()]
            if package in ("", ".", ".."):
                reading.fault(at, f"{path}/mesh", f"is {name}, which leaves its package")
                return None
        else:
            roots, rest = [here], rest if found else name
        if not roots:
            reading.note(at, path, f"has the mesh {name}, and no folder above the file is the package {package!r}", f'give packages={{"{package}": folder}}', kind=f"package {package}")
            return None
        within = roots[0].resolve() if packed else inside or here.parent
        target = (roots[0] / PurePosixPath(rest)).resolve()
        if not target.is_relative_to(within):
            reading.fault(at, f"{path}/mesh", f"is {name}, which leaves {'its package' if packed else 'the folder of the robot'}", "meshes lie beside the file")
            return None
        return target


def scaled(mesh: dict[str, Any], scale: np.ndarray) -> dict[str, Any]:
    """A mesh along its axes; one that is mirrored keeps its outside outside."""
    faces = [face[::-1] for face in mesh["faces"]] if np.prod(scale) < 0.0 else mesh["faces"]
    return {**mesh, "faces": faces, "points": (np.array(mesh["points"]) * scale).tolist()}


def hull_of(reading: Reading, path: str, at: Element, name: str, points: np.ndarray) -> np.ndarray | None:
    """Corners of the convex hull of a mesh; of a fine one those that lie farthest in many directions, with a note how far the others stand out."""
    made = None
    for count in (CORNERS, 128, 64, 32):
        chosen = points
        if len(points) > count or count < CORNERS:
            k = np.arange(count) + 0.5
            z, turn = 1.0 - 2.0 * k / count, np.pi * (1.0 + 5.0**0.5) * k  # even on a ball (Fibonacci)
            directions = np.column_stack([np.sqrt(1.0 - z * z) * np.cos(turn), np.sqrt(1.0 - z * z) * np.sin(turn), z])
            chosen = points[np.unique(np.argmax(points @ directions.T, axis=0))]
        made = _core.hull_faces([tuple(p) for p in chosen.tolist()])
        if made is None or max(map(len, made[1])) <= LARGEST_FACE:
            break
    if made is None:
        reading.note(at, path, f"has the mesh {name}, which is flat, and is not taken")
        return None
    corners = np.array(made[0])
    if len(chosen) < len(points):
        normals = [np.cross(corners[loop[1]] - corners[loop[0]], corners[loop[2]] - corners[loop[0]]) for loop in made[1]]
        out = max(float(np.max((points - corners[loop[0]]) @ n)) / float(np.linalg.norm(n)) for loop, n in zip(made[1], normals, strict=True))
        reading.note(at, path, f"has a mesh of {len(points)} points, of which {len(corners)} are taken as its convex hull; the others stand out by {max(out, 0.0):.2g} m at most", "give a simpler mesh", kind="hull")
    return corners


def surface(kind: str, sizes: Mapping[str, Any]) -> dict[str, Any] | None:
    """The surface of a box, ball, ellipsoid, cylinder, cone or capsule for pictures."""
    if kind == "hull":
        return surface_of({"type": "hull", "points": sizes["points"]})
    if kind == "box":
        corners = 0.5 * np.array(sizes["size"]) * np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
        return surface_of({"type": "hull", "points": corners.tolist()})
    radius, half = sizes.get("radius", 1.0), 0.5 * sizes.get("length", 0.0)
    if kind == "cylinder":
        rings = [(0.0, -half), (radius, -half), (radius, half), (0.0, half)]
    elif kind == "cone":
        rings = [(0.0, -0.25 * sizes["height"]), (radius, -0.25 * sizes["height"]), (0.0, 0.75 * sizes["height"])]
    else:
        rings = [(radius * np.cos(s), radius * np.sin(s) + np.copysign(half, s)) for s in np.pi * (np.arange(12) - 5.5) / 11]
    scale = 0.5 * np.array(sizes["size"]) if kind == "ellipsoid" else np.ones(3)
    return _turned(np.array(rings), scale)


def _turned(rings: np.ndarray, scale: np.ndarray) -> dict[str, Any]:
    """The surface of radii and heights, from below, turned about z."""
    turn, n = 2.0 * np.pi * np.arange(SIDES) / SIDES, np.arange(SIDES)
    points = np.stack([np.outer(rings[:, 0], np.cos(turn)), np.outer(rings[:, 0], np.sin(turn)), np.repeat(rings[:, 1:], SIDES, axis=1)], axis=2).reshape(-1, 3)
    next_one, faces = (n + 1) % SIDES, []
    for k in range(len(rings) - 1):
        low, high = k * SIDES, (k + 1) * SIDES
        faces += [np.column_stack([low + n, low + next_one, high + next_one]), np.column_stack([low + n, high + next_one, high + n])]
    return {"type": "mesh", "points": (points * scale).tolist(), "faces": np.vstack(faces).tolist()}


def look_of(parts: list[tuple[dict[str, Any] | None, Pose]]) -> dict[str, Any] | None:
    """Surfaces at their places as one; None where there are none."""
    points: list[np.ndarray] = []
    faces: list[np.ndarray] = []
    for part, (p, R) in parts:
        if part:
            faces.append(np.array(part["faces"], dtype=int) + sum(map(len, points)))
            points.append(p + np.array(part["points"], dtype=float) @ R.T)
    return {"type": "mesh", "points": np.vstack(points).tolist(), "faces": np.vstack(faces).tolist()} if points else None
