"""Checks of what a caller gives as point, direction or number, and rotations as vectors (axis times angle)."""

from __future__ import annotations

import math
import re
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path
from typing import NoReturn

import numpy as np

from saltus.errors import Fault, ModelError, ModelWarning

_PACKAGE = str(Path(__file__).parent)
_COMMANDS = str(Path(__file__).parent / "commands")
_AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def caller() -> tuple[str, int]:
    """File and line of the statement outside this package that led here; ("", 0) if there is none, or a command."""
    frame = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        if frame.f_code.co_filename.startswith(_COMMANDS):
            return "", 0
        frame = frame.f_back
    return _place(frame.f_code.co_filename, frame.f_lineno) if frame is not None else ("", 0)


@lru_cache(maxsize=1024)
def _place(file: str, line: int) -> tuple[str, int]:
    """One pair for all items that a line makes."""
    return file, line


def refuse(path: str, message: str, remedy: str = "") -> NoReturn:
    """Raises the mistake at the caller's line."""
    file, line = caller()
    raise ModelError(Fault(path, message, remedy, file, line))


_heard: ContextVar[list[Fault] | None] = ContextVar("heard", default=None)  # warnings of the verb that runs


@contextmanager
def hearing() -> Iterator[list[Fault]]:
    """The list to which warnings are added, too."""
    heard: list[Fault] = []
    before = _heard.set(heard)
    try:
        yield heard
    finally:
        _heard.reset(before)


def warn(path: str, message: str, remedy: str = "", place: tuple[str, int] | None = None) -> None:
    """Tells what is allowed but probably not meant, at the caller's line, or at a place in a file."""
    fault = Fault(path, message, remedy, *(place or caller()), severity="warning")
    heard = _heard.get()
    if heard is not None:
        heard.append(fault)
    warn_at_caller(fault.text)


def warn_at_caller(text: str) -> None:
    """Python's warning at the statement outside this package that led here."""
    level, frame = 1, sys._getframe(0)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        level, frame = level + 1, frame.f_back
    warnings.warn(text, ModelWarning, stacklevel=level)


# What other programs and books call what a keyword here is called; each holds only where the second is known.
OTHER_WORDS = {
    **dict.fromkeys(("dt", "h", "timestep", "time_step", "stepsize", "step_size"), ("step",)),
    **dict.fromkeys(("duration", "tend", "t_end", "tmax", "t_max", "end_time", "time", "T", "end"), ("until",)),
    **dict.fromkeys(("mu", "friction_coefficient"), ("friction",)),
    **dict.fromkeys(("e", "cor", "bounce", "elasticity"), ("restitution",)),
    **dict.fromkeys(("pos", "position", "location", "center", "origin"), ("at",)),
    **dict.fromkeys(("k", "spring_constant"), ("stiffness",)),
    **dict.fromkeys(("c", "d", "damper"), ("damping",)),
    **dict.fromkeys(("m", "weight"), ("mass",)),
    **dict.fromkeys(("rho",), ("density",)),
    **dict.fromkeys(("r", "R"), ("radius",)),
    **dict.fromkeys(("teeth", "gear_ratio"), ("ratio",)),
    **dict.fromkeys(("L0", "l0", "natural_length", "free_length"), ("rest_length",)),
    **dict.fromkeys(("omega", "angular_speed"), ("angular_velocity", "speed")),
    **dict.fromkeys(("v", "v0"), ("velocity",)),
    **dict.fromkeys(("orientation", "quaternion", "euler"), ("rotation",)),
    **dict.fromkeys(("method", "solver", "integrator"), ("scheme",)),
    **dict.fromkeys(("tol", "rtol", "atol"), ("tolerance",)),
    **dict.fromkeys(("dims", "dimensions", "extents"), ("size",)),
    **dict.fromkeys(("direction", "normal"), ("axis",)),
    **dict.fromkeys(("label", "id"), ("name",)),
    **dict.fromkeys(("processes", "jobs", "n_jobs", "parallel", "cores"), ("workers",)),
    **dict.fromkeys(("file", "filename", "output"), ("path",)),
    **dict.fromkeys(("remove", "delete", "drop"), ("without",)),
    **dict.fromkeys(("run", "solve", "integrate"), ("simulate",)),
    **dict.fromkeys(("to_csv", "to_parquet", "to_mat", "to_hdf", "write"), ("export",)),
    **dict.fromkeys(("load", "open"), ("load_result",)),
    **dict.fromkeys(("t", "times"), ("time",)),
    **dict.fromkeys(("animate", "animation", "view", "movie", "render"), ("show",)),
}


