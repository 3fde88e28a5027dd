"""Ropes over sheaves, tendons around bodies, and cylinders of oil and gas: what pulls and pushes between points."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from saltus import geometry as g
from saltus.errors import ModelError
from saltus.handles import Body, Cylinder, Frame, Handle, Joint, Node, Rope, Sheave
from saltus.quantity import Quantity
from saltus.verbs._verb import given, verb

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from saltus.arguments import Direction, End, Number, OfMotion, Point, Real
    from saltus.compiled import Compiled


class RopeVerbs:
    """Verbs that make ropes, tendons and cylinders."""

    @verb("markers")
    def sheave(
        self, on: End, *, radius: Real, axis: Direction | None = None, at: Point | None = None, turns: int = 0,
        friction: Number | None = None, name: str = ""
    ) -> Sheave:
        """A wheel or drum for ropes: a rope that comes to it turns about `axis` by the right hand, and stays in the groove about `at`, from whatever side it comes.

        at: its centre (3) [m] in the reference position, or a frame, default the frame of `on`; axis: default z of that frame; radius [m] to the middle of
        the rope. The wrap is between -90 and 270 degrees, and `turns` whole turns more. Without friction the rope slips on it. friction: mu between
        rope and sheave, of one sheave of a rope that does not stretch: it sticks, or slips either way with tensions that differ by e^(mu wrap). A sheave that
        turns is fixed to the body that turns.
        """
        sheave = self._over("sheave", on, at, axis, radius, name, given(turns=turns or None))
        sheave._friction = friction
        return sheave

    @verb("markers")
    def wrap(
        self, on: End, *, radius: Real, axis: Direction | None = None, at: Point | None = None, name: str = ""
    ) -> Sheave:
        """What a tendon lies on where it is in its way, and may leave: a sphere, or with `axis` a long cylinder, about which it turns by the right hand.

        on: the body that it is fixed to; at: centre (3) [m] in the reference position, or a frame; radius [m]. Over a cylinder by up to half a turn.
        """
        return self._over("wrap", on, at, axis, radius, name, {"shape": "sphere" if axis is None else "cylinder"})

    @verb("markers")
    def rope(
        self,
        through: Sequence[End | Sheave],
        *,
        length: Number | None = None,
        stiffness: Number | None = None,
        damping: Number | None = None,
        tension: OfMotion | None = None,
        restitution: Number | None = None,
        drum: Quantity | None = None,
        radius: Number | None = None,
        name: str = "",
    ) -> Rope:
        """A rope, belt or tendon drawn tight through points, over sheaves and around what is in its way; it pulls and never pushes.

        through: from end to end bodies and frames, through whose origins it slips, `m.sheave(...)` and `m.wrap(...)`; it begins and ends at points.
        length [m] without tension: default the length of its way in the reference position. stiffness [N/m] of the whole rope (E A / length) and damping
        [N s/m]; without stiffness it does not stretch, and comes taut with `restitution` (0 to 1). tension [N]: given, beside that of a stiffness, a number, an expression of
        t, q, v (length and its rate) or f(t, q, v): a muscle, a pulley's weight. drum, radius: an angle that pays rope out, radius [m] a rad:
        `m.rope(..., drum=winch.angle, radius=0.1)`. `rope.length` is a coordinate that gears, springs, actuators take.
        """
        name = self._free_name("rope", name)
        path = f"markers/{name}"
        elements = self._elements(through, f"{path}/through")
        self._apart(elements, f"{path}/through")
        rope = Rope(self, self._add("markers", "rope", name, {"through": [self._through(e, f"{path}/through") for e in elements]}))
        self._rope_words(path, length, stiffness, damping, tension, restitution, drum, radius)
        rough = self._rough(elements, path, given(stiffness=stiffness, tension=tension, drum=drum))
        reference, parts = {"marker": name}, []
        pays = "ground" if drum is None else self._plain(drum)
        if length is None and (tension is None or stiffness is not None):
            length = self._taut(elements, f"{path}/through")
        if stiffness is not None:
            fields = {"drum": pays, "on": reference, "stiffness": stiffness, "length": length, **given(damping=damping, radius=radius)}
            parts.append(("connectors", "rope_spring", "spring", fields))
        elif tension is None and rough is not None:
            sheave = {"rope": name, "sheave": rough.name}
            over = {word: self._add("markers", f"rope_{word}", self._free_name("", f"{name}_{word}"), sheave) for word in ("slip", "wrap")}
            law = {"type": "coulomb_impact_2d", "friction": 1.0, "restitution": 0.0 if restitution is None else restitution}
            parts.append(("relations", "capstan", "capstan", {"length": name, **over, "rope_length": length, "friction": rough._friction, "law": law}))
        elif tension is None:
            law = {"type": "newton_impact", "restitution": 0.0 if restitution is None else restitution}
            gap = {"on": reference, "at": length, "sign": -1.0, "law": law}
            paid = {"on": [reference, pays], "matrix": [[-1.0, radius]], "offset": length, "law": law}
            parts.append(("relations", "coordinate_gap", "stop", gap) if drum is None else ("relations", "linear_relation", "stop", paid))
        if tension is not None:
            parts.append(("loads", "coordinate_load", "tension", {"on": reference, "force": _pull(tension)}))
        rope._parts = tuple(Handle(self, self._add(section, kind, self._free_name("", f"{name}_{word}"), fields)) for section, kind, word, fields in parts)
        return rope

    @verb("connectors")
    def hydraulic_cylinder(
        self,
        on: Quantity | Joint | Sequence[End],
        *,
        piston_area: Number,
        rod_area: Number,
        piston_volume: Real,
        rod_volume: Real,
        bulk_modulus: Number = 1.4e9,
        spool: str | Callable[..., float] | Compiled | Number | None = None,
        conductance: Number | None = None,
        supply: Number | None = None,
        tank: Number | None = None,
        laminar: Number | None = None,
        vapour_pressure: Number | None = None,
        piston_flow: str | Callable[..., float] | Compiled | Number | None = None,
        rod_flow: str | Callable[..., float] | Compiled | Number | None = None,
        pressures: tuple[Real, Real] | Sequence[Real] = (0.0, 0.0),
        name: str = "",
    ) -> Cylinder:
        """A hydraulic cylinder between two points (A, B), or on a slide's `translation.z`, with its chambers' pressures as states.

        areas [m^2] of the chamber that grows with the distance and of the other; volumes [m^3] in the reference position, lines included; bulk_modulus [Pa].
        A valve with four ways: spool, -1 to 1, a number or formula or function of t, p1, p2, u, v (u distance or position, v its rate); conductance
        c_d A sqrt(2 / rho) [m^3/(s Pa^0.5)] of an edge at spool 1; supply and tank [Pa], against the surroundings like all pressures; laminar: see
        `sl.items.HydraulicCylinder`. piston_flow, rod_flow [m^3/s]: pumps and leakage, of t, p1, p2. pressures: the first values of both [Pa]. Below
        vapour_pressure the run warns, with the time.
        """
        valve = given(spool=spool, conductance=conductance, supply=supply, tank=tank, laminar=laminar, vapour_pressure=vapour_pressure)
        fields = {"piston_area": piston_area, "rod_area": rod_area, "bulk_modulus": bulk_modulus, **valve, **given(piston_flow=piston_flow, rod_flow=rod_flow)}
        return self._cylinder("hydraulic_cylinder", on, fields, (piston_volume, rod_volume), pressures, name)

    @verb("connectors")
    def pneumatic_cylinder(
        self,
        on: Quantity | Joint | Sequence[End],
        *,
        piston_area: Number,
        rod_area: Number,
        piston_volume: Real,
        rod_volume: Real,
        exponent: Number | None = None,
        temperature: Number | None = None,
        spool: str | Callable[..., float] | Compiled | Number | None = None,
        conductance: Number | None = None,
        supply: Number | None = None,
        tank: Number | None = None,
        laminar: Number | None = None,
        piston_flow: str | Callable[..., float] | Compiled | Number | None = None,
        rod_flow: str | Callable[..., float] | Compiled | Number | None = None,
        pressures: tuple[Real, Real] | Sequence[Real] = (101325.0, 101325.0),
        name: str = "",
    ) -> Cylinder:
        """A pneumatic cylinder of air, as `m.hydraulic_cylinder`, with absolute pressures [Pa] and flows of mass [kg/s].

        exponent: of the change of state, 1 isothermal to 1.4 adiabatic, default 1.2; temperature [K] of what flows in. conductance [kg/(s Pa)] of an edge of the
        valve at spool 1 (ISO 6358). The surroundings have 101325 Pa; see `sl.items.PneumaticCylinder` for others and for other gases.
        """
        valve = given(spool=spool, conductance=conductance, supply=supply, tank=tank, laminar=laminar)
        fields = {"piston_area": piston_area, "rod_area": rod_area, **given(exponent=exponent, temperature=temperature), **valve, **given(piston_flow=piston_flow, rod_flow=rod_flow)}
        return self._cylinder("pneumatic_cylinder", on, fields, (piston_volume, rod_volume), pressures, name)

    def _over(self, kind: str, on: End, at: Any, axis: Any, radius: Any, name: str, fields: dict[str, Any]) -> Sheave:
        name = self._free_name(kind, name)
        path = f"markers/{name}"
        size = g.number(radius, f"{path}/radius", "m", above=0.0)
        body = self._handle(on)
        p, R = body.reference
        p = p if at is None else self._point(at, f"{path}/at")
        if axis is not None:
            R = g.basis_with_z(g.direction(axis, f"{path}/axis"))
        if type(on) is Frame and not on.name:  # the record names what the frame is fixed to
            on = on._body
        p0, R0 = self._handle(on).reference
        place = {"position": (R0.T @ (p - p0)).tolist(), "rotation": g.rotation_vector(R0.T @ R).tolist()}
        record = {"body": self._frame(on, f"{path}/on"), "radius": size, **fields, **{key: x for key, x in place.items() if np.any(x)}}
        return Sheave(self, self._add("markers", kind, name, record), p, R, fields.get("shape", kind), size, fields.get("turns", 0))

    def _elements(self, through: Any, path: str) -> list[Any]:
        if not isinstance(through, (list, tuple)) or len(through) < 2:
            g.refuse(path, f"is {g.short(through)}, expected two ends and what is between them", "write [crane.tip, sheave, hook]")
        for e in through:
            if isinstance(e, str):
                continue
            if not isinstance(e, (Body, Frame, Node, Sheave)):
                g.refuse(path, f"has {g.short(e)}, expected a body, a frame, a sheave or a wrap", "m.sheave(body, radius=...) makes a sheave")
        return [self._handle(e) if isinstance(e, str) else e for e in through]

    def _through(self, element: Any, path: str) -> Any:
        self._own(element, path)
        reference = element._reference()
        return {"body": reference} if isinstance(reference, str) and not isinstance(element, Sheave) else reference

    @staticmethod
    def _rough(elements: list[Any], path: str, others: dict[str, Any]) -> Sheave | None:
        """The sheave with friction."""
        rough = [e for e in elements if isinstance(e, Sheave) and e._friction is not None]
        if len(rough) > 1:
            g.refuse(f"{path}/through", f"has {len(rough)} sheaves with friction, {' and '.join(e.name for e in rough)}, must have one at most",
                     "let a small body part the rope between them: two ropes that end at it")
        for word, value in others.items() if rough else ():
            g.refuse(f"{path}/{word}", f"is {g.short(value)}, and sheave '{rough[0].name}' has friction, which needs a rope that does not stretch, between two ends",
                     "leave it out, or the friction; let the rope end at a body on the drum")
        return rough[0] if rough else None

    @staticmethod
    def _apart(elements: list[Any], path: str) -> None:
        """Refuses points one behind the other that are in one place in the reference position."""
        for first, second in zip(elements, elements[1:], strict=False):
            if isinstance(first, Sheave) or isinstance(second, Sheave):
                continue
            try:
                apart = np.any(first.reference[0] != second.reference[0])
            except ModelError:  # known only when the model is compiled
                continue
            if not apart:
                g.refuse(path, f"has {g.short(first)} and {g.short(second)} in one place, where the rope between them has no direction",
                         "place them a little apart, such as 1 mm; length= is that of the rope" + ("" if len(elements) == 2 else ", or leave one of them out"))

    def _taut(self, elements: list[Any], path: str) -> float:
        """Length of the way in the reference position."""
        from saltus import _core

        listed = []
        for e in elements:
            p, R = e.reference
            kind, radius, turns = (e._kind, e._radius, e._turns) if isinstance(e, Sheave) else ("point", 0.0, 0)
            listed.append((kind, radius, turns, tuple(p.tolist()), tuple(R.ravel().tolist())))
        if listed[0][0] != "point" or listed[-1][0] != "point":
            g.refuse(path, "begins or ends with what it would run over", "let a body or a frame stand at each end")
        taut, _ = _core.rope_way(listed)
        if not math.isfinite(taut):
            g.refuse(path, "cannot be drawn tight: an end is inside a wrap, or sheaves lie inside each other", "place them apart; the axis of a sheave is that about which the rope turns by the right hand")
        return taut

    @staticmethod
    def _rope_words(path: str, length: Any, stiffness: Any, damping: Any, tension: Any, restitution: Any, drum: Any, radius: Any) -> None:
        if tension is not None and stiffness is None:
            for word, value in given(length=length, restitution=restitution, drum=drum).items():
                g.refuse(f"{path}/{word}", f"is {g.short(value)}, and the tension is given", "leave one of them out, or give stiffness= for a rope that stretches besides")
        if damping is not None and stiffness is None:
            g.refuse(f"{path}/damping", "is of a rope that stretches, and this one does not", "give stiffness= too")
        if restitution is not None and stiffness is not None:
            g.refuse(f"{path}/restitution", "is of a rope that does not stretch, and this one does", "leave one of them out")
        if (drum is None) != (radius is None):
            g.refuse(f"{path}/{'radius' if drum is None else 'drum'}", "is needed: a drum pays out its radius times its angle" if drum is not None else "is of a drum, and there is none", "give drum= and radius= together")

    def _cylinder(self, kind: str, on: Any, fields: dict[str, Any], volumes: tuple[Any, Any], pressures: Any, name: str) -> Cylinder:
        name = self._free_name("cylinder", name)
        path = f"connectors/{name}"
        if not isinstance(pressures, (list, tuple, np.ndarray)) or len(pressures) != 2:
            g.refuse(f"{path}/pressures", f"are {g.short(pressures)}, expected two", "write (p1, p2) [Pa]")
        v1, v2 = (g.number(v, f"{path}/{word}", "m^3", above=0.0) for v, word in zip(volumes, ("piston_volume", "rod_volume"), strict=True))
        a1, a2 = (fields[word] for word in ("piston_area", "rod_area"))
        if isinstance(on, (list, tuple)):
            if len(on) != 2:
                g.refuse(f"{path}/on", f"has {len(on)} ends", "write (A, B), the points that it joins")
            p, q = (self._handle(end).reference[0] for end in on)
            reach = float(np.linalg.norm(q - p))
            if reach == 0.0:
                g.refuse(f"{path}/on", "are two points in one place", "place them apart: the cylinder pushes along their line")
            a1, a2 = (g.number(a, f"{path}/{word}", "m^2", above=0.0) for a, word in ((a1, "piston_area"), (a2, "rod_area")))
            v1, v2 = v1 - a1 * reach, v2 + a2 * reach  # where the distance is 0
            marker = {"A": self._frame(on[0], f"{path}/on"), "B": self._frame(on[1], f"{path}/on"), "motion": "distance"}
            motion: Any = self._add("markers", "joint_coordinate", self._free_name("", f"{name}_reach"), marker)
        else:
            (motion,) = self._scalars(path, on=on)
        states = []
        for word, pressure in zip(("piston_pressure", "rod_pressure"), pressures, strict=True):
            value = g.number(pressure, f"{path}/pressures", "Pa")
            states.append(self._add("nodes", "node_ode1", self._free_name("", f"{name}_{word}"), {"count": 1, "initial_values": [value]}))
        record = {**fields, "piston_volume": v1, "rod_volume": v2, "piston_pressure": states[0], "rod_pressure": states[1], "on": motion}
        cylinder = Cylinder(self, self._add("connectors", kind, name, record))
        cylinder._parts = tuple(Handle(self, state) for state in states)
        return cylinder


def _pull(tension: Any) -> Any:
    """The force on the length of a rope that is under the tension."""
    if isinstance(tension, str):
        return f"-({tension})"
    if hasattr(tension, "_saltus_compiled"):
        g.refuse("tension", "is a compiled function", "give an expression or a function of the program, or a load on rope.length")
    if callable(tension):
        import inspect

        if len(inspect.signature(tension).parameters) == 1:
            return lambda t, q, v: -tension(t)
        return lambda t, q, v: -tension(t, q, v)
    return -float(tension)
