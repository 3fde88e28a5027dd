"""Tables of studies as files."""

from __future__ import annotations

import csv
import os
from pathlib import Path
from typing import Any

from saltus.errors import Fault, ModelError, missing_extra
from saltus.store.replacing import replacing


def write_study(columns: dict[str, list[Any]], path: str | os.PathLike[str]) -> str:
    """Writes the columns as .csv or .parquet, whole or not at all; returns the file's name."""
    target = Path(path)
    ending = target.suffix.lower()
    if ending not in (".csv", ".parquet"):
        raise ModelError(Fault("study/export", f"the format follows from the name: {ending or 'no ending'!r} is none", "end it with .csv or .parquet", os.fspath(path)))
    with replacing(target) as draft:
        if ending == ".csv":
            with draft.open("w", newline="", encoding="utf-8") as file:
                out = csv.writer(file)
                out.writerow(columns)
                out.writerows(zip(*columns.values(), strict=True))
        else:
            try:
                import pyarrow
                import pyarrow.parquet
            except ImportError:
                raise missing_extra("a Parquet file", "tables") from None
            pyarrow.parquet.write_table(pyarrow.table(columns), draft)
    return os.fspath(path)
