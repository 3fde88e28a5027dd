"""What a contact did over time: gap, normal force, slip, state, impulses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from saltus.geometry import number, refuse
from saltus.handles import Contact, ContactPoint, GroupContact, Handle

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from saltus.result import Moment, Result, Series

State = Literal["open", "sticks", "slides"]
STATES: tuple[State, State, State] = ("open", "sticks", "slides")
AT_REST = 1e-6  # of the largest speed that the point has in the run: slower it sticks
INSIDE = 1.0 - 1e-9  # of the largest friction force: below it sticks, whatever rounding leaves of its speed


@dataclass
class ContactHistory:
    """One point of a contact over time: `result.contact(c)[0].slip`.

    name: of the point. gap (n) [m]. force (n, 3) [N] on B, world axes, normal_force (n) [N]: both without impacts. slip (n, 3)
    [m/s]: velocity of B's material point against A's along the surface, axes of A; slip_speed (n) its size. state (n): 0 open, 1
    closed and sticking, 2 closed and sliding. impulses: (time [s], normal impulse [N s]) of each impact.
    """

    name: str
    time: NDArray[np.float64] | None
    gap: Series
    force: Series
    normal_force: Series
    slip: Series
    slip_speed: Series
    state: NDArray[np.int_]
    impulses: list[tuple[float, float]]

    @property
    def states(self) -> list[State]:
        """The state in words."""
        return [STATES[i] for i in np.atleast_1d(self.state)]

    @property
    def impulse(self) -> float:
        """Sum of the normal impulses [N s]."""
        return float(sum(value for _, value in self.impulses))

    def __repr__(self) -> str:
        return f"<contact {self.name}: {len(self.impulses)} impacts, {self.impulse:g} N s in all>"


def contact_history(result: Result, contact: Contact | str, source: Result | Moment | None = None) -> list[ContactHistory]:
    """The points of a contact, each over the times of the result, or of `source`, the same run at other times."""
    handle = result.model[contact] if isinstance(contact, str) and result.model is not None else contact
    if isinstance(handle, GroupContact):
        refuse(handle.name, "is a contact of groups, whose points are found anew in each step", f"read result[{handle.name}.force] and .points, or, without stiffness, result.contacts()")
    if not isinstance(handle, (Contact, ContactPoint)):
        refuse(getattr(handle, "name", repr(handle)), "is no contact of two shapes", "give what m.contact(A, B) returned")
    points = handle.points if isinstance(handle, Contact) else (handle,)
    return [_point(result, result if source is None else source, point) for point in points]


def _point(result: Result, source: Result | Moment, point: ContactPoint) -> ContactHistory:
    time = getattr(source, "time", None) if not result.is_static else None
    engine = result._ran() or point._model._engine
    record = engine.record(point.name)
    kind, fields = record["type"], record["fields"]
    gap = source[point.gap]
    multiplier = np.asarray(source[point.quantity("multiplier")])
    normal = np.atleast_1d(multiplier if point._rows == 1 else multiplier[..., 0])
    slip = _slip(engine, source, point, kind, fields)
    speed = np.linalg.norm(slip, axis=-1)
    fastest = float(result[point.quantity("relative_velocity").norm].max())
    closed = np.reshape(normal, speed.shape) > 0.0
    state = np.where(closed, np.where((speed > AT_REST * fastest) & ~_inside(engine, point, kind, fields, multiplier, speed.shape), 2, 1), 0)
    series = lambda values, unit, word, parts=(): result._series(values, unit, time, f"{point.name}.{word}", parts)  # noqa: E731
    return ContactHistory(
        point.name, time, series(gap, "m", "gap"), source[point.force], series(np.reshape(normal, speed.shape), "N", "normal_force"),
        series(slip, "m/s", "slip", ("x", "y", "z")), series(speed, "m/s", "slip_speed"), state, impulses_of(result, point),
    )  # fmt: skip


def impulses_of(result: Result, item: Handle) -> list[tuple[float, float]]:
    """(time [s], normal impulse [N s]) of the impacts of an item."""
    return [(when, value) for when, kind, name, value in result.events if kind == "impact" and name == item.name]


def _number(engine: Any, point: ContactPoint, value: Any) -> float:
    """A field's number, or that of an expression of the parameters."""
    return float(engine.expression(value, [], np.zeros((1, 0)))[0]) if isinstance(value, str) else number(value, point.name)


def _inside(engine: Any, point: ContactPoint, kind: str, fields: dict[str, Any], multiplier: NDArray[np.float64], shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Whether friction is smaller than the largest that the law allows; never where the law has no coefficient."""
    law = fields.get("law")
    friction = law.get("friction") if isinstance(law, dict) else None
    if friction is None or point._rows == 1:
        return np.zeros(shape, dtype=bool)
    tangential = multiplier[..., 1:2] if kind.endswith("_2d") else multiplier[..., 1:3]
    return np.reshape(np.linalg.norm(tangential, axis=-1) < INSIDE * _number(engine, point, friction) * multiplier[..., 0], shape)


def _slip(engine: Any, source: Any, point: ContactPoint, kind: str, fields: dict[str, Any]) -> NDArray[np.float64]:
    """(n, 3) v + w x (-r n) without its part along the normal n, as seen from A in the axes of A: n is z of a plane, else along the centres."""
    v, w, p = (np.asarray(source[point.quantity(f"relative_{word}")]) for word in ("velocity", "angular_velocity", "position"))
    plane = kind.startswith("plane")
    length = np.linalg.norm(p, axis=-1, keepdims=True)
    n = np.broadcast_to((0.0, 0.0, 1.0), p.shape) if plane else np.divide(p, length, out=np.zeros_like(p), where=length > 0)
    radius = _number(engine, point, fields.get("radius" if plane else "radius_B", 0.0))
    at_point = v + np.cross(w, -radius * n)
    return at_point - np.sum(at_point * n, axis=-1, keepdims=True) * n


__all__ = ["ContactHistory", "contact_history", "impulses_of"]
