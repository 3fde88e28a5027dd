"""Poses of the moving frames over time, straight from the recorded coordinates, and their quantized form."""

from __future__ import annotations

import numpy as np

from saltus import _core
from saltus.curve import PER_TURN, states_at
from saltus.view.container import Arrays
from saltus.view.pictures import picture_of
from saltus.view.places import Places
from saltus.view.ropes import RopePoints, matrices

EVEN = 600  # states of a run that are drawn at least
CLOSE = 1e-3  # of the model's size: how far a place may be off between two states that are drawn


class Poses:
    """(p, quaternion) of every frame of a model at states of its system, as the engine computes them, and behind them of places along its ropes."""

    def __init__(self, system: _core.System, places: Places):
        self._system, nodes = system, len(places.nodes)
        self.ropes: dict[str, tuple[int, RopePoints]] = {}  # the first of its places
        self.count = nodes
        for name, record in places.records.items():
            if picture_of(record).shape == "rope" and not places.on_line:
                rope = RopePoints(places, record["fields"]["through"])
                self.ropes[name] = (self.count, rope)
                self.count += rope.count
        q = {item: (begin, names) for item, part, _, begin, names, _ in system.layout() if part == "q"}
        self._line = [q[name][0] for name in places.nodes] if places.on_line else None  # entries of y
        number = {name: i for i, (name, _) in enumerate(system.frame_names())}
        self._frames = np.array([number[name] for name in places.nodes] if self._line is None else [], dtype=int)
        moves = [set(q[name][1]) if name in q else set("?") for name in places.nodes]
        self._offset = np.zeros(self.count)  # [m], by which coordinates are drawn apart
        self.turning = np.flatnonzero([self._line is None and not names <= set("xyz") for names in moves])

    def __call__(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(p (n, frames, 3) [m], unit quaternions (n, frames, 4)) of states y (n, ny)."""
        if self._line is None:
            poses = self._system.frames(np.ascontiguousarray(y, dtype=float))[:, self._frames]
            return self.with_ropes(poses[..., :3], poses[..., 3:])
        p, q = np.zeros((len(y), self.count, 3)), np.zeros((len(y), self.count, 4))
        p[..., 0], q[..., 0] = y[:, self._line] + self._offset, 1.0
        return p, q

    def with_ropes(self, p: np.ndarray, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The poses of the model's frames, and those of the places along its ropes, which do not turn."""
        if not self.ropes:
            return p, q
        R = matrices(q)
        points = np.concatenate([rope.at(p, R) for _, rope in self.ropes.values()], axis=1)
        still = np.zeros((*points.shape[:2], 4))
        still[..., 0] = 1.0
        return np.concatenate([p, points], axis=1), np.concatenate([q, still], axis=1)
    def draw_apart(self, y: np.ndarray) -> None:
        """Displacements of masses that all begin at one place are drawn side by side, as far apart as they travel at most; y (n, ny)."""
        if self._line is None or self.count < 2:
            return
        x = y[:, self._line]
        travel = float(np.ptp(x, axis=0).max(initial=0.0))
        if travel > 0.0 and np.ptp(x[0]) <= 1e-6 * travel:
            self._offset = 1.6 * travel * np.arange(1, self.count + 1)


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
