"""Control blocks: PID, state feedback, observers, sliding modes, twisting. Each is a sampled controller that stands in the model file as formulas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from saltus import geometry as g
from saltus.handles import Handle
from saltus.quantity import Quantity
from saltus.verbs._verb import verb
from saltus.verbs.controllers import Block

if TYPE_CHECKING:
    from saltus.arguments import Matrix, Number
    from saltus.linearization import Linearization

    Signal = Quantity | Number
    """A quantity, a number, or an expression of t and of parameters."""
    Limits = tuple[Number, Number]
    Method = Literal["implicit", "explicit"]


class _Draft:
    """Formulas of one block as they come together: what it reads, and what it keeps. Numbers of the memory that are shown come first."""

    def __init__(self, model: Any, name: str, path: str, outputs: Sequence[Any], width: int = 1):
        if isinstance(outputs, (str, Handle)):
            g.refuse(f"{path}/outputs", f"is {outputs!r}", "give a list of loads or drives")
        self.model, self.name, self.path, self.outputs = model, name, path, list(outputs)
        self.shown = 0 if self.outputs else width
        self.inputs: dict[str, Any] = {}
        self.initial: list[float] = [0.0] * self.shown
        self.updates: list[str] = []

    def read(self, signal: Any, keyword: str) -> str:
        """A signal in a formula: a quantity becomes an input."""
        if isinstance(signal, Quantity):
            name = next((key for key, known in self.inputs.items() if known == signal), f"u{len(self.inputs)}")
            self.inputs[name] = signal
            return name
        return self.constant(signal, keyword)

    def constant(self, value: Any, keyword: str) -> str:
        """A number, or an expression of parameters."""
        if isinstance(value, str):
            return f"({value})"
        x = g.number(value, f"{self.path}/{keyword}")
        return repr(x) if x >= 0 else f"({x!r})"

    def quantity(self, signal: Any, keyword: str) -> str:
        """What the block measures: a quantity, or its path."""
        if not isinstance(signal, (str, Quantity)):
            g.refuse(f"{self.path}/{keyword}", f"is {signal!r}, expected a quantity", "write cart.position.x, or sensor.value")
        name = f"u{len(self.inputs)}"
        self.inputs[name] = signal
        return name

    def keep(self, start: float) -> str:
        """A number that it keeps; its new value is given by `update` in the same order."""
        self.initial.append(start)
        return f"m{len(self.initial) - 1}"

    def update(self, *formulas: str) -> None:
        self.updates += formulas

    def block(self, values: Sequence[str], period: float, delay: float, initial: Sequence[float] = ()) -> Block:
        """The controller of these output values, one a number."""
        wide = sum(self.model._engine.width_of(self.model._output_name(output, self.path)) for output in self.outputs)
        if self.outputs and wide != len(values):
            g.refuse(f"{self.path}/outputs", f"take {wide} numbers, the block gives {len(values)}", 'name components, such as outputs=["push.force.z"]')
        made = self.model.controller(
            [*values, *self.updates], period=period, inputs=self.inputs, outputs=self.outputs, initial=initial, memory=self.initial, delay=delay, shown=self.shown, name=self.name
        )  # fmt: skip
        return Block(self.model, **{word: vars(made)[word] for word in ("name", "period", "function", "inputs", "outputs", "initial", "memory", "delay", "shown")})


def _bounded(value: str, low: str, high: str) -> str:
    return f"max({low}, min({high}, {value}))"


def _limited(draft: _Draft, value: str, limits: Any, number: int = 0) -> str:
    """The value inside the limits, one pair for all outputs or one each."""
    if limits is None:
        return value
    low, high = _limits(draft, limits, number)
    return _bounded(value, low, high)


def _limits(draft: _Draft, limits: Any, number: int = 0) -> tuple[str, str]:
    path = f"{draft.path}/limits"
    try:
        pair = limits[number] if isinstance(limits[0], (list, tuple, np.ndarray)) else limits
        low, high = pair
    except (TypeError, ValueError, IndexError, KeyError):
        g.refuse(path, f"is {g.short(limits)}, expected (low, high)", "write limits=(-10, 10)")
    if not isinstance(low, str) and not isinstance(high, str) and not g.number(low, path) < g.number(high, path):
        g.refuse(path, f"is {g.short(pair)}: low must be below high", f"write ({high:g}, {low:g})")
    return draft.constant(low, "limits"), draft.constant(high, "limits")


def _stepped(draft: _Draft, value: str, quantization: float) -> str:
    """The nearest multiple of the quantization."""
    step = g.number(quantization, f"{draft.path}/quantization")
    if step < 0.0:
        g.refuse(f"{draft.path}/quantization", f"is {step:g}, must be at least 0")
    return f"{step!r} * floor(({value}) / {step!r} + 0.5)" if step else value


def _out(draft: _Draft, value: str, limits: Any, quantization: float, number: int = 0) -> str:
    return _stepped(draft, _limited(draft, value, limits, number), quantization)


def _matrix(value: Any, path: str, rows: int | None = None, columns: int | None = None) -> np.ndarray:
    """A finite matrix of numbers; a row of numbers where there is one row or one column to fill."""
    try:
        A = np.array(value, dtype=float)
    except (TypeError, ValueError):
        g.refuse(path, f"is {g.short(value)}, expected a matrix of numbers")
    if A.ndim < 2:
        A = A.reshape(-1, 1) if columns == 1 and rows != 1 else A.reshape(1, -1)
    if A.ndim != 2 or (rows is not None and len(A) != rows) or (columns is not None and A.shape[1] != columns):
        g.refuse(path, f"has the size {A.shape}, expected ({'n' if rows is None else rows}, {'n' if columns is None else columns})")
    if not np.isfinite(A).all():
        g.refuse(path, "has numbers that are not finite", "look where they come from: 0/0, or a value that was never set")
    return A


def _row(factors: Any, terms: Sequence[str]) -> str:
    """factors . terms, without what is zero."""
    return " + ".join(f"({float(a)!r}) * {x}" for a, x in zip(factors, terms, strict=True) if a) or "0"


def exponential(A: np.ndarray) -> np.ndarray:
    """e^A by scaling, a series and squaring."""
    squarings = max(0, int(np.ceil(np.log2(max(np.abs(A).sum(axis=1).max(initial=0.0), 1e-300)))) + 4)
    small = A / 2.0**squarings
    out, term = np.eye(len(A)), np.eye(len(A))
    for k in range(1, 14):  # 1/16^13 / 13! of the size: below rounding
        term = term @ small / k
        out = out + term
    for _ in range(squarings):
        out = out @ out
    return out


def held(A: np.ndarray, B: np.ndarray, period: float) -> tuple[np.ndarray, np.ndarray]:
    """(Phi, Gamma): x(t + period) = Phi x + Gamma u of x' = A x + B u with u held."""
    n, m = B.shape
    whole = exponential(np.block([[A, B], [np.zeros((m, n + m))]]) * period)
    return whole[:n, :n], whole[:n, n:]


