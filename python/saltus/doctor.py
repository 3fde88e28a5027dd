"""What is probably wrong with a model that can be run, which scheme fits it and why, and what a run will cost."""

from __future__ import annotations

import math
import re
import time as clock
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from saltus import running
from saltus.errors import Fault, ModelError, ModelWarning
from saltus.handles import Body
from saltus.inertia import volume_of
from saltus.verbs.bodies import LARGE

if TYPE_CHECKING:
    from saltus.model import Model

LIGHT, HEAVY = 0.1, 1e5  # kg/m^3, of solid bodies: foam has 10, osmium 22600
TURNED = 4 * math.pi  # rad: a limit or rest angle beyond two turns is one in degrees
SLIPPERY = 12.0  # a coefficient of friction above is one in per cent
UNEVEN = 1e8  # ratio of masses
STIFF = 1e4  # ratio of frequencies from which an explicit scheme takes steps for what is not seen
STABLE = {"runge_kutta_4": 2.78, "dormand_prince": 3.3}  # step times frequency on the imaginary axis
TRIAL = 1.0  # s of work for a run that is timed
NODES = 400  # velocities up to which the modes are looked at
LONG = 60.0  # s of work for a run that is too long to wait for
STANDS = 1e-7  # of the largest eigenvalue: below is 0, as rounding leaves a double one
FOLLOWED = 1.0  # steps times the fastest frequency below which its vibration is resolved


@dataclass(frozen=True)
class Examination:
    """findings: what is probably a mistake, each with a remedy. facts: what was found out, in words by name."""

    findings: list[Fault]
    facts: dict[str, str]

    def __str__(self) -> str:
        width = max(map(len, self.facts), default=0)
        lines = [f"{name:>{width}}  {text}" for name, text in self.facts.items()]
        lines += [f"{'error' if f.severity == 'error' else 'look'}: {f.text}" for f in self.findings] or ["nothing looks wrong"]
        return "\n".join(lines)


def _number(x: float, digits: int = 3) -> str:
    """In few digits, and without a power of ten where it is not long: 2500, not 2.5e+03."""
    return f"{float(f'{x:.{digits}g}'):g}"


def examine(model: Model) -> Examination:
    """See Model.doctor."""
    findings: dict[str, Fault] = {}
    facts: dict[str, str] = {}

    def add(path: str, message: str, remedy: str) -> None:
        (fault,) = model._reported([Fault(path, message, remedy, severity="warning")])
        findings.setdefault(fault.path + fault.message, fault)

    faults = model.check()
    for fault in faults:
        findings[fault.path + fault.message] = fault
    if not faults and not any(section in ("bodies", "nodes") for section, _, _ in model._engine.records()):
        add("model", "holds no body and no node: nothing moves", "add bodies, or the terminals and elements of a circuit")
    for found in (_units(model), _numbers(model), _parameters(model), _loose(model)):
        for entry in found:
            add(*entry)
    if not any(fault.severity == "error" for fault in faults):
        motions: list[float] = []
        for found in (_freedoms(model, facts), _frequencies(model, facts, motions), _trial(model, facts, findings, motions)):
            for entry in found:
                add(*entry)
    return Examination(list(findings.values()), facts)


Finding = tuple[str, str, str]


def _bodies(model: Model) -> Iterator[tuple[str, dict[str, Any], Any]]:
    """(name, fields, handle) of what has a mass."""
    for section, _, name in model._engine.records():
        if section == "bodies":
            handle = model[name]
            yield name, model._engine.record(name)["fields"], handle if isinstance(handle, Body) else None


def _volume(shape: Any) -> tuple[float, float]:
    """(volume, largest distance of its points) of a solid."""
    kind = shape.get("type") if isinstance(shape, dict) else None
    if kind == "sphere":
        return 4 / 3 * math.pi * shape["radius"] ** 3, shape["radius"]
    if kind == "box":
        return float(np.prod(shape["size"])), float(np.linalg.norm(shape["size"])) / 2
    if kind in ("cylinder", "capsule"):
        r, length = shape["radius"], shape["length"]
        return math.pi * r * r * length + (4 / 3 * math.pi * r**3 if kind == "capsule" else 0.0), math.hypot(r, length / 2) + (r if kind == "capsule" else 0.0)
    if kind in ("hull", "mesh"):
        return volume_of(shape), float(np.linalg.norm(shape["points"], axis=1).max())
    return 0.0, 0.0


