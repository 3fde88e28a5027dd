"""What verbs return: items by name, with their quantities as attributes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from saltus.errors import methods_at_their_lines
from saltus.geometry import along_screw, basis_with_z, direction, near, number, or_else, refuse, rotation_matrix, rotation_vector, screw, short
from saltus.quantity import Quantity
from saltus.rotations import turn_vector
from saltus.settings import QUANTITIES, assign_to, set_fields, settings_of
from saltus.statements import LeadsToItems, Unchanging, kept, named, shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from saltus.arguments import Direction, Function, FunctionMatrix, Matrix, Number, Numbers, OfMotion, OfTime, Point, Real, Turn, Vector, VectorOfTime
    from saltus.items import Item
    from saltus.model import Model
    from saltus.statements import Statement


LONGEST = 120  # characters of what a handle shows of its fields


def _word(value: Any) -> str:
    """A value as a program names it."""
    if isinstance(value, (Handle, Quantity)):
        return value.name if isinstance(value, Handle) else value.label
    if isinstance(value, (list, tuple)):
        return f"({', '.join(map(_word, value))})"
    return getattr(value, "__name__", "") if callable(value) else short(value)


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


class StartOf(QuantityOf):
    """A quantity whose name is also a keyword of the verb: what is read is the quantity, what is assigned the keyword."""

    if TYPE_CHECKING:

        def __get__(self, instance: Any, owner: Any = None, /) -> Quantity: ...
        def __set__(self, instance: Any, value: VectorOfTime | OfTime | None, /) -> None: ...


class Handle(LeadsToItems):
    """An item of a model by its name.

    Keywords of its verb, fields of an item that was added, can be read and assigned: `ball.mass = 2` gives the model that would have
    been built with it. `settings` shows them all.
    """

    _statement: Statement | None = None
    _parts: tuple[Handle, ...] = ()
    _follows = False  # another item: nothing of it is assigned

    def __init__(self, model: Model, name: str):
        self._model, self._name = model, name

    def _names(self) -> Iterator[str]:
        yield self.name

    def _scalar(self, quantity: str, component: str) -> dict[str, Any]:
        """How a record names a quantity of it as a scalar coordinate; empty: it is none."""
        if quantity == "coordinate" and (component.isdigit() or not component):
            return {"node": self.name, "coordinate": int(component or 0)}
        return {}

    @property
    def name(self) -> str:
        """Its name in the model."""
        return self._name

    def __reduce__(self) -> tuple[Any, ...]:
        return (_named, (self._model, self.name))

    @property
    def _said(self) -> str:
        """How messages name it."""
        return f"<{type(self).__name__.lower()} {self.name}>"

    def __repr__(self) -> str:
        """With the verb that made it and what that was given, or the record's type and fields."""
        if self._statement is not None:
            word, values = self._statement.verb.__name__, self._statement.given
        elif self.name in self._model._names:
            record = self._model._engine.record(self.name)
            word, values = record["type"], record["fields"]
        else:
            return self._said
        told = ", ".join(f"{key}={_word(value)}" for key, value in values.items() if key != "name")
        return f"{self._said[:-1]}: {word}({told if len(told) <= LONGEST else told[:LONGEST - 3] + '...'})>"

    def _item_name(self) -> str:
        """Name by which the engine knows it."""
        return self.name

    def _reference(self) -> Any:
        """How a record names it."""
        return self.name

    @property
    def fields(self) -> dict[str, Any]:
        """The record's fields as written (a copy)."""
        return shown(self._model._engine.record(self.name)["fields"])

    @property
    def settings(self) -> dict[str, Any]:
        """What can be assigned with the values that hold: the keywords of its verb, or the fields of its record."""
        return Unchanging(settings_of(self))

    def set(self, **fields: Any) -> None:
        """Changes fields of the record, by the names that a model file has for them; values are checked with the model."""
        set_fields(self, fields)

    def quantity(self, name: str) -> Quantity:
        """A quantity of the item by its name, for those that have no attribute."""
        return Quantity(((self, name),))

    def _place_changed(self, other: Handle) -> bool:
        """Whether what was made on it has to be made anew."""
        return False

    def _become(self, other: Handle) -> None:
        """Takes over what the item, made anew, is."""
        if other is not self:
            self.__dict__.update({key: value for key, value in other.__dict__.items() if key not in ("_statement", "_look")})

    if not TYPE_CHECKING:

        def __dir__(self):
            return sorted({*super().__dir__(), *settings_of(self)})

        def __setattr__(self, name: str, value: Any) -> None:
            if name.startswith("_"):
                object.__setattr__(self, name, value)
            else:
                assign_to(self, name, value)

        def __getattr__(self, name: str):
            if name.startswith("_") or isinstance(getattr(type(self), name, None), property):
                return object.__getattribute__(self, name)  # raises what the property raised
            settings = settings_of(self)
            if name in settings:
                return shown(settings[name])
            if name != "type" and name in self.__dict__.get("_shape", ()):  # of a body of a file
                return shown(self._shape[name])
            kind, known = type(self).__name__.lower(), [word for word in dir(type(self)) if not word.startswith("_")]
            known += [word for word in settings if word not in known]
            raise AttributeError(f"{kind} {self.name} has no {name!r}" + or_else(near(name, known) or f"it has {', '.join(known)}"))


