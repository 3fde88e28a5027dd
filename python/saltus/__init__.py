"""Saltus: dynamics in which smooth motion and jumps meet.

Names are loaded when they are first used, so that `import saltus` stays quick.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from saltus import errors as errors
    from saltus import items as items
    from saltus import numerics as numerics
    from saltus import queries as queries
    from saltus import sampling as sampling
    from saltus import scenes as scenes
    from saltus import schemes as schemes
    from saltus import store as store
    from saltus._core import version as __version__
    from saltus.analyses import AssemblyError as AssemblyError
    from saltus.compiled import Compiled as Compiled
    from saltus.errors import Fault as Fault
    from saltus.errors import ModelError as ModelError
    from saltus.friction import Coulomb as Coulomb
    from saltus.friction import Dahl as Dahl
    from saltus.friction import LuGre as LuGre
    from saltus.friction import Plastic as Plastic
    from saltus.friction import Stribeck as Stribeck
    from saltus.identification import Identified as Identified
    from saltus.identification import identify as identify
    from saltus.inertia import Inertia as Inertia
    from saltus.model import Model as Model
    from saltus.model import ModelWarning as ModelWarning
    from saltus.result import Result as Result
    from saltus.result import RunError as RunError
    from saltus.result_file import load_result as load_result
    from saltus.result_file import resume as resume
    from saltus.robots import read_mjcf as read_mjcf
    from saltus.robots import read_sdf as read_sdf
    from saltus.robots import read_urdf as read_urdf
    from saltus.rotations import Pose as Pose
    from saltus.rotations import Rotation as Rotation
    from saltus.schemes import BogackiShampine as BogackiShampine
    from saltus.schemes import D1Minus as D1Minus
    from saltus.schemes import DormandPrince as DormandPrince
    from saltus.schemes import EventDriven as EventDriven
    from saltus.schemes import ExactModal as ExactModal
    from saltus.schemes import ExplicitEuler as ExplicitEuler
    from saltus.schemes import ExplicitMidpoint as ExplicitMidpoint
    from saltus.schemes import GeneralizedAlpha as GeneralizedAlpha
    from saltus.schemes import HalfExplicit as HalfExplicit
    from saltus.schemes import Heun as Heun
    from saltus.schemes import MoreauJean as MoreauJean
    from saltus.schemes import Newmark as Newmark
    from saltus.schemes import NonsmoothGeneralizedAlpha as NonsmoothGeneralizedAlpha
    from saltus.schemes import RungeKutta3 as RungeKutta3
    from saltus.schemes import RungeKutta4 as RungeKutta4
    from saltus.schemes import RungeKutta6 as RungeKutta6
    from saltus.schemes import SchatzmanPaoli as SchatzmanPaoli
    from saltus.schemes import Scheme as Scheme
    from saltus.schemes import SymplecticEuler as SymplecticEuler
    from saltus.schemes import Trapezoidal as Trapezoidal
    from saltus.schemes import VelocityVerlet as VelocityVerlet
    from saltus.schemes import ZeroOrderHold as ZeroOrderHold
    from saltus.sections import Section as Section
    from saltus.state import State as State
    from saltus.store import Channel as Channel
    from saltus.store import ResultReader as ResultReader
    from saltus.store import ResultWriter as ResultWriter
    from saltus.studies import Study as Study
    from saltus.studies import study as study
    from saltus.system import System as System
    from saltus.tables import Table as Table
    from saltus.tables import VectorTable as VectorTable
    from saltus.tables import read_table as read_table
    from saltus.units import degrees as degrees
    from saltus.verbs.forces import magic_formula as magic_formula

# name -> module that holds it; the module itself where the names are equal
_HOMES = {
    "AssemblyError": "saltus.analyses",
    "Compiled": "saltus.compiled",
    "Fault": "saltus.errors",
    "ModelError": "saltus.errors",
    "Channel": "saltus.store",
    "ResultReader": "saltus.store",
    "ResultWriter": "saltus.store",
    "Coulomb": "saltus.friction",
    "Dahl": "saltus.friction",
    "LuGre": "saltus.friction",
    "Plastic": "saltus.friction",
    "Stribeck": "saltus.friction",
    "Identified": "saltus.identification",
    "identify": "saltus.identification",
    "Inertia": "saltus.inertia",
    "Model": "saltus.model",
    "ModelWarning": "saltus.model",
    "Result": "saltus.result",
    "RunError": "saltus.result",
    "load_result": "saltus.result_file",
    "resume": "saltus.result_file",
    "read_mjcf": "saltus.robots",
    "read_sdf": "saltus.robots",
    "read_urdf": "saltus.robots",
    "Pose": "saltus.rotations",
    "Rotation": "saltus.rotations",
    "BogackiShampine": "saltus.schemes",
    "D1Minus": "saltus.schemes",
    "DormandPrince": "saltus.schemes",
    "EventDriven": "saltus.schemes",
    "ExactModal": "saltus.schemes",
    "ExplicitEuler": "saltus.schemes",
    "ExplicitMidpoint": "saltus.schemes",
    "GeneralizedAlpha": "saltus.schemes",
    "HalfExplicit": "saltus.schemes",
    "Heun": "saltus.schemes",
    "MoreauJean": "saltus.schemes",
    "Newmark": "saltus.schemes",
    "NonsmoothGeneralizedAlpha": "saltus.schemes",
    "RungeKutta3": "saltus.schemes",
    "RungeKutta4": "saltus.schemes",
    "RungeKutta6": "saltus.schemes",
    "SchatzmanPaoli": "saltus.schemes",
    "Scheme": "saltus.schemes",
    "SymplecticEuler": "saltus.schemes",
    "Trapezoidal": "saltus.schemes",
    "VelocityVerlet": "saltus.schemes",
    "ZeroOrderHold": "saltus.schemes",
    "State": "saltus.state",
    "Section": "saltus.sections",
    "System": "saltus.system",
    "Table": "saltus.tables",
    "VectorTable": "saltus.tables",
    "read_table": "saltus.tables",
    "Study": "saltus.studies",
    "study": "saltus.studies",
    "degrees": "saltus.units",
    "magic_formula": "saltus.verbs.forces",
}
_MODULES = ("errors", "items", "queries", "sampling", "scenes", "schemes", "store", "numerics")

__all__ = ["__version__", *_HOMES, *_MODULES]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        value = getattr(importlib.import_module(_HOMES[name]), name)
    elif name == "__version__":
        value = importlib.import_module("saltus._core").version
    elif name in _MODULES:
        value = importlib.import_module(f"saltus.{name}")
    else:
        raise _MissingName(name)
    globals()[name] = value
    return value


class _MissingName(AttributeError):
    """Says where a name is, or what is near, once it is read: while modules are imported many names are asked for in vain."""

    __module__, __qualname__ = "builtins", "AttributeError"  # as a traceback names it

    def __str__(self) -> str:
        name = str(self.args[0])
        from saltus.geometry import near, or_else
        from saltus.model import Model

        capital = name[:1].upper() + name[1:]
        member = None if name[:1] == "_" else getattr(Model, name, None)
        if isinstance(member, property):
            hint = f"; it belongs to a model: m = sl.Model(), m.{name}"
        elif isinstance(vars(Model).get(name), classmethod):
            hint = f"; it makes a model: m = sl.Model.{name}(...)"
        elif member is not None:
            hint = f"; it is a verb of a model: m = sl.Model(), m.{name}(...)"
        else:
            hint = f'; did you mean "{capital}"?' if capital in __all__ else or_else(near(name, __all__))
        return f"saltus has no {name!r}{hint}"


def __dir__() -> list[str]:
    return sorted(__all__)
