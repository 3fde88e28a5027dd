"""Saltus: dynamics in which smooth motion and jumps meet.

Names are loaded when they are first used, so that `import saltus` stays quick.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from saltus import numerics as numerics
    from saltus._core import version as __version__
    from saltus.errors import Fault as Fault
    from saltus.errors import ModelError as ModelError
    from saltus.store import Channel as Channel
    from saltus.store import ResultReader as ResultReader
    from saltus.store import ResultWriter as ResultWriter

# name -> module that holds it; the module itself where the names are equal
_HOMES = {
    "Fault": "saltus.errors",
    "ModelError": "saltus.errors",
    "Channel": "saltus.store",
    "ResultReader": "saltus.store",
    "ResultWriter": "saltus.store",
}
_MODULES = ("errors", "store", "numerics")

__all__ = ["__version__", *_HOMES, *_MODULES]


def __getattr__(name: str):
    if name in _HOMES:
        value = getattr(importlib.import_module(_HOMES[name]), name)
    elif name == "__version__":
        value = importlib.import_module("saltus._core").version
    elif name in _MODULES:
        value = importlib.import_module(f"saltus.{name}")
    else:
        raise AttributeError(f"module 'saltus' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__():
    return sorted(__all__)
