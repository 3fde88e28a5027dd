"""From results to scenes and pages: what `Result.show`, `to_html`, `saltus view` and the reports share."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from saltus.errors import Fault, ModelError, unwritten
from saltus.handles import Body
from saltus.view.page import page_with
from saltus.view.scene import PAGE, Limits, scene_of

if TYPE_CHECKING:
    from saltus.model import Model
    from saltus.result import Result


def shapes_of(result: Result) -> dict[str, Any]:
    """Shapes by body, of the handles that made the model or of the file that kept them."""
    return {**shapes_of_model(result._model), **result._shapes} if result._model is not None else dict(result._shapes)


def shapes_of_model(model: Model) -> dict[str, Any]:
    """Shapes by body of a model: those of its handles, or of the markers of a model file."""
    bodies = [handle for name, (section, _) in model._names.items() if section == "bodies" and isinstance(handle := model[name], Body)]
    return {handle.name: handle._look or handle._shape for handle in bodies if handle._look or handle._shape}


def scene(result: Result, *, title: str = "", limits: Limits | None = None, forces: bool = True) -> bytes:
    """The container of a result."""
    from saltus import _core

    recorded, outputs = result._recorded, result._named_outputs()
    if result._system is not recorded.system:  # frames that outputs read came after the run
        recorded = replace(recorded, system=result._system, _track=None)
    there = {name for _, _, name in recorded.system.items()}
    model = result._model._engine if result._model is not None else _core.Model.parse(recorded.model_text, "")
    if not {name for section, _, name in model.records() if section != "laws"} <= there and recorded.model_text:  # others came, too
        model = result._ran()
    return scene_of(recorded, model, shapes=shapes_of(result), title=title, limits=limits, forces=forces, outputs=outputs)


def to_html(result: Result, *, title: str = "", compare: Result | None = None) -> str:
    """The page as text: see Result.to_html."""
    parts = [scene(result, title=title, limits=PAGE)]
    if compare is not None:
        parts.append(scene(compare, title=f"{title} (2)" if title else "second result", limits=PAGE))
    return page_with(parts, title)


def write_page(result: Result, path: str | os.PathLike, *, title: str = "", compare: Result | None = None) -> str:
    """Writes the page and returns its name."""
    refuse_other_endings(path, "a page", 'result.to_png("motion.png") writes a picture')
    return write_text(path, to_html(result, title=title or Path(path).stem, compare=compare))


def refuse_other_endings(path: str | os.PathLike, what: str, remedy: str) -> None:
    """Refuses names of files that are of another kind than HTML."""
    if Path(path).suffix.lower() in (".png", ".jpg", ".jpeg", ".gif", ".svg", ".pdf", ".webm", ".mp4", ".json", ".csv", ".saltus"):
        raise ModelError(Fault("", f"is the name of another kind of file: {what} is HTML", f"end its name with .html; {remedy}", os.fspath(path)))


def write_text(path: str | os.PathLike, text: str) -> str:
    """Writes a file and returns its name; ModelError where that cannot be."""
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise ModelError(unwritten(path, error)) from None
    return os.fspath(path)
