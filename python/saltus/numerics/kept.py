"""Problems that a run kept, as files that `saltus solve` reads: FCLIB where that format can hold them, else this project's own."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from saltus.errors import Fault, ModelError, missing_extra
from saltus.numerics.fclib import write_fclib
from saltus.numerics.problems import Block, Problem
from saltus.numerics.writing import write_problem

MOST = 20  # of each kind


def kept_problem(kept: dict[str, Any]) -> Problem:
    """The problem that the engine tells."""
    try:
        import scipy.sparse as sparse
    except ImportError:
        raise missing_extra("writing problem files", "numerics") from None
    matrices = {}
    for name in ("M", "G", "H", "D"):
        parts = kept[name]
        matrices[name] = None if parts is None else sparse.csr_array(tuple(parts[:3]), shape=tuple(parts[3]))
    blocks = [Block(name, rows, tuple(parameters)) for name, rows, parameters in kept["blocks"]]
    return Problem(b=kept["b"], p0=kept["p0"], blocks=blocks, **matrices)


def write_kept(folder: str | os.PathLike[str], problems: Sequence[dict[str, Any]], title: str) -> list[Path]:
    """Files `unsolved_01_t0.25.h5`, `work_01_t0.3.h5`, ... in the folder, which is made; the most work first."""
    folder = Path(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ModelError(Fault("simulation/dump", f"cannot be made ({error})", "give a folder that can be written", file=str(folder))) from None
    written, numbers = [], {True: 0, False: 0}
    for kept in problems:
        problem, solved = kept_problem(kept), kept["solved"]
        numbers[solved] += 1
        path = folder / f"{'work' if solved else 'unsolved'}_{numbers[solved]:02d}_t{kept['time']:.9g}.h5"
        said = f"t = {kept['time']:.12g} s, {kept['flops']} flops, {kept['iterations']} iterations by {kept['solver'] or 'no solver'}, residual {kept['residual']:.3g}" + (f"; {kept['cause']}" if kept["cause"] else "")
        try:
            write_fclib(path, problem, solution=SimpleNamespace(r=kept["r"], w=kept["w"], v=kept["v"]) if solved else None, title=title, description="a problem of one step of a run", math_info=said)  # type: ignore[arg-type]
        except ModelError:  # what FCLIB has no place for
            write_problem(path, problem, origin=f"{title}; {said}")
        written.append(path)
    return written
