"""`saltus export RESULT OUT`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, List, Optional

import typer

ORDER = 70


def export(
    result: Annotated[Path, typer.Argument(help="result file that `saltus run` wrote")],
    out: Annotated[Path, typer.Argument(help="file to write: .csv, .json, .parquet, .mat, .h5 (HDF5), .vtkhdf (ParaView), .glb or .gltf (animation)")],
    every: Annotated[Optional[float], typer.Option(help="even times this far apart [s], by the scheme's own curve, instead of the recorded ones")] = None,
    quantity: Annotated[Optional[List[str]], typer.Option("--quantity", metavar="NAME.QUANTITY", help="only this, as crank.position.x, or a named output; may be repeated")] = None,
    states: Annotated[bool, typer.Option("--states", help="the states as the solver has them, y[0], y[1], ..., in .csv or .h5")] = False,
) -> None:
    """Write a result for other programs: outputs, poses, joints, forces, contacts and parameters with names and units. A result whose run was killed is
    exported up to its last complete chunk."""
    from saltus.errors import Fault, ModelError
    from saltus.exports.tabular import ENDINGS
    from saltus.store import ResultReader

    ending = out.suffix.lower()
    known = (".h5", ".hdf5", ".csv") if states else (*ENDINGS, ".h5", ".hdf5")
    if ending not in known:
        raise ModelError(Fault("", f"the format of an export follows from its name: {ending or 'no ending'!r} is none", f"end it with {', '.join(known[:-1])} or {known[-1]}", str(out)))
    with ResultReader(result) as reader:
        named = bool(reader.model) and "y" in reader.channels
        if not named and not states and ending not in (".h5", ".hdf5", ".csv"):
            raise ModelError(Fault("model", "is not in this file, as that of a run with Python functions", "write a .csv or .h5, or call result.export in the program", str(result)))
        if states or not named or ending in (".h5", ".hdf5"):
            _states(reader, every, quantity or [], out, named and not states)
        else:
            _named(result, every, quantity or [], out)
        if not reader.finished:
            typer.echo(f"warning: {result}: the run did not end; exported up to t = {reader.end_time:g} s", err=True)
    typer.echo(str(out))


def _states(reader, every: Optional[float], quantities: list[str], out: Path, named: bool) -> None:
    """The channels of the file; an HDF5 has the named quantities beside them."""
    from saltus.store.export import EvenTimes, write_csv, write_hdf5

    channels = reader if every is None else EvenTimes(reader, every)
    if out.suffix.lower() == ".csv":
        write_csv(channels, out)
        return
    table = None
    if named:
        from saltus.exports.columns import table_of
        from saltus.result_file import load_result

        loaded = load_result(reader.path)
        table = table_of(loaded if every is None else loaded.resample(every), quantities)
    write_hdf5(channels, out, table)


def _named(result: Path, every: Optional[float], quantities: list[str], out: Path) -> None:
    from saltus.result_file import load_result

    loaded = load_result(result)
    (loaded if every is None else loaded.resample(every)).export(out, *quantities)
