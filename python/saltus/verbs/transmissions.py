"""Gears, racks, screws, differentials, cams: what joins motions of joints, in the words of the trade."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

import numpy as np

from saltus import geometry as g
from saltus.handles import Body, Handle, Item, Joint
from saltus.handles.joints import motions_left
from saltus.quantity import Quantity
from saltus.submodels import names_in
from saltus.verbs._verb import given, verb

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from saltus.arguments import Number, Real
    from saltus.compiled import Compiled

WORDS = {"angle": "an angle", "position": "a position"}


class TransmissionVerbs:
    """Verbs that join motions of joints and coordinates of nodes. Without `stiffness` they hold exactly; `multiplier` is then what they carry.

    A joint that leaves one motion, a hinge or a slide, stands for it: `m.gear(motor, elbow, ratio=100)`."""

    @verb("relations")
    def gear(
        self,
        A: Quantity | Joint,
        B: Quantity | Joint,
        *,
        ratio: Number,
        stiffness: Number | None = None,
        damping: Number | None = None,
        backlash: Number | None = None,
        restitution: Number | None = None,
        name: str = "",
    ) -> Item:
        """A = ratio * B for two scalar motions from the reference position on: `m.gear(motor.angle, elbow.angle, ratio=100)`.

        Outer gears turn against each other: ratio = -teeth of B / teeth of A. stiffness [N m/rad] and damping [N m s/rad], of the teeth and shafts, referred
        to B: the deflection is A / ratio - B. backlash [rad]: the whole play at B, between two flanks; without stiffness a flank stops the other
        with `restitution` (0 to 1).
        """
        name = self._free_name("gear", name)
        path = f"relations/{name}"
        if restitution is not None and (backlash is None or stiffness is not None):
            g.refuse(f"{path}/restitution", "is of hard flanks, and the gear has none", "give backlash= and no stiffness=")
        if damping is not None and stiffness is None:
            g.refuse(f"{path}/damping", "is of an elastic gear, and this one is rigid", "give stiffness= too")
        self._not_zero(ratio, f"{path}/ratio", "A would not move")
        on = self._scalars(path, A=A, B=B)
        if stiffness is not None:
            path = f"connectors/{name}"
            play = given(damping=damping, backlash=backlash)
            fields = {"A": on[0], "B": on[1], "ratio": ratio, "stiffness": stiffness, **play}
            return Item(self, self._add("connectors", "elastic_gear", name, fields))
        if backlash is None:
            return self._linear(name, on, [1.0, _times(-1.0, ratio)])
        law = {"type": "newton_impact", "restitution": 0.0 if restitution is None else restitution}
        gap = _times(0.5, self._positive(backlash, f"{path}/backlash"))
        over, back = f"1/({ratio})" if isinstance(ratio, str) else 1.0 / float(ratio), 1.0
        first = self._linear(name, on, [over, -back], offset=gap, law=law)
        second = self._linear(self._free_name("", f"{name}_other_flank"), on, [_times(-1.0, over), back], offset=gap, law=law)
        first._parts = (second,)
        return first

    @verb("relations")
    def rack(self, pinion: Quantity | Joint, slide: Quantity | Joint, *, radius: Number, name: str = "") -> Item:
        """A rack on its pinion: the slide moves by radius [m] of the pitch circle times the pinion's angle; radius below 0: the other way."""
        name = self._free_name("rack", name)
        path = f"relations/{name}"
        on = self._scalars(path, pinion=pinion, slide=slide)
        self._is(on[0], "angle", f"{path}/pinion"), self._is(on[1], "position", f"{path}/slide")
        self._not_zero(radius, f"{path}/radius", "the rack would not move")
        return self._linear(name, on, [radius, -1.0])

    @verb("relations")
    def screw(self, on: Joint, *, lead: Number, name: str = "") -> Item:
        """A nut on its screw: a cylindrical joint that moves by lead [m] along its axis in each turn; lead below 0: a left-hand thread."""
        name = self._free_name("screw", name)
        path = f"relations/{name}"
        kind = self._engine.record(on.name)["type"] if isinstance(on, Joint) else g.short(on)
        if kind != "cylindrical":
            said = f"is {on.name!r}, a {kind}" if isinstance(on, Joint) else f"is {kind}"
            g.refuse(f"{path}/on", f"{said}, expected a cylindrical joint", "a nut on its screw is m.cylindrical(screw, nut, axis=...)")
        self._own(on, f"{path}/on")
        self._not_zero(lead, f"{path}/lead", "the nut would not move")
        motions = self._scalars(path, position=on.translation.z, angle=on.angle)
        return self._linear(name, motions, [1.0, _times(-0.5 / math.pi, lead)])

    @verb("relations")
    def differential(self, case: Quantity | Joint, left: Quantity | Joint, right: Quantity | Joint, *, name: str = "") -> Item:
        """2 case = left + right: both half shafts get the same torque, whatever their speeds."""
        name = self._free_name("differential", name)
        on = self._scalars(f"relations/{name}", case=case, left=left, right=right)
        return self._linear(name, on, [2.0, -1.0, -1.0])

    @verb("relations")
    def planetary(self, sun: Quantity | Joint, carrier: Quantity | Joint, ring: Quantity | Joint, *, teeth: Sequence[Real], name: str = "") -> Item:
        """A planetary gear by Willis (1841): z_s (sun - carrier) + z_r (ring - carrier) = 0, teeth (z_s, z_r), all against one frame.

        Planets whose motion matters are bodies of their own: see `m.gear` and the gallery's planetary_gear.
        """
        name = self._free_name("planetary", name)
        path = f"relations/{name}"
        on = self._scalars(path, sun=sun, carrier=carrier, ring=ring)
        if isinstance(teeth, str) or len(teeth) != 2:
            g.refuse(f"{path}/teeth", f"are {teeth!r}, expected two numbers", "write (30, 60) for a sun of 30 teeth and a ring of 60")
        z = [g.number(x, f"{path}/teeth", above=0.0) for x in teeth]
        if not z[1] > z[0]:
            g.refuse(f"{path}/teeth", f"are ({z[0]:g}, {z[1]:g}): the ring goes around the sun", f"write ({z[1]:g}, {z[0]:g})")
        return self._linear(name, on, [z[0], -z[0] - z[1], z[1]])

    @verb("relations")
    def cam(self, A: Quantity | Joint, B: Quantity | Joint, *, profile: str | Callable[[float], float] | Sequence[Sequence[Real]], name: str = "") -> Item:
        """A cam A and its follower B: B = profile(A), a constraint, so the follower never lifts off. With lift-off, let their shapes touch: `m.contact(cam, follower)`.

        profile: an expression of q0, the motion of A: "0.02*(1 - cos(q0))"; a function of the program; or a table of (angle, lift) over one turn, which a
        periodic cubic spline joins (the table `<name>_profile` of the model), so that accelerations are continuous: its last angle is 2 pi after the first, with the same lift.
        """
        name = self._free_name("cam", name)
        path = f"relations/{name}"
        on = self._scalars(path, A=A, B=B)
        function: Any
        if isinstance(profile, str):
            function = f"q1 - ({profile})"
        elif hasattr(profile, "_saltus_compiled"):
            g.refuse(f"{path}/profile", "is a compiled function of its own inputs", "compile h(t, q0, q1) = q1 - profile(q0) and use m.equation")
        elif callable(profile):
            function = _follows(profile)
        else:
            rows = _one_turn(profile, f"{path}/profile")
            table = re.sub(r"\W", "_", f"{name}_profile")
            self.table(table, rows[:, 0], rows[:, 1].tolist(), kind="spline", outside="periodic")
            function = f"q1 - {table}(q0)"
        return Item(self, self._add("relations", "user_relation", name, {"on": on, "function": function}))

    @verb("bodies")
    def armature(self, on: Quantity | Joint, *, inertia: Number, ratio: Number = 1.0, name: str = "") -> Item:
        """The rotor of a geared motor, its inertia reflected to the motion `on`: inertia [kg m^2] about its own axis times ratio^2, ratio its turns by one of the motion.

        On a slide ratio is in rad/m. Its kinetic energy is J (ratio rate)^2 / 2; the gyroscopic moment of its spin on the body that carries it is left out.
        """
        name = self._free_name("armature", name)
        path = f"bodies/{name}"
        self._not_zero(ratio, f"{path}/ratio", "the rotor would not move")
        (motion,) = self._scalars(path, on=on)
        return Item(self, self._add("bodies", "armature", name, {"on": motion, "inertia": inertia, "ratio": ratio}))

    def _rotor(self, owner: Handle, motion: Any, armature: Any, ratio: Any) -> None:
        """The armature of a joint's drive, a part of its owner."""
        if armature is None:
            if ratio is not None:
                g.refuse(f"{owner.name}/ratio", "is of a rotor, and there is none", "give armature=, its moment of inertia")
            return
        fields = {"on": motion, "inertia": armature, **given(ratio=ratio)}
        self._not_zero(1.0 if ratio is None else ratio, f"{owner.name}/ratio", "the rotor would not move")
        owner._parts += (Handle(self, self._add("bodies", "armature", self._free_name("", f"{owner.name}_armature"), fields)),)

    def _linear(self, name: str, on, row: Sequence[Any], **others: Any) -> Item:
        return Item(self, self._add("relations", "linear_relation", name, {"on": on, "matrix": [list(row)], **others}))

    def _scalars(self, path: str, **motions: Any) -> list[Any]:
        """How records name the coordinates, of which no two are one."""
        for word, motion in motions.items():
            if isinstance(motion, Joint):
                motions[word] = self._motion_of(motion, f"{path}/{word}")
            elif isinstance(motion, Body):
                known = self._holders(motion, [other for other in motions.values() if not isinstance(other, Body)])
                g.refuse(f"{path}/{word}", f"is {g.short(motion)}, which moves in six ways, expected one motion", f"give a joint that holds it, such as {known[0].name}" if known else "give the angle of a hinge that holds it, hinge.angle")
            elif not isinstance(motion, (Quantity, Handle, str)):
                g.refuse(f"{path}/{word}", f"is {g.short(motion)}, expected the motion of a joint or a coordinate", "write hinge.angle, slide.translation.z, link.coordinate")
        named = [self._plain(motion) for motion in motions.values()]
        for i, (word, motion) in enumerate(zip(motions, named, strict=True)):
            if motion in named[:i]:
                g.refuse(f"{path}/{word}", f"is the same motion as {list(motions)[named.index(motion)]}: it could not move at all", "give two different ones")
        return named

    def _holders(self, body: Body, taken: list[Any]) -> list[Joint]:
        """Joints of one body that leave a motion, less those that are given already."""
        gone = set(names_in([self._plain(motion) for motion in taken]))
        records = [(item, self._engine.record(item.name)) for item in map(self.__getitem__, self) if isinstance(item, Joint) and item.name not in gone]
        return [joint for joint, record in records if motions_left(record["type"]) and any(body.name in names_in(record["fields"].get(end)) for end in "AB")]

    @staticmethod
    def _motion_of(joint: Joint, path: str) -> Quantity:
        """The motion that a joint leaves, where it is but one."""
        words = [("angle" if motion == "angle" else "translation.z") for motion in motions_left(joint._model._engine.record(joint.name)["type"])]
        if not words:
            g.refuse(path, f"is the joint {joint.name!r}, which leaves no motion that is an angle or a travel", "give the motion of a hinge or a slide")
        if len(words) > 1:
            g.refuse(path, f"is the joint {joint.name!r}, which leaves several motions", "name one: " + " or ".join(f"{joint.name}.{word}" for word in words))
        return joint.angle if words == ["angle"] else joint.translation.z

    def _is(self, reference: Any, motion: str, path: str) -> None:
        """Refuses another motion of a joint; of a node's coordinate nothing is known."""
        got = reference.get("motion", motion) if isinstance(reference, dict) else motion
        if got != motion:
            other = ".angle" if motion == "angle" else ".translation.z"
            g.refuse(path, f"is {WORDS[got]} of {reference['joint']!r}, expected {WORDS[motion]}", f"give joint{other}")

    @staticmethod
    def _not_zero(value: Any, path: str, why: str) -> None:
        if not isinstance(value, str) and g.number(value, path) == 0.0:
            g.refuse(path, f"is 0: {why}", "give a number other than 0")

    @staticmethod
    def _positive(value: Any, path: str) -> Any:
        if not isinstance(value, str) and g.number(value, path) <= 0.0:
            g.refuse(path, f"is {float(value):g}, must be above 0", "leave it out for none")
        return value


