"""What each verb has in common: names for its item, mistakes in its keywords reported as mistakes in the model."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from saltus.calls import refuse_call, refuse_unknown
from saltus.errors import at_its_line
from saltus.geometry import refuse
from saltus.statements import state

Function = TypeVar("Function", bound=Callable)


def verb(section: str, said: str = "", path: str = "") -> Callable[[Function], Function]:
    """Marks a method of Model that adds items of a section. A wrong keyword is a ModelError with the nearest one.

    said: how a program writes it, if it is no method that adds items; path: of its faults.
    """

    def mark(function: Function) -> Function:
        signature = inspect.signature(function)
        known = [p for p in signature.parameters if p != "self"]
        takes = any(p.kind is p.VAR_KEYWORD for p in signature.parameters.values())
        spelled = said if said == "Model" else f"m.{said or function.__name__}"
        place = (lambda model, kwargs: path or said) if said else (lambda model, kwargs: _path(model, section, function.__name__, kwargs))

        @at_its_line
        @wraps(function)
        def call(*args, **kwargs):
            if not args or not hasattr(type(args[0]), "simulate"):
                refuse("Model", f"is the class, and {function.__name__} is of a model", "write m = sl.Model(), with parentheses")
            self, *args = args
            for key in kwargs:
                if key not in known and not takes:
                    refuse_unknown(place(self, kwargs), key, kwargs[key], known)
            try:
                bound = signature.bind(self, *args, **kwargs)
            except TypeError as error:
                refuse_call(place(self, kwargs), spelled, list(signature.parameters.values())[1:], error, args, kwargs)
            if section and self._draft is None:
                return state(self, function, section, dict(list(bound.arguments.items())[1:]))
            return function(self, *args, **kwargs)

        call.is_verb = bool(section)  # type: ignore[attr-defined]
        return call  # type: ignore[return-value]

    return mark


def _path(model, section: str, word: str, kwargs) -> str:
    name = kwargs.get("name")
    return f"{section}/{name if isinstance(name, str) and name else model._free_name(word)}"


def given(**fields):
    """The fields that are not None."""
    return {name: value for name, value in fields.items() if value is not None}
