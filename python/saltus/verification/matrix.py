"""The table scheme x law x kind of system: each cell a run against a reference, or the refusal with what works.

A cell's model moves in all its directions and meets its law after a while. Errors are of its last state, measured in steps of h, h/2, h/4: before the
first event, where the scheme's own order shows, and after several events, where at least first order is asked for. Schemes that control their error run at their
default settings, too, to a thousandth of the motion; `automatic` is the run without a scheme. The reference is
`event_driven` at a tolerance of 1e-10, or `moreau_jean`, then `nonsmooth_generalized_alpha`, at a fine step for that scheme itself and where events are not followed, which tells
its own error by a run at twice that step; smooth runs have `dormand_prince`. Schemes and laws are those of the catalogue: a new one is in the table as soon as it is there.
"""

from __future__ import annotations

import functools
import math
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

import saltus as sl
from saltus import RunError, _core
from saltus.errors import ModelError
from saltus.items import Diode, FirstOrderLinearRelation, FirstOrderSystem, GenericSystem, LinearRelation, NodeOde2
from saltus.verification.models import coordinates, states

UNTIL, BEFORE = 0.6, 0.05  # [s] of a run over its events; of one before the first
STEPS = (2e-3, 1e-3, 5e-4)  # [s]
FINE = 2e-5  # [s] of moreau_jean as reference
AUTOMATIC = "automatic"  # simulate() without scheme=
OF_MOTION = 1e-3  # error over events that is allowed at default settings, of the extent of the motion
BY_ROOT = 5e-3  # the same of schemes of order 1, whose errors go with the root of the tolerance
LEAST_ORDER = 0.7  # of the smooth part
PER_STEP = 4.0  # error over events that is allowed, in steps times the speed of the motion; without events, half the time times the acceleration is added
ROUNDING = 1e-9  # below it no order is given, nor within ten times the error of the reference
FIELDS = {  # of laws that have them
    "friction": 0.3,
    "friction_1": 0.2,
    "friction_2": 0.4,
    "restitution": 0.5,
    "rolling": 0.02,
    "spinning": 0.02,
    "adhesion": 1.0,
    "strength": 1.0,
    "opening": 0.05,
    "isotropic": 1.0,
    "kinematic": 1.0,
    "lower": -0.5,
    "upper": 0.5,
    "low": -2.0,
    "high": 2.0,
    "facets": [[1.0], [-1.0]],
    "bounds": [2.0, 2.0],
    "bound": 2.0,
    "constraints": "lambda0^2 - 4",
    "interior": [0.0],
    "corners": [[-1.0, 2.0], [0.0, 2.0], [0.0, -2.0], [1.0, -2.0]],
    "equalities": 0,
}


@dataclass
class Cell:
    """verdict: right, out (runs, and is not right) or refused (`reason`). error: after the events at the shortest step; default_error: at default settings; order: before the first event."""

    scheme: str
    law: str
    system: str
    verdict: str
    error: float | None = None
    tolerance: float | None = None
    default_error: float | None = None
    default_tolerance: float | None = None
    order: float | None = None
    energy: float | None = None  # largest rise of the energy, of its size, where nothing feeds it
    certificate: float | None = None  # worst residual of the laws
    reason: str = ""
    truth: str = ""

    def json(self) -> dict[str, Any]:
        return asdict(self)


# Systems: a model with its law, and the quantities of its last state.

Built = tuple[sl.Model, list[Any]]


def law_of(entry: dict[str, Any], on: str) -> dict[str, Any]:
    """A law of the catalogue with the fields of this table; `on` where it acts by value or rate."""
    fields = {field["name"] for field in entry["fields"]}
    return {"type": entry["name"], **{name: value for name, value in FIELDS.items() if name in fields}, **({"on": on} if "on" in fields else {})}


def _rows(entry: dict[str, Any]) -> int:
    return int(entry.get("rows") or 1)