def _named(model: Model, name: str) -> Handle:
    return model[name]


class Item(Handle):
    """An item that has no class of its own here: every quantity that the engine offers is an attribute, and so are its fields."""

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...
        def __setattr__(self, name: str, value: Any) -> None: ...

    else:

        def __getattr__(self, name: str):
            if name.startswith("_"):
                raise AttributeError(name)
            if name in QUANTITIES:
                return self.quantity(name)
            settings = settings_of(self)
            if name in settings:
                return shown(settings[name])
            raise AttributeError(f"{self.name} has no {name!r}" + or_else(near(name, [*QUANTITIES, *settings])))


class Moving(Handle):
    """Something with a place: quantities of its frame, in world axes."""

    _p: np.ndarray | None = None  # in the reference position, world axes
    _R: np.ndarray | None = None

    position = QuantityOf("position", "Origin of the frame in the world (n, 3) [m].")
    displacement = StartOf("displacement", "Position minus reference position (n, 3) [m].")
    velocity = StartOf("velocity", "Velocity of the origin (n, 3) [m/s], world axes.")
    acceleration = QuantityOf("acceleration", "Acceleration of the origin (n, 3) [m/s^2], world axes.")
    rotation = StartOf("rotation", "Rotation vector of R_WB (n, 3) [rad].")
    quaternion = QuantityOf("quaternion", "Unit quaternion (w, x, y, z) of R_WB (n, 4).")
    rotation_matrix = QuantityOf("rotation_matrix", "R_WB row by row (n, 9).")
    angular_velocity = StartOf("angular_velocity", "Angular velocity (n, 3) [rad/s], world axes.")
    angular_velocity_body = QuantityOf("angular_velocity_body", "Angular velocity (n, 3) [rad/s], body axes.")
    angular_acceleration = QuantityOf("angular_acceleration", "Angular acceleration (n, 3) [rad/s^2], world axes.")
    displacement_body = QuantityOf("displacement_body", "Displacement (n, 3) [m], body axes.")
    velocity_body = QuantityOf("velocity_body", "Velocity of the origin (n, 3) [m/s], body axes.")
    acceleration_body = QuantityOf("acceleration_body", "Acceleration of the origin (n, 3) [m/s^2], body axes.")
    angular_acceleration_body = QuantityOf("angular_acceleration_body", "Angular acceleration (n, 3) [rad/s^2], body axes.")
    transformation = QuantityOf("transformation", "Homogeneous transformation from the frame to the world, row by row (n, 16).")
    axis_x = QuantityOf("axis_x", "Unit vector of the frame's x axis in the world (n, 3).")
    axis_y = QuantityOf("axis_y", "Unit vector of its y axis (n, 3).")
    axis_z = QuantityOf("axis_z", "Unit vector of its z axis (n, 3).")

    def angles(self, sequence: str) -> Quantity:
        """Angles (n, 3) [rad] of a sequence of three axes: small letters are axes of the world, capitals turn along, `"ZYX"` is yaw, pitch, roll.

        As `sl.Rotation.angles` has them: at the singular angle of the middle one the third is 0, and a warning tells it when they are read.
        """
        return angles_of(self, "", sequence)

    @property
    def reference(self) -> tuple[np.ndarray, np.ndarray]:
        """(p (3) [m], R_WB (3, 3)) in the reference position."""
        if self._p is None:
            refuse(self.name, "has a place that is known only when the model is compiled", "give `at` as three numbers")
        p, R = self._p.copy(), self._R.copy()
        p.setflags(write=False), R.setflags(write=False)
        return p, R


