"""Handles of joints, springs, loads, ropes, cylinders and wheels."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np

from saltus import _core
from saltus.geometry import basis_with_z, direction, rotation_matrix, rotation_vector
from saltus.handles.base import Handle, Pair, QuantityOf, StartOf
from saltus.handles.bodies import Node
from saltus.quantity import Quantity
from saltus.settings import assign_to

if TYPE_CHECKING:
    from collections.abc import Sequence

    from saltus.arguments import Direction, Number, OfMotion, OfTime, Point, Real, Vector, VectorOfTime
    from saltus.model import Model


class Connector(Pair):
    """A force element between A and B."""

    force = StartOf("force", "Force on B (n, 3) [N], world axes; on A acts the opposite.")
    torque = QuantityOf("torque", "Torque on B (n, 3) [N m], world axes, about the point on B.")
    length = QuantityOf("length", "Distance of the two points (n) [m].")
    tension = QuantityOf("tension", "Force along the line of the points (n) [N], positive in tension.")
    angle = QuantityOf("angle", "Angle of B against A about z (n) [rad]; a spring on joint frames and a bushing count its turns.")

    potential_energy = QuantityOf("potential_energy", "Energy that its springs store (n) [J].")
    dissipation = QuantityOf("dissipation", "What its dampers take (n) [W]; of springs and dampers.")

    if TYPE_CHECKING:  # keywords of spring and of other force elements
        stiffness: Any
        damping: Any
        rest_length: Number
        preload: Any


class Sheave(Handle):
    """What a rope runs over: a sheave, or a sphere or cylinder that it may leave."""

    def __init__(self, model: Model, name: str, p: np.ndarray, R: np.ndarray, kind: str, radius: float, turns: int = 0):
        super().__init__(model, name)
        self._p, self._R, self._kind, self._radius, self._turns = p, R, kind, radius, turns
        self._friction: Number | None = None

    @property
    def reference(self) -> tuple[np.ndarray, np.ndarray]:
        """(p (3) [m], R (3, 3)) of its centre in the reference position, z along its axis."""
        return self._p, self._R

    def _place_changed(self, other: Handle) -> bool:
        assert isinstance(other, Sheave)
        before, after = ((s._p.tolist(), s._R.tolist(), s._radius, s._turns, s._friction) for s in (self, other))
        return before != after

    if TYPE_CHECKING:
        radius: Real
        axis: Direction | None
        at: Point | None
        turns: int
        friction: Number | None


class Rope(Handle):
    """A rope, belt or tendon; `length` is a scalar coordinate that gears, springs and actuators take."""

    length = StartOf("length", "Length of its way (n) [m], drawn tight.")
    rate = QuantityOf("rate", "Rate of the length (n) [m/s].")

    def _scalar(self, quantity: str, component: str) -> dict[str, Any]:
        return {"marker": self.name} if quantity == "length" and not component else {}

    @property
    def tension(self) -> Quantity:
        """Pull of the rope (n) [N], at its last end."""
        if not self._parts:
            raise AttributeError(f"{self.name} has no tension of its own: it is a length alone")
        return Quantity(tuple((part, "multiplier" if part.name.endswith("_stop") else "tension") for part in self._parts))

    @tension.setter
    def tension(self, value: OfMotion | None) -> None:
        assign_to(self, "tension", value)

    @property
    def first_tension(self) -> Quantity:
        """Pull at its first end (n) [N]: another one where a sheave between them has friction."""
        if not self._parts:
            raise AttributeError(f"{self.name} has no tension of its own: it is a length alone")
        return Quantity(tuple((part, "first_tension") for part in self._parts))

    @property
    def slip(self) -> Quantity:
        """What it has passed over its sheave with friction, towards its last end (n) [m]."""
        if not any(part.name.endswith("_capstan") for part in self._parts):
            raise AttributeError(f"{self.name} has no sheave with friction")
        return Quantity(((Handle(self._model, f"{self.name}_slip"), "slip"),))

    if TYPE_CHECKING:
        stiffness: Number | None
        damping: Number | None
        restitution: Number | None
        radius: Number | None


class Cylinder(Connector):
    """A hydraulic or pneumatic cylinder."""

    @property
    def piston_pressure(self) -> Quantity:
        """Pressure of the chamber that grows with the coordinate (n) [Pa]."""
        return Quantity(((self._parts[0], "state"),))

    @property
    def rod_pressure(self) -> Quantity:
        """Pressure of the other chamber (n) [Pa]."""
        return Quantity(((self._parts[1], "state"),))


class Load(Handle):
    """A force or torque on a frame, or on one coordinate."""

    force = StartOf("force", "Force on the frame (n, 3) [N], world axes.")
    torque = StartOf("torque", "Torque on the frame (n, 3) [N m], world axes.")
    force_body = QuantityOf("force_body", "Force on the frame (n, 3) [N], axes of the frame.")
    torque_body = QuantityOf("torque_body", "Torque on the frame (n, 3) [N m], axes of the frame.")
    power = QuantityOf("power", "Its power (n) [W].")

    if TYPE_CHECKING:
        axes: Any


MOTIONS = {("angle", ""): "angle", ("translation", "z"): "position"}  # of a joint, by quantity and component


@functools.cache
def motions_left(kind: str) -> tuple[str, ...]:
    """Motions of B against A, "angle" and "position", that a type of joint declares to leave, whatever its fields say."""
    return next((tuple(entry["motions"]) for entry in _core.items() if (entry["family"], entry["name"]) == ("joints", kind)), ())


class Joint(Pair):
    """A joint of A and B, with its drive and its spring if it has them."""

    _prescribed = {"speed": "the rate at which it moves is angular_rate, of a slide position_rate"}

    def __init__(self, model: Model, name: str, parts: tuple[str, ...] = (), place: dict[str, Any] | None = None):
        super().__init__(model, name)
        self._parts = tuple(Handle(model, part) for part in parts)
        self._drive: Handle | None = next((part for part in self._parts if part.name.endswith("_drive") and model._names[part.name][0] == "joints"), None)
        self._place = place or {}

    @property
    def _no_end(self) -> str:
        """What to write where a joint is given as an end of a spring."""
        return f"its ends are bodies or frames; a spring about or along the axis of a joint belongs to the joint: {self.name}.stiffness = ..., {self.name}.damping = ..., or m.revolute(..., stiffness=...), and so does a load: torque=, or force= of a slide"

    def _scalar(self, quantity: str, component: str) -> dict[str, Any]:
        motion = MOTIONS.get((quantity, component))
        return {"joint": self.name, "motion": motion} if motion else super()._scalar(quantity, component)

    def _place_changed(self, other: Handle) -> bool:
        assert isinstance(other, Joint)
        return self._place != other._place

    def _ends(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Frames of A and B whose z axis is that of the joint, as records name them."""
        fields = self._place or self.fields
        ends = [end if isinstance(end, str) else end["body"] for end in (fields["A"], fields["B"])]
        A, B = (self._model._handle(end) for end in ends)
        p, R = self._at_and_axes(fields, B)
        out = []
        for body in (A, B):
            turn = rotation_vector(body._R.T @ R).tolist()
            out.append({"body": body.name, "at": p.tolist(), **({"rotation": turn} if any(turn) else {})})
        return tuple(out)

    def _at_and_axes(self, fields: dict[str, Any], body: Any) -> tuple[np.ndarray, np.ndarray]:
        """Where the joint is, and its axes: as given, else those of the frame B."""
        end = fields["B"]
        p, R = body.reference
        if isinstance(end, dict):
            p = np.array(end["at"], dtype=float) if "at" in end else p + R @ np.array(end.get("local", (0.0, 0.0, 0.0)), dtype=float)
            R = R @ rotation_matrix(np.array(end.get("rotation", (0.0, 0.0, 0.0)), dtype=float))
        if "at" in fields and not isinstance(fields["at"], (str, dict)):
            p = np.array(fields["at"], dtype=float)
        if "axis" in fields:
            R = basis_with_z(direction(fields["axis"], self.name))
        elif "rotation" in fields:
            R = rotation_matrix(np.array(fields["rotation"], dtype=float))
        return p, R

    def _sum(self, word: str) -> Quantity:
        acting = [part for part in self._parts if self._model._names[part.name][0] != "bodies"]  # a rotor has inertia alone
        return Quantity(((self, word), *((part, word) for part in acting)))

    @property
    def force(self) -> Quantity:
        """Force on B at the joint (n, 3) [N], world axes: reaction and drive; on A acts the opposite."""
        return self._sum("force")

    @force.setter
    def force(self, value: OfMotion | None) -> None:
        assign_to(self, "force", value)

    @property
    def torque(self) -> Quantity:
        """Torque on B about the joint's point on B (n, 3) [N m], world axes: reaction, drive, spring."""
        return self._sum("torque")

    @torque.setter
    def torque(self, value: OfMotion | None) -> None:
        assign_to(self, "torque", value)

    @property
    def force_body(self) -> Quantity:
        """Force on B at the joint (n, 3) [N], axes of its joint frame: reaction and drive."""
        return self._sum("force_body")

    @property
    def torque_body(self) -> Quantity:
        """Torque on B about the joint's point on B (n, 3) [N m], axes of its joint frame: reaction, drive, spring."""
        return self._sum("torque_body")

    @property
    def power(self) -> Quantity:
        """Power of the joint on A and B (n) [W]: drive, spring, friction; the reaction of a joint that stands has none."""
        return self._sum("power")

    @property
    def friction(self) -> Quantity:
        """What friction does on B about (or along) the axis (n) [N m] or [N]. Only of joints with friction=."""
        if self._engine_type().startswith("rough_"):  # of its own reaction: the joint has nothing else about its axis
            return self._effort(self)
        return self._of_part("friction")

    @friction.setter
    def friction(self, value: Real | None) -> None:
        assign_to(self, "friction", value)

    @property
    def stops(self) -> tuple[Quantity, Quantity]:
        """What the lower and the upper stop do on B, each at least 0 (n) [N m] or [N]. Only of joints with limits=."""
        return self.lower_stop, self.upper_stop

    @property
    def lower_stop(self) -> Quantity:
        """What the lower stop does on B, at least 0 (n) [N m] or [N]. Only of joints with limits=."""
        return self._of_part("lower_stop")

    @property
    def upper_stop(self) -> Quantity:
        """What the upper stop does on B, at least 0 (n) [N m] or [N]. Only of joints with limits=."""
        return self._of_part("upper_stop")

    def _of_part(self, word: str) -> Quantity:
        for part in self._parts:
            if part.name.endswith(f"_{word}"):
                return Quantity(((part, "multiplier"),)) if self._model._names[part.name][0] == "relations" else self._effort(part)
        raise AttributeError(f"{self.name} has no {word.replace('_', ' ')}; give it {'friction' if word == 'friction' else 'limits'}=")

    @property
    def drive(self) -> Quantity:
        """What the drive does on B about (or along) the axis (n) [N m] or [N]. Only of joints with a drive."""
        if self._drive is not None:
            return Quantity(((self._drive, "drive"),))
        for part in self._parts:
            if part.name.endswith("_drive"):
                return self._effort(part)
        raise AttributeError(f"{self.name} has no drive; give it speed=, angle= or position=")

    def _engine_type(self) -> str:
        return str(self._model._engine.record(self.name)["type"])

    def _effort(self, of: Handle) -> Quantity:
        """What an item does on B about the axis of a hinge, along that of a slide."""
        return of.quantity("force_body" if "prismatic" in self._engine_type() else "torque_body").z

    angle = StartOf("angle", "Angle of B against A about the joint's z axis (n) [rad]; where that axis alone is free to turn, turns are counted.")
    angular_rate = QuantityOf("angular_rate", "Rate of the angle (n) [rad/s].")
    translation = QuantityOf(
        "translation", "Position of B's joint frame from A's (n, 3) [m], axes of A; z along the joint."
    )

    def _travel(self, word: str, quantity: str) -> Quantity:
        if "position" not in motions_left(self._model._engine.record(self.name)["type"]):
            raise AttributeError(f"joint {self.name} has no {word!r}: it leaves no travel along its axis; a hinge has angle and angular_rate")
        return self.quantity(quantity).z

    @property
    def position(self) -> Quantity:
        """Travel of B along the axis (n) [m], 0 in the reference position: `translation.z`. Of slides and cylindrical joints."""
        return self._travel("position", "translation")

    @position.setter
    def position(self, value: OfTime | None) -> None:
        assign_to(self, "position", value)

    @property
    def position_rate(self) -> Quantity:
        """Speed of B along the axis (n) [m/s], of the same joints."""
        return self._travel("position_rate", "relative_velocity")

    multiplier = QuantityOf("multiplier", "Multipliers of the rows (n, rows).")
    residual = QuantityOf("residual", "Left sides of the joint's equations (n, rows): zero where it holds.")

    if TYPE_CHECKING:  # keywords of the verbs of joints
        at: Point | None
        axis: Direction | None
        axes: Any
        rotation: Vector | None
        locked: Any
        offset: VectorOfTime | None
        turn: VectorOfTime | None
        length: Number | None
        speed: OfTime | None
        stiffness: Number | None
        damping: Number | None
        limit: Real | None
        gain: Real | None
        rest_angle: Number | None
        rest_position: Number | None
        limits: Sequence[Real | None] | None
        restitution: Number | None


