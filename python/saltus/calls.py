"""Mistakes in the arguments of a call, reported as mistakes in the model: which argument, what it was, what the call takes."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, NoReturn, TypeVar

from saltus.errors import at_its_line
from saltus.geometry import near, refuse
from saltus.geometry import short as _short

Function = TypeVar("Function", bound=Callable)


def refuse_unknown(path: str, key: str, value: Any, known: list[str]) -> NoReturn:
    refuse(path, f'unknown keyword "{key}" = {value!r}', near(key, known) or f"it takes {', '.join(known)}")


def refuse_call(path: str, spelled: str, parameters: list[inspect.Parameter], error: TypeError, args: tuple[Any, ...], kwargs: dict[str, Any]) -> NoReturn:
    """parameters: those that a program gives, without `self`."""
    needed = [p.name if p.kind is not p.KEYWORD_ONLY else f"{p.name}=" for p in parameters if p.default is p.empty]
    instead = next((arg._no_end for arg in args if hasattr(type(arg), "_no_end")), "") if "'B'" in str(error) else ""
    others = [f"{p.name}=" for p in parameters if p.kind is p.KEYWORD_ONLY and p.default is not p.empty]
    refuse(
        path,
        f"{str(error).replace('required keyword-only argument', 'required argument')}, given {', '.join([*map(_short, args), *(f'{k}={_short(v)}' for k, v in kwargs.items())]) or 'nothing'}",
        f"{spelled} needs {', '.join(needed) or 'no argument'}" + (f"; {instead}" if instead else f"; by keyword {', '.join(others)}" if others else ""),
    )


def checked(path: str, spelled: str, bound: bool = True) -> Callable[[Function], Function]:
    """The function, whose wrong arguments are reported. spelled: how a program writes it; bound: its first argument is the class, the object, or the model."""

    def mark(function: Function) -> Function:
        signature = inspect.signature(function)
        parameters = list(signature.parameters.values())[bound:]
        known = [p.name for p in parameters]

        @at_its_line
        @wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            for key in kwargs:
                if key not in known:
                    refuse_unknown(path, key, kwargs[key], known)
            try:
                signature.bind(*args, **kwargs)
            except TypeError as error:
                refuse_call(path, spelled, parameters, error, args[bound:], kwargs)
            return function(*args, **kwargs)

        return call  # type: ignore[return-value]

    return mark
