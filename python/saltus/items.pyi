"""Written by `python -m saltus.items_stub` from the engine's table of items: do not edit."""

from collections.abc import Callable, Sequence
from typing import Any

from saltus.handles import Handle

Number = float | str
Vector = Sequence[float | str]
Matrix = Sequence[Sequence[float]] | Sequence[float]
Function = float | str | Sequence[float | str] | Callable[..., Any]
Reference = Handle | str | dict[str, Any]

class Item:
    section: str
    type: str
    name: str
    fields: dict[str, Any]
    def __init__(self, *, name: str = ..., **fields: Any) -> None: ...

def names() -> list[str]: ...
def table() -> dict[str, dict[str, Any]]: ...

class Coordinate(Item):
    """One scalar coordinate of a node.

    node: the node; required
    coordinate: number of the coordinate in the node, from 0; at least 0; default 0
    """
    def __init__(
        self,
        *,
        node: str | Item | Handle,
        coordinate: int | str | None = ...,
        name: str = ...,
    ) -> None: ...

class Equality(Item):
    """The rows vanish: a joint.
    """
    def __init__(
        self,
        *,
        name: str = ...,
    ) -> None: ...

class Frame(Item):
    """A frame fixed to a body, a node or the ground.

    body: the body, node or `ground` that carries it; required
    position [m]: origin in the axes of the body's frame; default [0.0, 0.0, 0.0]
    rotation [rad]: rotation vector from the body's axes to the frame's; default [0.0, 0.0, 0.0]
    """
    def __init__(
        self,
        *,
        body: Reference,
        position: Vector | None = ...,
        rotation: Vector | None = ...,
        name: str = ...,
    ) -> None: ...

class NodePoint(Item):
    """A point in space, three coordinates.

    position [m]: reference position, world axes; default [0.0, 0.0, 0.0]
    displacement [m]: initial displacement from it, world axes; default [0.0, 0.0, 0.0]
    velocity [m/s]: initial velocity, world axes; default [0.0, 0.0, 0.0]
    """
    def __init__(
        self,
        *,
        position: Vector | None = ...,
        displacement: Vector | None = ...,
        velocity: Vector | None = ...,
        name: str = ...,
    ) -> None: ...

class NodeRigid(Item):
    """A frame in space: position and rotation on SO(3), six velocities.

    position [m]: reference position of the frame in world axes; default [0.0, 0.0, 0.0]
    rotation [rad]: rotation vector (axis times angle) from world to the frame; default [0.0, 0.0, 0.0]
    displacement [m]: initial displacement from the reference position, world axes; default [0.0, 0.0, 0.0]
    velocity [m/s]: initial velocity of the frame's origin, world axes; default [0.0, 0.0, 0.0]
    angular_velocity [rad/s]: initial angular velocity, world axes; default [0.0, 0.0, 0.0]
    """
    def __init__(
        self,
        *,
        position: Vector | None = ...,
        rotation: Vector | None = ...,
        displacement: Vector | None = ...,
        velocity: Vector | None = ...,
        angular_velocity: Vector | None = ...,
        name: str = ...,
    ) -> None: ...

class PlanarRevolute(Item):
    """Pin of a planar mechanism: two points of bodies in the x-y plane coincide.

    A: first of the pair; required
    B: second of the pair: forces and motion are those of B; required
    at: where the joint is: world point in the reference position [m]; default: the frame B
    axis: z axis of the joint frames: x, y, z or a vector in world axes; default: z of the frame B
    rotation: rotation vector of the joint frames in the world [rad], instead of axis
    law: law of the rows
    """
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        at: Vector | Handle | None = ...,
        axis: str | Vector | None = ...,
        rotation: Vector | None = ...,
        law: str | Item | Handle | None = ...,
        name: str = ...,
    ) -> None: ...

class Revolute(Item):
    """Revolute joint: rotation about the z axis of the joint frames is free.

    A: first of the pair; required
    B: second of the pair: forces and motion are those of B; required
    at: where the joint is: world point in the reference position [m]; default: the frame B
    axis: z axis of the joint frames: x, y, z or a vector in world axes; default: z of the frame B
    rotation: rotation vector of the joint frames in the world [rad], instead of axis
    law: law of the rows
    """
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        at: Vector | Handle | None = ...,
        axis: str | Vector | None = ...,
        rotation: Vector | None = ...,
        law: str | Item | Handle | None = ...,
        name: str = ...,
    ) -> None: ...

class RigidBody(Item):
    """Rigid body about any reference point, on a rigid node in space or in the plane.

    node: the node whose coordinates it moves; required
    mass [kg]: mass; above 0; required
    inertia [kg m^2]: inertia about the centre of mass, in body axes; required
    center_of_mass [m]: from the node frame to the centre of mass, body axes; default [0.0, 0.0, 0.0]
    """
    def __init__(
        self,
        *,
        node: str | Item | Handle,
        mass: Number,
        inertia: Matrix,
        center_of_mass: Vector | None = ...,
        name: str = ...,
    ) -> None: ...

class SpringDamper(Item):
    """Axial spring and damper between two points.

    A: first of the pair; required
    B: second of the pair: forces and motion are those of B; required
    stiffness [N/m]: k, axial stiffness; at least 0; default 0.0
    damping [N s/m]: c, axial damping; at least 0; default 0.0
    rest_length [m]: L0, unloaded length; at least 0; default 0.0
    preload [N]: f0, force that pushes A and B apart at L = L0, v = 0; default 0.0
    """
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        stiffness: Number | None = ...,
        damping: Number | None = ...,
        rest_length: Number | None = ...,
        preload: Number | None = ...,
        name: str = ...,
    ) -> None: ...
