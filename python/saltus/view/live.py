"""A run that pages may watch and steer. The engine owns time: it runs in its own thread, waits only to keep pace with the
clock, and never for a page. What a page changes (a pull with the mouse, a parameter) is part of the result.

Between two pictures the engine takes whole steps; a pull is a load `force` on the body, constant over such a piece:
F = k (target - p) - c v with k = m w^2, c = 2 D m w, w = 3 pi 1/s of the clock, D = 0.7. Adding a load or changing a
parameter keeps the layout of the state, so the run goes on from the same state with a newly compiled system.
"""

from __future__ import annotations

import contextlib
import math
import threading
import time as clock
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from saltus import _core, running
from saltus.curve import PER_TURN, states_at
from saltus.errors import Fault, ModelError
from saltus.view.container import Arrays
from saltus.view.places import turned
from saltus.view.protocol import CLEARED, Message, error_message, forces_message, scene_message, series_message, states_message, status_message
from saltus.view.scene import Scene, plain, scene_quantities
from saltus.view.source import series_container
from saltus.view.tracks import put_tracks, shown_states
from saltus.view.websocket import WebSocket

PICTURES = 60.0  # a second
KEPT = 3000  # states that a page gets which comes late
ARROWS = 40  # forces that are drawn at most
PULL_RATE, PULL_DAMPING = 3.0 * math.pi, 0.7
STATUS_EVERY = 0.1  # s
_STEERING = ("play", "pause", "step", "reset", "speed", "drag", "release", "parameter")


@dataclass
class _Pull:
    """The mouse that pulls a body."""

    masses: np.ndarray  # on each frame [kg]
    held: int = -1  # frame whose load is in the system
    grab: tuple[int, np.ndarray, np.ndarray] | None = None  # frame, local point, target
    force: np.ndarray = field(default_factory=lambda: np.zeros(3))
    last: tuple[float, np.ndarray] | None = None  # time and place of the point
    rows: list[list[float]] = field(default_factory=list)


@dataclass
class _Kept:
    """What was recorded, and what of it was not sent to pages yet."""

    parts: dict[str, list[np.ndarray]] = field(default_factory=lambda: {name: [] for name in running.COLUMNS})
    unseen: list[dict[str, np.ndarray]] = field(default_factory=list)  # since the last picture, from its state on
    events: deque[list] = field(default_factory=lambda: deque(maxlen=20000))
    said: deque[list] = field(default_factory=lambda: deque(maxlen=2000))
    time: float = 0.0
    residual: float = 0.0


@dataclass
class _Asked:
    """What pages and the program ask for, and whether the run is over."""

    running: bool
    waits: bool  # for the first page
    one: bool = False  # step
    again: bool = False
    closed: bool = False
    reshape: bool = False  # the system changes
    over: bool = False
    changed: bool = False  # parameters
    parameters: set[str] = field(default_factory=set)


@dataclass
class _Pace:
    """How fast the run goes beside the clock."""

    paced: bool
    step: float | None
    speed: float = 1.0
    begun: tuple[float, float] | None = None  # clock and time of the run
    shown: float = 0.0
    sent: float = 0.0


