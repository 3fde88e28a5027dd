"""What all handles share: an item by its name, with its quantities as attributes; what moves, has mass, acts between two frames."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, overload

from saltus.geometry import near, or_else, refuse, short
from saltus.quantity import Quantity
from saltus.settings import QUANTITIES, assign_to, set_fields, settings_of
from saltus.statements import LeadsToItems, Unchanging, shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np

    from saltus.arguments import OfTime, VectorOfTime
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
        super().__init__(lambda handle: Quantity(((handle, name),), shown="" if self._word == name else f"{handle.name}.{self._word}"), doc=doc)
        self._word = name

    def __set_name__(self, owner: type, word: str) -> None:
        self._word = word

    if TYPE_CHECKING:  # what a property of type Quantity looks like from outside

        @overload
        def __get__(self, instance: None, owner: type, /) -> QuantityOf: ...
        @overload
        def __get__(self, instance: Handle, owner: type | None = None, /) -> Quantity: ...
        def __get__(self, instance: Any, owner: Any = None, /) -> Any: ...


def shown_by_their_names(*kinds: type) -> None:
    """Quantities that attributes make of those of parts are shown under the name of the attribute: the current of a coil is `coil.current`."""

    def named(word: str, get: Any) -> Any:
        @functools.wraps(get)
        def read(handle: Handle) -> Any:
            value = get(handle)
            return replace(value, shown=f"{handle.name}.{word}") if isinstance(value, Quantity) and value.terms != ((handle, word),) else value

        return read

    for kind in kinds:
        for word, value in list(vars(kind).items()):
            if type(value) is property and not word.startswith("_"):
                setattr(kind, word, property(named(word, value.fget), value.fset, value.fdel, value.__doc__))


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
    _prescribed: Mapping[str, str] = {}  # of what only a drive has, if it has one: what to read instead
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
        given = ", ".join(f"{key}={_word(value)}" for key, value in values.items() if key != "name")
        return f"{self._said[:-1]}: {word}({given if len(given) <= LONGEST else given[:LONGEST - 3] + '...'})>"

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
                if settings[name] is None and name in self._prescribed:
                    raise AttributeError(f"{self.name} has no drive whose {name} it could be; {self._prescribed[name]}, or give it one: {self.name}.{name} = ...")
                return shown(settings[name])
            if name != "type" and name in self.__dict__.get("_shape", ()):  # of a body of a file
                return shown(self._shape[name])
            kind, known = type(self).__name__.lower(), [word for word in dir(type(self)) if not word.startswith("_")]
            known += [word for word in settings if word not in known]
            raise AttributeError(f"{kind} {self.name} has no {name!r}" + or_else(near(name, known) or f"it has {', '.join(known)}"))


def _named(model: Model, name: str) -> Handle:
    return model[name]


class Item(Handle):
    """An item that has no class of its own here: every quantity of the item is an attribute, and so are its fields."""

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

        As `sl.Rotation.angles` has them: at the singular value of the middle angle the third is 0, with a warning when they are read.
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