def _units(model: Model) -> Iterator[Finding]:
    """Numbers in millimetres, in tonnes."""
    size = float(np.linalg.norm(model.gravity))
    for factor, unit in ((1e3, "mm"), (1e2, "cm"), (1 / 0.3048, "feet")):
        if abs(size / factor - 9.81) < 0.05:
            yield "gravity", f"is {size:g} m/s^2, as in {unit}/s^2", "lengths are in metres here: give 9.81 and all lengths in m"
    for name, fields, handle in _bodies(model):
        mass = fields.get("mass")
        if handle is None or not isinstance(mass, (int, float)) or isinstance(mass, bool) or not mass > 0:
            continue
        try:
            volume, far = _volume(handle.shape)
        except (AttributeError, KeyError, TypeError, ModelError):
            continue
        if volume > 0.0:
            density = mass / volume
            if not LIGHT <= density <= HEAVY:
                guess = [(word, density * f) for word, f in (("its size in mm", 1e9), ("its mass in tonnes", 1e3), ("its mass in grams", 1e-3)) if 50 <= density * f <= 25000]
                why = f"is {guess[0][0]}? then it would have {_number(guess[0][1])} kg/m^3" if guess else "look at mass and size"
                yield f"bodies/{name}", f"has {_number(density)} kg/m^3, which no solid has", why
            elif far > LARGE and size > 1.0 and f"bodies/{name}/scale" not in [fault.path for fault in model._built_with()]:
                yield f"bodies/{name}", f"reaches {far:.3g} m and has {mass:.3g} kg", "are its lengths in mm? then give them in m, of a mesh by scale=1e-3"
        inertia = np.array(fields.get("inertia", 0.0), dtype=object)
        if far > 0.0 and inertia.size and all(isinstance(x, (int, float)) for x in inertia.ravel()):
            numbers = inertia.astype(float)
            largest = float(np.abs(numbers).max())
            gyration = math.sqrt(largest / mass)
            if gyration > 3 * far:
                yield f"bodies/{name}/inertia", f"is that of a body of {gyration:.3g} m, and this one reaches {far:.3g} m", "give it in kg m^2 about the reference point (1 kg m^2 = 1e6 kg mm^2)"


def _numbers(model: Model) -> Iterator[Finding]:
    """Angles in degrees, friction in per cent, masses that are far apart."""
    masses: dict[str, float] = {}
    for section, kind, name in model._engine.records():
        fields = model._engine.record(name)["fields"]
        if section == "bodies" and isinstance(fields.get("mass"), (int, float)) and fields["mass"] > 0:
            masses[name] = float(fields["mass"])
        law = fields.get("law")
        friction = [(f"{section}/{name}/friction", fields.get("friction"))] + ([(f"{section}/{name}/law/friction", law.get("friction"))] if isinstance(law, dict) else [])
        for path, value in friction:
            if isinstance(value, (int, float)) and value > SLIPPERY and kind not in ("joint_friction",):
                yield path, f"is {value:g}", f"a coefficient of friction is about 0.1 to 1: {value / 100:g}, if it is in per cent"
    yield from _stops(model)
    if len(masses) > 1:
        least, most = min(masses, key=lambda n: masses[n]), max(masses, key=lambda n: masses[n])
        if masses[most] > UNEVEN * masses[least]:
            yield f"bodies/{least}", f"has a mass of {masses[least]:g} kg beside {masses[most]:g} kg of '{most}': the small one is lost in rounding", "check both masses, or join the small one to its neighbour"


def _stops(model: Model) -> Iterator[Finding]:
    """Limits and rest angles of hinges that are degrees."""
    for statement in model._statements:
        if statement.verb.__name__ not in ("revolute", "cylindrical"):
            continue
        for word in ("limits", "rest_angle", "angle"):
            value = statement.given.get(word)
            values = value if isinstance(value, (list, tuple)) else [value]
            large = [x for x in values if isinstance(x, (int, float)) and math.isfinite(x) and abs(x) > TURNED]
            path = f"joints/{statement.made.name}/{word}"
            if large and path not in [fault.path for fault in statement.warnings]:
                yield path, f"has {large[0]:g} rad, {abs(large[0]) / (2 * math.pi):.1f} turns", f"if these are degrees write sl.degrees({large[0]:g})"


