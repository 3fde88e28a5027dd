"""A block falls on its corners; nonlinear gaps of a generic system. The peer's run at the same coarse step."""

import numpy as np

from saltus.items import NewtonImpact, UserRelation
from saltus.verification.models import coordinates, generic, options_of, with_step


def model():
    J = (1 + 1.5**2) / 12
    m = generic([0, 1, 0.2], [0, 0, 0], np.diag([1, 1, J]).tolist(), force=["0", "-9.81", "0"])
    for name, sign in (("left", "-"), ("right", "+")):
        m.add(UserRelation(
            name=name, on=coordinates("q", 3), rows=1, function=f"q1 {sign} 0.1*sin(q2) - 0.05*cos(q2)",
            law=NewtonImpact(restitution=0.5),
        ))  # fmt: skip
    return m


def verify(case):
    keywords = with_step("moreau_jean", 0.01, theta=0.50001, drift="none")
    case.how = options_of(keywords)
    result = model().simulate(2.0, **keywords)
    q = np.asarray(result["q.coordinate"])
    note = "the peer linearizes the gap once a step; after several impacts only the scale can agree"
    yield case.compare(
        "height at 2 s against the peer", q[-1, 1], case.peer_value("q_T")[1], 5e-3, source="Siconos 4.4.0", note=note
    )
    keywords = with_step("moreau_jean", 2e-4)
    case.how = options_of(keywords)
    result = model().simulate(2.0, **keywords)
    q, energy = (
        np.asarray(result["q.coordinate"]),
        np.asarray(result["energy.kinetic"]) + 9.81 * np.asarray(result["q.coordinate"])[:, 1],
    )
    first = (1 - 0.1 * np.sin(0.2) - 0.05 * np.cos(0.2)) * 2 / 9.81
    impact = next(e[0] for e in result.events if e[1] == "impact")
    yield case.compare(
        "first impact", impact, np.sqrt(first), 2e-4, source="closed form: free fall of the lower corner"
    )
    yield case.compare(
        "energy never rises",
        max(np.diff(energy).max(), 0.0),
        0.0,
        1e-5,
        source="dissipation; the projection lifts by less than h^2 g",
    )
    gaps = np.minimum(q[:, 1] - 0.1 * np.sin(q[:, 2]), q[:, 1] + 0.1 * np.sin(q[:, 2])) - 0.05 * np.cos(q[:, 2])
    yield case.compare("deepest penetration", max(-gaps.min(), 0.0), 0.0, 2e-4 * 4.5, source="h v of the fall")
