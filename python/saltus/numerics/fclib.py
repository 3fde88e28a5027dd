"""FCLIB files (Acary, Bremond, Koziara, Perignon 2014, INRIA RT-0444): groups fclib_local, fclib_global, fclib_global_rolling.

    fclib_local           u = W r + V l + q,  V^T r + R l + s = 0          spacedim rows (normal, tangents) a contact
    fclib_global          M v = H r + G l + f,  u = H^T v + w,  G^T v + b = 0
    fclib_global_rolling  as fclib_global, mu_r beside mu, rows (normal, tangents, rolling)

Here the same rows stand in one problem: contacts first, then one equality row for each l. Our H has a row for each row of r
(the transpose of theirs), f is p0, w and b are b, l is the r of the equality rows. Frames (normal first), signs and units
are the same. A matrix is CSR (nz = -2), CSC (nz = -1) or triplets (nz >= 0; p holds rows, i columns)."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from saltus.errors import Fault, ModelError, missing_extra, unwritten
from saltus.numerics.problems import Block, Problem, Solution

GROUPS = ("fclib_local", "fclib_global", "fclib_global_rolling")
_LAYOUTS = {"csr": -2, "csc": -1, "triplet": 0}


def _integer(reader: Any, name: str) -> int:
    values = reader.vector(name, np.int64)
    if values.size == 1:
        return int(values[0])
    if values.size:
        reader.fault(name, f"has {values.size} entries, must have 1")
    return 0


def _matrix(reader: Any, name: str) -> Any:
    """One matrix as CSR; None with a fault where its parts do not fit."""
    import scipy.sparse as sparse

    before = len(reader.faults)
    rows, cols, layout = (_integer(reader, f"{name}/{part}") for part in ("m", "n", "nz"))
    p, i = reader.vector(f"{name}/p", np.int64), reader.vector(f"{name}/i", np.int64)
    x = reader.vector(f"{name}/x")
    if len(reader.faults) > before:
        return None
    if layout < -2 or rows < 0 or cols < 0 or max(rows, cols) > 100_000_000:
        reader.fault(name, f"is {rows} x {cols} with nz = {layout}", "nz is -2 (rows), -1 (columns) or the number of triplets")
        return None
    if layout >= 0:
        count, limits = layout, (rows, cols)
        if min(p.size, i.size, x.size) < count:
            reader.fault(name, f"has {p.size}, {i.size} and {x.size} entries for nz = {count} triplets")
    else:
        edges, limits = (rows if layout == -2 else cols) + 1, (None, cols if layout == -2 else rows)
        if p.size != edges or (p.size and (p[0] != 0 or np.any(np.diff(p) < 0) or p[-1] > min(i.size, x.size))):
            reader.fault(f"{name}/p", f"has {p.size} entries, must have {edges} that rise from 0 to the number of entries")
        count = int(p[-1]) if p.size else 0
    for part, values, limit in (("p", p, limits[0]), ("i", i, limits[1])):
        if limit is not None and values[:count].size and (values[:count].min() < 0 or values[:count].max() >= limit):
            reader.fault(f"{name}/{part}", f"must stay within 0 and {limit - 1}")
    if x[:count].size and not np.all(np.isfinite(x[:count])):
        reader.fault(f"{name}/x", f"entry {int(np.argmin(np.isfinite(x[:count])))} is not finite")
    if len(reader.faults) > before:
        return None
    if layout >= 0:
        return sparse.csr_array(sparse.coo_array((x[:count], (p[:count], i[:count])), shape=(rows, cols)))
    kind = sparse.csr_array if layout == -2 else sparse.csc_array
    return sparse.csr_array(kind((x[:count], i[:count], p), shape=(rows, cols)))


def _sized(reader: Any, name: str, size: int) -> np.ndarray:
    values = reader.vector(name)
    if values.size != size and not any(f.path == name for f in reader.faults):
        reader.fault(name, f"has {values.size} entries, must have {size}")
    return values


def _stacked(A: Any, B: Any) -> Any:
    import scipy.sparse as sparse

    return A if B is None else sparse.csr_array(sparse.vstack([A, B]))


def problem_in(reader: Any) -> tuple[Problem, str, dict[str, np.ndarray]]:
    """The problem of an open FCLIB file, its kind (FC3D, GFC3D, GRFC3D, ...) and the solution stored with it, if any."""
    file = reader.file
    group = next(name for name in GROUPS if name in file)
    rolling, is_global = group.endswith("rolling"), group != "fclib_local"
    dimension = _integer(reader, f"{group}/spacedim")
    allowed = (3, 5) if rolling else (2, 3)
    if not reader.faults and dimension not in allowed:
        reader.fault(f"{group}/spacedim", f"is {dimension}, must be {allowed[0]} or {allowed[1]}")
    names = ("M", "H", "G") if is_global else ("W", "V", "R")
    A, B, C = (_matrix(reader, f"{group}/{name}") if name in file.get(group, ()) else None for name in names)
    for name, given in zip(names[:2] if is_global else names[:1], (A, B)):
        if given is None and not any(f.path.startswith(f"{group}/{name}") for f in reader.faults):
            reader.fault(f"{group}/{name}", "is missing")
    if not is_global and (B is None) != (C is None):
        reader.fault(f"{group}/V", "and R must be given together")
    reader.stop()
    rows = B.shape[1] if is_global else A.shape[0]
    multipliers = 0 if C is None else C.shape[1]
    shapes = ((names[0], A, (A.shape[0],) * 2),)
    shapes += ((names[1], B, (A.shape[0] if is_global else rows, rows if is_global else multipliers)),)
    shapes += ((names[2], C, (A.shape[0] if is_global else multipliers, multipliers)),)
    for name, given, shape in shapes:
        if given is not None and given.shape != shape:
            reader.fault(f"{group}/{name}", f"is {given.shape[0]} x {given.shape[1]}, must be {shape[0]} x {shape[1]}")
    if rows % dimension:
        reader.fault(f"{group}/spacedim", f"is {dimension}, {rows} rows are no whole number of contacts")
    reader.stop()
    vectors = f"{group}/vectors"
    mu = _sized(reader, f"{vectors}/mu", rows // dimension)
    mu_r = _sized(reader, f"{vectors}/mu_r", rows // dimension) if rolling else None
    offset = _sized(reader, f"{vectors}/{'w' if is_global else 'q'}", rows)
    load = _sized(reader, f"{vectors}/f", A.shape[0]) if is_global else None
    rest = _sized(reader, f"{vectors}/{'b' if is_global else 's'}", multipliers) if multipliers else np.zeros(0)
    stored = {name: reader.vector(f"solution/{name}") for name in ("v", "u", "r", "l") if f"solution/{name}" in file}
    reader.stop()
    name = ("rolling_2d" if dimension == 3 else "rolling_3d") if rolling else f"coulomb_{dimension}d"
    parameters = zip(mu.tolist(), mu_r.tolist()) if rolling else zip(mu.tolist())
    blocks = [Block(name, dimension, pair) for pair in parameters]
    blocks += [Block("equality", multipliers)] if multipliers else []
    b = np.concatenate([offset, rest])
    kind = f"{'G' if is_global else ''}{'RFC' if rolling else 'FC'}{2 if dimension == (3 if rolling else 2) else 3}D"
    if is_global:
        H = _stacked(B.T.tocsr(), None if C is None else C.T.tocsr())
        return Problem(M=A, H=H, p0=load, b=b, blocks=blocks), kind, stored
    if multipliers:
        import scipy.sparse as sparse

        A = sparse.csr_array(sparse.block_array([[A, B], [B.T, C]]))
    return Problem(D=A, b=b, blocks=blocks), kind, stored


# --- writing ---------------------------------------------------------------------------------------------------------


def _write_matrix(group: Any, name: str, A: Any, layout: str) -> None:
    import scipy.sparse as sparse

    target = group.create_group(name)
    if layout == "triplet":
        found = sparse.coo_array(A)
        p, i, x, nz = *found.coords, found.data, found.nnz
    else:
        found = sparse.csr_array(A) if layout == "csr" else sparse.csc_array(A)
        p, i, x, nz = found.indptr, found.indices, found.data, _LAYOUTS[layout]
    for part, value in (("nzmax", x.size), ("m", A.shape[0]), ("n", A.shape[1]), ("nz", nz)):
        target[part] = np.array([value], dtype=np.int32)
    target["p"], target["i"], target["x"] = p.astype(np.int32), i.astype(np.int32), x.astype(np.float64)


def _split_rows(problem: Problem, faults: list[Fault]) -> tuple[np.ndarray, np.ndarray, list[Block]]:
    """Rows of contacts, of equalities, and the contact blocks, which must be of one set."""
    contacts, equalities, blocks, row = [], [], [], 0
    for k, block in enumerate(problem.blocks):
        rows = range(row, row + block.rows)
        row += block.rows
        if block.set == "equality":
            equalities += rows
        elif block.set.startswith(("coulomb", "rolling")) and (not blocks or block.set == blocks[0].set):
            contacts += rows
            blocks.append(block)
        else:
            faults.append(Fault(f"blocks/{k}", f"is {block.set}{f' among {blocks[0].set}' if blocks else ''}",
                                "FCLIB holds friction contacts of one kind, and equality rows"))  # fmt: skip
    if not blocks and not faults:
        faults.append(Fault("blocks", "hold no contact", "FCLIB holds friction contacts of one kind, and equality rows"))
    return np.array(contacts, dtype=int), np.array(equalities, dtype=int), blocks


def write_fclib(
    path: str | os.PathLike,
    problem: Problem,
    *,
    solution: Solution | None = None,
    title: str = "",
    description: str = "",
    math_info: str = "",
    layout: str = "csr",
) -> None:
    """Writes contacts of one kind and equality rows as an FCLIB file; with `solution` also its group `solution` (v, u, r, l).

    `layout`: csr, csc or triplet. Raises ModelError for what the format has no place for: other sets, friction with rolling
    in W form, an input matrix G of its own, D beside M, and equality rows of D that are not V^T."""
    try:
        import h5py
        import scipy.sparse as sparse
    except ImportError:
        raise missing_extra("writing problem files", "numerics") from None
    faults: list[Fault] = []
    if layout not in _LAYOUTS:
        faults.append(Fault("layout", f"is {layout!r}", f"must be one of {', '.join(_LAYOUTS)}"))
    contacts, equalities, blocks = _split_rows(problem, faults)
    is_global = problem.M is not None
    rolling = bool(blocks) and blocks[0].set.startswith("rolling")
    if is_global and (problem.G is not None or (problem.D is not None and sparse.csr_array(problem.D).nnz)):
        faults.append(Fault("G" if problem.G is not None else "D", "is given beside M and H", "FCLIB has M, H and equalities alone"))
    if rolling and not is_global:
        faults.append(Fault("W", "with rolling friction has no group in FCLIB", "give M and H"))
    order = np.concatenate([contacts, equalities])
    parts: dict[str, Any] = {}
    if not faults and not is_global:
        W = sparse.csr_array(problem.D)[order][:, order]
        n = contacts.size
        V = W[:n, n:]
        if abs(W[n:, :n] - V.T).sum() != 0.0:
            faults.append(Fault("W", "has equality rows that are not the transpose of its equality columns", "FCLIB stores V alone"))
        parts = {"W": W[:n, :n], **({"V": V, "R": W[n:, n:]} if equalities.size else {})}
    elif not faults:
        H = sparse.csr_array(problem.H)
        parts = {"M": problem.M, "H": H[contacts].T, **({"G": H[equalities].T} if equalities.size else {})}
    if faults:
        raise ModelError(faults)
    group_name = "fclib_local" if not is_global else "fclib_global_rolling" if rolling else "fclib_global"
    b = np.asarray(problem.b)
    try:
        with h5py.File(path, "w") as file:
            group = file.create_group(group_name)
            group["spacedim"] = np.array([blocks[0].rows], dtype=np.int32)
            for name, A in parts.items():
                _write_matrix(group, name, A, layout)
            vectors = group.create_group("vectors")
            for k, name in enumerate(("mu", "mu_r") if rolling else ("mu",)):
                vectors[name] = np.array([block.parameters[k] for block in blocks])
            vectors["w" if is_global else "q"] = b[contacts]
            if is_global:
                vectors["f"] = np.asarray(problem.p0)
            if equalities.size:
                vectors["b" if is_global else "s"] = b[equalities]
            info = group.create_group("info")
            for name, text in (("title", title), ("description", description), ("math_info", math_info)):
                info[name] = np.bytes_(text or " ")
            if solution is not None:
                found = file.create_group("solution")
                if is_global:
                    found["v"] = solution.v
                if equalities.size:
                    found["l"] = solution.r[equalities]
                found["u"], found["r"] = solution.w[contacts], solution.r[contacts]
    except OSError as error:
        raise ModelError(unwritten(path, error)) from None
