"""Wheels: discs and spheres that roll on a plane, without slip, or with friction that may slip."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from saltus import geometry as g
from saltus import handles
from saltus.handles import Joint, Wheel
from saltus.verbs._verb import verb
from saltus.verbs.contacts import _laws, _standard_law, _written, warn_of_rolling

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from saltus.arguments import Direction, End, Number, Point, Real
    from saltus.items import Item

    Outline = Sequence[tuple[Real, Real]] | np.ndarray


class RollingVerbs:
    """Verbs that let discs and spheres roll. A: a plane, or a frame whose plane z = 0 is meant; B: the body that rolls, a disc about its own z axis."""

    @verb("joints")
    def rolling(
        self,
        A: End,
        B: End,
        *,
        radius: Number | None = None,
        edge: Number | None = None,
        axis: Direction | None = None,
        at: Point | None = None,
        name: str = "",
    ) -> Joint:
        """B rolls on the plane A without slip and never leaves it: nonholonomic, exact in every scheme.

        radius, edge [m]: of the disc and of the round of its rim; default: those of the cylinder or sphere B. axis: of the disc, default
        z of B; at: its centre (3) [m], default B's origin. `force` (n, 3) [N] is what the plane does on B, world axes. A disc that comes to lie flat ends
        the run: no point of its rim is then the lowest. A plane that moves (a turntable) may be a frame of a body.
        """
        name = self._free_name("rolling", name)
        ends, disc = self._disc(A, B, radius, edge, axis, at, f"joints/{name}")
        self._add("joints", "rolling_disc", name, {**ends, **disc})
        gap = self._add("relations", "disc_gap", self._free_name("", f"{name}_gap"), {**ends, **disc, "law": {"type": "equality"}})
        return Joint(self, name, (gap,), place={**ends, **disc})

    @verb("relations")
    def wheel(
        self,
        A: End,
        B: End,
        *,
        radius: Number | None = None,
        edge: Number | None = None,
        axis: Direction | None = None,
        at: Point | None = None,
        friction: Number = 0.0,
        rolling: Number = 0.0,
        spinning: Number = 0.0,
        restitution: Number = 0.0,
        law: Item | handles.Item | Mapping[str, Any] | str | None = None,
        outline: Outline | None = None,
        rounding: Number | None = None,
        name: str = "",
    ) -> Wheel:
        """The disc B touches the plane A, may slip and lift off; radius, edge, axis, at: as of `rolling`.

        friction: Coulomb's coefficient. rolling, spinning: largest moment over the normal force, lengths [m]. restitution: 0 to 1. law:
        another one in their place. `force` (n, 3) [N] is what the plane does on B, world axes. outline: instead of the plane z = 0 a kerb, step or bump, beside it:
        corners (x, z) [m] in the axes of A, the ground on the right of the way through them, turning down at each corner; it goes on along y, and the first and
        last stretch go on. rounding [m]: of its corners. A kerb 0.12 m high at x = 3: [(3, 0), (3, 0.12), (4, 0.12)].
        """
        name = self._free_name("wheel", name)
        path = f"relations/{name}"
        ends, disc = self._disc(A, B, radius, edge, axis, at, path)
        words = {"restitution": restitution, "friction": friction, "rolling": rolling, "spinning": spinning}
        law = _standard_law(words) if law is None else self._given_law(law, words, path)
        if all(isinstance(size, (int, float)) for size in disc.values()):
            warn_of_rolling(law, {self._handle(B).name: sum(disc.values())}, path)
        rows = max(1, _laws()[law["type"]]["rows"])
        kind = {1: "gap", 6: "rolling_contact"}.get(rows, "contact")
        ground = _ground(path, outline, rounding)
        self._add("relations", f"disc_outline_{kind}" if ground else f"disc_{kind}", name, {**ends, **disc, **ground, "law": _written(law, law)})
        return Wheel(self, name)

    @verb("connectors")
    def elastic_wheel(
        self,
        A: End,
        B: End,
        *,
        stiffness: Number,
        damping: Number = 0.0,
        friction: Number = 0.0,
        radius: Number | None = None,
        edge: Number | None = None,
        axis: Direction | None = None,
        at: Point | None = None,
        outline: Outline | None = None,
        rounding: Number | None = None,
        name: str = "",
    ) -> Wheel:
        """The disc B touches the plane A with a rim of stiffness [N/m] and damping [N s/m], for smooth schemes; radius, edge, axis, at: as of `rolling`, outline, rounding: as of `wheel`.

        friction: Coulomb's coefficient; it creeps below the `sliding_speed` of `sl.items.DiscPenaltyContact`. `force` (n, 3) [N] is what the plane does on B, world axes.
        """
        name = self._free_name("elastic_wheel", name)
        path = f"connectors/{name}"
        ends, disc = self._disc(A, B, radius, edge, axis, at, path)
        ground = _ground(path, outline, rounding)
        kind, linear = ("penalty_disc_outline", {"exponent": 1.0}) if ground else ("disc_penalty_contact", {})
        self._add("connectors", kind, name, {**ends, **disc, **ground, "stiffness": stiffness, **linear, "damping": damping, "friction": friction})
        return Wheel(self, name)

    def _disc(self, A, B, radius, edge, axis, at, path: str) -> tuple[dict[str, Any], dict[str, Any]]:
        """Ends and sizes of a disc: its frame on B has the axis as z."""
        end = self._frame(B, "B")
        body = self._handle(B)
        if axis is not None or at is not None:
            p, R = body.reference
            n = R[:, 2] if axis is None else g.direction(axis, f"{path}/axis")
            turn = g.rotation_vector(R.T @ g.basis_with_z(n)) if axis is not None else np.zeros(3)
            centre = p if at is None else self._point(at, f"{path}/at")
            of = body._reference()
            if not isinstance(of, str):
                g.refuse(f"{path}/axis", f"and at= are of a body, and {g.short(body)} is a frame", "turn the frame itself, or give the body")
            end = {"body": of, "at": centre.tolist(), **({"rotation": turn.tolist()} if np.any(turn) else {})}
        shape = getattr(body, "_shape", {})
        if radius is None and edge is None:
            kind = shape.get("type")
            if kind not in ("cylinder", "sphere"):
                g.refuse(f"{path}/radius", f"is missing: {body.name} is no cylinder or sphere", "give radius= [m] of the disc, edge= alone of a sphere")
            radius, edge = (shape["radius"], None) if kind == "cylinder" else (0.0, shape["radius"])
        return {"A": self._frame(A, "A"), "B": end}, {word: value for word, value in (("radius", radius), ("edge", edge)) if value is not None}


def _ground(path: str, outline: Any, rounding: Any) -> dict[str, Any]:
    """Fields of a kerb; none of a plane."""
    if outline is None:
        if rounding is not None:
            g.refuse(f"{path}/rounding", "is of the corners of an outline, and there is none", "give outline= too")
        return {}
    try:
        points = np.asarray(outline, dtype=float)
    except (TypeError, ValueError):
        points = np.empty(0)
    if points.ndim != 2 or points.shape[1] != 2 or len(points) < 2 or not np.all(np.isfinite(points)):
        g.refuse(f"{path}/outline", f"is {g.short(outline)}, expected two points (x, z) or more", "write [(3, 0), (3, 0.12), (4, 0.12)]")
    return {"points": points.tolist(), **({} if rounding is None else {"rounding": rounding})}
