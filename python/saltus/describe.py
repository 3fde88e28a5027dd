"""A model as readable text: what each item is, with its fields."""

from __future__ import annotations

from typing import Any


def description(engine) -> str:
    """One line an item with its fields; sections in the order of a model file."""
    lines = []
    gravity = engine.gravity
    lines.append(f"gravity {_text(gravity) if gravity is not None else '(0, 0, -9.81)'} m/s^2")
    by_section: dict[str, list[str]] = {}
    for section, kind, name in engine.records():
        fields = engine.record(name)["fields"]
        listed = ", ".join(f"{key} = {_text(value)}" for key, value in fields.items())
        by_section.setdefault(section, []).append(f"  {name}: {kind}" + (f", {listed}" if listed else ""))
    for name, fields in engine.controllers.items():
        listed = ", ".join(f"{key} = {_text(value)}" for key, value in fields.items())
        by_section.setdefault("controllers", []).append(f"  {name}: {listed}")
    for section, items in by_section.items():
        lines += [section, *items]
    return "\n".join(lines)


def _text(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, (list, tuple)):
        return "(" + ", ".join(_text(x) for x in value) + ")"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k}: {_text(v)}" for k, v in value.items()) + "}"
    return str(value)