def _parameters(model: Model) -> Iterator[Finding]:
    """Parameters that nothing reads."""
    try:
        text = model._engine.text()
    except ModelError:
        return
    for name in model.parameters:
        if len(re.findall(rf"(?<![\w.]){re.escape(name)}(?!\w)", text)) < 2:
            yield f"parameters/{name}", "is read nowhere", "use it in a field, or delete it"


def _loose(model: Model) -> Iterator[Finding]:
    """Bodies that fall: gravity acts on them and nothing holds them."""
    if not np.linalg.norm(model.gravity) > 0:
        return
    names = {name for _, _, name in model._engine.records()}
    links: dict[str, set[str]] = {name: set() for name in names | {"ground"}}
    kinds = {}
    for section, kind, name in model._engine.records():
        kinds[name] = (section, kind)
        for other in _named(model._engine.record(name)["fields"], names | {"ground"}):
            if other != name and section != "loads":
                links[name].add(other)
                links[other].add(name)
    group = {"ground"}
    waiting = ["ground"]
    while waiting:
        for other in links[waiting.pop()]:
            if other not in group:
                group.add(other)
                waiting.append(other)
    for name, (section, kind) in kinds.items():
        if section == "bodies" and kind in ("rigid_body", "point_mass") and name not in group:
            yield f"bodies/{name}", "is held by nothing: it falls", "join it, put contacts below it, or set gravity=(0, 0, 0)"


def _named(value: Any, names: set[str]) -> Iterator[str]:
    if isinstance(value, str):
        if value in names:
            yield value
        elif value.split(".")[0] in names:
            yield value.split(".")[0]
    elif isinstance(value, dict):
        for entry in value.values():
            yield from _named(entry, names)
    elif isinstance(value, (list, tuple)):
        for entry in value:
            yield from _named(entry, names)


def _freedoms(model: Model, facts: dict[str, str]) -> Iterator[Finding]:
    """How the model can move, and rows of joints that hold nothing more."""
    try:
        found = model.freedoms()
    except (ModelError, ValueError):
        return
    if not found.unknowns:
        return
    facts["freedoms"] = f"{found.count}, of {found.unknowns} velocities and {found.rows} rows of joints"
    if found.redundant:
        n = len(found.redundant)
        facts["redundant"] = f"{n} row{'s' * (n > 1)}"
        yield "joints", f"{n} of {found.rows} rows hold{'s' * (n == 1)} what others hold already: {_together(found.redundant)}", "take joints with more freedom, for example a spherical or cylindrical one in place of a hinge; the reactions of such rows are not determined"
    if found.count == 0 and found.unknowns and found.rows:
        facts["freedoms"] += ": it can move by drives and contacts alone"


def _together(rows: Sequence[str]) -> str:
    """"row z of 'D' with 'A'", "row rx of 'D' with 'A'" in one."""
    of: dict[str, list[str]] = {}
    for text in rows:
        row, _, rest = text.removeprefix("row ").partition(" of ")
        of.setdefault(rest, []).append(row)
    return "; ".join([f"row{'s' * (len(names) > 1)} {', '.join(names)} of {rest}" for rest, names in of.items()][:3] + ["..."] * (len(of) > 3))


def _rate(value: complex) -> str:
    """Of an eigenvalue: a frequency, or how fast something decays or grows that does not swing."""
    if abs(value.imag) > 0.1 * abs(value):
        return f"{abs(value) / (2 * np.pi):.4g} Hz"
    return f"{'grows' if value.real > 0 else 'decays'} at {abs(value):.4g} 1/s"


