"""Friction of joints: `m.revolute(..., friction=sl.LuGre(...))`. A number in its place is exact dry friction of that size."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar

from saltus import geometry as g
from saltus.errors import methods_at_their_lines

if TYPE_CHECKING:
    from saltus.arguments import Number


@dataclass(frozen=True)
class Friction:
    """Friction as a force element on the motion of a joint; forces [N] of a slide, torques [N m] of a hinge, speeds [m/s] or [rad/s]."""

    kind: ClassVar[str] = ""
    state: ClassVar[str] = ""  # field that names its first-order state

    def record(self) -> dict[str, Any]:
        """Fields of the connector's record."""
        return {field.name: value for field in fields(self) if (value := getattr(self, field.name)) is not None}


@dataclass(frozen=True)
class Coulomb(Friction):
    """Dry friction of the joint's own reaction, of the same instant. A hinge: mu (radius F_r + axial_radius F_a), of the sizes of its radial and axial force.

    A slide: mu N, N the sum of the forces at the ends of a guide of `length` [m], without it the force alone. Smooth about rest, within
    `slip_speed`: what rests under a load creeps.
    """

    friction: Number
    radius: Number | None = None
    axial_radius: Number | None = None
    length: Number | None = None
    slip_speed: Number | None = None

    def of_joint(self, kind: str, path: str) -> dict[str, Any]:
        """Fields of the joint's record."""
        fields, own = self.record(), {"revolute": ("radius", "axial_radius"), "prismatic": ("length",)}[kind]
        for word in ("radius", "axial_radius", "length"):
            if word in fields and word not in own:
                g.refuse(f"{path}/friction", f"has `{word}`, which is not of a {kind} joint", f"it takes {' and '.join(own)}")
        if kind == "revolute" and "radius" not in fields:
            g.refuse(f"{path}/friction", "has no `radius`", "give that of the pin [m]: sl.Coulomb(0.1, radius=0.01)")
        return fields


@dataclass(frozen=True)
class Stribeck(Friction):
    """A function of the speed: `coulomb` at high speed, `breakaway` at low, falling within `stribeck_speed`, and `viscosity`.

    Smooth about rest, within `slip_speed`: what rests under a load creeps.
    """

    kind = "stribeck_friction"
    coulomb: Number
    breakaway: Number | None = None
    stribeck_speed: Number | None = None
    viscosity: Number | None = None
    slip_speed: Number | None = None


@dataclass(frozen=True)
class Dahl(Friction):
    """Hysteresis of a solid contact of `stiffness` up to `coulomb` (Dahl 1968); below the share `elastic` of it nothing creeps (Dupont 2002)."""

    kind = "dahl_friction"
    state = "bristles"
    stiffness: Number
    coulomb: Number
    elastic: Number | None = None
    damping: Number | None = None
    viscosity: Number | None = None


@dataclass(frozen=True)
class LuGre(Friction):
    """Bristles of `stiffness` and `damping`: presliding, `breakaway`, Stribeck effect, memory (Canudas de Wit, Olsson, Astrom, Lischinsky 1995)."""

    kind = "lugre_friction"
    state = "bristles"
    stiffness: Number
    coulomb: Number
    breakaway: Number
    stribeck_speed: Number
    damping: Number | None = None
    viscosity: Number | None = None


@dataclass(frozen=True)
class Plastic(Friction):
    """Rigid up to `bound`, then it yields: a plastic hinge, a friction damper that wears in. What it resists grows by `isotropic` with all of the way that it has yielded, either way, and its middle moves by `kinematic` with the way.

    `bound` [N m] or [N]; `isotropic` and `kinematic` [N m/rad] or [N/m], at least 0. In statics, too.
    """

    bound: Number
    isotropic: Number | None = None
    kinematic: Number | None = None

    def law(self, path: str) -> dict[str, Any]:
        """The law of the joint's angle or way."""
        bound = g.number(self.bound, f"{path}/friction/bound", above=0.0)
        fields = {key: value for key, value in self.record().items() if key != "bound"}
        return {"type": "hardening_relay", "low": -bound, "high": bound, **fields}


methods_at_their_lines(Coulomb, Stribeck, Dahl, LuGre, Plastic)