def _particles(entry: dict[str, Any]) -> Built:
    m = sl.Model(gravity=(0, 0, -12))
    a = m.point_mass(mass=1, at=(0, 0, _height(entry)), velocity=(1, 0.5, -0.2 * _moves(entry)), name="a")
    b = m.point_mass(mass=2, at=(0.3, 0.1, 0), velocity=(0.2, 0.4, -0.3), name="b")
    m.spring(a, b, stiffness=10, rest_length=0.4)
    m.spring(m.ground, b, stiffness=20, rest_length=0.2)
    m.user_relation([a, b], ["A_z", "A_x", "A_y", "B_x", "B_y", "B_z"][: _rows(entry)], law=law_of(entry, "rate"), name="row")
    return m, ["a.position", "b.position"]


def _planar(entry: dict[str, Any]) -> Built:
    m = sl.Model(planar=True, gravity=(0, -12, 0))
    a = m.body(mass=1, inertia=(0.1, 0.1, 0.1), at=(0, _height(entry), 0), velocity=(1, -0.2 * _moves(entry), 0), angular_velocity=(0, 0, 1), name="a")
    b = m.body(mass=2, inertia=(0.2, 0.2, 0.2), at=(0.5, 0.2, 0), velocity=(0.2, 0.3, 0), name="b")
    m.spring(a.frame(at=(0.1, 0, 0)), b.frame(at=(0.4, 0.3, 0)), stiffness=10, rest_length=0.4)
    m.user_relation([a, b], ["A_y", "A_x", "A_R10", "B_R10", "B_x", "B_y"][: _rows(entry)], law=law_of(entry, "rate"), name="row")
    return m, ["a.position", "b.position"]


def _bodies(entry: dict[str, Any]) -> Built:
    """A sphere that lands on a plane, with the contact's own rows where there are such; another hangs on it by a spring."""
    m = sl.Model(gravity=(0, 0, -12))
    height = _height(entry)
    a = m.sphere(radius=0.1, mass=1, at=(0, 0, 0.1 + height), velocity=(1, 0.5, -0.2 * _moves(entry)), angular_velocity=(1, -2, 3), name="a")
    b = m.box(size=(0.2, 0.3, 0.1), mass=2, at=(0.5, 0.1, 0.3), angular_velocity=(0.5, 1, 0.2), name="b")
    m.spring(a, b.frame(at=(0.4, 0.1, 0.3)), stiffness=10, rest_length=0.4)
    if entry["name"] in _contacts():
        m.contact(m.plane(), a, law=law_of(entry, "rate"), name="row")
    else:
        m.user_relation([a, b], ["A_z - 0.1", "A_x", "B_R01"][: _rows(entry)], law=law_of(entry, "rate"), name="row")
    return m, ["a.position", "b.position"]


def _joints(entry: dict[str, Any]) -> Built:
    """A double pendulum on joints whose end meets a plane."""
    m = sl.Model()
    end = (0.5, 0, -0.2)
    first = m.rod((0, 0, 0), (0.3, 0, 0.1), mass=1, name="first")
    second = m.rod((0.3, 0, 0.1), end, mass=1, name="second")
    m.revolute(m.ground, first, at=(0, 0, 0), axis="y", name="hip")
    m.revolute(first, second, at=(0.3, 0, 0.1), axis="y", name="knee")
    return _end_on_plane(m, entry, second.frame(at=end), end), ["first.position", "second.position"]


def _tree(entry: dict[str, Any]) -> Built:
    """The same in coordinates of its joints."""
    m = sl.Model()
    end = (0.5, 0, -0.2)
    tree = m.tree(name="arm")
    first = tree.revolute(at=(0, 0, 0), axis="y", mass=1, inertia=(0.01, 0.01, 0.01), center_of_mass=(0.15, 0, 0.05), name="first")
    second = first.revolute(at=(0.3, 0, 0.1), axis="y", mass=1, inertia=(0.01, 0.01, 0.01), center_of_mass=(0.1, 0, -0.15), name="second")
    return _end_on_plane(m, entry, second.frame(at=end), end), ["second.position"]


def _beam(entry: dict[str, Any]) -> Built:
    """A soft cantilever whose tip meets a plane."""
    m = sl.Model(gravity=(0, 0, -9.81))
    beam = m.beam((0, 0, 0), (1, 0, 0), section=sl.Section((200.0, 100.0, 100.0, 4.0, 4.0, 4.0), 1.0, (0.02, 0.01, 0.01)), elements=2, name="beam")
    m.fixed(m.ground, beam.start)
    return _end_on_plane(m, entry, beam.end, (1, 0, 0)), [beam.end.position]


