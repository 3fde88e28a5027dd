"""One way from a model to a recorded run: what `saltus run`, `Model.simulate` and the gallery call."""

from __future__ import annotations

import json
import math
import signal
import threading
import time as clock
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from saltus import _core
from saltus.contact_record import ContactRecord
from saltus.errors import Fault, ModelError, grouped
from saltus.geometry import OTHER_SCHEMES
from saltus.row_names import by_name, of_joints

if TYPE_CHECKING:
    from saltus.curve import Curve
    from saltus.starts import Start

FAR_MASSES = 1e8  # ratio from which a failed run names the masses
PROGRESS = 0.1  # s between two hand-overs of states
LATE, FAR = 15.0, 120.0  # s of work after which a run whose end is so far says so
RECORD_SHARE = 0.4  # of the free memory that the record of a run may take: its parts are joined at the end
CONTACTS_KEPT = 256 << 20  # bytes of contacts that a run records unasked
COLUMNS = ("t", "y", "a", "lam", "data", "h", "iterations", "residuals", "xdot", "piece")
Hook = Callable[[bytes], Any]
Hooks = Callable[["Recorded", float], tuple[Hook | None, Hook | None]]
APART = 0.02  # of the model's size, or of a radian: what `record=` may leave out without a word


@dataclass
class Options:
    """Options of a run; None: as the model's `simulation` says."""

    until: float | None = None
    step: float | None = None
    scheme: str | None = None
    scheme_options: dict[str, Any] | None = None
    tolerance: float | None = None
    threads: int | None = None
    consistent: bool | None = None
    interval: float | None = None  # of recording [s]; None: every step
    contacts: bool | None = None  # whether contacts of groups are recorded; None: as long as they take little


class Report(dict[str, Any]):
    """What a run says of itself: read as a dict, printed as text."""

    is_static = False

    def __str__(self) -> str:
        residual, start, end = self["residual"], self["energy_start"], self["energy_end"]
        lines = [f"status    {self['status']}, an equilibrium"] if self.is_static else [
            f"status    {self['status']} at t = {self['t']:g} s" + (f" ({self['chosen']})" if self.get("chosen") else ""),
            f"steps     {self['steps']} ({self['rejected']} rejected)",
        ]
        lines += [
            "residual  " + ", ".join(f"{word} {value:.1e}" for word, value in residual.items()) + " (worst, relative)",
            f"energy    {start:.9g} J -> {end:.9g} J, kinetic and potential, change {end - start:.3g} J",
        ]
        lines += [f"cause     {self['cause']}"] if self.get("cause") else []
        return "\n".join([*lines, *(f"warning   {fault.text}" for fault in grouped(self.get("warnings", ())))])


