"""Bodies that come and go in a run, and those that fall asleep."""

from __future__ import annotations

from typing import TYPE_CHECKING

from saltus import geometry as g
from saltus.handles import Body, Presence, Sleep
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
        inside: one at whose origin this function of x, y, z, in the world, is not above 0 goes for good, as inside="z + 1". together: all come and go at once, as bodies with joints
        between them have to. `count` is how many are there; events are "born" and "removed", with the change of energy [J].
        """
        name = self._free_name("presence", name)
        path = f"relations/{name}"
        names = self._bodies_named(bodies, f"{path}/bodies")
        fields = {"bodies": names, **given(begin=begin, end=end, interval=interval, present=present, inside=inside)}
        if together:
            fields["together"] = True
        return Presence(self, self._add("relations", "presence", name, fields))

    @verb("relations")
    def sleep(self, bodies: Body | str | Sequence[Body | str], *, speed: Number | None = None, after: Number | None = None, name: str = "") -> Sleep:
        """Bodies that rest on each other fall asleep: they stand still and cost nothing until something touches one of them.

        Those that touch fall asleep together, once none has been faster than `speed` [m/s], default 1e-3, for the time `after` [s], default 0.5. They wake together when a body that moves touches
        one, when a body comes or goes, and when a parameter of the run changes. `asleep` is how many sleep; events "asleep" hold the kinetic energy that is dropped [J], "awake" nothing. The forces of contacts
        that sleep read as zero. For bodies that have no forces but their weight and contacts of groups.
        """
        name = self._free_name("sleep", name)
        fields = {"bodies": self._bodies_named(bodies, f"relations/{name}/bodies"), **given(speed=speed, after=after)}
        return Sleep(self, self._add("relations", "sleep", name, fields))

    def _bodies_named(self, bodies: Body | str | Sequence[Body | str], path: str) -> list[str]:
        group = [bodies] if isinstance(bodies, (Body, str)) else list(bodies) if isinstance(bodies, (list, tuple)) else [bodies]
        if not group:
            g.refuse(path, "is an empty list")
        names = []
        for one in group:
            if isinstance(one, str) and one not in self:
                g.refuse(path, f"is {one!r}, and no body has that name", "give bodies, or their names" + g.or_else(g.near(one, [word for section, _, word in self._engine.records() if section == "bodies"])))
            body = self._handle(one)
            if not isinstance(body, Body):
                g.refuse(path, f"is {g.short(body)}, expected a body", "give what m.sphere, m.box, m.body, ... returned")
            self._own(body, path)
            names.append(body.name)
        return list(dict.fromkeys(names))
