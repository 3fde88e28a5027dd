"""A model as readable text: what each item is, with its fields."""

from __future__ import annotations

import math
from typing import Any

ROUNDING = 1e-14  # of the largest entry of a vector or square matrix: what is less is rounding


def description(engine) -> str:
    """One line an item with its fields; sections in the order of a model file."""
    lines = []
    gravity = engine.gravity
    lines.append(f"gravity {_text(gravity) if gravity is not None else '(0, 0, -9.81)'} m/s^2")
    by_section: dict[str, list[str]] = {}
    for section, kind, name in engine.records():
        fields = engine.record(name)["fields"]
        listed = ", ".join(f"{key} = {_text(without_rounding(value))}" for key, value in fields.items())
        by_section.setdefault(section, []).append(f"  {name}: {kind}" + (f", {listed}" if listed else ""))
    for name, fields in engine.controllers.items():
        listed = ", ".join(f"{key} = {_text(value)}" for key, value in fields.items())
        by_section.setdefault("controllers", []).append(f"  {name}: {listed}")
    for section, items in by_section.items():
        lines += [section, *items]
    return "\n".join(lines)


def without_rounding(value: Any) -> Any:
    """The value, with 0 for entries of vectors and square matrices that are rounding beside the largest; tables, whose columns have units of their own, as they are."""
    if isinstance(value, dict):
        return {key: without_rounding(entry) for key, entry in value.items()}
    if not isinstance(value, (list, tuple)) or not value:
        return value
    if all(type(x) in (int, float) for x in value):
        return _cleared(value)
    n = len(value)
    if n > 2 and all(isinstance(row, (list, tuple)) and len(row) == n and all(type(x) in (int, float) for x in row) for row in value):
        flat = _cleared([x for row in value for x in row])
        return [flat[i * n : (i + 1) * n] for i in range(n)]
    return [without_rounding(x) if isinstance(x, dict) else x for x in value]


def _cleared(values: Any) -> list[float]:
    largest = max(abs(x) for x in values)
    return [0.0 if 0 < abs(x) < ROUNDING * largest < math.inf else x for x in values]


def _text(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, (list, tuple)):
        return "(" + ", ".join(_text(x) for x in value) + ")"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k}: {_text(v)}" for k, v in value.items()) + "}"
    return str(value)
