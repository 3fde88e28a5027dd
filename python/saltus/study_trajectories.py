"""Trajectories of a study as Parquet files in a folder beside its file: parts of bounded size, written as they come."""

from __future__ import annotations

import os
import shutil
import time as clock
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from saltus.errors import Fault, ModelError, missing_extra

if TYPE_CHECKING:
    from numpy.typing import NDArray

PART_BYTES = 64 << 20
PART_SECONDS = 5.0  # what a kill may cost
Batch = list[tuple[int, Any, str | None]]


class Trajectories:
    """Rows (run, time, quantities). Those of one run stand together; a run that was written twice, before a kill and after, counts once."""

    def __init__(self, path: str | os.PathLike[str]):
        try:
            import pyarrow.parquet  # noqa: F401
        except ImportError:
            raise missing_extra("trajectories of a study", "tables") from None
        self.folder = Path(f"{os.fspath(path)}.trajectories")
        if not Path(path).exists() or Path(path).stat().st_size == 0 or not self._is_of(Path(path)):
            shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True, exist_ok=True)
        self._number = 1 + max((int(part.stem[5:]) for part in self.folder.glob("part-*.parquet")), default=-1)
        self._tables: list[Any] = []
        self._bytes, self._began, self._rows = 0, clock.monotonic(), []  # type: ignore[var-annotated]

    @staticmethod
    def _is_of(path: Path) -> bool:
        with path.open() as file:
            return len(file.readlines(1 << 20)) > 1  # rows, not the head alone

    def add(self, run: int, columns: dict[str, NDArray[Any]]) -> None:
        import pyarrow

        n = len(next(iter(columns.values()))) if columns else 0
        table = pyarrow.table({"run": np.full(n, run, dtype=np.int64), **columns})
        self._tables.append(table)
        self._bytes += table.nbytes

    def wait(self, batch: Batch, write: Callable[[Batch], None]) -> None:
        """Writes the rows of the table when their trajectories are on the disk."""
        self._rows += batch
        if self._bytes > PART_BYTES or clock.monotonic() - self._began > PART_SECONDS:
            self.close(write)

    def close(self, write: Callable[[Batch], None]) -> None:
        import pyarrow
        import pyarrow.parquet

        if self._tables:
            target = self.folder / f"part-{self._number:05d}.parquet"
            draft = target.with_suffix(".tmp")
            try:
                pyarrow.parquet.write_table(pyarrow.concat_tables(self._tables), draft)
                os.replace(draft, target)
            except OSError as error:
                raise ModelError(Fault("study/trajectories", f"cannot be written: {error.strerror or error}", "free the disk; what was written is kept", str(target))) from None
            self._number += 1
        write(self._rows)
        self._tables, self._rows, self._bytes, self._began = [], [], 0, clock.monotonic()

    def dataset(self) -> Any:
        import pyarrow.dataset

        return pyarrow.dataset.dataset(sorted(str(part) for part in self.folder.glob("part-*.parquet")), format="parquet")

    def of(self, run: int) -> dict[str, NDArray[Any]]:
        import pyarrow.dataset

        table = self.dataset().to_table(filter=pyarrow.dataset.field("run") == run)
        columns = {name: table[name].to_numpy() for name in table.column_names if name != "run"}
        time = columns.get("time [s]")
        if time is not None and len(time) and (again := np.flatnonzero(np.diff(time) < 0)).size:  # written before a kill, too
            columns = {name: values[again[-1] + 1 :] for name, values in columns.items()}
        return columns


__all__ = ["Trajectories"]
