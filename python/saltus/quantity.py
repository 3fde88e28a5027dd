"""What is read of a result: a quantity of an item, by attribute (`rod.position.x`) or as text."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from saltus.geometry import number, refuse
from saltus.statements import LeadsToItems

if TYPE_CHECKING:
    from collections.abc import Iterator

    from saltus.handles import Handle

_COMPONENTS = ("x", "y", "z", "w", "norm")


@dataclass(frozen=True)
class Line:
    """Places of frames one behind the other, such as the centre line of a beam: `result[line]` (time, frames, 3) [m], without time of an equilibrium."""

    label: str
    places: tuple[Quantity, ...]


@dataclass(frozen=True)
class Quantity(LeadsToItems):
    """A quantity of one item, or the sum of the same quantity of several; no value before a run.

    `.x`, `.y`, `.z` are components in world axes (unless the name says `_body`), `.norm` the Euclidean norm, `[i]` the
    component with a number. `quantity < number`, or another quantity, is a condition for `simulate(stop=...)`. `+ - * / **` with numbers and other
    quantities, and numpy's functions such as `np.sin(hinge.angle)`, make a formula of quantities, vectors component by component.
    """

    terms: tuple[tuple[Handle, str], ...]
    component: str = ""
    shown: str = field(default="", compare=False, kw_only=True)  # its name, where it is read as another item's or as a formula

    @property
    def paths(self) -> tuple[str, ...]:
        """`name.quantity` of each term, as outputs of a model file hold it."""
        return tuple(f"{handle._item_name()}.{word}" for handle, word in self.terms)

    @property
    def label(self) -> str:
        """The text under which plots and tables show it."""
        handle, word = self.terms[0]
        return ".".join(filter(None, (self.shown or handle.name, "" if self.shown else word, self.component)))

    def _part(self, component: str) -> Quantity:
        if self.component:
            raise AttributeError(f"{self.label} is a number: it has no component {component!r}")
        return replace(self, component=component)

    @property
    def x(self) -> Quantity:
        """Component along x."""
        return self._part("x")

    @property
    def y(self) -> Quantity:
        """Component along y."""
        return self._part("y")

    @property
    def z(self) -> Quantity:
        """Component along z."""
        return self._part("z")

    @property
    def w(self) -> Quantity:
        """Scalar part of a quaternion."""
        return self._part("w")

    @property
    def norm(self) -> Quantity:
        """Euclidean norm."""
        return self._part("norm")

    def _names(self) -> Iterator[str]:
        return (handle.name for handle, _ in self.terms)

    def _reference(self) -> dict[str, object]:
        """How a record names it where a scalar coordinate is asked for: a motion of a joint, a coordinate of a node."""
        handle, word = self.terms[0]
        if reference := handle._scalar(word, self.component):
            return reference
        refuse(
            self.label,
            "is no coordinate that an item can act on",
            "these are the `angle` of a joint, its `translation.z`, and `coordinate[i]` of a node",
        )

    def __getitem__(self, number: int) -> Quantity:
        return self._part(str(int(number)))

    def _text(self) -> str:
        """How a formula writes it."""
        parts = [_operand(path + (f".{self.component}" if self.component else "")) for path in self.paths]
        if len(parts) == 1 or self.component in ("", *_COMPONENTS[:4]) or self.component.isdigit():
            return parts[0] if len(parts) == 1 else f"({' + '.join(parts)})"
        return f"({' + '.join(_operand(path) for path in self.paths)}).{self.component}"

    def __add__(self, other: Quantity | float) -> Formula:
        return _formula("{} + {}", self, other)

    def __radd__(self, other: float) -> Formula:
        return _formula("{} + {}", other, self)

    def __sub__(self, other: Quantity | float) -> Formula:
        return _formula("{} - {}", self, other)

    def __rsub__(self, other: float) -> Formula:
        return _formula("{} - {}", other, self)

    def __mul__(self, other: Quantity | float) -> Formula:
        return _formula("{} * {}", self, other)

    def __rmul__(self, other: float) -> Formula:
        return _formula("{} * {}", other, self)

    def __truediv__(self, other: Quantity | float) -> Formula:
        return _formula("{} / {}", self, other)

    def __rtruediv__(self, other: float) -> Formula:
        return _formula("{} / {}", other, self)

    def __pow__(self, other: Quantity | float) -> Formula:
        return _formula("{} ^ {}", self, other)

    def __rpow__(self, other: float) -> Formula:
        return _formula("{} ^ {}", other, self)

    def __neg__(self) -> Formula:
        return _formula("(-{})", self)

    def __pos__(self) -> Quantity:
        return self

    def __abs__(self) -> Formula:
        return _formula("abs({})", self)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        pattern = _FUNCTIONS.get(ufunc.__name__)
        if method != "__call__" or kwargs or pattern is None:
            refuse(self.label, f"is a quantity, of which numpy's {ufunc.__name__} makes no formula", f"it takes {', '.join(_FUNCTIONS)}; or work with result[quantity] after the run")
        return _formula(pattern, *inputs)

    def __lt__(self, bound: Quantity | float) -> Condition:
        return self._compared("<", bound)

    def __gt__(self, bound: Quantity | float) -> Condition:
        return self._compared(">", bound)

    def crosses(self, bound: Quantity | float) -> Condition:
        """A condition for `simulate(stop=...)`: the quantity comes to the other side of `bound`."""
        return self._compared("crosses", bound)

    def _compared(self, sign: Literal["<", ">", "crosses"], bound: Quantity | float) -> Condition:
        return Condition(self - bound, sign, 0.0) if isinstance(bound, Quantity) else Condition(self, sign, number(bound, self.label))

    def __float__(self) -> float:
        raise TypeError(f"{self.label} has no value before a run: read result[...] of it, or state[...] in a loop")

    def __repr__(self) -> str:
        return f"<quantity {self.label}>"


@dataclass(frozen=True)
class Formula(Quantity):
    """An expression of quantities: a quantity itself. `text` is how outputs of a model file write it."""

    text: str = ""

    @property
    def paths(self) -> tuple[str, ...]:
        """The formula, in parentheses to which a component can be added."""
        return (f"= ({self.text})",)

    @property
    def label(self) -> str:
        """The formula, or the name under which it is read."""
        if self.shown:
            return super().label
        return f"({self.text}).{self.component}" if self.component else self.text

    def _names(self) -> Iterator[str]:
        for handle, _ in self.terms:
            yield from handle._names()

    def _text(self) -> str:
        return f"({self.text}){'.' + self.component if self.component else ''}"

    def _reference(self) -> dict[str, object]:
        refuse(self.label, "is a formula and no coordinate that an item can act on", "write m.equation([...], ...) for an equation between coordinates")

    def __repr__(self) -> str:
        return f"<formula {self.label}>"


_FUNCTIONS = {
    "add": "{} + {}", "subtract": "{} - {}", "multiply": "{} * {}", "divide": "{} / {}", "power": "{} ^ {}", "float_power": "{} ^ {}", "negative": "(-{})", "absolute": "abs({})",
    "fabs": "abs({})", "square": "{} ^ 2", "reciprocal": "1 / {}", **{name: name + "({})" for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "log", "log10", "sqrt", "sign", "floor")},
    "arcsin": "asin({})", "arccos": "acos({})", "arctan": "atan({})", "arctan2": "atan2({}, {})", "maximum": "max({}, {})", "minimum": "min({}, {})", "fmax": "max({}, {})",
    "fmin": "min({}, {})", "heaviside": "step({})", "mod": "mod({}, {})", "remainder": "mod({}, {})", "deg2rad": "{} * (pi / 180)", "rad2deg": "{} * (180 / pi)",
}  # fmt: skip
PLAIN = re.compile(r"(?:(?:relative|group)\([^(){}]*\)|[A-Za-z_]\w*)(?:\.\w+)+", re.ASCII)


def _operand(path: str) -> str:
    """A path as a formula takes it: in braces where its names have other letters."""
    return path if PLAIN.fullmatch(path) else f"{{{path}}}"


def _formula(pattern: str, *inputs: Any) -> Formula:
    """The formula of quantities and numbers; its terms are those of all of them."""
    terms: list[tuple[Handle, str]] = []
    words = []
    for value in inputs:
        if isinstance(value, Quantity):
            terms.extend(value.terms)
            words.append(value._text())
        elif isinstance(value, np.ndarray) and value.ndim:
            refuse("outputs", f"has a formula with an array of {value.size} numbers", "write it by component, such as body.position.x * 2")
        else:
            x = number(value, "outputs")
            words.append(f"({x!r})" if x < 0 else repr(x))
    return Formula(tuple(terms), "", pattern.format(*words))


@dataclass(frozen=True)
class Condition:
    """`quantity < bound`, `quantity > bound`, `quantity.crosses(bound)`: the run ends where it is met."""

    quantity: Quantity
    sign: Literal["<", ">", "crosses"]
    bound: float

    def __bool__(self) -> bool:
        raise TypeError("a condition has no value before the run; give it as simulate(stop=...)")

    def __str__(self) -> str:
        return f"{self.quantity.label} {self.sign} {self.bound:g}"
