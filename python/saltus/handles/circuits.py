"""Handles of terminals and elements of circuits, motors and windings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from saltus.handles.base import Handle, QuantityOf, StartOf
from saltus.quantity import Quantity
from saltus.settings import assign_to

if TYPE_CHECKING:
    from collections.abc import Sequence

    from saltus.arguments import Number, Numbers, OfTime
    from saltus.model import Model


class Terminal(Handle):
    """A point of a circuit."""

    voltage = StartOf("value", "Potential against the ground (n) [V].")


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

    @property
    def voltage(self) -> Quantity:
        """Voltage between its terminals, v_A - v_B (n) [V]."""
        known = self._model._engine.record(self.name)["fields"] if self.name in self._model._names else {}
        A, B = (self._model[known[end]] if isinstance(known.get(end), str) else None for end in "AB")
        if A is None or B is None:
            raise AttributeError(f"{self.name} has no terminals of its own: read those of its circuit")
        if B is self._model.ground:
            return A.voltage
        return -B.voltage if A is self._model.ground else A.voltage - B.voltage

    @voltage.setter
    def voltage(self, value: OfTime | None) -> None:
        assign_to(self, "voltage", value)

    if TYPE_CHECKING:  # keywords of the verbs of circuits
        R: Number | None
        C: Number
        L: Number
        k: Number


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
