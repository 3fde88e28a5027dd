"""Three bars, one exact pin, three with clearance c = 1 mm: contacts y = c - |d| inside the pins, e = 0."""

import math

import numpy as np

import saltus as sl
from saltus.items import GenericSystem, NewtonImpact, NodeOde2, UserRelation
from saltus.verification.case import at
from saltus.verification.models import coordinates, options_of, with_step

LENGTH, BASE, CLEARANCE = (1.0, 4.0, 2.5), 3.0, 1e-3


def assembled():
    """Angles of the bars and their centres; the crank stands up."""
    B = np.array([0.0, 1.0])
    D = np.array([BASE, 0.0])
    d = D - B
    r = np.linalg.norm(d)
    along = (LENGTH[1] ** 2 - LENGTH[2] ** 2 + r * r) / (2 * r)
    up = math.sqrt(LENGTH[1] ** 2 - along**2)
    C = B + d / r * along + np.array([-d[1], d[0]]) / r * up
    return [(np.zeros(2), B), (B, C), (D, C)]


def model():
    m = sl.Model(gravity=(0, 0, 0))
    for i, ((start, end), l) in enumerate(zip(assembled(), LENGTH, strict=True), start=1):
        middle, angle = 0.5 * (start + end), math.atan2(*(end - start)[::-1])
        m.add(NodeOde2(name=f"n{i}", count=3, coordinates=[*middle, angle]))
        M = np.diag([1.0, 1.0, l * l / 12])
        m.add(GenericSystem(name=f"bar{i}", node=f"n{i}", mass_matrix=M.tolist(), force=["0", "-9.81", "0"]))

    def end(i, first, sign):
        """Components of an end of bar i; its coordinates are q<first>, q<first+1>, q<first+2>."""
        half = 0.5 * LENGTH[i - 1]
        return f"(q{first} {sign} {half}*cos(q{first + 2}))", f"(q{first + 1} {sign} {half}*sin(q{first + 2}))"

    x, y = end(1, 0, "-")
    m.add(UserRelation(name="A", on=coordinates("n1", 3), rows=2, function=[x, y]))
    for name, (i, s), (j, t) in (("B", (1, "+"), (2, "-")), ("C", (2, "+"), (3, "+"))):
        a, b = end(i, 0, s), end(j, 3, t)
        gap = f"{CLEARANCE} - sqrt(({b[0]} - {a[0]})^2 + ({b[1]} - {a[1]})^2 + 1e-18)"
        on = coordinates(f"n{i}", 3) + coordinates(f"n{j}", 3)
        m.add(UserRelation(name=name, on=on, rows=1, function=gap, law=NewtonImpact(restitution=0.0)))
    a = end(3, 0, "-")
    gap = f"{CLEARANCE} - sqrt(({a[0]} - {BASE})^2 + {a[1]}^2 + 1e-18)"
    m.add(UserRelation(name="D", on=coordinates("n3", 3), rows=1, function=gap, law=NewtonImpact(restitution=0.0)))
    return m


def verify(case):
    keywords = with_step("moreau_jean", 1e-4)
    case.how = options_of(keywords)
    result = model().simulate(1.0, **keywords)
    note = "the pins' centres may be anywhere in 1 mm: angles agree to the clearance over the shortest bar"
    for key, time in (("theta_0p2", 0.2), ("theta_0p5", 0.5), ("theta_1", 1.0)):
        angles = [at(result, f"n{i}.coordinate", time)[2] for i in (1, 2, 3)]
        yield case.compare(f"angles at {time:g} s against the peer", angles, case.peer_value(key), 5e-3,
                           source="Siconos 4.4.0", note=note)  # fmt: skip
    for name in "BCD":
        gap = np.asarray(result[f"{name}.residual"]).ravel()
        yield case.compare(f"smallest gap of pin {name}", max(-gap.min(), 0.0), 0.0, 2e-5, peer=case.peer_value("min_gap"),
                           source="unilateral constraint; time stepping sinks by h v of an impact")  # fmt: skip
    q = np.asarray(result["n1.coordinate"])
    drift = np.hypot(q[:, 0] - 0.5 * np.cos(q[:, 2]), q[:, 1] - 0.5 * np.sin(q[:, 2])).max()
    yield case.compare("drift of pin A", drift, 0.0, 1e-9, peer=case.peer_value("pin_drift"), source="equality")
    energy = np.asarray(result["energy.kinetic"]) + 9.81 * sum(
        np.asarray(result[f"n{i}.coordinate"])[:, 1] for i in (1, 2, 3)
    )
    yield case.compare(
        "energy never rises", max(np.diff(energy).max(), 0.0), 0.0, 2e-5, source="dissipation, O(h^2) a step"
    )
