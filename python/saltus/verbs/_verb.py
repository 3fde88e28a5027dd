"""What each verb has in common: names for its item, mistakes in its keywords told as mistakes in the model."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from saltus.geometry import near, refuse

Function = TypeVar("Function", bound=Callable)


def verb(section: str) -> Callable[[Function], Function]:
    """Marks a method of Model that adds items of a section. A wrong keyword is a ModelError with the nearest one."""

    def mark(function: Function) -> Function:
        signature = inspect.signature(function)
        known = [p for p in signature.parameters if p != "self"]

        @wraps(function)
        def call(self, *args, **kwargs):
            for key in kwargs:
                if key not in known:
                    refuse(
                        _path(self, section, function.__name__, kwargs),
                        f'unknown keyword "{key}" = {kwargs[key]!r}',
                        near(key, known) or f"it takes {', '.join(known)}",
                    )
            try:
                signature.bind(self, *args, **kwargs)
            except TypeError as error:
                needed = [p.name for p in list(signature.parameters.values())[1:] if p.default is p.empty]
                refuse(
                    _path(self, section, function.__name__, kwargs),
                    str(error),
                    f"m.{function.__name__} needs {', '.join(needed) or 'no argument'}; all others by keyword",
                )
            return function(self, *args, **kwargs)

        call.is_verb = True  # type: ignore[attr-defined]
        return call  # type: ignore[return-value]

    return mark


def _path(model, section: str, word: str, kwargs) -> str:
    name = kwargs.get("name")
    return f"{section}/{name if isinstance(name, str) and name else model._free_name(word)}"


def given(**fields):
    """The fields that are not None."""
    return {name: value for name, value in fields.items() if value is not None}
