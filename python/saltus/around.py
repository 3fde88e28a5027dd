"""What a program does around the steps of a run: looks, sets parameters, keeps pace with the clock."""

from __future__ import annotations

import time as clock
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from saltus import geometry as g
from saltus import running
from saltus.state import RunningState, State

if TYPE_CHECKING:
    from saltus.model import Model


class Around:
    """`before_step`, `after_step` and `realtime` of `simulate`."""

    def __init__(self, before_step: Callable[[State], Any] | None, after_step: Callable[[State], Any] | None, realtime: float | None):
        for word, hook in (("before_step", before_step), ("after_step", after_step)):
            if hook is not None and not callable(hook):
                g.refuse(f"simulation/{word}", f"is {g.short(hook)}, which is no function", "give a function f(state)")
        self._before, self._after, self._factor = before_step, after_step, realtime
        self._behind = 0.0

    def of(self, model: Model) -> running.Hooks | None:
        """The hooks of a run, as `running.run` takes them."""
        if self._before is None and self._after is None and self._factor is None:
            return None

        def hooks(recorded: running.Recorded, t: float) -> tuple[running.Hook | None, running.Hook | None]:
            return self._hook_before(model, recorded), self._hook_after(model, recorded, t)

        return hooks

    @property
    def steers(self) -> bool:
        """Whether functions of the program may change the run."""
        return self._before is not None or self._after is not None

    @property
    def waits(self) -> bool:
        """Whether the run keeps to the clock."""
        return self._factor is not None

    def report(self, recorded: running.Recorded) -> None:
        """Tells how the run kept pace."""
        if self._factor is not None:
            recorded.report["realtime"] = {"factor": self._factor, "behind": self._behind}

    def _hook_before(self, model: Model, recorded: running.Recorded) -> running.Hook | None:
        act = self._before
        if act is None:
            return None
        state = _running(model, recorded)

        def hook(now: bytes) -> list[float]:
            act(state._look(now, True))
            return state._engine.parameters().tolist()

        return hook

    def _hook_after(self, model: Model, recorded: running.Recorded, begins: float) -> running.Hook | None:
        act, factor = self._after, self._factor
        if act is None and factor is None:
            return None
        state = _running(model, recorded)
        began = clock.perf_counter()

        def hook(now: bytes) -> None:
            state._look(now, False)
            if act is not None:
                act(state)
            if factor is None:
                return
            ahead = (state.time - begins) / factor - (clock.perf_counter() - began)
            if ahead > 0.0:
                clock.sleep(ahead)
            self._behind = max(self._behind, -ahead)

        return hook


def _running(model: Model, recorded: running.Recorded) -> RunningState:
    chosen = recorded.options
    step = chosen["step"]
    settings = {"scheme": chosen["scheme"], "options": running.scheme_options(chosen), "tolerance": float(chosen["tolerance"]), "threads": 1,
                "step": None if step is None else float(step), "consistent": bool(chosen["consistent"])}  # fmt: skip
    return RunningState(model, settings, system=recorded.system)
