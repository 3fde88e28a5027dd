"""What is read of a result: a quantity of an item, by attribute (`rod.position.x`) or as text."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from saltus.geometry import refuse
from saltus.statements import LeadsToItems

if TYPE_CHECKING:
    from collections.abc import Iterator

    from saltus.handles import Handle

_COMPONENTS = ("x", "y", "z", "w", "norm")


@dataclass(frozen=True)
class Quantity(LeadsToItems):
    """A quantity of one item, or the sum of the same quantity of several; no value before a run.

    `.x`, `.y`, `.z` are components in world axes (unless the name says `_body`), `.norm` the Euclidean norm, `[i]` the
    component with a number. `quantity < number` is a condition for `simulate(stop=...)`.
    """

    terms: tuple[tuple[Handle, str], ...]
    component: str = ""

    @property
    def paths(self) -> tuple[str, ...]:
        """`name.quantity` of each term, as outputs of a model file hold it."""
        return tuple(f"{handle._item_name()}.{word}" for handle, word in self.terms)

    @property
    def label(self) -> str:
        """The text under which plots and tables show it."""
        handle, word = self.terms[0]
        return ".".join(filter(None, (handle.name, word, self.component)))

    def _part(self, component: str) -> Quantity:
        if self.component:
            raise AttributeError(f"{self.label} is a number: it has no component {component!r}")
        return replace(self, component=component)

    @property
    def x(self) -> Quantity:
        """Component along x."""
        return self._part("x")

    @property
    def y(self) -> Quantity:
        """Component along y."""
        return self._part("y")

    @property
    def z(self) -> Quantity:
        """Component along z."""
        return self._part("z")

    @property
    def w(self) -> Quantity:
        """Scalar part of a quaternion."""
        return self._part("w")

    @property
    def norm(self) -> Quantity:
        """Euclidean norm."""
        return self._part("norm")

    def _names(self) -> Iterator[str]:
        return (handle.name for handle, _ in self.terms)

    def _reference(self) -> dict[str, object]:
        """How a record names it where a scalar coordinate is asked for: a motion of a joint, a coordinate of a node."""
        handle, word = self.terms[0]
        if reference := handle._scalar(word, self.component):
            return reference
        refuse(
            self.label,
            "is no coordinate that an item can act on",
            "these are the `angle` of a joint, its `translation.z`, and `coordinate[i]` of a node",
        )

    def __getitem__(self, number: int) -> Quantity:
        return self._part(str(int(number)))

    def __lt__(self, bound: float) -> Condition:
        return Condition(self, "<", float(bound))

    def __gt__(self, bound: float) -> Condition:
        return Condition(self, ">", float(bound))

    def crosses(self, bound: float) -> Condition:
        """A condition for `simulate(stop=...)`: the quantity comes to the other side of `bound`."""
        return Condition(self, "crosses", float(bound))

    def __repr__(self) -> str:
        return f"<quantity {self.label}>"


@dataclass(frozen=True)
class Condition:
    """`quantity < bound`, `quantity > bound`, `quantity.crosses(bound)`: the run ends where it is met."""

    quantity: Quantity
    sign: Literal["<", ">", "crosses"]
    bound: float

    def __bool__(self) -> bool:
        raise TypeError("a condition has no value before the run; give it as simulate(stop=...)")

    def __str__(self) -> str:
        return f"{self.quantity.label} {self.sign} {self.bound:g}"