class Rail(Joint):
    """A frame that slides along a curve."""

    def __init__(self, model: Model, name: str, along: str, parts: tuple[str, ...] = ()):
        super().__init__(model, name, parts)
        self._node = Node(model, along)

    def _effort(self, of: Handle) -> Quantity:
        return of.quantity("force")

    def _sum(self, word: str) -> Quantity:
        return Quantity(((self, word),))  # its reaction passes on what acts along the curve

    @property
    def travel(self) -> Quantity:
        """Where it is along the curve (n) [m]: its length from the first point, laps counted; s of a curve by functions."""
        return self._node.coordinate

    @travel.setter
    def travel(self, value: Real | None) -> None:
        assign_to(self, "travel", value)

    @property
    def travel_rate(self) -> Quantity:
        """Speed along the curve (n) [m/s]."""
        return self._node.rate


class Wheel(Handle):
    """The rim of a disc on a plane."""

    force = QuantityOf("force", "Force of the plane on the disc (n, 3) [N], world axes; of a rigid rim without the impact part.")
    torque = QuantityOf("torque", "Torque of the plane on the disc about its centre (n, 3) [N m], world axes.")

    if TYPE_CHECKING:  # keywords of wheel
        radius: Number | None
        edge: Number | None
        friction: Number
        rolling: Number
        spinning: Number
        restitution: Number
        stiffness: Number | None
        damping: Number | None
