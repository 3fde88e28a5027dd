"""What the package raises for mistakes of its users: all faults of a check at once, each with place and remedy."""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import wraps
from pathlib import Path
from typing import Any, Literal, TypeVar

FULL = "SALTUS_FULL_TRACEBACKS"  # set: tracebacks of mistakes show the package's own lines, too
Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class Fault:
    """One mistake: `path` of the item (`connectors/strut/stiffness`), what is wrong, what to do.

    `line` and `column` count from 1; 0 where unknown, as `file` is "" where the mistake stands in no file.
    """

    path: str
    message: str
    remedy: str = ""
    file: str = ""
    line: int = 0
    column: int = 0
    severity: Literal["error", "warning"] = "error"

    @property
    def text(self) -> str:
        """The fault in one line with what is known of its place, the path of the item, the message and the remedy."""
        place = self.file
        if self.file and self.line > 0:
            place += f":{self.line}" + (f":{self.column}" if self.column > 0 else "")
        out = f"{place} " if place else ""
        out += f"{self.path}: " if self.path else ""
        out += self.message
        return out + (f"; {self.remedy}" if self.remedy else "")

    def __str__(self) -> str:
        return self.text

    def as_dict(self) -> dict[str, str | int]:
        """Plain dictionary with one entry a field, for JSON."""
        return asdict(self)


FEW_ITEMS = 3  # of which each is shown that has the same fault as the others
_TIME = re.compile(r"\bt = ([-+]?\d[\d.]*(?:e[-+]?\d+)?) s\b")
_NUMBER = re.compile(r"(?<![\w.])[-+]?\d[\d.]*(?:e[-+]?\d+)?")


def grouped(faults: Iterable[Fault]) -> list[Fault]:
    """The faults as they are shown: of those that say the same of one item, or of many, but for numbers, the first, with how many, of what and when."""
    alike: dict[tuple[str, ...], list[Fault]] = {}
    for fault in faults:
        alike.setdefault((fault.severity, fault.path.partition("/")[0], _NUMBER.sub("0", fault.message), fault.remedy), []).append(fault)
    out = []
    for group in alike.values():
        items = list(dict.fromkeys(fault.path.partition("/")[2] for fault in group))
        parts = [group] if len(items) == 1 or len(items) > FEW_ITEMS else [[fault for fault in group if fault.path.partition("/")[2] == item] for item in items]
        out += [_counted(part) for part in parts]
    return out


def _counted(group: list[Fault]) -> Fault:
    """The first of faults that are alike, and what the others are."""
    if len(group) == 1:
        return group[0]
    items = list(dict.fromkeys(fault.path.partition("/")[2] for fault in group))
    times = sorted((float(found[1]), found[1]) for fault in group if (found := _TIME.search(fault.message)))
    names = "" if len(items) == 1 else f" of {', '.join(items[:FEW_ITEMS])}" + (f" and {len(items) - FEW_ITEMS} more" if len(items) > FEW_ITEMS else "")
    when = f", from t = {times[0][1]} s to t = {times[-1][1]} s" if len(times) > 1 else ""
    return replace(group[0], remedy="; ".join(filter(None, (group[0].remedy, f"{len(group)} warnings alike{names}{when}"))))


class Warnings(list[Fault]):
    """The warnings of a run, each of them; printed, those that are alike are one line."""

    def __str__(self) -> str:
        return "\n".join(fault.text for fault in grouped(self)) or "no warnings"


class ModelError(Exception):
    """A mistake in a model, file, option or mesh. `faults` holds all of them, warnings included."""

    exit_code = 2
    at_its_line = True

    def __init__(self, faults: Fault | Iterable[Fault]):
        self.faults: list[Fault] = [faults] if isinstance(faults, Fault) else list(faults)
        super().__init__("\n".join(("warning: " if f.severity == "warning" else "") + f.text for f in self.faults))

    def __reduce__(self):  # pickled with its faults, so that it crosses from worker processes
        return (type(self), (self.faults,))


def at_its_line(function: Function) -> Function:
    """The function, whose errors come up at the line of the program that calls it: how the package came to them is left out."""

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True  # of pytest, and of IPython where others follow
        try:
            return function(*args, **kwargs)
        except Exception as error:
            if not getattr(error, "at_its_line", False) or os.environ.get(FULL):
                raise
            raise error.with_traceback(None) from None

    call.has_its_line = True  # type: ignore[attr-defined]
    return call  # type: ignore[return-value]


def message_of(error: Exception) -> str:
    """What an error says, without its place: of a ModelError its first message."""
    return error.faults[0].message if isinstance(error, ModelError) and error.faults else str(error)


def includes_itself(path: str, chain: Sequence[Path], target: Path, file: str, line: int = 0) -> ModelError:
    """The mistake of a file that includes itself, perhaps through others: `chain` led to it."""
    way = " -> ".join(part.name for part in (*chain, target))
    return ModelError(Fault(path, f"includes itself: {way}", "leave one of them out", file, line))


def unwritten(path: str | os.PathLike[str], error: Exception, at: str = "") -> Fault:
    """The mistake of a file that could not be written."""
    file = Path(path)
    if not file.absolute().parent.is_dir():
        return Fault(at, f"the folder {file.parent} is not there", "make it first", os.fspath(path))
    return Fault(at, f"cannot be written: {getattr(error, 'strerror', None) or error}", "", os.fspath(path))


SPECIAL = ("__init__", "__getitem__", "__setitem__", "__delitem__", "__setattr__", "__call__")


def methods_at_their_lines(*kinds: type) -> None:
    """The same for what programs call of classes: methods with public names, properties, indices, assignments."""
    for kind in kinds:
        for name, value in list(vars(kind).items()):
            if name.startswith("_") and name not in SPECIAL:
                continue
            if inspect.isfunction(value) and not hasattr(value, "has_its_line"):
                setattr(kind, name, at_its_line(value))
            elif isinstance(value, (classmethod, staticmethod)) and not hasattr(value.__func__, "has_its_line"):
                setattr(kind, name, type(value)(at_its_line(value.__func__)))
            elif type(value) is property:
                parts = [part and at_its_line(part) for part in (value.fget, value.fset, value.fdel)]
                setattr(kind, name, property(*parts, doc=value.__doc__))


class NoPicture(ModelError):
    """A browser that was asked for a picture drew none: no mistake of the user, and no result."""

    exit_code = 3


class MissingExtra(ModelError):
    """A call lacks packages that an extra brings."""


class ModelWarning(UserWarning):
    """Something in a model or a run that is allowed but probably not meant."""


def missing_extra(what: str, extra: str) -> ModelError:
    """The error for a call that needs packages of an extra that is not installed."""
    return MissingExtra(Fault("", f"{what} needs the extra `{extra}`", f"pip install 'saltus[{extra}]'"))