def _one_of(value: str, known: Sequence[str], path: str) -> None:
    if value not in known:
        g.refuse(path, f"is {value!r}", g.near(str(value), known) or f"it takes {', '.join(known)}")


class BlockVerbs:
    """Verbs that make control blocks.

    All are sampled at t = 0, period, 2 period, ..., where steps end exactly, whatever the step is; `outputs` hold their values between. Without
    outputs `block.value` is read by other blocks that are sampled at the same time.
    """

    @verb("controllers")
    def pid(
        self,
        measured: Quantity | str,
        *,
        period: float,
        kp: Number = 0.0,
        ki: Number = 0.0,
        kd: Number = 0.0,
        target: Signal = 0.0,
        filter: Number = 0.0,
        anti_windup: Literal["clamping", "tracking", "none"] = "clamping",
        tracking: Number | None = None,
        limits: Limits | None = None,
        quantization: float = 0.0,
        delay: float = 0.0,
        outputs: Sequence[Any] = (),
        name: str = "",
    ) -> Block:
        """u = kp e + ki (sum of period e) + kd e', e = target - measured, at t = 0, period, 2 period, ... [s].

        target: a number, an expression of t, or a quantity. filter: time constant [s] of the derivative, which is a backward difference and 0 at the
        first sample. limits: (low, high) of u. anti_windup: "clamping" stops the integral while it would drive u further past a limit, "tracking" pulls
        it back with the time constant `tracking` [s] (default: the period). quantization: step of u. delay: time [s] from a sample until u acts, any.
        """
        name = self._free_name("pid", name)
        d = _Draft(self, name, f"controllers/{name}", outputs)
        _one_of(anti_windup, ("clamping", "tracking", "none"), f"{d.path}/anti_windup")
        T = repr(g.number(period, f"{d.path}/period", "s", above=0.0))
        e = f"({d.read(target, 'target')} - {d.quantity(measured, 'measured')})"
        P, I, D, lag = (d.constant(value, word) for word, value in (("kp", kp), ("ki", ki), ("kd", kd), ("filter", filter)))
        total, before, slope, begun = (d.keep(0.0) for _ in range(4))
        rate = f"if({begun} == 0, 0, ({lag} * {slope} + {D} * ({e} - {before})) / ({lag} + {T}))"
        summed = f"({total} + {I} * {T} * {e})"
        free = f"({P} * {e} + {summed} + {rate})"
        kept = summed
        if limits is not None and anti_windup == "clamping":
            low, high = _limits(d, limits)
            kept = f"if(({free} > {high} && {I} * {e} > 0) || ({free} < {low} && {I} * {e} < 0), {total}, {summed})"
        if limits is not None and anti_windup == "tracking":
            kept = f"{summed} + min(1, {T} / {T if tracking is None else d.constant(tracking, 'tracking')}) * ({_limited(d, free, limits)} - {free})"
        d.update(kept, e, rate, "1")
        return d.block([_out(d, free, limits, quantization)], period, delay)

    @verb("controllers")
    def state_feedback(
        self,
        states: Sequence[Quantity | str],
        gain: Matrix,
        *,
        period: float,
        target: Sequence[Signal] = (),
        feedforward: Sequence[Signal] = (),
        limits: Limits | Sequence[Limits] | None = None,
        quantization: float = 0.0,
        delay: float = 0.0,
        outputs: Sequence[Any] = (),
        name: str = "",
    ) -> Block:
        """u = feedforward - gain (states - target) at t = 0, period, 2 period, ... [s]; gain (outputs, states), a row for one output.

        states: numbers that are measured, or estimated: `observer.value[0]`. target, feedforward: numbers, expressions of t or quantities, one a
        state and one an output; else 0. limits, quantization, delay as `pid` has them.
        """
        name = self._free_name("state_feedback", name)
        path = f"controllers/{name}"
        K = _matrix(gain, f"{path}/gain", columns=len(states))
        d = _Draft(self, name, path, outputs, len(K))
        for word, given, size in (("target", target, len(states)), ("feedforward", feedforward, len(K))):
            if isinstance(given, (str, Quantity)) or len(given) not in (0, size):
                g.refuse(f"{path}/{word}", f"is {g.short(given)}, expected {size} numbers or quantities", "write a list, one each")
        x = [d.quantity(state, "states") for state in states]
        apart = [f"({a} - {d.read(b, 'target')})" for a, b in zip(x, target, strict=True)] if len(target) else x
        ahead = [d.read(value, "feedforward") for value in feedforward] or ["0"] * len(K)
        u = [f"({b} - ({_row(row, apart)}))" for row, b in zip(K, ahead, strict=True)]
        return d.block([_out(d, value, limits, quantization, i) for i, value in enumerate(u)], period, delay)

    @verb("controllers")
    def observer(
        self,
        plant: Linearization | Sequence[Matrix],
        *,
        measured: Sequence[Quantity | str],
        period: float,
        inputs: Sequence[Quantity | str] = (),
        gain: Matrix | None = None,
        poles: Sequence[complex] | None = None,
        switching: Sequence[float] | None = None,
        start: Sequence[float] = (),
        name: str = "",
    ) -> Block:
        """Estimates the states of x' = A x + B u, y = C x from measured y; `observer.value` (n) is the estimate at t = 0, period, 2 period, ... [s].

        plant: (A, B, C), or what `m.linearize` gives. inputs: what u was since the last sample, such as `controller.value`. From sample to sample the plant is
        solved exactly with constant u; then x += L (y - C x). gain (n, y) [1/s]: the continuous observer's, L = integral of exp((A - gain C) s) gain over
        the period; poles (n) [1/s]: those of the error, for one measured number (Ackermann 1972). switching (n) [1/s]: a sliding observer (Slotine, Hedrick, Misawa 1987) of one measured
        number, x += period switching Sgn(y - C x), where the sign is that after the correction, so it does not chatter. start: first estimate.
        """
        name = self._free_name("observer", name)
        path = f"controllers/{name}"
        A, B, C = _plant(plant, path)
        n = len(A)
        if B.shape[1] != len(inputs):
            g.refuse(f"{path}/inputs", f"are {len(inputs)}, the plant has {B.shape[1]}", "name one quantity for each column of B")
        if len(C) != len(measured) or isinstance(measured, str):
            g.refuse(f"{path}/measured", f"are {len(measured)}, the plant has {len(C)} outputs", "name one quantity for each row of C")
        T = g.number(period, f"{path}/period", "s", above=0.0)
        Phi, Gamma = held(A, B, T)
        L = _correction(A, C, Phi, T, gain, poles, switching, path)
        first = np.zeros(n) if not len(start) else _matrix(start, f"{path}/start", columns=n)[0]
        d = _Draft(self, name, path, (), n)
        d.initial = [*map(float, first), 0.0]
        y = [d.quantity(q, "measured") for q in measured]
        u = [d.quantity(q, "inputs") for q in inputs]
        x = [f"m{i}" for i in range(n)]
        jump = _switched(C, L, np.zeros(n) if switching is None else T * _matrix(switching, f"{path}/switching", columns=n)[0], path)
        begun = f"m{n}"

        def corrected(prior: np.ndarray, terms: list[str]) -> list[str]:
            """x + L (y - C x) + jump, of x = prior . terms."""
            linear = np.eye(n) - L @ C
            apart = f"({y[0]} - ({_row(C[0] @ prior, terms)}))"
            sign = f"max(-1, min(1, {jump[1]!r} * {apart}))"
            return [_row([*(linear[i] @ prior), *L[i]], [*terms, *y]) + (f" + ({float(jump[0][i])!r}) * {sign}" if jump[0][i] else "") for i in range(n)]

        later = corrected(np.hstack([Phi, Gamma]), [*x, *u])
        now = corrected(np.eye(n), x)
        return d.block([f"if({begun} == 0, {a}, {b})" for a, b in zip(now, later, strict=True)] + ["1"], period, 0.0)

    @verb("controllers")
    def sliding_mode(
        self,
        sigma: Quantity | str | Sequence[Quantity | str],
        *,
        gain: Number,
        period: float,
        method: Method = "implicit",
        input_gain: Number | Matrix = 1.0,
        drift: Signal | Sequence[Signal] = 0.0,
        corrected: bool = False,
        limits: Limits | Sequence[Limits] | None = None,
        quantization: float = 0.0,
        delay: float = 0.0,
        outputs: Sequence[Any] = (),
        name: str = "",
    ) -> Block:
        """Drives sigma to 0 at the rate `gain`: sigma' = drift + input_gain u, u = (w - drift) / input_gain, w in -gain Sgn(sigma).

        sigma: a number, or several with a matrix `input_gain`. "implicit": the sign is that of sigma at the next sample (Acary, Brogliato, Orlov 2012), so w brings sigma
        to 0 exactly and stays inside the set-valued sign there; "explicit": the sign now, which chatters with the amplitude period gain. drift: what is known of
        sigma' without u: the equivalent control. corrected: what the last period added to the sigma that was expected is expected again: a disturbance d leaves period^2 d' in place
        of period d. limits, quantization, delay as `pid` has them.
        """
        name = self._free_name("sliding_mode", name)
        path = f"controllers/{name}"
        _one_of(method, ("implicit", "explicit"), f"{path}/method")
        surfaces = list(sigma) if isinstance(sigma, (list, tuple)) else [sigma]
        m = len(surfaces)
        d = _Draft(self, name, path, outputs, m)
        T = repr(g.number(period, f"{path}/period", "s", above=0.0))
        k = _positive(d, gain, "gain")
        drifts = list(drift) if isinstance(drift, (list, tuple)) else [drift] * m
        if len(drifts) != m:
            g.refuse(f"{path}/drift", f"has {len(drifts)} entries, expected {m}", "give one for each sigma")
        w = []
        begun, *expected = [d.keep(0.0) for _ in range(m + 1)] if corrected else [""]
        if corrected:
            d.update("1")
        for i, (surface, known) in enumerate(zip(surfaces, drifts, strict=True)):
            s = now = d.quantity(surface, "sigma")
            if corrected:
                s = f"({now} + {begun} * ({now} - {expected[i]}))"
            rate = f"(-{_bounded(f'{s} / {T}', f'(-{k})', k)})" if method == "implicit" else f"(-{k} * sign({s}))"
            if corrected:
                d.update(f"({now} + {T} * {rate})")
            w.append(_less(rate, d.read(known, "drift")))
        return d.block([_out(d, value, limits, quantization, i) for i, value in enumerate(_inputs(d, w, input_gain))], period, delay)

    @verb("controllers")
    def twisting(
        self,
        sigma: Quantity | str,
        rate: Quantity | str,
        *,
        gains: tuple[Number, Number],
        period: float,
        method: Method = "implicit",
        input_gain: Number = 1.0,
        drift: Signal = 0.0,
        limits: Limits | None = None,
        quantization: float = 0.0,
        delay: float = 0.0,
        outputs: Sequence[Any] = (),
        name: str = "",
    ) -> Block:
        """Drives sigma and its rate to 0: sigma'' = drift + input_gain u, u = (w - drift) / input_gain, w in -gains[0] Sgn(sigma) - gains[1] Sgn(rate).

        gains: the first above the second (Levant 1993). "implicit": both signs are those of an implicit Euler step (Huber, Acary, Brogliato, Plestan 2016), an affine variational
        inequality with one solution, found in closed form: sigma and rate decay to rounding. "explicit": the signs now, which chatter.
        """
        name = self._free_name("twisting", name)
        path = f"controllers/{name}"
        _one_of(method, ("implicit", "explicit"), f"{path}/method")
        d = _Draft(self, name, path, outputs)
        T = repr(g.number(period, f"{path}/period", "s", above=0.0))
        if isinstance(gains, str) or len(gains) != 2:
            g.refuse(f"{path}/gains", f"is {g.short(gains)}, expected 2 numbers", "write gains=(6, 4)")
        k1, k2 = (_positive(d, value, "gains") for value in gains)
        if not any(isinstance(value, str) for value in gains) and not gains[0] > gains[1]:  # type: ignore[operator]
            g.refuse(f"{path}/gains", f"is {g.short(gains)}: the first must be above the second", f"write ({gains[1]}, {gains[0]})")
        s, v = d.quantity(sigma, "sigma"), d.quantity(rate, "rate")
        w = f"(-{k1} * sign({s}) - {k2} * sign({v}))"
        if method == "implicit":
            # w in -k1 Sgn(w - p) - k2 Sgn(w - q): a falling step function of w meets the diagonal once, at the largest of its steps' ends and heights.
            p, q = f"(-({s} + {T} * {v}) / ({T} * {T}))", f"(-{v} / {T})"
            all_, difference = f"({k1} + {k2})", f"({k1} - {k2})"
            w = f"max(max(min(min({p}, {q}), {all_}), min(max({p}, {q}), if({p} < {q}, -{difference}, {difference}))), -{all_})"
        (u,) = _inputs(d, [_less(w, d.read(drift, "drift"))], input_gain)
        return d.block([_out(d, u, limits, quantization)], period, delay)

    @verb("controllers")
    def super_twisting(
        self,
        sigma: Quantity | str,
        *,
        gains: tuple[Number, Number],
        period: float,
        method: Method = "implicit",
        input_gain: Number = 1.0,
        drift: Signal = 0.0,
        limits: Limits | None = None,
        quantization: float = 0.0,
        delay: float = 0.0,
        outputs: Sequence[Any] = (),
        name: str = "",
    ) -> Block:
        """Drives sigma to 0 with a u that does not jump: u = (w - drift) / input_gain, w = -gains[0] sqrt|sigma| sign(sigma) + v, v' in -gains[1] Sgn(sigma).

        sigma' = drift + input_gain u and a disturbance that v finds out, if it changes slower than gains[1] (Levant 1993). "implicit": sigma is
        that at the next sample (Brogliato, Polyakov, Efimov 2020), in closed form; "explicit": sigma now.
        """
        name = self._free_name("super_twisting", name)
        path = f"controllers/{name}"
        _one_of(method, ("implicit", "explicit"), f"{path}/method")
        d = _Draft(self, name, path, outputs)
        T = repr(g.number(period, f"{path}/period", "s", above=0.0))
        if isinstance(gains, str) or len(gains) != 2:
            g.refuse(f"{path}/gains", f"is {g.short(gains)}, expected 2 numbers", "write gains=(6, 4)")
        k1, k2 = (_positive(d, value, "gains") for value in gains)
        s = d.quantity(sigma, "sigma")
        v = d.keep(0.0)
        if method == "explicit":
            d.update(f"{v} - {T} * {k2} * sign({s})")
            w = f"(-{k1} * sqrt(abs({s})) * sign({s}) + {v})"
        else:
            # x + T k1 sqrt|x| sign(x) + T^2 k2 xi = s + T v, xi in Sgn(x): xi first, then a quadratic for sqrt|x|.
            b, most = f"({s} + {T} * {v})", f"({T} * {T} * {k2})"
            xi = _bounded(f"{b} / {most}", "-1", "1")
            root = f"(0.5 * (sqrt({T} * {T} * {k1} * {k1} + 4 * max(0, abs({b}) - {most})) - {T} * {k1}))"
            d.update(f"{v} - {T} * {k2} * {xi}")
            w = f"(-{k1} * {root} * sign({b}) + {v} - {T} * {k2} * {xi})"
        (u,) = _inputs(d, [_less(w, d.read(drift, "drift"))], input_gain)
        return d.block([_out(d, u, limits, quantization)], period, delay)