def _end_on_plane(m: sl.Model, entry: dict[str, Any], frame: Any, at: Sequence[float]) -> sl.Model:
    drop = 0.03 if _height(entry) else 0.0
    rows = [f"A_z - {at[2] - drop!r}", f"A_x - {at[0]!r}", f"A_y - {at[1]!r}", "A_R01", "A_R02", "A_R12"]
    m.user_relation([frame], rows[: _rows(entry)], law=law_of(entry, "rate"), name="row")
    return m


def _linear(entry: dict[str, Any]) -> Built:
    """Masses on springs along coordinates, linear with constant coefficients, of which the first falls on a floor while the others move along it."""
    m = sl.Model(gravity=(0, 0, 0))
    n = 6
    K = 10 * np.eye(n) + 4 * np.diag(np.ones(n - 1), 1) + 4 * np.diag(np.ones(n - 1), -1)
    m.add(NodeOde2(name="n", count=n, coordinates=[_height(entry)] + [0.0] * (n - 1), velocities=[-0.2 * _moves(entry), 1.0, 0.5, 0.4, -0.3, 0.2]))
    m.add(GenericSystem(name="body", node="n", mass_matrix=np.eye(n).tolist(), stiffness_matrix=K.tolist(), force=[-12.0] + [0.0] * (n - 1)))
    rows = _rows(entry)
    m.add(LinearRelation(name="row", on=coordinates("n", n), matrix=np.eye(n)[:rows].tolist(), offset=[0.0] * rows, law=law_of(entry, "rate")))
    return m, ["n.coordinate"]


def _first_order(entry: dict[str, Any]) -> Built:
    """Two states, of which one is driven to the law's edge."""
    m = states((0.2, 0.5))
    m.add(FirstOrderSystem(name="system", node="x", matrix=[[-0.5, 0.3], [-2.0, -1.0]], vector=[-0.8, 1.0]))
    rows = _rows(entry)
    C = np.eye(rows, 2).tolist() if rows <= 2 else np.ones((rows, 2)).tolist()
    if entry["name"] == "equality":
        m.add(LinearRelation(name="row", on=coordinates("x", 2), matrix=C, offset=[-0.2]))
    else:
        m.add(FirstOrderLinearRelation(name="row", on=coordinates("x", 2), C=C, B=np.transpose(C).tolist(), law=law_of(entry, "value")))
    return m, ["x.state"]


def _circuit(entry: dict[str, Any]) -> Built:
    """A source that feeds a capacitor through a resistor and what has the law."""
    m = sl.Model(gravity=(0, 0, 0))
    source, middle, store = (m.terminal(name=name) for name in ("source", "middle", "store"))
    m.voltage_source(source, m.ground, voltage="6*sin(12*t)")
    m.resistor(source, middle, R=2.0)
    m.resistor(middle, m.ground, R=50.0)
    m.capacitor(store, m.ground, C=0.02, voltage=0.0, name="C")
    m.resistor(store, m.ground, R=20.0)
    m.add(Diode(A=middle, B=store, law=law_of(entry, "value")), name="row")
    return m, ["C_charge.state"]


def _circuit_by_hand(entry: dict[str, Any], until: float) -> list[float]:
    """Its capacitor, by the formula of the current through the law: what makes the voltage across it vanish, as far as the law's bounds let it."""
    from scipy.integrate import solve_ivp

    bounds = {"complementarity": (0.0, math.inf), "mixed": (0.0, math.inf), "equality": (-math.inf, math.inf)}.get(entry["name"], (FIELDS["low"], FIELDS["high"]))

    def rate(t: float, v: np.ndarray) -> list[float]:
        current = min(max(6 * math.sin(12 * t) / 2.0 - (1 / 2.0 + 1 / 50.0) * v[0], bounds[0]), bounds[1])
        return [(current - v[0] / 20.0) / 0.02]

    return [float(solve_ivp(rate, (0, until), [0.0], rtol=1e-10, atol=1e-12, max_step=1e-3, method="DOP853").y[0, -1])]


