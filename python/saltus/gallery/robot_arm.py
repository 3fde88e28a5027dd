"""An arm of six joints as one kinematic tree, each led along a smooth path: where its hand is, and what its drives take."""

import saltus as sl
from saltus.handles import Link, Tree
from saltus.items import Capsule, CoordinateConstraint

Point = tuple[float, float, float]
# axis of the joint, its place (stretched position), mass [kg] and radius [m] of the link, angle at the end of the path [rad]
JOINTS: list[tuple[str, Point, float, float, float]] = [
    ("z", (0, 0, 0.1), 12, 0.09, 0.9),
    ("y", (0, 0, 0.5), 8, 0.07, -0.5),
    ("y", (0, 0, 1.1), 6, 0.06, 0.8),
    ("x", (0.25, 0, 1.1), 3, 0.05, 1.2),
    ("y", (0.6, 0, 1.1), 2, 0.045, -0.7),
    ("z", (0.75, 0, 1.1), 1, 0.04, 2.0),
]
HAND: Point = (0.85, 0, 1.1)


def model() -> sl.Model:
    m = sl.Model()
    m.plane(name="floor")
    carrier: Tree | Link = m.tree(name="arm")
    links: list[Link] = []
    for i, (axis, at, mass, radius, angle) in enumerate(JOINTS):
        after = JOINTS[i + 1][1] if i + 1 < len(JOINTS) else HAND
        reach = tuple(b - a for a, b in zip(at, after, strict=True))
        length = sum(x * x for x in reach) ** 0.5
        turn = sl.degrees(y=90) if reach[0] else (0.0, 0.0, 0.0)  # the capsule's axis z along the link
        solid = sl.Inertia.capsule(radius=radius, length=length, mass=mass).turned(turn).moved([0.5 * x for x in reach])
        carrier = carrier.revolute(at=at, axis=axis, inertia=solid, name=f"link{i + 1}")
        m.add(Capsule(body=carrier, radius=radius, length=length, position=[0.5 * x for x in reach], rotation=turn), name=f"shape{i + 1}")
        m.add(CoordinateConstraint(A="ground", B=carrier, offset=f"{angle} * (1 - cos(pi * t / 2)) / 2"), name=f"drive{i + 1}")
        links.append(carrier)
    hand = links[-1].frame(HAND, name="hand")
    m.outputs = {"x": hand.position.x, "y": hand.position.y, "z": hand.position.z, "shoulder": "drive2.multiplier", "elbow": "drive3.multiplier"}
    m.simulation = {"until": 2.0, "step": 1e-3, "scheme": "generalized_alpha"}
    return m
