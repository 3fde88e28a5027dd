"""VTKHDF: polygons over time in HDF5, as ParaView 5.12 and later open them (VTK file formats, VTKHDF 2.0, PolyData with steps)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from saltus.errors import missing_extra

if TYPE_CHECKING:
    from saltus.contacts import Contacts
    from saltus.exports.scenes import Motion

DIGITS = 30  # binary digits of a place, of the length of what is drawn: a nanometre of a metre
ROWS = (4096, 40000)  # of a compressed piece: as many as a state has points, but for these limits
TOGETHER = 60_000  # points of the states that are written at once
TOPOLOGIES = ("Vertices", "Lines", "Polygons", "Strips")


def write_vtkhdf(motion: Motion, path: Path) -> None:
    """Points of all parts at each time, to 1e-9 of their extent, compressed; triangles are kept once. Point data: velocity [m/s]. Cell data: `part`, whose names stand beside in `/parts`."""
    try:
        import h5py
    except ImportError:
        raise missing_extra("a VTKHDF file", "export") from None
    begins = np.cumsum([0, *(len(part.mesh.points) for part in motion.parts)])
    triangles = np.concatenate([part.mesh.triangles + begin for part, begin in zip(motion.parts, begins, strict=False)])
    n, steps, cells = int(begins[-1]), len(motion.time), len(triangles)
    velocities = [_velocity(motion, part.body) for part in motion.parts]
    with h5py.File(path, "w") as file:
        root = file.create_group("VTKHDF")
        root.attrs["Version"] = np.array([2, 0], dtype="i8")
        root.attrs.create("Type", b"PolyData", dtype=h5py.string_dtype("ascii", 8))
        root["NumberOfPoints"] = np.array([n], dtype="i8")
        packed = {"chunks": (min(steps * n, ROWS[1], max(n, ROWS[0])), 3), "shuffle": True, "compression": "gzip", "compression_opts": 1}
        points = root.create_dataset("Points", (steps * n, 3), "f8", **packed)
        speeds = root.create_group("PointData").create_dataset("velocity", (steps * n, 3), "f4", **packed)
        unit = _unit(motion)
        every = max(1, TOGETHER // n)
        for i in range(0, steps, every):
            some, rows = slice(i, i + every), slice(i * n, min(i + every, steps) * n)
            places = [part.world(some) for part in motion.parts]
            points[rows] = (np.rint(np.concatenate(places, axis=1) / unit) * unit).reshape(-1, 3)  # the digits beyond are noise, which cannot be compressed
            speeds[rows] = np.concatenate(
                [v[some, None] + np.cross(w[some, None], place - p[some, None]) for (v, w, p), place in zip(velocities, places, strict=True)], axis=1
            ).reshape(-1, 3)
        for name in TOPOLOGIES:
            own = triangles if name == "Polygons" else np.zeros((0, 3), dtype="i8")
            group = root.create_group(name)
            group["NumberOfCells"] = np.array([len(own)], dtype="i8")
            group["NumberOfConnectivityIds"] = np.array([own.size], dtype="i8")
            group["Connectivity"] = own.ravel().astype("i8")
            group["Offsets"] = 3 * np.arange(len(own) + 1, dtype="i8")
        numbers = np.repeat(np.arange(len(motion.parts), dtype="i4"), [len(part.mesh.triangles) for part in motion.parts])
        root.create_group("CellData")["part"] = numbers
        file.create_dataset("parts", data=[part.name for part in motion.parts], dtype=h5py.string_dtype())  # beside: readers of VTK take no text over time
        _write_steps(root, motion.time, n, cells)


def _unit(motion: Motion) -> float:
    """A power of two [m], about 2^-DIGITS of the largest extent of what is drawn over the run."""
    begin = np.concatenate([part.world(slice(1))[0] for part in motion.parts])
    extent = np.ptp(np.concatenate([begin, *(part.p for part in motion.parts)]), axis=0).max()
    return 2.0 ** (np.ceil(np.log2(extent or 1.0)) - DIGITS)


def _write_steps(root: Any, time: Any, n: int, cells: int) -> None:
    """Which rows each step reads: points of its own, cells of all."""
    steps = len(time)
    group = root.create_group("Steps")
    group.attrs["NSteps"] = np.int64(steps)
    group["Values"] = np.asarray(time, dtype="f8")
    group["PartOffsets"] = np.zeros(steps, dtype="i8")
    group["NumberOfParts"] = np.ones(steps, dtype="i8")
    group["PointOffsets"] = n * np.arange(steps, dtype="i8")
    group["CellOffsets"] = np.zeros((steps, 4), dtype="i8")
    group["ConnectivityIdOffsets"] = np.zeros((steps, 4), dtype="i8")
    group.create_group("PointDataOffsets")["velocity"] = n * np.arange(steps, dtype="i8")
    group.create_group("CellDataOffsets")["part"] = np.zeros(steps, dtype="i8")


def write_contacts(contacts: Contacts, path: Path) -> None:
    """Contacts as points over time, with gap [m], normal, force [N], torque [N m], slip [m/s] and state (0 open, 1 sticks, 2 slides); a step of each time that has some."""
    try:
        import h5py
    except ImportError:
        raise missing_extra("a VTKHDF file", "export") from None
    from saltus.exports.contacts import STATES

    times, first, counts = np.unique(contacts.time, return_index=True, return_counts=True)
    states = np.array([STATES.index(word) for word in contacts.state], dtype="i4")
    data = {"gap": contacts.gap, "normal": contacts.normal, "force": contacts.force, "torque": contacts.torque, "slip": contacts.slip, "state": states}
    steps = len(times)
    with h5py.File(path, "w") as file:
        root = file.create_group("VTKHDF")
        root.attrs["Version"] = np.array([2, 0], dtype="i8")
        root.attrs.create("Type", b"PolyData", dtype=h5py.string_dtype("ascii", 8))
        root["NumberOfPoints"] = counts.astype("i8")
        root["Points"] = np.asarray(contacts.point, dtype="f8")
        of_points = root.create_group("PointData")
        for name, values in data.items():
            of_points[name] = values
        for name in TOPOLOGIES:
            group, cells = root.create_group(name), counts if name == "Vertices" else np.zeros(steps, dtype=int)
            group["NumberOfCells"] = group["NumberOfConnectivityIds"] = cells.astype("i8")
            group["Connectivity"] = np.concatenate([np.arange(n, dtype="i8") for n in cells])
            group["Offsets"] = np.concatenate([np.arange(n + 1, dtype="i8") for n in cells])
        group = root.create_group("Steps")
        group.attrs["NSteps"] = np.int64(steps)
        group["Values"] = times
        group["PartOffsets"], group["NumberOfParts"] = np.arange(steps, dtype="i8"), np.ones(steps, dtype="i8")
        group["PointOffsets"] = first.astype("i8")
        group["CellOffsets"] = group["ConnectivityIdOffsets"] = np.column_stack([first, *3 * [np.zeros(steps)]]).astype("i8")
        of_steps = group.create_group("PointDataOffsets")
        for name in data:
            of_steps[name] = first.astype("i8")


def _velocity(motion: Motion, body: str) -> tuple[Any, Any, Any]:
    """(velocity, angular velocity, position) (n, 3) of a body at the times; zeros of what is no body."""
    zero = np.zeros((len(motion.time), 3))
    known = motion.system.quantities(body) if body else ()
    states = tuple(motion.arrays[name] for name in ("t", "y", "a", "lam", "data"))
    read = lambda word: motion.system.evaluate(f"{body}.{word}", *states)[0] if word in known else zero  # noqa: E731
    return read("velocity"), read("angular_velocity"), read("position")
