"""Written by `python -m saltus.items_stub` from the engine's table of items: do not edit."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from saltus.compiled import Compiled
from saltus.handles import Handle

Number = float | str | np.floating[Any] | np.integer[Any]
Vector = Sequence[Number] | NDArray[Any]
Matrix = Sequence[Sequence[Number]] | Sequence[Number] | NDArray[Any]
Function = Number | Vector | Callable[..., Any] | Compiled
FunctionMatrix = Sequence[Sequence[Number]] | NDArray[Any] | Callable[..., Any] | Compiled
Reference = Handle | str | dict[str, Any]

class Item:
    section: str
    type: str
    name: str
    fields: dict[str, Any]
    def __init__(self, *, name: str = ..., **fields: Any) -> None: ...

def names() -> list[str]: ...
def table() -> dict[str, dict[str, Any]]: ...

class AdhesiveCoulombImpact(Item):
    """Contact that pulls with a bounded force, Coulomb friction and Newton impact, rows (n, t1, t2). Energy: it pulls against a gap that opens, and friction takes friction (normal force + adhesion) slip; impacts as of coulomb_impact.

    adhesion [N]: a, largest pull of a closed contact; at least 0; default 0
    friction: mu, friction over normal force plus adhesion; at least 0; default 0
    restitution: e_n, normal speed after over before; between 0 and 1; default 0

    In a program: `m.add(sl.items.AdhesiveCoulombImpact())`, which returns its handle.
    In a model file: {"laws": {"NAME": {"type": "adhesive_coulomb_impact"}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    adhesion: Number | None
    friction: Number | None
    restitution: Number | None
    def __init__(
        self,
        *,
        adhesion: Number | None = ...,
        friction: Number | None = ...,
        restitution: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class AdhesiveCoulombImpact2d(Item):
    """Contact that pulls with a bounded force, Coulomb friction and Newton impact in the plane, rows (n, t). Energy: it pulls against a gap that opens, and friction takes friction (normal force + adhesion) slip; impacts as of coulomb_impact.

    adhesion [N]: a, largest pull of a closed contact; at least 0; default 0
    friction: mu, friction over normal force plus adhesion; at least 0; default 0
    restitution: e_n, normal speed after over before; between 0 and 1; default 0

    In a program: `m.add(sl.items.AdhesiveCoulombImpact2d())`, which returns its handle.
    In a model file: {"laws": {"NAME": {"type": "adhesive_coulomb_impact_2d"}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    adhesion: Number | None
    friction: Number | None
    restitution: Number | None
    def __init__(
        self,
        *,
        adhesion: Number | None = ...,
        friction: Number | None = ...,
        restitution: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class AdhesiveImpact(Item):
    """Contact that pulls with a bounded force, without friction; Newton impact. Energy: it pulls against a gap that opens, and friction takes friction (normal force + adhesion) slip; impacts as of coulomb_impact.

    adhesion [N]: a, largest pull of a closed contact; at least 0; default 0
    restitution: e_n, normal speed after over before; between 0 and 1; default 0

    In a program: `m.add(sl.items.AdhesiveImpact())`, which returns its handle.
    In a model file: {"laws": {"NAME": {"type": "adhesive_impact"}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    adhesion: Number | None
    restitution: Number | None
    def __init__(
        self,
        *,
        adhesion: Number | None = ...,
        restitution: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class Armature(Item):
    """Inertia of a rotor that turns `ratio` times as fast as a motion of a joint or a coordinate, without its gyroscopic moment.

    on: the motion of a joint or mechanical coordinate that it is geared to; required (a node, or {node, coordinate})
    inertia: J of the rotor about its own axis, kg m^2 (of a mass that slides: kg); above 0; required
    ratio: n, motion of the rotor by that of the coordinate; rad/m on a slide; default 1

    In a program: `m.add(sl.items.Armature(on=..., inertia=...))`, which returns its handle.
    In a model file: {"bodies": {"NAME": {"type": "armature", "on": ..., "inertia": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    on: Reference
    inertia: Number
    ratio: Number | None
    def __init__(
        self,
        *,
        on: Reference,
        inertia: Number,
        ratio: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class Beam(Item):
    """Beam with shear between the frames of its end sections, large motions: x along the beam, y and z the axes of the section.

    A: section at the start: node, body or frame; x along the beam; required (a body, a frame, or the name of one)
    B: section at the end; required (a body, a frame, or the name of one)
    stiffness [N, N m^2]: of the section (6 x 6), or its diagonal: EA, GA_y, GA_z, GJ, EI_y, EI_z; positive semidefinite; required
    mass_per_length [kg/m]: mass per length; at least 0; default 0
    inertia_per_length [kg m]: inertia of the section per length, about its centroid: rho (I_y + I_z), rho I_y, rho I_z; default 0, 3 x 3
    damping [s]: tau: the section answers C (strain + tau dstrain/dt), damping proportional to stiffness; at least 0; default 0

    In a program: `m.add(sl.items.Beam(A=..., B=..., stiffness=...))`, which returns its handle.
    In a model file: {"bodies": {"NAME": {"type": "beam", "A": ..., "B": ..., "stiffness": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    stiffness: Matrix
    mass_per_length: Number | None
    inertia_per_length: Matrix | None
    damping: Number | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        stiffness: Matrix,
        mass_per_length: Number | None = ...,
        inertia_per_length: Matrix | None = ...,
        damping: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class BeamPoint(Item):
    """The frame of a beam's section between its ends: x along the beam, y and z the axes of the section.

    beam: the beam; required
    xi: where on the beam: 0 at its start, 1 at its end; between 0 and 1; required

    In a program: `m.add(sl.items.BeamPoint(beam=..., xi=...))`, which returns its handle.
    In a model file: {"markers": {"NAME": {"type": "beam_point", "beam": ..., "xi": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    beam: Reference
    xi: Number
    def __init__(
        self,
        *,
        beam: Reference,
        xi: Number,
        name: str = ...,
    ) -> None: ...

class Bjt(Item):
    """Bipolar transistor after Ebers and Moll, npn or pnp.

    A: collector; required (a node, or {node, coordinate})
    base: terminal; required (a node, or {node, coordinate})
    B: emitter; required (a node, or {node, coordinate})
    forward: junction_voltage of base and emitter; required (a node, or {node, coordinate})
    reverse: junction_voltage of base and collector; required (a node, or {node, coordinate})
    polarity: npn or pnp; npn or pnp; default npn
    saturation_current [A]: I_S; above 0; default 1e-14
    forward_gain: beta_F, collector current by base current; above 0; default 100
    reverse_gain: beta_R, the same with emitter and collector exchanged; above 0; default 1
    thermal_voltage [V]: V_T = k T / q, 25.85 mV at 300 K; above 0; default 0.02585

    In a program: `m.add(sl.items.Bjt(A=..., base=..., B=..., forward=..., reverse=...))`, which returns its handle.
    In a model file: {"connectors": {"NAME": {"type": "bjt", "A": ..., "base": ..., "B": ..., "forward": ..., "reverse": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    base: Reference
    B: Reference
    forward: Reference
    reverse: Reference
    polarity: str | None
    saturation_current: Number | None
    forward_gain: Number | None
    reverse_gain: Number | None
    thermal_voltage: Number | None
    def __init__(
        self,
        *,
        A: Reference,
        base: Reference,
        B: Reference,
        forward: Reference,
        reverse: Reference,
        polarity: str | None = ...,
        saturation_current: Number | None = ...,
        forward_gain: Number | None = ...,
        reverse_gain: Number | None = ...,
        thermal_voltage: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class BldcMotor(Item):
    """Three-phase motor with permanent magnets whose induced voltages are trapezoids of the angle.

    A: terminal of the first phase; required (a node, or {node, coordinate})
    B: terminal of the second; required (a node, or {node, coordinate})
    C: terminal of the third; required (a node, or {node, coordinate})
    current_A: current_state; required (a node, or {node, coordinate})
    current_B: current_state; required (a node, or {node, coordinate})
    on: the motion of its rotor, such as the angle of a hinge; required (a node, or {node, coordinate})
    pole_pairs: p; at least 1; default 1
    constant [N m/A]: K of a phase at the top of its trapezoid, torque per current and voltage per speed; required
    inductance [H]: L of a phase, less what it shares with another; above 0; required
    resistance [Ohm]: R of a phase; at least 0; default 0

    In a program: `m.add(sl.items.BldcMotor(A=..., B=..., C=..., current_A=..., current_B=..., on=..., constant=..., inductance=...))`, which returns its handle.
    In a model file: {"connectors": {"NAME": {"type": "bldc_motor", "A": ..., "B": ..., "C": ..., "current_A": ..., "current_B": ..., "on": ..., "constant": ..., "inductance": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    C: Reference
    current_A: Reference
    current_B: Reference
    on: Reference
    pole_pairs: int | str | None
    constant: Number
    inductance: Number
    resistance: Number | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        C: Reference,
        current_A: Reference,
        current_B: Reference,
        on: Reference,
        pole_pairs: int | str | None = ...,
        constant: Number,
        inductance: Number,
        resistance: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class Bond(Item):
    """Fixes B to A while it is locked, where they are when it locks; breaks above a force or a moment.

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    at: where the joint is: world point in the reference position [m]; default: the frame B
    axis: z axis of the joint frames: x, y, z or a vector in world axes; default: z of the frame B
    rotation: rotation vector of the joint frames in the world [rad], instead of axis
    law: law of the rows (a law of saltus.items, or its name)
    locked: it holds while this function of t is above 0; default 1
    force_limit [N]: breaks above this force; 0: never; at least 0; default 0
    moment_limit [N m]: breaks above this moment; 0: never; at least 0; default 0
    x: holds the translation along x of A; default True
    y: along y; default True
    z: along z; default True
    rx: holds the rotation about x of B; default True
    ry: about y; default True
    rz: about z; default True

    In a program: `m.add(sl.items.Bond(A=..., B=...))`, which returns its handle.
    In a model file: {"joints": {"NAME": {"type": "bond", "A": ..., "B": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    at: Vector | Handle | None
    axis: str | Vector | None
    rotation: Vector | None
    law: str | Item | Handle | None
    locked: Function | None
    force_limit: Number | None
    moment_limit: Number | None
    x: bool | None
    y: bool | None
    z: bool | None
    rx: bool | None
    ry: bool | None
    rz: bool | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        at: Vector | Handle | None = ...,
        axis: str | Vector | None = ...,
        rotation: Vector | None = ...,
        law: str | Item | Handle | None = ...,
        locked: Function | None = ...,
        force_limit: Number | None = ...,
        moment_limit: Number | None = ...,
        x: bool | None = ...,
        y: bool | None = ...,
        z: bool | None = ...,
        rx: bool | None = ...,
        ry: bool | None = ...,
        rz: bool | None = ...,
        name: str = ...,
    ) -> None: ...

class Box(Item):
    """A solid box for contact, edges along its axes.

    body: the body, node or `ground` that carries it; required (a body, a frame, or the name of one)
    size [m]: edges along x, y, z; above 0; required
    position [m]: origin of the shape in the axes of the body's frame; default [0.0, 0.0, 0.0]
    rotation [rad]: rotation vector from the body's axes to the shape's; default [0.0, 0.0, 0.0]

    In a program: `m.add(sl.items.Box(body=..., size=...))`, which returns its handle.
    In a model file: {"markers": {"NAME": {"type": "box", "body": ..., "size": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    body: Reference
    size: Vector
    position: Vector | None
    rotation: Vector | None
    def __init__(
        self,
        *,
        body: Reference,
        size: Vector,
        position: Vector | None = ...,
        rotation: Vector | None = ...,
        name: str = ...,
    ) -> None: ...

class Bushing(Item):
    """Elastic connection of two frames: stiffness and damping in six directions, axes of A.

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    at: where the joint is: world point in the reference position [m]; default: the frame B
    axis: z axis of the joint frames: x, y, z or a vector in world axes; default: z of the frame B
    rotation: rotation vector of the joint frames in the world [rad], instead of axis
    stiffness [N/m, N, N m/rad]: K (6 x 6): displacement, then rotation vector; positive semidefinite; default 0, 6 x 6
    damping [N s/m, N s, N m s/rad]: D (6 x 6), positive semidefinite; default 0, 6 x 6
    offset [m, rad]: u_0 (6): displacement and rotation vector without force of the stiffness; default [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    preload [N, N m]: f_0 (6): force and torque at the offset, positive pulls B back; default [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]

    In a program: `m.add(sl.items.Bushing(A=..., B=...))`, which returns its handle.
    In a model file: {"connectors": {"NAME": {"type": "bushing", "A": ..., "B": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    at: Vector | Handle | None
    axis: str | Vector | None
    rotation: Vector | None
    stiffness: Matrix | None
    damping: Matrix | None
    offset: Vector | None
    preload: Vector | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        at: Vector | Handle | None = ...,
        axis: str | Vector | None = ...,
        rotation: Vector | None = ...,
        stiffness: Matrix | None = ...,
        damping: Matrix | None = ...,
        offset: Vector | None = ...,
        preload: Vector | None = ...,
        name: str = ...,
    ) -> None: ...

class Capacitor(Item):
    """Capacitor between two terminals: current C d(v_A - v_B)/dt from A to B; its voltage is a state.

    A: terminal, current leaves it into the element; required (a node, or {node, coordinate})
    B: terminal, current enters it; required (a node, or {node, coordinate})
    voltage_of: coordinate 0 of its charge_state; required (a node, or {node, coordinate})
    current_of: coordinate 1 of its charge_state; required (a node, or {node, coordinate})
    capacitance [F]: C; above 0; required

    In a program: `m.add(sl.items.Capacitor(A=..., B=..., voltage_of=..., current_of=..., capacitance=...))`, which returns its handle.
    In a model file: {"connectors": {"NAME": {"type": "capacitor", "A": ..., "B": ..., "voltage_of": ..., "current_of": ..., "capacitance": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    voltage_of: Reference
    current_of: Reference
    capacitance: Number
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        voltage_of: Reference,
        current_of: Reference,
        capacitance: Number,
        name: str = ...,
    ) -> None: ...

class Capstan(Item):
    """A rope that does not stretch, with friction over a sheave: rows (rope less length, slip in units of the largest friction).

    length: length of the rope's path: a marker of type rope; required (a node, or {node, coordinate})
    slip: a marker of type rope_slip; required (a node, or {node, coordinate})
    wrap: a marker of type rope_wrap; required (a node, or {node, coordinate})
    law: law of the rows; required (a law of saltus.items, or its name)
    rope_length [m]: length of the rope, at which it comes taut; at least 0; default 0
    friction: mu between rope and sheave; the law has friction 1; at least 0; default 0

    In a program: `m.add(sl.items.Capstan(length=..., slip=..., wrap=..., law=...))`, which returns its handle.
    In a model file: {"relations": {"NAME": {"type": "capstan", "length": ..., "slip": ..., "wrap": ..., "law": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    length: Reference
    slip: Reference
    wrap: Reference
    law: str | Item | Handle
    rope_length: Number | None
    friction: Number | None
    def __init__(
        self,
        *,
        length: Reference,
        slip: Reference,
        wrap: Reference,
        law: str | Item | Handle,
        rope_length: Number | None = ...,
        friction: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class Capsule(Item):
    """A capsule for contact: all points within a radius of a segment along z.

    body: the body, node or `ground` that carries it; required (a body, a frame, or the name of one)
    radius [m]: radius; above 0; required
    length [m]: length of the segment, without the caps; above 0; required
    position [m]: origin of the shape in the axes of the body's frame; default [0.0, 0.0, 0.0]
    rotation [rad]: rotation vector from the body's axes to the shape's; default [0.0, 0.0, 0.0]

    In a program: `m.add(sl.items.Capsule(body=..., radius=..., length=...))`, which returns its handle.
    In a model file: {"markers": {"NAME": {"type": "capsule", "body": ..., "radius": ..., "length": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    body: Reference
    radius: Number
    length: Number
    position: Vector | None
    rotation: Vector | None
    def __init__(
        self,
        *,
        body: Reference,
        radius: Number,
        length: Number,
        position: Vector | None = ...,
        rotation: Vector | None = ...,
        name: str = ...,
    ) -> None: ...

class CartesianSpringDamper(Item):
    """Springs and dampers along the three world axes between two points.

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    stiffness [N/m]: k along x, y, z of the world; at least 0; default [0.0, 0.0, 0.0]
    damping [N s/m]: d along x, y, z of the world; at least 0; default [0.0, 0.0, 0.0]
    offset [m]: p_B - p_A without force, world axes; default [0.0, 0.0, 0.0]

    In a program: `m.add(sl.items.CartesianSpringDamper(A=..., B=...))`, which returns its handle.
    In a model file: {"connectors": {"NAME": {"type": "cartesian_spring_damper", "A": ..., "B": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    stiffness: Vector | None
    damping: Vector | None
    offset: Vector | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        stiffness: Vector | None = ...,
        damping: Vector | None = ...,
        offset: Vector | None = ...,
        name: str = ...,
    ) -> None: ...

class Cccs(Item):
    """Current source that a current controls: gain times i from A through it to B.

    A: terminal, current leaves it into the element; required (a node, or {node, coordinate})
    B: terminal, current enters it; required (a node, or {node, coordinate})
    control: the current that controls: of a source, an inductor, a capacitor; required (a node, or {node, coordinate})
    gain: current by current; required

    In a program: `m.add(sl.items.Cccs(A=..., B=..., control=..., gain=...))`, which returns its handle.
    In a model file: {"connectors": {"NAME": {"type": "cccs", "A": ..., "B": ..., "control": ..., "gain": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    control: Reference
    gain: Number
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        control: Reference,
        gain: Number,
        name: str = ...,
    ) -> None: ...

class Ccvs(Item):
    """Voltage source that a current controls: v_A - v_B = R i.

    A: terminal, current leaves it into the element; required (a node, or {node, coordinate})
    B: terminal, current enters it; required (a node, or {node, coordinate})
    control: the current that controls: of a source, an inductor, a capacitor; required (a node, or {node, coordinate})
    current_of: its source_current; required (a node, or {node, coordinate})
    resistance [V/A]: R, voltage by current; required

    In a program: `m.add(sl.items.Ccvs(A=..., B=..., control=..., current_of=..., resistance=...))`, which returns its handle.
    In a model file: {"connectors": {"NAME": {"type": "ccvs", "A": ..., "B": ..., "control": ..., "current_of": ..., "resistance": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    control: Reference
    current_of: Reference
    resistance: Number
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        control: Reference,
        current_of: Reference,
        resistance: Number,
        name: str = ...,
    ) -> None: ...

class Characteristic(Item):
    """The multiplier over the row is a line through corners, with level and upright parts: threshold, dead zone, stop, saturation. Energy: on a rate it takes the power -w multiplier: at least 0 where the line runs in the second and fourth quadrants alone. On a value it stores what it takes.

    corners: (row, multiplier) of each corner: the row never falls, the multiplier, in its force unit, never rises; both ends go on; required
    on: acts on the row's value or on its rate (friction: rate); value or rate; required

    In a program: `m.add(sl.items.Characteristic(corners=..., on=...))`, which returns its handle.
    In a model file: {"laws": {"NAME": {"type": "characteristic", "corners": ..., "on": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    corners: Matrix
    on: str
    def __init__(
        self,
        *,
        corners: Matrix,
        on: str,
        name: str = ...,
    ) -> None: ...

class ChargeState(Item):
    """Voltage of a capacitor [V], a state, and its current [A].

    voltage [V]: v_A - v_B at the start; default 0

    In a program: `m.add(sl.items.ChargeState())`, which returns its handle.
    In a model file: {"nodes": {"NAME": {"type": "charge_state"}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    voltage: Number | None
    def __init__(
        self,
        *,
        voltage: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class CohesiveCoulombImpact(Item):
    """Bond that breaks by damage, then Coulomb friction and Newton impact, rows (n, t1, t2). Energy: breaking takes strength times opening / 2; while it is open a part of that is stored and comes back. Impacts as of coulomb_impact.

    strength [N]: s, pull of the whole bond; above 0; required
    opening [m]: d, gap at which the bond is broken; breaking it takes the energy s d / 2; above 0; required
    slip [m]: d_T, slip at which the bond is broken; 0: as `opening`; at least 0; default 0
    friction: mu, friction over normal force plus pull; at least 0; default 0
    restitution: e_n, normal speed after over before; between 0 and 1; default 0

    In a program: `m.add(sl.items.CohesiveCoulombImpact(strength=..., opening=...))`, which returns its handle.
    In a model file: {"laws": {"NAME": {"type": "cohesive_coulomb_impact", "strength": ..., "opening": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    strength: Number
    opening: Number
    slip: Number | None
    friction: Number | None
    restitution: Number | None
    def __init__(
        self,
        *,
        strength: Number,
        opening: Number,
        slip: Number | None = ...,
        friction: Number | None = ...,
        restitution: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class CohesiveCoulombImpact2d(Item):
    """Bond that breaks by damage, then Coulomb friction and Newton impact in the plane, rows (n, t). Energy: breaking takes strength times opening / 2; while it is open a part of that is stored and comes back. Impacts as of coulomb_impact.

    strength [N]: s, pull of the whole bond; above 0; required
    opening [m]: d, gap at which the bond is broken; breaking it takes the energy s d / 2; above 0; required
    slip [m]: d_T, slip at which the bond is broken; 0: as `opening`; at least 0; default 0
    friction: mu, friction over normal force plus pull; at least 0; default 0
    restitution: e_n, normal speed after over before; between 0 and 1; default 0

    In a program: `m.add(sl.items.CohesiveCoulombImpact2d(strength=..., opening=...))`, which returns its handle.
    In a model file: {"laws": {"NAME": {"type": "cohesive_coulomb_impact_2d", "strength": ..., "opening": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    strength: Number
    opening: Number
    slip: Number | None
    friction: Number | None
    restitution: Number | None
    def __init__(
        self,
        *,
        strength: Number,
        opening: Number,
        slip: Number | None = ...,
        friction: Number | None = ...,
        restitution: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class CohesiveImpact(Item):
    """Bond that breaks by damage, without friction; then Newton impact. Energy: breaking takes strength times opening / 2; while it is open a part of that is stored and comes back. Impacts as of coulomb_impact.

    strength [N]: s, pull of the whole bond; above 0; required
    opening [m]: d, gap at which the bond is broken; breaking it takes the energy s d / 2; above 0; required
    restitution: e_n, normal speed after over before; between 0 and 1; default 0

    In a program: `m.add(sl.items.CohesiveImpact(strength=..., opening=...))`, which returns its handle.
    In a model file: {"laws": {"NAME": {"type": "cohesive_impact", "strength": ..., "opening": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    strength: Number
    opening: Number
    restitution: Number | None
    def __init__(
        self,
        *,
        strength: Number,
        opening: Number,
        restitution: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class Complementarity(Item):
    """Rows and multipliers are not negative and one of them vanishes: a diode, a stop. Energy: row times multiplier vanishes, row by row; a gap that closes loses what it had along the normal.


    In a program: `m.add(sl.items.Complementarity())`, which returns its handle.
    In a model file: {"laws": {"NAME": {"type": "complementarity"}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    def __init__(
        self,
        *,
        name: str = ...,
    ) -> None: ...

class Cone(Item):
    """A solid cone for contact, its tip at z = 3/4 height, its base at z = -1/4 height: the origin is its centre of mass.

    body: the body, node or `ground` that carries it; required (a body, a frame, or the name of one)
    radius [m]: of the base; above 0; required
    height [m]: from base to tip; above 0; required
    position [m]: origin of the shape in the axes of the body's frame; default [0.0, 0.0, 0.0]
    rotation [rad]: rotation vector from the body's axes to the shape's; default [0.0, 0.0, 0.0]

    In a program: `m.add(sl.items.Cone(body=..., radius=..., height=...))`, which returns its handle.
    In a model file: {"markers": {"NAME": {"type": "cone", "body": ..., "radius": ..., "height": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    body: Reference
    radius: Number
    height: Number
    position: Vector | None
    rotation: Vector | None
    def __init__(
        self,
        *,
        body: Reference,
        radius: Number,
        height: Number,
        position: Vector | None = ...,
        rotation: Vector | None = ...,
        name: str = ...,
    ) -> None: ...

class Contact(Item):
    """Contact between two groups of shapes, found in each step: each of A with each of B.

    A: shapes; required
    B: shapes; left out: those of A among themselves. The force is what acts on B
    law: newton_impact, coulomb_impact, rolling_impact or another that acts on a gap in space; left out: by the materials of the shapes (a law of saltus.items, or its name)

    In a program: `m.add(sl.items.Contact(A=...))`, which returns its handle.
    In a model file: {"relations": {"NAME": {"type": "contact", "A": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference | None
    law: str | Item | Handle | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference | None = ...,
        law: str | Item | Handle | None = ...,
        name: str = ...,
    ) -> None: ...

class ContactForce(Item):
    """The force that shapes of A put on shapes of B by contacts of groups, mean over the step, and the number of points.

    A: shapes; required
    B: shapes, on which the force acts; required

    In a program: `m.add(sl.items.ContactForce(A=..., B=...))`, which returns its handle.
    In a model file: {"relations": {"NAME": {"type": "contact_force", "A": ..., "B": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        name: str = ...,
    ) -> None: ...

class ContactLayer(Item):
    """A layer of shapes, and the layers whose shapes they touch: the other shapes in layers they pass through.

    shapes: shapes in this layer; a shape may be in several; required
    meets: layers whose shapes they touch; its own name: each other; left out: those that meet it

    In a program: `m.add(sl.items.ContactLayer(shapes=...))`, which returns its handle.
    In a model file: {"relations": {"NAME": {"type": "contact_layer", "shapes": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    shapes: Reference
    meets: Reference | None
    def __init__(
        self,
        *,
        shapes: Reference,
        meets: Reference | None = ...,
        name: str = ...,
    ) -> None: ...

class ContensouImpact(Item):
    """Friction shared by sliding and spinning (Contensou), and Newton impact, rows (n, t1, t2, roll about t1, t2, spin about n). Energy: friction takes the normal force times |(friction u, spinning w)|, u the slip, w the spin. Impacts as of coulomb_impact.

    friction: mu, friction coefficient; above 0; default 0.5
    spinning [m]: mu_s, largest spinning moment over normal force: a length, 2/3 mu R of a disc with even pressure; above 0; required
    restitution: e_n, normal speed after over before; between 0 and 1; default 0

    In a program: `m.add(sl.items.ContensouImpact(spinning=...))`, which returns its handle.
    In a model file: {"laws": {"NAME": {"type": "contensou_impact", "spinning": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    friction: Number | None
    spinning: Number
    restitution: Number | None
    def __init__(
        self,
        *,
        friction: Number | None = ...,
        spinning: Number,
        restitution: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class ConvexBound(Item):
    """The multipliers stay in a convex set given by formulas; where the rows do not vanish they are on its boundary and act against the rows: the greatest dissipation. Energy: on a rate it takes the largest power that a multiplier of the set can: at least 0 where it holds 0.

    constraints: g(lambda0, ..., lambda5), one or more: the set is where none is above 0; each smooth, with convex level sets, the set bounded; required
    interior [N]: a point where all are below 0, one entry a row, in the multiplier's force unit; mostly zeros; required
    on: acts on the rows' values or on their rates (dry friction: rate); value or rate; required

    In a program: `m.add(sl.items.ConvexBound(constraints=..., interior=..., on=...))`, which returns its handle.
    In a model file: {"laws": {"NAME": {"type": "convex_bound", "constraints": ..., "interior": ..., "on": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    constraints: Function
    interior: Vector
    on: str
    def __init__(
        self,
        *,
        constraints: Function,
        interior: Vector,
        on: str,
        name: str = ...,
    ) -> None: ...

class Coordinate(Item):
    """One scalar coordinate of a node.

    node: the node; required (a node of saltus.items, or its name)
    coordinate: number of the coordinate in the node, from 0; at least 0; default 0

    In a program: `m.add(sl.items.Coordinate(node=...))`, which returns its handle.
    In a model file: {"markers": {"NAME": {"type": "coordinate", "node": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    node: str | Item | Handle
    coordinate: int | str | None
    def __init__(
        self,
        *,
        node: str | Item | Handle,
        coordinate: int | str | None = ...,
        name: str = ...,
    ) -> None: ...

class CoordinateConstraint(Item):
    """Prescribes the difference of two coordinates, or one coordinate.

    A: first of the pair; required (a node, or {node, coordinate})
    B: second of the pair: forces and motion are those of B; required (a node, or {node, coordinate})
    law: law of the rows (a law of saltus.items, or its name)
    offset: prescribed value, a function of t; required

    In a program: `m.add(sl.items.CoordinateConstraint(A=..., B=..., offset=...))`, which returns its handle.
    In a model file: {"joints": {"NAME": {"type": "coordinate_constraint", "A": ..., "B": ..., "offset": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    law: str | Item | Handle | None
    offset: Function
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        law: str | Item | Handle | None = ...,
        offset: Function,
        name: str = ...,
    ) -> None: ...

class CoordinateGap(Item):
    """Signed distance of one coordinate from a value: a stop, a floor, or friction on it.

    on: what it acts on; required (a node, or {node, coordinate})
    law: law of the rows; required (a law of saltus.items, or its name)
    at [m]: value of the coordinate at which the gap closes; default 0
    sign: 1: free above, -1: free below; between -1 and 1; default 1

    In a program: `m.add(sl.items.CoordinateGap(on=..., law=...))`, which returns its handle.
    In a model file: {"relations": {"NAME": {"type": "coordinate_gap", "on": ..., "law": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    on: Reference
    law: str | Item | Handle
    at: Number | None
    sign: Number | None
    def __init__(
        self,
        *,
        on: Reference,
        law: str | Item | Handle,
        at: Number | None = ...,
        sign: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class CoordinateLoad(Item):
    """A load on one coordinate.

    on: what it acts on; required (a node, or {node, coordinate})
    force: f(t, q, v), N or N m; of a first-order state its rate, q the state; required

    In a program: `m.add(sl.items.CoordinateLoad(on=..., force=...))`, which returns its handle.
    In a model file: {"loads": {"NAME": {"type": "coordinate_load", "on": ..., "force": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    on: Reference
    force: Function
    def __init__(
        self,
        *,
        on: Reference,
        force: Function,
        name: str = ...,
    ) -> None: ...

class CoordinateLock(Item):
    """Keeps the difference of two coordinates, or one, constant while it is locked; breaks above a force or torque.

    A: first of the pair; required (a node, or {node, coordinate})
    B: second of the pair: forces and motion are those of B; required (a node, or {node, coordinate})
    law: law of the rows (a law of saltus.items, or its name)
    locked: it holds while this function of t is above 0; default 1
    limit [N or N m]: breaks above this force or torque; 0: never; at least 0; default 0

    In a program: `m.add(sl.items.CoordinateLock(A=..., B=...))`, which returns its handle.
    In a model file: {"joints": {"NAME": {"type": "coordinate_lock", "A": ..., "B": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    law: str | Item | Handle | None
    locked: Function | None
    limit: Number | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        law: str | Item | Handle | None = ...,
        locked: Function | None = ...,
        limit: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class CoordinatePairGap(Item):
    """Signed distance between two coordinates.

    A: first of the pair; required (a node, or {node, coordinate})
    B: second of the pair: forces and motion are those of B; required (a node, or {node, coordinate})
    law: law of the rows; required (a law of saltus.items, or its name)
    at [m]: difference B - A at which the gap closes; default 0
    sign: 1: free above, -1: free below; between -1 and 1; default 1

    In a program: `m.add(sl.items.CoordinatePairGap(A=..., B=..., law=...))`, which returns its handle.
    In a model file: {"relations": {"NAME": {"type": "coordinate_pair_gap", "A": ..., "B": ..., "law": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    law: str | Item | Handle
    at: Number | None
    sign: Number | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        law: str | Item | Handle,
        at: Number | None = ...,
        sign: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class CoordinateSpeedDrive(Item):
    """Prescribes the rate of the difference of two coordinates, or of one.

    A: first of the pair; required (a node, or {node, coordinate})
    B: second of the pair: forces and motion are those of B; required (a node, or {node, coordinate})
    law: law of the rows (a law of saltus.items, or its name)
    speed: prescribed value, a function of t; required

    In a program: `m.add(sl.items.CoordinateSpeedDrive(A=..., B=..., speed=...))`, which returns its handle.
    In a model file: {"joints": {"NAME": {"type": "coordinate_speed_drive", "A": ..., "B": ..., "speed": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    law: str | Item | Handle | None
    speed: Function
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        law: str | Item | Handle | None = ...,
        speed: Function,
        name: str = ...,
    ) -> None: ...

class CoordinateSpringDamper(Item):
    """Spring and damper between two coordinates, or one and the ground.

    A: first of the pair; required (a node, or {node, coordinate})
    B: second of the pair: forces and motion are those of B; required (a node, or {node, coordinate})
    stiffness: k, N/m or N m/rad; at least 0; default 0
    damping: d, N s/m or N m s/rad; at least 0; default 0
    offset: q_B - q_A without force, m or rad; default 0

    In a program: `m.add(sl.items.CoordinateSpringDamper(A=..., B=...))`, which returns its handle.
    In a model file: {"connectors": {"NAME": {"type": "coordinate_spring_damper", "A": ..., "B": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    stiffness: Number | None
    damping: Number | None
    offset: Number | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        stiffness: Number | None = ...,
        damping: Number | None = ...,
        offset: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class CoordinateUserSpring(Item):
    """A force law f(t, u, v) between two coordinates.

    A: first of the pair; required (a node, or {node, coordinate})
    B: second of the pair: forces and motion are those of B; required (a node, or {node, coordinate})
    force: f(t, u, v), positive pulls B towards A; u = q_B - q_A, v its rate; N or N m; required

    In a program: `m.add(sl.items.CoordinateUserSpring(A=..., B=..., force=...))`, which returns its handle.
    In a model file: {"connectors": {"NAME": {"type": "coordinate_user_spring", "A": ..., "B": ..., "force": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    force: Function
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        force: Function,
        name: str = ...,
    ) -> None: ...

class CoulombImpact(Item):
    """Coulomb friction and Newton impact, rows (n, t1, t2). Energy: friction takes friction times normal force times slip; impacts with friction and restitution at once may give energy (Kane, Levinson), and the run says so.

    friction: mu, friction coefficient; at least 0; default 0
    restitution: e_n, normal speed after over before; between 0 and 1; default 0
    tangential_restitution: e_t, of the sliding speed; between -1 and 1; default 0

    In a program: `m.add(sl.items.CoulombImpact())`, which returns its handle.
    In a model file: {"laws": {"NAME": {"type": "coulomb_impact"}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    friction: Number | None
    restitution: Number | None
    tangential_restitution: Number | None
    def __init__(
        self,
        *,
        friction: Number | None = ...,
        restitution: Number | None = ...,
        tangential_restitution: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class CoulombImpact2d(Item):
    """Coulomb friction and Newton impact in the plane, rows (n, t). Energy: friction takes friction times normal force times slip; impacts with friction and restitution at once may give energy (Kane, Levinson), and the run says so.

    friction: mu, friction coefficient; at least 0; default 0
    restitution: e_n, normal speed after over before; between 0 and 1; default 0
    tangential_restitution: e_t, of the sliding speed; between -1 and 1; default 0

    In a program: `m.add(sl.items.CoulombImpact2d())`, which returns its handle.
    In a model file: {"laws": {"NAME": {"type": "coulomb_impact_2d"}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    friction: Number | None
    restitution: Number | None
    tangential_restitution: Number | None
    def __init__(
        self,
        *,
        friction: Number | None = ...,
        restitution: Number | None = ...,
        tangential_restitution: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class CoupledInductors(Item):
    """Inductors whose fluxes are coupled: v_A - v_B = sum of L di/dt + R i in each winding.

    on: of each winding the terminals A, B and its current_state; required (a node, or {node, coordinate})
    inductance [H]: L (n x n), symmetric, positive definite; required
    resistance [Ohm]: R of each winding (n); default 0; at least 0; default []

    In a program: `m.add(sl.items.CoupledInductors(on=..., inductance=...))`, which returns its handle.
    In a model file: {"connectors": {"NAME": {"type": "coupled_inductors", "on": ..., "inductance": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    on: Reference
    inductance: Matrix
    resistance: Vector | None
    def __init__(
        self,
        *,
        on: Reference,
        inductance: Matrix,
        resistance: Vector | None = ...,
        name: str = ...,
    ) -> None: ...

class CurrentSource(Item):
    """Prescribes the current from A through the source to B.

    A: terminal, current leaves it into the element; required (a node, or {node, coordinate})
    B: terminal, current enters it; required (a node, or {node, coordinate})
    current [A]: a function of t; required

    In a program: `m.add(sl.items.CurrentSource(A=..., B=..., current=...))`, which returns its handle.
    In a model file: {"connectors": {"NAME": {"type": "current_source", "A": ..., "B": ..., "current": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    current: Function
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        current: Function,
        name: str = ...,
    ) -> None: ...

class CurrentState(Item):
    """Current of a winding [A], a state.

    current [A]: at the start; default 0

    In a program: `m.add(sl.items.CurrentState())`, which returns its handle.
    In a model file: {"nodes": {"NAME": {"type": "current_state"}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    current: Number | None
    def __init__(
        self,
        *,
        current: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class Cylinder(Item):
    """A solid cylinder for contact, its axis along z.

    body: the body, node or `ground` that carries it; required (a body, a frame, or the name of one)
    radius [m]: radius; above 0; required
    length [m]: length along z; above 0; required
    position [m]: origin of the shape in the axes of the body's frame; default [0.0, 0.0, 0.0]
    rotation [rad]: rotation vector from the body's axes to the shape's; default [0.0, 0.0, 0.0]

    In a program: `m.add(sl.items.Cylinder(body=..., radius=..., length=...))`, which returns its handle.
    In a model file: {"markers": {"NAME": {"type": "cylinder", "body": ..., "radius": ..., "length": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    body: Reference
    radius: Number
    length: Number
    position: Vector | None
    rotation: Vector | None
    def __init__(
        self,
        *,
        body: Reference,
        radius: Number,
        length: Number,
        position: Vector | None = ...,
        rotation: Vector | None = ...,
        name: str = ...,
    ) -> None: ...

class Cylindrical(Item):
    """Cylindrical joint: translation along and rotation about the z axis of the joint frames are free.

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    at: where the joint is: world point in the reference position [m]; default: the frame B
    axis: z axis of the joint frames: x, y, z or a vector in world axes; default: z of the frame B
    rotation: rotation vector of the joint frames in the world [rad], instead of axis
    law: law of the rows (a law of saltus.items, or its name)

    In a program: `m.add(sl.items.Cylindrical(A=..., B=...))`, which returns its handle.
    In a model file: {"joints": {"NAME": {"type": "cylindrical", "A": ..., "B": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    at: Vector | Handle | None
    axis: str | Vector | None
    rotation: Vector | None
    law: str | Item | Handle | None
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

class DahlFriction(Item):
    """Friction with hysteresis on a coordinate (Dahl), on request with an elastic part that does not creep; the deflection is a first-order state.

    bristles: a first-order state: the deflection z [m or rad]; required (a node, or {node, coordinate})
    on: the coordinate that it brakes, such as the angle of a hinge; required (a node, or {node, coordinate})
    stiffness: sigma of the contact at rest, N/m or N m/rad; above 0; required
    coulomb: F, friction of sliding, N or N m; above 0; required
    damping: sigma_1 of the deflection, N s/m or N m s/rad; at least 0; default 0
    viscosity: sigma_2, N s/m or N m s/rad; at least 0; default 0
    elastic: b, share of F below which the contact is elastic; at least 0 and below 1; default 0

    In a program: `m.add(sl.items.DahlFriction(bristles=..., on=..., stiffness=..., coulomb=...))`, which returns its handle.
    In a model file: {"connectors": {"NAME": {"type": "dahl_friction", "bristles": ..., "on": ..., "stiffness": ..., "coulomb": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    bristles: Reference
    on: Reference
    stiffness: Number
    coulomb: Number
    damping: Number | None
    viscosity: Number | None
    elastic: Number | None
    def __init__(
        self,
        *,
        bristles: Reference,
        on: Reference,
        stiffness: Number,
        coulomb: Number,
        damping: Number | None = ...,
        viscosity: Number | None = ...,
        elastic: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class DcMotor(Item):
    """Direct-current motor between two terminals and the frames of a shaft: v_A - v_B = L di/dt + R i + k w, torque k i on the rotor.

    A: terminal, current leaves it into the element; required (a node, or {node, coordinate})
    B: terminal, current enters it; required (a node, or {node, coordinate})
    current_of: its current_state; required (a node, or {node, coordinate})
    stator: frame whose z axis is the shaft; required (a body, a frame, or the name of one)
    rotor: frame that turns; required (a body, a frame, or the name of one)
    inductance [H]: L of the winding; above 0; required
    resistance [Ohm]: R of the winding; at least 0; default 0
    constant [N m/A]: k, torque per current and voltage per speed; required

    In a program: `m.add(sl.items.DcMotor(A=..., B=..., current_of=..., stator=..., rotor=..., inductance=..., constant=...))`, which returns its handle.
    In a model file: {"connectors": {"NAME": {"type": "dc_motor", "A": ..., "B": ..., "current_of": ..., "stator": ..., "rotor": ..., "inductance": ..., "constant": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    current_of: Reference
    stator: Reference
    rotor: Reference
    inductance: Number
    resistance: Number | None
    constant: Number
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        current_of: Reference,
        stator: Reference,
        rotor: Reference,
        inductance: Number,
        resistance: Number | None = ...,
        constant: Number,
        name: str = ...,
    ) -> None: ...

class Diode(Item):
    """Ideal diode from the anode A to the cathode B, or one with a threshold and a resistance in series.

    A: anode: terminal, current leaves it into the element; required (a node, or {node, coordinate})
    B: cathode: terminal, current enters it; required (a node, or {node, coordinate})
    law: law of the rows (a law of saltus.items, or its name)
    threshold [V]: V: v_A - v_B from which it conducts; at least 0; default 0
    resistance [Ohm]: R in series while it conducts; at least 0; default 0

    In a program: `m.add(sl.items.Diode(A=..., B=...))`, which returns its handle.
    In a model file: {"relations": {"NAME": {"type": "diode", "A": ..., "B": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    law: str | Item | Handle | None
    threshold: Number | None
    resistance: Number | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        law: str | Item | Handle | None = ...,
        threshold: Number | None = ...,
        resistance: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class DiscContact(Item):
    """Contact of the rim of a disc about z of B with the plane z = 0 of A, rows (n, t1, t2).

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    law: law of the rows; required (a law of saltus.items, or its name)
    radius [m]: radius of the disc; 0: a sphere of radius `edge`; at least 0; default 0
    edge [m]: radius of the rounding of the rim, added to `radius`; at least 0; default 0

    In a program: `m.add(sl.items.DiscContact(A=..., B=..., law=...))`, which returns its handle.
    In a model file: {"relations": {"NAME": {"type": "disc_contact", "A": ..., "B": ..., "law": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    law: str | Item | Handle
    radius: Number | None
    edge: Number | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        law: str | Item | Handle,
        radius: Number | None = ...,
        edge: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class DiscGap(Item):
    """Gap between the rim of a disc about z of B and the plane z = 0 of A, without friction.

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    law: law of the rows; required (a law of saltus.items, or its name)
    radius [m]: radius of the disc; 0: a sphere of radius `edge`; at least 0; default 0
    edge [m]: radius of the rounding of the rim, added to `radius`; at least 0; default 0

    In a program: `m.add(sl.items.DiscGap(A=..., B=..., law=...))`, which returns its handle.
    In a model file: {"relations": {"NAME": {"type": "disc_gap", "A": ..., "B": ..., "law": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    law: str | Item | Handle
    radius: Number | None
    edge: Number | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        law: str | Item | Handle,
        radius: Number | None = ...,
        edge: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class DiscOutlineContact(Item):
    """Contact of the rim of a disc about z of B with a kerb or step of A, rows (n, t1, t2).

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    law: law of the rows; required (a law of saltus.items, or its name)
    radius [m]: radius of the disc; 0: a sphere of radius `edge`; at least 0; default 0
    edge [m]: radius of the rounding of the rim, added to `radius`; at least 0; default 0
    points [m]: corners (n x 2) of the ground, x and z in the axes of A, the ground is on the right of the path through them; the first and the last edge go on; default []
    rounding [m]: radius of the corners; at least 0; default 0

    In a program: `m.add(sl.items.DiscOutlineContact(A=..., B=..., law=...))`, which returns its handle.
    In a model file: {"relations": {"NAME": {"type": "disc_outline_contact", "A": ..., "B": ..., "law": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    law: str | Item | Handle
    radius: Number | None
    edge: Number | None
    points: Matrix | None
    rounding: Number | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        law: str | Item | Handle,
        radius: Number | None = ...,
        edge: Number | None = ...,
        points: Matrix | None = ...,
        rounding: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class DiscOutlineGap(Item):
    """Gap between the rim of a disc about z of B and a kerb or step of A, without friction.

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    law: law of the rows; required (a law of saltus.items, or its name)
    radius [m]: radius of the disc; 0: a sphere of radius `edge`; at least 0; default 0
    edge [m]: radius of the rounding of the rim, added to `radius`; at least 0; default 0
    points [m]: corners (n x 2) of the ground, x and z in the axes of A, the ground is on the right of the path through them; the first and the last edge go on; default []
    rounding [m]: radius of the corners; at least 0; default 0

    In a program: `m.add(sl.items.DiscOutlineGap(A=..., B=..., law=...))`, which returns its handle.
    In a model file: {"relations": {"NAME": {"type": "disc_outline_gap", "A": ..., "B": ..., "law": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    law: str | Item | Handle
    radius: Number | None
    edge: Number | None
    points: Matrix | None
    rounding: Number | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        law: str | Item | Handle,
        radius: Number | None = ...,
        edge: Number | None = ...,
        points: Matrix | None = ...,
        rounding: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class DiscOutlineRollingContact(Item):
    """Contact of the rim of a disc about z of B with a kerb or step of A, rows (n, t1, t2, roll about t1, t2, spin about n).

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    law: law of the rows; required (a law of saltus.items, or its name)
    radius [m]: radius of the disc; 0: a sphere of radius `edge`; at least 0; default 0
    edge [m]: radius of the rounding of the rim, added to `radius`; at least 0; default 0
    points [m]: corners (n x 2) of the ground, x and z in the axes of A, the ground is on the right of the path through them; the first and the last edge go on; default []
    rounding [m]: radius of the corners; at least 0; default 0

    In a program: `m.add(sl.items.DiscOutlineRollingContact(A=..., B=..., law=...))`, which returns its handle.
    In a model file: {"relations": {"NAME": {"type": "disc_outline_rolling_contact", "A": ..., "B": ..., "law": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    law: str | Item | Handle
    radius: Number | None
    edge: Number | None
    points: Matrix | None
    rounding: Number | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        law: str | Item | Handle,
        radius: Number | None = ...,
        edge: Number | None = ...,
        points: Matrix | None = ...,
        rounding: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class DiscPenaltyContact(Item):
    """Elastic contact of the rim of a disc about z of B with the plane z = 0 of A, with friction that creeps.

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    radius [m]: radius of the disc; 0: a sphere of radius `edge`; at least 0; default 0
    edge [m]: radius of the rounding of the rim, added to `radius`; at least 0; default 0
    stiffness [N/m]: k, normal force per penetration; above 0; required
    damping [N s/m]: c, normal force per rate of penetration; at least 0; default 0
    friction: mu, friction coefficient; at least 0; default 0
    sliding_speed [m/s]: u0: above this speed friction is nearly mu N, below it is viscous; above 0; default 0.001

    In a program: `m.add(sl.items.DiscPenaltyContact(A=..., B=..., stiffness=...))`, which returns its handle.
    In a model file: {"connectors": {"NAME": {"type": "disc_penalty_contact", "A": ..., "B": ..., "stiffness": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    radius: Number | None
    edge: Number | None
    stiffness: Number
    damping: Number | None
    friction: Number | None
    sliding_speed: Number | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        radius: Number | None = ...,
        edge: Number | None = ...,
        stiffness: Number,
        damping: Number | None = ...,
        friction: Number | None = ...,
        sliding_speed: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class DiscRollingContact(Item):
    """Contact of the rim of a disc about z of B with the plane z = 0 of A, rows (n, t1, t2, roll about t1, t2, spin about n).

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    law: law of the rows; required (a law of saltus.items, or its name)
    radius [m]: radius of the disc; 0: a sphere of radius `edge`; at least 0; default 0
    edge [m]: radius of the rounding of the rim, added to `radius`; at least 0; default 0

    In a program: `m.add(sl.items.DiscRollingContact(A=..., B=..., law=...))`, which returns its handle.
    In a model file: {"relations": {"NAME": {"type": "disc_rolling_contact", "A": ..., "B": ..., "law": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    law: str | Item | Handle
    radius: Number | None
    edge: Number | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        law: str | Item | Handle,
        radius: Number | None = ...,
        edge: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class Distance(Item):
    """Two points stay at a distance: a massless rigid link with spherical ends.

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    law: law of the rows (a law of saltus.items, or its name)
    length [m]: L, distance of the points; above 0; required

    In a program: `m.add(sl.items.Distance(A=..., B=..., length=...))`, which returns its handle.
    In a model file: {"joints": {"NAME": {"type": "distance", "A": ..., "B": ..., "length": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    law: str | Item | Handle | None
    length: Number
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        law: str | Item | Handle | None = ...,
        length: Number,
        name: str = ...,
    ) -> None: ...

class DrivenFrame(Item):
    """Prescribes position, rotation or both of the frame B in the frame A.

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    law: law of the rows (a law of saltus.items, or its name)
    position [m]: point of B, axes of A: three functions of t; default [0.0, 0.0, 0.0]
    rotation [rad]: rotation vector of B's axes in A: three functions of t; default [0.0, 0.0, 0.0]
    of: what is prescribed; pose, position or rotation; default pose

    In a program: `m.add(sl.items.DrivenFrame(A=..., B=...))`, which returns its handle.
    In a model file: {"joints": {"NAME": {"type": "driven_frame", "A": ..., "B": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    law: str | Item | Handle | None
    position: Function | None
    rotation: Function | None
    of: str | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        law: str | Item | Handle | None = ...,
        position: Function | None = ...,
        rotation: Function | None = ...,
        of: str | None = ...,
        name: str = ...,
    ) -> None: ...

class ElasticGear(Item):
    """Gear between two motions with stiffness and play: A = ratio (B + twist), between hinges, slides or coordinates.

    A: first motion; required (a node, or {node, coordinate})
    B: second motion: stiffness and play are as felt there; required (a node, or {node, coordinate})
    ratio: n: motion of A by that of B; required
    stiffness: k at B, N m/rad or N/m; above 0; required
    damping: d at B, N m s/rad or N s/m, of teeth that touch; at least 0; default 0
    backlash: b, whole play at B, rad or m; at least 0; default 0

    In a program: `m.add(sl.items.ElasticGear(A=..., B=..., ratio=..., stiffness=...))`, which returns its handle.
    In a model file: {"connectors": {"NAME": {"type": "elastic_gear", "A": ..., "B": ..., "ratio": ..., "stiffness": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    ratio: Number
    stiffness: Number
    damping: Number | None
    backlash: Number | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        ratio: Number,
        stiffness: Number,
        damping: Number | None = ...,
        backlash: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class ElastoplasticSpring(Item):
    """Spring between two coordinates that yields at a force and keeps a plastic elongation, with kinematic hardening.

    A: first of the pair; required (a node, or {node, coordinate})
    B: second of the pair: forces and motion are those of B; required (a node, or {node, coordinate})
    stiffness: k, N/m or N m/rad; above 0; required
    yield_force: force at which it yields first, N or N m; above 0; required
    hardening: stiffness of the yielding spring, as a share of k; between 0 and 0.99; default 0
    offset: q_B - q_A without force at the start, m or rad; default 0

    In a program: `m.add(sl.items.ElastoplasticSpring(A=..., B=..., stiffness=..., yield_force=...))`, which returns its handle.
    In a model file: {"connectors": {"NAME": {"type": "elastoplastic_spring", "A": ..., "B": ..., "stiffness": ..., "yield_force": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    stiffness: Number
    yield_force: Number
    hardening: Number | None
    offset: Number | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        stiffness: Number,
        yield_force: Number,
        hardening: Number | None = ...,
        offset: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class ElectricSwitch(Item):
    """Switch between two terminals: joins them while it is closed, lets no current pass while it is open.

    A: terminal, current leaves it into the element; required (a node, or {node, coordinate})
    B: terminal, current enters it; required (a node, or {node, coordinate})
    law: law of the rows (a law of saltus.items, or its name)
    closed: it is closed while this function of t is above 0; required
    resistance [Ohm]: R while it is closed; at least 0; default 0

    In a program: `m.add(sl.items.ElectricSwitch(A=..., B=..., closed=...))`, which returns its handle.
    In a model file: {"relations": {"NAME": {"type": "electric_switch", "A": ..., "B": ..., "closed": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    law: str | Item | Handle | None
    closed: Function
    resistance: Number | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        law: str | Item | Handle | None = ...,
        closed: Function,
        resistance: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class Ellipsoid(Item):
    """A solid ellipsoid for contact.

    body: the body, node or `ground` that carries it; required (a body, a frame, or the name of one)
    size [m]: diameters along x, y, z; above 0; required
    position [m]: origin of the shape in the axes of the body's frame; default [0.0, 0.0, 0.0]
    rotation [rad]: rotation vector from the body's axes to the shape's; default [0.0, 0.0, 0.0]

    In a program: `m.add(sl.items.Ellipsoid(body=..., size=...))`, which returns its handle.
    In a model file: {"markers": {"NAME": {"type": "ellipsoid", "body": ..., "size": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    body: Reference
    size: Vector
    position: Vector | None
    rotation: Vector | None
    def __init__(
        self,
        *,
        body: Reference,
        size: Vector,
        position: Vector | None = ...,
        rotation: Vector | None = ...,
        name: str = ...,
    ) -> None: ...

class Equality(Item):
    """The rows vanish: a joint. Energy: the power, row times multiplier, vanishes, but what a row that depends on time drives.


    In a program: `m.add(sl.items.Equality())`, which returns its handle.
    In a model file: {"laws": {"NAME": {"type": "equality"}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    def __init__(
        self,
        *,
        name: str = ...,
    ) -> None: ...

class FirstOrderLinearRelation(Item):
    """Linear relation y = C x + D lambda + e(t) with the input R = B lambda.

    on: the coordinates, in the order of the equations; required (a node, or {node, coordinate})
    law: law of the rows; default: equality (a law of saltus.items, or its name)
    C: rows x coordinates; required
    D: rows x rows; default 0; default []
    B: coordinates x rows; required
    offset: e(t), one result a row; default 0; default 0

    In a program: `m.add(sl.items.FirstOrderLinearRelation(on=..., C=..., B=...))`, which returns its handle.
    In a model file: {"relations": {"NAME": {"type": "first_order_linear_relation", "on": ..., "C": ..., "B": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    on: Reference
    law: str | Item | Handle | None
    C: Matrix
    D: Matrix | None
    B: Matrix
    offset: Function | None
    def __init__(
        self,
        *,
        on: Reference,
        law: str | Item | Handle | None = ...,
        C: Matrix,
        D: Matrix | None = ...,
        B: Matrix,
        offset: Function | None = ...,
        name: str = ...,
    ) -> None: ...

class FirstOrderRelation(Item):
    """A user's relation y = h(t, x, lambda) with the input R = g(t, x, lambda).

    on: the coordinates, in the order of the equations; required (a node, or {node, coordinate})
    law: law of the rows; default: equality (a law of saltus.items, or its name)
    rows: number of equations; at least 1; default 1
    output: h(t, q0, ..., lambda0, ...), one result a row; q0, ... the coordinates; required
    input: g(t, q0, ..., lambda0, ...), one result a coordinate; required

    In a program: `m.add(sl.items.FirstOrderRelation(on=..., output=..., input=...))`, which returns its handle.
    In a model file: {"relations": {"NAME": {"type": "first_order_relation", "on": ..., "output": ..., "input": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    on: Reference
    law: str | Item | Handle | None
    rows: int | str | None
    output: Function
    input: Function
    def __init__(
        self,
        *,
        on: Reference,
        law: str | Item | Handle | None = ...,
        rows: int | str | None = ...,
        output: Function,
        input: Function,
        name: str = ...,
    ) -> None: ...

class FirstOrderSystem(Item):
    """A first-order system dx/dt = A x + b + f(t, x) on all states of a node.

    node: the node whose states it moves; required (a node of saltus.items, or its name)
    matrix [1/s]: A (n x n); default 0; default []
    vector: b (n); default 0; default []
    function: f(t, q0, q1, ...), n results, q0, q1, ... the states; default 0; default 0

    In a program: `m.add(sl.items.FirstOrderSystem(node=...))`, which returns its handle.
    In a model file: {"bodies": {"NAME": {"type": "first_order_system", "node": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    node: str | Item | Handle
    matrix: Matrix | None
    vector: Vector | None
    function: Function | None
    def __init__(
        self,
        *,
        node: str | Item | Handle,
        matrix: Matrix | None = ...,
        vector: Vector | None = ...,
        function: Function | None = ...,
        name: str = ...,
    ) -> None: ...

class Fixed(Item):
    """Rigid connection of two frames.

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    at: where the joint is: world point in the reference position [m]; default: the frame B
    axis: z axis of the joint frames: x, y, z or a vector in world axes; default: z of the frame B
    rotation: rotation vector of the joint frames in the world [rad], instead of axis
    law: law of the rows (a law of saltus.items, or its name)

    In a program: `m.add(sl.items.Fixed(A=..., B=...))`, which returns its handle.
    In a model file: {"joints": {"NAME": {"type": "fixed", "A": ..., "B": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    at: Vector | Handle | None
    axis: str | Vector | None
    rotation: Vector | None
    law: str | Item | Handle | None
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

class Force(Item):
    """A force at the origin of a frame.

    on: what it acts on; required (a body, a frame, or the name of one)
    force [N]: three components, functions of t; required
    axes: axes of the components: those of the world, or of the frame (follower force); world or body; default world

    In a program: `m.add(sl.items.Force(on=..., force=...))`, which returns its handle.
    In a model file: {"loads": {"NAME": {"type": "force", "on": ..., "force": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    on: Reference
    force: Function
    axes: str | None
    def __init__(
        self,
        *,
        on: Reference,
        force: Function,
        axes: str | None = ...,
        name: str = ...,
    ) -> None: ...

class Frame(Item):
    """A frame fixed to a body, a node or the ground.

    body: the body, node or `ground` that carries it; required (a body, a frame, or the name of one)
    position [m]: origin in the axes of the body's frame; default [0.0, 0.0, 0.0]
    rotation [rad]: rotation vector from the body's axes to the frame's; default [0.0, 0.0, 0.0]

    In a program: `m.add(sl.items.Frame(body=...))`, which returns its handle.
    In a model file: {"markers": {"NAME": {"type": "frame", "body": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    body: Reference
    position: Vector | None
    rotation: Vector | None
    def __init__(
        self,
        *,
        body: Reference,
        position: Vector | None = ...,
        rotation: Vector | None = ...,
        name: str = ...,
    ) -> None: ...

class FremondImpact(Item):
    """Coulomb friction and impact by the mean of the velocities before and after (Fremond), rows (n, t1, t2). Energy: where contacts close or rest no impact gives any, whatever friction and restitution each has.

    friction: mu, friction coefficient; at least 0; default 0
    restitution: e_n, normal speed after over before; between 0 and 1; default 0

    In a program: `m.add(sl.items.FremondImpact())`, which returns its handle.
    In a model file: {"laws": {"NAME": {"type": "fremond_impact"}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    friction: Number | None
    restitution: Number | None
    def __init__(
        self,
        *,
        friction: Number | None = ...,
        restitution: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class FremondImpact2d(Item):
    """Coulomb friction and impact by the mean of the velocities before and after (Fremond) in the plane, rows (n, t). Energy: where contacts close or rest no impact gives any, whatever friction and restitution each has.

    friction: mu, friction coefficient; at least 0; default 0
    restitution: e_n, normal speed after over before; between 0 and 1; default 0

    In a program: `m.add(sl.items.FremondImpact2d())`, which returns its handle.
    In a model file: {"laws": {"NAME": {"type": "fremond_impact_2d"}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    friction: Number | None
    restitution: Number | None
    def __init__(
        self,
        *,
        friction: Number | None = ...,
        restitution: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class Generic(Item):
    """Joint with any of three translations and three rotations locked, along the axes of A's joint frame.

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    at: where the joint is: world point in the reference position [m]; default: the frame B
    axis: z axis of the joint frames: x, y, z or a vector in world axes; default: z of the frame B
    rotation: rotation vector of the joint frames in the world [rad], instead of axis
    law: law of the rows (a law of saltus.items, or its name)
    x: locks the translation along x; default False
    y: locks the translation along y; default False
    z: locks the translation along z; default False
    rx: locks the rotation about x; default False
    ry: locks the rotation about y; default False
    rz: locks the rotation about z; default False
    offset [m]: where along x, y, z the locked translations stand: functions of t; default [0.0, 0.0, 0.0]
    turn [rad]: rotation vector against which the locked rotations stand, axes of A: functions of t; default [0.0, 0.0, 0.0]

    In a program: `m.add(sl.items.Generic(A=..., B=...))`, which returns its handle.
    In a model file: {"joints": {"NAME": {"type": "generic", "A": ..., "B": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    at: Vector | Handle | None
    axis: str | Vector | None
    rotation: Vector | None
    law: str | Item | Handle | None
    x: bool | None
    y: bool | None
    z: bool | None
    rx: bool | None
    ry: bool | None
    rz: bool | None
    offset: Function | None
    turn: Function | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        at: Vector | Handle | None = ...,
        axis: str | Vector | None = ...,
        rotation: Vector | None = ...,
        law: str | Item | Handle | None = ...,
        x: bool | None = ...,
        y: bool | None = ...,
        z: bool | None = ...,
        rx: bool | None = ...,
        ry: bool | None = ...,
        rz: bool | None = ...,
        offset: Function | None = ...,
        turn: Function | None = ...,
        name: str = ...,
    ) -> None: ...

class GenericSystem(Item):
    """A second-order system M(q) a + (dM/dq . v) v - 1/2 d(v^T M v)/dq + dV/dq + D v + K q = f(t, q, v) on all coordinates of a node: Lagrange's equations where M varies.

    node: the node whose coordinates it moves; required (a node of saltus.items, or its name)
    mass_matrix: M(q0, q1, ...) (n x n), symmetric positive definite, kinetic energy 1/2 v^T M v; gyroscopic forces follow from it; required
    potential [J]: V(q0, q1, ...): force -dV/dq, counted as potential energy; default 0; default 0
    stiffness_matrix: K (n x n); default 0; default []
    damping_matrix: D (n x n); default 0; default []
    force: f(t, q0, q1, ..., v0, v1, ...), n results; default 0; default 0

    In a program: `m.add(sl.items.GenericSystem(node=..., mass_matrix=...))`, which returns its handle.
    In a model file: {"bodies": {"NAME": {"type": "generic_system", "node": ..., "mass_matrix": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    node: str | Item | Handle
    mass_matrix: FunctionMatrix
    potential: Function | None
    stiffness_matrix: Matrix | None
    damping_matrix: Matrix | None
    force: Function | None
    def __init__(
        self,
        *,
        node: str | Item | Handle,
        mass_matrix: FunctionMatrix,
        potential: Function | None = ...,
        stiffness_matrix: Matrix | None = ...,
        damping_matrix: Matrix | None = ...,
        force: Function | None = ...,
        name: str = ...,
    ) -> None: ...

class Gyrator(Item):
    """Gyrator: the current from A to B is G (v_C - v_D), that from C to D is -G (v_A - v_B).

    A: terminal, current leaves it into the element; required (a node, or {node, coordinate})
    B: terminal, current enters it; required (a node, or {node, coordinate})
    C: first terminal of the other side; required (a node, or {node, coordinate})
    D: its second terminal; required (a node, or {node, coordinate})
    conductance [A/V]: G; required

    In a program: `m.add(sl.items.Gyrator(A=..., B=..., C=..., D=..., conductance=...))`, which returns its handle.
    In a model file: {"connectors": {"NAME": {"type": "gyrator", "A": ..., "B": ..., "C": ..., "D": ..., "conductance": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    C: Reference
    D: Reference
    conductance: Number
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        C: Reference,
        D: Reference,
        conductance: Number,
        name: str = ...,
    ) -> None: ...

class HardeningRelay(Item):
    """A relay on a rate whose bounds grow with the distance covered (isotropic hardening) and shift with the displacement (kinematic hardening): a plastic hinge. Energy: of the work that it takes K s^2 / 2 is stored (s displacement); the bound plus H p along the way is gone (p distance covered).

    low [N]: multiplier while the row first goes up, in its force unit; default -1
    high [N]: multiplier while the row first goes down, in its force unit; default 1
    isotropic [N/m]: H, growth of both bounds over the distance covered; at least 0; default 0
    kinematic [N/m]: K, shift of both bounds over the displacement, against it; at least 0; default 0

    In a program: `m.add(sl.items.HardeningRelay())`, which returns its handle.
    In a model file: {"laws": {"NAME": {"type": "hardening_relay"}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    low: Number | None
    high: Number | None
    isotropic: Number | None
    kinematic: Number | None
    def __init__(
        self,
        *,
        low: Number | None = ...,
        high: Number | None = ...,
        isotropic: Number | None = ...,
        kinematic: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class HeightField(Item):
    """A surface of heights on a grid for contact, free above, two triangles between four of them.

    body: the body, node or `ground` that carries it; required (a body, a frame, or the name of one)
    heights [m]: z (n x m) at n places along x and m along y; required
    size [m]: lengths (2) along x and y, the origin in the middle; above 0; required
    position [m]: origin of the shape in the axes of the body's frame; default [0.0, 0.0, 0.0]
    rotation [rad]: rotation vector from the body's axes to the shape's; default [0.0, 0.0, 0.0]

    In a program: `m.add(sl.items.HeightField(body=..., heights=..., size=...))`, which returns its handle.
    In a model file: {"markers": {"NAME": {"type": "height_field", "body": ..., "heights": ..., "size": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    body: Reference
    heights: Matrix
    size: Vector
    position: Vector | None
    rotation: Vector | None
    def __init__(
        self,
        *,
        body: Reference,
        heights: Matrix,
        size: Vector,
        position: Vector | None = ...,
        rotation: Vector | None = ...,
        name: str = ...,
    ) -> None: ...

class HollowCylinder(Item):
    """The inside of a cylinder along z, without end, for contact: what is beyond its radius is solid. In a planar model the inside of a circle.

    body: the body, node or `ground` that carries it; required (a body, a frame, or the name of one)
    radius [m]: of its inside; above 0; default 1
    position [m]: origin of the shape in the axes of the body's frame; default [0.0, 0.0, 0.0]
    rotation [rad]: rotation vector from the body's axes to the shape's; default [0.0, 0.0, 0.0]

    In a program: `m.add(sl.items.HollowCylinder(body=...))`, which returns its handle.
    In a model file: {"markers": {"NAME": {"type": "hollow_cylinder", "body": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    body: Reference
    radius: Number | None
    position: Vector | None
    rotation: Vector | None
    def __init__(
        self,
        *,
        body: Reference,
        radius: Number | None = ...,
        position: Vector | None = ...,
        rotation: Vector | None = ...,
        name: str = ...,
    ) -> None: ...

class HollowSphere(Item):
    """The inside of a sphere for contact: what is beyond its radius is solid.

    body: the body, node or `ground` that carries it; required (a body, a frame, or the name of one)
    radius [m]: of its inside; above 0; default 1
    position [m]: origin of the shape in the axes of the body's frame; default [0.0, 0.0, 0.0]
    rotation [rad]: rotation vector from the body's axes to the shape's; default [0.0, 0.0, 0.0]

    In a program: `m.add(sl.items.HollowSphere(body=...))`, which returns its handle.
    In a model file: {"markers": {"NAME": {"type": "hollow_sphere", "body": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    body: Reference
    radius: Number | None
    position: Vector | None
    rotation: Vector | None
    def __init__(
        self,
        *,
        body: Reference,
        radius: Number | None = ...,
        position: Vector | None = ...,
        rotation: Vector | None = ...,
        name: str = ...,
    ) -> None: ...

class Hull(Item):
    """A solid convex polyhedron for contact: the hull of points.

    body: the body, node or `ground` that carries it; required (a body, a frame, or the name of one)
    points [m]: points (n x 3) in the axes of the shape; those inside their hull do not matter; required
    position [m]: origin of the shape in the axes of the body's frame; default [0.0, 0.0, 0.0]
    rotation [rad]: rotation vector from the body's axes to the shape's; default [0.0, 0.0, 0.0]

    In a program: `m.add(sl.items.Hull(body=..., points=...))`, which returns its handle.
    In a model file: {"markers": {"NAME": {"type": "hull", "body": ..., "points": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    body: Reference
    points: Matrix
    position: Vector | None
    rotation: Vector | None
    def __init__(
        self,
        *,
        body: Reference,
        points: Matrix,
        position: Vector | None = ...,
        rotation: Vector | None = ...,
        name: str = ...,
    ) -> None: ...

class HydraulicCylinder(Item):
    """Hydraulic cylinder with two chambers of compressible oil and its valve, on the position of a slide or the distance of two frames.

    piston_pressure: a first-order state: p_1 [Pa]; required (a node, or {node, coordinate})
    rod_pressure: a first-order state: p_2 [Pa]; required (a node, or {node, coordinate})
    on: the coordinate that it pushes: a slide's position, the distance of two frames; required (a node, or {node, coordinate})
    piston_area [m^2]: A_1, of the chamber that grows with the coordinate; above 0; required
    rod_area [m^2]: A_2, of the other chamber; above 0; required
    piston_volume [m^3]: V_1 where the coordinate is 0, lines included; required
    rod_volume [m^3]: V_2 where the coordinate is 0, lines included; required
    bulk_modulus [Pa]: beta of the oil with its lines; above 0; required
    vapour_pressure [Pa]: against the surroundings: below it the oil cavitates, of which the run warns; default -100000
    piston_flow [m^3/s]: Q_1(t, p1, p2) into the first chamber beside the valve: pumps, leakage; default 0
    rod_flow [m^3/s]: Q_2(t, p1, p2) into the second; default 0
    spool: s(t, p1, p2, u, v) of the valve, -1 to 1; u the coordinate, v its rate; default 0
    conductance [m^3/(s Pa^0.5)]: C = c_d A sqrt(2 / rho) of an edge of the valve at s = 1; 0: no valve; at least 0; default 0
    supply [Pa]: pressure of the supply, against the surroundings; default 0
    tank [Pa]: pressure of the tank, against the surroundings; default 0
    laminar [Pa]: difference of pressure below which the flow through an edge is linear in it; above 0; default 10000

    In a program: `m.add(sl.items.HydraulicCylinder(piston_pressure=..., rod_pressure=..., on=..., piston_area=..., rod_area=..., piston_volume=..., rod_volume=..., bulk_modulus=...))`, which returns its handle.
    In a model file: {"connectors": {"NAME": {"type": "hydraulic_cylinder", "piston_pressure": ..., "rod_pressure": ..., "on": ..., "piston_area": ..., "rod_area": ..., "piston_volume": ..., "rod_volume": ..., "bulk_modulus": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    piston_pressure: Reference
    rod_pressure: Reference
    on: Reference
    piston_area: Number
    rod_area: Number
    piston_volume: Number
    rod_volume: Number
    bulk_modulus: Number
    vapour_pressure: Number | None
    piston_flow: Function | None
    rod_flow: Function | None
    spool: Function | None
    conductance: Number | None
    supply: Number | None
    tank: Number | None
    laminar: Number | None
    def __init__(
        self,
        *,
        piston_pressure: Reference,
        rod_pressure: Reference,
        on: Reference,
        piston_area: Number,
        rod_area: Number,
        piston_volume: Number,
        rod_volume: Number,
        bulk_modulus: Number,
        vapour_pressure: Number | None = ...,
        piston_flow: Function | None = ...,
        rod_flow: Function | None = ...,
        spool: Function | None = ...,
        conductance: Number | None = ...,
        supply: Number | None = ...,
        tank: Number | None = ...,
        laminar: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class Hysteresis(Item):
    """The multiplier has two states: high until the row comes up to one level, low until it comes down to another: relay with a dead band, Schmitt trigger, thermostat. Energy: round a loop between the levels it gives (high - low) (upper - lower) to the row, as a heater or a drive does.

    low [N]: multiplier after the row was at `upper`, in its force unit; default 0
    high [N]: multiplier after the row was at `lower`, in its force unit; default 1
    lower: value of the row at which the multiplier goes to high, in the row's unit; required
    upper: value of the row at which the multiplier goes to low, in the row's unit; required
    start: state at the start of a run, where the row is between the levels; high or low; default high

    In a program: `m.add(sl.items.Hysteresis(lower=..., upper=...))`, which returns its handle.
    In a model file: {"laws": {"NAME": {"type": "hysteresis", "lower": ..., "upper": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    low: Number | None
    high: Number | None
    lower: Number
    upper: Number
    start: str | None
    def __init__(
        self,
        *,
        low: Number | None = ...,
        high: Number | None = ...,
        lower: Number,
        upper: Number,
        start: str | None = ...,
        name: str = ...,
    ) -> None: ...

class IdealTransformer(Item):
    """Ideal transformer: v_A - v_B = ratio (v_C - v_D), and ratio times the current from A to B comes out of C.

    A: terminal, current leaves it into the element; required (a node, or {node, coordinate})
    B: terminal, current enters it; required (a node, or {node, coordinate})
    C: first terminal of the other winding; required (a node, or {node, coordinate})
    D: its second terminal; required (a node, or {node, coordinate})
    current_of: its source_current; required (a node, or {node, coordinate})
    ratio: n: turns between A and B by those between C and D; required

    In a program: `m.add(sl.items.IdealTransformer(A=..., B=..., C=..., D=..., current_of=..., ratio=...))`, which returns its handle.
    In a model file: {"connectors": {"NAME": {"type": "ideal_transformer", "A": ..., "B": ..., "C": ..., "D": ..., "current_of": ..., "ratio": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    C: Reference
    D: Reference
    current_of: Reference
    ratio: Number
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        C: Reference,
        D: Reference,
        current_of: Reference,
        ratio: Number,
        name: str = ...,
    ) -> None: ...

class ImplicitSurface(Item):
    """A solid for contact where a formula d(x, y, z) is negative, such as a signed distance, in a box about its origin; all shapes touch it but planes, hollow ones and others by formula.

    body: the body, node or `ground` that carries it; required (a body, a frame, or the name of one)
    distance [m]: d(x, y, z) in the axes of the shape: negative inside, zero on the surface, smooth near it; required
    size [m]: edges along x, y, z of the box in which the solid is, its middle the origin; above 0; required
    position [m]: origin of the shape in the axes of the body's frame; default [0.0, 0.0, 0.0]
    rotation [rad]: rotation vector from the body's axes to the shape's; default [0.0, 0.0, 0.0]

    In a program: `m.add(sl.items.ImplicitSurface(body=..., distance=..., size=...))`, which returns its handle.
    In a model file: {"markers": {"NAME": {"type": "implicit_surface", "body": ..., "distance": ..., "size": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    body: Reference
    distance: Function
    size: Vector
    position: Vector | None
    rotation: Vector | None
    def __init__(
        self,
        *,
        body: Reference,
        distance: Function,
        size: Vector,
        position: Vector | None = ...,
        rotation: Vector | None = ...,
        name: str = ...,
    ) -> None: ...

class Inductor(Item):
    """Inductor with the resistance of its winding: v_A - v_B = L di/dt + R i; its current i from A to B is a state.

    A: terminal, current leaves it into the element; required (a node, or {node, coordinate})
    B: terminal, current enters it; required (a node, or {node, coordinate})
    current_of: its current_state; required (a node, or {node, coordinate})
    inductance [H]: L; above 0; required
    resistance [Ohm]: R of the winding; at least 0; default 0

    In a program: `m.add(sl.items.Inductor(A=..., B=..., current_of=..., inductance=...))`, which returns its handle.
    In a model file: {"connectors": {"NAME": {"type": "inductor", "A": ..., "B": ..., "current_of": ..., "inductance": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    current_of: Reference
    inductance: Number
    resistance: Number | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        current_of: Reference,
        inductance: Number,
        resistance: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class JointAngle(Item):
    """Angle about the z axis of two joint frames: a stop, or with a relay on rate dry friction.

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    at: where the joint is: world point in the reference position [m]; default: the frame B
    axis: z axis of the joint frames: x, y, z or a vector in world axes; default: z of the frame B
    rotation: rotation vector of the joint frames in the world [rad], instead of axis
    law: law of the rows; required (a law of saltus.items, or its name)
    limit [rad]: value at which the row vanishes; default 0
    sign: 1: free above, -1: free below; between -1 and 1; default 1
    center [rad]: whole turns are added to the angle so that it starts within half a turn of it; 0: none; default 0

    In a program: `m.add(sl.items.JointAngle(A=..., B=..., law=...))`, which returns its handle.
    In a model file: {"relations": {"NAME": {"type": "joint_angle", "A": ..., "B": ..., "law": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    at: Vector | Handle | None
    axis: str | Vector | None
    rotation: Vector | None
    law: str | Item | Handle
    limit: Number | None
    sign: Number | None
    center: Number | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        at: Vector | Handle | None = ...,
        axis: str | Vector | None = ...,
        rotation: Vector | None = ...,
        law: str | Item | Handle,
        limit: Number | None = ...,
        sign: Number | None = ...,
        center: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class JointCoordinate(Item):
    """A motion of a joint as a scalar coordinate: angle about z or position along z of B against A, or their distance.

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: the motion is that of B; required (a body, a frame, or the name of one)
    at: where the joint is: world point in the reference position [m]; default: the frame B
    axis: z axis of the joint frames: x, y, z or a vector in world axes; default: z of the frame B
    rotation: rotation vector of the joint frames in the world [rad], instead of axis
    motion: angle, its turns counted [rad], position [m] or distance [m]; angle, position or distance; default angle
    center [rad]: of an angle: whole turns are added so that it starts within half a turn of it; default 0

    In a program: `m.add(sl.items.JointCoordinate(A=..., B=...))`, which returns its handle.
    In a model file: {"markers": {"NAME": {"type": "joint_coordinate", "A": ..., "B": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    at: Vector | Handle | None
    axis: str | Vector | None
    rotation: Vector | None
    motion: str | None
    center: Number | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        at: Vector | Handle | None = ...,
        axis: str | Vector | None = ...,
        rotation: Vector | None = ...,
        motion: str | None = ...,
        center: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class JointForce(Item):
    """A drive force along the z axis of two joint frames, given as a function.

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    at: where the joint is: world point in the reference position [m]; default: the frame B
    axis: z axis of the joint frames: x, y, z or a vector in world axes; default: z of the frame B
    rotation: rotation vector of the joint frames in the world [rad], instead of axis
    force [N]: F(t, position, speed) on B along z of A; required

    In a program: `m.add(sl.items.JointForce(A=..., B=..., force=...))`, which returns its handle.
    In a model file: {"loads": {"NAME": {"type": "joint_force", "A": ..., "B": ..., "force": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    at: Vector | Handle | None
    axis: str | Vector | None
    rotation: Vector | None
    force: Function
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        at: Vector | Handle | None = ...,
        axis: str | Vector | None = ...,
        rotation: Vector | None = ...,
        force: Function,
        name: str = ...,
    ) -> None: ...

class JointPosition(Item):
    """Position along the z axis of two joint frames: a stop, or with a relay on rate dry friction.

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    at: where the joint is: world point in the reference position [m]; default: the frame B
    axis: z axis of the joint frames: x, y, z or a vector in world axes; default: z of the frame B
    rotation: rotation vector of the joint frames in the world [rad], instead of axis
    law: law of the rows; required (a law of saltus.items, or its name)
    limit [m]: value at which the row vanishes; default 0
    sign: 1: free above, -1: free below; between -1 and 1; default 1
    center [m]: has no effect on a position; default 0

    In a program: `m.add(sl.items.JointPosition(A=..., B=..., law=...))`, which returns its handle.
    In a model file: {"relations": {"NAME": {"type": "joint_position", "A": ..., "B": ..., "law": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    at: Vector | Handle | None
    axis: str | Vector | None
    rotation: Vector | None
    law: str | Item | Handle
    limit: Number | None
    sign: Number | None
    center: Number | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        at: Vector | Handle | None = ...,
        axis: str | Vector | None = ...,
        rotation: Vector | None = ...,
        law: str | Item | Handle,
        limit: Number | None = ...,
        sign: Number | None = ...,
        center: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class JointTorque(Item):
    """A drive torque about the z axis of two joint frames, given as a function.

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    at: where the joint is: world point in the reference position [m]; default: the frame B
    axis: z axis of the joint frames: x, y, z or a vector in world axes; default: z of the frame B
    rotation: rotation vector of the joint frames in the world [rad], instead of axis
    torque [N m]: M(t, angle, speed) on B about z; the angle counts turns; required

    In a program: `m.add(sl.items.JointTorque(A=..., B=..., torque=...))`, which returns its handle.
    In a model file: {"loads": {"NAME": {"type": "joint_torque", "A": ..., "B": ..., "torque": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    at: Vector | Handle | None
    axis: str | Vector | None
    rotation: Vector | None
    torque: Function
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        at: Vector | Handle | None = ...,
        axis: str | Vector | None = ...,
        rotation: Vector | None = ...,
        torque: Function,
        name: str = ...,
    ) -> None: ...

class JunctionVoltage(Item):
    """Place on the characteristic of a junction [V]: its voltage up to the bend, beyond it a line in its current.


    In a program: `m.add(sl.items.JunctionVoltage())`, which returns its handle.
    In a model file: {"nodes": {"NAME": {"type": "junction_voltage"}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    def __init__(
        self,
        *,
        name: str = ...,
    ) -> None: ...

class KinematicTree(Item):
    """A kinematic tree: links that revolute, prismatic and fixed joints carry, in the coordinates of these joints alone, without constraints.

    base: what its first links stand on; default: the ground (a body, a frame, or the name of one)

    In a program: `m.add(sl.items.KinematicTree())`, which returns its handle.
    In a model file: {"bodies": {"NAME": {"type": "kinematic_tree"}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    base: Reference | None
    def __init__(
        self,
        *,
        base: Reference | None = ...,
        name: str = ...,
    ) -> None: ...

class LinearCompliance(Item):
    """Compliant linear relation y = H q + b(t) + D lambda between coordinates.

    on: the coordinates, in the order of the equations; required (a node, or {node, coordinate})
    law: law of the rows; default: equality (a law of saltus.items, or its name)
    matrix: H (rows x coordinates); required
    compliance: D (rows x rows), of the multipliers; required
    offset: b(t), one result a row; default 0; default 0

    In a program: `m.add(sl.items.LinearCompliance(on=..., matrix=..., compliance=...))`, which returns its handle.
    In a model file: {"relations": {"NAME": {"type": "linear_compliance", "on": ..., "matrix": ..., "compliance": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    on: Reference
    law: str | Item | Handle | None
    matrix: Matrix
    compliance: Matrix
    offset: Function | None
    def __init__(
        self,
        *,
        on: Reference,
        law: str | Item | Handle | None = ...,
        matrix: Matrix,
        compliance: Matrix,
        offset: Function | None = ...,
        name: str = ...,
    ) -> None: ...

class LinearRelation(Item):
    """Linear relation y = H q + b(t) between coordinates.

    on: the coordinates, in the order of the equations; required (a node, or {node, coordinate})
    law: law of the rows; default: equality (a law of saltus.items, or its name)
    matrix: H (rows x coordinates); required
    offset: b(t), one result a row; default 0; default 0

    In a program: `m.add(sl.items.LinearRelation(on=..., matrix=...))`, which returns its handle.
    In a model file: {"relations": {"NAME": {"type": "linear_relation", "on": ..., "matrix": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    on: Reference
    law: str | Item | Handle | None
    matrix: Matrix
    offset: Function | None
    def __init__(
        self,
        *,
        on: Reference,
        law: str | Item | Handle | None = ...,
        matrix: Matrix,
        offset: Function | None = ...,
        name: str = ...,
    ) -> None: ...

class LugreFriction(Item):
    """Friction of bristles on a coordinate (LuGre): presliding, break-away, Stribeck effect, memory; the deflection of the bristles is a first-order state.

    bristles: a first-order state: the deflection z [m or rad]; required (a node, or {node, coordinate})
    on: the coordinate that it brakes, such as the angle of a hinge; required (a node, or {node, coordinate})
    stiffness: sigma_0 of the bristles, N/m or N m/rad; above 0; required
    damping: sigma_1 of the bristles, N s/m or N m s/rad; at least 0; default 0
    viscosity: sigma_2, N s/m or N m s/rad; at least 0; default 0
    coulomb: F_c, friction at high speed, N or N m; above 0; required
    breakaway: F_s, friction at rest, N or N m; at least F_c; above 0; required
    stribeck_speed: v_s, speed scale over which friction falls from F_s to F_c, m/s or rad/s; above 0; required

    In a program: `m.add(sl.items.LugreFriction(bristles=..., on=..., stiffness=..., coulomb=..., breakaway=..., stribeck_speed=...))`, which returns its handle.
    In a model file: {"connectors": {"NAME": {"type": "lugre_friction", "bristles": ..., "on": ..., "stiffness": ..., "coulomb": ..., "breakaway": ..., "stribeck_speed": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    bristles: Reference
    on: Reference
    stiffness: Number
    damping: Number | None
    viscosity: Number | None
    coulomb: Number
    breakaway: Number
    stribeck_speed: Number
    def __init__(
        self,
        *,
        bristles: Reference,
        on: Reference,
        stiffness: Number,
        damping: Number | None = ...,
        viscosity: Number | None = ...,
        coulomb: Number,
        breakaway: Number,
        stribeck_speed: Number,
        name: str = ...,
    ) -> None: ...

class LzbImpact(Item):
    """Frictionless impact of several contacts followed along its impulse, energy by pair (Liu, Zhao, Brogliato): waves in chains. Energy: each contact gives back restitution^2 of the work that closed it: no impact gives energy.

    restitution: e, square root of the work that a contact gives back over that which it took; between 0 and 1; default 1
    stiffness [N/m^n]: K, of which only ratios matter, between contacts of one impact; above 0; default 1
    exponent: n, of force over compression: 1 linear, 1.5 balls (Hertz); between 1 and 10; default 1.5

    In a program: `m.add(sl.items.LzbImpact())`, which returns its handle.
    In a model file: {"laws": {"NAME": {"type": "lzb_impact"}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    restitution: Number | None
    stiffness: Number | None
    exponent: Number | None
    def __init__(
        self,
        *,
        restitution: Number | None = ...,
        stiffness: Number | None = ...,
        exponent: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class Mass1d(Item):
    """A mass on one displacement. Gravity does not act on it.

    node: the node whose coordinates it moves; required (a node of saltus.items, or its name)
    mass [kg]: mass; above 0; required

    In a program: `m.add(sl.items.Mass1d(node=..., mass=...))`, which returns its handle.
    In a model file: {"bodies": {"NAME": {"type": "mass_1d", "node": ..., "mass": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    node: str | Item | Handle
    mass: Number
    def __init__(
        self,
        *,
        node: str | Item | Handle,
        mass: Number,
        name: str = ...,
    ) -> None: ...

class MassLoad(Item):
    """A load in proportion to the mass, of an acceleration field in the axes of a frame, at the centre of mass.

    on: the body; required (a body, a frame, or the name of one)
    axes: the frame of the field, or `ground`; required (a body, a frame, or the name of one)
    mass [kg]: m; at least 0; required
    center_of_mass [m]: where it acts, in the axes of the body's frame; default [0.0, 0.0, 0.0]
    acceleration [m/s^2]: three components, functions of t and of the place and velocity of the centre of mass in the frame; required

    In a program: `m.add(sl.items.MassLoad(on=..., axes=..., mass=..., acceleration=...))`, which returns its handle.
    In a model file: {"loads": {"NAME": {"type": "mass_load", "on": ..., "axes": ..., "mass": ..., "acceleration": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    on: Reference
    axes: Reference
    mass: Number
    center_of_mass: Vector | None
    acceleration: Function
    def __init__(
        self,
        *,
        on: Reference,
        axes: Reference,
        mass: Number,
        center_of_mass: Vector | None = ...,
        acceleration: Function,
        name: str = ...,
    ) -> None: ...

class Material(Item):
    """What shapes are made of: pairs of materials have the laws of contacts that have none of their own.

    shapes: shapes of this material; required

    In a program: `m.add(sl.items.Material(shapes=...))`, which returns its handle.
    In a model file: {"relations": {"NAME": {"type": "material", "shapes": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    shapes: Reference
    def __init__(
        self,
        *,
        shapes: Reference,
        name: str = ...,
    ) -> None: ...

class MaterialPair(Item):
    """The law of contacts between shapes of two materials, in groups without a law of their own.

    materials: two of them; one alone: where it touches itself; required
    law: newton_impact, coulomb_impact, rolling_impact or another that acts on a gap in space; required (a law of saltus.items, or its name)

    In a program: `m.add(sl.items.MaterialPair(materials=..., law=...))`, which returns its handle.
    In a model file: {"relations": {"NAME": {"type": "material_pair", "materials": ..., "law": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    materials: Reference
    law: str | Item | Handle
    def __init__(
        self,
        *,
        materials: Reference,
        law: str | Item | Handle,
        name: str = ...,
    ) -> None: ...

class Mesh(Item):
    """A surface of triangles for contact, open or closed: the side from which their corners run counter-clockwise is free.

    body: the body, node or `ground` that carries it; required (a body, a frame, or the name of one)
    points [m]: points (n x 3) in the axes of the shape; required
    triangles: numbers of their points (m x 3), from 0, counter-clockwise as seen from the free side; required
    position [m]: origin of the shape in the axes of the body's frame; default [0.0, 0.0, 0.0]
    rotation [rad]: rotation vector from the body's axes to the shape's; default [0.0, 0.0, 0.0]

    In a program: `m.add(sl.items.Mesh(body=..., points=..., triangles=...))`, which returns its handle.
    In a model file: {"markers": {"NAME": {"type": "mesh", "body": ..., "points": ..., "triangles": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    body: Reference
    points: Matrix
    triangles: Matrix
    position: Vector | None
    rotation: Vector | None
    def __init__(
        self,
        *,
        body: Reference,
        points: Matrix,
        triangles: Matrix,
        position: Vector | None = ...,
        rotation: Vector | None = ...,
        name: str = ...,
    ) -> None: ...

class Mixed(Item):
    """The first rows vanish; of the others row and multiplier are not negative and one of them vanishes. Energy: row times multiplier vanishes, row by row.

    equalities: number of rows, from the first, that vanish; at least 0; required
    on: acts on the rows' values or on their rates; value or rate; required

    In a program: `m.add(sl.items.Mixed(equalities=..., on=...))`, which returns its handle.
    In a model file: {"laws": {"NAME": {"type": "mixed", "equalities": ..., "on": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    equalities: int | str
    on: str
    def __init__(
        self,
        *,
        equalities: int | str,
        on: str,
        name: str = ...,
    ) -> None: ...

class MohrCoulomb(Item):
    """Contact with cohesion, an angle of friction and a bounded tension (Mohr, Coulomb), rows (n, t1, t2). Energy: without restitution none is given: friction acts against the slip, tension against a gap that opens.

    cohesion [N]: c, shear force that a closed contact bears without pressure; at least 0; default 0
    angle [rad]: phi, angle of friction; between 0.001 and 1.57; default 0.5
    tension [N]: t, largest pull of a closed contact; no more than the tip of the cone, c / tan(phi); at least 0; default 0
    restitution: e_n, normal speed after over before; between 0 and 1; default 0

    In a program: `m.add(sl.items.MohrCoulomb())`, which returns its handle.
    In a model file: {"laws": {"NAME": {"type": "mohr_coulomb"}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    cohesion: Number | None
    angle: Number | None
    tension: Number | None
    restitution: Number | None
    def __init__(
        self,
        *,
        cohesion: Number | None = ...,
        angle: Number | None = ...,
        tension: Number | None = ...,
        restitution: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class MohrCoulomb2d(Item):
    """Contact with cohesion, an angle of friction and a bounded tension in the plane (Mohr, Coulomb), rows (n, t). Energy: without restitution none is given: friction acts against the slip, tension against a gap that opens.

    cohesion [N]: c, shear force that a closed contact bears without pressure; at least 0; default 0
    angle [rad]: phi, angle of friction; between 0.001 and 1.57; default 0.5
    tension [N]: t, largest pull of a closed contact; no more than the tip of the cone, c / tan(phi); at least 0; default 0
    restitution: e_n, normal speed after over before; between 0 and 1; default 0

    In a program: `m.add(sl.items.MohrCoulomb2d())`, which returns its handle.
    In a model file: {"laws": {"NAME": {"type": "mohr_coulomb_2d"}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    cohesion: Number | None
    angle: Number | None
    tension: Number | None
    restitution: Number | None
    def __init__(
        self,
        *,
        cohesion: Number | None = ...,
        angle: Number | None = ...,
        tension: Number | None = ...,
        restitution: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class Mosfet(Item):
    """Field-effect transistor after Shichman and Hodges: off, linear and saturated range joined smoothly.

    A: drain; required (a node, or {node, coordinate})
    B: source; required (a node, or {node, coordinate})
    gate: terminal, no current flows through it; required (a node, or {node, coordinate})
    polarity: n or p; n or p; default n
    transconductance [A/V^2]: K; above 0; required
    threshold [V]: V: gate to source from which it conducts, of type p source to gate; required
    modulation [1/V]: lambda of the channel's length; at least 0; default 0

    In a program: `m.add(sl.items.Mosfet(A=..., B=..., gate=..., transconductance=..., threshold=...))`, which returns its handle.
    In a model file: {"connectors": {"NAME": {"type": "mosfet", "A": ..., "B": ..., "gate": ..., "transconductance": ..., "threshold": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    gate: Reference
    polarity: str | None
    transconductance: Number
    threshold: Number
    modulation: Number | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        gate: Reference,
        polarity: str | None = ...,
        transconductance: Number,
        threshold: Number,
        modulation: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class MosfetPiecewise(Item):
    """Field-effect transistor whose square law is a line of pieces, each switched by a complementarity.

    gate: terminal, no current flows through it; required (a node, or {node, coordinate})
    A: drain; required (a node, or {node, coordinate})
    B: source; required (a node, or {node, coordinate})
    law: law of the rows (a law of saltus.items, or its name)
    polarity: n or p; n or p; default n
    transconductance [A/V^2]: K; above 0; required
    threshold [V]: V: gate to source from which it conducts, of type p source to gate; required
    range [V]: voltage above the threshold up to which the pieces reach; above 0; required
    pieces: n, 1 to 6; between 1 and 6; default 4

    In a program: `m.add(sl.items.MosfetPiecewise(gate=..., A=..., B=..., transconductance=..., threshold=..., range=...))`, which returns its handle.
    In a model file: {"relations": {"NAME": {"type": "mosfet_piecewise", "gate": ..., "A": ..., "B": ..., "transconductance": ..., "threshold": ..., "range": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    gate: Reference
    A: Reference
    B: Reference
    law: str | Item | Handle | None
    polarity: str | None
    transconductance: Number
    threshold: Number
    range: Number
    pieces: int | str | None
    def __init__(
        self,
        *,
        gate: Reference,
        A: Reference,
        B: Reference,
        law: str | Item | Handle | None = ...,
        polarity: str | None = ...,
        transconductance: Number,
        threshold: Number,
        range: Number,
        pieces: int | str | None = ...,
        name: str = ...,
    ) -> None: ...

class MutualGravity(Item):
    """Attraction of two masses by Newton's law of gravity, between two points.

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    mass_A [kg]: mass at A; at least 0; required
    mass_B [kg]: mass at B; at least 0; required
    constant [m^3/(kg s^2)]: G, constant of gravity; above 0; default 6.6743e-11
    softening [m]: s, size within which the attraction does not grow any more; at least 0; default 0

    In a program: `m.add(sl.items.MutualGravity(A=..., B=..., mass_A=..., mass_B=...))`, which returns its handle.
    In a model file: {"connectors": {"NAME": {"type": "mutual_gravity", "A": ..., "B": ..., "mass_A": ..., "mass_B": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    mass_A: Number
    mass_B: Number
    constant: Number | None
    softening: Number | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        mass_A: Number,
        mass_B: Number,
        constant: Number | None = ...,
        softening: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class NewtonImpact(Item):
    """Frictionless impact by Newton's law of restitution. Energy: an impact takes (1 - restitution^2) of that along the normal; several at once give none if they have one restitution.

    restitution: e, speed after over speed before; between 0 and 1; default 0

    In a program: `m.add(sl.items.NewtonImpact())`, which returns its handle.
    In a model file: {"laws": {"NAME": {"type": "newton_impact"}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    restitution: Number | None
    def __init__(
        self,
        *,
        restitution: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class NoContact(Item):
    """Shapes of A and of B do not touch each other, whatever groups they are in.

    A: shapes; required
    B: shapes; left out: those of A among themselves

    In a program: `m.add(sl.items.NoContact(A=...))`, which returns its handle.
    In a model file: {"relations": {"NAME": {"type": "no_contact", "A": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference | None = ...,
        name: str = ...,
    ) -> None: ...

class Node1d(Item):
    """One mechanical coordinate: a displacement [m] or an angle [rad].

    coordinate: reference value of q, m or rad; default 0
    displacement: initial displacement from it, m or rad; default 0
    velocity: initial velocity, m/s or rad/s; default 0

    In a program: `m.add(sl.items.Node1d())`, which returns its handle.
    In a model file: {"nodes": {"NAME": {"type": "node_1d"}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    coordinate: Number | None
    displacement: Number | None
    velocity: Number | None
    def __init__(
        self,
        *,
        coordinate: Number | None = ...,
        displacement: Number | None = ...,
        velocity: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class NodeAlgebraic(Item):
    """Algebraic unknowns.

    count: number of unknowns; at least 1; required
    initial_guess: where the first solution starts; default 0; default []

    In a program: `m.add(sl.items.NodeAlgebraic(count=...))`, which returns its handle.
    In a model file: {"nodes": {"NAME": {"type": "node_algebraic", "count": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    count: int | str
    initial_guess: Vector | None
    def __init__(
        self,
        *,
        count: int | str,
        initial_guess: Vector | None = ...,
        name: str = ...,
    ) -> None: ...

class NodeData(Item):
    """Numbers that are stored with the state and not integrated.

    count: number of data variables; at least 1; required
    initial_values: initial values; default 0; default []

    In a program: `m.add(sl.items.NodeData(count=...))`, which returns its handle.
    In a model file: {"nodes": {"NAME": {"type": "node_data", "count": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    count: int | str
    initial_values: Vector | None
    def __init__(
        self,
        *,
        count: int | str,
        initial_values: Vector | None = ...,
        name: str = ...,
    ) -> None: ...

class NodeOde1(Item):
    """States of a first-order system.

    count: number of states; at least 1; required
    initial_values: initial values; default 0; default []

    In a program: `m.add(sl.items.NodeOde1(count=...))`, which returns its handle.
    In a model file: {"nodes": {"NAME": {"type": "node_ode1", "count": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    count: int | str
    initial_values: Vector | None
    def __init__(
        self,
        *,
        count: int | str,
        initial_values: Vector | None = ...,
        name: str = ...,
    ) -> None: ...

class NodeOde2(Item):
    """Generic coordinates of a second-order system.

    count: number of coordinates; at least 1; required
    coordinates: reference values of q; default 0; default []
    displacements: initial displacements from them; default 0; default []
    velocities: initial velocities; default 0; default []

    In a program: `m.add(sl.items.NodeOde2(count=...))`, which returns its handle.
    In a model file: {"nodes": {"NAME": {"type": "node_ode2", "count": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    count: int | str
    coordinates: Vector | None
    displacements: Vector | None
    velocities: Vector | None
    def __init__(
        self,
        *,
        count: int | str,
        coordinates: Vector | None = ...,
        displacements: Vector | None = ...,
        velocities: Vector | None = ...,
        name: str = ...,
    ) -> None: ...

class NodePoint(Item):
    """A point in space, three coordinates.

    position [m]: reference position, world axes; default [0.0, 0.0, 0.0]
    displacement [m]: initial displacement from it, world axes; default [0.0, 0.0, 0.0]
    velocity [m/s]: initial velocity, world axes; default [0.0, 0.0, 0.0]

    In a program: `m.add(sl.items.NodePoint())`, which returns its handle.
    In a model file: {"nodes": {"NAME": {"type": "node_point"}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    position: Vector | None
    displacement: Vector | None
    velocity: Vector | None
    def __init__(
        self,
        *,
        position: Vector | None = ...,
        displacement: Vector | None = ...,
        velocity: Vector | None = ...,
        name: str = ...,
    ) -> None: ...

class NodePoint2d(Item):
    """A point in the x-y plane, two coordinates.

    position [m]: reference position, world axes; z is the height of the plane; default [0.0, 0.0, 0.0]
    displacement [m]: initial displacement from it, world axes, z is 0; default [0.0, 0.0, 0.0]
    velocity [m/s]: initial velocity, world axes, z is 0; default [0.0, 0.0, 0.0]

    In a program: `m.add(sl.items.NodePoint2d())`, which returns its handle.
    In a model file: {"nodes": {"NAME": {"type": "node_point_2d"}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    position: Vector | None
    displacement: Vector | None
    velocity: Vector | None
    def __init__(
        self,
        *,
        position: Vector | None = ...,
        displacement: Vector | None = ...,
        velocity: Vector | None = ...,
        name: str = ...,
    ) -> None: ...

class NodePose(Item):
    """Where a link on a free joint stands: displacement and rotation on SO(3), six velocities.

    displacement [m]: initial displacement from the reference position, axes of the joint; default [0.0, 0.0, 0.0]
    rotation [rad]: initial rotation vector (axis times angle) from the reference position, axes of the joint; default [0.0, 0.0, 0.0]
    velocity [m/s]: initial velocity as seen from the parent, axes of the joint; default [0.0, 0.0, 0.0]
    angular_velocity [rad/s]: initial angular velocity against the parent, axes of the joint; default [0.0, 0.0, 0.0]

    In a program: `m.add(sl.items.NodePose())`, which returns its handle.
    In a model file: {"nodes": {"NAME": {"type": "node_pose"}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    displacement: Vector | None
    rotation: Vector | None
    velocity: Vector | None
    angular_velocity: Vector | None
    def __init__(
        self,
        *,
        displacement: Vector | None = ...,
        rotation: Vector | None = ...,
        velocity: Vector | None = ...,
        angular_velocity: Vector | None = ...,
        name: str = ...,
    ) -> None: ...

class NodeRigid(Item):
    """A frame in space: position and rotation on SO(3), six velocities.

    position [m]: reference position of the frame in world axes; default [0.0, 0.0, 0.0]
    rotation [rad]: rotation vector (axis times angle) from world to the frame; default [0.0, 0.0, 0.0]
    displacement [m]: initial displacement from the reference position, world axes; default [0.0, 0.0, 0.0]
    velocity [m/s]: initial velocity of the frame's origin, world axes; default [0.0, 0.0, 0.0]
    angular_velocity [rad/s]: initial angular velocity, world axes; default [0.0, 0.0, 0.0]

    In a program: `m.add(sl.items.NodeRigid())`, which returns its handle.
    In a model file: {"nodes": {"NAME": {"type": "node_rigid"}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    position: Vector | None
    rotation: Vector | None
    displacement: Vector | None
    velocity: Vector | None
    angular_velocity: Vector | None
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

class NodeRigid2d(Item):
    """A frame in the x-y plane, three coordinates: x, y and the angle about z.

    position [m]: reference position, world axes; z is the height of the plane; default [0.0, 0.0, 0.0]
    angle [rad]: reference angle about z; default 0
    displacement [m]: initial displacement from the reference position, z is 0; default [0.0, 0.0, 0.0]
    rotation [rad]: initial rotation from the reference angle; default 0
    velocity [m/s]: initial velocity of the frame's origin, world axes, z is 0; default [0.0, 0.0, 0.0]
    angular_velocity [rad/s]: initial angular velocity about z; default 0

    In a program: `m.add(sl.items.NodeRigid2d())`, which returns its handle.
    In a model file: {"nodes": {"NAME": {"type": "node_rigid_2d"}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    position: Vector | None
    angle: Number | None
    displacement: Vector | None
    rotation: Number | None
    velocity: Vector | None
    angular_velocity: Number | None
    def __init__(
        self,
        *,
        position: Vector | None = ...,
        angle: Number | None = ...,
        displacement: Vector | None = ...,
        rotation: Number | None = ...,
        velocity: Vector | None = ...,
        angular_velocity: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class NodeRotation(Item):
    """How a link on a ball joint is turned: a rotation on SO(3), three velocities.

    rotation [rad]: initial rotation vector (axis times angle) from the reference position, axes of the joint; default [0.0, 0.0, 0.0]
    angular_velocity [rad/s]: initial angular velocity against the parent, axes of the joint; default [0.0, 0.0, 0.0]

    In a program: `m.add(sl.items.NodeRotation())`, which returns its handle.
    In a model file: {"nodes": {"NAME": {"type": "node_rotation"}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    rotation: Vector | None
    angular_velocity: Vector | None
    def __init__(
        self,
        *,
        rotation: Vector | None = ...,
        angular_velocity: Vector | None = ...,
        name: str = ...,
    ) -> None: ...

class NormBound(Item):
    """The norm of the multipliers is bounded; where the rows do not vanish it is at the bound and the multipliers act against the rows. Energy: on a rate it takes the power bound |w|.

    bound [N]: b, largest norm of the multipliers, in their force unit; at least 0; required
    on: acts on the rows' values or on their rates (dry friction: rate); value or rate; required

    In a program: `m.add(sl.items.NormBound(bound=..., on=...))`, which returns its handle.
    In a model file: {"laws": {"NAME": {"type": "norm_bound", "bound": ..., "on": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    bound: Number
    on: str
    def __init__(
        self,
        *,
        bound: Number,
        on: str,
        name: str = ...,
    ) -> None: ...

class NormalCone(Item):
    """The multipliers stay in a polyhedron; where the rows do not vanish they are on its boundary and act against the rows: coupled relays. Energy: on a rate it takes the largest power that a multiplier of the polyhedron can: at least 0 where it holds 0.

    facets: F (facets x rows): F multiplier <= bounds; required
    bounds [N]: b, one a facet, in the multiplier's force unit; required
    on: acts on the rows' values or on their rates (dry friction: rate); value or rate; required

    In a program: `m.add(sl.items.NormalCone(facets=..., bounds=..., on=...))`, which returns its handle.
    In a model file: {"laws": {"NAME": {"type": "normal_cone", "facets": ..., "bounds": ..., "on": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    facets: Matrix
    bounds: Vector
    on: str
    def __init__(
        self,
        *,
        facets: Matrix,
        bounds: Vector,
        on: str,
        name: str = ...,
    ) -> None: ...

class OpAmp(Item):
    """Operational amplifier: its output A against B is such that the inputs C and D are at one potential, or the gain times their voltage.

    A: output; required (a node, or {node, coordinate})
    B: where its current comes from, such as the ground; required (a node, or {node, coordinate})
    C: input +; required (a node, or {node, coordinate})
    D: input -; required (a node, or {node, coordinate})
    current_of: its source_current; required (a node, or {node, coordinate})
    gain: of the open loop; 0: infinite; at least 0; default 0

    In a program: `m.add(sl.items.OpAmp(A=..., B=..., C=..., D=..., current_of=...))`, which returns its handle.
    In a model file: {"connectors": {"NAME": {"type": "op_amp", "A": ..., "B": ..., "C": ..., "D": ..., "current_of": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    C: Reference
    D: Reference
    current_of: Reference
    gain: Number | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        C: Reference,
        D: Reference,
        current_of: Reference,
        gain: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class OpAmpLimits(Item):
    """Bounds of the output voltage v_A - v_B of an op_amp: at a bound its inputs have different potentials.

    A: output; required (a node, or {node, coordinate})
    B: where its current comes from; required (a node, or {node, coordinate})
    current_of: the source_current of the op_amp; required (a node, or {node, coordinate})
    law: law of the rows (a law of saltus.items, or its name)
    low [V]: lowest output; required
    high [V]: highest output; required

    In a program: `m.add(sl.items.OpAmpLimits(A=..., B=..., current_of=..., low=..., high=...))`, which returns its handle.
    In a model file: {"relations": {"NAME": {"type": "op_amp_limits", "A": ..., "B": ..., "current_of": ..., "low": ..., "high": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    current_of: Reference
    law: str | Item | Handle | None
    low: Number
    high: Number
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        current_of: Reference,
        law: str | Item | Handle | None = ...,
        low: Number,
        high: Number,
        name: str = ...,
    ) -> None: ...

class OrthotropicImpact(Item):
    """Friction of two coefficients along two directions of A, and Newton impact, rows (n, t1, t2). Energy: friction takes the normal force times |(friction_1 u_1, friction_2 u_2)|, u the slip. Impacts as of coulomb_impact.

    friction_1: mu_1, friction coefficient along t1: x of a plane; above 0; default 0.5
    friction_2: mu_2, friction coefficient along t2: y of a plane; above 0; default 0.5
    restitution: e_n, normal speed after over before; between 0 and 1; default 0

    In a program: `m.add(sl.items.OrthotropicImpact())`, which returns its handle.
    In a model file: {"laws": {"NAME": {"type": "orthotropic_impact"}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    friction_1: Number | None
    friction_2: Number | None
    restitution: Number | None
    def __init__(
        self,
        *,
        friction_1: Number | None = ...,
        friction_2: Number | None = ...,
        restitution: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class PenaltyCam(Item):
    """Contact of a roller about the z axis of B with a cam, a closed curve in the plane of A, with a force that follows from their penetration.

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    radius [m]: radius of the roller about B; above 0; required
    profile [m]: distance of the cam's surface from the z axis of A at an angle from its x axis: a formula in `angle`, or a periodic table; required
    stiffness [N/m^n]: K, force at a depth of 1 m; above 0; required
    model: law of the normal force; hertz, hunt_crossley, lankarani_nikravesh, flores, walton_braun, dmt or jkr; default hertz
    exponent: n: 3/2 of Hertz's spheres, 1 a linear spring; at least 1; default 1.5
    damping [N s/m]: c, while they touch; at least 0; default 0
    restitution: e of hunt_crossley, lankarani_nikravesh, flores; above 0 and at most 1; default 1
    rest_speed [m/s]: least impact speed v_0 of these models: slower impacts count as this fast; above 0; default 0.001
    unloading [N/m]: K_2 of walton_braun, at least K; at least 0; default 0
    cohesion [N/m]: K_a of walton_braun; at least 0; default 0
    adhesion [J/m^2]: w of dmt and jkr, work of adhesion; at least 0; default 0
    friction: mu, coefficient of friction; at least 0; default 0
    slip_speed [m/s]: s_0, below which friction goes to 0; above 0; default 0.001
    pulls: whether `damping` may pull the bodies together as they part; default False

    In a program: `m.add(sl.items.PenaltyCam(A=..., B=..., radius=..., profile=..., stiffness=...))`, which returns its handle.
    In a model file: {"connectors": {"NAME": {"type": "penalty_cam", "A": ..., "B": ..., "radius": ..., "profile": ..., "stiffness": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    radius: Number
    profile: Function
    stiffness: Number
    model: str | None
    exponent: Number | None
    damping: Number | None
    restitution: Number | None
    rest_speed: Number | None
    unloading: Number | None
    cohesion: Number | None
    adhesion: Number | None
    friction: Number | None
    slip_speed: Number | None
    pulls: bool | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        radius: Number,
        profile: Function,
        stiffness: Number,
        model: str | None = ...,
        exponent: Number | None = ...,
        damping: Number | None = ...,
        restitution: Number | None = ...,
        rest_speed: Number | None = ...,
        unloading: Number | None = ...,
        cohesion: Number | None = ...,
        adhesion: Number | None = ...,
        friction: Number | None = ...,
        slip_speed: Number | None = ...,
        pulls: bool | None = ...,
        name: str = ...,
    ) -> None: ...

class PenaltyContact(Item):
    """Contact between two groups of shapes that may enter each other: a force at each point, of its depth.

    A: shapes; required
    B: shapes; left out: those of A among themselves. The force is what acts on B
    stiffness [N/m^n]: K, force at a depth of 1 m of each point; above 0; required
    model: hunt_crossley: K d^n (1 + 3/2 a d'); hertz: K d^n + c d', which does not pull; hunt_crossley or hertz; default hunt_crossley
    exponent: n: 3/2 of Hertz's spheres, 1 a linear spring; at least 1; default 1.5
    damping: a [s/m] of hunt_crossley: restitution is 1 - a v_0 of slow impacts; c [N s/m] of hertz; at least 0; default 0
    friction: mu, coefficient of friction; at least 0; default 0
    slip_speed [m/s]: s_0, below which friction goes to 0; above 0; default 0.001

    In a program: `m.add(sl.items.PenaltyContact(A=..., stiffness=...))`, which returns its handle.
    In a model file: {"connectors": {"NAME": {"type": "penalty_contact", "A": ..., "stiffness": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference | None
    stiffness: Number
    model: str | None
    exponent: Number | None
    damping: Number | None
    friction: Number | None
    slip_speed: Number | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference | None = ...,
        stiffness: Number,
        model: str | None = ...,
        exponent: Number | None = ...,
        damping: Number | None = ...,
        friction: Number | None = ...,
        slip_speed: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class PenaltyDiscOutline(Item):
    """Contact of the rim of a disc about z of B with a kerb or step of A, with a force that follows from their penetration.

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    radius [m]: radius of the disc; 0: a sphere of radius `edge`; at least 0; default 0
    edge [m]: radius of the rounding of the rim, added to `radius`; at least 0; default 0
    points [m]: corners (n x 2) of the ground, x and z in the axes of A, the ground is on the right of the path through them; the first and the last edge go on; default []
    rounding [m]: radius of the corners; at least 0; default 0
    stiffness [N/m^n]: K, force at a depth of 1 m; above 0; required
    model: law of the normal force; hertz, hunt_crossley, lankarani_nikravesh, flores, walton_braun, dmt or jkr; default hertz
    exponent: n: 3/2 of Hertz's spheres, 1 a linear spring; at least 1; default 1.5
    damping [N s/m]: c, while they touch; at least 0; default 0
    restitution: e of hunt_crossley, lankarani_nikravesh, flores; above 0 and at most 1; default 1
    rest_speed [m/s]: least impact speed v_0 of these models: slower impacts count as this fast; above 0; default 0.001
    unloading [N/m]: K_2 of walton_braun, at least K; at least 0; default 0
    cohesion [N/m]: K_a of walton_braun; at least 0; default 0
    adhesion [J/m^2]: w of dmt and jkr, work of adhesion; at least 0; default 0
    friction: mu, coefficient of friction; at least 0; default 0
    slip_speed [m/s]: s_0, below which friction goes to 0; above 0; default 0.001
    pulls: whether `damping` may pull the bodies together as they part; default False

    In a program: `m.add(sl.items.PenaltyDiscOutline(A=..., B=..., stiffness=...))`, which returns its handle.
    In a model file: {"connectors": {"NAME": {"type": "penalty_disc_outline", "A": ..., "B": ..., "stiffness": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    radius: Number | None
    edge: Number | None
    points: Matrix | None
    rounding: Number | None
    stiffness: Number
    model: str | None
    exponent: Number | None
    damping: Number | None
    restitution: Number | None
    rest_speed: Number | None
    unloading: Number | None
    cohesion: Number | None
    adhesion: Number | None
    friction: Number | None
    slip_speed: Number | None
    pulls: bool | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        radius: Number | None = ...,
        edge: Number | None = ...,
        points: Matrix | None = ...,
        rounding: Number | None = ...,
        stiffness: Number,
        model: str | None = ...,
        exponent: Number | None = ...,
        damping: Number | None = ...,
        restitution: Number | None = ...,
        rest_speed: Number | None = ...,
        unloading: Number | None = ...,
        cohesion: Number | None = ...,
        adhesion: Number | None = ...,
        friction: Number | None = ...,
        slip_speed: Number | None = ...,
        pulls: bool | None = ...,
        name: str = ...,
    ) -> None: ...

class PenaltyRoll(Item):
    """Contact of a convex roll about the y axis of B with the plane z = 0 of A with a force that follows from the penetration.

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    length [m]: l; above 0; required
    profile [m]: radius at s along the axis, from -l/2 to l/2, convex outward: a formula of `s`, or a table; required
    stiffness [N/m^n]: K, force at a depth of 1 m; above 0; required
    model: law of the normal force; hertz, hunt_crossley, lankarani_nikravesh, flores, walton_braun, dmt or jkr; default hertz
    exponent: n: 3/2 of Hertz's spheres, 1 a linear spring; at least 1; default 1.5
    damping [N s/m]: c, while they touch; at least 0; default 0
    restitution: e of hunt_crossley, lankarani_nikravesh, flores; above 0 and at most 1; default 1
    rest_speed [m/s]: least impact speed v_0 of these models: slower impacts count as this fast; above 0; default 0.001
    unloading [N/m]: K_2 of walton_braun, at least K; at least 0; default 0
    cohesion [N/m]: K_a of walton_braun; at least 0; default 0
    adhesion [J/m^2]: w of dmt and jkr, work of adhesion; at least 0; default 0
    friction: mu, coefficient of friction; at least 0; default 0
    slip_speed [m/s]: s_0, below which friction goes to 0; above 0; default 0.001
    pulls: whether `damping` may pull the bodies together as they part; default False

    In a program: `m.add(sl.items.PenaltyRoll(A=..., B=..., length=..., profile=..., stiffness=...))`, which returns its handle.
    In a model file: {"connectors": {"NAME": {"type": "penalty_roll", "A": ..., "B": ..., "length": ..., "profile": ..., "stiffness": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    length: Number
    profile: Function
    stiffness: Number
    model: str | None
    exponent: Number | None
    damping: Number | None
    restitution: Number | None
    rest_speed: Number | None
    unloading: Number | None
    cohesion: Number | None
    adhesion: Number | None
    friction: Number | None
    slip_speed: Number | None
    pulls: bool | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        length: Number,
        profile: Function,
        stiffness: Number,
        model: str | None = ...,
        exponent: Number | None = ...,
        damping: Number | None = ...,
        restitution: Number | None = ...,
        rest_speed: Number | None = ...,
        unloading: Number | None = ...,
        cohesion: Number | None = ...,
        adhesion: Number | None = ...,
        friction: Number | None = ...,
        slip_speed: Number | None = ...,
        pulls: bool | None = ...,
        name: str = ...,
    ) -> None: ...

class PenaltySpherePlane(Item):
    """Contact of a sphere about B with the plane z = 0 of A, its outside at z > 0, with a force that follows from the penetration.

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    radius [m]: radius of the sphere about B; above 0; required
    stiffness [N/m^n]: K, force at a depth of 1 m; above 0; required
    model: law of the normal force; hertz, hunt_crossley, lankarani_nikravesh, flores, walton_braun, dmt or jkr; default hertz
    exponent: n: 3/2 of Hertz's spheres, 1 a linear spring; at least 1; default 1.5
    damping [N s/m]: c, while they touch; at least 0; default 0
    restitution: e of hunt_crossley, lankarani_nikravesh, flores; above 0 and at most 1; default 1
    rest_speed [m/s]: least impact speed v_0 of these models: slower impacts count as this fast; above 0; default 0.001
    unloading [N/m]: K_2 of walton_braun, at least K; at least 0; default 0
    cohesion [N/m]: K_a of walton_braun; at least 0; default 0
    adhesion [J/m^2]: w of dmt and jkr, work of adhesion; at least 0; default 0
    friction: mu, coefficient of friction; at least 0; default 0
    slip_speed [m/s]: s_0, below which friction goes to 0; above 0; default 0.001
    pulls: whether `damping` may pull the bodies together as they part; default False

    In a program: `m.add(sl.items.PenaltySpherePlane(A=..., B=..., radius=..., stiffness=...))`, which returns its handle.
    In a model file: {"connectors": {"NAME": {"type": "penalty_sphere_plane", "A": ..., "B": ..., "radius": ..., "stiffness": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    radius: Number
    stiffness: Number
    model: str | None
    exponent: Number | None
    damping: Number | None
    restitution: Number | None
    rest_speed: Number | None
    unloading: Number | None
    cohesion: Number | None
    adhesion: Number | None
    friction: Number | None
    slip_speed: Number | None
    pulls: bool | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        radius: Number,
        stiffness: Number,
        model: str | None = ...,
        exponent: Number | None = ...,
        damping: Number | None = ...,
        restitution: Number | None = ...,
        rest_speed: Number | None = ...,
        unloading: Number | None = ...,
        cohesion: Number | None = ...,
        adhesion: Number | None = ...,
        friction: Number | None = ...,
        slip_speed: Number | None = ...,
        pulls: bool | None = ...,
        name: str = ...,
    ) -> None: ...

class PenaltySphereTorus(Item):
    """Contact of a sphere about B with a torus about the z axis of A with a force that follows from the penetration.

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    ring_radius [m]: radius of the tube's middle line; above 0; required
    tube_radius [m]: radius of the tube; above 0; required
    radius [m]: radius of the sphere about B; above 0; required
    stiffness [N/m^n]: K, force at a depth of 1 m; above 0; required
    model: law of the normal force; hertz, hunt_crossley, lankarani_nikravesh, flores, walton_braun, dmt or jkr; default hertz
    exponent: n: 3/2 of Hertz's spheres, 1 a linear spring; at least 1; default 1.5
    damping [N s/m]: c, while they touch; at least 0; default 0
    restitution: e of hunt_crossley, lankarani_nikravesh, flores; above 0 and at most 1; default 1
    rest_speed [m/s]: least impact speed v_0 of these models: slower impacts count as this fast; above 0; default 0.001
    unloading [N/m]: K_2 of walton_braun, at least K; at least 0; default 0
    cohesion [N/m]: K_a of walton_braun; at least 0; default 0
    adhesion [J/m^2]: w of dmt and jkr, work of adhesion; at least 0; default 0
    friction: mu, coefficient of friction; at least 0; default 0
    slip_speed [m/s]: s_0, below which friction goes to 0; above 0; default 0.001
    pulls: whether `damping` may pull the bodies together as they part; default False

    In a program: `m.add(sl.items.PenaltySphereTorus(A=..., B=..., ring_radius=..., tube_radius=..., radius=..., stiffness=...))`, which returns its handle.
    In a model file: {"connectors": {"NAME": {"type": "penalty_sphere_torus", "A": ..., "B": ..., "ring_radius": ..., "tube_radius": ..., "radius": ..., "stiffness": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    ring_radius: Number
    tube_radius: Number
    radius: Number
    stiffness: Number
    model: str | None
    exponent: Number | None
    damping: Number | None
    restitution: Number | None
    rest_speed: Number | None
    unloading: Number | None
    cohesion: Number | None
    adhesion: Number | None
    friction: Number | None
    slip_speed: Number | None
    pulls: bool | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        ring_radius: Number,
        tube_radius: Number,
        radius: Number,
        stiffness: Number,
        model: str | None = ...,
        exponent: Number | None = ...,
        damping: Number | None = ...,
        restitution: Number | None = ...,
        rest_speed: Number | None = ...,
        unloading: Number | None = ...,
        cohesion: Number | None = ...,
        adhesion: Number | None = ...,
        friction: Number | None = ...,
        slip_speed: Number | None = ...,
        pulls: bool | None = ...,
        name: str = ...,
    ) -> None: ...

class PenaltySpheres(Item):
    """Contact of two spheres about the origins of two frames with a force that follows from their penetration.

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    radius_A [m]: radius of the sphere about A; above 0; required
    radius_B [m]: radius of the sphere about B; above 0; required
    stiffness [N/m^n]: K, force at a depth of 1 m; above 0; required
    model: law of the normal force; hertz, hunt_crossley, lankarani_nikravesh, flores, walton_braun, dmt or jkr; default hertz
    exponent: n: 3/2 of Hertz's spheres, 1 a linear spring; at least 1; default 1.5
    damping [N s/m]: c, while they touch; at least 0; default 0
    restitution: e of hunt_crossley, lankarani_nikravesh, flores; above 0 and at most 1; default 1
    rest_speed [m/s]: least impact speed v_0 of these models: slower impacts count as this fast; above 0; default 0.001
    unloading [N/m]: K_2 of walton_braun, at least K; at least 0; default 0
    cohesion [N/m]: K_a of walton_braun; at least 0; default 0
    adhesion [J/m^2]: w of dmt and jkr, work of adhesion; at least 0; default 0
    friction: mu, coefficient of friction; at least 0; default 0
    slip_speed [m/s]: s_0, below which friction goes to 0; above 0; default 0.001
    pulls: whether `damping` may pull the bodies together as they part; default False

    In a program: `m.add(sl.items.PenaltySpheres(A=..., B=..., radius_A=..., radius_B=..., stiffness=...))`, which returns its handle.
    In a model file: {"connectors": {"NAME": {"type": "penalty_spheres", "A": ..., "B": ..., "radius_A": ..., "radius_B": ..., "stiffness": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    radius_A: Number
    radius_B: Number
    stiffness: Number
    model: str | None
    exponent: Number | None
    damping: Number | None
    restitution: Number | None
    rest_speed: Number | None
    unloading: Number | None
    cohesion: Number | None
    adhesion: Number | None
    friction: Number | None
    slip_speed: Number | None
    pulls: bool | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        radius_A: Number,
        radius_B: Number,
        stiffness: Number,
        model: str | None = ...,
        exponent: Number | None = ...,
        damping: Number | None = ...,
        restitution: Number | None = ...,
        rest_speed: Number | None = ...,
        unloading: Number | None = ...,
        cohesion: Number | None = ...,
        adhesion: Number | None = ...,
        friction: Number | None = ...,
        slip_speed: Number | None = ...,
        pulls: bool | None = ...,
        name: str = ...,
    ) -> None: ...

class PlanarFixed(Item):
    """Rigid connection of two bodies of a planar mechanism.

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    at: where the joint is: world point in the reference position [m]; default: the frame B
    axis: z axis of the joint frames: x, y, z or a vector in world axes; default: z of the frame B
    rotation: rotation vector of the joint frames in the world [rad], instead of axis
    law: law of the rows (a law of saltus.items, or its name)

    In a program: `m.add(sl.items.PlanarFixed(A=..., B=...))`, which returns its handle.
    In a model file: {"joints": {"NAME": {"type": "planar_fixed", "A": ..., "B": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    at: Vector | Handle | None
    axis: str | Vector | None
    rotation: Vector | None
    law: str | Item | Handle | None
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

class PlanarPrismatic(Item):
    """Slide of a planar mechanism: translation along z of the joint frames is free, whose x is the normal of the x-y plane.

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    at: where the joint is: world point in the reference position [m]; default: the frame B
    axis: z axis of the joint frames: x, y, z or a vector in world axes; default: z of the frame B
    rotation: rotation vector of the joint frames in the world [rad], instead of axis
    law: law of the rows (a law of saltus.items, or its name)

    In a program: `m.add(sl.items.PlanarPrismatic(A=..., B=...))`, which returns its handle.
    In a model file: {"joints": {"NAME": {"type": "planar_prismatic", "A": ..., "B": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    at: Vector | Handle | None
    axis: str | Vector | None
    rotation: Vector | None
    law: str | Item | Handle | None
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

class PlanarRevolute(Item):
    """Pin of a planar mechanism: two points of bodies in the x-y plane coincide.

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    at: where the joint is: world point in the reference position [m]; default: the frame B
    axis: z axis of the joint frames: x, y, z or a vector in world axes; default: z of the frame B
    rotation: rotation vector of the joint frames in the world [rad], instead of axis
    law: law of the rows (a law of saltus.items, or its name)

    In a program: `m.add(sl.items.PlanarRevolute(A=..., B=...))`, which returns its handle.
    In a model file: {"joints": {"NAME": {"type": "planar_revolute", "A": ..., "B": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    at: Vector | Handle | None
    axis: str | Vector | None
    rotation: Vector | None
    law: str | Item | Handle | None
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

class Plane(Item):
    """A plane for contact: the half-space z <= 0 of its frame is solid.

    body: the body, node or `ground` that carries it; required (a body, a frame, or the name of one)
    position [m]: origin of the shape in the axes of the body's frame; default [0.0, 0.0, 0.0]
    rotation [rad]: rotation vector from the body's axes to the shape's; default [0.0, 0.0, 0.0]

    In a program: `m.add(sl.items.Plane(body=...))`, which returns its handle.
    In a model file: {"markers": {"NAME": {"type": "plane", "body": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    body: Reference
    position: Vector | None
    rotation: Vector | None
    def __init__(
        self,
        *,
        body: Reference,
        position: Vector | None = ...,
        rotation: Vector | None = ...,
        name: str = ...,
    ) -> None: ...

class PlaneContact(Item):
    """Contact of a sphere or point B with the plane z = 0 of A, rows (n, t1, t2).

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    law: law of the rows; required (a law of saltus.items, or its name)
    radius [m]: radius of the sphere about B; 0: a point; at least 0; default 0

    In a program: `m.add(sl.items.PlaneContact(A=..., B=..., law=...))`, which returns its handle.
    In a model file: {"relations": {"NAME": {"type": "plane_contact", "A": ..., "B": ..., "law": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    law: str | Item | Handle
    radius: Number | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        law: str | Item | Handle,
        radius: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class PlaneContact2d(Item):
    """Contact of a sphere or point B with the plane z = 0 of A, rows (n, t along x).

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    law: law of the rows; required (a law of saltus.items, or its name)
    radius [m]: radius of the sphere about B; 0: a point; at least 0; default 0

    In a program: `m.add(sl.items.PlaneContact2d(A=..., B=..., law=...))`, which returns its handle.
    In a model file: {"relations": {"NAME": {"type": "plane_contact_2d", "A": ..., "B": ..., "law": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    law: str | Item | Handle
    radius: Number | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        law: str | Item | Handle,
        radius: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class PlaneGap(Item):
    """Gap between a sphere or point B and the plane z = 0 of A, without friction.

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    law: law of the rows; required (a law of saltus.items, or its name)
    radius [m]: radius of the sphere about B; 0: a point; at least 0; default 0

    In a program: `m.add(sl.items.PlaneGap(A=..., B=..., law=...))`, which returns its handle.
    In a model file: {"relations": {"NAME": {"type": "plane_gap", "A": ..., "B": ..., "law": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    law: str | Item | Handle
    radius: Number | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        law: str | Item | Handle,
        radius: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class PlaneRollingContact(Item):
    """Contact of a sphere B with the plane z = 0 of A, rows (n, t1, t2, roll about t1, t2, spin about n).

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    law: law of the rows; required (a law of saltus.items, or its name)
    radius [m]: radius of the sphere about B; 0: a point; at least 0; default 0

    In a program: `m.add(sl.items.PlaneRollingContact(A=..., B=..., law=...))`, which returns its handle.
    In a model file: {"relations": {"NAME": {"type": "plane_rolling_contact", "A": ..., "B": ..., "law": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    law: str | Item | Handle
    radius: Number | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        law: str | Item | Handle,
        radius: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class PlaneRollingContact2d(Item):
    """Contact of a disc B with the plane z = 0 of A, rows (n, t along x, roll about y).

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    law: law of the rows; required (a law of saltus.items, or its name)
    radius [m]: radius of the sphere about B; 0: a point; at least 0; default 0

    In a program: `m.add(sl.items.PlaneRollingContact2d(A=..., B=..., law=...))`, which returns its handle.
    In a model file: {"relations": {"NAME": {"type": "plane_rolling_contact_2d", "A": ..., "B": ..., "law": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    law: str | Item | Handle
    radius: Number | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        law: str | Item | Handle,
        radius: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class PneumaticCylinder(Item):
    """Pneumatic cylinder with two chambers of an ideal gas and its valve, on the position of a slide or the distance of two frames.

    piston_pressure: a first-order state: p_1 [Pa]; required (a node, or {node, coordinate})
    rod_pressure: a first-order state: p_2 [Pa]; required (a node, or {node, coordinate})
    on: the coordinate that it pushes: a slide's position, the distance of two frames; required (a node, or {node, coordinate})
    piston_area [m^2]: A_1, of the chamber that grows with the coordinate; above 0; required
    rod_area [m^2]: A_2, of the other chamber; above 0; required
    piston_volume [m^3]: V_1 where the coordinate is 0, lines included; required
    rod_volume [m^3]: V_2 where the coordinate is 0, lines included; required
    exponent: n of the change of state: 1 isothermal, 1.4 adiabatic of air; above 0; default 1.2
    gas_constant [J/(kg K)]: R; above 0; default 287
    temperature [K]: T of what flows in; above 0; default 293.15
    ambient [Pa]: pressure of the surroundings, on the rod; at least 0; default 101325
    piston_flow [kg/s]: Q_1(t, p1, p2) into the first chamber beside the valve: pumps, leakage; default 0
    rod_flow [kg/s]: Q_2(t, p1, p2) into the second; default 0
    spool: s(t, p1, p2, u, v) of the valve, -1 to 1; u the coordinate, v its rate; default 0
    conductance [kg/(s Pa)]: C of an edge of the valve at s = 1, by absolute pressure (ISO 6358); at least 0; default 0
    supply [Pa]: pressure of the supply, absolute; default 0
    tank [Pa]: pressure of the exhaust, absolute; default 101325
    laminar [Pa]: difference of pressure below which the flow through an edge is linear in it; above 0; default 1000

    In a program: `m.add(sl.items.PneumaticCylinder(piston_pressure=..., rod_pressure=..., on=..., piston_area=..., rod_area=..., piston_volume=..., rod_volume=...))`, which returns its handle.
    In a model file: {"connectors": {"NAME": {"type": "pneumatic_cylinder", "piston_pressure": ..., "rod_pressure": ..., "on": ..., "piston_area": ..., "rod_area": ..., "piston_volume": ..., "rod_volume": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    piston_pressure: Reference
    rod_pressure: Reference
    on: Reference
    piston_area: Number
    rod_area: Number
    piston_volume: Number
    rod_volume: Number
    exponent: Number | None
    gas_constant: Number | None
    temperature: Number | None
    ambient: Number | None
    piston_flow: Function | None
    rod_flow: Function | None
    spool: Function | None
    conductance: Number | None
    supply: Number | None
    tank: Number | None
    laminar: Number | None
    def __init__(
        self,
        *,
        piston_pressure: Reference,
        rod_pressure: Reference,
        on: Reference,
        piston_area: Number,
        rod_area: Number,
        piston_volume: Number,
        rod_volume: Number,
        exponent: Number | None = ...,
        gas_constant: Number | None = ...,
        temperature: Number | None = ...,
        ambient: Number | None = ...,
        piston_flow: Function | None = ...,
        rod_flow: Function | None = ...,
        spool: Function | None = ...,
        conductance: Number | None = ...,
        supply: Number | None = ...,
        tank: Number | None = ...,
        laminar: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class PointMass(Item):
    """A mass concentrated in a point, on a node that carries a frame.

    node: the node whose coordinates it moves; required (a node of saltus.items, or its name)
    mass [kg]: mass; above 0; required
    gravity_share: share of the model's gravity that it feels: 0 floats, 1 falls; default 1

    In a program: `m.add(sl.items.PointMass(node=..., mass=...))`, which returns its handle.
    In a model file: {"bodies": {"NAME": {"type": "point_mass", "node": ..., "mass": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    node: str | Item | Handle
    mass: Number
    gravity_share: Number | None
    def __init__(
        self,
        *,
        node: str | Item | Handle,
        mass: Number,
        gravity_share: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class PoissonCoulombImpact(Item):
    """Coulomb friction and impact in Poisson's two phases, rows (n, t1, t2). Energy: with one restitution for all contacts no impact gives energy.

    friction: mu, friction coefficient; at least 0; default 0
    restitution: e, impulse of expansion over that of compression; between 0 and 1; default 0

    In a program: `m.add(sl.items.PoissonCoulombImpact())`, which returns its handle.
    In a model file: {"laws": {"NAME": {"type": "poisson_coulomb_impact"}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    friction: Number | None
    restitution: Number | None
    def __init__(
        self,
        *,
        friction: Number | None = ...,
        restitution: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class PoissonCoulombImpact2d(Item):
    """Coulomb friction and impact in Poisson's two phases in the plane, rows (n, t). Energy: with one restitution for all contacts no impact gives energy.

    friction: mu, friction coefficient; at least 0; default 0
    restitution: e, impulse of expansion over that of compression; between 0 and 1; default 0

    In a program: `m.add(sl.items.PoissonCoulombImpact2d())`, which returns its handle.
    In a model file: {"laws": {"NAME": {"type": "poisson_coulomb_impact_2d"}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    friction: Number | None
    restitution: Number | None
    def __init__(
        self,
        *,
        friction: Number | None = ...,
        restitution: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class PoissonImpact(Item):
    """Frictionless impact in Poisson's two phases: compression, then expansion. Energy: no impact gives energy, whatever the restitution of each contact.

    restitution: e, impulse of expansion over that of compression; between 0 and 1; default 0

    In a program: `m.add(sl.items.PoissonImpact())`, which returns its handle.
    In a model file: {"laws": {"NAME": {"type": "poisson_impact"}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    restitution: Number | None
    def __init__(
        self,
        *,
        restitution: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class Presence(Item):
    """Bodies come and go: while they are away they have no forces, no contacts and no energy.

    bodies: bodies that come and go, one by one; required
    begin [s]: time at which the first appears; 0: it is there from the start; at least 0; default 0
    end [s]: time at which all are removed; 0: never; at least 0; default 0
    interval [s]: time from one body to the next; at least 0; default 0
    present: they are there while this function of t is above 0, seen at ends of steps; of parameters that a run may change: by the state; default 1
    inside: one at whose origin this function of x, y, z is not above 0 at the end of a step is removed for the rest of the run; default 1
    together: they come and go together, as bodies with joints between them have to; default False

    In a program: `m.add(sl.items.Presence(bodies=...))`, which returns its handle.
    In a model file: {"relations": {"NAME": {"type": "presence", "bodies": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    bodies: Reference
    begin: Number | None
    end: Number | None
    interval: Number | None
    present: Function | None
    inside: Function | None
    together: bool | None
    def __init__(
        self,
        *,
        bodies: Reference,
        begin: Number | None = ...,
        end: Number | None = ...,
        interval: Number | None = ...,
        present: Function | None = ...,
        inside: Function | None = ...,
        together: bool | None = ...,
        name: str = ...,
    ) -> None: ...

class Prismatic(Item):
    """Prismatic joint: translation along the z axis of the joint frames is free.

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    at: where the joint is: world point in the reference position [m]; default: the frame B
    axis: z axis of the joint frames: x, y, z or a vector in world axes; default: z of the frame B
    rotation: rotation vector of the joint frames in the world [rad], instead of axis
    law: law of the rows (a law of saltus.items, or its name)

    In a program: `m.add(sl.items.Prismatic(A=..., B=...))`, which returns its handle.
    In a model file: {"joints": {"NAME": {"type": "prismatic", "A": ..., "B": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    at: Vector | Handle | None
    axis: str | Vector | None
    rotation: Vector | None
    law: str | Item | Handle | None
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

class PrismaticDrive(Item):
    """Prescribes the displacement along the z axis of two joint frames.

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    at: where the joint is: world point in the reference position [m]; default: the frame B
    axis: z axis of the joint frames: x, y, z or a vector in world axes; default: z of the frame B
    rotation: rotation vector of the joint frames in the world [rad], instead of axis
    law: law of the rows (a law of saltus.items, or its name)
    position [m]: prescribed value, a function of t; required

    In a program: `m.add(sl.items.PrismaticDrive(A=..., B=..., position=...))`, which returns its handle.
    In a model file: {"joints": {"NAME": {"type": "prismatic_drive", "A": ..., "B": ..., "position": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    at: Vector | Handle | None
    axis: str | Vector | None
    rotation: Vector | None
    law: str | Item | Handle | None
    position: Function
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        at: Vector | Handle | None = ...,
        axis: str | Vector | None = ...,
        rotation: Vector | None = ...,
        law: str | Item | Handle | None = ...,
        position: Function,
        name: str = ...,
    ) -> None: ...

class PrismaticLock(Item):
    """Holds the position along the z axis of two joint frames while it is locked; breaks above a force.

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    at: where the joint is: world point in the reference position [m]; default: the frame B
    axis: z axis of the joint frames: x, y, z or a vector in world axes; default: z of the frame B
    rotation: rotation vector of the joint frames in the world [rad], instead of axis
    law: law of the rows (a law of saltus.items, or its name)
    locked: it holds while this function of t is above 0; default 1
    limit [N]: breaks above this force or torque; 0: never; at least 0; default 0

    In a program: `m.add(sl.items.PrismaticLock(A=..., B=...))`, which returns its handle.
    In a model file: {"joints": {"NAME": {"type": "prismatic_lock", "A": ..., "B": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    at: Vector | Handle | None
    axis: str | Vector | None
    rotation: Vector | None
    law: str | Item | Handle | None
    locked: Function | None
    limit: Number | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        at: Vector | Handle | None = ...,
        axis: str | Vector | None = ...,
        rotation: Vector | None = ...,
        law: str | Item | Handle | None = ...,
        locked: Function | None = ...,
        limit: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class PrismaticSpeedDrive(Item):
    """Prescribes the speed along the z axis of two joint frames.

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    at: where the joint is: world point in the reference position [m]; default: the frame B
    axis: z axis of the joint frames: x, y, z or a vector in world axes; default: z of the frame B
    rotation: rotation vector of the joint frames in the world [rad], instead of axis
    law: law of the rows (a law of saltus.items, or its name)
    speed [m/s]: prescribed value, a function of t; required

    In a program: `m.add(sl.items.PrismaticSpeedDrive(A=..., B=..., speed=...))`, which returns its handle.
    In a model file: {"joints": {"NAME": {"type": "prismatic_speed_drive", "A": ..., "B": ..., "speed": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    at: Vector | Handle | None
    axis: str | Vector | None
    rotation: Vector | None
    law: str | Item | Handle | None
    speed: Function
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        at: Vector | Handle | None = ...,
        axis: str | Vector | None = ...,
        rotation: Vector | None = ...,
        law: str | Item | Handle | None = ...,
        speed: Function,
        name: str = ...,
    ) -> None: ...

class Rail(Item):
    """A point of B, or a carriage, slides along a curve of A: a spline through points, closed or not, or a formula.

    A: frame of the curve; required (a body, a frame, or the name of one)
    B: frame that slides along it: forces and motion are those of B; required (a body, a frame, or the name of one)
    position: s: a mechanical coordinate without mass; required (a node, or {node, coordinate})
    law: law of the rows (a law of saltus.items, or its name)
    points [m]: points (n x 3) of a spline, axes of A; s is its length from the first point; default []
    closed: it returns to its first point; default False
    curve [m]: x, y, z of the curve as functions of s, instead of points; s is its length where |dc/ds| = 1; default [0.0, 0.0, 0.0]
    start: least s of a curve by functions: where it is shown and checked; default 0
    end: largest s of a curve by functions; default 0
    holds: what B keeps to the curve: its point; its x axis along it; its y axis normal to `up` too; point, along or upright; default point
    up: direction in A, never along the curve; default [0.0, 0.0, 1.0]

    In a program: `m.add(sl.items.Rail(A=..., B=..., position=...))`, which returns its handle.
    In a model file: {"joints": {"NAME": {"type": "rail", "A": ..., "B": ..., "position": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    position: Reference
    law: str | Item | Handle | None
    points: Matrix | None
    closed: bool | None
    curve: Function | None
    start: Number | None
    end: Number | None
    holds: str | None
    up: Vector | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        position: Reference,
        law: str | Item | Handle | None = ...,
        points: Matrix | None = ...,
        closed: bool | None = ...,
        curve: Function | None = ...,
        start: Number | None = ...,
        end: Number | None = ...,
        holds: str | None = ...,
        up: Vector | None = ...,
        name: str = ...,
    ) -> None: ...

class Relay(Item):
    """The multiplier is at its bound against the sign of the row, between the bounds where it vanishes. Energy: on a rate it takes high |w| or -low |w|: no energy is given where low <= 0 <= high.

    low [N]: multiplier while the row is positive, in its force unit; default -1
    high [N]: multiplier while the row is negative, in its force unit; default 1
    on: acts on the row's value or on its rate (dry friction: rate); value or rate; required

    In a program: `m.add(sl.items.Relay(on=...))`, which returns its handle.
    In a model file: {"laws": {"NAME": {"type": "relay", "on": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    low: Number | None
    high: Number | None
    on: str
    def __init__(
        self,
        *,
        low: Number | None = ...,
        high: Number | None = ...,
        on: str,
        name: str = ...,
    ) -> None: ...

class Resistor(Item):
    """Resistor between two terminals: current (v_A - v_B) / R from A to B.

    A: terminal, current leaves it into the element; required (a node, or {node, coordinate})
    B: terminal, current enters it; required (a node, or {node, coordinate})
    resistance [Ohm]: R; above 0; required

    In a program: `m.add(sl.items.Resistor(A=..., B=..., resistance=...))`, which returns its handle.
    In a model file: {"connectors": {"NAME": {"type": "resistor", "A": ..., "B": ..., "resistance": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    resistance: Number
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        resistance: Number,
        name: str = ...,
    ) -> None: ...

class Revolute(Item):
    """Revolute joint: rotation about the z axis of the joint frames is free.

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    at: where the joint is: world point in the reference position [m]; default: the frame B
    axis: z axis of the joint frames: x, y, z or a vector in world axes; default: z of the frame B
    rotation: rotation vector of the joint frames in the world [rad], instead of axis
    law: law of the rows (a law of saltus.items, or its name)

    In a program: `m.add(sl.items.Revolute(A=..., B=...))`, which returns its handle.
    In a model file: {"joints": {"NAME": {"type": "revolute", "A": ..., "B": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    at: Vector | Handle | None
    axis: str | Vector | None
    rotation: Vector | None
    law: str | Item | Handle | None
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

class RevoluteDrive(Item):
    """Prescribes the angle about the z axis of two joint frames.

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    at: where the joint is: world point in the reference position [m]; default: the frame B
    axis: z axis of the joint frames: x, y, z or a vector in world axes; default: z of the frame B
    rotation: rotation vector of the joint frames in the world [rad], instead of axis
    law: law of the rows (a law of saltus.items, or its name)
    angle [rad]: prescribed value, a function of t; required

    In a program: `m.add(sl.items.RevoluteDrive(A=..., B=..., angle=...))`, which returns its handle.
    In a model file: {"joints": {"NAME": {"type": "revolute_drive", "A": ..., "B": ..., "angle": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    at: Vector | Handle | None
    axis: str | Vector | None
    rotation: Vector | None
    law: str | Item | Handle | None
    angle: Function
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        at: Vector | Handle | None = ...,
        axis: str | Vector | None = ...,
        rotation: Vector | None = ...,
        law: str | Item | Handle | None = ...,
        angle: Function,
        name: str = ...,
    ) -> None: ...

class RevoluteLock(Item):
    """Holds the angle about the z axis of two joint frames while it is locked; breaks above a torque.

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    at: where the joint is: world point in the reference position [m]; default: the frame B
    axis: z axis of the joint frames: x, y, z or a vector in world axes; default: z of the frame B
    rotation: rotation vector of the joint frames in the world [rad], instead of axis
    law: law of the rows (a law of saltus.items, or its name)
    locked: it holds while this function of t is above 0; default 1
    limit [N m]: breaks above this force or torque; 0: never; at least 0; default 0

    In a program: `m.add(sl.items.RevoluteLock(A=..., B=...))`, which returns its handle.
    In a model file: {"joints": {"NAME": {"type": "revolute_lock", "A": ..., "B": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    at: Vector | Handle | None
    axis: str | Vector | None
    rotation: Vector | None
    law: str | Item | Handle | None
    locked: Function | None
    limit: Number | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        at: Vector | Handle | None = ...,
        axis: str | Vector | None = ...,
        rotation: Vector | None = ...,
        law: str | Item | Handle | None = ...,
        locked: Function | None = ...,
        limit: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class RevoluteSpeedDrive(Item):
    """Prescribes the angular speed about the z axis of two joint frames.

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    at: where the joint is: world point in the reference position [m]; default: the frame B
    axis: z axis of the joint frames: x, y, z or a vector in world axes; default: z of the frame B
    rotation: rotation vector of the joint frames in the world [rad], instead of axis
    law: law of the rows (a law of saltus.items, or its name)
    speed [rad/s]: prescribed value, a function of t; required

    In a program: `m.add(sl.items.RevoluteSpeedDrive(A=..., B=..., speed=...))`, which returns its handle.
    In a model file: {"joints": {"NAME": {"type": "revolute_speed_drive", "A": ..., "B": ..., "speed": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    at: Vector | Handle | None
    axis: str | Vector | None
    rotation: Vector | None
    law: str | Item | Handle | None
    speed: Function
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        at: Vector | Handle | None = ...,
        axis: str | Vector | None = ...,
        rotation: Vector | None = ...,
        law: str | Item | Handle | None = ...,
        speed: Function,
        name: str = ...,
    ) -> None: ...

class RigidBody(Item):
    """Rigid body about any reference point, on a rigid node in space or in the plane.

    node: the node whose coordinates it moves; required (a node of saltus.items, or its name)
    mass [kg]: mass; above 0; required
    inertia [kg m^2]: inertia about the centre of mass, in body axes; required
    center_of_mass [m]: from the node frame to the centre of mass, body axes; default [0.0, 0.0, 0.0]
    gravity_share: share of the model's gravity that it feels: 0 floats, 1 falls; default 1

    In a program: `m.add(sl.items.RigidBody(node=..., mass=..., inertia=...))`, which returns its handle.
    In a model file: {"bodies": {"NAME": {"type": "rigid_body", "node": ..., "mass": ..., "inertia": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    node: str | Item | Handle
    mass: Number
    inertia: Matrix
    center_of_mass: Vector | None
    gravity_share: Number | None
    def __init__(
        self,
        *,
        node: str | Item | Handle,
        mass: Number,
        inertia: Matrix,
        center_of_mass: Vector | None = ...,
        gravity_share: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class RollingDisc(Item):
    """The rim of a disc about z of B does not slide on the plane z = 0 of A; a disc_gap keeps it on the plane.

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    law: law of the rows (a law of saltus.items, or its name)
    radius [m]: radius of the disc; 0: a sphere of radius `edge`; at least 0; default 0
    edge [m]: radius of the rounding of the rim, added to `radius`; at least 0; default 0

    In a program: `m.add(sl.items.RollingDisc(A=..., B=...))`, which returns its handle.
    In a model file: {"joints": {"NAME": {"type": "rolling_disc", "A": ..., "B": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    law: str | Item | Handle | None
    radius: Number | None
    edge: Number | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        law: str | Item | Handle | None = ...,
        radius: Number | None = ...,
        edge: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class RollingImpact(Item):
    """Friction, rolling and spinning resistance and Newton impact, rows (n, t1, t2, roll about t1, t2, spin about n). Energy: each resistance takes its coefficient times the normal force times its rate. Without restitution impacts give no energy; with it as of coulomb_impact.

    friction: mu, friction coefficient; at least 0; default 0
    rolling [m]: mu_r, largest rolling moment over normal force: a length; at least 0; default 0
    spinning [m]: mu_s, largest spinning moment over normal force: a length; at least 0; default 0
    restitution: e_n, normal speed after over before; between 0 and 1; default 0

    In a program: `m.add(sl.items.RollingImpact())`, which returns its handle.
    In a model file: {"laws": {"NAME": {"type": "rolling_impact"}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    friction: Number | None
    rolling: Number | None
    spinning: Number | None
    restitution: Number | None
    def __init__(
        self,
        *,
        friction: Number | None = ...,
        rolling: Number | None = ...,
        spinning: Number | None = ...,
        restitution: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class RollingImpact2d(Item):
    """Friction, rolling resistance and Newton impact in the plane, rows (n, t, roll). Energy: each resistance takes its coefficient times the normal force times its rate. Without restitution impacts give no energy; with it as of coulomb_impact.

    friction: mu, friction coefficient; at least 0; default 0
    rolling [m]: mu_r, largest rolling moment over normal force: a length; at least 0; default 0
    restitution: e_n, normal speed after over before; between 0 and 1; default 0

    In a program: `m.add(sl.items.RollingImpact2d())`, which returns its handle.
    In a model file: {"laws": {"NAME": {"type": "rolling_impact_2d"}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    friction: Number | None
    rolling: Number | None
    restitution: Number | None
    def __init__(
        self,
        *,
        friction: Number | None = ...,
        rolling: Number | None = ...,
        restitution: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class Rope(Item):
    """Length of a taut rope, belt or tendon through points, over sheaves, around cylinders and spheres, without friction, as a scalar coordinate.

    through: from end to end: points (frames, bodies), markers of type sheave, on which it stays, and wrap, which it may leave; first and last are points; required (a body, a frame, or the name of one)

    In a program: `m.add(sl.items.Rope(through=...))`, which returns its handle.
    In a model file: {"markers": {"NAME": {"type": "rope", "through": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    through: Reference
    def __init__(
        self,
        *,
        through: Reference,
        name: str = ...,
    ) -> None: ...

class RopeSlip(Item):
    """Length of rope that slips over one of its sheaves towards its last end, against the rim of the sheave, as a scalar coordinate.

    rope: a marker of type rope; required
    sheave: one of its sheaves: no wrap lies between it and the next points of the rope; required

    In a program: `m.add(sl.items.RopeSlip(rope=..., sheave=...))`, which returns its handle.
    In a model file: {"markers": {"NAME": {"type": "rope_slip", "rope": ..., "sheave": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    rope: Reference
    sheave: Reference
    def __init__(
        self,
        *,
        rope: Reference,
        sheave: Reference,
        name: str = ...,
    ) -> None: ...

class RopeSpring(Item):
    """An elastic rope: it pulls where its path is longer than the rope, and does not push. A drum may pay it out.

    drum: the angle of the drum from which it comes; ground: none; required (a node, or {node, coordinate})
    on: the length of its way: a marker of type rope, or a distance; required (a node, or {node, coordinate})
    stiffness [N/m]: k = E A / L_0 of the whole rope; above 0; required
    damping [N s/m]: d; at least 0; default 0
    length [m]: L_0 of the rope without tension, where the drum's angle is 0; required
    radius [m]: r of the drum: rope paid out by its angle; default 0

    In a program: `m.add(sl.items.RopeSpring(drum=..., on=..., stiffness=..., length=...))`, which returns its handle.
    In a model file: {"connectors": {"NAME": {"type": "rope_spring", "drum": ..., "on": ..., "stiffness": ..., "length": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    drum: Reference
    on: Reference
    stiffness: Number
    damping: Number | None
    length: Number
    radius: Number | None
    def __init__(
        self,
        *,
        drum: Reference,
        on: Reference,
        stiffness: Number,
        damping: Number | None = ...,
        length: Number,
        radius: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class RopeWrap(Item):
    """Angle by which a rope lies on one of its sheaves, as a scalar coordinate.

    rope: a marker of type rope; required
    sheave: one of its sheaves: no wrap lies between it and the next points of the rope; required

    In a program: `m.add(sl.items.RopeWrap(rope=..., sheave=...))`, which returns its handle.
    In a model file: {"markers": {"NAME": {"type": "rope_wrap", "rope": ..., "sheave": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    rope: Reference
    sheave: Reference
    def __init__(
        self,
        *,
        rope: Reference,
        sheave: Reference,
        name: str = ...,
    ) -> None: ...

class RotationalMass(Item):
    """A moment of inertia on one angle.

    node: the node whose coordinates it moves; required (a node of saltus.items, or its name)
    inertia [kg m^2]: moment of inertia about the axis; above 0; required

    In a program: `m.add(sl.items.RotationalMass(node=..., inertia=...))`, which returns its handle.
    In a model file: {"bodies": {"NAME": {"type": "rotational_mass", "node": ..., "inertia": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    node: str | Item | Handle
    inertia: Number
    def __init__(
        self,
        *,
        node: str | Item | Handle,
        inertia: Number,
        name: str = ...,
    ) -> None: ...

class RoughPrismatic(Item):
    """Prismatic joint with friction from its own reaction; smooth at zero speed, so that it creeps under load.

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    at: where the joint is: world point in the reference position [m]; default: the frame B
    axis: z axis of the joint frames: x, y, z or a vector in world axes; default: z of the frame B
    rotation: rotation vector of the joint frames in the world [rad], instead of axis
    law: law of the rows (a law of saltus.items, or its name)
    friction: mu; at least 0; required
    length [m]: l of the guide, over which it carries moments; 0: these have no friction; at least 0; default 0
    slip_speed [m/s]: speed below which friction falls to 0; above 0; default 0.001

    In a program: `m.add(sl.items.RoughPrismatic(A=..., B=..., friction=...))`, which returns its handle.
    In a model file: {"joints": {"NAME": {"type": "rough_prismatic", "A": ..., "B": ..., "friction": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    at: Vector | Handle | None
    axis: str | Vector | None
    rotation: Vector | None
    law: str | Item | Handle | None
    friction: Number
    length: Number | None
    slip_speed: Number | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        at: Vector | Handle | None = ...,
        axis: str | Vector | None = ...,
        rotation: Vector | None = ...,
        law: str | Item | Handle | None = ...,
        friction: Number,
        length: Number | None = ...,
        slip_speed: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class RoughRevolute(Item):
    """Revolute joint with friction from its own reaction; smooth at zero speed, so that it creeps under load.

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    at: where the joint is: world point in the reference position [m]; default: the frame B
    axis: z axis of the joint frames: x, y, z or a vector in world axes; default: z of the frame B
    rotation: rotation vector of the joint frames in the world [rad], instead of axis
    law: law of the rows (a law of saltus.items, or its name)
    friction: mu; at least 0; required
    radius [m]: r, of the pin: lever of the friction of the radial force; at least 0; required
    axial_radius [m]: r_z, lever of the friction of the axial force; at least 0; default 0
    slip_speed [rad/s]: speed below which friction falls to 0; above 0; default 0.001

    In a program: `m.add(sl.items.RoughRevolute(A=..., B=..., friction=..., radius=...))`, which returns its handle.
    In a model file: {"joints": {"NAME": {"type": "rough_revolute", "A": ..., "B": ..., "friction": ..., "radius": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    at: Vector | Handle | None
    axis: str | Vector | None
    rotation: Vector | None
    law: str | Item | Handle | None
    friction: Number
    radius: Number
    axial_radius: Number | None
    slip_speed: Number | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        at: Vector | Handle | None = ...,
        axis: str | Vector | None = ...,
        rotation: Vector | None = ...,
        law: str | Item | Handle | None = ...,
        friction: Number,
        radius: Number,
        axial_radius: Number | None = ...,
        slip_speed: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class Sheave(Item):
    """A wheel or drum that a rope runs over: about z by the right hand, in the plane of its groove.

    body: the body, node or `ground` that carries it; required (a body, a frame, or the name of one)
    radius [m]: to the middle of the rope; above 0; required
    turns: whole turns of the rope beside a wrap from -90 to 270 degrees; at least 0; default 0
    position [m]: centre in the axes of the body's frame; default [0.0, 0.0, 0.0]
    rotation [rad]: rotation vector from the body's axes to those of the sheave, z the axis; default [0.0, 0.0, 0.0]

    In a program: `m.add(sl.items.Sheave(body=..., radius=...))`, which returns its handle.
    In a model file: {"markers": {"NAME": {"type": "sheave", "body": ..., "radius": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    body: Reference
    radius: Number
    turns: int | str | None
    position: Vector | None
    rotation: Vector | None
    def __init__(
        self,
        *,
        body: Reference,
        radius: Number,
        turns: int | str | None = ...,
        position: Vector | None = ...,
        rotation: Vector | None = ...,
        name: str = ...,
    ) -> None: ...

class ShockleyDiode(Item):
    """Diode with the smooth characteristic of a junction: i = I_S (exp(v / (n V_T)) - 1), a resistance in series.

    A: anode; required (a node, or {node, coordinate})
    B: cathode; required (a node, or {node, coordinate})
    junction: its junction_voltage; required (a node, or {node, coordinate})
    saturation_current [A]: I_S; above 0; default 1e-14
    emission: n; above 0; default 1
    thermal_voltage [V]: V_T = k T / q, 25.85 mV at 300 K; above 0; default 0.02585
    resistance [Ohm]: R in series; at least 0; default 0

    In a program: `m.add(sl.items.ShockleyDiode(A=..., B=..., junction=...))`, which returns its handle.
    In a model file: {"connectors": {"NAME": {"type": "shockley_diode", "A": ..., "B": ..., "junction": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    junction: Reference
    saturation_current: Number | None
    emission: Number | None
    thermal_voltage: Number | None
    resistance: Number | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        junction: Reference,
        saturation_current: Number | None = ...,
        emission: Number | None = ...,
        thermal_voltage: Number | None = ...,
        resistance: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class Sleep(Item):
    """Bodies that rest on each other fall asleep, and wake when they are touched.

    bodies: bodies that have no forces but their weight and contacts of groups; required
    speed [m/s]: a body is slow while no point of its shapes is faster; above 0; default 0.001
    after [s]: time for which all bodies that touch have to be slow; above 0; default 0.5

    In a program: `m.add(sl.items.Sleep(bodies=...))`, which returns its handle.
    In a model file: {"relations": {"NAME": {"type": "sleep", "bodies": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    bodies: Reference
    speed: Number | None
    after: Number | None
    def __init__(
        self,
        *,
        bodies: Reference,
        speed: Number | None = ...,
        after: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class SlidingSpringDamper(Item):
    """Spring and damper on the position of B along the z axis of A.

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    at: where the joint is: world point in the reference position [m]; default: the frame B
    axis: z axis of the joint frames: x, y, z or a vector in world axes; default: z of the frame B
    rotation: rotation vector of the joint frames in the world [rad], instead of axis
    stiffness [N/m]: k; at least 0; default 0
    damping [N s/m]: d; at least 0; default 0
    rest_position [m]: position without force; default 0

    In a program: `m.add(sl.items.SlidingSpringDamper(A=..., B=...))`, which returns its handle.
    In a model file: {"connectors": {"NAME": {"type": "sliding_spring_damper", "A": ..., "B": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    at: Vector | Handle | None
    axis: str | Vector | None
    rotation: Vector | None
    stiffness: Number | None
    damping: Number | None
    rest_position: Number | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        at: Vector | Handle | None = ...,
        axis: str | Vector | None = ...,
        rotation: Vector | None = ...,
        stiffness: Number | None = ...,
        damping: Number | None = ...,
        rest_position: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class SourceCurrent(Item):
    """Current through a voltage source [A].


    In a program: `m.add(sl.items.SourceCurrent())`, which returns its handle.
    In a model file: {"nodes": {"NAME": {"type": "source_current"}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    def __init__(
        self,
        *,
        name: str = ...,
    ) -> None: ...

class Sphere(Item):
    """A ball for contact, about its frame.

    body: the body, node or `ground` that carries it; required (a body, a frame, or the name of one)
    radius [m]: radius; 0: a point; at least 0; default 0
    position [m]: origin of the shape in the axes of the body's frame; default [0.0, 0.0, 0.0]
    rotation [rad]: rotation vector from the body's axes to the shape's; default [0.0, 0.0, 0.0]

    In a program: `m.add(sl.items.Sphere(body=...))`, which returns its handle.
    In a model file: {"markers": {"NAME": {"type": "sphere", "body": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    body: Reference
    radius: Number | None
    position: Vector | None
    rotation: Vector | None
    def __init__(
        self,
        *,
        body: Reference,
        radius: Number | None = ...,
        position: Vector | None = ...,
        rotation: Vector | None = ...,
        name: str = ...,
    ) -> None: ...

class SphereContact(Item):
    """Contact of two spheres, rows (n, t1, t2).

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    law: law of the rows; required (a law of saltus.items, or its name)
    radius_A [m]: radius about A; at least 0; default 0
    radius_B [m]: radius about B; at least 0; default 0

    In a program: `m.add(sl.items.SphereContact(A=..., B=..., law=...))`, which returns its handle.
    In a model file: {"relations": {"NAME": {"type": "sphere_contact", "A": ..., "B": ..., "law": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    law: str | Item | Handle
    radius_A: Number | None
    radius_B: Number | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        law: str | Item | Handle,
        radius_A: Number | None = ...,
        radius_B: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class SphereContact2d(Item):
    """Contact of two discs in the x-y plane, rows (n, t = z x n).

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    law: law of the rows; required (a law of saltus.items, or its name)
    radius_A [m]: radius about A; at least 0; default 0
    radius_B [m]: radius about B; at least 0; default 0

    In a program: `m.add(sl.items.SphereContact2d(A=..., B=..., law=...))`, which returns its handle.
    In a model file: {"relations": {"NAME": {"type": "sphere_contact_2d", "A": ..., "B": ..., "law": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    law: str | Item | Handle
    radius_A: Number | None
    radius_B: Number | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        law: str | Item | Handle,
        radius_A: Number | None = ...,
        radius_B: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class SphereGap(Item):
    """Gap between two spheres, without friction.

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    law: law of the rows; required (a law of saltus.items, or its name)
    radius_A [m]: radius about A; at least 0; default 0
    radius_B [m]: radius about B; at least 0; default 0

    In a program: `m.add(sl.items.SphereGap(A=..., B=..., law=...))`, which returns its handle.
    In a model file: {"relations": {"NAME": {"type": "sphere_gap", "A": ..., "B": ..., "law": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    law: str | Item | Handle
    radius_A: Number | None
    radius_B: Number | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        law: str | Item | Handle,
        radius_A: Number | None = ...,
        radius_B: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class SphereRollingContact(Item):
    """Contact of two spheres, rows (n, t1, t2, roll about t1, t2, spin about n).

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    law: law of the rows; required (a law of saltus.items, or its name)
    radius_A [m]: radius about A; at least 0; default 0
    radius_B [m]: radius about B; at least 0; default 0

    In a program: `m.add(sl.items.SphereRollingContact(A=..., B=..., law=...))`, which returns its handle.
    In a model file: {"relations": {"NAME": {"type": "sphere_rolling_contact", "A": ..., "B": ..., "law": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    law: str | Item | Handle
    radius_A: Number | None
    radius_B: Number | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        law: str | Item | Handle,
        radius_A: Number | None = ...,
        radius_B: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class Spherical(Item):
    """Spherical joint: the origins of the joint frames coincide.

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    at: where the joint is: world point in the reference position [m]; default: the frame B
    axis: z axis of the joint frames: x, y, z or a vector in world axes; default: z of the frame B
    rotation: rotation vector of the joint frames in the world [rad], instead of axis
    law: law of the rows (a law of saltus.items, or its name)

    In a program: `m.add(sl.items.Spherical(A=..., B=...))`, which returns its handle.
    In a model file: {"joints": {"NAME": {"type": "spherical", "A": ..., "B": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    at: Vector | Handle | None
    axis: str | Vector | None
    rotation: Vector | None
    law: str | Item | Handle | None
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

class SpringDamper(Item):
    """Axial spring and damper between two points: force -(k (L - L0) + c dL/dt - f0) n on B, n the direction from A to B.

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    stiffness [N/m]: k, axial stiffness; at least 0; default 0
    damping [N s/m]: c, axial damping; at least 0; default 0
    rest_length [m]: L0, unloaded length; at least 0; default 0
    preload [N]: f0, force that pushes A and B apart at L = L0, v = 0; default 0

    In a program: `m.add(sl.items.SpringDamper(A=..., B=...))`, which returns its handle.
    In a model file: {"connectors": {"NAME": {"type": "spring_damper", "A": ..., "B": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    stiffness: Number | None
    damping: Number | None
    rest_length: Number | None
    preload: Number | None
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

class StribeckFriction(Item):
    """Friction as a function of the speed on a coordinate: Coulomb, Stribeck, viscous; smooth at zero speed, so that it creeps under load.

    on: what it acts on; required (a node, or {node, coordinate})
    coulomb: F_c, friction at high speed, N or N m; at least 0; required
    breakaway: F_s, friction at low speed, N or N m; at least F_c; 0: F_c; at least 0; default 0
    stribeck_speed: v_s, speed scale over which friction falls from F_s to F_c, m/s or rad/s; needed if F_s is given; at least 0; default 0
    viscosity: sigma, N s/m or N m s/rad; at least 0; default 0
    slip_speed: v_0, below which friction goes to 0, m/s or rad/s; above 0; default 0.001

    In a program: `m.add(sl.items.StribeckFriction(on=..., coulomb=...))`, which returns its handle.
    In a model file: {"connectors": {"NAME": {"type": "stribeck_friction", "on": ..., "coulomb": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    on: Reference
    coulomb: Number
    breakaway: Number | None
    stribeck_speed: Number | None
    viscosity: Number | None
    slip_speed: Number | None
    def __init__(
        self,
        *,
        on: Reference,
        coulomb: Number,
        breakaway: Number | None = ...,
        stribeck_speed: Number | None = ...,
        viscosity: Number | None = ...,
        slip_speed: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class StribeckImpact(Item):
    """Friction that depends on the sliding speed and Newton impact, rows (n, t1, t2). Energy: friction takes mu(s) s times the normal force, s the slip. Impacts as of coulomb_impact.

    friction_at_rest: mu_s, friction coefficient while it sticks; at least 0; default 0.6
    friction_sliding: mu_k, friction coefficient of fast sliding; at least 0; default 0.4
    speed [m/s]: v_s, sliding speed over which mu_s falls to mu_k; above 0; default 0.01
    exponent: p of exp(-(s/v_s)^p); at least 1; default 1
    growth [s/m]: d, growth of the coefficient by the sliding speed; at least 0; default 0
    restitution: e_n, normal speed after over before; between 0 and 1; default 0

    In a program: `m.add(sl.items.StribeckImpact())`, which returns its handle.
    In a model file: {"laws": {"NAME": {"type": "stribeck_impact"}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    friction_at_rest: Number | None
    friction_sliding: Number | None
    speed: Number | None
    exponent: Number | None
    growth: Number | None
    restitution: Number | None
    def __init__(
        self,
        *,
        friction_at_rest: Number | None = ...,
        friction_sliding: Number | None = ...,
        speed: Number | None = ...,
        exponent: Number | None = ...,
        growth: Number | None = ...,
        restitution: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class StribeckImpact2d(Item):
    """Friction that depends on the sliding speed and Newton impact in the plane, rows (n, t). Energy: friction takes mu(s) s times the normal force, s the slip. Impacts as of coulomb_impact.

    friction_at_rest: mu_s, friction coefficient while it sticks; at least 0; default 0.6
    friction_sliding: mu_k, friction coefficient of fast sliding; at least 0; default 0.4
    speed [m/s]: v_s, sliding speed over which mu_s falls to mu_k; above 0; default 0.01
    exponent: p of exp(-(s/v_s)^p); at least 1; default 1
    growth [s/m]: d, growth of the coefficient by the sliding speed; at least 0; default 0
    restitution: e_n, normal speed after over before; between 0 and 1; default 0

    In a program: `m.add(sl.items.StribeckImpact2d())`, which returns its handle.
    In a model file: {"laws": {"NAME": {"type": "stribeck_impact_2d"}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    friction_at_rest: Number | None
    friction_sliding: Number | None
    speed: Number | None
    exponent: Number | None
    growth: Number | None
    restitution: Number | None
    def __init__(
        self,
        *,
        friction_at_rest: Number | None = ...,
        friction_sliding: Number | None = ...,
        speed: Number | None = ...,
        exponent: Number | None = ...,
        growth: Number | None = ...,
        restitution: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class SynchronousMotor(Item):
    """Three-phase synchronous machine with permanent magnets, in the coordinates d, q of its rotor.

    A: terminal of the first phase; required (a node, or {node, coordinate})
    B: terminal of the second; required (a node, or {node, coordinate})
    C: terminal of the third; required (a node, or {node, coordinate})
    current_d: current_state; required (a node, or {node, coordinate})
    current_q: current_state; required (a node, or {node, coordinate})
    on: the motion of its rotor, such as the angle of a hinge; required (a node, or {node, coordinate})
    pole_pairs: p; at least 1; default 1
    flux [V s]: psi of the magnets in a phase; required
    inductance_d [H]: L_d along the magnets; above 0; required
    inductance_q [H]: L_q across the magnets; above 0; required
    resistance [Ohm]: R of a phase; at least 0; default 0

    In a program: `m.add(sl.items.SynchronousMotor(A=..., B=..., C=..., current_d=..., current_q=..., on=..., flux=..., inductance_d=..., inductance_q=...))`, which returns its handle.
    In a model file: {"connectors": {"NAME": {"type": "synchronous_motor", "A": ..., "B": ..., "C": ..., "current_d": ..., "current_q": ..., "on": ..., "flux": ..., "inductance_d": ..., "inductance_q": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    C: Reference
    current_d: Reference
    current_q: Reference
    on: Reference
    pole_pairs: int | str | None
    flux: Number
    inductance_d: Number
    inductance_q: Number
    resistance: Number | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        C: Reference,
        current_d: Reference,
        current_q: Reference,
        on: Reference,
        pole_pairs: int | str | None = ...,
        flux: Number,
        inductance_d: Number,
        inductance_q: Number,
        resistance: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class Terminal(Item):
    """Terminal of a circuit: one potential against ground [V].

    voltage [V]: guess of the first potential; default 0

    In a program: `m.add(sl.items.Terminal())`, which returns its handle.
    In a model file: {"nodes": {"NAME": {"type": "terminal"}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    voltage: Number | None
    def __init__(
        self,
        *,
        voltage: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class Thyristor(Item):
    """Thyristor from the anode A to the cathode B: it conducts from the time at which its gate is on and the voltage forward, until the current ends.

    A: anode: terminal, current leaves it into the element; required (a node, or {node, coordinate})
    B: cathode: terminal, current enters it; required (a node, or {node, coordinate})
    law: law of the rows (a law of saltus.items, or its name)
    gate: its gate is on while this function of t is above 0; required
    threshold [V]: V: v_A - v_B while it conducts, without its resistance; at least 0; default 0
    resistance [Ohm]: R in series while it conducts; at least 0; default 0

    In a program: `m.add(sl.items.Thyristor(A=..., B=..., gate=...))`, which returns its handle.
    In a model file: {"relations": {"NAME": {"type": "thyristor", "A": ..., "B": ..., "gate": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    law: str | Item | Handle | None
    gate: Function
    threshold: Number | None
    resistance: Number | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        law: str | Item | Handle | None = ...,
        gate: Function,
        threshold: Number | None = ...,
        resistance: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class Torque(Item):
    """A torque on a frame.

    on: what it acts on; required (a body, a frame, or the name of one)
    torque [N m]: three components, functions of t; required
    axes: axes of the components: those of the world, or of the frame; world or body; default world

    In a program: `m.add(sl.items.Torque(on=..., torque=...))`, which returns its handle.
    In a model file: {"loads": {"NAME": {"type": "torque", "on": ..., "torque": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    on: Reference
    torque: Function
    axes: str | None
    def __init__(
        self,
        *,
        on: Reference,
        torque: Function,
        axes: str | None = ...,
        name: str = ...,
    ) -> None: ...

class TorsionalSpringDamper(Item):
    """Spring and damper on the angle about the z axis of two frames.

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    at: where the joint is: world point in the reference position [m]; default: the frame B
    axis: z axis of the joint frames: x, y, z or a vector in world axes; default: z of the frame B
    rotation: rotation vector of the joint frames in the world [rad], instead of axis
    stiffness [N m/rad]: k; at least 0; default 0
    damping [N m s/rad]: d; at least 0; default 0
    rest_angle [rad]: angle without torque, of any number of turns; default 0

    In a program: `m.add(sl.items.TorsionalSpringDamper(A=..., B=...))`, which returns its handle.
    In a model file: {"connectors": {"NAME": {"type": "torsional_spring_damper", "A": ..., "B": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    at: Vector | Handle | None
    axis: str | Vector | None
    rotation: Vector | None
    stiffness: Number | None
    damping: Number | None
    rest_angle: Number | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        at: Vector | Handle | None = ...,
        axis: str | Vector | None = ...,
        rotation: Vector | None = ...,
        stiffness: Number | None = ...,
        damping: Number | None = ...,
        rest_angle: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class TreeLink(Item):
    """A link of a kinematic tree on the joint that carries it; its frame is that of the joint, moved by its coordinate.

    parent: the link that carries it, or the tree itself: its base does; required
    node: a node_1d: the coordinate of the joint, rad or m; of a ball a node_rotation, of a free joint a node_pose; a fixed joint has none (a node of saltus.items, or its name)
    joint: type of the joint that carries it; revolute, prismatic, fixed, ball or free; default revolute
    axis: of a revolute or prismatic joint, in its own axes and in the link's; default [0.0, 0.0, 1.0]
    position [m]: of the joint in the frame of the parent; default [0.0, 0.0, 0.0]
    rotation [rad]: rotation vector from the parent's axes to the joint's; default [0.0, 0.0, 0.0]
    mass [kg]: mass; at least 0; default 0
    inertia [kg m^2]: inertia about the centre of mass, in the link's axes; default 0, 3 x 3
    center_of_mass [m]: from the link's frame to the centre of mass, in the link's axes; default [0.0, 0.0, 0.0]
    armature: J of a rotor that drives the joint (kg m^2), without its gyroscopic moment; see the body `armature`; at least 0; default 0
    ratio: n, motion of the rotor by that of the joint; rad/m where it slides; default 1

    In a program: `m.add(sl.items.TreeLink(parent=...))`, which returns its handle.
    In a model file: {"bodies": {"NAME": {"type": "tree_link", "parent": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    parent: Reference
    node: str | Item | Handle | None
    joint: str | None
    axis: Vector | None
    position: Vector | None
    rotation: Vector | None
    mass: Number | None
    inertia: Matrix | None
    center_of_mass: Vector | None
    armature: Number | None
    ratio: Number | None
    def __init__(
        self,
        *,
        parent: Reference,
        node: str | Item | Handle | None = ...,
        joint: str | None = ...,
        axis: Vector | None = ...,
        position: Vector | None = ...,
        rotation: Vector | None = ...,
        mass: Number | None = ...,
        inertia: Matrix | None = ...,
        center_of_mass: Vector | None = ...,
        armature: Number | None = ...,
        ratio: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class Tyre(Item):
    """Tyre of a wheel about the y axis of B on the plane z = 0 of A: vertical spring, slip forces, relaxation lengths; its two slips are first-order states.

    longitudinal_slip: a first-order state: kappa; required (a node, or {node, coordinate})
    lateral_slip: a first-order state: tan alpha; required (a node, or {node, coordinate})
    A: frame whose plane z = 0 is the ground; required (a body, a frame, or the name of one)
    B: the wheel, it turns about its y axis; required (a body, a frame, or the name of one)
    radius [m]: r of the free wheel; above 0; required
    stiffness [N/m]: k against the plane; above 0; required
    damping [N s/m]: c against the plane; at least 0; default 0
    relaxation_x [m]: s_x; above 0; required
    relaxation_y [m]: s_y; above 0; required
    longitudinal [N]: F_x(slip, load), slip kappa, load F_z: formula, Magic Formula, table; required
    lateral [N]: F_y(slip, load), slip tan alpha; required
    friction: mu, of the largest horizontal force; 0: none is set; at least 0; default 0

    In a program: `m.add(sl.items.Tyre(longitudinal_slip=..., lateral_slip=..., A=..., B=..., radius=..., stiffness=..., relaxation_x=..., relaxation_y=..., longitudinal=..., lateral=...))`, which returns its handle.
    In a model file: {"connectors": {"NAME": {"type": "tyre", "longitudinal_slip": ..., "lateral_slip": ..., "A": ..., "B": ..., "radius": ..., "stiffness": ..., "relaxation_x": ..., "relaxation_y": ..., "longitudinal": ..., "lateral": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    longitudinal_slip: Reference
    lateral_slip: Reference
    A: Reference
    B: Reference
    radius: Number
    stiffness: Number
    damping: Number | None
    relaxation_x: Number
    relaxation_y: Number
    longitudinal: Function
    lateral: Function
    friction: Number | None
    def __init__(
        self,
        *,
        longitudinal_slip: Reference,
        lateral_slip: Reference,
        A: Reference,
        B: Reference,
        radius: Number,
        stiffness: Number,
        damping: Number | None = ...,
        relaxation_x: Number,
        relaxation_y: Number,
        longitudinal: Function,
        lateral: Function,
        friction: Number | None = ...,
        name: str = ...,
    ) -> None: ...

class Universal(Item):
    """Universal joint: the x axis of A's joint frame stays normal to the y axis of B's.

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    at: where the joint is: world point in the reference position [m]; default: the frame B
    axis: z axis of the joint frames: x, y, z or a vector in world axes; default: z of the frame B
    rotation: rotation vector of the joint frames in the world [rad], instead of axis
    law: law of the rows (a law of saltus.items, or its name)

    In a program: `m.add(sl.items.Universal(A=..., B=...))`, which returns its handle.
    In a model file: {"joints": {"NAME": {"type": "universal", "A": ..., "B": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    at: Vector | Handle | None
    axis: str | Vector | None
    rotation: Vector | None
    law: str | Item | Handle | None
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

class UserBushing(Item):
    """A force law in six directions between two frames: of B's position in A and its Tait-Bryan angles about x, y, z, and of their rates.

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    at: where the joint is: world point in the reference position [m]; default: the frame B
    axis: z axis of the joint frames: x, y, z or a vector in world axes; default: z of the frame B
    rotation: rotation vector of the joint frames in the world [rad], instead of axis
    force [N, N m]: three forces along the axes of A and three torques conjugate to the angles a, b, c (R = R_x(a) R_y(b) R_z(c)), positive against the motion of B; required

    In a program: `m.add(sl.items.UserBushing(A=..., B=..., force=...))`, which returns its handle.
    In a model file: {"connectors": {"NAME": {"type": "user_bushing", "A": ..., "B": ..., "force": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    at: Vector | Handle | None
    axis: str | Vector | None
    rotation: Vector | None
    force: Function
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        at: Vector | Handle | None = ...,
        axis: str | Vector | None = ...,
        rotation: Vector | None = ...,
        force: Function,
        name: str = ...,
    ) -> None: ...

class UserForce(Item):
    """A user's force on frames and coordinates: as a function, by a potential, or along a scalar of them.

    frames: frames, A, B, ... in the functions (a body, a frame, or the name of one)
    on: coordinates, q0, q1, ... in the functions (a node, or {node, coordinate})
    function: f(t, A_x, ..., A_R22, A_vx, ..., A_wz, B_x, ..., q0, ..., v0, ..., m0, ...): the force on each frame and, in a second form, the torque behind each force (world axes), then the effort on each coordinate, of a first-order state its rate; default 0; default 0
    potential [J]: V(A_x, A_y, A_z, A_R00, ..., A_R22, B_x, ..., q0, ..., m0, ...): the force is -dV along each direction in which the ends move; default 0; default 0
    length: L(A_x, ..., q0, ..., m0, ...): the scalar that `tension` acts along; default 0
    tension: f(t, L, dL), positive makes L smaller; dL = dL/dt; default 0; default 0
    memory: initial values of what it remembers, m0, m1, ...; default none; default []
    update: new values of the memory after each accepted step, functions of the inputs of `function`; default 0

    In a program: `m.add(sl.items.UserForce())`, which returns its handle.
    In a model file: {"connectors": {"NAME": {"type": "user_force"}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    frames: Reference | None
    on: Reference | None
    function: Function | None
    potential: Function | None
    length: Function | None
    tension: Function | None
    memory: Vector | None
    update: Function | None
    def __init__(
        self,
        *,
        frames: Reference | None = ...,
        on: Reference | None = ...,
        function: Function | None = ...,
        potential: Function | None = ...,
        length: Function | None = ...,
        tension: Function | None = ...,
        memory: Vector | None = ...,
        update: Function | None = ...,
        name: str = ...,
    ) -> None: ...

class UserRateRelation(Item):
    """A user's relation written for the rates, y = h(t, q, v): nonholonomic.

    frames: frames, A, B, ... in the function (a body, a frame, or the name of one)
    on: coordinates, q0, q1, ... in the function (a node, or {node, coordinate})
    law: law of the rows; default: equality (a law of saltus.items, or its name)
    rows: number of equations; at least 1; default 1
    function: h(t, A_x, ..., A_R22, A_vx, A_vy, A_vz, A_wx, A_wy, A_wz, B_x, ..., q0, ..., v0, ...), one result a row: velocities in world axes, then coordinates and their rates; required

    In a program: `m.add(sl.items.UserRateRelation(function=...))`, which returns its handle.
    In a model file: {"relations": {"NAME": {"type": "user_rate_relation", "function": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    frames: Reference | None
    on: Reference | None
    law: str | Item | Handle | None
    rows: int | str | None
    function: Function
    def __init__(
        self,
        *,
        frames: Reference | None = ...,
        on: Reference | None = ...,
        law: str | Item | Handle | None = ...,
        rows: int | str | None = ...,
        function: Function,
        name: str = ...,
    ) -> None: ...

class UserRelation(Item):
    """A user's relation y = h(t, q) between frames and coordinates.

    frames: frames, A, B, ... in the function (a body, a frame, or the name of one)
    on: coordinates, q0, q1, ... in the function (a node, or {node, coordinate})
    law: law of the rows; default: equality (a law of saltus.items, or its name)
    rows: number of equations; at least 1; default 1
    function: h(t, A_x, A_y, A_z, A_R00, ..., A_R22, B_x, ..., q0, q1, ...), one result a row: place and rotation matrix of each frame, then the coordinates; required

    In a program: `m.add(sl.items.UserRelation(function=...))`, which returns its handle.
    In a model file: {"relations": {"NAME": {"type": "user_relation", "function": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    frames: Reference | None
    on: Reference | None
    law: str | Item | Handle | None
    rows: int | str | None
    function: Function
    def __init__(
        self,
        *,
        frames: Reference | None = ...,
        on: Reference | None = ...,
        law: str | Item | Handle | None = ...,
        rows: int | str | None = ...,
        function: Function,
        name: str = ...,
    ) -> None: ...

class UserSpring(Item):
    """A force law f(t, L, dL/dt) along the line between two points.

    A: first of the pair; required (a body, a frame, or the name of one)
    B: second of the pair: forces and motion are those of B; required (a body, a frame, or the name of one)
    tension [N]: f(t, L, dL), positive pulls the points together; dL = dL/dt; required

    In a program: `m.add(sl.items.UserSpring(A=..., B=..., tension=...))`, which returns its handle.
    In a model file: {"connectors": {"NAME": {"type": "user_spring", "A": ..., "B": ..., "tension": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    tension: Function
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        tension: Function,
        name: str = ...,
    ) -> None: ...

class Vccs(Item):
    """Current source that a voltage controls: G (v_C - v_D) from A through it to B; no current flows between C and D.

    A: terminal, current leaves it into the element; required (a node, or {node, coordinate})
    B: terminal, current enters it; required (a node, or {node, coordinate})
    C: terminal whose voltage controls; required (a node, or {node, coordinate})
    D: terminal against which it is measured; required (a node, or {node, coordinate})
    conductance [A/V]: G, current by voltage; required

    In a program: `m.add(sl.items.Vccs(A=..., B=..., C=..., D=..., conductance=...))`, which returns its handle.
    In a model file: {"connectors": {"NAME": {"type": "vccs", "A": ..., "B": ..., "C": ..., "D": ..., "conductance": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    C: Reference
    D: Reference
    conductance: Number
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        C: Reference,
        D: Reference,
        conductance: Number,
        name: str = ...,
    ) -> None: ...

class Vcvs(Item):
    """Voltage source that a voltage controls: v_A - v_B = gain (v_C - v_D); no current flows between C and D.

    A: terminal, current leaves it into the element; required (a node, or {node, coordinate})
    B: terminal, current enters it; required (a node, or {node, coordinate})
    C: terminal whose voltage controls; required (a node, or {node, coordinate})
    D: terminal against which it is measured; required (a node, or {node, coordinate})
    current_of: its source_current; required (a node, or {node, coordinate})
    gain: voltage by voltage; required

    In a program: `m.add(sl.items.Vcvs(A=..., B=..., C=..., D=..., current_of=..., gain=...))`, which returns its handle.
    In a model file: {"connectors": {"NAME": {"type": "vcvs", "A": ..., "B": ..., "C": ..., "D": ..., "current_of": ..., "gain": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    C: Reference
    D: Reference
    current_of: Reference
    gain: Number
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        C: Reference,
        D: Reference,
        current_of: Reference,
        gain: Number,
        name: str = ...,
    ) -> None: ...

class VoltageSource(Item):
    """Prescribes the voltage between two terminals.

    A: terminal, current leaves it into the element; required (a node, or {node, coordinate})
    B: terminal, current enters it; required (a node, or {node, coordinate})
    current_of: its source_current; required (a node, or {node, coordinate})
    voltage [V]: v_A - v_B, a function of t; required

    In a program: `m.add(sl.items.VoltageSource(A=..., B=..., current_of=..., voltage=...))`, which returns its handle.
    In a model file: {"connectors": {"NAME": {"type": "voltage_source", "A": ..., "B": ..., "current_of": ..., "voltage": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    current_of: Reference
    voltage: Function
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        current_of: Reference,
        voltage: Function,
        name: str = ...,
    ) -> None: ...

class Wrap(Item):
    """A ball or long cylinder that a rope or tendon lies on, on the shortest path, and may leave; over a cylinder about z by the right hand, up to half a turn.

    body: the body, node or `ground` that carries it; required (a body, a frame, or the name of one)
    radius [m]: to the middle of the rope; above 0; required
    shape: sphere, or cylinder about z; sphere or cylinder; default sphere
    position [m]: centre in the axes of the body's frame; default [0.0, 0.0, 0.0]
    rotation [rad]: rotation vector from the body's axes to those of the surface; default [0.0, 0.0, 0.0]

    In a program: `m.add(sl.items.Wrap(body=..., radius=...))`, which returns its handle.
    In a model file: {"markers": {"NAME": {"type": "wrap", "body": ..., "radius": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    body: Reference
    radius: Number
    shape: str | None
    position: Vector | None
    rotation: Vector | None
    def __init__(
        self,
        *,
        body: Reference,
        radius: Number,
        shape: str | None = ...,
        position: Vector | None = ...,
        rotation: Vector | None = ...,
        name: str = ...,
    ) -> None: ...

class ZenerDiode(Item):
    """Zener diode from the anode A to the cathode B: conducts forward at its threshold and backward at its breakdown voltage.

    A: anode: terminal, current leaves it into the element; required (a node, or {node, coordinate})
    B: cathode: terminal, current enters it; required (a node, or {node, coordinate})
    law: law of the rows (a law of saltus.items, or its name)
    breakdown [V]: v_B - v_A from which it conducts backward; above 0; required
    threshold [V]: v_A - v_B from which it conducts forward; at least 0; default 0
    resistance [Ohm]: in series while it conducts; at least 0; default 0

    In a program: `m.add(sl.items.ZenerDiode(A=..., B=..., breakdown=...))`, which returns its handle.
    In a model file: {"relations": {"NAME": {"type": "zener_diode", "A": ..., "B": ..., "breakdown": ...}}}.
    A field that is not there, or missing, raises ModelError at once; values and ranges are checked with the model.
    """
    A: Reference
    B: Reference
    law: str | Item | Handle | None
    breakdown: Number
    threshold: Number | None
    resistance: Number | None
    def __init__(
        self,
        *,
        A: Reference,
        B: Reference,
        law: str | Item | Handle | None = ...,
        breakdown: Number,
        threshold: Number | None = ...,
        resistance: Number | None = ...,
        name: str = ...,
    ) -> None: ...
