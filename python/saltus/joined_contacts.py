"""Bodies that a joint holds where they touch, and that a contact of groups lets touch there, too: both carry, and contacts that a joint contradicts have no solution."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from saltus import queries
from saltus.contact_layers import body_of, layers_meet, layers_of
from saltus.errors import Fault, ModelError
from saltus.verbs.bodies import shape_name

if TYPE_CHECKING:
    from saltus.model import Model

SMALL = 1e-6  # of the distance of their origins: a gap that is none; deeper overlaps the engine warns of
INSIDE = 0.5  # of the reach of the touching points: a joint within holds what they hold, one at their edge is a hinge of a lid
GROUPS = ("contact", "penalty_contact")
HOLD = ("fixed", "revolute", "spherical", "universal")  # joints that leave no way to part at their place


def joined_contacts(model: Model) -> list[Fault]:
    """Warnings of each joint whose bodies touch at its place in a contact of groups."""
    names = model._engine.records()
    groups = [model._engine.record(name) for _, kind, name in names if kind in GROUPS]
    if not groups:
        return []
    apart = [_sides(model, model._engine.record(name)) for _, kind, name in names if kind == "no_contact"]
    out: list[Fault] = []
    seen: set[frozenset[str]] = set()
    for joint in (model._engine.record(name) for _, kind, name in names if kind in HOLD):
        a, b = (body_of(model, joint["fields"].get(end)) for end in "AB")
        pair = frozenset((a, b))
        if len(pair) < 2 or pair & {"ground", ""} or pair in seen or any(_meet(sides, a, b) for sides in apart):
            continue
        group = next((record for record in groups if _meet(_sides(model, record), a, b)), None)
        if group is None:
            continue
        fields = joint["fields"]
        place = None if joint["type"] == "fixed" else model[joint["name"]]._at_and_axes(fields, model[fields["B"] if isinstance(fields["B"], str) else b])[0]
        if not _touch(model, a, b, place):
            continue
        seen.add(pair)
        out.append(Fault(f"{group['section']}/{group['name']}", f"lets '{a}' and '{b}' touch, and '{joint['name']}' joins them where they touch: both hold them, and a run may end there",
                         f'write m.no_contact(m["{a}"], m["{b}"])', severity="warning"))  # fmt: skip
    return out


def _sides(model: Model, record: dict[str, Any]) -> tuple[set[str], set[str]]:
    """Bodies of both sides; of a group among itself twice the same."""
    A, B = ({body_of(model, shape) for shape in record["fields"].get(side) or ()} for side in "AB")
    return A, B or A


def _meet(sides: tuple[set[str], set[str]], a: str, b: str) -> bool:
    return (a in sides[0] and b in sides[1]) or (b in sides[0] and a in sides[1])


def _shapes(model: Model, body: str) -> Iterator[Any]:
    for name in [body, *(name for name in model if model._names[name][0] == "markers" and body_of(model, name) == body)]:
        if getattr(handle := model[name], "_shape", None):
            yield handle


def _touch(model: Model, a: str, b: str, place: np.ndarray | None) -> bool:
    """Whether they touch, about the place (3) [m] of a joint if that is given."""
    layers = layers_of(model)
    for A in _shapes(model, a):
        for B in _shapes(model, b):
            if not layers_meet(layers, shape_name(A.name), shape_name(B.name)):
                continue
            try:
                small = SMALL * float(np.linalg.norm(A.reference[0] - B.reference[0]))
                points = queries.touches(A, B, within=small)
            except ModelError:  # a shape of which nothing is known before a run
                continue
            if not points or min(point.gap for point in points) < -small:
                continue
            at = np.array([point.on_A for point in points])
            reach = float(np.linalg.norm(at - at.mean(axis=0), axis=1).max())
            if place is None or np.linalg.norm(at.mean(axis=0) - place) <= INSIDE * reach + small:
                return True
    return False
