"""Circuits: terminals and what lies between them. The ground of the model is 0 V. Current counts from A to B."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from saltus import geometry as g
from saltus.handles import Element, Ground, Joint, Motor, Terminal, ThreePhaseMotor, Windings
from saltus.quantity import Quantity
from saltus.verbs._verb import given, verb

if TYPE_CHECKING:
    from collections.abc import Sequence

    from saltus.arguments import Number, Numbers, OfTime, Pin


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

    @verb("connectors")
    def synchronous_motor(
        self, U: Pin, V: Pin, W: Pin, shaft: Joint | Quantity, *, flux: Number, L: Number | Sequence[Number], R: Number = 0.0, pole_pairs: int = 1, current: Sequence[Number] = (0.0, 0.0), name: str = ""
    ) -> ThreePhaseMotor:
        """Synchronous machine with permanent magnets between three terminals; its star point is not led out.

        shaft: the revolute joint it turns, or its motion (`hinge.angle`); at 0 the magnets stand along phase U. flux [V s] of the magnets in a phase, L [H]: L_d along the
        magnets and L_q across the magnets, or one number for both, R [Ohm] of a phase. current: i_d, i_q at the start [A], by the amplitude of the phases' currents.
        """
        name = self._free_name("synchronous_motor", name)
        both = list(L) if isinstance(L, (list, tuple, np.ndarray)) else [L, L]
        if len(both) != 2:
            g.refuse(f"connectors/{name}/L", f"has {len(both)} numbers", "give L_d, L_q, or one number for both")
        fields = {"flux": flux, "inductance_d": both[0], "inductance_q": both[1], "resistance": R, "pole_pairs": pole_pairs}
        return self._three_phases("synchronous_motor", name, (U, V, W), shaft, ("current_d", "current_q"), current, fields)

    @verb("connectors")
    def bldc_motor(
        self, U: Pin, V: Pin, W: Pin, shaft: Joint | Quantity, *, L: Number, k: Number, R: Number = 0.0, pole_pairs: int = 1, current: Sequence[Number] = (0.0, 0.0), name: str = ""
    ) -> ThreePhaseMotor:
        """Brushless motor between three terminals whose induced voltages are trapezoids with a top of 120 degrees; its star point is not led out.

        shaft: the revolute joint it turns, or its motion (`hinge.angle`); at 0 the voltage of phase U passes 0 upward. L [H] of a phase less what it shares with another, R [Ohm],
        k [N m/A] = [V s/rad] of a phase at the top. current: of the phases U and V at the start [A].
        """
        fields = {"inductance": L, "constant": k, "resistance": R, "pole_pairs": pole_pairs}
        return self._three_phases("bldc_motor", self._free_name("bldc_motor", name), (U, V, W), shaft, ("current_A", "current_B"), current, fields)

    @verb("relations")
    def diode(self, A: Pin, B: Pin, *, threshold: Number | None = None, R: Number | None = None, name: str = "") -> Element:
        """Ideal diode from the anode A to the cathode B: no voltage forward, no current backward. `current` [A] from A to B.

        threshold [V]: v_A - v_B from which it conducts; R [Ohm] in series.
        """
        fields = {**self._terminals(A, B), **given(threshold=threshold, resistance=R)}
        name = self._add("relations", "diode", self._free_name("diode", name), fields)
        return Element(self, name, name, "multiplier")

    @verb("relations")
    def zener_diode(self, A: Pin, B: Pin, *, breakdown: Number, threshold: Number | None = None, R: Number | None = None, name: str = "") -> Element:
        """Diode from the anode A to the cathode B that conducts backward from v_B - v_A = breakdown [V] on, forward from threshold [V]; R [Ohm] in series."""
        fields = {**self._terminals(A, B), **given(breakdown=breakdown, threshold=threshold, resistance=R)}
        name = self._add("relations", "zener_diode", self._free_name("zener_diode", name), fields)
        return Element(self, name, name, "force")

    @verb("connectors")
    def shockley_diode(
        self, A: Pin, B: Pin, *, saturation_current: Number | None = None, emission: Number | None = None, thermal_voltage: Number | None = None, R: Number | None = None, name: str = ""
    ) -> Element:
        """Diode from A to B with the smooth characteristic i = I_S (exp(v / (n V_T)) - 1).

        saturation_current: I_S [A], 1e-14; emission: n, 1; thermal_voltage: V_T [V], 0.02585 (300 K); R [Ohm] in series.
        """
        name = self._free_name("shockley_diode", name)
        fields = given(saturation_current=saturation_current, emission=emission, thermal_voltage=thermal_voltage, resistance=R)
        junction = self._helper("junction_voltage", name, "junction", {})
        self._add("connectors", "shockley_diode", name, {**self._terminals(A, B), "junction": junction, **fields})
        return Element(self, name, name, "current", parts=(junction,))

    @verb("relations")
    def switch(self, A: Pin, B: Pin, *, closed: OfTime, R: Number | None = None, name: str = "") -> Element:
        """Switch that joins A and B while `closed` is above 0: a number, an expression of t and parameters, f(t), or what a controller sets. R [Ohm] while closed.

        Under error control steps end where an expression switches. A current that has no other way, as that of an inductor, ends at once: give it a diode.
        """
        name = self._free_name("switch", name)
        return self._switch(name, A, B, closed, R)

    @verb("relations")
    def pwm_switch(self, A: Pin, B: Pin, *, period: Number, duty: Number, delay: Number = 0.0, R: Number | None = None, name: str = "") -> Element:
        """Switch that is closed for the share `duty` (0 to 1) of each period [s], all `delay` [s] later. duty: a number, or an expression of t and parameters.

        A parameter that a run may change, m.parameter("duty", 0.4), is set by a controller, a hook or a schedule.
        """
        name = self._free_name("pwm_switch", name)
        self._period(period, f"relations/{name}/period"), self._share(duty, f"relations/{name}/duty")
        return self._switch(name, A, B, f"({duty}) - {_phase(period, delay)}", R)

    @verb("relations")
    def thyristor(self, A: Pin, B: Pin, *, fired: OfTime, threshold: Number | None = None, R: Number | None = None, name: str = "") -> Element:
        """Thyristor from the anode A to the cathode B: conducts from when `fired`, a function of t for its gate, is above 0 and the voltage forward, until its current ends.

        threshold [V] while it conducts, R [Ohm] in series.
        """
        fields = {**self._terminals(A, B), "gate": fired, **given(threshold=threshold, resistance=R)}
        name = self._add("relations", "thyristor", self._free_name("thyristor", name), fields)
        return Element(self, name, name, "multiplier")

    @verb("connectors")
    def pulse_source(
        self, A: Pin, B: Pin, *, low: Number = 0.0, high: Number, period: Number, width: Number, delay: Number = 0.0, rise: Number = 0.0, fall: Number = 0.0, name: str = ""
    ) -> Element:
        """Voltage source of pulses, v_A - v_B: `low` [V] until `delay`, then in each `period` [s] up to `high` within `rise`, there for `width`, back within `fall` [s].

        A source of measured values is a table: voltage=m.table("u", times, volts), of a file np.loadtxt reads them.
        """
        name = self._free_name("pulse_source", name)
        path = f"connectors/{name}"
        self._period(period, f"{path}/period")
        lengths = {key: g.number(value, f"{path}/{key}", "s") for key, value in {"rise": rise, "width": width, "fall": fall}.items() if not isinstance(value, str)}
        for key, value in lengths.items():
            if value < 0.0:
                g.refuse(f"{path}/{key}", f"is {value:g} s", "give 0 or more")
        if len(lengths) == 3 and not isinstance(period, str) and sum(lengths.values()) > float(period) * (1 + 1e-12):
            g.refuse(path, f"has pulses of {sum(lengths.values()):g} s in a period of {float(period):g} s", "give rise + width + fall of a period at most")
        return self._with_current("voltage_source", name, A, B, "source_current", {}, {"voltage": _pulses(low, high, period, width, delay, rise, fall)}, "value")

    @verb("connectors")
    def pwm_source(self, A: Pin, B: Pin, *, low: Number = 0.0, high: Number, period: Number, duty: Number, delay: Number = 0.0, name: str = "") -> Element:
        """Voltage source v_A - v_B that is `high` [V] for the share `duty` (0 to 1) of each period [s], all `delay` [s] later, then `low`; duty as of pwm_switch."""
        name = self._free_name("pwm_source", name)
        self._period(period, f"connectors/{name}/period"), self._share(duty, f"connectors/{name}/duty")
        voltage = f"({low}) + (({high}) - ({low})) * step(({duty}) - {_phase(period, delay)})"
        return self._with_current("voltage_source", name, A, B, "source_current", {}, {"voltage": voltage}, "value")

    @verb("connectors")
    def coupled_inductors(
        self, windings: Sequence[tuple[Pin, Pin]], *, L: Sequence[Any], k: Number | None = None, R: Numbers | None = None, current: Sequence[Number] = (), name: str = ""
    ) -> Windings:
        """Inductors on one core: windings (A, B), which are wound alike from A to B; `windings[i].current` [A].

        L (n, n): matrix [H], or (n) with k, the share 0 to 1 of flux that each two of them have in common: M = k sqrt(L_i L_j). R (n) [Ohm], current (n) at the start [A].
        """
        name = self._free_name("coupled_inductors", name)
        path = f"connectors/{name}"
        pairs = [tuple(pair) for pair in windings]
        for i, pair in enumerate(pairs):
            if len(pair) != 2:
                g.refuse(f"{path}/windings", f"has {g.short(pair)} at {i}", "give pairs of terminals (A, B)")
        matrix = self._inductances(L, k, len(pairs), path)
        start = list(current) or [0.0] * len(pairs)
        if len(start) != len(pairs):
            g.refuse(f"{path}/current", f"has {len(start)} numbers for {len(pairs)} windings", "give one a winding")
        on, states = [], []
        for i, (A, B) in enumerate(pairs):
            state = self._helper("current_state", f"{name}_{i}", "current", {"current": start[i]})
            states.append(state)
            on += [*(end if end == self.ground.name else {"node": end, "coordinate": 0} for end in self._terminals(A, B).values()), state]
        self._add("connectors", "coupled_inductors", name, {"on": on, "inductance": matrix, **given(resistance=R)})
        return Windings(self, name, tuple(states))

    @verb("connectors")
    def transformer(self, A: Pin, B: Pin, A2: Pin, B2: Pin, *, ratio: Number, name: str = "") -> Element:
        """Ideal transformer: v_A - v_B = ratio (v_A2 - v_B2); `current` [A] from A to B, ratio times as much comes out of A2.

        A side that nothing joins to the ground floats: join one of its terminals to m.ground. It passes direct currents, too; coupled_inductors do not.
        """
        name = self._free_name("transformer", name)
        return self._with_current("ideal_transformer", name, A, B, "source_current", {}, {**self._terminals(C=A2, D=B2), "ratio": ratio}, "value")

    @verb("connectors")
    def gyrator(self, A: Pin, B: Pin, A2: Pin, B2: Pin, *, G: Number, name: str = "") -> Element:
        """Gyrator: the current from A to B is G [A/V] times v_A2 - v_B2, that from A2 to B2 -G times v_A - v_B."""
        fields = {**self._terminals(A, B, C=A2, D=B2), "conductance": G}
        name = self._add("connectors", "gyrator", self._free_name("gyrator", name), fields)
        return Element(self, name, name, "current")

    @verb("connectors")
    def vcvs(self, A: Pin, B: Pin, plus: Pin, minus: Pin, *, gain: Number, name: str = "") -> Element:
        """Voltage source that a voltage controls: v_A - v_B = gain (v_plus - v_minus)."""
        name = self._free_name("vcvs", name)
        return self._with_current("vcvs", name, A, B, "source_current", {}, {**self._terminals(C=plus, D=minus), "gain": gain}, "value")

    @verb("connectors")
    def vccs(self, A: Pin, B: Pin, plus: Pin, minus: Pin, *, G: Number, name: str = "") -> Element:
        """Current source that a voltage controls: G [A/V] times v_plus - v_minus from A through it to B."""
        fields = {**self._terminals(A, B, C=plus, D=minus), "conductance": G}
        name = self._add("connectors", "vccs", self._free_name("vccs", name), fields)
        return Element(self, name, name, "current")

    @verb("connectors")
    def ccvs(self, A: Pin, B: Pin, control: Element, *, R: Number, name: str = "") -> Element:
        """Voltage source that a current controls: v_A - v_B = R [V/A] times control.current, of a source, an inductor or a capacitor."""
        name = self._free_name("ccvs", name)
        fields = {"control": self._current_of(control, f"connectors/{name}/control"), "resistance": R}
        return self._with_current("ccvs", name, A, B, "source_current", {}, fields, "value")

    @verb("connectors")
    def cccs(self, A: Pin, B: Pin, control: Element, *, gain: Number, name: str = "") -> Element:
        """Current source that a current controls: gain times control.current, of a source, an inductor or a capacitor, from A through it to B."""
        name = self._free_name("cccs", name)
        fields = {**self._terminals(A, B), "control": self._current_of(control, f"connectors/{name}/control"), "gain": gain}
        self._add("connectors", "cccs", name, fields)
        return Element(self, name, name, "current")

    @verb("connectors")
    def op_amp(
        self, plus: Pin, minus: Pin, out: Pin, *, gain: Number | None = None, low: Number | None = None, high: Number | None = None, ground: Pin | None = None, name: str = ""
    ) -> Element:
        """Operational amplifier: `out` is such that `plus` and `minus` are at one potential, or gain (v_plus - v_minus) against `ground`; no current into its inputs.

        low, high [V]: bounds of the output, exact as a set: at a bound the inputs come apart. `current` from out into it [A]. ground: m.ground where it is not given.
        """
        name = self._free_name("op_amp", name)
        ends = self._terminals(A=out, B=self.ground if ground is None else ground, C=plus, D=minus)
        if (low is None) != (high is None):
            g.refuse(f"connectors/{name}", f"has {'`high`' if low is None else '`low`'} alone", "give both bounds of its output, or none")
        state = self._helper("source_current", name, "current", {})
        self._add("connectors", "op_amp", name, {**ends, "current_of": state, **given(gain=gain)})
        if low is None:
            return Element(self, name, state, "value")
        limits = self._add("relations", "op_amp_limits", self._free_name("", f"{name}_limits"), {"A": ends["A"], "B": ends["B"], "current_of": state, "low": low, "high": high})
        return Element(self, name, state, "value", parts=(limits,))

    @verb("connectors")
    def bjt(
        self,
        collector: Pin,
        base: Pin,
        emitter: Pin,
        *,
        polarity: Literal["npn", "pnp"] = "npn",
        saturation_current: Number | None = None,
        forward_gain: Number | None = None,
        reverse_gain: Number | None = None,
        thermal_voltage: Number | None = None,
        name: str = "",
    ) -> Element:
        """Bipolar transistor after Ebers and Moll; `current` [A] into its collector, `quantity("base_current")` into its base.

        saturation_current: I_S [A], 1e-14; forward_gain: beta_F, 100; reverse_gain: beta_R, 1; thermal_voltage [V], 0.02585 (300 K).
        """
        name = self._free_name("bjt", name)
        junctions = {key: self._helper("junction_voltage", name, key, {}) for key in ("forward", "reverse")}
        fields = given(saturation_current=saturation_current, forward_gain=forward_gain, reverse_gain=reverse_gain, thermal_voltage=thermal_voltage)
        ends = self._terminals(A=collector, B=emitter, base=base)
        self._add("connectors", "bjt", name, {**ends, **junctions, "polarity": polarity, **fields})
        return Element(self, name, name, "current", parts=tuple(junctions.values()))

    @verb("connectors")
    def mosfet(self, drain: Pin, gate: Pin, source: Pin, *, K: Number, threshold: Number, polarity: Literal["n", "p"] = "n", modulation: Number | None = None, name: str = "") -> Element:
        """Field-effect transistor after Shichman and Hodges, K [A/V^2] and threshold [V]; `current` [A] from drain to source. modulation: lambda of the channel's length [1/V]."""
        ends = self._terminals(A=drain, B=source, gate=gate)
        fields = {"polarity": polarity, "transconductance": K, "threshold": threshold, **given(modulation=modulation)}
        name = self._add("connectors", "mosfet", self._free_name("mosfet", name), {**ends, **fields})
        return Element(self, name, name, "current")

    @verb("relations")
    def mosfet_piecewise(
        self, drain: Pin, gate: Pin, source: Pin, *, K: Number, threshold: Number, range: Number, pieces: int = 4, polarity: Literal["n", "p"] = "n", name: str = ""
    ) -> Element:
        """The square law of mosfet as a line of 1 to 6 pieces, switched by complementarity: right within K range^2 / (8 pieces^2) up to `range` [V] above the threshold."""
        ends = self._terminals(A=drain, B=source, gate=gate)
        fields = {"polarity": polarity, "transconductance": K, "threshold": threshold, "range": range, "pieces": pieces}
        name = self._add("relations", "mosfet_piecewise", self._free_name("mosfet_piecewise", name), {**ends, **fields})
        return Element(self, name, name, "force")

    def _switch(self, name: str, A: Pin, B: Pin, closed: OfTime, R: Number | None) -> Element:
        self._add("relations", "electric_switch", name, {**self._terminals(A, B), "closed": closed, **given(resistance=R)})
        return Element(self, name, name, "multiplier")

    def _three_phases(self, kind: str, name: str, pins: tuple[Pin, Pin, Pin], shaft: Any, currents: tuple[str, str], start: Any, fields: dict[str, Any]) -> ThreePhaseMotor:
        path = f"connectors/{name}"
        if isinstance(shaft, Joint):
            self._own(shaft, f"{path}/shaft")
            shaft = shaft.angle  # type: ignore[attr-defined]
        if not isinstance(shaft, (Quantity, str)):
            g.refuse(f"{path}/shaft", f"is {g.short(shaft)}, expected a joint or its motion", "give what m.revolute returned, or its angle")
        if len(list(start)) != 2:
            g.refuse(f"{path}/current", f"has {len(list(start))} numbers", "give two")
        states = tuple(self._helper("current_state", name, word, {"current": value}) for word, value in zip(currents, start, strict=True))
        ends = {**self._terminals(A=pins[0], B=pins[1], C=pins[2]), **dict(zip(currents, states, strict=True))}
        self._add("connectors", kind, name, {**ends, "on": self._plain(shaft), **fields})
        return ThreePhaseMotor(self, name, states)

    def _inductances(self, L: Any, k: Any, n: int, path: str) -> Any:
        values = np.asarray(L, dtype=float)
        if values.shape == (n, n) and k is None:
            return values.tolist()
        if values.shape != (n,) or k is None:
            g.refuse(f"{path}/L", f"has the shape {values.shape} for {n} windings{'' if k is None else ' and k'}", "give a matrix (n, n), or (n) inductances and k")
        share = g.number(k, f"{path}/k")
        if not 0.0 <= share < 1.0:
            g.refuse(f"{path}/k", f"is {share:g}", "give 0 or more, below 1; coupled wholly they are a transformer beside an inductor")
        root = np.sqrt(values)
        return (share * np.outer(root, root) + (1.0 - share) * np.diag(values)).tolist()

    def _current_of(self, element: Any, path: str) -> Any:
        """The coordinate that is the current of an element."""
        if not isinstance(element, Element):
            g.refuse(path, f"is {g.short(element)}, expected an element of the circuit", "give a source, an inductor or a capacitor")
        self._own(element, path)
        if element._word not in ("state", "value") or element._holder.name == element.name:
            g.refuse(path, f"is {element.name!r}, whose current is no unknown of its own", "put a voltage_source of 0 V in series with it, and give that")
        kind = self._engine.record(element._holder.name)["type"]
        return {"node": element._holder.name, "coordinate": 1 if kind == "charge_state" else 0}

    @staticmethod
    def _period(period: Any, path: str) -> None:
        if not isinstance(period, str):
            g.number(period, path, "s", above=0.0)

    @staticmethod
    def _share(duty: Any, path: str) -> None:
        if not isinstance(duty, str) and not 0.0 <= g.number(duty, path) <= 1.0:
            g.refuse(path, f"is {float(duty):g}", "give the share of the period, 0 to 1")

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

    def _terminals(self, A: Any = None, B: Any = None, **others: Any) -> dict[str, Any]:
        """Terminals by their roles in the record."""
        ends = {}
        for role, end in {**({} if A is None and others else {"A": A, "B": B}), **others}.items():
            if isinstance(end, (Terminal, Ground)):
                self._own(end, role)
                ends[role] = end.name
            elif isinstance(end, str):
                ends[role] = end
            else:
                g.refuse(role, f"is {g.short(end)}, expected a terminal or m.ground", "make one with m.terminal()")
        return ends


def _phase(period: Any, delay: Any) -> str:
    """Share of the period that has passed, as a formula: a time that is an edge but for rounding, as of steps on a grid, is behind the edge."""
    after = "t" if delay == 0.0 else f"(t - ({delay}))"
    return f"mod({after} / ({period}) + 1e-10, 1)"


def _pulses(low: Any, high: Any, period: Any, width: Any, delay: Any, rise: Any, fall: Any) -> str:
    after = "t" if delay == 0.0 else f"(t - ({delay}))"
    since = f"({period}) * {_phase(period, delay)}" if rise == 0.0 or fall == 0.0 else f"mod({after}, {period})"
    up = f"step({since})" if rise == 0.0 else f"min(1, {since} / ({rise}))"
    end = f"(({rise}) + ({width}) - {since})"
    down = f"step({end})" if fall == 0.0 else f"min(1, max(0, 1 + {end} / ({fall})))"
    begun = "" if delay == 0.0 else f" * step({after})"
    return f"({low}) + (({high}) - ({low})) * min({up}, {down}){begun}"
