"""From a model and its run to what the page draws: one container (view/container.py) with a JSON head.

The head names bodies with shapes, joints, springs, loads, contacts, frames, items with their fields and units, series
with units, events and the report; arrays hold times, poses, residuals and series. Lengths are m, times s.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from saltus import _core, contact_record
from saltus.describe import without_rounding
from saltus.errors import ModelError, grouped
from saltus.view.circuits import circuit, plotted
from saltus.view.container import Arrays
from saltus.view.pictures import NONE, picture_of
from saltus.view.places import Place, Places, turned
from saltus.view.shapes import SOLIDS, contact_shapes, shape_of, solid
from saltus.view.tracks import Poses, put_tracks, shown_states

FORCES = ("joints", "connectors", "relations", "loads")
PIECES = 96  # of a rail's curve
EVENTS = 20000  # kept in a scene at most


@dataclass
class Limits:
    """How much a scene may hold. bytes: of poses. frames: of times. work: evaluations of a quantity times bodies."""

    bytes: int = 24_000_000
    frames: int = 4000
    work: float = 2e6


PAGE = Limits(bytes=3_000_000, frames=1500, work=4e6)  # one file: see Result.to_html


class Scene:
    """What is drawn of a model, and of a run of it.

    shapes: by body, what handles or a result file say.
    """

    def __init__(self, model: _core.Model, system: _core.System, *, shapes: dict[str, Any] | None = None, title: str = ""):
        self.model, self.system, self.title = model, system, title
        self.places = Places(model, system)
        self.poses = Poses(system, self.places)
        self.items: list[tuple[str, str, str]] = [tuple(item) for item in system.items()]
        known = {name for _, _, name in self.items}
        self.items += [(r["section"], r["type"], name) for name, r in self.places.records.items() if name not in known]
        self.index = {name: i for i, (_, _, name) in enumerate(self.items)}
        self.pairs = {
            name: pair
            for name, record in self.places.records.items()
            if (record["section"] in ("joints", "connectors", "relations", "loads") or picture_of(record).shape == "beam") and (pair := self.places.pair(record["fields"]))
        }
        self.size = self._size()
        self._given = shapes or {}

    def _size(self) -> float:
        """Length of the model [m], from where its frames, joints and springs are in the reference position."""
        points = [p for p, _ in self.places.reference]
        points += [self.places.world(end)[0] for pair in self.pairs.values() for end in pair]
        if not points:
            return 1.0
        extent = float(np.linalg.norm(np.ptp(np.array(points), axis=0)))
        radii = [shape.get("radius", 0.0) for shape in contact_shapes(self.places).values()]
        return max(extent, 4.0 * max(radii, default=0.0)) or 1.0

    @property
    def reference(self) -> np.ndarray:
        """Places (frames, 3) [m] of all that poses are of, in the reference position."""
        p, R = (np.array([pose[k] for pose in self.places.reference])[None] for k in (0, 1))
        if not self.poses.ropes:
            return p[0]
        return np.concatenate([p[0], *(rope.at(p, R)[0] for _, rope in self.poses.ropes.values())])

    def head(self) -> dict[str, Any]:
        """All that does not depend on the run."""
        gravity = self.model.gravity
        gravity = [0.0, 0.0, -9.81] if gravity is None else [self.places.number(g) for g in gravity]
        return {
            "format": "saltus-view", "title": self.title, "size": self.size, "gravity": gravity, "up": self._up(gravity),
            "types": self._types(), "items": [self._item(*item) for item in self.items], "frames": [*self.places.nodes, *(name for name, (_, rope) in self.poses.ropes.items() for _ in range(rope.count))],
            **self._drawn(), **self._plane_pictures(), "outputs": self.model.outputs or self._plotted(), "parameters": self._parameters(), "version": _core.version,
        }

    @functools.cached_property
    def present(self) -> list[tuple[int, int]]:
        """(frame, place in the data of the number that is above 0 while it is there) of the bodies that come and go."""
        places: dict[str, list[int]] = {}  # in the data, by record
        for item, part, _, begin, names, _ in self.system.layout():
            if part == "data" and list(names) == ["present"]:
                places.setdefault(item, []).append(begin)
        out = []
        for record, data in places.items():
            for k, body in enumerate(self.places.records[record]["fields"]["bodies"]):
                if (frame := self.places.frame_of(body)) is not None:
                    out.append((frame, data[min(k, len(data) - 1)]))
        return out

    def _up(self, gravity: list[float]) -> str:
        """Axis that points up in the picture: against gravity; y for plane models."""
        if any(gravity):
            axis = int(np.argmax(np.abs(gravity)))
            return "xyz"[axis]
        return "y" if self.places.plane and all(self.places.plane) else "z"

    def _parameters(self) -> dict[str, float]:
        values = {}
        for name, value in self.model.parameters.items():
            try:
                values[name] = self.places.number(value)
            except (ModelError, TypeError, ValueError):
                continue
        return values

    def _types(self) -> dict[str, Any]:
        used = {(section, kind) for section, kind, _ in self.items}
        families = {}
        for entry in _core.items():
            section = entry["family"]
            if (section, entry["name"]) in used:
                fields = {f["name"]: [f.get("unit") or "", f["doc"]] for f in entry["fields"]}
                fields |= {p["name"]: ["", p.get("doc", "")] for p in entry.get("ports") or ()}
                families[f"{section}/{entry['name']}"] = {"doc": entry["doc"], "fields": fields}
        return families

    def _item(self, section: str, kind: str, name: str) -> dict[str, Any]:
        record = self.places.records.get(name)
        fields = record["fields"] if record else self.places.node_fields(name)
        return {"n": name, "s": section, "t": kind, "f": {key: without_rounding(plain(value)) for key, value in fields.items() if key != "type"}}

    def _drawn(self) -> dict[str, Any]:
        by_contacts = contact_shapes(self.places)
        out: dict[str, list[Any]] = {key: [] for key in ("bodies", "joints", "springs", "loads", "planes", "contacts", "groups", "markers")}
        planes: set[tuple] = set()
        joined: dict[int, list[np.ndarray]] = {}
        for name, pair in self.pairs.items():
            if self.places.records[name]["section"] in ("joints", "connectors"):
                for end in pair:
                    joined.setdefault(end.frame, []).append(end.p)
        for name, record in self.places.records.items():
            if picture_of(record).shape == "link" and (frame := self.places.frame_of(name)) is not None:  # from its joint to those that it carries
                joined.setdefault(frame, []).append(np.zeros(3))
                if (carrier := self.places.frame_of(record["fields"]["parent"])) is not None:
                    joined.setdefault(carrier, []).append(self.places.vector(record["fields"].get("position")))
        for name, record in self.places.records.items():
            section, i = record["section"], self.index[name]
            look = picture_of(record).shape
            if look == "beam" and name in self.pairs:  # straight between its ends
                a, b = self.pairs[name]
                out["springs"].append({"i": i, "t": look, "a": a.json(), "b": b.json(), "coil": False, "r": self._thickness(record)})
            elif section == "bodies":
                frame = self.places.frame_of(name)
                if frame is not None:
                    out["bodies"].append({"i": i, "f": frame, **shape_of(name, record, self.places, self._given, by_contacts, joined.get(frame, []), self.size)})
            elif section == "joints" and name in self.pairs and look != "none":
                out["joints"].append({"i": i, "t": look, "a": self.pairs[name][0].json(), "b": self.pairs[name][1].json()})
                if look == "rail":
                    out["springs"] += self._rail(i, record["fields"], self.pairs[name][0])
            elif section == "connectors" and name in self.pairs:
                a, b = self.pairs[name]
                out["springs"].append({"i": i, "t": look, "a": a.json(), "b": b.json(), "coil": look == "coil"})
            elif section == "connectors" and look == "piston" and (pair := self._pair_of_motion(record["fields"].get("on"))) is not None:
                out["springs"].append({"i": i, "t": look, "a": pair[0].json(), "b": pair[1].json(), "coil": False, "r": 0.009 * self.size})
            elif section == "loads":
                place = self.places.place(record["fields"].get("on", record["fields"].get("B")))
                if place is not None:
                    out["loads"].append({"i": i, "t": look, "on": place.json(), **self._constant(record)})
            elif section == "relations" and look == "group":
                sides = {side: self._colliders(record["fields"][end]) for side, end in (("a", "A"), ("b", "B")) if end in record["fields"]}
                out["groups"].append({"i": i, **sides})
            elif section == "relations" and look in ("plane", "sphere") and name in self.pairs:
                out["contacts"].append(self._contact(i, record))
                if look == "plane":
                    self._plane(out["planes"], planes, self.pairs[name][0], -1)
            elif section == "markers" and look == "rope":
                first, rope = self.poses.ropes.get(name, (0, None))
                ends = [Place(first + k, np.zeros(3), np.eye(3)) for k in range(rope.count)] if rope else []
                out["springs"] += [{"i": i, "t": look, "a": a.json(), "b": b.json(), "coil": False, "r": 0.003 * self.size} for a, b in zip(ends, ends[1:], strict=False)]
            elif section == "markers":
                place = self.places.place(name)
                if place is not None and (look == "plane" or self._given.get(name, {}).get("type") == "plane"):
                    self._plane(out["planes"], planes, place, i)
                elif place is not None and look not in SOLIDS:
                    out["markers"].append({"i": i, "on": place.json()})
                elif place is not None and not self._under_a_mesh(record) and (carrier := self._carrier(record)) is not None:
                    out["bodies"].append({"i": carrier, "f": place.frame, **solid(self.places, record)})
        return out

    def _carrier(self, record: dict[str, Any]) -> int | None:
        """Number of the item that a shape is drawn for: the frame that it stands on, or itself; None where it is that of a body."""
        body = record["fields"].get("body")
        name = body.get("body", "") if isinstance(body, dict) else body
        if self.places.records.get(name, {"section": ""})["section"] == "bodies":
            return None
        return self.index.get(name if isinstance(body, str) and name in self.places.records else record["name"])

    def _under_a_mesh(self, record: dict[str, Any]) -> bool:
        """Whether a shape is on a frame of a body that is drawn as a mesh: it is there for contact alone."""
        name = ""
        while record is not None and record["section"] == "markers":
            body = record["fields"].get("body")
            name = body.get("body", "") if isinstance(body, dict) else body
            record = self.places.records.get(name)  # type: ignore[assignment]
        return self._given.get(name, {}).get("type") == "mesh"

    def _plane_pictures(self) -> dict[str, Any]:
        """The schematic of a circuit, and the sketch that a body without a place brings along."""
        out: dict[str, Any] = {}
        if (found := circuit(self.places, self.index)) is not None:
            out["circuit"] = found
        for name, shape in self._given.items():
            if shape.get("type") == "sketch" and name in self.index:
                out["sketch"] = {"i": self.index[name], "view": shape["view"], "parts": shape["parts"]}
        return out

    def _plotted(self) -> dict[str, str]:
        """What is plotted without named outputs where there is nothing but a circuit."""
        return {} if any(section == "bodies" for section, _, _ in self.items) else plotted(self.places)

    def _pair_of_motion(self, on: Any) -> tuple[Place, Place] | None:
        """The frames whose distance is the coordinate, by its marker."""
        record = self.places.records.get(on) if isinstance(on, str) else None
        return self.places.pair(record["fields"]) if record is not None and picture_of(record).shape == "motion" else None

    def _rail(self, i: int, fields: dict[str, Any], on: Place) -> list[dict[str, Any]]:
        """The curve of a rail as short straight pieces. They belong to its travel, whose force is none to draw."""
        closed = bool(fields.get("closed", False))
        if "points" in fields:
            points = [self.places.vector(point).tolist() for point in fields["points"]]
            line = np.array(_core.curve_line(points, closed, min(PIECES, 12 * len(points))))
        elif isinstance(fields.get("curve"), list) and all(isinstance(entry, (str, float, int)) for entry in fields["curve"]):
            s = np.linspace(self.places.number(fields.get("start", 0.0)), self.places.number(fields.get("end", 0.0)), PIECES + 1)
            line = np.stack([self.places.along(entry, ["s"], s[:, None]) for entry in fields["curve"]], axis=1)
        else:  # a function of the program: asked for nothing but numbers of a run
            return []
        travel = self.index.get(fields["position"].get("node") if isinstance(fields.get("position"), dict) else fields.get("position"), i)
        places = [Place(on.frame, on.p + on.R @ p, on.R) for p in line]
        return [{"i": travel, "t": "rail", "a": a.json(), "b": b.json(), "coil": False, "r": 0.004 * self.size} for a, b in zip(places, places[1:], strict=False)]

    def _thickness(self, record: dict[str, Any]) -> float:
        """Radius [m] of the circle whose section is as stiff in bending beside tension as that of a beam; slim ones are drawn a little stronger."""
        given = record["fields"][picture_of(record).sizes[0]]
        stiffness = [self.places.vector(row) for row in given] if np.ndim(given) > 1 else np.diag(self.places.vector(given))
        tension, bending = stiffness[0][0], np.sqrt(max(stiffness[4][4] * stiffness[5][5], 0.0))
        return max(2.0 * float(np.sqrt(bending / tension)) if tension > 0 else 0.0, 0.004 * self.size)

    def _colliders(self, names: Any) -> list[list[Any]]:
        """[kind, radius, place] of the planes and spheres of a group, whose contact points the page finds itself."""
        found = []
        for name in names if isinstance(names, list) else [names]:
            record = self.places.records.get(name)
            look = picture_of(record) if record else NONE
            place = self.places.place(name) if look.shape in ("plane", "sphere") else None  # of the page's own geometry
            if record and place is not None:
                radius = self.places.number(record["fields"].get(look.sizes[0], 0.0)) if look.sizes else 0.0
                found.append([look.shape, radius, place.json()])
        return found

    def _contact(self, i: int, record: dict[str, Any]) -> dict[str, Any]:
        fields, (a, b) = record["fields"], self.pairs[self.items[i][2]]
        look = picture_of(record)
        radii = [self.places.number(fields.get(key, 0.0)) for key in look.sizes]
        return {"i": i, "kind": look.shape, "a": a.json(), "b": b.json(), "r": radii}

    @staticmethod
    def _plane(out: list[Any], seen: set[tuple], place: Place, item: int) -> None:
        key = (place.frame, *np.round(place.p - 0.0, 6), *np.round(place.R[:, 2], 6))
        if key not in seen:
            seen.add(key)
            out.append({"i": item, "on": place.json()})

    def _constant(self, record: dict[str, Any]) -> dict[str, Any]:
        """Value of a load where it is constant, so that it is drawn without evaluation."""
        value = record["fields"].get("force", record["fields"].get("torque"))
        try:
            vector = [self.places.number(x) for x in value] if isinstance(value, (list, tuple)) else None
        except (ModelError, TypeError, ValueError):
            vector = None
        return {"v": vector, "world": record["fields"].get("axes", "world") == "world"} if vector and len(vector) == 3 else {}


def scene_of(recorded, model: _core.Model, *, shapes: dict[str, Any] | None = None, title: str = "", limits: Limits | None = None,
             forces: bool = True, outputs: dict[str, str] | None = None) -> bytes:
    """The container of a run: scene, poses of chosen states, energy, residuals, outputs, and forces within the limits."""
    limits = limits or Limits()
    scene = Scene(model, recorded.system, shapes=shapes, title=title)
    head, arrays, a = scene.head(), Arrays(), recorded.arrays
    if outputs is not None:  # those of the model that the run can tell
        head["outputs"] = outputs or scene._plotted()
    scene.poses.draw_apart(a["y"])
    t = np.asarray(a["t"], dtype=float)
    count = max(1, scene.poses.count)
    most = int(min(limits.frames, max(40, limits.bytes // (14 * count))))
    states, chosen = shown_states(recorded, scene.poses, scene.size, most)
    arrays.put("t", states["t"], "f8")
    if not (own := np.isin(states["t"], t)).all():
        arrays.put("state", own, "u1")  # the others are between recorded ones
    p, q = scene.poses(states["y"])
    put_tracks(arrays, p, q, scene.poses.turning)
    for joint in head["joints"]:
        if joint["t"] == "prismatic":
            joint["s"] = _travel(joint, p, q)
    if "residuals" in a and len(a["residuals"]):
        arrays.put("residual", worst_between(np.asarray(a["residuals"]), chosen).astype("<f4"), "f4")
    head["series"] = []
    for path in _paths(scene, head, len(chosen), limits, forces):
        add_series(head, arrays, recorded.system, path, states)
    _contact_rows(scene, head, arrays, states)
    _group_contacts(recorded, scene.index, head, arrays, states["t"], limits)
    if away := _away(scene, states):
        head["away"] = away
    head["events"] = _events(recorded.events, scene.index, arrays)
    head["report"] = plain({**recorded.report, "warnings": grouped(recorded.report.get("warnings", ()))})
    head["run"] = {"scheme": recorded.scheme, "static": bool(recorded.is_static), "states": len(t), "drawn": min(len(chosen), len(t)),
                   "wall": recorded.wall_s}
    head["quantities"] = scene_quantities(scene)
    return arrays.packed(head)


def _travel(joint: dict[str, Any], p: np.ndarray, q: np.ndarray) -> list[float]:
    """[least, largest] place of B of a joint on the z axis of A [m], over the poses p (n, frames, 3), q (n, frames, 4)."""

    def world(place: list[float], local: np.ndarray) -> np.ndarray:
        frame = int(place[0])
        return np.broadcast_to(local, (len(p), 3)) if frame < 0 else p[:, frame] + turned(q[:, frame], local)

    a, turn, b = (np.array(joint["a"][1:4]), np.array(joint["a"][4:8]), np.array(joint["b"][1:4]))
    origin = world(joint["a"], a)
    along = world(joint["a"], a + turned(turn, np.array([0.0, 0.0, 1.0]))) - origin
    s = np.einsum("ni,ni->n", world(joint["b"], b) - origin, along)
    return [float(s.min()), float(s.max())] if len(s) else [0.0, 0.0]


def _paths(scene: Scene, head: dict[str, Any], n: int, limits: Limits, forces: bool) -> list[str]:
    """Series that the scene itself holds: energies, outputs, then forces while the work allows."""
    paths = ["energy.kinetic", "energy.potential", "energy.total"] if scene.system.sizes()["nq"] else []
    paths += list(head["outputs"].values())
    paths += [path for part in head.get("sketch", {}).get("parts", ()) for motion in (*part.get("at", ()), part.get("angle")) if isinstance(motion, dict) for path in motion if path]
    cost = 0.0
    for section in FORCES if forces else ():
        for item_section, _, name in scene.items:
            if item_section == section and name in scene.places.records and "force" in scene.system.quantities(name):
                cost += n * (1.0 + 0.1 * scene.poses.count)
                if cost > limits.work:
                    return list(dict.fromkeys(paths))
                paths.append(f"{name}.force")
    for section, _, name in scene.items if forces else ():  # the usual plots of bodies, terminals and joints
        words = {"bodies": ("position", "velocity"), "nodes": ("value", "state"), "joints": ("torque", "drive", "angle")}.get(section, ())
        for word in words:
            if name in scene.places.records and word in scene.system.quantities(name):
                cost += n * (1.0 + 0.1 * scene.poses.count)
                if cost > limits.work:
                    return list(dict.fromkeys(paths))
                paths.append(f"{name}.{word}")
    return list(dict.fromkeys(paths))


def add_series(head: dict[str, Any], arrays: Arrays, system: _core.System, path: str, states: dict[str, np.ndarray]) -> None:
    """Evaluates a quantity at the states and keeps it as f4 (n, components)."""
    values, unit, components = system.evaluate(path, *(states[key] for key in ("t", "y", "a", "lam", "data")))
    name = arrays.put(f"s{len(head['series'])}", values, "f4")
    head["series"].append({"path": path, "unit": unit, "components": list(components), "array": name})


def worst_between(residuals: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """(n) worst of the three scaled residuals of all states since the one drawn before; chosen ascends."""
    worst = np.nan_to_num(residuals.max(axis=1))
    begin = np.minimum(np.concatenate([[0], chosen[:-1] + 1]), chosen)  # a state drawn twice, or within a step, has its own
    return np.maximum.reduceat(worst, begin) if len(chosen) > 1 else worst[chosen]


def _contact_rows(scene: Scene, head: dict[str, Any], arrays: Arrays, states: dict[str, np.ndarray]) -> None:
    """Normal multiplier of each contact [N], in 8 bits of its largest; left out beyond 5000 contacts."""
    contacts = head["contacts"]
    sizes = scene.system.sizes()
    if not contacts or len(contacts) > 5000 or not sizes["rows"]:
        return
    probe = [np.zeros(1), np.zeros((1, sizes["ny"])), np.zeros((1, sizes["nv"])), np.arange(sizes["rows"], dtype=float)[None], np.zeros((1, sizes["nd"]))]
    rows = [int(scene.system.evaluate(f"{scene.items[c['i']][2]}.multiplier", *probe)[0][0, 0]) for c in contacts]
    force = np.maximum(states["lam"][:, rows], 0.0)
    high = float(force.max(initial=0.0))
    if high > 0:
        arrays.put("contact", np.ceil(255.0 * np.sqrt(force / high)).T, "u1")  # roots: small forces stay visible
        head["contact_force"] = high


def _group_contacts(recorded, index: dict[str, int], head: dict[str, Any], arrays: Arrays, times: np.ndarray, limits: Limits) -> None:
    """Points, forces and states of recorded contacts between groups at the states that are drawn; left out beyond half of the bytes. Of times within a step those of its end."""
    rows = recorded.contacts
    if rows is None or not len(rows):
        return
    t = recorded.arrays["t"]
    state = np.clip(np.searchsorted(t, times - 1e-12 * max(abs(t[0]), abs(t[-1])), side="left"), 0, len(t) - 1)
    used, at = np.unique(state, return_inverse=True)
    begin, end = np.searchsorted(rows[:, 0], used), np.searchsorted(rows[:, 0], used, side="right")
    count = end - begin
    if 29 * int(count.sum()) > limits.bytes // 2:
        return
    drawn = rows[np.concatenate([np.arange(b, e) for b, e in zip(begin, end, strict=True)]).astype(int)]
    arrays.put("contact_points.at", at.reshape(-1), "i4")
    arrays.put("contact_points.begin", np.concatenate([[0], np.cumsum(count)]), "i4")
    of = np.array([index.get(name, -1) for name in contact_record.names(recorded.system)[1]], dtype=np.int32)
    arrays.put("contact_points.item", of[contact_record.column(drawn, "group").astype(int)], "i4")
    arrays.put("contact_points.point", contact_record.column(drawn, "point"), "f4")
    arrays.put("contact_points.force", contact_record.column(drawn, "force"), "f4")
    arrays.put("contact_points.state", contact_record.states(drawn, contact_record.slow_of(recorded)), "u1")
    head["contact_points"] = {"most": int(count.max(initial=0)), "force": _longest_arrow(np.linalg.norm(contact_record.column(drawn, "force"), axis=1))}


def _longest_arrow(forces: np.ndarray) -> float:
    """Force [N] of the longest arrow of a contact: the largest of the run, but for the few of its impacts, beside which the others would not be seen."""
    pushing = forces[forces > 0.0]
    return float(min(pushing.max(), 1.2 * np.quantile(pushing, 0.95))) if len(pushing) else 0.0


def _away(scene: Scene, states: dict[str, np.ndarray]) -> list[dict[str, Any]]:
    """Frames of bodies that come and go, with the times between which they are not there."""
    t, out = states["t"], []
    for f, place in scene.present:
        gone = np.concatenate([[False], states["data"][:, place] <= 0.0, [False]])
        edges = np.flatnonzero(np.diff(gone.astype(int)))
        times = [float(t[i]) if i < len(t) else math.inf for i in edges]
        if times:
            out.append({"f": f, "t": [[a, min(b, 1e300)] for a, b in zip(times[::2], times[1::2], strict=True)]})
    return out


def _events(events: list[tuple[float, str, str, float]], index: dict[str, int], arrays: Arrays) -> list[str]:
    """Keeps events (the largest ones where there are too many) and returns their kinds."""
    if len(events) > EVENTS:
        largest = np.argsort([-abs(value) for *_, value in events], kind="stable")[:EVENTS]
        events = [events[i] for i in sorted(largest)]
    kinds = sorted({kind for _, kind, _, _ in events})
    arrays.put("event.t", [e[0] for e in events], "f8")
    arrays.put("event.kind", [kinds.index(e[1]) for e in events], "u1")
    arrays.put("event.item", [index.get(e[2], -1) for e in events], "i4")
    arrays.put("event.value", [e[3] for e in events], "f4")
    return kinds


def scene_quantities(scene: Scene) -> dict[str, list[str]]:
    """Names of the quantities of each type, asked of the first item of it."""
    words: dict[str, list[str]] = {}
    for section, kind, name in scene.items:
        key = f"{section}/{kind}"
        if key not in words:
            words[key] = list(scene.system.quantities(name))
    return words


def plain(value: Any) -> Any:
    """As JSON holds it: arrays as lists, functions by name, numbers that are not finite as text."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, dict):
        return {str(key): plain(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(entry) for entry in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, (str, int, bool)) or value is None:
        return value
    return getattr(value, "text", None) or getattr(value, "__name__", None) or type(value).__name__


__all__ = ["PAGE", "Limits", "Scene", "add_series", "plain", "scene_of", "scene_quantities"]
