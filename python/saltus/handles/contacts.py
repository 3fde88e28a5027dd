"""Handles of contacts and of their points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from saltus.handles.base import Handle, QuantityOf
from saltus.quantity import Quantity

if TYPE_CHECKING:
    from collections.abc import Mapping

    from saltus.arguments import Number, OfTime
    from saltus.items import Item
    from saltus.model import Model


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

    @property
    def gap(self) -> Quantity:
        """Distance (n) [m], negative where the shapes overlap; of a contact of one point."""
        return self._point("gap").gap

    @property
    def normal_force(self) -> Quantity:
        """Force along the normal (n) [N], without impacts; of a contact of one point."""
        return self._point("normal_force").normal_force

    def _point(self, word: str) -> ContactPoint:
        if len(self.points) > 1:
            raise AttributeError(f"{self.name} has {len(self.points)} points, each with a {word}: read that of {self.name}.points[0], or of {self.points[0].name!r}")
        return self.points[0]


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


class Presence(Handle):
    """Bodies that come and go."""

    count = QuantityOf("count", "Number of bodies that are there (n).")

    if TYPE_CHECKING:  # keywords of presence
        begin: Number
        end: Number
        interval: Number
        inside: Number
        together: bool
        present: OfTime | None


class Sleep(Handle):
    """Bodies that fall asleep where they rest."""

    asleep = QuantityOf("asleep", "Number of bodies that sleep (n).")

    if TYPE_CHECKING:  # keywords of sleep
        speed: Number
        after: Number


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
        return self._first("residual")

    @property
    def normal_force(self) -> Quantity:
        """Force along the normal (n) [N], without impacts."""
        return self._first("multiplier")

    def _first(self, word: str) -> Quantity:
        whole = self.quantity(word)
        return whole if self._rows == 1 else whole[0]
