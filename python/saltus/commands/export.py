"""`saltus export RESULT OUT.{h5,csv}`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

ORDER = 70


def export(
    result: Annotated[Path, typer.Argument(help="result file that `saltus run` wrote")],
    out: Annotated[Path, typer.Argument(help="file to write: .h5 (HDF5) or .csv")],
    every: Annotated[float | None, typer.Option(help="even times this far apart [s], by the scheme's own curve, instead of the recorded ones")] = None,
) -> None:
    """Write a result as HDF5 or CSV. A result whose run was killed is exported up to its last complete chunk."""
    from saltus.errors import Fault, ModelError
    from saltus.store import ResultReader
    from saltus.store.export import EvenTimes, write_csv, write_hdf5

    writers = {".h5": write_hdf5, ".hdf5": write_hdf5, ".csv": write_csv}
    if out.suffix.lower() not in writers:
        raise ModelError(Fault("", f"the format of an export is told by its name: {out.suffix or 'no ending'!r} is none",
                               "end it with .h5 or .csv", str(out)))
    with ResultReader(result) as reader:
        writers[out.suffix.lower()](reader if every is None else EvenTimes(reader, every), out)
        if not reader.finished:
            typer.echo(f"warning: {result}: the run did not end; exported up to t = {reader.end_time:g} s", err=True)
    typer.echo(str(out))
