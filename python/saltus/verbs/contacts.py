"""Contacts of shapes: of a pair one relation a point; of groups one item whose points are found in each step."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any, Literal

from saltus import geometry as g
from saltus import handles
from saltus import planar as flat
from saltus.contact_layers import body_of, layers_of
from saltus.handles import Body, Contact, GroupContact, PenaltyContact
from saltus.items import table
from saltus.verbs._verb import verb
from saltus.verbs.bodies import SIZES, shape_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from saltus.arguments import Number
    from saltus.items import Item

ROUND = ("sphere", "capsule", "cylinder")  # shapes that roll on their radius
_PAIRS = {("plane", "sphere"), ("plane", "point"), ("plane", "box"), ("sphere", "sphere")}  # points known beforehand
_ROWS = {1: "gap", 3: "contact", 6: "rolling_contact"}  # of a law, and the relation of two shapes that has as many
_FLAT_ROWS = {1: "gap", 2: "contact_2d", 3: "rolling_contact_2d"}  # of a planar model
_PAIR_RELATIONS = {f"{kinds[0]}_{rows}" for kinds in _PAIRS for rows in (*_ROWS.values(), *_FLAT_ROWS.values())}


def _laws() -> dict[str, dict[str, Any]]:
    """Laws of the engine, by type."""
    return {entry["name"]: entry for entry in table().values() if entry["family"] == "laws"}


def _standard_law(given: dict[str, Any]) -> dict[str, Any]:
    """The law with Newton's impact that has just the fields that are not zero."""
    turning, sliding = ("rolling", "spinning"), ("friction",)
    kind = "rolling_impact" if any(given[word] for word in turning) else "coulomb_impact" if given["friction"] else "newton_impact"
    words = {"rolling_impact": turning + sliding, "coulomb_impact": sliding, "newton_impact": ()}[kind]
    return {"type": kind, "restitution": given["restitution"], **{word: given[word] for word in words if given[word]}}


def warn_of_rolling(law: dict[str, Any], radii: Mapping[str, Any], path: str) -> None:
    """Warns of a resistance to rolling [m] beyond the radius of a round body by its name: its coefficient was meant."""
    rolling = law.get("rolling")
    if not isinstance(rolling, (int, float)):
        return
    small = {name: radius for name, radius in radii.items() if isinstance(radius, (int, float)) and 0.0 < radius < rolling}
    if small:
        name = min(small, key=lambda name: small[name])
        slope = math.degrees(math.atan2(rolling, small[name]))
        g.warn(f"{path}/rolling", f"is {rolling:g} m, beyond the radius of {name}, {small[name]:g} m: it rolls on slopes above {slope:.0f} degrees only", f"it is a length, a coefficient times the radius: for a coefficient of {rolling:g} write {rolling * small[name]:g}")


class _SharedLaw(dict[str, Any]):
    """The fields of a law of the model: a contact holds its name, so that what changes in the law changes for all of its contacts."""

    name = ""


def _written(law: dict[str, Any], before: dict[str, Any]) -> dict[str, Any] | str:
    """What the record of a contact holds; before: the law as it was given."""
    return before.name if isinstance(before, _SharedLaw) and before == law else law


