"""Contacts of an MJCF file: groups of geoms by their laws, layers by their masks, bodies that never touch, pairs with laws of their own."""

from __future__ import annotations

from itertools import combinations_with_replacement, product
from typing import TYPE_CHECKING, Any

from saltus import geometry as g
from saltus.mjcf_shapes import Geom
from saltus.robot_tree import WORLD, Tree, clean

if TYPE_CHECKING:
    from saltus.mjcf import MjcfReader
    from saltus.xml_places import Element


def contacts(reader: MjcfReader, tree: Tree) -> None:
    """Groups for the geoms of a file, and layers that part those whose masks do. A pair that several groups name belongs to the first of them, so <pair> comes first."""
    parts = [child for part in reader.root.all("contact") for child in part.children]
    paired = {made for pair in parts if pair.tag == "pair" and (made := _pair(reader, tree, reader.whole(pair))) is not None}
    shapes = [geom for geom in reader.geoms if geom.marker]
    masks = {geom.masks for geom in shapes}
    meeting = [geom for geom in shapes if any(masks_meet(geom.masks, other) for other in masks)]  # the others are of a <pair>, or touch nothing
    classes: dict[tuple[Any, ...], list[Geom]] = {}
    for geom in meeting:
        key = (reader.held[geom.body] == WORLD, geom.condim, geom.friction, geom.priority)
        classes.setdefault(key, []).append(geom)
    for (key, some), (other_key, others) in combinations_with_replacement(classes.items(), 2):
        one = some is others
        meet = any(masks_meet(a, b) for a, b in product({geom.masks for geom in some}, {geom.masks for geom in others}))
        if key[0] and other_key[0] or not meet or one and len(some) < 2 or len({reader.held[geom.body] for geom in (*some, *others)}) < 2:
            continue
        fields = {"A": [geom.marker for geom in some], **({} if one else {"B": [geom.marker for geom in others]})}
        tree.add("relations", "contacts", type="contact", law=_law(some[0], others[0]), **fields)
    _layers(tree, meeting, paired)
    _apart(reader, tree, shapes, [part for part in parts if part.tag == "exclude"], paired)


def masks_meet(a: tuple[int, int], b: tuple[int, int]) -> bool:
    """Whether geoms of two masks (contype, conaffinity) meet."""
    return bool(a[0] & b[1] or b[0] & a[1])


def _layers(tree: Tree, shapes: list[Geom], paired: set[frozenset[str]]) -> None:
    """A layer for each mask where some masks part geoms. A <pair> touches whatever its masks are: one more layer lets it."""
    by_masks: dict[tuple[int, int], list[str]] = {}
    for geom in shapes:
        by_masks.setdefault(geom.masks, []).append(geom.marker)
    if all(masks_meet(a, b) for a, b in combinations_with_replacement(by_masks, 2)):
        return
    names = {masks: tree.free_name(f"contype_{masks[0]}_conaffinity_{masks[1]}", "layer") for masks in by_masks}
    met: dict[str, list[str]] = {name: [] for name in names.values()}
    for a, b in combinations_with_replacement(by_masks, 2):
        if masks_meet(a, b):
            met[names[a]].append(names[b])
    for masks, markers in by_masks.items():
        name = names[masks]
        tree.sections["relations"][name] = {"type": "contact_layer", "shapes": markers, **({"meets": met[name]} if met[name] else {})}
    masks_of = {geom.marker: geom.masks for geom in shapes}
    for pair in sorted(map(sorted, paired)):
        if all(marker in masks_of for marker in pair) and not masks_meet(masks_of[pair[0]], masks_of[pair[-1]]):
            name = tree.free_name("pair", "layer")
            tree.sections["relations"][name] = {"type": "contact_layer", "shapes": pair, "meets": [name]}


def _law(a: Geom, b: Geom) -> dict[str, Any]:
    """The law of two geoms: the larger frictions, or those of the higher priority."""
    if a.priority != b.priority:
        a = b = max(a, b, key=lambda geom: geom.priority)
    return _friction(max(a.condim, b.condim), tuple(max(x, y) for x, y in zip(a.friction, b.friction, strict=True)))