@dataclass
class Recorded:
    """A finished or broken run: arrays with time first, and the report of the engine."""

    system: _core.System
    model_text: str
    scheme: str
    is_static: bool
    options: dict[str, Any]
    report: dict[str, Any] = field(default_factory=dict)
    arrays: dict[str, np.ndarray] = field(default_factory=dict)
    events: list[tuple[float, str, str, float]] = field(default_factory=list)
    wall_s: float = 0.0
    stopped_at: float | None = None  # time at which a condition `stop` was met
    state: bytes = b""
    shapes: dict[str, Any] = field(default_factory=dict)  # by body, for pictures
    program: str = ""  # version of the Saltus that wrote the file it comes from
    contacts: np.ndarray | None = None  # between groups (n, columns of contact_record.COLUMNS), by row of the states
    _track: tuple[_core.System, _core.Track] | None = None

    def __getstate__(self) -> dict[str, Any]:
        if not self.model_text:
            raise ModelError(Fault("result", "has functions of the program, which another process does not have", "write them as expressions, or hand over result[quantity]"))
        return {key: value for key, value in self.__dict__.items() if key not in ("system", "_track")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, system=_core.Model.parse(state["model_text"], "").compile(), _track=None)

    def evaluate(self, path: str) -> tuple[np.ndarray, str, list[str]]:
        """(values (n, components), unit, names of components) of `name.quantity[.component]`."""
        a = self.arrays
        return self.system.evaluate(path, a["t"], a["y"], a["a"], a["lam"], a["data"])

    def track(self, system: _core.System | None = None) -> _core.Track:
        """The motion as a curve over time; system: the same model with more markers."""
        system = system or self.system
        if self._track is None or self._track[0] is not system:
            a = self.arrays
            wanted = {name: np.ascontiguousarray(a[name], dtype=float) for name in ("t", "y", "a", "lam", "data")}
            more = {name: np.ascontiguousarray(a[name], dtype=float) for name in ("xdot",) if name in a}
            self._track = (system, _core.Track(system, self.scheme, **wanted, **more, piece=self.column("piece")))
        return self._track[1]

    def curve(self, path: str) -> Curve:
        """`name.quantity[.component]` as a curve over time, values (n, components)."""
        from saltus.curve import Curve, kinematic, states_at

        track, rates = self.track(), not kinematic(path)

        def of(times, before):
            a = states_at(track, times, before, rates)
            return self.system.evaluate(path, a["t"], a["y"], a["a"], a["lam"], a["data"])[0]

        return Curve(self, of)

    def column(self, name: str) -> np.ndarray:
        """A column by name; of a file of an earlier version, which lacks the last two, what can be known of them."""
        if name == "piece" and name not in self.arrays:
            from saltus.curve import pieces_of

            return pieces_of(self.arrays["t"], self.events, self.report.get("steps", 0))
        if name == "xdot" and name not in self.arrays:
            sizes = self.system.sizes()
            x = self.arrays["y"][:, sizes["nq"] + sizes["nv"] :][:, : sizes["nx"]]
            return np.gradient(x, self.arrays["t"], axis=0) if len(x) > 1 else np.zeros_like(x)
        return self.arrays[name]

    @property
    def status(self) -> str:
        return "done" if self.report.get("status") == "stopped" else self.report.get("status", "failed")


def resolved(model: _core.Model, options: Options) -> dict[str, Any]:
    """The model's `simulation`, overridden by what is given."""
    try:
        r = model.run_options()
    except ModelError as error:
        raise ModelError(model.check() or error.faults) from None  # with the mistakes of items
    for name in ("until", "step", "tolerance", "threads", "consistent"):
        given = getattr(options, name)
        if given is not None:
            r[name] = given
    if options.tolerance is not None and options.step is None:
        r["step"] = None  # who asks for an accuracy does not mean the step that the file fixes
    if options.scheme == "static" and options.step is None:
        r["step"] = None  # who asks for an equilibrium does not mean the step of motions
    if options.scheme is not None:
        r["scheme"], r["options"] = options.scheme, {}
    if options.scheme_options:
        r["options"] = {**r["options"], **options.scheme_options}
    if options.interval is None and isinstance(r["record"], dict):
        interval = r["record"].get("interval")
        if interval is not None and not (isinstance(interval, (int, float)) and interval > 0):
            raise ModelError(Fault("simulation/record/interval", f"is {interval!r}, must be a time above 0"))
        options.interval = interval
    r["interval"] = options.interval
    r["contacts"] = options.contacts
    if options.contacts is None and isinstance(r["record"], dict):
        r["contacts"] = r["record"].get("contacts")
    if r["contacts"] not in (None, True, False):
        raise ModelError(Fault("simulation/record/contacts", f"is {r['contacts']!r}, must be true or false", "leave it out: then they are kept while they take little"))
    if not isinstance(r["threads"], int) or not 1 <= r["threads"] <= 1024:
        raise ModelError(Fault("simulation/threads", f"is {r['threads']!r}, must be between 1 and 1024"))
    if meant := OTHER_SCHEMES.get(str(r["scheme"]).lower().replace("-", "_").replace(" ", "_")):
        raise ModelError(Fault("simulation/scheme", f"{r['scheme']!r} is not a scheme", f'did you mean "{meant}"?'))
    _check_number("until", r["until"])
    for name in ("step", "tolerance"):
        if r[name] is not None:
            _check_number(name, r[name])
    return r


def _check_number(name: str, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value) or value <= 0:
        raise ModelError(Fault(f"simulation/{name}", f"is {value!r}, must be a finite number above 0"))


