"""Exports of a result: HDF5 for other programs, CSV for spreadsheets. Written beside the target, then renamed."""

from __future__ import annotations

import csv
import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from saltus.errors import Fault, ModelError, missing_extra
from saltus.store.format import TIME
from saltus.store.reader import ResultReader
from saltus.store.replacing import replacing

if TYPE_CHECKING:
    from saltus.exports.columns import Columns



class EvenTimes:
    """A result file as it would be with states at even times, `every` seconds apart and at the end: by the curve of its scheme.

    Other series than main, events and reports are as they are. Raises ModelError where the file holds no model, or too many times are asked for.
    """

    def __init__(self, reader: ResultReader, every: float):
        from saltus.curve import even_times, states_at
        from saltus.result_file import load_result

        result = load_result(reader.path)
        if result.is_static:
            raise ModelError(Fault("every", "needs a result over time: this one is an equilibrium", "leave it out", str(reader.path)))
        t = result.time
        times = even_times(t, every, "every", str(reader.path))
        self._reader, recorded = reader, result._recorded
        here = np.minimum(np.searchsorted(t, times), len(t) - 1)  # the step that a time is in
        states = states_at(recorded.track(), times)
        self._main = {TIME: times, **{name: states[name] for name in ("y", "a", "lam", "data", "xdot")}}
        self._main |= {name: reader[name][here] for name in ("h", "iterations", "residuals")} | {"piece": np.ones(len(times))}
        self._main = {name: values for name, values in self._main.items() if name in reader.channels or name == TIME}
        self.channels = {key: c for key, c in reader.channels.items() if c.series != "main" or key in self._main}
        self.series = {**reader.series, "main": len(times)}

    def __getattr__(self, name: str):
        return getattr(self._reader, name)

    def blocks(self, name: str) -> Iterator[np.ndarray]:
        """The rows of a channel in order."""
        return iter((self._main[name],)) if name in self._main else self._reader.blocks(name)


def write_hdf5(result: ResultReader | EvenTimes, path: Path, table: Columns | None = None) -> None:
    """One group a series with `time` and a data set (n, *shape) a channel (attributes unit, frame, doc); the model,
    events and reports as strings and tables at the root. table: named quantities, `quantities/crank.position` (n, components) with unit and
    components, and the attributes of `parameters`."""
    try:
        import h5py
    except ImportError as error:
        raise missing_extra("export to HDF5", "export") from error
    with replacing(path) as draft, h5py.File(draft, "w") as file:
        file.attrs.update(format="saltus-export", finished=result.finished, status=result.status)
        file["model"] = result.model
        for series, rows in result.series.items():
            group = file.create_group(series)
            names = [TIME, *(c.name for c in result.channels.values() if c.series == series)]
            for name in names:
                key = name if series == "main" else f"{series}/{name}"
                channel = result.channel(key)
                data = group.create_dataset(name, (rows, *channel.shape), channel.dtype)
                data.attrs.update(unit=channel.unit, frame=channel.frame, doc=channel.doc)
                begin = 0
                for block in result.blocks(key):
                    data[begin:begin + len(block)] = block
                    begin += len(block)
        if table is not None:
            _write_quantities(file, table)
        text = h5py.string_dtype()
        for name, entries in (("events", result.events()), ("reports", result.reports())):
            table = [(e.time, e.kind, e.path, json.dumps(e.data)) for e in entries]
            kind = [("time", "<f8"), ("kind", text), ("path", text), ("data", text)]
            data = file.create_dataset(name, (len(table),), kind)
            for begin in range(0, len(table), 4096):
                data[begin:begin + 4096] = table[begin:begin + 4096]


def _write_quantities(file, table: Columns) -> None:
    group = file.create_group("quantities")
    by_name = {column.name: column for column in table.columns}
    if table.time is not None:
        group.create_dataset("time", data=table.time).attrs["unit"] = "s"
    for name, parts in table.groups.items():
        values = np.stack([by_name[part].values for part in parts], axis=-1)
        data = group.create_dataset(name.replace("/", "|"), data=values[:, 0] if parts == [name] else values)
        data.attrs.update(unit=by_name[parts[0]].unit, components=[part[len(name) + 1 :] for part in parts])
    file.create_group("parameters").attrs.update(table.parameters)


def write_csv(result: ResultReader | EvenTimes, path: Path) -> None:
    """The main series: a column a number, its head `name [unit]`, components as `name[i,j] [unit]`. Every digit of
    a double is written. Other series go beside it as `stem.series.csv`."""
    for series in result.series:
        target = path if series == "main" else path.with_name(f"{path.stem}.{series}{path.suffix}")
        with replacing(target) as draft, open(draft, "w", newline="", encoding="utf-8") as file:
            _write_series(result, series, csv.writer(file))


def _write_series(result: ResultReader | EvenTimes, series: str, out) -> None:
    prefix = "" if series == "main" else f"{series}/"
    keys = [f"{prefix}{TIME}", *(key for key, c in result.channels.items() if c.series == series)]
    head = []
    for key in keys:
        channel = result.channel(key)
        for index in itertools.product(*(range(n) for n in channel.shape)):
            place = f"[{','.join(map(str, index))}]" if index else ""
            head.append(f"{channel.name}{place}" + (f" [{channel.unit}]" if channel.unit else ""))
    out.writerow(head)
    for blocks in zip(*(result.blocks(key) for key in keys)):
        columns = [block.reshape(len(block), -1) for block in blocks]
        for row in range(len(columns[0])):
            out.writerow([number for column in columns for number in column[row].tolist()])