class Massive(Handle):
    """What has mass: energies and momentum, in world axes."""

    kinetic_energy = QuantityOf("kinetic_energy", "Kinetic energy (n) [J].")
    potential_energy = QuantityOf("potential_energy", "Potential energy of the weight, of a beam also of its strain (n) [J].")
    momentum = QuantityOf("momentum", "Linear momentum (n, 3) [kg m/s], world axes.")
    angular_momentum = QuantityOf("angular_momentum", "Angular momentum about the centre of mass (n, 3) [kg m^2/s], world axes.")
    center_velocity = QuantityOf("center_velocity", "Velocity of the centre of mass (n, 3) [m/s], world axes.")


class Group(Massive):
    """Bodies together: mass, centre of mass, energies, momentum. `m.group(...)` makes one; it is no item of the model."""

    mass = QuantityOf("mass", "Mass of all (n) [kg].")
    center_of_mass = QuantityOf("center_of_mass", "Centre of mass in the world (n, 3) [m].")

    def __init__(self, model: Model, bodies: Sequence[Handle]):
        self._model, self._bodies = model, tuple(bodies)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Group, (self._model, self._bodies))

    def _names(self) -> Iterator[str]:
        yield from (body.name for body in self._bodies)

    @property
    def name(self) -> str:
        """As outputs of a model file write it."""
        return f"group({', '.join(body._item_name() for body in self._bodies)})"


class Relative(Handle):
    """Frame B as an observer on frame A sees it, in the axes of A. `m.relative(A, B)` makes one; it is no item of the model."""

    distance = QuantityOf("distance", "Distance of the origins (n) [m].")
    distance_rate = QuantityOf("distance_rate", "Its rate (n) [m/s].")
    position = QuantityOf("position", "Place of B's origin (n, 3) [m].")
    velocity = QuantityOf("velocity", "Its velocity (n, 3) [m/s].")
    acceleration = QuantityOf("acceleration", "Its acceleration (n, 3) [m/s^2].")
    rotation = QuantityOf("rotation", "Rotation vector of R_AB (n, 3) [rad].")
    quaternion = QuantityOf("quaternion", "Unit quaternion (w, x, y, z) of R_AB (n, 4).")
    rotation_matrix = QuantityOf("rotation_matrix", "R_AB row by row (n, 9).")
    transformation = QuantityOf("transformation", "Homogeneous transformation from B to A, row by row (n, 16).")
    axis_x = QuantityOf("axis_x", "Unit vector of B's x axis (n, 3).")
    axis_y = QuantityOf("axis_y", "Unit vector of its y axis (n, 3).")
    axis_z = QuantityOf("axis_z", "Unit vector of its z axis (n, 3).")
    angular_velocity = QuantityOf("angular_velocity", "Angular velocity of B against A (n, 3) [rad/s].")
    angular_acceleration = QuantityOf("angular_acceleration", "Its rate (n, 3) [rad/s^2].")

    def __init__(self, model: Model, A: Handle, B: Handle):
        self._model, self._ends = model, (A, B)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Relative, (self._model, *self._ends))

    def _names(self) -> Iterator[str]:
        yield from (end.name for end in self._ends)

    @property
    def name(self) -> str:
        """As outputs of a model file write it."""
        return f"relative({', '.join(end._item_name() for end in self._ends)})"

    def angles(self, sequence: str) -> Quantity:
        """Angles (n, 3) [rad] of B against A by a sequence of three axes, as of a body."""
        return angles_of(self, "", sequence)


def angles_of(handle: Handle, before: str, sequence: str) -> Quantity:
    """The angles of a sequence as a quantity; ModelError where it is none."""
    axes = str(sequence)
    if len(axes) != 3 or not (set(axes) <= set("xyz") or set(axes) <= set("XYZ")) or axes[0] == axes[1] or axes[1] == axes[2]:
        refuse(f"{handle.name}/angles", f"has the sequence {sequence!r}", 'write three of "x", "y", "z" (axes of the world) or "X", "Y", "Z" (turning along), none twice in a row, such as "ZYX"')
    return Quantity(((handle, f"{before}angles_{axes}"),))