class ContactVerbs:
    """Verb that lets bodies touch."""

    _in_layers: set[str] | None = None  # shapes in layers, when they were asked for

    @verb("relations")
    def contact(
        self,
        A: Body | str | Sequence[Body | str],
        B: Body | str | Sequence[Body | str] | None = None,
        *,
        restitution: Number | None = None,
        friction: Number | None = None,
        rolling: Number = 0.0,
        spinning: Number = 0.0,
        law: Item | handles.Item | Mapping[str, Any] | str | None = None,
        model: Literal["hunt_crossley", "hertz"] | None = None,
        stiffness: Number | None = None,
        exponent: Number | None = None,
        damping: Number | None = None,
        slip_speed: Number | None = None,
        name: str = "",
    ) -> Contact | GroupContact:
        """Contact of bodies, or of groups of bodies: each of A with each of B; one group alone: among themselves.

        All shapes touch each other: spheres, capsules, cylinders, cones, boxes, ellipsoids, hulls of points, and planes, which stand first. Faces that
        lie on each other touch with up to eight points, edges with two. restitution: speed after
        over before an impact (Newton), 0 to 1. friction: Coulomb's coefficient; both are 0 where they are not given. rolling, spinning: largest moment against rolling
        and spinning over the normal force, lengths [m]. law: another one in their place, as `sl.items.PoissonImpact(restitution=0.5)`, one of the model by its handle or name (`m.add(sl.items.PoissonImpact(restitution=0.5))`), which
        several contacts may share, or "materials": those of the materials that touch (`m.material`, `m.material_pair`).
        stiffness [N/m^exponent]: bodies may enter each other instead, with a force K d^n at each point, n the exponent (3/2 of Hertz's spheres), under every scheme. model: "hunt_crossley"
        times 1 + 3/2 a d', a the damping [s/m], restitution 1 - a v of slow impacts; "hertz" plus c d', c the damping [N s/m]. friction acts against the slip s with a share
        s / sqrt(s^2 + slip_speed^2).
        Bodies of a group that a joint holds together touch each other, too: `m.no_contact(a, b)` leaves a pair out, `m.contact_layer` parts many by layers. `force` is what acts on B, world axes. Contacts of groups, and of pairs without a plane or
        two spheres, are found anew in each step.
        """
        name = self._free_name("contact", name)
        path = f"relations/{name}"
        lawless = restitution is None and friction is None and not (rolling or spinning)
        given = {"restitution": 0.0 if restitution is None else restitution, "friction": 0.0 if friction is None else friction, "rolling": rolling, "spinning": spinning}
        soft = {"model": model, "stiffness": stiffness, "exponent": exponent, "damping": damping, "slip_speed": slip_speed}
        if any(value is not None for value in soft.values()):
            return self._penalty_contact(name, A, B, soft, given, law)
        by_materials = law == "materials"
        if law is None and lawless and getattr(self, "_has_material_pairs", False):
            g.warn(path, "has neither friction nor restitution, and the model has laws of pairs of materials", 'write law="materials" to take them')
        law = as_given = _standard_law(given) if law is None else self._given_law(law, given, path)
        first, second = self._group(A, f"{path}/A"), None if B is None else self._group(B, f"{path}/B")
        warn_of_rolling(law, {b.name: b._shape["radius"] for b in (*first, *(second or ())) if b._shape.get("type") in ROUND}, path)
        pair = frozenset((first[0].name, *(b.name for b in second or ())))
        if second is not None and len(first) * len(second) == 1:
            other = self._touching.get(pair, name)
            if other != name and other in self:  # else it was refused
                g.refuse(path, f"joins {first[0].name} and {second[0].name}, as '{other}' does: both would carry", "leave one of them out")
            self._touching[pair] = name
        if second is not None and {b.name for b in first} == {b.name for b in second}:
            second = None
        if second is None and len(first) == 1:
            g.warn(path, f"is of {first[0].name} alone, which touches nothing", f"name what it touches, as in m.contact(m.plane(), {first[0].name})")
        found = by_materials or not self._layered().isdisjoint(shape_name(b.name) for b in (*first, *(second or ())))  # its points, in each step
        if second is not None and len(first) == len(second) == 1 and isinstance(A, Body) and isinstance(B, Body):
            kinds = (self._flat_shape(A, f"{path}/A"), self._flat_shape(B, f"{path}/B"))
            if kinds in _PAIRS and not found and self._points_known(law, [(A, B, kinds)]):
                return self._pair_contact(name, [(A, B, kinds)], law)
            if kinds[1] == "plane" and kinds[0] != "plane":
                g.refuse(path, f"joins {A.name} and the plane {B.name}", f"write the plane first: m.contact({B.name}, {A.name})")
        if self.planar and not found and (pairs := self._flat_pairs(name, first, second)) is not None and self._points_known(law, pairs):
            return self._pair_contact(name, pairs, law)
        if self.planar and not by_materials:
            law = self._flat_law(law, path)
        fields = {"A": [self._collider(body, f"{path}/A") for body in first], **({} if by_materials else {"law": _written(law, as_given)})}
        if second is not None:
            fields["B"] = [self._collider(body, f"{path}/B") for body in second]
        return GroupContact(self, self._add("relations", "contact", name, fields))

    def _penalty_contact(self, name: str, A: Any, B: Any, soft: dict[str, Any], given: dict[str, Any], law: Any) -> PenaltyContact:
        """Groups of bodies that may enter each other."""
        path = f"connectors/{name}"
        if soft["stiffness"] is None:
            g.refuse(f"{path}/stiffness", "is not given beside " + ", ".join(word for word, value in soft.items() if value is not None), "give the force [N] at a depth of 1 m, or leave the others out")
        if self.planar:
            g.refuse(path, "has a stiffness in a planar model, which has no contacts of groups", "leave the stiffness out, or use a model in space")
        for word in ("restitution", "rolling", "spinning"):
            if given[word] != 0.0:
                g.refuse(f"{path}/{word}", f"is {given[word]!r} beside a stiffness, whose force has none", "give damping in place of restitution, or leave the stiffness out")
        if law is not None:
            g.refuse(f"{path}/law", "is given beside a stiffness: bodies that may enter each other have a force and no law", "leave one of them out")
        if not soft["damping"] and not given["friction"]:
            g.warn(path, "has a stiffness, no damping and no friction: what bounces keeps its energy", "give damping=, or friction=")
        fields = {"A": [self._collider(body, f"{path}/A") for body in self._group(A, f"{path}/A")]}
        if B is not None:
            fields["B"] = [self._collider(body, f"{path}/B") for body in self._group(B, f"{path}/B")]
        fields |= {key: value for key, value in {**soft, "friction": given["friction"] or None}.items() if value is not None}
        return PenaltyContact(self, self._add("connectors", "penalty_contact", name, fields))

    @verb("relations")
    def no_contact(self, A: Body | str | Sequence[Body | str], B: Body | str | Sequence[Body | str] | None = None, *, name: str = "") -> handles.Item:
        """No body of A touches one of B, whatever contacts of groups they are in; A alone: none of A touches another of A."""
        name = self._free_name("no_contact", name)
        path = f"relations/{name}"
        fields = {"A": [self._collider(body, f"{path}/A") for body in self._group(A, f"{path}/A")]}
        if B is not None:
            fields["B"] = [self._collider(body, f"{path}/B") for body in self._group(B, f"{path}/B")]
        return handles.Item(self, self._add("relations", "no_contact", name, fields))

    @verb("relations")
    def contact_layer(
        self, bodies: Body | str | Sequence[Body | str], meets: handles.Item | str | Sequence[handles.Item | str] = (), *, name: str = ""
    ) -> handles.Item:
        """A layer of bodies, and the layers that they touch: `m.contact_layer(wheels, meets=["road", "wheels"], name="wheels")`.

        Two bodies that both stand in layers touch where a layer of one meets a layer of the other; it is enough that one of them says so. A layer that names itself lets its bodies touch each other. A body
        may stand in several layers; one that stands in none touches all. Layers part bodies of all contacts, under every scheme; what touches follows from the contacts and `no_contact` as without
        them. meets: layers, or names of layers that may be made later. Give layers before the contacts of their bodies. `sl.queries.ray` and `overlaps` take a layer as the bodies in it.
        """
        name = self._free_name("contact_layer", name)
        path = f"relations/{name}"
        group = self._group(bodies, f"{path}/shapes")
        self._refuse_pairs(group, f"{path}/shapes")
        met = [meets] if isinstance(meets, (str, handles.Handle)) else list(meets)
        for layer in met:
            if not isinstance(layer, str) and not (isinstance(layer, handles.Item) and self._engine.record(layer.name)["type"] == "contact_layer"):
                g.refuse(f"{path}/meets", f"is {g.short(getattr(layer, 'name', layer))}, expected a layer", 'give what m.contact_layer returned, or its name')
        fields: dict[str, Any] = {"shapes": [self._collider(body, f"{path}/shapes") for body in group]}
        if met:
            fields["meets"] = [layer if isinstance(layer, str) else layer.name for layer in met]
        self._layered().update(fields["shapes"])
        return handles.Item(self, self._add("relations", "contact_layer", name, fields))

    def _layered(self) -> set[str]:
        """Names of the shapes in layers."""
        if self._in_layers is None:
            self._in_layers = {shape for layer in layers_of(self).values() for shape in layer.shapes}
        return self._in_layers

    def _refuse_pairs(self, group: list[Body], path: str) -> None:
        """Refuses bodies of contacts that are relations of two bodies, which know no layers."""
        names = {body.name for body in group}
        for section, kind, name in self._engine.records():
            if section == "relations" and kind in _PAIR_RELATIONS:
                for body in names & {body_of(self, self._engine.record(name)["fields"].get(end)) for end in "AB"}:
                    g.refuse(path, f"has '{body}', which touches another by '{name}', a contact of these two", "write the layer before the contact")

    @verb("relations")
    def contact_force(self, A: Body | str | Sequence[Body | str], B: Body | str | Sequence[Body | str], *, name: str = "") -> GroupContact:
        """The force that bodies of A put on bodies of B where they touch in contacts of groups: `.force` and `.points` are quantities of results, outputs and conditions."""
        name = self._free_name("contact_force", name)
        path = f"relations/{name}"
        fields = {side: [self._collider(body, f"{path}/{side}") for body in self._group(ends, f"{path}/{side}")] for side, ends in (("A", A), ("B", B))}
        return GroupContact(self, self._add("relations", "contact_force", name, fields))

    @verb("relations")
    def material(self, bodies: Body | str | Sequence[Body | str], *, name: str = "") -> handles.Item:
        """What bodies are made of, by name: `rubber = m.material([ball, box], name="rubber")`. Their contacts with law="materials" take the laws of pairs of materials."""
        name = self._free_name("material", name)
        path = f"relations/{name}/shapes"
        return handles.Item(self, self._add("relations", "material", name, {"shapes": [self._collider(body, path) for body in self._group(bodies, path)]}))

    @verb("relations")
    def material_pair(
        self,
        A: handles.Item | str,
        B: handles.Item | str,
        *,
        restitution: Number = 0.0,
        friction: Number = 0.0,
        rolling: Number = 0.0,
        spinning: Number = 0.0,
        law: Item | handles.Item | Mapping[str, Any] | str | None = None,
        name: str = "",
    ) -> handles.Item:
        """The law where bodies of two materials touch, or two of one: of contacts with law="materials". Keywords are those of `contact`."""
        name = self._free_name("material_pair", name)
        path = f"relations/{name}"
        given = {"restitution": restitution, "friction": friction, "rolling": rolling, "spinning": spinning}
        law = as_given = _standard_law(given) if law is None else self._given_law(law, given, path)
        of = list(dict.fromkeys((self._material(A, f"{path}/A"), self._material(B, f"{path}/B"))))
        self._has_material_pairs = True
        fields = {"materials": of, "law": _written(self._flat_law(law, path) if self.planar else law, as_given)}
        return handles.Item(self, self._add("relations", "material_pair", name, fields))

    def materials(self, pairs: Mapping[tuple[handles.Item | str, handles.Item | str], Mapping[str, Any]]) -> list[handles.Item]:
        """Laws of several pairs: `m.materials({("steel", "rubber"): {"friction": 0.8}, ("steel", "steel"): {"friction": 0.2}})`; see `material_pair`."""
        return [self.material_pair(A, B, **law) for (A, B), law in pairs.items()]

    def _material(self, end: handles.Item | str, path: str) -> str:
        item = self._handle(end)
        if not isinstance(item, handles.Item) or self._engine.record(item.name)["type"] != "material":
            g.refuse(path, f"is {getattr(item, 'name', item)!r}, expected a material", 'make one: m.material([ball], name="rubber")')
        return item.name

    def _pair_contact(self, name: str, pairs: list[tuple[Body, Body, tuple[str, str]]], law) -> Contact:
        """One relation for each point at which pairs can touch."""
        as_given = law
        if self.planar:
            law = flat.law(law, f"relations/{name}", _laws())
        rows = max(1, _laws()[law["type"]]["rows"])
        points: list[tuple[str, dict[str, Any]]] = []
        for A, B, kinds in pairs:
            relation = f"{kinds[0]}_{_ROWS.get(rows, 'contact') if not self.planar else _FLAT_ROWS[rows]}"
            fields = {"A": self._frame(A, "A"), "law": _written(law, as_given)}
            if kinds[0] == "sphere":
                fields |= {"radius_A": A._shape["radius"], "radius_B": B._shape["radius"]}
            ends = [self._frame(B, "B")]
            if kinds[1] == "box":
                half = [0.5 * edge for edge in B._shape["size"]]
                corners = itertools.product((-1, 1), (-1, 1), (0,) if self.planar else (-1, 1))
                ends = [{"body": B.name, "local": [s * x for s, x in zip(signs, half)]} for signs in corners]
            elif kinds[0] == "plane":
                fields["radius"] = B._shape.get("radius", 0.0)
            points += [(relation, {**fields, "B": end}) for end in ends]
        names = [name] if len(points) == 1 else [self._free_name("", f"{name}_{i}") for i in range(1, len(points) + 1)]
        for part, (relation, fields) in zip(names, points, strict=True):
            self._add("relations", relation, part, fields)
            if part != name:
                self._part_of[part] = (name, "")
        return Contact(self, name, tuple(names), rows=rows)

    def _flat_shape(self, body: Body, path: str) -> str:
        """Kind of a shape; in a planar model a cylinder is a disc, as a sphere is."""
        kind = self._shape(body, path)
        return "sphere" if self.planar and kind == "cylinder" else kind

    def _flat_law(self, law: dict[str, Any], path: str) -> dict[str, Any]:
        """The law of a contact of groups in a planar model: one of the plane, so that what touches along z counts once."""
        return flat.law({**law, "type": "coulomb_impact"} if law["type"] == "newton_impact" else law, path, _laws())

    def _points_known(self, law: dict[str, Any], pairs: list[tuple[Body, Body, tuple[str, str]]]) -> bool:
        """Whether the relations of pairs can hold the law: those of two discs know no rolling, groups do."""
        return not (self.planar and law["type"].startswith("rolling") and any(kinds[0] == "sphere" for _, _, kinds in pairs))

    def _flat_pairs(self, name: str, first: list[Body], second: list[Body] | None) -> list[tuple[Body, Body, tuple[str, str]]] | None:
        """Groups of a planar model, pair by pair; None where the points of a pair are not known beforehand."""
        path = f"relations/{name}"
        couples = list(itertools.combinations(first, 2)) if second is None else [(a, b) for a in first for b in second if a is not b]
        pairs = []
        for A, B in couples:
            kinds = (self._flat_shape(A, f"{path}/A"), self._flat_shape(B, f"{path}/B"))
            if kinds[1] == "plane":
                A, B, kinds = B, A, kinds[::-1]
            if kinds not in _PAIRS:
                return None
            pairs.append((A, B, kinds))
        if not pairs:
            g.refuse(path, "has no two bodies that could touch", "name another group")
        return pairs

    def _given_law(self, law, given: dict[str, Any], path: str) -> dict[str, Any]:
        """A law as a record holds it; the keywords of the standard laws are fields of its own."""
        for word, value in given.items():
            if value != 0.0:
                g.refuse(f"{path}/{word}", f"is {value!r} beside a law, which has what it needs itself", "write it in the law, or leave the law out")
        if law == "materials":
            return {}
        law = self._plain(law)
        if isinstance(law, str):
            law = self._shared_law(law) or {"type": law}
        kind = law.get("type") if isinstance(law, dict) else None
        if kind not in _laws():
            g.refuse(f"{path}/law", f"is {kind or law!r}, which is no law", g.near(str(kind), _laws()) or f"use {', '.join(_laws())}")
        return law

    def _shared_law(self, name: str) -> _SharedLaw | None:
        """The law of the model that has the name."""
        record = self._engine.record(name) if name in self else {}
        if record.get("section") != "laws":
            return None
        law = _SharedLaw(type=record["type"], **record["fields"])
        law.name = name
        return law

    def _group(self, ends, path: str) -> list[Body]:
        group = [ends] if isinstance(ends, (Body, str)) else list(ends) if isinstance(ends, (list, tuple)) else [ends]
        for end in group:
            if isinstance(end, str) and end not in self:
                g.refuse(path, f"is {end!r}, and no body has that name", "give bodies, or their names" + g.or_else(g.near(end, [name for section, _, name in self._engine.records() if section == "bodies"])))
        group = [self._handle(end) for end in group]
        if not group:
            g.refuse(path, "is an empty group")
        for body in group:
            self._shape(body, path)
        return list(dict.fromkeys(group))

    def _shape(self, end, path: str) -> str:
        if not isinstance(end, Body):
            g.refuse(path, f"is {g.short(end)}, expected a body with a shape or a plane", "give what m.sphere, m.box, m.plane, ... returned")
        self._own(end, path)
        return end._shape.get("type", "body without shape")

    def _collider(self, body: Body, path: str) -> str:
        """Name of the shape of a body, which enters the model with its first contact."""
        name, kind = shape_name(body.name), body._shape.get("type", "")
        if self.planar and kind == "cylinder" and not self._taken(name):  # a disc
            return self._add("markers", "sphere", name, {"body": self._frame(body, path), "radius": body._shape["radius"]})
        if (kind in SIZES or kind == "point" or (kind == "rod" and not self.planar)) and self._taken(name):  # the shape of a rod is a cylinder
            return name
        if kind == "point":
            shape = {"type": "sphere", "radius": 0.0}
        elif kind in SIZES:
            shape = {"type": kind, **{key: body._shape[key] for key in SIZES[kind]}}
        else:
            what = f"a {kind}" if kind else "a body without shape"
            g.refuse(
                path, f"is {body.name}, {what}, for which there is no contact",
                f'use a {", ".join(SIZES)}, or give it a shape: m.shape("box", {body.name}, size=...), and name that here',
            )  # fmt: skip
        place = self._frame(body, path)
        return self._add("markers", shape.pop("type"), name, {"body": place, **shape})
