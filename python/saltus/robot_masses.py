"""The mass matrix of links on their joints, as a file has them."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

import numpy as np

from saltus.robot_tree import WORLD, Joint, Link, Pose


def mass_matrix(joints: Sequence[Joint], links: Mapping[str, Link], places: Mapping[str, Pose], moving: Container[str]) -> tuple[np.ndarray, dict[str, int]]:
    """M of links at their places, and where the coordinates of `moving` stand in it: the sum of J^T diag(m 1, I) J over the links, with the armatures."""
    columns: dict[str, list[tuple[int, np.ndarray, np.ndarray, np.ndarray]]] = {WORLD: []}  # of a link: number, linear and angular direction, point on the axis
    at: dict[str, int] = {}
    armatures: list[float] = []
    for joint in joints:
        p, R = places[joint.child]
        own: list[tuple[np.ndarray, np.ndarray]] = []
        if joint.kind in ("floating", "ball"):
            own = [(np.zeros(3), e) for e in R.T] + ([(e, np.zeros(3)) for e in np.eye(3)] if joint.kind == "floating" else [])
        elif joint.coordinate in moving:
            at[joint.coordinate], axis = len(armatures), R @ joint.axis
            own = [(np.zeros(3), axis) if joint.kind == "revolute" else (axis, np.zeros(3))]
        numbered = enumerate(own, len(armatures))
        columns[joint.child] = columns[joint.parent] + [(k, move, turn, p + R @ joint.anchor) for k, (move, turn) in numbered]
        armatures += [joint.armature] * len(own)
    M = np.diag(armatures)
    for name, link in links.items():
        p, R = places[name]
        k = [column[0] for column in columns[name]]
        if not k:
            continue
        center, inertia = p + R @ link.inertial.center, R @ link.inertial.inertia @ R.T
        v = np.array([move + np.cross(turn, center - point) for _, move, turn, point in columns[name]])
        w = np.array([turn for _, _, turn, _ in columns[name]])
        M[np.ix_(k, k)] += link.inertial.mass * v @ v.T + w @ inertia @ w.T
    return M, at