@contextmanager
def _ctrl_c() -> Iterator[Callable[[], bool]]:
    """Ctrl-C becomes a question, so that no step or commit is cut; a second one interrupts at once."""
    asked = False

    def note(number, frame):
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True

    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield lambda: False  # the program has its own answer to Ctrl-C
        return
    signal.signal(signal.SIGINT, note)
    try:
        yield lambda: asked
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _joined(blocks: list[np.ndarray]) -> np.ndarray:
    filled = [block for block in blocks if len(block)] or blocks[:1]
    return filled[0] if len(filled) == 1 else np.concatenate(filled) if filled else np.zeros(0)


def _parts() -> dict[str, list[np.ndarray]]:
    return {name: [] for name in COLUMNS}


def _joined_columns(parts: dict[str, list[np.ndarray]]) -> tuple[dict[str, np.ndarray], bool]:
    """The parts of each column in one array, and whether all are there: where memory runs out, the first half, or a half of that."""
    whole = True
    while True:
        try:
            return {name: _joined(values) for name, values in parts.items()}, whole
        except MemoryError:
            kept = max(len(values) for values in parts.values()) // 2
            if kept == 0:
                raise
            whole = False
            for values in parts.values():
                del values[kept:]


def row_bytes(sizes: dict[str, int]) -> int:
    """Bytes of one recorded state."""
    return 8 * (7 + sizes["ny"] + sizes["nv"] + sizes["nx"] + sizes["rows"] + sizes["nd"])


def check_record(sizes: dict[str, int], until: float, step: float | None, interval: float | None, free: float) -> None:
    """ModelError where the states that will be recorded are known to need more memory than there is."""
    counts = [until / length for length in (interval, step) if length]
    states = min(counts, default=0.0)
    needed = states * row_bytes(sizes)
    if needed <= RECORD_SHARE * free:
        return
    path, length = ("simulation/record/interval", interval) if interval else ("simulation/step", step)
    seldom = max(until / 1e4, 2.0 * (length or 0.0))
    raise ModelError(Fault(
        path,
        f"is {length:g} s: over {until:g} s that records {states:.3g} states of {_core.bytes_text(row_bytes(sizes))}, {_core.bytes_text(needed)} in all,"
        f" and {_core.bytes_text(RECORD_SHARE * free)} may be taken of the memory that is free",
        f"record less often, such as record={seldom:.2g}, or run a shorter time",
    ))


def channels_of(sizes: dict[str, int], contacts: bool = False):
    """Channels of a result file for the states of a run; contacts: between groups, one row each on a time axis of their own."""
    from saltus.contact_record import CHANNEL
    from saltus.store import Channel

    return [
        Channel("y", shape=(sizes["ny"],), doc="q, v, x, z and a zero, in the layout of the model"),
        Channel("a", shape=(sizes["nv"],), doc="accelerations, by velocity"),
        Channel("lam", shape=(sizes["rows"],), doc="multipliers, by row of the relations"),
        Channel("data", shape=(sizes["nd"],), doc="history variables"),
        Channel("h", "s", doc="step after this one"),
        Channel("iterations", doc="iterations of the step"),
        Channel("residuals", shape=(3,), doc="scaled residuals of equations, constraints, laws"),
        Channel("xdot", shape=(sizes["nx"],), doc="rates of the first-order states"),
        Channel("piece", doc="what lies before the state: 0 parts of several steps, 1 one step or a part of it, 2 with a jump of velocities or bodies that are parted, 3 a step that ends at a sample"),
        *([CHANNEL] if contacts else []),
    ]


def scheme_options(chosen: dict[str, Any]) -> dict[str, Any]:
    """Options of the scheme, with the drift of the model's settings."""
    return {**({"drift": chosen["drift"]} if chosen["drift"] != "projection" else {}), **chosen["options"]}


LESS = "record less often, such as record=0.01, or run a shorter time"


