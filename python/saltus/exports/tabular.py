"""What a result and its states at other times have in common: tables and files of them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from saltus.errors import Fault, ModelError, methods_at_their_lines

if TYPE_CHECKING:
    import xarray

    from saltus.quantity import Quantity

SCENES = (".vtkhdf", ".glb", ".gltf")
RESULTS = (".saltus", ".result")
ENDINGS = (".csv", ".json", ".parquet", ".mat", *SCENES)
INSTEAD = {
    **dict.fromkeys((".vtk", ".vtu", ".vtp", ".pvd", ".xdmf"), "ParaView opens .vtkhdf"),
    **dict.fromkeys((".xlsx", ".xls", ".pkl", ".feather"), "write it by result.to_dataframe(), which is a data frame of pandas"),
    **dict.fromkeys((".h5", ".hdf5"), "save the result and write `saltus export RESULT OUT.h5`"),
    **dict.fromkeys((".nc", ".netcdf"), "write it by result.to_xarray().to_netcdf(...)"),
    **dict.fromkeys((".png", ".svg", ".pdf"), "a plot is result.plot(..., file=...), a picture of the motion result.to_png(...)"),
    **dict.fromkeys((".html", ".htm"), "the page is result.to_html(...)"),
    **dict.fromkeys((".webm", ".mp4", ".gif"), "save the result and write `saltus view RESULT --video OUT.webm`, or .gif"),
    **dict.fromkeys(RESULTS, "the result itself is kept by result.save(...)"),
}


def refuse_other_formats(path: str | os.PathLike[str]) -> None:
    """A result file under the ending of another program's format would not open there."""
    ending = Path(path).suffix.lower()
    instead = f"write result.export(...) for {ending}" if ending in ENDINGS else INSTEAD.get(ending)
    if instead and ending not in RESULTS:
        raise ModelError(Fault("save/path", f"is {Path(path).name!r}, and save writes the result file of this program", f"end it with .saltus; {instead}"))


class Tabular:
    """Tables of quantities, at the times that it has."""

    def to_dataframe(self, *quantities: Quantity | str, library: Literal["pandas", "polars"] = "pandas") -> Any:
        """A data frame over time, one column a number, such as `crank.position.x [m]`.

        Without quantities it holds the outputs, poses and velocities of bodies, motions, drives and forces of joints, forces of springs and loads, gap,
        force, slip, state and summed impulse of contacts, circuits, energies and parameters. pandas: indexed by time, `.attrs` has parameters and
        units; polars: time is a column. Components are ordered as `result[quantity].components`.
        """
        from saltus.exports.columns import table_of
        from saltus.exports.tables import data_frame

        return data_frame(table_of(self, quantities), library)  # type: ignore[arg-type]

    def to_xarray(self, *quantities: Quantity | str) -> xarray.Dataset:
        """An xarray data set over `time`: vectors over `axis`, `units` on each variable, parameters as numbers; quantities as of `to_dataframe`."""
        from saltus.exports.columns import table_of
        from saltus.exports.tables import dataset

        return dataset(table_of(self, quantities))  # type: ignore[arg-type]

    def export(self, path: str | os.PathLike[str], *quantities: Quantity | str) -> str:
        """Writes a file in the format of its ending; returns its name.

        .csv, .json, .parquet, .mat: quantities as of `to_dataframe`, with names and units. .vtkhdf: the bodies as they move, for ParaView. .glb, .gltf:
        the same as an animation. What is there is replaced when all went well.
        """
        ending = Path(path).suffix.lower()
        if ending not in ENDINGS:
            known = f"end it with one of {', '.join(ENDINGS)}"
            raise ModelError(Fault("export", f"has no format for {ending!r}" if ending else "takes the format from the ending of the name, which has none", INSTEAD.get(ending, known), os.fspath(path)))
        if ending in SCENES:
            from saltus.exports.scenes import write_scene

            if quantities:
                raise ModelError(Fault("export", f"has quantities beside {ending}, which holds the bodies as they move", "leave them out, or write a .csv", os.fspath(path)))
            return write_scene(self, path)  # type: ignore[arg-type]
        from saltus.exports.columns import table_of
        from saltus.exports.tables import write_table

        return write_table(table_of(self, quantities), path)  # type: ignore[arg-type]


methods_at_their_lines(Tabular)