class Pair(Handle):
    """What acts between two frames A and B: how B moves against A, in the axes of A; what its forces do."""

    power = QuantityOf("power", "Power of its forces on all that it acts on (n) [W].")
    force_body = QuantityOf("force_body", "Force on B (n, 3) [N], axes of B.")
    torque_body = QuantityOf("torque_body", "Torque on B (n, 3) [N m], axes of B.")
    relative_position = QuantityOf("relative_position", "Place of B's point against A's (n, 3) [m], axes of A.")
    relative_velocity = QuantityOf("relative_velocity", "Velocity of B's point as seen from A (n, 3) [m/s], axes of A.")
    relative_acceleration = QuantityOf("relative_acceleration", "Its acceleration (n, 3) [m/s^2], axes of A.")
    relative_rotation = QuantityOf("relative_rotation", "Rotation vector of B against A (n, 3) [rad].")
    relative_angular_velocity = QuantityOf("relative_angular_velocity", "Angular velocity of B against A (n, 3) [rad/s], axes of A.")
    relative_angular_acceleration = QuantityOf("relative_angular_acceleration", "Its rate (n, 3) [rad/s^2].")

    def angles(self, sequence: str) -> Quantity:
        """Angles (n, 3) [rad] of B against A by a sequence of three axes, as of a body."""
        return angles_of(self, "relative_", sequence)


class Body(Massive, Moving):
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
        self._shape = shape or {}
        self._weight: tuple[Any, Any] | None = None  # mass and centre of mass, as its verb was given them
        self._look: dict[str, Any] = {}  # drawn instead of the shape

    @property
    def shape(self) -> dict[str, Any]:
        """Its shape for contacts and pictures, with `type` (such as "sphere") and sizes (`radius`, in m); empty if it has none."""
        return shown(self._shape)

    def _place_changed(self, other: Handle) -> bool:
        assert isinstance(other, Body)
        before, after = ((None if b._p is None else b._p.tolist(), b._R.tolist(), b._shape, b._weight) for b in (self, other))
        return before != after

    if TYPE_CHECKING:  # keywords of the verbs of bodies, read as given and assigned
        mass: Number | None
        density: Real | None
        inertia: Matrix
        center_of_mass: Numbers | None
        radius: Real | None
        length: Number | None
        size: Vector
        at: Point | None
        on: Body | None
        axis: Direction | None

    def looks_like(self, mesh: str | os.PathLike[str], *, scale: float = 1.0) -> Body:
        """Draws the body as the triangles of a .stl or .obj file in its own axes; returns the body.

        scale: metres in a unit of the file, 1e-3 for one in mm. Mass, inertia and contacts stay as they are.
        """
        from saltus.view.meshes import read_mesh

        self._look = read_mesh(mesh, scale)
        return self

    def frame(self, at: Point | None = None, *, rotation: Turn = (0.0, 0.0, 0.0), name: str = "") -> Frame:
        """A frame fixed to the body.

        at: world point (3) [m] in the reference position, or a frame; default: the body's own origin.
        rotation: rotation vector (3) [rad], or `sl.Rotation`, from the body's axes to the frame's.
        """
        frame = Frame(self, at, turn_vector(rotation, f"markers/{name or self.name + '_frame'}/rotation"), name)
        frame._where()  # a mistake is told here
        if name:
            frame._item_name()
        return frame


class Rod(Body):
    """A slim rod; its x axis points from `start` to `end`."""

    @property
    def start(self) -> Frame:
        """Frame at the first end, axes of the rod."""
        return self._end(-0.5, "start")

    @start.setter
    def start(self, value: Point) -> None:
        assign_to(self, "start", value)

    @property
    def end(self) -> Frame:
        """Frame at the second end, axes of the rod."""
        return self._end(0.5, "end")

    @end.setter
    def end(self, value: Point) -> None:
        assign_to(self, "end", value)

    def _end(self, side: float, word: str) -> Frame:
        return Frame(self, side, np.zeros(3), f"{self.name}_{word}")


