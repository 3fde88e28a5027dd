"""Units of expressions of quantities: "m" times "m/s" is "m^2/s", "m" and "m/s" are not added.

A unit is a product of powers of symbols as the engine writes them, "kg m^2", "N s/m", "rad/s^2". Symbols stay as they are (N m is not
made J); for a sum they are compared by what they are of kg, m, s, A, K. The radian is 1: it is kept where it says that a number is an
angle or its rate, and dropped from products with other units (m rad/s is m/s).
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from saltus.errors import Fault, ModelError
from saltus.geometry import caller

Unit = dict[str, Fraction]  # symbol -> power, none zero

_BASE = {  # powers of kg, m, s, A, K
    "kg": (1, 0, 0, 0, 0), "m": (0, 1, 0, 0, 0), "s": (0, 0, 1, 0, 0), "A": (0, 0, 0, 1, 0), "K": (0, 0, 0, 0, 1), "rad": (0,) * 5,
    "N": (1, 1, -2, 0, 0), "J": (1, 2, -2, 0, 0), "W": (1, 2, -3, 0, 0), "Pa": (1, -1, -2, 0, 0), "Hz": (0, 0, -1, 0, 0),
    "C": (0, 0, 1, 1, 0), "V": (1, 2, -3, -1, 0), "F": (-1, -2, 4, 2, 0), "H": (1, 2, -2, -2, 0), "Ohm": (1, 2, -3, -2, 0), "Wb": (1, 2, -2, -1, 0),
}  # fmt: skip


@cache
def _read(text: str) -> tuple[tuple[str, Fraction], ...]:
    out: Unit = {}
    sign = 1
    for token in re.findall(r"/|[^\s/^()]+(?:\^(?:\([^)]*\)|[-\d.]+))?", text):
        symbol, _, power = token.partition("^")
        if token == "/":
            sign = -1
        elif symbol != "1":
            out[symbol] = out.get(symbol, Fraction(0)) + sign * Fraction(power.strip("()") or 1)
    return tuple((symbol, power) for symbol, power in out.items() if power)


def read(text: str) -> Unit:
    """The unit that a text writes: symbols with powers, one fraction stroke."""
    return dict(_read(text))


def written(unit: Unit) -> str:
    """Its text: "N s/m", "1/s", "kg/(m s)"."""

    def product(powers: list[tuple[str, Fraction]]) -> str:
        return " ".join(symbol if p == 1 else f"{symbol}^{p}" if p.denominator == 1 else f"{symbol}^({p})" for symbol, p in powers)

    over = [(symbol, p) for symbol, p in unit.items() if p > 0]
    under = [(symbol, -p) for symbol, p in unit.items() if p < 0]
    if not under:
        return product(over)
    below = product(under)
    return f"{product(over) or '1'}/{below if len(under) == 1 else f'({below})'}"


def times(a: Unit, b: Unit, power: int | Fraction = 1) -> Unit:
    """a b^power."""
    out = dict(a)
    for symbol, p in b.items():
        out[symbol] = out.get(symbol, Fraction(0)) + power * p
    out = {symbol: p for symbol, p in out.items() if p}
    if out.get("rad", 0) > 0 and any(symbol not in ("rad", "s") for symbol in out):
        del out["rad"]
    return out


def dimension(unit: Unit) -> tuple[Any, ...]:
    """Powers of kg, m, s, A, K, and of symbols that are not known here."""
    base = [sum((p * _BASE[symbol][i] for symbol, p in unit.items() if symbol in _BASE), Fraction(0)) for i in range(5)]
    return (*base, *sorted((symbol, p) for symbol, p in unit.items() if symbol not in _BASE))


def same(a: str, b: str) -> bool:
    """Whether two units measure the same; a number without unit goes with all."""
    return not a or not b or a == b or dimension(read(a)) == dimension(read(b))


def refused(what: str, a: Any, b: Any) -> ModelError:
    """The mistake of an operation that wants equal units."""
    names = [f"{x.label or 'a series'} [{x.unit}]" for x in (a, b)]
    file, line = caller()
    return ModelError(Fault(f"{names[0]}, {names[1]}", f"have different units, {what} has no meaning", "use np.asarray(...) for numbers without units", file, line))


# Rules of numpy's functions: by their names.
ALIKE = {"add", "subtract", "maximum", "minimum", "fmax", "fmin", "hypot", "fmod", "remainder", "nextafter"}
COMPARES = {"less", "less_equal", "greater", "greater_equal", "equal", "not_equal"}
KEEPS = {"negative", "positive", "absolute", "fabs", "conjugate", "rint", "floor", "ceil", "trunc", "spacing", "clip"}
POWERS = {"sqrt": Fraction(1, 2), "cbrt": Fraction(1, 3), "square": Fraction(2), "reciprocal": Fraction(-1)}
ANGLES = {"arctan2", "arcsin", "arccos", "arctan", "deg2rad", "radians"}
PRODUCTS = {"multiply": 1, "matmul": 1, "vecdot": 1, "vecmat": 1, "matvec": 1, "divide": -1, "true_divide": -1, "floor_divide": -1}
KEEP_CALLS = {"sum", "mean", "median", "average", "std", "max", "min", "amax", "amin", "nanmax", "nanmin", "nanmean", "nansum", "ptp", "percentile",
              "quantile", "sort", "cumsum", "diff", "roll", "flip", "concatenate", "stack", "vstack", "hstack", "column_stack", "append", "clip",
              "real", "abs", "where", "squeeze", "ravel", "reshape", "transpose", "tile", "repeat", "take", "compress", "copy", "unwrap",
              "atleast_1d", "atleast_2d", "moveaxis", "swapaxes", "expand_dims", "broadcast_to", "array_split", "split", "insert", "delete",
              "nan_to_num", "round", "around", "full_like", "zeros_like", "ones_like", "empty_like", "linspace", "pad", "trim_zeros"}  # fmt: skip


def of_ufunc(name: str, method: str, inputs: tuple[Any, ...], series: type) -> str | None:
    """Unit of what a ufunc makes; None: it makes no quantity (a comparison). ModelError where the units do not go together."""
    given = [x for x in inputs if isinstance(x, series)]
    units = [read(x.unit) if isinstance(x, series) else {} for x in inputs]
    first = given[0].unit if given else ""
    if name in ALIKE or name in COMPARES or name == "arctan2":
        for x in given[1:]:
            if not same(given[0].unit, x.unit):
                raise refused("a comparison" if name in COMPARES else f"`{name}`", given[0], x)
        if name in COMPARES:
            return None
        return "rad" if name == "arctan2" else next((x.unit for x in given if x.unit), "")
    if name in KEEPS:
        return first
    if name in POWERS:
        return written(times({}, units[0], POWERS[name]))
    if name in ANGLES:
        return "rad"
    if name in ("rad2deg", "degrees"):
        return ""
    if name in PRODUCTS and method == "reduce":
        return None
    if name in PRODUCTS:
        return written(times(units[0], units[1], PRODUCTS[name]))
    if name in ("power", "float_power"):
        return _power(inputs, units)
    if name == "copysign":
        return inputs[0].unit if isinstance(inputs[0], series) else ""
    if name in ("isfinite", "isnan", "isinf", "signbit", "logical_and", "logical_or", "logical_not", "logical_xor"):
        return None
    return ""  # sin, exp, log, sign: numbers


def _power(inputs: tuple[Any, ...], units: list[Unit]) -> str:
    exponent = np.asarray(inputs[1])
    if not units[0]:
        return ""
    if exponent.ndim:
        return ""  # of each entry another unit
    return written(times({}, units[0], Fraction(float(exponent)).limit_denominator(1000)))


def of_function(name: str, arguments: tuple[Any, ...], keywords: dict[str, Any], series: type) -> str | None:
    """Unit of what a function of numpy makes of series; None where it is not known."""
    found = list(_series_in(arguments, series))
    first = found[0] if found else None
    if first is None:
        return None
    if name in KEEP_CALLS:
        for x in found[1:]:
            if not same(first.unit, x.unit):
                raise refused(f"np.{name}", first, x)
        return first.unit
    if name in ("norm", "interp"):
        order = keywords.get("ord", arguments[1] if name == "norm" and len(arguments) > 1 else None)
        of = first if name == "norm" else arguments[2]
        return None if order == 0 else getattr(of, "unit", "")
    if name in ("var", "nanvar"):
        return written(times({}, read(first.unit), 2))
    if name in ("dot", "inner", "outer", "cross", "kron", "convolve", "correlate", "vdot", "tensordot"):
        return written(times(*(read(getattr(x, "unit", "")) for x in arguments[:2])))
    if name == "gradient":
        axis = _axis(arguments[1] if len(arguments) > 1 else None, first)
        return None if axis is None else written(times(read(first.unit), axis, -1))
    if name in ("trapezoid", "trapz"):
        axis = None if "dx" in keywords else _axis(keywords.get("x", arguments[1] if len(arguments) > 1 else None), first)
        return None if axis is None else written(times(read(first.unit), axis))
    return None


def _axis(x: Any, values: Any) -> Unit | None:
    """Unit of what a derivative or an integral goes along: seconds where it is the time of the series; None: not known."""
    if hasattr(x, "unit"):
        return read(x.unit)
    time = getattr(values, "time", None)
    if time is not None and x is not None and np.ndim(x) == 1 and np.array_equal(x, time):
        return read("s")
    return {} if x is None else None


def _series_in(values: Any, series: type):
    for x in values:
        if isinstance(x, series):
            yield x
        elif isinstance(x, (list, tuple)):
            yield from _series_in(x, series)