BY_HAND: dict[str, Callable[[dict[str, Any], float], list[float]]] = {"circuit": _circuit_by_hand}


SYSTEMS: dict[str, Callable[[dict[str, Any]], Built]] = {
    "particles": _particles,
    "planar bodies": _planar,
    "bodies": _bodies,
    "joints": _joints,
    "tree": _tree,
    "beam": _beam,
    "linear": _linear,
    "first order": _first_order,
    "circuit": _circuit,
}


def _height(entry: dict[str, Any]) -> float:
    """Of a gap at the start; rows that are held or rub at once begin at zero."""
    return 0.0 if entry["name"] == "equality" or _by_force(entry) else 0.1


def _moves(entry: dict[str, Any]) -> float:
    return 0.0 if entry["name"] == "equality" else 1.0


def _by_force(entry: dict[str, Any]) -> bool:
    return any(field["name"] in ("on", "isotropic") for field in entry["fields"])


@functools.cache
def _contacts() -> frozenset[str]:
    """Laws that a contact in space takes, and that have an impact."""
    return frozenset(entry["name"] for entry in laws() if _rows(entry) in (1, 3, 6) and "_2d" not in entry["name"] and "impact" in entry["name"])


def laws() -> list[dict[str, Any]]:
    return [entry for entry in _core.items() if entry["family"] == "laws"]


# Runs.


@dataclass
class _Run:
    states: np.ndarray
    energy: float = math.nan
    certificate: float = 0.0
    speed: float = 1.0
    acceleration: float = 0.0
    extent: float = 0.0


def _simulate(system: str, entry: dict[str, Any], until: float, **how: Any) -> _Run:
    m, quantities = SYSTEMS[system](entry)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = m.simulate(until, **how)
    flat = [np.asarray(result[name]).reshape(len(result.time), -1) for name in quantities]
    motion = np.hstack(flat)
    run = _Run(motion[-1], certificate=float(result.report["residual"]["laws"]), extent=float(np.ptp(motion, axis=0).max()))
    if len(motion) > 1:
        run.speed = max(float(np.abs(np.gradient(motion, result.time, axis=0)).max()), 1e-3) if len(motion) > 2 else 1.0
        if len(motion) > 3:
            rate = np.gradient(motion, result.time, axis=0)
            run.acceleration = float(np.abs(np.gradient(rate, result.time, axis=0)).max())
        energy, size = np.asarray(result["energy.total"]), float(np.asarray(result["energy.kinetic"]).max())
        run.energy = float(np.max(energy - np.minimum.accumulate(energy)) / size) if size > 1e-6 else 0.0
    return run


REFERENCES = ("dormand_prince", "event_driven", "moreau_jean", "nonsmooth_generalized_alpha", "d1_minus")


def _reference(system: str, law: str, until: float, aside: str) -> tuple[tuple[float, ...], str, float]:
    return _reference_but(system, law, until, aside if aside in REFERENCES else "")


@functools.cache
def _reference_but(system: str, law: str, until: float, aside: str) -> tuple[tuple[float, ...], str, float]:
    """(last state, what gave it, its own error) by the best scheme that is not `aside`."""
    entry = _entry(law)
    if system in BY_HAND:
        return tuple(BY_HAND[system](entry, until)), "the circuit's equation, integrated by scipy", 1e-7
    fine = {"step": FINE if system != "beam" else 5 * FINE}
    for scheme, how in zip(REFERENCES, ({"tolerance": 1e-11}, {"tolerance": 1e-10}, fine, fine, fine), strict=True):
        if scheme == aside:
            continue
        try:
            run = _simulate(system, entry, until, scheme=scheme, record=until, **how)
        except (ModelError, RunError):
            continue
        options = ", ".join(f"{key} {value:g}" for key, value in how.items())
        own = 1e-8 if "tolerance" in how else _error(_simulate(system, entry, until, scheme=scheme, record=until, step=2 * how["step"]), run.states.tolist())
        return tuple(run.states), f"{scheme}, {options}", own
    try:  # it is alone: its steps against its error control
        close, closer = (_simulate(system, entry, until, scheme=aside, record=until, tolerance=tolerance) for tolerance in (1e-8, 1e-10))
    except (ModelError, RunError):
        return (), "", 0.0
    return tuple(closer.states), f"{aside}, tolerance 1e-10", _error(close, closer.states.tolist())


