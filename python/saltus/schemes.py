"""Time integrators with options of their own, for `simulate(scheme=...)`."""

from __future__ import annotations

from typing import Any, Literal

Drift = Literal["projection", "ggl", "none"]


class Scheme:
    """A scheme by name with its options: `sl.Scheme("generalized_alpha", spectral_radius=0.9)`.

    The engine checks name and options when the run begins; `saltus._core.schemes()` lists the names. The classes
    `GeneralizedAlpha`, `MoreauJean`, `RungeKutta4`, `DormandPrince` are the same with typed options.
    """

    def __init__(self, name: str, **options: Any):
        self.name, self.options = name, options

    def __repr__(self) -> str:
        return f"Scheme({', '.join([repr(self.name), *(f'{k}={v!r}' for k, v in self.options.items())])})"


class GeneralizedAlpha(Scheme):
    """Generalized-alpha on the Lie group (Bruls, Cardona, Arnold 2012); joints, stiff forces, first-order states.

    spectral_radius: of the numerical damping at infinite frequency, 0 (all) to 1 (none; with constraints at index 2 alone).
    index: 3 holds constraints by position, 2 by position and velocity (Gear, Gupta, Leimkuhler 1985). newton:
    "full" forms the matrix anew in each step, "modified" while the old one converges slowly.
    """

    def __init__(
        self, *, spectral_radius: float = 0.8, index: Literal[2, 3] = 3, newton: Literal["full", "modified"] = "full"
    ):
        super().__init__("generalized_alpha", spectral_radius=spectral_radius, index=index, newton=newton)


class MoreauJean(Scheme):
    """Moreau and Jean's time stepping (Jean 1999) for contact, impact, friction, diodes, relays.

    theta: 1/2 is of second order on smooth motion and keeps energy, 1 is implicit Euler. drift: how positions are kept on
    the constraints: by a projection after each step, within it (Gear, Gupta, Leimkuhler), or not.
    """

    def __init__(self, *, theta: float = 0.5, drift: Drift = "projection"):
        super().__init__("moreau_jean", theta=theta, drift=drift)


class RungeKutta4(Scheme):
    """The classical method of order 4 at a fixed step, on the Lie group (Munthe-Kaas 1998); joints as accelerations.

    drift: "projection" of positions and velocities onto the constraints after a step, or "none".
    """

    def __init__(self, *, drift: Literal["projection", "none"] = "projection"):
        super().__init__("runge_kutta_4", drift=drift)


class DormandPrince(Scheme):
    """Dormand and Prince's pair 5(4) with error control, on the Lie group; joints as accelerations.

    drift: "projection" of positions and velocities onto the constraints after a step, or "none".
    """

    def __init__(self, *, drift: Literal["projection", "none"] = "projection"):
        super().__init__("dormand_prince", drift=drift)