def _positive(draft: _Draft, value: Any, keyword: str) -> str:
    if not isinstance(value, str):
        g.number(value, f"{draft.path}/{keyword}", above=0.0)
    return draft.constant(value, keyword)


def _less(value: str, drift: str) -> str:
    return value if drift == "0.0" else f"({value} - {drift})"


def _inputs(draft: _Draft, rates: list[str], gain: Any) -> list[str]:
    """u of gain u = rates."""
    path, m = f"{draft.path}/input_gain", len(rates)
    if isinstance(gain, str) or np.ndim(gain) == 0:
        if not isinstance(gain, str) and g.number(gain, path) == 0.0:
            g.refuse(path, "is 0: the output does not move sigma")
        factor = draft.constant(gain, "input_gain")
        return rates if factor == "1.0" else [f"({rate} / {factor})" for rate in rates]
    G = _matrix(gain, path, m, m)
    if np.linalg.matrix_rank(G) < m:
        g.refuse(path, "is singular: the outputs do not move each sigma", "choose other outputs, or other sigma")
    return [f"({_row(row, rates)})" for row in np.linalg.inv(G)]


def _plant(plant: Any, path: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A (n, n), B (n, u), C (y, n)."""
    at = f"{path}/plant"
    if hasattr(plant, "transfer"):
        if np.abs(plant.D).max(initial=0.0) > 0.0:
            g.refuse(at, "has outputs that its inputs change at once (D is not 0)", "measure positions or velocities")
        return plant.A, plant.B, plant.C
    try:
        A, B, C = plant
    except (TypeError, ValueError):
        g.refuse(at, f"is {g.short(plant)}, expected (A, B, C)", "or give what m.linearize(...) returned")
    A = _matrix(A, at)
    n = len(A)
    A = _matrix(A, at, n, n)
    B = np.zeros((n, 0)) if np.size(B) == 0 else _matrix(B, at, n, 1 if np.ndim(B) < 2 else None)
    return A, B, _matrix(C, at, None, n)


def _correction(A: np.ndarray, C: np.ndarray, Phi: np.ndarray, period: float, gain: Any, poles: Any, switching: Any, path: str) -> np.ndarray:
    """L (n, y) of x += L (y - C x)."""
    n, rows = len(A), len(C)
    if gain is not None and poles is not None:
        g.refuse(f"{path}/gain", "and poles are both given", "give one of them")
    if gain is None and poles is None:
        if switching is None:
            g.refuse(f"{path}/gain", "is missing", "give gain=, poles= or switching=")
        return np.zeros((n, rows))
    if gain is not None:
        continuous = _matrix(gain, f"{path}/gain", n, rows)
        return held(A - continuous @ C, continuous, period)[1]
    at = f"{path}/poles"
    given = np.asarray(poles, dtype=complex)
    if given.shape != (n,) or not np.isfinite(given).all():
        g.refuse(at, f"is {g.short(poles)}, expected {n} numbers [1/s]")
    if rows != 1:
        g.refuse(at, f"are for one measured number, the plant has {rows}", "give gain=")
    wanted = np.poly(np.exp(given * period))
    if np.abs(wanted.imag).max() > 1e-12 * np.abs(wanted).max():
        g.refuse(at, "have a complex one without its conjugate")
    # The error is (1 - L C) Phi: Ackermann's formula for the pair (Phi, C Phi).
    row = C @ Phi
    seen = np.vstack([row @ np.linalg.matrix_power(Phi, k) for k in range(n)])
    if np.linalg.matrix_rank(seen) < n:
        g.refuse(f"{path}/plant", "has states that the measured number does not show", "measure another quantity, or estimate fewer states")
    value = sum((a.real * np.linalg.matrix_power(Phi, n - k) for k, a in enumerate(wanted)), np.zeros((n, n)))
    return value @ np.linalg.solve(seen, np.eye(n)[:, -1:])


def _switched(C: np.ndarray, L: np.ndarray, jump: np.ndarray, path: str) -> tuple[np.ndarray, float]:
    """(jump, factor): x += jump clip(factor (y - C x)), for which y - C x after the correction is 0 or has the sign."""
    if not jump.any():
        return jump, 0.0
    if len(C) != 1:
        g.refuse(f"{path}/switching", f"is for one measured number, the plant has {len(C)}", "give gain=")
    moved = float((C @ jump)[0])
    if not moved > 0.0:
        g.refuse(f"{path}/switching", "does not move the measured number: C switching must be above 0", "give the measured state a positive entry")
    return jump, float(1.0 - (C @ L)[0, 0]) / moved
