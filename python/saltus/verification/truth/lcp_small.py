"""Small linear complementarity problems with all their solutions, by the library of solvers."""

from fractions import Fraction

import numpy as np


def numbers(rows):
    return np.array([[float(Fraction(str(x))) for x in row] for row in rows])


def verify(case):
    from saltus.numerics import Lcp

    case.how = "numerics, tolerance 1e-12"
    for name, entry in case._truth.items():
        M, q = numbers(entry["M"]), numbers([entry["q"]])[0]
        problem = Lcp(M, q)
        solution = problem.solve(1e-12)
        found, unbounded = problem.all_solutions()
        wide = entry["widest_range_of_a_component"] == "unbounded"
        answer = [solution.solved, solution.status == "infeasible", len(found), unbounded]
        expected = [entry["count"] != 0, entry["count"] == 0, len(entry["solutions"]), wide]
        yield case.compare(f"{name}: solved, infeasible, vertices, unbounded", answer, expected, 0.0)
        if entry["solutions"]:
            far = max(min(np.linalg.norm(z - f) for f in found) for z in numbers(entry["solutions"]))
            residual = np.linalg.norm(np.minimum(solution.z, M @ solution.z + q)) if solution.solved else np.nan
            size = max(1.0, np.linalg.norm(solution.z))
            yield case.compare(
                f"{name}: residual, distance to the exact solutions", [residual / size, far], [0, 0], 1e-12
            )