def _friction(condim: int, friction: tuple[float, ...]) -> dict[str, Any]:
    sliding, spinning, rolling = friction
    if condim == 1 or not sliding:
        return {"type": "newton_impact", "restitution": 0.0}
    if condim == 3:
        return {"type": "coulomb_impact", "friction": sliding}
    return {"type": "rolling_impact", "friction": sliding, "spinning": spinning, **({"rolling": rolling} if condim == 6 else {})}


def _pair(reader: MjcfReader, tree: Tree, pair: Element) -> frozenset[str] | None:
    """The contact of a <pair>, and its two markers."""
    known = {geom.name: geom for geom in reader.geoms}
    found = []
    for word in ("geom1", "geom2"):
        name = clean(pair.attributes.get(word, ""))
        if name not in known:
            return reader.fault(pair, f"contact/pair/{word}", f"names the geom {g.short(name)}, which is not there", g.near(name, list(known)))
        geom = known[name]
        if not geom.marker and (made := reader.shapes.marker(geom)) is not None:
            geom.marker = tree.shape(geom.name, geom.body, geom.place, *made)
        found.append(geom)
    if not all(geom.marker for geom in found):
        return None
    a, b = found
    f = reader.numbers(pair, "friction", "contact/pair", (max(a.friction[0], b.friction[0]),) * 2 + (max(a.friction[1], b.friction[1]),) + (max(a.friction[2], b.friction[2]),) * 2, 1)
    if f[0] != f[1] or f[3] != f[4]:
        reader.note(pair, "contact/pair/friction", "has two directions, of which the first is taken", kind="two directions")
    condim = int(reader.number(pair, "condim", "contact/pair", max(a.condim, b.condim)))
    tree.add("relations", "contacts", type="contact", A=[a.marker], B=[b.marker], law=_friction(condim, (float(f[0]), float(f[2]), float(f[3]))))
    return frozenset((a.marker, b.marker))


def _part(tree: Tree, name: str, some: list[str], others: list[str], paired: set[frozenset[str]]) -> None:
    """Keeps shapes from touching; those of a <pair> do touch. No others: shapes among each other."""
    both = set(some) | set(others)
    if not any(pair <= both for pair in paired):
        tree.add("relations", name, type="no_contact", A=some, **({"B": others} if others else {}))
        return
    for i, a in enumerate(some):
        apart = [b for b in others or some[i + 1 :] if frozenset((a, b)) not in paired]
        if apart:
            tree.add("relations", name, type="no_contact", A=[a], B=apart)


def _apart(reader: MjcfReader, tree: Tree, shapes: list[Geom], excluded: list[Element], paired: set[frozenset[str]]) -> None:
    """Bodies that never touch but in a <pair>: those that are fixed to each other, those of which one carries the other, and those that the file names."""
    by_body: dict[str, list[Geom]] = {}
    for geom in shapes:
        by_body.setdefault(geom.body, []).append(geom)
    by_held: dict[str, list[str]] = {}
    for name in by_body:
        by_held.setdefault(reader.held[name], []).append(name)

    def markers(bodies: list[str]) -> list[str]:
        return [geom.marker for name in bodies for geom in by_body.get(name, ())]

    filtered = not any(element.attributes.get("filterparent") == "disable" for element in reader.option.children)
    for held, bodies in by_held.items():
        if held == WORLD:
            continue
        if len(bodies) > 1:
            _part(tree, f"{held}_apart", markers(bodies), [], paired)
        above = reader.held[reader.parents[held]]
        if filtered and above != WORLD and above in by_held:
            _part(tree, f"{held}_apart", markers(by_held[above]), markers(bodies), paired)
    for exclude in excluded:
        names = [clean(exclude.attributes.get(word, "")) for word in ("body1", "body2")]
        names = [WORLD if name == "world" else name for name in names]
        if wrong := next((name for name in names if name not in reader.parents), None):
            reader.fault(exclude, "contact/exclude", f"names the body {g.short(wrong)}, which is not there", g.near(wrong, list(reader.parents)))
        elif all(name in by_body for name in names) and names[0] != names[1]:
            _part(tree, clean(exclude.attributes.get("name", f"{names[0]}_{names[1]}_apart")), markers(names[:1]), markers(names[1:]), paired)
