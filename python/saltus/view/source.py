"""Results as a source of the viewer: the scene at once, any quantity when it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from saltus.errors import ModelError
from saltus.view.container import Arrays
from saltus.view.protocol import Message, error_message, scene_message, series_message
from saltus.view.scene import add_series
from saltus.view.shows import scene
from saltus.view.tracks import chosen_frames
from saltus.view.websocket import WebSocket

if TYPE_CHECKING:
    from saltus.result import Result

POINTS = 4000  # of a plot


def series_container(system, path: str, arrays: dict[str, np.ndarray], events: np.ndarray) -> bytes:
    """A container of one quantity over the recorded states; empty where the model has no such quantity."""
    chosen = chosen_frames(arrays["t"], POINTS, events)
    states = {key: np.ascontiguousarray(arrays[key][chosen]) for key in ("t", "y", "a", "lam", "data")}
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
            recorded = result._recorded
            container = series_container(recorded.system, message.path, recorded.arrays, np.array([e[0] for e in recorded.events]))
        page.send(series_message(message.number, container))

    def left(self, page: WebSocket) -> None:
        pass
