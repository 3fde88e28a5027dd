"""What a formula costs beside the item of C++ that is the same force: CPU time of a step of a chain of free bodies with springs between them.

python bench/formulas.py [--bodies N] [--repeat N]
"""

from __future__ import annotations

import argparse
import math
import time

import saltus as sl

LENGTH = "sqrt((B_x - A_x)^2 + (B_y - A_y)^2 + (B_z - A_z)^2)"
PULL = f"(100*(1 - 1/{LENGTH}) + ((B_x - A_x)*(B_vx - A_vx) + (B_y - A_y)*(B_vy - A_vy) + (B_z - A_z)*(B_vz - A_vz))/({LENGTH})^2)"
ON_A = [f"{PULL}*(B_{axis} - A_{axis})" for axis in "xyz"]
FORMS = {
    "bodies alone": None,
    "spring": None,
    "length and tension": {"length": LENGTH, "tension": "100*(L - 1) + dL"},
    "function": {"function": ON_A + ["-" + f for f in ON_A]},
}


def chain(form: str, bodies: int, off: float) -> sl.Model:
    """Bodies in a row, springs between points that lie off their centres of mass by `off` [m]."""
    m = sl.Model(gravity=(0, 0, 0))
    before = None
    for i in range(bodies):
        body = m.body(name=f"b{i}", mass=1.0, inertia=(0.1, 0.2, 0.3), at=(1.1 * i, 0.02 * (i % 3), 0), angular_velocity=(0.1, 0.2, 0.1 * (i % 2)))
        if before is not None and form != "bodies alone":
            A, B = (before, body) if off == 0.0 else (before.frame((1.1 * i - 1.1 + off, 0, 0)), body.frame((1.1 * i - off, 0, 0)))
            fields = FORMS[form]
            if fields is None:
                m.spring(A, B, stiffness=100, damping=1, rest_length=1)
            else:
                m.user_force([A, B], **fields)
        before = body
    return m


def linked(form: str, bodies: int, off: float) -> sl.Model:
    """The same bodies, held at their distances: nothing, a relation of C++ or one of a formula."""
    m = sl.Model(gravity=(0, 0, 0))
    before = None
    for i in range(bodies):
        body = m.body(name=f"b{i}", mass=1.0, inertia=(0.1, 0.2, 0.3), at=(1.1 * i, 0.02 * (i % 3), 0), angular_velocity=(0.1, 0.2, 0.1 * (i % 2)))
        if before is not None:
            p, q = ((1.1 * i - 1.1 + off, 0, 0), (1.1 * i - off, 0, 0)) if off else ((1.1 * i - 1.1, 0.02 * ((i - 1) % 3), 0), (1.1 * i, 0.02 * (i % 3), 0))
            A, B = (before.frame(p), body.frame(q)) if off else (before, body)
            if form == "distance":
                m.distance(A, B)
            elif form == "user_relation":
                m.user_relation([A, B], f"{LENGTH} - {math.dist(p, q)!r}")
        before = body
    return m


def relations(bodies: int, repeat: int) -> None:
    few, many = 200, 3200
    for off in (0.0, 0.05):
        least: dict[str, float] = {}
        for _ in range(repeat):
            for form in ("bodies alone", "distance", "user_relation"):
                model, spent = linked(form, bodies, off), []
                for steps in (few, many):
                    start = time.process_time()
                    model.simulate(1e-3 * steps, step=1e-3, scheme="generalized_alpha", record=1e3)
                    spent.append(time.process_time() - start)
                least[form] = min(spent[1] - spent[0], least.get(form, 1e9))
        where = "at the centres of mass" if off == 0.0 else "at points beside them"
        for form, seconds in least.items():
            print(f"{where}: {form:20} {1e6 * seconds / (many - few):8.1f} us a step, {seconds / least['distance']:5.2f} x the distance")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bodies", type=int, default=40)
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    steps = 2000
    for off in (0.0, 0.05):
        least = {}
        for _ in range(options.repeat):
            for form in FORMS:
                model = chain(form, options.bodies, off)
                start = time.process_time()
                model.simulate(1e-3 * steps, step=1e-3, scheme="generalized_alpha")
                least[form] = min(time.process_time() - start, least.get(form, 1e9))
        where = "at the centres of mass" if off == 0.0 else "at points beside them"
        for form, seconds in least.items():
            print(f"{where}: {form:20} {1e6 * seconds / steps:8.1f} us a step, {seconds / least['spring']:5.2f} x the spring")
    relations(options.bodies // 2, options.repeat)


if __name__ == "__main__":
    main()