class LiveRun:
    """Runs a model while pages watch. `start` begins, `wait` lets it go to its end, `close` ends it where it is.

    output: result file, written as the run goes on. paced: False runs as fast as it can. Pages may come and go: the states
    are the same bits as those of `running.run` unless a page steers.
    """

    def __init__(self, model: _core.Model, options: running.Options | None = None, *, output: Path | None = None, shapes: dict[str, Any] | None = None,
                 title: str = "", paced: bool = True, waits: bool = False):
        self._options, self._output, self._shapes = options or running.Options(), output, shapes or {}
        self._chosen = running.resolved(model, self._options)
        self.until = float(self._chosen["until"])
        try:
            self._text = model.text()
        except ModelError:  # functions of Python: what a page could change needs the text
            self._text = ""
        self.parameters = {k: float(v) for k, v in model.parameters.items() if isinstance(v, (int, float)) and not isinstance(v, bool)}
        self._system = model.compile()
        self._layout = self._system.sizes()
        self._scene = Scene(model, self._system, shapes=self._shapes, title=title)
        self._arrows = [name for section, _, name in self._scene.items if section in ("joints", "connectors") and name in self._scene.pairs
                        and "force" in self._system.quantities(name)][:ARROWS]
        self._change = threading.Condition()
        self._commands: deque[Message] = deque(maxlen=1000)
        self._pages: list[WebSocket] = []
        self._asked = _Asked(running=not waits, waits=waits)
        self._pace = _Pace(paced, None if self._chosen["step"] is None else float(self._chosen["step"]))
        self._pull = _Pull(self._frame_masses())
        self._kept = _Kept()
        self.status, self.message = "paused" if waits else "running", ""
        self.report: dict[str, Any] = {}
        self.error: BaseException | None = None
        self._clear()
        self._thread = threading.Thread(target=self._main, name="saltus-live", daemon=True)

    # For the program that owns the run.

    def start(self) -> LiveRun:
        self._thread.start()
        return self

    def wait(self, timeout: float | None = None) -> bool:
        """Waits until the run is over (or nobody can steer it any more); False where `timeout` [s] came first."""
        with self._change:
            return self._change.wait_for(lambda: self._asked.over or not self._thread.is_alive(), timeout)

    def close(self) -> None:
        """Ends the run where it is; the result file is complete up to there."""
        with self._change:
            self._asked.closed = True
            self._change.notify_all()
        if self._thread.is_alive():
            self._thread.join()

    @property
    def arrays(self) -> dict[str, np.ndarray]:
        """What was recorded up to now, time first, as `running.Recorded.arrays`."""
        with self._change:
            parts = {name: list(blocks) for name, blocks in self._kept.parts.items()}
        return {name: np.concatenate(blocks) if blocks else np.zeros(0) for name, blocks in parts.items()}

    def _recorded(self) -> running.Recorded:
        """What was recorded up to now, as a finished run has it."""
        return running.Recorded(self._system, self._text, getattr(self, "_scheme", ""), False, self._chosen, arrays=self.arrays)

    @property
    def pulls(self) -> np.ndarray:
        """Pulls of the mouse (n, 11): time [s], frame, point (3) [m], target (3) [m], force (3) [N]."""
        with self._change:
            return np.array(self._pull.rows).reshape(-1, 11)

    # For the server (view/server.py: Source).

    def greet(self, page: WebSocket) -> None:
        with self._change:
            page.send(scene_message(0, self._container()))
            for message in self._history():
                page.send(message)
            page.send(self._status(list(self._kept.events)))
            self._pages.append(page)
            if self._asked.waits:  # the first page starts it
                self._asked.waits, self._asked.running = False, True
                self._change.notify_all()

    def take(self, page: WebSocket, message: Message) -> None:
        if message.kind == "series":
            recorded = self._recorded()
            known = len(recorded.arrays["t"]) > 0 and message.which == 0
            container = series_container(recorded, message.path) if known else b""
            page.send(series_message(message.number, container))
        elif message.kind in _STEERING:
            if message.kind == "drag" and message.number >= len(self._scene.places.nodes):
                page.send(error_message("There is no such body."))
                return
            with self._change:
                self._commands.append(message)
                self._change.notify_all()

    def left(self, page: WebSocket) -> None:
        with self._change:
            if page in self._pages:
                self._pages.remove(page)
            if self._pull.grab and not self._pages:  # nobody is left who could let go
                self._commands.append(Message("release"))
                self._change.notify_all()

    # The thread of the engine.

    def _main(self) -> None:
        while not self._asked.closed:
            state: bytes = b""
            try:
                with contextlib.ExitStack() as stack:
                    self._writer = stack.enter_context(self._new_writer()) if self._output else None
                    state = self._attempt()
                    if self._writer:
                        self._writer.checkpoint(self._kept.time, state)
                        self._writer.report(self._kept.time, "run", "", **plain({k: v for k, v in self.report.items() if k != "warnings"}), scheme=self._scheme, is_static=False)
                        running.write_warnings(self._writer, self._kept.time, self.report.get("warnings", []))
                        for name, shape in self._shapes.items():
                            self._writer.report(0.0, "shape", name, **shape)
                        self._writer.close({"failed": "failed", "done": "done"}.get(self.status, "interrupted"))
            except BaseException as error:  # a fault of the model or of the disk is reported, not lost in a thread
                self.error, self.status, self.message = error, "failed", str(error)
            self._tell(final=True)
            with self._change:
                self._asked.over = True
                self._asked.running = False
                self._change.notify_all()
                while not self._asked.closed and not self._asked.again:
                    self._change.wait_for(lambda: self._asked.closed or bool(self._commands))
                    self._asked.again = any(self._commands.popleft().kind == "reset" for _ in range(len(self._commands)))
                if self._asked.closed:
                    return
                self._clear()
                self._asked.running = True
            self._send(CLEARED)

    def _attempt(self) -> bytes:
        """One run from its start, in pieces between which the system may change; the state at its end."""
        engine = self._engine(self._system, self._pace.step)
        self._scheme = engine.scheme
        if engine.is_static:
            raise ModelError(Fault("simulation/scheme", "static has no time", "run it with `saltus run`, then `saltus view RESULT`"))
        while True:
            self._asked.reshape = False
            self.report = engine.advance(self._take, progress_interval=0.0, record_interval=self._options.interval or 0.0,
                                         record_all=self._options.interval is None, progress_steps=self._steps())
            state = engine.state()
            if self._asked.closed or self._asked.again:
                self.status = "interrupted"
                return state
            if not self._asked.reshape:
                self.status = "done" if self.report["status"] == "done" else self.report["status"]
                self.message = self.report["cause"]
                return state
            engine = self._reshaped(engine, state)

    def _steps(self) -> int:
        """Steps between two pictures."""
        return max(1, int(self._pace.speed / PICTURES / self._pace.step)) if self._pace.step else 1

    def _engine(self, system, step):
        options = dict(self._chosen["options"])
        if self._chosen["drift"] != "projection":
            options.setdefault("drift", self._chosen["drift"])
        return _core.Run(
            system, scheme=self._chosen["scheme"], options=options, until=self.until, step=step, tolerance=float(self._chosen["tolerance"]),
            error_control=step is None, threads=int(self._chosen["threads"]), consistent=bool(self._chosen["consistent"]),
        )

    def _reshaped(self, engine, state: bytes):
        """The run on a system with the parameters and the pull of now; the same run where that cannot be."""
        frame = self._pull.grab[0] if self._pull.grab else -1
        if frame == self._pull.held and not self._asked.changed:
            return engine  # another speed only
        try:
            model = _core.Model.parse(self._text, "")
            for name, value in self.parameters.items():
                if name in self._asked.parameters:
                    model.override(f"{name}={value!r}")
            if frame >= 0:
                local = [float(x) for x in self._pull.grab[1]]
                model.add("loads", "force", self._free("pull"), {"on": {"node": self._scene.places.nodes[frame], "local": local}, "force": self._force_of_now})
            system = model.compile()
            if system.sizes() | {"nonzeros": 0} != self._layout | {"nonzeros": 0}:
                raise ModelError(Fault("parameters", "change the number of unknowns", "start again with them"))
            fresh = self._engine(system, self._pace.step)
            fresh.load_state(state)
        except ModelError as error:
            self.message, self._pull.grab = str(error), None
            return engine
        self._system, self._pull.held, self._asked.changed = system, frame, False
        return fresh

    def _force_of_now(self, t: float) -> list[float]:
        return self._pull.force.tolist()

    def _free(self, word: str) -> str:
        return word if word not in self._scene.places.records else self._free(word + "_")

    def _take(self, t, y, a, lam, data, h, iterations, residuals, xdot, piece, events, now) -> bool:
        """A piece of the run: records it, shows it, obeys the pages, keeps pace."""
        with self._change:
            for name, block in zip(running.COLUMNS, (t, y, a, lam, data, h, iterations, residuals, xdot, piece)):
                self._kept.parts[name].append(block)
            for when, kind, item, value in events:
                self._note(when, kind, item, value)
            if len(t):
                self._kept.time = float(t[-1])
                self._kept.residual = max(self._kept.residual, float(np.nan_to_num(residuals).max(initial=0.0)))
        if self._writer is not None and len(t):
            self._writer.append(t, dict(zip(running.COLUMNS[1:], (y, a, lam, data, h, iterations, residuals, xdot, piece))))
            for when, kind, item, value in events:
                self._writer.event(when, kind, item, value=value)
        if len(t):
            self._kept.unseen.append({"t": t, "y": y, "a": a, "lam": lam, "data": data, "xdot": xdot, "piece": piece})
            self._show()
            self._pulled(y[-1:])
        self._asked.one = False
        self._tell()
        return self._obey()

    def _obey(self) -> bool:
        """Takes the commands that wait; waits while paused or ahead of the clock. False: the engine returns."""
        while True:
            with self._change:
                while self._commands:
                    self._command(self._commands.popleft())
                if self._asked.closed or self._asked.again or self._asked.reshape:
                    return False
                if self._asked.one:
                    return True
                if not self._asked.running:
                    self.status = "paused"
                    self._pace.begun = None
                    self._tell_locked(True)
                    self._change.wait_for(lambda: self._asked.closed or bool(self._commands) or self._asked.running)
                    continue
                self.status = "running"
                if not self._pace.paced:
                    return True
                wall = clock.perf_counter()
                if self._pace.begun is None:
                    self._pace.begun = (wall, self._kept.time)
                ahead = (self._kept.time - self._pace.begun[1]) / self._pace.speed - (wall - self._pace.begun[0])
                if ahead < -0.25:  # the engine is slower than the clock: begin to count anew
                    self._pace.begun = (wall, self._kept.time)
                if ahead <= 0.0:
                    return True
                self._change.wait(ahead)

    def _command(self, message: Message) -> None:
        kind, numbers = message.kind, message.numbers
        if kind in ("play", "pause"):
            self._asked.running = kind == "play"
        elif kind == "step":
            self._asked.running, self._asked.one = False, True
        elif kind == "reset":
            self._asked.again = True
        elif kind == "speed":
            speed = min(max(numbers[0], 1e-6), 1e3)
            self._asked.reshape |= bool(self._pace.step) and speed != self._pace.speed
            self._pace.speed, self._pace.begun = speed, None
        elif kind == "drag":
            if not self._text:
                self.message = "A model with Python functions cannot be pulled: it has no text to compile again."
                return
            if self._pull.grab is None or self._pull.grab[0] != message.number:
                self._pull.grab = (message.number, np.array(numbers[:3]), np.array(numbers[3:]))
                self._pull.last = None
                self._asked.reshape = True
                self._mark("pull", self._body(message.number))
            else:
                self._pull.grab = (*self._pull.grab[:2], np.array(numbers[3:]))
        elif kind == "release" and self._pull.grab is not None:
            self._pull.grab, self._pull.force, self._asked.reshape = None, np.zeros(3), True
            self._mark("let go", self._body(self._pull.held) if self._pull.held >= 0 else "")
        elif kind == "parameter" and message.number < len(self.parameters) and self._text:
            name = list(self.parameters)[message.number]
            self.parameters[name] = numbers[0]
            self._asked.parameters.add(name)
            self._asked.changed = self._asked.reshape = True
            self._mark("parameter", name, numbers[0])

    def _pulled(self, y: np.ndarray) -> None:
        """Force of the mouse for the next piece, from where the grabbed point is now."""
        if self._pull.grab is None or self._pull.held != self._pull.grab[0]:
            return
        frame, local, target = self._pull.grab
        p, q = self._scene.poses(y)
        point = p[0, frame] + turned(q[0, frame], local)
        rate = PULL_RATE / self._pace.speed
        if self._pull.last is None or self._kept.time <= self._pull.last[0]:
            velocity = np.zeros(3)
        else:
            velocity = (point - self._pull.last[1]) / (self._kept.time - self._pull.last[0])
        mass = self._pull.masses[frame]
        self._pull.force = mass * rate**2 * (target - point) - 2.0 * PULL_DAMPING * mass * rate * velocity
        self._pull.last = (self._kept.time, point)
        row = [self._kept.time, frame, *point, *target, *self._pull.force]
        with self._change:
            self._pull.rows.append(row)
        if self._writer is not None:
            self._writer.append([self._kept.time], {"frame": [frame], "point": [point], "target": [target], "force": [self._pull.force]}, series="pull")

    # What pages are sent.

    def _show(self) -> None:
        wall = clock.perf_counter()
        if wall - self._pace.shown < 0.5 / PICTURES:
            return
        self._pace.shown = wall
        with self._change:
            arrays = {name: np.concatenate([block[name] for block in self._kept.unseen]) for name in self._kept.unseen[0]}
            self._kept.unseen = [{name: values[-1:] for name, values in arrays.items()}]  # where the next piece begins
            if not self._pages:
                return
            t, y = self._between(arrays)
            messages = [self._states(t, y, np.full(len(t), self._kept.residual), arrays)]
            if self._arrows:
                messages.append(forces_message(self._forces()))
            self._kept.residual = 0.0
            for page in self._pages:
                for message in messages:
                    page.send(message)

    def _between(self, arrays: dict[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        """(times, y) to show of the states since the last picture: those of the motion at the pictures' times, the last itself."""
        t = arrays["t"]
        many = min(100, int((t[-1] - t[0]) * PICTURES / self._pace.speed)) if len(t) > 1 else 0
        if many < 2:
            return t[-1:], arrays["y"][-1:]
        recorded = running.Recorded(self._system, self._text, self._scheme, False, self._chosen, arrays=arrays)
        times, before = recorded.track().grid(many, per_turn=PER_TURN, most=4 * many)
        return times[1:], states_at(recorded.track(), times[1:], before[1:], rates=False)["y"]

    def _states(self, t, y, residual, arrays: dict[str, np.ndarray]) -> bytes:
        """Message with states at times t; arrays: the recorded ones about them, of which the last before each time says who is there."""
        before = np.maximum(np.searchsorted(arrays["t"], t, side="right") - 1, 0)
        away = arrays["data"][before][:, [place for _, place in self._scene.present]] <= 0.0
        return states_message(t, *self._scene.poses(y), residual, away)

    def _history(self):
        if not self._kept.parts["t"]:
            return
        recorded = self._recorded()
        shown, chosen = shown_states(recorded, self._scene.poses, self._scene.size, KEPT, rates=False)
        worst = np.nan_to_num(recorded.arrays["residuals"][chosen]).max(axis=1)
        for begin in range(0, len(chosen), 200):
            part = slice(begin, begin + 200)
            yield self._states(shown["t"][part], shown["y"][part], worst[part], recorded.arrays)

    def _container(self) -> bytes:
        head, arrays = self._scene.head(), Arrays()
        arrays.put("t", [], "f8")
        put_tracks(arrays, np.zeros((0, self._scene.poses.count, 3)), np.zeros((0, self._scene.poses.count, 4)), self._scene.poses.turning)
        bounds = [{"name": k, "value": v, "low": min(0.0, 2 * v) if v else -1.0, "high": max(0.0, 2 * v) if v else 1.0} for k, v in self.parameters.items() if self._text]
        head |= {"series": [], "events": [], "report": {"status": self.status}, "quantities": scene_quantities(self._scene),
                 "run": {"scheme": str(self._chosen["scheme"]), "static": False, "states": 0, "drawn": 0, "wall": 0.0},
                 "live": {"until": self.until, "parameters": bounds, "forces": [self._scene.index[name] for name in self._arrows], "away": [frame for frame, _ in self._scene.present]}, "reference": self._reference()}
        return arrays.packed(head)

    def _reference(self) -> list[list[float]]:
        """Where the frames are before the first state, so that a page can place its camera."""
        return self._scene.reference.tolist()

    def _status(self, events) -> bytes:
        return status_message({"time": self._kept.time, "running": self._asked.running and not self._asked.over, "status": self.status, "speed": self._pace.speed, "message": self.message,
                               "events": events, "parameters": list(self.parameters.values()) if self._text else [], "until": self.until, "energy": self._energy()})

    def _forces(self) -> np.ndarray:
        """Forces (n, 3) [N] of the arrows at the last state; 0 where one is no vector of three or not finite."""
        states = [np.ascontiguousarray(self._kept.parts[k][-1][-1:]) for k in ("t", "y", "a", "lam", "data")]
        forces = np.zeros((len(self._arrows), 3))
        for row, name in zip(forces, self._arrows):
            values = self._system.evaluate(f"{name}.force", *states)[0]
            if values.shape[1] == 3:
                row[:] = np.nan_to_num(values[0], posinf=0.0, neginf=0.0)
        return forces

    def _energy(self) -> list[float] | None:
        last = {name: self._kept.parts[name][-1][-1:] for name in ("t", "y", "a", "lam", "data") if self._kept.parts[name] and len(self._kept.parts[name][-1])}
        if len(last) < 5 or not self._layout["nq"]:
            return None
        states = [np.ascontiguousarray(last[k]) for k in ("t", "y", "a", "lam", "data")]
        values = [float(self._system.evaluate(f"energy.{word}", *states)[0][0, 0]) for word in ("kinetic", "potential")]
        return values if all(map(math.isfinite, values)) else None

    def _tell(self, final: bool = False) -> None:
        with self._change:
            self._tell_locked(final)

    def _tell_locked(self, at_once: bool) -> None:
        wall = clock.perf_counter()
        if not at_once and wall - self._pace.sent < STATUS_EVERY:
            return
        self._pace.sent = wall
        if self._pages:
            message = self._status(list(self._kept.said))
            for page in self._pages:
                page.send(message)
            self.message = ""
        self._kept.said.clear()

    def _send(self, message: bytes) -> None:
        with self._change:
            for page in self._pages:
                page.send(message)

    # Records.

    def _clear(self) -> None:
        self._kept = _Kept()
        self._pace.shown, self._pace.begun = 0.0, None
        self._asked.again = self._asked.over = self._asked.one = self._asked.changed = False
        self._pull = _Pull(self._pull.masses, self._pull.held)
        self.message = ""
        if self._pull.held >= 0 or self._asked.parameters:  # the system without a pull, with the parameters of now
            model = _core.Model.parse(self._text, "")
            for name in self._asked.parameters:
                model.override(f"{name}={self.parameters[name]!r}")
            self._system, self._pull.held = model.compile(), -1

    def _new_writer(self):
        from saltus.store import Channel, ResultWriter

        channels = running.channels_of(self._layout) + [
            Channel("frame", dtype="<i4", doc="number of the frame that is pulled, in the order of the nodes", series="pull"),
            Channel("point", "m", "world", (3,), doc="grabbed point", series="pull"),
            Channel("target", "m", "world", (3,), doc="where the mouse is", series="pull"),
            Channel("force", "N", "world", (3,), doc="force on the body until the next row", series="pull"),
        ]
        return ResultWriter(self._output, channels, model=self._text)

    def _note(self, when: float, kind: str, item: str, value: float) -> None:
        row = [when, kind, self._scene.index.get(item, -1), value if math.isfinite(value) else 0.0]
        self._kept.events.append(row)
        self._kept.said.append(row)

    def _mark(self, kind: str, item: str, value: float = 0.0) -> None:
        self._note(self._kept.time, kind, item, value)
        if self._writer is not None:
            self._writer.event(self._kept.time, kind, item, value=value)

    def _body(self, frame: int) -> str:
        """Name of a body on a frame, else that of its node."""
        names = (name for name, r in self._scene.places.records.items() if r["section"] == "bodies" and self._scene.places.frame_of(name) == frame)
        return next(names, self._scene.places.nodes[frame])

    def _frame_masses(self) -> np.ndarray:
        """Mass on each frame [kg]; 1 where none is given."""
        masses = np.zeros(len(self._scene.places.nodes))
        for name, record in self._scene.places.records.items():
            frame = self._scene.places.frame_of(name) if record["section"] == "bodies" else None
            if frame is not None and frame >= 0 and "mass" in record["fields"]:
                with contextlib.suppress(TypeError, ValueError, ModelError):
                    masses[frame] += self._scene.places.number(record["fields"]["mass"])
        return np.where(masses > 0, masses, 1.0)
