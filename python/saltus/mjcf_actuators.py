"""Forces of actuators of MJCF, as formulas of a control, a length and its rate."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from saltus.xml_places import Element

if TYPE_CHECKING:
    from saltus.mjcf import MjcfReader

READ = ("motor", "position", "velocity", "intvelocity", "damper", "general")


@dataclass
class Actuator:
    """(gain[0] + gain[1] length + gain[2] speed) control + bias[0] + bias[1] length + bias[2] speed, within its range."""

    control: str  # its parameter
    gain: list[float]
    bias: list[float]
    damping: float = 0.0
    control_range: tuple[float, float] | None = None
    force_range: tuple[float, float] | None = None
    inherit: float = 0.0
    filtered: float | None = None  # its control goes after what is given with this time constant [s]; 0: it is the integral of what is given
    bounds: tuple[float, float] | None = None  # of what goes after it
    ratio: float = 0.0  # of its damping to the critical one, with the inertia that it moves

    def settle(self, read: MjcfReader, at: Element, path: str, limits: tuple[float, float] | None, inertia: Callable[[], float] | None) -> None:
        """What follows from the joint or tendon: a range of control, and damping by a ratio."""
        if self.inherit > 0.0:
            if limits is None:
                return read.fault(at, f"{path}/inheritrange", "needs a joint with a range")
            middle, half = 0.5 * (limits[0] + limits[1]), 0.5 * (limits[1] - limits[0])
            self.control_range = middle - self.inherit * half, middle + self.inherit * half
        if self.ratio > 0.0:
            if inertia is None:
                return read.fault(at, f"{path}/dampratio", "is read of joints and fixed tendons alone", "write kv")
            self.bias[2] = -self.ratio * 2.0 * math.sqrt(self.gain[0] * inertia())
        if read.off("clampctrl"):
            self.control_range = None

    def given(self) -> str:
        """The control within its range."""
        return f"min(max({self.control}, {self.control_range[0]!r}), {self.control_range[1]!r})" if self.control_range else self.control

    def rate(self, state: str) -> str:
        """The rate of a control that goes after what is given."""
        return f"({self.given()} - {state})/{self.filtered!r}" if self.filtered else self.given()

    def force(self, length: str, speed: str, state: str = "") -> str:
        """The formula of its scalar force; state: what goes after the control."""
        u = state or self.given()
        gain, bias = (self._affine(values, length, speed) for values in (self.gain, self.bias))
        out = f"({gain})*{u}" + (f" + {bias}" if bias != "0" else "")
        if self.force_range:
            out = f"min(max({out}, {self.force_range[0]!r}), {self.force_range[1]!r})"
        return out + (f" - {self.damping!r}*({speed})" if self.damping else "")

    @staticmethod
    def _affine(values: list[float], length: str, speed: str) -> str:
        terms = [f"({value!r})" + (f"*({word})" if word else "") for value, word in zip(values, ("", length, speed), strict=True) if value]
        return " + ".join(terms) or "0"


def actuator_of(read: MjcfReader, element: Element, name: str) -> Actuator | None:
    """The law of an actuator; None, with a mistake, where it is not read."""
    path, words, kind = f"actuators/{name}", element.attributes, element.tag
    if kind not in READ:
        return read.fault(element, path, f"is a <{kind}>, which is not read", "write motor, position, velocity or general")
    control = re.sub(r"\W", "_", name) + "_ctrl"
    made = Actuator(f"c{control}" if control[0].isdigit() else control, [1.0, 0.0, 0.0], [0.0, 0.0, 0.0])
    if kind in ("position", "intvelocity"):
        kp, kv = read.number(element, "kp", path, 1.0), read.number(element, "kv", path, 0.0)
        if kp < 0.0 or kv < 0.0:
            read.fault(element, path, f"has kp {kp:g} and kv {kv:g}, which must be at least 0")
        made.gain[0], made.bias[1], made.bias[2] = kp, -kp, -kv
        made.ratio, made.inherit = read.number(element, "dampratio", path, 0.0), read.number(element, "inheritrange", path, 0.0)
        made.filtered = 0.0 if kind == "intvelocity" else read.number(element, "timeconst", path, 0.0) or None
    elif kind == "velocity":
        kv = read.number(element, "kv", path, 1.0)
        made.gain[0], made.bias[2] = kv, -kv
    elif kind == "damper":
        made.gain = [0.0, 0.0, -read.number(element, "kv", path, 1.0)]
    elif kind == "general":
        _general(read, element, path, made)
    made.damping = read.at_least_0(element, "damping", path)
    for word, flag, target in (("ctrlrange", "ctrllimited", "control_range"), ("forcerange", "forcelimited", "force_range"), ("actrange", "actlimited", "bounds")):
        if read.limited(element, path, word, flag):
            low, high = read.numbers(element, word, path, (0, 0)).tolist()
            if not low < high:
                read.fault(element, f"{path}/{word}", f"is {words.get(word, 'missing')}: the lower one must be below the upper one")
            setattr(made, target, (low, high))
    return made


def _general(read: MjcfReader, element: Element, path: str, made: Actuator) -> None:
    words = element.attributes
    for word, known in (("dyntype", ("none", "integrator", "filter", "filterexact")), ("gaintype", ("fixed", "affine")), ("biastype", ("none", "affine"))):
        if (said := words.get(word, known[0])) not in known:
            read.fault(element, f"{path}/{word}", f"is {said!r}, which is not read", f"it may be {' or '.join(known)}")
    gain = read.numbers(element, "gainprm", path, (1.0, *([0.0] * 9)), 1)[:3]
    bias = read.numbers(element, "biasprm", path, [0.0] * 10, 1)[:3]
    made.gain = gain.tolist() if words.get("gaintype") == "affine" else [float(gain[0]), 0.0, 0.0]
    made.bias = bias.tolist() if words.get("biastype") == "affine" else [0.0, 0.0, 0.0]
    if bias[2] > 0.0 and made.gain[0] == -made.bias[1]:  # MuJoCo takes it as a damping ratio
        made.ratio, made.bias[2] = float(bias[2]), 0.0
    made.inherit = read.number(element, "inheritrange", path, 0.0)
    if words.get("dyntype", "none") != "none":
        made.filtered = 0.0 if words["dyntype"] == "integrator" else float(read.numbers(element, "dynprm", path, (1.0, *([0.0] * 9)), 1)[0])