def _entry(law: str) -> dict[str, Any]:
    return next(entry for entry in laws() if entry["name"] == law)


def _error(run: _Run, truth: Sequence[float]) -> float:
    return float(np.abs(run.states - np.asarray(truth)).max())


def schemes() -> list[str]:
    return [*_core.schemes(), AUTOMATIC]


def cell(scheme: str, law: str, system: str, quick: bool = False) -> Cell:
    """One cell; quick: one step, without its order."""
    entry, out = _entry(law), Cell(scheme, law, system, "out")
    steps = () if scheme == AUTOMATIC else STEPS[:1] if quick else STEPS
    try:
        if scheme == "static":
            return _static(out, entry, system)
        at = ""
        runs = [_simulate(system, entry, UNTIL, scheme=scheme, step=step, record=UNTIL / 100) for step in steps]
        at = "at default settings: "
        default = _at_default(scheme, entry, system)
    except ModelError as refusal:
        return _refused(out, str(refusal))
    except RunError as failure:
        out.reason = at + _short(str(failure))
        return out
    truth, out.truth, own = _reference(system, law, UNTIL, scheme)
    if not truth:
        out.reason = "there is no other scheme to compare with"
        return out
    both = [*runs, *([default] if default else [])]
    out.certificate = max(run.certificate for run in both)
    if system not in ("first order", "circuit"):
        out.energy = both[-1].energy if len(runs) == 0 else runs[-1].energy
    right = (not runs or _by_steps(out, steps, runs, truth, own)) and (default is None or _by_default(out, default, truth, own))
    if right and out.certificate > 1e-6:
        right, out.reason = False, "the laws do not hold"
    if not quick and runs:
        out.order = _order(scheme, entry, system)
        if out.order is not None and out.order < LEAST_ORDER:
            right, out.reason = False, f"of order {out.order:.1f} before the first event"
    out.verdict = "right" if right else "out"
    return out


def _at_default(scheme: str, entry: dict[str, Any], system: str) -> _Run | None:
    """A run whose step the error controls; None of a scheme of steps of one length."""
    try:
        return _simulate(system, entry, UNTIL, record=UNTIL / 100, **({} if scheme == AUTOMATIC else {"scheme": scheme}))
    except ModelError as refusal:
        if "needs a fixed step" in str(refusal):
            return None
        raise


def _by_steps(out: Cell, steps: Sequence[float], runs: Sequence[_Run], truth: Sequence[float], own: float) -> bool:
    smooth = 0.5 * UNTIL * runs[-1].acceleration if out.law == "equality" else 0.0  # what a scheme of first order makes of a motion without events
    allowed = [step * (PER_STEP * runs[0].speed + smooth) + own for step in steps]
    errors = [_error(run, truth) for run in runs]
    out.error, out.tolerance = errors[-1], allowed[-1]
    right = all(error <= most for error, most in zip(errors, allowed, strict=True))
    if not right:
        out.reason = "the error does not fall with the step"
    return right


def _by_default(out: Cell, run: _Run, truth: Sequence[float], own: float) -> bool:
    share = BY_ROOT if out.scheme in ("explicit_euler", "symplectic_euler") else OF_MOTION
    out.default_error, out.default_tolerance = _error(run, truth), share * run.extent + own + ROUNDING
    right = out.default_error <= out.default_tolerance
    if not right:
        out.reason = f"at default settings: error {out.default_error:.1e} of {out.default_tolerance:.1e}"
    return right


