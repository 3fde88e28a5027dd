"""Springs, dampers and loads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from saltus import geometry as g
from saltus import planar as flat
from saltus.handles import Connector, Load, Node
from saltus.verbs._verb import given, verb

if TYPE_CHECKING:
    from saltus.arguments import End, Function, Number, OfTime, VectorOfTime

    Axes = Literal["world", "body"]


class SpringVerbs:
    """Force elements between two frames."""

    @verb("connectors")
    def spring(
        self,
        A: End,
        B: End,
        *,
        stiffness: Number = 0.0,
        damping: Number = 0.0,
        rest_length: Number = 0.0,
        preload: Number | None = None,
        only: Literal["tension", "compression"] | None = None,
        force: Function | None = None,
        name: str = "",
    ) -> Connector:
        """Spring and damper along the line from A to B: stiffness [N/m], damping [N s/m], rest_length [m], preload [N].

        `force` acts on B: -(k (L - L0) + c dL/dt - preload) n, n from A to B. only: "tension", a rope, or "compression", a bumper: without
        force where the spring alone would not pull, or push; its damper then does not change the sign. force: in the place of all these an expression or a function f(t, L, dL) [N],
        positive pulls together, such as a table, `f"{curve.of('L - 0.2')} + 3*dL"`. A spring about or along the axis of a joint is given to the joint:
        `m.revolute(..., stiffness=...)`.
        """
        name = self._free_name("spring", name)
        ends = {"A": self._frame(A, "A"), "B": self._frame(B, "B")}
        values = {"stiffness": stiffness, "damping": damping, "rest_length": rest_length, **given(preload=preload)}
        if force is not None and only is not None:
            g.refuse(f"connectors/{name}/only", "is given with `force`", 'write it into the function: "max(0, ...)"')
        if force is not None:
            if meant := [word for word, value in values.items() if value != 0.0]:
                g.refuse(f"connectors/{name}/force", f"is given with {', '.join(meant)}", "write these into the function, or leave it out")
            return Connector(self, self._add("connectors", "user_spring", name, {**ends, "tension": self._plain(force)}))
        if isinstance(rest_length, (int, float)) and rest_length and self._one_place(A, B):
            g.warn(f"connectors/{name}", f"has length zero at the start and a rest length of {rest_length:g} m: it has no direction there, and no force until its ends part", "place the ends apart, or leave rest_length out")
        if only is not None:
            return Connector(self, self._add("connectors", "user_spring", name, {**ends, "tension": _one_way(only, values, f"connectors/{name}/only")}))
        return Connector(self, self._add("connectors", "spring_damper", name, {**ends, **values}))

    def _one_place(self, A, B) -> bool:
        """Whether both ends are known to start at one place."""
        ends = [self[end] if isinstance(end, str) and end in self else end for end in (A, B)]
        bodies = [getattr(end, "_body", end) for end in ends]
        if any(getattr(body, "_p", None) is None or (body._statement and body._statement.given.get("displacement") is not None) for body in bodies):
            return False
        return bool(np.array_equal(*(end.reference[0] for end in ends)))


def _one_way(only: str, values: dict[str, Any], path: str) -> str:
    """The formula of a spring that pulls or pushes alone."""
    if only not in ("tension", "compression"):
        g.refuse(path, f"is {only!r}", g.near(str(only), ("tension", "compression")) or "it takes tension or compression")
    k, c, length, preload = (f"({_number_text(values.get(word, 0.0))})" for word in ("stiffness", "damping", "rest_length", "preload"))
    elastic = f"{k}*(L - {length}) - {preload}"
    sign, bound = (">", "max") if only == "tension" else ("<", "min")
    return f"if({elastic} {sign} 0, {bound}(0, {elastic} + {c}*dL), 0)"


def _number_text(value: Any) -> str:
    return value if isinstance(value, str) else repr(float(value))


class LoadVerbs:
    """Forces and torques."""

    @verb("loads")
    def force(self, on: End, force: VectorOfTime, *, axes: Axes = "world", name: str = "") -> Load:
        """A force (3) [N] at the origin of a body or frame: numbers, expressions of t, or a function f(t) -> (3).

        axes: "world", or "body" for a force that turns with the frame. `force` is read in world axes.
        """
        return self._load("force", on, force, axes, name)

    @verb("loads")
    def torque(self, on: End, torque: VectorOfTime | OfTime, *, axes: Axes = "world", name: str = "") -> Load:
        """A torque (3) [N m] on a body or frame: numbers, expressions of t, or a function f(t) -> (3); of a planar model one, about z.

        axes: "world", or "body" for a torque that turns with the frame. `torque` is read in world axes.
        """
        return self._load("torque", on, torque, axes, name)

    def _load(self, word: str, on, value, axes: str, name: str) -> Load:
        name = self._free_name(word, name)
        if isinstance(on, Node) and on.name in self._names and self._engine.record(on.name)["type"] == "node_1d":
            force = g.short(value) if isinstance(value, (int, float, str)) else "..."
            g.refuse(f"loads/{name}/on", f"is {g.short(on)}, a coordinate, which has no place", f'write m.add(sl.items.CoordinateLoad(on=m["{on.name}"], force={force}))')
        if self.planar:
            path = f"loads/{name}/{word}"
            if word == "force":
                value = flat.vector(value, path, "N")
            elif not callable(about := flat.about_normal(value, path, "N m")):
                value = (0.0, 0.0, about)
        fields: dict[str, Any] = {"on": self._frame(on, "on"), word: self._plain(value)}
        body = getattr(on, "_body", on)
        if word == "torque" and body.name in self._names and self._engine.record(body.name)["type"] == "point_mass":
            g.warn(f"loads/{name}/on", f"is {g.short(body)}, a point, which does not turn: the torque does nothing", "give a body with inertia, such as m.sphere or m.box, or a force")
        if axes != "world":
            fields["axes"] = axes
        return Load(self, self._add("loads", word, name, fields))
