"""glTF 2.0 animations: one node a body, its places and rotations over time (Khronos, glTF 2.0 specification)."""

from __future__ import annotations

import base64
import json
import struct
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from saltus.exports.scenes import Motion

FLOAT, UINT = 5126, 5125
ARRAY, ELEMENTS = 34962, 34963
TO_Y_UP = {"z": [-0.7071067811865476, 0.0, 0.0, 0.7071067811865476], "x": [0.0, 0.0, 0.7071067811865476, 0.7071067811865476], "y": [0.0, 0.0, 0.0, 1.0]}
STILL = 1e-7  # of the largest coordinate: what moves less has no track


class _Buffer:
    """Arrays behind each other, with the views and accessors that name them."""

    def __init__(self) -> None:
        self.data, self.views, self.accessors = bytearray(), [], []  # type: ignore[var-annotated]

    def put(self, values: NDArray[Any], kind: str, *, target: int = 0, bounds: bool = False) -> int:
        """Number of the accessor of the values (n) or (n, components)."""
        self.data += b"\0" * (-len(self.data) % 4)
        raw = np.ascontiguousarray(values)
        view: dict[str, Any] = {"buffer": 0, "byteOffset": len(self.data), "byteLength": raw.nbytes}
        self.views.append({**view, **({"target": target} if target else {})})
        self.data += raw.tobytes()
        entry: dict[str, Any] = {"bufferView": len(self.views) - 1, "componentType": UINT if raw.dtype == "<u4" else FLOAT, "count": len(raw), "type": kind}
        if bounds:
            flat = raw.reshape(len(raw), -1)
            entry |= {"min": flat.min(axis=0).tolist(), "max": flat.max(axis=0).tolist()}
        self.accessors.append(entry)
        return len(self.accessors) - 1


def write_gltf(motion: Motion, path: Path, *, binary: bool) -> None:
    """.glb: one binary file; .gltf: JSON that holds its arrays. Units m and s, y is up."""
    from saltus.view.still import PALETTE

    buffer = _Buffer()
    places = np.concatenate([part.p for part in motion.parts])
    middle = 0.5 * (places.min(axis=0) + places.max(axis=0))  # far from the origin single precision is for what is around it
    world = {"name": "world", "translation": _to_y_up(motion.up, middle), "rotation": TO_Y_UP[motion.up], "children": list(range(1, len(motion.parts) + 1))}
    nodes: list[dict[str, Any]] = [world]
    meshes, channels, samplers = [], [], []
    time = buffer.put((motion.time - motion.time[0]).astype("<f4"), "SCALAR", bounds=True) if len(motion.time) > 1 else None
    size = float(np.abs(places - middle).max()) or 1.0
    for i, part in enumerate(motion.parts):
        points = buffer.put(part.mesh.points.astype("<f4"), "VEC3", target=ARRAY, bounds=True)
        faces = buffer.put(part.mesh.triangles.ravel().astype("<u4"), "SCALAR", target=ELEMENTS)
        meshes.append({"name": part.name, "primitives": [{"attributes": {"POSITION": points}, "indices": faces, "material": i % len(PALETTE)}]})
        q = np.roll(_near(part.q), -1, axis=1)  # x, y, z, w
        tracks = {"translation": (part.p - middle, "VEC3", size), "rotation": (q, "VEC4", 1.0), **({"scale": (part.scale, "VEC3", size)} if part.scale is not None else {})}
        nodes.append({"name": part.name, "mesh": i, **{name: values[0].tolist() for name, (values, _, _) in tracks.items()}})
        for name, (values, kind, scale) in tracks.items():
            if time is None or np.ptp(values, axis=0).max() <= STILL * scale:
                continue
            samplers.append({"input": time, "output": buffer.put(values.astype("<f4"), kind), "interpolation": "LINEAR"})
            channels.append({"sampler": len(samplers) - 1, "target": {"node": i + 1, "path": name}})
    materials = [{"name": color, "doubleSided": True, "pbrMetallicRoughness": {"baseColorFactor": _linear(color), "metallicFactor": 0.1, "roughnessFactor": 0.6}} for color in PALETTE]
    from saltus import _core

    head: dict[str, Any] = {
        "asset": {"version": "2.0", "generator": f"saltus {_core.version}"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": nodes, "meshes": meshes, "materials": materials,
        "bufferViews": buffer.views, "accessors": buffer.accessors,
        **({"animations": [{"name": "run", "channels": channels, "samplers": samplers}]} if channels else {}),
    }  # fmt: skip
    data = bytes(buffer.data) + b"\0" * (-len(buffer.data) % 4)
    if not binary:
        head["buffers"] = [{"byteLength": len(data), "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()}]
        path.write_text(json.dumps(head), encoding="utf-8")
        return
    head["buffers"] = [{"byteLength": len(data)}]
    text = json.dumps(head, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    total = 12 + 8 + len(text) + 8 + len(data)
    path.write_bytes(struct.pack("<4sII", b"glTF", 2, total) + struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(data), b"BIN\0") + data)


def _near(q: NDArray[np.float64]) -> NDArray[np.float64]:
    """Unit quaternions over time, each with the sign that stays near the one before: q and -q are one rotation."""
    flips = np.cumprod(np.concatenate([[1.0], np.where(np.einsum("ij,ij->i", q[1:], q[:-1]) < 0, -1.0, 1.0)]))
    return q * flips[:, None]


def _to_y_up(up: str, v: NDArray[np.float64]) -> list[float]:
    """A vector in the axes of glTF."""
    x, y, z = v.tolist()
    return {"z": [x, z, -y], "x": [-y, x, z], "y": [x, y, z]}[up]


def _linear(color: str) -> list[float]:
    """A colour #rrggbb as linear red, green, blue and 1 (IEC 61966-2-1)."""
    s = [int(color[k : k + 2], 16) / 255.0 for k in (1, 3, 5)]
    return [*((x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4) for x in s), 1.0]
