"""Time integrators with options of their own, for `simulate(scheme=...)`.

Each scheme of the engine is a class here, made from the engine's own table when it is first used: `saltus.schemes.MoreauJean`.
`schemes.pyi` holds their signatures for editors and type checkers (`python -m saltus.items_stub` writes it).
"""

from __future__ import annotations

import inspect
from functools import lru_cache
from typing import Any

from saltus.errors import at_its_line, methods_at_their_lines
from saltus.geometry import near, or_else
from saltus.items import field_text
from saltus.statements import refuse_keyword


class Scheme:
    """A scheme by name with its options: `sl.Scheme("generalized_alpha", spectral_radius=0.9)`.

    The engine checks name and options when the run begins; `saltus._core.schemes()` lists the names. `GeneralizedAlpha`,
    `MoreauJean` and the others are the same with typed options.
    """

    name: str
    options: dict[str, Any]

    def __init__(self, name: str, **options: Any):
        self.__dict__.update(name=name, options=options)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self.options:
            raise AttributeError(f"scheme {self.__dict__.get('name', '')} has no {name!r}" + or_else(near(name, list(self.__dict__.get("options", ())))))
        return self.options[name]

    def __setattr__(self, name: str, value: Any) -> None:
        known = list(self.options) if type(self) is not Scheme else []
        if name in ("name", "options") or (known and name not in known):
            refuse_keyword("simulation/scheme", name, value, known, f"{name} stays as it is: make another scheme" if name in ("name", "options") else "")
        self.options[name] = value  # of a scheme by name the engine checks them

    def __repr__(self) -> str:
        return f"Scheme({', '.join([repr(self.name), *(f'{k}={v!r}' for k, v in self.options.items())])})"


@lru_cache(maxsize=1)
def table() -> dict[str, dict[str, Any]]:
    """The engine's table of schemes by class name."""
    from saltus import _core

    return {"".join(word.capitalize() for word in entry["name"].split("_")): entry for entry in _core.scheme_types()}


def docstring(entry: dict[str, Any]) -> str:
    """What it is, and its options."""
    return "\n".join([entry["doc"], "", *(field_text(field) for field in entry["fields"])])


@lru_cache(maxsize=None)
def _class(name: str) -> type[Scheme]:
    entry = table()[name]
    defaults = {field["name"]: field["default"] for field in entry["fields"]}

    @at_its_line
    def __init__(self: Scheme, **options: Any) -> None:
        for key, value in options.items():
            if key not in defaults:
                refuse_keyword("simulation/scheme", key, value, list(defaults))
        Scheme.__init__(self, entry["name"], **{**defaults, **options})

    made = type(name, (Scheme,), {"__doc__": docstring(entry), "__init__": __init__, "__module__": __name__})
    keywords = [inspect.Parameter(key, inspect.Parameter.KEYWORD_ONLY, default=value) for key, value in defaults.items()]
    made.__signature__ = inspect.Signature(keywords)  # type: ignore[attr-defined]
    return made


def __getattr__(name: str) -> type[Scheme]:
    if name.startswith("_") or name not in table():
        raise AttributeError(f"module 'saltus.schemes' has no {name!r}" + or_else("" if name.startswith("_") else near(name, list(table()))))
    return _class(name)


def __dir__() -> list[str]:
    return [*globals(), *table()]


methods_at_their_lines(Scheme)