def _order(scheme: str, entry: dict[str, Any], system: str) -> float | None:
    """In the step, before the first event; None where errors are rounding, or the law acts from the start. Parts of an error that cancel on long steps hide its order: what is
    below the least one is measured on shorter ones."""
    truth, how, own = _reference(system, entry["name"], BEFORE, scheme)
    rounding = 10 * own if "step" in how else ROUNDING
    order = None
    for first in (16, 64):
        try:
            runs = [_simulate(system, entry, BEFORE, scheme=scheme, step=BEFORE / n, record=BEFORE) for n in (first, 2 * first, 4 * first)]
        except (ModelError, RunError):
            return order
        errors = [_error(run, truth) for run in runs] if truth else []
        if not errors or min(errors) <= rounding:
            return order
        order = float(np.log2(errors[0] / errors[-1]) / 2)
        if order >= LEAST_ORDER:
            break
    return order


def _static(out: Cell, entry: dict[str, Any], system: str) -> Cell:
    """An equilibrium against the rest of a damped motion is not at hand for all laws: the residual of the equilibrium is its truth."""
    m, _ = SYSTEMS[system](entry)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            residual = m.static(**({} if entry["name"] == "equality" else {"reach": 10.0})).report["residual"]
        except RunError as failure:
            if "the motion that begins" not in str(failure):
                raise
            out.verdict, out.error, out.tolerance, out.truth = "right", 0.0, 0.0, "nothing balances the loads, as it says"
            return out
    out.error, out.tolerance, out.truth = max(residual["equations"], residual["constraints"], residual["laws"]), 1e-8, "the equations of equilibrium"
    out.certificate = residual["laws"]
    out.verdict = "right" if out.error <= out.tolerance else "out"
    return out


def _refused(out: Cell, message: str) -> Cell:
    out.verdict, out.reason = "refused", _short(message)
    return out


def _short(message: str) -> str:
    first = next((line for line in message.splitlines() if line.strip()), "")
    return re.sub(r"^\S*:\d+ ", "", first).removeprefix("relations/row: ")


def table(
    schemes_: Sequence[str] | None = None, laws_: Sequence[str] | None = None, systems: Sequence[str] | None = None, quick: bool = False
) -> Iterator[Cell]:
    """The cells, system by system."""
    for system in systems or SYSTEMS:
        for law in laws_ or [entry["name"] for entry in laws()]:
            for scheme in schemes_ or schemes():
                yield cell(scheme, law, system, quick)


def without_meaning(cells: Sequence[Cell]) -> dict[tuple[str, str, str], str]:
    """Refused cells that could not be anything else, with why: the law means nothing on that system, in no scheme; the scheme advances smooth motion; it holds nothing of that system, no equality."""
    taken = [c for c in cells if c.verdict != "refused"]
    laws_, jumps, systems = {(c.law, c.system) for c in taken}, {c.scheme for c in taken if c.law != "equality"}, {(c.scheme, c.system) for c in taken}
    why = {}
    for c in cells:
        if (c.law, c.system) not in laws_:
            reason = "no scheme takes it: it acts on a rate, or has more rows than the system"
        elif c.scheme not in jumps and c.law != "equality":
            reason = "it advances smooth motion, or holds equalities alone: a law with jumps is none of its equations"
        elif (c.scheme, c.system) not in systems:
            reason = _of_system(c.reason)
        else:
            continue
        why[c.scheme, c.law, c.system] = reason
    return why


def _of_system(reason: str) -> str:
    """What a scheme says of a whole system: the refusal without the item that it names first."""
    return re.sub(r"^\S+: ", "", reason) if "exact on linear systems" in reason else "it holds nothing of this system: " + reason


def meant(cells: Sequence[Cell]) -> list[Cell]:
    """Those with a meaning."""
    why = without_meaning(cells)
    return [c for c in cells if (c.scheme, c.law, c.system) not in why]


# The page.


