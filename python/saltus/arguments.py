"""Types of what verbs take, for editors and type checkers: nothing of this module is needed at run time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from saltus.compiled import Compiled
from saltus.handles import Body, Frame, Ground, Node, Terminal

Real: TypeAlias = float | np.floating[Any] | np.integer[Any]
Number: TypeAlias = Real | str
"""A number, or an expression of the model's parameters: `"2*k"`."""

Vector: TypeAlias = Sequence[Real] | NDArray[Any]
"""Three numbers."""

Numbers: TypeAlias = Sequence[Number] | NDArray[Any]
"""Numbers or expressions of the model's parameters."""

class _Turned(Protocol):
    def as_rotvec(self) -> NDArray[Any]: ...


Turn: TypeAlias = Vector | Sequence[Sequence[Real]] | _Turned
"""A rotation vector (3) [rad], a `sl.Rotation`, scipy's Rotation, or a rotation matrix (3, 3)."""

Matrix: TypeAlias = Sequence[Real] | Sequence[Sequence[Real]] | NDArray[Any]
"""A diagonal or a square matrix."""

Point: TypeAlias = Vector | Body | Frame
"""World coordinates (3) [m] in the reference position, or a frame that stands there."""

End: TypeAlias = Body | Frame | Node | str
"""What joints, springs and loads take: a body (its reference frame), a frame, or the name of one."""

Direction: TypeAlias = Literal["x", "y", "z", "-x", "-y", "-z"] | Vector
"""An axis of the world, or a vector of any length but zero."""

OfTime: TypeAlias = Number | Callable[[float], float] | Compiled
"""A number, an expression of t, f(t), or a compiled function."""

OfMotion: TypeAlias = OfTime | Callable[[float, float, float], float]
"""As OfTime, or f(t, position, speed) of the joint."""

Function: TypeAlias = str | Callable[..., float] | Compiled
"""An expression, a function of the program, or a compiled function, of the inputs that the verb names."""

FunctionMatrix: TypeAlias = Sequence[Sequence[Number]] | NDArray[Any] | Callable[..., Any] | Compiled
"""A square matrix of numbers or expressions, or a function of the inputs that the verb names, which gives the rows of one."""

VectorOfTime: TypeAlias = Numbers | Callable[[float], Vector] | Compiled
"""Three numbers or expressions of t, f(t) -> (3), or a compiled function."""

class _Faces(Protocol):
    """A mesh of another program, such as trimesh.Trimesh: vertices (n, 3), faces (m, 3)."""

    @property
    def vertices(self) -> Any: ...

    @property
    def faces(self) -> Any: ...


Surface: TypeAlias = str | PathLike[str] | tuple[Any, Any] | _Faces
"""An STL or OBJ file, or points (n, 3) [m] and triangles (m, 3); with trimesh its meshes and the files that it reads, such as glTF."""

Pin: TypeAlias = Terminal | Ground | str
"""A terminal of a circuit, m.ground (0 V), or the name of a terminal."""


