"""Shapes and meshes of a URDF file: where its meshes lie, what its links look like, what they touch with."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

import numpy as np

from saltus import _core
from saltus.errors import ModelError
from saltus.view.meshes import read_mesh
from saltus.view.shapes import surface_of

if TYPE_CHECKING:
    from saltus.urdf import Reader
    from saltus.xml_places import Element

SIZES = {"box": ("size",), "sphere": ("radius",), "cylinder": ("radius", "length"), "capsule": ("radius", "length")}
CORNERS = 256  # of the hull of a mesh at most
LARGEST_FACE = 32  # corners of a face of a hull at most, as contacts know them
ENDINGS = (".stl", ".obj")  # read without further packages


@dataclass
class Meshes:
    """Meshes by their names in a file; each is read once."""

    file: Path
    packages: dict[str, Path]
    known: dict[Path, dict[str, Any]] = field(default_factory=dict)

    def shape(self, reader: Reader, path: str, element: Element) -> tuple[str, dict[str, Any]] | None:
        """(type, sizes) of the marker for a <collision>; None, noted, where it is not taken."""
        geometry = element.first("geometry")
        shape = geometry.children[0] if geometry is not None and geometry.children else None
        if shape is None:
            reader.fault(element, path, "has no <geometry>")
        elif shape.tag in SIZES:
            return shape.tag, self._sizes(reader, f"{path}/{shape.tag}", shape)
        elif shape.tag == "mesh":
            mesh = self._mesh(reader, path, shape)
            if mesh is not None and (corners := self._hull(reader, path, shape, np.array(mesh["points"]))) is not None:
                return "hull", {"points": corners.tolist()}
        else:
            reader.note(shape, path, f"is a {shape.tag}, and not taken")
        return None

    def look(self, reader: Reader, name: str, link: Element) -> dict[str, Any] | None:
        """All visuals of a link as one surface in its axes; None where there are none, or its shapes for contact are drawn instead."""
        points: list[np.ndarray] = []
        faces: list[np.ndarray] = []
        path = f"links/{name}/visual"
        for element in link.all("visual"):
            geometry = element.first("geometry")
            for shape in geometry.children[:1] if geometry is not None else ():
                surface = self._mesh(reader, path, shape) if shape.tag == "mesh" else self._solid(reader, path, shape)
                if surface:
                    p, R = reader.origin(element, path)
                    faces.append(np.array(surface["faces"], dtype=int) + sum(map(len, points)))
                    points.append(p + np.array(surface["points"], dtype=float) @ R.T)
        return {"type": "mesh", "points": np.vstack(points).tolist(), "faces": np.vstack(faces).tolist()} if points else None

    def _hull(self, reader: Reader, path: str, shape: Element, points: np.ndarray) -> np.ndarray | None:
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
            reader.note(shape, path, f"has the mesh {shape.attributes.get('filename', '')}, which is flat, and is not taken")
            return None
        corners = np.array(made[0])
        if len(chosen) < len(points):
            normals = [np.cross(corners[loop[1]] - corners[loop[0]], corners[loop[2]] - corners[loop[0]]) for loop in made[1]]
            out = max(float(np.max((points - corners[loop[0]]) @ n)) / float(np.linalg.norm(n)) for loop, n in zip(made[1], normals, strict=True))
            reader.note(shape, path, f"has a mesh of {len(points)} points, of which {len(corners)} are taken as its convex hull; the others stand out by {max(out, 0.0):.2g} m at most", "give a simpler mesh", kind="hull")
        return corners

    def _sizes(self, reader: Reader, path: str, shape: Element) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for word in SIZES[shape.tag]:
            values = reader.numbers(shape, word, path, (0.0, 0.0, 0.0) if word == "size" else (0.0,))
            if not np.all(values > 0.0):
                reader.fault(shape, f"{path}/{word}", f"is {shape.attributes.get(word, 'missing')}, must be above 0 m")
            out[word] = values.tolist() if word == "size" else float(values[0])
        return out

    def _solid(self, reader: Reader, path: str, shape: Element) -> dict[str, Any] | None:
        if shape.tag not in SIZES:
            reader.note(shape, path, f"is a {shape.tag}, and not drawn")
            return None
        sizes = self._sizes(reader, f"{path}/{shape.tag}", shape)
        if shape.tag == "box":
            corners = 0.5 * np.array(sizes["size"]) * np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
            return surface_of({"type": "hull", "points": corners.tolist()})
        turn = 2.0 * np.pi * np.arange(24) / 24
        radius, half = sizes["radius"], 0.5 * sizes.get("length", 0.0)
        if shape.tag == "cylinder":
            rings = [(radius, -half), (radius, half)]
        else:
            rings = [(radius * np.cos(s), radius * np.sin(s) + np.copysign(half, s)) for s in np.pi * (np.arange(12) - 5.5) / 12]
        points = [(r * np.cos(a), r * np.sin(a), z) for r, z in rings for a in turn]
        return surface_of({"type": "hull", "points": points})

    def _mesh(self, reader: Reader, path: str, shape: Element) -> dict[str, Any] | None:
        """{"points", "faces"} of a mesh; None, noted, where it cannot be read."""
        name = shape.attributes.get("filename", "")
        file = self._place(reader, path, shape, name)
        if file is None:
            return None
        if file not in self.known:
            try:
                self.known[file] = _read(file)
            except (ModelError, OSError, ValueError) as error:
                told = error.faults[0].message if isinstance(error, ModelError) else str(error)
                reader.note(shape, path, f"has the mesh {name}, which {told}, and is not taken", kind=f"{told.partition(':')[0]}")
                self.known[file] = {}
        if not self.known[file]:
            return None
        scale = reader.numbers(shape, "scale", f"{path}/mesh", (1.0, 1.0, 1.0))
        faces = self.known[file]["faces"]
        if np.prod(scale) < 0.0:  # mirrored: the outside stays outside
            faces = [face[::-1] for face in faces]
        return {**self.known[file], "faces": faces, "points": (np.array(self.known[file]["points"]) * scale).tolist()}

    def _place(self, reader: Reader, path: str, shape: Element, name: str) -> Path | None:
        """Where a mesh lies; within its package, or beside the file and in the folders next to it."""
        scheme, found, rest = name.partition("://")
        here = self.file.resolve().parent
        if found and scheme not in ("package", "file"):
            reader.fault(shape, f"{path}/mesh", f"is at {name}", "only files of this machine are read")
            return None
        if scheme == "package" and found:
            package, _, rest = rest.partition("/")
            roots = [self.packages[package]] if package in self.packages else [above for above in here.parents if above.name == package] + [above / package for above in here.parents if (above / package).is_dir()]
            if package in ("", ".", ".."):
                reader.fault(shape, f"{path}/mesh", f"is {name}, which leaves its package")
                return None
        else:
            roots, rest = [here], rest if found else name
        if not roots:
            reader.note(shape, path, f"has the mesh {name}, and no folder above the file is the package {package!r}", f'give packages={{"{package}": folder}}', kind=f"package {package}")
            return None
        inside = roots[0].resolve() if scheme == "package" and found else here.parent
        target = (roots[0] / PurePosixPath(rest)).resolve()
        if not target.is_relative_to(inside):
            reader.fault(shape, f"{path}/mesh", f"is {name}, which leaves {'its package' if scheme == 'package' and found else 'the folder of the robot'}", "meshes lie beside the file")
            return None
        return target


def _read(file: Path) -> dict[str, Any]:
    if file.suffix.lower() in ENDINGS or not file.exists():
        return read_mesh(file)
    try:
        import trimesh
    except ImportError:
        raise ValueError(f"is a {file.suffix} file, for which trimesh is needed") from None
    try:
        mesh = trimesh.load(file, force="mesh")
    except Exception as error:  # of the packages that trimesh takes for a format, which may lack
        raise ValueError(f"cannot be read by trimesh: {error}") from None
    return {"type": "mesh", "points": np.asarray(mesh.vertices).tolist(), "faces": np.asarray(mesh.faces).tolist()}
