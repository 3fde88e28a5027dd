"""`saltus export RESULT OUT`, `saltus export MODEL OUT.fmu`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, List, Optional

import typer

ORDER = 70


def export(
    result: Annotated[Path, typer.Argument(help="result file that `saltus run` wrote; for .fmu a model file")],
    out: Annotated[Path, typer.Argument(help="file to write: .csv, .json, .parquet, .mat, .h5 (HDF5), .vtkhdf (ParaView), .glb or .gltf (animation), .fmu (unit of a co-simulation)")],
    every: Annotated[Optional[float], typer.Option(help="even times this far apart [s], by the scheme's own curve, instead of the recorded ones")] = None,
    quantity: Annotated[Optional[List[str]], typer.Option("--quantity", metavar="NAME.QUANTITY", help="only this, as crank.position.x, or a named output; may be repeated")] = None,
    inputs: Annotated[Optional[List[str]], typer.Option("--input", metavar="NAME", help="of a .fmu: a parameter that a run may change, set by the other program; may be repeated")] = None,
    fmi: Annotated[str, typer.Option(help="of a .fmu: version of FMI, 3.0 or 2.0")] = "3.0",
    states: Annotated[bool, typer.Option("--states", help="the states as the solver has them, y[0], y[1], ..., in .csv or .h5")] = False,
) -> None:
    """Write a result for other programs: outputs, poses, joints, forces, contacts and parameters with names and units. A result whose run was killed is
    exported up to its last complete chunk. A model file is written as a unit of a co-simulation, OUT.fmu, with the named outputs or those of --quantity."""
    from saltus.errors import Fault, ModelError
    from saltus.exports.tabular import ENDINGS
    from saltus.model_files import is_result
    from saltus.store import ResultReader

    ending = out.suffix.lower()
    if ending == ".fmu":
        from saltus.model import Model
        from saltus.schemes import Scheme

        if states or every is not None:
            raise ModelError(Fault("", "--states and --every are of results, and a unit is of a model", "leave them out", str(result)))
        if result.exists() and is_result(result):
            raise ModelError(Fault("", "is a result, and a unit of a co-simulation is made of a model", f"write saltus export MODEL {out.name}", str(result)))
        model = Model.load(result)
        run = model._engine.run_options()  # as `saltus run` takes them
        settings = {"scheme": Scheme(run["scheme"], **run["options"]), "step": run["step"], "tolerance": run["tolerance"], "threads": run["threads"]}
        typer.echo(model.export(out, inputs=inputs or [], outputs=quantity or None, version=fmi, **settings))  # type: ignore[arg-type]
        return
    if inputs:
        raise ModelError(Fault("", "--input is of units of a co-simulation", "end the name of the file with .fmu", str(out)))
    known = (".h5", ".hdf5", ".csv") if states else (*ENDINGS, ".h5", ".hdf5")
    if ending not in known:
        shown = {".png": f"saltus view {result} --png {out}", ".webm": f"saltus view {result} --video {out}", ".gif": f"saltus view {result} --video {out}", ".html": f"saltus view {result} --html {out}"}
        remedy = f"write {shown[ending]}" if ending in shown else f"end it with {', '.join(known[:-1])} or {known[-1]}"
        raise ModelError(Fault("", f"the format of an export follows from its name: {ending or 'no ending'!r} is none", remedy, str(out)))
    if every is not None and not every > 0:
        raise ModelError(Fault("--every", f"is {every:g} s, must be above 0", "leave it out for the recorded times"))
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