def prepare(
    model: _core.Model,
    options: Options,
    stop: Callable[[_core.System], list[_core.Stop]] | None = None,
    like: Recorded | None = None,
    start: Start | None = None,
) -> tuple[Recorded, _core.Run]:
    """An empty record and the engine at its start. like: an earlier run of the model as it is, which is not compiled again."""
    chosen = resolved(model, options)
    system = like.system if like is not None else model.compile()
    step = chosen["step"]
    if stop is not None:
        conditions = stop(system)
    else:
        conditions = [model.stop_where(system, chosen["stop"])] if chosen["stop"] else []
    engine = _core.Run(
        system, scheme=chosen["scheme"], options=scheme_options(chosen), until=float(chosen["until"]),
        step=None if step is None else float(step), tolerance=float(chosen["tolerance"]), error_control=step is None,
        threads=int(chosen["threads"]), consistent=bool(chosen["consistent"]),
        stop=conditions, contacts=chosen["contacts"] is not False,
    )
    try:
        text = like.model_text if like is not None else model.text()
    except ModelError:  # functions of Python have no text
        text = ""
    if start is not None:
        if engine.is_static:
            raise ModelError(Fault("simulation/start", "is no start of a static run, which begins at the reference position", "leave start out"))
        if not start.t < chosen["until"]:
            raise ModelError(Fault("simulation/until", f"is {chosen['until']:g} s, and the run starts at {start.t:g} s", "time goes on from the start: give a later end"))
        start.put(engine, system, text, chosen)
    return Recorded(system, text, engine.scheme, engine.is_static and chosen["step"] is None, chosen), engine


