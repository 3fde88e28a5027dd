"""Models and measures of the long runs."""

import numpy as np

import saltus as sl


def chain(links: int = 3) -> sl.Model:
    """Links in space on spherical and revolute joints, released from the horizontal: closed form none, invariants all."""
    m = sl.Model()
    last = m.ground
    for i in range(links):
        link = m.box(
            size=(0.2, 0.03, 0.02),
            density=1000,
            at=(0.2 * i + 0.1, 0, 0),
            angular_velocity=(0, 0, 1.0 if i == 0 else 0.0),
            name=f"link{i}",
        )
        place = (0.2 * i, 0, 0)
        if i % 2:
            m.revolute(last, link, at=place, axis=(0, 1, 0.2))
        else:
            m.spherical(last, link, at=place)
        last = link
    return m


def joints(result) -> list[str]:
    """Names of the joints of a model."""
    return [name for section, _, name in result._model._engine.records() if section == "joints"]


def violation(result) -> float:
    """Largest residual of any row of any joint over the recorded states [m, -]."""
    return max(np.abs(np.asarray(result[f"{name}.residual"])).max() for name in joints(result))


def energy_drift(result) -> float:
    """Largest change of the energy over the recorded states, relative to the largest kinetic energy."""
    energy, kinetic = np.asarray(result["energy.total"]), np.asarray(result["energy.kinetic"])
    return np.abs(energy - energy[0]).max() / kinetic.max()


def molecule(bonds: float = 50.0) -> sl.Model:
    """Four free points with springs between all of them: momentum and angular momentum are kept."""
    m = sl.Model(gravity=(0, 0, 0))
    places = np.array([(0, 0, 0), (1, 0, 0), (0.2, 1, 0), (0.3, 0.2, 1)], dtype=float)
    speeds = np.array([(1, 0, 0), (0, 2, 0), (0, 0, -1), (-1, 1, 0)], dtype=float)
    points = [
        m.point_mass(mass=1.0 + k, at=p, velocity=v, name=f"p{k}")
        for k, (p, v) in enumerate(zip(places, speeds, strict=True))
    ]
    for a in range(4):
        for b in range(a):
            m.spring(points[b], points[a], stiffness=bonds, rest_length=0.9)
    return m


def momentum(result) -> np.ndarray:
    """(n, 6) momentum [N s] and angular momentum about the origin [N m s] of `molecule`."""
    total = 0.0
    for k in range(4):
        p, v = np.asarray(result[f"p{k}.position"]), np.asarray(result[f"p{k}.velocity"])
        total = total + (1.0 + k) * np.hstack([v, np.cross(p, v)])
    return total
