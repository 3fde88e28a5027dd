"""Time integrators with options of their own, for `simulate(scheme=...)`."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, Literal

from saltus.geometry import near, or_else
from saltus.statements import refuse_keyword

Drift = Literal["projection", "ggl", "none"]


class Scheme:
    """A scheme by name with its options: `sl.Scheme("generalized_alpha", spectral_radius=0.9)`.

    The engine checks name and options when the run begins; `saltus._core.schemes()` lists the names. The classes
    `GeneralizedAlpha`, `MoreauJean`, `RungeKutta4`, `DormandPrince` are the same with typed options.
    """

    name: str
    options: dict[str, Any]

    def __init__(self, name: str, **options: Any):
        self.__dict__.update(name=name, options=options)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str):
            if name.startswith("_") or name not in self.options:
                raise AttributeError(f"scheme {self.__dict__.get('name', '')} has no {name!r}" + or_else(near(name, list(self.__dict__.get("options", ())))))
            return self.options[name]

        def __setattr__(self, name: str, value: Any) -> None:
            known = [word for word in inspect.signature(type(self)).parameters] if type(self) is not Scheme else []
            if name in ("name", "options") or (known and name not in known):
                refuse_keyword("simulation/scheme", name, value, known, f"{name} stays as it is: make another scheme" if name in ("name", "options") else "")
            self.options[name] = value  # of a scheme by name the engine checks them

    def __repr__(self) -> str:
        return f"Scheme({', '.join([repr(self.name), *(f'{k}={v!r}' for k, v in self.options.items())])})"


class GeneralizedAlpha(Scheme):
    """Generalized-alpha on the Lie group (Bruls, Cardona, Arnold 2012); joints, stiff forces, first-order states.

    spectral_radius: of the numerical damping at infinite frequency, 0 (all) to 1 (none; with constraints at index 2 alone).
    index: 3 holds constraints by position, 2 by position and velocity (Gear, Gupta, Leimkuhler 1985). newton:
    "full" forms the matrix anew in each step, "modified" while the old one converges slowly.
    """

    if TYPE_CHECKING:
        spectral_radius: float
        index: Literal[2, 3]
        newton: Literal["full", "modified"]

    def __init__(
        self, *, spectral_radius: float = 0.8, index: Literal[2, 3] = 3, newton: Literal["full", "modified"] = "full"
    ):
        super().__init__("generalized_alpha", spectral_radius=spectral_radius, index=index, newton=newton)


class MoreauJean(Scheme):
    """Moreau and Jean's time stepping (Jean 1999) for contact, impact, friction, diodes, relays.

    theta: 1/2 is of second order on smooth motion and keeps energy, 1 is implicit Euler. drift: how positions are kept on
    the constraints: by a projection after each step, within it (Gear, Gupta, Leimkuhler), or not.
    """

    if TYPE_CHECKING:
        theta: float
        drift: Drift

    def __init__(self, *, theta: float = 0.5, drift: Drift = "projection"):
        super().__init__("moreau_jean", theta=theta, drift=drift)


class RungeKutta4(Scheme):
    """The classical method of order 4 at a fixed step, on the Lie group (Munthe-Kaas 1998); joints as accelerations.

    drift: "projection" of positions and velocities onto the constraints after a step, or "none".
    """

    if TYPE_CHECKING:
        drift: Literal["projection", "none"]

    def __init__(self, *, drift: Literal["projection", "none"] = "projection"):
        super().__init__("runge_kutta_4", drift=drift)


class DormandPrince(Scheme):
    """Dormand and Prince's pair 5(4) with error control, on the Lie group; joints as accelerations.

    drift: "projection" of positions and velocities onto the constraints after a step, or "none".
    """

    if TYPE_CHECKING:
        drift: Literal["projection", "none"]

    def __init__(self, *, drift: Literal["projection", "none"] = "projection"):
        super().__init__("dormand_prince", drift=drift)
