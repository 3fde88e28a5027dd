"""`m.export("crane.fmu")`: a model as a unit of a co-simulation."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from saltus import geometry as g

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Literal

    from saltus.quantity import Quantity
    from saltus.schemes import Scheme, SchemeName


class UnitExport:
    """The method of a model that writes it for other programs."""

    def export(
        self,
        path: str | os.PathLike[str],
        *,
        inputs: Sequence[str] = (),
        outputs: Sequence[Quantity | str] | dict[str, Quantity | str] | None = None,
        scheme: SchemeName | Scheme = "auto",
        step: float | None = None,
        tolerance: float | None = None,
        threads: int | None = None,
        version: Literal["2.0", "3.0"] = "3.0",
    ) -> str:
        """Writes the model as a unit of a co-simulation, `crane.fmu`, which other programs run without Python (FMI, modelica.org); returns the file's name.

        inputs: parameters of `m.parameter` that the other program sets between its steps; they are held in a step. Other parameters of `m.parameter`
        can be tuned, those of `m.parameters` set before the start. outputs: what it reads, one variable a component with its unit; default: the
        named outputs. scheme, step [s], tolerance, threads: as of `simulate`, inside each step of the other program. version: of FMI.
        The library in the unit is for machines of this kind. Raises ModelError for mistakes, as for a model with functions of the program.
        """
        from saltus.exports.fmu import VERSIONS, outputs_of, write_unit

        if Path(path).suffix.lower() != ".fmu":
            g.refuse("export/path", f"is {Path(path).name!r}, and a model is exported as a unit of a co-simulation", "end it with .fmu; m.save(...) writes a model file, m.simulate(...).export(...) a result")
        if version not in VERSIONS:
            g.refuse("export/version", f"is {g.short(version)}", f"FMI has the versions {' and '.join(VERSIONS)} here")
        if not Path(path).parent.is_dir():
            g.refuse("export/path", f"is {g.short(os.fspath(path))}, and the folder {Path(path).parent} is not there", "make it first")
        named = outputs_of(self, outputs)  # type: ignore[arg-type]
        state = self.state(scheme=scheme, step=step, tolerance=tolerance, threads=threads)  # type: ignore[attr-defined]
        return write_unit(self, path, inputs, named, state, version)  # type: ignore[arg-type]
