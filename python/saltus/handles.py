"""What verbs return: items by name, with their quantities as attributes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from saltus.geometry import basis_with_z, direction, near, or_else, refuse, rotation_matrix, rotation_vector, vector
from saltus.quantity import Quantity

if TYPE_CHECKING:
    from saltus.arguments import Point, Vector
    from saltus.model import Model


class QuantityOf(property):
    """An attribute of a handle that is a quantity of its item."""

    def __init__(self, name: str, doc: str):
        super().__init__(lambda self: Quantity(((self, name),)), doc=doc)

    if TYPE_CHECKING:  # what a property of type Quantity looks like from outside

        @overload
        def __get__(self, instance: None, owner: type, /) -> QuantityOf: ...
        @overload
        def __get__(self, instance: Handle, owner: type | None = None, /) -> Quantity: ...
        def __get__(self, instance: Any, owner: Any = None, /) -> Any: ...


class Handle:
    """An item of a model by its name."""

    def __init__(self, model: Model, name: str):
        self._model, self.name = model, name

    def __repr__(self) -> str:
        return f"<{type(self).__name__.lower()} {self.name}>"

    def _item_name(self) -> str:
        """Name by which the engine knows it."""
        return self.name

    def _reference(self) -> Any:
        """How a record names it."""
        return self.name

    @property
    def fields(self) -> dict[str, Any]:
        """The record's fields as written (a copy)."""
        return self._model._engine.record(self.name)["fields"]

    def set(self, **fields: Any) -> None:
        """Changes fields of the record; they are checked with the model."""
        for field, value in fields.items():
            self._model._engine.set(self.name, field, self._model._plain(value))

    def quantity(self, name: str) -> Quantity:
        """A quantity of the item by its name, for those that have no attribute."""
        return Quantity(((self, name),))

    if not TYPE_CHECKING:

        def __getattr__(self, name: str):
            if name.startswith("_") or isinstance(getattr(type(self), name, None), property):
                return object.__getattribute__(self, name)  # raises what the property raised
            kind, known = type(self).__name__.lower(), [word for word in dir(type(self)) if not word.startswith("_")]
            raise AttributeError(f"{kind} {self.name} has no {name!r}" + or_else(near(name, known) or f"it has {', '.join(known)}"))


class Item(Handle):
    """An item that has no class of its own here: every quantity that the engine offers is an attribute."""

    def __getattr__(self, name: str) -> Quantity:
        if name.startswith("_"):
            raise AttributeError(name)
        return self.quantity(name)


class Moving(Handle):
    """Something with a place: quantities of its frame, in world axes."""

    _p: np.ndarray | None = None  # in the reference position, world axes
    _R: np.ndarray | None = None

    position = QuantityOf("position", "Origin of the frame in the world (n, 3) [m].")
    displacement = QuantityOf("displacement", "Position minus reference position (n, 3) [m].")
    velocity = QuantityOf("velocity", "Velocity of the origin (n, 3) [m/s], world axes.")
    acceleration = QuantityOf("acceleration", "Acceleration of the origin (n, 3) [m/s^2], world axes.")
    rotation = QuantityOf("rotation", "Rotation vector of R_WB (n, 3) [rad].")
    quaternion = QuantityOf("quaternion", "Unit quaternion (w, x, y, z) of R_WB (n, 4).")
    rotation_matrix = QuantityOf("rotation_matrix", "R_WB row by row (n, 9).")
    angular_velocity = QuantityOf("angular_velocity", "Angular velocity (n, 3) [rad/s], world axes.")
    angular_velocity_body = QuantityOf("angular_velocity_body", "Angular velocity (n, 3) [rad/s], body axes.")
    angular_acceleration = QuantityOf("angular_acceleration", "Angular acceleration (n, 3) [rad/s^2], world axes.")

    @property
    def reference(self) -> tuple[np.ndarray, np.ndarray]:
        """(p (3) [m], R_WB (3, 3)) in the reference position."""
        if self._p is None:
            refuse(self.name, "has a place that is known only when the model is compiled", "give `at` as three numbers")
        return self._p.copy(), self._R.copy()


