"""Tables of results for pandas, polars and xarray, and as files: CSV, JSON, Parquet, MAT."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from saltus.errors import Fault, ModelError, missing_extra
from saltus.exports.columns import Column, Columns
from saltus.store.replacing import replacing

if TYPE_CHECKING:
    import pandas
    import xarray

MAT_NAME = 63  # letters that MATLAB takes


def data_frame(table: Columns, library: str = "pandas") -> Any:
    """One column a number, `crank.position.x [m]`; the index of pandas is time [s], of polars time is the first column."""
    if library not in ("pandas", "polars"):
        raise ModelError(Fault("to_dataframe/library", f"is {library!r}", 'write "pandas" or "polars"'))
    try:
        import importlib

        made = importlib.import_module(library)
    except ImportError:
        raise missing_extra("a data frame", "tables") if library == "pandas" else ModelError(Fault("to_dataframe/library", "is polars, which is not installed", "pip install polars")) from None
    if library == "polars":
        return made.DataFrame({c.title: np.ascontiguousarray(c.values) for c in table.all()})
    return _pandas(made, table)


def _pandas(pd: Any, table: Columns) -> pandas.DataFrame:
    index = None if table.time is None else pd.Index(table.time, name="time [s]")
    columns = [c for c in table.all() if c.name != "time"]
    frame = pd.DataFrame({c.title: np.ascontiguousarray(c.values) for c in columns}, index=index)
    frame.attrs.update(table.run, parameters=table.parameters, units={c.title: c.unit for c in columns})
    return frame


SHARED = {"xyz": "axis", "wxyz": "quaternion_axis"}  # dimensions of xarray, by the names of components


def dataset(table: Columns) -> xarray.Dataset:
    """Quantities over `time`, vectors over `axis`, quaternions over `quaternion_axis`, others over their own components, each with its `units`; parameters as numbers of no axis."""
    try:
        import xarray
    except ImportError:
        raise missing_extra("an xarray data set", "tables") from None
    by_name = {column.name: column for column in table.columns}
    variables: dict[str, Any] = {}
    along = () if table.time is None else ("time",)
    for name, parts in table.groups.items():
        columns = [by_name[part] for part in parts]
        values = np.stack([c.values for c in columns], axis=-1)
        values = values[0] if table.time is None else values
        words = [part[len(name) + 1 :] for part in parts]
        dims = (*along, *(() if parts == [name] else (SHARED.get("".join(words), f"{name}.components"),)))
        variables[name] = (dims, values[..., 0] if parts == [name] else values, {"units": columns[0].unit})
    variables.update({f"parameters.{name}": ((), value) for name, value in table.parameters.items()})
    coords: dict[str, Any] = {} if table.time is None else {"time": ("time", table.time, {"units": "s"})}
    for name, parts in table.groups.items():
        for dim in variables[name][0]:
            if dim != "time":
                coords[dim] = [part[len(name) + 1 :] for part in parts]
    return xarray.Dataset(variables, coords, dict(table.run))


# Files.


def write_csv(table: Columns, path: Path) -> None:
    """One row a time, every digit of a double; the head has names and units."""
    columns = table.all()
    with path.open("w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow([c.title for c in columns])
        out.writerows(zip(*(c.values.tolist() for c in columns), strict=True))


def write_json(table: Columns, path: Path) -> None:
    """{"run", "parameters", "columns": [{"name", "unit", "values"}]}, time first; null for numbers that JSON does not have."""
    time = [] if table.time is None else [Column("time", "s", table.time)]
    columns = [{"name": c.name, "unit": c.unit, "values": [x if np.isfinite(x) else None for x in c.values.tolist()]} for c in [*time, *table.columns]]
    path.write_text(json.dumps({"run": table.run, "parameters": table.parameters, "columns": columns}, allow_nan=False), encoding="utf-8")


def write_parquet(table: Columns, path: Path) -> None:
    """Columns with `unit` in the metadata of each, the run and its parameters in that of the file."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise missing_extra("a Parquet file", "tables") from None
    columns = table.all()
    fields = [pyarrow.field(c.title, pyarrow.from_numpy_dtype(c.values.dtype), metadata={"unit": c.unit}) for c in columns]
    schema = pyarrow.schema(fields, metadata={**table.run, "parameters": json.dumps(table.parameters)})
    pyarrow.parquet.write_table(pyarrow.table([np.ascontiguousarray(c.values) for c in columns], schema=schema), path)


def write_mat(table: Columns, path: Path) -> None:
    """MATLAB 5: `time`, one array (n, components) a quantity under a name that MATLAB takes, structs `names`, `units`, `parameters`, `run`."""
    try:
        from scipy.io import savemat
    except ImportError:
        raise missing_extra("a MAT file", "numerics") from None
    by_name = {column.name: column for column in table.columns}
    held: dict[str, Any] = {} if table.time is None else {"time": table.time[:, None]}
    names: dict[str, str] = {}
    units: dict[str, str] = {}
    reserved = {"time", "names", "units", "parameters", "run"}
    for name, parts in table.groups.items():
        word = mat_name(name, reserved | held.keys())
        held[word] = np.stack([by_name[part].values for part in parts], axis=-1).astype(float)
        names[word], units[word] = name, by_name[parts[0]].unit
    parameters: dict[str, float] = {}
    for name, value in table.parameters.items():
        parameters[mat_name(name, set(parameters))] = value
    with path.open("wb") as file:
        savemat(file, {**held, "names": names, "units": units, "parameters": parameters, "run": table.run}, long_field_names=True, oned_as="column")


def mat_name(name: str, taken: set[str]) -> str:
    """A name for MATLAB: letters, digits and _, a letter first, at most 63, unlike the others."""
    word = "".join(c if c.isascii() and (c.isalnum() or c == "_") else "_" for c in name)
    word = word if word[:1].isalpha() else f"x{word}"
    stem, number = word[:MAT_NAME], 1
    while stem in taken:
        number += 1
        stem = f"{word[: MAT_NAME - 1 - len(str(number))]}_{number}"
    return stem


TABLES: dict[str, Callable[[Columns, Path], None]] = {".csv": write_csv, ".json": write_json, ".parquet": write_parquet, ".mat": write_mat}


def write_table(table: Columns, path: str | os.PathLike[str]) -> str:
    """Writes the table in the format of the ending, whole or not at all; returns the file's name."""
    target = Path(path)
    with replacing(target) as draft:
        TABLES[target.suffix.lower()](table, draft)
    return os.fspath(path)


__all__ = ["TABLES", "Column", "data_frame", "dataset", "mat_name", "write_table"]