class Frame(Moving):
    """A frame fixed to a body. It enters the model as a marker only when a quantity of it is read or it has a name.

    Its place follows that of its body in the reference position: the end of a rod is there where the rod ends.
    """

    _follows = True

    def __init__(self, body: Body, at: Any, turn: np.ndarray, name: str = ""):
        """at: a world point, a body or frame, None (origin of the body), or the end of a rod as a share of its length."""
        super().__init__(body._model, name)
        self._body, self._at, self._turn = body, kept(at), turn

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self._body, self._at, self._turn, self.name))

    def _names(self) -> Iterator[str]:
        yield self._body.name
        yield from named(self._at)

    def _where(self) -> tuple[np.ndarray, np.ndarray]:
        """(p (3) [m], R (3, 3)) in the world, in the reference position."""
        p, R = self._body.reference
        if isinstance(self._at, float):
            p = p + self._at * self._body._shape["length"] * R[:, 0]
        elif self._at is not None:
            p = self._model._point(self._at, f"markers/{self.name or self._body.name + '_frame'}/at")
        return p, R @ rotation_matrix(self._turn) if np.any(self._turn) else R

    @property
    def reference(self) -> tuple[np.ndarray, np.ndarray]:
        """(p (3) [m], R_WB (3, 3)) in the reference position."""
        p, R = (np.array(x) for x in self._where())
        p.setflags(write=False), R.setflags(write=False)
        return p, R

    def __repr__(self) -> str:
        return f"<frame {self.name}>" if self.name else f"<frame of {self._body.name}>"

    def _record(self) -> tuple[str, dict[str, Any]]:
        """Type and fields of its marker."""
        return "frame", {"body": self._reference()}

    def _reference(self) -> Any:
        p, R = self._where()
        reference: dict[str, Any] = {"body": self._body.name, "at": p.tolist()}
        turn = rotation_vector(self._body._R.T @ R).tolist()
        return {**reference, "rotation": turn} if any(turn) else reference

    def _item_name(self) -> str:
        model = self._model
        if not self.name:
            self._name = model._free_name("frame")
        if self.name not in model._names:
            model._enter_frame(self)
        return self.name


class BeamPoint(Frame):
    """The frame of a beam's section; x along the beam but for shear. It enters the model when it is used."""

    def __init__(self, beam: Beam, share: float, name: str = ""):
        super().__init__(beam, share, np.zeros(3), name)  # type: ignore[arg-type]

    def _where(self) -> tuple[np.ndarray, np.ndarray]:
        i, xi = self._body._element_at(self._at)
        p, R = list(self._body._poses.values())[i]
        q, turn = along_screw(*self._body._screws[i], xi)
        return p + R @ q, R @ turn

    def __reduce__(self) -> tuple[Any, ...]:
        return (BeamPoint, (self._body, self._at, self.name))

    def __repr__(self) -> str:
        return f"<point of {self._body.name} at {self._at:g}>"

    def _reference(self) -> Any:
        return self._item_name()

    def _record(self) -> tuple[str, dict[str, Any]]:
        i, xi = self._body._element_at(self._at)
        return "beam_point", {"beam": self._body.elements[i].name, "xi": xi}


class Carrier(Handle):
    """What carries links: a tree, by its base, or a link."""

    def revolute(self, **keywords: Any) -> Link:
        """A link on a hinge; keywords as of `m.link`."""
        return self._model.link(self, joint="revolute", **keywords)  # type: ignore[arg-type]

    def prismatic(self, **keywords: Any) -> Link:
        """A link on a slide; keywords as of `m.link`."""
        return self._model.link(self, joint="prismatic", **keywords)  # type: ignore[arg-type]

    def fixed(self, **keywords: Any) -> Link:
        """A link that is fixed to it; keywords as of `m.link`."""
        return self._model.link(self, joint="fixed", **keywords)  # type: ignore[arg-type]


class Tree(Massive, Carrier):
    """A kinematic tree: links on joints, one object in the coordinates of the joints."""

    def __init__(self, model: Model, name: str, place: tuple[np.ndarray, np.ndarray] | None = None):
        super().__init__(model, name)
        self._place = place

    @property
    def reference(self) -> tuple[np.ndarray, np.ndarray]:
        """(p (3) [m], R (3, 3)) of its base in the reference position."""
        if self._place is None:
            refuse(self.name, "has a base whose place is known only when the model is compiled", "give `at` of its body as three numbers")
        return self._place

    def inverse_dynamics(self, q: Numbers, v: Numbers, a: Numbers) -> np.ndarray:
        """Forces of the joints (n) [N m, N] that give them the accelerations a (n) at coordinates q (n) and rates v (n), all in the order of the links.

        Gravity acts, springs and loads on the links do not; a base that moves is in its initial state, free to accelerate as if nothing drove it.
        """
        return np.array(self._model._engine.compile().inverse_dynamics(self.name, *(np.asarray(x, dtype=float).tolist() for x in (q, v, a))))

    def _place_changed(self, other: Handle) -> bool:
        assert isinstance(other, Tree)
        before, after = (None if t._place is None else [x.tolist() for x in t._place] for t in (self, other))
        return before != after


