"""Contacts of shapes: one relation a point of contact, all with the same law."""

from __future__ import annotations

import itertools

from saltus import geometry as g
from saltus.handles import Body, Contact
from saltus.verbs._verb import verb


class ContactVerbs:
    """Verb that lets two bodies touch."""

    @verb("relations")
    def contact(self, A, B, *, restitution=0.0, friction=0.0, name: str = "") -> Contact:
        """Contact of the shapes of A and B: plane first, then sphere, point or box; or two spheres.

        restitution: speed after over before an impact (Newton), 0 to 1. friction: Coulomb's coefficient. A box touches
        with its corners. `force` is what acts on B, world axes.
        """
        name = self._free_name("contact", name)
        kinds = tuple(self._shape(end, f"relations/{name}/{role}") for role, end in (("A", A), ("B", B)))
        law = {"type": "coulomb_impact" if friction else "newton_impact", "restitution": restitution}
        if friction:
            law["friction"] = friction
        kind = (
            "plane"
            if kinds[0] == "plane" and kinds[1] in ("sphere", "point", "box")
            else "sphere"
            if kinds == ("sphere",) * 2
            else ""
        )
        if not kind:
            g.refuse(
                f"relations/{name}",
                f"joins a {kinds[0]} and a {kinds[1]}, for which there is no contact",
                "write the plane first"
                if kinds[1] == "plane"
                else "a plane with a sphere, point or box, or two spheres",
            )
        relation = f"{kind}_{'contact' if friction else 'gap'}"
        fields = {"A": self._frame(A, "A"), "law": law}
        if kind == "sphere":
            fields |= {"radius_A": A.shape["radius"], "radius_B": B.shape["radius"]}
        ends = [self._frame(B, "B")]
        if kinds[1] == "box":
            half = [0.5 * edge for edge in B.shape["size"]]
            ends = [
                {"body": B.name, "local": [s * x for s, x in zip(signs, half)]}
                for signs in itertools.product((-1, 1), repeat=3)
            ]
        elif kind == "plane":
            fields["radius"] = B.shape.get("radius", 0.0)
        names = [name] if len(ends) == 1 else [self._free_name("", f"{name}_{i}") for i in range(1, len(ends) + 1)]
        for part, end in zip(names, ends, strict=True):
            self._add("relations", relation, part, {**fields, "B": end})
        return Contact(self, name, tuple(names), rows=3 if friction else 1)

    def _shape(self, end, path: str) -> str:
        if not isinstance(end, Body):
            g.refuse(path, f"is {end!r}, expected a body with a shape or a plane")
        self._own(end, path)
        return end.shape.get("type", "body without shape")
