"""Solves one friction problem with Siconos a request; run by the interpreter that has Siconos, called by compare.py.

Request: a line of JSON {path (.npz), solver, tolerance}. Reply: a line of JSON {time_s, info, iterations, file}: CPU seconds from the
matrices in memory to the end of the driver, the problem's set-up included; `file` holds r as .npy."""
import json
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import scipy.sparse as sparse
import siconos.numerics as N

MOST_ITERATIONS = 1_000_000_000  # the caller ends a run by its CPU time
LOCAL = {"NSGS": N.SICONOS_FRICTION_3D_NSGS, "NSN_AC": N.SICONOS_FRICTION_3D_NSN_AC, "ADMM": N.SICONOS_FRICTION_3D_ADMM}
GLOBAL = {"NSGS": N.SICONOS_GLOBAL_FRICTION_3D_NSGS_WR, "NSN_AC": N.SICONOS_GLOBAL_FRICTION_3D_NSN_AC_WR,
          "ADMM": N.SICONOS_GLOBAL_FRICTION_3D_ADMM}  # fmt: skip


def load(path):
    """Arrays of an .npz; a matrix X stands as X_data, X_indices, X_indptr, X_shape (compressed rows)."""
    found = np.load(path)
    out = {name: found[name] for name in found if "_" not in name}
    for name in (name[:-6] for name in found if name.endswith("_shape")):
        parts = (found[f"{name}_data"], found[f"{name}_indices"], found[f"{name}_indptr"])
        out[name] = sparse.csc_matrix(sparse.csr_matrix(parts, shape=tuple(found[f"{name}_shape"])))
    return ("GFC3D" if "H" in out else "FC3D"), out


def solve(kind, data, name, tolerance):
    contacts = data["mu"].size
    start = time.process_time()
    options = N.SolverOptions((LOCAL if kind == "FC3D" else GLOBAL)[name])
    options.dparam[N.SICONOS_DPARAM_TOL] = tolerance
    options.iparam[N.SICONOS_IPARAM_MAX_ITER] = 20000 if name == "NSN_AC" else MOST_ITERATIONS
    r, u = np.zeros(3 * contacts), np.zeros(3 * contacts)
    if kind == "FC3D":
        problem = N.FrictionContactProblem(3, contacts, data["M"], data["q"], data["mu"])
        info = N.fc3d_driver(problem, r, u, options)
    else:
        problem = N.GlobalFrictionContactProblem()
        problem.dimension, problem.numberOfContacts = 3, contacts
        problem.M, problem.H = data["M"], data["H"]
        problem.q, problem.b, problem.mu = data["q"], data["b"], data["mu"]
        info = N.gfc3d_driver(problem, r, u, np.zeros(data["q"].size), options)
    return time.process_time() - start, info, r


def main():
    folder = Path(tempfile.mkdtemp())
    loaded = (None, None, None)
    print("ready", flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        if not request:
            loaded = (None, None, None)
            continue
        if loaded[0] != request["path"]:
            loaded = (request["path"], *load(request["path"]))
        try:
            seconds, info, r = solve(loaded[1], loaded[2], request["solver"], request["tolerance"])
        except Exception as error:  # noqa: BLE001 a solver that this build lacks is an answer
            print("RESULT " + json.dumps({"error": str(error)}), flush=True)
            continue
        np.save(folder / "r.npy", r)
        print("RESULT " + json.dumps({"time_s": seconds, "info": int(info), "file": str(folder / "r.npy")}), flush=True)


main()
