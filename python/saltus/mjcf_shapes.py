"""Geoms of MJCF: their shapes, masses and meshes."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from saltus import geometry as g
from saltus.errors import ModelError, message_of
from saltus.inertia import inertia_of, volume_of
from saltus.mesh_files import read_mesh
from saltus.mjcf_source import MjcfSource, upright
from saltus.robot_shapes import hull_of, scaled, surface
from saltus.robot_tree import Inertial, Pose, moved
from saltus.xml_places import Element

KINDS = {"plane": 0, "hfield": 0, "sphere": 1, "capsule": 2, "ellipsoid": 3, "cylinder": 2, "box": 3, "mesh": 0, "sdf": 0}  # type -> how many sizes it has
LINES = ("capsule", "cylinder", "box", "ellipsoid")  # that fromto may place


@dataclass
class Geom:
    """A shape on a body: what it is, where, how heavy, what it touches and how rough it is."""

    name: str
    at: Element
    body: str
    kind: str  # type of the marker, or mesh
    place: Pose
    sizes: dict[str, Any]
    inertial: Inertial = field(default_factory=Inertial)  # in its own axes
    masks: tuple[int, int] = (1, 1)
    condim: int = 3
    friction: tuple[float, float, float] = (1.0, 0.005, 0.0001)
    priority: int = 0
    group: int = 0
    asset: str = ""
    marker: str = ""


class Shapes:
    """Geoms of a file with its meshes and height fields, each read once."""

    def __init__(self, source: MjcfSource):
        self.source = source
        self.assets = {tag: self._assets(tag) for tag in ("mesh", "hfield")}
        self.surfaces: dict[str, dict[str, Any] | None] = {}
        self.hulls: dict[str, np.ndarray | None] = {}
        self.masses: dict[tuple[str, bool], tuple[float, np.ndarray, np.ndarray] | None] = {}

    def _assets(self, tag: str) -> dict[str, Element]:
        out: dict[str, Element] = {}
        for asset in self.source.root.all("asset"):
            for element in asset.all(tag):
                whole = self.source.whole(element)
                name = element.attributes.get("name") or Path(element.attributes.get("file", "")).stem
                if name in out:
                    self.source.fault(element, f"asset/{tag}/{name}", f"is there already, at line {out[name].line}", "give it another name")
                out.setdefault(name, whole)
        return out

    # Geoms.

    def geom(self, element: Element, place: Pose, body: str, name: str) -> Geom | None:
        """A geom, its class resolved; None, with a mistake or a note, where there is none to take."""
        source, path = self.source, f"geoms/{name}"
        words = element.attributes
        kind = words.get("type", "mesh" if "mesh" in words else "sphere")
        if kind not in KINDS:
            source.fault(element, f"{path}/type", f"is {g.short(kind)}", g.near(kind, list(KINDS)) or f"it is one of {', '.join(KINDS)}")
            return None
        if kind == "sdf" or "mesh" in words and kind != "mesh" and kind not in ("plane", "hfield"):
            source.fault(element, path, "is a signed distance of a plugin" if kind == "sdf" else f"is a {kind} that is fitted to a mesh, which is not read", "write its size instead of mesh")
            return None
        at, sizes = self._solid(element, path, kind)
        if sizes is None:
            return None
        masks = int(source.number(element, "contype", path, 1)), int(source.number(element, "conaffinity", path, 1))
        friction = tuple(source.numbers(element, "friction", path, (1.0, 0.005, 0.0001), 1).tolist())
        if min(friction) < 0.0:
            source.fault(element, f"{path}/friction", f"is {words['friction']}, must be at least 0")
        whole = Geom(name, element, body, "height_field" if kind == "hfield" else kind, moved(place, at), sizes, masks=masks, condim=int(source.number(element, "condim", path, 3)),
                     friction=friction, priority=int(source.number(element, "priority", path, 0)), group=int(source.number(element, "group", path, 0)), asset=words.get("mesh", ""))  # fmt: skip
        if kind not in ("plane", "hfield"):
            whole.inertial = self._inertial(whole, path)
        return whole

    def _solid(self, element: Element, path: str, kind: str) -> tuple[Pose, dict[str, Any] | None]:
        """Place and sizes of a marker."""
        source = self.source
        count = KINDS[kind]
        if kind in LINES and "fromto" in element.attributes:
            place, half = self.line(element, path)
            size = source.numbers(element, "size", path, (0, 0, 0), 1)
            size = np.array([size[0], half, 0.0] if count == 2 else [size[0], size[0], half])
        else:
            place, size = source.pose(element, path), source.numbers(element, "size", path, (0, 0, 0), count or 1)
        if count and not np.all(size[:count] > 0.0):
            source.fault(element, f"{path}/size", f"is {element.attributes.get('size', 'missing')}, must be above 0 m")
            return place, None
        if kind == "sphere":
            return place, {"radius": float(size[0])}
        if kind in ("capsule", "cylinder"):
            return place, {"radius": float(size[0]), "length": 2.0 * float(size[1])}
        if kind in ("box", "ellipsoid"):
            return place, {"size": (2.0 * size).tolist()}
        if kind == "hfield":
            return self._height_field(element, path, place)
        if kind == "mesh":
            return place, None if self.surface(element, path, element.attributes.get("mesh", "")) is None else {}
        return place, {}

    def line(self, element: Element, path: str) -> tuple[Pose, float]:
        """Place between the ends of fromto, z along it, and half its length."""
        ends = self.source.numbers(element, "fromto", path, (0, 0, 0, 0, 0, 1))
        along = ends[:3] - ends[3:]
        return (0.5 * (ends[:3] + ends[3:]), upright(self.source.unit_vector(element, along, f"{path}/fromto"))), 0.5 * float(np.linalg.norm(along))

    def _inertial(self, geom: Geom, path: str) -> Inertial:
        """Mass, centre and inertia of a geom in its axes."""
        source, element = self.source, geom.at
        shell = source.says(element, "shellinertia", path, False)
        if geom.kind == "mesh":
            found = self.mesh_mass(geom.asset, shell)
            if found is None:
                return Inertial()
            volume, center, inertia = found
        else:
            if shell:
                source.fault(element, f"{path}/shellinertia", "is not read of a shape that is no mesh", "give its body an <inertial>")
            shape = {"type": geom.kind, **geom.sizes}
            volume, center = volume_of(shape), np.zeros(3)
            inertia = np.diag(inertia_of(shape, volume) or [0.0] * 3)
        if "mass" in element.attributes:
            mass = source.number(element, "mass", path, 0.0)
        else:
            mass = source.number(element, "density", path, 1000.0) * volume
        if mass < 0.0:
            source.fault(element, f"{path}/mass", f"is {mass:g} kg, must be at least 0")
        return Inertial(mass, center, inertia * (mass / volume if volume > 0.0 else 0.0))

    def marker(self, geom: Geom) -> tuple[str, dict[str, Any]] | None:
        """(type, sizes) of its marker for contact; of a mesh its convex hull."""
        if geom.kind != "mesh":
            return geom.kind, geom.sizes
        if geom.asset not in self.hulls:
            mesh = self.surfaces[geom.asset]
            self.hulls[geom.asset] = hull_of(self.source, f"geoms/{geom.name}", geom.at, geom.asset, np.array(mesh["points"])) if mesh else None
        corners = self.hulls[geom.asset]
        return None if corners is None else ("hull", {"points": corners.tolist()})

    def look(self, geom: Geom) -> dict[str, Any] | None:
        """Its surface for pictures."""
        if geom.kind == "mesh":
            return self.surfaces.get(geom.asset)
        return None if geom.kind in ("plane", "height_field") else surface(geom.kind, geom.sizes)

    # Meshes and height fields.

    def _file(self, asset: Element, path: str, word: str) -> Path | None:
        name = asset.attributes["file"]
        compiler = self.source.compiler.attributes
        if compiler.get("strippath") == "true":
            name = name.replace("\\", "/").rpartition("/")[2]
        folder = compiler.get(word, compiler.get("assetdir", ""))
        if folder and not Path(name).is_absolute():
            name = f"{folder.rstrip('/')}/{name}"
        return self.source.meshes.place(self.source, path, asset, name)

    def surface(self, at: Element, path: str, name: str) -> dict[str, Any] | None:
        """{"points", "faces"} of a mesh, scaled; None, with a mistake, where it cannot be read."""
        if name in self.surfaces:
            return self.surfaces[name]
        asset = self.assets["mesh"].get(name)
        if asset is None:
            self.source.fault(at, f"{path}/mesh", f"names the mesh {g.short(name)}, which is not there" if name else "is missing", g.near(name, list(self.assets["mesh"])))
            return None
        self.surfaces[name] = made = self._surface(asset, f"asset/mesh/{name}")
        return made

    def _surface(self, asset: Element, path: str) -> dict[str, Any] | None:
        source, words = self.source, asset.attributes
        scale = source.numbers(asset, "scale", path, (1, 1, 1))
        if "builtin" in words or asset.first("plugin") is not None:
            source.fault(asset, path, "is made by MuJoCo, which is not read", "write it as a file")
            return None
        if "file" in words:
            file = self._file(asset, path, "meshdir")
            if file is None:
                return None
            try:
                mesh = _msh(file) if file.suffix.lower() == ".msh" else read_mesh(file)
            except (ModelError, OSError, ValueError, struct.error) as error:
                source.fault(asset, path, f"has the file {words['file']}, which {message_of(error)}")
                return None
        else:
            points = source.parsed(asset, words.get("vertex", ""), f"{path}/vertex", [0.0] * (3 * (len(words.get("vertex", "").split()) // 3))).reshape(-1, 3)
            faces = source.parsed(asset, words.get("face", ""), f"{path}/face", [0.0] * (3 * (len(words.get("face", "").split()) // 3))).reshape(-1, 3).astype(int)
            if len(points) < 4:
                source.fault(asset, f"{path}/vertex", f"has {len(points)} points, of which no solid is made")
                return None
            if len(faces) and not (0 <= faces.min() and faces.max() < len(points)):
                source.fault(asset, f"{path}/face", "names points that are not there")
                return None
            if not len(faces):
                from saltus import _core

                made = _core.hull_faces([tuple(p) for p in points.tolist()])
                faces = [] if made is None else [(f[0], f[i], f[i + 1]) for f in made[1] for i in range(1, len(f) - 1)]
                points = points if made is None else np.array(made[0])
            mesh = {"type": "mesh", "points": points.tolist(), "faces": np.array(faces, dtype=int).reshape(-1, 3).tolist()}
        mesh = scaled(mesh, scale)
        p, q = source.numbers(asset, "refpos", path, (0, 0, 0)), source.quaternion(asset, source.numbers(asset, "refquat", path, (1, 0, 0, 0)), f"{path}/refquat")
        if np.any(p) or "refquat" in words:
            mesh["points"] = ((np.array(mesh["points"]) - p) @ q).tolist()
        return mesh

    def mesh_mass(self, name: str, shell: bool) -> tuple[float, np.ndarray, np.ndarray] | None:
        """Volume, or area, centre and inertia at density 1 of a mesh, as its `inertia` asks for."""
        mesh = self.surfaces.get(name)
        if mesh is None:
            return None
        if (name, shell) not in self.masses:
            asset = self.assets["mesh"][name]
            kind = "shell" if shell else asset.attributes.get("inertia", "legacy")
            points, faces = np.array(mesh["points"]), np.array(mesh["faces"], dtype=int)
            if kind == "convex":
                from saltus import _core

                made = _core.hull_faces([tuple(p) for p in points.tolist()])
                if made is not None:
                    points, faces = np.array(made[0]), np.array([(f[0], f[i], f[i + 1]) for f in made[1] for i in range(1, len(f) - 1)])
            found = mass_integrals(points, faces, kind)
            if not found[0] > 0.0:
                self.source.fault(asset, f"asset/mesh/{name}", f"has the volume {found[0]:.3g} m^3: it is flat, open or inside out", 'write inertia="convex", or give its body an <inertial>')
            self.masses[name, shell] = found
        return self.masses[name, shell]

    def _height_field(self, element: Element, path: str, place: Pose) -> tuple[Pose, dict[str, Any] | None]:
        source, name = self.source, element.attributes.get("hfield", "")
        asset = self.assets["hfield"].get(name)
        if asset is None:
            source.fault(element, f"{path}/hfield", f"names the height field {g.short(name)}, which is not there", g.near(name, list(self.assets["hfield"])))
            return place, None
        at = f"asset/hfield/{name}"
        size = source.numbers(asset, "size", at, (0, 0, 0, 0))
        if "file" in asset.attributes:
            source.fault(asset, at, "is a picture or a file, which is not read", "write its heights as elevation")
            return place, None
        rows, columns = (int(source.number(asset, word, at, 0)) for word in ("nrow", "ncol"))
        if not (2 <= rows <= 2000 and 2 <= columns <= 2000 and np.all(size > 0.0)):
            source.fault(asset, at, f"has {rows} rows, {columns} columns and the size {asset.attributes.get('size', 'missing')}", "give at least 2 of each, and four sizes above 0 m")
            return place, None
        z = source.numbers(asset, "elevation", at, [0.0] * (rows * columns)).reshape(rows, columns)[::-1]  # the first row of the file is the farthest along y
        z = (z - z.min()) / ((z.max() - z.min()) or 1.0)
        return place, {"heights": (size[2] * z.T).tolist(), "size": [2.0 * size[0], 2.0 * size[1]]}


def mass_integrals(points: np.ndarray, faces: np.ndarray, kind: str) -> tuple[float, np.ndarray, np.ndarray]:
    """Volume, centre and inertia about it at density 1: `exact` of a closed mesh, `shell` of its area, `legacy` as MuJoCo has it for
    meshes that are not closed: the sum of the pyramids over its faces from the middle of these, inside out or not, then once more from the centre that follows."""
    a, b, c = (points[faces[:, i]] for i in range(3))
    areas = 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1)
    middle = (areas @ ((a + b + c) / 3.0)) / areas.sum() if areas.sum() > 0.0 else np.zeros(3)
    volume, center, inertia = _integrals((a - middle, b - middle, c - middle), areas, kind)
    if kind != "legacy":
        return volume, middle + center, inertia
    middle = middle + center
    volume, away, inertia = _integrals((a - middle, b - middle, c - middle), areas, kind)
    return volume, middle, inertia + volume * (away @ away * np.eye(3) - np.outer(away, away))


def _integrals(corners: tuple[np.ndarray, np.ndarray, np.ndarray], areas: np.ndarray, kind: str) -> tuple[float, np.ndarray, np.ndarray]:
    """Of the triangles, or of the pyramids over them."""
    a, b, c = corners
    if kind == "shell":
        weights, solids = areas, np.stack([a, b, c], axis=1)
        whole, spread = 3.0, 12.0  # of a triangle: mean of its corners; second moments (sum x x^T + (sum x)(sum x)^T) / 12
    else:
        weights = np.einsum("ij,ij->i", a, np.cross(b, c)) / 6.0
        weights = np.abs(weights) if kind == "legacy" else weights
        solids = np.stack([np.zeros_like(a), a, b, c], axis=1)
        whole, spread = 4.0, 20.0  # of a tetrahedron
    volume = float(weights.sum())
    if not volume > 0.0:
        return volume, np.zeros(3), np.zeros((3, 3))
    sums = solids.sum(axis=1)
    center = weights @ sums / (whole * volume)
    second = np.einsum("n,nki,nkj->ij", weights, solids, solids) + np.einsum("n,ni,nj->ij", weights, sums, sums)
    second = second / spread - volume * np.outer(center, center)
    return volume, center, np.trace(second) * np.eye(3) - second


def _msh(file: Path) -> dict[str, Any]:
    """MuJoCo's own binary meshes: numbers of points, normals, texture points and faces, then these."""
    data = file.read_bytes()
    count, normals, textures, faces = struct.unpack_from("<4i", data)
    if min(count, normals, textures, faces) < 0 or len(data) != 16 + 4 * (3 * count + 3 * normals + 2 * textures + 3 * faces):
        raise ValueError("has not the length of a MSH file")
    points = np.frombuffer(data, "<f4", 3 * count, 16).reshape(-1, 3).astype(float)
    corners = np.frombuffer(data, "<i4", 3 * faces, len(data) - 12 * faces).reshape(-1, 3)
    if not np.all(np.isfinite(points)) or len(corners) and not (0 <= corners.min() and corners.max() < count):
        raise ValueError("holds points that are not finite, or names some that are not there")
    return {"type": "mesh", "points": points.tolist(), "faces": corners.tolist()}


