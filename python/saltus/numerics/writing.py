"""Problems to HDF5 files that `read_problem` reads again with equal bits."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from saltus.errors import ModelError, missing_extra, unwritten
from saltus.numerics.problems import Problem


def _write_matrix(file: Any, name: str, A: Any) -> None:
    import scipy.sparse as sparse

    A = sparse.csr_array(A)
    group = file.create_group(name)
    group.attrs["shape"] = np.array(A.shape, dtype=np.int64)
    group["indptr"], group["indices"], group["data"] = A.indptr.astype(np.int64), A.indices.astype(np.int64), A.data


def _contact_type(problem: Problem) -> str | None:
    names = {block.set for block in problem.blocks}
    if len(names) != 1 or (problem.M is not None and (problem.G is not None or problem.D is not None)):
        return None
    law = {"coulomb_2d": "FC2D", "coulomb_3d": "FC3D", "rolling_2d": "RFC2D", "rolling_3d": "RFC3D"}.get(names.pop())
    return law and ("G" if problem.M is not None else "") + law


def write_problem(path: str | os.PathLike, problem: Problem, *, origin: str = "") -> None:
    """Writes a problem: LCP, RELAY, FC2D, FC3D, RFC2D, RFC3D and their G forms where it is one of these, else MIXED (any
    sets, any of D, M, H, G). `origin` says where it comes from."""
    try:
        import h5py
    except ImportError:
        raise missing_extra("writing problem files", "numerics") from None
    names = [block.set for block in problem.blocks]
    b = np.asarray(problem.b, dtype=float)
    contact = _contact_type(problem)
    try:
        with h5py.File(path, "w") as file:
            file.attrs["origin"] = origin
            file.attrs["n"] = len(problem.p0) or b.size
            if contact:
                file.attrs["type"], file.attrs["contacts"] = contact, len(names)
                file.attrs["dimension"] = problem.blocks[0].rows
                for k, name in enumerate(("mu", "mu_r")[: 1 + ("RFC" in contact)]):
                    file[name] = np.array([block.parameters[k] for block in problem.blocks])
                if problem.M is None:
                    _write_matrix(file, "M", problem.D)
                    file["q"] = b
                else:
                    _write_matrix(file, "M", problem.M)
                    _write_matrix(file, "H", problem.H.T)
                    file["q"], file["b"] = np.asarray(problem.p0), b
            elif problem.M is None and names in (["half_line"], ["box"]):
                file.attrs["type"] = "LCP" if names == ["half_line"] else "RELAY"
                _write_matrix(file, "M", problem.D)
                file["q"] = b
                if names == ["box"]:
                    bounds = np.array(problem.blocks[0].parameters)
                    file["lb"], file["ub"] = bounds[: b.size], bounds[b.size :]
            else:
                _write_mixed(file, problem)
    except OSError as error:
        raise ModelError(unwritten(path, error)) from None


def _write_mixed(file: Any, problem: Problem) -> None:
    file.attrs["type"] = "MIXED"
    sets = sorted({block.set for block in problem.blocks})
    file.attrs["sets"] = ",".join(sets)
    file["block_set"] = np.array([sets.index(block.set) for block in problem.blocks], dtype=np.int64)
    file["block_rows"] = np.array([block.rows for block in problem.blocks], dtype=np.int64)
    file["block_parameters"] = np.array([len(block.parameters) for block in problem.blocks], dtype=np.int64)
    file["parameters"] = np.array([p for block in problem.blocks for p in block.parameters], dtype=float)
    file["b"], file["p0"] = np.asarray(problem.b, dtype=float), np.asarray(problem.p0, dtype=float)
    for name in ("D", "M", "H", "G"):
        if getattr(problem, name) is not None:
            _write_matrix(file, name, getattr(problem, name))