def _frequencies(model: Model, facts: dict[str, str], motions: list[float]) -> Iterator[Finding]:
    """Fast and slow motions at the start, and what they ask of steps and samples. motions: gets the slowest and the fastest [rad/s]."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            if model._engine.compile().sizes()["nv"] > NODES:
                return
            modes = model.modes(at="start")
        except ModelError:
            return
    values = modes.eigenvalues[np.abs(modes.eigenvalues) > STANDS * max(np.abs(modes.eigenvalues).max(initial=0.0), 1e-300)]
    if not len(values):
        return
    values = values[np.argsort(np.abs(values))]
    sizes = np.abs(values)
    motions += [float(sizes[0]), float(sizes[-1])]
    facts["fastest"] = f"{_rate(values[-1])}; an explicit step must stay below {STABLE['runge_kutta_4'] / sizes[-1]:.3g} s"
    facts["slowest"] = _rate(values[0])
    if sizes[-1] > STIFF * sizes[0]:
        facts["stiffness"] = f"the fastest is {_number(sizes[-1] / sizes[0], 2)} times as fast as the slowest: explicit schemes take steps for the fastest; for the slow motion take generalized_alpha, with impacts nonsmooth_generalized_alpha"
    if values.real.max() > 1e-6 * sizes[-1]:
        facts["stability"] = f"a small deviation grows as exp({values.real.max():.3g} t) at the start"
    run = model._engine.run_options()
    bound = STABLE.get(run["scheme"])
    if bound and isinstance(run["step"], (int, float)) and run["step"] * sizes[-1] > bound:
        yield "simulation/step", f"is {run['step']:g} s, too long for {run['scheme']}: beyond {bound / sizes[-1]:.3g} s the fastest motion grows without bound", "take a smaller step, or scheme generalized_alpha"
    swings = np.abs(values[np.abs(values.imag) > 0.1 * np.abs(values)])
    for name, fields in model._engine.controllers.items():
        period = fields.get("period")
        if len(swings) and isinstance(period, (int, float)) and period > np.pi / swings.min() and fields.get("outputs"):
            yield f"controllers/{name}/period", f"is {period:g} s, longer than half a swing of the slowest motion ({np.pi / swings.min():.3g} s)", "sample some ten times a swing"


def _follows(model: Model, scheme: str, step: float, until: float, work: float, motions: list[float]) -> Iterator[Finding]:
    """Error control follows a vibration that is far faster than what the model is about. work: of the whole run [s]."""
    if not motions or model._engine.run_options()["step"] is not None:
        return
    slow, fast = motions
    if work > LONG and fast > STIFF**0.75 * slow and step * fast < FOLLOWED:
        damped = "generalized_alpha" if scheme in ("dormand_prince", "generalized_alpha") else "nonsmooth_generalized_alpha"
        tenfold = 10.0 ** math.floor(math.log10(min(2 * math.pi / slow / 50, until / 500)))
        yield ("simulation/step", f"follows the vibration of {fast / (2 * np.pi):.3g} Hz: until the end about {running.time_span(work)} of work",
               f"if it is of no interest, steps of fixed length damp it: scheme={damped!r}, step={tenfold:g}; compare with half the step. Or give what vibrates damping")


def _trial(model: Model, facts: dict[str, str], findings: dict[str, Fault], motions: list[float]) -> Iterator[Finding]:
    """A short run: the scheme and why, warnings, cost."""
    run = model._engine.run_options()
    until = float(run["until"]) if isinstance(run["until"], (int, float)) else 1.0
    started = clock.monotonic()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ModelWarning)
            model._bind_controllers()
            _, engine = running.prepare(model._engine, running.Options(until=until))
            report = engine.advance(lambda *_: clock.monotonic() - started < TRIAL)
    except ModelError as error:
        findings.update({fault.path + fault.message: fault for fault in model._reported(error.faults)})
        return
    spent = clock.monotonic() - started
    reached = float(report.get("t", 0.0))
    for fault in model._reported(w for w in report.get("warnings", []) if "redundant" not in facts or "redundant" not in w.message):  # of which `joints` tells
        findings.setdefault(fault.path + fault.message, fault)
    facts["scheme"] = engine.scheme + (f": {report['chosen']}" if report.get("chosen") else "")
    steps = int(report.get("steps", 0))
    if reached > 0 and steps:
        yield from _follows(model, engine.scheme, reached / steps, until, spent / reached * until, motions)
        facts["cost"] = f"{spent / reached:.2g} s of work for 1 s of motion, steps of {_number(reached / steps, 2)} s; until {until:g} s about {_number(spent / reached * until, 2)} s and {_number(steps / reached * until, 2)} steps"
    if report.get("status") == "failed":
        yield "simulation", f"fails at t = {reached:g} s: {model._words(str(report.get('cause', '')))}", "look at the state there: it may be a mechanism that cannot go on"
