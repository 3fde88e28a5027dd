"""XML with the line of each element: no document types, no entities, nothing is fetched. What is read of it: numbers, mistakes, what is left out."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from xml.parsers import expat

import numpy as np

from saltus import geometry as g
from saltus.errors import Fault, ModelError

DEEPEST = 200  # elements inside each other
FORMATS = {"robot": ("URDF", "a robot", "sl.read_urdf"), "mujoco": ("MJCF", "a model", "sl.read_mjcf"), "sdf": ("SDF", "a model", "sl.read_sdf")}  # by their first elements
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


@dataclass
class Element:
    """An element with the file and the line where it begins."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[Element] = field(default_factory=list)
    file: str = ""
    text: str = ""

    def all(self, *tags: str) -> Iterator[Element]:
        """Its children of some tags."""
        return (child for child in self.children if child.tag in tags)

    def first(self, tag: str) -> Element | None:
        """The first of a tag."""
        return next(self.all(tag), None)


def read_xml(file: Path) -> Element:
    """The root of a file; ModelError with line and column where it is no XML."""
    parser = expat.ParserCreate(namespace_separator=None)
    parser.buffer_text = True
    place = str(file)
    top = Element("", {}, 0)
    open_elements = [top]

    def fault(message: str, remedy: str = "") -> ModelError:
        return ModelError(Fault("", message, remedy, place, parser.CurrentLineNumber, parser.CurrentColumnNumber + 1))

    def doctype(*_: object) -> None:
        raise fault("has a document type (<!DOCTYPE ...>), and entities are not read", "leave it out")

    def begin(tag: str, attributes: dict[str, str]) -> None:
        if len(open_elements) > DEEPEST:
            raise fault(f"has more than {DEEPEST} elements inside each other")
        element = Element(tag, attributes, parser.CurrentLineNumber, file=place)
        open_elements[-1].children.append(element)
        open_elements.append(element)

    def end(_: str) -> None:
        open_elements.pop()

    def words(text: str) -> None:
        open_elements[-1].text += text

    parser.StartDoctypeDeclHandler, parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = doctype, begin, end, words
    try:
        parser.Parse(file.read_bytes(), True)
    except OSError as error:
        raise ModelError(Fault("", f"cannot be opened: {error.strerror}", "", place)) from None
    except expat.ExpatError as error:
        raise ModelError(Fault("", f"is no XML: {expat.errors.messages[error.code]}", "", place, error.lineno, error.offset + 1)) from None
    except (LookupError, ValueError) as error:  # of encodings
        raise ModelError(Fault("", f"cannot be read: {error}", "save it as UTF-8", place, 1)) from None
    return top.children[0]


def root_of(file: Path, tag: str) -> Element:
    """The root of a file in the format that begins with `tag`; ModelError where it begins with another."""
    root = read_xml(file)
    if root.tag != tag:
        name, kind, _ = FORMATS[tag]
        found, remedy = f"begins with <{root.tag}>", f"{name} begins with <{tag}>"
        if root.tag in FORMATS:
            other, its_kind, reader = FORMATS[root.tag]
            found, remedy = f"is {its_kind} in {other}", f"{reader} reads it"
        raise ModelError(Fault("", f"{found}, not {kind} in {name}", remedy, str(file), root.line))
    return root


class Reading:
    """Mistakes in a file and what is left out of it, collected with their lines; numbers of its elements."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        self.notes: list[Fault] = []
        self.kinds: dict[str, list[int]] = {}  # kind -> number of its first note, once for each

    def fault(self, at: Element, path: str, message: str, remedy: str = "") -> None:
        """A mistake at the line of an element."""
        self.faults.append(Fault(path, message, remedy, at.file, at.line))

    def note(self, at: Element, path: str, message: str, remedy: str = "", kind: str = "") -> None:
        """What is left out or changed, at the line of an element; of notes of one kind the first is shown, with the number of the others."""
        same = self.kinds.setdefault(kind, []) if kind else []
        if not same:
            self.notes.append(Fault(path, message, remedy, at.file, at.line, severity="warning"))
        same.append(len(self.notes) - 1)

    def warn(self) -> None:
        """Warns of what was left out."""
        more = {places[0]: len(places) - 1 for places in self.kinds.values()}
        for k, note in enumerate(self.notes):
            count = more.get(k, 0)
            message = f"{note.message}, and so {count} more" if count else note.message
            g.warn_at_caller(replace(note, message=message).text)

    def check(self) -> None:
        """ModelError with all mistakes so far, if there are any."""
        if self.faults:
            raise ModelError(self.faults)

    def numbers(self, element: Element | None, word: str, path: str, default: Sequence[float], least: int | None = None) -> np.ndarray:
        """Numbers of an attribute, as many as the default has; from `least` on the default has the others."""
        text = None if element is None else element.attributes.get(word)
        if element is None or text is None:
            return np.array(default, dtype=float)
        return self.parsed(element, text, f"{path}/{word}", default, least)

    def parsed(self, at: Element, text: str, path: str, default: Sequence[float], least: int | None = None) -> np.ndarray:
        """The same of a text."""
        words, count = text.split(), len(default)
        wrong = next((x for x in words if not NUMBER.fullmatch(x) or not math.isfinite(float(x))), None)
        if wrong is not None:
            self.fault(at, path, f"has {g.short(wrong)}, which is no finite number")
        elif not (count if least is None else least) <= len(words) <= count:
            self.fault(at, path, f"has {len(words)} numbers, expected {count if least is None else f'{least} to {count}'}")
        else:
            return np.array([float(x) for x in words] + list(default[len(words) :]), dtype=float)
        return np.array(default, dtype=float)

    def number(self, element: Element | None, word: str, path: str, default: float) -> float:
        """The number of an attribute."""
        return float(self.numbers(element, word, path, (default,))[0])


def turned(angles: Sequence[float], order: str) -> np.ndarray:
    """R (3, 3) of angles [rad] about axes in turn: x, y, z those that went along, X, Y, Z those that stay."""
    R = np.eye(3)
    for angle, word in zip(angles, order, strict=True):
        about = g.rotation_matrix(angle * np.eye(3)["xyz".index(word.lower())])
        R = R @ about if word.islower() else about @ R
    return R