OTHER_SCHEMES = {  # what other programs call a scheme, or one for the same purpose
    **dict.fromkeys(("rk4", "runge_kutta", "rungekutta4"), "runge_kutta_4"),
    **dict.fromkeys(("rk45", "ode45", "dopri", "dopri5", "rkf45", "explicit"), "dormand_prince"),
    **dict.fromkeys(("rk23", "ode23"), "bogacki_shampine"),
    **dict.fromkeys(("euler", "forward_euler"), "explicit_euler"),
    **dict.fromkeys(("implicit", "implicit_euler", "backward_euler", "bdf", "bdf2", "radau", "lsoda", "ode15s", "ode23t", "dassl", "ida", "hht", "hht_alpha", "alpha"), "generalized_alpha"),
    **dict.fromkeys(("verlet", "leapfrog"), "velocity_verlet"),
    "semi_implicit_euler": "symplectic_euler",
    **dict.fromkeys(("crank_nicolson", "trapezoid"), "trapezoidal"),
    **dict.fromkeys(("moreau", "time_stepping", "timestepping"), "moreau_jean"),
    **dict.fromkeys(("event", "events", "lsodar"), "event_driven"),
}
_DRIVE = "give a joint its drive, m.revolute(..., speed=...), angle= or torque=; m.prismatic takes speed=, position= or force="
_CIRCUIT = "the points of a circuit are made by m.terminal()"
OTHER_VERBS = {  # of Model, what to write for what other programs and books have
    **dict.fromkeys(("hinge", "pin", "pivot", "pin_joint", "hinge_joint", "revolute_joint"), "write m.revolute"),
    **dict.fromkeys(("slider", "slide", "translational", "linear_guide", "slide_joint", "prismatic_joint"), "write m.prismatic"),
    **dict.fromkeys(("weld", "rigid", "clamp", "glue", "attach", "fix", "fixed_joint", "weld_joint"), "write m.fixed"),
    **dict.fromkeys(("ball_joint", "ball_and_socket", "socket", "spherical_joint"), "write m.spherical"),
    "ball": "write m.sphere for a body, m.spherical for a joint",
    **dict.fromkeys(("cardan", "hooke", "u_joint", "universal_joint"), "write m.universal"),
    **dict.fromkeys(("belt", "cable", "string", "tendon"), "write m.rope, and m.sheave for its pulleys"),
    "pulley": "write m.sheave, and m.rope for what runs over it",
    **dict.fromkeys(("belt_drive", "chain", "bevel_gear", "worm", "worm_gear"), "write m.gear"),
    **dict.fromkeys(("motor", "actuator", "drive", "servo"), _DRIVE),
    **dict.fromkeys(("damper", "dashpot"), "write m.spring(A, B, damping=...)"),
    **dict.fromkeys(("torsion_spring", "torsional_spring", "rotational_spring"), "write m.revolute(..., stiffness=..., damping=...)"),
    **dict.fromkeys(("floor", "ground_plane", "wall"), "write m.plane"),
    **dict.fromkeys(("cube", "cuboid", "brick", "block"), "write m.box"),
    **dict.fromkeys(("rigid_body", "add_body"), "write m.body, or a shape such as m.box"),
    **dict.fromkeys(("bar", "stick", "pole", "pendulum"), "write m.rod, which m.revolute hangs up"),
    **dict.fromkeys(("mass", "particle", "point"), "write m.point_mass"),
    "moment": "write m.torque",
    **dict.fromkeys(("collision", "collide", "impact", "friction", "add_contact"), "write m.contact(A, B, friction=..., restitution=...)"),
    **dict.fromkeys(("equilibrium", "statics", "static_analysis", "solve_static"), "write m.static()"),
    **dict.fromkeys(("eigen", "eigenvalues", "eigenfrequencies", "natural_frequencies", "frequencies", "modal"), "write m.modes()"),
    **dict.fromkeys(("battery", "vsource"), "write m.voltage_source"),
    **dict.fromkeys(("node", "net", "wire"), _CIRCUIT),
    **dict.fromkeys(("plot", "show", "to_csv", "to_dataframe", "time"), "a result has it: result = m.simulate(until=...)"),
    **dict.fromkeys(("pd", "pi"), "write m.pid"),
    **dict.fromkeys(("fmu", "to_fmu", "export_fmu"), "write m.export"),
    "cam_follower": "write m.cam",
    "track": "write m.rail",
    **dict.fromkeys(("nut", "lead_screw", "ball_screw"), "write m.screw"),
}


def near(word: str, known: Sequence[str]) -> str:
    """`did you mean "mass"?`, or empty."""
    import difflib

    word = str(word)
    meant = [k for k in OTHER_WORDS.get(word, ()) if k in known]
    swapped = [k for k in known if sorted(k) == sorted(word)]  # two letters in the wrong order
    found = meant or swapped or difflib.get_close_matches(word, known, 1, 0.6) or [k for k in known if len(word) > 1 and k.startswith(word)]
    return f'did you mean "{found[0]}"?' if found else ""


