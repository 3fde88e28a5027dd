"""Bodies that come and go in a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from saltus import geometry as g
from saltus.handles import Body, Presence
from saltus.verbs._verb import given, verb

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from saltus.arguments import Number, OfTime


class PresenceVerbs:
    """The verb that lets bodies come and go."""

    @verb("relations")
    def presence(
        self,
        bodies: Body | str | Sequence[Body | str],
        *,
        begin: Number | None = None,
        end: Number | None = None,
        interval: Number | None = None,
        present: OfTime | None = None,
        inside: Number | Callable[[float, float, float], float] | None = None,
        together: bool = False,
        name: str = "",
    ) -> Presence:
        """Bodies come and go in a run: while one is away it has no forces, contacts and energy, rests, and is not drawn.

        begin [s]: the first comes then, at its initial place with its initial velocity; default: it is there from the start. interval [s]: from one to the next. end [s]: all go.
        present: they are there while this function of t is above 0; a parameter that a run may change switches by the state, a controller, a hook or a loop: `present="gate"`, `state["gate"] = 0`.
        inside: one at whose origin this function of x, y, z is not above 0 goes for good, as inside="z + 1". together: all come and go at once, as bodies with joints
        between them have to. `count` is how many are there; events are "born" and "removed", with the change of energy [J].
        """
        name = self._free_name("presence", name)
        path = f"relations/{name}"
        group = [bodies] if isinstance(bodies, (Body, str)) else list(bodies) if isinstance(bodies, (list, tuple)) else [bodies]
        if not group:
            g.refuse(f"{path}/bodies", "is an empty list")
        names = []
        for one in group:
            if isinstance(one, str) and one not in self:
                g.refuse(f"{path}/bodies", f"is {one!r}, and no body has that name", "give bodies, or their names" + g.or_else(g.near(one, [word for section, _, word in self._engine.records() if section == "bodies"])))
            body = self._handle(one)
            if not isinstance(body, Body):
                g.refuse(f"{path}/bodies", f"is {g.short(body)}, expected a body", "give what m.sphere, m.box, m.body, ... returned")
            self._own(body, f"{path}/bodies")
            names.append(body.name)
        fields = {"bodies": list(dict.fromkeys(names)), **given(begin=begin, end=end, interval=interval, present=present, inside=inside)}
        if together:
            fields["together"] = True
        return Presence(self, self._add("relations", "presence", name, fields))
