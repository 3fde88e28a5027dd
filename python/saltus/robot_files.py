"""Files of robots, in URDF, MJCF or SDF, for the commands and for `include`."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

from saltus import _core
from saltus.errors import Fault, ModelError
from saltus.xml_places import FORMATS, read_xml


class Reader(Protocol):
    """A file of some format, read."""

    def engine(self) -> _core.Model:
        """The model; ModelError with all mistakes of the file."""
        ...

    def looks(self) -> dict[str, dict[str, Any]]:
        """What bodies look like, by their names."""
        ...

    def unseen(self) -> None:
        """Notes what only `looks` knows."""

    def warn(self) -> None:
        """Warns of what was left out."""


def load_robot(file: Path) -> _core.Model:
    """The model of a file, its base fixed, for the commands."""
    reader = _reader(file)
    engine = reader.engine()
    reader.unseen()
    reader.warn()
    return engine


def _reader(file: Path) -> Reader:
    """By the ending; .xml by the first element."""
    format = file.suffix[1:].upper()
    if format == "XML":
        root = read_xml(file)
        if root.tag not in FORMATS:
            known = ", ".join(f"{name} with <{tag}>" for tag, (name, _, _) in FORMATS.items())
            raise ModelError(Fault("", f"begins with <{root.tag}>, and is no model", f"models begin: {known}", str(file), root.line))
        format = FORMATS[root.tag][0]
    if format == "URDF":
        from saltus.urdf import UrdfReader

        return UrdfReader(file, "fixed", None)
    if format == "MJCF":
        from saltus.mjcf import MjcfReader

        return MjcfReader(file)
    from saltus.sdf import SdfReader

    return SdfReader(file)