def or_else(remedy: str) -> str:
    """`; remedy`, or empty."""
    return f"; {remedy}" if remedy else ""


def with_article(word: str) -> str:
    """`a mass`, `an edge`, `an EI` as it is spelled; several, such as `elements`, have no article."""
    if word.isdigit():  # one of a row
        return "a number"
    if re.search(r"[^sui]s$", word):
        return word
    return f"{'an' if re.match('[AEFHILMNORSX]' if word[:2].isupper() else '(?i:[aeio]|u(?!ni))', word) else 'a'} {word}"


def number(value, path: str, unit: str = "", above: float | None = None) -> float:
    """A finite number, above `above` if that is given."""
    text = f" {unit}" if unit else ""
    value = value.item() if isinstance(value, np.ndarray) and value.ndim == 0 else value
    if isinstance(value, (bool, str, bytes, complex)) or not np.isscalar(value):
        refuse(path, f"is {short(value)}, expected a number{f' [{unit}]' if unit else ''}", _a_number(value))
    try:
        x = float(value)
    except (TypeError, ValueError):
        refuse(path, f"is {short(value)}, expected a number{f' [{unit}]' if unit else ''}")
    if not math.isfinite(x):
        refuse(path, f"is {x:g}{text}, which is not finite", "look where it comes from: 0/0, or a value that was never set")
    if above is not None and not x > above:
        refuse(path, f"is {x:g}{text}, must be above {above:g}", f"give {with_article(path.split('/')[-1])} above {above:g}")
    return x


def _a_number(value) -> str:
    """How to write what was meant by a text or a list with one number."""
    found = re.fullmatch(r"\s*([-+]?[\d.]+(?:[eE][-+]?\d+)?)\s*([a-zA-Z/^0-9 ]*)", value) if isinstance(value, str) else None
    if found:
        return f"write {found[1]}" + (", in SI units without a unit" if found[2] else "")
    return f"write {value[0]}" if isinstance(value, (list, tuple)) and len(value) == 1 else "write a number"


def vector(value, path: str, unit: str = "m") -> np.ndarray:
    """Three finite numbers (3) as a new array."""
    try:
        x = np.array(value, dtype=float)
    except (TypeError, ValueError):
        refuse(path, f"is {short(value)}, expected 3 numbers [{unit}]", "write (x, y, z)")
    if x.shape != (3,):
        what = f"is {short(value)}, a number" if x.ndim == 0 else f"has {x.size} numbers, {short(value)}"
        turn = "write sl.Rotation.of_quaternion(...)" if x.shape == (4,) else "write sl.degrees(z=...), or a rotation vector (x, y, z)"
        refuse(path, f"{what}; expected 3 [{unit}]", turn if unit == "rad" else "write (x, y, z)")
    if not np.all(np.isfinite(x)):
        refuse(path, f"is {short(value)}, which is not finite", "look where it comes from: 0/0, or a value that was never set")
    if unit == "rad" and np.linalg.norm(x) > 2 * math.pi * (1 + 1e-9):
        degrees = ", ".join(f"{axis}={number:g}" for axis, number in zip("xyz", x, strict=True) if number)
        warn(path, f"is {short(value)} rad, more than a turn", f"if degrees are meant, write sl.degrees({degrees})")
    return x


def edges(value, path: str) -> np.ndarray:
    """Three lengths (3) above 0 [m] as a new array."""
    x = vector(value, path)
    for length in x:
        number(length, path, "m", above=0.0)
    return x


def points(value, path: str, unit: str = "m") -> np.ndarray:
    """Finite points (n, 3) as a new array."""
    try:
        x = np.array(value, dtype=float)
    except (TypeError, ValueError):
        refuse(path, f"is {short(value)}, expected points (n, 3) [{unit}]", "write ((x, y, z), ...)")
    if x.ndim != 2 or x.shape[1] != 3 or len(x) < 3:
        refuse(path, f"has the shape {x.shape}, expected (n, 3) with n at least 3 [{unit}]", "write ((x, y, z), ...)")
    wrong = np.flatnonzero(~np.all(np.isfinite(x), axis=1))
    if len(wrong):
        refuse(path, f"has point {wrong[0]}, {short(x[wrong[0]])}, which is not finite", "look where it comes from: 0/0, or a value that was never set")
    return x


def numbers(value, path: str, unit: str, expected: str) -> list:
    """Numbers or expressions in rows of equal length, as lists; how many are right the engine checks."""
    try:
        return np.asarray(value).tolist()
    except ValueError:
        refuse(path, f"is {short(value)}, whose rows differ in length; expected {expected} [{unit}]")


