"""Models of robots: `sl.read_urdf(...)`, `sl.read_mjcf(...)`, `sl.read_sdf(...)`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from saltus.errors import at_its_line
from saltus.model import Model
from saltus.robot_files import Reader


def _model(reader: Reader) -> Model:
    """The model with what its bodies look like."""
    model = Model._of(reader.engine())
    for name, look in reader.looks().items():
        model[name]._look = look
    reader.warn()
    return model


@at_its_line
def read_urdf(path: str | os.PathLike[str], *, base: str = "fixed", packages: Mapping[str, str | os.PathLike[str]] | None = None) -> Model:
    """The model of a robot in a URDF file: `m["elbow"]` is the node with the coordinate of the joint, `m["forearm"]` the link.

    A kinematic tree in the coordinates of its joints, with stops at their limits, damping, dry friction, mimicked joints as couplings, and shapes of <collision> for contact, named
    `forearm_collision`. base: "fixed", the first link stands on the ground, or "free", it is a body of its own. packages: folders by the names in package://NAME/...; else NAME is a
    folder above the file. Meshes are drawn: STL and OBJ, others with trimesh. What is not taken is a ModelWarning with its line; mistakes are a ModelError with all of them.
    """
    from saltus.urdf import UrdfReader

    return _model(UrdfReader(Path(path), base, packages))


@at_its_line
def read_mjcf(path: str | os.PathLike[str], *, keyframe: str | int | None = None, contacts: bool = True) -> Model:
    """The model of a file in MJCF, the format of MuJoCo: `m["forearm"]` is a body, `m["elbow"]` the node with the coordinate of a joint.

    Bodies stand on the joints of kinematic trees; free bodies and those on ball joints are bodies of their own. Geoms touch as their masks say, with Coulomb's friction and without MuJoCo's softness;
    contacts=False leaves them to the program, `m["geom"]` is a shape. The control of the actuator `push` is the parameter `push_ctrl`: `state["push_ctrl"] = 1.0` before a step. Tendons, equalities, sensors
    (as outputs) are read. keyframe: the start, by name or number; else joints stand as the file has the bodies. What is not taken is a ModelWarning with its line; what would make the motion another one is a ModelError.
    """
    from saltus.mjcf import MjcfReader

    return _model(MjcfReader(Path(path), keyframe, contacts))


@at_its_line
def read_sdf(path: str | os.PathLike[str], *, packages: Mapping[str, str | os.PathLike[str]] | None = None) -> Model:
    """The model of a file in SDFormat, the format of Gazebo: `m["forearm"]` is a link, `m["elbow"]` the node with the coordinate of a joint, `m["forearm_collision"]` a shape for contact.

    Models inside models have their name before those of their items, `hand_finger`. Links that no joint carries are free, those of static models stand still. packages: folders by the names in model://NAME/...;
    else NAME is a folder beside or above the file. Shapes touch nothing until a contact names them. What is not taken is a ModelWarning with its line; mistakes are a ModelError with all of them.
    """
    from saltus.sdf import SdfReader
    from saltus.urdf import folders

    return _model(SdfReader(Path(path), folders(packages, "read_sdf")))
