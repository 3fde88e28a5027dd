"""Joints of two bodies: forces and motion are those of B, the second. A drive or spring is an item of its own."""

from __future__ import annotations

import inspect
import math
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from saltus import geometry as g
from saltus import planar as flat
from saltus.friction import Coulomb, Friction, Plastic
from saltus.handles import BeamNode, Body, Frame, Handle, Item, Joint, Moving
from saltus.rotations import turn_vector
from saltus.verbs._verb import given, verb

if TYPE_CHECKING:
    from collections.abc import Sequence

    from saltus.arguments import Direction, End, Function, Number, Numbers, OfMotion, OfTime, Point, Real, Turn, VectorOfTime
    from saltus.quantity import Quantity

    Motion = Literal["x", "y", "z", "rx", "ry", "rz"]

MEET = ("revolute", "spherical")  # joints that have a point
APART = 1e-6  # m, or of the largest coordinate: two places
PAST = 0.02  # of its limit: how far the integral of a drive goes on
MOTIONS = ("x", "y", "z", "rx", "ry", "rz")


class JointVerbs:
    """Verbs that make joints. `at`: world point (3) [m] in the reference position, or a frame; default: frame of B."""

    @verb("joints")
    def revolute(
        self,
        A: End,
        B: End,
        *,
        at: Point | None = None,
        axis: Direction | None = None,
        speed: OfTime | None = None,
        angle: OfTime | None = None,
        torque: OfMotion | None = None,
        limit: Real | None = None,
        gain: Real | None = None,
        integral: Real | None = None,
        stiffness: Number | None = None,
        damping: Number | None = None,
        rest_angle: Number | None = None,
        limits: Sequence[Real | None] | None = None,
        restitution: Number | None = None,
        friction: Real | Friction | None = None,
        armature: Number | None = None,
        ratio: Number | None = None,
        name: str = "",
    ) -> Joint:
        """Rotation about `axis` ("x", a vector; default: z of B's frame) is free, or driven exactly.

        speed [rad/s], angle [rad] or torque [N m] on B: a number, an expression of t, a function f(t); a torque may
        also depend on angle and speed: f(t, angle, speed). limit [N m]: largest torque of the drive; it keeps the speed while that
        suffices. gain [N m s/rad]: instead of holding it, torque is gain times what the speed lacks, and integral [N m/rad] times the integral of that, which waits while
        the limit is reached. stiffness [N m/rad], damping [N m s/rad], rest_angle [rad]:
        a torsional spring. limits: (lowest, highest) angle [rad] with a stop of `restitution` (0 to 1) at each, None where there is none. friction:
        dry friction torque of this size [N m], or `sl.Coulomb` of the joint's reaction, `sl.Stribeck`, `sl.Dahl`, `sl.LuGre`, or `sl.Plastic`, a plastic hinge.
        armature [kg m^2]: inertia of a rotor that turns `ratio` times as fast (see `m.armature`). Angles count turns from the
        reference position, where they are 0.
        """
        place, joint = self._joint("revolute", A, B, at, axis, name, friction)
        self._drive(
            joint,
            place,
            given(speed=speed, angle=angle, torque=torque),
            {"speed": "revolute_speed_drive", "angle": "revolute_drive", "torque": "joint_torque"},
            limit,
            gain,
            integral,
        )
        spring = given(stiffness=stiffness, damping=damping, rest_angle=rest_angle)
        self._resist(joint, place, "torsional_spring_damper", spring, "joint_angle", limits, restitution, friction)
        self._rotor(joint, {"joint": joint.name, "motion": "angle"}, armature, ratio)
        return joint

    @verb("joints")
    def prismatic(
        self,
        A: End,
        B: End,
        *,
        at: Point | None = None,
        axis: Direction | None = None,
        speed: OfTime | None = None,
        position: OfTime | None = None,
        force: OfMotion | None = None,
        limit: Real | None = None,
        gain: Real | None = None,
        integral: Real | None = None,
        stiffness: Number | None = None,
        damping: Number | None = None,
        rest_position: Number | None = None,
        limits: Sequence[Real | None] | None = None,
        restitution: Number | None = None,
        friction: Real | Friction | None = None,
        armature: Number | None = None,
        ratio: Number | None = None,
        name: str = "",
    ) -> Joint:
        """Translation along `axis` is free, or driven exactly: speed [m/s], position [m] or force [N] on B.

        Each is a number, an expression of t, or a function f(t); a force may be f(t, position, speed). limit [N]: largest
        force of the drive; it keeps the speed while that suffices. gain [N s/m]: force is gain times what the speed lacks, and integral [N/m] times the integral of that, which waits while the limit is reached. stiffness [N/m],
        damping [N s/m], rest_position [m]: a spring along the axis. limits: (lowest, highest) position [m], with a stop
        of `restitution` (0 to 1) at each, None where there is none. friction: dry friction force of this size [N], or `sl.Coulomb` of the joint's reaction,
        `sl.Stribeck`, `sl.Dahl`, `sl.LuGre`, `sl.Plastic`. armature [kg m^2]: inertia of a rotor that turns by `ratio` [rad/m] (see `m.armature`).
        """
        place, joint = self._joint("prismatic", A, B, at, axis, name, friction)
        self._drive(
            joint,
            place,
            given(speed=speed, position=position, force=force),
            {"speed": "prismatic_speed_drive", "position": "prismatic_drive", "force": "joint_force"},
            limit,
            gain,
            integral,
        )
        spring = given(stiffness=stiffness, damping=damping, rest_position=rest_position)
        self._resist(joint, place, "sliding_spring_damper", spring, "joint_position", limits, restitution, friction)
        self._rotor(joint, {"joint": joint.name, "motion": "position"}, armature, ratio)
        return joint

    @verb("joints")
    def generic(
        self,
        A: End,
        B: End,
        *,
        locked: Motion | Sequence[Motion],
        at: Point | None = None,
        rotation: Turn | None = None,
        offset: VectorOfTime | None = None,
        turn: VectorOfTime | None = None,
        name: str = "",
    ) -> Joint:
        """Locks any of the translations "x", "y", "z" and rotations "rx", "ry", "rz" along the axes of A's frame.

        locked: their names, such as ("x", "y", "rz"). rotation: rotation vector (3) [rad], or `sl.Rotation`, of the axes in the world, in
        the reference position; default: A's own. With two rotations locked the third is free to any angle; with one
        locked the joint is a Cardan joint (see `sl.items.Generic`). What is locked may be given in time: offset (3) [m] of the translations,
        turn (3) [rad], a rotation vector along these axes, of the rotations; three expressions of t, or f(t), 0 where nothing is locked.
        """
        name = self._free_name("generic", name)
        self._in_space(f"joints/{name}")
        path = f"joints/{name}/locked"
        locked = (locked,) if isinstance(locked, str) else tuple(locked)
        if not locked:
            g.refuse(path, "is empty: the joint locks nothing", f"name some of {', '.join(MOTIONS)}")
        for word in locked:
            if word not in MOTIONS:
                g.refuse(path, f"has {word!r}", g.near(str(word), MOTIONS) or f"it takes {', '.join(MOTIONS)}")
            if locked.count(word) > 1:
                g.refuse(path, f"has {word!r} more than once")
        axes = (
            g.rotation_vector(self._handle(A).reference[1])
            if rotation is None
            else turn_vector(rotation, f"joints/{name}/rotation")
        )
        fields = {**self._pair(A, B), **self._at(at, name), "rotation": axes.tolist(), **dict.fromkeys(locked, True)}
        fields |= given(offset=self._plain(offset), turn=self._plain(turn))
        return Joint(self, self._add("joints", "generic", name, fields), place=fields)

    @verb("joints")
    def spherical(self, A: End, B: End, *, at: Point | None = None, name: str = "") -> Joint:
        """The bodies share the point `at` (3) [m], world axes, reference position, or a frame; all rotation is free.

        `force` (n, 3) [N] is what the joint does on B, world axes. Bodies that are apart by more than 1e-6 of the model's size at
        the start are refused by the run.
        """
        return self._joint("spherical", A, B, at, None, name)[1]

    @verb("joints")
    def cylindrical(
        self, A: End, B: End, *, at: Point | None = None, axis: Direction | None = None, name: str = ""
    ) -> Joint:
        """Rotation about and translation along `axis` are free; at: a point (3) [m] of the axis, default the frame of B.

        axis: "x", "-y", ... or a vector (3) in world axes; default z of B's frame. `force` [N], `torque` [N m] act on B, world axes.
        """
        return self._joint("cylindrical", A, B, at, axis, name)[1]

    @verb("joints")
    def fixed(self, A: End, B: End, *, at: Point | None = None, name: str = "") -> Joint:
        """B keeps its place on A. at: where `force` [N] and `torque` [N m] on B are read, (3) [m] or a frame; default the frame of B."""
        return self._joint("fixed", A, B, at, None, name)[1]

    @verb("joints")
    def universal(
        self, A: End, B: End, *, axes: Sequence[Direction], at: Point | None = None, name: str = ""
    ) -> Joint:
        """Cardan joint: the cross turns about axes[0], fixed in A, and about axes[1], fixed in B, normal to it.

        axes: two of "x", "-y", ... or vectors (3), world axes, reference position; at: the centre of the cross (3) [m], or a frame.
        """
        name = self._free_name("universal", name)
        self._in_space(f"joints/{name}")
        path = f"joints/{name}/axes"
        if isinstance(axes, str) or len(axes) != 2:
            g.refuse(path, f"is {axes!r}, expected two directions", 'write ("y", "z")')
        x, y = (g.direction(axis, path) for axis in axes)
        if abs(float(x @ y)) > 1e-9:
            g.refuse(path, f"are {axes!r}, which are not normal to each other")
        if at is None:
            self._meets(A, B, f"{path.removesuffix('/axes')}/at")
        turn = g.rotation_vector(np.column_stack([x, y, np.cross(x, y)]))
        fields = {**self._pair(A, B), **self._at(at, name), "rotation": turn.tolist()}
        return Joint(self, self._add("joints", "universal", name, fields), place=fields)

    @verb("joints")
    def distance(self, A: End, B: End, *, length: Number | None = None, name: str = "") -> Joint:
        """The origins of two frames keep their distance, `length` [m] above 0; default: the one of the reference position.

        A massless rod with spherical ends; `force` (n, 3) [N] is what it does on B, world axes.
        """
        name = self._free_name("distance", name)
        fields = self._pair(A, B)
        if length is None:
            p, q = (self._handle(end).reference[0] for end in (A, B))
            length = float(np.linalg.norm(q - p))
        return Joint(self, self._add("joints", "distance", name, {**fields, "length": length}))

    def _pair(self, A, B):
        return {"A": self._frame(A, "A"), "B": self._frame(B, "B")}

    def _at(self, at, name: str):
        return {} if at is None else {"at": self._point(at, f"joints/{name}/at").tolist()}

    def _joint(self, kind: str, A, B, at, axis, name: str, friction=None):
        """Record of a joint; also its pair and place, which drives and springs of the joint share."""
        name = self._free_name(kind, name)
        pair = self._pair(A, B)
        if at is None and kind in MEET:
            self._meets(A, B, f"joints/{name}/at")
        place = {**pair, "at": pair["B"], **self._at(at, name)}
        if self.planar:
            if kind not in flat.JOINTS:
                self._in_space(f"joints/{name}")
            kind, axis = self._flat_axis(kind, axis, place, name)
            if isinstance(friction, Coulomb):
                g.refuse(f"joints/{name}/friction", "is of the joint's own reaction, which planar joints do not have", "give a number: a torque [N m] or a force [N]")
        if axis is not None:
            n = g.direction(axis, f"joints/{name}/axis")
            place["axis"] = axis if isinstance(axis, str) else n.tolist()
        if isinstance(friction, Coulomb):  # of its own reaction: a joint of its own
            record = {**place, **friction.of_joint(kind, f"joints/{name}")}
            return place, Joint(self, self._add("joints", f"rough_{kind}", name, record), place=place)
        return place, Joint(self, self._add("joints", kind, name, place), place=place)

    def _meets(self, A, B, path: str) -> None:
        """Warns where A is a frame of a body or beam and the joint, at B's frame, stands elsewhere."""
        A, B = (self[end] if isinstance(end, str) and end in self else end for end in (A, B))
        if not isinstance(A, (BeamNode, Frame)) or not isinstance(B, (BeamNode, Body, Frame)):
            return
        carriers = [getattr(end, "_body", end) for end in (A, B)]
        if any(isinstance(carrier, Moving) and carrier._p is None for carrier in carriers):  # known to the engine alone
            return
        (p, _), (q, _) = A.reference, B.reference
        far = float(np.linalg.norm(q - p))
        if far > APART * max(1.0, *np.abs(p), *np.abs(q)):
            g.warn(path, f"is not given: the joint stands at B, {g.short(B)}, {far:.3g} m from A, {g.short(A)}", "give at=, or place the parts so that both frames meet")

    def _in_space(self, path: str) -> None:
        if self.planar:
            g.refuse(path, "is a joint in space, and the model is planar", f"a planar model takes {', '.join(flat.JOINTS)} and distance")

    def _flat_axis(self, kind: str, axis, place: dict[str, Any], name: str):
        """Type of a planar joint, and its axis, which for a slide becomes the place's rotation."""
        path = f"joints/{name}/axis"
        if kind == "prismatic":
            n = g.direction("x" if axis is None else flat.vector(axis, path, ""), path)
            flat.along(n, path)
            place["rotation"] = g.rotation_vector(flat.slide_frame(n)).tolist()
            axis = None
        elif axis is not None:
            n = g.direction(axis, path)
            if abs(n[2]) < 1.0 - 1e-9:
                g.refuse(path, f"is {g.short(axis)}, in the plane", "a planar hinge turns about z: leave the axis out")
        return flat.JOINTS[kind], axis

    @verb("relations")
    def coupling(self, on: Sequence[Quantity], factors: Numbers, *, offset: OfTime | None = None, name: str = "") -> Item:
        """A gear, rack, screw or differential: sum of factors[i] * on[i] + offset(t) = 0, without wear, slip or play.

        on: motions of joints and coordinates of nodes, such as `hinge.angle` [rad, its turns counted], `slide.translation.z` [m],
        `node.coordinate[0]`. Two equal pinions: `m.coupling([a.angle, b.angle], (1, 1))`.
        """
        name, fields = self._coordinates("coupling", on, name)
        row = self._plain(factors)
        if not isinstance(row, (list, tuple)) or len(row) != len(fields["on"]):
            count = len(row) if isinstance(row, (list, tuple)) else 1
            g.refuse(f"relations/{name}/factors", f"has {count} numbers for {len(fields['on'])} coordinates", "give one each")
        return Item(self, self._add("relations", "linear_relation", name, {**fields, "matrix": [row], **given(offset=offset)}))

    @verb("relations")
    def equation(self, on: Sequence[Quantity], function: Function, *, name: str = "") -> Item:
        """A cam, a linkage, any equation h(t, q0, q1, ...) = 0 between motions of joints and coordinates of nodes, in the order of `on`.

        function: h, an expression or a function of the program. Its derivative by each coordinate says how the multiplier acts on it.
        """
        name, fields = self._coordinates("equation", on, name)
        return Item(self, self._add("relations", "user_relation", name, {**fields, "function": function}))

    def _coordinates(self, word: str, on, name: str):
        name = self._free_name(word, name)
        if not isinstance(on, (list, tuple)) or not on:
            g.refuse(f"relations/{name}/on", "is no list of coordinates", "write [one.angle, other.angle]")
        return name, {"on": [self._plain(coordinate) for coordinate in on]}

    def _drive(self, joint: Joint, place, drives, types, limit, gain, integral) -> None:
        path = f"joints/{joint.name}"
        if len(drives) > 1:
            g.refuse(path, f"is driven by {' and '.join(drives)}", "give one of them")
        for word, value in given(limit=limit, gain=gain, integral=integral).items():
            if "speed" not in drives:
                g.refuse(f"{path}/{word}", "is of a drive by speed, and the joint has none", "give speed=")
            g.number(value, f"{path}/{word}", above=0.0)
        if integral is not None:
            return self._regulated(joint, drives["speed"], types, limit, gain or 0.0, integral)
        if gain is not None:
            return self._governed(joint, place, drives["speed"], types, limit, gain)
        _in_radians(drives.get("angle"), f"{path}/angle")
        for word, value in drives.items():
            section = "loads" if word in ("torque", "force") else "joints"
            if word in ("torque", "force"):
                value = _of_motion(value)
            law = {} if limit is None else {"law": {"type": "relay", "low": -limit, "high": limit, "on": "rate"}}
            drive = self._part(joint, section, types[word], "drive", {**place, word: value, **law})
            joint._drive = drive if section == "joints" else None

    def _governed(self, joint: Joint, place, speed, types, limit, gain) -> None:
        """A drive whose effort is the gain times what the speed lacks, at most the limit."""
        if callable(speed):
            g.refuse(f"joints/{joint.name}/gain", "is of a speed given by an expression, and this one is a function", "write the speed as an expression of t, or give torque= with the law of the drive")
        effort = f"{gain}*(({speed}) - speed)"
        word = "torque" if "torque" in types else "force"
        self._part(joint, "loads", types[word], "drive", {**place, word: effort if limit is None else f"max(min({effort}, {limit}), -{limit})"})

    def _regulated(self, joint: Joint, speed, types, limit, gain, integral) -> None:
        """The same with the integral, a state that comes to stand while the limit is reached and the speed lacks more in that direction."""
        if callable(speed):
            g.refuse(f"joints/{joint.name}/integral", "is of a speed given by an expression, and this one is a function", "write the speed as an expression of t, or let a controller set the torque")
        node = self._add("nodes", "node_ode1", self._free_name("", f"{joint.name}_integral"), {"count": 1})
        lacks = f"(({speed}) - v1)"
        effort, rate = f"{gain}*{lacks} + {integral}*q0", lacks
        if limit is not None:
            # Where the rate would jump to 0 at the limit no implicit step has a solution: it falls to 0 as the integral goes on by PAST of the limit, which the torque does not feel.
            past = f"((1 + {PAST})*({limit}) - if({lacks} > 0, {effort}, -({effort})))/({PAST}*({limit}))"
            effort, rate = f"max(min({effort}, {limit}), -{limit})", f"{lacks}*max(0, min(1, {past}))"
        motion = {"joint": joint.name, "motion": "angle" if "torque" in types else "position"}
        self._part(joint, "connectors", "user_force", "drive", {"on": [{"node": node, "coordinate": 0}, motion], "function": [rate, effort]})

    def _resist(self, joint: Joint, place, spring_type: str, spring, gap: str, limits, restitution, friction) -> None:
        """Spring, stops and dry friction on the motion of a joint, each an item of its own."""
        path = f"joints/{joint.name}"
        if spring:
            _in_radians(spring.get("rest_angle"), f"{path}/rest_angle")
            self._part(joint, "connectors", spring_type, "spring", {**place, **spring})
        if limits is not None:
            stops = _limits(limits, f"{path}/limits", "rad" if gap == "joint_angle" else "m")
            e = 0.0 if restitution is None else restitution
            law = {"type": "newton_impact", "restitution": e}
            for word, limit, sign in (("lower_stop", stops[0], 1.0), ("upper_stop", stops[1], -1.0)):
                if math.isfinite(limit):
                    self._part(joint, "relations", gap, word, {**place, "law": law, "limit": limit, "sign": sign})
        elif restitution is not None:
            g.refuse(f"{path}/restitution", "is of a stop, and the joint has none", "give limits=(lowest, highest)")
        if isinstance(friction, Plastic):
            self._part(joint, "relations", gap, "friction", {**place, "law": friction.law(path)})
        elif isinstance(friction, Friction) and not isinstance(friction, Coulomb):
            self._brake(joint, "angle" if gap == "joint_angle" else "position", friction)
        elif friction is not None and not isinstance(friction, Coulomb):
            level = g.number(friction, f"{path}/friction", "N m" if gap == "joint_angle" else "N")
            if level < 0.0:
                g.refuse(f"{path}/friction", f"is {level:g}, must be at least 0")
            law = {"type": "relay", "low": -level, "high": level, "on": "rate"}
            self._part(joint, "relations", gap, "friction", {**place, "law": law})

    def _brake(self, joint: Joint, motion: str, friction: Friction) -> None:
        """Friction as a force element on the motion of a joint, with its state if it has one."""
        fields = {"on": {"joint": joint.name, "motion": motion}, **friction.record()}
        if friction.state:
            node = self._add("nodes", "node_ode1", self._free_name("", f"{joint.name}_{friction.state}"), {"count": 1})
            fields[friction.state] = {"node": node, "coordinate": 0}
        self._part(joint, "connectors", friction.kind, "friction", fields)

    def _part(self, joint: Joint, section: str, kind: str, word: str, fields) -> Handle:
        part = Handle(self, self._add(section, kind, self._free_name("", f"{joint.name}_{word}"), fields))
        joint._parts += (part,)
        return part


