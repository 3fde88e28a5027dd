"""Written by `python -m saltus.items_stub` from the engine's table of schemes: do not edit."""

from typing import Any, Literal, TypeAlias

SchemeName: TypeAlias = Literal["auto", "generalized_alpha", "explicit_euler", "explicit_midpoint", "heun", "runge_kutta_3", "runge_kutta_4", "runge_kutta_6", "bogacki_shampine", "dormand_prince", "symplectic_euler", "velocity_verlet", "half_explicit", "newmark", "trapezoidal", "moreau_jean", "event_driven", "nonsmooth_generalized_alpha", "d1_minus", "schatzman_paoli", "exact_modal", "zero_order_hold", "static"]

class Scheme:
    name: str
    options: dict[str, Any]
    def __init__(self, name: str, **options: Any) -> None: ...

def table() -> dict[str, dict[str, Any]]: ...
def docstring(entry: dict[str, Any]) -> str: ...

class GeneralizedAlpha(Scheme):
    """Generalized-alpha on the Lie group (Bruls, Cardona, Arnold 2012): joints, stiff forces, first-order states.

    spectral_radius: of the numerical damping at infinite frequency, 0 all to 1 none (with constraints at index 2 alone); between 0 and 1; default 0.8
    index: 3 holds constraints by position, 2 by position and velocity (Gear, Gupta, Leimkuhler 1985); between 2 and 3; default 3
    newton: full forms the matrix anew in each step, modified keeps its factor while it serves; full or modified; default full
    """
    spectral_radius: float
    index: int
    newton: Literal["full", "modified"]
    def __init__(self, *, spectral_radius: float = ..., index: int = ..., newton: Literal["full", "modified"] = ...) -> None: ...

class ExplicitEuler(Scheme):
    """Euler's explicit scheme of order 1, on the Lie group; joints as accelerations.

    drift: whether positions and velocities are projected onto the constraints after a step; projection or none; default projection
    """
    drift: Literal["projection", "none"]
    def __init__(self, *, drift: Literal["projection", "none"] = ...) -> None: ...

class ExplicitMidpoint(Scheme):
    """The explicit midpoint rule of order 2, on the Lie group (Runge 1895); joints as accelerations.

    drift: whether positions and velocities are projected onto the constraints after a step; projection or none; default projection
    """
    drift: Literal["projection", "none"]
    def __init__(self, *, drift: Literal["projection", "none"] = ...) -> None: ...

class Heun(Scheme):
    """The explicit trapezoidal rule of order 2, on the Lie group (Heun 1900); joints as accelerations.

    drift: whether positions and velocities are projected onto the constraints after a step; projection or none; default projection
    """
    drift: Literal["projection", "none"]
    def __init__(self, *, drift: Literal["projection", "none"] = ...) -> None: ...

class RungeKutta3(Scheme):
    """Kutta's scheme of order 3, on the Lie group (Kutta 1901); joints as accelerations.

    drift: whether positions and velocities are projected onto the constraints after a step; projection or none; default projection
    """
    drift: Literal["projection", "none"]
    def __init__(self, *, drift: Literal["projection", "none"] = ...) -> None: ...

class RungeKutta4(Scheme):
    """The classical scheme of order 4, on the Lie group (Kutta 1901; Munthe-Kaas 1999); joints as accelerations.

    drift: whether positions and velocities are projected onto the constraints after a step; projection or none; default projection
    """
    drift: Literal["projection", "none"]
    def __init__(self, *, drift: Literal["projection", "none"] = ...) -> None: ...

class RungeKutta6(Scheme):
    """Butcher's scheme of order 6 with seven stages, on the Lie group (Butcher 1964); joints as accelerations.

    drift: whether positions and velocities are projected onto the constraints after a step; projection or none; default projection
    """
    drift: Literal["projection", "none"]
    def __init__(self, *, drift: Literal["projection", "none"] = ...) -> None: ...

class BogackiShampine(Scheme):
    """Bogacki and Shampine's pair 3(2) with error control, on the Lie group; joints as accelerations.

    drift: whether positions and velocities are projected onto the constraints after a step; projection or none; default projection
    """
    drift: Literal["projection", "none"]
    def __init__(self, *, drift: Literal["projection", "none"] = ...) -> None: ...

class DormandPrince(Scheme):
    """Dormand and Prince's pair 5(4) with error control, on the Lie group; joints as accelerations.

    drift: whether positions and velocities are projected onto the constraints after a step; projection or none; default projection
    """
    drift: Literal["projection", "none"]
    def __init__(self, *, drift: Literal["projection", "none"] = ...) -> None: ...

class SymplecticEuler(Scheme):
    """Symplectic Euler of order 1, on the Lie group: energy stays bounded; joints by SHAKE (Ryckaert, Ciccotti, Berendsen 1977).
    """
    def __init__(self) -> None: ...

class VelocityVerlet(Scheme):
    """Verlet's scheme of order 2, on the Lie group, with damping, too: energy stays bounded; joints by RATTLE (Andersen 1983).
    """
    def __init__(self) -> None: ...

