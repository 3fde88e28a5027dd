"""The file of a study: one line of JSON a point, so that a study that was cut goes on where it stood."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from saltus.geometry import refuse


class StudyFile:
    """Rows of a study as lines of JSON; numbers read back with the same bits. A line that was cut is done again."""

    def __init__(self, path: str | os.PathLike, function: Callable, points: dict[str, list] | Sequence[dict[str, Any]]):
        """points: the values of each parameter of a grid, or samples."""
        self.path = Path(path)
        code = getattr(function, "__code__", None)
        axes = points if isinstance(points, dict) else {name: [point[name] for point in points] for name in points[0]}
        content = repr(
            (
                getattr(function, "identity", None) or getattr(function, "__qualname__", repr(function)),
                code.co_code.hex() if code else "",
                [repr(c) for c in code.co_consts if not hasattr(c, "co_code")] if code else "",
                [(name, [_key(v) for v in values]) for name, values in axes.items()],
            )
        )
        kind = {} if isinstance(points, dict) else {"samples": len(points)}
        self.head = {"saltus-study": 1, "of": hashlib.sha256(content.encode()).hexdigest(), "parameters": list(axes), **kind}
        self.rows: dict[int, tuple[Any, str | None]] = {}
        text = self.path.read_text() if self.path.exists() else ""
        lines = [line for line in text.splitlines(keepends=True) if line.endswith("\n")]
        if lines:
            try:
                if json.loads(lines[0]) != self.head:
                    refuse("study/path", f"{self.path} holds another study", "give another file or remove this one")
                for line in lines[1:]:
                    number, value, error = json.loads(line)
                    if error is None:  # failures are tried again
                        self.rows[number] = (_decoded(value), None)
            except (ValueError, TypeError) as error:
                refuse("study/path", f"{self.path} cannot be read: {error}", "remove it")
        self._file = open(self.path, "w" if not lines else "r+")
        if lines:
            self._file.truncate(len("".join(lines).encode()))
            self._file.seek(0, os.SEEK_END)
        else:
            self._file.write(json.dumps(self.head) + "\n")

    def write(self, batch: list[tuple[int, Any, str | None]]) -> None:
        """Rows of points that are done: number, value, error."""
        self._file.write("".join(json.dumps([number, _encoded(value), error]) + "\n" for number, value, error in batch))
        self._file.flush()

    def close(self) -> None:
        self._file.close()


def _key(value: Any) -> str:
    return repr(
        value.item() if isinstance(value, np.generic) else value.tolist() if isinstance(value, np.ndarray) else value
    )


def _encoded(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return {"array": value.tolist(), "dtype": value.dtype.str}
    if isinstance(value, dict):
        return {"dict": [[key, _encoded(entry)] for key, entry in value.items()]}
    return [_encoded(entry) for entry in value] if isinstance(value, list) else value


def _decoded(value: Any) -> Any:
    if isinstance(value, list):
        return [_decoded(entry) for entry in value]
    if isinstance(value, dict):
        return (
            np.array(value["array"], value["dtype"]) if "array" in value else {k: _decoded(v) for k, v in value["dict"]}
        )
    return value