class Link(Carrier, Body):
    """A link of a kinematic tree, a body on the joint that carries it."""

    coordinate = StartOf("coordinate", "Coordinate of its joint (n) [rad or m]: an angle counts its turns.")
    rate = StartOf("rate", "Its rate (n) [rad/s or m/s].")
    coordinate_acceleration = QuantityOf("coordinate_acceleration", "Its acceleration (n) [rad/s^2 or m/s^2].")


class BeamElement(Handle):
    """An element of a beam, of constant strain: values in the axes of its section, x along the beam."""

    section_force = QuantityOf("section_force", "Force of the part towards the end on the one towards the start (n, 3) [N]: x is the tension.")
    section_moment = QuantityOf("section_moment", "Moment of it (n, 3) [N m]: torsion, then bending about y and z.")
    strain = QuantityOf("strain", "Stretch, and shear along y and z (n, 3).")
    curvature = QuantityOf("curvature", "Twist, and curvature about y and z (n, 3) [1/m], against the reference position.")


class Beam(Handle):
    """A beam: elements between nodes. Its frames are taken wherever a body is."""

    def __init__(self, model: Model, name: str, poses: dict[str, tuple[np.ndarray, np.ndarray]], elements: tuple[BeamElement, ...]):
        """poses: of its nodes by their names, in the reference position."""
        super().__init__(model, name)
        self._poses, self._parts = poses, elements
        places = list(poses.values())
        self._screws = [screw(R.T @ (q - p), R.T @ S) for (p, R), (q, S) in zip(places, places[1:], strict=False)]
        self._ends = np.concatenate([[0.0], np.cumsum([np.linalg.norm(u) for u, _ in self._screws])])
        self._made: dict[Any, Any] = {}  # its frames, by name of the node or by share

    @property
    def nodes(self) -> tuple[BeamNode, ...]:
        """Frames of the sections between the elements, from the start."""
        return tuple(self._made.setdefault(name, BeamNode(self, name)) for name in self._poses)

    @property
    def elements(self) -> tuple[BeamElement, ...]:
        """Its elements, from the start, with forces and strains of their sections."""
        return self._parts  # type: ignore[return-value]

    @property
    def length(self) -> float:
        """Along the centre line [m], in the reference position."""
        return float(self._ends[-1])

    @property
    def start(self) -> BeamNode:
        """Frame of the section at the start."""
        return self.nodes[0]

    @start.setter
    def start(self, value: Point) -> None:
        assign_to(self, "start", value)

    @property
    def end(self) -> BeamNode:
        """Frame of the section at the end."""
        return self.nodes[-1]

    @end.setter
    def end(self, value: Point) -> None:
        assign_to(self, "end", value)

    def at(self, s: float, *, name: str = "") -> BeamNode | BeamPoint:
        """Frame of the section at the share s of the length, 0 at the start and 1 at the end: x along the beam. Without a name, at a node that node."""
        share = number(s, f"bodies/{self.name}/at")
        if not 0.0 <= share <= 1.0:
            refuse(f"bodies/{self.name}/at", f"is {share:g}, a share of the length; must be between 0 and 1", f"divide a length by {self.length:g} m")
        if name:
            point = BeamPoint(self, share, name)
            point._item_name()
            return point
        i, xi = self._element_at(share)
        if xi in (0.0, 1.0):
            return self.nodes[i + int(xi)]
        return self._made.setdefault(share, BeamPoint(self, share))

    def _element_at(self, share: float) -> tuple[int, float]:
        """Number of the element, and where on it: 0 or 1 within rounding of a node."""
        s = share * self.length
        i = min(int(np.searchsorted(self._ends, s, side="right")) - 1, len(self._parts) - 1)
        xi = (s - self._ends[i]) / (self._ends[i + 1] - self._ends[i])
        return i, float(round(xi)) if abs(xi - round(xi)) < 1e-12 * len(self._parts) else float(xi)

    def _place_changed(self, other: Handle) -> bool:
        assert isinstance(other, Beam)
        before, after = ([(name, p.tolist(), R.tolist()) for name, (p, R) in beam._poses.items()] for beam in (self, other))
        return before != after

    def _become(self, other: Handle) -> None:
        made = self._made
        super()._become(other)
        self._made = made

    if TYPE_CHECKING:
        section: Any
        line: Any
        up: Direction | None
        damping: Number


