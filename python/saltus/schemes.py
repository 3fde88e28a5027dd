"""Time integrators with options of their own, for `simulate(scheme=...)`."""

from __future__ import annotations

from typing import Any


class Scheme:
    """A scheme by name with its options: `sl.Scheme("generalized_alpha", spectral_radius=0.9)`.

    The engine checks name and options when the run begins; `saltus._core.schemes()` lists the names.
    """

    def __init__(self, name: str, **options: Any):
        self.name, self.options = name, options

    def __repr__(self) -> str:
        return f"Scheme({', '.join([repr(self.name), *(f'{k}={v!r}' for k, v in self.options.items())])})"
