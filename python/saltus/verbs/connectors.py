"""Springs, dampers and loads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from saltus.handles import Connector, Load
from saltus.verbs._verb import given, verb

if TYPE_CHECKING:
    from saltus.arguments import End, Number, VectorOfTime

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
        name: str = "",
    ) -> Connector:
        """Spring and damper along the line from A to B: stiffness [N/m], damping [N s/m], rest_length [m], preload [N].

        `force` acts on B: -(k (L - L0) + c dL/dt - preload) n, n from A to B.
        """
        fields = {
            "A": self._frame(A, "A"),
            "B": self._frame(B, "B"),
            "stiffness": stiffness,
            "damping": damping,
            "rest_length": rest_length,
            **given(preload=preload),
        }
        return Connector(self, self._add("connectors", "spring_damper", self._free_name("spring", name), fields))


class LoadVerbs:
    """Forces and torques."""

    @verb("loads")
    def force(self, on: End, force: VectorOfTime, *, axes: Axes = "world", name: str = "") -> Load:
        """A force (3) [N] at the origin of a body or frame: numbers, expressions of t, or a function f(t) -> (3).

        axes: "world", or "body" for a force that turns with the frame. `force` is read in world axes.
        """
        return self._load("force", on, force, axes, name)

    @verb("loads")
    def torque(self, on: End, torque: VectorOfTime, *, axes: Axes = "world", name: str = "") -> Load:
        """A torque (3) [N m] on a body or frame: numbers, expressions of t, or a function f(t) -> (3).

        axes: "world", or "body" for a torque that turns with the frame. `torque` is read in world axes.
        """
        return self._load("torque", on, torque, axes, name)

    def _load(self, word: str, on, value, axes: str, name: str) -> Load:
        fields: dict[str, Any] = {"on": self._frame(on, "on"), word: self._plain(value)}
        if axes != "world":
            fields["axes"] = axes
        return Load(self, self._add("loads", word, self._free_name(word, name), fields))
