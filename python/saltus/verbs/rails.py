"""Frames whose motion is given: poses in time, rails, locks that open and close."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from saltus import geometry as g
from saltus.handles import Joint, Rail
from saltus.verbs._verb import given, verb
from saltus.verbs.joints import MOTIONS, _limits, _of_motion

if TYPE_CHECKING:
    from collections.abc import Sequence

    from saltus.arguments import Direction, End, Number, OfMotion, OfTime, Point, Real, Vector, VectorOfTime
    from saltus.quantity import Quantity
    from saltus.verbs.joints import Motion

SAMPLES, ZOOMS = 501, 8  # of a curve by functions, where its place nearest to a body is looked for; how often between the two beside the nearest


class RailVerbs:
    """Verbs of motion along curves, of given poses, and of locks."""

    @verb("joints")
    def driven(
        self,
        B: End,
        *,
        position: VectorOfTime | None = None,
        rotation: VectorOfTime | None = None,
        on: End | None = None,
        name: str = "",
    ) -> Joint:
        """The frame B follows a pose that is given in time, in the axes of the frame `on`; default: the world.

        position (3) [m]: of B's origin, three expressions of t, or f(t). rotation (3) [rad]: rotation vector of its axes, likewise. What is not given stays
        free. `force` (n, 3) [N] and `torque` (n, 3) [N m] are what it takes, on B, world axes. Position and speed at the start are the given ones.
        """
        name = self._free_name("driven", name)
        if position is None and rotation is None:
            g.refuse(f"joints/{name}", "has neither a position nor a rotation", "give position=, rotation= or both, as functions of t")
        of = "rotation" if position is None else "position" if rotation is None else "pose"
        A = self._frame(self.ground if on is None else on, "on")
        fields = {"A": A, "B": self._frame(B, "B"), "of": of, **given(position=self._plain(position), rotation=self._plain(rotation))}
        self._add("joints", "driven_frame", name, fields)
        return Joint(self, name)

    @verb("joints")
    def rail(
        self,
        A: End,
        B: End,
        *,
        curve: Sequence[Vector] | VectorOfTime,
        closed: bool = False,
        start: Real | None = None,
        end: Real | None = None,
        holds: Literal["point", "along", "upright"] = "point",
        up: Direction | None = None,
        travel: Real | None = None,
        rate: Real | None = None,
        at: Point | None = None,
        speed: OfTime | None = None,
        position: OfTime | None = None,
        force: OfMotion | None = None,
        stiffness: Number | None = None,
        damping: Number | None = None,
        rest_position: Number | None = None,
        limits: tuple[Real, Real] | Sequence[Real] | None = None,
        restitution: Number | None = None,
        friction: Real | None = None,
        name: str = "",
    ) -> Rail:
        """The origin of B, or the point `at` of it, slides along a curve that is fixed to A.

        curve: points (n, 3) [m], world axes, reference position: a spline through them, closed or not, whose length from the first point is `travel` [m], over laps
        and beyond open ends; or x, y, z in the axes of A as three expressions of s, f(s), from `start` to `end`: `travel` is s. holds:
        "point"; "along": x of B stays along the curve; "upright": y of B stays normal to `up` (default z) as well. travel, rate: at the start of the run; default:
        nearest to B. speed, position, force, stiffness, damping, limits, friction: as of a prismatic joint, along the curve.
        """
        name = self._free_name("rail", name)
        path = f"joints/{name}"
        place, body = self._handle(A).reference, self._handle(B)
        target = body.reference[0] if at is None else self._point(at, f"{path}/at")
        ends = {"A": self._frame(A, "A"), "B": self._frame(B, "B") if at is None else {"body": body.name, "at": target.tolist()}}
        fields, nearest = self._curve(path, place, curve, closed, start, end, target)
        n = None if up is None else place[1].T @ g.direction(up, f"{path}/up")
        along = self._add("nodes", "node_1d", self._free_name("", f"{name}_travel"), given(coordinate=nearest if travel is None else travel, velocity=rate))
        coordinate = {"node": along, "coordinate": 0}
        self._add("joints", "rail", name, {**ends, **fields, "position": coordinate, **given(up=None if n is None else n.tolist()), **({} if holds == "point" else {"holds": holds})})
        rail = Rail(self, name, along)
        self._along(rail, path, coordinate, given(speed=speed, position=position, force=force), given(stiffness=stiffness, damping=damping, offset=rest_position), limits, restitution, friction)
        return rail

    def _curve(self, path, place, curve, closed, start, end, target):
        """Fields of the curve, and its travel nearest to a world point."""
        p, R = place
        loop = {"closed": True} if closed else {}
        if callable(curve) or any(isinstance(entry, (str, int, float)) for entry in curve):
            return {"curve": self._plain(curve), **given(start=start, end=end), **loop}, self._nearest(curve, 0.0 if start is None else start, 0.0 if end is None else end, R.T @ (target - p))
        for word, value in given(start=start, end=end).items():
            g.refuse(f"{path}/{word}", f"is {value!r} of a curve by functions, and this one goes through points", "leave it out")
        world = np.array([self._point(point, f"{path}/curve") for point in curve])
        local = (world - p) @ R
        apart = np.linalg.norm(np.diff(np.vstack([local, local[:1]]) if closed else local, axis=0), axis=1)
        from saltus import _core

        nearest = _core.curve_nearest(local.tolist(), closed, (R.T @ (target - p)).tolist()) if len(apart) > 0 and np.all(apart > 0.0) else 0.0  # else the engine refuses
        return {"points": local.tolist(), **loop}, nearest

    def _nearest(self, curve, start: float, end: float, target: np.ndarray) -> float:
        """s of a curve by functions where it is nearest to a point in its axes; `start` where it has no ends, or is none: the engine tells."""
        try:
            if not start < end:
                return start
            low, high = float(start), float(end)
            for _ in range(ZOOMS):
                s = np.linspace(low, high, SAMPLES)
                best = int(np.argmin(np.linalg.norm(self._curve_points(curve, s) - target, axis=1)))
                low, high = s[max(best - 1, 0)], s[min(best + 1, SAMPLES - 1)]
            return float(s[best])
        except Exception:  # a mistake in the curve, which the engine reports with its place
            return start

    def _curve_points(self, curve, s: np.ndarray) -> np.ndarray:
        if callable(curve):
            return np.array([curve(float(x)) for x in s], dtype=float)
        entries = [np.ravel(self._engine.expression(str(entry), ["s"], s[:, None])) for entry in self._plain(curve)]
        return np.column_stack(entries)

    def _along(self, rail, path, coordinate, drives, spring, limits, restitution, friction) -> None:
        """Drive, spring, stops and friction on the travel."""
        if len(drives) > 1:
            g.refuse(path, f"is driven by {' and '.join(drives)}", "give one of them")
        pair = {"A": "ground", "B": coordinate}
        for word, value in drives.items():
            if word == "force":
                self._part(rail, "loads", "coordinate_load", "drive", {"on": coordinate, "force": _of_motion(value)})
                continue
            kind, key = {"speed": ("coordinate_speed_drive", "speed"), "position": ("coordinate_constraint", "offset")}[word]
            rail._drive = self._part(rail, "joints", kind, "drive", {**pair, key: value})
        if spring:
            self._part(rail, "connectors", "coordinate_spring_damper", "spring", {**pair, **spring})
        if limits is not None:
            low, high = _limits(limits, f"{path}/limits", "m")
            law = {"type": "newton_impact", "restitution": 0.0 if restitution is None else restitution}
            for word, limit, sign in (("lower_stop", low, 1.0), ("upper_stop", high, -1.0)):
                self._part(rail, "relations", "coordinate_gap", word, {"on": coordinate, "law": law, "at": limit, "sign": sign})
        elif restitution is not None:
            g.refuse(f"{path}/restitution", "is of a stop, and the rail has none", "give limits=(lowest, highest)")
        if friction is not None:
            level = g.number(friction, f"{path}/friction", "N")
            if level < 0.0:
                g.refuse(f"{path}/friction", f"is {level:g}, must be at least 0")
            self._part(rail, "relations", "coordinate_gap", "friction", {"on": coordinate, "law": {"type": "relay", "low": -level, "high": level, "on": "rate"}})

    @verb("joints")
    def bond(
        self,
        A: End,
        B: End,
        *,
        locked: OfTime | None = None,
        force_limit: Number | None = None,
        moment_limit: Number | None = None,
        free: Motion | Sequence[Motion] = (),
        at: Point | None = None,
        axis: Direction | None = None,
        name: str = "",
    ) -> Joint:
        """Holds B on A from where they are: attached and let go in a run, or until it breaks.

        locked: it holds while this function of t is above 0, as "t > 1" or "0.5 - t"; default: always. force_limit [N], moment_limit [N m]: above it breaks, for good; an impulse counts as a force over the step in which it passes, so that a short one breaks under any impact, as do the instants of `event_driven`. free: motions
        that it leaves, of "x", "y", "z", "rx", "ry", "rz"; of a hinge "rz", about `axis`. It is written for the rates: B is not pulled to a place. A formula is met
        where it changes its sign, a function of the program, too, if it keeps its sign for a thousandth of the run; at fixed steps it is seen at their ends. A parameter that a controller sets
        switches by the state: `locked="grip"`.
        """
        name = self._free_name("bond", name)
        words = (free,) if isinstance(free, str) else tuple(free)
        for word in words:
            if word not in MOTIONS:
                g.refuse(f"joints/{name}/free", f"has {word!r}", g.near(str(word), MOTIONS) or f"it takes {', '.join(MOTIONS)}")
        fields = {**given(locked=locked, force_limit=force_limit, moment_limit=moment_limit), **dict.fromkeys(words, False)}
        place = {**self._pair(A, B), **self._at(at, name)}
        if axis is not None:
            place["axis"] = axis if isinstance(axis, str) else g.direction(axis, f"joints/{name}/axis").tolist()
        self._add("joints", "bond", name, {**place, **fields})
        return Joint(self, name, place=place)

    @verb("joints")
    def lock(self, on: Quantity, *, locked: OfTime | None = None, limit: Number | None = None, name: str = "") -> Joint:
        """Holds a motion of a joint, a rail's travel or a coordinate of a node at its value, switched in a run; a brake, a clutch on the ground.

        on: `hinge.angle`, `slide.translation.z`, `rail.travel`, `node.coordinate[0]`. locked: it holds while this function of t is above 0. limit [N m or N]: above it
        breaks, for good. A motion that is locked while it runs stops at once: an impact. `multiplier` is what it does. Formulas, functions and parameters: as of `bond`.
        """
        name = self._free_name("lock", name)
        fields = {"A": "ground", "B": self._plain(on), **given(locked=locked, limit=limit)}
        return Joint(self, self._add("joints", "coordinate_lock", name, fields))
