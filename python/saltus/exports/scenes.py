"""The bodies of a run as they move, for other programs: VTKHDF for ParaView, glTF animations."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from saltus.errors import Fault, ModelError
from saltus.geometry import warn_at_caller
from saltus.store.replacing import replacing

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from saltus.result import Moment, Result

MOST = 1500  # states of a result; at other times those that are asked for
AROUND = 20  # corners of a circle


@dataclass
class Mesh:
    """A shape in the axes of its frame: points (n, 3) [m], triangles (m, 3)."""

    points: NDArray[np.float64]
    triangles: NDArray[np.int64]


@dataclass
class Part:
    """Something that moves rigidly: name, mesh, places over time p (n, 3) [m], unit quaternions q (n, 4), and scale (n, 3) of what has a length that changes."""

    name: str
    mesh: Mesh
    p: NDArray[np.float64]
    q: NDArray[np.float64]
    scale: NDArray[np.float64] | None = None
    body: str = ""  # whose velocities it has

    def world(self, some: slice) -> NDArray[np.float64]:
        """Its points (states, n, 3) [m] at some states."""
        from saltus.view.places import turned

        points = self.mesh.points if self.scale is None else self.mesh.points * self.scale[some, None]
        return turned(self.q[some, None], points) + self.p[some, None]


@dataclass
class Motion:
    """Parts at times (n) [s]; up: axis against gravity; arrays: the states, for quantities at the same times."""

    time: NDArray[np.float64]
    parts: list[Part]
    up: str
    system: Any
    arrays: dict[str, NDArray[np.float64]]


def motion_of(source: Result | Moment) -> Motion:
    """The moving parts of a result at states that straight lines between them draw well, or at the times that are asked for."""
    from saltus import _core
    from saltus.curve import states_at
    from saltus.view.scene import Scene
    from saltus.view.shows import shapes_of
    from saltus.view.tracks import shown_states

    result: Result = getattr(source, "_result", source)
    recorded = result._recorded
    engine = result._model._engine if result._model is not None else _core.Model.parse(recorded.model_text, "")
    scene = Scene(engine, recorded.system, shapes=shapes_of(result))
    head = scene.head()
    if not head["frames"]:
        raise ModelError(Fault("export", "has no body with a place to draw", "write its numbers: a .csv, .parquet or .mat"))
    if source is result:
        states = shown_states(recorded, scene.poses, scene.size, MOST)[0]
        if not result.is_static and len(result.time) > MOST:
            every = 10.0 ** np.floor(np.log10((result.time[-1] - result.time[0]) / MOST))
            warn_at_caller(f"export: the file holds {len(states['t'])} of {len(result.time)} states, and what moves fast between them is lost; result.resample({every:g}).export(...), or --every {every:g}, takes the times that you choose")
    else:
        states = states_at(recorded.track(), np.atleast_1d(source._times), source._before)
    keep = np.concatenate([[True], np.diff(states["t"]) > 0.0])  # one side of a jump: places do not jump
    states = {name: np.ascontiguousarray(values[keep]) for name, values in states.items()}
    p, q = scene.poses(states["y"])
    time = np.zeros(1) if result.is_static else states["t"]
    return Motion(time, list(_parts(head, p, q)), head["up"], recorded.system, states)


def _parts(head: dict[str, Any], p: NDArray[np.float64], q: NDArray[np.float64]) -> Iterator[Part]:
    from saltus.view.still import solids

    names = [item["n"] for item in head["items"]]
    for body in head["bodies"]:
        quads = [part for part in solids(body, AROUND) if len(part)]
        if not quads:
            continue
        place = [body["f"], *body.get("p", (0, 0, 0)), *body.get("q", (1, 0, 0, 0))]
        yield Part(names[body["i"]], _mesh(np.concatenate(quads)), *_at(place, p, q), body=names[body["i"]])
    for plane in head["planes"]:
        half = 0.75 * head["size"]
        square = half * np.array([[[-1.0, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]]])
        yield Part(names[plane["i"]] if plane["i"] >= 0 else "plane", _mesh(square), *_at(plane["on"], p, q))
    for spring in head["springs"]:
        yield _line(names[spring["i"]], _at(spring["a"], p, q)[0], _at(spring["b"], p, q)[0], spring.get("r", 0.006 * head["size"]))


def _line(name: str, a: NDArray[np.float64], b: NDArray[np.float64], radius: float) -> Part:
    """A bar from a to b (n, 3): a tube of length 1 along z that is turned and stretched."""
    from saltus.view.still import _between

    d = b - a
    length = np.linalg.norm(d, axis=1)
    z = np.divide(d, length[:, None], out=np.tile((0.0, 0.0, 1.0), (len(d), 1)), where=length[:, None] > 0)
    # The shortest turn from z to the bar: (1 + z . d, z x d), of the opposite direction half a turn about x.
    q = np.stack([1.0 + z[:, 2], -z[:, 1], z[:, 0], np.zeros(len(z))], axis=1)
    q = np.where(np.linalg.norm(q, axis=1, keepdims=True) > 1e-9, q, (0.0, 1.0, 0.0, 0.0))
    scale = np.stack([np.ones(len(d)), np.ones(len(d)), np.maximum(length, 1e-9)], axis=1)
    return Part(name, _mesh(_between(np.zeros(3), np.array([0.0, 0.0, 1.0]), radius, 10)), a, q / np.linalg.norm(q, axis=1, keepdims=True), scale)


def _at(place: list[float], p: NDArray[np.float64], q: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(p (n, 3), q (n, 4)) of a place as the head of a scene holds it: number of its frame (-1: the ground), point, quaternion."""
    frame, local, turn = int(place[0]), np.array(place[1:4], dtype=float), np.array(place[4:8], dtype=float)
    n = len(p)
    if frame < 0:
        return np.tile(local, (n, 1)), np.tile(turn, (n, 1))
    w, v = q[:, frame, :1], q[:, frame, 1:]
    point = p[:, frame] + local + 2.0 * np.cross(v, np.cross(v, local) + w * local)
    product = np.concatenate([w * turn[0] - v @ turn[1:, None], w * turn[1:] + v * turn[0] + np.cross(v, turn[1:])], axis=1)
    return point, product / np.linalg.norm(product, axis=1, keepdims=True)


def _mesh(quads: NDArray[np.float64]) -> Mesh:
    """Triangles of quads (n, 4, 3), with each point once; of what has no area nothing."""
    corners = quads.reshape(-1, 3)
    size = np.ptp(corners, axis=0).max() or 1.0
    _, first, number = np.unique(np.round(corners / size, 9), axis=0, return_index=True, return_inverse=True)
    quad = number.reshape(-1, 4)
    triangles = np.concatenate([quad[:, [0, 1, 2]], quad[:, [0, 2, 3]]])
    a, b, c = triangles.T
    return Mesh(corners[first], triangles[(a != b) & (b != c) & (c != a)])


def write_scene(source: Result | Moment, path: str | os.PathLike[str]) -> str:
    """Writes the motion in the format of the ending, whole or not at all; returns the file's name."""
    from saltus.exports.gltf import write_gltf
    from saltus.exports.vtkhdf import write_vtkhdf

    target, motion = Path(path), motion_of(source)
    with replacing(target) as draft:
        if target.suffix.lower() == ".vtkhdf":
            write_vtkhdf(motion, draft)
        else:
            write_gltf(motion, draft, binary=target.suffix.lower() == ".glb")
    return os.fspath(path)