class Ground(Body):
    """The fixed frame at the origin of the world; in a circuit 0 V."""


class Plane(Body):
    """A plane fixed to the ground; z of its frame is the outward normal."""

    def _reference(self) -> Any:
        return {"body": "ground", "at": self._p.tolist(), "rotation": rotation_vector(self._R).tolist()}

    if TYPE_CHECKING:
        normal: Direction | None


class Shape(Body):
    """A shape for contact on a body or the ground, in the axes of its own frame; its quantities are those of that frame."""

    if TYPE_CHECKING:
        kind: str


class Node(Moving):
    """A node; `coordinate[i]`, `rate[i]` are its coordinates and velocities, `state[i]`, `value[i]` the others."""

    def __init__(self, model: Model, name: str, p: np.ndarray | None = None, R: np.ndarray | None = None):
        super().__init__(model, name)
        if p is not None:
            self._p, self._R = p, R

    coordinate = QuantityOf("coordinate", "Generalized coordinates q of the node (n, nq).")
    rate = QuantityOf("rate", "Velocities v of the node (n, nv).")
    coordinate_acceleration = QuantityOf("coordinate_acceleration", "Accelerations of the node (n, nv).")
    state = QuantityOf("state", "First-order states x of the node (n, nx).")
    value = QuantityOf("value", "Algebraic unknowns z of the node (n, nz).")


class Coordinates(Handle):
    """Coordinates of a system in Lagrange's form; `coordinate[i]`, `rate[i]` are q and v."""

    coordinate = QuantityOf("coordinate", "Generalized coordinates q (n, nq).")
    rate = QuantityOf("rate", "Their rates v (n, nv).")
    coordinate_acceleration = QuantityOf("coordinate_acceleration", "Their accelerations (n, nv).")

    if TYPE_CHECKING:  # keywords of coordinates
        mass_matrix: FunctionMatrix
        potential: Function | None
        force: Function | Sequence[Number] | None
        stiffness_matrix: Matrix | None
        damping_matrix: Matrix | None


class BeamNode(Node):
    """The frame of a beam's section between two elements or at an end; x along the beam."""

    def __init__(self, beam: Beam, name: str):
        super().__init__(beam._model, name)
        self._beam = beam

    def __repr__(self) -> str:
        return f"<node {self.name}>"

    _p = property(lambda self: self._beam._poses[self.name][0])  # type: ignore[assignment]
    _R = property(lambda self: self._beam._poses[self.name][1])  # type: ignore[assignment]


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


class Joint(Pair):
    """A joint of A and B, with its drive and its spring if it has them."""

    def __init__(self, model: Model, name: str, parts: tuple[str, ...] = (), place: dict[str, Any] | None = None):
        super().__init__(model, name)
        self._parts = tuple(Handle(model, part) for part in parts)
        self._drive: Handle | None = next((part for part in self._parts if part.name.endswith("_drive") and model._names[part.name][0] == "joints"), None)
        self._place = place or {}

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
        return Quantity(((self, word), *((part, word) for part in self._parts)))

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
        """What dry friction does on B about (or along) the axis (n) [N m] or [N]. Only of joints with friction=."""
        return self._of_part("friction")

    @friction.setter
    def friction(self, value: Real | None) -> None:
        assign_to(self, "friction", value)

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

    angle = StartOf("angle", "Angle of B against A about the joint's z axis (n) [rad]; where that axis alone is free to turn, turns are counted.")
    angular_rate = QuantityOf("angular_rate", "Rate of the angle (n) [rad/s].")
    translation = QuantityOf(
        "translation", "Position of B's joint frame from A's (n, 3) [m], axes of A; z along the joint."
    )
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
        position: OfTime | None
        stiffness: Number | None
        damping: Number | None
        limit: Real | None
        gain: Real | None
        rest_angle: Number | None
        rest_position: Number | None
        limits: Sequence[Real] | None
        restitution: Number | None


