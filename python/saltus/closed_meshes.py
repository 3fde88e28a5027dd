"""Solids inside surfaces of triangles: whether they are closed, which triangles are turned inside out, where the surface crosses itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from saltus import _core
from saltus.errors import Fault
from saltus.mesh_files import Triangles

CROSSES = "goes through itself"  # as the engine says it, too


def closed(surface: Triangles, path: str, tell: bool = True) -> Triangles:
    """The surface, if it is closed, with the parts turned whose triangles all look inwards; tell: of these with a warning.

    Of several parts that do not share an edge those in an odd number of others are holes, which look inwards."""
    a, b, same_way = _neighbours(surface, path)
    part, turned = _turned(surface, a, b, same_way, path)
    for one in np.unique(part[turned]):
        mine = np.flatnonzero(part == one)
        if _inside_of(surface, part, turned, one):  # a hole
            turned[mine] = ~turned[mine]
        inverted = mine[turned[mine]]
        if 0 < len(inverted) < len(mine):
            s = "s" * (len(inverted) > 1)
            surface.refuse(path, inverted[0], f"{surface.named(inverted)} of {len(mine)} {'are' if s else 'is'} inverted: the corners run clockwise seen from outside", f"swap two corners of the triangle{s}")
    if turned.any() and tell:
        which = "" if turned.all() else f", from {surface.named(np.flatnonzero(turned))},"
        surface.warn(path, int(np.flatnonzero(turned)[0]), f"is inside out: the corners of all {turned.sum()} triangles{which} run clockwise seen from outside; they are turned", "write the file anew with outward normals")
    faces = np.where(turned[:, None], surface.faces[:, ::-1], surface.faces)
    return replace(surface, faces=faces)


def _neighbours(surface: Triangles, path: str) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Both triangles at each edge, and whether the edge runs the same way in both, so that one looks the other way."""
    faces, n = surface.faces, len(surface.faces)
    edges = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    low, high = edges.min(axis=1), edges.max(axis=1)
    _, edge, counts = np.unique(low * len(surface.points) + high, return_inverse=True, return_counts=True)
    order = np.argsort(edge, kind="stable")
    lone = int((counts == 1).sum())
    if lone:
        t = int(order[np.repeat(counts, counts) == 1].min()) % n
        surface.refuse(path, t, f"is open: {lone} edge{'s bound' if lone > 1 else ' bounds'} one triangle only, as of {surface.named([t])}", "close its holes, or give the mass and inertia as numbers")
    if counts.max() > 2:
        crowd = order[np.repeat(counts, counts) > 2]
        there = sorted({int(t) % n for t in crowd[edge[crowd] == edge[crowd[0]]]})
        surface.refuse(path, there[0], f"{surface.named(there)} share one edge, and at most two can", "split the surface into solids that do not share edges")
    first, second = order[::2], order[1::2]
    return first % n, second % n, edges[first, 0] == edges[second, 0]


def _turned(surface: Triangles, a: NDArray[Any], b: NDArray[Any], same_way: NDArray[Any], path: str) -> tuple[NDArray[Any], NDArray[Any]]:
    """The part of each triangle, and whether it looks into its part.

    Each triangle stands twice, as it is (t) and turned (t + n): neighbours that look the same way are joined as they are and turned, others across."""
    n = len(surface.faces)
    label = _joined(2 * n, np.concatenate([a, a + n]), np.concatenate([b + n * same_way, b + n * ~same_way]))
    as_is, as_turned = label[:n], label[n:]
    if (as_is == as_turned).any():
        t = int(np.flatnonzero(as_is == as_turned)[0])
        surface.refuse(path, t, f"{surface.named([t])} lies in a surface with one side only, as Moebius' strip", "a solid has an inside and an outside")
    part = np.minimum(as_is, as_turned)
    turned = as_is != part  # against the first of its part
    points = surface.points - surface.points.mean(axis=0)
    x, y, z = np.moveaxis(points[surface.faces], 1, 0)
    six = np.einsum("ij,ij->i", x, np.cross(y, z)) * np.where(turned, -1.0, 1.0)
    inward = np.bincount(part, six, 2 * n) < 0.0
    return part, turned ^ inward[part]


def _joined(count: int, a: NDArray[Any], b: NDArray[Any]) -> NDArray[Any]:
    """The least number of those that are joined with each, by pairs (Shiloach, Vishkin 1982)."""
    label = np.arange(count)
    while True:
        low = np.minimum(label[a], label[b])
        before = label.copy()
        np.minimum.at(label, before[a], low)
        np.minimum.at(label, before[b], low)
        while (label[label] != label).any():
            label = label[label]
        if (label == before).all():
            return label


def _inside_of(surface: Triangles, part: NDArray[Any], turned: NDArray[Any], one: int) -> bool:
    """Whether a part lies in an odd number of others: each goes round a point of it once or not (van Oosterom, Strackee 1983)."""
    others = part != one
    if not others.any():
        return False
    p = surface.points[surface.faces[np.flatnonzero(part == one)[0], 0]]
    a, b, c = np.moveaxis(surface.points[surface.faces[others]] - p, 1, 0)
    la, lb, lc = (np.linalg.norm(x, axis=1) for x in (a, b, c))
    dot = lambda x, y: np.einsum("ij,ij->i", x, y)  # noqa: E731
    angle = 2.0 * np.arctan2(dot(a, np.cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb)
    around = np.bincount(part[others], np.where(turned[others], -1.0, 1.0) * angle) / (4.0 * np.pi)
    return bool(np.round(np.abs(around)).sum() % 2)


def warn_of_crossings(surface: Triangles, path: str) -> None:
    """Warns where the surface goes through itself."""
    found = _core.mesh_crossings(surface.points.tolist(), surface.faces.tolist())
    if found:
        first, second, place = found[0]
        more = f", as {len(found) - 1} other pairs" if len(found) > 2 else ", as another pair" if len(found) == 2 else ""
        at = ", ".join(f"{x:.4g}" for x in place)
        surface.warn(path, first, f"{CROSSES}: {surface.named([first, second])} cross at ({at}) m{more}; its mass counts twice what lies in it twice", "join its parts into one surface, or make a body of each")


def untold(faults: Sequence[Fault], of_verbs: Sequence[Fault]) -> list[Fault]:
    """Warnings of the engine, but not again that a surface crosses itself, which its verb told with the triangles of its file."""
    told = {f"{fault.path.split('/')[1]}_shape" for fault in of_verbs if CROSSES in fault.message}
    return [fault for fault in faults if CROSSES not in fault.message or fault.path.split("/")[1] not in told]