def _times(factor: float, value: Any) -> Any:
    return f"{factor!r}*({value})" if isinstance(value, str) else factor * float(value)


def _follows(profile: Callable[[float], float]) -> Callable[[float, float, float], float]:
    return lambda t, q0, q1: q1 - profile(q0)


def _one_turn(table: Any, path: str) -> NDArray[np.float64]:
    """Rows (angle, value) over one turn, (n, 2), the last the first one 2 pi later."""
    try:
        points = np.array(table, dtype=float)
    except (TypeError, ValueError):
        points = np.zeros(0)
    if points.ndim != 2 or points.shape[1] != 2 or len(points) < 4:
        g.refuse(path, f"is {g.short(table)}, expected an expression, a function, or 4 and more pairs (angle, lift)", 'write "0.02*(1 - cos(q0))" or [(0, 0), ...]')
    if not np.all(np.isfinite(points)):
        g.refuse(path, "has entries that are no numbers", "give finite angles and lifts")
    x, y = points.T
    if not np.all(np.diff(x) > 0.0):
        k = int(np.argmin(np.diff(x)))
        g.refuse(path, f"has the angle {x[k + 1]:g} after {x[k]:g}", "let the angles increase")
    turn = 2 * math.pi
    if abs(x[-1] - x[0] - turn) > 1e-9 * turn or abs(y[-1] - y[0]) > 1e-12 * max(1.0, float(np.max(np.abs(y)))):
        g.refuse(path, f"goes from ({x[0]:g}, {y[0]:g}) to ({x[-1]:g}, {y[-1]:g})", "let the last point be the first, 2 pi later, with the same lift")
    points[-1] = x[0] + turn, y[0]
    return points
