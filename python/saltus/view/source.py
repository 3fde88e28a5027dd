"""Results as a source of the viewer: the scene at once, any quantity when it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from saltus.curve import PER_TURN, states_at
from saltus.errors import ModelError
from saltus.view.container import Arrays
from saltus.view.protocol import Message, error_message, scene_message, series_message
from saltus.view.scene import add_series
from saltus.view.shows import scene
from saltus.view.tracks import chosen_frames
from saltus.view.websocket import WebSocket

if TYPE_CHECKING:
    from saltus.result import Result
    from saltus.running import Recorded

POINTS = 4000  # of a plot


def series_container(recorded: Recorded, path: str) -> bytes:
    """A container of one quantity over the run; empty where the model has no such quantity."""
    arrays, system = recorded.arrays, recorded.system
    if recorded.is_static or len(arrays["t"]) > POINTS:
        chosen = chosen_frames(arrays["t"], POINTS, np.array([when for when, *_ in recorded.events]))
        states = {key: np.ascontiguousarray(arrays[key][chosen]) for key in ("t", "y", "a", "lam", "data")}
    else:
        track = recorded.track()
        states = states_at(track, *track.grid(POINTS // 2, per_turn=PER_TURN, most=POINTS))
    head: dict = {"series": []}
    out = Arrays()
    try:
        add_series(head, out, system, path, states)
    except ModelError:
        return b""
    out.put("t", states["t"], "f8")
    return out.packed(head)


class ResultSource:
    """One result, or two to compare."""

    def __init__(self, results: list[Result], titles: list[str]):
        self._results = results
        self._scenes = [scene_message(i, scene(r, title=title, forces=False)) for i, (r, title) in enumerate(zip(results, titles))]

    def greet(self, page: WebSocket) -> None:
        for message in self._scenes:
            page.send(message)

    def take(self, page: WebSocket, message: Message) -> None:
        if message.kind != "series":
            page.send(error_message("This result is complete: there is no run to steer."))
            return
        result = self._results[message.which] if message.which < len(self._results) else None
        container = b""
        if result is not None:
            container = series_container(result._recorded, message.path)
        page.send(series_message(message.number, container))

    def left(self, page: WebSocket) -> None:
        pass