class HalfExplicit(Scheme):
    """Brasey and Hairer's scheme of order 4, on the Lie group: joints at index 2, held by velocity in each stage (Hairer, Lubich, Roche 1989).

    drift: whether positions are projected onto the constraints after a step; projection or none; default projection
    """
    drift: Literal["projection", "none"]
    def __init__(self, *, drift: Literal["projection", "none"] = ...) -> None: ...

class Newmark(Scheme):
    """Newmark's scheme on the Lie group (Newmark 1959): joints, stiff forces, first-order states.

    beta: weight of the acceleration at the end of the step in positions: 1/4 the mean, 1/6 a linear one; between 0.05 and 0.5; default 0.25
    gamma: the same in velocities, and of the rates of first-order states: 1/2 keeps energy and is of order 2, more damps and is of order 1; between 0.5 and 1; default 0.5
    index: 3 holds constraints by position, 2 by position and velocity (Gear, Gupta, Leimkuhler 1985); between 2 and 3; default 2
    newton: full forms the matrix anew in each step, modified keeps its factor while it serves; full or modified; default full
    """
    beta: float
    gamma: float
    index: int
    newton: Literal["full", "modified"]
    def __init__(self, *, beta: float = ..., gamma: float = ..., index: int = ..., newton: Literal["full", "modified"] = ...) -> None: ...

class Trapezoidal(Scheme):
    """The trapezoidal rule on the Lie group, constraints at position and velocity: order 2 without numerical damping, for stiff forces, too.

    newton: full forms the matrix anew in each step, modified keeps its factor while it serves; full or modified; default full
    """
    newton: Literal["full", "modified"]
    def __init__(self, *, newton: Literal["full", "modified"] = ...) -> None: ...

class MoreauJean(Scheme):
    """Moreau and Jean's time stepping (Jean 1999) for contact, impact, friction, diodes, relays.

    theta: 1/2 is of second order on smooth motion and keeps energy, 1 is implicit Euler; between 0.5 and 1; default 0.5
    gamma: laws but those of gaps see their rows at this place of a step of fixed length: 1 at its end, 1/2 in its middle, of second order, where what sticks may chatter; between 0.5 and 1; default 1
    drift: how positions are kept on the constraints: by a projection after each step, within it (Gear, Gupta, Leimkuhler 1985), or not; projection, ggl or none; default projection
    newton_tolerance: of what Newton's iteration leaves, of the largest terms; between 1e-15 and 0.01; default 1e-10
    solver_tolerance: of the residual of the nonsmooth problems; between 1e-15 and 0.01; default 1e-08
    acceptable_residual: of a step with more than a hundred rows of contacts of groups that is taken where no solver comes to solver_tolerance soon; with fewer rows a hundred solver_tolerance at most; the run warns; between 0 and 0.01; default 0.001
    """
    theta: float
    gamma: float
    drift: Literal["projection", "ggl", "none"]
    newton_tolerance: float
    solver_tolerance: float
    acceptable_residual: float
    def __init__(self, *, theta: float = ..., gamma: float = ..., drift: Literal["projection", "ggl", "none"] = ..., newton_tolerance: float = ..., solver_tolerance: float = ..., acceptable_residual: float = ...) -> None: ...

class EventDriven(Scheme):
    """Dormand and Prince's scheme between events that are located exactly: impacts, detachment, stick and slip (Pfeiffer, Glocker 1996).

    accumulation: speed of approach, over the largest of the same contact so far, below which it closes for good: where impacts accumulate; between 1e-08 and 0.1; default 1e-08
    """
    accumulation: float
    def __init__(self, *, accumulation: float = ...) -> None: ...

class NonsmoothGeneralizedAlpha(Scheme):
    """Generalized-alpha with impacts and friction, positions and velocities both on the constraints; under error control steps end at impacts (Bruls, Acary, Cardona 2014).

    spectral_radius: of the numerical damping at infinite frequency, 0 all to 1 none (without contacts alone); between 0 and 1; default 0.8
    """
    spectral_radius: float
    def __init__(self, *, spectral_radius: float = ...) -> None: ...

class D1Minus(Scheme):
    """Schindler and Acary's half-explicit scheme D1-: contact forces in each step, impacts at its end and at the start, order 2 between them (Schindler, Acary 2014).
    """
    def __init__(self) -> None: ...

class SchatzmanPaoli(Scheme):
    """Schatzman and Paoli's scheme at a fixed step: the central difference with impacts by positions, those of two steps together (Paoli, Schatzman 2002).
    """
    def __init__(self) -> None: ...

class ExactModal(Scheme):
    """The exact flow of a linear vibrating system by its modes, with impacts and friction: strings against stops (after Issanchou and others 2018).
    """
    def __init__(self) -> None: ...

class ZeroOrderHold(Scheme):
    """Exact on linear systems under multipliers that are held over a step, by the exponential of the matrix: relays, complementarity, sliding modes, impacts (Acary, Brogliato 2010).
    """
    def __init__(self) -> None: ...

class Static(Scheme):
    """The equilibrium under the loads, along their growth; constraints hold by position.

    load_steps: parts, of one size, in which the loads grow; between 1 and 1e+06; default 1
    reach: with contacts: how far bodies that nothing else holds may go to their equilibrium, in the model's size; above 0; default 0.1
    """
    load_steps: int
    reach: float
    def __init__(self, *, load_steps: int = ..., reach: float = ...) -> None: ...
