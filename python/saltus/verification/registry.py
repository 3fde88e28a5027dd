"""Which cases there are, which wait for something, and how one runs."""

from __future__ import annotations

import importlib
import json
import pkgutil
import time as clock
import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from saltus.verification.case import Case, Row

FOLDER = Path(__file__).parent
GROUPS = ("truth", "independent", "exudyn", "siconos", "ngspice", "invariants")


@cache
def _numbers(group: str) -> dict:
    file = FOLDER / f"{group}.json"
    return json.loads(file.read_text()) if file.exists() else {}  # invariants and independent cases need no numbers


def _modules(group: str) -> list[str]:
    return sorted(m.name for m in pkgutil.iter_modules([str(FOLDER / group)]) if not m.name.startswith("_"))


def names(quick: bool = False) -> list[str]:
    """Names of the cases that have a module, `group/name`; quick: without those that a module marks as long."""
    found = [f"{group}/{name}" for group in GROUPS for name in _modules(group)]
    return [name for name in found if not (quick and getattr(_module(name), "LONG", False))]


def waiting() -> dict[str, str]:
    """Cases that cannot run, and what they lack: no item yet, or a module whose `NEEDS` are not in this build."""
    out = dict(json.loads((FOLDER / "waiting.json").read_text()))
    for name in names():
        lack = [need for need in getattr(_module(name), "NEEDS", ()) if not _has(need)]
        if lack:
            out[name] = "prepared, waits for " + ", ".join(lack)
    return dict(sorted(out.items(), key=lambda entry: (GROUPS.index(entry[0].split("/")[0]), entry[0])))


def _has(need: str) -> bool:
    """`Model.modes` or `items.JointFriction`: whether this build has it."""
    from saltus import Model, items

    owner, _, name = need.partition(".")
    return hasattr({"Model": Model, "items": items}[owner], name)


def title(name: str) -> str:
    """What the case is."""
    group, _, word = name.partition("/")
    record = _numbers(group).get(word)
    return record["title"] if record else (_module(name).__doc__ or "").partition("\n")[0]


def about(name: str) -> str:
    """The docstring of a case's module."""
    return (_module(name).__doc__ or "").strip()


def _module(name: str):
    group, _, word = name.partition("/")
    return importlib.import_module(f"saltus.verification.{group}.{word}")


def find(name: str) -> list[str]:
    """The cases that a user means: `group/name`, `name` or the name of a group."""
    return [known for known in (*names(), *waiting()) if name in (known, known.split("/")[0], known.split("/")[1])]


def run(name: str, quick: bool = False, heavy: bool = False) -> Iterator[tuple[Row, float]]:
    """Rows of a case, each with the CPU time [s] that it took. A run that fails is a row that is not ok."""
    from saltus.errors import MissingExtra, ModelError
    from saltus.result import RunError

    group, _, word = name.partition("/")
    case = Case(name, _numbers(group).get(word, {"title": title(name)}), quick, heavy)
    rows = _module(name).verify(case)
    while True:
        start = clock.process_time()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # coarse steps of convergence studies
                row = next(rows)
        except StopIteration:
            return
        except MissingExtra:
            raise
        except (ModelError, RunError) as error:
            nan = float("nan")
            yield (
                Row(name, "run", nan, nan, nan, 0.0, False, how=case.how, note=str(error)),
                clock.process_time() - start,
            )
            return
        yield row, clock.process_time() - start