def time_span(seconds: float) -> str:
    """'6.6 hours'."""
    for size, word in ((86400.0, "days"), (3600.0, "hours"), (60.0, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds / size:.2g} {word}"
    return f"{seconds:.2g} s"


class _Recording:
    """Takes what the engine hands on of a run: into the parts of the record, and into the result file if there is one."""

    def __init__(self, recorded: Recorded, engine: Any, free: float, *, output: Path | None, progress: Callable[[float, float], None] | None, slow: Callable[[str], None] | None, begin: float, checkpoint_every: float) -> None:
        self.recorded, self.engine, self.progress, self.slow, self.checkpoint_every = recorded, engine, progress, slow, checkpoint_every
        self.until, self.begin, self.began = float(recorded.options["until"]), begin, clock.monotonic()
        self.allowed = RECORD_SHARE * free
        self.held = self.taken = 0  # bytes and states that are recorded
        self.out_of_memory = self.lost = ""  # why the record ended; and where states were lost that the run had reached
        self.interrupted: Callable[[], bool] = lambda: False
        self.parts = _parts()
        records_contacts = recorded.options["contacts"] is not False and bool(recorded.system.contact_names()[2])
        self.contacts = ContactRecord(math.inf if recorded.options["contacts"] else CONTACTS_KEPT) if records_contacts else None
        self.writer: Any = None
        if output is not None:
            from saltus.store import ResultWriter

            self.writer = ResultWriter(output, channels_of(recorded.system.sizes(), self.contacts is not None), model=recorded.model_text)
            self.writer.report(0.0, "options", "", **_kind_of(recorded))  # first: who resumes a run that was killed needs them
        self.last_checkpoint = clock.monotonic()

    def _take(self, t, y, a, lam, data, h, iterations, residuals, xdot, piece, events, now, contacts=None) -> bool:
        writer = self.writer
        if self.contacts is not None and contacts is not None:
            rows = self.contacts.take(contacts, self.taken, len(t))
            self.held += rows.nbytes
            if writer is not None:
                writer.append(t[rows[:, 0].astype(int) - self.taken], {"contact": rows}, series="contacts")
        self.taken += len(t)
        block = dict(zip(COLUMNS, (t, y, a, lam, data, h, iterations, residuals, xdot, piece)))
        for name, values in block.items():
            self.parts[name].append(values)
            self.held += values.nbytes
        self.recorded.events.extend(events)
        if self.held > self.allowed:
            self.out_of_memory = f"the record holds {_core.bytes_text(self.held)}, all that may be taken of the memory that was free; {LESS}"
        if writer is not None:
            if len(t):
                writer.append(t, {name: block[name] for name in COLUMNS[1:]})
            for when, kind, item, value in events:
                writer.event(when, kind, item, value=value)
            if clock.monotonic() - self.last_checkpoint > self.checkpoint_every:
                self.last_checkpoint = clock.monotonic()
                writer.checkpoint(now, self.engine.state())
        if self.progress is not None:
            self.progress(now, self.until)
        if self.slow is not None and (spent := clock.monotonic() - self.began) > LATE:
            self._tell_slow(now, spent)
        return not self.interrupted() and not self.out_of_memory

    def _tell_slow(self, now: float, spent: float) -> None:
        """Once, where the end is far: a program that seems to hang says what it does."""
        share = (now - self.begin) / (self.until - self.begin)
        if spent * (1.0 - share) > FAR * share:
            tell, self.slow = self.slow, None
            left = spent / share - spent if share > 0.0 else math.inf
            tell(f"the run is at t = {now:.6g} s of {self.until:g} s after {spent:.0f} s of work" + (f", and takes some {time_span(left)} more" if math.isfinite(left) else "")
                 + "; m.doctor() says what its steps follow, Ctrl-C ends it and keeps what it has")
        elif share > 0.5:
            self.slow = None

    def keep(self, *record: Any) -> bool:
        """Whether the run may go on."""
        try:
            return self._take(*record)
        except MemoryError:
            whole = min(len(values) for values in self.parts.values())
            for values in self.parts.values():
                del values[whole:]
            self.out_of_memory = self.lost = f"the memory ran out; {LESS}"
            return False

    def advance(self, interval: float | None, before: Recorded | None, hooks: tuple[Hook | None, Hook | None]) -> None:
        """Goes to the end of the run, after the states of the one that is gone on with."""
        recorded, engine = self.recorded, self.engine
        if before is not None:
            engine.load_state(before.state)
            recorded.shapes = before.shapes
            with _ctrl_c() as self.interrupted:
                self.keep(*(before.column(name) for name in COLUMNS), before.events, before.arrays["t"][-1], before.contacts)
        with _ctrl_c() as self.interrupted:
            recorded.report = engine.advance(self.keep, progress_interval=PROGRESS, record_interval=interval or 0.0,
                                             record_all=interval is None, before_step=hooks[0], after_step=hooks[1])
        if self.lost or (self.out_of_memory and recorded.report["status"] == "interrupted"):
            recorded.report.update(status="failed", cause=f"at t = {recorded.report['t']:.9g} s: {self.out_of_memory}")
        recorded.scheme = engine.scheme  # auto may have changed over
        if recorded.report["status"] == "stopped":
            recorded.stopped_at = recorded.report["t"]
        recorded.state = engine.state()
        if before is not None:
            _add_before(recorded, before)

    def join(self) -> None:
        """The arrays of the record, and what was left out of its contacts."""
        recorded = self.recorded
        recorded.arrays = {name: _joined(values) for name, values in self.parts.items()}
        if self.contacts is not None and self.contacts.left_out:
            last = self.contacts.end()
            if self.writer is not None:
                self.writer.append(recorded.arrays["t"][last[:, 0].astype(int)], {"contact": last}, series="contacts")
            recorded.report["warnings"] = [*recorded.report["warnings"], self.contacts.warning(recorded.arrays["t"])]

    def close(self, status: str) -> None:
        if self.writer is not None:
            self.writer.close(status)


def run(
    model: _core.Model,
    options: Options | None = None,
    *,
    output: Path | None = None,
    progress: Callable[[float, float], None] | None = None,
    slow: Callable[[str], None] | None = None,
    checkpoint_every: float = 5.0,
    stop: Callable[[_core.System], list[_core.Stop]] | None = None,
    tell: Callable[[Recorded], None] | None = None,
    start: Start | None = None,
    before: Recorded | None = None,
    hooks: Hooks | None = None,
    dump: Path | None = None,
) -> Recorded:
    """Compiles and runs. Interrupts and failures are in the report; what was recorded up to there is kept.

    output: result file; it survives a kill at any moment. progress(t, until) is called about ten times a second,
    slow(message) once, where the end is far after a while.
    start: where it begins, else at the initial values. before: the same run up to a state, which is gone on with and stands in the
    record. stop(system): conditions that end it, instead of the model's `simulation.stop`. tell(recorded): puts the warnings and the cause into
    the words of the program, and adds its own, before they are written. hooks(recorded, t): what is called, of a run from t, with the state's bytes before
    and after each step; the first may give new values of the parameters that a run may change.
    dump: folder for the problems that were hard, which is written also when the run fails.
    """
    options = options or Options()
    recorded, engine = prepare(model, options, stop, start=start)
    begin = start.t if start else 0.0
    free = _core.available_memory()
    if not recorded.is_static:
        check_record(recorded.system.sizes(), float(recorded.options["until"]) - begin, recorded.options["step"], options.interval, free)
    recording = _Recording(recorded, engine, free, output=output, progress=progress, slow=slow, begin=begin, checkpoint_every=checkpoint_every)
    if dump is not None:
        from saltus.numerics.kept import MOST, write_kept

        engine.keep_problems(MOST)
    around_steps = hooks(recorded, begin) if hooks is not None else (None, None)
    began = clock.perf_counter()
    try:
        recording.advance(options.interval, before, around_steps)
        if dump is not None:
            recorded.report["dumped"] = [str(file) for file in write_kept(dump, engine.problems(), f"run by {engine.scheme}")]
        if (apart := recorded.report.pop("apart")) > APART and options.interval is not None and recorded.scheme != "static":
            recorded.report["warnings"] = [*recorded.report["warnings"], Fault(
                "simulation/record", f"keeps states every {options.interval:g} s, which is coarse for this motion: between them it is up to {apart:.1g} (of the model's "
                "size, or rad) away from the curve that plots and extremes are taken from", "record more often, or every step", severity="warning")]
        if recorded.report["status"] == "failed":
            recorded.report["cause"] += _large_step(recorded) + _far_masses(model) + _ideal_op_amps(model, recorded.report["cause"])
        recorded.report["warnings"] = of_joints(model, recorded.report["warnings"])
        recorded.report["cause"] = by_name(model, recorded.report["cause"])
        recording.join()
        if tell is not None:
            tell(recorded)
        if recording.writer is not None:
            recording.writer.checkpoint(recorded.report["t"], recorded.state)
            write_reports(recording.writer, recorded)
        recording.close(recorded.status)
    except BaseException as error:
        recording.close("interrupted" if isinstance(error, KeyboardInterrupt) else "failed")
        raise
    finally:
        recorded.wall_s = clock.perf_counter() - began
        recorded.arrays, whole = _joined_columns(recording.parts)
        recorded.contacts = recording.contacts.rows(len(recorded.arrays["t"])) if recording.contacts is not None else None
    if not whole:
        recorded.report.update(status="failed", cause=f"the run came to t = {recorded.report['t']:.9g} s, but its record does not fit in the memory that is left; {LESS}")
    return recorded


def write_reports(writer: Any, recorded: Recorded) -> None:
    """Writes what a run says of itself: its report, its warnings, what its bodies look like."""
    for name, shape in recorded.shapes.items():
        writer.report(0.0, "shape", name, **shape)
    t = recorded.report["t"]
    write_warnings(writer, t, recorded.report["warnings"])
    writer.report(t, "run", "", **{**report_for_file(recorded.report), **_kind_of(recorded)})  # a loaded report has them


def _kind_of(recorded: Recorded) -> dict[str, Any]:
    return {"scheme": recorded.scheme, "is_static": recorded.is_static, "options": json.loads(json.dumps(recorded.options, default=str))}


def _add_before(recorded: Recorded, before: Recorded) -> None:
    """The report of a run that was gone on with is one of the whole."""
    report = recorded.report
    _, _, steps, rejected = np.frombuffer(recorded.state, count=4)
    energy, _, _ = before.system.evaluate("energy.total", *(before.arrays[name][:1] for name in ("t", "y", "a", "lam", "data")))
    report.update(steps=int(steps), rejected=int(rejected), energy_start=float(energy[0, 0]))
    worst = before.arrays["residuals"].max(axis=0, initial=0.0)
    for name, value in zip(("equations", "constraints", "laws"), worst, strict=True):
        report["residual"][name] = max(report["residual"][name], float(value))
    report["warnings"] = [*before.report["warnings"], *report["warnings"]]


def write_warnings(writer: Any, t: float, warnings: list[Fault]) -> None:
    for fault in warnings:
        writer.report(t, "warning", fault.path, **{key: value for key, value in fault.as_dict().items() if key != "path"})


def warnings_of_file(reader: Any) -> list[Fault]:
    """The warnings of a result file, in order."""
    return [Fault(path=entry.path, **entry.data) for entry in reader.reports("warning")]


def report_for_file(report: dict[str, Any]) -> dict[str, Any]:
    """The report without its warnings, as a result file holds it; None for numbers beyond all bounds, as of a run that blew up."""

    def held(value):
        if isinstance(value, dict):
            return {key: held(entry) for key, entry in value.items()}
        return None if isinstance(value, float) and not math.isfinite(value) else value

    return {key: held(value) for key, value in report.items() if key != "warnings"}


def report_of_file(data: dict[str, Any]) -> dict[str, Any]:
    """The report as a run gives it."""
    residual = {key: math.nan if value is None else value for key, value in data.get("residual", {}).items()}
    energies = {key: math.nan for key in ("energy_start", "energy_end") if data.get(key, 0.0) is None}
    return {**data, **({"residual": residual} if residual else {}), **energies}


def _large_step(recorded: Recorded) -> str:
    step = recorded.options["step"]
    if step is None or recorded.scheme == "static" or "not a finite number" not in recorded.report["cause"]:
        return ""
    return f"; the fixed step of {step:g} s is too large, unless a function gives no number: take a smaller step, or leave it out"


def _far_masses(model: _core.Model) -> str:
    """What to say of a failed run whose masses differ so much that rounding takes the lightest; else empty."""
    bodies = ((name, model.record(name)["fields"].get("mass")) for section, _, name in model.records() if section == "bodies")
    masses = sorted((m, name) for name, m in bodies if isinstance(m, (int, float)) and m > 0)
    if not masses or masses[-1][0] < FAR_MASSES * masses[0][0]:
        return ""
    (light, lightest), (heavy, heaviest) = masses[0], masses[-1]
    return (
        f"; the masses differ by {heavy / light:.0e}, from {light:g} kg ({lightest}) to {heavy:g} kg ({heaviest}): rounding is 1e-16 of the"
        " heaviest; make the light one heavier, part of the heavy one, or leave it out"
    )


def _ideal_op_amps(model: _core.Model, cause: str) -> str:
    """What to say of a failed run with op-amps that nothing limits, where it has no solution or several; else empty."""
    if "is not determined" not in cause and "no point fulfils all laws" not in cause:
        return ""
    records = list(model.records())
    bounded = {name.removesuffix("_limits") for _, kind, name in records if kind == "op_amp_limits"}
    ideal = [name for _, kind, name in records if kind == "op_amp" and name not in bounded and not model.record(name)["fields"].get("gain")]
    if not ideal:
        return ""
    return (
        f"; the op-amp {ideal[0]} is ideal: without feedback its output is not determined, and through its equal inputs sources and capacitors may close a loop;"
        " give it the limits of its output, low= and high=, and a capacitor at its input a resistor in series"
    )


def summary(recorded: Recorded, outputs: dict[str, str]) -> dict[str, Any]:
    """What `saltus run --json` prints: status, steps, residuals, energy, the last value of each named output."""
    report = recorded.report
    values: dict[str, Any] = {}
    for name, path in outputs.items():
        series, unit, components = recorded.evaluate(path)
        if len(series):
            values[name] = series[-1, 0] if series.shape[1] == 1 and not components else series[-1].tolist()
    change = report["energy_end"] - report["energy_start"]  # of kinetic and potential energy
    kinetic = recorded.evaluate("energy.kinetic")[0] if recorded.system.sizes()["nq"] else np.zeros(1)
    scale = max(abs(report["energy_start"]), abs(report["energy_end"]), float(np.max(kinetic, initial=0.0)))  # where potential energy is 0 is arbitrary
    return {
        "status": recorded.status,
        "time": report["t"],
        "steps": report["steps"],
        "rejected": report["rejected"],
        "wall_s": recorded.wall_s,
        "scheme": recorded.scheme,
        **({"chosen": report["chosen"]} if report.get("chosen") else {}),
        "residual": report["residual"],
        "energy": {"start": report["energy_start"], "end": report["energy_end"], "change": change,
                   "relative_change": change / scale if scale > 0 else 0.0},
        "outputs": values,
        "messages": ([report["cause"]] if report["cause"] else []) + [w.text for w in grouped(report["warnings"])],
    }