def _of_motion(function):
    """A force or torque as f(t, position, speed), also where the program gives f(t)."""
    if not callable(function) or hasattr(function, "_saltus_compiled"):
        return function
    try:
        signature = inspect.signature(function)
        signature.bind(0.0, 0.0, 0.0)
    except ValueError:  # of a builtin
        return function
    except TypeError:
        try:
            signature.bind(0.0)
        except TypeError:
            return function  # what the run says of it
        return lambda t, position, speed: function(t)
    return function


def _like_degrees(angle: float) -> bool:
    return 15.0 <= abs(angle) <= 360.0 and angle % 5.0 == 0.0


def _in_radians(angle, path: str) -> None:
    """Warns of a number [rad] that looks like degrees."""
    if isinstance(angle, (int, float)) and _like_degrees(angle):
        g.warn(path, f"is {angle:g} rad, {abs(angle) / (2 * math.pi):.1f} turns", f"if degrees are meant, write sl.degrees({angle:g})")


def _limits(limits, path: str, unit: str) -> tuple[float, float]:
    """(lowest, highest), infinite where None or an infinite number says that there is no stop."""
    try:
        low, high = limits
    except (TypeError, ValueError):
        g.refuse(path, f"is {limits!r}, expected (lowest, highest) [{unit}]", f"write ({-1}, {1}) for one {unit} to each side")
    one_side = f"for a stop on one side write (None, {1}) or ({-1}, None)"
    low, high = (end if given is None or _infinite(given) else g.number(given, path, unit) for given, end in ((low, -math.inf), (high, math.inf)))
    if math.isinf(low) and math.isinf(high):
        g.refuse(path, f"is {g.short(limits)}, without a stop", f"leave it out; {one_side}")
    if low == high:
        g.refuse(path, f"is ({low:g}, {high:g}), one place: the lowest must be below the highest", f"lock the motion by m.fixed instead; {one_side}")
    if not low < high:
        g.refuse(path, f"is ({low:g}, {high:g}): the lowest must be below the highest", f"write ({high:g}, {low:g})")
    if unit == "rad" and (_like_degrees(low) or _like_degrees(high)):
        stops = [end for end in (low, high) if not math.isinf(end)]
        turns = (high - low if len(stops) == 2 else abs(stops[0])) / (2 * math.pi)
        said, meant = (", ".join("None" if math.isinf(end) else form.format(end) for end in (low, high)) for form in ("{:g}", "sl.degrees({:g})"))
        g.warn(path, f"is ({said}) rad, {turns:.1f} turns", f"if degrees are meant, write ({meant})")
    return low, high


def _infinite(value) -> bool:
    return isinstance(value, (int, float)) and math.isinf(value)
