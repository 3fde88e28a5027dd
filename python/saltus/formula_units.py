"""Units of formulas of quantities: the formula carried out on series of ones, whose units numpy's functions carry along."""

from __future__ import annotations

import ast
import re
from typing import Any

import numpy as np

from saltus import _core

_CALLS: dict[str, Any] = {
    "sin": np.sin, "cos": np.cos, "tan": np.tan, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "atan2": np.arctan2, "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh,
    "exp": np.exp, "log": np.log, "log10": np.log10, "sqrt": np.sqrt, "abs": np.abs, "sign": np.sign, "floor": np.floor, "pow": np.power, "min": np.minimum, "max": np.maximum,
    "mod": np.mod, "step": np.sign,
}  # fmt: skip
_OPERATORS: dict[type, Any] = {ast.Add: np.add, ast.Sub: np.subtract, ast.Mult: np.multiply, ast.Div: np.divide, ast.Pow: np.power}


def formula_unit(formula: str, unit_of: Any, series: Any) -> str:
    """Unit of a formula, "" where it is not known (conditions, if(...)); ModelError where units do not go together. unit_of(path): of an operand; series: the class of series."""
    values: dict[str, Any] = {"t": series(np.ones(1), "s", label="t"), "pi": np.pi, "e": np.e}
    text, at = "", formula.index("=") + 1
    for begin, end, inner, _ in _core.operands_of(formula):
        name = f"quantity_{len(values)}"
        values[name] = series(np.ones(1), unit_of(inner), label=inner.lstrip("= "))
        text += formula[_byte(formula, at) : _byte(formula, begin)] + name
        at = end
    text += formula[_byte(formula, at) :]
    try:
        tree = ast.parse(re.sub(r"\^", "**", text).strip(), mode="eval")
        value = _carried_out(tree.body, values)
    except (SyntaxError, KeyError, TypeError):
        return ""
    return getattr(value, "unit", "")


def _byte(text: str, at: int) -> int:
    """Place of a letter by the number of bytes before it."""
    return at if text.isascii() else len(text.encode()[:at].decode())


def _carried_out(node: ast.AST, values: dict[str, Any]) -> Any:
    with np.errstate(all="ignore"):
        if isinstance(node, ast.Constant):
            return float(node.value)  # type: ignore[arg-type]
        if isinstance(node, ast.Name):
            return values[node.id]
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
            return -_carried_out(node.operand, values) if isinstance(node.op, ast.USub) else _carried_out(node.operand, values)
        if isinstance(node, ast.BinOp):
            return _OPERATORS[type(node.op)](_carried_out(node.left, values), _carried_out(node.right, values))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
            function = _CALLS[node.func.id]
            arguments = [_carried_out(argument, values) for argument in node.args]
            out = function(*arguments[:2])
            for more in arguments[2:]:
                out = function(out, more)
            return out
    raise KeyError(type(node).__name__)
