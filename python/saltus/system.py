"""A compiled model to look into: which entries of a state are whose, and where its frames are at any state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from saltus import _core
    from saltus.result import Result


@dataclass(frozen=True)
class Part:
    """Entries of a recorded state that one item has for its own.

    item: its name, "" of the system's own. part: "q", "v", "x", "z", "lambda" or "data". array: "y", "lam" or "data", of which
    `entries` are a slice. names, units: by entry.
    """

    item: str
    part: str
    array: str
    entries: slice
    names: tuple[str, ...]
    units: tuple[str, ...]


class System:
    """A model as the engine sees it, immutable: `m.compile()`, or `result.system`."""

    def __init__(self, core: _core.System):
        self._core = core
        frames = core.frame_names()
        self.frame_names: tuple[str, ...] = tuple(name for name, _ in frames)
        self.plane: tuple[bool, ...] = tuple(plane for _, plane in frames)

    def __repr__(self) -> str:
        sizes = self._core.sizes()
        return f"<system of {len(self._core.items())} items: {sizes['nq']} q, {sizes['nv']} v, {sizes['nx']} x, {sizes['nz']} z, {sizes['rows']} lambda>"

    def layout(self) -> list[Part]:
        """Which entries of q, v, x, z, lambda and data are whose, nodes first; each entry but the last of y (ground, 0) once."""
        return [Part(item, part, array, slice(begin, begin + len(names)), tuple(names), tuple(units)) for item, part, array, begin, names, units in self._core.layout()]

    def frames(self, states: Result | NDArray[Any] | None = None) -> NDArray[np.float64]:
        """(n, frames, 7): origin [m] and unit quaternion (w, x, y, z) of each frame of `frame_names`, in the world.

        states: a result, or y (n, ny) as `layout` says; without it the reference position, (frames, 7).
        """
        if states is None:
            return self._core.reference_frames()
        y = states if not hasattr(states, "_recorded") else states._recorded.arrays["y"]
        return self._core.frames(np.ascontiguousarray(np.atleast_2d(y), dtype=float))


__all__ = ["Part", "System"]