class Body(Moving):
    """A body: joints, springs, loads and contacts take it by its reference frame."""

    def __init__(
        self,
        model: Model,
        name: str,
        p: np.ndarray | None = None,
        R: np.ndarray | None = None,
        shape: dict[str, Any] | None = None,
    ):
        super().__init__(model, name)
        self._p, self._R = p, np.eye(3) if R is None else R
        self.shape = shape or {}
        self._look: dict[str, Any] = {}  # drawn instead of the shape

    def looks_like(self, mesh: str | os.PathLike[str], *, scale: float = 1.0) -> Body:
        """Draws the body as the triangles of a .stl or .obj file in its own axes; returns the body.

        scale: metres in a unit of the file, 1e-3 for one in mm. Mass, inertia and contacts stay as they are.
        """
        from saltus.view.meshes import read_mesh

        self._look = read_mesh(mesh, scale)
        return self

    def frame(self, at: Point | None = None, *, rotation: Vector = (0.0, 0.0, 0.0), name: str = "") -> Frame:
        """A frame fixed to the body.

        at: world point (3) [m] in the reference position, or a frame; default: the body's own origin.
        rotation: rotation vector (3) [rad] from the body's axes to the frame's.
        """
        path = f"markers/{name or self.name + '_frame'}"
        p = self.reference[0] if at is None else self._model._point(at, f"{path}/at")
        R = self._R @ rotation_matrix(vector(rotation, f"{path}/rotation", "rad"))
        frame = Frame(self, p, R, name)
        if name:
            frame._item_name()
        return frame


class Rod(Body):
    """A slim rod; its x axis points from `start` to `end`."""

    @property
    def start(self) -> Frame:
        """Frame at the first end, axes of the rod."""
        return self._end(-0.5, "start")

    @property
    def end(self) -> Frame:
        """Frame at the second end, axes of the rod."""
        return self._end(0.5, "end")

    def _end(self, side: float, word: str) -> Frame:
        p, R = self.reference
        return Frame(self, p + side * self.shape["length"] * R[:, 0], R, f"{self.name}_{word}")


class Frame(Moving):
    """A frame fixed to a body. It enters the model as a marker only when a quantity of it is read or it has a name."""

    def __init__(self, body: Body, p: np.ndarray, R: np.ndarray, name: str = ""):
        super().__init__(body._model, name)
        self._body, self._p, self._R = body, p, R

    def __repr__(self) -> str:
        return f"<frame {self.name}>" if self.name else f"<frame of {self._body.name}>"

    def _local_rotation(self) -> list[float]:
        return rotation_vector(self._body._R.T @ self._R).tolist()

    def _reference(self) -> dict[str, Any]:
        reference: dict[str, Any] = {"body": self._body.name, "at": self._p.tolist()}
        turn = self._local_rotation()
        return {**reference, "rotation": turn} if any(turn) else reference

    def _item_name(self) -> str:
        model = self._model
        if not self.name:
            self.name = model._free_name("frame")
        if self.name not in model._names:
            model._add("markers", "frame", self.name, {"body": self._reference()})
        return self.name


class Ground(Body):
    """The fixed frame at the origin of the world; in a circuit 0 V."""


class Plane(Body):
    """A plane fixed to the ground; z of its frame is the outward normal."""

    def _reference(self) -> Any:
        return {"body": "ground", "at": self._p.tolist(), "rotation": rotation_vector(self._R).tolist()}


class Node(Moving):
    """A node; `coordinate[i]`, `rate[i]` are its coordinates and velocities, `state[i]`, `value[i]` the others."""

    coordinate = QuantityOf("coordinate", "Generalized coordinates q of the node (n, nq).")
    rate = QuantityOf("rate", "Velocities v of the node (n, nv).")
    state = QuantityOf("state", "First-order states x of the node (n, nx).")
    value = QuantityOf("value", "Algebraic unknowns z of the node (n, nz).")


class Connector(Handle):
    """A force element between A and B."""

    force = QuantityOf("force", "Force on B (n, 3) [N], world axes; on A acts the opposite.")
    torque = QuantityOf("torque", "Torque on B (n, 3) [N m], world axes, about the point on B.")
    length = QuantityOf("length", "Distance of the two points (n) [m].")
    tension = QuantityOf("tension", "Force along the line of the points (n) [N], positive in tension.")
    angle = QuantityOf("angle", "Angle of B against A about z (n) [rad]; a spring on joint frames and a bushing count its turns.")


class Load(Handle):
    """A force or torque on a frame, or on one coordinate."""

    force = QuantityOf("force", "Force on the frame (n, 3) [N], world axes.")
    torque = QuantityOf("torque", "Torque on the frame (n, 3) [N m], world axes.")


