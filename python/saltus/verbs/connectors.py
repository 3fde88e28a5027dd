"""Springs, dampers and loads."""

from __future__ import annotations

from saltus.handles import Connector, Load
from saltus.verbs._verb import given, verb


class SpringVerbs:
    """Force elements between two frames."""

    @verb("connectors")
    def spring(self, A, B, *, stiffness=0.0, damping=0.0, rest_length=0.0, preload=None, name: str = "") -> Connector:
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
    def force(self, on, force, *, axes: str = "world", name: str = "") -> Load:
        """A force (3) [N] at the origin of a body or frame: numbers, expressions of t, or a function f(t) -> (3).

        axes: "world", or "body" for a force that turns with the frame.
        """
        fields = {
            "on": self._frame(on, "on"),
            "force": self._plain(force),
            **given(axes=None if axes == "world" else axes),
        }
        return Load(self, self._add("loads", "force", self._free_name("force", name), fields))

    @verb("loads")
    def torque(self, on, torque, *, axes: str = "world", name: str = "") -> Load:
        """A torque (3) [N m] on a body or frame: numbers, expressions of t, or a function f(t) -> (3)."""
        fields = {
            "on": self._frame(on, "on"),
            "torque": self._plain(torque),
            **given(axes=None if axes == "world" else axes),
        }
        return Load(self, self._add("loads", "torque", self._free_name("torque", name), fields))
