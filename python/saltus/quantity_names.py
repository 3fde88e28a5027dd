"""Quantities by the names under which tables, plots and handles show them: `coil.current`, `hinge.drive`, `wire.centerline`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from saltus.errors import Fault, ModelError
from saltus.geometry import near
from saltus.handles import Contact, GroupContact
from saltus.quantity import PLAIN, Line, Quantity
from saltus.settings import QUANTITIES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from saltus.handles import Handle
    from saltus.model import Model
    from saltus.result import Result

OF_POINTS = ("gap", "force", "normal_force", "slip", "state", "impulse")


def split(model: Model, text: str) -> tuple[Handle, list[str]] | None:
    """(item, words behind its name) of a text such as `rod.position.x`; None where it begins with no item. A name may hold a dot itself."""
    from saltus import reading

    words = text.strip().split(".")
    for many in (2, 1) if len(words) > 2 else (1,):
        name = ".".join(words[:many])
        if name == "ground" or name in model or model._points_of(name) or reading.elements_of(model, name):
            return model[name], words[many:]
    return None


def quantity_named(model: Model | None, text: str) -> Quantity | Line | None:
    """What the handle of an item reads under this name; None where it reads nothing, which the engine may."""
    found = split(model, text) if model is not None else None
    if found is None or not 1 <= len(found[1]) <= 2:
        return None
    quantity = _read(found[0], found[1][0])
    if len(found[1]) == 1 or quantity is None:
        return quantity
    return quantity._part(found[1][1]) if isinstance(quantity, Quantity) and not quantity.component else None


def formula_named(model: Model, text: str) -> str:
    """A formula as plots and tables name it, with the sign that a model file has before it; other texts as they are."""
    found = split(model, text)
    plain = PLAIN.fullmatch(text) or (found is not None and all(word.isalnum() for word in "".join(found[1]).split("_")))
    if text.lstrip().startswith("=") or plain or not re.search(r"[-+*/^(]", text):
        return text
    return f"= {text}"


def _read(handle: Handle, word: str) -> Quantity | Line | None:
    """The attribute of this name, where it is a quantity or a line."""
    if word.startswith("_") or not isinstance(getattr(type(handle), word, None), property):
        return None
    try:
        value = getattr(handle, word)
    except (AttributeError, ModelError):
        return None
    return value if isinstance(value, (Quantity, Line)) else None


def path_text(model: Model, value: Quantity | str) -> str:
    """A quantity as outputs of a model file hold it; of a text that is none for the engine what the handle reads."""
    if isinstance(value, str):
        found = split(model, value)
        known = None if found is None or not found[1] or found[1][0] in QUANTITIES else quantity_named(model, value)
        if not isinstance(known, Quantity):
            return value
        value = known
    single = len(value.paths) == 1  # not the sum of several items
    return value.paths[0] + (f".{value.component}" if value.component else "") if single else f"= {value._text()}"


def words_of_contact(item: Handle) -> Sequence[str]:
    """Words of the quantities that tables show of a contact, in front of which the name of its point stands; empty of what is none."""
    if isinstance(item, GroupContact):
        return ("impulse",)
    return OF_POINTS if isinstance(item, Contact) and len(item.points) == 1 else ()


def words_of(result: Result, handle: Handle) -> list[str]:
    """Words of all that a result reads of an item: what the engine offers, what its handle has, what tables show."""
    own = [word for word in dir(type(handle)) if _has(result, _read(handle, word))]
    return list(dict.fromkeys([*result._system.quantities(handle.name), *own, *words_of_contact(handle)]))


def _has(result: Result, quantity: Quantity | Line | None) -> bool:
    """Whether the engine has all of which a quantity consists."""
    terms = quantity.terms if isinstance(quantity, Quantity) else () if quantity is None else quantity.places[0].terms
    return bool(terms) and all(word in result._system.quantities(handle.name) for handle, word in terms)


def names(result: Result) -> Iterator[str]:
    """Names of all quantities that a result reads."""
    model = result._model
    yield from result._named_outputs()
    yield from ("energy.kinetic", "energy.potential", "energy.total")
    if model is None:
        return
    for name in dict.fromkeys(word for item in model for word in (model._part_of.get(item, ("", ""))[0], item) if word):
        if (found := split(model, name)) is not None:
            yield from (f"{name}.{word}" for word in words_of(result, found[0]))


def refusal(result: Result, text: str, error: ModelError) -> ModelError:
    """The error for a name that nothing has: what of the item there is."""
    found = split(result._model, text) if result._model is not None and not text.lstrip().startswith("=") else None
    if found is None or not found[1]:
        return error
    handle, (word, *_) = found
    known = words_of(result, handle)
    if word in known:  # its component is not there
        return error
    if isinstance(getattr(type(handle), word, None), property):
        try:
            getattr(handle, word)
        except AttributeError as reason:
            return ModelError(Fault(f"outputs/{text}", str(reason)))
    message, remedy = f"{handle.name!r} has no quantity {word!r}", near(word, known)
    listed = f"it has {', '.join(known)}"
    return ModelError(Fault(f"outputs/{text}", message, f"{remedy} {listed[0].upper()}{listed[1:]}" if remedy else listed))