class Rail(Joint):
    """A frame that slides along a curve."""

    def __init__(self, model: Model, name: str, along: str, parts: tuple[str, ...] = ()):
        super().__init__(model, name, parts)
        self._node = Node(model, along)

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


class Terminal(Handle):
    """A point of a circuit."""

    voltage = StartOf("value", "Potential against the ground (n) [V].")


class Contact(Handle):
    """A contact of two shapes: one relation a point of contact."""

    def __init__(self, model: Model, name: str, points: tuple[str, ...], rows: int):
        super().__init__(model, name)
        self._parts = tuple(ContactPoint(model, point, rows) for point in points)

    @property
    def points(self) -> tuple[ContactPoint, ...]:
        """Its points, each with a force and a gap."""
        return self._parts  # type: ignore[return-value]

    if TYPE_CHECKING:  # keywords of contact
        restitution: Number | None
        friction: Number
        rolling: Number
        spinning: Number
        law: Item | Mapping[str, Any] | None

    @property
    def force(self) -> Quantity:
        """Force on B, summed over the points (n, 3) [N], world axes; without the impact part (see `result.events`)."""
        return Quantity(tuple((point, "force") for point in self.points))


class GroupContact(Handle):
    """Contact between groups of bodies; its points are found in each step."""

    force = QuantityOf("force", "Force on the bodies of B together, mean over the step, impacts included (n, 3) [N], world axes.")
    points = QuantityOf("points", "Number of closed points (n).")

    if TYPE_CHECKING:  # keywords of contact
        restitution: Number | None
        friction: Number
        rolling: Number
        spinning: Number
        law: Item | Mapping[str, Any] | None


class PenaltyContact(GroupContact):
    """Contact between groups of bodies that may enter each other: forces of the instant, and no restitution, law or rolling."""

    depth = QuantityOf("depth", "The deepest of them (n) [m].")
    potential_energy = QuantityOf("potential_energy", "Energy that the points store (n) [J].")

    if TYPE_CHECKING:  # keywords of contact
        stiffness: Number
        exponent: Number
        damping: Number
        slip_speed: Number


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

    def __init__(self, model: Model, name: str, holder: str, word: str, parts: tuple[str, ...] = ()):
        super().__init__(model, name)
        self._holder, self._word = Handle(model, holder), word
        self._parts = ((self._holder,) if holder != name else ()) + tuple(Handle(model, part) for part in parts)

    @property
    def current(self) -> Quantity:
        """Current from A through the element to B (n) [A]."""
        return Quantity(((self._holder, self._word),))

    @current.setter
    def current(self, value: OfTime) -> None:
        assign_to(self, "current", value)

    if TYPE_CHECKING:  # keywords of the verbs of circuits
        R: Number | None
        C: Number
        L: Number
        k: Number
        voltage: OfTime | None


class Windings(Handle):
    """Inductors on one core."""

    def __init__(self, model: Model, name: str, states: tuple[str, ...]):
        super().__init__(model, name)
        self._parts = tuple(Winding(model, state, state, "state") for state in states)

    @property
    def windings(self) -> tuple[Winding, ...]:
        """Its windings, each with a current."""
        return self._parts  # type: ignore[return-value]

    if TYPE_CHECKING:  # keywords of coupled_inductors
        L: Sequence[Any]
        k: Number | None
        R: Numbers | None


class Winding(Element):
    """One winding of several."""


class ThreePhaseMotor(Handle):
    """A motor between three terminals and a motion."""

    def __init__(self, model: Model, name: str, states: tuple[str, ...]):
        super().__init__(model, name)
        self._parts = tuple(Handle(model, state) for state in states)

    currents = QuantityOf("currents", "Currents from the terminals A, B, C into it (n, 3) [A].")

    @property
    def torque(self) -> Quantity:
        """Torque on the rotor (n, 3) [N m], world axes."""
        return self.quantity("torque")

    if TYPE_CHECKING:  # keywords of its verbs
        flux: Number
        L: Number | Sequence[Number]
        R: Number
        k: Number
        pole_pairs: int


class Motor(Element):
    """A motor between a circuit and a joint."""

    torque = QuantityOf("torque", "Torque on the rotor (n, 3) [N m], world axes.")


methods_at_their_lines(*(kind for kind in list(vars().values()) if isinstance(kind, type) and issubclass(kind, Handle)))