def page(cells: Sequence[Cell]) -> str:
    """docs/matrix.md."""
    with_meaning = meant(cells)
    right = [c for c in with_meaning if c.verdict == "right"]
    out = [c for c in cells if c.verdict == "out"]
    lines = [
        "# Which scheme takes which law",
        "",
        "Written by `saltus matrix --write docs/matrix.md`. Each cell is a run of a small model against a reference: a number is its error after several",
        "events at a step of 0.5 ms, in units of the motion, and behind the stroke, of schemes that control their error, that at default settings; `automatic` is a run",
        "without a scheme; `-` is refused, with the reason below.",
        f"{len(right)} of {len(with_meaning)} cells that have a meaning are right, {len(out)} are out of tolerance.",
        "",
    ]
    names = list(dict.fromkeys(c.scheme for c in cells))
    by = {(c.scheme, c.law, c.system): c for c in cells}
    for system in dict.fromkeys(c.system for c in cells):
        lines += [f"## {system}", "", "| law | " + " | ".join(names) + " |", "|---|" + "---|" * len(names)]
        for law in dict.fromkeys(c.law for c in cells):
            lines.append(f"| {law} | " + " | ".join(_cell_text(by[s, law, system]) for s in names if (s, law, system) in by) + " |")
        lines.append("")
    lines += ["## Order before the first event", "", "In the step, the least and the largest over the laws of each system, of which friction and relays act from the start; errors of rounding have none.", ""]
    systems = list(dict.fromkeys(c.system for c in cells))
    lines += ["| scheme | " + " | ".join(systems) + " |", "|---|" + "---|" * len(systems)]
    for name in names:
        least = [[c.order for c in cells if c.scheme == name and c.system == s and c.order is not None] for s in systems]
        lines.append(f"| {name} | " + " | ".join(_span(orders) for orders in least) + " |")
    lines += _energies(names, cells)
    why = without_meaning(cells)
    lines += ["", "## Refusals", "", "Of cells with a meaning.", ""]
    lines += [f"- {where}: {reason}" for reason, where in _grouped([c for c in with_meaning if c.verdict == "refused"], cells).items()]
    lines += ["", "## Without a meaning", "", "These are not counted.", ""]
    for reason, where in _grouped([replace(c, reason=why[c.scheme, c.law, c.system]) for c in cells if (c.scheme, c.law, c.system) in why], cells).items():
        lines.append(f"- {where}: {reason}")
    if out:
        lines += ["", "## Out of tolerance", ""]
        lines += [f"- {c.scheme}, {c.law}, {c.system}: {c.reason or f'error {c.error:.1e} of {c.tolerance:.1e}'}" for c in out]
    return "\n".join(lines) + "\n"


def _energies(names: Sequence[str], cells: Sequence[Cell]) -> list[str]:
    worst = [max((c for c in cells if c.scheme == name and c.energy is not None), key=lambda c: c.energy or 0.0, default=None) for name in names]
    if not any(worst):
        return []
    lines = ["", "## Energy and certificate", "", "Largest rise of the energy, over the largest kinetic energy, where nothing feeds it; worst residual of the laws.", ""]
    lines += ["| scheme | rise | law | system | residual |", "|---|---|---|---|---|"]
    for c in worst:
        if c is not None:
            residual = max(other.certificate or 0.0 for other in cells if other.scheme == c.scheme)
            lines.append(f"| {c.scheme} | {c.energy:.0e} | {c.law} | {c.system} | {residual:.0e} |")
    return lines


def _span(orders: Sequence[float]) -> str:
    return "" if not orders else f"{min(orders):.1f}" + (f" to {max(orders):.1f}" if max(orders) > min(orders) + 0.1 else "")


def _cell_text(c: Cell) -> str:
    if c.verdict == "refused":
        return "-"
    errors = " / ".join(f"{error:.0e}" for error in (c.error, c.default_error) if error is not None)
    return f"{errors} out".strip() if c.verdict == "out" else errors


def _grouped(cells: Sequence[Cell], of: Sequence[Cell]) -> dict[str, str]:
    """By reason, the law's name left out of it: which schemes, on which systems."""
    found: dict[str, dict[str, dict[str, None]]] = {}
    for c in cells:
        schemes = found.setdefault(re.sub(f"['`]{c.law}['`]", "...", c.reason), {})
        schemes.setdefault(c.scheme, {})[c.system] = None
    every = {c.scheme for c in of}
    reasons = {}
    for reason, schemes in found.items():
        systems = list(dict.fromkeys(system for of in schemes.values() for system in of))
        reasons[reason] = f"{'every scheme' if set(schemes) == every else ', '.join(schemes)} ({', '.join(systems)})"
    return reasons