def direction(value, path: str) -> np.ndarray:
    """A unit vector (3) from "x", "-y", ... or from three numbers."""
    if isinstance(value, str):
        letter = value.removeprefix("-")
        if letter not in _AXES:
            like = value.strip().lower().removeprefix("+")
            remedy = f'did you mean "{like}"?' if like.removeprefix("-") in _AXES else "write a vector such as (1, 0, 1) for others"
            refuse(path, f'is {value!r}, expected "x", "y", "z", "-x", "-y" or "-z"', remedy)
        return np.array(_AXES[letter]) * (-1.0 if value.startswith("-") else 1.0)
    if np.ndim(value) == 0:
        refuse(path, f"is {short(value)}, expected a direction", 'write "z" or (0, 0, 1)')
    x = vector(value, path, "1")
    length = np.linalg.norm(x)
    if not length > 0:
        refuse(path, f"is {short(value)}, which has length zero", 'give a direction such as "z"')
    return x / length


UPRIGHT = np.eye(3)  # of all bodies that are not turned
UPRIGHT.setflags(write=False)


def rotation_matrix(turn: np.ndarray) -> np.ndarray:
    """exp of a rotation vector (3) [rad]: R (3, 3) (Rodrigues)."""
    angle = float(np.linalg.norm(turn))
    if angle == 0.0:
        return UPRIGHT
    x, y, z = turn / angle
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + math.sin(angle) * K + (1.0 - math.cos(angle)) * (K @ K)


def rotation_vector(R: np.ndarray) -> np.ndarray:
    """log of a rotation matrix (3, 3): rotation vector (3) [rad], angle at most pi."""
    w = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    sine, cosine = 0.5 * float(np.linalg.norm(w)), 0.5 * (float(np.trace(R)) - 1.0)
    angle = math.atan2(sine, cosine)
    if sine > 1e-6:
        return w * (0.5 * angle / sine)
    if cosine > 0.0:
        return 0.5 * w
    # Half a turn: R + 1 = 2 n n^T; w gives the sign where it has one.
    S = 0.5 * (R + R.T) + np.eye(3)
    n = S[:, int(np.argmax(np.diag(S)))]
    n = n / np.linalg.norm(n)
    return n * (angle if float(n @ w) >= 0.0 else -angle)


def basis_with_x(n: np.ndarray) -> np.ndarray:
    """Rotation (3, 3) that turns x to the unit vector n by the shortest way; n = -x: half a turn about z."""
    x = np.array([1.0, 0.0, 0.0])
    return np.diag([-1.0, -1.0, 1.0]) if n[0] < 0.0 and np.linalg.norm(np.cross(x, n)) < 1e-12 else turn_between(x, n)


def turn_between(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Rotation (3, 3) that turns the unit vector a to b, not opposite to it, by the shortest way."""
    axis, cosine = np.cross(a, b), float(a @ b)
    sine = float(np.linalg.norm(axis))
    return np.eye(3) if sine < 1e-12 else rotation_matrix(axis / sine * math.atan2(sine, cosine))


def screw(p: np.ndarray, R: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """log of a rigid motion: (u (3), phi (3)), a screw of constant twist; its length is that of u."""
    phi = rotation_vector(R)
    return np.linalg.solve(_left_tangent(phi), p), phi


def along_screw(u: np.ndarray, phi: np.ndarray, share: float) -> tuple[np.ndarray, np.ndarray]:
    """(p (3), R (3, 3)) after a share of it."""
    return share * _left_tangent(share * phi) @ u, rotation_matrix(share * phi)


def _left_tangent(phi: np.ndarray) -> np.ndarray:
    """Integral of exp(s phi) from 0 to 1."""
    angle = float(np.linalg.norm(phi))
    if angle < 1e-4:  # the next term is 4e-14 of the first
        a, b = 0.5 - angle**2 / 24.0, 1.0 / 6.0
    else:
        a, b = (1.0 - math.cos(angle)) / angle**2, (angle - math.sin(angle)) / angle**3
    x, y, z = phi
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + a * K + b * (K @ K)


def basis_with_z(n: np.ndarray) -> np.ndarray:
    """Rotation (3, 3) whose z axis is the unit vector n, as the engine takes it for `axis` (Duff et al. 2017)."""
    x, y, z = n
    sign = math.copysign(1.0, z)
    a = -1.0 / (sign + z)
    b = x * y * a
    return np.array([[1.0 + sign * x * x * a, b, x], [sign * b, sign + y * y * a, y], [-sign * x, -y, z]])


def short(value) -> str:
    """A value in a message, in at most 60 characters."""
    if hasattr(value, "_said"):  # an item of a model
        return value._said
    text = repr(value.tolist() if isinstance(value, np.ndarray) else value)
    return text if len(text) <= 60 else text[:57] + "..."
