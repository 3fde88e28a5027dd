"""Poses of the moving frames over time, straight from the recorded coordinates, and their quantized form."""

from __future__ import annotations

import numpy as np

from saltus import _core
from saltus.curve import PER_TURN, states_at
from saltus.view.container import Arrays
from saltus.view.places import FRAMES, LINE, LINK, Places, link_poses

EVEN = 600  # states of a run that are drawn at least
CLOSE = 1e-3  # of the model's size: how far a place may be off between two states that are drawn


class Poses:
    """Reads (p, quaternion) of every frame from the states of a system.

    The coordinates of a node are a slice of the state; where it begins follows from the order of the nodes, which the
    engine is asked about for each of them up to 2000, and for a sample of more.
    """

    def __init__(self, system: _core.System, places: Places):
        self.count = len(places.nodes)
        sizes = system.sizes()
        self._p = np.full((self.count, 3), -1)
        self._constant = np.array([p for p, _ in places.reference]).reshape(self.count, 3)
        self._quaternion = np.full((self.count, 4), -1)
        self._angle = np.full(self.count, -1)
        order = _Order(system, sizes)
        self._system, self._links = system, [(i, name) for i, (name, kind) in enumerate(zip(places.nodes, places.types)) if kind == LINK]
        for i, (name, kind) in enumerate(zip(places.nodes, places.types)):
            if kind == LINK:
                continue
            begin = order.begin(name, FRAMES.get(kind, 1))
            moving = 1 if kind == LINE else 2 if kind.endswith("2d") else 3
            self._p[i, :moving] = begin + np.arange(moving)
            if kind == "node_rigid":
                self._quaternion[i] = begin + 3 + np.arange(4)
            elif kind == "node_rigid_2d":
                self._angle[i] = begin + 2
        self.turning = np.unique([*np.flatnonzero((self._quaternion[:, 0] >= 0) | (self._angle >= 0)), *(i for i, _ in self._links)]).astype(int)

    def __call__(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(p (n, frames, 3) [m], unit quaternions (n, frames, 4)) of states y (n, ny)."""
        n = len(y)
        p = np.where(self._p >= 0, y[:, self._p.ravel()].reshape(n, self.count, 3), self._constant)
        q = np.zeros((n, self.count, 4))
        q[..., 0] = 1.0
        full, plane = np.flatnonzero(self._quaternion[:, 0] >= 0), np.flatnonzero(self._angle >= 0)
        q[:, full] = y[:, self._quaternion[full].ravel()].reshape(n, len(full), 4)
        half = 0.5 * y[:, self._angle[plane]]
        q[:, plane, 0], q[:, plane, 3] = np.cos(half), np.sin(half)
        for i, name in self._links:
            p[:, i], q[:, i] = link_poses(self._system, name, y)
        return p, q / np.linalg.norm(q, axis=-1, keepdims=True)


class _Order:
    """First entry of each node's coordinates in the state."""

    def __init__(self, system: _core.System, sizes: dict[str, int]):
        self._system, self._sizes = system, sizes
        self._zero = [np.zeros(1), np.arange(sizes["ny"], dtype=float)[None], *(np.zeros((1, sizes[k])) for k in ("nv", "rows", "nd"))]
        self._many = sizes["nq"] > 14000
        self._next = 0

    def begin(self, name: str, count: int) -> int:
        if self._many and self._next and hash_of(name) % 97:
            begin = self._next
        else:
            values, _, _ = self._system.evaluate(f"{name}.coordinate", *self._zero)
            begin = int(values[0, 0])
            if values.shape[1] != count or (self._many and self._next and begin != self._next):
                raise AssertionError(f"coordinates of {name} are not where the order of the nodes puts them")
        self._next = begin + count
        return begin


def hash_of(name: str) -> int:
    """The same number for a name in every process."""
    return sum(name.encode())


def chosen_frames(t: np.ndarray, most: int, events: np.ndarray) -> np.ndarray:
    """Indices of at most `most` recorded states to draw: all, or evenly over time with those next to events."""
    n = len(t)
    if n <= most:
        return np.arange(n)
    near = np.searchsorted(t, events)
    near = np.unique(np.concatenate([near - 1, near, near + 1]))
    near = near[(near >= 0) & (near < n)]
    room = min(len(near), max(most // 4, 0))
    near = near[np.linspace(0, len(near) - 1, room).astype(int)] if room else near[:0]
    even = np.searchsorted(t, np.linspace(t[0], t[-1], max(2, most - room)))
    return np.unique(np.concatenate([np.clip(even, 0, n - 1), near])).astype(int)


def shown_states(recorded, poses: Poses, size: float, most: int, *, rates: bool = True) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """States to draw, for straight lines between their poses, and by state the recorded one at or after it.

    At most about `most`, but all recorded ones where they are that few: EVEN over the run, PER_TURN a turn, both sides of a
    jump of velocities, and more where a place would be off by CLOSE of the model's size. Of more recorded states than `most` a choice.
    """
    a = recorded.arrays
    t = np.asarray(a["t"], dtype=float)
    if recorded.is_static or len(t) < 2 or len(t) > most:
        chosen = chosen_frames(t, most, np.array([when for when, *_ in recorded.events]))
        chosen = chosen[-1:] if recorded.is_static else chosen
        return {key: np.ascontiguousarray(a[key][chosen]) for key in ("t", "y", "a", "lam", "data")}, chosen
    track = recorded.track()
    room = max(most - len(t), most // 4)
    times, before = track.grid(min(EVEN, room), per_turn=PER_TURN, most=room)
    middle = 0.5 * (times[1:] + times[:-1])
    p = poses(states_at(track, times, before, rates=False)["y"])[0]
    off = np.abs(poses(states_at(track, middle, rates=False)["y"])[0] - 0.5 * (p[1:] + p[:-1])).max(axis=(1, 2), initial=0.0)
    parts = np.maximum(1, np.ceil(np.minimum(100.0, np.nan_to_num(np.sqrt(off / (CLOSE * size)))))).astype(int)
    if (more := int(parts.sum()) - len(parts)) > room:
        parts = np.maximum(1, np.rint(1 + (parts - 1) * (room / more))).astype(int)
    inside = np.concatenate([np.arange(1, n) / n for n in parts]) if parts.max(initial=1) > 1 else np.zeros(0)
    begin = np.repeat(np.arange(len(parts)), parts - 1)
    added = times[begin] + inside * (times[begin + 1] - times[begin])
    times, before = np.insert(times, begin + 1, added), np.insert(before, begin + 1, 0)
    return states_at(track, times, before, rates), np.minimum(np.searchsorted(t, times), len(t) - 1)


def put_tracks(arrays: Arrays, p: np.ndarray, q: np.ndarray, turning: np.ndarray) -> None:
    """Keeps poses in 16 bits: p in steps of its own range / 65535, so an error of half a step; quaternions in 1/32767."""
    low, high = p.min(axis=0, initial=np.inf), p.max(axis=0, initial=-np.inf)
    if not len(p):
        low = high = np.zeros(p.shape[1:])
    step = np.where(high > low, (high - low) / 65535.0, 0.0).astype("<f4").astype(float)
    scaled = np.divide(p - low, step, out=np.zeros_like(p), where=step > 0)
    arrays.put("p", np.rint(np.clip(scaled, 0, 65535)).transpose(1, 2, 0), "u2", delta=True)
    arrays.put("p.low", low, "f8")
    arrays.put("p.step", step, "f8")
    # The sign that stays near the one before: q and -q are one rotation.
    q = q[:, turning].copy()
    if len(q) > 1:
        flips = np.cumprod(np.where(np.einsum("nfi,nfi->nf", q[1:], q[:-1]) < 0, -1.0, 1.0), axis=0)
        q[1:] *= flips[..., None]
    arrays.put("q", np.rint(q * 32767).transpose(1, 2, 0), "i2", delta=True)
    arrays.put("turning", turning, "i4")
