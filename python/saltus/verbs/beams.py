"""Beams: a chain of elements between nodes of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from saltus import geometry as g
from saltus.handles import Beam, BeamElement
from saltus.sections import Section
from saltus.verbs._verb import verb

if TYPE_CHECKING:
    from collections.abc import Sequence

    from saltus.arguments import Direction, Number, Point, Vector

Pose = tuple[np.ndarray, np.ndarray]  # p (3), R (3, 3)


class BeamVerbs:
    """Verbs that make beams: elements with shear between nodes of their own, for large motions.

    section: a `sl.Section`. up: direction near which z of the sections is. damping [s]: stress of strain rate over stress of strain. velocity (3) [m/s]
    of the start and angular_velocity (3) [rad/s] of the whole are initial values, world axes. `beam.start`, `beam.end` and `beam.at(s)` are frames that
    joints, loads, springs and contacts take. The error falls with the square of the number of elements.
    """

    @verb("bodies")
    def beam(
        self,
        start: Point,
        end: Point,
        *,
        section: Section | None = None,
        EI: float | None = None,
        EA: float | None = None,
        mass_per_length: float = 0.0,
        elements: int = 10,
        up: Direction | None = None,
        damping: Number = 0.0,
        velocity: Vector | None = None,
        angular_velocity: Vector | None = None,
        name: str = "",
    ) -> Beam:
        """A straight beam from `start` to `end` (3) [m] in `elements` elements.

        EI [N m^2] and EA [N], with mass_per_length [kg/m], in place of a section: that of `sl.Section.slim`. up: direction near which z of the sections is, default the shortest turn of x to the beam. damping [s]: stress of strain rate over stress of
        strain. velocity (3) [m/s] of the start and angular_velocity (3) [rad/s] of the whole are initial values.
        """
        name = self._free_name("beam", name)
        if self.planar:
            g.refuse(f"bodies/{name}", "is a beam in space, and the model is planar", "build the model without planar=True")
        path = f"bodies/{name}"
        n = int(g.number(elements, f"{path}/elements", above=0.0))
        if n != elements:
            g.refuse(f"{path}/elements", f"is {elements:g}, must be a whole number")
        a, b = self._point(start, f"{path}/start"), self._point(end, f"{path}/end")
        if not np.linalg.norm(b - a) > 0.0:
            g.refuse(path, f"has length zero: start and end are the same point, {g.short(a)}", "give two points")
        points = [a + (b - a) * (i / n) for i in range(n + 1)]
        if section is None and EI is not None and EA is not None:
            section = Section.slim(EI=EI, EA=EA, mass_per_length=mass_per_length)
        elif EI is not None or EA is not None or mass_per_length:
            g.refuse(path, "has a section by halves", "give section=, or both EI= and EA= without it")
        return self._beam(name, _along(points, self._up(up, path), path), section, damping, velocity, angular_velocity)

    @verb("bodies")
    def beam_along(
        self,
        line: Sequence[Any],
        *,
        section: Section,
        up: Direction | None = None,
        damping: Number = 0.0,
        velocity: Vector | None = None,
        angular_velocity: Vector | None = None,
        name: str = "",
    ) -> Beam:
        """A curved beam, free of stress in the reference position, with one element between each two entries of `line`.

        line: points (n, 3) [m] of the centre line, or poses (p (3), R (3, 3)) of the sections, x of R along the beam. up: direction near which z of the
        first section is; the others turn as little as may be. damping, velocity, angular_velocity: as of `beam`.
        """
        name = self._free_name("beam", name)
        if self.planar:
            g.refuse(f"bodies/{name}", "is a beam in space, and the model is planar", "build the model without planar=True")
        path = f"bodies/{name}"
        if len(line) < 2:
            g.refuse(f"{path}/line", f"has {len(line)} entries", "give two or more")
        if all(isinstance(entry, (tuple, list)) and len(entry) == 2 for entry in line):
            poses = [(g.vector(p, f"{path}/line/{i}"), np.array(R, dtype=float)) for i, (p, R) in enumerate(line)]
        else:
            poses = _along([self._point(p, f"{path}/line/{i}") for i, p in enumerate(line)], self._up(up, path), path)
        return self._beam(name, poses, section, damping, velocity, angular_velocity)

    @staticmethod
    def _up(up, path: str) -> np.ndarray | None:
        return None if up is None else g.direction(up, f"{path}/up")

    def _beam(self, name: str, poses: list[Pose], section, damping, velocity, angular_velocity) -> Beam:
        path = f"bodies/{name}"
        if not isinstance(section, Section):
            g.refuse(f"{path}/section", f"is {g.short(section)}, expected a section", "write EI= and EA=, section=sl.Section.rectangle(...) or sl.Section(stiffness=...)")
        spin = np.zeros(3) if angular_velocity is None else g.vector(angular_velocity, f"{path}/angular_velocity", "rad/s")
        speed = np.zeros(3) if velocity is None else g.vector(velocity, f"{path}/velocity", "m/s")
        last = len(poses) - 1
        names = [self._free_name("", f"{name}_{word}") for word in ("start", *(f"node_{i}" for i in range(1, last)), "end")]
        for node, (p, R) in zip(names, poses, strict=True):
            given = {"rotation": g.rotation_vector(R), "velocity": speed + np.cross(spin, p - poses[0][0]), "angular_velocity": spin}
            self._add("nodes", "node_rigid", node, {"position": p.tolist(), **{word: x.tolist() for word, x in given.items() if np.any(x)}})
        fields = {**section.record(self._plain), **({"damping": damping} if damping else {})}
        parts = []
        for i, (A, B) in enumerate(zip(names, names[1:], strict=False), 1):
            parts.append(BeamElement(self, self._add("bodies", "beam", self._free_name("", f"{name}_{i}"), {"A": A, "B": B, **fields})))
        return Beam(self, name, dict(zip(names, poses, strict=True)), tuple(parts))


def _along(points: list[np.ndarray], up: np.ndarray | None, path: str) -> list[Pose]:
    """Sections at the points: x along the arcs through three of them each, turned as little as may be from one to the next."""
    chords = [b - a for a, b in zip(points, points[1:], strict=False)]
    lengths = [float(np.linalg.norm(c)) for c in chords]
    if not min(lengths) > 0.0:
        g.refuse(f"{path}/line", f"has the point {lengths.index(0.0)} twice", "leave one out")
    inner = [(c * (m / k) + d * (k / m)) for c, d, k, m in zip(chords, chords[1:], lengths, lengths[1:], strict=False)]
    inner = [t / np.linalg.norm(t) for t in inner] or [chords[0] / lengths[0]]
    ends = [2.0 * (c @ t) / k**2 * c - t for c, t, k in ((chords[0], inner[0], lengths[0]), (chords[-1], inner[-1], lengths[-1]))]
    tangents = [ends[0], *(inner if len(points) > 2 else []), ends[1]]
    R = g.basis_with_x(tangents[0])
    if up is not None:
        y = np.cross(up, tangents[0])
        if not np.linalg.norm(y) > 1e-6:
            g.refuse(f"{path}/up", "points along the beam", "give a direction across it")
        y /= np.linalg.norm(y)
        R = np.column_stack([tangents[0], y, np.cross(tangents[0], y)])
    poses = [(points[0], R)]
    for p, t in zip(points[1:], tangents[1:], strict=True):
        R = g.turn_between(R[:, 0], t) @ R
        poses.append((p, R))
    return poses
