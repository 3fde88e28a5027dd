"""What verbs return: items by name, with their quantities as attributes."""

from __future__ import annotations

from saltus.errors import methods_at_their_lines
from saltus.handles.base import LONGEST, Group, Handle, Item, Massive, Moving, Pair, QuantityOf, Relative, StartOf, _named, _word, angles_of, shown_by_their_names
from saltus.handles.bodies import Beam, BeamElement, BeamNode, BeamPoint, Body, Carrier, Coordinates, Frame, Ground, Link, Node, Plane, Rod, Shape, Tree
from saltus.handles.circuits import Element, Motor, Terminal, ThreePhaseMotor, Winding, Windings
from saltus.handles.contacts import Contact, ContactPoint, GroupContact, PenaltyContact, Presence, Sleep
from saltus.handles.joints import Connector, Cylinder, Joint, Load, Rail, Rope, Sheave, Wheel

__all__ = [
    "Beam", "BeamElement", "BeamNode", "BeamPoint", "Body", "Carrier", "Connector", "Contact", "ContactPoint",
    "Coordinates", "Cylinder", "Element", "Frame", "Ground", "Group", "GroupContact", "Handle", "Item", "Joint",
    "LONGEST", "Link", "Load", "Massive", "Motor", "Moving", "Node", "Pair", "PenaltyContact", "Plane", "Presence", "QuantityOf",
    "Rail", "Relative", "Rod", "Rope", "Shape", "Sheave", "Sleep", "StartOf", "Terminal", "ThreePhaseMotor", "Tree", "Wheel",
    "Winding", "Windings", "_named", "_word", "angles_of",
]  # fmt: skip

_kinds = [kind for kind in list(vars().values()) if isinstance(kind, type) and issubclass(kind, Handle)]
shown_by_their_names(*_kinds)
methods_at_their_lines(*_kinds)
