"""Painleve's sliding rod: the contact problem y'' = b + A lambda may have one, two or no solutions; never a made-up one."""

import math

import numpy as np


def coefficients(theta, rate, mu):
    """(A, b) of a rod of half length 0.5 m and 1 kg that slides in the direction in which it leans."""
    A = 1 + 3 * math.cos(theta) * (math.cos(theta) - mu * math.sin(theta))
    return A, 0.5 * rate**2 * math.sin(theta) - 9.81


def verify(case):
    from saltus.numerics import Lcp

    case.how = "numerics, tolerance 1e-12"
    for entry in case.truth("cases"):
        A, b = coefficients(math.radians(entry["theta_deg"]), entry["rate"], float(entry["mu"]))
        label = f"{entry['theta_deg']} deg, rate {entry['rate']}, mu {float(entry['mu']):g}"
        yield case.compare(f"{label}: A, b", [A, b], [entry["A"], entry["b"]], 1e-12)
        problem = Lcp([[A]], [b])
        solution = problem.solve(1e-12)
        answer = entry["answer"]
        count = 0 if answer.startswith("no") else 2 if answer.startswith("two") else 1
        yield case.compare(f"{label}: number of solutions", len(problem.all_solutions()[0]), count, 0.0)
        if count == 0:
            yield case.compare(f"{label}: said to be infeasible", float(solution.status == "infeasible"), 1.0, 0.0)
        elif entry["lam"] is not None:
            yield case.compare(f"{label}: contact force", solution.z[0], entry["lam"], 1e-10)
        else:
            residual = abs(min(solution.z[0], A * solution.z[0] + b))
            yield case.compare(f"{label}: residual", residual, 0.0, 1e-10)
    mu = np.linspace(1.2, 1.5, 30001)
    theta = np.linspace(0.9, 1.3, 401)
    least = [min(coefficients(t, 0.0, m)[0] for t in theta) for m in mu[::100]]
    critical = float(np.interp(0.0, -np.array(least), mu[::100]))
    yield case.check(
        "mu_critical", critical, 1e-4, note="own bracket of the zero of min A over the angle, for the record"
    )
