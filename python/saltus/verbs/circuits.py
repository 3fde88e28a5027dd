"""Circuits: terminals and what lies between them. The ground of the model is 0 V. Current counts from A to B."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from saltus import geometry as g
from saltus.handles import Element, Ground, Joint, Motor, Terminal
from saltus.verbs._verb import given, verb

if TYPE_CHECKING:
    from saltus.arguments import Number, OfTime, Pin


class CircuitVerbs:
    """Verbs that make circuits. A, B: terminals or m.ground; `voltage` is v_A - v_B, `current` flows from A to B."""

    @verb("nodes")
    def terminal(self, *, voltage: Number | None = None, name: str = "") -> Terminal:
        """A point of a circuit, an algebraic unknown: its potential `voltage` [V] against m.ground.

        voltage: guess of the first potential [V]; the start of a run computes the right one. A part of a circuit that no element
        joins to the ground is refused by the run.
        """
        name = self._add("nodes", "terminal", self._free_name("terminal", name), given(voltage=voltage))
        self._part_of[name] = (name, "potential")
        return Terminal(self, name)

    @verb("connectors")
    def resistor(self, A: Pin, B: Pin, *, R: Number, name: str = "") -> Element:
        """Resistor of R [Ohm] above 0; `current` [A] from A to B."""
        name = self._add(
            "connectors", "resistor", self._free_name("resistor", name), {**self._terminals(A, B), "resistance": R}
        )
        return Element(self, name, name, "force")

    @verb("connectors")
    def capacitor(self, A: Pin, B: Pin, *, C: Number, voltage: Number = 0.0, name: str = "") -> Element:
        """Capacitor of C [F] above 0; voltage: v_A - v_B at the start [V]. `current` [A] from A to B."""
        name = self._free_name("capacitor", name)
        state = self._helper("charge_state", name, "charge", {"voltage": voltage})
        self._add(
            "connectors",
            "capacitor",
            name,
            {
                **self._terminals(A, B),
                "capacitance": C,
                "voltage_of": {"node": state, "coordinate": 0},
                "current_of": {"node": state, "coordinate": 1},
            },
        )
        return Element(self, name, state, "value")

    @verb("connectors")
    def inductor(
        self, A: Pin, B: Pin, *, L: Number, R: Number | None = None, current: Number = 0.0, name: str = ""
    ) -> Element:
        """Inductor of L [H] with a winding of R [Ohm]; current: from A to B at the start [A]."""
        name = self._free_name("inductor", name)
        return self._with_current(
            "inductor",
            name,
            A,
            B,
            "current_state",
            given(current=current),
            {"inductance": L, **given(resistance=R)},
            "state",
        )

    @verb("connectors")
    def voltage_source(self, A: Pin, B: Pin, *, voltage: OfTime, name: str = "") -> Element:
        """v_A - v_B = voltage [V]: a number, an expression of t, or a function f(t)."""
        name = self._free_name("voltage_source", name)
        return self._with_current("voltage_source", name, A, B, "source_current", {}, {"voltage": voltage}, "value")

    @verb("connectors")
    def current_source(self, A: Pin, B: Pin, *, current: OfTime, name: str = "") -> Element:
        """Current [A] from A through the source to B: a number, an expression of t, or a function f(t)."""
        fields = {**self._terminals(A, B), "current": current}
        name = self._add("connectors", "current_source", self._free_name("current_source", name), fields)
        return Element(self, name, name, "force")

    @verb("connectors")
    def dc_motor(
        self, A: Pin, B: Pin, shaft: Joint, *, L: Number, k: Number, R: Number = 0.0, current: Number = 0.0, name: str = ""
    ) -> Motor:
        """Direct-current motor between terminals A, B that turns a revolute joint `shaft`: stator its A, rotor its B.

        L [H] and R [Ohm] of the winding, k [N m/A] = [V s/rad]: torque per current, voltage per speed. current: from
        A to B at the start [A]. Torque k i on the rotor about the axis of the joint.
        """
        name = self._free_name("dc_motor", name)
        if not isinstance(shaft, Joint):
            g.refuse(f"connectors/{name}/shaft", f"is {shaft!r}, expected a joint", "give what m.revolute returned")
        self._own(shaft, f"connectors/{name}/shaft")
        stator, rotor = shaft._ends()
        state = self._helper("current_state", name, "current", {"current": current})
        self._add(
            "connectors",
            "dc_motor",
            name,
            {
                **self._terminals(A, B),
                "current_of": state,
                "stator": stator,
                "rotor": rotor,
                "inductance": L,
                "resistance": R,
                "constant": k,
            },
        )
        return Motor(self, name, state, "state")

    @verb("relations")
    def diode(self, A: Pin, B: Pin, *, name: str = "") -> Element:
        """Ideal diode from the anode A to the cathode B: no voltage forward, no current backward. `current` [A] from A to B."""
        name = self._add("relations", "diode", self._free_name("diode", name), self._terminals(A, B))
        return Element(self, name, name, "multiplier")

    def _with_current(self, kind, name, A, B, state_kind, initial, fields, word: str) -> Element:
        """An element whose current is a state or an unknown of its own."""
        state = self._helper(state_kind, name, "current", initial)
        self._add("connectors", kind, name, {**self._terminals(A, B), **fields, "current_of": state})
        return Element(self, name, state, word)

    def _helper(self, kind: str, name: str, word: str, initial: dict[str, Any]) -> str:
        """Adds the node that holds the current or charge of an element; messages speak of the element."""
        node = self._add("nodes", kind, self._free_name("", f"{name}_{word}"), initial)
        self._part_of[node] = (name, word)
        return node

    def _terminals(self, A, B) -> dict[str, Any]:
        ends = {}
        for role, end in (("A", A), ("B", B)):
            if isinstance(end, (Terminal, Ground)):
                self._own(end, role)
                ends[role] = end.name
            elif isinstance(end, str):
                ends[role] = end
            else:
                g.refuse(role, f"is {end!r}, expected a terminal or m.ground", "make one with m.terminal()")
        return ends
