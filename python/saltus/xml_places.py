"""XML with the line of each element: no document types, no entities, nothing is fetched."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

from saltus.errors import Fault, ModelError

DEEPEST = 200  # elements inside each other


@dataclass
class Element:
    """An element with the line where it begins."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[Element] = field(default_factory=list)

    def all(self, tag: str) -> Iterator[Element]:
        """Its children of a tag."""
        return (child for child in self.children if child.tag == tag)

    def first(self, tag: str) -> Element | None:
        """The first of them."""
        return next(self.all(tag), None)


def read_xml(file: Path) -> Element:
    """The root of a file; ModelError with line and column where it is no XML."""
    parser = expat.ParserCreate(namespace_separator=None)
    top = Element("", {}, 0)
    open_elements = [top]

    def fault(message: str, remedy: str = "") -> ModelError:
        return ModelError(Fault("", message, remedy, str(file), parser.CurrentLineNumber, parser.CurrentColumnNumber + 1))

    def doctype(*_: object) -> None:
        raise fault("has a document type (<!DOCTYPE ...>), and entities are not read", "leave it out")

    def begin(tag: str, attributes: dict[str, str]) -> None:
        if len(open_elements) > DEEPEST:
            raise fault(f"has more than {DEEPEST} elements inside each other")
        element = Element(tag, attributes, parser.CurrentLineNumber)
        open_elements[-1].children.append(element)
        open_elements.append(element)

    def end(_: str) -> None:
        open_elements.pop()

    parser.StartDoctypeDeclHandler, parser.StartElementHandler, parser.EndElementHandler = doctype, begin, end
    try:
        parser.Parse(file.read_bytes(), True)
    except OSError as error:
        raise ModelError(Fault("", f"cannot be opened: {error.strerror}", "", str(file))) from None
    except expat.ExpatError as error:
        raise ModelError(Fault("", f"is no XML: {expat.errors.messages[error.code]}", "", str(file), error.lineno, error.offset + 1)) from None
    except (LookupError, ValueError) as error:  # of encodings
        raise ModelError(Fault("", f"cannot be read: {error}", "save it as UTF-8", str(file), 1)) from None
    return top.children[0]