class Joint(Handle):
    """A joint of A and B, with its drive and its spring if it has them."""

    def __init__(self, model: Model, name: str, parts: tuple[str, ...] = ()):
        super().__init__(model, name)
        self._parts = tuple(Handle(model, part) for part in parts)
        self._drive: Handle | None = None

    def _ends(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Frames of A and B whose z axis is that of the joint, as records name them."""
        fields = self.fields
        A, B = (self._model._handle(end if isinstance(end, str) else end["body"]) for end in (fields["A"], fields["B"]))
        if "at" not in fields or not ("axis" in fields or "rotation" in fields):
            refuse(self.name, "has no place and axis of its own", "give at= and axis= to the joint")
        R = basis_with_z(direction(fields["axis"], self.name)) if "axis" in fields else rotation_matrix(np.array(fields["rotation"]))
        return tuple(Frame(body, np.array(fields["at"]), R)._reference() for body in (A, B))

    def _sum(self, word: str) -> Quantity:
        return Quantity(((self, word), *((part, word) for part in self._parts)))

    @property
    def force(self) -> Quantity:
        """Force on B at the joint (n, 3) [N], world axes: reaction and drive; on A acts the opposite."""
        return self._sum("force")

    @property
    def torque(self) -> Quantity:
        """Torque on B about the joint's point on B (n, 3) [N m], world axes: reaction, drive, spring."""
        return self._sum("torque")

    @property
    def friction(self) -> Quantity:
        """What dry friction does on B about (or along) the axis (n) [N m] or [N]. Only of joints with friction=."""
        return self._of_part("friction")

    @property
    def stops(self) -> tuple[Quantity, Quantity]:
        """What the lower and the upper stop do on B, each at least 0 (n) [N m] or [N]. Only of joints with limits=."""
        return self._of_part("lower_stop"), self._of_part("upper_stop")

    def _of_part(self, word: str) -> Quantity:
        for part in self._parts:
            if part.name.endswith(f"_{word}"):
                return Quantity(((part, "multiplier"),))
        raise AttributeError(f"{self.name} has no {word.replace('_', ' ')}; give it limits= or friction=")

    @property
    def drive(self) -> Quantity:
        """What the drive does on B about (or along) the axis (n) [N m] or [N]. Only of joints with a drive."""
        if self._drive is None:
            raise AttributeError(f"{self.name} has no drive; give it speed=, angle= or position=")
        return Quantity(((self._drive, "drive"),))

    angle = QuantityOf("angle", "Angle of B against A about the joint's z axis (n) [rad]; where that axis alone is free to turn, turns are counted.")
    angular_rate = QuantityOf("angular_rate", "Rate of the angle (n) [rad/s].")
    translation = QuantityOf(
        "translation", "Position of B's joint frame from A's (n, 3) [m], axes of A; z along the joint."
    )
    multiplier = QuantityOf("multiplier", "Multipliers of the rows (n, rows).")
    residual = QuantityOf("residual", "Left sides of the joint's equations (n, rows): zero where it holds.")


class Terminal(Handle):
    """A point of a circuit."""

    voltage = QuantityOf("value", "Potential against the ground (n) [V].")


class Contact(Handle):
    """A contact of two shapes: one relation a point of contact."""

    def __init__(self, model: Model, name: str, points: tuple[str, ...], rows: int):
        super().__init__(model, name)
        self.points = tuple(ContactPoint(model, point, rows) for point in points)

    @property
    def force(self) -> Quantity:
        """Force on B, summed over the points (n, 3) [N], world axes; without the impact part (see `result.events`)."""
        return Quantity(tuple((point, "force") for point in self.points))


class GroupContact(Handle):
    """Contact between groups of bodies; its points are found in each step."""

    force = QuantityOf("force", "Force on the bodies of B together, mean over the step, impacts included (n, 3) [N], world axes.")
    points = QuantityOf("points", "Number of closed points (n).")


class ContactPoint(Handle):
    """One point of a contact."""

    def __init__(self, model: Model, name: str, rows: int):
        super().__init__(model, name)
        self._rows = rows

    force = QuantityOf("force", "Force on B at this point (n, 3) [N], world axes.")

    @property
    def gap(self) -> Quantity:
        """Distance (n) [m], negative where the shapes overlap."""
        whole = self.quantity("residual")
        return whole if self._rows == 1 else whole[0]


class Element(Handle):
    """An element of a circuit between two terminals."""

    def __init__(self, model: Model, name: str, holder: str, word: str):
        super().__init__(model, name)
        self._holder, self._word = Handle(model, holder), word

    @property
    def current(self) -> Quantity:
        """Current from A through the element to B (n) [A]."""
        return Quantity(((self._holder, self._word),))


class Motor(Element):
    """A motor between a circuit and a joint."""

    torque = QuantityOf("torque", "Torque on the rotor (n, 3) [N m], world axes.")
