"""Models of robots: `sl.read_urdf(...)`, and their files for the commands."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from saltus import _core
from saltus.errors import at_its_line
from saltus.model import Model
from saltus.urdf import UrdfReader

ENDINGS = (".urdf",)


def load_robot(file: Path) -> _core.Model:
    """The model of a file with its base fixed, for the commands."""
    reader = UrdfReader(file, "fixed", None)
    engine = reader.engine()
    reader.unseen()
    reader.tell()
    return engine


def _model(reader: UrdfReader) -> Model:
    """The model with what its bodies look like."""
    model = Model._of(reader.engine())
    for name, look in reader.looks().items():
        model[name]._look = look
    reader.tell()
    return model


@at_its_line
def read_urdf(path: str | os.PathLike[str], *, base: str = "fixed", packages: Mapping[str, str | os.PathLike[str]] | None = None) -> Model:
    """The model of a robot in a URDF file: `m["elbow"]` is the node with the coordinate of the joint, `m["forearm"]` the link.

    A kinematic tree in the coordinates of its joints, with stops at their limits, damping, dry friction, mimicked joints as couplings, and shapes of <collision> for contact, named
    `forearm_collision`. base: "fixed", the first link stands on the ground, or "free", it is a body of its own. packages: folders by the names in package://NAME/...; else NAME is a
    folder above the file. Meshes are drawn: STL and OBJ, others with trimesh. What is not taken is a ModelWarning with its line; mistakes are a ModelError with all of them.
    """
    return _model(UrdfReader(Path(path), base, packages))


@at_its_line
def read_mjcf(path: str | os.PathLike[str], *, keyframe: str | int | None = None, contacts: bool = True) -> Model:
    """x"""
    from saltus.mjcf import MjcfReader

    return _model(MjcfReader(Path(path), keyframe, contacts))
