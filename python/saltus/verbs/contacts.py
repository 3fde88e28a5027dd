"""Contacts of shapes: of a pair one relation a point; of groups one item whose points are found in each step."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from saltus import geometry as g
from saltus.handles import Body, Contact, GroupContact
from saltus.verbs._verb import verb
from saltus.verbs.bodies import shape_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from saltus.arguments import Number

_PAIRS = {("plane", "sphere"), ("plane", "point"), ("plane", "box"), ("sphere", "sphere")}  # points known beforehand
_SIZES = {"plane": (), "sphere": ("radius",), "capsule": ("radius", "length"), "cylinder": ("radius", "length"), "box": ("size",)}


class ContactVerbs:
    """Verb that lets bodies touch."""

    @verb("relations")
    def contact(
        self,
        A: Body | str | Sequence[Body | str],
        B: Body | str | Sequence[Body | str] | None = None,
        *,
        restitution: Number = 0.0,
        friction: Number = 0.0,
        name: str = "",
    ) -> Contact | GroupContact:
        """Contact of bodies, or of groups of bodies: each of A with each of B; one group alone: among themselves.

        A plane touches all other shapes; spheres and capsules touch each other; a sphere touches boxes and cylinders. A
        box touches a plane with its corners, a cylinder with its rims. A plane stands first. restitution: speed after
        over before an impact (Newton), 0 to 1. friction: Coulomb's coefficient. `force` is what acts on B, world axes.
        Contacts of groups, of capsules and of cylinders are found anew in each step.
        """
        name = self._free_name("contact", name)
        path = f"relations/{name}"
        law = {"type": "coulomb_impact" if friction else "newton_impact", "restitution": restitution}
        if friction:
            law["friction"] = friction
        first, second = self._group(A, f"{path}/A"), None if B is None else self._group(B, f"{path}/B")
        pair = frozenset((first[0].name, *(b.name for b in second or ())))
        if second is not None and len(first) * len(second) == 1:
            other = self._touching.get(pair, name)
            if other != name and other in self:  # else it was refused
                g.refuse(path, f"joins {first[0].name} and {second[0].name}, as '{other}' does: both would carry", "leave one of them out")
            self._touching[pair] = name
        if second is not None and {b.name for b in first} == {b.name for b in second}:
            second = None
        if second is not None and len(first) == len(second) == 1 and isinstance(A, Body) and isinstance(B, Body):
            kinds = (self._shape(A, f"{path}/A"), self._shape(B, f"{path}/B"))
            if kinds in _PAIRS:
                return self._pair_contact(name, A, B, kinds, law)
            if kinds[1] == "plane" and kinds[0] != "plane":
                g.refuse(path, f"joins {A.name} and the plane {B.name}", f"write the plane first: m.contact({B.name}, {A.name})")
        fields = {"A": [self._collider(body, f"{path}/A") for body in first], "law": law}
        if second is not None:
            fields["B"] = [self._collider(body, f"{path}/B") for body in second]
        return GroupContact(self, self._add("relations", "contact", name, fields))

    def _pair_contact(self, name: str, A: Body, B: Body, kinds: tuple[str, str], law) -> Contact:
        kind = kinds[0]
        rows = 3 if law["type"] == "coulomb_impact" else 1
        relation = f"{kind}_{'contact' if rows == 3 else 'gap'}"
        fields = {"A": self._frame(A, "A"), "law": law}
        if kind == "sphere":
            fields |= {"radius_A": A._shape["radius"], "radius_B": B._shape["radius"]}
        ends = [self._frame(B, "B")]
        if kinds[1] == "box":
            half = [0.5 * edge for edge in B._shape["size"]]
            ends = [
                {"body": B.name, "local": [s * x for s, x in zip(signs, half)]}
                for signs in itertools.product((-1, 1), repeat=3)
            ]
        elif kind == "plane":
            fields["radius"] = B._shape.get("radius", 0.0)
        names = [name] if len(ends) == 1 else [self._free_name("", f"{name}_{i}") for i in range(1, len(ends) + 1)]
        for part, end in zip(names, ends, strict=True):
            self._add("relations", relation, part, {**fields, "B": end})
            if part != name:
                self._part_of[part] = (name, "")
        return Contact(self, name, tuple(names), rows=rows)

    def _group(self, ends, path: str) -> list[Body]:
        group = [ends] if isinstance(ends, (Body, str)) else list(ends) if isinstance(ends, (list, tuple)) else [ends]
        group = [self._handle(end) for end in group]
        if not group:
            g.refuse(path, "is an empty group")
        for body in group:
            self._shape(body, path)
        return list(dict.fromkeys(group))

    def _shape(self, end, path: str) -> str:
        if not isinstance(end, Body):
            g.refuse(path, f"is {end!r}, expected a body with a shape or a plane", "give what m.sphere, m.box, m.plane, ... returned")
        self._own(end, path)
        return end._shape.get("type", "body without shape")

    def _collider(self, body: Body, path: str) -> str:
        """Name of the shape of a body, which enters the model with its first contact."""
        name, kind = shape_name(body.name), body._shape.get("type", "")
        if (kind in _SIZES or kind == "point") and self._taken(name):
            return name
        if kind == "point":
            shape = {"type": "sphere", "radius": 0.0}
        elif kind in _SIZES:
            shape = {"type": kind, **{key: body._shape[key] for key in _SIZES[kind]}}
        else:
            what = f"a {kind}" if kind else "a body without shape"
            g.refuse(path, f"is {body.name}, {what}, for which there is no contact", f"use a {', '.join(_SIZES)}")
        place = self._frame(body, path)
        return self._add("markers", shape.pop("type"), name, {"body": place, **shape})
